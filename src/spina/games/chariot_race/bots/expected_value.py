"""Expected values of dice, paths and places, exact over all rolls of the turn.

First the ends of paths, for all speeds at once; then the value of the best end of a move, by speed, sprints, lane
changes and fate; then the values of all final sets of dice, and from there backwards through each re-roll that the
fate can pay for (`dice_sets.py`). Values are in straight spaces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    LAP_SPACES,
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
    ANY_WAY,
    HARMLESS,
    changes_of,
    damage_of,
    reach,
    room_for_ends,
    space_of,
    spread,
)
from spina.games.chariot_race.bots.solo_table import PARTS, solo_tables
from spina.games.chariot_race.rules.dice_roll import fate_after, initial_speed, speed_after
from spina.games.chariot_race.rules.movement import can_hit_from, distance, resting_place
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
from spina.kernel.record import record, whole

if TYPE_CHECKING:
    from spina.games.chariot_race.rules.record_types import EditionRecord, RaceRecord

LAP_ALONE = 3.6
"""Rounds that a lap takes. Before the line, the solution's first lap is used with a lap added."""
ROOTS = np.sqrt(np.arange(MOST_CONDITION + 1))
"""Square roots of conditions."""
CLOSE = 6.0
"""A rival up to this many straight spaces behind is close."""

# --- values of places -----------------------------------------------------------------------------------------------


@kernel
def way_gained(edition: EditionRecord, start, space):
    """Units of the course from one space to another that is at most half a lap away."""
    gained = edition.front[space] - edition.front[start]
    if gained < -edition.length // 2:
        gained += edition.length
    elif gained > edition.length // 2:
        gained -= edition.length
    return gained


@kernel
def next_number(edition: EditionRecord, space):
    """The next number ahead in this lane, and the spaces before it; HARMLESS if none is within reach."""
    ahead = edition.next[space, AHEAD]
    for gap in range(MOST_SPEED + 1):
        if edition.number[ahead] > 0:
            return edition.number[ahead], gap
        ahead = edition.next[ahead, AHEAD]
    return HARMLESS, 0


@kernel
def expected_corner(edition: EditionRecord, kind, speed, condition, number, gap):
    """The damage that the next corner would do at about this speed, if it is within reach."""
    pace = max(0, initial_speed(edition, kind, speed, condition) - 1)
    return max(0, pace - number) if gap <= pace else 0


@kernel
def solution_on(race: RaceRecord):
    """The table of the solution for a chariot alone on the board of this race."""
    return solo_tables()[2 * race.side[0] + race.side[1]]


@kernel
def place_in_table(edition: EditionRecord, lap, space, speed, condition):
    """Index in the solution's table, which is for plain chariots, of the state closest to this one with no fate."""
    speeds, conditions = edition.most_speed[0] + 1, edition.most_condition[0] + 1
    row = (max(0, whole(lap)) * edition.spaces + whole(space)) * speeds + min(speed, speeds - 1)
    return (row * conditions + min(condition, conditions - 1)) * (edition.most_fate[0] + 1)


@kernel
def rounds_alone(edition: EditionRecord, table, lap, space, speed, condition, fate):
    """Rounds to go for a chariot alone on the track; 0 if it has finished."""
    if lap >= edition.laps:
        return 0.0
    place = place_in_table(edition, lap, space, speed, condition) + min(fate, edition.most_fate[0])
    return table[place] / PARTS + (LAP_ALONE if lap < 0 else 0.0)


@kernel
def rival_at_home(race: RaceRecord, edition: EditionRecord, chariot):
    """Distance of the foremost rival that has finished, so that this is the last round; -1 if none has."""
    furthest = -1
    for rival in range(race.chariots):
        if race.home[rival] and not race.wrecked[rival] and race.seat[rival] != race.seat[chariot]:
            furthest = max(furthest, distance(race, edition, rival))
    return furthest


@kernel
def has_target(race: RaceRecord, edition: EditionRecord, chariot, space):
    """Whether a javelin thrown from here could hit a rival."""
    for target in range(race.chariots):
        if race.seat[target] != race.seat[chariot] and can_hit_from(race, edition, chariot, space, target):
            return True
    return False


@kernel
def races_against(race: RaceRecord, rival, chariot):
    """Whether the rival is on the track and belongs to another seat."""
    return race.seat[rival] != race.seat[chariot] and not race.wrecked[rival] and race.space[rival] != NOTHING


@kernel
def exposure(race: RaceRecord, edition: EditionRecord, chariot, space):
    """Number of rivals close behind in the same lane, in any lap."""
    close = 0
    for rival in range(race.chariots):
        if races_against(race, rival, chariot):
            behind = way_gained(edition, race.space[rival], space) * LAP_SPACES / edition.length
            if 0.0 < behind <= CLOSE and edition.lane[race.space[rival]] == edition.lane[space]:
                close += 1
    return close


@kernel
def worth_of_wreck(race: RaceRecord, edition: EditionRecord, chariot, valuation):
    """Value of being wrecked."""
    table, weights = valuation
    worth = -weights[W_WRECK]
    if weights[W_STAKE] > 0.0:
        worth -= weights[W_STAKE] * rounds_alone(
            edition, table, race.lap[chariot], race.space[chariot], race.speed[chariot], race.condition[chariot],
            race.fate[chariot],
        )  # fmt: skip
    return worth


@kernel
def hunters(race: RaceRecord, edition: EditionRecord, chariot, space):
    """Number of rivals with this space in range of their javelins."""
    count = 0
    for rival in range(race.chariots):
        if races_against(race, rival, chariot) and edition.near[race.space[rival], space] > 0:
            count += 1
    return count


@kernel
def rivals_behind(race: RaceRecord, edition: EditionRecord, chariot, come):
    """Number of rivals behind a chariot that has come so far."""
    count = 0
    for rival in range(race.chariots):
        if races_against(race, rival, chariot) and distance(race, edition, rival) < come:
            count += 1
    return count


@kernel
def worth_of_place(race: RaceRecord, edition: EditionRecord, chariot, rest, home, weights):
    """Value of a place apart from the chariot's speed and condition, and the lap there. `home`: `rival_at_home`."""
    start = race.space[chariot]
    unit = edition.length / LAP_SPACES
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
def worth_of_values(race: RaceRecord, edition: EditionRecord, chariot, speed, condition, weights):
    """Value of speed and condition, without the next corner and the rounds to go."""
    worth = weights[W_SPEED] * initial_speed(edition, race.kind[chariot], speed, condition) + weights[W_RUSH] * speed
    return worth + weights[W_CONDITION] * ROOTS[condition]


# --- values of the ends of a move -----------------------------------------------------------------------------------


@kernel
def best_end(race: RaceRecord, edition: EditionRecord, chariot, valuation, speed, condition, fate, attacks, ends):
    """The best of the ends found for this speed: its value and its number; NOTHING if all of them wreck the chariot."""
    table, weights = valuation
    lost = worth_of_wreck(race, edition, chariot, valuation)
    home = rival_at_home(race, edition, chariot)
    best, pick = lost - 1.0, NOTHING
    for j in range(ends.ways):
        left = condition - damage_of(ends.way[j])
        worth = lost
        if left > 0:
            rest = resting_place(race, edition, chariot, space_of(ends.way[j]))
            base, lap = worth_of_place(race, edition, chariot, rest, home, weights)
            base += worth_of_attacks(race, edition, chariot, rest, speed, attacks, weights)
            number, gap = next_number(edition, rest)
            value = worth_of_values(race, edition, chariot, speed, left, weights)
            value -= weights[W_CORNER] * expected_corner(edition, race.kind[chariot], speed, left, number, gap)
            worth = base + value + weights[W_FATE] * fate
            if weights[W_ALONE] > 0.0 and lap < edition.laps:
                worth -= weights[W_ALONE] * rounds_alone(edition, table, lap, rest, speed, left, fate)
        worth += ends.gain[j]
        if worth > best:
            best, pick = worth, j
    return best, pick


@kernel
def worth_of_attacks(race: RaceRecord, edition: EditionRecord, chariot, space, speed, attacks, weights):
    """Value of the attack dice at the end of the move."""
    if attacks == 0:
        return 0.0
    if has_target(race, edition, chariot, space):
        return attacks * weights[W_JAVELIN]
    return worth_of_caltrops(speed, attacks, weights)


@kernel
def worth_of_caltrops(speed, attacks, weights):
    """R9: value of caltrops, which may be dropped on all spaces of the way but the last."""
    return weights[W_CALTROP] * min(attacks, max(0, speed - 1))


@kernel
def spare_dice(edition: EditionRecord, kind, initial, speed, sprints, dice):
    """Dice left besides the sprints and the +/- dice that this speed needs; below 0 if it cannot be made."""
    sped = initial + edition.sprint_speed * sprints
    if speed == edition.most_speed[kind] and sped >= speed:
        return dice - sprints
    return dice - sprints - abs(sped - speed)


@kernel
def place_of(edition: EditionRecord, kind, aimed, speed, sprints, steers):
    """Index in `worths` of the best end at this speed, with these sprints and lane changes, and no fate.

    Ends with a rival in range of a javelin (`aimed` is 1) are kept apart from the others.
    """
    row = ((aimed * (MOST_SPEED + 1) + speed) * (DICE + 1) + sprints) * (DICE + 1) + steers
    return row * (edition.most_fate[kind] + 1)


@kernel
def clear_worths(race: RaceRecord, edition: EditionRecord, chariot, speed, dice, lost, worths):
    """Initialise the values of this speed: without an end the chariot is lost."""
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
def spare_lane_changes(race: RaceRecord, edition: EditionRecord, chariot, speed, dice, worths):
    """R5: let values with more lane changes be at least those with fewer, as a steer die need not be used."""
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
def most_fate_with(race: RaceRecord, edition: EditionRecord, chariot, fortunas):
    """The fate at the end of the move if nothing is bought and this many dice show Fortuna."""
    return fate_after(edition, race.kind[chariot], race.fate[chariot], fortunas)


PLACE = record(
    [("worth", "f8"), ("rest", "i2"), ("lap", "i2"), ("aimed", "i2"), ("number", "i2"), ("gap", "i2"), ("known", "i2")]
)
"""What is known of a space: the resting place of a chariot that ends there, its value and lap, whether a rival is in
range of a javelin, and the next number."""


@kernel
def know_place(race: RaceRecord, edition: EditionRecord, chariot, space, home, weights, place):
    """Compute what does not depend on the chariot's speed, condition and fate."""
    place.rest = resting_place(race, edition, chariot, space)
    place.worth, place.lap = worth_of_place(race, edition, chariot, place.rest, home, weights)
    place.aimed = has_target(race, edition, chariot, place.rest)
    place.number, place.gap = next_number(edition, place.rest)
    place.known = 1


@kernel
def survey(race: RaceRecord, edition: EditionRecord, chariot, dice, weights):
    """The ways by speed that this many dice can lead to, and the places at their ends, for `appraise`."""
    ends, places = room_for_ends(), np.zeros(SPACES, PLACE)
    slow, fast = speeds_within(race, edition, chariot, dice)
    spread(race, edition, chariot, reach(slow, fast, 0, dice, race.speed[chariot], ANY_WAY), weights, ends)
    home = rival_at_home(race, edition, chariot)
    for speed in range(slow, fast + 1):
        for j in range(ends[speed].ways):
            space = space_of(ends[speed].way[j])
            if places[space].known == 0:
                know_place(race, edition, chariot, space, home, weights, places[space])
    return ends, places


@kernel
def speeds_within(race: RaceRecord, edition: EditionRecord, chariot, dice):
    """The lowest and the highest speed that this many dice can make."""
    initial = race.speed[chariot]
    return max(0, initial - dice), min(
        edition.most_speed[race.kind[chariot]], initial + max(1, edition.sprint_speed) * dice
    )


@kernel
def fill_worths(race: RaceRecord, edition: EditionRecord, chariot, valuation, dice, surveyed, worths):
    """Write the value of the best end of the move for all results of this many dice, at the indices of `place_of`."""
    table, weights = valuation
    lost = worth_of_wreck(race, edition, chariot, valuation)
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
                feared = expected_corner(edition, kind, speed, left, there.number, there.gap)
                worth = base + (values[left] - corner * feared)
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


# --- values of sets of dice -----------------------------------------------------------------------------------------


@kernel
def worth_of_sets(race: RaceRecord, edition: EditionRecord, chariot, first, last, fate, worths, weights, hope):
    """Write the values of keeping the sets of dice from `first` to `last`, with the best signs and the best path."""
    kind, javelin = race.kind[chariot], weights[W_JAVELIN]
    for i in range(first, last + 1):
        changes, sprints, steers = SHOWING[i, CHANGE], SHOWING[i, SPRINT], SHOWING[i, STEER]
        attacks = SHOWING[i, ATTACK]
        gift = fate_after(edition, kind, fate, SHOWING[i, FORTUNA])
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
def room_for_dice(edition: EditionRecord, kind):
    """Tables for `appraise`, by fate: the values of sets, of their best parts, and of sets with a die turned."""
    fates = edition.most_fate[kind] + 1
    return np.empty((fates, SETS)), np.empty((fates, SETS)), np.empty((fates, SETS))


@kernel
def appraise(race: RaceRecord, edition: EditionRecord, chariot, valuation, dice, surveyed, most_fate, chance, tables):
    """Compute the values of all sets of this many dice, for each amount of fate up to `most_fate` after purchases."""
    worths = np.empty(place_of(edition, race.kind[chariot], 2, 0, 0, 0))
    fill_worths(race, edition, chariot, valuation, dice, surveyed, worths)
    appraise_by(race, edition, chariot, valuation.weights, dice, worths, most_fate, chance, tables)
    return worths


@kernel
def appraise_by(race: RaceRecord, edition: EditionRecord, chariot, weights, dice, worths, most_fate, chance, tables):
    """`appraise` by the values of all results. Of the weights only those of attacks are used."""
    hope, best, turned = tables
    for fate in range(most_fate % edition.fortune_cost, most_fate + 1, edition.fortune_cost):
        before = fate - edition.fortune_cost
        worth_of_sets(race, edition, chariot, FIRST[dice], FIRST[dice + 1] - 1, fate, worths, weights, hope[fate])
        if before >= 0:
            buy(dice, best[before], turned[before], hope[fate])
        look_ahead(chance, dice, hope[fate], best[fate])
        turnings(dice, hope[fate], turned[fate])
