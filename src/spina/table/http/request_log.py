"""The middleware around all others: request ids, measurements, and a log line for each request.

Nothing here writes down a path, a query, a header or an address: links to seats are secrets, and so are tokens. A
request is named by the template of its route.
"""

from __future__ import annotations

import logging
import time

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spina.table import log_context
from spina.table.http import static_files
from spina.table.http.addresses import Trusted
from spina.table.instrumentation import Instrumentation

log = logging.getLogger("spina.table.requests")
"""Logs at level INFO, which only structured logs show."""

GIVEN_ID = "spina.request_id"
"""Key in the scope of a request id that a trusted proxy sent."""
NO_ROUTE = "none"
"""Label of requests that were refused before a route was found, or for which there is none."""
STATIC = "/static"
"""Label of all static files: the routes' own paths contain a version."""
HEADER = "x-request-id"


class TrustedRequestIds:
    """Middleware outside of the one that evaluates proxy headers: notes the request id that a trusted proxy sent."""

    def __init__(self, app: ASGIApp, trusted: Trusted) -> None:
        self._app, self._trusted = app, trusted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        if client and client[0] in self._trusted:
            given = log_context.accepted_request_id(Headers(scope=scope).get(HEADER, ""))
            if given is not None:
                scope[GIVEN_ID] = given
        await self._app(scope, receive, send)


class RequestLog:
    """Middleware that gives every request and WebSocket an id, sends it back, and reports how the request went."""

    def __init__(self, app: ASGIApp, instruments: Instrumentation) -> None:
        self._app, self._instruments = app, instruments

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        request_id = scope.get(GIVEN_ID) or log_context.new_request_id()
        header = (HEADER.encode(), request_id.encode())
        # Not reset afterwards: the server that calls this logs an exception later in the same task.
        log_context.begin_request(request_id, scope["path"])
        begun, status = time.perf_counter(), 0

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] in ("http.response.start", "websocket.accept"):
                status = message.get("status", 101)
                message["headers"] = [*message.get("headers", ()), header]
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            if status:  # otherwise the client went away, or the server ends
                self._report(scope, status, time.perf_counter() - begun)

    def _report(self, scope: Scope, status: int, seconds: float) -> None:
        route, http = _route(scope), scope["type"] == "http"
        if http:
            self._instruments.request(route, scope["method"], status, seconds)
        # Requests without a route are not logged: there is no limit on those that the Guard refuses.
        if route not in (NO_ROUTE, STATIC) and log.isEnabledFor(logging.INFO):
            method = scope["method"] if http else "WebSocket"
            fields = {"method": method, "route": route, "status": status, "seconds": round(seconds, 4)}
            log.info("%s %s %s", method, route, status, extra={"fields": fields})


def _route(scope: Scope) -> str:
    """The template of the path, such as /t/{id}."""
    path = getattr(scope.get("route"), "path", NO_ROUTE)
    return STATIC if path.startswith(static_files.PREFIX) else str(path)
