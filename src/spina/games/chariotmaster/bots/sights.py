"""What a place on the track promises a driver: its progress, the free way straight ahead, and where that leads.

Values are units of progress. A pose is worth the progress it has and part of what lies straight ahead of it, less for
standing askew to the track and for a wall close in front.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.rules.field import home_segment, way_free_from
from spina.games.chariotmaster.rules.geometry import Pose, angle_to, translated
from spina.games.chariotmaster.rules.track import at, progress
from spina.kernel.compiler import kernel

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

(
    W_AHEAD, W_SIGHT, W_ASKEW, W_CLOSE, W_STAMINA, W_COLLISION, W_BRAKE, W_RISK, W_SPUR, W_ATTACK, W_HURT, W_TESTS,
) = range(12)  # fmt: skip
"""Weights: share of the way straight ahead that counts, how far one looks (units), loss per tenth of a degree askew
at the end of it, loss per unit that is missing to a free sight, worth of a point of stamina, of a collision, of having
to brake, factor of the risk of a skid, room (units) wanted for a spur, worth of hurting a rival by a point, of being
hurt by one; 1 if the driver takes tests."""
WEIGHTS = 12
WORTHLESS = -1e9
FREELY = 150
"""Tenths of a degree askew that do no harm."""

SIGHTS = 256
"""Poses whose sight is remembered while a driver compares plans: tokens and beginnings often lead to the same pose."""
S_X, S_Y, S_HEADING, S_ROOM, S_THERE = range(5)
"""A remembered sight: the pose, its heading counted from 1, and what `look_ahead` returned."""
SIGHT = 5
SCRATCH = SIGHTS * SIGHT
"""Length of a driver's scratch memory, all 0 at first. It is for one chariot, one set of weights and one state."""


@kernel
def look_ahead(race: RaceRecord, edition: EditionRecord, chariot, pose: Pose, here, home, weights):
    """How far the way straight ahead is free, and the progress where it ends.

    `here` is the progress of the pose, `home` its segment.
    """
    sight = np.int64(weights[W_SIGHT])
    room, _ = way_free_from(race, edition, chariot, pose, home, pose.heading, sight, np.int64(0))
    fx, fy = translated(pose.x, pose.y, pose.heading, room)
    return room, progress(edition, race.scenario, fx, fy, here)


@kernel
def look_again(race: RaceRecord, edition: EditionRecord, chariot, pose: Pose, here, home, weights, scratch):
    """The same, remembered in the scratch memory."""
    slot = ((pose.x * 7 + pose.y * 13 + pose.heading) & (SIGHTS - 1)) * SIGHT
    kept = scratch[slot : slot + SIGHT]
    if kept[S_HEADING] == pose.heading + 1 and kept[S_X] == pose.x and kept[S_Y] == pose.y:
        return kept[S_ROOM], kept[S_THERE]
    room, there = look_ahead(race, edition, chariot, pose, here, home, weights)
    kept[S_X], kept[S_Y], kept[S_HEADING] = pose.x, pose.y, pose.heading + 1
    kept[S_ROOM], kept[S_THERE] = room, there
    return room, there


@kernel
def worth_of_sight(edition: EditionRecord, t, heading, here, room, there, weights):
    """The worth of a pose from where it is, how far its way is free, and where that ends."""
    _, _, tangent = at(edition, t, there, 0)
    askew = abs(angle_to(heading, tangent))
    sight = np.int64(weights[W_SIGHT])
    value = here + weights[W_AHEAD] * (there - here) - weights[W_CLOSE] * (sight - room)
    return value - weights[W_ASKEW] * max(0, askew - FREELY)


@kernel
def promise(race: RaceRecord, edition: EditionRecord, chariot, pose: Pose, weights):
    """The worth of a pose; it lies near the progress of the chariot."""
    here = progress(edition, race.scenario, pose.x, pose.y, race.way[chariot])
    home = home_segment(race, edition, chariot, pose.x, pose.y)
    room, there = look_ahead(race, edition, chariot, pose, here, home, weights)
    return worth_of_sight(edition, race.scenario, pose.heading, here, room, there, weights)


@kernel
def promise_from(race: RaceRecord, edition: EditionRecord, chariot, pose: Pose, here, home, weights, scratch):
    """The same for a pose whose progress and segment are known."""
    room, there = look_again(race, edition, chariot, pose, here, home, weights, scratch)
    return worth_of_sight(edition, race.scenario, pose.heading, here, room, there, weights)
