"""Chariotmaster on a page, for tests in a browser: the next question is answered by clicking, or with the keyboard."""

from __future__ import annotations

from typing import Any

ASK = "#choice .cm-ask"
"""What is on the page while something can be chosen."""
TOKEN = f"{ASK} .cm-token"
GO = f"{ASK} .cm-go:not([aria-disabled='true'])"
ANSWER = f"{ASK} .cm-answer"
PLAIN = ("stop", "no attack", "bear it", "pass")
"""Answers by which least happens, for the questions that have one."""
RIVALS_READY = """() => !document.getElementById("main").hasAttribute("data-busy")
  && [...document.querySelectorAll("#panels .cm-coin.secret")].every((coin) => coin.matches(".ready"))"""
"""Whether all rivals have chosen their speed tokens, and the page has shown it."""
GHOST = "#board .cm-ghost:not([hidden])"


def may_choose(page: Any) -> bool:
    """Whether the page asks for a choice."""
    return bool(page.locator(ASK).count())


def question(page: Any) -> str:
    """What is asked: "speed tokens", "drive" and so on."""
    return str(page.locator(ASK).first.get_attribute("data-question"))


def choose_anything(page: Any) -> str:
    """Answer the next question in the plainest way. Returns what was asked."""
    page.wait_for_selector(ASK)
    asked = question(page)
    if asked == "speed tokens":
        _tokens(page)
    elif page.locator(GO).count():
        page.locator(GO).first.click()
    else:
        plain = page.locator(", ".join(f"{ANSWER}[data-action='{action}']" for action in PLAIN))
        (plain if plain.count() else page.locator(ANSWER)).first.click()
    _confirm(page)
    return asked


def choose_by_keyboard(keyboard: Any) -> None:
    """Answer the next question in the plainest way, without a mouse."""
    page = keyboard.page
    page.wait_for_selector(ASK)
    if question(page) == "speed tokens":
        page.wait_for_function(RIVALS_READY)  # what they choose has the question built anew
        middling = page.locator(f"{TOKEN}[data-token='5']").count()
        _answer(keyboard, ".cm-token[data-token='5']" if middling else ".cm-token")
    elif page.locator(GO).count():
        keyboard.press("Enter")
    else:
        page.wait_for_selector(ANSWER)
        plain = ", ".join(f".cm-answer[data-action='{action}']" for action in PLAIN)
        _answer(keyboard, f":is({plain})" if page.locator(f":is({plain})").count() else ".cm-answer")
    keyboard.confirm()


def _answer(keyboard: Any, wanted: str) -> None:
    """Press the number of an answer, or go to it."""
    page = keyboard.page
    key = page.locator(f"{ASK} {wanted}").first.get_attribute("data-key")
    if keyboard.single and key:
        keyboard.press(key)
        return
    keyboard.press("ArrowDown")
    if not keyboard.at(f"[data-roving]:has({wanted})"):
        keyboard.tab_to(f"[data-roving]:has({wanted})")
    keyboard.go_to("[data-roving]", wanted)
    keyboard.press("Enter")


def drive_with_keys(page: Any) -> str:
    """Move the ghost a little with the arrow keys, and drive. Returns the distance that was shown before that."""
    page.wait_for_selector(GHOST)
    page.locator(".camera").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    shown = str(page.locator(f"{ASK} .cm-output").first.inner_text())
    page.keyboard.press("Enter")
    _confirm(page)
    return shown


def _tokens(page: Any) -> None:
    """A middling token for each chariot that has one; with several of them the choice is confirmed."""
    rows = page.locator(f"{ASK} .cm-token-row")
    several = rows.count() > 1
    for row in rows.all():
        middling = row.locator(".cm-token[data-token='5']")
        (middling if middling.count() else row.locator(".cm-token")).first.click()
    if several:
        page.locator(f"{ASK} [data-choice='tokens']").click()


def _confirm(page: Any) -> None:
    """What costs more than one has is asked for once more."""
    dialog = page.locator("dialog[open] .button.primary")
    if dialog.count():
        dialog.first.click()
