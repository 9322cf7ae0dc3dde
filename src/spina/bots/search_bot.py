"""The tree search, as a bot for every game."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from spina.bots import network_weights, successive_elimination
from spina.bots.advice import Advice, Candidate
from spina.bots.bot import Bot
from spina.bots.reasons import Reason, reason
from spina.bots.search_kernel import Account, decide, judge_race, new_account, think
from spina.bots.search_tree import new_tree
from spina.errors import OptionError
from spina.games.editions import shown
from spina.games.game import Action, Game
from spina.games.notation import typed
from spina.kernel import compiler as _compile
from spina.kernel.interface import PLAN
from spina.race import Race

SLICE = 16
"""Imagined races between two looks at the clock."""
MOST_ITERATIONS = 1_000_000
MOST_MOMENTS = 1 << 17
BATCH = 12
"""Imagined races of a choice that is compared once more, before it is seen whether it still has a chance."""


class Manner(msgspec.Struct, frozen=True, kw_only=True):
    """How a search goes about it."""

    horizon: int = 1000
    """Turns of its own that a seat imagines before the network judges; more than a race has: to the end."""
    exploring: float = 0.3
    width: float = 2.0
    """How many actions are compared at the choice at hand: this times the root of the races imagined."""
    later_width: float = 0.5
    """The same for the seat's own choices after it; 0 leaves them to the driver."""
    rival_width: float = 0.5
    """And for those of the others."""
    steps: int = PLAN
    """Steps of the choice at hand that are compared; the driver adds the others."""
    trust: float = 0.0
    """How much more another choice must promise than the driver's own."""
    again: int = 0
    """Imagined races in which the promising choices are compared once more, with the others' replies. A search that is
    told only its time does so for half of it."""
    shortlist: int = 3
    """Most choices, besides the driver's, that are compared once more."""
    promising: float = 0.01
    """How close to the best a choice must come for that."""
    driver: str = "competent"


class Search(Bot):
    """Tree search on races dealt anew for the seat that thinks."""

    name = "search"

    def __init__(
        self,
        game: Game,
        *,
        iterations: int | None = None,
        milliseconds: float | None = None,
        manner: Manner | None = None,
        seed: int | None = None,
        name: str = "search",
    ) -> None:
        super().__init__(game, seed)
        if iterations is None and milliseconds is None:
            iterations = 1000
        if iterations is not None and not (_is_whole(iterations) and 1 <= iterations <= MOST_ITERATIONS):
            raise OptionError(f"iterations must be from 1 to {MOST_ITERATIONS:,}, not {shown(iterations)}")
        if milliseconds is not None and not (_is_number(milliseconds) and 0 < milliseconds <= 3_600_000):
            raise OptionError(f"milliseconds must be more than 0 and at most an hour, not {shown(milliseconds)}")
        self.name = name
        self.iterations, self.milliseconds = iterations, milliseconds
        self.manner = manner or Manner()
        if self.manner.driver not in game.drivers:
            raise OptionError(f'{game.title} has no driver "{self.manner.driver}": it has {", ".join(game.drivers)}')
        self._driver = game.drivers[self.manner.driver]
        self._network = network_weights.load(game)
        self._seed, self._thought = int(self._dice[0]), 0
        _compile.ready(Path(__file__).parent)

    def choose(self, race: Race, seat: int) -> Action:
        self._check(race, seat)
        menu = race.legal(seat)
        if len(menu) == 1 and self.game.lists_all:
            return menu[0]
        return self._action(race, seat, self._decide(race, seat)[0])

    def advise(self, race: Race, seat: int, most: int = 5, *, chosen: Action | None = None) -> Advice:
        """What the search thinks of the seat's choices now: first of its own, or of the one that was `chosen`."""
        self._check(race, seat)
        if not (_is_whole(most) and most >= 1):
            raise OptionError(f"most must be a whole number from 1, not {shown(most)}")
        best, account = self._decide(race, seat)
        order = _order(account, seat, best).tolist()
        candidates = [self._candidate(race, seat, account, i) for i in order[: None if chosen else most]]
        if chosen is not None:
            same = [candidate for candidate in candidates if candidate.action == chosen]
            others = [candidate for candidate in candidates if candidate.action != chosen]
            candidates = [*(same or [self.weigh(race, seat, chosen)]), *others][:most]
        return Advice(seat, tuple(candidates), candidates[0].chances, self._reason(race, candidates))

    def weigh(self, race: Race, seat: int, action: Action | str) -> Candidate:
        """What the search thinks of one choice, whatever it is."""
        self._check(race, seat)
        meant = typed(self.game, race.edition, action)
        given = self.game.encode(race.dealt_anew(seat, 0), race.edition, seat, meant)
        _, account = self._think(race, seat, self._new_seed(), until=self._until(), given=given)
        return self._candidate(race, seat, account, int(account.visits.argmax()))

    def _candidate(self, race: Race, seat: int, account: Account, i: int) -> Candidate:
        visits, figures = int(account.visits[i]), len(self.game.features)
        return Candidate(
            self._action(race, seat, account.steps[i, : account.length[i]].tolist()),
            visits,
            tuple((account.chances[i, : race.seats] / visits).tolist()),
            tuple((account.figures[i, :figures] / visits).tolist()),
        )

    def _reason(self, race: Race, candidates: Sequence[Candidate]) -> Reason | None:
        """The best choice against the average of the others, each as often as it was tried."""
        if len(candidates) < 2:
            return None
        tried = [candidate.tried for candidate in candidates[1:]]
        others = np.average([candidate.figures for candidate in candidates[1:]], axis=0, weights=tried)
        return reason(self.game.features_in(race.edition), self._network, candidates[0].figures, others.tolist())

    def _new_seed(self) -> np.uint64:
        self._thought += 1
        return np.uint64((self._seed + self._thought * 0x9E3779B97F4A7C15) % 2**64)

    def _decide(self, race: Race, seat: int) -> tuple[list[int], Account]:
        """The steps to take, and what was found of all choices."""
        again, end = self.manner.again, self._until()
        chosen, account = self._think(race, seat, self._new_seed(), until=self._until(0.5) if again else end)
        if again:
            chosen = self._decide_again(race, seat, chosen, account, end)
        return chosen, account

    def _until(self, share: float = 1.0) -> float:
        """When a share of the time that it is given has passed."""
        return math.inf if self.milliseconds is None else time.perf_counter() + share * self.milliseconds / 1000

    def _decide_again(self, race: Race, seat: int, chosen: list[int], account: Account, end: float) -> list[int]:
        """Compare the driver's choice and those that promise as much once more, further ahead and with equal luck."""
        order = _order(account, seat, chosen)[: self.manner.shortlist]
        worth = _worths(account, seat)
        usual = 0  # the driver's choice is what was imagined first
        close = [i for i in order.tolist() if i != usual and worth[i] >= worth[order].max() - self.manner.promising]
        if not close:
            return chosen
        choices: list[list[int]] = [account.steps[i, : account.length[i]].tolist() for i in (usual, *close)]
        seed = int(self._new_seed())

        def imagine(choice: int, batch: int) -> float:
            luck = np.uint64((seed + batch) % 2**64)
            _, found = self._think(race, seat, luck, iterations=BATCH, replies=True, given=choices[choice])
            return float(found.chances[0, seat] / found.visits[0])

        batches = (MOST_ITERATIONS if self.iterations is None else self.manner.again) // BATCH
        return choices[
            successive_elimination.best(
                imagine, len(choices), batches, self.manner.trust, lambda: time.perf_counter() >= end
            )
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
    ) -> tuple[list[int], Account]:
        rules, data = self.game.rules, race.dealt_anew(seat, 0)
        most = iterations or self.iterations or MOST_ITERATIONS
        tree, account = new_tree(min(MOST_MOMENTS, max(64, most * race.seats))), new_account()
        menu = np.zeros(self.game.longest_menu, np.int64)
        manner, network = self.manner, self._network
        widths = manner.width, manner.later_width, manner.rival_width
        settings = np.array([manner.exploring, *widths, manner.trust, min(PLAN, manner.steps), replies])
        done, size = 0, most if until == math.inf else SLICE
        while done < most:
            count = min(size, most - done)
            think(
                rules.acting, rules.legal, rules.check, rules.apply, rules.over, rules.ranking, rules.turn,
                rules.turns_had, rules.deal_anew, self.game.measure_features, self._driver, tree, account,
                data, race.edition.data, race.seats, seat, done, count, manner.horizon, seed,
                len(self.game.features), network.hidden, network.weights, settings, menu, np.array(given, np.int64),
            )  # fmt: skip
            done += count
            if time.perf_counter() >= until:
                break
        steps = np.zeros(PLAN, np.int64)
        taken = decide(rules.apply, rules.deal_anew, self._driver, tree, data, race.edition.data, seat, seed, steps)
        return steps[:taken].tolist(), account


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return _is_whole(value) or isinstance(value, float | np.floating)


def chances(race: Race) -> tuple[float, ...]:
    """Every seat's chance to win, as anybody who watches may judge it. Raises OptionError."""
    if not isinstance(race, Race):
        raise OptionError(f"chances are those of a race, not of {shown(race)}")
    if race.over:
        best = race.ranking[0]
        return tuple(1 / len(best) if seat in best else 0.0 for seat in range(race.seats))
    network, out = network_weights.load(race.game), np.zeros(race.seats)
    _compile.ready(Path(__file__).parent)
    data = race.dealt_anew(0, 0)  # how the seats stand is no secret
    judge_race(
        race.game.measure_features, data, race.edition.data, race.seats, len(race.game.features),
        network.hidden, network.weights, out,
    )  # fmt: skip
    return tuple(out.tolist())


def _worths(account: Account, seat: int) -> NDArray[np.float64]:
    """The chance to win that each choice gives the seat.

    Those that were seldom tried are taken to be about as good as all together.
    """
    used = int(account.used[0])
    visits, won = account.visits[:used], account.chances[:used, seat]
    weight = max(4.0, visits.sum() / 20)
    worths: NDArray[np.float64] = (won + weight * won.sum() / visits.sum()) / (visits + weight)
    return worths


def _order(account: Account, seat: int, chosen: list[int]) -> NDArray[np.int64]:
    """The choices that were tried, best first: that which was chosen, then by the chance they give the seat."""
    used = int(account.used[0])
    is_chosen = [account.steps[i, : account.length[i]].tolist() == chosen for i in range(used)]
    return np.argsort(-(_worths(account, seat) + np.array(is_chosen)), kind="stable")
