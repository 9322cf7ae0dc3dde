"""How far a sweep can go on without missing a wall.

None of these numbers decides anything by itself. They only say for how many steps there surely is no hit; what happens
then is measured. So they may be found with floats.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.rules.geometry import (
    FINE,
    FINE_BITS,
    TO_FINE,
    UNIT,
    Base,
    corner,
    corner_point,
    cosine,
    fine_point,
    in_frame,
    point,
    reach,
    sine,
    turn_steps,
    whole_root,
)
from spina.games.chariotmaster.rules.record import FULL, HALF_TURN, NOTHING, RIGHT_ANGLE
from spina.games.chariotmaster.rules.sweep_bounds import MARGIN
from spina.games.chariotmaster.rules.track import FAR, NEIGHBOURS, SETTLED, beside, reached, room_to
from spina.kernel.compiler import kernel

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord

ONE_ROUNDED = UNIT * 3 // 4
"""More than the rounding of one pose can change a separation."""
OVERLAP = 4.0
"""Units before and behind a joint in which a corner may be measured in either segment."""
ENDLESS = 1e15
"""Steps: more than any slide."""

# --- slides ---------------------------------------------------------------------------------------------------------


@kernel
def wall_slide_steps(edition: EditionRecord, t, base: Base, direction, i, limit, most):
    """For how many of `most` steps of a slide from segment i the walls surely stay further than `limit`.

    A base is nearest to a wall at a corner, or where it is nearest to the centre of an arc. Corners at the back only
    come to where the base was or where its front has been. `limit` includes a margin for rounding.
    """
    turn = direction - base.heading
    tc, ts = cosine(turn), sine(turn)
    dx, dy = cosine(direction) / UNIT, sine(direction) / UNIT
    half = edition.half_width[t] - limit / UNIT
    steps = most + 1.0
    for n in range(4):
        ahead, left = corner(base.half_long, base.half_wide, n)
        if ahead * tc > 0 or left * ts > 0:
            fx, fy = corner_point(base, n)
            j = reached(edition, t, i, fx, fy, NEIGHBOURS)
            if j == NOTHING:
                return 0
            steps = min(steps, corner_slide(edition, t, fx / FINE, fy / FINE, dx, dy, j, half, steps))
    free = np.int64(steps)
    for end in range(2):
        free = min(free, arcs_slide(edition, t, base, turn, i, end, limit, free))
    return max(0, free)


@kernel
def arcs_slide(edition: EditionRecord, t, base: Base, turn, i, end, limit, most):
    """For how many of `most` steps no inside wall comes nearer than `limit`, in segment i and behind its `end`."""
    size = reach(base.half_long, base.half_wide) + SETTLED
    free = most
    for _ in range(NEIGHBOURS + 1):
        radius = abs(edition.seg_radius[t, i])
        if radius != 0:
            inner = ((radius - edition.half_width[t]) << FINE_BITS) + (limit >> TO_FINE)
            cx, cy = edition.seg_cx[t, i] << FINE_BITS, edition.seg_cy[t, i] << FINE_BITS
            free = min(free, inner_steps(base, turn, cx, cy, inner))
        alone = room_to(edition, t, base.x, base.y, i, end) - size
        if alone >= free:
            return free
        i = beside(edition, t, i, 2 * end - 1)
        if i == NOTHING:
            return free
    return max(0, alone)


@kernel
def corner_slide(edition: EditionRecord, t, x, y, dx, dy, i, half, most):
    """How far a point in segment i can go in the direction (dx, dy) and stay within `half` of the centre line.

    It is followed from segment to segment; no further than `most`, and over no more joints than a base reaches.
    """
    enter = 0.0
    for _ in range(NEIGHBOURS + 1):
        if edition.seg_radius[t, i] == 0:
            wall, leave, speed, side = straight_slide(edition, t, x, y, dx, dy, i, half, enter)
        else:
            wall, leave, speed, side = arc_slide(edition, t, x, y, dx, dy, i, half, enter)
        if wall <= leave or leave >= most:
            return wall
        i = beside(edition, t, i, side)
        if i == NOTHING:
            return wall
        enter = max(enter, leave - 2 * OVERLAP / speed)
        if enter >= most:
            return enter
    return enter


@kernel
def straight_slide(edition: EditionRecord, t, x, y, dx, dy, i, half, enter):
    """When a point leaves straight i through a wall and through an end, its speed there, and the side of that end.

    The first is `enter` if the point is outside by then.
    """
    c, s = cosine(edition.seg_heading[t, i]) / UNIT, sine(edition.seg_heading[t, i]) / UNIT
    px, py = x - edition.seg_x[t, i], y - edition.seg_y[t, i]
    along, off = px * c + py * s, py * c - px * s
    speed, drift = dx * c + dy * s, dy * c - dx * s
    wall = ENDLESS
    if abs(off + drift * enter) >= half:
        wall = enter
    elif drift != 0:
        wall = (half - off) / drift if drift > 0 else (half + off) / -drift
    if speed > 0:
        length = edition.seg_s[t, i + 1] - edition.seg_s[t, i]
        return wall, (length + OVERLAP - along) / speed, speed, 1
    if speed < 0:
        return wall, (along + OVERLAP) / -speed, -speed, -1
    return wall, ENDLESS, 1.0, 1


@kernel
def arc_slide(edition: EditionRecord, t, x, y, dx, dy, i, half, enter):
    """The same in arc i."""
    radius = edition.seg_radius[t, i]
    px, py = x - edition.seg_cx[t, i], y - edition.seg_cy[t, i]
    ahead, away = px * dx + py * dy, px * px + py * py
    outer, inner = (abs(radius) + half) ** 2, max(0.0, abs(radius) - half) ** 2
    now = away + enter * (2 * ahead + enter)
    wall = enter
    if inner < now < outer:
        wall = math.sqrt(ahead * ahead - away + outer) - ahead
        dip = ahead * ahead - away + inner
        if dip > 0 and -ahead - math.sqrt(dip) >= enter:
            wall = -ahead - math.sqrt(dip)
    turned = 1 if radius > 0 else -1
    first = edition.seg_heading[t, i] - turned * 900
    last = first + turned * edition.seg_angle[t, i]
    c, s = turned * cosine(first) / UNIT, turned * sine(first) / UNIT
    lc, ls = turned * cosine(last) / UNIT, turned * sine(last) / UNIT
    leave, speed = ENDLESS, 1.0
    since, until = c * dy - s * dx, ls * dx - lc * dy
    if since < 0:
        leave, speed = (c * py - s * px + OVERLAP) / -since, -since
    if until < 0 and (ls * px - lc * py + OVERLAP) / -until < leave:
        leave, speed = (ls * px - lc * py + OVERLAP) / -until, -until
    qx, qy = px + leave * dx, py + leave * dy
    return wall, leave, speed, -1 if turned * (qx * (c - lc) + qy * (s - ls)) >= 0 else 1


@kernel
def inner_steps(base: Base, turn, cx, cy, radius):
    """For how many steps of a slide a circle about a fine point stays outside a base; `turn` is from its heading."""
    ahead, left, away = inner_gap(base, cx, cy)
    if away <= max(0, radius):
        return 0
    closing = (ahead * cosine(turn) + left * sine(turn)) >> 30
    if closing <= 0:
        return FAR
    if radius > 0 and turn % RIGHT_ANGLE == 0:  # one edge leads: it meets the circle or passes beside it
        side = abs(left) if turn % HALF_TURN == 0 else abs(ahead)
        if side >= radius:
            return FAR
        return (closing - whole_root(radius * radius - side * side) - 1) >> FINE_BITS
    return ((away - radius) * away // closing) >> FINE_BITS


# --- turns ----------------------------------------------------------------------------------------------------------


@kernel
def wall_turn_steps(edition: EditionRecord, t, base: Base, ahead, left, sign, i, limit):
    """For how many steps of a turn about a point of the base the walls surely stay further than `limit`."""
    px, py = point(base.x, base.y, base.heading, ahead, left)
    size = reach(abs(ahead) + base.half_long, abs(left) + base.half_wide) + 2
    steps = turn_within(edition, t, base, ahead, left, sign, i, limit)
    for end in range(2):
        if room_to(edition, t, px, py, i, end) < size:
            j = beside(edition, t, i, 2 * end - 1)
            if j != NOTHING:
                if room_to(edition, t, px, py, j, end) < size:
                    return 0
                free = turn_within(edition, t, base, ahead, left, sign, j, limit)
                steps = min(steps, free)
    return steps


@kernel
def turn_within(edition: EditionRecord, t, base: Base, ahead, left, sign, i, limit):
    """For how many steps of a turn the walls of segment i, if they went on for ever, stay further than `limit`."""
    px, py = fine_point(base.x, base.y, base.heading, ahead, left)
    over, across = abs(ahead) + base.half_long, abs(left) + base.half_wide
    radius, width = edition.seg_radius[t, i], edition.half_width[t]
    bound = (width << FINE_BITS) - ((limit + MARGIN) >> TO_FINE)
    least = np.int64(FULL)
    if radius == 0:
        track = edition.seg_heading[t, i]
        c, s = cosine(track), sine(track)
        dx, dy = px - (edition.seg_x[t, i] << FINE_BITS), py - (edition.seg_y[t, i] << FINE_BITS)
        off = (dy * c - dx * s) >> 30
        for n in range(4):
            fx, fy = corner_point(base, n)
            along = ((fx - px) * c + (fy - py) * s) >> 30
            side = ((fy - py) * c - (fx - px) * s) >> 30
            bend = abs(along) + abs(side)
            if bound - off - side < 2 * bend:
                least = min(least, turn_steps(bound - off - side, sign * along, bend))
            if bound + off + side < 2 * bend:
                least = min(least, turn_steps(bound + off + side, -sign * along, bend))
        return least
    cx, cy = edition.seg_cx[t, i] << FINE_BITS, edition.seg_cy[t, i] << FINE_BITS
    gx, gy = px - cx, py - cy
    away = whole_root(gx * gx + gy * gy)
    if away < 1 << FINE_BITS:
        return 0
    bound += abs(radius) << FINE_BITS
    for n in range(4):
        fx, fy = corner_point(base, n)
        wx, wy = fx - px, fy - py
        fx, fy = fx - cx, fy - cy
        spare = (bound * bound - fx * fx - fy * fy) // (2 * away)
        bend = abs(wx) + abs(wy)
        if spare < 2 * bend:
            least = min(least, turn_steps(spare, sign * (gy * wx - gx * wy) // away, bend))
    near_ahead, near_left, gap = inner_gap(base, cx, cy)
    spare = gap - ((abs(radius) - width) << FINE_BITS) - ((limit + MARGIN) >> TO_FINE)
    if spare <= 0 or gap <= 0:
        return 0
    if spare < 2 * reach(over, across) << FINE_BITS:
        at_ahead, at_left = in_frame(base.x, base.y, base.heading, cx, cy)
        at_ahead, at_left = at_ahead - (ahead << FINE_BITS), at_left - (left << FINE_BITS)
        rate = sign * (near_left * at_ahead - near_ahead * at_left) // gap
        least = min(least, turn_steps(spare, rate, away + 2))
    return least


@kernel
def inner_gap(base: Base, cx, cy):
    """The way from a base to a fine point as the base sees it, ahead and left, and its length; 0 inside."""
    ahead, left = in_frame(base.x, base.y, base.heading, cx, cy)
    long, wide = base.half_long << FINE_BITS, base.half_wide << FINE_BITS
    ahead -= max(-long, min(long, ahead))
    left -= max(-wide, min(wide, left))
    return ahead, left, whole_root(ahead * ahead + left * left)
