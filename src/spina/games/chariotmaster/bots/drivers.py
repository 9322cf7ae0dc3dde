"""Drivers of Chariotmaster: policies inside the kernel. `sights.py` evaluates places, `plans.py` plans."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.bots.plans import (
    COARSE,
    RestOfTurn,
    best_pivot,
    best_token_for,
    best_turn,
    go_on_value,
    share_passing,
    way_to_go,
)
from spina.games.chariotmaster.bots.sights import (
    SCRATCH,
    W_ATTACK,
    W_HURT,
    W_SPUR,
    W_STAMINA,
    W_TESTS,
    WORTHLESS,
    promise,
)
from spina.games.chariotmaster.rules.attacks import attack_of, list_attacks, price_of
from spina.games.chariotmaster.rules.chariots import (
    best_token,
    collision_value,
    distance_left,
    is_racing,
    least_distance,
    token_in_use,
)
from spina.games.chariotmaster.rules.choices import FINE, next_to_choose, why_not, why_not_walk
from spina.games.chariotmaster.rules.dice import passes
from spina.games.chariotmaster.rules.drive import (
    can_spur,
    can_stop,
    can_turn_round,
    can_whip,
    direction_of,
    free_turn,
    submove_of,
)
from spina.games.chariotmaster.rules.entries import random_driver
from spina.games.chariotmaster.rules.event_kinds import (
    AT_BITE,
    AT_BOARS,
    AT_RAM,
    AT_WHIP_DRIVER,
    AT_WHIP_HORSES,
    R_CUT,
    R_DEFENCE,
    R_GRAB,
    R_OUT_OF,
    R_SUBMOVE,
)
from spina.games.chariotmaster.rules.field import pose_of, way_free
from spina.games.chariotmaster.rules.geometry import Pose, angle_to, leftwards, rightwards, translated
from spina.games.chariotmaster.rules.menu import list_answers, pivot_code
from spina.games.chariotmaster.rules.record import (
    ASK_ATTACK,
    ASK_CLIMB,
    ASK_CUT,
    ASK_DEFEND,
    ASK_DRIVE,
    ASK_MODIFY,
    ASK_PIVOT,
    ASK_SKID,
    ASK_SUBMOVE,
    ASK_SWEEP,
    ASK_TOKENS,
    ASK_WALK,
    BODY,
    CENTRE,
    CHARIOTS,
    CM,
    DEGREE,
    DO_ANNOUNCE,
    DO_BEAR,
    DO_BRAKE,
    DO_CLIMB_CUT,
    DO_CLIMB_REINS,
    DO_CUT,
    DO_EVADE,
    DO_FORGO,
    DO_GO,
    DO_HANG_ON,
    DO_MODIFY,
    DO_NO_ATTACK,
    DO_PASS,
    DO_PIVOT,
    DO_SPUR,
    DO_STOP,
    DO_SUBMOVE,
    DO_TOKEN,
    DO_UTURN,
    DO_WHIP,
    DRIVER_OF,
    EDITION,
    FACES,
    FULL,
    HALF_CIRCLE,
    HORSES,
    LONGEST_MENU,
    MM,
    NOTHING,
    POINTS,
    RACE,
    SKILL,
    SLOW,
    STAMINA,
    STRUCTURE,
)
from spina.games.chariotmaster.rules.runaways import walk_code
from spina.games.chariotmaster.rules.track import at, offset
from spina.kernel import interface
from spina.kernel.compiler import entry, kernel
from spina.kernel.record import fields

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

#                     ahead sight  askew close stam. coll.  brake risk spur  attack hurt tests
COMPETENT = np.array([0.8, 1600, 1.0, 0.05, 150.0, 900.0, 350.0, 1.0, 2100, 60.0, 90.0, 1.0])
STEADY = np.array([0.8, 1200, 0.75, 0.05, 150.0, 900.0, 350.0, 1.0, 2100, 60.0, 90.0, 1.0])
"""Plans as COMPETENT does, but looks only three quarters as far ahead."""
BOLD = np.array([0.92, 1960, 1.0, 0.05, 106.0, 900.0, 350.0, 0.73, 1480, 60.0, 90.0, 1.0])
DARING = np.array([0.79, 2290, 1.0, 0.05, 142.0, 800.0, 178.0, 0.42, 778, 52.7, 90.0, 1.0])
"""BOLD and DARING were chosen after 1500 and after 6000 races of drivers with random weights for every seat."""
CAUTIOUS = np.array([0.75, 1300, 0.6, 0.10, 400.0, 3000.0, 350.0, 2.0, 99999, 0.0, 90.0, 0.0])
HEADLONG = np.array([0.75, 900, 0.5, 0.0, 20.0, 900.0, 350.0, 0.3, 600, 60.0, 90.0, 1.0])
"""Looks half as far ahead as COMPETENT, does not mind a wall in front, and hardly counts its team's stamina and the
risk of a skid: it spurs early and runs into things."""
ORDINARY = 15 * CM
"""Distance of an ordinary team's 10 token, for which the spur weight is given."""
LATE = 30 * CM
"""Units before the finish from which stamina is worth nothing any more."""
BACKWARDS = 100 * DEGREE
"""A chariot that is more askew than this faces backwards."""
LEAST_TURN = 20
"""Degrees: a U-turn by less is not worth a turn."""


@kernel
def drive_well(race: RaceRecord, edition: EditionRecord, seat, weights, scratch):
    """Answer the question that the race asks."""
    question, chariot = race.ask, race.ask_chariot
    if question == ASK_TOKENS:
        chariot = next_to_choose(race, seat)
        return DO_TOKEN + best_token_for(race, edition, chariot, best_token(race, chariot), weights, scratch)
    if question == ASK_DRIVE:
        return choose_drive(race, edition, chariot, weights, scratch)
    if question == ASK_SUBMOVE:
        return choose_submove(race, edition, chariot, weights, scratch)
    if question == ASK_SKID:
        return choose_skid(race, edition, chariot)
    if question == ASK_ATTACK:
        return choose_attack(race, edition, chariot, weights)
    if question == ASK_DEFEND:
        return choose_defence(race, edition, chariot, weights)
    if question == ASK_MODIFY:
        return choose_luck(race, edition, chariot)
    if question == ASK_PIVOT:
        limit = edition.pivot[token_in_use(race, chariot)]
        return pivot_code(DO_PIVOT, best_pivot(race, edition, chariot, limit, weights, scratch), CENTRE)
    if question == ASK_CLIMB:
        return DO_CLIMB_REINS if race.reins[chariot] == 0 else DO_CLIMB_CUT
    if question == ASK_CUT:
        return DO_HANG_ON if weights[W_TESTS] > 0 else DO_CUT
    if question == ASK_WALK:
        return choose_walk(race, edition, chariot)
    if question == ASK_SWEEP:
        return DO_FORGO
    menu = np.zeros(LONGEST_MENU, np.int64)
    list_answers(race, edition, seat, menu)
    return menu[0]


# --- driving --------------------------------------------------------------------------------------------------------


@kernel
def faces_backwards(race: RaceRecord, edition: EditionRecord, chariot):
    """Whether the chariot faces against the direction of the race."""
    _, _, tangent = at(edition, race.scenario, race.way[chariot], 0)
    return abs(angle_to(race.heading[chariot], tangent)) > BACKWARDS


@kernel
def turn_back(race: RaceRecord, edition: EditionRecord, chariot):
    """The U-turn that turns the chariot nearest to the direction of the race, or NOTHING."""
    _, _, tangent = at(edition, race.scenario, race.way[chariot], 0)
    wanted = angle_to(race.heading[chariot], tangent) // DEGREE
    best, action = LEAST_TURN, NOTHING
    for point in range(POINTS):
        for sign in range(2):
            degrees = wanted
            if sign == 1:
                degrees = wanted - 360 if wanted > 0 else wanted + 360
            if degrees == 0 or abs(degrees) > HALF_CIRCLE:
                continue
            free = free_turn(race, edition, chariot, point, degrees) // DEGREE
            if free > best:
                best = free
                action = pivot_code(DO_UTURN, free if degrees > 0 else -free, point)
    return action


@kernel
def wants_to_spur(race: RaceRecord, edition: EditionRecord, chariot, weights):
    """Whether to spur before the first sub-move: there is stamina, and room ahead for the highest roll."""
    stamina = race.points[chariot, STAMINA]
    if stamina <= 0 or token_in_use(race, chariot) == SLOW:
        return False
    pose = pose_of(race, chariot)
    most = distance_left(race, edition, chariot)
    wanted = most + FACES * CM
    slower = max(ORDINARY - race.top[chariot], 0)  # boars never want as much room as horses
    togo = way_to_go(race, edition, chariot)
    if most < CM or (wanted < weights[W_SPUR] - slower and togo > LATE):
        return False
    room, _ = way_free(race, edition, chariot, pose, pose.heading, wanted, np.int64(0))
    return room >= wanted


@kernel
def choose_drive(race: RaceRecord, edition: EditionRecord, chariot, weights, scratch):
    """Choose in the middle of a turn: spur, sub-move, announce another sub-move, or stop."""
    left, least = distance_left(race, edition, chariot), least_distance(race, edition, chariot) - race.moved
    stop = can_stop(race, edition, chariot)
    if race.submoves == 0:
        if can_turn_round(race, edition, chariot) and faces_backwards(race, edition, chariot):
            action = turn_back(race, edition, chariot)
            if action != NOTHING:
                return action
        if wants_to_spur(race, edition, chariot, weights):
            if can_spur(race):
                return DO_SPUR
            if can_whip(race, chariot):
                return DO_WHIP
        return first_submove(race, edition, chariot, left, least, stop, weights, scratch)
    if left < CM:
        return DO_STOP if stop else DO_BRAKE
    if stop and weights[W_TESTS] <= 0:
        return DO_STOP
    pose = pose_of(race, chariot)
    token = token_in_use(race, chariot)
    chance = share_passing(race.points[chariot, SKILL], race.submoves + edition.test[token])
    rest = RestOfTurn(left, least, edition.pivot[token], COARSE)
    now = promise(race, edition, chariot, pose, weights)
    if not stop:
        now -= 3 * weights[W_STAMINA]
    more = go_on_value(race, edition, chariot, pose, race.last_direction, rest, chance, now, weights, scratch)
    if more > WORTHLESS and more > now:
        return DO_ANNOUNCE
    return DO_STOP if stop else DO_BRAKE


@kernel
def first_submove(race: RaceRecord, edition: EditionRecord, chariot, left, least, stop, weights, scratch):
    """The first sub-move of the best plan; a stop only if no plan is better."""
    token = token_in_use(race, chariot)
    now = promise(race, edition, chariot, pose_of(race, chariot), weights) if stop else WORTHLESS
    if left >= CM:
        begun = race.submoves
        value, action = best_turn(race, edition, chariot, token, left, least, begun, now, weights, scratch)
        if value > now:
            return action
    return DO_STOP if stop else DO_BRAKE


@kernel
def choose_submove(race: RaceRecord, edition: EditionRecord, chariot, weights, scratch):
    """Choose the sub-move after a passed test."""
    left, least = distance_left(race, edition, chariot), least_distance(race, edition, chariot) - race.moved
    token = token_in_use(race, chariot)
    begun = race.submoves
    value, action = best_turn(race, edition, chariot, token, left, least, begun, WORTHLESS, weights, scratch)
    if value > WORTHLESS:
        return action
    if why_not(race, edition, race.seat[chariot], DO_STOP) == FINE:
        return DO_STOP
    return DO_BRAKE


@kernel
def choose_skid(race: RaceRecord, edition: EditionRecord, chariot):
    """Brake in a skid only if the chariot would hit something."""
    left = distance_left(race, edition, chariot)
    _, hit_at = way_free(race, edition, chariot, pose_of(race, chariot), race.last_direction, left, np.int64(0))
    return DO_GO if hit_at == NOTHING or race.points[chariot, STAMINA] == 0 else DO_BRAKE


# --- fighting -------------------------------------------------------------------------------------------------------


@kernel
def interest_in(race: RaceRecord, chariot, other):
    """How much harm to a rival is worth, 0 to 1: most for a rival ahead or level."""
    if not is_racing(race, other):
        return 0.0
    lead = race.progress[other] - race.progress[chariot]
    if lead < -60 * CM:
        return 0.2
    return 1.0 if lead > -20 * CM else 0.6


@kernel
def worth_of_attack(race: RaceRecord, edition: EditionRecord, chariot, action, weights):
    """Expected harm to the rival, less the attacker's own harm and price."""
    obj, part, which, _ = attack_of(action)
    if obj >= CHARIOTS:
        return WORTHLESS
    interest = interest_in(race, chariot, obj) * weights[W_ATTACK]
    hurt = weights[W_HURT]
    price = price_of(race, chariot, obj) * weights[W_STAMINA]
    if which == AT_RAM or which == AT_BOARS:
        own = collision_value(race, edition, chariot, BODY if which == AT_RAM else HORSES) + edition.ram_bonus
        other = collision_value(race, edition, obj, part)
        if which == AT_RAM and race.points[chariot, STRUCTURE] < 3:
            hurt *= 3
        if race.points[obj, STRUCTURE if part == BODY else STAMINA] < 2:
            interest *= 2.5
        return own / 2.0 * interest - other / 2.0 * hurt - price
    if which == AT_WHIP_HORSES:
        return 0.8 * interest - price
    if which == AT_WHIP_DRIVER:
        return 0.5 * interest - price
    if which == AT_BITE:
        return 1.0 * interest - price
    return WORTHLESS


@kernel
def choose_attack(race: RaceRecord, edition: EditionRecord, chariot, weights):
    """The attack with the highest positive worth, or no attack."""
    menu = np.zeros(LONGEST_MENU, np.int64)
    best, action = 0.0, np.int64(DO_NO_ATTACK)
    if weights[W_ATTACK] <= 0:
        return action
    for i in range(list_attacks(race, edition, chariot, menu, LONGEST_MENU - 64)):
        value = worth_of_attack(race, edition, chariot, menu[i], weights)
        if value > best:
            best, action = value, menu[i]
    return action


@kernel
def choose_defence(race: RaceRecord, edition: EditionRecord, chariot, weights):
    """Evade when the body is nearly broken and there is stamina for it."""
    if race.points[chariot, STRUCTURE] <= 2 and race.points[chariot, STAMINA] >= 3:
        return DO_EVADE
    return DO_BEAR


@kernel
def choose_luck(race: RaceRecord, edition: EditionRecord, chariot):
    """Use luck on a test that fails by one, and on the worst results of an out-of-points table."""
    what, face = race.ask_about, race.die[race.first_die]
    if what == R_SUBMOVE or what == R_DEFENCE or what == R_CUT or what == R_GRAB:
        modifier = np.int64(0)
        if what == R_SUBMOVE:
            modifier = race.submoves + edition.test[token_in_use(race, chariot)]
        skill = race.points[chariot, SKILL]
        if not passes(face, modifier, skill) and passes(face - 1, modifier, skill):
            return DO_MODIFY + 2 * race.first_die
    if what == R_OUT_OF and face >= 5:
        return DO_MODIFY + 2 * race.first_die
    return np.int64(DO_PASS)


@kernel
def choose_walk(race: RaceRecord, edition: EditionRecord, chariot):
    """F5: the shortest way off the track."""
    piece, t = DRIVER_OF + chariot, race.scenario
    off = offset(edition, t, race.x[piece], race.y[piece], race.way[piece])
    _, _, tangent = at(edition, t, race.way[piece], 0)
    outward = (leftwards(tangent) if off >= 0 else rightwards(tangent)) // DEGREE
    most = race.ask_about // MM
    for turn in range(0, 90, 15):
        for sign in range(2):
            degrees = (outward + (turn if sign == 0 else -turn) + 360) % 360
            for mm in (most, most // 2, np.int64(5), np.int64(1)):
                if mm >= 1 and why_not_walk(race, edition, chariot, walk_code(degrees, mm)) == FINE:
                    return walk_code(degrees, mm)
    if why_not_walk(race, edition, chariot, DO_STOP) == FINE:
        return np.int64(DO_STOP)
    menu = np.zeros(LONGEST_MENU, np.int64)
    list_answers(race, edition, race.seat[chariot], menu)
    return menu[0]


# --- the drivers ----------------------------------------------------------------------------------------------------


@kernel
def best_on_menu(race: RaceRecord, edition: EditionRecord, seat, weights):
    """The listed answer with the highest value; sub-moves before anything else."""
    menu = np.zeros(LONGEST_MENU, np.int64)
    best, choice = WORTHLESS, menu[0]
    chariot = race.ask_chariot
    for i in range(list_answers(race, edition, seat, menu)):
        value = WORTHLESS + 1 - i
        if menu[i] >= DO_SUBMOVE:
            way, mm, degrees, _ = submove_of(menu[i])
            x, y = translated(race.x[chariot], race.y[chariot], direction_of(race, chariot, way), mm * MM)
            heading = (race.heading[chariot] + degrees * DEGREE + FULL) % FULL
            value = promise(race, edition, chariot, Pose(x, y, heading), weights)
        if i == 0 or value > best:
            best, choice = value, menu[i]
    return choice


@kernel
def choose_legally(race: RaceRecord, edition: EditionRecord, seat, weights, scratch):
    """The answer to the question, or the best on the menu where that is illegal."""
    action = np.int64(drive_well(race, edition, seat, weights, scratch))
    if why_not(race, edition, seat, action) != FINE:  # rounding: its end is not clear by a tenth of a millimetre
        return best_on_menu(race, edition, seat, weights)
    return action


@kernel
def drive_with(race_bytes, edition_bytes, seat, weights, plan):
    """Write one answer into `plan`."""
    scratch = np.zeros(SCRATCH, np.int64)
    plan[0] = choose_legally(fields(race_bytes, RACE), fields(edition_bytes, EDITION), seat, weights, scratch)
    return 1


@entry(interface.DRIVER)
def steady(race, edition, seat, dice, plan):
    """As the competent driver, but looks less far ahead, and so often comes late into the bends."""
    return drive_with(race, edition, seat, STEADY, plan)


@entry(interface.DRIVER)
def competent(race, edition, seat, dice, plan):
    """Plans its line through bends, takes tests that pay, spends stamina over the race, attacks when it gains."""
    return drive_with(race, edition, seat, COMPETENT, plan)


@entry(interface.DRIVER)
def bold(race, edition, seat, dice, plan):
    """Takes more risk than the competent driver and less than the daring one."""
    return drive_with(race, edition, seat, BOLD, plan)


@entry(interface.DRIVER)
def daring(race, edition, seat, dice, plan):
    """Looks further ahead than the competent one, spurs as soon as there is room, and trusts its luck in tests."""
    return drive_with(race, edition, seat, DARING, plan)


@entry(interface.DRIVER)
def headlong(race, edition, seat, dice, plan):
    """Makes a beginner's mistakes: spurs early, looks only a little ahead, and so bumps into walls and rivals."""
    return drive_with(race, edition, seat, HEADLONG, plan)


@entry(interface.DRIVER)
def cautious(race, edition, seat, dice, plan):
    """Avoids every test that it can; no spur, no attack."""
    return drive_with(race, edition, seat, CAUTIOUS, plan)


DRIVERS = {
    "random": random_driver,
    "cautious": cautious,
    "headlong": headlong,
    "steady": steady,
    "competent": competent,
    "bold": bold,
    "daring": daring,
}
