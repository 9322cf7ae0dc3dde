"""Pages that do not read, and more sockets than anybody needs: neither harms the others."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from house_helpers import House, in_house
from serving_helpers import HOST, Client, ConnectionClosed, Page, Server, serving
from starlette.websockets import WebSocketDisconnect
from websockets.sync.client import ClientConnection, connect

from spina.errors import StoreError
from spina.table.http.security import new_token
from spina.table.live import websocket
from spina.table.live.open_sockets import DID_NOT_READ, REPLACED, OpenSockets
from spina.table.refusals import Refusal
from spina.table.settings import Settings

LOOK = {"type": "websocket.receive", "text": json.dumps({"type": "look", "seat": None})}


class DeafSocket:
    """The server's side of a socket whose peer says a lot and reads nothing until it is told to."""

    def __init__(self, said: list[dict[str, str]]) -> None:
        self.scope = {"client": ("192.0.2.66", 4000)}
        self.said, self.sent = list(said), 0
        self.reads = asyncio.Event()
        self.closed: tuple[int, str] | None = None
        self._closed = asyncio.Event()

    async def receive(self) -> dict[str, str]:
        await asyncio.sleep(0)
        if not self.said:
            await self._closed.wait()
            return {"type": "websocket.disconnect"}
        return self.said.pop(0)

    async def send_text(self, text: str) -> None:
        await self.reads.wait()
        self.sent += 1

    async def close(self, code: int = 1000, reason: str = "") -> None:
        if self.closed is not None:
            raise RuntimeError('Cannot call "send" once a close message has been sent.')
        self.closed = (code, reason)
        self._closed.set()


async def deaf_page(house: House, looks: int, **limits: Any) -> tuple[DeafSocket, websocket.Page, asyncio.Task[None]]:
    """A page of a race with much to tell, at which a peer that does not read asks for all of it again and again."""
    anna = await house.visitor("Anna")
    room = await house.table(anna, "charioteer", "screen", "screen")
    for told in list(room.told) * 4000:  # as if it had gone on for long
        room.told.append(told)
    settings = Settings(messages_at_once=10_000.0, socket_work_at_once=1000.0, **limits)
    peer, sockets = DeafSocket([LOOK] * looks), OpenSockets(settings)
    page = websocket.Page(peer, anna, None, settings, sockets)  # type: ignore[arg-type]
    sockets.enter(page)
    room.enter(page, None)
    sending = asyncio.create_task(page.send_on())
    await websocket._listen(page, room, house.lobby, sockets)
    return peer, page, sending


def test_a_page_that_does_not_read_is_not_listened_to(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        peer, page, sending = await deaf_page(house, 100, unread_seconds=0.5)
        await sending
        assert peer.closed is not None and peer.closed[0] == DID_NOT_READ
        assert len(peer.said) >= 98  # it was told once, and heeded at most once while it read nothing
        assert page.unread == 0

    in_house(tmp_path, test)


def test_what_others_do_does_not_pile_up_for_a_page_that_does_not_read(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        room = await house.together("charioteer", anna, ben)
        settings = Settings(unread_bytes=20_000)
        peer, sockets = DeafSocket([]), OpenSockets(settings)
        page = websocket.Page(peer, anna, None, settings, sockets)  # type: ignore[arg-type]
        room.enter(page, None)
        sending = asyncio.create_task(page.send_on())
        for number in range(500):
            await room.chat.say(ben.id, "Ben", "a line that nobody reads", f"line-{number:06}")
            assert page.unread <= 20_000
            if page.lost:
                break
        await sending
        assert peer.closed is not None and peer.closed[0] == DID_NOT_READ

    in_house(tmp_path, test)


def test_a_page_that_was_closed_while_the_database_did_not_answer_is_not_closed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that is cut off closes its pages, long before their choices are given up."""

    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        room = await house.table(anna, "charioteer", "screen", "screen")
        settings = Settings()
        peer, sockets = DeafSocket([LOOK]), OpenSockets(settings)
        peer.reads.set()
        page = websocket.Page(peer, anna, None, settings, sockets)  # type: ignore[arg-type]
        sending = asyncio.create_task(page.send_on())

        async def unanswered(*_: object) -> None:
            page.end(websocket.TRY_AGAIN_LATER, "cut-off")
            await sending
            raise StoreError("the database has not answered for 30 s")

        monkeypatch.setattr(websocket, "_handle", unanswered)
        await websocket._listen(page, room, house.lobby, sockets)
        assert peer.closed == (websocket.TRY_AGAIN_LATER, "cut-off")

    in_house(tmp_path, test)


@pytest.mark.parametrize(
    "error", [StoreError("the database has not answered for 30 s"), Refusal("unknown", "there is no such table")]
)
def test_a_page_that_leaves_before_it_is_let_in_is_not_sent_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    class Gone:
        """A connection whose peer leaves at once."""

        headers: ClassVar = {"authorization": f"Bearer {new_token()}"}
        tried = 0

        async def accept(self) -> None: ...

        async def send_text(self, text: str) -> None:
            self.tried += 1
            raise WebSocketDisconnect(1006)

        async def close(self, code: int, reason: str) -> None:
            self.tried += 1
            raise WebSocketDisconnect(1006)

    async def test(house: House) -> None:
        async def fails(token: str) -> None:
            raise error

        monkeypatch.setattr(house.services.lobby, "visitor", fails)
        gone = Gone()
        state = SimpleNamespace(services=house.services, settings=Settings(), sockets=OpenSockets(Settings()))
        gone.app = SimpleNamespace(state=state)  # type: ignore[attr-defined]
        await websocket.live(gone)  # type: ignore[arg-type]
        assert gone.tried

    in_house(tmp_path, test)


def test_pages_of_one_address_have_a_limit_together_and_the_slowest_ends() -> None:
    ended: list[str] = []

    class Reader:
        def __init__(self, name: str, address: str, unread: int) -> None:
            self.visitor, self.address, self.unread, self.heard = name, address, unread, 0.0

        def end(self, code: int, reason: str) -> None:
            assert code == DID_NOT_READ
            ended.append(self.visitor)

    sockets = OpenSockets(Settings(unread_per_address=1000))
    deaf, slow, other = Reader("deaf", "x", 700), Reader("slow", "x", 200), Reader("other", "y", 900)
    for page in (deaf, slow, other):
        sockets.enter(page)
        sockets.waits(page, page.unread)
    assert ended == []
    sockets.waits(slow, 200)
    assert ended == ["deaf"]


def test_an_address_that_has_used_up_its_time_is_listened_to_less() -> None:
    async def test() -> float:
        sockets = OpenSockets(Settings(socket_work_per_second=0.5, socket_work_at_once=0.1))
        sockets.charge("x", 0.2)
        begun = time.perf_counter()
        with pytest.raises(StopIteration):
            sockets.pause("y").send(None)  # it ends without waiting for anything
        await sockets.pause("x")
        return time.perf_counter() - begun

    assert asyncio.run(test()) >= 0.15


def test_what_takes_processor_time_is_charged_for_it() -> None:
    sockets = OpenSockets(Settings(socket_work_per_second=0.001, socket_work_at_once=0.01))
    with sockets.charged("x"):
        until = time.thread_time() + 0.05
        while time.thread_time() < until:
            pass
    assert sockets._time.of("x").wait() > 30


# --- a real server --------------------------------------------------------------------------------------------------


def deaf(client: Client, table: str) -> ClientConnection:
    """A connection with small buffers that reads one message and then no more."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.connect((HOST, client.server.port))
    url = f"ws://{HOST}:{client.server.port}/t/{table}/live"
    return connect(
        url, sock=raw, additional_headers=client.headers, max_queue=1, max_size=None, compression=None, close_timeout=1
    )


@pytest.mark.slow
def test_a_page_that_does_not_read_is_closed_with_a_code_of_its_own(tmp_path: Path) -> None:
    with serving(tmp_path, unread_seconds=0.5) as server:
        anna = server.visitor("Anna")
        table = anna.create("charioteer", *["easy"] * 4)
        with anna.open(table) as page:
            while page.state.get("status") != "over":
                page.hear()
            with deaf(anna, table) as peer:
                page.hear_of("presence")
                with contextlib.suppress(ConnectionClosed):
                    for _ in range(90):
                        peer.send(json.dumps({"type": "look", "seat": None}))
                page.hear_of("presence")  # it has been let go
                assert close_code(peer) == DID_NOT_READ


def close_code(peer: ClientConnection) -> int | None:
    """Read to the end. Returns the code that the connection was closed with."""
    try:
        while True:
            peer.recv(30)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


def closed_with(page: Page) -> int | None:
    """The code that a page was closed with; None if it is open."""
    try:
        while True:
            page.hear(0.3)
    except TimeoutError:
        return None
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


def welcomed(stack: contextlib.ExitStack, client: Client, table: str) -> Page:
    """A page that has been opened and has heard so."""
    page = stack.enter_context(client.open(table))
    page.hear_of("welcome")
    return page


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with serving(tmp_path_factory.mktemp("small"), sockets_per_visitor=3, sockets_per_address=8) as server:
        yield server


def test_a_visitor_with_too_many_pages_keeps_the_newest(small: Server) -> None:
    anna = small.visitor("Anna")
    table = anna.create("charioteer", "me", "open")
    with contextlib.ExitStack() as stack:
        pages = [welcomed(stack, anna, table) for _ in range(5)]
        assert [closed_with(page) for page in pages] == [REPLACED, REPLACED, None, None, None]


def test_many_sockets_of_one_address_lock_nobody_out(small: Server) -> None:
    anna, eves = small.visitor("Anna"), [small.visitor(f"Eve {number}") for number in range(6)]
    table, other = anna.create("charioteer", "me", "open"), eves[0].create("charioteer", "me", "open")
    with contextlib.ExitStack() as stack:
        first = stack.enter_context(anna.open(table))
        assert first.ask(type="say", text="Salve")["type"] == "done"
        flood = [welcomed(stack, eve, other) for eve in eves for _ in range(3)]
        second = welcomed(stack, anna, table)
        assert first.ask(type="say", text="Vale")["type"] == "done"
        assert closed_with(first) is None and closed_with(second) is None
        assert [closed_with(page) for page in flood].count(REPLACED) == len(flood) - 6
