"""Driving styles: what drivers do differently in the same races, and what those of their chariots do that win."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.errors import OptionError
from spina.games import get
from spina.games.game import Game
from spina.games.studies import intervals
from spina.games.studies.facts import Facts
from spina.games.studies.intervals import Estimate
from spina.games.studies.profile import Trait
from spina.games.studies.recording import Task
from spina.lab import setups
from spina.lab.fact_collection import collect
from spina.lab.proof_seeds import check_free

LEARNED = "learned"
_WON, _LOST = " that win", " that do not"


@dataclass(frozen=True, slots=True)
class Row:
    """A trait of every driver, and of its chariots that win and that do not."""

    trait: Trait
    by_driver: Mapping[str, Estimate]
    won: Mapping[str, Estimate]
    lost: Mapping[str, Estimate]


def default_drivers(game: Game) -> tuple[str, ...]:
    """The learned driver, where the game has one, against the usual one."""
    usual = setups.usual_driver(game)
    return (LEARNED, usual) if LEARNED in game.drivers else (usual,)


def task(
    game: str,
    races: int,
    seed: int,
    *,
    drivers: Sequence[str],
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> Task:
    """Races in which the drivers alternate over the seats. Raises OptionError."""
    check_free(seed, races)
    found = get(game)
    if not found.lab.traits:
        raise OptionError(f"{found.title} tells the lab no traits of driving: `LabProfile.traits` is empty")
    count = seats or setups.usual_seats(found)
    if count not in found.seat_counts or count < 2:
        raise OptionError(f"{found.title} can be compared with 2 to {found.seat_counts[-1]} seats, not {count}")
    if len(set(drivers)) > count:
        raise OptionError(f"{len(set(drivers))} drivers have no room in {count} seats")
    given = dict(options or {})
    variant = found.lab.variant
    value = given.pop(variant.option, "") if variant else ""
    label = " ".join(filter(None, (setups.FIELD, str(count), value)))
    return setups.make(game, label, races, seed, drivers=tuple(dict.fromkeys(drivers)), options=given)


def study(
    races: Task,
    *,
    on: str | None = None,
    processes: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Facts:
    """Runs the races; `on`, `processes` and `progress` are those of `executor.run`."""
    return collect([races], on=on, processes=processes, progress=progress)


def rows(game: str, facts: Facts, drivers: Sequence[str]) -> list[Row]:
    """All traits of the game, for each driver."""
    table = facts.chariots
    found = []
    for trait in get(game).lab.traits:
        of = {driver: table["driver"] == driver for driver in dict.fromkeys(drivers)}
        found.append(
            Row(
                trait,
                {driver: _estimate(facts, trait, own) for driver, own in of.items()},
                {driver: _estimate(facts, trait, own & (table["won"] > 0)) for driver, own in of.items()},
                {driver: _estimate(facts, trait, own & (table["won"] == 0)) for driver, own in of.items()},
            )
        )
    return found


def _estimate(facts: Facts, trait: Trait, chosen: NDArray[np.bool_]) -> Estimate:
    """A trait of these chariots. Values that do not exist are left out."""
    values = facts.chariots[trait.column].astype(float)
    wholes = np.ones(len(values)) if trait.per is None else facts.chariots[trait.per].astype(float)
    counted = chosen & np.isfinite(values)
    return intervals.rate(
        facts.by_race(np.where(counted, values, 0.0)), facts.by_race(np.where(counted, wholes, 0.0)), trait.unit
    )


def wins(facts: Facts, drivers: Sequence[str]) -> dict[str, Estimate]:
    """The share of its races that a chariot of each driver wins."""
    table = facts.chariots
    found = {}
    for driver in dict.fromkeys(drivers):
        own = table["driver"] == driver
        found[driver] = intervals.share(float(table["won"][own].sum()), int(own.sum()), len(facts))
    return found


def lines(found: Sequence[Row], won: Mapping[str, Estimate]) -> list[str]:
    """The traits as a table for a terminal."""
    drivers = list(won)
    columns = [*drivers, *(f"{driver}{which}" for driver in drivers for which in (_WON, _LOST))]
    width = max(28, *(len(column) + 2 for column in columns))
    text = [f"{'':44}" + "".join(f"{column:>{width}}" for column in columns)]
    text.append(f"{'races won by a chariot':44}" + "".join(f"{won[driver]!s:>{width}}" for driver in drivers))
    for row in found:
        estimates = [row.by_driver[driver] for driver in drivers]
        estimates += [which[driver] for driver in drivers for which in (row.won, row.lost)]
        mark = "*" if _differ(estimates[: len(drivers)]) else " "
        text.append(f"{mark} {row.trait.words:42}" + "".join(f"{estimate!s:>{width}}" for estimate in estimates))
    return text


def _differ(estimates: Sequence[Estimate]) -> bool:
    """Whether the intervals of two of them have nothing in common."""
    return max(each.low for each in estimates) > min(each.high for each in estimates)
