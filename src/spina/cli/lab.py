"""`spina lab`: studies of games and bots."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import msgspec

from spina.cli import arguments, lab_bots, lab_exploit, lab_studies, lab_training
from spina.cli.arguments import Commands
from spina.errors import OptionError

INTERRUPTED = 130
SEED_OF_PROOF = (
    "a proof has the seeds of its range, so that no lucky seed can be chosen: leave out --seed, or compare without "
    "--proof"
)


def add_commands(commands: Commands) -> None:
    lab = commands.add_parser(
        "lab",
        help="compare bots, measure games",
        description="Studies of games and bots, on all cores or on a cluster, with raw results as Parquet files.",
    )
    studies = lab.add_subparsers(title="studies", metavar="STUDY", required=True)
    _add_arena(studies)
    lab_training.add_commands(studies)
    lab_exploit.add_commands(studies)
    lab_bots.add_commands(studies)
    lab_studies.add_commands(studies)


def _add_arena(studies: Commands) -> None:
    command = studies.add_parser(
        "arena",
        help="bots race each other: win shares, ratings, places",
        description=(
            "Bots race each other in every seat. Prints win shares, ratings and places with their intervals. Can be "
            "stopped with Ctrl-C; the same command goes on where it was stopped."
        ),
    )
    command.add_argument("game", help="such as charioteer")
    command.add_argument(
        "--bots",
        type=arguments.names,
        required=True,
        metavar="NAME,NAME,...",
        help="who races; fewer than seats are repeated, of more every combination races",
    )
    command.add_argument("--races", type=arguments.positive, default=1000, metavar="N", help="default: 1000")
    command.add_argument("--seats", type=arguments.positive, default=4, metavar="N", help="default: 4")
    command.add_argument("--seed", type=int, metavar="N", help="another seed, other races (default: 1)")
    arguments.add_proof(
        command,
        "races that have chosen nothing: of a range of seeds that no tuning, training or comparison has and that no "
        "other study has used (default: the next one; the same study goes on with its own)",
    )
    command.add_argument(
        "--minutes",
        type=arguments.minutes,
        metavar="N",
        help="stop after this time; the same command goes on from there",
    )
    command.add_argument("--edition", metavar="FILE", help="components of your own")
    arguments.add_options(command)
    arguments.add_where(command)
    command.add_argument(
        "--out", type=Path, metavar="FILE", help="the results as Parquet (default: a name made from what is compared)"
    )
    command.add_argument("--report", type=Path, metavar="FILE.html", help="a page with plots, complete in one file")
    command.add_argument("--json", action="store_true", help="one JSON object, for programs")
    command.set_defaults(run=_arena)


def _arena(args: argparse.Namespace) -> int:
    arguments.check_installed(results=True, plots=args.report, on=args.on)
    # Imported here, so that other commands do not load the lab.
    from spina.games.editions import read_text
    from spina.interrupts import terminated_as_interrupted
    from spina.lab import arena
    from spina.lab.jobs import key
    from spina.lab.results import read
    from spina.lab.study_progress import Progress

    proves = args.proof is not None
    if proves and args.seed is not None:
        raise OptionError(SEED_OF_PROOF)
    setting = arena.Arena(
        game=args.game,
        bots=tuple(args.bots),
        seats=args.seats,
        races=args.races,
        seed=arena.SEED if args.seed is None else args.seed,
        options=dict(args.option),
        edition=None if args.edition is None else read_text(args.edition),
    )
    described = arena.describe(setting)  # raises OptionError
    for path in (args.out, args.report, args.register):
        arguments.check_writable(path)
    if proves:
        arena.check_bots(setting)
        setting, out = arena.enter_proof(
            setting, args.out, number=args.proof or None, register=args.register,
            on=args.on, processes=args.processes,
        )  # fmt: skip
    else:
        out = args.out or Path(f"arena-{args.game}-{key(described)[:8]}.parquet")
    arguments.check_writable(out)
    stopped = False
    try:
        with terminated_as_interrupted(), Progress("races") as bar:
            found = arena.hold(
                setting, out, on=args.on, processes=args.processes, watch=bar,
                minutes=args.minutes, register=args.register,
            )  # fmt: skip
    except KeyboardInterrupt:
        if not out.exists():
            raise
        stopped, found = True, read(out)
    standings = arena.standings(found)
    _tell(standings, arena, out, as_json=args.json)
    if args.report:
        _report(standings, args)
    if stopped or len(found) < setting.races:
        print("Stopped. The same command goes on from here.", file=sys.stderr)
    return INTERRUPTED if stopped else 0


def _tell(standings: Any, arena: Any, out: Path, *, as_json: bool) -> None:
    if as_json:
        print(msgspec.json.encode({**msgspec.to_builtins(standings), "file": str(out)}).decode())
    else:
        print("\n".join([*arena.lines(standings), f"All races: {out}"]))


def _report(standings: Any, args: argparse.Namespace) -> None:
    from spina.games import get
    from spina.lab import report

    found = standings.bots
    sections = report.arena_sections(
        [one.bot for one in found],
        [(one.wins.share, one.wins.low, one.wins.high) for one in found],
        [(one.rating.rating, one.rating.low, one.rating.high) for one in found],
        [one.places for one in found],
        races=standings.races,
    )
    command = f"spina lab arena {args.game} --bots {','.join(args.bots)} --races {args.races} --seats {args.seats}"
    said = standings.description
    command += f" --proof {said['proof']}" if "proof" in said else f" --seed {said['seed']}"
    report.write(
        args.report,
        f"{get(args.game).title}: arena",
        sections,
        findings=[f"{one.bot}: {one.rating.rating:.0f}, wins {one.wins.share:.1%}" for one in found],
        origin=report.Origin(command, said["seed"], standings.races),
    )
