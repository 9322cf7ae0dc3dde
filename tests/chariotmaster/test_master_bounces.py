"""Bounces: the table row by row, directions, alignment, the rulebook's example (B1 to B7, B12)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from master_fights import (
    FIRST,
    FOOT,
    OBSTACLE,
    ONES,
    RACES,
    THE_WALL,
    WRECK,
    crash,
    edition_with,
    faces,
    let_fall,
    obstacle,
    pose,
    strike,
    walker,
    wreck,
)

from spina.games.chariotmaster.play.events import (
    Aligned,
    Bounced,
    Collided,
    Destroyed,
    DriverDied,
    Hits,
    Moved,
    RanThrough,
    TurnEnds,
)

if TYPE_CHECKING:
    from conftest import Table

AHEAD = {"progress": 170, "offset": 0}
"""A chariot with its body 30 mm in front of chariot 0; its place on the map is 270, 0."""
FACING = {**AHEAD, "heading": 180}
"""The same with its horses towards chariot 0."""
BESIDE = {"progress": 100, "offset": 21}
ORCS = {**RACES, "designs": ["tusker", "citizen"]}

# --- the bounce table: chariots -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "sixes", "structure", "their_sixes", "red", "white", "ends"),
    [
        pytest.param(-4, 0, 7, 4, -10, 21, True, id="minus-4"),
        pytest.param(-3, 0, 7, 3, -10, 21, True, id="minus-3"),
        pytest.param(-2, 0, 7, 2, 0, 21, True, id="minus-2"),
        pytest.param(-1, 0, 7, 1, 0, 21, True, id="minus-1"),
        pytest.param(0, 0, 7, 0, 0, 21, False, id="0"),
        pytest.param(1, 1, 7, 0, 0, 21, False, id="1"),
        pytest.param(2, 2, 7, 0, 0, 21, False, id="2"),
        pytest.param(3, 3, 7, 0, 0, 31, False, id="3"),
        pytest.param(4, 4, 7, 0, 0, 31, False, id="4"),
        pytest.param(5, 4, 5, 0, 20, 51, False, id="5"),
        pytest.param(6, 4, 3, 0, 20, 51, False, id="6"),
    ],
)
def test_bounce_table_of_a_ram(
    table: type[Table], value: int, sixes: int, structure: int, their_sixes: int, red: float, white: float, ends: bool
) -> None:
    """Red, with 2 + 2 dice, rams white on its left; a last die is for the table if a chariot is out of structure."""
    theirs = 4 if structure == 7 else 3 if structure == 5 else 2
    dice = (*faces(4, sixes), *faces(theirs, their_sixes), 1)
    t = strike(table, {**FIRST, "structure": 3}, {**BESIDE, "structure": structure}, dice=dice)
    t.play("ram white body", "bear it")
    assert t.one(Bounced).value == value
    assert pose(t, 0) == (200, red, 0)
    assert pose(t, 1) == (200, white, 0)
    assert bool(t.told(TurnEnds, 0)) == ends
    assert ends or (t.question, t.asked) == ("drive", 0)


@pytest.mark.parametrize(
    ("value", "sixes", "their_sixes", "red"),
    [
        pytest.param(-6, 0, 4, 219.9, id="minus-6"),
        pytest.param(-3, 0, 1, 219.9, id="minus-3"),
        pytest.param(-2, 0, 0, 229.9, id="minus-2"),
        pytest.param(-1, 1, 0, 229.9, id="minus-1"),
        pytest.param(0, 2, 0, 229.9, id="0"),
    ],
)
def test_bounce_table_of_a_collision_that_goes_ill(
    table: type[Table], value: int, sixes: int, their_sixes: int, red: float
) -> None:
    """Two horses against a body of 4; 1 cm back is the way it came (B4)."""
    t = crash(table, FIRST, {**AHEAD, "structure": 7}, dice=(*faces(2, sixes), *faces(4, their_sixes)))
    assert t.one(Bounced).value == value
    assert pose(t, 0) == (red, 0, 0)
    assert pose(t, 1) == (270, 0, 0)
    assert t.told(TurnEnds, 0)  # C4


@pytest.mark.parametrize(
    ("value", "sixes", "red", "white"),
    [(2, 0, 229.9, 270), (3, 1, 229.9, 280), (4, 2, 229.9, 280), (5, 3, 249.9, 300)],
)
def test_bounce_table_of_a_collision_that_goes_well(
    table: type[Table], value: int, sixes: int, red: float, white: float
) -> None:
    """A team of boars against a single horse."""
    t = crash(table, FIRST, {**FACING, "horses": 1}, dice=(*faces(3, sixes), 1), options=ORCS)
    assert t.one(Bounced).value == value
    assert pose(t, 0) == (red, 0, 0)
    assert pose(t, 1) == (white, 0, 180)


def test_the_impact_is_the_value_and_one_for_each_six(table: type[Table]) -> None:
    t = crash(table, FIRST, AHEAD, dice=(6, 5, 6, 6, 4))
    assert t.one(Hits) == Hits(0, hits=2, blows=3, impact=3, answer=5)
    assert t.one(Bounced).value == -2


# --- the bounce table: wrecks, drivers, obstacles, walls --------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "dice", "where", "destroyed"),
    [
        pytest.param(1, (1, 1, 1, 1, 1, 6, 6, 1), 21, False, id="1"),
        pytest.param(3, (1, 1, 1, 1, 1, 1, 1, 1), 31, False, id="3"),
        pytest.param(4, (6, 1, 1, 1, 1, 1, 1, 1), 31, False, id="4"),
        pytest.param(5, (6, 6, 1, 1, 1, 1, 1, 1), None, True, id="5"),
    ],
)
def test_b12_a_ram_at_a_wreck_uses_the_bounce_table(
    table: type[Table], value: int, dice: tuple[int, ...], where: float | None, destroyed: bool
) -> None:
    t = strike(table, FIRST, wreck(90, 21), dice=dice).play("ram wreck of white")
    bounced = t.one(Bounced)
    assert (bounced.value, bounced.target) == (value, WRECK + 1)
    assert t.told(RanThrough) == []
    assert bool(t.told(Destroyed)) == destroyed
    if where is not None:
        assert pose(t, WRECK + 1) == (190, where, 0)
    else:
        assert t.piece(WRECK + 1) is None
        assert t.told(Moved)[0].mm == 30  # thrown before it is destroyed


def test_b12_a_thrown_wreck_is_destroyed_after_all_that_it_causes(table: type[Table]) -> None:
    """It is thrown against blue (1 of 2 against 3), red follows, and then it is gone."""
    t = strike(table, FIRST, wreck(90, 21), {"progress": 100, "offset": 46}, dice=(6, 6, *[1] * 10))
    t.play("ram wreck of white")
    story = [type(event) for event in t.events if isinstance(event, Moved | Collided | Bounced | Destroyed)]
    assert story == [Collided, Bounced, Moved, Collided, Bounced, Moved, Destroyed]
    assert t.told(Moved)[-1].how == "follow"
    assert t.piece(WRECK + 1) is None


@pytest.mark.parametrize(
    ("value", "horses", "dice", "x"),
    [
        pytest.param(-1, 1, (1, 6), 260, id="minus-1"),
        pytest.param(0, 1, (1, 1), 260, id="0"),
        pytest.param(2, 2, (6, 1, 1), 260, id="2"),
        pytest.param(3, 2, (6, 6, 1), 270, id="3"),
    ],
)
def test_bounce_table_with_a_driver_on_foot(
    table: type[Table], value: int, horses: int, dice: tuple[int, ...], x: float
) -> None:
    t = crash(table, {**FIRST, "horses": horses}, walker(160), dice=dice)
    assert t.one(Bounced).value == value
    assert pose(t, FOOT + 1) == (x, 0, 0)
    assert pose(t, 0) == (234.9, 0, 0)


@pytest.mark.parametrize(
    ("value", "sixes", "their_sixes", "x"),
    [(-3, 0, 1, 219.9), (-2, 0, 0, 229.9), (0, 2, 0, 229.9)],
)
def test_bounce_table_with_a_fixed_obstacle(
    table: type[Table], value: int, sixes: int, their_sixes: int, x: float
) -> None:
    edition = edition_with(obstacle(160, 0, 4, "high, fixed"))
    t = crash(table, FIRST, dice=(*faces(2, sixes), *faces(4, their_sixes)), edition=edition)
    assert t.one(Bounced).value == value
    assert pose(t, 0) == (x, 0, 0)
    assert pose(t, OBSTACLE) == (260, 0, 0)


@pytest.mark.parametrize(
    ("value", "sixes", "their_sixes", "y"),
    [(-3, 0, 1, 59.9), (-2, 0, 0, 69.9), (0, 2, 0, 69.9)],
)
def test_bounce_table_with_a_wall(table: type[Table], value: int, sixes: int, their_sixes: int, y: float) -> None:
    """Skidding sideways, with the horses by lot."""
    dice = ((2, 0), *faces(2, sixes), *faces(4, their_sixes))
    t = crash(table, {"progress": 100, "offset": 60}, dice=dice, driving={"direction": 90})
    assert t.one(Collided).target == THE_WALL
    assert t.one(Bounced).value == value
    assert pose(t, 0) == (200, y, 0)


def test_b5_a_wall_does_not_move_and_nobody_follows_it(table: type[Table]) -> None:
    dice = ((2, 0), 6, 6, 1)
    t = crash(
        table, {"progress": 100, "offset": 60}, dice=dice, driving={"direction": 90}, edition=edition_with(wall=1)
    )
    assert t.one(Bounced).value == 3
    assert [moved.how for moved in t.told(Moved)] == ["skid"]


@pytest.mark.parametrize(("value", "sixes"), [(3, 1), (5, 3)])
def test_b5_a_fixed_obstacle_does_not_move_and_nobody_follows_it(table: type[Table], value: int, sixes: int) -> None:
    edition = edition_with(obstacle(160, 0, 1, "high, fixed"))
    t = crash(table, FIRST, AHEAD | {"progress": 300}, dice=(*faces(3, sixes), 1), edition=edition, options=ORCS)
    assert t.one(Bounced).value == value
    assert [moved.how for moved in t.told(Moved)] == ["skid"]


@pytest.mark.parametrize(
    ("value", "sixes", "stone", "red"), [(2, 0, 260, 229.9), (3, 1, 270, 229.9), (5, 3, 290, 249.9)]
)
def test_a_movable_obstacle_bounces_like_a_chariot(
    table: type[Table], value: int, sixes: int, stone: float, red: float
) -> None:
    edition = edition_with(obstacle(160, 0, 1, "high, movable"))
    t = crash(table, FIRST, AHEAD | {"progress": 300}, dice=(*faces(3, sixes), 1), edition=edition, options=ORCS)
    assert t.one(Bounced).value == value
    assert pose(t, OBSTACLE) == (stone, 0, 0)
    assert pose(t, 0) == (red, 0, 0)


# --- directions: B1, B4 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("heading", [0, 20, -30])
def test_b1_the_target_is_pushed_along_the_normal_not_along_the_movers_way(table: type[Table], heading: float) -> None:
    """Red drifts against white's straight front, whatever its own heading."""
    red = {**FIRST, "heading": heading}
    t = crash(table, red, {**FACING, "horses": 1}, dice=(6, 6, 1), driving={"direction": 10})
    assert t.one(Bounced).value == 3
    assert sum(aligned.degrees for aligned in t.told(Aligned)) == -heading
    assert pose(t, 1) == (280, 0, 180)


def test_b1_the_normal_of_the_initiators_own_side_turns_with_it(table: type[Table]) -> None:
    """White's corner meets red's front: red is laid flush with white, and pushes it at 20 degrees."""
    t = crash(table, FIRST, {**FACING, "heading": 200, "horses": 1}, dice=(6, 6, 1))
    assert (t.one(Bounced).value, t.one(Aligned).degrees) == (3, 20)
    assert pose(t, 1) == (279.4, 3.4, 200)


def test_b1_a_ram_pushes_along_the_side_of_the_aligned_attacker(table: type[Table]) -> None:
    """White stands 3 degrees aslant: red is laid flush with it, and pushes at 93 degrees."""
    t = strike(table, FIRST, {"progress": 100, "offset": 22, "heading": 3}, dice=(6, *[1] * 7))
    t.play("ram white body", "bear it")
    assert t.one(Bounced).value == 3
    assert t.one(Aligned).degrees == 3
    pushed = t.one(Moved, 1)
    assert (pushed.mm, pushed.x, pushed.y) == (10, 199.5, 32)


def test_b4_thrown_back_goes_the_way_it_came(table: type[Table]) -> None:
    """Red drifts at 20 degrees, is aligned already, and goes back at 200."""
    t = crash(table, FIRST, {**AHEAD, "structure": 7}, dice=(*ONES[:2], 6, 1, 1, 1), driving={"direction": 20})
    slid, back = t.told(Moved, 0)
    assert back.mm == 10
    assert (round(back.x - slid.x, 1), round(back.y - slid.y, 1)) == (-9.4, -3.4)


def test_b4_thrown_back_can_collide(table: type[Table]) -> None:
    """White, evading red, runs into blue, is thrown back, and hits red."""
    t = strike(table, FIRST, BESIDE, {"progress": 120, "offset": 43, "structure": 7})
    let_fall(t, 1, 6, 1, 1, 6, 1, 1, 1, (2, 1))
    t.play("ram white body", "evade")
    first, second = t.told(Collided)[:2]
    assert (first.initiator, first.target, second.initiator, second.target) == (1, 2, 1, 0)
    assert t.told(Bounced)[0].value == -3


def test_b4_a_ram_throws_the_attacker_straight_away_from_the_target(table: type[Table]) -> None:
    right = {"progress": 100, "offset": -21, "structure": 7}
    t = strike(table, {**FIRST, "structure": 3}, right, dice=(1, 1, 1, 1, 6, 6, 6, 1)).play("ram white body", "bear it")
    assert pose(t, 0) == (200, 10, 0)


# --- alignment: B2, B3 ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heading", "turned", "after"),
    [
        pytest.param(20, -20, 0, id="20-turns-right"),
        pytest.param(-20, 20, 0, id="minus-20-turns-left"),
        pytest.param(44, -44, 0, id="44"),
        pytest.param(45, -45, 0, id="45-turns-right"),
        pytest.param(-45, -45, 270, id="minus-45-turns-right"),
        pytest.param(46, 44, 90, id="46-turns-left"),
        pytest.param(70, 20, 90, id="70-turns-left"),
        pytest.param(90, 0, 90, id="90-is-flush"),
    ],
)
def test_b2_the_least_turn_lays_the_initiator_flush(
    table: type[Table], heading: float, turned: float, after: float
) -> None:
    t = crash(
        table, {"progress": 90, "offset": 0, "heading": heading}, AHEAD, dice=(1, 1, 1, 1, 1), driving={"moved": 20}
    )
    assert t.told(Collided)[0].target == 1
    assert sum(aligned.degrees for aligned in t.told(Aligned)) == turned
    x, _, now = pose(t, 0)
    assert now == after
    gap = 250 - (x + (20 if after == 0 else 10))
    assert 0.09 < gap < 0.41


def test_b2_it_turns_about_the_point_of_contact(table: type[Table]) -> None:
    """Its front left corner, that touched, stays where it was (to 0.1 mm, and what makes it stand clear)."""
    t = crash(table, {"progress": 90, "offset": 0, "heading": -20}, AHEAD, dice=(1, 1, 1, 1, 1), driving={"moved": 20})
    slid, aligned = t.one(Moved), t.one(Aligned)
    before = (slid.x + 20 * 0.93969 + 10 * 0.34202, slid.y - 20 * 0.34202 + 10 * 0.93969)
    after = (aligned.x + 20, aligned.y + 10)
    assert after == pytest.approx(before, abs=0.35)


@pytest.mark.parametrize("heading", [10, 25, 44])
def test_b2_against_a_wall_it_is_laid_along_the_wall(table: type[Table], heading: float) -> None:
    start = {"progress": 100, "offset": 55, "heading": heading}
    t = crash(table, start, dice=ONES, driving={"direction": heading, "moved": 0})
    assert t.one(Collided).target == THE_WALL
    assert t.one(Aligned).degrees == -heading
    _, y, now = pose(t, 0)
    assert now == 0
    assert 69.5 <= y <= 69.9


def test_b2_a_steep_one_is_laid_with_its_front_against_the_wall(table: type[Table]) -> None:
    start = {"progress": 100, "offset": 40, "heading": 60}
    t = crash(table, start, dice=(1, 1, 1, 1, 1, 1), driving={"direction": 60, "moved": 0})
    assert t.one(Aligned).degrees == 30
    _, y, now = pose(t, 0)
    assert now == 90
    assert 59.5 <= y <= 59.9


def test_b2_the_target_is_not_turned(table: type[Table]) -> None:
    t = crash(table, FIRST, {**AHEAD, "heading": 15}, dice=(1, 1, 1, 1, 1))
    assert pose(t, 0)[2] == 15
    assert pose(t, 1) == (270, 0, 15)


def test_b3_an_alignment_that_is_blocked_stops_and_does_not_collide(table: type[Table]) -> None:
    """Red would turn its rear by 30 degrees to the right, but a driver stands there."""
    start = {"progress": 95, "offset": 0, "heading": 30}
    free = crash(table, start, AHEAD, dice=(1, 1, 1, 1, 1), driving={"moved": 20})
    assert free.one(Aligned).degrees == -30
    blocked = crash(table, start, AHEAD, walker(106, 25), dice=(1, 1, 1, 1, 1), driving={"moved": 20})
    assert -30 < sum(aligned.degrees for aligned in blocked.told(Aligned)) < 0
    assert len(blocked.told(Collided)) == 1
    assert pose(blocked, FOOT + 2) == (206, 25, 0)


@pytest.mark.parametrize("heading", [-60, -30, -15, 0])
def test_b3_in_a_bend_the_alignment_stops_where_the_wall_is_in_the_way(table: type[Table], heading: float) -> None:
    """The outer wall of the bend is curved: red is laid along it as far as that goes, and hits nothing else."""
    start = {"x": 580, "y": 40, "heading": heading}
    t = crash(table, start, dice=ONES, driving={"direction": heading, "moved": 0})
    assert t.one(Collided).target == THE_WALL
    x, y, now = pose(t, 0)
    for ahead, left in ((20, 10), (20, -10), (-20, 10), (-20, -10)):
        turn = math.radians(now)
        corner = (
            x + ahead * math.cos(turn) - left * math.sin(turn),
            y + ahead * math.sin(turn) + left * math.cos(turn),
        )
        assert math.dist(corner, (500, 140)) < 220  # the centre of the bend, its radius and half the width


# --- the initiator's 2 cm, the rulebook's example, chains: B6, B7, M7 -------------------------------------------------


def test_b6_the_example_of_the_killed_driver(table: type[Table]) -> None:
    """Impact 7 against 1: the table moves the dead driver 3 cm and red 2 cm; he is taken away, red may go on."""
    t = strike(table, FIRST, walker(90, 16, health=0, worn={"health aboard": 6}), dice=(6, 6, 1, 1, 1, 1, 1))
    t.play("ram driver of white")
    assert t.one(Hits) == Hits(0, hits=2, blows=0, impact=7, answer=1)
    assert t.one(DriverDied, 1)
    assert t.one(Bounced).value == 6
    dead, follower = t.told(Moved)
    assert (dead.piece, dead.mm, dead.x, dead.y) == (FOOT + 1, 30, 190, 46)
    assert (follower.piece, follower.how, follower.mm) == (0, "follow", 20)
    assert t.piece(FOOT + 1) is None
    assert (t.question, t.asked) == ("drive", 0)
    assert "announce" in t.legal()


def test_b6_the_dead_driver_collides_where_he_is_thrown_and_red_may_still_go_on(table: type[Table]) -> None:
    """He is the initiator of what follows, so a bounce below 0 does not cost red its turn (B7)."""
    killed = walker(90, 16, health=0, worn={"health aboard": 6})
    t = strike(table, FIRST, killed, {"progress": 100, "offset": 36}, dice=(6, 6, 1, 1, 1, 1, 1, 5, 1, 1, 1))
    t.play("ram driver of white")
    second = t.told(Collided)[1]
    assert (second.initiator, second.part, second.target) == (FOOT + 1, "driver", 2)
    assert t.told(Bounced)[1].value == -2
    assert t[2]["structure"] == 4
    assert t.piece(FOOT + 1) is None
    assert (t.question, t.asked) == ("drive", 0)


def test_b6_the_initiator_stops_on_contact_without_a_collision(table: type[Table]) -> None:
    """White is thrown away, but blue stands 6 mm in red's way."""
    t = strike(table, FIRST, {"progress": 80, "offset": 21}, {"progress": 125, "offset": 26})
    let_fall(t, 6, 6, 1, 1, 1, 1, 1).play("ram white horses", "bear it")
    assert t.one(Bounced).value == 5
    assert t.told(Moved, 0)[0].mm == 5.9
    assert len(t.told(Collided)) == 1


def test_b7_a_chain_ends_no_turn_but_that_of_the_rows_initiator(table: type[Table]) -> None:
    """White's only horse, pushed by red, meets a driver with a bounce of -1: red, whose turn it is, may go on."""
    white = {"progress": 80, "offset": 21, "horses": 1}
    t = strike(table, {**FIRST, "structure": 3}, white, walker(90, 41), dice=(1, 1, 1, 1, 1, 1, 6))
    t.play("ram white horses", "bear it")
    assert [(bounced.initiator, bounced.value) for bounced in t.told(Bounced)] == [(0, 3), (1, -1)]
    assert (t.question, t.asked) == ("drive", 0)
