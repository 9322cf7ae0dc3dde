"""What dice, paths and places are worth: exact expectation over everything that may still be rolled.

First where paths lead, for all speeds at once; then what the best end of a move is worth, by speed, sprints, lane
changes and fate; then every set of dice that may lie on the table at the end, and from there backwards through every
re-roll that fate can pay for (`dice_sets.py`). Worth is counted in straight spaces.
"""

from __future__ import annotations

import numpy as np

from spina.games.chariot_race.dice_sets import (
    FIRST,
    IMPOSSIBLE,
    SETS,
    SHOWING,
    buying,
    look_ahead,
    turnings,
)
from spina.games.chariot_race.moving import distance, is_heap, is_safe, occupant
from spina.games.chariot_race.rolling import speed_after
from spina.games.chariot_race.solo_table import PARTS
from spina.games.chariot_race.state import (
    AHEAD,
    ATTACK,
    CHANGE,
    DICE,
    FORTUNA,
    MOST_CONDITION,
    MOST_SPEED,
    NOTHING,
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
    W_ALONE,  # a round less to go, as the solution for a chariot alone on the track has it
    W_BEYOND,  # a space beyond the line at the finish
    W_EXPOSED,  # a rival close behind in the same lane
    W_STAKE,  # a round that the chariot still had to go when it was wrecked
) = range(15)
WEIGHTS = 15

LAP_ALONE = 3.6
"""Rounds that a lap takes: before the line the solution of the lap behind it holds, and so much more."""
HURT = 1.5
"""What a point of damage is taken to be worth while ways to the same space are compared with what their rams bring."""
HARMLESS = MOST_SPEED + 1
"""Stands for no number."""
ENDS = 96
"""Most ways that are followed at once."""
ROOTS = np.sqrt(np.arange(MOST_CONDITION + 1))
CLOSE = 6.0
"""So many straight spaces behind is close."""

# --- where a path leads ---------------------------------------------------------------------------------------------


@kernel
def ram_bonus(race, edition, chariot, other, weights):
    """What hurting a rival on the way is worth."""
    if is_safe(race, other) or race.seat[other] == race.seat[chariot]:
        return 0.0
    return weights[W_RAM] * min(edition.ram_damage, race.condition[other])


@kernel
def room_for_ends():
    """What `spread` finds, by speed: how many ways, what each comes to, and the bonus of its rams."""
    return (
        np.zeros(MOST_SPEED + 1, np.int64),
        np.empty((MOST_SPEED + 1, ENDS), np.int64),
        np.empty((MOST_SPEED + 1, ENDS)),
    )


@kernel
def packed(space, used, lost, safe, safer, began):
    """A way in one number, so that it is quickly looked at and copied."""
    return (((((lost << 8 | safer) << 8 | safe) << 8 | used) << 8) | began) << 16 | space


@kernel
def space_of(way):
    """Where it leads."""
    return way & 0xFFFF


@kernel
def began_with(way):
    """Its first step."""
    return way >> 16 & 0xFF


@kernel
def changes_of(way):
    """How many lane changes it needs."""
    return way >> 24 & 0xFF


@kernel
def lowest_number(way):
    """The lowest number on it whose damage is not counted yet."""
    return way >> 32 & 0xFF


@kernel
def second_number(way):
    """The next lowest."""
    return way >> 40 & 0xFF


@kernel
def damage_of(way):
    """What it costs, but for those two numbers."""
    return way >> 48


@kernel
def follow(ways, gains, count, way, gain):
    """Add a way to those that are followed, unless one of them is as good in every respect; returns how many."""
    i = 0
    while i < count:
        other = ways[i]
        if (other ^ way) & 0xFFFF == 0:
            change, cost = changes_of(other) - changes_of(way), HURT * (damage_of(other) - damage_of(way))
            cost += gain - gains[i]
            first, second = lowest_number(way) - lowest_number(other), second_number(way) - second_number(other)
            if change <= 0 and cost <= 0.0 and first <= 0 and second <= 0:
                return count
            if change >= 0 and cost >= 0.0 and first >= 0 and second >= 0:
                count -= 1
                ways[i] = ways[count]
                gains[i] = gains[count]
                continue
        i += 1
    if count < ENDS:
        ways[count] = way
        gains[count] = gain
        count += 1
    return count


@kernel
def who_stands(race, but):
    """The chariot in each space, other than `but`; NOTHING where there is none."""
    standing = np.full(SPACES, NOTHING, np.int8)
    for chariot in range(race.chariots - 1, -1, -1):
        if chariot != but and not race.wrecked[chariot] and race.space[chariot] != NOTHING:
            standing[race.space[chariot]] = chariot
    return standing


@kernel
def spread(race, edition, chariot, start, slow, fast, taken, steers, initial, weights, ends):
    """The cheapest ways to every space that a move can end on, for each speed from `slow` to `fast`.

    So many steps have been `taken` already. Dice that must make the speed, from `initial` up, change no lanes. What a
    corner costs depends on the speed, so of each way the lowest two numbers that it passes are kept. A heap is a
    wreck, and so is never entered.
    """
    number, end, end_gains = ends
    both, both_gains = np.empty((2, ENDS), np.int64), np.empty((2, ENDS))
    standing = who_stands(race, chariot)
    ways, gains = both[0], both_gains[0]
    ways[0], gains[0], count = packed(start, 0, 0, HARMLESS, HARMLESS, AHEAD), 0.0, 1
    strength = max(1, edition.sprint_speed)
    for reached in range(taken, fast + 1):
        if reached >= slow:
            number[reached] = arrive(ways, gains, count, reached, end[reached], end_gains[reached])
        if reached == fast:
            break
        after, after_gains = both[(reached - taken + 1) % 2], both_gains[(reached - taken + 1) % 2]
        total = 0
        allowed = steers - max(0, reached - initial + strength) // strength
        for j in range(count):
            here = space_of(ways[j])
            for step in range(WAYS):
                then = edition.next[here, step]
                used = changes_of(ways[j]) + (0 if step == AHEAD else 1)
                if then == NOTHING or used > allowed or is_heap(race, edition, then):
                    continue
                lost, gain = damage_of(ways[j]), gains[j]
                safe, safer = lowest_number(ways[j]), second_number(ways[j])
                if race.caltrop[then]:
                    lost += edition.caltrop_damage
                other = standing[then]
                if other != NOTHING:
                    lost += edition.ram_damage
                    gain += ram_bonus(race, edition, chariot, other, weights)
                limit = edition.number[then]
                if limit > 0 and limit < fast:
                    if limit <= safe:
                        safe, safer = limit, safe
                    else:
                        safer = min(limit, safer)
                    if slow == fast:
                        lost, safe, safer = lost + fast - limit, HARMLESS, HARMLESS
                began = step if reached == taken else began_with(ways[j])
                total = follow(after, after_gains, total, packed(then, used, lost, safe, safer, began), gain)
        ways, gains, count = after, after_gains, total


@kernel
def arrive(ways, gains, count, speed, end, end_gains):
    """The ways that end here at this speed, with what the corners cost at it; returns how many are worth looking at."""
    total = 0
    for j in range(count):
        way = ways[j]
        lost = damage_of(way) + max(0, speed - lowest_number(way)) + max(0, speed - second_number(way))
        there = packed(space_of(way), changes_of(way), lost, HARMLESS, HARMLESS, began_with(way))
        total = follow(end, end_gains, total, there, gains[j])
    return total


@kernel
def resting_place(race, edition, chariot, space):
    """Where a chariot stands that ends here: R7, behind whoever is rammed."""
    while occupant(race, space, chariot) != NOTHING or is_heap(race, edition, space):
        lane = edition.lane[space]
        space = edition.first[lane] + (space - edition.first[lane] - 1) % edition.count[lane]
    return space


@kernel
def way_gained(edition, start, space):
    """Units of the course from one space to another that is less than half a lap away."""
    gained = edition.front[space] - edition.front[start]
    if gained < -edition.length // 2:
        gained += edition.length
    elif gained > edition.length // 2:
        gained -= edition.length
    return gained


# --- what a place is worth ------------------------------------------------------------------------------------------


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
def place_in_table(edition, lap, space, speed, condition):
    """Where the solution's table, which is for plain chariots, has what comes closest to this state with no fate."""
    speeds, conditions = edition.most_speed[0] + 1, edition.most_condition[0] + 1
    row = (max(0, lap) * edition.spaces + space) * speeds + min(speed, speeds - 1)
    return (row * conditions + min(condition, conditions - 1)) * (edition.most_fate[0] + 1)


@kernel
def rounds_alone(edition, table, lap, space, speed, condition, fate):
    """Rounds to go for a chariot alone on the track; none for one that is over the line already."""
    if lap >= edition.laps:
        return 0.0
    place = place_in_table(edition, lap, space, speed, condition) + min(fate, edition.most_fate[0])
    return table[place] / PARTS + (LAP_ALONE if lap < 0 else 0.0)


@kernel
def rival_at_home(race, edition, chariot):
    """How far the foremost rival has come that has finished in this round, so that the race is about to end."""
    furthest = -1
    for rival in range(race.chariots):
        if race.home[rival] and not race.wrecked[rival] and race.seat[rival] != race.seat[chariot]:
            furthest = max(furthest, distance(race, edition, rival))
    return furthest


@kernel
def has_target(race, edition, chariot, space):
    """Whether a rival is in range of a javelin thrown from here."""
    for target in range(race.chariots):
        if target != chariot and not race.wrecked[target] and race.seat[target] != race.seat[chariot]:
            if not is_safe(race, target) and edition.near[space, race.space[target]] > 0:
                return True
    return False


@kernel
def exposure(race, edition, chariot, space):
    """How many rivals are close behind, in whatever lap, in the same lane."""
    close = 0
    for rival in range(race.chariots):
        if race.wrecked[rival] or race.space[rival] == NOTHING:
            continue
        if race.seat[rival] != race.seat[chariot]:
            behind = way_gained(edition, race.space[rival], space) * 32.0 / edition.length
            if 0.0 < behind <= CLOSE and edition.lane[race.space[rival]] == edition.lane[space]:
                close += 1
    return close


@kernel
def worth_of_wreck(race, edition, chariot, table, weights):
    """What is left when the chariot is wrecked."""
    worth = -weights[W_WRECK]
    if weights[W_STAKE] > 0.0:
        worth -= weights[W_STAKE] * rounds_alone(
            edition, table, race.lap[chariot], race.space[chariot], race.speed[chariot], race.condition[chariot],
            race.fate[chariot],
        )  # fmt: skip
    return worth


@kernel
def worth_of_place(race, edition, chariot, rest, home, weights):
    """What standing there is worth, whatever the chariot's values. `home`: see `rival_at_home`."""
    start = race.space[chariot]
    unit = edition.length / 32.0
    gained = way_gained(edition, start, rest)
    worth = weights[W_DISTANCE] * gained / unit
    lap = race.lap[chariot]
    if edition.front[rest] < edition.front[start] and gained > 0:
        lap += 1
    elif edition.front[rest] > edition.front[start] and gained < 0:
        lap -= 1
    come = lap * edition.length + edition.front[rest]
    if lap >= edition.laps:
        worth += weights[W_HOME] + weights[W_BEYOND] * edition.front[rest] / unit
    if home >= 0 and come > home:
        worth += weights[W_HOME]
    elif weights[W_EXPOSED] != 0.0:
        worth -= weights[W_EXPOSED] * exposure(race, edition, chariot, rest)
    return worth, lap


@kernel
def worth_of_values(race, edition, chariot, rest, speed, condition, weights):
    """What speed and condition are worth there, apart from the rounds that are still to go."""
    limit = edition.speed_limit[race.kind[chariot], condition]
    worth = weights[W_SPEED] * min(speed, limit) + weights[W_RUSH] * speed
    worth += weights[W_CONDITION] * ROOTS[condition]
    if weights[W_CORNER] != 0.0:
        worth -= weights[W_CORNER] * fear_of_corner(edition, rest, speed, limit)
    return worth


# --- what the end of a move is worth --------------------------------------------------------------------------------


@kernel
def best_end(race, edition, chariot, table, speed, condition, fate, attacks, ends, weights):
    """The best of the ends that were found for this speed: what it is worth, and the first step towards it."""
    number, end, bonus = ends
    lost = worth_of_wreck(race, edition, chariot, table, weights)
    home = rival_at_home(race, edition, chariot)
    best, pick = lost - 1.0, AHEAD
    for j in range(number[speed]):
        left = condition - damage_of(end[speed, j])
        worth = lost
        if left > 0:
            rest = resting_place(race, edition, chariot, space_of(end[speed, j]))
            base, lap = worth_of_place(race, edition, chariot, rest, home, weights)
            base += worth_of_attacks(race, edition, chariot, rest, speed, attacks, weights)
            worth = base + worth_of_values(race, edition, chariot, rest, speed, left, weights)
            worth += weights[W_FATE] * fate
            if weights[W_ALONE] > 0.0 and lap < edition.laps:
                worth -= weights[W_ALONE] * rounds_alone(edition, table, lap, rest, speed, left, fate)
        worth += bonus[speed, j]
        if worth > best:
            best, pick = worth, began_with(end[speed, j])
    return best, pick


@kernel
def worth_of_attacks(race, edition, chariot, space, speed, attacks, weights):
    """What the attack dice are good for at the end of the move."""
    if attacks == 0:
        return 0.0
    if has_target(race, edition, chariot, space):
        return attacks * weights[W_JAVELIN]
    return worth_of_caltrops(speed, attacks, weights)


@kernel
def worth_of_caltrops(speed, attacks, weights):
    """There is room for caltrops on all spaces of the way but the last."""
    return weights[W_CALTROP] * min(attacks, max(0, speed - 1))


@kernel
def can_reach(edition, kind, initial, speed, sprints, others):
    """Whether so many sprints and up to so many +/- dice can make this speed."""
    most = edition.most_speed[kind]
    sped = initial + edition.sprint_speed * sprints
    return min(most, max(0, sped - others)) <= speed <= min(most, sped + others)


@kernel
def place_of(edition, kind, aimed, speed, sprints, steers):
    """Where `worths` has the best end at this speed, with so many sprints and lane changes, and no fate.

    Ends with a rival in range of a javelin (`aimed` is 1) are apart from the others.
    """
    row = ((aimed * (MOST_SPEED + 1) + speed) * (DICE + 1) + sprints) * (DICE + 1) + steers
    return row * (edition.most_fate[kind] + 1)


@kernel
def clear_worths(edition, kind, speed, dice, initial, low, high, lost, worths):
    """As long as no end is known the chariot is lost."""
    for sprints in range(dice + 1):
        if can_reach(edition, kind, initial, speed, sprints, dice - sprints):
            for steers in range(dice + 1 - sprints):
                place = place_of(edition, kind, 0, speed, sprints, steers)
                aimed = place_of(edition, kind, 1, speed, sprints, steers)
                for fate in range(low, high + 1):
                    worths[place + fate] = lost
                    worths[aimed + fate] = IMPOSSIBLE


@kernel
def spare_lane_changes(edition, kind, speed, dice, initial, low, high, worths):
    """Lane changes that are allowed need not be used."""
    step = edition.most_fate[kind] + 1
    for aimed in range(2):
        for sprints in range(dice + 1):
            if can_reach(edition, kind, initial, speed, sprints, dice - sprints):
                place = place_of(edition, kind, aimed, speed, sprints, 0)
                for _ in range(1, dice + 1 - sprints):
                    for fate in range(low, high + 1):
                        worths[place + step + fate] = max(worths[place + step + fate], worths[place + fate])
                    place += step


@kernel
def fill_worths(race, edition, chariot, table, dice, ends, weights, worths, lost):
    """What the best end of the move is worth, for all that so many dice can come to: see `place_of`."""
    number, end, bonus = ends
    kind, initial, condition = race.kind[chariot], race.speed[chariot], race.condition[chariot]
    home = rival_at_home(race, edition, chariot)
    low, high = race.fate[chariot] % edition.fortune_cost, min(edition.most_fate[kind], race.fate[chariot] + dice)
    slow, fast = max(0, initial - dice), min(edition.most_speed[kind], initial + max(1, edition.sprint_speed) * dice)
    known_fate = edition.most_fate[0]
    for speed in range(slow, fast + 1):
        clear_worths(edition, kind, speed, dice, initial, low, high, lost, worths)
        for j in range(number[speed]):
            rest = resting_place(race, edition, chariot, space_of(end[speed, j]))
            used, damage = changes_of(end[speed, j]), damage_of(end[speed, j])
            base, lap = worth_of_place(race, edition, chariot, rest, home, weights)
            base += bonus[speed, j]
            aimed = 1 if has_target(race, edition, chariot, rest) else 0
            rounds = weights[W_ALONE] / PARTS
            if lap < 0:
                base -= weights[W_ALONE] * LAP_ALONE
            elif lap >= edition.laps:
                rounds = 0.0
            for sprints in range(dice + 1 - used):
                left = condition - edition.sprint_damage * sprints - damage
                if left <= 0 or not can_reach(edition, kind, initial, speed, sprints, dice - used - sprints):
                    continue
                worth = base + worth_of_values(race, edition, chariot, rest, speed, left, weights)
                place = place_of(edition, kind, aimed, speed, sprints, used)
                if rounds > 0.0:
                    known = place_in_table(edition, lap, rest, speed, left)
                    for fate in range(low, high + 1):
                        total = worth + weights[W_FATE] * fate - rounds * table[known + min(fate, known_fate)]
                        worths[place + fate] = max(worths[place + fate], total)
                else:
                    for fate in range(low, high + 1):
                        worths[place + fate] = max(worths[place + fate], worth + weights[W_FATE] * fate)
        spare_lane_changes(edition, kind, speed, dice, initial, low, high, worths)


# --- what a set of dice is worth ------------------------------------------------------------------------------------


@kernel
def worth_of_set(race, edition, chariot, i, fate, worths, weights):
    """The worth of stopping with these dice: best signs, best path."""
    kind = race.kind[chariot]
    changes, sprints, steers = SHOWING[i, CHANGE], SHOWING[i, SPRINT], SHOWING[i, STEER]
    attacks = SHOWING[i, ATTACK]
    gift = min(edition.most_fate[kind], fate + SHOWING[i, FORTUNA])
    best = IMPOSSIBLE
    for plus in range(changes + 1):
        speed = speed_after(edition, kind, race.speed[chariot], changes, plus, sprints)
        worth = worths[place_of(edition, kind, 0, speed, sprints, steers) + gift]
        if attacks > 0:
            worth += worth_of_caltrops(speed, attacks, weights)
        aimed = worths[place_of(edition, kind, 1, speed, sprints, steers) + gift] + attacks * weights[W_JAVELIN]
        best = max(best, max(worth, aimed))
    return best


@kernel
def room_for_dice(edition, kind):
    """Tables for `appraise`, by fate: what sets are worth, what their best parts are, and what turning dice makes."""
    fates = edition.most_fate[kind] + 1
    return np.empty((fates, SETS)), np.empty((fates, SETS)), np.empty((fates, SETS))


@kernel
def appraise(race, edition, chariot, table, dice, chance, tables, weights):
    """Worths of all sets of so many dice, for every amount of fate that purchases can leave."""
    hope, best, turned = tables
    kind = race.kind[chariot]
    worths = np.empty(place_of(edition, kind, 2, 0, 0, 0))
    lost = worth_of_wreck(race, edition, chariot, table, weights)
    slow = max(0, race.speed[chariot] - dice)
    fast = min(edition.most_speed[kind], race.speed[chariot] + max(1, edition.sprint_speed) * dice)
    ends = room_for_ends()
    spread(race, edition, chariot, race.space[chariot], slow, fast, 0, dice, race.speed[chariot], weights, ends)
    fill_worths(race, edition, chariot, table, dice, ends, weights, worths, lost)
    for fate in range(race.fate[chariot] % edition.fortune_cost, race.fate[chariot] + 1, edition.fortune_cost):
        before = fate - edition.fortune_cost
        for i in range(FIRST[dice], FIRST[dice + 1]):
            worth = worth_of_set(race, edition, chariot, i, fate, worths, weights)
            if before >= 0:
                worth = max(worth, buying(i, best[before], turned[before]))
            hope[fate, i] = worth
        look_ahead(chance, dice, hope[fate], best[fate])
        turnings(dice, hope[fate], turned[fate])
    return worths
