"""`spina simulate`: run many races and print how often each seat wins."""

from __future__ import annotations

import argparse
import secrets
import time
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from spina.cli import arguments
from spina.cli.arguments import Commands
from spina.cli.screen import progress
from spina.games import get
from spina.kernel.random import LARGEST_SHORT_SEED
from spina.race import checked_seed, find_edition
from spina.simulation import drivers_by_name, simulate, wilson

SEATS = 4
RACES = 1000
PART = 2000
"""Races between two progress reports."""
SEED_BITS = 32


def add_commands(commands: Commands) -> None:
    command = commands.add_parser(
        "simulate",
        help="many races at once: which driver wins how often",
        description="Play many races and say which driver wins how often.",
    )
    command.add_argument("game", help="such as charioteer")
    command.add_argument("--seats", type=int, metavar="N", help=f"default: one for each driver, or {SEATS}")
    command.add_argument("--races", type=arguments.positive, default=RACES, metavar="N", help=f"default: {RACES}")
    command.add_argument(
        "--drivers",
        type=arguments.names,
        default=["competent"],
        metavar="NAME,NAME,...",
        help="one for each seat, or one for all (default: competent)",
    )
    command.add_argument("--seed", type=int, metavar="N", help="the same seed gives the same races")
    command.add_argument("--edition", metavar="FILE", help="components of your own")
    arguments.add_options(command)
    command.add_argument("--json", action="store_true", help="one JSON object, for programs")
    command.set_defaults(run=_simulate)


def _simulate(args: argparse.Namespace) -> int:
    game = get(args.game)
    seats = args.seats if args.seats is not None else len(args.drivers) if len(args.drivers) > 1 else SEATS
    named = drivers_by_name(game, args.drivers[0] if len(args.drivers) == 1 else args.drivers, seats)
    edition = find_edition(game, args.edition)
    seed = secrets.randbits(SEED_BITS) if args.seed is None else checked_seed(args.seed, LARGEST_SHORT_SEED)
    begun = time.perf_counter()
    given = dict(args.option)
    races = _races(args.game, args.races, seed, seats=seats, drivers=named, edition=edition, **given)
    report = {
        "game": game.name,
        "edition": edition.name,
        "edition_hash": edition.hash,
        "seats": seats,
        "races": args.races,
        "seed": seed,
        **_figures(races, named),
    }
    rate = args.races / (time.perf_counter() - begun)
    if args.json:
        print(msgspec.json.encode({**report, "races_per_second": round(rate, 1)}).decode())
    else:
        print("\n".join(_table(game.title, report, rate)))
    return 0


def _races(game: str, races: int, seed: int, **given: Any) -> NDArray[Any]:
    """Run all races in batches, and show the progress."""
    parts = []
    for start in range(0, races, PART):
        count = min(PART, races - start)
        with progress(f"{start:,} of {races:,} races …"):
            parts.append(simulate(game, races=count, seed=seed, first=start, **given))
    return np.concatenate(parts)


def _figures(races: NDArray[Any], drivers: Sequence[str]) -> dict[str, Any]:
    """How often each seat won, and how long the races were."""
    seats = []
    for seat, driver in enumerate(drivers):
        places = races["places"][:, seat]
        wins = int((places == 1).sum())
        low, high = wilson(wins, len(races))
        seats.append(
            {
                "seat": seat,
                "driver": driver,
                "wins": wins,
                "share": wins / len(races),
                "low": low,
                "high": high,
                "place": float(places.mean()),
            }
        )
    turns = races["turns"]
    return {
        "drivers": seats,
        "turns": {"mean": float(turns.mean()), "least": int(turns.min()), "most": int(turns.max())},
        "choices": float(races["choices"].mean()),
    }


def _table(title: str, report: dict[str, Any], rate: float) -> list[str]:
    longest = max(6, *(len(row["driver"]) for row in report["drivers"]))
    count = f"{report['races']:,} race{'' if report['races'] == 1 else 's'}"
    lines = [
        f"{title} · {report['edition']} · {count} with {report['seats']} seats · seed {report['seed']}",
        "",
        f"  seat  {'driver':{longest}}     wins    95 % interval    average place",
    ]
    for row in report["drivers"]:
        lines.append(
            f"  {row['seat']:>4}  {row['driver']:{longest}}  {row['share']:>6.1%}"
            f"  {row['low']:>6.1%} to {row['high']:>6.1%}    {row['place']:>13.2f}"
        )
    turns = report["turns"]
    return [
        *lines,
        "",
        f"{turns['mean']:.1f} turns a race ({turns['least']} to {turns['most']}), {report['choices']:.1f} choices; "
        f"{rate:,.0f} races a second",
    ]
