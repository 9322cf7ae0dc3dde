"""Positions from plain data: what every game's builder shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from spina.errors import PositionError

T = TypeVar("T")


def convert(data: Mapping[str, Any], kind: type[T]) -> T:
    """The data in their typed form. Raises PositionError naming the field."""
    try:
        # numbers that are keys come back from JSON as texts
        return msgspec.convert(data, kind, str_keys=True)
    except msgspec.ValidationError as error:
        raise PositionError(_field_first(str(error))) from None


def _field_first(message: str) -> str:
    """msgspec's message with the field in front: `chariots[0].damage: expected int, got str`."""
    text, _, path = message.partition(" - at `$")
    path = path.rstrip("`").lstrip(".")
    return f"{path or 'position'}: {text[:1].lower()}{text[1:].replace('`', '')}"


def between(
    where: str, value: float, low: float, high: float, text: str = "must be {low} to {high}, not {value}"
) -> None:
    """Raise PositionError unless the value of the field lies in these bounds."""
    if not low <= value <= high:
        raise PositionError(f"{where}: " + text.format(low=low, high=high, value=value))
