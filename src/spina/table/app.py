"""The ASGI application: routes, middleware, store, rooms and workers."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncIterator, Sequence

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spina.table.http import api, openapi, pages, qr_codes, rules_pages, share_pages, static_files, table_pages
from spina.table.http.health import Health, Monitoring
from spina.table.http.local_network import LocalNetwork
from spina.table.http.request_log import RequestLog
from spina.table.http.security import TOO_LARGE, Guard, TooLarge, cookie_for, new_token, token_of
from spina.table.live.lobby import anonymous_visitor
from spina.table.live.open_sockets import OpenSockets
from spina.table.live.websocket import live
from spina.table.metrics import Metrics
from spina.table.repeated_logs import Repeats
from spina.table.services import Services, running
from spina.table.settings import Settings

log = logging.getLogger("spina.table")
_repeats = Repeats(log)

SMALLEST_PACKED = 800
"""Minimum size in bytes of a response that is compressed."""
PACKING = 4
"""gzip level: higher ones take several times as long for a few per cent."""


class Identity:
    """Middleware that sets `request.state.visitor` from the session token of a browser or program.

    A browser that opens a page without a token gets one. The visitor is stored once there is something to remember.
    """

    def __init__(self, app: ASGIApp, secure: bool) -> None:
        self._app, self._secure = app, secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith(static_files.PREFIX):
            services = scope["app"].state.services
            headers = Headers(scope=scope)
            token = token_of(headers)
            if "text/html" in headers.get("accept", ""):
                services.warm_up.put_off()
                if token is None:
                    token = new_token()
                    send = _giving(send, cookie_for(token, self._secure))
            visitor = await services.lobby.visitor(token) if token else anonymous_visitor()
            scope.setdefault("state", {})["visitor"] = visitor
        await self._app(scope, receive, send)


def _giving(send: Send, cookie: str) -> Send:
    async def giving(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).append("set-cookie", cookie)
        await send(message)

    return giving


async def _too_large(request: Request, _: Exception) -> Response:
    return pages.refusal_page(request, TOO_LARGE)


async def _broken_off(request: Request, _: Exception) -> Response:
    """Log that a client disconnected before its request was complete. The response reaches no client."""
    route = request.scope.get("route")
    where = getattr(route, "path", "a page")  # not the URL itself, which may be a secret link
    _repeats.warn(f"broken off: {where}", f"a {request.method} to {where} broke off before it had arrived")
    return Response(status_code=400)


def create(settings: Settings) -> Starlette:
    """Build the application. Its lifespan opens the store and closes it."""
    health, metrics, sockets = Health(), Metrics(), OpenSockets(settings)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with running(settings, metrics) as services:
            app.state.services = services
            health.start(services.store, services.warm_up)
            _add_gauges(metrics, services, sockets, health)
            try:
                with metrics.counting_log_errors():
                    yield
            finally:
                health.close()

    network = LocalNetwork(settings)
    routes: Sequence[BaseRoute] = [
        *pages.routes(),
        *rules_pages.routes(),
        *table_pages.routes(),
        *api.routes(),
        *openapi.routes(),
        *qr_codes.routes(),
        *share_pages.routes(),
        *static_files.routes(),
        WebSocketRoute("/t/{id}/live", live),
    ]
    handlers = {**pages.exception_handlers(), TooLarge: _too_large, ClientDisconnect: _broken_off}
    app = _Application(
        routes=routes,
        lifespan=lifespan,
        exception_handlers=handlers,
        middleware=[
            Middleware(Guard, settings=settings, page=pages.refusal_page, network=network),
            Middleware(GZipMiddleware, minimum_size=SMALLEST_PACKED, compresslevel=PACKING),
            # Starlette handles exceptions of the routes; those of the Identity middleware are handled in the same way.
            Middleware(ExceptionMiddleware, handlers=handlers),
            Middleware(Identity, secure=settings.secure),
        ],
    )
    app.state.settings, app.state.sockets, app.state.network = settings, sockets, network
    app.state.health, app.state.metrics = health, metrics
    return app


class _Application(Starlette):
    """Starlette with two middlewares around its own: they see failures as they are answered too."""

    def build_middleware_stack(self) -> ASGIApp:
        logged = RequestLog(super().build_middleware_stack(), self.state.metrics)
        elsewhere = self.state.settings.metrics_elsewhere
        return Monitoring(self.state.health, self.state.metrics, logged, elsewhere=elsewhere)


def _add_gauges(metrics: Metrics, services: Services, sockets: OpenSockets, health: Health) -> None:
    rooms, warm_up, pool = services.rooms, services.warm_up, services.rooms.bot_pool
    metrics.gauge("spina_rooms", "Tables in memory.", lambda: rooms.count)
    metrics.gauge("spina_sockets", "Open WebSockets: pages at tables.", lambda: sockets.count)
    metrics.gauge("spina_thoughts_waiting", "Questions to bots that wait for a worker.", lambda: pool.waiting)
    metrics.gauge("spina_thoughts_running", "Questions to bots that workers are answering.", lambda: pool.thinking)
    metrics.gauge("spina_bot_workers", "Worker processes of bots.", lambda: len(pool.pids))
    metrics.memory_of(
        "spina_bot_workers_resident_memory_bytes", "Resident memory of the bots' workers.", lambda: pool.pids
    )
    metrics.gauge("spina_database_up", "1 if the database answered the last check.", lambda: health.database)
    metrics.gauge(
        "spina_games_compiled_ratio",
        "Share of the games that is compiled, from 0 to 1.",
        lambda: 1.0 if warm_up.share is None else warm_up.share,
    )
