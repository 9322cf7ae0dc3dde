"""Measures: functions from the facts of a set-up to an estimate, shared by claims, balance and tuning."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.games.studies import intervals
from spina.games.studies.facts import Facts
from spina.games.studies.intervals import Estimate

Compute = Callable[[Facts], Estimate]


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure that a target of tuning names: the kind of set-up to race, and the function to estimate it with."""

    words: str
    setup: str
    """The first word of the set-up's label."""
    compute: Compute


def turns(facts: Facts) -> Estimate:
    """Turns in a race."""
    return intervals.mean(facts.races["turns"])


def race_mean(column: str, unit: intervals.Unit = "number") -> Compute:
    """The mean of a column of the races."""
    return lambda facts: intervals.mean(facts.races[column], unit)


def best_over_fair(column: str) -> Compute:
    """The win rate of the best value of a column over the mean of all values."""
    return lambda facts: _spread(facts, column, worst=False)


def best_over_worst(column: str) -> Compute:
    """The win rate of the best value of a column over that of the worst."""
    return lambda facts: _spread(facts, column, worst=True)


def _spread(facts: Facts, column: str, *, worst: bool) -> Estimate:
    table = facts.chariots
    names = [name for name in np.unique(table[column]).tolist() if name != "none"]
    return intervals.spread(table["won"], table[column], table["race"], names, worst=worst)


def wins_of(column: str, value: Any) -> Compute:
    """The win rate of chariots with this value of a column."""

    def compute(facts: Facts) -> Estimate:
        own = facts.chariots[column] == value
        return intervals.share(float(facts.chariots["won"][own].sum()), int(own.sum()))

    return compute


def wins_against(column: str, value: Any, other: Any) -> Compute:
    """The win rate of chariots with one value of a column over that of chariots with another."""

    def compute(facts: Facts) -> Estimate:
        table = facts.chariots
        return intervals.times(*_sums(facts, table[column] == value), *_sums(facts, table[column] == other))

    return compute


def _sums(facts: Facts, own: NDArray[np.bool_]) -> tuple[NDArray[Any], NDArray[Any]]:
    """For each race: the wins of these chariots, and their number."""
    return facts.by_race(np.where(own, facts.chariots["won"], 0.0)), facts.by_race(own.astype(float))


def part_of(parts: str, wholes: str, unit: intervals.Unit = "share") -> Compute:
    """The sum of one column of the races over the sum of another."""
    return lambda facts: intervals.rate(facts.races[parts], facts.races[wholes], unit)


def chariots_with(column: str) -> Compute:
    """The share of chariots with a positive number in a column."""

    def compute(facts: Facts) -> Estimate:
        hit = np.asarray(facts.chariots[column]) > 0
        return intervals.share(float(hit.sum()), len(hit), len(facts))

    return compute


def ratio(parts: str, wholes: str, other_parts: str, other_wholes: str) -> Compute:
    """The ratio of two rates, each of two columns of the races."""

    def compute(facts: Facts) -> Estimate:
        table = facts.races
        return intervals.times(table[parts], table[wholes], table[other_parts], table[other_wholes])

    return compute


def apart(high: Estimate, low: Estimate) -> Estimate:
    """The ratio of two estimates from different races."""
    value = high.value / low.value

    def spread(of: Estimate) -> float:
        return math.log(of.high / max(of.low, 1e-9)) / 2

    half = math.hypot(spread(high), spread(low))
    return Estimate(value, value * math.exp(-half), value * math.exp(half), high.races + low.races, "times")
