"""The state of a table as each viewer is shown it: seats, clock, view and offer."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from spina.table.live import protocol, starts
from spina.table.live.listener import Viewer
from spina.table.live.seat_colours import colour_of
from spina.table.store.journal_store import ENDED

if TYPE_CHECKING:
    from spina.table.live.room import Room

NOTHING = msgspec.Raw(b"null")
"""JSON of None."""


class Snapshot(msgspec.Struct):
    """What the states of all viewers share at one moment, made once for all pages that are told."""

    views: dict[Viewer, msgspec.Raw]
    """Encoded views: visitors who look with the same seat share them."""
    people: list[protocol.Person]
    waiting: list[int]
    watchers: int
    start: protocol.Begun | None
    begins: float | None
    lesson: protocol.LessonState | None


class ViewerStates:
    """Builds the state messages of a room. It reads the room and changes nothing in it."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._offers: dict[int, tuple[Any, msgspec.Raw]] = {}

    def people(self, waiting: Sequence[int]) -> list[protocol.Person]:
        """Every seat, as all viewers see it. `waiting`: the seats that owe a choice."""
        room = self._room
        here = room.present()
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

    def snapshot(self, viewers: Iterable[Viewer]) -> Snapshot:
        """The shared part of the states of these viewers."""
        room, wanted = self._room, list(viewers)
        waiting = room.waiting()
        views = [None] * len(wanted) if room.race is None else room.race.views(wanted)
        return Snapshot(
            views={viewer: encoded(view) for viewer, view in zip(wanted, views, strict=True)},
            people=self.people(waiting),
            waiting=waiting,
            watchers=self.watchers(),
            start=self._start(over := room.table.status in ENDED),
            begins=None if room.begins is None else max(0.0, round(room.begins - time.monotonic(), 2)),
            lesson=None if room.lesson is None or over else room.lesson.state(),
        )

    def state(self, visitor: str, looking: Viewer, shared: Snapshot) -> protocol.State:
        """The state for a visitor who looks with this seat."""
        room, table = self._room, self._room.table
        over = table.status in ENDED
        deadline, starts = self.clock(looking)
        return protocol.State(
            version=table.version,
            status=table.status,
            seats=shared.people,
            own=room.own_seats(visitor),
            left=[seat.seat for seat in room.seats if visitor and seat.left_by == visitor],
            looking=looking,
            waiting=shared.waiting,
            deadline=deadline,
            starts=starts,
            more_time=room.may_have_more_time(visitor),
            watchers=shared.watchers,
            view=shared.views[looking],
            offer=self._offer(looking, shared.waiting),
            retractable=looking is not None and room.race is not None and room.race.retractable(looking),
            commitment=table.commitment,
            seed=str(table.seed) if over else None,
            salt=table.salt if over else None,
            rematch=table.rematch,
            begins=shared.begins,
            hints=table.hints,
            chances=room.chances() if room.may_judge(visitor) else None,
            start=shared.start,
            lesson=shared.lesson,
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

    def _offer(self, viewer: Viewer, waiting: Sequence[int]) -> msgspec.Raw:
        race = self._room.race
        if viewer is None or race is None or viewer not in waiting:
            return NOTHING
        # Secret choices of other seats do not change this seat's offer, so it is cached while these two stay the same.
        basis = (race.resolved, race.choosing(viewer))
        known = self._offers.get(viewer)
        if known is None or known[0] != basis:
            known = self._offers[viewer] = (basis, encoded(race.offer(viewer)))
        return known[1]


def encoded(value: Any) -> msgspec.Raw:
    """A value as JSON, encoded once for all messages that contain it."""
    return msgspec.Raw(msgspec.json.encode(value))
