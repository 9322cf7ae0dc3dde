"""Chariot Race: speed, the strength of its drivers, and the required properties of its reference edition."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

import spina
from bench.driving import choice_times, races_won
from bench.report import heading, measured
from bench.speed import best_of
from spina.games import get
from spina.games.chariot_race.bots import solo
from spina.games.chariot_race.components.edition import reference
from spina.games.chariot_race.rules.record import CHARIOTS
from spina.games.studies import measures
from spina.lab import balance, setups
from spina.lab.fact_collection import gather
from spina.simulation import wilson

NAME = "chariot-race"
CALIBRATION = 2400
STRENGTH = 2000


def random_races() -> tuple[float, float]:
    begun = time.perf_counter()
    results = spina.simulate(NAME, seats=6, races=20_000, drivers="random", seed=1, threads=1)
    seconds = time.perf_counter() - begun
    return float(results["choices"].sum() / seconds), len(results) / seconds


def races_with_every_variant() -> Iterator[spina.Race]:
    for seed in range(12):
        board = ("AA", "AB", "BA", "BB")[seed % 4]
        yield spina.new(NAME, seats=6, seed=seed, board=board, individual=seed % 2 == 0)


def run() -> None:
    heading("Chariot Race: speed (best of three runs, one core)")
    decisions = best_of(lambda: random_races()[0])
    per_second = best_of(lambda: random_races()[1])
    measured("random six-chariot races: decisions", f"{decisions:,.0f}/s", "1,000,000/s", decisions >= 1_000_000)
    measured("random six-chariot races", f"{per_second:,.0f}/s", "3,000/s", per_second >= 3_000)
    size = get(NAME).record.itemsize
    measured("memory of one race", f"{size:,} bytes", "2,048 bytes", size <= 2048)
    median, longest = choice_times(races_with_every_variant())
    measured("competent choice, median", f"{median:.2f} ms", "3 ms", median < 3)
    measured("competent choice, longest", f"{longest:.2f} ms", "20 ms", longest < 20)
    wins = races_won(NAME, "fastest", STRENGTH)
    low, high = wilson(int(wins), STRENGTH)
    measured(
        "competent against fastest, four seats, two of each",
        f"{wins / STRENGTH:.1%} ({low:.1%} to {high:.1%})",
        "75 %",
        low >= 0.75,
    )
    run_alone()


def run_alone(count: int = 4000) -> None:
    heading("Chariot Race: alone on the track (exact solution, and races by it from the outer front place)")
    edition = reference()
    for board in ("AA", "BB"):
        solution = solo.solve(edition, board)
        starts = ", ".join(f"{space} {rounds:.3f}" for space, rounds in solution.starts.items())
        wrecked = max(solo.chances_of_wreck(solution).values())
        print(f"  {board}: expected rounds {starts}; wrecked {wrecked:.2%} at most")
        rounds = solo.race_alone(solution, count)
        counted = np.abs(rounds) + solution.wreck * (rounds < 0)
        mean, half = float(counted.mean()), 1.96 * float(counted.std()) / len(counted) ** 0.5
        expected = next(iter(solution.starts.values()))
        value = f"{mean:.3f} ({mean - half:.3f} to {mean + half:.3f})"
        measured(f"{board}: races by the solution", value, f"{expected:.3f}", abs(mean - expected) < 2 * half)


def run_claims() -> None:
    heading(f"Chariot Race: what must hold of the reference edition ({CALIBRATION:,} races of six, 95 % intervals)")
    for board in ("AA", "BB"):
        facts = gather(setups.make(NAME, f"field {CHARIOTS} {board}", CALIBRATION, 5))
        rounds, wrecked = measures.turns(facts), measures.part_of("wrecked", "fleet")(facts)
        measured(f"{board}: rounds in a race", str(rounds), "7 to 11", rounds.low >= 7 and rounds.high <= 11)
        measured(f"{board}: chariots wrecked", str(wrecked), "10 % to 40 %", wrecked.low >= 0.1 and wrecked.high <= 0.4)
        by_place = balance.shares_by(facts, "grid")
        rates = [share.estimate.value for share in by_place]
        ratio = max(rates) / min(rates)
        measured(f"{board}: best starting place / worst", f"{ratio:.2f}", "1.5", ratio < 1.5)
        print("        win shares by starting place: " + ", ".join(f"{rate:.1%}" for rate in rates))


def run_chariots(count: int = 4000) -> None:
    heading(f"Chariot Race: the six individual chariots ({count:,} races, drafted and placed at random)")
    for share in balance.shares_by(gather(setups.make(NAME, f"kinds {CHARIOTS} AA", count, 9)), "kind"):
        fine = 0.14 <= share.estimate.value <= 0.20
        measured(f"wins of {share.name}", str(share.estimate), "14 % to 20 %", fine)
