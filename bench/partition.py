"""The partition campaign: a server is cut off from PostgreSQL and comes back, while people race at it and at another.

A proxy between the first server and PostgreSQL stops passing bytes, or closes all connections. Requests that the server
cannot answer are sent to the other one, with the same key. `python -m bench.partition` runs the campaign; `make test`
runs a small one. All connections are on loopback.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import httpx

from bench.people import PATIENCE, Crowd, Ledger, Page
from bench.proxy import Proxy
from bench.report import heading, measured, missed
from bench.servers import Cluster, cluster

TABLES = 6
LENGTHS = (1.0, 1.0, 4.0, 4.0, 8.0, 8.0, 15.0, 15.0, 40.0, 40.0)
"""Seconds that the server is cut off, by silence and by closing in turn: shorter and longer than a lease is valid, and
than the time-outs of the database."""
RECOVERS = 10.0
TIMEOUT = 3.0
"""Seconds after which a client asks the other server."""


@dataclass
class Times:
    """Longest times in seconds."""

    elsewhere: float = 0.0
    """For which a race stood still while one server was cut off."""
    ready: list[float] = field(default_factory=list)
    """From the end of a partition until the server is ready."""
    caught_up: list[float] = field(default_factory=list)
    """From the end of a partition until every page that stays at the server knows what had happened by then."""


async def campaign(cluster: Cluster, lengths: Sequence[float], tables: int, seed: int) -> tuple[Ledger, Times]:
    """Cut the first server off for each of these times, in turn by silence and by closing."""
    assert cluster.cut is not None
    over, times = False, Times()
    async with Crowd(cluster.ports, tables, seed, timeout=TIMEOUT, pause=0.05) as crowd:
        racing = asyncio.create_task(crowd.race(lambda: over))
        while len(crowd.tables) < tables:
            await asyncio.sleep(0.05)
        crowd.ledger.forget_times()
        for number, length in enumerate(lengths):
            await _cut_off(cluster, cluster.cut, crowd, length, times, closing=number % 2 == 1)
        over = True
        times.elsewhere = crowd.ledger.longest_stall
        await racing
    await crowd.ledger.compare(cluster.url)
    return crowd.ledger, times


async def _cut_off(cluster: Cluster, cut: Proxy, crowd: Crowd, seconds: float, times: Times, *, closing: bool) -> None:
    """Cut the first server off, let it come back, and measure how long its pages take to know everything."""
    watching = [_watch(crowd, cluster, table) for table in crowd.tables.values()]
    await asyncio.sleep(1.0)
    (cut.cut if closing else cut.hold)()
    await asyncio.sleep(seconds)
    known = {page.table: await _version(cluster.ports[1], crowd, page.table) for page in watching}
    cut.heal()
    healed = time.monotonic()
    times.ready.append(await _until(lambda: asyncio.to_thread(cluster.servers[0].is_ready), healed))
    times.caught_up.append(await _until(lambda: _all_know(watching, known), healed))
    for page in watching:
        await page.close()


def _watch(crowd: Crowd, cluster: Cluster, table: str) -> Page:
    """A spectator whose page stays at the first server."""
    spectator = crowd.people[-1]
    headers = {**spectator.headers, "authorization": f"Bearer spectator-{random.getrandbits(128):032x}"}
    return Page(cluster.ports[:1], headers, crowd.ledger, table, "spectator")


async def _version(port: int, crowd: Crowd, table: str) -> int:
    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        seen = await client.get(f"http://127.0.0.1:{port}/api/tables/{table}", headers=crowd.people[0].headers)
        return int(seen.json()["state"]["version"])


async def _all_know(pages: list[Page], known: dict[str, int]) -> bool:
    return all(page.version >= known[page.table] for page in pages)


async def _until(happened: Callable[[], Awaitable[bool]], begun: float) -> float:
    """Seconds until it has happened."""
    while not await happened():
        if time.monotonic() - begun > PATIENCE:
            raise TimeoutError("the server does not recover")
        await asyncio.sleep(0.02)
    return time.monotonic() - begun


def run(cluster: Cluster, lengths: Sequence[float] = LENGTHS, tables: int = TABLES, seed: int = 1) -> Ledger:
    """Run the campaign and report it."""
    heading(f"Partition: a server is cut off from PostgreSQL {len(lengths)} times, {tables} races at two servers")
    ledger, times = asyncio.run(campaign(cluster, lengths, tables, seed))
    print(f"        {len(ledger.acknowledged)} choices acknowledged, {sum(lengths):.0f} s cut off")
    wrong, broken = len(ledger.contradictions), cluster.tracebacks()
    measured("choices lost, doubled, or told twice differently", str(wrong), "0", wrong == 0)
    for what, found in (
        ("longest time for which a race stood still", times.elsewhere),
        ("server ready again", max(times.ready)),
        ("pages at the server know everything again", max(times.caught_up)),
    ):
        measured(what, f"{found:.1f} s", f"{RECOVERS:g} s", found <= RECOVERS)
    measured("tracebacks in logs", str(broken), "0", broken == 0)
    return ledger


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1, help=f"of {len(LENGTHS)} partitions")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with cluster(thinkers=0, cut=True) as servers:
        run(servers, asked.rounds * LENGTHS, seed=asked.seed)
    sys.exit(bool(missed()))
