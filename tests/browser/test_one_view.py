"""The table on one screen: board, choice and the deciding button without scrolling, at every size."""

from __future__ import annotations

import pytest
from browsing import Visitors
from one_view import LARGE, MOST_EMPTY, NARROW, PHONE, SIZES, Screen, emptiness, hidden, problems, small_targets
from playwright.sync_api import expect
from steps import ASKED, choose, is_over, race_now

GAMES = ("charioteer", "chariot-race", "chariotmaster")
CHOICES = 14
"""Choices after which a game has asked most of its kinds of questions."""
FIRST_CHOICES = 4
"""Choices that may be asked before any rival has driven."""
BEGUN = "document.querySelectorAll('#log > :not(:first-child)').forEach((line) => line.remove())"
"""Leaves of the story what it has before any chariot has moved: that the race begins."""
SCROLLED = "['log', 'log-panel'].map((id) => document.getElementById(id)).map((e) => e.scrollHeight - e.clientHeight)"
"""By how many pixels the story and its place can be scrolled."""
PIVOTS = ".cm-points:not([hidden]) .cm-point-button"
"""The last controls of a move in Chariotmaster: they must not lie under the buttons that decide."""

SIDEWAYS = "document.getElementById('choice').scrollWidth - document.getElementById('choice').clientWidth"
"""By how many pixels the choice can be scrolled sideways."""


@pytest.mark.parametrize("game", GAMES)
def test_every_question_of_a_first_race_is_on_one_screen(visitor: Visitors, game: str) -> None:
    large = [size for size in SIZES if size[0] >= PHONE]
    page = visitor(size=large[0])
    screen = Screen(page)
    race_now(page, game)
    for number in range(CHOICES):
        page.wait_for_function(ASKED)
        if is_over(page):
            break
        for width, height in large:
            screen.measure_at(width, height)
            assert problems(page) == [], f"at question {number}, {width} x {height}"
        screen.restore()
        choose(page, game)


@pytest.mark.parametrize("game", GAMES)
def test_the_column_of_a_large_screen_is_full_before_the_story_is_long(visitor: Visitors, game: str) -> None:
    large = [size for size in SIZES if size[0] >= LARGE]
    page = visitor(size=large[0])
    screen = Screen(page)
    race_now(page, game)
    for number in range(FIRST_CHOICES):
        page.wait_for_function(ASKED)
        page.evaluate(BEGUN)
        for width, height in large:
            screen.measure_at(width, height)
            assert problems(page) == [], f"at question {number}, {width} x {height}"
        screen.restore()
        choose(page, game)


def test_speed_tokens_fill_the_column_where_no_story_is_docked(visitor: Visitors) -> None:
    page = visitor(size=SIZES[0])
    screen = Screen(page)
    race_now(page, "chariotmaster")
    page.wait_for_function(ASKED)
    expect(page.locator(".cm-ask-tokens")).to_be_visible()
    for width, height in SIZES[:2]:
        screen.measure_at(width, height)
        assert page.locator(".circus.docked").count() == 0
        assert emptiness(page) < MOST_EMPTY / 2, f"{width} x {height}"
        assert problems(page) == [], f"{width} x {height}"


def test_the_story_takes_the_room_of_the_line_up_row_by_row(visitor: Visitors) -> None:
    page = visitor(size=(2560, 1440))
    race_now(page, "chariot-race")
    page.wait_for_function(ASKED)
    page.evaluate(BEGUN)
    rows = page.locator("#line-up li").count()
    assert rows > 1
    assert hidden(page, "#line-up li") == []
    left = [rows]
    while left[-1]:
        page.evaluate("document.getElementById('log').append(document.querySelector('#log .line').cloneNode(true))")
        left.append(rows - len(hidden(page, "#line-up li")))
        assert page.evaluate(SCROLLED) == [0, 0] or not left[-1]
    assert sorted(set(left), reverse=True) == list(range(rows, -1, -1))
    assert sorted(left, reverse=True) == left


@pytest.mark.parametrize("game", GAMES)
def test_every_question_of_a_first_race_is_on_one_screen_of_a_phone(visitor: Visitors, game: str) -> None:
    page = visitor(phone=True)
    race_now(page, game)
    for number in range(CHOICES):
        page.wait_for_function(ASKED)
        if is_over(page):
            break
        page.wait_for_timeout(50)
        assert problems(page) == [], f"at question {number}"
        assert small_targets(page) == [], f"at question {number}"
        assert hidden(page, PIVOTS) == [], f"at question {number}"
        assert page.evaluate(SIDEWAYS) == 0, f"at question {number}"
        choose(page, game)


def test_on_a_small_phone_the_last_row_is_scrolled_to_above_the_button_that_decides(visitor: Visitors) -> None:
    page = visitor(phone=True)
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    race_now(page, "charioteer")
    page.wait_for_function(ASKED)
    assert hidden(page, "#status-line, .your-turn, #hint-button, #choice .cx-race, .cx-move:first-child") == []
    page.evaluate("document.querySelector('.cx-reset').scrollIntoView({block: 'end'})")
    assert hidden(page, "#status-line, #choice .cx-race, .cx-reset, .cx-token, .cx-move:last-child") == []
    assert small_targets(page) == []
    assert page.evaluate(SIDEWAYS) == 0
    explained = page.locator("#choice [data-help]:not(button):visible").first
    explained.dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True})
    expect(page.locator("#explanation")).to_be_visible()
    explained.evaluate("(element) => element.remove()")  # as when the question changes
    expect(page.locator("#explanation")).to_be_hidden()


def test_an_explanation_covers_neither_the_question_nor_the_buttons_that_decide(visitor: Visitors) -> None:
    page = visitor(size=(1366, 768))
    race_now(page, "chariotmaster")
    choose(page, "chariotmaster", 1)
    page.wait_for_function(ASKED)
    explained = page.locator("#choice [data-help]:visible")
    for number in range(explained.count()):
        explained.nth(number).hover()
        page.wait_for_selector("#explanation", state="visible")
        covered = page.evaluate(
            """(number) => {
              const tip = document.getElementById("explanation").getBoundingClientRect();
              const explained = [...document.querySelectorAll("#choice [data-help]")];
              const own = explained.filter((each) => each.checkVisibility())[number];
              return [...document.querySelectorAll("#choice .deciding, #choice h2")]
                .filter((each) => !own.contains(each))
                .filter((each) => {
                  const box = each.getBoundingClientRect();
                  return tip.left < box.right && box.left < tip.right && tip.top < box.bottom && box.top < tip.bottom;
                }).map((each) => each.textContent);
            }""",
            number,
        )
        assert covered == []
        page.mouse.move(5, 5)
        page.wait_for_selector("#explanation", state="hidden")


def test_the_page_does_not_grow_with_the_story(visitor: Visitors) -> None:
    page = visitor(size=(1366, 768))
    race_now(page, "charioteer")
    choose(page, "charioteer", 8)
    page.wait_for_function(ASKED)
    page.evaluate("""() => {
      const log = document.getElementById("log");
      for (let n = 0; n < 4; n++) log.append(...[...log.children].map((line) => line.cloneNode(true)));
    }""")
    assert page.locator("#log .line").count() > 200
    assert page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]") == [768, 1366]
    page.locator("#drawer-button").click()
    assert page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]") == [768, 1366]
