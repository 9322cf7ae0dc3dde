"""Small sets as the bits of an integer."""

from __future__ import annotations

from spina.kernel.compiler import kernel


@kernel
def count_bits(bits):
    """How many members the set has."""
    total = 0
    while bits:
        bits &= bits - 1
        total += 1
    return total


@kernel
def lowest_bit(bits):
    """The smallest member of a set that is not empty."""
    return count_bits((bits & -bits) - 1)


@kernel
def nth_bit(bits, n):
    """The n-th member of the set, counted from 0."""
    for _ in range(n):
        bits &= bits - 1
    return lowest_bit(bits)
