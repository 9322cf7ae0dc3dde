"""Attacks: what can be reached, what it costs, how it is avoided, what it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.rules.chariots import (
    are_one_side,
    coded,
    drives,
    is_frightening,
    is_out_of_control,
    team_value,
)
from spina.games.chariotmaster.rules.collisions import count_hits
from spina.games.chariotmaster.rules.contacts import level_parts, side_touch, strip_parts
from spina.games.chariotmaster.rules.dice import ask, distance_rolled, face_rolled, roll_die
from spina.games.chariotmaster.rules.effects import (
    ATTACK_DEFENCE,
    ATTACK_ESCAPE,
    ATTACK_FACE,
    COLLIDE,
    LOSE,
    MOVE,
    RAM,
    ROLL,
    RUNS,
    TEST,
    Attack,
)
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
    DEF_SHY,
    DEFENDED,
    DUELLED,
    LOST_WHIP,
    M_BRAKE,
    M_EVADE,
    M_WHIPPED,
    P_ATTACK,
    P_DEFENCE,
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
from spina.games.chariotmaster.rules.geometry import backwards, cosine, leftwards, rightwards, sine
from spina.games.chariotmaster.rules.losses import confuse, pay
from spina.games.chariotmaster.rules.record import (
    ABOARD,
    ABSENT,
    ASK_DEFEND,
    ASK_SIDE,
    BOARS,
    BODY,
    CHARIOT,
    CHARIOTS,
    DO_BEAR,
    DO_BITE,
    DO_BOARS,
    DO_RAM,
    DO_SIDE,
    DO_WHIP_DRIVER,
    DO_WHIP_HORSES,
    FACES,
    FRONT,
    HEALTH,
    HORSES,
    NOTHING,
    PARTS,
    PIECES,
    SKILL,
    STAMINA,
)
from spina.kernel.compiler import kernel
from spina.kernel.effect_stack import argument, become, go_to, keep, pop, push, stage
from spina.kernel.narration import tell

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

SIDES = 3
"""Sides on which boars attack: left, right, front."""
AXLE_SIDES = 2
"""Sides on which the axle can be level with something: left, right."""
BOLTS_ON = FACES
"""A10: the face with which whipped horses also get out of control."""
WHIP_COSTS = 2
"""A10: stamina that whipped horses lose."""
WOUNDS_HEALTH_FROM = 4
"""A11: from this face on a whip costs health, below it skill."""

# --- what can be attacked -------------------------------------------------------------------------------------------


@kernel
def is_target(race: RaceRecord, edition: EditionRecord, attacker, obj):
    """A2, A3, S23: anything that is there and not fixed, but no chariot of the own side."""
    if obj == attacker or race.kind[obj] == ABSENT or is_fixed(race, edition, obj):
        return False
    return obj >= CHARIOTS or not are_one_side(race, attacker, obj)


@kernel
def is_near(race: RaceRecord, attacker, obj):
    """A quick look before measuring: centres close enough for bases to touch or be level."""
    reach = np.int64(race.half_long[attacker]) * 2 + np.int64(race.half_long[obj]) * 2 + race.half_wide[obj] + 100
    return abs(race.x[attacker] - race.x[obj]) <= reach and abs(race.y[attacker] - race.y[obj]) <= reach


@kernel
def level_with(race: RaceRecord, edition: EditionRecord, attacker, obj, side):
    """A1: parts of an object that this side edge touches and the axle is level with, as bits."""
    if not side_touch(race, edition, attacker, side, obj, 0):
        return np.int64(0)
    return level_parts(race, edition, attacker, side, obj)


@kernel
def ram_side(race: RaceRecord, edition: EditionRecord, attacker, obj, part):
    """The side on which the body can ram a part, or NOTHING."""
    for side in range(AXLE_SIDES):
        if level_with(race, edition, attacker, obj, side) >> part & 1:
            return side
    return NOTHING


@kernel
def can_strike(race: RaceRecord, edition: EditionRecord, attacker, obj, part, which, side):
    """A1, A2, Q7, Q8: whether an attack is possible from where both stand; asked again after payments (A8, S22)."""
    if obj < 0 or obj >= PIECES or not is_target(race, edition, attacker, obj) or not is_near(race, attacker, obj):
        return False
    if which == AT_RAM:
        return ram_side(race, edition, attacker, obj, part) != NOTHING
    if which == AT_BOARS:
        return race.beast[attacker] == BOARS and strip_parts(race, edition, attacker, side, obj) >> part & 1 == 1
    if obj >= CHARIOTS:
        return False
    if which == AT_BITE:
        return can_bite(race, edition, attacker, obj)
    if not race.whip[attacker]:
        return False
    if which == AT_WHIP_HORSES:
        return ram_side(race, edition, attacker, obj, HORSES) != NOTHING
    return stands_in_body(race, obj) and ram_side(race, edition, attacker, obj, BODY) != NOTHING


@kernel
def can_bite(race: RaceRecord, edition: EditionRecord, attacker, obj):
    """Q8: a bite, and a chariot whose team the own team's half of a side edge touches."""
    if race.bite[attacker] == 0 or obj >= CHARIOTS:
        return False
    for flank in range(AXLE_SIDES):
        if strip_parts(race, edition, attacker, flank, obj) >> HORSES & 1:
            return True
    return False


@kernel
def stands_in_body(race: RaceRecord, chariot):
    """A2, A7: whether a chariot has its body and its driver in it."""
    return race.kind[chariot] == CHARIOT and race.place[chariot] == ABOARD


@kernel
def list_attacks(race: RaceRecord, edition: EditionRecord, attacker, out, most):
    """All attacks by number; returns how many. With `most` 1 it only looks whether there is one."""
    count = 0
    for obj in range(PIECES):
        if not is_target(race, edition, attacker, obj) or not is_near(race, attacker, obj):
            continue
        level = np.int64(0)
        for side in range(AXLE_SIDES):
            level |= level_with(race, edition, attacker, obj, side)
        for part in range(PARTS):
            if level >> part & 1:
                out[count] = DO_RAM + coded(obj, part)
                count += 1
                if count >= most:
                    return count
        if obj < CHARIOTS:
            count = list_whips(race, attacker, obj, level, out, count)
        if can_bite(race, edition, attacker, obj):
            out[count] = DO_BITE + obj
            count += 1
        if race.beast[attacker] == BOARS:
            count = list_boars(race, edition, attacker, obj, out, count)
        if count >= most:
            return count
    return count


@kernel
def list_whips(race: RaceRecord, attacker, obj, level, out, count):
    """A2: whips at a chariot with these parts level, after `count` other attacks; returns how many there are now."""
    if not race.whip[attacker]:
        return count
    if level >> HORSES & 1:
        out[count] = DO_WHIP_HORSES + obj
        count += 1
    if level >> BODY & 1 and stands_in_body(race, obj):
        out[count] = DO_WHIP_DRIVER + obj
        count += 1
    return count


@kernel
def list_boars(race: RaceRecord, edition: EditionRecord, attacker, obj, out, count):
    """Q7: rams by boars, after `count` other attacks; returns how many there are now."""
    for side in range(SIDES):
        parts = strip_parts(race, edition, attacker, side, obj)
        for part in range(PARTS):
            if parts >> part & 1:
                out[count] = DO_BOARS + coded(obj, part) * SIDES + side
                count += 1
    return count


@kernel
def can_attack(race: RaceRecord, edition: EditionRecord, attacker):
    """Whether anything can be attacked."""
    return list_attacks(race, edition, attacker, np.zeros(64, np.int64), 1) > 0


@kernel
def attack_of(action):
    """Object, part, kind and side of an attack's number."""
    if action < DO_WHIP_HORSES:
        return (action - DO_RAM) // PARTS, (action - DO_RAM) % PARTS, AT_RAM, 0
    if action < DO_WHIP_DRIVER:
        return action - DO_WHIP_HORSES, HORSES, AT_WHIP_HORSES, 0
    if action < DO_BITE:
        return action - DO_WHIP_DRIVER, BODY, AT_WHIP_DRIVER, 0
    if action < DO_BOARS:
        return action - DO_BITE, HORSES, AT_BITE, 0
    code = action - DO_BOARS
    return code // SIDES // PARTS, code // SIDES % PARTS, AT_BOARS, code % SIDES


@kernel
def price_of(race: RaceRecord, attacker, obj):
    """A5, Q10, Q11: the first attack is free, further ones cost a point; a frightening target costs one more."""
    price = 1 if race.attacks > 0 else 0
    if obj < CHARIOTS and is_frightening(race, obj) and not is_frightening(race, attacker):
        price += 1
    return price


# --- defence --------------------------------------------------------------------------------------------------------


@kernel
def can_defend(race: RaceRecord, obj):
    """A7, Q11: a chariot under control, that is, with a conscious driver standing in it."""
    return obj < CHARIOTS and race.kind[obj] == CHARIOT and not is_out_of_control(race, obj)


@kernel
def may_shy(race: RaceRecord, attacker, defender):
    """Q10: whether horses shy away from a frightening attacker without a test."""
    return is_frightening(race, attacker) and not is_frightening(race, defender)


@kernel
def side_away(race: RaceRecord, attacker, defender):
    """A9: 0 left, 1 right, the side on which the attacker is not; NOTHING if it is neither."""
    heading = race.heading[defender]
    dx, dy = race.x[defender] - race.x[attacker], race.y[defender] - race.y[attacker]
    dot = dy * cosine(heading) - dx * sine(heading)  # with the direction to the left
    if dot > 0:
        return 0
    return 1 if dot < 0 else NOTHING


# --- the attack -----------------------------------------------------------------------------------------------------

(
    ANNOUNCE, OFFER_DEFENCE, TAKE_DEFENCE, TEST_DEFENCE, AVOID, TAKE_SIDE, GET_AWAY, STRIKE, RESOLVE, CONCLUDE,
) = range(10)  # fmt: skip
"""Stages of an attack, each named after its step."""


@kernel
def attack_on_top(stack):
    """The arguments of the attack under way."""
    return Attack(
        argument(stack, 0), argument(stack, 1), argument(stack, 2), argument(stack, 3), argument(stack, 4),
        argument(stack, 5), argument(stack, 6), argument(stack, 7),
    )  # fmt: skip


@kernel
def attack(race: RaceRecord, edition: EditionRecord, story):
    """Price, defence, and if the attacker still reaches its target the effect."""
    it, step = attack_on_top(race.stack), stage(race.stack)
    if step == ANNOUNCE:
        announce(race, it, story)
    elif step == OFFER_DEFENCE:
        offer_defence(race, edition, it, story)
    elif step == TAKE_DEFENCE:
        take_defence(race, it, story)
    elif step == TEST_DEFENCE:
        test_defence(race, edition, it, story)
    elif step == AVOID:
        avoid(race, it)
    elif step == TAKE_SIDE:
        evade_to(race, it, race.reply - DO_SIDE)
    elif step == GET_AWAY:
        get_away(race, it)
    elif step == STRIKE and not still_reaches(race, edition, it):
        break_off(race, it, story)
    elif it.kind == AT_RAM or it.kind == AT_BOARS:
        ram(race, edition, it)
    elif it.kind == AT_WHIP_HORSES:
        whip_horses(race, it, step, story)
    elif it.kind == AT_WHIP_DRIVER:
        whip_driver(race, it, step, story)
    else:
        bite(race, edition, it, step, story)


@kernel
def announce(race: RaceRecord, it, story):
    """A5: the attack is named, counted and paid."""
    stack = race.stack
    tell(story, ATTACKED, it.attacker, it.kind, it.target, it.part, it.side)
    price = price_of(race, it.attacker, it.target)
    race.attacks += 1
    if it.target < CHARIOTS:
        race.attacks_on[it.target] += 1
    go_to(stack, OFFER_DEFENCE)
    if price:
        pay(race, it.attacker, price, P_ATTACK, story)


@kernel
def offer_defence(race: RaceRecord, edition: EditionRecord, it, story):
    """A7, S22: after the payment, if both still stand so that the attack is possible, the target may defend itself."""
    stack = race.stack
    if not drives(race, it.attacker):
        pop(stack)
    elif not still_reaches(race, edition, it):
        break_off(race, it, story)
    elif can_defend(race, it.target):
        go_to(stack, TAKE_DEFENCE)
        ask(race, ASK_DEFEND, it.target, it.attacker)
    else:
        go_to(stack, STRIKE)


@kernel
def take_defence(race: RaceRecord, it, story):
    """A7: the answer; a defence is paid."""
    stack = race.stack
    defence = race.reply - DO_BEAR
    keep(stack, ATTACK_DEFENCE, defence)
    tell(story, DEFENDED, it.target, defence, it.attacker)
    if defence == DEF_BEAR:
        go_to(stack, STRIKE)
    else:
        go_to(stack, TEST_DEFENCE)
        pay(race, it.target, 1, P_DEFENCE, story)


@kernel
def test_defence(race: RaceRecord, edition: EditionRecord, it, story):
    """A6, A8, Q10: without contact after the payment the attack is void; otherwise the test, or none in fright."""
    stack = race.stack
    if not still_reaches(race, edition, it):
        break_off(race, it, story)
    elif not can_defend(race, it.target):
        go_to(stack, STRIKE)
    elif it.defence == DEF_SHY:
        race.passed = 1
        go_to(stack, AVOID)
    else:
        go_to(stack, AVOID)
        push(stack, TEST, it.target, race.attacks_on[it.target], T_DEFENCE)


@kernel
def avoid(race: RaceRecord, it):
    """A8, A9: a failed test lets the attack happen; after a passed one the target rolls how far it gets away."""
    stack = race.stack
    if not race.passed:
        go_to(stack, STRIKE)
    elif it.defence == DEF_BACK:
        go_to(stack, GET_AWAY)
        roll_die(stack, it.target, R_BACK)
    else:
        away = side_away(race, it.attacker, it.target)
        if away == NOTHING:
            go_to(stack, TAKE_SIDE)
            ask(race, ASK_SIDE, it.target, it.attacker)
        else:
            evade_to(race, it, away)


@kernel
def evade_to(race: RaceRecord, it, side):
    """A9: the target evades to this side."""
    stack = race.stack
    keep(stack, ATTACK_ESCAPE, side)
    go_to(stack, GET_AWAY)
    roll_die(stack, it.target, R_EVADE)


@kernel
def get_away(race: RaceRecord, it):
    """A9, P6: D6 cm straight back or sideways; it may collide, and the attack is over."""
    stack, heading, units = race.stack, race.heading[it.target], distance_rolled(race)
    if it.defence == DEF_BACK:
        become(stack, MOVE, it.target, backwards(heading), units, RUNS, M_BRAKE)
    elif it.escape == 0:
        become(stack, MOVE, it.target, leftwards(heading), units, RUNS, M_EVADE)
    else:
        become(stack, MOVE, it.target, rightwards(heading), units, RUNS, M_EVADE)


@kernel
def still_reaches(race: RaceRecord, edition: EditionRecord, it):
    """A8, S22: whether the attack is still possible on the same part."""
    return can_strike(race, edition, it.attacker, it.target, it.part, it.kind, it.side)


@kernel
def break_off(race: RaceRecord, it, story):
    """A8: the attack is void."""
    tell(story, VOID, it.attacker, it.target)
    pop(race.stack)


# --- what attacks do ------------------------------------------------------------------------------------------------


@kernel
def ram(race: RaceRecord, edition: EditionRecord, it):
    """A12, B1, B12, Q7: a collision with two more dice; its direction is that of the attacking side or front."""
    own, side = HORSES, it.side
    if it.kind == AT_RAM:
        own, side = BODY, ram_side(race, edition, it.attacker, it.target, it.part)
    direction = race.heading[it.attacker]
    if side != FRONT:
        direction = leftwards(direction) if side == 0 else rightwards(direction)
    initiator, target = coded(it.attacker, own), coded(it.target, it.part)
    become(race.stack, COLLIDE, initiator, target, direction, direction, RAM)


@kernel
def whip_horses(race: RaceRecord, it, step, story):
    """A10: the team bolts D6 cm ahead; a 6 takes it out of control; then it loses two points."""
    stack = race.stack
    if step == STRIKE:
        go_to(stack, RESOLVE)
        roll_die(stack, it.attacker, R_WHIP_HORSES)
    elif step == RESOLVE:
        keep(stack, ATTACK_FACE, face_rolled(race))
        go_to(stack, CONCLUDE)
        push(stack, MOVE, it.target, race.heading[it.target], distance_rolled(race), RUNS, M_WHIPPED)
    else:
        if it.face == BOLTS_ON and race.kind[it.target] != ABSENT and not is_out_of_control(race, it.target):
            confuse(race, it.target, story)
        become(stack, LOSE, it.target, STAMINA, WHIP_COSTS, NOTHING)


@kernel
def whip_driver(race: RaceRecord, it, step, story):
    """A11: die, skill and health of both; the higher attacker wounds, a tie costs him his whip."""
    stack = race.stack
    if step == STRIKE:
        go_to(stack, RESOLVE)
        push(stack, ROLL, it.attacker, 1, R_DUEL, it.target, 1)
    elif step == RESOLVE:
        compare_whips(race, it, story)
    else:
        kind = HEALTH if face_rolled(race) >= WOUNDS_HEALTH_FROM else SKILL
        become(stack, LOSE, it.target, kind, 1, NOTHING)


@kernel
def compare_whips(race: RaceRecord, it, story):
    """A11: the sums of both drivers."""
    stack = race.stack
    own = race.die[0] + race.points[it.attacker, SKILL] + race.points[it.attacker, HEALTH]
    other = race.die[1] + race.points[it.target, SKILL] + race.points[it.target, HEALTH]
    tell(story, DUELLED, it.attacker, it.target, own, other)
    if own > other:
        go_to(stack, CONCLUDE)
        roll_die(stack, it.attacker, R_WOUND)
        return
    pop(stack)
    if own == other:
        race.whip[it.attacker] = 0
        tell(story, LOST_WHIP, it.attacker)


@kernel
def biting_dice(race: RaceRecord, edition: EditionRecord, chariot):
    """Q8: dice of a team that is bitten or bites: its bite, or without one its collision value."""
    dice = np.int64(race.bite[chariot])
    return dice if dice > 0 else team_value(race, edition, chariot)


@kernel
def bite(race: RaceRecord, edition: EditionRecord, it, step, story):
    """Q8: both teams roll; the one with fewer hits loses the difference."""
    stack = race.stack
    own, other = biting_dice(race, edition, it.attacker), biting_dice(race, edition, it.target)
    if step == STRIKE:
        go_to(stack, RESOLVE)
        push(stack, ROLL, it.attacker, own, R_BITE, it.target, other)
        return
    hits, blows = count_hits(race, edition, 0, own), count_hits(race, edition, own, own + other)
    tell(story, BITTEN, it.attacker, it.target, hits, blows)
    if hits > blows:
        become(stack, LOSE, it.target, STAMINA, hits - blows, NOTHING)
    elif blows > hits:
        become(stack, LOSE, it.attacker, STAMINA, blows - hits, NOTHING)
    else:
        pop(stack)
