"""Rulings R1 to R6: turn order, speed, the questions of a turn, speed changes, lane changes, corners."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from spina.errors import IllegalAction, NotationError
from spina.games.chariot_race.play.events import (
    Blessed,
    CaltropDropped,
    Cornered,
    JavelinThrown,
    Ordered,
    Repaired,
    Rolled,
    Sped,
    Stepped,
    Turned,
)

if TYPE_CHECKING:
    from conftest import Table


# --- R1: position and turn order ------------------------------------------------------------------------------------


def test_r1_furthest_front_first_not_the_highest_number(table: type[Table]) -> None:
    """Fronts: o12 42, i8 36, m10 40."""
    assert table("o12", "i8", "m10").view["order"] == [0, 2, 1]


def test_r1_whole_laps_count(table: type[Table]) -> None:
    t = table({"space": "m31", "lap": 0}, {"space": "m1", "lap": 1}, {"space": "o36", "lap": -1})
    assert t.view["order"] == [1, 0, 2]
    assert [t[chariot]["distance"] for chariot in range(3)] == [124, 132, 0]


def test_r1_level_fronts_inner_lane_first(table: type[Table]) -> None:
    assert table("o14", "m12", "i10").view["order"] == [2, 1, 0]


def test_r1_level_fronts_inside_a_bend(table: type[Table]) -> None:
    """i8, m9 and o10 all end at 36."""
    assert table("o10", "i8", "m9").view["order"] == [1, 2, 0]


def test_r1_order_is_fixed_at_the_start_of_a_round(table: type[Table]) -> None:
    t = table({"space": "m16", "speed": 0}, {"space": "o15", "speed": 5}, {"space": "i1", "speed": 1}, die="fortuna")
    assert t.view["order"] == [0, 1, 2]
    t.finish_turn()
    t.finish_turn()
    assert t[1]["distance"] > t[0]["distance"]
    assert (t.view["order"], t.view["chariot"]) == ([0, 1, 2], 2)
    t.finish_turn()
    assert t.one(Ordered).chariots == (1, 0, 2)
    assert (t.view["order"], t.view["chariot"]) == ([1, 0, 2], 1)


def test_r1_wrecks_have_no_turn(table: type[Table]) -> None:
    t = table("m16", {"space": "o15", "condition": 0}, "i1")
    assert t.view["order"] == [0, 2]


# --- R2: speed 0 to 12 ----------------------------------------------------------------------------------------------


def test_r2_at_speed_0_a_chariot_rolls_stays_and_may_throw_a_javelin(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 0}, "m12", dice="attack")
    assert len(t.view["dice"]) == 5
    t.drive()
    assert t.told(Stepped) == []
    assert t.at(0) == ("m14", 0)
    assert t.legal() == ["no attack", "javelin at white"]
    t.play("javelin at white")
    assert t.one(JavelinThrown) == JavelinThrown(0, target=1, condition=11)


def test_r2_speed_may_fall_to_0_and_no_lower(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 1}, "m2", dice="+/- +/- +/-")
    t.drive("plus 0")
    assert t.one(Sped).speed == t[0]["speed"] == 0
    assert t.at(0) == ("m14", 0)


@pytest.mark.parametrize(("speed", "dice"), list(enumerate([5, 5, 5, 5, 5, 5, 4, 4, 3, 3, 2, 2, 1])))
def test_r2_dice_by_speed(table: type[Table], speed: int, dice: int) -> None:
    assert len(table({"space": "m11", "speed": speed}, "m2").view["dice"]) == dice


def test_r2_a_chariot_moves_as_many_spaces_as_its_speed(table: type[Table]) -> None:
    for speed in range(13):
        t = table({"space": "m11", "speed": speed}, "m2", dice="")
        t.drive()
        assert t.at(0) == (f"m{11 + speed}", 0)


# --- R3: what a turn asks, in order ---------------------------------------------------------------------------------


def test_r3_questions_come_in_order(table: type[Table]) -> None:
    t = table({"space": "m14", "condition": 9, "fate": 6}, "m12", die="attack")
    seen = []
    for line in ("no repair", "re-roll 1", "turn 1 to +/-", "turn 5 to steer", "turn 5 to sprint", "plus 1"):
        seen.append(t.stage)
        t.play(line)
    assert seen == ["repair", "free re-roll", "fortune", "fortune", "fortune", "signs"]
    assert t.stage == "path"
    assert (t[0]["speed"], t.view["points"], t.view["steers"], t.view["attacks"]) == (7, 7, 1, 2)
    t.play("ahead", "outward")
    assert t.stage == "attack"  # the steer die is used up: the five steps left are not asked for
    assert t.at(0) == ("o23", 0)
    t.play("caltrop on m15", "caltrop on o18")
    assert t.view["chariot"] == 1
    assert [event.space for event in t.told(CaltropDropped)] == ["m15", "o18"]


def test_r3_repair_comes_before_the_roll_and_only_once(table: type[Table]) -> None:
    t = table({"space": "m14", "condition": 4, "fate": 6}, "m12")
    assert t.view["dice"] == []
    assert t.legal() == ["repair", "no repair"]
    t.play("repair")
    assert t.one(Repaired) == Repaired(0, gained=3, condition=7, fate=3)
    assert t.stage == "free re-roll"
    assert "repair" not in t.legal()


def test_r3_any_dice_may_be_rolled_again_once_for_free(table: type[Table]) -> None:
    t = table({"space": "m14", "fate": 1}, "m2", dice="steer steer attack attack +/-", edition=table.die("sprint"))
    assert len(t.legal()) == 32
    t.play("re-roll 4 5")  # they lie as +/- steer steer attack attack
    assert t.one(Rolled, 0) == Rolled(0, ("+/-", "sprint", "sprint", "steer", "steer"), "free")
    assert t.stage == "signs"  # fate 1 buys nothing
    assert t[0]["fate"] == 1


def test_r3_dice_kept_are_not_rolled(table: type[Table]) -> None:
    t = table({"space": "m14"}, "m2", dice="steer attack", die="sprint")
    t.play("keep")
    assert t.told(Rolled, 0) == []


def test_r3_while_fate_lasts_rolls_are_bought_for_2(table: type[Table]) -> None:
    t = table({"space": "m14", "fate": 5}, "m2", dice="steer attack", die="sprint")
    t.play("keep")
    t.play("re-roll 1")
    assert t[0]["fate"] == 3
    t.play("re-roll 1 2 3 4 5")
    assert t[0]["fate"] == 1
    assert [event.roll for event in t.told(Rolled, 0)] == ["bought", "bought"]
    assert t.one(Sped).sprints == 5  # the dice stand: nothing more can be bought


def test_r3_a_die_is_turned_for_2_to_any_side_but_fortuna(table: type[Table]) -> None:
    t = table({"space": "m14", "fate": 3}, "m2", dice="")
    t.play("keep")
    turns = {f"turn {die} to {side}" for die in range(1, 6) for side in ("+/-", "sprint", "steer", "attack")}
    assert set(t.legal("turn")) == turns
    with pytest.raises(NotationError, match='no side to turn a die to "fortuna"'):
        t.play("turn 1 to fortuna")
    t.play("turn 3 to +/-")
    assert t.one(Turned) == Turned(0, "fortuna", "+/-", fate=1)
    assert t.stage == "signs"


def test_r3_dice_may_be_left_as_they_lie_although_fate_lasts(table: type[Table]) -> None:
    t = table({"space": "m14", "fate": 6}, "m2", dice="+/-")
    t.play("keep", "keep")
    assert t.stage == "signs"


def test_r3_fortuna_rolled_this_turn_does_not_pay_for_it(table: type[Table]) -> None:
    t = table({"space": "m14", "fate": 1}, "m2", dice="+/-")
    t.play("keep")
    assert t.stage == "signs"
    assert t.one(Blessed) == Blessed(0, dice=4, fate=5)


@pytest.mark.parametrize("plus", range(4))
def test_r3_every_change_die_has_its_sign(table: type[Table], plus: int) -> None:
    t = table({"space": "m14", "speed": 5}, "m2", dice="+/- +/- +/-")
    t.drive()
    assert t.legal() == ["plus 0", "plus 1", "plus 2", "plus 3"]
    t.play(f"plus {plus}")
    assert t.one(Sped).speed == 5 + plus - (3 - plus)


def test_r3_path_is_asked_while_a_lane_change_is_possible(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 3}, "m2", dice="steer")
    t.drive()
    assert t.legal() == ["ahead", "inward", "outward"]
    t.play("ahead", "ahead", "ahead")
    assert t.at(0) == ("m17", 0)
    assert t.view["chariot"] == 1


def test_r3_each_attack_die_is_used_once_or_not_at_all(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 3}, "m16", "m19", turn=0, dice="attack attack attack")
    t.drive("javelin at white", "caltrop on m15")
    assert t.legal() == ["no attack", "javelin at white", "javelin at blue", "caltrop on m16"]
    t.play("no attack")
    assert (t.view["round"], t.view["chariot"]) == (3, 2)
    assert (t[1]["condition"], t[2]["condition"], t.caltrops) == (12 - 2 - 1, 12, ["m15"])


# --- R4: speed changes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("speed", "dice", "plus", "after"),
    [
        (11, "sprint +/-", 0, 12),  # 11 + 2 - 1: not cut down to 12 in between
        (11, "sprint +/-", 1, 12),
        (11, "sprint sprint", None, 12),
        (12, "sprint", None, 12),
        (0, "+/- +/- sprint", 0, 0),  # 0 - 2 + 2: not stopped at 0 in between
        (1, "+/- +/- +/- sprint", 0, 0),
        (4, "+/- +/- sprint sprint", 1, 8),
    ],
)
def test_r4_changes_are_summed_then_clamped(
    table: type[Table], speed: int, dice: str, plus: int | None, after: int
) -> None:
    t = table({"space": "m11", "speed": speed}, "m2", dice=dice)
    t.drive(*([] if plus is None else [f"plus {plus}"]))
    assert t[0]["speed"] == after
    assert len(t.told(Stepped, 0)) == after
    assert t[0]["condition"] == 12 - dice.count("sprint")  # also when the clamp swallowed it


# --- R5: lane changes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "way", "end"),
    [
        ("m14", "inward", ("i13", 0)),  # straight: level fronts are not ahead
        ("m14", "outward", ("o17", 0)),
        ("o11", "inward", ("m10", 0)),  # 39 to 40
        ("o10", "inward", ("m10", 0)),  # 36 to 40: m9 is level
        ("m10", "inward", ("i9", 0)),  # 40 to 42
        ("i9", "outward", ("m11", 0)),  # 42 to 44
        ("i7", "outward", ("m8", 0)),  # 30 to 32
        ("m7", "outward", ("o8", 0)),  # 28 to 30
        ("m32", "inward", ("i1", 1)),  # across the line
        ("i28", "outward", ("m1", 1)),
    ],
)
def test_r5_to_the_nearest_front_further_ahead(table: type[Table], start: str, way: str, end: tuple[str, int]) -> None:
    t = table({"space": start, "speed": 1}, "m20", turn=0, dice="steer")
    t.drive(way)
    assert t.at(0) == end


def test_r5_to_the_nearest_front_from_every_space(table: type[Table]) -> None:
    edition = table.edition()
    for space, name in enumerate(edition.space_names):
        for way, change in (("inward", -1), ("outward", 1)):
            lane = edition.lane[space] + change
            if not 0 <= lane < 3:
                continue
            ahead = {
                (edition.front[other] - edition.front[space] - 1) % 128: edition.space_names[other]
                for other in range(edition.spaces)
                if edition.lane[other] == lane and edition.front[other] != edition.front[space]
            }
            (third,) = {0, 1, 2} - {lane, edition.lane[space]}
            far = {"space": f"{'imo'[third]}20", "lap": -1}
            t = table({"space": name, "speed": 1}, far, dice="steer")
            t.drive(way)
            assert t.at(0)[0] == ahead[min(ahead)], (name, way)


def test_r5_costs_one_point_and_one_steer_die(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 4}, "m2", dice="steer steer")
    t.drive("inward")
    assert (t.view["points"], t.view["steers"]) == (3, 1)
    assert t.legal() == ["ahead", "outward"]
    t.play("outward")
    assert t.at(0) == ("m18", 0)  # i13, m16, and two more ahead
    assert [event.space for event in t.told(Stepped, 0)] == ["i13", "m16", "m17", "m18"]


@pytest.mark.parametrize(("start", "beyond"), [("i14", "inward"), ("o14", "outward")])
def test_r5_there_is_no_lane_beyond_the_edge(table: type[Table], start: str, beyond: str) -> None:
    t = table({"space": start, "speed": 2}, "m2", dice="steer")
    t.drive()
    assert beyond not in t.legal()
    with pytest.raises(IllegalAction):
        t.play(beyond)


def test_r5_without_a_steer_die_the_lane_is_kept(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 4}, "m2", dice="")
    t.drive()
    assert [event.way for event in t.told(Stepped, 0)] == ["ahead"] * 4


# --- R6: corners ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "speed", "damage"),
    [("i8", 3, 0), ("i8", 4, 1), ("m9", 5, 0), ("m9", 8, 3), ("o10", 7, 0), ("o10", 12, 5), ("m22", 12, 7)],
)
def test_r6_costs_speed_minus_number_if_positive(table: type[Table], start: str, speed: int, damage: int) -> None:
    t = table({"space": start, "speed": speed}, "i1", dice="")
    t.drive()
    assert t[0]["condition"] == 12 - damage
    assert [event.damage for event in t.told(Cornered, 0)] == [damage] * (damage > 0)


def test_r6_ending_in_the_corner_is_entering_it(table: type[Table]) -> None:
    t = table({"space": "m4", "speed": 6}, "m2", dice="")
    t.drive()
    assert (t.at(0), t[0]["condition"]) == (("m10", 0), 11)


def test_r6_leaving_the_corner_is_not(table: type[Table]) -> None:
    t = table({"space": "m10", "speed": 9}, "m2", dice="")
    t.drive()
    assert t[0]["condition"] == 12


def test_r6_every_time_one_is_entered(table: type[Table]) -> None:
    """o11, m10 and i9 in one move: 1 and 3 and 5."""
    t = table({"space": "o10", "speed": 8}, "m2", dice="steer steer")
    t.drive("ahead", "inward", "inward")
    assert [(e.safe_speed, e.damage) for e in t.told(Cornered, 0)] == [(7, 1), (5, 3), (3, 5)]
    assert t[0]["condition"] == 3


def test_r6_speed_after_the_dice_counts(table: type[Table]) -> None:
    t = table({"space": "m9", "speed": 5}, "m2", dice="+/- sprint")
    t.drive("plus 1")
    assert t.one(Cornered).damage == 3
    assert t[0]["speed"] == 8  # damage on the way does not slow it down
