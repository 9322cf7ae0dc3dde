"""Runs whole races inside the kernel and records them, for any game and any drivers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spina.kernel.bits import lowest_bit
from spina.kernel.compiler import entry, kernel
from spina.kernel.digest import digest
from spina.kernel.interface import PLAN, STEP, driver_at, unpack_rules
from spina.kernel.race_runner import CHOICE_LIMIT, RACE_RANGE, begin_race
from spina.kernel.random import nth_seed
from spina.kernel.signatures import ADDRESSES, BYTES, COMPONENTS, INT, NUMBERS, STORY, WORD, Array, Number, Record


class LineUp(NamedTuple):
    """Who drives in which race."""

    who: Any
    """By race and seat: the number of the driver."""
    opener: Any
    """By race: the driver who chooses chariots and places before the first turn; -1: the seat's own."""
    held: Any
    """By race and seat: 1 with the handicap."""
    handicap: Any
    """Actions from the first of these numbers up to the second are replaced by the third."""


class Arrays(NamedTuple):
    """Arrays that the kernel fills."""

    places: Any
    turns: Any
    hashes: Any
    frames: Any
    """Whole records, from row 1 on: at the beginning of every turn, and after the last one."""
    frame_of: Any
    """By frame: race, turn, and whether it is the last. Row 0: the number of frames."""
    story: Any
    told_in: Any
    """By row of the story: race and turn."""


_ROWS = Array(INT, 2)
_LINE_UP = Record(LineUp, (_ROWS, NUMBERS, _ROWS, NUMBERS))
_RECORDING = Record(Arrays, (_ROWS, NUMBERS, Array(WORD), Array(Number("uint8"), 2), _ROWS, STORY, _ROWS))
RECORD = INT(ADDRESSES, ADDRESSES, _LINE_UP, BYTES, COMPONENTS, _ROWS, RACE_RANGE, _RECORDING)


@kernel
def choose_and_apply(rules, driver, line_up, race, edition, i, seat, dice, story):
    """Let a driver make the seat's whole choice in race number i, with the seat's handicap."""
    plan = np.zeros(PLAN, np.int64)
    held, handicap = line_up.held, line_up.handicap
    status = STEP
    while status == STEP:
        steps = driver(race, edition, seat, dice, plan)
        for k in range(steps):
            action = plan[k]
            if held[i, seat] and handicap[0] <= action < handicap[1]:
                action = handicap[2]
            status = rules.apply(race, edition, seat, action, story)


@entry(RECORD)
def record_races(rules_addresses, drivers, line_up, race, edition, options, races, recording):
    """Runs and records races until all are run or the recording is full; returns how many are complete.

    They are the same races as those of a simulation with these drivers.
    """
    rules = unpack_rules(rules_addresses)
    frame_of, story, told_in = recording.frame_of, recording.story, recording.told_in
    dice = np.zeros(4, np.uint64)
    shot = 0
    for i in range(races.size):
        begin_race(rules, race, edition, options[i], nth_seed(races.seed, races.first + i), dice)
        now, choices, told = np.int64(-1), 0, story[0, 0]
        while True:
            ended = rules.over(race, edition) != 0
            if rules.turn(race, edition) != now or ended:
                now = rules.turn(race, edition)
                shot += 1
                if shot >= len(frame_of):
                    return i
                recording.frames[shot] = race
                frame_of[shot, 0], frame_of[shot, 1], frame_of[shot, 2] = i, now, ended
            if ended:
                break
            seat = lowest_bit(rules.acting(race, edition))
            opens = now == 0 and line_up.opener[i] >= 0
            driver = driver_at(drivers, line_up.opener[i] if opens else line_up.who[i, seat])
            choose_and_apply(rules, driver, line_up, race, edition, i, seat, dice, story)
            if story[0, 0] >= len(story):
                return i
            for row in range(told + 1, story[0, 0] + 1):
                told_in[row, 0], told_in[row, 1] = i, now
            told = story[0, 0]
            choices += 1
            if choices > CHOICE_LIMIT:
                return i
        rules.ranking(race, edition, recording.places[i])
        recording.turns[i] = rules.turn(race, edition)
        recording.hashes[i] = digest(race)
        frame_of[0, 0] = shot
        story[0, 1] = told
    return races.size
