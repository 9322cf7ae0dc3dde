"""The geometry of the board: where each space of a course lies, and where chariots stand in it.

The lanes lie side by side on the track of the circus; `spina.games.circus` explains its coordinates and units.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from spina.games.chariot_race.components.edition import ChariotRaceEdition
from spina.games.circus import (
    DEPTH,
    HEIGHT,
    JOINTS,
    LENGTH,
    RADIUS,
    STRAIGHT,
    WIDTH,
    Point,
    edge,
    heading,
    in_bend,
    point,
    rounded,
)
from spina.games.pictures import CHARIOT_LENGTH, CHARIOT_WIDTH
from spina.games.svg import number

_LINE_AT = 0.4 * STRAIGHT
"""Where the line lies on a course without two bends."""
_LARGEST = 1.25
"""Largest scale of a chariot."""

# --- the spaces -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Space:
    """One space of the course."""

    index: int
    name: str  # in notation, such as m14
    lane: int  # 0 is the inside
    safe: int  # the greatest safe speed, 0 where there is none
    heap: bool  # a stone heap, when its half board shows side B
    half: int  # 0 or 1: its half board
    path: str  # SVG path data of its outline
    centre: Point
    heading: float  # degrees
    along: tuple[float, float]  # where it begins and ends; may run beyond the length of the track
    deep: tuple[float, float]  # from the inner to the outer edge

    @property
    def middle(self) -> float:
        """How far along the track its chariot stands."""
        return (self.along[0] + self.along[1]) / 2

    @property
    def length(self) -> float:
        """From its back to its front, along its middle."""
        bent = (RADIUS + sum(self.deep) / 2) / (RADIUS + DEPTH / 2) if in_bend(self.middle) else 1.0
        return (self.along[1] - self.along[0]) * bent

    @property
    def width(self) -> float:
        """From its inner to its outer edge."""
        return self.deep[1] - self.deep[0]

    def inside(self, ahead: float, outward: float) -> Point:
        """A point of the space; both shares go from -1 (the back, the inner edge) to 1 (the front, the outer edge)."""
        begin, end = self.along
        inner, outer = self.deep
        return point(begin + (end - begin) * (1 + ahead) / 2, inner + (outer - inner) * (1 + outward) / 2)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything lies on the board of one edition."""

    spaces: tuple[Space, ...]
    lanes: int
    grid: tuple[int, ...]  # starting spaces: front row from outside to inside, then the rear row
    line: float  # how far along the line lies
    scale: float  # of a chariot: smaller where the spaces are small

    def spot(self, space: int) -> tuple[float, float, float]:
        """Where a chariot in this space stands: x, y, heading."""
        here = self.spaces[space]
        return (*here.centre, here.heading)

    def marker(self, space: int) -> Point:
        """Where the caltrop of a space lies: in the front inner corner, where a chariot does not hide it."""
        here = self.spaces[space]
        return here.inside(1 - 2 * min(14 / here.length, 0.3), -1 + 2 * min(13.5 / here.width, 0.3))

    def heaps(self, sides: Sequence[int]) -> tuple[int, ...]:
        """The spaces with stone heaps, when the half boards show these sides: 1 is side B."""
        return tuple(space.index for space in self.spaces if space.heap and sides[space.half])

    def coordinates(self) -> dict[str, Any]:
        """The coordinates that a browser needs to place pieces on the board, ready for JSON; spaces by number."""
        return {
            "viewBox": [0, 0, WIDTH, HEIGHT],
            "scale": round(self.scale, 3),
            "lanes": self.lanes,
            "grid": list(self.grid),
            "spaces": [
                {
                    "name": space.name,
                    "lane": space.lane,
                    "safe": space.safe,
                    "centre": rounded(space.centre),
                    "heading": round(space.heading, 2),
                    "caltrop": rounded(self.marker(space.index)),
                }
                for space in self.spaces
            ],
        }


@lru_cache(maxsize=32)
def layout(edition: ChariotRaceEdition) -> Layout:
    """The board of an edition."""
    way = _Way.of(edition)
    width = DEPTH / edition.lanes
    spaces = []
    for index, lane in enumerate(edition.lane):
        first = index == 0 or edition.lane[index - 1] != lane
        along = (way.along(0 if first else edition.front[index - 1]), way.along(edition.front[index]))
        spaces.append(_space(edition, index, along, (lane * width, (lane + 1) * width)))
    room = min(min(s.length / CHARIOT_LENGTH for s in spaces), width / CHARIOT_WIDTH)
    return Layout(tuple(spaces), edition.lanes, edition.grid, way.along(0), min(_LARGEST, 0.92 * room))


def _space(edition: ChariotRaceEdition, index: int, along: tuple[float, float], deep: tuple[float, float]) -> Space:
    (begin, end), (inner, outer) = along, deep
    x, y = point(begin, inner)
    u, v = point(end, outer)
    outline = f"M{number(x)} {number(y)}{edge(begin, end, inner)}L{number(u)} {number(v)}{edge(end, begin, outer)}Z"
    middle = (begin + end) / 2
    return Space(
        index=index,
        name=edition.space_names[index],
        lane=edition.lane[index],
        safe=edition.number[index],
        heap=edition.heap[index],
        half=edition.half[index],
        path=outline,
        centre=point(middle, (inner + outer) / 2),
        heading=heading(middle),
        along=along,
        deep=deep,
    )


# --- from the course to the track -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Way:
    """Converts units of the course to places on the track, linearly between the borders of bends and straights."""

    units: tuple[int, ...]  # borders in units beyond the line, the first at or before it, the last a lap later
    places: tuple[float, ...]  # how far along they lie

    @classmethod
    def of(cls, edition: ChariotRaceEdition) -> _Way:
        """Two bends fill the two half circles; other courses are spread evenly.

        The bend that the line lies in or before is the right one, so that the line is on the lower straight.
        """
        found = bends(edition)
        if len(found) != 2:
            return cls((0, edition.length), (_LINE_AT, _LINE_AT + LENGTH))
        lap = edition.length
        (right, straight), (left, home) = sorted(found, key=lambda bend: (bend[1] - 1) % lap)
        units, places = [right], [JOINTS[1]]
        for stop, place in ((straight, JOINTS[2]), (left, JOINTS[3]), (home, LENGTH), (right, LENGTH + STRAIGHT)):
            units.append(units[-1] + (stop - units[-1] - 1) % lap + 1)
            places.append(place)
        # twice around, from before the line
        back = math.ceil(units[0] / lap)
        twice = [
            (u + turn * lap, p + turn * LENGTH) for turn in (0, 1) for u, p in zip(units[:-1], places, strict=False)
        ]
        twice.append((units[-1] + lap, places[-1] + LENGTH))
        return cls(tuple(u - back * lap for u, _ in twice), tuple(p - LENGTH for _, p in twice))

    def along(self, unit: int) -> float:
        """How far along the track a unit beyond the line lies, for units from 0 to the length of a lap."""
        k = min(bisect_right(self.units, unit), len(self.units) - 1)
        share = (unit - self.units[k - 1]) / (self.units[k] - self.units[k - 1])
        return self.places[k - 1] + share * (self.places[k] - self.places[k - 1])


def bends(edition: ChariotRaceEdition) -> list[tuple[int, int]]:
    """The beginning and end of each bend, in units beyond the line; consecutive bend sections are one bend."""
    course = edition.course
    extents, curved = course.extents, [section.bend for section in course.sections]
    if all(curved) or not any(curved):
        return []
    found: list[tuple[int, int]] = []
    start = curved.index(False)
    for k in (*range(start, len(curved)), *range(start)):
        if curved[k] and curved[k - 1]:
            found[-1] = (found[-1][0], extents[k][1])
        elif curved[k]:
            found.append(extents[k])
    return found
