"""What a place on the track promises, and what a chariot turn from there can be made of: the drivers' foresight.

Values are units of progress. A pose is worth the progress it has and part of what lies straight ahead of it, less for
standing askew to the track and for a wall close in front. A turn is planned as one sub-move or two, with the risk of
the test between them; other chariots are taken to stay where they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from spina.games.chariotmaster.rules.chariots import reach_of
from spina.games.chariotmaster.rules.dice import passes
from spina.games.chariotmaster.rules.drive import direction_of, submove_code
from spina.games.chariotmaster.rules.field import (
    home_segment,
    pivot_free,
    pose_of,
    turns_freely,
    way_free,
    way_free_from,
)
from spina.games.chariotmaster.rules.geometry import Pose, angle_to, translated
from spina.games.chariotmaster.rules.record import (
    CENTRE,
    CM,
    DEGREE,
    FACES,
    FULL,
    MM,
    NOTHING,
    SKILL,
    STAMINA,
    STRAIGHT,
    TOKENS,
    WAYS,
)
from spina.games.chariotmaster.rules.track import at, progress
from spina.kernel.compiler import kernel

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

(
    W_AHEAD, W_SIGHT, W_ASKEW, W_CLOSE, W_STAMINA, W_COLLISION, W_BRAKE, W_RISK, W_SPUR, W_ATTACK, W_HURT, W_TESTS,
) = range(12)  # fmt: skip
"""Weights: share of the way straight ahead that counts, how far one looks (units), loss per tenth of a degree askew
at the end of it, loss per unit that is missing to a free sight, worth of a point of stamina, of a collision, of having
to brake, factor of the risk of a skid, room (units) wanted for a spur, worth of hurting a rival by a point, of being
hurt by one; 1 if the driver takes tests."""
WEIGHTS = 12
WORTHLESS = -1e9
FREELY = 150
"""Tenths of a degree askew that do no harm."""


@kernel
def share_passing(skill, modifier):
    """The chance to pass a test (K7)."""
    faces = 0
    for face in range(1, FACES + 1):
        if passes(face, modifier, skill):
            faces += 1
    return faces / FACES


class RestOfTurn(NamedTuple):
    """What is left of a chariot turn."""

    left: int
    """Units that the chariot may still go."""
    least: int
    """Units that it must still go; it brakes if it goes less."""
    limit: int
    """Tenths of a degree that it may pivot after each sub-move."""


PLANS = 4
"""Numbers at the beginning of a driver's scratch memory: degrees and units of a sub-move, the action of a plan."""
SIGHTS = 256
"""Poses whose sight is remembered while a driver compares plans: tokens and beginnings often lead to the same pose."""
S_X, S_Y, S_HEADING, S_ROOM, S_THERE = range(5)
"""A remembered sight: the pose, its heading counted from 1, and what `look_ahead` returned."""
SIGHT = 5
SCRATCH = PLANS + SIGHTS * SIGHT
"""Length of the scratch memory, all 0 at first. It is for one chariot, one set of weights and one state of the race."""


@kernel
def look_ahead(race: RaceRecord, edition: EditionRecord, chariot, pose: Pose, here, home, weights):
    """How far the way straight ahead is free, and the progress where it ends.

    `here` is the progress of the pose, `home` its segment.
    """
    sight = np.int64(weights[W_SIGHT])
    room, _ = way_free_from(race, edition, chariot, pose, home, pose.heading, sight, np.int64(0))
    fx, fy = translated(pose.x, pose.y, pose.heading, room)
    return room, progress(edition, race.scenario, fx, fy, here)


@kernel
def look_again(race: RaceRecord, edition: EditionRecord, chariot, pose: Pose, here, home, weights, out):
    """The same, remembered in the scratch memory."""
    slot = PLANS + ((pose.x * 7 + pose.y * 13 + pose.heading) & (SIGHTS - 1)) * SIGHT
    if out[slot + S_HEADING] == pose.heading + 1 and out[slot + S_X] == pose.x and out[slot + S_Y] == pose.y:
        return out[slot + S_ROOM], out[slot + S_THERE]
    room, there = look_ahead(race, edition, chariot, pose, here, home, weights)
    out[slot + S_X], out[slot + S_Y], out[slot + S_HEADING] = pose.x, pose.y, pose.heading + 1
    out[slot + S_ROOM], out[slot + S_THERE] = room, there
    return room, there


@kernel
def worth_of_sight(edition: EditionRecord, t, heading, here, room, there, weights):
    """The worth of a pose from where it is, how far its way is free, and where that ends."""
    _, _, tangent = at(edition, t, there, 0)
    askew = abs(angle_to(heading, tangent))
    sight = np.int64(weights[W_SIGHT])
    value = here + weights[W_AHEAD] * (there - here) - weights[W_CLOSE] * (sight - room)
    return value - weights[W_ASKEW] * max(0, askew - FREELY)


@kernel
def promise(race: RaceRecord, edition: EditionRecord, chariot, pose: Pose, weights):
    """The worth of a pose; it lies near the progress of the chariot."""
    here = progress(edition, race.scenario, pose.x, pose.y, race.way[chariot])
    home = home_segment(race, edition, chariot, pose.x, pose.y)
    room, there = look_ahead(race, edition, chariot, pose, here, home, weights)
    return worth_of_sight(edition, race.scenario, pose.heading, here, room, there, weights)


@kernel
def promise_from(race: RaceRecord, edition: EditionRecord, chariot, pose: Pose, here, home, weights, out):
    """The same for a pose whose progress and segment are known."""
    room, there = look_again(race, edition, chariot, pose, here, home, weights, out)
    return worth_of_sight(edition, race.scenario, pose.heading, here, room, there, weights)


@kernel
def turned_value(race: RaceRecord, edition: EditionRecord, chariot, pose: Pose, limit, weights, out):
    """The best pivot at the end of a sub-move: returns its worth, and in out[0] its degrees."""
    here = progress(edition, race.scenario, pose.x, pose.y, race.way[chariot])
    home = home_segment(race, edition, chariot, pose.x, pose.y)
    best = promise_from(race, edition, chariot, pose, here, home, weights, out)
    freely = turns_freely(race, edition, chariot, pose, home)
    out[0] = 0
    for side in range(-1, 2, 2):
        free = limit
        if not freely:
            free = pivot_free(race, edition, chariot, pose, 0, 0, side * limit, np.int64(0))
        free = free // DEGREE * DEGREE
        for part in range(1, 4):
            angle = min(limit * part // 3 // DEGREE * DEGREE, free)
            if angle <= 0 or (part > 1 and angle == limit * (part - 1) // 3 // DEGREE * DEGREE):
                continue
            turned = Pose(pose.x, pose.y, (pose.heading + side * angle + FULL) % FULL)
            value = promise_from(race, edition, chariot, turned, here, home, weights, out)
            if value > best:
                best = value
                out[0] = side * angle // DEGREE
    return best


LENGTHS = 4


@kernel
def nth_length(n, room, least):
    """Lengths of sub-moves that are tried, of those that are free: all, two thirds, a third, just enough."""
    units = room
    if n == 1:
        units = room * 2 // 3
    elif n == 2:
        units = room // 3
    elif n == 3:
        units = least
        if least < CM or least >= room:
            return np.int64(0)
    units = units // MM * MM
    return units if units >= CM else np.int64(0)


@kernel
def best_single(race: RaceRecord, edition: EditionRecord, chariot, pose: Pose, rest: RestOfTurn, weights, out):
    """The best one sub-move straight ahead from a pose: returns its worth; out gets degrees and units."""
    room, _ = way_free(race, edition, chariot, pose, pose.heading, rest.left, np.int64(0))
    best, degrees, length = WORTHLESS, 0, 0
    for n in range(LENGTHS):
        units = nth_length(n, room, rest.least)
        if units == 0:
            continue
        ex, ey = translated(pose.x, pose.y, pose.heading, units)
        value = turned_value(race, edition, chariot, Pose(ex, ey, pose.heading), rest.limit, weights, out)
        if units < rest.least:
            value -= weights[W_BRAKE]
        if value > best:
            best, degrees, length = value, out[0], units
    out[0], out[1] = degrees, length
    return best


@kernel
def skid_value(race: RaceRecord, edition: EditionRecord, chariot, pose: Pose, direction, left, weights):
    """The worth of a failed test: the chariot slides on, perhaps into something."""
    if left <= 0:
        return promise(race, edition, chariot, pose, weights)
    rest, hit_at = way_free(race, edition, chariot, pose, direction, left, np.int64(0))
    sx, sy = translated(pose.x, pose.y, direction, rest)
    value = promise(race, edition, chariot, Pose(sx, sy, pose.heading), weights)
    return value if hit_at == NOTHING else value - weights[W_COLLISION]


@kernel
def go_on_value(
    race: RaceRecord,
    edition: EditionRecord,
    chariot,
    pose: Pose,
    direction,
    rest: RestOfTurn,
    chance,
    least,
    weights,
    out,
):
    """The worth of another sub-move with its test, or a number up to `least` if it is no more than that.

    `direction` is that of the last sub-move, in which a failed test skids; `chance` is that of passing the test. `out`
    gets the degrees and units of the sub-move.
    """
    if rest.left < CM:
        return WORTHLESS
    value = best_single(race, edition, chariot, pose, rest, weights, out)
    if value <= max(least, WORTHLESS):
        return value
    slide = skid_value(race, edition, chariot, pose, direction, rest.left, weights)
    return value - (1.0 - chance) * max(0.0, value - slide) * weights[W_RISK]


C_ACTION, C_X, C_Y, C_HEADING, C_DIRECTION, C_UNITS = range(6)
"""A beginning of a turn: the action, the pose it leads to, the direction and length of its way."""
CANDIDATES = 72
EXPANDED = 6
"""Beginnings that are thought through to a second sub-move."""


@kernel
def list_beginnings(race: RaceRecord, edition: EditionRecord, chariot, token, left, least, weights, table, worth, out):
    """Sub-moves worth trying from where a chariot stands, each with what its end promises; returns how many."""
    start, limit = pose_of(race, chariot), edition.pivot[token]
    count, best = 0, WORTHLESS
    for sweep in range(WAYS):
        price = 0.0
        direction = start.heading
        if sweep != STRAIGHT:
            if best > race.way[chariot] + weights[W_AHEAD] * weights[W_SIGHT] * 0.6:
                break  # no reason to pay for room
            price = weights[W_STAMINA] if race.points[chariot, STAMINA] > 0 else 3 * weights[W_STAMINA]
            direction = direction_of(race, chariot, sweep)
        room, _ = way_free(race, edition, chariot, start, direction, left, np.int64(0))
        for n in range(LENGTHS):
            units = nth_length(n, room, least)
            if units == 0 or (sweep != STRAIGHT and n == 1):
                continue
            ex, ey = translated(start.x, start.y, direction, units)
            end = Pose(ex, ey, start.heading)
            here = progress(edition, race.scenario, ex, ey, race.way[chariot])
            home = home_segment(race, edition, chariot, ex, ey)
            freely = turns_freely(race, edition, chariot, end, home)
            for turn in range(-3, 4):
                angle = limit * turn // 3 // DEGREE * DEGREE
                if turn and not freely:
                    if pivot_free(race, edition, chariot, end, 0, 0, angle, np.int64(0)) < abs(angle):
                        continue
                turned = (start.heading + angle + FULL) % FULL
                value = promise_from(race, edition, chariot, Pose(ex, ey, turned), here, home, weights, out) - price
                if units < least:
                    value -= weights[W_BRAKE]
                worth[count] = value
                table[count, C_ACTION] = submove_code(sweep, units // MM, angle // DEGREE, CENTRE)
                table[count, C_X], table[count, C_Y], table[count, C_HEADING] = ex, ey, turned
                table[count, C_DIRECTION], table[count, C_UNITS] = direction, units
                best = max(best, value)
                count += 1
                if count == CANDIDATES:
                    return count
    return count


@kernel
def best_turn(race: RaceRecord, edition: EditionRecord, chariot, token, left, least, begun, weights, out):
    """The best plan for a sub-move now and perhaps one after it.

    Returns its worth; out[2] gets the action that begins it, NOTHING if nothing is free.
    """
    table, worth = np.zeros((CANDIDATES, 6), np.int64), np.zeros(CANDIDATES)
    count = list_beginnings(race, edition, chariot, token, left, least, weights, table, worth, out)
    chance = share_passing(race.points[chariot, SKILL], begun + 1 + edition.test[token])
    best, action = WORTHLESS, NOTHING
    for expanded in range(count):
        first = 0
        for i in range(count):
            if worth[i] > worth[first]:
                first = i
        value, units = worth[first], table[first, C_UNITS]
        worth[first] = WORTHLESS
        if expanded < EXPANDED and (weights[W_TESTS] > 0 or units < least):
            pose = Pose(table[first, C_X], table[first, C_Y], table[first, C_HEADING])
            rest = RestOfTurn(left - units, least - units, edition.pivot[token])
            direction = table[first, C_DIRECTION]
            more = go_on_value(race, edition, chariot, pose, direction, rest, chance, best, weights, out)
            value = max(value, more)
        elif expanded >= EXPANDED and value <= best:
            break
        if value > best:
            best, action = value, table[first, C_ACTION]
    out[2] = action
    return best


@kernel
def best_token_for(race: RaceRecord, edition: EditionRecord, chariot, fastest, weights, out):
    """The token whose best plan is worth most."""
    best, choice = WORTHLESS, np.int64(0)
    for token in range(min(fastest, TOKENS - 1) + 1):
        most = reach_of(race, edition, chariot, token)
        value = best_turn(race, edition, chariot, token, most, edition.least[token], 0, weights, out)
        if value > best:
            best, choice = value, np.int64(token)
    return choice


@kernel
def way_to_go(race: RaceRecord, edition: EditionRecord, chariot):
    """Units to the finish."""
    return race.laps * edition.lap[race.scenario] - race.progress[chariot]
