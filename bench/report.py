"""How measurements are printed: what, how much, the bar, and whether it is met."""

from __future__ import annotations

import math
from collections.abc import Sequence

_missed: list[str] = []


def heading(text: str) -> None:
    print(f"\n{text}\n{'-' * len(text)}", flush=True)


def measured(what: str, value: str, bar: str, met: bool) -> None:
    """One line of a table of bars."""
    if not met:
        _missed.append(what)
    print(f"  {'ok  ' if met else 'MISS'}  {what:<58} {value:>26}   bar: {bar}", flush=True)


def missed() -> list[str]:
    return _missed


def mean_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Mean and its 95 % interval."""
    count = len(values)
    mean = sum(values) / count
    spread = math.sqrt(sum((value - mean) ** 2 for value in values) / (count - 1))
    half = 1.96 * spread / math.sqrt(count)
    return mean, mean - half, mean + half
