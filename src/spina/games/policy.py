"""What a game offers to learned policies. Separate from `game.py`, because it imports nothing but types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from numpy.typing import NDArray

from spina.kernel.policy_network import PolicySize


class LearnedPolicy(msgspec.Struct, frozen=True):
    """A game's candidates, and the network that its driver `learned` scores them with."""

    size: PolicySize
    list_candidates: Callable[..., int]
    """(race, edition, seat, plans, lengths, situation, features) -> how many candidates there are: an entry of the
    signature `interface.LIST_CANDIDATES`. It writes the steps of each candidate to a row of `plans` and their number to
    `lengths`, and describes the situation and each candidate in `size` numbers, from what the seat can see. Where there
    is nothing to compare it returns 0."""
    weights: Callable[[], NDArray[Any]]
    """Returns the weights that the driver reads where they lie: training writes others in their place."""
    file: Path
    """The weights as data."""
    prior: Mapping[int, float]
    """What an untrained policy goes by: some features of a candidate, by number, with their weights."""
