"""Learns the network of `bots/turn_chances.py` from races: `python -m spina.games.chariot_race.lab.turn_chances`.

The races are those of a driver against itself, on all boards, with two to six seats. With `--driver learned` they are
races of the policy that uses the present weights, so the next weights judge what that policy makes of a position.
"""

from __future__ import annotations

import argparse
import json
import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.games.chariot_race.bots import turn_chances as learned
from spina.games.chariot_race.bots.learned import DRIVERS
from spina.games.chariot_race.bots.turn_chances import INPUTS, WIDTH
from spina.games.chariot_race.components.edition import reference
from spina.games.chariot_race.components.options import check, encode
from spina.games.chariot_race.lab.turn_chances_kernel import record_turns
from spina.games.chariot_race.rules.record import RACE
from spina.kernel.compiler import folder_of, ready
from spina.kernel.function_pointers import addresses
from spina.kernel.interface import DRIVER
from spina.kernel.race_runner import RaceRange
from spina.kernel.record import blank

Floats = NDArray[np.floating[Any]]
SETUPS: tuple[tuple[int, dict[str, object]], ...] = (
    (4, {}),
    (2, {}),
    (4, {}),
    (3, {}),
    (4, {"individual": True}),
    (6, {}),
    (4, {"board": "BB"}),
    (5, {"board": "AB"}),
    (6, {"board": "BA", "individual": True}),
    (2, {"individual": True, "board": "BB"}),
)
"""Seats and options of the races, in turn."""
PART = 250
"""Races in one call."""
TURNS = 80
"""Room for the turns of a race."""


def part_of(number: int, driver: str, seed: int) -> tuple[Floats, Floats]:
    """The examples of PART races: the inputs after turns, and whether their seats won."""
    ready(folder_of(record_turns), folder_of(DRIVERS[driver]))
    seats, options = SETUPS[number % len(SETUPS)]
    encoded = encode(seats, check(options, seats))
    inputs, won = np.zeros((PART * TURNS, INPUTS)), np.zeros(PART * TURNS)
    found = RaceRange(number * PART, PART, np.uint64(seed))
    count = record_turns(
        addresses((DRIVERS[driver],), (DRIVER,)), blank(RACE), reference().data, encoded, found, inputs, won
    )
    return inputs[:count].astype(np.float32), won[:count].astype(np.float32)


def examples(driver: str, races: int, seed: int, processes: int = 1) -> tuple[Floats, Floats]:
    """The inputs after turns of races, and whether their seats won. They do not depend on the number of processes."""
    numbers, run = range(-(-races // PART)), partial(part_of, driver=driver, seed=seed)
    if processes == 1:
        parts = list(map(run, numbers))
    else:
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
            parts = list(pool.map(run, numbers))
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


class Learner:
    """The network, trained by Adam on the cross-entropy."""

    def __init__(self, seed: int) -> None:
        chance = np.random.default_rng(seed)
        self.first = chance.normal(0, np.sqrt(1 / INPUTS), (INPUTS, WIDTH)).astype(np.float32)
        self.biases, self.outputs = np.zeros(WIDTH, np.float32), chance.normal(0, 0.2, WIDTH).astype(np.float32)
        self.bias = np.zeros(1, np.float32)
        self._moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self.parameters]
        self._steps = 0

    @property
    def parameters(self) -> list[Any]:
        """Weights and biases, in the order of the file."""
        return [self.first, self.biases, self.outputs, self.bias]

    def chances(self, inputs: Floats) -> tuple[Floats, Floats]:
        """The chances to win, and the hidden units."""
        hidden = np.maximum(0.0, inputs @ self.first + self.biases)
        return 1 / (1 + np.exp(-(hidden @ self.outputs + self.bias))), hidden

    def learn(self, inputs: Floats, won: Floats, rate: float) -> None:
        """One step of Adam."""
        chances, hidden = self.chances(inputs)
        error = (chances - won) / len(won)
        back = np.outer(error, self.outputs) * (hidden > 0)
        self._steps += 1
        gradients = (inputs.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(keepdims=True))
        for weights, (mean, square), gradient in zip(self.parameters, self._moments, gradients, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            step = mean / (1 - 0.9**self._steps) / (np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8)
            weights -= rate * step

    def loss(self, inputs: Floats, won: Floats) -> float:
        """The cross-entropy."""
        chances = np.clip(self.chances(inputs)[0], 1e-6, 1 - 1e-6)
        return float(-(won * np.log(chances) + (1 - won) * np.log(1 - chances)).mean())


def fit(inputs: Floats, won: Floats, seed: int, epochs: int, batch: int = 512, rate: float = 2e-3) -> Learner:
    """Train on the examples, but for the last twentieth of them."""
    held = len(won) // 20
    used, learner, chance = len(won) - held, Learner(seed), np.random.default_rng(seed)
    steps, total = 0, epochs * (used // batch)
    for epoch in range(epochs):
        for rows in np.array_split(chance.permutation(used), used // batch):
            learner.learn(inputs[rows], won[rows], rate * 0.5 * (1 + np.cos(np.pi * steps / total)))
            steps += 1
        mean = float(won[:used].mean())
        nothing = -(mean * np.log(mean) + (1 - mean) * np.log(1 - mean))
        loss = learner.loss(inputs[used:], won[used:])
        print(f"epoch {epoch + 1}: cross-entropy {loss:.4f}; {nothing:.4f} for one that knows nothing", flush=True)
    return learner


def save(file: Path, learner: Learner, made_by: dict[str, object]) -> None:
    """Write the weights with what made them."""
    weights = np.concatenate([each.ravel() for each in learner.parameters])
    content = {"made by": made_by, "weights": [round(float(weight), 5) for weight in weights]}
    file.write_text(json.dumps(content) + "\n", encoding="utf-8")


def main() -> None:
    """Run the races and write the file."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--driver", default="keen")
    asked.add_argument("--races", type=int, default=40_000)
    asked.add_argument("--epochs", type=int, default=4)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    asked.add_argument("--out", type=Path, default=learned.FILE)
    given = asked.parse_args()
    inputs, won = examples(given.driver, given.races, given.seed, given.processes)
    print(f"{len(won)} turns", flush=True)
    learner = fit(inputs, won, given.seed, given.epochs)
    save(given.out, learner, {key: value for key, value in vars(given).items() if key not in ("out", "processes")})


if __name__ == "__main__":
    main()
