"""The compiled part of a search among candidates: the policy's scores, and simulations that begin with each of them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spina.bots.search_kernel import (
    MEMORY,
    SETTINGS,
    SIMULATIONS,
    STATISTICS,
    RootChoice,
    Start,
    final_chances,
    new_simulation,
    record_choice,
    simulate,
    unpack_game,
)
from spina.bots.search_tree import TREE
from spina.bots.value_network import NETWORK, evaluate
from spina.kernel.compiler import entry, kernel
from spina.kernel.function_pointers import function_of
from spina.kernel.interface import LIST_CANDIDATES
from spina.kernel.policy_network import HIDDEN, MOST_CANDIDATES, PolicySize, read_situation, score
from spina.kernel.random import nth_seed
from spina.kernel.signatures import ADDRESSES, BYTES, COMPONENTS, FEATURES, INT, NUMBERS, VOID, Array, Record

candidates_at = function_of(LIST_CANDIDATES)
"""In a kernel: a game's `list_candidates` by its place in an array of addresses."""


class Candidates(NamedTuple):
    """Candidates by number: their steps, the number of their steps, and the policy's scores."""

    plans: Any
    lengths: Any
    scores: Any


POLICY_SIZE = Record(PolicySize, (INT, INT))
CANDIDATES = Record(Candidates, (Array(INT, 2), NUMBERS, FEATURES))
SCORE_CANDIDATES = INT(ADDRESSES, BYTES, COMPONENTS, INT, POLICY_SIZE, FEATURES, CANDIDATES)
COMPARE = VOID(
    ADDRESSES,
    BYTES,
    COMPONENTS,
    SETTINGS,
    NETWORK,
    TREE,
    MEMORY,
    STATISTICS,
    SIMULATIONS,
    CANDIDATES,
    NUMBERS,
    FEATURES,
)


@entry(SCORE_CANDIDATES)
def score_candidates(listing, race, edition, seat, size, weights, candidates):
    """List a seat's candidates and what the policy thinks of them; returns their number."""
    situation = np.zeros(size.situation)
    features = np.zeros((MOST_CANDIDATES, size.candidate))
    layer, units = np.zeros(HIDDEN), np.zeros(HIDDEN)
    count = candidates_at(listing, 0)(race, edition, seat, candidates.plans, candidates.lengths, situation, features)
    if count > 0:
        read_situation(size, weights, situation, layer)
        for k in range(count):
            candidates.scores[k] = score(size, weights, layer, features, k, units)
    return count


@kernel
def simulate_candidate(
    game, edition, settings, network, tree, memory, simulations, simulation, start, candidates, k, luck
):
    """Run one simulation that begins with candidate k, and write every seat's chance to win to `simulation.chances`."""
    for i in range(candidates.lengths[k]):
        simulation.steps[i] = candidates.plans[k, i]
    chosen = RootChoice(candidates.lengths[k], 0, luck)
    _, _, over = simulate(game, edition, settings, tree, memory, simulations, simulation, start, chosen)
    trial, seats, chances = simulation.trial, simulations.seats, simulation.chances
    if over:
        final_chances(game, trial, edition, seats, chances)
    else:
        evaluate(game, trial, edition, seats, network, simulation.features, simulation.layer, chances)


@entry(COMPARE)
def compare_candidates(
    functions, root, edition, settings, network, tree, memory, statistics, simulations, candidates, chosen, sums
):
    """Run simulations `first` to `first + size - 1` of each of the chosen candidates, all with the same luck.

    Adds the thinker's chances to win to `sums`, by candidate.
    """
    game = unpack_game(functions)
    simulation = new_simulation(root, settings.longest_menu, network.hidden)
    start = Start(game.turn(root, edition), game.turns_had(root, edition, simulations.thinker))
    for k in chosen:
        for number in range(simulations.first, simulations.first + simulations.size):
            luck = nth_seed(simulations.seed, number)
            simulate_candidate(
                game, edition, settings, network, tree, memory, simulations, simulation, start, candidates, k, luck
            )
            record_choice(statistics, simulation, candidates.lengths[k], simulations.seats)
            sums[k] += simulation.chances[simulations.thinker]
