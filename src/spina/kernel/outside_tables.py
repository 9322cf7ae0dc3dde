"""Large tables that compiled code reads where they lie in memory.

Numba copies an array that a kernel refers to into the code of each entry that uses it, and so into each file of the
cache. Code that reads an outside table contains only the name of a symbol, which stands for the table's address.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from typing import Any

from numpy.typing import NDArray

from spina.kernel.compiler import INTERPRETED, compiled_as, numba_forms

Table = NDArray[Any]

_unplaced: list[tuple[str, Callable[[], Table]]] = []
_placed: list[Table] = []
"""Compiled code has their addresses, so they are kept for ever."""
_placing = threading.Lock()


def outside_table(read: Callable[[], Table]) -> Callable[[], Table]:
    """Let kernels call `read`, a function that reads a table. It runs once, when the table is first needed.

    The shape and the type of the elements are part of the compiled code, so only sources may decide them.
    """
    once = cache(read)
    if not INTERPRETED:
        symbol = f"{read.__module__}.{read.__qualname__}"
        _unplaced.append((symbol, once))
        compiled_as(lambda: numba_forms().table_type(symbol, once()))(once)
    return once


def place_tables() -> None:
    """Tell LLVM where the tables lie. Code that names an unknown symbol would end the process when it is loaded."""
    with _placing:
        while _unplaced:
            symbol, read = _unplaced.pop()
            _placed.append(read())
            numba_forms().define_symbol(symbol, _placed[-1].ctypes.data)
