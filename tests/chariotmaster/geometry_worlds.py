"""Worlds for tests of the geometry, and a second implementation of it with floats, NumPy and Shapely."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from bench import geometry_entries
from spina.games.chariotmaster.components.centre_line import Arc, CentreLine, Straight, lay_out
from spina.games.chariotmaster.rules.record import (
    BLOCK,
    CHARIOT,
    DRAGGING,
    DRIVER,
    EDITION,
    OBSTACLE,
    RACE,
    RULES_VERSION,
    TEAM,
    WRECK,
)
from spina.kernel import compiler
from spina.kernel.record import Bytes, blank, look

UNIT = 1 << 30
SIZES = {CHARIOT: (200, 100), TEAM: (100, 100), DRAGGING: (100, 100), WRECK: (100, 100), DRIVER: (50, 50)}
Floats = NDArray[np.float64]

CIRCUS = (Straight(5000), Arc(1400, 1800, True), Straight(5000), Arc(1400, 1800, True))
WINDING = (
    Straight(3000), Arc(1000, 600, True), Arc(950, 1800, False), Straight(500), Arc(750, 1800, True), Straight(1200),
    Arc(1100, 333, False), Straight(400), Arc(900, 905, True), Straight(3000),
)  # fmt: skip
"""An open course with odd angles and two hairpins, the second so tight that its legs lie wall to wall."""
PLAIN = (Straight(60000),)


class World:
    """One scenario and the pieces on it."""

    def __init__(self, segments: tuple[Straight | Arc, ...], half_width: int, line: int, closed: bool) -> None:
        self.line: CentreLine = lay_out(segments)
        self.components: Bytes = blank(EDITION)
        edition = self.edition = look(self.components, EDITION)
        count = len(segments)
        edition.scenarios = 1
        edition.closed[0], edition.segments[0], edition.length[0] = closed, count, self.line.length
        edition.half_width[0], edition.line[0], edition.lap[0] = half_width, line, self.line.length
        edition.inside[0], edition.half_long[0], edition.half_wide[0] = 1, 200, 100
        edition.seg_s[0, : count + 1] = self.line.s
        for name in ("x", "y", "heading", "radius", "angle", "cx", "cy"):
            getattr(edition, f"seg_{name}")[0, :count] = getattr(self.line, name)
        self.bytes: Bytes = blank(RACE)
        self.race: Any = look(self.bytes, RACE)
        self.half_width = half_width
        self.clear()

    def ask(self, question: str, *numbers: int) -> Any:
        compiler.ready(compiler.folder_of(geometry_entries.try_submoves))
        return geometry_entries.ask(question, self.bytes, self.components, *numbers)

    def clear(self) -> None:
        self.bytes[:] = 0
        self.race.revision = RULES_VERSION - 1

    def put(self, piece: int, kind: int, pose: tuple[int, int, int], way: int | None = None, size: Any = None) -> None:
        """Put a piece at a pose; its progress is looked up near `way`."""
        race = self.race
        race.kind[piece] = kind
        race.x[piece], race.y[piece], race.heading[piece] = pose
        race.half_long[piece], race.half_wide[piece] = size or SIZES[kind]
        if piece < 12:
            race.chariots = max(race.chariots, piece + 1)
        near = pose[0] - self.edition.line[0] if way is None else way
        race.way[piece] = self.ask("progress", pose[0], pose[1], int(near))

    def block(self, n: int, pose: tuple[int, int, int], size: tuple[int, int], low: int = 0, fixed: int = 0) -> None:
        self.edition.ob_low[0, n], self.edition.ob_fixed[0, n] = low, fixed
        self.put(OBSTACLE + n, BLOCK, pose, size=size)

    def pose(self, piece: int) -> tuple[int, int, int]:
        return int(self.race.x[piece]), int(self.race.y[piece]), int(self.race.heading[piece])

    def base(self, piece: int) -> tuple[int, int, int, int, int]:
        return *self.pose(piece), int(self.race.half_long[piece]), int(self.race.half_wide[piece])

    def way_free(self, piece: int, direction: int, most: int, passing: int = 0) -> tuple[int, int]:
        return self.ask("way_free", piece, *self.pose(piece), direction, most, passing)  # type: ignore[no-any-return]

    def pivot_free(self, piece: int, ahead: int, left: int, angle: int, passing: int = 0) -> int:
        return self.ask("pivot_free", piece, *self.pose(piece), ahead, left, angle, passing)  # type: ignore[no-any-return]


def circus() -> World:
    return World(CIRCUS, 800, 1000, True)


def winding() -> World:
    return World(WINDING, 600, 1000, False)


def plain() -> World:
    """A straight so wide that no wall is within reach."""
    return World(PLAIN, 30000, 30000, False)


# --- the second implementation --------------------------------------------------------------------------------------


def corners(x: Any, y: Any, heading: Any, half_long: float, half_wide: float) -> Floats:
    """Corners of bases, (..., 4, 2)."""
    angle = np.asarray(heading, float) * math.pi / 1800
    ahead = np.array([half_long, half_long, -half_long, -half_long])
    left = np.array([half_wide, -half_wide, -half_wide, half_wide])
    c, s = np.cos(angle)[..., None], np.sin(angle)[..., None]
    px = np.asarray(x, float)[..., None] + ahead * c - left * s
    return np.stack([px, np.asarray(y, float)[..., None] + ahead * s + left * c], -1)


def polygon(base: tuple[int, int, int, int, int]) -> Any:
    return shapely.Polygon(corners(*base))


def separations(many: Floats, one: Floats) -> Floats:
    """Axis separations of many rectangles from one, given by their corners: projections on all edge directions."""
    best = np.full(len(many), -np.inf)
    for a, b in ((0, 1), (1, 2)):
        for edges in (many[:, b] - many[:, a], np.broadcast_to(one[b] - one[a], (len(many), 2))):
            axes = edges / np.linalg.norm(edges, axis=1, keepdims=True)
            mine = np.einsum("nij,nj->ni", many, axes)
            theirs = np.einsum("ij,nj->ni", one, axes)
            apart = np.maximum(mine.min(1) - theirs.max(1), theirs.min(1) - mine.max(1))
            best = np.maximum(best, apart)
    return best


def centre_points(line: CentreLine, s: Floats) -> tuple[Floats, Floats]:
    """Points of the centre line and its headings in radians, by exact arcs from the table's own first points."""
    i = np.clip(np.searchsorted(line.s, s, side="right") - 1, 0, len(line.x) - 1)
    along = s - np.array(line.s)[i]
    heading = np.array(line.heading)[i] * math.pi / 1800
    radius = np.array(line.radius, float)[i]
    bent = radius != 0
    length = np.diff(line.s)[i]
    turn = np.where(bent, np.sign(radius) * np.array(line.angle)[i] * math.pi / 1800 * along / length, 0.0)
    x = np.array(line.x)[i] + along * np.cos(heading)
    y = np.array(line.y)[i] + along * np.sin(heading)
    now = heading + turn
    x = np.where(bent, np.array(line.cx)[i] + radius * np.sin(now), x)
    y = np.where(bent, np.array(line.cy)[i] - radius * np.cos(now), y)
    return np.stack([x, y], -1), now


class Corridor:
    """The track between its walls near one place, as Shapely sees it."""

    def __init__(self, world: World, way: int, before: int = 1500, behind: int = 2500) -> None:
        line = world.line
        first = float(way + world.edition.line[0])
        s = np.arange(first - before, first + behind, 6.0)
        joints = np.array(line.s, float)
        if world.edition.closed[0]:
            s %= line.length
        else:
            s = np.unique(np.concatenate([s, joints[(joints > s[0]) & (joints < s[-1])]]))
        points, heading = centre_points(line, s)
        across = np.stack([-np.sin(heading), np.cos(heading)], -1) * world.half_width
        left, right = points + across, points - across
        edges = shapely.MultiLineString([left, right])
        self.edges = shapely.simplify(edges, 0.004)
        quads = np.stack([left[:-1], right[:-1], right[1:], left[1:]], 1)
        pieces = shapely.make_valid(shapely.polygons(quads))
        self.inside = shapely.simplify(shapely.union_all(pieces).buffer(0.01), 0.004)
        shapely.prepare(self.edges)

    def separations(self, rectangles: Floats) -> Floats:
        """Gap to the nearer edge of each rectangle; how far it sticks out, negative, where it crosses one."""
        gaps = np.atleast_1d(shapely.distance(shapely.polygons(rectangles), self.edges))
        for n in np.flatnonzero(gaps == 0):
            ring = shapely.segmentize(shapely.LinearRing(rectangles[n]), 2.0)
            away = shapely.distance(shapely.points(shapely.get_coordinates(ring)), self.inside)
            gaps[n] = -away.max()
            if gaps[n] < -5:
                gaps[n:] = np.where(gaps[n:] == 0, gaps[n], gaps[n:])  # what comes behind the hit does not matter
                break
        return gaps
