"""Limits on connections: how many, how large a request's head, how slow a client.

Uvicorn limits none of this when httptools parses its requests, and its other parser limits the size of a head only. The
limits are enforced here, in subclasses of its protocols, so that a server is safe without a proxy too. When an address
or the server has reached its limit, a new connection replaces one whose request has not arrived: clients that hold
connections open without sending a request cannot lock out other clients.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from spina.table.http.addresses import Trusted, network
from spina.table.live.uvicorn_websocket import ReadSocket
from spina.table.repeated_logs import Repeats
from spina.table.settings import Settings

log = logging.getLogger("spina.table")
_repeats = Repeats(log)

SWEEP_SECONDS = 1.0
MOST_HEADERS = 100
MOST_PIPELINED = 16
"""Maximum number of pipelined requests on a connection."""
SPARE_FILES = 200
"""File descriptors that the server needs besides its connections: database, workers, logs."""
MOST_FILES = 16_384
"""File descriptors that the server requests from the system (RLIMIT_NOFILE)."""
STALLED_SECONDS = 20.0
"""Time for a client to read a response, and a second more for each `slowest_body` bytes of it."""
CLIENT_ERRORS = (
    "Invalid HTTP request received.",
    "Unsupported upgrade request.",
    "Invalid UTF-8 sequence received from client.",
)
"""Messages that any client can make Uvicorn log."""

HEAD, BODY, NOTHING = range(3)
"""What a connection waits for: a request's head, its body, or nothing, since it is being answered or is idle."""


RANKS = ("its request has not arrived", "it is idle", "the body of its request has not arrived")
"""Kinds of connections that are closed to make room for a new one, in this order."""


class _LargeHeadError(Exception):
    """The head of a request is larger than allowed."""


class Connections:
    """All connections of a server, by client address."""

    def __init__(self, settings: Settings, trusted: Trusted, keep_alive: float) -> None:
        self.settings, self.keep_alive = settings, keep_alive
        self.most = min(settings.connections, max(1, files_allowed() - SPARE_FILES))
        self._trusted = trusted
        self._http: dict[str, dict[Connection, None]] = {}
        self._sockets: dict[str, int] = {}
        self._count = 0

    def enter(self, connection: Connection) -> bool:
        """Count a new connection; False if a limit is reached and no other connection can be closed."""
        address = connection.address
        held = self._http.setdefault(address, {})
        own = len(held) + self._sockets.get(address, 0)
        if own >= self.settings.connections_per_address and connection.host not in self._trusted:
            if not self._make_room(address):
                return self._turn_away(address)
        elif self._count >= self.most:
            heaviest = max(self._http, key=lambda name: len(self._http[name]))
            if not self._make_room(heaviest):
                return self._turn_away(address)
        held = self._http.setdefault(address, {})
        held[connection] = None
        self._count += 1
        return True

    def leave(self, connection: Connection) -> None:
        """Stop counting a connection."""
        held = self._http.get(connection.address)
        if held is not None and held.pop(connection, self) is None:
            self._count -= 1
            self._forget(connection.address)

    def open_socket(self, address: str) -> None:
        """Count a WebSocket that was upgraded from an HTTP connection."""
        self._sockets[address] = self._sockets.get(address, 0) + 1
        self._count += 1

    def close_socket(self, address: str) -> None:
        self._count -= 1
        self._sockets[address] -= 1
        if not self._sockets[address]:
            del self._sockets[address]

    async def watch(self) -> None:
        """Close connections that are too slow, in an endless loop."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now = time.monotonic()
            for held in list(self._http.values()):
                for connection in list(held):
                    connection.check(now)

    def _make_room(self, address: str) -> bool:
        """Close one connection of an address: the oldest of the first kind in RANKS."""
        ended, lowest = None, len(RANKS)
        for each in self._http.get(address, ()):  # the oldest first
            rank = each.expendable
            if rank is not None and rank < lowest:
                ended, lowest = each, rank
                if rank == 0:
                    break
        if ended is None:
            return False
        self.leave(ended)
        ended.transport.abort()
        return True

    def _turn_away(self, address: str) -> bool:
        self._forget(address)
        return False

    def _forget(self, address: str) -> None:
        if not self._http.get(address, True):
            del self._http[address]


class Connection(HttpToolsProtocol):
    """An HTTP connection with limits on the size and the duration of requests and responses."""

    def __init__(self, *args: Any, connections: Connections, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.all_connections, self.limits = connections, connections.settings
        self.host = self.address = ""
        self.awaiting = HEAD
        self.since = time.monotonic()
        self._begun = False
        """Whether a byte of the head has arrived."""
        self._read = 0
        """Bytes received of the awaited head or body, without the first piece."""
        self._head = 0
        """Bytes of the complete lines of the head."""
        self._unread_since: float | None = None
        """Time since which a response has been waiting to be read; None: no response is."""
        self._unread = 0
        self._cycles: list[RequestResponseCycle] = []
        """Pipelined requests that are not answered yet, and the last request."""

    # --- what Uvicorn calls

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.host = self.client[0] if self.client else ""
        self.address = network(self.host)
        if not self.all_connections.enter(self):
            self.refuse(503)

    def connection_lost(self, exc: Exception | None) -> None:
        self.all_connections.leave(self)
        self._drop_responses()
        super().connection_lost(exc)
        self._forget_parser()

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        awaited, begun = self.awaiting, self._begun
        super().data_received(data)
        if self.transport.is_closing() or self.awaiting != awaited:
            return
        if awaited == HEAD and begun:
            self._read += len(data)
            if self._read > self.limits.largest_head:
                self.refuse(431)
        elif awaited == BODY:
            self._read += len(data)
            # in chunks of one byte, a body takes several times its size
            if self._read > 8 * max(self.limits.largest_file, self.limits.largest_request):
                self.refuse(413)

    def handle_websocket_upgrade(self) -> None:
        self._drop_responses()  # the connection is the WebSocket's now
        super().handle_websocket_upgrade()
        self._forget_parser()

    def send_400_response(self, msg: str) -> None:
        self.refuse(431 if self._head > self.limits.largest_head or len(self.headers or ()) > MOST_HEADERS else 400)

    # --- what the parser calls

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self.awaiting != HEAD:
            self.since = time.monotonic()
        self.awaiting, self._begun, self._read, self._head = HEAD, True, 0, 0
        if len(self.pipeline) >= MOST_PIPELINED:
            raise _LargeHeadError

    def on_url(self, url: bytes) -> None:
        self._more_head(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        if self.awaiting != HEAD:  # trailers after the body are ignored
            return
        self._more_head(len(name) + len(value) + 4)
        if len(self.headers) >= MOST_HEADERS:
            self._more_head(self.limits.largest_head)
        super().on_header(name, value)

    def _more_head(self, size: int) -> None:
        self._head += size
        if self._head > self.limits.largest_head:
            raise _LargeHeadError

    def on_headers_complete(self) -> None:
        self.awaiting, self.since, self._read = BODY, time.monotonic(), 0
        super().on_headers_complete()
        if self.cycle is not None:
            self._cycles = [cycle for cycle in self._cycles if not cycle.response_complete and cycle is not self.cycle]
            self._cycles.append(self.cycle)

    def on_message_complete(self) -> None:
        self.awaiting, self.since, self._begun = NOTHING, time.monotonic(), False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        if self.awaiting == NOTHING:
            self.since = time.monotonic()
        super().on_response_complete()

    # --- limits

    @property
    def answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def expendable(self) -> int | None:
        """Index in RANKS: lower ones are closed first to make room. None: never closed for that."""
        if self.awaiting == BODY:
            return 2
        if self.cycle is not None and not self.cycle.response_complete:
            return None
        return 0 if self.awaiting == HEAD else 1

    def check(self, now: float) -> None:
        """Close the connection if its client is too slow."""
        if self._is_unread(now):
            self.transport.abort()
        elif self.transport.is_closing():
            return
        elif self.awaiting == HEAD:
            if now - self.since > self.limits.head_seconds and not self.answering:
                self.refuse(408)
        elif self.awaiting == BODY:
            if self.flow.read_paused:  # back-pressure: the server is slow, not the client
                self.since += SWEEP_SECONDS
            elif now - self.since > self.limits.body_seconds + self._read / self.limits.slowest_body:
                self.refuse(408)
        elif not self.answering and now - self.since > self.all_connections.keep_alive:
            self.transport.close()

    def _is_unread(self, now: float) -> bool:
        """Whether a response has been waiting too long to be read."""
        waiting = self.transport.get_write_buffer_size()
        if not waiting:
            self._unread_since, self._unread = None, 0
            return False
        if self._unread_since is None:
            self._unread_since = now
        self._unread = max(self._unread, waiting)
        return now - self._unread_since > STALLED_SECONDS + self._unread / self.limits.slowest_body

    def refuse(self, status: int) -> None:
        """Close the connection, with this status if no response has begun."""
        if self.transport.is_closing():
            return
        waits = self.cycle is not None and not self.cycle.response_started
        if waits or (self.awaiting == HEAD and not self.answering):
            said = b"connection: close\r\ncontent-length: 0\r\n"
            self.transport.write(
                STATUS_LINE[status] + said + (b"retry-after: 5\r\n" if status == 503 else b"") + b"\r\n"
            )
        self._drop_responses()
        self.transport.close()

    def _drop_responses(self) -> None:
        """Let no response write to the closed connection.

        Uvicorn knows the last of several pipelined requests only, and another one is being answered.
        """
        for cycle in self._cycles:
            if not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()

    def _forget_parser(self) -> None:
        """Nothing more is read. The parser refers to the connection: without this cycle both are freed at once."""
        del self.parser


class Socket(ReadSocket):
    """A WebSocket that is counted among the connections."""

    def __init__(self, *args: Any, connections: Connections, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._connections, self._address = connections, ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        before = cast(asyncio.Transport, transport).get_protocol()
        if isinstance(before, Connection):
            self._connections.leave(before)
        self._address = network(self.client[0] if self.client else "")
        self._connections.open_socket(self._address)

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.close_socket(self._address)
        super().connection_lost(exc)


def files_allowed() -> int:
    """Raise the process's limit of open files as far as needed and possible, and return it."""
    try:
        import resource
    except ImportError:  # not on Windows
        return MOST_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return MOST_FILES
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if wanted > soft:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):  # some systems allow less than their hard limit
            return soft
        return wanted
    return soft


class Quieter(logging.Filter):
    """Log filter: messages that any client can cause are logged at most once a minute."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = str(record.msg)
        if message in CLIENT_ERRORS:
            _repeats.warn(message, message)
        return message not in CLIENT_ERRORS
