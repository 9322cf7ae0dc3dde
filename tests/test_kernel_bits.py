"""Small sets: the Python form of each function against the instructions that compiled callers get."""

from __future__ import annotations

import random

import numpy as np
import pytest

from spina.kernel import bits
from spina.kernel.compiler import INTERPRETED, prepare

if INTERPRETED:

    def compiled(function):  # type: ignore[no-untyped-def]
        return function
else:
    from numba import njit as compiled

    prepare()

count_bits, lowest_bit, nth_bit, under_highest = bits.count_bits, bits.lowest_bit, bits.nth_bit, bits.under_highest
filled, crowded = bits.filled, bits.crowded
FEW, MANY = 12, 32
SETS = [1, 2, 3, 1 << 57, (1 << 58) - 1, *(random.Random(size).getrandbits(size) | 1 << size for size in range(1, 60))]


@compiled
def of_set(members):  # type: ignore[no-untyped-def]
    return count_bits(members), lowest_bit(members), under_highest(members)


@compiled
def nth(members, n):  # type: ignore[no-untyped-def]
    return nth_bit(members, n)


@compiled
def of_rows(few, many):  # type: ignore[no-untyped-def]
    return filled(few, FEW), crowded(few, FEW), filled(many, MANY), crowded(many, MANY)


@pytest.mark.parametrize("members", SETS)
def test_sets(members: int) -> None:
    listed = [n for n in range(64) if members >> n & 1]
    for count, lowest, under in (
        of_set(members),
        (count_bits(members), lowest_bit(members), under_highest(members)),
    ):
        assert (count, lowest, under) == (len(listed), listed[0], (1 << listed[-1]) - 1)
    assert [nth(members, n) for n in range(len(listed))] == listed == [nth_bit(members, n) for n in range(len(listed))]


def test_the_empty_set() -> None:
    assert of_set(0)[0] == count_bits(0) == 0
    assert of_set(0)[2] == under_highest(0) == 0


def test_fields_of_a_record_are_sets_too() -> None:
    """Fields are narrower than 64 bits, and interpreted NumPy keeps their width."""
    for members in (1, 5, 128, 0x7FFF):
        narrow = np.int16(members)
        assert of_set(narrow) == of_set(members) == (count_bits(narrow), lowest_bit(narrow), under_highest(narrow))


def test_rows() -> None:
    chance = np.random.default_rng(5)
    for _ in range(200):
        few, many = (chance.integers(0, 5, size).astype(np.int16) for size in (FEW, MANY))
        wanted = []
        for row in (few, many):
            wanted.append(sum(1 << i for i, members in enumerate(row) if members))
            wanted.append(sum(1 << i for i, members in enumerate(row) if int(members).bit_count() > 1))
        assert list(of_rows(few, many)) == wanted
        assert [filled(few, FEW), crowded(few, FEW), filled(many, MANY), crowded(many, MANY)] == wanted
