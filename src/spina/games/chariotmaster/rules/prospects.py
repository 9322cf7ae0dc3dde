"""What an offer says of a driving question, found in one call: the menu, the free ways, and sub-moves worth a button.

A menu has hundreds of sub-moves. Six of them are chosen here: one with progress and room ahead, the farthest of all and
without a pivot, the innermost, the outermost, and the farthest from which an attack is possible.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.rules.attacks import can_attack
from spina.games.chariotmaster.rules.chariots import token_in_use
from spina.games.chariotmaster.rules.drive import TRUCE, direction_of, submove_of
from spina.games.chariotmaster.rules.field import pose_of, way_free, way_free_from
from spina.games.chariotmaster.rules.geometry import Pose, pivot_point, pivoted, translated
from spina.games.chariotmaster.rules.menu import list_answers
from spina.games.chariotmaster.rules.motions import segment_from
from spina.games.chariotmaster.rules.record import (
    ABSENT,
    CM,
    DEGREE,
    DO_RUN,
    DO_SUBMOVE,
    DO_UTURN,
    EDITION,
    FULL,
    LONGEST_MENU,
    MM,
    NOTHING,
    RACE,
    WAYS,
)
from spina.games.chariotmaster.rules.track import at, progress, segment_at
from spina.kernel import interface
from spina.kernel.compiler import entry, kernel
from spina.kernel.outside_tables import outside_table
from spina.kernel.record import fields, whole

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

FARTHEST = 60 * CM
"""Units up to which the room before a chariot is measured."""
ROOM, SIGHT = 0.8, 16 * CM
"""The value of room ahead as a share of progress, and the most room that counts."""
FAR = 0.6
"""Share of the farthest sub-move that one along the inside or the outside still gains."""
AHEAD = 5 * CM
"""How far before its nose a chariot's line is judged as inner or outer."""
NEAR = 25 * CM
"""Rivals farther than this from a chariot are out of reach of its attacks."""

# --- single moves ---------------------------------------------------------------------------------------------------


@kernel
def room_of(race: RaceRecord, edition: EditionRecord, piece, way):
    """Units that a piece can go ahead, to the left or to the right before it meets anything, up to FARTHEST."""
    direction = direction_of(race, piece, way)
    rest, _ = way_free(race, edition, piece, pose_of(race, piece), direction, FARTHEST, np.int64(0))
    return rest


@kernel
def end_of(race: RaceRecord, edition: EditionRecord, piece, direction, mm, degrees, about):
    """Where a piece ends after going `mm` in a direction and pivoting: x, y, heading and progress."""
    x, y = translated(race.x[piece], race.y[piece], direction, mm * MM)
    ahead, left = pivot_point(np.int64(race.half_long[piece]), np.int64(race.half_wide[piece]), about)
    x, y, heading = pivoted(x, y, race.heading[piece], ahead, left, degrees * DEGREE)
    return x, y, heading, progress(edition, race.scenario, x, y, race.way[piece])


@kernel
def sight_from(race: RaceRecord, edition: EditionRecord, chariot, pose: Pose, way):
    """Units of room straight ahead of a pose with this progress, up to SIGHT."""
    home = segment_from(race, edition, segment_at(edition, race.scenario, way), pose.x, pose.y)
    rest, hit = way_free_from(race, edition, chariot, pose, home, pose.heading, SIGHT, np.int64(0))
    if hit == NOTHING and rest < SIGHT:  # it cannot rest there beside something, but perhaps behind it
        rest, hit = way_free_from(race, edition, chariot, pose, home, pose.heading, FARTHEST, np.int64(0))
    return min(rest, SIGHT)


@outside_table
def circle():
    """Cosines and sines by tenths of a degree, made by Python, so that both tiers choose the same sub-moves."""
    angles = [math.radians(angle / DEGREE) for angle in range(FULL)]
    return np.array([[math.cos(angle) for angle in angles], [math.sin(angle) for angle in angles]])


@kernel
def line_of(edition: EditionRecord, t, pose: Pose, way):
    """How far to the inside of the track a chariot's nose points, a little ahead of a pose with this progress."""
    waves = circle()
    nose_x, nose_y = pose.x + AHEAD * waves[0, pose.heading], pose.y + AHEAD * waves[1, pose.heading]
    x, y, heading = at(edition, t, way + AHEAD, np.int64(0))
    offset = (nose_y - y) * waves[0, heading] - (nose_x - x) * waves[1, heading]
    return -offset if edition.inside[t] < 0 else offset


# --- the menu -------------------------------------------------------------------------------------------------------

E_ACTION, E_X, E_Y, E_HEADING, E_WAY, E_PIVOT, E_SEEN = range(7)
"""A sub-move of the menu: its number, the pose and progress at its end, its pivot, and whether its room is known."""
E_NUMBERS = 7
WORTHLESS = -1e18
"""Less than any sub-move is worth."""

READY_KINDS = ("flow", "far", "straight", "inside", "outside", "attack")
"""Purposes of sub-moves that get a button."""
R_FLOW, R_FAR, R_STRAIGHT, R_INSIDE, R_OUTSIDE, R_ATTACK = range(6)

S_PLAIN, S_RUNS, S_TURNS, S_PIVOT = range(4)
"""Answers of a few words, run-throughs, U-turns: how many of each; the greatest pivot in degrees."""
S_MOST = 4
"""By way: the longest sub-move in millimetres, 0 if there is none."""
S_ROOM = S_MOST + WAYS
"""By way: units of room."""
S_READY = S_ROOM + WAYS
"""By purpose: the sub-move, NOTHING if there is none."""
S_MENU = S_READY + len(READY_KINDS)
"""The menu: answers of a few words first."""
SURVEY = S_MENU + LONGEST_MENU


@entry(interface.LEGAL)
def survey(race, edition, seat, out):
    """All that an offer says of a driving question, by the numbers above; returns how long the menu is.

    `out` must be all zeros, and `race` a copy: the chariot is moved about in it.
    """
    state, components = fields(race, RACE), fields(edition, EDITION)
    chariot = state.ask_chariot
    menu = out[S_MENU:]
    count = list_answers(state, components, seat, menu)
    ends = np.zeros((LONGEST_MENU, E_NUMBERS), np.int64)
    moves = list_ends(state, components, chariot, menu, count, ends, out)
    out[S_PIVOT] = components.pivot[token_in_use(state, chariot)] // DEGREE
    for way in range(WAYS):
        out[S_ROOM + way] = room_of(state, components, chariot, way)
    if moves > 0:
        choose_ready(state, components, chariot, ends, moves, out[S_READY:])
    else:
        for kind in range(len(READY_KINDS)):
            out[S_READY + kind] = NOTHING
    return count


@kernel
def list_ends(race: RaceRecord, edition: EditionRecord, chariot, menu, count, ends, out):
    """The ends of all sub-moves of a menu; returns how many. `out` gets the numbers of all answers by kind."""
    moves = 0
    for n in range(count):
        action = whole(menu[n])
        if action >= DO_SUBMOVE:
            way, mm, degrees, about = submove_of(action)
            out[S_MOST + way] = max(out[S_MOST + way], mm)
            direction = direction_of(race, chariot, way)
            x, y, heading, gained = end_of(race, edition, chariot, direction, mm, degrees, about)
            ends[moves, E_ACTION], ends[moves, E_PIVOT], ends[moves, E_WAY] = action, degrees, gained
            ends[moves, E_X], ends[moves, E_Y], ends[moves, E_HEADING] = x, y, heading
            moves += 1
        elif action >= DO_RUN:
            out[S_RUNS] += 1
        elif action >= DO_UTURN:
            out[S_TURNS] += 1
        else:
            out[S_PLAIN] += 1
    return moves


@kernel
def end_pose(ends, n):
    """The pose at the end of a sub-move."""
    return Pose(whole(ends[n, E_X]), whole(ends[n, E_Y]), whole(ends[n, E_HEADING]))


@kernel
def choose_ready(race: RaceRecord, edition: EditionRecord, chariot, ends, count, out):
    """The sub-move for each purpose. Of several that serve it equally, the first of the menu."""
    far, straight = 0, NOTHING
    for n in range(count):
        if ends[n, E_WAY] > ends[far, E_WAY]:
            far = n
        if ends[n, E_PIVOT] == 0 and (straight == NOTHING or ends[n, E_WAY] > ends[straight, E_WAY]):
            straight = n
    start, most = race.way[chariot], whole(ends[far, E_WAY])
    enough = start + (most - start) * FAR
    all_count = most < enough  # all of them lead backwards
    worth = np.zeros(count)
    inner, outer = NOTHING, NOTHING
    innermost, outermost = 0.0, 0.0
    for n in range(count):
        way = whole(ends[n, E_WAY])
        if way < enough and not all_count:
            worth[n] = WORTHLESS
            continue
        worth[n] = way + ROOM * SIGHT
        line = line_of(edition, race.scenario, end_pose(ends, n), way)
        if inner == NOTHING or line > innermost:
            inner, innermost = n, line
        if outer == NOTHING or line < outermost:
            outer, outermost = n, line
    out[R_FLOW] = ends[most_flowing(race, edition, chariot, ends, worth, count), E_ACTION]
    out[R_FAR] = ends[far, E_ACTION]
    out[R_STRAIGHT] = NOTHING if straight == NOTHING else ends[straight, E_ACTION]
    out[R_INSIDE] = ends[inner, E_ACTION]
    out[R_OUTSIDE] = ends[outer, E_ACTION]
    reaching = farthest_attack(race, edition, chariot, ends, count, far)
    out[R_ATTACK] = NOTHING if reaching == NOTHING else ends[reaching, E_ACTION]


@kernel
def most_flowing(race: RaceRecord, edition: EditionRecord, chariot, ends, worth, count):
    """The sub-move with the most progress and room ahead, both counted together.

    `worth` has the most that each can be. The room is measured only where a sub-move may still be the best.
    """
    while True:
        best = 0
        for n in range(1, count):
            better = worth[n] > worth[best]
            if better or (worth[n] == worth[best] and ends[n, E_SEEN] < ends[best, E_SEEN]):
                best = n
        if ends[best, E_SEEN]:
            return best
        way = whole(ends[best, E_WAY])
        worth[best] = way + ROOM * sight_from(race, edition, chariot, end_pose(ends, best), way)
        ends[best, E_SEEN] = 1


@kernel
def farthest_attack(race: RaceRecord, edition: EditionRecord, chariot, ends, count, far):
    """The farthest sub-move from which an attack is possible; NOTHING if there is none."""
    if race.turns <= TRUCE or not has_neighbours(race, chariot):
        return NOTHING
    start, best = pose_of(race, chariot), NOTHING
    for i in range(count):
        n = (far - i) % count  # a menu goes from short ones to long ones
        way = ends[n, E_WAY]
        if best != NOTHING and (way < ends[best, E_WAY] or (way == ends[best, E_WAY] and n > best)):
            continue
        stand_at(race, chariot, end_pose(ends, n))
        if can_attack(race, edition, chariot):
            best = n
    stand_at(race, chariot, start)
    return best


@kernel
def stand_at(race: RaceRecord, chariot, pose: Pose):
    """Put a chariot somewhere, to see what it could attack from there."""
    race.x[chariot] = pose.x
    race.y[chariot] = pose.y
    race.heading[chariot] = pose.heading


@kernel
def has_neighbours(race: RaceRecord, chariot):
    """Whether another chariot is near enough to be attacked in this turn."""
    for other in range(race.chariots):
        if other != chariot and race.kind[other] != ABSENT:
            dx, dy = race.x[other] - race.x[chariot], race.y[other] - race.y[chariot]
            if dx * dx + dy * dy < NEAR * NEAR:
                return True
    return False
