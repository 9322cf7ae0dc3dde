"""Speed and strength of the competent drivers, measured in the same way for every game."""

from __future__ import annotations

import time
from collections.abc import Iterable

import numpy as np

import spina
from spina.kernel.interface import PLAN
from spina.kernel.random import new_dice


def choice_times(races: Iterable[spina.Race]) -> tuple[float, float]:
    """Median and longest time of a competent choice, in milliseconds, over whole races."""
    times = []
    for number, race in enumerate(races):
        drive = race.game.drivers["competent"]
        dice, plan = new_dice(number), np.zeros(PLAN, np.int64)
        while not race.over:
            data, seat = race.determinized_state(race.to_act[0], 0), race.to_act[0]
            begun = time.perf_counter()
            drive(data, race.edition.data, seat, dice, plan)
            times.append(1000 * (time.perf_counter() - begun))
            race.play(seat, race.game.action(race.edition, int(plan[0])))
    return float(np.median(times)), max(times)


def races_won(game: str, rival: str, races: int) -> float:
    """Races won by two competent drivers against two of another kind, seats rotated; a shared win counts half."""
    wins = 0.0
    for turn, names in enumerate((["competent", rival] * 2, [rival, "competent"] * 2)):
        results = spina.simulate(game, seats=4, races=races // 2, drivers=names, seed=11 + turn)
        won = results["places"] == 1
        own, other = won[:, turn::2].any(axis=1), won[:, 1 - turn :: 2].any(axis=1)
        wins += float((own & ~other).sum() + 0.5 * (own & other).sum())
    return wins
