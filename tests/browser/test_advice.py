"""Hints while one races, and what the race was worth afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_helpers import findings
from browsing import Visitors
from playwright.sync_api import Page, expect
from steps import choose, race_now, set_up

import spina
from spina.games import get


@pytest.fixture(scope="module")
def short_race(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A race over one lap, driven badly by one of two seats, as a file."""
    game = get("charioteer")
    edition = game.parse_edition(game.reference().text.replace("laps = { value = 3", "laps = { value = 1"), "one lap")
    race = spina.new("charioteer", seats=2, seed=7, edition=edition)
    drivers = [spina.bots.make(name, game="charioteer", seed=1) for name in ("competent", "random")]
    while not race.over:
        for seat in race.to_act:
            race.play(seat, drivers[seat].choose(race, seat))
    path = tmp_path_factory.mktemp("races") / "short.json"
    race.save(path)
    return path


@pytest.mark.parametrize("game", ["charioteer", "chariotmaster"])
def test_a_hint_shows_what_a_strong_bot_would_do_and_is_done_with_a_click(
    game: str, visitor: Visitors, screenshot: Callable[[Page, str], None]
) -> None:
    page = visitor(scheme="dark" if game == "charioteer" else "light")
    race_now(page, game)
    page.wait_for_selector(".your-turn")
    expect(page.locator("#hint-button")).to_be_visible()
    expect(page.locator("#chances")).to_have_attribute("aria-label", re.compile(r"at the start of turn 1: .+ \d+%, "))
    expect(page.locator("#chances-when")).to_have_text("Start of turn 1")  # a hint says how it stands now
    page.keyboard.press("?")
    expect(page.locator(".candidate").first).to_be_visible()
    expect(page.locator("#hint-title")).to_be_focused()
    expect(page.locator("#hint-title")).to_have_text(re.compile(r"now \d+%"))
    assert findings(page) == []
    assert len(page.locator(".hint-why").all_inner_texts()[0]) > 20  # why, in words
    if game == "chariotmaster":  # one adviser: what is marked in the question is what the hint says
        best = page.locator(".candidate").first.get_attribute("data-advised") or ""
        marked = page.locator("#choice .advised")
        expect(marked).to_have_count(1)
        assert best in (marked.get_attribute("data-action"), f"token {marked.get_attribute('data-token')}")
    screenshot(page, f"{game}-hint")
    page.keyboard.press("Escape")
    expect(page.locator(".candidate")).to_have_count(0)
    expect(page.locator(".advised, .cm-advised")).to_have_count(0)  # nothing is advised unless one asks
    page.locator("#hint-button").click()
    page.get_by_role("button", name="Do this").first.click()
    expect(page.locator(".hint-panel")).to_have_count(0)
    expect(page.locator("#log")).not_to_have_text("The race begins.")  # it was played


def test_people_who_race_each_other_see_no_hints_and_spectators_see_the_chances(visitor: Visitors) -> None:
    host, guest, watcher = visitor(), visitor(), visitor()
    table = set_up(host, {"game": "charioteer", "seats": [{"kind": "me"}, {"kind": "open"}]})
    guest.goto(f"/t/{table}")
    guest.get_by_role("button", name="Sit down").click()
    expect(host.locator(".your-turn")).to_be_visible()
    watcher.goto(f"/t/{table}")
    expect(watcher.locator("#chances .tag")).to_have_count(2)
    for page in (host, guest):
        expect(page.locator("#chances")).to_be_hidden()
        expect(page.locator("#hint-button")).to_be_hidden()
        expect(page.locator(".advised, .candidate, .cm-advised")).to_have_count(0)
    choose(host, "charioteer")
    expect(watcher.locator("#chances")).to_contain_text(re.compile(r"\d+%"))


def test_after_the_race_a_chart_leads_to_its_moments_and_mistakes_are_named(
    visitor: Visitors, short_race: Path, screenshot: Callable[[Page, str], None]
) -> None:
    page = visitor()
    page.goto("/")
    page.locator("#import-file").set_input_files(short_race)
    page.locator("form[action='/import'] button").click()
    page.wait_for_url("**/t/*")
    turns = page.locator(".chart .zones a")
    expect(turns.first).to_have_attribute("aria-label", re.compile(r"Turn 1: .+ \d+%, .+ \d+%"))
    expect(page.locator(".costly-choice").first).to_contain_text(re.compile(r"−\d+% chance"))
    expect(page.locator(".costly-choice").first).to_contain_text("Better")
    assert findings(page) == []
    screenshot(page, "charioteer-analysis")
    turns.first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(turns.nth(2)).to_be_focused()
    moment = turns.nth(2).get_attribute("data-moment")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/replay#moment={moment}")
    expect(page.locator(".replay output")).to_have_text(re.compile(rf"^{int(moment or 0) + 1} of"))
    expect(page.locator("#chances .tag")).to_have_count(2)
    before = page.get_attribute("#chances", "aria-label")
    expect(page.locator(".costly-choice").first).to_be_visible()
    turns.last.dispatch_event("click")
    expect(page.locator("#chances")).not_to_have_attribute("aria-label", before or "")
    expect(page.locator("#chances")).to_have_attribute("aria-label", re.compile(r"at the end: .*100%"))
    expect(page.locator("#chances-when")).to_have_text("At the end")
    page.locator(".costly-choice a").first.click()
    expect(page.locator(".replay select")).not_to_have_value("")  # with the eyes of whoever chose
    assert findings(page) == []
