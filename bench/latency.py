"""Latency: two hundred tables with four people each, and how long a choice takes to reach the last of their pages.

The server runs on one core, the people on another, all on loopback. Beside it, on the server's core, a bare echo of
WebSocket messages shows what the machine itself takes. A second run counts callbacks that keep the server's event loop
busy for longer than 5 ms.

    python -m bench.latency
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import msgspec
import websockets

from bench.page_clients import PEOPLE, PageTable, open_tables
from bench.processes import free_port
from bench.report import heading, measured, missed
from bench.servers import Process
from bench.throughput import MIX, servers
from bench.watched_server import LONG, Watched

TABLES, RATE = 200, 300.0
WARM_UP, SECONDS = 5.0, 20.0
MEDIAN_BAR, TAIL_BAR = 0.020, 0.150
ECHOES = 20.0
"""Messages a second to the bare echo."""

_ECHO = """
import asyncio, sys, websockets
async def echo(socket):
    try:
        async for message in socket:
            await socket.send(message)
    except websockets.ConnectionClosed:
        pass
async def main():
    async with websockets.serve(echo, "127.0.0.1", int(sys.argv[1]), compression=None):
        await asyncio.Future()
asyncio.run(main())
"""


async def choose_evenly(tables: Sequence[PageTable], rate: float, seconds: float) -> int:
    """Choices at an even rate, each at a random table that waits for one. Returns their number."""
    begun, made = time.perf_counter(), 0
    while (now := time.perf_counter()) - begun < seconds:
        while made < int((now - begun) * rate):
            made += 1
            for page in (page for table in random.sample(tables, len(tables)) for page in table.pages):
                if await page.choose():
                    break
        await asyncio.sleep(0.002)
    return made


@contextlib.asynccontextmanager
async def echoes(port: int) -> AsyncIterator[list[float]]:
    """Round trips of a bare echo while the body runs."""
    times: list[float] = []

    async def ask() -> None:
        async with websockets.connect(f"ws://127.0.0.1:{port}", compression=None) as socket:
            while True:
                begun = time.perf_counter()
                await socket.send("x" * 200)
                await socket.recv()
                times.append(time.perf_counter() - begun)
                await asyncio.sleep(1 / ECHOES)

    asking = asyncio.create_task(ask())
    try:
        yield times
    finally:
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)


@contextlib.contextmanager
def echo_server() -> Iterator[int]:
    """A bare echo on the first core."""
    port = free_port()
    process = subprocess.Popen([sys.executable, "-c", _ECHO, str(port)])
    os.sched_setaffinity(process.pid, {min(os.sched_getaffinity(0))})
    try:
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with contextlib.suppress(OSError):
                asyncio.run(_reach(port))
                break
            time.sleep(0.05)
        yield port
    finally:
        process.kill()
        process.wait()


async def _reach(port: int) -> None:
    async with websockets.connect(f"ws://127.0.0.1:{port}"):
        pass


async def race(
    server: Process, tables: int, rate: float, seconds: float, echo: int, *, watched: bool = False
) -> dict[str, list[float]]:
    """Latencies of choices to the last page, and of the echo. `watched`: the server has a watchdog."""
    async with open_tables([server.url], MIX, tables, lambda page: None) as opened, echoes(echo) as echoed:
        await choose_evenly(opened, rate, WARM_UP)
        for table in opened:
            table.forget()
        echoed.clear()
        if watched:
            os.kill(server.pid, signal.SIGUSR1)
        begun = time.perf_counter()
        await choose_evenly(opened, rate, seconds)
        elapsed = time.perf_counter() - begun
        await asyncio.sleep(1)
        lost = sum(table.gaps for table in opened)
        taken = []
        for table in opened:
            for version, sent in table.sent.items():
                seen = table.seen.get(version, [])
                lost += PEOPLE - len(seen)
                taken += [max(seen) - sent] if seen else []
        return {"choices": taken, "echo": list(echoed), "lost": [lost], "rate": [len(taken) / elapsed]}


def run(tables: int = TABLES, rate: float = RATE, seconds: float = SECONDS) -> None:
    """Measure and report."""
    heading(f"Latency: {tables} tables with {PEOPLE} people each, {rate:.0f} choices a second, server on one core")
    with servers("", 1, pinned=True) as [server], echo_server() as echo:
        found = asyncio.run(race(server, tables, rate, seconds, echo))
    choices, echoed = (statistics.quantiles(found[name], n=100) for name in ("choices", "echo"))
    measured("choices a second", f"{found['rate'][0]:.0f}", f"{rate:.0f}", found["rate"][0] >= rate * 0.97)
    median, tail = choices[49], choices[98]
    what = "choice to the last page"
    measured(f"{what}, median", f"{median * 1000:.1f} ms", f"{MEDIAN_BAR * 1000:.0f} ms", median <= MEDIAN_BAR)
    measured(f"{what}, p99", f"{tail * 1000:.1f} ms", f"{TAIL_BAR * 1000:.0f} ms", tail <= TAIL_BAR)
    measured("messages lost", f"{found['lost'][0]:.0f}", "0", found["lost"][0] == 0)
    longest = max(found["choices"]) * 1000
    print(f"        p95 {choices[94] * 1000:.1f} ms, longest {longest:.1f} ms;", end=" ")
    print(f"a bare echo: median {echoed[49] * 1000:.1f} ms, p99 {echoed[98] * 1000:.1f} ms")


def run_watched(tables: int = TABLES, rate: float = RATE, seconds: float = SECONDS) -> None:
    """Count what keeps the event loop busy for long."""
    heading(f"Event loop: {tables} tables, {rate:.0f} choices a second, callbacks of more than {LONG * 1000:g} ms")
    with tempfile.TemporaryDirectory() as folder, echo_server() as echo:
        file = Path(folder) / "watched"
        with servers("", 1, pinned=True, program=("bench.watched_server", str(file))) as [server]:
            asyncio.run(race(server, tables, rate, seconds, echo, watched=True))
        found = msgspec.json.decode(file.read_bytes(), type=Watched)
    measured("long callbacks", f"{found.long} of {found.callbacks:,}", "0", found.long == 0)
    print(f"        longest {found.longest * 1000:.1f} ms of CPU time; {found.names}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    asked = parser.parse_args()
    run(asked.tables, asked.rate, asked.seconds)
    run_watched(asked.tables, asked.rate, asked.seconds)
    sys.exit(bool(missed()))
