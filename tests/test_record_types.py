"""The generated types of records match their fields."""

from __future__ import annotations

from pathlib import Path

import pytest
import record_types


@pytest.mark.parametrize("path", record_types.record_files(), ids=lambda path: path.parents[1].name)
def test_the_types_of_a_games_records_are_those_of_its_fields(path: Path) -> None:
    assert (path.parent / "record_types.py").read_text(encoding="utf-8") == record_types.written(path)
