"""Outages of the database: one log line a minute while it does not answer, and one when it is back."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.exc import DBAPIError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection

from spina.errors import StoreError
from spina.table.repeated_logs import Repeats

log = logging.getLogger("spina.table")

_GAVE_WAY = {"40001", "40P01"}
"""PostgreSQL's codes for a serialization failure and for a deadlock."""


ANSWER = 30.0
"""Time-out in seconds after which a database that does not answer counts as away."""


class Outage:
    """Tracks whether reading and writing work. Thread-safe."""

    def __init__(self) -> None:
        self._lines = Repeats(log)
        self._lock = threading.Lock()
        self._failing: set[str] = set()
        self._since = 0.0
        self._logged = False

    def failed(self, way: str, error: BaseException) -> None:
        """Note that reading or writing (`way`) failed."""
        with self._lock:
            if not self._failing:
                self._since = time.monotonic()
            self._failing.add(way)
        if isinstance(error, StoreError):  # such as InUse: logged even if an outage was logged just before
            logged = self._lines.warn(type(error).__name__, str(error))
        else:
            logged = self._lines.warn("away", f"the database does not answer: {plain(error)}")
        if logged:
            self._logged = True

    @asynccontextmanager
    async def awaited(self, way: str) -> AsyncIterator[None]:
        """Limit the time that the body waits for a database thread. Raises StoreError; the thread may continue."""
        try:
            async with asyncio.timeout(ANSWER):
                yield
        except TimeoutError:
            error = StoreError(f"the database has not answered for {ANSWER:g} s")
            self.failed(way, error)
            raise error from None

    def worked(self, way: str) -> None:
        """Note that reading or writing (`way`) succeeded."""
        if not self._failing:  # the usual case, without a lock
            return
        with self._lock:
            self._failing.discard(way)
            if self._failing or not self._logged:
                return
            self._logged = False
        log.warning("the database can be used again, after %.0f s", time.monotonic() - self._since)


def gave_way(error: BaseException) -> bool:
    """Whether PostgreSQL aborted the transaction because of a conflict with another server's.

    The transaction keeps its locks until it is rolled back as a whole: the next write in it would conflict again.
    """
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in _GAVE_WAY


def is_outage(error: BaseException) -> bool:
    """Whether the error is the database's, such as a lost connection or a full disk, and not the statement's."""
    if gave_way(error):
        return False
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    return isinstance(error, OperationalError | InterfaceError | InternalError | NoConnection | OSError | StoreError)


def plain(error: BaseException) -> str:
    """The database's error message in one line, without the statement and its values, which may be secret."""
    said = str(error.orig) if isinstance(error, DBAPIError) and error.orig is not None else str(error)
    return " ".join(said.split()) or type(error).__name__
