"""Attacks that one anonymous client makes on a table over HTTP, and the honest client that is measured beside them.

The tests run them small, `bench.attacks` at full size. All are bounded in number and time, and go to this machine only.
A client may come from another loopback address (`source`): the attacker and the honest client are two addresses then.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import multiprocessing
import os
import secrets
import statistics
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any

HOST = "127.0.0.1"
ATTACKER = "127.0.0.2"
PATIENCE = 60.0
"""Seconds after which an honest client counts as locked out."""
EDITION_BYTES = 60_000
PAUSE = 0.02
"""Seconds between the requests of an honest client, and after a refusal of an attacker."""

Attack = Callable[[], Coroutine[Any, Any, "Tally"]]


@dataclass
class Tally:
    """The results of many requests: answers by status (0: no answer), seconds of each, bytes sent."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    sent: int = 0

    @property
    def median(self) -> float:
        return statistics.median(self.seconds) if self.seconds else float("inf")

    @property
    def locked_out(self) -> int:
        """Requests that got no answer."""
        return self.statuses[0]

    def __str__(self) -> str:
        counted = ", ".join(f"{count} x {status or 'no answer'}" for status, count in sorted(self.statuses.items()))
        longest = max(self.seconds, default=0.0)
        return f"median {self.median * 1000:.1f} ms, longest {longest * 1000:.0f} ms ({counted})"


def new_token() -> str:
    """A made-up session token: a server accepts any."""
    return secrets.token_urlsafe(24)


def bearer(token: str | None = None) -> dict[str, str]:
    """The authorization header with this token, or with a new one."""
    return {"authorization": f"Bearer {token or new_token()}"}


async def connect(port: int, source: str | None = None) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection from this address of the machine."""
    return await asyncio.open_connection(HOST, port, local_addr=(source, 0) if source else None)


def head(port: int, method: str, path: str, headers: dict[str, str] | None = None) -> bytes:
    """The head of a request, but for the empty line that ends it."""
    lines = [f"{method} {path} HTTP/1.1", f"host: {HOST}:{port}", *(f"{k}: {v}" for k, v in (headers or {}).items())]
    return "\r\n".join(lines).encode() + b"\r\n"


async def request(
    port: int,
    method: str,
    path: str,
    body: bytes = b"",
    headers: dict[str, str] | None = None,
    source: str | None = None,
) -> tuple[int, bytes]:
    """One request on a new connection, as a new visitor makes it. Returns status and body; 0 without an answer."""
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await connect(port, source)
            try:
                length = {"content-length": str(len(body))} if body else {}
                writer.write(head(port, method, path, {"connection": "close", **(headers or {}), **length}))
                writer.write(b"\r\n" + body)
                answer = await reader.read()
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return 0, b""
    before, _, content = answer.partition(b"\r\n\r\n")
    return (int(before.split()[1]), content) if before.startswith(b"HTTP/1.1 ") else (0, b"")


async def create_table(port: int, game: str, *bots: str, token: str | None = None) -> str:
    """A table: of these bots, or of one person with two open seats."""
    places = [{"kind": "bot", "bot": bot} for bot in bots] or [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    body = json.dumps({"game": game, "seats": places}).encode()
    status, content = await request(port, "POST", "/api/tables", body, bearer(token))
    if status != 200:
        raise RuntimeError(f"no table could be set up: {status} {content.decode()}")
    return str(json.loads(content)["id"])


# --- the honest client ----------------------------------------------------------------------------------------------


async def honest(port: int, paths: tuple[str, ...], seconds: float, source: str | None = None) -> Tally:
    """A client that loads these pages in turn, each on a new connection."""
    tally, headers, begun, number = Tally(), bearer(), time.perf_counter(), 0
    while time.perf_counter() - begun < seconds:
        asked = time.perf_counter()
        status, _ = await request(port, "GET", paths[number % len(paths)], headers=headers, source=source)
        tally.seconds.append(time.perf_counter() - asked if status else float("inf"))
        tally.statuses[status] += 1
        number += 1
        await asyncio.sleep(PAUSE)
    return tally


async def beside(attack: Attack, port: int, paths: tuple[str, ...], seconds: float) -> tuple[Tally, Tally, Tally]:
    """Measure the honest client alone, then during an attack. Returns both, and the result of the attack.

    The attacker is a separate process, so that its work is not counted as the server's: `attack` is a
    `functools.partial` of one of the functions below.
    """
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as attacker:
        await asyncio.wrap_future(attacker.submit(os.getpid))  # it has started
        before = await honest(port, paths, min(seconds, 5.0))
        attacking = asyncio.wrap_future(attacker.submit(_attack, attack, seconds + PATIENCE))
        await asyncio.sleep(0.5)
        during = await honest(port, paths, seconds)
        return before, during, await attacking


def _attack(attack: Attack, seconds: float) -> Tally:
    async def bounded() -> Tally:
        async with asyncio.timeout(seconds):
            return await attack()

    logging.getLogger("asyncio").setLevel(logging.ERROR)  # it would warn of every connection that is ended
    return asyncio.run(bounded())


# --- attacks --------------------------------------------------------------------------------------------------------


async def _repeated(connections: int, seconds: float, once: Callable[[], Awaitable[tuple[int, int]]]) -> Tally:
    """Repeat `once` on many connections at the same time. It returns a status and the bytes sent."""
    tally, until = Tally(), time.perf_counter() + seconds

    async def one() -> None:
        while time.perf_counter() < until:
            asked = time.perf_counter()
            status, sent = await once()
            tally.seconds.append(time.perf_counter() - asked)
            tally.statuses[status] += 1
            tally.sent += sent
            if status != 200:
                await asyncio.sleep(PAUSE)

    await asyncio.gather(*(one() for _ in range(connections)))
    return tally


def bad_edition(size: int = EDITION_BYTES) -> str:
    """An edition in which every line is a problem; no two are alike."""
    text, number, mark = ['format = 1\ngame = "charioteer"\nname = "x"\n'], 0, secrets.token_hex(4)
    length = len(text[0])
    while length < size:
        text.append(f"k{mark}{number} = {{ value = {number}, source = 3 }}\n")
        length += len(text[-1])
        number += 1
    return "".join(text)


async def edition_flood(port: int, connections: int = 8, seconds: float = 10.0, source: str | None = ATTACKER) -> Tally:
    """Edition texts as large as a request may be, with as many problems as fit, each from another made-up token."""
    text = bad_edition()

    async def once() -> tuple[int, int]:
        body = f"{text}# {secrets.token_hex(8)}\n".encode()
        status, _ = await request(port, "POST", "/new/charioteer/settings", body, bearer(), source)
        return status, len(body)

    return await _repeated(connections, seconds, once)


async def moments_flood(
    port: int, tables: tuple[str, ...], connections: int = 8, seconds: float = 10.0, source: str | None = ATTACKER
) -> Tally:
    """Parts of finished races, each part another one, each from another made-up token."""
    number = 0

    async def once() -> tuple[int, int]:
        nonlocal number
        number += 1
        path = f"/api/tables/{tables[number % len(tables)]}/moments?begin={number // len(tables) % 200}&count=40"
        status, _ = await request(port, "GET", path, b"", bearer(), source)
        return status, 0

    return await _repeated(connections, seconds, once)


async def endless_headers(
    port: int, megabytes: float = 139.0, connections: int = 1, source: str | None = ATTACKER, seconds: float = 60.0
) -> Tally:
    """Requests with one endless header. Status 0: the server closed the connection."""
    tally = Tally()
    piece = b"a" * 65_536

    async def one() -> None:
        status = 0
        try:
            async with asyncio.timeout(seconds):
                reader, writer = await connect(port, source)
                try:
                    writer.write(head(port, "GET", "/") + b"x-endless: ")
                    sent = 0
                    while sent < megabytes * 1e6:
                        writer.write(piece)
                        await writer.drain()
                        sent += len(piece)
                        tally.sent += len(piece)
                    writer.write(b"\r\n\r\n")
                    status = _status(await reader.read(64))
                finally:
                    writer.close()
        except (OSError, TimeoutError):
            pass
        tally.statuses[status] += 1

    await asyncio.gather(*(one() for _ in range(connections)))
    return tally


async def half_requests(
    port: int, count: int = 420, seconds: float = 20.0, source: str | None = ATTACKER, body: bool = False
) -> Tally:
    """Requests that never end: they stop in the head or in the body and go on with a byte every second.

    A connection that the server closes is opened again a second later.
    """
    tally, until = Tally(), time.perf_counter() + seconds
    begun = head(port, "POST", "/import", {**bearer(), "content-length": "1000000"} if body else bearer())
    begun += b"\r\n--x\r\n" if body else b"x-slow: "

    async def one(number: int) -> None:
        await asyncio.sleep(number * 0.002)
        while time.perf_counter() < until:
            status = 0
            with contextlib.suppress(OSError):
                reader, writer = await connect(port, source)
                try:
                    writer.write(begun)
                    while time.perf_counter() < until and not reader.at_eof():
                        writer.write(b"x")
                        with contextlib.suppress(TimeoutError):
                            async with asyncio.timeout(1.0):
                                status = _status(await reader.read(64)) or status
                finally:
                    writer.close()
            tally.statuses[status] += 1
            await asyncio.sleep(1.0)

    await asyncio.gather(*(one(number) for number in range(count)))
    return tally


def _status(answer: bytes) -> int:
    return int(answer.split()[1]) if answer.startswith(b"HTTP/1.1 ") else 0
