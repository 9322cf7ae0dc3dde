"""The second half of a turn: the path with its corners, rams, caltrops and heaps; wrecks; attacks."""

from __future__ import annotations

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
from spina.games.chariot_race.rules.record import AHEAD, NOTHING
from spina.kernel.compiler import kernel
from spina.kernel.narration import tell

# --- where chariots stand -------------------------------------------------------------------------------------------


@kernel
def distance(race, edition, chariot):
    """R1: the front border of the space, plus whole laps."""
    return race.lap[chariot] * edition.length + edition.front[race.space[chariot]]


@kernel
def is_ahead(race, edition, chariot, rival):
    """R1: further along; level fronts: the inner lane."""
    mine, other = distance(race, edition, chariot), distance(race, edition, rival)
    if mine != other:
        return mine > other
    return edition.lane[race.space[chariot]] < edition.lane[race.space[rival]]


@kernel
def occupant(race, space, but):
    """The chariot that stands in this space, in whatever lap, other than `but`; NOTHING if none does."""
    for chariot in range(race.chariots):
        if chariot != but and race.space[chariot] == space and not race.wrecked[chariot]:
            return chariot
    return NOTHING


@kernel
def who_drives(race, kind):
    """The chariot that is of this individual kind; NOTHING if none is."""
    for chariot in range(race.chariots):
        if race.kind[chariot] == kind:
            return chariot
    return NOTHING


@kernel
def colour_of(race, chariot):
    """R23: an individual chariot has the colour of its board, a plain one that of its number.

    One without a board of its own whose colour has been taken has the colour that the taker left free. By the first
    rules every chariot had the colour of its number.
    """
    if race.revision == 0 or not race.individual:
        return chariot
    if race.kind[chariot] > 0:
        return race.kind[chariot] - 1
    colour = chariot
    while who_drives(race, colour + 1) != NOTHING:
        colour = who_drives(race, colour + 1)
    return colour


@kernel
def chariot_in(race, colour):
    """The chariot of this colour; NOTHING if none has it."""
    for chariot in range(race.chariots):
        if colour_of(race, chariot) == colour:
            return chariot
    return NOTHING


@kernel
def is_heap(race, edition, space):
    """Whether a stone heap closes this space: only where its half board shows side B."""
    return edition.heap[space] and race.side[edition.half[space]]


@kernel
def has_finished(race, edition, chariot):
    """R14: laps follow from where a chariot stands."""
    return race.lap[chariot] >= edition.laps


@kernel
def is_safe(race, chariot):
    """R20: with that variant nothing hurts a chariot that has finished and completed its turn."""
    return race.safe_finish and race.home[chariot]


# --- damage and wrecks ----------------------------------------------------------------------------------------------


@kernel
def hurt(race, chariot, damage):
    """Take condition away, never below 0. Who is wrecked is looked at afterwards (R15)."""
    race.condition[chariot] = max(0, race.condition[chariot] - damage)


@kernel
def lay_marker(race, space):
    """R8: a space never holds two markers, and when all are out none is laid."""
    if race.caltrop[space] or race.supply == 0:
        return False
    race.caltrop[space] = 1
    race.supply -= 1
    return True


@kernel
def wreck(race, chariot, story):
    """R8, R11: the chariot leaves the race, and a caltrop marks where it was destroyed."""
    race.condition[chariot] = 0
    race.wrecked[chariot] = 1
    laid = lay_marker(race, race.space[chariot])
    tell(story, WRECKED, chariot, race.space[chariot], laid)


# --- entering a space -----------------------------------------------------------------------------------------------


@kernel
def go_to(race, edition, chariot, space):
    """Stand in the next space; a front that is smaller than the one left lies beyond the line (R14)."""
    if edition.front[space] < edition.front[race.space[chariot]]:
        race.lap[chariot] += 1
    race.space[chariot] = space


@kernel
def step(race, edition, chariot, way, story):
    """One point: straight ahead, or into a neighbouring lane (R5). Returns whether the chariot drives on."""
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
def enter(race, edition, chariot, space, story):
    """R15: corner, then ram, then caltrop; only then is looked who is wrecked."""
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
def take_corner(race, edition, chariot, space, story):
    """R6: entering a numbered space costs the speed above its number."""
    number = edition.number[space]
    if number > 0 and race.speed[chariot] > number:
        damage = race.speed[chariot] - number
        hurt(race, chariot, damage)
        tell(story, CORNERED, chariot, damage, number, race.condition[chariot])


@kernel
def ram(race, edition, chariot, rammed, story):
    """R7: two points for both, every time; R20: a safe chariot loses nothing."""
    hurt(race, chariot, edition.ram_damage)
    if not is_safe(race, rammed):
        hurt(race, rammed, edition.ram_damage)
    tell(story, RAMMED, chariot, rammed, race.condition[chariot], race.condition[rammed])


@kernel
def take_caltrop(race, edition, chariot, space, story):
    """A caltrop hurts whoever enters its space, and goes back to the supply."""
    if race.caltrop[space]:
        race.caltrop[space] = 0
        race.supply += 1
        hurt(race, chariot, edition.caltrop_damage)
        tell(story, SPIKED, chariot, space, race.condition[chariot])


@kernel
def put_back(race, edition, chariot, space, story):
    """R7, R16: behind the rammed chariot, to the first free space of the lane; heaps are skipped over.

    It takes the caltrop there, but does not ram and does not count a corner.
    """
    lane = edition.lane[space]
    place = space
    while True:
        behind = place - 1
        if behind < edition.first[lane]:
            behind += edition.count[lane]
            race.lap[chariot] -= 1
        place = behind
        if not is_heap(race, edition, place) and occupant(race, place, chariot) == NOTHING:
            break
    race.space[chariot] = place
    tell(story, PUT_BACK, chariot, place, race.lap[chariot])
    take_caltrop(race, edition, chariot, place, story)
    if race.condition[chariot] == 0:
        wreck(race, chariot, story)


# --- attacks --------------------------------------------------------------------------------------------------------


@kernel
def can_hit(race, edition, chariot, target):
    """R10, R20, R22: any other chariot within range, whatever its lap, also one's own; not a safe one."""
    if target == chariot or race.wrecked[target] or is_safe(race, target):
        return False
    return edition.near[race.space[chariot], race.space[target]] > 0


@kernel
def can_drop(race, edition, chariot, space):
    """R9: on a space entered this turn but the first and the final one, also under a chariot; one marker to a space."""
    if not race.entered[space] or space == race.began or space == race.space[chariot]:
        return False
    if race.revision == 0 and occupant(race, space, NOTHING) != NOTHING:
        return False  # the first rules kept occupied spaces free, which the rulebook does not; races by them go on so
    return not race.caltrop[space] and race.supply > 0


@kernel
def throw_javelin(race, edition, chariot, target, story):
    """A javelin always hits."""
    race.attacks -= 1
    hurt(race, target, edition.javelin_damage)
    tell(story, JAVELIN, chariot, target, race.condition[target])
    if race.condition[target] == 0:
        wreck(race, target, story)


@kernel
def drop_caltrop(race, chariot, space, story):
    """A caltrop lies on a space that the chariot has left."""
    race.attacks -= 1
    lay_marker(race, space)
    tell(story, CALTROP, chariot, space)
