"""Motions: a pose for each whole number of steps from a start."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spina.games.chariotmaster.rules.geometry import FINE_BITS, UNIT, Base, pivoted, translated
from spina.games.chariotmaster.rules.track import at, segment_at, segment_on, settled
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
"""Kinds of motions."""


class Motion(NamedTuple):
    """A pose for each whole number of steps of a unit, or of 0.1° in a turn. Fields that a kind does not use are 0."""

    kind: int
    direction: int
    """Of a slide."""
    along: int
    """Of a turn: its point, ahead of the base's centre. Of FOLLOW and SHIFT: the progress at the start."""
    left: int
    """Of a turn: its point, to the left of the base's centre. Of FOLLOW and SHIFT: the offset at the start."""
    sign: int
    """1 to the left, -1 to the right: of a turn and of a shift."""
    speed: int
    """More than any point of the base moves in a step, in 2**30ths of a unit."""


@kernel
def base_after(edition: EditionRecord, t, motion: Motion, base: Base, d):
    """N2: a base after d steps, always from the start."""
    x, y, heading = base.x, base.y, base.heading
    if motion.kind == SLIDE:
        x, y = translated(x, y, motion.direction, d)
    elif motion.kind == TURN:
        x, y, heading = pivoted(x, y, heading, motion.along, motion.left, motion.sign * d)
    elif motion.kind == FOLLOW:
        x, y, heading = at(edition, t, motion.along + d, motion.left)
    else:
        x, y, heading = at(edition, t, motion.along, motion.left + motion.sign * d)
    return Base(x, y, heading, base.half_long, base.half_wide)


# --- segments -------------------------------------------------------------------------------------------------------


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
def segment_after(race: RaceRecord, edition: EditionRecord, motion: Motion, d, segment, x, y):
    """The segment of the pose after d steps of a motion that has come from this segment."""
    if motion.kind == FOLLOW:
        return segment_at(edition, race.scenario, motion.along + d)
    return segment_from(race, edition, segment, x, y)
