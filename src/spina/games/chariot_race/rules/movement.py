"""The second half of a turn: the path with its corners, rams, caltrops and heaps; wrecks; attacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spina.games.chariot_race.rules.event_kinds import (
    CALTROP,
    CORNERED,
    CRASHED,
    JAVELIN,
    LINE,
    PUT_BACK,
    RAMMED,
    SPIKED,
    STEPPED,
    WRECKED,
)
from spina.games.chariot_race.rules.record import AHEAD, FIRST_REVISION, NOTHING, PLAIN_KIND, SPACES
from spina.kernel.bits import lowest_bit
from spina.kernel.compiler import kernel
from spina.kernel.narration import tell
from spina.kernel.record import as_words

if TYPE_CHECKING:
    from spina.games.chariot_race.rules.record_types import EditionRecord, RaceRecord

BYTE, BYTES = 8, 8
"""Bits of a byte, and bytes of an integer."""

# --- where chariots stand -------------------------------------------------------------------------------------------


@kernel
def distance(race: RaceRecord, edition: EditionRecord, chariot):
    """R1: how far the chariot has come: the front of its space, plus whole laps."""
    return race.lap[chariot] * edition.length + edition.front[race.space[chariot]]


@kernel
def is_ahead(race: RaceRecord, edition: EditionRecord, chariot, rival):
    """R1: whether the chariot is ahead of the rival: further along, or level in an inner lane."""
    mine, other = distance(race, edition, chariot), distance(race, edition, rival)
    inner = edition.lane[race.space[chariot]] < edition.lane[race.space[rival]]
    return mine > other or (mine == other and inner)


@kernel
def occupant(race: RaceRecord, space, but):
    """The chariot that stands in this space, in any lap, other than `but`; NOTHING if none does."""
    for chariot in range(race.chariots):
        if race.space[chariot] == space and chariot != but and not race.wrecked[chariot]:
            return chariot
    return NOTHING


@kernel
def who_drives(race: RaceRecord, kind):
    """The chariot of this individual kind; NOTHING if none has been drafted."""
    for chariot in range(race.chariots):
        if race.kind[chariot] == kind:
            return chariot
    return NOTHING


@kernel
def colour_of(race: RaceRecord, chariot):
    """R23: an individual chariot has the colour of its board, a plain one that of its number.

    If another chariot has drafted the board with that colour, a chariot without a board gets the colour of the other's
    number. By the first rules every chariot had the colour of its number.
    """
    if race.revision == FIRST_REVISION or not race.individual:
        return chariot
    if race.kind[chariot] > PLAIN_KIND:
        return race.kind[chariot] - 1
    colour = chariot
    while who_drives(race, colour + 1) != NOTHING:
        colour = who_drives(race, colour + 1)
    return colour


@kernel
def chariot_in(race: RaceRecord, colour):
    """The chariot of this colour; NOTHING if none has it."""
    if not race.individual:
        return colour if colour < race.chariots else NOTHING
    for chariot in range(race.chariots):
        if colour_of(race, chariot) == colour:
            return chariot
    return NOTHING


@kernel
def heap_on(edition: EditionRecord, sides, space):
    """R18: whether a stone heap lies on this space: only if its half board shows side B."""
    return edition.heap[space] and sides[edition.half[space]]


@kernel
def is_heap(race: RaceRecord, edition: EditionRecord, space):
    """R18: whether a stone heap lies on this space in this race."""
    return heap_on(edition, race.side, space)


@kernel
def has_finished(race: RaceRecord, edition: EditionRecord, chariot):
    """R14: whether the chariot has completed all laps."""
    return race.lap[chariot] >= edition.laps


@kernel
def is_safe(race: RaceRecord, chariot):
    """R20: whether nothing can hurt the chariot: it has finished and completed its turn, in the variant for it."""
    return race.safe_finish & race.home[chariot] != 0


# --- damage and wrecks ----------------------------------------------------------------------------------------------


@kernel
def hurt(race: RaceRecord, chariot, damage):
    """Take condition away, never below 0. Wrecks are determined afterwards (R15)."""
    race.condition[chariot] = max(0, race.condition[chariot] - damage)


@kernel
def lay_marker(race: RaceRecord, space):
    """R8: lay a marker if the space has none and one is left in the supply; return whether it was laid."""
    if race.caltrop[space] or race.supply == 0:
        return False
    race.caltrop[space] = 1
    race.supply -= 1
    return True


@kernel
def wreck(race: RaceRecord, chariot, story):
    """R8, R11: take the chariot out of the race and lay a caltrop where it was destroyed."""
    race.condition[chariot] = 0
    race.wrecked[chariot] = 1
    laid = lay_marker(race, race.space[chariot])
    tell(story, WRECKED, chariot, race.space[chariot], laid)


# --- entering a space -----------------------------------------------------------------------------------------------


@kernel
def go_to(race: RaceRecord, edition: EditionRecord, chariot, space):
    """R14: put the chariot on the next space; if its front is smaller, the line has been crossed."""
    if edition.front[space] < edition.front[race.space[chariot]]:
        race.lap[chariot] += 1
    race.space[chariot] = space


@kernel
def step(race: RaceRecord, edition: EditionRecord, chariot, way, story):
    """R5: one step, ahead or into a neighbouring lane; return whether the chariot drives on. A heap wrecks it (R18)."""
    if way != AHEAD:
        race.steers -= 1
    race.points -= 1
    laps = race.lap[chariot]
    go_to(race, edition, chariot, edition.next[race.space[chariot], way])
    space = race.space[chariot]
    race.entered[space] = 1
    tell(story, STEPPED, chariot, space, way, race.lap[chariot], race.points)
    if race.lap[chariot] > laps:
        tell(story, LINE, chariot, race.lap[chariot])
    if is_heap(race, edition, space):
        tell(story, CRASHED, chariot, space)
        wreck(race, chariot, story)
        return False
    return enter(race, edition, chariot, space, story)


@kernel
def enter(race: RaceRecord, edition: EditionRecord, chariot, space, story):
    """R15: corner, then ram, then caltrop, then wrecks (R16). Returns whether the chariot drives on."""
    take_corner(race, edition, chariot, space, story)
    rammed = occupant(race, space, chariot)
    if rammed != NOTHING:
        ram(race, edition, chariot, rammed, story)
    take_caltrop(race, edition, chariot, space, story)
    if race.condition[chariot] == 0:
        if rammed != NOTHING and race.condition[rammed] == 0:
            wreck(race, rammed, story)
        wreck(race, chariot, story)
        return False
    if rammed != NOTHING and race.points == 0:
        put_back(race, edition, chariot, space, story)
    if rammed != NOTHING and race.condition[rammed] == 0:
        wreck(race, rammed, story)
    return not race.wrecked[chariot]


@kernel
def corner_damage(edition: EditionRecord, space, speed):
    """R6: the damage of entering a space: on a numbered one the speed above its number."""
    number = edition.number[space]
    return max(0, speed - number) if number > 0 else 0


@kernel
def take_corner(race: RaceRecord, edition: EditionRecord, chariot, space, story):
    """R6: take the damage of a corner."""
    damage = corner_damage(edition, space, race.speed[chariot])
    if damage > 0:
        hurt(race, chariot, damage)
        tell(story, CORNERED, chariot, damage, edition.number[space], race.condition[chariot])


@kernel
def ram(race: RaceRecord, edition: EditionRecord, chariot, rammed, story):
    """R7: a ram damages both chariots, every time; R20: a safe chariot loses nothing."""
    hurt(race, chariot, edition.ram_damage)
    if not is_safe(race, rammed):
        hurt(race, rammed, edition.ram_damage)
    tell(story, RAMMED, chariot, rammed, race.condition[chariot], race.condition[rammed])


@kernel
def take_caltrop(race: RaceRecord, edition: EditionRecord, chariot, space, story):
    """R15: a caltrop damages the chariot that enters its space, and goes back to the supply."""
    if race.caltrop[space]:
        race.caltrop[space] = 0
        race.supply += 1
        hurt(race, chariot, edition.caltrop_damage)
        tell(story, SPIKED, chariot, space, race.condition[chariot])


@kernel
def resting_place(race: RaceRecord, edition: EditionRecord, chariot, space):
    """R7: where a chariot stands whose move ends here: the nearest space of the lane without chariot or heap."""
    while occupant(race, space, chariot) != NOTHING or is_heap(race, edition, space):
        lane = edition.lane[space]
        space = edition.first[lane] + (space - edition.first[lane] - 1) % edition.count[lane]
    return space


@kernel
def put_back(race: RaceRecord, edition: EditionRecord, chariot, space, story):
    """R7, R16: put the chariot back behind the one that it rammed on its last step.

    It takes the caltrop there, but does not ram, and corner numbers do not count.
    """
    place = resting_place(race, edition, chariot, space)
    if edition.front[place] > edition.front[space]:  # R14: back over the line
        race.lap[chariot] -= 1
    race.space[chariot] = place
    tell(story, PUT_BACK, chariot, place, race.lap[chariot])
    take_caltrop(race, edition, chariot, place, story)
    if race.condition[chariot] == 0:
        wreck(race, chariot, story)


# --- attacks --------------------------------------------------------------------------------------------------------


@kernel
def can_hit_from(race: RaceRecord, edition: EditionRecord, chariot, space, target):
    """R10, R20, R22: whether a javelin thrown from the space may be aimed at the target.

    It may be any other chariot within range, in any lap, also of the same seat, but not a safe one. All is looked at,
    because a processor cannot predict which of it forbids a throw.
    """
    in_the_race = (target != chariot) & (race.wrecked[target] == 0) & (is_safe(race, target) == 0)
    return in_the_race & (edition.near[space, race.space[target]] > 0)


@kernel
def can_hit(race: RaceRecord, edition: EditionRecord, chariot, target):
    """R10: whether the chariot may throw a javelin at the target."""
    return can_hit_from(race, edition, chariot, race.space[chariot], target)


@kernel
def targets_of(race: RaceRecord, edition: EditionRecord, chariot):
    """R10: the chariots that the chariot may throw a javelin at, as bits."""
    targets = 0
    for target in range(race.chariots):
        targets |= can_hit(race, edition, chariot, target) << target
    return targets


@kernel
def next_entered(race: RaceRecord, space):
    """The next higher space that was entered in this turn; NOTHING if there is none. Begin with NOTHING.

    Few of them are, so their bytes are read eight at a time, as integers.
    """
    words = as_words(race.entered)
    space += 1
    while space < SPACES:
        entered = words[space // BYTES] >> BYTE * (space % BYTES)
        if entered:
            return space + lowest_bit(entered) // BYTE
        space += BYTES - space % BYTES
    return NOTHING


@kernel
def can_drop(race: RaceRecord, edition: EditionRecord, chariot, space):
    """R8, R9, R22: whether a caltrop may be dropped: on a space entered this turn, but the first and the last one."""
    if not race.entered[space] or space == race.began or space == race.space[chariot]:
        return False
    if race.revision == FIRST_REVISION and occupant(race, space, NOTHING) != NOTHING:
        return False  # the first rules forbade occupied spaces, which the rulebook does not; their races go on so
    return not race.caltrop[space] and race.supply > 0


@kernel
def next_drop(race: RaceRecord, edition: EditionRecord, chariot, space):
    """The next higher space where a caltrop may be dropped; NOTHING if there is none. Begin with NOTHING."""
    if race.supply == 0:
        return NOTHING
    space = next_entered(race, space)
    while space != NOTHING and not can_drop(race, edition, chariot, space):
        space = next_entered(race, space)
    return space


@kernel
def throw_javelin(race: RaceRecord, edition: EditionRecord, chariot, target, story):
    """R10: throw a javelin, which always hits."""
    race.attacks -= 1
    hurt(race, target, edition.javelin_damage)
    tell(story, JAVELIN, chariot, target, race.condition[target])
    if race.condition[target] == 0:
        wreck(race, target, story)


@kernel
def drop_caltrop(race: RaceRecord, chariot, space, story):
    """R9: drop a caltrop on a space that the chariot has driven over."""
    race.attacks -= 1
    lay_marker(race, space)
    tell(story, CALTROP, chariot, space)
