"""Figures of the rules pages: pictures that are drawn from positions and from what the rules do with them.

A game lists its figures in `web/figures/figures.json`. `python tools/rule_figures.py` plays each one, lets the game's
`pictures/figures.py` draw it and writes `web/figures/ID.svg`; a test says when a file is out of date. The caption and
the text for screen readers are the messages `rules.GAME.figure.ID` and `rules.GAME.figure.ID.alt`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from spina.games.game import Event
from spina.typed_data import ready

FOLDER = "figures"
LIST = f"{FOLDER}/figures.json"
_BOX = re.compile(r'viewBox="[-0-9.]+ [-0-9.]+ ([0-9.]+) ([0-9.]+)"')


class Figure(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A figure: a scene, which is a position and actions, or a chart of a table."""

    id: str
    entries: tuple[str, ...] = ()
    """The entries of the short rules that show it, such as "turn.3"; the complete rules name it themselves."""
    position: dict[str, Any] | None = None
    """As `spina.position` takes it."""
    play: tuple[tuple[int, str], ...] = ()
    """Seats and their actions, in order."""
    show: dict[str, Any] = {}
    """What the game's drawing needs to know besides."""
    chart: str | None = None
    """The name of a chart in the game's `pictures/figures.py`."""


@dataclass(frozen=True)
class Scene:
    """What happened in a figure: the views of all that is public, and the events between."""

    before: Any
    after: Any
    events: Sequence[Event]


def read(path: Path) -> list[Figure]:
    """The figures of a list. Raises msgspec.ValidationError for a mistake in it."""
    return msgspec.json.decode(path.read_bytes(), type=ready(list[Figure]))


def size(path: Path) -> tuple[float, float]:
    """Width and height of a figure's file, in its own units."""
    found = _BOX.search(path.read_text(encoding="utf-8")[:1000])
    if found is None:
        raise ValueError(f"{path.name}: no view box")
    return float(found[1]), float(found[2])
