"""The compiled part of a batch: many races of one format, each one step further in one call."""

from __future__ import annotations

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np

from spina.kernel.bits import lowest_bit
from spina.kernel.compiler import entry, kernel
from spina.kernel.function_pointers import record_of
from spina.kernel.interface import PLAN, RULES_SIGNATURES, STEP, Rules, driver_at
from spina.kernel.narration import silence
from spina.kernel.observation import DESCRIBE, OBSERVE, SINGLE
from spina.kernel.race_runner import begin_race
from spina.kernel.random import below, mix, nth_seed, seed_dice, word
from spina.kernel.record import whole
from spina.kernel.shared_counter import claim
from spina.kernel.signatures import ADDRESSES, COMPONENTS, DICE, INT, NUMBERS, REAL, VOID, WORD, Array, Number, Record

ILLEGAL, WAITS = -1, -2
"""What stands for the kernel's number of an action that is not possible, and of a seat that owes no choice."""
_LOTS_SALT, _SHIFT_SALT = 0x107, 0x5817F7

BatchFunctions = namedtuple("BatchFunctions", (*Rules._fields, "observe", "describe"))  # type: ignore[misc]
"""What a batch calls of a game: its rules, and the kernels of its encoding."""
BATCH_SIGNATURES = (*RULES_SIGNATURES, OBSERVE, DESCRIBE)
unpack_functions = record_of(BatchFunctions, BATCH_SIGNATURES)


class BatchSetup(NamedTuple):
    """What all races of a batch have in common."""

    edition: Any
    options: Any
    """The game's options for the kernel, the number of seats first."""
    seed: np.uint64
    """Race number n has seed n of SplitMix64, as in a simulation."""
    drivers: Any
    """By seat: the address of its driver, also for learned seats, where it is not used."""
    blind: Any
    """By seat: 1 if what its seat cannot see changes nothing for the driver (`Game.blind_drivers`)."""
    columns: Any
    """By seat: its column of `rewards`; -1 for a seat that a driver has."""
    rewards: Any
    """In row p and column n: the reward of a seat at place p + 1 that n + 1 seats share."""
    lost: float
    """The reward of an illegal action."""
    longest_menu: int
    lists_all: int
    """1 if the actions of the learner are the kernel's numbers; 0 if they are entries of the menu."""
    together: int
    """1 if all learned seats act in every step, each in its own row; 0 if one does, in the only row of the race."""
    rotates: int
    """1 if learned seats and drivers are shifted by a random number of seats in every race."""
    describes: int
    """1 if menus are described."""
    keeps_final: int
    """1 if the last observations of a race are kept when it ends."""


class BatchArrays(NamedTuple):
    """One element for each race; a row is what one learned seat of a race sees and does."""

    races: Any
    """Their records, as bytes."""
    numbers: Any
    """The number of the race that will follow."""
    seeds: Any
    dice: Any
    """Of the drivers."""
    lots: Any
    """Dice for random actions of learners."""
    learned: Any
    """The learned seats, as bits."""
    shifts: Any
    """By how many seats learned seats and drivers are shifted."""
    seats: Any
    """By race and row: its seat."""
    agents: Any
    """By race and row: the column of `rewards` of its seat."""
    counts: Any
    """By race and row: how many actions are possible."""
    codes: Any
    """By race and row: the kernel's numbers of the entries of the menu; empty where `lists_all`."""
    observations: Any
    masks: Any
    menus: Any
    rewards: Any
    """By race and learned seat."""
    ends: Any
    """1 if the race has ended in this step; the next one has begun already."""
    illegal: Any
    """The columns of `rewards` whose illegal actions have ended the race, as bits."""
    places: Any
    """By race and learned seat: the place in the race that has ended; 0 if none has ended."""
    final: Any
    """By race and learned seat: the last observation of the race that has ended."""


_BYTE = Number("uint8")
_SETUP = Record(
    BatchSetup,
    (COMPONENTS, NUMBERS, WORD, ADDRESSES, NUMBERS, NUMBERS, Array(REAL, 2), REAL, INT, INT, INT, INT, INT, INT),
)
_ARRAYS = Record(
    BatchArrays,
    (
        Array(_BYTE, 2), NUMBERS, DICE, Array(WORD, 2), Array(WORD, 2), NUMBERS, NUMBERS, Array(INT, 2), Array(INT, 2),
        Array(INT, 2), Array(INT, 3), Array(SINGLE, 3), Array(_BYTE, 3), Array(SINGLE, 4), Array(SINGLE, 2),
        Array(_BYTE), NUMBERS, Array(INT, 2), Array(SINGLE, 3),
    ),
)  # fmt: skip
BEGIN_RACES = VOID(ADDRESSES, _SETUP, _ARRAYS, NUMBERS, INT, INT)
STEP_RACES = VOID(ADDRESSES, _SETUP, _ARRAYS, NUMBERS, INT, Array(INT, 2), INT)
FIND_ILLEGAL = INT(ADDRESSES, _SETUP, _ARRAYS, Array(INT, 2))
DRAW_ACTIONS = VOID(_SETUP, _ARRAYS, NUMBERS, INT, Array(INT, 2))


# --- a race ---------------------------------------------------------------------------------------------------------


@kernel
def begin(game, setup, arrays, i):
    """Set up race i by its seed; decide which of its seats are learned."""
    seats, seed = len(setup.columns), arrays.seeds[i]
    begin_race(game, arrays.races[i], setup.edition, setup.options, seed, arrays.dice[i])
    shift = whole(mix(word(seed) ^ word(_SHIFT_SALT)) % word(seats)) if setup.rotates else 0
    arrays.shifts[i] = shift
    learned = 0
    for seat in range(seats):
        column = setup.columns[seat]
        if column >= 0:
            at = (seat + shift) % seats
            learned |= 1 << at
            if setup.together:
                arrays.seats[i, column] = at
                arrays.agents[i, column] = column
    arrays.learned[i] = learned


@kernel
def begin_next(game, setup, arrays, i):
    """Begin the race that follows race i; its number is that of no other race of the batch."""
    arrays.seeds[i] = nth_seed(setup.seed, arrays.numbers[i])
    arrays.numbers[i] += len(arrays.numbers)
    begin(game, setup, arrays, i)


@kernel
def drive_on(game, setup, arrays, i, seen, plan):
    """Let the drivers of race i act until a learned seat owes a choice or the race is over; returns who owes one.

    A driver is given only what its seat can see, unless it is blind to the rest.
    """
    race, edition, silent = arrays.races[i], setup.edition, silence()
    acting = game.acting(race, edition)
    while acting and not acting & arrays.learned[i]:
        seat = lowest_bit(acting)
        own = (seat - arrays.shifts[i]) % len(setup.columns)
        driver = driver_at(setup.drivers, own)
        if setup.blind[own]:
            steps = driver(race, edition, seat, arrays.dice[i], plan)
        else:
            for byte in range(len(race)):
                seen[byte] = race[byte]
            game.determinize(seen, edition, seat, word(0))
            steps = driver(seen, edition, seat, arrays.dice[i], plan)
        status = STEP
        for k in range(steps):
            status = game.apply(race, edition, seat, plan[k], silent)
        if status != STEP:  # else the same seat goes on
            acting = game.acting(race, edition)
    return acting


@kernel
def code_of(game, setup, arrays, i, k, action):
    """The kernel's number of an action in row k of race i, ILLEGAL, or WAITS."""
    if arrays.counts[i, k] == 0:
        return WAITS if action == arrays.masks.shape[2] - 1 else ILLEGAL
    if setup.lists_all:
        seat = arrays.seats[i, k]
        return ILLEGAL if game.check(arrays.races[i], setup.edition, seat, action) else action
    return arrays.codes[i, k, action] if 0 <= action < arrays.counts[i, k] else ILLEGAL


@kernel
def act(game, setup, arrays, i, actions, codes):
    """Take the actions of race i, unless one of them is illegal; returns the columns of those that are, as bits.

    All are checked against the same position before any is taken.
    """
    rows, illegal, silent = arrays.seats.shape[1], 0, silence()
    for k in range(rows):
        codes[k] = code_of(game, setup, arrays, i, k, actions[i, k])
        if codes[k] == ILLEGAL:
            illegal |= 1 << arrays.agents[i, k]
    if not illegal:
        for k in range(rows):
            if codes[k] != WAITS:
                game.apply(arrays.races[i], setup.edition, arrays.seats[i, k], codes[k], silent)
    return illegal


@kernel
def end(game, setup, arrays, i, illegal, places):
    """Write what the end of race i is worth, and what its learned seats see last."""
    race, seats = arrays.races[i], len(setup.columns)
    arrays.ends[i] = 1
    arrays.illegal[i] = illegal
    if not illegal:
        game.ranking(race, setup.edition, places)
    for seat in range(seats):
        column = setup.columns[(seat - arrays.shifts[i]) % seats]
        if column < 0:
            continue
        if illegal:
            arrays.rewards[i, column] = setup.lost if illegal >> column & 1 else 0.0
        else:
            shared = -1
            for other in range(seats):
                shared += places[other] == places[seat]
            arrays.places[i, column] = places[seat]
            arrays.rewards[i, column] = setup.rewards[places[seat] - 1, shared]
        if setup.keeps_final:
            arrays.final[i, column, :] = 0.0
            game.observe(race, setup.edition, seat, arrays.final[i, column])


@kernel
def show(game, setup, arrays, i, acting, listed):
    """Write what the learned seats of race i see and may do."""
    race, edition = arrays.races[i], setup.edition
    if not setup.together:
        seat = lowest_bit(acting & arrays.learned[i])
        arrays.seats[i, 0] = seat
        arrays.agents[i, 0] = setup.columns[(seat - arrays.shifts[i]) % len(setup.columns)]
    for k in range(arrays.seats.shape[1]):
        seat = arrays.seats[i, k]
        arrays.observations[i, k, :] = 0.0
        game.observe(race, edition, seat, arrays.observations[i, k])
        arrays.masks[i, k, :] = 0
        before, count = arrays.counts[i, k], 0
        if not acting >> seat & 1:
            arrays.masks[i, k, arrays.masks.shape[2] - 1] = 1
        elif setup.lists_all:
            count = game.legal(race, edition, seat, listed)
            for n in range(count):
                arrays.masks[i, k, listed[n]] = 1
        else:
            count = game.legal(race, edition, seat, arrays.codes[i, k])
            arrays.masks[i, k, :count] = 1
        if setup.describes:
            arrays.menus[i, k, :before] = 0.0
            game.describe(race, edition, seat, arrays.codes[i, k], count, arrays.menus[i, k])
        arrays.counts[i, k] = count


@kernel
def draw(setup, arrays, i, actions):
    """Draw a possible action for each row of race i, each with the same probability."""
    for k in range(arrays.seats.shape[1]):
        count, action = arrays.counts[i, k], arrays.masks.shape[2] - 1
        if count > 0:
            action = below(arrays.lots[i], count)
            if setup.lists_all:
                action = nth_possible(arrays.masks[i, k], action)
        actions[i, k] = action


@kernel
def nth_possible(mask, n):
    """The n-th action of a mask, counted from 0; the last of the mask if there are fewer."""
    for action in range(len(mask)):
        if mask[action]:
            if n == 0:
                return action
            n -= 1
    return len(mask) - 1


# --- all races ------------------------------------------------------------------------------------------------------
# Threads call the same entry at the same time, and each takes the next races, `block` at once, until none is left.


@entry(BEGIN_RACES)
def begin_races(functions, setup, arrays, taken, block, are_given):
    """Begin races: with the seeds in the array if they are given, else with those that follow from the batch's."""
    game = unpack_functions(functions)
    seen, plan = np.zeros(arrays.races.shape[1], np.uint8), np.zeros(PLAN, np.int64)
    listed = np.zeros(setup.longest_menu, np.int64)
    races = len(arrays.seeds)
    first = claim(taken, block)
    while first < races:
        for i in range(first, min(first + block, races)):
            if are_given:
                begin(game, setup, arrays, i)
            else:
                begin_next(game, setup, arrays, i)
            seed_dice(arrays.lots[i], word(arrays.seeds[i]) ^ word(_LOTS_SALT))
            show(game, setup, arrays, i, drive_on(game, setup, arrays, i, seen, plan), listed)
        first = claim(taken, block)


@entry(STEP_RACES)
def step_races(functions, setup, arrays, taken, block, actions, draws):
    """Take the learners' actions, let drivers act, begin the next race where one has ended, and write all arrays.

    With `draws` the actions are then overwritten by random ones for the next step.
    """
    game = unpack_functions(functions)
    seats = len(setup.columns)
    seen, plan = np.zeros(arrays.races.shape[1], np.uint8), np.zeros(PLAN, np.int64)
    listed = np.zeros(setup.longest_menu, np.int64)
    codes, places = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
    races = len(arrays.seeds)
    first = claim(taken, block)
    while first < races:
        for i in range(first, min(first + block, races)):
            if arrays.ends[i]:
                arrays.ends[i] = 0
                arrays.illegal[i] = 0
                arrays.rewards[i, :] = 0.0
                arrays.places[i, :] = 0
            illegal = act(game, setup, arrays, i, actions, codes)
            acting = 0 if illegal else drive_on(game, setup, arrays, i, seen, plan)
            if not acting:
                end(game, setup, arrays, i, illegal, places)
                begin_next(game, setup, arrays, i)
                acting = drive_on(game, setup, arrays, i, seen, plan)
            show(game, setup, arrays, i, acting, listed)
            if draws:
                draw(setup, arrays, i, actions)
        first = claim(taken, block)


@entry(DRAW_ACTIONS)
def draw_actions(setup, arrays, taken, block, actions):
    """Draw a possible action for every row, each with the same probability."""
    races = len(arrays.seeds)
    first = claim(taken, block)
    while first < races:
        for i in range(first, min(first + block, races)):
            draw(setup, arrays, i, actions)
        first = claim(taken, block)


@entry(FIND_ILLEGAL)
def find_illegal(functions, setup, arrays, actions):
    """The first row whose action is illegal, counted through all races, or -1."""
    game = unpack_functions(functions)
    rows = arrays.seats.shape[1]
    for i in range(len(arrays.seeds)):
        for k in range(rows):
            if code_of(game, setup, arrays, i, k, actions[i, k]) == ILLEGAL:
                return i * rows + k
    return -1


@entry(DESCRIBE)
def describe_nothing(race, edition, seat, codes, count, out):
    """The description of menus in games whose actions need none."""
