"""The order in which questions to bots are answered: a fair share of the workers' time for every address and table.

Questions of races that people attend come first. Those of races without people and those that can wait, such as the
analysis of a finished race, share the remaining time. Within each group the address that has used the least worker time
is served first, and of its tables the one that has used least. This is start-time fair queueing: time counts while
questions are waiting, so idle time earns no credit, and use without competition costs nothing.

The number of races without people that are under way at once is limited, per address and in total; the others wait
until one of these ends or a person comes to watch.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import Generic, TypeVar

T = TypeVar("T")

UNDER_WAY = 5.0
"""Seconds after its last answer during which a race without people still counts as under way."""
REMEMBERED = 60.0
"""Seconds after its last answer for which the used time of a table or an address is kept."""
LOOKED_THROUGH = 256
"""Questions between two removals of old tables and addresses."""


def _always() -> bool:
    return True


@dataclass(slots=True, eq=False)
class Asker:
    """A table that asks, and the address that its questions are charged to."""

    table: str = ""
    address: str | None = None
    """Address of the table's host; None: unknown after a restart of the server."""
    attended: Callable[[], bool] = _always
    """Whether people are at the table."""


@dataclass(slots=True)
class _Share:
    """The worker time that an address has used."""

    used: float = 0.0
    running: int = 0
    waiting: int = 0
    clock: float = 0.0
    """Virtual time: what the table served last had used. New tables start from here."""
    last: float = 0.0
    """When its last question was answered."""


@dataclass(slots=True, eq=False)
class Entry(Generic[T]):
    """A question that is waiting or being answered."""

    item: T
    table: _Table[T]
    number: int
    quick: bool = False
    begun: float | None = None
    """When a worker took it."""
    without_people: bool = False
    """Whether the race had no people when the question was taken."""


@dataclass(slots=True, eq=False)
class _Table(Generic[T]):
    """The questions of one table. Leisurely ones are queued separately, like those of another table."""

    asker: Asker
    leisurely: bool
    address: _Share
    used: float = 0.0
    running: int = 0
    waiting: deque[Entry[T]] = field(default_factory=deque)
    last: float = 0.0
    held_for: tuple[str | None] | None = None
    """The address in `_held_back` that it is listed under, while it is held back."""

    def order(self) -> tuple[float, ...]:
        """Sort key, the least first: fewest busy workers, then least time used, then the oldest question."""
        return self.address.running, self.address.used, self.running, self.used, self.waiting[0].number

    @property
    def busy(self) -> bool:
        return bool(self.waiting or self.running)


_Name = tuple[str, bool]
"""Key of a `_Table`: the table's id, and whether its questions are leisurely."""


class FairQueue(Generic[T]):
    """A queue of questions for several workers."""

    def __init__(self, workers: int = 1, *, alone_at_once: int = 16, alone_per_address: int = 4) -> None:
        """`alone_at_once`, `alone_per_address`: maximum races without people under way, in total and per address."""
        self._alone_at_once, self._alone_per_address = max(1, alone_at_once), max(1, alone_per_address)
        self._most_without_people = max(1, workers - 1)  # one of several workers is always reserved for people
        self._without_people = 0
        self._length, self._running, self._number = 0, 0, 0
        self._clock, self._latest = 0.0, 0.0
        self._addresses: dict[str | None, _Share] = {}
        self._tables: dict[_Name, _Table[T]] = {}
        # A table with waiting questions is in exactly one of these; one under way stays there for UNDER_WAY seconds.
        self._attended: dict[_Name, _Table[T]] = {}
        self._under_way: dict[_Name, _Table[T]] = {}
        self._held_back: dict[str | None, dict[_Name, _Table[T]]] = {}
        self._leisure: dict[_Name, _Table[T]] = {}

    def __len__(self) -> int:
        """How many questions wait."""
        return self._length

    @property
    def running(self) -> int:
        """How many questions are being answered."""
        return self._running

    # --- adding and removing -----------------------------------------------------------------------------------------

    def add(self, item: T, asker: Asker, *, quick: bool = False, leisurely: bool = False) -> Entry[T]:
        """Queue a question. `quick`: its answer takes next to no time. `leisurely`: no table waits for the answer."""
        self._number += 1
        if self._number % LOOKED_THROUGH == 0:
            self._forget()
        table = self._table(asker, leisurely)
        share = table.address
        if not (share.waiting or share.running):
            share.used = max(share.used, self._clock)
        if not table.busy:
            table.used = max(table.used, share.clock)
        entry = Entry(item, table, self._number, quick)
        table.waiting.append(entry)
        share.waiting += 1
        self._length += 1
        self._sort_in(table)
        return entry

    def attend(self, asker: Asker) -> None:
        """Update a table's group after people have come to it, or after its address has become known."""
        table = self._tables.get((asker.table, False))
        if table is not None and table.waiting:
            self._sort_out(table)
            self._count_for(table, asker.address)
            self._sort_in(table)

    def discard(self, entry: Entry[T]) -> None:
        """Remove a question whose answer is no longer wanted, unless a worker has it already."""
        table = entry.table
        if entry.begun is None and entry in table.waiting:
            table.waiting.remove(entry)
            table.address.waiting -= 1
            self._length -= 1
            if not table.waiting:
                self._sort_out(table)

    def clear(self) -> list[T]:
        """Remove all waiting questions, and return them."""
        waiting = [entry for table in self._tables.values() for entry in table.waiting]
        for entry in waiting:
            self.discard(entry)
        return [entry.item for entry in waiting]

    # --- serving -----------------------------------------------------------------------------------------------------

    def take(self) -> Entry[T] | None:
        """The question to answer next. None: no question waits, or the limit for races without people is reached."""
        table = _first(self._attended.values())
        if table is not None:
            return self._begin(table.waiting[0], without_people=False)
        if self._without_people >= self._most_without_people:
            return None
        self._let_under_way()
        table = _first(chain(self._under_way.values(), self._leisure.values()))
        return None if table is None else self._begin(table.waiting[0], without_people=True)

    def take_quick(self) -> Entry[T] | None:
        """The next quick question of a race that people attend, for the worker reserved for these."""
        table = _first(table for table in self._attended.values() if any(entry.quick for entry in table.waiting))
        if table is None:
            return None
        return self._begin(next(entry for entry in table.waiting if entry.quick), without_people=False)

    def done(self, entry: Entry[T]) -> None:
        """Charge the time that a question took, answered or not."""
        assert entry.begun is not None
        table, now = entry.table, time.monotonic()
        took = now - entry.begun
        table.used += took
        table.running -= 1
        table.last = now
        share = table.address
        share.used += took
        share.running -= 1
        share.last = now
        self._without_people -= entry.without_people
        self._running -= 1
        self._latest = max(self._latest, share.used)
        if not (self._running or self._length):  # the queue is empty: the next address starts equal to all others
            self._clock = self._latest

    def _begin(self, entry: Entry[T], *, without_people: bool) -> Entry[T]:
        table, share = entry.table, entry.table.address
        table.waiting.remove(entry)
        entry.begun, entry.without_people = time.monotonic(), without_people
        self._clock = max(self._clock, share.used)
        share.clock = max(share.clock, table.used)
        share.waiting -= 1
        share.running += 1
        table.running += 1
        self._length -= 1
        self._running += 1
        self._without_people += without_people
        if not table.waiting:
            self._sort_out(table)
        return entry

    # --- groups of tables --------------------------------------------------------------------------------------------

    def _table(self, asker: Asker, leisurely: bool) -> _Table[T]:
        name = (asker.table, leisurely)
        table = self._tables.get(name)
        if table is None:
            table = self._tables[name] = _Table(asker, leisurely, self._share(asker.address))
        table.asker = asker
        if not table.busy:
            self._count_for(table, asker.address)
        return table

    def _share(self, address: str | None) -> _Share:
        return self._addresses.setdefault(address, _Share(used=self._clock))

    def _count_for(self, table: _Table[T], address: str | None) -> None:
        """Charge a table to this address, if none of its questions is being answered."""
        share = self._share(address)
        if share is not table.address and not table.running:
            table.address.waiting -= len(table.waiting)
            if not (share.waiting or share.running):
                share.used = max(share.used, self._clock)
            share.waiting += len(table.waiting)
            table.address, table.used = share, share.clock

    def _sort_in(self, table: _Table[T]) -> None:
        """Put a table with waiting questions into its group."""
        name = (table.asker.table, table.leisurely)
        if table.leisurely:
            self._leisure[name] = table
        elif table.asker.attended():
            self._sort_out(table)
            self._under_way.pop(name, None)
            self._attended[name] = table
        elif name not in self._under_way and name not in self._attended and table.held_for is None:
            table.held_for = (table.asker.address,)
            self._held_back.setdefault(table.asker.address, {})[name] = table

    def _sort_out(self, table: _Table[T]) -> None:
        """Take a table out of its group. One that is under way stays there for UNDER_WAY seconds."""
        name = (table.asker.table, table.leisurely)
        self._attended.pop(name, None)
        self._leisure.pop(name, None)
        if table.held_for is not None:
            (address,), table.held_for = table.held_for, None
            del self._held_back[address][name]
            if not self._held_back[address]:
                del self._held_back[address]

    def _let_under_way(self) -> None:
        """Move held-back races without people to those under way, up to the limits, addresses in turn."""
        gone = time.monotonic() - UNDER_WAY
        for name in [name for name, table in self._under_way.items() if not table.busy and table.last < gone]:
            del self._under_way[name]
        room = self._alone_at_once - len(self._under_way)
        if room <= 0 or not self._held_back:
            return
        counts = Counter(table.asker.address for table in self._under_way.values())
        while room > 0:
            able = [each for each in self._held_back if each is None or counts[each] < self._alone_per_address]
            if not able:
                return
            for address in able[:room]:
                held = self._held_back.pop(address)
                name = next(iter(held))
                self._under_way[name] = held.pop(name)
                self._under_way[name].held_for = None
                if held:
                    self._held_back[address] = held  # now last in the rotation
                counts[address] += 1
                room -= 1

    def _forget(self) -> None:
        """Remove tables and addresses that have not asked for a while."""
        old = time.monotonic() - REMEMBERED
        for name in [name for name, table in self._tables.items() if not table.busy and table.last < old]:
            del self._tables[name]
            self._under_way.pop(name, None)
        used = {id(table.address) for table in self._tables.values()}
        for address in [address for address, share in self._addresses.items() if id(share) not in used]:
            del self._addresses[address]


def _first(tables: Iterable[_Table[T]]) -> _Table[T] | None:
    """The table that is served next."""
    return min((table for table in tables if table.waiting), key=lambda table: table.order(), default=None)
