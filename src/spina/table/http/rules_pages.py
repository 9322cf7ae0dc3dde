"""The rules pages, for newcomers before or during a race.

`/rules/GAME` is short and in every language: a summary of the rules, and every help text of the table page.
`/rules/GAME/complete` is the game's `rules.md` with every ruling, in English.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from spina.games import find
from spina.games import names as game_names
from spina.table.http import pages
from spina.table.http.shown_figures import figures, figures_at, row
from spina.web.messages import messages

if TYPE_CHECKING:
    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token

SECTIONS = ("aim", "turn", "things", "beware", "variants", "end", "tips")
"""Parts of the short rules; their messages are `rules.GAME.SECTION.ENTRY`, with an optional title."""
LANGUAGE = "en"
"""Of the complete rules."""
_RULING = re.compile(r'<a id="([a-z0-9-]+)"></a>\*\*([A-Z]+(?:-[A-Z]+)?[0-9]+) – (.+?)\.?\*\*', re.DOTALL)
_CITED = re.compile(r"\(([A-Z][0-9]+(?:, [A-Z][0-9]+)*)\)")
_ONE_CITED = re.compile(r"[A-Z][0-9]+")


@dataclass(frozen=True)
class Entry:
    """A paragraph of the rules, perhaps with a title."""

    key: str
    title: str | None
    text: Markup


@dataclass(frozen=True)
class Ruling:
    """A numbered ruling in the complete rules."""

    anchor: str
    number: str
    title: str


# --- the short rules ------------------------------------------------------------------------------------------------


def section(language: str, game: str, name: str) -> Iterator[Entry]:
    """The entries of a part of the short rules, in the order of the file."""
    area = messages().areas(language).get(f"{game}.rules", {})
    begin = f"rules.{game}.{name}."
    for id_ in area:
        if id_.startswith(begin) and not id_.endswith(".title"):
            title = messages().text(language, f"{id_}.title") if f"{id_}.title" in area else None
            yield Entry(id_.removeprefix(begin), title, cited(game, messages().text(language, id_)))


@cache
def glossary(language: str, game: str) -> tuple[Entry, ...]:
    """Every help text of the table page, by title. Titles with the same text are merged."""
    found: dict[str, list[str]] = {}
    for id_ in messages().areas(language).get(f"{game}.table", {}):
        if id_.startswith("help.") and not id_.endswith(".title"):
            title = _title(language, id_.removeprefix("help."))
            titles = found.setdefault(messages().text(language, id_), [])
            if title not in titles:
                titles.append(title)
    entries = [Entry("", ", ".join(titles), cited(game, text)) for text, titles in found.items()]
    return tuple(sorted(entries, key=lambda entry: (_alphabetical(entry.title or ""), entry.text)))


def _title(language: str, id_: str) -> str:
    """The title of a help text: its own, a name given for this list, or the message that it explains."""
    for candidate in (f"help.{id_}.title", f"rules.called.{id_}", id_):
        if messages().has(language, candidate):
            title = messages().text(language, candidate)
            return title[:1].upper() + title[1:]
    raise LookupError(f"help.{id_} has no title in {language!r}, and rules.called.{id_} does not exist")


def _alphabetical(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in plain if character.isalnum() or character == " ").strip()


def cited(game: str, text: str) -> Markup:
    """A text in which citations of rulings, such as (C10), are links."""
    anchors = {ruling.number.removeprefix("CM-"): ruling.anchor for ruling in rulings(game)}

    def link(match: re.Match[str]) -> str:
        anchor = anchors.get(match[0])
        return f'<a href="/rules/{game}/complete#{anchor}">{match[0]}</a>' if anchor else match[0]

    def links(match: re.Match[str]) -> str:
        return f'<span class="cited">({_ONE_CITED.sub(link, match[1])})</span>'

    return Markup(_CITED.sub(links, str(escape(text))))


# --- the complete rules ---------------------------------------------------------------------------------------------


@cache
def source(game: str) -> str:
    """The Markdown of the complete rules; empty for a game without them."""
    return find(game).web.rules_text() or ""


@cache
def rulings(game: str) -> tuple[Ruling, ...]:
    """Every ruling of a game, in the order of the page."""
    return tuple(Ruling(*(" ".join(part.split()) for part in match)) for match in _RULING.findall(source(game)))


@dataclass(frozen=True)
class Complete:
    """The complete rules as a page: its parts by anchor, and the text."""

    contents: tuple[tuple[str, str], ...]
    html: Markup


@cache
def complete(game: str, table_label: str) -> Complete:
    """The complete rules as HTML. Wide tables can be scrolled, with the keyboard too."""
    from markdown_it import (
        MarkdownIt,  # imported late: rarely needed, and slow to import
    )

    # HTML is passed through, since the anchors of rulings are HTML; the text is trusted
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    contents = []
    tokens = parser.parse(source(game))
    headings: Counter[str] = Counter()
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            anchor = slug(inline.content)
            headings[anchor] += 1
            if headings[anchor] > 1:
                anchor += f"-{headings[anchor] - 1}"
            token.attrSet("id", anchor)
            if token.tag == "h2":
                contents.append((anchor, _plain(inline)))
        elif token.type == "th_open" and not inline.content.strip():
            token.tag = tokens[tokens.index(inline) + 1].tag = "td"  # an empty corner heads nothing

    def table_open(_: RendererHTML, tokens: Sequence[Token], at: int, *__: Any) -> str:
        return f'<div class="wide" role="group" aria-label="{escape(table_label)}" tabindex="0"><table>\n'

    def table_close(*_: Any) -> str:
        return "</table></div>\n"

    def code_block(_: RendererHTML, tokens: Sequence[Token], at: int, *__: Any) -> str:
        return f'<pre tabindex="0"><code>{escape(tokens[at].content)}</code></pre>\n'

    parser.add_render_rule("table_open", table_open)
    parser.add_render_rule("table_close", table_close)
    parser.add_render_rule("code_block", code_block)
    _set_figures(game, tokens)
    html = parser.renderer.render(_without_heading(tokens), parser.options, {})
    return Complete(tuple(contents), Markup(html))


def _set_figures(game: str, tokens: list[Token]) -> None:
    """Make the paragraphs that are only pictures (`![…](figures/ID.svg)`) figures with their captions."""
    known = figures(LANGUAGE, game)
    for at in range(len(tokens) - 1, -1, -1):
        images = [child for child in tokens[at].children or () if child.type != "softbreak"]
        if images and all(child.type == "image" for child in images):
            shown = [known[Path(str(child.attrs["src"])).stem] for child in images]
            tokens[at - 1 : at + 2] = [tokens[at].copy(type="html_block", content=str(row(shown)), children=None)]


def _without_heading(tokens: list[Token]) -> list[Token]:
    """The text without its first heading, since the page has one."""
    return tokens[3:] if tokens and tokens[0].tag == "h1" else tokens


def _plain(inline: Token) -> str:
    return "".join(child.content for child in inline.children or ())


def slug(heading: str) -> str:
    """The anchor of a heading, made as code hosts do, since links in the text depend on it."""
    kept: Iterable[str] = (character for character in heading.lower() if character.isalnum() or character in " -_")
    return "".join(kept).replace(" ", "-")


# --- pages ----------------------------------------------------------------------------------------------------------


def _game(request: Request) -> str:
    game: str = request.path_params["game"]
    if game not in game_names():
        raise HTTPException(404)
    return game


async def _short(request: Request) -> Response:
    """The short rules: their sections, and for a game without any its summary."""
    game, language = _game(request), pages.language_of(request)
    sections = {name: list(section(language, game, name)) for name in SECTIONS}
    found = rulings(game)
    return pages.render(
        request,
        "rules.html",
        areas=["common"],
        game=game,
        figures=figures_at(language, game),
        figure_row=row,
        sections=[(name, entries) for name, entries in sections.items() if entries],
        glossary=glossary(language, game),
        rulings=found,
        example=found[0].number.removeprefix("CM-") if found else "",
        complete=bool(source(game)),
    )


async def _complete(request: Request) -> Response:
    """The complete rules."""
    game = _game(request)
    if not source(game):
        raise HTTPException(404)
    label = pages.translator(pages.language_of(request))("rules.complete.table")
    return pages.render(
        request, "rules_complete.html", areas=["common"], game=game, written_in=LANGUAGE, rules=complete(game, label)
    )


def routes() -> list[Route]:
    """The routes of the rules pages."""
    return [Route("/rules/{game}", _short), Route("/rules/{game}/complete", _complete)]
