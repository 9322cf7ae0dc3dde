"""What is Chariotmaster's own on its page: steering with a finger, and what events look like."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from browsing import Visitors
from chariotmaster_page import GHOST
from one_view import problems
from playwright.sync_api import Locator, Page, expect
from steps import ASKED, choose, race_now, table_of

import spina

FINGER = 44
"""Pixels that a finger needs."""
TIP = "#board .cm-drag-tip"
DISTANCE, PIVOT = "#choice .cm-distance", "#choice .cm-pivot"


def steer(page: Page) -> None:
    """Answer until there is a ghost to steer."""
    for _ in range(4):
        page.wait_for_function(ASKED)
        if page.locator(GHOST).count():
            return
        choose(page, "chariotmaster")
    raise AssertionError("nothing is to be steered")


def drag(page: Page, held: Locator, dx: float, dy: float) -> None:
    """Take hold of something with a finger and pull it."""
    box = held.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    for kind, share in (("touchStart", 0.0), ("touchMove", 0.5), ("touchMove", 1.0)):
        point = {"x": x + share * dx, "y": y + share * dy}
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


def test_a_finger_steers_with_board_and_button_in_view(visitor: Visitors) -> None:
    page = visitor(phone=True)
    race_now(page, "chariotmaster")
    page.wait_for_function(ASKED)
    board = page.locator("#board").bounding_box()
    steer(page)
    assert page.locator("#board").bounding_box() == board  # it stays, whatever is asked
    assert problems(page) == []
    for grip in page.locator(f"{GHOST} .cm-grip").all():
        box = grip.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= FINGER - 0.5
    expect(page.locator(TIP)).to_have_count(0)

    places = [page.locator(name).bounding_box() for name in ("#board", "#choice .cm-go")]
    page.locator("#choice .cm-slider .cm-step").first.tap()
    expect(page.locator(TIP)).to_contain_text("Drag the ghost")  # once, at the first touch
    for slider in (page.locator(DISTANCE), page.locator(PIVOT)):
        box = slider.bounding_box()
        assert box is not None
        assert box["height"] >= FINGER - 0.5
        for share in (0.2, 0.6):
            page.touchscreen.tap(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
            assert problems(page) == []
            assert [page.locator(name).bounding_box() for name in ("#board", "#choice .cm-go")] == places

    for slider, held in ((DISTANCE, ".cm-ghost-body .cm-grip"), (PIVOT, ".cm-handle .cm-grip")):
        before = page.input_value(slider)
        drag(page, page.locator(f"{GHOST} {held}"), -20, 14)
        assert page.input_value(slider) != before, held
    expect(page.locator(TIP)).to_have_count(0)  # it has been understood

    page.reload()
    steer(page)
    page.locator("#choice .cm-slider .cm-step").first.tap()
    expect(page.locator(TIP)).to_have_count(0)  # and is not told again


MOMENTS = {
    "Collided ram": "moment-clash",
    "Attacked whip": "moment-lash",
    "Changed": "cm-chevron",
    "Skids": "moment-skid",
    "Crashed": "moment-wheel",
    "Hurled": "spina-lying",
    "Moved": "racing",
}
"""Kinds of events, and what is drawn for them: a class, or the beginning of an id that is used."""
FIND = """async ([table, kinds]) => {
  const found = kinds.map(() => -1);
  const words = (event) => `${event.type} ${event.kind ?? event.how ?? ""}`;
  for (let number = 0, total = 1; number < total; ) {
    const answer = await (await fetch(`/api/tables/${table}/moments?begin=${number}&count=50`)).json();
    total = answer.total;
    answer.standings.forEach(({ moment }, k) => kinds.forEach((kind, which) => {
      const here = moment.events.some((event) => words(event).startsWith(kind));
      if (here && found[which] < 0) found[which] = number + k;
    }));
    number += answer.standings.length;
  }
  return found;
}"""
"""The first moment of a replay with an event of each of these kinds."""
WATCH = """() => {
  window.drawn = new Set();
  const note = (records) => {
    for (const { target, addedNodes } of records) {
      const all = [target, ...addedNodes].filter((node) => node instanceof Element);
      for (const each of all.flatMap((node) => [node, ...node.querySelectorAll("*")])) {
        for (const name of [...each.classList, each.getAttribute("href") ?? ""]) window.drawn.add(name);
      }
    }
  };
  const top = document.querySelector("#board .cm-top");
  new MutationObserver(note).observe(top, { subtree: true, childList: true, attributeFilter: ["class"] });
}"""
SEEN = "(name) => [...window.drawn].some((drawn) => drawn === name || drawn.startsWith(`#${name}`))"


def kinds_of(events: Sequence[object]) -> set[str]:
    """The kinds of `MOMENTS` that are among these events."""
    words = [f"{type(event).__name__} {getattr(event, 'kind', getattr(event, 'how', ''))}" for event in events]
    return {kind for kind in MOMENTS for each in words if each.startswith(kind)}


@pytest.fixture(scope="module")
def wild_race(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A race over one lap in which everything of `MOMENTS` happens, as a file."""
    for seed in range(400):
        race, seen = spina.new("chariotmaster", seats=4, seed=seed, laps=1), set()
        drivers = [spina.bots.make(name, game="chariotmaster", seed=1) for name in ("bold", "daring") * 2]
        while not race.over:
            for seat in race.to_act:
                seen |= kinds_of(race.play(seat, drivers[seat].choose(race, seat)))
        if seen == set(MOMENTS):
            path = tmp_path_factory.mktemp("races") / "wild.json"
            race.save(path)
            return path
    raise AssertionError("no race was wild enough")


def test_each_kind_of_event_has_its_own_moment_which_can_be_skipped(visitor: Visitors, wild_race: Path) -> None:
    page = visitor(quick=False)
    page.context.add_init_script("localStorage.setItem('spina-speed', '16')")
    page.goto("/")
    page.locator("#import-file").set_input_files(wild_race)
    page.locator("form[action='/import'] button").click()
    page.wait_for_url("**/t/*")
    table = table_of(page)
    page.goto(f"/t/{table}/replay")
    at = page.locator(".replay output")
    expect(at).to_contain_text("1 of ")
    found = page.evaluate(FIND, [table, list(MOMENTS)])
    assert min(found) > 0, found
    for (kind, drawn), moment in zip(MOMENTS.items(), found, strict=True):
        page.evaluate("(moment) => { location.hash = `moment=${moment}`; }", moment - 1)
        expect(at).to_have_text(re.compile(rf"^{moment} of "))
        page.evaluate(WATCH)
        page.locator("#main").press("ArrowRight")
        page.wait_for_function(SEEN, arg=drawn)
        if kind != "Crashed":
            expect(at).to_have_text(re.compile(rf"^{moment + 1} of "))  # it has been shown
        else:
            page.locator("#main").press("End")
            expect(at).to_have_text(re.compile(r"^(\d+) of \1$"))
            expect(page.locator("#board .cm-sparks > *")).to_have_count(0)  # all of it ends at once
            expect(page.locator("#board .racing")).to_have_count(0)
