"""The form of a claim."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from spina.lab.intervals import Figure, shown


@dataclass(frozen=True, slots=True)
class Claim:
    """Something said of a game that a figure can bear out or refute."""

    id: str
    game: str
    statement: str
    """In our own words."""
    source: str
    labels: tuple[str, ...]
    """Set-ups whose facts the measure is given."""
    measure: Callable[..., Figure]
    what: str
    """What the figure is."""
    low: float = -math.inf
    high: float = math.inf

    def bound(self, figure: Figure) -> str:
        """The bounds as people read them."""
        low, high = shown(self.low, figure.unit), shown(self.high, figure.unit)
        if math.isinf(self.high):
            return f"at least {low}"
        return f"at most {high}" if math.isinf(self.low) else f"{low} to {high}"
