"""Forms of the pages: initial values of the set-up page, and parsing of submitted forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs

import msgspec
from starlette.requests import Request

from spina.errors import EditionError, SpinaError
from spina.games import find
from spina.games.editions import Edition
from spina.games.game import Game
from spina.games.web_files import SETUP
from spina.table.bots.bot_pool import offered
from spina.table.http import static_files
from spina.table.refusals import say, sentence_code

CLOCKS = (None, 15, 30, 60, 120, 300, 86_400)
"""Seconds for a choice that the set-up page offers."""
WATCHING = ("all", "link", "none")
PRESETS = ("bots", "screen", "invite", "first")
SCHEMES = ("auto", "light", "dark")
USUAL_BOT = "medium"
LARGEST_FORM = 16_384
"""Maximum size in bytes of a plain form, which holds a few words."""


class FormError(SpinaError):
    """An invalid form, which no page of this server sends."""


async def fields(request: Request) -> dict[str, str]:
    """The fields of a plain form. The last of several with the same name counts. Raises FormError."""
    body = await request.body()
    if len(body) > LARGEST_FORM:
        raise FormError(say("table.form-too-large", most=LARGEST_FORM, count=len(body)))
    try:
        values = parse_qs(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=50)
    except ValueError as error:
        raise FormError(say("table.form-unreadable")) from error
    return {name: given[-1] for name, given in values.items()}


def where_next(given: str | None) -> str:
    """A path on this server to redirect to: the given one, or the home page if it leads elsewhere."""
    if given is None or not given.startswith("/") or given.startswith(("//", "/\\")):
        return "/"
    return given if given.isascii() and given.isprintable() and len(given) <= 200 else "/"


def levels(game: Game, allowed: Sequence[str] = ()) -> list[str]:
    """The game's bots from weak to strong, then those that the host allows. Needs no compiled game."""
    return list(offered(game.name, allowed))


def usual_bot(game: Game) -> str:
    """The default level, a match for most people."""
    return USUAL_BOT


def seats_for(game: Game, preset: str) -> list[dict[str, str]]:
    """The initial seats of a set-up: those of the preset, within the game's seat counts."""
    me, bot = {"kind": "me"}, {"kind": "bot", "bot": usual_bot(game)}
    match preset:
        case "screen":
            seats = [{"kind": "screen"}, {"kind": "screen"}, bot, bot]
        case "invite":
            seats = [me, {"kind": "open"}, bot, bot]
        case "first":
            gentle = {"kind": "bot", "bot": levels(game)[0]}
            seats = [me, gentle, gentle]
        case _:
            seats = [me, bot, bot, bot]
    seats += [bot] * (game.seat_counts[0] - len(seats))
    return seats[: game.seat_counts[-1]]


def described(game: Game, edition: Edition, first: bool = False) -> dict[str, Any]:
    """The options of a game with an edition, as the set-up page needs them; with the defaults of a first race."""
    settings = game.settings(edition)
    if first:
        settings = [s if s.first is None else msgspec.structs.replace(s, default=s.first) for s in settings]
    return {
        "settings": [msgspec.structs.asdict(setting) for setting in settings],
        "setup_data": game.setup_data(edition),
        "edition": None if edition.hash == game.reference().hash else edition.name,
    }


def set_up(name: str, preset: str, allowed: Sequence[str] = ()) -> dict[str, Any]:
    """The initial data of a game's set-up page. Raises OptionError."""
    game = find(name)
    return {
        "game": game.name,
        "preset": preset,
        "seat_counts": [game.seat_counts[0], game.seat_counts[-1]],
        "seats": seats_for(game, preset),
        "bots": levels(game, allowed),
        "usual_bot": usual_bot(game),
        "clocks": CLOCKS,
        "clock": 86_400 if preset == "invite" else None,
        "watching": "link" if preset in ("bots", "first") else "all",
        "first": preset == "first",
        "module": static_files.game_url(name, SETUP),
        **described(game, game.reference(), first=preset == "first"),
    }


def problems_of(error: SpinaError) -> list[dict[str, Any]]:
    """The problems of an error, one per line of the edition where they have lines."""
    if isinstance(error, EditionError):
        return [{"line": line, "refusal": sentence_code(text)} for line, text in error.problems]
    return [{"line": None, "refusal": sentence_code(error.said)}]
