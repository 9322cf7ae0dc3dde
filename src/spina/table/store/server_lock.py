"""One server for a PostgreSQL database: an advisory lock, held for as long as the server runs.

The session that writes holds the lock itself. A server that loses this connection loses the lock and its way to write
together, and a new connection takes the lock before it writes anything: so a server without the lock commits nothing.
PostgreSQL frees the lock when the server ends, even if it crashes. A row in the table `meta` names the holder.
"""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import Callable
from datetime import UTC, datetime

import msgspec
from sqlalchemy import Connection, text

from spina.errors import StoreError

LOCK = 0x5350494E42
"""Key of the advisory lock; migrations use another one."""
KEEP = 5.0
"""Seconds without a write after which the connection is tested, so that a lost lock is taken again soon."""
GRACE = 5.0
"""Seconds that a starting server waits for another one that is shutting down."""
_FORMER = 2.0
"""Seconds that an earlier session of the same server has to end."""
_ROW = "serving"

# TCP keep-alive: if a server's machine is cut off, PostgreSQL notices within half a minute, not after two hours.
_SETTINGS = ("tcp_keepalives_idle = 10", "tcp_keepalives_interval = 5", "tcp_keepalives_count = 3")


class InUse(StoreError):
    """Another server uses the database. The message names it."""


class _Server(msgspec.Struct, frozen=True):
    """The server that holds the lock, as stored in `meta`."""

    id: str
    """A random id of the server."""
    host: str
    pid: int
    since: float
    """When the server started, in seconds since 1970."""
    url: str | None
    backend: int = 0
    """Process id of the PostgreSQL backend that holds the lock."""

    def __str__(self) -> str:
        started = datetime.fromtimestamp(self.since, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        where = f" at {self.url}" if self.url else ""
        return f"{self.host} (process {self.pid}){where}, started {started}"


class ServingLock:
    """The lock of one server. All methods but `__init__` run on the thread that owns the connection."""

    def __init__(self, url: str | None = None) -> None:
        """`url` is the public address of this server."""
        self._me = _Server(secrets.token_hex(8), socket.gethostname(), os.getpid(), time.time(), url)
        self._announced = False
        self.on_overtaken: Callable[[], None] | None = None
        """Called when this server has the lock again after another server held it."""

    def take(self, connection: Connection) -> None:
        """Take the lock for this connection's session. Raises InUse when another server holds it."""
        until = time.monotonic() + _FORMER
        while not self._try(connection):
            holder = self._holder(connection)
            if holder is not None and holder.id == self._me.id and time.monotonic() < until:
                # An earlier connection of this server broke and PostgreSQL has not noticed: it is safe to terminate it.
                with connection.begin():
                    connection.execute(text("SELECT pg_terminate_backend(:backend)"), {"backend": holder.backend})
                time.sleep(0.05)
                continue
            who = holder or "one that has not said who it is"
            raise InUse(
                f"the database is in use by another server: {who}. One server at a time may use a database: "
                "stop that one first, or give this one a database of its own"
            )
        if self._announced:
            self.announce(connection)

    def announce(self, connection: Connection) -> None:
        """Store who holds the lock, for the message to other servers. The schema must exist."""
        backend = connection.scalar(text("SELECT pg_backend_pid()"))
        me = msgspec.structs.replace(self._me, backend=backend)
        before = _server(connection)
        connection.execute(
            text(
                "INSERT INTO meta (name, value) VALUES (:name, :value) "
                "ON CONFLICT (name) DO UPDATE SET value = excluded.value"
            ),
            {"name": _ROW, "value": msgspec.json.encode(me).decode()},
        )
        connection.commit()
        overtaken = self._announced and (before is None or before.id != me.id)
        self._announced = True
        if overtaken and self.on_overtaken is not None:
            self.on_overtaken()

    def _try(self, connection: Connection) -> bool:
        with connection.begin():
            for setting in _SETTINGS:
                connection.execute(text(f"SET SESSION {setting}"))
            return bool(connection.scalar(text("SELECT pg_try_advisory_lock(:lock)"), {"lock": LOCK}))

    def _holder(self, connection: Connection) -> _Server | None:
        """The server that holds the lock; None if it is not known (yet)."""
        with connection.begin():
            backend = connection.scalar(
                text(
                    "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1 "
                    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
                    "AND classid::bigint = :high AND objid::bigint = :low"
                ),
                {"high": LOCK >> 32, "low": LOCK & 0xFFFFFFFF},
            )
            if backend is None or connection.scalar(text("SELECT to_regclass('meta')")) is None:
                return None
            known = _server(connection)
        return known if known is not None and known.backend == backend else None


def _server(connection: Connection) -> _Server | None:
    """The server that announced itself last."""
    value = connection.scalar(text("SELECT value FROM meta WHERE name = :name"), {"name": _ROW})
    try:
        return None if value is None else msgspec.json.decode(value, type=_Server)
    except msgspec.MsgspecError:  # written by another version of Spina
        return None
