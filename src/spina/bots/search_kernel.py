"""The compiled part of the search: Monte Carlo tree search with determinization, for any game."""

from __future__ import annotations

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np

from spina.bots.search_tree import (
    COMPLETE,
    NOTHING,
    TREE,
    add_node,
    expand,
    find,
    most_tried,
    quick_digest,
    select,
    update,
)
from spina.bots.value_network import MOST_FEATURES, NETWORK, evaluate, share_of_win
from spina.kernel.bits import lowest_bit
from spina.kernel.compiler import entry, kernel
from spina.kernel.function_pointers import record_of
from spina.kernel.interface import DRIVER, MEASURE_FEATURES, PLAN, RESOLVED, RULES_SIGNATURES, STEP, Rules
from spina.kernel.narration import silence
from spina.kernel.race_runner import CHOICE_LIMIT, MOST_SEATS
from spina.kernel.random import mix, nth_seed, seed_dice, word
from spina.kernel.signatures import (
    ADDRESSES,
    BYTES,
    COMPONENTS,
    FEATURES,
    INT,
    NUMBERS,
    REAL,
    TRUTH,
    VOID,
    WORD,
    Array,
    Record,
)

_SALT = np.uint64(0x5EA6C4)
LONGEST_PATH = 256
"""Most choices of a simulation that are recorded in the tree."""
CHOICES = 1024
"""Most different root choices that the statistics tell apart."""

GameFunctions = namedtuple("GameFunctions", (*Rules._fields, "measure_features", "driver"))  # type: ignore[misc]
"""What a search calls of a game: its rules, its features, and the driver of the rollouts."""
GAME_SIGNATURES = (*RULES_SIGNATURES, MEASURE_FEATURES, DRIVER)
unpack_game = record_of(GameFunctions, GAME_SIGNATURES)

Statistics = namedtuple("Statistics", "key length steps visits chances features used")
"""Of every root choice that was tried: hash, number of steps, the steps, visits, and sums of every seat's chances and
of the own seat's features at the end of its turn. used: how many there are."""


DriverMemory = namedtuple("DriverMemory", "key length steps used")
"""What the driver chose: key (hash of the information set, 0 for a free slot), number of steps, the steps. used: how
many slots are taken. A memory without slots remembers nothing.

A driver chooses by what its seat can see, so in many simulations it would find the same steps again. Only choices for
which it drew no random number are remembered: results are the same with and without a memory."""
REMEMBERED = 4096
"""Slots of a memory; a power of two."""


class SearchSettings(NamedTuple):
    """`SearchConfig` as the kernels read it."""

    exploration: float
    width: float
    later_width: float
    rival_width: float
    driver_bonus: float
    steps: int
    horizon: int
    longest_menu: int


class Simulations(NamedTuple):
    """Which simulations a call of `think` runs, and for whom."""

    seats: int
    thinker: int
    """The seat that the search chooses for."""
    first: int
    """Number of the first simulation."""
    size: int
    seed: np.uint64
    replies: bool
    """Whether the other seats reply to the thinker's last turn before a simulation is evaluated."""
    given: Any
    """The steps of the root choice; if empty, the tree selects it."""


class RootChoice(NamedTuple):
    """The choice that a simulation begins with, as far as it was selected before."""

    taken: int
    """How many of its steps are in `Simulation.steps`."""
    length: int
    """Nodes on the path so far."""
    luck: np.uint64
    """Seed of the determinization and of the rollout."""


class Start(NamedTuple):
    """What simulations compare with to see how far they have come."""

    turn: int
    """Of the race at the root."""
    turns_had: int
    """Turns that the thinker has had there."""


class Simulation(NamedTuple):
    """The memory of one simulation."""

    trial: Any
    """The simulated race."""
    trial_words: Any
    """The same memory in words of 64 bits, which are copied faster than bytes."""
    root_words: Any
    scratch: Any
    """A copy for hashing."""
    nobody: Any
    """A story that records nothing."""
    menu: Any
    plan: Any
    """Steps that come next."""
    steps: Any
    """Steps of the root choice."""
    path: Any
    """Rows of node, candidate and seat."""
    dice: Any
    """Of the search: it draws nothing from the race's own."""
    in_tree: Any
    """By seat: whether it has not left the tree yet."""
    chances: Any
    features: Any
    layer: Any
    """The hidden layer of the value network."""
    own: Any
    """The thinker's features at the end of its turn."""


STATISTICS = Record(Statistics, (Array(WORD), NUMBERS, Array(INT, 2), NUMBERS, Array(REAL, 2), Array(REAL, 2), NUMBERS))
MEMORY = Record(DriverMemory, (Array(WORD), NUMBERS, Array(INT, 2), NUMBERS))
SETTINGS = Record(SearchSettings, (REAL, REAL, REAL, REAL, REAL, INT, INT, INT))
SIMULATIONS = Record(Simulations, (INT, INT, INT, INT, WORD, TRUTH, NUMBERS))
THINK = VOID(ADDRESSES, BYTES, COMPONENTS, SETTINGS, NETWORK, TREE, MEMORY, STATISTICS, SIMULATIONS)
DECIDE = INT(ADDRESSES, BYTES, COMPONENTS, TREE, INT, WORD, NUMBERS)
EVALUATE_RACE = VOID(ADDRESSES, BYTES, COMPONENTS, INT, NETWORK, FEATURES)
ROLL_OUT_CHANCES = VOID(ADDRESSES, BYTES, COMPONENTS, INT, INT, WORD, FEATURES)


def new_statistics(simulations: int) -> Statistics:
    """Statistics of no simulations, with memory for this many. Each of them may try another choice."""
    choices = min(simulations, CHOICES)
    return Statistics(
        key=np.zeros(choices, np.uint64),
        length=np.zeros(choices, np.int64),
        steps=np.zeros((choices, PLAN), np.int64),
        visits=np.zeros(choices, np.int64),
        chances=np.zeros((choices, MOST_SEATS)),
        features=np.zeros((choices, MOST_FEATURES)),
        used=np.zeros(1, np.int64),
    )


def new_memory(slots: int) -> DriverMemory:
    """A memory of nothing, with this many slots: REMEMBERED, or 0 for a search that asks the driver every time."""
    return DriverMemory(
        key=np.zeros(slots, np.uint64),
        length=np.empty(slots, np.int64),
        steps=np.empty((slots, PLAN), np.int64),
        used=np.zeros(1, np.int64),
    )


@kernel
def new_simulation(root, longest_menu, hidden):
    """Memory for simulations that begin at `root`, with this width of the value network's hidden layer."""
    trial = root.copy()
    return Simulation(
        trial,
        trial.view(np.uint64),
        root.view(np.uint64),
        root.copy(),
        silence(),
        np.zeros(longest_menu, np.int64),
        np.zeros(PLAN, np.int64),
        np.zeros(PLAN, np.int64),
        np.zeros((LONGEST_PATH, 3), np.int64),
        np.zeros(4, np.uint64),
        np.zeros(MOST_SEATS, np.bool_),
        np.zeros(MOST_SEATS),
        np.zeros((MOST_SEATS, MOST_FEATURES)),
        np.zeros(hidden),
        np.zeros(MOST_FEATURES),
    )


@kernel
def back_to_root(simulation):
    """Make the simulated race the one at the root again."""
    trial, root = simulation.trial_words, simulation.root_words
    for i in range(len(trial)):
        trial[i] = root[i]


@kernel
def information_set_hash(game, race, edition, seat, scratch):
    """Hash of the seat's information set: that of the race, determinized for the seat in one fixed way."""
    words, copied = race.view(np.uint64), scratch.view(np.uint64)
    for i in range(len(words)):
        copied[i] = words[i]
    game.determinize(scratch, edition, seat, np.uint64(0))
    return quick_digest(scratch, seat)


@kernel
def ask_driver(game, edition, memory, simulation, seat):
    """Write what the driver chooses for the seat to `simulation.plan`; returns the number of steps."""
    trial, plan, dice = simulation.trial, simulation.plan, simulation.dice
    slots = len(memory.key)
    if slots == 0:
        return game.driver(trial, edition, seat, dice, plan)
    key = word(information_set_hash(game, trial, edition, seat, simulation.scratch) | word(1))
    slot = np.int64(key >> 32) & (slots - 1)
    while memory.key[slot] != 0 and memory.key[slot] != key:
        slot = (slot + 1) & (slots - 1)
    if memory.key[slot] == key:
        for i in range(memory.length[slot]):
            plan[i] = memory.steps[slot, i]
        return memory.length[slot]
    a, b, c, d = dice[0], dice[1], dice[2], dice[3]
    planned = game.driver(trial, edition, seat, dice, plan)
    drew = a != dice[0] or b != dice[1] or c != dice[2] or d != dice[3]
    if not drew and 2 * memory.used[0] < slots:
        memory.used[0] += 1
        memory.key[slot], memory.length[slot] = key, planned
        for i in range(planned):
            memory.steps[slot, i] = plan[i]
    return planned


@kernel
def add_to_path(simulation, length, node, candidate, seat):
    """Append a node to the path of the simulation."""
    path = simulation.path
    path[length, 0], path[length, 1], path[length, 2] = node, candidate, seat


@kernel
def retrace(game, edition, simulation, thinker, taken):
    """Bring the simulated race to where the root choice stands after `taken` steps; returns the status of the last."""
    back_to_root(simulation)
    status = STEP
    for i in range(taken):
        status = game.apply(simulation.trial, edition, thinker, simulation.steps[i], simulation.nobody)
    return status


@kernel
def node_after(game, edition, tree, simulation, thinker, taken):
    """The node of the root choice after `taken` steps, COMPLETE, or NOTHING if the tree does not have it yet."""
    if retrace(game, edition, simulation, thinker, taken) != STEP:
        return COMPLETE
    key = information_set_hash(game, simulation.trial, edition, thinker, simulation.scratch)
    return tree.slots[find(tree, key)]


@kernel
def select_root_choice(game, edition, settings, tree, simulation, thinker):
    """Select the thinker's choice step by step as far as the tree goes.

    Returns the number of steps and how often the last of them was tried. Nothing is determinized here: until its
    choice is complete, the thinker sees the same.
    """
    steps, menu = simulation.steps, simulation.menu
    taken, tried = 0, 0
    if tree.root[0] == NOTHING:
        tree.root[0] = node_after(game, edition, tree, simulation, thinker, 0)
    node = tree.root[0]
    while node != COMPLETE and taken < settings.steps:
        if node == NOTHING:
            return taken, 0
        if tree.first[node] == NOTHING:
            retrace(game, edition, simulation, thinker, taken)
            expand(tree, node, menu, game.legal(simulation.trial, edition, thinker, menu), simulation.dice)
            if tree.first[node] == NOTHING:  # the tree is full
                return taken, tree.visits[node]
        candidate = select(tree, node, settings.width, settings)
        add_to_path(simulation, taken, node, candidate, thinker)
        steps[taken], tried = tree.action[candidate], tree.tried[candidate]
        taken += 1
        if tree.follower[candidate] == NOTHING and taken < settings.steps:
            tree.follower[candidate] = node_after(game, edition, tree, simulation, thinker, taken)
        node = tree.follower[candidate]
    return taken, tried


@kernel
def begin_simulation(game, edition, settings, tree, simulations, simulation, number):
    """Select the root choice and the determinization of simulation `number`: returns its RootChoice.

    Common random numbers: the n-th simulation of each root choice gets the n-th determinization, so that the choices
    are compared and not the deals.
    """
    seed, given = simulations.seed, simulations.given
    seed_dice(simulation.dice, nth_seed(seed, number))
    if len(given):
        simulation.steps[: len(given)] = given
        return RootChoice(len(given), 0, nth_seed(seed ^ _SALT, number))
    taken, tried = select_root_choice(game, edition, settings, tree, simulation, simulations.thinker)
    return RootChoice(taken, taken, nth_seed(seed ^ _SALT, tried))


@kernel
def select_in_tree(game, edition, settings, tree, memory, simulation, seat, width, length):
    """Select the seat's next step in the tree: expands a known node, adds a new one.

    Returns the number of steps in `simulation.plan`, 0 if the driver must choose, and the new length of the path.
    """
    trial, plan, menu = simulation.trial, simulation.plan, simulation.menu
    key = information_set_hash(game, trial, edition, seat, simulation.scratch)
    slot = find(tree, key)
    node = tree.slots[slot]
    candidate, planned = NOTHING, 0
    if node == NOTHING:
        planned = ask_driver(game, edition, memory, simulation, seat)
        node = add_node(tree, slot, key, plan[0])
        simulation.in_tree[seat] = False
    else:
        if tree.first[node] == NOTHING:
            expand(tree, node, menu, game.legal(trial, edition, seat, menu), simulation.dice)
        if tree.first[node] != NOTHING:
            candidate = select(tree, node, width, settings)
            plan[0], planned = tree.action[candidate], 1
            if game.check(trial, edition, seat, plan[0]) != 0:
                candidate, node, planned = NOTHING, NOTHING, 0
    if node != NOTHING:
        add_to_path(simulation, length, node, candidate, seat)
        length += 1
    return planned, length


@kernel
def widening(settings, is_thinker, choosing, done):
    """How fast progressive widening goes for the seat's next step; 0 leaves the step to the driver."""
    if not is_thinker:
        return settings.rival_width
    if not choosing:
        return settings.later_width
    return settings.width if done < settings.steps else 0.0


@kernel
def simulate(game, edition, settings, tree, memory, simulations, simulation, start, chosen):
    """Play one determinization of the root to the horizon or to the end of the race: in the tree, then by the driver.

    Returns the number of steps of the whole root choice, the length of the path, and whether the race is over.
    """
    taken, length, luck = chosen.taken, chosen.length, chosen.luck
    thinker, trial, plan, steps = simulations.thinker, simulation.trial, simulation.plan, simulation.steps
    back_to_root(simulation)
    game.determinize(trial, edition, thinker, luck)
    seed_dice(simulation.dice, luck)
    simulation.in_tree[:] = True
    done, choosing, measured = 0, True, False
    status, passed = RESOLVED, 0
    while True:
        if status == RESOLVED:  # the race goes on only when a choice is resolved
            if game.over(trial, edition):
                break
            passed = game.turns_had(trial, edition, thinker) - start.turns_had
            if not measured and passed > 0:
                game.measure_features(trial, edition, thinker, simulation.own)
                measured = True
                if simulations.replies:  # the same luck for the replies, however many random numbers the choice used
                    game.determinize(trial, edition, thinker, nth_seed(luck, 1))
            if game.turn(trial, edition) > start.turn + settings.horizon:
                break
        asked = game.acting(trial, edition)
        if passed >= settings.horizon and (not simulations.replies or asked >> thinker & 1):
            break
        seat = lowest_bit(asked)
        if choosing and asked >> thinker & 1:
            seat = thinker  # before the others, so that its node does not depend on who else is asked
        planned = 0
        if seat == thinker and choosing and done < taken:
            plan[0], planned = steps[done], 1
        else:
            width = widening(settings, seat == thinker, choosing, done)
            if width > 0.0 and simulation.in_tree[seat] and length < LONGEST_PATH:
                planned, length = select_in_tree(game, edition, settings, tree, memory, simulation, seat, width, length)
        if planned == 0:
            planned = ask_driver(game, edition, memory, simulation, seat)
        for i in range(planned):
            if seat == thinker and choosing and done < PLAN:
                steps[done] = plan[i]
                done += 1
            status = game.apply(trial, edition, seat, plan[i], simulation.nobody)
        if seat == thinker and status != STEP:
            choosing = False
    if not measured:
        game.measure_features(trial, edition, thinker, simulation.own)
    return done, length, game.over(trial, edition)


@kernel
def final_chances(game, race, edition, seats, chances):
    """The chances of every seat at the end of a race."""
    places = np.zeros(MOST_SEATS, np.int64)
    game.ranking(race, edition, places)
    share_of_win(places, seats, chances)


@kernel
def backpropagate(tree, simulation, length):
    """Add each seat's chance to win to the nodes of its choices."""
    path = simulation.path
    for i in range(length):
        update(tree, path[i, 0], path[i, 1], simulation.chances[path[i, 2]])


@kernel
def record_choice(statistics, simulation, length, seats):
    """Add a simulation to the statistics of its root choice, which has `length` steps."""
    steps = simulation.steps
    key = word(length)
    for i in range(length):
        key = mix(key ^ word(word(steps[i]) * word(0x9E3779B97F4A7C15)))
    place = 0
    while place < statistics.used[0] and statistics.key[place] != key:
        place += 1
    if place == len(statistics.key):
        return
    if place == statistics.used[0]:
        statistics.used[0] += 1
        statistics.key[place] = key
        statistics.length[place] = length
        statistics.steps[place, :length] = steps[:length]
    statistics.visits[place] += 1
    for seat in range(seats):
        statistics.chances[place, seat] += simulation.chances[seat]
    for i in range(MOST_FEATURES):
        statistics.features[place, i] += simulation.own[i]


@entry(THINK)
def think(functions, root, edition, settings, network, tree, memory, statistics, simulations):
    """Run simulations `first` to `first + count - 1` from the root, and add their results to tree and statistics."""
    game = unpack_game(functions)
    simulation = new_simulation(root, settings.longest_menu, network.hidden)
    start = Start(game.turn(root, edition), game.turns_had(root, edition, simulations.thinker))
    trial, seats, chances = simulation.trial, simulations.seats, simulation.chances
    for number in range(simulations.first, simulations.first + simulations.size):
        chosen = begin_simulation(game, edition, settings, tree, simulations, simulation, number)
        steps, length, over = simulate(game, edition, settings, tree, memory, simulations, simulation, start, chosen)
        if over:
            final_chances(game, trial, edition, seats, chances)
        else:
            evaluate(game, trial, edition, seats, network, simulation.features, simulation.layer, chances)
        backpropagate(tree, simulation, length)
        record_choice(statistics, simulation, steps, seats)


@entry(DECIDE)
def decide(functions, root, edition, tree, thinker, seed, steps):
    """Write the choice that the search has found to `steps`, and return its length.

    It takes the most tried step at every node; where the tree ends, the driver completes the choice.
    """
    game = unpack_game(functions)
    trial, scratch = root.copy(), root.copy()
    plan, dice = np.zeros(PLAN, np.int64), np.zeros(4, np.uint64)
    seed_dice(dice, seed)
    nobody = silence()
    taken, status = 0, STEP
    while status == STEP and taken < PLAN:
        node = tree.slots[find(tree, information_set_hash(game, trial, edition, thinker, scratch))]
        planned = 1
        if node != NOTHING and tree.first[node] != NOTHING:
            plan[0] = tree.action[most_tried(tree, node)]
        else:
            planned = game.driver(trial, edition, thinker, dice, plan)
        for i in range(planned):
            steps[taken] = plan[i]
            taken += 1
            status = game.apply(trial, edition, thinker, plan[i], nobody)
    return taken


@entry(EVALUATE_RACE)
def evaluate_race(functions, race, edition, seats, network, chances):
    """Write every seat's chance to win, as the value network estimates it, to `chances`."""
    features, layer = np.zeros((seats, MOST_FEATURES)), np.zeros(network.hidden)
    evaluate(unpack_game(functions), race, edition, seats, network, features, layer, chances)


@entry(ROLL_OUT_CHANCES)
def roll_out_chances(functions, root, edition, seats, count, seed, chances):
    """Write every seat's share of wins in `count` rollouts to the end of the race to `chances`.

    Each rollout plays a determinization for a spectator, with the driver in every seat.
    """
    game = unpack_game(functions)
    trial, dice = root.copy(), np.zeros(4, np.uint64)
    plan, share = np.zeros(PLAN, np.int64), np.zeros(MOST_SEATS)
    nobody = silence()
    for number in range(count):
        luck = nth_seed(seed, number)
        trial[:] = root
        game.determinize(trial, edition, -1, luck)
        seed_dice(dice, luck)
        choices = 0
        while not game.over(trial, edition) and choices < CHOICE_LIMIT:
            seat = lowest_bit(game.acting(trial, edition))
            planned = game.driver(trial, edition, seat, dice, plan)
            for i in range(planned):
                game.apply(trial, edition, seat, plan[i], nobody)
            choices += 1
        final_chances(game, trial, edition, seats, share)
        for seat in range(seats):
            chances[seat] += share[seat] / count
