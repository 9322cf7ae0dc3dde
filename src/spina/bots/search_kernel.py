"""The compiled part of the search: one imagined race after another, for any game."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from spina.bots.search_tree import NOTHING, Tree, favourite, find, learn, pick, remember, widen
from spina.bots.value_network import MOST_FEATURES, judge, share_of_win
from spina.kernel.bits import lowest_bit
from spina.kernel.compiler import INTERPRETED, entry, kernel
from spina.kernel.digest import digest
from spina.kernel.interface import (
    ACTING,
    APPLY,
    CHECK,
    DEAL_ANEW,
    DRIVER,
    LEGAL,
    MEASURE_FEATURES,
    OVER,
    PLAN,
    RANKING,
    STEP,
    TURN,
    TURNS_HAD,
)
from spina.kernel.narration import silence
from spina.kernel.race_runner import MOST_SEATS
from spina.kernel.random import mix, nth_seed, seed_dice

_SALT = np.uint64(0x5EA6C4)
LONGEST_PATH = 256
"""Most choices of an imagined race that the tree keeps track of."""
CHOICES = 1024
"""Most whole choices that are told apart when the search gives account."""

Account = namedtuple("Account", "key length steps visits chances figures used")
"""What was found of every whole choice that was tried: its steps, how often, and sums of every seat's chances and of
the own figures at the end of the turn."""

EXPLORING, WIDTH, LATER_WIDTH, RIVAL_WIDTH, TRUST, STEPS, REPLIES = range(7)
"""Settings: how much the upper bound favours the untried; how fast menus widen, that of the choice at hand, one's own
later ones and those of rivals (0: the driver chooses); how much more another action must promise than the driver's;
how many steps of the choice at hand are compared (the driver adds the others); and whether the rivals' replies to the
last turn are imagined, too."""

if INTERPRETED:
    THINK = DECIDE = JUDGE = None
else:
    from numba import types

    from spina.kernel.interface import BYTES, COMPONENTS, FEATURES, INT, NUMBERS, WORD

    def _array(kind, dimensions=1):
        return types.Array(kind, dimensions, "C")

    _pointer = types.FunctionType
    _tree = (
        _array(types.int32), _array(types.uint64), _array(types.int32), _array(types.int64), _array(types.float64),
        _array(types.int32), _array(types.int32), _array(types.int64), _array(types.int32), _array(types.float64),
        _array(types.int64),
    )  # fmt: skip
    _account = (
        _array(types.uint64), _array(types.int64), _array(types.int64, 2), _array(types.int64),
        _array(types.float64, 2), _array(types.float64, 2), _array(types.int64),
    )  # fmt: skip
    THINK = types.void(
        _pointer(ACTING), _pointer(LEGAL), _pointer(CHECK), _pointer(APPLY), _pointer(OVER), _pointer(RANKING),
        _pointer(TURN), _pointer(TURNS_HAD), _pointer(DEAL_ANEW), _pointer(MEASURE_FEATURES), _pointer(DRIVER),
        types.NamedTuple(_tree, Tree), types.NamedTuple(_account, Account),
        BYTES, COMPONENTS, INT, INT, INT, INT, INT, WORD, INT, INT, FEATURES, FEATURES, NUMBERS, NUMBERS,
    )  # fmt: skip
    JUDGE = types.void(_pointer(MEASURE_FEATURES), BYTES, COMPONENTS, INT, INT, INT, FEATURES, FEATURES)
    DECIDE = INT(
        _pointer(APPLY), _pointer(DEAL_ANEW), _pointer(DRIVER), types.NamedTuple(_tree, Tree),
        BYTES, COMPONENTS, INT, WORD, NUMBERS,
    )  # fmt: skip


def new_account() -> Account:
    """Nothing found yet."""
    return Account(
        np.zeros(CHOICES, np.uint64),
        np.zeros(CHOICES, np.int64),
        np.zeros((CHOICES, PLAN), np.int64),
        np.zeros(CHOICES, np.int64),
        np.zeros((CHOICES, MOST_SEATS)),
        np.zeros((CHOICES, MOST_FEATURES)),
        np.zeros(1, np.int64),
    )


@kernel
def what_is_seen(deal_anew, race, edition, seat, scratch):
    """A number for all that the seat can see: with the rest dealt in one fixed way, equal views are equal races."""
    scratch[:] = race
    deal_anew(scratch, edition, seat, np.uint64(0))
    return mix(digest(scratch) + np.uint64(seat))


@kernel
def note_choice(account, steps, length, seats, chances, own):
    """Add an imagined race to the account of the choice that it began with."""
    key = np.uint64(length)
    for i in range(length):
        key = mix(key ^ np.uint64(steps[i]) * np.uint64(0x9E3779B97F4A7C15))
    place = 0
    while place < account.used[0] and account.key[place] != key:
        place += 1
    if place == CHOICES:
        return
    if place == account.used[0]:
        account.used[0] += 1
        account.key[place] = key
        account.length[place] = length
        account.steps[place, :length] = steps[:length]
    account.visits[place] += 1
    for seat in range(seats):
        account.chances[place, seat] += chances[seat]
    for i in range(MOST_FEATURES):
        account.figures[place, i] += own[i]


@kernel
def pick_own(legal, apply, deal_anew, tree, trial, edition, thinker, settings, menu, dice, scratch, steps, path):
    """The thinker's choice, as far as the tree knows it: steps, moments, and how often it came to the end of them.

    The others are not asked for this, and nothing is dealt: until its choice is complete, a seat sees the same.
    """
    nobody = silence()
    taken, tried, status = 0, 0, STEP
    while status == STEP and taken < settings[STEPS]:
        moment = tree.slots[find(tree, what_is_seen(deal_anew, trial, edition, thinker, scratch))]
        if moment == NOTHING:
            return taken, 0
        if tree.first[moment] == NOTHING:
            widen(tree, moment, menu, legal(trial, edition, thinker, menu), dice)
            if tree.first[moment] == NOTHING:  # no room
                return taken, tree.visits[moment]
        candidate = pick(tree, moment, settings[EXPLORING], settings[WIDTH], settings[TRUST])
        path[taken, 0], path[taken, 1], path[taken, 2] = moment, candidate, thinker
        steps[taken], tried = tree.action[candidate], tree.tried[candidate]
        status = apply(trial, edition, thinker, steps[taken], nobody)
        taken += 1
    return taken, tried


@entry(THINK)
def think(
    acting, legal, check, apply, over, ranking, turn, turns_had, deal_anew, standing, driver, tree, account,
    root, edition, seats, thinker, first, count, horizon, seed, figure_count, hidden, network, settings, menu, given,
):  # fmt: skip
    """Imagine races `first` to `first + count - 1`, each so many turns of its own far, and remember what came of them.

    Each choice of the thinker's meets the same luck, first its first deal, then its second, and so on: what is compared
    is the choices and not the deals. If steps are given, the choice consists of these.
    """
    trial, scratch = root.copy(), root.copy()
    plan, steps = np.zeros(PLAN, np.int64), np.zeros(PLAN, np.int64)
    places = np.zeros(MOST_SEATS, np.int64)
    dice = np.zeros(4, np.uint64)
    path = np.zeros((LONGEST_PATH, 3), np.int64)
    knows = np.zeros(MOST_SEATS, np.bool_)
    chances, figures, own = np.zeros(MOST_SEATS), np.zeros((MOST_SEATS, MOST_FEATURES)), np.zeros(MOST_FEATURES)
    nobody = silence()
    begun, had = turn(root, edition), turns_had(root, edition, thinker)
    for n in range(first, first + count):
        trial[:] = root
        seed_dice(dice, nth_seed(seed, n))
        if len(given):
            taken, tried, length = len(given), n, 0
            steps[:taken] = given
        else:
            taken, tried = pick_own(
                legal, apply, deal_anew, tree, trial, edition, thinker, settings, menu, dice, scratch, steps, path
            )
            length = taken
        luck = nth_seed(seed ^ _SALT, tried)
        trial[:] = root
        deal_anew(trial, edition, thinker, luck)
        seed_dice(dice, luck)
        knows[:] = True
        done, choosing, measured = 0, True, False
        while not over(trial, edition):
            passed = turns_had(trial, edition, thinker) - had
            if not measured and passed > 0:
                standing(trial, edition, thinker, own)
                measured = True
                if settings[REPLIES] > 0.0:  # equal luck for the replies, however much of it the choice has used
                    deal_anew(trial, edition, thinker, nth_seed(luck, 1))
            asked = acting(trial, edition)
            if passed >= horizon and (settings[REPLIES] == 0.0 or asked >> thinker & 1):
                break
            if turn(trial, edition) > begun + horizon:
                break
            seat = lowest_bit(asked)
            if choosing and asked >> thinker & 1:
                seat = thinker  # first of all, so that the moment is the same whoever else is still asked
            moment, candidate, planned = NOTHING, NOTHING, 0
            width = settings[RIVAL_WIDTH]
            if seat == thinker:
                width = settings[LATER_WIDTH]
                if choosing:
                    width = settings[WIDTH] if done < settings[STEPS] else 0.0
            if seat == thinker and choosing and done < taken:
                plan[0], planned = steps[done], 1
            elif width > 0.0 and knows[seat] and length < LONGEST_PATH:
                key = what_is_seen(deal_anew, trial, edition, seat, scratch)
                slot = find(tree, key)
                moment = tree.slots[slot]
                if moment == NOTHING:
                    planned = driver(trial, edition, seat, dice, plan)
                    moment = remember(tree, slot, key, plan[0])
                    knows[seat] = False
                else:
                    if tree.first[moment] == NOTHING:
                        widen(tree, moment, menu, legal(trial, edition, seat, menu), dice)
                    if tree.first[moment] != NOTHING:
                        candidate = pick(tree, moment, settings[EXPLORING], width, settings[TRUST])
                        plan[0], planned = tree.action[candidate], 1
                        if check(trial, edition, seat, plan[0]) != 0:
                            candidate, moment, planned = NOTHING, NOTHING, 0
                if moment != NOTHING:
                    path[length, 0], path[length, 1], path[length, 2] = moment, candidate, seat
                    length += 1
            if planned == 0:
                planned = driver(trial, edition, seat, dice, plan)
            for i in range(planned):
                if seat == thinker and choosing and done < PLAN:
                    steps[done] = plan[i]
                    done += 1
                status = apply(trial, edition, seat, plan[i], nobody)
            if seat == thinker and status != STEP:
                choosing = False
        if over(trial, edition):
            ranking(trial, edition, places)
            share_of_win(places, seats, chances)
        else:
            judge(standing, trial, edition, seats, network, figure_count, hidden, figures, chances)
        if not measured:
            standing(trial, edition, thinker, own)
        for i in range(length):
            learn(tree, path[i, 0], path[i, 1], chances[path[i, 2]])
        note_choice(account, steps, done, seats, chances, own)


@entry(DECIDE)
def decide(apply, deal_anew, driver, tree, root, edition, thinker, seed, steps):
    """The steps of the choice that the search has come to; where it knows nothing, the driver goes on."""
    trial, scratch = root.copy(), root.copy()
    plan, dice = np.zeros(PLAN, np.int64), np.zeros(4, np.uint64)
    seed_dice(dice, seed)
    nobody = silence()
    taken, status = 0, STEP
    while status == STEP and taken < PLAN:
        key = what_is_seen(deal_anew, trial, edition, thinker, scratch)
        moment = tree.slots[find(tree, key)]
        planned = 1
        if moment != NOTHING and tree.first[moment] != NOTHING:
            plan[0] = tree.action[favourite(tree, moment)]
        else:
            planned = driver(trial, edition, thinker, dice, plan)
        for i in range(planned):
            steps[taken] = plan[i]
            taken += 1
            status = apply(trial, edition, thinker, plan[i], nobody)
    return taken


@entry(JUDGE)
def judge_race(standing, race, edition, seats, figure_count, hidden, network, chances):
    """`judge`, from Python."""
    judge(standing, race, edition, seats, network, figure_count, hidden, np.zeros((seats, MOST_FEATURES)), chances)
