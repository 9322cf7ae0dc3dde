"""Clocks as people meet them: nobody is robbed of time, and the reins come back."""

from __future__ import annotations

import time
from typing import Any

from axe_helpers import findings
from browsing import PATIENCE, Visitors
from one_view import hidden
from playwright.sync_api import Page, expect
from steps import ASKED, choose, open_drawer, set_up, table_of

CLOCK = 15
TURNS = 2
THINKING = 10_000
"""Milliseconds that the people of the long test think, of the clock's fifteen seconds."""


def sit_down(host: Page, guest: Page, game: str, **setup: Any) -> str:
    """Two people in browsers of their own, in a race of two. Returns the table's id."""
    table = set_up(host, {"game": game, "seats": [{"kind": "me"}, {"kind": "open"}], **setup})
    guest.goto(f"/t/{table}")
    guest.get_by_role("button", name="Sit down").click()
    return table


def state_of(page: Page) -> Any:
    """The table as a spectator sees it: asking for it starts no clock."""
    return page.evaluate(f"fetch('/api/tables/{table_of(page)}').then((answer) => answer.json())")["state"]


def until_waiting(page: Page, seats: list[int]) -> None:
    """Wait until the table waits for these seats: the last choice may still be on its way."""
    until = time.monotonic() + PATIENCE / 1000
    while state_of(page)["waiting"] != seats:
        assert time.monotonic() < until, state_of(page)["waiting"]
        page.wait_for_timeout(50)


def shown_seconds(page: Page) -> int:
    minutes, seconds = page.locator("#clock").inner_text().split(":")
    return int(minutes) * 60 + int(seconds)


def test_nobody_is_timed_out_who_chooses_ten_seconds_after_the_offer_is_visible(visitor: Visitors) -> None:
    """Two turns at the usual speed, with a clock of fifteen seconds and 8 to 14 s of motion before each offer."""
    host, guest = visitor(quick=False), visitor(quick=False)
    sit_down(host, guest, "charioteer", clock=CLOCK)
    for turn in range(TURNS):
        due: dict[Page, float] = {}
        while len(due) < 2:
            for page in (host, guest):
                if page not in due and page.evaluate(f"!!({ASKED})()"):
                    due[page] = time.monotonic() + THINKING / 1000
                    expect(page.locator("#clock:not(.standing)")).to_be_attached()
                    assert shown_seconds(page) > CLOCK * 4 // 5 - 1  # motion has cost a fifth at most
            host.wait_for_timeout(50)
        for page, instant in due.items():
            host.wait_for_timeout(max(0.0, (instant - time.monotonic()) * 1000))
            state = state_of(page)
            assert state["starts"] == 0
            if page is host:  # hers or the guest's, whichever runs out first
                assert state["deadline"] > 1
            choose(page, "charioteer")
        expect(host.locator("#log")).not_to_contain_text("a bot takes the reins")
        if turn < TURNS - 1:
            until_waiting(host, [0, 1])
    assert not any(seat.get("away") for seat in state_of(host)["seats"])


def test_what_the_clock_shows_is_what_the_server_will_do(visitor: Visitors) -> None:
    page = visitor()
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "competent"}]
    set_up(page, {"game": "charioteer", "seats": seats, "clock": CLOCK})
    page.wait_for_function(ASKED)
    for _ in range(4):
        page.wait_for_timeout(700)
        # the page's figure and the server's, read in the same breath
        shown, said = page.evaluate(
            """async (path) => {
              const answer = await fetch(path).then((response) => response.json());
              return [document.getElementById("clock").textContent, answer.state.deadline];
            }""",
            f"/api/tables/{table_of(page)}",
        )
        minutes, seconds = shown.split(":")
        assert abs(int(minutes) * 60 + int(seconds) - said) <= 0.7  # half a second, and the way of the answer


def test_while_a_clock_runs_motion_takes_a_fifth_of_it_at_most(visitor: Visitors) -> None:
    page = visitor(quick=False)
    page.add_init_script("localStorage.setItem('spina-speed', '0.1')")  # a turn would take a minute
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "competent"}]
    set_up(page, {"game": "charioteer", "seats": seats, "clock": 10})
    choose(page, "charioteer")
    page.wait_for_selector("#main[data-busy]")
    page.wait_for_selector("#clock.standing")
    assert shown_seconds(page) == 10  # the whole time, while it does not run yet
    left = page.evaluate(
        f"""() => new Promise((done) => {{
          const asked = {ASKED};
          const wait = () => (asked() ? done(document.getElementById("clock").textContent) : setTimeout(wait, 50));
          wait();
        }})"""
    )
    assert left in ("0:08", "0:07", "0:06")  # on a busy machine the page may be a little late


def test_at_one_screen_the_clock_starts_when_the_curtain_is_lifted(visitor: Visitors) -> None:
    page = visitor()
    seats = [{"kind": "me"}, {"kind": "screen", "name": "Marcia"}]
    set_up(page, {"game": "charioteer", "seats": seats, "clock": 60})
    for name in ("Auriga", "Marcia"):
        expect(page.locator("dialog.curtain")).to_contain_text(name)
        expect(page.locator("#clock.standing")).to_be_attached()
        assert findings(page) == []
        page.locator("dialog.curtain button").click()
        expect(page.locator("#clock:not(.standing)")).to_be_attached()
        choose(page, "charioteer")


def test_the_reins_come_back_at_once(visitor: Visitors) -> None:
    host, guest = visitor(quick=False), visitor()
    sit_down(host, guest, "charioteer", clock=5)
    back = host.get_by_role("button", name="I am back")
    for _ in range(2):  # somebody who is away for a while
        choose(guest, "charioteer")
    expect(back).to_be_visible()
    assert state_of(host)["seats"][0]["away"]
    back.click()
    expect(host.locator(".your-turn")).to_be_visible(timeout=5000)
    expect(host.locator("#main:not([data-busy])")).to_be_attached(timeout=5000)
    expect(host.locator("#log")).to_contain_text("is back")
    assert not state_of(host)["seats"][0].get("away")
    choose(host, "charioteer")  # and the choice is hers


def test_the_end_of_the_time_is_told_once_and_bots_wait_for_more(visitor: Visitors) -> None:
    page = visitor()
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "competent"}]
    set_up(page, {"game": "charioteer", "seats": seats, "clock": 8})
    page.wait_for_function(ASKED)
    expect(page.locator("#clock")).to_have_attribute("role", "timer")
    said = page.locator("#announcer p")
    more = page.get_by_role("button", name="More time")
    expect(said.filter(has_text="seconds left")).to_have_count(1)
    more.click()
    expect(said.filter(has_text="0:08 again")).to_have_count(1)
    assert shown_seconds(page) > 4  # a warning comes at half of such a short time
    expect(said.filter(has_text="seconds left")).to_have_count(2)  # of the new time
    # nobody chooses: a bot takes the reins, which is said, and the way back has the focus
    back = page.get_by_role("button", name="I am back")
    expect(back).to_be_focused()
    expect(said.filter(has_text="has run out")).to_have_count(1)
    expect(more).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.locator(".your-turn")).to_be_visible()
    page.wait_for_function("() => document.activeElement.closest('#choice')")


def test_on_a_phone_a_hint_leaves_the_button_for_more_time_free(visitor: Visitors) -> None:
    page = visitor(phone=True)
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "competent"}]
    set_up(page, {"game": "charioteer", "seats": seats, "clock": 60})
    page.wait_for_function(ASKED)
    page.locator("#hint-button").click()
    page.wait_for_selector(".candidate")
    for width, height in ((390, 844), (320, 640)):
        page.set_viewport_size({"width": width, "height": height})
        assert hidden(page, "#clock, #more-time, .hint-head .button") == []
    page.get_by_role("button", name="More time").click()
    expect(page.locator("#announcer p").filter(has_text="1:00 again")).to_have_count(1)
    expect(page.locator(".candidate").first).to_be_visible()


def test_a_page_that_was_in_the_background_for_ten_turns_jumps_to_now(visitor: Visitors) -> None:
    page = visitor(quick=False)
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "competent"}]
    table = set_up(page, {"game": "charioteer", "seats": seats, "clock": 60})
    page.wait_for_function(ASKED)
    other = page.context.new_page()  # the same person goes on at another device
    other.goto("/")
    session = page.context.new_cdp_session(page)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    turn = other.evaluate(
        """async (path) => {
          let seen = await fetch(`${path}?seat=0`).then((answer) => answer.json());
          while (seen.state.view.turn <= 10) {
            const { version } = seen.state;
            if (seen.legal) {
              const best = seen.state.offer.moves?.[0]?.best?.choice ?? seen.legal[0];
              const body = JSON.stringify({ key: crypto.randomUUID(), seat: 0, actions: [best], version });
              const made = await fetch(`${path}/play`, { method: "POST", body }).then((answer) => answer.json());
              if (made.error) throw new Error(made.reason);
            }
            const after = seen.legal ? version : seen.state.version;
            seen = await fetch(`${path}?seat=0&after=${after}&wait=5`).then((answer) => answer.json());
          }
          return seen.state.view.turn;
        }""",
        f"/api/tables/{table}",
    )
    assert turn == 11
    session.send("Page.setWebLifecycleState", {"state": "active"})
    page.wait_for_function(ASKED, timeout=5000)  # ten turns of motion would take a minute and a half
    open_drawer(page, "Text")
    expect(page.locator("#text-panel")).to_contain_text("11")
    choose(page, "charioteer")
