"""Two visitors at a table: seats and colours, links that others can reach, late friends, leaving and coming back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_helpers import findings_day_and_night
from browsing import Served, Visitors
from playwright.sync_api import Browser, Page, expect
from steps import open_drawer, set_up


def chip(page: Page) -> str:
    """The class of the colour in the header."""
    return page.locator("#me-chip .shape").get_attribute("class") or ""


def pick(page: Page, group: str, value: int) -> None:
    """Click a choice of a group in the foyer."""
    page.locator(f"#foyer .{group} label", has=page.locator(f"input[value='{value}']")).click()


@pytest.mark.parametrize("game", ["charioteer", "chariotmaster"])
def test_an_invited_friend_chooses_a_seat_and_a_colour(
    visitor: Visitors, game: str, screenshot: Callable[[Page, str], None]
) -> None:
    host, guest = visitor(), visitor()
    table = set_up(host, {"game": game, "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]})
    host.get_by_role("button", name="Copy a link for everybody").click()
    link = host.locator("#made-link input").input_value()
    guest.goto(link)
    guest.get_by_label("Seat 3").check()
    expect(guest.get_by_role("radio", name="Red")).to_have_count(0)  # the host has it
    guest.get_by_role("radio", name="Purple").check(force=True)
    assert findings_day_and_night(guest) == []
    screenshot(guest, f"{game}-invited")
    guest.get_by_role("button", name="Sit down").click()
    guest.wait_for_url(f"**/t/{table}")
    expect(host.locator("#foyer .people .faction-4")).not_to_have_count(0)
    pick(host, "choose-colour", 5)  # before the start people may still change
    expect(guest.locator("#foyer .people .faction-5")).not_to_have_count(0)
    screenshot(host, f"{game}-foyer")
    host.get_by_role("button", name="Start now").click()
    for page, colour in ((host, 5), (guest, 4)):
        expect(page.locator("#main")).to_have_attribute("data-status", "running")
        expect(page.locator("#me-chip .shape")).to_have_class(f"shape faction-{colour}")
        expect(page.locator(f".panel.mine.faction-{colour}")).to_have_count(1)
        letters = page.locator("#board .cx-chariot text, #board .cm-chariot .cm-letter text")
        expect(letters.filter(has_text="P")).to_have_count(1)
        expect(letters.filter(has_text="A")).to_have_count(1)
        expect(letters.filter(has_text="R")).to_have_count(0)
    screenshot(guest, f"{game}-chosen-colours")


def test_a_visitor_without_a_seat_chooses_in_the_foyer(visitor: Visitors) -> None:
    host, guest = visitor(), visitor()
    table = set_up(host, {"game": "charioteer", "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]})
    guest.goto(f"/t/{table}")
    pick(guest, "choose-seat", 2)
    pick(guest, "choose-colour", 3)
    guest.get_by_role("button", name="Sit down").click()
    expect(guest.locator("#me-chip .shape.faction-3")).to_be_visible()
    expect(host.locator("#foyer .people li").nth(2).locator(".faction-3").first).to_be_attached()


def test_the_header_has_the_colour_of_the_seat_where_the_game_gives_it(visitor: Visitors) -> None:
    host, guest = visitor(), visitor()
    table = set_up(host, {"game": "chariot-race", "seats": [{"kind": "me"}, {"kind": "open"}]})
    guest.goto(f"/t/{table}")
    expect(guest.locator(".choose-colour")).to_have_count(0)
    guest.get_by_role("button", name="Sit down").click()
    expect(guest.locator("#me-chip .shape.faction-1")).to_be_visible()
    assert "faction-0" in chip(host)


def test_a_late_friend_takes_over_from_a_bot_leaves_and_comes_back(
    visitor: Visitors, screenshot: Callable[[Page, str], None]
) -> None:
    host, guest = visitor(), visitor()
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "competent"}, {"kind": "bot", "bot": "competent"}]
    table = set_up(host, {"game": "charioteer", "seats": seats})
    open_drawer(host, "People")
    host.get_by_role("button", name="Invite a friend").click()
    guest.goto(host.locator("#people-panel .made-link input").input_value())
    expect(guest.get_by_role("link", name="Watch the race")).to_be_visible()
    assert findings_day_and_night(guest) == []
    screenshot(guest, "late-friend")
    guest.get_by_role("button", name="Take the reins").click()
    guest.wait_for_url(f"**/t/{table}")
    expect(guest.locator(".panel.mine[data-seat='1']")).to_have_count(1)
    expect(host.locator("#people-panel .people li").nth(1)).to_contain_text("person")
    open_drawer(guest, "People")
    guest.get_by_role("button", name="Leave the race").click()
    expect(guest.locator("dialog[open]")).to_contain_text("You can come back")
    guest.locator("dialog[open] .primary").click()
    guest.wait_for_url("**/")
    expect(host.locator("#people-panel .people li").nth(1)).to_contain_text("driven by a bot")
    expect(host.locator("#panels .panel[data-seat='1'] .stand-in")).to_be_attached()
    guest.locator(f"section:has(#own-races) a.button[href='/t/{table}']").click()
    guest.wait_for_url(f"**/t/{table}")
    expect(guest.locator("#foyer").get_by_role("button", name="Come back")).to_be_visible()
    screenshot(guest, "left-and-back")
    guest.locator("#foyer").get_by_role("button", name="Come back").click()
    expect(guest.locator(".panel.mine[data-seat='1']")).to_have_count(1)
    expect(host.locator("#panels .panel[data-seat='1'] .stand-in")).to_have_count(0)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Served]:
    """A server for this machine, which can be opened to another address of loopback."""
    server = Served(tmp_path, ("-m", "spina"), options=("--network", "127.0.0.2"))
    server.start()
    yield server
    server.stop()


def test_a_link_that_others_cannot_reach_says_so_and_opens_the_table(
    browser: Browser, home: Served, screenshot: Callable[[Page, str], None]
) -> None:
    visitors = Visitors(browser, home.url)
    host, guest = visitors(), visitors()
    set_up(host, {"game": "charioteer", "seats": [{"kind": "me"}, {"kind": "open"}]})
    host.get_by_role("button", name="Copy a link for everybody").click()
    expect(host.locator("#made-link")).to_contain_text("Only this computer can open the link")
    expect(host.locator("#made-link")).to_contain_text("Nothing is encrypted")
    expect(host.locator("#made-link .unreachable")).to_be_in_viewport()
    assert findings_day_and_night(host) == []
    screenshot(host, "invitation-unreachable")
    host.get_by_role("button", name="Open the table to the local network").click()
    field = host.locator("#made-link input")
    expect(field).to_have_value(re.compile(r"^http://127\.0\.0\.2:"))
    expect(host.get_by_role("button", name="Close the table to the network")).to_be_focused()
    qr = host.get_by_role("img", name="QR code of http://127.0.0.2")
    expect(qr).to_be_visible()
    host.wait_for_function("() => document.querySelector('#made-link .qr').naturalWidth > 0")
    assert findings_day_and_night(host) == []
    screenshot(host, "invitation-open")
    guest.goto(field.input_value())
    guest.get_by_role("button", name="Sit down").click()
    expect(guest.locator("#main")).to_have_attribute("data-status", "running")
    assert "127.0.0.2" in guest.url
    visitors.close()
    assert visitors.problems == []
