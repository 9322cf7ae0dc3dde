"""Schema migrations: an ordered list of steps, each from one version to the next.

A step is never changed once a database may have run it. It is written in SQL that both databases understand, and does
not use `schema.py`, so that later changes there do not change it.

Servers of two versions of Spina may share a database during an upgrade, so steps expand the schema first: they add
tables, indexes, and columns that have a default or may be null, and older servers go on working. A step that takes
something away contracts it (`@contracts`): it is run when no older server is left, and older ones refuse the database.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import Connection, inspect, text

from spina.errors import StoreError
from spina.table.store.databases import NOW

Migration = Callable[[Connection], None]

_LOCK = 0x5350494E41
"""Key of the advisory lock for migrations of a PostgreSQL database: "SPINA" in ASCII."""


def _execute_all(connection: Connection, script: str) -> None:
    """Execute the statements of a script, which are separated by semicolons."""
    for statement in script.split(";"):
        if statement.strip():
            connection.execute(text(statement))


def _initial(connection: Connection) -> None:
    _execute_all(connection, _INITIAL)


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


def _servers(connection: Connection) -> None:
    _execute_all(connection, _SERVERS)


_SERVERS = """
CREATE TABLE servers (
    id TEXT NOT NULL PRIMARY KEY,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    url TEXT,
    thinks BOOLEAN NOT NULL,
    schema INTEGER NOT NULL,
    since DOUBLE PRECISION NOT NULL,
    expires DOUBLE PRECISION NOT NULL,
    load INTEGER NOT NULL
);
CREATE TABLE leases (
    table_id TEXT NOT NULL PRIMARY KEY REFERENCES tables (id),
    holder TEXT NOT NULL
);
CREATE INDEX leases_by_holder ON leases (holder);
CREATE TABLE clocks (
    table_id TEXT NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    since BIGINT NOT NULL,
    starts DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (table_id, seat)
);
CREATE TABLE questions (
    id TEXT NOT NULL PRIMARY KEY,
    table_id TEXT NOT NULL,
    leisurely BOOLEAN NOT NULL,
    body TEXT NOT NULL,
    asked DOUBLE PRECISION NOT NULL,
    taken DOUBLE PRECISION,
    answer TEXT
)
"""


def _asking_addresses(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE questions ADD COLUMN address TEXT"))


MIGRATIONS: tuple[Migration, ...] = (
    _initial,
    _hints,
    _start,
    _colours,
    _lessons,
    _left_by,
    _servers,
    _asking_addresses,
)
"""The first turns an empty database into version 1, the second turns version 1 into version 2, and so on."""


def contracts(step: Migration) -> Migration:
    """Mark a step after which servers that do not know it cannot use the database."""
    step.contracts = True  # type: ignore[attr-defined]
    return step


def migrate(connection: Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Migrate the database to the newest version, inside the transaction that the connection has begun.

    Two servers may do this at once: on PostgreSQL the second waits for the advisory lock, on SQLite for the write lock.
    Raises StoreError for a database that a newer Spina has contracted, for one of another program, and if a step would
    take away what running servers of an older version need.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    version, oldest = _version(connection)
    if oldest > len(migrations):
        raise StoreError(
            f"the database has version {version} of the schema, and this Spina knows versions up to "
            f"{len(migrations)}: a newer one has changed it, which is needed to open it"
        )
    for number, migration in enumerate(migrations[version:], start=version + 1):
        if getattr(migration, "contracts", False):
            if number > 1:
                _check_servers(connection, number)
            oldest = number
        migration(connection)
    if version < len(migrations):
        for name, value in (("schema", len(migrations)), ("oldest", oldest)):
            connection.execute(text("DELETE FROM meta WHERE name = :name"), {"name": name})
            connection.execute(
                text("INSERT INTO meta (name, value) VALUES (:name, :value)"), {"name": name, "value": str(value)}
            )


def _check_servers(connection: Connection, version: int) -> None:
    """Raise StoreError if a server that does not know this version of the schema uses the database."""
    if not inspect(connection).has_table("servers"):
        return
    now = NOW if connection.dialect.name == "postgresql" else "0"
    query = text(f"SELECT host, pid FROM servers WHERE expires > {now} AND schema < :version")
    older = [f"{host} (process {pid})" for host, pid in connection.execute(query, {"version": version})]
    if older:
        raise StoreError(
            f"servers of an older version use the database, and version {version} of its schema would break them: "
            f"upgrade or stop them first: {', '.join(older)}"
        )


def _version(connection: Connection) -> tuple[int, int]:
    """The schema's version, and the oldest version that a server must know; 0 for an empty database.

    In an empty database this creates the table for the versions. A database from before version 7 names no oldest
    version: its servers know all of its versions.
    """
    present = set(inspect(connection).get_table_names())
    if "meta" in present:
        kept = {str(name): str(value) for name, value in connection.execute(text("SELECT name, value FROM meta"))}
        if kept.get("program") != "spina" or not kept.get("schema", "").isdecimal():
            raise StoreError("the database belongs to another program: it has a table “meta” that is not Spina's")
        return int(kept["schema"]), int(kept.get("oldest", kept["schema"]))
    if present:
        raise StoreError(f"the database belongs to another program: it has tables already ({_some(present)})")
    connection.execute(text("CREATE TABLE meta (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)"))
    connection.execute(text("INSERT INTO meta (name, value) VALUES ('program', 'spina'), ('schema', '0')"))
    return 0, 0


def _some(names: set[str]) -> str:
    first = sorted(names)[:3]
    return ", ".join(first) + (", …" if len(names) > len(first) else "")
