"""Encodings: races as one seat sees them, as arrays of numbers for learning agents."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from spina.games.editions import Edition
from spina.kernel import compiler
from spina.kernel.interface import Rules
from spina.kernel.record import Bytes

Numbers = NDArray[np.float32]
Mask = NDArray[np.int8]


@dataclass(frozen=True)
class RaceFormat:
    """What all races of one encoding have in common: game, edition, seats and options."""

    rules: Rules
    actions: int
    """Size of the discrete action space."""
    longest_menu: int
    """Most actions that can be legal at once."""
    edition: Edition
    seats: int
    options: Mapping[str, Any]
    sample: Bytes
    """A race of this format that has just been set up."""


class Encoding(ABC):
    """Races of one format as arrays.

    Nothing in an observation depends on what its seat cannot see: races that differ only in that give the same
    numbers. The seat itself comes first and its rivals follow in the order of play, so that a learner need not know
    which seat it has. An observation does not say which other seats have chosen already: seats choose at the same
    time, and the order in which they are asked is no part of a race.

    An encoding has a buffer for the list of legal actions, so threads that act at the same time need one each.
    """

    version: ClassVar[int] = 1
    """Increased whenever an observation or an action changes its meaning."""
    names: tuple[str, ...]
    """What each number of an observation is."""
    actions: int
    """Size of the discrete action space."""
    menu_names: tuple[str, ...] = ()
    """What each number of a menu row is, in games whose actions are entries of a menu."""

    def __init__(self, races: RaceFormat) -> None:
        self.edition, self.seats, self.options = races.edition, races.seats, races.options
        self._legal, self._data = races.rules.legal, races.edition.data
        self._out = np.zeros(races.longest_menu, np.int64)
        self.actions = races.actions

    @property
    def size(self) -> int:
        """How many numbers an observation has."""
        return len(self.names)

    @abstractmethod
    def observe(self, data: Bytes, seat: int) -> Numbers:
        """What the seat may know, as numbers from -1 to 1."""

    # --- actions: by default the kernel's own numbers

    def mask(self, data: Bytes, seat: int, room: int = 0) -> Mask:
        """1 for every action that the seat may take now; `room` adds that many zeros behind them."""
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
        """A row of numbers for every action; empty where an action always means the same and needs no description."""
        return np.zeros((self.actions, 0), np.float32)


class MenuEncoding(Encoding):
    """An encoding whose actions are entries of the menu that `legal` lists: action 7 is the eighth entry now.

    For games that know more actions than `legal` lists (`Game.lists_all` is False).
    """

    def __init__(self, races: RaceFormat) -> None:
        super().__init__(races)
        self._asked: tuple[int, bytes] | None = None
        self._count = 0

    def _list(self, data: Bytes, seat: int) -> int:
        """Lists the menu and returns its length; listing takes long, so the last list is kept."""
        asked = seat, data.tobytes()
        if asked != self._asked:
            self._count = self._legal(data, self._data, seat, self._out)
            self._asked = asked
        return self._count

    def mask(self, data: Bytes, seat: int, room: int = 0) -> Mask:
        """1 for every entry of the menu; `room` adds that many zeros behind them."""
        mask = np.zeros(self.actions + room, np.int8)
        mask[: self._list(data, seat)] = 1
        return mask

    def indices(self, data: Bytes, seat: int) -> list[int]:
        """The numbers of the entries."""
        return list(range(self._list(data, seat)))

    def code(self, data: Bytes, seat: int, index: int) -> int | None:
        """The kernel's number of an entry, or None if the menu is shorter."""
        return int(self._out[index]) if 0 <= index < self._list(data, seat) else None


class KernelEncoding(Encoding):
    """An encoding whose observations a kernel writes."""

    kernel: ClassVar[Callable[..., int]]
    """An entry of signature `kernel.observation.OBSERVE`."""

    def __init__(self, races: RaceFormat) -> None:
        super().__init__(races)
        compiler.ready(compiler.folder_of(self.kernel))
        self.names = tuple(self._names(races))
        written = self.kernel(races.sample, self._data, 0, np.zeros(len(self.names) + 999, np.float32))
        if written != len(self.names):
            raise AssertionError(f"{written} numbers of an observation have {len(self.names)} names")

    @abstractmethod
    def _names(self, races: RaceFormat) -> list[str]:
        """The names of the numbers that the kernel writes, in order."""

    def observe(self, data: Bytes, seat: int) -> Numbers:
        """What the seat may know, as numbers from -1 to 1."""
        out = np.zeros(len(self.names), np.float32)
        self.kernel(data, self._data, seat, out)
        return out


class KernelMenuEncoding(KernelEncoding, MenuEncoding):
    """An encoding whose observations and menus kernels write."""

    describe: ClassVar[Callable[..., None]]
    """An entry of signature `kernel.observation.DESCRIBE`; `menu_names` names the numbers of a row."""

    def menu(self, data: Bytes, seat: int) -> Numbers:
        """A row of numbers for every entry of the menu, zeros behind the last."""
        out = np.zeros((self.actions, len(self.menu_names)), np.float32)
        self.describe(data, self._data, seat, self._out, self._list(data, seat), out)
        return out


def chariot_names(count: int, own: int) -> list[str]:
    """Names of the chariots in an observation: those of the seat, then the others."""
    mine = ["own"] if own == 1 else [f"own {i + 1}" for i in range(own)]
    return [*mine, *(f"rival {i + 1}" for i in range(count - own))]
