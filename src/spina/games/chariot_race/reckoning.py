"""What dice, paths and places are worth: exact expectation over everything that may still be rolled.

A value for every set of dice that may lie on the table at the end, and from there backwards through every re-roll that
fate can pay for. A set of dice is known by how many show each side, packed into one number.
"""

from __future__ import annotations

import math

import numpy as np

from spina.games.chariot_race.moving import is_heap, is_safe, occupant
from spina.games.chariot_race.rolling import speed_after
from spina.games.chariot_race.state import (
    ATTACK,
    CHANGE,
    DICE,
    FORTUNA,
    MOST_SPEED,
    NOTHING,
    SIDES,
    SPACES,
    SPRINT,
    STEER,
    WAYS,
)
from spina.kernel.compile import kernel

# --- what a driver values, in straight spaces -----------------------------------------------------------------------

(
    W_DISTANCE,  # a space of way
    W_SPEED,  # a point of speed for the next turn
    W_CORNER,  # a point of damage to be feared in the next corner
    W_CONDITION,  # the condition that is left; the first points are worth most
    W_FATE,  # a point of fate
    W_JAVELIN,  # a javelin that finds a target
    W_CALTROP,  # a caltrop dropped
    W_RAM,  # a point of damage done to a rival by ramming
    W_WRECK,  # not being wrecked
    W_HOME,  # being over the line
    W_RUSH,  # a point of speed, whatever the chariot can bear
) = range(11)

CODES = 6**SIDES
"""Room for a value for every set of dice."""
UNREACHED = 1e9


@kernel
def unit_of(side):
    """What one die of this side adds to the number of a set."""
    return 6**side


@kernel
def showing(code, side):
    """How many dice of a set show this side."""
    return code // 6**side % 6


@kernel
def chance_of(edition, side):
    """How likely a die shows this side."""
    faces = 0
    for face in range(6):
        if edition.die[face] == side:
            faces += 1
    return faces / 6.0


# --- where a path leads ---------------------------------------------------------------------------------------------


@kernel
def entry_damage(race, edition, chariot, space, speed):
    """What entering this space costs."""
    damage = 0
    number = edition.number[space]
    if number > 0 and speed > number:
        damage += speed - number
    if race.caltrop[space]:
        damage += edition.caltrop_damage
    if occupant(race, space, chariot) != NOTHING:
        damage += edition.ram_damage
    return damage


@kernel
def ram_bonus(race, edition, chariot, space, weights):
    """What hurting a rival on the way is worth."""
    other = occupant(race, space, chariot)
    if other == NOTHING or is_safe(race, other) or race.seat[other] == race.seat[chariot]:
        return 0.0
    return weights[W_RAM] * min(edition.ram_damage, race.condition[other])


@kernel
def clear(cost):
    """No space is reached yet."""
    for used in range(cost.shape[0]):
        for space in range(cost.shape[1]):
            cost[used, space] = UNREACHED


@kernel
def room_for_paths():
    """Tables for `spread`, by speed: nothing is reached yet."""
    reach = np.empty((MOST_SPEED + 1, DICE + 1, SPACES))
    for speed in range(MOST_SPEED + 1):
        clear(reach[speed])
    return reach, np.zeros((MOST_SPEED + 1, DICE + 1, SPACES), np.int64)


@kernel
def move_over(cost, damage, here, hurt):
    """Go on from where the last step led."""
    for used in range(cost.shape[0]):
        for space in range(cost.shape[1]):
            here[used, space] = cost[used, space]
            hurt[used, space] = damage[used, space]


@kernel
def spread(race, edition, chariot, speed, points, steers, cost, damage, weights):
    """The cheapest way to every space that so many points and lane changes reach.

    `cost` and `damage` are tables by lane changes used and space; cost is damage less what rams are worth. A heap is a
    wreck, and so is never entered.
    """
    start = race.space[chariot]
    here = np.empty((DICE + 1, SPACES))
    hurt = np.zeros((DICE + 1, SPACES), np.int64)
    clear(here)
    clear(cost)
    here[0, start] = 0.0
    cost[0, start] = 0.0
    damage[0, start] = 0
    for _ in range(points):
        clear(cost)
        for used in range(steers + 1):
            for space in range(edition.spaces):
                if here[used, space] == UNREACHED:
                    continue
                for way in range(WAYS):
                    then = edition.next[space, way]
                    steer = used + (1 if way else 0)
                    if then == NOTHING or steer > steers or is_heap(race, edition, then):
                        continue
                    lost = entry_damage(race, edition, chariot, then, speed)
                    total = here[used, space] + lost - ram_bonus(race, edition, chariot, then, weights)
                    if total < cost[steer, then]:
                        cost[steer, then] = total
                        damage[steer, then] = hurt[used, space] + lost
        move_over(cost, damage, here, hurt)


@kernel
def resting_place(race, edition, chariot, space):
    """Where a chariot stands that ends here: R7, behind whoever is rammed."""
    while occupant(race, space, chariot) != NOTHING or is_heap(race, edition, space):
        lane = edition.lane[space]
        space = edition.first[lane] + (space - edition.first[lane] - 1) % edition.count[lane]
    return space


@kernel
def way_gained(edition, start, space, points):
    """Units of the course from one space to another, where so many steps lie between them at most."""
    gained = edition.front[space] - edition.front[start]
    if gained < -edition.length // 2:
        gained += edition.length
    elif gained > edition.length // 2:
        gained -= edition.length
    return gained


@kernel
def fear_of_corner(edition, space, speed, limit):
    """The damage that the next corner would do at about this speed, if it comes soon."""
    pace = max(0, min(speed, limit) - 1)
    ahead = edition.next[space, 0]
    for _ in range(pace + 1):
        if edition.number[ahead] > 0:
            return max(0, pace - edition.number[ahead])
        ahead = edition.next[ahead, 0]
    return 0


@kernel
def worth_of_attacks(race, edition, chariot, space, points, attacks, weights):
    """What the attack dice are good for at the end of the move."""
    if attacks == 0:
        return 0.0
    for target in range(race.chariots):
        if target != chariot and not race.wrecked[target] and race.seat[target] != race.seat[chariot]:
            if not is_safe(race, target) and edition.near[space, race.space[target]] > 0:
                return attacks * weights[W_JAVELIN]
    return weights[W_CALTROP] * min(attacks, max(0, points - 1))


@kernel
def worth_of_standing(race, edition, chariot, space, speed, condition, points, fate, attacks, weights):
    """The value of ending the turn like this."""
    if condition <= 0:
        return -weights[W_WRECK]
    kind = race.kind[chariot]
    rest = resting_place(race, edition, chariot, space)
    unit = edition.length / 32.0
    gained = way_gained(edition, race.space[chariot], rest, points) / unit
    limit = edition.speed_limit[kind, condition]
    value = weights[W_DISTANCE] * gained + weights[W_SPEED] * min(speed, limit) + weights[W_RUSH] * speed
    value -= weights[W_CORNER] * fear_of_corner(edition, rest, speed, limit)
    value += weights[W_CONDITION] * math.sqrt(condition) + weights[W_FATE] * min(fate, edition.most_fate[kind])
    laps = race.lap[chariot]
    if edition.front[rest] < edition.front[race.space[chariot]] and gained > 0.0:
        laps += 1
    if laps >= edition.laps:
        value += weights[W_HOME]
    return value + worth_of_attacks(race, edition, chariot, rest, points, attacks, weights)


# --- what a set of dice is worth ------------------------------------------------------------------------------------


@kernel
def best_end(race, edition, chariot, speed, steers, condition, points, fate, attacks, cost, damage, weights):
    """The best end of the move among all spaces that can be reached."""
    best = -UNREACHED
    for used in range(steers + 1):
        for space in range(edition.spaces):
            if cost[used, space] < UNREACHED:
                left = condition - damage[used, space]
                value = worth_of_standing(race, edition, chariot, space, speed, left, points, fate, attacks, weights)
                value += damage[used, space] - cost[used, space]  # rams
                best = max(best, value)
    return best


@kernel
def worth_of_dice(race, edition, chariot, code, fate, reach, harm, weights):
    """The value of stopping with these dice: best signs, best path. Returns it and how many dice count as plus."""
    kind = race.kind[chariot]
    changes, sprints = showing(code, CHANGE), showing(code, SPRINT)
    condition = race.condition[chariot] - edition.sprint_damage * sprints
    gift = fate + showing(code, FORTUNA)
    best, pick = -2.0 * UNREACHED, 0
    for plus in range(changes + 1):
        speed = speed_after(edition, kind, race.speed[chariot], changes, plus, sprints)
        value = best_end(
            race, edition, chariot, speed, showing(code, STEER), condition, speed, gift, showing(code, ATTACK),
            reach[speed], harm[speed], weights,
        )  # fmt: skip
        if value > best:
            best, pick = value, plus
    return best, pick


@kernel
def list_sets(sets, dice):
    """Every set of up to so many dice, the smaller ones first; returns how many there are."""
    count = 0
    for size in range(dice + 1):
        for a in range(size + 1):
            for b in range(size + 1 - a):
                for c in range(size + 1 - a - b):
                    for d in range(size + 1 - a - b - c):
                        e = size - a - b - c - d
                        sets[count, 0] = a + 6 * b + 36 * c + 216 * d + 1296 * e
                        sets[count, 1] = size
                        count += 1
    return count


@kernel
def expect(edition, sets, count, dice, final, expected):
    """The value of every kept set before the other dice are rolled, from the values of full sets."""
    for i in range(count - 1, -1, -1):
        code = sets[i, 0]
        if sets[i, 1] == dice:
            expected[code] = final[code]
        else:
            total = 0.0
            for side in range(SIDES):
                total += chance_of(edition, side) * expected[code + unit_of(side)]
            expected[code] = total


@kernel
def best_keep(expected, code, all_too):
    """The best set to keep out of these dice, and its value. `all_too`: keeping everything counts."""
    best, pick = -2.0 * UNREACHED, code
    for a in range(showing(code, 0) + 1):
        for b in range(showing(code, 1) + 1):
            for c in range(showing(code, 2) + 1):
                for d in range(showing(code, 3) + 1):
                    for e in range(showing(code, 4) + 1):
                        kept = a + 6 * b + 36 * c + 216 * d + 1296 * e
                        if (all_too or kept != code) and expected[kept] > best:
                            best, pick = expected[kept], kept
    return best, pick


@kernel
def best_turn(final, code):
    """The best die to turn: the set that comes of it, and its value."""
    best, pick = -2.0 * UNREACHED, code
    for side in range(SIDES):
        if showing(code, side) > 0:
            for other in range(FORTUNA):
                if other != side:
                    then = code - unit_of(side) + unit_of(other)
                    if final[then] > best:
                        best, pick = final[then], then
    return best, pick


@kernel
def appraise(race, edition, chariot, dice, fate, sets, count, levels, weights):
    """Values of all sets of dice, for every amount of fate that purchases can leave.

    levels[2k] are the values of full sets with k purchases made, best play from there; levels[2k + 1] those of kept
    sets before a roll. Returns the number of purchases that fate can pay for.
    """
    reach, harm = room_for_paths()
    most = edition.most_speed[race.kind[chariot]]
    slow = max(0, race.speed[chariot] - dice)
    fast = min(most, race.speed[chariot] + edition.sprint_speed * dice)
    for speed in range(slow, fast + 1):
        spread(race, edition, chariot, speed, speed, dice, reach[speed], harm[speed], weights)
    bought = fate // edition.fortune_cost
    for k in range(bought, -1, -1):
        left = fate - k * edition.fortune_cost
        for i in range(count):
            code = sets[i, 0]
            if sets[i, 1] == dice:
                value, _ = worth_of_dice(race, edition, chariot, code, left, reach, harm, weights)
                if k < bought:
                    rolled, _ = best_keep(levels[2 * k + 3], code, False)
                    turned, _ = best_turn(levels[2 * k + 2], code)
                    value = max(value, max(rolled, turned))
                levels[2 * k, code] = value
        expect(edition, sets, count, dice, levels[2 * k], levels[2 * k + 1])
    return bought


@kernel
def tables(dice):
    """Room for all sets of dice and their values."""
    return np.zeros((300, 2), np.int64), np.zeros((10, CODES))
