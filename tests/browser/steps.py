"""What people do at a table, whichever game they race."""

from __future__ import annotations

import re
from types import ModuleType
from typing import Any

import chariot_race_page
import charioteer_page
import chariotmaster_page
from playwright.sync_api import Page, expect

from spina.games import find

PAGES: dict[str, ModuleType] = {
    "charioteer": charioteer_page,
    "chariot-race": chariot_race_page,
    "chariotmaster": chariotmaster_page,
}
MOST_CHOICES = 400
ASKED = """() => {
  const main = document.getElementById("main");
  if (main.dataset.status === "over") return true;
  return !main.hasAttribute("data-busy") && !main.hasAttribute("data-lost") && document.querySelector(".your-turn");
}"""
"""Whether the race is over, or waits for this page."""


def race_now(page: Page, game: str) -> None:
    """From the home page into a race against bots, with one click."""
    page.goto("/")
    page.locator(f"form:has(input[name=game][value={game}]) button").first.click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#status-line")).not_to_be_empty()


def one_lap(game: str) -> str:
    """An edition whose races are short, for what happens at their end."""
    text = find(game).reference().text
    text, times = re.subn(r"^laps = { value = \d+", "laps = { value = 1", text, flags=re.MULTILINE)
    assert times == 1
    return text


def short_race(game: str) -> dict[str, Any]:
    """What of a set-up makes a race of this game short."""
    return {"options": {"laps": 1}} if game == "chariotmaster" else {"edition": one_lap(game)}


def open_drawer(page: Page, tab: str) -> None:
    """Story, chat, people or the text view, beside the table."""
    page.locator("#drawer-button[aria-expanded=false]").click()
    page.get_by_role("tab", name=tab).click()


def is_over(page: Page) -> bool:
    return page.get_attribute("#main", "data-status") == "over"


def choose(page: Page, game: str, times: int = 1) -> None:
    """Wait until something is asked and choose whatever is offered."""
    for _ in range(times):
        page.wait_for_function(ASKED)
        if not is_over(page):
            PAGES[game].choose_anything(page)


def race_on(page: Page, game: str) -> None:
    """Choose whatever is offered, until the race is over."""
    for _ in range(MOST_CHOICES):
        choose(page, game)
        if is_over(page):
            return
    raise AssertionError(f"the race was not over after {MOST_CHOICES} choices")


def table_of(page: Page) -> str:
    """The id of the table that a page shows."""
    found = re.search(r"/t/(\w+)", page.url)
    assert found is not None
    return found[1]


def set_up(page: Page, setup: dict[str, Any]) -> str:
    """A table as the set-up page would ask for it. Returns its id."""
    page.goto("/")
    answer = page.evaluate(
        """async (setup) => {
          const response = await fetch("/api/tables", {method: "POST", body: JSON.stringify(setup)});
          return {ok: response.ok, body: await response.json()};
        }""",
        setup,
    )
    assert answer["ok"], answer["body"]
    page.goto(f"/t/{answer['body']['id']}")
    expect(page.locator("#status-line")).not_to_be_empty()  # the page's modules are there: it answers to clicks
    return str(answer["body"]["id"])
