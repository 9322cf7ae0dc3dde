"""Database engines by URL: SQLite in a file, or PostgreSQL."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, NullPool, QueuePool, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, OperationalError

from spina.errors import StoreError

READERS = 4
"""Maximum number of connections for reading."""
NOW = "extract(epoch from clock_timestamp())::double precision"
"""SQL: the time of the PostgreSQL server, in seconds since 1970."""
ABANDONED = 5.0
"""Seconds after which PostgreSQL ends a transaction whose server has sent nothing more."""
PATIENCE = 10.0
"""Seconds to wait for another process's lock on the same file, or for a database server to answer."""

_QUIET: dict[str, Any] = {"hide_parameters": True}
"""No values in the text of errors: a traceback in the log must not contain seeds or hashes of tokens."""


class NotReady(StoreError):
    """The database server is starting or cannot be reached: a retry may help."""


def engines(address: str) -> tuple[Engine, Engine]:
    """One engine for the writer thread and one for the reader threads. Raises StoreError for an invalid URL."""
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise StoreError(
            "this is no database URL: it begins with sqlite:/// and a path, or with postgresql:// and a server"
        ) from None
    if url.drivername in ("sqlite", "sqlite+pysqlite"):
        return _sqlite(url)
    if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return _postgresql(url)
    raise StoreError(f"Spina keeps its races in sqlite or postgresql, not in {url.drivername}")


def _sqlite(url: URL) -> tuple[Engine, Engine]:
    if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
        raise StoreError("an SQLite database needs a file: sqlite:////home/me/spina.db")
    path = Path(url.database)
    _make_file(path)
    place = URL.create("sqlite+pysqlite", database=str(path))
    # A connection is used by one thread at a time, but not always by the one that opened it.
    connect: dict[str, Any] = {"timeout": PATIENCE, "check_same_thread": False}
    writing = create_engine(place, poolclass=NullPool, connect_args=connect, **_QUIET)
    reading = create_engine(
        place, poolclass=QueuePool, pool_size=READERS, max_overflow=0, connect_args=connect, **_QUIET
    )
    event.listen(writing, "connect", _ready_to_write)
    event.listen(reading, "connect", _ready_to_read)
    # The driver begins transactions late by default, which does not work with savepoints.
    event.listen(writing, "begin", _begin_writing)
    event.listen(reading, "begin", _begin_reading)
    return writing, reading


def _make_file(path: Path) -> None:
    """Create an empty database file that only its owner may read, since it will hold the seeds of running races."""
    try:
        missing = [folder for folder in path.parents if not folder.exists()]
        for folder in reversed(missing):
            folder.mkdir(mode=0o700, exist_ok=True)
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            if path.is_dir():
                raise StoreError(f"{path} is a folder, not a database") from None
    except OSError as error:
        raise StoreError(f"{path} cannot be made: {error.strerror}") from None


def _ready_to_write(connection: sqlite3.Connection, _: object) -> None:
    connection.isolation_level = None
    _use_wal(connection)
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _use_wal(connection: sqlite3.Connection) -> None:
    # If another process makes the same change, SQLite fails at once instead of waiting for the lock.
    until = time.monotonic() + PATIENCE
    while True:
        try:
            mode = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
            continue
        if mode != "wal":
            raise StoreError("the database's file system does not allow a write-ahead log: put it on a local disk")
        return


def _ready_to_read(connection: sqlite3.Connection, _: object) -> None:
    connection.isolation_level = None
    connection.execute("PRAGMA query_only=ON")


def _begin_writing(connection: Connection) -> None:
    # A transaction that begins with a read cannot wait for another process's write lock.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin_reading(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _postgresql(url: URL) -> tuple[Engine, Engine]:
    place = url.set(drivername="postgresql+psycopg")
    # TCP keep-alive: a silent server is noticed within half a minute, not after the system's two hours.
    connect = {
        "connect_timeout": int(PATIENCE),
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 30_000,
        "application_name": "spina",
        # A server that is cut off in the middle of a transaction must not keep its locks: others wait for them.
        "options": f"-c idle_in_transaction_session_timeout={int(ABANDONED * 1000)}",
    }
    connect = {name: value for name, value in connect.items() if name not in url.query}
    try:
        writing = create_engine(place, poolclass=NullPool, connect_args=connect, **_QUIET)
        reading = create_engine(
            place,
            poolclass=QueuePool,
            pool_size=READERS,
            max_overflow=0,
            pool_pre_ping=True,
            # All reads of one call see the same snapshot, as on SQLite.
            isolation_level="REPEATABLE READ",
            connect_args=connect,
            **_QUIET,
        )
    except ImportError:
        raise StoreError("PostgreSQL needs its driver: pip install 'spina[postgres]'") from None
    return writing, reading


def first_connection(engine: Engine) -> Connection:
    """Connect. Raises NotReady when a PostgreSQL server is starting or does not answer, and SQLAlchemyError."""
    try:
        return engine.connect()
    except OperationalError as error:
        if engine.dialect.name != "postgresql":
            raise
        if _answers(engine):
            return engine.connect()  # the server answers now, or this raises the reason again
        raise NotReady(str(error.orig)) from error


def _answers(engine: Engine) -> bool:
    """Whether a PostgreSQL server accepts connections, whether or not it accepts these credentials."""
    from psycopg import conninfo, pq

    known = {option.keyword.decode() for option in pq.Conninfo.get_defaults()}
    _, given = engine.dialect.create_connect_args(engine.url)
    parameters = {"connect_timeout": int(PATIENCE)} | {name: given[name] for name in given if name in known}
    said = pq.PGconn.ping(conninfo.make_conninfo("", **parameters).encode())
    return said not in (pq.Ping.REJECT, pq.Ping.NO_RESPONSE)
