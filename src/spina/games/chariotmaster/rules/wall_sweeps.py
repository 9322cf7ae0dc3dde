"""Moves swept along the walls (M3, M4, N4-N6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spina.games.chariotmaster.rules.former_walls import former_wall_hit
from spina.games.chariotmaster.rules.geometry import UNIT, Base
from spina.games.chariotmaster.rules.motions import CLEAR, HIT, ROUNDED, SLIDE, TURN, Motion, base_after, segment_after
from spina.games.chariotmaster.rules.record import NOTHING
from spina.games.chariotmaster.rules.sweep_bounds import MARGIN
from spina.games.chariotmaster.rules.track import gap_within, measure_walls, room_alone
from spina.games.chariotmaster.rules.wall_bounds import ONE_ROUNDED, wall_slide_steps, wall_turn_steps
from spina.kernel.compiler import kernel

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

WORTH_A_LOOK = 2 * UNIT
"""Separation above the limit from which it is quicker to look how far a mover can go than to measure every step."""


class Place(NamedTuple):
    """The segment that a mover is in, and the steps from `first` to `last` in which it surely lies in that one alone.

    There its segment need not be looked for, and only the walls of this segment count.
    """

    segment: int
    first: int
    last: int


@kernel
def place_at(race: RaceRecord, motion: Motion, segment, d, room):
    """The place after d steps of a motion, of a base with this `room_alone`."""
    if race.revision == 0:
        return Place(segment, 1, 0)
    steps = (room << 30) // motion.speed
    return Place(segment, d - steps, d + steps)


@kernel
def place_among_walls(race: RaceRecord, edition: EditionRecord, motion: Motion, base: Base, segment, least):
    """The separation from the walls where a motion begins, and the place there; `least` is `wall_room`.

    Where that is surely clear, `least` is as good: nothing asks how much more it is.
    """
    if race.revision != 0 and least >= CLEAR + 2 * ROUNDED:
        return least, place_at(race, motion, segment, 0, room_alone(edition, race.scenario, base, segment))
    gap, room = measure_walls(race, edition, base, segment)
    return gap, place_at(race, motion, segment, 0, room)


@kernel
def wall_after(race: RaceRecord, edition: EditionRecord, motion: Motion, base: Base, d, place: Place):
    """The separation from the walls after d steps of a motion that came through `place`, and the place there."""
    mover = base_after(edition, race.scenario, motion, base, d)
    if place.first <= d <= place.last:
        return gap_within(edition, race.scenario, mover, place.segment), place
    here = segment_after(race, edition, motion, d, place.segment, mover.x, mover.y)
    gap, room = measure_walls(race, edition, mover, here)
    if race.revision == 0:  # by rules version 1 its segment is always looked for from the first one
        return gap, place
    return gap, place_at(race, motion, here, d, room)


@kernel
def steps_ahead(edition: EditionRecord, t, motion: Motion, base: Base, d, most, segment, limit):
    """For how many steps after d a mover in this segment surely stays further from the walls than `limit`."""
    mover = base_after(edition, t, motion, base, d)
    if motion.kind == SLIDE:
        margin = MARGIN if d else ONE_ROUNDED
        return wall_slide_steps(edition, t, mover, motion.direction, segment, limit + margin, most - d)
    if motion.kind == TURN:
        return wall_turn_steps(edition, t, mover, motion.along, motion.left, motion.sign, segment, limit)
    return 0


@kernel
def wall_hit(race: RaceRecord, edition: EditionRecord, motion: Motion, base: Base, most, start: Place, gap):
    """The first of `most` steps that hits a wall, or NOTHING; `gap` is the separation at the start.

    Returns the place after the last step that was measured as well.
    """
    if race.revision == 0:
        return former_wall_hit(race, edition, motion, base, most, start.segment, gap), start
    limit, place = min(HIT, gap), start
    d = 0
    while True:
        steps = 1
        if gap > limit + WORTH_A_LOOK:
            steps = max(1, (gap - limit - ROUNDED) // motion.speed)
            if d + steps < most:
                steps = max(steps, steps_ahead(edition, race.scenario, motion, base, d, most, place.segment, limit))
        d += steps
        if d > most:
            return NOTHING, place
        gap, place = wall_after(race, edition, motion, base, d, place)
        if gap < limit:
            return d, place
