"""The pages around the table: home, set-up, waiting, errors; and the messages of all pages.

The app sets `app.state.services`, and the Identity middleware sets `request.state.visitor`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from functools import cache
from http import HTTPStatus
from typing import Any

import jinja2
from markupsafe import Markup
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from spina.errors import SpinaError, StoreError
from spina.games import find as find_game
from spina.games import names as game_names
from spina.games.factions import FACTIONS, shape
from spina.sentences import Sentence
from spina.table.http import forms, static_files
from spina.table.http.addresses import address_of
from spina.table.http.display_text import LONGEST_NAME
from spina.table.http.responses import AWAY, answer, failure, refusal_of, refused, retry_later
from spina.table.http.security import HEADERS
from spina.table.live.table_lists import Summary
from spina.table.refusals import Refusal, say, sentence_code
from spina.table.services import services_of
from spina.web import TEMPLATES
from spina.web.messages import messages
from spina.web.refusal_words import refusal_words

SCHEME_COOKIE = "spina-scheme"
YEAR = 365 * 86_400
KEPT = "public, max-age=31536000, immutable"
"""Cache header of immutable responses: their URL changes with their content."""

# --- rendering ------------------------------------------------------------------------------------------------------


def _data(value: object) -> Markup:
    """JSON for a `<script>` data block, escaped so that no text in it can end the block."""
    return Markup(json.dumps(value, ensure_ascii=False).replace("<", "\\u003c").replace("&", "\\u0026"))


@cache
def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        static=static_files.url,
        game_file=static_files.game_url,
        game_icon=static_files.icon_url,
        games=game_names(),
        languages=messages().languages,
        longest_name=LONGEST_NAME,
        shape_path=lambda seat: shape(FACTIONS[seat].shape, 10),
        faction_letter=lambda seat: FACTIONS[seat].letter,
    )
    environment.filters["data"] = _data
    return environment


def language_of(request: Request) -> str:
    """The visitor's language: the chosen one, or the browser's preference."""
    visitor = getattr(request.state, "visitor", None)
    return messages().negotiate(request.headers.get("accept-language"), visitor.language if visitor else None)


def scheme_of(request: Request) -> str:
    """ "light", "dark", or "auto" for the device's setting."""
    scheme = request.cookies.get(SCHEME_COOKIE, "auto")
    return scheme if scheme in forms.SCHEMES else "auto"


def translator(language: str) -> Callable[..., str]:
    """The function `t` of templates: a message by id in this language."""

    def t(id_: str, /, **params: object) -> str:
        return messages().text(language, id_, **params)

    return t


def render(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A page in the visitor's language and colours. Every template may use `t`, `language`, `visitor`, `scheme`,
    `static`, `here`; `areas` names the messages that its scripts need."""
    language = language_of(request)
    page = _templates().get_template(template)
    html = page.render(
        t=translator(language),
        has=lambda id_: messages().has(language, id_),
        language=language,
        visitor=getattr(request.state, "visitor", None),
        scheme=scheme_of(request),
        here=request.url.path,
        messages_url=lambda areas: messages().url(language, areas),
        **context,
    )
    return HTMLResponse(html, status)


# --- home -----------------------------------------------------------------------------------------------------------


async def home(request: Request) -> Response:
    """The games, the visitor's own races, open tables, races worth watching."""
    return await _home(request)


async def _home(request: Request, status: int = 200, problem: str | None = None) -> Response:
    services = services_of(request)
    lists = services.lists
    own = await lists.own(request.state.visitor)
    open_tables = [table for table in await lists.open_tables() if table.id not in {mine.id for mine in own}]
    shown = {table.id for table in own}
    lessons = [name for name in game_names() if find_game(name).lesson is not None]
    finished = [table for table in await lists.finished() if table.id not in shown]
    rows = _Rows(translator(language_of(request)), language_of(request))
    return render(
        request,
        "home.html",
        status,
        areas=["common", "home"],
        warm_up=services.warm_up.share,
        meanwhile=lessons[0] if lessons else None,
        lessons=lessons,
        waiting=[rows.row(table) for table in own if table.waiting_for_me],
        running=[rows.row(t) for t in own if not t.waiting_for_me and t.status in ("open", "running")],
        ended=[rows.row(table) for table in own if table.status in ("over", "left")],
        open_tables=[rows.row(table) for table in open_tables],
        finished=[rows.row(table) for table in finished],
        problem=problem,
    )


class _Rows:
    """Builds the rows of the home page's lists of tables."""

    def __init__(self, t: Callable[..., str], language: str) -> None:
        self._t, self._language = t, language

    def row(self, table: Summary) -> dict[str, Any]:
        names = [self._name(name, kind) for name, kind in zip(table.names, table.kinds, strict=True)]
        people = [name for name, kind in zip(table.names, table.kinds, strict=True) if kind != "bot"]
        return {
            "id": table.id,
            "game": table.game,
            "status": table.status,
            "seats": list(zip(table.colours, names, table.kinds, strict=True)),
            "turn": table.turn,
            "open_seats": table.open_seats,
            "winners": [self._name(name, "person" if name in people else "bot") for name in table.winners],
            "ago": self._ago(table.ended or table.created),
        }

    def _name(self, name: str, kind: str) -> str:
        if kind == "open":
            return self._t("home.seat.open")
        if not name:
            return self._t("me.nameless")
        return self._t(f"bot.{name}") if kind == "bot" and messages().has(self._language, f"bot.{name}") else name

    def _ago(self, moment: float) -> str:
        seconds = max(0, int(time.time() - moment))
        for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
            if seconds >= size:
                return self._t(f"home.ago.{unit}", count=seconds // size)
        return self._t("home.ago.now")


async def race_now(request: Request) -> Response:
    """Start a race against bots at once."""
    given = await forms.fields(request)
    game, after_lesson = given.get("game", ""), given.get("after") == "lesson"
    find_game(game)
    lobby, visitor, address = services_of(request).lobby, request.state.visitor, address_of(request.scope)
    table = await (lobby.race_after_lesson if after_lesson else lobby.race_now)(visitor, game, address)
    return RedirectResponse(f"/t/{table}{'?after=lesson' if after_lesson else ''}", 303)


async def learn(request: Request) -> Response:
    """Begin the lesson of a game at once."""
    lessons = services_of(request).lessons
    table = await lessons.open(request.state.visitor, _game(request), address_of(request.scope))
    return RedirectResponse(f"/t/{table}", 303)


async def import_race(request: Request) -> Response:
    """Import a race file as a table to watch."""
    async with request.form(max_files=1, max_fields=4) as form:
        file = form.get("file")
        data = await file.read() if isinstance(file, UploadFile) else b""
    if not data:
        return await _home(request, 422, translator(language_of(request))("home.import.none"))
    try:
        table = await services_of(request).lobby.import_race(request.state.visitor, data)
    except Refusal:
        raise
    except SpinaError as error:
        return await _home(request, 422, refusal_words(language_of(request), error.said))
    return RedirectResponse(f"/t/{table}", 303)


async def change_me(request: Request) -> Response:
    """Change the visitor's name, colour, language or colour scheme."""
    given = await forms.fields(request)
    colour = given.get("colour")
    if colour is not None and (len(colour) != 1 or not colour.isascii() or not colour.isdigit()):
        raise forms.FormError(say("table.colour-number", last=len(FACTIONS) - 1))
    language = given.get("language")
    if language is not None and language not in messages().languages:
        raise forms.FormError(say("table.language", known=", ".join(messages().languages)))
    await services_of(request).lobby.change(
        request.state.visitor,
        name=given.get("name"),
        colour=None if colour is None else int(colour),
        language=language,
    )
    response = RedirectResponse(forms.where_next(given.get("next")), 303)
    scheme = given.get("scheme")
    if scheme in forms.SCHEMES:
        secure = request.url.scheme == "https"
        response.set_cookie(SCHEME_COOKIE, scheme, YEAR, httponly=True, samesite="lax", secure=secure)
    return response


# --- setting up -----------------------------------------------------------------------------------------------------


def _game(request: Request) -> str:
    game: str = request.path_params["game"]
    if game not in game_names():
        raise HTTPException(404)
    return game


async def new(request: Request) -> Response:
    """The set-up page, with every option of a race."""
    preset = request.query_params.get("preset", "bots")
    if preset not in forms.PRESETS:
        preset = "bots"
    game = _game(request)
    return render(
        request,
        "setup.html",
        areas=["common", "refusals", "setup", f"{game}.refusals", f"{game}.bots", f"{game}.setup"],
        game=game,
        preset=preset,
        presets=forms.PRESETS,
        setup=forms.set_up(game, preset, services_of(request).settings.bots),
    )


async def settings(request: Request) -> Response:
    """The options of a game with the submitted edition, or the edition's problems."""
    game = find_game(_game(request))
    try:
        text = (await request.body()).decode()
    except UnicodeDecodeError:
        return answer({"ok": False, "problems": [{"line": None, "refusal": sentence_code(say("edition.not-text"))}]})
    try:
        described = await services_of(request).slow_requests.do(
            lambda: forms.described(game, game.parse_edition(text, "edition"))
        )
    except Refusal as refusal:
        return refused(refusal, request.headers)
    except SpinaError as error:
        return answer({"ok": False, "problems": forms.problems_of(error)})
    return answer({"ok": True, **described})


# --- errors ---------------------------------------------------------------------------------------------------------


def error_page(request: Request, status: int, reason: Sentence | None = None) -> Response:
    """An error as a page; to programs, as JSON."""
    if request.url.path.startswith("/api/"):
        phrase = HTTPStatus(status).phrase
        sentence = reason or say("table.http-error", status=status).reworded(phrase)
        return failure(status, phrase.lower().replace(" ", "-"), sentence, request.headers)
    language = language_of(request)
    explanation = None if reason is None else refusal_words(language, reason)
    id_ = f"error.{status}" if messages().has(language, f"error.{status}") else f"error.{400 if status < 500 else 500}"
    page = render(request, "error.html", status, areas=["common"], code=status, explanation=id_, reason=explanation)
    page.headers.update(retry_later(status))
    return page


def refusal_page(request: Request, refusal: Refusal) -> Response:
    """A refusal as a page; to programs, as JSON."""
    if request.url.path.startswith("/api/"):
        return refused(refusal, request.headers)
    response = error_page(request, refusal.status, refusal.said)
    response.headers.update(retry_later(refusal.status, refusal.retry))
    return response


async def on_http_error(request: Request, error: Exception) -> Response:
    """Handles Starlette's HTTP errors, such as 404."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    response = error_page(request, status)
    if isinstance(error, HTTPException) and error.headers:
        response.headers.update(error.headers)
    return response


async def on_spina_error(request: Request, error: Exception) -> Response:
    """Handles SpinaError: the refusal with its reason."""
    assert isinstance(error, SpinaError)
    return refusal_page(request, refusal_of(error))


async def on_store_error(request: Request, _: Exception) -> Response:
    """Handles StoreError: 503 without details, which are in the log only."""
    refusal = Refusal("failed", AWAY)
    return (
        refused(refusal, request.headers)
        if request.url.path.startswith("/api/")
        else error_page(request, refusal.status)
    )


async def on_failure(request: Request, error: Exception) -> Response:
    """Handles unexpected exceptions. This runs outside the Guard, so the security headers are added here."""
    response = error_page(request, 500)
    response.headers.update(HEADERS)
    return response


def exception_handlers() -> dict[Any, Callable[[Request, Exception], Any]]:
    """The application's exception handlers."""
    return {
        HTTPException: on_http_error,
        StoreError: on_store_error,
        SpinaError: on_spina_error,
        500: on_failure,
    }


# --- messages -------------------------------------------------------------------------------------------------------


async def messages_file(request: Request) -> Response:
    """The messages of some areas as JSON."""
    areas: Sequence[str] = request.path_params["areas"].split("+")
    try:
        packed = messages().packed(request.path_params["language"], areas)
    except KeyError:
        raise HTTPException(404) from None
    return Response(packed, headers={"cache-control": KEPT}, media_type="application/json")


def routes() -> list[BaseRoute]:
    return [
        Route("/", home),
        Route("/new/{game}", new),
        Route("/new/{game}/settings", settings, methods=["POST"]),
        Route("/race-now", race_now, methods=["POST"]),
        Route("/lessons/{game}", learn, methods=["POST"]),
        Route("/import", import_race, methods=["POST"]),
        Route("/me", change_me, methods=["POST"]),
        Route("/messages/{language}/{areas}.json", messages_file),
    ]
