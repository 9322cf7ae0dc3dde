"""What one choice costs a server, part by part: CPU time in the library, without network and database.

Four people with open pages race with the choices of competent drivers. For each choice, the server plays it on a copy
of the race, tells every viewer its events and view, and makes the offers that have changed.

    python -m bench.choice_cost [GAME …]
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

import spina
from bench.report import heading
from spina.games import names

SEATS = 4
RACES = 4
OPTIONS: dict[str, dict[str, object]] = {"chariotmaster": {"laps": 1}}
encode = msgspec.json.encode


class Costs:
    """Sums of CPU time by part."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.bytes: dict[str, int] = defaultdict(int)
        self.calls: dict[str, int] = defaultdict(int)
        self.choices = 0

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        begun = time.thread_time_ns()
        yield
        self.seconds[name] += (time.thread_time_ns() - begun) / 1e9
        self.calls[name] += 1


def costs_of(game: str, seed: int) -> Costs:
    """Race one race and sum up what its choices cost."""
    found = Costs()
    race = spina.new(game, seats=SEATS, seed=seed, **OPTIONS.get(game, {}))
    bots = [spina.bots.make("competent", game=game, seed=seat + 1) for seat in range(SEATS)]
    offered: dict[int, object] = {}
    while not race.over:
        seat = race.to_act[0]
        action = str(bots[seat].choose(race, seat))
        found.choices += 1
        with found.part("copy"):
            trial = race.copy()
        with found.part("play"):
            trial.play(seat, action)
        with found.part("events"):
            told = {viewer: trial.told(viewer) for viewer in (None, *range(SEATS))}
        with found.part("hash"):
            trial.hash()
        with found.part("events as JSON"):
            written = [encode(told[viewer]) for viewer in range(SEATS)]
        found.bytes["events as JSON"] += sum(map(len, written))
        with found.part("view"):
            views = trial.views(range(SEATS))
        with found.part("view as JSON"):
            written = [encode(view) for view in views]
        found.bytes["view as JSON"] += sum(map(len, written))
        for viewer in trial.to_act:
            basis = (trial.resolved, trial.choosing(viewer))
            if offered.get(viewer) == basis:
                continue
            offered[viewer] = basis
            with found.part("offer"):
                offer = trial.offer(viewer)
            with found.part("offer as JSON"):
                data = encode(offer)
            found.bytes["offer as JSON"] += len(data)
        race = trial
    return found


def run(games: tuple[str, ...] = ()) -> None:
    """Print the mean CPU time of each part of a choice, in microseconds."""
    for game in games or names():
        heading(f"{game}: CPU time of the parts of a choice, {SEATS} pages, mean")
        costs_of(game, 99)
        all_costs = [costs_of(game, seed) for seed in range(RACES)]
        choices = sum(costs.choices for costs in all_costs)
        total = 0.0
        for part in all_costs[0].seconds:
            spent = sum(costs.seconds[part] for costs in all_costs) / choices * 1e6
            calls = sum(costs.calls[part] for costs in all_costs) / choices
            size = sum(costs.bytes[part] for costs in all_costs) / choices
            total += spent
            print(f"        {part:16s} {spent:8.1f} µs  {calls:5.2f} times" + (f"  {size:7.0f} bytes" if size else ""))
        print(f"        {'together':16s} {total:8.1f} µs  ({choices} choices)")


if __name__ == "__main__":
    run(tuple(sys.argv[1:]))
