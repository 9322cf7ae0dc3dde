"""Following the journal: brings a room up to date with what other servers have appended to it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from spina.errors import SpinaError, StoreError
from spina.race import Race
from spina.table.live.listener import Told
from spina.table.refusals import Refusal, say
from spina.table.store.journal_store import Store
from spina.table.store.records import Entry, Seat, Table
from spina.table.store.signals import Play
from spina.table.waits import is_set_within

if TYPE_CHECKING:
    from spina.table.live.room import Room

log = logging.getLogger("spina.table")

ON_ITS_WAY = 0.1
"""Seconds to wait for the signal of a server that was first, before the journal is read."""
PAUSE, LONGEST_PAUSE = 0.02, 0.1
"""Maximum seconds of a pause after a conflict, for each conflict of the change so far; and however many there were."""


class JournalFollower:
    """Performs the entries of other servers on a room's replica, and lets the room publish them.

    Choices come with their signals and are followed at once. What comes during a change of the room waits until the
    change is done. All other entries, and those after a lost signal, are read from the journal.
    """

    def __init__(self, room: Room, store: Store) -> None:
        self._room, self._store = room, store
        self._plays: dict[int, Play] = {}
        """Choices that signals have brought and that have not been followed yet, by version."""
        self._newest = 0
        """The newest version that was signalled."""
        self._signalled = asyncio.Event()

    def hear(self, version: int, play: Play | None = None) -> None:
        """Follow the signal that the journal has entries up to this version. `play`: the last of them, if known."""
        room = self._room
        if room.closed or version <= room.table.version:
            return
        self._newest = max(self._newest, version)
        if play is not None:
            self._plays[version] = play
        self._signalled.set()
        if not room.lock.locked():
            self.follow_heard()

    def follow_arrived(self) -> None:
        """Follow what has been signalled by now, so that a change does not begin behind it. The room's lock is held."""
        if self._store.shared:
            self._store.hear_arrived()
            self._follow_plays(hold=True)

    def follow_heard(self) -> None:
        """Follow what was signalled. Call it when a change of the room has ended, before its lock is released."""
        room = self._room
        self._follow_plays()
        if self._newest > room.table.version and not room.closed:
            room.run_in_background(self._catch_up_quietly(self._newest))

    def _follow_plays(self, *, hold: bool = False) -> bool:
        """Follow the choices that signals have brought. Returns whether there were any.

        `hold`: a change is under way, which will be told together with them.
        """
        room, turn = self._room, 0
        entries: list[Entry] = []
        resolved = None if room.race is None else room.race.resolved
        while (play := self._plays.pop(room.table.version + len(entries) + 1, None)) is not None:
            entries.append(play.entry)
            turn = play.turn
        if entries and not room.closed:
            table = msgspec.structs.replace(room.table, version=entries[-1].version, turn=turn)
            with contextlib.suppress(Refusal):  # the room has been abandoned
                news = self._go_on_with(table, room.seats, entries)
                if hold:
                    room.publisher.hold(news)
                elif self._asks_here(entries, resolved):
                    room.tell_listeners(news)
                else:
                    room.tell_listeners_soon(news)
        if self._plays:
            self._plays = {version: play for version, play in self._plays.items() if version > room.table.version}
        return bool(entries)

    def _asks_here(self, entries: Sequence[Entry], resolved: int | None) -> bool:
        """Whether a page at this server has a new question after these choices, or the race is over.

        `resolved`: that of the race before them.
        """
        room = self._room
        if room.race is None or room.race.over:
            return True
        changed = room.race.resolved != resolved
        made = {entry.seat for entry in entries}
        asked = room.waiting()
        return any(each.looking in asked and (changed or each.looking in made) for each in room.listeners)

    async def catch_up(self, version: int | None = None) -> None:
        """Follow what other servers have appended to the journal, up to this version at least."""
        room = self._room
        if version is not None and version <= room.table.version:
            return
        async with room.lock:
            self._follow_plays()
            if not room.closed and (version is None or version > room.table.version):
                await self.read()
            self.follow_heard()

    async def _catch_up_quietly(self, version: int) -> None:
        with contextlib.suppress(StoreError, Refusal):  # the store logs it
            await self.catch_up(version)

    async def after_conflict(self, number: int) -> None:
        """Follow the server that has taken a version first. The room's lock is held.

        `number`: how often that has happened. Where people choose at the same time, the other server often has another
        choice under way, and it would win again and again, since it need not wait for signals. So this one pauses, and
        then follows all that have come meanwhile at once.
        """
        await asyncio.sleep(random.uniform(0, min(PAUSE * number, LONGEST_PAUSE)))
        if self._store.shared and self._newest <= self._room.table.version:
            self._signalled.clear()
            await is_set_within(self._signalled, ON_ITS_WAY)
        if not self._follow_plays(hold=True):
            await self.read()

    async def read(self) -> bool:
        """Read new entries and follow them. The room's lock is held. Returns whether there were any."""
        room, signalled = self._room, self._newest
        try:
            table, seats, entries = await self._store.news(room.table.id, room.table.version)
        except StoreError:
            room.abandon()
            raise
        if entries:
            room.forget_offers()
            room.tell_listeners(self._go_on_with(table, seats, entries))
        if self._newest == signalled:  # everything that was signalled before has been read
            self._newest = min(signalled, room.table.version)
        return bool(entries)

    def _go_on_with(self, table: Table, seats: list[Seat], entries: list[Entry]) -> list[Told]:
        """Follow entries of other servers, which lead to this table and these seats. Returns what is to be told."""
        room = self._room
        start = None if room.race is None else room.race.copy()
        before, room.table, room.seats = room.table, table, seats
        try:
            return list(self._performed(before, table, entries, start))
        except SpinaError as error:  # a newer version of Spina has continued the race
            log.error("table %s: its journal cannot be followed: %s", table.id, error)
            room.abandon()
            raise Refusal("stale", say("table.elsewhere")) from None

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
