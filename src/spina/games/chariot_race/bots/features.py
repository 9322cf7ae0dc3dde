"""How a seat stands, in numbers: what bots judge a race by, and what they give as reasons."""

from __future__ import annotations

from spina.games.chariot_race.bots.expected_value import exposure, hunters, races_against, rounds_alone, solution_on
from spina.games.chariot_race.bots.solo_table import KNOWN
from spina.games.chariot_race.rules.movement import distance, has_finished, is_ahead
from spina.games.chariot_race.rules.record import EDITION, NOTHING, RACE
from spina.games.feature import Feature
from spina.kernel import interface
from spina.kernel.compiler import entry, kernel

OF_ONE = (
    Feature("to go", less="gets {n} spaces further"),
    Feature("condition", 12.0, more="saves {n} points of condition"),
    Feature("speed", 8.0, more="is {n} faster for the next turn", less="brakes by {n}"),
    Feature("fate", 6.0, more="keeps {n} points of fate"),
    Feature("bend ahead", 4.0, less="comes {n} slower to the bend"),
    Feature("lane", 2.0, less="comes {n} lanes further inside"),
    Feature("to come"),
    Feature("rounds", 4.0, less="needs {n} rounds less to the finish"),
)
FEATURES = (
    *OF_ONE,
    *(Feature(f"second {figure.name}", figure.unit) for figure in OF_ONE),
    Feature("second races", 1.0, more="saves the other chariot"),
    Feature("exposed", 2.0, less="has {n} rivals less close behind in its lane"),
    Feature("hunted", 2.0, less="is in the reach of {n} rivals less"),
    Feature("rivals", 3.0),
    Feature("home"),
    Feature("behind best", 2.0, less="gains {n} rounds on the best rival"),
    Feature("further back than best", 8.0),
    Feature("moves later than best"),
    Feature("behind second", 2.0),
    Feature("further back than second", 8.0),
    Feature("moves later than second"),
    Feature("behind third", 2.0),
    Feature("further back than third", 8.0),
    Feature("moves later than third"),
)
TO_GO, CONDITION, SPEED, FATE, BEND, LANE, TO_COME, ROUNDS = range(8)
SECOND = 8
RACES, EXPOSED, HUNTED, RIVALS, HOME, RIVAL = range(16, 22)
BEHIND, BACK, LATER = range(3)
EACH, TOLD = 3, 3
"""So many figures of so many rivals' chariots: those that have least to go."""
ALL = RIVAL + TOLD * EACH
FAR = 2.0
"""The way to go of a chariot that will never arrive."""
NEVER = 12.0
"""The rounds that it needs."""


@kernel
def way_to_go(race, edition, chariot):
    """The share of the whole way that a chariot still has before it; FAR for a wreck."""
    if race.wrecked[chariot]:
        return FAR
    if race.space[chariot] == NOTHING:
        return 1.1
    whole = edition.laps * edition.length
    return 1.0 * (whole - distance(race, edition, chariot)) / whole


@kernel
def bend_ahead(edition, space, speed):
    """By how much the chariot is too fast for the bend that comes within its reach."""
    ahead = edition.next[space, 0]
    for _ in range(speed + 1):
        if edition.number[ahead] > 0:
            return max(0.0, speed - edition.number[ahead] * 1.0) / 4.0
        ahead = edition.next[ahead, 0]
    return 0.0


@kernel
def rounds_to_go(race, edition, chariot):
    """Rounds that the chariot would need alone, by the exact solution; elsewhere by the way that it has to go."""
    if race.wrecked[chariot]:
        return NEVER
    if edition.plain_key != KNOWN or race.space[chariot] == NOTHING:
        return 8.0 * way_to_go(race, edition, chariot)
    lap, space, speed = race.lap[chariot], race.space[chariot], race.speed[chariot]
    condition, fate = race.condition[chariot], race.fate[chariot]
    return rounds_alone(edition, solution_on(race), lap, space, speed, condition, fate)


@kernel
def place_in_round(race, edition, chariot):
    """Where in the order of this round a chariot is that has its turn now or later; NOTHING if it had it."""
    if not race.wrecked[chariot] and not has_finished(race, edition, chariot):
        for i in range(race.at, race.chariots):
            if race.order[i] == chariot:
                return i
    return NOTHING


@kernel
def tell_of_chariot(race, edition, chariot, out, at):
    """One chariot's figures."""
    out[at + TO_GO] = way_to_go(race, edition, chariot)
    out[at + ROUNDS] = rounds_to_go(race, edition, chariot) / 4.0
    if race.wrecked[chariot] or race.space[chariot] == NOTHING:
        return
    out[at + CONDITION] = race.condition[chariot] / 12.0
    out[at + SPEED] = race.speed[chariot] / 8.0
    out[at + FATE] = race.fate[chariot] / 6.0
    out[at + BEND] = bend_ahead(edition, race.space[chariot], race.speed[chariot])
    out[at + LANE] = edition.lane[race.space[chariot]] / 2.0
    if place_in_round(race, edition, chariot) != NOTHING:
        out[at + TO_COME] = 1.0


@kernel
def moves_before(race, edition, rival, chariot):
    """Whether a rival has its next turn before a chariot has."""
    its, own = place_in_round(race, edition, rival), place_in_round(race, edition, chariot)
    if its == NOTHING and own == NOTHING:
        return is_ahead(race, edition, rival, chariot)
    return its != NOTHING and (own == NOTHING or its < own)


@kernel
def still_needs(race, edition, chariot):
    """Rounds to go after this one: whoever has its turn still to come has one less."""
    return rounds_to_go(race, edition, chariot) - (place_in_round(race, edition, chariot) != NOTHING)


@kernel
def tell_of_rivals(race, edition, chariot, out):
    """How many still race, and how the chariot stands to those that have least to go."""
    own = still_needs(race, edition, chariot)
    unit = edition.length / 32.0
    told = 0
    for rival in range(race.chariots):
        if not races_against(race, rival, chariot):
            continue
        out[RIVALS] += 1.0 / 3.0
        behind = min(3.0, max(-3.0, (own - still_needs(race, edition, rival)) / 2.0))
        at = RIVAL + told * EACH
        while at > RIVAL and out[at - EACH + BEHIND] < behind:
            at -= EACH
        if at == ALL:
            continue
        for i in range(ALL - 1, at + EACH - 1, -1):
            out[i] = out[i - EACH]
        further = (distance(race, edition, rival) - distance(race, edition, chariot)) / unit
        out[at + BEHIND] = behind
        out[at + BACK] = min(3.0, max(-3.0, further / 8.0))
        out[at + LATER] = 1.0 if moves_before(race, edition, rival, chariot) else 0.0
        told = min(TOLD, told + 1)
    for at in range(RIVAL + told * EACH, ALL, EACH):
        out[at + BEHIND], out[at + BACK] = -3.0, -3.0


@entry(interface.MEASURE_FEATURES)
def measure_features(race_bytes, edition_bytes, seat, out):
    """The seat's foremost chariot and its other one, and how the foremost stands to those of the rivals."""
    race, edition = race_bytes.view(RACE)[0], edition_bytes.view(EDITION)[0]
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
        out[EXPOSED] = exposure(race, edition, first, race.space[first]) / 2.0
        out[HUNTED] = hunters(race, edition, first, race.space[first]) / 2.0
