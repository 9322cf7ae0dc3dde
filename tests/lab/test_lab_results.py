"""Results files: safe at every moment, each task counted once, one study to a file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spina.lab.results import ResultsError, Study, read

ABOUT = {"study": "numbers", "seed": 7}


def numbers(first: int) -> dict[str, Any]:
    return {
        "number": np.arange(first, first + 3),
        "hash": np.arange(first, first + 3, dtype=np.uint64) + np.uint64(2**63),
        "pairs": np.arange(2 * first, 2 * first + 6, dtype=np.int8).reshape(3, 2),
        "words": [["even", "odd"]] * 3 if first % 2 else [["odd", "even"]] * 3,
        "seconds": [None] * 3 if first % 2 else [[0.5, 1.5]] * 3,
    }


def open_study(path: Path, **more: Any) -> Study:
    return Study(path, {**ABOUT, **more}, order="number")


def crash(study: Study) -> None:
    """End as a killed process does: nothing is written any more, and the system frees the lock."""
    os.close(study._file)


def test_results_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "numbers.parquet"
    with open_study(path) as study:
        study.add("b", numbers(3))
        study.add("a", numbers(0))
        study.add("a", numbers(0))
    assert [item.name for item in tmp_path.iterdir()] == ["numbers.parquet"]
    found = read(path)
    assert found.description == {"format": 1, **ABOUT}
    assert found.numbers("number").tolist() == [0, 1, 2, 3, 4, 5]
    assert found.numbers("hash").tolist() == [2**63 + number for number in range(6)]
    assert found.numbers("pairs").tolist() == [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]]
    words, codes = found.names("words")
    assert (words, codes[2].tolist(), codes[3].tolist()) == (["even", "odd"], [1, 0], [0, 1])
    assert found.names("job")[1].tolist() == [0, 0, 0, 1, 1, 1]
    seconds = found.numbers("seconds")
    assert seconds[2].tolist() == [0.5, 1.5] and np.isnan(seconds[3:]).all()


def test_a_study_goes_on_where_it_was_left(tmp_path: Path) -> None:
    path = tmp_path / "numbers.parquet"
    with open_study(path) as study:
        study.add("a", numbers(0))
    with open_study(path) as study:
        assert study.done == {"a"}
        study.add("a", numbers(0))
        study.add("b", numbers(3))
    assert read(path).numbers("number").tolist() == [0, 1, 2, 3, 4, 5]


def test_the_order_of_finishing_leaves_no_trace(tmp_path: Path) -> None:
    one, other = tmp_path / "one.parquet", tmp_path / "other.parquet"
    for path, order in ((one, (0, 3, 6)), (other, (6, 0, 3))):
        with open_study(path) as study:
            for first in order:
                study.add(f"from {first}", numbers(first))
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("lost", [1, 9, 400, 10_000])
def test_a_crash_costs_no_more_than_what_was_being_written(tmp_path: Path, lost: int) -> None:
    path = tmp_path / "numbers.parquet"
    with open_study(path) as study:
        study.add("a", numbers(0))
    study = open_study(path)
    study.add("b", numbers(3))
    whole = study.journal.stat().st_size
    study.add("c", numbers(6))
    crash(study)
    size = study.journal.stat().st_size
    os.truncate(study.journal, max(0, size - lost))
    again = open_study(path)
    assert again.done == ({"a", "b"} if size - lost >= whole else {"a"})
    again.add("b", numbers(3))
    again.add("c", numbers(6))
    crash(again)
    with open_study(path) as last:
        assert last.done == {"a", "b", "c"}
    assert read(path).numbers("number").tolist() == list(range(9))


def test_a_damaged_journal_is_not_believed(tmp_path: Path) -> None:
    study = open_study(tmp_path / "numbers.parquet")
    study.add("a", numbers(0))
    whole = study.journal.stat().st_size
    study.add("b", numbers(3))
    crash(study)
    content = bytearray(study.journal.read_bytes())
    content[whole + 300] ^= 1
    study.journal.write_bytes(content)
    with open_study(study.path) as again:
        assert again.done == {"a"}


def test_a_crash_between_file_and_journal_doubles_nothing(tmp_path: Path) -> None:
    study = open_study(tmp_path / "numbers.parquet")
    study.add("a", numbers(0))
    journal = study.journal.read_bytes()
    study.close()
    study.journal.write_bytes(journal)  # as if the process had ended just before it could remove it
    with open_study(study.path) as again:
        assert len(again.results()) == 3


def test_results_of_another_study_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "numbers.parquet"
    with open_study(path) as study:
        study.add("a", numbers(0))
    before = path.read_bytes()
    with pytest.raises(ResultsError, match="holds another study: its seed is 7, not 8; name another file"):
        open_study(path, seed=8)
    crashed = open_study(path)
    crashed.add("b", numbers(3))
    crash(crashed)
    path.unlink()
    with pytest.raises(ResultsError, match="its length is null, not 3"):
        open_study(path, length=3)
    path.write_bytes(before)
    with open_study(path) as again:
        assert again.done == {"a", "b"}


def test_two_runs_cannot_write_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "numbers.parquet"
    with open_study(path) as study:
        study.add("a", numbers(0))
        with pytest.raises(ResultsError, match="is being written by another run"):
            open_study(path)
        study.add("b", numbers(3))
    assert len(read(path)) == 6


def test_files_that_are_no_results_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.parquet"
    with pytest.raises(ResultsError, match="there is no file"):
        read(path)
    path.write_text("dear diary")
    for attempt in (lambda: read(path), lambda: open_study(path)):
        with pytest.raises(ResultsError, match="cannot be read as results of the lab"):
            attempt()
    assert path.read_text() == "dear diary"
    with pytest.raises(ResultsError, match="cannot be written"):
        open_study(tmp_path / "nowhere" / "numbers.parquet")


def test_columns_of_a_task_have_one_length(tmp_path: Path) -> None:
    with open_study(tmp_path / "numbers.parquet") as study:
        for columns in ({"number": [1, 2], "other": [1]}, {"number": []}):
            with pytest.raises(ResultsError, match="must have one length, at least 1"):
                study.add("a", columns)
        assert not study.done
    assert list(tmp_path.iterdir()) == []
