"""Training of value networks, on races of drivers against each other."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from spina.bots import training_kernel
from spina.bots.search_kernel import GAME_SIGNATURES
from spina.bots.value_network import MOST_FEATURES
from spina.errors import OptionError
from spina.games import get
from spina.kernel import compiler as _compile
from spina.kernel.function_pointers import addresses
from spina.kernel.race_runner import RaceRange
from spina.kernel.record import blank
from spina.lab.executor import run
from spina.lab.proof_seeds import check_free
from spina.simulation import driver_addresses

Floats = NDArray[np.floating[Any]]
CHUNK = 100
"""Races that one process runs before it hands over its examples."""
MOST_TURNS = 400
"""Most turns of a race, all seats together, that become examples."""
RATE, DECAY, KEEP, KEEP_SQUARES = 3e-3, 1e-5, 0.9, 0.999
"""Adam: learning rate, weight decay, and the decay rates of its two moving averages."""


class Chunk(msgspec.Struct, frozen=True):
    """Training races that one process runs at once."""

    game: str
    seats: int
    first: int
    races: int
    seed: int
    driver: str
    epsilon: int
    """Random choices in a thousand, in the opening of a race."""
    policy: tuple[float, ...] = ()
    """Weights that the learned driver uses; its own, if there are none."""


def play(chunk: Chunk) -> tuple[Floats, Floats]:
    """The features of all seats before every turn, and who won in the end."""
    found = get(chunk.game)
    edition, seats = found.reference(), chunk.seats
    options = found.check_options(seats, {}, edition)
    _compile.ready(Path(training_kernel.__file__).parent)
    if chunk.policy and found.policy is not None:
        found.policy.weights()[:] = chunk.policy
    driver = found.drivers[chunk.driver]
    room = chunk.races * MOST_TURNS
    features, shares = np.zeros((room, seats, MOST_FEATURES)), np.zeros((room, seats))
    count = training_kernel.generate_examples(
        addresses((*found.rules, found.measure_features, driver), GAME_SIGNATURES),
        driver_addresses(found, (chunk.driver, "random")),
        blank(found.record),
        edition.data,
        found.encode_options(seats, options, edition),
        RaceRange(chunk.first, chunk.races, np.uint64(chunk.seed)),
        chunk.epsilon,
        features,
        shares,
    )
    return features[:count, :, : len(found.features)].astype(np.float32), shares[:count].astype(np.float32)


def examples(
    game: str,
    seats: int,
    races: int,
    seed: int,
    *,
    driver: str | None = None,
    epsilon: int = 20,
    policy: tuple[float, ...] = (),
    processes: int | None = 0,
    on: str | None = None,
) -> tuple[Floats, Floats]:
    """Features (examples x seats x features) and who won in the end (examples x seats).

    Races open epsilon-greedily: of a thousand choices, `epsilon` are random. Without these the drivers would never
    waste anything, and the network could not learn what it is worth. Only positions after the last random choice become
    examples. With 0 processes everything runs in this one. Raises OptionError for a game without features.
    """
    check_free(seed, races)
    found = get(game)
    if not found.features:
        raise OptionError(f"{found.title} has no features: a value network has nothing to learn from")
    driver = driver or found.default_driver
    chunks = [
        Chunk(game, seats, first, min(CHUNK, races - first), seed, driver, epsilon, policy)
        for first in range(0, races, CHUNK)
    ]
    parts = [part for _, part in sorted(run(play, chunks, processes=processes, on=on), key=lambda done: done[0])]
    return np.concatenate([features for features, _ in parts]), np.concatenate([shares for _, shares in parts])


class Learner:
    """One hidden layer, trained by Adam on the likelihood of the winners."""

    def __init__(self, features: int, hidden: int, seed: int) -> None:
        chance = np.random.default_rng(seed)
        self.features, self.hidden = features, hidden
        self.weights = np.concatenate(
            [
                chance.normal(0, 1 / np.sqrt(features + 1), hidden * (features + 1)),
                np.zeros(hidden),
                chance.normal(0, 0.5 / np.sqrt(hidden), hidden),
            ]
        )
        self._mean, self._square, self._steps = np.zeros_like(self.weights), np.zeros_like(self.weights), 0

    def _parts(self) -> tuple[Floats, Floats, Floats]:
        inputs = self.features + 1
        cut = self.hidden * inputs
        first = self.weights[:cut].reshape(self.hidden, inputs)
        return first, self.weights[cut : cut + self.hidden], self.weights[cut + self.hidden :]

    def chances(self, features: Floats) -> tuple[Floats, Floats, Floats]:
        """Every seat's chance to win, with the inputs and the hidden layer."""
        stage = features[:, :, 0].min(axis=1, keepdims=True)
        inputs = np.concatenate([features, np.repeat(stage, features.shape[1], axis=1)[:, :, None]], axis=2)
        first, bias, outward = self._parts()
        layer = np.tanh(inputs @ first.T + bias)
        strength = layer @ outward
        strength -= strength.max(axis=1, keepdims=True)
        chances = np.exp(strength)
        return chances / chances.sum(axis=1, keepdims=True), inputs, layer

    def loss(self, features: Floats, shares: Floats) -> float:
        """Cross-entropy of the winners, in nats; ln(seats) for a network that knows nothing."""
        return float(-(shares * np.log(self.chances(features)[0] + 1e-12)).sum(axis=1).mean())

    def learn(self, features: Floats, shares: Floats, rate: float = RATE) -> None:
        """One step of gradient descent by Adam."""
        chances, inputs, layer = self.chances(features)
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
    """Train on examples of several seat counts. Returns the learner, its loss on held-out examples, and ln(seats)."""
    features = sets[0][0].shape[2]
    learner = Learner(features, hidden, seed)
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
    """Write the weights to a JSON file, with the command that made them."""
    content = {
        "game": game,
        "features": [feature.name for feature in get(game).features],
        "hidden": learner.hidden,
        "loss": round(loss, 4),
        "loss of knowing nothing": round(nothing, 4),
        "made by": how,
        "weights": [round(float(weight), 4) for weight in learner.weights],
    }
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
