"""The chat of a table: lines are stored first, and then sent to all listeners in the order of their numbers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from spina.table.live import protocol
from spina.table.store.journal_store import Store
from spina.table.store.records import Said

if TYPE_CHECKING:
    from spina.table.live.room import Room

SHOWN = 200
"""Lines that a page is sent when it opens."""


class Chat:
    """The lines of a room's table, those of other servers included."""

    def __init__(self, room: Room, store: Store) -> None:
        self.lines: list[Said] = []
        self._room, self._store = room, store
        self._lock = asyncio.Lock()

    def shown(self) -> list[protocol.Spoken]:
        """The last lines, for a page that opens."""
        return [protocol.Spoken.of(said) for said in self.lines[-SHOWN:]]

    async def say(self, visitor: str, name: str, text: str, key: str) -> None:
        """Store a line and send it to all listeners."""
        room = self._room
        async with self._lock:
            if any(said.key == key for said in self.lines):
                return
            own = room.own_seats(visitor)
            said = Said(
                table=room.table.id,
                number=0,
                visitor=visitor,
                name=room.seats[own[0]].name if own else name,
                seat=own[0] if own else None,
                text=text,
                key=key,
                at=time.time(),
            )
            said.number = await self._store.say(said)
            if said.number == self._last + 1:
                self._tell([said])
            else:  # lines of other servers come first, or it is a retry of an older line
                await self._read(said.number)

    async def read(self, number: int) -> None:
        """Read the lines up to this number at least, which other servers have stored."""
        async with self._lock:
            await self._read(number)

    async def _read(self, number: int) -> None:
        if number > self._last:
            self._tell(await self._store.chat(self._room.table.id, after=self._last))

    @property
    def _last(self) -> int:
        return self.lines[-1].number if self.lines else 0

    def _tell(self, lines: Iterable[Said]) -> None:
        for said in lines:
            self.lines.append(said)
            for listener in self._room.listeners:
                listener.tell(protocol.Chatted(protocol.Spoken.of(said)))
