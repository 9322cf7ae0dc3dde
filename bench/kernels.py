"""Speed of the kernels: choices a second of CPU time on one core, against OpenSpiel's games in C++ and against C.

What is compared is run in turns, in short slices, and the median of the ratios counts: other load slows both alike.
The ratio to C needs gcc and, beside this repository, the folder `shared/limit` with both games in C that play the very
same races. Without them it is left out.

    python -m bench.kernels
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

import spina
from bench.chariotmaster import check_times
from bench.report import heading, measured
from bench.speed import openspiel

ROOT = Path(__file__).parents[1]
LIMIT = ROOT.parent / "shared" / "limit" / "measure.py"
ROUNDS = 7
TO_C = {("charioteer", "4"): 2.5, ("chariot-race", "6"): 3.0}
"""Required: at most this many times the time of C, by game and seats."""
LINE = re.compile(r"(?P<game>\S+) +(?P<seats>\d+) seats: .* = (?P<ratio>[\d.]+) ")
TO_OPENSPIEL = 1.5


class Load(NamedTuple):
    """Races of one driver that are timed."""

    game: str
    seats: int
    driver: str
    races: int
    """About a second of them."""
    required: float
    """Choices a second; 0: none."""


LOADS = (
    Load("charioteer", 4, "random", 4000, 0),
    Load("charioteer", 4, "competent", 800, 0),
    Load("chariot-race", 6, "random", 2000, 0),
    Load("chariot-race", 6, "competent", 150, 0),
    Load("chariotmaster", 4, "random", 600, 400_000),
    Load("chariotmaster", 4, "competent", 40, 20_000),
)


def choices_per_second(load: Load, seed: int = 1) -> float:
    """Complete choices a second of CPU time."""
    begun = time.process_time()
    found = spina.simulate(load.game, seats=load.seats, races=load.races, drivers=load.driver, seed=seed, threads=1)
    return float(found["choices"].sum() / (time.process_time() - begun))


def compare_with_openspiel() -> None:
    """Random choices of Charioteer against single decisions of goofspiel, both with four seats."""
    ours, theirs, ratios = [], [], []
    for seed in range(ROUNDS):
        ours.append(choices_per_second(LOADS[0], seed))
        theirs.append(openspiel(by_python=False, games=3000)[1])
        ratios.append(ours[-1] / theirs[-1])
    ratio = median(ratios)
    what = "random choices of Charioteer / decisions of goofspiel in C++"
    measured(what, f"{ratio:.2f}", f"{TO_OPENSPIEL}", ratio >= TO_OPENSPIEL)
    print(f"        {median(ours):,.0f}/s and {median(theirs):,.0f}/s, both with four seats")


def compare_with_c() -> None:
    """The ratio of the time that random races take to that of the same races in C."""
    if not LIMIT.is_file() or not shutil.which("gcc"):
        print("        ratio to C: left out, there is no gcc or no shared/limit beside this repository")
        return
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run([sys.executable, LIMIT], env=environment, capture_output=True, text=True, check=False)
    for line in run.stdout.splitlines():
        found = LINE.match(line)
        bar = TO_C.get((found["game"], found["seats"])) if found else None
        if found and bar:
            ratio = float(found["ratio"])
            what = f"{found['game']}, {found['seats']} seats: time of random races / time of C"
            measured(what, found["ratio"], f"{bar}", ratio <= bar)
        else:
            print(f"        {line}")
    measured("the same races in C, one by one", "yes" if run.returncode == 0 else "no", "yes", run.returncode == 0)


def run() -> None:
    heading("Kernels: choices a second of CPU time on one core")
    for load in LOADS:
        choices_per_second(load._replace(races=2))
        rate = median(choices_per_second(load, seed) for seed in range(ROUNDS // 2))
        what = f"{load.game}, {load.seats} seats, {load.driver}: choices"
        if load.required:
            measured(what, f"{rate:,.0f}/s", f"{load.required:,.0f}/s", rate >= load.required)
        else:
            print(f"        {what}: {rate:,.0f}/s")
    _, mean, longest = check_times()
    measured("chariotmaster: checking a sub-move, twelve chariots, mean", f"{mean:.2f} µs", "5 µs", mean <= 5)
    what = "  in the game turn with the most contact, mean"
    measured(what, f"{longest:.2f} µs", "5 µs", longest <= 5)
    compare_with_openspiel()
    compare_with_c()


if __name__ == "__main__":
    run()
