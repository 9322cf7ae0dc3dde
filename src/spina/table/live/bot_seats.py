"""The seats of a room that bots drive: for good, or as stand-ins while their persons are away."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from functools import partial
from typing import TYPE_CHECKING

from spina.errors import StoreError
from spina.table.bots.bot_pool import BotPool
from spina.table.bots.fallbacks import Fallbacks, random_choice
from spina.table.refusals import Refusal

if TYPE_CHECKING:
    from spina.table.live.room import Room

log = logging.getLogger("spina.table")

ENOUGH_TRIES = 10
"""Choices for a seat that the table may refuse before nobody can go on."""


LONGEST_PAUSE = 5.0
"""Seconds that a bot waits with its choice at most because bots of its address have used up their time."""


class BotSeats:
    """Lets bots choose for the seats of a room that they drive."""

    def __init__(self, room: Room, thinkers: BotPool) -> None:
        self._room, self._thinkers = room, thinkers
        self._thoughts: dict[int, asyncio.Task[None]] = {}
        self._stirred = asyncio.Event()
        """Set when somebody has come, gone, or seen something: stand-ins reckon anew how long they wait."""
        self._failures: dict[int, int] = {}
        """How often the table has refused what was chosen for a seat since it was asked."""
        self._fallbacks = Fallbacks(room.table.id)

    @property
    def thinking(self) -> bool:
        """Whether a bot is thinking, or waits for its person."""
        return bool(self._thoughts)

    def close(self) -> None:
        for task in self._thoughts.values():
            if task is not asyncio.current_task():
                task.cancel()

    def go_on(self) -> None:
        """Set bots to work on what is owed now."""
        for seat in self._room.waiting():
            if self._room.driven(seat) and seat not in self._thoughts:
                self._thoughts[seat] = asyncio.create_task(self._think(seat))

    def stir(self) -> None:
        """Something has changed that stand-ins wait for."""
        self._stirred.set()

    def ask_anew(self, seat: int) -> None:
        """Forget what failed when the seat was asked before."""
        self._failures.pop(seat, None)

    async def _in_time(self) -> None:
        """Wait while bots of this address have used up their time.

        Bots that choose in no time, before many open pages, would else take all of the server's.
        """
        pace, address = self._room.pace, self._room.asker.address
        if pace is not None and (wait := pace.of(address or "").wait()) > 0:
            await asyncio.sleep(min(wait, LONGEST_PAUSE))

    async def _think(self, seat: int) -> None:
        """Let a bot choose for a seat, as often as it is asked."""
        room = self._room
        try:
            while seat in room.waiting() and room.driven(seat) and not room.closed:
                race, asked = room.running(), room.clocks.asked(seat)
                bot = room.seats[seat].bot or race.game.default_driver
                if self._failures.get(seat):  # the table did not take what the bots chose
                    action = random_choice(race, seat, room.lot(seat) + self._failures[seat])
                else:
                    ask = partial(self._thinkers.choose, asker=room.asker)
                    action = await self._fallbacks.choose(ask, race, seat, bot, room.lot(seat))
                if room.seats[seat].kind != "bot":
                    await self._leave_time(seat, asked)
                await self._in_time()
                if room.clocks.asked(seat) != asked or not room.driven(seat):
                    continue  # something has happened since: think again
                try:
                    await room.play(None, seat, [action], version=asked)
                except StoreError:
                    return  # the room is abandoned; the race goes on in the next one
                except Exception as error:
                    code = error.code if isinstance(error, Refusal) else None
                    if code == "stale":
                        continue
                    if code in ("over", "not-started"):
                        return
                    self._fallbacks.note(bot, error)
                    if not self._try_again(seat):
                        raise
        except Exception:  # the rules themselves fail: no bot can go on
            log.exception("table %s: nobody can choose for seat %s", room.table.id, seat)
        finally:
            self._thoughts.pop(seat, None)

    async def _leave_time(self, seat: int, asked: int | None) -> None:
        """Wait as long as a stand-in waits for its person to come back."""
        room = self._room
        while room.clocks.asked(seat) == asked and room.driven(seat):
            here = any(listener.visitor == room.seats[seat].visitor for listener in room.listeners)
            left = room.clocks.stand_in_chooses(seat, here) - time.monotonic()
            if left <= 0:
                return
            self._stirred.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stirred.wait(), left)

    def _try_again(self, seat: int) -> bool:
        self._failures[seat] = self._failures.get(seat, 0) + 1
        return self._failures[seat] < ENOUGH_TRIES
