"""Health checks and metrics: `/healthz`, `/readyz` and `/metrics`.

They are answered before all other middleware. Load balancers ask by address, so the checks accept any host name; they
need no visitor, and reveal nothing about races. `/metrics` is for this machine, or for an address of its own.
"""

from __future__ import annotations

import asyncio
import time
from typing import Literal

import msgspec
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from spina.table.bots.warm_up import WarmUp
from spina.table.http.addresses import address_of
from spina.table.http.local_network import is_direct
from spina.table.http.rate_limits import Buckets
from spina.table.http.responses import answer
from spina.table.http.security import HEADERS
from spina.table.metrics import CONTENT_TYPE, Metrics
from spina.table.store.journal_store import Store

FRESH = 1.0
"""Seconds for which the answer of the database is reused, so that health checks do not load it."""
PATIENCE = 2.0
"""Seconds after which a database that does not answer a check counts as away."""
CHECKS_PER_SECOND, CHECKS_AT_ONCE = 20.0, 200.0
"""Rate limit for each address, which load balancers do not come near."""
ALIVE, READY, METRICS = "/healthz", "/readyz", "/metrics"

Tier = Literal["compiled", "interpreted", "waiting"]


class Readiness(msgspec.Struct):
    """Whether requests should be sent to this server, and why not."""

    ready: bool
    database: bool
    """Whether it answers a read."""
    games: dict[str, Tier]
    """How each game is played now. "waiting": it cannot be played before it is compiled (SPINA_COMPILE=wait)."""
    state: Literal["starting", "running", "closing"] = "running"


class Health:
    """Answers whether the server is ready."""

    def __init__(self) -> None:
        self._store: Store | None = None
        self._warm_up: WarmUp | None = None
        self._closing = False
        self._question: asyncio.Task[None] | None = None
        self._checked = -FRESH
        self.database = False
        """Whether the database answered the last check."""

    def start(self, store: Store, warm_up: WarmUp) -> None:
        self._store, self._warm_up, self._closing = store, warm_up, False

    def close(self) -> None:
        """Report that the server is shutting down."""
        self._closing = True
        if self._question is not None:
            self._question.cancel()

    async def check(self) -> Readiness:
        """Check the database, unless that was just done, and the games."""
        if self._store is None or self._warm_up is None:
            return Readiness(False, False, {}, "starting")
        if not self._closing and time.monotonic() - self._checked >= FRESH:
            self.database = await self._ask(self._store)
            self._checked = time.monotonic()
        games = self._warm_up.tiers()
        if self._closing:
            return Readiness(False, self.database, games, "closing")
        return Readiness(self.database and "waiting" not in games.values(), self.database, games)

    async def _ask(self, store: Store) -> bool:
        """Whether the database answers in time. One question at a time: a database that hangs keeps its thread."""
        question = self._question
        if question is None or question.done():
            question = self._question = asyncio.create_task(store.ping())
        done, _ = await asyncio.wait([question], timeout=PATIENCE)
        return bool(done) and not question.cancelled() and question.exception() is None


class Monitoring:
    """Answers `/healthz`, `/readyz` and `/metrics`, and passes all other requests on.

    Without an `app` to pass them on to, it is the application of the address that metrics have of their own; then it
    gives metrics to every client. Otherwise only to those on this machine, and with `elsewhere` to none: a proxy that
    forwards connections without adding a header could not be told from a client on this machine.
    """

    def __init__(
        self, health: Health, metrics: Metrics, app: ASGIApp | None = None, *, elsewhere: bool = False
    ) -> None:
        self._health, self._metrics, self._app, self._elsewhere = health, metrics, app, elsewhere
        self._checks = Buckets(CHECKS_PER_SECOND, CHECKS_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and self._answers(scope):
            response = await self._respond(scope)
        elif self._app is not None:
            await self._app(scope, receive, send)
            return
        elif scope["type"] == "http":
            response = PlainTextResponse("not found\n", 404)
        else:
            return
        for name, value in {**HEADERS, "cache-control": "no-store"}.items():
            response.headers[name] = value
        await response(scope, receive, send)

    def _answers(self, scope: Scope) -> bool:
        if scope["path"] != METRICS:
            return scope["path"] in (ALIVE, READY)
        return self._app is None or (not self._elsewhere and is_direct(scope, Headers(scope=scope)))

    async def _respond(self, scope: Scope) -> Response:
        if not self._checks.take(address_of(scope)):
            return PlainTextResponse("too many requests\n", 429, {"retry-after": "1"})
        if scope["path"] == ALIVE:
            return PlainTextResponse("ok\n")
        ready = await self._health.check()
        if scope["path"] == READY:
            return answer(ready, 200 if ready.ready else 503)
        page = await asyncio.to_thread(self._metrics.page)  # takes some milliseconds
        return Response(page, media_type=CONTENT_TYPE)
