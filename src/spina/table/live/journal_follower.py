"""Following the journal: brings a room up to date with what other servers have appended to it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from spina.errors import SpinaError, StoreError
from spina.race import Race
from spina.table.live.listener import Told
from spina.table.refusals import Refusal, say
from spina.table.store.journal_store import Store
from spina.table.store.records import Entry, Seat, Table
from spina.table.store.signals import Play

if TYPE_CHECKING:
    from spina.table.live.room import Room

log = logging.getLogger("spina.table")


class JournalFollower:
    """Performs the entries of other servers on a room's replica, and lets the room publish them."""

    def __init__(self, room: Room, store: Store) -> None:
        self._room, self._store = room, store

    async def catch_up(self, version: int | None = None, play: Play | None = None) -> None:
        """Follow what other servers have appended to the journal, up to this version at least.

        `play`: the choice of this version, if its signal has brought it; it is read if others before it are missing.
        """
        room = self._room
        async with room.lock:
            if room.closed or (version is not None and version <= room.table.version):
                return
            if play is not None and play.entry.version == room.table.version + 1:
                table = msgspec.structs.replace(room.table, version=play.entry.version, turn=play.turn)
                self._go_on_with(table, room.seats, [play.entry])
            else:
                await self.read()

    async def read(self) -> bool:
        """Read new entries and follow them. The room's lock is held. Returns whether there were any."""
        room = self._room
        try:
            table, seats, entries = await self._store.news(room.table.id, room.table.version)
        except StoreError:
            room.abandon()
            raise
        if not entries:
            return False
        room.forget_offers()
        self._go_on_with(table, seats, entries)
        return True

    def _go_on_with(self, table: Table, seats: list[Seat], entries: list[Entry]) -> None:
        """Follow entries of other servers, which lead to this table and these seats."""
        room = self._room
        start = None if room.race is None else room.race.copy()
        before, room.table, room.seats = room.table, table, seats
        try:
            news = list(self._performed(before, table, entries, start))
        except SpinaError as error:  # a newer version of Spina has continued the race
            log.error("table %s: its journal cannot be followed: %s", table.id, error)
            room.abandon()
            raise Refusal("stale", say("table.elsewhere")) from None
        room.tell_listeners(news)

    def _performed(self, before: Table, table: Table, entries: list[Entry], race: Race | None) -> Iterator[Told]:
        """Perform entries of other servers one by one, with the clocks as they would have been."""
        room = self._room
        for told, after in room.performed(entries, race):
            last = told.version == table.version
            room.table = table if last else msgspec.structs.replace(before, version=told.version)
            if told.kind == "start" and not last:
                before = msgspec.structs.replace(before, status="running", started=table.started)
            room.race = after
            room.note_told([told])
            yield told
