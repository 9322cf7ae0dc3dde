"""A generic encoding for games that offer none: the values of the seat's view, in a fixed order and scale.

A view is nested plain data whose lists grow and shrink. So some random races are played first, always the same; every
path that occurs in their views gets numbers of its own: one for a number, a one-hot block for a text. Later values on
other paths are left out, and greater numbers are clipped.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import numpy as np

from spina.games.encoding import Encoding, MenuEncoding, Numbers, RaceFormat
from spina.games.game import Game
from spina.kernel.narration import new_story
from spina.kernel.random import new_dice
from spina.kernel.record import Bytes, blank

RACES = 3
STEPS = 400
"""Actions of each random race that are looked at."""
MOST_TEXTS = 32
"""Texts on one path beyond which they are taken for names, and left out."""
_SILENT = new_story(0)[:0]

Schema = dict[str, float | tuple[str, ...]]
"""By path: the scale of a number, or the texts of a one-hot block."""
_schemas: dict[str, Schema] = {}
_MOST_SCHEMAS = 64


def without_ready(view: Any) -> Any:
    """A view as plain data without its fields `ready`: an observation does not say who has chosen already."""
    return _stripped(msgspec.to_builtins(view))


def _stripped(data: Any) -> Any:
    if isinstance(data, dict):
        return {name: _stripped(value) for name, value in data.items() if name != "ready"}
    return [_stripped(value) for value in data] if isinstance(data, list) else data


def leaves(data: Any, seat: int, seats: int, path: str = "") -> Iterator[tuple[str, Any]]:
    """The values of a view with their paths, as the seat counts seats: itself as 0, then in the order of play."""
    if isinstance(data, Mapping):
        for name, value in data.items():
            if isinstance(value, int) and (name == "seat" or name.endswith("_seat")) and 0 <= value < seats:
                value = (value - seat) % seats
            yield from leaves(value, seat, seats, f"{path}.{name}" if path else str(name))
    elif isinstance(data, list | tuple):
        items = list(data)
        if all(isinstance(each, Mapping) and isinstance(each.get("seat"), int) for each in items):
            items.sort(key=lambda each: (each["seat"] - seat) % seats)
        for number, value in enumerate(items):
            yield from leaves(value, seat, seats, f"{path}.{number}")
    elif data is not None:
        yield path, data


class ViewEncoding(Encoding):
    """The values of the seat's view as numbers. `view_encoding` makes one."""

    def __init__(self, races: RaceFormat, game: Game) -> None:
        super().__init__(races)
        self._view, self._schema = game.view, _schema_of(game, races)
        names: list[str] = []
        self._begins: dict[str, int] = {}
        for path, kind in self._schema.items():
            self._begins[path] = len(names)
            names += [path] if isinstance(kind, float) else [f"{path} = {text}" for text in kind]
        self.names = tuple(names)

    def observe(self, data: Bytes, seat: int) -> Numbers:
        """What the seat may know, as numbers from -1 to 1."""
        out = np.zeros(len(self.names), np.float32)
        view = without_ready(self._view(data, self.edition, seat))
        for path, value in leaves(view, seat, self.seats):
            kind = self._schema.get(path)
            if isinstance(kind, tuple):
                if value in kind:
                    out[self._begins[path] + kind.index(value)] = 1.0
            elif kind is not None and isinstance(value, int | float):
                out[self._begins[path]] = min(max(float(value) / kind, -1.0), 1.0)
        return out


class MenuViewEncoding(ViewEncoding, MenuEncoding):
    """The same for games whose actions are entries of a menu."""


def view_encoding(game: Game, races: RaceFormat) -> ViewEncoding:
    """The generic encoding of a game."""
    return (ViewEncoding if game.lists_all else MenuViewEncoding)(races, game)


def _schema_of(game: Game, races: RaceFormat) -> Schema:
    key = json.dumps([game.name, races.edition.hash, races.seats, sorted(races.options.items())], default=str)
    if key not in _schemas:
        if len(_schemas) >= _MOST_SCHEMAS:
            _schemas.clear()
        _schemas[key] = _sampled(game, races)
    return _schemas[key]


def _sampled(game: Game, races: RaceFormat) -> Schema:
    """The paths of the views of some random races, with the greatest numbers and all texts on them."""
    scales: dict[str, float] = {}
    texts: dict[str, set[str]] = {}
    for data, seat in _random_positions(game, races):
        view = without_ready(game.view(data, races.edition, seat))
        for path, value in leaves(view, seat, races.seats):
            if isinstance(value, str):
                texts.setdefault(path, set()).add(value)
            elif isinstance(value, int | float) and np.isfinite(value):
                scales[path] = max(scales.get(path, 1.0), abs(float(value)))
    schema: Schema = {}
    for path in sorted({*scales, *texts}):
        if path in scales:
            schema[path] = scales[path]
        elif len(texts[path]) <= MOST_TEXTS:
            schema[path] = tuple(sorted(texts[path]))
    return schema


def _random_positions(game: Game, races: RaceFormat) -> Iterator[tuple[Bytes, int]]:
    """Positions of random races, each with a seat: all seats at the beginning and the end, else the one that acts."""
    rules, components, seats = game.rules, races.edition.data, races.seats
    codes = game.encode_options(seats, races.options, races.edition)
    listed = np.zeros(game.longest_menu, np.int64)
    for seed in range(RACES):
        chance, data = random.Random(seed), blank(game.record)
        rules.set_up(data, components, codes, new_dice(seed))
        yield from ((data, seat) for seat in range(seats))
        for _ in range(STEPS):
            bits = int(rules.acting(data, components))
            if not bits or rules.over(data, components):
                break
            seat = (bits & -bits).bit_length() - 1
            count = int(rules.legal(data, components, seat, listed))
            yield data, seat
            rules.apply(data, components, seat, int(listed[chance.randrange(count)]), _SILENT)
            yield data, seat
        yield from ((data, seat) for seat in range(seats))
