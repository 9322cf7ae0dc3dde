"""What can be said of a chariot, its driver and its pieces at any moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.rules.event_kinds import CROSSED, ELIMINATED
from spina.games.chariotmaster.rules.field import corner_progress
from spina.games.chariotmaster.rules.record import (
    ABOARD,
    ABSENT,
    BOARS,
    BODY,
    CHARIOTS,
    DEAD,
    DRAGGED,
    DRIVER_OF,
    FAST,
    HAFT_CUT,
    MAN,
    MIDDLE,
    NOTHING,
    OBSTACLE,
    OFF,
    ON_FOOT,
    PARTS,
    PIECES,
    SLOW,
    STRUCTURE,
    WALL,
    WRECK_OF,
)
from spina.games.chariotmaster.rules.track import progress
from spina.kernel.compiler import kernel
from spina.kernel.narration import tell

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

CORNERS = 600
"""Units from a base's centre within which its corners lie, at any scale."""
PAIR = 2
"""Horses of a team at the start."""
BOARS_EXTRA = 1
"""C7: what a team of boars adds to its collision value."""

# --- tokens and distances -------------------------------------------------------------------------------------------


@kernel
def best_token(race: RaceRecord, chariot):
    """T5, T6, S15: the fastest token it may use.

    With a dead horse attached only the 0 token, with one horse at most the 5 token, otherwise the highest still owned.
    """
    if race.dead[chariot] > 0:
        return SLOW
    if race.horses[chariot] < PAIR:
        return min(np.int64(race.cap[chariot]), MIDDLE)
    return np.int64(race.cap[chariot])


@kernel
def token_in_use(race: RaceRecord, chariot):
    """T3, T4: a token that it may no longer use is replaced at once by the fastest that it may."""
    return min(np.int64(race.token[chariot]), best_token(race, chariot))


@kernel
def reach_of(race: RaceRecord, edition: EditionRecord, chariot, token):
    """Units of a token's maximum distance, which for the 10 token depends on the team."""
    if token == FAST:
        return np.int64(race.top[chariot])
    return edition.most[token]


@kernel
def least_distance(race: RaceRecord, edition: EditionRecord, chariot):
    """T4: the minimum distance of the active chariot, with its brakes, spurs and whips."""
    return edition.least[token_in_use(race, chariot)] + race.delta


@kernel
def most_distance(race: RaceRecord, edition: EditionRecord, chariot):
    """T4: the maximum distance of the active chariot, with its brakes, spurs and whips."""
    return reach_of(race, edition, chariot, token_in_use(race, chariot)) + race.delta


@kernel
def distance_left(race: RaceRecord, edition: EditionRecord, chariot):
    """Units of the maximum that the active chariot has not travelled; negative after a brake (D6)."""
    return most_distance(race, edition, chariot) - race.moved


# --- states ---------------------------------------------------------------------------------------------------------


@kernel
def is_out_of_control(race: RaceRecord, chariot):
    """O2, S8, G2, L4: any cause is enough: a temporary one, a driver unconscious or not in the body, lost reins."""
    if race.confused[chariot] > 0 or race.stunned[chariot] > 0:
        return True
    return race.reins[chariot] == 0 or race.place[chariot] != ABOARD


@kernel
def is_racing(race: RaceRecord, chariot):
    """E2: a living driver with his horses who has not finished."""
    if race.home[chariot] or race.out[chariot]:
        return False
    return race.horses[chariot] > 0 and is_with_horses(race, chariot)


@kernel
def is_with_horses(race: RaceRecord, chariot):
    """Whether a living driver is in the body, on the haft or dragged."""
    return race.place[chariot] <= DRAGGED


@kernel
def is_on_chariot(race: RaceRecord, chariot):
    """Whether the driver is in the body or on the haft (Z10)."""
    return race.place[chariot] <= HAFT_CUT


@kernel
def has_turn(race: RaceRecord, chariot):
    """Whether its token is drawn: horses that run, or a driver on foot (T10); not after the finish (E4)."""
    if race.home[chariot]:
        return False
    return race.kind[chariot] != ABSENT or race.place[chariot] == ON_FOOT


@kernel
def has_driver(race: RaceRecord, chariot):
    """Whether its driver lives and is on the track, with his horses or on foot."""
    return race.place[chariot] != OFF and race.place[chariot] != DEAD


@kernel
def drives(race: RaceRecord, chariot):
    """Whether it is the active chariot, under control, with its turn not over."""
    return race.active == chariot and not race.ended and race.body[chariot] and not is_out_of_control(race, chariot)


@kernel
def is_frightening(race: RaceRecord, chariot):
    """Q10: body, driver in it and a horse must be there."""
    return race.fright[chariot] and race.body[chariot] and race.place[chariot] == ABOARD and race.horses[chariot] > 0


@kernel
def are_one_side(race: RaceRecord, chariot, other):
    """A3: the same seat, or the same team of seats."""
    return race.seat[chariot] == race.seat[other] or race.side[chariot] == race.side[other]


# --- objects --------------------------------------------------------------------------------------------------------


@kernel
def coded(obj, part):
    """An object and its part as one number."""
    return obj * PARTS + part


@kernel
def object_of(code):
    """The object of such a number."""
    return code // PARTS


@kernel
def part_of(code):
    """The part of such a number."""
    return code % PARTS


@kernel
def is_wreck(obj):
    """Whether an object is the wreck of a chariot."""
    return WRECK_OF <= obj < DRIVER_OF


@kernel
def roller_of(obj):
    """Q13, S19: the chariot on whose behalf an object's dice are rolled; NOTHING for wrecks and obstacles."""
    if obj < WRECK_OF or DRIVER_OF <= obj < OBSTACLE:
        return obj % CHARIOTS
    return NOTHING


@kernel
def collision_value(race: RaceRecord, edition: EditionRecord, obj, part):
    """C7, C11: the dice that a part rolls in a collision, by present points and living horses (L6)."""
    if obj == WALL:
        return edition.value_wall
    if obj >= OBSTACLE:
        return edition.ob_value[race.scenario, obj - OBSTACLE]
    if is_wreck(obj):
        return edition.value_wreck
    if part == MAN:
        return edition.value_driver
    chariot = obj % CHARIOTS
    if part == BODY:
        structure = race.points[chariot, STRUCTURE]
        if structure < edition.body_limit[0]:
            return edition.value_body[0]
        if structure < edition.body_limit[1]:
            return edition.value_body[1]
        return edition.value_body[2]
    return team_value(race, edition, chariot)


@kernel
def team_value(race: RaceRecord, edition: EditionRecord, chariot):
    """C7: living horses, and one more for a team of boars."""
    horses = np.int64(race.horses[chariot])
    if horses > 0 and race.beast[chariot] == BOARS:
        return horses * edition.value_horse + BOARS_EXTRA
    return horses * edition.value_horse


@kernel
def holder(race: RaceRecord, obj, part):
    """C6: the piece that now holds a part which took part in a collision; NOTHING if there is none."""
    piece = obj
    if obj < CHARIOTS:
        if part == BODY and not race.body[obj]:
            piece = WRECK_OF + obj
        elif part == MAN and race.place[obj] != DRAGGED:
            piece = DRIVER_OF + obj
    if piece < PIECES and race.kind[piece] == ABSENT:
        return NOTHING
    return piece


# --- changes without a question --------------------------------------------------------------------------------------


@kernel
def eliminate(race: RaceRecord, chariot, story):
    """E5, E7: out of the race, with the progress it had. A chariot across the line keeps its place for now."""
    if not race.out[chariot] and not race.home[chariot]:
        race.out[chariot] = 1
        tell(story, ELIMINATED, chariot)


@kernel
def take_off(race: RaceRecord, piece):
    """A piece leaves the track."""
    race.kind[piece] = ABSENT


@kernel
def settle(race: RaceRecord, edition: EditionRecord, piece, story):
    """After a completed step of movement: where the piece is on the track, and whether it has finished (E3, E6)."""
    race.way[piece] = progress(edition, race.scenario, race.x[piece], race.y[piece], race.way[piece])
    if piece >= CHARIOTS or race.out[piece] or race.home[piece]:
        return
    race.progress[piece] = race.way[piece]
    if has_crossed(race, edition, piece):
        race.finishers += 1
        race.home[piece] = race.finishers
        tell(story, CROSSED, piece, race.finishers)
        if race.active == piece:
            race.ended = 1


@kernel
def has_crossed(race: RaceRecord, edition: EditionRecord, chariot):
    """E3, O9: whether a corner of a chariot that still races has come the full distance."""
    goal = race.laps * edition.lap[race.scenario]
    if race.way[chariot] + CORNERS < goal or not is_racing(race, chariot):
        return False
    return corner_progress(race, edition, chariot) >= goal


@kernel
def end_turn_of(race: RaceRecord, chariot):
    """End the chariot turn, if it is this chariot's (B7)."""
    if race.active == chariot:
        race.ended = 1


@kernel
def bits_of_low(race: RaceRecord, edition: EditionRecord):
    """M5: all small pieces, which one may run over: wrecks and low obstacles, as bits."""
    bits = np.int64(0)
    for chariot in range(race.chariots):
        if race.kind[WRECK_OF + chariot] != ABSENT:
            bits |= np.int64(1) << (WRECK_OF + chariot)
    t = race.scenario
    for number in range(edition.obstacles[t]):
        if edition.ob_low[t, number] and race.kind[OBSTACLE + number] != ABSENT:
            bits |= np.int64(1) << (OBSTACLE + number)
    return bits
