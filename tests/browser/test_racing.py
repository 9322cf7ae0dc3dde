"""Whole races in the browser, by clicking."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_helpers import findings
from browsing import Visitors
from one_view import overhang
from playwright.sync_api import Page, expect
from steps import PAGES, choose, race_now, race_on, set_up, short_race


@pytest.mark.parametrize("game", PAGES)
def test_a_newcomer_races_to_the_end_by_clicking_and_watches_it_again(
    game: str, visitor: Visitors, screenshot: Callable[[Page, str], None]
) -> None:
    page = visitor(sound=True)
    race_now(page, game)
    expect(page.locator(".your-turn")).to_be_visible()
    screenshot(page, f"{game}-start")
    choose(page, game, 3)
    rivals = [{"kind": "bot", "bot": "competent"}] * 3
    set_up(page, {"game": game, "seats": [{"kind": "me"}, *rivals], **short_race(game)})
    race_on(page, game)
    expect(page.locator(".result h2")).to_be_visible()
    screenshot(page, f"{game}-end")
    assert findings(page) == []
    page.locator(".fair summary").click()
    expect(page.locator(".fair .good")).to_be_visible()  # the browser has checked the sealed seed
    _watch_again(page, game, screenshot)


def _watch_again(page: Page, game: str, screenshot: Callable[[Page, str], None]) -> None:
    """The replay: by keys, with the eyes of a seat, and by its link."""
    page.get_by_role("link", name="Watch it again").click()
    page.wait_for_url("**/replay*")
    at = page.locator(".replay output")
    expect(at).to_contain_text("1 of ")
    page.keyboard.press("ArrowRight")
    expect(at).to_contain_text("2 of ")
    page.keyboard.press("End")
    total = at.inner_text().rpartition(" ")[2]
    expect(at).to_have_text(f"{total} of {total}")
    screenshot(page, f"{game}-replay")
    assert findings(page) == []
    assert overhang(page) <= 0
    page.locator(".replay select").select_option("1")
    expect(at).to_have_text(f"{total} of {total}")
    page.reload()  # the address is a link to this moment
    expect(at).to_have_text(f"{total} of {total}")
    page.keyboard.press("Home")
    expect(at).to_have_text(f"1 of {total}")


def test_the_active_crowd_card_is_the_rightmost_on_the_board_and_beside_the_hand(
    visitor: Visitors, screenshot: Callable[[Page, str], None]
) -> None:
    """Slot 1 lies at the right, as on the printed board; the next ones come up from the left."""
    page = visitor(sound=True)
    race_now(page, "charioteer")
    page.wait_for_selector(".your-turn")
    expect(page.locator(".cx-crowd-cards .cx-caption")).to_have_text(["then", "next", "Crowd"])
    for cards in (page.locator(".cx-crowd-cards > *"), page.locator(".cx-crowd")):
        left = sorted((box["x"], index) for index in range(3) if (box := cards.nth(index).bounding_box()))
        active = cards.nth(left[-1][1])
        assert len(left) == 3
        assert "active" in (active.get_attribute("class") or "")
    screenshot(page, "charioteer-crowd")
