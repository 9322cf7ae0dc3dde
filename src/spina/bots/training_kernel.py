"""Training examples for value networks: the features of all seats before every turn, and who won in the end."""

from __future__ import annotations

import numpy as np

from spina.bots.search_kernel import final_chances, unpack_game
from spina.kernel.bits import lowest_bit
from spina.kernel.compiler import entry, kernel
from spina.kernel.interface import PLAN, STEP, driver_at
from spina.kernel.narration import silence
from spina.kernel.race_runner import CHOICE_LIMIT, MOST_SEATS, RACE_RANGE, begin_race
from spina.kernel.random import below, nth_seed
from spina.kernel.signatures import ADDRESSES, BYTES, COMPONENTS, INT, NUMBERS, REAL, Array

POLICY, RANDOM = range(2)
"""The drivers of a training race: the policy, and the random driver of epsilon-greedy choices."""

GENERATE_EXAMPLES = INT(
    ADDRESSES, ADDRESSES, BYTES, COMPONENTS, NUMBERS, RACE_RANGE, INT, Array(REAL, 3), Array(REAL, 2)
)


@kernel
def all_turns_had(game, race, edition, seats):
    """How many turns all seats together have had."""
    turns = 0
    for seat in range(seats):
        turns += game.turns_had(race, edition, seat)
    return turns


@entry(GENERATE_EXAMPLES)
def generate_examples(functions, drivers, race, edition, options, races, epsilon, features, shares):
    """Run races and record the features of all seats before every turn. Returns the number of examples.

    Each race opens epsilon-greedily: `epsilon` of a thousand choices are random. After a random number of turns the
    policy alone chooses, and only from then on examples are recorded: who wins must not depend on random choices that
    are still to come.
    """
    game = unpack_game(functions)
    dice = np.zeros(4, np.uint64)
    plan, share = np.zeros(PLAN, np.int64), np.zeros(MOST_SEATS)
    nobody = silence()
    seats = options[0]
    recorded, usual = 0, 1
    for i in range(races.first, races.first + races.size):
        begin_race(game, race, edition, options, nth_seed(races.seed, i), dice)
        begun, last, choices, turns = recorded, -1, 0, 0
        opening = below(dice, usual)
        while not game.over(race, edition) and choices < CHOICE_LIMIT:
            now = all_turns_had(game, race, edition, seats)
            if now != last:
                last = now
                turns += 1
                if turns > opening and recorded < len(shares):
                    for seat in range(seats):
                        game.measure_features(race, edition, seat, features[recorded, seat])
                    recorded += 1
            seat = lowest_bit(game.acting(race, edition))
            explores = turns <= opening and below(dice, 1000) < epsilon
            driver = driver_at(drivers, RANDOM if explores else POLICY)
            status = STEP
            while status == STEP:
                steps = driver(race, edition, seat, dice, plan)
                for k in range(steps):
                    status = game.apply(race, edition, seat, plan[k], nobody)
            choices += 1
        usual = turns
        final_chances(game, race, edition, seats, share)
        for k in range(begun, recorded):
            shares[k, :seats] = share[:seats]
    return recorded
