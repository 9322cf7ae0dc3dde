"""The rules pages: complete, linked, in every language, and in the package."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from page_fakes import Browser, FakeLobby, fake_app

import spina
from spina.games import find
from spina.table.http import rules_pages
from spina.web.messages import bundle, messages

GAMES = spina.game_names()
LANGUAGES = messages().languages
ROOT = Path(__file__).parents[2]


@pytest.fixture
def client() -> Iterator[Browser]:
    app = fake_app(FakeLobby())
    app.router.routes[:0] = rules_pages.routes()
    browser = Browser(app)
    yield browser
    browser.close()


class Outline(HTMLParser):
    """Anchors, links within the page and the levels of headings of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.anchors: list[str] = []
        self.links: list[str] = []
        self.headings: list[int] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.anchors.append(str(given["id"]))
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_part_of_the_short_rules_is_written(client: Browser, game: str, language: str) -> None:
    response = client.get(f"/rules/{game}", headers={"accept-language": language})
    assert response.status_code == 200 and f'<html lang="{language}"' in response.text
    parts = {name: list(rules_pages.section(language, game, name)) for name in rules_pages.SECTIONS}
    assert len(parts["aim"]) == len(parts["end"]) == 2 and len(parts["tips"]) == 3
    assert all(len(entries) >= 3 for name, entries in parts.items() if name not in ("aim", "end"))
    titled = [entry for name in ("turn", "things", "variants", "tips") for entry in parts[name]]
    assert all(entry.title for entry in titled)
    for entries in parts.values():
        assert all(entry.text in response.text for entry in entries)
    assert not re.search(r"\b(?:rules|help|home)\.[a-z]+\.[a-z]", response.text.partition("<body")[2])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_glossary_has_every_explanation_of_the_table_in_alphabetical_order(game: str, language: str) -> None:
    entries = rules_pages.glossary(language, game)
    explained = {
        rules_pages.cited(game, str(message))
        for id_, message in bundle(language, f"{game}.table").items()
        if id_.startswith("help.") and not id_.endswith(".title")
    }
    assert {entry.text for entry in entries} == explained
    titles = [str(entry.title) for entry in entries]
    assert not [title for title in titles if "{" in title or not title]
    firsts = [title[0].upper() for title in titles if title[0].isascii() and title[0].isalpha()]
    assert firsts == sorted(firsts)


@pytest.mark.parametrize("game", GAMES)
def test_every_ruling_that_a_message_cites_exists(game: str) -> None:
    numbers = {ruling.number.removeprefix("CM-") for ruling in rules_pages.rulings(game)}
    for language in LANGUAGES:
        own = {f"rules.{game}.", f"help.{game}."}
        for id_, message in bundle(language, f"{game}.table", f"{game}.rules").items():
            if not id_.startswith(tuple(own)):
                continue
            for group in re.findall(r"\(([A-Z][0-9]+(?:, [A-Z][0-9]+)*)\)", str(message)):
                assert set(group.split(", ")) <= numbers, f"{id_} in {language}: {group}"


@pytest.mark.parametrize("game", GAMES)
def test_every_ruling_of_the_source_is_found(game: str) -> None:
    anchors = re.findall(r'<a id="([^"]+)">', rules_pages.source(game))
    assert [ruling.anchor for ruling in rules_pages.rulings(game)] == anchors
    assert len(anchors) >= 28


def test_the_page_of_charioteer_says_how_many_rulings_it_lists() -> None:
    text = rules_pages.source("charioteer")
    said = re.search(r"All\s+(\S+) are listed", text)
    assert said is not None
    assert said[1] == in_words(len(rules_pages.rulings("charioteer")))


def in_words(number: int) -> str:
    """A number from 20 to 99."""
    tens = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")[number // 10 - 2]
    ones = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")[number % 10]
    return f"{tens}-{ones}" if ones else tens


@pytest.mark.parametrize("game", GAMES)
def test_no_link_of_the_rules_leads_nowhere(client: Browser, game: str) -> None:
    whole = Outline(client.get(f"/rules/{game}/complete").text)
    short = Outline(client.get(f"/rules/{game}").text)
    for page in (whole, short):
        assert len(page.anchors) == len(set(page.anchors))
        assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.anchors)
    cited = {link.partition("#")[2] for link in short.links if link.startswith(f"/rules/{game}/complete#")}
    assert len(cited) >= 28 and cited <= set(whole.anchors)


@pytest.mark.parametrize("path", ["/rules/charioteer", "/rules/chariotmaster/complete"])
def test_headings_skip_no_level(client: Browser, path: str) -> None:
    headings = Outline(client.get(path).text).headings
    assert headings.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(headings))


def test_the_complete_rules_are_rendered_with_tables_that_can_be_scrolled(client: Browser) -> None:
    page = client.get("/rules/chariotmaster/complete", headers={"accept-language": "es"}).text
    assert '<article class="rules-text written" lang="en">' in page
    assert page.count('class="wide" role="group" aria-label="Tabla" tabindex="0"') == page.count("<table>") > 20
    assert "style=" not in page and "| token |" not in page


def test_citations_are_linked_and_the_rest_is_escaped() -> None:
    text = rules_pages.cited("chariotmaster", "<b>A</b> & B (C4, X99), see (so)")
    assert text == (
        "&lt;b&gt;A&lt;/b&gt; &amp; B "
        '<span class="cited">(<a href="/rules/chariotmaster/complete#cm-c4">C4</a>, X99)</span>, see (so)'
    )


@pytest.mark.parametrize("path", ["/rules/senet", "/rules/senet/complete", "/rules/../pyproject"])
def test_there_are_no_rules_of_unknown_games(client: Browser, path: str) -> None:
    assert client.get(path).status_code == 404


def test_the_package_carries_the_complete_rules() -> None:
    """The wheel contains `src/spina` as it is, and the rules of each game are there."""
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel == {"packages": ["src/spina"]}
    for game in GAMES:
        path = find(game).web.path("rules.md")
        assert path is not None and path.is_relative_to(ROOT / "src" / "spina")
