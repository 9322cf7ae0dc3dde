"""Chariotmaster on a page, for tests in a browser: the next question is answered by clicking, or with the keyboard."""

from __future__ import annotations

from typing import Any

ASK = "#choice .cm-ask"
"""What is on the page while something can be chosen."""
TOKEN = f"{ASK} .cm-token"
GO = f"{ASK} .cm-go:not([aria-disabled='true'])"
ANSWER = f"{ASK} .cm-answer"
GHOST = "#board .cm-ghost:not([hidden])"


def may_choose(page: Any) -> bool:
    """Whether the page asks for a choice."""
    return bool(page.locator(ASK).count())


def question(page: Any) -> str:
    """What is asked: "speed tokens", "drive" and so on."""
    return str(page.locator(ASK).first.get_attribute("data-question"))


def choose_anything(page: Any) -> str:
    """Answer the next question as the page advises. Returns what was asked."""
    page.wait_for_selector(ASK)
    asked = question(page)
    if asked == "speed tokens":
        _tokens(page)
    elif page.locator(f"{ANSWER}.advised").count():
        page.locator(f"{ANSWER}.advised").first.click()
    elif page.locator(GO).count():
        page.locator(GO).first.click()
    else:
        page.locator(ANSWER).first.click()
    _confirm(page)
    return asked


def drive_with_keys(page: Any) -> str:
    """Move the ghost a little with the arrow keys, and drive. Returns the distance that was shown before that."""
    page.wait_for_selector(GHOST)
    page.locator(".cm-frame").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    shown = str(page.locator(f"{ASK} .cm-output").first.inner_text())
    page.keyboard.press("Enter")
    _confirm(page)
    return shown


def _tokens(page: Any) -> None:
    """The advised token for each chariot; with several of them the choice is confirmed."""
    rows = page.locator(f"{ASK} .cm-token-row")
    several = rows.count() > 1
    for row in rows.all():
        advised = row.locator(".cm-token:has(.cm-advised)")
        (advised if advised.count() else row.locator(".cm-token")).first.click()
    if several:
        page.locator(f"{ASK} [data-choice='tokens']").click()


def _confirm(page: Any) -> None:
    """What costs more than one has is asked for once more."""
    dialog = page.locator("dialog[open] .button.primary")
    if dialog.count():
        dialog.first.click()
