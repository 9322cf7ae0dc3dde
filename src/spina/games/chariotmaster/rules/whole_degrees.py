"""Turns among the walls of one segment in whole degrees, without the sweep that finds the tenth of a degree.

A menu offers whole degrees only. So a turn is measured from degree to degree, and tenths only where it may hit between
two of them. Every pose is measured as the sweeps of `field.py` measure it; where a turn may reach a piece or another
segment, these decide. `tests/chariotmaster/test_menu_clearance.py` compares the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from spina.games.chariotmaster.rules.clearance import Clearance, pieces_within
from spina.games.chariotmaster.rules.field import base_of, piece_gap, piece_hit
from spina.games.chariotmaster.rules.geometry import FINE_BITS, TURN_SPEED, UNIT, Base, fine_point, pivoted
from spina.games.chariotmaster.rules.motions import CLEAR, HIT, ROUNDED, TURN, Motion, segment_from
from spina.games.chariotmaster.rules.record import DEGREE, NOTHING
from spina.games.chariotmaster.rules.sweep_bounds import pivot_steps
from spina.games.chariotmaster.rules.track import FAR, INSIDE, SETTLED, gap_within, stretch_by, wall_gap
from spina.games.chariotmaster.rules.wall_bounds import turn_within, wall_turn_steps
from spina.kernel.bits import lowest_bit
from spina.kernel.compiler import kernel

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

UNSURE = -1
"""Stands for degrees that only a sweep can tell."""
TIGHT = 32
"""On an arc whose walls' radii differ by more than this factor, turns are left to the sweeps."""
BOW = 26_000
"""Less than 8 over the square of a degree in radians: a chord of one degree is this part of its radius off its arc."""


class Turn(NamedTuple):
    """A turn about a point of a base, to either side."""

    ahead: int
    """The point, ahead of the base's centre."""
    left: int
    """The point, to the left of the base's centre."""
    speed: int
    """More than any point of the base moves in 0.1°, in 2**30ths of a unit."""


@kernel
def is_settled(edition: EditionRecord, t, base: Base, segment):
    """Whether the centre of a base lies in this segment wherever it comes from: it is not at a joint."""
    return stretch_by(edition, t, segment, base.x << FINE_BITS, base.y << FINE_BITS, -INSIDE) == 0


@kernel
def rests_by(edition: EditionRecord, t, base: Base, clearance: Clearance, begin):
    """N5: 1 if a move that has hit nothing rests clear with this clearance, 0 if not, UNSURE if a sweep must tell.

    `begin` is the separation from the walls where it began.
    """
    if clearance.pieces < CLEAR or not is_settled(edition, t, base, clearance.segment):
        return np.int64(UNSURE)
    return np.int64(clearance.walls >= min(CLEAR, begin))


@kernel
def dip_of_track(edition: EditionRecord, t):
    """How much nearer to an inside wall a base can be between two degrees than at both, in 2**30ths of a unit.

    FAR if an arc of the track is too tight to measure turns in whole degrees. At an outside wall or on a straight it is
    no more than ROUNDED covers beside the rounding of poses.
    """
    width, dip = edition.half_width[t], np.int64(0)
    for i in range(edition.segments[t]):
        radius = abs(edition.seg_radius[t, i])
        if radius != 0:
            far, inner = radius + width, radius - width
            if far > TIGHT * inner:
                return np.int64(FAR)
            dip = max(dip, (far * far // inner + far) * UNIT // BOW)
    return dip


@kernel
def can_measure(clearance: Clearance, dip):
    """Whether a turn that begins with this clearance can be measured in whole degrees; never by rules version 1."""
    return clearance.walls >= CLEAR and dip < FAR


@kernel
def is_apart(clearance: Clearance, turn: Turn, degrees):
    """Whether no piece is near enough to stop a turn by this many degrees."""
    return clearance.pieces >= turn.speed * degrees * DEGREE + CLEAR + ROUNDED


@kernel
def base_turned(base: Base, turn: Turn, angle):
    """The base after a turn by this many tenths of a degree."""
    x, y, heading = pivoted(base.x, base.y, base.heading, turn.ahead, turn.left, angle)
    return Base(x, y, heading, base.half_long, base.half_wide)


@kernel
def degrees_to_wall(race: RaceRecord, edition: EditionRecord, base: Base, clearance: Clearance, dip, turn: Turn, limit):
    """The degrees towards `limit` after each of which a turn rests clear of the walls; UNSURE if more may follow.

    Returns also the whole degrees after which a wall is surely hit, or NOTHING.
    """
    t, sign, here, gap = race.scenario, 1 if limit >= 0 else -1, clearance.segment, clearance.walls
    limit = abs(limit)
    travel = min((turn.speed * limit * DEGREE >> 30) + 1, 2 * (abs(turn.ahead) + abs(turn.left)))
    alone = clearance.alone >= travel + SETTLED
    rests, degree = np.int64(0), np.int64(0)
    band = CLEAR if alone and edition.seg_radius[t, here] == 0 else CLEAR + dip
    mover = base
    while degree < limit:
        free = (gap - CLEAR - ROUNDED) // (turn.speed * DEGREE)
        if degree + free < limit and gap > CLEAR + ROUNDED:
            if alone:
                steps = turn_within(edition, t, mover, turn.ahead, turn.left, sign, here, CLEAR)
            else:
                steps = wall_turn_steps(edition, t, mover, turn.ahead, turn.left, sign, here, CLEAR)
            free = max(free, steps // DEGREE)
        if degree + free >= limit:
            return limit, np.int64(NOTHING)
        before, degree = gap, degree + max(1, free)
        mover = base_turned(base, turn, sign * degree * DEGREE)
        if alone:
            gap = gap_within(edition, t, mover, here)
        else:
            here = segment_from(race, edition, here, mover.x, mover.y)
            if not is_settled(edition, t, mover, here):
                return np.int64(UNSURE), np.int64(NOTHING)  # which segment it is in depends on where it comes from
            gap = wall_gap(race, edition, mover, here)
        if gap < HIT:
            return rests, degree
        if gap >= CLEAR:
            if degree > rests + max(1, free):
                return np.int64(UNSURE), np.int64(NOTHING)
            if free <= 0 and min(before, gap) < band:
                least = least_gap(race, edition, base, here, turn, sign * rests, sign * degree)
                if least == -FAR:
                    return np.int64(UNSURE), np.int64(NOTHING)
                if least < HIT:
                    return rests, degree
            rests = degree
    return rests, np.int64(NOTHING)


@kernel
def least_gap(race: RaceRecord, edition: EditionRecord, base: Base, segment, turn: Turn, first, last):
    """The least separation from the walls at the tenths between two degrees of a turn; -FAR if one is at a joint."""
    least, sign = np.int64(FAR), 1 if last >= 0 else -1
    for steps in range(abs(first) * DEGREE + 1, abs(last) * DEGREE):
        mover = base_turned(base, turn, sign * steps)
        segment = segment_from(race, edition, segment, mover.x, mover.y)
        if not is_settled(edition, race.scenario, mover, segment):
            return np.int64(-FAR)
        least = min(least, wall_gap(race, edition, mover, segment))
    return least


@kernel
def grazes(race: RaceRecord, edition: EditionRecord, base: Base, segment, turn: Turn, first, last):
    """Whether a turn may rest clear of the walls after a tenth between these degrees, before it hits one."""
    sign = 1 if last >= 0 else -1
    for steps in range(abs(first) * DEGREE + 1, abs(last) * DEGREE):
        mover = base_turned(base, turn, sign * steps)
        segment = segment_from(race, edition, segment, mover.x, mover.y)
        gap = wall_gap(race, edition, mover, segment)
        if gap >= CLEAR or not is_settled(edition, race.scenario, mover, segment):
            return True
        if gap < HIT:
            return False
    return False


@kernel
def degrees_to_piece(race: RaceRecord, edition: EditionRecord, base: Base, near, turn: Turn, limit):
    """The degrees towards `limit` that a turn goes before it hits a piece of `near`, and which of them it may touch."""
    sign = 1 if limit >= 0 else -1
    motion = Motion(TURN, 0, turn.ahead, turn.left, sign, turn.speed)
    fx, fy = fine_point(base.x, base.y, base.heading, turn.ahead, turn.left)
    degrees, found = abs(limit), np.int64(0)
    near = pieces_within(race, near, fx >> FINE_BITS, fy >> FINE_BITS, turn.speed // TURN_SPEED + 5)
    while near:
        other = lowest_bit(near)
        near &= near - 1
        obstacle = base_of(race, other)
        if pivot_steps(base, fx, fy, sign, obstacle, CLEAR) < degrees * DEGREE:
            found |= np.int64(1) << other
            first = piece_hit(race, edition, motion, base, degrees * DEGREE, other)
            if first != NOTHING:
                degrees = (first - 1) // DEGREE
    return degrees, found


@kernel
def rests_off_pieces(race: RaceRecord, base: Base, near, turn: Turn, degrees):
    """N5: whether a turn rests clear of these pieces after this many degrees."""
    mover = base_turned(base, turn, degrees * DEGREE)
    while near:
        other = lowest_bit(near)
        near &= near - 1
        gap = piece_gap(race, mover, other)
        if gap < CLEAR and gap < piece_gap(race, base, other):
            return False
    return True


@kernel
def degrees_free(
    race: RaceRecord, edition: EditionRecord, base: Base, clearance: Clearance, dip, near, turn: Turn, limit
):
    """D9: the most degrees towards `limit` after which a turn that has hit nothing rests clear.

    UNSURE if a sweep must tell. Returns also the whole degrees after which it has surely hit something, or NOTHING.
    `clearance` is that at the start, `dip` the track's (`dip_of_track`), `near` are the pieces that the base can reach
    by turning.
    """
    sign, most = 1 if limit >= 0 else -1, abs(limit)
    if is_apart(clearance, turn, most):
        return degrees_to_wall(race, edition, base, clearance, dip, turn, limit)
    most, near = degrees_to_piece(race, edition, base, near, turn, limit)
    free, hit = degrees_to_wall(race, edition, base, clearance, dip, turn, sign * most)
    if free == most < abs(limit):
        hit = most + 1
    while free > 0 and not rests_off_pieces(race, base, near, turn, sign * free):
        free -= 1
        hit = NOTHING
    return free, hit


@kernel
def is_furthest(race: RaceRecord, edition: EditionRecord, base: Base, clearance: Clearance, turn: Turn, degrees, hit):
    """Whether a sweep, too, ends before the next whole degree: no tenth rests clear between that and the hit.

    `hit` is the second number of `degrees_free`, with the sign of the turn.
    """
    return abs(hit) == degrees + 1 or not grazes(race, edition, base, clearance.segment, turn, degrees + 1, hit)
