"""Signatures of entries, described without Numba, which is imported only when something is compiled or loaded.

`INT(BYTES, COMPONENTS, INT)` is an entry that takes the bytes of a race, those of its edition and a seat, and returns
a 64-bit integer.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Number(NamedTuple):
    """A number of this NumPy type; called with the types of parameters, it is the signature of an entry."""

    name: str

    def __call__(self, *parameters: Any) -> Signature:
        return Signature(self, parameters)


class Array(NamedTuple):
    """A contiguous array."""

    element: Number
    dimensions: int = 1
    readonly: bool = False


class Record(NamedTuple):
    """A named tuple with fields of these types."""

    record: type[Any]
    fields: tuple[Any, ...]


class Signature(NamedTuple):
    """What an entry returns and takes."""

    returned: Number
    parameters: tuple[Any, ...]


VOID = Number("void")
INT, WORD, REAL, TRUTH = Number("int64"), Number("uint64"), Number("float64"), Number("boolean")
_BYTE = Number("uint8")

BYTES = Array(_BYTE)
COMPONENTS = Array(_BYTE, readonly=True)
STORY = Array(Number("int32"), 2)
DICE = Array(WORD)
NUMBERS = Array(INT)
FEATURES = Array(REAL)
ADDRESSES = Array(INT)
