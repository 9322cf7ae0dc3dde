"""`spina lab ladder`, `recheck` and `standings`: rate bots, replay rated races, and print standings."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec

from spina.cli import arguments
from spina.cli.arguments import Commands


def add_commands(studies: Commands) -> None:
    ladder = studies.add_parser(
        "ladder",
        help="rate all bots of all games, and write it down",
        description="All bots race each other. Can be stopped with Ctrl-C; the same command goes on from there.",
    )
    arguments.add_proof(
        ladder, "the first of its proof ranges, one for each game (default: its own, or the next)", always=True
    )
    ladder.add_argument(
        "--minutes",
        type=arguments.minutes,
        metavar="N",
        help="stop after this time; the same command goes on from there",
    )
    ladder.add_argument("--games", type=arguments.names, default=[], metavar="NAME,...", help="default: all")
    ladder.add_argument("--races", type=arguments.positive, metavar="N", help="of each game")
    ladder.add_argument(
        "--folder", type=Path, default=Path("ladder"), help="for the races, as Parquet (default: ladder)"
    )
    ladder.add_argument("--out", type=Path, default=Path("ladder.md"), help="the page (default: ladder.md)")
    arguments.add_where(ladder)
    ladder.set_defaults(run=_ladder)
    recheck = studies.add_parser(
        "recheck",
        help="race some races of an arena's file again",
        description="Says whether the races of a results file still come out as they did. They do not if the bots "
        "have changed since; then it tells of other bots. Programs, and bots that think by the clock, may differ.",
    )
    recheck.add_argument("file", type=Path, nargs="+", help="results of `spina lab arena` or `spina lab ladder`")
    recheck.add_argument("--races", type=arguments.positive, default=20, metavar="N", help="of each file (default: 20)")
    recheck.add_argument("--seed", type=int, default=1, metavar="N", help="another seed, other races (default: 1)")
    arguments.add_where(recheck)
    recheck.set_defaults(run=_recheck)
    _add_standings(studies)


def _add_standings(studies: Commands) -> None:
    command = studies.add_parser(
        "standings",
        help="the standings of one or several results files",
        description="Prints win shares, ratings and places of races that are there already: of one file, of parts of a "
        "study that were raced on several machines, or of the same study with several seeds.",
    )
    command.add_argument("file", type=Path, nargs="+", help="results of `spina lab arena` or `spina lab ladder`")
    command.add_argument("--out", type=Path, metavar="FILE", help="the files as one, with which a study can go on")
    command.add_argument("--json", action="store_true", help="one JSON object, for programs")
    command.set_defaults(run=_standings)


def _standings(args: argparse.Namespace) -> int:
    arguments.check_installed(results=True)
    from spina.lab import arena, results

    arguments.check_writable(args.out)
    found = results.together(args.file)
    standings = arena.standings(found)
    if args.out:
        results.write(found, args.out)
    if args.json:
        print(msgspec.json.encode(standings).decode())
    else:
        print("\n".join(arena.lines(standings)))
    return 0


def _ladder(args: argparse.Namespace) -> int:
    arguments.check_installed(results=True, on=args.on)
    from spina.interrupts import terminated_as_interrupted
    from spina.lab import ladder
    from spina.lab.study_progress import Progress

    with terminated_as_interrupted(), Progress("races") as bar:
        found = ladder.climb(
            args.folder,
            games=args.games,
            races=args.races,
            number=args.proof or None,
            register=args.register,
            minutes=args.minutes,
            processes=args.processes,
            on=args.on,
            watch=lambda _, there, of: bar(there, of),
        )
    if not all(ladder.is_complete(one) for one in found.values()):
        print(
            "Stopped. The same command goes on from here; the page is written when all races are there.",
            file=sys.stderr,
        )
        return 0
    races = f" --races {args.races}" if args.races else ""
    args.out.write_text(ladder.page(found, f"spina lab ladder{races}"), encoding="utf-8")
    print(f"The ladder: {args.out}")
    return 0


def _recheck(args: argparse.Namespace) -> int:
    arguments.check_installed(results=True, on=args.on)
    from spina.lab.recheck import recheck
    from spina.lab.study_progress import Progress

    changed = False
    for file in args.file:
        with Progress("races") as bar:
            found = recheck(file, args.races, seed=args.seed, on=args.on, processes=args.processes, watch=bar)
        if found.rules is not None:
            print(f"{file}: raced by version {found.rules} of the rules; the current version makes other races")
            continue
        same = found.races - len(found.different)
        print(f"{file}: {same:,} of {found.races:,} races came out as they did")
        if found.different:
            print("  otherwise: race " + ", ".join(map(str, found.different)))
            changed = True
    return 1 if changed else 0
