"""All rooms of a server: opened on demand, closed when they have been idle for a while."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time

from spina.errors import SpinaError, StoreError
from spina.table import log_context
from spina.table.bots.bot_pool import BotPool
from spina.table.bots.warm_up import WarmUp
from spina.table.http.rate_limits import Buckets
from spina.table.instrumentation import NO_INSTRUMENTATION, Instrumentation
from spina.table.live import starts
from spina.table.live.cluster import Alone
from spina.table.live.room import Room
from spina.table.refusals import Refusal, say
from spina.table.store.journal_store import Store
from spina.table.store.records import Table
from spina.table.store.signals import Signal

log = logging.getLogger("spina.table")

IDLE_SECONDS = 600.0
SWEEP_SECONDS = 60.0
REMATCH_WAIT = 60.0
"""Seconds that people have to accept a rematch; then it begins, and stand-ins drive for those who have not. They start
again when the server is restarted."""
TOGETHER_LOOKED_AT = 500
"""Number of tables whose versions are read in one query."""
TOGETHER = 8
"""Maximum number of rooms opened at the same time when the server starts or its database is back."""
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 15.0
"""Maximum seconds between attempts to reopen an abandoned room: the pause doubles each time."""


class Rooms:
    """The rooms by the id of their table. There is never more than one room for a table."""

    def __init__(
        self,
        store: Store,
        bot_pool: BotPool,
        warm_up: WarmUp,
        pace: Buckets | None = None,
        cluster: Alone | None = None,
        instruments: Instrumentation = NO_INSTRUMENTATION,
    ) -> None:
        """`pace`: rate limit by address, in seconds of processor time, for recording and publishing bots' choices.
        `cluster`: this server among those that share its database."""
        self.store, self.bot_pool, self.warm_up, self._pace = store, bot_pool, warm_up, pace
        self._instruments = instruments
        self._cluster = cluster or Alone()
        self._newest: dict[str, int] = {}
        """The newest version that other servers have signalled, of tables whose rooms are being opened."""
        self._rooms: dict[str, Room] = {}
        self._opening: dict[str, asyncio.Task[Room]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._resuming: dict[str, asyncio.Task[None]] = {}
        self._attended: dict[str, asyncio.Event] = {}
        """For tables whose game is still being compiled: set when people are there, at another server."""
        self._pauses: dict[str, float] = {}
        """The last pause before reopening, for each table whose room was abandoned."""
        self._few = asyncio.Semaphore(TOGETHER)
        self._closed = False

    async def start(self) -> None:
        """Continue every running race that is this server's work, and start closing idle rooms."""
        self.warm_up.on_change = self._tell_seats
        self._tasks = [asyncio.create_task(self._sweep())]
        await self._cluster.start(self)
        if not self.store.shared:
            self._tasks.append(asyncio.create_task(self._continue()))

    async def close(self) -> None:
        self._closed = True
        await self._cluster.close()
        tasks = [*self._tasks, *self._resuming.values(), *self._opening.values()]
        for task in tasks:
            task.cancel()
        for room in self._rooms.values():
            room.close()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def room(self, table_id: str, address: str | None = None) -> Room:
        """The room of a table, with all that any server has acknowledged. Raises Refusal when there is no such table.

        `address` is the host's, if the table is being set up now.
        """
        room = self._rooms.get(table_id)
        if room is not None and not room.closed:
            if self.store.shared:  # a client that has chosen at another server must find its choice here
                await room.following.catch_up((await self.store.versions([table_id])).get(table_id))
            if not room.closed:
                return room
        opening = self._opening.get(table_id)
        if opening is None:
            opening = self._opening[table_id] = asyncio.create_task(self._open(table_id, address))
            opening.add_done_callback(lambda done: self._opened(table_id, done))
        return await asyncio.shield(opening)

    def _opened(self, table_id: str, opening: asyncio.Task[Room]) -> None:
        self._opening.pop(table_id, None)
        self._newest.pop(table_id, None)
        if not opening.cancelled():
            opening.exception()  # mark it as retrieved; other waiting requests get it too

    async def table(self, table_id: str) -> Table:
        """The table of this id. Raises Refusal when there is none."""
        # a database does not accept every text
        table = await self.store.table(table_id) if table_id.isascii() and table_id.isalnum() else None
        if table is None:
            raise Refusal("unknown", say("table.unknown", table=table_id[:40]))
        return table

    async def _open(self, table_id: str, address: str | None) -> Room:
        await self.table(table_id)
        table, seats, journal = await self.store.news(table_id, 0)
        chat = await self.store.chat(table_id)
        room = Room(table, seats, self.store, self.bot_pool)
        room.chat.lines = list(chat)
        former = self._rooms.get(table_id)
        room.pace, room.instruments = self._pace, self._instruments
        room.is_interpreted = lambda: not self.warm_up.is_over(table.game)
        room.asker.address = former.asker.address if former is not None else address
        room.on_duty = lambda: self._cluster.holds(table_id) or table.lesson
        if table.started is not None:
            await self.warm_up.prepare(table.game)
            await self.warm_up.load(table.game)
        await asyncio.to_thread(room.replay, journal)
        if self.store.shared and table.clock is not None:
            room.follow_clocks(await self.store.clocks(table_id))
        version = room.table.version
        room.on_abandon = lambda abandoned: self._abandoned(abandoned, version)
        self._rooms[table_id] = room
        if (newest := self._newest.pop(table_id, 0)) > version:
            self.heard(Signal("journal", "", table_id, newest))
        room.wake()
        room.others.ask_who_is_here()
        if table.status == "open":
            if room.complete:
                await self.begin_race(room)  # the server was stopped between the last seat and the start
            elif all(seat.kind != "open" for seat in seats):
                room.begins = time.monotonic() + REMATCH_WAIT
                room.run_in_background(self._begin_anyway(room, REMATCH_WAIT))
        return room

    async def _begin_anyway(self, room: Room, seconds: float) -> None:
        """Begin a rematch after these seconds, with stand-ins for those who have not accepted."""
        await asyncio.sleep(seconds)
        with contextlib.suppress(StoreError):  # the store logs it; the next room waits again
            await self.begin_race(room)

    async def begin_race(self, room: Room) -> int:
        """Begin the race of a table without open seats. Returns the version of its start."""
        await self.warm_up.prepare(room.table.game)
        if room.table.edition_text is not None:
            await asyncio.to_thread(starts.edition_of, room.table)  # read beside the event loop, and remembered

        async def start(room: Room) -> int:
            if room.table.status != "open":
                return room.table.version
            race = starts.begin(room.table)
            changes = {"status": "running", "started": time.time(), "turn": race.turn}
            room.begins = None
            begun = await room.note("start", changes=changes, race=race, holder=self._cluster.me)
            self._cluster.took(room.table.id)
            room.wake()
            return begun

        return await room.change(start)

    # --- continuing races --------------------------------------------------------------------------------------------

    async def _continue(self) -> None:
        """After the server's start: continue running races and waiting rematches, with or without open pages."""
        pause = FIRST_PAUSE
        while True:
            try:
                running = [*await self.store.running_tables(), *await self.store.open_rematches()]
                break
            except StoreError:  # the store logs it
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
        for table, _ in running:
            self._resume(table.id, 0.0)

    # --- other servers -----------------------------------------------------------------------------------------------

    def heard(self, signal: Signal) -> None:
        """Follow a signal of another server."""
        room = self.opened(signal.table)
        if room is not None:
            room.others.hear(signal)
            return
        attended = self._attended.get(signal.table)
        if attended is not None and (signal.kind == "journal" or signal.visitors or signal.watchers or signal.visited):
            attended.set()
        if signal.kind == "journal":
            if signal.table in self._opening:
                self._newest[signal.table] = max(signal.number, self._newest.get(signal.table, 0))
            elif self._cluster.holds(signal.table):
                self.resume(signal.table)

    async def look(self) -> None:
        """Catch up with what other servers have recorded."""
        rooms = [room for room in self._rooms.values() if not room.closed and room.table.status in ("open", "running")]
        for start in range(0, len(rooms), TOGETHER_LOOKED_AT):
            some = rooms[start : start + TOGETHER_LOOKED_AT]
            versions = await self.store.versions([room.table.id for room in some])
            for room in some:
                if versions.get(room.table.id, 0) > room.table.version:
                    room.others.hear(Signal("journal", "", room.table.id, versions[room.table.id]))
                room.others.tell_presence()

    def resume(self, table_id: str) -> None:
        """Work for a table from now on."""
        room = self.opened(table_id)
        if room is not None:
            room.wake()
        else:
            self._resume(table_id, 0.0)

    def relieve(self, table_id: str) -> None:
        """Stop working for a table, because its lease is lost."""
        room = self.opened(table_id)
        if room is not None:
            room.relieve()

    def part(self) -> None:
        """Let all pages connect again, which may bring them to another server."""
        for room in self._rooms.values():
            for listener in list(room.listeners):
                listener.part()

    @property
    def cut_off(self) -> bool:
        """Whether this server cannot reach the database, and other servers have taken over."""
        return self._cluster.cut_off

    def _tell_seats(self, game: str) -> None:
        """Tell the pages at tables of a game with bots which of these are still warming up."""
        for room in self._rooms.values():
            if room.table.game == game and any(seat.kind == "bot" for seat in room.seats):
                room.tell_seats()

    def _abandoned(self, room: Room, version: int) -> None:
        """Reopen an abandoned room, which had been opened at this version.

        While the database can be read but not written to, every new room fails in the same way: the pause grows until a
        write has succeeded.
        """
        table, before = room.table, self._pauses.get(room.table.id)
        pause = FIRST_PAUSE if before is None or table.version > version else min(2 * before, LONGEST_PAUSE)
        if table.status in ("open", "running"):
            self._pauses[table.id] = pause
            self._resume(table.id, pause)

    def _resume(self, table_id: str, pause: float) -> None:
        if table_id not in self._resuming and not self._closed:
            self._resuming[table_id] = asyncio.create_task(self._reopen(table_id, pause))

    async def _reopen(self, table_id: str, pause: float) -> None:
        """Open the table's room after a pause; retry with growing pauses while the database is away."""
        log_context.begin_work_on(table_id)
        try:
            await asyncio.sleep(pause)
            pause = max(pause, FIRST_PAUSE)
            await self._wait_for_game(table_id, pause)
            async with self._few:  # held while pausing, so that a thousand races do not all retry during an outage
                while not await self._goes_on(table_id):
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, LONGEST_PAUSE)
        except SpinaError as error:
            log.error("table %s cannot be continued: %s", table_id, error)
        except Exception:
            log.exception("table %s cannot be continued", table_id)
        finally:
            del self._resuming[table_id]

    async def _wait_for_game(self, table_id: str, pause: float) -> None:
        """Wait until a table's game is compiled, or people are there. A page that is opened here does not wait."""
        while True:
            try:
                async with self._few:
                    table = await self.table(table_id)
                break
            except StoreError:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
        attended = self._attended[table_id] = asyncio.Event()
        waiting = {asyncio.ensure_future(self.warm_up.wait(table.game)), asyncio.ensure_future(attended.wait())}
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            del self._attended[table_id]
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    async def _goes_on(self, table_id: str) -> bool:
        """Open a table's room. False while the database is away; the store logs that."""
        try:
            return not (await self.room(table_id)).closed
        except StoreError:
            return False

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now = time.monotonic()
            for table_id, room in list(self._rooms.items()):
                if room.closed or (room.idle and now - room.used > IDLE_SECONDS):
                    if not room.closed:
                        self._pauses.pop(table_id, None)
                    room.close()
                    del self._rooms[table_id]

    @property
    def count(self) -> int:
        """How many rooms are open."""
        return sum(not room.closed for room in list(self._rooms.values()))

    def opened(self, table_id: str) -> Room | None:
        """The room if it is open already."""
        room = self._rooms.get(table_id)
        return None if room is None or room.closed else room
