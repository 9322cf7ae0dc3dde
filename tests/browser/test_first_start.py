"""A first start on a machine: with empty caches, a newcomer races at once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from browsing import Served, Visitors
from playwright.sync_api import Browser, expect
from steps import choose, race_now, set_up

from spina.kernel import compiler

pytestmark = pytest.mark.skipif(compiler.INTERPRETED, reason="nothing is compiled when interpreting")


def test_a_newcomer_races_at_once_while_the_games_compile(browser: Browser, tmp_path: Path) -> None:
    empty = {
        "SPINA_COMPILE": "",
        "SPINA_CACHE_DIR": str(tmp_path / "cache"),
        "NUMBA_CACHE_DIR": str(tmp_path / "numba"),
    }
    server = Served(tmp_path, environment={**os.environ, **empty})
    server.start(compiled=False)
    visitors = Visitors(browser, server.url)
    try:
        page = visitors()
        page.goto("/")
        page.get_by_role("button", name="Learn meanwhile").click()  # a lesson runs interpreted, at once
        expect(page.locator(".lesson-count")).to_have_text("Step 1 of 12")
        page.locator(".lesson-next").click()
        expect(page.locator(".lesson-count")).to_have_text("Step 2 of 12")
        expect(page.get_by_role("button", name="Learn meanwhile")).to_have_count(0)
        race_now(page, "charioteer")
        expect(page.locator("#warm-up progress")).to_be_visible()
        choose(page, "charioteer", times=2)
        assert page.locator(".warming-up").count() == 0  # its rivals do not search
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "hard"}, {"kind": "bot", "bot": "medium"}]
        set_up(page, {"game": "charioteer", "seats": seats})
        expect(page.locator(".cx-seat[data-seat='1'] .warming-up")).to_have_text("warming up")
        choose(page, "charioteer", times=2)
        page.locator("#hint-button").click()
        expect(page.locator(".hint-panel")).to_contain_text("still warming up")
        assert page.evaluate("async () => (await (await fetch('/api/ready')).json()).charioteer.ready") is False
    finally:
        visitors.close()
        server.stop()
    assert visitors.problems == []
    assert "Traceback" not in server.log()
