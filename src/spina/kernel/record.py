"""Records: the flat block of memory that holds a running race.

A race is one NumPy record. Kernels read its fields by name (`race.damage[seat]`), compiled and interpreted
alike; everything else treats it as a row of bytes that can be copied, hashed and handed to any game's rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Field = tuple[str, str] | tuple[str, str, tuple[int, ...]]

WORD = 8
"""Records are whole 64-bit words long, so that they can be hashed and copied word by word."""


def record(fields: Sequence[Field]) -> np.dtype[Any]:
    """A dtype whose elements give their fields as attributes, padded to whole words.

    Use signed fields for all arithmetic: interpreted NumPy keeps the width of a field where
    compiled code widens it, and an unsigned byte that is lowered below zero would differ between the two.
    """
    for name, *_ in fields:
        if hasattr(np.record, name):
            raise ValueError(f"a field cannot be called {name}: interpreted, that is a method of the record")
    plain = np.dtype([*fields], align=True)
    missing = -plain.itemsize % WORD
    if missing:
        plain = np.dtype([*fields, ("_padding", "u1", (missing,))], align=True)
    if plain.itemsize % WORD:
        raise ValueError("a record needs at least one field of eight bytes, so that its length is whole words")
    return np.dtype((np.record, plain))


def blank(dtype: np.dtype[Any]) -> Bytes:
    """A zeroed record, as bytes."""
    return np.zeros(dtype.itemsize, np.uint8)


def look(data: Bytes, dtype: np.dtype[Any]) -> Any:
    """The record that lies in these bytes; writing to its fields writes to the bytes."""
    return data.view(dtype)[0]
