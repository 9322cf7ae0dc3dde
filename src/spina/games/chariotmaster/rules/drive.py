"""A chariot under control: what it may do, and the loop of questions and answers of its turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    CHARIOT_ARGUMENT,
    COLLIDING,
    ORDINARY,
    RUNNING,
    SKID,
    SUBMOVE,
    TEST,
)
from spina.games.chariotmaster.rules.event_kinds import (
    T_SUBMOVE,
    TURNED_ROUND,
)
from spina.games.chariotmaster.rules.field import is_clear, pivot_free, pose_of, way_free
from spina.games.chariotmaster.rules.geometry import Pose, leftwards, pivot_point, pivoted, rightwards, translated
from spina.games.chariotmaster.rules.record import (
    ASK_ATTACK,
    ASK_DRIVE,
    ASK_SUBMOVE,
    CM,
    DEGREE,
    DO_ANNOUNCE,
    DO_BRAKE,
    DO_COLLIDE,
    DO_NO_ATTACK,
    DO_RUN,
    DO_SPUR,
    DO_STOP,
    DO_SUBMOVE,
    DO_UTURN,
    DO_WALK,
    DO_WHIP,
    HALF_CIRCLE,
    LONGEST,
    MM,
    NOTHING,
    POINTS,
    STAMINA,
    STRAIGHT,
    SWEEP_LEFT,
    WAYS,
    WIDEST,
)
from spina.kernel.compiler import kernel
from spina.kernel.effect_stack import argument, go_to, pop, push, stage
from spina.kernel.narration import tell

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

TRUCE = 1
"""E10: the last game turn without attacks."""

# --- what is possible -----------------------------------------------------------------------------------------------


@kernel
def direction_of(race: RaceRecord, chariot, way):
    """The direction of a translation: ahead, or sideways at right angles."""
    heading = race.heading[chariot]
    if way == STRAIGHT:
        return heading
    return leftwards(heading) if way == SWEEP_LEFT else rightwards(heading)


@kernel
def free_way(race: RaceRecord, edition: EditionRecord, chariot, way, most):
    """Units that it can go without touching anything; 0 if that is less than a sub-move needs (1 cm)."""
    if most < CM:
        return np.int64(0)
    direction = direction_of(race, chariot, way)
    rest, _ = way_free(race, edition, chariot, pose_of(race, chariot), direction, most, np.int64(0))
    return rest if rest >= CM else np.int64(0)


@kernel
def pivot_after(race: RaceRecord, edition: EditionRecord, chariot, way, units, point, degrees):
    """D9: tenths of a degree that it can turn towards this side about this point, after going `units`."""
    x, y = translated(race.x[chariot], race.y[chariot], direction_of(race, chariot, way), units)
    ahead, left = pivot_point(np.int64(race.half_long[chariot]), np.int64(race.half_wide[chariot]), point)
    pose = Pose(x, y, race.heading[chariot])
    return pivot_free(race, edition, chariot, pose, ahead, left, degrees * DEGREE, np.int64(0))


@kernel
def can_run_through(race: RaceRecord, edition: EditionRecord, chariot, way, mm):
    """P4, B8, B11, B13: over something low, and clear of everything at the end."""
    units = mm * MM
    if units < CM or units > distance_left(race, edition, chariot):
        return False
    low = bits_of_low(race, edition)
    if low == 0:
        return False
    start, direction = pose_of(race, chariot), direction_of(race, chariot, way)
    rest, hit_at = way_free(race, edition, chariot, start, direction, units, low)
    if hit_at != NOTHING or rest < units:
        return False
    rest, hit_at = way_free(race, edition, chariot, start, direction, units, np.int64(0))
    if hit_at == NOTHING:
        return False
    x, y = translated(start.x, start.y, direction, units)
    return is_clear(race, edition, chariot, Pose(x, y, start.heading), np.int64(0))


@kernel
def can_spur(race: RaceRecord):
    """D1: once in a chariot turn."""
    return race.spurred == 0


@kernel
def can_whip(race: RaceRecord, chariot):
    """D1, A11: once in a chariot turn, with a whip."""
    return race.whipped == 0 and race.whip[chariot] == 1


@kernel
def can_go_faster(race: RaceRecord, chariot):
    """D2, S11: whether spur or whip is still available."""
    return can_spur(race) or can_whip(race, chariot)


@kernel
def can_stop(race: RaceRecord, edition: EditionRecord, chariot):
    """D13: when the minimum is travelled."""
    return race.moved >= least_distance(race, edition, chariot)


@kernel
def can_collide(race: RaceRecord, edition: EditionRecord, chariot):
    """P2: no stamina, the minimum not reached, and no way straight ahead."""
    if race.points[chariot, STAMINA] > 0 or can_stop(race, edition, chariot):
        return False
    return free_way(race, edition, chariot, STRAIGHT, distance_left(race, edition, chariot)) == 0


@kernel
def nothing_is_free(race: RaceRecord, edition: EditionRecord, chariot):
    """D14: whether no sub-move is free, neither ahead nor sideways, nor through anything low."""
    left = distance_left(race, edition, chariot)
    for way in range(WAYS):
        if free_way(race, edition, chariot, way, left) > 0:
            return False
        if can_run_through(race, edition, chariot, way, left // MM):
            return False
    return True


@kernel
def can_turn_round(race: RaceRecord, edition: EditionRecord, chariot):
    """D8: whether a U-turn is possible at all."""
    if race.submoves or race.moved:
        return False
    return least_distance(race, edition, chariot) <= 0 and most_distance(race, edition, chariot) >= CM


@kernel
def free_turn(race: RaceRecord, edition: EditionRecord, chariot, point, degrees):
    """D9: tenths of a degree that it can turn where it stands, towards the sign of `degrees`."""
    ahead, left = pivot_point(np.int64(race.half_long[chariot]), np.int64(race.half_wide[chariot]), point)
    return pivot_free(race, edition, chariot, pose_of(race, chariot), ahead, left, degrees * DEGREE, np.int64(0))


@kernel
def can_pivot(race: RaceRecord, edition: EditionRecord, chariot, degrees, point):
    """D9: whether it can turn by `degrees` where it stands, swept."""
    return free_turn(race, edition, chariot, point, degrees) == abs(degrees) * DEGREE


# --- driving --------------------------------------------------------------------------------------------------------


LOOK_ABOUT, TAKE_ATTACK, TAKE_DRIVE, SEE_TEST, TAKE_SUBMOVE, GO_ON_SUBMOVE = range(6)
"""Stages of driving; the last two come after a passed test."""


@kernel
def drive(race: RaceRecord, edition: EditionRecord, story):
    """The loop of a chariot turn: attack, check for the end, ask, carry out."""
    stack = race.stack
    chariot, step = argument(stack, CHARIOT_ARGUMENT), stage(stack)
    if step == LOOK_ABOUT:
        look_about(race, edition, chariot)
    elif step == TAKE_ATTACK:
        race.may_attack = 0
        go_to(stack, LOOK_ABOUT)
        if race.reply != DO_NO_ATTACK:
            race.chain = 0  # S24
            announce_attack(race, chariot)
    elif step == TAKE_DRIVE:
        carry_out(race, edition, chariot, story)
    elif step == SEE_TEST:
        see_test(race, chariot)
    elif not drives(race, chariot):
        race.announced = 0
        pop(stack)
    elif step == TAKE_SUBMOVE:
        carry_out_announced(race, chariot)
    else:
        go_on_submove(race, edition, chariot)


@kernel
def look_about(race: RaceRecord, edition: EditionRecord, chariot):
    """A4, A13, E10: the attack question comes before any check for the end of the turn; then the open question (D2)."""
    stack = race.stack
    if not drives(race, chariot):
        pop(stack)
    elif race.may_attack and race.turns > TRUCE and can_attack(race, edition, chariot):
        go_to(stack, TAKE_ATTACK)
        ask(race, ASK_ATTACK, chariot, NOTHING)
    else:
        race.may_attack = 0
        go_to(stack, TAKE_DRIVE)
        if distance_left(race, edition, chariot) < CM and not can_go_faster(race, chariot):  # T4, D6
            race.ended = 1
            pop(stack)
        else:
            ask(race, ASK_DRIVE, chariot, NOTHING)


@kernel
def is_adjustment(reply):
    """Whether an answer is a brake, a spur or a whip."""
    return reply == DO_BRAKE or reply == DO_SPUR or reply == DO_WHIP


@kernel
def carry_out(race: RaceRecord, edition: EditionRecord, chariot, story):
    """An answer to the open question of a chariot turn."""
    stack, reply = race.stack, race.reply
    race.chain = 0  # S24
    go_to(stack, LOOK_ABOUT)
    if reply == DO_STOP:
        race.ended = 1
        pop(stack)
    elif is_adjustment(reply):
        push(stack, ADJUST, chariot, reply - DO_BRAKE)
    elif reply == DO_ANNOUNCE:
        go_to(stack, SEE_TEST)
        push(stack, TEST, chariot, race.submoves + edition.test[token_in_use(race, chariot)], T_SUBMOVE)  # K1, K2
    elif DO_UTURN <= reply < DO_WALK:
        turn_round(race, edition, chariot, reply - DO_UTURN, story)
        race.ended = 1
        pop(stack)
    else:
        push_submove(race, chariot, reply)


@kernel
def see_test(race: RaceRecord, chariot):
    """A passed test brings the sub-move, a failed one a skid."""
    stack = race.stack
    if race.passed:
        race.announced = 1
        go_to(stack, TAKE_SUBMOVE)
        ask(race, ASK_SUBMOVE, chariot, NOTHING)
    else:
        go_to(stack, LOOK_ABOUT)
        push(stack, SKID, chariot)


@kernel
def carry_out_announced(race: RaceRecord, chariot):
    """D1, D14: an answer after a passed test: nothing but the sub-move, as long as one is possible."""
    stack, reply = race.stack, race.reply
    race.chain = 0  # S24
    if is_adjustment(reply):
        go_to(stack, GO_ON_SUBMOVE)
        push(stack, ADJUST, chariot, reply - DO_BRAKE)
        return
    race.announced = 0
    if reply == DO_STOP:
        race.ended = 1
        pop(stack)
    else:
        go_to(stack, LOOK_ABOUT)
        push_submove(race, chariot, reply)


@kernel
def go_on_submove(race: RaceRecord, edition: EditionRecord, chariot):
    """S10: after a brake, spur or whip ask for the sub-move again; with less than 1 cm left the test is used up."""
    stack = race.stack
    if distance_left(race, edition, chariot) < CM:
        race.announced = 0
        go_to(stack, LOOK_ABOUT)
    else:
        go_to(stack, TAKE_SUBMOVE)
        ask(race, ASK_SUBMOVE, chariot, NOTHING)


@kernel
def push_submove(race: RaceRecord, chariot, reply):
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
    """The number of a sub-move; one without a pivot names the centre."""
    return DO_SUBMOVE + ((way * LONGEST + mm) * (2 * WIDEST + 1) + degrees + WIDEST) * POINTS + point


@kernel
def turn_of(code):
    """Degrees and point of a pivot's or U-turn's number, counted from the first of its kind."""
    return code // POINTS - HALF_CIRCLE, code % POINTS


@kernel
def turn_code(degrees, point):
    """The number of a pivot or U-turn, counted from the first of its kind."""
    return (degrees + HALF_CIRCLE) * POINTS + point


@kernel
def turn_round(race: RaceRecord, edition: EditionRecord, chariot, code, story):
    """D10, D12: a U-turn is one pivot, and the whole of the turn; it is no distance."""
    degrees, point = turn_of(code)
    ahead, left = pivot_point(np.int64(race.half_long[chariot]), np.int64(race.half_wide[chariot]), point)
    x, y, heading = race.x[chariot], race.y[chariot], race.heading[chariot]
    x, y, heading = pivoted(x, y, heading, ahead, left, degrees * DEGREE)
    tell(story, TURNED_ROUND, chariot, point, degrees, x, y, heading)
    set_pose(race, edition, chariot, x, y, heading, story)


@kernel
def announce_attack(race: RaceRecord, chariot):
    """The attack that an action stands for."""
    obj, part, which, side = attack_of(race.reply)
    push(race.stack, ATTACK, chariot, obj, part, which, side)


@kernel
def begin_driving(race: RaceRecord, chariot):
    """A chariot turn begins: clear what belongs to the turn before."""
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
