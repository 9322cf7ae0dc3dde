"""Several people: in two browsers, at one screen, and watching."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_helpers import findings
from browsing import Visitors
from playwright.sync_api import Page, expect
from steps import choose, is_over, one_lap, open_drawer, race_on, set_up, table_of


def invite(page: Page) -> str:
    """The link that the lobby gives."""
    page.locator("#people-link-join").click()
    return page.locator("#made-link input").input_value()


@pytest.mark.parametrize("game", ["charioteer", "chariot-race"])
def test_two_browsers_race_each_other_to_the_end(
    game: str, visitor: Visitors, screenshot: Callable[[Page, str], None]
) -> None:
    host, guest = visitor(), visitor()
    set_up(host, {"game": game, "seats": [{"kind": "me"}, {"kind": "open"}], "edition": one_lap(game)})
    link = invite(host)
    guest.goto(link)
    guest.locator("main").get_by_label("Your name").fill("Guest <b>bold</b>")
    guest.get_by_role("button", name="Sit down").click()
    guest.wait_for_url("**/t/*")
    expect(host.locator("#status-line")).not_to_contain_text("open")
    expect(host.locator("#panels")).to_contain_text("Guest <b>bold</b>")  # shown as it was written
    for _ in range(400):
        moved = False
        for page in (host, guest):
            if page.locator(".your-turn").count() and page.get_attribute("#main", "data-busy") is None:
                choose(page, game)
                moved = True
        if is_over(host):
            break
        if not moved:
            host.wait_for_timeout(50)
    assert is_over(host)
    expect(guest.locator(".result h2")).to_be_visible()
    screenshot(guest, f"{game}-two-browsers")
    guest.get_by_role("button", name="Race again").click()
    guest.wait_for_url(lambda url: "/t/" in url and table_of(host) not in url)
    expect(guest.locator(".rematch")).to_contain_text("has not accepted yet")
    expect(guest.locator(".rematch .countdown")).to_contain_text("0:")
    screenshot(guest, f"{game}-rematch")
    expect(host.locator(".result .countdown")).to_contain_text("0:")
    screenshot(host, f"{game}-rematch-asked")
    assert guest.locator(".your-turn").count() == 0
    host.get_by_role("button", name="Accept the rematch").click()
    host.wait_for_url(guest.url)
    expect(guest.locator("#main")).to_have_attribute("data-status", "running")
    expect(host.locator("#main")).to_have_attribute("data-status", "running")


def test_at_one_screen_a_curtain_falls_between_secret_choices(
    visitor: Visitors, screenshot: Callable[[Page, str], None]
) -> None:
    page = visitor()
    seats = [{"kind": "me"}, {"kind": "screen", "name": "Marcia"}, {"kind": "screen", "name": "Livia"}]
    set_up(page, {"game": "charioteer", "seats": seats})
    for name in ("Auriga", "Marcia", "Livia") * 2:
        expect(page.locator("dialog.curtain")).to_contain_text(name)
        expect(page.locator("#main:not([data-busy])")).to_be_attached()
        assert page.locator("#choice .card, #choice [data-card]").count() == 0  # no hand lies open behind the curtain
        screenshot(page, "charioteer-curtain")
        page.locator("dialog.curtain button").click()
        choose(page, "charioteer")


def test_at_one_screen_open_games_need_no_curtain(visitor: Visitors) -> None:
    page = visitor()
    set_up(page, {"game": "chariot-race", "seats": [{"kind": "me"}, {"kind": "screen", "name": "Marcia"}]})
    choose(page, "chariot-race", 12)
    assert page.locator("dialog.curtain").count() == 0


def test_a_spectator_watches_and_talks(visitor: Visitors) -> None:
    racer, watcher = visitor(), visitor()
    table = set_up(racer, {"game": "chariot-race", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "competent"}]})
    watcher.goto(f"/t/{table}")
    expect(watcher.locator("#status-line")).not_to_be_empty()
    assert watcher.locator(".your-turn").count() == 0
    open_drawer(watcher, "Chat")
    watcher.get_by_label("Say something").fill("<img src=x onerror=alert(1)>")
    watcher.get_by_role("button", name="Say", exact=True).click()
    open_drawer(racer, "Chat")
    expect(racer.locator("#chat li")).to_contain_text("<img src=x onerror=alert(1)>")
    assert racer.locator("#chat img").count() == 0
    choose(racer, "chariot-race", 12)
    expect(watcher.locator("#log li").nth(3)).to_be_attached()  # behind the chat
    assert findings(watcher) == []


def test_a_table_that_nobody_may_watch_stays_closed(visitor: Visitors) -> None:
    racer, stranger = visitor(), visitor()
    setup = {"game": "charioteer", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "competent"}], "watching": "none"}
    table = set_up(racer, setup)
    visitor.expected = ("403",)
    answer = stranger.goto(f"/t/{table}")
    assert answer is not None and answer.status == 403


def test_whoever_runs_out_of_time_is_driven_by_a_bot_until_they_return(visitor: Visitors) -> None:
    page = visitor()
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "competent"}]
    set_up(page, {"game": "chariot-race", "seats": seats, "clock": 5})
    expect(page.locator("#clock")).to_be_visible()
    back = page.get_by_role("button", name="I am back")
    expect(back).to_be_visible(timeout=30_000)
    expect(page.locator("#log")).to_contain_text("a bot takes the reins")
    back.click()
    expect(page.locator("#log")).to_contain_text("is back")


def test_leaving_ends_a_race_against_bots(visitor: Visitors) -> None:
    page = visitor()
    set_up(page, {"game": "chariot-race", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "competent"}]})
    open_drawer(page, "People")
    page.get_by_role("button", name="Leave the race").click()
    page.locator("dialog[open] .primary").click()
    page.wait_for_url("**/")
    expect(page.locator("main")).to_contain_text("Chariot Race")


def test_a_race_file_can_be_taken_away_and_brought_back(visitor: Visitors) -> None:
    page = visitor()
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "competent"}]
    set_up(page, {"game": "chariot-race", "seats": seats, "edition": one_lap("chariot-race")})
    race_on(page, "chariot-race")
    with page.expect_download() as download:
        page.get_by_role("link", name="Take the race with you").click()
    path = download.value.path()
    page.goto("/")
    page.set_input_files("input[type=file]", path)
    page.get_by_role("button", name="Watch it").click()
    page.wait_for_url("**/t/*")
    expect(page.locator(".result")).to_be_visible()


def test_a_file_that_is_no_race_is_answered_in_view_and_in_plain_words(
    visitor: Visitors, screenshot: Callable[[Page, str], None], tmp_path: Path
) -> None:
    page = visitor()
    page.goto("/")
    wrong = tmp_path / "holiday.json"
    wrong.write_text('{"spina": 1, "game": 7}')
    page.set_input_files("input[type=file]", wrong)
    visitor.expected = ("422",)
    page.get_by_role("button", name="Watch it").click()
    alert = page.locator("#import-problem")
    expect(alert).to_be_in_viewport(ratio=1)
    expect(alert).to_be_focused()
    expect(alert.locator("p").first).to_have_text(
        "This file could not be opened. It must be the file of a finished race, as the button “Take the race with you” "
        "saves it, unchanged. Choose another file"
    )
    screenshot(page, "home-wrong-file")
