"""What pages of tables and replays say of themselves to messengers (Open Graph), and the routes of their pictures."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from spina.games import find
from spina.games import names as game_names
from spina.table.http import pages
from spina.table.http.share_cards import game_card
from spina.table.live.room import Room
from spina.table.refusals import Refusal, say
from spina.table.services import services_of


class Card(msgspec.Struct, frozen=True):
    """What a page says of itself to messengers."""

    title: str
    description: str
    url: str
    picture: str


def origin_of(request: Request) -> str:
    """The address under which the visitor came, with the scheme that people use for it."""
    host = request.headers.get("host", "")
    known = next((each for each in request.app.state.settings.origins if each.split("://", 1)[1] == host), None)
    return known or f"{request.url.scheme}://{host}"


def card_of(request: Request, room: Room, t: Callable[..., str]) -> Card:
    """What the page of a table or a replay says of itself."""
    origin, table = origin_of(request), room.table
    title = t("game." + table.game) if table.game in game_names() else find(table.game).title
    people = ", ".join(seat.name for seat in room.seats if seat.name)
    kind = "replay" if request.url.path.endswith("/replay") else table.status
    return Card(
        title=t(f"share.{kind}", game=title),
        description=t("share.people", names=people) if people else t("house.description"),
        url=f"{origin}{request.url.path}",
        picture=f"{origin}/t/{table.id}/card-{table.version}.png",
    )


def turn_words(t: Callable[..., str]) -> Callable[[Room], str]:
    """What the picture says about the time of the race."""

    def words(room: Room) -> str:
        if room.table.status == "running" and room.race is not None:
            return t(f"analysis.{room.race.game.turn_word}", turn=room.race.turn)
        return t(f"share.short.{room.table.status}")

    return words


async def _table_card(request: Request) -> Response:
    services = services_of(request)
    room = await services.rooms.room(request.path_params["id"])
    if not room.may_watch(request.state.visitor.id):
        raise Refusal("not-yours", say("table.not-to-be-seen"))
    words = turn_words(pages.translator(pages.language_of(request)))
    data = await services.share_cards.of(room, words)
    return Response(data, headers={"cache-control": "private, max-age=3600"}, media_type="image/png")


async def _card(request: Request) -> Response:
    game = request.path_params["game"]
    if game not in game_names():
        raise HTTPException(404)
    data = await services_of(request).slow_requests.do(lambda: game_card(game))
    return Response(data, headers={"cache-control": "public, max-age=86400"}, media_type="image/png")


def routes() -> list[Route]:
    return [Route("/t/{id}/card-{version:int}.png", _table_card), Route("/cards/{game}.png", _card)]
