"""Choices of many tables that are appended by one statement: all that stand at the right version, and their signals."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from records_helpers import a_table, an_entry, some_seats
from sqlalchemy import Connection, event

from spina.errors import Conflict, StoreError
from spina.table.store import play_appends, signals
from spina.table.store.journal_store import Store
from spina.table.store.records import Entry


def with_stores(url: str, test: Callable[[Store, Store], Coroutine[Any, Any, None]]) -> None:
    """Run a test with the stores of two servers."""

    async def run() -> None:
        first, second = await Store.open(url), await Store.open(url)
        try:
            async with asyncio.timeout(60):
                await test(first, second)
        finally:
            await first.close()
            await second.close()

    asyncio.run(run())


async def add_tables(store: Store, count: int) -> list[str]:
    names = [f"t{number:02}" for number in range(count)]
    for name in names:
        await store.add_table(a_table(name), some_seats(name))
    return names


def statements_of(store: Store) -> list[str]:
    """A list that grows with every statement of the thread that writes."""
    seen: list[str] = []

    def see(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        seen.append(statement)

    event.listen(store._writing, "before_cursor_execute", see)
    return seen


async def together(store: Store, plays: list[Entry]) -> list[Any]:
    """Record choices that come while the thread that writes is busy, so that they are one batch."""
    begun, over = threading.Event(), threading.Event()

    def keep_busy(_: Connection) -> None:
        begun.set()
        over.wait(30)

    waiting = asyncio.ensure_future(store.write(keep_busy))
    await asyncio.to_thread(begun.wait, 30)
    recording = [
        asyncio.ensure_future(store.record(play.table, [play], changes={"turn": play.version})) for play in plays
    ]
    while store._writer._queue.qsize() < len(plays):
        await asyncio.sleep(0)
    over.set()
    await waiting
    return await asyncio.gather(*recording, return_exceptions=True)


def test_a_batch_of_choices_is_one_statement_and_every_choice_has_its_signal(postgres_url: str) -> None:
    async def test(first: Store, second: Store) -> None:
        heard: list[signals.Signal | None] = []
        connected = asyncio.Event()
        second.listen(lambda signal: (heard.append(signal), connected.set()))  # type: ignore[arg-type, func-returns-value]
        await connected.wait()
        names = await add_tables(first, 40)
        await together(first, [an_entry(1, names[0])])  # connects
        statements = statements_of(first)
        plays = [
            an_entry(1, name, seat=1, actions=["red-5: é “x”", str(at)], key=f"key {at}", hash="0a" if at % 2 else None)
            for at, name in enumerate(names)
        ][1:]
        assert await together(first, plays) == [None] * 39
        assert len([statement for statement in statements if "journal" in statement]) == 1
        for play in plays:
            assert await second.journal(play.table) == [play]
            assert (table := await second.table(play.table)) is not None and (table.version, table.turn) == (1, 1)
        while len(heard) < 41:
            await asyncio.sleep(0.01)
        signalled = [signal.play.entry for signal in heard[2:] if signal and signal.play]
        assert sorted(signalled, key=lambda entry: entry.table) == plays
        assert {signal.kind for signal in heard[1:] if signal} == {"journal"}

    with_stores(postgres_url, test)


def test_a_choice_that_was_overtaken_is_not_appended_and_the_others_are(postgres_url: str) -> None:
    async def test(first: Store, second: Store) -> None:
        heard: list[str] = []
        connected = asyncio.Event()
        second.listen(lambda signal: heard.append(signal.table) if signal else connected.set())
        await connected.wait()
        names = await add_tables(first, 6)
        await second.record(names[2], [an_entry(1, names[2], actions=["the first"])], changes={"turn": 7})
        results = await together(first, [an_entry(1, name) for name in [*names, "nowhere"]])
        assert [type(result) for result in results] == [
            Conflict if name in (names[2], "nowhere") else type(None) for name in [*names, "nowhere"]
        ]
        overtaken = await first.table(names[2])
        assert overtaken is not None and (overtaken.version, overtaken.turn) == (1, 7)
        assert [entry.actions for entry in await first.journal(names[2])] == [["the first"]]
        while len(heard) < 5:
            await asyncio.sleep(0.01)
        assert sorted(heard) == [name for name in names if name != names[2]]
        assert await together(first, [an_entry(2, names[2])]) == [None]  # its own next one

    with_stores(postgres_url, test)


def test_a_key_that_is_known_keeps_only_its_choice_out(postgres_url: str) -> None:
    async def test(first: Store, second: Store) -> None:
        names = await add_tables(first, 3)
        await together(first, [an_entry(1, names[1], key="once")])
        results = await together(
            first, [an_entry(1, names[0]), an_entry(2, names[1], key="once"), an_entry(1, names[2])]
        )
        assert [type(result) for result in results] == [type(None), Conflict, type(None)]
        assert [len(await second.journal(name)) for name in names] == [1, 1, 1]
        assert (table := await second.table(names[1])) is not None and table.version == 1

    with_stores(postgres_url, test)


def test_several_choices_at_one_table_are_appended_in_the_order_of_their_calls(postgres_url: str) -> None:
    async def test(first: Store, second: Store) -> None:
        (name,) = await add_tables(first, 1)
        plays = [an_entry(version, name) for version in (1, 2, 3)]
        assert await together(first, plays) == [None] * 3
        assert await second.journal(name) == plays

    with_stores(postgres_url, test)


def test_signals_that_do_not_fit_into_one_notification_are_sent_in_several(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL refuses notifications of 8,000 bytes. A choice that is too long for one is signalled without it."""

    async def test(first: Store, second: Store) -> None:
        heard: list[signals.Signal] = []
        payloads: list[str] = []
        connected = asyncio.Event()
        read = signals.read
        monkeypatch.setattr(signals, "read", lambda payload: (payloads.append(payload), read(payload))[1])
        second.listen(lambda signal: heard.append(signal) if signal else connected.set())
        await connected.wait()
        names = await add_tables(first, 30)
        plays = [an_entry(1, name, actions=["ä" * 400], key=f"{name} key") for name in names]
        plays[7].actions = ["x" * 9000]
        assert await together(first, plays) == [None] * 30
        while len(heard) < 30:
            await asyncio.sleep(0.01)
        assert sorted(signal.table for signal in heard) == names
        assert [signal.table for signal in heard if signal.play is None] == [names[7]]
        assert 4 <= len(payloads) < 30
        assert max(len(payload.encode()) for payload in payloads) <= signals.LONGEST
        assert await second.journal(names[7]) == [plays[7]]

    with_stores(postgres_url, test)


def test_a_lost_connection_fails_a_batch_and_the_next_one_gets_another(postgres: Any, postgres_url: str) -> None:
    async def test(first: Store, second: Store) -> None:
        names = await add_tables(first, 2)
        await together(first, [an_entry(1, name) for name in names])
        postgres.cut_connections()
        results = await together(first, [an_entry(2, name) for name in names])
        assert all(result is None or isinstance(result, StoreError) for result in results)
        for name in names:
            version = (await second.versions([name]))[name]
            await first.record(name, [an_entry(version + 1, name)], changes={"turn": 1})

    with_stores(postgres_url, test)


def test_the_statement_finds_tables_by_their_key_also_when_there_are_few(postgres_url: str) -> None:
    async def test(first: Store, second: Store) -> None:
        await add_tables(first, 2)

        def explained(connection: Connection) -> str:
            play_appends.prepare(connection)
            rows = json.dumps([{"table_id": "t00", "version": 1}])
            found = connection.exec_driver_sql(f"EXPLAIN {play_appends._APPEND}", {"rows": rows})
            return "\n".join(row[0] for row in found)

        plan = await first.write(explained)
        assert "Index Scan using tables_pkey on tables" in plan and "Seq Scan" not in plan

    with_stores(postgres_url, test)
