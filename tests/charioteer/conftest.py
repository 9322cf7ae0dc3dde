"""A race set up by hand, on which a test plays a turn and looks at the result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

import spina
from spina.games.charioteer.components.edition import CharioteerEdition, parse, template
from spina.games.game import Event

PARTNERS = ("red-1", "red-3", "red-5", "yellow-0", "yellow-2", "yellow-4", "black-0", "black-1", "green-2", "green-4")
READY_MADE = {"sprint": ("green-6", 10), "corner": ("black-2", 6)}
"""Moves that a seat can be given by their length: the symbol, and the points of two cards without damage."""

PINNED = {
    r"^spaces = { value = \d+": "spaces = { value = 64",
    r"^start = { value = \d+": "start = { value = 4",
    r"^sections = \[[^]]*\]": """sections = [
      "4 x regular",  # 0 to 3
      "7 x regular outer",  # 4 to 17, the odd ones outer
      "18 x regular",  # 18 to 35
      "7 x regular outer",  # 36 to 49, the odd ones outer
      "14 x regular",  # 50 to 63
    ]""",
    r"(?<=\[skills.middle\])([^[]*values = )\[[^]]*\]": r"\g<1>[1, 1, 1, 1, 1, 1, 1, 1]",
}
"""The tracks that these tests are written for; those of the reference edition may change at any time."""


@cache
def pinned() -> str:
    """The text of the reference edition, with those tracks."""
    text = template()
    for pattern, new in PINNED.items():
        text, times = re.subn(pattern, new, text, flags=re.MULTILINE)
        assert times == 1, pattern
    return text


class Table:
    """A race in its second turn by default, with a die that gives no skill step.

    A seat is a chariot of a position, with these further keys:

    - `at`: its progress;
    - `sprint` or `corner`: the length of a green or black move; damage cuts the cards down to it;
    - `whip`: a whip card goes with that move;
    - `plays`: its choice, in notation; without one the seat resets.
    """

    def __init__(self, *seats: Mapping[str, Any], edition: CharioteerEdition | None = None, **rest: Any) -> None:
        partners = {symbol: iter(PARTNERS) for symbol, _ in READY_MADE.values()}
        self.lines: list[str] = []
        chariots = []
        for seat in seats:
            chariot, line = self._seated(dict(seat), partners)
            chariots.append(chariot)
            self.lines.append(line)
        data = {"emperor": "disrupt", "chariots": chariots, **rest}
        self.race = spina.position("charioteer", data, edition=edition or self.edition())

    @staticmethod
    def _seated(seat: dict[str, Any], partners: dict[str, Iterator[str]]) -> tuple[dict[str, Any], str]:
        line = seat.pop("plays", "reset: a")
        if "at" in seat:
            seat["progress"] = seat.pop("at")
        for move, (symbol, most) in READY_MADE.items():
            if move in seat:
                seat["hand"] = [f"{symbol} {symbol} {next(partners[symbol])}" for _ in range(2)]
                seat["damage"] = most - seat.pop(move)
                line = f"{symbol}: a b"
        if seat.pop("whip", False):
            seat["hand"] = [*seat["hand"], "whip"]
            line += " c"
        return seat, line

    def turn(self, *lines: str) -> None:
        """All seats choose, as given here or in the set-up."""
        for seat, line in enumerate(lines or self.lines):
            self.race.play(seat, line)

    def __getitem__(self, seat: int) -> dict[str, Any]:
        """The public part of a seat."""
        return self.race.view(None)["chariots"][seat]  # type: ignore[no-any-return]

    def stands(self, seat: int) -> tuple[int, int]:
        """Progress and lane."""
        return self[seat]["progress"], self[seat]["lane"]

    def all(self, what: str) -> list[Any]:
        """One public value of each seat."""
        return [chariot[what] for chariot in self.race.view(None)["chariots"]]

    def told(self, kind: type[Event], seat: int | None = None) -> list[Any]:
        """The events of this kind; with a seat, those about it, as the seat itself sees them."""
        found = [event for event in self.race.told(seat) if isinstance(event, kind)]
        return [event for event in found if seat is None or event.seat == seat]  # type: ignore[attr-defined]

    def one(self, kind: type[Event], seat: int | None = None) -> Any:
        """The only event of this kind."""
        (event,) = self.told(kind, seat)
        return event

    @staticmethod
    @cache
    def edition(*changes: tuple[str, str]) -> CharioteerEdition:
        """The edition of these tests, with pieces of its text replaced, each of which must be there once."""
        text = pinned()
        for old, new in changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        return parse(text, "changed.toml")

    @classmethod
    def die(cls, face: str) -> CharioteerEdition:
        """The reference edition with a die that always shows this face."""
        return cls.edition(('["sprint", "attack", "recover", "corner", "all", "disrupt"]', f'["{face}"]'))


@pytest.fixture
def table() -> type[Table]:
    return Table
