"""The memory of a search: what each seat has tried at each moment, and what came of it.

Every seat has moments of its own. A moment is known by what the seat sees: two races that look the same to a seat are
the same moment for it, whatever the others hold. Seats that choose at the same time so choose without knowing of each
other, and each learns for itself what pays (decoupled UCT); each is after its own reward (max^n).
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from spina.kernel.compiler import kernel
from spina.kernel.random import shuffle

NOTHING = -1
CANDIDATES = 48
"""Most actions that are ever compared at one moment; of a longer menu some are drawn by lot."""

Tree = namedtuple("Tree", "slots key visits usual early first count action tried worth used")
"""Moments: slots (a hash table), key, visits, usual (what the driver would do) and early (what came of that before
anything else was tried), first and count (the candidates); candidates: action, tried, worth (sum of the seat's
rewards); used: moments and candidates so far."""


def new_tree(moments: int) -> Tree:
    """An empty memory for so many moments."""
    slots = 1 << (2 * moments - 1).bit_length()
    candidates = moments * 8
    return Tree(
        np.full(slots, NOTHING, np.int32),
        np.zeros(moments, np.uint64),
        np.zeros(moments, np.int32),
        np.zeros(moments, np.int64),
        np.zeros(moments, np.float64),
        np.full(moments, NOTHING, np.int32),
        np.zeros(moments, np.int32),
        np.zeros(candidates, np.int64),
        np.zeros(candidates, np.int32),
        np.zeros(candidates, np.float64),
        np.zeros(2, np.int64),
    )


@kernel
def find(tree, key):
    """The slot where this moment is, or belongs."""
    mask = np.uint64(len(tree.slots) - 1)
    slot = key & mask
    while tree.slots[slot] != NOTHING and tree.key[tree.slots[slot]] != key:
        slot = (slot + np.uint64(1)) & mask
    return slot


@kernel
def remember(tree, slot, key, usual):
    """A moment seen for the first time; returns its number, or NOTHING if the memory is full."""
    moment = tree.used[0]
    if moment == len(tree.key):
        return NOTHING
    tree.used[0] += 1
    tree.slots[slot] = moment
    tree.key[moment] = key
    tree.usual[moment] = usual
    return moment


@kernel
def widen(tree, moment, menu, count, dice):
    """Note what can be done at a moment: the driver's own action first, then the others in an order drawn by lot."""
    shuffle(dice, menu, count)
    first = tree.used[1]
    if first + min(count, CANDIDATES) + 1 > len(tree.action):
        return
    tree.action[first], tree.tried[first], tree.worth[first] = (
        tree.usual[moment],
        tree.visits[moment],
        tree.early[moment],
    )
    kept = 1
    for i in range(count):
        if menu[i] != tree.usual[moment] and kept < CANDIDATES:
            tree.action[first + kept] = menu[i]
            kept += 1
    tree.used[1] += kept
    tree.first[moment] = first
    tree.count[moment] = kept


@kernel
def pick(tree, moment, exploring, width, trust):
    """The candidate to try next: one that was never tried if it is time to widen, else the upper bound decides.

    The driver's own action, which stands first, is left only for one that promises so much more.
    """
    first, visits = tree.first[moment], tree.visits[moment]
    open_now = min(np.int64(tree.count[moment]), 1 + np.int64(width * math.sqrt(visits)))
    best, found = -1e9, first
    log = math.log(visits + 1.0)
    for candidate in range(first, first + open_now):
        tried = tree.tried[candidate]
        if tried == 0:
            return candidate
        bound = tree.worth[candidate] / tried + exploring * math.sqrt(log / tried)
        if candidate == first:
            bound += trust
        if bound > best:
            best, found = bound, candidate
    return found


@kernel
def learn(tree, moment, candidate, reward):
    """Remember what came of an action; without a candidate it was the driver's own."""
    tree.visits[moment] += 1
    if candidate == NOTHING:
        candidate = tree.first[moment]
    if candidate == NOTHING:
        tree.early[moment] += reward
    else:
        tree.tried[candidate] += 1
        tree.worth[candidate] += reward


@kernel
def favourite(tree, moment):
    """The candidate that was tried most: the bounds have sent the search there again and again."""
    best = tree.first[moment]
    for candidate in range(best, best + tree.count[moment]):
        if tree.tried[candidate] > tree.tried[best]:
            best = candidate
    return best
