"""One server for a PostgreSQL database: who comes second is refused, and who loses the lock writes nothing."""

from __future__ import annotations

import asyncio
import configparser
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from house_helpers import Ear, House, legal
from postgres_server import PostgresServer
from records_helpers import a_table, an_entry

import spina
from spina.errors import StoreError
from spina.table.settings import Settings
from spina.table.store import journal_store, server_lock
from spina.table.store import writer as writing
from spina.table.store.journal_store import Store
from spina.table.store.server_lock import LOCK, InUse, ServingLock

pytestmark = pytest.mark.server

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_store, "GRACE", 0.2)
    monkeypatch.setattr(journal_store, "PAUSE", 0.05)


async def serving(url: str, at: str | None = None) -> Store:
    return await Store.open(url, lock=ServingLock(at), patience=30)


async def until(happened: Any) -> None:
    async with asyncio.timeout(30):
        while not happened():
            await asyncio.sleep(0.02)


class Other:
    """Another server, as far as the lock goes: a session that waits for it, and writes down who it is."""

    def __init__(self, url: str) -> None:
        self.session = psycopg.connect(url, autocommit=True)
        self.backend = self.session.info.backend_pid

    async def wait_for_lock(self) -> asyncio.Task[Any]:
        """Have the lock as soon as it is free."""
        task = asyncio.create_task(asyncio.to_thread(self.session.execute, f"SELECT pg_advisory_lock({LOCK})"))
        await asyncio.sleep(0.2)
        assert not task.done()
        return task

    def announce(self, id: str = "other") -> None:
        row = f'{{"id": "{id}", "host": "elsewhere", "pid": 77, "since": 1e9, "url": null, "backend": {self.backend}}}'
        self.session.execute("UPDATE meta SET value = %s WHERE name = 'serving'", [row])


# --- who comes second ------------------------------------------------------------------------------------------------


def test_a_second_server_learns_the_name_and_start_time_of_the_first(postgres_url: str) -> None:
    async def go() -> None:
        first = await serving(postgres_url, "http://127.0.0.1:1234")
        with pytest.raises(InUse) as refused:
            await serving(postgres_url)
        said = str(refused.value)
        assert f"{socket.gethostname()} (process {os.getpid()}) at http://127.0.0.1:1234" in said
        started = re.search(r"started (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC", said)
        assert started
        begun = time.mktime(time.strptime(started[1], "%Y-%m-%d %H:%M:%S")) - time.timezone
        assert 0 <= time.time() - begun < 60
        beside = await Store.open(postgres_url)  # `spina verify` reads all the same
        await beside.close()
        await first.close()
        await (await serving(postgres_url)).close()

    asyncio.run(go())


def test_a_server_that_is_just_ending_is_waited_for(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_store, "GRACE", 20.0)

    async def go() -> None:
        first = await serving(postgres_url)
        second = asyncio.create_task(serving(postgres_url))
        await asyncio.sleep(0.3)
        assert not second.done()
        await first.close()
        await (await second).close()

    asyncio.run(go())


def test_spina_serve_refuses_to_be_the_second_and_starts_after_a_kill(postgres_url: str, tmp_path: Path) -> None:
    with spina_serve(postgres_url, tmp_path) as first:
        assert "The table is open" in line_of(first)
        with spina_serve(postgres_url, tmp_path) as second:
            out, err = second.communicate(timeout=60)
        assert (second.returncode, out) == (2, "")
        assert f"(process {first.pid}) at http://127.0.0.1:" in err and "started 20" in err
        assert "Traceback" not in err
        first.kill()
        with spina_serve(postgres_url, tmp_path) as third:
            assert "The table is open" in line_of(third)


# --- who loses it ----------------------------------------------------------------------------------------------------


def test_a_server_that_loses_its_lock_writes_nothing_until_it_has_it_again(
    postgres: PostgresServer, postgres_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(server_lock, "KEEP", 0.1)

    async def go() -> None:
        kept = await serving(postgres_url)
        await kept.add_table(a_table(), [])
        other = Other(postgres_url)
        other.announce()
        waiting = await other.wait_for_lock()
        end_holder(postgres_url)
        await waiting  # the other one was quicker
        for _ in range(3):
            with pytest.raises(StoreError):
                await kept.record("roma", [an_entry(1)])
            await asyncio.sleep(0.1)
        assert await kept.journal("roma") == []  # reading goes on
        other.session.close()
        async with asyncio.timeout(30):
            while True:
                try:
                    await kept.record("roma", [an_entry(1)])
                    break
                except StoreError:
                    await asyncio.sleep(0.02)
        assert await kept.journal("roma") == [an_entry(1)]
        await kept.close()

    asyncio.run(go())
    said = [record.getMessage() for record in caplog.records]
    assert len([line for line in said if "in use by another server" in line]) == 1
    assert any("elsewhere (process 77), started 2001-09-09 01:46:40 UTC" in line for line in said)
    assert "can be used again" in said[-1]
    assert all(record.exc_info is None for record in caplog.records)


def test_whatever_is_committed_is_committed_by_the_session_that_holds_the_lock(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock goes in the middle of a transaction, to a server that waits for it: the transaction goes with it."""
    do = writing.Writer._do
    waiting: list[asyncio.Task[Any]] = []

    async def go() -> None:
        kept = await serving(postgres_url)
        await kept.add_table(a_table(), [])
        other = Other(postgres_url)
        waiting.append(await other.wait_for_lock())

        def cut_off(self: Any, connection: Any, write: Any) -> None:
            do(self, connection, write)
            monkeypatch.undo()
            end_holder(postgres_url)

        monkeypatch.setattr(writing.Writer, "_do", cut_off)
        with pytest.raises(StoreError):
            await kept.record("roma", [an_entry(1)])
        await waiting[0]
        assert other.session.execute("SELECT count(*) FROM journal").fetchone() == (0,)
        other.session.close()
        await kept.close()

    asyncio.run(go())


def test_an_idle_server_takes_a_lost_lock_again(
    postgres: PostgresServer, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_lock, "KEEP", 0.05)

    async def go() -> None:
        kept = await serving(postgres_url)
        before = holder_of(postgres_url)
        postgres.cut_connections()
        await until(lambda: holder_of(postgres_url) not in (None, before))
        with pytest.raises(InUse, match=rf"process {os.getpid()}"):
            await serving(postgres_url)
        await kept.close()

    asyncio.run(go())


def test_a_broken_connection_of_ones_own_does_not_stand_in_the_way(postgres_url: str) -> None:
    """PostgreSQL may not have noticed that the session with the lock has nobody at its other end."""

    async def go() -> None:
        lock = ServingLock()
        kept = await Store.open(postgres_url, lock=lock, patience=30)
        await kept.add_table(a_table(), [])
        former = Other(postgres_url)
        waiting = await former.wait_for_lock()
        end_holder(postgres_url)
        await waiting
        former.announce(lock._me.id)
        async with asyncio.timeout(30):
            while True:
                try:
                    await kept.record("roma", [an_entry(1)])
                    break
                except StoreError:
                    await asyncio.sleep(0.02)
        with pytest.raises(psycopg.OperationalError):
            former.session.execute("SELECT 1")
        await kept.close()

    asyncio.run(go())


def test_rooms_begin_anew_when_another_server_has_used_the_database(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_lock, "KEEP", 0.05)

    async def go() -> None:
        kept = await serving(postgres_url)
        house = House(kept, Settings(database=postgres_url))
        house.rooms.start()
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        room = await house.together("charioteer", anna, ben)
        ear = Ear(anna, 0)
        room.enter(ear, None)
        other = Other(postgres_url)
        waiting = await other.wait_for_lock()
        end_holder(postgres_url)
        await waiting
        other.announce()
        writer = await Store.open(postgres_url)  # the other server goes on with the race
        elsewhere = await House(writer, Settings(database=postgres_url)).rooms.room(room.table.id)
        version = await elsewhere.play(anna.id, 0, [legal(elsewhere, 0)])
        elsewhere.close()
        await writer.close()
        assert not room.closed and room.table.version < version
        other.session.close()
        await until(lambda: room.closed and ear.parted)
        assert (await house.rooms.room(room.table.id)).table.version == version
        await house.rooms.close()
        await kept.close()

    asyncio.run(go())


# --- starting together -----------------------------------------------------------------------------------------------


def test_a_server_waits_for_a_database_that_is_still_starting(caplog: pytest.LogCaptureFixture) -> None:
    postgres = PostgresServer()

    async def go() -> None:
        url = postgres.new_database()
        postgres.stop()
        with pytest.raises(StoreError, match="cannot be opened"):
            await Store.open(url, patience=0.3)
        caplog.clear()
        opening = asyncio.create_task(serving(url))
        await until(lambda: caplog.records)
        await asyncio.sleep(0.3)
        assert not opening.done()
        await asyncio.to_thread(postgres.start)
        await (await opening).close()

    try:
        asyncio.run(go())
    finally:
        postgres.close()
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.startswith("waiting for the database, at most 30 s: postgresql://spina@/test1")


@pytest.mark.parametrize("wrong", ["database", "user"])
def test_what_a_database_refuses_for_good_is_not_waited_for(wrong: str, postgres: PostgresServer) -> None:
    url = postgres.url("nowhere") if wrong == "database" else postgres.url("postgres").replace("spina@", "nobody@")
    with pytest.raises(StoreError, match="does not exist"):
        asyncio.run(asyncio.wait_for(Store.open(url, patience=3600), 60))


def test_a_server_that_waits_can_be_stopped(tmp_path: Path) -> None:
    with spina_serve(f"postgresql://spina@/nowhere?host={tmp_path}", tmp_path) as server:
        assert server.stderr is not None
        assert "waiting for the database, at most 60 s" in server.stderr.readline()
        server.send_signal(signal.SIGTERM)
        assert server.wait(30) == 0


def test_the_unit_file_of_the_hosting_guide_limits_restarts() -> None:
    """What cannot mend itself is given up soon; a database that is away is waited for without end."""
    guide = (ROOT / "docs" / "hosting.md").read_text()
    unit = configparser.ConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(re.search(r"```ini\n(.*?)```", guide, re.DOTALL)[1])  # type: ignore[index]
    assert unit["Service"]["Restart"] == "on-failure"
    pause, interval = float(unit["Service"]["RestartSec"]), float(unit["Unit"]["StartLimitIntervalSec"])
    burst = int(unit["Unit"]["StartLimitBurst"])
    at_once = server_lock.GRACE + 5
    assert burst * (pause + at_once) < interval < burst * (pause + Settings().database_wait)
    assert "postgresql.service" in unit["Unit"]["After"]


# --- helpers ---------------------------------------------------------------------------------------------------------


def holder_of(url: str) -> int | None:
    """The session that holds the lock."""
    query = (
        "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid::bigint = %s "
        "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    with psycopg.connect(url) as connection:
        found = connection.execute(query, [LOCK & 0xFFFFFFFF]).fetchone()
    return None if found is None else int(found[0])


def end_holder(url: str) -> None:
    """Cut the connection that holds the lock."""
    with psycopg.connect(url) as connection:
        connection.execute("SELECT pg_terminate_backend(%s)", [holder_of(url)])


@contextmanager
def spina_serve(url: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(spina.__file__).parents[1]),
        "SPINA_DATA_DIR": str(folder),
    }
    command = [sys.executable, "-m", "spina", "serve", "--port", "0", "--database", url]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None and process.stderr is not None
    return process.stdout.readline() or process.stderr.read()
