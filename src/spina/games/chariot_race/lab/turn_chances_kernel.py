"""Races whose turns become examples for the network of `bots/turn_chances.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariot_race.bots.expected_value import next_number
from spina.games.chariot_race.bots.turn_chances import (
    CHANCES,
    INPUTS,
    T_WRECKED,
    rounds_from,
    tell_fixed,
    tell_place,
    tell_rounds,
    tell_state,
)
from spina.games.chariot_race.rules.entries import act, prepare
from spina.games.chariot_race.rules.legal_actions import random_action
from spina.games.chariot_race.rules.record import ACTIONS, CHARIOTS, EDITION, RACE
from spina.games.chariot_race.rules.turns import seat_place
from spina.kernel.compiler import entry, kernel
from spina.kernel.interface import PLAN, driver_at
from spina.kernel.narration import silence
from spina.kernel.race_runner import RACE_RANGE, driver_dice
from spina.kernel.random import below, nth_seed, seed_dice
from spina.kernel.record import fields
from spina.kernel.signatures import ADDRESSES, BYTES, COMPONENTS, INT, NUMBERS, REAL, Array

if TYPE_CHECKING:
    from spina.games.chariot_race.rules.record_types import EditionRecord, RaceRecord

MOST_TURNS = 1024
"""Most turns of one race that become examples."""
EPSILON = 150
"""Choices in a thousand that are random, in the first rounds."""
RANDOM_ROUNDS = 8
"""Races begin with fewer rounds of random choices than this; the turns after them become examples."""
RECORD_TURNS = INT(ADDRESSES, BYTES, COMPONENTS, NUMBERS, RACE_RANGE, Array(REAL, 2), Array(REAL))


@kernel
def describe(race: RaceRecord, edition: EditionRecord, chariot, chances):
    """Write the inputs of a chariot at the end of its turn."""
    tell_fixed(race, edition, chariot, chances)
    if race.wrecked[chariot]:
        chances.input[T_WRECKED] = 1.0
        return
    rest, lap, speed = race.space[chariot], race.lap[chariot], race.speed[chariot]
    left, fate = race.condition[chariot], race.fate[chariot]
    number, gap = next_number(edition, rest)
    tell_place(race, edition, chariot, rest, lap, number, gap, chances)
    tell_state(edition, race.kind[chariot], speed, left, number, gap, chances.input)
    rounds = rounds_from(race, edition, chariot, lap, rest, speed, left, fate)
    tell_rounds(rounds, fate, chances.best, chances.input)


@kernel
def as_of_the_turn(race: RaceRecord, former: RaceRecord):
    """Let the order of the round be that of the turn which has ended."""
    race.at = former.at
    for i in range(CHARIOTS):
        race.order[i] = former.order[i]


@kernel
def keep(race: RaceRecord, edition: EditionRecord, former: RaceRecord, rooms, out):
    """Write the inputs after the turn that `former` was in."""
    as_of_the_turn(race, former)
    describe(race, edition, former.chariot, rooms[0])
    for i in range(INPUTS):
        out[i] = rooms[0].input[i]


@entry(RECORD_TURNS)
def record_turns(drivers, race_bytes, edition_bytes, options, races, inputs, won):
    """Run races of the driver; write the inputs after their turns, and whether the seat won; returns their number."""
    driver = driver_at(drivers, 0)
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    before, after, rooms = race_bytes.copy(), race_bytes.copy(), np.empty(1, CHANCES)
    former, later = fields(before, RACE), fields(after, RACE)
    dice, menu, plan = np.zeros(4, np.uint64), np.zeros(ACTIONS, np.int64), np.zeros(PLAN, np.int64)
    seats, nobody, used = np.zeros(MOST_TURNS, np.int64), silence(), 0
    for number in range(races.first, races.first + races.size):
        seed_dice(dice, nth_seed(races.seed, number))
        race_bytes[:] = 0
        prepare(race, edition, options, dice)
        driver_dice(dice, nth_seed(races.seed, number))
        random_rounds, first = below(dice, RANDOM_ROUNDS), used
        while not race.over and used < len(won) and used - first < MOST_TURNS:
            before[:] = race_bytes
            seat = race.seat[race.chariot]
            if race.rounds <= random_rounds and below(dice, 1000) < EPSILON:
                plan[0] = random_action(race, edition, menu, dice)
            else:
                driver(race_bytes, edition_bytes, seat, dice, plan)
            act(race, edition, plan[0], nobody)
            if former.rounds <= random_rounds:
                continue
            if race.over or race.chariot != former.chariot or race.rounds != former.rounds:
                after[:] = race_bytes
                if race.chariots > race.seats or not later.wrecked[former.chariot]:
                    keep(later, edition, former, rooms, inputs[used])
                    seats[used - first] = seat
                    used += 1
        if not race.over:
            return first
        winners = 0
        for seat in range(race.seats):
            winners += seat_place(race, edition, seat) == 1
        for i in range(first, used):
            won[i] = 1.0 / winners if seat_place(race, edition, seats[i - first]) == 1 else 0.0
    return used
