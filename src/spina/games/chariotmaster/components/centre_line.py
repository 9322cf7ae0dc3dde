"""M3: a track's centre line laid out from its straights and arcs, in whole units, with the table of cosines (N1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from spina.games.chariotmaster.rules.cosines import cosine_of

PI = 3_141_592_653_589_793
"""Scaled by 10**15."""
HALF = 1 << 29


@dataclass(frozen=True, slots=True)
class Straight:
    """A straight of this length in units."""

    length: int


@dataclass(frozen=True, slots=True)
class Arc:
    """An arc: its angle in tenths of a degree, its side, and the radius of the centre line."""

    radius: int
    angle: int
    left: bool


@dataclass(slots=True)
class CentreLine:
    """The columns of an edition's segments; it begins at the origin, heading along the x axis."""

    s: list[int] = field(default_factory=list)
    """Where each segment begins, followed by the whole length."""
    x: list[int] = field(default_factory=list)
    y: list[int] = field(default_factory=list)
    heading: list[int] = field(default_factory=list)
    radius: list[int] = field(default_factory=list)
    """0: straight, positive: turning left, negative: turning right."""
    angle: list[int] = field(default_factory=list)
    cx: list[int] = field(default_factory=list)
    cy: list[int] = field(default_factory=list)
    length: int = 0
    end: tuple[int, int, int] = (0, 0, 0)
    """The pose behind the last segment: (0, 0, 0) again if the track closes."""


def arc_length(radius: int, angle: int) -> int:
    """N3: rounded to units."""
    return (2 * radius * angle * PI + 1800 * 10**15) // (2 * 1800 * 10**15)


def lay_out(segments: Sequence[Straight | Arc]) -> CentreLine:
    """Put one segment behind the other, each from the rounded end of the one before."""
    line = CentreLine()
    x = y = heading = 0
    for segment in segments:
        line.s.append(line.length)
        line.x.append(x)
        line.y.append(y)
        line.heading.append(heading)
        if isinstance(segment, Straight):
            turn = (0, 0, 0, 0)
            x, y = _ahead(x, y, heading, segment.length)
            line.length += segment.length
        else:
            side = 1 if segment.left else -1
            cx, cy = _ahead(x, y, heading + side * 900, segment.radius)
            turn = (side * segment.radius, segment.angle, cx, cy)
            heading = (heading + side * segment.angle) % 3600
            x, y = _ahead(cx, cy, heading - side * 900, segment.radius)
            line.length += arc_length(segment.radius, segment.angle)
        line.radius.append(turn[0])
        line.angle.append(turn[1])
        line.cx.append(turn[2])
        line.cy.append(turn[3])
    line.s.append(line.length)
    line.end = (x, y, heading)
    return line


def _ahead(x: int, y: int, direction: int, distance: int) -> tuple[int, int]:
    across = cosine_of(direction - 900)
    return x + ((distance * cosine_of(direction) + HALF) >> 30), y + ((distance * across + HALF) >> 30)
