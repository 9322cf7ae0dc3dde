"""Game turns and chariot turns: tokens, the mug, what happens before and after driving, and the end of the race."""

from __future__ import annotations

import numpy as np

from spina.games.chariotmaster.rules.chariots import (
    best_token,
    eliminate,
    has_driver,
    has_turn,
    is_out_of_control,
    is_racing,
    reach_of,
    take_off,
    token_in_use,
)
from spina.games.chariotmaster.rules.collisions import HALF_TURN
from spina.games.chariotmaster.rules.contacts import touches_wall
from spina.games.chariotmaster.rules.dice import ask
from spina.games.chariotmaster.rules.effects import (
    CHARIOT_TURN,
    DRIVE,
    END_OF_TURN,
    FALL,
    LOSE,
    PLACE,
    ROLL,
    RUNAWAY,
    TEST,
    WALK,
)
from spina.games.chariotmaster.rules.event_kinds import (
    AWAKE,
    CLIMBED,
    CLINGS,
    CONTROL_BACK,
    CUT_FREE,
    CUT_LOOSE,
    DRAWN,
    FINISHED,
    GAME_TURN,
    GRABBED,
    LEFT_TRACK,
    R_DRAGGED,
    R_EXHAUSTED,
    R_FALL,
    R_WHEEL,
    REMOVED,
    STRUCK_OUT,
    T_CUT,
    T_GRAB,
    TURN_ENDS,
)
from spina.games.chariotmaster.rules.geometry import point
from spina.games.chariotmaster.rules.losses import BESIDE, make_driver, reach_towards, set_on_foot
from spina.games.chariotmaster.rules.record import (
    ABOARD,
    ABSENT,
    ASK_CLIMB,
    ASK_CUT,
    ASK_TOKENS,
    CHARIOT,
    DEAD,
    DO_CLIMB_CUT,
    DO_CLIMB_REINS,
    DO_CUT,
    DRAGGED,
    DRIVER_OF,
    FAST,
    FULL,
    HAFT_CUT,
    HAFT_REINS,
    HEALTH,
    NOTHING,
    OFF,
    ON_FOOT,
    SLOW,
    STAMINA,
    STRUCTURE,
)
from spina.games.chariotmaster.rules.submoves import begin_driving
from spina.kernel.compiler import kernel
from spina.kernel.effect_stack import argument, go_to, keep, pop, push, stage
from spina.kernel.narration import tell
from spina.kernel.random import below

IN_MUG, SHOWN, OPEN = range(3)
"""A token: secret in the mug; drawn; or in the mug but known to all, because there was no choice (T1)."""
ENOUGH = 3
"""When so many are home the race ends (M11)."""

# --- game turns -----------------------------------------------------------------------------------------------------


@kernel
def game_turn(race, edition, story):
    """Tokens into the mug, one by one out of it, and then what is left to settle."""
    stack = race.stack
    step = stage(stack)
    if step == 0:
        race.turns += 1
        race.active = NOTHING
        tell(story, GAME_TURN, NOTHING, race.turns)
        prepare_tokens(race)
        go_to(stack, 1)
        if race.asked:
            race.ask = ASK_TOKENS
            race.ask_chariot = NOTHING
    elif step == 1:
        chariot = draw_token(race)
        if chariot == NOTHING:
            go_to(stack, 2)
        else:
            push(stack, CHARIOT_TURN, chariot)
    else:
        race.active = NOTHING
        settle_finishers(race, story)
        if is_over(race):
            race.over = 1
            pop(stack)
            tell_places(race, story)
        else:
            go_to(stack, 0)


@kernel
def has_choice(race, chariot):
    """T1, T7: whether its seat chooses a token; a runaway goes on with the one it had."""
    return race.kind[chariot] != ABSENT and not is_out_of_control(race, chariot) and best_token(race, chariot) > SLOW


@kernel
def prepare_tokens(race):
    """Whoever has no choice has its token in the mug already; all others are asked at the same time."""
    race.asked = 0
    for chariot in range(race.chariots):
        race.token[chariot] = NOTHING
        race.drawn[chariot] = IN_MUG
        if not has_turn(race, chariot):
            race.drawn[chariot] = SHOWN
        elif has_choice(race, chariot):
            race.asked |= 1 << race.seat[chariot]
        else:
            race.drawn[chariot] = OPEN
            race.token[chariot] = SLOW
            if race.kind[chariot] != ABSENT and is_out_of_control(race, chariot):
                race.token[chariot] = min(race.locked[chariot], best_token(race, chariot))


@kernel
def draw_token(race):
    """T2: one of the tokens that are still in the mug, each as likely; NOTHING when it is empty."""
    count = 0
    for chariot in range(race.chariots):
        if race.drawn[chariot] != SHOWN and has_turn(race, chariot):
            count += 1
    if count == 0:
        return NOTHING
    left = below(race.dice_to_come, count)
    for chariot in range(race.chariots):
        if race.drawn[chariot] != SHOWN and has_turn(race, chariot):
            if left == 0:
                return chariot
            left -= 1
    return NOTHING


@kernel
def settle_finishers(race, story):
    """G5, E4, E5: a crossing counts only with a driver who is still alive; finished chariots leave the track."""
    for chariot in range(race.chariots):
        if not race.home[chariot]:
            continue
        if race.place[chariot] == DEAD and not race.out[chariot]:
            tell(story, STRUCK_OUT, chariot)
            strike_out(race, chariot)
            eliminate(race, chariot, story)
        elif race.kind[chariot] != ABSENT or race.kind[DRIVER_OF + chariot] != ABSENT:
            tell(story, REMOVED, chariot)
            take_off(race, chariot)
            take_off(race, DRIVER_OF + chariot)


@kernel
def strike_out(race, chariot):
    """Its place in the order of crossing goes to those behind it."""
    place = race.home[chariot]
    race.home[chariot] = 0
    race.finishers -= 1
    for other in range(race.chariots):
        if race.home[other] > place:
            race.home[other] -= 1


@kernel
def is_over(race):
    """M11, E1, E2: three are home, at most one still races, nobody drives, or the last game turn is over."""
    racing = 0
    for chariot in range(race.chariots):
        if is_racing(race, chariot):
            racing += 1
    if racing == 0 or race.finishers >= ENOUGH or race.turns >= race.limit:
        return True
    return racing <= 1 and race.chariots > 1


# --- ranking --------------------------------------------------------------------------------------------------------


@kernel
def is_before(race, chariot, other):
    """E7: finished in the order of crossing, then those still racing by progress, then the eliminated by theirs."""
    if race.home[chariot] or race.home[other]:
        if race.home[chariot] and race.home[other]:
            return race.home[chariot] < race.home[other]
        return race.home[chariot] > 0
    if race.out[chariot] != race.out[other]:
        return race.out[other] == 1
    return race.progress[chariot] > race.progress[other]


@kernel
def chariot_place(race, chariot):
    """Its place among all chariots; ties share one."""
    place = 1
    for other in range(race.chariots):
        if is_before(race, other, chariot):
            place += 1
    return place


@kernel
def tell_places(race, story):
    """The result, chariot by chariot."""
    for chariot in range(race.chariots):
        tell(story, FINISHED, chariot, chariot_place(race, chariot))


# --- chariot turns --------------------------------------------------------------------------------------------------

REVEAL, DRAG, HURT_BY_DRAG, TIRED, TIRED_ROLL, WHEELS, WHEEL_ROLL, GO, ON_FEET, CLOSE = range(10)
"""Stages of a chariot turn."""


@kernel
def chariot_turn(race, edition, story):
    """T8, T9: the token, what it costs to begin, driving or running away, walking, the end of the turn."""
    stack = race.stack
    chariot = argument(stack, 0)
    step = stage(stack)
    if step == REVEAL:
        race.active = chariot
        race.turned[chariot] += 1
        race.drawn[chariot] = SHOWN
        begin_driving(race, chariot)
        keep(stack, 1, 1 if race.place[chariot] == ON_FOOT else 0)
        token = token_in_use(race, chariot)
        replaced = 1 if token != race.token[chariot] else 0
        race.locked[chariot] = race.token[chariot]
        tell(story, DRAWN, chariot, token, replaced, is_out_of_control(race, chariot))
        go_to(stack, DRAG)
    elif step == DRAG:
        go_to(stack, TIRED)
        if race.place[chariot] == DRAGGED:
            go_to(stack, HURT_BY_DRAG)
            push(stack, ROLL, chariot, 1, R_DRAGGED, NOTHING, 0)
    elif step == HURT_BY_DRAG:
        go_to(stack, TIRED)
        push(stack, LOSE, chariot, HEALTH, (race.die[0] + 1) // 2, NOTHING)
    elif step == TIRED:
        go_to(stack, WHEELS)
        token = token_in_use(race, chariot)
        if race.exhausted[chariot] and token == best_token(race, chariot) and token > SLOW and race.horses[chariot] > 0:
            go_to(stack, TIRED_ROLL)
            push(stack, ROLL, chariot, 1, R_EXHAUSTED, NOTHING, 0)
    elif step == TIRED_ROLL:
        go_to(stack, WHEELS)
        if race.die[0] >= 4:
            push(stack, LOSE, chariot, STAMINA, 1, NOTHING)
    elif step == WHEELS:
        go_to(stack, GO)
        if race.wheel[chariot] and race.body[chariot] and token_in_use(race, chariot) == FAST:
            go_to(stack, WHEEL_ROLL)
            push(stack, ROLL, chariot, 1, R_WHEEL, NOTHING, 0)
    elif step == WHEEL_ROLL:
        go_to(stack, GO)
        if race.die[0] >= 4:
            push(stack, LOSE, chariot, STRUCTURE, 1, NOTHING)
    elif step == GO:
        go_to(stack, ON_FEET)
        if race.kind[chariot] != ABSENT and not race.ended and not race.home[chariot]:
            if is_out_of_control(race, chariot):
                distance = reach_of(race, edition, chariot, token_in_use(race, chariot))
                push(stack, RUNAWAY, chariot, distance)
            else:
                push(stack, DRIVE, chariot)
    elif step == ON_FEET:
        go_to(stack, CLOSE)
        if argument(stack, 1) and race.place[chariot] == ON_FOOT:
            push(stack, WALK, chariot, edition.most[SLOW])
    elif step == CLOSE:
        go_to(stack, CLOSE + 1)
        push(stack, END_OF_TURN, chariot, argument(stack, 1))
    else:
        tell(story, TURN_ENDS, chariot, race.moved)
        race.active = NOTHING
        pop(stack)


AFTER_GRAB, AFTER_FALL, CLIMB, CLIMBS, CUT, CUTS, AFTER_CUT, EDGE = range(1, 9)
"""Stages of the end of a chariot turn."""


@kernel
def end_of_turn(race, edition, story):
    """Grabbing, climbing, cutting loose, leaving the track; and what was only until now is over."""
    stack = race.stack
    chariot = argument(stack, 0)
    step = stage(stack)
    place = race.place[chariot]
    if race.home[chariot] and step != EDGE:
        go_to(stack, EDGE)
    elif step == 0:
        on_haft = place == HAFT_REINS or place == HAFT_CUT
        if on_haft and race.climbed[chariot] < race.turned[chariot] and not race.stunned[chariot]:
            go_to(stack, AFTER_GRAB)
            push(stack, TEST, chariot, edition.grab[token_in_use(race, chariot)], T_GRAB)
        else:
            go_to(stack, CLIMB)
    elif step == AFTER_GRAB:
        after_grab(race, chariot, story)
    elif step == AFTER_FALL:
        go_to(stack, CLIMB)
        push(stack, FALL, chariot, 1 if race.die[0] >= 4 else 2, 1)
    elif step == CLIMB:
        go_to(stack, CUT)
        if may_climb(race, chariot):
            go_to(stack, CLIMBS)
            ask(race, ASK_CLIMB, chariot, NOTHING)
    elif step == CLIMBS:
        go_to(stack, CUT)
        if race.reply == DO_CLIMB_REINS or race.reply == DO_CLIMB_CUT:
            race.place[chariot] = HAFT_REINS if race.reply == DO_CLIMB_REINS else HAFT_CUT
            race.climbed[chariot] = race.turned[chariot]
            tell(story, CLIMBED, chariot, race.reply - DO_CLIMB_REINS)
    elif step == CUT:
        go_to(stack, EDGE)
        if place == DRAGGED and race.knife[chariot] and not race.stunned[chariot]:
            go_to(stack, CUTS)
            ask(race, ASK_CUT, chariot, NOTHING)
    elif step == CUTS:
        go_to(stack, EDGE)
        if race.reply == DO_CUT:
            go_to(stack, AFTER_CUT)
            push(stack, TEST, chariot, 0, T_CUT)
    elif step == AFTER_CUT:
        go_to(stack, EDGE)
        if race.passed:
            cut_loose(race, chariot, story)
    else:
        if argument(stack, 1):
            leave_track(race, edition, chariot, story)
        recover(race, chariot, story)
        pop(stack)


@kernel
def may_climb(race, chariot):
    """L1, L4: for lost reins or a dead horse, while there is a haft to climb on."""
    if race.place[chariot] != ABOARD or race.stunned[chariot] or race.kind[chariot] != CHARIOT:
        return False
    return race.reins[chariot] == 0 or race.dead[chariot] > 0


@kernel
def after_grab(race, chariot, story):
    """L2, L5: passed, he is back with the reins or the horse is cut free; on a six he falls; else he clings."""
    stack = race.stack
    go_to(stack, CLIMB)
    if race.passed:
        if race.place[chariot] == HAFT_REINS:
            race.reins[chariot] = 1
            tell(story, GRABBED, chariot)
        else:
            race.dead[chariot] = 0
            tell(story, CUT_FREE, chariot)
        race.place[chariot] = ABOARD
    elif race.die[0] == 6:
        go_to(stack, AFTER_FALL)
        push(stack, ROLL, chariot, 1, R_FALL, NOTHING, 0)
    else:
        tell(story, CLINGS, chariot)


@kernel
def cut_loose(race, chariot, story):
    """G4: just behind the team, from the next turn on his own."""
    heading = race.heading[chariot]
    half = np.int64(race.half_wide[chariot]) // 2
    behind = race.half_long[chariot] + reach_towards(half, heading) + BESIDE
    x, y = point(race.x[chariot], race.y[chariot], heading, -behind, 0)
    tell(story, CUT_LOOSE, chariot)
    make_driver(race, chariot, x, y)
    set_on_foot(race, chariot, story)
    push(race.stack, PLACE, chariot, (heading + HALF_TURN) % FULL)


@kernel
def leave_track(race, edition, chariot, story):
    """F3, F4: a driver who began his turn on foot and touches the edge at its end is off, awake or not."""
    piece = DRIVER_OF + chariot
    if race.place[chariot] == ON_FOOT and race.kind[piece] != ABSENT and touches_wall(race, edition, piece):
        race.place[chariot] = OFF
        take_off(race, piece)
        tell(story, LEFT_TRACK, chariot)


@kernel
def recover(race, chariot, story):
    """O2, Z9: states that last until the end of this turn of his own."""
    if 0 < race.confused[chariot] <= race.turned[chariot]:
        race.confused[chariot] = 0
        if not is_out_of_control(race, chariot):
            tell(story, CONTROL_BACK, chariot)
    if 0 < race.stunned[chariot] <= race.turned[chariot]:
        race.stunned[chariot] = 0
        if has_driver(race, chariot):
            tell(story, AWAKE, chariot)
