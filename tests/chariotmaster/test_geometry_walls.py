"""Moves along the walls of random tracks: the shortcuts find what measuring every step finds (M4, N4-N6)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from geometry_worlds import UNIT, Corridor, World, corners
from random_tracks import random_world

from spina.games.chariotmaster.rules.motions import FOLLOW, HIT, SHIFT, SLIDE, TURN
from spina.games.chariotmaster.rules.record import CHARIOT, DRIVER, NOTHING, TEAM

CASES = 10_000
A_TRACK = 50
"""Cases on every track."""
SEEN = 80
"""Number of tracks that are compared with Shapely."""
FARTHEST = 5110
"""Units: more than any sub-move."""


class Case:
    """One base somewhere on a track, not in its walls, often close to one."""

    def __init__(self, world: World, half_wide: int, rng: np.random.Generator) -> None:
        self.world, self.rng = world, rng
        world.clear()
        self.kind = int(rng.choice([CHARIOT, CHARIOT, TEAM, DRIVER]))
        self.half_long = {CHARIOT: 2 * half_wide, TEAM: half_wide, DRIVER: half_wide // 2}[self.kind]
        self.half_wide = half_wide // 2 if self.kind == DRIVER else half_wide
        while not self.stand():
            pass
        world.put(0, self.kind, self.pose, self.way, (self.half_long, self.half_wide))

    def stand(self) -> bool:
        """Choose a place and a heading; returns whether the base can stand there, and along the track too."""
        world, rng = self.world, self.rng
        ends = 0 if world.edition.closed[0] else 400
        self.way = int(rng.integers(-ends, world.line.length + ends)) - int(world.edition.line[0])
        room = world.half_width - self.half_wide
        self.off = int(rng.choice([rng.integers(-room, room + 1), room - 2, 2 - room]))
        x, y, tangent = self.along = world.ask("at", self.way, self.off)
        turned = int(rng.choice([0, rng.normal(0, 150), rng.integers(-1800, 1800)]))
        self.pose = x, y, (tangent + turned) % 3600
        if abs(world.ask("progress", x, y, self.way) - self.way) > world.half_width:
            return False  # what goes on behind an open course's end crosses the course
        return all(
            world.ask("wall_separation", *pose, self.half_long, self.half_wide, self.way) >= HIT
            for pose in (self.pose, self.along)
        )

    def __repr__(self) -> str:
        line = self.world.line
        return f"{list(zip(line.s, line.radius, line.angle, strict=False))} +-{self.world.half_width}, {self.pose}"

    def by_step(self, pose: tuple[int, int, int], motion: tuple[int, int, int, int, int], most: int) -> tuple[int, int]:
        """`motion` is `field.Motion` without its speed."""
        found: tuple[int, int] = self.world.ask(
            "walls_by_step", self.way, *pose, self.half_long, self.half_wide, *motion, most
        )
        return found

    def most(self) -> int:
        return int(self.rng.choice([self.rng.integers(1, 400), self.rng.integers(1, 2500), FARTHEST]))

    def slide(self) -> bool:
        direction = int(self.pose[2] + self.rng.choice([0, 0, 900, -900, 1800, self.rng.integers(3600)])) % 3600
        most = self.most()
        found = self.world.way_free(0, direction, most)
        expected = self.by_step(self.pose, (SLIDE, direction, 0, 0, 0), most)
        assert found == expected, (self, "slide", direction, most, found, expected)
        return found[1] != NOTHING

    def turn(self) -> bool:
        point = int(self.rng.integers(5))
        ahead, left = self.world.ask("pivot_point", self.half_long, self.half_wide, point)
        angle = int(self.rng.integers(-1800, 1801))
        found = self.world.pivot_free(0, ahead, left, angle)
        expected = self.by_step(self.pose, (TURN, 0, ahead, left, 1 if angle >= 0 else -1), abs(angle))
        assert found == expected[0], (self, "turn", point, angle, found, expected)
        return expected[1] != NOTHING

    def follow(self) -> bool:
        most = self.most()
        found = self.world.ask("follow", 0, self.way, self.off, most, 0)
        expected = self.by_step(self.along, (FOLLOW, 0, self.way, self.off, 0), most)
        assert found == expected, (self, "follow", self.off, most, found, expected)
        return bool(found[1] != NOTHING)

    def shift(self) -> bool:
        to = int(self.rng.integers(-self.world.half_width, self.world.half_width + 1))
        found = self.world.ask("shift_free", 0, self.way, self.off, to, 0)
        sign = 1 if to >= self.off else -1
        rest, hit = self.by_step(self.along, (SHIFT, 0, self.way, self.off, sign), abs(to - self.off))
        expected = hit == NOTHING and rest == abs(to - self.off)
        assert found == expected, (self, "shift", self.off, to, found, expected)
        return not expected


def cases(seed: int, count: int, a_track: int = A_TRACK) -> Iterator[Case]:
    rng = np.random.default_rng(seed)
    for _ in range(count // a_track):
        world, half_wide = random_world(rng)
        for _ in range(a_track):
            yield Case(world, half_wide, rng)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "least"), [("slide", 0.5), ("turn", 0.3), ("follow", 0.05), ("shift", 0.1)])
def test_m4_n4_n5_moves_find_the_walls_that_measuring_every_step_finds(kind: str, least: float) -> None:
    hits = sum(getattr(case, kind)() for case in cases(len(kind), CASES))
    assert hits > least * CASES  # there was something to find


@pytest.mark.slow
def test_e6_progress_is_what_a_look_at_every_segment_finds() -> None:
    """Points on the track, beside it and beyond its ends, some of them near joints."""
    rng = np.random.default_rng(6)
    moved = 0
    for _ in range(CASES // A_TRACK):
        world, _half_wide = random_world(rng)
        line, length = int(world.edition.line[0]), world.line.length
        for _ in range(A_TRACK):
            joint = int(rng.choice(world.line.s)) + int(rng.integers(-5, 6))
            way = int(rng.choice([joint, rng.integers(-400, length + 400)])) - line
            off = int(rng.choice([rng.uniform(-1, 1), rng.uniform(-1.5, 1.5)]) * world.half_width)
            x, y, _ = world.ask("at", way, off)
            old = way + int(rng.choice([rng.integers(-5, 6), rng.integers(-length // 3, length // 3 + 1)]))
            found = world.ask("progress", x, y, old)
            assert found == world.ask("progress_by_all", x, y, old), (world.line, way, off, old)
            moved += found != old
    assert moved > CASES // 2


@pytest.mark.slow
def test_n4_walls_of_tracks_at_random_are_where_shapely_sees_them() -> None:
    """Checks the measurement that the tests above use as their reference against Shapely."""
    near = 0
    for case in cases(11, SEEN, 1):
        x, y, heading = case.pose
        rectangle = corners(np.array([x]), np.array([y]), np.array([heading]), case.half_long, case.half_wide)
        seen = Corridor(case.world, case.way, 1500, 1500).separations(rectangle)[0]
        gap = case.world.ask("wall_separation", *case.pose, case.half_long, case.half_wide, case.way) / UNIT
        assert gap == pytest.approx(seen, abs=0.1) or max(gap, seen) < 0.1, (case, gap, seen)
        near += gap < 100
    assert near > SEEN // 4
