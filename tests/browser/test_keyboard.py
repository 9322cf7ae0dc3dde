"""The keyboard alone: races with few keys, keys that act only where they should, explanations within reach."""

from __future__ import annotations

import json
from statistics import median

import pytest
from browsing import Visitors
from key_presses import Keyboard, race
from playwright.sync_api import Page, WebSocket, expect
from steps import ASKED, PAGES, choose, race_now, set_up, short_race

ME, BOT = {"kind": "me"}, {"kind": "bot", "bot": "competent"}
MOST_KEYS = 6
"""Of a choice, in the middle of a race's choices."""


@pytest.mark.parametrize("game", PAGES)
def test_a_whole_race_takes_few_keys_a_choice(game: str, visitor: Visitors) -> None:
    """From the home page to the end of a race, without keys of a single character: with them it takes fewer."""
    page = visitor()
    page.goto("/")
    Keyboard(page).tab_to(f"form:has(input[value={game}]) button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    page.wait_for_function(ASKED)
    page.evaluate("localStorage.setItem('spina-single-keys', 'off')")
    set_up(page, {"game": game, "seats": [ME, BOT], **short_race(game)})
    counts = race(page, game, single=False)
    assert len(counts) >= 4
    assert median(counts) <= MOST_KEYS, f"the most: {max(counts)}"


@pytest.mark.parametrize("game", PAGES)
def test_a_held_key_chooses_once(game: str, visitor: Visitors) -> None:
    page = visitor()
    sent: list[str] = []

    def heard(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(str(frame)))

    page.on("websocket", heard)
    race_now(page, game)
    page.wait_for_function(ASKED)
    if game == "charioteer":
        page.keyboard.press("m")
        page.keyboard.press("Enter")
        page.wait_for_selector("#choice .cx-race:enabled")
        page.locator("#choice .cx-race").focus()
    elif game == "chariotmaster":
        page.locator("#choice .cm-token").first.focus()
    page.keyboard.down("Enter")
    page.keyboard.down("Enter")  # from now on the browser says that it is held
    page.wait_for_function(ASKED)
    asked = page.locator("#choice h2, #choice .cx-hand").first.inner_text()
    for key in ("Enter", "Space"):
        page.keyboard.down(key)  # held before, or outside of any button
        page.keyboard.down(key)
        page.locator("#choice button:enabled:visible").last.focus()
        for _ in range(3):
            page.keyboard.down(key)
        page.keyboard.up(key)
        assert page.locator("#choice h2, #choice .cx-hand").first.inner_text() == asked
        page.locator("#choice").focus()
    assert sum(json.loads(frame)["type"] == "play" for frame in sent) == 1


def steering(page: Page) -> dict[str, str]:
    """Where Chariotmaster's ghost is, as its controls tell."""
    return dict(
        page.evaluate(
            """() => ({
              plan: [...document.querySelectorAll("#choice .cm-output")].map((each) => each.textContent).join(),
              way: document.querySelector("#choice .cm-ways [aria-checked=true]")?.dataset.way ?? "",
              point: document.querySelector("#choice .cm-base [aria-checked=true]").dataset.point,
            })"""
        )
    )


def test_keys_act_on_the_choice_and_the_board_alone(visitor: Visitors) -> None:
    page = visitor()
    race_now(page, "chariotmaster")
    choose(page, "chariotmaster")
    page.wait_for_function(ASKED)
    assert page.locator("#choice .cm-drive").count()
    before = steering(page)
    page.locator("#drawer-button").click()
    page.keyboard.press("ArrowRight")  # from tab to tab
    expect(page.get_by_role("tab", name="Chat")).to_be_focused()
    page.locator("#hint-button").focus()
    for key in ("ArrowLeft", "ArrowDown", "p", "1", "0"):
        page.keyboard.press(key)
    assert steering(page) == before
    page.locator("#choice .cm-base [tabindex='0']").focus()
    page.keyboard.press("ArrowRight")  # from radio button to radio button
    after = steering(page)
    assert after["point"] != before["point"] and after["plan"] == before["plan"]
    turn, back = ("ArrowRight", "ArrowLeft") if "left" in after["plan"] else ("ArrowLeft", "ArrowRight")
    page.locator("#choice h2").focus()
    page.keyboard.press(turn)
    page.keyboard.press("p")
    steered = steering(page)
    assert steered["plan"] != after["plan"] and steered["point"] != after["point"]
    page.locator(".camera").focus()
    page.keyboard.press(back)
    assert steering(page)["plan"] != steered["plan"]


def test_keys_of_a_single_character_can_be_switched_off(visitor: Visitors) -> None:
    page = visitor()
    race_now(page, "charioteer")
    page.wait_for_function(ASKED)
    picked = page.locator("#choice .cx-card.picked, #choice .cx-card.away")
    card = str(page.locator("#choice .cx-card.lit").first.get_attribute("data-key"))
    page.keyboard.press(card)
    expect(picked.first).to_be_visible()
    page.keyboard.press("Escape")
    expect(picked).to_have_count(0)
    page.locator(".keys-button").click()
    dialog = page.get_by_role("dialog", name="Keys")
    for key in ("1 – 8", "Ctrl + Enter", "M", "?"):
        expect(dialog.locator("kbd", has_text=key).first).to_be_visible()
    page.get_by_role("switch", name="Keys of a single character").press("Space")
    page.keyboard.press("Escape")
    expect(page.locator(".keys-button")).to_be_focused()
    for _ in range(2):
        page.locator("#choice").focus()
        page.keyboard.press(card)
        page.keyboard.press("?")
        assert picked.count() == 0 and page.locator("#hint .hint-panel").count() == 0
        page.keyboard.press("ArrowDown")
        expect(page.locator("#choice .cx-moves button:focus, #choice .cx-hand button:focus")).to_be_visible()
        page.reload()  # it is remembered
        page.wait_for_function(ASKED)


REACHED = """() => {
  const active = document.activeElement;
  const tip = document.getElementById("explanation");
  const id = active.closest("[data-help]")?.dataset.help;
  if (!id || !tip?.matches(":popover-open")) return null;
  return `help.${id}`;
}"""
UNREACHED = """(seen) => [...document.querySelectorAll("[data-help]")]
  .filter((each) => each.checkVisibility() && !seen.includes(`help.${each.dataset.help}`))
  .map((each) => each.dataset.help)"""


@pytest.mark.parametrize("game", PAGES)
def test_every_explanation_is_within_reach_of_keys(game: str, visitor: Visitors) -> None:
    page = visitor()
    race_now(page, game)
    choose(page, game, 2)
    page.wait_for_function(ASKED)
    seen: list[str] = []
    lists = 0
    page.locator("a[href='#choice']").focus()
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
        seen.append(page.evaluate(REACHED) or "")
        if page.evaluate("document.activeElement.matches('.explains')"):
            lists += 1
            page.keyboard.press("Enter")
            expect(page.locator("dialog[open] .explanation-list")).to_be_visible()
            listed = "all => all.map((each) => each.dataset.explained)"
            seen += page.locator("dialog[open] [data-explained]").evaluate_all(listed)
            page.keyboard.press("Escape")
            expect(page.locator("dialog[open]")).to_have_count(0)
            assert page.evaluate("document.activeElement.matches('.explains')")
    assert lists >= 3  # choice, own values, rivals
    assert page.evaluate(UNREACHED, seen) == []
