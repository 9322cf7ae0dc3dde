"""Estimates from many races with their 95 % confidence intervals: shares, means, rates, ratios."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Z = 1.959964
"""Standard errors on each side of a 95 % confidence interval."""
RESAMPLES = 400
RESAMPLING_SEED = 20
Unit = Literal["share", "number", "times"]
Numbers = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured value with its 95 % confidence interval and the number of races it comes from."""

    value: float
    low: float
    high: float
    races: int
    unit: Unit = "number"

    def __str__(self) -> str:
        return f"{self.shown(self.value)} ({self.shown(self.low)} to {self.shown(self.high)})"

    def shown(self, value: float) -> str:
        """Formats the value or one end of the interval."""
        return shown(value, self.unit)


def shown(value: float, unit: Unit) -> str:
    """Formats a number for people: a percentage, a multiple or a plain number."""
    if math.isnan(value):
        return "–"
    if unit == "share":
        return f"{100 * value:.1f} %"
    if unit == "times":
        return f"{value:.2f} ×"
    return f"{value:.2f}" if abs(value) < 100 else f"{value:,.0f}"


def share(wins: float, trials: int, races: int | None = None) -> Estimate:
    """A share with the Wilson score interval. `wins` may be fractional: a shared win counts in parts."""
    races = trials if races is None else races
    if trials == 0:
        return Estimate(math.nan, 0.0, 1.0, 0, "share")
    part = wins / trials
    middle = (part + Z * Z / (2 * trials)) / (1 + Z * Z / trials)
    spread = math.sqrt(max(0.0, part * (1 - part)) / trials + Z * Z / (4 * trials * trials))
    half = Z / (1 + Z * Z / trials) * spread
    return Estimate(part, max(0.0, middle - half), min(1.0, middle + half), races, "share")


def mean(values: Numbers, unit: Unit = "number") -> Estimate:
    """A mean with the interval of the normal distribution; values that are not finite are left out."""
    values = np.asarray(values, float)
    values = values[np.isfinite(values)]
    if len(values) < 2:
        return Estimate(float(values[0]) if len(values) else math.nan, -math.inf, math.inf, len(values), unit)
    middle, half = float(values.mean()), Z * float(values.std(ddof=1)) / math.sqrt(len(values))
    return Estimate(middle, middle - half, middle + half, len(values), unit)


def rate(parts: Numbers, wholes: Numbers, unit: Unit = "number") -> Estimate:
    """The sum of `parts` over the sum of `wholes` (one number for each race), with the delta method's interval."""
    parts, wholes = np.asarray(parts, float), np.asarray(wholes, float)
    races, total = len(parts), float(wholes.sum())
    if races < 2 or total == 0:
        return Estimate(math.nan, -math.inf, math.inf, races, unit)
    value = float(parts.sum()) / total
    half = Z * math.sqrt(races) * float((parts - value * wholes).std(ddof=1)) / total
    return Estimate(value, value - half, value + half, races, unit)


def times(parts: Numbers, wholes: Numbers, other_parts: Numbers, other_wholes: Numbers) -> Estimate:
    """The ratio of two rates that were counted in the same races (one number for each race)."""
    a, b, c, d = (np.asarray(each, float) for each in (parts, wholes, other_parts, other_wholes))
    if len(a) < 2 or min(b.sum(), d.sum()) <= 0 or a.sum() + c.sum() <= 0:
        return Estimate(math.nan, 0.0, math.inf, len(a), "times")
    if min(a.sum(), c.sum()) <= 0:
        return _times_of_none(float(a.sum()), float(b.sum()), float(c.sum()), float(d.sum()), len(a))
    value = float(a.sum() / b.sum() / (c.sum() / d.sum()))
    errors = a / a.sum() - b / b.sum() - c / c.sum() + d / d.sum()
    half = Z * math.sqrt(len(a)) * float(errors.std(ddof=1))
    return Estimate(value, value * math.exp(-half), value * math.exp(half), len(a), "times")


def _times_of_none(a: float, b: float, c: float, d: float, races: int) -> Estimate:
    """The ratio of two rates of which one is 0: half an occurrence is added to both."""
    half = Z * math.sqrt(1 / (a + 0.5) + 1 / (c + 0.5))
    value = (a + 0.5) / b / ((c + 0.5) / d)
    return Estimate(value, value * math.exp(-half), value * math.exp(half), races, "times")


def spread(won: Numbers, group: Numbers, race: Numbers, names: Sequence[Any], *, worst: bool) -> Estimate:
    """The ratio of the best group's win rate to the worst group's, or to the mean of all groups.

    Chance alone makes some group the best, so the plain ratio is biased upwards. The interval is the basic bootstrap
    interval over races, which corrects for that bias and need not contain the plain ratio. Every group is credited
    with one fair win, so that a group without a win in a few races does not make the ratio infinite.
    """
    rows, races = np.unique(race, return_inverse=True)
    wins = np.zeros((len(rows), len(names)))
    raced = np.zeros((len(rows), len(names)))
    for index, name in enumerate(names):
        own = group == name
        np.add.at(wins[:, index], races[own], won[own])
        np.add.at(raced[:, index], races[own], 1.0)

    def ratio(weights: Numbers) -> float:
        rates = (weights @ wins + 1) / (weights @ raced + len(names))
        base = rates.min() if worst else rates.mean()
        return float(rates.max() / max(base, 1e-9))

    value = ratio(np.ones(len(rows)))
    dice = np.random.default_rng(RESAMPLING_SEED)
    draws = [ratio(dice.multinomial(len(rows), np.full(len(rows), 1 / len(rows)))) for _ in range(RESAMPLES)]
    low, high = np.quantile(np.log(np.maximum(draws, 1e-9)), (0.025, 0.975))
    middle = 2 * math.log(value)
    return Estimate(value, max(1.0, math.exp(middle - high)), max(1.0, math.exp(middle - low)), len(rows), "times")
