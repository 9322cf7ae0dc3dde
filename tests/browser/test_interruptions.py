"""Reloading, losing the line, and a server that is killed: the race goes on as if nothing had been."""

from __future__ import annotations

from browsing import Served, Visitors
from playwright.sync_api import Browser, expect
from steps import PAGES, choose, open_drawer, race_now


def test_a_page_that_is_reloaded_goes_on(visitor: Visitors) -> None:
    page = visitor()
    race_now(page, "chariot-race")
    choose(page, "chariot-race", 3)
    page.wait_for_function("() => document.querySelector('.your-turn')")
    lines = page.locator("#log li").count()
    page.reload()
    open_drawer(page, "Story")
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
    choose(page, "charioteer", 4)
    page.wait_for_function("() => document.querySelector('.your-turn')")
    told = page.locator("#log li").all_inner_texts()
    page.reload()
    page.wait_for_function("() => document.querySelector('.your-turn')")
    assert page.locator("#log li").all_inner_texts()[: len(told)] == told


def test_a_server_that_is_killed_in_mid_race_goes_on_with_every_game_where_it_was(
    browser: Browser, own_server: Served
) -> None:
    visitors = Visitors(browser, own_server.url)
    visitors.expected = ("WebSocket", "ERR_CONNECTION")
    pages = {game: visitors() for game in PAGES}
    for game, page in pages.items():
        race_now(page, game)
    for _ in range(2):
        told = {}
        for game, page in pages.items():
            choose(page, game, 2)
            page.wait_for_function("() => document.querySelector('.your-turn')")
            told[game] = page.locator("#log li").all_inner_texts()
        own_server.kill()
        for page in pages.values():
            expect(page.locator("#main[data-lost]")).to_be_attached()
        own_server.start()
        for game, page in pages.items():
            expect(page.locator("#main:not([data-lost])")).to_be_attached()
            page.reload()
            page.wait_for_function("() => document.querySelector('.your-turn')")
            assert page.locator("#log li").all_inner_texts()[: len(told[game])] == told[game], game
    for game, page in pages.items():
        choose(page, game, 2)
    visitors.close()
    assert visitors.problems == []
