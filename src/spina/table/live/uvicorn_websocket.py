"""Uvicorn's WebSocket with back-pressure, a time-out for peers that do not read, and a short way for messages.

Uvicorn counts a message as sent when it is in a buffer, and closes a connection only after the peer has read that
buffer: if the peer never reads, it keeps both for ever.

A table tells every page of each choice. Through ASGI each message costs a task switch and a dozen calls of middleware;
`write` takes several messages at once and costs one system call.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

CLOSE_SECONDS = 5.0
"""Seconds that a peer has to complete the closing handshake before the connection is aborted."""


DIRECT = "spina.direct"
"""Key among the extensions of an ASGI scope: the connection itself, as `DirectSocket`."""


class DirectSocket(Protocol):
    """A WebSocket that takes messages without ASGI."""

    writable: asyncio.Event
    """Not set while the peer has too many unread bytes."""

    def write(self, messages: Iterable[bytes]) -> bool:
        """Send texts, unless the connection is closed or the peer has too many unread bytes: then return False."""


class ReadSocket(WebSocketsSansIOProtocol):
    """A WebSocket whose `send` waits until the peer reads, and that closes even if it does not."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:  # otherwise the handshake was refused
            self.scope["extensions"][DIRECT] = self  # type: ignore[assignment]

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if hasattr(self, "scope"):  # a reference cycle, which the server's garbage collector would find late
            self.scope["extensions"].pop(DIRECT, None)

    def write(self, messages: Iterable[bytes]) -> bool:
        if not self.writable.is_set() or self.disconnected or self.close_sent or self.transport.is_closing():
            return False
        for message in messages:
            self.conn.send_text(message)
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    async def send(self, message: Any) -> None:
        closing = message["type"] == "websocket.close"
        if closing:
            self.writable.set()  # the close frame does not wait for unread messages
        await super().send(message)
        if closing:
            self.cut_soon()
        elif message["type"] == "websocket.send":
            await self.writable.wait()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.cut_soon()

    def cut_soon(self) -> None:
        """Abort the connection if the peer does not close it in time."""
        self.loop.call_later(CLOSE_SECONDS, self._cut)

    def _cut(self) -> None:
        if not self.disconnected:
            self.transport.abort()
