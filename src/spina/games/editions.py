"""Edition files: the components of a game as data, each value with its provenance.

An edition file is TOML. A single value is written with its provenance beside it,

    hand = { value = 8, source = "rulebook" }

and a list shares a table with its provenance:

    [die]
    source = "rulebook"
    faces = ["sprint", "attack"]

`why` says how a value was arrived at; a reconstructed one must have it. A `Sheet` reads such a file and
collects its problems with their lines, up to twenty, so that they can be fixed in one go. Files are untrusted:
their size, depth and number of entries are limited, and nothing in them is executed.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
import tomllib
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NamedTuple, NoReturn, TypeVar

import numpy as np

from spina.errors import EditionError
from spina.games.toml_lines import DEPTH as DEPTH  # re-exported
from spina.games.toml_lines import KEY, PROBLEMS
from spina.games.toml_lines import Lines as Lines
from spina.games.toml_lines import joined as joined
from spina.kernel.record import Bytes, blank, look
from spina.refusal_codes import say
from spina.sentences import Sentence
from spina.sentences import listed as listed

FORMAT = 1
"""The format of the edition files that are read here."""
SOURCES = ("rulebook", "review", "reconstructed", "printed")
"""Sources of a value; "printed": read off the printed game."""
SIZE = 256 * 1024
"""Most bytes in a file."""
TOO_BIG = say("edition.too-big", size=SIZE // 1024)
SHOWN = 60
"""Most characters of a file that a message repeats."""
HASH_BYTES = 16
KEY_BYTES = 8
"""Bytes of a hash that a record carries as its key."""
FILE = "edition.toml"
"""The file of the reference edition, in the package of its game."""
MOST_PARSED = 16
"""Size of the cache of parsed editions of a game, so that starting a race does not parse the text again."""
FORMER = "former"
"""The folder of former reference editions, for races that began with them."""

Value = int | Sequence[int] | Sequence[Sequence[int]]
Content = Mapping[str, Value]
"""The content of an edition by the fields of its record; lists have their own length, not the record's capacity."""


# --- editions -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Edition:
    """The components of a game, read and checked. Editions are equal when their names and components are."""

    game: str
    name: str
    hash: str
    """Hash of the components alone: the file's name, comments and provenance do not change it."""
    data: Bytes = field(repr=False, compare=False)
    """The record for the kernels, read-only."""
    text: str = field(repr=False, compare=False)
    """The file it was read from."""
    provenance: Mapping[str, str] = field(repr=False, compare=False)
    """The provenance of each value, by its path in the file."""
    layout: ClassVar[np.dtype[Any]]
    """The fields of the record; each game has its own."""

    @cached_property
    def _record(self) -> Any:
        return look(self.data, self.layout)

    def _numbers(self, name: str, count: int | None = None) -> tuple[int, ...]:
        """The values of a field of the record, or the first `count` of them."""
        return tuple(int(value) for value in self._record[name][:count])

    def _flags(self, name: str, count: int) -> tuple[bool, ...]:
        """The same for a field of booleans."""
        return tuple(bool(value) for value in self._record[name][:count])


def digest(game: str, content: Content) -> bytes:
    """The hash of an edition. It does not depend on the capacities of a record, so that these can grow."""
    said = {"format": FORMAT, "game": game, "content": content}
    line = json.dumps(said, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(line.encode(), digest_size=HASH_BYTES).digest()


def key(hashed: bytes) -> int:
    """The part of a hash that a record holds."""
    return int.from_bytes(hashed[:KEY_BYTES], "little", signed=True)


def fill(dtype: np.dtype[Any], content: Content, hashed: bytes) -> Bytes:
    """A read-only record that holds this content, and the key of its hash."""
    data = blank(dtype)
    record = look(data, dtype)
    record["key"] = key(hashed)
    for name, value in content.items():
        if isinstance(value, int):
            record[name] = value
        elif value:
            array = np.asarray(value)
            record[name][tuple(slice(length) for length in array.shape)] = array
    data.flags.writeable = False
    return data


def sealed(
    game: str, title: str, text: str, provenance: Mapping[str, str], layout: np.dtype[Any], *,
    content: Content, shapes: Content, derived: Content,
) -> dict[str, Any]:  # fmt: skip
    """The fields that editions of all games have. `shapes` goes into the hash only, `derived` into the record only."""
    hashed = digest(game, {**content, **shapes})
    return {
        "game": game,
        "name": title,
        "hash": hashed.hex(),
        "data": fill(layout, {**content, **derived}, hashed),
        "text": text,
        "provenance": provenance,
    }


def read_text(path: str | Path) -> str:
    """The text of an edition file. Raises EditionError if it cannot be read."""
    path, name = Path(path), str(path)
    try:
        if not path.exists():
            refuse(name, say("edition.no-file"))
        if not path.is_file():
            refuse(name, say("edition.not-a-file"))
        with path.open("rb") as file:
            raw = file.read(SIZE + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        refuse(name, say("edition.unreadable").reworded(f"the file cannot be read: {why}"))
    if len(raw) > SIZE:
        refuse(name, TOO_BIG)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        refuse(name, say("edition.not-utf-8"), line)


def refuse(name: str, text: Sentence, line: int = 1) -> NoReturn:
    """Raise EditionError with a single problem."""
    raise EditionError(name, [(line, text)])


AnyEdition = TypeVar("AnyEdition", bound=Edition, covariant=True)


class Files(Generic[AnyEdition]):
    """The editions of a game: files of its package, and players' files."""

    def __init__(self, package: str, parse: Callable[[str, str], AnyEdition]) -> None:
        self._package = package
        self._parse = parse
        self._parsed: OrderedDict[str, AnyEdition] = OrderedDict()
        self._lock = threading.Lock()

    def parse(self, text: str, name: str) -> AnyEdition:
        """The edition that this text describes; `name` is the file's name in an EditionError."""
        with self._lock:
            known = self._parsed.get(text)
            if known is not None:
                self._parsed.move_to_end(text)
                return known
        edition = self._parse(text, name)
        with self._lock:
            self._parsed[text] = edition
            if len(self._parsed) > MOST_PARSED:
                self._parsed.popitem(last=False)
        return edition

    def resource(self, name: str) -> str:
        """The text of a file of the package."""
        return (resources.files(self._package) / name).read_text(encoding="utf-8")

    def load(self, path: str | Path) -> AnyEdition:
        """The edition in this file."""
        return self.parse(read_text(path), str(path))

    def template(self) -> str:
        """The text of the reference edition, with comments for owners of the printed game who fill in its values."""
        return self.resource(FILE)

    def reference(self) -> AnyEdition:
        """The edition that races use by default."""
        return self._reference

    @cached_property
    def _reference(self) -> AnyEdition:
        return self.parse(self.template(), FILE)

    def kept(self, hashed: str, text: str | None) -> AnyEdition | None:
        """The edition of a stored race: parsed from its text, or without a text a present or former reference edition.

        None if no reference has this hash. Raises EditionError for a text that is no edition.
        """
        if text is not None:
            own = self.parse(text, "edition")
            return own if own.hash == hashed else None
        return self._reference if self._reference.hash == hashed else self._former.get(hashed)

    @cached_property
    def _former(self) -> dict[str, AnyEdition]:
        folder = resources.files(self._package) / FORMER
        files = sorted(folder.iterdir(), key=lambda file: file.name) if folder.is_dir() else []
        found = [self.parse(file.read_text(encoding="utf-8"), file.name) for file in files]
        return {edition.hash: edition for edition in found}


# --- the words of messages ------------------------------------------------------------------------------------------


def quoted(text: str) -> str:
    """A text in quotes, shortened, and safe to print."""
    if len(text) > SHOWN:
        text = text[: SHOWN - 3] + "..."
    return f'"{text}"' if text.isprintable() else json.dumps(text)


def shown(value: object) -> str:
    """A value from a file or a call, as a message shows it."""
    match value:
        case str():
            return quoted(value)
        case bool():
            return str(value).lower()
        case int():
            return str(value) if value.bit_length() < 64 else say("value.too-big")
        case dict():
            return say("value.table")
        case list():
            return say("value.list")
        case _:
            return str(value)


def extent(low: int, high: int) -> str:
    """A range of numbers, as a message shows it."""
    return str(low) if low == high else say("range", low=low, high=high)


# --- sheets ---------------------------------------------------------------------------------------------------------

_MISSING: Any = object()
_COUNTED = re.compile(r"([0-9]+)(?: ?[x×] ?| )(.+)")
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*+")
_WHERE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
TOML_COMPLAINTS = {
    "Expected '=' after a key": "toml.equals",
    "Invalid value": "toml.value",
    "Invalid statement": "toml.statement",
    "Expected newline or end of document": "toml.newline",
    "Invalid initial character for a key": "toml.key",
    "Unclosed array": "toml.array",
    "Unclosed inline table": "toml.inline-table",
    "Unterminated string": "toml.string",
    "Cannot overwrite a value": "toml.overwrite",
    "Cannot declare": "toml.twice",
    "Expected ']": "toml.header",
    "Illegal character": "toml.character",
    "Unescaped": "toml.escape",
}
"""Beginnings of the TOML parser's usual messages, with the codes for pages."""
_DIGITS = 6
"""Most digits of a count; longer ones are out of bounds in any case."""


def not_toml(message: str) -> Sentence:
    """The TOML parser's message as a sentence; pages translate the usual ones."""
    for said, code in TOML_COMPLAINTS.items():
        if message.startswith(said):
            return say("edition.not-toml-because", why=say(code)).reworded(f"not valid TOML: {message}")
    return say("edition.not-toml").reworded(f"not valid TOML: {message}")


def number_in(word: str, low: int, high: int) -> int | None:
    """The number that a word of a few digits stands for, or None if it is out of bounds."""
    if len(word) > _DIGITS or not (word.isascii() and word.isdigit()) or str(int(word)) != word:
        return None
    return int(word) if low <= int(word) <= high else None


class Entry(NamedTuple):
    """An entry of a list such as "3 x whip": its path in the file, its count, and its text."""

    path: str
    times: int
    text: str


class Sheet:
    """An edition file being read.

    Readers name a value by its path (`race.laps`). When something is wrong they note a problem and return a valid
    placeholder, so that reading can go on; `sound` tells whether a value is real.
    `finish` raises what was noted; the twentieth problem is raised with those before it at once.
    """

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self._sources: dict[str, str] = {}
        self._problems: dict[tuple[int, Sentence], None] = {}
        self._bad: set[str] = set()
        self._known: dict[str, dict[str, None]] = {}  # keys asked for, by table
        text = text.replace("\r\n", "\n")
        self._check_text(text)
        self._lines = Lines(text)
        self._data: dict[str, Any] = self._parsed(text)

    def _check_text(self, text: str) -> None:
        if len(text) > SIZE:
            refuse(self.name, TOO_BIG)
        try:
            text.encode()
        except UnicodeEncodeError as error:
            line = text.count("\n", 0, error.start) + 1
            refuse(self.name, say("edition.not-a-character", character=ascii(text[error.start])), line)

    def _parsed(self, text: str) -> dict[str, Any]:
        if self._lines.refusal:
            raise EditionError(self.name, [self._lines.refusal])
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            if self._lines.repeated:
                raise EditionError(self.name, self._lines.repeated) from None
            self._refuse_syntax(str(error))
        except (ValueError, RecursionError) as error:  # the scanner's limits should exclude this; handled for safety
            refuse(self.name, say("edition.not-toml").reworded(f"not valid TOML: {error}"))

    def _refuse_syntax(self, message: str) -> NoReturn:
        where = _WHERE.search(message)
        line = int(where[1]) if where and where[1] else self._lines.of_end()
        refuse(self.name, not_toml(_WHERE.sub("", message)), line)

    # --- problems

    def problem(self, path: str, text: Sentence) -> None:
        """Note that the value at this path, or the one that should be there, is wrong."""
        self._bad.add(path)
        self._note(path, text)

    def _note(self, path: str, text: Sentence) -> None:
        self._problems[self._lines.of(path), text] = None
        if len(self._problems) >= PROBLEMS:
            raise EditionError(self.name, sorted(self._problems))

    def sound(self, *paths: str) -> bool:
        """Whether nothing is wrong at these paths, around them or inside them."""
        return not any(
            f"{path}.".startswith(f"{bad}.") or bad.startswith(f"{path}.") for path in paths for bad in self._bad
        )

    def finish(self) -> None:
        """Report unknown keys, then raise EditionError if there are problems."""
        self._unknown_keys("", self._data)
        if self._problems:
            raise EditionError(self.name, sorted(self._problems))

    def _unknown_keys(self, path: str, table: dict[str, Any]) -> None:
        known = self._known[path]
        where = say("edition.in-key", path=path) if path else say("edition.at-the-top")
        for key, value in table.items():
            spot = joined(path, key)
            if key not in known:
                self._note(spot, say("edition.unknown-key", key=quoted(key), where=where, known=listed([*known])))
            elif isinstance(value, dict) and spot in self._known:
                self._unknown_keys(spot, value)

    def provenance(self) -> Mapping[str, str]:
        """The provenance of each value that was read, by its path."""
        return MappingProxyType(dict(self._sources))

    # --- finding values

    def has(self, table: str) -> bool:
        """Whether the file has a table of this name at the top."""
        return table in self._data

    def _table(self, path: str) -> dict[str, Any] | None:
        """The table at this path, or None, which is noted once as a problem."""
        here, walked = self._data, ""
        for key in path.split("."):
            self._known.setdefault(walked, {})[key] = None
            walked = joined(walked, key)
            found = here.get(key)
            if not isinstance(found, dict):
                if found is None:
                    self.problem(walked, say("edition.no-table", table=walked))
                else:
                    self.problem(walked, say("edition.not-a-table", table=walked, found=shown(found)))
                return None
            here = found
        return here

    def _find(self, path: str, example: str) -> Any:
        """The value at this path in its table, or _MISSING, which is noted as a problem."""
        parent, _, key = path.rpartition(".")
        self._known.setdefault(parent, {})[key] = None
        table = self._table(parent) if parent else self._data
        if table is None:
            return _MISSING
        if key not in table:
            where = say("edition.in-table", table=parent) if parent else say("edition.at-the-top")
            self.problem(path, say("edition.missing", path=path, key=key, example=example, where=where))
            return _MISSING
        return table[key]

    def _provenance(self, path: str, table: Mapping[str, Any], beside: str) -> None:
        """Record the provenance of the value at `path`, which the table `beside` gives."""
        self._known.setdefault(beside, {}).update(source=None, why=None)
        source, why = table.get("source"), table.get("why")
        allowed = listed(SOURCES)
        if source is None:
            self._note(path, say("edition.no-source", path=path, allowed=allowed))
        elif source not in SOURCES:
            self._note(joined(beside, "source"), say("edition.unknown-source", source=shown(source), allowed=allowed))
        elif source == "reconstructed" and why is None:
            self._note(joined(beside, "source"), say("edition.no-why", path=path))
        else:
            self._sources[path] = source
        if why is not None and not (isinstance(why, str) and why.strip()):
            self._note(joined(beside, "why"), say("edition.why-not-words", why=shown(why)))

    # --- readers

    def heading(self, game: str) -> str:
        """The three lines at the top of every edition: format, game, name. Returns the name."""
        version = self._find("format", str(FORMAT))
        if version is not _MISSING and (type(version) is not int or version != FORMAT):
            self.problem("format", say("edition.format", version=shown(version), format=FORMAT))
        written = self._find("game", quoted(game))
        if written is not _MISSING and written != game:
            self.problem("game", say("edition.other-game", written=shown(written), game=quoted(game)))
        name = self._find("name", '"My copy"')
        if name is _MISSING:
            return ""
        if not isinstance(name, str) or not name.strip() or len(name) > KEY or not name.isprintable():
            self.problem("name", say("edition.name", name=shown(name), most=KEY))
            return ""
        return name

    def integer(self, path: str, *, low: int, high: int) -> int:
        """A whole number with its provenance; the lowest allowed one if there is a problem."""
        spot, found = self._single(path, extent(low, high))
        return low if found is _MISSING else self._bounded(path, spot, found, low, high)

    def figures(self, table: str, bounds: Mapping[str, tuple[int, int]]) -> dict[str, int]:
        """Whole numbers of a table by their keys, each between its bounds."""
        return {key: self.integer(joined(table, key), low=low, high=high) for key, (low, high) in bounds.items()}

    def word(self, path: str) -> str:
        """A word of small letters with its provenance; empty if there is a problem."""
        spot, found = self._single(path, '"..."')
        if found is _MISSING:
            return ""
        if not isinstance(found, str) or len(found) > KEY or not _WORD.fullmatch(found):
            self.problem(spot, say("edition.not-a-word", path=path, found=shown(found)))
            return ""
        return found

    def _single(self, path: str, example: str) -> tuple[str, Any]:
        """A value with its provenance: its path, and the value or _MISSING, which is noted as a problem."""
        found = self._find(path, '{ value = ..., source = "..." }')
        if found is _MISSING:
            return path, _MISSING
        if not isinstance(found, dict):
            self._note(path, say("edition.value-without-source", path=path, found=shown(found)))
            return path, found
        self._known.setdefault(path, {})["value"] = None
        self._provenance(path, found, path)
        if "value" not in found:
            self.problem(path, say("edition.no-value", path=path, example=example))
        return joined(path, "value"), found.get("value", _MISSING)

    def _bounded(self, path: str, spot: str, value: object, low: int, high: int) -> int:
        if type(value) is int and low <= value <= high:
            return value
        self.problem(spot, say("edition.not-a-number", path=path, value=shown(value), range=extent(low, high)))
        return low

    def _list(self, path: str, example: str) -> list[Any]:
        """A list, with the provenance that stands beside it."""
        beside = path.rpartition(".")[0]
        found = self._find(path, example)
        table = self._table(beside)
        if table is not None:
            self._provenance(path, table, beside)
        if found is _MISSING:
            return []
        if not isinstance(found, list):
            self.problem(path, say("edition.not-a-list", path=path, found=shown(found), example=example))
            return []
        return found

    def integers(self, path: str, *, low: int, high: int, least: int, most: int) -> list[int]:
        """A list of whole numbers from `low` to `high`, as many as `least` to `most`."""
        found = self._list(path, "[1, 2, 3]")
        if self.sound(path) and not least <= len(found) <= most:
            self.problem(path, say("edition.length", path=path, count=len(found), range=extent(least, most)))
        elements = enumerate(found[:most])
        return [self._bounded(joined(path, i), joined(path, i), value, low, high) for i, value in elements]

    def entries(self, path: str, *, most: int) -> list[Entry]:
        """A list of texts, each with an optional count before it ("3 x whip"); together at most `most`."""
        entries: list[Entry] = []
        room = most
        for index, value in enumerate(self._list(path, '["...", "..."]')):
            entry = self._entry(joined(path, index), value)
            room -= entry.times if entry else 1
            if room < 0:
                self.problem(joined(path, index), say("edition.list-too-long", path=path, most=most))
                break
            if entry:
                entries.append(entry)
        return entries

    def choices(self, path: str, what: Sentence, names: Sequence[str], *, most: int) -> list[int]:
        """A list like that of `entries` whose texts are among these names, as the indices of the names."""
        found: list[int] = []
        for entry in self.entries(path, most=most):
            if entry.text in names:
                found += [names.index(entry.text)] * entry.times
            else:
                self.problem(
                    entry.path, say("edition.unknown-entry", what=what, text=quoted(entry.text), names=listed(names))
                )
        return found

    def _entry(self, path: str, value: object) -> Entry | None:
        if not isinstance(value, str):
            self.problem(path, say("edition.entry-not-text", value=shown(value)))
            return None
        text = " ".join(value.split())
        match = _COUNTED.fullmatch(text)
        if match is None:
            return Entry(path, 1, text)
        count = int(match[1]) if len(match[1]) <= _DIGITS else 10**_DIGITS
        if count == 0:
            self.problem(path, say("edition.counts-nothing", text=quoted(text)))
            return None
        return Entry(path, count, match[2])

    def adds_up(self, total: str, path: str, found: int, what: Sentence, *, low: int, high: int) -> None:
        """Compare the number that the file declares at `total` with what its list at `path` holds."""
        declared = self.integer(total, low=low, high=high)
        if self.sound(total, path) and declared != found:
            text = say("edition.does-not-add-up", total=total, declared=declared, what=what, path=path, found=found)
            self.problem(total, text)
