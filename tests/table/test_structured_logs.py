"""Structured logs: their form, the ids of request and table in them, and nothing secret."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import os
import random
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from house_helpers import House, in_house
from serving_helpers import FREELY, Client, Server, any_legal, serving
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from websockets.sync.client import connect

import spina
from spina.table import log_context
from spina.table.app import create
from spina.table.http.addresses import Trusted
from spina.table.http.request_log import RequestLog, TrustedRequestIds
from spina.table.instrumentation import NO_INSTRUMENTATION
from spina.table.settings import Settings
from spina.table.store.journal_store import Store
from spina.table.store.records import Entry, Table
from spina.table.structured_logs import ContextFilter, JsonFormatter

TABLE = "abcdefgh23"


@pytest.fixture
def lines() -> Iterator[Any]:
    """A logger, and what it has written."""
    written: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(self.format(record))

    handler, log = Kept(), logging.getLogger("spina.table.test")
    handler.setFormatter(JsonFormatter())
    handler.addFilter(ContextFilter())
    log.addHandler(handler)
    yield log, written
    log.removeHandler(handler)


# --- lines ------------------------------------------------------------------------------------------------------------


def test_a_record_is_one_line_of_json(lines: Any) -> None:
    log, written = lines
    log_context.begin_request("a-request", f"/t/{TABLE}/live")
    try:
        raise ValueError(f"the table\n{TABLE}")
    except ValueError:
        log.exception("table %s\nis broken", TABLE, extra={"fields": {"seconds": 0.5}})
    (line,) = written
    assert "\n" not in line and TABLE not in line
    found = json.loads(line)
    named = log_context.digest(TABLE)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", found.pop("time"))
    assert f"ValueError: the table\n{named}" in found.pop("exception")
    assert found == {
        "level": "error",
        "logger": "spina.table.test",
        "message": f"table {named}\nis broken",
        "request": "a-request",
        "table": named,
        "seconds": 0.5,
    }


def test_a_line_has_an_encoding_whatever_is_in_it() -> None:
    record = logging.LogRecord("spina.table", logging.ERROR, "", 0, "%s", ("a lone surrogate: \udcff",), None)
    assert JsonFormatter().format(record).isascii()


def test_lines_outside_of_requests_have_neither_request_nor_table(lines: Any) -> None:
    log, written = lines
    log_context.begin_request("a-request", "/api/games")
    log.warning("within")
    log_context.begin_work_on(TABLE)
    log.warning("work on table %s", TABLE)
    log_context.begin_request("", "/")
    log.warning("outside")
    within, work, outside = (json.loads(line) for line in written)
    assert within["request"] == "a-request" and "table" not in within
    assert work["table"] == log_context.digest(TABLE) and "request" not in work and TABLE not in work["message"]
    assert "request" not in outside and "table" not in outside


@pytest.mark.skipif(not shutil.which("b2sum"), reason="b2sum is not installed")
def test_the_digest_of_a_table_can_be_computed_as_the_guide_says() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")
    command = "printf %s ID | b2sum | cut -c1-10"
    assert command in guide
    said = subprocess.run(command.replace("ID", TABLE), shell=True, capture_output=True, text=True, check=True)
    assert said.stdout.strip() == log_context.digest(TABLE) == hashlib.blake2b(TABLE.encode()).hexdigest()[:10]


@pytest.mark.parametrize(
    ("path", "named"),
    [
        (f"/t/{TABLE}", True),
        (f"/t/{TABLE}/live", True),
        (f"/api/tables/{TABLE}/play", True),
        (f"/l/{TABLE}", False),
        (f"/t/{TABLE}-x", False),
        ("/t/a", False),  # no id: replacing it would spoil the text
        ("/api/games", False),
    ],
)
def test_paths_that_name_a_table(path: str, named: bool) -> None:
    log_context.begin_request("a", path)
    assert log_context.table() == (log_context.digest(TABLE) if named else "")
    log_context.begin_request("", "/")


# --- request ids ------------------------------------------------------------------------------------------------------


def test_every_answer_has_an_id_of_its_own_that_the_client_cannot_choose(server: Server) -> None:
    asked = [
        server.ask("GET", path, headers={"x-request-id": "chosen"})
        for path in ("/", "/api/games", "/nowhere", "/api/tables/none", "/api/games")
    ]
    asked.append(server.ask("GET", "/", headers={"host": "evil.example"}))
    ids = [answer.headers["x-request-id"] for answer in asked]
    assert len(set(ids)) == len(ids) and all(re.fullmatch("[0-9a-f]{16}", id) for id in ids)
    anna = server.visitor("Anna")
    url = f"ws://127.0.0.1:{server.port}/t/{anna.create('chariot-race', 'me', 'open')}/live"
    with connect(url, additional_headers={**anna.headers, "x-request-id": "chosen"}, open_timeout=60) as socket:
        assert socket.response is not None
        assert re.fullmatch("[0-9a-f]{16}", socket.response.headers["x-request-id"])


@pytest.mark.parametrize(
    ("client", "given", "kept"),
    [
        ("10.0.0.9", "from-Proxy-7", True),
        ("203.0.113.7", "from-Proxy-7", False),
        ("10.0.0.9", "a" * 65, False),
        ("10.0.0.9", 'a"\n{}', False),
        ("10.0.0.9", "", False),
    ],
)
def test_an_id_of_a_trusted_proxy_is_kept_if_it_is_harmless(client: str, given: str, kept: bool) -> None:
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "client": (client, 1),
        "headers": [(b"x-request-id", given.encode())],
    }
    asyncio.run(TrustedRequestIds(RequestLog(app, NO_INSTRUMENTATION), Trusted(["10.0.0.0/8"]))(scope, None, send))  # type: ignore[arg-type]
    ((name, value),) = sent[0]["headers"]
    assert name == b"x-request-id" and (value.decode() == given) is kept


def test_an_answer_to_a_failure_has_an_id_and_is_counted(tmp_path: Path) -> None:
    async def fail(request: Request) -> Response:
        raise RuntimeError("a mistake")

    app = create(Settings(database=f"sqlite:///{tmp_path / 'table.db'}"))
    app.router.routes.insert(0, Route("/static/fails", fail))  # static files need no visitor

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.get("/static/fails")

    answer = asyncio.run(ask())
    assert answer.status_code == 500 and re.fullmatch("[0-9a-f]{16}", answer.headers["x-request-id"])
    assert app.state.metrics.registry.get_sample_value("spina_errors_total", {"source": "response"}) == 1


def test_bots_do_not_work_in_the_name_of_the_request_that_woke_them(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        seen: list[tuple[str, str]] = []
        choose = house.bot_pool.choose

        async def noting(*question: Any, **how: Any) -> str:
            seen.append((log_context.request(), log_context.table()))
            return await choose(*question, **how)

        house.bot_pool.choose = noting  # type: ignore[method-assign]
        log_context.begin_request("a-request", "/api/tables")
        room = await house.table(await house.visitor("Anna"), "chariot-race", "competent", "competent")
        while len(seen) < 3:
            await asyncio.sleep(0)
        assert set(seen) == {("", log_context.digest(room.table.id))}
        assert log_context.request() == "a-request"

    in_house(tmp_path, test)


# --- spina serve --log json -------------------------------------------------------------------------------------------


@pytest.mark.server
def test_everything_that_the_server_says_is_json(tmp_path: Path) -> None:
    environment = {**os.environ, "SPINA_DATA_DIR": str(tmp_path), "PYTHONPATH": str(Path(spina.__file__).parents[1])}
    command = [sys.executable, "-m", "spina", "serve", "--port", "0", "--log", "json"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        try:
            first = json.loads(process.stderr.readline())
            assert first["message"].startswith("The table is open: http://127.0.0.1:") and first["level"] == "info"
            second = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0
        finally:
            process.kill()
        rest = [json.loads(line) for line in process.stderr.read().splitlines()]
        assert rest[-1]["message"].startswith("The table is closed.")
        assert process.stdout.read() == ""
    assert (second.returncode, second.stdout) == (2, "")
    (refusal,) = second.stderr.splitlines()
    assert "in use by another server" in json.loads(refusal)["message"] and json.loads(refusal)["level"] == "critical"


def kept(database: str, id: str) -> tuple[Table, list[Entry]]:
    async def read() -> tuple[Table, list[Entry]]:
        store = await Store.open(database)
        try:
            table = await store.table(id)
            assert table is not None
            return table, await store.journal(id)
        finally:
            await store.close()

    return asyncio.run(read())


def race_to_the_end(table: str, people: list[Client]) -> None:
    """Race a table, by turns over HTTP and over a WebSocket."""
    chance = random.Random(5)
    with people[1].open(table) as page:
        page.hear_of("welcome")
        while people[0].see(table, seat=0)["state"]["status"] == "running":
            for seat, person in enumerate(people):
                found = any_legal(person, table, seat, chance)
                if found is None:
                    continue
                action, version = found
                if seat == 1:
                    answer = page.ask(type="play", seat=seat, actions=[action], version=version)
                    assert answer["type"] == "done", answer
                else:
                    assert person.play(table, seat, action, version=version).status == 200


@pytest.mark.server
@pytest.mark.slow
def test_neither_logs_nor_metrics_contain_a_secret(tmp_path: Path) -> None:
    with serving(tmp_path / "server", **FREELY, json_logs=True) as server:
        anna, ben = server.visitor("Annabella-7"), server.visitor("Benvolio-8")
        table = anna.create("charioteer", "me", "open", watching="link")
        path = anna.post(f"/api/tables/{table}/links", {"kind": "join"}).json["path"]
        secret = path.rsplit("/", 1)[1]
        browser = ben.cookie() | {"accept": "text/html"}
        assert server.ask("GET", f"{path}?from=private-query", None, browser).status == 200
        assert ben.post("/api/links", {"secret": secret}).status == 200
        assert (
            anna.post(f"/api/tables/{table}/chat", {"key": "chat-key-of-mine", "text": "unheard-of words"}).status
            == 200
        )
        with ben.open(table) as page:
            page.hear_of("welcome")
            page.ask(type="say", text="whispered words")
            page.ask(type="play", seat=0, actions=["not-your-seat"])
        for asked in (
            f"/t/{table}?seat=private-query",
            f"/t/{table}/replay",
            f"/t/{table}/file",
            f"/api/tables/{table}/x",
        ):
            server.ask("GET", asked, None, browser)
        anna.play(table, 0, "illegal-action")
        anna.post(f"/api/tables/{table}/play", {"seat": "malformed-body"})
        server.ask("GET", "/api/tables", headers={"authorization": "Bearer made-up-token-0123456789"})
        server.ask("GET", "/", headers={"x-forwarded-for": "203.0.113.77", "x-request-id": "chosen-by-client"})
        race_to_the_end(table, [anna, ben])
        metrics = server.ask("GET", "/metrics").text
        server.stop()
        record, journal = kept(server.database, table)
        log = server.log.read_text()
        found = [json.loads(line) for line in log.splitlines()]
        routes = {line.get("route") for line in found}
        assert {"/l/{secret}", "/t/{id}/live", "/api/tables/{id}/play", "/api/tables/{id}/chat"} <= routes
        assert log_context.digest(table) in {line.get("table") for line in found}
        assert 'route="/l/{secret}"' in metrics and 'spina_choices_total{game="charioteer",seat="person"}' in metrics
        chosen = {action for entry in journal for action in entry.actions if len(action) >= 6}
        assert record.status == "over" and len(chosen) > 10
        secrets = {
            *(anna.token, ben.token, anna.id, ben.id, "Annabella-7", "Benvolio-8", table, secret, "private-query"),
            *("unheard-of", "whispered", "not-your-seat", "illegal-action", "malformed-body", "made-up-token"),
            *("203.0.113.77", "127.0.0.1", "chosen-by-client", "chat-key-of-mine"),
            *(str(record.seed), f"{record.seed:x}", record.salt, record.commitment),
            *chosen,
            *(entry.key for entry in journal if entry.key),
        }
        for text in (log, metrics):
            assert [each for each in secrets if each in text] == []
