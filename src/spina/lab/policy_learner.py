"""Gradient descent for policy networks: to choose as a search would, from what it found the candidates to be worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spina.kernel.policy_network import HIDDEN, PolicySize, weight_count

Floats = NDArray[np.floating[Any]]
UNIT = 0.01
"""A difference of this much in the chance to win is worth one unit of a score."""
KEEP, KEEP_SQUARES = 0.9, 0.999
"""Adam's moving averages."""
DECAY = 1e-4


class Examples(NamedTuple):
    """Choices that a search has looked at."""

    situation: Floats
    """Examples x features of the situation."""
    features: Floats
    """Examples x candidates x features."""
    value: Floats
    """Examples x candidates: the seat's chance to win after each."""
    tried: NDArray[np.bool_]
    """Examples x candidates: whether the search has simulated it."""

    def part(self, rows: Any) -> Examples:
        """Some of the examples."""
        return Examples(*(each[rows] for each in self))


class PolicyLearner:
    """A policy network, trained by Adam on the expected value of its choices and on their entropy.

    The values of a search are noisy. An objective that is linear in them averages the noise out; the entropy keeps the
    scores from growing without bound, so that a score settles where a softmax over values in units of `UNIT` has it.
    """

    def __init__(self, size: PolicySize, weights: Floats) -> None:
        self.size, self.weights = size, weights.astype(np.float64).copy()
        self._mean, self._square, self._steps = np.zeros_like(self.weights), np.zeros_like(self.weights), 0

    def parts(self, flat: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Weights of the situation, of a candidate, biases, output weights, direct weights."""
        s, c = self.size
        cuts = np.cumsum([s * HIDDEN, c * HIDDEN, HIDDEN, HIDDEN])
        situation, candidate, biases, outputs, direct = np.split(flat, cuts)
        return situation.reshape(s, HIDDEN), candidate.reshape(c, HIDDEN), biases, outputs, direct

    def scores(self, examples: Examples) -> tuple[Floats, Floats]:
        """The scores of all candidates, and the hidden layer."""
        situation, candidate, biases, outputs, direct = self.parts(self.weights)
        layer = np.maximum(0.0, (examples.situation @ situation + biases)[:, None, :] + examples.features @ candidate)
        return layer @ outputs + examples.features @ direct, layer

    def chances(self, scores: Floats, tried: NDArray[np.bool_]) -> Floats:
        """The softmax of the scores of the candidates that were tried."""
        masked = np.where(tried, scores, -np.inf)
        found = np.exp(masked - masked.max(axis=1, keepdims=True))
        shares: Floats = found / found.sum(axis=1, keepdims=True)
        return shares

    def gain(self, examples: Examples) -> tuple[float, float]:
        """By how much the value of the policy's choice exceeds that of the mean candidate, and by how much the best
        value found does."""
        scores, _ = self.scores(examples)
        pick = np.where(examples.tried, scores, -np.inf).argmax(axis=1)
        rows = np.arange(len(pick))
        mean = (examples.value * examples.tried).sum(axis=1) / examples.tried.sum(axis=1)
        best = np.where(examples.tried, examples.value, -np.inf).max(axis=1)
        return float((examples.value[rows, pick] - mean).mean()), float((best - mean).mean())

    def learn(self, examples: Examples, rate: float) -> None:
        """One step of Adam."""
        _, _, _, outputs, _ = self.parts(self.weights)
        scores, layer = self.scores(examples)
        chances = self.chances(scores, examples.tried)
        logs = np.log(np.maximum(chances, 1e-12))
        wanted = np.where(examples.tried, examples.value / UNIT - logs, 0.0)
        error = -chances * (wanted - (chances * wanted).sum(axis=1, keepdims=True)) / len(scores)
        back = error[:, :, None] * outputs * (layer > 0.0)
        gradient = np.concatenate(
            [
                (examples.situation.T @ back.sum(axis=1)).ravel(),
                np.einsum("bkc,bkh->ch", examples.features, back, optimize=True).ravel(),
                back.sum(axis=(0, 1)),
                np.einsum("bk,bkh->h", error, layer, optimize=True),
                np.einsum("bk,bkc->c", error, examples.features, optimize=True),
            ]
        )
        self._steps += 1
        self._mean = KEEP * self._mean + (1 - KEEP) * gradient
        self._square = KEEP_SQUARES * self._square + (1 - KEEP_SQUARES) * gradient**2
        step = self._mean / (1 - KEEP**self._steps) / (np.sqrt(self._square / (1 - KEEP_SQUARES**self._steps)) + 1e-8)
        self.weights -= rate * (step + DECAY * self.weights)


def fresh_weights(size: PolicySize, prior: Mapping[int, float], seed: int) -> Floats:
    """Weights of a policy that counts only some features of a candidate directly; its hidden layer is still silent."""
    chance = np.random.default_rng(seed)
    weights = np.zeros(weight_count(*size))
    inputs = (size.situation + size.candidate) * HIDDEN
    weights[:inputs] = chance.normal(0, 1 / np.sqrt(size.candidate), inputs)
    for feature, weight in prior.items():
        weights[len(weights) - size.candidate + feature] = weight
    return weights


def fit(
    learner: PolicyLearner, examples: Examples, *, epochs: int = 40, batch: int = 256, rate: float = 6e-3, seed: int = 1
) -> tuple[float, float]:
    """Train on the examples; returns `gain` on the tenth of them that was held out."""
    held, used = len(examples.value) // 10, len(examples.value) - len(examples.value) // 10
    chance = np.random.default_rng(seed)
    steps, total = 0, epochs * max(1, used // batch)
    for _ in range(epochs):
        for part in np.array_split(chance.permutation(used), max(1, used // batch)):
            learner.learn(examples.part(part), rate * 0.5 * (1 + np.cos(np.pi * steps / total)))
            steps += 1
    return learner.gain(examples.part(np.arange(used, used + held)))
