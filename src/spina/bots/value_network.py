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
    """hidden x (features + 1) weights row by row, `hidden` biases, `hidden` output weights."""


NETWORK = Record(NetworkRecord, (INT, INT, FEATURES))


@kernel
def strength(features, stage, network):
    """One seat's strength."""
    count, hidden, weights = network.features, network.hidden, network.weights
    inputs = count + 1
    biases, outputs = hidden * inputs, hidden * inputs + hidden
    total = 0.0
    for unit in range(hidden):
        row = unit * inputs
        activation = weights[biases + unit] + weights[row + count] * stage
        for i in range(count):
            activation += weights[row + i] * features[i]
        total += weights[outputs + unit] * math.tanh(activation)
    return total


@kernel
def evaluate(game, race, edition, seats, network, features, chances):
    """Write every seat's chance to win to `chances`. `features` is memory for the features of all seats."""
    stage = 1e9
    for seat in range(seats):
        game.measure_features(race, edition, seat, features[seat])
        stage = min(stage, features[seat, 0])
    highest = -1e9
    for seat in range(seats):
        chances[seat] = strength(features[seat], stage, network)
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
