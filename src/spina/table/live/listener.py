"""Listeners of a room, and what they are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec

from spina.games.game import Event, Game
from spina.games.web_files import PAGE, WebFiles
from spina.table.live import protocol

Viewer = int | None
"""A seat, or None for a spectator."""


@dataclass(slots=True)
class Told:
    """What happened at one version, with the events that each viewer may know."""

    version: int
    at: float
    kind: str
    seat: int | None
    events: dict[Viewer, list[Any]] = field(default_factory=dict)
    actions: tuple[str, ...] = ()
    """The actions, for replays. They are not published."""

    def to(self, viewer: Viewer) -> protocol.Moment:
        return protocol.Moment(self.version, self.at, self.kind, self.seat, list(self.events.get(viewer, ())))


def page_events(game: Game, events: Sequence[Event], names: Sequence[str]) -> list[Any]:
    """Events for pages: typed, or for a game without page scripts plain data with a `sentence` each."""
    if _has_page(game.web):
        return list(events)
    return [{**msgspec.to_builtins(event), "sentence": game.sentence(event, names)} for event in events]


@cache
def _has_page(web: WebFiles) -> bool:
    return web.has(PAGE)


class Listener:
    """Receives the messages of a room, such as an open page. `tell` must not block."""

    visitor: str
    looking: Viewer
    version: int

    def tell(self, message: protocol.Outgoing) -> None:
        raise NotImplementedError

    def part(self) -> None:
        """Called when the room is closed: the client must connect again."""
