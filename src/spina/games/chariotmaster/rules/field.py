"""What stands where in a race: moves swept among all pieces and the walls (M4, N2-N6, D9, O3-O6, X6).

Every sweep is a motion, a pose for each whole number of steps from its start: sliding in a direction, turning about a
point, following the track, shifting across it. For each thing within reach the first step that hits it is looked for by
advancing so far that nothing can have been missed, at the end step by step; then the mover goes back to the last step
that is clear of all. `passing` is a set of pieces, as bits, that are not there for this move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.rules.geometry import (
    FINE_BITS,
    TURN_SPEED,
    UNIT,
    cosine,
    fine_point,
    pivoted,
    point,
    reach,
    separation,
    sine,
    translated,
    whole_root,
)
from spina.games.chariotmaster.rules.record import ABSENT, BLOCK, FULL, NOTHING, OBSTACLE, PIECES, WALL, WRECK
from spina.games.chariotmaster.rules.sweep_bounds import (
    MARGIN,
    pivot_steps,
    slide_steps,
    wall_slide_steps,
    wall_turn_steps,
)
from spina.games.chariotmaster.rules.track import (
    FAR,
    at,
    is_within,
    progress,
    segment_at,
    segment_of,
    segment_on,
    settled,
    stretch,
    swiftest,
    wall_gap,
    wall_room,
)
from spina.kernel.bits import lowest_bit
from spina.kernel.compiler import kernel

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

HIT = -UNIT
"""N4: deeper than this is a hit."""
CLEAR = UNIT
"""N5: a mover rests with at least this gap."""
ROUNDED = 2 * UNIT
"""More than the rounding of two poses and headings on the track can change a separation."""

SLIDE, TURN, FOLLOW, SHIFT = range(4)
"""Motions. Their numbers a, b, c are: the direction; the point ahead and left and the sign; way and offset; the same
and the sign."""

# --- things ---------------------------------------------------------------------------------------------------------


@kernel
def is_low(race: RaceRecord, edition: EditionRecord, obj):
    """M5: wrecks and low obstacles, which one may run over."""
    if obj == WALL:
        return False
    if race.kind[obj] == BLOCK:
        return edition.ob_low[race.scenario, obj - OBSTACLE] == 1
    return race.kind[obj] == WRECK


@kernel
def is_fixed(race: RaceRecord, edition: EditionRecord, obj):
    """B5: walls and obstacles that never move."""
    if obj == WALL:
        return True
    return race.kind[obj] == BLOCK and edition.ob_fixed[race.scenario, obj - OBSTACLE] == 1


@kernel
def is_there(race: RaceRecord, piece, other, passing):
    """C10: whether the mover can meet this piece; its own wreck, team or driver is an object like any other."""
    return race.kind[other] != ABSENT and other != piece and not (passing >> other) & 1


@kernel
def piece_gap(race: RaceRecord, x, y, heading, half_long, half_wide, other):
    """The separation of a base from a piece."""
    half, wide = np.int64(race.half_long[other]), np.int64(race.half_wide[other])
    bx, by, bh = race.x[other], race.y[other], race.heading[other]
    return separation(x, y, heading, half_long, half_wide, bx, by, bh, half, wide)


@kernel
def segment_from(race: RaceRecord, edition: EditionRecord, segment, x, y):
    """The segment of a pose that a piece from this segment has come to.

    Rules version 1 looked no further than the neighbours that a base reaches into: a slide over short segments was
    measured in one that it had left behind.
    """
    if race.revision == 0:
        return settled(edition, race.scenario, segment, x << FINE_BITS, y << FINE_BITS)
    return segment_on(edition, race.scenario, segment, x << FINE_BITS, y << FINE_BITS)


@kernel
def home_segment(race: RaceRecord, edition: EditionRecord, piece, x, y):
    """The segment of a pose of this piece, looked for from the piece's own progress."""
    return segment_from(race, edition, segment_at(edition, race.scenario, race.way[piece]), x, y)


# --- motions --------------------------------------------------------------------------------------------------------


@kernel
def pose_after(edition: EditionRecord, t, motion, x, y, heading, a, b, c, d):
    """N2: the pose after d steps, always from the start."""
    if motion == SLIDE:
        x, y = translated(x, y, a, d)
        return x, y, heading
    if motion == TURN:
        return pivoted(x, y, heading, a, b, c * d)
    if motion == FOLLOW:
        return at(edition, t, a + d, b)
    return at(edition, t, a, b + c * d)


@kernel
def piece_hit(
    race: RaceRecord, edition: EditionRecord, motion, x, y, heading, a, b, c, half_long, half_wide, speed, most, other
):
    """The first of `most` steps that hits a piece, or NOTHING (N4, N6)."""
    bx, by, bh = race.x[other], race.y[other], race.heading[other]
    bl, bw = np.int64(race.half_long[other]), np.int64(race.half_wide[other])
    gap = separation(x, y, heading, half_long, half_wide, bx, by, bh, bl, bw)
    limit = min(HIT, gap)
    px, py, ph = x, y, heading
    fx, fy = fine_point(x, y, heading, a, b)
    d = 0
    while True:
        if motion == SLIDE:
            steps = slide_steps(px, py, ph, half_long, half_wide, a, bx, by, bh, bl, bw, limit)
        else:
            steps = (gap - limit - ROUNDED) // speed
            if motion == TURN and d + steps < most and gap > limit + MARGIN:
                steps = max(steps, pivot_steps(px, py, ph, half_long, half_wide, fx, fy, c, bx, by, bh, bl, bw, limit))
        d += max(1, steps)
        if d > most:
            return NOTHING
        px, py, ph = pose_after(edition, race.scenario, motion, x, y, heading, a, b, c, d)
        gap = separation(px, py, ph, half_long, half_wide, bx, by, bh, bl, bw)
        if gap < limit:
            return d


@kernel
def segment_after(race: RaceRecord, edition: EditionRecord, motion, a, d, segment, x, y):
    """The segment of the pose after d steps of a motion that has come from this segment."""
    if motion == FOLLOW:
        return segment_at(edition, race.scenario, a + d)
    return segment_from(race, edition, segment, x, y)


@kernel
def wall_after(
    race: RaceRecord, edition: EditionRecord, motion, x, y, heading, a, b, c, half_long, half_wide, d, segment
):
    """The separation from the walls after d steps of a motion that began in this segment."""
    t = race.scenario
    px, py, ph = pose_after(edition, t, motion, x, y, heading, a, b, c, d)
    here = segment_after(race, edition, motion, a, d, segment, px, py)
    return wall_gap(race, edition, px, py, ph, half_long, half_wide, here)


@kernel
def ends_on_its_straight(race: RaceRecord, edition: EditionRecord, segment, x, y):
    """Whether a slide that began on this straight ends there too.

    Rules version 1 did not ask: a slide that ended behind the straight, where its walls would have been far away had
    they gone on, met no wall in between.
    """
    return race.revision == 0 or stretch(edition, race.scenario, segment, x << FINE_BITS, y << FINE_BITS) == 0


@kernel
def wall_hit(
    race: RaceRecord,
    edition: EditionRecord,
    motion,
    x,
    y,
    heading,
    a,
    b,
    c,
    half_long,
    half_wide,
    speed,
    most,
    segment,
    gap,
):
    """The first of `most` steps that hits a wall, or NOTHING; `gap` is the separation at the start."""
    t = race.scenario
    limit = min(HIT, gap)
    if motion == SLIDE and gap >= CLEAR and edition.seg_radius[t, segment] == 0:
        # A straight is convex: between two clear ends, rounding apart, nothing is nearer to its walls than they are.
        ex, ey, _ = pose_after(edition, t, motion, x, y, heading, a, b, c, most)
        room = reach(half_long, half_wide)
        if (
            is_within(edition, t, x, y, segment, room)
            and is_within(edition, t, ex, ey, segment, room)
            and ends_on_its_straight(race, edition, segment, ex, ey)
        ):
            if wall_gap(race, edition, ex, ey, heading, half_long, half_wide, segment) >= CLEAR:
                return NOTHING
    px, py, ph, here = x, y, heading, segment
    d = 0
    while True:
        steps = (gap - limit - ROUNDED) // speed
        if d + steps < most and gap > limit + MARGIN:
            if motion == SLIDE:
                free = wall_slide_steps(edition, t, px, py, ph, half_long, half_wide, a, here, limit)
            elif motion == TURN:
                free = wall_turn_steps(edition, t, px, py, ph, half_long, half_wide, a, b, c, here, limit)
            else:
                free = 0
            steps = max(steps, free)
        d += max(1, steps)
        if d > most:
            return NOTHING
        px, py, ph = pose_after(edition, t, motion, x, y, heading, a, b, c, d)
        here = segment_after(race, edition, motion, a, d, segment if race.revision == 0 else here, px, py)
        gap = wall_gap(race, edition, px, py, ph, half_long, half_wide, here)
        if gap < limit:
            return d


@kernel
def sweep(
    race: RaceRecord,
    edition: EditionRecord,
    piece,
    motion,
    x,
    y,
    heading,
    a,
    b,
    c,
    half_long,
    half_wide,
    speed,
    most,
    segment,
    passing,
):
    """M4: how far a motion goes so that it rests clear, and its first step that hits anything, or NOTHING.

    `speed` is more than any point of the base moves in a step, in 2**30ths of a unit.
    """
    if most <= 0:
        return 0, NOTHING
    t = race.scenario
    room = reach(half_long, half_wide) + 4
    travel = ((speed * most) >> 30) + 1
    wide_room, mx, my = room + travel, x, y
    if motion == TURN:
        mx, my = point(x, y, heading, a, b)
        wide_room = speed // TURN_SPEED + 4
    dc, ds = cosine(a), sine(a)
    found = np.int64(0)
    hit = NOTHING
    last = most
    for other in range(PIECES):
        if not is_there(race, piece, other, passing):
            continue
        dx, dy = race.x[other] - mx, race.y[other] - my
        size = reach(np.int64(race.half_long[other]), np.int64(race.half_wide[other]))
        if motion == SLIDE:
            size += room
            if abs(dy * dc - dx * ds) >> 30 > size:
                continue
            along = (dx * dc + dy * ds) >> 30
            if along < -size or along > last + size:
                continue
        else:
            size += wide_room
            if dx * dx + dy * dy > size * size:
                continue
        found |= np.int64(1) << other
        first = piece_hit(race, edition, motion, x, y, heading, a, b, c, half_long, half_wide, speed, last, other)
        if first != NOTHING:
            hit, last = first, first
    walled = not (passing >> WALL) & 1
    if walled:
        travel = ((speed * last) >> 30) + 1
        walled = wall_room(edition, t, x, y, half_long, half_wide, segment) < (travel << 30) + 2 * ROUNDED
    begin = np.int64(0)
    if walled:
        begin = wall_gap(race, edition, x, y, heading, half_long, half_wide, segment)
        first = wall_hit(
            race, edition, motion, x, y, heading, a, b, c, half_long, half_wide, speed, last, segment, begin
        )
        if first != NOTHING:
            hit = first
    rest = most if hit == NOTHING else hit - 1
    begun = rest + 1
    while 0 < rest < begun:
        begun = rest
        if walled:
            gap = wall_after(race, edition, motion, x, y, heading, a, b, c, half_long, half_wide, rest, segment)
            if gap < CLEAR:
                rest -= steps_back(begin, gap, speed)
        px, py, ph = pose_after(edition, t, motion, x, y, heading, a, b, c, rest)
        left = found
        while left and rest == begun:
            other = lowest_bit(left)
            left &= left - 1
            gap = piece_gap(race, px, py, ph, half_long, half_wide, other)
            if gap < CLEAR:
                start = piece_gap(race, x, y, heading, half_long, half_wide, other)
                rest -= steps_back(start, gap, speed)
    return max(rest, 0), hit


@kernel
def steps_back(start, gap, speed):
    """N5: how many steps at least a mover must go back until it is clear; 0 if it is not nearer than at the start."""
    if gap >= start:
        return 0
    return max(1, (min(CLEAR, start) - gap - ROUNDED) // speed)


@kernel
def way_free(race: RaceRecord, edition: EditionRecord, piece, x, y, heading, direction, most, passing):
    """M4: how many units a piece can go from this pose so that it rests clear, and the first that hits, or NOTHING."""
    return sweep(
        race, edition, piece, SLIDE, x, y, heading, direction % FULL, 0, 0,
        np.int64(race.half_long[piece]), np.int64(race.half_wide[piece]), UNIT + 1, most,
        home_segment(race, edition, piece, x, y), passing,
    )  # fmt: skip


@kernel
def pivot_free(race: RaceRecord, edition: EditionRecord, piece, x, y, heading, ahead, left, angle, passing):
    """D9: how many tenths of a degree a piece can turn about a point, towards the sign of `angle`, and rest clear."""
    half_long, half_wide = np.int64(race.half_long[piece]), np.int64(race.half_wide[piece])
    over, across = abs(ahead) + half_long, abs(left) + half_wide
    speed = (whole_root(over * over + across * across) + 1) * TURN_SPEED
    rest, _hit = sweep(
        race, edition, piece, TURN, x, y, heading, ahead, left, 1 if angle >= 0 else -1,
        half_long, half_wide, speed, abs(angle), home_segment(race, edition, piece, x, y), passing,
    )  # fmt: skip
    return rest


@kernel
def follow(race: RaceRecord, edition: EditionRecord, piece, way, off, most, passing):
    """O3-O6: the same along the track, at a constant offset from its centre line."""
    t = race.scenario
    half_long, half_wide = np.int64(race.half_long[piece]), np.int64(race.half_wide[piece])
    x, y, heading = at(edition, t, way, off)
    speed = swiftest(edition, t, way, most, off, reach(half_long, half_wide))
    return sweep(
        race, edition, piece, FOLLOW, x, y, heading, way, off, 0,
        half_long, half_wide, speed, most, segment_at(edition, t, way), passing,
    )  # fmt: skip


@kernel
def shift_free(race: RaceRecord, edition: EditionRecord, piece, way, off, to, passing):
    """O5, O6: 1 if the piece can go straight across the track from one offset to the other, and rest there."""
    t = race.scenario
    x, y, heading = at(edition, t, way, off)
    rest, hit = sweep(
        race, edition, piece, SHIFT, x, y, heading, way, off, 1 if to >= off else -1,
        np.int64(race.half_long[piece]), np.int64(race.half_wide[piece]), UNIT + 1, abs(to - off),
        segment_at(edition, t, way), passing,
    )  # fmt: skip
    return 1 if hit == NOTHING and rest == abs(to - off) else 0


# --- single poses ---------------------------------------------------------------------------------------------------


@kernel
def hit_at_pose(race: RaceRecord, edition: EditionRecord, piece, sx, sy, sh, x, y, heading, passing):
    """C1, C2: all that is hit at a pose by a move that began at the pose s, as bits; WALL stands for the walls."""
    half_long, half_wide = np.int64(race.half_long[piece]), np.int64(race.half_wide[piece])
    room = reach(half_long, half_wide)
    found = np.int64(0)
    for other in range(PIECES):
        if not is_there(race, piece, other, passing):
            continue
        dx, dy = race.x[other] - x, race.y[other] - y
        size = room + reach(np.int64(race.half_long[other]), np.int64(race.half_wide[other]))
        if dx * dx + dy * dy > size * size:
            continue
        gap = piece_gap(race, x, y, heading, half_long, half_wide, other)
        if gap < HIT and gap < piece_gap(race, sx, sy, sh, half_long, half_wide, other):
            found |= np.int64(1) << other
    if not (passing >> WALL) & 1:
        begin = home_segment(race, edition, piece, sx, sy)
        end = segment_from(race, edition, begin, x, y)
        gap = wall_gap(race, edition, x, y, heading, half_long, half_wide, end)
        if gap < HIT and gap < wall_gap(race, edition, sx, sy, sh, half_long, half_wide, begin):
            found |= np.int64(1) << WALL
    return found


@kernel
def is_base_clear(
    race: RaceRecord, edition: EditionRecord, piece, x, y, heading, half_long, half_wide, segment, passing
):
    """N5 for any base whose centre lies in this segment."""
    room = reach(half_long, half_wide) + 2
    for other in range(PIECES):
        if not is_there(race, piece, other, passing):
            continue
        dx, dy = race.x[other] - x, race.y[other] - y
        size = room + reach(np.int64(race.half_long[other]), np.int64(race.half_wide[other]))
        if dx * dx + dy * dy > size * size:
            continue
        if piece_gap(race, x, y, heading, half_long, half_wide, other) < CLEAR:
            return False
    if (passing >> WALL) & 1:
        return True
    return wall_gap(race, edition, x, y, heading, half_long, half_wide, segment) >= CLEAR


@kernel
def is_clear(race: RaceRecord, edition: EditionRecord, piece, x, y, heading, passing):
    """N5: whether a piece rests clear of everything at this pose."""
    half_long, half_wide = np.int64(race.half_long[piece]), np.int64(race.half_wide[piece])
    segment = home_segment(race, edition, piece, x, y)
    return is_base_clear(race, edition, piece, x, y, heading, half_long, half_wide, segment, passing)


RINGS = 400
"""Free spots are looked for up to this many millimetres away."""


@kernel
def free_spot(race: RaceRecord, edition: EditionRecord, half, x, y, outward, way, passing):
    """X6: this spot for a square base with heading 0, or the nearest free one.

    Rings of 1 mm, 16 directions: outward first, then to its left and right in turn. The spot itself if there is none.
    """
    t = race.scenario
    home = segment_of(edition, t, x, y, way)
    if is_base_clear(race, edition, NOTHING, x, y, 0, half, half, home, passing):
        return x, y
    for ring in range(1, RINGS + 1):
        for n in range(16):
            turn = 225 * ((n + 1) >> 1)
            px, py = translated(x, y, outward + (turn if n & 1 else -turn), 10 * ring)
            segment = settled(edition, t, home, px << FINE_BITS, py << FINE_BITS)
            if is_base_clear(race, edition, NOTHING, px, py, 0, half, half, segment, passing):
                return px, py
    return x, y


@kernel
def corner_progress(race: RaceRecord, edition: EditionRecord, piece):
    """E3: the greatest progress of a piece's four corners."""
    half_long, half_wide = np.int64(race.half_long[piece]), np.int64(race.half_wide[piece])
    x, y, heading, way = race.x[piece], race.y[piece], race.heading[piece], race.way[piece]
    best = -FAR
    for n in range(4):
        px, py = point(x, y, heading, half_long if n < 2 else -half_long, half_wide if n & 1 else -half_wide)
        best = max(best, progress(edition, race.scenario, px, py, way))
    return best
