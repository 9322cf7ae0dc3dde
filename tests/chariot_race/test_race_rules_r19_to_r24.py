"""Rulings R19 to R24: the end, safe finishers, repair and fortune, own chariots, the grid, individual chariots."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

import spina
from spina.errors import IllegalAction
from spina.games.chariot_race.play.events import (
    Blessed,
    Drafted,
    Finished,
    HeldBack,
    Placed,
    PutBack,
    Rammed,
    Repaired,
    Rolled,
    Sped,
    Stepped,
    Wrecked,
)

if TYPE_CHECKING:
    from conftest import Table

GRID = ["o36", "m32", "i28", "o35", "m31", "i27"]
CHARACTERS = ["heavy", "lucky", "steady", "light", "wild", "sprinter"]


# --- R19: the end of the race ---------------------------------------------------------------------------------------


def test_r19_everybody_has_a_turn_in_the_last_round(table: type[Table]) -> None:
    t = table({"space": "m31", "lap": 1}, {"space": "m29", "lap": 1, "speed": 9}, "m3", die="fortuna")
    t.finish_turn()
    assert t[0]["finished"] and not t.race.over
    t.finish_turn()
    assert not t.race.over
    t.finish_turn()
    assert t.race.over
    assert t.at(2) == ("m7", 0)
    assert t.race.ranking == [[1], [0], [2]]


def test_r19_a_finisher_wrecked_later_in_the_round_does_not_end_it(table: type[Table]) -> None:
    first = {"space": "m32", "lap": 1, "speed": 1, "condition": 1}
    second = {"space": "m31", "lap": 1, "speed": 0}
    t = table(first, second, {"space": "o20", "lap": 1, "speed": 0}, turn=0, dice="", die="attack")
    t.drive()
    assert t[0]["finished"]
    t.drive("javelin at red")
    assert t.one(Wrecked) == Wrecked(0, "m1", marker=True)
    assert not t[0]["finished"]
    t.finish_round()
    assert not t.race.over
    assert (t.view["round"], t.view["order"]) == (3, [1, 2])


def test_r19_another_finisher_still_ends_it(table: type[Table]) -> None:
    first = {"space": "m32", "lap": 1, "speed": 1, "condition": 1}
    t = table(first, {"space": "o35", "lap": 1, "speed": 3}, "o20", turn=0, dice="", die="attack")
    t.drive()
    t.drive("javelin at red")  # from o2
    t.finish_round()
    assert t.race.over
    assert t.race.places == (3, 1, 2)


def test_r19_behind_the_finishers_those_under_way_then_all_wrecks_together(table: type[Table]) -> None:
    chariots = [
        {"space": "m25", "lap": 1, "condition": 0},
        {"space": "m5", "lap": 1},
        {"space": "m31", "lap": 1},
        {"space": "m3", "condition": 0},
        {"space": "m8", "lap": 1},
    ]
    t = table(*chariots, die="fortuna")
    t.finish_round()
    assert t.race.over
    assert t.race.ranking == [[2], [4], [1], [0, 3]]
    assert t.race.places == (4, 3, 1, 4, 2)
    assert {event.chariot: event.place for event in t.told(Finished)} == {0: 4, 1: 3, 2: 1, 3: 4, 4: 2}


# --- R20: safe after finishing --------------------------------------------------------------------------------------


def finished(table: type[Table], safe: bool, second: dict[str, Any], die: str, condition: int = 9) -> Table:
    """Chariot 0 has finished on m1 and completed its turn; chariot 1 is about to roll."""
    first = {"space": "m32", "lap": 1, "speed": 1, "condition": condition}
    other = {"space": "o20", "lap": 0}
    t = table(first, second, other, turn=0, dice="", die=die, options={"safe_finish": safe})
    t.drive()
    assert t[0]["finished"] and t.view["chariot"] == 1
    return t


@pytest.mark.parametrize("safe", [False, True])
def test_r20_no_javelin_at_such_a_chariot(table: type[Table], safe: bool) -> None:
    t = finished(table, safe, {"space": "m30", "lap": 1, "speed": 1}, "attack")
    t.drive()
    if safe:
        assert t.view["chariot"] == 2  # nobody to throw at
    else:
        assert t.legal("javelin") == ["javelin at red"]


@pytest.mark.parametrize(("safe", "left"), [(False, 7), (True, 9)])
def test_r20_a_ram_costs_it_nothing_but_the_rammer_2_and_puts_it_back(
    table: type[Table], safe: bool, left: int
) -> None:
    t = finished(table, safe, {"space": "m30", "lap": 1, "speed": 3}, "fortuna")
    t.drive()
    assert t.one(Rammed) == Rammed(1, rammed=0, condition=10, rammed_condition=left)
    assert t.one(PutBack) == PutBack(1, "m32", lap=1)


@pytest.mark.parametrize("safe", [False, True])
def test_r20_a_ram_on_the_way_wrecks_no_safe_chariot(table: type[Table], safe: bool) -> None:
    t = finished(table, safe, {"space": "m30", "lap": 1, "speed": 5}, "fortuna", condition=2)
    t.drive()
    assert t[0]["wrecked"] == (not safe)
    assert (t.at(1), t[1]["condition"]) == (("m3", 2), 10)


def test_r20_not_before_the_turn_is_completed(table: type[Table]) -> None:
    """It crosses the line and rams in the same turn: that costs it."""
    first = {"space": "m31", "lap": 1, "speed": 4}
    t = table(first, "m2", turn=0, dice="", options={"safe_finish": True})
    t.drive()
    assert [t[chariot]["condition"] for chariot in range(2)] == [10, 10]


def test_r20_not_before_finishing(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 0}, "m15", turn=0, dice="attack", options={"safe_finish": True})
    t.drive()
    assert t.legal("javelin") == ["javelin at white"]


# --- R21: repair and fortune ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("condition", "gained"), [(1, 3), (8, 3), (9, 3), (10, 2), (11, 1)])
def test_r21_repair_mends_as_much_as_it_can(table: type[Table], condition: int, gained: int) -> None:
    t = table({"space": "m14", "condition": condition, "fate": 5}, "m2")
    t.play("repair")
    assert t.one(Repaired) == Repaired(0, gained, condition + gained, fate=2)


@pytest.mark.parametrize(("condition", "fate"), [(12, 6), (5, 2), (11, 0)])
def test_r21_repair_is_not_offered_undamaged_or_without_3_fate(table: type[Table], condition: int, fate: int) -> None:
    t = table({"space": "m14", "condition": condition, "fate": fate}, "m2")
    assert t.stage == "free re-roll"
    with pytest.raises(IllegalAction):
        t.play("repair")


def test_r21_repair_comes_before_the_initial_speed(table: type[Table]) -> None:
    t = table({"space": "m14", "condition": 4, "speed": 8, "fate": 3}, "m2")
    t.play("repair")
    assert t.one(HeldBack).speed == 7


def test_r21_a_bought_roll_takes_at_least_one_die(table: type[Table]) -> None:
    t = table({"space": "m14", "fate": 4}, "m2", dice="+/-")
    t.play("keep")
    assert t.stage == "fortune"
    assert len(t.legal("re-roll")) == 31
    t.play("keep")  # stops, and costs nothing
    assert (t.stage, t.told(Rolled, 0)) == ("signs", [])
    assert t.one(Blessed).fate == 6


def test_r21_a_die_is_not_turned_to_the_side_it_shows(table: type[Table]) -> None:
    t = table({"space": "m14", "fate": 2}, "m2", dice="+/- sprint steer attack")
    t.play("keep")
    for die, side in enumerate(("+/-", "sprint", "steer", "attack"), start=1):
        assert f"turn {die} to {side}" not in t.legal()
        assert len(t.legal(f"turn {die}")) == 3
    assert len(t.legal("turn 5")) == 4
    with pytest.raises(IllegalAction, match='"turn 2 to sprint" is not possible now'):
        t.play("turn 2 to sprint")


@pytest.mark.parametrize(("fate", "after"), [(0, 3), (1, 4), (5, 6), (6, 6)])
def test_r21_fortuna_is_always_taken_up_to_the_maximum(table: type[Table], fate: int, after: int) -> None:
    t = table({"space": "m14", "fate": fate}, "m2", dice="steer steer fortuna fortuna fortuna")
    t.drive()
    assert t.one(Blessed) == Blessed(0, dice=3, fate=after)


# --- R22: own chariots, laps, places for caltrops -------------------------------------------------------------------


def test_r22_a_javelin_may_hit_ones_own_second_chariot(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 0}, "o3", "m15", "o9", seats=2, turn=0, dice="attack")
    t.drive("javelin at blue")
    assert (t[2]["seat"], t[2]["condition"]) == (0, 11)


def test_r22_a_ram_may_hit_ones_own_second_chariot(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 2}, "o3", "m15", "o9", seats=2, turn=0, dice="")
    t.drive()
    assert [t[chariot]["condition"] for chariot in (0, 2)] == [10, 10]


def test_r22_laps_do_not_matter_for_range(table: type[Table]) -> None:
    t = table(
        {"space": "m14", "speed": 0}, {"space": "m15", "lap": 1}, {"space": "o16", "lap": -1}, turn=0, dice="attack"
    )
    t.drive()
    assert t.legal("javelin") == ["javelin at white", "javelin at blue"]


def test_r22_caltrops_on_the_grid_and_beyond_the_line(table: type[Table]) -> None:
    t = table({"space": "m30", "speed": 5}, "m14", dice="attack")
    t.drive()
    assert t.at(0) == ("m3", 1)
    assert set(t.legal("caltrop")) == {f"caltrop on {space}" for space in ("m31", "m32", "m1", "m2")}


def test_r22_caltrops_on_numbered_spaces(table: type[Table]) -> None:
    t = table({"space": "m9", "speed": 3}, "m2", dice="attack")
    t.drive("caltrop on m10")
    assert t.caltrops == ["m10"]


def test_r22_caltrops_ahead_of_a_thrower_who_was_put_back(table: type[Table]) -> None:
    """By o19 to m18, and back behind m17: o19 and m18, where the rammed chariot stands, now lie ahead."""
    t = table({"space": "o18", "speed": 2}, "m18", "m17", turn=0, dice="steer attack")
    t.drive("ahead", "inward")
    assert t.at(0) == ("m16", 0)
    assert t.legal("caltrop") == ["caltrop on m18", "caltrop on o19"]


# --- R23: starting places -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "pairs"), [(2, False), (2, True), (3, True), (4, False), (5, False), (6, False)])
def test_r23_chariots_are_drawn_for_the_front_row_from_outside_then_the_rear(
    table: type[Table], seats: int, pairs: bool
) -> None:
    draws = set()
    for seed in range(400):
        race = spina.new("chariot-race", seats=seats, seed=seed, pairs=pairs, edition=table.edition())
        chariots = race.view(None)["chariots"]
        where = {chariot["name_of_space"]: chariot["chariot"] for chariot in chariots}
        assert set(where) == set(GRID[: len(chariots)])
        draws.add(tuple(where[space] for space in GRID[: len(chariots)]))
    for place in range(seats * (1 + pairs)):
        assert {draw[place] for draw in draws} == set(range(seats * (1 + pairs)))
    if seats * (1 + pairs) <= 4:  # chariots, not seats: every order of them
        assert len(draws) == {2: 2, 4: 24}[seats * (1 + pairs)]


def test_r23_the_plain_chariot_starts_at_damage_12_speed_4_fate_3() -> None:
    for chariot in spina.new("chariot-race", seats=6, seed=3).view(None)["chariots"]:
        assert (chariot["condition"], chariot["speed"], chariot["fate"]) == (12, 4, 3)


def drafted(seats: int, seed: int, **options: Any) -> tuple[spina.Race, list[tuple[str, int, int]]]:
    """Everybody takes the first thing there is; what was asked, of which seat and chariot."""
    race = spina.new("chariot-race", seats=seats, seed=seed, individual=True, **options)
    asked = []
    while race.view(None)["stage"] in ("draft", "starting space"):
        view = race.view(None)
        (seat,) = race.to_act
        asked.append((view["stage"], seat, view["chariots"][view["chariot"]]["chariot"]))
        race.play(seat, race.legal(seat)[0])
    return race, asked


@pytest.mark.parametrize("seats", [4, 5, 6])
@pytest.mark.parametrize("seed", range(4))
def test_r23_the_draft_goes_round_once_and_places_are_chosen_in_reverse(seats: int, seed: int) -> None:
    _, asked = drafted(seats, seed)
    drafts = [seat for stage, seat, _ in asked if stage == "draft"]
    places = [seat for stage, seat, _ in asked if stage == "starting space"]
    assert sorted(drafts) == list(range(seats))
    assert all((b - a) % seats == 1 for a, b in pairwise(drafts))
    assert places == drafts[::-1]


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_r23_second_chariots_are_drafted_on_the_way_back(seats: int, seed: int) -> None:
    """Places: first chariots against the order of their draft, then second chariots against that of theirs."""
    _, asked = drafted(seats, seed)
    drafts = [(seat, chariot) for stage, seat, chariot in asked if stage == "draft"]
    places = [(seat, chariot) for stage, seat, chariot in asked if stage == "starting space"]
    first, second = drafts[:seats], drafts[seats:]
    assert [seat for seat, _ in second] == [seat for seat, _ in first][::-1]
    assert len({chariot for _, chariot in drafts}) == 2 * seats
    assert places == first[::-1] + second[::-1]


def test_r23_a_random_seat_drafts_first() -> None:
    for seats in (2, 3, 4, 6):
        races = [spina.new("chariot-race", seats=seats, seed=seed, individual=True) for seed in range(60)]
        assert {race.to_act for race in races} == {(seat,) for seat in range(seats)}


def test_r23_what_is_taken_is_gone(table: type[Table]) -> None:
    race = spina.new("chariot-race", seats=3, seed=1, individual=True, edition=table.edition())
    left, told = set(CHARACTERS), []
    while race.view(None)["stage"] == "draft":
        (seat,) = race.to_act
        assert {str(action) for action in race.legal(seat)} == {f"draft {character}" for character in left}
        told += race.play(seat, f"draft {min(left)}")
        left.remove(min(left))
    spaces = set(GRID)
    while race.view(None)["stage"] == "starting space":
        (seat,) = race.to_act
        assert {str(action) for action in race.legal(seat)} == {f"start {space}" for space in spaces}
        told += race.play(seat, f"start {max(spaces)}")
        spaces.remove(max(spaces))
    assert [event.character for event in told if isinstance(event, Drafted)] == sorted(CHARACTERS)
    assert [event.space for event in told if isinstance(event, Placed)] == sorted(GRID, reverse=True)
    assert race.view(None)["round"] == 1


# --- R24: individual chariots ---------------------------------------------------------------------------------------


def individual(table: type[Table], kind: str, **rest: Any) -> Table:
    dice = rest.pop("dice", None)
    return table({"space": "m11", "kind": kind, **rest}, "m2", dice=dice, options={"individual": True})


@pytest.mark.parametrize(("kind", "most"), [("heavy", 11), ("light", 12), ("wild", 13), ("sprinter", 14)])
def test_r24_speed_is_clamped_to_their_own_maximum(table: type[Table], kind: str, most: int) -> None:
    t = individual(table, kind, speed=min(most, 13), dice="sprint")
    before = t[0]["condition"]
    t.drive()
    assert t.one(Sped).speed == t[0]["speed"] == most
    assert before - 1 == t.one(Sped).condition
    assert len(t.told(Stepped, 0)) == most


def test_r24_condition_and_fate_end_where_their_own_tracks_do(table: type[Table]) -> None:
    t = individual(table, "heavy", condition=13, fate=3)
    t.play("repair")
    assert t.one(Repaired).condition == 15
    t = individual(table, "heavy", fate=4, dice="fortuna fortuna")
    t.drive()
    assert t.one(Blessed).fate == 5


@pytest.mark.parametrize(
    ("kind", "speed", "dice"), [("heavy", 5, 4), ("steady", 7, 5), ("light", 12, 2), ("sprinter", 6, 4)]
)
def test_r24_dice_follow_their_own_table(table: type[Table], kind: str, speed: int, dice: int) -> None:
    assert len(individual(table, kind, speed=speed).view["dice"]) == dice


@pytest.mark.parametrize(
    ("kind", "condition", "speed", "limit"),
    [("light", 8, 11, 10), ("light", 8, 10, 10), ("light", 5, 9, 6), ("wild", 2, 13, 3), ("heavy", 15, 11, 11)],
)
def test_r24_the_limit_of_the_first_speed_follows_their_own_table(
    table: type[Table], kind: str, condition: int, speed: int, limit: int
) -> None:
    t = individual(table, kind, condition=condition, speed=speed)
    assert t[0]["speed"] == limit


@pytest.mark.parametrize("character", CHARACTERS)
def test_r24_they_start_with_their_own_values(table: type[Table], character: str) -> None:
    starts = {
        "heavy": (15, 3, 3), "lucky": (11, 4, 5), "steady": (12, 4, 3),
        "light": (10, 4, 3), "wild": (9, 5, 4), "sprinter": (10, 6, 2),
    }  # fmt: skip
    race = spina.new("chariot-race", seats=4, seed=1, individual=True, edition=table.edition())
    (seat,) = race.to_act
    chariot = race.view(None)["chariot"]
    race.play(seat, f"draft {character}")
    found = race.view(None)["chariots"][chariot]
    assert found["kind"] == character
    assert (found["condition"], found["speed"], found["fate"]) == starts[character]
