"""Random tracks as files may describe them: chicanes, hairpins, shortest segments, open and closed."""

from __future__ import annotations

import numpy as np
from geometry_worlds import World

from spina.games.chariotmaster.components.centre_line import Arc, Straight, arc_length, lay_out
from spina.games.chariotmaster.components.scenarios import CLOSING, HALF_CIRCLE, INNER
from spina.games.chariotmaster.components.track_checks import collision
from spina.games.chariotmaster.rules.record import CM, LANE_GAP

Segments = tuple[Straight | Arc, ...]

CHICANE = """format = 1
game = "chariotmaster"
name = "Chicane"

[scenario.chicane]
title = "Chicane"
course = "open"
width = 3
line = 10
run_out = 20
segments = ["straight 30", "left 5.1 60", "right 5.1 120", "left 5.1 60", "straight 60"]
"""
"""Behind the chicane the track goes on in line with the straight before it."""


def random_world(rng: np.random.Generator) -> tuple[World, int]:
    """A track that keeps clear of itself, and half the width of the chariots on it."""
    while True:
        half_wide = int(rng.choice([50, 100, 100, 100, 150]))
        half_width = int(half_wide * rng.uniform(1.6, 7))
        closed = bool(rng.random() < 0.4)
        course = closed_course if closed else open_course
        segments = course(rng, half_width, half_wide)
        if segments is None or not is_sound(segments, half_width, closed):
            continue
        return World(segments, half_width, 5 * CM, closed), half_wide


def is_sound(segments: Segments, half_width: int, closed: bool) -> bool:
    """Whether a file with this track would be read."""
    line = lay_out(segments)
    if closed and max(abs(line.end[0]), abs(line.end[1])) > CLOSING:
        return False
    return collision(line, 2 * half_width + LANE_GAP, closed) is None


def open_course(rng: np.random.Generator, half_width: int, half_wide: int) -> Segments:
    middle = [random_segment(rng, half_width, half_wide) for _ in range(int(rng.integers(2, 14)))]
    return Straight(int(rng.integers(8, 30)) * CM), *middle, Straight(int(rng.integers(8, 30)) * CM)


def closed_course(rng: np.random.Generator, half_width: int, half_wide: int) -> Segments | None:
    """A random half course that turns half a circle, used twice, which always closes."""
    half: list[Straight | Arc] = [Straight(int(rng.integers(8, 50)) * CM)]
    half += [random_segment(rng, half_width, half_wide) for _ in range(int(rng.integers(0, 6)))]
    turned = sum(part.angle if part.left else -part.angle for part in half if isinstance(part, Arc))
    missing = HALF_CIRCLE - turned
    if not 0 < missing <= HALF_CIRCLE:
        return None
    radius = random_radius(rng, half_width)
    if arc_length(radius - half_width + half_wide, missing) < half_wide:
        return None
    return (*half, Arc(radius, missing, True)) * 2


def random_radius(rng: np.random.Generator, half_width: int) -> int:
    """A random radius, from the least allowed one up."""
    return half_width + INNER + int(rng.choice([0, rng.exponential(300), rng.exponential(2000)]))


def random_segment(rng: np.random.Generator, half_width: int, half_wide: int) -> Straight | Arc:
    """A straight or an arc of any length, often the shortest allowed one."""
    if rng.random() < 0.35:
        return Straight(half_wide + int(rng.choice([0, rng.exponential(150), rng.exponential(1500)])))
    while True:
        angle = int(rng.choice([rng.integers(10, 300), rng.integers(10, 1801), 900, 1800]))
        arc = Arc(random_radius(rng, half_width), angle, bool(rng.random() < 0.5))
        if arc_length(arc.radius - half_width + half_wide, arc.angle) >= half_wide:
            return arc
