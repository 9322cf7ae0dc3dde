"""A batch, race by race through the one-race `Episode`, as the slow way that a batch is compared with."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import spina
from spina.adapters.episode import Episode, Setup
from spina.kernel.interface import PLAN
from spina.kernel.race_runner import driver_dice


class Row(NamedTuple):
    """What one learned seat of a race sees and may do."""

    seat: int
    observation: Any
    mask: Any
    menu: Any


class SlowRace:
    """One race of a batch, through `Episode`."""

    def __init__(self, setup: Setup, batch: spina.Batch, drivers: list[str], together: bool) -> None:
        self.episode, self.setup, self.together = Episode(setup), setup, together
        self.columns, self.drivers = list(batch.learned), drivers
        self.plan, self.dice = np.zeros(PLAN, np.int64), np.zeros(4, np.uint64)
        self.shift = 0

    def begin(self, seed: int, shift: int = 0) -> None:
        """Begin the race that `spina.new` gives for this seed, up to the first choice of a learned seat."""
        self.episode.reset(seed)
        driver_dice(self.dice, seed)
        self.shift = shift
        self.drive_on()

    @property
    def learned(self) -> list[int]:
        """The learned seats, by column of the rewards."""
        return [(seat + self.shift) % self.setup.seats for seat in self.columns]

    def drive_on(self) -> None:
        """Let drivers act until a learned seat owes a choice; each is given only what its seat sees."""
        own = sum(1 << seat for seat in self.learned)
        while (bits := self.episode.acting) and not bits & own:
            seat = (bits & -bits).bit_length() - 1
            name = self.drivers[(seat - self.shift) % self.setup.seats]
            self.episode.drive(seat, self.setup.game.drivers[name], self.dice, self.plan)

    def rows(self) -> list[Row]:
        """What the batch must show of this race."""
        bits, wait = self.episode.acting, int(self.together)
        acting = [seat for seat in sorted(self.learned) if bits >> seat & 1]
        found = []
        for seat in self.learned if self.together else acting[:1]:
            data, encoding = self.episode.data, self.setup.encoding
            mask = encoding.mask(data, seat, wait).astype(bool)
            if not bits >> seat & 1:
                mask[-1] = True
            found.append(Row(seat, encoding.observe(data, seat), mask, encoding.menu(data, seat)))
        return found

    def step(self, actions: list[int]) -> None:
        """Take the actions of its rows, which are possible."""
        waits = self.setup.encoding.actions
        for row, action in zip(self.rows(), actions, strict=True):
            if action != waits:
                self.episode.take(row.seat, action)
        self.drive_on()

    def rewards(self) -> list[float]:
        """What the end of the race is worth, by column."""
        by_seat = self.episode.rewards()
        return [by_seat[seat] for seat in self.learned]


def compare(batch: spina.Batch, slow: list[SlowRace]) -> None:
    """Assert that the batch shows what the slow races show."""
    menus = batch._arrays.menus
    for i, race in enumerate(slow):
        for k, row in enumerate(race.rows()):
            at = (i, k) if race.together else (i,)
            assert batch.seat[at] == row.seat
            np.testing.assert_array_equal(batch.observations[at], row.observation)
            np.testing.assert_array_equal(batch.masks[at], row.mask)
            assert race.learned[batch.agents[at]] == row.seat
            if batch.menus is not None:
                np.testing.assert_array_equal(menus[i, k], row.menu)


def race_both_ways(batch: spina.Batch, steps: int, drivers: list[str] | None = None, **options: Any) -> int:
    """Step the batch and its slow form with the same random actions, and compare them; returns the races ended."""
    together = batch.rewards.shape[1] > 1 and batch.masks.ndim == 3
    setup = Setup(batch.game.name, batch.seats, edition=batch.edition, **options)
    names = drivers or ["random"] * batch.seats
    slow = [SlowRace(setup, batch, names, together) for _ in range(batch.races)]
    for i, race in enumerate(slow):
        race.begin(int(batch.seeds[i]), int(batch._arrays.shifts[i]))
    ended = 0
    for _ in range(steps):
        compare(batch, slow)
        actions = batch.random_actions().copy()
        _, _, rewards, ends = batch.step(actions)
        for i, race in enumerate(slow):
            race.step(np.atleast_1d(actions[i]).tolist())
            assert bool(ends[i]) == race.episode.over
            if not race.episode.over:
                assert not rewards[i].any() and not batch.places[i].any()
                continue
            ended += 1
            assert rewards[i].tolist() == np.array(race.rewards(), np.float32).tolist()
            places = setup.places(race.episode.data)
            assert batch.places[i].tolist() == [places[seat] for seat in race.learned]
            if batch.final_observations is not None:
                for column, seat in enumerate(race.learned):
                    seen = setup.encoding.observe(race.episode.data, seat)
                    np.testing.assert_array_equal(batch.final_observations[i, column], seen)
            race.begin(int(batch.seeds[i]), int(batch._arrays.shifts[i]))
    compare(batch, slow)
    return ended
