"""Rulings R7 to R12: rams, wrecks, caltrops, javelins, wrecking oneself, the finish."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from spina.errors import IllegalAction
from spina.games.chariot_race.components.edition import ChariotRaceEdition
from spina.games.chariot_race.play.events import (
    CaltropDropped,
    Cornered,
    Crashed,
    Finished,
    JavelinThrown,
    Line,
    PutBack,
    Rammed,
    Spiked,
    Stepped,
    Wrecked,
)

if TYPE_CHECKING:
    from conftest import Table

TWENTY = [f"o{number}" for number in range(1, 21)]


# --- R7: rams -------------------------------------------------------------------------------------------------------


def test_r7_a_ram_costs_both_2_and_the_rammer_drives_on(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 3}, "m16", turn=0, dice="")
    t.drive()
    assert t.one(Rammed) == Rammed(0, rammed=1, condition=10, rammed_condition=10)
    assert (t.at(0), t.at(1)) == (("m17", 0), ("m16", 0))
    assert t.told(PutBack) == []


def test_r7_every_time(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 4}, "m15", "m17", turn=0, dice="")
    t.drive()
    assert [event.rammed for event in t.told(Rammed)] == [1, 2]
    assert [t[chariot]["condition"] for chariot in range(3)] == [8, 10, 10]


def test_r7_a_chariot_of_another_lap_is_rammed_too(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 3}, {"space": "m16", "lap": 1}, turn=0, dice="")
    t.drive()
    assert t.one(Rammed).rammed == 1


def test_r7_on_the_last_step_the_rammer_is_put_back(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 4}, "m18", turn=0, dice="")
    t.drive()
    assert t.one(PutBack) == PutBack(0, "m17", lap=0)
    assert (t.at(0), t.at(1)) == (("m17", 0), ("m18", 0))
    assert [t[chariot]["condition"] for chariot in range(2)] == [10, 10]


def test_r7_to_the_first_free_space_without_ramming_again(table: type[Table]) -> None:
    """Entered from outside, so that the two behind have not been rammed on the way."""
    t = table({"space": "o17", "speed": 1}, "m16", "m15", "m14", turn=0, dice="steer")
    t.drive("inward")
    assert t.one(Rammed).rammed == 1
    assert t.at(0) == ("m13", 0)
    assert [t[chariot]["condition"] for chariot in range(4)] == [10, 10, 12, 12]


def test_r7_in_the_lane_of_the_ram(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 1}, "o17", turn=0, dice="steer")
    t.drive("outward")
    assert t.at(0) == ("o16", 0)


def test_r7_being_put_back_takes_the_caltrop_there(table: type[Table]) -> None:
    t = table({"space": "o15", "speed": 1}, "m14", turn=0, dice="steer", caltrops=["m13", "m12"])
    t.drive("inward")
    assert t.one(Spiked) == Spiked(0, "m13", condition=9)
    assert (t.caltrops, t.view["supply"]) == (["m12"], 19)


def test_r7_being_put_back_does_not_count_a_corner(table: type[Table]) -> None:
    """Through the corner i9, outward into m11, and put back into m10, whose number is 5: only i9 costs."""
    t = table({"space": "i5", "speed": 5}, "m11", turn=0, dice="steer steer")
    t.drive("ahead", "ahead", "ahead", "ahead", "outward")
    assert t.at(0) == ("m10", 0)
    assert [event.safe_speed for event in t.told(Cornered)] == [3]
    assert t[0]["condition"] == 12 - 2 - 2
    fast = {"space": "i2", "speed": 8}
    t = table(fast, "m11", turn=0, dice="steer steer")
    t.drive(*["ahead"] * 7, "outward")
    assert t.at(0) == ("m10", 0)
    assert [event.safe_speed for event in t.told(Cornered)] == [3]
    assert t[0]["condition"] == 12 - 5 - 2


def test_r7_a_stone_heap_is_skipped_over(table: type[Table]) -> None:
    t = table({"space": "m12", "speed": 1}, "o15", turn=0, dice="steer", options={"board": "BA"})
    t.drive("outward")
    assert t.one(PutBack) == PutBack(0, "o13", lap=0)
    assert t.told(Crashed) == []
    t = table({"space": "m12", "speed": 1}, "o15", turn=0, dice="steer", options={"board": "AB"})
    t.drive("outward")
    assert t.at(0) == ("o14", 0)


# --- R8: wrecks -----------------------------------------------------------------------------------------------------


def test_r8_a_wreck_leaves_a_caltrop_where_it_was_destroyed(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 3}, {"space": "m16", "condition": 2}, turn=0, dice="")
    t.drive()
    assert t.one(Wrecked) == Wrecked(1, "m16", marker=True)
    assert (t.caltrops, t.view["supply"]) == (["m16"], 19)
    assert t[1]["wrecked"] and t[1]["condition"] == 0


def test_r8_its_caltrop_is_like_any_other(table: type[Table]) -> None:
    """Chariot 0 wrecks 1 in m16; 2 comes by later in the round."""
    chariots = [{"space": "m14", "speed": 3}, {"space": "m16", "condition": 2}, {"space": "m13", "speed": 4}]
    t = table(*chariots, turn=0, dice="", die="fortuna")
    t.drive()
    t.finish_turn()
    assert t.told(Spiked, 2) == [Spiked(2, "m16", condition=11)]


def test_r8_a_space_never_holds_two(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 0}, {"space": "m16", "condition": 1}, turn=0, dice="attack", caltrops=["m16"])
    t.drive("javelin at white")
    assert t.one(Wrecked) == Wrecked(1, "m16", marker=False)
    assert (t.caltrops, t.view["supply"]) == (["m16"], 19)


def test_r8_when_the_20_are_out_none_is_laid(table: type[Table]) -> None:
    rammed = {"space": "m16", "condition": 2}
    t = table({"space": "m14", "speed": 3}, rammed, turn=0, dice="attack", caltrops=TWENTY)
    assert t.view["supply"] == 0
    t.drive()
    assert t.one(Wrecked) == Wrecked(1, "m16", marker=False)
    assert sorted(t.caltrops) == sorted(TWENTY)
    assert t.view["round"] == 3  # nothing to drop, nobody to hit
    assert t.told(CaltropDropped) == []


def test_r8_a_caltrop_run_over_goes_back_to_the_supply(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 3}, "m2", dice="", caltrops=["m15", "m17"])
    t.drive()
    assert [event.space for event in t.told(Spiked)] == ["m15", "m17"]  # moving through, and ending there
    assert (t[0]["condition"], t.caltrops, t.view["supply"]) == (10, [], 20)


# --- R9: where caltrops are dropped ---------------------------------------------------------------------------------


def test_r9_on_spaces_entered_but_not_the_first_or_the_final(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 4}, "m2", dice="attack steer")
    t.drive("ahead", "outward")
    assert t.at(0) == ("o20", 0)
    assert t.legal() == ["no attack", "caltrop on m15", "caltrop on o18", "caltrop on o19"]
    for space in ("m14", "o20", "m16", "o17"):
        with pytest.raises(IllegalAction, match="is not possible now"):
            t.play(f"caltrop on {space}")


def test_r9_also_where_a_chariot_stands_and_it_costs_that_chariot_nothing(table: type[Table]) -> None:
    """Rammed on the way, it has lost 2, and drives off the marker without harm (R16)."""
    t = table({"space": "m14", "speed": 4}, {"space": "m16", "speed": 1}, turn=0, dice="attack", die="fortuna")
    t.drive()
    assert t.legal("caltrop") == ["caltrop on m15", "caltrop on m16", "caltrop on m17"]
    t.play("caltrop on m16")
    assert (t[1]["condition"], t.caltrops, t.view["supply"]) == (10, ["m16"], 19)
    t.finish_round()
    assert (t.at(1), t[1]["condition"], t.caltrops) == (("m17", 0), 10, ["m16"])


def test_r9_a_space_under_a_chariot_is_reason_enough_to_ask(table: type[Table]) -> None:
    """Three steps behind, it is no target for a javelin; its space is all that is left for the third die."""
    t = table({"space": "m14", "speed": 4}, "m15", turn=0, dice="attack attack attack")
    t.drive("caltrop on m16", "caltrop on m17")
    assert t.legal() == ["no attack", "caltrop on m15"]


def test_r9_not_where_one_lies(table: type[Table]) -> None:
    """The marker of a wreck that was rammed on the way, and one dropped by the first die."""
    t = table({"space": "m14", "speed": 4}, {"space": "m16", "condition": 2}, turn=0, dice="attack attack")
    t.drive()
    assert t.legal("caltrop") == ["caltrop on m15", "caltrop on m17"]
    t.play("caltrop on m17")
    assert t.legal("caltrop") == ["caltrop on m15"]


def test_r9_a_space_freed_of_its_caltrop_may_take_one(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 2}, "m2", dice="attack", caltrops=["m15"])
    t.drive("caltrop on m15")
    assert (t.caltrops, t.view["supply"]) == (["m15"], 19)


def test_r9_a_single_step_leaves_nowhere_to_drop(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 1}, "m2", dice="attack")
    t.drive()
    assert t.view["chariot"] == 1


def test_r9_the_final_space_is_where_the_rammer_was_put_back(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 4}, "m18", turn=0, dice="attack")
    t.drive()
    assert t.at(0) == ("m17", 0)
    assert t.legal("caltrop") == ["caltrop on m15", "caltrop on m16", "caltrop on m18"]


# --- R10: javelins --------------------------------------------------------------------------------------------------


def in_range(edition: ChariotRaceEdition, thrower: int) -> set[int]:
    """Two steps over touching spaces, found from the borders alone."""

    def back(space: int) -> int:
        before = [edition.front[s] for s in range(edition.spaces) if edition.lane[s] == edition.lane[space]]
        return max((front for front in before if front < edition.front[space]), default=0)

    def touch(a: int, b: int) -> bool:
        lanes = abs(edition.lane[a] - edition.lane[b])
        if lanes == 0:
            return edition.front[a] % 128 == back(b) % 128 or edition.front[b] % 128 == back(a) % 128
        if lanes > 1:
            return False
        wound = (-128, 0, 128)
        return any(back(a) <= edition.front[b] + w and back(b) + w <= edition.front[a] for w in wound)

    once = {space for space in range(edition.spaces) if touch(thrower, space)}
    twice = {space for space in range(edition.spaces) if any(touch(middle, space) for middle in once)}
    return (once | twice) - {thrower}


@pytest.mark.parametrize("thrower", ["m14", "m32", "i28", "i1", "i9", "m10", "o11", "o6"])
def test_r10_range_is_two_steps_over_touching_spaces(table: type[Table], thrower: str) -> None:
    edition = table.edition()
    near = in_range(edition, edition.space_numbers[thrower])
    for space, name in enumerate(edition.space_names):
        if name == thrower:
            continue
        t = table({"space": thrower, "speed": 0}, name, turn=0, dice="attack")
        t.drive()
        hit = t.view["chariot"] == 0 and t.legal("javelin") == ["javelin at white"]
        assert hit == (space in near), name


def test_r10_range_on_the_straight(table: type[Table]) -> None:
    """Ahead, behind, beside, across: up to two spaces each way, in the lanes two away less."""
    edition = table.edition()
    names = {edition.space_names[space] for space in in_range(edition, edition.space_numbers["m18"])}
    sideways = {f"i{n}" for n in range(14, 19)} | {f"o{n}" for n in range(18, 23)}
    assert names == {"m16", "m17", "m19", "m20"} | sideways


def test_r10_a_javelin_costs_1_and_always_hits(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 0}, "m15", "m16", turn=0, dice="attack attack", caltrops=["m16"])
    t.drive("javelin at blue", "javelin at blue")  # over a chariot and a caltrop
    assert t.told(JavelinThrown) == [JavelinThrown(0, 2, 11), JavelinThrown(0, 2, 10)]


def test_r10_range_counts_after_the_move(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 4}, "m13", "m20", turn=0, dice="attack")
    t.drive()
    assert t.legal("javelin") == ["javelin at blue"]


def test_r10_no_javelin_at_oneself_or_at_a_wreck(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 0}, {"space": "m15", "condition": 0}, "m16", turn=0, dice="attack")
    t.drive()
    assert t.legal() == ["no attack", "javelin at blue"]


# --- R11: wrecking oneself ------------------------------------------------------------------------------------------


def test_r11_a_chariot_that_wrecks_itself_stops_there_and_loses_its_dice(table: type[Table]) -> None:
    chariots = [{"space": "m14", "speed": 4, "condition": 4}, "m15", "m16", "m13"]
    t = table(*chariots, turn=0, dice="attack attack")
    t.drive()
    assert t.one(Wrecked) == Wrecked(0, "m16", marker=True)
    assert len(t.told(Stepped, 0)) == 2
    assert t[0]["wrecked"]
    assert t.view["chariot"] == 3
    assert t.told(JavelinThrown) == t.told(CaltropDropped) == []


def test_r11_it_has_no_turn_any_more(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 2, "condition": 1}, "m20", "m2", turn=0, dice="sprint", die="fortuna")
    t.drive()
    t.finish_round()
    assert t.view["order"] == [1, 2]


# --- R12: the finish ------------------------------------------------------------------------------------------------


def test_r12_level_fronts_share_the_place(table: type[Table]) -> None:
    t = table({"space": "m30", "lap": 1}, {"space": "o34", "lap": 1}, {"space": "i20", "lap": 1}, die="fortuna")
    t.finish_round()
    assert t.race.over
    assert (t.at(0), t.at(1)) == (("m2", 2), ("o2", 2))
    assert t.race.places == (1, 1, 3)
    assert t.race.ranking == [[0, 1], [2]]
    assert {event.chariot: event.place for event in t.told(Finished)} == {0: 1, 1: 1, 2: 3}


def test_r12_among_finishers_the_furthest_wins(table: type[Table]) -> None:
    t = table({"space": "m30", "lap": 1, "speed": 3}, {"space": "m29", "lap": 1, "speed": 6}, die="fortuna")
    t.finish_round()
    assert [event.laps for event in t.told(Line)] == [2, 2]
    assert t.race.places == (2, 1)


def test_r12_nobody_left_no_winner(table: type[Table]) -> None:
    wrecked = {"space": "m3", "condition": 0}
    t = table({"space": "m14", "speed": 1, "condition": 1}, wrecked, wrecked, dice="sprint")
    t.drive()
    assert t.race.over
    assert t.race.places == (3, 3, 3)
    assert t.race.ranking == [[0, 1, 2]]
    assert {event.seat_place for event in t.told(Finished)} == {3}
    assert {event.place for event in t.told(Finished)} == {3}
    assert [chariot["place"] for chariot in t.view["chariots"]] == [3, 3, 3]


def test_r12_one_left_must_still_finish(table: type[Table]) -> None:
    t = table({"space": "m26", "lap": 1, "speed": 4}, {"space": "m3", "condition": 0}, die="fortuna")
    assert not t.race.over
    t.finish_round()
    assert not t.race.over  # on m30
    t.finish_round()
    assert t.race.over
    assert t.race.places == (1, 2)
