"""Clearances that spare sweeps: whether a turn is surely free, or a pose surely clear, by what stands round about.

None of these numbers decides anything by itself. Where a clearance is not enough, the sweeps of `field.py` decide.
`tests/chariotmaster/test_menu_clearance.py` compares menus that are listed with and without them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from spina.games.chariotmaster.rules.field import base_at, home_segment, piece_gap, pieces_in_play
from spina.games.chariotmaster.rules.geometry import Pose, reach
from spina.games.chariotmaster.rules.motions import CLEAR, ROUNDED
from spina.games.chariotmaster.rules.track import FAR, JOINT, measure_walls, wall_room
from spina.kernel.bits import lowest_bit
from spina.kernel.compiler import kernel
from spina.kernel.record import whole

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

NEAR = 8
"""More units than rounding can bring two bases nearer."""


class Clearance(NamedTuple):
    """How far a base at a pose is from everything, in 2**30ths of a unit."""

    pieces: int
    """Separation from the nearest piece; FAR if no piece can be reached by a turn about any point of the base."""
    walls: int
    """Separation from the nearest wall."""
    room: int
    """Separation from the nearest wall at any heading (`wall_room`)."""
    segment: int
    """The segment that the centre of the base is in."""
    alone: int
    """Units that the base can be moved and still lie in its segment alone (`room_alone`)."""


@kernel
def turning_reach(race: RaceRecord, piece):
    """How far from its centre a piece can reach by a turn about any of its points: three times its own reach."""
    return 3 * reach(np.int64(race.half_long[piece]), np.int64(race.half_wide[piece])) + NEAR


@kernel
def pieces_within(race: RaceRecord, others, x, y, far):
    """Those of the other pieces, as bits, that may come nearer to a place than `far`."""
    found = np.int64(0)
    while others:
        other = lowest_bit(others)
        others &= others - 1
        dx, dy = race.x[other] - x, race.y[other] - y
        size = far + reach(np.int64(race.half_long[other]), np.int64(race.half_wide[other]))
        if dx * dx + dy * dy <= size * size:
            found |= np.int64(1) << other
    return found


@kernel
def pieces_about(race: RaceRecord, piece, most):
    """The pieces that a piece can come near by going up to `most` units and turning, as bits."""
    others = pieces_in_play(race, piece, np.int64(0))
    return pieces_within(race, others, race.x[piece], race.y[piece], turning_reach(race, piece) + most)


@kernel
def clearance_at(race: RaceRecord, edition: EditionRecord, piece, pose: Pose, about):
    """The clearance of a piece at a pose; `about` are the pieces that it can come near. None by rules version 1."""
    home = home_segment(race, edition, piece, pose.x, pose.y)
    if race.revision == 0:
        return Clearance(-FAR, -FAR, -FAR, home, -FAR)
    base = base_at(race, piece, pose)
    nearest = whole(FAR)
    near = pieces_within(race, about, pose.x, pose.y, turning_reach(race, piece))
    while near:
        other = lowest_bit(near)
        near &= near - 1
        nearest = min(nearest, piece_gap(race, base, other))
    walls, alone = measure_walls(race, edition, base, home)
    return Clearance(nearest, walls, wall_room(edition, race.scenario, base, home), home, alone)


@kernel
def rests_clear(clearance: Clearance):
    """N5: whether a move that has hit nothing on its way surely rests clear where it has this clearance."""
    return clearance.pieces >= CLEAR and clearance.walls >= CLEAR + JOINT


@kernel
def turns_clear(clearance: Clearance, speed, arm, angle):
    """D9: whether a turn by `angle` tenths of a degree is surely free and rests clear.

    `speed` is that of its motion, `arm` how far its point is ahead of the centre and to the side, added up.
    """
    swept = speed * angle + CLEAR + ROUNDED
    if clearance.pieces < swept:
        return False
    return clearance.walls >= swept or clearance.room >= (min((speed * angle >> 30) + 1, 2 * arm) << 30) + 2 * ROUNDED
