"""Lessons: whoever only clicks what stands in the light learns every kind of move and ends in a race."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest
from browsing import Visitors
from one_view import overhang
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from steps import PAGES

MOST_CLICKS = 80
READY = """() => !document.querySelector(".lesson-next").hidden || !document.querySelector(".lesson-light").hidden"""
SHOWN = """() => {
  const [next, light] = [document.querySelector(".lesson-next"), document.querySelector(".lesson-light")];
  const { left, top, width, height } = light.getBoundingClientRect();
  return {
    count: document.querySelector(".lesson-count").textContent,
    next: next.hidden ? null : next.textContent,
    lit: light.hidden ? null : [left + width / 2, top + height / 2],
  };
}"""
"""What the lesson shows: its step, its button, and the middle of the light."""
AT_REST = """async () => {
  const light = document.querySelector(".lesson-light");
  const place = () => JSON.stringify(light.getBoundingClientRect());
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  for (let before = ""; light.getAnimations().length || before !== place(); await frame()) before = place();
}"""
"""Waits until the light stands still from one frame to the next."""
OTHER = f"(before) => JSON.stringify(({SHOWN})()) !== JSON.stringify(before)"
NEXT_STEP = """(before) => document.querySelector(".lesson-count").textContent !== before.count"""
PATIENCE = 3_000
"""Milliseconds after which a click that changed nothing is made again."""
ONE_LINE = """() => {
  const said = document.querySelector(".reminder-text"), text = said.getBoundingClientRect();
  const ask = document.getElementById("choice").getBoundingClientRect();
  const beside = text.right <= ask.left || text.left >= ask.right;
  const apart = beside || text.bottom <= ask.top || text.top >= ask.bottom;
  return apart && text.height < 2 * parseFloat(getComputedStyle(said).fontSize);
}"""
"""Whether the reminder is one line, and not over the question."""


def _shown(page: Page) -> dict[str, Any]:
    page.wait_for_function(READY)
    page.evaluate(AT_REST)
    shown: dict[str, Any] = page.evaluate(SHOWN)
    return shown


def _click(page: Page, shown: dict[str, Any]) -> None:
    """Click the button of the lesson if it is there, else what is lit, and wait for what it does."""
    if shown["next"] is not None:
        page.locator(".lesson-next").click()
        page.wait_for_function(NEXT_STEP, arg=shown)
    elif shown["lit"] is not None:
        page.mouse.click(*shown["lit"])
        with contextlib.suppress(PlaywrightTimeout):
            page.wait_for_function(OTHER, arg=shown, timeout=PATIENCE)


@pytest.mark.parametrize("game", PAGES)
@pytest.mark.parametrize("size", [(1366, 768), (390, 844)], ids=["desktop", "phone"])
def test_a_lesson_is_finished_by_clicking_what_is_lit(
    game: str, size: tuple[int, int], visitor: Visitors, screenshot: Callable[[Page, str], None]
) -> None:
    page = visitor(size=size)
    page.goto("/")
    page.locator(f"form[action='/lessons/{game}'] .button").click()
    page.wait_for_url("**/t/*")
    expect(page.locator(".lesson-text")).not_to_be_empty()
    told: list[str] = []
    for _ in range(MOST_CLICKS):
        shown = _shown(page)
        if shown["count"] not in told:
            told.append(shown["count"])
            screenshot(page, f"{game}-lesson-{size[0]}-{len(told)}")
        if shown["next"] == "Now race":
            break
        _click(page, shown)
        assert page.locator(".lesson-text.wrong").count() == 0, page.locator(".lesson-text").inner_text()
    assert len(told) == 12
    assert overhang(page) <= 0
    lesson = page.url
    page.locator(".lesson-next").click()
    page.wait_for_url(lambda url: "/t/" in url and url != lesson)
    expect(page.locator(".your-turn")).to_be_visible()
    reminder = page.locator("#reminder")
    expect(reminder.locator(".reminder-text")).to_be_visible()
    screenshot(page, f"{game}-reminder-{size[0]}")
    assert page.evaluate(ONE_LINE)
    reminder.get_by_role("button").click()
    expect(reminder).to_be_hidden()


def test_a_wrong_try_is_answered_kindly_and_changes_nothing(visitor: Visitors) -> None:
    page = visitor()
    page.goto("/")
    page.locator("form[action='/lessons/charioteer'] .button").click()
    page.wait_for_url("**/t/*")
    for number in range(1, 4):
        expect(page.locator(".lesson-count")).to_have_text(f"Step {number} of 12")
        page.locator(".lesson-next").click()
    expect(page.locator(".lesson-text")).to_contain_text("green 4")
    page.locator("#choice .cx-reset").click()
    page.locator("#choice [data-slot=c]").click()
    page.locator("#choice .cx-race").click()
    expect(page.locator(".lesson-text.wrong")).to_contain_text("A reset leaves the chariot where it stands")
    expect(page.locator(".lesson-count")).to_have_text("Step 4 of 12")
