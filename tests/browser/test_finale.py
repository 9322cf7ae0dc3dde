"""The end of a race: podium, three sentences, a chart and the way into the next race, on one screen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from browsing import Visitors
from playwright.sync_api import Page, expect
from steps import ASKED, PAGES, race_now, race_on, set_up, short_race

BOTS = [{"kind": "bot", "bot": "competent"}] * 3


@pytest.mark.parametrize("game", PAGES)
def test_the_end_of_a_race_is_told_on_one_screen(
    game: str, visitor: Visitors, screenshot: Callable[[Page, str], None]
) -> None:
    page = visitor(size=(1366, 768))
    set_up(page, {"game": game, "seats": [{"kind": "me"}, *BOTS], **short_race(game)})
    race_on(page, game)
    expect(page.locator(".podium .step-1 .wreath")).to_be_visible()
    expect(page.locator(".podium .podium-name")).to_have_count(3)
    winner = page.locator(".step-1 .podium-name").inner_text()
    expect(page.locator(".result h2")).to_contain_text(winner, ignore_case=True)
    expect(page.locator("#race-story p")).to_have_count(3, timeout=60_000)
    screenshot(page, f"{game}-finale")
    for what in (".result h2", "#race-story", ".result .primary", ".chart", ".podium"):
        box = page.locator(what).first.bounding_box()
        assert box is not None
        assert box["y"] >= 0 and box["y"] + box["height"] <= 768, what
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".result .primary")).to_be_in_viewport(ratio=1)
    expect(page.locator(".chart").first).to_be_in_viewport(ratio=0.75)
    page.locator(".finale-close").click()
    expect(page.locator(".podium")).to_be_hidden()


PODIUM = """async (ranking) => {
  const { Finale } = await import(new URL("finale.js", document.querySelector("script[src*='/table.js']").src).href);
  const place = document.createElement("div");
  const table = { badge: () => document.createElement("i"), name: (seat) => "ABCD"[seat], faction: (seat) => seat };
  new Finale(place, table).show(ranking, false);
  const text = (step, chosen) => step.querySelector(chosen).textContent;
  const steps = [...place.querySelectorAll(".podium-step")];
  const wreath = (step) => Boolean(step.querySelector(".wreath"));
  return steps.map((step) => [text(step, ".podium-name"), text(step, ".podium-block"), wreath(step)]);
}"""
"""Who stands where on the podium of a ranking, with which number, and with or without a wreath."""


def test_who_shares_a_place_stands_as_high(visitor: Visitors) -> None:
    page = visitor()
    race_now(page, "chariot-race")
    page.wait_for_function(ASKED)
    plain, second, first = ([[1], [0], [2], [3]], [[1], [0, 2], [3]], [[1, 3], [0], [2]])
    assert page.evaluate(PODIUM, plain) == [["A", "II", False], ["B", "I", True], ["C", "III", False]]
    assert page.evaluate(PODIUM, second) == [["A", "II", False], ["B", "I", True], ["C", "II", False]]
    assert page.evaluate(PODIUM, first) == [["D", "I", True], ["B", "I", True], ["A", "III", False]]
