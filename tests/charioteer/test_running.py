"""A move whose steps are taken at once, as when no event is told, against the same move step by step."""

from __future__ import annotations

import random

import numpy as np
import pytest
from charioteer_positions import LAPS, choose, edition_with, scatter_chariots

from spina.games.charioteer.rules import entries
from spina.games.charioteer.rules import record as r
from spina.games.charioteer.rules.movement import evenly, next_stop, progress_after
from spina.games.charioteer.rules.record import EDITION, RACE
from spina.kernel.compiler import INTERPRETED
from spina.kernel.narration import new_story, silence
from spina.kernel.random import new_dice
from spina.kernel.record import blank, look

MOVES = 3_000 if not INTERPRETED else 400


@pytest.mark.parametrize("lap", LAPS)
def test_a_silent_move_ends_as_the_same_move_that_is_told(lap: str) -> None:
    edition_bytes, chance = edition_with(lap).data, random.Random(4)
    edition, data = look(edition_bytes, EDITION), blank(RACE)
    jumped = passed = 0
    for number in range(MOVES):
        seats = chance.randrange(2, 7)
        entries.set_up(data, edition_bytes, np.array([seats], np.int64), new_dice(number))
        race = look(data, RACE)
        scatter_chariots(race, edition, chance)
        for kind in range(edition.kinds):  # whips show whether rivals were passed
            race.tokens[:seats, kind] = edition.kind_icon[kind] == r.WHIP
        entries.adopt(data, edition_bytes)
        seat = chance.randrange(seats)
        choose(data, edition_bytes, seat, chance)
        told, silent, story = data.copy(), data.copy(), new_story(200)
        entries.forecast(told, edition_bytes, seat, story)
        entries.forecast(silent, edition_bytes, seat, silence())
        assert (told == silent).all(), f"move {number}: {look(told, RACE).progress} {look(silent, RACE).progress}"
        gone = look(silent, RACE).progress[seat] - race.progress[seat]
        jumped += gone > 1
        passed += (look(silent, RACE).lane[:seats] != race.lane[:seats]).any()
    assert jumped > MOVES // 3  # the cases are worth something
    assert passed > MOVES // 10


@pytest.mark.parametrize("lap", LAPS)
@pytest.mark.parametrize("cornering", [False, True])
def test_many_steps_end_where_single_steps_end(lap: str, cornering: bool) -> None:
    edition = look(edition_with(lap).data, EDITION)
    compared = 0
    for begin in range(edition.start, edition.laps * edition.spaces):
        progress = begin
        for steps in range(1, 2 * edition.spaces):
            progress = next_stop(edition, progress, cornering)
            if evenly(edition, begin, steps, cornering):
                assert progress_after(edition, begin, steps, cornering) == progress, (begin, steps)
                compared += 1
    assert compared > 100
