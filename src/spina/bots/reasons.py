"""Why a choice is better than another, in a few words: the figure that the network gives most weight to."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
import numpy as np

from spina.bots.network_weights import Network
from spina.games.feature import Feature

SMALL = 0.25
"""Differences below this, in a figure's own unit, are no reason."""
CLEAR = 0.01
"""Differences of strength below this are none either."""


class Reason(msgspec.Struct, frozen=True):
    """What a choice does for the seat: a figure, whether there is more or less of it, and how much."""

    figure: str
    more: bool
    amount: float
    words: str


def reason(
    figures: Sequence[Feature], network: Network, mine: Sequence[float], others: Sequence[float]
) -> Reason | None:
    """The best reason to stand like `mine` at the end of the turn rather than like `others`; None if there is none."""
    count = len(figures)
    best, found = CLEAR, None
    for i, figure in enumerate(figures):
        difference = mine[i] - others[i]
        said = figure.more if difference > 0 else figure.less
        amount = abs(difference) * figure.unit
        if not said or ("{n}" in said and amount < SMALL):
            continue
        changed = [*others]
        changed[i] = mine[i]
        gained = _strength(network, changed, count) - _strength(network, others, count)
        if gained > best:
            best, found = gained, Reason(figure.name, difference > 0, amount, _words(said, amount))
    return found


def _words(said: str, amount: float) -> str:
    """A reason with its number, and with one thing rather than 1 things."""
    number = f"{amount:.0f}" if amount >= 3 else f"{amount:.1f}".removesuffix(".0")
    if number == "1":
        said = re.sub(r"\{n\} ((?:\w+ )??\w+)s\b", r"{n} \1", said, count=1)
    return said.replace("{n}", number)


def _strength(network: Network, figures: Sequence[float], count: int) -> float:
    """`judging.strength`, from Python."""
    inputs = np.array([*figures[:count], figures[0]])
    cut = network.hidden * (count + 1)
    first = network.weights[:cut].reshape(network.hidden, count + 1)
    layer = np.tanh(first @ inputs + network.weights[cut : cut + network.hidden])
    return float(network.weights[cut + network.hidden :] @ layer)
