"""The value network: every seat's chance to win a race that is not over, from the features of the seats.

The features of a seat, with the share of the race that the leader still has to go, pass through one hidden layer to a
strength. The softmax of the strengths gives the chances. `spina lab train` finds the weights.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from spina.kernel.compiler import kernel
from spina.kernel.signatures import FEATURES, INT, Record

MOST_FEATURES = 32


class NetworkRecord(NamedTuple):
    """A value network as kernels read it."""

    features: int
    """How many features of a seat it reads."""
    hidden: int
    """Width of the hidden layer."""
    weights: Any
    """For each feature and for the share of the race to go, its weights to all units; then `hidden` biases and `hidden`
    output weights. In this order the units of the hidden layer are computed side by side, in the machine's vectors."""


NETWORK = Record(NetworkRecord, (INT, INT, FEATURES))


@kernel
def strength(features, stage, network, layer):
    """One seat's strength. `layer` is memory for the hidden layer."""
    count, hidden, weights = network.features, network.hidden, network.weights
    last = count * hidden
    biases, outputs = last + hidden, last + 2 * hidden
    for unit in range(hidden):
        layer[unit] = weights[biases + unit] + weights[last + unit] * stage
    for i in range(count):
        feature, row = features[i], i * hidden
        for unit in range(hidden):
            layer[unit] += weights[row + unit] * feature
    total = 0.0
    for unit in range(hidden):
        total += weights[outputs + unit] * math.tanh(layer[unit])
    return total


@kernel
def evaluate(game, race, edition, seats, network, features, layer, chances):
    """Write every seat's chance to win to `chances`. `features` and `layer` are memory, the latter for the hidden layer
    and the former for the features of all seats."""
    stage = 1e9
    for seat in range(seats):
        game.measure_features(race, edition, seat, features[seat])
        stage = min(stage, features[seat, 0])
    highest = -1e9
    for seat in range(seats):
        chances[seat] = strength(features[seat], stage, network, layer)
        highest = max(highest, chances[seat])
    total = 0.0
    for seat in range(seats):
        chances[seat] = math.exp(chances[seat] - highest)
        total += chances[seat]
    for seat in range(seats):
        chances[seat] /= total


@kernel
def share_of_win(places, seats, chances):
    """The chances at the end of a race: 1 for the winner; seats that share the first place share it."""
    winners = 0
    for seat in range(seats):
        if places[seat] == 1:
            winners += 1
    for seat in range(seats):
        chances[seat] = 1.0 / winners if places[seat] == 1 else 0.0
