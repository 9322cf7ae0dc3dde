"""How much faster an arena is on two processes than on one."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from bench.report import heading, measured
from spina.lab.arena import Arena, hold

RACES = 8000
ROUNDS = 3
BAR = 1.6
WARM = 0.25
"""Share of the races before the clock starts: by then every worker has loaded its kernels and played for a while."""
TAIL = 0.05
"""Share of the races that is left out at the end, where a worker may wait for the last one."""


def rates(processes: int) -> tuple[float, float]:
    """Races a second: in steady state, and of the whole call with starting processes and writing the file.

    The whole arena runs and writes its results file; only the measured time is a part of it.
    """
    setting = Arena(game="charioteer", bots=("competent", "longest"), races=RACES, seed=1)
    seen: list[tuple[float, int]] = []
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        hold(
            setting,
            Path(folder) / "arena.parquet",
            processes=processes,
            watch=lambda there, _: seen.append((time.perf_counter(), there)),
        )
    whole = RACES / (time.perf_counter() - begun)
    steady = [(at, there) for at, there in seen if WARM * RACES <= there <= (1 - TAIL) * RACES]
    (start, before), (end, after) = steady[0], steady[-1]
    return (after - before) / (end - start), whole


def run() -> None:
    heading(f"Arena: {RACES:,} races of Charioteer, competent against longest, four seats")
    # Alternately, so that other load affects both alike; the best of each is the least disturbed.
    rounds = [(rates(1), rates(2)) for _ in range(ROUNDS)]
    for one, two in rounds:
        print(
            f"        1 process {one[0]:,.0f} races/s (whole call {one[1]:,.0f}), "
            f"2 processes {two[0]:,.0f} (whole call {two[1]:,.0f})"
        )
    one, two = (max(found[which][0] for found in rounds) for which in (0, 1))
    print(f"        {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    measured("2 processes / 1 process, steady state", f"{two / one:.2f}", f"{BAR}", two / one >= BAR)


if __name__ == "__main__":
    run()
