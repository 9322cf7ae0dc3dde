"""Clients that race at many tables at once, as open pages do: one WebSocket for each person.

They read only what they need of a message, so that the server is what is measured.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import httpx
import msgspec
import websockets

from bench.offered_actions import an_action

PEOPLE = 4
AGAIN = 0.25
"""Seconds after which a client that was too fast tries again."""


class SeenState(msgspec.Struct):
    """The part of a state that a client needs."""

    version: int
    status: str
    offer: msgspec.Raw = msgspec.Raw(b"null")


class SeenMoment(msgspec.Struct):
    """The version of a moment."""

    version: int


class Heard(msgspec.Struct):
    """The part of a message that a client needs."""

    type: str
    key: str | None = None
    version: int = 0
    state: SeenState | None = None
    moments: list[SeenMoment] = []
    code: str | None = None


_decoder = msgspec.json.Decoder(Heard)


class Page:
    """One open page of a person."""

    def __init__(self, table: PageTable, seat: int, socket: Any) -> None:
        self.table, self.seat, self.socket = table, seat, socket
        self.version = 0
        self.offer: bytes | None = None
        self._answered: bytes | None = None
        """The offer that the last choice was made from."""
        self.asked: str | None = None
        """The key of a choice that is not acknowledged yet."""

    async def choose(self) -> bool:
        """Send a choice, if one is offered and none is under way."""
        if self.offer is None or self.asked is not None:
            return False
        actions = [an_action(msgspec.json.decode(self.offer))]
        self._answered, self.offer, self.asked = self.offer, None, secrets.token_hex(8)
        play = {"type": "play", "key": self.asked, "seat": self.seat, "actions": actions}
        self.table.asked[self.asked] = time.perf_counter()
        await self.socket.send(msgspec.json.encode(play).decode())
        return True

    async def listen(self, on_offer: Callable[[Page], None]) -> None:
        """Follow the table until the socket closes. `on_offer` is called when a choice may be sent."""
        table = self.table
        with contextlib.suppress(websockets.ConnectionClosed):
            async for text in self.socket:
                now = time.perf_counter()
                heard = _decoder.decode(text)
                if heard.state is not None:
                    self._follow(heard, now)
                elif heard.key is not None and heard.key == self.asked:
                    self.asked = None
                    asked = table.asked.pop(heard.key)
                    if heard.type == "done":
                        table.sent[heard.version] = asked
                    else:
                        table.refused.append(heard.code or "")
                        if heard.code == "too-fast":  # try again a little later
                            self.offer = self._answered
                            asyncio.get_running_loop().call_later(AGAIN, on_offer, self)
                            continue
                if self.offer is not None and self.asked is None:
                    on_offer(self)

    def _follow(self, heard: Heard, now: float) -> None:
        assert heard.state is not None
        for moment in heard.moments:
            if heard.type == "update":
                self.table.gaps += moment.version != self.version + 1
                self.table.seen.setdefault(moment.version, []).append(now)
            self.version = moment.version
        offer = bytes(heard.state.offer)
        self.offer = None if offer == b"null" else offer
        self.table.over = heard.state.status != "running"


class PageTable:
    """A table with its pages, and the times at which its versions were requested and seen."""

    def __init__(self, id: str) -> None:
        self.id, self.over = id, False
        self.pages: list[Page] = []
        self.asked: dict[str, float] = {}
        self.sent: dict[int, float] = {}
        """When the choices of these versions were sent, by acknowledged version."""
        self.seen: dict[int, list[float]] = {}
        """When each page was told of a version."""
        self.refused: list[str] = []
        self.gaps = 0
        """Versions that a page was not told of, or not in their order."""

    def forget(self) -> None:
        """Begin a new measurement."""
        self.sent.clear()
        self.seen.clear()
        self.refused.clear()


async def open_table(
    urls: Sequence[str], game: str, number: int, people: int = PEOPLE, *, together: bool = False
) -> PageTable:
    """Set up a table of people under an address of its own, with its pages at all servers, or together at one."""
    address = f"10.{2 + number // 62500}.{number // 250 % 250}.{number % 250 + 1}"
    headers = [
        {"authorization": f"Bearer {secrets.token_urlsafe(24)}", "x-forwarded-for": address} for _ in range(people)
    ]
    seats = [{"kind": "me"}, *({"kind": "open"} for _ in range(people - 1))]
    async with httpx.AsyncClient(base_url=urls[number % len(urls)], timeout=60) as client:
        answer = await client.post("/api/tables", json={"game": game, "seats": seats}, headers=headers[0])
        answer.raise_for_status()
        table = PageTable(answer.json()["id"])
        for header in headers[1:]:
            (await client.post(f"/api/tables/{table.id}/sit", json={}, headers=header)).raise_for_status()
    for seat, header in enumerate(headers):
        server = urls[(number + (0 if together else seat)) % len(urls)].replace("http", "ws", 1)
        url = f"{server}/t/{table.id}/live"
        socket = await websockets.connect(url, additional_headers=header, max_size=None, compression=None)
        table.pages.append(Page(table, seat, socket))
    return table


@contextlib.asynccontextmanager
async def open_tables(
    urls: Sequence[str], games: Sequence[str], count: int, on_offer: Callable[[Page], None], *, together: bool = False
) -> AsyncIterator[list[PageTable]]:
    """Tables of these games in turn, with all their pages open and listening."""
    tables = [await open_table(urls, games[at % len(games)], at, together=together) for at in range(count)]
    listening = [asyncio.create_task(page.listen(on_offer)) for table in tables for page in table.pages]
    try:
        yield tables
    finally:
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
        await asyncio.gather(*(page.socket.close() for table in tables for page in table.pages), return_exceptions=True)
