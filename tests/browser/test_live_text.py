"""What a screen reader says of a race: everything that the live region was given through a few turns."""

from __future__ import annotations

import pytest
from browsing import Visitors
from playwright.sync_api import Page, expect
from steps import ASKED, PAGES, choose, is_over, race_now

LISTEN = """() => {
  window.heard = [];
  const note = (text) => window.heard.push(text);
  document.addEventListener("DOMContentLoaded", () => {
    const region = document.getElementById("announcer");
    if (!region) return;
    region.append = (line) => {
      note(line.textContent);
      Element.prototype.append.call(region, line);
    };
    document.addEventListener("focusin", ({ target }) => {
      if (target.tagName === "H2") note(`focus: ${target.textContent}`);
    });
  });
}"""
"""Notes what is said, and the questions that the focus is put on, which screen readers read too."""
ROUNDS = 6


def heard(page: Page) -> list[str]:
    """What has been said since the last call."""
    return list(page.evaluate("window.heard.splice(0)"))


def listen(page: Page, game: str, mode: str) -> list[list[str]]:
    """What is said before each of a few questions, up to the question."""
    page.add_init_script(f"({LISTEN})(); localStorage.setItem('spina-live-text', '{mode}')")
    race_now(page, game)
    said = []
    for _ in range(ROUNDS):
        page.wait_for_function(ASKED)
        if is_over(page):
            break
        said.append(heard(page))
        choose(page, game)
    return said


@pytest.mark.parametrize("game", PAGES)
def test_rivals_are_summed_up_and_the_question_comes_last(game: str, visitor: Visitors) -> None:
    page = visitor()
    said = listen(page, game, "brief")
    names = page.evaluate("fetch(location.pathname.replace('/t/', '/api/tables/')).then((answer) => answer.json())")[
        "state"
    ]["seats"]
    rivals = [seat["name"] for seat in names][1:]
    assert sum(any(text.startswith(f"{name}:") for name in rivals for text in texts) for texts in said) >= 1
    for texts in said:
        assert texts, "a question came without a word"
        assert len(texts) == len(set(texts)), texts
        for text in texts:
            for seat in names:  # the badge's letter is not read with the name
                at = text.find(seat["name"])
                assert at <= 0 or not text[at - 1].isalpha(), text
        for name in rivals:
            assert sum(text.startswith(f"{name}:") for text in texts) <= 1, texts
        about = [number for number, text in enumerate(texts) if any(text.startswith(f"{name}:") for name in rivals)]
        called = [number for number, text in enumerate(texts) if text == "Your turn."]
        if about:  # the question, said or read by the focus, is the last after the rivals and the call
            assert called and about[-1] < called[-1] < len(texts) - 1, texts
        assert texts[-1] != "Your turn.", texts


def test_the_switch_makes_it_tell_every_line_and_is_remembered(visitor: Visitors) -> None:
    page = visitor()
    brief = sum(map(len, listen(page, "charioteer", "brief")))
    page.locator(".sound-button").click()
    switch = page.get_by_role("switch", name="Screen reader")
    expect(switch).not_to_be_checked()
    switch.check()
    page.keyboard.press("Escape")
    heard(page)
    full = 0
    for _ in range(3):
        choose(page, "charioteer")
        page.wait_for_function(ASKED)
        texts = heard(page)
        assert texts[-2] == "Your turn." and "Choose your move" in texts[-1], texts
        full += len(texts)
    assert full > brief
    assert page.evaluate("localStorage.getItem('spina-live-text')") == "full"
