"""Sets of dice, and their expected values when some of the dice may be rolled again.

A set is described by the number of its dice that show each side. All sets of up to five dice are numbered, the smaller
ones first, so that the sets of `dice` dice have the numbers from FIRST[dice] to FIRST[dice + 1]. From the values of
full sets follows the value of each part that is kept while the other dice are rolled, down to the empty set. Higher
values are better.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariot_race.rules.record import DICE, FACES, FORTUNA, SIDES
from spina.kernel.compiler import kernel

if TYPE_CHECKING:
    from spina.games.chariot_race.rules.record_types import EditionRecord


def _all_sets() -> list[tuple[int, ...]]:
    """All sets, each as the number of dice that show each side."""
    return [
        tuple(chosen.count(side) for side in range(SIDES))
        for size in range(DICE + 1)
        for chosen in combinations_with_replacement(range(SIDES), size)
    ]


def _beside(change: int) -> list[list[int]]:
    """For each set, the sets with one die more (or less) of each side; -1 if there is none."""
    found = _all_sets()
    number = {counts: i for i, counts in enumerate(found)}
    return [
        [number.get((*counts[:side], counts[side] + change, *counts[side + 1 :]), -1) for side in range(SIDES)]
        for counts in found
    ]


SHOWING = np.array(_all_sets(), np.int16)
"""Number of dice of a set that show each side."""
WITH = np.array(_beside(1), np.int16)
"""The set with one die more of each side, -1 for sets of five."""
WITHOUT = np.array(_beside(-1), np.int16)
"""The set with one die less of each side, -1 if no die shows it."""
SETS = len(SHOWING)
FIRST = np.array([int((SHOWING.sum(axis=1) < size).sum()) for size in range(DICE + 2)], np.int16)
"""Number of the first set of each size; last, the number of sets."""
REDUCED = np.where(WITHOUT < 0, WITHOUT.max(axis=1, keepdims=True), WITHOUT).astype(np.uint8)
"""As WITHOUT, for sets of one die or more, but with another part of the set if no die shows the side: the best of all
parts is then found without conditions, whose results a processor could not predict."""
EXTENDED = WITH[: FIRST[DICE]].astype(np.uint8)
"""As WITH, for sets of up to four dice."""
IMPOSSIBLE = -1e9
"""Value of what cannot be reached."""


@kernel
def chances(edition: EditionRecord, chance):
    """Write the probability of each side."""
    for side in range(SIDES):
        chance[side] = 0.0
    for face in range(FACES):
        chance[edition.die[face]] += 1.0 / FACES


@kernel
def look_ahead(chance, dice, hope, best):
    """From the values of full sets (in `hope`), compute those of all parts kept while the other dice are rolled.

    `best` gets the value of the best part of each set; the whole set is a part too.
    """
    for i in range(FIRST[dice] - 1, -1, -1):
        total = 0.0
        for side in range(SIDES):
            total += chance[side] * hope[EXTENDED[i, side]]
        hope[i] = total
    best[0] = hope[0]
    for i in range(1, FIRST[dice + 1]):
        most = hope[i]
        for side in range(SIDES):
            most = max(most, best[REDUCED[i, side]])
        best[i] = most


@kernel
def turnings(dice, hope, turned):
    """Write the value of each set that lacks one die, with that die turned to the best side but Fortuna."""
    for i in range(FIRST[dice - 1], FIRST[dice]):
        most = IMPOSSIBLE
        for side in range(FORTUNA):
            most = max(most, hope[EXTENDED[i, side]])
        turned[i] = most


@kernel
def buy(dice, best, turned, hope):
    """Raise the values of full sets to those after the best purchase: keep the best part, or turn one die.

    Turning a die to the side it shows is illegal, but as it only wastes fate it never raises a value.
    """
    for i in range(FIRST[dice], FIRST[dice + 1]):
        most = hope[i]
        for side in range(SIDES):
            part = REDUCED[i, side]
            most = max(most, max(best[part], turned[part]))
        hope[i] = most


@kernel
def odds_of_rolls(chance, odds):
    """Write the probability of each set as a roll of all its dice."""
    odds[0] = 1.0
    for i in range(1, SETS):
        odds[i] = 0.0
        for side in range(SIDES):
            if WITHOUT[i, side] >= 0:
                odds[i] += chance[side] * odds[WITHOUT[i, side]]


@kernel
def before_rolling(dice, odds, best):
    """Expected value of a turn before its dice are rolled. The free re-roll keeps the best part of the first roll."""
    total = 0.0
    for i in range(FIRST[dice], FIRST[dice + 1]):
        total += odds[i] * best[i]
    return total
