"""Lost points and what comes of them: the out-of-points tables, dead horses, crashes, drivers on the ground."""

from __future__ import annotations

import numpy as np

from spina.games.chariotmaster.rules.chariots import (
    eliminate,
    end_turn_of,
    has_driver,
    is_out_of_control,
    settle,
    take_off,
)
from spina.games.chariotmaster.rules.collisions import HALF_TURN, drawn_by_lot, set_pose
from spina.games.chariotmaster.rules.contacts import parts_at
from spina.games.chariotmaster.rules.effects import (
    BOUNCE,
    COLLIDE,
    CRASH,
    FALL,
    HORSE_GONE,
    HURL,
    LOSE,
    MOVE,
    OUT_OF,
    PLACE,
    ROLL,
    RUNS,
    STILL,
)
from spina.games.chariotmaster.rules.event_kinds import (
    CRASHED,
    DRIVER_DIED,
    ENTANGLED,
    FELL,
    HORSE_DIED,
    HURLED,
    IS_EXHAUSTED,
    LOST,
    LOST_CONTROL,
    LOST_KNIFE,
    LOST_REINS,
    LOST_TOKEN,
    M_BACK,
    M_HURLED,
    M_SIDEWAYS,
    PLACED,
    R_BACKWARDS,
    R_ENTANGLED,
    R_HURLED,
    R_OUT_OF,
    R_SIDEWAYS,
    STUNNED_NOW,
    TEAM_GONE,
    WHEEL_LOOSE,
)
from spina.games.chariotmaster.rules.event_kinds import OUT_OF as TABLE_READ
from spina.games.chariotmaster.rules.field import free_spot, hit_at_pose, is_clear
from spina.games.chariotmaster.rules.geometry import cosine, point, separation, sine, translated
from spina.games.chariotmaster.rules.record import (
    ABOARD,
    ABSENT,
    BACK_D3,
    BACK_D6,
    CHARIOT,
    CONFUSED,
    CRASHES,
    DEAD,
    DIES,
    DRAGGED,
    DRAGGING,
    DRIVER,
    DRIVER_OF,
    EXHAUSTED,
    FALLS,
    FULL,
    GIVE_UP,
    HAFT_CUT,
    HALVE,
    HEALTH,
    HORSE_DIES,
    KNIFE,
    LEFT_D6,
    LOSE_SKILL,
    LOSE_STAMINA,
    MAN,
    NOTHING,
    ON_FOOT,
    OUT_HEALTH_ABOARD,
    OUT_HEALTH_DRAGGED,
    OUT_HEALTH_ON_FOOT,
    OUT_SKILL_ABOARD,
    OUT_SKILL_DRAGGED,
    OUT_SKILL_ON_FOOT,
    OUT_STAMINA,
    OUT_STRUCTURE,
    PLUS_ONE,
    REINS,
    RIGHT_ANGLE,
    RIGHT_D6,
    ROWS,
    SKILL,
    STAMINA,
    STRUCTURE,
    STUNNED,
    TEAM,
    WHEEL,
    WRECK,
    WRECK_OF,
)
from spina.kernel.compiler import kernel
from spina.kernel.effect_stack import argument, become, go_to, height, keep, pop, push, stage
from spina.kernel.narration import tell

UNIT = np.int64(1 << 30)
"""One unit of length in the scale of separations."""
BESIDE = 2
"""Units of gap at which a driver is put down beside something."""

# --- losing points --------------------------------------------------------------------------------------------------


@kernel
def can_lose(race, chariot, kind):
    """Whether there is anybody or anything left to lose such points."""
    if kind == STAMINA:
        return race.horses[chariot] > 0
    if kind == STRUCTURE:
        return race.body[chariot] == 1
    return has_driver(race, chariot)


@kernel
def lose(race, edition, story):
    """Z1: point by point; each roll on a table is over before the next point is lost."""
    stack = race.stack
    chariot, kind, left = argument(stack, 0), argument(stack, 1), argument(stack, 2)
    while left > 0 and can_lose(race, chariot, kind):
        left -= 1
        if race.points[chariot, kind] == 0:
            away = argument(stack, 3)
            if left == 0:
                become(stack, OUT_OF, chariot, kind, away)
            else:
                keep(stack, 2, left)
                push(stack, OUT_OF, chariot, kind, away)
            return
        race.points[chariot, kind] -= 1
        tell(story, LOST, chariot, kind, race.points[chariot, kind])
    pop(stack)


@kernel
def table_for(race, chariot, kind):
    """The table that a loss is rolled on: for a driver by where he is (Z10)."""
    place = race.place[chariot]
    if kind == STAMINA:
        return OUT_STAMINA
    if kind == STRUCTURE:
        return OUT_STRUCTURE
    if kind == HEALTH:
        if place <= HAFT_CUT:
            return OUT_HEALTH_ABOARD
        return OUT_HEALTH_DRAGGED if place == DRAGGED else OUT_HEALTH_ON_FOOT
    if place <= HAFT_CUT:
        return OUT_SKILL_ABOARD
    return OUT_SKILL_DRAGGED if place == DRAGGED else OUT_SKILL_ON_FOOT


@kernel
def counter_of(table):
    """Z3: the three tables of health share one modifier."""
    if table == OUT_HEALTH_DRAGGED or table == OUT_HEALTH_ON_FOOT:
        return OUT_HEALTH_ABOARD
    return table


@kernel
def out_of_points(race, edition, story):
    """One roll on an out-of-points table, with everything that the row brings."""
    stack = race.stack
    chariot, kind = argument(stack, 0), argument(stack, 1)
    step = stage(stack)
    if not can_lose(race, chariot, kind):
        pop(stack)
    elif step == 0:
        go_to(stack, 1)
        push(stack, ROLL, chariot, 1, R_OUT_OF, NOTHING, 0)
    elif step == 1:
        table = table_for(race, chariot, kind)
        counter = counter_of(table)
        face = race.die[0]
        result = face + race.worn[chariot, counter]
        effects = edition.effects[table, min(result, ROWS) - 1]
        if effects & PLUS_ONE:
            race.worn[chariot, counter] += 1
        if effects & HALVE:
            race.worn[chariot, counter] //= 2
        tell(story, TABLE_READ, chariot, table, face, result, race.worn[chariot, counter])
        suffer(race, chariot, effects, story)
        follow_up(race, edition, chariot, effects, story)
    else:
        push_about(race, chariot, step, story)


@kernel
def suffer(race, chariot, effects, story):
    """What a row does at once."""
    if effects & EXHAUSTED and not race.exhausted[chariot]:
        race.exhausted[chariot] = 1
        tell(story, IS_EXHAUSTED, chariot)
    if effects & WHEEL and not race.wheel[chariot]:
        race.wheel[chariot] = 1
        tell(story, WHEEL_LOOSE, chariot)
    if effects & GIVE_UP and race.cap[chariot] > 0:
        race.cap[chariot] -= 1
        tell(story, LOST_TOKEN, chariot, race.cap[chariot])
    if effects & KNIFE and race.knife[chariot]:
        race.knife[chariot] = 0
        tell(story, LOST_KNIFE, chariot)
    if effects & REINS:
        let_reins_go(race, chariot, story)
    if effects & STUNNED:
        race.stunned[chariot] = race.turned[chariot] + 1
        tell(story, STUNNED_NOW, chariot)
    if effects & CONFUSED:
        confuse(race, chariot, story)


@kernel
def let_reins_go(race, chariot, story):
    """L1, Z8: out of control until the driver has them again."""
    if race.reins[chariot]:
        race.reins[chariot] = 0
        tell(story, LOST_REINS, chariot)
        end_turn_of(race, chariot)


@kernel
def confuse(race, chariot, story):
    """O1, O2: out of control until the end of its next chariot turn; its own turn, if it has it, ends."""
    race.confused[chariot] = race.turned[chariot] + 1
    tell(story, LOST_CONTROL, chariot)
    end_turn_of(race, chariot)


BACKWARDS_3, BACKWARDS_6, TO_THE_LEFT, TO_THE_RIGHT = 2, 3, 4, 5
"""Stages of a table roll that wait for the die of a forced move."""


@kernel
def follow_up(race, edition, chariot, effects, story):
    """What a row does through further effects: at most one of them."""
    stack = race.stack
    away = argument(stack, 2)
    if effects & (BACK_D3 | BACK_D6 | LEFT_D6 | RIGHT_D6):
        sideways = effects & (LEFT_D6 | RIGHT_D6)
        if effects & BACK_D3:
            go_to(stack, BACKWARDS_3)
        elif effects & BACK_D6:
            go_to(stack, BACKWARDS_6)
        elif effects & LEFT_D6:
            go_to(stack, TO_THE_LEFT)
        else:
            go_to(stack, TO_THE_RIGHT)
        push(stack, ROLL, chariot, 1, R_SIDEWAYS if sideways else R_BACKWARDS, NOTHING, 0)
    elif effects & LOSE_STAMINA:
        become(stack, LOSE, chariot, STAMINA, 1, NOTHING)
    elif effects & LOSE_SKILL:
        become(stack, LOSE, chariot, SKILL, 1, NOTHING)
    elif effects & HORSE_DIES:
        become(stack, HORSE_GONE, chariot)
    elif effects & CRASHES:
        become(stack, CRASH, chariot, away)
    elif effects & FALLS:
        become(stack, FALL, chariot, 0, 0)
    else:
        pop(stack)
        if effects & DIES:
            driver_dies(race, chariot, story)


@kernel
def push_about(race, chariot, step, story):
    """Z7: the forced move of a row, by the die just rolled."""
    stack = race.stack
    heading, centimetres = race.heading[chariot], race.die[0]
    if step == BACKWARDS_3:
        become(stack, MOVE, chariot, (heading + HALF_TURN) % FULL, (centimetres + 1) // 2 * 100, RUNS, M_BACK)
    elif step == BACKWARDS_6:
        become(stack, MOVE, chariot, (heading + HALF_TURN) % FULL, centimetres * 100, RUNS, M_BACK)
    elif step == TO_THE_LEFT:
        become(stack, MOVE, chariot, (heading + RIGHT_ANGLE) % FULL, centimetres * 100, RUNS, M_SIDEWAYS)
    else:
        become(stack, MOVE, chariot, (heading + FULL - RIGHT_ANGLE) % FULL, centimetres * 100, RUNS, M_SIDEWAYS)


# --- the driver -----------------------------------------------------------------------------------------------------


@kernel
def driver_dies(race, chariot, story):
    """Wherever he was: aboard and dragged the horses run on without him; on foot he is taken away (C6, O10)."""
    was = race.place[chariot]
    if not is_out_of_control(race, chariot):
        end_turn_of(race, chariot)  # O1; who was out of control before runs on in this turn too
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
def is_in_collision(race, piece):
    """Whether a collision that is not over yet will still want to throw this piece about."""
    stack = race.stack
    for row in range(1, height(stack) + 1):
        if stack[row, 0] == COLLIDE or stack[row, 0] == BOUNCE:
            if stack[row, 2] // 4 == piece or stack[row, 3] // 4 == piece:
                return True
    return False


@kernel
def set_on_foot(race, chariot, story):
    """F2: whoever is on foot never drives again."""
    race.place[chariot] = ON_FOOT
    race.reins[chariot] = 0
    if race.kind[chariot] == DRAGGING:
        race.kind[chariot] = TEAM
    eliminate(race, chariot, story)
    end_turn_of(race, chariot)


@kernel
def make_driver(race, chariot, x, y):
    """The base of a driver on foot, at a spot where he is not yet put down."""
    piece = DRIVER_OF + chariot
    race.half_long[piece] = race.half_wide[chariot] // 2
    race.half_wide[piece] = race.half_wide[chariot] // 2
    race.x[piece] = x
    race.y[piece] = y
    race.heading[piece] = 0
    race.way[piece] = race.way[chariot]


@kernel
def reach_towards(half, direction):
    """How far a driver's base reaches from its centre in a direction: it never turns, so it is widest askew."""
    return (half * (abs(cosine(direction)) + abs(sine(direction))) + UNIT - 1) >> 30


@kernel
def put_down(race, edition, chariot, x, y, story):
    """The driver stands there."""
    piece = DRIVER_OF + chariot
    race.kind[piece] = DRIVER
    set_pose(race, edition, piece, x, y, 0, story)
    tell(story, PLACED, chariot, x, y)


@kernel
def place(race, edition, story):
    """X6: on his spot; if it is taken he collides with what is there and gets the nearest free one."""
    stack = race.stack
    chariot, outward = argument(stack, 0), argument(stack, 1)
    piece = DRIVER_OF + chariot
    x, y, half = race.x[piece], race.y[piece], np.int64(race.half_long[piece])
    fx, fy = free_spot(race, edition, half, x, y, outward, race.way[piece], np.int64(0))
    put_down(race, edition, chariot, fx, fy, story)
    hit = np.int64(0)
    if fx != x or fy != y:
        hit = hit_at_pose(race, edition, piece, fx, fy, 0, x, y, 0, np.int64(0))
    if hit == 0:
        pop(stack)
        return
    obj = drawn_by_lot(race, hit)
    pair = drawn_by_lot(race, parts_at(race, edition, piece, x, y, 0, obj))
    become(stack, COLLIDE, piece * 4 + MAN, obj * 4 + pair % 4, outward, outward, STILL)


@kernel
def fall(race, edition, story):
    """L3, Z11: off the chariot, behind it or beside its horses."""
    stack = race.stack
    chariot, where, hurts = argument(stack, 0), argument(stack, 1), argument(stack, 2)
    if stage(stack) == 1:
        become(stack, LOSE, chariot, HEALTH, 1, NOTHING)
        return
    x, y, heading = race.x[chariot], race.y[chariot], race.heading[chariot]
    long, wide = np.int64(race.half_long[chariot]), np.int64(race.half_wide[chariot])
    half = reach_towards(wide // 2, heading)
    horses = long // 2 if race.kind[chariot] == CHARIOT else np.int64(0)
    if where == 0:
        sx, sy = point(x, y, heading, -(long + half + BESIDE), 0)
        outward = heading + HALF_TURN
    elif where == 1:
        sx, sy = point(x, y, heading, horses, wide + half + BESIDE)
        outward = heading + RIGHT_ANGLE
    else:
        sx, sy = point(x, y, heading, horses, -(wide + half + BESIDE))
        outward = heading + FULL - RIGHT_ANGLE
    tell(story, FELL, chariot, where)
    make_driver(race, chariot, sx, sy)
    set_on_foot(race, chariot, story)
    if hurts:
        go_to(stack, 1)
        push(stack, PLACE, chariot, outward % FULL)
    else:
        become(stack, PLACE, chariot, outward % FULL)


# --- horses and bodies ----------------------------------------------------------------------------------------------


@kernel
def horse_dies(race, edition, story):
    """T5, L6, L7: the first one hangs in the harness; with the last one the chariot crashes, or the team is gone."""
    stack = race.stack
    chariot = argument(stack, 0)
    race.horses[chariot] -= 1
    tell(story, HORSE_DIED, chariot, race.horses[chariot])
    if race.horses[chariot] > 0:
        race.dead[chariot] += 1
        pop(stack)
    elif race.body[chariot]:
        become(stack, CRASH, chariot, NOTHING)
    else:
        tell(story, TEAM_GONE, chariot)
        take_off(race, chariot)
        end_turn_of(race, chariot)
        if race.place[chariot] == DRAGGED:
            make_driver(race, chariot, race.x[chariot], race.y[chariot])
            set_on_foot(race, chariot, story)
            become(stack, PLACE, chariot, (race.heading[chariot] + HALF_TURN) % FULL)
        else:
            pop(stack)


@kernel
def split(race, edition, chariot, story):
    """The rear half becomes a wreck, the front half, if horses live, a team without a body (X1, X5)."""
    x, y, heading = race.x[chariot], race.y[chariot], race.heading[chariot]
    half, wide = np.int64(race.half_long[chariot]) // 2, race.half_wide[chariot]
    wreck = WRECK_OF + chariot
    race.kind[wreck] = WRECK
    race.half_long[wreck] = half
    race.half_wide[wreck] = wide
    race.way[wreck] = race.way[chariot]
    race.body[chariot] = 0
    race.dead[chariot] = 0
    wx, wy = point(x, y, heading, -half - 1, 0)  # a tenth of a millimetre apart, so that rounding makes no overlap
    set_pose(race, edition, wreck, wx, wy, heading, story)
    if race.horses[chariot] > 0:
        race.kind[chariot] = TEAM
        race.half_long[chariot] = half
        race.x[chariot], race.y[chariot] = point(x, y, heading, half, 0)
        settle(race, edition, chariot, story)
    else:
        take_off(race, chariot)


@kernel
def crash(race, edition, story):
    """X1 to X5: wreck, a point of health, then dragged or hurled."""
    stack = race.stack
    chariot, away = argument(stack, 0), argument(stack, 1)
    step = stage(stack)
    if step == 0:
        if not race.body[chariot]:
            pop(stack)
            return
        if away == NOTHING:
            keep(stack, 1, race.heading[chariot])
        tell(story, CRASHED, chariot)
        end_turn_of(race, chariot)
        split(race, edition, chariot, story)
        if race.place[chariot] <= HAFT_CUT:
            go_to(stack, 1)
            push(stack, LOSE, chariot, HEALTH, 1, away)
        else:
            pop(stack)
    elif step == 1:
        if race.place[chariot] > HAFT_CUT:
            pop(stack)  # he died, or has fallen off meanwhile
        elif race.horses[chariot] > 0 and race.reins[chariot] and race.place[chariot] == ABOARD:
            go_to(stack, 2)
            push(stack, ROLL, chariot, 1, R_ENTANGLED, NOTHING, 0)
        else:
            become(stack, HURL, chariot, away)
    elif race.die[0] >= 4 and race.kind[chariot] != ABSENT:
        race.place[chariot] = DRAGGED
        race.kind[chariot] = DRAGGING
        tell(story, ENTANGLED, chariot)
        pop(stack)
    else:
        become(stack, HURL, chariot, away)


@kernel
def hurl(race, edition, story):
    """X2, X3: from the first spot clear of wreck and team on the ray from the wreck's centre, D6 cm on."""
    stack = race.stack
    chariot, direction = argument(stack, 0), argument(stack, 1)
    piece, wreck = DRIVER_OF + chariot, WRECK_OF + chariot
    if stage(stack) == 1:
        become(stack, MOVE, piece, direction, race.die[0] * 100, 0, M_HURLED)
        return
    make_driver(race, chariot, race.x[wreck], race.y[wreck])
    half = np.int64(race.half_long[piece])
    sx, sy = race.x[wreck], race.y[wreck]
    for step in range(1, 80):
        sx, sy = translated(race.x[wreck], race.y[wreck], direction, step * 10)
        if is_apart(race, wreck, sx, sy, half) and is_apart(race, chariot, sx, sy, half):
            break
    race.x[piece] = sx
    race.y[piece] = sy
    tell(story, HURLED, chariot, direction)
    set_on_foot(race, chariot, story)
    if is_clear(race, edition, piece, sx, sy, 0, np.int64(0)):
        put_down(race, edition, chariot, sx, sy, story)
        go_to(stack, 1)
        push(stack, ROLL, chariot, 1, R_HURLED, NOTHING, 0)
    else:
        become(stack, PLACE, chariot, direction)


@kernel
def is_apart(race, piece, x, y, half):
    """Whether a driver's base at this spot is clear of a piece, if that is there at all."""
    if race.kind[piece] == ABSENT:
        return True
    px, py, heading = race.x[piece], race.y[piece], race.heading[piece]
    long, wide = np.int64(race.half_long[piece]), np.int64(race.half_wide[piece])
    return separation(x, y, 0, half, half, px, py, heading, long, wide) >= UNIT
