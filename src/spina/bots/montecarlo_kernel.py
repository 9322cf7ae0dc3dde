"""The compiled part of the Monte Carlo bot: one imagined race after another, for any game."""

from __future__ import annotations

import numpy as np

from spina.kernel.compile import INTERPRETED, entry, kernel
from spina.kernel.random import seed_dice
from spina.kernel.runs import MOST_SEATS, drive_to_the_end
from spina.kernel.story import silence
from spina.kernel.table import ACTING, APPLY, DEAL_ANEW, DRIVER, OVER, PLAN, RANKING, STEP

_SALT = np.uint64(0xB07)

if INTERPRETED:
    IMAGINE = None
else:
    from numba import types

    from spina.kernel.table import BYTES, COMPONENTS, INT, NUMBERS

    _pointer = types.FunctionType
    IMAGINE = types.void(
        _pointer(ACTING), _pointer(APPLY), _pointer(OVER), _pointer(RANKING), _pointer(DEAL_ANEW),
        types.UniTuple(_pointer(DRIVER), MOST_SEATS), BYTES, COMPONENTS, INT, INT,
        NUMBERS, types.Array(types.uint64, 1, "C"), types.Array(types.float64, 2, "C"),
    )  # fmt: skip


@kernel
def reward_of(places, seat, seats):
    """What a place is worth: 1 for winning, else a little for everybody left behind."""
    if places[seat] == 1:
        return 1.0
    behind = 0
    for rival in range(seats):
        if places[rival] > places[seat]:
            behind += 1
    return 0.5 * behind / seats


@entry(IMAGINE)
def imagine(
    acting, apply, over, ranking, deal_anew, drivers, race, edition, seats, seat, actions, seeds, rewards,
):  # fmt: skip
    """Try every action on the same imagined races: what the seat cannot see is dealt from each of the seeds."""
    plan = np.zeros(PLAN, np.int64)
    places = np.zeros(MOST_SEATS, np.int64)
    dice = np.zeros(4, np.uint64)
    nobody = silence()
    for i in range(len(seeds)):
        for k in range(len(actions)):
            trial = race.copy()
            deal_anew(trial, edition, seat, seeds[i])
            seed_dice(dice, seeds[i] ^ _SALT)
            status = apply(trial, edition, seat, actions[k], nobody)
            while status == STEP:
                for step in range(drivers[seat](trial, edition, seat, dice, plan)):
                    status = apply(trial, edition, seat, plan[step], nobody)
            drive_to_the_end(acting, apply, over, drivers, trial, edition, dice)
            ranking(trial, edition, places)
            rewards[k, i] = reward_of(places, seat, seats)
