"""The numbers that tell how a seat stands. Apart from `game.py`, because compiled modules import it."""

from __future__ import annotations

import msgspec


class Feature(msgspec.Struct, frozen=True):
    """One of the numbers that tell how a seat stands."""

    name: str
    unit: float = 1.0
    """What a difference of 1 comes to, in the units of `more` and `less`."""
    more: str = ""
    """What is said of a choice that raises it by `{n}`; nothing, if nobody would give that as a reason."""
    less: str = ""
