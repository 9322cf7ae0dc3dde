"""Fallbacks: find a legal choice for a bot's seat even if bots fail.

The seat's own bot is asked first, then simpler ones; a bot fails when it raises an error, takes too long, crashes its
worker process, or answers with an illegal action. If all of them fail, a legal choice is made at random in
the server's own process, which needs no worker, no driver and no network.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Awaitable, Callable

from spina.race import Race
from spina.table.bots.bot_pool import NoWorkers
from spina.table.bots.worker_messages import Question
from spina.table.live import protocol

log = logging.getLogger("spina.table")

MOST_STEPS = 200
"""Maximum steps of a random choice; a longer one is played step by step."""


class Fallbacks:
    """Finds choices for one table's seats, and logs each cause of a bot's failure once."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._logged: set[tuple[str, str]] = set()

    async def choose(
        self, ask: Callable[[Question], Awaitable[str]], race: Race, seat: int, bot: str, seed: int
    ) -> str:
        """A legal choice in notation: the bot's, else a simpler bot's, else a random one."""
        for name in dict.fromkeys((bot, race.game.default_driver, "random")):
            try:
                action = await ask(Question.of(race, seat, name, seed))
                problem = why_not(race, seat, action)
            except NoWorkers as error:  # simpler bots need a worker too
                self.note(name, error)
                break
            except Exception as error:  # the race goes on with a simpler bot
                self.note(name, error)
                continue
            if problem is None:
                return action
            self.note(name, f"{action[:80]!r} is not allowed: {problem}")
        return random_choice(race, seat, seed)

    def note(self, bot: str, cause: object) -> None:
        """Log why a bot failed, once for each cause."""
        said = _in_words(cause)
        if (bot, said) not in self._logged:
            self._logged.add((bot, said))
            log.warning("table %s: the bot %s failed, and another choice is made for it: %s", self._table, bot, said)


def why_not(race: Race, seat: int, action: str) -> str | None:
    """None if the action is legal for the seat, else the reason."""
    if len(action) > protocol.MOST_ACTION_TEXT:
        return f"an action is at most {protocol.MOST_ACTION_TEXT} letters long"
    return race.check(seat, action)


def random_choice(race: Race, seat: int, seed: int) -> str:
    """A random legal choice. If the seat has begun a choice, or it takes too many steps: a random next step."""
    chance = random.Random(seed)
    first = chance.choice(race.legal(seat))
    if not race.choosing(seat):
        trial, step = race.copy(), first
        for _ in range(MOST_STEPS):
            trial.play(seat, step)
            if len(trial.log) > len(race.log):
                whole = str(trial.log[-1][1])
                return whole if why_not(race, seat, whole) is None else str(first)
            step = chance.choice(trial.legal(seat))
    return str(first)


def _in_words(cause: object) -> str:
    if isinstance(cause, Exception):
        text = str(cause)
        return text if type(cause).__module__.startswith("spina.") else f"{type(cause).__name__}: {text}"
    return str(cause)
