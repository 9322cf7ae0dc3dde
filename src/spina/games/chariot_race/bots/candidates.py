"""Candidates: the answers that learned policies and the search compare, and the features that describe them.

They are the answers that come closest to the best by any of the valuations of `answers.py`. A policy learns which of
these to trust when.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariot_race.bots.answers import (
    ANSWERS,
    BY_CHANCE,
    C_USUAL,
    C_WORTH,
    CANDIDATE,
    LISTED,
    NEAR_AHEAD,
    VALUATIONS,
    find_answers,
)
from spina.games.chariot_race.bots.driver_weights import (
    LAP_SPACES,
)
from spina.games.chariot_race.bots.expected_value import (
    races_against,
    rival_at_home,
)
from spina.games.chariot_race.bots.features import (
    ALL,
    RIVAL,
    RIVALS_NEAR_UNIT,
    SPEED_UNIT,
    measure,
    tell_of_chariot,
    tell_of_rivals,
)
from spina.games.chariot_race.bots.solo_table import KNOWN
from spina.games.chariot_race.bots.turn_chances import (
    CHANCES,
)
from spina.games.chariot_race.rules.dice_roll import count_side
from spina.games.chariot_race.rules.movement import distance
from spina.games.chariot_race.rules.record import (
    AT_ATTACK,
    AT_FORTUNE,
    AT_REROLL,
    AT_SIGNS,
    DICE,
    EDITION,
    NOTHING,
    RACE,
    SIDES,
)
from spina.kernel import interface
from spina.kernel.compiler import entry, kernel
from spina.kernel.policy_network import PolicySize
from spina.kernel.record import fields

if TYPE_CHECKING:
    from spina.games.chariot_race.rules.record_types import EditionRecord, RaceRecord

STAGES = AT_ATTACK + 1

# --- features of the situation --------------------------------------------------------------------------------------

OWN = ALL
"""After the features of `measure`: those of the chariot whose turn it is."""
(
    S_STAGE,  # one of STAGES
    S_SEATS,
    S_PAIRS,
    S_ALIVE,  # rivals on the track
    S_LAST,  # a rival has finished
    S_DISTANCE_HOME,  # how far beyond the line, if so
    S_RIVAL,  # as in `measure`, of this chariot against the foremost rivals
    S_SIDES,  # dice that show each side
    S_ROLLED,
    S_POINTS,
    S_STEERS,
    S_ATTACKS,
    S_PURCHASES,  # that the fate pays for
    S_NEAR_AHEAD,  # rivals close ahead, in the reach of a move
    S_SOLVED,  # the course is the one with the solution
    SITUATION,
) = (OWN + i for i in (8, 16, 17, 18, 19, 20, 21, 30, 35, 36, 37, 38, 39, 40, 41, 42))

SIZE = PolicySize(SITUATION, CANDIDATE)
VALUE_UNIT, CHANCE_UNIT, FARTHEST = 4.0, 8.0, 4.0
"""Straight spaces, or hundredths of a race, that count as one in the features of values; and the most that a value may
lie below the best."""

# --- from answers to candidates -------------------------------------------------------------------------------------


@kernel
def compare_answers(answers):
    """Write the values as features, each against the best by its valuation; the driver's choice is its best."""
    usual = answers.usual
    for v in range(VALUATIONS):
        highest = answers.value[usual, v]
        if v > 0:
            for k in range(answers.count):
                highest = max(highest, answers.value[k, v])
        for k in range(answers.count):
            below = (answers.value[k, v] - highest) / (CHANCE_UNIT if v == BY_CHANCE else VALUE_UNIT)
            answers.fact[k, C_WORTH + v] = max(-FARTHEST, min(0.0, below))
    answers.fact[usual, C_USUAL] = 1.0


@kernel
def closeness(fact):
    """How close an answer comes to the best by the valuation that likes it most."""
    closest = fact[C_WORTH]
    for v in range(1, VALUATIONS):
        closest = max(closest, fact[C_WORTH + v])
    return closest + 0.01 * fact[C_WORTH]


@kernel
def choose_candidates(answers):
    """Write the numbers of the candidates to `order`, the driver's choice first; returns how many there are."""
    order, used = answers.order, 1
    order[0] = answers.usual
    for k in range(answers.count):
        if k == answers.usual:
            continue
        close, at = closeness(answers.fact[k]), used
        while at > 1 and close > closeness(answers.fact[order[at - 1]]):
            order[at] = order[at - 1]
            at -= 1
        order[at] = k
        used = min(LISTED, used + 1)
    return used


# --- the situation --------------------------------------------------------------------------------------------------


@kernel
def describe_situation(race: RaceRecord, edition: EditionRecord, seat, out):
    """Write the features of the seat's situation. Apart from future dice, nothing is hidden in this game."""
    out[:] = 0.0
    chariot, unit = race.chariot, edition.length / LAP_SPACES
    measure(race, edition, seat, out)
    if race.stage <= AT_ATTACK:
        out[S_STAGE + race.stage] = 1.0
    out[S_SEATS] = race.seats / 6.0
    out[S_PAIRS] = 1.0 if race.chariots > race.seats else 0.0
    out[S_SOLVED] = 1.0 if edition.plain_key == KNOWN else 0.0
    if race.space[chariot] == NOTHING:
        return
    tell_of_chariot(race, edition, chariot, out, OWN)
    told = np.zeros(ALL)
    tell_of_rivals(race, edition, chariot, told)
    for i in range(ALL - RIVAL):
        out[S_RIVAL + i] = told[RIVAL + i]
    for rival in range(race.chariots):
        if races_against(race, rival, chariot):
            out[S_ALIVE] += 1.0 / DICE
            gap = (distance(race, edition, rival) - distance(race, edition, chariot)) / unit
            if 0.0 < gap <= NEAR_AHEAD:
                out[S_NEAR_AHEAD] += 1.0 / RIVALS_NEAR_UNIT
    home = rival_at_home(race, edition, chariot)
    if home >= 0:
        out[S_LAST] = 1.0
        out[S_DISTANCE_HOME] = min(2.0, (home - edition.laps * edition.length) / unit / NEAR_AHEAD)
    if race.stage == AT_REROLL or race.stage == AT_FORTUNE or race.stage == AT_SIGNS:
        for side in range(SIDES):
            out[S_SIDES + side] = count_side(race, side) / DICE
        out[S_ROLLED] = race.rolled / DICE
    out[S_POINTS], out[S_STEERS], out[S_ATTACKS] = race.points / SPEED_UNIT, race.steers / DICE, race.attacks / DICE
    out[S_PURCHASES] = (race.fate[chariot] // max(1, edition.fortune_cost)) / RIVALS_NEAR_UNIT


@kernel
def find_candidates(race: RaceRecord, edition: EditionRecord, seat, answers, chances, situation, features):
    """List the candidates and describe them; returns their number, 0 if it is not the seat's turn."""
    if race.over or race.seat[race.chariot] != seat:
        return 0
    find_answers(race, edition, answers, chances)
    compare_answers(answers)
    count = choose_candidates(answers)
    describe_situation(race, edition, seat, situation)
    for k in range(count):
        for i in range(CANDIDATE):
            features[k, i] = answers.fact[answers.order[k], i]
    return count


@kernel
def write_candidates(
    race: RaceRecord, edition: EditionRecord, seat, memory, rooms, plans, lengths, situation, features
):
    """`list_candidates` with the memory that it needs."""
    answers = memory[0]
    count = find_candidates(race, edition, seat, answers, rooms[0], situation, features)
    for k in range(count):
        plans[k, 0], lengths[k] = answers.action[answers.order[k]], 1
    return count


@entry(interface.LIST_CANDIDATES)
def list_candidates(race_bytes, edition_bytes, seat, plans, lengths, situation, features):
    """Write the candidates of the seat's answer and their features, and the features of the situation."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    return write_candidates(
        race, edition, seat, np.zeros(1, ANSWERS), np.empty(1, CHANCES), plans, lengths, situation, features
    )
