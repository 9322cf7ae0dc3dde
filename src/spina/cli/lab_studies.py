"""`spina lab balance`, `claims` and `tune`: studies of the games themselves."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import Any

from spina.cli import arguments
from spina.cli.arguments import Commands
from spina.errors import OptionError
from spina.games import get
from spina.games import names as game_names
from spina.kernel.random import LARGEST_SHORT_SEED

SEED = 1


def add_commands(commands: Commands) -> None:
    _add_balance(commands)
    _add_styles(commands)
    _add_claims(commands)
    _add_tune(commands)


def _shared(command: argparse.ArgumentParser, races: str, *, chooses: str = "", page: bool = True) -> None:
    """The options of all studies. `chooses`: what the study chooses by its races; without it, they are a proof.

    `page`: whether it can write a page.
    """
    command.add_argument("--races", type=arguments.positive, metavar="N", help=f"races of each set-up ({races})")
    if chooses:
        command.add_argument("--seed", type=_seed, default=SEED, metavar="N", help=f"other races (default: {SEED})")
        arguments.refuse_proof(command, chooses)
    else:
        arguments.add_proof(
            command, "the proof range of the races (default: the study's own, or the next)", always=True
        )
    if page:
        command.add_argument("--report", type=Path, metavar="FILE.html", help="a page with plots, complete in one file")
    command.add_argument("--parquet", type=Path, metavar="FILE", help="the raw results, a row for every chariot")
    arguments.add_where(command)


def _seed(text: str) -> int:
    if not text.isdigit() or int(text) > LARGEST_SHORT_SEED:
        raise argparse.ArgumentTypeError(f"a whole number from 0 to 2**64 - 1 is needed, not {text!r}")
    return int(text)


def _numbers(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdigit() for part in parts):
        raise argparse.ArgumentTypeError(f"numbers of seats with commas are needed, such as 2,3,4, not {text!r}")
    return [int(part) for part in parts]


def _check_first(args: argparse.Namespace) -> None:
    """Raise SpinaError for missing packages and folders before a study begins, instead of at its end."""
    report = getattr(args, "report", None)
    arguments.check_installed(results=args.parquet, plots=report, on=args.on)
    for path in (report, args.parquet, getattr(args, "output", None)):
        arguments.check_writable(path)


def _text_of(game: str, edition: str | None) -> str | None:
    if edition is None:
        return None
    from spina.race import find_edition

    return find_edition(get(game), edition).text


def _origin(args: argparse.Namespace, races: int, notes: tuple[str, ...] = ()) -> Any:
    from spina.lab.report import Origin

    return Origin(f"spina lab {args.command_line}", args.seed, races, notes)


_NOT_REPEATED = ("run", "command_line", "report", "parquet", "processes", "on", "output", "register")
"""Arguments that make no difference to the races of a study."""


def _command_line(name: str, args: argparse.Namespace) -> str:
    """The command line that repeats the study, with the seed."""
    words = [name]
    for key, value in vars(args).items():
        if (
            key in _NOT_REPEATED
            or (key == "seed" and "register" in vars(args))
            or value
            in (
                None,
                [],
                False,
            )
        ):
            continue
        if key == "game":
            words.insert(1, value)
        elif key == "option":
            words += [word for each, chosen in value for word in ("--option", f"{each}={chosen}")]
        elif key in ("target", "vary"):
            words += [word for each in value for word in (f"--{key}", each)]
        else:
            words += [f"--{key}", ",".join(map(str, value)) if isinstance(value, list) else str(value)]
    return shlex.join(words)


# --- balance ----------------------------------------------------------------------------------------------------------


def _add_balance(commands: Commands) -> None:
    command = commands.add_parser(
        "balance",
        help="who wins how often, by everything a race begins with",
        description="Win shares by seat, colour, starting place, chariot, species, equipment; how long races are; "
        "what decides them.",
    )
    command.add_argument("game", help="such as charioteer")
    command.add_argument("--seats", type=_numbers, metavar="N,N,...", help="numbers of seats to look at")
    command.add_argument(
        "--drivers", type=arguments.names, metavar="NAME,...", help="default: competent, if the game has it"
    )
    command.add_argument("--edition", metavar="FILE", help="components of your own")
    arguments.add_options(command)
    _shared(command, "default: about a minute's work", chooses="editions are chosen by what balance shows")
    command.set_defaults(run=_balance)


def _balance(args: argparse.Namespace) -> int:
    from spina.lab import balance, parquet_rows, report, setups
    from spina.lab.study_progress import Progress

    game = get(args.game)
    _check_first(args)
    args.drivers = args.drivers or [setups.usual_driver(game)]
    args.command_line = _command_line("balance", args)
    plan = balance.tasks(
        game.name, args.races or balance.default_races(game.name), args.seed,
        seats=args.seats or balance.default_seats(game.name), drivers=args.drivers,
        options=dict(args.option), edition=_text_of(game.name, args.edition),
    )  # fmt: skip
    with Progress("races") as bar:
        facts = balance.study(plan, on=args.on, processes=args.processes, progress=bar)
    found = balance.groups(game.name, facts, args.drivers)
    findings = balance.headlines(game.name, facts, found)
    print(f"{game.title}: balance in {len(facts):,} races, seed {args.seed}")
    print("\n".join(f"  - {line}" for line in findings))
    print("\n".join(balance.table_lines(found)))
    print("\n  * the 95 % interval does not contain the fair share")
    if args.report:
        parts = balance.sections(game.name, facts, found)
        origin = _origin(args, len(facts), (f"Drivers: {', '.join(args.drivers)}.",))
        report.write(args.report, f"{game.title}: balance", parts, findings=findings, origin=origin)
    if args.parquet:
        parquet_rows.write(args.parquet, {game.name: facts})
    return 0


# --- styles -----------------------------------------------------------------------------------------------------------


def _add_styles(commands: Commands) -> None:
    command = commands.add_parser(
        "styles",
        help="what drivers do differently, and what their winners do",
        description="Race drivers against each other and compare how they drive: speeds, cards, attacks, damage.",
    )
    command.add_argument("game", help="such as charioteer")
    command.add_argument("--seats", type=arguments.positive, metavar="N", help="seats (default: 4, or the game's own)")
    command.add_argument(
        "--drivers", type=arguments.names, metavar="NAME,...", help="default: learned and competent, if there are both"
    )
    arguments.add_options(command)
    _shared(command, "default: those of a study of balance", chooses="drivers are changed by what they do", page=False)
    command.set_defaults(run=_styles)


def _styles(args: argparse.Namespace) -> int:
    from spina.lab import balance, parquet_rows, styles
    from spina.lab.study_progress import Progress

    game = get(args.game)
    _check_first(args)
    drivers = args.drivers or styles.default_drivers(game)
    races = styles.task(
        game.name,
        args.races or balance.default_races(game.name),
        args.seed,
        drivers=drivers,
        seats=args.seats,
        options=dict(args.option),
    )
    with Progress("races") as bar:
        facts = styles.study(races, on=args.on, processes=args.processes, progress=bar)
    found = styles.rows(game.name, facts, drivers)
    print(f"{game.title}: driving styles in {len(facts):,} races with {races.seats} seats, seed {args.seed}")
    print("\n".join(styles.lines(found, styles.wins(facts, drivers))))
    print("\n  * the 95 % intervals of two drivers have nothing in common")
    if args.parquet:
        parquet_rows.write(args.parquet, {game.name: facts})
    return 0


# --- claims -----------------------------------------------------------------------------------------------------------


def _add_claims(commands: Commands) -> None:
    command = commands.add_parser(
        "claims",
        help="what the rulebooks say that can be measured, with verdicts",
        description="Measure what rulebooks and Spina's notes claim of the games.",
    )
    command.add_argument("game", nargs="?", help="such as charioteer (default: all games)")
    _shared(command, "default: some minutes' work for all games")
    command.set_defaults(run=_claims)


def _claims(args: argparse.Namespace) -> int:
    from spina.lab import claims, claims_report, parquet_rows, report
    from spina.lab.study_progress import Progress

    games = [get(args.game).name] if args.game else [*game_names()]
    games = [game for game in games if get(game).lab.claims]
    if not games:
        print("\n".join(claims_report.headlines([])))
        return 0
    _check_first(args)
    proof = claims.enter_proof(
        games, races=args.races, number=args.proof or None,
        register=args.register,
    )  # fmt: skip
    args.proof, args.seed = proof.proof, proof.seed
    args.command_line = _command_line("claims", args)
    with Progress("races") as bar:
        findings, known = claims.study(
            games, races=args.races, seed=proof.seed, on=args.on, processes=args.processes, progress=bar
        )
    print(f"Proof range {proof.proof}, which no other study has.")
    print("\n".join(claims_report.lines(findings)))
    if args.report:
        title = f"{get(games[0]).title}: what is claimed" if args.game else "What the rulebooks claim"
        origin = _origin(args, sum(map(len, known.values())))
        report.write(
            args.report,
            title,
            claims_report.sections(findings),
            findings=claims_report.headlines(findings),
            origin=origin,
        )
    if args.parquet and known:
        parquet_rows.write(args.parquet, known)
    return 0


# --- tune -------------------------------------------------------------------------------------------------------------


def _add_tune(commands: Commands) -> None:
    command = commands.add_parser(
        "tune",
        help="choose component values for stated targets",
        description="Try values of components until stated targets are met, and write the edition.",
        epilog="Example: spina lab tune charioteer --vary lap=64..84:4 --target turns=20..26 "
        "--target bonus-box=45%%..70%%",
    )
    command.add_argument("game", help="such as charioteer")
    command.add_argument(
        "--target",
        action="append",
        default=[],
        metavar="MEASURE=LOW..HIGH",
        help="or MEASURE<=N, MEASURE>=N; repeatable",
    )
    command.add_argument(
        "--vary", action="append", default=[], metavar="NAME=LOW..HIGH[:STEP]", help="or NAME=N,N,N; repeatable"
    )
    command.add_argument("--list", action="store_true", help="list what can be measured and varied")
    command.add_argument("--edition", metavar="FILE", help="the edition to begin with (default: the reference edition)")
    command.add_argument("--output", type=Path, metavar="FILE.toml", help="where to write the resulting edition")
    _shared(
        command, "in the last round; default: depends on the game", chooses="tuning chooses components by its races"
    )
    command.set_defaults(run=_tune)


def _tune(args: argparse.Namespace) -> int:
    from spina.lab import knobs, measure_names, report, tuning
    from spina.lab.study_progress import Progress

    game = get(args.game)
    if args.list:
        print("measures:\n  " + "\n  ".join(measure_names.names(game.name)))
        print("components:\n  " + "\n  ".join(f"{name}: {words}" for name, words in knobs.names(game.name).items()))
        return 0
    if not args.target or not args.vary:
        raise OptionError("tuning needs at least one --target and one --vary; --list shows what there is")
    _check_first(args)
    args.command_line = _command_line("tune", args)
    base = _text_of(game.name, args.edition) or game.reference().text
    targets = [tuning.read_target(game.name, text) for text in args.target]
    ranges = [knobs.read_range(game.name, text) for text in args.vary]
    with Progress("races") as bar:
        result = tuning.search(
            game.name, base, targets, ranges, races=args.races or game.lab.sizes.tuning, seed=args.seed,
            on=args.on, processes=args.processes, progress=bar,
        )  # fmt: skip
    print("\n".join(tuning.lines(result)))
    if args.output:
        arguments.write(args.output, result.edition)
        print(f"written: {args.output}")
    if args.report:
        origin = _origin(args, result.races)
        report.write(
            args.report,
            f"{game.title}: tuning",
            tuning.sections(result),
            findings=tuning.headlines(result),
            origin=origin,
        )
    if args.parquet:
        print("tuning keeps no single races: --parquet is for balance and claims", file=sys.stderr)
    return 0 if result.met else 1
