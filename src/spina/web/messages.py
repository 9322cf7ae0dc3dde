"""Message catalogue: every text that the browser shows, by id and language.

A message is a text with values in braces, or two such texts of which `count` chooses: `one` and `other`. The files are
`languages/LANGUAGE/AREA.json`; those of a game are `messages/LANGUAGE/AREA.json` in its web folder, and their area is
called `GAME.AREA`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from spina.games import find, names
from spina.games.game import Game
from spina.web import LANGUAGES

Message = str | dict[str, str]

DEFAULT = "en"
_BRACES = re.compile(r"\{([a-z_]+)\}")
_RANGE = re.compile(r"\s*([A-Za-z*]{1,8})(?:-[A-Za-z0-9-]*)?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?))?\s*")
MOST_RANGES = 20
"""Maximum number of ranges read from an Accept-Language header."""


class Messages:
    """The messages of all languages, read once."""

    def __init__(self, folder: Path = LANGUAGES) -> None:
        self._areas: dict[str, dict[str, dict[str, Message]]] = {}
        for path in sorted(folder.glob("*/*.json")):
            self._areas.setdefault(path.parent.name, {})[path.stem] = _read(path)
        self._all = {
            language: {id_: message for area in areas.values() for id_, message in area.items()}
            for language, areas in self._areas.items()
        }
        self._bundles: dict[tuple[str, tuple[str, ...]], bytes] = {}

    def add_game(self, game: Game) -> None:
        """Add the messages of a game. Where a language lacks one, its English text or a default is used."""
        files = {(path.parent.name, path.stem): _read(path) for path in game.web.message_files()}
        areas = dict.fromkeys(area for _, area in files)
        for language, known in self._areas.items():
            for area in areas:
                known[f"{game.name}.{area}"] = {**files.get((DEFAULT, area), {}), **files.get((language, area), {})}
                for id_, message in known[f"{game.name}.{area}"].items():
                    self._all[language].setdefault(id_, message)
            for id_, default in self._defaults(game, language).items():
                self._all[language].setdefault(id_, default)

    def _defaults(self, game: Game, language: str) -> dict[str, Message]:
        """Default messages of a game, made from its `Game` fields: every page needs them."""
        seats = {"low": game.seat_counts[0], "high": game.seat_counts[-1]}
        return {
            f"game.{game.name}": game.title,
            f"home.game.{game.name}": game.summary,
            f"home.facts.{game.name}": self.text(language, "home.facts", **seats),
            f"setup.edition.hint.{game.name}": self.text(language, "setup.edition.hint"),
        }

    @property
    def languages(self) -> tuple[str, ...]:
        """Codes of the languages, the default first."""
        return tuple(sorted(self._all, key=lambda language: (language != DEFAULT, language)))

    def areas(self, language: str) -> Mapping[str, Mapping[str, Message]]:
        """The messages of a language, by area."""
        return self._areas[language]

    def has(self, language: str, id_: str) -> bool:
        """Whether there is such a message."""
        return id_ in self._all.get(language, {})

    def text(self, language: str, id_: str, /, **params: object) -> str:
        """A message with its values filled in. An unknown id is its own text, so that the page still renders."""
        message = self._all.get(language, {}).get(id_)
        if message is None:
            message = self._all.get(DEFAULT, {}).get(id_, id_)
        if isinstance(message, dict):
            message = message["one" if params.get("count") == 1 else "other"]
        return _BRACES.sub(lambda match: str(params.get(match[1], match[0])), message)

    def negotiate(self, accept_language: str | None, chosen: str | None) -> str:
        """The language that a visitor has chosen, or else the best that the browser accepts."""
        if chosen in self._all:
            return chosen
        best, best_weight = DEFAULT, 0.0
        for part in (accept_language or "").split(",")[:MOST_RANGES]:
            match = _RANGE.fullmatch(part)
            if match is None:
                continue
            code, weight = match[1].lower(), float(match[2] or 1)
            if code in self._all and weight > best_weight:
                best, best_weight = code, weight
        return best

    def bundle(self, language: str, *areas: str) -> dict[str, Message]:
        """The messages of some areas, for a page. Unknown areas are left out."""
        known = self._areas[language]
        return {id_: message for area in areas for id_, message in known.get(area, {}).items()}

    def packed(self, language: str, areas: Iterable[str]) -> bytes:
        """The same as compact JSON. Raises KeyError for an unknown language or area."""
        key = language, tuple(areas)
        if key not in self._bundles:
            for area in key[1]:
                self._areas[language][area]
            packed = json.dumps(self.bundle(language, *key[1]), ensure_ascii=False, separators=(",", ":"))
            self._bundles[key] = packed.encode()
        return self._bundles[key]

    def url(self, language: str, areas: Iterable[str]) -> str:
        """The URL of these messages. It contains their hash, so that browsers can cache them for ever."""
        present = [area for area in areas if area in self._areas[language]]
        version = hashlib.sha256(self.packed(language, present)).hexdigest()[:12]
        return f"/messages/{language}/{'+'.join(present)}.json?v={version}"


def _read(path: Path) -> dict[str, Message]:
    read: dict[str, Message] = json.loads(path.read_text(encoding="utf-8"))
    return read


@cache
def messages() -> Messages:
    """The messages of Spina and of every installed game."""
    found = Messages()
    for name in names():
        found.add_game(find(name))
    return found


def text(language: str, id_: str, /, **params: object) -> str:
    """A message of Spina or an installed game."""
    return messages().text(language, id_, **params)


def negotiate(accept_language: str | None, cookie: str | None) -> str:
    """The language to use for a visitor, "en" or "es"."""
    return messages().negotiate(accept_language, cookie)


def bundle(language: str, *areas: str) -> dict[str, Message]:
    """The messages of some areas."""
    return messages().bundle(language, *areas)
