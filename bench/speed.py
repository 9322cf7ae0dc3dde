"""Speed, size and start-up time of the kernel and of Charioteer."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import spina
from bench.report import heading, measured
from spina.games import get
from spina.kernel.compiler import entry, folder_of, ready
from spina.kernel.signatures import BYTES, INT

COPY_RACE = INT(BYTES, BYTES, INT)

RACES = 20_000
ROUNDS = 3


@entry(COPY_RACE)
def copy_race(source, target, times):  # type: ignore[no-untyped-def]
    """Copy a race `times` times: for measuring what a copy costs inside the kernel."""
    words, copies = source.view(np.uint64), target.view(np.uint64)
    for i in range(times):
        words[0] = np.uint64(i)
        for word in range(len(words)):
            copies[word] = words[word]
    return times


def best_of(run: Callable[[], float], rounds: int = ROUNDS) -> float:
    """The best of several runs: on a shared machine other load slows the rest."""
    return max(run() for _ in range(rounds))


def random_races() -> float:
    """Complete choices a second of four random drivers, on one core."""
    begun = time.process_time()
    results = spina.simulate("charioteer", seats=4, races=RACES, drivers="random", seed=1, threads=1)
    return float(results["choices"].sum() / (time.process_time() - begun))


def random_steps() -> float:
    """Mean number of steps in a complete choice."""
    race = spina.new("charioteer", seats=4, seed=1)
    bot = spina.bots.make("random", game="charioteer", seed=1)
    steps = 0
    while not race.over:
        race.play(race.to_act[0], bot.choose(race, race.to_act[0]))
        steps += 1
    return steps / len(race.log)


def openspiel(by_python: bool, games: int = 0) -> tuple[float, float]:
    """Joint steps and single decisions a second of CPU time of OpenSpiel's goofspiel with four random players."""
    import random

    import pyspiel

    game = pyspiel.load_game("goofspiel(players=4,imp_info=True)")
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(4)]
    chance = random.Random(1)
    steps = 0
    begun = time.process_time()
    for i in range(games or (1000 if by_python else 10_000)):
        state = game.new_initial_state()
        if by_python:
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(chance.choice(state.legal_actions()))
                else:
                    state.apply_actions([chance.choice(state.legal_actions(seat)) for seat in range(4)])
                    steps += 1
        else:
            pyspiel.evaluate_bots(state, bots, i)
            steps += state.move_number()
    seconds = time.process_time() - begun
    return steps / seconds, 4 * steps / seconds


def copies_in_kernel() -> float:
    race = spina.new("charioteer", seats=6, seed=1)
    source, target = race._bytes.copy(), race._bytes.copy()
    times = 2_000_000
    ready(folder_of(copy_race))
    begun = time.perf_counter()
    copy_race(source, target, times)
    return times / (time.perf_counter() - begun)


def copies_in_python() -> float:
    race = spina.new("charioteer", seats=6, seed=1)
    bot = spina.bots.make("competent", game="charioteer", seed=1)
    while race.turn < 12:
        race.play(race.to_act[0], bot.choose(race, race.to_act[0]))
    times = 100_000
    begun = time.perf_counter()
    for _ in range(times):
        race.copy()
    return times / (time.perf_counter() - begun)


FIRST_MOVE = """
import time
begun = time.perf_counter()
import spina
race = spina.new("charioteer", seats=4, seed=1)
race.legal(0)
print(time.perf_counter() - begun)
"""


def first_legal_move(cache: str | None = None) -> float:
    """Seconds from `import spina` to the first legal move, in a new process."""
    environment = {**os.environ, **({"SPINA_CACHE_DIR": cache} if cache else {})}
    run = subprocess.run(
        [sys.executable, "-c", FIRST_MOVE], env=environment, capture_output=True, text=True, check=True
    )
    if cache:
        print("        (shown meanwhile: " + " ".join(run.stderr.split()) + ")")
    return float(run.stdout)


HASHES = """
import sys
import spina
for seats in range(2, 7):
    first, count = int(sys.argv[1]), int(sys.argv[2])
    for seed in range(first, first + count):
        print(seats, seed, spina.simulate("charioteer", seats=seats, races=1, seed=seed, threads=1)["hash"][0])
"""


def same_hashes(races_per_seats: int = 40) -> tuple[int, int]:
    """Races compared, and how many of them end in the same state compiled and interpreted."""

    def start(interpret: str, first: int, count: int) -> subprocess.Popen[str]:
        environment = {**os.environ, "SPINA_INTERPRET": interpret}
        command = [sys.executable, "-c", HASHES, str(first), str(count)]
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)

    half = races_per_seats // 2
    runs = [start("1", 0, half), start("1", half, races_per_seats - half), start("0", 0, races_per_seats)]
    lines = [run.communicate()[0].splitlines() for run in runs]
    interpreted, compiled = set(lines[0] + lines[1]), set(lines[2])
    return len(compiled), len(compiled & interpreted)


def run() -> None:
    heading("Charioteer: speed (best of three runs, one core)")
    choices = best_of(random_races)
    measured("random four-seat races: complete choices", f"{choices:,.0f}/s", "500,000/s", choices >= 500_000)
    per_choice = random_steps()
    print(
        f"        = {choices / 4:,.0f} joint steps/s; {choices * per_choice:,.0f} small steps/s ({per_choice:.1f} each)"
    )
    joint_python, single_python = openspiel(by_python=True)
    joint_native, single_native = openspiel(by_python=False)
    print(
        f"        OpenSpiel goofspiel from Python: {joint_python:,.0f} joint steps/s, {single_python:,.0f} decisions/s"
    )
    print(f"        OpenSpiel goofspiel in C++: {joint_native:,.0f} joint steps/s, {single_native:,.0f} decisions/s")
    ratio = choices / joint_python
    measured("  our choices / OpenSpiel's steps (apply_actions)", f"{ratio:.2f}", "2.5", ratio >= 2.5)
    print(
        f"        the same, other ways of counting: small steps / steps {choices * per_choice / joint_python:.1f}, "
        f"choices / decisions {choices / single_python:.2f}, choices / steps in C++ {choices / joint_native:.2f}, "
        f"choices / decisions in C++ {choices / single_native:.2f}"
    )
    copies = best_of(copies_in_kernel)
    measured("copies of a race in the kernel", f"{copies:,.0f}/s", "1,000,000/s", copies >= 1_000_000)
    copies = best_of(copies_in_python)
    measured("copies of a race from Python", f"{copies:,.0f}/s", "100,000/s", copies >= 100_000)
    size = get("charioteer").record.itemsize
    measured("memory of one race", f"{size:,} bytes", "4,096 bytes", size <= 4096)
    first_legal_move()
    soonest = min(first_legal_move() for _ in range(5))
    measured("import spina to first legal move, from cache", f"{soonest:.2f} s", "1.5 s", soonest < 1.5)
    with tempfile.TemporaryDirectory() as cache:
        compiling = first_legal_move(cache)
        size = sum(path.stat().st_size for path in Path(cache).rglob("*") if path.is_file())
    measured("first compile of the game", f"{compiling:.1f} s", "45 s", compiling < 45)
    print(f"        ({size / 1e6:.1f} MB of compiled code)")
    compared, same = same_hashes()
    measured(
        "compiled and interpreted races alike, 2 to 6 seats",
        f"{same} of {compared}",
        "200 of 200",
        same == compared >= 200,
    )


def competent_speed() -> float:
    begun = time.perf_counter()
    results = spina.simulate("charioteer", seats=4, races=2000, drivers="competent", seed=1, threads=1)
    return float(results["choices"].sum() / (time.perf_counter() - begun))


def run_drivers() -> None:
    heading("Charioteer: drivers")
    print(f"        competent: {best_of(competent_speed):,.0f} choices/s on one core")
    results = spina.simulate("charioteer", seats=4, races=4000, drivers=["competent", "random"] * 2, seed=3)
    share = float(np.isin(results["places"].argmin(axis=1), (0, 2)).mean())
    print(f"        two competent against two random: {share:.1%} of 4,000 races won")
