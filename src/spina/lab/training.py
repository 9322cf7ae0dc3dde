"""Training the networks that judge unfinished races, by races of drivers against each other."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from spina.bots import training_kernel
from spina.bots.value_network import MOST_FEATURES
from spina.games import get
from spina.kernel import compiler as _compile
from spina.kernel.record import blank
from spina.lab.executor import run

Floats = NDArray[np.floating[Any]]
CHUNK = 100
"""Races that one process plays before it hands over what it noted."""
MOST_TURNS = 400
"""Turns of a race, all seats together, that are noted at most."""
RATE, DECAY, KEEP, KEEP_SQUARES = 3e-3, 1e-5, 0.9, 0.999
"""Adam's rate, the pull of the weights towards nothing, and how long its two averages remember."""


class Chunk(msgspec.Struct, frozen=True):
    """Races to learn from, small enough for one process to play at once."""

    game: str
    seats: int
    first: int
    races: int
    seed: int
    driver: str
    whims: int


def play(chunk: Chunk) -> tuple[Floats, Floats]:
    """How the seats stood before every turn of one of them, and who won in the end."""
    found = get(chunk.game)
    edition, rules, seats = found.reference(), found.rules, chunk.seats
    options = found.check_options(seats, {}, edition)
    _compile.ready(Path(training_kernel.__file__).parent)
    room = chunk.races * MOST_TURNS
    figures, shares = np.zeros((room, seats, MOST_FEATURES)), np.zeros((room, seats))
    noted = training_kernel.gather(
        rules.set_up, rules.acting, rules.apply, rules.over, rules.ranking, rules.turns_had, found.measure_features,
        found.drivers[chunk.driver], found.drivers["random"], blank(found.record), edition.data,
        found.encode_options(seats, options, edition), chunk.first, chunk.races, np.uint64(chunk.seed), chunk.whims,
        figures, shares,
    )  # fmt: skip
    return figures[:noted, :, : len(found.features)].astype(np.float32), shares[:noted].astype(np.float32)


def examples(
    game: str,
    seats: int,
    races: int,
    seed: int,
    *,
    driver: str = "competent",
    whims: int = 20,
    processes: int = 0,
    on: str | None = None,
) -> tuple[Floats, Floats]:
    """Figures (examples x seats x figures) and who won in the end (examples x seats).

    Before examples are taken, so many of a thousand choices are made at random: without them the drivers would never
    squander anything, and nobody could learn what it is worth. Without processes all is done in this one.
    """
    chunks = [
        Chunk(game, seats, first, min(CHUNK, races - first), seed, driver, whims) for first in range(0, races, CHUNK)
    ]
    parts = [part for _, part in sorted(run(play, chunks, processes=processes, on=on), key=lambda done: done[0])]
    return np.concatenate([figures for figures, _ in parts]), np.concatenate([shares for _, shares in parts])


class Learner:
    """One hidden layer, trained by Adam on the likelihood of the winners."""

    def __init__(self, figures: int, hidden: int, seed: int) -> None:
        chance = np.random.default_rng(seed)
        self.figures, self.hidden = figures, hidden
        self.weights = np.concatenate(
            [
                chance.normal(0, 1 / np.sqrt(figures + 1), hidden * (figures + 1)),
                np.zeros(hidden),
                chance.normal(0, 0.5 / np.sqrt(hidden), hidden),
            ]
        )
        self._mean, self._square, self._steps = np.zeros_like(self.weights), np.zeros_like(self.weights), 0

    def _parts(self) -> tuple[Floats, Floats, Floats]:
        inputs = self.figures + 1
        cut = self.hidden * inputs
        first = self.weights[:cut].reshape(self.hidden, inputs)
        return first, self.weights[cut : cut + self.hidden], self.weights[cut + self.hidden :]

    def chances(self, figures: Floats) -> tuple[Floats, Floats, Floats]:
        """Every seat's chance, with the inputs and the hidden layer that it was made of."""
        stage = figures[:, :, 0].min(axis=1, keepdims=True)
        inputs = np.concatenate([figures, np.repeat(stage, figures.shape[1], axis=1)[:, :, None]], axis=2)
        first, bias, outward = self._parts()
        layer = np.tanh(inputs @ first.T + bias)
        strength = layer @ outward
        strength -= strength.max(axis=1, keepdims=True)
        chances = np.exp(strength)
        return chances / chances.sum(axis=1, keepdims=True), inputs, layer

    def loss(self, figures: Floats, shares: Floats) -> float:
        """How surprised the network is by the winners, in natural units; ln(seats) if it knows nothing."""
        return float(-(shares * np.log(self.chances(figures)[0] + 1e-12)).sum(axis=1).mean())

    def learn(self, figures: Floats, shares: Floats, rate: float = RATE) -> None:
        """One step downhill."""
        chances, inputs, layer = self.chances(figures)
        _, _, outward = self._parts()
        error = (chances - shares) / len(shares)
        back = error[:, :, None] * outward * (1 - layer**2)
        gradient = np.concatenate(
            [
                np.einsum("bsh,bsi->hi", back, inputs, optimize=True).ravel(),
                back.sum(axis=(0, 1)),
                np.einsum("bs,bsh->h", error, layer, optimize=True),
            ]
        )
        gradient += DECAY * self.weights
        self._steps += 1
        self._mean = KEEP * self._mean + (1 - KEEP) * gradient
        self._square = KEEP_SQUARES * self._square + (1 - KEEP_SQUARES) * gradient**2
        mean = self._mean / (1 - KEEP**self._steps)
        square = self._square / (1 - KEEP_SQUARES**self._steps)
        self.weights -= rate * mean / (np.sqrt(square) + 1e-8)


def fit(
    sets: Sequence[tuple[Floats, Floats]],
    *,
    hidden: int = 16,
    rounds: int = 12,
    batch: int = 1024,
    seed: int = 1,
    tell: Callable[[str], None] = lambda _: None,
) -> tuple[Learner, float, float]:
    """A learner for examples of several seat counts; its loss on examples held back, and that of knowing nothing."""
    figures = sets[0][0].shape[2]
    learner = Learner(figures, hidden, seed)
    chance = np.random.default_rng(seed)
    held = [(f[-len(f) // 10 :], s[-len(s) // 10 :]) for f, s in sets]
    used = [(f[: -len(f) // 10], s[: -len(s) // 10]) for f, s in sets]
    best, best_weights = np.inf, learner.weights.copy()
    for turn in range(rounds):
        batches = [
            (which, part)
            for which, (_, shares) in enumerate(used)
            for part in np.array_split(chance.permutation(len(shares)), max(1, len(shares) // batch))
        ]
        rate = RATE * 0.5 * (1 + np.cos(np.pi * turn / rounds))
        for i in chance.permutation(len(batches)):
            which, part = batches[i]
            learner.learn(used[which][0][part], used[which][1][part], rate)
        loss = float(np.mean([learner.loss(f, s) for f, s in held]))
        tell(f"round {turn + 1}: {loss:.4f}")
        if loss < best:
            best, best_weights = loss, learner.weights.copy()
    learner.weights = best_weights
    return learner, best, float(np.mean([np.log(s.shape[1]) for _, s in held]))


def save(path: Path, game: str, learner: Learner, loss: float, nothing: float, how: str) -> None:
    """The weights as data, with how they came about."""
    content = {
        "game": game,
        "figures": [figure.name for figure in get(game).features],
        "hidden": learner.hidden,
        "loss": round(loss, 4),
        "loss of knowing nothing": round(nothing, 4),
        "made by": how,
        "weights": [round(float(weight), 4) for weight in learner.weights],
    }
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
