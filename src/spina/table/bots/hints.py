"""Hints: what a strong bot would do in somebody's place, for that person alone. Nothing of it is written down."""

from __future__ import annotations

from collections import OrderedDict

from spina.bots.levels import OF_GAME
from spina.race import Race
from spina.table.bots.bot_pool import Advice, BotError, Inquiry, Thinkers
from spina.table.http.rate_limits import Allowance
from spina.table.live.room import Room
from spina.table.refusals import Refusal

MILLISECONDS = 500.0
"""Time to find the best choices, and again to compare them."""
HINTS_PER_SECOND = 0.5
HINTS_AT_ONCE = 6.0
MOST_KEPT = 256
"""Hints that are remembered, so that asking twice is thinking once."""


class Adviser:
    """Gives hints to people at tables that allow them."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._limits = Allowance(HINTS_PER_SECOND, HINTS_AT_ONCE)
        self._kept: OrderedDict[tuple[str, int, int], Advice] = OrderedDict()

    async def hint(self, room: Room, visitor: str, seat: int) -> tuple[int, Advice]:
        """What the strongest search thinks of the choice that a seat owes, and at which version. Raises Refusal."""
        race, version = room.hinted(visitor, seat), room.table.version
        if not self._limits.take(visitor):
            raise Refusal("too-fast", "too many hints at once: wait a moment")
        key = (room.table.id, version, seat)
        if (known := self._kept.get(key)) is not None:
            return version, known
        try:
            advice = await self._thinkers.advise(_inquiry(race, seat, room.lot(seat)), room.asker)
        except BotError as error:
            raise Refusal("failed", str(error)) from None
        self._kept[key] = advice
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return version, advice


def _inquiry(race: Race, seat: int, seed: int) -> Inquiry:
    iterations = OF_GAME[race.game.name]["expert"].explaining
    return Inquiry.of(race, seat, seed, iterations=iterations, milliseconds=MILLISECONDS)
