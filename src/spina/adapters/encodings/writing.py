"""How kernels write observations: number after number, each block where the one before it ended."""

from __future__ import annotations

from spina.kernel.compiler import INTERPRETED, kernel

if INTERPRETED:
    OBSERVE = None
else:
    from numba import types

    from spina.kernel.interface import BYTES, COMPONENTS, INT

    OBSERVE = INT(BYTES, COMPONENTS, INT, types.Array(types.float32, 1, "C"))
"""(race, edition, seat, out) -> how many numbers were written; `out` must be all zeros."""


@kernel
def put(out, at, value):
    """Write one number, cut off at -1 and 1; returns where the next one goes."""
    out[at] = min(max(value, -1.0), 1.0)
    return at + 1


@kernel
def put_one_of(out, at, value, count):
    """Write 1 at the place of a value from 0 to count - 1; any other leaves the block at 0."""
    if 0 <= value < count:
        out[at + value] = 1.0
    return at + count


@kernel
def put_bits(out, at, bits, count):
    """Write the lowest bits of a number, each as a number of its own."""
    for i in range(count):
        out[at + i] = bits >> i & 1
    return at + count
