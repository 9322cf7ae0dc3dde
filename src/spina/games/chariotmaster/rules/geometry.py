"""Poses, bases and the distances between them: whole numbers only (M1, N1-N7).

Three scales: units (0.1 mm) for poses, `FINE` parts of a unit for points that are measured, and 2**30 parts of a unit
(`UNIT`) for separations, the scale of the table of cosines. The base of a pose is a rectangle around it, given by half
its length (along the heading) and half its width.
"""

from __future__ import annotations

import math
from typing import NamedTuple

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
from spina.kernel.record import whole

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


Whole = int | np.int64
"""A field of the records below. A kernel fills it with 64 bits: other widths would be compiled as another type."""


class Pose(NamedTuple):
    """The centre of a base and the direction in which it heads."""

    x: Whole
    y: Whole
    heading: Whole


class Base(NamedTuple):
    """A rectangle around a pose."""

    x: Whole
    y: Whole
    heading: Whole
    half_long: Whole
    half_wide: Whole


# --- numbers --------------------------------------------------------------------------------------------------------


@kernel
def cosine(angle):
    """Of any whole tenths of a degree, scaled by 2**30."""
    if angle < 0:
        angle += FULL
    if angle < 0 or angle >= FULL:  # rarely: dividing takes longer than all the rest
        angle %= FULL
    return COSINES[angle]


@kernel
def sine(angle):
    """Of any whole tenths of a degree, scaled by 2**30."""
    return cosine(angle - RIGHT_ANGLE)


@kernel
def rounded(v):
    """N1: from the scale of the table to whole units."""
    return (v + (1 << 29)) >> 30


@kernel
def whole_root(v):
    """The greatest whole number whose square is at most v: a guess, set right in whole numbers."""
    root = whole(math.sqrt(v))
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
def rough_angle(ax, ay):
    """The direction of a vector that points right and up, in tenths of a degree: a guess, perhaps one off."""
    if ax == 0 or ay == 0:
        return 0 if ay == 0 else RIGHT_ANGLE - 1
    ratio = min(ax, ay) / max(ax, ay)
    square = ratio * ratio
    bow = 0.99987 + square * (square * (0.18014 - square * (0.08513 - square * 0.02084)) - 0.3303)  # of the tangent
    steps = np.int64(ratio * bow * HALF_TURN / math.pi)
    return min(steps if ay <= ax else RIGHT_ANGLE - 1 - steps, RIGHT_ANGLE - 1)


@kernel
def fine_angle(dx, dy):
    """N3: the direction of a vector in 1024ths of 0.1°, from 0 to 3600 * 1024 - 1: searched for in the table."""
    ax, ay = abs(dx), abs(dy)
    low = rough_angle(ax, ay)
    while low > 0 and cosine(low) * ay < cosine(RIGHT_ANGLE - low) * ax:
        low -= 1
    while low < RIGHT_ANGLE - 1 and cosine(low + 1) * ay >= cosine(RIGHT_ANGLE - 1 - low) * ax:
        low += 1
    high = low + 1
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
def separation(a: Base, b: Base):
    """N4: the largest of the four axis separations of two bases, scaled by 2**30; negative where they overlap."""
    dx, dy = b.x - a.x, b.y - a.y
    c, s = abs(cosine(b.heading - a.heading)), abs(sine(b.heading - a.heading))
    ac, az = cosine(a.heading), sine(a.heading)
    bc, bz = cosine(b.heading), sine(b.heading)
    first = abs(dx * ac + dy * az) - (a.half_long << 30) - b.half_long * c - b.half_wide * s
    second = abs(dy * ac - dx * az) - (a.half_wide << 30) - b.half_long * s - b.half_wide * c
    third = abs(dx * bc + dy * bz) - (b.half_long << 30) - a.half_long * c - a.half_wide * s
    fourth = abs(dy * bc - dx * bz) - (b.half_wide << 30) - a.half_long * s - a.half_wide * c
    return max(max(first, second), max(third, fourth))


@kernel
def part_separation(a: Base, a_ahead, a_left, b: Base, b_ahead):
    """The same for rectangles that lie off the centres of two poses: a ahead and to the left, b ahead of its pose.

    Nothing is rounded.
    """
    dx, dy = b.x - a.x, b.y - a.y
    c, s = cosine(b.heading - a.heading), sine(b.heading - a.heading)
    ac, az = cosine(a.heading), sine(a.heading)
    bc, bz = cosine(b.heading), sine(b.heading)
    first = abs(dx * ac + dy * az + b_ahead * c - (a_ahead << 30))
    second = abs(dy * ac - dx * az + b_ahead * s - (a_left << 30))
    third = abs(dx * bc + dy * bz + (b_ahead << 30) - a_ahead * c - a_left * s)
    fourth = abs(dy * bc - dx * bz + a_ahead * s - a_left * c)
    c, s = abs(c), abs(s)
    first -= (a.half_long << 30) + b.half_long * c + b.half_wide * s
    second -= (a.half_wide << 30) + b.half_long * s + b.half_wide * c
    third -= (b.half_long << 30) + a.half_long * c + a.half_wide * s
    fourth -= (b.half_wide << 30) + a.half_long * s + a.half_wide * c
    return max(max(first, second), max(third, fourth))


@kernel
def in_frame(x, y, heading, fx, fy):
    """A point in fine units as a pose sees it: ahead and to the left, in fine units."""
    dx, dy = fx - (x << FINE_BITS), fy - (y << FINE_BITS)
    c, s = cosine(heading), sine(heading)
    return rounded(dx * c + dy * s), rounded(dy * c - dx * s)


@kernel
def corner_point(base: Base, n):
    """Where corner n of a base lies, in fine units."""
    ahead, left = corner(base.half_long, base.half_wide, n)
    return fine_point(base.x, base.y, base.heading, ahead, left)


@kernel
def corner_gap(base: Base, fx, fy):
    """The squared distance of a point in fine units from a base, in fine units squared; 0 inside."""
    ahead, left = in_frame(base.x, base.y, base.heading, fx, fy)
    ahead = max(0, abs(ahead) - (base.half_long << FINE_BITS))
    left = max(0, abs(left) - (base.half_wide << FINE_BITS))
    return ahead * ahead + left * left


@kernel
def gap_squared(a: Base, b: Base):
    """N7: the squared gap between two bases in 2**20ths of a square unit; 0 where they overlap."""
    if separation(a, b) <= 0:
        return 0
    least = np.int64(1) << 62
    for n in range(4):
        fx, fy = corner_point(a, n)
        least = min(least, corner_gap(b, fx, fy))
        fx, fy = corner_point(b, n)
        least = min(least, corner_gap(a, fx, fy))
    return least


@kernel
def near(a: Base, b: Base):
    """N7: whether two bases touch: a gap of at most 2 mm."""
    if separation(a, b) > TOUCH * UNIT:
        return False
    return gap_squared(a, b) <= (TOUCH * FINE) ** 2


@kernel
def nearest_corner(a: Base, b: Base):
    """The point of base a where base b is nearest, in a's frame: a's corner, or b's corner clamped to a (2.5)."""
    least = np.int64(1) << 62
    at_ahead, at_left = 0, 0
    for n in range(4):
        fx, fy = corner_point(a, n)
        gap = corner_gap(b, fx, fy)
        if gap < least:
            least = gap
            at_ahead, at_left = corner(a.half_long, a.half_wide, n)
    for n in range(4):
        fx, fy = corner_point(b, n)
        gap = corner_gap(a, fx, fy)
        if gap < least:
            least = gap
            ahead, left = in_frame(a.x, a.y, a.heading, fx, fy)
            ahead, left = (ahead + FINE // 2) >> FINE_BITS, (left + FINE // 2) >> FINE_BITS
            at_ahead = max(-a.half_long, min(a.half_long, ahead))
            at_left = max(-a.half_wide, min(a.half_wide, left))
    return at_ahead, at_left


@kernel
def parting_direction(a: Base, b: Base):
    """The axis of the largest separation, pointing from a to b; ties: b's long, b's short, a's long, a's short."""
    dx, dy = b.x - a.x, b.y - a.y
    c, s = abs(cosine(b.heading - a.heading)), abs(sine(b.heading - a.heading))
    best = -(np.int64(1) << 62)
    found: Whole = 0
    for n in range(4):
        if n == 0:
            axis, extent = b.heading, (b.half_long << 30) + a.half_long * c + a.half_wide * s
        elif n == 1:
            axis, extent = b.heading + 900, (b.half_wide << 30) + a.half_long * s + a.half_wide * c
        elif n == 2:
            axis, extent = a.heading, (a.half_long << 30) + b.half_long * c + b.half_wide * s
        else:
            axis, extent = a.heading + 900, (a.half_wide << 30) + b.half_long * s + b.half_wide * c
        along = dx * cosine(axis) + dy * sine(axis)
        if abs(along) - extent > best:
            best = abs(along) - extent
            found = axis % FULL if along >= 0 else (axis + 1800) % FULL
    return found
