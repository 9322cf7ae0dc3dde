"""What the store keeps comes back as it was, on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
import gc
import math
import re
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest
from records_helpers import a_line, a_link, a_table, a_visitor, an_entry, some_seats
from sqlalchemy import event

from spina.errors import Conflict, StoreError
from spina.table.store.journal_store import Store

T = TypeVar("T")

UNICODE = "Ζωή 🏇 «Ñandú» \u202eabc\u202c 日本 e\u0301 'quoted\" \\ %s :name <b>"


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def add(store: Store, id: str = "roma", visitors: tuple[str | None, ...] = (), **values: Any) -> None:
    run(store.add_table(a_table(id, **values), some_seats(id, *visitors)))


def ids(listed: list[Any]) -> list[str]:
    return [table.id for table, _ in listed]


# --- memory


def test_what_every_request_asks_leaves_no_reference_cycles(store: Store) -> None:
    add(store, "roma", ("gaius",))
    run(store.add_visitor(a_visitor("gaius")))

    async def ask(times: int) -> None:
        for _ in range(times):
            await store.visitor_by_token("hash of gaius")
            await store.versions(["roma"])
            await store.tables_of("gaius", 10)
            with pytest.raises(StoreError):
                await store.change_visitor("nobody", name="x")

    async def unreachable() -> int:
        await ask(2)  # fills caches
        gc.collect()
        gc.disable()
        try:
            await ask(20)
            return gc.collect()
        finally:
            gc.enable()

    assert run(unreachable()) < 20


# --- visitors


def test_a_visitor_is_found_by_id_and_by_token(store: Store) -> None:
    gaius = a_visitor("gaius", language="es", name=UNICODE)
    run(store.add_visitor(gaius))
    run(store.add_visitor(a_visitor("livia")))
    assert run(store.visitor("gaius")) == gaius
    assert run(store.visitor_by_token("hash of gaius")) == gaius
    assert run(store.visitor("nobody")) is None
    assert run(store.visitor_by_token("gaius")) is None


def test_a_visitor_changes_only_what_is_named(store: Store) -> None:
    run(store.add_visitor(a_visitor("gaius")))
    run(store.add_visitor(a_visitor("livia")))
    run(store.change_visitor("gaius", name="Gaius Appuleius Diocles", seen=math.pi))
    assert run(store.visitor("gaius")) == a_visitor("gaius", name="Gaius Appuleius Diocles", seen=math.pi)
    assert run(store.visitor("livia")) == a_visitor("livia")


def test_a_visitor_who_is_unknown_or_a_field_that_is_cannot_be_changed(store: Store) -> None:
    with pytest.raises(StoreError, match="no such visitor"):
        run(store.change_visitor("nobody", name="x"))
    with pytest.raises(ValueError, match="shoe_size"):
        run(store.change_visitor("gaius", shoe_size=42))


def test_two_visitors_never_share_a_token(store: Store) -> None:
    run(store.add_visitor(a_visitor("gaius")))
    with pytest.raises(StoreError, match="refused"):
        run(store.add_visitor(a_visitor("livia", token_hash="hash of gaius")))
    assert run(store.visitor("livia")) is None


# --- links


def test_a_link_is_used_once_however_many_try_at_the_same_moment(store: Store) -> None:
    add(store)
    run(store.add_links([a_link("one"), a_link("other", kind="watch", seat=None, visitor="gaius")]))

    async def everybody() -> list[bool]:
        return await asyncio.gather(*(store.use_link("one", 60.0 + number) for number in range(20)))

    assert run(everybody()).count(True) == 1
    used = run(store.link("one"))
    assert used is not None
    assert used.used is not None
    assert run(store.link("other")) == a_link("other", kind="watch", seat=None, visitor="gaius")
    assert run(store.use_link("forged", 60.0)) is False
    assert run(store.link("forged")) is None


def test_links_are_kept_all_or_none(store: Store) -> None:
    add(store)
    with pytest.raises(StoreError):
        run(store.add_links([a_link("one"), a_link("one")]))
    assert run(store.link("one")) is None
    with pytest.raises(StoreError):
        run(store.add_links([a_link("two", table="no such table")]))


# --- tables


def test_a_table_comes_back_with_every_field(store: Store) -> None:
    table = a_table(
        "roma",
        options={"laps": 3, "names": [UNICODE, None, True, 0.1], "designs": {"0": {"axle": 2}}},
        edition_text="title = 'Ñ'\n",
        seed=2**64 - 1,
        clock=90,
        watching="link",
        first=True,
        status="over",
        started=math.e,
        ended=1_800_000_000.123456,
        version=0,
        turn=12,
        ranking=[[1], [0, 2]],
        rematch="capua",
        created=1_799_999_999.987654,
    )
    seats = some_seats("roma", "gaius", None)
    seats[1].bot, seats[1].away, seats[1].kind = "hard", True, "bot"
    run(store.add_table(table, seats, [a_link("join", kind="join", seat=None)]))
    assert run(store.table("roma")) == table
    assert run(store.seats("roma")) == seats
    assert run(store.link("join")) == a_link("join", kind="join", seat=None)
    assert run(store.table("capua")) is None
    assert run(store.seats("capua")) == []
    assert run(store.journal("capua")) == []


@pytest.mark.parametrize("seed", [0, 2**63 - 1, 2**63, 2**64 - 1])
def test_seeds_keep_all_their_bits(store: Store, seed: int) -> None:
    add(store, seed=seed)
    found = run(store.table("roma"))
    assert found is not None
    assert found.seed == seed


def test_a_table_with_a_bad_link_is_not_kept_at_all(store: Store) -> None:
    with pytest.raises(StoreError):
        run(store.add_table(a_table(), some_seats(), [a_link(table="elsewhere")]))
    assert run(store.table("roma")) is None
    assert run(store.seats("roma")) == []


def test_a_record_is_one_transaction(store: Store) -> None:
    add(store)
    entries = [
        an_entry(1, kind="start", seat=None, actions=[]),
        an_entry(2, actions=["red-5: a b", UNICODE], key="k" * 64, hash="00ff", at=math.tau),
    ]
    taken = some_seats("roma", None, "livia")[1:]
    run(store.record("roma", entries, changes={"status": "running", "started": 5.0, "turn": 1}, seats=taken))
    assert run(store.journal("roma")) == entries
    assert run(store.journal("roma", after=1)) == entries[1:]
    assert run(store.journal("roma", after=2)) == []
    assert run(store.table("roma")) == a_table(status="running", started=5.0, turn=1, version=2)
    assert run(store.seats("roma")) == some_seats("roma", None, "livia")
    run(store.record("roma", [an_entry(3)], changes={"ranking": [[0], [1]]}))
    assert run(store.table("roma")) == a_table(status="running", started=5.0, turn=1, version=3, ranking=[[0], [1]])


def test_a_record_without_entries_changes_the_table_only(store: Store) -> None:
    add(store)
    run(store.record("roma", [an_entry(1)]))
    run(store.record("roma", [], changes={"rematch": "capua"}))
    run(store.record("roma", [], seats=some_seats("roma", "livia")))
    assert run(store.table("roma")) == a_table(version=1, rematch="capua")
    assert run(store.seats("roma")) == some_seats("roma", "livia", None)


@pytest.mark.parametrize("version", [1, 2, 4])
def test_a_version_that_does_not_follow_is_a_conflict_and_keeps_nothing(store: Store, version: int) -> None:
    add(store)
    run(store.record("roma", [an_entry(1), an_entry(2)]))
    with pytest.raises(Conflict, match=f"at version 2, not at {version - 1}"):
        run(
            store.record(
                "roma",
                [an_entry(version, actions=["other"])],
                changes={"status": "over"},
                seats=some_seats("roma", "livia"),
            )
        )
    assert run(store.journal("roma")) == [an_entry(1), an_entry(2)]
    assert run(store.table("roma")) == a_table(version=2)
    assert run(store.seats("roma")) == some_seats("roma")


def test_a_key_counts_once_within_its_table(store: Store) -> None:
    add(store)
    add(store, "capua")
    run(store.record("roma", [an_entry(1, key="twice"), an_entry(2), an_entry(3)]))
    with pytest.raises(Conflict, match="key"):
        run(store.record("roma", [an_entry(4, key="twice")], changes={"turn": 9}))
    assert run(store.table("roma")) == a_table(version=3)
    run(store.record("capua", [an_entry(1, "capua", key="twice")]))
    assert run(store.version_of_key("roma", "twice")) == 1
    assert run(store.version_of_key("roma", "never")) is None
    run(store.record("roma", [an_entry(4, key="other")]))
    assert run(store.version_of_key("roma", "other")) == 4


def test_what_a_programmer_gets_wrong_is_refused_before_it_is_written(store: Store) -> None:
    add(store)
    with pytest.raises(ValueError, match="follow each other"):
        run(store.record("roma", [an_entry(1), an_entry(3)]))
    with pytest.raises(ValueError, match="follow each other"):
        run(store.record("roma", [an_entry(0)]))
    with pytest.raises(ValueError, match="another table"):
        run(store.record("roma", [an_entry(1, "capua")]))
    with pytest.raises(ValueError, match="another table"):
        run(store.record("roma", [an_entry(1)], seats=some_seats("capua")))
    for field in ("seed", "salt", "commitment", "version", "id", "colour"):
        with pytest.raises(ValueError, match=field):
            run(store.record("roma", [an_entry(1)], changes={field: 1}))
    assert run(store.journal("roma")) == []


def test_a_table_that_is_not_there_has_no_journal(store: Store) -> None:
    for entries, changes in (([an_entry(1)], {}), ([], {"turn": 1}), ([], {})):
        with pytest.raises(StoreError, match="no table roma"):
            run(store.record("roma", entries, changes=changes))


def test_texts_that_one_database_could_not_keep_are_refused_by_both(store: Store) -> None:
    add(store)
    for bad in ("zero\0character", "half a pair \ud83d"):
        with pytest.raises(StoreError, match="cannot be kept"):
            run(store.say(a_line(bad)))
        with pytest.raises(StoreError, match="cannot be kept"):
            run(store.change_visitor("gaius", name=bad))
    assert run(store.chat("roma")) == []


def test_a_large_journal_comes_back_in_order(store: Store) -> None:
    add(store)
    entries = [
        an_entry(version, actions=[f"action {version} " * 8], key=f"key {version}") for version in range(1, 5001)
    ]
    for start in range(0, len(entries), 250):
        run(store.record("roma", entries[start : start + 250]))
    assert run(store.journal("roma")) == entries
    assert run(store.journal("roma", after=4990)) == entries[4990:]
    assert run(store.version_of_key("roma", "key 4321")) == 4321


# --- lists


def test_open_tables_are_those_that_anybody_may_see_newest_first(store: Store) -> None:
    add(store, "old", created=1.0)
    add(store, "new", created=3.0, visitors=("gaius", None, "livia"))
    add(store, "middle", created=2.0)
    add(store, "private", created=4.0, watching="link")
    add(store, "closed", created=4.0, watching="none")
    add(store, "running", created=5.0, status="running")
    found = run(store.open_tables(10))
    assert ids(found) == ["new", "middle", "old"]
    assert found[0][1] == some_seats("new", "gaius", None, "livia")
    assert ids(run(store.open_tables(1))) == ["new"]
    assert ids(run(store.open_tables(2, offset=1))) == ["middle", "old"]


def test_running_tables_are_all_of_them(store: Store) -> None:
    for number in range(120):
        watching = ("all", "link", "none")[number % 3]
        add(store, f"t{number:03}", created=float(number), status="running", watching=watching, visitors=("a", "b"))
    add(store, "open")
    add(store, "over", status="over", ended=1.0)
    found = run(store.running_tables())
    assert ids(found) == [f"t{number:03}" for number in range(120)]
    assert all(seats == some_seats(table.id, "a", "b") for table, seats in found)


def test_rematches_are_found_while_somebody_has_not_accepted(store: Store) -> None:
    for name, status, away in (("late", "open", True), ("full", "open", False), ("running", "running", True)):
        seats = some_seats(name, "gaius", "livia")
        seats[1].away = away
        run(store.add_table(a_table(name, status=status), seats))
    [(table, seats)] = run(store.open_rematches())
    assert table.id == "late" and [seat.away for seat in seats] == [False, True]


def test_finished_tables_are_listed_latest_first(store: Store) -> None:
    add(store, "first", status="over", ended=10.0, created=9.0)
    add(store, "last", status="over", ended=30.0, created=1.0)
    add(store, "second", status="over", ended=20.0)
    add(store, "secret", status="over", ended=40.0, watching="link")
    add(store, "left", status="left", ended=50.0)
    assert ids(run(store.finished_tables(10))) == ["last", "second", "first"]
    assert ids(run(store.finished_tables(1, offset=1))) == ["second"]


def test_ones_own_tables_are_those_one_sits_at_or_has_set_up(store: Store) -> None:
    add(store, "sitting", visitors=("livia", "gaius"), host="livia", created=1.0, status="running")
    add(store, "hosting", host="gaius", created=2.0, watching="none")
    add(store, "both", visitors=("gaius", "gaius"), host="gaius", created=3.0, status="over", ended=4.0)
    add(store, "left", visitors=("gaius",), host="gaius", created=5.0, status="left", ended=6.0)
    add(store, "others", visitors=("livia",), host="livia", created=7.0)
    assert ids(run(store.tables_of("gaius", 10))) == ["hosting", "sitting", "left", "both"]
    assert ids(run(store.tables_of("gaius", 2))) == ["hosting", "sitting"]
    assert run(store.tables_of("nobody", 10)) == []


def test_the_tables_of_a_host_are_counted_since_a_moment(store: Store) -> None:
    for number in range(5):
        add(store, f"t{number}", host="gaius", created=float(number))
    add(store, "other", host="livia", created=4.0)
    assert run(store.count_tables("gaius", 2.0)) == 3
    assert run(store.count_tables("gaius", 9.0)) == 0


def test_no_query_reads_through_a_whole_table(sqlite_url: str) -> None:
    store = run(Store.open(sqlite_url))
    add(store, visitors=("gaius", "livia"))
    asked: list[tuple[str, Any]] = []

    def listen(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        asked.append((statement, parameters))

    event.listen(store._reading, "before_cursor_execute", listen)
    for query in (
        store.visitor("gaius"),
        store.visitor_by_token("hash"),
        store.link("secret"),
        store.table("roma"),
        store.seats("roma"),
        store.journal("roma", 3),
        store.version_of_key("roma", "key"),
        store.open_tables(10),
        store.running_tables(),
        store.open_rematches(),
        store.finished_tables(10),
        store.tables_of("gaius", 10),
        store.count_tables("gaius", 1.0),
        store.chat("roma"),
    ):
        run(query)  # type: ignore[arg-type]
    event.remove(store._reading, "before_cursor_execute", listen)
    queries = [(statement, parameters) for statement, parameters in asked if statement.startswith("SELECT")]
    assert len(queries) >= 13
    with store._reading.connect() as connection:
        for statement, parameters in queries:
            explained = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
            plan = " / ".join(row[3] for row in explained)
            assert "SEARCH" in plan, plan
            assert not re.search(r"SCAN (tables|seats|journal|chat|visitors|links)", plan), f"{statement}\n{plan}"
    run(store.close())


# --- chat


def test_chat_is_numbered_by_table_and_said_once(store: Store) -> None:
    add(store)
    add(store, "capua")
    assert run(store.say(a_line(UNICODE, key="one", seat=1))) == 1
    assert run(store.say(a_line("second", number=77))) == 2
    assert run(store.say(a_line("second"))) == 3
    assert run(store.say(a_line("again", key="one"))) == 1
    assert run(store.say(a_line("of somebody else", key="one", visitor="livia"))) == 4
    assert run(store.say(a_line("elsewhere", "capua", key="one"))) == 1
    assert run(store.chat("roma")) == [
        a_line(UNICODE, number=1, key="one", seat=1),
        a_line("second", number=2),
        a_line("second", number=3),
        a_line("of somebody else", number=4, key="one", visitor="livia"),
    ]
    assert [said.number for said in run(store.chat("roma", limit=2))] == [3, 4]
    with pytest.raises(StoreError, match="no such table"):
        run(store.say(a_line("to nobody", "nowhere")))


# --- all of it


def test_every_race_comes_with_its_journal(store: Store) -> None:
    for number in range(130):
        add(store, f"t{number:03}")
    run(store.record("t007", [an_entry(1, "t007"), an_entry(2, "t007")]))
    found = list(store.every_race())
    assert [table.id for table, _ in found] == [f"t{number:03}" for number in range(130)]
    assert found[7][1] == [an_entry(1, "t007"), an_entry(2, "t007")]
    assert all(not journal for table, journal in found if table.id != "t007")
