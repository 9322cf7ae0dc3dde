"""Databases by their URL: SQLite in a file of the user's own, or PostgreSQL."""

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
"""Connections that read at once."""
PATIENCE = 10.0
"""Seconds that are waited for another process that writes to the same file, or for a server to answer."""


class NotReady(StoreError):
    """The database's server is starting or cannot be reached: waiting may help."""


def engines(address: str) -> tuple[Engine, Engine]:
    """One engine for the thread that writes and one for those that read. Raises StoreError for a bad address."""
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
    # A connection is used by one thread at a time, though not always by the one that opened it.
    connect: dict[str, Any] = {"timeout": PATIENCE, "check_same_thread": False}
    writing = create_engine(place, poolclass=NullPool, connect_args=connect)
    reading = create_engine(place, poolclass=QueuePool, pool_size=READERS, max_overflow=0, connect_args=connect)
    event.listen(writing, "connect", _ready_to_write)
    event.listen(reading, "connect", _ready_to_read)
    # The driver's own habit of beginning transactions late does not go together with savepoints.
    event.listen(writing, "begin", _begin_writing)
    event.listen(reading, "begin", _begin_reading)
    return writing, reading


def _make_file(path: Path) -> None:
    """An empty file, which is an empty database, that nobody else may read: seeds of running races are in it."""
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
    # While another process makes the same change, SQLite gives up at once instead of waiting its time.
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
    # A transaction that began by reading could not wait for another process that writes.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin_reading(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _postgresql(url: URL) -> tuple[Engine, Engine]:
    place = url.set(drivername="postgresql+psycopg")
    # A server that has gone silent is noticed within half a minute, not after the system's two hours.
    connect = {
        "connect_timeout": int(PATIENCE),
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 30_000,
        "application_name": "spina",
    }
    connect = {name: value for name, value in connect.items() if name not in url.query}
    try:
        writing = create_engine(place, poolclass=NullPool, connect_args=connect)
        reading = create_engine(
            place,
            poolclass=QueuePool,
            pool_size=READERS,
            max_overflow=0,
            pool_pre_ping=True,
            # All that one hop reads is of one moment, as it is on SQLite.
            isolation_level="REPEATABLE READ",
            connect_args=connect,
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
            return engine.connect()  # it answers since, or says again why it refuses
        raise NotReady(str(error.orig)) from error


def _answers(engine: Engine) -> bool:
    """Whether a PostgreSQL server takes connections, from whomever."""
    from psycopg import conninfo, pq

    known = {option.keyword.decode() for option in pq.Conninfo.get_defaults()}
    _, given = engine.dialect.create_connect_args(engine.url)
    parameters = {"connect_timeout": int(PATIENCE)} | {name: given[name] for name in given if name in known}
    said = pq.PGconn.ping(conninfo.make_conninfo("", **parameters).encode())
    return said not in (pq.Ping.REJECT, pq.Ping.NO_RESPONSE)
