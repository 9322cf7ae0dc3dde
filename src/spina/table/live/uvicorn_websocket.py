"""Uvicorn's WebSocket, mended for peers that do not read.

Uvicorn says that a message is sent when it lies in a buffer, waits to close a connection until the peer has read that
buffer, and so keeps both for ever if the peer never reads.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

LAST_WORDS = 5.0
"""Seconds that a peer has to read why it is closed, before the connection is cut."""


class ReadSocket(WebSocketsSansIOProtocol):
    """A WebSocket whose messages are sent when the peer has taken them, and that ends whether or not it reads."""

    async def send(self, message: Any) -> None:
        closing = message["type"] == "websocket.close"
        if closing:
            self.writable.set()  # the close frame need not wait until everything before it is read
        await super().send(message)
        if closing:
            self.cut_soon()
        elif message["type"] == "websocket.send":
            await self.writable.wait()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.cut_soon()

    def cut_soon(self) -> None:
        """Cut the connection if the peer has not ended it in time."""
        self.loop.call_later(LAST_WORDS, self._cut)

    def _cut(self) -> None:
        if not self.disconnected:
            self.transport.abort()
