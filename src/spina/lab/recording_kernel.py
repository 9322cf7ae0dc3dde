"""Runs whole races inside the kernel and records them, for any game and any drivers."""

from __future__ import annotations

import numpy as np

from spina.kernel.bits import lowest_bit
from spina.kernel.compiler import INTERPRETED, entry
from spina.kernel.digest import digest
from spina.kernel.interface import ACTING, APPLY, DRIVER, OVER, PLAN, RANKING, SET_UP, STEP, TURN
from spina.kernel.race_runner import CHOICE_LIMIT, MOST_SEATS, begin_race
from spina.kernel.random import nth_seed

if INTERPRETED:
    RECORD = None
else:
    from numba import types

    from spina.kernel.interface import BYTES, COMPONENTS, INT, NUMBERS, STORY, WORD

    _pointer = types.FunctionType
    _rows = types.Array(types.int64, 2, "C")
    RECORD = INT(
        _pointer(SET_UP), _pointer(ACTING), _pointer(APPLY), _pointer(OVER), _pointer(RANKING), _pointer(TURN),
        types.UniTuple(_pointer(DRIVER), MOST_SEATS), _rows, NUMBERS, _rows, NUMBERS,
        BYTES, COMPONENTS, _rows, INT, WORD,
        _rows, NUMBERS, types.Array(types.uint64, 1, "C"), types.Array(types.uint8, 2, "C"), _rows, STORY, _rows,
    )  # fmt: skip


@entry(RECORD)
def record_races(
    set_up, acting, apply, over, ranking, turn, drivers, who, opener, held, handicap,
    race, edition, options, first, seed,
    places, turns, hashes, frames, frame_of, story, told_in,
):  # fmt: skip
    """Runs races from number `first` until all are run or there is no room left; returns how many are complete.

    These are the races of a simulation with the same seed. Seat s of race i has driver `who[i, s]`; before the first
    turn, where chariots and places are chosen, it has driver `opener[i]`, unless that is -1. Where `held[i, s]` is 1,
    the seat's actions from `handicap[0]` up to `handicap[1]` are replaced by action `handicap[2]`.

    A frame is the whole record at the beginning of a turn, or after the last one; `frame_of` holds its race and turn,
    and in its first row the number of frames. `told_in` holds the race and the turn of every row of the story.
    """
    dice, plan = np.zeros(4, np.uint64), np.zeros(PLAN, np.int64)
    shot = 0
    for i in range(len(who)):
        begin_race(set_up, race, edition, options[i], nth_seed(seed, first + i), dice)
        now, choices, told = np.int64(-1), 0, story[0, 0]
        while True:
            ended = over(race, edition) != 0
            if turn(race, edition) != now or ended:
                now = turn(race, edition)
                shot += 1
                if shot >= len(frame_of):
                    return i
                frames[shot] = race
                frame_of[shot, 0], frame_of[shot, 1], frame_of[shot, 2] = i, now, ended
            if ended:
                break
            seat = lowest_bit(acting(race, edition))
            number = opener[i] if now == 0 and opener[i] >= 0 else who[i, seat]
            status = STEP
            while status == STEP:
                steps = drivers[number](race, edition, seat, dice, plan)
                for k in range(steps):
                    action = plan[k]
                    if held[i, seat] and handicap[0] <= action < handicap[1]:
                        action = handicap[2]
                    status = apply(race, edition, seat, action, story)
            if story[0, 0] >= len(story):
                return i
            for row in range(told + 1, story[0, 0] + 1):
                told_in[row, 0], told_in[row, 1] = i, now
            told = story[0, 0]
            choices += 1
            if choices > CHOICE_LIMIT:
                return i
        ranking(race, edition, places[i])
        turns[i] = turn(race, edition)
        hashes[i] = digest(race)
        frame_of[0, 0] = shot
        story[0, 1] = told
    return len(who)
