"""Shared by tests of the rules: races from a given position with chosen dice, and their events."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import spina
from spina.games.chariotmaster.rules.record import RACE
from spina.games.game import Event
from spina.kernel.random import new_dice, nth_seeds
from spina.kernel.record import look

BLOCK = 1 << 18
_MASK = np.uint64(0xFFFFFFFF)


def _rotated(words: Any, left: int) -> Any:
    return (words << np.uint64(left)) | (words >> np.uint64(64 - left))


@cache
def seed_for(lots: tuple[tuple[int, int], ...]) -> int:
    """The first seed whose dice give these numbers below these bounds, one after the other."""
    first = 0
    while first < BLOCK * 400:
        seeds = np.arange(first, first + BLOCK, dtype=np.uint64)
        with np.errstate(over="ignore"):
            state = [nth_seeds(seeds, np.uint64(i)) for i in range(4)]
            fits = np.ones(BLOCK, bool)
            for bound, wanted in lots:
                word = _rotated(state[1] * np.uint64(5), 7) * np.uint64(9)
                shifted = state[1] << np.uint64(17)
                state[2] = state[2] ^ state[0]
                state[3] = state[3] ^ state[1]
                state[1] = state[1] ^ state[2]
                state[0] = state[0] ^ state[3]
                state[2] = state[2] ^ shifted
                state[3] = _rotated(state[3], 45)
                product = (word >> np.uint64(32)) * np.uint64(bound)
                fits &= ((product >> np.uint64(32)) == wanted) & ((product & _MASK) >= bound)
        if fits.any():
            return first + int(np.argmax(fits))
        first += BLOCK
    raise AssertionError(f"no seed gives {lots}")


class Table:
    """A race of Chariotmaster under test.

    Chariots are given as dicts of `positions.Chariot`; by default they stand on the Circus's first straight, 60 mm
    apart across the track, and chariot 0 has just drawn its token. Dice are the faces that will be rolled next, in
    order; a pair (bound, number) stands for a lot, such as which of two objects was hit first.
    """

    def __init__(
        self,
        *chariots: dict[str, Any],
        dice: tuple[Any, ...] = (),
        active: int | None = 0,
        edition: Any = None,
        **rest: Any,
    ) -> None:
        placed = []
        for number, chariot in enumerate(chariots or ({}, {})):
            spot = {} if {"x", "progress"} & set(chariot) else {"progress": 100, "offset": 50 - 60 * number}
            placed.append({**spot, **chariot})
        data = {"chariots": placed, "active": active, **rest}
        if dice:
            data["seed"] = seed_for(self._lots(dice))
        self.race = spina.position("chariotmaster", data, edition=edition)
        self.events: list[Event] = []

    @staticmethod
    def _lots(dice: tuple[Any, ...]) -> tuple[tuple[int, int], ...]:
        return tuple(die if isinstance(die, tuple) else (6, die - 1) for die in dice)

    # --- acting

    def dice(self, *faces: Any) -> Table:
        """Set the next dice."""
        look(self.race._bytes, RACE).dice_to_come[:] = new_dice(seed_for(self._lots(faces)))
        return self

    def play(self, *lines: str, seat: int | None = None) -> Table:
        """Play actions in notation, each by the seat that is asked (or the first of them)."""
        for line in lines:
            by = self.race.to_act[0] if seat is None else seat
            self.race.play(by, line)
            self.events += self.race.told(None)
        return self

    def tokens(self, *tokens: str) -> Table:
        """One token for each seat that chooses, in the order of the seats."""
        for seat, token in zip(self.race.to_act, tokens, strict=True):
            self.play(f"token {token}", seat=seat)
        return self

    # --- looking

    @property
    def view(self) -> dict[str, Any]:
        return self.race.view(None)

    @property
    def question(self) -> str:
        return str(self.view["question"])

    @property
    def asked(self) -> int | None:
        """The chariot that is asked."""
        found: int | None = self.view["asked"]
        return found

    @property
    def driving(self) -> dict[str, Any]:
        """Distances of the chariot turn under way, in millimetres."""
        found: dict[str, Any] = self.view["driving"]
        return found

    def __getitem__(self, chariot: int) -> dict[str, Any]:
        found: dict[str, Any] = self.view["chariots"][chariot]
        return found

    def piece(self, number: int) -> dict[str, Any] | None:
        """A piece by number (state.py: chariot c, 12 + c its wreck, 24 + c its driver, 36 + n obstacle n), or None."""
        return next((piece for piece in self.view["pieces"] if piece["piece"] == number), None)

    def state(self) -> Any:
        """A copy of the record, for what no view shows."""
        return look(self.race._bytes.copy(), RACE)

    def legal(self, start: str = "") -> list[str]:
        """The actions on the menu that begin with this text."""
        seat = self.race.to_act[0]
        return [str(action) for action in self.race.legal(seat) if str(action).startswith(start)]

    def why_not(self, line: str) -> str:
        """Why an action is refused; empty if it is legal."""
        return self.race.check(self.race.to_act[0], line) or ""

    def told(self, kind: type[Event], chariot: int | None = None) -> list[Any]:
        """The events of this kind (about this chariot) so far."""
        found = [event for event in self.events if isinstance(event, kind)]
        return [event for event in found if chariot is None or getattr(event, "chariot", None) == chariot]

    def one(self, kind: type[Event], chariot: int | None = None) -> Any:
        """The only event of this kind."""
        (event,) = self.told(kind, chariot)
        return event


@pytest.fixture
def table() -> type[Table]:
    return Table
