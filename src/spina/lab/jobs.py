"""Jobs: races of one line-up, which any process or machine plays with the same outcome."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from spina import bots
from spina.bots import Bot
from spina.games import find, get
from spina.games.editions import Edition
from spina.kernel.random import nth_seeds
from spina.race import Race, find_edition, new
from spina.simulation import race_seeds, result_dtype, simulate

_BOTS_SALT = 0xB075_B075_B075_B075
_EDITIONS = 16
"""Editions that a process caches."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """Races with the same bots in the same seats; it holds everything that decides them."""

    game: str
    seats: int
    bots: tuple[str, ...]
    """By seat."""
    first: int
    """Number of the first race within its study."""
    count: int
    seed: int
    """Of the whole study; the seed of each race is made from this and its number."""
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    """Plain values, as `spina.new` takes them."""
    edition: str | None = None
    """None for the reference edition, otherwise the text of an edition's file, or the file's name."""

    @property
    def key(self) -> str:
        """A digest of the job: the same for equal jobs, on every machine."""
        return key(self)


class Block(msgspec.Struct, frozen=True):
    """Races that were played, as columns of equal length.

    `race` (number), `seed` (for `spina.new`), `bots`, `places` (by seat, 1 for the winner; ties share a number),
    `turns`, `choices` (complete choices of all seats), `made` (the same by seat), `seconds` (of thinking, by seat) and
    `hash` (of the final state). For races played inside the kernel, `made` and `seconds` are not known and None.
    """

    columns: dict[str, Any]

    def __len__(self) -> int:
        return len(self.columns["race"])

    def __getitem__(self, name: str) -> Any:
        return self.columns[name]


def key(task: Any) -> str:
    """A stable digest of anything made of plain values, structs and dataclasses: equal tasks have equal digests."""
    return hashlib.blake2b(msgspec.json.encode(task, order="sorted"), digest_size=12).hexdigest()


def play(job: Job) -> Block:
    """Plays a job's races. The same job gives the same races everywhere; only `seconds` may differ."""
    return play_in_kernel(job) if in_kernel(job.game, job.bots) else play_by_choices(job)


def in_kernel(game: str, names: Sequence[str]) -> bool:
    """Whether races of these bots can be played inside the kernel: when all of them are drivers."""
    drivers = find(game).drivers
    return all(name in drivers for name in names)


def play_in_kernel(job: Job) -> Block:
    """Plays races of drivers inside the kernel."""
    found = simulate(
        job.game, seats=job.seats, races=job.count, drivers=job.bots, seed=job.seed,
        edition=_edition(job.game, job.edition), first=job.first, threads=1, **job.options,
    )  # fmt: skip
    return _block(job, found, [None] * job.count, [None] * job.count)


def play_by_choices(job: Job) -> Block:
    """Plays races of any bots, choice by choice."""
    edition = _edition(job.game, job.edition)
    found = np.zeros(job.count, result_dtype(job.seats))
    made, seconds = [], []
    for row, seed in zip(found, race_seeds(job.seed, job.first, job.count), strict=True):
        race, thinking = _raced(job, edition, int(seed))
        row["seed"], row["places"], row["turns"] = seed, race.places, race.turn
        row["choices"], row["hash"] = len(race.log), race.hash_number()
        made.append([sum(seat == other for other, _ in race.log) for seat in range(job.seats)])
        seconds.append(thinking)
    return _block(job, found, made, seconds)


def _block(job: Job, found: NDArray[Any], made: Sequence[Any], seconds: Sequence[Any]) -> Block:
    columns: dict[str, Any] = {name: found[name].copy() for name in ("seed", "places", "turns", "choices", "hash")}
    numbers = np.arange(job.first, job.first + job.count, dtype=np.int64)
    return Block({"race": numbers, "bots": [job.bots] * job.count, **columns, "made": made, "seconds": seconds})


def _raced(job: Job, edition: Edition, seed: int) -> tuple[Race, list[float]]:
    """Plays one race to its end; returns it with the seconds that each seat took to think."""
    race = new(job.game, seats=job.seats, seed=seed, edition=edition, **job.options)
    seconds = [0.0] * job.seats
    players = _players(job, seed)
    try:
        while not race.over:
            seat = race.to_act[0]
            begun = time.perf_counter()
            action = players[seat].choose(race, seat)
            seconds[seat] += time.perf_counter() - begun
            race.play(seat, action)
    finally:
        for player in players:
            player.close()  # some are separate programs
    return race, seconds


def _players(job: Job, seed: int) -> list[Bot]:
    """A bot for every seat, seeded by the race and the seat alone, so that earlier races make no difference."""
    own = nth_seeds(seed ^ _BOTS_SALT, np.arange(job.seats, dtype=np.uint64))
    players: list[Bot] = []
    try:
        for seat, name in enumerate(job.bots):
            players.append(bots.make(name, game=job.game, seed=int(own[seat])))
    except BaseException:
        for player in players:
            player.close()
        raise
    return players


@lru_cache(maxsize=_EDITIONS)
def _edition(game: str, given: str | None) -> Edition:
    found = get(game)
    if given is not None and "\n" in given:
        return found.parse_edition(given, "edition")
    return find_edition(found, given)
