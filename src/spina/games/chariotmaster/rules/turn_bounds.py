"""What a turn about a point of a base surely stays clear of, over its whole angle.

A corner goes round the point of the turn, so its coordinate along an axis is a wave, whose extremes between two angles
are known. A turn is clear of a thing if one axis of either keeps them apart all the way. These are floating-point
numbers with a margin: none of them decides anything by itself. Where they are not enough, the sweeps of `field.py`
decide. `tests/chariotmaster/test_menu_clearance.py` compares menus that are listed with and without them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.rules.cosines import SCALE
from spina.games.chariotmaster.rules.field import base_of
from spina.games.chariotmaster.rules.geometry import Base, cosine, sine
from spina.games.chariotmaster.rules.record import WALL
from spina.games.chariotmaster.rules.track import room_alone
from spina.kernel.bits import lowest_bit
from spina.kernel.compiler import kernel

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

SURELY = 5.0
"""Units between two things that surely rest clear of each other: the gap of that (N5), and more than all rounding."""
ONE = 1.0 / SCALE
STEPS_A_RADIAN = 570
"""Fewer than the tenths of a degree in a radian."""


@kernel
def lowest(x, y, c, s):
    """The least of x cos a + y sin a for angles a from 0 to that of this cosine and sine, at most half a circle."""
    if y < 0.0 and y * c > x * s:
        return -math.sqrt(x * x + y * y)
    return min(x, x * c + y * s)


@kernel
def lowest_corner(x, y, long_x, long_y, wide_x, wide_y, c, s):
    """The same of all corners of a rectangle: its centre, and the ways from there to its front and to its left side."""
    front, rear = x + long_x, x - long_x
    front_y, rear_y = y + long_y, y - long_y
    return min(
        min(lowest(front + wide_x, front_y + wide_y, c, s), lowest(front - wide_x, front_y - wide_y, c, s)),
        min(lowest(rear + wide_x, rear_y + wide_y, c, s), lowest(rear - wide_x, rear_y - wide_y, c, s)),
    )


@kernel
def keeps_beside(px, py, x, y, long_x, long_y, wide_x, wide_y, long, wide, c, s, side):
    """Whether a rectangle that turns about (px, py) surely keeps beyond one side of a box around (0, 0).

    Its centre is at (x, y) from the point of the turn; `long` and `wide` are half the sizes of the box. It turns to the
    left if `side` is 1.0, to the right if it is -1.0.
    """
    if abs(px + x) > long:
        if px + x > 0.0:
            least = px + lowest_corner(x, -side * y, long_x, -side * long_y, wide_x, -side * wide_y, c, s)
        else:
            least = -px + lowest_corner(-x, side * y, -long_x, side * long_y, -wide_x, side * wide_y, c, s)
        if least >= long + SURELY:
            return True
    if abs(py + y) > wide:
        if py + y > 0.0:
            least = py + lowest_corner(y, side * x, long_y, side * long_x, wide_y, side * wide_x, c, s)
        else:
            least = -py + lowest_corner(-y, -side * x, -long_y, -side * long_x, -wide_y, -side * wide_x, c, s)
        if least >= wide + SURELY:
            return True
    return False


@kernel
def turn_misses(base: Base, ahead, left, other: Base, c, s, side):
    """Whether a base that turns about its point (ahead, left) surely stays clear of another base."""
    hc, hs = cosine(base.heading) * ONE, sine(base.heading) * ONE
    oc, os = cosine(other.heading) * ONE, sine(other.heading) * ONE
    rc, rs = hc * oc + hs * os, hs * oc - hc * os  # the base's heading as the other sees it
    px, py = base.x + ahead * hc - left * hs - other.x, base.y + ahead * hs + left * hc - other.y
    if keeps_beside(
        px * oc + py * os, py * oc - px * os, left * rs - ahead * rc, -ahead * rs - left * rc,
        base.half_long * rc, base.half_long * rs, -base.half_wide * rs, base.half_wide * rc,
        float(other.half_long), float(other.half_wide), c, s, side,
    ):  # fmt: skip
        return True
    return keeps_beside(
        float(ahead), float(left), -px * hc - py * hs, px * hs - py * hc,
        other.half_long * rc, -other.half_long * rs, other.half_wide * rs, other.half_wide * rc,
        float(base.half_long), float(base.half_wide), c, s, -side,
    )  # fmt: skip


@kernel
def turn_keeps_within(edition: EditionRecord, t, base: Base, ahead, left, segment, c, s, side):
    """Whether a base that turns about its point (ahead, left) surely stays clear of the walls of its segment.

    It must lie in this segment alone all the way.
    """
    hc, hs = cosine(base.heading) * ONE, sine(base.heading) * ONE
    px, py = base.x + ahead * hc - left * hs, base.y + ahead * hs + left * hc
    width = edition.half_width[t] - SURELY
    long, wide = float(base.half_long), float(base.half_wide)
    if edition.seg_radius[t, segment] == 0:
        track = edition.seg_heading[t, segment]
        tc, ts = cosine(track) * ONE, sine(track) * ONE
        rc, rs = hc * tc + hs * ts, hs * tc - hc * ts
        off = (py - edition.seg_y[t, segment]) * tc - (px - edition.seg_x[t, segment]) * ts
        x, y = left * rs - ahead * rc, -ahead * rs - left * rc
        long_x, long_y, wide_x, wide_y = long * rc, long * rs, -wide * rs, wide * rc
        if off + lowest_corner(y, side * x, long_y, side * long_x, wide_y, side * wide_x, c, s) < -width:
            return False
        return lowest_corner(-y, -side * x, -long_y, -side * long_x, -wide_y, -side * wide_x, c, s) - off >= -width
    # the centre of the arc as the base sees it from the point of the turn
    dx, dy = edition.seg_cx[t, segment] - px, edition.seg_cy[t, segment] - py
    x, y = dx * hc + dy * hs, dy * hc - dx * hs
    radius = float(abs(edition.seg_radius[t, segment]))
    far = (radius + width) * (radius + width) - x * x - y * y
    for n in range(4):
        a, b = (long if n < 2 else -long) - ahead, (wide if n & 1 else -wide) - left
        if a * a + b * b - 2.0 * lowest(x * a + y * b, side * (y * a - x * b), c, s) > far:
            return False
    inner = radius - width - SURELY  # `keeps_beside` adds it again
    return keeps_beside(
        float(ahead), float(left), x, y, 0.0, 0.0, 0.0, 0.0, long + inner, wide + inner, c, s, -side
    )  # fmt: skip


@kernel
def stops_of_turn(race: RaceRecord, edition: EditionRecord, base: Base, ahead, left, angle, near, segment, walled):
    """What may stop a base that turns by `angle` tenths of a degree about its point (ahead, left), as bits with WALL.

    All else it surely stays clear of. `near` are the pieces that it can reach, `segment` is the one that its centre is
    in, `walled` is false if the walls are known to be out of reach.
    """
    stops, side = np.int64(0), 1.0 if angle >= 0 else -1.0
    c, s = cosine(abs(angle)) * ONE, sine(abs(angle)) * ONE
    while near:
        other = lowest_bit(near)
        near &= near - 1
        if not turn_misses(base, ahead, left, base_of(race, other), c, s, side):
            stops |= np.int64(1) << other
    if walled:
        arm = abs(ahead) + abs(left)
        travel = min(2 * arm, arm * abs(angle) // STEPS_A_RADIAN + 1)
        alone = room_alone(edition, race.scenario, base, segment) > travel
        if not alone or not turn_keeps_within(edition, race.scenario, base, ahead, left, segment, c, s, side):
            stops |= np.int64(1) << WALL
    return stops
