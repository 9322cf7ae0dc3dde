"""Facts: what a study knows of races, as columns; one table with a row for every race, one for every chariot.

The columns that all games share are made here; `charioteer_facts` and its like add those of one game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.errors import OptionError
from spina.games.pictures import FACTIONS
from spina.lab import chariot_race_facts, charioteer_facts, chariotmaster_facts
from spina.lab.recordings import Observed, Task, observe, split
from spina.simulation import race_seeds

QUARTERS = (1, 2, 3)
FAR = 900.0
"""A lead that is no distance: the second has not come home."""
Column = NDArray[Any]
Columns = dict[str, Column]

GAMES: dict[str, Any] = {
    "charioteer": charioteer_facts,
    "chariot-race": chariot_race_facts,
    "chariotmaster": chariotmaster_facts,
}
PART = {"charioteer": 200, "chariot-race": 40, "chariotmaster": 8}
"""Races of one job: some seconds' work."""


@dataclass(frozen=True)
class Facts:
    """Two tables as columns. A chariot's `race` is the row of its race in the other table."""

    races: Columns
    chariots: Columns

    def __len__(self) -> int:
        return len(self.races["turns"])

    def of_races(self, wanted: NDArray[np.bool_]) -> Facts:
        """Only these races, with their chariots."""
        row = np.cumsum(wanted) - 1
        kept = wanted[self.chariots["race"]]
        chariots = {name: column[kept] for name, column in self.chariots.items()}
        chariots["race"] = row[chariots["race"]]
        return Facts({name: column[wanted] for name, column in self.races.items()}, chariots)

    def labelled(self, label: str) -> Facts:
        """The races that the study gave this label."""
        return self.of_races(self.races["label"] == label)


def joined(parts: Sequence[Facts]) -> Facts:
    """All races of several parts. A column that only some games or options have is not kept."""
    if not parts:
        raise OptionError("no races: a study needs at least one")
    shared_races = [name for name in parts[0].races if all(name in part.races for part in parts)]
    shared = [name for name in parts[0].chariots if all(name in part.chariots for part in parts)]
    races = {name: np.concatenate([part.races[name] for part in parts]) for name in shared_races}
    chariots = {name: np.concatenate([part.chariots[name] for part in parts]) for name in shared}
    before = np.cumsum([0, *[len(part) for part in parts[:-1]]])
    rows = [part.chariots["race"] + start for part, start in zip(parts, before, strict=True)]
    chariots["race"] = np.concatenate(rows)
    return Facts(races, chariots)


def gather(task: Task) -> Facts:
    """Run the races of a task and keep what studies ask for. This is the job that processes are given."""
    return joined([_facts(part) for part in observe(task)])


def collect(
    tasks: Iterable[Task],
    *,
    on: str | None = None,
    processes: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Facts:
    """The facts of all these races, worked out side by side, in the order of the tasks."""
    from spina.lab.executor import run

    small = [part for task in tasks for part in split(task, PART[task.game])]
    results: dict[int, Facts] = {}
    total, done = sum(part.count for part in small), 0
    for number, facts in run(gather, small, on=on, processes=processes):
        results[number] = facts
        done += small[number].count
        if progress:
            progress(done, total)
    return joined([results[number] for number in range(len(small))])


def _facts(observed: Observed) -> Facts:
    module = GAMES[observed.game.name]
    standing, seat_of, in_race = module.standings(observed)
    # standing: by frame and chariot, the greater the further ahead; -inf when out of the race
    chariots = standing.shape[1]
    racing = observed.frame_turn >= 1
    frames = np.flatnonzero(racing)
    _, starts = np.unique(observed.frame_race[frames], return_index=True)
    starts = frames[starts]
    ends = np.flatnonzero(np.diff(np.append(observed.frame_race, observed.count)))
    final = standing[ends]
    seat_won = (observed.places == 1) & np.isfinite(final.max(axis=1))[:, None]
    best_of_seat = np.zeros(final.shape, bool)
    for seat in range(observed.seats):
        own = np.where((seat_of == seat) & in_race, final, -np.inf)
        best = own.max(axis=1, keepdims=True)
        best_of_seat |= (own == best) & (seat_of == seat) & in_race
    won_by_seat = np.take_along_axis(seat_won, np.clip(seat_of, 0, None), axis=1)
    winners = (won_by_seat & best_of_seat).astype(float)
    won = winners / np.maximum(1.0, winners.sum(axis=1, keepdims=True))
    races: Columns = {
        "number": observed.numbers,
        "seed": race_seeds(observed.task.seed, int(observed.numbers[0]), observed.count),
        "label": np.full(observed.count, observed.task.label),
        "seats": np.full(observed.count, observed.seats),
        "turns": observed.turns,
        "winners": seat_won.sum(axis=1),
        "lead_changes": _lead_changes(standing, starts, ends),
        "margin": _margin(final, seat_of, in_race, observed.seats),
        **module.race_columns(observed),
    }
    own_columns: dict[str, NDArray[Any]] = {
        "seat": seat_of,
        "chariot": np.broadcast_to(np.arange(chariots), seat_of.shape),
        "colour": np.broadcast_to(np.array([FACTIONS[i % len(FACTIONS)].name for i in range(chariots)]), seat_of.shape),
        "driver": np.array(observed.task.drivers)[np.take_along_axis(observed.who, np.clip(seat_of, 0, None), axis=1)],
        "held": np.take_along_axis(observed.held, np.clip(seat_of, 0, None), axis=1),
        "place": np.take_along_axis(observed.places, np.clip(seat_of, 0, None), axis=1),
        "won": won,
        **module.chariot_columns(observed),
    }
    for quarter in QUARTERS:
        lead = _leading(standing, starts, ends, observed.turns, quarter)
        own_columns[f"lead_{quarter}"] = lead
        races[f"winner_led_{quarter}"] = (lead * won).sum(axis=1) / np.maximum(1e-9, won.sum(axis=1))
    rows, columns = np.nonzero(in_race)
    flat = {name: np.ascontiguousarray(table[rows, columns]) for name, table in own_columns.items()}
    flat["race"] = rows
    flat["fair"] = 1.0 / in_race.sum(axis=1)[rows]
    return Facts(races, flat)


def _leading(
    standing: NDArray[np.float64],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    turns: NDArray[np.int64],
    quarter: int,
) -> NDArray[np.float64]:
    """Who leads after so many quarters of the turns; level chariots share it."""
    at = np.minimum(starts + quarter * turns // 4, ends)
    then = standing[at]
    first = (then == then.max(axis=1, keepdims=True)) & np.isfinite(then)
    lead: NDArray[np.float64] = first / np.maximum(1, first.sum(axis=1, keepdims=True))
    return lead


def _lead_changes(
    standing: NDArray[np.float64], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.int64]:
    """How often, looked at from turn to turn, another chariot has the lead."""
    changes = np.zeros(len(starts), np.int64)
    for race, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        leader = -1
        for frame in standing[start + 1 : end + 1].tolist():
            best = max(frame)
            if leader < 0 or frame[leader] < best:
                changes[race] += leader >= 0
                leader = frame.index(best)
    return changes


def _margin(
    final: NDArray[np.float64], seat_of: NDArray[np.int64], in_race: NDArray[np.bool_], seats: int
) -> NDArray[np.float64]:
    """How far the first seat's chariot stands before the second seat's; nan where there is no second."""
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
