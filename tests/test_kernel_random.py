"""The random generator against the numbers that its authors and other implementations publish."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from spina.kernel import random
from spina.kernel.compiler import INTERPRETED, prepare

if INTERPRETED:

    def compiled(function):  # type: ignore[no-untyped-def]
        return function
else:
    from numba import njit as compiled

    prepare()

next_word, below, shuffle, seed_dice, draw = (
    random.next_word, random.below, random.shuffle, random.seed_dice, random.draw,
)  # fmt: skip


@compiled
def words(dice, count):  # type: ignore[no-untyped-def]
    out = np.zeros(count, np.uint64)
    for i in range(count):
        out[i] = next_word(dice)
    return out


@compiled
def numbers(dice, bound, count):  # type: ignore[no-untyped-def]
    out = np.zeros(count, np.int64)
    for i in range(count):
        out[i] = below(dice, bound)
    return out


@compiled
def seeded(seed):  # type: ignore[no-untyped-def]
    dice = np.zeros(4, np.uint64)
    seed_dice(dice, seed)
    return dice


@compiled
def shuffled(dice, size, count):  # type: ignore[no-untyped-def]
    out = np.zeros((count, size), np.int64)
    for i in range(count):
        for k in range(size):
            out[i, k] = k
        shuffle(dice, out[i], size)
    return out


@compiled
def drawn(dice, counts, times):  # type: ignore[no-untyped-def]
    out = np.zeros(times, np.int64)
    for i in range(times):
        out[i] = draw(dice, counts, len(counts))
    return out


def dice(seed: int) -> NDArray[np.uint64]:
    made: NDArray[np.uint64] = random.new_dice(seed)
    return made


def test_xoshiro_gives_the_published_words() -> None:
    state = np.array([1, 2, 3, 4], np.uint64)
    assert words(state, 10).tolist() == [
        11520,
        0,
        1509978240,
        1215971899390074240,
        1216172134540287360,
        607988272756665600,
        16172922978634559625,
        8476171486693032832,
        10595114339597558777,
        2904607092377533576,
    ]


def test_splitmix_gives_the_published_words() -> None:
    assert random.nth_seeds(1234567, np.arange(5, dtype=np.uint64)).tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("seed", [0, 1, 7, 2**63, 2**64 - 1])
def test_dice_are_seeded_alike_inside_and_outside_the_kernel(seed: int) -> None:
    assert seeded(np.uint64(seed)).tolist() == dice(seed).tolist()


def test_seeds_of_more_than_64_bits_fill_the_whole_generator() -> None:
    """Rolled dice are public: they must not let a player find a table's seed by trying all seeds."""
    # blake2b of the seed's 32 bytes, low byte first, personalised with "spina seed"; four words, low byte first
    assert random.new_dice(2**64).tolist() == [
        10728941449737655366,
        16730116811295176110,
        10699576097833308617,
        9482321126063160876,
    ]
    seeds = [0, 1, 2**64 - 1, 2**64, 2**64 + 1, *(2**64 + 2**bit for bit in range(65, 256)), random.LARGEST_SEED]
    assert len({tuple(random.new_dice(seed).tolist()) for seed in seeds}) == len(seeds)
    assert len({random.short_seed(seed) for seed in seeds}) == len(seeds)
    assert random.short_seed(2**64 - 1) == 2**64 - 1


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 7, 147, 1000])
def test_bounded_draws_are_uniform(bound: int) -> None:
    count = max(20_000, 100 * bound) if not INTERPRETED else 2000
    found = np.bincount(numbers(dice(5), bound, count), minlength=bound)
    assert len(found) == bound
    expected = count / bound
    chi_square = float(((found - expected) ** 2 / expected).sum())
    assert chi_square < bound + 5 * (2 * bound) ** 0.5 + 5  # mean bound - 1, five standard deviations


def test_bounded_draws_reject_instead_of_favouring_low_numbers() -> None:
    """With a bound of 3 * 2**30 a plain multiplication would give some numbers twice as often as others."""
    bound = 3 * 2**30
    found = numbers(dice(11), bound, 30_000 if not INTERPRETED else 3000)
    assert abs(float((found % 3 == 0).mean()) - 1 / 3) < 0.03
    assert abs(float((found < bound // 2).mean()) - 0.5) < 0.03


def test_every_order_is_as_likely() -> None:
    count = 24_000 if not INTERPRETED else 2400
    found = Counter(map(tuple, shuffled(dice(3), 4, count).tolist()))
    assert set(found) == set(permutations(range(4)))
    assert all(abs(n - count / 24) < 6 * (count / 24) ** 0.5 for n in found.values())


def test_a_bag_is_drawn_empty_and_by_its_weights() -> None:
    counts = np.array([2, 0, 5, 1], np.int64)
    assert Counter(drawn(dice(2), counts, 8).tolist()) == {0: 2, 2: 5, 3: 1}
    assert counts.sum() == 0
    firsts = Counter(int(drawn(dice(seed), np.array([1, 3], np.int64), 1)[0]) for seed in range(400))
    assert 240 < firsts[1] < 360
