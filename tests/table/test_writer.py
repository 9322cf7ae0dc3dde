"""The thread that writes: order, commits shared by many, failures that stay alone, lost connections, and a kill."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from postgres_server import PostgresServer
from records_helpers import a_line, a_table, a_visitor, an_entry, some_seats
from sqlalchemy import Connection, event, text

from spina.errors import Conflict, StoreError
from spina.table.store.journal_store import Store


def commits(store: Store) -> list[int]:
    """A list that grows with every commit of the thread that writes."""
    seen: list[int] = []
    event.listen(store._writing, "commit", lambda _: seen.append(1))
    return seen


async def gathered(*works: Coroutine[Any, Any, Any]) -> list[Any]:
    return await asyncio.gather(*works, return_exceptions=True)


def test_many_tables_are_written_at_once_and_nothing_is_lost(store: Store) -> None:
    async def race(id: str) -> None:
        await store.add_table(a_table(id), some_seats(id))
        for version in range(1, 31):
            await store.record(id, [an_entry(version, id, key=f"key {version}")], changes={"turn": version})
            assert (await store.journal(id))[-1].version == version

    async def go() -> None:
        await asyncio.gather(*(race(f"t{number}") for number in range(20)))

    asyncio.run(go())
    found = list(store.every_race())
    assert len(found) == 20
    for table, journal in found:
        assert (table.version, table.turn) == (30, 30)
        assert [entry.version for entry in journal] == list(range(1, 31))


def test_writes_are_done_in_the_order_of_their_calls_and_share_commits(store: Store) -> None:
    asyncio.run(store.add_table(a_table(), some_seats()))
    seen = commits(store)
    told: list[int] = []

    async def write(version: int) -> None:
        await store.record("roma", [an_entry(version)])
        told.append(version)

    async def go() -> None:
        await asyncio.gather(*(write(version) for version in range(1, 301)))

    asyncio.run(go())
    assert told == list(range(1, 301))  # any other order would have been a conflict
    assert 1 <= len(seen) < 100


def test_a_failing_write_fails_alone(store: Store) -> None:
    def broken(_: Connection) -> None:
        raise KeyError("a mistake in the program")

    def wrong(connection: Connection) -> None:
        connection.execute(text("INSERT INTO seats (table_id, seat) VALUES ('nowhere', 1)"))

    def half(connection: Connection) -> None:
        connection.execute(text("UPDATE tables SET turn = 99"))
        raise StoreError("changed its mind")

    async def go() -> list[Any]:
        await store.add_table(a_table(), some_seats())
        return await gathered(
            store.record("roma", [an_entry(1)]),
            store._writer.write(broken),
            store.record("roma", [an_entry(1, actions=["too late"])]),
            store._writer.write(wrong),
            store._writer.write(half),
            store.record("roma", [an_entry(2)]),
            store.add_visitor(a_visitor()),
            store.add_visitor(a_visitor()),
        )

    results = asyncio.run(go())
    assert [type(result) for result in results] == [
        type(None),
        KeyError,
        Conflict,
        StoreError,
        StoreError,
        type(None),
        type(None),
        StoreError,
    ]
    assert asyncio.run(store.journal("roma")) == [an_entry(1), an_entry(2)]
    assert asyncio.run(store.table("roma")) == a_table(version=2)


def test_an_error_says_nothing_of_the_values(store: Store) -> None:
    async def go() -> list[Any]:
        await store.add_table(a_table(seed=123456789123), [])
        return await gathered(store.add_table(a_table(seed=123456789123, salt="pepper"), []))

    (error,) = asyncio.run(go())
    assert isinstance(error, StoreError)
    assert "123456789123" not in str(error)
    assert "pepper" not in str(error)


def test_nothing_is_told_before_the_commit(store: Store) -> None:
    asyncio.run(store.add_table(a_table(), []))
    order: list[str] = []
    event.listen(store._writing, "commit", lambda _: order.append("commit"))

    async def go() -> None:
        await store.record("roma", [an_entry(1)])
        order.append("told")

    asyncio.run(go())
    assert order == ["commit", "told"]


def test_a_commit_that_fails_is_an_error_for_everybody_in_it_and_the_next_one_works(store: Store) -> None:
    asyncio.run(store.add_table(a_table(), []))

    def no_disk(_: Connection) -> None:
        raise OSError("no space left on device")

    async def go() -> list[Any]:
        return await gathered(*(store.record("roma", [an_entry(version)]) for version in (1, 2, 3)))

    event.listen(store._writing, "commit", no_disk)
    failed = asyncio.run(go())
    event.remove(store._writing, "commit", no_disk)
    assert [str(error) for error in failed] == ["the database did not take it: no space left on device"] * 3
    assert len({id(error) for error in failed}) == 3
    assert asyncio.run(store.journal("roma")) == []
    assert asyncio.run(go()) == [None, None, None]


def test_a_full_disk_takes_nothing_that_was_acknowledged(sqlite_url: str) -> None:
    def leave_room(pages: int) -> Callable[[Connection], None]:
        def work(connection: Connection) -> None:
            used = connection.execute(text("PRAGMA page_count")).scalar_one()
            connection.execute(text(f"PRAGMA max_page_count={used + pages}"))

        return work

    async def go() -> None:
        store = await Store.open(sqlite_url)
        await store.add_table(a_table(), [])
        await store._writer.write(leave_room(60))
        lines = [a_line(f"{number} " + "Io! " * 5000, key=f"{number}") for number in range(40)]
        results = await gathered(*(store.say(line) for line in lines))
        failed = [result for result in results if isinstance(result, StoreError)]
        assert failed and all("full" in str(error) for error in failed)
        kept = {said.key for said in await store.chat("roma")}
        assert kept == {f"{number}" for number, result in enumerate(results) if isinstance(result, int)}
        # A connection that was lost over it has forgotten the limit, one that was not is told.
        await store._writer.write(leave_room(10_000))
        assert await store.say(a_line("room again")) == len(kept) + 1
        await store.close()

    asyncio.run(go())


def test_a_caller_who_is_cancelled_stops_nobody(store: Store) -> None:
    async def go() -> None:
        await store.add_table(a_table(), [])
        writing = asyncio.create_task(store.record("roma", [an_entry(1)]))
        await asyncio.sleep(0)
        writing.cancel()
        await store.record("roma", [an_entry(2)])

    asyncio.run(go())
    assert asyncio.run(store.journal("roma")) == [an_entry(1), an_entry(2)]


def test_a_loop_that_is_gone_stops_nobody(store: Store) -> None:
    asyncio.run(store.add_table(a_table(), []))
    loop = asyncio.new_event_loop()
    task = loop.create_task(store.record("roma", [an_entry(1)]))
    loop.run_until_complete(asyncio.sleep(0))
    task.cancel()
    loop.run_until_complete(gathered(task))
    loop.close()
    asyncio.run(store.record("roma", [an_entry(2)]))
    assert len(asyncio.run(store.journal("roma"))) == 2


def test_closing_finishes_what_was_asked_for(database: str) -> None:
    async def go() -> list[Any]:
        store = await Store.open(database)
        await store.add_table(a_table(), [])
        writes = [asyncio.create_task(store.record("roma", [an_entry(version)])) for version in range(1, 51)]
        await asyncio.sleep(0)
        await store.close()
        results = await gathered(*writes)
        with pytest.raises(StoreError, match="closed"):
            await store.record("roma", [an_entry(51)])
        with pytest.raises(StoreError, match="closed"):
            await store.table("roma")
        await store.close()  # twice does no harm
        return results

    assert asyncio.run(go()) == [None] * 50


def test_a_second_server_that_goes_on_with_a_journal_gets_a_conflict(database: str) -> None:
    async def server(store: Store, mine: str, kept: list[str]) -> None:
        version = 1
        while version <= 60:
            try:
                await store.record("roma", [an_entry(version, actions=[f"{mine} {version}"])])
                kept.append(f"{mine} {version}")
            except Conflict:
                pass
            version = (await store.journal("roma"))[-1].version + 1

    async def go() -> None:
        one, other = await Store.open(database), await Store.open(database)
        await one.add_table(a_table(), [])
        kept: list[str] = []
        await asyncio.gather(server(one, "one", kept), server(other, "other", kept))
        journal = await one.journal("roma")
        assert [entry.version for entry in journal] == list(range(1, len(journal) + 1))
        assert sorted(entry.actions[0] for entry in journal) == sorted(kept)
        await one.close()
        await other.close()

    asyncio.run(go())


def test_a_conflict_does_not_make_the_rest_of_its_batch_be_done_again(store: Store) -> None:
    tables = [f"t{number}" for number in range(20)]
    statements: list[str] = []

    async def go() -> None:
        for table in tables:
            await store.add_table(a_table(table), some_seats(table))
        await store.record("t7", [an_entry(1, "t7")], changes={"turn": 1})
        event.listen(store._writing, "before_cursor_execute", lambda *given: statements.append(given[2]))
        found = await gathered(*(store.record(table, [an_entry(1, table)], changes={"turn": 1}) for table in tables))
        assert [table for table, result in zip(tables, found, strict=True) if isinstance(result, Conflict)] == ["t7"]
        assert found.count(None) == 19
        for table in tables:
            assert [entry.version for entry in await store.journal(table)] == [1]

    asyncio.run(go())
    assert not [statement for statement in statements if "SAVEPOINT" in statement]


def test_two_servers_chat_at_one_table(database: str) -> None:
    async def go() -> None:
        one, other = await Store.open(database), await Store.open(database)
        await one.add_table(a_table(), [])
        said = await asyncio.gather(*((one, other)[number % 2].say(a_line(f"{number}")) for number in range(60)))
        assert sorted(said) == list(range(1, 61))
        await one.close()
        await other.close()

    asyncio.run(go())


@pytest.mark.slow
def test_servers_that_lock_the_same_rows_in_another_order_both_get_through(postgres_url: str) -> None:
    async def go() -> None:
        one, other = await Store.open(postgres_url), await Store.open(postgres_url)
        names = [f"v{number}" for number in range(30)]
        for name in names:
            await one.add_visitor(a_visitor(name))
        for turn in range(5):
            await asyncio.gather(
                *(one.change_visitor(name, seen=float(turn)) for name in names),
                *(other.change_visitor(name, colour=turn) for name in reversed(names)),
            )
        for name in names:
            assert await one.visitor(name) == a_visitor(name, seen=4.0, colour=4)
        await one.close()
        await other.close()

    asyncio.run(go())


# --- connections that are lost


def test_after_a_lost_connection_the_next_write_works(postgres: PostgresServer, postgres_url: str) -> None:
    async def go() -> None:
        store = await Store.open(postgres_url)
        await store.add_table(a_table(), [])
        await store.table("roma")
        postgres.cut_connections()
        failed = await gathered(store.record("roma", [an_entry(1)]), store.record("roma", [an_entry(2)]))
        assert all(type(error) is StoreError for error in failed), failed
        assert await store.journal("roma") == []
        await store.record("roma", [an_entry(1)])
        assert await store.journal("roma") == [an_entry(1)]
        await store.close()

    asyncio.run(go())


@pytest.mark.slow
def test_a_server_that_is_away_for_a_while_is_found_again() -> None:
    postgres = PostgresServer()

    async def go() -> None:
        store = await Store.open(postgres.new_database())
        await store.add_table(a_table(), [])
        postgres.stop()
        for _ in range(2):
            failed = await gathered(store.record("roma", [an_entry(1)]), store.table("roma"))
            assert [type(error) for error in failed] == [StoreError, StoreError], failed
        postgres.start()
        await store.record("roma", [an_entry(1)])
        assert await store.journal("roma") == [an_entry(1)]
        await store.close()

    try:
        asyncio.run(go())
    finally:
        postgres.close()


# --- killed

WRITER = """
    import asyncio, sys
    from records_helpers import a_table, an_entry
    from spina.table.store.journal_store import Store

    async def race(store, id):
        await store.add_table(a_table(id), [])
        print(id, 0, flush=True)
        version = 0
        while True:
            version += 1
            await store.record(id, [an_entry(version, id, key=f"{version}")], changes={"turn": version})
            print(id, version, flush=True)

    async def main():
        store = await Store.open(sys.argv[1])
        await asyncio.gather(*(race(store, f"t{number}") for number in range(8)))

    asyncio.run(main())
"""


@pytest.mark.slow
@pytest.mark.parametrize("after", [1, 40, 700])
def test_a_server_that_is_killed_has_lost_nothing_that_it_acknowledged(database: str, after: int) -> None:
    paths = [str(Path(__file__).parent), *filter(None, sys.path)]
    writer = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(WRITER), database],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )
    assert writer.stdout is not None
    lines = [writer.stdout.readline() for _ in range(after)]
    writer.send_signal(signal.SIGKILL)
    lines += writer.stdout.read().splitlines(keepends=True)
    writer.stdout.close()
    assert writer.wait() == -signal.SIGKILL
    acknowledged: dict[str, int] = {}
    for line in lines:
        if line.endswith("\n"):
            id, version = line.split()
            acknowledged[id] = int(version)
    assert acknowledged

    async def check() -> None:
        store = await Store.open(database)
        for id, version in acknowledged.items():
            table = await store.table(id)
            assert table is not None
            assert table.version >= version
            assert table.turn == table.version
            journal = await store.journal(id)
            assert journal == [an_entry(number, id, key=f"{number}") for number in range(1, table.version + 1)]
            await store.record(id, [an_entry(table.version + 1, id)])
        await store.close()

    asyncio.run(check())
