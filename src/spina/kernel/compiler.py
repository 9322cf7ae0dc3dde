"""Two tiers from one source: kernels run as ordinary Python at once, and at machine speed as soon as they are compiled.

Kernels are plain Python functions under one of two decorators:

- `@kernel` for a function that only other kernels call. It stays the plain function that it is; compiled callers
  compile it with themselves.
- `@entry(signature)` for one that is called from Python or through a function pointer. Entries have one fixed
  signature and are kept in an on-disk cache, so that a game compiles once per machine. A call runs the Python function
  until the entries of its folder are loaded, and compiled code from then on: both work on the same bytes, so a race
  may change over in the middle.

`ready` waits for compiled code, `load` takes it if it is in the cache. Numba is imported by these, not before.

`SPINA_INTERPRET=1` in the environment keeps everything interpreted; `SPINA_COMPILE=wait` makes all that would begin
interpreted wait for compiled code (`spina.games.registry`).
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
import threading
import time
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from spina.kernel import code_folders

F = TypeVar("F", bound=Callable[..., Any])

INTERPRETED = os.environ.get("SPINA_INTERPRET", "0") not in ("", "0")
"""True when nothing is ever compiled."""
WAITS = os.environ.get("SPINA_COMPILE", "") == "wait"
"""True when nothing begins interpreted."""

_SPINA = Path(__file__).parents[1]
_unprepared: list[tuple[Any, Callable[[], Any]]] = []
"""Functions that Numba has not been told of, and what makes the Numba types that stand for them."""
_preparing = threading.RLock()
_prepared = False


# --- the decorators -------------------------------------------------------------------------------------------------


def kernel(function: F) -> F:
    """Have `function` compiled together with the entries that use it; called from Python it is what it was."""
    return compiled_as(lambda: numba_forms().kernel_type(function))(function)


def entry(signature: Any) -> Callable[[F], F]:
    """Have `function` compiled for one fixed signature, on demand, and keep it in the cache on disk."""

    def decorate(function: F) -> F:
        if INTERPRETED:
            return function
        found = _new_entry(function, signature)
        group = _groups.get(found.folder) or _groups.setdefault(found.folder, _Group(found.folder))
        group.add(found)
        compiled_as(lambda: numba_forms().entry_type(found))(found)
        return found  # type: ignore[return-value]

    return decorate


def instruction(function: F) -> F:
    """In compiled callers, let the function of the same name in `kernel/instructions.py` stand for this one."""
    return compiled_as(lambda: numba_forms().instruction_type(function.__name__))(function)


def compiled_as(make_type: Callable[[], Any]) -> Callable[[F], F]:
    """In compiled callers, let the Numba type that `make_type` returns stand for the decorated Python function."""

    def decorate(function: F) -> F:
        if not INTERPRETED:
            with _preparing:
                _unprepared.append((function, make_type))
                if _prepared:
                    prepare()
        return function

    return decorate


def prepare() -> None:
    """Tell Numba of all kernels, so that other Numba functions can call them. Compiling does this by itself."""
    global _prepared
    if INTERPRETED:
        return
    with _preparing:
        _prepared = True
        while _unprepared:
            function, make_type = _unprepared.pop()
            function._numba_type_ = make_type()  # where Numba looks for the type of an object that it does not know


def numba_forms() -> Any:
    """The module that knows Numba, imported when it is first needed."""
    return importlib.import_module("spina.kernel.numba_forms")


class Entry:
    """A kernel that Python calls: its Python function, until compiled code has taken its place.

    Python looks for `__call__` in the class, so each entry has a class of its own (`_new_entry`): a call costs no more
    than that of a method, and one assignment changes over, for all threads and all that refer to the entry.
    """

    def __init__(self, function: Callable[..., Any], signature: Any) -> None:
        functools.update_wrapper(self, function)
        self.py_func, self.signature = function, signature
        self.folder = Path(function.__code__.co_filename).parent
        self.key = f"{Path(function.__code__.co_filename).stem}.{function.__qualname__}"
        """Its name in the list of what is compiled."""

    __call__: Callable[..., Any]

    def __repr__(self) -> str:
        return f"<entry {self.__name__}, {'compiled' if self.is_compiled else 'interpreted'}>"  # type: ignore[attr-defined]

    @cached_property
    def dispatcher(self) -> Any:
        """Numba's dispatcher of the compiled form."""
        importlib.import_module("spina.kernel.outside_tables").place_tables()
        return numba_forms().entry_dispatcher(self)

    @property
    def numba_signature(self) -> Any:
        return numba_forms().numba_type(self.signature)

    @property
    def is_compiled(self) -> bool:
        """Whether calls run compiled code."""
        return vars(type(self))["__call__"].__func__ is not self.py_func

    def change_over(self) -> None:
        """Run compiled code from now on."""
        type(self).__call__ = staticmethod(self.dispatcher)  # type: ignore[method-assign]

    def __reduce__(self) -> str:
        return self.__qualname__  # type: ignore[attr-defined, no-any-return]


def _new_entry(function: Callable[..., Any], signature: Any) -> Entry:
    own_class = type("Entry", (Entry,), {"__call__": staticmethod(function), "__module__": __name__})
    return own_class(function, signature)  # type: ignore[no-any-return]


def folder_of(function: Any) -> Path:
    """The folder of the source that defines an entry."""
    return Path(getattr(function, "py_func", function).__code__.co_filename).parent


def folder_of_module(module: ModuleType) -> Path:
    """The folder of a module's source."""
    return Path(str(module.__file__)).parent


# --- groups of entries ----------------------------------------------------------------------------------------------


class _Group:
    """The entries that one folder of sources defines: compiled, linked, cached and changed over together."""

    def __init__(self, folder: Path) -> None:
        inside = folder.parent != _SPINA and (folder.parent / "__init__.py").is_file()
        self.name = (f"{folder.parent.name}-{folder.name}" if inside else folder.name).replace("_", "-")
        self.folder = folder
        self.pending: list[Entry] = []
        """Entries that are neither compiled nor loaded yet."""
        self.waiting: list[Entry] = []
        """Entries that are, and change over with the rest."""
        self.lock = threading.RLock()
        self.compiling = False
        """Whether this process is compiling it, and not merely loading."""
        self.compiled_ahead = 0
        """How many of its pending entries are compiled, but not linked and loaded yet."""

    @cached_property
    def cache(self) -> Path:
        """Where its compiled code is kept."""
        return code_folders.cache_folder(self.name, code_folders.fingerprint(self.folder))

    def add(self, found: Entry) -> None:
        """Add an entry; a module that is imported later may define more."""
        self.pending.append(found)

    @property
    def ready(self) -> bool:
        return not self.pending and not self.waiting

    def missing(self) -> list[Entry]:
        """Its pending entries that are not in the cache."""
        kept = code_folders.read_index(self.cache) if self.pending else {}
        return [found for found in self.pending if found.key not in kept]

    @property
    def left(self) -> int:
        """How many of its entries are still to be compiled or loaded. Those that are only to be linked count half."""
        return len(self.pending) - self.compiled_ahead // 2

    def finish(self, after_each: Callable[[], None]) -> None:
        """Compile what is missing, load all, then change over. Reports each entry when compiled and when loaded."""
        if self.missing():
            with code_folders.only_one(self.cache):
                self._compile(self.missing(), after_each)  # less, if another process has compiled meanwhile
        while self.pending:
            numba_forms().load_entry(self.pending[0])
            self.waiting.append(self.pending.pop(0))
            self.compiled_ahead = max(0, self.compiled_ahead - 1)
            after_each()
        while self.waiting:
            self.waiting.pop().change_over()

    def _compile(self, entries: list[Entry], after_each: Callable[[], None]) -> None:
        def compiled_one() -> None:
            self.compiled_ahead += 1
            after_each()

        try:
            if entries:
                numba_forms().compile_entries(entries, self.cache, compiled_one)
        except BaseException:
            self.compiled_ahead = 0
            raise


_groups: dict[Path, _Group] = {}


def _groups_of(folders: tuple[Path, ...]) -> list[_Group]:
    return [_groups[folder] for folder in folders if folder in _groups]


def is_ready(*folders: Path) -> bool:
    """Whether every entry defined in these folders runs compiled code."""
    return all(group.ready for group in _groups_of(folders))


def is_compiling(*folders: Path) -> bool:
    """Whether this process is compiling entries of these folders."""
    return any(group.compiling for group in _groups_of(folders))


def pending(*folders: Path) -> int:
    """How many entries of these folders are still to be compiled or loaded."""
    return sum(group.left for group in _groups_of(folders))


def in_cache(*folders: Path) -> bool:
    """Whether all entries of these folders are in the cache and need only be loaded."""
    return all(group.ready or not group.missing() for group in _groups_of(folders))


def load(*folders: Path) -> bool:
    """Change over to compiled code if all of it is in the cache; otherwise do nothing. Returns whether it is in use.

    Loads entry by entry, so that other threads go on in between.
    """
    if not in_cache(*folders):
        return False
    for group in _groups_of(folders):
        with group.lock:
            group.finish(lambda: None)
    return True


def ready(*folders: Path, report: Callable[[int], None] | None = None) -> None:
    """Make sure that every entry defined in these folders is compiled and in use.

    Says so on standard error if that takes a while, or calls `report` with the number of entries still to come: after
    each that is compiled, and after each that is linked and loaded.
    """
    for group in _groups_of(folders):
        if group.ready:
            continue
        with group.lock:
            missing = group.missing()
            line = _ProgressLine(group.name, 2 * len(missing)) if missing and report is None else None

            def after_each(line: _ProgressLine | None = line) -> None:
                if report is not None:
                    report(pending(*folders))
                elif line is not None:
                    line.step()

            group.compiling = bool(missing)
            try:
                group.finish(after_each)
            finally:
                group.compiling = False
            if line:
                line.end()
            if missing:
                code_folders.discard_stale(group.name, group.cache)


def warm_up(*folders: Path) -> threading.Thread:
    """Compile in the background; a later call of `ready` waits for it."""
    thread = threading.Thread(target=ready, args=folders, name="spina-warm-up", daemon=True)
    thread.start()
    return thread


class _ProgressLine:
    """One line on standard error while a game compiles for the first time."""

    def __init__(self, name: str, steps: int) -> None:
        self.name, self.steps, self.done, self.begun = name, steps, 0, time.monotonic()
        self.live = sys.stderr.isatty()
        self.say("…" if self.live else " (once on this machine) …\n")

    def say(self, tail: str) -> None:
        sys.stderr.write(f"{chr(13) if self.live else ''}Compiling {self.name}{tail}")
        sys.stderr.flush()

    def step(self) -> None:
        self.done = min(self.done + 1, self.steps)
        if self.live:
            filled = 24 * self.done // self.steps
            self.say(f" (once on this machine) [{'#' * filled}{'.' * (24 - filled)}]")

    def end(self) -> None:
        if self.live:
            self.say(f" (once on this machine): {time.monotonic() - self.begun:.0f} s{' ' * 24}\n")
