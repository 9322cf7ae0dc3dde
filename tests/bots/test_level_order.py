"""The lower levels: easy is a beginner and no random driver, medium is clearly better, with any number of seats."""

from __future__ import annotations

import numpy as np
import pytest

import spina
from spina.games import find

RACES = {"charioteer": 200, "chariot-race": 100, "chariotmaster": 20}
"""Races of each number of seats, as many as take some seconds."""


def share(game: str, strong: str, weak: str, seats: int, seed: int) -> float:
    """The wins of one level's driver against another's, in alternating seats; shared ones count in parts."""
    drivers = [str(find(game).levels[level].driver if level != "random" else level) for level in (strong, weak)]
    won = 0.0
    for first in (0, 1):
        line_up = [drivers[(seat + first) % 2] for seat in range(seats)]
        places = spina.simulate(game, seats=seats, races=RACES[game] // 2, drivers=line_up, seed=seed + first)["places"]
        wins = places == 1
        own = np.arange(seats) % 2 == first
        won += float((wins[:, own].sum(axis=1) / np.maximum(1, wins.sum(axis=1))).sum())
    return won / RACES[game]


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4, 6])
@pytest.mark.parametrize("game", [*RACES])
def test_medium_beats_easy_and_easy_beats_random(game: str, seats: int) -> None:
    assert share(game, "medium", "easy", seats, 31) >= 0.6
    assert share(game, "easy", "random", seats, 41) >= 0.85
