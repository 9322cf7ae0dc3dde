"""What may be answered to each question: why not, a sensible menu, and an answer at random."""

from __future__ import annotations

import numpy as np

from spina.games.chariotmaster.rules.attacks import attack_of, can_strike, list_attacks, may_shy
from spina.games.chariotmaster.rules.chariots import (
    best_token,
    bits_of_low,
    distance_left,
    least_distance,
    most_distance,
    token_in_use,
)
from spina.games.chariotmaster.rules.field import pivot_free, way_free
from spina.games.chariotmaster.rules.geometry import pivot_point, translated
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
    LONGEST,
    LONGEST_MENU,
    MM,
    NOTHING,
    POINTS,
    STRAIGHT,
    TOKENS,
)
from spina.games.chariotmaster.rules.runaways import can_walk
from spina.games.chariotmaster.rules.submoves import (
    can_collide,
    can_pivot,
    can_run_through,
    can_spur,
    can_stop,
    can_turn_round,
    can_whip,
    free_millimetres,
    free_way,
    nothing_is_free,
    pivot_after,
    submove_code,
    submove_of,
)
from spina.games.chariotmaster.rules.track import offset, progress
from spina.games.chariotmaster.rules.turns import IN_MUG
from spina.kernel.compiler import kernel
from spina.kernel.random import below

# --- why not --------------------------------------------------------------------------------------------------------

(
    FINE, OTHER_QUESTION, NO_TOKEN, TOO_SHORT, TOO_LONG, TOO_SHARP, NOT_FREE, TURN_NOT_FREE, NO_SPUR, NO_WHIP,
    MINIMUM, NO_DISTANCE, NO_COLLISION, NO_RUN, NO_U_TURN, NO_STRIKE, NO_FRIGHT, NO_DIE, NO_REASON_TO_CLIMB,
    OTHER_SIDE, MUST_LEAVE, TEST_FIRST, MUST_MOVE, NO_TEST, NO_BRAKE, NO_STEP,
) = range(26)  # fmt: skip
WHY_NOT = (
    "",
    "that is no answer to this question",
    "it cannot use this token",
    "a sub-move is at least 10 mm long",
    "that is further than it may still go",
    "that is more than its token lets it pivot",
    "something is in the way",
    "something is in the way of the pivot",
    "it has been spurred this turn",
    "it has been whipped this turn, or its whip is lost",
    "it has not travelled its minimum distance",
    "there is less than 1 cm left to go",
    "nobody collides on purpose while there is stamina or a way ahead, or when the minimum distance is travelled",
    "there is nothing low to run through, or it would not come clear on the other side",
    "a U-turn needs a minimum of 0, a maximum of 1 cm or more, a chariot that has not moved, and 1 degree or more",
    "that cannot be attacked from here",
    "it is not frightened by the attacker",
    "this die is not its own, or cannot be changed so",
    "there is no reason to climb for that",
    "the side sweep that was paid for goes to the other side",
    "he must leave the track: towards the nearest edge, as long as he can",
    "another sub-move must be announced first, for its test",
    "after a passed test the sub-move must be made while one is possible",
    "the sub-move to come needs no test",
    "its maximum is 0 or less, so there is nothing to brake",
    "a step on foot is at least 1 mm long",
)
"""Reasons by number."""


@kernel
def why_not(race, edition, seat, action):
    """0 if the seat may answer so, otherwise the number of the reason."""
    chariot, question = race.ask_chariot, race.ask
    if race.over or question == ASK_NOTHING or action < 0 or action >= ACTIONS or not race.asked >> seat & 1:
        return OTHER_QUESTION
    if question == ASK_TOKENS:
        if action >= DO_TOKEN + TOKENS:
            return OTHER_QUESTION
        return FINE if action - DO_TOKEN <= best_token(race, next_to_choose(race, seat)) else NO_TOKEN
    if question == ASK_DRIVE or question == ASK_SUBMOVE:
        return why_not_drive(race, edition, chariot, question, action)
    if question == ASK_SWEEP:
        if action == DO_FORGO:
            return FINE
        if action < DO_SUBMOVE:
            return OTHER_QUESTION
        way, mm, degrees, point = submove_of(action)
        return OTHER_SIDE if way != race.ask_about else why_not_submove(race, edition, chariot, way, mm, degrees, point)
    if question == ASK_PIVOT:
        if not DO_PIVOT <= action < DO_UTURN:
            return OTHER_QUESTION
        degrees, point = (action - DO_PIVOT) // POINTS - 180, (action - DO_PIVOT) % POINTS
        if abs(degrees) * DEGREE > edition.pivot[token_in_use(race, chariot)]:
            return TOO_SHARP
        return FINE if can_pivot(race, edition, chariot, degrees, point) else TURN_NOT_FREE
    if question == ASK_SKID:
        return FINE if action == DO_BRAKE or action == DO_GO else OTHER_QUESTION
    if question == ASK_ATTACK:
        if action == DO_NO_ATTACK:
            return FINE
        if not DO_RAM <= action < DO_PIVOT:
            return OTHER_QUESTION
        obj, part, which, side = attack_of(action)
        return FINE if can_strike(race, edition, chariot, obj, part, which, side) else NO_STRIKE
    if question == ASK_WALK:
        return why_not_walk(race, edition, chariot, action)
    return why_not_small(race, question, chariot, action)


@kernel
def why_not_small(race, question, chariot, action):
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
        return FINE if 1 <= race.die[die] + (1 if upwards else -1) <= 6 else NO_DIE
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
def why_not_drive(race, edition, chariot, question, action):
    """Before the first sub-move or between two (DRIVE), or after a passed test (SUBMOVE)."""
    first = race.submoves == 0 or question == ASK_SUBMOVE
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
        if question != ASK_DRIVE or race.submoves == 0:
            return NO_TEST
        return FINE if distance_left(race, edition, chariot) >= CM else NO_DISTANCE
    if action == DO_COLLIDE:
        if not first:
            return TEST_FIRST
        return FINE if can_collide(race, edition, chariot) else NO_COLLISION
    if DO_UTURN <= action < DO_WALK:
        degrees, point = (action - DO_UTURN) // POINTS - 180, (action - DO_UTURN) % POINTS
        if question != ASK_DRIVE or degrees == 0 or not can_turn_round(race, edition, chariot):
            return NO_U_TURN
        return FINE if can_pivot(race, edition, chariot, degrees, point) else TURN_NOT_FREE
    if action < DO_RUN:
        return OTHER_QUESTION
    if not first:
        return TEST_FIRST
    if action < DO_SUBMOVE:
        way, mm = (action - DO_RUN) // LONGEST, (action - DO_RUN) % LONGEST
        if mm * MM < CM:
            return TOO_SHORT
        if mm * MM > distance_left(race, edition, chariot):
            return TOO_LONG
        return FINE if can_run_through(race, edition, chariot, way, mm) else NO_RUN
    way, mm, degrees, point = submove_of(action)
    return why_not_submove(race, edition, chariot, way, mm, degrees, point)


@kernel
def why_not_submove(race, edition, chariot, way, mm, degrees, point):
    """`can_submove`, with the reason; a sub-move without a pivot names the centre."""
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
def why_not_walk(race, edition, chariot, action):
    """F1, and F5 where the scenario wants drivers off the track."""
    if action == DO_STOP:
        return MUST_LEAVE if race.must_leave and can_leave_further(race, edition, chariot) else FINE
    if not DO_WALK <= action < DO_RUN:
        return OTHER_QUESTION
    degrees, mm = (action - DO_WALK) // 64, (action - DO_WALK) % 64
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
def leads_outward(race, edition, chariot, degrees, mm):
    """Whether a leg ends nearer to the edges of the track."""
    piece, t = DRIVER_OF + chariot, race.scenario
    before = abs(offset(edition, t, race.x[piece], race.y[piece], race.way[piece]))
    x, y = translated(race.x[piece], race.y[piece], degrees * DEGREE, mm * MM)
    way = progress(edition, t, x, y, race.way[piece])
    return abs(offset(edition, t, x, y, way)) > before


WALK_STEP = 15
"""Degrees between the directions that a menu offers to a driver on foot."""


@kernel
def can_leave_further(race, edition, chariot):
    """Whether any leg of a centimetre or less still leads outward."""
    mm = min(10, race.ask_about // MM)
    for degrees in range(0, 360, WALK_STEP):
        if can_walk(race, edition, chariot, degrees, mm, race.ask_about):
            if leads_outward(race, edition, chariot, degrees, mm):
                return True
    return False


@kernel
def next_to_choose(race, seat):
    """The first of a seat's chariots whose token is still to be chosen; NOTHING if there is none."""
    for chariot in range(race.chariots):
        if race.seat[chariot] == seat and race.drawn[chariot] == IN_MUG and race.token[chariot] == NOTHING:
            return chariot
    return NOTHING


# --- the menu -------------------------------------------------------------------------------------------------------


@kernel
def add(out, count, action):
    """One more line of the menu, if there is room."""
    if count < LONGEST_MENU:
        out[count] = action
        return count + 1
    return count


@kernel
def list_answers(race, edition, seat, out):
    """A sensible menu (S7), never empty; returns how many."""
    question, chariot = race.ask, race.ask_chariot
    if race.over or question == ASK_NOTHING or not race.asked >> seat & 1:
        return 0
    count = 0
    if question == ASK_TOKENS:
        for token in range(best_token(race, next_to_choose(race, seat)) + 1):
            count = add(out, count, DO_TOKEN + token)
        return count
    if question == ASK_DRIVE or question == ASK_SUBMOVE:
        return list_drive(race, edition, chariot, question, out)
    if question == ASK_SWEEP:
        return list_submoves(race, edition, chariot, race.ask_about, out, add(out, count, DO_FORGO))
    if question == ASK_PIVOT:
        count = add(out, count, pivot_code(DO_PIVOT, 0, CENTRE))
        return list_pivots(race, edition, chariot, out, count)
    if question == ASK_ATTACK:
        out[0] = DO_NO_ATTACK
        return 1 + list_attacks(race, edition, chariot, out[1:], LONGEST_MENU - 64)
    if question == ASK_WALK:
        return list_walks(race, edition, chariot, out)
    for action in range(DO_STOP, DO_RAM):
        if question == ASK_SKID:
            if action == DO_BRAKE or action == DO_GO:
                count = add(out, count, action)
        elif why_not_small(race, question, chariot, action) == FINE:
            count = add(out, count, action)
    return count


@kernel
def pivot_code(first, degrees, point):
    """The number of a pivot or U-turn."""
    return first + (degrees + 180) * POINTS + point


@kernel
def list_drive(race, edition, chariot, question, out):
    """Everything but the sub-moves, then these."""
    count = 0
    for action in range(DO_STOP, DO_COLLIDE + 1):
        if why_not_drive(race, edition, chariot, question, action) == FINE:
            count = add(out, count, action)
    if question == ASK_DRIVE and race.submoves > 0:
        return count
    if distance_left(race, edition, chariot) < CM:
        return count
    for way in range(3):
        count = list_runs(race, edition, chariot, way, out, count)
        count = list_submoves(race, edition, chariot, way, out, count)
    if question == ASK_DRIVE and can_turn_round(race, edition, chariot):
        count = list_turns(race, edition, chariot, out, count)
    return count


@kernel
def list_runs(race, edition, chariot, way, out, count):
    """Ways through something low, by whole centimetres."""
    if bits_of_low(race, edition) == 0:
        return count
    most = distance_left(race, edition, chariot) // MM
    for mm in range(10, most + 1, 10):
        if can_run_through(race, edition, chariot, way, mm):
            count = add(out, count, DO_RUN + way * LONGEST + mm)
    return count


LENGTHS = 40
"""Most lengths of sub-moves in one menu."""


@kernel
def add_submove(race, edition, chariot, way, mm, degrees, point, out, count):
    """One more sub-move, if its end is clear as well: a rounded length or angle need not be."""
    if why_not_submove(race, edition, chariot, way, mm, degrees, point) == FINE:
        return add(out, count, submove_code(way, mm, degrees, point))
    return count


@kernel
def lengths_of(race, edition, chariot, way, out):
    """Millimetres worth offering: whole centimetres, what the minimum still needs, and up to contact (N8)."""
    most = free_millimetres(race, edition, chariot, way)
    if most == 0:
        return 0
    needed = (least_distance(race, edition, chariot) - race.moved + MM - 1) // MM
    count, mm = 0, 10
    while mm < most:
        wanted = way == STRAIGHT or mm <= 30 or mm == 50
        if wanted and (mm <= 150 or mm % 20 == 0):
            out[count] = mm
            count += 1
        if way == STRAIGHT and mm < needed < min(mm + 10, most):
            out[count] = needed
            count += 1
        mm += 10
    out[count] = most
    return count + 1


@kernel
def list_submoves(race, edition, chariot, way, out, count):
    """Lengths with pivots: thirds of the limit about the centre, all of it about the corners, and up to contact."""
    lengths = np.zeros(LENGTHS, np.int64)
    limit = edition.pivot[token_in_use(race, chariot)] // DEGREE
    for i in range(lengths_of(race, edition, chariot, way, lengths)):
        mm = lengths[i]
        count = add_submove(race, edition, chariot, way, mm, 0, CENTRE, out, count)
        for point in range(POINTS if way == STRAIGHT else 1):
            for sign in range(2):
                side = 1 if sign == 0 else -1
                free = pivot_after(race, edition, chariot, way, mm * MM, point, side * limit) // DEGREE
                if point == CENTRE and way == STRAIGHT:
                    for third in range(1, 3):
                        degrees = limit * third // 3
                        if 0 < degrees < free:
                            count = add_submove(race, edition, chariot, way, mm, side * degrees, point, out, count)
                before = count
                while free > 0 and count == before:  # rounded down its end need not be clear
                    count = add_submove(race, edition, chariot, way, mm, side * free, point, out, count)
                    free -= 1
    return count


@kernel
def add_pivot(race, edition, chariot, first, degrees, point, out, count):
    """One more pivot or U-turn, if its end is clear."""
    if can_pivot(race, edition, chariot, degrees, point):
        return add(out, count, pivot_code(first, degrees, point))
    return count


@kernel
def list_pivots(race, edition, chariot, out, count):
    """Pivots where it stands, as after a sub-move."""
    limit = edition.pivot[token_in_use(race, chariot)] // DEGREE
    for point in range(POINTS):
        for sign in range(2):
            side = 1 if sign == 0 else -1
            free = free_turn(race, edition, chariot, point, side * limit) // DEGREE
            for third in range(1, 3):
                degrees = limit * third // 3
                if 0 < degrees < free:
                    count = add_pivot(race, edition, chariot, DO_PIVOT, side * degrees, point, out, count)
            if free > 0:
                count = add_pivot(race, edition, chariot, DO_PIVOT, side * free, point, out, count)
    return count


@kernel
def free_turn(race, edition, chariot, point, degrees):
    """Tenths of a degree that it can turn where it stands."""
    ahead, left = pivot_point(np.int64(race.half_long[chariot]), np.int64(race.half_wide[chariot]), point)
    x, y, heading = race.x[chariot], race.y[chariot], race.heading[chariot]
    return pivot_free(race, edition, chariot, x, y, heading, ahead, left, degrees * DEGREE, np.int64(0))


@kernel
def list_turns(race, edition, chariot, out, count):
    """U-turns by 45 degrees, and up to contact."""
    for point in range(POINTS):
        for sign in range(2):
            side = 1 if sign == 0 else -1
            free = free_turn(race, edition, chariot, point, side * 180) // DEGREE
            for degrees in range(45, 180, 45):
                if degrees < free:
                    count = add_pivot(race, edition, chariot, DO_UTURN, side * degrees, point, out, count)
            if free > 0:
                count = add_pivot(race, edition, chariot, DO_UTURN, side * free, point, out, count)
    return count


@kernel
def list_walks(race, edition, chariot, out):
    """Legs in all directions: as far as it goes, and some shorter ones."""
    count, piece = 0, DRIVER_OF + chariot
    if why_not_walk(race, edition, chariot, DO_STOP) == FINE:
        count = add(out, count, DO_STOP)
    x, y, heading = race.x[piece], race.y[piece], race.heading[piece]
    for degrees in range(0, 360, WALK_STEP):
        free, _ = way_free(race, edition, piece, x, y, heading, degrees * DEGREE, race.ask_about, np.int64(0))
        for mm in (free // MM, 20, 10, 5, 1):
            if mm > free // MM or (count and out[count - 1] == DO_WALK + degrees * 64 + mm):
                continue
            if why_not_walk(race, edition, chariot, DO_WALK + degrees * 64 + mm) == FINE:
                count = add(out, count, DO_WALK + degrees * 64 + mm)
    return count


# --- at random ------------------------------------------------------------------------------------------------------


@kernel
def random_answer(race, edition, seat, dice):
    """An answer by lot. Sub-moves are drawn without listing them all, which would take a hundred times as long."""
    question, chariot = race.ask, race.ask_chariot
    if question == ASK_TOKENS:
        return DO_TOKEN + below(dice, best_token(race, next_to_choose(race, seat)) + 1)
    if question == ASK_DRIVE or question == ASK_SUBMOVE:
        return random_drive(race, edition, chariot, question, dice)
    if question == ASK_SKID:
        return DO_GO if below(dice, 4) else DO_BRAKE
    if question == ASK_WALK:
        for _ in range(4):
            most = race.ask_about // MM
            action = DO_WALK + below(dice, 360) * 64 + 1 + below(dice, most)
            if why_not_walk(race, edition, chariot, action) == FINE:
                return action
        if why_not_walk(race, edition, chariot, DO_STOP) == FINE:
            return DO_STOP
    menu = np.zeros(LONGEST_MENU, np.int64)
    return menu[below(dice, list_answers(race, edition, seat, menu))]


@kernel
def random_drive(race, edition, chariot, question, dice):
    """One time in eight a brake, a spur, a whip or a stop; otherwise on, and if nothing is free a brake."""
    lot = below(dice, 32)
    left = distance_left(race, edition, chariot)
    if lot == 0 and most_distance(race, edition, chariot) > 0:
        return DO_BRAKE
    if lot == 1 and can_spur(race):
        return DO_SPUR
    if lot == 2 and can_whip(race, chariot):
        return DO_WHIP
    if question == ASK_DRIVE and can_stop(race, edition, chariot):
        if left < CM or lot < 8:
            return DO_STOP
        if lot == 8 and can_turn_round(race, edition, chariot):
            point, side = below(dice, POINTS), 1 - 2 * below(dice, 2)
            free = free_turn(race, edition, chariot, point, side * 180) // DEGREE
            degrees = side * (1 + below(dice, free)) if free > 0 else 0
            if degrees and can_pivot(race, edition, chariot, degrees, point):
                return pivot_code(DO_UTURN, degrees, point)
    if question == ASK_DRIVE and race.submoves > 0:
        return DO_ANNOUNCE if left >= CM else DO_BRAKE
    if lot < 12 and bits_of_low(race, edition):
        way, mm = below(dice, 3), min(10 + below(dice, max(left // MM - 9, 1)), LONGEST - 1)
        if can_run_through(race, edition, chariot, way, mm):
            return DO_RUN + way * LONGEST + mm
    way = below(dice, 3) if lot < 12 else STRAIGHT
    for _ in range(2):
        action = random_submove(race, edition, chariot, way, left, dice)
        if action != NOTHING:
            return action
        way = below(dice, 3)
    if question == ASK_SUBMOVE and why_not_drive(race, edition, chariot, question, DO_STOP) == FINE:
        return DO_STOP
    if below(dice, 2) and can_collide(race, edition, chariot):
        return DO_COLLIDE
    return DO_BRAKE


@kernel
def random_submove(race, edition, chariot, way, left, dice):
    """A sub-move of any length and pivot that are free, or NOTHING."""
    if left < CM:
        return NOTHING
    wanted = 10 + below(dice, left // MM - 9)
    mm = free_way(race, edition, chariot, way, wanted * MM) // MM
    if mm < wanted:  # rounded down it need not be clear
        mm = free_way(race, edition, chariot, way, mm * MM) // MM
        if mm < 10 or free_way(race, edition, chariot, way, mm * MM) < mm * MM:
            return NOTHING
    limit = edition.pivot[token_in_use(race, chariot)] // DEGREE
    degrees = below(dice, 2 * limit + 1) - limit
    if degrees:
        point = below(dice, POINTS)
        if pivot_after(race, edition, chariot, way, mm * MM, point, degrees) == abs(degrees) * DEGREE:
            return submove_code(way, mm, degrees, point)
    return submove_code(way, mm, 0, CENTRE)
