"""Pages of a table: the table itself, links that lead to it, and the file of a finished race."""

from __future__ import annotations

import asyncio
import time
from functools import lru_cache

import msgspec
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from spina.games import find
from spina.games.editions import Edition
from spina.games.game import Scene
from spina.games.web_files import PAGE, STYLE
from spina.table.http import pages, static_files
from spina.table.live import replay_steps
from spina.table.live.rooms import edition_of
from spina.table.refusals import Refusal, say
from spina.table.services import services_of
from spina.table.store.records import Table, Visitor

MOST_SCENES = 64
GENERIC_PAGE = "js/generic-page.js"
GENERIC_STYLE = "css/generic-page.css"
"""For games without page scripts."""


@lru_cache(maxsize=MOST_SCENES)
def _scene(game: str, edition: Edition, options: bytes) -> Scene:
    return find(game).scene(edition, msgspec.json.decode(options))


def scene_of(table: Table) -> Scene:
    """The board picture of a table's race, cached by game, edition and options."""
    return _scene(table.game, edition_of(table), msgspec.json.encode(table.options, order="sorted"))


def _style(game: str) -> str | None:
    """The URL of the style sheet of a game's table page; None if the game's page has none."""
    own = static_files.game_url(game, STYLE)
    return own if own or find(game).web.has(PAGE) else static_files.url(GENERIC_STYLE)


async def _table(request: Request) -> Response:
    """The table page with the board; everything that changes is sent over the WebSocket."""
    services, visitor = services_of(request), request.state.visitor
    table = await services.rooms.table(request.path_params["id"])
    room = await services.rooms.room(table.id)
    if not room.may_watch(visitor.id):
        raise Refusal("not-yours", say("table.not-to-be-seen"))
    scene = await asyncio.to_thread(scene_of, table)
    boot = {
        "id": table.id,
        "game": table.game,
        "title": find(table.game).title,
        "turnWord": find(table.game).turn_word,
        "options": table.options,
        "seats": table.seats,
        "clock": table.clock,
        "watching": table.watching,
        "first": table.first,
        "host": table.host == visitor.id,
        "places": scene.places,
        "replay": request.url.path.endswith("/replay"),
        "module": static_files.game_url(table.game, PAGE) or static_files.url(GENERIC_PAGE),
    }
    return pages.render(
        request,
        "table.html",
        areas=("common", "refusals", "table", f"{table.game}.refusals", f"{table.game}.table"),
        game=table.game,
        title=find(table.game).title,
        board=Markup(scene.board),  # safe: drawn from numbers, and names in it are escaped
        boot=boot,
        game_style=_style(table.game),
        warm_up=services.warm_up.share,
        table=table,
    )


async def _link(request: Request) -> Response:
    """The page of a link. Only its button takes the seat, since link previews must not take seats."""
    services = services_of(request)
    link = await services.lobby.followed(request.path_params["secret"])
    room = await services.rooms.room(link.table)
    if room.own_seats(request.state.visitor.id) and link.kind == "join":
        return RedirectResponse(f"/t/{link.table}", 303)
    handed_on = link.seat is not None and room.seats[link.seat].kind != "open"
    return pages.render(
        request,
        "link.html",
        areas=("common", "table"),
        title=find(room.table.game).title,
        game=room.table.game,
        people=[seat.name for seat in room.seats if seat.name],
        handed_on=handed_on,
        secret=request.path_params["secret"],
    )


async def _follow(request: Request) -> Response:
    services, visitor = services_of(request), request.state.visitor
    form = await request.form()
    name = form.get("name")
    if isinstance(name, str) and name.strip():
        await services.lobby.change(visitor, name=name)
    return RedirectResponse(f"/t/{await services.lobby.use(visitor, request.path_params['secret'])}", 303)


async def _sit(request: Request) -> Response:
    services, visitor = services_of(request), request.state.visitor
    room = await services.rooms.room(request.path_params["id"])
    if not room.may_watch(visitor.id):
        raise Refusal("not-yours", say("table.not-invited"))
    if not room.own_seats(visitor.id):
        await services.lobby.sit(visitor, room.table.id)
    return RedirectResponse(f"/t/{room.table.id}", 303)


async def _picture(request: Request) -> Response:
    """The race at a version of the table as SVG, for pages without scripts of the game."""
    services = services_of(request)
    room = await services.rooms.room(request.path_params["id"])
    if not room.may_watch(request.state.visitor.id):
        raise Refusal("not-yours", say("table.not-to-be-seen"))
    drawn = await services.slow_requests.do(lambda: replay_steps.picture(room, request.path_params["version"]))
    if drawn is None:
        raise HTTPException(404)
    return Response(drawn, headers={"cache-control": "private, max-age=3600"}, media_type="image/svg+xml")


async def _file(request: Request) -> Response:
    """A finished race as a file for download."""
    services = services_of(request)
    visitor: Visitor = request.state.visitor
    room = await services.rooms.room(request.path_params["id"])
    if not room.may_watch(visitor.id):
        raise Refusal("not-yours", say("table.not-to-be-seen"))
    data = await services.lobby.export(room.table.id)
    day = time.strftime("%Y-%m-%d", time.gmtime(room.table.ended))
    headers = {"content-disposition": f'attachment; filename="spina-{room.table.game}-{day}-{room.table.id}.json"'}
    return Response(data, headers=headers, media_type="application/json")


def routes() -> list[Route]:
    return [
        Route("/t/{id}", _table),
        Route("/t/{id}/replay", _table),
        Route("/t/{id}/sit", _sit, methods=["POST"]),
        Route("/t/{id}/file", _file),
        Route("/t/{id}/picture/{version:int}.svg", _picture),
        Route("/l/{secret}", _link),
        Route("/l/{secret}", _follow, methods=["POST"]),
    ]
