"""The WebSocket route: connects an open page to its room."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from spina.errors import SpinaError, StoreError
from spina.table.http.addresses import address_of
from spina.table.http.display_text import clean_line
from spina.table.http.rate_limits import Bucket
from spina.table.http.responses import from_page, refusal_of
from spina.table.http.security import token_of
from spina.table.live import protocol
from spina.table.live.listener import Listener
from spina.table.live.open_sockets import DID_NOT_READ, LONGEST_PAUSE, OpenSockets
from spina.table.live.room import Room
from spina.table.live.uvicorn_websocket import CLOSE_SECONDS, DIRECT, DirectSocket
from spina.table.refusals import Refusal, say, sentence_code
from spina.table.services import Services, services_of
from spina.table.settings import Settings
from spina.table.store.records import Visitor

UNREAD = 64 * 1024
"""Back-pressure: while a page has more unread bytes than this, its messages are not read."""
MESSAGE = 0.001
"""Seconds of processor time that are charged for each message, besides the measured time of its synchronous part."""
TRY_AGAIN_LATER = 1013
"""Close code after which the page should reconnect."""
MOST_REFUSALS = 50
"""Number of refused messages after which a connection is closed."""

GONE = (WebSocketDisconnect, RuntimeError, OSError)
"""What sending to a connection fails with when its peer has left."""

_decoder = msgspec.json.Decoder(protocol.AnyIncoming)
_encoder = msgspec.json.Encoder()


class Page(Listener):
    """One open page."""

    def __init__(
        self, socket: WebSocket, visitor: Visitor, looking: int | None, settings: Settings, sockets: OpenSockets
    ) -> None:
        self.socket, self.visitor, self.looking, self.version = socket, visitor.id, looking, 0
        self.person, self.address = visitor, address_of(socket.scope)
        self.bucket = Bucket(settings.messages_per_second, settings.messages_at_once)
        self.refusals = 0
        self.heard = 0.0
        self.unread = 0
        self.hinting: asyncio.Task[None] | None = None
        self._sockets, self._most_unread, self._patience = sockets, settings.unread_bytes, settings.unread_seconds
        self._waiting: deque[bytes] = deque()
        self._news, self._read, self._over = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._ending = (TRY_AGAIN_LATER, "come-back")
        self._direct: DirectSocket | None = (socket.scope.get("extensions") or {}).get(DIRECT)
        self._blocked = False
        """Whether the page has too much to read, so that messages wait for the task of `send_on`."""

    @property
    def lost(self) -> bool:
        """Whether the connection is being closed: no more messages are sent or handled."""
        return self._over.is_set()

    def tell(self, message: protocol.Outgoing) -> None:
        if self.lost:
            return
        data = _encoder.encode(message)
        if self.unread and self.unread + len(data) > self._most_unread:
            self.end(DID_NOT_READ, "not-read")
            return
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._flush)
        self._waiting.append(data)
        self._count(len(data))

    def _flush(self) -> None:
        """Write what waits, all messages at once. If the page has too much to read, the task of `send_on` goes on."""
        if self.lost or not self._waiting:
            return
        if self._direct is None or self._blocked or not self._direct.write(self._waiting):
            self._blocked = True
            self._news.set()
            return
        self._waiting.clear()
        if self._direct.writable.is_set():
            self._count(-self.unread)
            self._read.set()
        else:  # what was written counts as unread until the page has read most of it
            self._blocked = True
            self._news.set()

    def _count(self, size: int) -> None:
        self.unread += size
        self._sockets.waits(self, size)

    def part(self) -> None:
        self._over.set()
        self._read.set()

    def end(self, code: int, reason: str) -> None:
        """Close the connection with this code."""
        if not self.lost:
            self._ending = (code, reason)
            self.part()

    async def send_on(self) -> None:
        """Send queued messages until the page has disconnected or is to be closed; then close it."""
        passing, over = asyncio.ensure_future(self._pass_on()), asyncio.ensure_future(self._over.wait())
        try:
            await asyncio.wait({passing, over}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (passing, over):
                task.cancel()
            await asyncio.gather(passing, over, return_exceptions=True)
            gone = not self.lost
            self.part()
            self._waiting.clear()
            self._count(-self.unread)
        if not gone:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self.socket.close(*self._ending)

    async def _pass_on(self) -> None:
        """Wait until a page that has too much to read has read it, and send it what has come meanwhile."""
        while True:
            await self._news.wait()
            self._news.clear()
            try:
                async with asyncio.timeout(self._patience) as patience:
                    if self._direct is not None:
                        await self._direct.writable.wait()
                        self._count(sum(map(len, self._waiting)) - self.unread)
                        self._read.set()
                    while self._waiting:
                        data = self._waiting[0]
                        await self.socket.send_text(data.decode())
                        self._waiting.popleft()
                        self._count(-len(data))
                        self._read.set()
                        patience.reschedule(asyncio.get_running_loop().time() + self._patience)
            except TimeoutError:
                self.end(DID_NOT_READ, "not-read-in-time")
                return
            self._blocked = False

    async def has_read(self) -> None:
        """Back-pressure: wait until the page has at most UNREAD unread bytes."""
        while self.unread > UNREAD and not self.lost:
            self._read.clear()
            await self._read.wait()


async def live(socket: WebSocket) -> None:
    """Handle `/t/{id}/live?version=…`: send what happened after that version; without a version, everything."""
    services = services_of(socket)
    settings: Settings = socket.app.state.settings
    sockets: OpenSockets = socket.app.state.sockets
    token = token_of(socket.headers)
    if token is None:
        await socket.close(1008, "no-visitor")
        return
    await socket.accept()
    if services.rooms.cut_off:
        await _close(socket, TRY_AGAIN_LATER, "away")
        return
    try:
        visitor = await services.lobby.visitor(token)
        room = await services.rooms.room(socket.path_params["id"])
        if not room.may_watch(visitor.id):
            raise Refusal("not-yours", say("table.not-to-be-seen"))
    except StoreError:
        await _close(socket, TRY_AGAIN_LATER, "away")
        return
    except SpinaError as error:
        with contextlib.suppress(*GONE):
            await _refuse(socket, None, error)
        await _close(socket, 1008, "not-to-be-seen")
        return
    own = room.own_seats(visitor.id)
    looking = own[0] if len(own) == 1 else None
    page = Page(socket, visitor, looking, settings, sockets)
    await sockets.pause(page.address, LONGEST_PAUSE)
    sockets.enter(page)
    sending = asyncio.create_task(page.send_on())
    room.visit(visitor.id, page.address)
    with _charged(sockets, page, room):
        room.enter(page, _version(socket.query_params.get("version")))
    try:
        await _listen(page, room, services, sockets)
    except WebSocketDisconnect:
        pass
    finally:
        sockets.leave(page)
        room.leave(page)
        if page.hinting is not None:
            page.hinting.cancel()
        if not page.lost:  # otherwise it sends the close code
            sending.cancel()
        with contextlib.suppress(asyncio.CancelledError, *GONE):
            await sending
        if socket.application_state is WebSocketState.CONNECTED:
            await _close(socket)


async def _close(socket: WebSocket, code: int = 1000, reason: str = "") -> None:
    """Close a connection, which its peer may have left while the database was waited for."""
    with contextlib.suppress(*GONE):
        await socket.close(code, reason)


def _charged(sockets: OpenSockets, page: Page, room: Room) -> contextlib.AbstractContextManager[None]:
    """Charge the page's address for the time of the body, unless the game is still interpreted."""
    return contextlib.nullcontext() if room.is_interpreted() else sockets.charged(page.address)


def _version(text: str | None) -> int | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 10 else None


async def _listen(page: Page, room: Room, services: Services, sockets: OpenSockets) -> None:
    while True:
        await page.has_read()
        await sockets.pause(page.address)
        if page.lost:
            return
        message = await page.socket.receive()
        if page.lost or message["type"] == "websocket.disconnect":
            return
        page.heard = time.monotonic()
        sockets.charge(page.address, MESSAGE)
        text = message.get("text")
        data = text if text is not None else message.get("bytes") or b""
        key = None
        try:
            if not page.bucket.take():
                raise Refusal("too-fast", say("table.too-many-messages"))
            try:
                said = _decoder.decode(data)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                text = f"this is no message that a table understands: {error}"
                raise Refusal("malformed", say("table.malformed").reworded(text)) from None
            key = getattr(said, "key", None)
            if room.closed:
                page.end(1012, "elsewhere")
                return
            if isinstance(said, protocol.Look | protocol.Consider):  # these do not wait
                with _charged(sockets, page, room):
                    await _handle(page, room, services, said)
            else:
                await _handle(page, room, services, said)
        except StoreError:
            # It is not known whether the message took effect: the page reconnects and retries with its key. It may have
            # been ended meanwhile, by a server that noticed that it is cut off.
            page.end(TRY_AGAIN_LATER, "away")
            return
        except SpinaError as error:
            page.refusals += 1
            _tell_refusal(page, key, error)
            if page.refusals >= MOST_REFUSALS and not page.lost:
                await page.socket.close(1008, "too-many-refusals")
                return


async def _handle(page: Page, room: Room, services: Services, said: protocol.Incoming) -> None:
    """Handle a message."""
    visitor = page.visitor
    match said:
        case protocol.Play(key, seat, actions, version):
            page.tell(protocol.Done(key, await room.play(visitor, seat, actions, f"{visitor}:{key}", version)))
        case protocol.Retract(key, seat):
            page.tell(protocol.Done(key, await room.retract(visitor, seat, f"{visitor}:{key}")))
        case protocol.Back(key, seat):
            page.tell(protocol.Done(key, await room.back(visitor, seat, f"{visitor}:{key}")))
        case protocol.MoreTime(key, seat):
            page.tell(protocol.Done(key, room.give_more_time(visitor, seat)))
        case protocol.Consider(key, seat, action):
            try:
                page.tell(protocol.Considered(key, room.consider(visitor, seat, action)))
            except Refusal as refusal:
                if refusal.code != "illegal":
                    raise
                why = None if from_page(page.socket.headers) else refusal.reason
                page.tell(protocol.Considered(key, None, sentence_code(refusal.said), why))
        case protocol.Hint(key, seat):
            if page.hinting is not None and not page.hinting.done():
                raise Refusal("too-fast", say("table.hint-under-way"))
            room.hinted(visitor, seat)
            # a task, so that other messages are handled meanwhile
            page.hinting = asyncio.create_task(_hint(page, room, services, key, seat))
        case protocol.Look(seat):
            room.look(page, seat)
        case protocol.Shown(seat, version):
            if page.looking == seat:  # while a curtain hides the seat, nothing has been shown
                room.shown(seat, version)
        case protocol.Say(key, text):
            name = (await services.store.visitor(visitor) or page.person).name
            await room.chat.say(visitor, name, clean_line(text), f"{visitor}:{key}")
            page.tell(protocol.Done(key, room.table.version))


async def _hint(page: Page, room: Room, services: Services, key: str, seat: int) -> None:
    try:
        version, advice = await services.hints.hint(room, page.visitor, seat)
        page.tell(protocol.Hinted(key, version, advice))
    except SpinaError as error:
        _tell_refusal(page, key, error)


def _tell_refusal(page: Page, key: str | None, error: SpinaError) -> None:
    page.tell(_refused(key, error, page.socket))


async def _refuse(socket: WebSocket, key: str | None, error: SpinaError) -> None:
    await socket.send_text(_encoder.encode(_refused(key, error, socket)).decode())


def _refused(key: str | None, error: SpinaError, socket: WebSocket) -> protocol.Refused:
    refusal = refusal_of(error)
    reason = None if from_page(socket.headers) else str(refusal)
    return protocol.Refused(key, refusal.code, sentence_code(refusal.said), reason)
