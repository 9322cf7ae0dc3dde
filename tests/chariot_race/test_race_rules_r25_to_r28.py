"""Rulings R25 to R28."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from test_race_rules_variants import course, edition_with

import spina
from spina.games.chariot_race.play.events import CaltropDropped, Finished, JavelinThrown, Stepped

if TYPE_CHECKING:
    from conftest import Table


# --- R25: declining to attack ---------------------------------------------------------------------------------------


def test_r25_declining_leaves_all_attack_dice_unused(table: type[Table]) -> None:
    t = table({"space": "o16", "speed": 5}, "m17", turn=0, dice="attack attack")
    t.drive()
    assert (t.stage, t.view["attacks"]) == ("attack", 2)
    t.play("no attack")
    assert t.view["round"] == 3
    assert not t.told(JavelinThrown) and not t.caltrops


def test_r25_what_is_left_after_an_attack_may_be_declined(table: type[Table]) -> None:
    t = table({"space": "o16", "speed": 5}, {"space": "m17", "condition": 7}, turn=0, dice="attack attack")
    t.drive("javelin at white")
    assert (t.stage, t.view["attacks"]) == ("attack", 1)
    t.play("no attack")
    assert t.view["round"] == 3
    assert t[1]["condition"] == 6
    assert not t.told(CaltropDropped)


def test_r25_nothing_is_asked_when_no_attack_is_possible(table: type[Table]) -> None:
    """A single step leaves no space for a caltrop, and the rival is out of range."""
    t = table({"space": "o16", "speed": 1}, "m25", turn=0, dice="attack attack")
    t.drive()
    assert t.at(0) == ("o17", 0)
    assert t.view["round"] == 3


def test_r25_nothing_more_is_asked_when_the_last_target_is_wrecked(table: type[Table]) -> None:
    t = table({"space": "o16", "speed": 1}, {"space": "m17", "condition": 1}, "m29", turn=0, dice="attack attack")
    t.drive("javelin at white")
    assert t[1]["wrecked"]
    assert t.view["round"] == 3


# --- R26: no winner -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "chariots"), [(2, 2), (4, 4), (2, 4), (3, 6)])
def test_r26_when_every_chariot_is_wrecked_all_seats_come_last_together(
    table: type[Table], seats: int, chariots: int
) -> None:
    """Also those that were destroyed far ahead of others."""
    wrecks = [{"space": f"m{20 + chariot}", "lap": 1, "condition": 0} for chariot in range(1, chariots)]
    t = table({"space": "m14", "speed": 1, "condition": 1}, *wrecks, seats=seats, dice="sprint")
    t.drive()
    assert t.race.over
    assert t.race.places == (seats,) * seats
    assert t.race.ranking == [[*range(seats)]]
    assert {(event.seat_place, event.place) for event in t.told(Finished)} == {(seats, chariots)}
    assert {chariot["place"] for chariot in t.view["chariots"]} == {chariots}


# --- R27: two chariots each by default ------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "owners"), [(2, [0, 1, 0, 1]), (3, [0, 1, 2, 0, 1, 2]), (4, [0, 1, 2, 3])])
def test_r27_two_or_three_seats_have_two_chariots_unless_they_agree_otherwise(seats: int, owners: list[int]) -> None:
    """Second chariots are numbered after all first ones."""
    race = spina.new("chariot-race", seats=seats, seed=3)
    assert [chariot["seat"] for chariot in race.view(None)["chariots"]] == owners
    single = spina.new("chariot-race", seats=seats, seed=3, pairs=False)
    assert [chariot["seat"] for chariot in single.view(None)["chariots"]] == [*range(seats)]


def test_r27_the_draft_gives_first_chariots_before_second_ones() -> None:
    race = spina.new("chariot-race", seats=3, seed=3, individual=True)
    drafted = []
    while race.view(None)["stage"] == "draft":
        (seat,) = race.to_act
        drafted.append((race.view(None)["chariot"], seat))
        race.play(seat, race.legal(seat)[0])
    assert all(chariot % 3 == seat for chariot, seat in drafted)
    assert {chariot for chariot, _ in drafted[:3]} == {0, 1, 2}


# --- R28: forced steps ----------------------------------------------------------------------------------------------


def test_r28_without_a_steer_die_all_steps_are_taken_at_once(table: type[Table]) -> None:
    t = table({"space": "m11", "speed": 4}, "m2", dice="")
    t.drive()
    assert [event.space for event in t.told(Stepped, 0)] == ["m12", "m13", "m14", "m15"]
    assert t.view["chariot"] == 1


def test_r28_after_the_last_steer_die_the_remaining_steps_are_taken_at_once(table: type[Table]) -> None:
    t = table({"space": "m13", "speed": 4}, "m2", dice="steer")
    t.drive()
    assert (t.stage, t.view["points"]) == ("path", 4)
    t.play("ahead")
    assert (t.stage, t.view["points"]) == ("path", 3)
    t.play("outward")
    assert [event.space for event in t.told(Stepped, 0)] == ["m14", "o17", "o18", "o19"]
    assert t.view["chariot"] == 1


ONE_LANE = course("a", "6", [f"straight-1 a {place}" for place in (4, 3, 2, 1)] + ["bend-2 a 6", "bend-2 a 5"], [], [])


def test_r28_where_no_lane_lies_beside_steer_dice_are_not_asked_for(table: type[Table]) -> None:
    edition = edition_with(table, ONE_LANE)
    t = table({"space": "a9", "speed": 4}, "a2", dice="steer steer", edition=edition)
    t.drive()
    assert [event.space for event in t.told(Stepped, 0)] == ["a10", "a11", "a12", "a13"]
    assert t.view["chariot"] == 1
