"""The features of a chariot's situation, from what its seat can see, for learned policies."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from spina.games.chariotmaster.bots.drivers import DARING
from spina.games.chariotmaster.bots.plans import way_to_go
from spina.games.chariotmaster.bots.sights import look_again
from spina.games.chariotmaster.rules.chariots import (
    are_one_side,
    best_token,
    distance_left,
    is_racing,
    least_distance,
    token_in_use,
)
from spina.games.chariotmaster.rules.field import home_segment, pose_of
from spina.games.chariotmaster.rules.geometry import angle_to
from spina.games.chariotmaster.rules.record import (
    ABSENT,
    ASK_ATTACK,
    ASK_CLIMB,
    ASK_DEFEND,
    ASK_DRIVE,
    ASK_MODIFY,
    ASK_SIDE,
    ASK_SKID,
    ASK_SUBMOVE,
    ASK_TOKENS,
    HEALTH,
    SKILL,
    STAMINA,
    STRUCTURE,
)
from spina.games.chariotmaster.rules.track import at, offset, segment_at
from spina.kernel.compiler import kernel

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

(
    S_QUESTION,  # one of ASKED
    S_TO_GO,  # share of the whole way
    S_NEARLY_HOME,  # 1 at the line, 0 from LAST_LEG on
    S_STAMINA,
    S_NO_STAMINA,
    S_STRUCTURE,
    S_SKILL,
    S_HEALTH,
    S_HORSES,
    S_BEST_TOKEN,
    S_TOKEN,  # in use, one of TOKENS
    S_SUBMOVES,
    S_LEFT,
    S_LEAST,
    S_ADJUSTED,
    S_ROOM,  # free way straight ahead
    S_AHEAD,  # progress where that ends
    S_ASKEW,
    S_INSIDE,  # offset from the centre line towards the inside
    S_BEND,  # 1 in a bend
    S_TO_NEXT,  # way to the end of the segment
    S_RANK,
    S_TO_FIRST,
    S_TO_NEXT_RIVAL,
    S_FROM_NEXT_RIVAL,
    S_RIVALS_NEAR,
    S_RIVALS_CLOSE,
    S_RIVALS_RACING,
    S_RIVALS_STRUCTURE,
    S_RIVALS_STAMINA,
    S_RIVALS_TO_MOVE,
    S_CHARIOTS,
    S_TURN,
    S_ONE,
) = (0, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38,
     39, 40, 41, 42, 43)  # fmt: skip
ASKED = (ASK_TOKENS, ASK_DRIVE, ASK_SUBMOVE, ASK_SKID, ASK_ATTACK, ASK_DEFEND, ASK_SIDE, ASK_MODIFY, ASK_CLIMB)
SITUATION = 44

UNIT = 1000.0
"""Units of the track in one unit of a feature."""
FARTHEST = 4.0
"""Most units of a feature that measures a way or a worth."""
LAST_LEG = 6000.0
POINTS, WIDE, ANGLE = 6.0, 300.0, 900.0
NEAR, CLOSE = 1500, 600
"""Units between the centres of chariots."""


@kernel
def bounded(value):
    """A value within what features may be."""
    return max(-FARTHEST, min(FARTHEST, value))


@kernel
def describe_rivals(race: RaceRecord, edition: EditionRecord, chariot, out):
    """Write where the rivals are and how they fare."""
    ahead, behind, first, rivals = FARTHEST, FARTHEST, 0.0, 0
    for other in range(race.chariots):
        if other == chariot or are_one_side(race, chariot, other):
            continue
        rivals += 1
        if race.home[other]:
            out[S_RANK] += 1.0
        if not is_racing(race, other):
            continue
        gap = (race.progress[other] - race.progress[chariot]) / UNIT
        first = max(first, gap)
        if gap > 0:
            out[S_RANK] += 1.0
            ahead = min(ahead, gap)
        else:
            behind = min(behind, -gap)
        away = distance_to(race, other, race.x[chariot], race.y[chariot])
        out[S_RIVALS_NEAR] += 0.5 if away < NEAR else 0.0
        out[S_RIVALS_CLOSE] += 0.5 if away < CLOSE else 0.0
        out[S_RIVALS_RACING] += 1.0
        out[S_RIVALS_STRUCTURE] += race.points[other, STRUCTURE] / POINTS
        out[S_RIVALS_STAMINA] += race.points[other, STAMINA] / POINTS
        out[S_RIVALS_TO_MOVE] += 1.0 if race.drawn[other] == 0 else 0.0
    share = 1.0 / max(1.0, out[S_RIVALS_RACING])
    out[S_RIVALS_STRUCTURE] *= share
    out[S_RIVALS_STAMINA] *= share
    out[S_RIVALS_TO_MOVE] *= share
    out[S_RANK] /= max(1, rivals)
    out[S_RIVALS_RACING] /= max(1, rivals)
    out[S_TO_FIRST] = min(FARTHEST, first)
    out[S_TO_NEXT_RIVAL], out[S_FROM_NEXT_RIVAL] = ahead / FARTHEST, behind / FARTHEST
    out[S_CHARIOTS] = race.chariots / POINTS


@kernel
def distance_to(race: RaceRecord, piece, x, y):
    """Units from a point to the centre of a piece."""
    dx, dy = race.x[piece] - x, race.y[piece] - y
    return math.sqrt(dx * dx + dy * dy)


@kernel
def describe_place(race: RaceRecord, edition: EditionRecord, chariot, scratch, out):
    """Write where on the track the chariot stands, and what lies ahead."""
    t, pose = race.scenario, pose_of(race, chariot)
    way = race.way[chariot]
    free, there = look_again(
        race, edition, chariot, pose, way, home_segment(race, edition, chariot, pose.x, pose.y), DARING, scratch
    )
    out[S_ROOM], out[S_AHEAD] = free / UNIT, bounded((there - way) / UNIT)
    _, _, tangent = at(edition, t, way, 0)
    out[S_ASKEW] = abs(angle_to(pose.heading, tangent)) / ANGLE
    out[S_INSIDE] = edition.inside[t] * offset(edition, t, pose.x, pose.y, way) / WIDE
    i = segment_at(edition, t, way)
    out[S_BEND] = 1.0 if edition.seg_radius[t, i] != 0 else 0.0
    length = edition.length[t]
    left = edition.seg_s[t, i + 1] - (way + edition.line[t])
    if edition.closed[t]:
        left = (left % length + length) % length
    out[S_TO_NEXT] = bounded(left / UNIT)


@kernel
def describe_situation(race: RaceRecord, edition: EditionRecord, chariot, scratch, out):
    """Write the features of the situation of a chariot, from what its seat can see."""
    out[:SITUATION] = 0.0
    question = race.ask
    for i in range(len(ASKED)):
        if question == ASKED[i]:
            out[S_QUESTION + i] = 1.0
    whole = race.laps * edition.lap[race.scenario]
    togo = way_to_go(race, edition, chariot)
    out[S_TO_GO], out[S_NEARLY_HOME] = togo / whole, max(0.0, 1.0 - togo / LAST_LEG)
    stamina = race.points[chariot, STAMINA]
    out[S_STAMINA], out[S_NO_STAMINA] = stamina / POINTS, 1.0 if stamina == 0 else 0.0
    out[S_STRUCTURE], out[S_SKILL] = race.points[chariot, STRUCTURE] / POINTS, race.points[chariot, SKILL] / POINTS
    out[S_HEALTH], out[S_HORSES] = race.points[chariot, HEALTH] / POINTS, race.horses[chariot] / 2.0
    out[S_BEST_TOKEN] = best_token(race, chariot) / 2.0
    if race.active == chariot:
        out[S_TOKEN + token_in_use(race, chariot)] = 1.0
        left, least = distance_left(race, edition, chariot), least_distance(race, edition, chariot) - race.moved
        out[S_SUBMOVES], out[S_LEFT] = race.submoves / 3.0, left / UNIT
        out[S_LEAST], out[S_ADJUSTED] = bounded(least / UNIT), bounded(race.delta / UNIT)
    out[S_TURN] = race.turns / race.limit
    out[S_ONE] = 1.0
    describe_rivals(race, edition, chariot, out)
    if race.kind[chariot] != ABSENT:
        describe_place(race, edition, chariot, scratch, out)
