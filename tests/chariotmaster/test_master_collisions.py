"""Collisions: who takes part, dice and damage, what it means for the turn, chains (C1 to C12, M5 to M8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from master_fights import (
    FIRST,
    FOOT,
    OBSTACLE,
    RACES,
    THE_WALL,
    WRECK,
    crash,
    dragging,
    edition_with,
    obstacle,
    poke,
    pose,
    slide,
    strike,
    team,
    walker,
    wreck,
)

from spina.games.chariotmaster.play.events import (
    Aligned,
    Bounced,
    Collided,
    Crashed,
    Hits,
    HorseDied,
    Lost,
    Moved,
    OutOf,
    RolledBoth,
    TeamGone,
    TurnEnds,
)

if TYPE_CHECKING:
    from conftest import Table

BEHIND = {"progress": 170, "offset": 0}
"""A chariot whose body is 30 mm in front of chariot 0."""
BESIDE = {"progress": 100, "offset": 21}
"""A chariot whose body is level with the axle of chariot 0, on its left."""
ORCS = {**RACES, "designs": ["tusker", "tusker"]}


# --- the base collision value table (C7) ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "part", "dice"),
    [
        pytest.param(walker(160), "driver", 1, id="driver-on-foot"),
        pytest.param({**BEHIND, "heading": 180}, "horses", 2, id="two-horses"),
        pytest.param({**BEHIND, "heading": 180, "horses": 1}, "horses", 1, id="one-horse"),
        pytest.param({**BEHIND, "heading": 180, "horses": 1, "dead_horses": 1}, "horses", 1, id="L6-dead-one-attached"),
        pytest.param(team(160), "horses", 2, id="team-without-body"),
        pytest.param(team(160, horses=1), "horses", 1, id="team-of-one"),
        pytest.param(dragging(160), "driver", 1, id="dragged-driver"),
        pytest.param(dragging(160, heading=180), "horses", 2, id="team-dragging"),
        pytest.param(wreck(160), "object", 2, id="wreck"),
        pytest.param({**BEHIND, "structure": 0}, "body", 2, id="body-0"),
        pytest.param({**BEHIND, "structure": 3}, "body", 2, id="body-3"),
        pytest.param({**BEHIND, "structure": 4}, "body", 3, id="body-4"),
        pytest.param({**BEHIND, "structure": 6}, "body", 3, id="body-6"),
        pytest.param({**BEHIND, "structure": 7}, "body", 4, id="body-7"),
        pytest.param({**BEHIND, "structure": 9}, "body", 4, id="body-9"),
    ],
)
def test_c7_base_collision_value(table: type[Table], target: dict[str, Any], part: str, dice: int) -> None:
    t = crash(table, FIRST, target)
    collision = t.told(Collided)[0]
    assert (collision.initiator, collision.part, collision.target_part) == (0, "horses", part)
    rolled = t.told(RolledBoth)[0]
    assert (len(rolled.dice), len(rolled.others)) == (2, dice)


@pytest.mark.parametrize(("horses", "value"), [(1, 2), (2, 3)])
def test_c7_a_team_of_boars_counts_one_more(table: type[Table], horses: int, value: int) -> None:
    t = crash(table, {**FIRST, "horses": horses}, {**BEHIND, "heading": 180, "horses": horses}, options=ORCS)
    rolled = t.told(RolledBoth)[0]
    assert (len(rolled.dice), len(rolled.others)) == (value, value)


def test_c7_wolves_count_as_horses(table: type[Table]) -> None:
    options = {**RACES, "designs": ["wolf-pack", "tusker"]}
    assert len(crash(table, FIRST, BEHIND, options=options).told(RolledBoth)[0].dice) == 2


def test_c7_a_wall_has_four_dice(table: type[Table]) -> None:
    t = crash(table, {"progress": 100, "offset": 55, "heading": 30}, driving={"direction": 30})
    collision = t.told(Collided)[0]
    assert (collision.part, collision.target, collision.target_part) == ("horses", THE_WALL, "object")
    assert len(t.told(RolledBoth)[0].others) == 4


@pytest.mark.parametrize("value", [1, 3, 6])
def test_c7_an_obstacle_has_the_value_of_its_scenario(table: type[Table], value: int) -> None:
    t = crash(table, FIRST, edition=edition_with(obstacle(160, 0, value, "high, fixed")))
    assert t.told(Collided)[0].target == OBSTACLE
    assert len(t.told(RolledBoth)[0].others) == value


def test_c7_present_points_count_not_the_chassis(table: type[Table]) -> None:
    """A super heavy chassis begins with 7 points and the value 4."""
    options = {**RACES, "designs": ["bulwark", "bulwark"]}
    assert len(crash(table, FIRST, BEHIND, options=options).told(RolledBoth)[0].others) == 4
    worn_down = {**BEHIND, "structure": 3}
    assert len(crash(table, FIRST, worn_down, options=options).told(RolledBoth)[0].others) == 2


def test_m6_only_the_ramming_chariot_adds_two(table: type[Table]) -> None:
    t = strike(table, FIRST, BESIDE).play("ram white body", "bear it")
    rolled = t.told(RolledBoth)[0]
    assert (len(rolled.dice), len(rolled.others)) == (3 + 2, 3)


# --- hits and the damage allocation table (M6, C8) ------------------------------------------------------------------


@pytest.mark.parametrize(("face", "hits"), [(1, 0), (2, 0), (3, 0), (4, 1), (5, 1), (6, 1)])
def test_m6_each_die_from_four_on_is_a_point_of_damage(table: type[Table], face: int, hits: int) -> None:
    t = crash(table, FIRST, BEHIND, dice=(1, face, 1, 1, 1))
    assert t.one(Hits).hits == hits
    assert t[1]["structure"] == 5 - hits


@pytest.mark.parametrize(
    ("target", "dice", "points"),
    [
        pytest.param(walker(160), (4, 5, 1), {"health": 3}, id="driver-on-foot"),
        pytest.param(dragging(160), (4, 5, 1), {"health": 3}, id="dragged-driver"),
        pytest.param({**BEHIND, "heading": 180}, (4, 5, 1, 1), {"stamina": 17}, id="horses"),
        pytest.param(team(160), (4, 5, 1, 1), {"stamina": 17}, id="team"),
        pytest.param(BEHIND, (4, 5, 1, 1, 1), {"structure": 3}, id="body"),
        pytest.param(wreck(160), (4, 5, 1, 1), {}, id="wreck-takes-no-harm"),
    ],
)
def test_m6_damage_to_the_target(
    table: type[Table], target: dict[str, Any], dice: tuple[int, ...], points: dict[str, int]
) -> None:
    t = crash(table, FIRST, target, dice=dice)
    assert t.one(Hits).hits == 2
    whole = {"stamina": 19, "structure": 5, "health": 5, "skill": 6}
    assert {name: t[1][name] for name in whole} == {**whole, **points}
    assert [(lost.chariot, lost.what) for lost in t.told(Lost)] == [(1, kind) for kind in points for _ in range(2)]


def test_m6_a_wreck_hands_its_damage_on_to_nobody(table: type[Table]) -> None:
    """White's team is still running and white's driver dragged behind it, elsewhere."""
    running = dragging(1000, wreck={"progress": 160, "offset": 0})
    t = crash(table, FIRST, running, dice=(4, 5, 1, 1))
    assert (t.one(Collided).target, t.one(Hits).hits) == (WRECK + 1, 2)
    assert t.told(Lost) == []


def test_m3_walls_take_no_damage(table: type[Table]) -> None:
    leftmost = {"progress": 100, "offset": 55, "heading": 30}
    t = crash(table, leftmost, dice=(4, 5, 1, 1, 1, 1), driving={"direction": 30})
    assert t.one(Hits).hits == 2
    assert t.told(Lost) == []


def test_m6_obstacles_take_no_damage_but_do_it(table: type[Table]) -> None:
    t = crash(table, FIRST, dice=(4, 4, 4, 4, 1), edition=edition_with(obstacle(160, 0, 3, "high, fixed")))
    assert [(lost.chariot, lost.what) for lost in t.told(Lost)] == [(0, "stamina"), (0, "stamina")]


def test_m6_both_sides_are_hurt(table: type[Table]) -> None:
    t = crash(table, FIRST, BEHIND, dice=(4, 1, 4, 5, 1))
    assert t.one(Hits) == Hits(0, hits=1, blows=2, impact=2, answer=3)
    assert (t[1]["structure"], t[0]["stamina"]) == (4, 17)


def test_c8_a_ram_at_the_body_does_not_hurt_its_driver(table: type[Table]) -> None:
    t = strike(table, FIRST, BESIDE, dice=(5, 5, 5, 5, 1, 5, 1, 1)).play("ram white body", "bear it")
    assert (t[1]["structure"], t[1]["health"], t[1]["stamina"]) == (1, 5, 19)
    assert (t[0]["structure"], t[0]["health"]) == (4, 5)


# --- who takes part: C1 to C3, M4, M5 ---------------------------------------------------------------------------------


def test_c1_an_overlap_that_gets_no_deeper_is_no_hit(table: type[Table]) -> None:
    t = slide(table, FIRST, {"progress": 100, "offset": 21})
    poke(t, y={1: 197})  # 0.3 mm inside each other
    t.play("go")
    assert t.told(Collided) == []
    assert pose(t, 0) == (250, 0, 0)


def test_c1_an_overlap_that_gets_deeper_is_one(table: type[Table]) -> None:
    t = slide(table, FIRST, {"progress": 100, "offset": 21}, driving={"direction": 90})
    poke(t, y={1: 197})
    t.play("go")
    assert t.told(Collided)[0].target == 1
    assert t.told(Moved, 0) == []


def test_c1_what_is_overlapped_no_deeper_takes_no_part_in_the_lot(table: type[Table]) -> None:
    """Red slides along blue, 0.3 mm inside it, against white."""
    t = slide(table, FIRST, BEHIND, {"progress": 115, "offset": 21}, dice=(4, 1, 1, 1, 1))
    poke(t, y={2: 197})
    t.play("go")
    assert (t.one(Collided).target, t.one(RolledBoth).dice) == (1, (4, 1))


@pytest.mark.parametrize(("lot", "hit"), [(0, 1), (1, 2)])
def test_c2_of_two_objects_met_at_the_same_step_a_lot_decides(table: type[Table], lot: int, hit: int) -> None:
    left, right = {"progress": 170, "offset": 11}, {"progress": 170, "offset": -11}
    t = crash(table, FIRST, left, right, dice=((2, lot), 1, 1, 1, 1, 1))
    assert t.one(Collided).target == hit


def test_c2_the_first_one_touched_takes_part_without_a_lot(table: type[Table]) -> None:
    near, far = {"progress": 169.9, "offset": -11}, {"progress": 170, "offset": 11}
    t = crash(table, FIRST, far, near, dice=(4, 1, 1, 1, 1))
    assert t.one(Collided).target == 2
    assert t.one(RolledBoth).dice == (4, 1)


def test_c2_the_lot_cannot_be_modified(table: type[Table]) -> None:
    left, right = {"progress": 170, "offset": 11}, {"progress": 170, "offset": -11}
    t = slide(table, {**FIRST, "luck": 1}, left, right, dice=((2, 1), 3, 3, 1, 1, 1)).play("go")
    assert (t.question, t.view["about"], t.view["dice"]) == ("modify", "collision", [3, 3])


@pytest.mark.parametrize(
    ("progress", "pairs"),
    [
        pytest.param(100, [("horses", "horses"), ("body", "body")], id="level"),
        pytest.param(110, [("horses", "horses"), ("horses", "body"), ("body", "body")], id="half-a-part-ahead"),
        pytest.param(120, [("horses", "body")], id="a-part-ahead"),
        pytest.param(130, [("horses", "body")], id="further-ahead"),
        pytest.param(80, [("body", "horses")], id="a-part-behind"),
    ],
)
def test_c3_pairs_of_parts_that_meet_along_an_edge_are_drawn_by_lot(
    table: type[Table], progress: float, pairs: list[tuple[str, str]]
) -> None:
    found = []
    for lot in range(len(pairs)):
        lots = ((len(pairs), lot),) if len(pairs) > 1 else ()
        t = crash(table, FIRST, {"progress": progress, "offset": 35}, dice=(*lots, 3, 3), driving={"direction": 90})
        collision = t.told(Collided)[0]
        found.append((collision.part, collision.target_part))
        assert t.told(RolledBoth)[0].dice[:2] == (3, 3)  # the lot is not one of the dice
    assert found == pairs


@pytest.mark.parametrize(
    ("what", "objection"),
    [
        pytest.param(wreck(160), "", id="wreck"),
        pytest.param({"progress": 170, "offset": 0}, "nothing low", id="chariot"),
        pytest.param(team(160), "nothing low", id="team"),
        pytest.param(walker(160), "nothing low", id="driver-on-foot"),
    ],
)
def test_m5_only_wrecks_are_small(table: type[Table], what: dict[str, Any], objection: str) -> None:
    t = table(FIRST, what)
    assert objection in t.why_not("run ahead 100")
    assert bool(t.why_not("run ahead 100")) == bool(objection)


@pytest.mark.parametrize(("kind", "small"), [("low, fixed", True), ("low, movable", True), ("high, movable", False)])
def test_m5_an_obstacle_is_small_if_its_scenario_says_so(table: type[Table], kind: str, small: bool) -> None:
    t = table(FIRST, edition=edition_with(obstacle(160, 0, 2, kind)))
    assert (t.why_not("run ahead 100") == "") == small


# --- what it means for the turn: C4, C12 ----------------------------------------------------------------------------


def test_c4_an_involuntary_collision_ends_the_own_turn_whatever_the_row(table: type[Table]) -> None:
    """Out of stamina the team stumbles backwards while braking; the bounce of 1 says nothing about the turn."""
    weary = {**FIRST, "stamina": 0, "worn": {"stamina": 4}}
    t = table(weary, {"progress": 55, "offset": 0}, dice=(1, 1, 1, 1, 1, 1, 1)).play("brake")
    assert t.one(OutOf).result == 5
    assert (t.one(Collided).initiator, t.one(Bounced).value) == (0, 1)
    assert t.one(TurnEnds, 0).mm == 0


def test_c4_being_a_target_never_ends_the_turn(table: type[Table]) -> None:
    """White stands across the track; whipped, it runs into the one who whips it."""
    t = strike(table, {**FIRST, "token": "10"}, {"progress": 90, "offset": 31, "heading": -90}, dice=(3, 1, 1, 6, 6, 6))
    t.play("whip horses of white", "bear it")
    collision = t.one(Collided)
    assert (collision.initiator, collision.target, collision.target_part) == (1, 0, "body")
    assert t.one(Bounced).value == -4
    assert (t.question, t.asked) == ("drive", 0)


def test_c4_a_ram_ends_the_turn_only_if_the_row_says_so(table: type[Table]) -> None:
    t = strike(table, FIRST, BESIDE, dice=(1, 1, 1, 1, 1, 1, 1, 1)).play("ram white body", "bear it")
    assert t.one(Bounced).value == 2
    assert (t.question, t.asked) == ("drive", 0)


def test_c4_a_run_through_ends_the_turn_only_if_the_row_says_so(table: type[Table]) -> None:
    t = table({**FIRST, "token": "10"}, wreck(160), dice=(1, 1, 1, 1)).play("run ahead 100")
    assert (t.question, t.asked) == ("drive", 0)


def test_c12_the_way_to_the_collision_counts_and_neither_pivot_nor_attack_follows(table: type[Table]) -> None:
    """Blue's body lies beside the axle of chariot 0 when it has run into white."""
    spent = {**FIRST, "stamina": 0}
    beside = {"progress": 105, "offset": -21}
    t = table(spent, {"progress": 149, "offset": 0}, beside, dice=(1, 1, 1, 1, 1))
    t.play("collide")
    assert t.one(Moved, 0).mm == 8.9
    assert t.one(TurnEnds, 0).mm == 8.9
    assert t.question != "attack"
    assert pose(t, 0) == (208.9, 0, 0)


# --- order and changed participants: C5, C6 ---------------------------------------------------------------------------


def test_c5_dice_then_the_targets_losses_then_the_initiators_then_the_bounce(table: type[Table]) -> None:
    t = crash(table, FIRST, BEHIND, dice=(4, 5, 4, 1, 1))
    story = [event for event in t.events if isinstance(event, RolledBoth | Hits | Lost | Bounced)]
    assert [type(event) for event in story] == [RolledBoth, Hits, Lost, Lost, Lost, Bounced]
    assert [event.chariot for event in story[2:5]] == [1, 1, 0]


def test_c5_the_bounce_goes_by_the_dice_as_rolled(table: type[Table]) -> None:
    """The body's value falls from 3 to 2 with the damage; the bounce is still 2 - 3."""
    t = crash(table, FIRST, {**BEHIND, "structure": 4}, dice=(4, 5, 1, 1, 1))
    assert t[1]["structure"] == 2
    assert t.one(Bounced).value == -1


def test_c5_each_point_is_lost_before_the_next_and_before_the_bounce(table: type[Table]) -> None:
    """Two hits at a body without structure: two rolls, the second with the modifier of the first."""
    t = crash(table, FIRST, {**BEHIND, "structure": 0}, dice=(4, 5, 1, 1, 3, 2))
    assert [(row.face, row.result) for row in t.told(OutOf)] == [(3, 3), (2, 3)]
    story = [type(event) for event in t.events if isinstance(event, OutOf | Bounced)]
    assert story == [OutOf, OutOf, Bounced]


def test_c6_the_bounce_moves_the_wreck_that_the_body_has_become(table: type[Table]) -> None:
    """5 dice and a six against 2: the body crashes, and its wreck is thrown 3 cm to the left; the team stays."""
    frail = {**BESIDE, "structure": 0, "worn": {"structure": 7}, "driver": "dead"}
    t = strike(table, FIRST, frail, dice=(6, 6, 1, 1, 1, 1, 1, 1)).play("ram white body")
    assert t.told(Crashed, 1)
    assert t.one(Bounced).value == 5
    assert pose(t, WRECK + 1) == pytest.approx((190, 51, 0), abs=0.2)
    assert pose(t, 1) == (210, 21, 0)
    assert pose(t, 0) == (200, 0.9, 0)  # follows, but the team stands in its way


def test_c6_a_body_that_has_just_become_a_wreck_is_not_destroyed_by_the_same_bounce(table: type[Table]) -> None:
    """Only a target that was a wreck when it was hit is destroyed."""
    frail = {**BESIDE, "structure": 0, "worn": {"structure": 7}, "driver": "dead"}
    t = strike(table, FIRST, frail, dice=(6, 6, 1, 1, 1, 1, 1, 1)).play("ram white body")
    assert t.piece(WRECK + 1) is not None


def test_c6_where_nothing_is_left_of_the_target_nobody_is_moved(table: type[Table]) -> None:
    """The last horse of a team dies: the bounce of 5 has nothing to throw, and red does not follow."""
    dying = team(90, 21, horses=1, stamina=0, worn={"stamina": 7})
    t = strike(table, FIRST, dying, dice=(6, 1, 1, 1, 1, 1, 1)).play("ram white horses")
    assert t.told(HorseDied, 1)
    assert t.told(TeamGone, 1)
    assert t.one(Bounced).value == 5
    assert t.piece(1) is None
    assert t.told(Moved) == []


def test_c6_a_crashed_initiator_is_thrown_back_as_a_wreck(table: type[Table]) -> None:
    """The ramming body (2 + 2 dice) crashes against 4 dice with three sixes: its wreck goes 1 cm back."""
    frail = {**FIRST, "structure": 0, "worn": {"structure": 7}, "reins": True}
    t = strike(table, frail, {**BESIDE, "structure": 7}, dice=(1, 1, 1, 1, 6, 6, 6, 1))
    t.play("ram white body", "bear it")
    assert t.told(Crashed, 0)
    assert t.one(Bounced).value == -3
    assert pose(t, WRECK) == pytest.approx((190, -10, 0), abs=0.2)
    assert pose(t, 0) == (210, 0, 0)


# --- chains: C9, C10, C11, M7, M8 -------------------------------------------------------------------------------------


def test_m8_a_collision_is_finished_with_all_it_causes_before_the_first_one_goes_on(table: type[Table]) -> None:
    """White, rammed, is pushed into blue; only then does red follow."""
    third = {"progress": 100, "offset": 51}
    t = strike(table, FIRST, {**BESIDE, "structure": 3}, third, dice=(6, 6, 1, 1, 1, 1, 1, (2, 0)))
    t.play("ram white body", "bear it")
    assert t.told(Bounced)[0].value == 5
    story = [
        (type(event).__name__, getattr(event, "how", ""))
        for event in t.events
        if isinstance(event, Moved | Collided | Bounced)
    ]
    assert story[:5] == [("Collided", ""), ("Bounced", ""), ("Moved", "bounce"), ("Collided", ""), ("Bounced", "")]
    assert story[-1] == ("Moved", "follow")
    assert [collision.number for collision in t.told(Collided)] == [1, 2]


def whipped_into(table: type[Table], chain: int) -> Table:
    """White is whipped 6 cm ahead, with blue 20 mm in front of it; this many collisions have happened before."""
    target, ahead = {"progress": 80, "offset": 21}, {"progress": 140, "offset": 21}
    t = strike(table, {**FIRST, "luck": 1}, target, ahead, dice=(5, 1, 1, 1, 1, 1))
    t.play("whip horses of white", "bear it")
    assert t.question == "modify"
    poke(t, chain=chain)
    return t.play("pass")


def test_c9_the_thirty_second_collision_is_resolved(table: type[Table]) -> None:
    t = whipped_into(table, 31)
    assert t.one(Collided).number == 32


def test_c9_after_the_thirty_second_movers_just_stop(table: type[Table]) -> None:
    t = whipped_into(table, 32)
    assert t.told(Collided) == []
    assert pose(t, 1)[0] == 199.9


def test_c9_every_voluntary_action_begins_a_new_chain(table: type[Table]) -> None:
    t = whipped_into(table, 31)
    assert (t.question, t.asked) == ("drive", 0)
    t.dice(6, 1, 1, 1, 1)
    t.play("announce")
    while t.question == "modify":
        t.play("pass")
    assert t.state().chain == 0


def test_c9_an_attack_begins_a_new_chain_too(table: type[Table]) -> None:
    t = strike(table, FIRST, BESIDE)
    poke(t, chain=20)
    assert t.play("ram white body", "bear it").told(Collided)[0].number == 1


def test_c10_the_own_wreck_is_an_object_like_any_other(table: type[Table]) -> None:
    """White's team is whipped into white's wreck, which it cannot come clear of."""
    own = team(90, 21, wreck={"progress": 115, "offset": 21})
    t = strike(table, FIRST, own, dice=(1, 4, 4, 1, 1)).play("whip horses of white")
    collision = t.one(Collided)
    assert (collision.initiator, collision.target) == (1, WRECK + 1)


def test_c11_a_wreck_that_is_pushed_into_something_collides_with_two_dice_and_takes_no_damage(
    table: type[Table],
) -> None:
    t = strike(table, FIRST, wreck(90, 21), {"progress": 100, "offset": 46}, dice=(*[1] * 7, 5, 1, 1, 1, 1))
    t.play("ram wreck of white")
    assert [collision.initiator for collision in t.told(Collided)] == [0, WRECK + 1]
    second = t.told(RolledBoth)[1]
    assert (second.chariot, second.dice, second.other, len(second.others)) == (None, (5, 1), 2, 3)
    assert t[2]["structure"] == 4
    assert t.piece(WRECK + 1) is not None


def test_c11_a_driver_who_is_pushed_into_something_collides_with_one_die(table: type[Table]) -> None:
    t = strike(table, FIRST, walker(90, 16), {"progress": 100, "offset": 36}, dice=(*[1] * 6, 5, 5, 1, 1))
    t.play("ram driver of white")
    assert [collision.initiator for collision in t.told(Collided)] == [0, FOOT + 1]
    second = t.told(RolledBoth)[1]
    assert (second.chariot, second.dice) == (1, (5,))
    assert t[2]["structure"] == 4
    assert t[1]["health"] == 4


# --- the stored contact (C6) ------------------------------------------------------------------------------------------

ACROSS = {"x": 250, "y": -10, "heading": 90, "horses": 1, "stamina": 0, "worn": {"stamina": 4}, "drawn": True}
"""Red's front meets the only horse of white, which stands across the track and will stumble 3 cm to red's right."""


def test_c6_the_bounce_goes_as_they_met_even_if_the_damage_has_moved_the_target(table: type[Table]) -> None:
    t = crash(table, FIRST, ACROSS, dice=(6, 6, 1, 1, 6, 1))
    assert t.told(Moved, 1)[0].how == "back"
    assert t.one(Bounced).value == 3
    assert pose(t, 1) == (260, -40, 90)


def test_c6_the_alignment_is_about_the_point_where_they_met(table: type[Table]) -> None:
    """Its front left corner, though white is now nearer to the right one."""
    t = crash(table, {**FIRST, "heading": -20}, ACROSS, dice=(4, 4, 1, 1, 6, 1))
    slid, aligned = t.told(Moved, 0)[0], t.one(Aligned)
    assert aligned.degrees == 20
    assert (aligned.x + 20, aligned.y + 10) == pytest.approx((slid.x + 22.2, slid.y + 2.6), abs=0.3)
