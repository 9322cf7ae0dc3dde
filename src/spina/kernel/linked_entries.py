"""Compiles entries that are linked together, and keeps their machine code in one file of the cache.

A file holds the machine code of some entries of one folder, for one kind of processor. The folder is private to the
sources (`code_folders`), so nothing else needs to be compared.
"""

from __future__ import annotations

import gc
import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from numba.core import compiler as numba_compiler
from numba.core import serialize, sigutils
from numba.core.caching import _Cache
from numba.core.compiler_lock import global_compiler_lock

from spina.kernel import code_folders, linker
from spina.kernel.signatures import STORY, Signature

if TYPE_CHECKING:
    from spina.kernel.compiler import Entry


class _File(NamedTuple):
    """What a file of the cache contains."""

    code: linker.LinkedCode
    entries: dict[str, Any]
    """By its key, what Numba knows of each entry."""


class _LinkedEntry(NamedTuple):
    """What Numba knows of an entry, apart from its code."""

    descriptor: Any
    environment: Any
    signature: Any


_open: dict[Path, tuple[_File, linker.LinkedLibrary]] = {}
"""The files that this process has loaded."""


def linked_together(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Which of these entries share their code: those that narrate, and those that do not.

    Apart from the former, LLVM finds out that nothing listens to the latter, and drops narration.
    """
    narrating = [entry for entry in entries if _narrates(entry)]
    silent = [entry for entry in entries if not _narrates(entry)]
    return [part for part in (silent, narrating) if part]


def _narrates(entry: Entry) -> bool:
    return isinstance(entry.signature, Signature) and STORY in entry.signature.parameters


def compile_entries(entries: Sequence[Entry], cache: Path, after_each: Callable[[], None]) -> None:
    """Compile some entries of one folder into its cache, and let their dispatchers use the code."""
    with _without_garbage_collection():
        compiled = {}
        for entry in entries:
            compiled[entry] = _front_end(entry)
            after_each()
        for part in linked_together(entries):
            path = _link(part, [compiled[entry] for entry in part], cache)
            for entry in part:
                _use(entry.dispatcher, _compile_result(entry.key, path, entry.dispatcher.targetctx))


@global_compiler_lock  # type: ignore[untyped-decorator]
def _front_end(entry: Entry) -> Any:
    """Numba's compile result of an entry whose code is still to be linked."""
    arguments, returned = sigutils.normalize_signature(entry.numba_signature)
    return entry.dispatcher._compiler.compile(arguments, returned)


@global_compiler_lock  # type: ignore[untyped-decorator]
def _link(entries: Sequence[Entry], results: Sequence[Any], cache: Path) -> Path:
    """Link what Numba compiled of some entries, save and load it; returns the file."""
    generator = entries[0].dispatcher.targetctx.codegen()
    name = code_folders.file_name(*(entry.key for entry in entries))
    code = linker.LinkedLibrary(generator, name).link([result.library for result in results])
    described = {}
    for entry, result in zip(entries, results, strict=True):
        result.fndesc.typemap = result.fndesc.calltypes = None  # large, and needed for compiling only
        described[entry.key] = _LinkedEntry(result.fndesc, result.environment, result.signature)
    file = _File(code, described)
    path = cache / name
    if code.portable:
        with suppress(OSError):  # a full disk: this process has the code all the same
            _write(path, serialize.dumps(file))
            code_folders.add_to_index(cache, described, name)
    _open[path] = file, linker.LinkedLibrary.loaded(generator, code)
    return path


class EntryCache(_Cache):  # type: ignore[misc]
    """What the dispatcher of an entry takes for Numba's cache."""

    def __init__(self, entry: Entry, folder: Path, on_miss: Callable[[], None]) -> None:
        self._entry, self._folder, self._on_miss = entry, folder, on_miss

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Numba's compile result of the entry. Compiles it by itself if no file contains it, or a damaged one does."""
        target_context.refresh()
        for name in code_folders.read_index(self._folder).get(self._entry.key, ()):
            if _load(self._folder / name, target_context.codegen()):
                return _compile_result(self._entry.key, self._folder / name, target_context)
        self._on_miss()
        path = _link([self._entry], [_front_end(self._entry)], self._folder)
        return _compile_result(self._entry.key, path, target_context)

    def save_overload(self, signature: Any, result: Any) -> None:
        """Nothing: what was compiled has been saved when it was linked."""

    @property
    def cache_path(self) -> str:
        return str(self._folder)

    def flush(self) -> None:
        """Nothing: the folder's name is the key, so nothing in it is ever out of date."""

    def enable(self) -> None:
        """Nothing: it is always enabled."""

    def disable(self) -> None:
        """Nothing: see `enable`."""


def _load(path: Path, generator: Any) -> bool:
    """Load a file of the cache; false if it is damaged or gone."""
    if path not in _open:
        with suppress(OSError, EOFError, pickle.UnpicklingError):
            file: _File = pickle.loads(path.read_bytes())
            _open[path] = file, linker.LinkedLibrary.loaded(generator, file.code)
    return path in _open


def _compile_result(key: str, path: Path, target_context: Any) -> Any:
    file, library = _open[path]
    entry: _LinkedEntry = file.entries[key]
    return numba_compiler.compile_result(
        target_context=target_context,
        typing_context=target_context.typing_context,
        library=library,
        environment=entry.environment,
        entry_point=target_context.get_executable(library, entry.descriptor, entry.environment),
        fndesc=entry.descriptor,
        type_annotation="",
        signature=entry.signature,
        objectmode=False,
        lifted=(),
        reload_init=(),
    )


def _use(dispatcher: Any, result: Any) -> None:
    dispatcher.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
    dispatcher.add_overload(result)


def _write(path: Path, content: bytes) -> None:
    """Write a file that another process sees as a whole or not at all."""
    part = path.with_suffix(f".{os.getpid()}")
    part.write_bytes(content)
    part.replace(path)


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Numba makes millions of objects that it needs to the end; looking through them takes a tenth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
