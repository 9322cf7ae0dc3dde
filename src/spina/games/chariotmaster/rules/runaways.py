"""Nobody holds the reins: runaway teams along the middle of the track, and drivers on foot."""

from __future__ import annotations

import numpy as np

from spina.games.chariotmaster.rules.chariots import (
    bits_of_low,
    eliminate,
    end_turn_of,
    reach_of,
    take_off,
    token_in_use,
)
from spina.games.chariotmaster.rules.collisions import drawn_by_lot, passed_pieces, set_pose
from spina.games.chariotmaster.rules.contacts import normal, parts_at
from spina.games.chariotmaster.rules.dice import ask
from spina.games.chariotmaster.rules.effects import COLLIDE, LOSE, MOST_COLLISIONS, ROLL, RUN
from spina.games.chariotmaster.rules.event_kinds import (
    A_BRAKE,
    CHANGED,
    M_CENTRE,
    M_RUNAWAY,
    M_WALK,
    MOVED,
    P_BRAKE,
    P_CENTRE,
    P_DETOUR,
    PAID,
    PIVOTED,
    R_BRAKE,
    RAN_OFF,
    STANDS,
)
from spina.games.chariotmaster.rules.field import follow, hit_at_pose, is_clear, pivot_free, shift_free, way_free
from spina.games.chariotmaster.rules.geometry import translated
from spina.games.chariotmaster.rules.record import (
    ABSENT,
    ASK_WALK,
    CM,
    DEGREE,
    DO_STOP,
    DO_WALK,
    DRAGGED,
    DRIVER_OF,
    FULL,
    MM,
    NOTHING,
    OBSTACLE,
    ON_FOOT,
    STAMINA,
    WRECK_OF,
)
from spina.games.chariotmaster.rules.track import at, offset
from spina.kernel.compiler import kernel
from spina.kernel.effect_stack import argument, go_to, keep, pop, push, stage
from spina.kernel.narration import tell

# --- runaways -------------------------------------------------------------------------------------------------------

FACING, RUNNING_ON, SWEEPING, BRAKING, BRAKED, PASSING = range(6)
"""Stages of a runaway."""


@kernel
def runs(race, chariot):
    """Whether the team can still run in this turn."""
    return race.kind[chariot] != ABSENT and not race.ended and not race.home[chariot]


@kernel
def runaway(race, edition, story):
    """O3 to O8: along the middle of the track, round what stands there, as far as its token goes."""
    stack = race.stack
    chariot = argument(stack, 0)
    left = rest_of_way(race, edition, chariot)
    step = stage(stack)
    if left <= 0 or (step != PASSING and not runs(race, chariot)):
        pop(stack)
    elif step == FACING:
        if face_the_way(race, edition, chariot, story):
            go_to(stack, RUNNING_ON)
        else:
            tell(story, STANDS, chariot)
            pop(stack)
    elif step == RUNNING_ON:
        keep(stack, 4, 0)
        keep(stack, 5, 0)
        run_on(race, edition, chariot, left, story)
    elif step == SWEEPING:
        sweep_across(race, edition, chariot, argument(stack, 2), story)
        go_to(stack, FACING)
    elif step == BRAKING:
        go_to(stack, BRAKED)
        push(stack, ROLL, chariot, 1, R_BRAKE, NOTHING, 0)
    elif step == BRAKED:
        units = race.die[0] * CM
        keep(stack, 1, max(left - units, 0))
        tell(story, CHANGED, chariot, A_BRAKE, -units, 0, max(left - units, 0))
        go_to(stack, FACING)
    elif race.stopped or race.kind[chariot] == ABSENT or race.body[chariot] != argument(stack, 6):
        pop(stack)  # a violent stop, or a crash
    else:
        pass_over(race, edition, chariot, left, story)


@kernel
def rest_of_way(race, edition, chariot):
    """Units left to run; a token that is lost on the way shortens it at once (T4)."""
    stack = race.stack
    reach, before = reach_of(race, edition, chariot, token_in_use(race, chariot)), argument(stack, 3)
    if before > reach:
        keep(stack, 1, max(argument(stack, 1) - before + reach, 0))
    keep(stack, 3, reach)
    return argument(stack, 1)


@kernel
def face_the_way(race, edition, chariot, story):
    """O4: about its own centre to the direction of the race; False if it cannot turn."""
    t, way = race.scenario, race.way[chariot]
    x, y, heading = race.x[chariot], race.y[chariot], race.heading[chariot]
    _, _, tangent = at(edition, t, way, 0)
    angle = (tangent - heading + FULL + FULL // 2) % FULL - FULL // 2
    if angle == 0:
        return True
    if pivot_free(race, edition, chariot, x, y, heading, 0, 0, angle, np.int64(0)) < abs(angle):
        return False
    tell(story, PIVOTED, chariot, chariot, angle, x, y, tangent)
    set_pose(race, edition, chariot, x, y, tangent, story)
    return True


@kernel
def offset_now(race, edition, chariot):
    """Where it is across the track. Poses are rounded: within a unit of the middle of a bend it is on it."""
    off = offset(edition, race.scenario, race.x[chariot], race.y[chariot], race.way[chariot])
    return off if abs(off) > 1 else np.int64(0)


@kernel
def has_room(race, edition, chariot, way, off, left):
    """O5: at least a centimetre of way, or what is left."""
    needed = min(left, CM)
    rest, _ = follow(race, edition, chariot, way, off, needed, np.int64(0))
    return rest >= needed


@kernel
def can_shift(race, edition, chariot, way, off, to, left):
    """Whether a sweep across the track is free and leads somewhere."""
    return shift_free(race, edition, chariot, way, off, to, np.int64(0)) and has_room(
        race, edition, chariot, way, to, left
    )


@kernel
def run_on(race, edition, chariot, left, story):
    """Forward until the way is free to the middle, something is in the way, or the distance is used up."""
    stack = race.stack
    way, off = race.way[chariot], offset_now(race, edition, chariot)
    if off != 0 and can_shift(race, edition, chariot, way, off, 0, left):
        pay_for_sweep(race, chariot, 0, P_CENTRE, story)
        return
    gone, blocked = np.int64(0), False
    if off == 0:
        gone, _ = follow(race, edition, chariot, way, off, left, np.int64(0))
        blocked = gone < left
    else:
        while gone < left and not blocked:
            wanted = min(left - gone, MM)
            rest, _ = follow(race, edition, chariot, way + gone, off, wanted, np.int64(0))
            gone += rest
            blocked = rest < wanted
            if not blocked and can_shift(race, edition, chariot, way + gone, off, 0, left - gone):
                break
    if gone > 0:
        run_to(race, edition, chariot, way + gone, off, gone, story)
        keep(stack, 1, left - gone)
        if race.kind[chariot] == ABSENT:
            return  # it has left an open course
        way, left = way + gone, left - gone
    if blocked and left > 0:
        get_round(race, edition, chariot, way, off, left, story)


@kernel
def run_to(race, edition, chariot, way, off, gone, story):
    """A stretch along the track."""
    x, y, heading = at(edition, race.scenario, way, off)
    race.moved += gone
    tell(story, MOVED, chariot, chariot, M_RUNAWAY, gone, x, y, heading)
    set_pose(race, edition, chariot, x, y, heading, story)
    leave_course(race, edition, chariot, story)


@kernel
def leave_course(race, edition, chariot, story):
    """O9: an open course ends behind the finish; whoever runs off without a driver is gone."""
    t = race.scenario
    if edition.closed[t] or race.home[chariot] or race.way[chariot] + edition.line[t] < edition.length[t]:
        return
    if race.place[chariot] <= DRAGGED:
        return
    tell(story, RAN_OFF, chariot)
    take_off(race, chariot)
    eliminate(race, chariot, story)
    end_turn_of(race, chariot)


@kernel
def pay_for_sweep(race, chariot, to, what, story):
    """A point of stamina for a sweep; what that brings comes first (O8)."""
    keep(race.stack, 2, to)
    go_to(race.stack, SWEEPING)
    tell(story, PAID, chariot, 1, what)
    push(race.stack, LOSE, chariot, STAMINA, 1, NOTHING)


@kernel
def sweep_across(race, edition, chariot, to, story):
    """The sweep, if it is still free."""
    t, way = race.scenario, race.way[chariot]
    off = offset_now(race, edition, chariot)
    if off == to or not shift_free(race, edition, chariot, way, off, to, np.int64(0)):
        return
    x, y, heading = at(edition, t, way, to)
    tell(story, MOVED, chariot, chariot, M_CENTRE, abs(to - off), x, y, heading)
    set_pose(race, edition, chariot, x, y, heading, story)


@kernel
def get_round(race, edition, chariot, way, off, left, story):
    """O6, O7: the nearest way round; else over what is low; else brake, or stand if it has not moved at all."""
    stack = race.stack
    t = race.scenario
    first = -1 if off > 0 else 1
    if off == 0:
        first = edition.inside[t]
    widest = edition.half_width[t]
    for k in range(1, 2 * widest // MM):
        for sign in range(2):
            to = off + (first if sign == 0 else -first) * k * MM
            if abs(to) < widest and can_shift(race, edition, chariot, way, off, to, left):
                pay_for_sweep(race, chariot, to, P_DETOUR, story)
                return
    if meet_low(race, edition, chariot, way, off, left):
        return
    if race.moved == 0:
        tell(story, STANDS, chariot)
        pop(stack)
        return
    go_to(stack, BRAKING)
    tell(story, PAID, chariot, 1, P_BRAKE)
    push(stack, LOSE, chariot, STAMINA, 1, NOTHING)


@kernel
def meet_low(race, edition, chariot, way, off, left):
    """O7: run over something low that it can clear with the way it has left."""
    _, hit_at = follow(race, edition, chariot, way, off, left, np.int64(0))
    if hit_at == NOTHING or way_over(race, edition, chariot, way, off, hit_at, left) == 0:
        return False
    return run_into(race, edition, chariot, way, off, hit_at, np.int64(0))


@kernel
def run_into(race, edition, chariot, way, off, hit_at, passing):
    """A run-through of what is hit after so many units; False if that is nothing low."""
    stack = race.stack
    x, y, heading = race.x[chariot], race.y[chariot], race.heading[chariot]
    hx, hy, hh = at(edition, race.scenario, way + hit_at, off)
    hit = hit_at_pose(race, edition, chariot, x, y, heading, hx, hy, hh, passing) & bits_of_low(race, edition)
    if hit == 0 or race.chain >= MOST_COLLISIONS:
        return False
    obj = drawn_by_lot(race, hit)
    pair = drawn_by_lot(race, parts_at(race, edition, chariot, hx, hy, hh, obj))
    if obj < OBSTACLE:
        keep(stack, 4, argument(stack, 4) | (1 << (obj - WRECK_OF)))
    else:
        keep(stack, 5, argument(stack, 5) | (1 << (obj - OBSTACLE)))
    keep(stack, 6, race.body[chariot])
    go_to(stack, PASSING)
    race.stopped = 0
    initiator, target = chariot * 4 + pair // 4, obj * 4 + pair % 4
    push(stack, COLLIDE, initiator, target, heading, normal(race, edition, chariot, obj), RUN)
    return True


@kernel
def way_over(race, edition, chariot, way, off, begin, left):
    """B8: the least way, beyond its beginning, to a place clear of everything, with nothing big before it; or 0."""
    rest, _ = follow(race, edition, chariot, way, off, left, bits_of_low(race, edition))
    gone = begin
    while gone < rest:
        gone = min(gone + MM, rest)
        x, y, heading = at(edition, race.scenario, way + gone, off)
        if is_clear(race, edition, chariot, x, y, heading, np.int64(0)):
            return gone
    return np.int64(0)


@kernel
def pass_over(race, edition, chariot, left, story):
    """B11: over what it has run into, and into the next low thing on the way, until it is clear of all."""
    stack = race.stack
    passing = passed_pieces(argument(stack, 4), argument(stack, 5))
    way, off = race.way[chariot], offset_now(race, edition, chariot)
    gone = way_over(race, edition, chariot, way, off, np.int64(0), left)
    _, hit_at = follow(race, edition, chariot, way, off, gone, passing)
    if hit_at != NOTHING and run_into(race, edition, chariot, way, off, hit_at, passing):
        return
    go_to(stack, FACING)
    if gone > 0 and hit_at == NOTHING:
        keep(stack, 1, left - gone)
        run_to(race, edition, chariot, way + gone, off, gone, story)


# --- on foot --------------------------------------------------------------------------------------------------------


@kernel
def can_walk(race, edition, chariot, degrees, mm, left):
    """F1: a straight leg that touches nothing, within the distance left."""
    piece = DRIVER_OF + chariot
    if mm < 1 or mm * MM > left:
        return False
    x, y, direction = race.x[piece], race.y[piece], degrees * DEGREE
    rest, hit_at = way_free(race, edition, piece, x, y, race.heading[piece], direction, mm * MM, np.int64(0))
    return hit_at == NOTHING and rest >= mm * MM


@kernel
def walk(race, edition, story):
    """F1, T8: straight legs as with the slowest token, in any direction."""
    stack = race.stack
    chariot, left = argument(stack, 0), argument(stack, 1)
    piece = DRIVER_OF + chariot
    if race.place[chariot] != ON_FOOT or race.stunned[chariot] or race.kind[piece] == ABSENT or left < MM:
        pop(stack)
    elif stage(stack) == 0:
        go_to(stack, 1)
        ask(race, ASK_WALK, chariot, left)
    elif race.reply == DO_STOP:
        pop(stack)
    else:
        race.chain = 0
        code = race.reply - DO_WALK
        direction, units = code // 64 * DEGREE, code % 64 * MM
        x, y = translated(race.x[piece], race.y[piece], direction, units)
        heading = race.heading[piece]
        tell(story, MOVED, chariot, piece, M_WALK, units, x, y, heading)
        set_pose(race, edition, piece, x, y, heading, story)
        keep(stack, 1, left - units)
        go_to(stack, 0)
