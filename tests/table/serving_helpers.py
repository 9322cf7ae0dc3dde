"""A real server for the tests, in a process of its own on a free port of this machine; and people who come to it."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

HOST = "127.0.0.1"
PATIENCE = 300.0
"""Seconds after which a test gives up waiting for something that must happen."""

_SERVER = """
import sys
import msgspec
from spina.table import server, structured_logs
from spina.table.settings import Settings

chosen = msgspec.json.decode(sys.argv[2])
json_logs = chosen.pop("json_logs", False)
if json_logs:
    structured_logs.configure()
listening = server.listen("127.0.0.1", int(sys.argv[1]))
port = listening.getsockname()[1]
settings = Settings(**{"origins": (f"http://127.0.0.1:{port}",), **chosen})
server._run(settings, listening, None, lambda: print(port, flush=True), json_logs=json_logs)
"""


class Answer(NamedTuple):
    """What a server answered."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


class Server:
    """A server with a database in a folder of its own. It keeps its port when it is started again.

    The setting `json_logs` is its option `--log json`.
    """

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.folder, self.settings = folder, settings
        self.database = f"sqlite:///{folder / 'table.db'}"
        self.log = folder / "server.log"
        self.port = 0
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> Server:
        chosen = {"database": self.database, "workers": 1, **self.settings}
        environment = {**os.environ, "SPINA_DATA_DIR": str(self.folder / "data")}
        source = str(Path(__file__).parents[2] / "src")
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [source, environment.get("PYTHONPATH", "")]))
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _SERVER, str(self.port), msgspec.json.encode(chosen).decode()],
                stdout=subprocess.PIPE,
                stderr=log,
                env=environment,
            )
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        assert said, f"the server did not start: {self.log.read_text()}"
        self.port = int(said)
        return self

    def stop(self) -> None:
        """Ask it to end, and wait until it has."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL)

    def _end(self, number: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(number)
        process.wait(PATIENCE)
        assert process.stdout is not None
        process.stdout.close()

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        chunked: bool = False,
    ) -> Answer:
        """One request, just as it is given."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            sent = iter([body[at : at + 8192] for at in range(0, len(body), 8192)]) if chunked and body else body
            connection.request(method, path, sent, dict(headers or {}), encode_chunked=chunked)
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())

    def visitor(self, name: str | None = None) -> Client:
        """Somebody new."""
        made = self.ask("POST", "/api/visitors", json.dumps({"name": name}).encode())
        assert made.status == 200, made.text
        return Client(self, made.json["token"], made.json["visitor"])


@contextlib.contextmanager
def serving(folder: Path, **settings: Any) -> Iterator[Server]:
    """A running server."""
    folder.mkdir(parents=True, exist_ok=True)
    server = Server(folder, **settings)
    try:
        yield server.start()
    finally:
        server.stop()


FREELY: dict[str, Any] = {
    "requests_per_second": 100_000.0,
    "requests_at_once": 100_000.0,
    "messages_per_second": 100_000.0,
    "messages_at_once": 100_000.0,
    "sockets_per_visitor": 100_000,
    "sockets_per_address": 100_000,
    "bots_per_second": 100_000.0,
    "bots_at_once": 100_000.0,
    "socket_work_per_second": 100_000.0,
    "socket_work_at_once": 100_000.0,
    "tables_per_day": 100_000,
    "tables_per_day_per_address": 100_000,
    "tables_at_once_per_address": 100_000,
    "visitors_at_once_per_address": 100_000,
    "work_per_second": 100.0,
    "work_at_once": 1000.0,
}
"""Settings of a server that lets tests ask as often as they like."""


class Client:
    """A visitor, who asks as a program does: with a token."""

    def __init__(self, server: Server, token: str, id: str) -> None:
        self.server, self.token, self.id = server, token, id
        self.headers = {"authorization": f"Bearer {token}"}
        self.played = 0
        """Times that `play` was called."""

    def get(self, path: str, **query: int) -> Answer:
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        return self.server.ask("GET", f"{path}?{asked}" if asked else path, headers=self.headers)

    def post(self, path: str, content: Any = None) -> Answer:
        return self.server.ask("POST", path, json.dumps({} if content is None else content).encode(), self.headers)

    def create(self, game: str, *kinds: str, **setup: Any) -> str:
        """Set a table up. Kinds are me, open, screen, or a bot's name."""
        seats = [{"kind": kind} if kind in ("me", "open", "screen") else {"kind": "bot", "bot": kind} for kind in kinds]
        made = self.post("/api/tables", {"game": game, "seats": seats, **setup})
        assert made.status == 200, made.text
        return str(made.json["id"])

    def see(self, table: str, **query: int) -> Any:
        seen = self.get(f"/api/tables/{table}", **query)
        assert seen.status == 200, seen.text
        return seen.json

    def play(self, table: str, seat: int, *actions: str, key: str | None = None, version: int | None = None) -> Answer:
        self.played += 1
        chosen = {"key": key or new_key(), "seat": seat, "actions": list(actions), "version": version}
        return self.post(f"/api/tables/{table}/play", chosen)

    def open(self, table: str, version: int | None = None) -> Page:
        """The table's page, as far as it listens and speaks."""
        return Page(self, table, version)

    def cookie(self) -> dict[str, str]:
        """What a browser of this visitor's sends along."""
        return {"cookie": f"spina={self.token}"}


class Page:
    """An open socket at a table. It keeps everything that it was told."""

    def __init__(self, client: Client, table: str, version: int | None = None) -> None:
        self.client, self.table = client, table
        asked = "" if version is None else f"?version={version}"
        url = f"ws://{HOST}:{client.server.port}/t/{table}/live{asked}"
        self._stack = contextlib.ExitStack()
        self.socket: ClientConnection = self._stack.enter_context(
            connect(url, additional_headers=client.headers, max_size=None, compression=None, open_timeout=PATIENCE)
        )
        self.heard: list[dict[str, Any]] = []
        self.raw: list[str] = []
        self.state: dict[str, Any] = {}

    def __enter__(self) -> Page:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def hear(self, timeout: float = PATIENCE) -> dict[str, Any]:
        """The next message. Raises TimeoutError, or ConnectionClosed."""
        text = self.socket.recv(timeout)
        assert isinstance(text, str)
        message: dict[str, Any] = json.loads(text)
        self.raw.append(text)
        self.heard.append(message)
        if "state" in message:
            self.state = message["state"]
        return message

    def hear_of(self, *types: str, key: str | None = None) -> dict[str, Any]:
        """The next message of one of these types, and of this key."""
        while True:
            message = self.hear()
            if message["type"] in types and (key is None or message["key"] == key):
                return message

    def hear_until(self, version: int) -> dict[str, Any]:
        """Listen until the table stands at this version or beyond. Returns the state."""
        while self.state.get("version", -1) < version:
            self.hear()
        return self.state

    def quiet(self, seconds: float = 0.15) -> bool:
        """Whether nothing is told for a while."""
        try:
            self.hear(seconds)
        except TimeoutError:
            return True
        return False

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def ask(self, **message: Any) -> dict[str, Any]:
        """Send a message with a key, and wait for the answer to it."""
        key = message.setdefault("key", new_key())
        self.send(**message)
        return self.hear_of("done", "refused", "considered", "hinted", key=key)


_numbers = itertools.count()


def new_key() -> str:
    return f"key-{next(_numbers)}-{uuid.uuid4().hex[:12]}"


def any_legal(client: Client, table: str, seat: int, chance: random.Random) -> tuple[str, int] | None:
    """An action that the seat may choose, with the version it was chosen at; None if it owes no choice."""
    seen = client.see(table, seat=seat)
    return (chance.choice(seen["legal"]), seen["state"]["version"]) if seen["legal"] else None


def race_on(
    client: Client,
    table: str,
    seat: int,
    *,
    choices: int | None = None,
    seed: int = 1,
    against: subprocess.Popen[str] | None = None,
) -> dict[str, Any]:
    """Choose at random for a seat until the race is over, or so many times. Returns the last state.

    With a program that drives another seat, it is an error if that fails.
    """
    chance = random.Random(seed)
    until = time.monotonic() + PATIENCE
    made, version = 0, None
    while time.monotonic() < until:
        query = {"seat": seat} | ({"after": version, "wait": 20} if version is not None else {})
        seen = client.see(table, **query)
        state = seen["state"]
        version = state["version"]
        if state["status"] in ("over", "left") or made == choices:
            return dict(state)
        if against is not None and against.poll():
            raise AssertionError(against.communicate()[0])
        if seen["legal"]:
            answer = client.play(table, seat, chance.choice(seen["legal"]), version=version)
            assert answer.status == 200, answer.text
            made, version = made + 1, answer.json["version"] - 1
    raise AssertionError("the race does not come to its end")


__all__ = [
    "FREELY",
    "Answer",
    "Client",
    "ConnectionClosed",
    "Page",
    "Server",
    "any_legal",
    "new_key",
    "race_on",
    "serving",
]
