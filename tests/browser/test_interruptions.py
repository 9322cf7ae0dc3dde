"""Reloading, losing the line, and a server that is killed: the race goes on as if nothing had been."""

from __future__ import annotations

import pytest
from browsing import Served, Visitors
from playwright.sync_api import Browser, expect
from steps import choose, race_now, race_on


def test_a_page_that_is_reloaded_goes_on(visitor: Visitors) -> None:
    page = visitor()
    race_now(page, "chariot-race")
    choose(page, "chariot-race", 3)
    page.wait_for_function("() => document.querySelector('.your-turn')")
    lines = page.locator("#log li").count()
    page.reload()
    expect(page.locator("#log li").nth(lines - 2)).to_be_visible()  # the story is told from its beginning
    choose(page, "chariot-race", 2)


def test_a_page_that_loses_its_line_comes_back_and_misses_nothing(visitor: Visitors) -> None:
    visitor.expected = ("WebSocket", "ERR_INTERNET_DISCONNECTED")
    page = visitor()
    race_now(page, "charioteer")
    choose(page, "charioteer")
    page.context.set_offline(True)
    page.wait_for_timeout(300)
    page.context.set_offline(False)
    race_on(page, "charioteer")


@pytest.mark.parametrize("game", ["charioteer", "chariot-race", "chariotmaster"])
def test_a_server_that_is_killed_in_mid_race_goes_on_where_it_was(
    game: str, browser: Browser, own_server: Served
) -> None:
    visitors = Visitors(browser, own_server.url)
    visitors.expected = ("WebSocket", "ERR_CONNECTION")
    page = visitors()
    race_now(page, game)
    for _ in range(2):
        choose(page, game, 2)
        page.wait_for_function("() => document.querySelector('.your-turn')")
        before = page.locator("#log li").all_inner_texts()
        own_server.kill()
        expect(page.locator("#main[data-lost]")).to_be_attached()
        own_server.start()
        expect(page.locator("#main:not([data-lost])")).to_be_attached()
        page.reload()
        page.wait_for_function("() => document.querySelector('.your-turn')")
        assert page.locator("#log li").all_inner_texts()[: len(before)] == before
    choose(page, game, 2)
    visitors.close()
    assert visitors.problems == []
