"""Lists of tables: a visitor's own, those with open seats, finished races."""

from __future__ import annotations

import contextlib

import msgspec

from spina.errors import SpinaError
from spina.table.live.rooms import Rooms
from spina.table.live.seat_colours import colour_of
from spina.table.store.journal_store import Store
from spina.table.store.records import Seat, Table, Visitor

LISTED = 24


class Summary(msgspec.Struct):
    """A table in a list."""

    id: str
    game: str
    status: str
    names: list[str]
    kinds: list[str]
    colours: list[int]
    turn: int
    waiting_for_me: bool
    mine: bool
    open_seats: int
    created: float
    ended: float | None
    winners: list[str]
    watching: str


class TableLists:
    """The newest tables of each kind, at most `LISTED`, as a visitor may see them."""

    def __init__(self, store: Store, rooms: Rooms) -> None:
        self._store, self._rooms = store, rooms

    async def own(self, visitor: Visitor) -> list[Summary]:
        """The tables that the visitor has set up, sits at or has left to a bot."""
        rows = await self._store.tables_of(visitor.id, LISTED)
        for table, _ in rows:
            if table.status == "running" and self._rooms.warm_up.ready(table.game):
                with contextlib.suppress(SpinaError):  # without its room, a summary lacks the waiting seats
                    await self._rooms.room(table.id)
        return [self._summary(table, seats, visitor.id) for table, seats in rows]

    async def open_tables(self, visitor: Visitor | None = None) -> list[Summary]:
        """Tables that anybody may join."""
        rows = await self._store.open_tables(LISTED)
        free = [(table, seats) for table, seats in rows if any(seat.kind == "open" for seat in seats)]
        return [self._summary(table, seats, visitor.id if visitor else None) for table, seats in free]

    async def finished(self, visitor: Visitor | None = None) -> list[Summary]:
        """Finished races that anybody may watch."""
        rows = await self._store.finished_tables(LISTED)
        return [self._summary(table, seats, visitor.id if visitor else None) for table, seats in rows]

    def _summary(self, table: Table, seats: list[Seat], visitor: str | None) -> Summary:
        room = self._rooms.opened(table.id)
        mine = visitor is not None and any(visitor in (seat.visitor, seat.left_by) for seat in seats)
        waiting = room.waiting() if room is not None else []
        winners = table.ranking[0] if table.ranking else []
        return Summary(
            id=table.id,
            game=table.game,
            status=table.status,
            names=[seat.name for seat in seats],
            kinds=[seat.kind for seat in seats],
            colours=[colour_of(seat) for seat in seats],
            turn=table.turn,
            waiting_for_me=any(seats[seat].visitor == visitor and not seats[seat].away for seat in waiting)
            if mine
            else False,
            mine=mine,
            open_seats=sum(seat.kind == "open" for seat in seats),
            created=table.created,
            ended=table.ended,
            winners=[seats[seat].name for seat in winners],
            watching=table.watching,
        )
