"""The policy network: a score for each of the choices that a game lists as candidates.

The situation of the seat is read once, each candidate once. Both pass through one hidden layer of rectified linear
units, and each feature of a candidate also counts directly. A policy takes the candidate with the highest score; the
softmax of the scores is its distribution. `spina lab train --policy` finds the weights.
"""

from __future__ import annotations

from typing import NamedTuple

from spina.kernel.compiler import kernel

HIDDEN = 32
"""Width of the hidden layer of all policy networks."""
MOST_CANDIDATES = 64
"""Most candidates of one choice."""


class PolicySize(NamedTuple):
    """How many numbers a policy network reads."""

    situation: int
    """Features of the seat's situation."""
    candidate: int
    """Features of a candidate."""


def weight_count(situation: int, candidate: int) -> int:
    """Number of weights: from the situation and from a candidate to each hidden unit, the biases, the outputs of the
    units, and the direct weights of a candidate's features."""
    return (situation + candidate + 2) * HIDDEN + candidate


@kernel
def read_situation(size, weights, situation, layer):
    """Write what the situation brings to each hidden unit to `layer`."""
    biases = (size.situation + size.candidate) * HIDDEN
    for unit in range(HIDDEN):
        layer[unit] = weights[biases + unit]
    for i in range(size.situation):
        feature, row = situation[i], i * HIDDEN
        if feature != 0.0:
            for unit in range(HIDDEN):
                layer[unit] += weights[row + unit] * feature


@kernel
def score(size, weights, layer, features, k, units):
    """The score of candidate k, from row k of `features`. `units` is memory for the hidden layer."""
    first, outputs = size.situation * HIDDEN, (size.situation + size.candidate + 1) * HIDDEN
    direct = outputs + HIDDEN
    for unit in range(HIDDEN):
        units[unit] = layer[unit]
    total = 0.0
    for i in range(size.candidate):
        feature, row = features[k, i], first + i * HIDDEN
        if feature != 0.0:
            total += weights[direct + i] * feature
            for unit in range(HIDDEN):
                units[unit] += weights[row + unit] * feature
    for unit in range(HIDDEN):
        total += weights[outputs + unit] * max(0.0, units[unit])
    return total


@kernel
def best_candidate(size, weights, situation, features, count, layer, units):
    """The candidate with the highest score; the first of those that are equal."""
    read_situation(size, weights, situation, layer)
    best, highest = 0, 0.0
    for k in range(count):
        value = score(size, weights, layer, features, k, units)
        if k == 0 or value > highest:
            best, highest = k, value
    return best
