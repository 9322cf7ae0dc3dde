"""Throughput: clients over WebSocket at many tables, each sending its choice as soon as one is offered.

One server with SQLite on one core, for each game and for a mix; then one, two and four servers with PostgreSQL, which
share the cores with their clients: there the CPU time of a choice counts. All limits are on, and tables come under
many addresses.

    python -m bench.throughput
    python -m bench.throughput --tables 100 --servers 1 --servers 2   # only these, with PostgreSQL
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

from bench.page_clients import Page, open_tables
from bench.processes import cpu_seconds, free_port
from bench.report import heading, measured, missed
from bench.servers import Database, Process, postgres

GAMES = ("charioteer", "chariot-race", "chariotmaster")
MIX = ("charioteer", "charioteer", "chariot-race", "chariot-race", "chariotmaster")
TABLES = 200
COUNTS = (1, 2, 4)
"""Numbers of servers that share PostgreSQL."""
WARM_UP, SECONDS = 2.0, 8.0
CHOICE_BAR = 1.0
"""Required: at most this many milliseconds of server CPU a choice."""
RATE_BAR = 1000.0
TWO_SERVERS_BAR = 1.2
"""Required: CPU time a choice with two servers, at most this many times that with one."""


class Rate(NamedTuple):
    """What was measured in one run."""

    per_second: float
    server_ms: float
    """CPU time of all servers a choice, in milliseconds."""
    database_ms: float
    """CPU time of PostgreSQL a choice; SQLite is part of the server."""
    refused: int


@contextlib.contextmanager
def servers(
    database: str, count: int, *, pinned: bool = False, program: Sequence[str] = ("spina",)
) -> Iterator[list[Process]]:
    """Running servers; without a database, with SQLite. Pinned: on the first core, and this process on the others."""
    cores = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        url, workers = database or f"sqlite:///{folder / 'table.db'}", "0" if database else "1"
        made = [Process(folder, url, free_port(), "--workers", workers, program=program) for _ in range(count)]
        for server in made:
            server.start()
            stack.callback(server.stop, signal.SIGINT)
            if pinned:
                os.sched_setaffinity(server.pid, {cores[0]})
        for server in made:
            server.wait_until_ready(compiled=True)
        if pinned and len(cores) > 1:
            os.sched_setaffinity(0, set(cores[1:]))
        try:
            yield made
        finally:
            os.sched_setaffinity(0, set(cores))


async def race(
    running: Sequence[Process],
    database: Database | None,
    games: Sequence[str],
    tables: int,
    seconds: float,
    *,
    together: bool = False,
) -> Rate:
    """Race as fast as the servers go. The pages of a table are at all servers, or together at one."""
    wanted: asyncio.Queue[Page] = asyncio.Queue()

    async def choose() -> None:
        while True:
            await (await wanted.get()).choose()

    def spent() -> tuple[float, float]:
        kept = [] if database is None else database.pids()
        return sum(cpu_seconds(server.pid) for server in running), sum(map(cpu_seconds, kept))

    urls = [server.url for server in running]
    async with open_tables(urls, games, tables, wanted.put_nowait, together=together) as opened:
        choosing = asyncio.create_task(choose())
        await asyncio.sleep(WARM_UP)
        for table in opened:
            table.forget()
        begun, before = time.perf_counter(), spent()
        await asyncio.sleep(seconds)
        made = sum(len(table.sent) for table in opened)
        elapsed, after = time.perf_counter() - begun, spent()
        if choosing.done():
            choosing.result()  # raises
        choosing.cancel()
        gaps = sum(table.gaps for table in opened)
        if gaps:
            raise RuntimeError(f"pages missed {gaps} versions")
        refused = sum(len(table.refused) for table in opened)
    made = max(made, 1)
    return Rate(made / elapsed, (after[0] - before[0]) / made * 1000, (after[1] - before[1]) / made * 1000, refused)


def run(tables: int = TABLES, seconds: float = SECONDS, games: Sequence[str] = GAMES) -> None:
    """Measure and report one server with SQLite."""
    heading(f"Throughput: one server on one core, SQLite, {tables} tables of four people")
    loads = {game: (game,) for game in games} | ({"all games mixed": MIX} if len(games) > 1 else {})
    for name, load in loads.items():
        with servers("", 1, pinned=True) as running:
            found = asyncio.run(race(running, None, load, tables, seconds))
        what = f"{name}: server CPU a choice"
        measured(what, f"{found.server_ms:.2f} ms", f"{CHOICE_BAR:g} ms", found.server_ms <= CHOICE_BAR)
        what = f"{name}: choices committed a second"
        measured(what, f"{found.per_second:,.0f}", f"{RATE_BAR:,.0f}", found.per_second >= RATE_BAR)
        if found.refused:
            print(f"        {found.refused} choices were refused")


def run_postgres(tables: int = TABLES, seconds: float = SECONDS, counts: Sequence[int] = COUNTS) -> None:
    """Measure and report servers that share PostgreSQL."""
    heading(f"Throughput: servers with PostgreSQL, {tables} tables of four people, clients on the same cores")
    rates: dict[tuple[int, bool], Rate] = {}
    with postgres() as database:
        for count, together in product(counts, (False, True)):
            if count == 1 and together:
                continue
            with servers(database.new_database(), count) as running:
                found = asyncio.run(race(running, database, MIX, tables, seconds, together=together))
            rates[count, together] = found
            where = ", pages of a table at one" if together else ""
            print(
                f"        {count} servers{where}: {found.per_second:,.0f} choices a second,"
                f" {found.server_ms:.2f} ms of servers and {found.database_ms:.2f} ms of PostgreSQL a choice"
            )
    for where, together in (("pages of a table anywhere", False), ("pages of a table at one server", True)):
        if (1, False) in rates and (2, together) in rates:
            one, two = (sum(rates[key][1:3]) for key in ((1, False), (2, together)))
            what = f"CPU a choice, two servers / one, {where}"
            measured(what, f"{two / one:.2f}", f"{TWO_SERVERS_BAR}", two / one <= TWO_SERVERS_BAR)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--game", action="append", help="only this game, with SQLite")
    parser.add_argument("--servers", type=int, action="append", help="only this number of servers, with PostgreSQL")
    asked = parser.parse_args()
    if not asked.servers:
        run(asked.tables, asked.seconds, tuple(asked.game or GAMES))
    if not asked.game:
        run_postgres(asked.tables, asked.seconds, tuple(asked.servers or COUNTS))
    sys.exit(bool(missed()))
