"""`tools/house.py` finds no violations."""

from __future__ import annotations

from pathlib import Path

import house
import pytest


@pytest.mark.parametrize("promise", house.CHECKS)
def test_the_house_keeps_its_promises(promise: str) -> None:
    assert house.CHECKS[promise]() == []


def test_a_cycle_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "_imports", lambda: {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})
    assert house.import_cycles() == ["a <-> b <-> c"]


def test_a_named_game_would_be_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "games" / "biga").mkdir(parents=True)
    (tmp_path / "games" / "biga" / "game.py").write_text('NAME = "biga"\n')
    (tmp_path / "lab.py").write_text('RACES = {"biga": 10}\n')
    monkeypatch.setattr(house, "SOURCE", tmp_path)
    monkeypatch.setattr(house, "ROOT", tmp_path)
    assert house.named_games() == ["lab.py:1"]
