"""The tables of the solution: compiled code reads them where they lie, and contains none of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import spina
from spina.games.chariot_race.bots import features
from spina.games.chariot_race.bots.solo_table import solo_tables
from spina.games.chariot_race.components.edition import reference
from spina.kernel import compiler
from spina.kernel.compiler import INTERPRETED, folder_of

PART = 512
"""Bytes of a table, from its middle, that are looked for."""


def _code_of_bots() -> Iterator[Path]:
    folder = compiler._groups[folder_of(features.measure_features)].cache
    return (path for path in folder.iterdir() if path.is_file())


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_no_compiled_code_contains_a_table() -> None:
    spina.games.get("chariot-race")
    compiler.ready(folder_of(features.measure_features))
    files = list(_code_of_bots())
    assert sum(path.stat().st_size for path in files) > 0
    for table in solo_tables():
        middle = table[len(table) // 2 :].tobytes()[:PART]
        assert not any(middle in path.read_bytes() for path in files)


@pytest.mark.parametrize("board", ["AA", "AB", "BA", "BB"])
def test_features_read_the_same_table_compiled_and_interpreted(board: str) -> None:
    race = spina.new("chariot-race", seats=4, seed=5, board=board)
    compiler.ready(folder_of(features.measure_features))
    compiled, interpreted = np.zeros(len(features.FEATURES)), np.zeros(len(features.FEATURES))
    data = race._bytes.copy()
    features.measure_features(data, reference().data, 0, compiled)
    getattr(features.measure_features, "py_func", features.measure_features)(data, reference().data, 0, interpreted)
    assert compiled[features.ROUNDS] == interpreted[features.ROUNDS] > 0.0
    assert (compiled == interpreted).all()
