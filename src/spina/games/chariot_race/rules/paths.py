"""All ways to complete a move: actions are carried out one by one on a copy of the race, as far as no die is rolled.

Ways that meet in a space with the same speed, steps and lane changes left, and that have rammed the same chariots,
continue alike: only the one with the least damage is followed. So each end that can be survived is found; of the ways
to be wrecked, only those that cannot be avoided on the way to a space.

A way is a row of numbers: the way before its last action, the events of that action, and sums over all its actions.
Ways that can be continued wait in places, in the order in which they were found, those with the most steps left first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from spina.games.chariot_race.rules.entries import act_without_dice
from spina.games.chariot_race.rules.event_kinds import (
    CORNERED,
    CRASHED,
    PUT_BACK,
    RAMMED,
    SPED,
    SPIKED,
    STEPPED,
    WRECKED,
)
from spina.games.chariot_race.rules.legal_actions import is_possible
from spina.games.chariot_race.rules.movement import distance
from spina.games.chariot_race.rules.record import (
    ACTIONS,
    AT_FORTUNE,
    AT_PATH,
    AT_SIGNS,
    CHARIOTS,
    DICE,
    DO_REROLL,
    DO_SIGNS,
    DO_STEP,
    EDITION,
    MOST_SPEED,
    NOTHING,
    RACE,
    SPACES,
    WAYS,
)
from spina.kernel.compiler import entry, kernel
from spina.kernel.record import WORD, elements, fields, whole
from spina.kernel.signatures import BYTES, COMPONENTS, INT, NUMBERS, STORY, Array

if TYPE_CHECKING:
    from spina.games.chariot_race.rules.record_types import EditionRecord, RaceRecord

# --- columns --------------------------------------------------------------------------------------------------------

(
    SPEED,
    CONDITION,
    SPRINT,  # damage by sprints; then by corners, rams and caltrops
    CORNER,
    RAM,
    CALTROP,
    END,  # space on which it ends
    LAP,
    POINTS,  # steps left
    DONE,  # 1: the move is complete
    PUT_BEHIND,  # 1: it was put back behind a rammed chariot
    HEAP,  # 1: it ran into a stone heap
    ACTED,  # number of its actions; then of the spaces, corners, rams, caltrops and wrecks on it
    ENTERED,
    CORNERS,
    RAMS,
    CALTROPS,
    WRECKS,
    STEERS,  # lane changes left
    CHANGES,  # lane changes taken
    RAMMED_SET,  # chariots that it rammed, as bits
    PARENT,  # the way before its last action, and that action
    CODE,
    FIRST_EVENT,  # rows of the story that tell of that action
    LAST_EVENT,
    LINE,  # all its actions in one number; the numbers of ways are in the order of their lists of actions
) = range(26)
WAY_COLUMNS = 26

WAITING, WAITING_KEY, NEXT_PLACE = range(3)
"""The way that waits in a place, its `meeting_key`, and the place after it."""
PLACE_COLUMNS = 3

END_WRECKED, END_BEHIND, END_WORSE, END_LINE, END_SPEED, END_SPACE, END_DAMAGE, END_WAY, END_KEY, OTHER_END = range(10)
"""Of an end: what it is ranked by, in this order; speed, space and damage; its way; what tells it from other ends; and
another end on the same space."""
END_COLUMNS = 10

FIRST_PLACE, LAST_PLACE, LAST_END = 0, MOST_SPEED + 1, 2 * (MOST_SPEED + 1)
"""In the array `heads`: first and last place by steps left, and the last end by space. 0: there is none."""
HEADS = LAST_END + SPACES

TOLD = WRECKS + 2
"""Numbers at the beginning of an account: the columns up to WRECKS, and the place among the rivals."""
MOST_ACTIONS = MOST_SPEED + 3
"""Most actions of a way: all steps, the signs, and keeping the dice twice."""
CORNER_NUMBERS, RAM_NUMBERS = 3, 2
"""Numbers of a corner and of a ram in an account."""
LONGEST_ACCOUNT = TOLD + MOST_ACTIONS + MOST_SPEED * (1 + CORNER_NUMBERS + RAM_NUMBERS + 1) + 1 + CHARIOTS
"""Most numbers of an account: in each step a space, a corner, a ram and a caltrop, and one caltrop where it is put."""
LINE_BITS = 3
"""Bits of an action in LINE. The first action of a way has FIRST_BITS."""
FIRST_BITS = 8
assert ACTIONS < 1 << FIRST_BITS and max(WAYS, DICE + 1) < 1 << LINE_BITS
assert FIRST_BITS + LINE_BITS * (MOST_ACTIONS - 1) < 8 * WORD
STATE_WORDS = RACE.itemsize // WORD
FULL = -1
"""Result of `explore` if an array is too short."""

TABLE = Array(INT, 2)
EXPLORE = INT(BYTES, COMPONENTS, NUMBERS, TABLE, TABLE, TABLE, TABLE, NUMBERS, STORY)
RECOUNT = INT(BYTES, COMPONENTS, TABLE, STORY, NUMBERS, NUMBERS)


class Search(NamedTuple):
    """The memory of a search. Row 0 of ways is the beginning of the move; rows 0 of the others are not used."""

    ways: Any
    places: Any
    states: Any
    """The race of the way that waits in each place, as words."""
    ends: Any
    heads: Any
    story: Any


# --- one more action ------------------------------------------------------------------------------------------------


@kernel
def begin_way(race: RaceRecord, search):
    """Write the way without actions."""
    for column in range(WAY_COLUMNS):
        search.ways[0, column] = 0
    read_state(race, search, 0)


@kernel
def read_state(race: RaceRecord, search, way):
    """Write how far a way has come, and what is left, from the race on which its actions were carried out."""
    ways, chariot = search.ways, race.chariot
    ways[way, SPEED] = race.speed[chariot]
    ways[way, CONDITION] = race.condition[chariot]
    ways[way, END] = race.space[chariot]
    ways[way, LAP] = race.lap[chariot]
    ways[way, POINTS] = race.points
    ways[way, STEERS] = race.steers
    stage = race.stage
    ways[way, DONE] = stage != AT_FORTUNE and stage != AT_SIGNS and stage != AT_PATH


@kernel
def follow(race: RaceRecord, edition: EditionRecord, search, parent, way, code, digit):
    """Carry out one more action, and the forced steps after it (R28); write the longer way.

    `digit` is the place of the action among those that could be chosen, from 1.
    """
    ways, story = search.ways, search.story
    for column in range(WAY_COLUMNS):
        ways[way, column] = ways[parent, column]
    acted = ways[parent, ACTED]
    ways[way, PARENT] = parent
    ways[way, CODE] = code
    ways[way, ACTED] = acted + 1
    ways[way, LINE] = ways[parent, LINE] | whole(digit) << LINE_BITS * (MOST_ACTIONS - 1 - acted)
    ways[way, CHANGES] += code > DO_STEP
    first = story[0, 0] + 1
    act_without_dice(race, edition, code, story)
    read_state(race, search, way)
    ways[way, FIRST_EVENT] = first
    ways[way, LAST_EVENT] = story[0, 0]
    if story[0, 0] < story.shape[0]:
        for event in range(first, story[0, 0] + 1):
            note(edition, search, way, race.chariot, event)


@kernel
def note(edition: EditionRecord, search, way, chariot, event):
    """Add an event to the sums of a way."""
    ways, story = search.ways, search.story
    kind = story[event, 0]
    if kind == WRECKED:
        ways[way, WRECKS] += 1
    if story[event, 1] != chariot:
        return
    if kind == STEPPED:
        ways[way, ENTERED] += 1
    elif kind == SPED:
        ways[way, SPRINT] = story[event, 4] * edition.sprint_damage
    elif kind == CORNERED:
        ways[way, CORNERS] += 1
        ways[way, CORNER] += story[event, 2]
    elif kind == RAMMED:
        ways[way, RAMS] += 1
        ways[way, RAM] += edition.ram_damage
        ways[way, RAMMED_SET] |= whole(1) << story[event, 2]
    elif kind == SPIKED:
        ways[way, CALTROPS] += 1
        ways[way, CALTROP] += edition.caltrop_damage
    elif kind == PUT_BACK:
        ways[way, PUT_BEHIND] = 1
    elif kind == CRASHED:
        ways[way, HEAP] = 1


# --- ways that meet -------------------------------------------------------------------------------------------------


@kernel
def meeting_key(ways, way):
    """What tells a way from others with as many steps left: ways with the same key continue alike."""
    steers_and_rams = ways[way, STEERS] << CHARIOTS | ways[way, RAMMED_SET]
    return (steers_and_rams << 8 | ways[way, SPEED]) << 8 | ways[way, END]


@kernel
def is_better(ways, way, other):
    """Whether a way leaves a better condition than another with the same key, or the same with fewer lane changes."""
    if ways[way, CONDITION] != ways[other, CONDITION]:
        return ways[way, CONDITION] > ways[other, CONDITION]
    return ways[way, CHANGES] < ways[other, CHANGES]


@kernel
def wait(search, state, way, waiting):
    """Let a way wait to be continued, unless a better one with the same key does; return the number of places."""
    ways, heads = search.ways, search.heads
    points, key = ways[way, POINTS], meeting_key(ways, way)
    place = heads[FIRST_PLACE + points]
    while place != 0 and search.places[place, WAITING_KEY] != key:
        place = search.places[place, NEXT_PLACE]
    if place == 0:
        waiting += 1
        place = waiting
        if heads[FIRST_PLACE + points] == 0:
            heads[FIRST_PLACE + points] = place
        else:
            search.places[heads[LAST_PLACE + points], NEXT_PLACE] = place
        heads[LAST_PLACE + points] = place
        search.places[place, WAITING_KEY] = key
        search.places[place, NEXT_PLACE] = 0
    elif not is_better(ways, way, search.places[place, WAITING]):
        return waiting
    search.places[place, WAITING] = way
    search.states[place] = state
    return waiting


@kernel
def arrive(edition: EditionRecord, search, way, ends):
    """Note the end of a complete way, unless a better way leads to it; return the number of ends.

    Ends differ by their space, the speed, the chariots rammed on the way, and whether the chariot is wrecked.
    """
    ways, table = search.ways, search.ends
    space, condition = ways[way, END], ways[way, CONDITION]
    wrecked = 1 if condition == 0 else 0
    key = (ways[way, RAMMED_SET] << 8 | ways[way, SPEED]) << 1 | wrecked
    end = search.heads[LAST_END + space]
    while end != 0 and table[end, END_KEY] != key:
        end = table[end, OTHER_END]
    if end == 0:
        ends += 1
        end = ends
        table[end, OTHER_END] = search.heads[LAST_END + space]
        search.heads[LAST_END + space] = end
    elif not is_better(ways, way, table[end, END_WAY]):
        return ends
    table[end, END_WRECKED] = wrecked
    table[end, END_BEHIND] = -(ways[way, LAP] * edition.length + edition.front[space])
    table[end, END_WORSE] = -condition
    table[end, END_LINE] = ways[way, LINE]
    table[end, END_SPEED] = ways[way, SPEED]
    table[end, END_SPACE] = space
    table[end, END_DAMAGE] = ways[way, SPRINT] + ways[way, CORNER] + ways[way, RAM] + ways[way, CALTROP]
    table[end, END_WAY] = way
    table[end, END_KEY] = key
    return ends


# --- the search -----------------------------------------------------------------------------------------------------


@kernel
def is_full(search, ways):
    """Whether there is no room for one more way, or events were lost."""
    return ways + 1 >= len(search.ways) or search.story[0, 0] >= search.story.shape[0]


@kernel
def next_place(search):
    """Empty the first of the places whose ways have the most steps left, and return it; 0 if no way waits."""
    heads = search.heads
    for points in range(MOST_SPEED, -1, -1):
        place = heads[FIRST_PLACE + points]
        if place != 0:
            heads[FIRST_PLACE + points] = search.places[place, NEXT_PLACE]
            return place
    return 0


@kernel
def continuing(race: RaceRecord):
    """The first of the actions that can continue a way, and the one after the last of them."""
    if race.stage == AT_FORTUNE:
        return DO_REROLL, DO_REROLL + 1
    if race.stage == AT_SIGNS:
        return DO_SIGNS, DO_STEP
    return DO_STEP, DO_STEP + WAYS


@entry(EXPLORE)
def explore(race_bytes, edition_bytes, codes, ways, places, states, ends, heads, story):
    """Find the ends of a move that begins with one of these actions, which are in rising order.

    Returns the number of ends, which are in the rows of `ends` from 1 on, or FULL. The first rows of `ways` after row 0
    are the ways of one action, in the order of `codes`. The race is a copy that is used up; all `heads` and the first
    number of the story must be 0. Places, states and ends have as many rows as ways.
    """
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    search = Search(elements(ways), elements(places), states, elements(ends), elements(heads), elements(story))
    state = race_bytes.view(np.int64)
    begin_way(race, search)
    search.states[0] = state
    found, waiting, arrived = 0, 0, 0
    for i in range(len(codes)):
        if is_full(search, found):
            return FULL
        found += 1
        follow(race, edition, search, 0, found, whole(codes[i]), i + 1)
        waiting, arrived = keep(edition, search, state, found, waiting, arrived)
        state[:] = search.states[0]
    place = next_place(search)
    while place != 0:
        state[:] = search.states[place]
        first, last = continuing(race)
        for code in range(first, last):
            if is_possible(race, edition, code):
                if is_full(search, found):
                    return FULL
                found += 1
                follow(race, edition, search, search.places[place, WAITING], found, code, code - first + 1)
                waiting, arrived = keep(edition, search, state, found, waiting, arrived)
                state[:] = search.states[place]
        place = next_place(search)
    return FULL if is_full(search, found - 1) else arrived


@kernel
def keep(edition: EditionRecord, search, state, way, waiting, arrived):
    """Let a way wait, or note its end; return the numbers of places and ends."""
    if search.ways[way, DONE]:
        return waiting, arrive(edition, search, way, arrived)
    return wait(search, state, way, waiting), arrived


# --- accounts -------------------------------------------------------------------------------------------------------


@entry(RECOUNT)
def recount(race_bytes, edition_bytes, ways, story, chosen, out):
    """Write an account of each chosen way to `out`; return how many numbers they have together.

    An account begins with the columns of the way up to WRECKS and its place among the rivals. Then come its actions,
    the spaces entered, corners (space, safe speed, damage), rams (chariot, the condition it has left), spaces with
    caltrops, and wrecks; the columns say how many. The race is the one before the move.
    """
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    table, events, accounts = elements(ways), elements(story), elements(out)
    length = 0
    for i in range(len(chosen)):
        length = write_account(race, edition, table, events, chosen[i], accounts, length)
    return length


@kernel
def place_at(race: RaceRecord, edition: EditionRecord, come):
    """The place of the chariot whose turn it is if it had come this far: 1 if no rival in the race is ahead of it."""
    place = 1
    for rival in range(race.chariots):
        if rival != race.chariot and not race.wrecked[rival] and distance(race, edition, rival) > come:
            place += 1
    return place


@kernel
def write_account(race: RaceRecord, edition: EditionRecord, ways, story, way, out, at):
    """Write the account of a way at this index of `out`; return the index after it."""
    for column in range(WRECKS + 1):
        out[at + column] = ways[way, column]
    come = ways[way, LAP] * edition.length + edition.front[ways[way, END]]
    out[at + TOLD - 1] = place_at(race, edition, come)
    actions = at + TOLD
    acted = ways[way, ACTED]
    spaces = actions + acted
    corners = spaces + ways[way, ENTERED]
    rams = corners + CORNER_NUMBERS * ways[way, CORNERS]
    caltrops = rams + RAM_NUMBERS * ways[way, RAMS]
    wrecks = caltrops + ways[way, CALTROPS]
    for i in range(spaces - 1, actions - 1, -1):
        out[i] = way
        way = ways[way, PARENT]
    space = whole(NOTHING)
    for i in range(actions, actions + acted):
        part = out[i]
        out[i] = ways[part, CODE]
        for event in range(ways[part, FIRST_EVENT], ways[part, LAST_EVENT] + 1):
            kind, who, fact = story[event, 0], story[event, 1], story[event, 2]
            if kind == WRECKED:
                out[wrecks] = who
                wrecks += 1
            elif who != race.chariot:
                continue
            elif kind == STEPPED:
                space = whole(fact)
                out[spaces] = space
                spaces += 1
            elif kind == CORNERED:
                out[corners], out[corners + 1], out[corners + 2] = space, story[event, 3], fact
                corners += CORNER_NUMBERS
            elif kind == RAMMED:
                out[rams], out[rams + 1] = fact, story[event, 4]
                rams += RAM_NUMBERS
            elif kind == SPIKED:
                out[caltrops] = fact
                caltrops += 1
    return wrecks
