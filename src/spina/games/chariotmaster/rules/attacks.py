"""Attacks: what can be reached, what it costs, how it is avoided, what it does."""

from __future__ import annotations

import numpy as np

from spina.games.chariotmaster.rules.chariots import (
    are_one_side,
    drives,
    is_frightening,
    is_out_of_control,
    team_value,
)
from spina.games.chariotmaster.rules.collisions import HALF_TURN, count_hits
from spina.games.chariotmaster.rules.contacts import level_parts, side_touch, strip_parts
from spina.games.chariotmaster.rules.dice import ask
from spina.games.chariotmaster.rules.effects import COLLIDE, LOSE, MOVE, RAM, ROLL, RUNS, TEST
from spina.games.chariotmaster.rules.event_kinds import (
    AT_BITE,
    AT_BOARS,
    AT_RAM,
    AT_WHIP_DRIVER,
    AT_WHIP_HORSES,
    ATTACKED,
    BITTEN,
    DEF_BACK,
    DEF_BEAR,
    DEFENDED,
    DUELLED,
    LOST_WHIP,
    M_BRAKE,
    M_EVADE,
    M_WHIPPED,
    P_ATTACK,
    P_DEFENCE,
    PAID,
    R_BACK,
    R_BITE,
    R_DUEL,
    R_EVADE,
    R_WHIP_HORSES,
    R_WOUND,
    T_DEFENCE,
    VOID,
)
from spina.games.chariotmaster.rules.field import is_fixed
from spina.games.chariotmaster.rules.geometry import cosine, sine
from spina.games.chariotmaster.rules.losses import confuse
from spina.games.chariotmaster.rules.record import (
    ABOARD,
    ABSENT,
    ASK_DEFEND,
    ASK_SIDE,
    BOARS,
    BODY,
    CHARIOT,
    CHARIOTS,
    CM,
    DO_BEAR,
    DO_BITE,
    DO_BOARS,
    DO_RAM,
    DO_SHY,
    DO_SIDE,
    DO_WHIP_DRIVER,
    DO_WHIP_HORSES,
    FRONT,
    FULL,
    HEALTH,
    HORSES,
    NOTHING,
    PIECES,
    RIGHT_ANGLE,
    SKILL,
    STAMINA,
)
from spina.kernel.compiler import kernel
from spina.kernel.effect_stack import argument, become, go_to, keep, pop, push, stage
from spina.kernel.narration import tell

# --- what can be attacked -------------------------------------------------------------------------------------------


@kernel
def is_target(race, edition, attacker, obj):
    """A2, A3: anything that is there and not fixed, but no chariot of the own side."""
    if obj == attacker or race.kind[obj] == ABSENT or is_fixed(race, edition, obj):
        return False
    return obj >= CHARIOTS or not are_one_side(race, attacker, obj)


@kernel
def is_near(race, attacker, obj):
    """A quick look before measuring: centres close enough for bases to touch or be level."""
    reach = np.int64(race.half_long[attacker]) * 2 + np.int64(race.half_long[obj]) * 2 + race.half_wide[obj] + 100
    return abs(race.x[attacker] - race.x[obj]) <= reach and abs(race.y[attacker] - race.y[obj]) <= reach


@kernel
def level_with(race, edition, attacker, obj, side):
    """A1: parts of an object that this side edge touches and the axle is level with, as bits."""
    if not side_touch(race, edition, attacker, side, obj, 0):
        return np.int64(0)
    return level_parts(race, edition, attacker, side, obj)


@kernel
def ram_side(race, edition, attacker, obj, part):
    """The side on which the body can ram a part, or NOTHING."""
    for side in range(2):
        if level_with(race, edition, attacker, obj, side) >> part & 1:
            return side
    return NOTHING


@kernel
def can_strike(race, edition, attacker, obj, part, which, side):
    """Whether an attack is possible from where both stand (A1, A2, Q7, Q8); asked again after a defence (A8)."""
    if obj < 0 or obj >= PIECES or not is_target(race, edition, attacker, obj) or not is_near(race, attacker, obj):
        return False
    if which == AT_RAM:
        return ram_side(race, edition, attacker, obj, part) != NOTHING
    if which == AT_BOARS:
        return race.beast[attacker] == BOARS and strip_parts(race, edition, attacker, side, obj) >> part & 1 == 1
    if obj >= CHARIOTS:
        return False
    if which == AT_BITE:
        if race.bite[attacker] == 0:
            return False
        for flank in range(2):
            if strip_parts(race, edition, attacker, flank, obj) >> HORSES & 1:
                return True
        return False
    if not race.whip[attacker]:
        return False
    if which == AT_WHIP_HORSES:
        return ram_side(race, edition, attacker, obj, HORSES) != NOTHING
    if race.kind[obj] != CHARIOT or race.place[obj] != ABOARD:
        return False
    return ram_side(race, edition, attacker, obj, BODY) != NOTHING


@kernel
def list_attacks(race, edition, attacker, out, most):
    """All attacks by number; returns how many. With `most` 1 it only looks whether there is one."""
    count = 0
    for obj in range(PIECES):
        if not is_target(race, edition, attacker, obj) or not is_near(race, attacker, obj):
            continue
        level = np.int64(0)
        for side in range(2):
            level |= level_with(race, edition, attacker, obj, side)
        for part in range(4):
            if level >> part & 1:
                out[count] = DO_RAM + obj * 4 + part
                count += 1
                if count >= most:
                    return count
        if obj < CHARIOTS and race.whip[attacker]:
            if level >> HORSES & 1:
                out[count] = DO_WHIP_HORSES + obj
                count += 1
            if level >> BODY & 1 and race.kind[obj] == CHARIOT and race.place[obj] == ABOARD:
                out[count] = DO_WHIP_DRIVER + obj
                count += 1
        if obj < CHARIOTS and can_strike(race, edition, attacker, obj, HORSES, AT_BITE, 0):
            out[count] = DO_BITE + obj
            count += 1
        if race.beast[attacker] == BOARS:
            for side in range(3):
                parts = strip_parts(race, edition, attacker, side, obj)
                for part in range(4):
                    if parts >> part & 1:
                        out[count] = DO_BOARS + (obj * 4 + part) * 3 + side
                        count += 1
        if count >= most:
            return count
    return count


@kernel
def can_attack(race, edition, attacker):
    """Whether there is anything to attack at all."""
    return list_attacks(race, edition, attacker, np.zeros(64, np.int64), 1) > 0


@kernel
def attack_of(action):
    """Object, part, kind and side of an attack's number."""
    if action < DO_WHIP_HORSES:
        return (action - DO_RAM) // 4, (action - DO_RAM) % 4, AT_RAM, 0
    if action < DO_WHIP_DRIVER:
        return action - DO_WHIP_HORSES, HORSES, AT_WHIP_HORSES, 0
    if action < DO_BITE:
        return action - DO_WHIP_DRIVER, BODY, AT_WHIP_DRIVER, 0
    if action < DO_BOARS:
        return action - DO_BITE, HORSES, AT_BITE, 0
    code = action - DO_BOARS
    return code // 12, code // 3 % 4, AT_BOARS, code % 3


@kernel
def price_of(race, attacker, obj):
    """A5, Q10: the first attack is free, further ones cost a point; a frightening target costs one more."""
    price = 1 if race.attacks > 0 else 0
    if obj < CHARIOTS and is_frightening(race, obj) and not is_frightening(race, attacker):
        price += 1
    return price


# --- defence --------------------------------------------------------------------------------------------------------


@kernel
def can_defend(race, obj):
    """A7: a chariot under control with a conscious driver standing in it."""
    if obj >= CHARIOTS or race.kind[obj] != CHARIOT:
        return False
    return not is_out_of_control(race, obj) and not race.stunned[obj]


@kernel
def may_shy(race, attacker, defender):
    """Q10: from a frightening chariot horses run away by themselves."""
    return is_frightening(race, attacker) and not is_frightening(race, defender)


@kernel
def side_away(race, attacker, defender):
    """A9: 0 left, 1 right, the side on which the attacker is not; NOTHING if it is neither."""
    heading = race.heading[defender]
    dx, dy = race.x[defender] - race.x[attacker], race.y[defender] - race.y[attacker]
    dot = dy * cosine(heading) - dx * sine(heading)  # with the direction to the left
    if dot > 0:
        return 0
    return 1 if dot < 0 else NOTHING


# --- the attack -----------------------------------------------------------------------------------------------------

PAYING, DEFENDING, PAID_FOR, TRIED, SIDED, AVOIDING, STRIKING, AFTERMATH, LAST = range(1, 10)
"""Stages of an attack."""


@kernel
def attack(race, edition, story):
    """Price, defence, and if nothing has broken the contact (A8) the effect."""
    stack = race.stack
    attacker, obj, part, which = argument(stack, 0), argument(stack, 1), argument(stack, 2), argument(stack, 3)
    side, defence = argument(stack, 4), argument(stack, 5)
    step = stage(stack)
    if step == 0:
        tell(story, ATTACKED, attacker, which, obj, part, side)
        price = price_of(race, attacker, obj)
        race.attacks += 1
        if obj < CHARIOTS:
            race.attacks_on[obj] += 1
        go_to(stack, PAYING)
        if price:
            tell(story, PAID, attacker, price, P_ATTACK)
            push(stack, LOSE, attacker, STAMINA, price, NOTHING)
    elif step == PAYING:
        if not drives(race, attacker):
            pop(stack)
        elif not can_strike(race, edition, attacker, obj, part, which, side):
            tell(story, VOID, attacker, obj)
            pop(stack)
        elif can_defend(race, obj):
            go_to(stack, DEFENDING)
            ask(race, ASK_DEFEND, obj, attacker)
        else:
            go_to(stack, STRIKING)
    elif step == DEFENDING:
        defence = race.reply - DO_BEAR
        keep(stack, 5, defence)
        tell(story, DEFENDED, obj, defence, attacker)
        if defence == DEF_BEAR:
            go_to(stack, STRIKING)
        else:
            go_to(stack, PAID_FOR)
            tell(story, PAID, obj, 1, P_DEFENCE)
            push(stack, LOSE, obj, STAMINA, 1, NOTHING)
    elif step == PAID_FOR:
        if not can_strike(race, edition, attacker, obj, part, which, side):
            tell(story, VOID, attacker, obj)
            pop(stack)
        elif not can_defend(race, obj):
            go_to(stack, STRIKING)
        elif defence == DO_SHY - DO_BEAR:
            race.passed = 1
            go_to(stack, TRIED)
        else:
            go_to(stack, TRIED)
            push(stack, TEST, obj, race.attacks_on[obj], T_DEFENCE)
    elif step == TRIED:
        if not race.passed:
            go_to(stack, STRIKING)
        elif defence == DEF_BACK:
            go_to(stack, AVOIDING)
            push(stack, ROLL, obj, 1, R_BACK, NOTHING, 0)
        else:
            away = side_away(race, attacker, obj)
            if away == NOTHING:
                go_to(stack, SIDED)
                ask(race, ASK_SIDE, obj, attacker)
            else:
                keep(stack, 6, away)
                go_to(stack, AVOIDING)
                push(stack, ROLL, obj, 1, R_EVADE, NOTHING, 0)
    elif step == SIDED:
        keep(stack, 6, race.reply - DO_SIDE)
        go_to(stack, AVOIDING)
        push(stack, ROLL, obj, 1, R_EVADE, NOTHING, 0)
    elif step == AVOIDING:
        heading = race.heading[obj]
        if defence == DEF_BACK:
            become(stack, MOVE, obj, (heading + HALF_TURN) % FULL, race.die[0] * CM, RUNS, M_BRAKE)
        elif argument(stack, 6) == 0:
            become(stack, MOVE, obj, (heading + RIGHT_ANGLE) % FULL, race.die[0] * CM, RUNS, M_EVADE)
        else:
            become(stack, MOVE, obj, (heading + FULL - RIGHT_ANGLE) % FULL, race.die[0] * CM, RUNS, M_EVADE)
    elif step == STRIKING and not can_strike(race, edition, attacker, obj, part, which, side):
        tell(story, VOID, attacker, obj)
        pop(stack)
    elif which == AT_RAM or which == AT_BOARS:
        ram(race, edition, attacker, obj, part, which, side)
    elif which == AT_WHIP_HORSES:
        whip_horses(race, obj, step, story)
    elif which == AT_WHIP_DRIVER:
        whip_driver(race, attacker, obj, step, story)
    else:
        bite(race, edition, attacker, obj, step, story)


@kernel
def ram(race, edition, attacker, obj, part, which, side):
    """A12, B1, Q7: a collision with two more dice; its direction is that of the attacking side or front."""
    own = HORSES
    if which == AT_RAM:
        own = BODY
        side = ram_side(race, edition, attacker, obj, part)
    heading = race.heading[attacker]
    if side != FRONT:
        heading += RIGHT_ANGLE if side == 0 else FULL - RIGHT_ANGLE
    heading %= FULL
    become(race.stack, COLLIDE, attacker * 4 + own, obj * 4 + part, heading, heading, RAM)


@kernel
def whip_horses(race, obj, step, story):
    """A10: the team bolts D6 cm ahead; a 6 takes it out of control; then it loses two points."""
    stack = race.stack
    attacker = argument(stack, 0)
    if step == STRIKING:
        go_to(stack, AFTERMATH)
        push(stack, ROLL, attacker, 1, R_WHIP_HORSES, NOTHING, 0)
    elif step == AFTERMATH:
        keep(stack, 7, race.die[0])
        go_to(stack, LAST)
        push(stack, MOVE, obj, race.heading[obj], race.die[0] * CM, RUNS, M_WHIPPED)
    else:
        if argument(stack, 7) == 6 and race.kind[obj] != ABSENT and not is_out_of_control(race, obj):
            confuse(race, obj, story)
        become(stack, LOSE, obj, STAMINA, 2, NOTHING)


@kernel
def whip_driver(race, attacker, obj, step, story):
    """A11: die, skill and health of both; the higher attacker wounds, a tie costs him his whip."""
    stack = race.stack
    if step == STRIKING:
        go_to(stack, AFTERMATH)
        push(stack, ROLL, attacker, 1, R_DUEL, obj, 1)
    elif step == AFTERMATH:
        own = race.die[0] + race.points[attacker, SKILL] + race.points[attacker, HEALTH]
        other = race.die[1] + race.points[obj, SKILL] + race.points[obj, HEALTH]
        tell(story, DUELLED, attacker, obj, own, other)
        if own > other:
            go_to(stack, LAST)
            push(stack, ROLL, attacker, 1, R_WOUND, NOTHING, 0)
        else:
            pop(stack)
            if own == other:
                race.whip[attacker] = 0
                tell(story, LOST_WHIP, attacker)
    else:
        become(stack, LOSE, obj, SKILL if race.die[0] <= 3 else HEALTH, 1, NOTHING)


@kernel
def bite(race, edition, attacker, obj, step, story):
    """Q8: both teams roll; the one with fewer hits loses the difference."""
    stack = race.stack
    own = np.int64(race.bite[attacker])
    other = np.int64(race.bite[obj])
    if other == 0:
        other = team_value(race, edition, obj)
    if step == STRIKING:
        go_to(stack, AFTERMATH)
        push(stack, ROLL, attacker, own, R_BITE, obj, other)
        return
    hits, blows = count_hits(race, edition, 0, own), count_hits(race, edition, own, own + other)
    tell(story, BITTEN, attacker, obj, hits, blows)
    if hits > blows:
        become(stack, LOSE, obj, STAMINA, hits - blows, NOTHING)
    elif blows > hits:
        become(stack, LOSE, attacker, STAMINA, blows - hits, NOTHING)
    else:
        pop(stack)
