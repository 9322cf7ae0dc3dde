"""Monte Carlo tree search, as a bot for every game."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.bots import candidate_search, network_weights, successive_elimination
from spina.bots.advice import Advice, Candidate
from spina.bots.bot import Bot
from spina.bots.reasons import Reason, reason
from spina.bots.search_kernel import (
    GAME_SIGNATURES,
    REMEMBERED,
    DriverMemory,
    SearchSettings,
    Simulations,
    Statistics,
    decide,
    evaluate_race,
    new_memory,
    new_statistics,
    roll_out_chances,
    think,
)
from spina.bots.search_tree import new_tree
from spina.errors import OptionError
from spina.games.editions import shown
from spina.games.game import Action, Game
from spina.games.levels import TO_THE_END, SearchConfig
from spina.games.notation import typed
from spina.games.policy import LearnedPolicy
from spina.kernel import compiler as _compile
from spina.kernel.function_pointers import addresses
from spina.kernel.interface import PLAN
from spina.race import Race

FOLDER = Path(__file__).parent
"""Where the entries of the search are, for `spina.kernel.compiler`."""
SLICE = 16
"""Simulations between two looks at the clock."""
MOST_ITERATIONS = 1_000_000
MOST_NODES = 1 << 17
BATCH = 12
"""Simulations of a choice in one batch of successive elimination."""
ROLLOUTS = 64
"""Rollouts that estimate the chances in a race of a game without a value network."""
FORMER_FIELDS = {
    "exploring": "exploration",
    "trust": "driver_bonus",
    "again": "elimination_simulations",
    "promising": "elimination_margin",
}


def Manner(**settings: Any) -> SearchConfig:  # noqa: N802 - it was a class
    """A `SearchConfig`, by its former name and with the former names of its fields."""
    return SearchConfig(**{FORMER_FIELDS.get(name, name): value for name, value in settings.items()})


class Search(Bot):
    """Monte Carlo tree search on determinizations of the race for the seat that chooses."""

    name = "search"

    def __init__(
        self,
        game: Game,
        *,
        iterations: int | None = None,
        milliseconds: float | None = None,
        config: SearchConfig | None = None,
        seed: int | None = None,
        name: str = "search",
        manner: SearchConfig | None = None,
        network: Traversable | None = None,
    ) -> None:
        """`iterations` limits the simulations for one choice, `milliseconds` the time; by default 1000 simulations.

        `network` is the file with the weights of the value network, by default the game's. `manner` is the former name
        of `config`.
        """
        super().__init__(game, seed)
        if iterations is None and milliseconds is None:
            iterations = 1000
        if iterations is not None and not (_is_whole(iterations) and 1 <= iterations <= MOST_ITERATIONS):
            raise OptionError(f"iterations must be from 1 to {MOST_ITERATIONS:,}, not {shown(iterations)}")
        if milliseconds is not None and not (_is_number(milliseconds) and 0 < milliseconds <= 3_600_000):
            raise OptionError(f"milliseconds must be more than 0 and at most an hour, not {shown(milliseconds)}")
        self.name = name
        self.iterations, self.milliseconds = iterations, milliseconds
        self.config = config or manner or SearchConfig()
        driver = self.config.driver or game.default_driver
        if driver not in game.drivers:
            raise OptionError(f'{game.title} has no driver "{driver}": it has {", ".join(game.drivers)}')
        self._network = network_weights.load_file(game, network) if network else network_weights.load(game)
        self._record = self._network.record(len(game.features)) if self._network else network_weights.NO_NETWORK
        self._functions = _functions(game, driver)
        self._seed, self._searches = int(self._dice[0]), 0
        self._memory = self._new_memory()

    def _new_memory(self) -> DriverMemory:
        """A memory of the driver's choices, if asking it takes much longer."""
        return new_memory(REMEMBERED if self.game.costly_drivers else 0)

    def choose(self, race: Race, seat: int) -> Action:
        self._check(race, seat)
        menu = race.legal(seat)
        if len(menu) == 1 and self.game.lists_all:
            return menu[0]
        return self._action(race, seat, self._decide(race, seat)[0])

    def advise(self, race: Race, seat: int, most: int = 5, *, chosen: Action | None = None) -> Advice:
        """The search's opinion of the seat's choices: first of its own, or of the one that was `chosen`."""
        self._check(race, seat)
        if not (_is_whole(most) and most >= 1):
            raise OptionError(f"most must be a whole number from 1, not {shown(most)}")
        best, statistics = self._decide(race, seat)
        order = _order(statistics, seat, best).tolist()
        candidates = [self._candidate(race, seat, statistics, i) for i in order[: None if chosen else most]]
        if chosen is not None:
            same = [candidate for candidate in candidates if candidate.action == chosen]
            others = [candidate for candidate in candidates if candidate.action != chosen]
            candidates = [*(same or [self.weigh(race, seat, chosen)]), *others][:most]
        return Advice(seat, tuple(candidates), candidates[0].chances, self._reason(race, candidates))

    def weigh(self, race: Race, seat: int, action: Action | str) -> Candidate:
        """The search's opinion of one legal choice."""
        self._check(race, seat)
        meant = typed(self.game, race.edition, action)
        given = self.game.encode(race.determinized_state(seat, 0), race.edition, seat, meant)
        self._memory = self._new_memory()
        _, statistics = self._think(race, seat, self._new_seed(), until=self._until(), given=given)
        return self._candidate(race, seat, statistics, int(statistics.visits.argmax()))

    def _candidate(self, race: Race, seat: int, statistics: Statistics, i: int) -> Candidate:
        visits, features = int(statistics.visits[i]), len(self.game.features)
        return Candidate(
            self._action(race, seat, statistics.steps[i, : statistics.length[i]].tolist()),
            visits,
            tuple((statistics.chances[i, : race.seats] / visits).tolist()),
            tuple((statistics.features[i, :features] / visits).tolist()),
        )

    def _reason(self, race: Race, candidates: Sequence[Candidate]) -> Reason | None:
        """The best choice against the average of the others, weighted by their visits."""
        if len(candidates) < 2:
            return None
        tried = [candidate.tried for candidate in candidates[1:]]
        others = np.average([candidate.features for candidate in candidates[1:]], axis=0, weights=tried)
        return reason(self.game.features_in(race.edition), self._network, candidates[0].features, others.tolist())

    def _new_seed(self) -> np.uint64:
        self._searches += 1
        return np.uint64((self._seed + self._searches * 0x9E3779B97F4A7C15) % 2**64)

    def _decide(self, race: Race, seat: int) -> tuple[list[int], Statistics]:
        """The steps to take, and the statistics of all choices."""
        twice, end = self.config.elimination_simulations, self._until()
        self._memory = self._new_memory()
        if self.config.candidates and self.game.policy is not None:
            found = self._among_candidates(race, seat, self.game.policy, end)
            if found is not None:
                return found
        chosen, statistics = self._think(race, seat, self._new_seed(), until=self._until(0.5) if twice else end)
        if twice:
            chosen = self._eliminate(race, seat, chosen, statistics, end)
        return chosen, statistics

    def _among_candidates(
        self, race: Race, seat: int, policy: LearnedPolicy, end: float
    ) -> tuple[list[int], Statistics] | None:
        """The best of the policy's candidates; None where it lists none and the tree must do."""
        most = MOST_ITERATIONS if self.iterations is None else self.iterations
        wide = min(self.config.candidates, max(1, most // candidate_search.BATCH))
        candidates, order = candidate_search.listed(self.game, policy, race, seat, wide)
        if not order:
            return None
        tools = candidate_search.Tools(self._functions, self._settings(), self._record, self._memory)
        k, statistics = candidate_search.compare(
            tools, race, seat, candidates, order, self.config, most, self._new_seed(),
            lambda: time.perf_counter() >= end,
        )  # fmt: skip
        return candidates.plans[k, : candidates.lengths[k]].tolist(), statistics

    def _until(self, share: float = 1.0) -> float:
        """When this share of the search's time has passed."""
        return math.inf if self.milliseconds is None else time.perf_counter() + share * self.milliseconds / 1000

    def _eliminate(self, race: Race, seat: int, chosen: list[int], statistics: Statistics, end: float) -> list[int]:
        """Compare the driver's choice and those near the best again, with replies and with the same random numbers."""
        order = _order(statistics, seat, chosen)[: self.config.shortlist]
        values = _values(statistics, seat)
        usual = 0  # the driver's choice was simulated first
        least = values[order].max() - self.config.elimination_margin
        close = [i for i in order.tolist() if i != usual and values[i] >= least]
        if not close:
            return chosen
        choices: list[list[int]] = [statistics.steps[i, : statistics.length[i]].tolist() for i in (usual, *close)]
        seed = int(self._new_seed())

        def simulate(choice: int, batch: int) -> float:
            luck = np.uint64((seed + batch) % 2**64)
            _, found = self._think(race, seat, luck, iterations=BATCH, replies=True, given=choices[choice])
            return float(found.chances[0, seat] / found.visits[0])

        batches = (MOST_ITERATIONS if self.iterations is None else self.config.elimination_simulations) // BATCH
        bonus = self.config.driver_bonus
        return choices[
            successive_elimination.best(simulate, len(choices), batches, bonus, lambda: time.perf_counter() >= end)
        ]

    def _think(
        self,
        race: Race,
        seat: int,
        seed: np.uint64,
        *,
        iterations: int | None = None,
        until: float = math.inf,
        replies: bool = False,
        given: Sequence[int] = (),
    ) -> tuple[list[int], Statistics]:
        """Run simulations; returns the steps of the best choice and the statistics."""
        data, edition = race.determinized_state(seat, 0), race.edition.data
        most = iterations or self.iterations or MOST_ITERATIONS
        tree, statistics = new_tree(min(MOST_NODES, max(64, most * race.seats))), new_statistics(most)
        settings = self._settings()
        steps = np.array(given, np.int64)
        done, size = 0, most if until == math.inf else SLICE
        while done < most:
            count = min(size, most - done)
            batch = Simulations(race.seats, int(seat), done, count, seed, replies, steps)
            think(self._functions, data, edition, settings, self._record, tree, self._memory, statistics, batch)
            done += count
            if time.perf_counter() >= until:
                break
        if given:
            return list(given), statistics
        steps = np.zeros(PLAN, np.int64)
        taken = decide(self._functions, data, edition, tree, seat, seed, steps)
        return steps[:taken].tolist(), statistics

    def _settings(self) -> SearchSettings:
        return search_settings(self.game, self.config, self._network is not None)


def search_settings(game: Game, config: SearchConfig, has_network: bool) -> SearchSettings:
    """The settings of a search as the kernels read them."""
    return SearchSettings(
        exploration=float(config.exploration),
        width=float(config.width),
        later_width=float(config.later_width),
        rival_width=float(config.rival_width),
        driver_bonus=float(config.driver_bonus),
        steps=min(PLAN, config.steps),
        horizon=config.horizon if has_network else TO_THE_END,
        longest_menu=game.longest_menu,
    )


@cache
def _functions(game: Game, driver: str) -> Any:
    """The addresses of what a search calls of a game. Waits until game and search are compiled."""
    _compile.ready(*game.folders, FOLDER)
    return addresses((*game.rules, game.measure_features, game.drivers[driver]), GAME_SIGNATURES)


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return _is_whole(value) or isinstance(value, float | np.floating)


def chances(race: Race) -> tuple[float, ...]:
    """Every seat's chance to win, from what a spectator can see. Raises OptionError.

    The game's value network estimates them; without one, rollouts to the end of the race do.
    """
    if not isinstance(race, Race):
        raise OptionError(f"chances are those of a race, not of {shown(race)}")
    if race.over:
        best = race.ranking[0]
        return tuple(1 / len(best) if seat in best else 0.0 for seat in range(race.seats))
    game, out = race.game, np.zeros(race.seats)
    network, functions = network_weights.load(game), _functions(game, game.default_driver)
    if network is None:
        data = race.determinized_state(None, 0)
        roll_out_chances(functions, data, race.edition.data, race.seats, ROLLOUTS, np.uint64(0), out)
    else:
        data = race.determinized_state(0, 0)  # features are made of what everybody can see
        evaluate_race(functions, data, race.edition.data, race.seats, network.record(len(game.features)), out)
    return tuple(out.tolist())


def _values(statistics: Statistics, seat: int) -> NDArray[np.float64]:
    """The seat's chance to win after each choice, shrunk towards the mean of all for choices with few visits."""
    used = int(statistics.used[0])
    visits, won = statistics.visits[:used], statistics.chances[:used, seat]
    weight = max(4.0, visits.sum() / 20)
    values: NDArray[np.float64] = (won + weight * won.sum() / visits.sum()) / (visits + weight)
    return values


def _order(statistics: Statistics, seat: int, chosen: list[int]) -> NDArray[np.int64]:
    """The choices that were tried, best first: the chosen one, then by the chance to win that they give the seat."""
    used = int(statistics.used[0])
    is_chosen = [statistics.steps[i, : statistics.length[i]].tolist() == chosen for i in range(used)]
    return np.argsort(-(_values(statistics, seat) + np.array(is_chosen)), kind="stable")
