"""Colours that the system forces on pages."""

from __future__ import annotations

from typing import Any

from browsing import Visitors
from playwright.sync_api import Page
from steps import ASKED, choose, open_drawer, race_now

LOOKS = """(element) => [element, ...element.querySelectorAll("*")].map((each) => {
  const style = getComputedStyle(each);
  const drawn = ["border-width", "border-color", "outline-style", "outline-width", "outline-color", "background-color"];
  return drawn.map((name) => style.getPropertyValue(name)).join(" ");
}).join("\\n")"""
"""How an element is drawn where the system chooses the colours: shadows and other colours do not show."""


def looks(page: Page, locator: Any) -> str:
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(1, 1)
    return str(locator.evaluate(LOOKS))


def test_forced_colours_show_what_is_chosen(visitor: Visitors) -> None:
    page = visitor()
    page.emulate_media(forced_colors="active")
    chosen = {
        "charioteer": [".cx-hand .cx-card.lit[aria-pressed=false]", ".cx-move:not(.cx-reset)[aria-pressed=false]"],
        "chariot-race": [".cr-pick[aria-pressed=false]"],
        "chariotmaster": [".cm-ready [aria-pressed=false], [role=radio][aria-checked=false]"],
    }
    for game, selectors in chosen.items():
        race_now(page, game)
        for selector in selectors:
            buttons = page.locator(f"#choice {selector}")
            for _ in range(8):  # until the question has such a choice
                page.wait_for_function(ASKED)
                if buttons.count():
                    break
                choose(page, game)
            button = buttons.first.element_handle()
            assert button is not None
            before = looks(page, button)
            button.click()
            page.wait_for_function("(button) => button.matches('[aria-pressed=true], [aria-checked=true]')", arg=button)
            assert looks(page, button) != before, selector
    open_drawer(page, "Text")
    tabs = [page.locator(f"#tab-{name}").element_handle() for name in ("text", "chat")]
    assert looks(page, tabs[0]) != looks(page, tabs[1])
    page.goto("/new/chariotmaster")
    chips = page.locator("main .chip:has(input)")
    if chips.count():
        assert len({looks(page, chip.element_handle()) for chip in chips.all()}) > 1
