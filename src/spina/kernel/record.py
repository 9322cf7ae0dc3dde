"""Records: the flat block of memory that holds a running race.

A race is one NumPy record. Kernels read its fields by name (`race.damage[seat]`), compiled and interpreted
alike; everything else treats it as a row of bytes that can be copied, hashed and handed to any game's rules.

Entries open the bytes with `fields`. Compiled, that is NumPy's record. Interpreted, numbers are Python's and arrays are
memoryviews, because NumPy takes two to five times as long for single numbers: it is meant for many at once. A
memoryview must be indexed with all its dimensions (`race.hand[seat, slot]`) and has no arithmetic of its own; `row`
and `as_words` are for kernels that need more of it than an element.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.kernel.compiler import compiled_as, numba_forms

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


@compiled_as(lambda: numba_forms().kernel_type(look))
def fields(data: Bytes, dtype: np.dtype[Any]) -> Any:
    """The record that lies in these bytes, for kernels; writing to its fields writes to the bytes."""
    kept = _opened.get(id(data))
    if kept is None or kept._dtype is not dtype:
        if len(_opened) >= MOST_OPEN:
            _opened.clear()
        kept = _fields_class(dtype)(data) if data.flags.writeable else _Fields(data, dtype)
        _opened[id(data)] = kept
    return kept


MOST_OPEN = 64
"""Most opened records that are kept: a race and its edition are opened at every call of an entry."""
_opened: dict[int, _Fields] = {}
"""By the identity of their bytes, which they keep alive."""


class _Fields:
    """The fields of a record for interpreted kernels, each read when it is first asked for and kept in the object.

    That fits read-only bytes. For others, `_fields_class` adds properties for numbers; arrays are views in any case.
    """

    def __init__(self, data: Bytes, dtype: np.dtype[Any]) -> None:
        self._data, self._dtype = data, dtype

    def __getattr__(self, name: str) -> Any:
        layout: Mapping[str, Any] = self._dtype.fields or {}
        if name not in layout:
            raise AttributeError(name)
        kind, offset = layout[name][:2]
        view = _view(self._data, kind, offset)
        self.__dict__[name] = view if kind.shape else view[0]
        return self.__dict__[name]


def _view(data: Any, kind: np.dtype[Any], offset: int) -> Any:
    """A memoryview of the field of this type at this place."""
    part = data[offset : offset + kind.itemsize].view(kind.base)
    return memoryview(part.reshape(kind.shape or 1))


@cache
def _fields_class(dtype: np.dtype[Any]) -> Callable[[Bytes], _Fields]:
    """The class of opened records of this type whose bytes may change."""
    numbers = {
        name: _word(offset // WORD) if kind == np.int64 else _number(kind, offset)
        for name, (kind, offset, *_) in (dtype.fields or {}).items()
        if not kind.shape
    }

    def open_bytes(self: Any, data: Any) -> None:
        self._data, self._dtype, self._words = data, dtype, memoryview(data).cast("q")

    return type("Fields", (_Fields,), {**numbers, "__init__": open_bytes})


def _word(place: int) -> property:
    """A field that is a signed 64-bit number, as nearly all are."""

    def read(fields: Any) -> Any:
        return fields._words[place]

    def write(fields: Any, value: Any) -> None:
        fields._words[place] = int(value)

    return property(read, write)


def _number(kind: np.dtype[Any], offset: int) -> property:
    """A field that is another number."""
    key = f"_at_{offset}"

    def view(fields: Any) -> Any:
        found = fields.__dict__.get(key)
        if found is None:
            found = fields.__dict__[key] = _view(fields._data, kind, offset)
        return found

    def write(fields: Any, value: Any) -> None:
        view(fields)[0] = value

    return property(lambda fields: view(fields)[0], write)


@compiled_as(lambda: numba_forms().kernel_type(_row))
def row(block: Any, number: int) -> Any:
    """One row of an array field, for functions that look at all of it at once."""
    return np.asarray(block)[number]


def _row(block: Any, number: int) -> Any:
    return block[number]


@compiled_as(lambda: numba_forms().kernel_type(_as_words))
def as_words(block: Any) -> Any:
    """The signed 64-bit words of an array field, for kernels that look at many small elements at once."""
    return block.cast("B").cast("q")


def _as_words(block: Any) -> Any:
    return block.view(np.int64)


@compiled_as(lambda: numba_forms().kernel_type(_elements))
def elements(block: Any) -> Any:
    """An array argument of an entry, for kernels that read or write single elements of it."""
    return memoryview(block)


def _elements(block: Any) -> Any:
    return block


@compiled_as(lambda: numba_forms().number_class(np.int64))
def whole(number: Any) -> int:
    """A whole number: of 64 bits when compiled, Python's own when interpreted."""
    return int(number)


class Table(np.ndarray[Any, Any]):
    """A constant array of one dimension whose elements are Python's numbers when kernels are interpreted."""

    __getitem__ = np.ndarray.item  # type: ignore[assignment]


def table(values: NDArray[Any]) -> Any:
    """The array as a table for kernels, which index it by one number."""
    if values.ndim != 1:
        raise ValueError("a table has one dimension")
    return values.view(Table)


def look(data: Bytes, dtype: np.dtype[Any]) -> Any:
    """The record that lies in these bytes; writing to its fields writes to the bytes."""
    return data.view(dtype)[0]
