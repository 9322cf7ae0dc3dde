"""Sets of dice, and what they are worth when some of them may be rolled again.

A set is known by how many of its dice show each side. All sets of up to five dice are numbered, the smaller ones
first, so that the sets of `dice` dice are those from FIRST[dice] to FIRST[dice + 1]. With every set worth something
once it lies on the table for good, what a part of it is worth that is kept while the other dice are rolled follows
from the larger sets, and so on down to the empty one. Worth is better when it is greater.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

from spina.games.chariot_race.rules.record import DICE, FORTUNA, SIDES
from spina.kernel.compiler import kernel


def _all_sets() -> list[tuple[int, ...]]:
    """How many dice show each side, for every set."""
    return [
        tuple(chosen.count(side) for side in range(SIDES))
        for size in range(DICE + 1)
        for chosen in combinations_with_replacement(range(SIDES), size)
    ]


def _beside(change: int) -> list[list[int]]:
    """The sets with one die more (or less) of each side; -1 where there is none."""
    found = _all_sets()
    number = {counts: i for i, counts in enumerate(found)}
    return [
        [number.get((*counts[:side], counts[side] + change, *counts[side + 1 :]), -1) for side in range(SIDES)]
        for counts in found
    ]


SHOWING = np.array(_all_sets(), np.int16)
"""How many dice of a set show each side."""
WITH = np.array(_beside(1), np.int16)
"""The set with one die more of each side, -1 for sets of five."""
WITHOUT = np.array(_beside(-1), np.int16)
"""The set with one die less of each side, -1 where none shows it."""
SETS = len(SHOWING)
FIRST = np.array([int((SHOWING.sum(axis=1) < size).sum()) for size in range(DICE + 2)], np.int16)
"""The number of the first set of each size, and the number of all."""
IMPOSSIBLE = -1e9


@kernel
def chances(edition, chance):
    """How likely a die shows each side."""
    for side in range(SIDES):
        chance[side] = 0.0
    for face in range(6):
        chance[edition.die[face]] += 1.0 / 6.0


@kernel
def look_ahead(chance, dice, hope, best):
    """From what full sets are worth (in `hope`) to what every kept part is worth before the other dice are rolled.

    `best` is what the best part of each set is worth, the whole set counting as one.
    """
    for i in range(FIRST[dice] - 1, -1, -1):
        total = 0.0
        for side in range(SIDES):
            total += chance[side] * hope[WITH[i, side]]
        hope[i] = total
    best[0] = hope[0]
    for i in range(1, FIRST[dice + 1]):
        most = hope[i]
        for side in range(SIDES):
            part = WITHOUT[i, side]
            if part >= 0 and best[part] > most:
                most = best[part]
        best[i] = most


@kernel
def turnings(dice, hope, turned):
    """What each set that lacks one die is worth when the missing one is turned to the best side but Fortuna."""
    for i in range(FIRST[dice - 1], FIRST[dice]):
        most = IMPOSSIBLE
        for side in range(FORTUNA):
            most = max(most, hope[WITH[i, side]])
        turned[i] = most


@kernel
def buy(dice, best, turned, hope):
    """Raise what full sets are worth where a purchase makes more of them: the best part is kept, or one die turned.

    Turning a die to what it shows is no purchase, but wastes fate, and so never makes this greater than keeping all.
    """
    for i in range(FIRST[dice], FIRST[dice + 1]):
        most = hope[i]
        for side in range(SIDES):
            part = WITHOUT[i, side]
            if part >= 0:
                most = max(most, max(best[part], turned[part]))
        hope[i] = most


@kernel
def odds_of_rolls(chance, odds):
    """How likely each set is as the roll of as many dice as it has."""
    odds[0] = 1.0
    for i in range(1, SETS):
        odds[i] = 0.0
        for side in range(SIDES):
            if WITHOUT[i, side] >= 0:
                odds[i] += chance[side] * odds[WITHOUT[i, side]]


@kernel
def before_rolling(dice, odds, best):
    """What a turn is worth before its dice are rolled: of the first roll the best part is kept, for nothing."""
    total = 0.0
    for i in range(FIRST[dice], FIRST[dice + 1]):
        total += odds[i] * best[i]
    return total
