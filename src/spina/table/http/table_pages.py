"""Pages of a table: the table itself, links that lead to it, and the file of a finished race."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import lru_cache

import msgspec
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from spina.games import find
from spina.games.editions import Edition
from spina.games.factions import drawn_in
from spina.games.game import Scene
from spina.games.lessons import Reminder, lesson_of
from spina.games.web_files import PAGE, STYLE
from spina.table.http import pages, share_pages, static_files
from spina.table.live import replay_steps
from spina.table.live.room import Room
from spina.table.live.seat_colours import can_choose, colour_of, free_colours
from spina.table.live.seating import bots_to_replace
from spina.table.live.starts import edition_of
from spina.table.refusals import Refusal, say
from spina.table.services import services_of
from spina.table.store.records import Seat, Table, Visitor

MOST_SCENES = 64
GENERIC_PAGE = "js/generic-page.js"
GENERIC_STYLE = "css/generic-page.css"
"""For games without page scripts."""


@lru_cache(maxsize=MOST_SCENES)
def _scene(game: str, edition: Edition, options: bytes, colours: tuple[int, ...]) -> Scene:
    with drawn_in(colours):
        return find(game).scene(edition, msgspec.json.decode(options))


def scene_of(table: Table, seats: Sequence[Seat]) -> Scene:
    """The board picture of a table's race, cached by game, edition, options and chosen colours."""
    chosen = any(seat.colour is not None for seat in seats) and can_choose(table)
    colours = tuple(colour_of(seat) for seat in seats) if chosen else ()
    return _scene(table.game, edition_of(table), msgspec.json.encode(table.options, order="sorted"), colours)


def _style(game: str) -> str | None:
    """The URL of the style sheet of a game's table page; None if the game's page has none."""
    own = static_files.game_url(game, STYLE)
    return own if own or find(game).web.has(PAGE) else static_files.url(GENERIC_STYLE)


def _reminders(request: Request, table: Table) -> list[Reminder]:
    """What the race after a lesson reminds of; empty for other races."""
    lesson = lesson_of(find(table.game)) if request.query_params.get("after") == "lesson" else None
    return lesson.reminders if lesson is not None and not table.lesson and table.status == "running" else []


async def _table(request: Request) -> Response:
    """The table page with the board; everything that changes is sent over the WebSocket."""
    services, visitor = services_of(request), request.state.visitor
    table = await services.rooms.table(request.path_params["id"])
    room = await services.rooms.room(table.id)
    if not room.may_watch(visitor.id):
        raise Refusal("not-yours", say("table.not-to-be-seen"))
    own = room.own_seats(visitor.id)
    reminders = _reminders(request, table)
    scene = await asyncio.to_thread(scene_of, table, list(room.seats))
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
        "lesson": table.lesson,
        "reminders": [msgspec.to_builtins(reminder) for reminder in reminders],
        "host": table.host == visitor.id,
        "colours": can_choose(table),
        "colour": visitor.colour,
        "places": scene.places,
        "replay": request.url.path.endswith("/replay"),
        "module": static_files.game_url(table.game, PAGE) or static_files.url(GENERIC_PAGE),
    }
    return pages.render(
        request,
        "table.html",
        areas=(
            *("common", "refusals", "table", f"{table.game}.refusals", f"{table.game}.bots", f"{table.game}.table"),
            *([f"{table.game}.lesson"] if table.lesson or reminders else []),
        ),
        game=table.game,
        title=find(table.game).title,
        board=Markup(scene.board),  # safe: drawn from numbers, and names in it are escaped
        boot=boot,
        game_style=_style(table.game),
        warm_up=services.warm_up.share,
        meanwhile=table.game if find(table.game).lesson is not None and not table.lesson else None,
        table=table,
        own_colour=colour_of(room.seats[own[0]]) if own else None,
        card=share_pages.card_of(request, room, pages.translator(pages.language_of(request))),
    )


async def _link(request: Request) -> Response:
    """The page of a link. Only its button takes the seat, since link previews must not take seats."""
    services = services_of(request)
    link = await services.invitations.followed(request.path_params["secret"])
    room = await services.rooms.room(link.table)
    if room.own_seats(request.state.visitor.id) and link.kind == "join":
        return RedirectResponse(f"/t/{link.table}", 303)
    late = link.kind == "join" and not any(seat.kind == "open" for seat in room.seats)
    handed_on = link.seat is not None and room.seats[link.seat].kind != "open"
    return pages.render(
        request,
        "link.html",
        areas=("common", "table"),
        title=find(room.table.game).title,
        game=room.table.game,
        people=[seat.name for seat in room.seats if seat.name],
        handed_on=handed_on,
        places=[(seat.seat, colour_of(seat)) for seat in room.seats if seat.kind == "open" and link.seat is None],
        late=late,
        card=_invitation_card(request, room),
        ended=room.table.status in ("over", "left"),
        watch=f"/t/{link.table}" if room.may_watch(request.state.visitor.id) else None,
        bots=[(seat, colour_of(room.seats[seat]), room.seats[seat].name) for seat in bots_to_replace(room)],
        colours=[] if handed_on or late else free_colours(room.table, room.seats, request.state.visitor.id),
        secret=request.path_params["secret"],
    )


def _invitation_card(request: Request, room: Room) -> share_pages.Card:
    """What the page of a link says of itself. Its picture is the empty board: a link may lead to a closed table."""
    t, origin = pages.translator(pages.language_of(request)), share_pages.origin_of(request)
    title = t("link.title", game=find(room.table.game).title)
    picture = f"{origin}/cards/{room.table.game}.png"
    return share_pages.Card(title, t("share.invited"), f"{origin}{request.url.path}", picture)


async def _follow(request: Request) -> Response:
    services, visitor = services_of(request), request.state.visitor
    form = await request.form()
    name = form.get("name")
    if isinstance(name, str) and name.strip():
        await services.lobby.change(visitor, name=name)
    seat, colour = (_digit(form.get(field)) for field in ("seat", "colour"))
    table = await services.invitations.use(visitor, request.path_params["secret"], seat, colour)
    return RedirectResponse(f"/t/{table}", 303)


def _digit(text: object) -> int | None:
    """A number below ten of a form; None if there is none."""
    return int(text) if isinstance(text, str) and len(text) == 1 and text.isascii() and text.isdigit() else None


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
