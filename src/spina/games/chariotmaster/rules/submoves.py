"""A chariot under control: braking and spurring, sub-moves with their tests, U-turns, skids."""

from __future__ import annotations

import numpy as np

from spina.games.chariotmaster.rules.attacks import attack_of, can_attack
from spina.games.chariotmaster.rules.chariots import (
    bits_of_low,
    distance_left,
    drives,
    least_distance,
    most_distance,
    token_in_use,
)
from spina.games.chariotmaster.rules.collisions import set_pose
from spina.games.chariotmaster.rules.dice import ask
from spina.games.chariotmaster.rules.effects import (
    ADJUST,
    ATTACK,
    COLLIDING,
    COUNTS,
    LOSE,
    MOVE,
    ORDINARY,
    ROLL,
    RUNNING,
    RUNS,
    SKID,
    SUBMOVE,
    TEST,
)
from spina.games.chariotmaster.rules.event_kinds import (
    A_BRAKE,
    A_SPUR,
    A_WHIP,
    CHANGED,
    M_AHEAD,
    M_COLLIDE,
    M_RUN,
    M_SKID,
    M_SWEEP,
    P_BRAKE,
    P_SPUR,
    P_SWEEP,
    P_WHIP,
    PAID,
    PIVOTED,
    R_BRAKE,
    R_CUT,
    R_DEFENCE,
    R_GRAB,
    R_SPUR,
    R_SUBMOVE,
    R_WHIP,
    SKIDS,
    T_DEFENCE,
    T_GRAB,
    T_SUBMOVE,
    TESTED,
    TURNED_ROUND,
)
from spina.games.chariotmaster.rules.field import is_clear, pivot_free, way_free
from spina.games.chariotmaster.rules.geometry import pivot_point, pivoted, translated
from spina.games.chariotmaster.rules.record import (
    ASK_ATTACK,
    ASK_DRIVE,
    ASK_PIVOT,
    ASK_SKID,
    ASK_SUBMOVE,
    ASK_SWEEP,
    CM,
    DEGREE,
    DO_ANNOUNCE,
    DO_BRAKE,
    DO_COLLIDE,
    DO_FORGO,
    DO_GO,
    DO_NO_ATTACK,
    DO_PIVOT,
    DO_RUN,
    DO_SPUR,
    DO_STOP,
    DO_SUBMOVE,
    DO_UTURN,
    DO_WALK,
    DO_WHIP,
    FULL,
    LONGEST,
    MM,
    NOTHING,
    POINTS,
    RIGHT_ANGLE,
    SKILL,
    STAMINA,
    STRAIGHT,
    SWEEP_LEFT,
    WIDEST,
)
from spina.kernel.compiler import kernel
from spina.kernel.effect_stack import argument, go_to, keep, pop, push, stage
from spina.kernel.narration import tell

# --- what is possible -----------------------------------------------------------------------------------------------


@kernel
def direction_of(race, chariot, way):
    """The direction of a translation: ahead, or sideways at right angles."""
    heading = race.heading[chariot]
    if way == STRAIGHT:
        return heading
    return (heading + (RIGHT_ANGLE if way == SWEEP_LEFT else FULL - RIGHT_ANGLE)) % FULL


@kernel
def free_way(race, edition, chariot, way, most):
    """Units that it can go without touching anything; 0 if that is less than a sub-move needs (1 cm)."""
    if most < CM:
        return np.int64(0)
    x, y, heading = race.x[chariot], race.y[chariot], race.heading[chariot]
    rest, _ = way_free(race, edition, chariot, x, y, heading, direction_of(race, chariot, way), most, np.int64(0))
    return rest if rest >= CM else np.int64(0)


@kernel
def free_millimetres(race, edition, chariot, way):
    """N8: whole millimetres that it can go. Rounded down the end need not be clear, so there it looks further back."""
    units = free_way(race, edition, chariot, way, distance_left(race, edition, chariot))
    while units % MM:
        units = free_way(race, edition, chariot, way, units - units % MM)
    return units // MM


@kernel
def pivot_after(race, edition, chariot, way, units, point, degrees):
    """Tenths of a degree that it can turn towards this side about this point, after going so far."""
    x, y = translated(race.x[chariot], race.y[chariot], direction_of(race, chariot, way), units)
    ahead, left = pivot_point(np.int64(race.half_long[chariot]), np.int64(race.half_wide[chariot]), point)
    heading, angle = race.heading[chariot], degrees * DEGREE
    return pivot_free(race, edition, chariot, x, y, heading, ahead, left, angle, np.int64(0))


@kernel
def can_submove(race, edition, chariot, way, mm, degrees, point):
    """D3, D9, D11, P1: within the distance left and the token's pivot, free all the way."""
    units = mm * MM
    if units < CM or units > distance_left(race, edition, chariot):
        return False
    if abs(degrees) * DEGREE > edition.pivot[token_in_use(race, chariot)]:
        return False
    if free_way(race, edition, chariot, way, units) < units:
        return False
    return degrees == 0 or pivot_after(race, edition, chariot, way, units, point, degrees) == abs(degrees) * DEGREE


@kernel
def can_run_through(race, edition, chariot, way, mm):
    """P4, B8, B11, B13: over something low, and clear of everything at the end."""
    units = mm * MM
    if units < CM or units > distance_left(race, edition, chariot):
        return False
    low = bits_of_low(race, edition)
    if low == 0:
        return False
    x, y, heading = race.x[chariot], race.y[chariot], race.heading[chariot]
    direction = direction_of(race, chariot, way)
    rest, hit_at = way_free(race, edition, chariot, x, y, heading, direction, units, low)
    if hit_at != NOTHING or rest < units:
        return False
    rest, hit_at = way_free(race, edition, chariot, x, y, heading, direction, units, np.int64(0))
    if hit_at == NOTHING:
        return False
    x, y = translated(x, y, direction, units)
    return is_clear(race, edition, chariot, x, y, heading, np.int64(0))


@kernel
def can_spur(race):
    """Once in a chariot turn."""
    return race.spurred == 0


@kernel
def can_whip(race, chariot):
    """Once in a chariot turn, with a whip."""
    return race.whipped == 0 and race.whip[chariot] == 1


@kernel
def can_stop(race, edition, chariot):
    """D13: when the minimum is travelled."""
    return race.moved >= least_distance(race, edition, chariot)


@kernel
def can_collide(race, edition, chariot):
    """P2: no stamina, the minimum not reached, and no way straight ahead."""
    if race.points[chariot, STAMINA] > 0 or can_stop(race, edition, chariot):
        return False
    return free_way(race, edition, chariot, STRAIGHT, distance_left(race, edition, chariot)) == 0


@kernel
def nothing_is_free(race, edition, chariot):
    """Neither ahead nor sideways, nor through anything low."""
    left = distance_left(race, edition, chariot)
    for way in range(3):
        if free_way(race, edition, chariot, way, left) > 0:
            return False
        if can_run_through(race, edition, chariot, way, left // MM):
            return False
    return True


@kernel
def can_turn_round(race, edition, chariot):
    """D8: whether a U-turn is possible at all."""
    if race.submoves or race.moved:
        return False
    return least_distance(race, edition, chariot) <= 0 and most_distance(race, edition, chariot) >= CM


@kernel
def can_pivot(race, edition, chariot, degrees, point):
    """Whether it can turn so far where it stands, swept."""
    ahead, left = pivot_point(np.int64(race.half_long[chariot]), np.int64(race.half_wide[chariot]), point)
    x, y, heading, angle = race.x[chariot], race.y[chariot], race.heading[chariot], degrees * DEGREE
    return pivot_free(race, edition, chariot, x, y, heading, ahead, left, angle, np.int64(0)) == abs(angle)


# --- driving --------------------------------------------------------------------------------------------------------


@kernel
def drive(race, edition, story):
    """The loop of a chariot turn: attack, check for the end, ask, do."""
    stack = race.stack
    chariot = argument(stack, 0)
    step = stage(stack)
    if step == 0:
        if not drives(race, chariot):
            pop(stack)
        elif race.may_attack and race.turns > 1 and can_attack(race, edition, chariot):
            go_to(stack, 1)
            ask(race, ASK_ATTACK, chariot, NOTHING)
        else:
            race.may_attack = 0
            go_to(stack, 2)
            if distance_left(race, edition, chariot) < CM and not can_spur(race) and not can_whip(race, chariot):
                race.ended = 1
                pop(stack)
            else:
                ask(race, ASK_DRIVE, chariot, NOTHING)
    elif step == 1:
        race.may_attack = 0
        go_to(stack, 0)
        if race.reply != DO_NO_ATTACK:
            race.chain = 0
            announce_attack(race, chariot)
    elif step == 2:
        carry_out(race, edition, chariot, story)
    elif step == 3:
        if race.passed:
            race.announced = 1
            go_to(stack, 4)
            ask(race, ASK_SUBMOVE, chariot, NOTHING)
        else:
            go_to(stack, 0)
            push(stack, SKID, chariot)
    elif not drives(race, chariot):
        race.announced = 0
        pop(stack)
    else:
        carry_out_announced(race, edition, chariot, step, story)


@kernel
def carry_out(race, edition, chariot, story):
    """An answer to the open question of a chariot turn."""
    stack = race.stack
    reply = race.reply
    race.chain = 0
    go_to(stack, 0)
    if reply == DO_STOP:
        race.ended = 1
        pop(stack)
    elif reply == DO_BRAKE or reply == DO_SPUR or reply == DO_WHIP:
        push(stack, ADJUST, chariot, reply - DO_BRAKE)
    elif reply == DO_ANNOUNCE:
        go_to(stack, 3)
        push(stack, TEST, chariot, race.submoves + edition.test[token_in_use(race, chariot)], T_SUBMOVE)
    elif DO_UTURN <= reply < DO_WALK:
        turn_round(race, edition, chariot, reply - DO_UTURN, story)
        race.ended = 1
        pop(stack)
    else:
        push_submove(race, chariot, reply)


@kernel
def carry_out_announced(race, edition, chariot, step, story):
    """An answer after a passed test: nothing but the sub-move, as long as one is possible (D14)."""
    stack = race.stack
    reply = race.reply
    if step == 5:  # a brake or spur has been resolved
        if distance_left(race, edition, chariot) < CM:
            race.announced = 0
            go_to(stack, 0)
        else:
            go_to(stack, 4)
            ask(race, ASK_SUBMOVE, chariot, NOTHING)
        return
    race.chain = 0
    if reply == DO_STOP:
        race.ended = 1
        pop(stack)
    elif reply == DO_BRAKE or reply == DO_SPUR or reply == DO_WHIP:
        go_to(stack, 5)
        push(stack, ADJUST, chariot, reply - DO_BRAKE)
        return
    else:
        go_to(stack, 0)
        push_submove(race, chariot, reply)
    race.announced = 0


@kernel
def push_submove(race, chariot, reply):
    """The sub-move that an action stands for."""
    if reply == DO_COLLIDE:
        push(race.stack, SUBMOVE, chariot, STRAIGHT, 0, 0, 0, COLLIDING)
    elif DO_RUN <= reply < DO_SUBMOVE:
        code = reply - DO_RUN
        push(race.stack, SUBMOVE, chariot, code // LONGEST, code % LONGEST, 0, 0, RUNNING)
    else:
        way, mm, degrees, point = submove_of(reply)
        push(race.stack, SUBMOVE, chariot, way, mm, degrees, point, ORDINARY)


@kernel
def submove_of(action):
    """Way, millimetres, degrees and point of a sub-move's number."""
    code = action - DO_SUBMOVE
    point = code % POINTS
    code //= POINTS
    degrees = code % (2 * WIDEST + 1) - WIDEST
    code //= 2 * WIDEST + 1
    return code // LONGEST, code % LONGEST, degrees, point


@kernel
def submove_code(way, mm, degrees, point):
    """The number of a sub-move; one without a pivot has the centre for its point."""
    return DO_SUBMOVE + ((way * LONGEST + mm) * (2 * WIDEST + 1) + degrees + WIDEST) * POINTS + point


@kernel
def turn_round(race, edition, chariot, code, story):
    """D10: a U-turn is one pivot, and the whole of the turn."""
    degrees, point = code // POINTS - 180, code % POINTS
    ahead, left = pivot_point(np.int64(race.half_long[chariot]), np.int64(race.half_wide[chariot]), point)
    x, y, heading = race.x[chariot], race.y[chariot], race.heading[chariot]
    x, y, heading = pivoted(x, y, heading, ahead, left, degrees * DEGREE)
    tell(story, TURNED_ROUND, chariot, point, degrees, x, y, heading)
    set_pose(race, edition, chariot, x, y, heading, story)


@kernel
def announce_attack(race, chariot):
    """The attack that an action stands for."""
    obj, part, which, side = attack_of(race.reply)
    push(race.stack, ATTACK, chariot, obj, part, which, side)


@kernel
def adjust(race, edition, story):
    """D1, D5: brake, spur or whip: pay a point, then a die changes minimum and maximum."""
    stack = race.stack
    chariot, how = argument(stack, 0), argument(stack, 1)
    step = stage(stack)
    if step == 0:
        if how == A_SPUR:
            race.spurred = 1
        elif how == A_WHIP:
            race.whipped = 1
        go_to(stack, 1)
        tell(story, PAID, chariot, 1, P_BRAKE if how == A_BRAKE else (P_SPUR if how == A_SPUR else P_WHIP))
        push(stack, LOSE, chariot, STAMINA, 1, NOTHING)
    elif not drives(race, chariot):
        pop(stack)
    elif step == 1:
        go_to(stack, 2)
        push(stack, ROLL, chariot, 1, R_BRAKE if how == A_BRAKE else (R_SPUR if how == A_SPUR else R_WHIP), NOTHING, 0)
    else:
        units = race.die[0] * CM
        if how == A_BRAKE:
            units = -units
        race.delta += units
        least, most = least_distance(race, edition, chariot), most_distance(race, edition, chariot)
        tell(story, CHANGED, chariot, how, units, least, most)
        pop(stack)


@kernel
def test(race, edition, story):
    """K1, K2, K7, L2, G4: a die with its modifier against skill; a natural 1 passes, a natural 6 fails."""
    stack = race.stack
    chariot, modifier, which = argument(stack, 0), argument(stack, 1), argument(stack, 2)
    if stage(stack) == 0:
        what = R_CUT
        if which == T_SUBMOVE:
            what = R_SUBMOVE
        elif which == T_DEFENCE:
            what = R_DEFENCE
        elif which == T_GRAB:
            what = R_GRAB
        go_to(stack, 1)
        push(stack, ROLL, chariot, 1, what, NOTHING, 0)
        return
    face, skill = race.die[0], race.points[chariot, SKILL]
    race.passed = 1 if face == 1 or (face != 6 and face + modifier <= skill) else 0
    tell(story, TESTED, chariot, which, face, modifier, skill, race.passed)
    pop(stack)


@kernel
def submove(race, edition, story):
    """One sub-move: pay for a sweep, move, pivot (D4, D7, K1)."""
    stack = race.stack
    chariot, way, mm, form = argument(stack, 0), argument(stack, 1), argument(stack, 2), argument(stack, 5)
    step = stage(stack)
    if step == 0:
        race.submoves += 1
        race.may_pivot = 1
        go_to(stack, 1)
        if way != STRAIGHT:
            tell(story, PAID, chariot, 1, P_SWEEP)
            push(stack, LOSE, chariot, STAMINA, 1, NOTHING)
    elif not drives(race, chariot):
        pop(stack)
    elif step == 1:
        if way != STRAIGHT and not is_still_possible(race, edition, chariot):
            if free_way(race, edition, chariot, way, distance_left(race, edition, chariot)) == 0:
                pop(stack)  # there is nothing to ask
            else:
                go_to(stack, 4)
                ask(race, ASK_SWEEP, chariot, way)
        else:
            go_to(stack, 2)
            race.last_direction = direction_of(race, chariot, way)
            if form == COLLIDING:
                left = distance_left(race, edition, chariot)
                push(stack, MOVE, chariot, race.last_direction, left, COUNTS, M_COLLIDE)
            elif form == RUNNING:
                push(stack, MOVE, chariot, race.last_direction, mm * MM, COUNTS | RUNS, M_RUN)
            else:
                how = M_AHEAD if way == STRAIGHT else M_SWEEP
                push(stack, MOVE, chariot, race.last_direction, mm * MM, COUNTS, how)
    elif step == 2:
        if form == RUNNING:
            if race.may_pivot:
                go_to(stack, 3)
                ask(race, ASK_PIVOT, chariot, NOTHING)
            else:
                pop(stack)
        else:
            turn_aside(race, edition, chariot, argument(stack, 3), argument(stack, 4), story)
            race.may_attack = 1
            pop(stack)
    elif step == 3:
        code = race.reply - DO_PIVOT
        turn_aside(race, edition, chariot, code // POINTS - 180, code % POINTS, story)
        pop(stack)
    elif race.reply == DO_FORGO:
        pop(stack)
    else:
        way, mm, degrees, point = submove_of(race.reply)
        keep(stack, 2, mm)
        keep(stack, 3, degrees)
        keep(stack, 4, point)
        keep(stack, 5, ORDINARY)
        go_to(stack, 1)


@kernel
def is_still_possible(race, edition, chariot):
    """D7: whether the sweep that was paid for is still what was announced."""
    stack = race.stack
    way, mm = argument(stack, 1), argument(stack, 2)
    if argument(stack, 5) == RUNNING:
        return can_run_through(race, edition, chariot, way, mm)
    return can_submove(race, edition, chariot, way, mm, argument(stack, 3), argument(stack, 4))


@kernel
def turn_aside(race, edition, chariot, degrees, point, story):
    """The pivot at the end of a sub-move."""
    if degrees == 0:
        return
    ahead, left = pivot_point(np.int64(race.half_long[chariot]), np.int64(race.half_wide[chariot]), point)
    x, y, heading = race.x[chariot], race.y[chariot], race.heading[chariot]
    x, y, heading = pivoted(x, y, heading, ahead, left, degrees * DEGREE)
    tell(story, PIVOTED, chariot, chariot, degrees * DEGREE, x, y, heading)
    set_pose(race, edition, chariot, x, y, heading, story)


@kernel
def skid(race, edition, story):
    """K3 to K6: brake or let go, die by die; then it slides on as it last moved, and the turn is over."""
    stack = race.stack
    chariot = argument(stack, 0)
    step = stage(stack)
    if step == 0:
        race.submoves += 1
        tell(story, SKIDS, chariot, race.last_direction)
        go_to(stack, 1)
    elif not drives(race, chariot):
        pop(stack)
    elif step == 1:
        if distance_left(race, edition, chariot) > 0:
            go_to(stack, 2)
            ask(race, ASK_SKID, chariot, NOTHING)
        else:
            race.ended = 1
            pop(stack)
    elif step == 2:
        race.chain = 0
        if race.reply == DO_GO:
            go_to(stack, 3)
            left = distance_left(race, edition, chariot)
            push(stack, MOVE, chariot, race.last_direction, left, COUNTS | RUNS, M_SKID)
        else:
            go_to(stack, 1)
            push(stack, ADJUST, chariot, A_BRAKE)
    else:
        race.ended = 1
        pop(stack)


@kernel
def begin_driving(race, chariot):
    """A chariot turn begins with nothing done."""
    race.moved = 0
    race.delta = 0
    race.submoves = 0
    race.last_direction = race.heading[chariot]
    race.spurred = 0
    race.whipped = 0
    race.attacks = 0
    race.may_attack = 0
    race.may_pivot = 0
    race.announced = 0
    race.ended = 0
    race.chain = 0
    race.stopped = 0
    for other in range(race.chariots):
        race.attacks_on[other] = 0
