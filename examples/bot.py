#!/usr/bin/env python3
"""A bot for a Spina table, with nothing but Python's standard library.

    python examples/bot.py http://127.0.0.1:8000 --table abc123defg     take an open seat of that table
    python examples/bot.py http://127.0.0.1:8000/l/SECRET               take the seat that a link leads to

It becomes a visitor, takes the seat, and chooses until the race is over. `choose` is the place for something cleverer.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import sys
import time
import urllib.error
import urllib.request
import uuid
from typing import Any
from urllib.parse import urlsplit

WAIT = 20
"""Seconds that the server may keep a question open until something happens."""
AWAY = (429, 502, 503, 504)
"""Statuses worth a retry: the server is busy, its database is unavailable, or a proxy cannot reach it."""
PATIENCE = 3600.0
"""Seconds to keep trying a server that has answered before."""
FIRST_PATIENCE = 15.0
"""Seconds to keep trying a server that has never answered: its address may be wrong."""


class Refused(Exception):
    """The server refused a request; the message says why."""

    def __init__(self, status: int, code: str, reason: str, retry_after: str | None = None) -> None:
        super().__init__(f"{code}: {reason}")
        self.status, self.code = status, code
        self.retry_after = float(retry_after) if retry_after and retry_after.isdecimal() else 0.0


class Table:
    """A server, as one visitor sees it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.token: str | None = None
        self.reached = False

    def ask(self, method: str, path: str, content: Any = None) -> Any:
        """Send one request, again while the server is unavailable: a choice carries a key, so it still counts once."""
        begun, pause = time.monotonic(), 0.2
        while True:
            try:
                return self._ask(method, path, content)
            except (Refused, OSError, http.client.HTTPException) as error:
                patience = PATIENCE if self.reached else FIRST_PATIENCE
                final = isinstance(error, Refused) and error.status not in AWAY
                if final or time.monotonic() - begun > patience:
                    raise
                time.sleep(max(pause, error.retry_after if isinstance(error, Refused) else 0.0))
            pause = min(5.0, 2 * pause)

    def _ask(self, method: str, path: str, content: Any) -> Any:
        data = None if content is None else json.dumps(content).encode()
        request = urllib.request.Request(self.address + path, data, {"content-type": "application/json"}, method=method)
        if self.token:
            request.add_header("authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=WAIT + 20) as answer:
                self.reached = True
                return json.load(answer)
        except urllib.error.HTTPError as error:
            self.reached = True
            later = error.headers.get("retry-after")
            with error:
                said = error.read()
            try:
                problem = json.loads(said)
                raise Refused(error.code, problem["error"], problem["reason"], later) from None
            except (ValueError, KeyError, TypeError):
                raise Refused(error.code, "failed", said[:200].decode(errors="replace"), later) from None


def choose(seen: Any, chance: random.Random) -> str:
    """Choose an action. `legal` lists the possible ones; `state.view` and `state.offer` say what the seat knows."""
    # Charioteer: everybody chooses in secret. One action for the whole choice shows the others nothing of it; the
    # steps in `legal` could be counted. A move that needs a token to be laid has no best choice without one.
    moves = [move for move in (seen["state"]["offer"] or {}).get("moves", ()) if move["best"]]
    if moves:
        return str(chance.choice(moves)["best"]["choice"])
    return str(chance.choice(seen["legal"]))


def sit(table: Table, id: str) -> int:
    """Take an open seat. After an outage this bot may already have one."""
    try:
        return int(table.ask("POST", f"/api/tables/{id}/sit", {})["seat"])
    except Refused as refused:
        if refused.code not in ("seated", "full"):
            raise
        own = table.ask("GET", f"/api/tables/{id}")["state"]["own"]
        if not own:
            raise
        return int(own[0])


def race(table: Table, id: str, seat: int, chance: random.Random) -> Any:
    """Choose for the seat until the race is over. Returns the state at the end."""
    path = f"/api/tables/{id}"
    seen = table.ask("GET", f"{path}?seat={seat}")
    while seen["state"]["status"] in ("open", "running"):
        version = seen["state"]["version"]
        if seen["legal"]:
            choice = {"key": uuid.uuid4().hex, "seat": seat, "actions": [choose(seen, chance)], "version": version}
            try:
                version = table.ask("POST", f"{path}/play", choice)["version"] - 1  # it may be our turn again at once
            except Refused as refused:
                if refused.code not in ("stale", "illegal"):
                    raise
                version -= 1  # look again
        # Answered as soon as the table has a newer version than this one, or after WAIT seconds.
        seen = table.ask("GET", f"{path}?seat={seat}&after={max(0, version)}&wait={WAIT}")
    return seen["state"]


def main() -> None:
    parser = argparse.ArgumentParser(description="Take a seat at a Spina table and race.")
    parser.add_argument("address", help="of the server, or a link to a seat")
    parser.add_argument("--table", help="the id of a table with an open seat: the last part of its page's address")
    parser.add_argument("--name", default="Example bot")
    parser.add_argument("--seed", type=int, help="choose the same way again")
    given = parser.parse_args()

    parts = urlsplit(given.address)
    table = Table(f"{parts.scheme}://{parts.netloc}")
    try:
        table.token = table.ask("POST", "/api/visitors", {"name": given.name})["token"]
        if parts.path.startswith("/l/"):
            id = table.ask("POST", "/api/links", {"secret": parts.path.removeprefix("/l/")})["id"]
            seat = table.ask("GET", f"/api/tables/{id}")["state"]["own"][0]
        elif given.table:
            id = given.table
            seat = sit(table, id)
        else:
            parser.error("say which table: with --table, or with a link to a seat")
        print(f"sitting on seat {seat} of table {id}", flush=True)
        end = race(table, id, seat, random.Random(given.seed))
    except Refused as refused:
        sys.exit(str(refused))
    except OSError as error:
        sys.exit(f"{table.address} cannot be reached: {error}")
    if end["view"] and end["view"]["over"]:
        place = 1 + next(place for place, seats in enumerate(end["view"]["ranking"]) if seat in seats)
        print(f"the race is over: place {place} of {len(end['seats'])}")
    else:
        print("the table was left before the end")


if __name__ == "__main__":
    main()
