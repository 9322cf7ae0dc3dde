"""Charioteer on a page, for tests in a browser: a turn is chosen by clicking, or with the keyboard alone."""

from __future__ import annotations

from typing import Any

OPEN = "#choice .cx-choice.is-open"
"""What is on the page while something can be chosen."""
MOVE = f"{OPEN} .cx-moves .cx-move"
RESET = f"{OPEN} .cx-reset"
CARD = f"{OPEN} .cx-hand .cx-card"
TOKEN = f"{OPEN} .cx-tokens .cx-token"
RACE = f"{OPEN} .cx-race"
MOST_MOVES = 40
"""More than any hand allows."""
CHOSEN = "#choice .cx-choice.is-chosen"
"""What is on the page while one's own choice lies face down."""


def may_choose(page: Any) -> bool:
    """Whether the page asks for a choice."""
    return bool(page.locator(OPEN).count())


def choose_anything(page: Any) -> str:
    """Choose the longest move, or a reset where there is none, and race. Returns its symbol."""
    page.wait_for_selector(OPEN)
    moves = page.locator(f"{MOVE}.longest")
    if moves.count():
        move = moves.first
        move.click()
    else:
        move = page.locator(RESET)
        move.click()
        page.locator(CARD).first.click()
    symbol = str(move.get_attribute("data-symbol"))
    page.locator(f"{RACE}:enabled").click()
    return symbol


def choose_cards(page: Any) -> list[str]:
    """Choose a move card by card, following the lit ones, and race. Returns the slots that were played."""
    page.wait_for_selector(OPEN)
    page.locator(f"{CARD}.lit").first.click()
    for _ in range(MOST_MOVES):
        if page.locator(f"{RACE}:enabled").count():
            break
        page.locator(f"{CARD}.lit").first.click()
    played = page.locator(f"{CARD}.picked").evaluate_all("cards => cards.map(card => card.dataset.slot)")
    page.locator(f"{RACE}:enabled").click()
    return [str(slot) for slot in played]


def choose_by_keyboard(keyboard: Any) -> None:
    """Choose without a mouse: along the moves with the arrow keys to the longest, and race; or a reset."""
    page = keyboard.page
    page.wait_for_selector(OPEN)
    if page.locator(f"{MOVE}.longest").count():
        keyboard.press("m" if keyboard.single else "ArrowDown")
        keyboard.go_to(".cx-moves", ".longest")
        keyboard.press("Enter")
    elif keyboard.single:
        keyboard.press("r", "1")
    else:
        keyboard.tab_to(".cx-reset")
        keyboard.press("Space")
        keyboard.tab_to(".cx-hand", back=True)
        keyboard.press("Space")
    page.wait_for_selector(f"{RACE}:enabled")
    keyboard.press("Control+Enter")
