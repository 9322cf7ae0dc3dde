"""Rulings D1 to D14, K1 to K7 and M15: distances, sub-moves, U-turns, tests and skids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from spina.games.chariotmaster.play import events
from spina.games.chariotmaster.play.events import (
    Changed,
    Collided,
    Crossed,
    HorseDied,
    Lost,
    LostToken,
    Moved,
    OutOf,
    Paid,
    Pivoted,
    RanThrough,
    Rolled,
    Skids,
    TurnedRound,
    TurnEnds,
)

if TYPE_CHECKING:
    from conftest import Table

LATER = {"moved": 50, "submoves": 1}
"""A turn after a sub-move of 5 cm."""
SPENT = {"spurred": True, "whipped": True}
ASIDE = {"progress": -60, "offset": -60}
"""A rival far away, who has had his turn or not."""


def alone(table: type[Table], chariot: dict[str, Any] | None = None, **rest: Any) -> Table:
    """Chariot 0 in the middle of the straight with nothing near it."""
    return table({"offset": 0, **(chariot or {})}, ASIDE, **rest)


def pose(t: Table) -> tuple[float, float, float]:
    """Where chariot 0 stands: millimetres and degrees."""
    piece = t.piece(0)
    assert piece is not None
    return piece["x"] / 10, piece["y"] / 10, piece["heading"] / 10


# --- the tokens, M15 ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("token", "least", "most", "pivot"),
    [("0", 0, 50, 45), ("5", 50, 100, 30), ("10", 100, 150, 10)],
    ids=["0", "5", "10"],
)
def test_distances_and_pivot_of_each_token(table: type[Table], token: str, least: int, most: int, pivot: int) -> None:
    t = alone(table, {"token": token})
    assert (t.driving["minimum"], t.driving["maximum"], t.driving["pivot"]) == (least, most, pivot)
    assert t.why_not(f"ahead {most}, pivot {pivot} left") == ""
    assert "further" in t.why_not(f"ahead {most + 1}")
    assert "pivot" in t.why_not(f"ahead {most}, pivot {pivot + 1} left")


@pytest.mark.parametrize(("horses", "top"), [("racing", 150), ("fast", 180)])
def test_the_10_token_of_fast_horses_reaches_18_cm(table: type[Table], horses: str, top: int) -> None:
    design = {"horses": horses, "chassis": "light"} if horses == "fast" else {}
    t = alone(table, {"token": "10"}, options={"designs": [design, {}]})
    assert (t.driving["maximum"], t.why_not(f"ahead {top}")) == (top, "")


def test_m15_a_sub_move_is_whole_millimetres_and_at_least_ten(table: type[Table]) -> None:
    t = alone(table)
    assert "10 mm" in t.why_not("ahead 9")
    assert t.why_not("ahead 10") == t.why_not("ahead 83") == ""
    t.play("ahead 83, pivot 17 left")
    assert pose(t) == (283, 0, 17)


@pytest.mark.parametrize(
    ("about", "corner"),
    [
        ("centre", (0, 0)), ("front left", (20, 10)), ("front right", (20, -10)),
        ("rear left", (-20, 10)), ("rear right", (-20, -10)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_m15_a_pivot_keeps_its_point_in_place(table: type[Table], about: str, corner: tuple[int, int]) -> None:
    """A U-turn of 90 degrees to the left takes (ahead, left) to (-left, ahead)."""
    ahead, left = corner
    t = alone(table, {"token": "0"}).play(f"u-turn 90 left about {about}")
    x, y, heading = pose(t)
    assert heading == 90
    assert (x - left, y + ahead) == pytest.approx((200 + ahead, left), abs=0.1)


# --- D1 to D6: braking, spurring, whipping --------------------------------------------------------------------------


@pytest.mark.parametrize(("how", "mm"), [("brake", -40), ("spur", 40), ("whip", 40)], ids=["brake", "spur", "whip"])
def test_d1_a_point_of_stamina_and_a_die(table: type[Table], how: str, mm: int) -> None:
    t = alone(table, dice=(4,)).play(how)
    assert t.one(Paid) == Paid(0, 1, how)
    assert t[0]["stamina"] == 18
    assert t.one(Rolled) == Rolled(0, how, (4,))
    assert t.one(Changed) == Changed(0, how + "s", mm, 50 + mm, 100 + mm)
    assert (t.driving["minimum"], t.driving["maximum"]) == (50 + mm, 100 + mm)
    assert t.question == "drive"


@pytest.mark.parametrize("how", ["brake", "spur", "whip"])
@pytest.mark.parametrize("when", ["before the first", "after one", "after a passed test"])
def test_d1_at_every_question_of_the_drive(table: type[Table], how: str, when: str) -> None:
    t = alone(table, driving=None if when == "before the first" else LATER, dice=(1, 1))
    if when == "after a passed test":
        t.play("announce")
    assert t.question == ("sub-move" if when == "after a passed test" else "drive")
    before = t.question
    t.play(how)
    assert len(t.told(Changed)) == 1
    assert t.question == before


def test_d1_one_die_at_a_time(table: type[Table]) -> None:
    t = alone(table, dice=(2, 3)).play("brake")
    assert (t.driving["minimum"], t.question) == (30, "drive")
    t.play("brake")
    assert (t.driving["minimum"], t.driving["maximum"], t[0]["stamina"]) == (0, 50, 17)


def test_d1_spur_and_whip_once_each_in_a_turn_brakes_as_often_as_wished(table: type[Table]) -> None:
    t = alone(table, dice=(1, 1, 1, 1)).play("spur")
    assert "spurred" in t.why_not("spur")
    t.play("whip")
    assert "whip" in t.why_not("whip")
    assert (t.driving["spurred"], t.driving["whipped"]) == (True, True)
    t.play("brake", "brake")
    assert t.why_not("brake") == ""
    assert t.legal("spur") == t.legal("whip") == []


def test_d1_they_can_be_used_again_in_the_next_turn(table: type[Table]) -> None:
    t = alone(table, {"token": "0"}, dice=(1, 1)).play("spur", "whip", "ahead 50", "stop", "ahead 50", "stop")
    t.dice((2, 0)).tokens("0", "0")
    assert t.legal("spur") == ["spur"] and t.legal("whip") == ["whip"]
    assert t.driving["maximum"] == 50


def test_d1_without_a_whip_there_is_no_whipping_but_spurring(table: type[Table]) -> None:
    t = alone(table, {"whip": False})
    assert "whip" in t.why_not("whip")
    assert t.why_not("spur") == ""


def test_d2_spur_or_whip_when_the_maximum_is_used_up(table: type[Table]) -> None:
    t = alone(table, dice=(2,)).play("ahead 100")
    assert (t.question, t.legal()) == ("drive", ["stop", "brake", "spur", "whip"])
    t.play("spur")
    assert t.driving["maximum"] == 120
    assert t.legal("announce") == ["announce"]


def test_d2_otherwise_the_turn_ends(table: type[Table]) -> None:
    t = alone(table, driving=SPENT).play("ahead 100")
    assert t.one(TurnEnds).mm == 100
    t = alone(table, {"whip": False}, driving={"spurred": True}).play("ahead 100")
    assert t.one(TurnEnds).mm == 100


def test_d3_less_than_a_centimetre_is_no_sub_move(table: type[Table]) -> None:
    t = alone(table).play("ahead 91")
    assert t.legal() == ["stop", "brake", "spur", "whip"]
    assert "1 cm" in t.why_not("announce")
    t = alone(table, driving=SPENT).play("ahead 91")
    assert t.one(TurnEnds).mm == 91


def test_d3_a_centimetre_is_enough(table: type[Table]) -> None:
    t = alone(table, driving=SPENT).play("ahead 90")
    assert t.legal() == ["stop", "brake", "announce"]


def test_d4_a_sweep_counts_as_distance(table: type[Table]) -> None:
    t = alone(table).play("left 50")
    assert (t.driving["moved"], pose(t)) == (50, (200, 50, 0))
    assert t.why_not("stop") == ""


def test_d4_a_skid_counts(table: type[Table]) -> None:
    t = alone(table, driving=LATER, dice=(6,)).play("announce", "go")
    assert t.one(TurnEnds).mm == 100


def test_d4_a_stumble_does_not_count(table: type[Table]) -> None:
    t = alone(table, {"stamina": 0}, driving=LATER, dice=(5, 6, 1)).play("spur")
    assert t.one(Moved) == Moved(0, 0, "back", 30, 170, 0, 0)
    assert t.driving["moved"] == 50


def test_a_side_sweep_costs_a_point_of_stamina_and_keeps_the_facing(table: type[Table]) -> None:
    t = alone(table, {"heading": 10}).play("right 30")
    assert t.one(Paid) == Paid(0, 1, "side sweep")
    x, y, heading = pose(t)
    assert (x, y, heading) == (pytest.approx(200 + 30 * 0.17365, abs=0.06), pytest.approx(-30 * 0.98481, abs=0.06), 10)


def test_d5_without_stamina_the_table_first_then_the_activity(table: type[Table]) -> None:
    t = alone(table, {"stamina": 0}, dice=(3, 5)).play("spur")
    assert [type(event) for event in t.events] == [Paid, Rolled, OutOf, Rolled, Changed]
    assert t[0]["worn"] == {"stamina": 1}
    assert t.driving["maximum"] == 150


def test_d5_the_activity_only_if_it_is_still_possible(table: type[Table]) -> None:
    """The last horse drops dead: there is no spurring any more."""
    last = {"stamina": 0, "horses": 1, "worn": {"stamina": 2}}
    t = alone(table, last, dice=(6, 1, 1)).play("spur")
    assert t.one(HorseDied).left == 0
    assert t.told(Changed) == []
    assert t.view["active"] != 0


def test_d5_every_activity_can_still_be_bought(table: type[Table]) -> None:
    t = alone(table, {"stamina": 0})
    assert all(t.why_not(action) == "" for action in ("brake", "spur", "whip", "left 20"))


def test_d6_a_brake_below_what_was_moved_ends_the_move_where_it_is(table: type[Table]) -> None:
    t = alone(table, driving={**LATER, **SPENT}, dice=(6,)).play("brake")
    assert (t.one(Changed).least, t.one(Changed).most) == (-10, 40)
    assert t.one(TurnEnds).mm == 50
    assert pose(t) == (200, 0, 0)


def test_d6_spur_and_whip_may_still_undo_it(table: type[Table]) -> None:
    t = alone(table, driving=LATER, dice=(6, 6)).play("brake")
    assert (t.question, t.driving["maximum"], t.legal("announce")) == ("drive", 40, [])
    t.play("spur")
    assert t.legal("announce") == ["announce"]


# --- D7: a sweep whose payment changes something --------------------------------------------------------------------


def test_d7_a_stumble_before_the_sweep_and_the_sweep_as_announced_if_it_is_free(table: type[Table]) -> None:
    t = alone(table, {"stamina": 0}, dice=(5, 1)).play("left 30")
    assert [event.how for event in t.told(Moved)] == ["back", "sweep"]
    assert pose(t) == (190, 30, 0)


def test_d7_asked_again_when_it_is_no_longer_possible(table: type[Table]) -> None:
    """Another chariot stands behind it on the left, and is beside it after the stumble."""
    t = table({"offset": 0, "stamina": 0}, {"progress": 50, "offset": 40}, dice=(5, 3)).play("left 30")
    assert pose(t) == (180, 0, 0)
    assert (t.question, t.asked) == ("side sweep again", 0)
    assert t.legal("forgo") == ["forgo"]
    assert "other side" in t.why_not("right 20")
    assert "way" in t.why_not("left 30")
    assert t.why_not("ahead 20") and t.why_not("brake") and t.why_not("stop")


def test_d7_the_sweep_is_not_paid_again(table: type[Table]) -> None:
    t = table({"offset": 0, "stamina": 0}, {"progress": 50, "offset": 40}, dice=(5, 3)).play("left 30", "left 15")
    assert len(t.told(Paid)) == 1
    assert (pose(t), t.driving["moved"], t.driving["submoves"]) == ((180, 15, 0), 15, 1)


def test_d7_or_forgone(table: type[Table]) -> None:
    t = table({"offset": 0, "stamina": 0}, {"progress": 50, "offset": 40}, dice=(5, 3)).play("left 30", "forgo")
    assert (t.question, t.driving["moved"], pose(t)) == ("drive", 0, (180, 0, 0))
    assert t.legal("announce") == ["announce"]


def test_d7_asked_again_when_the_payment_took_the_token(table: type[Table]) -> None:
    worn = {"offset": 0, "token": "10", "stamina": 0, "worn": {"stamina": 1}}
    t = table(worn, ASIDE, driving={"moved": 60, "submoves": 1}, dice=(1, 6)).play("announce", "left 60")
    assert t.one(LostToken).highest == "5"
    assert (t.question, t.why_not("left 40"), bool(t.why_not("left 41"))) == ("side sweep again", "", True)


def test_d7_nothing_is_asked_when_no_sweep_is_left(table: type[Table]) -> None:
    worn = {"offset": 0, "token": "10", "stamina": 0, "worn": {"stamina": 1}}
    t = table(worn, ASIDE, driving={"moved": 95, "submoves": 1}, dice=(1, 6)).play("announce", "left 30")
    assert (t.question, t.driving["maximum"], t.driving["moved"]) == ("drive", 100, 95)


# --- D8 to D14: U-turns, pivots, stopping ---------------------------------------------------------------------------


def test_d8_a_u_turn_with_a_minimum_of_0(table: type[Table]) -> None:
    t = alone(table, {"token": "0"})
    assert t.why_not("u-turn 180 left") == ""
    assert "U-turn" in alone(table).why_not("u-turn 180 left")


def test_d8_or_less_after_braking(table: type[Table]) -> None:
    t = alone(table, dice=(6,)).play("brake")
    assert (t.driving["minimum"], t.why_not("u-turn 180 left")) == (-10, "")


def test_d8_the_maximum_must_be_a_centimetre(table: type[Table]) -> None:
    t = alone(table, {"token": "0"}, dice=(5, 1)).play("brake")
    assert "U-turn" in t.why_not("u-turn 90 left")
    t.play("spur")
    assert (t.driving["minimum"], t.driving["maximum"]) == (-40, 10)
    assert t.why_not("u-turn 90 left") == ""


def test_d8_not_after_moving(table: type[Table]) -> None:
    t = alone(table, {"token": "0"}).play("ahead 10")
    assert "U-turn" in t.why_not("u-turn 90 left")


def test_d9_a_u_turn_is_swept(table: type[Table]) -> None:
    """At the end both would stand side by side, but on the way a corner would touch."""
    beside = {"progress": 100, "offset": 21}
    t = table({"offset": 0, "token": "0"}, beside)
    assert "pivot" in t.why_not("u-turn 180 left")
    assert "pivot" in t.why_not("u-turn 20 right")
    assert table({"offset": 0, "token": "0"}, ASIDE).why_not("u-turn 180 left") == ""


def test_d9_a_pivot_is_swept_against_the_wall(table: type[Table]) -> None:
    t = table({"offset": 69.5, "token": "0"}, ASIDE)
    assert "pivot" in t.why_not("ahead 20, pivot 45 left about centre")
    assert t.why_not("ahead 20, pivot 45 right about front left") != ""
    assert t.why_not("ahead 20, pivot 20 right about rear left") == ""


@pytest.mark.parametrize("degrees", [1, 37, 180])
@pytest.mark.parametrize("side", ["left", "right"])
def test_d10_a_u_turn_is_one_pivot_of_any_whole_angle_and_ends_the_turn(
    table: type[Table], degrees: int, side: str
) -> None:
    t = alone(table, {"token": "0"}).play(f"u-turn {degrees} {side} about centre")
    turned = degrees if side == "left" else -degrees
    assert t.one(TurnedRound) == TurnedRound(0, "centre", turned, 200, 0, turned % 360)
    assert t.one(TurnEnds) == TurnEnds(0, 0)
    assert t.told(Rolled) == []


def test_d10_no_attack_after_a_u_turn(table: type[Table]) -> None:
    t = table({"offset": 0, "token": "0"}, {"progress": 100, "offset": 31, "drawn": True}).play("u-turn 1 right")
    assert t.question == "speed tokens"


def test_d11_the_same_pivot_limit_after_straight_and_sweep(table: type[Table]) -> None:
    t = alone(table)
    for way in ("ahead", "left", "right"):
        assert t.why_not(f"{way} 30, pivot 30 left") == ""
        assert t.why_not(f"{way} 30") == ""
        assert "pivot" in t.why_not(f"{way} 30, pivot 31 right")


def test_d12_the_shift_of_the_centre_in_a_pivot_does_not_count(table: type[Table]) -> None:
    t = alone(table).play("ahead 50, pivot 30 left about rear right")
    assert t.driving["moved"] == 50
    assert t.one(Pivoted).degrees == 30
    assert pose(t)[:2] != (250, 0)


def test_d13_stop_when_the_minimum_is_travelled(table: type[Table]) -> None:
    t = alone(table)
    assert "minimum" in t.why_not("stop")
    assert alone(table, {"token": "0"}).why_not("stop") == ""
    assert "minimum" in alone(table, driving={"moved": 49, "submoves": 1}).why_not("stop")
    assert alone(table, driving={"moved": 50, "submoves": 1}).why_not("stop") == ""


@pytest.mark.parametrize(("die", "most"), [(5, 0), (6, -10)])
def test_d13_with_a_maximum_of_0_or_less_only_spur_whip_stop(table: type[Table], die: int, most: int) -> None:
    t = alone(table, {"token": "0"}, dice=(die,)).play("brake")
    assert (t.driving["maximum"], t.legal()) == (most, ["stop", "spur", "whip"])
    assert t.why_not("brake")


def test_d14_no_stopping_after_a_passed_test(table: type[Table]) -> None:
    t = alone(table, driving=LATER, dice=(1,)).play("announce")
    assert (t.question, t.legal("stop")) == ("sub-move", [])
    assert "test" in t.why_not("stop")


def test_d14_unless_no_sub_move_is_free(table: type[Table]) -> None:
    """Standing across the track at its edge, between two others: neither ahead nor to the sides."""
    boxed = {"offset": 58, "heading": 90}
    left, right = {"progress": 70, "offset": 50, "heading": 90}, {"progress": 130, "offset": 50, "heading": 90}
    t = table(boxed, left, right, driving=LATER, dice=(1,)).play("announce")
    assert t.question == "sub-move"
    assert t.legal() == ["stop", "brake", "spur", "whip"]
    t.play("stop")
    assert t.one(TurnEnds).mm == 50


def test_the_first_sub_move_takes_no_test_and_the_next_must_be_announced(table: type[Table]) -> None:
    t = alone(table).play("ahead 50")
    assert t.told(events.Tested) == []
    assert "announced" in t.why_not("ahead 20")
    assert t.why_not("announce") == ""
    assert alone(table).why_not("announce")


def test_a_sub_move_that_crosses_the_line_ends_the_turn(table: type[Table]) -> None:
    """E4: 18 mm before the end of the second lap its front is over."""
    t = table({"progress": 3730, "offset": 0}, ASIDE).play("ahead 50")
    assert t.one(Crossed).place == 1
    assert t.one(TurnEnds).mm == 50


# --- K1, K2, K7: the test -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("token", "own"), [("0", -1), ("5", 0), ("10", 1)], ids=["0", "5", "10"])
@pytest.mark.parametrize("done", [1, 2, 3, 4])
def test_k1_plus_one_for_each_sub_move_begun_and_the_tokens_own(
    table: type[Table], token: str, own: int, done: int
) -> None:
    t = alone(table, {"token": token}, driving={"moved": 20, "submoves": done}, dice=(2,)).play("announce")
    assert t.one(events.Tested) == events.Tested(0, "sub-move", 2, done + own, 6, passed=2 + done + own <= 6)


@pytest.mark.parametrize(
    ("token", "chances"),
    [("0", [5, 5, 4, 3]), ("5", [5, 4, 3, 2]), ("10", [4, 3, 2, 1])],
    ids=["0", "5", "10"],
)
def test_k1_chances_in_six_at_skill_6(table: type[Table], token: str, chances: list[int]) -> None:
    for done, chance in enumerate(chances, 1):
        passed = [
            alone(table, {"token": token}, driving={"moved": 20, "submoves": done}, dice=(face,))
            .play("announce")
            .question
            for face in range(1, 7)
        ]
        assert passed == ["sub-move"] * chance + ["skid"] * (6 - chance)


def test_k1_sub_moves_count_from_their_beginning(table: type[Table]) -> None:
    t = alone(table, dice=(1, 1)).play("ahead 20", "announce", "left 20", "announce")
    assert [event.modifier for event in t.told(events.Tested)] == [1, 2]
    assert t.driving["submoves"] == 2


def test_k1_neither_a_u_turn_nor_a_stumble_counts(table: type[Table]) -> None:
    t = alone(table, {"stamina": 0}, dice=(5, 1, 1)).play("spur")
    assert (len(t.told(Moved)), t.driving["submoves"]) == (1, 0)


@pytest.mark.parametrize(
    ("design", "top"),
    [({"horses": "fast", "chassis": "light"}, 180), ({}, 150)],
    ids=["10-18", "10-15"],
)
def test_k2_the_modifier_belongs_to_the_10_token_in_any_version(
    table: type[Table], design: dict[str, str], top: int
) -> None:
    options = {"designs": [design, {}]}
    t = alone(table, {"token": "10"}, driving=LATER, dice=(1,), options=options).play("announce")
    assert (t.one(events.Tested).modifier, t.driving["maximum"]) == (2, top)


def test_k2_boars_with_their_10_to_13_too(table: type[Table]) -> None:
    boars = {"race": "orcs", "horses": ["boars", "racing"], "chassis": "standard"}
    options = {"fantasy": True, "points": 4, "designs": [boars, boars]}
    t = alone(table, {"token": "10"}, driving=LATER, dice=(1,), options=options).play("announce")
    assert (t.one(events.Tested).modifier, t.driving["maximum"]) == (2, 130)


@pytest.mark.parametrize("face", range(1, 7))
def test_k7_with_skill_0_only_a_1_passes(table: type[Table], face: int) -> None:
    t = alone(table, {"token": "0", "skill": 0}, driving={"moved": 20, "submoves": 1}, dice=(face,)).play("announce")
    assert t.one(events.Tested).passed == (face == 1)


def test_k7_a_natural_1_passes_and_a_natural_6_fails_whatever_the_modifier(table: type[Table]) -> None:
    worst = alone(table, {"token": "10", "skill": 1}, driving={"moved": 20, "submoves": 5}, dice=(1,)).play("announce")
    assert worst.question == "sub-move"
    best = alone(table, {"token": "0", "skill": 7}, driving={"moved": 20, "submoves": 1}, dice=(6,)).play("announce")
    assert best.question == "skid"


# --- K3 to K6: skids ------------------------------------------------------------------------------------------------


def test_k3_a_skid_keeps_the_direction_of_the_last_sub_move_and_the_facing(table: type[Table]) -> None:
    t = alone(table, dice=(6,)).play("ahead 50, pivot 30 left", "announce")
    assert t.one(Skids).direction == 0
    t.play("go")
    assert pose(t) == (300, 0, 30)
    assert t.told(Moved)[-1] == Moved(0, 0, "skid", 50, 300, 0, 30)


def test_k3_sideways_after_a_sweep(table: type[Table]) -> None:
    t = alone(table, dice=(6,)).play("left 30", "announce").play("go")
    assert t.one(Skids).direction == 90
    x, y, heading = pose(t)
    assert (x, heading) == (200, 0)
    assert y > 30


def test_k4_brake_or_go_each_die_seen(table: type[Table]) -> None:
    t = alone(table, driving=LATER, dice=(6, 1, 2)).play("announce")
    assert (t.question, t.legal()) == ("skid", ["brake", "go"])
    t.play("brake")
    assert (t.question, t.driving["maximum"]) == ("skid", 90)
    t.play("brake", "go")
    assert (t.one(TurnEnds).mm, pose(t)) == (70, (220, 0, 0))
    assert len(t.told(Paid)) == 2


def test_k4_it_slides_less_than_a_centimetre_too(table: type[Table]) -> None:
    t = alone(table, driving={"moved": 84, "submoves": 1}, dice=(6, 1)).play("announce", "brake", "go")
    assert t.told(Moved)[-1].mm == 6
    assert t.one(TurnEnds).mm == 90


def test_k4_braked_to_nothing_it_does_not_move(table: type[Table]) -> None:
    t = alone(table, driving=LATER, dice=(6, 5)).play("announce", "brake")
    assert t.told(Moved) == []
    assert t.one(TurnEnds).mm == 50


def test_k4_no_spur_whip_or_pivot_in_a_skid_and_no_attack_after_it(table: type[Table]) -> None:
    t = table({"offset": 0}, {"progress": 150, "offset": 21, "drawn": True}, driving=LATER, dice=(6,)).play("announce")
    assert t.why_not("spur") and t.why_not("whip") and t.why_not("stop") and t.why_not("pivot 10 left")
    t.play("go")
    assert t.question == "speed tokens"


def test_k5_braking_without_stamina_keeps_the_stored_direction(table: type[Table]) -> None:
    """The stumble moves it back by 1 cm; then it slides on as before, by the old maximum."""
    t = alone(table, {"stamina": 0}, dice=(6, 5, 1, 1)).play("ahead 50, pivot 30 left", "announce", "brake")
    assert t.one(OutOf).result == 5
    x, y, _ = pose(t)
    assert (x, y) == (pytest.approx(250 - 8.66, abs=0.06), pytest.approx(-5, abs=0.06))
    t.play("go")
    assert pose(t) == (pytest.approx(x + 40), y, 30)


def test_k6_a_skid_stops_at_the_first_big_object_and_the_turn_ends(table: type[Table]) -> None:
    ahead = {"progress": 165, "offset": 0, "drawn": True}
    t = table({"offset": 0}, ahead, driving=LATER, dice=(6, 1, 1, 1, 1)).play("announce", "go")
    assert t.one(Collided).target == 1
    assert (t.told(Moved)[0].how, t.told(Moved)[0].mm) == ("skid", 24.9)
    assert t.one(TurnEnds).mm == 74.9


def test_k6_a_small_object_is_run_through_and_the_slide_goes_on(table: type[Table]) -> None:
    wreck = {"progress": -60, "offset": 60, "driver": "dead", "wreck": {"progress": 145, "offset": 0}, "drawn": True}
    driving = {"moved": 20, "submoves": 1}
    t = table({"offset": 0}, {"offset": -60}, wreck, driving=driving, dice=(6, 2, 2, 2, 2)).play("announce", "go")
    assert t.one(RanThrough).target == 12 + 2
    assert t.told(Lost) == []
    assert t.one(TurnEnds).mm == 100
    assert pose(t) == (280, 0, 0)


def test_k6_one_that_cannot_be_cleared_is_bumped_into(table: type[Table]) -> None:
    wreck = {"progress": -60, "offset": 60, "driver": "dead", "wreck": {"progress": 145, "offset": 0}, "drawn": True}
    t = table({"offset": 0}, {"offset": -60}, wreck, driving=LATER, dice=(6, 2, 2, 2, 2)).play("announce", "go")
    assert t.told(RanThrough) == []
    assert t.one(Collided).kind == "collision"
    assert t.one(TurnEnds).mm < 20 + 50
