"""Races looked at closely: every turn's beginning and everything that was told, for studies to read.

`spina.simulate` says who won. What decided it (cards dealt, who led when, what was attacked) is in the records and in
the stories of the races; `observe` runs the very same races and keeps both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.errors import OptionError, SpinaError
from spina.games import get
from spina.games.editions import Edition
from spina.games.game import Game
from spina.kernel import compiler
from spina.kernel.narration import WIDTH
from spina.kernel.race_runner import MOST_SEATS
from spina.kernel.record import blank
from spina.lab.recording_kernel import observe_races
from spina.simulation import pointers

FRAMES_PER_RACE = {"charioteer": 48, "chariot-race": 24, "chariotmaster": 80}
EVENTS_PER_RACE = {"charioteer": 4000, "chariot-race": 1600, "chariotmaster": 5000}
"""Room to begin with; a race that needs more is run again with more."""
MOST_ROOM = 64
"""Times the usual room beyond which a race is taken to be broken."""
BYTES_AT_ONCE = 48 * 2**20
"""Memory for the frames of one go."""


@dataclass(frozen=True, slots=True)
class Handicap:
    """Actions that a driver is kept from, and what is done instead."""

    first: int
    beyond: int
    instead: int


@dataclass(frozen=True, slots=True)
class Task:
    """Races to be observed: everything that a process needs to know, in plain values."""

    game: str
    seats: int
    seed: int
    first: int
    """Number of the first race."""
    count: int
    drivers: tuple[str, ...] = ("competent",)
    """Kinds of drivers in the field."""
    line_up: tuple[int, ...] = ()
    """The kind of each seat, moved on by one seat for every race; none: the first kind everywhere."""
    options: tuple[tuple[str, Any], ...] = ()
    """Options of all races."""
    varied: tuple[tuple[tuple[str, Any], ...], ...] = ()
    """Options of single races, in turn; none: all alike."""
    opening: str | None = None
    """The driver that chooses chariots and places before the first turn."""
    handicap: Handicap | None = None
    held: tuple[int, ...] = ()
    """Seats with that handicap, moved on by one seat for every race."""
    edition: str | None = None
    """The text of the edition's file; none: the reference edition."""
    label: str = ""
    """What the study calls these races."""


@dataclass(frozen=True)
class Observed:
    """What was taken down of some races, which are numbered from 0 here."""

    task: Task
    game: Game
    edition: Edition
    numbers: NDArray[np.int64]
    """Of the races in the whole study."""
    who: NDArray[np.int64]
    """By race and seat: the kind of its driver."""
    held: NDArray[np.int64]
    """By race and seat: 1 with the handicap."""
    options: list[dict[str, Any]]
    """By race."""
    places: NDArray[np.int64]
    turns: NDArray[np.int64]
    hashes: NDArray[np.uint64]
    frames: NDArray[Any]
    """Records at the beginnings of turns and at the end, all races one after the other."""
    frame_race: NDArray[np.int64]
    frame_turn: NDArray[np.int64]
    events: NDArray[np.int32]
    """Rows of the story: kind, seat or chariot, facts."""
    event_race: NDArray[np.int64]
    event_turn: NDArray[np.int64]
    _told: dict[int, NDArray[np.int64]] = field(default_factory=dict)

    @property
    def count(self) -> int:
        return len(self.turns)

    @property
    def seats(self) -> int:
        return self.task.seats

    def last_frames(self) -> NDArray[Any]:
        """The record of each race after its end."""
        ends = np.flatnonzero(np.diff(np.append(self.frame_race, self.count)))
        return self.frames[ends]

    def first_frames(self) -> NDArray[Any]:
        """The record of each race at the beginning of its first turn."""
        ready = np.flatnonzero(self.frame_turn >= 1)
        _, firsts = np.unique(self.frame_race[ready], return_index=True)
        return self.frames[ready[firsts]]

    def told(self, kind: int) -> NDArray[np.int64]:
        """Numbers of the rows of this kind."""
        if kind not in self._told:
            self._told[kind] = np.flatnonzero(self.events[:, 0] == kind)
        return self._told[kind]

    def count_told(self, kind: int, width: int, fact: int | None = None, value: int | None = None) -> NDArray[np.int64]:
        """How many events of a kind there were, by race and seat (or chariot); those with this value of a fact."""
        rows = self.told(kind)
        if fact is not None:
            rows = rows[self.events[rows, 2 + fact] == value]
        rows = rows[self.events[rows, 1] >= 0]
        table = np.zeros((self.count, width), np.int64)
        np.add.at(table, (self.event_race[rows], self.events[rows, 1]), 1)
        return table

    def sum_told(self, kind: int, width: int, fact: int) -> NDArray[np.int64]:
        """The sum of a fact over the events of a kind, by race and seat (or chariot)."""
        rows = self.told(kind)
        table = np.zeros((self.count, width), np.int64)
        np.add.at(table, (self.event_race[rows], self.events[rows, 1]), self.events[rows, 2 + fact])
        return table


def rotated(pattern: Sequence[int], numbers: NDArray[np.int64], seats: int) -> NDArray[np.int64]:
    """A row of the pattern for every race, moved on by one seat each time."""
    row = np.asarray([*pattern, *[0] * (seats - len(pattern))], np.int64)
    table: NDArray[np.int64] = row[(np.arange(seats)[None, :] - numbers[:, None]) % seats]
    return table


def _options_of(game: Game, task: Task, edition: Edition, numbers: NDArray[np.int64]) -> list[dict[str, Any]]:
    known: dict[int, dict[str, Any]] = {}
    found = []
    for number in numbers.tolist():
        key = number % len(task.varied) if task.varied else 0
        if key not in known:
            given = {**dict(task.options), **(dict(task.varied[key]) if task.varied else {})}
            known[key] = game.check_options(task.seats, given, edition)
        found.append(known[key])
    return found


def observe(task: Task) -> list[Observed]:
    """Run the races of a task, in as many goes as memory asks for."""
    game = get(task.game)
    if task.seats not in game.seat_counts:
        raise OptionError(
            f"{game.title} is for {game.seat_counts[0]} to {game.seat_counts[-1]} seats, not {task.seats}"
        )
    for name in (*task.drivers, *([task.opening] if task.opening else [])):
        if name not in game.drivers:
            raise OptionError(f'{game.title} has no driver "{name}": it has {", ".join(game.drivers)}')
    compiler.ready(Path(__file__).parent)
    edition = game.reference() if task.edition is None else game.parse_edition(task.edition, "the edition")
    parts: list[Observed] = []
    done, room = 0, 1
    while done < task.count:
        frames = FRAMES_PER_RACE[game.name] * room
        wanted = min(task.count - done, max(1, BYTES_AT_ONCE // (frames * game.record.itemsize)))
        part = _go(game, edition, task, task.first + done, wanted, frames, EVENTS_PER_RACE[game.name] * room)
        if part is None:
            room *= 2
            if room > MOST_ROOM:
                raise SpinaError(f"race {task.first + done} of seed {task.seed} does not end")
            continue
        done, room = done + part.count, 1
        parts.append(part)
    return parts


def _go(game: Game, edition: Edition, task: Task, first: int, count: int, frames: int, events: int) -> Observed | None:
    """As many of these races as fit; None if not even the first does."""
    seats, rules = task.seats, game.rules
    numbers = np.arange(first, first + count, dtype=np.int64)
    options = _options_of(game, task, edition, numbers)
    encoded: dict[int, NDArray[np.int64]] = {}
    for each in options:
        if id(each) not in encoded:
            encoded[id(each)] = game.encode_options(seats, each, edition)
    codes = np.ascontiguousarray(np.stack([encoded[id(each)] for each in options]))
    who, held = np.zeros((count, MOST_SEATS), np.int64), np.zeros((count, MOST_SEATS), np.int64)
    who[:, :seats] = rotated(task.line_up, numbers, seats)
    if task.handicap:
        held[:, :seats] = rotated([int(seat in task.held) for seat in range(seats)], numbers, seats)
    names = [*task.drivers, *([task.opening] if task.opening else [])]
    opener = np.full(count, len(task.drivers) if task.opening else -1, np.int64)
    kept = task.handicap or Handicap(0, 0, 0)
    handicap = np.array([kept.first, kept.beyond, kept.instead], np.int64)
    places, turns = np.zeros((count, MOST_SEATS), np.int64), np.zeros(count, np.int64)
    hashes = np.zeros(count, np.uint64)
    shots = np.zeros((frames * count + 1, game.record.itemsize), np.uint8)
    frame_of = np.zeros((frames * count + 1, 3), np.int64)
    story, told_in = np.zeros((events * count + 1, WIDTH), np.int32), np.zeros((events * count + 1, 2), np.int64)
    complete = observe_races(
        rules.set_up, rules.acting, rules.apply, rules.over, rules.ranking, rules.turn, pointers(game, names),
        who, opener, held, handicap, blank(game.record), edition.data, codes, first, np.uint64(task.seed),
        places, turns, hashes, shots, frame_of, story, told_in,
    )  # fmt: skip
    if complete == 0:
        return None
    last, told = int(frame_of[0, 0]), int(story[0, 1])
    plain = np.dtype((np.void, game.record))
    return Observed(
        task, game, edition, numbers[:complete], who[:complete, :seats], held[:complete, :seats], options[:complete],
        places[:complete, :seats], turns[:complete], hashes[:complete],
        np.frombuffer(shots[1 : last + 1].tobytes(), plain), frame_of[1 : last + 1, 0], frame_of[1 : last + 1, 1],
        story[1 : told + 1], told_in[1 : told + 1, 0], told_in[1 : told + 1, 1],
    )  # fmt: skip


def split(task: Task, size: int) -> list[Task]:
    """The same races in parts of at most this size, for several processes."""
    return [
        replace(task, first=task.first + start, count=min(size, task.count - start))
        for start in range(0, task.count, size)
    ]
