"""A person with a keyboard and nothing else: presses keys, and counts them."""

from __future__ import annotations

from playwright.sync_api import Page
from steps import ASKED, MOST_CHOICES, PAGES, is_over


class Keyboard:
    """The keys of one page. `single`: whether the person uses keys of a single character."""

    def __init__(self, page: Page, *, single: bool = True) -> None:
        self.page, self.single = page, single
        self.pressed = 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.pressed += 1

    def tab_to(self, selector: str, *, back: bool = False) -> None:
        """Tab until the element, or one in it, has the focus."""
        for _ in range(80):
            if self.at(selector):
                return
            self.press("Shift+Tab" if back else "Tab")
        raise AssertionError(f"Tab does not reach {selector}")

    def go_to(self, group: str, wanted: str) -> None:
        """Along a group with the arrow keys, the shorter way, to the first button that matches."""
        steps = self.page.evaluate(
            """([group, wanted]) => {
              const home = document.activeElement.closest(group);
              const all = [...home.querySelectorAll("button:enabled")].filter((each) => each.checkVisibility());
              const [from, to] = [all.indexOf(document.activeElement), all.findIndex((each) => each.matches(wanted))];
              const ahead = (to - from + all.length) % all.length;
              return ahead <= all.length / 2 ? ahead : ahead - all.length;
            }""",
            [group, wanted],
        )
        self.press(*["ArrowRight" if steps > 0 else "ArrowLeft"] * abs(steps))
        assert self.at(wanted), f"arrow keys do not reach {wanted}"

    def at(self, selector: str) -> bool:
        return bool(self.page.evaluate("selector => document.activeElement.closest(selector) !== null", selector))

    def confirm(self) -> None:
        """What is costly is asked for once more."""
        if self.page.locator("dialog[open]").count():
            self.tab_to("dialog .button.primary")
            self.press("Enter")


def race(page: Page, game: str, *, single: bool = True) -> list[int]:
    """Race to the end by keyboard alone. Returns how many keys each choice took."""
    counts = []
    for _ in range(MOST_CHOICES):
        page.wait_for_function(ASKED)
        if is_over(page):
            return counts
        page.evaluate("window.asked = document.querySelector('.your-turn')")
        keyboard = Keyboard(page, single=single)
        PAGES[game].choose_by_keyboard(keyboard)
        page.wait_for_function("() => !window.asked.isConnected")  # a dialog answers a moment after it is closed
        counts.append(keyboard.pressed)
    raise AssertionError(f"the race was not over after {MOST_CHOICES} choices")
