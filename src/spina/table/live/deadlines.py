"""Deadlines: hands seats whose time is over to stand-ins, if the table is this server's work."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from spina.errors import SpinaError, StoreError
from spina.table import log_context

if TYPE_CHECKING:
    from spina.table.live.room import Room

log = logging.getLogger("spina.table")

GRACE = 0.05
"""Seconds after a deadline at which its seat is handed over."""


class Deadlines:
    """The timer of a room, set for the earliest deadline of its clocks."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._timer: asyncio.TimerHandle | None = None

    def stop(self) -> None:
        """Stop the timer."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def set(self) -> None:
        """Set the timer for the earliest deadline."""
        self.stop()
        room = self._room
        first = room.clocks.first()
        deadline = None if first is None else room.clocks.deadline(first)
        if deadline is not None and not room.closed and room.on_duty():
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(max(0.0, deadline - time.monotonic()) + GRACE, self._run_out)

    def _run_out(self) -> None:
        self._room.run_in_background(self._send_away())

    async def _send_away(self) -> None:
        """Hand the seats whose deadline has passed to stand-ins."""
        room = self._room
        log_context.begin_work_on(room.table.id)

        async def send(room: Room) -> int:
            for seat in room.clocks.over():
                await room.note("away", seat, seats=[room.with_changes(seat, away=True)])
            return room.table.version

        if room.closed or not room.on_duty():
            return
        try:
            await room.change(send)
        except StoreError:
            return  # the store logs it; the clock continues in a new room
        except SpinaError as error:
            log.error("table %s: the clocks: %s", room.table.id, error)
