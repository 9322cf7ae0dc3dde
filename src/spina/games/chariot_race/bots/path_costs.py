"""Path search: the cheapest ways to each space on which a move can end, for all speeds at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from spina.games.chariot_race.bots.driver_weights import W_RAM
from spina.games.chariot_race.rules.movement import is_heap, is_safe
from spina.games.chariot_race.rules.record import AHEAD, MOST_SPEED, NOTHING, SPACES, WAYS
from spina.kernel.bits import lowest_bit
from spina.kernel.compiler import kernel
from spina.kernel.record import record

if TYPE_CHECKING:
    from spina.games.chariot_race.rules.record_types import EditionRecord, RaceRecord

HURT = 1.5
"""Value of a point of damage when two ways to the same space are compared with the bonus of their rams."""
HARMLESS = MOST_SPEED + 1
"""Number of a space without one."""
ENDS = 63
"""Most ways that are followed at once: the bits of an integer."""

ANY_WAY = (1 << WAYS) - 1
"""All directions, as bits."""

FRONT = record(
    [
        ("ways", "i8"),  # number of ways
        ("way", "i8", (ENDS,)),  # the ways, in the form of `packed`
        ("gain", "f8", (ENDS,)),  # the bonus of the rams of each
        ("leading", "i8", (SPACES,)),  # the ways that lead to each space, as bits
    ]
)
"""The ways that are followed at once."""


class Reach(NamedTuple):
    """Which moves `spread` follows."""

    slow: int
    """The lowest speed."""
    fast: int
    """The highest speed."""
    taken: int
    """Steps that have been taken already."""
    steers: int
    """Dice that may be lane changes."""
    initial: int
    """Speed that no die is needed for: beyond it dice must raise the speed, and so change no lanes."""
    begins: int
    """Directions of the first step, as bits."""


@kernel
def reach(slow, fast, taken, steers, initial, begins):
    """A Reach of integers of one width, so that `spread` is compiled once."""
    return Reach(slow, fast, taken, steers, initial, begins)


@kernel
def ram_bonus(race: RaceRecord, edition: EditionRecord, chariot, other, weights):
    """Value of the damage that a ram does to a rival."""
    if is_safe(race, other) or race.seat[other] == race.seat[chariot]:
        return 0.0
    return weights[W_RAM] * min(edition.ram_damage, race.condition[other])


@kernel
def packed(space, used, lost, safe, safer, began):
    """A way packed into one integer, for quick comparison and copying.

    The first part is converted to 64 bits: interpreted, fields of records are too narrow for the shifts.
    """
    return (((((np.int64(lost) << 8 | safer) << 8 | safe) << 8 | used) << 8) | began) << 16 | space


@kernel
def space_of(way):
    """The space that the way leads to."""
    return way & 0xFFFF


@kernel
def began_with(way):
    """The first step of the way."""
    return way >> 16 & 0xFF


@kernel
def changes_of(way):
    """Number of lane changes of the way."""
    return way >> 24 & 0xFF


@kernel
def lowest_number(way):
    """The lowest corner number on the way whose damage is not counted yet."""
    return way >> 32 & 0xFF


@kernel
def second_number(way):
    """The second lowest such number."""
    return way >> 40 & 0xFF


@kernel
def damage_of(way):
    """Damage on the way, without that of those two corners."""
    return way >> 48


@kernel
def begin(front):
    """Remove all ways."""
    front.ways = 0
    front.leading[:] = 0


@kernel
def follow(front, way, gain):
    """Add a way, unless one to the same space is as good in every respect; drop ways that it dominates."""
    space = space_of(way)
    others = front.leading[space]
    while others:
        i = lowest_bit(others)
        other = front.way[i]
        change, cost = changes_of(other) - changes_of(way), HURT * (damage_of(other) - damage_of(way))
        cost += gain - front.gain[i]
        first, second = lowest_number(way) - lowest_number(other), second_number(way) - second_number(other)
        if change <= 0 and cost <= 0.0 and first <= 0 and second <= 0:
            return
        if change >= 0 and cost >= 0.0 and first >= 0 and second >= 0:
            drop(front, i)
            others = front.leading[space] >> i << i
        else:
            others &= others - 1
    if front.ways < ENDS:
        front.way[front.ways], front.gain[front.ways] = way, gain
        front.leading[space] |= 1 << front.ways
        front.ways += 1


@kernel
def drop(front, i):
    """Remove a way; the last one takes its index."""
    front.ways -= 1
    last = front.ways
    front.leading[space_of(front.way[i])] ^= 1 << i
    if i < last:
        front.leading[space_of(front.way[last])] ^= 1 << last | 1 << i
        front.way[i], front.gain[i] = front.way[last], front.gain[last]


@kernel
def who_stands(race: RaceRecord, but):
    """The chariot on each space, other than `but`; NOTHING if there is none."""
    standing = np.full(SPACES, NOTHING, np.int8)
    for chariot in range(race.chariots - 1, -1, -1):
        if chariot != but and not race.wrecked[chariot] and race.space[chariot] != NOTHING:
            standing[race.space[chariot]] = chariot
    return standing


@kernel
def spread(race: RaceRecord, edition: EditionRecord, chariot, reach, weights, ends):
    """Write the cheapest ways to each space on which a move can end, for each speed, to `ends`.

    The damage in a corner depends on the speed, so each way keeps the lowest two numbers that it passes. Heaps, which
    would wreck the chariot, are never entered.
    """
    slow, fast, taken, steers, initial, begins = reach
    start = race.space[chariot]
    fronts, standing = np.empty(2, FRONT), who_stands(race, chariot)
    begin(fronts[taken % 2])
    follow(fronts[taken % 2], packed(start, 0, 0, HARMLESS, HARMLESS, AHEAD), 0.0)
    strength = max(1, edition.sprint_speed)
    for reached in range(taken, fast + 1):
        front = fronts[reached % 2]
        if reached >= slow:
            arrive(front, reached, ends[reached])
        if reached == fast:
            break
        after = fronts[(reached + 1) % 2]
        begin(after)
        allowed = steers - max(0, reached - initial + strength) // strength
        ways = begins if reached == taken else ANY_WAY
        for j in range(front.ways):
            way = front.way[j]
            for step in range(WAYS):
                then = edition.next[space_of(way), step]
                used = changes_of(way) + (0 if step == AHEAD else 1)
                if not ways >> step & 1 or then == NOTHING or used > allowed or is_heap(race, edition, then):
                    continue
                lost, gain = damage_of(way), front.gain[j]
                safe, safer = lowest_number(way), second_number(way)
                if race.caltrop[then]:
                    lost += edition.caltrop_damage
                other = standing[then]
                if other != NOTHING:
                    lost += edition.ram_damage
                    gain += ram_bonus(race, edition, chariot, other, weights)
                limit = edition.number[then]
                if limit > 0 and limit < fast:
                    if limit <= safe:
                        safe, safer = limit, safe
                    else:
                        safer = min(limit, safer)
                    if slow == fast:
                        lost, safe, safer = lost + fast - limit, HARMLESS, HARMLESS
                began = step if reached == taken else began_with(way)
                follow(after, packed(then, used, lost, safe, safer, began), gain)


@kernel
def arrive(front, speed, ends):
    """Write the ways that end at this speed to `ends`, with the damage of their corners."""
    begin(ends)
    for j in range(front.ways):
        way = front.way[j]
        lost = damage_of(way) + max(0, speed - lowest_number(way)) + max(0, speed - second_number(way))
        there = packed(space_of(way), changes_of(way), lost, HARMLESS, HARMLESS, began_with(way))
        follow(ends, there, front.gain[j])


@kernel
def room_for_ends():
    """Memory for the ways that `spread` finds, by speed."""
    return np.empty(MOST_SPEED + 1, FRONT)
