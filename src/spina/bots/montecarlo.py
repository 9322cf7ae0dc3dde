"""A bot for every game: it imagines how the race may go on, many times, and does what turned out best."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from spina.bots.bot import Bot
from spina.bots.montecarlo_kernel import MOST_SEATS, evaluate
from spina.errors import OptionError
from spina.games.game import Action, Game
from spina.kernel import compile as _compile
from spina.race import Race


class MonteCarlo(Bot):
    """Flat Monte Carlo on races dealt anew for the seat that thinks.

    Every action that is possible now is tried on races in which all that the seat cannot see, the future included,
    is random; a driver of the game plays them to the end for everybody.
    """

    name = "montecarlo"

    def __init__(
        self, game: Game, *, iterations: int = 400, driver: str = "competent", seed: int | None = None
    ) -> None:
        super().__init__(game, seed)
        if iterations < 1:
            raise OptionError(f"iterations must be at least 1, not {iterations}")
        if driver not in game.drivers:
            raise OptionError(f'{game.title} has no driver "{driver}": it has {", ".join(game.drivers)}')
        self.iterations = iterations
        self._drivers = (game.drivers[driver],) * MOST_SEATS
        _compile.ready(Path(__file__).parent)

    def choose(self, race: Race, seat: int) -> Action:
        self._check(race, seat)
        rules, components = self.game.rules, race.edition.data
        state = race.dealt_anew(seat, 0)
        actions = np.zeros(self.game.longest_menu, np.int64)
        count = rules.legal(state, components, seat, actions)
        if count > 1:
            visits, rewards = np.zeros(count, np.int64), np.zeros(count)
            evaluate(
                rules.acting, rules.apply, rules.over, rules.ranking, rules.deal_anew, self._drivers,
                state, components, race.seats, seat, actions, count, self.iterations, self._dice, visits, rewards,
            )  # fmt: skip
            actions[0] = actions[int(np.argmax(visits))]
        return self.game.action(race.edition, int(actions[0]))
