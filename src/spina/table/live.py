"""The WebSocket: a page at its table."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from spina.errors import SpinaError, StoreError
from spina.table import protocol
from spina.table.addresses import address_of
from spina.table.answers import AWAY
from spina.table.errors import Refusal
from spina.table.limits import Bucket
from spina.table.listening import Listener
from spina.table.lobby import Lobby
from spina.table.records import Visitor
from spina.table.room import Room
from spina.table.security import token_of
from spina.table.settings import Settings
from spina.table.words import clean_line

MOST_WAITING = 512
"""Messages that may wait for a slow page before it is let go; it comes back and asks for what it missed."""
TRY_AGAIN_LATER = 1013
"""The code with which a connection is closed that the page should open again."""
MOST_REFUSALS = 50
"""After so many bad messages a connection is closed."""

_decoder = msgspec.json.Decoder(protocol.AnyIncoming)
_encoder = msgspec.json.Encoder()


class Page(Listener):
    """One open page."""

    def __init__(self, socket: WebSocket, visitor: Visitor, looking: int | None, settings: Settings) -> None:
        self.socket, self.visitor, self.looking, self.version = socket, visitor.id, looking, 0
        self.person = visitor
        self.bucket = Bucket(settings.messages_per_second, settings.messages_at_once)
        self.refusals = 0
        self._waiting: deque[bytes] = deque()
        self._news = asyncio.Event()
        self.lost = False
        self.hinting: asyncio.Task[None] | None = None

    def tell(self, message: protocol.Outgoing) -> None:
        if len(self._waiting) >= MOST_WAITING:
            self.lost = True
        else:
            self._waiting.append(_encoder.encode(message))
        self._news.set()

    def part(self) -> None:
        self.lost = True
        self._news.set()

    async def send_on(self) -> None:
        """Pass on what there is to tell until the page is gone."""
        while not self.lost:
            await self._news.wait()
            self._news.clear()
            while self._waiting and not self.lost:
                await self.socket.send_text(self._waiting.popleft().decode())
        await self.socket.close(TRY_AGAIN_LATER, "come back and ask for what was missed")


async def live(socket: WebSocket) -> None:
    """A page opens its table: `/t/{id}/live?version=…`; without a version it is told everything."""
    lobby: Lobby = socket.app.state.lobby
    settings: Settings = socket.app.state.settings
    token = token_of(socket.headers)
    if token is None:
        await socket.close(1008, "no visitor: open the page first")
        return
    await socket.accept()
    try:
        visitor = await lobby.visitor(token)
        room = await lobby.rooms.room(socket.path_params["id"])
        if not room.may_watch(visitor.id):
            raise Refusal("not-yours", "only people with a seat may see this race")
    except StoreError:
        await socket.close(TRY_AGAIN_LATER, AWAY)
        return
    except SpinaError as error:
        await _refuse(socket, None, error)
        await socket.close(1008, "this table cannot be seen")
        return
    own = room.own_seats(visitor.id)
    looking = own[0] if len(own) == 1 else None
    page = Page(socket, visitor, looking, settings)
    sending = asyncio.create_task(page.send_on())
    room.visit(visitor.id, address_of(socket.scope))
    room.enter(page, _version(socket.query_params.get("version")))
    try:
        await _listen(page, room, lobby)
    except WebSocketDisconnect:
        pass
    finally:
        room.leave(page)
        if page.hinting is not None:
            page.hinting.cancel()
        sending.cancel()
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError, OSError):
            await sending
        if socket.application_state is WebSocketState.CONNECTED:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
                await socket.close()


def _version(text: str | None) -> int | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 10 else None


async def _listen(page: Page, room: Room, lobby: Lobby) -> None:
    while not page.lost:
        message = await page.socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        data = text if text is not None else message.get("bytes") or b""
        key = None
        try:
            if not page.bucket.take():
                raise Refusal("too-fast", "too many messages: wait a moment")
            try:
                said = _decoder.decode(data)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                raise Refusal("malformed", f"this is no message that a table understands: {error}") from None
            key = getattr(said, "key", None)
            if room.closed:
                await page.socket.close(1012, "the race has gone on elsewhere: come back")
                return
            await _heed(page, room, lobby, said)
        except StoreError:  # whether it was kept is not known: the page comes back and says it again with its key
            await page.socket.close(TRY_AGAIN_LATER, AWAY)
            return
        except SpinaError as error:
            page.refusals += 1
            _tell_refusal(page, key, error)
            if page.refusals >= MOST_REFUSALS:
                await page.socket.close(1008, "too many bad messages")
                return


async def _heed(page: Page, room: Room, lobby: Lobby, said: protocol.Incoming) -> None:
    """Do what a message asks for."""
    visitor = page.visitor
    match said:
        case protocol.Play(key, seat, actions, version):
            page.tell(protocol.Done(key, await room.play(visitor, seat, actions, f"{visitor}:{key}", version)))
        case protocol.Retract(key, seat):
            page.tell(protocol.Done(key, await room.retract(visitor, seat, f"{visitor}:{key}")))
        case protocol.Back(key, seat):
            page.tell(protocol.Done(key, await room.back(visitor, seat, f"{visitor}:{key}")))
        case protocol.Consider(key, seat, action):
            try:
                page.tell(protocol.Considered(key, room.consider(visitor, seat, action), None))
            except Refusal as refusal:
                if refusal.code != "illegal":
                    raise
                page.tell(protocol.Considered(key, None, refusal.reason))
        case protocol.Hint(key, seat):
            if page.hinting is not None and not page.hinting.done():
                raise Refusal("too-fast", "a hint is being thought about already")
            room.hinted(visitor, seat)
            # whoever waits for a hint may do something else meanwhile
            page.hinting = asyncio.create_task(_hint(page, room, lobby, key, seat))
        case protocol.Look(seat):
            room.look(page, seat)
        case protocol.Shown(seat, version):
            if page.looking == seat:  # behind a curtain nothing is shown to anybody
                room.shown(seat, version)
        case protocol.Say(key, text):
            name = (await lobby.store.visitor(visitor) or page.person).name
            await room.say(visitor, name, clean_line(text), f"{visitor}:{key}")
            page.tell(protocol.Done(key, room.table.version))


async def _hint(page: Page, room: Room, lobby: Lobby, key: str, seat: int) -> None:
    try:
        version, advice = await lobby.adviser.hint(room, page.visitor, seat)
        page.tell(protocol.Hinted(key, version, advice))
    except SpinaError as error:
        _tell_refusal(page, key, error)


def _tell_refusal(page: Page, key: str | None, error: SpinaError) -> None:
    page.tell(_refused(key, error))


async def _refuse(socket: WebSocket, key: str | None, error: SpinaError) -> None:
    await socket.send_text(_encoder.encode(_refused(key, error)).decode())


def _refused(key: str | None, error: SpinaError) -> protocol.Refused:
    code = error.code if isinstance(error, Refusal) else "failed"
    return protocol.Refused(key, code, str(error))
