"""What a room tells, and whom."""

from __future__ import annotations

from dataclasses import dataclass, field

from spina.games.game import Event
from spina.table.live import protocol

Viewer = int | None
"""A seat, or None for a spectator."""


@dataclass(slots=True)
class Told:
    """What happened at one version, as everybody may know it."""

    version: int
    at: float
    kind: str
    seat: int | None
    events: dict[Viewer, list[Event]] = field(default_factory=dict)
    actions: tuple[str, ...] = ()
    """What was chosen, for replaying. Never told."""

    def to(self, viewer: Viewer) -> protocol.Moment:
        return protocol.Moment(self.version, self.at, self.kind, self.seat, list(self.events.get(viewer, ())))


class Listener:
    """Somebody whom a room tells what happens. `tell` must not wait."""

    visitor: str
    looking: Viewer
    version: int

    def tell(self, message: protocol.Outgoing) -> None:
        raise NotImplementedError

    def part(self) -> None:
        """The room is no more: come back and ask again."""
