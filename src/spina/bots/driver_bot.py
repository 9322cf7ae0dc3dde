"""The bot that plays like one of a game's drivers."""

from __future__ import annotations

from functools import cached_property

import msgspec
import numpy as np

from spina.bots.advice import Advice
from spina.bots.bot import Bot
from spina.bots.search_bot import Search
from spina.games.game import Action, Game
from spina.kernel.interface import PLAN
from spina.race import Race


class DriverBot(Bot):
    """A driver, as a bot. A search whose rollouts use the same driver explains its choices."""

    def __init__(self, game: Game, driver: str, seed: int | None = None, name: str | None = None) -> None:
        super().__init__(game, seed)
        self.name = name or driver
        self._driver = driver
        self._seed = int(self._dice[0])

    def choose(self, race: Race, seat: int) -> Action:
        self._check(race, seat)
        data = race.determinized_state(seat, 0)
        plan = np.zeros(PLAN, np.int64)
        steps = self.game.drivers[self._driver](data, race.edition.data, seat, self._dice, plan)
        return self._action(race, seat, plan[:steps].tolist())

    def advise(self, race: Race, seat: int, most: int = 5) -> Advice:
        """A search's opinion of the driver's choice, and of others."""
        dice = self._dice.copy()
        chosen = self.choose(race, seat)
        self._dice = dice  # to explain is not to choose: the next choice is the same
        return self._search.advise(race, seat, most, chosen=chosen)

    @cached_property
    def _search(self) -> Search:
        strongest = self.game.strongest_level
        config = msgspec.structs.replace(strongest.config, driver=self._driver)
        return Search(self.game, iterations=strongest.explain_iterations, config=config, seed=self._seed)
