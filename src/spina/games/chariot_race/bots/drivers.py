"""Drivers of Chariot Race: policies that run inside the kernel, by the expected values of `expected_value.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from spina.games.chariot_race.bots.driver_weights import WEIGHTS, Valuation
from spina.games.chariot_race.bots.expected_value import (
    appraise,
    best_end,
    room_for_dice,
    solution_on,
    survey,
    worth_of_sets,
)
from spina.games.chariot_race.bots.path_costs import ANY_WAY, began_with, reach, room_for_ends, spread
from spina.games.chariot_race.bots.solo_table import KNOWN
from spina.games.chariot_race.rules.dice_roll import adjust_initial_speed, can_repair, count_side, repair, speed_after
from spina.games.chariot_race.rules.legal_actions import is_free, is_taken, random_action
from spina.games.chariot_race.rules.movement import can_drop, can_hit, colour_of, distance
from spina.games.chariot_race.rules.record import (
    ACTIONS,
    AHEAD,
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
from spina.kernel.narration import silence
from spina.kernel.record import fields

if TYPE_CHECKING:
    from spina.games.chariot_race.rules.record_types import EditionRecord, RaceRecord

WORST = -1e18
"""Value of an action before any has been found."""
WORTH_BUYING = 1e-9
"""By how much a purchase must be better than keeping the dice: more than a rounding error."""
WRECKING = 100.0
"""Laps by which a rival that a javelin would wreck is preferred to others as a target."""


def _weights(*given: float) -> NDArray[np.float64]:
    """Weights in their order; those not given are zero."""
    return np.array([*given, *[0.0] * (WEIGHTS - len(given))])


# Evolved in about fifty thousand races between slightly different drivers, with four, six and pairs of chariots.
COMPETENT = _weights(0.8, 0.13, 0.13, 2.45, 0.36, 0.6, 0.01, 0.214, 51.0, 12.7, 0.0, 9.0, 1.7, 0.39, 10.2)
# Evolved further, in pairs: rounds to go count more, spaces gained less, and rivals behind count against it.
KEEN = _weights(
    0.58, 0.09, 0.123, 1.54, 0.273, 0.74, 0.0126, 0.183, 71.5, 13.0, 0.0, 19.7, 2.48, 0.23, 22.5, 0.49, 0.098
)  # fmt: skip
ELSEWHERE = _weights(1.0, 0.43, 0.52, 3.85, 0.92, 0.46, 0.28, 0.24, 43.3, 55.3)
"""Used instead of COMPETENT and KEEN if the course or the plain chariots are not those of the reference edition."""
CAREFUL = _weights(1.0, 0.1, 2.5, 6.0, 0.6, 0.8, 0.3, 0.0, 120.0, 60.0)
# As ELSEWHERE, but thinks much of ramming and never of javelins, and damage expected in the next corner hardly counts.
HEADLONG = _weights(1.0, 0.43, 0.2, 3.0, 0.9, 0.0, 0.28, 1.5, 43.3, 55.3)
FASTEST = _weights(0.3, 0.0, 0.0, 3.5, 0.3, 0.05, 0.0, 0.0, 80.0, 40.0, 1.5)

# --- from a decision to an action -----------------------------------------------------------------------------------


@kernel
def set_on_table(race: RaceRecord):
    """Number of the set that the rolled dice make."""
    i = 0
    for die in range(race.rolled):
        i = WITH[i, race.die[die]]
    return i


@kernel
def dice_beyond(race: RaceRecord, kept):
    """The rolled dice that are not in the kept set, as bits."""
    bits = 0
    for die in range(race.rolled):
        if SHOWING[kept, race.die[die]] > 0:
            kept = WITHOUT[kept, race.die[die]]
        else:
            bits |= 1 << die
    return bits


@kernel
def best_part(hope, best, i):
    """The best part of a set to keep while the other dice are rolled."""
    while hope[i] < best[i]:
        for side in range(SIDES):
            part = WITHOUT[i, side]
            if part >= 0 and best[part] == best[i]:
                i = part
                break
    return i


@kernel
def best_purchase(race: RaceRecord, i, hope, best):
    """The best purchase, a re-roll or another side for one die, and its value after payment."""
    most, pick = WORST, DO_REROLL
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
def choose_repair(race: RaceRecord, edition: EditionRecord, chariot, valuation):
    """Repair if the expected value of the turn is higher with it. The race is left unchanged."""
    if not can_repair(race, edition, chariot):
        return DO_NO_REPAIR
    kind, nobody = race.kind[chariot], silence()
    speed, condition, fate = race.speed[chariot], race.condition[chariot], race.fate[chariot]
    chance, odds, tables = np.empty(SIDES), np.empty(SETS), room_for_dice(edition, kind)
    chances(edition, chance)
    odds_of_rolls(chance, odds)
    adjust_initial_speed(race, edition, chariot, nobody)
    unrepaired = race.speed[chariot]
    dice = edition.dice_at[kind, unrepaired]
    surveyed = survey(race, edition, chariot, dice, valuation.weights)
    appraise(race, edition, chariot, valuation, dice, surveyed, race.fate[chariot], chance, tables)
    without = before_rolling(dice, odds, tables[1][race.fate[chariot]])
    race.speed[chariot] = speed
    repair(race, edition, chariot, nobody)
    adjust_initial_speed(race, edition, chariot, nobody)
    if race.speed[chariot] != unrepaired:
        dice = edition.dice_at[kind, race.speed[chariot]]
        surveyed = survey(race, edition, chariot, dice, valuation.weights)
    appraise(race, edition, chariot, valuation, dice, surveyed, race.fate[chariot], chance, tables)
    with_it = before_rolling(dice, odds, tables[1][race.fate[chariot]])
    race.speed[chariot], race.condition[chariot], race.fate[chariot] = speed, condition, fate
    return DO_REPAIR if with_it > without else DO_NO_REPAIR


@kernel
def choose_dice(race: RaceRecord, edition: EditionRecord, chariot, free, valuation):
    """Which dice to roll again, turn or keep."""
    fate, i = race.fate[chariot], set_on_table(race)
    most_fate = fate if free else fate - edition.fortune_cost
    chance, tables = np.empty(SIDES), room_for_dice(edition, race.kind[chariot])
    chances(edition, chance)
    surveyed = survey(race, edition, chariot, race.rolled, valuation.weights)
    worths = appraise(race, edition, chariot, valuation, race.rolled, surveyed, most_fate, chance, tables)
    hope, best = tables[0][most_fate], tables[1][most_fate]
    if free:
        return DO_REROLL + dice_beyond(race, best_part(hope, best, i))
    action, worth = best_purchase(race, i, hope, best)
    worth_of_sets(race, edition, chariot, i, i, fate, worths, valuation.weights, tables[0][fate])
    return action if worth > tables[0][fate, i] + WORTH_BUYING else DO_REROLL


@kernel
def choose_signs(race: RaceRecord, edition: EditionRecord, chariot, valuation):
    """How many of the +/- dice to take as plus. Fortuna's points have been added already."""
    changes, sprints = count_side(race, CHANGE), count_side(race, SPRINT)
    condition = race.condition[chariot] - edition.sprint_damage * sprints
    steers, attacks = count_side(race, STEER), count_side(race, ATTACK)
    ends = room_for_ends()
    best, pick = WORST, 0
    for plus in range(changes + 1):
        speed = speed_after(edition, race.kind[chariot], race.speed[chariot], changes, plus, sprints)
        spread(race, edition, chariot, reach(speed, speed, 0, steers, speed, ANY_WAY), valuation.weights, ends)
        worth, _ = best_end(
            race, edition, chariot, valuation, speed, condition, race.fate[chariot], attacks, ends[speed]
        )
        if worth > best:
            best, pick = worth, plus
    return DO_SIGNS + pick


@kernel
def choose_way(race: RaceRecord, edition: EditionRecord, chariot, valuation):
    """The first step of the best path from here."""
    speed, ends, fate = race.speed[chariot], room_for_ends(), race.fate[chariot]
    taken = speed - race.points
    spread(race, edition, chariot, reach(speed, speed, taken, race.steers, speed, ANY_WAY), valuation.weights, ends)
    _, j = best_end(race, edition, chariot, valuation, speed, race.condition[chariot], fate, race.attacks, ends[speed])
    return DO_STEP + (AHEAD if j == NOTHING else began_with(ends[speed].way[j]))


@kernel
def choose_attack(race: RaceRecord, edition: EditionRecord, chariot):
    """A javelin that wrecks a rival, else one at the foremost rival in range, else a caltrop; none at the own seat."""
    pick, best = NOTHING, WORST
    for target in range(race.chariots):
        if can_hit(race, edition, chariot, target) and race.seat[target] != race.seat[chariot]:
            value = 1.0 * distance(race, edition, target)
            if race.condition[target] <= edition.javelin_damage:
                value += WRECKING * edition.length
            if value > best:
                best, pick = value, target
    if pick != NOTHING:
        return DO_JAVELIN + colour_of(race, pick)
    return drop_behind(race, edition, chariot)


@kernel
def drop_behind(race: RaceRecord, edition: EditionRecord, chariot):
    """A caltrop in the own lane, on the foremost space where one may lie; else no attack."""
    for space in range(edition.spaces - 1, -1, -1):
        if can_drop(race, edition, chariot, space) and edition.lane[space] == edition.lane[race.space[chariot]]:
            return DO_CALTROP + space
    return DO_NO_ATTACK


@kernel
def first_free(race: RaceRecord, edition: EditionRecord, stage):
    """The first individual chariot, or starting space, that is left."""
    for i in range(race.chariots):
        left = not is_taken(race, i + 1) if stage == AT_DRAFT else is_free(race, edition.grid[i])
        if left:
            return i
    return 0


@kernel
def decide(race: RaceRecord, edition: EditionRecord, weights):
    """The action of a driver with these weights at the current question."""
    return decide_by(race, edition, Valuation(solution_on(race), weights))


@kernel
def decide_by(race: RaceRecord, edition: EditionRecord, valuation):
    """The best action at the current question. Without a weight for W_ALONE the solution is not used."""
    chariot, stage = race.chariot, race.stage
    if stage == AT_DRAFT:
        return DO_DRAFT + first_free(race, edition, stage)
    if stage == AT_PLACE:
        return DO_PLACE + first_free(race, edition, stage)
    if stage == AT_REPAIR:
        return choose_repair(race, edition, chariot, valuation)
    if stage == AT_REROLL:
        return choose_dice(race, edition, chariot, True, valuation)
    if stage == AT_FORTUNE:
        return choose_dice(race, edition, chariot, False, valuation)
    if stage == AT_SIGNS:
        return choose_signs(race, edition, chariot, valuation)
    if stage == AT_PATH:
        return choose_way(race, edition, chariot, valuation)
    assert stage == AT_ATTACK
    return choose_attack(race, edition, chariot)


@kernel
def decide_by_solution(race: RaceRecord, edition: EditionRecord, weights):
    """The action with these weights on the reference course, for which the solution is known; elsewhere by others."""
    return decide(race, edition, weights if edition.plain_key == KNOWN else ELSEWHERE)


# --- the drivers ----------------------------------------------------------------------------------------------------


@entry(table.DRIVER)
def drive_randomly(race_bytes, edition_bytes, seat, dice, plan):
    """Takes a random legal action."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    plan[0] = random_action(race, edition, np.zeros(ACTIONS, np.int64), dice)
    return 1


@entry(table.DRIVER)
def drive_fastest(race_bytes, edition_bytes, seat, dice, plan):
    """Always seeks the highest speed."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    plan[0] = decide(race, edition, FASTEST)
    return 1


@entry(table.DRIVER)
def drive_carefully(race_bytes, edition_bytes, seat, dice, plan):
    """Avoids damage above all."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    plan[0] = decide(race, edition, CAREFUL)
    return 1


@entry(table.DRIVER)
def drive_headlong(race_bytes, edition_bytes, seat, dice, plan):
    """Makes a beginner's mistakes: rams at every chance, at any cost, and forgets that it has javelins."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    if race.stage == AT_ATTACK:
        plan[0] = drop_behind(race, edition, race.chariot)
    else:
        plan[0] = decide(race, edition, HEADLONG)
    return 1


@entry(table.DRIVER)
def drive_steadily(race_bytes, edition_bytes, seat, dice, plan):
    """Weighs spaces, speed, condition and fate, without knowing how many rounds are left."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    plan[0] = decide(race, edition, ELSEWHERE)
    return 1


@entry(table.DRIVER)
def drive_competently(race_bytes, edition_bytes, seat, dice, plan):
    """Weighs the rounds that it would need alone, rivals, speed, condition and fate."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    plan[0] = decide_by_solution(race, edition, COMPETENT)
    return 1


@entry(table.DRIVER)
def drive_keenly(race_bytes, edition_bytes, seat, dice, plan):
    """As the competent driver, but values rounds to the finish more and spaces gained less."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    plan[0] = decide_by_solution(race, edition, KEEN)
    return 1


DRIVERS = {
    "random": drive_randomly,
    "fastest": drive_fastest,
    "careful": drive_carefully,
    "headlong": drive_headlong,
    "steady": drive_steadily,
    "competent": drive_competently,
    "keen": drive_keenly,
}
