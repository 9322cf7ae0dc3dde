"""A digest of the code and data that decide a game's races: rules, components, drivers, search and weights."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

import spina
from spina.games import get
from spina.kernel.source_key import source_key

_SHARED = ("kernel", "bots", "race.py", "simulation.py", "lab/jobs.py", "lab/recording_kernel.py")
_DATA = (".json", ".npz", ".toml")
_LEFT_OUT = ("web", "pictures", "lesson", "encoding", "former")
"""Folders of a game that decide no race."""


def code_digest(game: str, *, studies: bool = False) -> str:
    """A digest of what decides the races of a game. `studies`: also of what its own studies measure (its `lab`).

    Comments, docstrings and layout do not change it. Programs, and bots of other packages, are not in it.
    """
    home = Path(spina.__file__).parent
    own = Path(str(sys.modules[type(get(game)).__module__].__file__)).parent
    left_out = _LEFT_OUT if studies else (*_LEFT_OUT, "lab")
    digest = hashlib.blake2b(digest_size=12)
    files = [path for name in _SHARED for path in _files(home / name)]
    files += [path for path in _files(own) if path.relative_to(own).parts[0] not in left_out]
    if studies:
        files += [path for name in ("games/studies", "lab/setups.py") for path in _files(home / name)]
    for path in files:
        content = path.read_bytes()
        key = source_key(content.decode()) if path.suffix == ".py" else hashlib.blake2b(content).hexdigest()
        digest.update(f"{path.name} {key}\n".encode())
    return digest.hexdigest()


def _files(place: Path) -> Iterator[Path]:
    """The sources and data files at a place, in a fixed order."""
    if place.is_dir():
        for path in sorted(place.rglob("*")):
            if path.suffix in (".py", *_DATA) and path.is_file():
                yield path
    elif place.is_file():
        yield place
