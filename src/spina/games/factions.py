"""The six factions of the circus: their names, letters, shapes and colours, and which seat drives for which."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass

from spina.games.svg import number, polygon


@dataclass(frozen=True, slots=True)
class Faction:
    """A stable of the circus. Its letter and shape tell it from the others without colour."""

    name: str
    letter: str
    shape: str
    colour: str
    horse: str  # the lighter tone of its horses
    ink: str  # for the letter on the colour


FACTIONS = (
    Faction("red", "R", "circle", "#c0331f", "#d9705c", "#fff6e4"),
    Faction("white", "W", "square", "#fbf7ee", "#e2dac8", "#2a1911"),
    Faction("blue", "B", "diamond", "#1d62a5", "#6d9fd0", "#fff6e4"),
    Faction("green", "G", "triangle", "#2b7c4f", "#74b08d", "#fff6e4"),
    Faction("purple", "P", "cross", "#7a3a86", "#b07fba", "#fff6e4"),
    Faction("gold", "A", "star", "#eeb62f", "#f4d27c", "#2a1911"),
)
"""By seat. Gold goes by the A of *aurata*, as green has the G."""


_colours: ContextVar[tuple[int, ...]] = ContextVar("colours", default=())


@contextlib.contextmanager
def drawn_in(colours: Sequence[int]) -> Iterator[None]:
    """Draw the chariots of the first seats in these colours, given as numbers of factions."""
    token = _colours.set(tuple(colours))
    try:
        yield
    finally:
        _colours.reset(token)


def faction_number(seat: int) -> int:
    """The number of the faction that a seat drives for: its own number, or what `drawn_in` says."""
    chosen = _colours.get()
    return (chosen[seat] if 0 <= seat < len(chosen) else seat) % len(FACTIONS)


def faction(seat: int) -> Faction:
    """The faction that a seat drives for."""
    return FACTIONS[faction_number(seat)]


def shape(name: str, radius: float) -> str:
    """Path data of a faction's shape around (0, 0), facing right. All shapes have about the same area."""
    r = radius
    if name == "circle":
        half = f"a{number(r)} {number(r)} 0 1 1 "
        return f"M{number(-r)} 0{half}{number(2 * r)} 0{half}{number(-2 * r)} 0Z"
    if name == "square":
        a = r * 0.9
        return polygon(((-a, -a), (a, -a), (a, a), (-a, a)))
    if name == "diamond":
        a = r * 1.24
        return polygon(((-a, 0), (0, -a), (a, 0), (0, a)))
    if name == "triangle":
        return polygon(((-r * 0.86, -r * 1.2), (r * 1.44, 0), (-r * 0.86, r * 1.2)))
    if name == "cross":
        a, b = r * 1.1, r * 0.6
        arm = ((a, -b), (a, b), (b, b))
        turns = ((1, 0), (0, 1), (-1, 0), (0, -1))
        return polygon((x * c - y * s, x * s + y * c) for c, s in turns for x, y in arm)
    if name == "star":
        points = 8
        angles = [math.pi * k / points for k in range(2 * points)]
        radii = [r * (1.28 if k % 2 == 0 else 0.9) for k in range(2 * points)]
        return polygon((q * math.cos(a), q * math.sin(a)) for q, a in zip(radii, angles, strict=True))
    raise ValueError(f"no shape is called {name!r}")
