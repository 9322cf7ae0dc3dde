"""Whole races inside the kernel, for any game and any drivers."""

from __future__ import annotations

import numpy as np

from spina.kernel.bits import lowest_bit
from spina.kernel.compiler import INTERPRETED, entry, kernel
from spina.kernel.digest import digest
from spina.kernel.interface import (
    ACTING,
    APPLY,
    DRIVER,
    OVER,
    PLAN,
    PLAYOUT,
    RANKING,
    SET_UP,
    STEP,
    TURN,
)
from spina.kernel.narration import silence
from spina.kernel.random import nth_seed, seed_dice

MOST_SEATS = 12
CHOICE_LIMIT = 1_000_000
"""A race with more choices than this is broken; runs give up on it instead of hanging."""

_DRIVERS_SALT = np.uint64(0xD1CE)

if INTERPRETED:
    RUN_RACES = PLAY_RACES = COPY_RACE = HASH_RACE = DRIVE = None
else:
    from numba import types

    from spina.kernel.interface import BYTES, COMPONENTS, DICE, INT, NUMBERS, WORD

    _pointer = types.FunctionType
    _drivers = types.UniTuple(_pointer(DRIVER), MOST_SEATS)
    _words = types.Array(types.uint64, 1, "C")
    _places = types.Array(types.int64, 2, "C")
    _results = (INT, INT, WORD, _places, NUMBERS, NUMBERS, _words)
    RUN_RACES = types.void(
        _pointer(SET_UP), _pointer(ACTING), _pointer(APPLY), _pointer(OVER), _pointer(RANKING), _pointer(TURN),
        _drivers, BYTES, COMPONENTS, NUMBERS, *_results,
    )  # fmt: skip
    PLAY_RACES = types.void(
        _pointer(SET_UP), _pointer(PLAYOUT), _pointer(RANKING), _pointer(TURN),
        BYTES, COMPONENTS, NUMBERS, *_results,
    )  # fmt: skip
    DRIVE = INT(_pointer(ACTING), _pointer(APPLY), _pointer(OVER), _drivers, BYTES, COMPONENTS, DICE)
    COPY_RACE = types.void(BYTES, BYTES, INT)
    HASH_RACE = WORD(BYTES)


@kernel
def drive_to_the_end(acting, apply, over, drivers, race, edition, dice):
    """Let the drivers finish the race; returns the number of choices they made, or -1 if it never ends."""
    plan = np.zeros(PLAN, np.int64)
    nobody = silence()
    choices = 0
    while not over(race, edition):
        seat = lowest_bit(acting(race, edition))
        status = STEP
        while status == STEP:
            steps = drivers[seat](race, edition, seat, dice, plan)
            for i in range(steps):
                status = apply(race, edition, seat, plan[i], nobody)
        choices += 1
        if choices > CHOICE_LIMIT:
            return -1
    return choices


@entry(DRIVE)
def drive(acting, apply, over, drivers, race, edition, dice):
    """`drive_to_the_end` for one race, from Python."""
    return drive_to_the_end(acting, apply, over, drivers, race, edition, dice)


@kernel
def driver_dice(dice, seed):
    """The drivers of a race have dice of their own: they never touch the race's."""
    seed_dice(dice, seed ^ _DRIVERS_SALT)


@kernel
def begin_race(set_up, race, edition, options, seed, dice):
    """Set a race up by its seed; `dice` become those of its drivers."""
    seed_dice(dice, seed)
    set_up(race, edition, options, dice)
    driver_dice(dice, seed)


@entry(RUN_RACES)
def run_races(
    set_up, acting, apply, over, ranking, turn, drivers, race, edition, options,
    first, count, seed, places, turns, choices, hashes,
):  # fmt: skip
    """Races `first` to `first + count - 1` of a simulation, each seat with the driver of its number."""
    dice = np.zeros(4, np.uint64)
    for i in range(count):
        begin_race(set_up, race, edition, options, nth_seed(seed, first + i), dice)
        choices[i] = drive_to_the_end(acting, apply, over, drivers, race, edition, dice)
        turns[i] = turn(race, edition)
        ranking(race, edition, places[i])
        hashes[i] = digest(race)


@entry(PLAY_RACES)
def play_races(
    set_up, playout, ranking, turn, race, edition, options,
    first, count, seed, places, turns, choices, hashes,
):  # fmt: skip
    """The same with the random driver in every seat, through the game's fast playout."""
    dice = np.zeros(4, np.uint64)
    for i in range(count):
        begin_race(set_up, race, edition, options, nth_seed(seed, first + i), dice)
        choices[i] = playout(race, edition, dice)
        turns[i] = turn(race, edition)
        ranking(race, edition, places[i])
        hashes[i] = digest(race)


@entry(COPY_RACE)
def copy_race(source, target, times):
    """Copy a race over and over: what a copy costs inside the kernel."""
    words, copies = source.view(np.uint64), target.view(np.uint64)
    for i in range(times):
        words[0] = np.uint64(i)
        for word in range(len(words)):
            copies[word] = words[word]


@entry(HASH_RACE)
def hash_race(race):
    """`digest`, from Python."""
    return digest(race)
