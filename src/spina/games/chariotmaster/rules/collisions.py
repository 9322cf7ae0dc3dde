"""Moves and what they run into: collisions, bounces, running through."""

from __future__ import annotations

import numpy as np

from spina.games.chariotmaster.rules.chariots import (
    bits_of_low,
    collision_value,
    end_turn_of,
    holder,
    roller_of,
    settle,
    take_off,
)
from spina.games.chariotmaster.rules.contacts import align_angle, contact, normal, parts_at
from spina.games.chariotmaster.rules.effects import (
    BOUNCE,
    COLLIDE,
    COUNTS,
    GENTLE,
    LOSE,
    MOST_COLLISIONS,
    MOVE,
    RAM,
    ROLL,
    RUN,
    RUNS,
    STILL,
    THROUGH,
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
from spina.games.chariotmaster.rules.field import hit_at_pose, is_clear, is_fixed, is_low, pivot_free, way_free
from spina.games.chariotmaster.rules.geometry import pivoted, translated
from spina.games.chariotmaster.rules.record import (
    ABSENT,
    BODY,
    CHARIOT,
    CHARIOTS,
    DEAD,
    DRIVER_OF,
    FULL,
    HEALTH,
    MAN,
    NOTHING,
    OBSTACLE,
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

HALF_TURN = FULL // 2
NUDGE = 3
"""Units that an aligned base may be set back so that it stands clear of what it hit."""

BLOWS = 16
"""More than the hits of one side: value and hits of a collision are kept in one number."""
KIND_SHIFT = 3
"""Above the flags of a collision stands the kind of the initiator at the hit."""

# --- moves ----------------------------------------------------------------------------------------------------------


@kernel
def set_pose(race, edition, piece, x, y, heading, story):
    """Put a piece somewhere, and see where on the track that is."""
    race.x[piece] = x
    race.y[piece] = y
    race.heading[piece] = heading
    settle(race, edition, piece, story)


@kernel
def drawn_by_lot(race, bits):
    """One member of a set, all as likely (C2, C3)."""
    if count_bits(bits) == 1:
        return lowest_bit(bits)
    return nth_bit(bits, below(race.dice_to_come, count_bits(bits)))


@kernel
def passed_pieces(wrecks, obstacles):
    """The low pieces that a move passes over, from the two halves in which it keeps them."""
    return (wrecks << WRECK_OF) | (obstacles << OBSTACLE)


@kernel
def can_run(race, piece):
    """Horses run over low things; wrecks and people do not."""
    return piece < CHARIOTS


@kernel
def comes_clear(race, edition, piece, direction, most):
    """B8: whether it gets clear of all that is low before something big or the end of its way stops it."""
    x, y, heading = race.x[piece], race.y[piece], race.heading[piece]
    rest, _ = way_free(race, edition, piece, x, y, heading, direction, most, bits_of_low(race, edition))
    x, y = translated(x, y, direction, rest)
    return rest > 0 and is_clear(race, edition, piece, x, y, heading, np.int64(0))


@kernel
def move(race, edition, story):
    """M4, M7: a swept move. It goes on after running through something low."""
    stack = race.stack
    piece, direction, most, flags = argument(stack, 0), argument(stack, 1), argument(stack, 2), argument(stack, 3)
    if stage(stack) == 0:
        keep(stack, 7, race.kind[piece])
    crashed = argument(stack, 7) == CHARIOT and race.kind[piece] != CHARIOT
    if race.kind[piece] == ABSENT or crashed or (stage(stack) == 1 and race.stopped):
        pop(stack)
        return
    passing = passed_pieces(argument(stack, 5), argument(stack, 6))
    x, y, heading = race.x[piece], race.y[piece], race.heading[piece]
    rest, hit_at = way_free(race, edition, piece, x, y, heading, direction, most, passing)
    nx, ny = translated(x, y, direction, rest)
    if passing and not is_clear(race, edition, piece, nx, ny, heading, np.int64(0)):
        rest, nx, ny = 0, x, y  # what it met has changed on the way: it does not come to rest upon it
    hx, hy = x, y
    if hit_at != NOTHING:
        hx, hy = translated(x, y, direction, hit_at)
    hit = np.int64(0)
    if hit_at != NOTHING and not flags & GENTLE and race.chain < MOST_COLLISIONS:
        hit = hit_at_pose(race, edition, piece, x, y, heading, hx, hy, heading, passing)
    if flags & COUNTS:
        race.moved += rest
    if rest > 0:
        tell(story, MOVED, piece % CHARIOTS, piece, argument(stack, 4), rest, nx, ny, heading)
        set_pose(race, edition, piece, nx, ny, heading, story)
    if hit == 0:
        pop(stack)
        return
    obj = drawn_by_lot(race, hit)
    pair = drawn_by_lot(race, parts_at(race, edition, piece, hx, hy, heading, obj))
    initiator, target = piece * 4 + pair // 4, obj * 4 + pair % 4
    way = normal(race, edition, piece, obj)
    if (
        flags & RUNS
        and can_run(race, piece)
        and is_low(race, edition, obj)
        and comes_clear(race, edition, piece, direction, most - rest)
    ):
        go_to(stack, 1)
        keep(stack, 2, most - rest)
        if obj < OBSTACLE:
            keep(stack, 5, argument(stack, 5) | (1 << (obj - WRECK_OF)))
        else:
            keep(stack, 6, argument(stack, 6) | (1 << (obj - OBSTACLE)))
        race.stopped = 0
        push(stack, COLLIDE, initiator, target, direction, way, RUN)
    else:
        become(stack, COLLIDE, initiator, target, direction, way, 0)


# --- collisions -----------------------------------------------------------------------------------------------------


@kernel
def hurt(race, obj, part, points, away):
    """Damage to a part, as the kind of points it has; walls, wrecks and obstacles have none (C8, M3)."""
    if points <= 0 or obj >= OBSTACLE or WRECK_OF <= obj < DRIVER_OF:
        return
    kind = STAMINA
    if part == BODY:
        kind = STRUCTURE
    elif part == MAN:
        kind = HEALTH
    push(race.stack, LOSE, obj % CHARIOTS, kind, points, away)


@kernel
def count_hits(race, edition, first, last):
    """Dice that do damage."""
    hits = 0
    for die in range(first, last):
        if race.die[die] >= edition.hit_from:
            hits += 1
    return hits


@kernel
def count_sixes(race, first, last):
    """Sixes add to the impact."""
    sixes = 0
    for die in range(first, last):
        if race.die[die] == 6:
            sixes += 1
    return sixes


@kernel
def collide(race, edition, story):
    """C5: both sides roll, the target suffers, the initiator suffers, then the bounce by the dice as rolled."""
    stack = race.stack
    initiator, target, flags = argument(stack, 0), argument(stack, 1), argument(stack, 4)
    own = collision_value(race, edition, initiator // 4, initiator % 4)
    if flags & RAM:
        own += edition.ram_bonus
    other = collision_value(race, edition, target // 4, target % 4)
    step = stage(stack)
    if step == 0:
        race.chain += 1
        keep_contact(race, edition, initiator // 4, target // 4)
        chariot = roller_of(initiator // 4)
        form = flags & (RAM | RUN)
        tell(story, COLLIDED, chariot, initiator // 4, initiator % 4, target // 4, target % 4, form, race.chain)
        go_to(stack, 1)
        push(stack, ROLL, chariot, own, R_COLLISION, roller_of(target // 4), other)
    elif step == 1:
        hits, blows = count_hits(race, edition, 0, own), count_hits(race, edition, own, own + other)
        impact, answer = own + count_sixes(race, 0, own), other + count_sixes(race, own, own + other)
        tell(story, HITS, roller_of(initiator // 4), hits, blows, impact, answer)
        keep(stack, 5, (impact - answer) * BLOWS + blows)
        go_to(stack, 2)
        hurt(race, target // 4, target % 4, hits, argument(stack, 3))
    elif step == 2:
        go_to(stack, 3)
        away = (argument(stack, 3) + HALF_TURN) % FULL
        hurt(race, initiator // 4, initiator % 4, argument(stack, 5) % BLOWS, away)
    elif flags & STILL:
        clear_the_dead(race, initiator // 4, target // 4)
        pop(stack)
    else:
        direction, away, value = argument(stack, 2), argument(stack, 3), argument(stack, 5) // BLOWS
        ahead, left = argument(stack, 6), argument(stack, 7)
        op = THROUGH if flags & RUN else BOUNCE
        become(stack, op, initiator, target, direction, away, flags, value, ahead, left)


@kernel
def keep_contact(race, edition, piece, obj):
    """C6: where they met, in the frame of the initiator as it was then, for an alignment after the damage."""
    stack = race.stack
    ahead, left = contact(race, edition, piece, obj)
    keep(stack, 4, argument(stack, 4) | race.kind[piece] << KIND_SHIFT)
    keep(stack, 6, ahead)
    keep(stack, 7, left)


@kernel
def kept_contact(race, edition, piece, obj):
    """The point kept for the bounce on top; where the piece has become another one, the point nearest now."""
    stack = race.stack
    if piece == argument(stack, 0) // 4 and race.kind[piece] == argument(stack, 4) >> KIND_SHIFT:
        return argument(stack, 6), argument(stack, 7)
    ahead, left = contact(race, edition, piece, obj)
    return np.int64(ahead), np.int64(left)


@kernel
def clear_the_dead(race, first, second):
    """C6: a driver who died in a collision is taken away when it is over."""
    for chariot in range(race.chariots):
        piece = DRIVER_OF + chariot
        if (piece == first or piece == second) and race.place[chariot] == DEAD:
            take_off(race, piece)


@kernel
def align(race, edition, piece, obj, ahead, left, away, story):
    """B2, B3: flush with what it hit, about the point of contact, as far as nothing else is in the way.

    `away` is the direction from the piece to what it hit. Returns the angle turned.
    """
    angle = align_angle(race, edition, piece, obj)
    if angle == 0:
        return np.int64(0)
    x, y, heading = race.x[piece], race.y[piece], race.heading[piece]
    spared = np.int64(0)
    if obj != WALL:
        spared = np.int64(1) << obj
    free = pivot_free(race, edition, piece, x, y, heading, ahead, left, angle, spared)
    turned = free if angle > 0 else -free
    nx, ny, turned_heading = pivoted(x, y, heading, ahead, left, turned)
    back = (away + HALF_TURN) % FULL
    for nudge in range(NUDGE + 1):
        cx, cy = translated(nx, ny, back, nudge)
        if is_clear(race, edition, piece, cx, cy, turned_heading, np.int64(0)):
            tell(story, ALIGNED, piece % CHARIOTS, piece, turned, cx, cy, turned_heading)
            set_pose(race, edition, piece, cx, cy, turned_heading, story)
            return turned
    free = pivot_free(race, edition, piece, x, y, heading, ahead, left, angle, np.int64(0))
    turned = free if angle > 0 else -free
    if turned:
        nx, ny, turned_heading = pivoted(x, y, heading, ahead, left, turned)
        tell(story, ALIGNED, piece % CHARIOTS, piece, turned, nx, ny, turned_heading)
        set_pose(race, edition, piece, nx, ny, turned_heading, story)
    return turned


@kernel
def is_across(race, obj, direction):
    """Whether a direction is that of a side of what was hit."""
    return obj == WALL or (direction - race.heading[obj]) % RIGHT_ANGLE == 0


@kernel
def bounce(race, edition, story):
    """The bounce table, acting on whatever now holds the parts that met (C6)."""
    stack = race.stack
    initiator, target = argument(stack, 0), argument(stack, 1)
    piece, obj = holder(race, initiator // 4, initiator % 4), holder(race, target // 4, target % 4)
    flags, value, step = argument(stack, 4), argument(stack, 5), stage(stack)
    chariot = initiator // 4
    if step == 0:
        tell(story, BOUNCED, roller_of(initiator // 4), value, initiator // 4, target // 4)
        if piece != NOTHING and obj != NOTHING:
            ahead, left = kept_contact(race, edition, piece, obj)
            away = argument(stack, 3)
            turned = align(race, edition, piece, obj, ahead, left, away, story)
            if not is_across(race, obj, away):
                keep(stack, 3, (away + turned) % FULL)  # B1: it was a side of the initiator, and turned with it
        if obj == NOTHING or (value > 2 and is_fixed(race, edition, obj)):
            value = min(value, 0)  # B5: what is fixed stays, what is gone is gone
        keep(stack, 5, value)
        away = argument(stack, 3)
        if value < 0:
            end_turn_of(race, chariot)
        if value <= -3 and piece != NOTHING and not is_fixed(race, edition, piece):
            back = (away if flags & RAM else argument(stack, 2)) + HALF_TURN
            go_to(stack, 2)
            push(stack, MOVE, piece, back % FULL, edition.bounce_back, RUNS, M_BOUNCE)
        elif value >= 3:
            go_to(stack, 1 if value >= 5 else 2)
            push(stack, MOVE, obj, away, edition.bounce_throw if value >= 5 else edition.bounce_push, RUNS, M_BOUNCE)
        else:
            go_to(stack, 2)
    elif step == 1:
        go_to(stack, 2)
        if piece != NOTHING and not is_fixed(race, edition, piece):
            push(stack, MOVE, piece, argument(stack, 3), edition.bounce_follow, GENTLE, M_FOLLOW)
    else:
        if value >= 5 and obj != NOTHING and WRECK_OF <= obj < DRIVER_OF and target // 4 == obj:
            destroy(race, obj, story)
        if not flags & RAM:
            end_turn_of(race, chariot)  # C4
        clear_the_dead(race, initiator // 4, target // 4)
        pop(stack)


@kernel
def destroy(race, wreck, story):
    """A wreck is gone for good."""
    take_off(race, wreck)
    tell(story, DESTROYED, wreck - WRECK_OF, wreck)


@kernel
def run_through(race, edition, story):
    """The table for running over something low; the move goes on after it (B9, B10)."""
    stack = race.stack
    chariot, obj = argument(stack, 0) // 4, argument(stack, 1) // 4
    value, away = argument(stack, 5), argument(stack, 3)
    ahead, left = kept_contact(race, edition, chariot, obj)
    tell(story, RAN_THROUGH, chariot, value, obj)
    if value < 3:
        race.may_pivot = 0
    if value < 0:
        end_turn_of(race, chariot)
    pop(stack)
    if value <= -3:
        race.stopped = 1
        if race.kind[chariot] != ABSENT and race.kind[obj] != ABSENT:
            align(race, edition, chariot, obj, ahead, left, away, story)
    elif value == -2:
        push(stack, LOSE, chariot, STRUCTURE, 1, NOTHING)
    elif value == -1:
        push(stack, LOSE, chariot, STAMINA, 1, NOTHING)
    elif value >= 5 and WRECK_OF <= obj < DRIVER_OF:
        destroy(race, obj, story)
