"""A client of the JSON API: takes a seat at a table and plays the choices of a program."""

from __future__ import annotations

import http.client
import json
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from spina.bots.program_bot import Program
from spina.errors import OptionError, SpinaError
from spina.games import find

WAIT = 20
"""Long-poll timeout in seconds."""
AWAY = (0, 429, 502, 503, 504)
"""Statuses after which a retry may help: 0 if the server cannot be reached; 502 and 504 come from a proxy."""
PATIENCE = 3600.0
"""Seconds to retry once the server has answered before: it may have an outage or an update."""
FIRST_PATIENCE = 15.0
"""Seconds to retry a server that has never answered: its address may be wrong."""
LONGEST_PAUSE = 30.0
"""Maximum seconds between two attempts."""


class TableError(SpinaError):
    """The server refused something, or cannot be reached."""

    def __init__(self, reason: str, code: str = "failed", status: int = 0, retry_after: float = 0.0) -> None:
        super().__init__(reason)
        self.code, self.status, self.retry_after = code, status, retry_after


class Guest:
    """A visitor of a server, with a token of its own."""

    def __init__(self, address: str, say: Callable[[str], object] | None = None) -> None:
        """`say` is called with a message while the client waits for the server; default: print to standard error."""
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise OptionError(f"the address of a table begins with http:// or https://, not {address!r}")
        self.address, self.path = f"{parts.scheme}://{parts.netloc}", parts.path
        self.token: str | None = None
        self._say = say or (lambda line: print(line, file=sys.stderr, flush=True))
        self._reached = False

    def sit(self, name: str, table: str | None = None) -> tuple[str, int]:
        """Take the seat that the link leads to, or an open one of the table. Returns the table's id and the seat."""
        self.token = self.ask("POST", "/api/visitors", {"name": name})["token"]
        if self.path.startswith("/l/"):
            id_ = str(self.ask("POST", "/api/links", {"secret": self.path.removeprefix("/l/")})["id"])
            return id_, int(self.ask("GET", f"/api/tables/{id_}")["state"]["own"][0])
        id_ = table or self.path.removeprefix("/t/").strip("/")
        if not id_:
            raise OptionError("say which table: its address (…/t/ID), or a link to a seat (…/l/SECRET)")
        try:
            return id_, int(self.ask("POST", f"/api/tables/{id_}/sit", {})["seat"])
        except TableError as error:
            if error.code not in ("seated", "full"):
                raise
            # After an outage it is not known whether the request took effect: if it did, the seat is already ours.
            own = self.ask("GET", f"/api/tables/{id_}")["state"]["own"]
            if not own:
                raise
            return id_, int(own[0])

    def race(self, id_: str, seat: int, program: Program) -> Any:
        """Play the program's choices until the race is over. Returns the final state."""
        path = f"/api/tables/{id_}"
        seen = self.ask("GET", f"{path}?seat={seat}")
        while seen["state"]["status"] in ("open", "running"):
            version = seen["state"]["version"]
            if seen["legal"]:
                if not program.running:
                    _greet(program, seen["state"]["view"], seat)
                version = self._choose(path, seat, seen, program)
            # answered as soon as the table has a newer version than this one, or after WAIT seconds
            seen = self.ask("GET", f"{path}?seat={seat}&after={max(0, version)}&wait={WAIT}")
        return seen["state"]

    def _choose(self, path: str, seat: int, seen: Any, program: Program) -> int:
        """Play one choice of the program. Returns the version to long-poll after."""
        state, made = seen["state"], -1

        def why_not(action: str) -> str | None:
            nonlocal made
            choice = {"key": uuid.uuid4().hex, "seat": seat, "actions": [action], "version": state["version"]}
            try:
                made = self.ask("POST", f"{path}/play", choice)["version"]
            except TableError as error:
                if error.code == "illegal":
                    return str(error)
                if error.code != "stale":
                    raise
            return None

        program.choose(
            why_not,
            seat=seat,
            turn=state["view"].get("turn", state["view"].get("round")),
            view=state["view"],
            legal=seen["legal"],
            complete=find(state["view"]["game"]).lists_all,
        )
        return int(made if made >= 0 else state["version"]) - 1  # it may be our turn again at once

    def ask(self, method: str, path: str, content: Any = None) -> Any:
        """Send one request, and retry while the server is away. A choice has an idempotency key, so it counts once."""
        begun, pause, waiting = time.monotonic(), 0.2, False
        while True:
            try:
                answer = self._ask(method, path, content)
                if waiting:
                    self._say(f"{self.address} answers again.")
                return answer
            except TableError as error:
                patience = PATIENCE if self._reached else FIRST_PATIENCE
                if error.status not in AWAY or time.monotonic() - begun > patience:
                    raise
                if not waiting and error.status != 429:
                    waiting = True
                    self._say(f"Waiting for {self.address}: {error}")
                time.sleep(min(LONGEST_PAUSE, max(pause, error.retry_after)))
            pause = min(5.0, 2 * pause)

    def _ask(self, method: str, path: str, content: Any) -> Any:
        data = None if content is None else json.dumps(content).encode()
        request = urllib.request.Request(self.address + path, data, {"content-type": "application/json"}, method=method)
        if self.token:
            request.add_header("authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=WAIT + 20) as answer:
                self._reached = True
                return json.load(answer)
        except urllib.error.HTTPError as error:
            self._reached = True
            with error:
                said = error.read()
            later = error.headers.get("retry-after", "")
            wait = float(later) if later.isdecimal() else 0.0
            try:
                problem = json.loads(said)
                raise TableError(problem["reason"], problem["error"], error.code, wait) from None
            except (ValueError, KeyError, TypeError):
                raise TableError(said[:200].decode(errors="replace"), status=error.code, retry_after=wait) from None
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise TableError(f"{self.address} cannot be reached: {getattr(error, 'reason', error)}") from None


def _greet(program: Program, view: Any, seat: int) -> None:
    program.greet(
        game=view["game"],
        rules=view["rules"],
        seats=view["seats"],
        seat=seat,
        options=view["options"],
        edition=view["edition"],
        seed=uuid.uuid4().int >> 75,
    )
