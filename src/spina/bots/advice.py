"""What a bot says when it explains itself."""

from __future__ import annotations

import msgspec

from spina.bots.reasons import Reason
from spina.games.game import Action


class Candidate(msgspec.Struct, frozen=True):
    """A choice that a search has tried."""

    action: Action
    tried: int
    """How many simulations began with it."""
    chances: tuple[float, ...]
    """Every seat's chance to win after it."""
    features: tuple[float, ...]
    """The seat's features at the end of its turn, on average."""

    @property
    def figures(self) -> tuple[float, ...]:
        """The former name of `features`."""
        return self.features


class Advice(msgspec.Struct, frozen=True):
    """A bot's opinion of the possible choices: first the one that it would make, then the others, best first."""

    seat: int
    candidates: tuple[Candidate, ...]
    chances: tuple[float, ...]
    """Every seat's chance to win now, with the first choice."""
    reason: Reason | None
    """The main reason for the first choice against the others; None if there is no clear one, or if the game has no
    features or no value network."""
