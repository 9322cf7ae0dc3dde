"""axe-core looks at every page, by day and by night: nothing that would shut somebody out.

Where other tests lead to a state anyway, they look there: curtains in `test_clock.py`, mistakes of a set-up in
`test_spanish_refusals.py`, spectators in `test_together.py`, the end of a race and its replay in `test_racing.py`.
"""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from axe_helpers import findings, findings_day_and_night
from browsing import Served, Visitors
from one_view import overhang
from playwright.sync_api import Page, expect
from steps import ASKED, choose, set_up

import spina

GAMES = spina.game_names()
AT_REST = "() => !document.getElementById('main').hasAttribute('data-busy') && document.querySelector('.your-turn')"


def race_now(page: Page, game: str) -> None:
    page.goto("/")
    page.locator(f"form:has(input[name=game][value={game}]) button").first.click()
    page.wait_for_url("**/t/*")
    page.wait_for_function(AT_REST)


def post(page: Page, path: str, body: dict[str, Any]) -> Any:
    return page.evaluate(
        "async ([path, body]) => (await fetch(path, {method: 'POST', body: JSON.stringify(body)})).json()", [path, body]
    )


@pytest.fixture(scope="module")
def finished_race(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short race as a file."""
    race = spina.new("charioteer", seats=2, seed=7)
    bot = spina.bots.make("competent", game="charioteer", seed=1)
    while not race.over:
        for seat in race.to_act:
            race.play(seat, bot.choose(race, seat))
    path = tmp_path_factory.mktemp("races") / "race.json"
    race.save(path)
    return path


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_home_page_is_accessible(visitor: Visitors, language: str) -> None:
    page = visitor(language=language)
    page.goto("/")
    assert page.get_attribute("html", "lang") == language
    assert overhang(page) <= 0
    assert findings_day_and_night(page) == []
    page.locator(".menu summary").click()
    assert findings_day_and_night(page) == []


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_accessible_while_somebody_chooses(visitor: Visitors, game: str, phone: bool) -> None:
    page = visitor(phone=phone)
    race_now(page, game)
    assert findings_day_and_night(page) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_accessible_while_one_waits_for_others(visitor: Visitors, served: Served, game: str) -> None:
    """The other seat is a person's who never chooses, and has no page."""
    page = visitor()
    table = set_up(page, {"game": game, "seats": [{"kind": "me"}, {"kind": "open"}]})
    token = ask(served, "/api/visitors", {"name": "Livia"})["token"]
    ask(served, f"/api/tables/{table}/sit", {}, token)
    page.wait_for_function("() => document.getElementById('main').dataset.status === 'running'")
    for _ in range(20):
        page.wait_for_function(f"() => ({ASKED})() || document.querySelector('.waiting-row')")
        if page.locator(".your-turn").count() == 0:
            break
        choose(page, game)
    expect(page.locator(".waiting-row")).to_contain_text("Livia")
    expect(page.locator("#main:not([data-busy])")).to_be_attached()
    assert findings_day_and_night(page) == []


def ask(served: Served, path: str, body: dict[str, Any], token: str | None = None) -> Any:
    """What a program without a page asks the server."""
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    request = urllib.request.Request(served.url + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def test_a_hand_of_cards_is_accessible_while_one_is_picked(visitor: Visitors) -> None:
    page = visitor()
    race_now(page, "charioteer")
    page.locator(".cx-hand .cx-card.lit").first.click()
    expect(page.locator(".cx-hand .cx-card[aria-pressed=true]")).to_have_count(1)
    assert findings_day_and_night(page) == []


def test_dice_are_accessible_while_one_is_picked(visitor: Visitors) -> None:
    page = visitor()
    race_now(page, "chariot-race")
    page.locator(".cr-pick").first.click()
    assert findings_day_and_night(page) == []


def test_driving_with_sliders_is_accessible(visitor: Visitors) -> None:
    page = visitor()
    race_now(page, "chariotmaster")
    page.locator(".cm-token[data-token='5']").click()
    expect(page.locator(".cm-drive input[type=range]").first).to_be_visible()
    page.wait_for_function(AT_REST)
    assert findings_day_and_night(page) == []


def test_everything_beside_the_board_is_accessible(visitor: Visitors) -> None:
    page = visitor()
    race_now(page, "charioteer")
    page.locator("#drawer-button").click()
    for tab in ("chat", "people", "text"):
        page.locator(f"#tab-{tab}").click()
        expect(page.locator(f"#{tab}-panel")).to_be_visible()
        assert findings(page) == []


@pytest.mark.parametrize("path", [f"/new/{game}" for game in GAMES])
def test_setting_up_is_accessible(visitor: Visitors, path: str) -> None:
    page = visitor()
    page.goto(path)
    page.wait_for_load_state("networkidle")
    for details in page.locator("main details:not([open]) > summary").all():
        details.click()
    assert overhang(page) <= 0
    assert findings_day_and_night(page) == []


def test_a_chariot_in_the_workshop_is_accessible(visitor: Visitors) -> None:
    page = visitor()
    page.goto("/new/chariotmaster")
    page.wait_for_load_state("networkidle")
    page.locator("#option-points").select_option("4")
    page.locator("select:has(option[value=own])").first.select_option("own")
    page.wait_for_load_state("networkidle")
    assert findings_day_and_night(page) == []


@pytest.mark.parametrize("path", [*(f"/rules/{game}" for game in GAMES), "/rules/chariotmaster/complete"])
def test_the_rules_are_accessible(visitor: Visitors, path: str) -> None:
    page = visitor()
    page.goto(path)
    page.wait_for_load_state("networkidle")
    assert overhang(page) <= 0
    assert findings_day_and_night(page) == []


def test_a_replay_and_its_result_are_accessible(visitor: Visitors, finished_race: Path) -> None:
    page = visitor()
    page.goto("/")
    page.locator("#import-file").set_input_files(finished_race)
    page.locator("form[action='/import'] button").click()
    page.wait_for_url("**/t/*")
    page.wait_for_load_state("networkidle")
    assert findings_day_and_night(page) == []
    page.goto(f"{page.url.partition('?')[0].removesuffix('/replay')}/replay")
    expect(page.locator(".replay")).to_be_visible()
    assert findings_day_and_night(page) == []


def test_an_invitation_and_an_open_table_are_accessible(visitor: Visitors) -> None:
    host = visitor()
    host.goto("/")
    made = post(host, "/api/tables", {"game": "charioteer", "seats": [{"kind": "me"}, {"kind": "open"}]})
    link = post(host, f"/api/tables/{made['id']}/links", {"kind": "join", "seat": 1})
    host.goto(f"/t/{made['id']}")
    host.wait_for_load_state("networkidle")
    assert findings_day_and_night(host) == []
    guest = visitor()
    guest.goto(link["path"])
    expect(guest.locator("main form")).to_be_visible()
    assert findings_day_and_night(guest) == []


def test_an_error_is_accessible(visitor: Visitors) -> None:
    visitor.expected = ("404",)
    page = visitor()
    page.goto("/t/nowhere")
    assert findings_day_and_night(page) == []


def test_axe_finds_what_is_wrong(visitor: Visitors, served: Served) -> None:
    """So that the silence of the others means something."""
    page = visitor()
    page.goto("/")
    page.evaluate("document.querySelector('main h1').style.color = '#b9a67c'; document.title = ''")
    assert {finding.partition(":")[0] for finding in findings(page)} == {"color-contrast", "document-title"}


def test_axe_finds_what_is_wrong_at_night_only(visitor: Visitors) -> None:
    page = visitor()
    page.goto("/")
    page.evaluate("document.querySelector('main h1').style.color = 'light-dark(#222, #222)'")
    assert {" ".join(finding.split(": ")[:2]) for finding in findings_day_and_night(page)} == {"dark color-contrast"}
