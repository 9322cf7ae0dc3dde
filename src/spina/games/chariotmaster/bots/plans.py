"""What a chariot turn can be made of: the drivers' foresight.

A turn is planned as one sub-move or two, with the risk of the test between them; other chariots are taken to stay where
they are. `sights.py` says what a pose is worth, `sight_bounds.py` what it is worth at most: a look ahead is taken only
where it can change the choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from spina.games.chariotmaster.bots.sight_bounds import BOUNDLESS, is_out_of_walls, worth_at_most
from spina.games.chariotmaster.bots.sights import (
    W_AHEAD,
    W_BRAKE,
    W_COLLISION,
    W_RISK,
    W_SIGHT,
    W_STAMINA,
    W_TESTS,
    WORTHLESS,
    promise,
    promise_from,
)
from spina.games.chariotmaster.rules.chariots import reach_of
from spina.games.chariotmaster.rules.dice import passes
from spina.games.chariotmaster.rules.drive import direction_of, submove_code
from spina.games.chariotmaster.rules.field import home_segment, pivot_free, pose_of, turns_freely, way_free_from
from spina.games.chariotmaster.rules.geometry import Pose, translated
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
from spina.games.chariotmaster.rules.track import progress
from spina.kernel.compiler import kernel

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord


@kernel
def share_passing(skill, modifier):
    """The chance to pass a test (K7)."""
    faces = 0
    for face in range(1, FACES + 1):
        if passes(face, modifier, skill):
            faces += 1
    return faces / FACES


class Grid(NamedTuple):
    """Which sub-moves are compared."""

    lengths: int
    """Lengths, at most ten (`nth_length`)."""
    pivots: int
    """Pivots to each side."""
    expanded: int
    """Beginnings of a turn that are thought through to a second sub-move."""


COARSE = Grid(4, 3, 6)
"""What the hand-written drivers compare."""


class RestOfTurn(NamedTuple):
    """What is left of a chariot turn."""

    left: int
    """Units that the chariot may still go."""
    least: int
    """Units that it must still go; it brakes if it goes less."""
    limit: int
    """Tenths of a degree that it may pivot after each sub-move."""
    grid: Grid


# --- ends of sub-moves ----------------------------------------------------------------------------------------------


class End(NamedTuple):
    """Where a sub-move ends, before the pivot."""

    x: int
    y: int
    here: int
    """The progress there."""
    home: int
    """The segment there."""
    bounded: int
    """1 if `worth_at_most` holds for it."""
    brake: float
    """The price of going less than one must."""


C_X, C_Y, C_HEADING, C_HERE, C_HOME, C_SEEN, C_PIVOT, C_WAY, C_DIRECTION, C_UNITS = range(10)
"""An end with its pivot: the pose, its progress and segment, whether a look ahead from there was taken, the pivot
(tenths of a degree), the way of the sub-move, its direction and its length."""
C_NUMBERS = 10
V_WORTH, V_PRICE, V_BRAKE, V_ALONE, V_PLAN = range(5)
"""Its worth, or the most that it can be until the look ahead was taken, less the price of its way and of braking; the
worth again when the beginning was thought through, and that of the plan that it begins."""
V_NUMBERS = 5
TAKEN = 2 * WORTHLESS
"""The worth of an end that is out of the question."""


@kernel
def end_at(race: RaceRecord, edition: EditionRecord, chariot, x, y, bounded, brake):
    """The end of a sub-move at this point."""
    here = progress(edition, race.scenario, x, y, race.way[chariot])
    return End(x, y, here, home_segment(race, edition, chariot, x, y), bounded, brake)


@kernel
def add_end(
    race: RaceRecord, edition: EditionRecord, chariot, end: End, heading, pivot, price, weights, ends, worth, n
):
    """Write an end with a pivot from this heading into row n."""
    pose = Pose(end.x, end.y, (heading + pivot + FULL) % FULL)
    most = BOUNDLESS
    if end.bounded:
        most = worth_at_most(race, edition, chariot, pose, end.here, end.home, weights)
    worth[n, V_WORTH], worth[n, V_PRICE], worth[n, V_BRAKE] = most - price - end.brake, price, end.brake
    ends[n, C_X], ends[n, C_Y], ends[n, C_HEADING] = pose.x, pose.y, pose.heading
    ends[n, C_HERE], ends[n, C_HOME], ends[n, C_SEEN], ends[n, C_PIVOT] = end.here, end.home, 0, pivot


@kernel
def foremost(race: RaceRecord, edition: EditionRecord, chariot, count, floor, weights, ends, worth, scratch):
    """The first of the ends that are worth most; NOTHING if none is worth `floor`.

    Takes a look ahead only from the end that may be the best by what is known so far.
    """
    while True:
        first = NOTHING
        for n in range(count):
            value = worth[n, V_WORTH]
            if first == NOTHING:
                better = value >= floor
            else:
                better = value > worth[first, V_WORTH]
                better = better or (value == worth[first, V_WORTH] and ends[n, C_SEEN] < ends[first, C_SEEN])
            if better:
                first = n
        if first == NOTHING or ends[first, C_SEEN]:
            return first
        pose = Pose(ends[first, C_X], ends[first, C_Y], ends[first, C_HEADING])
        here, home = ends[first, C_HERE], ends[first, C_HOME]
        value = promise_from(race, edition, chariot, pose, here, home, weights, scratch)
        worth[first, V_WORTH] = value - worth[first, V_PRICE] - worth[first, V_BRAKE]
        ends[first, C_SEEN] = 1


@kernel
def nth_length(n, room, least):
    """Lengths of sub-moves that are tried, of those that are free: all, two thirds, a third, just enough, and others
    between these."""
    units = room
    if n == 1:
        units = room * 2 // 3
    elif n == 2:
        units = room // 3
    elif n > 3:
        units = room * (15 - n) // 12 if n < 7 else room * (14 - n) // 12
    elif n == 3:
        units = least
        if least < CM or least >= room:
            return np.int64(0)
    units = units // MM * MM
    return units if units >= CM else np.int64(0)


# --- the last sub-move ----------------------------------------------------------------------------------------------


@kernel
def list_pivots(
    race: RaceRecord, edition: EditionRecord, chariot, end: End, heading, limit, pivots, weights, ends, worth, n
):
    """Write an end with no pivot and with those that are free from row n on; returns the next row."""
    add_end(race, edition, chariot, end, heading, np.int64(0), 0.0, weights, ends, worth, n)
    n += 1
    pose = Pose(end.x, end.y, heading)
    freely = turns_freely(race, edition, chariot, pose, end.home)
    for side in range(-1, 2, 2):
        free = limit
        if not freely:
            free = pivot_free(race, edition, chariot, pose, 0, 0, side * limit, np.int64(0))
        free = free // DEGREE * DEGREE
        for part in range(1, pivots + 1):
            angle = min(limit * part // pivots // DEGREE * DEGREE, free)
            if angle <= 0 or (part > 1 and angle == limit * (part - 1) // pivots // DEGREE * DEGREE):
                continue
            add_end(race, edition, chariot, end, heading, side * angle, 0.0, weights, ends, worth, n)
            n += 1
    return n


@kernel
def best_pivot(race: RaceRecord, edition: EditionRecord, chariot, limit, weights, scratch):
    """The best pivot where a chariot stands, in degrees."""
    pivots = COARSE.pivots
    ends, worth = np.zeros((2 * pivots + 1, C_NUMBERS), np.int64), np.zeros((2 * pivots + 1, V_NUMBERS))
    pose = pose_of(race, chariot)
    end = end_at(race, edition, chariot, pose.x, pose.y, 0, 0.0)
    count = list_pivots(race, edition, chariot, end, pose.heading, limit, pivots, weights, ends, worth, 0)
    best = foremost(race, edition, chariot, count, WORTHLESS, weights, ends, worth, scratch)
    return ends[best, C_PIVOT] // DEGREE


@kernel
def best_single(
    race: RaceRecord, edition: EditionRecord, chariot, pose: Pose, rest: RestOfTurn, floor, weights, scratch
):
    """The worth of the best one sub-move straight ahead from a pose, WORTHLESS if it is less than `floor`."""
    pivots = rest.grid.pivots
    most = rest.grid.lengths * (2 * pivots + 1)
    ends, worth = np.zeros((most, C_NUMBERS), np.int64), np.zeros((most, V_NUMBERS))
    home = home_segment(race, edition, chariot, pose.x, pose.y)
    room, _ = way_free_from(race, edition, chariot, pose, home, pose.heading, rest.left, np.int64(0))
    bounded = 1 if is_out_of_walls(race, edition, chariot, pose, home) else 0
    count = 0
    for n in range(rest.grid.lengths):
        units = nth_length(n, room, rest.least)
        if units == 0:
            continue
        ex, ey = translated(pose.x, pose.y, pose.heading, units)
        end = end_at(race, edition, chariot, ex, ey, bounded, weights[W_BRAKE] if units < rest.least else 0.0)
        count = list_pivots(race, edition, chariot, end, pose.heading, rest.limit, pivots, weights, ends, worth, count)
    best = foremost(race, edition, chariot, count, floor, weights, ends, worth, scratch)
    return WORTHLESS if best == NOTHING else worth[best, V_WORTH]


@kernel
def skid_value(race: RaceRecord, edition: EditionRecord, chariot, pose: Pose, direction, left, weights):
    """The worth of a failed test: the chariot slides on, perhaps into something."""
    if left <= 0:
        return promise(race, edition, chariot, pose, weights)
    home = home_segment(race, edition, chariot, pose.x, pose.y)
    rest, hit_at = way_free_from(race, edition, chariot, pose, home, direction, left, np.int64(0))
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
    floor,
    weights,
    scratch,
):
    """The worth of another sub-move with its test, WORTHLESS if it surely is less than `floor`.

    `direction` is that of the last sub-move, in which a failed test skids; `chance` is that of passing the test.
    """
    if rest.left < CM:
        return WORTHLESS
    value = best_single(race, edition, chariot, pose, rest, floor, weights, scratch)
    if value <= WORTHLESS:
        return value
    slide = skid_value(race, edition, chariot, pose, direction, rest.left, weights)
    return value - (1.0 - chance) * max(0.0, value - slide) * weights[W_RISK]


# --- plans ----------------------------------------------------------------------------------------------------------


@kernel
def most_beginnings(grid: Grid):
    """Most beginnings of a turn."""
    return WAYS * grid.lengths * (2 * grid.pivots + 1)


@kernel
def list_beginnings(
    race: RaceRecord, edition: EditionRecord, chariot, token, left, least, grid: Grid, weights, ends, worth, scratch
):
    """Sub-moves worth trying from where a chariot stands, each with what its end promises; returns how many."""
    start, limit = pose_of(race, chariot), edition.pivot[token]
    home = home_segment(race, edition, chariot, start.x, start.y)
    bounded = 1 if is_out_of_walls(race, edition, chariot, start, home) else 0
    enough = race.way[chariot] + weights[W_AHEAD] * weights[W_SIGHT] * 0.6
    count = 0
    for sweep in range(WAYS):
        price = 0.0
        direction = start.heading
        if sweep != STRAIGHT:
            best = foremost(race, edition, chariot, count, enough, weights, ends, worth, scratch)
            if best != NOTHING and worth[best, V_WORTH] > enough:
                break  # no reason to pay for room
            price = weights[W_STAMINA] if race.points[chariot, STAMINA] > 0 else 3 * weights[W_STAMINA]
            direction = direction_of(race, chariot, sweep)
        room, _ = way_free_from(race, edition, chariot, start, home, direction, left, np.int64(0))
        for n in range(grid.lengths):
            units = nth_length(n, room, least)
            if units == 0 or (sweep != STRAIGHT and n == 1):
                continue
            ex, ey = translated(start.x, start.y, direction, units)
            end = end_at(race, edition, chariot, ex, ey, bounded, weights[W_BRAKE] if units < least else 0.0)
            pose = Pose(ex, ey, start.heading)
            freely = turns_freely(race, edition, chariot, pose, end.home)
            for turn in range(-grid.pivots, grid.pivots + 1):
                angle = limit * turn // grid.pivots // DEGREE * DEGREE
                if turn and not freely:
                    if pivot_free(race, edition, chariot, pose, 0, 0, angle, np.int64(0)) < abs(angle):
                        continue
                add_end(race, edition, chariot, end, start.heading, angle, price, weights, ends, worth, count)
                ends[count, C_WAY], ends[count, C_DIRECTION], ends[count, C_UNITS] = sweep, direction, units
                count += 1
    return count


@kernel
def think_through(
    race: RaceRecord,
    edition: EditionRecord,
    chariot,
    token,
    left,
    least,
    begun,
    floor,
    margin,
    grid: Grid,
    weights,
    ends,
    worth,
    order,
    scratch,
):
    """Think the most promising beginnings, `grid.expanded` of them, through to a second sub-move.

    Writes their rows to `order`, and what the plan with each is worth to `worth`; returns how many there are. A second
    sub-move is left out if its plan is worth less than `floor`, or than a plan before, by more than `margin`.
    """
    count = list_beginnings(race, edition, chariot, token, left, least, grid, weights, ends, worth, scratch)
    chance = share_passing(race.points[chariot, SKILL], begun + 1 + edition.test[token])
    found = min(count, grid.expanded)
    best = floor
    for n in range(found):
        first = foremost(race, edition, chariot, count, WORTHLESS, weights, ends, worth, scratch)
        value, units = worth[first, V_WORTH], ends[first, C_UNITS]
        worth[first, V_WORTH], worth[first, V_ALONE] = TAKEN, value
        if weights[W_TESTS] > 0 or units < least:
            pose = Pose(ends[first, C_X], ends[first, C_Y], ends[first, C_HEADING])
            rest = RestOfTurn(left - units, least - units, edition.pivot[token], grid)
            direction, wanted = ends[first, C_DIRECTION], max(value, best - margin)
            more = go_on_value(race, edition, chariot, pose, direction, rest, chance, wanted, weights, scratch)
            value = max(value, more)
        order[n], worth[first, V_PLAN] = first, value
        best = max(best, value)
    return found


@kernel
def beginning_code(ends, n):
    """The action of the beginning in row n."""
    return submove_code(ends[n, C_WAY], ends[n, C_UNITS] // MM, ends[n, C_PIVOT] // DEGREE, CENTRE)


@kernel
def best_turn(race: RaceRecord, edition: EditionRecord, chariot, token, left, least, begun, floor, weights, scratch):
    """The best plan for a sub-move now and perhaps one after it.

    Returns its worth and the action that begins it, NOTHING if nothing is free. If no plan is worth `floor`, it may be
    a worse one.
    """
    most = most_beginnings(COARSE)
    ends, worth = np.zeros((most, C_NUMBERS), np.int64), np.zeros((most, V_NUMBERS))
    order = np.zeros(COARSE.expanded, np.int64)
    found = think_through(
        race, edition, chariot, token, left, least, begun, floor, 0.0, COARSE, weights, ends, worth, order, scratch
    )
    best, action = WORTHLESS, NOTHING
    for n in range(found):
        if worth[order[n], V_PLAN] > best:
            best, action = worth[order[n], V_PLAN], beginning_code(ends, order[n])
    return best, action


@kernel
def best_token_for(race: RaceRecord, edition: EditionRecord, chariot, fastest, weights, scratch):
    """The token whose best plan is worth most, the slowest of them; the fastest is tried first: it is best mostly."""
    best, choice = WORTHLESS, np.int64(0)
    for token in range(min(fastest, TOKENS - 1), -1, -1):
        most = reach_of(race, edition, chariot, token)
        value, _ = best_turn(race, edition, chariot, token, most, edition.least[token], 0, best, weights, scratch)
        if value >= best:
            best, choice = value, np.int64(token)
    return choice


@kernel
def way_to_go(race: RaceRecord, edition: EditionRecord, chariot):
    """Units to the finish."""
    return race.laps * edition.lap[race.scenario] - race.progress[chariot]
