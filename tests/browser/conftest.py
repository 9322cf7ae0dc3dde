"""A real server and a real browser, for tests that do what a person does."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from browsing import OUTPUT, Served, Visitors, launch_chromium
from lucky_server import LUCK
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

FAILED = pytest.StashKey[bool]()
"""Whether a test has failed: then pictures of its pages are kept."""


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("served"), [str(Path(__file__).with_name("lucky_server.py"))])
    server.start()
    yield server
    server.stop()
    assert "Traceback" not in server.log()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Served]:
    """A server that a test may kill."""
    server = Served(tmp_path)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")  # while it is open, its event loop keeps others from running theirs
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    launched = launch_chromium(playwright)
    yield launched
    launched.close()


@pytest.fixture
def whole_browser(playwright: Playwright) -> Iterator[Browser]:
    """A browser with everything that people use, notifications for example."""
    launched = launch_chromium(playwright, whole=True)
    yield launched
    launched.close()


@pytest.fixture
def visitor(browser: Browser, served: Served, request: pytest.FixtureRequest) -> Iterator[Visitors]:
    """Makes visitors; after the test, none of their pages may have complained.

    A test has the same races every time. SPINA_TEST_LUCK=1 (2, 3, …) gives all tests others.
    """
    (served.folder / LUCK).write_text(os.environ.get("SPINA_TEST_LUCK", "") + request.node.name)
    visitors = Visitors(browser, served.url)
    yield visitors
    if request.node.stash.get(FAILED, False):
        visitors.keep_pictures(request.node.name)
    visitors.close()
    assert visitors.problems == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


@pytest.fixture
def screenshot() -> Callable[[Page, str], None]:
    """Keeps a picture of a page among the build's output."""

    def take(page: Page, name: str) -> None:
        OUTPUT.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=OUTPUT / f"{name}.png")

    return take
