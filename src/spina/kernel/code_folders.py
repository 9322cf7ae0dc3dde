"""Where compiled code is kept: a private folder for each set of sources, named by their content."""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path

from spina.file_lock import wait_for_lock
from spina.kernel.source_key import source_key

STALE_AFTER = 60 * 24 * 3600.0
"""Seconds after which the cache of an older source is thrown away."""

_KERNEL = Path(__file__).parent
_COMPILED_WITH = ("numba_forms.py", "linker.py", "linked_entries.py")
"""Sources of Spina that are in no compiled code but decide how it is compiled."""
_NOT_COMPILED = ("compiler.py", "signatures.py", "code_cache.py", "code_folders.py", "source_key.py")
"""Sources that kernels import for their decorators and types: no compiled code depends on them."""


def fingerprint(folder: Path) -> str:
    """A hash of every source that the compiled code of `folder` can contain, without comments and docstrings.

    Numba itself looks only at the file of the cached function, not at the kernels it calls in other files.
    """
    digest = hashlib.blake2b(digest_size=8)
    digest.update(f"{sys.version} {version('numba')} {version('numpy')}".encode())
    keys = _key_file()
    for path, text in sorted(sources(folder).items()):
        digest.update(f"{path.name}\n{source_key(text, keys)}\n".encode())
    return digest.hexdigest()


_IMPORT = re.compile(r"^from (\w[\w.]*) import (\([^)]*\)|.*)$", re.MULTILINE)


def sources(folder: Path) -> dict[Path, str]:
    """The modules of `folder` that define entries, and every module of Spina or of the folder's own package that they
    import, directly or not."""
    roots = {_KERNEL.parents[1], _import_root(folder)}
    ignored = {_KERNEL / name for name in _NOT_COMPILED}
    found: dict[Path, str] = {}
    waiting = [path for path in folder.glob("*.py") if "\n@entry(" in path.read_text(encoding="utf-8")]
    waiting += [_KERNEL / name for name in _COMPILED_WITH]
    while waiting:
        path = waiting.pop()
        if path in found or path in ignored or not path.is_file():
            continue
        found[path] = path.read_text(encoding="utf-8")
        for module, names in _IMPORT.findall(found[path]):
            for root in roots:
                place = root.joinpath(*module.split("."))
                waiting.append(place.with_suffix(".py"))
                waiting += [place / f"{name}.py" for name in re.findall(r"\w+", names)]
    return found


def _import_root(folder: Path) -> Path:
    """The folder from which the package that `folder` belongs to is imported."""
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder


# --- files in such a folder -----------------------------------------------------------------------------------------


def read_index(cache: Path) -> dict[str, list[str]]:
    """The keys of the entries in the cache that this processor can run, with the files that contain their code."""
    index: dict[str, list[str]] = {}
    with suppress(OSError):
        for line in (cache / "index").read_text(encoding="utf-8").splitlines():
            key, _, file = line.partition(" ")
            if file.endswith(processor()):
                index.setdefault(key, []).append(file)
    return index


def add_to_index(cache: Path, keys: Iterable[str], file: str) -> None:
    """Say that a file contains the code of these entries."""
    with (cache / "index").open("a", encoding="utf-8") as index:
        index.write("".join(f"{key} {file}\n" for key in keys))


def file_name(*keys: str) -> str:
    """The name of the file with the code of these entries, for this processor."""
    return f"{_short_hash(*keys)}.{processor()}"


@functools.cache
def processor() -> str:
    """A short name for the kind of processor that Numba writes code for."""
    from llvmlite import binding  # not needed before something is in the cache

    asked = (os.environ.get(name, "") for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_ENABLE_AVX"))
    features = binding.get_host_cpu_features().flatten()
    return _short_hash(binding.get_process_triple(), binding.get_host_cpu_name(), features, *asked)


def _short_hash(*words: str) -> str:
    return hashlib.blake2b("\n".join(words).encode(), digest_size=6).hexdigest()


@contextmanager
def only_one(cache: Path) -> Iterator[None]:
    """Wait until no other process is in this context with the same cache: nothing is compiled twice."""
    with (cache / "lock").open("w") as file:
        wait_for_lock(file.fileno())
        yield


def cache_folder(name: str, key: str) -> Path:
    """A private folder that can be written to, also when Spina itself is installed read-only."""
    for base in _cache_bases():
        folder = base / f"{name}-{key}"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _check_private(folder)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="spina-"))


def _key_file() -> Path | None:
    """The file that keeps the keys of sources; None if there is no private folder for it."""
    for base in _cache_bases():
        try:
            base.mkdir(mode=0o700, parents=True, exist_ok=True)
            _check_owned(base)
            return base / "source-keys"
        except OSError:
            continue
    return None


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
    for place in (folder, folder.parent):
        _check_owned(place)


def _check_owned(place: Path) -> None:
    if not hasattr(os, "getuid"):
        return
    status = place.stat()
    if status.st_uid != os.getuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(f"{place} can be written to by others")


def discard_stale(name: str, current: Path) -> None:
    """Delete caches of older sources of the same name that have not been used for long."""
    for other in current.parent.glob(f"{name}-*"):
        if other != current and time.time() - other.stat().st_mtime > STALE_AFTER:
            shutil.rmtree(other, ignore_errors=True)
