"""The features of a game that has none."""

from __future__ import annotations

from typing import Any

from spina.kernel.compiler import entry
from spina.kernel.interface import MEASURE_FEATURES


@entry(MEASURE_FEATURES)
def measure_no_features(race: Any, edition: Any, seat: Any, out: Any) -> None:
    """Write nothing: `Game.measure_features` of a game without features."""
