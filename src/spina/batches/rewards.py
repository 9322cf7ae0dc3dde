"""What places are worth to a learner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from spina.errors import OptionError

Rewards = Literal["places", "win"] | Sequence[float]
Illegal = Literal["lose", "raise"]

LOST = -1.0
"""The reward of an illegal action, where such an action ends the episode."""


def rewards_by_place(rewards: Rewards, seats: int) -> tuple[float, ...]:
    """The reward of the first place, of the second, and so on. Raises OptionError."""
    if isinstance(rewards, str):
        if rewards == "win":
            return (1.0,) + (0.0,) * (seats - 1)
        if rewards == "places":
            return tuple(1.0 - 2.0 * place / (seats - 1) for place in range(seats)) if seats > 1 else (1.0,)
        raise OptionError(f'rewards are "places", "win" or a number for each place, not "{rewards}"')
    try:
        numbers = tuple(float(number) for number in rewards)
    except (TypeError, ValueError):
        raise OptionError(f'rewards are "places", "win" or a number for each place, not {rewards!r}') from None
    if len(numbers) != seats or not np.isfinite(numbers).all():
        raise OptionError(f"rewards need a finite number for each of {seats} places, not {rewards!r}")
    return numbers


def shared_rewards(by_place: Sequence[float]) -> NDArray[np.float64]:
    """The rewards of ties: in row p and column n that of a seat at place p + 1 which n + 1 seats share.

    They share the rewards of the places they take up; fewer, if all of them are last.
    """
    count = len(by_place)
    return np.array([[np.mean(by_place[place : place + 1 + more]) for more in range(count)] for place in range(count)])


def check_choice(name: str, value: object, choices: Sequence[str | None]) -> None:
    """Raises OptionError for a value that is none of these."""
    if value not in choices:
        known = ", ".join("None" if choice is None else f'"{choice}"' for choice in choices)
        raise OptionError(f"{name} is one of {known}, not {value!r}")
