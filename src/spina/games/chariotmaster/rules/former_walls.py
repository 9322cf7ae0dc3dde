"""Moves along the walls as rules version 1 found them: races that began with it go on with it.

Where walls were measured wrongly (`track.former_corner_offset`), what was found depended on which steps were measured.
So the search stays as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.rules.geometry import (
    FINE_BITS,
    TO_FINE,
    Base,
    corner_point,
    cosine,
    reach,
    sine,
    whole_root,
)
from spina.games.chariotmaster.rules.motions import CLEAR, HIT, ROUNDED, SLIDE, TURN, Motion, base_after, segment_after
from spina.games.chariotmaster.rules.record import NOTHING
from spina.games.chariotmaster.rules.sweep_bounds import MARGIN
from spina.games.chariotmaster.rules.track import FAR, beside, is_within, room_to, wall_gap
from spina.games.chariotmaster.rules.wall_bounds import inner_gap, wall_turn_steps
from spina.kernel.compiler import kernel

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord


@kernel
def former_slide_steps(edition: EditionRecord, t, base: Base, direction, i, limit):
    """For how many steps of a slide from segment i the walls surely stay further than `limit`.

    Near a joint the walls of both segments count, each as if it went on: there is at least as much room as that.
    """
    size = reach(base.half_long, base.half_wide)
    steps = former_slide_within(edition, t, base, direction, i, limit)
    for end in range(2):
        if room_to(edition, t, base.x, base.y, i, end) - size < steps:
            j = beside(edition, t, i, 2 * end - 1)
            if j != NOTHING:
                steps = min(steps, former_slide_within(edition, t, base, direction, j, limit))
                steps = min(steps, max(0, room_to(edition, t, base.x, base.y, j, end) - size))
    return steps


@kernel
def former_slide_within(edition: EditionRecord, t, base: Base, direction, i, limit):
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
def is_straight_clear(race: RaceRecord, edition: EditionRecord, base: Base, end: Base, segment):
    """Whether a slide from a clear base to this end was taken to meet no wall.

    It looked at the end alone: behind the straight, where its walls would have been far away had they gone on, a slide
    met no wall in between.
    """
    t, room = race.scenario, reach(base.half_long, base.half_wide)
    if not is_within(edition, t, base.x, base.y, segment, room):
        return False
    if not is_within(edition, t, end.x, end.y, segment, room):
        return False
    return wall_gap(race, edition, end, segment) >= CLEAR


@kernel
def former_wall_hit(race: RaceRecord, edition: EditionRecord, motion: Motion, base: Base, most, segment, gap):
    """The first of `most` steps that hits a wall, or NOTHING; `gap` is the separation at the start."""
    t = race.scenario
    limit = min(HIT, gap)
    if motion.kind == SLIDE and gap >= CLEAR and edition.seg_radius[t, segment] == 0:
        end = base_after(edition, t, motion, base, most)
        if is_straight_clear(race, edition, base, end, segment):
            return NOTHING
    mover, here = base, segment
    d = 0
    while True:
        steps = (gap - limit - ROUNDED) // motion.speed
        if d + steps < most and gap > limit + MARGIN:
            if motion.kind == SLIDE:
                free = former_slide_steps(edition, t, mover, motion.direction, here, limit)
            elif motion.kind == TURN:
                free = wall_turn_steps(edition, t, mover, motion.along, motion.left, motion.sign, here, limit)
            else:
                free = 0
            steps = max(steps, free)
        d += max(1, steps)
        if d > most:
            return NOTHING
        mover = base_after(edition, t, motion, base, d)
        here = segment_after(race, edition, motion, d, segment, mover.x, mover.y)
        gap = wall_gap(race, edition, mover, here)
        if gap < limit:
            return d
