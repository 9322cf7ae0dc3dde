"""`make bench`: measures every figure that has a required value, in one run."""

from __future__ import annotations

import os
import platform
import sys

from bench import (
    adapters,
    api_speed,
    arena,
    batch,
    chariot_race,
    chariotmaster,
    choice_cost,
    claims,
    kernels,
    latency,
    search,
    speed,
    start,
    strength,
    table_pages,
    table_store,
    throughput,
)
from bench.report import missed, table

if __name__ == "__main__":
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    kernels.run()
    speed.run()
    speed.run_drivers()
    api_speed.run()
    claims.run()
    chariot_race.run()
    chariot_race.run_claims()
    chariot_race.run_chariots()
    chariotmaster.run()
    chariotmaster.run_claims()
    start.run()
    table_store.run()
    choice_cost.run()
    throughput.run()
    latency.run()
    latency.run_watched()
    table_pages.run()
    search.run()
    strength.run()
    arena.run()
    adapters.run()
    batch.run()
    print(table())
    if missed():
        sys.exit("missed: " + "; ".join(missed()))
