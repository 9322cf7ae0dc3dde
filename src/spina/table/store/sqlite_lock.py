"""One server for an SQLite file: a second server is told the URL of the first.

A lock file beside the database is locked while the server runs, and contains its URL. The system frees the lock when
the server ends, even if it crashes, so a leftover lock file does no harm.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from spina.errors import StoreError
from spina.file_lock import lock

PATIENCE = 10.0
"""Seconds to wait for the URL of a server that is still starting."""


class Running(msgspec.Struct, frozen=True):
    """A server that uses the same database."""

    pid: int
    url: str


class Taken(StoreError):
    """The database is in use by another server: `running`, or None if it has not announced its URL in time."""

    def __init__(self, path: Path, running: Running | None) -> None:
        self.running = running
        where = f": {running.url} (process {running.pid})" if running else " that is still starting"
        super().__init__(f"{path} is in use by another server{where}")


class SqliteLock:
    """The lock of a database file, held by this server."""

    def __init__(self, file: int) -> None:
        self._file = file
        os.ftruncate(file, 0)

    def announce(self, url: str) -> None:
        """Write the URL of this server to the lock file."""
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, msgspec.json.encode(Running(os.getpid(), url)))


@contextmanager
def locked(database: Path) -> Iterator[SqliteLock]:
    """Hold the lock of a database file. Raises Taken when another server holds it."""
    path = database.with_name(database.name + ".lock")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StoreError(f"{path} cannot be made: {error.strerror}") from None
    try:
        if not lock(file):
            raise Taken(database, _running(file))
        yield SqliteLock(file)
    finally:
        os.close(file)  # this frees the lock


def _running(file: int) -> Running | None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        os.lseek(file, 0, os.SEEK_SET)
        try:
            return msgspec.json.decode(os.read(file, 4096), type=Running)
        except msgspec.MsgspecError:  # the URL is not written yet
            time.sleep(0.1)
    return None
