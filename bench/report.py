"""Prints measurements: name, value, required value, and whether it is met; and all of them again as one table."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import NamedTuple


class Bar(NamedTuple):
    """A measurement that has a required value."""

    what: str
    value: str
    required: str
    met: bool

    def __str__(self) -> str:
        return f"  {'ok  ' if self.met else 'MISS'}  {self.what:<58} {self.value:>26}   bar: {self.required}"


_measured: list[str | Bar] = []
"""Headings, and the bars below them."""


def heading(text: str) -> None:
    _measured.append(text)
    print(f"\n{text}\n{'-' * len(text)}", flush=True)


def measured(what: str, value: str, bar: str, met: bool) -> None:
    """One line of a table of bars."""
    _measured.append(Bar(what, value, bar, met))
    print(_measured[-1], flush=True)


def missed() -> list[str]:
    return [bar.what for bar in _measured if isinstance(bar, Bar) and not bar.met]


def table() -> str:
    """Everything that was measured against a bar, under its headings."""
    bars = sum(isinstance(each, Bar) for each in _measured)
    return "\n".join([f"\nAll bars: {bars - len(missed())} of {bars} are met", *map(str, _measured)])


@contextlib.contextmanager
def alone() -> Iterator[list[Bar]]:
    """The bars that are measured in the body, which are then forgotten."""
    begun, bars = len(_measured), list[Bar]()
    try:
        yield bars
    finally:
        bars += [each for each in _measured[begun:] if isinstance(each, Bar)]
        del _measured[begun:]
