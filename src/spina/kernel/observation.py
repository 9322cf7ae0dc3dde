"""Kernels that write observations number by number; each returns the index at which the next number goes."""

from __future__ import annotations

from spina.kernel.compiler import kernel
from spina.kernel.signatures import BYTES, COMPONENTS, INT, NUMBERS, VOID, Array, Number

SINGLE = Number("float32")
OBSERVE = INT(BYTES, COMPONENTS, INT, Array(SINGLE))
"""(race, edition, seat, out) -> the count of numbers written; `out` must be all zeros."""
DESCRIBE = VOID(BYTES, COMPONENTS, INT, NUMBERS, INT, Array(SINGLE, 2))
"""(race, edition, seat, codes, count, out): a row for each action of the seat's menu; `out` must be all zeros."""


@kernel
def put(out, at, value):
    """Writes one number, clipped to -1..1."""
    out[at] = min(max(value, -1.0), 1.0)
    return at + 1


@kernel
def put_one_of(out, at, value, count):
    """Writes a one-hot block for a value from 0 to count - 1; any other value leaves the block at 0."""
    if 0 <= value < count:
        out[at + value] = 1.0
    return at + count


@kernel
def put_bits(out, at, bits, count):
    """Writes the lowest `count` bits of a number, one number for each bit."""
    for i in range(count):
        out[at + i] = bits >> i & 1
    return at + count
