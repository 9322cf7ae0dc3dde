"""Why one choice is better than another: the feature that the value network gives most weight to."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
import numpy as np

from spina.bots.network_weights import Network
from spina.games.feature import Feature

SMALL = 0.25
"""Differences below this, in a feature's own unit, are no reason."""
CLEAR = 0.01
"""Differences of strength below this are no reason."""


class Reason(msgspec.Struct, frozen=True):
    """What a choice does for the seat: a feature, whether there is more or less of it, and how much."""

    feature: str
    more: bool
    amount: float
    words: str

    @property
    def figure(self) -> str:
        """The former name of `feature`."""
        return self.feature


def reason(
    features: Sequence[Feature], network: Network | None, own: Sequence[float], others: Sequence[float]
) -> Reason | None:
    """The best reason to have the features `own` at the end of the turn rather than `others`; None if there is none."""
    if network is None:
        return None
    count = len(features)
    best, found = CLEAR, None
    for i, feature in enumerate(features):
        difference = own[i] - others[i]
        said = feature.more if difference > 0 else feature.less
        amount = abs(difference) * feature.unit
        if not said or ("{n}" in said and amount < SMALL):
            continue
        changed = [*others]
        changed[i] = own[i]
        gained = _strength(network, changed, count) - _strength(network, others, count)
        if gained > best:
            best, found = gained, Reason(feature.name, difference > 0, amount, _words(said, amount))
    return found


def _words(said: str, amount: float) -> str:
    """A reason with its number, in the singular if that is 1."""
    number = f"{amount:.0f}" if amount >= 3 else f"{amount:.1f}".removesuffix(".0")
    if number == "1":
        said = re.sub(r"\{n\} ((?:\w+ )??\w+)s\b", r"{n} \1", said, count=1)
    return said.replace("{n}", number)


def _strength(network: Network, features: Sequence[float], count: int) -> float:
    """The same as the kernel `value_network.strength`."""
    inputs = np.array([*features[:count], features[0]])
    cut = network.hidden * (count + 1)
    first = network.weights[:cut].reshape(network.hidden, count + 1)
    layer = np.tanh(first @ inputs + network.weights[cut : cut + network.hidden])
    return float(network.weights[cut + network.hidden :] @ layer)
