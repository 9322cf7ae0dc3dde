"""Small sets as the bits of an integer.

Compiled callers get one or a few instructions in the place of each function (`kernel/instructions.py`).
`tests/test_kernel_bits.py` compares the two.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spina.kernel.compiler import instruction


@instruction
def count_bits(bits: Any) -> int:
    """How many members the set has."""
    return int(bits).bit_count()


@instruction
def lowest_bit(bits: Any) -> int:
    """The smallest member of a set that is not empty."""
    members = int(bits)
    return (members & -members).bit_length() - 1


@instruction
def nth_bit(bits: Any, n: Any) -> int:
    """The n-th member of the set, counted from 0."""
    bits = int(bits)
    for _ in range(n):
        bits &= bits - 1
    return lowest_bit(bits)


@instruction
def under_highest(bits: Any) -> int:
    """All numbers below the largest member of the set; none if it is empty."""
    return (1 << int(bits).bit_length() >> 1) - 1 if bits else 0


@instruction
def filled(counts: Any, size: int) -> int:
    """The indices, below `size`, at which an array of 16-bit integers is not 0. `size` must be a constant."""
    return int.from_bytes(np.packbits(counts[:size] != 0, bitorder="little").tobytes(), "little")


@instruction
def crowded(sets: Any, size: int) -> int:
    """The indices, below `size`, at which an array of 16-bit sets holds two members or more; `size` as for `filled`."""
    return filled(sets & (sets - 1), size)
