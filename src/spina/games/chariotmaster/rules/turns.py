"""Game turns and chariot turns: tokens, the mug, what happens before and after driving, and the end of the race."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from spina.games.chariotmaster.rules.contacts import touches_wall
from spina.games.chariotmaster.rules.crashes import BESIDE, make_driver, reach_towards, set_on_foot
from spina.games.chariotmaster.rules.dice import ask, face_rolled, half_rolled, roll_die
from spina.games.chariotmaster.rules.drive import begin_driving
from spina.games.chariotmaster.rules.effects import (
    CHARIOT_TURN,
    DRIVE,
    END_OF_TURN,
    FALL,
    LEFT_OF_HORSES,
    LOSE,
    PLACE,
    RIGHT_OF_HORSES,
    RUNAWAY,
    TEST,
    TURN_ON_FOOT,
    WALK,
    ChariotTurn,
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
from spina.games.chariotmaster.rules.geometry import backwards, point
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
    FACES,
    FAST,
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
from spina.kernel.compiler import kernel
from spina.kernel.effect_stack import argument, go_to, keep, pop, push, stage
from spina.kernel.narration import tell
from spina.kernel.random import below

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

IN_MUG, SHOWN, OPEN = range(3)
"""A token: secret in the mug; drawn; or in the mug but known to all, because there was no choice (T1)."""
ENOUGH = 3
"""M11: chariots over the line with which the race ends."""
TIRED_FROM = 4
"""Exhausted: from this face on a point of stamina is lost."""
WHEEL_BREAKS_FROM = 4
"""Damaged wheel: from this face on a point of structure is lost."""
FALLS_ON = FACES
"""L2: the natural face of a grab test with which the driver falls."""
FALLS_LEFT_FROM = 4
"""L3: from this face on he falls to the left."""

# --- game turns -----------------------------------------------------------------------------------------------------

CHOOSE, DRAW, END = range(3)
"""Stages of a game turn."""


@kernel
def game_turn(race: RaceRecord, edition: EditionRecord, story):
    """Choose tokens, draw them one by one, end the game turn (E8)."""
    stack = race.stack
    step = stage(stack)
    if step == CHOOSE:
        go_to(stack, DRAW)
        choose_tokens(race, story)
    elif step == DRAW:
        chariot = draw_token(race)
        if chariot == NOTHING:
            go_to(stack, END)
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
            go_to(stack, CHOOSE)


@kernel
def choose_tokens(race: RaceRecord, story):
    """T1: ask all seats that have a choice at the same time."""
    race.turns += 1
    race.active = NOTHING
    tell(story, GAME_TURN, NOTHING, race.turns)
    prepare_tokens(race)
    if race.asked:
        race.ask = ASK_TOKENS
        race.ask_chariot = NOTHING


@kernel
def has_choice(race: RaceRecord, chariot):
    """T1, T7: whether its seat chooses a token; a runaway goes on with the one it had."""
    return race.kind[chariot] != ABSENT and not is_out_of_control(race, chariot) and best_token(race, chariot) > SLOW


@kernel
def prepare_tokens(race: RaceRecord):
    """T1, T7, T10: fill in the tokens of chariots that have no choice; mark the seats of the others as asked."""
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
def draw_token(race: RaceRecord):
    """T2: one of the tokens that are still in the mug, each with the same chance; NOTHING when it is empty."""
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
def settle_finishers(race: RaceRecord, story):
    """G5, E4, E5, S13: a crossing counts only with a living driver; finished chariots leave, their wrecks stay."""
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
def strike_out(race: RaceRecord, chariot):
    """E5: its place in the order of crossing goes to those behind it."""
    place = race.home[chariot]
    race.home[chariot] = 0
    race.finishers -= 1
    for other in range(race.chariots):
        if race.home[other] > place:
            race.home[other] -= 1


@kernel
def is_over(race: RaceRecord):
    """M11, E1, E2: three are home, at most one still races, no driver is left, or the last game turn is over."""
    racing = 0
    for chariot in range(race.chariots):
        if is_racing(race, chariot):
            racing += 1
    if racing == 0 or race.finishers >= ENOUGH or race.turns >= race.limit:
        return True
    return racing <= 1 and race.chariots > 1


# --- ranking --------------------------------------------------------------------------------------------------------


@kernel
def is_before(race: RaceRecord, chariot, other):
    """E7: finished in the order of crossing, then those still racing by progress, then the eliminated by theirs."""
    if race.home[chariot] or race.home[other]:
        if race.home[chariot] and race.home[other]:
            return race.home[chariot] < race.home[other]
        return race.home[chariot] > 0
    if race.out[chariot] != race.out[other]:
        return race.out[other] == 1
    return race.progress[chariot] > race.progress[other]


@kernel
def chariot_place(race: RaceRecord, chariot):
    """Its place among all chariots; ties share one."""
    place = 1
    for other in range(race.chariots):
        if is_before(race, other, chariot):
            place += 1
    return place


@kernel
def tell_places(race: RaceRecord, story):
    """The result, chariot by chariot."""
    for chariot in range(race.chariots):
        tell(story, FINISHED, chariot, chariot_place(race, chariot))


# --- chariot turns --------------------------------------------------------------------------------------------------

(
    REVEAL, DRAG, HURT_BY_DRAG, EXHAUSTION, TIRE, WHEEL, BREAK_WHEEL, GO, ON_FEET, CLOSE, OVER,
) = range(11)  # fmt: skip
"""Stages of a chariot turn (T9)."""


@kernel
def turn_on_top(stack):
    """The arguments of the chariot turn under way, or of its end."""
    return ChariotTurn(argument(stack, 0), argument(stack, 1))


@kernel
def chariot_turn(race: RaceRecord, edition: EditionRecord, story):
    """T8, T9: the token, what it costs to begin, driving or running away, walking, the end of the turn."""
    it, step = turn_on_top(race.stack), stage(race.stack)
    if step == REVEAL:
        reveal(race, it.chariot, story)
    elif step == DRAG:
        drag(race, it.chariot)
    elif step == HURT_BY_DRAG:
        hurt_by_drag(race, it.chariot)
    elif step == EXHAUSTION:
        roll_for_exhaustion(race, it.chariot)
    elif step == TIRE:
        tire(race, it.chariot)
    elif step == WHEEL:
        roll_for_wheel(race, it.chariot)
    elif step == BREAK_WHEEL:
        break_wheel(race, it.chariot)
    elif step == GO:
        drive_or_run_away(race, edition, it.chariot)
    elif step == ON_FEET:
        go_on_foot(race, edition, it)
    elif step == CLOSE:
        go_to(race.stack, OVER)
        push(race.stack, END_OF_TURN, it.chariot, it.on_foot)
    else:
        end_chariot_turn(race, it.chariot, story)


@kernel
def reveal(race: RaceRecord, chariot, story):
    """T3, T7: the token is drawn and shown; a new chariot turn begins (S24)."""
    stack = race.stack
    race.active = chariot
    race.turned[chariot] += 1
    race.drawn[chariot] = SHOWN
    begin_driving(race, chariot)
    keep(stack, TURN_ON_FOOT, 1 if race.place[chariot] == ON_FOOT else 0)
    token = token_in_use(race, chariot)
    replaced = 1 if token != race.token[chariot] else 0
    race.locked[chariot] = race.token[chariot]
    tell(story, DRAWN, chariot, token, replaced, is_out_of_control(race, chariot))
    go_to(stack, DRAG)


@kernel
def drag(race: RaceRecord, chariot):
    """G3: a dragged driver rolls for the health that he loses."""
    stack = race.stack
    go_to(stack, EXHAUSTION)
    if race.place[chariot] == DRAGGED:
        go_to(stack, HURT_BY_DRAG)
        roll_die(stack, chariot, R_DRAGGED)


@kernel
def hurt_by_drag(race: RaceRecord, chariot):
    """G3: D3 points of health."""
    go_to(race.stack, EXHAUSTION)
    push(race.stack, LOSE, chariot, HEALTH, half_rolled(race), NOTHING)


@kernel
def roll_for_exhaustion(race: RaceRecord, chariot):
    """Z6: an exhausted team rolls when it uses the fastest token it may, unless that is the 0 token."""
    stack = race.stack
    go_to(stack, WHEEL)
    token = token_in_use(race, chariot)
    if race.exhausted[chariot] and token == best_token(race, chariot) and token > SLOW and race.horses[chariot] > 0:
        go_to(stack, TIRE)
        roll_die(stack, chariot, R_EXHAUSTED)


@kernel
def tire(race: RaceRecord, chariot):
    """Z6: the exhausted team may lose a point of stamina."""
    go_to(race.stack, WHEEL)
    if face_rolled(race) >= TIRED_FROM:
        push(race.stack, LOSE, chariot, STAMINA, 1, NOTHING)


@kernel
def roll_for_wheel(race: RaceRecord, chariot):
    """Z6: a chariot with a damaged wheel rolls when it uses the 10 token."""
    stack = race.stack
    go_to(stack, GO)
    if race.wheel[chariot] and race.body[chariot] and token_in_use(race, chariot) == FAST:
        go_to(stack, BREAK_WHEEL)
        roll_die(stack, chariot, R_WHEEL)


@kernel
def break_wheel(race: RaceRecord, chariot):
    """Z6: the damaged wheel may cost a point of structure."""
    go_to(race.stack, GO)
    if face_rolled(race) >= WHEEL_BREAKS_FROM:
        push(race.stack, LOSE, chariot, STRUCTURE, 1, NOTHING)


@kernel
def drive_or_run_away(race: RaceRecord, edition: EditionRecord, chariot):
    """O1 to O3, S6: under control its seat drives it; out of control it runs as far as its token goes."""
    stack = race.stack
    go_to(stack, ON_FEET)
    if race.kind[chariot] == ABSENT or race.ended or race.home[chariot]:
        return
    if is_out_of_control(race, chariot):
        push(stack, RUNAWAY, chariot, reach_of(race, edition, chariot, token_in_use(race, chariot)))
    else:
        push(stack, DRIVE, chariot)


@kernel
def go_on_foot(race: RaceRecord, edition: EditionRecord, it):
    """T8, S6: after the horses a driver who began the turn on foot walks as with the 0 token."""
    go_to(race.stack, CLOSE)
    if it.on_foot and race.place[it.chariot] == ON_FOOT:
        push(race.stack, WALK, it.chariot, edition.most[SLOW])


@kernel
def end_chariot_turn(race: RaceRecord, chariot, story):
    """The chariot turn is over."""
    tell(story, TURN_ENDS, chariot, race.moved)
    race.active = NOTHING
    pop(race.stack)


# --- the end of a chariot turn --------------------------------------------------------------------------------------

GRAB, GRABBING, FALLING, CLIMB, CLIMBING, CUT, CUTTING, CUT_OFF, EDGE = range(9)
"""Stages of the end of a chariot turn."""


@kernel
def end_of_turn(race: RaceRecord, edition: EditionRecord, story):
    """L1, G4, F3, S16: grabbing, climbing, cutting loose, leaving the track; then temporary states end."""
    it, step = turn_on_top(race.stack), stage(race.stack)
    if race.home[it.chariot] and step != EDGE:
        go_to(race.stack, EDGE)
    elif step == GRAB:
        grab(race, edition, it.chariot)
    elif step == GRABBING:
        after_grab(race, it.chariot, story)
    elif step == FALLING:
        fall_aside(race, it.chariot)
    elif step == CLIMB:
        offer_climb(race, it.chariot)
    elif step == CLIMBING:
        climb(race, it.chariot, story)
    elif step == CUT:
        offer_cut(race, it.chariot)
    elif step == CUTTING:
        cut(race, it.chariot)
    elif step == CUT_OFF:
        after_cut(race, it.chariot, story)
    else:
        if it.on_foot:
            leave_track(race, edition, it.chariot, story)
        recover(race, it.chariot, story)
        pop(race.stack)


@kernel
def grab(race: RaceRecord, edition: EditionRecord, chariot):
    """L1, L2: a conscious driver who climbed on to the haft in an earlier turn must make a grab test."""
    stack, place = race.stack, race.place[chariot]
    on_haft = place == HAFT_REINS or place == HAFT_CUT
    if on_haft and race.climbed[chariot] < race.turned[chariot] and not race.stunned[chariot]:
        go_to(stack, GRABBING)
        push(stack, TEST, chariot, edition.grab[token_in_use(race, chariot)], T_GRAB)
    else:
        go_to(stack, CLIMB)


@kernel
def offer_climb(race: RaceRecord, chariot):
    """L1, S16: ask a driver who has a reason whether he climbs on to the haft."""
    stack = race.stack
    go_to(stack, CUT)
    if may_climb(race, chariot):
        go_to(stack, CLIMBING)
        ask(race, ASK_CLIMB, chariot, NOTHING)


@kernel
def climb(race: RaceRecord, chariot, story):
    """L4, L5: the answer names what he climbs for."""
    go_to(race.stack, CUT)
    if race.reply == DO_CLIMB_REINS or race.reply == DO_CLIMB_CUT:
        race.place[chariot] = HAFT_REINS if race.reply == DO_CLIMB_REINS else HAFT_CUT
        race.climbed[chariot] = race.turned[chariot]
        tell(story, CLIMBED, chariot, race.reply - DO_CLIMB_REINS)


@kernel
def offer_cut(race: RaceRecord, chariot):
    """G4, Z12, S16: ask a conscious dragged driver with a knife whether he cuts himself loose."""
    stack = race.stack
    go_to(stack, EDGE)
    if race.place[chariot] == DRAGGED and race.knife[chariot] and not race.stunned[chariot]:
        go_to(stack, CUTTING)
        ask(race, ASK_CUT, chariot, NOTHING)


@kernel
def cut(race: RaceRecord, chariot):
    """G4: a driver who wants to cut himself loose makes a test."""
    go_to(race.stack, EDGE)
    if race.reply == DO_CUT:
        go_to(race.stack, CUT_OFF)
        push(race.stack, TEST, chariot, 0, T_CUT)


@kernel
def after_cut(race: RaceRecord, chariot, story):
    """G4: passed, he is loose; failed, he is dragged on."""
    go_to(race.stack, EDGE)
    if race.passed:
        cut_loose(race, chariot, story)


@kernel
def fall_aside(race: RaceRecord, chariot):
    """L3: he falls to the left or to the right of the horses, and is hurt."""
    go_to(race.stack, CLIMB)
    where = LEFT_OF_HORSES if face_rolled(race) >= FALLS_LEFT_FROM else RIGHT_OF_HORSES
    push(race.stack, FALL, chariot, where, 1)


@kernel
def may_climb(race: RaceRecord, chariot):
    """L1, L4: for lost reins or a dead horse, while there is a haft to climb on to."""
    if race.place[chariot] != ABOARD or race.stunned[chariot] or race.kind[chariot] != CHARIOT:
        return False
    return race.reins[chariot] == 0 or race.dead[chariot] > 0


@kernel
def after_grab(race: RaceRecord, chariot, story):
    """L2, L5: passed, he is back with the reins or the horse is cut free; on a natural 6 he falls; else he clings."""
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
    elif face_rolled(race) == FALLS_ON:
        go_to(stack, FALLING)
        roll_die(stack, chariot, R_FALL)
    else:
        tell(story, CLINGS, chariot)


@kernel
def cut_loose(race: RaceRecord, chariot, story):
    """G4: he stands just behind the team and walks from his next turn on."""
    heading = race.heading[chariot]
    half = np.int64(race.half_wide[chariot]) // 2
    behind = race.half_long[chariot] + reach_towards(half, heading) + BESIDE
    x, y = point(race.x[chariot], race.y[chariot], heading, -behind, 0)
    tell(story, CUT_LOOSE, chariot)
    make_driver(race, chariot, x, y)
    set_on_foot(race, chariot, story)
    push(race.stack, PLACE, chariot, backwards(heading))


@kernel
def leave_track(race: RaceRecord, edition: EditionRecord, chariot, story):
    """F3, F4, S25: a driver who began his turn on foot and touches the edge at its end is off, awake or not."""
    piece = DRIVER_OF + chariot
    if race.place[chariot] == ON_FOOT and race.kind[piece] != ABSENT and touches_wall(race, edition, piece):
        race.place[chariot] = OFF
        take_off(race, piece)
        tell(story, LEFT_TRACK, chariot)


@kernel
def recover(race: RaceRecord, chariot, story):
    """O2, Z9, Z13: states that last until the end of this chariot turn are over."""
    if 0 < race.confused[chariot] <= race.turned[chariot]:
        race.confused[chariot] = 0
        if not is_out_of_control(race, chariot):
            tell(story, CONTROL_BACK, chariot)
    if 0 < race.stunned[chariot] <= race.turned[chariot]:
        race.stunned[chariot] = 0
        if has_driver(race, chariot):
            tell(story, AWAKE, chariot)
