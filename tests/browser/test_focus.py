"""Where the focus is: on what is asked, after every choice, and on the result at the end."""

from __future__ import annotations

import pytest
from browsing import Visitors
from playwright.sync_api import expect
from steps import ASKED, PAGES, choose, is_over, race_now, race_on, set_up, short_race

FOCUSED = "document.activeElement === document.body ? 'nothing' : document.activeElement.closest('#choice, #foyer')?.id"


@pytest.mark.parametrize("game", PAGES)
def test_the_focus_is_on_the_question_after_every_choice(game: str, visitor: Visitors) -> None:
    page = visitor()
    race_now(page, game)
    page.wait_for_function(ASKED)
    assert page.locator("#explanation:popover-open").count() == 0  # what the page itself puts the focus on is quiet
    for number in range(8):
        page.wait_for_function(ASKED)
        if is_over(page):
            break
        assert page.evaluate(FOCUSED) == "choice", f"at question {number}"
        choose(page, game)


def test_the_focus_stays_on_an_option_while_others_choose(visitor: Visitors) -> None:
    host, guest = visitor(), visitor()
    table = set_up(host, {"game": "chariotmaster", "seats": [{"kind": "me"}, {"kind": "open"}]})
    guest.goto(f"/t/{table}")
    guest.get_by_role("button", name="Sit down").click()
    for page in (host, guest):
        page.wait_for_function(ASKED)
    host.locator("#choice .cm-token[data-token='10']").focus()
    choose(guest, "chariotmaster")
    expect(host.locator("#panels .cm-coin.ready")).to_be_visible()
    host.wait_for_function(ASKED)
    expect(host.locator("#choice .cm-token[data-token='10']")).to_be_focused()


def test_the_focus_stays_where_somebody_writes(visitor: Visitors) -> None:
    page = visitor()
    race_now(page, "chariot-race")
    choose(page, "chariot-race", 1)
    page.locator("#drawer-button").click()
    page.get_by_role("tab", name="Chat").click()
    page.locator("#chat-text").focus()
    page.evaluate("document.querySelector('#choice .deciding').click()")
    page.wait_for_function(ASKED)
    assert page.evaluate("document.activeElement.id") == "chat-text"


def test_at_the_end_the_focus_is_on_the_result(visitor: Visitors) -> None:
    page = visitor()
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "competent"}]
    set_up(page, {"game": "chariot-race", "seats": seats, **short_race("chariot-race")})
    race_on(page, "chariot-race")
    assert is_over(page)
    assert page.evaluate(FOCUSED) == "foyer"
