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
    Base,
    Pose,
    cosine,
    fine_point,
    point,
    reach,
    separation,
    sine,
    translated,
    whole_root,
)
from spina.games.chariotmaster.rules.motions import (
    CLEAR,
    FOLLOW,
    HIT,
    ROUNDED,
    SHIFT,
    SLIDE,
    TURN,
    Motion,
    base_after,
    segment_from,
)
from spina.games.chariotmaster.rules.record import ABSENT, BLOCK, FULL, NOTHING, OBSTACLE, PIECES, WALL, WRECK
from spina.games.chariotmaster.rules.sweep_bounds import MARGIN, pivot_steps, slide_steps
from spina.games.chariotmaster.rules.track import (
    FAR,
    at,
    progress,
    segment_at,
    segment_of,
    settled,
    swiftest,
    wall_gap,
    wall_room,
)
from spina.games.chariotmaster.rules.wall_sweeps import Place, place_among_walls, wall_after, wall_hit
from spina.kernel.bits import lowest_bit
from spina.kernel.compiler import kernel
from spina.kernel.record import whole

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

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
def pieces_in_play(race: RaceRecord, piece, passing):
    """C10: the pieces that the mover can meet, as bits; its own wreck, team or driver is an object like any other."""
    kinds, found = race.kind, np.int64(0)
    for other in range(PIECES):
        found |= np.int64(kinds[other] != ABSENT) << other
    if piece != NOTHING:
        found &= ~(np.int64(1) << piece)
    return found & ~passing


@kernel
def pose_of(race: RaceRecord, piece):
    """The pose at which a piece stands."""
    return Pose(race.x[piece], race.y[piece], race.heading[piece])


@kernel
def base_at(race: RaceRecord, piece, pose: Pose):
    """The base that a piece has at a pose."""
    half_long, half_wide = whole(race.half_long[piece]), whole(race.half_wide[piece])
    return Base(pose.x, pose.y, pose.heading, half_long, half_wide)


@kernel
def base_of(race: RaceRecord, piece):
    """The base of a piece where it stands."""
    return base_at(race, piece, pose_of(race, piece))


@kernel
def piece_gap(race: RaceRecord, base: Base, other):
    """The separation of a base from a piece."""
    return separation(base, base_of(race, other))


@kernel
def home_segment(race: RaceRecord, edition: EditionRecord, piece, x, y):
    """The segment of a pose of this piece, looked for from the piece's own progress."""
    return segment_from(race, edition, segment_at(edition, race.scenario, race.way[piece]), x, y)


# --- motions --------------------------------------------------------------------------------------------------------


@kernel
def piece_hit(race: RaceRecord, edition: EditionRecord, motion: Motion, base: Base, most, other):
    """The first of `most` steps that hits a piece, or NOTHING (N4, N6)."""
    obstacle = base_of(race, other)
    gap = separation(base, obstacle)
    limit = min(HIT, gap)
    fx, fy = fine_point(base.x, base.y, base.heading, motion.along, motion.left)
    mover = base
    d = 0
    while True:
        if motion.kind == SLIDE:
            steps = slide_steps(mover, motion.direction, obstacle, limit)
        else:
            steps = (gap - limit - ROUNDED) // motion.speed
            if motion.kind == TURN and d + steps < most and gap > limit + MARGIN:
                steps = max(steps, pivot_steps(mover, fx, fy, motion.sign, obstacle, limit))
        d += max(1, steps)
        if d > most:
            return NOTHING
        mover = base_after(edition, race.scenario, motion, base, d)
        gap = separation(mover, obstacle)
        if gap < limit:
            return d


@kernel
def sweep(race: RaceRecord, edition: EditionRecord, piece, motion: Motion, base: Base, most, segment, passing):
    """M4: how far a motion goes so that it rests clear, and its first step that hits anything, or NOTHING.

    `base` is the mover's at the start, `segment` the one it is in.
    """
    if most <= 0:
        return 0, NOTHING
    room = reach(base.half_long, base.half_wide) + 4
    travel = ((motion.speed * most) >> 30) + 1
    wide_room, mx, my = room + travel, base.x, base.y
    if motion.kind == TURN:
        mx, my = point(base.x, base.y, base.heading, motion.along, motion.left)
        wide_room = motion.speed // TURN_SPEED + 4
    dc, ds = cosine(motion.direction), sine(motion.direction)
    found = np.int64(0)
    hit = NOTHING
    last = most
    others = pieces_in_play(race, piece, passing)
    while others:
        other = lowest_bit(others)
        others &= others - 1
        dx, dy = race.x[other] - mx, race.y[other] - my
        size = reach(np.int64(race.half_long[other]), np.int64(race.half_wide[other]))
        if motion.kind == SLIDE:
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
        first = piece_hit(race, edition, motion, base, last, other)
        if first != NOTHING:
            hit, last = first, first
    walled = not (passing >> WALL) & 1
    begin, place = np.int64(0), Place(segment, 1, 0)
    if walled:
        travel = ((motion.speed * last) >> 30) + 1
        if motion.kind == TURN and race.revision != 0:
            travel = min(travel, 2 * (abs(motion.along) + abs(motion.left)))  # its centre goes round a point
        begin = wall_room(edition, race.scenario, base, segment)
        walled = begin < (travel << 30) + 2 * ROUNDED
    if walled:
        begin, place = place_among_walls(race, edition, motion, base, segment, begin)
        first, place = wall_hit(race, edition, motion, base, last, place, begin)
        if first != NOTHING:
            hit = first
    rest = most if hit == NOTHING else hit - 1
    begun = rest + 1
    while 0 < rest < begun:
        begun = rest
        if walled:
            gap, place = wall_after(race, edition, motion, base, rest, place)
            if gap < CLEAR:
                rest -= steps_back(begin, gap, motion.speed)
        left = found if rest == begun else np.int64(0)
        mover = base_after(edition, race.scenario, motion, base, rest) if left else base
        while left and rest == begun:
            other = lowest_bit(left)
            left &= left - 1
            gap = piece_gap(race, mover, other)
            if gap < CLEAR:
                rest -= steps_back(piece_gap(race, base, other), gap, motion.speed)
    return max(rest, 0), hit


@kernel
def steps_back(start, gap, speed):
    """N5: how many steps at least a mover must go back until it is clear; 0 if it is not nearer than at the start."""
    if gap >= start:
        return 0
    missing = min(CLEAR, start) - gap - ROUNDED
    return missing // speed if missing >= 2 * speed else 1


@kernel
def way_free(race: RaceRecord, edition: EditionRecord, piece, pose: Pose, direction, most, passing):
    """M4: how many units a piece can go from this pose so that it rests clear, and the first that hits, or NOTHING."""
    home = home_segment(race, edition, piece, pose.x, pose.y)
    return way_free_from(race, edition, piece, pose, home, direction, most, passing)


@kernel
def way_free_from(race: RaceRecord, edition: EditionRecord, piece, pose: Pose, home, direction, most, passing):
    """The same from a pose whose `home_segment` is known."""
    motion = Motion(SLIDE, direction % FULL, 0, 0, 0, UNIT + 1)
    return sweep(race, edition, piece, motion, base_at(race, piece, pose), most, home, passing)


@kernel
def turn_about(base: Base, ahead, left, angle):
    """The motion of a turn about a point of the base."""
    over, across = abs(ahead) + base.half_long, abs(left) + base.half_wide
    speed = (whole_root(over * over + across * across) + 1) * TURN_SPEED
    return Motion(TURN, 0, ahead, left, 1 if angle >= 0 else -1, speed)


@kernel
def pivot_free(race: RaceRecord, edition: EditionRecord, piece, pose: Pose, ahead, left, angle, passing):
    """D9: how many tenths of a degree a piece can turn about a point, towards the sign of `angle`, and rest clear."""
    base = base_at(race, piece, pose)
    motion = turn_about(base, ahead, left, angle)
    home = home_segment(race, edition, piece, pose.x, pose.y)
    rest, _hit = sweep(race, edition, piece, motion, base, abs(angle), home, passing)
    return rest


@kernel
def turns_freely(race: RaceRecord, edition: EditionRecord, piece, pose: Pose, home):
    """Whether nothing is near enough to stop a piece that turns about its centre: `pivot_free` is all of any angle."""
    base = base_at(race, piece, pose)
    room = turn_about(base, 0, 0, 1).speed // TURN_SPEED + 4
    others = pieces_in_play(race, piece, np.int64(0))
    while others:
        other = lowest_bit(others)
        others &= others - 1
        dx, dy = race.x[other] - pose.x, race.y[other] - pose.y
        size = room + reach(np.int64(race.half_long[other]), np.int64(race.half_wide[other]))
        if dx * dx + dy * dy <= size * size:
            return False
    return race.revision != 0 and wall_room(edition, race.scenario, base, home) >= 2 * ROUNDED


@kernel
def base_on_track(race: RaceRecord, edition: EditionRecord, piece, way, off):
    """The base that a piece has at this progress and offset, heading along the track."""
    x, y, heading = at(edition, race.scenario, way, off)
    return base_at(race, piece, Pose(x, y, heading))


@kernel
def follow(race: RaceRecord, edition: EditionRecord, piece, way, off, most, passing):
    """O3-O6: the same along the track, at a constant offset from its centre line."""
    t = race.scenario
    base = base_on_track(race, edition, piece, way, off)
    speed = swiftest(edition, t, way, most, off, reach(base.half_long, base.half_wide))
    motion = Motion(FOLLOW, 0, way, off, 0, speed)
    return sweep(race, edition, piece, motion, base, most, segment_at(edition, t, way), passing)


@kernel
def shift_free(race: RaceRecord, edition: EditionRecord, piece, way, off, to, passing):
    """O5, O6: 1 if the piece can go straight across the track from one offset to the other, and rest there."""
    base = base_on_track(race, edition, piece, way, off)
    motion = Motion(SHIFT, 0, way, off, 1 if to >= off else -1, UNIT + 1)
    segment = segment_at(edition, race.scenario, way)
    rest, hit = sweep(race, edition, piece, motion, base, abs(to - off), segment, passing)
    return 1 if hit == NOTHING and rest == abs(to - off) else 0


# --- single poses ---------------------------------------------------------------------------------------------------


@kernel
def hit_at_pose(race: RaceRecord, edition: EditionRecord, piece, start: Pose, pose: Pose, passing):
    """C1, C2: all that is hit at a pose by a move that began at `start`, as bits; WALL stands for the walls."""
    begin, end = base_at(race, piece, start), base_at(race, piece, pose)
    room = reach(end.half_long, end.half_wide)
    found = np.int64(0)
    others = pieces_in_play(race, piece, passing)
    while others:
        other = lowest_bit(others)
        others &= others - 1
        dx, dy = race.x[other] - end.x, race.y[other] - end.y
        size = room + reach(np.int64(race.half_long[other]), np.int64(race.half_wide[other]))
        if dx * dx + dy * dy > size * size:
            continue
        gap = piece_gap(race, end, other)
        if gap < HIT and gap < piece_gap(race, begin, other):
            found |= np.int64(1) << other
    if not (passing >> WALL) & 1:
        home = home_segment(race, edition, piece, begin.x, begin.y)
        gap = wall_gap(race, edition, end, segment_from(race, edition, home, end.x, end.y))
        if gap < HIT and gap < wall_gap(race, edition, begin, home):
            found |= np.int64(1) << WALL
    return found


@kernel
def is_base_clear(race: RaceRecord, edition: EditionRecord, piece, base: Base, segment, passing):
    """N5 for any base whose centre lies in this segment."""
    room = reach(base.half_long, base.half_wide) + 2
    others = pieces_in_play(race, piece, passing)
    while others:
        other = lowest_bit(others)
        others &= others - 1
        dx, dy = race.x[other] - base.x, race.y[other] - base.y
        size = room + reach(np.int64(race.half_long[other]), np.int64(race.half_wide[other]))
        if dx * dx + dy * dy > size * size:
            continue
        if piece_gap(race, base, other) < CLEAR:
            return False
    if (passing >> WALL) & 1:
        return True
    return wall_gap(race, edition, base, segment) >= CLEAR


@kernel
def is_clear(race: RaceRecord, edition: EditionRecord, piece, pose: Pose, passing):
    """N5: whether a piece rests clear of everything at this pose."""
    segment = home_segment(race, edition, piece, pose.x, pose.y)
    return is_base_clear(race, edition, piece, base_at(race, piece, pose), segment, passing)


RINGS = 400
"""Free spots are looked for up to this many millimetres away."""


@kernel
def free_spot(race: RaceRecord, edition: EditionRecord, half, x, y, outward, way, passing):
    """X6: this spot for a square base with heading 0, or the nearest free one.

    Rings of 1 mm, 16 directions: outward first, then to its left and right in turn. The spot itself if there is none.
    """
    t = race.scenario
    home = segment_of(edition, t, x, y, way)
    if is_base_clear(race, edition, NOTHING, Base(x, y, 0, half, half), home, passing):
        return x, y
    for ring in range(1, RINGS + 1):
        for n in range(16):
            turn = 225 * ((n + 1) >> 1)
            px, py = translated(x, y, outward + (turn if n & 1 else -turn), 10 * ring)
            segment = settled(edition, t, home, px << FINE_BITS, py << FINE_BITS)
            if is_base_clear(race, edition, NOTHING, Base(px, py, 0, half, half), segment, passing):
                return px, py
    return x, y


@kernel
def corner_progress(race: RaceRecord, edition: EditionRecord, piece):
    """E3: the greatest progress of a piece's four corners."""
    x, y, heading, half_long, half_wide = base_of(race, piece)
    way = race.way[piece]
    best = -FAR
    for n in range(4):
        px, py = point(x, y, heading, half_long if n < 2 else -half_long, half_wide if n & 1 else -half_wide)
        best = max(best, progress(edition, race.scenario, px, py, way))
    return best
