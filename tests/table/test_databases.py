"""Opening databases: new ones, older ones, newer ones, two servers at once, and what is no database of ours."""

from __future__ import annotations

import asyncio
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from postgres_server import PostgresServer
from records_helpers import a_table, an_entry, some_seats
from sqlalchemy import Connection, Engine, MetaData, text

from spina.errors import StoreError
from spina.table.store import schema
from spina.table.store.databases import engines
from spina.table.store.journal_store import Store
from spina.table.store.leases import Leases
from spina.table.store.migrations import MIGRATIONS, contracts


def connect(url: str) -> Engine:
    """An engine for the test's own statements."""
    writing, reading = engines(url)
    reading.dispose()
    return writing


def refusal(url: str) -> str:
    with pytest.raises(StoreError) as refused:
        asyncio.run(Store.open(url))
    return str(refused.value)


# --- versions


def test_the_migrations_make_what_the_store_speaks_to(store: Store) -> None:
    found = MetaData()
    with store._reading.connect() as connection:
        found.reflect(connection)
    assert set(found.tables) == set(schema.metadata.tables)
    for name, expected in schema.metadata.tables.items():
        there = found.tables[name]
        assert [column.name for column in there.columns] == [column.name for column in expected.columns], name
        for column in expected.columns:
            other = there.columns[column.name]
            assert (other.nullable, other.primary_key) == (column.nullable, column.primary_key), f"{name}.{column.name}"
            assert other.type._type_affinity is column.type._type_affinity, f"{name}.{column.name}"


def note_weather(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE tables ADD COLUMN weather TEXT"))
    connection.execute(text("UPDATE tables SET weather = 'fair on ' || id"))


def name_it_better(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE tables RENAME COLUMN weather TO sky"))


def test_a_database_of_an_older_version_is_migrated_with_its_data(database: str) -> None:
    async def before() -> None:
        store = await Store.open(database)
        await store.add_table(a_table(), some_seats())
        await store.record("roma", [an_entry(1)])
        await store.close()

    async def later() -> None:
        store = await Store.open(database, migrations=[*MIGRATIONS, note_weather, name_it_better])
        assert await store.table("roma") == a_table(version=1)
        assert await store.journal("roma") == [an_entry(1)]
        with store._reading.connect() as connection:
            assert connection.execute(text("SELECT sky FROM tables")).scalar_one() == "fair on roma"
            kept = connection.execute(text("SELECT value FROM meta WHERE name = 'schema'")).scalar_one()
            assert int(kept) == len(MIGRATIONS) + 2
        await store.close()

    asyncio.run(before())
    asyncio.run(later())
    asyncio.run(later())  # nothing is done twice


def test_tables_from_before_there_were_hints_have_none(database: str) -> None:
    known = [column.name for column in schema.tables.columns if column.name not in ("hints", "start", "lesson")]
    row = {name: value for name, value in schema.to_row(a_table()).items() if name in known}

    async def before() -> None:
        store = await Store.open(database, migrations=MIGRATIONS[:1])
        with store._writing.begin() as connection:
            names, values = ", ".join(known), ", ".join(f":{name}" for name in known)
            connection.execute(text(f"INSERT INTO tables ({names}) VALUES ({values})"), row)
        await store.close()

    async def later() -> None:
        store = await Store.open(database)
        assert await store.table("roma") == a_table(hints=False)
        await store.close()

    asyncio.run(before())
    asyncio.run(later())


def test_a_migration_that_fails_leaves_the_database_as_it_was(database: str) -> None:
    def fail(connection: Connection) -> None:
        note_weather(connection)
        raise StoreError("the migration failed")

    async def go() -> None:
        await (await Store.open(database)).close()
        with pytest.raises(StoreError, match="the migration failed"):
            await Store.open(database, migrations=[*MIGRATIONS, fail])
        store = await Store.open(database, migrations=[*MIGRATIONS, note_weather])
        await store.close()

    asyncio.run(go())


def test_a_database_that_a_newer_version_has_only_expanded_can_be_used(database: str) -> None:
    """Servers of two versions share a database during an upgrade."""
    asyncio.run(asyncio.run(Store.open(database, migrations=[*MIGRATIONS, note_weather])).close())

    async def older() -> None:
        store = await Store.open(database)
        await store.add_table(a_table(), some_seats())
        assert await store.table("roma") == a_table()
        await store.close()

    asyncio.run(older())
    asyncio.run(asyncio.run(Store.open(database, migrations=[*MIGRATIONS, note_weather])).close())  # still migrated


def test_a_database_that_a_newer_version_has_contracted_is_refused_and_left_alone(database: str) -> None:
    newer = [*MIGRATIONS, note_weather, contracts(lambda connection: name_it_better(connection))]
    asyncio.run(asyncio.run(Store.open(database, migrations=newer)).close())
    said = refusal(database)
    assert f"version {len(MIGRATIONS) + 2} of the schema" in said
    assert "newer" in said


def test_nothing_is_taken_away_from_a_server_that_runs(postgres_url: str) -> None:
    """A step that contracts the schema waits until no older server is left."""
    newer = [*MIGRATIONS, contracts(lambda connection: note_weather(connection))]

    async def go() -> None:
        older = await Store.open(postgres_url)
        leases = Leases(older, thinks=True)
        await leases.enter()
        with pytest.raises(StoreError, match=rf"upgrade or stop them first: .*\(process {os.getpid()}\)"):
            await Store.open(postgres_url, migrations=newer)
        await leases.leave()
        await (await Store.open(postgres_url, migrations=newer)).close()
        await older.close()

    asyncio.run(go())


def test_two_servers_may_open_an_empty_database_at_once(database: str) -> None:
    start = threading.Barrier(8)
    failures: list[BaseException] = []

    def server(number: int) -> None:
        async def go() -> None:
            store = await Store.open(database)
            await store.add_table(a_table(f"t{number}"), [])
            await store.close()

        start.wait()
        try:
            asyncio.run(go())
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=server, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    store = asyncio.run(Store.open(database))
    assert len(list(store.every_race())) == 8
    asyncio.run(store.close())


# --- what is no database of ours


def test_a_database_of_another_program_is_refused(database: str) -> None:
    engine = connect(database)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE recipes (name TEXT)"))
    engine.dispose()
    assert "another program" in refusal(database)
    assert "recipes" in refusal(database)


def test_a_foreign_table_of_the_same_name_is_refused(database: str) -> None:
    engine = connect(database)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE meta (name TEXT, value TEXT)"))
    engine.dispose()
    assert "another program" in refusal(database)


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Livia, " * 200)
    said = refusal(f"sqlite:///{path}")
    assert "letter.txt" in said
    assert "not a database" in said
    assert path.read_text() == "Dear Livia, " * 200


def test_a_folder_or_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    assert "is a folder" in refusal(f"sqlite:///{tmp_path}")
    (tmp_path / "file").touch()
    assert "cannot be made" in refusal(f"sqlite:///{tmp_path / 'file' / 'spina.db'}")


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("", "no database URL"),
        ("spina.db", "no database URL"),
        ("postgresql://host:port/x", "no database URL"),
        ("mysql://host/x", "not in mysql"),
        ("sqlite+aiosqlite:///x.db", "not in sqlite+aiosqlite"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
    ],
)
def test_a_bad_address_is_explained(url: str, says: str) -> None:
    assert says in refusal(url)


def test_a_server_that_does_not_answer_is_named_without_its_password() -> None:
    said = refusal("postgresql://gaius:sesame@127.0.0.1:1/spina")
    assert "127.0.0.1" in said
    assert "cannot be opened" in said
    assert "sesame" not in said


def test_a_database_that_the_server_does_not_have_is_named(postgres: PostgresServer) -> None:
    assert "carthage" in refusal(postgres.url("carthage"))


def test_postgres_as_a_scheme_is_understood_too(postgres_url: str) -> None:
    asyncio.run(asyncio.run(Store.open(postgres_url.replace("postgresql:", "postgres:"))).close())


# --- the file


def test_the_file_and_its_folder_are_for_nobody_else(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "spina.db"
    store = asyncio.run(Store.open(f"sqlite:///{path}"))
    asyncio.run(store.add_table(a_table(), []))
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert modes == {"spina.db": 0o600, "spina.db-wal": 0o600, "spina.db-shm": 0o600}
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700
    asyncio.run(store.close())
    assert [file.name for file in path.parent.iterdir()] == ["spina.db"]


def test_sqlite_writes_ahead_and_waits_for_the_disk(sqlite_url: str) -> None:
    store = asyncio.run(Store.open(sqlite_url))

    def settings(connection: Connection) -> dict[str, object]:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        return {name: connection.execute(text(f"PRAGMA {name}")).scalar_one() for name in names}

    full = 2
    found = asyncio.run(store._writer.write(settings))
    assert found == {"journal_mode": "wal", "synchronous": full, "foreign_keys": 1, "busy_timeout": 10_000}
    asyncio.run(store.close())


@pytest.mark.slow
def test_the_store_works_without_the_driver_for_postgresql(sqlite_url: str) -> None:
    script = f"""
import asyncio, sys
sys.modules["psycopg"] = None
from spina.errors import StoreError
from spina.table.store.journal_store import Store
asyncio.run(asyncio.run(Store.open({sqlite_url!r})).close())
try:
    asyncio.run(Store.open("postgresql://localhost/spina"))
except StoreError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert "spina[postgres]" in done.stdout, done.stderr
