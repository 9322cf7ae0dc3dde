"""Components that tuning can change, by name: those of the game, and any single number of the file by its path."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spina.errors import OptionError
from spina.games import find
from spina.games.studies.profile import single

MOST_VALUES = 60


@dataclass(frozen=True, slots=True)
class Range:
    """A component with the values that tuning tries."""

    name: str
    values: tuple[int, ...]


def names(game: str) -> Mapping[str, str]:
    """What can be varied, with what it is."""
    known = {name: knob.words for name, knob in find(game).lab.knobs.items()}
    return known | {"TABLE.KEY": "any single number of the file"}


def read_range(game: str, text: str) -> Range:
    """A range from its notation: lap=64..84:4, or lap=64,76. Raises OptionError."""
    name, equals, said = text.partition("=")
    if name not in find(game).lab.knobs and "." not in name:
        raise OptionError(f'"{name}" cannot be varied in {game}: there are {", ".join(names(game))}')
    span = re.fullmatch(r"(\d+)\.\.(\d+)(?::(\d+))?", said)
    if span:
        values = tuple(range(int(span[1]), int(span[2]) + 1, max(1, int(span[3] or 1))))
    elif re.fullmatch(r"\d+(,\d+)*", said):
        values = tuple(int(each) for each in said.split(","))
    else:
        values = ()
    if not equals or not values or len(values) > MOST_VALUES:
        raise OptionError(f"a range is NAME=LOW..HIGH, NAME=LOW..HIGH:STEP or NAME=N,N, not {text!r}")
    return Range(name, values)


def apply(game: str, text: str, setting: Mapping[str, int], why: str) -> str:
    """The text of the edition with these values of components. Raises OptionError."""
    known = find(game).lab.knobs
    for name, value in setting.items():
        edit = known[name].edit if name in known else single(name)
        text = edit(text, value, why)
    return text


def grid(ranges: Sequence[Range]) -> list[dict[str, int]]:
    """Every combination of values."""
    return [
        dict(zip([each.name for each in ranges], values, strict=True))
        for values in itertools.product(*(each.values for each in ranges))
    ]
