"""Many whole races at once, inside the kernel, on all cores."""

from __future__ import annotations

import math
import os
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.errors import OptionError
from spina.games import get
from spina.games.editions import Edition, shown
from spina.games.game import Game
from spina.kernel.function_pointers import addresses
from spina.kernel.interface import DRIVER
from spina.kernel.race_runner import MOST_SEATS, RaceRange, RaceResults, play_races, run_races
from spina.kernel.random import LARGEST_SHORT_SEED, nth_seeds
from spina.kernel.record import blank
from spina.race import checked_seed, find_edition, new

SMALLEST_BLOCK, LARGEST_BLOCK = 4, 250
"""Races that a thread plays in its first block, and at most in one."""
BLOCK_SECONDS = 0.1
MOST_RACES = 100_000_000


class Results(np.ndarray[Any, np.dtype[Any]]):
    """The records of simulated races: a structured array that a data frame can be made of."""

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        # A single field is an ordinary array.
        return found.view(np.ndarray) if isinstance(found, Results) and found.dtype.names is None else found

    @property
    def _data(self) -> NDArray[Any]:
        """The records with one field for each column of a data frame.

        Columns have one dimension, and `places` has two. pandas reads records through `numpy.ma.getdata`, which takes
        this attribute where an array has it.
        """
        plain = self.view(np.ndarray)
        return plain if self.dtype.names is None else plain.view(column_dtype(self.dtype))


def drivers_by_name(game: Game, drivers: str | Sequence[str], seats: int) -> list[str]:
    """A driver's name for every seat: one name for all, or one each."""
    if not isinstance(drivers, str | list | tuple) or not all(isinstance(name, str) for name in drivers):
        raise OptionError(f"drivers are named by one name for all, or by a list of names, not by {shown(drivers)}")
    names = [drivers] * seats if isinstance(drivers, str) else [*drivers]
    if len(names) != seats:
        raise OptionError(f"{len(names)} drivers for {seats} seats: give one name for all, or one for each seat")
    for name in names:
        if name not in game.drivers:
            raise OptionError(f'{game.title} has no driver "{name}": it has {", ".join(game.drivers)}')
    return names


def simulate(
    game: str,
    *,
    seats: int = 4,
    races: int = 1000,
    drivers: str | Sequence[str] = "random",
    seed: int | None = None,
    edition: str | Path | Edition | None = None,
    first: int = 0,
    threads: int | None = None,
    **options: object,
) -> Results:
    """Play whole races and return one record for each, as a NumPy array.

    Fields: `seed` (the race's own, for `spina.new`), `places` (by seat, 1 for the winner), `turns`, `choices`
    (complete choices made by all seats), `hash` (of the final state). The same seed gives the same races on any
    number of threads; `first` is the number of the first race, for a simulation in parts. `pandas.DataFrame(results)`
    has one column for each field, and `place_0`, `place_1`, … for the places.

    Examples:
        >>> results = spina.simulate("charioteer", seats=2, races=3, seed=1)
        >>> results["places"].tolist()
        [[2, 1], [1, 2], [1, 2]]
        >>> results["turns"].mean()
        np.float64(37.0)
    """
    found = get(game)
    model = new(game, seats=seats, seed=0, edition=edition, **options)  # checks the arguments
    if isinstance(races, bool) or not isinstance(races, int) or not 0 <= races <= MOST_RACES:
        raise OptionError(f"races must be a whole number from 0 to {MOST_RACES:,}, not {shown(races)}")
    if isinstance(first, bool) or not isinstance(first, int) or not 0 <= first < 2**63:
        raise OptionError(f"the first race must have a whole number from 0, not {shown(first)}")
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= 1024):
        raise OptionError(f"threads must be a whole number from 1 to 1024, not {shown(threads)}")
    names = drivers_by_name(found, drivers, seats)
    chosen = find_edition(found, edition)
    base = secrets.randbits(64) if seed is None else checked_seed(seed, LARGEST_SHORT_SEED)
    codes = found.encode_options(seats, model.options, chosen)
    results = np.zeros(races, result_dtype(seats)).view(Results)

    def play(start: int, count: int) -> None:
        block = RaceRange(first + start, count, np.uint64(base))
        raced = RaceResults(
            places=np.zeros((count, MOST_SEATS), np.int64),
            turns=np.zeros(count, np.int64),
            choices=np.zeros(count, np.int64),
            hashes=np.zeros(count, np.uint64),
        )
        rules, data = found.rules_addresses, blank(found.record)
        if all(name == "random" for name in names):
            play_races(rules, data, chosen.data, codes, block, raced)
        else:
            run_races(rules, driver_addresses(found, names), data, chosen.data, codes, block, raced)
        part = results[start : start + count]
        part["places"], part["turns"], part["choices"] = raced.places[:, :seats], raced.turns, raced.choices
        part["hash"], part["seed"] = raced.hashes, race_seeds(base, first + start, count)

    _in_blocks(play, races, threads or os.cpu_count() or 1)
    return results


def _in_blocks(play: Callable[[int, int], None], races: int, threads: int) -> None:
    """Call `play(start, count)` on several threads until all races are played.

    A kernel cannot be interrupted, so a block is as large as a thread plays in a tenth of a second: Ctrl-C waits
    no longer than that, and the calls cost next to nothing.
    """
    lock = threading.Lock()
    taken = 0

    def take(wanted: int) -> tuple[int, int]:
        nonlocal taken
        with lock:
            start, taken = taken, min(races, taken + wanted)
            return start, taken - start

    def work() -> None:
        wanted = SMALLEST_BLOCK
        while True:
            start, count = take(wanted)
            if not count:
                return
            begun = time.perf_counter()
            play(start, count)
            rate = count / max(time.perf_counter() - begun, 1e-6)
            wanted = max(1, min(LARGEST_BLOCK, 2 * count, int(rate * BLOCK_SECONDS)))

    with ThreadPoolExecutor(threads) as pool:
        workers = [pool.submit(work) for _ in range(min(threads, -(-races // SMALLEST_BLOCK)))]
        try:
            for worker in workers:
                worker.result()
        except BaseException:
            take(races)  # nothing is left for the others
            raise


def result_dtype(seats: int) -> np.dtype[Any]:
    """One race of a simulation."""
    return np.dtype([("seed", "u8"), ("places", "i1", (seats,)), ("turns", "i4"), ("choices", "i4"), ("hash", "u8")])


def driver_addresses(game: Game, names: Sequence[str]) -> Any:
    """The addresses of drivers, for kernels: one for each name, in their order."""
    drivers = [game.drivers[name] for name in names]
    return addresses(drivers, [DRIVER] * len(drivers))


def column_dtype(record: np.dtype[Any]) -> np.dtype[Any]:
    """The same bytes as `record`, with `place_0`, `place_1`, … instead of `places`."""
    names, formats, offsets = [], [], []
    for name, (kind, offset, *_) in (record.fields or {}).items():
        base, count = kind.base, math.prod(kind.shape)
        for number in range(count):
            names.append(f"{name.removesuffix('s')}_{number}" if kind.shape else name)
            formats.append(base)
            offsets.append(offset + number * base.itemsize)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": record.itemsize})


def race_seeds(seed: int, start: int, count: int) -> NDArray[np.uint64]:
    """The seeds of races `start` and following: the numbers of SplitMix64."""
    numbers = np.arange(start, start + count, dtype=np.uint64)
    seeds: NDArray[np.uint64] = nth_seeds(seed, numbers)
    return seeds


def wilson(wins: int, races: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a share; valid near 0 and 1, too."""
    z, share = 1.959964, wins / races
    middle = (share + z * z / (2 * races)) / (1 + z * z / races)
    half = z / (1 + z * z / races) * math.sqrt(share * (1 - share) / races + z * z / (4 * races * races))
    return max(0.0, middle - half), min(1.0, middle + half)
