"""What is Charioteer's own on its page: the window on the chariots, and the reveal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import charioteer_page
import pytest
from axe_helpers import findings_day_and_night
from browsing import Visitors
from playwright.sync_api import Page, expect
from steps import ASKED, choose, race_now, set_up

CHARIOTS = """() => {
  const frame = document.querySelector(".camera").getBoundingClientRect();
  return Object.fromEntries([...document.querySelectorAll(".cx-chariot")].map((chariot) => {
    const box = chariot.querySelector("use").getBoundingClientRect();
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const inside = x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
    return [chariot.dataset.seat, { length: Math.hypot(box.width, box.height), inside }];
  }));
}"""
"""How long each chariot is drawn, in pixels from corner to corner, and whether the window shows it."""
LEAST = 40
"""Pixels that a chariot must be long at least."""
REVEAL = """() => {
  window.reveals = [];
  const note = () => {
    const stage = document.querySelector(".cx-stage");
    if (!stage || stage.hidden) return;
    const plays = [...stage.querySelectorAll(".cx-play")].map((play) => ({
      order: play.querySelector(".cx-order").textContent,
      points: play.querySelector(".cx-points").textContent,
      faces: play.querySelectorAll(".cx-played > .cx-card-face").length,
      open: play.classList.contains("open"),
      crowned: play.classList.contains("crowned"),
    }));
    window.reveals.push(plays);
  };
  const everything = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver(note).observe(document.getElementById("choice"), everything);
}"""


def own_seat(page: Page) -> str:
    return str(page.get_attribute("#own .cx-seat", "data-seat"))


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_chariots_are_long_enough_to_be_told_apart_and_the_whole_circus_is_shown_on_request(
    visitor: Visitors, size: tuple[int, int], screenshot: Callable[[Page, str], None]
) -> None:
    page = visitor(size=size, phone=size[0] < 600)
    race_now(page, "charioteer")
    for turn in range(3):
        page.wait_for_function(ASKED)
        page.wait_for_timeout(100)
        chariots = page.evaluate(CHARIOTS)
        assert chariots[own_seat(page)]["inside"]
        # corner to corner is longer than nose to back: at most by a fifth
        assert min(chariot["length"] for chariot in chariots.values()) >= 1.2 * LEAST
        screenshot(page, f"charioteer-window-{size[0]}-{turn}")
        choose(page, "charioteer")
    page.wait_for_function(ASKED)
    page.locator(".camera-control").last.click()
    assert all(chariot["inside"] for chariot in page.evaluate(CHARIOTS).values())


def test_the_window_goes_where_a_considered_move_leads(visitor: Visitors) -> None:
    page = visitor(size=(1366, 768))
    race_now(page, "charioteer")
    choose(page, "charioteer", 2)
    page.wait_for_function(ASKED)
    move = page.locator(f"{charioteer_page.MOVE}.longest").first
    move.click()
    expect(page.locator(".cx-ghost.seen")).to_have_count(1)
    frame, ghost = page.locator(".camera").bounding_box(), page.locator(".cx-ghost.seen use").bounding_box()
    assert frame is not None
    assert ghost is not None
    assert frame["x"] <= ghost["x"] <= frame["x"] + frame["width"]
    assert frame["y"] <= ghost["y"] <= frame["y"] + frame["height"]


def reveal_of_a_turn(page: Page) -> list[list[dict[str, Any]]]:
    """What the reveal showed, one list of plays after the other, until the next question."""
    race_now(page, "charioteer")
    page.wait_for_function(ASKED)
    page.evaluate(REVEAL)
    charioteer_page.choose_anything(page)
    page.wait_for_selector(".cx-stage:not([hidden])")
    page.wait_for_selector(".cx-stage", state="hidden")
    return list(page.evaluate("window.reveals"))


@pytest.mark.parametrize("quick", [True, False], ids=["still", "moving"])
def test_the_reveal_opens_seat_after_seat_and_crowns_the_longest_move(visitor: Visitors, quick: bool) -> None:
    shown = reveal_of_a_turn(visitor(size=(1366, 768), quick=quick))
    opened = [sum(play["open"] for play in plays) for plays in shown]
    assert sorted(opened) == opened
    assert set(opened) >= {1, 2, 3, 4}, "the seats are not revealed one by one"
    last = [plays for plays in shown if any(play["crowned"] for play in plays)][-1]
    assert [play["order"] for play in last] == ["1", "2", "3", "4"]
    points = [int(play["points"] or 0) for play in last]
    assert [play["crowned"] for play in last] == [mine == max(points) for mine in points]
    if not quick:
        counted = {plays[0]["points"] for plays in shown} - {""}
        assert points[0] == 0 or len(counted) > 1, "the sum is not counted up"


def test_a_lesson_stands_where_the_advice_does_and_moves_nothing(visitor: Visitors) -> None:
    page = visitor(size=(1366, 768))
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "competent"}]
    set_up(page, {"game": "charioteer", "seats": seats, "first": True})
    page.wait_for_function(ASKED)
    race = page.locator(charioteer_page.RACE)
    before = race.bounding_box()
    expect(page.locator(".cx-lesson")).to_be_visible()
    page.locator(f"{charioteer_page.CARD}.lit").first.click()
    expect(page.locator(".cx-lesson")).to_be_hidden()
    assert race.bounding_box() == before
    page.keyboard.press("Escape")
    expect(page.locator(".cx-lesson")).to_be_visible()


def test_waiting_for_the_others_is_accessible(visitor: Visitors) -> None:
    """What has been chosen lies there, and is no button that is pressed."""
    host, guest = visitor(size=(1366, 768)), visitor()
    table = set_up(host, {"game": "charioteer", "seats": [{"kind": "me"}, {"kind": "open"}]})
    guest.goto(f"/t/{table}")
    guest.get_by_role("button", name="Sit down").click()
    choose(host, "charioteer")
    expect(host.locator(charioteer_page.CHOSEN)).to_be_visible()
    assert findings_day_and_night(host) == []
