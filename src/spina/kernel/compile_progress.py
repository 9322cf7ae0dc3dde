"""Progress of compilation, for pages that wait for it.

No kernel imports this module, so it can change without anything being compiled anew.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, SupportsIndex

from spina.kernel import compiler as switch


def in_cache(*folders: Path) -> bool:
    """Whether all entries of these folders are in the cache and need only be loaded."""
    groups = [switch._groups[folder] for folder in folders if folder in switch._groups]
    return all(not group.pending or (group.cache / "compiled").exists() for group in groups)


def pending(*folders: Path) -> int:
    """How many entries of these folders are still to be compiled or loaded."""
    return sum(len(switch._groups[folder].pending) for folder in folders if folder in switch._groups)


def ready(*folders: Path, report: Callable[[int], None]) -> None:
    """Compile the entries of these folders, reporting after each how many are left."""
    for folder in folders:
        if folder in switch._groups:
            group = switch._groups[folder]
            group.pending = _Counted(group.pending, lambda: report(pending(*folders)))
    switch.ready(*folders)


class _Counted(list[tuple[Any, Any]]):
    """A list that calls `tell` after each removal."""

    def __init__(self, content: list[tuple[Any, Any]], tell: Callable[[], None]) -> None:
        super().__init__(content)
        self._tell = tell

    def pop(self, index: SupportsIndex = -1) -> tuple[Any, Any]:
        taken = super().pop(index)
        self._tell()
        return taken
