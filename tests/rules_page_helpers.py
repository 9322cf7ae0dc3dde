"""Reads tables, sentences and notation from the rules pages, for tests that compare them with the rules."""

from __future__ import annotations

import re
from functools import cache

from spina.games import find

WORDS = (
    "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")
CODE = re.compile(r"`([^`]+)`")


@cache
def source(game: str) -> str:
    """The rules page of a game as it is written."""
    text = find(game).web.rules_text()
    assert text is not None
    return text


@cache
def page(game: str) -> str:
    """The text of a page with each paragraph in one line, so that line breaks do not matter."""
    text = re.sub(r"(?<![\n|])\n(?![\n|#>]| {4}| *- )", " ", source(game))
    return re.sub(r"(?<=\S) +", " ", text)


def plain(cell: str) -> str:
    """A cell without links, code and emphasis."""
    return LINK.sub(r"\1", cell).replace("`", "").replace("*", "").strip()


@cache
def tables(game: str) -> list[list[list[str]]]:
    """All tables of a page as rows of cells, the heading first, in Markdown as it is written."""
    found: list[list[list[str]]] = [[]]
    for line in source(game).splitlines():
        if not line.startswith("|"):
            found.append([])
        elif not re.fullmatch(r"[|\s:-]+", line):
            found[-1].append([cell.strip() for cell in line.strip().strip("|").split("|")])
    return [table for table in found if table]


def table(game: str, *heading: str, after: str = "") -> list[list[str]]:
    """The rows of the only table whose heading begins like this; `after`: the first one behind this heading line."""
    if after:
        text = source(game)
        rest = text[text.index(f"\n{after}\n") :]
        lines = rest[rest.index("\n|") + 1 :].split("\n\n")[0].splitlines()
        rows = [[plain(cell) for cell in line.strip().strip("|").split("|")] for line in lines]
        return [rows[0], *rows[2:]]
    (found,) = [rows for rows in tables(game) if tuple(map(plain, rows[0][: len(heading)])) == heading]
    return [[plain(cell) for cell in row] for row in found]


def number(word: str) -> int:
    """A figure, in digits or as a word; with a minus sign of either kind."""
    word = word.strip().lower().replace("−", "-")
    return WORDS.index(word) if word in WORDS else int(word)


def stated(game: str, pattern: str) -> list[int]:
    """The figures in the groups of a sentence, which must be on the page, with the same figures wherever it is."""
    found = {match.groups() for match in re.finditer(pattern, page(game))}
    assert len(found) == 1, f"{game}: {len(found)} versions of {pattern!r}"
    return [number(group) for group in next(iter(found))]


def numbers_in(text: str) -> list[int]:
    """All figures in digits."""
    return [int(figure) for figure in re.findall(r"\d+", text)]


def actions_of(game: str) -> list[str]:
    """All actions in the table of notation: its second column."""
    (found,) = [rows for rows in tables(game) if tuple(map(plain, rows[0])) == ("asked for", "written", "meaning")]
    return [action for row in found[1:] for action in CODE.findall(row[1])]


def example_turn(game: str) -> list[str]:
    """The actions of the page's example of a whole turn, in order."""
    text = source(game)
    begin = text.index("one action a line, here side by side:")
    block = text[begin:].split("\n\n")[1]
    return [action.strip() for action in block.replace("\n", " ").split("|") if action.strip()]


def dice_shown(game: str) -> list[list[str]]:
    """The dice of a turn that a page shows roll by roll, with words behind them."""
    lines = [line for line in source(game).splitlines() if line.startswith("    +/-")]
    return [re.split(r" {3,}", line.strip().lower().replace("  steer", " steer"))[0].split() for line in lines]
