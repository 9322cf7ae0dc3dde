"""Rulings = citations = tests: each ruling of a rules page is cited in the code and has a test named by its number."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import rulings


@pytest.mark.parametrize("game", rulings.games())
def test_every_ruling_is_cited_and_tested(game: str) -> None:
    found = rulings.rulings(game)
    assert len(found.page) > 20
    assert found.differences == []


def test_only_docstrings_and_comments_cite(tmp_path: Path) -> None:
    source = tmp_path / "source.py"
    source.write_text('"""C1 to C9, but C4."""\nPATH = "M5 0C7"  # R3, CM-A10\ndef f():\n    """C12: a reset."""\n')
    assert sorted(n for text in rulings.prose(source) for n in rulings.numbers_in(text)) == ["A10", "C12", "C4", "R3"]


def test_a_test_is_named_by_its_whole_number(tmp_path: Path) -> None:
    source = tmp_path / "test_source.py"
    source.write_text("def test_c12_a():\n    pass\ndef test_cm_a1():\n    pass\ndef test_r2d2():\n    pass\n")
    assert [*rulings.tested_in(source)] == ["C12", "A1"]


def test_differences_name_what_is_missing() -> None:
    found = rulings.Rulings(["C1", "C2", "C3"], {"C1", "C2"}, {"C1", "C3", "C4"})
    assert found.differences == [
        "not cited in the code: C3",
        "without a test: C2",
        "tested, but not on the page: C4",
    ]
