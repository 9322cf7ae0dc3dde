"""The store: visitors, tables, journals, chat and links in a database. Nothing is acknowledged before it is committed.

Every method runs one transaction in another thread: writes in the writer thread, reads in a small pool. A store may be
used from any event loop.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from typing import Any, TypeVar

import msgspec
from sqlalchemy import (
    BindParameter,
    Connection,
    Engine,
    Select,
    Subquery,
    Update,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    union,
    update,
)
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from spina.errors import Conflict, StoreError
from spina.table.instrumentation import Instrumentation
from spina.table.store import schema
from spina.table.store.databases import READERS, NotReady, engines, first_connection
from spina.table.store.migrations import MIGRATIONS, Migration, migrate
from spina.table.store.outage import Outage, is_outage, plain
from spina.table.store.play_appends import PlayRow
from spina.table.store.records import Entry, Link, Said, Seat, StartedClock, Table, Visitor
from spina.table.store.schema import from_row, sql_table, to_row
from spina.table.store.signals import Play, Signal, SignalThread, notify
from spina.table.store.writer import Clash, Declined, Writer, refused

log = logging.getLogger("spina.table")

T = TypeVar("T")
R = TypeVar("R", bound=msgspec.Struct)

Seated = tuple[Table, list[Seat]]
"""A table with its seats, in their order."""

_FIXED = {"id", "version", "seed", "salt", "commitment", "start", "lesson", "created"}
"""Fields of a table that `record` may not change; its version changes with its journal only."""
PAUSE = 0.5
"""Seconds between attempts to open a database that is not ready."""
ENDED = ("over", "left")
"""Status of a table whose race needs no server any more."""
_PAGE = 50
"""Number of tables read in one query."""


class Store:
    """Everything that survives a restart of the server. Open one with `await Store.open(url)`."""

    def __init__(self, writing: Engine, reading: Engine) -> None:
        self._writing, self._reading = writing, reading
        self.server = secrets.token_hex(8)
        """A random id of this server among those that share the database."""
        self.shared = writing.dialect.name == "postgresql"
        """Whether other servers may use the database at the same time."""
        self._signals: SignalThread | None = None
        self._arrived: deque[Signal | None] = deque()
        """Signals of other servers that have not been heard yet."""
        self._hear: Callable[[Signal | None], None] = lambda signal: None
        self._outage = Outage()
        self._writer = Writer(writing, self._outage)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="spina-reader")

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        migrations: Sequence[Migration] = MIGRATIONS,
        patience: float = 0.0,
    ) -> Store:
        """Open the database at `sqlite:////path/file.db` or `postgresql://…`, and migrate its schema.

        A missing file is created, readable by its owner only. If a PostgreSQL server is starting or cannot be reached,
        this retries for at most `patience` seconds. Raises StoreError.
        """
        begun, told = time.monotonic(), False
        while True:
            waited = time.monotonic() - begun
            try:
                return await asyncio.to_thread(cls._open, url, migrations)
            except NotReady as error:
                if waited > patience:
                    raise
                if not told:
                    told = True
                    log.warning("waiting for the database, at most %.0f s: %s", patience, error)
            await asyncio.sleep(PAUSE)

    @classmethod
    def _open(cls, url: str, migrations: Sequence[Migration]) -> Store:
        writing, reading = engines(url)
        try:
            with first_connection(writing) as connection, connection.begin():
                migrate(connection, migrations)
        except BaseException as error:
            writing.dispose()
            reading.dispose()
            if not isinstance(error, SQLAlchemyError | NotReady):
                raise
            where = writing.url.set(drivername=writing.dialect.name).render_as_string(hide_password=True)
            kind = NotReady if isinstance(error, NotReady) else StoreError
            raise kind(f"{where} cannot be opened: {plain(error)}") from None
        return cls(writing, reading)

    async def close(self) -> None:
        """Finish the queued writes, then close the database."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        if self._signals is not None:
            self._signals.close()
        self._writer.close()
        self._readers.shutdown()
        self._reading.dispose()
        self._writing.dispose()

    # --- other servers

    def listen(self, hear: Callable[[Signal | None], None]) -> None:
        """Call `hear` on the current event loop with each signal of another server; with None if some may be lost."""
        loop = asyncio.get_running_loop()
        self._hear = hear

        def arrive(signals: Sequence[Signal | None]) -> None:
            self._arrived.extend(signals)
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self.hear_arrived)

        self._signals = SignalThread(self._writing, self.server, arrive)

    def hear_arrived(self) -> None:
        """Hear the signals that have arrived, without waiting for their turn on the event loop."""
        while self._arrived:
            try:
                self._hear(self._arrived.popleft())
            except Exception:  # a mistake at one table must not reach the change of another
                log.exception("a signal cannot be followed")

    async def signal(self, signal: Signal) -> None:
        """Send a signal to the other servers."""
        if self.shared:
            await self._writer.write(lambda connection: notify(connection, signal))

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Do `work` in a transaction of the writer thread."""
        return await self._writer.write(work)

    async def versions(self, tables: Sequence[str]) -> dict[str, int]:
        """The versions of some tables."""
        values = {"ids": list(tables)}
        return await self._read(lambda connection: {row[0]: row[1] for row in connection.execute(_VERSIONS, values)})

    # --- clocks

    async def start_clock(self, clock: StartedClock) -> None:
        """Keep the start of a seat's clock, and tell the other servers. One server alone keeps it in memory only."""
        if not self.shared:
            return
        row, kept = to_row(clock), schema.clocks.c

        def work(connection: Connection) -> None:
            connection.execute(delete(schema.clocks).where(kept.table_id == clock.table, kept.seat == clock.seat))
            connection.execute(insert(schema.clocks), row)
            notify(connection, Signal("clock", self.server, clock.table, clock.seat))

        await self._writer.write(work)

    async def clocks(self, table_id: str) -> list[StartedClock]:
        """The clocks of a table that have been started."""
        query = select(schema.clocks).where(schema.clocks.c.table_id == table_id)
        return await self._read(lambda connection: _records(connection, StartedClock, query))

    # --- visitors

    async def add_visitor(self, visitor: Visitor) -> None:
        """Add a visitor. Raises StoreError if the id or the token exists already."""
        await self._add([visitor])

    async def visitor(self, id: str) -> Visitor | None:
        """The visitor with this id."""
        return await self._one(Visitor, id=id)

    async def visitor_by_token(self, token_hash: str) -> Visitor | None:
        """The visitor whose token has this hash."""
        return await self._one(Visitor, token_hash=token_hash)

    async def change_visitor(self, id: str, **changes: Any) -> None:
        """Change some fields of a visitor. Raises StoreError if there is no such visitor."""
        _check_fields(Visitor, changes, {"id"})
        row = to_row(changes)

        def work(connection: Connection) -> None:
            change = update(schema.visitors).where(schema.visitors.c.id == id).values(**row)
            if row and connection.execute(change).rowcount == 0:
                raise StoreError("there is no such visitor")

        await self._writer.write(work)

    # --- links

    async def add_links(self, links: Iterable[Link]) -> None:
        """Add links, all or none of them."""
        await self._add(list(links))

    async def link(self, secret_hash: str) -> Link | None:
        """The link whose secret has this hash, used or not."""
        return await self._one(Link, secret_hash=secret_hash)

    async def use_link(self, secret_hash: str, at: float) -> bool:
        """Mark a link as used. False if it was used before or does not exist. Atomic: only one caller gets True."""
        links = schema.links

        def work(connection: Connection) -> bool:
            change = update(links).where(links.c.secret_hash == secret_hash, links.c.used.is_(None)).values(used=at)
            return connection.execute(change).rowcount == 1

        return await self._writer.write(work)

    # --- tables

    async def add_table(self, table: Table, seats: Sequence[Seat], links: Sequence[Link] = ()) -> None:
        """Add a table with its seats and the links to it."""
        await self._add([table], list(seats), list(links))

    async def table(self, id: str) -> Table | None:
        """The table with this id."""
        return await self._one(Table, id=id)

    async def seats(self, table_id: str) -> list[Seat]:
        """The seats of a table, in their order."""
        query = select(schema.seats).where(schema.seats.c.table_id == table_id).order_by(schema.seats.c.seat)
        return await self._read(lambda connection: _records(connection, Seat, query))

    async def journal(self, table_id: str, after: int = 0) -> list[Entry]:
        """The entries of a table's journal with a version above `after`, in their order."""
        return await self._read(lambda connection: _journal(connection, table_id, after))

    async def news(self, table_id: str, after: int) -> tuple[Table, list[Seat], list[Entry]]:
        """A table, its seats, and the entries of its journal above `after`, all as of one moment. Raises StoreError."""
        chairs, kept = schema.seats, schema.tables

        def work(connection: Connection) -> tuple[Table, list[Seat], list[Entry]]:
            found = _records(connection, Table, select(kept).where(kept.c.id == table_id))
            if not found:
                raise StoreError(f"there is no table {table_id}")
            query = select(chairs).where(chairs.c.table_id == table_id).order_by(chairs.c.seat)
            return found[0], _records(connection, Seat, query), _journal(connection, table_id, after)

        return await self._read(work)

    async def record(
        self,
        table_id: str,
        entries: Sequence[Entry],
        *,
        changes: dict[str, Any] | None = None,
        seats: Sequence[Seat] = (),
        holder: str | None = None,
        following: tuple[Table, Sequence[Seat]] | None = None,
    ) -> None:
        """Append to a table's journal, change fields of the table, and replace seats, in one transaction.

        The first entry's version must follow the journal's last. Raises Conflict if the journal already has an entry of
        that version, because another server continued it, or an entry with one of the keys. `holder`: the server that
        takes the lease of a race which begins. `following`: a table to add, such as that of a rematch, and its seats.
        """
        changes = dict(changes or {})
        _check_fields(Table, changes, _FIXED)
        _check_entries(table_id, entries)
        if any(seat.table != table_id for seat in seats):
            raise ValueError("a seat of another table")
        if entries:
            changes["version"] = entries[-1].version
        appended: PlayRow | None = None
        row, lines, chairs = to_row(changes), [to_row(entry) for entry in entries], [to_row(seat) for seat in seats]
        expected = entries[0].version - 1 if entries else None
        play = None
        if len(entries) == 1 and entries[0].kind == "play" and changes.keys() == {"version", "turn"} and not seats:
            play = Play(entries[0], changes["turn"])
            if self.shared and following is None:
                signal = Signal("journal", self.server, table_id, play.entry.version, play=play)
                appended = PlayRow(lines[0], play.turn, signal)

        def work(connection: Connection) -> None:
            if appended is not None:
                _append_play(connection, appended.line, appended.turn)
                notify(connection, appended.signal)
                return
            _change_table(connection, table_id, row, expected)
            if lines:
                try:
                    connection.execute(_TO_JOURNAL, lines)
                except IntegrityError:
                    raise Conflict(f"table {table_id}: the journal knows the choice's key already") from None
            if chairs:
                taken = [chair["seat"] for chair in chairs]
                kept = schema.seats.c
                connection.execute(delete(schema.seats).where(kept.table_id == table_id, kept.seat.in_(taken)))
                connection.execute(insert(schema.seats), chairs)
            if following is not None:
                connection.execute(insert(schema.tables), to_row(following[0]))
                connection.execute(insert(schema.seats), [to_row(seat) for seat in following[1]])
            if self.shared and entries:
                self._tell_others(connection, entries[-1], play, holder, row.get("status"))

        await self._writer.write(work, appended)

    def _tell_others(
        self, connection: Connection, last: Entry, play: Play | None, holder: str | None, status: str | None
    ) -> None:
        """Signal new entries, and keep the lease of a race that begins or ends with this status."""
        leases, table_id = schema.leases, last.table
        if status is not None:
            connection.execute(delete(leases).where(leases.c.table_id == table_id))
        if holder is not None:
            connection.execute(insert(leases), {"table_id": table_id, "holder": holder})
        elif status == "running":
            notify(connection, Signal("free", self.server))
        notify(connection, Signal("journal", self.server, table_id, last.version, play=play))

    async def version_of_key(self, table_id: str, key: str) -> int | None:
        """The version of the entry with this idempotency key."""
        journal = schema.journal.c
        query = select(journal.version).where(journal.table_id == table_id, journal.key == key)
        return await self._read(lambda connection: connection.execute(query).scalar_one_or_none())

    async def open_tables(self, limit: int, offset: int = 0) -> list[Seated]:
        """Public tables with status "open", the newest first."""
        kept = schema.tables.c
        query = select(schema.tables).where(kept.status == "open", kept.watching == "all")
        return await self._list(query.order_by(kept.created.desc(), kept.id.desc()).limit(limit).offset(offset))

    async def running_tables(self) -> list[Seated]:
        """Every running race, public or not, the oldest first; without lessons, which wait for their person."""
        kept = schema.tables.c
        query = select(schema.tables).where(kept.status == "running", kept.lesson.is_(False))
        return await self._list(query.order_by(kept.created, kept.id))

    async def open_rematches(self) -> list[Seated]:
        """Rematches that wait to be accepted, the oldest first."""
        kept = schema.tables.c
        waiting = exists().where(schema.seats.c.table_id == kept.id, schema.seats.c.away)
        query = select(schema.tables).where(kept.status == "open", waiting)
        return await self._list(query.order_by(kept.created, kept.id))

    async def finished_tables(self, limit: int, offset: int = 0) -> list[Seated]:
        """Public races that are over, the latest first. Those from a position or a moment are not among them."""
        kept = schema.tables.c
        ordinary = (kept.status == "over", kept.watching == "all", kept.start.is_(None))
        query = select(schema.tables).where(*ordinary)
        return await self._list(query.order_by(kept.ended.desc(), kept.id.desc()).limit(limit).offset(offset))

    async def tables_of(self, visitor_id: str, limit: int) -> list[Seated]:
        """Tables that a visitor sits at, has left or has set up, without lessons: active first, then the newest."""
        return await self._list(_tables_of(), {"visitor": visitor_id, "most": limit})

    async def count_tables(self, host: str, since: float) -> int:
        """Number of tables that a visitor has set up since then."""
        kept = schema.tables.c
        query = select(func.count()).select_from(schema.tables).where(kept.host == host, kept.created >= since)
        return await self._read(lambda connection: connection.execute(query).scalar_one())

    # --- chat

    async def say(self, said: Said) -> int:
        """Add a chat line. Returns its number; if the key was used before, the number of that line."""
        row = to_row(said)
        kept = schema.chat.c

        def work(connection: Connection) -> int:
            if said.key is not None:
                known = select(kept.number).where(
                    kept.table_id == said.table, kept.visitor == said.visitor, kept.key == said.key
                )
                before = connection.execute(known).scalar_one_or_none()
                if before is not None:
                    return int(before)
            last = connection.execute(select(func.max(kept.number)).where(kept.table_id == said.table)).scalar_one()
            number = int(last or 0) + 1
            try:
                connection.execute(insert(schema.chat), {**row, "number": number})
            except IntegrityError as error:
                # Either another server added a line at the same time, or there is no such table.
                raise Clash from error
            if self.shared:
                notify(connection, Signal("chat", self.server, said.table, number))
            return number

        try:
            return await self._writer.write(work)
        except Clash:
            raise StoreError(f"table {said.table}: the line cannot be kept; there is no such table") from None

    async def chat(self, table_id: str, limit: int = 200, *, after: int = 0) -> list[Said]:
        """The last chat lines of a table with a number above `after`, in their order."""
        kept = schema.chat.c
        query = (
            select(schema.chat)
            .where(kept.table_id == table_id, kept.number > after)
            .order_by(kept.number.desc())
            .limit(limit)
        )
        return (await self._read(lambda connection: _records(connection, Said, query)))[::-1]

    # --- all races

    def every_race(self) -> Iterator[tuple[Table, list[Entry]]]:
        """Every table with its whole journal, ordered by id. Blocks. Each page of tables is read from one snapshot."""
        kept = schema.tables.c
        last = ""
        while True:
            query = select(schema.tables).where(kept.id > last).order_by(kept.id).limit(_PAGE)
            with self._reader() as connection:
                page = [(table, _journal(connection, table.id, 0)) for table in _records(connection, Table, query)]
            if not page:
                return
            yield from page
            last = page[-1][0].id

    # --- health

    async def ping(self) -> None:
        """Read one row at most. Raises StoreError if the database does not answer."""
        query = select(schema.tables.c.version).limit(1)  # SQLite answers `SELECT 1` without looking at the file
        await self._read(lambda connection: connection.execute(query).first())

    def report_to(self, instruments: Instrumentation) -> None:
        """Report the duration of each transaction."""
        self._writer.instruments = instruments

    # --- threads

    async def _read(self, work: Callable[[Connection], T]) -> T:
        def in_thread() -> T:
            with self._reader() as connection:
                return work(connection)

        try:
            reading = asyncio.get_running_loop().run_in_executor(self._readers, in_thread)
        except RuntimeError:  # the executor is shut down
            raise StoreError("the store is closed") from None
        async with self._outage.awaited("read"):
            return await reading

    @contextmanager
    def _reader(self) -> Iterator[Connection]:
        """A connection for reading. Turns errors of the database into StoreError."""
        try:
            with self._reading.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            if is_outage(error):
                self._outage.failed("read", error)
            raise refused(error) from error
        self._outage.worked("read")

    async def _one(self, kind: type[R], **values: str) -> R | None:
        query = _with_values(kind, tuple(values))
        found = await self._read(lambda connection: _records(connection, kind, query, values))
        return found[0] if found else None

    async def _list(self, query: Select[Any], values: dict[str, Any] | None = None) -> list[Seated]:
        def work(connection: Connection) -> list[Seated]:
            found = _records(connection, Table, query, values)
            seats: dict[str, list[Seat]] = {table.id: [] for table in found}
            names = list(seats)
            for start in range(0, len(names), _PAGE):
                for seat in _records(connection, Seat, _SEATS_OF, {"ids": names[start : start + _PAGE]}):
                    seats[seat.table].append(seat)
            return [(table, seats[table.id]) for table in found]

        return await self._read(work)

    async def _add(self, *groups: Sequence[msgspec.Struct]) -> None:
        rows = [(sql_table(type(group[0])), [to_row(record) for record in group]) for group in groups if group]

        def work(connection: Connection) -> None:
            for place, values in rows:
                connection.execute(insert(place), values)

        await self._writer.write(work)


def _records(
    connection: Connection, kind: type[R], query: Select[Any], values: dict[str, Any] | None = None
) -> list[R]:
    return [from_row(kind, row) for row in connection.execute(query, values).mappings()]


def _journal(connection: Connection, table_id: str, after: int) -> list[Entry]:
    kept = schema.journal.c
    query = select(schema.journal).where(kept.table_id == table_id, kept.version > after).order_by(kept.version)
    return _records(connection, Entry, query)


def _change_table(connection: Connection, table_id: str, row: dict[str, Any], expected: int | None) -> None:
    """Change a table's row, if it has the expected version. Raises Declined if it has another one."""
    if row:
        values = {**row, "_table": table_id, "_expected": expected}
        if expected is None:
            del values["_expected"]
        if connection.execute(_table_change(tuple(row), expected is not None), values).rowcount == 1:
            return
    _check_version(connection, table_id, expected)


def _append_play(connection: Connection, line: dict[str, Any], turn: int) -> None:
    """Append a choice that changes nothing but the table's turn, by one statement. For PostgreSQL.

    Raises Declined if the table has another version or does not exist, and Conflict if the journal has the key already.
    """
    try:
        if connection.exec_driver_sql(_APPEND_PLAY, {**line, "turn": turn}).rowcount != 1:
            raise Declined(Conflict(f"table {line['table_id']}: the journal does not stand at the version before"))
    except IntegrityError:
        raise Conflict(f"table {line['table_id']}: the journal knows the choice's key already") from None


def _check_version(connection: Connection, table_id: str, expected: int | None) -> None:
    """Raise StoreError if there is no such table, and Declined if it has not the expected version."""
    version = connection.execute(select(schema.tables.c.version).filter_by(id=table_id)).scalar_one_or_none()
    if version is None:
        raise StoreError(f"there is no table {table_id}")
    if expected is not None and version != expected:
        raise Declined(Conflict(f"table {table_id}: the journal stands at version {version}, not at {expected}"))


# Building a statement takes longer than executing it, and leaves reference cycles for the garbage collection. Those
# used for every choice or request are built once.

_TO_JOURNAL = insert(schema.journal)
_SEATS_OF = (
    select(schema.seats)
    .where(schema.seats.c.table_id.in_(bindparam("ids", expanding=True)))
    .order_by(schema.seats.c.seat)
)
_VERSIONS = select(schema.tables.c.id, schema.tables.c.version).where(
    schema.tables.c.id.in_(bindparam("ids", expanding=True))
)
_APPEND_PLAY = """
WITH changed AS (
    UPDATE tables SET version = %(version)s, turn = %(turn)s WHERE id = %(table_id)s AND version = %(version)s - 1
    RETURNING id
)
INSERT INTO journal (table_id, version, kind, seat, actions, key, hash, at)
SELECT id, %(version)s::bigint, %(kind)s::text, %(seat)s::integer, %(actions)s::text, %(key)s::text, %(hash)s::text,
    %(at)s::double precision
FROM changed
"""


@cache
def _with_values(kind: type[msgspec.Struct], names: tuple[str, ...]) -> Select[Any]:
    """The records of a kind whose fields of these names have the values that are given when it is executed."""
    place = sql_table(kind)
    return select(place).where(*(place.c[name] == bindparam(name) for name in names))


@cache
def _tables_of() -> Select[Any]:
    """The tables of `visitor`, at most `most`."""
    kept, chairs = schema.tables.c, schema.seats.c
    visitor: BindParameter[str] = bindparam("visitor")
    sitting = select(chairs.table_id.label("id")).where((chairs.visitor == visitor) | (chairs.left_by == visitor))
    mine: Subquery = union(sitting, select(kept.id).where(kept.host == visitor)).subquery()
    query = select(schema.tables).join(mine, mine.c.id == kept.id).where(kept.lesson.is_(False))
    ended = kept.status.in_(("over", "left"))
    return query.order_by(ended, kept.created.desc(), kept.id.desc()).limit(bindparam("most"))


@lru_cache(maxsize=256)
def _table_change(names: tuple[str, ...], versioned: bool) -> Update:
    kept = schema.tables.c
    change = update(schema.tables).where(kept.id == bindparam("_table"))
    if versioned:
        change = change.where(kept.version == bindparam("_expected"))
    return change.values({name: bindparam(name) for name in names})


def _check_fields(kind: type[msgspec.Struct], changes: dict[str, Any], fixed: set[str]) -> None:
    unknown = set(changes) - (set(kind.__struct_fields__) - fixed)
    if unknown:
        raise ValueError(f"{kind.__name__}: {', '.join(sorted(unknown))} cannot be changed")


def _check_entries(table_id: str, entries: Sequence[Entry]) -> None:
    if not entries:
        return
    wanted = range(entries[0].version, entries[0].version + len(entries))
    if entries[0].version < 1 or [entry.version for entry in entries] != list(wanted):
        raise ValueError("the entries' versions do not follow each other")
    if any(entry.table != table_id for entry in entries):
        raise ValueError("an entry of another table")
