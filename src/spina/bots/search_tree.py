"""The search tree: a node for each information set of each seat, with the results of the actions tried there.

A node is identified by what its seat can see: two races that look the same to a seat lead to the same node, whatever
the other seats hold. Seats that choose at the same time therefore choose without knowledge of each other (decoupled
UCT), and each seat maximizes its own chance to win (max^n).
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from spina.kernel.compiler import kernel
from spina.kernel.random import shuffle
from spina.kernel.signatures import FEATURES, NUMBERS, WORD, Array, Number, Record

NOTHING = -1
CANDIDATES = 48
"""Most actions that are compared at one node; of a longer menu a random sample is taken."""

Tree = namedtuple("Tree", "slots key visits default early first count action tried reward used")
"""Of nodes: slots (a hash table), key (hash of the information set), visits, default (the driver's action), early (sum
of rewards before expansion), first and count (the node's candidates). Of candidates: action, tried, reward (sum of the
seat's rewards). used: how many nodes and candidates there are."""

_INDICES = Array(Number("int32"))
TREE = Record(
    Tree,
    (_INDICES, Array(WORD), _INDICES, NUMBERS, FEATURES, _INDICES, _INDICES, NUMBERS, _INDICES, FEATURES, NUMBERS),
)


def new_tree(nodes: int) -> Tree:
    """An empty tree with memory for this many nodes."""
    slots = 1 << (2 * nodes - 1).bit_length()
    candidates = nodes * 8
    return Tree(
        slots=np.full(slots, NOTHING, np.int32),
        key=np.zeros(nodes, np.uint64),
        visits=np.zeros(nodes, np.int32),
        default=np.zeros(nodes, np.int64),
        early=np.zeros(nodes, np.float64),
        first=np.full(nodes, NOTHING, np.int32),
        count=np.zeros(nodes, np.int32),
        action=np.zeros(candidates, np.int64),
        tried=np.zeros(candidates, np.int32),
        reward=np.zeros(candidates, np.float64),
        used=np.zeros(2, np.int64),
    )


@kernel
def find(tree, key):
    """The slot of the node with this key, or the free slot where it belongs."""
    mask = np.uint64(len(tree.slots) - 1)
    slot = key & mask
    while tree.slots[slot] != NOTHING and tree.key[tree.slots[slot]] != key:
        slot = (slot + np.uint64(1)) & mask
    return slot


@kernel
def add_node(tree, slot, key, default):
    """Add a node; returns its number, or NOTHING if the tree is full."""
    node = tree.used[0]
    if node == len(tree.key):
        return NOTHING
    tree.used[0] += 1
    tree.slots[slot] = node
    tree.key[node] = key
    tree.default[node] = default
    return node


@kernel
def expand(tree, node, menu, count, dice):
    """Give a node its candidates: the driver's action first, then the others in random order."""
    shuffle(dice, menu, count)
    first = tree.used[1]
    if first + min(count, CANDIDATES) + 1 > len(tree.action):
        return
    tree.action[first], tree.tried[first], tree.reward[first] = (
        tree.default[node],
        tree.visits[node],
        tree.early[node],
    )
    kept = 1
    for i in range(count):
        if menu[i] != tree.default[node] and kept < CANDIDATES:
            tree.action[first + kept] = menu[i]
            kept += 1
    tree.used[1] += kept
    tree.first[node] = first
    tree.count[node] = kept


@kernel
def select(tree, node, width, settings):
    """The candidate to try next: an untried one if progressive widening admits it, else that of the highest UCB1 value.

    The driver's action, which comes first, has a bonus.
    """
    first, visits = tree.first[node], tree.visits[node]
    admitted = min(np.int64(tree.count[node]), 1 + np.int64(width * math.sqrt(visits)))
    best, found = -1e9, first
    log = math.log(visits + 1.0)
    for candidate in range(first, first + admitted):
        tried = tree.tried[candidate]
        if tried == 0:
            return candidate
        bound = tree.reward[candidate] / tried + settings.exploration * math.sqrt(log / tried)
        if candidate == first:
            bound += settings.driver_bonus
        if bound > best:
            best, found = bound, candidate
    return found


@kernel
def update(tree, node, candidate, reward):
    """Add a reward to a node and to the candidate that was tried; without a candidate it was the driver's action."""
    tree.visits[node] += 1
    if candidate == NOTHING:
        candidate = tree.first[node]
    if candidate == NOTHING:
        tree.early[node] += reward
    else:
        tree.tried[candidate] += 1
        tree.reward[candidate] += reward


@kernel
def most_tried(tree, node):
    """The candidate that was tried most often."""
    best = tree.first[node]
    for candidate in range(best, best + tree.count[node]):
        if tree.tried[candidate] > tree.tried[best]:
            best = candidate
    return best
