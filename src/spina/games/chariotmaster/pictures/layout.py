"""The geometry of a track for pictures: its centre line, edges, lines and lanes, and their place in the picture.

The rules count in tenths of a millimetre and tenths of a degree, y upwards, angles anticlockwise. Pictures count in
millimetres, y downwards, and rotate clockwise in degrees. `Track.spot` is the only place that converts from one to
the other; all path data go through it. Floats are fine here: pictures decide nothing.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from spina.games.chariotmaster.rules.record import CM, DEGREE, EDITION, MM
from spina.games.circus import Point, rounded
from spina.games.pictures import KERB, STANDS
from spina.games.svg import number
from spina.kernel.record import Bytes, look

Pose = tuple[float, float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

MARGIN = KERB + STANDS + 26.0
"""From the edges of the track to the edges of its picture, in a circus with stands."""
COUNTRY = 62.0
"""The same for a course in the open country."""
_HALF_TURN = 175.0
"""Greatest angle that one arc of a path spans, in degrees."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A straight or an arc of the centre line, in units of the rules."""

    begin: float  # way to its first point
    end: float
    x: float
    y: float
    heading: float  # tenths of a degree, at its first point
    radius: float  # 0 straight, > 0 turning left, < 0 turning right
    angle: float  # turned over the whole arc
    cx: float
    cy: float

    def pose(self, s: float, offset: float) -> Pose:
        """The point at this way along and this offset to the left, and the tangent there."""
        share = (s - self.begin) / max(self.end - self.begin, 1.0)
        heading = self.heading + math.copysign(self.angle * share, self.radius) * (self.radius != 0)
        sine, cosine = _sine_cosine(heading)
        if self.radius == 0:
            ahead = s - self.begin
            return self.x + ahead * cosine - offset * sine, self.y + ahead * sine + offset * cosine, heading
        out = self.radius - offset
        return self.cx + out * sine, self.cy - out * cosine, heading


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Something that stands on the track, in units of the rules."""

    x: float
    y: float
    heading: float
    half_long: float
    half_wide: float
    value: int
    low: bool
    fixed: bool


@dataclass(frozen=True)
class Track:
    """A track as pictures need it; lengths in units of the rules, unless they say otherwise."""

    title: str
    segments: tuple[Segment, ...]
    closed: bool
    length: float
    half_width: float
    line: float  # way to the starting line
    lap: float  # from there to the finish
    inside: int  # +1: the innermost lane is on the left
    half_long: float  # of a chariot's base
    half_wide: float
    obstacles: tuple[Obstacle, ...]

    # --- the centre line ---------------------------------------------------------------------------------------------

    def pose(self, s: float, offset: float = 0.0) -> Pose:
        """x, y and heading at this way along the centre line and offset to its left. Ways wrap on closed tracks."""
        s = s % self.length if self.closed else min(max(s, 0.0), self.length)
        k = bisect_right(self._begins, s) - 1
        return self.segments[max(k, 0)].pose(s, offset)

    @cached_property
    def _begins(self) -> list[float]:
        return [segment.begin for segment in self.segments]

    def point(self, s: float, offset: float = 0.0) -> Point:
        """`pose` without the heading."""
        return self.pose(s, offset)[:2]

    @property
    def finish(self) -> float:
        """The way to the finishing line: on a closed track the starting line itself."""
        return self.line if self.closed else self.line + self.lap

    @property
    def winding(self) -> float:
        """The offset of the inner edge, where the infield begins."""
        return self.inside * self.half_width

    # --- from the rules to the picture -------------------------------------------------------------------------------

    def spot(self, x: float, y: float, heading: float = 0.0) -> Pose:
        """Where a pose of the rules lies in the picture: x, y in millimetres, and how far it is turned clockwise."""
        left, top = self.origin
        return left + x / MM, top - y / MM, -heading / DEGREE % 360

    def place(self, s: float, offset: float = 0.0) -> Pose:
        """Where a place of the track lies in the picture, facing along it."""
        return self.spot(*self.pose(s, offset))

    @cached_property
    def origin(self) -> Point:
        """Where the origin of the rules lies in the picture, in whole millimetres."""
        left, _, _, top = self._reach
        margin = self.margin
        return math.ceil(margin - left / MM), math.ceil(margin + top / MM)

    @cached_property
    def size(self) -> Point:
        """Width and height of the picture, in millimetres."""
        left, bottom, right, top = self._reach
        margin = 2 * self.margin
        return math.ceil((right - left) / MM + margin), math.ceil((top - bottom) / MM + margin)

    @cached_property
    def _reach(self) -> tuple[float, float, float, float]:
        """Least and greatest x and y of the edges."""
        points = [self.point(s, side) for s in self._steps(50) for side in (-self.half_width, self.half_width)]
        xs, ys = zip(*points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def _steps(self, step: float) -> list[float]:
        count = max(math.ceil(self.length / step), 1)
        return [self.length * k / count for k in range(count + 1)]

    @cached_property
    def stadium(self) -> bool:
        """Whether stands can be built around it: it is closed, and no bend is too tight for them."""
        if not self.closed:
            return False
        deepest = self.half_width + MARGIN * MM
        return all(
            s.radius == 0 or s.radius * self.inside > 0 or -s.radius * self.inside > deepest for s in self.segments
        )

    @property
    def margin(self) -> float:
        """From the edges of the track to those of the picture, in millimetres."""
        return MARGIN if self.stadium else COUNTRY

    # --- path data ---------------------------------------------------------------------------------------------------

    def edge(self, offset: float, back: bool = False) -> str:
        """Path data along the whole track at this offset to the left of the centre line, from its first point on.

        Bends are true arcs. With `back` it runs against the race, for an outline that returns.
        """
        stops = []
        for segment in self.segments:
            parts = 1 if segment.radius == 0 else math.ceil(segment.angle / DEGREE / _HALF_TURN)
            for k in range(parts):
                begin, end = (segment.begin + (segment.end - segment.begin) * n / parts for n in (k, k + 1))
                stops.append((segment, begin, end))
        data = ""
        for segment, begin, end in reversed(stops) if back else stops:
            x, y, _ = self.spot(*segment.pose(begin if back else end, offset))
            radius = number(abs(segment.radius - offset) / MM)
            if segment.radius == 0 or radius == "0":
                data += f"L{number(x)} {number(y)}"
            else:
                data += f"A{radius} {radius} 0 0 {int((segment.radius < 0) != back)} {number(x)} {number(y)}"
        first = (self.segments[-1], self.length) if back else (self.segments[0], 0.0)
        x, y, _ = self.spot(*first[0].pose(first[1], offset))
        return f"M{number(x)} {number(y)}{data}" + ("Z" if self.closed else "")

    def oval(self, deep: float) -> str:
        """The outline this many millimetres from the inner edge towards the outer one; negative: into the infield."""
        return self.edge(self.inside * (self.half_width - deep * MM))

    def ground(self) -> str:
        """The outline of everything that can be driven on, to be filled by the rule `evenodd`."""
        left, right = self.edge(self.half_width), self.edge(-self.half_width, back=True)
        return left + right if self.closed else left + "L" + right.removeprefix("M") + "Z"

    # --- lanes -------------------------------------------------------------------------------------------------------

    @cached_property
    def lanes(self) -> tuple[Pose, ...]:
        """Where chariots of the first row stand, from the inside: their fronts touch the line (E9, M14)."""
        return tuple(self.pose(self.line - self.half_long, offset) for offset in self._lane_offsets)

    @cached_property
    def second_row(self) -> tuple[Pose, ...]:
        """The same for the second row, a centimetre behind the first; empty if there is no room for it."""
        s = self.line - 3 * self.half_long - CM
        room = s - self.half_long
        if self.pose(room)[2] != self.pose(self.line)[2] or (room < 0 and not self.closed):
            return ()
        return tuple(self.pose(s, offset) for offset in self._lane_offsets)

    @property
    def _lane_offsets(self) -> list[float]:
        gap = CM / 2
        each = 2 * self.half_wide + gap
        count = int((2 * self.half_width - gap) // each)
        return [self.inside * (self.half_width - gap - self.half_wide - each * k) for k in range(count)]

    # --- the infield -------------------------------------------------------------------------------------------------

    @cached_property
    def infield(self) -> Box | None:
        """The largest upright box inside a closed track, in the picture."""
        if not self.closed:
            return None
        outline = [self.place(s, self.winding)[:2] for s in self._steps(60)]
        xs, ys = zip(*outline, strict=True)
        return largest_box((min(xs), min(ys), max(xs), max(ys)), lambda x, y: inside(outline, x, y))

    # --- for a browser -----------------------------------------------------------------------------------------------

    def coordinates(self) -> dict[str, Any]:
        """What a browser needs to place pieces on the board, ready for JSON.

        A pose (x, y, heading) of the rules lies at (origin x + x * scale, origin y - y * scale), turned by
        -heading / 10 degrees clockwise. Lanes are poses of the rules.
        """
        return {
            "viewBox": [0, 0, *self.size],
            "origin": list(self.origin),
            "scale": 1 / MM,
            "closed": self.closed,
            "line": rounded(self.place(self.line)),
            "finish": rounded(self.place(self.finish)),
            "lanes": [rounded(pose) for pose in (*self.lanes, *self.second_row)],
            "base": [2 * self.half_long, 2 * self.half_wide],
            "course": {
                "segments": [
                    asdict(segment) | {"heading": segment.heading / DEGREE, "angle": segment.angle / DEGREE}
                    for segment in self.segments
                ],
                "closed": self.closed,
                "length": self.length,
                "half_width": self.half_width,
                "line": self.line,
                "lap": self.lap,
            },
        }


def track_of(data: Bytes, scenario: int, title: str) -> Track:
    """The track of a scenario, from the record of an edition."""
    e = look(data, EDITION)
    t = scenario
    if not 0 <= t < e.scenarios:
        raise ValueError(f"no scenario {t} in this edition: they count from 0 to {int(e.scenarios) - 1}")
    columns = (e.seg_s, e.seg_s[:, 1:], e.seg_x, e.seg_y, e.seg_heading, e.seg_radius, e.seg_angle, e.seg_cx, e.seg_cy)
    return Track(
        title=title,
        segments=tuple(Segment(*(float(column[t, k]) for column in columns)) for k in range(e.segments[t])),
        closed=bool(e.closed[t]),
        length=float(e.length[t]),
        half_width=float(e.half_width[t]),
        line=float(e.line[t]),
        lap=float(e.lap[t]),
        inside=int(e.inside[t]) or 1,
        half_long=float(e.half_long[t]),
        half_wide=float(e.half_wide[t]),
        obstacles=tuple(
            Obstacle(
                x=float(e.ob_x[t, k]),
                y=float(e.ob_y[t, k]),
                heading=float(e.ob_heading[t, k]),
                half_long=float(e.ob_half_long[t, k]),
                half_wide=float(e.ob_half_wide[t, k]),
                value=int(e.ob_value[t, k]),
                low=bool(e.ob_low[t, k]),
                fixed=bool(e.ob_fixed[t, k]),
            )
            for k in range(e.obstacles[t])
        ),
    )


def _sine_cosine(heading: float) -> Point:
    angle = math.radians(heading / DEGREE)
    return math.sin(angle), math.cos(angle)


# --- room in the infield --------------------------------------------------------------------------------------------

_GRID = 60
"""Most cells of the grid in which room is sought, across and down."""


def inside(outline: list[Point], x: float, y: float) -> bool:
    """Whether a point lies inside a polygon."""
    odd = False
    for (x1, y1), (x2, y2) in zip(outline, [*outline[1:], outline[0]], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
            odd = not odd
    return odd


def largest_box(within: Box, free: Callable[[float, float], bool]) -> Box | None:
    """The largest upright box within another one whose points are free, found on a grid."""
    left, top, right, bottom = within
    wide, high = (right - left) / _GRID, (bottom - top) / _GRID
    best, found = 0.0, None
    above = [0] * _GRID  # cells in a row that are free, up from the present one
    for row in range(_GRID):
        y = top + (row + 0.5) * high
        above = [above[k] + 1 if free(left + (k + 0.5) * wide, y) else 0 for k in range(_GRID)]
        for k, tall, reach in _runs(above):
            size = tall * high * reach * wide
            if size > best:
                foot = top + (row + 1) * high
                best, found = size, (left + k * wide, foot - tall * high, left + (k + reach) * wide, foot)
    return found


def _runs(heights: list[int]) -> Iterable[tuple[int, int, int]]:
    """Boxes under a row of heights: where each begins, how tall and how wide it is."""
    for k in range(len(heights)):
        least = heights[k]
        for end in range(k, len(heights)):
            least = min(least, heights[end])
            if least == 0:
                break
            yield k, least, end - k + 1
