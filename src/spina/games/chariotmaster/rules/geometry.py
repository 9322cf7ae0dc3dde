"""Poses, bases and the distances between them: whole numbers only (M1, N1-N7).

Three scales: units (0.1 mm) for poses, `FINE` parts of a unit for points that are measured, and 2**30 parts of a unit
(`UNIT`) for separations, the scale of the table of cosines. The base of a pose is a rectangle around it, given by half
its length (along the heading) and half its width.
"""

from __future__ import annotations

import math

import numpy as np

from spina.games.chariotmaster.rules.cosines import COSINES
from spina.games.chariotmaster.rules.record import (
    CENTRE,
    FRONT_LEFT,
    FRONT_RIGHT,
    FULL,
    HALF_TURN,
    REAR_LEFT,
    RIGHT_ANGLE,
)
from spina.kernel.compiler import kernel

UNIT = 1 << 30
"""One unit in the scale of separations."""
FINE_BITS = 10
FINE = 1 << FINE_BITS
"""Parts of a unit in which points are measured (N7)."""
TO_FINE = 30 - FINE_BITS
TOUCH = 20
"""N7: bases touch when the gap is at most this many units."""
TURN_SPEED = 1_874_035
"""More than 0.1° as the way of a point at distance 1, scaled by 2**30."""
STEPS_IN_RADIAN = 572
"""Fewer than the steps of 0.1° in a radian."""

# --- numbers --------------------------------------------------------------------------------------------------------


@kernel
def cosine(angle):
    """Of any whole tenths of a degree, scaled by 2**30."""
    return COSINES[angle % FULL]


@kernel
def sine(angle):
    """Of any whole tenths of a degree, scaled by 2**30."""
    return COSINES[(angle + 2700) % FULL]


@kernel
def rounded(v):
    """N1: from the scale of the table to whole units."""
    return (v + (1 << 29)) >> 30


@kernel
def whole_root(v):
    """The greatest whole number whose square is at most v: a guess, set right in whole numbers."""
    root = np.int64(math.sqrt(v))
    while root * root > v:
        root -= 1
    while (root + 1) * (root + 1) <= v:
        root += 1
    return root


@kernel
def fine_cosine(angle):
    """Of an angle in 1024ths of 0.1°, between the values of the table (N3)."""
    step = angle >> 10
    rest = angle & 1023
    return (cosine(step) * (1024 - rest) + cosine(step + 1) * rest + 512) >> 10


@kernel
def fine_angle(dx, dy):
    """N3: the direction of a vector in 1024ths of 0.1°, from 0 to 3600 * 1024 - 1: searched for in the table."""
    ax, ay = abs(dx), abs(dy)
    low, high = 0, 900
    while high - low > 1:
        middle = (low + high) >> 1
        if COSINES[middle] * ay >= COSINES[900 - middle] * ax:
            low = middle
        else:
            high = middle
    before = COSINES[low] * ay - COSINES[900 - low] * ax
    after = COSINES[900 - high] * ax - COSINES[high] * ay
    angle = low << 10
    if before + after > 0:
        angle += (before * 1024 + ((before + after) >> 1)) // (before + after)
    if dx < 0:
        angle = (1800 << 10) - angle
    if dy < 0:
        angle = (FULL << 10) - angle
    return angle % (FULL << 10)


@kernel
def direction_of(dx, dy):
    """The direction of a vector in whole tenths of a degree."""
    return ((fine_angle(dx, dy) + 512) >> 10) % FULL


@kernel
def backwards(heading):
    """The opposite direction."""
    return (heading + HALF_TURN) % FULL


@kernel
def leftwards(heading):
    """The direction at right angles to the left."""
    return (heading + RIGHT_ANGLE) % FULL


@kernel
def rightwards(heading):
    """The direction at right angles to the right."""
    return (heading + FULL - RIGHT_ANGLE) % FULL


@kernel
def angle_to(heading, wanted):
    """The angle by which a heading turns the shorter way to another one; positive to the left."""
    return (wanted - heading + FULL + HALF_TURN) % FULL - HALF_TURN


@kernel
def turn_steps(spare, rate, bend):
    """For how many steps of 0.1° a point surely uses up no more than `spare`, all in fine units.

    It begins to use it at `rate` per radian, and this rate changes by at most `bend` per radian.
    """
    if spare <= 0:
        return 0
    if bend <= 0:
        return FULL
    return (whole_root(rate * rate + 2 * bend * spare) - rate) * STEPS_IN_RADIAN // bend


# --- poses ----------------------------------------------------------------------------------------------------------


@kernel
def point(x, y, heading, ahead, left):
    """Where a point of the base lies: so far ahead and to the left of its centre."""
    c, s = cosine(heading), sine(heading)
    return x + rounded(ahead * c - left * s), y + rounded(ahead * s + left * c)


@kernel
def fine_point(x, y, heading, ahead, left):
    """The same, measured in `FINE` parts of a unit."""
    c, s = cosine(heading), sine(heading)
    fx = (x << FINE_BITS) + ((ahead * c - left * s) >> TO_FINE)
    return fx, (y << FINE_BITS) + ((ahead * s + left * c) >> TO_FINE)


@kernel
def translated(x, y, direction, d):
    """N2: d units on in this direction."""
    return x + rounded(d * cosine(direction)), y + rounded(d * sine(direction))


@kernel
def pivoted(x, y, heading, ahead, left, angle):
    """N2: turned about a point of the base; the heading stays within the circle."""
    c, s = cosine(heading), sine(heading)
    turned = heading + angle
    tc, ts = cosine(turned), sine(turned)
    x += rounded(ahead * (c - tc) - left * (s - ts))
    y += rounded(ahead * (s - ts) + left * (c - tc))
    return x, y, turned % FULL


@kernel
def pivot_point(half_long, half_wide, point):
    """The five points of a base about which it may pivot (M15)."""
    if point == CENTRE:
        return 0, 0
    if point == FRONT_LEFT:
        return half_long, half_wide
    if point == FRONT_RIGHT:
        return half_long, -half_wide
    if point == REAR_LEFT:
        return -half_long, half_wide
    return -half_long, -half_wide


@kernel
def corner(half_long, half_wide, n):
    """Corner n of a base: front left, front right, rear right, rear left."""
    return half_long if n < 2 else -half_long, half_wide if n == 0 or n == 3 else -half_wide


@kernel
def reach(half_long, half_wide):
    """No less than the way from a base's centre to its corners."""
    if half_long >= half_wide:
        return half_long + ((half_wide + 1) >> 1)
    return half_wide + ((half_long + 1) >> 1)


# --- distances ------------------------------------------------------------------------------------------------------


@kernel
def separation(ax, ay, ah, al, aw, bx, by, bh, bl, bw):
    """N4: the largest of the four axis separations of two bases, scaled by 2**30; negative where they overlap."""
    dx, dy = bx - ax, by - ay
    c, s = abs(cosine(bh - ah)), abs(sine(bh - ah))
    ac, az = cosine(ah), sine(ah)
    bc, bz = cosine(bh), sine(bh)
    first = abs(dx * ac + dy * az) - (al << 30) - bl * c - bw * s
    second = abs(dy * ac - dx * az) - (aw << 30) - bl * s - bw * c
    third = abs(dx * bc + dy * bz) - (bl << 30) - al * c - aw * s
    fourth = abs(dy * bc - dx * bz) - (bw << 30) - al * s - aw * c
    return max(max(first, second), max(third, fourth))


@kernel
def part_separation(ax, ay, ah, a_ahead, a_left, al, aw, bx, by, bh, b_ahead, bl, bw):
    """The same for rectangles that lie in the frames of two poses, off their centres; nothing is rounded."""
    dx, dy = bx - ax, by - ay
    c, s = cosine(bh - ah), sine(bh - ah)
    ac, az = cosine(ah), sine(ah)
    bc, bz = cosine(bh), sine(bh)
    first = abs(dx * ac + dy * az + b_ahead * c - (a_ahead << 30))
    second = abs(dy * ac - dx * az + b_ahead * s - (a_left << 30))
    third = abs(dx * bc + dy * bz + (b_ahead << 30) - a_ahead * c - a_left * s)
    fourth = abs(dy * bc - dx * bz + a_ahead * s - a_left * c)
    c, s = abs(c), abs(s)
    first -= (al << 30) + bl * c + bw * s
    second -= (aw << 30) + bl * s + bw * c
    third -= (bl << 30) + al * c + aw * s
    fourth -= (bw << 30) + al * s + aw * c
    return max(max(first, second), max(third, fourth))


@kernel
def in_frame(x, y, heading, fx, fy):
    """A point in fine units as a pose sees it: ahead and to the left, in fine units."""
    dx, dy = fx - (x << FINE_BITS), fy - (y << FINE_BITS)
    c, s = cosine(heading), sine(heading)
    return rounded(dx * c + dy * s), rounded(dy * c - dx * s)


@kernel
def corner_gap(x, y, heading, half_long, half_wide, fx, fy):
    """The squared distance of a point in fine units from a base, in fine units squared; 0 inside."""
    ahead, left = in_frame(x, y, heading, fx, fy)
    ahead = max(0, abs(ahead) - (half_long << FINE_BITS))
    left = max(0, abs(left) - (half_wide << FINE_BITS))
    return ahead * ahead + left * left


@kernel
def gap_squared(ax, ay, ah, al, aw, bx, by, bh, bl, bw):
    """N7: the squared gap between two bases in 2**20ths of a square unit; 0 where they overlap."""
    if separation(ax, ay, ah, al, aw, bx, by, bh, bl, bw) <= 0:
        return 0
    least = np.int64(1) << 62
    for n in range(4):
        ahead, left = corner(al, aw, n)
        fx, fy = fine_point(ax, ay, ah, ahead, left)
        least = min(least, corner_gap(bx, by, bh, bl, bw, fx, fy))
        ahead, left = corner(bl, bw, n)
        fx, fy = fine_point(bx, by, bh, ahead, left)
        least = min(least, corner_gap(ax, ay, ah, al, aw, fx, fy))
    return least


@kernel
def near(ax, ay, ah, al, aw, bx, by, bh, bl, bw):
    """N7: whether two bases touch: a gap of at most 2 mm."""
    if separation(ax, ay, ah, al, aw, bx, by, bh, bl, bw) > TOUCH * UNIT:
        return False
    return gap_squared(ax, ay, ah, al, aw, bx, by, bh, bl, bw) <= (TOUCH * FINE) ** 2


@kernel
def nearest_corner(ax, ay, ah, al, aw, bx, by, bh, bl, bw):
    """The point of base a where base b is nearest, in a's frame: a's corner, or b's corner clamped to a (2.5)."""
    least = np.int64(1) << 62
    at_ahead, at_left = 0, 0
    for n in range(4):
        ahead, left = corner(al, aw, n)
        fx, fy = fine_point(ax, ay, ah, ahead, left)
        gap = corner_gap(bx, by, bh, bl, bw, fx, fy)
        if gap < least:
            least, at_ahead, at_left = gap, ahead, left
    for n in range(4):
        ahead, left = corner(bl, bw, n)
        fx, fy = fine_point(bx, by, bh, ahead, left)
        gap = corner_gap(ax, ay, ah, al, aw, fx, fy)
        if gap < least:
            ahead, left = in_frame(ax, ay, ah, fx, fy)
            ahead, left = (ahead + FINE // 2) >> FINE_BITS, (left + FINE // 2) >> FINE_BITS
            least, at_ahead, at_left = gap, max(-al, min(al, ahead)), max(-aw, min(aw, left))
    return at_ahead, at_left


@kernel
def parting_direction(ax, ay, ah, al, aw, bx, by, bh, bl, bw):
    """The axis of the largest separation, pointing from a to b; ties: b's long, b's short, a's long, a's short."""
    dx, dy = bx - ax, by - ay
    c, s = abs(cosine(bh - ah)), abs(sine(bh - ah))
    best = -(np.int64(1) << 62)
    found = 0
    for n in range(4):
        if n == 0:
            axis, extent = bh, (bl << 30) + al * c + aw * s
        elif n == 1:
            axis, extent = bh + 900, (bw << 30) + al * s + aw * c
        elif n == 2:
            axis, extent = ah, (al << 30) + bl * c + bw * s
        else:
            axis, extent = ah + 900, (aw << 30) + bl * s + bw * c
        along = dx * cosine(axis) + dy * sine(axis)
        if abs(along) - extent > best:
            best = abs(along) - extent
            found = axis % FULL if along >= 0 else (axis + 1800) % FULL
    return found
