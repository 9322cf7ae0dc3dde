"""Listeners of a room, and what they are told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import msgspec

from spina.games.game import Event, Game
from spina.games.web_files import PAGE, WebFiles
from spina.table.live import protocol

Viewer = int | None
"""A seat, or None for a spectator."""
PageForm = Callable[[Sequence[Event]], list[Any]]
"""Brings the events that a viewer may know into the form that pages are told them in."""


@dataclass(slots=True)
class Told:
    """What happened at one version, and what each viewer may know of it."""

    version: int
    at: float
    kind: str
    seat: int | None
    actions: tuple[str, ...] = ()
    """The actions, for replays. They are not published."""
    _happened: list[Event] = field(default_factory=list)
    """All events, secret ones too: no viewer is told of them but through `events`."""
    _form: PageForm = list
    _seen: dict[Viewer, list[Any]] = field(default_factory=dict)
    """The events of viewers who have been told, so that they are made once."""

    def happen(self, events: Iterable[Event], form: PageForm) -> None:
        """Note events, secret ones too, and the form that pages are told them in."""
        self._happened.extend(events)
        self._form = form
        self._seen.clear()

    def events(self, viewer: Viewer) -> list[Any]:
        """What a viewer may know, in the form for pages. It is made for those who look, and only once."""
        seen = self._seen.get(viewer)
        if seen is None:
            known = [event for happened in self._happened if (event := happened.seen_by(viewer)) is not None]
            seen = self._seen[viewer] = self._form(known)
        return seen

    def to(self, viewer: Viewer) -> protocol.Moment:
        return protocol.Moment(self.version, self.at, self.kind, self.seat, self.events(viewer))


def page_form(game: Game, names: Sequence[str]) -> PageForm:
    """The form of a game's events for pages: typed, or for a game without page scripts data with a `sentence` each."""
    return list if _has_page(game.web) else partial(_with_sentences, game, names)


def _with_sentences(game: Game, names: Sequence[str], events: Sequence[Event]) -> list[Any]:
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
