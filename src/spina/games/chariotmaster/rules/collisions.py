"""Moves and what they run into: collisions, bounces, running through."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.rules.chariots import (
    bits_of_low,
    coded,
    collision_value,
    end_turn_of,
    holder,
    is_wreck,
    object_of,
    part_of,
    roller_of,
    settle,
    take_off,
)
from spina.games.chariotmaster.rules.contacts import align_angle, contact, normal, parts_at
from spina.games.chariotmaster.rules.effects import (
    BOUNCE,
    COLLIDE,
    COLLISION_AHEAD,
    COLLISION_DIRECTION,
    COLLISION_FLAGS,
    COLLISION_INITIATOR,
    COLLISION_LEFT,
    COLLISION_NORMAL,
    COLLISION_TARGET,
    COLLISION_VALUE,
    COUNTS,
    GENTLE,
    KIND_SHIFT,
    LOSE,
    MOST_COLLISIONS,
    MOVE,
    MOVE_KIND,
    MOVE_OBSTACLES,
    MOVE_UNITS,
    MOVE_WRECKS,
    RAM,
    ROLL,
    RUN,
    RUNS,
    STILL,
    THROUGH,
    Collision,
    Move,
)
from spina.games.chariotmaster.rules.event_kinds import (
    ALIGNED,
    BOUNCED,
    COLLIDED,
    DESTROYED,
    HITS,
    M_BOUNCE,
    M_FOLLOW,
    MOVED,
    R_COLLISION,
    RAN_THROUGH,
)
from spina.games.chariotmaster.rules.field import hit_at_pose, is_clear, is_fixed, is_low, pivot_free, pose_of, way_free
from spina.games.chariotmaster.rules.geometry import Pose, backwards, pivoted, translated
from spina.games.chariotmaster.rules.record import (
    ABSENT,
    BODY,
    CHARIOT,
    CHARIOTS,
    DEAD,
    DRIVER_OF,
    FACES,
    FULL,
    HEALTH,
    MAN,
    NOTHING,
    OBSTACLE,
    PARTS,
    RIGHT_ANGLE,
    STAMINA,
    STRUCTURE,
    WALL,
    WRECK_OF,
)
from spina.kernel.bits import count_bits, lowest_bit, nth_bit
from spina.kernel.compiler import kernel
from spina.kernel.effect_stack import argument, become, go_to, keep, pop, push, stage
from spina.kernel.narration import tell
from spina.kernel.random import below

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

NUDGE = 3
"""Units that an aligned base may be set back so that it stands clear of what it hit."""
BLOWS = 16
"""More than the hits of one side: value and hits of a collision are kept in one number."""

BACK_TO = -3
"""The bounce table: up to this value the initiator is thrown back; in a run-through it comes to a violent stop."""
PUSHED_FROM = 3
"""The bounce table: from this value on the target is pushed; a run-through may end in a pivot (B9)."""
THROWN_FROM = 5
"""The bounce table: from this value on the target is thrown and the initiator follows (B6); a wreck is destroyed."""
BODY_HURT, TEAM_HURT = -2, -1
"""Rows of the run-through table that cost a point of structure, and one of stamina."""

# --- moves ----------------------------------------------------------------------------------------------------------


@kernel
def set_pose(race: RaceRecord, edition: EditionRecord, piece, x, y, heading, story):
    """Put a piece at a pose, and find its place on the track."""
    race.x[piece] = x
    race.y[piece] = y
    race.heading[piece] = heading
    settle(race, edition, piece, story)


@kernel
def drawn_by_lot(race: RaceRecord, bits):
    """C2, C3: one member of a set, each with the same chance; luck does not change it (Q13)."""
    if count_bits(bits) == 1:
        return lowest_bit(bits)
    return nth_bit(bits, below(race.dice_to_come, count_bits(bits)))


@kernel
def passed_pieces(wrecks, obstacles):
    """The low pieces that a move passes over, from the two halves in which it keeps them."""
    return (wrecks << WRECK_OF) | (obstacles << OBSTACLE)


@kernel
def comes_clear(race: RaceRecord, edition: EditionRecord, piece, direction, most):
    """B8: whether it gets clear of all that is low before something big or the end of its way stops it."""
    start = pose_of(race, piece)
    rest, _ = way_free(race, edition, piece, start, direction, most, bits_of_low(race, edition))
    x, y = translated(start.x, start.y, direction, rest)
    return rest > 0 and is_clear(race, edition, piece, Pose(x, y, start.heading), np.int64(0))


HIT_SOMETHING = 1
"""Stage of a move that has run into something low; it goes on from there."""


@kernel
def move_on_top(stack):
    """The arguments of the move under way."""
    return Move(
        argument(stack, 0), argument(stack, 1), argument(stack, 2), argument(stack, 3), argument(stack, 4),
        argument(stack, 5), argument(stack, 6), argument(stack, 7),
    )  # fmt: skip


@kernel
def move(race: RaceRecord, edition: EditionRecord, story):
    """M4, M7, P6: a swept move to the first contact. It goes on after running through something low (B11)."""
    stack = race.stack
    if stage(stack) != HIT_SOMETHING:
        keep(stack, MOVE_KIND, race.kind[argument(stack, 0)])
    it = move_on_top(stack)
    if cannot_go_on(race, it, stage(stack)):
        pop(stack)
        return
    x, y, heading = race.x[it.piece], race.y[it.piece], race.heading[it.piece]
    passing = passed_pieces(it.wrecks, it.obstacles)
    rest, hit_at = way_free(race, edition, it.piece, Pose(x, y, heading), it.direction, it.units, passing)
    nx, ny = translated(x, y, it.direction, rest)
    if passing and not is_clear(race, edition, it.piece, Pose(nx, ny, heading), np.int64(0)):
        rest, nx, ny = 0, x, y  # what it met has changed on the way: it does not come to rest upon it
    hx, hy, hit = x, y, np.int64(0)
    if hit_at != NOTHING:
        hx, hy = translated(x, y, it.direction, hit_at)
        if not it.flags & GENTLE and race.chain < MOST_COLLISIONS:
            hit = hit_at_pose(race, edition, it.piece, Pose(x, y, heading), Pose(hx, hy, heading), passing)
    come_to_rest(race, edition, it, rest, nx, ny, heading, story)
    if hit == 0:
        pop(stack)
    else:
        run_into(race, edition, it, hit, hx, hy, heading, it.units - rest)


@kernel
def cannot_go_on(race: RaceRecord, it, step):
    """Whether the piece is gone, has crashed, or came to a violent stop in a run-through."""
    crashed = it.kind == CHARIOT and race.kind[it.piece] != CHARIOT
    return race.kind[it.piece] == ABSENT or crashed or (step == HIT_SOMETHING and race.stopped)


@kernel
def come_to_rest(race: RaceRecord, edition: EditionRecord, it, units, x, y, heading, story):
    """The way that a move has gone (C12, D4)."""
    if it.flags & COUNTS:
        race.moved += units
    if units > 0:
        tell(story, MOVED, it.piece % CHARIOTS, it.piece, it.how, units, x, y, heading)
        set_pose(race, edition, it.piece, x, y, heading, story)


@kernel
def run_into(race: RaceRecord, edition: EditionRecord, it, hit, x, y, heading, left):
    """C2, C3, S20: a collision with what was hit, or a run-through of something low that it can clear."""
    stack = race.stack
    obj = drawn_by_lot(race, hit)
    pair = drawn_by_lot(race, parts_at(race, edition, it.piece, x, y, heading, obj))
    initiator, target = coded(it.piece, pair // PARTS), coded(obj, pair % PARTS)
    away = normal(race, edition, it.piece, obj)
    if it.flags & RUNS and can_clear(race, edition, it.piece, obj, it.direction, left):
        go_to(stack, HIT_SOMETHING)
        keep(stack, MOVE_UNITS, left)
        keep_passed(stack, obj, MOVE_WRECKS, MOVE_OBSTACLES)
        race.stopped = 0
        push(stack, COLLIDE, initiator, target, it.direction, away, RUN)
    else:
        become(stack, COLLIDE, initiator, target, it.direction, away, 0)


@kernel
def can_clear(race: RaceRecord, edition: EditionRecord, piece, obj, direction, left):
    """B8, S20: whether a chariot or team runs over an object and comes clear of it."""
    return piece < CHARIOTS and is_low(race, edition, obj) and comes_clear(race, edition, piece, direction, left)


@kernel
def keep_passed(stack, obj, wrecks, obstacles):
    """Note in the effect on top that a low piece was run over; the slots are those of its wrecks and obstacles."""
    if obj < OBSTACLE:
        keep(stack, wrecks, argument(stack, wrecks) | (1 << (obj - WRECK_OF)))
    else:
        keep(stack, obstacles, argument(stack, obstacles) | (1 << (obj - OBSTACLE)))


# --- collisions -----------------------------------------------------------------------------------------------------


@kernel
def hurt(race: RaceRecord, obj, part, points, away):
    """C8, C11, M3, G1: damage to a part, in the kind of points it has; walls, wrecks and obstacles have none."""
    if points <= 0 or obj >= OBSTACLE or is_wreck(obj):
        return
    kind = STAMINA
    if part == BODY:
        kind = STRUCTURE
    elif part == MAN:
        kind = HEALTH
    push(race.stack, LOSE, obj % CHARIOTS, kind, points, away)


@kernel
def count_hits(race: RaceRecord, edition: EditionRecord, first, last):
    """M6: dice that do damage."""
    hits = 0
    for die in range(first, last):
        if race.die[die] >= edition.hit_from:
            hits += 1
    return hits


@kernel
def count_sixes(race: RaceRecord, first, last):
    """Sixes, which add to the impact."""
    sixes = 0
    for die in range(first, last):
        if race.die[die] == FACES:
            sixes += 1
    return sixes


ROLL_DICE, TARGET_SUFFERS, INITIATOR_SUFFERS, BOUNCES = range(4)
"""Stages of a collision (C5)."""


@kernel
def collision_on_top(stack):
    """The arguments of the collision, bounce or run-through under way."""
    initiator, target = argument(stack, COLLISION_INITIATOR), argument(stack, COLLISION_TARGET)
    return Collision(
        object_of(initiator), part_of(initiator), object_of(target), part_of(target),
        argument(stack, COLLISION_DIRECTION), argument(stack, COLLISION_NORMAL), argument(stack, COLLISION_FLAGS),
        argument(stack, COLLISION_VALUE), argument(stack, COLLISION_AHEAD), argument(stack, COLLISION_LEFT),
    )  # fmt: skip


@kernel
def initiators_dice(race: RaceRecord, edition: EditionRecord, it):
    """A12, M6: the initiator's collision value, with the bonus of a ram."""
    dice = collision_value(race, edition, it.initiator, it.own_part)
    return dice + edition.ram_bonus if it.flags & RAM else dice


@kernel
def collide(race: RaceRecord, edition: EditionRecord, story):
    """C5: both sides roll, the target suffers, the initiator suffers, then the bounce by the dice as rolled."""
    stack = race.stack
    it, step = collision_on_top(stack), stage(stack)
    if step == ROLL_DICE:
        go_to(stack, TARGET_SUFFERS)
        roll_both(race, edition, it, story)
    elif step == TARGET_SUFFERS:
        go_to(stack, INITIATOR_SUFFERS)
        hurt_target(race, edition, it, story)
    elif step == INITIATOR_SUFFERS:
        go_to(stack, BOUNCES)
        hurt(race, it.initiator, it.own_part, it.value % BLOWS, backwards(it.normal))
    elif it.flags & STILL:
        clear_the_dead(race, it.initiator, it.target)
        pop(stack)
    else:
        op = THROUGH if it.flags & RUN else BOUNCE
        initiator, target, value = coded(it.initiator, it.own_part), coded(it.target, it.part), it.value // BLOWS
        become(stack, op, initiator, target, it.direction, it.normal, it.flags, value, it.ahead, it.left)


@kernel
def roll_both(race: RaceRecord, edition: EditionRecord, it, story):
    """C5, M8: one more collision of the chain; both sides roll."""
    race.chain += 1
    keep_contact(race, edition, it.initiator, it.target)
    chariot, form = roller_of(it.initiator), it.flags & (RAM | RUN)
    tell(story, COLLIDED, chariot, it.initiator, it.own_part, it.target, it.part, form, race.chain)
    own, other = initiators_dice(race, edition, it), collision_value(race, edition, it.target, it.part)
    push(race.stack, ROLL, chariot, own, R_COLLISION, roller_of(it.target), other)


@kernel
def hurt_target(race: RaceRecord, edition: EditionRecord, it, story):
    """M6, C5: count hits and impacts of both sides; the target suffers first."""
    own, other = initiators_dice(race, edition, it), collision_value(race, edition, it.target, it.part)
    hits, blows = count_hits(race, edition, 0, own), count_hits(race, edition, own, own + other)
    impact, answer = own + count_sixes(race, 0, own), other + count_sixes(race, own, own + other)
    tell(story, HITS, roller_of(it.initiator), hits, blows, impact, answer)
    keep(race.stack, COLLISION_VALUE, (impact - answer) * BLOWS + blows)
    hurt(race, it.target, it.part, hits, it.normal)


@kernel
def keep_contact(race: RaceRecord, edition: EditionRecord, piece, obj):
    """C6: keep the point of contact, in the frame of the initiator, for an alignment after the damage."""
    stack = race.stack
    ahead, left = contact(race, edition, piece, obj)
    keep(stack, COLLISION_FLAGS, argument(stack, COLLISION_FLAGS) | race.kind[piece] << KIND_SHIFT)
    keep(stack, COLLISION_AHEAD, ahead)
    keep(stack, COLLISION_LEFT, left)


@kernel
def kept_contact(race: RaceRecord, edition: EditionRecord, it, piece, obj):
    """C6: the point of contact at the hit; if the piece has become another one, the point nearest now."""
    if piece == it.initiator and race.kind[piece] == it.flags >> KIND_SHIFT:
        return it.ahead, it.left
    ahead, left = contact(race, edition, piece, obj)
    return np.int64(ahead), np.int64(left)


@kernel
def clear_the_dead(race: RaceRecord, first, second):
    """C6: a driver who died in a collision is taken away when it is over."""
    for chariot in range(race.chariots):
        piece = DRIVER_OF + chariot
        if (piece == first or piece == second) and race.place[chariot] == DEAD:
            take_off(race, piece)


# --- alignment ------------------------------------------------------------------------------------------------------


@kernel
def align(race: RaceRecord, edition: EditionRecord, piece, obj, ahead, left, away, story):
    """B2, B3, S2, S18: turn flush with what was hit, about the point of contact, as far as nothing else is in the way.

    `away` is the direction from the piece to what it hit. Returns the angle turned.
    """
    angle = align_angle(race, edition, piece, obj)
    if angle == 0:
        return np.int64(0)
    spared = np.int64(0)
    if obj != WALL:
        spared = np.int64(1) << obj
    turned = free_alignment(race, edition, piece, ahead, left, angle, spared)
    x, y, heading = pivoted(race.x[piece], race.y[piece], race.heading[piece], ahead, left, turned)
    back = backwards(away)
    for nudge in range(NUDGE + 1):
        cx, cy = translated(x, y, back, nudge)
        if is_clear(race, edition, piece, Pose(cx, cy, heading), np.int64(0)):
            stand_aligned(race, edition, piece, turned, cx, cy, heading, story)
            return turned
    turned = free_alignment(race, edition, piece, ahead, left, angle, np.int64(0))
    if turned:
        x, y, heading = pivoted(race.x[piece], race.y[piece], race.heading[piece], ahead, left, turned)
        stand_aligned(race, edition, piece, turned, x, y, heading, story)
    return turned


@kernel
def free_alignment(race: RaceRecord, edition: EditionRecord, piece, ahead, left, angle, spared):
    """B3: the part of an alignment that is free, with its sign; `spared` are objects that do not stop it."""
    free = pivot_free(race, edition, piece, pose_of(race, piece), ahead, left, angle, spared)
    return free if angle > 0 else -free


@kernel
def stand_aligned(race: RaceRecord, edition: EditionRecord, piece, turned, x, y, heading, story):
    """The pose after an alignment."""
    tell(story, ALIGNED, piece % CHARIOTS, piece, turned, x, y, heading)
    set_pose(race, edition, piece, x, y, heading, story)


@kernel
def is_across(race: RaceRecord, obj, direction):
    """Whether a direction is that of a side of what was hit."""
    return obj == WALL or (direction - race.heading[obj]) % RIGHT_ANGLE == 0


# --- the tables -----------------------------------------------------------------------------------------------------

READ_TABLE, FOLLOW, SETTLE = range(3)
"""Stages of a bounce."""


@kernel
def bounce(race: RaceRecord, edition: EditionRecord, story):
    """The bounce table, acting on the pieces that now hold the parts that met (C6)."""
    stack = race.stack
    it, step = collision_on_top(stack), stage(stack)
    piece, obj = holder(race, it.initiator, it.own_part), holder(race, it.target, it.part)
    if step == READ_TABLE:
        tell(story, BOUNCED, roller_of(it.initiator), it.value, it.initiator, it.target)
        align_initiator(race, edition, it, piece, obj, story)
        keep(stack, COLLISION_VALUE, bounce_row(race, edition, it.value, obj))
        throw_about(race, edition, collision_on_top(stack), piece, obj)
    elif step == FOLLOW:
        go_to(stack, SETTLE)
        if piece != NOTHING and not is_fixed(race, edition, piece):
            push(stack, MOVE, piece, it.normal, edition.bounce_follow, GENTLE, M_FOLLOW)
    else:
        if it.value >= THROWN_FROM and is_wreck(obj) and it.target == obj:
            destroy(race, obj, story)  # B12, S21: but not a body that became a wreck through this hit
        if not it.flags & RAM:
            end_turn_of(race, it.initiator)  # C4
        clear_the_dead(race, it.initiator, it.target)
        pop(stack)


@kernel
def align_initiator(race: RaceRecord, edition: EditionRecord, it, piece, obj, story):
    """B1, B2, S2: the initiator is aligned; a normal that was that of its own side turns with it."""
    if piece == NOTHING or obj == NOTHING:
        return
    ahead, left = kept_contact(race, edition, it, piece, obj)
    turned = align(race, edition, piece, obj, ahead, left, it.normal, story)
    if not is_across(race, obj, it.normal):
        keep(race.stack, COLLISION_NORMAL, (it.normal + turned) % FULL)


@kernel
def bounce_row(race: RaceRecord, edition: EditionRecord, value, obj):
    """B5, S21: what is fixed stays, what is gone is gone: nothing is pushed then."""
    if obj == NOTHING or (value >= PUSHED_FROM and is_fixed(race, edition, obj)):
        return min(value, 0)
    return value


@kernel
def throw_about(race: RaceRecord, edition: EditionRecord, it, piece, obj):
    """The row of the bounce table: initiator back, nothing, target pushed, or target thrown (B4, B6, B7)."""
    stack = race.stack
    go_to(stack, SETTLE)
    if it.value < 0:
        end_turn_of(race, it.initiator)
    if it.value <= BACK_TO and piece != NOTHING and not is_fixed(race, edition, piece):
        back = backwards(it.normal if it.flags & RAM else it.direction)
        push(stack, MOVE, piece, back, edition.bounce_back, RUNS, M_BOUNCE)
    elif it.value >= THROWN_FROM:
        go_to(stack, FOLLOW)
        push(stack, MOVE, obj, it.normal, edition.bounce_throw, RUNS, M_BOUNCE)
    elif it.value >= PUSHED_FROM:
        push(stack, MOVE, obj, it.normal, edition.bounce_push, RUNS, M_BOUNCE)


@kernel
def destroy(race: RaceRecord, wreck, story):
    """A wreck is gone for good."""
    take_off(race, wreck)
    tell(story, DESTROYED, wreck - WRECK_OF, wreck)


@kernel
def run_through(race: RaceRecord, edition: EditionRecord, story):
    """B9, B10: the table for running over something low; the move goes on after it."""
    stack = race.stack
    it = collision_on_top(stack)
    chariot, obj = it.initiator, it.target
    ahead, left = kept_contact(race, edition, it, chariot, obj)
    tell(story, RAN_THROUGH, chariot, it.value, obj)
    if it.value < PUSHED_FROM:
        race.may_pivot = 0
    if it.value < 0:
        end_turn_of(race, chariot)
    pop(stack)
    if it.value <= BACK_TO:
        race.stopped = 1
        if race.kind[chariot] != ABSENT and race.kind[obj] != ABSENT:
            align(race, edition, chariot, obj, ahead, left, it.normal, story)
    elif it.value == BODY_HURT:
        push(stack, LOSE, chariot, STRUCTURE, 1, NOTHING)
    elif it.value == TEAM_HURT:
        push(stack, LOSE, chariot, STAMINA, 1, NOTHING)
    elif it.value >= THROWN_FROM and is_wreck(obj):
        destroy(race, obj, story)
