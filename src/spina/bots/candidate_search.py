"""The search among a policy's best candidates: which of a few whole choices wins most often, by simulations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from spina.bots import successive_elimination
from spina.bots.candidate_kernel import Candidates, compare_candidates, score_candidates
from spina.bots.search_kernel import DriverMemory, SearchSettings, Simulations, Statistics, new_statistics
from spina.bots.search_tree import new_tree
from spina.bots.value_network import NetworkRecord
from spina.games.game import Game
from spina.games.levels import SearchConfig
from spina.games.policy import LearnedPolicy
from spina.kernel import compiler
from spina.kernel.function_pointers import addresses
from spina.kernel.interface import LIST_CANDIDATES, PLAN
from spina.kernel.policy_network import MOST_CANDIDATES
from spina.race import Race

FOLDER = Path(__file__).parent
"""Where the entries of the search are."""
BATCH = 16
"""Simulations of each candidate between two comparisons."""
SCORE_UNIT = 0.01
"""The chance to win that one unit of a policy's score stands for, as training has it."""
FARTHEST_PRIOR = 0.2
"""Most by which the policy's opinion of a candidate may differ from that of its best one."""


class Tools(NamedTuple):
    """What a search calls and reads, for `compare`."""

    functions: Any
    settings: SearchSettings
    network: NetworkRecord
    memory: DriverMemory


def listed(game: Game, policy: LearnedPolicy, race: Race, seat: int, most: int) -> tuple[Candidates, list[int]]:
    """The candidates of a seat's choice, and the numbers of those that the policy thinks best, the best one first.

    Waits until game and search are compiled.
    """
    compiler.ready(FOLDER)
    candidates = Candidates(
        np.zeros((MOST_CANDIDATES, PLAN), np.int64), np.zeros(MOST_CANDIDATES, np.int64), np.zeros(MOST_CANDIDATES)
    )
    data = race.determinized_state(seat, 0)
    listing = addresses((policy.list_candidates,), (LIST_CANDIDATES,))
    count = score_candidates(listing, data, race.edition.data, seat, policy.size, policy.weights(), candidates)
    order = np.argsort(-candidates.scores[:count], kind="stable")[:most]
    return candidates, order.tolist()


def compare(
    tools: Tools,
    race: Race,
    seat: int,
    candidates: Candidates,
    order: Sequence[int],
    config: SearchConfig,
    simulations: int,
    seed: np.uint64,
    enough: Callable[[], bool],
) -> tuple[int, Statistics]:
    """The number of the best of these candidates, and the statistics of all simulations.

    All candidates meet the same luck. The policy's opinion counts as `config.prior_weight` simulations of each.
    """
    data, edition = race.determinized_state(seat, 0), race.edition.data
    statistics, tree = new_statistics(max(len(order), 1)), new_tree(1)
    none = np.zeros(0, np.int64)
    sums = np.zeros(MOST_CANDIDATES)

    def simulate(racing: Sequence[int], batch: int) -> list[float]:
        sums[:] = 0.0
        part = Simulations(race.seats, int(seat), batch * BATCH, BATCH, seed, True, none)
        chosen = np.array([order[i] for i in racing], np.int64)
        compare_candidates(
            tools.functions, data, edition, tools.settings, tools.network, tree, tools.memory, statistics, part,
            candidates, chosen, sums,
        )  # fmt: skip
        means: list[float] = (sums[chosen] / BATCH).tolist()
        return means

    scores = candidates.scores[order]
    opinion = np.maximum((scores - scores[0]) * SCORE_UNIT, -FARTHEST_PRIOR).tolist()
    best = successive_elimination.best_of(simulate, opinion, config.prior_weight / BATCH, simulations // BATCH, enough)
    return order[best], statistics
