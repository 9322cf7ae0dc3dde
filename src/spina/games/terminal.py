"""What the terminal drawings of all games share: styles, names of equal width, badges, a canvas."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import east_asian_width

from spina.games.factions import faction
from spina.games.pictures import shortened

NAME = 16
"""Most letters of a name."""

DIM, BOLD, GOLD, RED = "2", "1", "33", "31"
_FACTION_CODES = {
    "red": "97;41",
    "white": "30;107",
    "blue": "97;44",
    "green": "30;42",
    "purple": "97;45",
    "gold": "30;43",
}


def paint(text: str, code: str, colour: bool = True) -> str:
    """The text in a colour or style, if colours are wanted."""
    return f"\x1b[{code}m{text}\x1b[0m" if colour and code else text


def badge(chariot: int, colour: bool) -> str:
    """The letter of a chariot."""
    return paint(*badge_style(chariot), colour)


def badge_style(chariot: int) -> tuple[str, str]:
    """The letter of a chariot, and the style it is painted in."""
    return faction(chariot).letter, _FACTION_CODES[faction(chariot).name]


def fitted(name: str, width: int) -> str:
    """A name, safe to print, cut or padded to this many columns."""
    name = shortened("".join(letter if letter.isprintable() else "?" for letter in name), width)
    return name + " " * (width - columns(name))


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: East Asian letters are wide."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def name_columns(names: Sequence[str]) -> int:
    """How many columns the names of a table take, with its heading `chariot`."""
    return max(7, *(columns(fitted(name, NAME).rstrip()) for name in names))


class Canvas:
    """Characters in rows and columns, each with its style. A wide letter takes two cells, the second one empty."""

    def __init__(self, height: int, width: int) -> None:
        self._cells = [[(" ", "")] * width for _ in range(height)]

    def put(self, row: int, column: int, text: str, code: str = "") -> None:
        """Write a text from this place to the right."""
        for letter in text:
            self._cells[row][column] = (letter, code)
            column += 1
            if columns(letter) > 1:
                self._cells[row][column] = ("", code)
                column += 1

    def frame(self, row: int, column: int, height: int, width: int) -> None:
        """Draw a gilded frame with its upper left corner here, around an empty space of this size."""
        self.put(row, column, f"╔{'═' * width}╗", GOLD)
        for inside in range(1, height + 1):
            self.put(row + inside, column, f"║{' ' * width}║", GOLD)
        self.put(row + height + 1, column, f"╚{'═' * width}╝", GOLD)

    def lines(self, colour: bool) -> list[str]:
        """The rows as text."""
        return [_runs(cells, colour) for cells in self._cells]


def _runs(cells: Sequence[tuple[str, str]], colour: bool) -> str:
    """A row as text, without blanks at its end; neighbours of one style share an escape."""
    line = run = style = ""
    for letter, code in [*cells, ("", "end")]:
        if code != style:
            line, run, style = line + paint(run, style, colour and not run.isspace()), "", code
        run += letter
    return line.rstrip()
