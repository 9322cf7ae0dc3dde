"""This server among those that share its database: whose work a table is, and what the others have done.

`Alone` is a server whose database no other server uses: every table is its work. `Cluster` shares a PostgreSQL
database: it hears signals of the others, looks by itself from time to time, and works for the tables whose lease it
holds.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import random
import time
from collections.abc import Callable
from typing import Protocol

from spina.errors import StoreError
from spina.table.store.journal_store import Store
from spina.table.store.leases import SECONDS, Leases, Standing
from spina.table.store.signals import Signal
from spina.table.waits import is_set_within

log = logging.getLogger("spina.table")

RENEW = 1.0
"""Seconds between renewals of this server's row, and between looks for tables without a holder."""
SLACK = 1.25
"""A server gives leases back when it holds this many times its share, and at least two more than that."""
LOOK = 5.0
"""Seconds between looks at the versions of all open rooms, in case a signal was lost."""
SPREAD = 0.05
"""Maximum random delay in seconds before taking free leases, so that servers take turns."""


class Tables(Protocol):
    """The rooms of this server, as a cluster uses them."""

    def heard(self, signal: Signal) -> None:
        """Follow a signal of another server."""

    async def look(self) -> None:
        """Catch up with what other servers have recorded."""

    def resume(self, table_id: str) -> None:
        """Open the room of a table whose work is this server's now."""

    def relieve(self, table_id: str) -> None:
        """Stop working for a table."""

    def part(self) -> None:
        """Let all pages connect again, which may bring them to another server."""


class Alone:
    """The only server of its database."""

    cut_off = False
    """Whether the database has not answered for longer than leases are valid: other servers have taken over."""

    me: str | None = None
    """The id under which this server takes leases; None: it takes none."""

    def holds(self, table_id: str) -> bool:
        """Whether bots and clocks of a table are this server's work."""
        return True

    def took(self, table_id: str) -> None:
        """Note that a race began here, with its lease."""

    async def start(self, tables: Tables) -> None:
        """Begin to work with others."""

    def when(self, kind: str, callback: Callable[[Signal], None]) -> None:
        """Call back with each signal of this kind."""

    async def close(self) -> None:
        """Leave the work to others."""


class Cluster(Alone):
    """One of several servers."""

    def __init__(self, store: Store, *, thinks: bool, url: str | None = None) -> None:
        """`thinks`: whether it takes leases. `url`: its public address."""
        self._store, self._thinks = store, thinks
        self._leases = leases = Leases(store, thinks=thinks, url=url)
        self.me = leases.me if thinks else None
        self._held: set[str] = set()
        self._valid_until = 0.0
        self.cut_off = False
        self._tables: Tables | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._free = asyncio.Event()
        self._missed = asyncio.Event()
        self._callbacks: dict[str, Callable[[Signal], None]] = {"free": lambda signal: self._free.set()}

    def holds(self, table_id: str) -> bool:
        return table_id in self._held and time.monotonic() < self._valid_until

    def took(self, table_id: str) -> None:
        if self._thinks:
            self._held.add(table_id)

    @property
    def load(self) -> int:
        """Number of leases that this server holds."""
        return len(self._held)

    async def start(self, tables: Tables) -> None:
        self._tables = tables
        self._store.listen(self._hear)
        self._tasks = [asyncio.create_task(self._work()), asyncio.create_task(self._look())]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._held.clear()
        with contextlib.suppress(StoreError):  # the row expires by itself
            await self._leases.leave()

    def _hear(self, signal: Signal | None) -> None:
        assert self._tables is not None
        if signal is None:
            self._missed.set()
        else:
            self._callbacks.get(signal.kind, self._tables.heard)(signal)

    def when(self, kind: str, callback: Callable[[Signal], None]) -> None:
        self._callbacks[kind] = callback

    async def _look(self) -> None:
        """Look at all open rooms now and then, and at once after signals may have been lost."""
        assert self._tables is not None
        while True:
            await is_set_within(self._missed, LOOK)
            self._missed.clear()
            with contextlib.suppress(StoreError):  # the store logs it
                await self._tables.look()

    async def _work(self) -> None:
        """Renew this server's row, take free leases up to its share, and give back those above it."""
        while True:
            try:
                begun = time.monotonic()
                async with asyncio.timeout(SECONDS):  # the store waits longer for a database that is silent
                    standing = await self._leases.renew(len(self._held))
                self.cut_off = False
                lapsed = standing.expired or begun > self._valid_until
                if standing.expired:
                    await self._reconcile()
                self._valid_until = begun + SECONDS
                if lapsed:
                    self._resume_all()
                if self._thinks:
                    await self._balance(standing)
            except (StoreError, TimeoutError):  # the store logs it; leases end when they are not renewed
                self._relieve_if_expired()
            if await is_set_within(self._free, RENEW):
                self._free.clear()
                await asyncio.sleep(random.uniform(0, SPREAD))

    async def _balance(self, standing: Standing) -> None:
        assert self._tables is not None
        share = math.ceil((standing.leases + standing.free) / max(1, standing.thinkers))
        surplus = len(self._held) - max(share + 2, math.floor(share * SLACK))
        if surplus > 0:
            given = random.sample(sorted(self._held), surplus)
            for table_id in given:
                self._held.discard(table_id)
                self._tables.relieve(table_id)
            await self._leases.release(given)
        elif standing.free and share > len(self._held):
            for table_id in await self._leases.take(share - len(self._held)):
                self._held.add(table_id)
                self._tables.resume(table_id)

    async def _reconcile(self) -> None:
        """After this server counted as gone: keep only the leases that nobody else has taken."""
        assert self._tables is not None
        await self._leases.enter()
        held = await self._leases.held()
        for table_id in self._held - held:
            self._tables.relieve(table_id)
        self._held = held

    def _resume_all(self) -> None:
        """Work for all tables whose lease this server holds, after it could not renew its row for a while."""
        assert self._tables is not None
        for table_id in self._held:
            self._tables.resume(table_id)

    def _relieve_if_expired(self) -> None:
        """Stop working for all tables once the leases cannot be valid any more."""
        assert self._tables is not None
        if time.monotonic() > self._valid_until and not self.cut_off:
            self.cut_off = True
            for table_id in self._held:
                self._tables.relieve(table_id)
            self._tables.part()
