"""What a room tells the same table's rooms at other servers, and what it hears from them.

Everything is sent as a signal. Entries, chat and clocks are read from the database then; who has the table open is in
the signal itself and stored nowhere.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from spina.errors import StoreError
from spina.table.refusals import Refusal
from spina.table.store.journal_store import Store
from spina.table.store.records import StartedClock
from spina.table.store.signals import Signal

if TYPE_CHECKING:
    from spina.table.live.room import Room

EXPIRES = 15.0
"""Seconds after which what a server has said is forgotten, unless it says so again: it may have ended."""


class OtherServers:
    """The other servers, as a room knows them."""

    def __init__(self, room: Room, store: Store) -> None:
        self._room, self._store = room, store
        self._said: dict[str, tuple[float, frozenset[str], int]] = {}
        """For each server with people: when it spoke last, visitors with a seat, and number of those without."""
        self._told = False
        """Whether the others have been told that people are here."""

    # --- who has the table open --------------------------------------------------------------------------------------

    def _current(self) -> list[tuple[frozenset[str], int]]:
        now = time.monotonic()
        return [(visitors, watchers) for at, visitors, watchers in self._said.values() if now - at < EXPIRES]

    def visitors(self) -> set[str]:
        """Visitors with a seat whose pages are open at other servers."""
        return {visitor for visitors, _ in self._current() for visitor in visitors}

    @property
    def watchers(self) -> int:
        """Number of visitors without a seat there. One who watches through two servers counts twice."""
        return sum(watchers for _, watchers in self._current())

    @property
    def anybody(self) -> bool:
        """Whether any page is open there, or people have asked for the table lately."""
        return bool(self._said) and bool(self._current())

    def _note_presence(self, signal: Signal) -> bool:
        """Note what a server says. Returns whether anything has changed."""
        before = self.visitors(), self.watchers, self.anybody
        if signal.address is not None:
            self._room.charge_to(signal.address)
        if signal.visitors or signal.watchers or signal.visited:
            self._said[signal.server] = (time.monotonic(), frozenset(signal.visitors), signal.watchers)
        else:
            self._said.pop(signal.server, None)
        return before != (self.visitors(), self.watchers, self.anybody)

    # --- hearing -----------------------------------------------------------------------------------------------------

    def hear(self, signal: Signal) -> None:
        """Follow a signal of another server."""
        room = self._room
        match signal.kind:
            case "journal":
                room.following.hear(signal.number, signal.play)
            case "chat":
                self._run(lambda: room.chat.read(signal.number))
            case "clock":
                self._run(self._read_clocks)
            case "here":
                if self._note_presence(signal):
                    room.presence_changed()
            case "who":
                self.tell_presence(asked=True)

    async def _read_clocks(self) -> None:
        self._room.follow_clocks(await self._store.clocks(self._room.table.id))

    # --- telling -----------------------------------------------------------------------------------------------------

    def ask_who_is_here(self) -> None:
        """Ask the other servers who has the table open."""
        self._send(Signal("who", self._store.server, self._room.table.id))

    def tell_presence(self, *, asked: bool = False) -> None:
        """Tell the other servers who has the table open here, and the address that its bots are charged to.

        Bots think at one server, and people may be at another: its turns are fair only if it knows the address.
        `asked`: another server has asked, so that the address is told without people too.
        """
        room = self._room
        here, visited, address = {listener.visitor for listener in room.listeners}, room.visited, room.asker.address
        if here or visited or self._told or (asked and address is not None):
            self._told = bool(here or visited)
            sitting = sorted(here & {seat.visitor for seat in room.seats if seat.visitor is not None})
            self._send(
                Signal(
                    "here",
                    self._store.server,
                    room.table.id,
                    visitors=sitting,
                    watchers=len(here) - len(sitting),
                    address=address,
                    visited=visited,
                )
            )

    def tell_clock(self, clock: StartedClock) -> None:
        """Keep the start of a seat's clock for the other servers."""
        if self._store.shared:
            self._run(lambda: self._store.start_clock(clock))

    def _send(self, signal: Signal) -> None:
        if self._store.shared:
            self._run(lambda: self._store.signal(signal))

    def _run(self, work: Callable[[], Awaitable[None]]) -> None:
        if not self._room.closed:
            self._room.run_in_background(_quietly(work))


async def _quietly(work: Callable[[], Awaitable[None]]) -> None:
    """Do something that waits for the database. The store logs if it cannot be done now."""
    with contextlib.suppress(StoreError, Refusal):
        await work()
