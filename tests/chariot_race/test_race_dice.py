"""Sorted dice, and the tables of sets of dice that are made to be read without conditions."""

from __future__ import annotations

from itertools import product

import numpy as np

from spina.games.chariot_race.bots import dice_sets
from spina.games.chariot_race.rules import dice_roll, record
from spina.kernel.record import blank, fields


def test_every_roll_is_sorted_by_side() -> None:
    """Against Python's own sorting, for every roll of up to five dice; the kernel runs interpreted."""
    race = fields(blank(record.RACE), record.RACE)
    for rolled in range(record.DICE + 1):
        for sides in product(range(record.SIDES), repeat=rolled):
            race.rolled = rolled
            for die in range(record.DICE):
                race.die[die] = sides[die] if die < rolled else record.NOTHING
            dice_roll.sort_dice(race)
            assert race.die.tolist() == [*sorted(sides), *[record.NOTHING] * (record.DICE - rolled)]


def test_the_parts_of_a_set_are_those_with_a_die_less() -> None:
    for part, reduced in zip(dice_sets.WITHOUT[1:].tolist(), dice_sets.REDUCED[1:].tolist(), strict=True):
        assert {number for number in part if number >= 0} == set(reduced)
        assert all(less in (-1, number) for less, number in zip(part, reduced, strict=True))
    assert np.array_equal(dice_sets.EXTENDED, dice_sets.WITH[: len(dice_sets.EXTENDED)])
    assert (dice_sets.WITH[len(dice_sets.EXTENDED) :] == -1).all()
