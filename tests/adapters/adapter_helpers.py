"""What the tests of the adapters share."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import spina

GAMES = spina.game_names()
PLAYED = {"charioteer": 300, "chariot-race": 150, "chariotmaster": 60}
"""Random actions that are enough to meet most questions of a game, and few enough to be quick."""


@contextmanager
def allowing(*messages: str) -> Iterator[None]:
    """Let a foreign checker warn of these, and of nothing else."""
    with warnings.catch_warnings():
        for message in messages:
            warnings.filterwarnings("ignore", message=message)
        yield


def picked(mask: Any, chance: random.Random) -> int:
    """One of the actions that a mask allows."""
    return int(chance.choice(np.flatnonzero(mask).tolist()))


def states(game: str, seed: int, every: int, then: Callable[[spina.Race], None], **options: Any) -> None:
    """Play at random through `Race` and look at it after every `every` actions."""
    race = spina.new(game, seed=seed, **options)
    chance = random.Random(seed)
    for number in range(PLAYED[game]):
        if race.over:
            break
        if number % every == 0:
            then(race)
        seat = chance.choice(race.to_act)
        race.play(seat, chance.choice(race.legal(seat)))
    then(race)
