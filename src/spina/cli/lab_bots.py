"""`spina lab train`, `ladder` and `recheck`: train value networks, rate bots, and replay rated races."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

import msgspec

from spina.cli import arguments
from spina.cli.arguments import Commands
from spina.games import get

ROUNDS = 12
SEED = 77
EPSILON = 100


def add_commands(studies: Commands) -> None:
    train = studies.add_parser(
        "train",
        help="train a game's value network",
        description="Drivers race each other, and a network learns from the features of the seats who will win.",
    )
    train.add_argument("game", help="such as charioteer")
    train.add_argument(
        "--races", type=arguments.positive, metavar="N", help="races to learn from (default: depends on the game)"
    )
    train.add_argument(
        "--seats", type=arguments.names, default=["2", "3", "4"], metavar="N,N,...", help="default: 2,3,4"
    )
    train.add_argument("--driver", metavar="NAME", help="who races (default: competent, if the game has it)")
    train.add_argument(
        "--epsilon",
        "--whims",
        type=int,
        default=EPSILON,
        metavar="N",
        help=f"random choices in a thousand before examples are taken (default: {EPSILON})",
    )
    arguments.add_where(train)
    train.add_argument("--hidden", type=arguments.positive, default=16, metavar="N", help="width of the hidden layer")
    train.add_argument(
        "--rounds",
        type=arguments.positive,
        default=ROUNDS,
        metavar="N",
        help=f"times to go through (default: {ROUNDS})",
    )
    train.add_argument("--seed", type=int, default=SEED, metavar="N", help=f"default: {SEED}")
    train.add_argument("--out", type=Path, metavar="FILE", help="where the weights go (default: GAME.json)")
    arguments.refuse_proof(train, "training learns from its races")
    train.set_defaults(run=_train)
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


def _train(args: argparse.Namespace) -> int:
    from spina.errors import OptionError
    from spina.lab import training as train

    game = get(args.game)
    if not all(count.isdigit() and int(count) in game.seat_counts for count in args.seats):
        possible = ", ".join(map(str, game.seat_counts))
        raise OptionError(f"{game.title} has races of {possible} seats, not {','.join(args.seats)}")
    driver = args.driver or game.default_driver
    if driver not in game.drivers:
        raise OptionError(f'{game.title} has no driver "{driver}": it has {", ".join(game.drivers)}')
    if not 0 <= args.epsilon <= 1000:
        raise OptionError(f"of a thousand choices 0 to 1000 can be random, not {args.epsilon}")
    counts = [int(count) for count in args.seats]
    races = args.races or game.lab.sizes.training
    begun = time.monotonic()
    processes = args.processes or os.cpu_count() or 1
    sets = [
        train.examples(
            game.name,
            seats,
            max(10, races // len(counts)),
            args.seed + seats,
            driver=driver,
            epsilon=args.epsilon,
            processes=processes,
            on=args.on,
        )
        for seats in counts
    ]
    print(f"{sum(len(shares) for _, shares in sets):,} examples after {time.monotonic() - begun:.0f} s", flush=True)
    learner, loss, nothing = train.fit(
        sets, hidden=args.hidden, rounds=args.rounds, tell=lambda line: print(line, flush=True)
    )
    out: Path = args.out or Path(f"{game.name}.json")
    seats = ",".join(args.seats)
    how = f"spina lab train {game.name} --races {races} --seats {seats} --driver {driver} --epsilon {args.epsilon}"
    how += f" --hidden {args.hidden} --rounds {args.rounds} --seed {args.seed}"
    train.save(out, game.name, learner, loss, nothing, how)
    print(f"Cross-entropy of the winners: {loss:.3f} natural units; {nothing:.3f} for a network that knows nothing.")
    print(f"Weights: {out}")
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
