"""People who race on while servers, thinkers, networks and databases fail, and the ledger of what they were told.

A person looks and chooses over HTTP, or chooses over the WebSocket of an open page. After a failure the same choice is
sent again, with the same key, to the next server. At the end, what was acknowledged and told is compared with the
journal.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
import msgspec
import websockets

from spina.table.store.journal_store import Store
from spina.table.store.verification import verify

GAMES = ("chariotmaster", "charioteer", "chariot-race")
OPTIONS: dict[str, dict[str, Any]] = {"chariotmaster": {"laps": 1}}
PATIENCE = 120.0
"""Seconds after which a person gives up: the campaign fails."""
TOO_MANY = 429
FIRST_WAIT, LONGEST_WAIT = 0.4, 8.0
"""Seconds that a page waits before it reconnects, twice as long after each failure, as `socket.js` does."""
LOOK = 2
"""Seconds that a request for news waits for them."""

Closed = (OSError, websockets.WebSocketException, TimeoutError)
"""What a connection over WebSocket fails with."""


@dataclass
class Ledger:
    """What the clients were told, and how long they waited."""

    acknowledged: dict[tuple[str, str], int] = field(default_factory=dict)
    """Versions of acknowledged choices, by table and stored key."""
    told: dict[tuple[str, str], dict[int, tuple[str, bytes]]] = field(default_factory=dict)
    """Kind and whole text of each moment that pages were told of, by table and viewer and by version."""
    contradictions: list[str] = field(default_factory=list)
    longest_wait: float = 0.0
    """Longest time in seconds from a choice's first attempt to its acknowledgement."""
    longest_away: float = 0.0
    """Longest time in seconds that a page was without a connection."""
    longest_stall: float = 0.0
    """Longest time in seconds for which a running race did not go on."""
    begun: int = 0
    finished: int = 0
    _versions: dict[str, tuple[int, float]] = field(default_factory=dict)

    def saw(self, table: str, version: int) -> None:
        """Note that a table has reached a version."""
        known, since = self._versions.get(table, (0, time.monotonic()))
        if version > known:
            now = time.monotonic()
            self.longest_stall = max(self.longest_stall, now - since)
            self._versions[table] = version, now

    def version(self, table: str) -> int:
        """The last version that a client has seen."""
        return self._versions.get(table, (0, 0.0))[0]

    def hear(self, table: str, viewer: str, moment: dict[str, Any]) -> None:
        """Note a moment. Two pages of the same viewer must be told the same of it, byte by byte."""
        found = moment["kind"], msgspec.json.encode(moment)
        before = self.told.setdefault((table, viewer), {}).setdefault(moment["version"], found)
        if before != found:
            self.contradictions.append(f"{table} {moment['version']}: {before} and {found}")

    def forget_times(self) -> None:
        """Begin anew to look for the longest times."""
        self.longest_wait = self.longest_away = self.longest_stall = 0.0
        self._versions.clear()

    async def compare(self, url: str) -> None:
        """Compare what clients were told with the journal, and replay every race as `spina verify` does."""
        store = await Store.open(url)
        try:
            for (table, key), version in self.acknowledged.items():
                known = await store.version_of_key(table, key)
                if known != version:
                    self.contradictions.append(f"{table}: {key} was acknowledged as {version} and is {known}")
            for (table, _), told in self.told.items():
                journal = {entry.version: entry.kind for entry in await store.journal(table)}
                self.contradictions += [
                    f"{table}: {version} was told, not kept"
                    for version, (kind, _) in told.items()
                    if journal.get(version) != kind
                ]
            found = await asyncio.to_thread(verify, store, lambda finding: None)
            self.contradictions += [str(finding) for finding in found.findings]
        finally:
            await store.close()


def address(number: int) -> str:
    """The address of a client, in `X-Forwarded-For`."""
    return f"10.{1 + number // 62500}.{number // 250 % 250}.{number % 250}"


class Page:
    """A page that is open all the time, at one server after the other. It notes what it is told."""

    def __init__(self, ports: Sequence[int], headers: dict[str, str], ledger: Ledger, table: str, viewer: str) -> None:
        self._ports, self._headers, self._ledger = itertools.cycle(ports), headers, ledger
        self.table, self.viewer, self.version = table, viewer, 0
        self.seen_at = 0.0
        """When the version was told."""
        self._socket: websockets.ClientConnection | None = None
        self._lost: float | None = None
        """Since when it has no connection."""
        self._answers: dict[str, asyncio.Future[dict[str, Any] | None]] = {}
        self._task = asyncio.create_task(self._stay())

    async def close(self) -> None:
        self._note_absence()
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def _note_absence(self) -> None:
        if self._lost is not None:
            self._ledger.longest_away = max(self._ledger.longest_away, time.monotonic() - self._lost)
        self._lost = None

    async def _stay(self) -> None:
        wait = FIRST_WAIT
        while True:
            url = f"ws://127.0.0.1:{next(self._ports)}/t/{self.table}/live?version={self.version}"
            with contextlib.suppress(*Closed):
                async with websockets.connect(
                    url, additional_headers=self._headers, max_size=None, compression=None, close_timeout=1
                ) as page:
                    async for text in page:
                        message = msgspec.json.decode(text)
                        if message["type"] == "welcome":
                            self._note_absence()
                            self._socket, wait = page, FIRST_WAIT
                        self._hear(message)
            self._socket = None
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_result(None)
            self._lost = time.monotonic() if self._lost is None else self._lost
            await asyncio.sleep(wait)
            wait = min(LONGEST_WAIT, 2 * wait)

    def _hear(self, message: dict[str, Any]) -> None:
        for moment in message.get("moments", []):
            self._ledger.hear(self.table, self.viewer, moment)
            if moment["version"] > self.version:
                self.version, self.seen_at = moment["version"], time.monotonic()
                self._ledger.saw(self.table, self.version)
        answer = self._answers.get(message.get("key") or "")
        if answer is not None and not answer.done():
            answer.set_result(message)

    async def choose(self, choice: dict[str, Any], timeout: float) -> dict[str, Any] | None:
        """Send a choice until it is answered. Returns the answer, None if it was refused."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            page = self._socket
            if page is not None:
                answer = self._answers[choice["key"]] = asyncio.get_running_loop().create_future()
                try:
                    await page.send(msgspec.json.encode({"type": "play", **choice}).decode())
                    message = await asyncio.wait_for(answer, timeout)
                    if message is not None and message["type"] == "done":
                        return message
                    if message is not None and message["code"] != "too-fast":
                        return None
                except TimeoutError:
                    page.transport.abort()  # the next server may answer
                except Closed:
                    pass
                finally:
                    del self._answers[choice["key"]]
            await asyncio.sleep(0.05)
        raise TimeoutError(f"no server has answered a choice at {self.table}")


class Person:
    """A person who races on, asking one server after the other."""

    def __init__(
        self, ports: Sequence[int], ledger: Ledger, number: int, *, by_socket: bool = False, timeout: float = 15.0
    ) -> None:
        """`by_socket`: chooses over the WebSocket. `timeout`: seconds after which another server is asked."""
        self._turned = [*ports[number % len(ports) :], *ports[: number % len(ports)]]
        self._ports = itertools.cycle(self._turned)
        self._port = next(self._ports)
        self._ledger, self._by_socket, self._timeout = ledger, by_socket, timeout
        self.headers = {"authorization": f"Bearer {secrets.token_urlsafe(24)}", "x-forwarded-for": address(number)}
        self._client = httpx.AsyncClient(timeout=timeout)
        self.id = ""

    async def close(self) -> None:
        await self._client.aclose()

    async def introduce(self) -> None:
        """Become a visitor."""
        made = await self.ask("POST", "/api/visitors", {"name": None})
        self.headers["authorization"], self.id = f"Bearer {made['token']}", made["visitor"]

    async def ask(self, method: str, path: str, content: Any = None) -> Any:
        """The answer to a request, from a server that is up; None if it was refused."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                answer = await self._client.request(
                    method, f"http://127.0.0.1:{self._port}{path}", json=content, headers=self.headers
                )
                if answer.status_code < 500 and answer.status_code != TOO_MANY:
                    return answer.json() if answer.status_code < 300 else None
            except (httpx.HTTPError, ValueError):
                pass
            if time.monotonic() > until:
                raise TimeoutError(f"no server has answered {method} {path}")
            self._port = next(self._ports)
            await asyncio.sleep(0.05)

    def open(self, table: str) -> Page:
        """A page of this person's at a table."""
        return Page(self._turned, self.headers, self._ledger, table, self.id)

    async def race(
        self, table: str, seat: int, chance: random.Random, enough: Callable[[], bool], pause: float = 0.0
    ) -> bool:
        """Choose at random until the race is over, or there is enough. Returns whether it is over."""
        page, after = self.open(table), ""
        try:
            while not enough():
                seen = await self.ask("GET", f"/api/tables/{table}?seat={seat}{after}")
                state = seen["state"]
                self._ledger.saw(table, state["version"])
                if state["status"] != "running":
                    return True
                if not seen["legal"]:
                    after = f"&after={state['version']}&wait={LOOK}"
                    continue
                await asyncio.sleep(pause)
                key, begun, after = secrets.token_hex(8), time.monotonic(), ""
                choice = {
                    "key": key,
                    "seat": seat,
                    "actions": [chance.choice(seen["legal"])],
                    "version": state["version"],
                }
                if self._by_socket:
                    answer = await page.choose(choice, self._timeout)
                else:
                    answer = await self.ask("POST", f"/api/tables/{table}/play", choice)
                self._ledger.longest_wait = max(self._ledger.longest_wait, time.monotonic() - begun)
                if answer is not None:
                    self._ledger.acknowledged[table, f"{self.id}:{key}"] = answer["version"]
            return False
        finally:
            await page.close()


class Crowd:
    """Two people and a bot at each of some tables, who race one race after the other."""

    def __init__(
        self, ports: Sequence[int], tables: int, seed: int, *, timeout: float = 15.0, pause: float = 0.0
    ) -> None:
        """Half of the people, at every server, choose over the WebSocket. `pause`: seconds before each choice."""
        self.ledger, self._seed, self._pause = Ledger(), seed, pause
        self.people = [
            Person(ports, self.ledger, number, by_socket=number // 2 % 2 == number % 2, timeout=timeout)
            for number in range(2 * tables)
        ]
        self.tables: dict[int, str] = {}
        """The running race at each place."""

    async def __aenter__(self) -> Crowd:
        await asyncio.gather(*(person.introduce() for person in self.people))
        return self

    async def __aexit__(self, *_: object) -> None:
        for person in self.people:
            await person.close()

    async def race(self, enough: Callable[[], bool], *, to_the_end: bool = False) -> None:
        """Race until there is enough; `to_the_end`: until all races that were begun by then are over."""
        places = [self._place(number, enough, to_the_end) for number in range(len(self.people) // 2)]
        await asyncio.gather(*places)

    async def _place(self, number: int, enough: Callable[[], bool], to_the_end: bool) -> None:
        chance = random.Random(self._seed + number)
        pair, games = self.people[2 * number : 2 * number + 2], itertools.cycle(GAMES)
        for _ in range(number % len(GAMES)):
            next(games)
        while not enough():
            game = next(games)
            seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "bot": "competent"}]
            setup = {"game": game, "seats": seats, "options": OPTIONS.get(game, {})}
            table = (await pair[0].ask("POST", "/api/tables", setup) or {}).get("id")
            if table is None:
                continue
            if await pair[1].ask("POST", f"/api/tables/{table}/sit", {}) is None:
                # the answer was lost, and the seat is taken already
                seen = await pair[1].ask("GET", f"/api/tables/{table}")
                assert seen["state"]["own"] == [1], "an open seat was refused"
            self.tables[number] = table
            self.ledger.begun += 1
            stop = (lambda: False) if to_the_end else enough
            raced = [one.race(table, seat, chance, stop, self._pause) for seat, one in enumerate(pair)]
            over = all(await asyncio.gather(*raced))
            self.ledger.finished += over
