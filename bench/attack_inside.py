"""Attacks on the bots' queue and on open sockets. `bench.attacks` runs them.

Each is one anonymous client on loopback and ends after the given number of seconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import websockets
from websockets.asyncio.client import ClientConnection

from bench.attack_clients import ATTACKER, HOST, bearer, new_token
from bench.offered_actions import an_action

TABLES = 60
SEATS = 6
DEAF_SOCKETS = 4
FLOOD = 1200
"""Sockets that one attacker opens at most."""
PEOPLE = 30
LONG_RACE = 150
"""Versions of the race whose whole story is requested repeatedly."""


@dataclass(frozen=True)
class Target:
    """A server on loopback, and the loopback address that the attacker comes from."""

    port: int
    source: str = ATTACKER

    @property
    def host(self) -> str:
        return f"{HOST}:{self.port}"

    def client(self) -> httpx.AsyncClient:
        transport = httpx.AsyncHTTPTransport(local_address=self.source)
        return httpx.AsyncClient(transport=transport, base_url=f"http://{self.host}", timeout=60)

    def connect(self, table: str, token: str, **options: Any) -> websockets.connect:
        return websockets.connect(
            f"ws://{self.host}/t/{table}/live",
            additional_headers=bearer(token),
            local_addr=(self.source, 0),
            max_size=None,
            compression=None,
            open_timeout=30,
            **options,
        )


async def create(client: httpx.AsyncClient, token: str, game: str, *kinds: str, **setup: Any) -> str | None:
    """Create a table; None if the server refuses. Kinds are me, open, screen, or a bot's name."""
    seats = [{"kind": kind} if kind in ("me", "open", "screen") else {"kind": "bot", "bot": kind} for kind in kinds]
    answer = await client.post("/api/tables", json={"game": game, "seats": seats, **setup}, headers=bearer(token))
    return str(answer.json()["id"]) if answer.status_code == 200 else None


async def _bots(target: Target, seconds: float, bot: str, *, watched: bool) -> str:
    until = time.monotonic() + seconds
    made = 0
    async with target.client() as client, contextlib.AsyncExitStack() as stack:
        while time.monotonic() < until:
            if made < TABLES:
                token = new_token()  # a new visitor for each table: tokens are free
                game = ("charioteer", "chariot-race")[made % 2]
                with contextlib.suppress(httpx.HTTPError, OSError, websockets.WebSocketException):
                    table = await create(client, token, game, *[bot] * SEATS)
                    if table is not None:
                        made += 1
                        if watched:
                            socket = await stack.enter_async_context(target.connect(table, token))
                            reading = asyncio.create_task(_read(socket))
                            stack.callback(reading.cancel)
                        continue
            await asyncio.sleep(0.5)
    return f"{made} tables of {SEATS} {bot} bots"


async def experts(target: Target, seconds: float) -> str:
    """Sixty tables of six experts, without people."""
    return await _bots(target, seconds, "expert", watched=False)


async def watched_experts(target: Target, seconds: float) -> str:
    """The same with an open page at each, so that they are no races without people."""
    return await _bots(target, seconds, "expert", watched=True)


async def quick_bots(target: Target, seconds: float) -> str:
    """Sixty tables of six easy bots, which choose as fast as the server takes their choices."""
    return await _bots(target, seconds, "easy", watched=False)


async def _read(socket: ClientConnection) -> None:
    with contextlib.suppress(websockets.ConnectionClosed):
        async for _ in socket:
            pass


async def long_race(client: httpx.AsyncClient, token: str) -> str:
    """A race of bots that has gone on for a while."""
    table = await create(client, token, "charioteer", *["easy"] * SEATS)
    assert table is not None, "the attacker's table was refused"
    for _ in range(60):
        answer = await client.get(f"/api/tables/{table}", headers=bearer(token))
        if answer.status_code == 200:
            state = answer.json()["state"]
            if state["status"] != "running" or state["version"] >= LONG_RACE:
                break
        await asyncio.sleep(0.25)
    return table


async def _looking(
    target: Target, seconds: float, sockets: int, *, reads: bool, tokens: list[str], table: str
) -> tuple[int, int]:
    """Request the whole story repeatedly. Returns the number of requests and of dropped sockets."""
    until = time.monotonic() + seconds
    asked = dropped = 0

    async def one(number: int) -> None:
        nonlocal asked, dropped
        token = tokens[number % len(tokens)]
        while time.monotonic() < until:
            try:
                async with _open(target, table, token, reads=reads) as send:
                    while time.monotonic() < until:
                        # A client whose own buffer is full waits no longer than this: the server has stopped reading.
                        with contextlib.suppress(TimeoutError):
                            await asyncio.wait_for(send(json.dumps({"type": "look", "seat": None})), 1)
                            asked += 1
                        await asyncio.sleep(0.02)
            except (OSError, websockets.WebSocketException, asyncio.IncompleteReadError):
                dropped += 1
                await asyncio.sleep(0.5)

    await asyncio.gather(*(one(number) for number in range(sockets)))
    return asked, dropped


@contextlib.asynccontextmanager
async def _open(target: Target, table: str, token: str, *, reads: bool) -> AsyncIterator[Any]:
    """An open socket as a function that sends. One that does not read takes nothing from its TCP connection."""
    if reads:
        async with target.connect(table, token) as socket:
            reading = asyncio.create_task(_read(socket))
            try:
                yield socket.send
            finally:
                reading.cancel()
        return
    reader, writer = await asyncio.open_connection(HOST, target.port, local_addr=(target.source, 0), limit=1024)
    try:
        writer.write(
            (
                f"GET /t/{table}/live HTTP/1.1\r\nHost: {target.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Key: c3BpbmEgYmVuY2ggYXR0YQ==\r\nSec-WebSocket-Version: 13\r\n"
                f"Authorization: Bearer {token}\r\n\r\n"
            ).encode()
        )
        await reader.readuntil(b"\r\n\r\n")
        writer.transport.pause_reading()  # type: ignore[attr-defined]

        async def send(text: str) -> None:
            data, mask = text.encode(), secrets.token_bytes(4)
            masked = bytes(byte ^ mask[number % 4] for number, byte in enumerate(data))
            writer.write(bytes([0x81, 0x80 | len(data)]) + mask + masked)
            await writer.drain()

        yield send
    finally:
        writer.transport.abort()


async def deaf_sockets(target: Target, seconds: float) -> str:
    """Four sockets that ask for the whole race fifty times a second and never read an answer."""
    token = new_token()
    async with target.client() as client:
        table = await long_race(client, token)
    asked, dropped = await _looking(target, seconds, DEAF_SOCKETS, reads=False, tokens=[token], table=table)
    return f"{asked} looks sent, {dropped} sockets dropped"


async def looking(target: Target, seconds: float) -> str:
    """Forty sockets of as many visitors that ask for the whole race fifty times a second, and read."""
    token = new_token()
    async with target.client() as client:
        table = await long_race(client, token)
    tokens = [new_token() for _ in range(40)]
    asked, dropped = await _looking(target, seconds, len(tokens), reads=True, tokens=tokens, table=table)
    return f"{asked} looks sent, {dropped} sockets dropped"


async def socket_flood(target: Target, seconds: float) -> str:
    """As many open sockets as possible: every second one of the same visitor, the others of new ones."""
    until = time.monotonic() + seconds
    token, opened, refused = new_token(), 0, 0
    async with target.client() as client, contextlib.AsyncExitStack() as stack:
        table = await create(client, token, "charioteer", "me", "easy")
        assert table is not None, "the attacker's table was refused"
        while opened < FLOOD and time.monotonic() < until:
            shown = token if (opened + refused) % 2 else new_token()
            try:
                socket = await stack.enter_async_context(target.connect(table, shown, close_timeout=0.1))
            except (OSError, websockets.WebSocketException, TimeoutError):
                refused += 1
                await asyncio.sleep(0.02)
                continue
            opened += 1
            reading = asyncio.create_task(_read(socket))
            stack.callback(reading.cancel)
        await asyncio.sleep(max(0.0, until - time.monotonic()))
    return f"{opened} sockets opened, {refused} refused"


async def crowd(target: Target, seconds: float) -> str:
    """No attack: thirty honest people behind one address, each with two pages open, who race, watch and try things."""
    until = time.monotonic() + seconds
    heard: Counter[str] = Counter()

    async def person(number: int) -> None:
        await asyncio.sleep(number * 0.2)
        token = new_token()
        async with target.client() as client:
            (await client.get("/", headers=bearer(token))).raise_for_status()
            table = await create(client, token, "chariot-race", "me", "easy", "easy")
            if table is None:
                heard["tables refused"] += 1
                return
        try:
            async with target.connect(table, token) as page, target.connect(table, token) as second:
                reading = asyncio.create_task(_read(second))
                await _race(page, until, heard)
                reading.cancel()
        except websockets.ConnectionClosed:
            heard["pages closed"] += 1

    await asyncio.gather(*(person(number) for number in range(PEOPLE)))
    return ", ".join(f"{count} {what}" for what, count in sorted(heard.items()))


async def _race(page: ClientConnection, until: float, heard: Counter[str]) -> None:
    """A person who tries out a few actions and then chooses, until the time or the race is over."""
    while time.monotonic() < until:
        with contextlib.suppress(TimeoutError):
            message = json.loads(await asyncio.wait_for(page.recv(), 2))
            # a state that was sent again may ask for a choice already made: that is refused as well, and not counted
            heard["messages refused"] += message.get("code") in ("too-fast", "too-many")
            state = message.get("state")
            if state and state["status"] != "running":
                return
            if state and state["offer"]:
                action = an_action(state["offer"])
                for _ in range(3):
                    await page.send(_said("consider", seat=0, action=action))
                    await asyncio.sleep(0.3)
                await page.send(json.dumps({"type": "look", "seat": 0}))
                await page.send(_said("play", seat=0, actions=[action]))
                heard["choices"] += 1


def _said(kind: str, **fields: Any) -> str:
    return json.dumps({"type": kind, "key": secrets.token_hex(8), **fields})


ATTACKS = (experts, watched_experts, quick_bots, deaf_sockets, looking, socket_flood, crowd)
