"""The example game, installed beside Spina, at a table in the browser: raced to its end, with hint and replay."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browsing import Served, Visitors
from playwright.sync_api import Browser, Page, expect
from steps import MOST_CHOICES, is_over, set_up
from test_generic_page import ASKED, choose

sys.path.insert(0, str(Path(__file__).parents[1] / "fourth_game"))

from example_game import install

ME = {"kind": "me"}


@pytest.fixture(scope="module")
def with_biga(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    environment = install(tmp_path_factory.mktemp("packages"))
    server = Served(tmp_path_factory.mktemp("biga"), environment=environment)
    server.start()
    yield server
    server.stop()
    assert "Traceback" not in server.log()


@pytest.fixture
def guests(browser: Browser, with_biga: Served) -> Iterator[Visitors]:
    visitors = Visitors(browser, with_biga.url)
    yield visitors
    visitors.close()
    assert visitors.problems == []


def test_a_race_of_the_example_game_is_raced_to_its_end(
    guests: Visitors, screenshot: Callable[[Page, str], None]
) -> None:
    page = guests()
    page.goto("/")
    expect(page.locator("[data-game=biga] h3")).to_have_text("Biga")
    bots = [{"kind": "bot", "bot": level} for level in ("easy", "medium", "hard", "expert")]
    table = set_up(page, {"game": "biga", "seats": [ME, *bots], "hints": True})
    page.wait_for_function(ASKED)
    expect(page.locator("#board img.generic-picture")).to_be_visible()
    assert "both dice, 7 spaces on average" in page.locator("#choice").inner_text()
    page.locator("#hint-button").click()
    expect(page.locator(".candidates")).to_be_visible()
    screenshot(page, "fourth-game")
    for number in range(MOST_CHOICES):
        choose(page, number)
        if is_over(page):
            break
    assert is_over(page)
    assert "spaces." in page.locator("#log").inner_text()
    screenshot(page, "fourth-game-over")
    page.goto(f"/t/{table}/replay#moment=3")
    expect(page.locator("#board img.generic-picture")).to_be_visible()
