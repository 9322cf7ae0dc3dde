"""Drivers of Chariot Race: policies that run inside the kernel. What things are worth is reckoned in `reckoning.py`."""

from __future__ import annotations

import numpy as np

from spina.games.chariot_race.moving import can_drop, can_hit, is_heap
from spina.games.chariot_race.reckoning import (
    UNREACHED,
    appraise,
    best_end,
    best_keep,
    best_turn,
    entry_damage,
    expect,
    list_sets,
    ram_bonus,
    room_for_paths,
    showing,
    spread,
    tables,
    unit_of,
    worth_of_dice,
)
from spina.games.chariot_race.rolling import can_repair, speed_after
from spina.games.chariot_race.rules import random_action
from spina.games.chariot_race.state import (
    ACTIONS,
    AT_ATTACK,
    AT_DRAFT,
    AT_FORTUNE,
    AT_PATH,
    AT_PLACE,
    AT_REPAIR,
    AT_REROLL,
    AT_SIGNS,
    CHANGE,
    DICE,
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
    SPACES,
    SPRINT,
    STEER,
    WAYS,
)
from spina.kernel import table
from spina.kernel.compile import entry, kernel

# Found by evolution: thousands of races of four and six between slightly different drivers.
COMPETENT = np.array([1.0, 0.43, 0.52, 3.85, 0.92, 0.46, 0.28, 0.24, 43.3, 55.3, 0.0])
CAREFUL = np.array([1.0, 0.1, 2.5, 6.0, 0.6, 0.8, 0.3, 0.0, 120.0, 60.0, 0.0])
FASTEST = np.array([0.0, 0.0, 0.0, 0.001, 0.0, 0.001, 0.0, 0.0, 0.0, 0.0, 1.0])

# --- from a decision to an action -----------------------------------------------------------------------------------


@kernel
def set_on_table(race):
    """The dice that lie on the table, as the number of their set."""
    code = 0
    for die in range(race.rolled):
        code += unit_of(race.die[die])
    return code


@kernel
def dice_beyond(race, kept):
    """The dice on the table that are not kept, as bits."""
    bits = 0
    for die in range(race.rolled):
        if showing(kept, race.die[die]) > 0:
            kept -= unit_of(race.die[die])
        else:
            bits |= 1 << die
    return bits


@kernel
def turned_die(race, then):
    """The action that turns the dice on the table into this set."""
    for die in range(race.rolled):
        for side in range(FORTUNA):
            if side != race.die[die]:
                if set_on_table(race) - unit_of(race.die[die]) + unit_of(side) == then:
                    return DO_TURN + die * FORTUNA + side
    return DO_REROLL


@kernel
def worth_before_rolling(race, edition, chariot, weights):
    """The value of a turn before its dice are rolled."""
    held = race.speed[chariot]
    race.speed[chariot] = min(held, edition.speed_limit[race.kind[chariot], race.condition[chariot]])
    dice = edition.dice_at[race.kind[chariot], race.speed[chariot]]
    sets, levels = tables(dice)
    count = list_sets(sets, dice)
    appraise(race, edition, chariot, dice, race.fate[chariot], sets, count, levels, weights)
    for i in range(count):  # the free re-roll: keep the best part of what was rolled
        if sets[i, 1] == dice:
            levels[8, sets[i, 0]], _ = best_keep(levels[1], sets[i, 0], True)
    expect(edition, sets, count, dice, levels[8], levels[9])
    race.speed[chariot] = held
    return levels[9, 0]


@kernel
def choose_repair(race, edition, chariot, weights):
    """Repair if the turn is worth more with it."""
    if not can_repair(race, edition, chariot):
        return DO_NO_REPAIR
    without = worth_before_rolling(race, edition, chariot, weights)
    condition = race.condition[chariot]
    race.fate[chariot] -= edition.repair_cost
    race.condition[chariot] = min(edition.most_condition[race.kind[chariot]], condition + edition.repair_points)
    mended = worth_before_rolling(race, edition, chariot, weights)
    race.fate[chariot] += edition.repair_cost
    race.condition[chariot] = condition
    return DO_REPAIR if mended > without else DO_NO_REPAIR


@kernel
def choose_dice(race, edition, chariot, free, weights):
    """What to roll again, turn or keep."""
    sets, levels = tables(race.rolled)
    count = list_sets(sets, race.rolled)
    bought = appraise(race, edition, chariot, race.rolled, race.fate[chariot], sets, count, levels, weights)
    code = set_on_table(race)
    if free:
        _, kept = best_keep(levels[1], code, True)
        return DO_REROLL + dice_beyond(race, kept)
    if bought == 0:
        return DO_REROLL
    rolled, kept = best_keep(levels[3], code, False)
    turned, then = best_turn(levels[2], code)
    if not pays(race, edition, chariot, code, max(rolled, turned), weights):
        return DO_REROLL
    if turned >= rolled:
        return turned_die(race, then)
    return DO_REROLL + dice_beyond(race, kept)


@kernel
def pays(race, edition, chariot, code, bought, weights):
    """Whether buying is worth more than stopping here."""
    reach, harm = room_for_paths()
    fill_reach(race, edition, chariot, code, reach, harm, weights)
    stop, _ = worth_of_dice(race, edition, chariot, code, race.fate[chariot], reach, harm, weights)
    return bought > stop + 1e-9


@kernel
def fill_reach(race, edition, chariot, code, reach, harm, weights):
    """Where the speeds lead that these dice allow."""
    changes, sprints = showing(code, CHANGE), showing(code, SPRINT)
    for plus in range(changes + 1):
        speed = speed_after(edition, race.kind[chariot], race.speed[chariot], changes, plus, sprints)
        spread(race, edition, chariot, speed, speed, showing(code, STEER), reach[speed], harm[speed], weights)


@kernel
def choose_signs(race, edition, chariot, weights):
    """How many of the +/- dice to add. Fortuna's dice have been taken already."""
    code = set_on_table(race)
    code -= showing(code, FORTUNA) * unit_of(FORTUNA)
    reach, harm = room_for_paths()
    fill_reach(race, edition, chariot, code, reach, harm, weights)
    _, plus = worth_of_dice(race, edition, chariot, code, race.fate[chariot], reach, harm, weights)
    return DO_SIGNS + plus


@kernel
def choose_way(race, edition, chariot, weights):
    """The first step of the best path from here."""
    start, condition, points, steers = race.space[chariot], race.condition[chariot], race.points, race.steers
    speed = race.speed[chariot]
    cost = np.empty((DICE + 1, SPACES))
    damage = np.zeros((DICE + 1, SPACES), np.int64)
    best, pick = -3.0 * UNREACHED, 0
    for way in range(WAYS):
        then = edition.next[start, way]
        if then == NOTHING or (way and steers == 0):
            continue
        value = -2.0 * UNREACHED
        if not is_heap(race, edition, then):
            lost = entry_damage(race, edition, chariot, then, speed)
            race.space[chariot] = then
            left = steers - (1 if way else 0)
            spread(race, edition, chariot, speed, points - 1, left, cost, damage, weights)
            race.space[chariot] = start
            bonus = ram_bonus(race, edition, chariot, then, weights)
            value = bonus + best_end(
                race, edition, chariot, speed, left, condition - lost, points, race.fate[chariot], race.attacks,
                cost, damage, weights,
            )  # fmt: skip
        if value > best:
            best, pick = value, way
    return DO_STEP + pick


@kernel
def choose_attack(race, edition, chariot):
    """A javelin that wrecks, else one at the foremost rival in range; else a caltrop; nothing at one's own."""
    pick, best = NOTHING, -UNREACHED
    for target in range(race.chariots):
        if can_hit(race, edition, chariot, target) and race.seat[target] != race.seat[chariot]:
            value = 1.0 * race.lap[target] * edition.length + edition.front[race.space[target]]
            if race.condition[target] <= edition.javelin_damage:
                value += 100.0 * edition.length
            if value > best:
                best, pick = value, target
    if pick != NOTHING:
        return DO_JAVELIN + pick
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
    chariot, stage = race.chariot, race.stage
    if stage == AT_DRAFT:
        return DO_DRAFT + first_free(race, edition, stage)
    if stage == AT_PLACE:
        return DO_PLACE + first_free(race, edition, stage)
    if stage == AT_REPAIR:
        return choose_repair(race, edition, chariot, weights)
    if stage == AT_REROLL:
        return choose_dice(race, edition, chariot, True, weights)
    if stage == AT_FORTUNE:
        return choose_dice(race, edition, chariot, False, weights)
    if stage == AT_SIGNS:
        return choose_signs(race, edition, chariot, weights)
    if stage == AT_PATH:
        return choose_way(race, edition, chariot, weights)
    assert stage == AT_ATTACK
    return choose_attack(race, edition, chariot)


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
    """Weighs way, speed, condition, fate, corners and rivals."""
    race, edition = race_bytes.view(RACE)[0], edition_bytes.view(EDITION)[0]
    plan[0] = decide(race, edition, COMPETENT)
    return 1


DRIVERS = {
    "random": drive_randomly,
    "fastest": drive_fastest,
    "careful": drive_carefully,
    "competent": drive_competently,
}
