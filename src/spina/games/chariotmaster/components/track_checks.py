"""Checks that a track does not come too close to itself and that its obstacles leave a way.

Floats are fine here: they only decide which files are accepted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spina.games.chariotmaster.components.centre_line import CentreLine
from spina.games.chariotmaster.components.refusals import say
from spina.games.chariotmaster.rules.record import CM, DEGREE
from spina.sentences import Sentence

STEP = 100.0
"""Units between the points at which a track is compared with itself."""
ROWS = 256
"""Points compared at a time."""
APART = 50.0
"""Units that obstacles keep from each other, and that a way past them is wider than a base."""
TOLERANCE = 1.0
"""Units by which an obstacle may reach over an edge."""


class Block(NamedTuple):
    """An obstacle as a rectangle, and where it was put along the centre line."""

    at: int
    pose: tuple[int, int, int]
    half_long: float
    half_wide: float


# --- the track and itself -------------------------------------------------------------------------------------------


def collision(track: CentreLine, room: int, closed: bool) -> tuple[int, int, float] | None:
    """Two segments whose middles come nearer to each other than `room`, and how near; None if there are none.

    Points near each other along the track are left out: as long as every radius is more than half the room, the track
    can only come back to itself after it has turned half a circle.
    """
    ways, points, owners = _samples(track)
    near = math.pi * room / 2
    worst: tuple[int, int, float] | None = None
    for start in range(0, len(ways), ROWS):
        rows = slice(start, start + ROWS)
        along = np.abs(ways[rows, None] - ways[None, :])
        if closed:
            along = np.minimum(along, track.length - along)
        apart = np.hypot(points[rows, None, 0] - points[None, :, 0], points[rows, None, 1] - points[None, :, 1])
        apart[along <= near] = np.inf
        best = int(apart.argmin())
        distance = float(apart.flat[best])
        if distance < room - TOLERANCE and (worst is None or distance < worst[2]):
            row, column = divmod(best, len(ways))
            first, second = sorted((int(owners[start + row]), int(owners[column])))
            worst = (first, second, distance)
    return worst


def _samples(track: CentreLine) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points of the centre line: their way, where they are, and the segments they belong to."""
    ways: list[float] = []
    owners: list[int] = []
    for index in range(len(track.x)):
        length = track.s[index + 1] - track.s[index]
        pieces = max(1, math.ceil(length / STEP))
        ways += [track.s[index] + length * (piece + 0.5) / pieces for piece in range(pieces)]
        owners += [index] * pieces
    points = [_point(track, owner, way) for owner, way in zip(owners, ways, strict=True)]
    return np.array(ways), np.array(points), np.array(owners)


def _point(track: CentreLine, index: int, way: float) -> tuple[float, float]:
    """A point of a segment."""
    along, radius = way - track.s[index], track.radius[index]
    heading = math.radians(track.heading[index] / DEGREE)
    if radius == 0:
        return track.x[index] + along * math.cos(heading), track.y[index] + along * math.sin(heading)
    heading += along / radius
    return track.cx[index] + radius * math.sin(heading), track.cy[index] - radius * math.cos(heading)


# --- places ---------------------------------------------------------------------------------------------------------


def locate(track: CentreLine, x: float, y: float) -> tuple[float, float]:
    """The way and the offset to the left of a point, from the nearest point of the centre line."""
    found = [_on_segment(track, index, x, y) for index in range(len(track.x))]
    _, way, offset = min(found)
    return way, offset


def _on_segment(track: CentreLine, index: int, x: float, y: float) -> tuple[float, float, float]:
    """Distance, way and offset to the left of a point, from the nearest point of a segment."""
    heading = math.radians(track.heading[index] / DEGREE)
    length, radius = track.s[index + 1] - track.s[index], track.radius[index]
    if radius == 0:
        along = (x - track.x[index]) * math.cos(heading) + (y - track.y[index]) * math.sin(heading)
    else:
        side = math.copysign(1.0, radius)
        direction = math.atan2(side * (x - track.cx[index]), -side * (y - track.cy[index]))
        turned = math.remainder(side * (direction - heading) - length / abs(radius) / 2, math.tau)
        along = turned * abs(radius) + length / 2
    along = min(max(along, 0.0), float(length))
    nearest = _point(track, index, track.s[index] + along)
    tangent = heading + (along / radius if radius else 0.0)
    across = (y - nearest[1]) * math.cos(tangent) - (x - nearest[0]) * math.sin(tangent)
    distance = math.hypot(x - nearest[0], y - nearest[1])
    return distance, track.s[index] + along, math.copysign(distance, across)


def _outline(block: Block) -> list[tuple[float, float]]:
    """Points all round a block."""
    x, y, heading = block.pose
    cosine, sine = math.cos(math.radians(heading / DEGREE)), math.sin(math.radians(heading / DEGREE))
    shares = [step / 8 for step in range(-8, 9)]
    sides = [(share, end) for share in shares for end in (-1.0, 1.0)]
    local = [(a * block.half_long, b * block.half_wide) for a, b in sides + [(end, share) for share, end in sides]]
    return [(x + ahead * cosine - left * sine, y + ahead * sine + left * cosine) for ahead, left in local]


class _Extent(NamedTuple):
    """The part of the track that a block takes: ways (not wrapped) and offsets, from and to."""

    begin: float
    end: float
    right: float
    left: float


def _extent(track: CentreLine, block: Block, closed: bool) -> _Extent:
    places = [locate(track, x, y) for x, y in _outline(block)]
    ways = [way - block.at for way, _ in places]
    if closed:
        ways = [math.remainder(way, track.length) for way in ways]
    offsets = [offset for _, offset in places]
    return _Extent(block.at + min(ways), block.at + max(ways), min(offsets), max(offsets))


# --- obstacles ------------------------------------------------------------------------------------------------------


class Grounds(NamedTuple):
    """Where obstacles may stand."""

    track: CentreLine
    closed: bool
    width: int
    start: tuple[int, int]
    """Ways between which chariots start."""
    base: tuple[int, int]
    """Length and width of a chariot."""


def obstacle_faults(grounds: Grounds, blocks: Sequence[Block]) -> list[Sentence | None]:
    """For each obstacle what is wrong with its place, or None."""
    extents = [_extent(grounds.track, block, grounds.closed) for block in blocks]
    return [_fault(grounds, blocks, extents, index) for index in range(len(blocks))]


def _fault(grounds: Grounds, blocks: Sequence[Block], extents: Sequence[_Extent], index: int) -> Sentence | None:
    track, closed, width, start, base = grounds
    mine, half = extents[index], width / 2
    if max(mine.left, -mine.right) > half + TOLERANCE:
        over = max(mine.left, -mine.right) - half
        return say(
            "chariotmaster.edition.obstacle-sticks-out", over=format(over / CM, ".2f"), most=format(half / CM, "g")
        )
    if not closed and (mine.begin < TOLERANCE or mine.end > track.length - TOLERANCE):
        return say("chariotmaster.edition.obstacle-at-end", length=format(track.length / CM, "g"))
    if _meet(track, closed, mine, _Extent(start[0], start[1], 0, 0), 0):
        reach = say("chariotmaster.edition.range-cm", low=f"{start[0] / CM:g}", high=f"{start[1] / CM:g}")
        return say("chariotmaster.edition.obstacle-at-start", reach=reach)
    for other in range(index):
        if _separation(blocks[index], blocks[other]) < APART:
            return say("chariotmaster.edition.obstacles-too-near", other=other + 1, apart=format(APART / CM, "g"))
    wanted = base[1] + APART
    beside = [extent for extent in extents if _meet(track, closed, mine, extent, base[0])]
    if max(_gaps(beside, half)) < wanted - TOLERANCE:
        return say("chariotmaster.edition.no-way-past", wanted=format(wanted / CM, "g"))
    return None


def _meet(track: CentreLine, closed: bool, one: _Extent, other: _Extent, room: float) -> bool:
    """Whether two extents come within `room` of each other along the track."""
    middles = (one.begin + one.end) / 2 - (other.begin + other.end) / 2
    if closed:
        middles = math.remainder(middles, track.length)
    return abs(middles) < (one.end - one.begin + other.end - other.begin) / 2 + room


def _gaps(extents: Sequence[_Extent], half: float) -> list[float]:
    """The widths that blocks leave free across the track."""
    gaps, edge = [], -half
    for extent in sorted(extents, key=lambda extent: extent.right):
        gaps.append(extent.right - edge)
        edge = max(edge, extent.left)
    return [*gaps, half - edge]


def _separation(one: Block, other: Block) -> float:
    """How far two rectangles are apart along the axis that separates them best."""
    corners = [_outline(block) for block in (one, other)]
    best = -math.inf
    for block in (one, other):
        heading = math.radians(block.pose[2] / DEGREE)
        for angle in (heading, heading + math.pi / 2):
            spans = [[x * math.cos(angle) + y * math.sin(angle) for x, y in points] for points in corners]
            best = max(best, min(spans[1]) - max(spans[0]), min(spans[0]) - max(spans[1]))
    return best
