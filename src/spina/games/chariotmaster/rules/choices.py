"""What may be answered to each question, with the reason why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spina.games.chariotmaster.rules.attacks import attack_of, can_strike, may_shy
from spina.games.chariotmaster.rules.chariots import (
    best_token,
    distance_left,
    most_distance,
    token_in_use,
)
from spina.games.chariotmaster.rules.drive import (
    can_collide,
    can_pivot,
    can_run_through,
    can_spur,
    can_stop,
    can_turn_round,
    can_whip,
    free_way,
    nothing_is_free,
    pivot_after,
    submove_of,
    turn_of,
)
from spina.games.chariotmaster.rules.geometry import translated
from spina.games.chariotmaster.rules.record import (
    ACTIONS,
    ASK_ATTACK,
    ASK_CLIMB,
    ASK_CUT,
    ASK_DEFEND,
    ASK_DRIVE,
    ASK_MODIFY,
    ASK_NOTHING,
    ASK_PIVOT,
    ASK_SIDE,
    ASK_SKID,
    ASK_SUBMOVE,
    ASK_SWEEP,
    ASK_TOKENS,
    ASK_WALK,
    CENTRE,
    CM,
    DEGREE,
    DO_ANNOUNCE,
    DO_BEAR,
    DO_BRAKE,
    DO_CLIMB_CUT,
    DO_CLIMB_REINS,
    DO_COLLIDE,
    DO_CUT,
    DO_EVADE,
    DO_FORGO,
    DO_GO,
    DO_HANG_ON,
    DO_MODIFY,
    DO_NO_ATTACK,
    DO_PASS,
    DO_PIVOT,
    DO_RAM,
    DO_RUN,
    DO_SHY,
    DO_SIDE,
    DO_SPUR,
    DO_STAY,
    DO_STOP,
    DO_SUBMOVE,
    DO_TOKEN,
    DO_UTURN,
    DO_WALK,
    DO_WHIP,
    DRIVER_OF,
    FACES,
    LONGEST,
    MM,
    NOTHING,
    TOKENS,
)
from spina.games.chariotmaster.rules.runaways import can_walk, walk_of
from spina.games.chariotmaster.rules.track import offset, progress
from spina.games.chariotmaster.rules.turns import IN_MUG
from spina.kernel.compiler import kernel

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

# --- why not --------------------------------------------------------------------------------------------------------

(
    FINE, OTHER_QUESTION, NO_TOKEN, TOO_SHORT, TOO_LONG, TOO_SHARP, NOT_FREE, TURN_NOT_FREE, NO_SPUR, NO_WHIP,
    MINIMUM, NO_DISTANCE, NO_COLLISION, NO_RUN, NO_U_TURN, NO_STRIKE, NO_FRIGHT, NO_DIE, NO_REASON_TO_CLIMB,
    OTHER_SIDE, MUST_LEAVE, TEST_FIRST, MUST_MOVE, NO_TEST, NO_BRAKE, NO_STEP,
) = range(26)  # fmt: skip
"""Reasons why an action is illegal; `play.explanation` has the codes of their sentences."""


@kernel
def why_not(race: RaceRecord, edition: EditionRecord, seat, action):
    """0 if the seat may answer so, otherwise the number of the reason."""
    chariot, question = race.ask_chariot, race.ask
    if race.over or question == ASK_NOTHING or action < 0 or action >= ACTIONS or not race.asked >> seat & 1:
        return OTHER_QUESTION
    if question == ASK_TOKENS:
        return why_not_token(race, seat, action)
    if question == ASK_DRIVE or question == ASK_SUBMOVE:
        return why_not_drive(race, edition, chariot, question, action)
    if question == ASK_SWEEP:
        return why_not_sweep(race, edition, chariot, action)
    if question == ASK_PIVOT:
        return why_not_pivot(race, edition, chariot, action)
    if question == ASK_SKID:
        return FINE if action == DO_BRAKE or action == DO_GO else OTHER_QUESTION
    if question == ASK_ATTACK:
        return why_not_attack(race, edition, chariot, action)
    if question == ASK_WALK:
        return why_not_walk(race, edition, chariot, action)
    return why_not_small(race, question, chariot, action)


@kernel
def why_not_token(race: RaceRecord, seat, action):
    """T3, T5: a token that the next chariot of the seat may use."""
    if action >= DO_TOKEN + TOKENS:
        return OTHER_QUESTION
    return FINE if action - DO_TOKEN <= best_token(race, next_to_choose(race, seat)) else NO_TOKEN


@kernel
def why_not_sweep(race: RaceRecord, edition: EditionRecord, chariot, action):
    """D7: another sweep to the side that was paid for, or none."""
    if action == DO_FORGO:
        return FINE
    if action < DO_SUBMOVE:
        return OTHER_QUESTION
    way, mm, degrees, point = submove_of(action)
    return OTHER_SIDE if way != race.ask_about else why_not_submove(race, edition, chariot, way, mm, degrees, point)


@kernel
def why_not_pivot(race: RaceRecord, edition: EditionRecord, chariot, action):
    """B9, D9: the pivot after a run-through."""
    if not DO_PIVOT <= action < DO_UTURN:
        return OTHER_QUESTION
    degrees, point = turn_of(action - DO_PIVOT)
    if abs(degrees) * DEGREE > edition.pivot[token_in_use(race, chariot)]:
        return TOO_SHARP
    return FINE if can_pivot(race, edition, chariot, degrees, point) else TURN_NOT_FREE


@kernel
def why_not_attack(race: RaceRecord, edition: EditionRecord, chariot, action):
    """A1, A2: an attack that is possible from where the chariot stands, or none."""
    if action == DO_NO_ATTACK:
        return FINE
    if not DO_RAM <= action < DO_PIVOT:
        return OTHER_QUESTION
    obj, part, which, side = attack_of(action)
    return FINE if can_strike(race, edition, chariot, obj, part, which, side) else NO_STRIKE


@kernel
def why_not_small(race: RaceRecord, question, chariot, action):
    """The questions with a handful of answers."""
    if question == ASK_DEFEND:
        if action == DO_SHY:
            return FINE if may_shy(race, race.ask_about, chariot) else NO_FRIGHT
        return FINE if DO_BEAR <= action <= DO_EVADE else OTHER_QUESTION
    if question == ASK_SIDE:
        return FINE if DO_SIDE <= action < DO_SIDE + 2 else OTHER_QUESTION
    if question == ASK_MODIFY:
        if action == DO_PASS:
            return FINE
        die, upwards = (action - DO_MODIFY) // 2, (action - DO_MODIFY) % 2
        if not DO_MODIFY <= action < DO_RAM:
            return OTHER_QUESTION
        if die < race.first_die or die >= race.last_die:
            return NO_DIE
        return FINE if 1 <= race.die[die] + (1 if upwards else -1) <= FACES else NO_DIE
    if question == ASK_CLIMB:
        if action == DO_CLIMB_REINS:
            return NO_REASON_TO_CLIMB if race.reins[chariot] else FINE
        if action == DO_CLIMB_CUT:
            return FINE if race.dead[chariot] > 0 else NO_REASON_TO_CLIMB
        return FINE if action == DO_STAY else OTHER_QUESTION
    if question == ASK_CUT:
        return FINE if action == DO_HANG_ON or action == DO_CUT else OTHER_QUESTION
    return OTHER_QUESTION


@kernel
def why_not_drive(race: RaceRecord, edition: EditionRecord, chariot, question, action):
    """Before the first sub-move or between two (DRIVE), or after a passed test (SUBMOVE)."""
    if action <= DO_COLLIDE:
        return why_not_plain(race, edition, chariot, question, action)
    if DO_UTURN <= action < DO_WALK:
        degrees, point = turn_of(action - DO_UTURN)
        if question != ASK_DRIVE or degrees == 0 or not can_turn_round(race, edition, chariot):
            return NO_U_TURN
        return FINE if can_pivot(race, edition, chariot, degrees, point) else TURN_NOT_FREE
    if action < DO_RUN:
        return OTHER_QUESTION
    if needs_test(race, question):
        return TEST_FIRST
    if action < DO_SUBMOVE:
        return why_not_run(race, edition, chariot, action)
    way, mm, degrees, point = submove_of(action)
    return why_not_submove(race, edition, chariot, way, mm, degrees, point)


@kernel
def needs_test(race: RaceRecord, question):
    """Whether a sub-move must be announced and tested first: all but the first of a turn."""
    return race.submoves > 0 and question != ASK_SUBMOVE


@kernel
def why_not_plain(race: RaceRecord, edition: EditionRecord, chariot, question, action):
    """D1, D13, D14, P2, S3: brake, spur, whip, stop, announce, collide. A possible skid forbids nothing (P5)."""
    if action == DO_BRAKE:  # D13: nothing is left to brake when the maximum is 0
        return FINE if most_distance(race, edition, chariot) > 0 else NO_BRAKE
    if action == DO_SPUR:
        return FINE if can_spur(race) else NO_SPUR
    if action == DO_WHIP:
        return FINE if can_whip(race, chariot) else NO_WHIP
    if action == DO_STOP:
        if not can_stop(race, edition, chariot):
            return MINIMUM
        return FINE if question == ASK_DRIVE or nothing_is_free(race, edition, chariot) else MUST_MOVE
    if action == DO_ANNOUNCE:
        if not needs_test(race, question):
            return NO_TEST
        return FINE if distance_left(race, edition, chariot) >= CM else NO_DISTANCE
    if action == DO_COLLIDE:
        if needs_test(race, question):
            return TEST_FIRST
        return FINE if can_collide(race, edition, chariot) else NO_COLLISION
    return OTHER_QUESTION


@kernel
def why_not_run(race: RaceRecord, edition: EditionRecord, chariot, action):
    """B8, D3: a run-through within the distance left that comes clear."""
    way, mm = (action - DO_RUN) // LONGEST, (action - DO_RUN) % LONGEST
    if mm * MM < CM:
        return TOO_SHORT
    if mm * MM > distance_left(race, edition, chariot):
        return TOO_LONG
    return FINE if can_run_through(race, edition, chariot, way, mm) else NO_RUN


@kernel
def why_not_submove(race: RaceRecord, edition: EditionRecord, chariot, way, mm, degrees, point):
    """D3, D9, D11, M15, P1: within the distance left and the token's pivot, free all the way.

    A sub-move without a pivot names the centre.
    """
    units = mm * MM
    if units < CM:
        return TOO_SHORT
    if units > distance_left(race, edition, chariot):
        return TOO_LONG
    if abs(degrees) * DEGREE > edition.pivot[token_in_use(race, chariot)]:
        return TOO_SHARP
    if degrees == 0 and point != CENTRE:
        return OTHER_QUESTION
    if free_way(race, edition, chariot, way, units) < units:
        return NOT_FREE
    if degrees and pivot_after(race, edition, chariot, way, units, point, degrees) < abs(degrees) * DEGREE:
        return TURN_NOT_FREE
    return FINE


@kernel
def why_not_walk(race: RaceRecord, edition: EditionRecord, chariot, action):
    """F1, and F5 where the scenario wants drivers off the track."""
    if action == DO_STOP:
        return MUST_LEAVE if race.must_leave and can_leave_further(race, edition, chariot) else FINE
    if not DO_WALK <= action < DO_RUN:
        return OTHER_QUESTION
    degrees, mm = walk_of(action)
    if mm < 1:
        return NO_STEP
    if mm * MM > race.ask_about:
        return TOO_LONG
    if not can_walk(race, edition, chariot, degrees, mm, race.ask_about):
        return NOT_FREE
    if race.must_leave and not leads_outward(race, edition, chariot, degrees, mm):
        return MUST_LEAVE
    return FINE


@kernel
def leads_outward(race: RaceRecord, edition: EditionRecord, chariot, degrees, mm):
    """Whether a leg ends nearer to the edges of the track."""
    piece, t = DRIVER_OF + chariot, race.scenario
    before = abs(offset(edition, t, race.x[piece], race.y[piece], race.way[piece]))
    x, y = translated(race.x[piece], race.y[piece], degrees * DEGREE, mm * MM)
    way = progress(edition, t, x, y, race.way[piece])
    return abs(offset(edition, t, x, y, way)) > before


WALK_STEP = 15
"""Degrees between the directions that a menu offers to a driver on foot."""


@kernel
def can_leave_further(race: RaceRecord, edition: EditionRecord, chariot):
    """Whether any leg of a centimetre or less still leads outward."""
    mm = min(10, race.ask_about // MM)
    for degrees in range(0, 360, WALK_STEP):
        if can_walk(race, edition, chariot, degrees, mm, race.ask_about):
            if leads_outward(race, edition, chariot, degrees, mm):
                return True
    return False


@kernel
def next_to_choose(race: RaceRecord, seat):
    """The first of a seat's chariots whose token is still to be chosen; NOTHING if there is none."""
    for chariot in range(race.chariots):
        if race.seat[chariot] == seat and race.drawn[chariot] == IN_MUG and race.token[chariot] == NOTHING:
            return chariot
    return NOTHING
