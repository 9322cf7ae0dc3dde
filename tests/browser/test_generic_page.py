"""A game without browser files: it is raced, replayed and explained on the house's generic pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_helpers import findings_day_and_night
from browsing import Served, Visitors
from one_view import PHONE, SIZES, Screen, at_rest, hidden
from playwright.sync_api import Browser, Page, expect
from steps import MOST_CHOICES, is_over, one_lap, set_up

GAME = "chariot-race"
ME, BOT = {"kind": "me"}, {"kind": "bot", "bot": "easy"}
ASKED = """() => document.getElementById("main").dataset.status === "over"
  || (!document.getElementById("main").hasAttribute("data-busy") && document.querySelector("button[data-action]"))"""
"""Whether the race is over, or the page lists options."""
SEEN = """() => {
  const choice = document.getElementById("choice");
  return [choice.hidden, choice.innerText, document.querySelectorAll("#log .line").length].join();
}"""
"""The options, and how much of the story was told: the same options may be asked for again."""


@pytest.fixture(scope="module")
def generic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("generic"), [str(Path(__file__).with_name("generic_server.py"))])
    server.start()
    yield server
    server.stop()
    assert "Traceback" not in server.log()


@pytest.fixture
def guests(browser: Browser, generic: Served) -> Iterator[Visitors]:
    visitors = Visitors(browser, generic.url)
    yield visitors
    visitors.close()
    assert visitors.problems == []


NEEDED = "#status-line, #hint-button, #choice h2, .generic-options li:first-child button, #choice > button"
"""What of a choice is never scrolled away: options may be more than a screen holds."""
LAID_OUT = """() => {
  const places = ["#board", "#chances", "#panels", "#choice", "#own"].map((chosen) => document.querySelector(chosen));
  const seen = places.filter((place) => place && place.checkVisibility() && place.childElementCount);
  const boxes = seen.map((place) => [place.id, place.getBoundingClientRect()]);
  const side = (one, other) => one.left < other.right - 1 && other.left < one.right - 1;
  const meet = (one, other) => side(one, other) && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  const pairs = boxes.flatMap((one, n) => boxes.slice(n + 1).map((other) => [one, other]));
  const root = document.documentElement;
  const { width, height } = document.getElementById("board").getBoundingClientRect();
  return {
    scrolls: root.scrollHeight > innerHeight || root.scrollWidth > innerWidth,
    meeting: pairs.filter(([[, one], [, other]]) => meet(one, other)).map(([[one], [other]]) => `${one} and ${other}`),
    outside: boxes.filter(([, box]) => box.bottom > innerHeight + 1 || box.right > innerWidth + 1).map(([id]) => id),
    board: [width / innerWidth, height / innerHeight],
  };
}"""
"""Whether the page scrolls, which of its places overlap or leave the window, and how large the board is in it."""


def misplaced(page: Page) -> list[str]:
    """What is wrong with where the page puts board, choice and values; empty: they are on one screen."""
    found = page.evaluate(LAID_OUT)
    wide, high = found["board"]
    return [
        *(["the page scrolls"] if found["scrolls"] else []),
        *(f"{each} overlap" for each in found["meeting"]),
        *(f"{each} leaves the window" for each in found["outside"]),
        *(f"cannot be seen: {each}" for each in hidden(page, NEEDED)),
        *([f"the board is only {wide:.0%} x {high:.0%} of the window"] if wide < 0.5 or high < 0.28 else []),
    ]


PRESS = """(number) => {
  const options = document.querySelectorAll("button[data-action]:enabled");
  options[number % options.length]?.click();
  return options.length > 0;
}"""
"""Presses the option of this number, counted round, in one go. Returns whether there was one."""


def seen_version(page: Page, table: str) -> int:
    return int(page.request.get(f"/api/tables/{table}").json()["state"]["version"])


def choose(page: Page, number: int = 0) -> None:
    """Choose one of the options that the page lists. A rival's choice may have them drawn anew at any moment."""
    while True:
        page.wait_for_function(ASKED)
        if is_over(page):
            return
        before = page.evaluate(SEEN)
        if page.evaluate(PRESS, number):
            break
    page.wait_for_function(f"before => ({SEEN})() !== before", arg=before)


def test_a_race_is_raced_to_its_end_and_replayed(guests: Visitors, screenshot: Callable[[Page, str], None]) -> None:
    page = guests()
    table = set_up(page, {"game": GAME, "seats": [ME, BOT], "edition": one_lap(GAME), "hints": True})
    page.wait_for_function(ASKED)
    expect(page.locator("#board img.generic-picture")).to_be_visible()
    assert "condition" in page.locator("#choice").inner_text()  # what an option comes to
    assert "Condition" in page.locator("#panels").inner_text()
    expect(page.locator("#board img")).to_have_attribute("src", re.compile(rf"/{seen_version(page, table)}\.svg$"))
    screenshot(page, "generic-page")
    page.locator("#hint-button").click()
    expect(page.locator(".candidates")).to_be_visible()
    for number in range(MOST_CHOICES):
        choose(page, number)
        if is_over(page):
            break
    assert is_over(page)
    assert page.locator("#log .line").count() > 20
    assert not re.search(r"\{|undefined|object Object", page.locator("#log").inner_text())
    page.goto(f"/t/{table}/replay#moment=3")
    picture = page.locator("#board img.generic-picture")
    expect(picture).to_be_visible()
    before = picture.get_attribute("src")
    page.keyboard.press("ArrowRight")
    expect(picture).not_to_have_attribute("src", str(before))
    assert page.evaluate("document.querySelector('.generic-picture').naturalWidth") > 100


def test_a_choice_is_taken_back(guests: Visitors) -> None:
    page = guests()
    set_up(page, {"game": "charioteer", "seats": [ME, BOT]})
    page.wait_for_function(ASKED)
    before = page.locator("#choice").inner_text()
    page.keyboard.press("1")
    page.locator("#choice button", has_text="Take it back").click()
    expect(page.locator("#choice")).to_have_text(before, use_inner_text=True)


@pytest.mark.parametrize("game", ["charioteer", "chariot-race"])
def test_board_options_and_values_are_on_one_screen(game: str, guests: Visitors) -> None:
    page = guests()
    set_up(page, {"game": game, "seats": [ME, *[BOT] * 5], "hints": True})
    screen = Screen(page)
    for number in range(3):
        page.wait_for_function(ASKED)
        expect(page.locator("#board img.generic-picture")).to_be_visible()
        for width, height in (size for size in SIZES if size[0] >= PHONE):
            screen.measure_at(width, height)
            assert at_rest(page, lambda: misplaced(page)) == [], f"at question {number}, {width} x {height}"
        screen.restore()
        choose(page, number)


def test_board_and_options_are_on_one_screen_of_a_phone(guests: Visitors) -> None:
    page = guests(phone=True)
    set_up(page, {"game": GAME, "seats": [ME, *[BOT] * 5], "hints": True})
    for number in range(3):
        page.wait_for_function(ASKED)
        expect(page.locator("#board img.generic-picture")).to_be_visible()
        assert at_rest(page, lambda: misplaced(page)) == [], f"at question {number}"
        choose(page, number)


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
def test_the_page_is_accessible_and_fits_the_screen(guests: Visitors, phone: bool) -> None:
    page = guests(phone=phone)
    set_up(page, {"game": GAME, "seats": [ME, *[BOT] * 5]})  # values of six fill more than their place
    page.wait_for_function(ASKED)
    expect(page.locator("#board img.generic-picture")).to_be_visible()
    assert findings_day_and_night(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_rules_and_lists_show_the_title_and_the_summary(guests: Visitors) -> None:
    page = guests()
    page.goto("/")
    card = page.locator(f"[data-game={GAME}]")
    expect(card.locator("h3")).to_have_text("Chariot Race")
    assert "2 to 6 players" in card.inner_text()
    assert page.evaluate(f"document.querySelector('[data-game={GAME}] img').naturalWidth") > 0
    page.goto(f"/rules/{GAME}")
    expect(page.locator("h1")).to_contain_text("Chariot Race")
    assert page.request.get(f"/rules/{GAME}/complete").status == 404
