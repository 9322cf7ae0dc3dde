"""The course: its spaces, computed from the lengths of its sections, their neighbours, and where steps lead.

A course is a ring of sections. In each section every lane is divided evenly into spaces, and so the borders of
neighbouring lanes need not meet. Lengths are exact, in the longest unit of which every space is a whole
multiple. Spaces are numbered as `state` says: lane by lane from the inside, in each from the line on.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import NamedTuple

from spina.games.chariot_race.rules.record import NOTHING

THREE_LANES = ("inside", "middle", "outside")


class Section(NamedTuple):
    """A part of the course, as an edition describes it."""

    name: str
    bend: bool
    half: int
    """The half board it lies on, 0 or 1."""
    length: int
    """In the measure of the edition."""
    spaces: tuple[int, ...]
    """Number of spaces in each lane, from the inside."""


class Place(NamedTuple):
    """A space as an edition names it."""

    section: int
    lane: int
    nth: int
    """Number of the space in its lane and section, from 1."""


class Space(NamedTuple):
    """A space of a course. It reaches from behind its back border to its front."""

    lane: int
    back: int
    """0 for the first space beyond the line. Below 0 if the line runs through the space, which no edition may have."""
    front: int
    """1 to the length of a lap."""
    place: Place


@dataclass(frozen=True)
class Course:
    """The spaces of one lap."""

    sections: tuple[Section, ...]
    lanes: int
    length: int
    """Units of one lap."""
    line: int
    """Units from the beginning of the first section to the line."""
    spaces: tuple[Space, ...]

    @cached_property
    def first(self) -> list[int]:
        """The number of the first space of each lane."""
        return [self._lane_of.index(lane) for lane in range(self.lanes)]

    @cached_property
    def count(self) -> list[int]:
        """Number of spaces in each lane."""
        return [self._lane_of.count(lane) for lane in range(self.lanes)]

    @cached_property
    def at(self) -> dict[Place, int]:
        """The number of the space at each place."""
        return {space.place: number for number, space in enumerate(self.spaces)}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the spaces in notation: the lane's letter and a number, from 1 beyond the line."""
        letters = [name[0] for name in lane_names(self.lanes)]
        return tuple(f"{letters[s.lane]}{i - self.first[s.lane] + 1}" for i, s in enumerate(self.spaces))

    @cached_property
    def next(self) -> list[list[int]]:
        """R5: the spaces to which a step straight ahead, inward and outward leads."""
        return [
            [self._beyond(space.lane, space), self._beyond(space.lane - 1, space), self._beyond(space.lane + 1, space)]
            for space in self.spaces
        ]

    @cached_property
    def extents(self) -> list[tuple[int, int]]:
        """Beginning and end of each section, in units beyond the line; a section across the line ends after a lap."""
        unit = Fraction(sum(section.length for section in self.sections), self.length)
        extents, begin = [], -self.line
        for section in self.sections:
            lap = self.length if begin < 0 else 0
            end = begin + int(section.length / unit)
            extents.append((begin + lap, end + lap))
            begin = end
        return extents

    def near(self, reach: int) -> list[list[int]]:
        """R10: the steps over touching borders between any two spaces, if there are 1 to `reach`; else 0."""
        touching = [self._touching(number) for number in range(len(self.spaces))]
        return [_steps_from(number, touching, reach) for number in range(len(self.spaces))]

    def distance(self, space: int, other: int) -> int:
        """Units from the front of a space ahead to that of another: 1 to the length of a lap."""
        return (self.spaces[other].front - self.spaces[space].front - 1) % self.length + 1

    @cached_property
    def _lane_of(self) -> list[int]:
        return [space.lane for space in self.spaces]

    @cached_property
    def _fronts(self) -> list[list[int]]:
        return [[space.front for space in self.spaces if space.lane == lane] for lane in range(self.lanes)]

    def _beyond(self, lane: int, space: Space) -> int:
        """R5: the space of a lane whose front is the nearest one ahead of this space's front."""
        if not 0 <= lane < self.lanes:
            return NOTHING
        return self.first[lane] + bisect_right(self._fronts[lane], space.front) % self.count[lane]

    def _touching(self, number: int) -> list[int]:
        """R10: the spaces that share a border or a corner point with this one."""
        space = self.spaces[number]
        first, count = self.first[space.lane], self.count[space.lane]
        own = [first + (number - first + step) % count for step in (-1, 1)]
        beside = [
            self.first[lane] + i
            for lane in (space.lane - 1, space.lane + 1)
            if 0 <= lane < self.lanes
            for i in range(self.count[lane])
            if self._meet(space, self.spaces[self.first[lane] + i])
        ]
        return own + beside

    def _meet(self, one: Space, two: Space) -> bool:
        """Whether two spaces of neighbouring lanes share a border or a corner point."""
        return any(
            one.back <= two.front + lap and two.back + lap <= one.front for lap in (-self.length, 0, self.length)
        )


def lane_names(lanes: int) -> tuple[str, ...]:
    """Names of the lanes from the inside; notation uses their first letters."""
    return THREE_LANES if lanes == len(THREE_LANES) else tuple("abcdef"[:lanes])


# --- laying a course ------------------------------------------------------------------------------------------------


def lay(sections: Sequence[Section], line: int) -> Course:
    """The course of these sections; `line` is the distance of the line from the beginning of the first one."""
    unit = _unit(sections)
    length = int(sum(section.length for section in sections) / unit)
    crossing = int(line / unit)
    spaces = sorted(_spaces(sections, unit, crossing, length))
    return Course(tuple(sections), len(sections[0].spaces), length, crossing, tuple(spaces))


def units(sections: Sequence[Section]) -> int:
    """Number of units in a lap of these sections."""
    return int(sum(section.length for section in sections) / _unit(sections))


def lanes_cut(sections: Sequence[Section], line: int) -> list[int]:
    """The lanes in which a line at this distance would run through a space."""
    behind = 0
    for section in sections:
        if line <= behind + section.length:
            counts = enumerate(section.spaces)
            return [lane for lane, count in counts if (line - behind) * count % section.length]
        behind += section.length
    return [*range(len(sections[0].spaces))]


def _unit(sections: Sequence[Section]) -> Fraction:
    """The longest unit of which every space is a whole multiple."""
    lengths = {Fraction(section.length, count) for section in sections for count in section.spaces}
    return Fraction(gcd(*(a.numerator for a in lengths)), lcm(*(a.denominator for a in lengths)))


def _spaces(sections: Sequence[Section], unit: Fraction, line: int, length: int) -> Iterator[Space]:
    behind = 0
    for number, section in enumerate(sections):
        whole = int(section.length / unit)
        for lane, count in enumerate(section.spaces):
            size = whole // count
            for i in range(count):
                front = (behind + (i + 1) * size - line - 1) % length + 1
                yield Space(lane, front - size, front, Place(number, lane, i + 1))
        behind += whole


def _steps_from(start: int, touching: Sequence[Sequence[int]], reach: int) -> list[int]:
    """The fewest steps to every space within reach, 0 for the others and for the start itself."""
    steps = [0] * len(touching)
    reached, edge = {start}, [start]
    for step in range(1, reach + 1):
        edge = sorted({space for at in edge for space in touching[at]} - reached)
        reached.update(edge)
        for space in edge:
            steps[space] = step
    return steps


# --- heaps ----------------------------------------------------------------------------------------------------------


def dead_end(course: Course, heaps: Collection[int], start: int, laps: int) -> int | None:
    """The furthest space that a starting space leads to, if heaps close all lanes before the finish; else None."""
    goal = (laps + 1) * course.length
    seen = {(0, start)}
    edge = [(0, start)]
    while edge:
        gone, space = edge.pop()
        if gone >= goal:
            return None
        for ahead in course.next[space]:
            if ahead != NOTHING and ahead not in heaps:
                node = (gone + course.distance(space, ahead), ahead)
                if node not in seen:
                    seen.add(node)
                    edge.append(node)
    return max(seen)[1]
