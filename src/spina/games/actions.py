"""The base types of every game's actions and events."""

from __future__ import annotations

import msgspec


class Action(msgspec.Struct, frozen=True, tag=True, repr_omit_defaults=True):
    """Something that a seat may do. `str()` is its notation, `repr()` rebuilds it."""


class Event(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Something that happened. An event holds no other events, so the garbage collector need not track it."""

    def seen_by(self, viewer: int | None) -> Event | None:
        """The event as this seat (or None, a spectator) may know it; None if it may not know of it at all."""
        return self
