"""A claim: a statement about a game that an estimate can confirm or refute."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from spina.games.studies.intervals import Estimate, shown


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement about a game, the measure that tests it, and the bounds within which it holds."""

    id: str
    """Unique over all games; it begins with the name of the game."""
    game: str
    statement: str
    """In Spina's own words."""
    source: str
    labels: tuple[str, ...]
    """The set-ups to race; `measure` is given the facts of each, in this order."""
    measure: Callable[..., Estimate]
    what: str
    """What is measured, in a few words."""
    low: float = -math.inf
    high: float = math.inf

    def bound(self, estimate: Estimate) -> str:
        """The bounds in the unit of the estimate, as people read them."""
        low, high = shown(self.low, estimate.unit), shown(self.high, estimate.unit)
        if math.isinf(self.high):
            return f"at least {low}"
        return f"at most {high}" if math.isinf(self.low) else f"{low} to {high}"
