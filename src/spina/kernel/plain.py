"""A record as plain Python values, for code that reads many fields and is not compiled."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from spina.kernel.record import Bytes


@cache
def _without_attributes(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """NumPy looks up fields as attributes slowly: thirty times slower than by name on a plain record."""
    return np.dtype((np.void, dtype))


class Plain:
    """The fields of a record as numbers and lists, each read once, when it is first asked for.

    It shows the record as it was then; writing to it changes nothing.
    """

    def __init__(self, data: Bytes, dtype: np.dtype[Any]) -> None:
        self._record = data.view(_without_attributes(dtype))[0]

    def __getattr__(self, name: str) -> Any:
        value = self._record[name].tolist()
        self.__dict__[name] = value
        return value


def plain(data: Bytes, dtype: np.dtype[Any]) -> Any:
    """The record that lies in these bytes, to be read only."""
    return Plain(data, dtype)
