"""Quick ways to read a record from code that is not compiled.

NumPy is slow to find a record in bytes and its fields as attributes: a view of a race
that takes a millisecond with `look` takes a tenth of it here. Kernels keep to `look`, which they share with the
interpreter.
"""

from __future__ import annotations

import struct
from collections import namedtuple
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from spina.kernel.record import Bytes


@cache
def _without_attributes(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return np.dtype((np.void, dtype))


class Glance:
    """The fields of a record, read from its bytes at each access."""

    __slots__ = ("_record",)

    def __init__(self, data: Bytes, dtype: np.dtype[Any]) -> None:
        object.__setattr__(self, "_record", np.frombuffer(data, _without_attributes(dtype))[0])

    def __getattr__(self, name: str) -> Any:
        return self._record[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self._record[name] = value

    def __getitem__(self, name: str) -> Any:
        return self._record[name]


class Plain:
    """The fields of a record as numbers and lists, each read once, when it is first asked for.

    It shows the record as it was then; writing to it changes nothing.
    """

    def __init__(self, data: Bytes, dtype: np.dtype[Any]) -> None:
        self._bytes: Any = data.data
        self._places = _places(dtype)

    def __getattr__(self, name: str) -> Any:
        if name not in self._places:
            raise AttributeError(name)
        first, past, form, shape = self._places[name]
        part = self._bytes[first:past]
        value = part.cast(form, shape).tolist() if shape else part.cast(form)[0]
        self.__dict__[name] = value
        return value


@cache
def _places(dtype: np.dtype[Any]) -> dict[str, tuple[int, int, str, tuple[int, ...]]]:
    """For each field: its first byte, the one behind its last, the type of its numbers, and its shape."""
    fields: Mapping[str, Any] = dtype.fields or {}
    return {
        name: (offset, offset + kind.itemsize, kind.base.char, kind.shape)
        for name, (kind, offset, *_) in fields.items()
    }


def glance(data: Bytes, dtype: np.dtype[Any]) -> Any:
    """The record that lies in these bytes, for reading and writing some of its fields."""
    return Glance(data, dtype)


def plain(data: Bytes, dtype: np.dtype[Any]) -> Any:
    """The record that lies in these bytes as plain values, for reading many of them."""
    return Plain(data, dtype)


def reader(dtype: np.dtype[Any], *names: str) -> Callable[[Bytes], Any]:
    """A function that reads these fields of a record at once, as plain values with the names of the fields.

    Arrays are tuples, those of two dimensions lists of tuples. For many fields it takes a quarter of the time of
    `plain`, which looks for each of them. Fields are integers; ValueError for others, and for more dimensions.

    Examples:
        >>> from spina.kernel.record import record
        >>> kind = record([("turn", "i8"), ("deck", "i2", (3,)), ("hand", "i2", (2, 2))])
        >>> read = reader(kind, "hand", "turn")
        >>> read(np.zeros(kind.itemsize, np.uint8))
        Fields(hand=[(0, 0), (0, 0)], turn=0)
    """
    layout = {name: dtype.fields[name][:2] for name in names}  # type: ignore[index]
    pieces, places, rows, at, count = ["="], {}, [], 0, 0
    for name, (kind, offset) in sorted(layout.items(), key=lambda field: field[1][1]):
        if kind.base.kind not in "iu" or len(kind.shape) > 2:
            raise ValueError(f"{name} cannot be read as integers in at most two dimensions")
        size = kind.itemsize // kind.base.itemsize
        pieces.append(f"{offset - at}x{size}{_code(kind.base)}")
        places[name] = slice(count, count + size) if kind.shape else count
        at, count = offset + kind.itemsize, count + size
        if len(kind.shape) == 2:
            rows.append((names.index(name), size, kind.shape[1]))
    unpack: Callable[[Any], tuple[Any, ...]] = struct.Struct("".join(pieces)).unpack_from
    form: Any = namedtuple("Fields", names)  # type: ignore[misc]
    in_order = [places[name] for name in names]

    def read(data: Bytes) -> Any:
        numbers = unpack(data)
        values = [numbers[place] for place in in_order]
        for index, size, columns in rows:
            block = values[index]
            values[index] = [block[begin : begin + columns] for begin in range(0, size, columns)]
        return form._make(values)

    return read


def _code(kind: np.dtype[Any]) -> str:
    """The code of a number of the record in the formats of `struct`."""
    code = {1: "b", 2: "h", 4: "i", 8: "q"}[kind.itemsize]
    return code.upper() if kind.kind == "u" else code
