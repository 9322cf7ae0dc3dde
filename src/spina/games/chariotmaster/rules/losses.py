"""Lost points and what comes of them: payments and the out-of-points tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spina.games.chariotmaster.rules.chariots import (
    end_turn_of,
    has_driver,
    is_on_chariot,
)
from spina.games.chariotmaster.rules.crashes import driver_dies
from spina.games.chariotmaster.rules.dice import distance_rolled, face_rolled, half_rolled, roll_die
from spina.games.chariotmaster.rules.effects import (
    BEHIND,
    CRASH,
    FALL,
    HORSE_GONE,
    LOSE,
    LOSS_POINTS,
    MOVE,
    OUT_OF,
    RUNS,
    Loss,
    OutOfPoints,
)
from spina.games.chariotmaster.rules.event_kinds import (
    IS_EXHAUSTED,
    LOST,
    LOST_CONTROL,
    LOST_KNIFE,
    LOST_REINS,
    LOST_TOKEN,
    M_BACK,
    M_SIDEWAYS,
    PAID,
    R_BACKWARDS,
    R_OUT_OF,
    R_SIDEWAYS,
    STUNNED_NOW,
    WHEEL_LOOSE,
)
from spina.games.chariotmaster.rules.event_kinds import OUT_OF as TABLE_READ
from spina.games.chariotmaster.rules.geometry import (
    backwards,
    leftwards,
    rightwards,
)
from spina.games.chariotmaster.rules.record import (
    BACK_D3,
    BACK_D6,
    CM,
    CONFUSED,
    CRASHES,
    DIES,
    DRAGGED,
    EXHAUSTED,
    FALLS,
    GIVE_UP,
    HALVE,
    HEALTH,
    HORSE_DIES,
    KNIFE,
    LEFT_D6,
    LOSE_SKILL,
    LOSE_STAMINA,
    NOTHING,
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
    RIGHT_D6,
    ROWS,
    SKILL,
    STAMINA,
    STRUCTURE,
    STUNNED,
    WHEEL,
)
from spina.kernel.compiler import kernel
from spina.kernel.effect_stack import argument, become, go_to, keep, pop, push, stage
from spina.kernel.narration import tell

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

# --- losing points --------------------------------------------------------------------------------------------------


@kernel
def can_lose(race: RaceRecord, chariot, kind):
    """Z14: whether there is a team, a body or a driver left to lose such points."""
    if kind == STAMINA:
        return race.horses[chariot] > 0
    if kind == STRUCTURE:
        return race.body[chariot] == 1
    return has_driver(race, chariot)


@kernel
def pay(race: RaceRecord, chariot, points, what, story):
    """D5, Z2: points of stamina are paid first; a payment is a loss like any other."""
    tell(story, PAID, chariot, points, what)
    push(race.stack, LOSE, chariot, STAMINA, points, NOTHING)


@kernel
def loss_on_top(stack):
    """The arguments of the loss under way."""
    return Loss(argument(stack, 0), argument(stack, 1), argument(stack, 2), argument(stack, 3))


@kernel
def lose(race: RaceRecord, edition: EditionRecord, story):
    """Z1: point by point; each roll on a table is over before the next point is lost."""
    stack = race.stack
    it = loss_on_top(stack)
    left = it.points
    while left > 0 and can_lose(race, it.chariot, it.kind):
        left -= 1
        if race.points[it.chariot, it.kind] == 0:
            if left == 0:
                become(stack, OUT_OF, it.chariot, it.kind, it.away)
            else:
                keep(stack, LOSS_POINTS, left)
                push(stack, OUT_OF, it.chariot, it.kind, it.away)
            return
        race.points[it.chariot, it.kind] -= 1
        tell(story, LOST, it.chariot, it.kind, race.points[it.chariot, it.kind])
    pop(stack)


@kernel
def table_for(race: RaceRecord, chariot, kind):
    """Z10: the table that a loss is rolled on: for a driver by where he is."""
    aboard, dragged = is_on_chariot(race, chariot), race.place[chariot] == DRAGGED
    if kind == STAMINA:
        return OUT_STAMINA
    if kind == STRUCTURE:
        return OUT_STRUCTURE
    if kind == HEALTH:
        if aboard:
            return OUT_HEALTH_ABOARD
        return OUT_HEALTH_DRAGGED if dragged else OUT_HEALTH_ON_FOOT
    if aboard:
        return OUT_SKILL_ABOARD
    return OUT_SKILL_DRAGGED if dragged else OUT_SKILL_ON_FOOT


@kernel
def counter_of(table):
    """Z3: the three tables of health share one modifier."""
    if table == OUT_HEALTH_DRAGGED or table == OUT_HEALTH_ON_FOOT:
        return OUT_HEALTH_ABOARD
    return table


ROLL_ON_TABLE, READ_ROW, BACK_BY_D3, BACK_BY_D6, LEFT_BY_D6, RIGHT_BY_D6 = range(6)
"""Stages of a roll on an out-of-points table; the last four wait for the die of a forced move."""


@kernel
def out_of_points_on_top(stack):
    """The arguments of the table roll under way."""
    return OutOfPoints(argument(stack, 0), argument(stack, 1), argument(stack, 2))


@kernel
def out_of_points(race: RaceRecord, edition: EditionRecord, story):
    """One roll on an out-of-points table, with everything that the row brings."""
    stack = race.stack
    it, step = out_of_points_on_top(stack), stage(stack)
    if not can_lose(race, it.chariot, it.kind):
        pop(stack)
    elif step == ROLL_ON_TABLE:
        go_to(stack, READ_ROW)
        roll_die(stack, it.chariot, R_OUT_OF)
    elif step == READ_ROW:
        effects = read_row(race, edition, it, story)
        suffer(race, it.chariot, effects, story)
        follow_up(race, it, effects, story)
    else:
        push_about(race, it.chariot, step)


@kernel
def read_row(race: RaceRecord, edition: EditionRecord, it, story):
    """Z3, Z4, Z5, S1: what the row of die and modifier brings; its own +1 or halving counts at once, as printed."""
    chariot, face = it.chariot, face_rolled(race)
    table = table_for(race, chariot, it.kind)
    counter = counter_of(table)
    result = face + race.worn[chariot, counter]
    effects = edition.effects[table, min(result, ROWS) - 1]
    if effects & PLUS_ONE:
        race.worn[chariot, counter] += 1
    if effects & HALVE:
        race.worn[chariot, counter] //= 2
    tell(story, TABLE_READ, chariot, table, face, result, race.worn[chariot, counter])
    return effects


@kernel
def suffer(race: RaceRecord, chariot, effects, story):
    """What a row does at once (T6, Z6, Z8, Z12, Z13)."""
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
def let_reins_go(race: RaceRecord, chariot, story):
    """L1, Z8: out of control until the driver has them again."""
    if race.reins[chariot]:
        race.reins[chariot] = 0
        tell(story, LOST_REINS, chariot)
        end_turn_of(race, chariot)


@kernel
def confuse(race: RaceRecord, chariot, story):
    """O1, O2: out of control until the end of its next chariot turn; its own turn, if it has it, ends."""
    race.confused[chariot] = race.turned[chariot] + 1
    tell(story, LOST_CONTROL, chariot)
    end_turn_of(race, chariot)


@kernel
def follow_up(race: RaceRecord, it, effects, story):
    """What a row does through further effects: at most one of them."""
    stack = race.stack
    if effects & (BACK_D3 | BACK_D6 | LEFT_D6 | RIGHT_D6):
        roll_forced_move(stack, it.chariot, effects)
    elif effects & LOSE_STAMINA:
        become(stack, LOSE, it.chariot, STAMINA, 1, NOTHING)
    elif effects & LOSE_SKILL:
        become(stack, LOSE, it.chariot, SKILL, 1, NOTHING)
    elif effects & HORSE_DIES:
        become(stack, HORSE_GONE, it.chariot)
    elif effects & CRASHES:
        become(stack, CRASH, it.chariot, it.away)
    elif effects & FALLS:
        become(stack, FALL, it.chariot, BEHIND, 0)
    else:
        pop(stack)
        if effects & DIES:
            driver_dies(race, it.chariot, story)


@kernel
def roll_forced_move(stack, chariot, effects):
    """Z7: the die for a forced move."""
    if effects & BACK_D3:
        go_to(stack, BACK_BY_D3)
    elif effects & BACK_D6:
        go_to(stack, BACK_BY_D6)
    elif effects & LEFT_D6:
        go_to(stack, LEFT_BY_D6)
    else:
        go_to(stack, RIGHT_BY_D6)
    roll_die(stack, chariot, R_SIDEWAYS if effects & (LEFT_D6 | RIGHT_D6) else R_BACKWARDS)


@kernel
def push_about(race: RaceRecord, chariot, step):
    """Z7: the forced move of a row, by the die just rolled. It costs nothing and may collide."""
    stack, heading = race.stack, race.heading[chariot]
    if step == BACK_BY_D3:
        become(stack, MOVE, chariot, backwards(heading), half_rolled(race) * CM, RUNS, M_BACK)
    elif step == BACK_BY_D6:
        become(stack, MOVE, chariot, backwards(heading), distance_rolled(race), RUNS, M_BACK)
    elif step == LEFT_BY_D6:
        become(stack, MOVE, chariot, leftwards(heading), distance_rolled(race), RUNS, M_SIDEWAYS)
    else:
        become(stack, MOVE, chariot, rightwards(heading), distance_rolled(race), RUNS, M_SIDEWAYS)
