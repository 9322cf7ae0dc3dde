"""The state of a table as each viewer is shown it: seats, clock, view and offer."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec

from spina.table.live import protocol, starts
from spina.table.live.listener import Viewer
from spina.table.live.seat_colours import colour_of

if TYPE_CHECKING:
    from spina.table.live.room import Room

Drawn = dict[Viewer, tuple[Any, Any]]
"""Encoded view and offer by viewer: visitors who look with the same seat share them."""


class ViewerStates:
    """Builds the state messages of a room. It reads the room and changes nothing in it."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._offers: dict[int, tuple[Any, msgspec.Raw]] = {}

    def people(self) -> list[protocol.Person]:
        """Every seat, as all viewers see it."""
        room = self._room
        here = room.present()
        waiting = set(room.waiting())
        running = room.table.status == "running"
        return [
            protocol.Person(
                seat=seat.seat,
                kind=seat.kind,
                name=seat.name,
                colour=colour_of(seat),
                bot=seat.bot if seat.kind == "bot" else None,
                away=seat.away,
                here=seat.visitor in here,
                ready=running and seat.seat not in waiting,
                stands_in=seat.kind == "bot" and seat.left_by is not None,
                warming_up=room.is_warming_up(seat),
            )
            for seat in room.seats
        ]

    def watchers(self) -> int:
        """Number of visitors with an open page and no seat."""
        sitting = {seat.visitor for seat in self._room.seats}
        here = {listener.visitor for listener in self._room.listeners}
        return len(here - sitting) + self._room.others.watchers

    def state(self, visitor: str, looking: Viewer, drawn: Drawn) -> protocol.State:
        """The state for a visitor who looks with this seat. `drawn` caches views and offers between calls."""
        room = self._room
        if looking not in drawn:
            drawn[looking] = (encoded(self._view(looking)), self._offer(looking))
        view, offer = drawn[looking]
        over = room.table.status in ("over", "left")
        deadline, starts = self.clock(looking)
        return protocol.State(
            version=room.table.version,
            status=room.table.status,
            seats=self.people(),
            own=room.own_seats(visitor),
            left=[seat.seat for seat in room.seats if visitor and seat.left_by == visitor],
            looking=looking,
            waiting=room.waiting(),
            deadline=deadline,
            starts=starts,
            more_time=room.may_have_more_time(visitor),
            watchers=self.watchers(),
            view=view,
            offer=offer,
            retractable=looking is not None and room.race is not None and room.race.retractable(looking),
            commitment=room.table.commitment,
            seed=str(room.table.seed) if over else None,
            salt=room.table.salt if over else None,
            rematch=room.table.rematch,
            begins=None if room.begins is None else max(0.0, round(room.begins - time.monotonic(), 2)),
            hints=room.table.hints,
            chances=room.chances(visitor),
            start=self._start(over),
            lesson=None if room.lesson is None or over else room.lesson.state(),
        )

    def _start(self, over: bool) -> protocol.Begun | None:
        kept = self._room.table.start
        if kept is None:
            return None
        known = starts.read(kept)
        return protocol.Begun(known.kind, known.table, known.moment, starts.fingerprint(kept) if over else None)

    def clock(self, looking: Viewer) -> tuple[float | None, float]:
        """Seconds left on the clock that a viewer is shown, and seconds until it starts."""
        reading = self._room.clocks.reading(looking)
        return (None, 0.0) if reading is None else (round(reading.left, 2), round(reading.starts, 2))

    def forget_offers(self) -> None:
        """Make all offers anew, because another race has taken the place of the one before."""
        self._offers.clear()

    def _view(self, viewer: Viewer) -> dict[str, Any] | None:
        return None if self._room.race is None else self._room.race.view(viewer)

    def _offer(self, viewer: Viewer) -> msgspec.Raw:
        race = self._room.race
        if viewer is None or race is None or viewer not in self._room.waiting():
            return encoded(None)
        # Secret choices of other seats do not change this seat's offer, so it is cached while these two stay the same.
        basis = (race.resolved, race.choosing(viewer))
        known = self._offers.get(viewer)
        if known is None or known[0] != basis:
            known = self._offers[viewer] = (basis, encoded(race.offer(viewer)))
        return known[1]


def encoded(value: Any) -> msgspec.Raw:
    """A value as JSON, encoded once for all messages that contain it."""
    return msgspec.Raw(msgspec.json.encode(value))
