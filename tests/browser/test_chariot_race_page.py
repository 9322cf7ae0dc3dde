"""What is Chariot Race's own on its page: colours of drafted chariots, and attacks on one space."""

from __future__ import annotations

from collections.abc import Callable

from browsing import Visitors
from playwright.sync_api import Page, expect
from steps import ASKED, set_up

from spina.games import find

SIDES = '["+/-", "sprint", "steer", "steer", "attack", "fortuna"]'


def take(page: Page, action: str) -> None:
    """Click what is written like this in notation, as soon as it is offered."""
    page.wait_for_function(ASKED)
    page.locator(f"#choice button[data-action='{action}']").click()


def test_drafted_chariots_have_the_colours_of_their_boards_and_one_space_two_attacks(
    visitor: Visitors, screenshot: Callable[[Page, str], None]
) -> None:
    """Every die is an attack, so the gold chariot drives six spaces, through the green one, which stands on the fifth.

    It may throw a javelin at the green one or lay a caltrop under it: the list has both, the board takes the javelin.
    """
    page = visitor()
    text = find("chariot-race").reference().text
    assert text.count(SIDES) == 1
    set_up(
        page,
        {
            "game": "chariot-race",
            "seats": [{"kind": "me"}, {"kind": "screen", "name": "Livia"}],
            "options": {"individual": True, "pairs": False},
            "edition": text.replace(SIDES, '["attack", "attack", "attack", "attack", "attack", "attack"]'),
        },
    )
    page.wait_for_function(ASKED)
    expect(page.locator("#choice .cr-card .shape")).to_have_count(6)
    take(page, "draft sprinter")
    take(page, "draft light")
    expect(page.locator(".cr-panel.faction-5")).to_contain_text("Sprinter")
    expect(page.locator(".cr-panel.faction-3")).to_contain_text("Light")
    assert page.locator(".cr-panel").count() == 2
    take(page, "start o36")  # whoever drafted last places first: the light chariot
    take(page, "start o35")
    for faction in ("3", "5"):
        expect(page.locator(f"#board .cr-chariot[data-faction='{faction}']")).to_have_count(1)
        expect(page.locator(f"#people-panel .emblem.faction-{faction}").first).to_be_attached()
    for action in (
        "no repair",
        "keep",
        "keep",
        "no attack",
        "keep",
        "keep",
    ):  # the light one is worn, the sprinter whole
        take(page, action)
    page.wait_for_function(ASKED)
    drop = page.locator("#choice button[data-action='caltrop on o4']")
    throw = page.locator("#choice button[data-action='javelin at green']")
    expect(drop).to_contain_text("under")
    expect(throw).to_have_count(1)
    expect(page.locator("#board .cr-end.open[data-space]")).to_have_count(5)  # o36, o1 to o3 are free, o4 is a target
    screenshot(page, "chariot-race-attacks")
    drop.click()
    expect(page.locator("#log")).to_contain_text("o4")
