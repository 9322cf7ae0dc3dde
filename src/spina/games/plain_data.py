"""Checks that data from outside the library hold only what JSON can hold, before other code uses them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
import numpy as np

from spina.errors import SpinaError
from spina.refusal_codes import say
from spina.sentences import Sentence
from spina.typed_data import ready

DEPTH = 16
"""Most levels of lists and tables inside each other."""
BITS = 256
"""Most bits of a whole number: as many as a seed can have."""

T = TypeVar("T")


def plain(value: object, error: type[SpinaError], what: str) -> Any:
    """A copy of the data made of tables, lists, texts, numbers, true, false and none.

    Numbers of NumPy become Python's, tuples lists, and whole numbers that are keys texts, as in JSON. Raises `error`
    naming the field, or `what` the data are.
    """
    try:
        return _plain(value, "", 0)
    except _NotPlain as wrong:
        raise error(say("data.field", where=wrong.where or what, why=wrong.text)) from None


def converted(data: object, kind: type[T], error: type[SpinaError], what: str) -> T:
    """Plain data in their typed form. Raises `error` naming the field, or `what` the data are."""
    try:
        return msgspec.convert(
            data, ready(kind), str_keys=True
        )  # whole numbers that are keys come back from JSON as texts
    except msgspec.ValidationError as wrong:
        text, _, path = str(wrong).partition(" - at `$")
        path = path.rstrip("`").lstrip(".")
        sentence = say("data.wrong-type", where=path or what)
        raise error(sentence.reworded(f"{path or what}: {text[:1].lower()}{text[1:].replace('`', '')}")) from None


class _NotPlain(Exception):
    def __init__(self, where: str, text: Sentence) -> None:
        self.where, self.text = where, text


def _plain(value: object, where: str, depth: int) -> Any:
    match value:
        case None | bool():
            return value
        case np.bool_():
            return bool(value)
        case int() | np.integer():
            return _whole(value, where)
        case float() | np.floating():
            if not math.isfinite(value):
                raise _NotPlain(where, say("data.not-finite", value=format(value, "g")))
            return float(value)
        case str():
            return _text(value, where)
        case Mapping() | list() | tuple() if depth == DEPTH:
            raise _NotPlain(where, say("data.too-deep", most=DEPTH))
        case Mapping():
            keys = {key: _key(key, where) for key in value}
            return {
                key: _plain(value[given], f"{where}.{key}" if where else key, depth + 1) for given, key in keys.items()
            }
        case list() | tuple():
            return [_plain(inner, f"{where}[{index}]", depth + 1) for index, inner in enumerate(value)]
    raise _NotPlain(where, say("data.not-plain", name=type(value).__name__))


def _key(key: object, where: str) -> str:
    if isinstance(key, str):
        return _text(key, where)
    if isinstance(key, int | np.integer) and not isinstance(key, bool):
        return str(_whole(key, where))
    raise _NotPlain(where, say("data.key", name=type(key).__name__))


def _whole(number: int | np.integer[Any], where: str) -> int:
    if int(number).bit_length() > BITS:
        raise _NotPlain(where, say("data.too-many-bits", most=BITS))
    return int(number)


def _text(text: str, where: str) -> str:
    """The text, if it is one: a lone surrogate can neither be written to a file nor sent."""
    try:
        text.encode()
    except UnicodeEncodeError as wrong:
        raise _NotPlain(where, say("data.not-a-character", character=ascii(text[wrong.start]))) from None
    return str(text)
