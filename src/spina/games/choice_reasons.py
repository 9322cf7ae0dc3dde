"""Reasons: what sets one choice apart from another, in figures that a page puts into words."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

Value = int | float | str | list[int]


class Reason(msgspec.Struct, frozen=True):
    """One difference between a choice and another, in favour of it or against it.

    A page says it with its message `reason.GAME.CODE.for` or `reason.GAME.CODE.against`.
    """

    code: str
    good: bool
    """Whether it speaks for the choice."""
    values: dict[str, Value] = {}
    """Parameters of the message. `n` is the figure of the choice, `by` the difference; `count` chooses the plural."""


def compared(
    code: str, own: float, other: float, *, less: bool = False, least: float = 1, **more: Value
) -> list[Reason]:
    """The reason that a figure of the choice differs from the other's by `least` or more; empty if it does not.

    `less`: the smaller figure is the better one.
    """
    by = abs(own - other)
    if by < least:
        return []
    values: dict[str, Value] = {"n": own, "by": by, "count": by, **more}
    return [Reason(code, (own < other) == less, values)]


def held(code: str, own: bool, other: bool, **values: Value) -> list[Reason]:
    """The reason that something good holds for one of two choices only; empty if they are alike."""
    return [Reason(code, own, values)] if own != other else []


def sorted_out(reasons: Iterable[Reason], most_good: int = 3, most_bad: int = 2) -> list[Reason]:
    """The first reasons for a choice, then the first against it, in the order in which they were given."""
    every = list(reasons)
    return [r for r in every if r.good][:most_good] + [r for r in every if not r.good][:most_bad]
