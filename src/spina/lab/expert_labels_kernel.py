"""Training examples for policies: in races of the learned driver, what a search finds each candidate to be worth."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spina.bots.candidate_kernel import Candidates, candidates_at, simulate_candidate
from spina.bots.search_kernel import MEMORY, SETTINGS, Simulations, Start, new_simulation, unpack_game
from spina.bots.search_tree import TREE
from spina.bots.value_network import NETWORK
from spina.kernel.bits import lowest_bit
from spina.kernel.compiler import entry, kernel
from spina.kernel.interface import PLAN, STEP
from spina.kernel.narration import silence
from spina.kernel.policy_network import MOST_CANDIDATES
from spina.kernel.race_runner import CHOICE_LIMIT, RACE_RANGE, begin_race
from spina.kernel.random import below, next_word, nth_seed
from spina.kernel.signatures import ADDRESSES, BYTES, COMPONENTS, INT, NUMBERS, REAL, Array, Record


class Labelling(NamedTuple):
    """How choices are sampled and labelled."""

    sampled: int
    """Choices in a thousand that become examples."""
    epsilon: int
    """Choices in a thousand that are a random candidate, so that positions vary."""
    tried: int
    """Most candidates that are simulated: the policy's choice and random others."""
    first: int
    """Simulations of each of them."""
    shortlist: int
    """Candidates that are simulated further."""
    second: int
    """Further simulations of each of those."""


class Labels(NamedTuple):
    """Arrays with a row for each example."""

    situation: Any
    features: Any
    count: Any
    """Candidates of the choice."""
    value: Any
    """By candidate: the seat's mean chance to win after it."""
    visits: Any
    """By candidate: how many simulations that is the mean of; 0: not tried."""


LABELLING = Record(Labelling, (INT, INT, INT, INT, INT, INT))
LABELS = Record(Labels, (Array(REAL, 2), Array(REAL, 3), NUMBERS, Array(REAL, 2), Array(INT, 2)))
LABEL_CHOICES = INT(
    ADDRESSES, ADDRESSES, BYTES, COMPONENTS, NUMBERS, RACE_RANGE, SETTINGS, NETWORK, TREE, MEMORY, LABELLING, LABELS
)


@kernel
def shortlist_best(value, visits, count, wanted, order):
    """Write the candidates with the highest mean values to `order`, the best first; returns how many there are."""
    used = 0
    for k in range(count):
        if visits[k] == 0:
            continue
        place = min(used, wanted)
        while place > 0 and value[k] / visits[k] > value[order[place - 1]] / visits[order[place - 1]]:
            place -= 1
        if place < wanted:
            used = min(wanted, used + 1)
            for i in range(used - 1, place, -1):
                order[i] = order[i - 1]
            order[place] = k
    return used


@kernel
def same_steps(plan, length, steps, planned):
    """Whether two plans are the same."""
    if length != planned:
        return False
    for i in range(length):
        if plan[i] != steps[i]:
            return False
    return True


@kernel
def pick_tried(dice, plans, lengths, count, driven, planned, wanted, order):
    """Write the candidates to simulate first to `order`: the driver's choice, then random others; returns how many."""
    for k in range(count):
        order[k] = k
    for k in range(count - 1, 0, -1):
        j = below(dice, k + 1)
        order[k], order[j] = order[j], order[k]
    for k in range(count):
        if same_steps(plans[order[k]], lengths[order[k]], driven, planned):
            order[0], order[k] = order[k], order[0]
            break
    return min(count, wanted)


@kernel
def write_label(labels, row, count, value, visits):
    """Write the mean values of a choice's candidates; `value` has their sums."""
    labels.count[row] = count
    for k in range(count):
        labels.visits[row, k] = visits[k]
        labels.value[row, k] = value[k] / max(1, visits[k])


@entry(LABEL_CHOICES)
def label_choices(
    functions, listing, race, edition, options, races, settings, network, tree, memory, labelling, labels
):
    """Run races of the driver and label a sample of its choices; returns the number of examples.

    Each candidate is simulated with the same determinizations as the others. First many are compared with few
    simulations, then the best of them with more.
    """
    game, list_candidates = unpack_game(functions), candidates_at(listing, 0)
    dice, driven, seats = np.zeros(4, np.uint64), np.zeros(PLAN, np.int64), options[0]
    plans, lengths = np.zeros((MOST_CANDIDATES, PLAN), np.int64), np.zeros(MOST_CANDIDATES, np.int64)
    value, visits = np.zeros(MOST_CANDIDATES), np.zeros(MOST_CANDIDATES, np.int64)
    order, candidates = np.zeros(MOST_CANDIDATES, np.int64), Candidates(plans, lengths, value)
    simulation = new_simulation(race, settings.longest_menu, network.hidden)  # begins at the race as it is then
    nobody, none = silence(), np.zeros(0, np.int64)
    recorded, most = 0, len(labels.count)
    for number in range(races.first, races.first + races.size):
        begin_race(game, race, edition, options, nth_seed(races.seed, number), dice)
        choices = 0
        while not game.over(race, edition) and choices < CHOICE_LIMIT and recorded < most:
            seat = lowest_bit(game.acting(race, edition))
            samples = below(dice, 1000) < labelling.sampled
            explores = below(dice, 1000) < labelling.epsilon
            planned = game.driver(race, edition, seat, dice, driven)
            if samples or explores:
                count = list_candidates(
                    race, edition, seat, plans, lengths, labels.situation[recorded], labels.features[recorded]
                )
                if samples and count > 1:
                    tried = pick_tried(dice, plans, lengths, count, driven, planned, labelling.tried, order)
                    seed = next_word(dice)
                    value[:], visits[:] = 0.0, 0
                    batch = Simulations(seats, seat, 0, 1, seed, True, none)
                    start = Start(game.turn(race, edition), game.turns_had(race, edition, seat))
                    memory.key[:] = 0
                    memory.used[0] = 0
                    for stage in range(2):
                        begin = 0 if stage == 0 else labelling.first
                        end = begin + (labelling.first if stage == 0 else labelling.second)
                        for i in range(tried):
                            k = order[i]
                            for luck in range(begin, end):
                                simulate_candidate(
                                    game, edition, settings, network, tree, memory, batch, simulation, start,
                                    candidates, k, nth_seed(seed, luck),
                                )  # fmt: skip
                                value[k] += simulation.chances[seat]
                            visits[k] += end - begin
                        tried = shortlist_best(value, visits, count, labelling.shortlist, order)
                    write_label(labels, recorded, count, value, visits)
                    recorded += 1
                if explores and count > 0:
                    k = below(dice, count)
                    planned = lengths[k]
                    driven[:planned] = plans[k, :planned]
            status = STEP
            while True:
                for i in range(planned):
                    status = game.apply(race, edition, seat, driven[i], nobody)
                if status != STEP:
                    break
                planned = game.driver(race, edition, seat, dice, driven)
            choices += 1
    return recorded
