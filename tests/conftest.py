"""What all tests share: compiled games, signal handling, and the markers `browser` and `server`."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

pytest.register_assert_rewrite("spina.testing")

# Tests run compiled, also in the processes that they start; those about the tiers change it.
os.environ["SPINA_COMPILE"] = os.environ.get("SPINA_COMPILE") or "wait"

BROWSER = Path(__file__).parent / "browser"
SERVER_FIXTURES = {"server", "usual", "small", "postgres", "postgres_url", "own_postgres"}
"""Fixtures that start a server or a PostgreSQL."""


SLOW_IN_CONTRACT = {
    "test_every_driver_races_to_the_end_at_every_seat_count",
    "test_a_race_can_be_drawn_and_pictured_at_any_time",
    "test_drivers_in_a_simulation_play_as_the_bots_do",
}
"""Tests of `spina.testing` that are slow in some game. The suite itself has no markers: other packages run it too."""

LONGEST = {
    "test_campaigns.py",
    "test_compose.py",
    "test_docs.py",
    "test_lab_ray.py",
    "test_one_view.py",
    "test_tiers.py",
}
"""Files with tests that take longest. They come first, so that no tester is alone with one of them at the end."""


def pytest_configure() -> None:
    # A shell starts background processes with SIGINT ignored, and the tests' own processes would inherit that.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if BROWSER in item.path.parents:
            item.add_marker(pytest.mark.browser)
        elif SERVER_FIXTURES & {*getattr(item, "fixturenames", ())} or _parameters(item).get("database") == "postgres":
            item.add_marker(pytest.mark.server)
        if item.path.name == "test_contract.py" and getattr(item, "originalname", "") in SLOW_IN_CONTRACT:
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: item.path.name not in LONGEST)


def _parameters(item: pytest.Item) -> dict[str, object]:
    """The parameters of a test, by name."""
    call = getattr(item, "callspec", None)
    return call.params if call else {}
