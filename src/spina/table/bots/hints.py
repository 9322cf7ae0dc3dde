"""Hints: what a strong bot would choose for a seat, shown to its player only. Nothing is stored."""

from __future__ import annotations

from collections import OrderedDict

from spina.race import Race
from spina.table.bots.bot_pool import BotError, BotPool
from spina.table.bots.worker_messages import AdviceData, AdviceQuestion, Option, Question
from spina.table.http.rate_limits import Allowance
from spina.table.live.room import Room
from spina.table.refusals import Refusal, say

MILLISECONDS = 500.0
"""Time limit of the search for the best choices, and again of their comparison."""
HINTS_PER_SECOND = 0.5
HINTS_AT_ONCE = 6.0
MOST_KEPT = 256
"""Maximum number of cached hints."""


class Hints:
    """Gives hints to people at tables that allow them."""

    def __init__(self, pool: BotPool) -> None:
        self._pool = pool
        self._limits = Allowance(HINTS_PER_SECOND, HINTS_AT_ONCE)
        self._kept: OrderedDict[tuple[str, int, int], AdviceData] = OrderedDict()

    async def hint(self, room: Room, visitor: str, seat: int) -> tuple[int, AdviceData]:
        """The table's version, and the strongest search's advice for a seat that must choose. Raises Refusal.

        Until the search is compiled, the advice is what a driver would choose.
        """
        race, version = room.hinted(visitor, seat), room.table.version
        if not self._limits.take(visitor):
            raise Refusal("too-fast", say("table.too-many-hints"))
        key = (room.table.id, version, seat)
        if (known := self._kept.get(key)) is not None:
            return version, known
        seed = room.bot_seed(seat)
        try:
            if not self._pool.can_search(race.game.name):
                question = Question.of(race, seat, race.game.default_driver, seed)
                return version, _simple(seat, await self._pool.choose(question, room.asker))
            advice = await self._pool.advise(_question(race, seat, seed), room.asker)
        except BotError as error:
            raise Refusal("failed", say("table.no-hint").reworded(str(error))) from None
        self._kept[key] = advice
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return version, advice


def _simple(seat: int, action: str) -> AdviceData:
    """A driver's choice as advice: without chances, since nothing was simulated."""
    return AdviceData(seat, [Option(action, [], 0)], [], [], None)


def _question(race: Race, seat: int, seed: int) -> AdviceQuestion:
    iterations = race.game.strongest_level.explain_iterations
    return AdviceQuestion.of(race, seat, seed, iterations=iterations, milliseconds=MILLISECONDS)
