"""The table's store: choices committed per second on SQLite, and how long one choice waits for its commit."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from bench.report import heading, measured
from spina.table.store.journal_store import Store
from spina.table.store.records import Entry, Seat, Table

TABLES = 64
SECONDS = 5.0
ALONE = 200
"""Choices that are committed one after the other."""
BAR = 1000


def run() -> None:
    heading("Store: SQLite in a file, write-ahead log, synchronous=FULL")
    asyncio.run(_run())


async def _run() -> None:
    with tempfile.TemporaryDirectory(prefix="spina-bench-") as folder:
        store = await Store.open(f"sqlite:///{Path(folder) / 'bench.db'}")
        for number in range(TABLES + 1):
            await store.add_table(_table(f"t{number}"), [Seat(table=f"t{number}", seat=0, kind="bot", bot="easy")])
        alone = await _choose(store, f"t{TABLES}", float("inf"), ALONE)
        start = time.perf_counter()
        waits = await asyncio.gather(
            *(_choose(store, f"t{number}", start + SECONDS, 10**9) for number in range(TABLES))
        )
        spent = time.perf_counter() - start
        kept = sum([len(await store.journal(f"t{number}")) for number in range(TABLES)])
        await store.close()
    together = [wait for some in waits for wait in some]
    rate = len(together) / spent
    lost = len(together) - kept
    measured(
        f"choices committed, {TABLES} tables at once",
        f"{rate:,.0f}/s, {lost} lost",
        f"{BAR:,}/s, none lost",
        rate >= BAR and not lost,
    )
    print(f"        wait for the commit, {TABLES} at once: {_spread(together)}; one alone: {_spread(alone)}")


async def _choose(store: Store, table: str, until: float, most: int) -> list[float]:
    """One choice after the other at one table. Returns how long each waited, in milliseconds."""
    waits: list[float] = []
    while len(waits) < most and time.perf_counter() < until:
        version = len(waits) + 1
        entry = Entry(
            table=table,
            version=version,
            kind="play",
            seat=version % 4,
            actions=["red-5: a b d + crowd, token +3"],
            key=f"{table}-{version:020}",
            hash="0123456789abcdef",
            at=time.time(),
        )
        start = time.perf_counter()
        await store.record(table, [entry], changes={"turn": version})
        waits.append((time.perf_counter() - start) * 1000)
    return waits


def _spread(waits: list[float]) -> str:
    ordered = sorted(waits)
    return f"median {ordered[len(ordered) // 2]:.1f} ms, p95 {ordered[len(ordered) * 95 // 100]:.1f} ms"


def _table(id: str) -> Table:
    return Table(
        id=id,
        game="charioteer",
        rules=1,
        seats=4,
        options={},
        edition="0123456789abcdef",
        seed=7,
        salt="5a17",
        commitment="c0de",
        status="running",
        host="nobody",
        created=time.time(),
    )


if __name__ == "__main__":
    run()
