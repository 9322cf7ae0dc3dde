"""Two hundred tables with four people each: how long a choice takes to reach everybody's screen.

The server runs on one core, the people on another, all on loopback. `python -m bench.table_load` runs this part alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import secrets
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import websockets

from bench.report import heading, measured

TABLES = 200
PEOPLE = 4
RATE = 160.0
SECONDS = 20.0
WARM_UP = 6.0
MIX = ("charioteer", "charioteer", "chariot-race", "chariot-race", "chariotmaster")
BAR = 0.100


@dataclass
class Person:
    """One person with a page open."""

    table: Seats
    seat: int
    socket: Any
    state: dict[str, Any] = field(default_factory=dict)
    version: int = 0
    outstanding: str | None = None


@dataclass
class Seats:
    """A table, with the times at which each of its versions was requested and seen."""

    id: str
    people: list[Person] = field(default_factory=list)
    asked: dict[str, float] = field(default_factory=dict)
    sent: dict[int, float] = field(default_factory=dict)
    seen: dict[int, list[float]] = field(default_factory=dict)
    gaps: int = 0


def run(tables: int = TABLES, seconds: float = SECONDS) -> None:
    """Measure and report."""
    heading(f"Table: {tables} tables with {PEOPLE} people each, {RATE:.0f} choices a second, server on one core")
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        server = _serve(Path(folder), port)
        try:
            latencies, choices, lost, elapsed = asyncio.run(_race(f"127.0.0.1:{port}", tables, seconds))
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(30)
    cuts = statistics.quantiles(latencies, n=100)
    made = choices / elapsed
    measured("choices a second", f"{made:.0f}", f"{RATE:.0f}", made >= RATE * 0.97)
    spread = f"p95 {cuts[94] * 1000:.1f} ms"
    measured("choice to everyone's screen", spread, f"p95 under {BAR * 1000:.0f} ms", cuts[94] < BAR)
    measured("messages lost", f"{lost} of {len(latencies)}", "none", lost == 0)
    print(f"        median {cuts[49] * 1000:.1f} ms, p99 {cuts[98] * 1000:.1f}, longest {max(latencies) * 1000:.1f}")


def free_port() -> int:
    """A free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _serve(folder: Path, port: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "spina", "serve", "--port", str(port), "--workers", "1"]
    command += ["--database", f"sqlite:///{folder / 'table.db'}"]
    cores = sorted(os.sched_getaffinity(0))
    server = subprocess.Popen(command, env={**os.environ, "SPINA_DATA_DIR": str(folder)}, stdout=subprocess.DEVNULL)
    os.sched_setaffinity(server.pid, {cores[0]})
    if len(cores) > 1:
        os.sched_setaffinity(0, set(cores[1:]))
    for _ in range(3000):
        try:
            answer = httpx.get(f"http://127.0.0.1:{port}/api/ready", timeout=5).json()
            if all(game["ready"] for game in answer.values()):
                return server
        except httpx.HTTPError:
            pass
        time.sleep(0.1)
    raise RuntimeError("the server did not start")


async def _race(host: str, tables: int, seconds: float) -> tuple[list[float], int, int, float]:
    async with contextlib.AsyncExitStack() as stack:
        made = []
        for number in range(tables):
            home = f"127.0.1.{number % 250 + 1}"  # a different address for each table: rate limits count by address
            transport = httpx.AsyncHTTPTransport(local_address=home)
            client = httpx.AsyncClient(base_url=f"http://{host}", timeout=60, transport=transport)
            await stack.enter_async_context(client)
            made.append(await _table(client, host, MIX[number % len(MIX)], home))
        listening = [asyncio.create_task(_listen(person)) for table in made for person in table.people]
        await asyncio.sleep(1)
        await _choose(made, WARM_UP)
        for table in made:
            table.sent.clear()
            table.seen.clear()
        begun = time.perf_counter()
        choices = await _choose(made, seconds)
        elapsed = time.perf_counter() - begun
        await asyncio.sleep(1)
        for task in listening:
            task.cancel()
        for table in made:
            for person in table.people:
                await person.socket.close()
    latencies, lost = [], 0
    for table in made:
        lost += table.gaps
        for version, sent in table.sent.items():
            seen = table.seen.get(version, [])
            lost += PEOPLE - len(seen)
            latencies += [moment - sent for moment in seen]
    return latencies, choices, lost, elapsed


async def _table(client: httpx.AsyncClient, host: str, game: str, home: str) -> Seats:
    headers = [{"authorization": f"Bearer {secrets.token_urlsafe(24)}"} for _ in range(PEOPLE)]
    seats = [{"kind": "me"}, *({"kind": "open"} for _ in range(PEOPLE - 1))]
    made = (await client.post("/api/tables", json={"game": game, "seats": seats}, headers=headers[0])).json()
    table = Seats(made["id"])
    for header in headers[1:]:
        (await client.post(f"/api/tables/{table.id}/sit", json={}, headers=header)).raise_for_status()
    for seat, header in enumerate(headers):
        live = await websockets.connect(
            f"ws://{host}/t/{table.id}/live",
            additional_headers=header,
            max_size=None,
            compression=None,
            local_addr=(home, 0),
        )
        table.people.append(Person(table, seat, live))
    return table


async def _listen(person: Person) -> None:
    table = person.table
    async for text in person.socket:
        now = time.perf_counter()
        message = json.loads(text)
        match message["type"]:
            case "welcome":
                person.state, person.version = message["state"], message["state"]["version"]
            case "update":
                for moment in message["moments"]:
                    if moment["version"] != person.version + 1:
                        table.gaps += 1
                    person.version = moment["version"]
                    table.seen.setdefault(moment["version"], []).append(now)
                person.state = message["state"]
            case "done":
                table.sent[message["version"]] = table.asked.pop(message["key"])
                person.outstanding = None
            case "refused":
                person.outstanding = None


async def _choose(tables: list[Seats], seconds: float) -> int:
    """Choices at an even rate, each at a random table that waits for one, as people are not synchronised."""
    begun, made = time.perf_counter(), 0
    while (now := time.perf_counter()) - begun < seconds:
        due = int((now - begun) * RATE)
        while made < due:
            for _ in range(len(tables)):
                if await _choice(random.choice(tables)):
                    break
            made += 1
        await asyncio.sleep(0.002)
    return made


async def _choice(table: Seats) -> bool:
    for person in random.sample(table.people, len(table.people)):
        offer = person.state.get("offer")
        if offer and person.outstanding is None:
            key = f"{random.getrandbits(64):016x}"
            person.outstanding, person.state["offer"] = key, None
            play = {"type": "play", "key": key, "seat": person.seat, "actions": [an_action(offer)]}
            table.asked[key] = time.perf_counter()
            await person.socket.send(json.dumps(play))
            return True
    return False


def an_action(offer: dict[str, Any]) -> str:
    """One of the offered actions, in any game."""
    if "moves" in offer:
        choices = [move["best"]["choice"] for move in offer["moves"] if move["best"]]
        return str(random.choice(choices or [offer["reset"]["best"]["choice"]]))
    if "chariots" in offer:
        return f"token {offer['chariots'][0]['tokens'][0]['token']}"
    if "question" in offer:
        return an_answer(offer)
    return str(random.choice(offer["actions"]))


def an_answer(offer: dict[str, Any]) -> str:
    """One of the answers to a question of Chariotmaster: a ready move if there is one."""
    ready = [one if isinstance(one, str) else one["action"] for one in offer.get("ready", ())]
    walks = [f"walk {leg['direction']} {leg['mm']} mm" for leg in offer.get("legs", ())]
    answers = [one["action"] for one in (*offer["answers"], *offer.get("sides", ()))]
    return str((ready or walks or answers)[0])


if __name__ == "__main__":
    run()
