"""The menu of answers to a question, and an answer at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.rules.attacks import list_attacks
from spina.games.chariotmaster.rules.chariots import (
    best_token,
    bits_of_low,
    distance_left,
    least_distance,
    most_distance,
    token_in_use,
)
from spina.games.chariotmaster.rules.choices import (
    FINE,
    WALK_STEP,
    next_to_choose,
    why_not_drive,
    why_not_small,
    why_not_submove,
    why_not_walk,
)
from spina.games.chariotmaster.rules.clearance import Clearance, clearance_at, pieces_about, rests_clear, turns_clear
from spina.games.chariotmaster.rules.drive import (
    can_collide,
    can_pivot,
    can_run_through,
    can_spur,
    can_stop,
    can_turn_round,
    can_whip,
    direction_of,
    free_turn,
    free_way,
    pivot_after,
    submove_code,
    turn_code,
)
from spina.games.chariotmaster.rules.field import base_at, base_of, home_segment, pose_of, turn_about, way_free
from spina.games.chariotmaster.rules.geometry import Base, Pose, pivot_point, pivoted, translated
from spina.games.chariotmaster.rules.motions import CLEAR
from spina.games.chariotmaster.rules.record import (
    ASK_ATTACK,
    ASK_DRIVE,
    ASK_NOTHING,
    ASK_PIVOT,
    ASK_SKID,
    ASK_SUBMOVE,
    ASK_SWEEP,
    ASK_TOKENS,
    ASK_WALK,
    CENTRE,
    CM,
    DEGREE,
    DO_ANNOUNCE,
    DO_BRAKE,
    DO_COLLIDE,
    DO_FORGO,
    DO_GO,
    DO_NO_ATTACK,
    DO_PIVOT,
    DO_RAM,
    DO_RUN,
    DO_SPUR,
    DO_STOP,
    DO_TOKEN,
    DO_UTURN,
    DO_WHIP,
    DRIVER_OF,
    FULL,
    HALF_CIRCLE,
    LONGEST,
    LONGEST_MENU,
    MM,
    NOTHING,
    POINTS,
    STRAIGHT,
    WAYS,
)
from spina.games.chariotmaster.rules.runaways import walk_code
from spina.games.chariotmaster.rules.track import wall_gap
from spina.games.chariotmaster.rules.whole_degrees import (
    UNSURE,
    Turn,
    can_measure,
    degrees_free,
    dip_of_track,
    is_apart,
    is_furthest,
    rests_by,
)
from spina.kernel.compiler import kernel
from spina.kernel.random import below
from spina.kernel.record import whole

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

TURN_STEP = 45
"""Degrees between the U-turns that a menu offers."""

# --- the menu -------------------------------------------------------------------------------------------------------


@kernel
def add(out, count, action):
    """One more line of the menu, if there is room."""
    if count < LONGEST_MENU:
        out[count] = action
        return count + 1
    return count


@kernel
def list_answers(race: RaceRecord, edition: EditionRecord, seat, out):
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
        begin, dip = gap_now(race, edition, chariot), dip_of_track(edition, race.scenario)
        return list_submoves(race, edition, chariot, race.ask_about, begin, dip, out, add(out, count, DO_FORGO))
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
    return first + turn_code(degrees, point)


@kernel
def list_drive(race: RaceRecord, edition: EditionRecord, chariot, question, out):
    """Everything but the sub-moves, then these."""
    count = 0
    for action in range(DO_STOP, DO_COLLIDE + 1):
        if why_not_drive(race, edition, chariot, question, action) == FINE:
            count = add(out, count, action)
    if question == ASK_DRIVE and race.submoves > 0:
        return count
    if distance_left(race, edition, chariot) < CM:
        return count
    begin, dip = gap_now(race, edition, chariot), dip_of_track(edition, race.scenario)
    for way in range(WAYS):
        count = list_runs(race, edition, chariot, way, out, count)
        count = list_submoves(race, edition, chariot, way, begin, dip, out, count)
    if question == ASK_DRIVE and can_turn_round(race, edition, chariot):
        count = list_turns(race, edition, chariot, out, count)
    return count


@kernel
def list_runs(race: RaceRecord, edition: EditionRecord, chariot, way, out, count):
    """Ways through something low, by whole centimetres."""
    low, left = bits_of_low(race, edition), distance_left(race, edition, chariot)
    if low == 0:
        return count
    start, direction = pose_of(race, chariot), direction_of(race, chariot, way)
    _, first = way_free(race, edition, chariot, start, direction, left, np.int64(0))
    if first == NOTHING:  # there is nothing to run through
        return count
    for mm in range(10, left // MM + 1, 10):
        if mm * MM >= first and can_run_through(race, edition, chariot, way, mm):
            count = add(out, count, DO_RUN + way * LONGEST + mm)
    return count


LENGTHS = 40
"""Most lengths of sub-moves in one menu."""


@kernel
def can_turn_after(race: RaceRecord, edition: EditionRecord, chariot, way, mm, degrees, point):
    """D9: whether it can turn by all of these degrees after going `mm`, and rest clear."""
    return pivot_after(race, edition, chariot, way, mm * MM, point, degrees) == abs(degrees) * DEGREE


@kernel
def gap_now(race: RaceRecord, edition: EditionRecord, chariot):
    """The separation from the walls of a chariot where it stands."""
    base = base_of(race, chariot)
    return wall_gap(race, edition, base, home_segment(race, edition, chariot, base.x, base.y))


@kernel
def surely_rests(race: RaceRecord, edition: EditionRecord, piece, pose: Pose, clearance: Clearance, begin):
    """N5: whether a move that has hit nothing surely rests clear at this pose; `begin` as for `rests_by`."""
    if rests_clear(clearance):
        return True
    return rests_by(edition, race.scenario, base_at(race, piece, pose), clearance, begin) == 1


@kernel
def free_millimetres(race: RaceRecord, edition: EditionRecord, chariot, way, begin):
    """N8: whole millimetres that it can go. Rounded down the end need not be clear, so there it looks further back.

    `begin` is the separation from the walls where it stands.
    """
    units = free_way(race, edition, chariot, way, distance_left(race, edition, chariot))
    while units % MM:
        units -= units % MM
        pose = pose_after(race, chariot, direction_of(race, chariot, way), units, CENTRE, 0)
        clearance = clearance_at(race, edition, chariot, pose, pieces_about(race, chariot, units))
        if units < CM or not surely_rests(race, edition, chariot, pose, clearance, begin):
            units = free_way(race, edition, chariot, way, units)
    return units // MM


@kernel
def lengths_of(race: RaceRecord, edition: EditionRecord, chariot, way, begin, out):
    """Millimetres worth offering: whole centimetres, what the minimum still needs, and up to contact (N8)."""
    most = free_millimetres(race, edition, chariot, way, begin)
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
def pose_after(race: RaceRecord, piece, direction, units, point, angle):
    """The pose of a piece after going `units` and turning by `angle` tenths of a degree about a point."""
    x, y = translated(race.x[piece], race.y[piece], direction, units)
    ahead, left = pivot_point(np.int64(race.half_long[piece]), np.int64(race.half_wide[piece]), point)
    x, y, heading = pivoted(x, y, np.int64(race.heading[piece]), ahead, left, angle)
    return Pose(x, y, heading)


@kernel
def turn_rests(race: RaceRecord, edition: EditionRecord, chariot, way, mm, degrees, point, about):
    """Whether it rests clear after going `mm` and turning by these degrees, of which all are known to be free."""
    pose = pose_after(race, chariot, direction_of(race, chariot, way), mm * MM, point, degrees * DEGREE)
    if surely_rests(race, edition, chariot, pose, clearance_at(race, edition, chariot, pose, about), CLEAR):
        return True
    return can_turn_after(race, edition, chariot, way, mm, degrees, point)


@kernel
def turning_speeds(base: Base):
    """The speeds of turns about the centre of a base and about its corners."""
    return turn_about(base, 0, 0, 1).speed, turn_about(base, base.half_long, base.half_wide, 1).speed


@kernel
def list_submoves(race: RaceRecord, edition: EditionRecord, chariot, way, begin, dip, out, count):
    """Lengths with pivots: thirds of the limit about the centre, all of it about the corners, and up to contact.

    The end of a rounded length or angle need not be clear. All lengths hit nothing on their way: the longest does not.
    `begin` is the separation from the walls where it stands, `dip` the track's (`dip_of_track`).
    """
    lengths = np.zeros(LENGTHS, np.int64)
    limit = edition.pivot[token_in_use(race, chariot)] // DEGREE
    found = lengths_of(race, edition, chariot, way, begin, lengths)
    about = pieces_about(race, chariot, lengths[found - 1] * MM) if found else np.int64(0)
    direction = direction_of(race, chariot, way)
    slow, fast = turning_speeds(base_of(race, chariot))
    for i in range(found):
        mm = whole(lengths[i])
        pose = pose_after(race, chariot, direction, mm * MM, CENTRE, 0)
        clearance = clearance_at(race, edition, chariot, pose, about)
        base = base_at(race, chariot, pose)
        if not rests_clear(clearance):
            rests = rests_by(edition, race.scenario, base, clearance, begin)
            if rests == UNSURE:
                rests = why_not_submove(race, edition, chariot, way, mm, 0, CENTRE) == FINE
            if not rests:
                continue
        count = add(out, count, submove_code(way, mm, 0, CENTRE))
        measures = can_measure(clearance, dip)
        for point in range(POINTS if way == STRAIGHT else 1):
            ahead, left = pivot_point(base.half_long, base.half_wide, point)
            turn = Turn(ahead, left, slow if point == CENTRE else fast)
            surely = turns_clear(clearance, turn.speed, abs(ahead) + abs(left), limit * DEGREE)
            measured = measures and not surely
            thirds, apart = point == CENTRE and way == STRAIGHT, is_apart(clearance, turn, limit)
            for sign in range(2):
                side = 1 if sign == 0 else -1
                free, most = limit, limit
                if measured:
                    free, hit = degrees_free(race, edition, base, clearance, dip, about, turn, side * limit)
                    most = free
                    if (
                        thirds
                        and is_third(free, limit)
                        and (hit == NOTHING or not is_furthest(race, edition, base, clearance, turn, free, side * hit))
                    ):
                        most = UNSURE
                elif not surely:
                    most = UNSURE
                sweeps = most == UNSURE
                if sweeps:
                    most = pivot_after(race, edition, chariot, way, mm * MM, point, side * limit) // DEGREE
                    free = most
                if thirds:
                    for third in range(1, 3):
                        degrees = limit * third // 3
                        if 0 < degrees < most and (
                            (apart and not sweeps)
                            or turn_rests(race, edition, chariot, way, mm, side * degrees, point, about)
                        ):
                            count = add(out, count, submove_code(way, mm, side * degrees, point))
                while (
                    sweeps
                    and 0 < free < limit
                    and not turn_rests(race, edition, chariot, way, mm, side * free, point, about)
                ):
                    free -= 1
                if free > 0:
                    count = add(out, count, submove_code(way, mm, side * free, point))
    return count


@kernel
def is_third(degrees, limit):
    """Whether it is one of the angles that a menu offers about the centre beside the most."""
    return degrees == limit // 3 or degrees == limit * 2 // 3


@kernel
def add_pivot(race: RaceRecord, edition: EditionRecord, chariot, first, degrees, point, out, count):
    """One more pivot or U-turn, if its end is clear."""
    if can_pivot(race, edition, chariot, degrees, point):
        return add(out, count, pivot_code(first, degrees, point))
    return count


@kernel
def list_pivots(race: RaceRecord, edition: EditionRecord, chariot, out, count):
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
def list_turns(race: RaceRecord, edition: EditionRecord, chariot, out, count):
    """U-turns by 45 degrees, and up to contact."""
    about, pose = pieces_about(race, chariot, np.int64(0)), pose_of(race, chariot)
    clearance = clearance_at(race, edition, chariot, pose, about)
    base, dip = base_at(race, chariot, pose), dip_of_track(edition, race.scenario)
    measures = can_measure(clearance, dip)
    slow, fast = turning_speeds(base)
    for point in range(POINTS):
        ahead, left = pivot_point(base.half_long, base.half_wide, point)
        turn = Turn(ahead, left, slow if point == CENTRE else fast)
        surely = turns_clear(clearance, turn.speed, abs(ahead) + abs(left), HALF_CIRCLE * DEGREE)
        measured, apart = measures and not surely, is_apart(clearance, turn, HALF_CIRCLE)
        for sign in range(2):
            side = 1 if sign == 0 else -1
            free, sure = HALF_CIRCLE, surely
            if measured:
                free, hit = degrees_free(race, edition, base, clearance, dip, about, turn, side * free)
                sure = free == HALF_CIRCLE or (
                    hit != NOTHING and is_furthest(race, edition, base, clearance, turn, free, side * hit)
                )
            if not sure:
                free = free_turn(race, edition, chariot, point, side * HALF_CIRCLE) // DEGREE
            for degrees in range(TURN_STEP, HALF_CIRCLE, TURN_STEP):
                if degrees < free and (
                    (apart and sure) or turn_rests(race, edition, chariot, STRAIGHT, 0, side * degrees, point, about)
                ):
                    count = add(out, count, pivot_code(DO_UTURN, side * degrees, point))
            if free > 0 and (sure or turn_rests(race, edition, chariot, STRAIGHT, 0, side * free, point, about)):
                count = add(out, count, pivot_code(DO_UTURN, side * free, point))
    return count


@kernel
def can_walk_so_far(race: RaceRecord, edition: EditionRecord, chariot, degrees, mm, about):
    """F1: whether a leg is possible that hits nothing on its way."""
    piece = DRIVER_OF + chariot
    if mm > 0 and not race.must_leave:
        pose = pose_after(race, piece, degrees * DEGREE, mm * MM, CENTRE, 0)
        if rests_clear(clearance_at(race, edition, piece, pose, about)):
            return True
    return why_not_walk(race, edition, chariot, walk_code(degrees, mm)) == FINE


@kernel
def list_walks(race: RaceRecord, edition: EditionRecord, chariot, out):
    """Legs in all directions: as far as it goes, and some shorter ones."""
    count, piece = 0, DRIVER_OF + chariot
    if why_not_walk(race, edition, chariot, DO_STOP) == FINE:
        count = add(out, count, DO_STOP)
    pose = pose_of(race, piece)
    about = pieces_about(race, piece, race.ask_about)
    for degrees in range(0, 360, WALK_STEP):
        free, _ = way_free(race, edition, piece, pose, degrees * DEGREE, race.ask_about, np.int64(0))
        for mm in (free // MM, 20, 10, 5, 1):
            action = walk_code(degrees, mm)
            if mm > free // MM or (count and out[count - 1] == action):
                continue
            if can_walk_so_far(race, edition, chariot, degrees, mm, about):
                count = add(out, count, action)
    return count


# --- at random ------------------------------------------------------------------------------------------------------


@kernel
def random_answer(race: RaceRecord, edition: EditionRecord, seat, dice):
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
            degrees = below(dice, FULL // DEGREE)
            action = walk_code(degrees, 1 + below(dice, most))
            if why_not_walk(race, edition, chariot, action) == FINE:
                return action
        if why_not_walk(race, edition, chariot, DO_STOP) == FINE:
            return DO_STOP
    menu = np.zeros(LONGEST_MENU, np.int64)
    return menu[below(dice, list_answers(race, edition, seat, menu))]


LOTS = 32
"""Lots of `random_drive`, drawn once for every answer."""
STOP_LOTS, TURN_LOT, ASIDE_LOTS = 8, 8, 12
"""A stop below the first, a U-turn with the second, a run-through or a side sweep below the third."""


@kernel
def random_drive(race: RaceRecord, edition: EditionRecord, chariot, question, dice):
    """One time in eight a brake, a spur, a whip or a stop; otherwise on, and if nothing is free a brake."""
    lot = below(dice, LOTS)
    left = distance_left(race, edition, chariot)
    if lot == 0 and most_distance(race, edition, chariot) > 0:
        return DO_BRAKE
    if lot == 1 and can_spur(race):
        return DO_SPUR
    if lot == 2 and can_whip(race, chariot):
        return DO_WHIP
    if question == ASK_DRIVE and can_stop(race, edition, chariot):
        if left < CM or lot < STOP_LOTS:
            return DO_STOP
        if lot == TURN_LOT and can_turn_round(race, edition, chariot):
            action = random_turn(race, edition, chariot, dice)
            if action != NOTHING:
                return action
    if question == ASK_DRIVE and race.submoves > 0:
        return DO_ANNOUNCE if left >= CM else DO_BRAKE
    action = random_way(race, edition, chariot, lot, left, dice)
    if action != NOTHING:
        return action
    if question == ASK_SUBMOVE and why_not_drive(race, edition, chariot, question, DO_STOP) == FINE:
        return DO_STOP
    if below(dice, 2) and can_collide(race, edition, chariot):
        return DO_COLLIDE
    return DO_BRAKE


@kernel
def random_turn(race: RaceRecord, edition: EditionRecord, chariot, dice):
    """A U-turn that is free, or NOTHING."""
    point, side = below(dice, POINTS), 1 - 2 * below(dice, 2)
    free = free_turn(race, edition, chariot, point, side * HALF_CIRCLE) // DEGREE
    degrees = side * (1 + below(dice, free)) if free > 0 else 0
    if degrees and can_pivot(race, edition, chariot, degrees, point):
        return pivot_code(DO_UTURN, degrees, point)
    return NOTHING


@kernel
def random_way(race: RaceRecord, edition: EditionRecord, chariot, lot, left, dice):
    """A run-through or a sub-move that is free, or NOTHING."""
    if lot < ASIDE_LOTS and bits_of_low(race, edition):
        way, mm = below(dice, WAYS), min(10 + below(dice, max(left // MM - 9, 1)), LONGEST - 1)
        if can_run_through(race, edition, chariot, way, mm):
            return DO_RUN + way * LONGEST + mm
    way = below(dice, WAYS) if lot < ASIDE_LOTS else STRAIGHT
    for _ in range(2):
        action = random_submove(race, edition, chariot, way, left, dice)
        if action != NOTHING:
            return action
        way = below(dice, WAYS)
    return NOTHING


@kernel
def random_submove(race: RaceRecord, edition: EditionRecord, chariot, way, left, dice):
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
