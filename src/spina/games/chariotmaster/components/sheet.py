"""Reader of Chariotmaster's files: what its components need beyond the `Sheet` of all games.

Lengths are written in centimetres with at most two decimals and read as units, tenths of a millimetre. Scenarios and
tables of equipment have names that the file chooses. In a scenario plain values share one provenance, as the elements
of a list do.
"""

from __future__ import annotations

import re
from typing import Any

from spina.games.chariotmaster.components.refusals import say
from spina.games.chariotmaster.rules.record import CM, DEGREE
from spina.games.editions import Entry, Sheet, extent, joined, listed, quoted, shown
from spina.games.toml_lines import KEY
from spina.sentences import Sentence

_DECIMAL = re.compile(r"([+-]?)([0-9]{1,5})(?:\.([0-9]{1,2}))?")
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
SECTIONS = ("tokens", "base", "collisions", "tables", "equipment", "races", "designs")
"""The tables of an edition beside its scenarios: a file with none of them is a track file."""
PLACES = {
    0: say("chariotmaster.edition.no-decimals"),
    1: say("chariotmaster.edition.one-decimal"),
    2: say("chariotmaster.edition.two-decimals"),
}
NAME_FORM = say("chariotmaster.edition.name-form")


def decimal(word: str, places: int) -> int | None:
    """The number that a word stands for, in units of its last allowed decimal place; None if it is not a number."""
    match = _DECIMAL.fullmatch(word)
    if match is None or len(match[3] or "") > places:
        return None
    digits = int(match[2] + (match[3] or "").ljust(places, "0"))
    return -digits if match[1] == "-" else digits


def centimetres(units: int) -> str:
    """A length as a file writes it."""
    return f"{units / CM:.2f}".rstrip("0").rstrip(".")


def degrees(angle: int) -> str:
    """An angle as a file writes it."""
    return f"{angle / DEGREE:.1f}".removesuffix(".0")


def count(number: int, noun: str) -> str:
    """A number with its noun: 1 point, 2 points."""
    return f"{number} {noun}" if abs(number) == 1 else f"{number} {noun}s"


def span(low: int, high: int) -> Sentence:
    """A range of lengths, as a message shows it."""
    return say("chariotmaster.edition.range-cm", low=centimetres(low), high=centimetres(high))


class ComponentSheet(Sheet):
    """A file of Chariotmaster being read: a whole edition, or a track file with nothing but scenarios.

    Scenarios of a track file need no source: everything in it comes from its author.
    """

    def __init__(self, text: str, name: str) -> None:
        super().__init__(text, name)
        self.only_tracks = not self._data.keys() & {*SECTIONS}

    # --- tables whose names the file chooses

    def names(self, path: str, *, most: int) -> list[str]:
        """The names of the tables inside this one, as the file orders them."""
        table = self._table(path) or {}
        names: list[str] = []
        for name, inner in table.items():
            spot = joined(path, name)
            self._known.setdefault(path, {})[name] = None
            if not isinstance(inner, dict):
                self.problem(spot, say("chariotmaster.edition.not-a-table", spot=spot, inner=shown(inner)))
            elif len(name) > KEY or not _NAME.fullmatch(name):
                self.problem(spot, say("chariotmaster.edition.not-a-name", name=quoted(name), form=NAME_FORM))
                self._known[spot] = dict.fromkeys(inner)
            elif len(names) == most:
                self.problem(spot, say("chariotmaster.edition.one-too-many", spot=spot, most=most))
                self._known[spot] = dict.fromkeys(inner)
            else:
                names.append(name)
        if self.sound(path) and not names:
            self.problem(path, say("chariotmaster.edition.empty-table", path=path))
        return names

    def beside(self, path: str) -> None:
        """Record the provenance that all plain values of a table share."""
        table = self._table(path)
        if table is None:
            return
        if self.only_tracks and "source" not in table and "why" not in table:
            self._known.setdefault(path, {}).update(source=None, why=None)
        else:
            self._provenance(path, table, path)

    # --- plain values, whose provenance stands beside them

    def has(self, path: str) -> bool:
        """Whether the file has a value here; asking makes the key known."""
        parent, _, key = path.rpartition(".")
        self._known.setdefault(parent, {})[key] = None
        table = self._table(parent)
        return table is not None and key in table

    def plain(self, path: str, example: str) -> Any:
        """A value that shares its table's provenance; None if it is missing, which is noted as a problem."""
        parent, _, key = path.rpartition(".")
        if self.has(path):
            return (self._table(parent) or {})[key]
        if self._table(parent) is not None:
            self.problem(path, say("chariotmaster.edition.missing", path=path, key=key, example=example, parent=parent))
        return None

    def plain_integer(self, path: str, *, low: int, high: int) -> int:
        """A whole number; the lowest allowed one if there is a problem."""
        found = self.plain(path, extent(low, high))
        return low if found is None else self._bounded(path, path, found, low, high)

    def plain_integers(self, path: str, *, low: int, high: int, most: int) -> list[int]:
        """A list of whole numbers."""
        found = self.plain(path, "[1, 2]")
        if found is None:
            return []
        if not isinstance(found, list) or not 1 <= len(found) <= most:
            self.problem(path, say("chariotmaster.edition.not-numbers", path=path, found=shown(found), most=most))
            return []
        return [self._bounded(joined(path, i), joined(path, i), value, low, high) for i, value in enumerate(found)]

    def plain_length(self, path: str, *, low: int, high: int, places: int = 2) -> int:
        """A length in centimetres, as units; the lowest allowed one if there is a problem."""
        found = self.plain(path, centimetres(low))
        return low if found is None else self._length(path, path, found, low, high, places)

    def length(self, path: str, *, low: int, high: int, places: int = 1) -> int:
        """A length in centimetres with its own provenance, as units; the lowest allowed one if there is a problem."""
        spot, found = self._single(path, centimetres(low))
        return self._length(path, spot, found, low, high, places) if self.sound(path) else low

    def _length(self, path: str, spot: str, value: object, low: int, high: int, places: int) -> int:
        if (type(value) is int or type(value) is float) and abs(value) <= high:
            units = round(value * CM)
            if low <= units <= high and abs(units - value * CM) < 1e-6 and units % 10 ** (2 - places) == 0:
                return units
        self.problem(
            spot,
            say(
                "chariotmaster.edition.not-a-length",
                path=path,
                value=shown(value),
                range=span(low, high),
                places=PLACES[places],
            ),
        )
        return low

    def plain_text(self, path: str) -> str:
        """A line of text; empty if there is a problem."""
        found = self.plain(path, '"..."')
        if found is None:
            return ""
        if not isinstance(found, str) or not found.strip() or len(found) > KEY or not found.isprintable():
            self.problem(path, say("chariotmaster.edition.not-a-text", path=path, found=shown(found), most=KEY))
            return ""
        return found

    def plain_word(self, path: str, words: tuple[str, str]) -> str:
        """One of two words; the first if there is a problem."""
        found = self.plain(path, quoted(words[0]))
        if found is None:
            return words[0]
        if not isinstance(found, str) or found not in words:
            allowed = say("either", one=quoted(words[0]), other=quoted(words[1]))
            self.problem(path, say("chariotmaster.edition.not-allowed", path=path, found=shown(found), allowed=allowed))
            return words[0]
        return found

    def plain_entries(self, path: str, example: str, *, most: int) -> list[Entry]:
        """A list of texts."""
        found = self.plain(path, f"[{quoted(example)}]")
        if found is None:
            return []
        if not isinstance(found, list):
            self.problem(
                path, say("chariotmaster.edition.not-a-list", path=path, found=shown(found), example=quoted(example))
            )
            return []
        if len(found) > most:
            self.problem(joined(path, most), say("edition.list-too-long", path=path, most=most))
        entries: list[Entry] = []
        for index, value in enumerate(found[:most]):
            if isinstance(value, str):
                entries.append(Entry(joined(path, index), 1, " ".join(value.split())))
            else:
                text = say("edition.entry-not-text", value=shown(value))
                self.problem(joined(path, index), text)
        return entries


def unknown(what: Sentence, word: str, text: str, known: tuple[str, ...]) -> Sentence:
    """The message about a word that is none of those known."""
    return say(
        "chariotmaster.edition.unknown-word", what=what, word=quoted(word), text=quoted(text), known=listed(known)
    )
