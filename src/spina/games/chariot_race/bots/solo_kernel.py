"""A chariot alone on the track: the fewest rounds that it can expect to need, exactly.

The state at the start of a turn is lap, space, speed, condition and fate. A step always leads to a front further
along, so spaces are solved from the line backwards, lap by lap; only standing still leads back to the same space, and
always with speed 0, so that those states are repeated until nothing changes any more.
"""

from __future__ import annotations

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
from spina.games.chariot_race.bots.driver_weights import W_ALONE, W_WRECK, WEIGHTS
from spina.games.chariot_race.bots.drivers import decide_by
from spina.games.chariot_race.rules.entries import act, prepare
from spina.games.chariot_race.rules.record import (
    AT_ATTACK,
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
from spina.kernel.compiler import INTERPRETED, entry, kernel
from spina.kernel.narration import silence
from spina.kernel.random import nth_seed, seed_dice

if INTERPRETED:
    SOLVE = PLAY = None
else:
    from numba import types

    from spina.kernel.interface import BYTES, COMPONENTS, INT, NUMBERS, WORD

    SOLVE = types.float64(COMPONENTS, INT, NUMBERS, types.float64, types.float64, types.Array(types.float64, 5, "C"))
    PLAY = types.void(BYTES, COMPONENTS, INT, NUMBERS, types.Array(types.int16, 1, "C"), types.float64, WORD, NUMBERS)

FAR = 99
"""More damage than any chariot can bear: a space that is not reached."""
STILL = 1e-12
"""Standing still is solved when no value changes by more than this."""


@kernel
def spread_alone(edition, sides, start, speed, least):
    """The least damage on the way to every space that so many steps reach, by lane changes used, at most."""
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
                    if then == NOTHING or steers > DICE or (edition.heap[then] and sides[edition.half[then]]):
                        continue
                    damage = here[used, space]
                    if edition.number[then] > 0:
                        damage += max(0, speed - edition.number[then])
                    least[steers, then] = min(least[steers, then], damage)
    for used in range(1, DICE + 1):  # a steer die need not be used
        for space in range(edition.spaces):
            least[used, space] = min(least[used, space], least[used - 1, space])


@kernel
def fill_ends(edition, lap, start, speed, least, lost, credit, values, ends):
    """What the best end of a move is worth, by lane changes, condition left for the way, and fate."""
    conditions, fates = ends.shape[2], ends.shape[3]
    ends[speed] = -1.0 - lost
    for steers in range(DICE + 1):
        for space in range(edition.spaces):
            damage = least[steers, space]
            if damage == FAR:
                continue
            then = lap + (1 if speed > 0 and edition.front[space] < edition.front[start] else 0)
            for condition in range(damage + 1, conditions):
                for fate in range(fates):
                    rounds = -credit * edition.front[space] * 32.0 / edition.length
                    if then < edition.laps:
                        rounds = values[then + 1, space, speed, condition - damage, fate]
                    ends[speed, steers, condition, fate] = max(ends[speed, steers, condition, fate], -1.0 - rounds)


@kernel
def worth_of_set(edition, kind, i, speed, condition, fate, lost, ends):
    """What these dice are worth when they lie on the table for good: the best signs, the best way."""
    changes, sprints = SHOWING[i, CHANGE], SHOWING[i, SPRINT]
    left = condition - edition.sprint_damage * sprints
    if left <= 0:
        return -1.0 - lost
    gift = min(edition.most_fate[kind], fate + SHOWING[i, FORTUNA])
    most = -1.0 - lost
    for plus in range(changes + 1):
        total = speed + 2 * plus - changes + edition.sprint_speed * sprints
        then = max(0, min(edition.most_speed[kind], total))
        most = max(most, ends[then, SHOWING[i, STEER], left, gift])
    return most


@kernel
def solve_rolling(edition, kind, speed, condition, lost, ends, chance, odds, hope, best, turned, rolling):
    """What a turn is worth before its dice are rolled, at this speed and condition, for every fate."""
    dice = edition.dice_at[kind, speed]
    for fate in range(rolling.shape[2]):
        before = fate - edition.fortune_cost
        for i in range(FIRST[dice], FIRST[dice + 1]):
            hope[fate, i] = worth_of_set(edition, kind, i, speed, condition, fate, lost, ends)
        if before >= 0:
            buy(dice, best[before], turned[before], hope[fate])
        look_ahead(chance, dice, hope[fate], best[fate])
        turnings(dice, hope[fate], turned[fate])
        rolling[speed, condition, fate] = before_rolling(dice, odds, best[fate])


@kernel
def settle_start(edition, kind, lap, space, speed, rolling, values):
    """Repair or not, and the initial speed that condition allows; returns the greatest change."""
    change = 0.0
    for condition in range(1, rolling.shape[1]):
        for fate in range(rolling.shape[2]):
            most = rolling[min(speed, edition.speed_limit[kind, condition]), condition, fate]
            if condition < edition.most_condition[kind] and fate >= edition.repair_cost:
                mended = min(edition.most_condition[kind], condition + edition.repair_points)
                held = min(speed, edition.speed_limit[kind, mended])
                most = max(most, rolling[held, mended, fate - edition.repair_cost])
            change = max(change, abs(values[lap + 1, space, speed, condition, fate] + most))
            values[lap + 1, space, speed, condition, fate] = -most
    return change


@kernel
def solve_space(
    edition, kind, sides, lap, space, lost, credit, chance, odds, values, ends, rolling, hope, best, turned
):
    """All states of one space; those further along are solved already. Returns the greatest last change."""
    least = np.full((DICE + 1, SPACES), FAR)
    for speed in range(1, edition.most_speed[kind] + 1):
        spread_alone(edition, sides, space, speed, least)
        fill_ends(edition, lap, space, speed, least, lost, credit, values, ends)
    spread_alone(edition, sides, space, 0, least)
    conditions = rolling.shape[1]
    change = 1.0
    while change > STILL:
        fill_ends(edition, lap, space, 0, least, lost, credit, values, ends)
        for condition in range(1, conditions):
            solve_rolling(edition, kind, 0, condition, lost, ends, chance, odds, hope, best, turned, rolling)
        change = settle_start(edition, kind, lap, space, 0, rolling, values)
    for speed in range(1, edition.most_speed[kind] + 1):
        for condition in range(1, conditions):
            if speed <= edition.speed_limit[kind, condition]:
                solve_rolling(edition, kind, speed, condition, lost, ends, chance, odds, hope, best, turned, rolling)
    for speed in range(1, edition.most_speed[kind] + 1):
        settle_start(edition, kind, lap, space, speed, rolling, values)
    return change


@entry(SOLVE)
def solve(components, kind, sides, lost, credit, values):
    """Expected rounds to the finish for every state, a wreck costing `lost` rounds; values[lap + 1, space, speed, ...].

    Every space beyond the line at the finish gains `credit` rounds; as long as a straight space, 32 of them to a lap.
    Before the line, in lap -1, only the spaces of the grid and those beyond them are solved.
    """
    edition = components.view(EDITION)[0]
    speeds, conditions, fates = values.shape[2], values.shape[3], values.shape[4]
    chance, odds = np.zeros(SIDES), np.zeros(SETS)
    chances(edition, chance)
    odds_of_rolls(chance, odds)
    ends = np.zeros((speeds, DICE + 1, conditions, fates))
    rolling = np.zeros((speeds, conditions, fates))
    hope, best, turned = np.zeros((fates, SETS)), np.zeros((fates, SETS)), np.zeros((fates, SETS))
    rear = edition.length
    for place in edition.grid:
        rear = min(rear, edition.front[place])
    change = 0.0
    order = np.argsort(-edition.front[: edition.spaces])
    for lap in range(edition.laps - 1, -2, -1):
        for space in order:
            if edition.heap[space] and sides[edition.half[space]]:
                continue
            if lap >= 0 or edition.front[space] >= rear:
                last = solve_space(
                    edition,
                    kind,
                    sides,
                    lap,
                    space,
                    lost,
                    credit,
                    chance,
                    odds,
                    values,
                    ends,
                    rolling,
                    hope,
                    best,
                    turned,
                )
                change = max(change, last)
    return change


# --- driving by the solution ----------------------------------------------------------------------------------------


@entry(PLAY)
def play(race_bytes, components, place, sides, table, lost, seed, rounds):
    """Race alone from a starting place, by the rules and as the table has it; the rounds of a wreck are negative."""
    race, edition = race_bytes.view(RACE)[0], components.view(EDITION)[0]
    weights = np.zeros(WEIGHTS)
    weights[W_ALONE] = 1.0
    weights[W_WRECK] = lost
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
            action = DO_NO_ATTACK if race.stage == AT_ATTACK else decide_by(race, edition, table, weights)
            act(race, edition, action, nobody)
        rounds[i] = -race.rounds if race.wrecked[0] else race.rounds
