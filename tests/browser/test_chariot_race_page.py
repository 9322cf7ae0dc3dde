"""What is Chariot Race's own on its page: colours of drafted chariots, attacks on one space, the board's window."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from browsing import Visitors
from chariot_race_page import choose_anything, drive_on_board, stage
from one_view import at_rest, problems
from playwright.sync_api import Page, expect
from steps import ASKED, is_over, set_up

from spina.games import find

SIDES = '["+/-", "sprint", "steer", "steer", "attack", "fortuna"]'


def take(page: Page, action: str) -> None:
    """Click what is written like this in notation, as soon as it is offered."""
    page.wait_for_function(ASKED)
    page.locator(f"#choice button[data-action='{action}']").click()
    if action.startswith("draft"):
        page.locator("#choice .cr-foot .deciding").click()


def test_drafted_chariots_have_the_colours_of_their_boards_and_one_space_two_attacks(
    visitor: Visitors, screenshot: Callable[[Page, str], None]
) -> None:
    """Every die is an attack, so the gold chariot drives six spaces, through the green one, which stands on the fifth.

    It may throw a javelin at the green one or lay a caltrop under it: the list has both, the board takes the javelin.
    """
    page = visitor()
    text = find("chariot-race").reference().text
    assert text.count(SIDES) == 1
    set_up(
        page,
        {
            "game": "chariot-race",
            "seats": [{"kind": "me"}, {"kind": "screen", "name": "Livia"}],
            "options": {"individual": True, "pairs": False},
            "edition": text.replace(SIDES, '["attack", "attack", "attack", "attack", "attack", "attack"]'),
        },
    )
    page.wait_for_function(ASKED)
    expect(page.locator("#choice .cr-tile .shape")).to_have_count(6)
    take(page, "draft sprinter")
    take(page, "draft light")
    expect(page.locator(".cr-panel.faction-5")).to_contain_text("Sprinter")
    expect(page.locator(".cr-panel.faction-3")).to_contain_text("Light")
    assert page.locator(".cr-panel").count() == 2
    take(page, "start o36")  # whoever drafted last places first: the light chariot
    take(page, "start o35")
    for faction in ("3", "5"):
        expect(page.locator(f"#board .cr-chariot[data-faction='{faction}']")).to_have_count(1)
        expect(page.locator(f"#people-panel .emblem.faction-{faction}").first).to_be_attached()
    for action in (
        "no repair",
        "keep",
        "keep",
        "no attack",
        "keep",
        "keep",
    ):  # the light one is worn, the sprinter whole
        take(page, action)
    page.wait_for_function(ASKED)
    drop = page.locator("#choice button[data-action='caltrop on o4']")
    throw = page.locator("#choice button[data-action='javelin at green']")
    expect(drop).to_contain_text("under")
    expect(throw).to_have_count(1)
    expect(page.locator("#board .cr-end.open[data-space]")).to_have_count(5)  # o36, o1 to o3 are free, o4 is a target
    screenshot(page, "chariot-race-attacks")
    drop.click()
    expect(page.locator("#log")).to_contain_text("o4")


BOTS = [{"kind": "bot", "bot": "fastest"}] * 3
LONGEST = """() => Math.max(...[...document.querySelectorAll("#board .cr-chariot:not(.cr-ghost) use")].map((each) => {
  const { width, height } = each.getBoundingClientRect();
  return Math.max(width, height);
}))"""
"""How long a chariot is drawn; one that stands aslant has a box that is a little longer or shorter."""
HIDDEN = """() => {
  const window_ = document.querySelector("#board .camera").getBoundingClientRect();
  return [...document.querySelectorAll("#board .cr-end .cr-label")].filter((each) => {
    const { left, top, right, bottom } = each.getBoundingClientRect();
    return left < window_.left || top < window_.top || right > window_.right || bottom > window_.bottom;
  }).length;
}"""
"""How many ends of a move lie outside the window on the board."""
COVERED = """() => {
  const chariot = document.querySelector("#board .cr-chariot.active use")?.getBoundingClientRect();
  const map = document.querySelector("#board .camera-map").getBoundingClientRect();
  if (!chariot) return false;
  const [x, y] = [(chariot.left + chariot.right) / 2, (chariot.top + chariot.bottom) / 2];
  return x > map.left && x < map.right && y > map.top && y < map.bottom;
}"""
"""Whether the small map lies over the chariot whose turn it is."""


SCROLLED = """() => [...document.querySelectorAll("html, body, #main, #board, #board *")]
  .filter((each) => each.scrollTop || each.scrollLeft).map((each) => each.className || each.tagName)"""
"""What of the table or the board has been scrolled."""


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_first_race_says_what_matters_and_shows_pieces_and_ends(visitor: Visitors, size: tuple[int, int]) -> None:
    page = visitor(size=size, phone=size[0] < 600)
    set_up(page, {"game": "chariot-race", "seats": [{"kind": "me"}, *BOTS], "options": {}, "first": True})
    page.wait_for_function(ASKED)
    assert stage(page) == "intro"
    for word in ("Bends", "Braking"):
        expect(page.locator("#choice .cr-intro")).to_contain_text(word)
    assert problems(page) == []
    expect(page.locator("#chances-when")).to_have_text("Start of round 1")  # and stays so until all have moved
    assert page.locator("#chances-when").is_visible()
    # the window on the board moves by its camera only: nothing scrolls in it, or the table above it
    page.evaluate("document.querySelector('#board .camera-stage > svg').scrollIntoView({block: 'end', inline: 'end'})")
    assert page.evaluate(SCROLLED) == []
    asked = []
    for _ in range(9):
        page.wait_for_function(ASKED)
        if is_over(page):
            break
        page.wait_for_timeout(50)
        asked.append(stage(page))
        assert problems(page) == [], asked
        if size[0] > 600:
            assert page.evaluate(LONGEST) >= 40, asked
        assert not at_rest(page, lambda: page.evaluate(HIDDEN)), asked
        assert not at_rest(page, lambda: page.evaluate(COVERED)), asked
        if asked[-1] == "path":
            drive_on_board(page)
        else:
            choose_anything(page)
    assert asked[0] == "intro" and "intro" not in asked[1:]
    assert "free-re-roll" in asked
    page.locator("#board .camera-control").last.click()  # the whole circus
    board, window = (page.locator(f"#board {name}").bounding_box() for name in ("svg.cr-board", ".camera"))
    assert board and window
    assert board["width"] <= window["width"] + 1 and board["height"] <= window["height"] + 1
