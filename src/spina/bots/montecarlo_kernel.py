"""The compiled part of the Monte Carlo bot: one simulated race after another, for any game."""

from __future__ import annotations

import math

import numpy as np

from spina.kernel.compile import INTERPRETED, entry
from spina.kernel.random import next_word
from spina.kernel.runs import drive_to_the_end
from spina.kernel.story import silence
from spina.kernel.table import ACTING, APPLY, DEAL_ANEW, DRIVER, OVER, PLAN, RANKING, STEP

MOST_SEATS = 12

if INTERPRETED:
    EVALUATE = None
else:
    from numba import types

    from spina.kernel.table import BYTES, COMPONENTS, DICE, INT, NUMBERS

    _pointer = types.FunctionType
    _floats = types.Array(types.float64, 1, "C")
    EVALUATE = types.void(
        _pointer(ACTING), _pointer(APPLY), _pointer(OVER), _pointer(RANKING), _pointer(DEAL_ANEW),
        types.UniTuple(_pointer(DRIVER), MOST_SEATS), BYTES, COMPONENTS, INT, INT,
        NUMBERS, INT, INT, DICE, NUMBERS, _floats,
    )  # fmt: skip

EXPLORATION = 0.7


@entry(EVALUATE)
def evaluate(
    acting, apply, over, ranking, deal_anew, drivers, race, edition, seats, seat,
    actions, count, iterations, dice, visits, rewards,
):  # fmt: skip
    """Try the actions again and again on races dealt anew, the promising ones more often (UCB1).

    A reward is 1 for winning and falls to 0 for coming last.
    """
    plan = np.zeros(PLAN, np.int64)
    places = np.zeros(MOST_SEATS, np.int64)
    nobody = silence()
    for i in range(iterations):
        pick = 0
        best = -1.0
        for k in range(count):
            score = 1e9
            if visits[k] > 0:
                score = rewards[k] / visits[k] + EXPLORATION * math.sqrt(math.log(i + 1) / visits[k])
            if score > best:
                best = score
                pick = k
        trial = race.copy()
        deal_anew(trial, edition, seat, next_word(dice))
        status = apply(trial, edition, seat, actions[pick], nobody)
        while status == STEP:
            steps = drivers[seat](trial, edition, seat, dice, plan)
            for k in range(steps):
                status = apply(trial, edition, seat, plan[k], nobody)
        drive_to_the_end(acting, apply, over, drivers, trial, edition, dice)
        ranking(trial, edition, places)
        behind = 0
        ahead = 0
        for rival in range(seats):
            if rival != seat:
                if places[rival] > places[seat]:
                    behind += 1
                elif places[rival] < places[seat]:
                    ahead += 1
        reward = 0.5 * (1.0 + (behind - ahead) / (seats - 1)) if seats > 1 else 1.0
        if places[seat] == 1:
            reward = 1.0
        else:
            reward *= 0.5
        visits[pick] += 1
        rewards[pick] += reward
