"""How pieces meet: parts, contacts, alignment, what an attack reaches, and places for drivers (C3, B1-B3, A1, X6)."""

from __future__ import annotations

import numpy as np
import pytest
from geometry_worlds import UNIT, World, circus, plain

from spina.games.chariotmaster.rules.record import (
    BODY,
    CHARIOT,
    DRAGGING,
    DRIVER,
    DRIVER_OF,
    FRONT,
    HORSES,
    MAN,
    NOTHING,
    OBSTACLE,
    TEAM,
    WALL,
    WHOLE,
    WRECK,
    WRECK_OF,
)

LEFT, RIGHT = 0, 1


def pair(mine: int, theirs: int) -> int:
    return 1 << (mine * 4 + theirs)


@pytest.fixture
def world() -> World:
    return plain()


# --- moves by hand --------------------------------------------------------------------------------------------------


def test_m4_n5_a_mover_rests_a_tenth_of_a_millimetre_before_what_it_hits(world: World) -> None:
    world.put(0, CHARIOT, (0, 0, 0))
    world.put(1, CHARIOT, (1000, 0, 0))
    assert world.way_free(0, 0, 1500) == (599, 602)
    assert world.way_free(0, 0, 601) == (599, NOTHING)  # near, but not hit: it still rests clear
    assert world.way_free(0, 0, 500) == (500, NOTHING)
    assert world.way_free(0, 0, 1500, passing=1 << 1) == (1500, NOTHING)
    assert world.way_free(0, 900, 1500) == (1500, NOTHING)
    assert world.ask("hit_at_pose", 0, 0, 0, 0, 602, 0, 0, 0) == 1 << 1
    assert world.ask("hit_at_pose", 0, 0, 0, 0, 601, 0, 0, 0) == 0
    assert world.ask("is_clear", 0, 599, 0, 0, 0) and not world.ask("is_clear", 0, 600, 0, 0, 0)
    assert world.ask("is_clear", 0, 600, 0, 0, 1 << 1)


def test_m4_n6_what_overlaps_at_the_start_is_hit_only_when_it_gets_deeper(world: World) -> None:
    world.put(0, CHARIOT, (0, 0, 0))
    world.put(1, CHARIOT, (395, 0, 0))  # 5 units inside
    assert world.way_free(0, 0, 300) == (0, 1)
    assert world.way_free(0, 1800, 300) == (300, NOTHING)
    assert world.way_free(0, 900, 150) == (150, NOTHING)
    assert world.ask("hit_at_pose", 0, 0, 0, 0, 0, 10, 0, 0) == 0


def test_m4_c2_everything_hit_at_one_step_is_named(world: World) -> None:
    world.put(0, CHARIOT, (0, 0, 0))
    world.put(1, CHARIOT, (800, 130, 0))
    world.put(2, CHARIOT, (800, -130, 0))
    rest, hit = world.way_free(0, 0, 1500)
    assert (rest, hit) == (399, 402)
    assert world.ask("hit_at_pose", 0, 0, 0, 0, hit, 0, 0, 0) == 0b110


def test_m3_m4_a_wall_is_hit_and_named() -> None:
    world = circus()
    world.put(0, CHARIOT, (2500, 0, 900))
    rest, hit = world.way_free(0, 900, 1500)
    assert (rest, hit) == (599, 602)
    assert world.ask("hit_at_pose", 0, 2500, 0, 900, 2500, hit, 900, 0) == 1 << WALL
    assert world.way_free(0, 900, 1500, passing=1 << WALL) == (1500, NOTHING)


def test_m15_n5_a_pivot_stops_before_its_neighbour(world: World) -> None:
    world.put(0, CHARIOT, (0, 0, 0))
    world.put(1, CHARIOT, (0, 250, 0))
    free = world.pivot_free(0, 0, 0, 900)
    assert 0 < free < 300
    for turn in range(free + 1):
        assert world.ask("separation", 0, 0, turn, 200, 100, *world.base(1)) >= UNIT
    assert world.ask("separation", 0, 0, free + 1, 200, 100, *world.base(1)) < UNIT
    assert world.pivot_free(0, 0, 0, -900) == free  # it swings as far to the other side
    assert world.pivot_free(0, 200, -100, -100) < 100 <= world.pivot_free(0, 200, 100, 100)
    assert world.pivot_free(0, 0, 0, 0) == 0


def test_m5_low_and_fixed_things(world: World) -> None:
    world.put(0, CHARIOT, (0, 0, 0))
    world.put(WRECK_OF, WRECK, (1000, 0, 0))
    world.put(DRIVER_OF, DRIVER, (2000, 0, 0))
    world.block(0, (3000, 0, 0), (50, 50), low=1)
    world.block(1, (4000, 0, 0), (50, 50), fixed=1)
    things = (0, WRECK_OF, DRIVER_OF, OBSTACLE, OBSTACLE + 1, WALL)
    assert [bool(world.ask("is_low", thing)) for thing in things] == [False, True, False, True, False, False]
    assert [bool(world.ask("is_fixed", thing)) for thing in things] == [False, False, False, False, True, True]


# --- parts ----------------------------------------------------------------------------------------------------------


def test_c3_parts_that_meet(world: World) -> None:
    world.put(0, CHARIOT, (0, 0, 0))
    world.put(1, CHARIOT, (1000, 0, 0))
    assert world.ask("parts_at", 0, 602, 0, 0, 1) == pair(HORSES, BODY)
    assert world.ask("parts_at", 0, 1398, 0, 0, 1) == pair(BODY, HORSES)
    assert world.ask("parts_at", 0, 1000, 198, 0, 1) == pair(HORSES, HORSES) | pair(BODY, BODY)
    assert world.ask("parts_at", 0, 1050, 198, 0, 1) == pair(HORSES, HORSES) | pair(BODY, BODY) | pair(BODY, HORSES)
    assert world.ask("parts_at", 0, 0, 0, 0, 1) == pair(HORSES, BODY)  # nothing overlaps: the nearest pair
    world.put(2, DRAGGING, (0, 1000, 0))
    assert world.ask("parts_at", 0, -298, 1000, 0, 2) == pair(HORSES, MAN)
    assert world.ask("parts_at", 0, 240, 1190, 0, 2) == pair(BODY, HORSES)
    assert world.ask("parts_at", 0, -240, 1190, 0, 2) == pair(HORSES, MAN) | pair(HORSES, HORSES)
    world.put(3, TEAM, (0, 2000, 0))
    world.put(WRECK_OF, WRECK, (0, 3000, 0))
    world.put(DRIVER_OF, DRIVER, (0, 4000, 0))
    assert world.ask("parts_at", 3, -198, 3000, 0, WRECK_OF) == pair(HORSES, WHOLE)
    assert world.ask("parts_at", WRECK_OF, -148, 4000, 0, DRIVER_OF) == pair(WHOLE, MAN)


def test_c3_parts_that_meet_a_wall() -> None:
    world = circus()
    world.put(0, CHARIOT, (2500, 690, 0))
    assert world.ask("parts_at", 0, 2500, 702, 0, WALL) == pair(HORSES, WHOLE) | pair(BODY, WHOLE)
    assert world.ask("parts_at", 0, 2500, 602, 900, WALL) == pair(HORSES, WHOLE)
    assert world.ask("parts_at", 0, 2500, 602, 2700, WALL) == pair(BODY, WHOLE)


# --- contact, normal, alignment ---------------------------------------------------------------------------------------


def test_b1_contact_and_normal_by_hand(world: World) -> None:
    world.put(0, CHARIOT, (0, 0, 0))
    world.put(1, CHARIOT, (411, 50, 900))
    assert world.ask("normal", 0, 1) == 0 and world.ask("normal", 1, 0) == 1800
    assert world.ask("contact", 0, 1) == (200, 100)
    world.put(1, CHARIOT, (150, 330, 450))
    assert world.ask("contact", 0, 1) == (79, 100)  # beside the other's corner, on the left edge
    assert world.ask("normal", 0, 1) == 900
    world.put(1, CHARIOT, (0, -201, 0))
    assert world.ask("normal", 0, 1) == 2700


def test_b2_alignment_takes_the_least_turn_and_at_45_degrees_the_right(world: World) -> None:
    world.put(0, CHARIOT, (0, 0, 0))
    for other, turn in ((0, 0), (100, 100), (449, 449), (450, -450), (451, -449), (900, 0), (1700, -100), (3590, -10)):
        world.put(1, CHARIOT, (500, 0, other))
        assert world.ask("align_angle", 0, 1) == turn


def test_b2_alignment_with_a_wall() -> None:
    world = circus()
    world.put(0, CHARIOT, (2500, 600, 200))
    assert world.ask("align_angle", 0, WALL) == -200 and world.ask("normal", 0, WALL) == 900
    ahead, left = world.ask("contact", 0, WALL)
    assert (ahead, left) == (200, 100)


def test_b2_alignment_is_flush_and_overlaps_by_no_more_than_a_tenth_of_a_millimetre(world: World) -> None:
    rng = np.random.default_rng(4)
    flush = 0
    for _ in range(400):
        world.clear()
        heading = int(rng.integers(3600))
        world.put(0, CHARIOT, (0, 0, heading))
        x, y = world.ask("point", 0, 0, heading, 900, int(rng.integers(-350, 351)))
        world.put(1, CHARIOT, (x, y, int(rng.integers(3600))))
        rest, hit = world.way_free(0, heading, 1500)
        if hit == NOTHING:
            continue
        x, y = world.ask("translated", 0, 0, heading, rest)
        world.put(0, CHARIOT, (x, y, heading))
        turn = world.ask("align_angle", 0, 1)
        contact = world.ask("contact", 0, 1)
        free = world.pivot_free(0, *contact, turn)
        assert free <= abs(turn) <= 450
        pose = world.ask("pivoted", x, y, heading, *contact, free if turn > 0 else -free)
        assert world.ask("separation", *pose, 200, 100, *world.base(1)) > -UNIT
        if free == abs(turn):
            assert (pose[2] - world.race.heading[1]) % 900 == 0
            flush += 1
    assert flush > 150


# --- touching and attacks ---------------------------------------------------------------------------------------------


def test_m4_n7_touching_by_hand() -> None:
    world = circus()
    world.put(0, CHARIOT, (2500, 0, 0))
    world.put(1, CHARIOT, (2500, 220, 0))
    assert world.ask("touches", 0, 1) and not world.ask("touches_wall", 0)
    world.put(1, CHARIOT, (2500, 221, 0))
    assert not world.ask("touches", 0, 1)
    world.put(DRIVER_OF, DRIVER, (2500, 730, 0))
    assert world.ask("touches_wall", DRIVER_OF)
    world.put(DRIVER_OF, DRIVER, (2500, -729, 0))
    assert not world.ask("touches_wall", DRIVER_OF)


def test_a1_q7_sides_and_front_touch(world: World) -> None:
    world.put(0, CHARIOT, (0, 0, 0))
    world.put(1, CHARIOT, (-300, 220, 0))  # beside the body only
    assert world.ask("side_touch", 0, LEFT, 1, 0) and not world.ask("side_touch", 0, RIGHT, 1, 0)
    assert not world.ask("side_touch", 0, LEFT, 1, 1) and world.ask("side_touch", 1, RIGHT, 0, 1)
    assert world.ask("strip_parts", 0, LEFT, 1) == 0
    world.put(1, CHARIOT, (100, -215, 0))
    assert world.ask("side_touch", 0, RIGHT, 1, 0) and world.ask("side_touch", 0, RIGHT, 1, 1)
    assert world.ask("strip_parts", 0, RIGHT, 1) == (1 << HORSES) | (1 << BODY)
    world.put(1, CHARIOT, (250, -215, 0))
    assert world.ask("strip_parts", 0, RIGHT, 1) == 1 << BODY
    world.put(1, CHARIOT, (0, -221, 0))
    assert not world.ask("side_touch", 0, RIGHT, 1, 0)
    world.put(1, CHARIOT, (420, 150, 0))
    assert world.ask("front_touch", 0, 1) and not world.ask("front_touch", 1, 0)
    assert world.ask("strip_parts", 0, FRONT, 1) == 1 << BODY
    world.put(1, CHARIOT, (421, 150, 0))
    assert not world.ask("front_touch", 0, 1)


def test_a1_a2_the_axle_is_level_with_parts(world: World) -> None:
    """It lies 1 cm behind the middle and reaches 4.5 cm out."""
    world.put(0, CHARIOT, (0, 0, 0))
    both = (1 << HORSES) | (1 << BODY)
    for x, y, parts in (
        (0, 210, 1 << BODY), (-250, 210, 1 << HORSES), (-100, 210, both), (101, 210, 0), (-301, 210, 0),
        (0, 650, 1 << BODY), (0, 651, 0),
    ):  # fmt: skip
        world.put(1, CHARIOT, (x, y, 0))
        assert world.ask("level_parts", 0, LEFT, 1) == parts, (x, y)
        assert world.ask("level_parts", 0, RIGHT, 1) == 0
    world.put(1, CHARIOT, (-100, -320, 2700))  # its rear towards the axle
    assert world.ask("level_parts", 0, RIGHT, 1) == 1 << BODY
    world.put(1, CHARIOT, (-100, -320, 900))
    assert world.ask("level_parts", 0, RIGHT, 1) == 1 << HORSES
    world.put(1, DRAGGING, (-20, 210, 0))
    assert world.ask("level_parts", 0, LEFT, 1) == 1 << MAN


# --- places for drivers -----------------------------------------------------------------------------------------------


def test_x6_a_free_spot_is_taken_as_it_is(world: World) -> None:
    assert world.ask("free_spot", 50, 300, 40, 0, 0, 0) == (300, 40)


def test_x6_a_taken_spot_moves_outward_first(world: World) -> None:
    world.put(0, CHARIOT, (0, 0, 0))
    assert world.ask("free_spot", 50, 0, 100, 900, 0, 0) == (0, 160)  # 151 needed, in whole millimetres
    assert world.ask("free_spot", 50, 0, -100, 900, 0, 0) == (-23, -155)  # outward is further: in the ring of 6 mm
    assert world.ask("free_spot", 50, 0, 100, 900, 0, 1) == (0, 100)


def test_x6_a_free_spot_lies_inside_the_walls() -> None:
    world = circus()
    assert world.ask("free_spot", 50, 2500, 790, 900, 1500, 0) == (2481, 744)  # in the ring of 5 mm
    rng = np.random.default_rng(7)
    for _ in range(60):
        way, off = int(rng.integers(0, 18796)), int(rng.integers(-900, 901))
        world.clear()
        world.put(0, CHARIOT, world.ask("at", way, off // 2), way)
        x, y, _ = world.ask("at", way, off)
        px, py = world.ask("free_spot", 50, x, y, int(rng.integers(3600)), way, 0)
        world.put(DRIVER_OF, DRIVER, (px, py, 0), way)
        assert world.ask("is_clear", DRIVER_OF, px, py, 0, 0)


# --- along the track --------------------------------------------------------------------------------------------------


def test_following_goes_round_the_bend() -> None:
    world = circus()
    world.put(0, TEAM, world.ask("at", 3000, 0), 3000)
    assert world.ask("follow", 0, 3000, 0, 6000, 0) == (6000, NOTHING)
    world.put(1, CHARIOT, world.ask("at", 6200, 0), 6200)
    rest, hit = world.ask("follow", 0, 3000, 0, 6000, 0)
    assert 3200 - 330 < rest < hit < 3200 - 300
    assert world.ask("is_clear", 0, *world.ask("at", 3000 + rest, 0), 0)
    assert world.ask("follow", 0, 3000, 0, 6000, 1 << 1) == (6000, NOTHING)
    assert world.ask("follow", 0, 3000, 400, 6000, 0) == (6000, NOTHING)


def test_shifting_needs_the_whole_way_across() -> None:
    world = circus()
    world.put(0, TEAM, world.ask("at", 3000, 500), 3000)
    assert world.ask("shift_free", 0, 3000, 500, -500, 0) == 1
    world.put(1, CHARIOT, world.ask("at", 3000, 0), 3000)
    assert world.ask("shift_free", 0, 3000, 500, -500, 0) == 0
    assert world.ask("shift_free", 0, 3000, 500, 201, 0) == 1
    assert world.ask("shift_free", 0, 3000, 500, 200, 0) == 0
    assert world.ask("shift_free", 0, 3000, 500, 699, 0) == 1
    assert world.ask("shift_free", 0, 3000, 500, 700, 0) == 0
