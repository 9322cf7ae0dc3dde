"""Rulings R13 to R18: pairs, the line, what happens on entering a space, put-back rammers, sprints and heaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import spina
from spina.games.chariot_race.play.events import (
    CaltropDropped,
    Cornered,
    Crashed,
    JavelinThrown,
    Line,
    PutBack,
    Rammed,
    Sped,
    Spiked,
    Stepped,
    Wrecked,
)

if TYPE_CHECKING:
    from conftest import Table


# --- R13: two chariots each -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "chariots"), [(2, 4), (3, 6), (4, 4), (5, 5), (6, 6)])
def test_r13_with_two_or_three_players_each_has_two(seats: int, chariots: int) -> None:
    view = spina.new("chariot-race", seats=seats, seed=1).view(None)
    owners = [chariot["seat"] for chariot in view["chariots"]]
    assert len(owners) == chariots
    assert {owners.count(seat) for seat in range(seats)} == {chariots // seats}


@pytest.mark.parametrize("seats", [2, 3])
def test_r13_one_chariot_each_can_be_chosen(seats: int) -> None:
    assert len(spina.new("chariot-race", seats=seats, seed=1, pairs=False).view(None)["chariots"]) == seats


def test_r13_every_chariot_has_its_own_turn(table: type[Table]) -> None:
    t = table("m14", "m12", "i5", "o3", seats=2, die="fortuna")
    acting = []
    while t.view["round"] == 2:
        acting.append((t.view["chariot"], t.race.to_act))
        t.finish_turn()
    assert acting == [(0, (0,)), (1, (1,)), (2, (0,)), (3, (1,))]


@pytest.mark.parametrize("winner", range(4))
def test_r13_a_seat_wins_with_either(table: type[Table], winner: int) -> None:
    chariots: list[dict[str, object]] = [{"space": f"o{3 * chariot + 1}"} for chariot in range(4)]
    chariots[winner] = {"space": "m31", "lap": 1}
    t = table(*chariots, seats=2, die="fortuna")
    t.finish_round()
    assert t.race.over
    assert t.race.places[t[winner]["seat"]] == 1
    assert t.race.places[1 - t[winner]["seat"]] == 2


def test_r13_a_wreck_does_not_count_against_the_other(table: type[Table]) -> None:
    chariots = [{"space": "m3", "condition": 0}, "o10", {"space": "m31", "lap": 1}, "o20"]
    t = table(*chariots, seats=2, die="fortuna")
    t.finish_round()
    assert t.race.ranking == [[0], [1]]


# --- R14: the line --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", range(2, 7))
def test_r14_on_the_grid_laps_are_minus_1(seats: int) -> None:
    chariots = spina.new("chariot-race", seats=seats, seed=1).view(None)["chariots"]
    assert {chariot["lap"] for chariot in chariots} == {-1}
    assert max(chariot["distance"] for chariot in chariots) == 0


@pytest.mark.parametrize("lap", [-1, 0, 1])
@pytest.mark.parametrize("start", ["i28", "m32", "o36"])
def test_r14_crossing_adds_one(table: type[Table], start: str, lap: int) -> None:
    t = table({"space": start, "lap": lap, "speed": 1}, "m14", turn=0, dice="")
    t.drive()
    assert t.at(0) == (f"{start[0]}1", lap + 1)
    assert t.one(Line) == Line(0, laps=lap + 1)


def test_r14_the_space_that_ends_at_the_line_lies_before_it(table: type[Table]) -> None:
    t = table({"space": "m30", "lap": 1, "speed": 2}, "m14", turn=0, die="fortuna")
    t.finish_round()
    assert t.at(0) == ("m32", 1)
    assert not t[0]["finished"]
    assert not t.race.over


def test_r14_two_laps_are_raced(table: type[Table]) -> None:
    t = table({"space": "m31", "lap": 0, "speed": 4}, {"space": "m14", "lap": 0}, die="fortuna")
    t.finish_round()
    assert (t[0]["lap"], t.race.over) == (1, False)
    t = table({"space": "m31", "lap": 1, "speed": 4}, {"space": "m14", "lap": 0}, die="fortuna")
    t.finish_round()
    assert (t[0]["lap"], t[0]["finished"], t.race.over) == (2, True, True)


def test_r14_being_put_back_across_the_line_takes_the_lap_away_again(table: type[Table]) -> None:
    t = table({"space": "m30", "lap": 1, "speed": 3}, {"space": "m1", "speed": 0}, turn=0, die="fortuna")
    t.finish_turn()
    assert t.one(Line, 0) == Line(0, laps=2)
    assert t.one(PutBack) == PutBack(0, "m32", lap=1)
    assert not t[0]["finished"]
    t.finish_round()
    assert not t.race.over


# --- R15: on entering a space ---------------------------------------------------------------------------------------


def test_r15_corner_then_ram_then_caltrop(table: type[Table]) -> None:
    t = table({"space": "m9", "speed": 8}, "m10", turn=0, dice="", caltrops=["m10"])
    t.drive()
    order = [event for event in t.events if isinstance(event, Cornered | Rammed | Spiked)]
    assert order == [Cornered(0, 3, 5, 9), Rammed(0, 1, 7, 10), Spiked(0, "m10", 6)]


def test_r15_a_chariot_that_a_corner_destroys_still_rams(table: type[Table]) -> None:
    """At speed 7 the corner i9 costs the 4 that are left; the rammed chariot loses its last 2."""
    t = table({"space": "i8", "speed": 5, "condition": 5}, {"space": "i9", "condition": 2}, "m2", turn=0, dice="sprint")
    t.drive()
    assert t.one(Cornered) == Cornered(0, damage=4, safe_speed=3, condition=0)
    assert t.one(Rammed).rammed_condition == 0
    assert {event.chariot for event in t.told(Wrecked)} == {0, 1}
    assert t.caltrops == ["i9"]


def test_r15_it_takes_the_caltrop_along_before_its_own_is_laid(table: type[Table]) -> None:
    t = table({"space": "i8", "speed": 5, "condition": 5}, "i9", "m2", turn=0, dice="sprint", caltrops=["i9"])
    t.drive()
    assert t.one(Spiked).space == "i9"
    assert t.one(Wrecked) == Wrecked(0, "i9", marker=True)
    assert (t.caltrops, t.view["supply"], t[1]["condition"]) == (["i9"], 19, 10)


@pytest.mark.parametrize("speed", [2, 3])
def test_r15_the_marker_of_a_wreck_does_not_hurt_its_rammer(table: type[Table], speed: int) -> None:
    t = table({"space": "m14", "speed": speed}, {"space": "m16", "condition": 1}, "m2", turn=0, dice="")
    t.drive()
    assert t.told(Spiked) == []
    assert t[0]["condition"] == 10
    assert t.caltrops == ["m16"]


# --- R16: rammers that are wrecked or put back ----------------------------------------------------------------------


def test_r16_a_rammer_that_is_wrecked_stays_in_the_space_of_the_ram(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 2, "condition": 2}, "m16", "m2", turn=0, dice="")
    t.drive()
    assert t.one(Wrecked) == Wrecked(0, "m16", marker=True)
    assert t.told(PutBack) == []
    assert (t.caltrops, t[1]["condition"]) == (["m16"], 10)


def test_r16_both_wrecked_leave_one_marker(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 2, "condition": 2}, {"space": "m16", "condition": 1}, "m2", turn=0, dice="")
    t.drive()
    assert {(event.chariot, event.space) for event in t.told(Wrecked)} == {(0, "m16"), (1, "m16")}
    assert sum(event.marker for event in t.told(Wrecked)) == 1
    assert (t.caltrops, t.view["supply"]) == (["m16"], 19)


def test_r16_a_rammer_that_lives_is_put_back_although_the_rammed_was_wrecked(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 2}, {"space": "m16", "condition": 2}, "m2", turn=0, dice="")
    t.drive()
    assert t.at(0) == ("m15", 0)
    assert t.one(Wrecked) == Wrecked(1, "m16", marker=True)


def test_r16_the_space_it_started_from_counts_as_free(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 1}, "m15", turn=0, dice="")
    t.drive()
    assert (t.at(0), t[0]["condition"]) == (("m14", 0), 10)


def test_r16_dying_on_the_caltrop_there_it_is_wrecked_there(table: type[Table]) -> None:
    t = table({"space": "o17", "speed": 1, "condition": 3}, "m16", "m2", turn=0, dice="steer", caltrops=["m15"])
    t.drive("inward")
    assert t.one(PutBack) == PutBack(0, "m15", lap=0)
    assert t.one(Wrecked) == Wrecked(0, "m15", marker=True)
    assert (t.caltrops, t.view["supply"], t[1]["condition"]) == (["m15"], 19, 10)


def test_r16_both_wrecked_apart_leave_a_marker_each(table: type[Table]) -> None:
    chariots = [{"space": "o17", "speed": 1, "condition": 3}, {"space": "m16", "condition": 2}, "m2"]
    t = table(*chariots, turn=0, dice="steer", caltrops=["m15"])
    t.drive("inward")
    assert {(event.chariot, event.space) for event in t.told(Wrecked)} == {(0, "m15"), (1, "m16")}
    assert (t.caltrops, t.view["supply"]) == (["m15", "m16"], 18)


def test_r16_a_marker_under_a_standing_chariot_costs_it_nothing(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 0}, {"space": "m10", "speed": 1}, die="fortuna", caltrops=["m14", "m10"])
    t.finish_round()
    assert t.told(Spiked) == []
    assert [t[chariot]["condition"] for chariot in range(2)] == [12, 12]
    assert t.caltrops == ["m10", "m14"]


# --- R17: fatal sprints ---------------------------------------------------------------------------------------------


def test_r17_a_sprint_that_brings_damage_to_0_wrecks_on_the_spot(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 1, "condition": 1}, "m15", turn=0, dice="sprint attack steer")
    t.drive()
    assert t.one(Sped, 0).condition == 0
    assert t.one(Wrecked) == Wrecked(0, "m14", marker=True)
    assert t.told(Stepped, 0) == t.told(JavelinThrown) == t.told(CaltropDropped) == []
    assert (t.at(0), t[0]["wrecked"], t[1]["condition"]) == (("m14", 0), True, 12)


@pytest.mark.parametrize(("condition", "dead"), [(3, True), (4, False)])
def test_r17_several_sprints_count_together(table: type[Table], condition: int, dead: bool) -> None:
    t = table({"space": "m14", "speed": 1, "condition": condition}, "m2", "m3", dice="sprint sprint sprint")
    t.drive()
    assert t[0]["wrecked"] == dead
    assert len(t.told(Stepped, 0)) == (0 if dead else 7)


# --- R18: stone heaps -----------------------------------------------------------------------------------------------

HEAPS = {"o14": (1, "o12"), "i26": (1, "i24"), "m17": (2, "m15"), "i20": (2, "i18")}


@pytest.mark.parametrize("board", ["AA", "AB", "BA", "BB"])
@pytest.mark.parametrize("heap", list(HEAPS))
def test_r18_a_wreck_in_a_heap_leaves_its_marker_there(table: type[Table], heap: str, board: str) -> None:
    half, start = HEAPS[heap]
    t = table({"space": start, "speed": 4}, "m2", "m3", dice="attack", options={"board": board})
    t.drive()
    if board[half - 1] == "B":
        assert t.one(Crashed) == Crashed(0, heap)
        assert t.one(Wrecked) == Wrecked(0, heap, marker=True)
        assert t.caltrops == [heap]
        assert t.told(JavelinThrown) == t.told(CaltropDropped) == []
    else:
        assert t.told(Crashed) == t.told(Wrecked) == []
        assert len(t.told(Stepped, 0)) == 4


def test_r18_changing_lanes_into_a_heap_is_a_crash_too(table: type[Table]) -> None:
    t = table({"space": "o18", "speed": 3}, "m2", "m3", dice="steer", options={"board": "AB"})
    t.drive("inward")
    assert t.one(Crashed) == Crashed(0, "m17")


def test_r18_a_second_wreck_in_a_heap_lays_no_second_marker(table: type[Table]) -> None:
    t = table({"space": "m16", "speed": 1}, "m2", "m3", dice="", options={"board": "BB"}, caltrops=["m17"])
    t.drive()
    assert t.one(Wrecked) == Wrecked(0, "m17", marker=False)
    assert (t.caltrops, t.view["supply"]) == (["m17"], 19)


def test_r18_the_view_shows_the_heaps_of_the_boards_that_lie_with_side_b(table: type[Table]) -> None:
    names = table.edition().space_names
    for board in ("AA", "AB", "BA", "BB"):
        shown = {names[space] for space in table("m2", "m3", options={"board": board}).view["heaps"]}
        assert shown == {heap for heap, (half, _) in HEAPS.items() if board[half - 1] == "B"}
