"""Records: the flat block of memory that holds a running race.

A race is one NumPy record. Kernels read its fields by name (`race.damage[seat]`), compiled and interpreted
alike; everything else treats it as a row of bytes that can be copied, hashed and handed to any game's rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
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
        if hasattr(np.void, name):
            raise ValueError(f"a field cannot be called {name}: interpreted, that is a method of the record")
    plain = np.dtype([*fields], align=True)
    missing = -plain.itemsize % WORD
    if missing:
        plain = np.dtype([*fields, ("_padding", "u1", (missing,))], align=True)
    if plain.itemsize % WORD:
        raise ValueError("a record needs at least one field of eight bytes, so that its length is whole words")
    return np.dtype((_element_class([name for name, *_ in fields]), plain))


def _element_class(names: Sequence[str]) -> type[np.void]:
    """A class of elements whose fields are properties: six times as fast to read as those of `np.record`, whose
    `__getattribute__` is Python. Interpreted rules do little else."""
    return type("Record", (np.void,), {"__slots__": (), **{name: _field(name) for name in names}})


def _field(name: str) -> property:
    def write(element: Any, value: Any) -> None:
        element[name] = value

    return property(itemgetter(name), write)


def blank(dtype: np.dtype[Any]) -> Bytes:
    """A zeroed record, as bytes."""
    return np.zeros(dtype.itemsize, np.uint8)


def look(data: Bytes, dtype: np.dtype[Any]) -> Any:
    """The record that lies in these bytes; writing to its fields writes to the bytes."""
    return data.view(dtype)[0]
