"""Health checks: whether a server is alive and ready, and the address that metrics and checks may have of their own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import httpx
import pytest
from postgres_server import PostgresServer
from serving_helpers import PATIENCE, Client, Server
from starlette.responses import PlainTextResponse

import spina
from spina.cli import main
from spina.errors import OptionError, StoreError
from spina.table import server as serving
from spina.table.http import health
from spina.table.http.health import Health, Monitoring
from spina.table.metrics import Metrics
from spina.table.store.journal_store import Store

COMPILED = {"charioteer": "compiled", "chariot-race": "compiled"}


class FakeStore:
    """A database that answers, fails or hangs, as a test likes."""

    def __init__(self) -> None:
        self.asked, self.fails = 0, False
        self.answers = asyncio.Event()
        self.answers.set()

    async def ping(self) -> None:
        self.asked += 1
        await self.answers.wait()
        if self.fails:
            raise StoreError("the database failed")


class Checked:
    """The checks of a server whose database and games are made up."""

    def __init__(self, store: Any = None) -> None:
        self.store, self.games = store or FakeStore(), dict(COMPILED)
        self.health = Health()
        self.health.start(self.store, SimpleNamespace(tiers=lambda: self.games))  # type: ignore[arg-type]
        self.app = Monitoring(self.health, Metrics(), PlainTextResponse("the table"))
        transport = httpx.ASGITransport(self.app, client=("10.0.0.9", 1))
        self.client = httpx.AsyncClient(transport=transport, base_url="http://10.0.0.3:8000")

    async def ask(self, path: str = "/readyz") -> httpx.Response:
        return await self.client.get(path)

    async def until(self, status: int) -> httpx.Response:
        async with asyncio.timeout(PATIENCE):
            while (found := await self.ask()).status_code != status:
                await asyncio.sleep(0.02)
        return found


def checked(test: Callable[[Checked], Awaitable[None]]) -> None:
    async def run() -> None:
        async with asyncio.timeout(PATIENCE):
            await test(Checked())

    asyncio.run(run())


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database is asked anew each time, and not waited for."""
    monkeypatch.setattr(health, "FRESH", 0.0)
    monkeypatch.setattr(health, "PATIENCE", 0.05)


# --- alive and ready --------------------------------------------------------------------------------------------------


def test_a_server_answers_checks_under_any_name_without_a_visitor(server: Server) -> None:
    for host in (f"127.0.0.1:{server.port}", "10.0.0.3", "loadbalancer.internal:80", ""):
        alive = server.ask("GET", "/healthz", headers={"host": host})
        assert (alive.status, alive.text) == (200, "ok\n"), host
        assert "set-cookie" not in alive.headers and alive.headers["cache-control"] == "no-store"
        assert server.ask("GET", "/readyz", headers={"host": host}).status in (200, 503)
    assert server.ask("HEAD", "/healthz").body == b""
    assert server.ask("POST", "/healthz", b"").status in (404, 405)  # an ordinary unknown path
    assert server.ask("GET", "/", headers={"host": "10.0.0.3"}).status == 421


def test_a_server_is_ready_when_database_and_games_are(server: Server) -> None:
    until = time.monotonic() + PATIENCE
    while (found := server.ask("GET", "/readyz")).status == 503 and time.monotonic() < until:
        assert found.json["database"] and "waiting" in found.json["games"].values()  # tests run compiled
        time.sleep(0.1)
    games = dict.fromkeys(spina.game_names(), "compiled")
    assert found.status == 200 and found.headers["content-type"] == "application/json"
    assert found.json == {"ready": True, "database": True, "games": games, "state": "running"}


def test_a_server_is_not_ready_before_its_start_and_while_it_closes() -> None:
    async def test(it: Checked) -> None:
        new = Monitoring(Health(), Metrics(), PlainTextResponse("the table"))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(new), base_url="http://a") as client:
            found = await client.get("/readyz")
            assert (found.status_code, found.json()["state"]) == (503, "starting")
            assert (await client.get("/healthz")).text == "ok\n"
        assert (await it.ask()).status_code == 200
        it.health.close()
        found = await it.ask()
        assert (found.status_code, found.json()["state"], found.json()["ready"]) == (503, "closing", False)
        assert (await it.ask("/healthz")).status_code == 200

    checked(test)


def test_a_game_that_waits_for_its_compiler_is_named(hurried: None) -> None:
    async def test(it: Checked) -> None:
        it.games["chariotmaster"] = "waiting"
        found = await it.ask()
        assert found.status_code == 503 and found.json()["games"] == {**COMPILED, "chariotmaster": "waiting"}
        it.games["chariotmaster"] = "interpreted"  # slower, and playable
        assert (await it.ask()).status_code == 200

    checked(test)


def test_a_database_that_fails_or_hangs_is_reported_and_not_asked_twice_at_a_time(hurried: None) -> None:
    async def test(it: Checked) -> None:
        it.store.fails = True
        found = await it.ask()
        assert (found.status_code, found.json()["database"]) == (503, False)
        it.store.fails, asked = False, it.store.asked
        it.store.answers.clear()
        answers = await asyncio.gather(*(it.ask() for _ in range(5)))
        assert {each.status_code for each in answers} == {503}
        assert (await it.ask("/healthz")).status_code == 200
        assert it.store.asked == asked + 1
        it.store.answers.set()
        assert (await it.until(200)).json()["database"]

    checked(test)


def test_many_checks_read_the_database_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "FRESH", 3600.0)

    async def test(it: Checked) -> None:
        it.health._checked = -3600.0
        for _ in range(50):
            assert (await it.ask()).status_code == 200
        assert it.store.asked == 1

    checked(test)


def test_an_address_that_asks_without_end_is_refused_and_others_are_not() -> None:
    async def test(it: Checked) -> None:
        statuses = [(await it.ask("/healthz")).status_code for _ in range(int(2 * health.CHECKS_AT_ONCE))]
        assert statuses[: int(health.CHECKS_AT_ONCE)] == [200] * int(health.CHECKS_AT_ONCE)
        assert 429 in statuses
        other = httpx.ASGITransport(it.app, client=("10.0.0.10", 1))
        async with httpx.AsyncClient(transport=other, base_url="http://a") as client:
            assert (await client.get("/readyz")).status_code == 200

    checked(test)


@pytest.fixture
def own_postgres() -> Iterator[PostgresServer]:
    server = PostgresServer()
    yield server
    server.close()


@pytest.mark.server
@pytest.mark.slow
def test_a_server_is_not_ready_during_an_outage_and_ready_after_it(
    own_postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "FRESH", 0.05)

    @contextlib.asynccontextmanager
    async def opened() -> AsyncIterator[Checked]:
        store = await Store.open(own_postgres.new_database())
        try:
            yield Checked(store)
        finally:
            await store.close()

    async def run() -> None:
        async with opened() as it:
            assert (await it.ask()).status_code == 200
            own_postgres.stop()
            assert (await it.until(503)).json()["database"] is False
            own_postgres.start()
            assert (await it.until(200)).json()["database"] is True

    asyncio.run(run())


def test_a_broken_sqlite_file_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "FRESH", 0.0)
    path = tmp_path / "table.db"

    async def run() -> None:
        store = await Store.open(f"sqlite:///{path}")
        it = Checked(store)
        assert (await it.ask()).status_code == 200
        store._reading.dispose()
        path.write_bytes(b"this is no database" * 1000)
        assert (await it.ask()).status_code == 503
        await store.close()

    asyncio.run(run())


# --- an address of their own ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["", "9100", "127.0.0.1", "127.0.0.1:", ":9100", "127.0.0.1:70000", "127.0.0.1:x", "::1:9100", "[::1]", "[a:1"],
)
def test_what_is_no_address_for_metrics(
    text: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPINA_DATA_DIR", str(tmp_path))
    with pytest.raises(OptionError):
        serving._address(text)
    assert main(["serve", "--port", "0", f"--metrics={text}"]) == 2
    said = capsys.readouterr().err
    assert "such as 127.0.0.1:9100" in said and said.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "address"),
    [("10.0.0.5:9100", ("10.0.0.5", 9100)), ("[::1]:0", ("::1", 0)), ("a.example:1", ("a.example", 1))],
)
def test_addresses_for_metrics(text: str, address: tuple[str, int]) -> None:
    assert serving._address(text) == address


def test_a_port_for_metrics_that_is_taken_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPINA_DATA_DIR", str(tmp_path))
    with contextlib.closing(serving.listen("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", "0", "--metrics", f"127.0.0.1:{port}"]) == 2
    assert capsys.readouterr().err.startswith(f"spina: 127.0.0.1 port {port} cannot be used: ")


def status(url: str) -> int:
    try:
        with urlopen(url, timeout=PATIENCE) as answer:
            return int(answer.status)
    except HTTPError as error:
        error.close()
        return error.code


@pytest.mark.server
def test_metrics_on_an_address_of_their_own_end_with_the_server(tmp_path: Path) -> None:
    environment = {**os.environ, "SPINA_DATA_DIR": str(tmp_path), "PYTHONPATH": str(Path(spina.__file__).parents[1])}
    command = [sys.executable, "-m", "spina", "serve", "--port", "0", "--metrics", "127.0.0.1:0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        try:
            said = process.stdout.readline() + process.stdout.readline()
            found = re.fullmatch(r"The table is open: (\S+)\nMetrics: (http://127\.0\.0\.1:\d+)/metrics\n", said)
            assert found, said
            table, metrics = found.groups()
            with urlopen(f"{metrics}/metrics", timeout=PATIENCE) as answer:
                assert answer.headers["content-type"].startswith("text/plain; version=")
                assert b"\nspina_rooms 0.0\n" in answer.read()
            paths = ("/healthz", "/metrics", "/", "/api/games", "/api/tables")
            assert [status(metrics + path) for path in paths] == [200, 200, 404, 404, 404]
            # a proxy that adds no header could not be told from this machine
            assert [status(table + path) for path in paths] == [200, 404, 200, 200, 200]
            process.send_signal(signal.SIGTERM)
            code = process.wait(PATIENCE)
        finally:
            process.kill()
        assert (code, process.stderr.read()) == (0, "")
    with pytest.raises(OSError, match="refused"):
        urlopen(f"{metrics}/healthz", timeout=PATIENCE)


@pytest.mark.server
def test_a_thinker_has_metrics_and_health_checks_on_an_address_of_their_own(postgres_url: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(spina.__file__).parents[1])}
    command = [sys.executable, "-m", "spina", "think", "--workers", "1", "--metrics", "127.0.0.1:0"]
    with subprocess.Popen(
        [*command, "--database", postgres_url],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        try:
            said = process.stdout.readline()
            found = re.fullmatch(r"Metrics: (http://127\.0\.0\.1:\d+)/metrics\n", said)
            assert found, said
            with urlopen(f"{found[1]}/metrics", timeout=PATIENCE) as answer:
                assert b"\nspina_bot_workers 1.0\n" in answer.read()
            until = time.monotonic() + PATIENCE
            while status(f"{found[1]}/readyz") == 503 and time.monotonic() < until:
                time.sleep(0.05)
            paths = ("/healthz", "/readyz", "/", "/api/games")
            assert [status(found[1] + path) for path in paths] == [200, 200, 404, 404]
            process.send_signal(signal.SIGTERM)
            code = process.wait(PATIENCE)
        finally:
            process.kill()
        assert (code, process.stderr.read()) == (0, "")


def test_checks_do_not_use_up_what_a_visitor_may_ask(server: Server) -> None:
    someone: Client = server.visitor("Anna")
    for _ in range(50):
        assert server.ask("GET", "/healthz", headers=someone.headers).status == 200
