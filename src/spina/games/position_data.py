"""Positions from plain data: what the position readers of all games share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from spina.errors import PositionError
from spina.games.plain_data import converted
from spina.refusal_codes import say

T = TypeVar("T")


def convert(data: Mapping[str, Any], kind: type[T]) -> T:
    """The data in their typed form. Raises PositionError naming the field."""
    return converted(data, kind, PositionError, "position")


def between(where: str, value: float, low: float, high: float) -> None:
    """Raise PositionError unless the value of the field lies in these bounds."""
    if not low <= value <= high:
        raise PositionError(say("position.between", where=where, low=low, high=high, value=value))
