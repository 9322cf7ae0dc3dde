"""Drivers of Chariot Race: policies that run inside the kernel. What things are worth is reckoned in `reckoning.py`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spina.games.chariot_race.bots.dice_sets import (
    SETS,
    SHOWING,
    WITH,
    WITHOUT,
    before_rolling,
    chances,
    odds_of_rolls,
)
from spina.games.chariot_race.bots.driver_weights import WEIGHTS
from spina.games.chariot_race.bots.expected_value import (
    appraise,
    best_end,
    room_for_dice,
    solution_on,
    survey,
    worth_of_sets,
)
from spina.games.chariot_race.bots.path_costs import room_for_ends, spread
from spina.games.chariot_race.bots.solo_table import KNOWN
from spina.games.chariot_race.rules.dice_roll import can_repair, count_side, speed_after
from spina.games.chariot_race.rules.entries import random_action
from spina.games.chariot_race.rules.movement import can_drop, can_hit, colour_of
from spina.games.chariot_race.rules.record import (
    ACTIONS,
    AT_ATTACK,
    AT_DRAFT,
    AT_FORTUNE,
    AT_PATH,
    AT_PLACE,
    AT_REPAIR,
    AT_REROLL,
    AT_SIGNS,
    ATTACK,
    CHANGE,
    DO_CALTROP,
    DO_DRAFT,
    DO_JAVELIN,
    DO_NO_ATTACK,
    DO_NO_REPAIR,
    DO_PLACE,
    DO_REPAIR,
    DO_REROLL,
    DO_SIGNS,
    DO_STEP,
    DO_TURN,
    EDITION,
    FORTUNA,
    NOTHING,
    RACE,
    SIDES,
    SPRINT,
    STEER,
)
from spina.kernel import interface as table
from spina.kernel.compiler import entry, kernel


def _weights(*given: float) -> NDArray[np.float64]:
    """Weights in their order; what is not given has none."""
    return np.array([*given, *[0.0] * (WEIGHTS - len(given))])


# Found by racing slightly different drivers against each other, four and six and pairs, some fifty thousand times.
COMPETENT = _weights(0.8, 0.13, 0.13, 2.45, 0.36, 0.6, 0.01, 0.214, 51.0, 12.7, 0.0, 9.0, 1.7, 0.39, 10.2)
# The same further on, in pairs: the rounds to go count more, the spaces gained less, and it would rather be behind.
KEEN = _weights(
    0.58, 0.09, 0.123, 1.54, 0.273, 0.74, 0.0126, 0.183, 71.5, 13.0, 0.0, 19.7, 2.48, 0.23, 22.5, 0.49, 0.098
)  # fmt: skip
ELSEWHERE = _weights(1.0, 0.43, 0.52, 3.85, 0.92, 0.46, 0.28, 0.24, 43.3, 55.3)
"""What takes their place where the course or the chariots are not those of the reference edition."""
CAREFUL = _weights(1.0, 0.1, 2.5, 6.0, 0.6, 0.8, 0.3, 0.0, 120.0, 60.0)
FASTEST = _weights(0.3, 0.0, 0.0, 3.5, 0.3, 0.05, 0.0, 0.0, 80.0, 40.0, 1.5)

# --- from a decision to an action -----------------------------------------------------------------------------------


@kernel
def set_on_table(race):
    """The number of the set of dice that lies on the table."""
    i = 0
    for die in range(race.rolled):
        i = WITH[i, race.die[die]]
    return i


@kernel
def dice_beyond(race, kept):
    """The dice on the table that are not kept, as bits."""
    bits = 0
    for die in range(race.rolled):
        if SHOWING[kept, race.die[die]] > 0:
            kept = WITHOUT[kept, race.die[die]]
        else:
            bits |= 1 << die
    return bits


@kernel
def best_part(hope, best, i):
    """The part of a set that is best kept while the other dice are rolled."""
    while hope[i] < best[i]:
        for side in range(SIDES):
            part = WITHOUT[i, side]
            if part >= 0 and best[part] == best[i]:
                i = part
                break
    return i


@kernel
def best_purchase(race, i, hope, best):
    """The action that buys the best, other dice or another side for one die, and what it is worth once paid for."""
    most, pick = -1e18, DO_REROLL
    for die in range(race.rolled):
        part = WITHOUT[i, race.die[die]]
        for side in range(FORTUNA):
            if side != race.die[die] and hope[WITH[part, side]] > most:
                most, pick = hope[WITH[part, side]], DO_TURN + die * FORTUNA + side
    for die in range(race.rolled):
        part = WITHOUT[i, race.die[die]]
        if best[part] > most:
            most, pick = best[part], DO_REROLL + dice_beyond(race, best_part(hope, best, part))
    return pick, most


@kernel
def choose_repair(race, edition, chariot, table, weights):
    """Repair if the turn is worth more with it."""
    if not can_repair(race, edition, chariot):
        return DO_NO_REPAIR
    kind, held, condition = race.kind[chariot], race.speed[chariot], race.condition[chariot]
    chance, odds, tables = np.empty(SIDES), np.empty(SETS), room_for_dice(edition, kind)
    chances(edition, chance)
    odds_of_rolls(chance, odds)
    race.speed[chariot] = min(held, edition.speed_limit[kind, condition])
    dice = edition.dice_at[kind, race.speed[chariot]]
    surveyed = survey(race, edition, chariot, dice, weights)
    appraise(race, edition, chariot, table, dice, surveyed, race.fate[chariot], chance, tables, weights)
    without = before_rolling(dice, odds, tables[1][race.fate[chariot]])
    race.fate[chariot] -= edition.repair_cost
    race.condition[chariot] = min(edition.most_condition[kind], condition + edition.repair_points)
    mended = min(held, edition.speed_limit[kind, race.condition[chariot]])
    if mended != race.speed[chariot]:
        race.speed[chariot] = mended
        dice = edition.dice_at[kind, mended]
        surveyed = survey(race, edition, chariot, dice, weights)
    appraise(race, edition, chariot, table, dice, surveyed, race.fate[chariot], chance, tables, weights)
    with_it = before_rolling(dice, odds, tables[1][race.fate[chariot]])
    race.fate[chariot] += edition.repair_cost
    race.condition[chariot], race.speed[chariot] = condition, held
    return DO_REPAIR if with_it > without else DO_NO_REPAIR


@kernel
def choose_dice(race, edition, chariot, table, free, weights):
    """What to roll again, turn or keep."""
    fate, i = race.fate[chariot], set_on_table(race)
    most_fate = fate if free else fate - edition.fortune_cost
    chance, tables = np.empty(SIDES), room_for_dice(edition, race.kind[chariot])
    chances(edition, chance)
    surveyed = survey(race, edition, chariot, race.rolled, weights)
    worths = appraise(race, edition, chariot, table, race.rolled, surveyed, most_fate, chance, tables, weights)
    hope, best = tables[0][most_fate], tables[1][most_fate]
    if free:
        return DO_REROLL + dice_beyond(race, best_part(hope, best, i))
    action, worth = best_purchase(race, i, hope, best)
    worth_of_sets(race, edition, chariot, i, i, fate, worths, weights, tables[0][fate])
    return action if worth > tables[0][fate, i] + 1e-9 else DO_REROLL


@kernel
def choose_signs(race, edition, chariot, table, weights):
    """How many of the +/- dice to add. Fortuna's dice have been taken already."""
    changes, sprints = count_side(race, CHANGE), count_side(race, SPRINT)
    condition = race.condition[chariot] - edition.sprint_damage * sprints
    steers, attacks = count_side(race, STEER), count_side(race, ATTACK)
    ends = room_for_ends()
    best, pick = -1e18, 0
    for plus in range(changes + 1):
        speed = speed_after(edition, race.kind[chariot], race.speed[chariot], changes, plus, sprints)
        spread(race, edition, chariot, race.space[chariot], speed, speed, 0, steers, speed, weights, ends)
        worth, _ = best_end(
            race, edition, chariot, table, speed, condition, race.fate[chariot], attacks, ends[speed], weights
        )
        if worth > best:
            best, pick = worth, plus
    return DO_SIGNS + pick


@kernel
def choose_way(race, edition, chariot, table, weights):
    """The first step of the best path from here."""
    speed, ends, fate = race.speed[chariot], room_for_ends(), race.fate[chariot]
    taken = speed - race.points
    spread(race, edition, chariot, race.space[chariot], speed, speed, taken, race.steers, speed, weights, ends)
    _, way = best_end(
        race, edition, chariot, table, speed, race.condition[chariot], fate, race.attacks, ends[speed], weights
    )
    return DO_STEP + way


@kernel
def choose_attack(race, edition, chariot):
    """A javelin that wrecks, else one at the foremost rival in range; else a caltrop; nothing at one's own."""
    pick, best = NOTHING, -1e18
    for target in range(race.chariots):
        if can_hit(race, edition, chariot, target) and race.seat[target] != race.seat[chariot]:
            value = 1.0 * race.lap[target] * edition.length + edition.front[race.space[target]]
            if race.condition[target] <= edition.javelin_damage:
                value += 100.0 * edition.length
            if value > best:
                best, pick = value, target
    if pick != NOTHING:
        return DO_JAVELIN + colour_of(race, pick)
    for space in range(edition.spaces - 1, -1, -1):
        if can_drop(race, edition, chariot, space) and edition.lane[space] == edition.lane[race.space[chariot]]:
            return DO_CALTROP + space
    return DO_NO_ATTACK


@kernel
def first_free(race, edition, stage):
    """The first individual chariot, or starting space, that is left."""
    for i in range(race.chariots):
        taken = False
        for chariot in range(race.chariots):
            if stage == AT_DRAFT and race.kind[chariot] == i + 1:
                taken = True
            if stage == AT_PLACE and race.space[chariot] == edition.grid[i]:
                taken = True
        if not taken:
            return i
    return 0


@kernel
def decide(race, edition, weights):
    """What to do at the question that is asked now."""
    return decide_by(race, edition, solution_on(race), weights)


@kernel
def decide_by(race, edition, table, weights):
    """The same by a given solution for a chariot alone; without weight for W_ALONE it does not matter which."""
    chariot, stage = race.chariot, race.stage
    if stage == AT_DRAFT:
        return DO_DRAFT + first_free(race, edition, stage)
    if stage == AT_PLACE:
        return DO_PLACE + first_free(race, edition, stage)
    if stage == AT_REPAIR:
        return choose_repair(race, edition, chariot, table, weights)
    if stage == AT_REROLL:
        return choose_dice(race, edition, chariot, table, True, weights)
    if stage == AT_FORTUNE:
        return choose_dice(race, edition, chariot, table, False, weights)
    if stage == AT_SIGNS:
        return choose_signs(race, edition, chariot, table, weights)
    if stage == AT_PATH:
        return choose_way(race, edition, chariot, table, weights)
    assert stage == AT_ATTACK
    return choose_attack(race, edition, chariot)


@kernel
def decide_by_solution(race, edition, weights):
    """By the solution for a chariot alone on this board, where there is one."""
    return decide(race, edition, weights if edition.plain_key == KNOWN else ELSEWHERE)


# --- the drivers ----------------------------------------------------------------------------------------------------


@entry(table.DRIVER)
def drive_randomly(race_bytes, edition_bytes, seat, dice, plan):
    """Anything that is possible."""
    race, edition = race_bytes.view(RACE)[0], edition_bytes.view(EDITION)[0]
    plan[0] = random_action(race, edition, np.zeros(ACTIONS, np.int64), dice)
    return 1


@entry(table.DRIVER)
def drive_fastest(race_bytes, edition_bytes, seat, dice, plan):
    """Always the most speed, whatever it costs."""
    race, edition = race_bytes.view(RACE)[0], edition_bytes.view(EDITION)[0]
    plan[0] = decide(race, edition, FASTEST)
    return 1


@entry(table.DRIVER)
def drive_carefully(race_bytes, edition_bytes, seat, dice, plan):
    """Keeps the chariot whole, and gets there."""
    race, edition = race_bytes.view(RACE)[0], edition_bytes.view(EDITION)[0]
    plan[0] = decide(race, edition, CAREFUL)
    return 1


@entry(table.DRIVER)
def drive_competently(race_bytes, edition_bytes, seat, dice, plan):
    """Knows how many rounds it would need alone, and weighs rivals beside that."""
    race, edition = race_bytes.view(RACE)[0], edition_bytes.view(EDITION)[0]
    plan[0] = decide_by_solution(race, edition, COMPETENT)
    return 1


@entry(table.DRIVER)
def drive_keenly(race_bytes, edition_bytes, seat, dice, plan):
    """The same, with an eye on the finish rather than on the next space."""
    race, edition = race_bytes.view(RACE)[0], edition_bytes.view(EDITION)[0]
    plan[0] = decide_by_solution(race, edition, KEEN)
    return 1


DRIVERS = {
    "random": drive_randomly,
    "fastest": drive_fastest,
    "careful": drive_carefully,
    "competent": drive_competently,
    "keen": drive_keenly,
}
