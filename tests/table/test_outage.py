"""The database goes away and comes back: races go on, everybody is told to ask again, and the log stays short."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from house_helpers import House, house, legal
from postgres_server import PostgresServer
from serving_helpers import FREELY, PATIENCE, ConnectionClosed, Page, Server, any_legal, new_key
from websockets.sync.client import connect

import spina
from spina.errors import StoreError
from spina.table.live import rooms
from spina.table.settings import Settings
from spina.table.store import databases, outage
from spina.table.store.journal_store import Store

pytestmark = pytest.mark.server

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def own_postgres() -> Iterator[PostgresServer]:
    server = PostgresServer()
    yield server
    server.close()


@pytest.fixture
def restless(own_postgres: PostgresServer) -> Iterator[PostgresServer]:
    """A PostgreSQL server that a test may stop."""
    yield own_postgres
    own_postgres.stop()
    own_postgres.start()


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses that suit a test."""
    monkeypatch.setattr(rooms, "FIRST_PAUSE", 0.05)
    monkeypatch.setattr(rooms, "LONGEST_PAUSE", 0.2)


async def until(happened: Any) -> None:
    async with asyncio.timeout(60):
        while not happened():
            await asyncio.sleep(0.02)


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name.startswith("spina")]


# --- races go on ----------------------------------------------------------------------------------------------------


def test_races_that_nobody_looks_at_go_on_when_the_database_is_back(
    restless: PostgresServer, hurried: None, caplog: pytest.LogCaptureFixture
) -> None:
    async def go() -> None:
        url = restless.new_database()
        store = await Store.open(url)
        made = House(store, Settings(database=url))
        await made.rooms.start()
        anna = await made.visitor("Anna")
        made.bot_pool.allowed.clear()
        tables = [await made.table(anna, game, "competent", "competent") for game in ("charioteer", "chariot-race")]
        restless.stop()
        made.bot_pool.allowed.set()
        await until(lambda: all(room.closed for room in tables))
        await asyncio.sleep(0.5)  # some attempts
        assert all(made.rooms.opened(room.table.id) is None for room in tables)
        restless.start()
        # nobody asks for the rooms
        await until(lambda: all(made.rooms.opened(room.table.id) for room in tables))
        going = [made.rooms.opened(room.table.id) for room in tables]
        await until(lambda: all(room and room.table.version > 12 for room in going))
        await made.rooms.close()
        await store.close()

    asyncio.run(go())
    away, *back = lines(caplog)
    assert "the database does not answer" in away and len(back) == 1 and "can be used again" in back[0]
    assert all(record.exc_info is None for record in caplog.records)


def test_races_go_on_after_a_start_without_the_database(restless: PostgresServer, hurried: None) -> None:
    async def go() -> None:
        url = restless.new_database()
        store = await Store.open(url)
        made = House(store, Settings(database=url))
        made.bot_pool.allowed.clear()
        room = await made.table(await made.visitor("Anna"), "chariot-race", "competent", "competent")
        room.close()
        restless.stop()
        again = House(store, Settings(database=url))
        await again.rooms.start()
        await asyncio.sleep(0.3)
        restless.start()
        await until(lambda: again.rooms.opened(room.table.id))
        await again.rooms.close()
        await made.rooms.close()
        await store.close()

    asyncio.run(go())


def test_a_race_goes_on_when_a_database_that_could_only_be_read_is_written_to_again(
    tmp_path: Path, hurried: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """SQLite: another program keeps the file locked for longer than is waited for it."""
    monkeypatch.setattr(databases, "PATIENCE", 0.05)
    asked, seconds = 0, 0.0

    async def go() -> None:
        nonlocal asked, seconds
        async with house(tmp_path) as made:
            made.bot_pool.allowed.clear()
            room = await made.table(await made.visitor("Anna"), "chariot-race", "competent", "competent")
            other = sqlite3.connect(tmp_path / "table.db", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            made.bot_pool.allowed.set()
            await until(lambda: room.closed)
            begun = time.monotonic()
            await until(lambda: len(made.bot_pool.questions) >= 3)
            asked, seconds = len(made.bot_pool.questions), time.monotonic() - begun
            other.execute("ROLLBACK")
            other.close()
            await until(lambda: (made.rooms.opened(room.table.id) or room).table.version > 8)

    asyncio.run(go())
    assert 3 <= asked <= 4 + 12 * seconds  # with pauses in between
    assert len([line for line in lines(caplog) if "does not answer" in line]) == 1
    assert all(record.levelno <= logging.WARNING for record in caplog.records)


def test_a_race_begins_though_the_database_went_away_when_its_last_seat_was_taken(
    tmp_path: Path, hurried: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def go() -> None:
        async with house(tmp_path) as made:
            anna, ben = await made.visitor("Anna"), await made.visitor("Ben")
            room = await made.table(anna, "charioteer", "me", "open")
            record = made.store.record

            async def fails(table_id: str, entries: Any, **more: Any) -> None:
                if entries[0].kind == "start":
                    monkeypatch.undo()
                    raise StoreError("the database failed")
                await record(table_id, entries, **more)

            monkeypatch.setattr(made.store, "record", fails)
            with pytest.raises(StoreError):
                await made.lobby.sit(ben, room.table.id)
            await until(lambda: (made.rooms.opened(room.table.id) or room).table.status == "running")
            going = await made.rooms.room(room.table.id)
            await going.play(anna.id, 0, [legal(going, 0)])

    asyncio.run(go())


def test_a_database_that_hangs_is_not_waited_for_without_end(
    restless: PostgresServer, hurried: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As behind a network that swallows everything: connections stay open and nothing comes back."""

    async def go() -> None:
        url = restless.new_database()
        store = await Store.open(url)
        made = House(store, Settings(database=url))
        await made.rooms.start()
        made.bot_pool.allowed.clear()
        room = await made.table(await made.visitor("Anna"), "chariot-race", "competent", "competent")
        await until(lambda: made.bot_pool.questions)
        monkeypatch.setattr(outage, "ANSWER", 0.2)
        with restless.frozen():
            made.bot_pool.allowed.set()
            await until(lambda: room.closed)
            for _ in range(6):  # more than there are threads that read
                with pytest.raises(StoreError):
                    await store.table(room.table.id)
        monkeypatch.setattr(outage, "ANSWER", 30.0)
        await until(lambda: (made.rooms.opened(room.table.id) or room).table.version > 8)
        await made.rooms.close()
        await store.close()

    asyncio.run(go())
    assert [line for line in lines(caplog) if "not answered for 0.2 s" in line][1:] == []
    assert all(record.exc_info is None for record in caplog.records)


# --- everybody is told ----------------------------------------------------------------------------------------------


def test_while_the_database_is_away_everybody_is_told_to_ask_again(restless: PostgresServer, tmp_path: Path) -> None:
    server = Server(tmp_path, database=restless.new_database(), **FREELY).start()
    try:
        anna = server.visitor("Anna")
        table = anna.create("charioteer", "me", "competent")
        chosen = any_legal(anna, table, 0, random.Random(1))
        assert chosen is not None
        page = anna.open(table)
        page.hear_of("welcome")
        restless.stop()
        cookie = {**anna.cookie(), "accept": "text/html"}
        for _ in range(5):
            told = [
                server.ask("GET", "/", headers={"accept": "text/html"}),
                server.ask("GET", "/", headers=cookie),
                server.ask("GET", f"/t/{table}", headers=cookie),
                server.ask("GET", "/api/games", headers=anna.headers),
                server.ask("GET", "/api/tables"),
                anna.get(f"/api/tables/{table}", seat=0),
                anna.post("/api/tables", {"game": "charioteer", "seats": [{"kind": "me"}, {"kind": "open"}]}),
                server.ask("POST", "/api/visitors", b"{}"),
            ]
            assert [answer.status for answer in told] == [503] * len(told)
            for answer in told:
                assert int(answer.headers["retry-after"]) > 0
                assert "content-security-policy" in answer.headers
                assert str(restless.folder) not in answer.text  # where the database is, is nobody's business
            assert {answer.json["error"] for answer in told[3:]} == {"failed"}
        # an open page learns that it should come back, and so does one that comes
        key = new_key()
        page.send(type="play", key=key, seat=0, actions=[chosen[0]], version=chosen[1])
        with pytest.raises(ConnectionClosed) as ended:
            page.hear_of("done", "refused")
        assert ended.value.rcvd is not None and ended.value.rcvd.code == 1013
        assert all(message["type"] != "refused" for message in page.heard)
        with (
            connect(f"ws://127.0.0.1:{server.port}/t/{table}/live", additional_headers=anna.headers) as socket,
            pytest.raises(ConnectionClosed) as closed,
        ):
            socket.recv(PATIENCE)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1013
        restless.start()
        again = _opened(anna, table)
        assert again.ask(type="play", key=key, seat=0, actions=[chosen[0]], version=chosen[1])["type"] == "done"
        assert server.ask("GET", "/", headers=cookie).status == 200
    finally:
        server.stop()
    log = server.log.read_text()
    assert "Traceback" not in log
    assert log.count("the database does not answer") == 1
    assert len(log.splitlines()) <= 2, log


# --- programs wait --------------------------------------------------------------------------------------------------


def test_programs_at_a_table_wait_for_the_database_and_race_on(restless: PostgresServer, tmp_path: Path) -> None:
    server = Server(tmp_path, database=restless.new_database(), **FREELY).start()
    address = f"http://127.0.0.1:{server.port}"
    started: list[subprocess.Popen[str]] = []

    def start(*command: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(Path(spina.__file__).parents[1])}
        with open(tmp_path / f"said-{len(started)}", "w") as out:
            started.append(
                subprocess.Popen(
                    [sys.executable, *command], stdout=out, stderr=subprocess.STDOUT, text=True, env=environment
                )
            )

    def said(number: int) -> str:
        """What a program has said so far."""
        return (tmp_path / f"said-{number}").read_text()

    try:
        anna = server.visitor("Anna")
        table = anna.create("charioteer", "open", "open")
        program = f"{sys.executable} -I {EXAMPLES / 'program_bot.py'}"
        start("-m", "spina", "join", f"{address}/t/{table}", "--program", program)
        start(str(EXAMPLES / "bot.py"), address, "--table", table, "--seed", "1")
        give_up = time.monotonic() + PATIENCE
        while anna.see(table)["state"]["version"] < 9:  # both have chosen
            assert time.monotonic() < give_up and all(process.poll() is None for process in started)
            time.sleep(0.05)
        restless.stop()
        while server.ask("GET", "/api/tables").status != 503:
            assert time.monotonic() < give_up
        while "the database does not answer" not in said(0):  # nor has the other one ended
            assert time.monotonic() < give_up
            time.sleep(0.05)
        assert all(process.poll() is None for process in started)
        restless.start()
        assert [process.wait(PATIENCE) for process in started] == [0, 0], [said(0), said(1)]
    finally:
        for process in started:
            process.kill()
            process.wait()
        server.stop()
    assert all("race is over: place" in words and "Traceback" not in words for words in (said(0), said(1)))
    assert f"Waiting for {address}: the database does not answer" in said(0)


def test_whoever_follows_a_link_again_is_at_the_same_table(server: Server) -> None:
    anna, ben, cleo = server.visitor("Anna"), server.visitor("Ben"), server.visitor("Cleo")
    table = anna.create("charioteer", "me", "open")
    path = anna.post(f"/api/tables/{table}/links", {"kind": "seat", "seat": 1}).json["path"]
    secret = {"secret": path.removeprefix("/l/")}
    assert ben.post("/api/links", secret).json == {"id": table}
    assert ben.post("/api/links", secret).json == {"id": table}  # the first answer was lost
    assert cleo.post("/api/links", secret).json["error"] == "used"


def _opened(client: Any, table: str) -> Page:
    """The table's page, as soon as it can be opened again."""
    give_up = time.monotonic() + PATIENCE
    while True:
        page = Page(client, table)
        try:
            page.hear_of("welcome")
            return page
        except ConnectionClosed:
            assert time.monotonic() < give_up
            time.sleep(0.1)
