"""A chariot alone on the track: the exact minimum of the expected number of rounds, by dynamic programming.

The state at the start of a turn is lap, space, speed, condition and fate. Each step leads to a front further along, so
spaces are solved from the line backwards, lap by lap. Only standing still leads back to the same space, always with
speed 0, so these states are iterated until their values converge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from spina.games.chariot_race.bots.dice_sets import (
    FIRST,
    SETS,
    SHOWING,
    before_rolling,
    buy,
    chances,
    look_ahead,
    odds_of_rolls,
    turnings,
)
from spina.games.chariot_race.bots.driver_weights import LAP_SPACES, W_ALONE, W_WRECK, WEIGHTS, Valuation
from spina.games.chariot_race.bots.drivers import decide_by
from spina.games.chariot_race.rules.dice_roll import (
    fate_after,
    initial_speed,
    is_repairable,
    repaired,
    speed_after,
)
from spina.games.chariot_race.rules.entries import act, prepare
from spina.games.chariot_race.rules.movement import corner_damage, heap_on
from spina.games.chariot_race.rules.record import (
    AT_ATTACK,
    BEFORE_LINE,
    CHANGE,
    DICE,
    DO_NO_ATTACK,
    EDITION,
    FORTUNA,
    NOTHING,
    OPT_SEATS,
    OPT_SIDE_1,
    OPT_SIDE_2,
    OPTIONS,
    RACE,
    SIDES,
    SPACES,
    SPRINT,
    STEER,
    WAYS,
)
from spina.kernel.compiler import entry, kernel
from spina.kernel.narration import silence
from spina.kernel.random import nth_seed, seed_dice
from spina.kernel.signatures import BYTES, COMPONENTS, INT, NUMBERS, REAL, VOID, WORD, Array, Number

if TYPE_CHECKING:
    from spina.games.chariot_race.rules.record_types import EditionRecord

SOLVE = REAL(COMPONENTS, INT, NUMBERS, REAL, REAL, Array(REAL, 5))
PLAY = VOID(BYTES, COMPONENTS, INT, NUMBERS, Array(Number("int16")), REAL, WORD, NUMBERS)

FAR = 99
"""Damage on the way to a space that cannot be reached: more than any chariot can take."""
STILL = 1e-12
"""Standing still is solved when no value changes by more than this."""


class Task(NamedTuple):
    """What is to be solved."""

    kind: Any
    """Kind of the chariot."""
    sides: Any
    """Side that each half board shows: 1 is B."""
    lost: Any
    """Rounds that a wreck counts for."""
    credit: Any
    """Rounds that each space beyond the line at the finish is worth."""


class Rolls(NamedTuple):
    """The dice: their probabilities, and the tables of `dice_sets.py`, by fate."""

    chance: Any
    odds: Any
    hope: Any
    best: Any
    turned: Any


class Tables(NamedTuple):
    """The values computed so far; `ends` and `rolling` are negative rounds, so that higher is better."""

    values: Any
    """Expected rounds by lap + 1, space, speed, condition and fate at the start of a turn."""
    ends: Any
    """Best end of a move from the current space, by speed, lane changes, condition and fate."""
    rolling: Any
    """A turn from the current space before its dice are rolled, by speed, condition and fate."""


@kernel
def spread_alone(edition: EditionRecord, sides, start, speed, least):
    """Write the least damage on the way to each space that this many steps reach, by most lane changes used."""
    here = np.full((DICE + 1, SPACES), FAR)
    least[:] = FAR
    least[0, start] = 0
    for _ in range(speed):
        here[:] = least
        least[:] = FAR
        for used in range(DICE + 1):
            for space in range(edition.spaces):
                if here[used, space] == FAR:
                    continue
                for way in range(WAYS):
                    then = edition.next[space, way]
                    steers = used + (1 if way else 0)
                    if then == NOTHING or steers > DICE or heap_on(edition, sides, then):
                        continue
                    damage = here[used, space] + corner_damage(edition, then, speed)
                    least[steers, then] = min(least[steers, then], damage)
    for used in range(1, DICE + 1):  # a steer die need not be used
        for space in range(edition.spaces):
            least[used, space] = min(least[used, space], least[used - 1, space])


@kernel
def fill_ends(edition: EditionRecord, task, tables, lap, start, speed, least):
    """Write the values of the best end of a move at this speed, by lane changes, condition before it, and fate."""
    values, ends = tables.values, tables.ends
    conditions, fates = ends.shape[2], ends.shape[3]
    ends[speed] = -1.0 - task.lost
    for steers in range(DICE + 1):
        for space in range(edition.spaces):
            damage = least[steers, space]
            if damage == FAR:
                continue
            then = lap + (1 if speed > 0 and edition.front[space] < edition.front[start] else 0)
            for condition in range(damage + 1, conditions):
                for fate in range(fates):
                    rounds = -task.credit * edition.front[space] * LAP_SPACES / edition.length
                    if then < edition.laps:
                        rounds = values[then + 1, space, speed, condition - damage, fate]
                    ends[speed, steers, condition, fate] = max(ends[speed, steers, condition, fate], -1.0 - rounds)


@kernel
def worth_of_set(edition: EditionRecord, task, i, speed, condition, fate, ends):
    """Value of keeping this set of dice, with the best signs and the best way."""
    kind, lost = task.kind, task.lost
    changes, sprints = SHOWING[i, CHANGE], SHOWING[i, SPRINT]
    left = condition - edition.sprint_damage * sprints
    if left <= 0:
        return -1.0 - lost
    gift = fate_after(edition, kind, fate, SHOWING[i, FORTUNA])
    most = -1.0 - lost
    for plus in range(changes + 1):
        then = speed_after(edition, kind, speed, changes, plus, sprints)
        most = max(most, ends[then, SHOWING[i, STEER], left, gift])
    return most


@kernel
def solve_rolling(edition: EditionRecord, task, rolls, tables, speed, condition):
    """Write the values of a turn before its dice are rolled, at this speed and condition, for each fate."""
    dice = edition.dice_at[task.kind, speed]
    hope, best, turned = rolls.hope, rolls.best, rolls.turned
    for fate in range(tables.rolling.shape[2]):
        before = fate - edition.fortune_cost
        for i in range(FIRST[dice], FIRST[dice + 1]):
            hope[fate, i] = worth_of_set(edition, task, i, speed, condition, fate, tables.ends)
        if before >= 0:
            buy(dice, best[before], turned[before], hope[fate])
        look_ahead(rolls.chance, dice, hope[fate], best[fate])
        turnings(dice, hope[fate], turned[fate])
        tables.rolling[speed, condition, fate] = before_rolling(dice, rolls.odds, best[fate])


@kernel
def settle_start(edition: EditionRecord, kind, tables, lap, space, speed):
    """Write the values at the start of a turn: repair or not, initial speed. Returns the greatest change of a value."""
    values, rolling = tables.values, tables.rolling
    change = 0.0
    for condition in range(1, rolling.shape[1]):
        for fate in range(rolling.shape[2]):
            most = rolling[initial_speed(edition, kind, speed, condition), condition, fate]
            if is_repairable(edition, kind, condition, fate):
                mended = repaired(edition, kind, condition)
                then = initial_speed(edition, kind, speed, mended)
                most = max(most, rolling[then, mended, fate - edition.repair_cost])
            change = max(change, abs(values[lap + 1, space, speed, condition, fate] + most))
            values[lap + 1, space, speed, condition, fate] = -most
    return change


@kernel
def solve_space(edition: EditionRecord, task, rolls, tables, lap, space):
    """Solve all states of one space; spaces further along are solved already. Returns the last change of a value."""
    kind = task.kind
    least = np.full((DICE + 1, SPACES), FAR)
    for speed in range(1, edition.most_speed[kind] + 1):
        spread_alone(edition, task.sides, space, speed, least)
        fill_ends(edition, task, tables, lap, space, speed, least)
    spread_alone(edition, task.sides, space, 0, least)
    conditions = tables.rolling.shape[1]
    change = 1.0
    while change > STILL:
        fill_ends(edition, task, tables, lap, space, 0, least)
        for condition in range(1, conditions):
            solve_rolling(edition, task, rolls, tables, 0, condition)
        change = settle_start(edition, kind, tables, lap, space, 0)
    for speed in range(1, edition.most_speed[kind] + 1):
        for condition in range(1, conditions):
            if speed <= edition.speed_limit[kind, condition]:
                solve_rolling(edition, task, rolls, tables, speed, condition)
    for speed in range(1, edition.most_speed[kind] + 1):
        settle_start(edition, kind, tables, lap, space, speed)
    return change


@entry(SOLVE)
def solve(components, kind, sides, lost, credit, values):
    """Write the expected rounds to the finish for each state to values[lap + 1, space, speed, condition, fate].

    A wreck counts for `lost` rounds. Each space beyond the line at the finish gains `credit` rounds, a lap being
    LAP_SPACES long. Before the line, in lap -1, only the spaces from the rear row of the grid on are solved.
    """
    edition = components.view(EDITION)[0]
    speeds, conditions, fates = values.shape[2], values.shape[3], values.shape[4]
    chance, odds = np.zeros(SIDES), np.zeros(SETS)
    chances(edition, chance)
    odds_of_rolls(chance, odds)
    task = Task(kind, sides, lost, credit)
    rolls = Rolls(chance, odds, np.zeros((fates, SETS)), np.zeros((fates, SETS)), np.zeros((fates, SETS)))
    ends, rolling = np.zeros((speeds, DICE + 1, conditions, fates)), np.zeros((speeds, conditions, fates))
    tables = Tables(values, ends, rolling)
    rear = edition.length
    for place in edition.grid:
        rear = min(rear, edition.front[place])
    change = 0.0
    order = np.argsort(-edition.front[: edition.spaces])
    for lap in range(edition.laps - 1, BEFORE_LINE - 1, -1):
        for space in order:
            if heap_on(edition, sides, space):
                continue
            if lap >= 0 or edition.front[space] >= rear:
                change = max(change, solve_space(edition, task, rolls, tables, lap, space))
    return change


# --- driving by the solution ----------------------------------------------------------------------------------------


@entry(PLAY)
def play(race_bytes, components, place, sides, table, lost, seed, rounds):
    """Race alone from a starting place, with the choices of the solution; the rounds of a wreck are negative."""
    race, edition = race_bytes.view(RACE)[0], components.view(EDITION)[0]
    weights = np.zeros(WEIGHTS)
    weights[W_ALONE] = 1.0
    weights[W_WRECK] = lost
    valuation = Valuation(table, weights)
    options = np.zeros(OPTIONS, np.int64)
    options[OPT_SEATS], options[OPT_SIDE_1], options[OPT_SIDE_2] = 1, sides[0], sides[1]
    nobody, dice = silence(), np.zeros(4, np.uint64)
    for i in range(len(rounds)):
        race_bytes[:] = 0
        seed_dice(dice, nth_seed(seed, i))
        prepare(race, edition, options, dice)
        race.space[0] = edition.grid[place]
        race.began = race.space[0]
        while not race.over:
            action = DO_NO_ATTACK if race.stage == AT_ATTACK else decide_by(race, edition, valuation)
            act(race, edition, action, nobody)
        rounds[i] = -race.rounds if race.wrecked[0] else race.rounds
