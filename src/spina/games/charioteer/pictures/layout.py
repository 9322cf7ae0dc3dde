"""The geometry of the board: where each space of an edition lies, and where chariots stand in it.

Coordinates on the track and units are those of the circus, which `spina.games.circus` explains.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from spina.games.circus import (
    BEND,
    COUNTER,
    DEPTH,
    HEIGHT,
    JOINTS,
    LEFT,
    LENGTH,
    MIDDLE,
    PODIUM,
    RADIUS,
    RIGHT,
    STRAIGHT,
    TEMPLE,
    WIDTH,
    Point,
    edge,
    heading,
    in_bend,
    point,
    rounded,
)
from spina.games.pictures import CHARIOT_LENGTH
from spina.games.svg import number

INNER_RING = 32.0
"""Depth of the ring that outer spaces do not reach."""
LANES = 6
"""Chariots that have room side by side in a space; more of them stand closer."""
_LINE_AT = 0.78 * STRAIGHT
"""Where the line lies on a track without two corners."""

# --- what stands on the spina ---------------------------------------------------------------------------------------

SHRINE = TEMPLE
"""Middle of the emperor's shrine, which holds the crowd cards and the die."""
CARD = (60.0, 88.0)
CARDS = tuple((SHRINE + 76.0 * k, PODIUM - 54) for k in (1, 0, -1))
"""Middles of the crowd cards by their slots: slot 1, the active card, is the rightmost, as on the printed board."""
DIE = (SHRINE, PODIUM - 152)
FRIEZE = (SHRINE + 2, PODIUM - 106.5)
"""Where the emperor's wish is written above the columns."""
LAP = (COUNTER, PODIUM - 20)
"""Where the lap stands in numerals, under the dolphins."""

# --- the spaces ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Space:
    """One space of the track."""

    index: int
    outer: bool
    path: str  # SVG path data of its outline
    centre: Point
    heading: float  # degrees
    along: tuple[float, float]  # where it begins and ends; may run beyond the length of the track
    deep: tuple[float, float]  # from the inner to the outer edge

    @property
    def middle(self) -> float:
        """How far along the track its chariots stand."""
        return (self.along[0] + self.along[1]) / 2


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything lies on the board of one edition."""

    spaces: tuple[Space, ...]
    start: int  # index of the start space
    scale: float  # of a chariot, at most 1: smaller where the spaces are short

    def spot(self, space: int, lane: int, of: int) -> tuple[float, float, float]:
        """Where the chariot in `lane` (0 is the inside) of `of` chariots in a space stands: x, y, heading.

        A lane has the same place for any number of chariots up to six.
        """
        if not 0 <= lane < of:
            raise ValueError(f"lane {lane} of {of} chariots: lanes count from 0 to {of - 1}")
        here = self.spaces[space]
        inner, outer = here.deep
        x, y = point(here.middle, inner + (outer - inner) * (lane + 0.5) / max(of, LANES))
        return x, y, here.heading

    def coordinates(self) -> dict[str, Any]:
        """The coordinates that a browser needs to place pieces on the board, ready for JSON."""
        return {
            "viewBox": [0, 0, WIDTH, HEIGHT],
            "scale": round(self.scale, 3),
            "start": self.start,
            "die": rounded(DIE),
            "crowd": [rounded(middle) for middle in CARDS],
            "card": rounded(CARD),
            "frieze": rounded(FRIEZE),
            "lap": rounded(LAP),
            # from these a page finds any point of the track, as `circus.point` does
            "oval": {
                "left": LEFT,
                "right": RIGHT,
                "middle": MIDDLE[1],
                "radius": RADIUS,
                "straight": STRAIGHT,
                "bend": round(BEND, 4),
            },
            "spaces": [
                {
                    "outer": space.outer,
                    "centre": rounded(space.centre),
                    "heading": round(space.heading, 2),
                    "along": round(space.middle, 2),
                    "deep": rounded(space.deep),
                    "spots": [rounded(self.spot(space.index, lane, LANES)[:2]) for lane in range(LANES)],
                }
                for space in self.spaces
            ],
        }


def layout(spaces: int, outer: Sequence[bool | int], start: int) -> Layout:
    """The board of an edition: spaces in a lap, which of them are outer, progress of the start.

    A start of -4 lies four spaces before the line. `outer` may be longer than the lap, as an edition's is.
    """
    if spaces < 1 or len(outer) < spaces:
        raise ValueError(f"{spaces} spaces, but {len(outer)} of them say whether they are outer")
    flags = [bool(flag) for flag in outer[:spaces]]
    bounds = _bounds(flags)
    placed = tuple(_space(index, flags, bounds) for index in range(spaces))
    # the tightest place is a bend, just outside the inner ring
    bend = (RADIUS + INNER_RING + 0.5 * (DEPTH - INNER_RING) / LANES) / (RADIUS + DEPTH / 2)
    room = min((s.along[1] - s.along[0]) * (bend if in_bend(s.middle) else 1) for s in placed)
    return Layout(placed, start % spaces, min(1.0, room / CHARIOT_LENGTH))


# --- where spaces begin and end -------------------------------------------------------------------------------------


def corners(outer: Sequence[bool]) -> list[tuple[int, int]]:
    """The corner sections: (first space, number of spaces).

    A corner begins and ends with a regular space, and is separated from the next section by two regular spaces in a
    row. A lap without two such spaces has no corners.
    """
    spaces = len(outer)
    begins = [k for k in range(spaces) if not outer[k] and not outer[k - 1]]
    found = []
    for this, after in zip(begins, begins[1:] + begins[:1], strict=True):
        size = (after - this) % spaces or spaces
        if size > 1:
            found.append((this, size))
    return found


def _bounds(outer: Sequence[bool]) -> list[tuple[float, float]]:
    """Where every space begins and ends along the track.

    Two corners fill the two bends: the one that the line lies in or before fills the right bend, so that the
    line is on the lower straight, nearest to the player. Other tracks have spaces of one length all around.
    """
    spaces = len(outer)
    found = corners(outer)
    if len(found) == 2:
        # a corner that has begun but not ended at space 0 ends first
        (right, n), (left, m) = sorted(found, key=lambda corner: (corner[0] + corner[1] - 1) % spaces)
        upper, lower = (left - right - n) % spaces, (right - left - m) % spaces
        if upper and lower:
            parts = (
                (right, n, BEND),
                (right + n, upper, STRAIGHT),
                (left, m, BEND),
                (left + m, lower, STRAIGHT),
            )
            bounds = [(0.0, 0.0)] * spaces
            for (first, size, length), begin in zip(parts, (*JOINTS[1:], LENGTH), strict=True):
                for k in range(size):
                    at = (begin + length * k / size, begin + length * (k + 1) / size)
                    bounds[(first + k) % spaces] = at
            return bounds
    pitch = LENGTH / spaces
    return [(_LINE_AT + pitch * k, _LINE_AT + pitch * (k + 1)) for k in range(spaces)]


def _space(index: int, outer: Sequence[bool], bounds: Sequence[tuple[float, float]]) -> Space:
    begin, end = bounds[index]
    ring = 0.0 if all(outer) else INNER_RING
    deep = (ring if outer[index] else 0.0, DEPTH)
    sides = [(begin, end, deep[0]), (end, begin, DEPTH)]  # from, to, depth
    if not outer[index]:
        # in the inner ring a regular space takes half of what lies inside its outer neighbours
        before = _outer_beside(index, outer, bounds, -1) / 2
        after = _outer_beside(index, outer, bounds, 1) / 2
        if before or after:
            sides = [
                (begin - before, end + after, 0.0),
                (end + after, end, ring),
                (end, begin, DEPTH),
                (begin, begin - before, ring),
            ]
    data = ""
    for here, there, depth in sides:
        x, y = point(here, depth)
        data += f"{'L' if data else 'M'}{number(x)} {number(y)}"
        if there != here:
            data += edge(here, there, depth)
    middle = (begin + end) / 2
    centre = point(middle, sum(deep) / 2)
    return Space(index, outer[index], data + "Z", centre, heading(middle), (begin, end), deep)


def _outer_beside(index: int, outer: Sequence[bool], bounds: Sequence[tuple[float, float]], step: int) -> float:
    """Length of the run of outer spaces before (-1) or after (1) a space."""
    spaces, total = len(outer), 0.0
    while outer[(index + step) % spaces]:
        index = (index + step) % spaces
        total += bounds[index][1] - bounds[index][0]
    return total
