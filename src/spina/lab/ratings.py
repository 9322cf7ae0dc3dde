"""The strength of bots: win shares, ratings and finishing places.

**Ratings** are those of the Plackett–Luce model: the next to finish is drawn among those still in the race, each with a
probability in proportion to its strength. The seats of a race are the items; seats of one bot have the same strength.
Strengths maximise the likelihood of all races (Newton's method on a concave function, so there is one answer), on the
scale that chess players know: 400 points for odds of 10 to 1, with one bot set to 1500. The intervals come from
the observed information; they are intervals of the difference to that bot.

**Ties** mean that the tied may have finished in any order: their probability is the sum over all these orders. So a
shared last place says nothing of the tied, only that the others were ahead; and the function stays concave.

**A bot that always wins** would have no finite rating. So every bot is given one race more, half won and half lost,
against the others in equal parts. That has no weight beside a hundred real races, and gives a bot that was never beaten
a finite rating with a wide interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from spina.errors import SpinaError
from spina.simulation import wilson

SCALE = 400 / math.log(10)
"""Points for each natural unit of strength."""
MIDDLE = 1500.0
ANCHOR = "competent"
"""The bot whose rating is set to MIDDLE, if it takes part."""
Z = 1.959964
"""Standard errors on each side of a 95 % interval."""
VIRTUAL = 0.5
"""Virtual races that each bot has won, and as many that it has lost, beside the real ones."""
RUNNING = 5000
"""Races that running ratings are made from, at most; earlier ones have no influence left."""
_STEPS = 100
_CLOSE = 1e-9

Codes = NDArray[np.int64]


class Rating(msgspec.Struct, frozen=True):
    """A bot's strength in points with its 95 % interval."""

    rating: float
    low: float
    high: float
    error: float
    """The standard error of the difference to the anchor; 0 for the anchor itself."""


class Share(msgspec.Struct, frozen=True):
    """The win rate of a bot."""

    races: int
    """Races that it took part in."""
    seats: int
    """Its seats in these races, together."""
    wins: float
    """Wins; a tie for the first place is split among the tied."""
    share: float
    """The share of its races that one of its seats won."""
    low: float
    high: float
    by_seat: float
    """Wins for each seat that it had."""
    expected: float
    """The share of its races that it would win if all seats were equally strong."""


class Running(msgspec.Struct, frozen=True):
    """A rating updated race by race (openskill's Plackett–Luce): mean and standard deviation."""

    mu: float
    sigma: float


class _Races(NamedTuple):
    """Different outcomes with the same ties, and how often each occurred."""

    bots: Codes
    """By race and rank: the bot's number."""
    groups: tuple[int, ...]
    """How many seats share each place, from the first to the last."""
    weights: NDArray[np.float64]


class _Term(NamedTuple):
    """A number for each race, with its first and second derivatives by the strengths."""

    value: NDArray[np.float64]
    slope: NDArray[np.float64]
    curve: NDArray[np.float64]


# --- Plackett and Luce ----------------------------------------------------------------------------------------------


def plackett_luce(
    bots: Codes, places: Codes, count: int, *, anchor: int = 0, virtual: float = VIRTUAL
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Strengths of `count` bots in natural units, and the covariances of their errors; the anchor has 0 and none.

    `bots` and `places` have a row for each race and a column for each seat.
    """
    outcomes = _gathered(bots, places)
    if count > 1 and virtual > 0:
        pairs = [(one, other) for one in range(count) for other in range(count) if one != other]
        weights = np.full(len(pairs), virtual / (count - 1))
        outcomes.append(_Races(np.array(pairs), (1, 1), weights))
    free = np.arange(count) != anchor
    strengths = np.zeros(count)
    value, slope, curve = _likelihood(outcomes, strengths)
    for _ in range(_STEPS):
        if not free.any():
            break
        step = np.zeros(count)
        step[free] = np.linalg.lstsq(-curve[np.ix_(free, free)], slope[free], rcond=None)[0]
        gain, length = float(step @ slope), 1.0
        while length > 1e-12:  # shorter steps until one leads upwards
            tried = _likelihood(outcomes, strengths + length * step)
            if tried[0] >= value + 1e-4 * length * gain or gain <= _CLOSE:
                break
            length /= 2
        strengths = strengths + length * step
        value, slope, curve = tried
        if gain <= _CLOSE:
            break
    covariance = np.zeros((count, count))
    if free.any():
        covariance[np.ix_(free, free)] = np.linalg.pinv(-curve[np.ix_(free, free)])
    return strengths, covariance


def log_likelihood(bots: Codes, places: Codes, strengths: Sequence[float]) -> float:
    """Of these races, given strengths in natural units."""
    return _likelihood(_gathered(bots, places), np.asarray(strengths, float))[0]


def _gathered(bots: Codes, places: Codes) -> list[_Races]:
    """Equal outcomes together, with their seats in the order of places: who sat where does not matter."""
    bots, places = np.asarray(bots, np.int64), np.asarray(places, np.int64)
    order = np.lexsort((bots, places), axis=1)
    ranked, where = np.take_along_axis(bots, order, 1), np.take_along_axis(places, order, 1)
    begins = np.ones(where.shape, bool)  # a place, instead of sharing that of the seat before
    begins[:, 1:] = where[:, 1:] != where[:, :-1]
    outcomes = []
    for pattern in np.unique(begins, axis=0):
        rows, counts = np.unique(ranked[(begins == pattern).all(axis=1)], axis=0, return_counts=True)
        starts = [*np.flatnonzero(pattern), len(pattern)]
        outcomes.append(_Races(rows, tuple(np.diff(starts).tolist()), counts.astype(float)))
    return outcomes


def _likelihood(
    outcomes: Sequence[_Races], strengths: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """The logarithm of the likelihood with its first and second derivatives."""
    count = len(strengths)
    value, slope, curve = 0.0, np.zeros(count), np.zeros((count, count))
    weight = np.exp(strengths - strengths.max())
    for bots, groups, times in outcomes:
        own = np.eye(count)[bots]  # by race, rank and bot
        begin = 0
        for size in groups[:-1]:  # the last are last for certain
            chance = _next(weight[bots[:, begin:]], own[:, begin:], size)
            steep = chance.slope / chance.value[:, None]
            value += float(times @ np.log(chance.value))
            slope += times @ steep
            curve += np.einsum("r,rbc->bc", times / chance.value, chance.curve)
            curve -= np.einsum("r,rb,rc->bc", times, steep, steep)
            begin += size
    return value, slope, curve


def _next(weight: NDArray[np.float64], own: NDArray[np.float64], size: int) -> _Term:
    """The chance that of all seats still in the race the first `size` come next, in any order.

    Step by step over sets of seats: a set has come next if one of its seats came after all others of it.
    """
    races, _, count = own.shape
    sets = {0: _Term(np.ones(races), np.zeros((races, count)), np.zeros((races, count, count)))}
    for _ in range(size):
        grown: dict[int, _Term] = {}
        for drawn, before in sets.items():
            left = weight * [not drawn >> seat & 1 for seat in range(weight.shape[1])]
            total = left.sum(axis=1)
            part = np.einsum("rk,rkb->rb", left, own) / total[:, None]
            bend = np.einsum("rb,rc->rbc", part, part) - part[:, :, None] * np.eye(count)
            for seat in range(size):
                if drawn >> seat & 1:
                    continue
                chance, steep = weight[:, seat] / total, own[:, seat] - part
                mixed = np.einsum("rb,rc->rbc", before.slope, steep)
                curve = before.curve + mixed + mixed.transpose(0, 2, 1)
                curve += before.value[:, None, None] * (np.einsum("rb,rc->rbc", steep, steep) + bend)
                term = _Term(
                    before.value * chance,
                    (before.slope + before.value[:, None] * steep) * chance[:, None],
                    curve * chance[:, None, None],
                )
                key = drawn | 1 << seat
                known = grown.get(key)
                grown[key] = _Term(*map(np.add, known, term)) if known else term
        sets = grown
    return sets[(1 << size) - 1]


def ratings(names: Sequence[str], bots: Codes, places: Codes) -> dict[str, Rating]:
    """The rating of every bot, by name; `bots` has the numbers of names by race and seat."""
    anchor = names.index(ANCHOR) if ANCHOR in names else 0
    strengths, covariance = plackett_luce(bots, places, len(names), anchor=anchor)
    found = {}
    for number, name in enumerate(names):
        error = SCALE * math.sqrt(max(0.0, covariance[number, number]))
        rating = MIDDLE + SCALE * float(strengths[number])
        found[name] = Rating(rating, rating - Z * error, rating + Z * error, error)
    return found


# --- shares and places ----------------------------------------------------------------------------------------------


def shares(names: Sequence[str], bots: Codes, places: Codes) -> dict[str, Share]:
    """The win rates of every bot, of all its seats together and by seat."""
    first = places == places.min(axis=1, keepdims=True)
    part = first / first.sum(axis=1, keepdims=True)
    found = {}
    for number, name in enumerate(names):
        own = bots == number
        races, seats = int(own.any(axis=1).sum()), int(own.sum())
        wins = float(part[own].sum())
        # Wilson's interval holds for fractional wins too, though `wilson` is typed for whole ones.
        low, high = wilson(cast(int, wins), races) if races else (0.0, 1.0)
        found[name] = Share(
            races=races,
            seats=seats,
            wins=wins,
            share=wins / races if races else math.nan,
            low=low,
            high=high,
            by_seat=wins / seats if seats else math.nan,
            expected=seats / (races * bots.shape[1]) if races else math.nan,
        )
    return found


def place_matrix(names: Sequence[str], bots: Codes, places: Codes) -> NDArray[np.float64]:
    """By bot and place (from 1): the share of the bot's seats that finished there. Ties share the better place."""
    found = np.zeros((len(names), bots.shape[1]))
    for number in range(len(names)):
        counts = np.bincount(places[bots == number] - 1, minlength=bots.shape[1])
        found[number] = counts / max(1, counts.sum())
    return found


# --- running ratings ------------------------------------------------------------------------------------------------


def running_ratings(names: Sequence[str], bots: Codes, places: Codes) -> dict[str, Running]:
    """Ratings updated race by race, as a ladder shows them, over the last few thousand races.

    A bot with several seats in a race moves by the mean of the changes of its seats.
    """
    model = _openskill().PlackettLuce()
    current = [model.rating() for _ in names]
    for seats, ranks in zip(bots[-RUNNING:].tolist(), places[-RUNNING:].tolist(), strict=True):
        if len(set(seats)) < 2:
            continue  # one bot alone
        rated = model.rate([[current[seat]] for seat in seats], ranks=[float(rank) for rank in ranks])
        for number in set(seats):
            own = [team[0] for team, seat in zip(rated, seats, strict=True) if seat == number]
            mu, sigma = (sum(getattr(one, name) for one in own) / len(own) for name in ("mu", "sigma"))
            current[number] = model.rating(mu=mu, sigma=sigma)
    return {name: Running(one.mu, one.sigma) for name, one in zip(names, current, strict=True)}


def _openskill() -> Any:
    try:
        return import_module("openskill.models")
    except ImportError:
        raise SpinaError("running ratings need openskill, which is not installed: pip install 'spina[lab]'") from None
