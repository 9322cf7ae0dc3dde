"""Quick ways to read a record from code that is not compiled.

NumPy is slow to find a record in bytes and its fields as attributes: a view of a race
that takes a millisecond with `look` takes a tenth of it here. Kernels keep to `look`, which they share with the
interpreter.
"""

from __future__ import annotations

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
        self._record = np.frombuffer(data, _without_attributes(dtype))[0]

    def __getattr__(self, name: str) -> Any:
        value = self._record[name].tolist()
        self.__dict__[name] = value
        return value


def glance(data: Bytes, dtype: np.dtype[Any]) -> Any:
    """The record that lies in these bytes, for reading and writing some of its fields."""
    return Glance(data, dtype)


def plain(data: Bytes, dtype: np.dtype[Any]) -> Any:
    """The record that lies in these bytes as plain values, for reading many of them."""
    return Plain(data, dtype)
