"""Examples for the networks: how the seats stood after every turn of one of them, and who won in the end."""

from __future__ import annotations

import numpy as np

from spina.bots.value_network import share_of_win
from spina.kernel.bits import lowest_bit
from spina.kernel.compiler import INTERPRETED, entry
from spina.kernel.interface import ACTING, APPLY, DRIVER, MEASURE_FEATURES, OVER, PLAN, RANKING, SET_UP, STEP, TURNS_HAD
from spina.kernel.narration import silence
from spina.kernel.race_runner import CHOICE_LIMIT, MOST_SEATS, begin_race
from spina.kernel.random import below, nth_seed

if INTERPRETED:
    GATHER = None
else:
    from numba import types

    from spina.kernel.interface import BYTES, COMPONENTS, INT, NUMBERS, WORD

    _pointer = types.FunctionType
    GATHER = INT(
        _pointer(SET_UP), _pointer(ACTING), _pointer(APPLY), _pointer(OVER), _pointer(RANKING), _pointer(TURNS_HAD),
        _pointer(MEASURE_FEATURES), _pointer(DRIVER), _pointer(DRIVER), BYTES, COMPONENTS, NUMBERS,
        INT, INT, WORD, INT, types.Array(types.float64, 3, "C"), types.Array(types.float64, 2, "C"),
    )  # fmt: skip


@entry(GATHER)
def gather(
    set_up, acting, apply, over, ranking, turns_had, standing, driver, whim, race, edition, options,
    first, count, seed, whims, figures, shares,
):  # fmt: skip
    """Play races and note how all stand before every turn. Returns the number of notes.

    Each race begins wildly: of a thousand choices so many are made on a whim. After a number of turns drawn by lot the
    drivers come to their senses, and only from there on it is noted: who wins must not hang on whims still to come.
    """
    dice = np.zeros(4, np.uint64)
    plan, places = np.zeros(PLAN, np.int64), np.zeros(MOST_SEATS, np.int64)
    share = np.zeros(MOST_SEATS)
    nobody = silence()
    seats = options[0]
    noted, usual = 0, 1
    for i in range(first, first + count):
        begin_race(set_up, race, edition, options, nth_seed(seed, i), dice)
        begun, last, choices, turns = noted, -1, 0, 0
        wild = below(dice, usual)
        while not over(race, edition) and choices < CHOICE_LIMIT:
            now = 0
            for seat in range(seats):
                now += turns_had(race, edition, seat)
            if now != last:
                last = now
                turns += 1
                if turns > wild and noted < len(shares):
                    for seat in range(seats):
                        standing(race, edition, seat, figures[noted, seat])
                    noted += 1
            seat = lowest_bit(acting(race, edition))
            at_whim = turns <= wild and below(dice, 1000) < whims
            status = STEP
            while status == STEP:
                steps = whim(race, edition, seat, dice, plan) if at_whim else driver(race, edition, seat, dice, plan)
                for k in range(steps):
                    status = apply(race, edition, seat, plan[k], nobody)
            choices += 1
        usual = turns
        ranking(race, edition, places)
        share_of_win(places, seats, share)
        for k in range(begun, noted):
            shares[k, :seats] = share[:seats]
    return noted
