"""`spina` and `spina serve` as processes: where they listen, what they say, and how they end."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

import spina
from spina.cli import main
from spina.errors import OptionError, SpinaError
from spina.table import server as serving
from spina.table.settings import Settings, sqlite_url
from spina.table.store import sqlite_lock

pytestmark = pytest.mark.server

PATIENCE = 60
"""Seconds that a server may take on a busy machine."""

SOURCE = str(Path(spina.__file__).parents[1])


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SPINA_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


class Running:
    """A server in a process of its own."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "spina", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": SOURCE},
        )

    def url(self) -> str:
        """Where it says that it can be reached."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        found = re.fullmatch(r"The table is open: (http://\S+)\n", line)
        assert found, line + (self.process.stderr.read() if self.process.stderr else "")
        return found[1]

    def end(self, number: int = signal.SIGINT) -> tuple[int, str, str]:
        """Its exit code, and what it said last."""
        assert self.process.stdout and self.process.stderr
        self.process.send_signal(number)
        with self.process.stdout as out, self.process.stderr as err:  # `communicate` would forget what was read ahead
            return self.process.wait(PATIENCE), out.read(), err.read()


@contextmanager
def running(*arguments: str) -> Iterator[Running]:
    server = Running(*arguments)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.process.kill()
            server.process.communicate()


def ask(url: str, body: object = None, token: str | None = None) -> Any:
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, headers), timeout=60) as answer:
        return json.load(answer)


def wait_for_the_end(page: ClientConnection) -> None:
    """Until the server closes the connection. Raises TimeoutError if it does not."""
    with suppress(ConnectionClosed):
        while True:
            page.recv(timeout=10)


def free_port() -> int:
    with closing(socket.socket()) as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


# --- spina ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_spina_opens_a_page_and_closes_it_politely(number: int, data: Path) -> None:
    with running("--no-browser", "--port", "0") as server:
        url = server.url()
        with urlopen(url, timeout=60) as page:
            assert page.status == 200
            assert "server" not in page.headers
        code, out, err = server.end(number)
    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == "The table is closed. Races go on when it is opened again."
    assert (data / "table.db").stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(data / "table.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_server_drains_after_sigterm_and_is_not_ready_meanwhile() -> None:
    with running("serve", "--port", "0", "--drain", "60") as server:
        url = server.url()
        token = ask(f"{url}/api/visitors", {})["token"]
        seats = [{"kind": "me"}, {"kind": "open"}]
        table = ask(f"{url}/api/tables", {"game": "charioteer", "seats": seats}, token)["id"]
        address = f"{url.replace('http', 'ws')}/t/{table}/live"
        with connect(address, additional_headers={"authorization": f"Bearer {token}"}) as page:
            assert json.loads(page.recv(timeout=PATIENCE))["type"] == "welcome"
            server.process.send_signal(signal.SIGTERM)
            until = time.monotonic() + PATIENCE
            while _readiness(url) == 200 and time.monotonic() < until:
                time.sleep(0.05)
            assert _readiness(url) == 503
            assert ask(f"{url}/api/visitors", {})["token"]  # requests and pages are served until the port closes
            page.send(json.dumps({"type": "say", "key": "a-key-of-mine", "text": "Salve"}))
            while json.loads(page.recv(timeout=PATIENCE)).get("key") != "a-key-of-mine":
                pass
            assert server.process.poll() is None
            code, _, err = server.end(signal.SIGTERM)  # the second time without waiting
            wait_for_the_end(page)
            assert page.close_code == 1012  # pages reconnect
        assert (code, err) == (0, "")


def _readiness(url: str) -> int:
    try:
        with urlopen(f"{url}/readyz", timeout=PATIENCE) as answer:
            return int(answer.status)
    except HTTPError as error:
        error.close()
        return error.code


def test_clients_that_break_off_pipelined_requests_leave_no_traceback() -> None:
    with running("serve", "--port", "0") as server:
        host = server.url().removeprefix("http://")
        name, port = host.split(":")
        request = f"GET /api/games HTTP/1.1\r\nhost: {host}\r\n\r\n"
        upgrade = f"GET / HTTP/1.1\r\nhost: {host}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"
        for end in ("no request\r\n\r\n", upgrade, ""):
            for _ in range(20):
                with socket.create_connection((name, int(port)), timeout=PATIENCE) as client:
                    client.sendall((12 * request + end).encode())
                    if end:
                        while client.recv(65536):
                            pass
        code, _, err = server.end()
    assert code == 0 and "Traceback" not in err


def test_an_open_page_does_not_hold_up_the_end() -> None:
    with running("--no-browser", "--port", "0") as server:
        url = server.url()
        token = ask(f"{url}/api/visitors", {})["token"]
        seats = [{"kind": "me"}, {"kind": "open"}]
        table = ask(f"{url}/api/tables", {"game": "charioteer", "seats": seats}, token)["id"]
        address = f"{url.replace('http', 'ws')}/t/{table}/live"
        with connect(address, additional_headers={"authorization": f"Bearer {token}"}) as page:
            assert json.loads(page.recv(timeout=60))["type"] == "welcome"
            code, _, err = server.end()  # raises when it takes too long: the page would stay open for ever
            wait_for_the_end(page)
    assert (code, err) == (0, "")


def test_a_message_that_is_too_long_ends_the_connection() -> None:
    with running("--no-browser", "--port", "0") as server:
        url = server.url()
        token = ask(f"{url}/api/visitors", {})["token"]
        seats = [{"kind": "me"}, {"kind": "open"}]
        table = ask(f"{url}/api/tables", {"game": "charioteer", "seats": seats}, token)["id"]
        address = f"{url.replace('http', 'ws')}/t/{table}/live"
        with connect(address, additional_headers={"authorization": f"Bearer {token}"}) as page:
            page.recv(timeout=60)
            page.send("x" * (Settings().largest_message + 1))
            wait_for_the_end(page)
        assert page.close_code == 1009
        assert server.end()[0] == 0


def test_a_second_spina_shows_the_first_one() -> None:
    with running("--no-browser", "--port", "0") as first:
        url = first.url()
        with running("--no-browser") as second:
            out, err = second.process.communicate(timeout=60)
        assert (second.process.returncode, out, err) == (0, f"The table is open already: {url}\n", "")
        with running("serve", "--port", "0") as third:
            out, err = third.process.communicate(timeout=60)
        assert (third.process.returncode, out) == (2, "")
        assert f"table.db is in use by another server: {url} (process {first.process.pid})" in err
        assert first.end()[0] == 0


def test_spina_says_that_it_is_ready_and_what_to_open_where_there_is_no_screen() -> None:
    with running("--port", "0") as first:  # not in a terminal
        url = first.url()
        assert first.process.stdout
        said = [first.process.stdout.readline().strip() for _ in range(3)]
        assert said[0] == serving.OPEN_IT
        assert said[2] == serving.READY or said[2].endswith("s, ready")
        with running() as second:
            out, err = second.process.communicate(timeout=60)
        assert (second.process.returncode, out, err) == (
            0,
            f"The table is open already: {url}\n{serving.OPEN_IT}\n",
            "",
        )
        assert first.end()[0] == 0


def test_what_a_killed_server_left_behind_does_not_stand_in_the_way() -> None:
    with running("--no-browser", "--port", "0") as first:
        first.url()
        first.process.kill()
        first.process.communicate()
    with running("--no-browser", "--port", "0") as second:
        second.url()
        assert second.end()[0] == 0


# --- spina serve ----------------------------------------------------------------------------------------------------


def test_a_port_that_is_taken_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with closing(serving.listen("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 2
    assert capsys.readouterr().err.startswith(f"spina: 127.0.0.1 port {port} cannot be used: ")


def test_without_a_port_the_next_free_one_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "PORT", free_port())
    with closing(serving.listen("127.0.0.1", None)) as first, closing(serving.listen("127.0.0.1", None)) as second:
        numbers = [sock.getsockname()[1] for sock in (first, second)]
    assert numbers[0] == serving.PORT
    assert serving.PORT < numbers[1] < serving.PORT + serving.NEARBY


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--database", "mysql://localhost/x"], "not in mysql"),
        (["--database", "rubbish"], "no database URL"),
        (["--host", "nowhere.invalid"], "there is no host"),
        (["--host", "192.0.2.77"], "cannot be"),
        (["--origin", "races.example"], "such as https://races.example"),
    ],
)
def test_what_cannot_be_served_is_said_in_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--port", "0", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("text", ["70000", "-1", "eight"])
def test_what_is_no_port(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--port", text])
    assert "a port is a number" in capsys.readouterr().err or text == "-1"


def test_listening_for_others_comes_with_a_warning() -> None:
    with running("serve", "--host", "0.0.0.0", "--port", "0") as server:
        url = server.url()
        assert url.startswith("http://127.0.0.1:")
        code, out, _ = server.end()
    assert code == 0
    assert "TLS proxy" in out


def test_on_loopback_nobody_is_warned() -> None:
    with running("serve", "--port", "0") as server:
        server.url()
        _, out, _ = server.end()
    assert "Warning" not in out


@pytest.mark.parametrize(
    ("given", "origin"),
    [
        ("https://Races.Example/", "https://races.example"),
        ("https://races.example:443", "https://races.example"),
        ("http://10.0.0.5:8000", "http://10.0.0.5:8000"),
    ],
)
def test_origins_as_browsers_write_them(given: str, origin: str) -> None:
    assert serving._origin(given) == origin


@pytest.mark.parametrize(
    "given", ["", "races.example", "ftp://a.example", "https://a.example/x", "https://u@a.b", "https://a:x"]
)
def test_what_is_no_origin(given: str) -> None:
    with pytest.raises(OptionError):
        serving._origin(given)


def test_no_browser_opens_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    for name in ("CI", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not serving.can_show()
    monkeypatch.setenv("DISPLAY", ":0")
    assert serving.can_show()
    monkeypatch.setenv("CI", "true")
    assert not serving.can_show()
    monkeypatch.delenv("CI")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False, raising=False)
    assert not serving.can_show()


# --- one server for a database --------------------------------------------------------------------------------------


def test_a_database_is_claimed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_lock, "PATIENCE", 0.3)
    database = tmp_path / "table.db"
    with sqlite_lock.locked(database) as held:
        with pytest.raises(sqlite_lock.Taken, match="still starting"), sqlite_lock.locked(database):
            pass
        held.announce("http://127.0.0.1:1")
        with pytest.raises(sqlite_lock.Taken) as error, sqlite_lock.locked(database):
            pass
        assert error.value.running == sqlite_lock.Running(os.getpid(), "http://127.0.0.1:1")
    with sqlite_lock.locked(database), sqlite_lock.locked(tmp_path / "other.db"):
        pass


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(SpinaError, match=r"file/table\.db\.lock cannot be made"),
        sqlite_lock.locked(tmp_path / "file/table.db"),
    ):
        pass


# --- spina verify ---------------------------------------------------------------------------------------------------


def test_verify_replays_a_database_and_names_what_differs(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify"]) == 0
    assert capsys.readouterr().out == "0 races, 0 actions: no differences\n"
    with running("--no-browser", "--port", "0") as server:
        url = server.url()
        token = ask(f"{url}/api/visitors", {})["token"]
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "competent"}]
        table = ask(f"{url}/api/tables", {"game": "charioteer", "seats": seats}, token)["id"]
        seen = ask(f"{url}/api/tables/{table}?seat=0", token=token)
        choice = {"key": "a-key-of-mine", "seat": 0, "actions": [seen["legal"][0]]}
        ask(f"{url}/api/tables/{table}/play", choice, token)
        assert server.end()[0] == 0
    address = sqlite_url(data / "table.db")
    assert main(["verify", "--database", address]) == 0
    assert re.fullmatch(r"1 race, \d+ actions?: no differences\n", capsys.readouterr().out)
    with closing(sqlite3.connect(data / "table.db")) as database:
        database.execute("UPDATE journal SET actions = '[\"nonsense\"]' WHERE kind = 'play'")
        database.commit()
    assert main(["verify", "--database", address]) == 1
    out = capsys.readouterr().out
    assert f"table {table}" in out
    assert out.endswith(": 1 differs\n")
