"""Numba's own cache of compiled entries, keyed by the content of the sources and not by their path.

Used only where entries cannot be linked together (`linker.INSTALLED`).

Numba's own cache is keyed by the path and the modification time of a source file, so a second checkout, a reinstall
or a file that was merely touched compiles everything anew. The folder given to `code_cache` is already keyed
by the content of every source that the compiled code can contain (`compiler.py`); nothing else needs to be compared.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

STAMP = 0
"""Stamp that Numba compares with the one in the index; constant, because the folder's name is the key."""


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Says where a function is cached: in this folder, under its module's and its own name."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> int:
        return STAMP

    def get_disambiguator(self) -> str:
        return "entry"


def code_cache(function: Callable[..., Any], folder: Path) -> FunctionCache:
    """The cache of a function's compiled code in this folder, which must be private to these sources."""

    class Located(_Locator):
        @classmethod
        def from_function(cls, py_func: Any, py_file: str) -> Any:
            return cls(folder)

    class Implementation(CompileResultCacheImpl):  # type: ignore[misc]
        _locator_classes = (Located,)

    class Cache(FunctionCache):  # type: ignore[misc]
        _impl_class = Implementation

    return Cache(function)
