"""The chance to win after a turn, by a small network: a valuation that was learned from races.

The network sees how the chariot stands at the end of its turn and where the rivals are. The expected value of an answer
follows from it exactly, over all rolls of the turn, as from the other valuations (`expected_value.py`). Chances are in
hundredths. `python -m spina.games.chariot_race.lab.turn_chances` learns the weights.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from spina.games.chariot_race.bots.driver_weights import LAP_SPACES, W_CALTROP, W_JAVELIN, WEIGHTS
from spina.games.chariot_race.bots.expected_value import (
    clear_worths,
    expected_corner,
    exposure,
    has_target,
    hunters,
    most_fate_with,
    next_number,
    place_of,
    races_against,
    rival_at_home,
    rivals_behind,
    rounds_alone,
    solution_on,
    spare_dice,
    spare_lane_changes,
    speeds_within,
    way_gained,
    worth_of_attacks,
)
from spina.games.chariot_race.bots.features import NEVER, ROUNDS_OF_RACE, place_in_round, still_needs
from spina.games.chariot_race.bots.path_costs import changes_of, damage_of, space_of
from spina.games.chariot_race.bots.solo_table import KNOWN
from spina.games.chariot_race.rules.dice_roll import initial_speed
from spina.games.chariot_race.rules.movement import distance, resting_place
from spina.games.chariot_race.rules.record import NOTHING, SPACES
from spina.kernel.compiler import kernel
from spina.kernel.outside_tables import outside_table
from spina.kernel.record import record

if TYPE_CHECKING:
    from spina.games.chariot_race.rules.record_types import EditionRecord, RaceRecord

FILE = Path(__file__).parent / "turn_chances.json"
WIDTH = 32
"""Hidden units of the network."""
TOLD = 3
"""Rivals that are described: those that need the fewest rounds."""
PERCENT = 100.0
PER_SPACE = 2.0
"""Hundredths that a straight space of the driver's valuation counts, for rams."""
ATTACKS = np.zeros(WEIGHTS)
ATTACKS[W_JAVELIN], ATTACKS[W_CALTROP] = 1.5, 0.03
"""Hundredths that a javelin with a target and a caltrop are expected to bring."""
FARTHEST = 3.0
"""Differences are cut to this value on either side, in their units."""

# --- inputs of the network ------------------------------------------------------------------------------------------
# What the answer does not change, then what the place where the chariot ends decides, then the rest.

(
    T_SEATS,
    T_PAIRS,
    T_ALIVE,
    T_LAST,  # a rival has finished
    T_TO_MOVE,  # rivals that have their turn after this one, in this round
    T_BEST,  # rounds that the best rival needs
    T_NEEDS,  # rounds that the others of the told need more
    T_LATER,  # by told rival: its turn in this round comes after this one
    T_CONDITION,
    T_SPEED,
    T_FATE,
    T_BACK,  # spaces that the others of the told are behind the best rival
    T_PARTNER,  # the other chariot of the seat is on the track
    T_PARTNER_NEEDS,
    T_PARTNER_CONDITION,
    T_PARTNER_LATER,
    T_SOLVED,
    FIXED,
) = (0, 1, 2, 3, 4, 5, 6, 8, 11, 14, 17, 20, 22, 23, 24, 25, 26, 27)
(
    T_TO_GO,
    T_LANE,
    T_EXPOSED,
    T_HUNTED,
    T_CHASED,
    T_AHEAD,  # spaces ahead of the best rival
    T_HOME,
    T_BEFORE_HOME,  # spaces ahead of the foremost rival that has finished
    T_NUMBER,  # the next corner's
    T_GAP,  # spaces before it
    T_WRECKED,
    PLACED,
) = range(FIXED, FIXED + 12)
(
    T_OWN_SPEED,
    T_LEFT,
    T_ROOT,
    T_ONE,
    T_TWO,
    T_CORNER,
    T_OWN_FATE,
    T_ROUNDS,
    T_BEHIND,
    INPUTS,
) = range(PLACED, PLACED + 10)
SEATS_UNIT, ALIVE_UNIT, NEED_UNIT, GAP_UNIT, FIGURE_UNIT, AHEAD_UNIT = 6.0, 5.0, 4.0, 2.0, 8.0, 8.0

CHANCES = record(
    [
        ("best", "f8"),  # rounds that the best rival needs
        ("come", "f8"),  # distance of the best rival
        ("home", "i8"),  # distance of the foremost rival that has finished
        ("input", "f8", (INPUTS,)),
        ("layer", "f8", (WIDTH,)),  # what the fixed inputs bring to the hidden units
        ("known", "i8", (SPACES,)),
        ("rest", "i8", (SPACES,)),
        ("lap", "i8", (SPACES,)),
        ("aimed", "i8", (SPACES,)),
        ("number", "i8", (SPACES,)),
        ("gap", "i8", (SPACES,)),
        ("place", "f8", (SPACES, WIDTH)),  # the same with the inputs of a place
        ("unit", "f8", (WIDTH,)),
    ]
)
"""What is known of a question."""


def weight_count() -> int:
    """Number of weights: from the inputs to the hidden units, the biases, the outputs and the bias of the result."""
    return (INPUTS + 2) * WIDTH + 1


@outside_table
def network() -> NDArray[np.float64]:
    """The weights. Raises ValueError if they were learned for other inputs."""
    weights = np.array(json.loads(FILE.read_text(encoding="utf-8"))["weights"], np.float64)
    if len(weights) != weight_count():
        raise ValueError(f"{FILE}: the weights were learned for other inputs")
    return weights


# --- describing -----------------------------------------------------------------------------------------------------


@kernel
def cut(value):
    """A difference within its bounds."""
    return min(FARTHEST, max(-FARTHEST, value))


@kernel
def tell_fixed(race: RaceRecord, edition: EditionRecord, chariot, chances):
    """Write the inputs that the end of the turn does not change."""
    out = chances.input
    unit = edition.length / LAP_SPACES
    for i in range(INPUTS):
        out[i] = 0.0
    for space in range(SPACES):
        chances.known[space] = 0
    needs, told, order = np.zeros(TOLD), 0, np.zeros(TOLD, np.int64)
    for rival in range(race.chariots):
        if not races_against(race, rival, chariot):
            continue
        out[T_ALIVE] += 1.0 / ALIVE_UNIT
        if place_in_round(race, edition, rival) != NOTHING:
            out[T_TO_MOVE] += 1.0 / ALIVE_UNIT
        need, at = still_needs(race, edition, rival), told
        while at > 0 and need < needs[at - 1]:
            at -= 1
        if at < TOLD:
            told = min(TOLD, told + 1)
            for i in range(told - 1, at, -1):
                needs[i], order[i] = needs[i - 1], order[i - 1]
            needs[at], order[at] = need, rival
    out[T_SEATS] = race.seats / SEATS_UNIT
    if race.chariots > race.seats:
        out[T_PAIRS] = 1.0
    chances.home = rival_at_home(race, edition, chariot)
    if chances.home >= 0:
        out[T_LAST] = 1.0
    chances.best, chances.come = NEVER / 2.0, 0.0
    if told > 0:
        chances.best, chances.come = needs[0], 1.0 * distance(race, edition, order[0])
    out[T_BEST] = chances.best / NEED_UNIT
    for i in range(1, TOLD):
        out[T_NEEDS + i - 1] = FARTHEST
        out[T_BACK + i - 1] = FARTHEST
    for i in range(told):
        rival = order[i]
        if i > 0:
            out[T_NEEDS + i - 1] = cut((needs[i] - needs[0]) / GAP_UNIT)
            out[T_BACK + i - 1] = cut((chances.come - distance(race, edition, rival)) / unit / AHEAD_UNIT)
        if place_in_round(race, edition, rival) != NOTHING:
            out[T_LATER + i] = 1.0
        condition = race.condition[rival]
        out[T_CONDITION + i] = condition / FIGURE_UNIT
        out[T_SPEED + i] = initial_speed(edition, race.kind[rival], race.speed[rival], condition) / FIGURE_UNIT
        out[T_FATE + i] = race.fate[rival] / FIGURE_UNIT
    for other in range(race.chariots):
        if other != chariot and race.seat[other] == race.seat[chariot] and not race.wrecked[other]:
            out[T_PARTNER] = 1.0
            out[T_PARTNER_NEEDS] = cut((still_needs(race, edition, other) - chances.best) / GAP_UNIT)
            out[T_PARTNER_CONDITION] = race.condition[other] / FIGURE_UNIT
            if place_in_round(race, edition, other) != NOTHING:
                out[T_PARTNER_LATER] = 1.0
    if edition.plain_key == KNOWN:
        out[T_SOLVED] = 1.0


@kernel
def lap_at(race: RaceRecord, edition: EditionRecord, chariot, rest):
    """The lap of the chariot when it has come to this place."""
    start = race.space[chariot]
    gained = way_gained(edition, start, rest)
    lap = race.lap[chariot]
    if edition.front[rest] < edition.front[start] and gained > 0:
        return lap + 1
    if edition.front[rest] > edition.front[start] and gained < 0:
        return lap - 1
    return lap


@kernel
def tell_place(race: RaceRecord, edition: EditionRecord, chariot, rest, lap, number, gap, chances):
    """Write the inputs that the resting place decides."""
    out, unit = chances.input, edition.length / LAP_SPACES
    come, whole_way = lap * edition.length + edition.front[rest], edition.laps * edition.length
    out[T_TO_GO] = (whole_way - come) / (1.0 * whole_way)
    out[T_LANE] = edition.lane[rest] / 2.0
    out[T_EXPOSED] = exposure(race, edition, chariot, rest) / 2.0
    out[T_HUNTED] = hunters(race, edition, chariot, rest) / 2.0
    out[T_CHASED] = rivals_behind(race, edition, chariot, come) / 2.0
    out[T_AHEAD] = cut((come - chances.come) / unit / AHEAD_UNIT)
    out[T_HOME] = 1.0 if lap >= edition.laps else 0.0
    out[T_BEFORE_HOME] = cut((come - chances.home) / unit / AHEAD_UNIT) if chances.home >= 0 else 0.0
    out[T_NUMBER], out[T_GAP] = number / FIGURE_UNIT, gap / FIGURE_UNIT
    out[T_WRECKED] = 0.0


@kernel
def rounds_from(race: RaceRecord, edition: EditionRecord, chariot, lap, rest, speed, left, fate):
    """Rounds that the chariot would need alone."""
    if edition.plain_key == KNOWN:
        return rounds_alone(edition, solution_on(race), lap, rest, speed, left, fate)
    whole_way = 1.0 * edition.laps * edition.length
    come = lap * edition.length + edition.front[rest]
    return max(0.0, ROUNDS_OF_RACE * (whole_way - come) / whole_way)


@kernel
def tell_state(edition: EditionRecord, kind, speed, left, number, gap, out):
    """Write the inputs of speed and condition."""
    out[T_OWN_SPEED], out[T_LEFT], out[T_ROOT] = speed / FIGURE_UNIT, left / FIGURE_UNIT, math.sqrt(left) / GAP_UNIT
    out[T_ONE], out[T_TWO] = 1.0 if left == 1 else 0.0, 1.0 if left == 2 else 0.0
    out[T_CORNER] = expected_corner(edition, kind, speed, left, number, gap) / NEED_UNIT


@kernel
def tell_rounds(rounds, fate, best, out):
    """Write the inputs of fate and rounds to go."""
    out[T_OWN_FATE], out[T_ROUNDS] = fate / FIGURE_UNIT, rounds / NEED_UNIT
    out[T_BEHIND] = cut((rounds - best) / GAP_UNIT)


# --- the network ----------------------------------------------------------------------------------------------------


@kernel
def pass_on(weights, first, last, inputs, layer):
    """Add what these inputs bring to the hidden units."""
    for i in range(first, last):
        value, row = inputs[i], i * WIDTH
        if value != 0.0:
            for unit in range(WIDTH):
                layer[unit] += weights[row + unit] * value


@kernel
def result_of(weights, layer):
    """The chance, in hundredths, from the hidden units."""
    outputs = (INPUTS + 1) * WIDTH
    even, odd = weights[outputs + WIDTH], 0.0
    for unit in range(0, WIDTH, 2):
        even += weights[outputs + unit] * max(0.0, layer[unit])
        odd += weights[outputs + unit + 1] * max(0.0, layer[unit + 1])
    return PERCENT / (1.0 + math.exp(-(even + odd)))


@kernel
def begin_chances(race: RaceRecord, edition: EditionRecord, chariot, chances):
    """Compute what the end of the turn does not change."""
    weights = network()
    tell_fixed(race, edition, chariot, chances)
    for unit in range(WIDTH):
        chances.layer[unit] = weights[INPUTS * WIDTH + unit]
    pass_on(weights, 0, FIXED, chances.input, chances.layer)


@kernel
def chance_of_wreck(race: RaceRecord, chances):
    """The chance of the seat with this chariot wrecked, from its other one."""
    if chances.input[T_PARTNER] == 0.0:
        return 0.0
    weights, unit = network(), chances.unit
    for i in range(FIXED, INPUTS):
        chances.input[i] = 0.0
    chances.input[T_WRECKED] = 1.0
    for u in range(WIDTH):
        unit[u] = chances.layer[u]
    pass_on(weights, FIXED, INPUTS, chances.input, unit)
    return result_of(weights, unit)


@kernel
def know(race: RaceRecord, edition: EditionRecord, chariot, space, chances):
    """Compute what the place where a way ends decides."""
    if chances.known[space]:
        return
    weights, layer = network(), chances.place[space]
    rest = resting_place(race, edition, chariot, space)
    lap = lap_at(race, edition, chariot, rest)
    number, gap = next_number(edition, rest)
    tell_place(race, edition, chariot, rest, lap, number, gap, chances)
    for unit in range(WIDTH):
        layer[unit] = chances.layer[unit]
    pass_on(weights, FIXED, PLACED, chances.input, layer)
    chances.rest[space], chances.lap[space] = rest, lap
    chances.number[space], chances.gap[space] = number, gap
    chances.aimed[space] = 1 if has_target(race, edition, chariot, rest) else 0
    chances.known[space] = 1


@kernel
def chance_at(race: RaceRecord, edition: EditionRecord, chariot, space, speed, left, fate, chances):
    """The chance if the turn ends here."""
    weights, unit, out = network(), chances.unit, chances.input
    know(race, edition, chariot, space, chances)
    lap, rest = chances.lap[space], chances.rest[space]
    tell_state(edition, race.kind[chariot], speed, left, chances.number[space], chances.gap[space], out)
    rounds = rounds_from(race, edition, chariot, lap, rest, speed, left, fate)
    tell_rounds(rounds, fate, chances.best, out)
    for u in range(WIDTH):
        unit[u] = chances.place[space, u]
    pass_on(weights, PLACED, INPUTS, out, unit)
    return result_of(weights, unit)


# --- as a valuation -------------------------------------------------------------------------------------------------


@kernel
def ram_points(gain):
    """Hundredths for the damage to rivals, which `spread` values as the driver `keen` does."""
    return PER_SPACE * gain


@kernel
def best_chance(race: RaceRecord, edition: EditionRecord, chariot, speed, condition, fate, attacks, ends, chances):
    """The best of the ends found for this speed: its chance, and its number; NOTHING if all of them wreck it."""
    best, pick = chance_of_wreck(race, chances) - 1.0, NOTHING
    for j in range(ends.ways):
        left = condition - damage_of(ends.way[j])
        if left > 0:
            space = space_of(ends.way[j])
            chance = chance_at(race, edition, chariot, space, speed, left, fate, chances)
            chance += ram_points(ends.gain[j])
            chance += worth_of_attacks(race, edition, chariot, chances.rest[space], speed, attacks, ATTACKS)
            if chance > best:
                best, pick = chance, j
    return best, pick


@kernel
def fill_chances(race: RaceRecord, edition: EditionRecord, chariot, dice, every_end, chances, worths):
    """`fill_worths` by the chance to win."""
    weights, unit, out = network(), chances.unit, chances.input
    lost = chance_of_wreck(race, chances)
    kind, initial, condition = race.kind[chariot], race.speed[chariot], race.condition[chariot]
    low, based = race.fate[chariot] % edition.fortune_cost, np.empty(WIDTH)
    slow, fast = speeds_within(race, edition, chariot, dice)
    for speed in range(slow, fast + 1):
        clear_worths(race, edition, chariot, speed, dice, lost, worths)
        front = every_end[speed]
        for j in range(front.ways):
            space = space_of(front.way[j])
            know(race, edition, chariot, space, chances)
            used, damage, bonus = changes_of(front.way[j]), damage_of(front.way[j]), ram_points(front.gain[j])
            lap, rest = chances.lap[space], chances.rest[space]
            for sprints in range(dice + 1 - used):
                left = condition - edition.sprint_damage * sprints - damage
                spare = spare_dice(edition, kind, initial, speed, sprints, dice) - used
                if left <= 0 or spare < 0:
                    continue
                tell_state(edition, kind, speed, left, chances.number[space], chances.gap[space], out)
                for u in range(WIDTH):
                    based[u] = chances.place[space, u]
                pass_on(weights, PLACED, T_OWN_FATE, out, based)
                place = place_of(edition, kind, chances.aimed[space], speed, sprints, used)
                for fate in range(low, most_fate_with(race, edition, chariot, spare) + 1):
                    rounds = rounds_from(race, edition, chariot, lap, rest, speed, left, fate)
                    tell_rounds(rounds, fate, chances.best, out)
                    for u in range(WIDTH):
                        unit[u] = based[u]
                    pass_on(weights, T_OWN_FATE, INPUTS, out, unit)
                    worths[place + fate] = max(worths[place + fate], result_of(weights, unit) + bonus)
        spare_lane_changes(race, edition, chariot, speed, dice, worths)
