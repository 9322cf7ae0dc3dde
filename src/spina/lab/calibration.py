"""Calibration of value networks: of the races that one judged to be won with 70 %, how many were won?"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from spina.bots import network_weights
from spina.errors import OptionError
from spina.games import get
from spina.games.game import Game
from spina.kernel.random import nth_seeds
from spina.lab.code_digest import code_digest
from spina.lab.executor import run
from spina.lab.proofs import Proof, enter
from spina.lab.training import Chunk, play
from spina.simulation import wilson

RACES = 5000
FEWEST = 1000
"""Positions of a bin; tenths with fewer are merged with their neighbours."""
BLOCK = 50
"""Races of one task."""
_PICKS_SALT = 0xCA11B


class Bin(msgspec.Struct, frozen=True):
    """Positions whose chances to win were judged alike."""

    low: float
    high: float
    positions: int
    judged: float
    """Their mean chance as the network judged it."""
    won: float
    """The share that was won; a shared first place counts in parts."""
    interval: tuple[float, float]
    """The 95 % interval of `won`."""

    @property
    def beyond(self) -> float:
        """By how much the judged chance lies outside the interval."""
        return max(0.0, self.interval[0] - self.judged, self.judged - self.interval[1])


class Task(msgspec.Struct, frozen=True):
    """Races that one process runs."""

    game: str
    seats: int
    first: int
    races: int
    seed: int
    driver: str


def sample(task: Task) -> list[tuple[float, float]]:
    """For one position of each race and one of its seats: the judged chance to win, and what was won."""
    game = get(task.game)
    pairs = []
    picks = nth_seeds(task.seed ^ _PICKS_SALT, np.arange(task.first, task.first + task.races, dtype=np.uint64))
    for number, pick in zip(range(task.first, task.first + task.races), picks.tolist(), strict=True):
        features, shares = play(Chunk(task.game, task.seats, number, 1, task.seed, task.driver, 0))
        row, seat = (pick // task.seats) % len(shares), pick % task.seats
        pairs.append((float(judged(game, features[row])[seat]), float(shares[row, seat])))
    return pairs


def judged(game: Game, features: NDArray[Any]) -> NDArray[np.float64]:
    """Every seat's chance to win, as the game's value network judges it from the features of the seats."""
    network = network_weights.load(game)
    if network is None:
        raise OptionError(f"{game.title} has no value network")
    cut = network.hidden * (features.shape[1] + 1)
    first = network.weights[:cut].reshape(network.hidden, -1)
    biases, outputs = network.weights[cut : cut + network.hidden], network.weights[cut + network.hidden :]
    inputs = np.column_stack((features, np.full(len(features), features[:, 0].min())))
    strength = np.tanh(inputs @ first.T + biases) @ outputs
    odds = np.exp(strength - strength.max())
    chances: NDArray[np.float64] = odds / odds.sum()
    return chances


def bins(pairs: Sequence[tuple[float, float]]) -> list[Bin]:
    """The positions by tenths of the judged chance, the lowest first; small tenths are merged."""
    ordered = sorted(pairs)
    tenths = [[pair for pair in ordered if int(min(pair[0], 0.999999) * 10) == tenth] for tenth in range(10)]
    merged: list[tuple[int, int, list[tuple[float, float]]]] = []
    for tenth, content in enumerate(tenths):
        if merged and len(merged[-1][2]) < FEWEST:
            low, _, before = merged.pop()
            merged.append((low, tenth + 1, before + content))
        else:
            merged.append((tenth, tenth + 1, content))
    if len(merged) > 1 and len(merged[-1][2]) < FEWEST:
        _, high, last = merged.pop()
        low, _, before = merged.pop()
        merged.append((low, high, before + last))
    return [_bin(low / 10, high / 10, content) for low, high, content in merged if content]


def _bin(low: float, high: float, content: Sequence[tuple[float, float]]) -> Bin:
    judged, won = np.array(content).T
    return Bin(low, high, len(content), float(judged.mean()), float(won.mean()), wilson(round(won.sum()), len(content)))


def measure(
    game: str,
    *,
    seats: int = 4,
    races: int = RACES,
    seed: int,
    driver: str | None = None,
    processes: int | None = None,
    on: str | None = None,
) -> list[Bin]:
    """Race a driver against itself and compare the network's judgement of one position a race with who won.

    The driver is by default the learned one, where the game has one: the network is trained on its races.
    """
    found = get(game)
    if network_weights.load(found) is None:
        raise OptionError(f"{found.title} has no value network")
    driver = driver or ("learned" if found.policy else found.default_driver)
    if driver not in found.drivers:
        raise OptionError(f'{found.title} has no driver "{driver}": it has {", ".join(found.drivers)}')
    tasks = [Task(game, seats, first, min(BLOCK, races - first), seed, driver) for first in range(0, races, BLOCK)]
    with closing(run(sample, tasks, processes=processes, on=on)) as finished:
        parts = dict(finished)
    return bins([pair for i in range(len(tasks)) for pair in parts[i]])


def lines(found: Sequence[Bin]) -> list[str]:
    """The bins as lines for a terminal."""
    text = ["  judged        positions   mean     won     95 % interval    beyond"]
    for each in found:
        low, high = each.interval
        text.append(
            f"  {each.low:>4.0%} to {each.high:>4.0%}  {each.positions:>9,}  {each.judged:>5.1%}  {each.won:>6.1%}"
            f"   {low:>6.1%} to {high:>6.1%}  {each.beyond:>8.1%}"
        )
    return text


def enter_proof(
    game: str, *, seats: int, races: int, driver: str | None, number: int | None = None, register: Path | None = None
) -> Proof:
    """The proof range of a calibration, entered in the register."""
    found = get(game)
    study = {
        "study": "calibration",
        "games": [[game, found.rules_version, found.reference().hash, races]],
        "seats": seats,
        "driver": driver,
    }
    return enter(study, races=races, code=code_digest(game), number=number, register=register)
