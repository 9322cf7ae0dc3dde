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
from spina.kernel.random import mix, shuffle, word
from spina.kernel.signatures import FEATURES, NUMBERS, WORD, Array, Number, Record

NOTHING = -1
COMPLETE = -2
"""Instead of the next node: the choice is complete."""
CANDIDATES = 48
"""Most actions that are compared at one node; of a longer menu a random sample is taken."""

Tree = namedtuple("Tree", "slots key visits default early first count action tried reward follower root used")
"""Of nodes: slots (a hash table), key (hash of the information set), visits, default (the driver's action), early (sum
of rewards before expansion), first and count (the node's candidates). Of candidates: action, tried, reward (sum of the
seat's rewards), follower (the node of the next step, COMPLETE, or NOTHING if that is not known). root: the node of the
choice at hand, NOTHING if it is not known. used: how many nodes and candidates there are.

`follower` and `root` are kept for the choice at hand only. Until it is complete nothing is random and the thinker sees
the same, so that the tree is walked without a race and without hashes."""

_INDICES = Array(Number("int32"))
_NODE = (_INDICES, Array(WORD), _INDICES, NUMBERS, FEATURES, _INDICES, _INDICES)
_CANDIDATE = (NUMBERS, _INDICES, FEATURES, _INDICES)
TREE = Record(Tree, (*_NODE, *_CANDIDATE, _INDICES, NUMBERS))

_A, _B, _C, _D = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93


@kernel
def quick_digest(data, seed):
    """A 64-bit hash of a record's bytes, for the keys of nodes: four chains that do not wait for each other.

    `kernel.digest` takes three times as long. It cannot change: its hashes are in save files and databases.
    """
    words = data.view(np.uint64)
    whole = len(words) - len(words) % 4
    a, b, c, d = mix(word(seed) ^ word(_A)), mix(word(seed) ^ word(_B)), mix(word(seed) ^ word(_C)), word(_D)
    for i in range(0, whole, 4):
        a = word((a ^ word(words[i])) * word(_A))
        b = word((b ^ word(words[i + 1])) * word(_B))
        c = word((c ^ word(words[i + 2])) * word(_C))
        d = word((d ^ word(words[i + 3])) * word(_D))
        a, b, c, d = a ^ (a >> 32), b ^ (b >> 32), c ^ (c >> 32), d ^ (d >> 32)
    for i in range(whole, len(words)):
        a = mix(a ^ word(words[i]))
    return mix(mix(mix(mix(a) ^ b) ^ c) ^ d)


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
        follower=np.full(candidates, NOTHING, np.int32),
        root=np.full(1, NOTHING, np.int32),
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
