"""The fuzz campaign: a million mutated messages over HTTP and WebSocket, at two servers with one PostgreSQL database.

Messages come as visitors with a seat and as spectators, from many addresses, with all limits on. Some hundred messages
are sent at once, and every answer is read: none may be a failure of the server, or contain a secret of another seat.
`python -m bench.fuzz` runs the campaign; `make test` runs a small one. All connections are on loopback.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import secrets
import struct
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import httptools
import httpx

from bench.collecting_server import PROGRAM
from bench.mutations import CLOSE, TEXT, Mutator, frame
from bench.people import GAMES, address
from bench.report import heading, measured, missed
from bench.servers import Cluster, cluster
from spina.table.store.journal_store import Store

MESSAGES = 1_000_000
MINUTES = 60.0
"""Minutes after which the campaign ends with the messages that it has sent."""
TABLES = 24
AT_ONCE = 48
"""Messages of a page: two less than the number of refusals at which its server ends the connection."""
PIPELINED = 12
"""Requests on a connection."""
PAGES, CLIENTS = 12, 12
"""Connections at the same time over WebSocket and HTTP, for each server."""
LAST = 0.1
"""Share of connections that end with something that is no frame or request."""
PATIENCE = 60.0
LONGEST_END = 10.0
"""Maximum seconds that a connection is read whose last message may be left unanswered: at a busy table it is never
silent, and after 40 s the server would close it, because it does not answer pings."""
MEGABYTES = 50
"""Megabytes by which a server that collects its garbage may grow after the first tenth."""
DESCRIPTORS = 8
INTERNAL_ERROR = 1011


@dataclass
class Target:
    """A table with a race, and who sends messages there."""

    id: str
    game: str
    tokens: list[str]
    """Of the visitors with the seats 1 and 2."""
    legal: list[str]
    secrets: list[bytes]
    """What no one but the person of seat 0 may be sent; seed and salt, which no one may be sent."""


@dataclass
class Tally:
    """What was sent and answered."""

    messages: int = 0
    requests: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    """Answers by type and code, or by status."""
    failures: list[str] = field(default_factory=list)
    """Answers of 500 and above, connections that ended with an internal error, and those without an answer."""
    leaks: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        return self.messages + self.requests


class Fuzzer:
    """Sends messages to a server, over one connection after the other."""

    def __init__(self, port: int, number: int, targets: list[Target], tally: Tally) -> None:
        self._port, self._targets, self._tally = port, targets, tally
        self._mutator = Mutator(number)
        self._host = f"127.0.0.1:{port}"

    def _visitor(self, target: Target) -> dict[str, str]:
        """Somebody: a visitor with a seat, or a new one; from any address."""
        chance = self._mutator.chance
        known = chance.random() < 0.4
        token = chance.choice(target.tokens) if known else secrets.token_urlsafe(24)
        return {"authorization": f"Bearer {token}", "x-forwarded-for": address(chance.randrange(200_000))}

    def _check(self, target: Target, data: bytes) -> None:
        for secret in target.secrets:
            if secret in data:
                self._tally.leaks.append(f"{target.id}: {secret[:80]!r}")

    # --- over WebSocket ----------------------------------------------------------------------------------------------

    async def page(self) -> None:
        """Open a page, send many messages and a last one that is answered, and read all answers."""
        mutator, target = self._mutator, self._mutator.chance.choice(self._targets)
        lines = [f"GET /t/{target.id}/live HTTP/1.1", f"host: {self._host}", "upgrade: websocket"]
        lines += ["connection: Upgrade", "sec-websocket-version: 13", "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=="]
        lines += [f"{name}: {value}" for name, value in self._visitor(target).items()]
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=2**20)
        try:
            writer.write("\r\n".join(lines).encode() + b"\r\n\r\n")
            head = await reader.readuntil(b"\r\n\r\n")
            status = int(head.split(b" ", 2)[1])
            if status != 101:
                self._count_status(status, "WebSocket")
                return
            frames = [mutator.frame(target.legal) for _ in range(AT_ONCE)]
            ends = mutator.chance.random() < LAST
            last = {"type": "consider", "key": "the-last-one", "seat": 99, "action": "x"}
            frames.append(mutator.last_frame() if ends else frame(TEXT, json.dumps(last).encode()))
            writer.write(b"".join(frames))
            await self._read_answers(reader, target, ends=ends)
            self._tally.messages += len(frames)
        finally:
            writer.transport.abort()

    async def _read_answers(self, reader: asyncio.StreamReader, target: Target, *, ends: bool) -> None:
        """Read messages until the last is answered, or the server has closed; `ends`: also until it is silent."""
        begun = time.monotonic()
        while not ends or time.monotonic() - begun < LONGEST_END:
            try:
                async with asyncio.timeout(2.0 if ends else PATIENCE):
                    kind, data = await _frame(reader)
            except asyncio.IncompleteReadError:
                self._tally.answers["ended"] += 1
                return
            except TimeoutError:
                if not ends:
                    self._tally.failures.append(f"{target.id}: no answer over WebSocket")
                return
            if kind == CLOSE:
                code = struct.unpack("!H", data[:2])[0] if len(data) >= 2 else 1005
                self._tally.answers[f"closed {code}"] += 1
                if code == INTERNAL_ERROR:
                    reason = data[2:].decode(errors="replace")
                    self._tally.failures.append(f"{target.id} ({target.game}): closed with {code}, {reason}")
                return
            if kind != TEXT:
                continue
            self._check(target, data)
            name = data[9 : data.index(b'"', 9)].decode()  # {"type":"…
            if name == "refused":
                message = json.loads(data)
                self._tally.answers[f"refused: {message['code']}"] += 1
                if message.get("key") == "the-last-one":
                    return
            else:
                self._tally.answers[name] += 1

    # --- over HTTP ---------------------------------------------------------------------------------------------------

    async def client(self) -> None:
        """Send some requests at once, and read all answers."""
        mutator, target = self._mutator, self._mutator.chance.choice(self._targets)
        headers = self._visitor(target)
        sent = [mutator.request(self._host, headers, target.id, target.legal) for _ in range(PIPELINED)]
        ends = mutator.chance.random() < LAST
        if ends:
            sent.append(mutator.last_request(self._host))
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        answers = _Answers()
        parser = httptools.HttpResponseParser(answers)
        answers.parser = parser
        try:
            writer.write(b"".join(sent))
            while len(answers.statuses) < PIPELINED:
                async with asyncio.timeout(PATIENCE):
                    data = await reader.read(2**18)
                if not data:
                    break
                self._check(target, data)
                parser.feed_data(data)
        except TimeoutError:
            self._tally.failures.append(f"{target.id}: no answer over HTTP")
        except httptools.HttpParserUpgrade:
            pass
        finally:
            writer.transport.abort()
        for status in answers.statuses:
            self._count_status(status, "HTTP")
        self._tally.requests += len(answers.statuses) + ends

    def _count_status(self, status: int, door: str) -> None:
        self._tally.answers[f"{door} {status}"] += 1
        if status >= 500:
            self._tally.failures.append(f"{door}: {status}")


class _Answers:
    """What httptools tells of answers."""

    def __init__(self) -> None:
        self.statuses: list[int] = []
        self.parser: Any = None

    def on_message_complete(self) -> None:
        self.statuses.append(self.parser.get_status_code())


async def _frame(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    first, length = await reader.readexactly(2)
    if length == 126:
        (length,) = struct.unpack("!H", await reader.readexactly(2))
    elif length == 127:
        (length,) = struct.unpack("!Q", await reader.readexactly(8))
    return first & 0x0F, await reader.readexactly(length)


async def set_up(cluster: Cluster, tables: int) -> list[Target]:
    """Tables with three people. The first has chosen in secret, if choices are made at the same time."""
    store = await Store.open(cluster.url)
    targets = []
    try:
        async with httpx.AsyncClient(base_url=cluster.servers[0].url, timeout=PATIENCE) as client:
            for number in range(tables):
                tokens = [secrets.token_urlsafe(24) for _ in range(3)]
                headers = [
                    {"authorization": f"Bearer {token}", "x-forwarded-for": address(3 * number + each)}
                    for each, token in enumerate(tokens)
                ]
                game = GAMES[number % len(GAMES)]
                setup = {"game": game, "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}], "hints": True}
                id = (await client.post("/api/tables", json=setup, headers=headers[0])).json()["id"]
                for each in headers[1:]:
                    (await client.post(f"/api/tables/{id}/sit", json={}, headers=each)).raise_for_status()
                seen = [
                    (await client.get(f"/api/tables/{id}?seat={seat}", headers=headers[seat])).json() for seat in (0, 1)
                ]
                table = await store.table(id)
                assert table is not None
                hidden = [str(table.seed).encode(), table.salt.encode(), tokens[0].encode()]
                if hand := seen[0]["state"]["view"].get("hand"):
                    hidden.append(json.dumps(hand, separators=(",", ":")).encode())
                targets.append(Target(id, game, tokens[1:], seen[1]["legal"] or [], hidden))
    finally:
        await store.close()
    return targets


async def campaign(
    cluster: Cluster, messages: int, minutes: float, tables: int, seed: int
) -> tuple[Tally, list[float], int]:
    """Send messages. Returns what was answered, and by how much memory and descriptors of the servers have grown."""
    tally = Tally()
    targets = await set_up(cluster, tables)
    descriptors = sum(server.descriptors() for server in cluster.servers)
    before: list[float] = []
    begun = time.monotonic()

    async def send(fuzzer: Fuzzer, by_socket: bool) -> None:
        while tally.total < messages and (passed := time.monotonic() - begun) < 60 * minutes:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                await (fuzzer.page() if by_socket else fuzzer.client())
            if not before and (tally.total > messages / 10 or passed > 6 * minutes):
                before.extend(server.memory() for server in cluster.servers)

    work = []
    for number, port in enumerate(cluster.ports):
        for each in range(PAGES + CLIENTS):
            fuzzer = Fuzzer(port, seed * 1000 + number * 100 + each, targets, tally)
            work.append(send(fuzzer, each < PAGES))
    await asyncio.gather(*work)
    await asyncio.sleep(1.0)  # servers notice that connections have ended
    grown = [server.memory() - was for server, was in zip(cluster.servers, before, strict=True)]
    return tally, grown, sum(server.descriptors() for server in cluster.servers) - descriptors


def run(
    cluster: Cluster, messages: int = MESSAGES, tables: int = TABLES, seed: int = 1, minutes: float = MINUTES
) -> Tally:
    """Run the campaign and report it."""
    heading(f"Fuzz: {messages:,} mutated messages over HTTP and WebSocket, {len(cluster.servers)} servers")
    begun = time.monotonic()
    tally, grown, descriptors = asyncio.run(campaign(cluster, messages, minutes, tables, seed))
    seconds = time.monotonic() - begun
    print(
        f"        {tally.messages:,} over WebSocket, {tally.requests:,} over HTTP, {tally.total / seconds:.0f} a second"
    )
    print("        " + ", ".join(f"{count} x {name}" for name, count in tally.answers.most_common(14)))
    for each in (*tally.failures[:12], *tally.leaks[:3]):
        print(f"        {each}")
    limited = sum(tally.answers[name] for name in ("refused: too-fast", "HTTP 429"))
    measured("answers of 500 and above, or none", str(len(tally.failures)), "0", not tally.failures)
    broken = cluster.tracebacks()
    measured("tracebacks in logs", str(broken), "0", broken == 0)
    measured("secrets in answers", str(len(tally.leaks)), "0", not tally.leaks)
    measured("growth of a server's memory", f"{max(grown):+.1f} MB", f"{MEGABYTES} MB", max(grown) <= MEGABYTES)
    measured("descriptors left open", f"{descriptors:+d}", f"{DESCRIPTORS}", descriptors <= DESCRIPTORS)
    share = limited / max(1, tally.total)
    measured("refused by a rate limit", f"{share:.1%}", "10%", share <= 0.1)
    return tally


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=MESSAGES)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with cluster(program=PROGRAM) as servers:
        run(servers, asked.messages, seed=asked.seed, minutes=asked.minutes)
    sys.exit(bool(missed()))
