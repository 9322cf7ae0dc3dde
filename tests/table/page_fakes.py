"""An app of pages alone, over a lobby that remembers nothing but what a test puts there."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import httpx
import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from spina.errors import OptionError, SaveError, SpinaError
from spina.games import find
from spina.table.app import Identity
from spina.table.http import pages, static_files
from spina.table.http.display_text import clean_name
from spina.table.http.slow_requests import CostlyWork
from spina.table.live.lobby import Lobby, Setup
from spina.table.live.table_lists import Summary
from spina.table.refusals import Refusal, say
from spina.table.settings import Settings
from spina.table.store.records import Visitor


def summary(id_: str, **changes: Any) -> Summary:
    """A table in a list."""
    now = time.time()
    usual: dict[str, Any] = {
        "game": "charioteer",
        "status": "running",
        "names": ["Livia", "competent", "longest"],
        "kinds": ["person", "bot", "bot"],
        "turn": 4,
        "waiting_for_me": False,
        "mine": False,
        "open_seats": 0,
        "created": now - 600,
        "ended": None,
        "winners": [],
        "watching": "all",
    }
    given = {**usual, **changes}
    return Summary(id=id_, colours=list(range(len(given["names"]))), **given)


class FakeWarmUp:
    def __init__(self) -> None:
        self.missing: set[str] = set()
        self.delays = 0

    def put_off(self) -> None:
        self.delays += 1

    @property
    def share(self) -> float | None:
        return 0.3 if self.missing else None

    def progress(self) -> dict[str, dict[str, Any]]:
        return {
            name: {"ready": name not in self.missing, "done": 3, "of": 10, "failed": False}
            for name in ("charioteer", "chariot-race", "chariotmaster")
        }


class FakeLists:
    """Lists of tables as a test fills them."""

    def __init__(self) -> None:
        self.own_tables: list[Summary] = []
        self.open_list: list[Summary] = []
        self.finished_list: list[Summary] = []

    async def own(self, visitor: Visitor) -> list[Summary]:
        return self.own_tables

    async def open_tables(self, visitor: Visitor | None = None) -> list[Summary]:
        return self.open_list

    async def finished(self, visitor: Visitor | None = None) -> list[Summary]:
        return self.finished_list


class FakeLobby:
    """What pages ask a lobby for."""

    check = Lobby.check
    _checked = Lobby._checked
    _check_setup = Lobby._check_setup

    def __init__(self) -> None:
        self.warm_up = FakeWarmUp()
        self._settings = Settings()
        self._slow_requests = CostlyWork(self._settings)
        self.visitors: dict[str, Visitor] = {}
        self.lists = FakeLists()
        self.started: list[tuple[str, Any]] = []
        self.refusal: SpinaError | None = None

    async def visitor(self, token: str) -> Visitor:
        return self.visitors.setdefault(
            token, Visitor(id=token, token_hash=token, name="", colour=0, created=0.0, seen=0.0)
        )

    async def race_now(self, visitor: Visitor, game: str, address: str | None = None) -> str:
        if self.refusal:
            raise self.refusal
        self.started.append((visitor.id, game))
        return "newtable"

    async def create(self, visitor: Visitor, setup: Setup) -> str:
        await self.check(setup)
        self.started.append((visitor.id, setup))
        return "newtable"

    async def import_race(self, visitor: Visitor, data: bytes) -> str:
        if not data.startswith(b"{"):
            raise SaveError(say("save.no-game", game="<at all>"))
        return "imported"

    async def change(
        self, visitor: Visitor, *, name: str | None = None, colour: int | None = None, language: str | None = None
    ) -> None:
        if name is not None:
            visitor.name = clean_name(name)
        if colour is not None:
            if colour > 5:
                raise OptionError(say("table.colour-number", last=5))
            visitor.colour = colour
        if language is not None:
            visitor.language = language


def fake_app(lobby: FakeLobby) -> Starlette:
    """The pages, the parts of the JSON interface that they use, and a table that says its name."""

    async def ready(request: Request) -> Response:
        return JSONResponse(lobby.warm_up.progress())

    async def check(request: Request) -> Response:
        try:
            setup = msgspec.json.decode(await request.body(), type=Setup)
            return JSONResponse({"ok": True, **await lobby.check(setup)})
        except SpinaError as error:
            return JSONResponse({"ok": False, "problem": str(error)})

    async def create(request: Request) -> Response:
        setup = msgspec.json.decode(await request.body(), type=Setup)
        try:
            return JSONResponse({"id": await lobby.create(request.state.visitor, setup)})
        except SpinaError as error:
            return JSONResponse({"error": "wrong", "reason": str(error)}, 422)

    async def table(request: Request) -> Response:
        return PlainTextResponse(request.path_params["id"])

    async def broken(request: Request) -> Response:
        raise RuntimeError("secret details")

    async def refused(request: Request) -> Response:
        raise Refusal("unknown", say("table.unknown", table="<open>"))

    app = Starlette(
        routes=[
            *pages.routes(),
            *static_files.routes(),
            Route("/api/ready", ready),
            Route("/api/check", check, methods=["POST"]),
            Route("/api/tables", create, methods=["POST"]),
            Route("/t/{id}", table),
            Route("/broken", broken),
            Route("/refused", refused),
        ],
        exception_handlers=pages.exception_handlers(),
        middleware=[Middleware(Identity, secure=False)],
    )
    app.state.services = SimpleNamespace(
        lobby=lobby,
        lists=lobby.lists,
        warm_up=lobby.warm_up,
        settings=lobby._settings,
        slow_requests=lobby._slow_requests,
    )
    app.state.settings = SimpleNamespace(secure=False)
    for name in ("charioteer", "chariot-race", "chariotmaster"):
        find(name)
    return app


class Browser:
    """Asks an app for pages, and keeps its cookies."""

    def __init__(self, app: Starlette) -> None:
        self._runner = asyncio.Runner()
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        self._client = httpx.AsyncClient(
            transport=transport, base_url="http://localhost", headers={"accept": "text/html"}
        )

    def get(self, path: str, **how: Any) -> httpx.Response:
        return self._runner.run(self._client.get(path, **how))

    def post(self, path: str, **how: Any) -> httpx.Response:
        return self._runner.run(self._client.post(path, **how))

    def close(self) -> None:
        self._runner.run(self._client.aclose())
        self._runner.close()
