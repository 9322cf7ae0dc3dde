"""Edition files: the components of a game as data, each value with where it is known from.

An edition file is TOML. A single value is written with its provenance beside it,

    hand = { value = 8, source = "rulebook" }

and a list shares a table with its own:

    [die]
    source = "rulebook"
    faces = ["sprint", "attack"]

`why` says how a value was arrived at; a reconstructed one must have it. A `Sheet` reads such a file and
collects every problem with its line, so that it can be mended in one go. Files come from strangers: what is
read here is bounded in size, depth and number, and nothing in it is ever run.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn

import numpy as np

from spina.errors import EditionError
from spina.kernel.record import Bytes, blank, look

FORMAT = 1
"""The format of the edition files that are read here."""
SOURCES = ("rulebook", "review", "reconstructed", "printed")
"""Where a value may be known from; "printed": somebody read it off the printed game."""
SIZE = 256 * 1024
"""Most bytes in a file."""
TOO_BIG = f"the file is too big: an edition has at most {SIZE // 1024} KB"
DEPTH = 8
"""Most tables, lists and keys inside each other."""
KEY = 60
"""Most characters in a key, and in the name of an edition."""
SHOWN = 60
"""Most characters of a file that a message repeats."""
HASH_BYTES = 16
KEY_BYTES = 8
"""Bytes of the hash that a record carries as its key."""

Value = int | Sequence[int] | Sequence[Sequence[int]]
Content = Mapping[str, Value]
"""What an edition says, by the fields of its record; lists are as long as they are, not as there is room."""


# --- editions -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Edition:
    """The components of a game, read and checked. Editions are equal when their names and components are."""

    game: str
    name: str
    hash: str
    """Over the components alone: the same whatever the file's name, comments and provenance."""
    data: Bytes = field(repr=False, compare=False)
    """The record for the kernels, read-only."""
    text: str = field(repr=False, compare=False)
    """The file it was read from."""
    provenance: Mapping[str, str] = field(repr=False, compare=False)
    """Where each value is known from, by its path in the file."""


def digest(game: str, content: Content) -> bytes:
    """The hash of an edition. It does not depend on the capacities of a record, so that these can grow."""
    said = {"format": FORMAT, "game": game, "content": content}
    line = json.dumps(said, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(line.encode(), digest_size=HASH_BYTES).digest()


def fill(dtype: np.dtype[Any], content: Content, hashed: bytes) -> Bytes:
    """A read-only record that holds this content, and in `key` the first eight bytes of its hash."""
    data = blank(dtype)
    record = look(data, dtype)
    record["key"] = int.from_bytes(hashed[:KEY_BYTES], "little", signed=True)
    for name, value in content.items():
        if isinstance(value, int):
            record[name] = value
        elif value:
            array = np.asarray(value)
            record[name][tuple(slice(length) for length in array.shape)] = array
    data.flags.writeable = False
    return data


def read_text(path: str | Path) -> str:
    """The text of an edition file, or an EditionError that says why it cannot be had."""
    path, name = Path(path), str(path)
    try:
        if not path.exists():
            refuse(name, "there is no such file")
        if not path.is_file():
            refuse(name, "this is not a file")
        with path.open("rb") as file:
            raw = file.read(SIZE + 1)
    except (OSError, ValueError) as error:
        refuse(name, f"the file cannot be read: {getattr(error, 'strerror', None) or error}")
    if len(raw) > SIZE:
        refuse(name, TOO_BIG)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        refuse(name, "the file is not UTF-8 text: save it with that encoding", line)


def refuse(name: str, text: str, line: int = 1) -> NoReturn:
    """Give up a file for one reason."""
    raise EditionError(name, [(line, text)])


# --- the words of messages ------------------------------------------------------------------------------------------


def quoted(text: str) -> str:
    """A text in quotes, shortened, and safe to print."""
    if len(text) > SHOWN:
        text = text[: SHOWN - 3] + "..."
    return f'"{text}"' if text.isprintable() else json.dumps(text)


def shown(value: object) -> str:
    """A value of a file as a message shows it."""
    match value:
        case str():
            return quoted(value)
        case bool():
            return str(value).lower()
        case int():
            return str(value) if value.bit_length() < 64 else "a number far too big"
        case dict():
            return "a table"
        case list():
            return "a list"
        case _:
            return str(value)


def listed(words: Sequence[str]) -> str:
    """Words with commas, and an "and" before the last."""
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else "".join(words)


def extent(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def joined(path: str, key: str | int) -> str:
    """The path of a key in a table, or of an element in a list."""
    return f"{path}.{key}" if path else str(key)


# --- the lines of a file --------------------------------------------------------------------------------------------

_SPACE = re.compile(r"[ \t]*+")
_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*+)*+")
_REST = re.compile(r"[ \t]*+(?:#[^\n]*+)?(?:\n|\Z)")
_BARE = re.compile(r"[A-Za-z0-9_-]++")
_SCALAR = re.compile(r"[^,\[\]{}#\n]++")
_ONE_LINE = re.compile(r""" "(?:[^"\\\n]|\\.)*+" | '[^'\n]*+' """, re.VERBOSE)
_MANY_LINES = re.compile(
    r'''  """ (?:[^"\\]|\\[\s\S]|"{1,2}(?!"))*+ "{3,5}
        | \'\'\' (?:[^']|'{1,2}(?!'))*+ '{3,5} ''',
    re.VERBOSE,
)


class _GarbledError(Exception):
    """The scanner understands no further; the TOML parser will say why."""


class _RefusedError(Exception):
    """The file goes beyond the bounds set here, and is not to be parsed."""


class Lines:
    """On which line each key, list element and table of a TOML text stands.

    The scanner takes everything that is TOML and some that is not: where it stops, the parser stops too. What
    goes beyond the bounds is never handed to the parser, which takes quadratic time over long dotted keys.
    """

    def __init__(self, text: str) -> None:
        self.found: dict[str, int] = {}
        self.refusal: tuple[int, str] | None = None
        self.repeated: list[tuple[int, str]] = []
        self._text = text
        self._at = 0
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._written: set[str] = set()
        self._again: set[str] = set()
        self._entries: dict[str, int] = {}  # arrays of tables: entries so far
        try:
            self._document()
        except _GarbledError:
            pass
        except _RefusedError as refusal:
            self.refusal = (self._line(), str(refusal))

    def of(self, path: str) -> int:
        """The line of a path such as `deck.list.3`, or of the nearest thing around it."""
        while path and path not in self.found:
            path = path.rpartition(".")[0]
        return self.found.get(path, 1)

    def of_end(self) -> int:
        """The last line."""
        return len(self._starts)

    def _line(self) -> int:
        return bisect_right(self._starts, self._at)

    def _note(self, path: str, line: int) -> None:
        if path in self._written:
            if path.rpartition(".")[0] not in self._again:
                text = f"{path} is written twice: it already stands on line {self.of(path)}"
                self.repeated.append((line, text))
            self._again.add(path)
        self._written.add(path)
        self.found.setdefault(path, line)

    def _take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        if match is None:
            raise _GarbledError
        self._at = match.end()
        return match[0]

    def _next(self, mark: str) -> bool:
        """Step over a mark if it comes now."""
        found = self._text.startswith(mark, self._at)
        self._at += len(mark) * found
        return found

    def _expect(self, mark: str) -> None:
        if not self._next(mark):
            raise _GarbledError

    def _document(self) -> None:
        table, depth = "", 0
        while True:
            self._take(_BLANK)
            if self._at == len(self._text):
                return
            if self._text.startswith("[", self._at):
                table, depth = self._header()
            else:
                self._pair(table, depth)
            self._take(_REST)

    def _header(self) -> tuple[str, int]:
        """A line such as [deck] or [[deck]]: the path of the table, and how deep it lies."""
        line = self._line()
        many = self._next("[[")
        if not many:
            self._expect("[")
        keys = self._key()
        self._expect("]]" if many else "]")
        path = ""
        for position, key in enumerate(keys):
            path = joined(path, key)
            self.found.setdefault(path, line)
            if many and position == len(keys) - 1:
                self._entries[path] = self._entries.get(path, 0) + 1
            if path in self._entries:
                path = joined(path, self._entries[path] - 1)
        self._note(path, line)
        return path, len(keys)

    def _key(self) -> list[str]:
        keys: list[str] = []
        while True:
            self._take(_SPACE)
            if self._text.startswith(('"', "'"), self._at):
                key = self._take(_ONE_LINE)[1:-1]
            else:
                key = self._take(_BARE)
            if len(key) > KEY:
                raise _RefusedError(f"a key of {len(key)} characters: a key has at most {KEY}")
            keys.append(key)
            self._check_depth(len(keys))
            self._take(_SPACE)
            if not self._next("."):
                return keys

    def _check_depth(self, depth: int) -> None:
        if depth > DEPTH:
            raise _RefusedError(f"tables, lists and keys lie too deep inside each other: at most {DEPTH} are allowed")

    def _pair(self, table: str, depth: int) -> None:
        """A line such as `laps = 3`, or a part of an inline table."""
        line = self._line()
        keys = self._key()
        self._expect("=")
        self._take(_SPACE)
        path = table
        for key in keys:
            path = joined(path, key)
            self.found.setdefault(path, line)
        self._note(path, line)
        self._value(path, depth + len(keys))

    def _value(self, path: str, depth: int) -> None:
        self._check_depth(depth)
        if self._next("["):
            self._list(path, depth)
        elif self._next("{"):
            self._inline_table(path, depth)
        elif self._text.startswith(('"""', "'''"), self._at):
            self._take(_MANY_LINES)
        elif self._text.startswith(('"', "'"), self._at):
            self._take(_ONE_LINE)
        elif len(self._take(_SCALAR).strip()) > KEY:
            raise _RefusedError(f"a number that is far too long: at most {KEY} characters are allowed")

    def _list(self, path: str, depth: int) -> None:
        index = 0
        self._take(_BLANK)
        while not self._next("]"):
            element = joined(path, index)
            self._note(element, self._line())
            self._value(element, depth + 1)
            self._separator("]")
            index += 1

    def _inline_table(self, path: str, depth: int) -> None:
        self._take(_BLANK)
        while not self._next("}"):
            self._pair(path, depth)
            self._separator("}")

    def _separator(self, end: str) -> None:
        """A comma, or the end, which is left where it is."""
        self._take(_BLANK)
        if self._next(","):
            self._take(_BLANK)
        elif not self._text.startswith(end, self._at):
            raise _GarbledError


# --- sheets ---------------------------------------------------------------------------------------------------------

_MISSING: Any = object()
_COUNTED = re.compile(r"([0-9]+)(?: ?[x×] ?| )(.+)")
_WHERE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_DIGITS = 6
"""Digits of a count beyond which it is too big for anything."""


class Entry(NamedTuple):
    """An entry of a list such as "3 x whip": its path in the file, how many, and of what."""

    path: str
    times: int
    text: str


class Sheet:
    """An edition file being read.

    Readers name a value by its path (`race.laps`). When something is wrong they note a problem and return a
    stand-in that keeps their promise, so that reading can go on; `sound` tells whether a value is real.
    `finish` raises what was noted.
    """

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self._sources: dict[str, str] = {}
        self._problems: dict[tuple[int, str], None] = {}
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
            refuse(self.name, f"{text[error.start]!a} is not a character", line)

    def _parsed(self, text: str) -> dict[str, Any]:
        if self._lines.refusal:
            raise EditionError(self.name, [self._lines.refusal])
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            if self._lines.repeated:
                raise EditionError(self.name, self._lines.repeated) from None
            self._refuse_syntax(str(error))
        except (ValueError, RecursionError) as error:  # the bounds leave no way here; to be sure
            refuse(self.name, f"not valid TOML: {error}")

    def _refuse_syntax(self, message: str) -> NoReturn:
        where = _WHERE.search(message)
        line = int(where[1]) if where and where[1] else self._lines.of_end()
        refuse(self.name, f"not valid TOML: {_WHERE.sub('', message)}", line)

    # --- problems

    def problem(self, path: str, text: str) -> None:
        """Note that the value at this path, or the one that should be there, is wrong."""
        self._bad.add(path)
        self._note(path, text)

    def _note(self, path: str, text: str) -> None:
        self._problems[self._lines.of(path), text] = None

    def sound(self, *paths: str) -> bool:
        """Whether nothing is wrong at these paths, around them or inside them."""
        return not any(
            f"{path}.".startswith(f"{bad}.") or bad.startswith(f"{path}.") for path in paths for bad in self._bad
        )

    def finish(self) -> None:
        """Report keys that nobody asked for, then raise all problems, if there are any."""
        self._unknown_keys("", self._data)
        if self._problems:
            raise EditionError(self.name, sorted(self._problems))

    def _unknown_keys(self, path: str, table: dict[str, Any]) -> None:
        known, where = self._known[path], f"in {path}" if path else "at the top"
        for key, value in table.items():
            spot = joined(path, key)
            if key not in known:
                self._note(spot, f"unknown key {quoted(key)} {where}: the keys are {listed([*known])}")
            elif isinstance(value, dict) and spot in self._known:
                self._unknown_keys(spot, value)

    def provenance(self) -> Mapping[str, str]:
        """Where each value that was read is known from, by its path."""
        return MappingProxyType(dict(self._sources))

    # --- finding values

    def _table(self, path: str) -> dict[str, Any] | None:
        """The table at this path; None where there is none, which is noted once."""
        here, walked = self._data, ""
        for key in path.split("."):
            self._known.setdefault(walked, {})[key] = None
            walked = joined(walked, key)
            found = here.get(key)
            if not isinstance(found, dict):
                wrong = "is missing" if found is None else f"is {shown(found)}: it must be a table"
                self.problem(walked, f"the table [{walked}] {wrong}")
                return None
            here = found
        return here

    def _find(self, path: str, example: str) -> Any:
        """What stands at this path in its table, or _MISSING, which is noted."""
        parent, _, key = path.rpartition(".")
        self._known.setdefault(parent, {})[key] = None
        table = self._table(parent) if parent else self._data
        if table is None:
            return _MISSING
        if key not in table:
            where = f"in [{parent}]" if parent else "at the top"
            self.problem(path, f"{path} is missing: write {key} = {example} {where}")
            return _MISSING
        return table[key]

    def _provenance(self, path: str, table: Mapping[str, Any], beside: str) -> None:
        """Take down where the value at `path` is known from, as the table `beside` says."""
        self._known.setdefault(beside, {}).update(source=None, why=None)
        source, why = table.get("source"), table.get("why")
        allowed = listed(SOURCES)
        if source is None:
            self._note(path, f'{path} has no source: add source = "...", one of {allowed}')
        elif source not in SOURCES:
            self._note(joined(beside, "source"), f"unknown source {shown(source)}: the sources are {allowed}")
        elif source == "reconstructed" and why is None:
            self._note(joined(beside, "source"), f'{path} is reconstructed: add why = "..." with the reason')
        else:
            self._sources[path] = source
        if why is not None and not (isinstance(why, str) and why.strip()):
            self._note(joined(beside, "why"), f"why is {shown(why)}: it must be a reason in words")

    # --- readers

    def heading(self, game: str) -> str:
        """The three lines at the top of every edition: format, game, name. Returns the name."""
        version = self._find("format", str(FORMAT))
        if version is not _MISSING and (type(version) is not int or version != FORMAT):
            self.problem("format", f"format is {shown(version)}: only format {FORMAT} can be read")
        written = self._find("game", quoted(game))
        if written is not _MISSING and written != game:
            self.problem("game", f"game is {shown(written)}: it must be {quoted(game)}")
        name = self._find("name", '"My copy"')
        if name is _MISSING:
            return ""
        if not isinstance(name, str) or not name.strip() or len(name) > KEY or not name.isprintable():
            self.problem("name", f"name is {shown(name)}: it must be a text of 1 to {KEY} printable characters")
            return ""
        return name

    def integer(self, path: str, *, low: int, high: int) -> int:
        """A whole number with its provenance; the lowest, where there is a problem."""
        found = self._find(path, '{ value = ..., source = "..." }')
        if found is _MISSING:
            return low
        if not isinstance(found, dict):
            self._note(path, f'{path} has no source: write {{ value = {shown(found)}, source = "..." }}')
            return self._bounded(path, path, found, low, high)
        self._known.setdefault(path, {})["value"] = None
        self._provenance(path, found, path)
        if "value" not in found:
            self.problem(path, f"{path} has no value: write value = {extent(low, high)}")
            return low
        return self._bounded(path, joined(path, "value"), found["value"], low, high)

    def _bounded(self, path: str, spot: str, value: object, low: int, high: int) -> int:
        if type(value) is int and low <= value <= high:
            return value
        self.problem(spot, f"{path} is {shown(value)}: it must be a whole number, {extent(low, high)}")
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
            self.problem(path, f"{path} is {shown(found)}: it must be a list, {example}")
            return []
        return found

    def integers(self, path: str, *, low: int, high: int, least: int, most: int) -> list[int]:
        """A list of whole numbers from `low` to `high`, as many as `least` to `most`."""
        found = self._list(path, "[1, 2, 3]")
        if self.sound(path) and not least <= len(found) <= most:
            self.problem(path, f"{path} has length {len(found)}: it must have {extent(least, most)}")
        elements = enumerate(found[:most])
        return [self._bounded(joined(path, i), joined(path, i), value, low, high) for i, value in elements]

    def entries(self, path: str, *, most: int) -> list[Entry]:
        """A list of texts, each perhaps with a count before it ("3 x whip"); together at most `most`."""
        entries: list[Entry] = []
        room = most
        for index, value in enumerate(self._list(path, '["...", "..."]')):
            entry = self._entry(joined(path, index), value)
            room -= entry.times if entry else 1
            if room < 0:
                self.problem(joined(path, index), f"{path} is too long: from here on it holds more than {most}")
                break
            if entry:
                entries.append(entry)
        return entries

    def _entry(self, path: str, value: object) -> Entry | None:
        if not isinstance(value, str):
            self.problem(path, f"{shown(value)} stands in the list: each entry must be a text in quotes")
            return None
        text = " ".join(value.split())
        match = _COUNTED.fullmatch(text)
        if match is None:
            return Entry(path, 1, text)
        count = int(match[1]) if len(match[1]) <= _DIGITS else 10**_DIGITS
        if count == 0:
            self.problem(path, f"{quoted(text)} counts nothing: write 1 or more, or leave the entry out")
            return None
        return Entry(path, count, match[2])

    def adds_up(self, total: str, path: str, found: int, what: str, *, low: int, high: int) -> None:
        """Compare the number that the file declares at `total` with what its list at `path` holds."""
        declared = self.integer(total, low=low, high=high)
        if self.sound(total, path) and declared != found:
            text = f"{total} says {declared} {what}, but {path} holds {found}: correct whichever is wrong"
            self.problem(total, text)
