"""What dice, paths and places are worth: exact expectation over everything that may still be rolled.

First where paths lead, for all speeds at once; then what the best end of a move is worth, by speed, sprints, lane
changes and fate; then every set of dice that may lie on the table at the end, and from there backwards through every
re-roll that fate can pay for (`dice_sets.py`). Worth is counted in straight spaces.
"""

from __future__ import annotations

import numpy as np

from spina.games.chariot_race.bots.dice_sets import (
    FIRST,
    IMPOSSIBLE,
    SETS,
    SHOWING,
    buy,
    look_ahead,
    turnings,
)
from spina.games.chariot_race.bots.driver_weights import (
    W_ALONE,
    W_BEYOND,
    W_CALTROP,
    W_CHASED,
    W_CONDITION,
    W_CORNER,
    W_DISTANCE,
    W_EXPOSED,
    W_FATE,
    W_HOME,
    W_HUNTED,
    W_JAVELIN,
    W_RUSH,
    W_SPEED,
    W_STAKE,
    W_WRECK,
)
from spina.games.chariot_race.bots.path_costs import (
    HARMLESS,
    began_with,
    changes_of,
    damage_of,
    room_for_ends,
    space_of,
    spread,
)
from spina.games.chariot_race.bots.solo_table import PARTS, TABLE_AA, TABLE_AB, TABLE_BA, TABLE_BB
from spina.games.chariot_race.rules.dice_roll import speed_after
from spina.games.chariot_race.rules.movement import distance, is_heap, is_safe, occupant
from spina.games.chariot_race.rules.record import (
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
)
from spina.kernel.compiler import kernel
from spina.kernel.record import record

LAP_ALONE = 3.6
"""Rounds that a lap takes: before the line the solution of the lap behind it holds, and so much more."""
ROOTS = np.sqrt(np.arange(MOST_CONDITION + 1))
CLOSE = 6.0
"""So many straight spaces behind is close."""

# --- what a place is worth ------------------------------------------------------------------------------------------


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


@kernel
def next_number(edition, space):
    """The next number ahead in this lane, and after how many spaces; no number within reach counts as harmless."""
    ahead = edition.next[space, AHEAD]
    for gap in range(MOST_SPEED + 1):
        if edition.number[ahead] > 0:
            return edition.number[ahead], gap
        ahead = edition.next[ahead, AHEAD]
    return HARMLESS, 0


@kernel
def fear_of_corner(speed, limit, number, gap):
    """The damage that the next corner would do at about this speed, if it comes soon."""
    pace = max(0, min(speed, limit) - 1)
    return max(0, pace - number) if gap <= pace else 0


@kernel
def solution_on(race):
    """The solution for a chariot alone on the board of this race."""
    if race.side[0]:
        return TABLE_BB if race.side[1] else TABLE_BA
    return TABLE_AB if race.side[1] else TABLE_AA


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
def races_against(race, rival, chariot):
    """Whether a chariot is on the track and another player's."""
    return race.seat[rival] != race.seat[chariot] and not race.wrecked[rival] and race.space[rival] != NOTHING


@kernel
def exposure(race, edition, chariot, space):
    """How many rivals are close behind, in whatever lap, in the same lane."""
    close = 0
    for rival in range(race.chariots):
        if races_against(race, rival, chariot):
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
def hunters(race, edition, chariot, space):
    """How many rivals would have a chariot in this space in range of their javelins."""
    count = 0
    for rival in range(race.chariots):
        if races_against(race, rival, chariot) and edition.near[race.space[rival], space] > 0:
            count += 1
    return count


@kernel
def rivals_behind(race, edition, chariot, come):
    """How many rivals a chariot leaves behind that has come so far."""
    count = 0
    for rival in range(race.chariots):
        if races_against(race, rival, chariot) and distance(race, edition, rival) < come:
            count += 1
    return count


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
    if weights[W_CHASED] != 0.0:
        worth -= weights[W_CHASED] * rivals_behind(race, edition, chariot, come)
    if weights[W_HUNTED] != 0.0:
        worth -= weights[W_HUNTED] * hunters(race, edition, chariot, rest)
    return worth, lap


@kernel
def worth_of_values(race, edition, chariot, speed, condition, weights):
    """What speed and condition are worth, apart from the next corner and the rounds that are still to go."""
    limit = edition.speed_limit[race.kind[chariot], condition]
    worth = weights[W_SPEED] * min(speed, limit) + weights[W_RUSH] * speed
    return worth + weights[W_CONDITION] * ROOTS[condition]


# --- what the end of a move is worth --------------------------------------------------------------------------------


@kernel
def best_end(race, edition, chariot, table, speed, condition, fate, attacks, ends, weights):
    """The best of the ends that were found for this speed: what it is worth, and the first step towards it."""
    lost = worth_of_wreck(race, edition, chariot, table, weights)
    home = rival_at_home(race, edition, chariot)
    best, pick = lost - 1.0, AHEAD
    for j in range(ends.ways):
        left = condition - damage_of(ends.way[j])
        worth = lost
        if left > 0:
            rest = resting_place(race, edition, chariot, space_of(ends.way[j]))
            base, lap = worth_of_place(race, edition, chariot, rest, home, weights)
            base += worth_of_attacks(race, edition, chariot, rest, speed, attacks, weights)
            number, gap = next_number(edition, rest)
            limit = edition.speed_limit[race.kind[chariot], left]
            value = worth_of_values(race, edition, chariot, speed, left, weights)
            value -= weights[W_CORNER] * fear_of_corner(speed, limit, number, gap)
            worth = base + value + weights[W_FATE] * fate
            if weights[W_ALONE] > 0.0 and lap < edition.laps:
                worth -= weights[W_ALONE] * rounds_alone(edition, table, lap, rest, speed, left, fate)
        worth += ends.gain[j]
        if worth > best:
            best, pick = worth, began_with(ends.way[j])
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
def spare_dice(edition, kind, initial, speed, sprints, dice):
    """How many dice are left beside the sprints and the +/- dice that this speed needs; below 0: it cannot be made."""
    sped = initial + edition.sprint_speed * sprints
    if speed == edition.most_speed[kind] and sped >= speed:
        return dice - sprints
    return dice - sprints - abs(sped - speed)


@kernel
def place_of(edition, kind, aimed, speed, sprints, steers):
    """Where `worths` has the best end at this speed, with so many sprints and lane changes, and no fate.

    Ends with a rival in range of a javelin (`aimed` is 1) are apart from the others.
    """
    row = ((aimed * (MOST_SPEED + 1) + speed) * (DICE + 1) + sprints) * (DICE + 1) + steers
    return row * (edition.most_fate[kind] + 1)


@kernel
def clear_worths(race, edition, chariot, speed, dice, lost, worths):
    """As long as no end is known the chariot is lost."""
    kind, low = race.kind[chariot], race.fate[chariot] % edition.fortune_cost
    for sprints in range(dice + 1):
        spare = spare_dice(edition, kind, race.speed[chariot], speed, sprints, dice)
        for steers in range(spare + 1):
            place = place_of(edition, kind, 0, speed, sprints, steers)
            aimed = place_of(edition, kind, 1, speed, sprints, steers)
            for fate in range(low, most_fate_with(race, edition, chariot, spare - steers) + 1):
                worths[place + fate] = lost
                worths[aimed + fate] = IMPOSSIBLE


@kernel
def spare_lane_changes(race, edition, chariot, speed, dice, worths):
    """Lane changes that are allowed need not be used."""
    kind, low = race.kind[chariot], race.fate[chariot] % edition.fortune_cost
    step = edition.most_fate[kind] + 1
    for aimed in range(2):
        for sprints in range(dice + 1):
            spare = spare_dice(edition, kind, race.speed[chariot], speed, sprints, dice)
            place = place_of(edition, kind, aimed, speed, sprints, 0)
            for steers in range(1, spare + 1):
                for fate in range(low, most_fate_with(race, edition, chariot, spare - steers) + 1):
                    worths[place + step + fate] = max(worths[place + step + fate], worths[place + fate])
                place += step


@kernel
def most_fate_with(race, edition, chariot, fortunas):
    """The fate at the end of the move if nothing is bought and so many dice show Fortuna."""
    return min(edition.most_fate[race.kind[chariot]], race.fate[chariot] + fortunas)


PLACE = record(
    [("worth", "f8"), ("rest", "i2"), ("lap", "i2"), ("aimed", "i2"), ("number", "i2"), ("gap", "i2"), ("known", "i2")]
)
"""What is known of a space: where a chariot comes to stand that ends there, what that is worth, whether a rival is in
range of a javelin, and the next number."""


@kernel
def know_place(race, edition, chariot, space, home, weights, place):
    """Reckon what does not depend on the chariot's values."""
    place.rest = resting_place(race, edition, chariot, space)
    place.worth, place.lap = worth_of_place(race, edition, chariot, place.rest, home, weights)
    place.aimed = has_target(race, edition, chariot, place.rest)
    place.number, place.gap = next_number(edition, place.rest)
    place.known = 1


@kernel
def survey(race, edition, chariot, dice, weights):
    """All that so many dice can lead to, as `appraise` wants it: ways by speed, and places."""
    ends, places = room_for_ends(), np.zeros(SPACES, PLACE)
    slow, fast = speeds_within(race, edition, chariot, dice)
    spread(race, edition, chariot, race.space[chariot], slow, fast, 0, dice, race.speed[chariot], weights, ends)
    home = rival_at_home(race, edition, chariot)
    for speed in range(slow, fast + 1):
        for j in range(ends[speed].ways):
            space = space_of(ends[speed].way[j])
            if places[space].known == 0:
                know_place(race, edition, chariot, space, home, weights, places[space])
    return ends, places


@kernel
def speeds_within(race, edition, chariot, dice):
    """The lowest and the highest speed that so many dice can make."""
    initial = race.speed[chariot]
    return max(0, initial - dice), min(
        edition.most_speed[race.kind[chariot]], initial + max(1, edition.sprint_speed) * dice
    )


@kernel
def fill_worths(race, edition, chariot, table, dice, surveyed, weights, worths, lost):
    """What the best end of the move is worth, for all that so many dice can come to: see `place_of`."""
    ends, places = surveyed
    kind, initial, condition = race.kind[chariot], race.speed[chariot], race.condition[chariot]
    low, known_fate = race.fate[chariot] % edition.fortune_cost, edition.most_fate[0]
    corner, of_fate, alone = weights[W_CORNER], weights[W_FATE], weights[W_ALONE]
    values = np.empty(MOST_CONDITION + 1)
    slow, fast = speeds_within(race, edition, chariot, dice)
    for speed in range(slow, fast + 1):
        clear_worths(race, edition, chariot, speed, dice, lost, worths)
        for left in range(1, condition + 1):
            values[left] = worth_of_values(race, edition, chariot, speed, left, weights)
        front = ends[speed]
        for j in range(front.ways):
            there = places[space_of(front.way[j])]
            used, damage = changes_of(front.way[j]), damage_of(front.way[j])
            base = there.worth + front.gain[j]
            rounds = alone / PARTS
            if there.lap < 0:
                base -= alone * LAP_ALONE
            elif there.lap >= edition.laps:
                rounds = 0.0
            for sprints in range(dice + 1 - used):
                left = condition - edition.sprint_damage * sprints - damage
                spare = spare_dice(edition, kind, initial, speed, sprints, dice) - used
                if left <= 0 or spare < 0:
                    continue
                limit = edition.speed_limit[kind, left]
                worth = base + (values[left] - corner * fear_of_corner(speed, limit, there.number, there.gap))
                place = place_of(edition, kind, there.aimed, speed, sprints, used)
                high = most_fate_with(race, edition, chariot, spare)
                if rounds > 0.0:
                    known = place_in_table(edition, there.lap, there.rest, speed, left)
                    for fate in range(low, high + 1):
                        total = worth + of_fate * fate - rounds * table[known + min(fate, known_fate)]
                        worths[place + fate] = max(worths[place + fate], total)
                else:
                    for fate in range(low, high + 1):
                        worths[place + fate] = max(worths[place + fate], worth + of_fate * fate)
        spare_lane_changes(race, edition, chariot, speed, dice, worths)


# --- what a set of dice is worth ------------------------------------------------------------------------------------


@kernel
def worth_of_sets(race, edition, chariot, first, last, fate, worths, weights, hope):
    """The worth of stopping with the dice of the sets from `first` to `last`: best signs, best path."""
    kind, javelin = race.kind[chariot], weights[W_JAVELIN]
    for i in range(first, last + 1):
        changes, sprints, steers = SHOWING[i, CHANGE], SHOWING[i, SPRINT], SHOWING[i, STEER]
        attacks = SHOWING[i, ATTACK]
        gift = min(edition.most_fate[kind], fate + SHOWING[i, FORTUNA])
        best = IMPOSSIBLE
        for plus in range(changes + 1):
            speed = speed_after(edition, kind, race.speed[chariot], changes, plus, sprints)
            worth = worths[place_of(edition, kind, 0, speed, sprints, steers) + gift]
            if attacks > 0:
                worth += worth_of_caltrops(speed, attacks, weights)
            aimed = worths[place_of(edition, kind, 1, speed, sprints, steers) + gift] + attacks * javelin
            best = max(best, max(worth, aimed))
        hope[i] = best


@kernel
def room_for_dice(edition, kind):
    """Tables for `appraise`, by fate: what sets are worth, what their best parts are, and what turning dice makes."""
    fates = edition.most_fate[kind] + 1
    return np.empty((fates, SETS)), np.empty((fates, SETS)), np.empty((fates, SETS))


@kernel
def appraise(race, edition, chariot, table, dice, surveyed, most_fate, chance, tables, weights):
    """Worths of all sets of so many dice, for every amount of fate up to `most_fate` that purchases can leave."""
    hope, best, turned = tables
    worths = np.empty(place_of(edition, race.kind[chariot], 2, 0, 0, 0))
    lost = worth_of_wreck(race, edition, chariot, table, weights)
    fill_worths(race, edition, chariot, table, dice, surveyed, weights, worths, lost)
    for fate in range(most_fate % edition.fortune_cost, most_fate + 1, edition.fortune_cost):
        before = fate - edition.fortune_cost
        worth_of_sets(race, edition, chariot, FIRST[dice], FIRST[dice + 1] - 1, fate, worths, weights, hope[fate])
        if before >= 0:
            buy(dice, best[before], turned[before], hope[fate])
        look_ahead(chance, dice, hope[fate], best[fate])
        turnings(dice, hope[fate], turned[fate])
    return worths
