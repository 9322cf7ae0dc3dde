"""The parts of a drive: brakes, spurs and whips, tests, sub-moves, skids."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.rules.chariots import (
    distance_left,
    drives,
    least_distance,
    most_distance,
)
from spina.games.chariotmaster.rules.choices import FINE, why_not_submove
from spina.games.chariotmaster.rules.collisions import set_pose
from spina.games.chariotmaster.rules.dice import ask, distance_rolled, face_rolled, passes, roll_die
from spina.games.chariotmaster.rules.drive import (
    can_run_through,
    direction_of,
    free_way,
    submove_of,
    turn_of,
)
from spina.games.chariotmaster.rules.effects import (
    ADJUST,
    CHARIOT_ARGUMENT,
    COLLIDING,
    COUNTS,
    MOVE,
    ORDINARY,
    RUNNING,
    RUNS,
    SUBMOVE_DEGREES,
    SUBMOVE_FORM,
    SUBMOVE_MM,
    SUBMOVE_POINT,
    Adjustment,
    Submove,
    Test,
)
from spina.games.chariotmaster.rules.event_kinds import (
    A_BRAKE,
    A_SPUR,
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
)
from spina.games.chariotmaster.rules.geometry import pivot_point, pivoted
from spina.games.chariotmaster.rules.losses import pay
from spina.games.chariotmaster.rules.record import (
    ASK_PIVOT,
    ASK_SKID,
    ASK_SWEEP,
    DEGREE,
    DO_FORGO,
    DO_GO,
    DO_PIVOT,
    MM,
    NOTHING,
    SKILL,
    STRAIGHT,
)
from spina.kernel.compiler import kernel
from spina.kernel.effect_stack import argument, go_to, keep, pop, push, stage
from spina.kernel.narration import tell

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

# --- brakes, spurs, whips -------------------------------------------------------------------------------------------

PAY, ROLL_DIE, CHANGE = range(3)
"""Stages of a brake, spur or whip."""


@kernel
def adjustment_on_top(stack):
    """The arguments of the brake, spur or whip under way."""
    return Adjustment(argument(stack, 0), argument(stack, 1))


@kernel
def adjust(race: RaceRecord, edition: EditionRecord, story):
    """D1, D5: brake, spur or whip: pay a point, then a die changes minimum and maximum."""
    stack = race.stack
    it, step = adjustment_on_top(stack), stage(stack)
    if step == PAY:
        go_to(stack, ROLL_DIE)
        pay_adjustment(race, it, story)
    elif not drives(race, it.chariot):
        pop(stack)
    elif step == ROLL_DIE:
        go_to(stack, CHANGE)
        roll_die(stack, it.chariot, R_BRAKE if it.how == A_BRAKE else (R_SPUR if it.how == A_SPUR else R_WHIP))
    else:
        change_distance(race, edition, it, story)
        pop(stack)


@kernel
def pay_adjustment(race: RaceRecord, it, story):
    """D1, D5: a point of stamina; spur and whip only once a turn."""
    if it.how == A_BRAKE:
        pay(race, it.chariot, 1, P_BRAKE, story)
    elif it.how == A_SPUR:
        race.spurred = 1
        pay(race, it.chariot, 1, P_SPUR, story)
    else:
        race.whipped = 1
        pay(race, it.chariot, 1, P_WHIP, story)


@kernel
def change_distance(race: RaceRecord, edition: EditionRecord, it, story):
    """D1, D6: D6 cm more, or less with a brake, for minimum and maximum."""
    units = distance_rolled(race)
    if it.how == A_BRAKE:
        units = -units
    race.delta += units
    least, most = least_distance(race, edition, it.chariot), most_distance(race, edition, it.chariot)
    tell(story, CHANGED, it.chariot, it.how, units, least, most)


# --- tests ----------------------------------------------------------------------------------------------------------

TRY, JUDGE = range(2)
"""Stages of a test."""


@kernel
def test_on_top(stack):
    """The arguments of the test under way."""
    return Test(argument(stack, 0), argument(stack, 1), argument(stack, 2))


@kernel
def test(race: RaceRecord, edition: EditionRecord, story):
    """K1, K2, K7, L2, G4, A6: a die with its modifier against skill."""
    stack = race.stack
    it = test_on_top(stack)
    if stage(stack) == TRY:
        go_to(stack, JUDGE)
        roll_die(stack, it.chariot, roll_for_test(it.which))
        return
    face, skill = face_rolled(race), race.points[it.chariot, SKILL]
    race.passed = 1 if passes(face, it.modifier, skill) else 0
    tell(story, TESTED, it.chariot, it.which, face, it.modifier, skill, race.passed)
    pop(stack)


@kernel
def roll_for_test(which):
    """What the die of a test is for (event_kinds.ROLLS)."""
    if which == T_SUBMOVE:
        return R_SUBMOVE
    if which == T_DEFENCE:
        return R_DEFENCE
    return R_GRAB if which == T_GRAB else R_CUT


# --- sub-moves ------------------------------------------------------------------------------------------------------

PAY_SWEEP, GO, PIVOT, TAKE_PIVOT, TAKE_SWEEP = range(5)
"""Stages of a sub-move."""


@kernel
def submove_on_top(stack):
    """The arguments of the sub-move under way."""
    return Submove(
        argument(stack, 0), argument(stack, 1), argument(stack, 2), argument(stack, 3), argument(stack, 4),
        argument(stack, 5),
    )  # fmt: skip


@kernel
def submove(race: RaceRecord, edition: EditionRecord, story):
    """One sub-move: pay for a sweep, move, pivot (D4, D7, K1)."""
    stack = race.stack
    it, step = submove_on_top(stack), stage(stack)
    if step == PAY_SWEEP:
        race.submoves += 1
        race.may_pivot = 1
        go_to(stack, GO)
        if it.way != STRAIGHT:
            pay(race, it.chariot, 1, P_SWEEP, story)
    elif not drives(race, it.chariot):
        pop(stack)  # C12, S12
    elif step == GO:
        if it.way != STRAIGHT and not is_still_possible(race, edition, it):
            ask_for_sweep(race, edition, it)
        else:
            go_to(stack, PIVOT)
            go(race, edition, it)
    elif step == PIVOT:
        end_submove(race, edition, it, story)
    elif step == TAKE_PIVOT:
        degrees, point = turn_of(race.reply - DO_PIVOT)
        turn_aside(race, edition, it.chariot, degrees, point, story)
        pop(stack)
    elif race.reply == DO_FORGO:
        pop(stack)  # S9
    else:
        take_sweep(race)


@kernel
def go(race: RaceRecord, edition: EditionRecord, it):
    """The translation: ahead or sideways, through something low (B13), or into what is ahead (P3)."""
    stack = race.stack
    direction = direction_of(race, it.chariot, it.way)
    race.last_direction = direction
    if it.form == COLLIDING:
        push(stack, MOVE, it.chariot, direction, distance_left(race, edition, it.chariot), COUNTS, M_COLLIDE)
    elif it.form == RUNNING:
        push(stack, MOVE, it.chariot, direction, it.mm * MM, COUNTS | RUNS, M_RUN)
    else:
        push(stack, MOVE, it.chariot, direction, it.mm * MM, COUNTS, M_AHEAD if it.way == STRAIGHT else M_SWEEP)


@kernel
def end_submove(race: RaceRecord, edition: EditionRecord, it, story):
    """A4, B9: the pivot, and then perhaps an attack; a run-through asks for its pivot and allows no attack."""
    stack = race.stack
    if it.form != RUNNING:
        turn_aside(race, edition, it.chariot, it.degrees, it.point, story)
        race.may_attack = 1
        pop(stack)
    elif race.may_pivot:
        go_to(stack, TAKE_PIVOT)
        ask(race, ASK_PIVOT, it.chariot, NOTHING)
    else:
        pop(stack)


@kernel
def ask_for_sweep(race: RaceRecord, edition: EditionRecord, it):
    """D7, S9: ask again for the sweep that was paid for; if none is free to that side it is dropped."""
    stack = race.stack
    if free_way(race, edition, it.chariot, it.way, distance_left(race, edition, it.chariot)) == 0:
        pop(stack)
    else:
        go_to(stack, TAKE_SWEEP)
        ask(race, ASK_SWEEP, it.chariot, it.way)


@kernel
def take_sweep(race: RaceRecord):
    """D7: the sweep that was chosen instead, to the same side."""
    stack = race.stack
    _, mm, degrees, point = submove_of(race.reply)
    keep(stack, SUBMOVE_MM, mm)
    keep(stack, SUBMOVE_DEGREES, degrees)
    keep(stack, SUBMOVE_POINT, point)
    keep(stack, SUBMOVE_FORM, ORDINARY)
    go_to(stack, GO)


@kernel
def is_still_possible(race: RaceRecord, edition: EditionRecord, it):
    """D7: whether the sweep that was paid for is still what was announced."""
    if it.form == RUNNING:
        return can_run_through(race, edition, it.chariot, it.way, it.mm)
    return why_not_submove(race, edition, it.chariot, it.way, it.mm, it.degrees, it.point) == FINE


@kernel
def turn_aside(race: RaceRecord, edition: EditionRecord, chariot, degrees, point, story):
    """D12: the pivot at the end of a sub-move; it is no distance."""
    if degrees == 0:
        return
    ahead, left = pivot_point(np.int64(race.half_long[chariot]), np.int64(race.half_wide[chariot]), point)
    x, y, heading = race.x[chariot], race.y[chariot], race.heading[chariot]
    x, y, heading = pivoted(x, y, heading, ahead, left, degrees * DEGREE)
    tell(story, PIVOTED, chariot, chariot, degrees * DEGREE, x, y, heading)
    set_pose(race, edition, chariot, x, y, heading, story)


# --- skids ----------------------------------------------------------------------------------------------------------

SLIP, BRAKE_OR_GO, TAKE_SKID, COME_TO_A_STOP = range(4)
"""Stages of a skid."""


@kernel
def skid(race: RaceRecord, edition: EditionRecord, story):
    """K3, K4, K5, K6: brake or let go, die by die; then it slides on as it last moved, and the turn is over."""
    stack = race.stack
    chariot, step = argument(stack, CHARIOT_ARGUMENT), stage(stack)
    if step == SLIP:
        race.submoves += 1
        tell(story, SKIDS, chariot, race.last_direction)
        go_to(stack, BRAKE_OR_GO)
    elif not drives(race, chariot):
        pop(stack)
    elif step == BRAKE_OR_GO and distance_left(race, edition, chariot) > 0:
        go_to(stack, TAKE_SKID)
        ask(race, ASK_SKID, chariot, NOTHING)
    elif step == TAKE_SKID:
        slide(race, edition, chariot)
    else:
        race.ended = 1
        pop(stack)


@kernel
def slide(race: RaceRecord, edition: EditionRecord, chariot):
    """K4, K5: the answer: another brake, or the slide over what the maximum leaves."""
    stack = race.stack
    race.chain = 0  # S24
    if race.reply == DO_GO:
        go_to(stack, COME_TO_A_STOP)
        left = distance_left(race, edition, chariot)
        push(stack, MOVE, chariot, race.last_direction, left, COUNTS | RUNS, M_SKID)
    else:
        go_to(stack, BRAKE_OR_GO)
        push(stack, ADJUST, chariot, A_BRAKE)
