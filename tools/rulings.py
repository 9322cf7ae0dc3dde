"""Compare the rulings of the rules pages with the code and the tests: `rulings.py [GAME ...]`.

A ruling, such as C27, is decided on the rules page of its game. The code that carries it out cites its number in a
docstring or comment, and it has a test whose name begins with the number, or with several (`test_c27_c28_...`).
Chariotmaster's rulings have a prefix on the page (CM-A10), which code and tests leave out. The exit status is 1 if the
three lists differ.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
GAMES = ROOT / "src" / "spina" / "games"
TESTS = ROOT / "tests"

_ANCHOR = re.compile(r'<a id="[\w-]+"></a>\*\*(?:CM-)?([A-Z]\d+)\b')
_RANGE = re.compile(r"\b[A-Z]\d+(?: to |[-–])(?:CM-)?[A-Z]\d+\b")
_NUMBER = re.compile(r"\b(?:CM-)?([A-Z]\d+)\b")
_TEST = re.compile(r"test_(?:cm_)?((?:[a-z]\d+(?:_|$))+)")


class Rulings(NamedTuple):
    """The rulings of a game, in the order of its page; and those that code cites and that tests name."""

    page: list[str]
    cited: set[str]
    tested: set[str]

    @property
    def differences(self) -> list[str]:
        """One line for each list that is not that of the page."""
        known = set(self.page)
        lists = {
            "not cited in the code": [ruling for ruling in self.page if ruling not in self.cited],
            "without a test": [ruling for ruling in self.page if ruling not in self.tested],
            "tested, but not on the page": sorted(self.tested - known),
            "twice on the page": [ruling for ruling in known if self.page.count(ruling) > 1],
        }
        return [f"{what}: {', '.join(rulings)}" for what, rulings in lists.items() if rulings]


def games() -> list[str]:
    """The names of the games, each of which is a folder with a `game.py`."""
    return sorted(path.parent.name.replace("_", "-") for path in GAMES.glob("*/game.py"))


def folder_of(game: str) -> Path:
    """The folder with the sources of a game."""
    return GAMES / game.replace("-", "_")


def page_of(game: str) -> Path:
    """The rules page of a game."""
    return folder_of(game) / "web" / "rules.md"


def rulings(game: str) -> Rulings:
    """The rulings of a game."""
    page = _ANCHOR.findall(page_of(game).read_text(encoding="utf-8"))
    sources = sorted(folder_of(game).rglob("*.py"))
    tests = sorted((TESTS / folder_of(game).name).rglob("test_*.py"))
    # a number that is not on the page is no citation: "A4" is also a paper size
    cited = {number for source in sources for text in prose(source) for number in numbers_in(text)} & set(page)
    return Rulings(page, cited, {number for test in tests for number in tested_in(test)})


def prose(source: Path) -> Iterator[str]:
    """The docstrings and comments of a source."""
    text = source.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def numbers_in(text: str) -> list[str]:
    """The rulings that a text cites one by one; a range such as "C1 to C31" cites none."""
    return _NUMBER.findall(_RANGE.sub("", text))


def tested_in(test: Path) -> Iterator[str]:
    """The rulings with which names of tests begin."""
    for node in ast.walk(ast.parse(test.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and (found := _TEST.match(node.name)):
            yield from found[1].strip("_").upper().split("_")


def main(chosen: list[str]) -> int:
    """Print the rulings of each game in numbers, and all differences."""
    different = False
    for game in chosen or games():
        found = rulings(game)
        counts = f"{len(found.page)} rulings, {len(found.cited)} cited, {len(found.tested & set(found.page))} tested"
        print(f"{game}: {counts}")
        for line in found.differences:
            print(f"  {line}")
            different = True
    return int(different)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
