"""Signals between servers that share a PostgreSQL database, by NOTIFY and LISTEN.

A signal says where to look; what happened is read from the database. A lost signal costs time, never data: servers also
look by themselves from time to time. The signals of a transaction are sent together when it is committed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

import msgspec
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from spina.table.store.records import Entry

CHANNEL = "spina"
WAIT = 0.5
"""Seconds between two looks whether the thread shall end."""
TEST_EVERY = 5.0
"""Seconds of silence after which the connection is tested."""
PAUSE = 0.5
"""Seconds between attempts to connect again."""
LONGEST = 7_900
"""Maximum bytes of a notification: PostgreSQL takes 7,999."""
_QUEUED = "spina-signals"
"""Key among the `info` of a connection: the signals of its transaction."""

_NOTIFY = text(f"SELECT pg_notify('{CHANNEL}', :payload)")


class Play(msgspec.Struct, array_like=True, frozen=True):
    """A choice that was appended to a journal."""

    entry: Entry
    turn: int
    """The turn of the race after it."""


class Signal(msgspec.Struct, array_like=True, frozen=True):
    """What a server tells the others."""

    kind: Literal["journal", "chat", "clock", "here", "who", "free", "asked", "answered"]
    """`journal`: a table's journal has entries up to version `number`. `chat`: its chat has lines up to `number`.
    `clock`: the clock of its seat `number` has been started. `here`: who has the table open at this server. `who`:
    asks for that. `free`: tables wait for a server to take their lease. `asked`: a server without bot workers has a
    question. `answered`: the question with the id `table` has an answer."""
    server: str
    """The id of the server that sends it."""
    table: str = ""
    number: int = 0
    visitors: list[str] = []
    """For `here`: visitors with a seat whose pages are open."""
    watchers: int = 0
    """For `here`: number of visitors without a seat."""
    play: Play | None = None
    """For `journal`: the new entry itself, if it is a choice that changes nothing else, so that it need not be read."""
    address: str | None = None
    """For `here`: the address that the table's bots are charged to, if this server knows it. It is stored nowhere."""
    visited: bool = False
    """For `here`: whether people have asked for the table lately, such as programs that have no page open."""


def notify(connection: Connection, signal: Signal) -> None:
    """Send a signal when the transaction is committed, which must be one of the writer thread."""
    connection.info.setdefault(_QUEUED, []).append(signal)


def queued(connection: Connection) -> int:
    """Number of signals that wait for the commit of the transaction."""
    return len(connection.info.get(_QUEUED, ()))


def forget_queued(connection: Connection, kept: int = 0) -> None:
    """Forget the signals of a transaction that was rolled back, except the first ones."""
    if _QUEUED in connection.info:
        del connection.info[_QUEUED][kept:]


def send_queued(connection: Connection) -> None:
    """Send the signals of a transaction that is about to be committed, in as few notifications as possible."""
    for together in notifications(connection.info.pop(_QUEUED, ())):
        _send(connection, together)


def notifications(signals: Iterable[Signal]) -> Iterator[list[bytes]]:
    """Encoded signals in their order, grouped so that those of a group fit into one notification, as an array."""
    together: list[bytes] = []
    for signal in signals:
        payload = msgspec.json.encode(signal)
        if len(payload) + 2 > LONGEST:
            payload = msgspec.json.encode(msgspec.structs.replace(signal, visitors=[], play=None))
        if together and sum(map(len, together)) + len(together) + 2 + len(payload) > LONGEST:
            yield together
            together = []
        together.append(payload)
    if together:
        yield together


def _send(connection: Connection, payloads: list[bytes]) -> None:
    """Send a signal as it is, and several as an array."""
    payload = payloads[0] if len(payloads) == 1 else b"[" + b",".join(payloads) + b"]"
    connection.execute(_NOTIFY, {"payload": payload.decode()})


def read(payload: str) -> list[Signal]:
    """The signals of a notification. None, if it is of a newer version of Spina: servers look by themselves."""
    try:
        if payload.startswith("[["):
            return msgspec.json.decode(payload, type=list[Signal])
        return [msgspec.json.decode(payload, type=Signal)]
    except msgspec.MsgspecError:
        return []


class SignalThread:
    """Listens on a connection of its own, and connects again when that is lost."""

    def __init__(self, engine: Engine, server: str, hear: Callable[[Sequence[Signal | None]], None]) -> None:
        """`hear` is called on the thread with the signals of other servers, and with None among them after each
        connecting: signals may have been missed."""
        self._engine, self._hear = engine, hear
        self._own = f'"{server}"'
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="spina-signals", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening. Blocks for a moment; do not call it on the event loop."""
        self._closed.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                    connection.exec_driver_sql(f"LISTEN {CHANNEL}")
                    self._hear([None])
                    self._listen(connection)
            except Exception as error:  # the driver's errors too: the database may be away for a while
                if not isinstance(error, SQLAlchemyError | OSError) and "psycopg" not in type(error).__module__:
                    raise
                self._closed.wait(PAUSE)  # the store logs the outage

    def _listen(self, connection: Connection) -> None:
        driver = connection.connection.driver_connection
        assert driver is not None
        tested = time.monotonic()
        while not self._closed.is_set():
            # It ends after the notifications that have come together, which are passed on together.
            self._pass_on([note.payload for note in driver.notifies(timeout=WAIT, stop_after=1)])
            if time.monotonic() - tested > TEST_EVERY:
                connection.exec_driver_sql("SELECT 1")
                tested = time.monotonic()

    def _pass_on(self, payloads: list[str]) -> None:
        # The server's id comes right after the kind of the first signal: what it has sent itself need not be read.
        heard = [signal for payload in payloads if self._own not in payload[:40] for signal in read(payload)]
        if heard:
            self._hear(heard)
