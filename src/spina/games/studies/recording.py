"""Recorded races: the record at the beginning of every turn and every event, for a game's facts to read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.games.editions import Edition


@dataclass(frozen=True, slots=True)
class Handicap:
    """A range of actions that a seat may not take, and the action that replaces them."""

    first: int
    beyond: int
    """One more than the last action of the range."""
    instead: int


@dataclass(frozen=True, slots=True)
class Task:
    """Races to record, as plain values that can be sent to another process."""

    game: str
    seats: int
    seed: int
    first: int
    """Number of the first race."""
    count: int
    drivers: tuple[str, ...] = ("competent",)
    """The drivers that take part; `line_up` seats them."""
    line_up: tuple[int, ...] = ()
    """For each seat the index of its driver, rotated by one seat for every race; empty: the first driver everywhere."""
    options: tuple[tuple[str, Any], ...] = ()
    """Options of all races."""
    varied: tuple[tuple[tuple[str, Any], ...], ...] = ()
    """Options that change from race to race, used in turn; empty: all races have the same options."""
    opening: str | None = None
    """The driver that makes the choices before the first turn, such as chariots and starting places."""
    handicap: Handicap | None = None
    held: tuple[int, ...] = ()
    """Seats with the handicap, rotated by one seat for every race."""
    edition: str | None = None
    """The text of the edition's file; None: the reference edition."""
    label: str = ""
    """The set-up's label in the study."""


@dataclass(frozen=True)
class Recording:
    """What was recorded of some races, which are numbered from 0 here."""

    task: Task
    edition: Edition
    numbers: NDArray[np.int64]
    """Of the races in the whole study."""
    who: NDArray[np.int64]
    """By race and seat: the index of its driver in `task.drivers`."""
    held: NDArray[np.int64]
    """By race and seat: 1 with the handicap."""
    options: list[dict[str, Any]]
    """By race; races with equal options share one dict."""
    places: NDArray[np.int64]
    turns: NDArray[np.int64]
    hashes: NDArray[np.uint64]
    frames: NDArray[Any]
    """Records at the beginning of each turn and at the end, the races one after the other."""
    frame_race: NDArray[np.int64]
    frame_turn: NDArray[np.int64]
    events: NDArray[np.int32]
    """Rows of the story: kind, seat or chariot, facts."""
    event_race: NDArray[np.int64]
    event_turn: NDArray[np.int64]
    _rows_of_kind: dict[int, NDArray[np.int64]] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many races there are."""
        return len(self.turns)

    @property
    def seats(self) -> int:
        """Seats of each race."""
        return self.task.seats

    def last_rows(self) -> NDArray[np.int64]:
        """The index in `frames` of each race's final record."""
        return np.flatnonzero(np.diff(np.append(self.frame_race, self.count)))

    def first_rows(self) -> NDArray[np.int64]:
        """The index in `frames` of each race's record at the beginning of its first turn."""
        ready = np.flatnonzero(self.frame_turn >= 1)
        _, firsts = np.unique(self.frame_race[ready], return_index=True)
        return ready[firsts]

    def last_frames(self) -> NDArray[Any]:
        """The record of each race after its end."""
        return self.frames[self.last_rows()]

    def first_frames(self) -> NDArray[Any]:
        """The record of each race at the beginning of its first turn."""
        return self.frames[self.first_rows()]

    def rows_of(self, kind: int) -> NDArray[np.int64]:
        """The indices in `events` of all events of a kind."""
        if kind not in self._rows_of_kind:
            self._rows_of_kind[kind] = np.flatnonzero(self.events[:, 0] == kind)
        return self._rows_of_kind[kind]

    def count_events(
        self, kind: int, width: int, fact: int | None = None, value: int | None = None
    ) -> NDArray[np.int64]:
        """Counts the events of a kind by race and seat (or chariot); with `fact`, those whose fact has this value."""
        rows = self.rows_of(kind)
        if fact is not None:
            rows = rows[self.events[rows, 2 + fact] == value]
        rows = rows[self.events[rows, 1] >= 0]
        table = np.zeros((self.count, width), np.int64)
        np.add.at(table, (self.event_race[rows], self.events[rows, 1]), 1)
        return table

    def sum_events(self, kind: int, width: int, fact: int) -> NDArray[np.int64]:
        """Sums a fact over the events of a kind, by race and seat (or chariot)."""
        rows = self.rows_of(kind)
        table = np.zeros((self.count, width), np.int64)
        np.add.at(table, (self.event_race[rows], self.events[rows, 1]), self.events[rows, 2 + fact])
        return table
