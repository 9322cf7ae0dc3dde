"""Uvicorn's WebSocket with back-pressure and a time-out for peers that do not read.

Uvicorn counts a message as sent when it is in a buffer, and closes a connection only after the peer has read that
buffer: if the peer never reads, it keeps both for ever.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

CLOSE_SECONDS = 5.0
"""Seconds that a peer has to complete the closing handshake before the connection is aborted."""


class ReadSocket(WebSocketsSansIOProtocol):
    """A WebSocket whose `send` waits until the peer reads, and that closes even if it does not."""

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
