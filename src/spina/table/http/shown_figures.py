"""Figures of the rules as the pages show them: files of the game, which browsers load when they come into view."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from markupsafe import Markup

from spina.games import find
from spina.games.rule_figures import FOLDER, LIST, Figure, read, size
from spina.table.http.static_files import game_url
from spina.web.messages import messages

_FIGURE = Markup(
    '<figure class="rule-figure"><img src="{source}" width="{width}" height="{height}" alt="{alt}" loading="lazy"'
    ' decoding="async"><figcaption>{caption}</figcaption></figure>\n'
)


@dataclass(frozen=True)
class Shown:
    """A figure on a page; its size is in CSS pixels."""

    source: str
    width: int
    height: int
    alt: str
    caption: str


def _listed(game: str) -> list[Figure]:
    path = find(game).web.path(LIST)
    return [] if path is None else read(path)


@cache
def figures(language: str, game: str) -> dict[str, Shown]:
    """The figures of a game, by id."""
    web, found = find(game).web, {}
    for figure in _listed(game):
        name = f"{FOLDER}/{figure.id}.svg"
        path, source = web.path(name), game_url(game, name)
        if path is not None and source is not None:
            width, height = (round(2 * side) for side in size(path))
            id_ = f"rules.{game}.figure.{figure.id}"
            alt, caption = (messages().text(language, each) for each in (f"{id_}.alt", id_))
            found[figure.id] = Shown(source, width, height, alt, caption)
    return found


@cache
def figures_at(language: str, game: str) -> dict[str, list[Shown]]:
    """The figures of the short rules, by the entry that shows them, such as "turn.3"."""
    shown: dict[str, list[Shown]] = {}
    for figure in _listed(game):
        for entry in figure.entries:
            shown.setdefault(entry, []).append(figures(language, game)[figure.id])
    return shown


def row(shown: Iterable[Shown]) -> Markup:
    """Figures side by side, as far as there is room; nothing for none."""
    drawn = Markup("").join(
        _FIGURE.format(source=each.source, width=each.width, height=each.height, alt=each.alt, caption=each.caption)
        for each in shown
    )
    return Markup('<div class="rule-figures">{}</div>\n').format(drawn) if drawn else drawn
