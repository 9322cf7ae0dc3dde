"""Rulings P1 to P6, and B8, B9, B11, B13 for driving: no chariot collides on purpose, except with wrecks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from spina.games.chariotmaster.play.events import (
    Collided,
    Destroyed,
    Lost,
    Moved,
    OutOf,
    Paid,
    Pivoted,
    RanThrough,
    Rolled,
    TurnEnds,
)
from spina.games.chariotmaster.rules.record import WALL, WRECK_OF

if TYPE_CHECKING:
    from conftest import Table

ANY = (1, 0)
"""A die whose result does not matter."""
ASIDE = {"progress": -60, "offset": -60, "drawn": True}
"""A rival far away, who has had his turn."""
FACING_THE_WALL = {"offset": 58, "heading": 90}
"""Across the track, its front 2 mm from the left wall."""
BESIDE = ({"progress": 70, "offset": 50, "heading": 90}, {"progress": 130, "offset": 50, "heading": 90})
"""A rival on either side of it, less than a centimetre away."""
NO_WAY = ["brake", "spur", "whip"]


def wreck(progress: float, offset: float = 0) -> dict[str, Any]:
    """Nothing of a chariot is left but its wreck."""
    return {"driver": "dead", "gone": True, "horses": 0, "wreck": {"progress": progress, "offset": offset}}


def pose(t: Table) -> tuple[float, float, float]:
    """Where chariot 0 stands: millimetres and degrees."""
    piece = t.piece(0)
    assert piece is not None
    return piece["x"] / 10, piece["y"] / 10, piece["heading"] / 10


# --- P1: a colliding sub-move is illegal ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "others",
    [
        [{"progress": 170, "offset": 0}],
        [{"progress": 160, "offset": 0, "driver": "dead", "wreck": {"progress": -60}}],
        [{**wreck(-60, 60), "driver": "on foot", "on_foot": {"progress": 160, "offset": 0}}, ASIDE],
        [wreck(160), ASIDE],
    ],
    ids=["a chariot", "a team", "a driver on foot", "a wreck"],
)
def test_p1_what_is_in_the_way_must_be_avoided(table: type[Table], others: list[dict[str, Any]]) -> None:
    t = table({"offset": 0}, *others)
    assert t.why_not("ahead 28") == ""
    assert "way" in t.why_not("ahead 35")
    assert "way" in t.why_not("ahead 100")


def test_p1_an_obstacle_too(table: type[Table]) -> None:
    """The column of the trial course stands at 59.8 cm, that is 49.8 cm behind the starting line."""
    options = {"scenario": "trial"}
    start = {"progress": 440, "offset": 0}
    t = table(start, {"progress": 0, "offset": 0}, options=options)
    assert t.why_not("ahead 20") == ""
    assert "way" in t.why_not("ahead 60")
    assert table(start, {"progress": 0, "offset": 0}, options=options, removed=["obstacle 1"]).why_not("ahead 60") == ""


def test_p1_nobody_drives_through_another_to_a_free_place_behind(table: type[Table]) -> None:
    t = table({"offset": 0, "token": "10"}, {"progress": 145, "offset": 0})
    assert "way" in t.why_not("ahead 100")
    assert table({"offset": 0, "token": "10"}, ASIDE).why_not("ahead 100") == ""


@pytest.mark.parametrize(
    ("chariot", "action"),
    [
        ({"offset": 50, "heading": 45}, "ahead 50"),
        ({"offset": 60}, "left 20"),
        ({"offset": -60}, "right 20"),
    ],
    ids=["ahead", "left", "right"],
)
def test_p1_p4_walls_are_avoided_too(table: type[Table], chariot: dict[str, Any], action: str) -> None:
    assert "way" in table(chariot, {"progress": -60, "offset": 0}).why_not(action)


def test_p1_nobody_has_to_foresee_the_next_sub_move(table: type[Table]) -> None:
    """5 mm before another chariot and 2 cm short of the minimum: legal, whatever follows."""
    t = table({"offset": 0}, {"progress": 175, "offset": 0})
    t.play("ahead 30")
    assert (t.driving["moved"], t.legal("stop")) == (30, [])


# --- P2, P3: no way but into something ------------------------------------------------------------------------------


def test_p2_without_a_free_sub_move_brake_until_the_minimum_is_met(table: type[Table]) -> None:
    t = table(FACING_THE_WALL, *BESIDE, dice=(3, 1, 1))
    assert t.legal() == NO_WAY
    t.play("brake")
    assert (t.driving["minimum"], t.legal("stop"), t.legal("brake")) == (20, [], ["brake"])
    t.play("brake", "brake")
    assert (t.driving["minimum"], t.legal("stop")) == (0, ["stop"])


def test_p2_free_sweeps_are_offered(table: type[Table]) -> None:
    t = table(FACING_THE_WALL, BESIDE[0])
    assert t.legal("ahead") == []
    assert t.legal("left") == []
    assert t.why_not("right 50") == ""


def test_p2_collide_only_without_stamina(table: type[Table]) -> None:
    t = table({**FACING_THE_WALL, "stamina": 1}, *BESIDE)
    assert "on purpose" in t.why_not("collide")
    t = table({**FACING_THE_WALL, "stamina": 0}, *BESIDE)
    assert t.legal() == [*NO_WAY, "collide"]


def test_p2_brake_and_sweep_stay_available_with_the_table_roll(table: type[Table]) -> None:
    t = table({**FACING_THE_WALL, "stamina": 0}, BESIDE[0], dice=(1, 1))
    assert t.legal("collide") == ["collide"]
    assert t.why_not("right 50") == ""
    t.play("brake")
    assert t.one(OutOf).result == 1
    assert t.driving["minimum"] == 40


def test_p2_collide_only_without_a_way_ahead(table: type[Table]) -> None:
    t = table({"offset": 0, "stamina": 0}, {"progress": 160, "offset": 0})
    assert t.why_not("ahead 10") == ""
    assert "on purpose" in t.why_not("collide")
    t = table({"offset": 0, "stamina": 0}, {"progress": 149, "offset": 0})
    assert t.why_not("collide") == ""


def test_p2_collide_only_if_the_minimum_is_not_reached(table: type[Table]) -> None:
    t = table({**FACING_THE_WALL, "stamina": 0, "token": "0"}, *BESIDE)
    assert t.legal("stop") == ["stop"]
    assert "on purpose" in t.why_not("collide")


def test_p2_later_sub_moves_need_their_test_first(table: type[Table]) -> None:
    driving = {"moved": 20, "submoves": 1}
    t = table({**FACING_THE_WALL, "stamina": 0}, *BESIDE, driving=driving, dice=(1,))
    assert "announced" in t.why_not("collide")
    t.play("announce")
    assert t.legal() == [*NO_WAY, "collide"]


def test_p3_straight_ahead_to_the_first_contact_and_the_turn_ends(table: type[Table]) -> None:
    ahead = {"progress": 149, "offset": 0, "drawn": True}
    t = table({"offset": 0, "stamina": 0}, ahead, dice=(1, 1, 1, 1, 1)).play("collide")
    assert t.told(Moved)[0] == Moved(0, 0, "collide", 8.9, 208.9, 0, 0)
    hit = t.one(Collided)
    assert (hit.target, hit.kind, hit.part, hit.target_part) == (1, "collision", "horses", "body")
    assert t.one(TurnEnds) == TurnEnds(0, 8.9)


def test_p3_even_when_the_dice_throw_the_other_away(table: type[Table]) -> None:
    """C4: an involuntary collision ends the turn whatever the bounce: here 2 + 2 sixes against 2."""
    ahead = {"progress": 149, "offset": 0, "structure": 1, "drawn": True}
    t = table({"offset": 0, "stamina": 0}, ahead, dice=(6, 6, 1, 1)).play("collide")
    assert t.one(TurnEnds).chariot == 0


def test_p3_into_the_wall(table: type[Table]) -> None:
    t = table({**FACING_THE_WALL, "stamina": 0, "horses": 1}, *BESIDE, dice=(1, 1, 1, 1, 1)).play("collide")
    assert t.one(Collided).target == WALL
    assert t.one(TurnEnds, 0).chariot == 0


# --- P4: only low things may be run over, and only to come clear ----------------------------------------------------


def test_p4_over_a_wreck_to_the_other_side(table: type[Table]) -> None:
    t = table({"offset": 0}, wreck(150), ASIDE, dice=(2, 2, 2, 2))
    assert t.why_not("run ahead 81") == ""
    t.play("run ahead 81")
    assert t.one(Collided).kind == "run-through"
    assert (pose(t), t.told(Moved)[-1].how) == ((281, 0, 0), "run through")


@pytest.mark.parametrize("mm", [10, 19, 40, 80], ids=["before it", "at it", "upon it", "not quite over it"])
def test_p4_b8_a_run_that_does_not_come_clear_is_illegal(table: type[Table], mm: int) -> None:
    t = table({"offset": 0}, wreck(150), ASIDE)
    assert "clear" in t.why_not(f"run ahead {mm}")


def test_p4_b8_nor_one_that_needs_more_than_is_left(table: type[Table]) -> None:
    t = table({"offset": 0, "token": "0"}, wreck(150), ASIDE)
    assert t.legal("run") == []
    assert t.why_not("run ahead 81")


@pytest.mark.parametrize("behind", [190, 230], ids=["upon a chariot", "short of it"])
def test_p4_b8_nothing_big_may_be_in_the_way(table: type[Table], behind: float) -> None:
    t = table({"offset": 0}, wreck(150), {"progress": behind, "offset": 0})
    assert bool(t.why_not("run ahead 85")) == (behind == 190)


def test_p4_there_must_be_something_to_run_over(table: type[Table]) -> None:
    assert table({"offset": 0}, ASIDE).why_not("run ahead 81")
    assert table({"offset": 0}, wreck(150, 40), ASIDE).why_not("run ahead 81")


def test_p4_nobody_runs_over_people_or_horses(table: type[Table]) -> None:
    walker = {**wreck(-60, 60), "driver": "on foot", "on_foot": {"progress": 150, "offset": 0}}
    assert table({"offset": 0}, walker, ASIDE).why_not("run ahead 81")
    assert table({"offset": 0}, {"progress": 150, "offset": 0}).why_not("run ahead 81")


def test_p4_low_obstacles_as_wrecks(table: type[Table]) -> None:
    """The rubble of the trial course is 3 x 3 cm, 3.5 cm to the left at 149 cm."""
    options = {"scenario": "trial"}
    t = table({"progress": 1330, "offset": 32, "token": "10"}, {"progress": 0, "offset": 0}, options=options)
    runs = t.legal("run ahead")
    assert runs
    t.dice(2, 2, 2, 2).play(runs[-1])
    assert t.one(RanThrough).target == 36 + 1


# --- P5, P6: what need not be avoided -------------------------------------------------------------------------------


def test_p5_a_possible_skid_need_not_be_prevented(table: type[Table]) -> None:
    driving = {"moved": 50, "submoves": 1}
    t = table({"offset": 0}, {"progress": 165, "offset": 0, "drawn": True}, driving=driving, dice=(6, 1, 1, 1, 1))
    assert t.why_not("announce") == ""
    t.play("announce")
    assert t.legal() == ["brake", "go"]
    t.play("go")
    assert t.one(Collided).target == 1


def test_p6_whoever_evades_may_run_into_anything(table: type[Table]) -> None:
    target = {"progress": 150, "offset": 60, "drawn": True}
    t = table({"offset": 39}, target, dice=(1, 6)).play("ahead 50", "ram white body", "evade")
    assert t.told(Moved, 1)[0].how == "evade"
    assert t.told(Collided)[0].target == WALL


# --- B9, B11, B13: run-throughs -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "value", "lost", "goes_on"),
    [
        ((1, 1, 1, 1), 0, [], True),
        ((6, 6, 1, 1), 2, [], True),
        ((1, 1, 6, 1), -1, ["stamina", "stamina"], False),
        ((1, 1, 6, 6), -2, ["stamina", "stamina", "structure"], False),
    ],
    ids=["0", "2", "-1", "-2"],
)
def test_b9_no_pivot_after_a_result_below_3(
    table: type[Table], dice: tuple[int, ...], value: int, lost: list[str], goes_on: bool
) -> None:
    """The wreck's sixes also hurt the horses: one point of stamina each."""
    t = table({"offset": 0}, wreck(150), ASIDE, dice=dice).play("run ahead 90")
    assert t.one(RanThrough).value == value
    assert [event.what for event in t.told(Lost)] == lost
    assert pose(t) == (290, 0, 0)
    assert t.told(TurnEnds) == ([] if goes_on else [TurnEnds(0, 90)])
    assert t.question == ("drive" if goes_on else "speed tokens")


BOARS = {"race": "orcs", "horses": ["boars", "racing"], "chassis": "standard"}
BOARS_RACE = {"fantasy": True, "points": 4, "designs": [BOARS] * 3}


def test_b9_the_pivot_is_asked_for_after_a_result_of_3(table: type[Table]) -> None:
    """A team of two boars has three dice: with two sixes 5 against 2."""
    t = table({"offset": 0, "token": "5"}, wreck(150), ASIDE, dice=(6, 6, 1, 1, 1), options=BOARS_RACE)
    t.play("run ahead 90")
    assert t.one(RanThrough).value == 3
    assert (t.question, t.asked, t.driving["moved"]) == ("pivot", 0, 90)
    assert t.legal()[0] == "pivot 0"
    assert t.why_not("pivot 30 left") == ""
    assert "pivot" in t.why_not("pivot 31 left")
    t.play("pivot 30 left about front right")
    assert (t.one(Pivoted).degrees, pose(t)[2], t.question) == (30, 30, "drive")


def test_b9_the_pivot_may_be_0_and_must_be_free(table: type[Table]) -> None:
    beside = {"progress": 190, "offset": 24, "drawn": True}
    t = table({"offset": 0}, wreck(150), beside, dice=(6, 6, 1, 1, 1), options=BOARS_RACE).play("run ahead 90")
    assert "pivot" in t.why_not("pivot 30 left")
    t.play("pivot 0")
    assert (t.told(Pivoted), t.question) == ([], "drive")


def test_b9_a_wreck_is_destroyed_by_5_and_the_pivot_asked_for(table: type[Table]) -> None:
    """Sideways with a heavy body, which has four dice: 4 + 4 sixes against 2."""
    t = table({"offset": 0, "structure": 9}, wreck(90, 30), ASIDE, dice=(6, 6, 6, 6, 1, 1)).play("run left 55")
    assert t.one(RanThrough).value == 6
    assert t.one(Destroyed).piece == WRECK_OF + 1
    assert (t.piece(WRECK_OF + 1), t.question) == (None, "pivot")


@pytest.mark.parametrize("pivots", [False, True], ids=["without a pivot", "after a pivot of 0"])
def test_b9_no_attack_after_a_run_through(table: type[Table], pivots: bool) -> None:
    beside = {"progress": 190, "offset": 21, "drawn": True}
    dice = (6, 6, 1, 1, 1) if pivots else (1, 1, 1, 1, 1)
    t = table({"offset": 0}, wreck(150), beside, dice=dice, options=BOARS_RACE).play("run ahead 90")
    if pivots:
        t.play("pivot 0")
    assert t.question == "drive"


def test_b9_without_a_run_through_the_same_place_allows_an_attack(table: type[Table]) -> None:
    t = table({"offset": 0}, {"progress": 190, "offset": 21, "drawn": True}).play("ahead 90")
    assert t.question == "attack"


def test_b9_a_later_sub_move_may_attack_again(table: type[Table]) -> None:
    beside = {"progress": 210, "offset": 21, "drawn": True}
    t = table({"offset": 0, "token": "10"}, wreck(150), beside, dice=(1, 1, 1, 1, 1)).play("run ahead 90")
    t.play("announce", "ahead 20")
    assert t.question == "attack"


def test_b11_several_wrecks_one_after_the_other(table: type[Table]) -> None:
    wrecks = (wreck(150), wreck(175))
    t = table({"offset": 0, "token": "10"}, *wrecks, ASIDE, dice=(1, 1, 2, 2, 3, 3, 1, 1)).play("run ahead 110")
    assert [event.target for event in t.told(RanThrough)] == [WRECK_OF + 1, WRECK_OF + 2]
    assert [event.others for event in t.events if event.__class__.__name__ == "RolledBoth"] == [(2, 2), (1, 1)]
    assert (pose(t), t.driving["moved"]) == ((310, 0, 0), 110)


def test_b11_all_must_be_cleared_at_the_end(table: type[Table]) -> None:
    t = table({"offset": 0, "token": "10"}, wreck(150), wreck(195), ASIDE)
    assert "clear" in t.why_not("run ahead 85")
    assert t.why_not("run ahead 130") == ""


def test_b11_the_worst_of_the_results_decides_on_the_pivot_and_the_turn(table: type[Table]) -> None:
    """The first wreck allows a pivot, the second does not, and ends the turn."""
    boars = {"fantasy": True, "points": 4, "designs": [BOARS] * 4}
    dice = (6, 6, 6, 1, ANY, 1, 1, ANY, 6, 6)
    t = table({"offset": 0, "token": "10"}, wreck(150), wreck(175), ASIDE, dice=dice, options=boars)
    t.play("run ahead 110")
    first, second = (event.value for event in t.told(RanThrough))
    assert first >= 3 and second < 0
    assert t.one(TurnEnds).mm == 110


def test_b13_sideways_too_for_a_point_of_stamina(table: type[Table]) -> None:
    t = table({"offset": 0}, wreck(110, 30), ASIDE, dice=(2, 2, 2, 2)).play("run left 55")
    assert t.one(Paid) == Paid(0, 1, "side sweep")
    assert (t.one(Collided).part, t.one(RanThrough).value) == ("horses", 0)
    assert (pose(t), t.driving["moved"]) == ((200, 55, 0), 55)


def test_b13_a_sideways_run_that_is_no_longer_possible_is_asked_for_again(table: type[Table]) -> None:
    """D7: after a stumble of 3 cm the wreck is no longer beside it."""
    t = table({"offset": 0, "stamina": 0}, wreck(125, 30), ASIDE, dice=(5, 6)).play("run left 55")
    assert [event.what for event in t.told(Rolled)] == ["out of points", "backwards"]
    assert (t.question, t.why_not("left 55")) == ("side sweep again", "")
    t.play("left 40")
    assert (pose(t), len(t.told(Paid)), t.told(RanThrough)) == ((170, 40, 0), 1, [])
