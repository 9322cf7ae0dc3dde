"""Numbers, poses and the distances between bases (N1, N2, N4, N7), compared with Shapely."""

from __future__ import annotations

import hashlib
import math

import numpy as np
import pytest
import shapely
from geometry_worlds import UNIT, corners, plain, polygon, separations
from hypothesis import given, settings
from hypothesis import strategies as st

from spina.games.chariotmaster.components.centre_line import Arc, Straight, arc_length, lay_out
from spina.games.chariotmaster.rules.cosines import COSINES, QUARTER
from spina.games.chariotmaster.rules.record import CENTRE, FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT

WORLD = plain()
ask = WORLD.ask
HASH = "6c13c7308856348f90c58b58edef242458487324572909766e77436578e1a4e2"
FEW = settings(max_examples=150, deadline=None, derandomize=True)
places = st.integers(-20000, 20000)
angles = st.integers(0, 3599)
halves = st.integers(20, 400)
bases = st.tuples(places, places, angles, halves, halves)
close = st.integers(-700, 700)


def test_m1_n1_the_table_of_cosines_is_the_one_that_was_made() -> None:
    assert hashlib.sha256(",".join(map(str, QUARTER)).encode()).hexdigest() == HASH
    assert len(COSINES) == 3600 and COSINES.dtype == np.int64


def test_m1_n1_the_table_of_cosines_is_right_all_round() -> None:
    true = np.cos(np.arange(3600) * math.pi / 1800) * UNIT
    assert np.abs(COSINES - true).max() < 0.5001
    assert COSINES[600] == UNIT // 2 and COSINES[900] == 0 and COSINES[1800] == -UNIT


def test_n1_sine_and_cosine_take_any_angle() -> None:
    assert ask("sine", 900) == ask("cosine", 3600) == ask("sine", -2700) == UNIT
    assert ask("sine", -300) == ask("cosine", 1200) == ask("cosine", -4800) == -UNIT // 2


def test_n3_directions_of_vectors() -> None:
    rng = np.random.default_rng(1)
    for x, y in rng.integers(-60000, 60001, (500, 2)):
        if x or y:
            true = math.atan2(y, x) * 1800 / math.pi
            assert abs((ask("direction_of", int(x), int(y)) - true + 1800) % 3600 - 1800) <= 0.501
    assert [ask("direction_of", *v) for v in ((5, 0), (0, 5), (-5, 0), (0, -5), (7, -7))] == [0, 900, 1800, 2700, 3150]


def test_m1_n2_points_moves_and_pivots_by_hand() -> None:
    assert ask("point", 1000, 2000, 900, 200, 100) == (900, 2200)
    assert ask("translated", 1000, 2000, 300, 100) == (1087, 2050)
    assert ask("translated", 0, 0, 1800 + 300, 100) == (-87, -50)
    assert ask("pivoted", 0, 0, 0, 200, 100, 900) == (300, -100, 900)
    assert ask("pivoted", 0, 0, 100, 0, 0, -200) == (0, 0, 3500)


def test_m15_the_five_points_of_a_pivot() -> None:
    named = {CENTRE: (0, 0), FRONT_LEFT: (200, 100), FRONT_RIGHT: (200, -100), REAR_LEFT: (-200, 100)}
    named[REAR_RIGHT] = (-200, -100)
    assert {point: ask("pivot_point", 200, 100, point) for point in named} == named


@FEW
@given(places, places, angles, st.integers(-400, 400), st.integers(-400, 400), st.integers(-1800, 1800))
def test_n2_a_pivot_leaves_its_point_where_it_is(x: int, y: int, h: int, ahead: int, left: int, angle: int) -> None:
    turned = ask("pivoted", x, y, h, ahead, left, angle)
    before, after = ask("point", x, y, h, ahead, left), ask("point", *turned, ahead, left)
    assert math.dist(before, after) < 2.2
    back = ask("pivoted", *turned, ahead, left, -angle)
    assert math.dist(back[:2], (x, y)) < 1.5 and back[2] == h


@FEW
@given(bases, close, close, angles, halves, halves)
def test_n4_separations_are_those_of_projected_corners(
    a: tuple, dx: int, dy: int, h: int, long: int, wide: int
) -> None:
    b = (a[0] + dx, a[1] + dy, h, long, wide)
    true = separations(corners(*a)[None], corners(*b))[0]
    assert ask("separation", *a, *b) / UNIT == pytest.approx(true, abs=1e-4)
    assert ask("separation", *b, *a) == ask("separation", *a, *b)


@FEW
@given(bases, close, close, angles, halves, halves)
def test_n4_n7_overlaps_and_gaps_are_those_of_shapely(a: tuple, dx: int, dy: int, h: int, long: int, wide: int) -> None:
    b = (a[0] + dx, a[1] + dy, h, long, wide)
    one, other = polygon(a), polygon(b)
    gap = one.distance(other)
    apart = ask("separation", *a, *b) / UNIT
    assert apart <= gap + 1e-3
    if abs(apart) > 1e-3:
        assert (apart < 0) == one.intersects(other)
    assert math.sqrt(ask("gap_squared", *a, *b)) / 1024 == pytest.approx(gap, abs=0.01)
    if abs(gap - 20) > 0.01:
        assert ask("near", *a, *b) == (gap < 20)


@FEW
@given(bases, close, close, angles, places, places)
def test_n4_separations_do_not_depend_on_the_place(a: tuple, dx: int, dy: int, h: int, far: int, off: int) -> None:
    b = (a[0] + dx, a[1] + dy, h, 200, 100)
    moved = [(base[0] + far, base[1] + off, *base[2:]) for base in (a, b)]
    assert ask("separation", *a, *b) == ask("separation", *moved[0], *moved[1])


@FEW
@given(bases, close, close, angles, angles)
def test_n4_separations_do_not_depend_on_the_way_one_looks(a: tuple, dx: int, dy: int, h: int, turn: int) -> None:
    b = (a[0] + dx, a[1] + dy, h, 200, 100)
    x, y = ask("point", a[0], a[1], turn, dx, dy)
    first, second = (a[0], a[1], a[2] + turn, a[3], a[4]), (x, y, h + turn, 200, 100)
    assert abs(ask("separation", *a, *b) - ask("separation", *first, *second)) < UNIT


def test_n4_grazing_and_corner_to_corner() -> None:
    chariot = (0, 0, 0, 200, 100)
    assert ask("separation", *chariot, 400, 0, 0, 200, 100) == 0
    assert ask("separation", *chariot, 401, 200, 0, 200, 100) == UNIT
    assert ask("separation", *chariot, 399, 200, 0, 200, 100) == 0
    assert ask("separation", *chariot, 400, 200, 0, 200, 100) == 0  # corner on corner
    assert ask("separation", *chariot, 399, 199, 0, 200, 100) == -UNIT
    assert ask("separation", *chariot, 0, 300, 900, 200, 100) == 0
    tip = ask("separation", *chariot, 0, 242, 450, 100, 100)  # a corner that points at the side: 100 + 141.4
    assert tip / UNIT == pytest.approx(242 - 100 - 100 * math.sqrt(2), abs=1e-5)


def test_m4_n7_a_touch_is_two_millimetres_also_across_corners() -> None:
    chariot = (0, 0, 0, 200, 100)
    assert ask("near", *chariot, 420, 0, 0, 200, 100) and not ask("near", *chariot, 421, 0, 0, 200, 100)
    assert ask("near", *chariot, 412, 216, 0, 200, 100)  # 12, 16: exactly 20 across the corner
    assert not ask("near", *chariot, 413, 216, 0, 200, 100)
    assert ask("gap_squared", *chariot, 412, 216, 0, 200, 100) == 400 << 20


def test_crossing_bases_overlap_although_no_corner_lies_inside() -> None:
    assert ask("gap_squared", 0, 0, 0, 400, 50, 0, 0, 900, 400, 50) == 0
    assert shapely.intersects(polygon((0, 0, 0, 400, 50)), polygon((0, 0, 900, 400, 50)))


def test_m3_n3_the_circus_is_laid_out() -> None:
    line = lay_out([Straight(5000), Arc(1400, 1800, True), Straight(5000), Arc(1400, 1800, True)])
    assert line.length == 18796 and line.s == [0, 5000, 9398, 14398, 18796]
    assert line.end == (0, 0, 0)
    assert list(zip(line.cx, line.cy, strict=True)) == [(0, 0), (5000, 1400), (0, 0), (0, 1400)]
    assert line.radius == [0, 1400, 0, 1400] and line.angle == [0, 1800, 0, 1800]


def test_m3_n3_right_turns_and_odd_angles_are_laid_out() -> None:
    line = lay_out([Arc(1000, 900, False), Straight(500), Arc(1000, 300, True)])
    assert (line.cx[0], line.cy[0]) == (0, -1000) and (line.x[1], line.y[1], line.heading[1]) == (1000, -1000, 2700)
    assert line.end == (1134, -2000, 3000)
    assert line.s == [0, 1571, 2071, 2595] and arc_length(1000, 300) == 524
