"""Files that only one process may write at a time."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from spina import file_lock
from spina.kernel.code_folders import only_one


def test_only_one_at_a_time_compiles_into_a_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits, entered = threading.Event(), threading.Event()
    monkeypatch.setattr(file_lock, "time", type("Clock", (), {"sleep": lambda _: waits.set()}))

    def enter() -> None:
        with only_one(tmp_path):
            entered.set()

    other = threading.Thread(target=enter)
    with only_one(tmp_path):
        other.start()
        assert waits.wait(60)
        assert not entered.is_set()
    other.join(60)
    assert entered.is_set()
