"""The kill campaign: servers, thinkers and PostgreSQL are killed at random moments, and no acknowledged choice is lost.

Three servers and a thinker share a PostgreSQL database. People race all games over HTTP and WebSocket; after a failure
they ask another server, with the same key. `python -m bench.kills --kills 500` runs the campaign; `make test` runs a
small one. All connections are on loopback.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time

from bench.people import PATIENCE, Crowd, Ledger
from bench.report import heading, measured, missed
from bench.servers import Cluster, Process, cluster

KILLS = 500
TABLES = 6
PAUSE = (0.1, 1.2)
"""Seconds between two kills, at random."""
GOES_ON = 10.0
"""Seconds within which a race must go on after its server's death."""
OF_DATABASE = 0.15
"""Share of the kills that hit PostgreSQL."""
MEASURED = 5
"""After every fifth kill, and after the last, no process is killed until every race has gone on: that time is measured.
Otherwise the server that takes a race over would often be killed before it could do anything."""
MORE = 2
"""Versions by which a race has gone on: the first may have been on its way when the process was killed."""


async def campaign(cluster: Cluster, kills: int, tables: int, seed: int) -> tuple[Ledger, list[float]]:
    """Kill and race until all races are over. Returns what clients were told, and the times until races went on."""
    chance, left, times = random.Random(seed), kills, list[float]()
    async with Crowd(cluster.ports, tables, seed) as crowd:
        racing = asyncio.create_task(crowd.race(lambda: left <= 0, to_the_end=True))
        while left > 0 and not racing.done():
            await asyncio.sleep(chance.uniform(*PAUSE))
            if chance.random() < OF_DATABASE:
                await asyncio.to_thread(cluster.database.kill)
                await asyncio.to_thread(cluster.database.start)
            else:
                victim = chance.choice(cluster.processes)
                await _another_is_ready(cluster, victim)
                victim.kill()
                victim.start()
            if left % MEASURED == 1:
                times.append(await _go_on(crowd))
            left -= 1
        await asyncio.wait_for(racing, 20 * PATIENCE)
    await crowd.ledger.compare(cluster.url)
    return crowd.ledger, times


async def _go_on(crowd: Crowd) -> float:
    """Wait until every race has gone on, or has ended and the next one has begun. Returns the seconds."""
    begun = time.monotonic()
    before = {place: (table, crowd.ledger.version(table)) for place, table in crowd.tables.items()}
    while any(
        crowd.tables[place] == table and crowd.ledger.version(table) < version + MORE
        for place, (table, version) in before.items()
    ):
        assert time.monotonic() - begun < PATIENCE, "a race does not go on"
        await asyncio.sleep(0.02)
    return time.monotonic() - begun


async def _another_is_ready(cluster: Cluster, victim: Process) -> None:
    """Wait until a race can go on without this process: how long a server takes to start is not measured here."""
    others = [server for server in cluster.servers if server is not victim]
    until = time.monotonic() + PATIENCE
    while not any([await asyncio.to_thread(server.is_ready, compiled=True) for server in others]):
        assert time.monotonic() < until, "no server becomes ready"
        await asyncio.sleep(0.1)


def run(cluster: Cluster, kills: int = KILLS, tables: int = TABLES, seed: int = 1) -> Ledger:
    """Run the campaign and report it."""
    heading(f"Kills: {len(cluster.servers)} servers, a thinker, PostgreSQL; {kills} kills, {tables} races at a time")
    begun = time.monotonic()
    ledger, times = asyncio.run(campaign(cluster, kills, tables, seed))
    print(
        f"        {len(ledger.acknowledged)} choices acknowledged, {time.monotonic() - begun:.0f} s; over several kills"
        f" a race stood still for {ledger.longest_stall:.1f} s at most"
    )
    wrong, broken = len(ledger.contradictions), cluster.tracebacks()
    measured("choices lost, doubled, or told and not kept", str(wrong), "0", wrong == 0)
    ended = ledger.finished == ledger.begun
    measured("races that ended", f"{ledger.finished} of {ledger.begun}", "all", ended)
    longest = max(times)
    measured("every race goes on after a kill", f"within {longest:.1f} s", f"{GOES_ON:g} s", longest <= GOES_ON)
    measured("tracebacks in logs", str(broken), "0", broken == 0)
    return ledger


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with cluster(servers=3) as servers:
        run(servers, asked.kills, seed=asked.seed)
    sys.exit(bool(missed()))
