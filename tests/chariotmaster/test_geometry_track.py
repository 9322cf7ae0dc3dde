"""Progress along the centre line and the walls beside it (M3, N3, E3, E6)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from geometry_worlds import UNIT, Corridor, circus, corners, winding

from spina.games.chariotmaster.rules.record import CHARIOT

CIRCUS, WINDING = circus(), winding()


def test_places_of_the_circus_by_hand() -> None:
    at = CIRCUS.ask
    assert at("at", 0, 0) == (1000, 0, 0)  # the starting line
    assert at("at", 0, 300) == (1000, 300, 0)
    assert at("at", 4000 + 2199, 0) == (6400, 1400, 900)  # half way round the first bend
    assert at("at", 4000 + 2199, -500) == (6900, 1400, 900)
    assert at("at", 9398, 100) == (4000, 2700, 1800)
    assert at("at", 18796, 0) == (1000, 0, 0)
    assert at("at", -1200, 0) == at("at", 18796 - 1200, 0)


@pytest.mark.parametrize("world", [CIRCUS, WINDING])
def test_progress_finds_what_at_was_asked_for(world) -> None:
    rng = np.random.default_rng(2)
    length, line = world.line.length, int(world.edition.line[0])
    for _ in range(600):
        way = int(rng.integers(-line, length - line))
        off = int(rng.integers(-world.half_width + 50, world.half_width - 50))
        x, y, _ = world.ask("at", way, off)
        found = world.ask("progress", x, y, way + int(rng.integers(-800, 801)))
        radius = min((abs(r) for r in world.line.radius if r), default=1000)
        assert abs(found - way) <= 1 + radius / (radius - abs(off)), (way, off)
        assert abs(world.ask("offset", x, y, way) - off) <= 1


def test_e6_progress_is_unwrapped_over_the_laps() -> None:
    way = -500
    for step in range(400):
        x, y, _ = CIRCUS.ask("at", -500 + step * 131, 0)
        way = CIRCUS.ask("progress", x, y, way)
        assert abs(way - (-500 + step * 131)) <= 1
    assert way > 2.7 * 18796
    for step in range(400, 0, -1):
        x, y, _ = CIRCUS.ask("at", -500 + step * 131 - 131, 0)
        way = CIRCUS.ask("progress", x, y, way)
    assert abs(way + 500) <= 1


def test_progress_stays_on_its_own_straight() -> None:
    assert CIRCUS.ask("progress", 2500, 1450, 1500) == 1500  # beyond the middle, but the other straight is far on
    assert CIRCUS.ask("progress", 2500, 1450, 10900) == 4000 + 4398 + 2500
    assert CIRCUS.ask("progress", 2500, 1450, 10900 - 18796) == 10898 - 18796


def test_an_open_course_goes_straight_on_at_both_ends() -> None:
    assert WINDING.ask("at", -1500, 20) == (-500, 20, 0)
    assert WINDING.ask("progress", -500, 30, -1400) == -1500
    x, y, heading = WINDING.line.end
    beyond = WINDING.ask("translated", x, y, heading, 700)
    end = WINDING.line.length - 1000
    assert WINDING.ask("at", end + 700, 0)[2] == heading
    assert math.dist(WINDING.ask("at", end + 700, 0)[:2], beyond) < 2
    assert abs(WINDING.ask("progress", *beyond, end) - end - 700) <= 1
    assert WINDING.ask("wall_separation", -3000, 0, 0, 200, 100, -3900) == 500 * UNIT


@pytest.mark.slow
@pytest.mark.parametrize("world", [CIRCUS, WINDING])
def test_wall_separations_are_those_of_shapely(world) -> None:
    rng = np.random.default_rng(3)
    line = int(world.edition.line[0])
    outside = 0
    for way in range(500 - line, world.line.length - line - 500, 230):
        corridor = Corridor(world, way, 1300, 1300)
        for _ in range(3):
            off = int(rng.integers(-world.half_width, world.half_width + 1))
            x, y, heading = world.ask("at", way, off)
            heading = int(heading + rng.integers(-1800, 1800)) % 3600
            true = corridor.separations(corners(x, y, heading, 200, 100)[None])[0]
            if true < -60:
                continue  # so far out that inner walls are overlapped as a whole
            found = world.ask("wall_separation", x, y, heading, 200, 100, way + int(rng.integers(-100, 101))) / UNIT
            # joints are rounded to whole units, and so is the place of an arc's centre
            assert found == pytest.approx(true, abs=0.03 if world is CIRCUS else 1.5), (way, off, heading)
            outside += found < 0
    assert outside > 8


def test_walls_of_a_straight_by_hand() -> None:
    gap = CIRCUS.ask("wall_separation", 2500, 300, 0, 200, 100, 1500)
    assert gap == (800 - 300 - 100) * UNIT
    for place, side, normal in (((2500, 300, 0), 1, 900), ((2500, -300, 1800), -1, 2700)):
        assert CIRCUS.ask("wall_side", *place, 200, 100, 1500) == side
        assert CIRCUS.ask("wall_normal", *place, 200, 100, 1500) == normal
        assert CIRCUS.ask("wall_tangent", *place, 200, 100, 1500) == 0
    assert CIRCUS.ask("wall_separation", 2500, 1400, 0, 200, 100, 1500) == -700 * UNIT  # between the straights


def test_walls_of_a_bend_by_hand() -> None:
    way = 4000 + 2199
    outer = (7050, 1400, 900, 200, 100, way)
    true = 2200 - math.hypot(2150, 200)
    assert CIRCUS.ask("wall_separation", *outer) / UNIT == pytest.approx(true, abs=0.01)
    assert CIRCUS.ask("wall_side", *outer) == -1
    corner = math.degrees(math.atan2(200, 2150)) * 10  # front and rear corner are as near: either may be named
    assert CIRCUS.ask("wall_normal", *outer) in (round(corner), round(3600 - corner))
    inner = (5750, 1400, 900, 200, 100, way)
    assert CIRCUS.ask("wall_separation", *inner) == 50 * UNIT
    assert CIRCUS.ask("wall_side", *inner) == 1
    assert CIRCUS.ask("wall_normal", *inner) == 1800 and CIRCUS.ask("wall_tangent", *inner) == 900


def test_the_other_leg_of_a_hairpin_is_no_wall_and_no_way_out() -> None:
    """The tight hairpin turns about a wall of 300: its legs lie closer together than a chariot is long."""
    first = WINDING.line.s[4] - 1000
    assert WINDING.line.radius[4] == 750
    x, y, heading = WINDING.ask("at", first - 250, 450)
    assert WINDING.ask("wall_separation", x, y, heading, 200, 100, first - 250) / UNIT == pytest.approx(50, abs=1)
    x, y, heading = WINDING.ask("at", first - 250, 1050)  # across the wall, in the other leg
    assert WINDING.ask("wall_separation", x, y, heading, 200, 100, first - 250) < -500 * UNIT
    other = WINDING.line.s[5] - 1000 + 250
    assert WINDING.ask("wall_separation", x, y, heading, 200, 100, other) > 0


def test_e3_the_front_corner_crosses_the_line_first() -> None:
    world = circus()
    world.put(0, CHARIOT, (790, 0, 0))
    assert world.race.way[0] == -210 and world.ask("corner_progress", 0) == -10
    world.put(0, CHARIOT, (790, 0, 100), -210)
    assert world.ask("corner_progress", 0) == -210 + round(200 * math.cos(math.pi / 18) + 100 * math.sin(math.pi / 18))
    world.put(0, CHARIOT, (790, 0, 0), 18796 - 210)
    assert world.ask("corner_progress", 0) == 18786
