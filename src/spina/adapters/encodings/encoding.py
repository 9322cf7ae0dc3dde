"""What an encoding is: a race as one seat sees it, in numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from spina.kernel import compiler
from spina.kernel.record import Bytes
from spina.race import Race

Numbers = NDArray[np.float32]
Mask = NDArray[np.int8]


class Encoding(ABC):
    """Races of one game, edition, number of seats and set of options as arrays.

    Nothing in an observation depends on what its seat cannot see: races that differ only in that give the same
    numbers. The seat itself comes first and its rivals follow in the order of play, so that a learner need not know
    which seat it has. Who of the others has chosen already is left out: seats choose at the same time, and which of
    them is asked first is no part of a race.

    An encoding keeps room for listing actions, so threads that act at the same time need one each.
    """

    version: ClassVar[int]
    """Raised whenever an observation or an action means something else than before."""
    names: tuple[str, ...]
    """What each number of an observation is."""
    actions: int
    """Size of the discrete action space."""
    menu_names: tuple[str, ...] = ()
    """What each number is that describes an entry of the menu, in games whose actions are entries of a menu."""

    def __init__(self, race: Race) -> None:
        self.game, self.edition, self.seats, self.options = race.game, race.edition, race.seats, race.options
        self._legal, self._data = race.game.rules.legal, race.edition.data
        self._out = np.zeros(race.game.longest_menu, np.int64)
        self.actions = race.game.steps if race.game.lists_all else race.game.longest_menu

    @property
    def size(self) -> int:
        """Numbers in an observation."""
        return len(self.names)

    @abstractmethod
    def observe(self, data: Bytes, seat: int) -> Numbers:
        """What the seat may know, as numbers from -1 to 1."""

    # --- actions: a game's own codes where these are few

    def mask(self, data: Bytes, seat: int, room: int = 0) -> Mask:
        """1 for every action that the seat may take now; `room` for so many more actions behind them."""
        mask = np.zeros(self.actions + room, np.int8)
        mask[self._out[: self._legal(data, self._data, seat, self._out)]] = 1
        return mask

    def indices(self, data: Bytes, seat: int) -> list[int]:
        """The actions that the seat may take now, in ascending order."""
        listed: list[int] = self._out[: self._legal(data, self._data, seat, self._out)].tolist()
        return sorted(listed)

    def code(self, data: Bytes, seat: int, index: int) -> int | None:
        """The kernel's number of an action, or None if the seat may not take it now."""
        count = self._legal(data, self._data, seat, self._out)
        return index if index in self._out[:count].tolist() else None

    def menu(self, data: Bytes, seat: int) -> Numbers:
        """A row of numbers for every action; empty where actions always mean the same and need no description."""
        return np.zeros((self.actions, 0), np.float32)


class KernelEncoding(Encoding):
    """An encoding whose observations a kernel writes."""

    kernel: ClassVar[Callable[..., int]]

    def __init__(self, race: Race) -> None:
        super().__init__(race)
        compiler.ready(Path(__file__).parent)
        self.names = tuple(self._names())
        written = self.kernel(race.dealt_anew(None, 0), self._data, 0, np.zeros(len(self.names) + 999, np.float32))
        if written != len(self.names):
            raise AssertionError(f"{written} numbers of an observation have {len(self.names)} names")

    @abstractmethod
    def _names(self) -> list[str]:
        """What the kernel writes, number by number."""

    def observe(self, data: Bytes, seat: int) -> Numbers:
        out = np.zeros(len(self.names), np.float32)
        self.kernel(data, self._data, seat, out)
        return out


def chariot_names(count: int, own: int) -> list[str]:
    """How chariots are called in an observation: those of the seat, then the others."""
    mine = ["own"] if own == 1 else [f"own {i + 1}" for i in range(own)]
    return [*mine, *(f"rival {i + 1}" for i in range(count - own))]
