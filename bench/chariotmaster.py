"""Chariotmaster: speed, the strength of its drivers, and the required properties of the Circus."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

import spina
from bench import geometry_entries
from bench.driving import choice_times, races_won
from bench.report import heading, measured
from bench.speed import best_of
from spina.games import get
from spina.games.studies import measures
from spina.kernel import compiler
from spina.lab import setups
from spina.lab.fact_collection import gather
from spina.simulation import wilson

NAME = "chariotmaster"
SEATS = 4
STRENGTH = 500
CALIBRATION = 500
CHECKS = 4_800


def choices_each_second(driver: str, races: int) -> float:
    begun = time.perf_counter()
    results = spina.simulate(NAME, seats=SEATS, races=races, drivers=driver, seed=1, threads=1)
    return float(results["choices"].sum() / (time.perf_counter() - begun))


def random_races() -> float:
    return choices_each_second("random", 1000)


def competent_races() -> float:
    return choices_each_second("competent", 60)


def check_times() -> tuple[float, float, float]:
    """Microseconds to check one sub-move among twelve chariots, at every game turn of a race: median, mean, longest."""
    race = spina.new(NAME, seats=12, seed=4)
    bot = spina.bots.make("competent", game=NAME, seed=4)
    compiler.ready(compiler.folder_of(geometry_entries.try_submoves))
    times, turn = [], 0
    while not race.over:
        if race.turn != turn:
            turn = race.turn
            begun = time.perf_counter()
            geometry_entries.try_submoves(race._bytes, race.edition.data, 1500, 300, CHECKS // 12)
            times.append(1e6 * (time.perf_counter() - begun) / CHECKS)
        race.play(race.to_act[0], bot.choose(race, race.to_act[0]))
    return float(np.median(times)), float(np.mean(times)), max(times)


def races_on_every_track() -> Iterator[spina.Race]:
    for seed, (seats, scenario) in enumerate(((4, "circus"), (6, "trial"), (12, "maximus"), (12, "circus"))):
        yield spina.new(NAME, seats=seats, seed=seed, scenario=scenario)


def run() -> None:
    heading("Chariotmaster: speed (best of three runs, one core) and strength")
    decisions = best_of(random_races)
    measured("random four-chariot races on the Circus", f"{decisions:,.0f} decisions/s", "400,000/s", decisions >= 4e5)
    choices = best_of(competent_races)
    measured("competent four-chariot races on the Circus", f"{choices:,.0f} choices/s", "20,000/s", choices >= 2e4)
    median, mean, longest = check_times()
    value = f"{mean:.2f} µs (median {median:.2f})"
    measured("checking one sub-move among twelve chariots, mean", value, "5 µs", mean <= 5)
    print(f"        in the game turn with the most contact: {longest:.2f} µs")
    size = get(NAME).record.itemsize
    measured("memory of one race with twelve chariots", f"{size:,} bytes", "8,192 bytes", size <= 8192)
    median, longest = choice_times(races_on_every_track())
    measured("competent choice, median", f"{median:.2f} ms", "20 ms", median < 20)
    measured("competent choice, longest", f"{longest:.2f} ms", "100 ms", longest < 100)
    wins = races_won(NAME, "cautious", STRENGTH)
    low, high = wilson(round(wins), STRENGTH)
    value = f"{wins / STRENGTH:.1%} ({low:.1%} to {high:.1%})"
    measured("competent against cautious, four chariots, two of each", value, "70 %", low >= 0.7)


def run_claims() -> None:
    heading(
        f"Chariotmaster: what must hold of the Circus ({CALIBRATION} races of four competent drivers, 95 % intervals)"
    )
    facts = gather(setups.make(NAME, f"field {SEATS}", CALIBRATION, 5))
    turns, able = measures.turns(facts), measures.chariots_with("able")(facts)
    shortest, longest = facts.races["turns"].min(), facts.races["turns"].max()
    within = shortest >= 20 and longest <= 45
    measured("game turns, mean", str(turns), "20 to 45", turns.low >= 20 and turns.high <= 45)
    measured("game turns, shortest and longest race", f"{shortest} and {longest}", "20 to 45", within)
    measured("chariots home or still able to race", str(able), "60 %", able.low >= 0.6)
    crossed = backwards()
    measured("driving the wrong way over the line counts as a lap", "yes" if crossed else "no", "no", not crossed)
    back = int(facts.races["steps_back"].sum()) / (int(facts.races["turns"].sum()) * SEATS)
    print(f"        game turns after which a chariot stood further back: {back:.2%}")
    print(f"        stamina left at the end: {facts.chariots['stamina_left'].mean():.1f} of 19")


def backwards() -> bool:
    """Whether a chariot that goes back over the line, as far as it came, counts as finished."""
    race = spina.position(NAME, {"chariots": [{"progress": 300, "heading": 180}], "active": 0, "options": {"laps": 1}})
    while not race.over and race.view(None)["chariots"][0]["progress"] > -1000:
        seat = race.to_act[0]
        moves = [action for action in race.legal(seat) if str(action).startswith("ahead")]
        race.play(seat, min(moves, key=lambda move: race.explain(seat, move).gained) if moves else race.legal(seat)[0])
    return bool(race.view(None)["chariots"][0]["finished"])
