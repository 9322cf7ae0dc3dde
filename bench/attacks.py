"""Attacks by one anonymous client at full size: their effect on an honest client, and on memory afterwards.

`python -m bench.attacks` starts a server on loopback for each attack, runs it for a bounded time and prints a table;
`python -m bench.attacks NAME …` runs some of them. Honest people come from 127.0.0.1, the attacker from another
loopback address; with `--same-address` from the same. All traffic stays on this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import inspect
import json
import multiprocessing
import os
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import websockets

from bench import attack_clients, attack_inside
from bench.attack_clients import HOST, bearer, new_token
from bench.attack_inside import Target, create
from bench.offered_actions import an_action
from bench.processes import free_port, memory
from bench.report import heading, measured

Attack = Callable[[Target, float], Awaitable[str]]


async def edition_flood(target: Target, seconds: float) -> str:
    """Eight connections that send edition texts with as many problems as fit."""
    return str(await attack_clients.edition_flood(target.port, seconds=seconds, source=target.source))


async def moments_flood(target: Target, seconds: float) -> str:
    """Eight connections that ask for parts of finished races."""
    async with target.client() as client:
        tables = [await attack_inside.long_race(client, new_token()) for _ in range(3)]
    flood = attack_clients.moments_flood(target.port, tuple(tables), seconds=max(1, seconds - 5), source=target.source)
    return str(await flood)


async def endless_headers(target: Target, seconds: float) -> str:
    """One header of 139 MB, four times at once."""
    return str(await attack_clients.endless_headers(target.port, 139, 4, target.source, seconds))


async def half_requests(target: Target, seconds: float) -> str:
    """420 requests whose head never ends."""
    return str(await attack_clients.half_requests(target.port, seconds=seconds, source=target.source))


async def half_bodies(target: Target, seconds: float) -> str:
    """420 requests whose body never ends."""
    return str(await attack_clients.half_requests(target.port, seconds=seconds, source=target.source, body=True))


ATTACKS: dict[str, Attack] = {
    attack.__name__: attack
    for attack in (edition_flood, moments_flood, endless_headers, half_requests, half_bodies, *attack_inside.ATTACKS)
}

SECONDS = 30.0
BEFORE = 10.0
AFTER = 60.0
"""Seconds after the attack at which memory is measured again."""
RATIO = 3.0
MEGABYTES = 50
NEWCOMER = 10.0
"""Seconds within which a new visitor must have a table with its first message."""
PAUSE = 0.1
"""Seconds between an honest person's requests."""
ATTACKERS_STAND_BACK = 10
"""Niceness of the attacker, who would be on another machine."""


@dataclass
class Felt:
    """Response times of honest people in a period, in seconds."""

    requests: list[float] = field(default_factory=list)
    turns: list[float] = field(default_factory=list)
    """From a choice until the bots have answered it."""
    newcomers: list[float] = field(default_factory=list)
    locked_out: int = 0


def run(names: list[str], seconds: float, *, same_address: bool = False) -> None:
    """Run attacks one after the other and report."""
    heading(f"Attacks by one anonymous client, {seconds:.0f} s each")
    lines = []
    for name in names:
        lines.append(asyncio.run(_attacked(name, seconds, same_address)))
    print("\n".join(["", HEAD, *lines]), flush=True)


HEAD = (
    f"{'attack':<16} {'requests: before, during, ratio':>34} {'bot turns: before, during, ratio':>34}"
    f" {'MB: start, peak, after':>24}  newcomers"
)


async def _attacked(name: str, seconds: float, same_address: bool) -> str:
    with tempfile.TemporaryDirectory() as folder, _serving(Path(folder)) as (port, pid):
        target = Target(port, HOST if same_address else Target(port).source)
        await _warm_up(port)
        before, during = Felt(), Felt()
        await _honest(port, before, BEFORE)
        start = memory(pid)
        attacking = multiprocessing.get_context("spawn").Process(
            target=_attack, args=(name, target, seconds), daemon=True
        )
        attacking.start()
        peak = [start]
        watching = asyncio.create_task(_watch_memory(pid, peak))
        try:
            await asyncio.sleep(min(5.0, seconds / 4))  # until it is under way
            await _honest(port, during, seconds - min(5.0, seconds / 4))
        finally:
            await asyncio.to_thread(attacking.join, 60)
            if attacking.is_alive():
                attacking.kill()
        await asyncio.sleep(AFTER)
        watching.cancel()
        after = memory(pid)
    return _report(name, before, during, (start, max(peak), after))


def _report(name: str, before: Felt, during: Felt, memory: tuple[float, float, float]) -> str:
    start, peak, after = memory
    parts = []
    for what, was, is_ in (
        ("requests", before.requests, during.requests),
        ("bot turns", before.turns, during.turns),
    ):
        old = statistics.median(was)
        new = statistics.median(is_) if is_ else float("inf")
        measured(f"{name}: {what}", f"{new / old:.1f} times", f"{RATIO:.0f} times", new <= RATIO * old)
        parts.append(f"{old * 1000:>9.1f} ms {new * 1000:>9.1f} ms {new / old:>7.1f}")
    measured(f"{name}: memory", f"{after - start:+.0f} MB", f"{MEGABYTES} MB", after - start <= MEGABYTES)
    let_in = len(during.newcomers)
    measured(f"{name}: newcomers", f"{during.locked_out} locked out", "none", during.locked_out == 0 and let_in > 0)
    slowest = f"{max(during.newcomers):.1f} s" if during.newcomers else "never"
    return (
        f"{name:<16} {parts[0]:>34} {parts[1]:>34} {start:>7.0f} {peak:>7.0f} {after:>7.0f}  "
        f"{let_in} let in (slowest {slowest}), {during.locked_out} locked out"
    )


# --- the server -----------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _serving(folder: Path) -> Iterator[tuple[int, int]]:
    """A server as `spina serve` starts it. Yields its port and process."""
    port = free_port()
    command = [sys.executable, "-m", "spina", "serve", "--port", str(port)]
    command += ["--database", f"sqlite:///{folder / 'table.db'}"]
    environment = {**os.environ, "SPINA_DATA_DIR": str(folder)}
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=log)
    try:
        for _ in range(6000):
            with contextlib.suppress(httpx.HTTPError):
                ready = httpx.get(f"http://{HOST}:{port}/api/ready", timeout=5).json()
                if all(game["ready"] for game in ready.values()):
                    break
            time.sleep(0.1)
        else:
            raise RuntimeError("the server did not start")
        yield port, server.pid
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(30)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        said = (folder / "log").read_text(errors="replace").splitlines()
        if said:
            print(f"        the server wrote {len(said)} lines to its log, the last: {said[-1][:150]}")


async def _watch_memory(pid: int, seen: list[float]) -> None:
    """Memory of the server process, without its bot workers."""
    while True:
        seen.append(memory(pid))
        await asyncio.sleep(0.25)


# --- the attacker ---------------------------------------------------------------------------------------------------


def _attack(name: str, target: Target, seconds: float) -> None:
    os.nice(ATTACKERS_STAND_BACK)
    print(f"        {name}: {asyncio.run(ATTACKS[name](target, seconds))}", flush=True)


# --- honest people --------------------------------------------------------------------------------------------------


async def _warm_up(port: int) -> None:
    """Use every part of the server once."""
    await _honest(port, Felt(), 3.0)


async def _honest(port: int, felt: Felt, seconds: float) -> None:
    """A visitor who reads pages, one who races against easy bots, and every second a new visitor."""
    until = time.monotonic() + seconds
    await asyncio.gather(_look_around(port, felt, until), _race(port, felt, until), _arrive(port, felt, until))


async def _look_around(port: int, felt: Felt, until: float) -> None:
    target, token = Target(port, HOST), new_token()
    async with target.client() as client:
        table = await create(client, token, "chariot-race", "me", "easy")
        paths = ["/", "/api/tables", "/rules", f"/t/{table}", f"/api/tables/{table}?seat=0"]
        number = 0
        while time.monotonic() < until:
            path, begun = paths[number % len(paths)], time.perf_counter()
            with contextlib.suppress(httpx.HTTPError):
                (await client.get(path, headers=bearer(token))).raise_for_status()
            felt.requests.append(time.perf_counter() - begun)
            number += 1
            await asyncio.sleep(PAUSE)


async def _race(port: int, felt: Felt, until: float) -> None:
    """One race after the other against three easy bots, on an open page."""
    target, token = Target(port, HOST), new_token()
    async with target.client() as client:
        while time.monotonic() < until:
            table = await create(client, token, "chariot-race", "me", "easy", "easy", "easy")
            if table is None:
                await asyncio.sleep(PAUSE)
                continue
            with contextlib.suppress(OSError, websockets.WebSocketException, TimeoutError):
                await _race_once(target, table, token, felt, until)


async def _race_once(target: Target, table: str, token: str, felt: Felt, until: float) -> None:
    async with target.connect(table, token) as socket:
        begun: float | None = None  # since when it is the bots' turn
        while True:
            left = until - time.monotonic()
            if left <= 0:
                if begun is not None:  # the bots have not answered yet
                    felt.turns.append(time.perf_counter() - begun)
                return
            try:
                message = json.loads(await asyncio.wait_for(socket.recv(), left))
            except TimeoutError:
                continue
            state = message.get("state")
            if state is None:
                continue
            if state["status"] != "running":
                return
            if 0 not in state["waiting"]:
                begun = time.perf_counter() if begun is None else begun
            elif state["offer"]:
                if begun is not None:  # some choices are made in several steps, without bots in between
                    felt.turns.append(time.perf_counter() - begun)
                    begun = None
                await asyncio.sleep(PAUSE)
                play = {"type": "play", "key": secrets.token_hex(8), "seat": 0, "actions": [an_action(state["offer"])]}
                await socket.send(json.dumps(play))


async def _arrive(port: int, felt: Felt, until: float) -> None:
    """A new visitor opens the home page, creates a table and sees it."""
    while time.monotonic() < until:
        begun = time.monotonic()
        try:
            await asyncio.wait_for(_newcomer(port), NEWCOMER)
            felt.newcomers.append(time.monotonic() - begun)
        except (OSError, httpx.HTTPError, websockets.WebSocketException, AssertionError):
            felt.locked_out += 1
        await asyncio.sleep(max(0.0, 1.0 - (time.monotonic() - begun)))


async def _newcomer(port: int) -> None:
    target = Target(port, HOST)
    async with target.client() as client:
        (await client.get("/", headers={"accept": "text/html"})).raise_for_status()
        made = await client.post("/api/visitors", json={}, headers={"origin": f"http://{target.host}"})
        made.raise_for_status()
        token = made.json()["token"]
        table = await create(client, token, "charioteer", "me", "easy")
        assert table is not None, "the table was refused"
        async with target.connect(table, token, close_timeout=1) as socket:
            assert json.loads(await socket.recv())["type"] == "welcome"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=inspect.cleandoc(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ATTACKS))
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--same-address", action="store_true")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.names if name not in ATTACKS]
    if unknown:
        parser.error(f"there is no attack {unknown[0]!r}: there are {', '.join(ATTACKS)}")
    run(chosen.names or list(ATTACKS), chosen.seconds, same_address=chosen.same_address)
