"""What all tests share."""

from __future__ import annotations

import signal

import pytest

pytest.register_assert_rewrite("spina.testing")


def pytest_configure() -> None:
    # A shell starts what runs in its background deaf to Ctrl-C, and every process that the tests start would be too.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
