"""How far a sweep can go on without missing anything: bounds that look at directions, not only at distances.

None of these numbers decides anything by itself. They only say for how many steps there surely is no hit; what happens
then is measured.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.rules.geometry import (
    FINE_BITS,
    TO_FINE,
    UNIT,
    Base,
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
from spina.games.chariotmaster.rules.record import FULL, NOTHING
from spina.games.chariotmaster.rules.track import FAR, beside, room_to
from spina.kernel.compiler import kernel

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord

MARGIN = UNIT * 3 // 2
"""More than the rounding of two poses can change a separation."""

# --- between two bases ----------------------------------------------------------------------------------------------


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


# --- between a base and the walls -------------------------------------------------------------------------------------


@kernel
def wall_slide_steps(edition: EditionRecord, t, base: Base, direction, i, limit):
    """For how many steps of a slide from segment i the walls surely stay further than `limit`.

    Near a joint the walls of both segments count, each as if it went on: there is at least as much room as that.
    """
    size = reach(base.half_long, base.half_wide)
    steps = slide_within(edition, t, base, direction, i, limit)
    for end in range(2):
        if room_to(edition, t, base.x, base.y, i, end) - size < steps:
            j = beside(edition, t, i, 2 * end - 1)
            if j != NOTHING:
                steps = min(steps, slide_within(edition, t, base, direction, j, limit))
                steps = min(steps, max(0, room_to(edition, t, base.x, base.y, j, end) - size))
    return steps


@kernel
def slide_within(edition: EditionRecord, t, base: Base, direction, i, limit):
    """For how many steps of a slide the walls of segment i, if they went on for ever, stay further than `limit`."""
    if edition.seg_radius[t, i] == 0:
        track = edition.seg_heading[t, i]
        off = (base.y - edition.seg_y[t, i]) * cosine(track) - (base.x - edition.seg_x[t, i]) * sine(track)
        turn = base.heading - track
        extent = base.half_long * abs(sine(turn)) + base.half_wide * abs(cosine(turn))
        speed = sine(direction - track)
        spare = (edition.half_width[t] << 30) - extent - limit - MARGIN
        if spare - abs(off) <= 0:
            return 0
        if speed == 0:
            return FAR
        return (spare - (off if speed > 0 else -off)) // abs(speed)
    dc, ds = cosine(direction), sine(direction)
    cx, cy = edition.seg_cx[t, i] << FINE_BITS, edition.seg_cy[t, i] << FINE_BITS
    radius, width = abs(edition.seg_radius[t, i]), edition.half_width[t]
    bound = ((radius + width) << FINE_BITS) - ((limit + MARGIN) >> TO_FINE)
    least = np.int64(FAR)
    for n in range(4):
        fx, fy = corner_point(base, n)
        fx, fy = fx - cx, fy - cy
        along = (fx * dc + fy * ds) >> 30
        free = bound * bound - fx * fx - fy * fy
        if free <= 0:
            return 0
        least = min(least, (whole_root(along * along + free) - along) >> FINE_BITS)
    ahead, left, away = inner_gap(base, cx, cy)
    spare = away - ((radius - width) << FINE_BITS) - ((limit + MARGIN) >> TO_FINE)
    if spare <= 0 or away <= 0:
        return 0
    turn = direction - base.heading
    closing = (ahead * cosine(turn) + left * sine(turn)) >> 30
    if closing > 0:
        least = min(least, (spare * away // closing) >> FINE_BITS)
    return max(0, least)


@kernel
def wall_turn_steps(edition: EditionRecord, t, base: Base, ahead, left, sign, i, limit):
    """The same for steps of a turn about a point of the base."""
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
