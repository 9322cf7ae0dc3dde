"""A bot for every game: it imagines how the race may go on, many times, and does what turned out best."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spina.bots.bot import Bot
from spina.bots.montecarlo_kernel import imagine
from spina.errors import OptionError
from spina.games.game import Action, Game
from spina.kernel import compile as _compile
from spina.kernel.random import nth_seeds
from spina.kernel.record import Bytes
from spina.kernel.runs import MOST_SEATS
from spina.kernel.table import PLAN
from spina.race import Race

CONFIDENCE = 2.0
"""Standard errors by which another action must beat the driver's own before it is taken instead."""
SHARE = 8
"""Imagined races for each action at least; where a menu is too long for that, some actions are drawn by lot."""


class MonteCarlo(Bot):
    """Monte Carlo on races dealt anew for the seat that thinks.

    Every action on the menu, or as many as there is time for, is tried on the same imagined races, in which all that
    the seat cannot see, the future included, is random, and a driver of the game plays on for everybody. The worse
    half is dropped again and again. What the driver itself would do is kept, and left only for something that is
    clearly better: the luck of the imagined races would otherwise decide.
    """

    name = "montecarlo"

    def __init__(
        self, game: Game, *, iterations: int = 1000, driver: str = "competent", seed: int | None = None
    ) -> None:
        super().__init__(game, seed)
        if iterations < 1:
            raise OptionError(f"iterations must be at least 1, not {iterations}")
        if driver not in game.drivers:
            raise OptionError(f'{game.title} has no driver "{driver}": it has {", ".join(game.drivers)}')
        self.iterations = iterations
        self._drivers = (game.drivers[driver],) * MOST_SEATS
        self._seed, self._thought = int(self._dice[0]), 0
        _compile.ready(Path(__file__).parent)

    def choose(self, race: Race, seat: int) -> Action:
        self._check(race, seat)
        state = race.dealt_anew(seat, 0)
        menu = np.zeros(self.game.longest_menu, np.int64)
        count = self.game.rules.legal(state, race.edition.data, seat, menu)
        usual = self._usual(race, state, seat)
        candidates = self._candidates(menu[:count], usual)
        action = self._compare(race, state, seat, candidates, usual) if len(candidates) > 1 else usual
        return self.game.action(race.edition, action)

    def _candidates(self, menu: NDArray[np.int64], usual: int) -> NDArray[np.int64]:
        """What is worth comparing: the driver's own action, which need not be on the menu, and some or all others."""
        others = menu[menu != usual]
        most = max(1, self.iterations // SHARE - 1)
        if len(others) > most:
            lots = nth_seeds(self._seed ^ self._thought, np.arange(len(others), dtype=np.uint64))
            others = others[np.sort(np.argsort(lots)[:most])]
        return np.concatenate([np.array([usual], np.int64), others])

    def _usual(self, race: Race, state: Bytes, seat: int) -> int:
        """What the driver would do."""
        plan = np.zeros(PLAN, np.int64)
        self._drivers[0](state, race.edition.data, seat, self._dice, plan)
        return int(plan[0])

    def _compare(self, race: Race, state: Bytes, seat: int, actions: NDArray[np.int64], usual: int) -> int:
        """Halve the field until two are left: the driver's own action and its best rival."""
        rounds = max(1, math.ceil(math.log2(len(actions))))
        alive = actions.copy()
        tried = np.zeros((len(alive), 0))
        for left in range(rounds, 0, -1):
            deals = max(1, self.iterations // (rounds * len(alive)))
            tried = np.concatenate([tried, self._imagine(race, state, seat, alive, deals)], axis=1)
            keep = max(2, math.ceil(len(alive) / 2)) if left > 1 else len(alive)
            order = np.argsort(-tried.mean(axis=1) - 9.0 * (alive == usual), kind="stable")[:keep]
            alive, tried = alive[order], tried[order]
        gains = tried[1:] - tried[:1]  # the driver's own action stands first
        best = int(gains.mean(axis=1).argmax())
        error = gains[best].std() / math.sqrt(gains.shape[1])
        return int(alive[1 + best]) if gains[best].mean() > CONFIDENCE * error else usual

    def _imagine(
        self, race: Race, state: Bytes, seat: int, actions: NDArray[np.int64], deals: int
    ) -> NDArray[np.float64]:
        rules, rewards = self.game.rules, np.zeros((len(actions), deals))
        seeds = nth_seeds(self._seed, np.arange(self._thought, self._thought + deals, dtype=np.uint64))
        self._thought += deals
        imagine(
            rules.acting, rules.apply, rules.over, rules.ranking, rules.deal_anew, self._drivers,
            state, race.edition.data, race.seats, seat, actions, seeds, rewards,
        )  # fmt: skip
        return rewards
