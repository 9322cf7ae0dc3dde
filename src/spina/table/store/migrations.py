"""Schema migrations: an ordered list of steps, each from one version to the next.

A step is never changed once a database may have run it. It is written in SQL that both databases understand, and does
not use `schema.py`, so that later changes there do not change it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import Connection, inspect, text

from spina.errors import StoreError

Migration = Callable[[Connection], None]

_LOCK = 0x5350494E41
"""Key of the advisory lock for migrations of a PostgreSQL database: "SPINA" in ASCII."""


def _initial(connection: Connection) -> None:
    for statement in _INITIAL.split(";"):
        if statement.strip():
            connection.execute(text(statement))


_INITIAL = """
CREATE TABLE visitors (
    id TEXT NOT NULL PRIMARY KEY,
    token_hash TEXT NOT NULL,
    name TEXT NOT NULL,
    colour INTEGER NOT NULL,
    language TEXT,
    created DOUBLE PRECISION NOT NULL,
    seen DOUBLE PRECISION NOT NULL
);
CREATE UNIQUE INDEX visitors_by_token ON visitors (token_hash);

CREATE TABLE tables (
    id TEXT NOT NULL PRIMARY KEY,
    game TEXT NOT NULL,
    rules INTEGER NOT NULL,
    seats INTEGER NOT NULL,
    options TEXT NOT NULL,
    edition TEXT NOT NULL,
    edition_text TEXT,
    seed TEXT NOT NULL,
    salt TEXT NOT NULL,
    commitment TEXT NOT NULL,
    clock INTEGER,
    watching TEXT NOT NULL,
    first BOOLEAN NOT NULL,
    status TEXT NOT NULL,
    host TEXT NOT NULL,
    created DOUBLE PRECISION NOT NULL,
    started DOUBLE PRECISION,
    ended DOUBLE PRECISION,
    version BIGINT NOT NULL,
    turn INTEGER NOT NULL,
    ranking TEXT,
    rematch TEXT
);
CREATE INDEX tables_by_creation ON tables (status, watching, created, id);
CREATE INDEX tables_by_end ON tables (status, watching, ended, id);
CREATE INDEX tables_by_host ON tables (host, created);

CREATE TABLE seats (
    table_id TEXT NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    kind TEXT NOT NULL,
    visitor TEXT,
    name TEXT NOT NULL,
    bot TEXT,
    away BOOLEAN NOT NULL,
    PRIMARY KEY (table_id, seat)
);
CREATE INDEX seats_by_visitor ON seats (visitor);

CREATE TABLE journal (
    table_id TEXT NOT NULL REFERENCES tables (id),
    version BIGINT NOT NULL,
    kind TEXT NOT NULL,
    seat INTEGER,
    actions TEXT NOT NULL,
    key TEXT,
    hash TEXT,
    at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (table_id, version)
);
CREATE UNIQUE INDEX journal_by_key ON journal (table_id, key);

CREATE TABLE chat (
    table_id TEXT NOT NULL REFERENCES tables (id),
    number BIGINT NOT NULL,
    visitor TEXT NOT NULL,
    name TEXT NOT NULL,
    seat INTEGER,
    text TEXT NOT NULL,
    key TEXT,
    at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (table_id, number)
);
CREATE UNIQUE INDEX chat_by_key ON chat (table_id, visitor, key);

CREATE TABLE links (
    secret_hash TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    table_id TEXT REFERENCES tables (id),
    seat INTEGER,
    visitor TEXT,
    created DOUBLE PRECISION NOT NULL,
    used DOUBLE PRECISION
);
"""


def _hints(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE tables ADD COLUMN hints BOOLEAN NOT NULL DEFAULT FALSE"))


def _start(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE tables ADD COLUMN start TEXT"))


def _colours(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE seats ADD COLUMN colour INTEGER"))


def _lessons(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE tables ADD COLUMN lesson BOOLEAN NOT NULL DEFAULT FALSE"))


def _left_by(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE seats ADD COLUMN left_by TEXT"))
    connection.execute(text("CREATE INDEX seats_by_leaver ON seats (left_by)"))


MIGRATIONS: tuple[Migration, ...] = (_initial, _hints, _start, _colours, _lessons, _left_by)
"""The first turns an empty database into version 1, the second turns version 1 into version 2, and so on."""


def migrate(connection: Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Migrate the database to the newest version, inside the transaction that the connection has begun.

    Two servers may do this at once: on PostgreSQL the second waits for the advisory lock, on SQLite for the write lock.
    Raises StoreError for a database of a newer version, and for one of another program.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    version = _version(connection)
    if version > len(migrations):
        raise StoreError(
            f"the database has version {version} of the schema, and this Spina knows versions up to "
            f"{len(migrations)}: it was written by a newer one, which is needed to open it"
        )
    for migration in migrations[version:]:
        migration(connection)
    if version < len(migrations):
        change = text("UPDATE meta SET value = :value WHERE name = 'schema'")
        connection.execute(change, {"value": str(len(migrations))})


def _version(connection: Connection) -> int:
    """The schema's version; 0 for an empty database, in which this creates the table for the version."""
    present = set(inspect(connection).get_table_names())
    if "meta" in present:
        kept = {str(name): str(value) for name, value in connection.execute(text("SELECT name, value FROM meta"))}
        if kept.get("program") != "spina" or not kept.get("schema", "").isdecimal():
            raise StoreError("the database belongs to another program: it has a table “meta” that is not Spina's")
        return int(kept["schema"])
    if present:
        raise StoreError(f"the database belongs to another program: it has tables already ({_some(present)})")
    connection.execute(text("CREATE TABLE meta (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)"))
    connection.execute(text("INSERT INTO meta (name, value) VALUES ('program', 'spina'), ('schema', '0')"))
    return 0


def _some(names: set[str]) -> str:
    first = sorted(names)[:3]
    return ", ".join(first) + (", …" if len(names) > len(first) else "")
