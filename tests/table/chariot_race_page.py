"""Chariot Race on a page, for tests in a browser: the next choice is made by clicking, or with the keyboard."""

from __future__ import annotations

from typing import Any

CHOICE = "#choice .cr-choice:not(.cr-watch)"
"""What is on the page while something can be chosen."""
BUTTONS = (
    "button.cr-end-button:not(.grave):visible",
    "button.cr-end-button:visible",
    "button.cr-pick[aria-pressed='false']",
    "button.cr-card:not(.grave)",
    "button[data-action^='javelin']",
    "button[data-action^='caltrop']",
    "button[data-action]",
)
"""Buttons of the choice, what leads on with the least harm first."""
UNHURT = ":is(.cr-end-button, .cr-card, .cr-attack, .cr-options .button):not(.grave)"
"""Options that do not wreck the own chariot."""


def may_choose(page: Any) -> bool:
    """Whether the page asks for a choice."""
    return bool(page.locator(CHOICE).count())


def stage(page: Any) -> str:
    """What is asked: "free-re-roll", "path" and so on."""
    kinds = str(page.locator(CHOICE).first.get_attribute("class")).split()
    return next(kind.removeprefix("cr-at-") for kind in kinds if kind.startswith("cr-at-"))


def choose_anything(page: Any) -> str:
    """Make the next choice by clicking, as somebody would who wants to get on. Returns what was asked."""
    page.wait_for_selector(CHOICE)
    asked = stage(page)
    choice = page.locator(CHOICE).first
    if asked in ("intro", "draft"):
        choice.locator("button.deciding").click()
    elif asked in ("free-re-roll", "fortune"):
        choice.locator("button[data-action='keep']").click()
    elif asked == "path":
        _drive(choice)
    else:
        for button in BUTTONS:
            if choice.locator(button).count():
                choice.locator(button).first.click()
                break
        if asked == "signs":
            _go(choice)
    _confirm(page)
    return asked


def choose_by_keyboard(keyboard: Any) -> None:
    """Choose without a mouse: the first option that leads on, from the question with the arrow keys; dice are kept."""
    page = keyboard.page
    page.wait_for_selector(CHOICE)
    if stage(page) == "intro":
        keyboard.press("Enter")
        page.wait_for_selector(f"{CHOICE}:not(.cr-at-intro)")
    asked = stage(page)
    if asked in ("draft", "free-re-roll", "fortune"):
        keyboard.press("Enter")
    else:
        keyboard.press("ArrowDown")
        keyboard.go_to(
            "[data-roving]", "button:not(.grave)" if page.locator(f"{CHOICE} {UNHURT}").count() else "button"
        )
        keyboard.press("Enter")
        if keyboard.at(".cr-go"):  # several ways lead there
            keyboard.press("Enter")
    keyboard.confirm()


def roll_again(page: Any, *dice: int) -> None:
    """Click these dice, counted from 1, and roll them again."""
    choice = page.locator(CHOICE).first
    for die in dice:
        choice.locator(f"button[data-die='{die}']").click()
    choice.locator("button[data-action^='re-roll']").click()


def drive_on_board(page: Any) -> None:
    """Choose the first end of the move by clicking its space on the board."""
    page.locator("#board .cr-end.open:not(.grave) .cr-area, #board .cr-end.open .cr-area").first.click()
    _go(page.locator(CHOICE).first)
    _confirm(page)


def _drive(choice: Any) -> None:
    """The list puts the furthest end first; where several ways lead to one, the first of them is taken."""
    ends = choice.locator("button.cr-end-button:not(.grave)")
    if not ends.count():
        ends = choice.locator("button.cr-end-button")
    ends.first.click()
    _go(choice)


def _go(choice: Any) -> None:
    """Where several ways lead to an end, or a finger has pointed at it, a button drives there."""
    button = choice.locator("button.cr-go:enabled")
    if button.count() and not choice.page.locator("dialog[open]").count():
        button.click()


def _confirm(page: Any) -> None:
    """What wrecks the own chariot is asked for once more."""
    dialog = page.locator("dialog[open] .button.primary")
    if dialog.count():
        dialog.first.click()
