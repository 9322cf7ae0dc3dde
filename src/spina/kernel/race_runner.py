"""Whole races inside the kernel, for any game and any drivers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spina.kernel.bits import lowest_bit
from spina.kernel.compiler import entry, kernel
from spina.kernel.digest import digest
from spina.kernel.interface import PLAN, STEP, driver_at, unpack_rules
from spina.kernel.narration import silence
from spina.kernel.random import nth_seed, seed_dice, word
from spina.kernel.signatures import ADDRESSES, BYTES, COMPONENTS, INT, NUMBERS, VOID, WORD, Array, Record

MOST_SEATS = 12
CHOICE_LIMIT = 1_000_000
"""A race with more choices than this counts as endless; simulations abandon it."""

_DRIVERS_SALT = 0xD1CE


class RaceRange(NamedTuple):
    """Which races of a simulation a kernel runs."""

    first: int
    """Number of the first race."""
    size: int
    seed: np.uint64
    """Of the whole simulation: each race has its own seed, made from this one and its number."""


class RaceResults(NamedTuple):
    """Arrays that a kernel fills with one row for each race."""

    places: Any
    """By seat: 1 for the winner."""
    turns: Any
    choices: Any
    """Complete choices of all seats; -1 if the race does not end."""
    hashes: Any
    """Of the final states."""


RACE_RANGE = Record(RaceRange, (INT, INT, WORD))
_RESULTS = Record(RaceResults, (Array(INT, 2), NUMBERS, NUMBERS, Array(WORD)))
RUN_RACES = VOID(ADDRESSES, ADDRESSES, BYTES, COMPONENTS, NUMBERS, RACE_RANGE, _RESULTS)
PLAY_RACES = VOID(ADDRESSES, BYTES, COMPONENTS, NUMBERS, RACE_RANGE, _RESULTS)
HASH_RACE = WORD(BYTES)


@kernel
def drive_to_the_end(rules, drivers, race, edition, dice):
    """Let the drivers finish the race; returns the number of choices they made, or -1 if it does not end."""
    plan = np.zeros(PLAN, np.int64)
    nobody = silence()
    choices = 0
    while not rules.over(race, edition):
        seat = lowest_bit(rules.acting(race, edition))
        driver = driver_at(drivers, seat)
        status = STEP
        while status == STEP:
            steps = driver(race, edition, seat, dice, plan)
            for i in range(steps):
                status = rules.apply(race, edition, seat, plan[i], nobody)
        choices += 1
        if choices > CHOICE_LIMIT:
            return -1
    return choices


@kernel
def driver_dice(dice, seed):
    """Seed the generator of a race's drivers, who never draw from the race's own."""
    seed_dice(dice, word(seed) ^ word(_DRIVERS_SALT))


@kernel
def begin_race(rules, race, edition, options, seed, dice):
    """Set up a race by its seed, and seed `dice` for its drivers."""
    seed_dice(dice, seed)
    rules.set_up(race, edition, options, dice)
    driver_dice(dice, seed)


@kernel
def note_result(rules, race, edition, results, i):
    """Write the results of finished race number i."""
    results.turns[i] = rules.turn(race, edition)
    rules.ranking(race, edition, results.places[i])
    results.hashes[i] = digest(race)


@entry(RUN_RACES)
def run_races(rules_addresses, drivers, race, edition, options, races, results):
    """Run the races of a simulation, seat s with driver s."""
    rules = unpack_rules(rules_addresses)
    dice = np.zeros(4, np.uint64)
    for i in range(races.size):
        begin_race(rules, race, edition, options, nth_seed(races.seed, races.first + i), dice)
        results.choices[i] = drive_to_the_end(rules, drivers, race, edition, dice)
        note_result(rules, race, edition, results, i)


@entry(PLAY_RACES)
def play_races(rules_addresses, race, edition, options, races, results):
    """Run the races of a simulation with the random driver in every seat, through the game's fast playout."""
    rules = unpack_rules(rules_addresses)
    dice = np.zeros(4, np.uint64)
    for i in range(races.size):
        begin_race(rules, race, edition, options, nth_seed(races.seed, races.first + i), dice)
        results.choices[i] = rules.playout(race, edition, dice)
        note_result(rules, race, edition, results, i)


@entry(HASH_RACE)
def hash_race(race):
    """`digest`, from Python."""
    return digest(race)
