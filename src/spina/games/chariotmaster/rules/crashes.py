"""Crashes, dead horses, and drivers who fall, die or stand on the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.rules.chariots import (
    coded,
    eliminate,
    end_turn_of,
    is_on_chariot,
    is_out_of_control,
    object_of,
    settle,
    take_off,
)
from spina.games.chariotmaster.rules.collisions import drawn_by_lot, set_pose
from spina.games.chariotmaster.rules.contacts import parts_at
from spina.games.chariotmaster.rules.dice import distance_rolled, face_rolled, roll_die
from spina.games.chariotmaster.rules.effects import (
    BEHIND,
    BOUNCE,
    CHARIOT_ARGUMENT,
    COLLIDE,
    COLLISION_INITIATOR,
    COLLISION_TARGET,
    CRASH,
    CRASH_AWAY,
    HURL,
    LEFT_OF_HORSES,
    LOSE,
    MOVE,
    PLACE,
    STILL,
    Crash,
    Fall,
    Hurl,
    Placing,
)
from spina.games.chariotmaster.rules.event_kinds import (
    CRASHED,
    DRIVER_DIED,
    ENTANGLED,
    FELL,
    HORSE_DIED,
    HURLED,
    M_HURLED,
    PLACED,
    R_ENTANGLED,
    R_HURLED,
    TEAM_GONE,
)
from spina.games.chariotmaster.rules.field import free_spot, hit_at_pose, is_clear, piece_gap
from spina.games.chariotmaster.rules.geometry import (
    UNIT,
    Base,
    Pose,
    backwards,
    cosine,
    leftwards,
    point,
    rightwards,
    sine,
    translated,
)
from spina.games.chariotmaster.rules.record import (
    ABOARD,
    ABSENT,
    CHARIOT,
    DEAD,
    DRAGGED,
    DRAGGING,
    DRIVER,
    DRIVER_OF,
    HEALTH,
    MAN,
    MM,
    NOTHING,
    ON_FOOT,
    PARTS,
    TEAM,
    WRECK,
    WRECK_OF,
)
from spina.kernel.compiler import kernel
from spina.kernel.effect_stack import ARGUMENTS, OP, argument, become, go_to, height, keep, pop, push, stage
from spina.kernel.narration import tell

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

BESIDE = 2
"""Units of gap at which a driver is put down beside something."""
ENTANGLED_FROM = 4
"""X1: from this face on a driver who held the reins is dragged."""
FARTHEST_HURL = 80
"""Millimetres from a wreck's centre within which its driver finds a spot clear of it (X3)."""

# --- the driver -----------------------------------------------------------------------------------------------------


@kernel
def driver_dies(race: RaceRecord, chariot, story):
    """C6, O10: without a driver aboard or dragged the horses run on; a driver on foot is taken away."""
    was = race.place[chariot]
    if not is_out_of_control(race, chariot):
        end_turn_of(race, chariot)  # O1; a chariot that was out of control before runs on in this turn too
    race.place[chariot] = DEAD
    tell(story, DRIVER_DIED, chariot)
    if was == ON_FOOT:
        piece = DRIVER_OF + chariot
        if not is_in_collision(race, piece):
            take_off(race, piece)
    elif race.kind[chariot] == DRAGGING:
        race.kind[chariot] = TEAM
    if not race.home[chariot]:
        eliminate(race, chariot, story)


@kernel
def is_in_collision(race: RaceRecord, piece):
    """C6: whether a collision under way may still throw this piece about."""
    stack = race.stack
    for row in range(1, height(stack) + 1):
        if stack[row, OP] == COLLIDE or stack[row, OP] == BOUNCE:
            initiator = object_of(stack[row, ARGUMENTS + COLLISION_INITIATOR])
            if initiator == piece or object_of(stack[row, ARGUMENTS + COLLISION_TARGET]) == piece:
                return True
    return False


@kernel
def set_on_foot(race: RaceRecord, chariot, story):
    """F2, S6: a driver on foot never drives again."""
    race.place[chariot] = ON_FOOT
    race.reins[chariot] = 0
    if race.kind[chariot] == DRAGGING:
        race.kind[chariot] = TEAM
    eliminate(race, chariot, story)
    end_turn_of(race, chariot)


@kernel
def make_driver(race: RaceRecord, chariot, x, y):
    """M2, S18: the base of a driver on foot, along the axes of the map, at a spot where he is not yet put down."""
    piece = DRIVER_OF + chariot
    race.half_long[piece] = race.half_wide[chariot] // 2
    race.half_wide[piece] = race.half_wide[chariot] // 2
    race.x[piece] = x
    race.y[piece] = y
    race.heading[piece] = 0
    race.way[piece] = race.way[chariot]


@kernel
def reach_towards(half, direction):
    """How far a driver's base reaches from its centre in a direction: it lies along the axes, so it is widest askew."""
    return (half * (abs(cosine(direction)) + abs(sine(direction))) + UNIT - 1) >> 30


@kernel
def put_down(race: RaceRecord, edition: EditionRecord, chariot, x, y, story):
    """The driver stands there."""
    piece = DRIVER_OF + chariot
    race.kind[piece] = DRIVER
    set_pose(race, edition, piece, x, y, 0, story)
    tell(story, PLACED, chariot, x, y)


@kernel
def placing_on_top(stack):
    """The arguments of the placing under way."""
    return Placing(argument(stack, 0), argument(stack, 1))


@kernel
def place(race: RaceRecord, edition: EditionRecord, story):
    """X6, S5: on his spot; if it is taken he collides with what is there and gets the nearest free one."""
    stack = race.stack
    it = placing_on_top(stack)
    piece = DRIVER_OF + it.chariot
    x, y, half = race.x[piece], race.y[piece], np.int64(race.half_long[piece])
    fx, fy = free_spot(race, edition, half, x, y, it.outward, race.way[piece], np.int64(0))
    put_down(race, edition, it.chariot, fx, fy, story)
    hit = np.int64(0)
    if fx != x or fy != y:
        hit = hit_at_pose(race, edition, piece, Pose(fx, fy, 0), Pose(x, y, 0), np.int64(0))
    if hit == 0:
        pop(stack)
        return
    obj = drawn_by_lot(race, hit)
    pair = drawn_by_lot(race, parts_at(race, edition, piece, x, y, 0, obj))
    become(stack, COLLIDE, coded(piece, MAN), coded(obj, pair % PARTS), it.outward, it.outward, STILL)


FALLING, HURT_BY_FALL = range(2)
"""Stages of a fall."""


@kernel
def fall_on_top(stack):
    """The arguments of the fall under way."""
    return Fall(argument(stack, 0), argument(stack, 1), argument(stack, 2))


@kernel
def fall(race: RaceRecord, edition: EditionRecord, story):
    """L3, Z11: off the chariot, behind it or beside its horses; then perhaps a point of health."""
    stack = race.stack
    it = fall_on_top(stack)
    if stage(stack) == HURT_BY_FALL:
        become(stack, LOSE, it.chariot, HEALTH, 1, NOTHING)
        return
    x, y, outward = spot_of_fall(race, it)
    tell(story, FELL, it.chariot, it.where)
    make_driver(race, it.chariot, x, y)
    set_on_foot(race, it.chariot, story)
    if it.hurts:
        go_to(stack, HURT_BY_FALL)
        push(stack, PLACE, it.chariot, outward)
    else:
        become(stack, PLACE, it.chariot, outward)


@kernel
def spot_of_fall(race: RaceRecord, it):
    """L3, Z11: the spot behind the chariot or beside its horses, and the direction that leads outward there."""
    chariot = it.chariot
    x, y, heading = race.x[chariot], race.y[chariot], race.heading[chariot]
    long, wide = np.int64(race.half_long[chariot]), np.int64(race.half_wide[chariot])
    half = reach_towards(wide // 2, heading)
    horses = long // 2 if race.kind[chariot] == CHARIOT else np.int64(0)
    if it.where == BEHIND:
        sx, sy = point(x, y, heading, -(long + half + BESIDE), 0)
        return sx, sy, backwards(heading)
    if it.where == LEFT_OF_HORSES:
        sx, sy = point(x, y, heading, horses, wide + half + BESIDE)
        return sx, sy, leftwards(heading)
    sx, sy = point(x, y, heading, horses, -(wide + half + BESIDE))
    return sx, sy, rightwards(heading)


# --- horses and bodies ----------------------------------------------------------------------------------------------


@kernel
def horse_dies(race: RaceRecord, edition: EditionRecord, story):
    """T5, L6, L7, Z5: the first one hangs in the harness; with the last one the chariot crashes or the team is gone."""
    stack = race.stack
    chariot = argument(stack, CHARIOT_ARGUMENT)
    race.horses[chariot] -= 1
    tell(story, HORSE_DIED, chariot, race.horses[chariot])
    if race.horses[chariot] > 0:
        race.dead[chariot] += 1
        pop(stack)
    elif race.body[chariot]:
        become(stack, CRASH, chariot, NOTHING)
    else:
        lose_team(race, chariot, story)


@kernel
def lose_team(race: RaceRecord, chariot, story):
    """L7: a team without a body is removed; a driver it dragged is on foot."""
    tell(story, TEAM_GONE, chariot)
    take_off(race, chariot)
    end_turn_of(race, chariot)
    if race.place[chariot] == DRAGGED:
        make_driver(race, chariot, race.x[chariot], race.y[chariot])
        set_on_foot(race, chariot, story)
        become(race.stack, PLACE, chariot, backwards(race.heading[chariot]))
    else:
        pop(race.stack)


@kernel
def split(race: RaceRecord, edition: EditionRecord, chariot, story):
    """X1, X5, S15: the rear half becomes a wreck, the front half, if horses live, a team; a dead horse stays behind."""
    x, y, heading = race.x[chariot], race.y[chariot], race.heading[chariot]
    half, wide = np.int64(race.half_long[chariot]) // 2, race.half_wide[chariot]
    wreck = WRECK_OF + chariot
    race.kind[wreck] = WRECK
    race.half_long[wreck] = half
    race.half_wide[wreck] = wide
    race.way[wreck] = race.way[chariot]
    race.body[chariot] = 0
    race.dead[chariot] = 0
    wx, wy = point(x, y, heading, -half - 1, 0)  # S17: 0.1 mm apart, so that rounding makes no overlap
    set_pose(race, edition, wreck, wx, wy, heading, story)
    if race.horses[chariot] > 0:
        race.kind[chariot] = TEAM
        race.half_long[chariot] = half
        race.x[chariot], race.y[chariot] = point(x, y, heading, half, 0)
        settle(race, edition, chariot, story)
    else:
        take_off(race, chariot)


BREAK, ENTANGLE, DRAG_OR_HURL = range(3)
"""Stages of a crash."""


@kernel
def crash_on_top(stack):
    """The arguments of the crash under way."""
    return Crash(argument(stack, 0), argument(stack, 1))


@kernel
def crash(race: RaceRecord, edition: EditionRecord, story):
    """X1 to X5: wreck, a point of health, then dragged or hurled."""
    stack = race.stack
    it, step = crash_on_top(stack), stage(stack)
    if step == BREAK:
        break_up(race, edition, it, story)
    elif step == ENTANGLE:
        entangle(race, it)
    elif face_rolled(race) >= ENTANGLED_FROM and race.kind[it.chariot] != ABSENT:
        race.place[it.chariot] = DRAGGED
        race.kind[it.chariot] = DRAGGING
        tell(story, ENTANGLED, it.chariot)
        pop(stack)
    else:
        become(stack, HURL, it.chariot, it.away)


@kernel
def break_up(race: RaceRecord, edition: EditionRecord, it, story):
    """X1, X2, X4, S6: the body is a wreck; a driver who was on the chariot loses a point of health."""
    stack, chariot = race.stack, it.chariot
    if not race.body[chariot]:
        pop(stack)
        return
    if it.away == NOTHING:
        keep(stack, CRASH_AWAY, race.heading[chariot])
    tell(story, CRASHED, chariot)
    end_turn_of(race, chariot)
    split(race, edition, chariot, story)
    if is_on_chariot(race, chariot):
        go_to(stack, ENTANGLE)
        push(stack, LOSE, chariot, HEALTH, 1, it.away)
    else:
        pop(stack)


@kernel
def entangle(race: RaceRecord, it):
    """X1, X4: with the reins in his hands and living horses a die decides whether he is dragged; otherwise a hurl."""
    stack, chariot = race.stack, it.chariot
    if not is_on_chariot(race, chariot):
        pop(stack)  # he died, or has fallen off meanwhile
    elif race.horses[chariot] > 0 and race.reins[chariot] and race.place[chariot] == ABOARD:
        go_to(stack, DRAG_OR_HURL)
        roll_die(stack, chariot, R_ENTANGLED)
    else:
        become(stack, HURL, chariot, it.away)


LIFT_OFF, FLY = range(2)
"""Stages of a hurl."""


@kernel
def hurl_on_top(stack):
    """The arguments of the hurl under way."""
    return Hurl(argument(stack, 0), argument(stack, 1))


@kernel
def hurl(race: RaceRecord, edition: EditionRecord, story):
    """X2, X3, S5: from the first spot clear of wreck and team on the ray from the wreck's centre, D6 cm on."""
    stack = race.stack
    it = hurl_on_top(stack)
    chariot, piece = it.chariot, DRIVER_OF + it.chariot
    if stage(stack) == FLY:
        become(stack, MOVE, piece, it.direction, distance_rolled(race), 0, M_HURLED)
        return
    set_beside_wreck(race, it)
    tell(story, HURLED, chariot, it.direction)
    set_on_foot(race, chariot, story)
    if is_clear(race, edition, piece, Pose(race.x[piece], race.y[piece], 0), np.int64(0)):
        put_down(race, edition, chariot, race.x[piece], race.y[piece], story)
        go_to(stack, FLY)
        roll_die(stack, chariot, R_HURLED)
    else:
        become(stack, PLACE, chariot, it.direction)


@kernel
def set_beside_wreck(race: RaceRecord, it):
    """X3: the driver's base where his hurl begins."""
    piece, wreck = DRIVER_OF + it.chariot, WRECK_OF + it.chariot
    make_driver(race, it.chariot, race.x[wreck], race.y[wreck])
    half = np.int64(race.half_long[piece])
    x, y = race.x[wreck], race.y[wreck]
    for step in range(1, FARTHEST_HURL):
        x, y = translated(race.x[wreck], race.y[wreck], it.direction, step * MM)
        if is_apart(race, wreck, x, y, half) and is_apart(race, it.chariot, x, y, half):
            break
    race.x[piece] = x
    race.y[piece] = y


@kernel
def is_apart(race: RaceRecord, piece, x, y, half):
    """Whether a driver's base at this spot is clear of a piece, if that is there at all."""
    if race.kind[piece] == ABSENT:
        return True
    return piece_gap(race, Base(x, y, 0, half, half), piece) >= UNIT
