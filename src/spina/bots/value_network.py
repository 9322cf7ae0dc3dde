"""What a race is worth to each seat before it is over: a small network on how the seats stand.

Each seat's figures, with the share of the race that its leader still has to go, pass through one hidden layer to a
strength; the chances are the strengths' shares (softmax). The weights are found by `spina lab train` and kept as data.
"""

from __future__ import annotations

import math

from spina.kernel.compiler import kernel

MOST_FEATURES = 32


@kernel
def strength(figures, stage, network, count, hidden):
    """One seat's strength. The network lies flat: hidden x (count + 1) weights, hidden biases, hidden weights."""
    inputs = count + 1
    biases, outwards = hidden * inputs, hidden * inputs + hidden
    total = 0.0
    for unit in range(hidden):
        row = unit * inputs
        sum_of_all = network[biases + unit] + network[row + count] * stage
        for i in range(count):
            sum_of_all += network[row + i] * figures[i]
        total += network[outwards + unit] * math.tanh(sum_of_all)
    return total


@kernel
def judge(standing, race, edition, seats, network, count, hidden, figures, chances):
    """Every seat's chance to win."""
    stage = 1e9
    for seat in range(seats):
        standing(race, edition, seat, figures[seat])
        stage = min(stage, figures[seat, 0])
    highest = -1e9
    for seat in range(seats):
        chances[seat] = strength(figures[seat], stage, network, count, hidden)
        highest = max(highest, chances[seat])
    total = 0.0
    for seat in range(seats):
        chances[seat] = math.exp(chances[seat] - highest)
        total += chances[seat]
    for seat in range(seats):
        chances[seat] /= total


@kernel
def share_of_win(places, seats, chances):
    """The chances at the end: whoever is first has won, several share it."""
    winners = 0
    for seat in range(seats):
        if places[seat] == 1:
            winners += 1
    for seat in range(seats):
        chances[seat] = 1.0 / winners if places[seat] == 1 else 0.0
