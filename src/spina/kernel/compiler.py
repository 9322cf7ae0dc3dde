"""The compile switch: one source, run at machine speed or step by step in a debugger.

Kernels are plain Python functions under one of two decorators:

- `@kernel` for a function that only other kernels call;
- `@entry(signature)` for one that is called from Python or through a function pointer. Entries have one fixed
  signature and are kept in an on-disk cache, so that a game compiles once per machine.

With `SPINA_INTERPRET=1` in the environment both leave the function as it is.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

INTERPRETED = os.environ.get("SPINA_INTERPRET", "0") not in ("", "0")
"""True when kernels run as ordinary Python."""

STALE_AFTER = 60 * 24 * 3600.0
"""Seconds after which the cache of an older source is thrown away."""

if INTERPRETED:
    # Generator and hash multiply modulo 2**64, as compiled code does silently. Elsewhere an overflow is a mistake.
    warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning, r"spina\.kernel\.(random|digest)")
else:
    import numba
    from numba.core.errors import NumbaExperimentalFeatureWarning

    from spina.kernel import linker
    from spina.kernel.code_cache import code_cache

    # Function pointers with explicit signatures are what lets one search serve every game. They are cached and
    # have kept their form for years; the warning would meet every user at every start.
    warnings.filterwarnings("ignore", message="First-class function", category=NumbaExperimentalFeatureWarning)


class _Group:
    """The entries that one folder of sources defines, compiled and cached together."""

    def __init__(self, folder: Path) -> None:
        inside = folder.parent != _SPINA and (folder.parent / "__init__.py").is_file()
        self.name = (f"{folder.parent.name}-{folder.name}" if inside else folder.name).replace("_", "-")
        self.cache = _cache_folder(self.name, _fingerprint(folder))
        self.pending: list[tuple[Any, Any]] = []
        self.lock = threading.RLock()


_SPINA = Path(__file__).parents[1]
_groups: dict[Path, _Group] = {}


def kernel(function: F) -> F:
    """Compile `function` together with the entries that use it."""
    if INTERPRETED:
        return function
    # Without the wrappers through which Python would call it, a kernel compiles in three quarters of the time.
    compiled = numba.njit(
        nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, **linker.KERNEL_OPTIONS
    )(function)
    return _with_plain_integers(compiled)  # type: ignore[no-any-return]


def entry(signature: Any) -> Callable[[F], F]:
    """Compile `function` for one fixed signature, on demand, and keep it in the cache on disk."""

    def decorate(function: F) -> F:
        if INTERPRETED:
            return function
        folder = folder_of(function)
        group = _groups.get(folder) or _groups.setdefault(folder, _Group(folder))
        compiled = numba.njit(nogil=True, error_model="numpy", **linker.ENTRY_OPTIONS)(function)
        compiled._cache = code_cache(function, group.cache)
        group.pending.append((compiled, signature))
        return compiled  # type: ignore[no-any-return]

    return decorate


def _with_plain_integers(compiled: Any) -> Any:
    """Let calls from other kernels pass every integer as 64 bits.

    Numba would compile a kernel once for each width of an argument, and again for each literal: 213 versions of the
    kernels of Charioteer instead of 149, in half as much time again.
    """
    ask = compiled.get_call_template

    def ask_plainly(arguments: Any, keywords: Any) -> Any:
        return ask(tuple(map(_plain, arguments)), {name: _plain(kind) for name, kind in keywords.items()})

    compiled.get_call_template = ask_plainly
    return compiled


def _plain(kind: Any) -> Any:
    kind = numba.types.unliteral(kind)
    narrow = isinstance(kind, numba.types.Integer) and kind != numba.types.uint64
    return numba.types.int64 if narrow else kind


def folder_of(function: Any) -> Path:
    """The folder of the source that defines an entry."""
    return Path(getattr(function, "py_func", function).__code__.co_filename).parent


def ready(*folders: Path) -> None:
    """Make sure that every entry defined in these folders is compiled, saying so if that takes a while."""
    for folder in folders:
        group = _groups.get(folder)
        if group is None:
            continue
        with group.lock:
            if group.pending:
                _compile(group)


def warm_up(*folders: Path) -> threading.Thread:
    """Compile in the background; a later call of `ready` waits for it."""
    thread = threading.Thread(target=ready, args=folders, name="spina-warm-up", daemon=True)
    thread.start()
    return thread


def _compile(group: _Group) -> None:
    done = group.cache / "compiled"
    progress = None if done.exists() else _Progress(group.name, len(group.pending))
    while group.pending:
        compiled, signature = group.pending[0]
        compiled.compile(signature)
        linker.settle_environments(compiled.targetctx.codegen())
        compiled.disable_compile()  # another argument type is a mistake, not a reason to compile again
        group.pending.pop(0)
        if progress:
            progress.step()
    if progress:
        progress.end()
        done.touch()
        _discard_stale(group)


class _Progress:
    """One line on standard error while a game compiles for the first time."""

    def __init__(self, name: str, steps: int) -> None:
        self.name, self.steps, self.done, self.begun = name, steps, 0, time.monotonic()
        self.live = sys.stderr.isatty()
        self.say("…" if self.live else " (once on this machine) …\n")

    def say(self, tail: str) -> None:
        sys.stderr.write(f"{chr(13) if self.live else ''}Compiling {self.name}{tail}")
        sys.stderr.flush()

    def step(self) -> None:
        self.done += 1
        if self.live:
            filled = 24 * self.done // self.steps
            self.say(f" (once on this machine) [{'#' * filled}{'.' * (24 - filled)}]")

    def end(self) -> None:
        if self.live:
            self.say(f" (once on this machine): {time.monotonic() - self.begun:.0f} s{' ' * 24}\n")


# --- where compiled code is kept ------------------------------------------------------------------------------------


def _fingerprint(folder: Path) -> str:
    """A hash of every source that the compiled code of `folder` can contain.

    Numba itself looks only at the file of the cached function, not at the kernels it calls in other files.
    """
    digest = hashlib.blake2b(digest_size=8)
    digest.update(f"{sys.version} {numba.__version__} {np.__version__}".encode())
    for path, text in sorted(_sources(folder).items()):
        digest.update(f"{path.name}\n{text}\n".encode())
    return digest.hexdigest()


_IMPORT = re.compile(r"^from (\w[\w.]*) import (\([^)]*\)|.*)$", re.MULTILINE)


def _sources(folder: Path) -> dict[Path, str]:
    """The modules of `folder` that define entries, and every module of Spina or of the folder's own package that they
    import, directly or not."""
    roots = {Path(__file__).parents[2], _import_root(folder)}
    sources: dict[Path, str] = {}
    waiting = [path for path in folder.glob("*.py") if "\n@entry(" in path.read_text(encoding="utf-8")]
    while waiting:
        path = waiting.pop()
        if path in sources or not path.is_file():
            continue
        sources[path] = path.read_text(encoding="utf-8")
        for module, names in _IMPORT.findall(sources[path]):
            for root in roots:
                place = root.joinpath(*module.split("."))
                waiting.append(place.with_suffix(".py"))
                waiting += [place / f"{name}.py" for name in re.findall(r"\w+", names)]
    return sources


def _import_root(folder: Path) -> Path:
    """The folder from which the package that `folder` belongs to is imported."""
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder


def _cache_folder(name: str, fingerprint: str) -> Path:
    """A private folder that can be written to, also when Spina itself is installed read-only."""
    for base in _cache_bases():
        folder = base / f"{name}-{fingerprint}"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _check_private(folder)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="spina-"))


def _cache_bases() -> Iterator[Path]:
    if chosen := os.environ.get("SPINA_CACHE_DIR"):
        yield Path(chosen)
    if sys.platform == "win32":
        yield Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "spina/compiled"
    elif sys.platform == "darwin":
        yield Path.home() / "Library/Caches/spina/compiled"
    else:
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "spina/compiled"
    yield Path(tempfile.gettempdir()) / f"spina-{os.getuid() if hasattr(os, 'getuid') else 'cache'}"


def _check_private(folder: Path) -> None:
    """Raise PermissionError if others can write to the folder: cached code is loaded and run."""
    if not hasattr(os, "getuid"):
        return
    for place in (folder, folder.parent):
        status = place.stat()
        if status.st_uid != os.getuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise PermissionError(f"{place} can be written to by others")


def _discard_stale(group: _Group) -> None:
    """Delete caches of older sources that have not been used for long."""
    for other in group.cache.parent.glob(f"{group.name}-*"):
        if other != group.cache and time.time() - other.stat().st_mtime > STALE_AFTER:
            shutil.rmtree(other, ignore_errors=True)
