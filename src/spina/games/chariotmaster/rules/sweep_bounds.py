"""How far a sweep can go on without missing another base: bounds that look at directions, not only at distances.

None of these numbers decides anything by itself. They only say for how many steps there surely is no hit; what happens
then is measured. `wall_bounds.py` does the same for walls.
"""

from __future__ import annotations

import numpy as np

from spina.games.chariotmaster.rules.geometry import (
    TO_FINE,
    UNIT,
    Base,
    corner_point,
    cosine,
    sine,
    turn_steps,
)
from spina.games.chariotmaster.rules.track import FAR
from spina.kernel.compiler import kernel

MARGIN = UNIT * 3 // 2
"""More than the rounding of two poses can change a separation."""


@kernel
def axis_steps(apart, extent, speed, limit):
    """For how many steps of a slide two bases stay further apart than `limit` along one axis."""
    spare = abs(apart) - extent - limit - MARGIN
    if spare <= 0:
        return 0
    if apart < 0:
        speed = -speed
    if speed <= 0:
        return FAR
    return spare // speed


@kernel
def slide_steps(a: Base, direction, b: Base, limit):
    """For how many steps of a slide the separation surely stays above `limit`: for as long as it does on some axis."""
    dx, dy = b.x - a.x, b.y - a.y
    c, s = abs(cosine(b.heading - a.heading)), abs(sine(b.heading - a.heading))
    ac, az = cosine(a.heading), sine(a.heading)
    bc, bz = cosine(b.heading), sine(b.heading)
    along_a = (a.half_long << 30) + b.half_long * c + b.half_wide * s
    across_a = (a.half_wide << 30) + b.half_long * s + b.half_wide * c
    along_b = (b.half_long << 30) + a.half_long * c + a.half_wide * s
    across_b = (b.half_wide << 30) + a.half_long * s + a.half_wide * c
    first = axis_steps(dx * ac + dy * az, along_a, cosine(direction - a.heading), limit)
    second = axis_steps(dy * ac - dx * az, across_a, sine(direction - a.heading), limit)
    third = axis_steps(dx * bc + dy * bz, along_b, cosine(direction - b.heading), limit)
    fourth = axis_steps(dy * bc - dx * bz, across_b, sine(direction - b.heading), limit)
    return max(max(first, second), max(third, fourth))


@kernel
def pivot_steps(a: Base, px, py, sign, b: Base, limit):
    """The same for a turn of base a about a fine point: along the axis on which the two are furthest apart."""
    dx, dy = b.x - a.x, b.y - a.y
    c, s = abs(cosine(b.heading - a.heading)), abs(sine(b.heading - a.heading))
    ac, az = cosine(a.heading), sine(a.heading)
    bc, bz = cosine(b.heading), sine(b.heading)
    first, second = dx * ac + dy * az, dy * ac - dx * az
    third, fourth = dx * bc + dy * bz, dy * bc - dx * bz
    first_gap = abs(first) - (a.half_long << 30) - b.half_long * c - b.half_wide * s
    second_gap = abs(second) - (a.half_wide << 30) - b.half_long * s - b.half_wide * c
    third_gap = abs(third) - (b.half_long << 30) - a.half_long * c - a.half_wide * s
    fourth_gap = abs(fourth) - (b.half_wide << 30) - a.half_long * s - a.half_wide * c
    own = max(first_gap, second_gap)
    other = max(third_gap, fourth_gap)
    spare = (max(own, other) - limit - MARGIN) >> TO_FINE
    if spare <= 0:
        return 0
    if other >= own:  # a's corners turn towards b's edge
        axis, apart = (b.heading, third) if third_gap >= fourth_gap else (b.heading + 900, fourth)
        if apart < 0:
            axis += 1800
        return corner_steps(a, px, py, sign, axis, spare)
    axis, apart = (a.heading, first) if first_gap >= second_gap else (a.heading + 900, second)
    if apart > 0:
        axis += 1800
    return corner_steps(b, px, py, -sign, axis, spare)


@kernel
def corner_steps(base: Base, px, py, sign, axis, spare):
    """For how many steps of a turn about a fine point no corner goes more than `spare` beyond the foremost one now."""
    c, s = cosine(axis), sine(axis)
    foremost = -np.int64(FAR)
    for n in range(4):
        fx, fy = corner_point(base, n)
        foremost = max(foremost, ((fx - px) * c + (fy - py) * s) >> 30)
    least = np.int64(FAR)
    for n in range(4):
        fx, fy = corner_point(base, n)
        wx, wy = fx - px, fy - py
        along = (wx * c + wy * s) >> 30
        across = (wy * c - wx * s) >> 30
        room = spare + foremost - along
        bend = abs(along) + abs(across)
        if room < 2 * bend:
            least = min(least, turn_steps(room, -sign * across, bend))
    return least
