"""Runaway teams along the middle of the track, and drivers on foot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.rules.chariots import (
    bits_of_low,
    coded,
    eliminate,
    end_turn_of,
    is_with_horses,
    reach_of,
    take_off,
    token_in_use,
)
from spina.games.chariotmaster.rules.collisions import drawn_by_lot, keep_passed, passed_pieces, set_pose
from spina.games.chariotmaster.rules.contacts import normal, parts_at
from spina.games.chariotmaster.rules.dice import ask, distance_rolled, roll_die
from spina.games.chariotmaster.rules.effects import (
    COLLIDE,
    MOST_COLLISIONS,
    RUN,
    RUNAWAY_BODY,
    RUNAWAY_LEFT,
    RUNAWAY_OBSTACLES,
    RUNAWAY_REACH,
    RUNAWAY_TO,
    RUNAWAY_WRECKS,
    WALK_LEFT,
    Runaway,
    Walk,
)
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
    PIVOTED,
    R_BRAKE,
    RAN_OFF,
    STANDS,
)
from spina.games.chariotmaster.rules.field import (
    follow,
    hit_at_pose,
    is_clear,
    pivot_free,
    pose_of,
    shift_free,
    way_free,
)
from spina.games.chariotmaster.rules.geometry import Pose, angle_to, translated
from spina.games.chariotmaster.rules.losses import pay
from spina.games.chariotmaster.rules.record import (
    ABSENT,
    ASK_WALK,
    CM,
    DEGREE,
    DO_STOP,
    DO_WALK,
    DRIVER_OF,
    MM,
    NOTHING,
    ON_FOOT,
    PARTS,
    WALK_CODES,
)
from spina.games.chariotmaster.rules.track import at, offset
from spina.kernel.compiler import kernel
from spina.kernel.effect_stack import argument, go_to, keep, pop, push, stage
from spina.kernel.narration import tell

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

# --- runaways -------------------------------------------------------------------------------------------------------

FACE_THE_WAY, RUN_ON, SWEEP, BRAKE, SLOW_DOWN, PASS_OVER = range(6)
"""Stages of a runaway."""


@kernel
def runaway_on_top(stack):
    """The arguments of the runaway under way."""
    return Runaway(
        argument(stack, 0), argument(stack, 1), argument(stack, 2), argument(stack, 3), argument(stack, 4),
        argument(stack, 5), argument(stack, 6),
    )  # fmt: skip


@kernel
def runs(race: RaceRecord, chariot):
    """Whether the team can still run in this turn."""
    return race.kind[chariot] != ABSENT and not race.ended and not race.home[chariot]


@kernel
def runaway(race: RaceRecord, edition: EditionRecord, story):
    """O3 to O8: along the middle of the track, round what stands there, as far as its token goes."""
    stack = race.stack
    shorten_way(race, edition)
    it, step = runaway_on_top(stack), stage(stack)
    if it.left <= 0 or (step != PASS_OVER and not runs(race, it.chariot)):
        pop(stack)
    elif step == FACE_THE_WAY and face_the_way(race, edition, it.chariot, story):
        go_to(stack, RUN_ON)
    elif step == FACE_THE_WAY:
        tell(story, STANDS, it.chariot)
        pop(stack)
    elif step == RUN_ON:
        keep(stack, RUNAWAY_WRECKS, 0)
        keep(stack, RUNAWAY_OBSTACLES, 0)
        run_on(race, edition, it.chariot, it.left, story)
    elif step == SWEEP:
        sweep_across(race, edition, it.chariot, it.to, story)
        go_to(stack, FACE_THE_WAY)
    elif step == BRAKE:
        go_to(stack, SLOW_DOWN)
        roll_die(stack, it.chariot, R_BRAKE)
    elif step == SLOW_DOWN:
        slow_down(race, it, story)
    elif race.stopped or race.kind[it.chariot] == ABSENT or race.body[it.chariot] != it.body:
        pop(stack)  # a violent stop, or a crash
    else:
        pass_over(race, edition, it, story)


@kernel
def slow_down(race: RaceRecord, it, story):
    """O7: a brake takes D6 cm off the way that is left."""
    units = distance_rolled(race)
    left = max(it.left - units, 0)
    keep(race.stack, RUNAWAY_LEFT, left)
    tell(story, CHANGED, it.chariot, A_BRAKE, -units, 0, left)
    go_to(race.stack, FACE_THE_WAY)


@kernel
def shorten_way(race: RaceRecord, edition: EditionRecord):
    """T4: a token that is lost on the way shortens it at once."""
    stack = race.stack
    it = runaway_on_top(stack)
    reach = reach_of(race, edition, it.chariot, token_in_use(race, it.chariot))
    if it.reach > reach:
        keep(stack, RUNAWAY_LEFT, max(it.left - it.reach + reach, 0))
    keep(stack, RUNAWAY_REACH, reach)


@kernel
def face_the_way(race: RaceRecord, edition: EditionRecord, chariot, story):
    """O4: about its own centre to the direction of the race; False if it cannot turn."""
    t, way = race.scenario, race.way[chariot]
    x, y, heading = race.x[chariot], race.y[chariot], race.heading[chariot]
    _, _, tangent = at(edition, t, way, 0)
    angle = angle_to(heading, tangent)
    if angle == 0:
        return True
    if pivot_free(race, edition, chariot, Pose(x, y, heading), 0, 0, angle, np.int64(0)) < abs(angle):
        return False
    tell(story, PIVOTED, chariot, chariot, angle, x, y, tangent)
    set_pose(race, edition, chariot, x, y, tangent, story)
    return True


@kernel
def offset_now(race: RaceRecord, edition: EditionRecord, chariot):
    """S26: where it is across the track. Poses are rounded: within a unit of the middle it counts as in the middle."""
    off = offset(edition, race.scenario, race.x[chariot], race.y[chariot], race.way[chariot])
    return off if abs(off) > 1 else np.int64(0)


@kernel
def has_room(race: RaceRecord, edition: EditionRecord, chariot, way, off, left):
    """O5: at least a centimetre of way, or what is left."""
    needed = min(left, CM)
    rest, _ = follow(race, edition, chariot, way, off, needed, np.int64(0))
    return rest >= needed


@kernel
def can_shift(race: RaceRecord, edition: EditionRecord, chariot, way, off, to, left):
    """Whether a sweep across the track is free and leads somewhere."""
    return shift_free(race, edition, chariot, way, off, to, np.int64(0)) and has_room(
        race, edition, chariot, way, to, left
    )


@kernel
def run_on(race: RaceRecord, edition: EditionRecord, chariot, left, story):
    """O5, O6: forward until the way is free to the middle, something is in the way, or the distance is used up."""
    way, off = race.way[chariot], offset_now(race, edition, chariot)
    if off != 0 and can_shift(race, edition, chariot, way, off, 0, left):
        pay_for_sweep(race, chariot, 0, P_CENTRE, story)
        return
    gone, blocked = way_along(race, edition, chariot, way, off, left)
    if gone > 0:
        run_to(race, edition, chariot, way + gone, off, gone, story)
        keep(race.stack, RUNAWAY_LEFT, left - gone)
        if race.kind[chariot] == ABSENT:
            return  # it has left an open course
        way, left = way + gone, left - gone
    if blocked and left > 0:
        get_round(race, edition, chariot, way, off, left, story)


@kernel
def way_along(race: RaceRecord, edition: EditionRecord, chariot, way, off, left):
    """O3, O5: units that it runs at this offset, and whether something stops it.

    Beside the middle it looks at every millimetre whether it could sweep there.
    """
    if off == 0:
        gone, _ = follow(race, edition, chariot, way, off, left, np.int64(0))
        return np.int64(gone), gone < left
    gone, blocked = np.int64(0), False
    while gone < left and not blocked:
        wanted = min(left - gone, MM)
        rest, _ = follow(race, edition, chariot, way + gone, off, wanted, np.int64(0))
        gone += rest
        blocked = rest < wanted
        if not blocked and can_shift(race, edition, chariot, way + gone, off, 0, left - gone):
            break
    return gone, blocked


@kernel
def run_to(race: RaceRecord, edition: EditionRecord, chariot, way, off, gone, story):
    """A stretch along the track."""
    x, y, heading = at(edition, race.scenario, way, off)
    race.moved += gone
    tell(story, MOVED, chariot, chariot, M_RUNAWAY, gone, x, y, heading)
    set_pose(race, edition, chariot, x, y, heading, story)
    leave_course(race, edition, chariot, story)


@kernel
def leave_course(race: RaceRecord, edition: EditionRecord, chariot, story):
    """O9, S4: an open course ends behind the finish; a team that runs off without a driver is gone."""
    t = race.scenario
    if edition.closed[t] or race.home[chariot] or race.way[chariot] + edition.line[t] < edition.length[t]:
        return
    if is_with_horses(race, chariot):
        return
    tell(story, RAN_OFF, chariot)
    take_off(race, chariot)
    eliminate(race, chariot, story)
    end_turn_of(race, chariot)


@kernel
def pay_for_sweep(race: RaceRecord, chariot, to, what, story):
    """O8: a point of stamina for a sweep; what that brings comes first."""
    keep(race.stack, RUNAWAY_TO, to)
    go_to(race.stack, SWEEP)
    pay(race, chariot, 1, what, story)


@kernel
def sweep_across(race: RaceRecord, edition: EditionRecord, chariot, to, story):
    """The sweep, if it is still free."""
    t, way = race.scenario, race.way[chariot]
    off = offset_now(race, edition, chariot)
    if off == to or not shift_free(race, edition, chariot, way, off, to, np.int64(0)):
        return
    x, y, heading = at(edition, t, way, to)
    tell(story, MOVED, chariot, chariot, M_CENTRE, abs(to - off), x, y, heading)
    set_pose(race, edition, chariot, x, y, heading, story)


@kernel
def get_round(race: RaceRecord, edition: EditionRecord, chariot, way, off, left, story):
    """O6, O7: the nearest way round; else over what is low; else brake, or stand if it has not moved at all."""
    to = detour(race, edition, chariot, way, off, left)
    if to != NO_DETOUR:
        pay_for_sweep(race, chariot, to, P_DETOUR, story)
    elif meet_low(race, edition, chariot, way, off, left):
        return
    elif race.moved == 0:
        tell(story, STANDS, chariot)
        pop(race.stack)
    else:
        go_to(race.stack, BRAKE)
        pay(race, chariot, 1, P_BRAKE, story)


NO_DETOUR = 1 << 30
"""An offset beyond every track."""


@kernel
def detour(race: RaceRecord, edition: EditionRecord, chariot, way, off, left):
    """O6: the offset of the nearest way round, the side towards the middle or the inside first; or NO_DETOUR."""
    t = race.scenario
    first = -1 if off > 0 else 1
    if off == 0:
        first = edition.inside[t]
    widest = edition.half_width[t]
    for k in range(1, 2 * widest // MM):
        for sign in range(2):
            to = off + (first if sign == 0 else -first) * k * MM
            if abs(to) < widest and can_shift(race, edition, chariot, way, off, to, left):
                return to
    return np.int64(NO_DETOUR)


@kernel
def meet_low(race: RaceRecord, edition: EditionRecord, chariot, way, off, left):
    """O7: run over something low that it can clear with the way it has left."""
    _, hit_at = follow(race, edition, chariot, way, off, left, np.int64(0))
    if hit_at == NOTHING or way_over(race, edition, chariot, way, off, hit_at, left) == 0:
        return False
    return run_into(race, edition, chariot, way, off, hit_at, np.int64(0))


@kernel
def run_into(race: RaceRecord, edition: EditionRecord, chariot, way, off, hit_at, passing):
    """O7, S20: a run-through of what is hit after `hit_at` units; False if that is nothing low."""
    stack = race.stack
    start = pose_of(race, chariot)
    hx, hy, hh = at(edition, race.scenario, way + hit_at, off)
    hit = hit_at_pose(race, edition, chariot, start, Pose(hx, hy, hh), passing) & bits_of_low(race, edition)
    if hit == 0 or race.chain >= MOST_COLLISIONS:
        return False
    obj = drawn_by_lot(race, hit)
    pair = drawn_by_lot(race, parts_at(race, edition, chariot, hx, hy, hh, obj))
    keep_passed(stack, obj, RUNAWAY_WRECKS, RUNAWAY_OBSTACLES)
    keep(stack, RUNAWAY_BODY, race.body[chariot])
    go_to(stack, PASS_OVER)
    race.stopped = 0
    initiator, target = coded(chariot, pair // PARTS), coded(obj, pair % PARTS)
    push(stack, COLLIDE, initiator, target, start.heading, normal(race, edition, chariot, obj), RUN)
    return True


@kernel
def way_over(race: RaceRecord, edition: EditionRecord, chariot, way, off, begin, left):
    """B8: the least way, beyond its beginning, to a place clear of everything, with nothing big before it; or 0."""
    rest, _ = follow(race, edition, chariot, way, off, left, bits_of_low(race, edition))
    gone = begin
    while gone < rest:
        gone = min(gone + MM, rest)
        x, y, heading = at(edition, race.scenario, way + gone, off)
        if is_clear(race, edition, chariot, Pose(x, y, heading), np.int64(0)):
            return gone
    return np.int64(0)


@kernel
def pass_over(race: RaceRecord, edition: EditionRecord, it, story):
    """B11: over what it has run into, and into the next low thing on the way, until it is clear of all."""
    stack, chariot, left = race.stack, it.chariot, it.left
    passing = passed_pieces(it.wrecks, it.obstacles)
    way, off = race.way[chariot], offset_now(race, edition, chariot)
    gone = way_over(race, edition, chariot, way, off, np.int64(0), left)
    _, hit_at = follow(race, edition, chariot, way, off, gone, passing)
    if hit_at != NOTHING and run_into(race, edition, chariot, way, off, hit_at, passing):
        return
    go_to(stack, FACE_THE_WAY)
    if gone > 0 and hit_at == NOTHING:
        keep(stack, RUNAWAY_LEFT, left - gone)
        run_to(race, edition, chariot, way + gone, off, gone, story)


# --- on foot --------------------------------------------------------------------------------------------------------


@kernel
def walk_of(action):
    """Degrees and millimetres of a leg's number."""
    return (action - DO_WALK) // WALK_CODES, (action - DO_WALK) % WALK_CODES


@kernel
def walk_code(degrees, mm):
    """The number of a leg."""
    return DO_WALK + degrees * WALK_CODES + mm


@kernel
def can_walk(race: RaceRecord, edition: EditionRecord, chariot, degrees, mm, left):
    """F1: a straight leg that touches nothing, within the distance left."""
    piece = DRIVER_OF + chariot
    if mm < 1 or mm * MM > left:
        return False
    rest, hit_at = way_free(race, edition, piece, pose_of(race, piece), degrees * DEGREE, mm * MM, np.int64(0))
    return hit_at == NOTHING and rest >= mm * MM


ASK_FOR_LEG, GO_LEG = range(2)
"""Stages of a walk."""


@kernel
def walk_on_top(stack):
    """The arguments of the walk under way."""
    return Walk(argument(stack, 0), argument(stack, 1))


@kernel
def walk(race: RaceRecord, edition: EditionRecord, story):
    """F1, T8: straight legs as with the slowest token, in any direction."""
    stack = race.stack
    it = walk_on_top(stack)
    piece = DRIVER_OF + it.chariot
    if race.place[it.chariot] != ON_FOOT or race.stunned[it.chariot] or race.kind[piece] == ABSENT or it.left < MM:
        pop(stack)
    elif stage(stack) == ASK_FOR_LEG:
        go_to(stack, GO_LEG)
        ask(race, ASK_WALK, it.chariot, it.left)
    elif race.reply == DO_STOP:
        pop(stack)
    else:
        go_leg(race, edition, it, story)
        go_to(stack, ASK_FOR_LEG)


@kernel
def go_leg(race: RaceRecord, edition: EditionRecord, it, story):
    """F1, S18, S24: one leg; the base does not turn."""
    piece = DRIVER_OF + it.chariot
    race.chain = 0
    degrees, mm = walk_of(race.reply)
    units = mm * MM
    x, y = translated(race.x[piece], race.y[piece], degrees * DEGREE, units)
    heading = race.heading[piece]
    tell(story, MOVED, it.chariot, piece, M_WALK, units, x, y, heading)
    set_pose(race, edition, piece, x, y, heading, story)
    keep(race.stack, WALK_LEFT, it.left - units)
