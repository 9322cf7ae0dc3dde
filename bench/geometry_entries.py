"""Entries through which tests and the benchmark call the geometry of Chariotmaster from Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.bots.sight_bounds import worth_at_most
from spina.games.chariotmaster.bots.sights import WEIGHTS, promise
from spina.games.chariotmaster.rules.contacts import (
    align_angle,
    contact,
    front_touch,
    level_parts,
    normal,
    parts_at,
    side_touch,
    strip_parts,
    touches,
    touches_wall,
)
from spina.games.chariotmaster.rules.field import (
    corner_progress,
    follow,
    free_spot,
    hit_at_pose,
    home_segment,
    is_clear,
    is_fixed,
    is_low,
    pivot_free,
    pose_of,
    shift_free,
    way_free,
)
from spina.games.chariotmaster.rules.geometry import (
    FINE,
    FINE_BITS,
    Base,
    Pose,
    cosine,
    direction_of,
    gap_squared,
    near,
    pivot_point,
    pivoted,
    point,
    separation,
    sine,
    translated,
)
from spina.games.chariotmaster.rules.motions import CLEAR, HIT, Motion, base_after, segment_after
from spina.games.chariotmaster.rules.record import EDITION, FULL, NOTHING, POINTS, RACE
from spina.games.chariotmaster.rules.track import (
    at,
    nearest_way,
    offset,
    on_line,
    progress,
    segment_of,
    wall_gap,
    wall_normal,
    wall_separation,
    wall_side,
    wall_tangent,
)
from spina.kernel.compiler import entry, kernel
from spina.kernel.record import fields
from spina.kernel.signatures import BYTES, COMPONENTS, INT, NUMBERS

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

MEASURE = INT(BYTES, COMPONENTS, INT, NUMBERS, NUMBERS)
TRY = INT(BYTES, COMPONENTS, INT, INT, INT)

QUESTIONS = (
    "cosine", "sine", "point", "translated", "pivoted", "pivot_point", "separation", "gap_squared", "near",
    "progress", "offset", "at", "wall_separation", "wall_side", "wall_normal", "wall_tangent",
    "way_free", "pivot_free", "hit_at_pose", "is_clear", "is_low", "is_fixed", "parts_at", "contact", "normal",
    "align_angle", "touches", "touches_wall", "side_touch", "front_touch", "level_parts", "strip_parts", "follow",
    "shift_free", "free_spot", "corner_progress", "walls_by_step", "direction_of", "progress_by_all", "worths",
)  # fmt: skip
(
    COSINE, SINE, POINT, TRANSLATED, PIVOTED, PIVOT_POINT, SEPARATION, GAP_SQUARED, NEAR,
    PROGRESS, OFFSET, AT, WALL_SEPARATION, WALL_SIDE, WALL_NORMAL, WALL_TANGENT,
    WAY_FREE, PIVOT_FREE, HIT_AT_POSE, IS_CLEAR, IS_LOW, IS_FIXED, PARTS_AT, CONTACT, NORMAL,
    ALIGN_ANGLE, TOUCHES, TOUCHES_WALL, SIDE_TOUCH, FRONT_TOUCH, LEVEL_PARTS, STRIP_PARTS, FOLLOW,
    SHIFT_FREE, FREE_SPOT, CORNER_PROGRESS, WALLS_BY_STEP, DIRECTION_OF, PROGRESS_BY_ALL, WORTHS,
) = range(40)  # fmt: skip


@kernel
def pose_from(n, first):
    """A pose from three numbers of a question."""
    return Pose(n[first], n[first + 1], n[first + 2])


@kernel
def base_from(n, first):
    """A base from five numbers of a question."""
    return Base(n[first], n[first + 1], n[first + 2], n[first + 3], n[first + 4])


@kernel
def measure_bases(what, n, out):
    """Poses and bases alone."""
    if what == COSINE:
        out[0] = cosine(n[0])
    elif what == SINE:
        out[0] = sine(n[0])
    elif what == DIRECTION_OF:
        out[0] = direction_of(n[0], n[1])
    elif what == POINT:
        out[0], out[1] = point(n[0], n[1], n[2], n[3], n[4])
        return 2
    elif what == TRANSLATED:
        out[0], out[1] = translated(n[0], n[1], n[2], n[3])
        return 2
    elif what == PIVOTED:
        out[0], out[1], out[2] = pivoted(n[0], n[1], n[2], n[3], n[4], n[5])
        return 3
    elif what == PIVOT_POINT:
        out[0], out[1] = pivot_point(n[0], n[1], n[2])
        return 2
    elif what == SEPARATION:
        out[0] = separation(base_from(n, 0), base_from(n, 5))
    elif what == GAP_SQUARED:
        out[0] = gap_squared(base_from(n, 0), base_from(n, 5))
    else:
        out[0] = near(base_from(n, 0), base_from(n, 5))
    return 1


@kernel
def measure_track(race: RaceRecord, edition: EditionRecord, what, n, out):
    """The track alone, in the race's scenario."""
    t = race.scenario
    if what == PROGRESS:
        out[0] = progress(edition, t, n[0], n[1], n[2])
    elif what == PROGRESS_BY_ALL:
        s = on_line(edition, t, n[2])
        out[0] = n[2] + nearest_way(edition, t, s, n[0] << FINE_BITS, n[1] << FINE_BITS)
    elif what == OFFSET:
        out[0] = offset(edition, t, n[0], n[1], n[2])
    elif what == AT:
        out[0], out[1], out[2] = at(edition, t, n[0], n[1])
        return 3
    elif what == WALL_SEPARATION:
        out[0] = wall_separation(race, edition, base_from(n, 0), n[5])
    elif what == WALL_SIDE:
        out[0] = wall_side(race, edition, base_from(n, 0), n[5])
    elif what == WALL_NORMAL:
        out[0] = wall_normal(race, edition, base_from(n, 0), n[5])
    else:
        out[0] = wall_tangent(race, edition, base_from(n, 0), n[5])
    return 1


@kernel
def walls_by_step(race: RaceRecord, edition: EditionRecord, way, motion: Motion, base: Base, most):
    """What `field.sweep` must find along the walls: every step is measured, in the segment next to the step before.

    `way` is the progress of the first pose. Returns the last clear step before the first that hits, and that one or
    NOTHING.
    """
    t = race.scenario
    segment = segment_of(edition, t, base.x, base.y, way)
    begin = wall_gap(race, edition, base, segment)
    rest = 0
    for d in range(1, most + 1):
        mover = base_after(edition, t, motion, base, d)
        segment = segment_after(race, edition, motion, d, segment, mover.x, mover.y)
        gap = wall_gap(race, edition, mover, segment)
        if gap < min(HIT, begin):
            return rest, d
        if gap >= min(CLEAR, begin):
            rest = d
    return rest, NOTHING


@kernel
def worths(race: RaceRecord, edition: EditionRecord, chariot, pose: Pose, n):
    """What a pose is worth to a driver and what it is worth at most, in `FINE` parts of a unit of progress.

    `n` has the first four weights, in thousandths.
    """
    weights = np.zeros(WEIGHTS)
    weights[:4] = n[:4] / 1000
    here = progress(edition, race.scenario, pose.x, pose.y, race.way[chariot])
    home = home_segment(race, edition, chariot, pose.x, pose.y)
    most = worth_at_most(race, edition, chariot, pose, here, home, weights)
    return np.int64(FINE * promise(race, edition, chariot, pose, weights)), np.int64(FINE * most)


@kernel
def measure_field(race: RaceRecord, edition: EditionRecord, what, n, out):
    """Moves and poses among the pieces."""
    if what == WAY_FREE:
        out[0], out[1] = way_free(race, edition, n[0], pose_from(n, 1), n[4], n[5], n[6])
        return 2
    elif what == PIVOT_FREE:
        out[0] = pivot_free(race, edition, n[0], pose_from(n, 1), n[4], n[5], n[6], n[7])
    elif what == HIT_AT_POSE:
        out[0] = hit_at_pose(race, edition, n[0], pose_from(n, 1), pose_from(n, 4), n[7])
    elif what == IS_CLEAR:
        out[0] = is_clear(race, edition, n[0], pose_from(n, 1), n[4])
    elif what == IS_LOW:
        out[0] = is_low(race, edition, n[0])
    elif what == IS_FIXED:
        out[0] = is_fixed(race, edition, n[0])
    elif what == FOLLOW:
        out[0], out[1] = follow(race, edition, n[0], n[1], n[2], n[3], n[4])
        return 2
    elif what == SHIFT_FREE:
        out[0] = shift_free(race, edition, n[0], n[1], n[2], n[3], n[4])
    elif what == FREE_SPOT:
        out[0], out[1] = free_spot(race, edition, n[0], n[1], n[2], n[3], n[4], n[5])
        return 2
    elif what == WALLS_BY_STEP:
        motion = Motion(n[6], n[7], n[8], n[9], n[10], 0)
        out[0], out[1] = walls_by_step(race, edition, n[0], motion, base_from(n, 1), n[11])
        return 2
    elif what == WORTHS:
        out[0], out[1] = worths(race, edition, n[0], pose_from(n, 1), n[4:])
        return 2
    else:
        out[0] = corner_progress(race, edition, n[0])
    return 1


@kernel
def measure_touch(race: RaceRecord, edition: EditionRecord, what, n, out):
    """How two pieces meet."""
    if what == PARTS_AT:
        out[0] = parts_at(race, edition, n[0], n[1], n[2], n[3], n[4])
    elif what == CONTACT:
        out[0], out[1] = contact(race, edition, n[0], n[1])
        return 2
    elif what == NORMAL:
        out[0] = normal(race, edition, n[0], n[1])
    elif what == ALIGN_ANGLE:
        out[0] = align_angle(race, edition, n[0], n[1])
    elif what == TOUCHES:
        out[0] = touches(race, edition, n[0], n[1])
    elif what == TOUCHES_WALL:
        out[0] = touches_wall(race, edition, n[0])
    elif what == SIDE_TOUCH:
        out[0] = side_touch(race, edition, n[0], n[1], n[2], n[3])
    elif what == FRONT_TOUCH:
        out[0] = front_touch(race, edition, n[0], n[1])
    elif what == LEVEL_PARTS:
        out[0] = level_parts(race, edition, n[0], n[1], n[2])
    else:
        out[0] = strip_parts(race, edition, n[0], n[1], n[2])
    return 1


@entry(MEASURE)
def measure(race_bytes, edition_bytes, what, n, out):
    """Answer a question of `QUESTIONS`; how many numbers were written to `out`."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    if what < PROGRESS or what == DIRECTION_OF:
        return measure_bases(what, n, out)
    if what < WAY_FREE or what == PROGRESS_BY_ALL:
        return measure_track(race, edition, what, n, out)
    if what < PARTS_AT or what > STRIP_PARTS:
        return measure_field(race, edition, what, n, out)
    return measure_touch(race, edition, what, n, out)


@entry(TRY)
def try_submoves(race_bytes, edition_bytes, most, angle, rounds):
    """The benchmark: rounds of one sub-move by every chariot, each a slide and a pivot; the sum of what is free."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    total = np.int64(0)
    for n in range(rounds):
        turn = angle if n & 1 else -angle
        for piece in range(race.chariots):
            heading = race.heading[piece]
            rest, _hit = way_free(race, edition, piece, pose_of(race, piece), heading, most, 0)
            x, y = translated(race.x[piece], race.y[piece], heading, rest)
            long, wide = np.int64(race.half_long[piece]), np.int64(race.half_wide[piece])
            ahead, left = pivot_point(long, wide, n % POINTS)
            total += rest + pivot_free(race, edition, piece, Pose(x, y, heading % FULL), ahead, left, turn, 0)
    return total


def ask(question, race, edition, *numbers):
    """One of `QUESTIONS` about a race and an edition given as bytes: a number, or a tuple of them.

    Compiles this one entry when it is first called, not all of the game.
    """
    components = edition.view()
    components.flags.writeable = False
    out = np.zeros(4, np.int64)
    count = measure(race, components, QUESTIONS.index(question), np.array([*numbers, 0], np.int64), out)
    return int(out[0]) if count == 1 else tuple(int(number) for number in out[:count])
