"""What one anonymous client can do to a table: the attacks of `bench.attack_clients`, in small."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from serving_helpers import FREELY, HOST, PATIENCE, Server, race_on, serving

from bench.attack_clients import (
    ATTACKER,
    Attack,
    Tally,
    bad_edition,
    bearer,
    beside,
    connect,
    edition_flood,
    endless_headers,
    half_requests,
    head,
    honest,
    moments_flood,
    request,
)

pytestmark = pytest.mark.server

SECONDS = 2.0
SLOWER = 10.0
"""How many times as long an honest client may wait on a machine that has other things to do; without limits it waits a
hundred times as long and more."""
ATTEMPTS = 3
LEAST = 0.1
"""Seconds that nobody minds: below it, times on a loaded machine say nothing."""


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with usual limits, but for those that are only met after a while: here they are met soon."""
    soon: dict[str, Any] = {"head_seconds": 1.5, "body_seconds": 1.5, "work_at_once": 0.05, "work_per_second": 0.001}
    with serving(tmp_path_factory.mktemp("usual"), connections=60, connections_per_address=30, **soon) as running:
        running.visitor("Anna").create("charioteer", "me", "open")  # whatever is done once is done
        yield running


def measured(server: Server, attack: Attack, unanswered: float = 0.0) -> Tally:
    """What becomes of an attack, beside which an honest client is neither refused nor slowed down.

    What else the machine does may slow it down: then it is tried again. `unanswered` is the share of its connections
    that may be closed before their request has arrived; a browser asks again then.
    """
    attacks, said = Tally(), []
    for _ in range(ATTEMPTS):
        before, during, attacking = asyncio.run(beside(attack, server.port, ("/", "/api/tables"), SECONDS))
        attacks.statuses += attacking.statuses
        attacks.sent += attacking.sent
        assert set(before.statuses) == {200}
        assert during.statuses.pop(0, 0) <= unanswered * during.statuses[200], during
        assert set(during.statuses) == {200}, during
        if during.median < max(SLOWER * before.median, LEAST):
            return attacks
        said.append(f"alone {before}, then {during}")
    raise AssertionError(said)


# --- editions ---------------------------------------------------------------------------------------------------------


def test_a_flood_of_editions_does_not_slow_others_down(usual: Server) -> None:
    attack = measured(usual, partial(edition_flood, usual.port, seconds=SECONDS))
    assert attack.statuses[200] > 0 and attack.statuses[429] > 0
    assert asyncio.run(_check(usual, ATTACKER)).status == 429
    answer = asyncio.run(_check(usual, HOST))
    assert answer.status == 200 and json.loads(answer.body)["ok"] is False


class _Answer:
    def __init__(self, status: int, body: bytes) -> None:
        self.status, self.body = status, body


async def _check(server: Server, source: str) -> _Answer:
    body = (bad_edition(2_000) + f"# {time.monotonic()}").encode()
    return _Answer(*await request(server.port, "POST", "/new/charioteer/settings", body, bearer(), source))


def test_every_way_to_send_an_edition_is_limited_by_address(tmp_path: Path) -> None:
    with serving(tmp_path / "work", **FREELY | {"work_at_once": 0.02, "work_per_second": 0.001}) as server:
        text = bad_edition(20_000)
        setup = json.dumps({"game": "charioteer", "seats": [{"kind": "me"}, {"kind": "open"}], "edition": text})
        ways = {"/new/charioteer/settings": text, "/api/check": setup, "/api/tables": setup}

        async def answers() -> list[list[int]]:
            return [
                [(await request(server.port, "POST", path, body.encode(), bearer(), source))[0] for _ in range(12)]
                for source, (path, body) in zip(("127.0.0.1", "127.0.0.2", "127.0.0.3"), ways.items(), strict=True)
            ]

        for statuses in asyncio.run(answers()):
            assert statuses[0] in (200, 422) and statuses[-1] == 429
        refused = server.ask("POST", "/new/charioteer/settings", text.encode(), bearer())
        assert refused.status == 429 and int(refused.headers["retry-after"]) >= 1
        assert server.ask("GET", "/api/ready").status == 200


# --- connections ------------------------------------------------------------------------------------------------------


def test_headers_without_end_are_cut_off(usual: Server) -> None:
    attack = measured(usual, partial(endless_headers, usual.port, 30, connections=4, seconds=20.0))
    assert attack.statuses[200] == 0 and attack.sent < ATTEMPTS * 40e6


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\n",
        b"GET / HTTP/1.1\r\nx: " + b"a" * 40_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"x: a\r\n" * 200 + b"\r\n",
        b"GET / HTTP/1.1\r\nx: " + b"a" * 200_000,
    ],
    ids=["long line", "long header", "many headers", "unfinished header"],
)
def test_a_head_that_is_too_large_is_refused_with_its_status(usual: Server, sent: bytes) -> None:
    assert _answer(usual, sent).startswith(b"HTTP/1.1 431 ")
    assert usual.ask("GET", "/api/ready", headers={"x": "a" * 20_000}).status == 200


def _answer(server: Server, sent: bytes) -> bytes:
    """What the server answers to these bytes until it ends the connection."""
    with socket.create_connection((HOST, server.port), PATIENCE) as plain:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            plain.sendall(sent[:100_000])
            time.sleep(0.2)
            plain.sendall(sent[100_000:])
        answer = b""
        with contextlib.suppress(ConnectionResetError):
            while piece := plain.recv(65_536):
                answer += piece
        return answer


@pytest.mark.parametrize(("body", "source"), [(False, HOST), (False, ATTACKER), (True, HOST)])
def test_requests_that_are_never_finished_lock_nobody_out(usual: Server, body: bool, source: str) -> None:
    """From the same address too: connections that ask for nothing make room for those that do.

    There a burst of new connections may close one whose request is still on its way.
    """
    unanswered = 0.1 if source == HOST else 0.0
    attack = measured(usual, partial(half_requests, usual.port, 100, SECONDS, source, body), unanswered)
    assert sum(attack.statuses.values()) > 100  # connections were ended, and opened again


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nx: a",
        b"POST /import HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000\r\n\r\nabc",
        b"POST /nowhere HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n",
        b"POST /import HTTP/1.1\r\nhost: evil.example\r\ncontent-length: 1000\r\n\r\nabc",
    ],
    ids=["nothing", "half a head", "half a body", "half a chunked body", "half a body that was refused"],
)
def test_a_client_that_is_too_slow_is_cut_off(usual: Server, sent: bytes) -> None:
    begun = time.monotonic()
    answer = _answer(usual, sent)  # it ends
    assert time.monotonic() - begun < 60
    assert answer.count(b"HTTP/1.1 ") <= 1


def test_a_slow_client_that_keeps_going_is_served(usual: Server) -> None:
    """A body may take longer than its time as long as it comes with the least bytes a second."""

    async def send() -> bytes:
        reader, writer = await connect(usual.port)
        body = b"name=Anna" + b"&a=" + b"a" * 12_000
        writer.write(head(usual.port, "POST", "/me", {**bearer(), "content-length": str(len(body))}) + b"\r\n")
        for at in range(0, len(body), 600):
            writer.write(body[at : at + 600])
            await asyncio.sleep(0.12)
        answer = await reader.read(64)
        writer.close()
        return answer

    assert asyncio.run(send()).startswith(b"HTTP/1.1 303 ")


def test_an_answer_that_nobody_reads_is_not_kept_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from spina.table.http.connections import STALLED_SECONDS, Connection

    class Transport:
        size = 5_000

        def get_write_buffer_size(self) -> int:
            return self.size

    reading = Connection.__new__(Connection)
    reading.transport, reading.limits = Transport(), type("Limits", (), {"slowest_body": 1000})()  # type: ignore[assignment]
    reading._unread_since, reading._unread = None, 0
    assert not reading._is_unread(100.0)
    assert not reading._is_unread(100.0 + STALLED_SECONDS + 4)
    assert reading._is_unread(100.0 + STALLED_SECONDS + 6)
    reading.transport.size = 0  # type: ignore[attr-defined]
    assert not reading._is_unread(300.0) and reading._unread_since is None


# --- many tokens, one address -----------------------------------------------------------------------------------------


def test_made_up_tokens_do_not_lift_a_limit(tmp_path: Path) -> None:
    strict = {"tables_at_once_per_address": 5, "visitors_at_once_per_address": 9}
    with serving(tmp_path / "tokens", **FREELY | strict | {"tables_per_day_per_address": 10}) as server:
        setup = json.dumps({"game": "charioteer", "seats": [{"kind": "me"}, {"kind": "open"}]}).encode()
        answers = [server.ask("POST", "/api/tables", setup, bearer()) for _ in range(8)]
        assert [answer.status for answer in answers] == [200] * 5 + [429] * 3
        assert answers[-1].json["error"] == "too-many" and int(answers[-1].headers["retry-after"]) > 1
        statuses = [server.ask("POST", "/api/visitors", b"{}").status for _ in range(8)]
        assert statuses == [200] * 4 + [429] * 4
        other = asyncio.run(request(server.port, "POST", "/api/tables", setup, bearer(), ATTACKER))
        assert other[0] == 200


def test_thirty_people_behind_one_address_are_unharmed(tmp_path: Path) -> None:
    """A school's class: each becomes a visitor, looks around, sets a table up, is joined, chats, chooses, reads."""
    edition = bad_edition(2_000)
    with serving(tmp_path / "class") as server:
        refused: Counter[int] = Counter()
        people = [server.visitor(f"P{number}") for number in range(30)]
        tables = []
        for person in people:
            for path in ("/", "/new/charioteer", "/api/games", "/api/tables", "/rules/charioteer"):
                refused[person.get(path).status] += 1
            refused[server.ask("POST", "/new/charioteer/settings", edition.encode(), person.headers).status] += 1
            tables.append(person.create("charioteer", "me", "open"))
        with contextlib.ExitStack() as pages:
            for number, person in enumerate(people):
                table = tables[number - 1]
                refused[person.post(f"/api/tables/{table}/sit").status] += 1
                refused[person.get(f"/t/{table}").status] += 1
                pages.enter_context(person.open(table)).hear_of("welcome")
                refused[person.post(f"/api/tables/{table}/chat", {"key": "a" * 16, "text": "hello"}).status] += 1
            for number, person in enumerate(people):
                race_on(person, tables[number], 0, choices=1)
                refused[person.get(f"/api/tables/{tables[number]}/moments").status] += 1
        assert set(refused) == {200}, refused


# --- moments ----------------------------------------------------------------------------------------------------------


def test_a_flood_of_replays_does_not_slow_others_down(usual: Server) -> None:
    anna = usual.visitor("Anna")
    tables = tuple(anna.create("chariot-race", "random", "random") for _ in range(2))
    for table in tables:
        while anna.see(table, after=10_000, wait=5)["state"]["status"] != "over":
            pass
    attack = measured(usual, partial(moments_flood, usual.port, tables, seconds=SECONDS, source="127.0.0.3"))
    assert attack.statuses[200] > 0 and attack.statuses[0] == 0


# --- the log ----------------------------------------------------------------------------------------------------------


def test_an_upload_that_breaks_off_is_one_line_in_the_log(tmp_path: Path) -> None:
    with serving(tmp_path / "broken") as server:
        for path in ("/import", "/api/check", "/l/a-secret-link"):
            kind = "multipart/form-data; boundary=x" if path == "/import" else "application/x-www-form-urlencoded"
            with socket.create_connection((HOST, server.port), PATIENCE) as plain:
                plain.sendall(head(server.port, "POST", path, {"content-length": "1000", "content-type": kind}))
                plain.sendall(b"\r\n--x\r\n")
                time.sleep(0.3)
        until = time.monotonic() + PATIENCE
        while server.log.read_text().count("broke off") < 2 and time.monotonic() < until:
            time.sleep(0.05)
        server.stop()
        lines = server.log.read_text().splitlines()
        assert len(lines) <= 3 and "Traceback" not in "\n".join(lines), lines
        assert sum("broke off" in line for line in lines) >= 2
        assert not any("a-secret-link" in line for line in lines)


def test_an_honest_client_alone_is_never_refused(usual: Server) -> None:
    assert set(asyncio.run(honest(usual.port, ("/", "/api/games"), 1.0)).statuses) == {200}
