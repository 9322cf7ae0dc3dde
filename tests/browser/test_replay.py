"""Replays: everything on one screen, costly choices beside better ones, and races that go on from a moment."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from axe_helpers import findings
from browsing import Visitors
from one_view import SIZES, TABLET, Screen, replay_problems
from playwright.sync_api import Page, Route, expect
from steps import ASKED, choose, one_lap, table_of

import spina
from spina.games import find
from spina.race import Race

GAMES = ("charioteer", "chariot-race", "chariotmaster")


def begun(game: str) -> Race:
    if game == "chariotmaster":
        return spina.new(game, seats=3, seed=11, laps=1)
    return spina.new(game, seats=3, seed=11, edition=find(game).parse_edition(one_lap(game), "one lap"))


MOVES = re.compile(r"[a-z]+-\d: |plus|ahead|inward|outward|left|right|u-turn")
"""Choices that lead somewhere on the board."""


def costly(race: Race, seat: int, action: str, number: int) -> dict[str, object] | None:
    """A choice as an analysis reports it, with the real outcomes of what was chosen and of another choice."""
    tried = [str(each) for each in race.legal(seat)]
    if race.game.name == "charioteer":  # whose list has the next steps, no whole choices
        tried = [move.best.choice for move in race.offer(seat).moves if move.best]
    others = sorted((each for each in tried if each != action), key=lambda each: not MOVES.match(each))
    if not others or (race.game.name == "charioteer" and not MOVES.match(action)):
        return None
    outcomes = {"chosen_outcome": race.outcome(seat, action), "better_outcome": race.outcome(seat, others[0])}
    facts = {"moment": number, "version": number, "turn": race.turn, "seat": seat, "chosen": action}
    more = {"better": others[0], "chance": 0.5, "cost": 0.25, "reasons": [], "checked": True}
    return {**facts, **more, **outcomes}


def raced(game: str, path: Path) -> list[dict[str, object]]:
    """Save a short race to a file; returns choices that an analysis might call costly, of several kinds, moves last."""
    race = begun(game)
    bots = [spina.bots.make("competent", game=game, seed=seed) for seed in range(3)]
    found: dict[str, dict[str, object]] = {}
    number = 0
    while not race.over:
        seat = race.to_act[0]
        action = str(bots[seat].choose(race, seat))
        number += 1
        kind = re.split("[ :]", action)[0]
        if kind not in found and (each := costly(race, seat, action, number)):
            found[kind] = each
        race.play(seat, action)
    race.save(path)
    moves = [bool(MOVES.match(str(each["chosen"])) and MOVES.match(str(each["better"]))) for each in found.values()]
    ranked = sorted(zip(moves, found.values(), strict=True), key=lambda each: each[0])
    assert ranked[-1][0]
    return [each for _, each in ranked][-6:]


def opened(page: Page, path: Path, choices: list[dict[str, object]] | None = None) -> None:
    """Import a race and watch it again; `choices`: those that its analysis names, which then takes no time."""

    def answer(route: Route) -> None:
        last = max(int(str(each["moment"])) for each in choices or ())
        points = [{"moment": n, "version": n, "turn": n, "chances": [0.5, 0.3, 0.2]} for n in range(0, last, 9)]
        body = {"status": "ready", "done": 1, "of": 1, "chances": points, "choices": choices}
        route.fulfill(body=msgspec.json.encode(body), content_type="application/json")

    if choices is not None:
        page.route("**/analysis", answer)
    page.goto("/")
    page.locator("#import-file").set_input_files(path)
    page.locator("form[action='/import'] button").click()
    page.wait_for_url("**/t/*")
    page.goto(f"/t/{table_of(page)}/replay")
    expect(page.locator(".costly-choice").first).to_be_attached()


def at_all_sizes(page: Page, screen: Screen, what: str) -> None:
    page.mouse.move(1, 1)  # nothing is explained
    for width, height in SIZES:
        screen.measure_at(width, height)
        expect(page.locator("#side")).to_be_visible(visible=width > TABLET)
        assert replay_problems(page) == [], f"{what}, {width} x {height}"
    screen.restore()


@pytest.mark.parametrize("game", GAMES)
def test_a_replay_is_on_one_screen_with_both_choices_and_goes_on_as_a_race(
    game: str, visitor: Visitors, tmp_path: Path, screenshot: Callable[[Page, str], None]
) -> None:
    page = visitor(size=SIZES[0], scheme="dark" if game == "chariot-race" else "light")
    screen = Screen(page)
    choices = raced(game, tmp_path / "race.json")
    opened(page, tmp_path / "race.json", choices)
    total = int(page.locator(".scrubber").get_attribute("max") or 0)
    page.locator(".scrubber").fill(str(total // 2))
    expect(page.locator(".replay output")).to_have_text(re.compile(rf"^{total // 2 + 1} of"))
    at_all_sizes(page, screen, "as a spectator")
    for number in range(len(choices)):
        page.locator(".costly-choice a").nth(number).click()
        expect(page.locator(".replay output")).to_have_text(re.compile(rf"^{choices[number]['moment']} of"))
        expect(page.locator("#comparison h3")).to_contain_text(["Chosen", "Better"])
        assert replay_problems(page) == [], choices[number]
    expect(page.locator(".ghost-tag")).to_have_text(["Chosen", "★ Better"])  # where both lead is on the board
    at_all_sizes(page, screen, "at a costly choice")
    assert findings(page) == []
    screenshot(page, f"{game}-costly-choice")
    before, seat = page.url, int(page.locator(".replay select").input_value())
    page.get_by_role("button", name="Try it from here").click()
    page.wait_for_url(lambda url: "/t/" in url and "replay" not in url)
    assert table_of(page) not in before
    page.wait_for_function(ASKED)
    state = page.evaluate("id => fetch(`/api/tables/${id}`).then((answer) => answer.json())", table_of(page))["state"]
    assert state["own"] == [seat] and state["start"]["kind"] == "moment"
    assert [each["kind"] for each in state["seats"]].count("bot") == 2
    choose(page, game, 2)  # the race goes on


def test_a_costly_choice_that_the_analysis_found_is_shown_with_its_cards(visitor: Visitors, tmp_path: Path) -> None:
    page = visitor(size=SIZES[0])
    race = spina.new("charioteer", seats=2, seed=7, edition=begun("charioteer").edition)
    bots = [spina.bots.make(name, game="charioteer", seed=1) for name in ("competent", "random")]
    while not race.over:
        seat = race.to_act[0]
        race.play(seat, bots[seat].choose(race, seat))
    race.save(tmp_path / "race.json")
    opened(page, tmp_path / "race.json")
    page.locator(".costly-choice a").first.click()
    for side in ("chosen", "better"):
        expect(page.locator(f".comparison-side.{side} .cx-compared-cards svg").first).to_be_visible()
    expect(page.locator("#comparison .badge")).to_contain_text("%")
    for chip in page.locator(".costly-choice a").all():
        chip.click()
        moment = re.findall(r"moment=(\d+)", chip.get_attribute("href") or "")[0]
        expect(page.locator(".replay output")).to_have_text(re.compile(rf"^{int(moment) + 1} of"))
        expect(page.locator("#comparison")).to_be_visible()
        assert replay_problems(page) == []
    page.keyboard.press("End")
    expect(page.locator("#comparison")).to_be_hidden()
    expect(page.locator(".ghost-tag")).to_have_count(0)
    expect(page.get_by_role("button", name="Try it from here")).to_be_disabled()  # there is nothing left to choose
