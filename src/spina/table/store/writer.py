"""The writer thread: all writes go through it, and those that queue up during a commit share the next one.

A commit waits for the disk, so a thousand choices a second cannot each have a separate one (group commit). A write is
acknowledged only after its commit, and a write that fails does not affect the others.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from spina.errors import Conflict, StoreError
from spina.table.instrumentation import NO_INSTRUMENTATION
from spina.table.store.outage import Outage, gave_way, is_outage, plain
from spina.table.store.play_appends import PlayRow, append, prepare
from spina.table.store.signals import forget_queued, queued, send_queued

T = TypeVar("T")

MOST_TOGETHER = 500
"""Maximum number of writes in one transaction: more would only delay the first of them."""
ATTEMPTS = 5
"""Attempts of a write that conflicts with another server's."""


class Clash(Exception):
    """Raised by a write that conflicts with another server's and may succeed when it is retried."""


class Declined(Exception):
    """Raised by a write that has changed nothing. Its caller gets `error`; the rest of the batch is not done again."""

    def __init__(self, error: StoreError) -> None:
        super().__init__(str(error))
        self.error = error


class _WriteFailed(Exception):
    """One of the writes of a batch failed; the cause is its error."""


class _Write:
    """A queued write, and the future of its caller."""

    __slots__ = ("error", "future", "loop", "play", "result", "work")

    def __init__(self, work: Callable[[Connection], Any], play: PlayRow | None) -> None:
        self.work, self.play = work, play
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self.loop.create_future()
        self.result: Any = None
        self.error: BaseException | None = None

    def settle(self) -> None:
        # An error's traceback has frames that have this write: a reference cycle. A refusal needs no traceback.
        error, self.error = self.error, None
        if isinstance(error, StoreError):
            error.__traceback__ = None
        if self.future.done():  # the caller was cancelled
            return
        if error is not None:
            self.future.set_exception(error)
        else:
            self.future.set_result(self.result)


class Writer:
    """The writer thread with its connections, which it reopens when they are lost."""

    def __init__(self, engine: Engine, outage: Outage) -> None:
        self._engine, self._outage = engine, outage
        self._queue: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="spina-writer", daemon=True)
        self._connection: Connection | None = None
        self._appending: Connection | None = None
        """Commits each statement by itself, for choices that are appended together."""
        self._closing = threading.Lock()
        self._closed = False
        self.instruments = NO_INSTRUMENTATION
        self._thread.start()

    async def write(self, work: Callable[[Connection], T], play: PlayRow | None = None) -> T:
        """Do `work` inside a transaction, in the order of the calls, and return once it is committed.

        `play`: the choice that the work appends, if it does nothing else. A batch of choices is appended by one
        statement instead.

        The work is done even if the caller is cancelled meanwhile. After a StoreError because of a time-out it may
        still be done.
        """
        write = _Write(work, play)
        with self._closing:
            if self._closed:
                raise StoreError("the store is closed")
            self._queue.put(write)
        try:
            async with self._outage.awaited("write"):
                result: T = await write.future
            return result
        finally:
            del write  # its future has the error, whose traceback has this frame: a reference cycle

    def close(self) -> None:
        """Finish the queued writes, then stop. Blocks; do not call it on the event loop."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    # --- on the thread

    def _run(self) -> None:
        closing = False
        while not closing:
            batch: list[_Write] = []
            following = self._queue.get()
            while following is not None:
                batch.append(following)
                if len(batch) == MOST_TOGETHER or self._queue.empty():
                    break
                following = self._queue.get()
            closing = following is None
            if batch:
                self._commit(batch)
                _settle(batch)
        self._drop_connection()

    def _connected(self) -> Connection:
        """The connection for writing."""
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _commit(self, batch: list[_Write]) -> None:
        """Do the writes and commit them. Sets the result or error of each."""
        begun = time.perf_counter()
        try:
            if not self._appended_together(batch):
                connection = self._connected()
                if not self._committed_together(connection, batch):
                    with connection.begin():
                        forget_queued(connection)
                        for write in batch:
                            self._do(connection, write)
                        send_queued(connection)
            self._outage.worked("write")
            self.instruments.commit(len(batch), time.perf_counter() - begun)
        except BaseException as error:
            if gave_way(error) and len(batch) > 1:
                # The batch was rolled back. Done one by one, the writes lock too little for another conflict.
                for write in batch:
                    self._commit([write])
                return
            # It is not known whether the batch was committed. The next one gets a new connection.
            self._drop_connection()
            if is_outage(error):
                self._outage.failed("write", error)
            for write in batch:
                write.error = StoreError(f"the database did not take it: {plain(error)}")
                write.error.__cause__ = error

    def _appended_together(self, batch: list[_Write]) -> bool:
        """Append choices of different tables by one statement.

        Returns False, and has done nothing, if the batch is something else, or if one of the choices is known already.
        """
        plays = [write.play for write in batch if write.play is not None]
        if len(plays) < len(batch) or len({play.table for play in plays}) < len(plays):
            return False
        if self._appending is None:
            self._appending = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            with self._appending.begin():
                prepare(self._appending)
        with self._appending.begin():
            appended = append(self._appending, plays)
        if appended is None:
            return False
        for write, play in zip(batch, plays, strict=True):
            if play.table in appended:
                write.error = None
            else:
                write.error = Conflict(f"table {play.table}: the journal does not stand at the version before")
        return True

    def _committed_together(self, connection: Connection, batch: list[_Write]) -> bool:
        """Do the writes without savepoints, which cost a third of the time, and commit them.

        Returns False if one of them failed: then all are rolled back, and none has been done.
        """
        try:
            with connection.begin():
                forget_queued(connection)
                for write in batch:
                    try:
                        write.result, write.error = write.work(connection), None
                    except Declined as declined:
                        write.error = declined.error
                    except Exception as error:
                        raise _WriteFailed from error
                send_queued(connection)
        except _WriteFailed as failed:
            if failed.__cause__ is not None and _lost_transaction(failed.__cause__):
                raise failed.__cause__ from None
            return False
        return True

    def _do(self, connection: Connection, write: _Write) -> None:
        """Do one write after a savepoint. Raises if the transaction itself is lost."""
        signals = queued(connection)
        for attempt in range(1, ATTEMPTS + 1):
            connection.exec_driver_sql("SAVEPOINT one")
            try:
                try:
                    write.result, write.error = write.work(connection), None
                except Declined as declined:
                    write.error = declined.error
                connection.exec_driver_sql("RELEASE SAVEPOINT one")
                return
            except Exception as error:
                forget_queued(connection, signals)
                if _lost_transaction(error):
                    raise
                try:
                    connection.exec_driver_sql("ROLLBACK TO SAVEPOINT one")
                    connection.exec_driver_sql("RELEASE SAVEPOINT one")
                except SQLAlchemyError:
                    # The database has rolled back the whole transaction, as SQLite does when the disk is full.
                    raise error from None
                write.error = refused(error) if isinstance(error, SQLAlchemyError) else error
                if not isinstance(error, Clash) or attempt == ATTEMPTS:
                    return

    def _drop_connection(self) -> None:
        connections, self._connection, self._appending = (self._connection, self._appending), None, None
        for connection in connections:
            if connection is not None:
                with contextlib.suppress(SQLAlchemyError):
                    connection.invalidate()
                connection.close()


def _lost_transaction(error: BaseException) -> bool:
    """Whether no further statement of the transaction can succeed."""
    return gave_way(error) or (isinstance(error, DBAPIError) and error.connection_invalidated)


def _settle(batch: list[_Write]) -> None:
    """Resolve the futures in the order of the writes, with one callback on each event loop."""
    loops: dict[asyncio.AbstractEventLoop, list[_Write]] = {}
    for write in batch:
        loops.setdefault(write.loop, []).append(write)
    for loop, writes in loops.items():
        try:
            loop.call_soon_threadsafe(_settle_all, writes)
        except RuntimeError:  # the loop is closed
            continue


def _settle_all(writes: list[_Write]) -> None:
    for write in writes:
        write.settle()


def refused(error: SQLAlchemyError) -> StoreError:
    """An error of the database as a StoreError."""
    if isinstance(error, IntegrityError):
        return StoreError(f"the database refused it: {plain(error)}")
    return StoreError(f"the database failed: {plain(error)}")
