"""The pages around the table, over a lobby that a test fills."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from page_fakes import Browser, FakeLobby, fake_app, summary

from spina.games import find
from spina.table.refusals import Refusal, say
from spina.web.messages import bundle

NASTY = '<script>alert("&")</script>'


@pytest.fixture
def lobby() -> FakeLobby:
    return FakeLobby()


@pytest.fixture
def client(lobby: FakeLobby) -> Iterator[Browser]:
    browser = Browser(fake_app(lobby))
    yield browser
    browser.close()


def test_a_newcomer_finds_every_game_and_a_cookie(client: Browser) -> None:
    response = client.get("/")
    assert response.status_code == 200
    assert re.findall(r'name="game" value="([a-z-]+)"', response.text) == [
        "charioteer",
        "chariot-race",
        "chariotmaster",
    ]
    cookie = response.headers["set-cookie"]
    assert cookie.startswith("spina=") and "HttpOnly" in cookie and "SameSite=Lax" in cookie
    assert "set-cookie" not in client.get("/").headers


def test_the_warm_up_makes_way_for_pages_and_not_for_what_scripts_ask(client: Browser, lobby: FakeLobby) -> None:
    client.get("/")
    assert lobby.warm_up.delays == 1
    client.get("/api/ready", headers={"accept": "application/json"})
    assert lobby.warm_up.delays == 1


def test_every_file_that_a_page_names_is_there(client: Browser) -> None:
    for path in ("/", "/new/chariotmaster", "/nowhere"):
        page = client.get(path).text
        named = set(re.findall(r'(?:href|src|data-messages)="([^"]+)"', page))
        files = {link for link in named if link.startswith(("/static/", "/messages/"))}
        assert len(files) >= 5
        for link in files:
            response = client.get(link)
            assert response.status_code == 200, link
            assert "immutable" in response.headers["cache-control"]
        assert not [link for link in named if urlsplit(link).netloc]


def test_no_page_has_anything_that_a_strict_policy_forbids(client: Browser, lobby: FakeLobby) -> None:
    lobby.lists.own_tables = [summary("one", mine=True, waiting_for_me=True)]
    for path in ("/", "/new/charioteer", "/new/chariotmaster", "/nowhere"):
        page = client.get(path).text
        assert not re.search(r"\sstyle\s*=|\son[a-z]+\s*=|<style|javascript:", page)
        scripts = re.findall(r"<script([^>]*)>", page)
        assert all(' src="' in script or 'type="application/json"' in script for script in scripts)


def test_race_now_starts_a_race_without_any_script(client: Browser, lobby: FakeLobby) -> None:
    response = client.post("/race-now", data={"game": "chariot-race"})
    assert (response.status_code, response.headers["location"]) == (303, "/t/newtable")
    (started,) = lobby.started
    assert started[0] == response.cookies["spina"] and started[1] == "chariot-race"


def test_race_now_does_not_wait_for_a_game_that_is_being_compiled(client: Browser, lobby: FakeLobby) -> None:
    lobby.warm_up.missing = {"chariotmaster"}
    response = client.post("/race-now", data={"game": "chariotmaster"})
    assert (response.status_code, response.headers["location"]) == (303, "/t/newtable")
    assert [game for _, game in lobby.started] == ["chariotmaster"]


def test_the_corner_of_the_page_shows_how_far_the_games_are_compiled(client: Browser, lobby: FakeLobby) -> None:
    assert "warm-up" not in client.get("/").text
    lobby.warm_up.missing = {"chariotmaster"}
    page = client.get("/").text
    assert re.search(r'<progress id="warm-up-progress" max="1" value="0.3">', page) and "js/warm-up" in page
    assert "Calentando" in client.get("/", headers={"accept-language": "es"}).text


@pytest.mark.parametrize("body", [b"game=senet", b"", b"game=%ff%fe", b"\xff\xfe", b"x=1&" * 100, b"a" * 20_000])
def test_a_strange_form_is_refused_politely(client: Browser, lobby: FakeLobby, body: bytes) -> None:
    response = client.post("/race-now", content=body, headers={"content-type": "application/x-www-form-urlencoded"})
    assert response.status_code == 422
    assert "Something is amiss" in response.text
    assert lobby.started == []


def test_a_refusal_says_why(client: Browser, lobby: FakeLobby) -> None:
    lobby.refusal = Refusal("too-many", say("table.tables-a-day", most=3))
    response = client.post("/race-now", data={"game": "charioteer"})
    assert response.status_code == 429
    assert "a visitor may set up 3 tables a day" in response.text


def test_races_that_wait_for_me_come_first_and_others_by_their_state(client: Browser, lobby: FakeLobby) -> None:
    lobby.lists.own_tables = [
        summary("done", mine=True, status="over", ended=1.0, winners=["competent"]),
        summary("going", mine=True),
        summary("mine", mine=True, waiting_for_me=True),
    ]
    lobby.lists.open_list = [
        summary("going"),
        summary("free", status="open", open_seats=2, names=["A", ""], kinds=["person", "open"]),
    ]
    lobby.lists.finished_list = [
        summary("done", status="over"),
        summary("epic", status="over", winners=["Nero", "Gaius"]),
    ]
    page = client.get("/").text
    order = [page.index(f'href="/t/{id_}"') for id_ in ("mine", "free", "going", "done", "epic")]
    assert order == sorted(order)
    assert page.count('action="/t/free/sit"') == 1 and "/t/going/sit" not in page
    assert "2 seats free" in page and "Veteran won" in page and "Nero, Gaius share the palm" in page
    assert page.count('id="waiting-for-me"') == 1
    assert page.count('href="/t/mine"') == 2, "a name and a button, in one list only"


def test_names_are_shown_as_text(client: Browser, lobby: FakeLobby) -> None:
    lobby.lists.own_tables = [
        summary("one", mine=True, names=[NASTY, "competent", "longest"], winners=[NASTY], status="over")
    ]
    client.get("/")
    assert client.post("/me", data={"name": "<b>&\"'"}).status_code == 303
    page = client.get("/").text
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page
    assert "<b>" not in page and "&lt;b&gt;&amp;&#34;&#39;" in page


def test_somebody_changes_name_colour_language_and_scheme(client: Browser) -> None:
    given = {"name": " Livia\u202e ", "colour": "4", "language": "es", "scheme": "dark", "next": "/new/charioteer"}
    response = client.post("/me", data=given)
    assert (response.status_code, response.headers["location"]) == (303, "/new/charioteer")
    page = client.get("/").text
    assert '<html lang="es" data-scheme="dark"' in page
    assert "Livia</span>" in page and "Correr ya" in page
    assert re.search(r'name="colour" value="4" checked', page)


@pytest.mark.parametrize("given", [{"colour": "9"}, {"colour": "²"}, {"language": "xx"}, {"name": "x" * 60}])
def test_what_nobody_can_be_is_refused(client: Browser, given: dict[str, str]) -> None:
    assert client.post("/me", data=given).status_code == 422


def test_pages_speak_the_browsers_language(client: Browser) -> None:
    page = client.get("/", headers={"accept-language": "es-AR,es;q=0.9"}).text
    assert '<html lang="es"' in page and "Toma las riendas" in page


def test_a_race_file_can_be_imported(client: Browser) -> None:
    response = client.post("/import", files={"file": ("race.json", b'{"race": 1}', "application/json")})
    assert (response.status_code, response.headers["location"]) == (303, "/t/imported")


@pytest.mark.parametrize(
    ("files", "problem"),
    [({"file": ("x", b"PK")}, "there is no game &#34;&lt;at all&gt;&#34;"), ({}, "Choose a race file")],
)
def test_a_wrong_race_file_is_answered_beside_the_field(
    client: Browser, files: dict[str, tuple[str, bytes]], problem: str
) -> None:
    response = client.post("/import", files=files) if files else client.post("/import")
    assert response.status_code == 422
    assert problem in response.text and 'role="alert"' in response.text


@pytest.mark.parametrize("preset", ["bots", "screen", "invite", "first", "nonsense", ""])
@pytest.mark.parametrize("game", ["charioteer", "chariot-race", "chariotmaster"])
def test_the_set_up_page_opens_with_every_preset(client: Browser, game: str, preset: str) -> None:
    response = client.get(f"/new/{game}", params={"preset": preset} if preset else {})
    assert response.status_code == 200
    assert response.text.count('aria-current="page"') == 1


def test_there_is_no_set_up_page_for_other_games(client: Browser) -> None:
    assert client.get("/new/senet").status_code == 404
    assert client.post("/new/senet/settings").status_code == 404


def test_an_edition_gives_its_own_settings(client: Browser) -> None:
    track = find("chariotmaster").editions.resource("track.toml").encode()
    answer = client.post("/new/chariotmaster/settings", content=track).json()
    assert answer["ok"] and answer["edition"] == "My tracks"
    assert answer["settings"][0]["choices"] == ["narrow"]


@pytest.mark.parametrize("content", [b"\xff\xfe", b"", b"format = 1\ngame = 'charioteer'\n", b"[" * 3000])
def test_a_wrong_edition_is_answered_with_its_problems(client: Browser, content: bytes) -> None:
    response = client.post("/new/chariotmaster/settings", content=content)
    answer = response.json()
    assert response.status_code == 200 and not answer["ok"]
    assert all(set(problem) == {"line", "refusal"} for problem in answer["problems"]) and answer["problems"]
    known = bundle("en", "refusals", "chariotmaster.refusals")
    assert all(f"refused.{problem['refusal']['code']}" in known for problem in answer["problems"])


def test_unknown_pages_are_answered_in_the_house_style(client: Browser) -> None:
    response = client.get("/nowhere")
    assert response.status_code == 404
    assert "There is nothing here" in response.text and 'class="wordmark"' in response.text
    assert client.get("/race-now").status_code == 405
    assert client.get("/api/nowhere").json()["error"] == "not-found"


def test_a_mistake_of_ours_tells_no_details(client: Browser) -> None:
    response = client.get("/broken")
    assert response.status_code == 500
    assert "secret details" not in response.text and "A wheel has come off" in response.text


def test_reasons_are_shown_as_text(client: Browser) -> None:
    response = client.get("/refused")
    assert response.status_code == 404
    assert "there is no table &#34;&lt;open&gt;&#34;" in response.text


@pytest.mark.parametrize("path", ["/messages/en/senet.json", "/messages/xx/common.json", "/messages/en/common+..json"])
def test_there_are_no_other_messages(client: Browser, path: str) -> None:
    assert client.get(path).status_code == 404


def test_the_home_page_is_light(client: Browser, lobby: FakeLobby) -> None:
    page = client.get("/")
    files = set(re.findall(r'(?:href|src)="(/(?:static|messages)/[^"]+)"', page.text))
    scripts = {"js/explain.js", "js/dom.js", "js/messages.js"}
    prefix = next(link for link in files if link.endswith("js/scheme.js")).removesuffix("js/scheme.js")
    size = len(page.content) + sum(
        len(client.get(link).content) for link in files | {prefix + name for name in scripts}
    )
    assert size < 120_000
