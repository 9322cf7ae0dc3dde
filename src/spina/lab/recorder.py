"""Runs races and records them: the record at the beginning of every turn, and every event.

`spina.simulate` says who won. What decided it (cards dealt, leads, attacks) is in the records and events of the races;
`record` runs the same races and keeps both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.errors import OptionError, SpinaError
from spina.games import get
from spina.games.editions import Edition
from spina.games.game import Game
from spina.games.studies.recording import Handicap, Recording, Task
from spina.kernel import compiler
from spina.kernel.narration import WIDTH
from spina.kernel.race_runner import MOST_SEATS, RaceRange
from spina.kernel.record import blank
from spina.lab.recording_kernel import Arrays, LineUp, record_races
from spina.simulation import driver_addresses

MOST_ROOM = 64
"""Times the usual room beyond which a race is taken to be endless."""
BYTES_AT_ONCE = 48 * 2**20
"""Memory for the frames of one batch."""


def rotated(pattern: Sequence[int], numbers: NDArray[np.int64], seats: int) -> NDArray[np.int64]:
    """The pattern for every race, rotated by one seat each time."""
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


def record(task: Task) -> list[Recording]:
    """Runs the races of a task, in as many batches as memory requires. Raises OptionError."""
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
    parts: list[Recording] = []
    sizes, done, room = game.lab.sizes, 0, 1
    while done < task.count:
        frames = sizes.frames * room
        wanted = min(task.count - done, max(1, BYTES_AT_ONCE // (frames * game.record.itemsize)))
        part = _batch(game, edition, task, task.first + done, wanted, frames, sizes.events * room)
        if part is None:
            room *= 2
            if room > MOST_ROOM:
                raise SpinaError(f"race {task.first + done} of seed {task.seed} does not end")
            continue
        done, room = done + part.count, 1
        parts.append(part)
    return parts


def _batch(
    game: Game, edition: Edition, task: Task, first: int, count: int, frames: int, events: int
) -> Recording | None:
    """Records as many of these races as there is room for; None if there is not enough for the first."""
    seats = task.seats
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
    complete = record_races(
        game.rules_addresses,
        driver_addresses(game, names),
        LineUp(who, opener, held, handicap),
        blank(game.record),
        edition.data,
        codes,
        RaceRange(first, count, np.uint64(task.seed)),
        Arrays(places, turns, hashes, shots, frame_of, story, told_in),
    )
    if complete == 0:
        return None
    last, told = int(frame_of[0, 0]), int(story[0, 1])
    plain = np.dtype((np.void, game.record))
    return Recording(
        task, edition, numbers[:complete], who[:complete, :seats], held[:complete, :seats], options[:complete],
        places[:complete, :seats], turns[:complete], hashes[:complete],
        np.frombuffer(shots[1 : last + 1].tobytes(), plain), frame_of[1 : last + 1, 0], frame_of[1 : last + 1, 1],
        story[1 : told + 1], told_in[1 : told + 1, 0], told_in[1 : told + 1, 1],
    )  # fmt: skip


def split(task: Task, size: int) -> list[Task]:
    """The races of a task as tasks of at most `size` races, for several processes."""
    return [
        replace(task, first=task.first + start, count=min(size, task.count - start))
        for start in range(0, task.count, size)
    ]
