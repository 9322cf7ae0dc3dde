"""What a bot says when it explains itself."""

from __future__ import annotations

import msgspec

from spina.bots.reasons import Reason
from spina.games.game import Action


class Candidate(msgspec.Struct, frozen=True):
    """A choice that was thought about."""

    action: Action
    tried: int
    chances: tuple[float, ...]
    """Every seat's chance to win after it."""
    figures: tuple[float, ...]
    """How the own seat will stand at the end of the turn, on average."""


class Advice(msgspec.Struct, frozen=True):
    """What a bot thinks of the choices: first that which it would make, then the others, best first."""

    seat: int
    candidates: tuple[Candidate, ...]
    chances: tuple[float, ...]
    """Every seat's chance to win now, with the first choice."""
    reason: Reason | None
    """What speaks for the first choice against the others."""
