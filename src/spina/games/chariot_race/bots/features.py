"""Features of a seat: the input of the value network, and the reasons that bots give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spina.games.chariot_race.bots.driver_weights import LAP_SPACES
from spina.games.chariot_race.bots.expected_value import exposure, hunters, races_against, rounds_alone, solution_on
from spina.games.chariot_race.bots.solo_table import KNOWN
from spina.games.chariot_race.rules.movement import distance, has_finished, is_ahead
from spina.games.chariot_race.rules.record import AHEAD, EDITION, NOTHING, RACE
from spina.games.feature import Feature
from spina.kernel import interface
from spina.kernel.compiler import entry, kernel
from spina.kernel.record import fields

if TYPE_CHECKING:
    from spina.games.chariot_race.rules.record_types import EditionRecord, RaceRecord

CONDITION_UNIT, SPEED_UNIT, FATE_UNIT, BEND_UNIT, LANE_UNIT, ROUNDS_UNIT = 12.0, 8.0, 6.0, 4.0, 2.0, 4.0
RIVALS_NEAR_UNIT, RIVALS_UNIT, ROUNDS_BEHIND_UNIT, SPACES_BACK_UNIT = 2.0, 3.0, 2.0, 8.0
"""Units of the features: a feature is a count divided by its unit."""
MOST_BEHIND = 3.0
"""Differences to rivals are cut to this value on either side, in their units."""

OF_ONE = (
    Feature("to go", less="gets {n} spaces further"),
    Feature("condition", CONDITION_UNIT, more="saves {n} points of condition"),
    Feature("speed", SPEED_UNIT, more="is {n} faster for the next turn", less="brakes by {n}"),
    Feature("fate", FATE_UNIT, more="keeps {n} points of fate"),
    Feature("bend ahead", BEND_UNIT, less="comes {n} slower to the bend"),
    Feature("lane", LANE_UNIT, less="comes {n} lanes further inside"),
    Feature("to come"),
    Feature("rounds", ROUNDS_UNIT, less="needs {n} rounds less to the finish"),
)
FEATURES = (
    *OF_ONE,
    *(Feature(f"second {figure.name}", figure.unit) for figure in OF_ONE),
    Feature("second races", 1.0, more="saves the other chariot"),
    Feature("exposed", RIVALS_NEAR_UNIT, less="has {n} rivals less close behind in its lane"),
    Feature("hunted", RIVALS_NEAR_UNIT, less="is in the reach of {n} rivals less"),
    Feature("rivals", RIVALS_UNIT),
    Feature("home"),
    Feature("behind best", ROUNDS_BEHIND_UNIT, less="gains {n} rounds on the best rival"),
    Feature("further back than best", SPACES_BACK_UNIT),
    Feature("moves later than best"),
    Feature("behind second", ROUNDS_BEHIND_UNIT),
    Feature("further back than second", SPACES_BACK_UNIT),
    Feature("moves later than second"),
    Feature("behind third", ROUNDS_BEHIND_UNIT),
    Feature("further back than third", SPACES_BACK_UNIT),
    Feature("moves later than third"),
)
TO_GO, CONDITION, SPEED, FATE, BEND, LANE, TO_COME, ROUNDS = range(8)
SECOND = 8
RACES, EXPOSED, HUNTED, RIVALS, HOME, RIVAL = range(16, 22)
BEHIND, BACK, LATER = range(3)
EACH, TOLD = 3, 3
"""EACH features of each of TOLD rival chariots: those with the fewest rounds to go."""
ALL = RIVAL + TOLD * EACH
FAR = 2.0
"""Share of the way to go for a wreck."""
UNPLACED = 1.1
"""Share of the way to go for a chariot without a starting space."""
NEVER = 12.0
"""Rounds to go for a wreck."""
ROUNDS_OF_RACE = 8.0
"""Rounds of a whole race, where there is no exact solution."""


@kernel
def way_to_go(race: RaceRecord, edition: EditionRecord, chariot):
    """Share of the whole way that a chariot still has to go; FAR for a wreck."""
    if race.wrecked[chariot]:
        return FAR
    if race.space[chariot] == NOTHING:
        return UNPLACED
    whole = edition.laps * edition.length
    return 1.0 * (whole - distance(race, edition, chariot)) / whole


@kernel
def bend_ahead(edition: EditionRecord, space, speed):
    """By how much the chariot is too fast for the next bend, if that is within its reach."""
    ahead = edition.next[space, AHEAD]
    for _ in range(speed + 1):
        if edition.number[ahead] > 0:
            return max(0.0, speed - edition.number[ahead] * 1.0) / BEND_UNIT
        ahead = edition.next[ahead, AHEAD]
    return 0.0


@kernel
def rounds_to_go(race: RaceRecord, edition: EditionRecord, chariot):
    """Rounds that the chariot would need alone, by the exact solution if there is one, else by the way to go."""
    if race.wrecked[chariot]:
        return NEVER
    if edition.plain_key != KNOWN or race.space[chariot] == NOTHING:
        return ROUNDS_OF_RACE * way_to_go(race, edition, chariot)
    lap, space, speed = race.lap[chariot], race.space[chariot], race.speed[chariot]
    condition, fate = race.condition[chariot], race.fate[chariot]
    return rounds_alone(edition, solution_on(race), lap, space, speed, condition, fate)


@kernel
def place_in_round(race: RaceRecord, edition: EditionRecord, chariot):
    """Index of a chariot in the order of this round; NOTHING if it has had its turn, is wrecked or has finished."""
    if not race.wrecked[chariot] and not has_finished(race, edition, chariot):
        for i in range(race.at, race.chariots):
            if race.order[i] == chariot:
                return i
    return NOTHING


@kernel
def tell_of_chariot(race: RaceRecord, edition: EditionRecord, chariot, out, at):
    """Write the features of one chariot."""
    out[at + TO_GO] = way_to_go(race, edition, chariot)
    out[at + ROUNDS] = rounds_to_go(race, edition, chariot) / ROUNDS_UNIT
    if race.wrecked[chariot] or race.space[chariot] == NOTHING:
        return
    out[at + CONDITION] = race.condition[chariot] / CONDITION_UNIT
    out[at + SPEED] = race.speed[chariot] / SPEED_UNIT
    out[at + FATE] = race.fate[chariot] / FATE_UNIT
    out[at + BEND] = bend_ahead(edition, race.space[chariot], race.speed[chariot])
    out[at + LANE] = edition.lane[race.space[chariot]] / LANE_UNIT
    if place_in_round(race, edition, chariot) != NOTHING:
        out[at + TO_COME] = 1.0


@kernel
def moves_before(race: RaceRecord, edition: EditionRecord, rival, chariot):
    """Whether the rival has its next turn before the chariot."""
    its, own = place_in_round(race, edition, rival), place_in_round(race, edition, chariot)
    if its == NOTHING and own == NOTHING:
        return is_ahead(race, edition, rival, chariot)
    return its != NOTHING and (own == NOTHING or its < own)


@kernel
def still_needs(race: RaceRecord, edition: EditionRecord, chariot):
    """Rounds to go after this one: one less for a chariot whose turn is still to come."""
    return rounds_to_go(race, edition, chariot) - (place_in_round(race, edition, chariot) != NOTHING)


@kernel
def tell_of_rivals(race: RaceRecord, edition: EditionRecord, chariot, out):
    """Write the number of rivals, and the features of those with the fewest rounds to go."""
    own = still_needs(race, edition, chariot)
    unit = edition.length / LAP_SPACES
    told = 0
    for rival in range(race.chariots):
        if not races_against(race, rival, chariot):
            continue
        out[RIVALS] += 1.0 / RIVALS_UNIT
        rounds = (own - still_needs(race, edition, rival)) / ROUNDS_BEHIND_UNIT
        behind = min(MOST_BEHIND, max(-MOST_BEHIND, rounds))
        at = RIVAL + told * EACH
        while at > RIVAL and out[at - EACH + BEHIND] < behind:
            at -= EACH
        if at == ALL:
            continue
        for i in range(ALL - 1, at + EACH - 1, -1):
            out[i] = out[i - EACH]
        further = (distance(race, edition, rival) - distance(race, edition, chariot)) / unit
        out[at + BEHIND] = behind
        out[at + BACK] = min(MOST_BEHIND, max(-MOST_BEHIND, further / SPACES_BACK_UNIT))
        out[at + LATER] = 1.0 if moves_before(race, edition, rival, chariot) else 0.0
        told = min(TOLD, told + 1)
    for at in range(RIVAL + told * EACH, ALL, EACH):
        out[at + BEHIND], out[at + BACK] = -MOST_BEHIND, -MOST_BEHIND


@kernel
def measure(race: RaceRecord, edition: EditionRecord, seat, out):
    """Write the features of the seat's foremost chariot, of its other one, and of the foremost against rivals."""
    out[:ALL] = 0.0
    first, second = NOTHING, NOTHING
    for chariot in range(race.chariots):
        if race.seat[chariot] == seat:
            if first == NOTHING or way_to_go(race, edition, chariot) < way_to_go(race, edition, first):
                second = first
                first = chariot
            else:
                second = chariot
    tell_of_chariot(race, edition, first, out, 0)
    if second != NOTHING:
        tell_of_chariot(race, edition, second, out, SECOND)
        out[RACES] = 0.0 if race.wrecked[second] else 1.0
    if race.space[first] == NOTHING:
        return
    tell_of_rivals(race, edition, first, out)
    out[HOME] = race.home[first]
    if not race.wrecked[first] and not has_finished(race, edition, first):
        out[EXPOSED] = exposure(race, edition, first, race.space[first]) / RIVALS_NEAR_UNIT
        out[HUNTED] = hunters(race, edition, first, race.space[first]) / RIVALS_NEAR_UNIT


@entry(interface.MEASURE_FEATURES)
def measure_features(race_bytes, edition_bytes, seat, out):
    """`measure` for the search and the value network."""
    measure(fields(race_bytes, RACE), fields(edition_bytes, EDITION), seat, out)
