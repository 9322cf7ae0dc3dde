"""The kill campaign: servers, thinkers and PostgreSQL are killed at random moments, and no acknowledged choice is lost.

Three servers and a thinker share a PostgreSQL database. People race all games over HTTP and WebSocket; after a failure
they ask another server, with the same key. `python -m bench.kills --kills 500` runs the campaign; `make test` runs a
small one. All connections are on loopback.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import httpx
import msgspec
import websockets

from bench.report import heading, measured, missed
from bench.table_load import free_port
from spina.table.store.journal_store import Store
from spina.table.store.verification import verify

GAMES = ("charioteer", "chariot-race", "chariotmaster")
OPTIONS: dict[str, dict[str, Any]] = {"chariotmaster": {"laps": 1}}
SERVERS = 3
TABLES = 6
PAUSE = (0.1, 1.2)
"""Seconds between two kills, at random."""
AWAY = 10.0
"""Seconds within which a race must go on after its server's death."""
PATIENCE = 120.0


class Database(Protocol):
    """A PostgreSQL server that can be killed, as the tests have it."""

    def new_database(self) -> str: ...

    def kill(self) -> None: ...

    def start(self) -> None: ...


@dataclass
class Kept:
    """What the clients were told."""

    acknowledged: dict[tuple[str, str], int] = field(default_factory=dict)
    """Versions of acknowledged choices, by table and stored key."""
    told: dict[str, dict[int, str]] = field(default_factory=dict)
    """Kinds of the entries that pages were told of, by table and version."""
    contradictions: list[str] = field(default_factory=list)
    longest_wait: float = 0.0
    """Longest time in seconds from a choice's first attempt to its acknowledgement."""
    finished: int = 0


class Process:
    """A server or a thinker, started again after each kill."""

    def __init__(self, folder: Path, database: str, port: int | None) -> None:
        self.port, self._folder, self._database = port, folder, database
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "spina"]
        if self.port is None:
            command += ["think", "--workers", "1"]
        else:
            origin = f"http://127.0.0.1:{self.port}"
            command += ["serve", "--port", str(self.port), "--workers", "1", "--origin", origin]
        command += ["--database", self._database]
        with (self._folder / f"log-{self.port or 'thinker'}").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log)

    def kill(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()


class Person:
    """A person who races on whatever happens, asking one server after the other."""

    def __init__(self, ports: list[int], kept: Kept, number: int) -> None:
        self._ports, self._kept = itertools.cycle(ports[number % len(ports) :] + ports[: number % len(ports)]), kept
        self._port = next(self._ports)
        self._token = secrets.token_urlsafe(24)
        self._headers = {
            "authorization": f"Bearer {self._token}",
            "x-forwarded-for": f"10.1.{number // 250}.{number % 250}",
        }
        self._client = httpx.AsyncClient(timeout=15)
        self.id = ""

    async def close(self) -> None:
        await self._client.aclose()

    async def introduce(self) -> None:
        """Become a visitor."""
        made = await self.ask("POST", "/api/visitors", {"name": None})
        self._headers["authorization"], self.id = f"Bearer {made['token']}", made["visitor"]

    async def ask(self, method: str, path: str, content: Any = None) -> Any:
        """The answer to a request, from whichever server is up."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                answer = await self._client.request(
                    method, f"http://127.0.0.1:{self._port}{path}", json=content, headers=self._headers
                )
                if answer.status_code < 500 and answer.status_code != 429:
                    return answer.json() if answer.status_code < 300 else None
            except (httpx.HTTPError, ValueError):
                pass
            if time.monotonic() > until:
                raise TimeoutError(f"no server has answered {method} {path}")
            self._port = next(self._ports)
            await asyncio.sleep(0.05)

    async def race(self, table: str, seat: int, chance: random.Random) -> None:
        """Choose at random until the race is over."""
        watching = asyncio.create_task(self._watch(table))
        try:
            while True:
                seen = await self.ask("GET", f"/api/tables/{table}?seat={seat}")
                if seen["state"]["status"] != "running":
                    return
                if not seen["legal"]:
                    await asyncio.sleep(0.02)
                    continue
                key, begun = secrets.token_hex(8), time.monotonic()
                choice = {
                    "key": key,
                    "seat": seat,
                    "actions": [chance.choice(seen["legal"])],
                    "version": seen["state"]["version"],
                }
                answer = await self.ask("POST", f"/api/tables/{table}/play", choice)
                self._kept.longest_wait = max(self._kept.longest_wait, time.monotonic() - begun)
                if answer is not None:
                    self._kept.acknowledged[table, f"{self.id}:{key}"] = answer["version"]
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)

    async def _watch(self, table: str) -> None:
        """A page that is open all the time, at one server after the other, and notes what it is told."""
        told = self._kept.told.setdefault(table, {})
        version, ports = 0, itertools.cycle([next(self._ports) for _ in range(SERVERS)])
        while True:
            url = f"ws://127.0.0.1:{next(ports)}/t/{table}/live?version={version}"
            with contextlib.suppress(OSError, websockets.WebSocketException, TimeoutError):
                async with websockets.connect(url, additional_headers=self._headers, max_size=None) as page:
                    async for text in page:
                        message = msgspec.json.decode(text)
                        for moment in message.get("moments", []):
                            before = told.setdefault(moment["version"], moment["kind"])
                            if before != moment["kind"]:
                                self._kept.contradictions.append(f"{table} {moment['version']}")
                            version = max(version, moment["version"])
            await asyncio.sleep(0.05)


async def _race_on(people: list[Person], tables: int, seed: int, kept: Kept, enough: Callable[[], bool]) -> None:
    """Race one race after the other at each table's place, until there is enough."""

    async def place(number: int) -> None:
        chance = random.Random(seed + number)
        pair = people[2 * number : 2 * number + 2]
        while not enough():
            game = GAMES[chance.randrange(len(GAMES))]
            seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "bot": "competent"}]
            setup = {"game": game, "seats": seats, "options": OPTIONS.get(game, {})}
            made = await pair[0].ask("POST", "/api/tables", setup)
            if made is None or await pair[1].ask("POST", f"/api/tables/{made['id']}/sit", {}) is None:
                continue  # a retry after a lost answer: the table is set up, or the seat taken, already
            await asyncio.gather(*(one.race(made["id"], seat, chance) for seat, one in enumerate(pair)))
            kept.finished += 1

    await asyncio.gather(*(place(number) for number in range(tables)))


async def campaign(database: Database, folder: Path, kills: int, tables: int, seed: int) -> tuple[Kept, float]:
    """Kill and race. Returns what clients were told, and the time in seconds."""
    url, chance, kept = database.new_database(), random.Random(seed), Kept()
    await (await Store.open(url)).close()
    processes = [Process(folder, url, free_port()) for _ in range(SERVERS)] + [Process(folder, url, None)]
    ports = [process.port for process in processes if process.port is not None]
    people = [Person(ports, kept, number) for number in range(2 * tables)]
    left, begun = kills, time.monotonic()
    try:
        for process in processes:
            process.start()
        for person in people:
            await person.introduce()
        racing = asyncio.create_task(_race_on(people, tables, seed, kept, lambda: left <= 0))
        while left > 0 and not racing.done():
            await asyncio.sleep(chance.uniform(*PAUSE))
            if chance.random() < 0.15:
                await asyncio.to_thread(database.kill)
                await asyncio.to_thread(database.start)
            else:
                victim = chance.choice(processes)
                victim.kill()
                victim.start()
            left -= 1
        await asyncio.wait_for(racing, 20 * PATIENCE)
    finally:
        for person in people:
            await person.close()
        for process in processes:
            process.stop()
    elapsed = time.monotonic() - begun
    await _check(url, kept)
    return kept, elapsed


async def _check(url: str, kept: Kept) -> None:
    """Compare what clients were told with the journal, and replay every race."""
    store = await Store.open(url)
    try:
        for (table, key), version in kept.acknowledged.items():
            known = await store.version_of_key(table, key)
            if known != version:
                kept.contradictions.append(f"{table}: {key} was acknowledged as {version} and is {known}")
        for table, told in kept.told.items():
            journal = {entry.version: entry.kind for entry in await store.journal(table)}
            kept.contradictions += [f"{table}: {v} was told, not kept" for v, k in told.items() if journal.get(v) != k]
        found = await asyncio.to_thread(verify, store, lambda finding: None)
        kept.contradictions += [str(finding) for finding in found.findings]
    finally:
        await store.close()


def run(database: Database, kills: int, tables: int = TABLES, seed: int = 1) -> Kept:
    """Run the campaign and report it."""
    heading(f"Kills: {SERVERS} servers, a thinker and PostgreSQL, {kills} kills, {tables} races at a time")
    with tempfile.TemporaryDirectory() as folder:
        kept, seconds = asyncio.run(campaign(database, Path(folder), kills, tables, seed))
        broken = sum("Traceback" in path.read_text() for path in Path(folder).glob("log-*"))
    print(f"        {len(kept.acknowledged)} choices acknowledged, {kept.finished} races ended, {seconds:.0f} s")
    wrong = len(kept.contradictions)
    measured("choices lost, doubled, or told and not kept", str(wrong), "0", wrong == 0)
    measured("longest wait for a choice", f"{kept.longest_wait:.1f} s", f"{AWAY:g} s", kept.longest_wait <= AWAY)
    measured("logs with a traceback", str(broken), "0", broken == 0)
    return kept


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "table"))
    from postgres_server import PostgresServer

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    server = PostgresServer()
    try:
        run(server, asked.kills, seed=asked.seed)
    finally:
        server.close()
    sys.exit(bool(missed()))
