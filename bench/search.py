"""Speed of the search: simulations a second of CPU time on one core, with the settings of the levels.

The positions come from kept races (`tests/bots/expert_1`), so that they stay the same when drivers change. Machines
differ: the speed is also given in simulations per million steps of a loop that is part of this file, and `BASELINE`
holds what that was at commit 8956198, before the search was made faster.

    python -m bench.search
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from bench.report import heading, measured
from spina import Race, replay
from spina.bots import Search, SearchConfig
from spina.games import get
from spina.kernel.compiler import entry, folder_of, ready
from spina.kernel.random import mix
from spina.kernel.signatures import INT, WORD

RACES = Path(__file__).parents[1] / "tests" / "bots" / "expert_1"
POSITIONS = 12
ROUNDS = 5
STEPS = 20_000_000
"""Of the loop that is the unit of speed."""
FASTER = 1.5
"""Required: this many times the baseline."""


class Baseline(NamedTuple):
    """What was measured at commit 8956198."""

    simulations: float
    """A second of CPU time, on one core of an AMD EPYC."""
    per_million: float
    """Per million steps of the loop."""


BASELINE = {
    "charioteer": Baseline(25_200, 84.0),
    "chariot-race": Baseline(27_800, 92.0),
    "chariotmaster": Baseline(2_260, 7.5),
}


@entry(WORD(INT))
def chain(steps):  # type: ignore[no-untyped-def]
    """A chain of hashes, each of which needs the one before: the unit of speed."""
    hashed = mix(1)
    for _ in range(steps):
        hashed = mix(hashed)
    return hashed


class CountingSearch(Search):
    """A search that counts its simulations, those of the second comparison included."""

    simulations = 0

    def _think(self, *args: Any, **settings: Any) -> Any:
        found = super()._think(*args, **settings)
        self.simulations += int(found[1].visits.sum())
        return found


def positions(game: str) -> Iterator[Race]:
    """Positions in the course of a race in which the seat that is asked has a choice."""
    saved = replay.read(RACES / f"{game}.json")
    assert saved.race is not None
    every = max(1, len(saved.race.actions) // POSITIONS)
    wait = 0
    for race in replay.replaying(saved):
        wait -= 1
        if wait <= 0 and not race.over and len(race.legal(race.to_act[0])) > 1:
            yield race.copy()
            wait = every


def settings(game: str) -> tuple[int, SearchConfig]:
    """Simulations and settings of the expert; if that is a driver, of the search that explains it."""
    level = get(game).levels["expert"]
    return level.iterations or level.explain_iterations, level.config


def simulations_per_second(game: str, races: list[Race]) -> float:
    """Simulations a second of CPU time, over all positions."""
    iterations, config = settings(game)
    bot = CountingSearch(get(game), iterations=iterations, config=config, seed=1)
    begun = time.process_time()
    for race in races:
        bot.choose(race, race.to_act[0])
    return bot.simulations / (time.process_time() - begun)


def steps_per_second() -> float:
    ready(folder_of(chain))
    begun = time.process_time()
    chain(STEPS)
    return STEPS / (time.process_time() - begun)


def speed(game: str) -> tuple[float, float]:
    """Simulations a second, and simulations per million steps of the loop: medians of alternating runs."""
    races = list(positions(game))
    simulations_per_second(game, races[:1])
    steps_per_second()
    rates, ratios = [], []
    for _ in range(ROUNDS):
        rates.append(simulations_per_second(game, races))
        ratios.append(1e6 * rates[-1] / steps_per_second())
    return median(rates), median(ratios)


def run() -> None:
    heading("Search: simulations a second on one core, with the settings of the expert")
    for game, before in BASELINE.items():
        rate, ratio = speed(game)
        faster = ratio / before.per_million
        value = f"{faster:.2f} ({rate:,.0f}/s)"
        measured(f"{game}: simulations against commit 8956198", value, f"{FASTER}", faster >= FASTER)
        print(
            f"        {ratio:.1f} per million steps of the loop; then {before.per_million:.1f}, "
            f"or {before.simulations:,}/s on the machine that it was measured on"
        )


if __name__ == "__main__":
    run()
