"""Candidates: the answers that learned policies and the search compare, and the features that describe them.

The first candidate is always the daring driver's answer. To a question with a handful of answers all are candidates;
of sub-moves those whose plans that driver thinks best. Every plan is one answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from spina.games.chariotmaster.bots.drivers import DARING, choose_legally, faces_backwards, worth_of_attack
from spina.games.chariotmaster.bots.plans import (
    C_HEADING,
    C_HERE,
    C_HOME,
    C_NUMBERS,
    C_PIVOT,
    C_UNITS,
    C_WAY,
    C_X,
    C_Y,
    V_ALONE,
    V_BRAKE,
    V_NUMBERS,
    V_PLAN,
    Grid,
    RestOfTurn,
    beginning_code,
    go_on_value,
    most_beginnings,
    share_passing,
    think_through,
)
from spina.games.chariotmaster.bots.sights import SCRATCH, W_STAMINA, WORTHLESS, look_again, promise
from spina.games.chariotmaster.bots.situation import (
    ANGLE,
    ASKED,
    NEAR,
    POINTS,
    SITUATION,
    UNIT,
    WIDE,
    bounded,
    describe_situation,
    distance_to,
)
from spina.games.chariotmaster.rules.attacks import attack_of, list_attacks, price_of
from spina.games.chariotmaster.rules.chariots import (
    are_one_side,
    best_token,
    collision_value,
    distance_left,
    is_out_of_control,
    least_distance,
    reach_of,
    token_in_use,
)
from spina.games.chariotmaster.rules.choices import FINE, next_to_choose, why_not
from spina.games.chariotmaster.rules.dice import passes
from spina.games.chariotmaster.rules.drive import can_go_faster
from spina.games.chariotmaster.rules.event_kinds import (
    AT_RAM,
    AT_WHIP_DRIVER,
    AT_WHIP_HORSES,
    R_COLLISION,
    R_OUT_OF,
    R_SUBMOVE,
)
from spina.games.chariotmaster.rules.field import pose_of
from spina.games.chariotmaster.rules.geometry import Pose, angle_to
from spina.games.chariotmaster.rules.menu import list_answers
from spina.games.chariotmaster.rules.record import (
    ABSENT,
    ASK_ATTACK,
    ASK_CLIMB,
    ASK_CUT,
    ASK_DEFEND,
    ASK_DRIVE,
    ASK_MODIFY,
    ASK_SIDE,
    ASK_SKID,
    ASK_SUBMOVE,
    ASK_TOKENS,
    BODY,
    CHARIOTS,
    CM,
    DO_ANNOUNCE,
    DO_BRAKE,
    DO_MODIFY,
    DO_NO_ATTACK,
    DO_RAM,
    DO_STOP,
    DO_SUBMOVE,
    DO_TOKEN,
    DO_UTURN,
    DO_WALK,
    EDITION,
    FACES,
    HORSES,
    LONGEST_MENU,
    NOTHING,
    RACE,
    SKILL,
    STAMINA,
    STRAIGHT,
    STRUCTURE,
    TOKENS,
)
from spina.games.chariotmaster.rules.track import at, offset
from spina.kernel import interface
from spina.kernel.compiler import entry, kernel
from spina.kernel.policy_network import MOST_CANDIDATES, PolicySize
from spina.kernel.record import fields

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

THOROUGH = Grid(10, 3, 20)
"""Sub-moves that are compared."""
MARGIN = 3000.0
"""Units by which the plan with a sub-move may be worse than the best one and still be looked at in full."""
HALF_DIE = 350
"""Units that a spur adds on average."""

# --- features of a candidate ----------------------------------------------------------------------------------------

(
    F_DRIVER,  # the daring driver's answer
    F_WORTH,  # against that answer, where the driver's own valuation compares them
    F_VALUE,  # of the best plan that goes on from it, against the best without spur, whip and brake
    F_TOKEN,  # one of TOKENS
    F_SUBMOVE,
    F_PLAIN,  # stop, brake, spur, whip, announce
    F_OTHER,  # small answers, by question: one of ASKED
    F_SAYS,  # and by answer: one of SMALL
    F_LENGTH,
    F_LEFT,
    F_ASIDE,
    F_PIVOT,
    F_SHORT,
    F_GAIN,
    F_ROOM,
    F_AHEAD,
    F_ASKEW,
    F_INSIDE,
    F_MORE,
    F_GOES_ON,
    F_FAILS,
    F_RIVAL,
    F_BLOCKED,
    F_ATTACK,
    F_RAM,
    F_WHIP_HORSES,
    F_WHIP_DRIVER,
    F_ATTACK_WORTH,
    F_ATTACK_PRICE,
    F_DICE,
    F_THEIR_DICE,
    F_TARGET_POINTS,
    F_TARGET_WEAK,
    F_TARGET_LEAD,
    F_TARGET_BEHIND,
    F_TARGET_IN_CONTROL,
    F_FACE,
    F_UPWARDS,
    F_SAVES,
) = (0, 1, 2, 3, 6, 7, 12, 21, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50,
     51, 52, 53, 54, 55, 56, 57, 58, 59)  # fmt: skip
SMALL = 8
CANDIDATE = 60
SIZE = PolicySize(SITUATION, CANDIDATE)

DICE_COUNT = 6.0
UNKNOWN = -0.5
"""The worth of an answer that the driver's valuation does not compare with others, against the driver's answer."""


class Room(NamedTuple):
    """Memory for the plans of a turn."""

    ends: np.ndarray
    worth: np.ndarray
    order: np.ndarray
    scratch: np.ndarray
    values: np.ndarray
    """By candidate: its worth in the driver's eyes; WORTHLESS if that is unknown."""


@kernel
def new_room():
    """Memory for one choice."""
    return Room(
        np.zeros((most_beginnings(THOROUGH), C_NUMBERS), np.int64),
        np.zeros((most_beginnings(THOROUGH), V_NUMBERS)),
        np.zeros(THOROUGH.expanded, np.int64),
        np.zeros(SCRATCH, np.int64),
        np.zeros(MOST_CANDIDATES),
    )


# --- candidates -----------------------------------------------------------------------------------------------------


@kernel
def add(race: RaceRecord, edition: EditionRecord, seat, action, value, plans, lengths, features, count, room: Room):
    """Append a legal answer that is not listed yet; returns its number, NOTHING if it was not appended."""
    if count >= MOST_CANDIDATES:
        return NOTHING
    for k in range(count):
        if plans[k, 0] == action:
            room.values[k] = max(room.values[k], value)
            return k
    if count > 0 and why_not(race, edition, seat, action) != FINE:
        return NOTHING
    plans[count, 0], lengths[count], room.values[count] = action, 1, value
    features[count, :CANDIDATE] = 0.0
    return count


@kernel
def describe_end(race: RaceRecord, edition: EditionRecord, chariot, left, room: Room, n, features, k):
    """Write what sub-move n of the plans comes to."""
    ends, worth, out = room.ends, room.worth, features[k]
    t = race.scenario
    x, y, heading, here = ends[n, C_X], ends[n, C_Y], ends[n, C_HEADING], ends[n, C_HERE]
    units = ends[n, C_UNITS]
    out[F_SUBMOVE] = 1.0
    out[F_LENGTH], out[F_LEFT] = units / UNIT, (left - units) / UNIT
    out[F_ASIDE] = 0.0 if ends[n, C_WAY] == STRAIGHT else 1.0
    out[F_PIVOT] = abs(ends[n, C_PIVOT]) / ANGLE
    out[F_SHORT] = 1.0 if worth[n, V_BRAKE] > 0.0 else 0.0
    free, there = look_again(race, edition, chariot, Pose(x, y, heading), here, ends[n, C_HOME], DARING, room.scratch)
    out[F_GAIN], out[F_ROOM] = bounded((here - race.way[chariot]) / UNIT), free / UNIT
    out[F_AHEAD] = bounded((there - here) / UNIT)
    _, _, tangent = at(edition, t, there, 0)
    out[F_ASKEW] = abs(angle_to(heading, tangent)) / ANGLE
    out[F_INSIDE] = edition.inside[t] * offset(edition, t, x, y, here) / WIDE
    more = worth[n, V_PLAN] - worth[n, V_ALONE]
    out[F_MORE] = bounded(more / UNIT)
    out[F_GOES_ON] = 1.0 if more > 0.0 else 0.0
    nearest = UNIT
    for other in range(race.chariots):
        if other == chariot or race.kind[other] == ABSENT or are_one_side(race, chariot, other):
            continue
        away = distance_to(race, other, x, y)
        nearest = min(nearest, away)
        if away < NEAR and race.progress[other] < here:
            out[F_BLOCKED] += 1.0 / POINTS
    out[F_RIVAL] = 1.0 - nearest / UNIT


@kernel
def think(race: RaceRecord, edition: EditionRecord, chariot, token, left, least, begun, room: Room):
    """Think the most promising sub-moves through; returns how many there are."""
    return think_through(
        race, edition, chariot, token, left, least, begun, WORTHLESS, MARGIN, THOROUGH, DARING, room.ends, room.worth,
        room.order, room.scratch,
    )  # fmt: skip


@kernel
def best_plan(race: RaceRecord, edition: EditionRecord, chariot, token, left, least, begun, room: Room):
    """The row of the beginning with the best plan, NOTHING if there is none."""
    best = NOTHING
    for i in range(think(race, edition, chariot, token, left, least, begun, room)):
        n = room.order[i]
        if best == NOTHING or room.worth[n, V_PLAN] > room.worth[best, V_PLAN]:
            best = n
    return best


@kernel
def list_submoves(race: RaceRecord, edition: EditionRecord, seat, plans, lengths, features, count, room: Room):
    """List the sub-moves with the best plans; returns the new number of candidates and the worth of the best plan."""
    chariot = race.ask_chariot
    left, least = distance_left(race, edition, chariot), least_distance(race, edition, chariot) - race.moved
    if left < CM:
        return count, WORTHLESS
    token, begun = token_in_use(race, chariot), race.submoves
    found = think(race, edition, chariot, token, left, least, begun, room)
    best = WORTHLESS
    fails = 1.0 - share_passing(race.points[chariot, SKILL], begun + 1 + edition.test[token])
    for i in range(found):
        n = room.order[i]
        value = room.worth[n, V_PLAN]
        action = beginning_code(room.ends, n)
        k = add(race, edition, seat, action, value, plans, lengths, features, count, room)
        if k == NOTHING:
            continue
        best = max(best, value)
        describe_end(race, edition, chariot, left, room, n, features, k)
        features[k, F_FAILS] = fails * features[k, F_GOES_ON]
        count = max(count, k + 1)
    return count, best


@kernel
def value_of_going_on(race: RaceRecord, edition: EditionRecord, chariot, left, least, chance, room: Room):
    """What the turn is worth with another sub-move, of which this is left, in the driver's eyes."""
    token, begun = token_in_use(race, chariot), race.submoves
    if begun > 0:
        rest, pose = RestOfTurn(left, least, edition.pivot[token], THOROUGH), pose_of(race, chariot)
        return go_on_value(
            race, edition, chariot, pose, race.last_direction, rest, chance, WORTHLESS, DARING, room.scratch
        )
    best = NOTHING if left < CM else best_plan(race, edition, chariot, token, left, least, begun, room)
    return WORTHLESS if best == NOTHING else room.worth[best, V_PLAN]


@kernel
def list_plain(race: RaceRecord, edition: EditionRecord, seat, best, plans, lengths, features, count, room: Room):
    """List stop, brake, spur, whip and announcement; returns the new number of candidates.

    `best` is the worth of the best sub-move, WORTHLESS if there is none.
    """
    chariot = race.ask_chariot
    left, least = distance_left(race, edition, chariot), least_distance(race, edition, chariot) - race.moved
    now = promise(race, edition, chariot, pose_of(race, chariot), DARING)
    chance = share_passing(race.points[chariot, SKILL], race.submoves + edition.test[token_in_use(race, chariot)])
    if race.submoves > 0:
        best = value_of_going_on(race, edition, chariot, left, least, chance, room)
    braked = now - 3 * DARING[W_STAMINA]
    most = max(best, now if least <= 0 else braked)
    faster = WORTHLESS
    if race.points[chariot, STAMINA] > 0 and can_go_faster(race, chariot):
        faster = value_of_going_on(race, edition, chariot, left + HALF_DIE, least + HALF_DIE, chance, room)
        faster -= DARING[W_STAMINA]
    for action in range(DO_STOP, DO_ANNOUNCE + 1):
        known, value = WORTHLESS, faster
        if action == DO_STOP:
            known, value = now, now
        elif action == DO_ANNOUNCE:
            known, value = best, best
        elif action == DO_BRAKE:
            value = braked
        elif race.points[chariot, STAMINA] == 0:
            continue
        k = add(race, edition, seat, action, known, plans, lengths, features, count, room)
        if k != NOTHING:
            features[k, F_PLAIN + action - DO_STOP], features[k, F_VALUE] = 1.0, bounded((value - most) / UNIT)
            if race.submoves > 0 and action > DO_BRAKE:
                features[k, F_FAILS] = 1.0 - chance
            count = max(count, k + 1)
    return count


@kernel
def list_drive(race: RaceRecord, edition: EditionRecord, seat, plans, lengths, features, count, room: Room):
    """List what a chariot may do before its first sub-move, between two, or after a passed test."""
    best = WORTHLESS
    if race.ask == ASK_SUBMOVE or race.submoves == 0:
        count, best = list_submoves(race, edition, seat, plans, lengths, features, count, room)
    if race.ask == ASK_DRIVE:
        count = list_plain(race, edition, seat, best, plans, lengths, features, count, room)
    if best > WORTHLESS:
        for k in range(count):
            if plans[k, 0] >= DO_SUBMOVE and room.values[k] > WORTHLESS:
                features[k, F_VALUE] = bounded((room.values[k] - best) / UNIT)
    return count


@kernel
def list_tokens(race: RaceRecord, edition: EditionRecord, seat, plans, lengths, features, count, room: Room):
    """List the tokens that the next chariot may use, each with the worth of its best plan."""
    chariot, best = next_to_choose(race, seat), WORTHLESS
    fastest = min(best_token(race, chariot), TOKENS - 1)
    for token in range(fastest + 1):
        most, least = reach_of(race, edition, chariot, token), edition.least[token]
        n = best_plan(race, edition, chariot, token, most, least, 0, room)
        value = WORTHLESS if n == NOTHING else room.worth[n, V_PLAN]
        best = max(best, value)
        k = add(race, edition, seat, DO_TOKEN + token, value, plans, lengths, features, count, room)
        if k == NOTHING:
            continue
        count = max(count, k + 1)
        features[k, F_TOKEN + token] = 1.0
        features[k, F_FAILS] = 1.0 - share_passing(race.points[chariot, SKILL], 1 + edition.test[token])
        if n != NOTHING:
            units = room.ends[n, C_UNITS]
            features[k, F_LENGTH], features[k, F_LEFT] = units / UNIT, (most - units) / UNIT
            features[k, F_ASIDE] = 0.0 if room.ends[n, C_WAY] == STRAIGHT else 1.0
            features[k, F_PIVOT] = abs(room.ends[n, C_PIVOT]) / ANGLE
            features[k, F_SHORT] = 1.0 if units < least else 0.0
    for k in range(count):
        features[k, F_VALUE] = bounded((room.values[k] - best) / UNIT)
    return count


@kernel
def describe_attack(race: RaceRecord, edition: EditionRecord, chariot, action, features, k):
    """Write what an attack on a chariot may come to."""
    obj, part, which, _ = attack_of(action)
    out = features[k]
    out[F_ATTACK] = 1.0
    if which == AT_RAM:
        out[F_RAM] = 1.0
    elif which == AT_WHIP_HORSES:
        out[F_WHIP_HORSES] = 1.0
    elif which == AT_WHIP_DRIVER:
        out[F_WHIP_DRIVER] = 1.0
    out[F_ATTACK_WORTH] = bounded(worth_of_attack(race, edition, chariot, action, DARING) / 100.0)
    out[F_ATTACK_PRICE] = 1.0 * price_of(race, chariot, obj)
    own = collision_value(race, edition, chariot, BODY if which == AT_RAM else HORSES) + edition.ram_bonus
    out[F_DICE], out[F_THEIR_DICE] = own / DICE_COUNT, collision_value(race, edition, obj, part) / DICE_COUNT
    points = race.points[obj, STRUCTURE if part == BODY else STAMINA]
    out[F_TARGET_POINTS], out[F_TARGET_WEAK] = points / POINTS, 1.0 if points < 2 else 0.0
    lead = bounded((race.progress[obj] - race.progress[chariot]) / UNIT)
    out[F_TARGET_LEAD], out[F_TARGET_BEHIND] = lead, 1.0 if lead < 0 else 0.0
    out[F_TARGET_IN_CONTROL] = 0.0 if is_out_of_control(race, obj) else 1.0


@kernel
def list_blows(race: RaceRecord, edition: EditionRecord, seat, plans, lengths, features, count, room: Room):
    """List the attacks on chariots, and none."""
    chariot = race.ask_chariot
    menu = np.zeros(LONGEST_MENU, np.int64)
    found = list_attacks(race, edition, chariot, menu, LONGEST_MENU - 64)
    menu[found] = DO_NO_ATTACK
    for i in range(found, -1, -1):
        action = menu[i]
        if action != DO_NO_ATTACK and attack_of(action)[0] >= CHARIOTS:
            continue
        value = 0.0
        if action != DO_NO_ATTACK:
            value = worth_of_attack(race, edition, chariot, action, DARING)
        k = add(race, edition, seat, action, value, plans, lengths, features, count, room)
        if k == NOTHING:
            continue
        count = max(count, k + 1)
        if action != DO_NO_ATTACK:
            describe_attack(race, edition, chariot, action, features, k)
    return count


@kernel
def describe_luck(race: RaceRecord, edition: EditionRecord, action, features, k):
    """Write what modifying a die comes to."""
    what, chariot = race.ask_about, race.ask_chariot
    face, up = race.die[(action - DO_MODIFY) // 2], (action - DO_MODIFY) % 2
    features[k, F_FACE], features[k, F_UPWARDS] = face / FACES, 1.0 * up
    if what == R_SUBMOVE:
        modifier = race.submoves + edition.test[token_in_use(race, chariot)]
        skill = race.points[chariot, SKILL]
        if not passes(face, modifier, skill) and passes(face + 2 * up - 1, modifier, skill):
            features[k, F_SAVES] = 1.0
    elif what == R_COLLISION or what == R_OUT_OF:
        features[k, F_SAVES] = -1.0


@kernel
def list_small(race: RaceRecord, edition: EditionRecord, seat, plans, lengths, features, count, room: Room):
    """List all answers to a question that has a handful."""
    menu = np.zeros(LONGEST_MENU, np.int64)
    question = race.ask
    for i in range(list_answers(race, edition, seat, menu)):
        action = menu[i]
        k = add(race, edition, seat, action, WORTHLESS, plans, lengths, features, count, room)
        if k == NOTHING:
            continue
        count = max(count, k + 1)
        for asked in range(len(ASKED)):
            if question == ASKED[asked]:
                features[k, F_OTHER + asked] = 1.0
        if DO_MODIFY <= action < DO_RAM:
            describe_luck(race, edition, action, features, k)
        else:
            features[k, F_SAYS + min(i, SMALL - 1)] = 1.0
    return count


@kernel
def find_candidates(race: RaceRecord, edition: EditionRecord, seat, plans, lengths, situation, features):
    """List the candidates, the daring driver's answer first, and describe them; returns their number.

    Where that answer alone makes sense, it is the only one.
    """
    room = new_room()
    action = choose_legally(race, edition, seat, DARING, room.scratch)
    count = 1 + add(race, edition, seat, action, WORTHLESS, plans, lengths, features, 0, room)
    question, chariot = race.ask, race.ask_chariot
    if question == ASK_TOKENS:
        chariot = next_to_choose(race, seat)
        if best_token(race, chariot) > 0:
            count = list_tokens(race, edition, seat, plans, lengths, features, count, room)
    elif question == ASK_DRIVE or question == ASK_SUBMOVE:
        turns_round = DO_UTURN <= action < DO_WALK
        if not turns_round and not faces_backwards(race, edition, chariot):
            count = list_drive(race, edition, seat, plans, lengths, features, count, room)
    elif question == ASK_ATTACK:
        count = list_blows(race, edition, seat, plans, lengths, features, count, room)
    elif (
        question == ASK_SKID or question == ASK_DEFEND or question == ASK_SIDE or question == ASK_MODIFY
        or question == ASK_CLIMB or question == ASK_CUT
    ):  # fmt: skip
        count = list_small(race, edition, seat, plans, lengths, features, count, room)
    if count < 2:
        return count
    describe_situation(race, edition, chariot, room.scratch, situation)
    features[0, F_DRIVER] = 1.0
    for k in range(1, count):
        features[k, F_WORTH] = UNKNOWN
        if room.values[0] > WORTHLESS and room.values[k] > WORTHLESS:
            features[k, F_WORTH] = min(0.0, bounded((room.values[k] - room.values[0]) / UNIT))
    return count


@entry(interface.LIST_CANDIDATES)
def list_candidates(race_bytes, edition_bytes, seat, plans, lengths, situation, features):
    """Write the candidates for the seat's answer, their features, and the features of the situation."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    return find_candidates(race, edition, seat, plans, lengths, situation, features)
