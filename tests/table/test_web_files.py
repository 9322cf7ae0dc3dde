"""The browser files of games: where they are served, and what stands in for those that a game does not have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest
from page_fakes import Browser, FakeLobby, fake_app

import spina
from spina.games import find
from spina.games.chariot_race.game import ChariotRace
from spina.games.game import Game
from spina.games.web_files import WebFiles
from spina.table.http import rules_pages, static_files
from spina.table.live.listener import page_form
from spina.web.messages import Messages

WEB = Path(spina.__file__).parent / "web"
IMPORTED = re.compile(r"""(?:from |import\()["']([^"']+)["']""")
NAMES = ("page.js", "style.css", "icon.svg", "rules.js")


class Plain(ChariotRace):
    """A game of another package, without browser files."""

    name = "plain"
    title = "Plain Race"
    summary = "A race on plain sand."
    web = WebFiles()


@pytest.fixture
def client() -> Iterator[Browser]:
    app = fake_app(FakeLobby())
    app.router.routes[:0] = rules_pages.routes()
    browser = Browser(app)
    yield browser
    browser.close()


@pytest.mark.parametrize("game", spina.game_names())
def test_scripts_styles_and_icons_of_a_game_are_served_and_kept(client: Browser, game: str) -> None:
    for name in NAMES:
        url = static_files.game_url(game, name)
        assert url is not None
        answer = client.get(url)
        assert answer.status_code == 200 and "immutable" in answer.headers["cache-control"], url


@pytest.mark.parametrize("name", ["rules.md", "messages/en/table.json", "../game.py", "..%2fgame.py", "missing.js"])
def test_nothing_else_of_a_game_is_served(client: Browser, name: str) -> None:
    page = static_files.game_url("charioteer", "page.js")
    assert page is not None
    assert client.get(page.replace("page.js", name)).status_code == 404


@pytest.mark.parametrize("game", spina.game_names())
def test_every_import_of_a_script_leads_to_a_script_that_is_served(client: Browser, game: str) -> None:
    """Relative imports have the same shape on disk, where `tsc` checks them, and in addresses."""
    folder = find(game).web.folder
    assert folder is not None
    for script in folder.rglob("*.js"):
        address = static_files.game_url(game, script.relative_to(folder).as_posix())
        assert address is not None
        for imported in set(IMPORTED.findall(script.read_text(encoding="utf-8"))):
            assert (script.parent / imported).resolve().is_file(), f"{script.name}: {imported}"
            if not imported.endswith(".d.ts"):  # types alone, which browsers never load
                assert client.get(urljoin(address, imported)).status_code == 200, f"{address}: {imported}"


def test_the_version_of_addresses_is_one_for_all() -> None:
    urls = [static_files.url("js/dom.js"), *(static_files.icon_url(game) for game in spina.game_names())]
    assert {url.split("/")[2] for url in urls} == {static_files.version()}


def test_a_game_without_files_has_its_title_and_summary_in_every_language() -> None:
    messages = Messages()
    messages.add_game(Plain())
    for language in messages.languages:
        assert messages.text(language, "game.plain") == "Plain Race"
        assert messages.text(language, "home.game.plain") == "A race on plain sand."
    assert messages.text("en", "home.facts.plain") == "2 to 6 players"
    assert messages.text("es", "home.facts.plain") == "De 2 a 6 jugadores"
    assert messages.url("en", ["common", "plain.table"]).startswith("/messages/en/common.json?v=")


def test_a_message_that_is_not_translated_is_in_english(tmp_path: Path) -> None:
    class Half(Plain):
        web = WebFiles(tmp_path)

    for language, texts in {"en": {"plain.a": "A", "plain.b": "B"}, "es": {"plain.a": "Á"}}.items():
        (tmp_path / "messages" / language).mkdir(parents=True)
        (tmp_path / "messages" / language / "table.json").write_text(json.dumps(texts), encoding="utf-8")
    messages = Messages()
    messages.add_game(Half())
    assert messages.bundle("es", "plain.table") == {"plain.a": "Á", "plain.b": "B"}


def test_a_game_cannot_change_the_messages_of_the_house(tmp_path: Path) -> None:
    class Rude(Plain):
        web = WebFiles(tmp_path)

    (tmp_path / "messages" / "en").mkdir(parents=True)
    (tmp_path / "messages" / "en" / "home.json").write_text('{"house.name": "Mine"}', encoding="utf-8")
    messages = Messages()
    messages.add_game(Rude())
    assert messages.text("en", "house.name") == "Spina"


def test_events_are_told_in_sentences_where_a_game_has_no_page() -> None:
    race = spina.new("chariot-race", seats=2, seed=1)
    told = [event for _ in range(10) for event in race.play(race.to_act[0], race.legal(race.to_act[0])[0])]
    assert page_form(race.game, ["Livia", "Gaius"])(told) == told
    plain = page_form(Plain(), ["Livia", "Gaius"])(told)
    assert len(plain) == len(told) > 0
    for event, typed in zip(plain, told, strict=True):
        assert event["type"] == type(typed).__name__
        assert event["sentence"] == race.game.sentence(typed, ["Livia", "Gaius"])


def test_the_usual_offer_lists_actions_with_their_outcome() -> None:
    race = spina.new("chariot-race", seats=2, seed=1)
    (seat,) = race.to_act
    offer = Game.offer(race.game, race._bytes, race.edition, seat)
    assert [option["action"] for option in offer["actions"]] == [str(action) for action in race.legal(seat)]
    first = offer["actions"][0]
    assert first["outcome"] == race.explain(seat, first["action"])


def test_the_usual_offer_has_no_outcome_for_a_part_of_a_choice() -> None:
    race = spina.new("charioteer", seats=2, seed=1)
    offer = Game.offer(race.game, race._bytes, race.edition, 0)
    assert offer["actions"] and all("outcome" not in option for option in offer["actions"])


def test_the_pages_of_the_house_know_no_game() -> None:
    names = re.compile("|".join(re.escape(name) for name in spina.game_names()), re.IGNORECASE)
    files = [path for path in WEB.rglob("*") if path.suffix in (".py", ".js", ".css", ".html", ".json")]
    assert len(files) > 40
    assert [path.name for path in files if names.search(path.read_text(encoding="utf-8"))] == []
