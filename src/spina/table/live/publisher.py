"""Telling the open pages of a room what has happened."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from spina.table.live import protocol
from spina.table.live.listener import Listener, Told, Viewer
from spina.table.live.viewer_states import ViewerStates, encoded

if TYPE_CHECKING:
    from spina.table.live.room import Room

KEEPING, KEEPING_ALONE = 0.0003, 0.003
"""Seconds that a bot's address is charged for a choice; more in a race without people, which can wait."""
HELD_BACK = 0.025
"""Maximum seconds for which a choice of another server waits to be told together with what happens next."""
MEASURED = 1 / 16
"""Share of the publications whose processor time is measured: asking for it is a system call, which takes longer than
telling a page. The others are charged what the last of these took."""


class Publisher:
    """Tells a room's listeners what has happened, and charges its address for the time."""

    def __init__(self, room: Room, states: ViewerStates) -> None:
        self._room, self._states = room, states
        self._held: list[Told] = []
        self._timer: asyncio.TimerHandle | None = None
        self._cost: float | None = None
        """Seconds of processor time of the publication that was measured last."""

    def hold(self, news: Sequence[Told]) -> None:
        """Tell the news with what is told next, or soon: a change is under way, and one message can tell of both."""
        self._held.extend(news)
        if self._held and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(HELD_BACK, self.flush)

    def flush(self) -> None:
        """Tell what is held back, so that the pages know everything that the room does."""
        if self._held:
            self._room.tell_listeners([])

    def forget(self) -> None:
        """Tell nothing more: the room is closed."""
        self._held.clear()
        self._stop_timer()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def tell(self, news: Sequence[Told]) -> None:
        """Tell all listeners what is held back and this. Use `Room.tell_listeners`, which lets bots go on, too."""
        room = self._room
        news, self._held = [*self._held, *news], []
        self._stop_timer()
        begun = time.thread_time() if self._cost is None or random.random() < MEASURED else None
        moments: dict[Viewer, msgspec.Raw] = {}
        seated = any(told.kind in ("seat", "joined", "back") for told in news)
        told_now = [listener for listener in room.listeners if not self._moved(listener, seated)]
        if told_now:
            shared = self._states.snapshot({listener.looking for listener in told_now})
            for listener in told_now:
                viewer = listener.looking
                if viewer not in moments:
                    moments[viewer] = encoded([told.to(viewer) for told in news])
                listener.version = room.table.version
                state = room.state_for(listener.visitor, viewer, shared)
                listener.tell(protocol.Update(state, moments[viewer]))  # type: ignore[arg-type]
        if begun is not None:
            self._cost = time.thread_time() - begun
        if room.pace is not None and not room.is_interpreted():
            keeping = KEEPING if room.is_attended() else KEEPING_ALONE
            room.pace.of(room.asker.address or "").charge(keeping + (self._cost or 0.0))

    def _moved(self, listener: Listener, seated: bool) -> bool:
        """Whether a page was switched to another seat, with all moments again, because its visitor's seats changed."""
        room, viewer = self._room, listener.looking
        if viewer is not None and room.seats[viewer].visitor != listener.visitor:
            room.look(listener, None)  # the seat, and with it its secrets, belongs to another visitor now
            return True
        if viewer is None and seated and len(own := room.own_seats(listener.visitor)) == 1:
            room.look(listener, own[0])  # a spectator has taken a seat
            return True
        return False
