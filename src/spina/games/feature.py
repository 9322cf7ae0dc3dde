"""Features: numbers that describe a seat's situation. Separate from `game.py`, because compiled modules import it."""

from __future__ import annotations

import msgspec


class Feature(msgspec.Struct, frozen=True):
    """A feature: one of the numbers that describe a seat's situation."""

    name: str
    unit: float = 1.0
    """How much a difference of 1 is, in the units of `more` and `less`."""
    more: str = ""
    """The reason given for a choice that raises the feature by `{n}`; empty if that is no reason to give."""
    less: str = ""
