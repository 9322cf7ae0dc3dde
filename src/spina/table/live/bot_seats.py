"""The seats of a room that bots drive: permanently, or as stand-ins while their persons are away."""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from typing import TYPE_CHECKING

from spina.errors import StoreError
from spina.table import log_context
from spina.table.bots.bot_pool import BotPool
from spina.table.bots.fallbacks import Fallbacks, random_choice
from spina.table.refusals import Refusal
from spina.table.waits import is_set_within

if TYPE_CHECKING:
    from spina.table.live.room import Room

log = logging.getLogger("spina.table")

ENOUGH_TRIES = 10
"""Refused choices for a seat after which the bots give up."""


LONGEST_PAUSE = 5.0
"""Maximum seconds for which the rate limit of its address delays a bot's choice."""


class BotSeats:
    """Plays the choices of a room's bots and stand-ins."""

    def __init__(self, room: Room, bot_pool: BotPool) -> None:
        self._room, self._bot_pool = room, bot_pool
        self._thoughts: dict[int, asyncio.Task[None]] = {}
        self._changed = asyncio.Event()
        """Set when a person came, left or saw the news: stand-ins then recalculate how long they wait."""
        self._failures: dict[int, int] = {}
        """Number of refused choices for each seat's current question."""
        self._fallbacks = Fallbacks(room.table.id)

    @property
    def thinking(self) -> bool:
        """Whether a bot is thinking, or a stand-in waits for its person."""
        return bool(self._thoughts)

    def close(self) -> None:
        for task in self._thoughts.values():
            if task is not asyncio.current_task():
                task.cancel()

    def go_on(self) -> None:
        """Start a task for each bot's seat that owes a choice."""
        for seat in self._room.waiting():
            if self._room.driven(seat) and seat not in self._thoughts and not self._waits(seat):
                self._thoughts[seat] = asyncio.create_task(self._think(seat))

    def _waits(self, seat: int) -> bool:
        """Whether a rival of a lesson has nothing to do in this step."""
        return self._room.lesson is not None and self._room.lesson.scripted(seat) is None

    def _may_go_on(self, seat: int) -> bool:
        return not self._room.closed and self._room.on_duty() and not self._waits(seat)

    def wake_stand_ins(self) -> None:
        """Let stand-ins recalculate how long they wait."""
        self._changed.set()

    def forget_failures(self, seat: int) -> None:
        """Reset the count of refused choices, because the seat has a new question."""
        self._failures.pop(seat, None)

    async def _throttle(self) -> None:
        """Wait while the bots of this address are over their rate limit.

        Bots that choose at once, with many open pages to update, would otherwise use all of the server's time.
        """
        pace, address = self._room.pace, self._room.asker.address
        if pace is not None and (wait := pace.of(address or "").wait()) > 0:
            await asyncio.sleep(min(wait, LONGEST_PAUSE))

    async def _think(self, seat: int) -> None:
        """Play a bot's choices for a seat for as long as the seat owes one."""
        room = self._room
        log_context.begin_work_on(room.table.id)
        try:
            while seat in room.waiting() and room.driven(seat) and self._may_go_on(seat):
                race, asked = room.running(), room.clocks.asked(seat)
                bot = room.seats[seat].bot or race.game.default_driver
                if self._failures.get(seat):  # the table refused what the bots chose
                    action = random_choice(race, seat, room.bot_seed(seat) + self._failures[seat])
                elif room.lesson is not None:
                    action = room.lesson.scripted(seat) or ""
                else:
                    ask = partial(self._bot_pool.choose, asker=room.asker)
                    action = await self._fallbacks.choose(ask, race, seat, bot, room.bot_seed(seat))
                if room.seats[seat].kind != "bot":
                    await self._wait_for_person(seat, asked)
                await self._throttle()
                if room.clocks.asked(seat) != asked or not room.driven(seat):
                    continue  # the question has changed: think again
                try:
                    await room.play(None, seat, [action], version=asked)
                except StoreError:
                    return  # the room is abandoned; the race continues in a new one
                except Exception as error:
                    code = error.code if isinstance(error, Refusal) else None
                    if code == "stale":
                        continue
                    if code in ("over", "not-started"):
                        return
                    self._fallbacks.note(bot, error)
                    if not self._try_again(seat):
                        raise
        except Exception:  # the rules themselves fail: no bot can choose
            log.exception("table %s: nobody can choose for seat %s", room.table.id, seat)
        finally:
            self._thoughts.pop(seat, None)

    async def _wait_for_person(self, seat: int, asked: int | None) -> None:
        """Wait until the stand-in may choose, or until its person is back."""
        room = self._room
        while room.clocks.asked(seat) == asked and room.driven(seat):
            here = room.is_here(room.seats[seat].visitor)
            left = room.clocks.stand_in_chooses(seat, here) - time.monotonic()
            if left <= 0:
                return
            self._changed.clear()
            await is_set_within(self._changed, left)

    def _try_again(self, seat: int) -> bool:
        self._failures[seat] = self._failures.get(seat, 0) + 1
        return self._failures[seat] < ENOUGH_TRIES
