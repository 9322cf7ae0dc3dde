"""What a pose is worth at most, found without a sweep: no look ahead is needed from a pose that cannot be the best.

The base contains a disc as wide as the base, as far ahead as possible. Where the disc is in a wall, the base is in that
wall too, so the way straight ahead ends there at the latest. Rivals can only shorten it. A point that goes straight on
between the walls always gains progress or always loses it: on a straight its angle to the track stays the same, on an
arc it always turns the same way about the centre. So the longest way leads furthest, or there is nothing to gain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.bots.sights import W_AHEAD, W_ASKEW, W_CLOSE, W_SIGHT, worth_of_sight
from spina.games.chariotmaster.rules.field import base_at
from spina.games.chariotmaster.rules.geometry import FINE_BITS, UNIT, Pose, cosine, sine, translated
from spina.games.chariotmaster.rules.motions import HIT
from spina.games.chariotmaster.rules.record import HALF_TURN, NOTHING
from spina.games.chariotmaster.rules.track import NEIGHBOURS, beside, on_line, settled, wall_gap, way_from
from spina.games.chariotmaster.rules.wall_bounds import OVERLAP, arc_slide, straight_slide
from spina.kernel.compiler import kernel

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

BOUNDLESS = 1e9
"""More than any pose is worth."""
DEPTH = 8.0
"""Units in a wall that are a hit for sure, rounding and joints included."""
SLACK = 32.0
"""More than rounding can add to the worth of a pose."""
RADIAN = 573
"""Tenths of a degree."""


@kernel
def is_out_of_walls(race: RaceRecord, edition: EditionRecord, chariot, pose: Pose, home):
    """Whether the ends of moves from this pose have bounds: none of them is in a wall if this pose is not (N4)."""
    return race.revision != 0 and wall_gap(race, edition, base_at(race, chariot, pose), home) >= HIT


@kernel
def worth_at_most(race: RaceRecord, edition: EditionRecord, chariot, pose: Pose, here, home, weights):
    """No less than the worth of a pose out of the walls; `here` is its progress, `home` its segment."""
    t, sight = race.scenario, np.int64(weights[W_SIGHT])
    half_long, half_wide = np.int64(race.half_long[chariot]), np.int64(race.half_wide[chariot])
    disc = min(half_long, half_wide)
    half = edition.half_width[t] - disc + DEPTH
    way, i, gently = disc_way(edition, t, pose, home, half, sight + half_long - disc, weights)
    room = min(sight, np.int64(way) + 2 - half_long + disc)
    if i == NOTHING or room < 0:
        return BOUNDLESS
    x, y = translated(pose.x, pose.y, pose.heading, room)
    fx, fy = x << FINE_BITS, y << FINE_BITS
    gain = way_from(edition, t, settled(edition, t, i, fx, fy), on_line(edition, t, here), fx, fy)
    if gain < 0:
        return here + SLACK
    if 4 * gain > edition.length[t]:  # E6: progress is not looked for so far away
        return BOUNDLESS
    if gently:
        return worth_of_sight(edition, t, pose.heading, here, room, here + gain, weights) + SLACK
    return here + weights[W_AHEAD] * gain - weights[W_CLOSE] * (sight - room) + SLACK


@kernel
def disc_way(edition: EditionRecord, t, pose: Pose, i, half, most, weights):
    """How far a point in segment i goes straight ahead until it is further than `half` from the centre line.

    Returns at most `most`, the segment there, NOTHING if it is too far away, and whether all segments bend gently.
    """
    dx, dy = cosine(pose.heading) / UNIT, sine(pose.heading) / UNIT
    enter, gently = 0.0, True
    for _ in range(NEIGHBOURS + 1):
        radius = edition.seg_radius[t, i]
        if radius == 0:
            wall, leave, speed, side = straight_slide(edition, t, pose.x, pose.y, dx, dy, i, half, enter)
        elif edition.seg_angle[t, i] <= HALF_TURN:
            wall, leave, speed, side = arc_slide(edition, t, pose.x, pose.y, dx, dy, i, half, enter)
            gently = gently and bends_gently(radius, weights)
        else:
            break
        if wall <= leave or leave >= most:
            return min(wall, most), i, gently
        j = beside(edition, t, i, side)
        if j == NOTHING:
            return min(wall, most), i, gently
        i, enter = j, max(enter, leave - 2 * OVERLAP / speed)
    return 0.0, NOTHING, gently


@kernel
def bends_gently(radius, weights):
    """Whether a unit further on an arc never costs more, for being askew, than it is worth."""
    return weights[W_AHEAD] * abs(radius) >= weights[W_ASKEW] * RADIAN
