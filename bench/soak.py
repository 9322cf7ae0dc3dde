"""The soak: a thousand open pages for an hour, people who choose now and then, pages that come and go.

Memory and descriptors of the servers must stay flat after a warm-up, in which the rooms of former tables reach the age
at which they are closed. `python -m bench.soak` runs it for an hour, `--minutes` for another time; `make test` runs a
small one. All connections are on loopback.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import secrets
import statistics
import sys
import time
from dataclasses import dataclass, field
from typing import Any

import httpx
import msgspec
import websockets

from bench.offered_actions import an_action
from bench.people import GAMES, Closed, address
from bench.report import heading, measured, missed
from bench.servers import Cluster, cluster

SOCKETS = 1000
MINUTES = 60.0
WARM_UP = 20.0
"""Minutes before memory is measured, at most half of the time: people leave a table after some four minutes, and its
room is closed ten minutes later. The number of rooms and the length of their journals then stay the same."""
PAGES = 4
"""Open pages at each table: two people's, two spectators'."""
CHOICES = 5.0
"""Choices of people in a second, at all tables together."""
COMINGS = 2.0
"""Pages that are closed and opened again in a second."""
LIFE = 5
"""Choices after which people leave a table and set up another one, if the race is not over before."""
SAMPLES = 10
"""Parts of the time, whose medians are compared."""
FLAT = 0.05
PLAIN_DESCRIPTORS = 8
"""Descriptors by which a server may differ besides the share: connections of readers to the database."""


@dataclass
class Samples:
    """Memory in megabytes and descriptors of each server over time."""

    memory: list[list[float]] = field(default_factory=list)
    descriptors: list[list[int]] = field(default_factory=list)
    choices: int = 0
    comings: int = 0
    tables: int = 0
    lost: int = 0
    """Connections that a server closed."""


class Visitor:
    """A visitor with an open page."""

    def __init__(self, number: int) -> None:
        self.headers = {"authorization": f"Bearer {secrets.token_urlsafe(24)}", "x-forwarded-for": address(number)}
        self.state: dict[str, Any] = {}
        self._socket: websockets.ClientConnection | None = None
        self._reading: asyncio.Task[None] | None = None

    async def open(self, port: int, table: str, samples: Samples) -> None:
        url = f"ws://127.0.0.1:{port}/t/{table}/live"
        self._socket = await websockets.connect(
            url, additional_headers=self.headers, max_size=None, compression=None, ping_interval=None, open_timeout=60
        )
        self._reading = asyncio.create_task(self._read(self._socket, samples))

    async def _read(self, page: websockets.ClientConnection, samples: Samples) -> None:
        async for text in page:
            message = msgspec.json.decode(text)
            if "state" in message:
                self.state = message["state"]
        samples.lost += 1

    async def close(self) -> None:
        if self._socket is not None and self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
            await self._socket.close()
            self._socket, self.state = None, {}

    async def choose(self) -> bool:
        """Choose, if the seat owes a choice. Returns whether it did."""
        offer = self.state.get("offer")
        if not offer or self._socket is None:
            return False
        self.state["offer"] = None
        play = {
            "type": "play",
            "key": secrets.token_hex(8),
            "seat": self.state["looking"],
            "actions": [an_action(offer)],
        }
        await self._socket.send(msgspec.json.encode(play).decode())
        return True


class Table:
    """A place for PAGES visitors, with one race after the other."""

    def __init__(self, number: int, ports: list[int], samples: Samples, chance: random.Random) -> None:
        self._number, self._ports, self._samples, self._chance = number, ports, samples, chance
        self.visitors = [Visitor(number * PAGES + each) for each in range(PAGES)]
        self.id, self.life, self._changing = "", 0, asyncio.Lock()

    async def begin(self, client: httpx.AsyncClient, life: int) -> None:
        """Leave the table, set up another one and open its pages."""
        async with self._changing:
            for visitor in self.visitors:
                await visitor.close()
            for visitor in self.visitors[:2] if self.id else ():
                await self._ask(client, visitor, f"/api/tables/{self.id}/leave", {})
            game = GAMES[self._chance.randrange(len(GAMES))]
            seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "bot": "competent"}]
            made = await self._ask(client, self.visitors[0], "/api/tables", {"game": game, "seats": seats})
            self.id, self.life = made["id"], life
            await self._ask(client, self.visitors[1], f"/api/tables/{self.id}/sit", {})
            for visitor in self.visitors:
                await visitor.open(self._chance.choice(self._ports), self.id, self._samples)
            self._samples.tables += 1

    async def _ask(self, client: httpx.AsyncClient, visitor: Visitor, path: str, content: Any) -> Any:
        url = f"http://127.0.0.1:{self._chance.choice(self._ports)}{path}"
        answer = await client.post(url, json=content, headers=visitor.headers)
        assert answer.status_code < 500, answer.text
        return answer.json()

    async def come_back(self) -> None:
        """Close a page and open it again, at any server."""
        async with self._changing:
            visitor = self._chance.choice(self.visitors)
            await visitor.close()
            await visitor.open(self._chance.choice(self._ports), self.id, self._samples)
            self._samples.comings += 1

    async def choose(self) -> None:
        async with self._changing:
            for visitor in self.visitors[:2]:
                if await visitor.choose():
                    self.life -= 1
                    self._samples.choices += 1
                    return

    @property
    def is_over(self) -> bool:
        return self.life <= 0 or self.visitors[0].state.get("status") in ("over", "left")


async def campaign(cluster: Cluster, sockets: int, seconds: float, warm_up: float, seed: int) -> Samples:
    """Keep pages open. Returns samples of the time after the warm-up."""
    samples, chance = Samples(), random.Random(seed)
    tables = [Table(number, cluster.ports, samples, chance) for number in range(sockets // PAGES)]
    limits = httpx.Limits(max_connections=20)
    async with httpx.AsyncClient(timeout=60, limits=limits) as client, contextlib.AsyncExitStack() as stack:
        for table in tables:
            for visitor in table.visitors:
                stack.push_async_callback(visitor.close)
        few = asyncio.Semaphore(8)

        async def begin(table: Table) -> None:
            async with few:
                await table.begin(client, chance.randint(1, LIFE))

        await asyncio.gather(*map(begin, tables))
        begun = time.monotonic()
        working = [
            asyncio.create_task(_choose(tables, client, chance)),
            asyncio.create_task(_come_and_go(tables, chance)),
        ]
        try:
            while (passed := time.monotonic() - begun) < seconds:
                if passed >= warm_up:
                    samples.memory.append([server.memory() for server in cluster.servers])
                    samples.descriptors.append([server.descriptors() for server in cluster.servers])
                await asyncio.sleep(min(5.0, seconds / 50))
                for work in working:
                    if work.done():
                        work.result()
        finally:
            for work in working:
                work.cancel()
            await asyncio.gather(*working, return_exceptions=True)
    return samples


async def _choose(tables: list[Table], client: httpx.AsyncClient, chance: random.Random) -> None:
    while True:
        table = chance.choice(tables)
        with contextlib.suppress(*Closed):
            if table.is_over:
                await table.begin(client, LIFE)
            await table.choose()
        await asyncio.sleep(1 / CHOICES)


async def _come_and_go(tables: list[Table], chance: random.Random) -> None:
    while True:
        with contextlib.suppress(*Closed):
            await chance.choice(tables).come_back()
        await asyncio.sleep(1 / COMINGS)


def _parts(values: list[float]) -> list[float]:
    """The medians of the parts of the time."""
    size = max(1, len(values) // SAMPLES)
    return [statistics.median(values[at : at + size]) for at in range(0, len(values) - size + 1, size)]


def _change(parts: list[float]) -> tuple[float, float]:
    """The first part, and the largest difference from it."""
    return parts[0], max((part - parts[0] for part in parts), key=abs)


def run(cluster: Cluster, sockets: int = SOCKETS, minutes: float = MINUTES, seed: int = 1) -> Samples:
    """Run the campaign and report it."""
    heading(f"Soak: {sockets} open pages at {len(cluster.servers)} servers for {minutes:g} minutes")
    warm_up = min(WARM_UP, minutes / 2)
    samples = asyncio.run(campaign(cluster, sockets, 60 * minutes, 60 * warm_up, seed))
    print(
        f"        {samples.choices} choices of people, {samples.tables} tables, {samples.comings} pages opened again;"
        f" measured for {minutes - warm_up:.1f} minutes"
    )
    for number in range(len(cluster.servers)):
        parts = _parts([each[number] for each in samples.memory])
        print(f"        server {number + 1}, MB over time: {' '.join(f'{part:.0f}' for part in parts)}")
        first, change = _change(parts)
        measured(
            f"memory of server {number + 1}: change of {first:.0f} MB",
            f"{change:+.1f} MB, {change / first:+.1%}",
            f"{FLAT:.0%}",
            change <= FLAT * first,
        )
    first, change = _change(_parts([float(sum(each)) for each in samples.descriptors]))  # pages change between servers
    flat = change <= max(PLAIN_DESCRIPTORS, FLAT * first)  # fewer of them are what an earlier load has left
    measured(f"descriptors of all servers: change of {first:.0f}", f"{change:+.0f}", f"{FLAT:.0%}", flat)
    measured("pages that a server has closed", str(samples.lost), "0", samples.lost == 0)
    broken = cluster.tracebacks()
    measured("tracebacks in logs", str(broken), "0", broken == 0)
    return samples


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--sockets", type=int, default=SOCKETS)
    asked = parser.parse_args()
    with cluster() as servers:
        run(servers, asked.sockets, asked.minutes)
    sys.exit(bool(missed()))
