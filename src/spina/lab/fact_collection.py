"""Collects the facts of races on all cores: the columns that all games share, and those that the game adds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.games import get
from spina.games.factions import FACTIONS
from spina.games.game import Game
from spina.games.studies.facts import Columns, Facts, joined
from spina.games.studies.profile import ChariotProgress
from spina.games.studies.recording import Recording, Task
from spina.lab.recorder import record, split
from spina.simulation import race_seeds

QUARTERS = (1, 2, 3)
FAR = 900.0
"""A margin beyond this is no distance: the second has not finished."""


def portions(task: Task) -> list[Task]:
    """A task in portions that are some seconds' work each."""
    return split(task, get(task.game).lab.sizes.recording_job)


def gather(task: Task) -> Facts:
    """Runs the races of a task and returns their facts. This is the job that processes are given."""
    return joined([_facts(part) for part in record(task)])


def collect(
    tasks: Iterable[Task],
    *,
    on: str | None = None,
    processes: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Facts:
    """The facts of all these races, in the order of the tasks; `on` and `processes` are those of `executor.run`."""
    from spina.lab.executor import run

    small = [part for task in tasks for part in portions(task)]
    results: dict[int, Facts] = {}
    total, done = sum(part.count for part in small), 0
    for number, facts in run(gather, small, on=on, processes=processes):
        results[number] = facts
        done += small[number].count
        if progress:
            progress(done, total)
    return joined([results[number] for number in range(len(small))])


def _facts(recording: Recording) -> Facts:
    """The shared columns of recorded races, with those of the game."""
    game = get(recording.task.game)
    own = game.lab.facts
    progress, seat_of, in_race = own.progress(recording) if own.progress else _share_done(game, recording)
    chariots = seat_of.shape[1]
    final = progress[recording.last_rows()]
    seat_won = (recording.places == 1) & np.isfinite(final.max(axis=1))[:, None]
    won = _wins(final, seat_won, seat_of, in_race)
    races: Columns = {
        "number": recording.numbers,
        "seed": race_seeds(recording.task.seed, int(recording.numbers[0]), recording.count),
        "label": np.full(recording.count, recording.task.label),
        "seats": np.full(recording.count, recording.seats),
        "turns": recording.turns,
        "winners": seat_won.sum(axis=1),
        "lead_changes": _lead_changes(progress, recording.first_rows(), recording.last_rows()),
        "margin": _margin(final, seat_of, in_race, recording.seats),
        **own.race_columns(recording),
    }
    colours = np.array([FACTIONS[i % len(FACTIONS)].name for i in range(chariots)])
    drivers = np.array(recording.task.drivers)
    columns: Columns = {
        "seat": seat_of,
        "chariot": np.broadcast_to(np.arange(chariots), seat_of.shape),
        "colour": np.broadcast_to(colours, seat_of.shape),
        "driver": drivers[np.take_along_axis(recording.who, seat_of, axis=1)],
        "held": np.take_along_axis(recording.held, seat_of, axis=1),
        "place": np.take_along_axis(recording.places, seat_of, axis=1),
        "won": won,
        **own.chariot_columns(recording),
    }
    for quarter in QUARTERS:
        lead = _leading(progress, recording, quarter)
        columns[f"lead_{quarter}"] = lead
        races[f"winner_led_{quarter}"] = (lead * won).sum(axis=1) / np.maximum(1e-9, won.sum(axis=1))
    rows, numbers = np.nonzero(in_race)
    flat: dict[str, NDArray[Any]] = {
        name: np.ascontiguousarray(table[rows, numbers]) for name, table in columns.items()
    }
    flat["race"] = rows
    flat["fair"] = 1.0 / in_race.sum(axis=1)[rows]
    return Facts(races, flat)


def _share_done(game: Game, recording: Recording) -> ChariotProgress:
    """A chariot for each seat with `Game.done` as its progress, in percent: for games that tell no other."""
    seats, edition = recording.seats, recording.edition
    frames = [np.frombuffer(bytearray(frame.tobytes()), np.uint8) for frame in recording.frames]
    progress = np.array([[100.0 * game.done(frame, edition, seat) for seat in range(seats)] for frame in frames])
    seat_of = np.broadcast_to(np.arange(seats), (recording.count, seats)).copy()
    return ChariotProgress(progress, seat_of, np.ones((recording.count, seats), bool))


def _wins(
    final: NDArray[np.float64], seat_won: NDArray[np.bool_], seat_of: NDArray[np.int64], in_race: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """By race and chariot: its part of the win. Of a winning seat's chariots the one furthest ahead has won."""
    best_of_seat = np.zeros(final.shape, bool)
    for seat in range(seat_won.shape[1]):
        own = np.where((seat_of == seat) & in_race, final, -np.inf)
        best_of_seat |= (own == own.max(axis=1, keepdims=True)) & (seat_of == seat) & in_race
    winners = (np.take_along_axis(seat_won, seat_of, axis=1) & best_of_seat).astype(float)
    won: NDArray[np.float64] = winners / np.maximum(1.0, winners.sum(axis=1, keepdims=True))
    return won


def _leading(progress: NDArray[np.float64], recording: Recording, quarter: int) -> NDArray[np.float64]:
    """By race and chariot: its part of the lead after this many quarters of the turns; level chariots share it."""
    at = np.minimum(recording.first_rows() + quarter * recording.turns // 4, recording.last_rows())
    then = progress[at]
    first = (then == then.max(axis=1, keepdims=True)) & np.isfinite(then)
    lead: NDArray[np.float64] = first / np.maximum(1, first.sum(axis=1, keepdims=True))
    return lead


def _lead_changes(
    progress: NDArray[np.float64], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.int64]:
    """How often another chariot takes the lead from one turn to the next."""
    changes = np.zeros(len(starts), np.int64)
    for race, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        leader = -1
        for frame in progress[start + 1 : end + 1].tolist():
            best = max(frame)
            if leader < 0 or frame[leader] < best:
                changes[race] += leader >= 0
                leader = frame.index(best)
    return changes


def _margin(
    final: NDArray[np.float64], seat_of: NDArray[np.int64], in_race: NDArray[np.bool_], seats: int
) -> NDArray[np.float64]:
    """How far the first seat's best chariot is ahead of the second seat's; nan where there is no second."""
    if seats < 2:
        return np.full(len(final), np.nan)
    best = np.stack(
        [np.where((seat_of == seat) & in_race, final, -np.inf).max(axis=1) for seat in range(seats)], axis=1
    )
    best.sort(axis=1)
    with np.errstate(invalid="ignore"):
        gap: NDArray[np.float64] = best[:, -1] - best[:, -2]
    gap[~np.isfinite(gap) | (gap > FAR)] = np.nan
    return gap
