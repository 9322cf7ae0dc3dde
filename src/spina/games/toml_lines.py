"""The lines of a TOML file: where each of its keys, tables and list elements stands.

The TOML parser of the standard library gives values without their lines. This scanner finds the lines, and refuses
what goes beyond the bounds set here.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from spina.refusal_codes import say
from spina.sentences import Sentence

DEPTH = 8
"""Most tables, lists and keys inside each other."""
KEY = 60
"""Most characters in a key, and in the name of an edition."""
VALUES = 3_000
"""Most keys, tables and list elements in a file: several times what the largest edition has."""
PROBLEMS = 20
"""Most problems that are reported of a file; reading ends when there are this many."""


def joined(path: str, key: str | int) -> str:
    """The path of a key in a table, or of an element in a list."""
    return f"{path}.{key}" if path else str(key)


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
    """The scanner cannot go on; the TOML parser will say why."""


class _RefusedError(Exception):
    """The file goes beyond the bounds set here, and is not to be parsed."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence


class Lines:
    """On which line each key, list element and table of a TOML text stands.

    The scanner takes everything that is TOML and some that is not: where it stops, the parser stops too. What
    goes beyond the bounds is never handed to the parser, which takes quadratic time over long dotted keys.
    """

    def __init__(self, text: str) -> None:
        self.found: dict[str, int] = {}
        self.refusal: tuple[int, Sentence] | None = None
        self.repeated: list[tuple[int, Sentence]] = []
        self._text = text
        self._at = 0
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._written: set[str] = set()
        self._again: set[str] = set()
        self._values = 0
        self._entries: dict[str, int] = {}  # arrays of tables: entries so far
        try:
            self._document()
        except _GarbledError:
            pass
        except _RefusedError as refusal:
            self.refusal = (self._line(), refusal.sentence)

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
        self._values += 1
        if self._values > VALUES:
            raise _RefusedError(say("edition.too-many-values", most=VALUES))
        if path in self._written:
            if path.rpartition(".")[0] not in self._again and len(self.repeated) < PROBLEMS:
                text = say("edition.written-twice", path=path, line=self.of(path))
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
                raise _RefusedError(say("edition.key-too-long", count=len(key), most=KEY))
            keys.append(key)
            self._check_depth(len(keys))
            self._take(_SPACE)
            if not self._next("."):
                return keys

    def _check_depth(self, depth: int) -> None:
        if depth > DEPTH:
            raise _RefusedError(say("edition.too-deep", most=DEPTH))

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
            raise _RefusedError(say("edition.number-too-long", most=KEY))

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
