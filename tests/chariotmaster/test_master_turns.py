"""Rulings T1 to T10: tokens, the mug, chariot turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import spina
from spina.errors import IllegalAction
from spina.games.chariotmaster.play.events import (
    Changed,
    Chose,
    Drawn,
    GameTurn,
    HorseDied,
    Lost,
    LostToken,
    Moved,
    OutOf,
    Rolled,
    TurnEnds,
)

if TYPE_CHECKING:
    from conftest import Table

ONLY_ONE = (1, 0)
"""The lot among the tokens when there is one left in the mug."""
FOUR = ({"progress": 300}, {"progress": 200}, {"progress": 100}, {"progress": 0})
"""Two chariots each for two seats, one behind the other: seat 0 drives the first and the third."""
CRASHED = {"driver": "dead", "reins": False, "wreck": {"progress": 200}}


def mug(table: type[Table], *chariots: dict, **rest: object) -> Table:
    """A race whose tokens are to be chosen."""
    return table(*chariots, active=None, **rest)


# --- T1: one choice for each seat -----------------------------------------------------------------------------------


def test_t1_all_seats_choose_at_the_same_time(table: type[Table]) -> None:
    t = mug(table)
    assert (t.question, t.race.to_act, t.asked) == ("speed tokens", (0, 1), None)
    assert t.legal() == ["token 0", "token 5", "token 10"]


def test_t1_a_seat_with_two_chariots_answers_with_one_tuple(table: type[Table]) -> None:
    t = mug(table, *FOUR, seats=2).play("tokens 5 10")
    assert (t.race.to_act, t.race.log[-1][0], str(t.race.log[-1][1])) == ((1,), 0, "tokens 5 10")
    mine = t.race.view(0)["chariots"]
    assert [chariot["token"] for chariot in mine] == ["5", None, "10", None]


def test_t1_or_one_by_one(table: type[Table]) -> None:
    t = mug(table, *FOUR, seats=2).play("token 5")
    assert t.race.to_act == (0, 1)
    assert [chariot["ready"] for chariot in t.view["chariots"]] == [False] * 4
    t.play("token 10")
    assert (t.race.to_act, str(t.race.log[-1][1])) == ((1,), "tokens 5 10")


def test_t1_a_tuple_has_a_token_for_each_chariot_with_a_choice(table: type[Table]) -> None:
    t = mug(table, *FOUR, seats=2)
    assert "chooses 2" in t.why_not("tokens 5 5 5")
    t = mug(table, {**FOUR[0], "reins": False}, *FOUR[1:], seats=2)
    assert "chooses 1" in t.why_not("tokens 5 5")
    assert t.why_not("token 5") == ""


def test_t1_a_chariot_with_one_possible_token_is_filled_in_and_public(table: type[Table]) -> None:
    t = mug(table, {"tokens": "0"}, {})
    assert t.race.to_act == (1,)
    assert (t[0]["token"], t[0]["drawn"], t[1]["token"]) == ("0", False, None)


def test_t1_nobody_is_asked_when_nobody_has_a_choice(table: type[Table]) -> None:
    t = mug(table, {"tokens": "0"}, {"tokens": "0"})
    assert (t.question, t.driving["maximum"]) == ("drive", 50)


@pytest.mark.parametrize(
    ("owned", "menu"),
    [("10", ["token 0", "token 5", "token 10"]), ("5", ["token 0", "token 5"])],
    ids=["all", "the 10 lost"],
)
def test_t1_only_tokens_still_owned_can_be_chosen(table: type[Table], owned: str, menu: list[str]) -> None:
    t = mug(table, {"tokens": owned}, {})
    assert t.legal() == menu
    assert bool(t.why_not("token 10")) == (owned == "5")


def test_t1_a_choice_can_be_taken_back_until_the_last_seat_has_chosen(table: type[Table]) -> None:
    t = mug(table).play("token 5")
    t.race.retract(0)
    assert (t.race.to_act, t.race.view(0)["chariots"][0]["token"]) == ((0, 1), None)
    t.tokens("10", "5")
    with pytest.raises(IllegalAction):
        t.race.retract(0)
    assert t.state().token[:2].tolist() == [2, 1]


def test_t1_both_tokens_of_a_seat_are_taken_back_together(table: type[Table]) -> None:
    t = mug(table, *FOUR, seats=2).play("tokens 5 10")
    t.race.retract(0)
    assert t.race.choosing(0) == ()
    assert [chariot["token"] for chariot in t.race.view(0)["chariots"]] == [None] * 4
    t.play("token 0")
    t.race.retract(0)
    assert t.race.view(0)["chariots"][0]["token"] is None


def test_t1_tokens_in_the_mug_are_secret(table: type[Table]) -> None:
    t = mug(table).play("token 10", seat=1)
    seen = [t.race.view(viewer)["chariots"][1] for viewer in (None, 0, 1)]
    assert [chariot["token"] for chariot in seen] == [None, None, "10"]
    assert all(chariot["ready"] for chariot in seen)


def test_t1_the_choice_is_told_to_its_own_seat_only(table: type[Table]) -> None:
    t = mug(table)
    assert t.race.play(1, "token 10") == [Chose(1, "10", seat=1)]
    assert t.race.told(0) == t.race.told(None) == []


def test_t1_a_view_is_the_same_whatever_the_others_have_chosen(table: type[Table]) -> None:
    views = []
    for token in ("0", "5", "10"):
        t = mug(table).play(f"token {token}", seat=1)
        views.append((t.race.view(0), t.race.view(None)))
    assert views[0] == views[1] == views[2]


# --- T2: the mug ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [0, 1])
def test_t2_the_next_token_is_drawn_by_lot(table: type[Table], first: int) -> None:
    t = mug(table, dice=((2, first),)).tokens("5", "5")
    assert [event.chariot for event in t.told(Drawn)] == [first]
    assert (t.view["active"], t.asked) == (first, first)


def test_t2_a_drawn_token_is_public_and_the_others_stay_secret(table: type[Table]) -> None:
    t = mug(table, dice=((2, 0),)).tokens("5", "10")
    assert [(chariot["token"], chariot["drawn"]) for chariot in t.view["chariots"]] == [("5", True), (None, False)]
    assert t.race.view(0)["chariots"][1]["token"] is None
    assert t.race.view(1)["chariots"][1]["token"] == "10"


def test_t2_the_order_is_drawn_only_when_it_is_needed(table: type[Table]) -> None:
    """The dice of the first turn come before the second lot: other dice, another order."""
    drawn = []
    for second in (0, 1):
        t = mug(table, {}, {}, {"progress": 0}, dice=((3, 0),)).tokens("0", "0", "0")
        t.dice((2, second)).play("stop")
        drawn.append([event.chariot for event in t.told(Drawn)])
    assert drawn == [[0, 1], [0, 2]]


def test_t2_every_chariot_has_one_turn_in_a_game_turn(table: type[Table]) -> None:
    t = mug(table, {}, {}, {"progress": 0}).tokens("0", "0", "0").play("stop", "stop", "stop")
    assert sorted(event.chariot for event in t.told(TurnEnds)) == [0, 1, 2]
    assert (t.one(GameTurn).number, t.question, t.race.to_act) == (3, "speed tokens", (0, 1, 2))


def test_t2_tokens_are_chosen_anew_in_every_game_turn(table: type[Table]) -> None:
    t = mug(table).tokens("0", "0").play("stop", "stop")
    assert [chariot["token"] for chariot in t.race.view(0)["chariots"]] == [None, None]
    assert [chariot["drawn"] for chariot in t.view["chariots"]] == [False, False]


def test_t2_orders_are_as_likely_as_each_other() -> None:
    firsts = [0, 0, 0]
    for seed in range(240):
        race = spina.new("chariotmaster", seats=3, seed=seed)
        for seat in range(3):
            race.play(seat, "token 0")
        firsts[race.view(None)["active"]] += 1
    assert min(firsts) > 55


# --- T3 to T6: lost tokens ------------------------------------------------------------------------------------------


def test_t3_a_token_no_longer_owned_is_replaced_by_the_fastest_available(table: type[Table]) -> None:
    t = table({"token": "0"}, {"token": "10", "tokens": "5"}, dice=(ONLY_ONE,)).play("stop")
    assert t.one(Drawn) == Drawn(1, token="5", replaced=True, out_of_control=False)
    assert (t.driving["minimum"], t.driving["maximum"], t.driving["pivot"]) == (50, 100, 30)


def test_t3_a_slower_token_than_the_best_stays_as_it_was_chosen(table: type[Table]) -> None:
    t = table({"token": "0"}, {"token": "0", "tokens": "5"}, dice=(ONLY_ONE,)).play("stop")
    assert t.one(Drawn) == Drawn(1, token="0", replaced=False, out_of_control=False)


def test_t4_a_token_lost_in_mid_turn_is_lost_at_once(table: type[Table]) -> None:
    """11 cm travelled with the 10 token, then it is given up: nothing is left, but for the die of the spur itself."""
    lost = {"token": "10", "stamina": 0, "worn": {"stamina": 1}}
    t = table(lost, {}, driving={"moved": 110, "submoves": 1}, dice=(6, 1)).play("spur")
    assert t.one(LostToken).highest == "5"
    assert (t.driving["minimum"], t.driving["maximum"], t.driving["pivot"]) == (60, 110, 30)
    assert t.legal() == ["stop", "brake", "whip"]


def test_t4_the_turn_ends_if_neither_spur_nor_whip_is_left(table: type[Table]) -> None:
    lost = {"token": "10", "stamina": 0, "worn": {"stamina": 1}}
    driving = {"moved": 110, "submoves": 1, "spurred": True, "whipped": True, "change": 30}
    t = table(lost, {}, driving=driving, dice=(6, 1)).play("brake")
    assert t.one(Changed, 0).most == 120
    assert t.legal("announce") == ["announce"]
    t = table(lost, {}, driving={**driving, "change": 20}, dice=(6, 1)).play("brake")
    assert t.one(TurnEnds, 0).mm == 110


def test_t4_brakes_and_spurs_stay_added(table: type[Table]) -> None:
    lost = {"token": "10", "stamina": 0, "worn": {"stamina": 1}}
    t = table(lost, {}, driving={"change": 40, "spurred": True}, dice=(6, 3)).play("whip")
    assert (t.driving["minimum"], t.driving["maximum"]) == (50 + 40 + 30, 100 + 40 + 30)


def test_t4_the_modifier_of_the_test_is_that_of_the_token_left(table: type[Table]) -> None:
    lost = {"token": "10", "stamina": 0, "worn": {"stamina": 1}}
    t = table(lost, {}, driving={"moved": 50, "submoves": 1}, dice=(6, 1, 5)).play("spur", "announce")
    assert t.question == "sub-move"
    t = table({**lost, "tokens": "10", "stamina": 5}, {}, driving={"moved": 50, "submoves": 1}, dice=(5,))
    assert t.play("announce").question == "skid"


def test_t5_a_dead_horse_leaves_the_slowest_token_at_once(table: type[Table]) -> None:
    dying = {"token": "10", "stamina": 0, "worn": {"stamina": 2}}
    t = table(dying, {}, dice=(6, 1)).play("spur")
    assert t.one(HorseDied).left == 1
    assert (t.driving["minimum"], t.driving["maximum"], t.driving["pivot"]) == (10, 60, 45)


@pytest.mark.parametrize(
    ("harness", "tokens"),
    [
        ({"horses": 1, "dead_horses": 1}, ["0"]),
        ({"horses": 1}, ["0", "5"]),
        ({"horses": 1, "tokens": "0"}, ["0"]),
        ({"horses": 2}, ["0", "5", "10"]),
    ],
    ids=["dead horse attached", "cut free", "cut free, but the 5 lost", "both alive"],
)
def test_t5_tokens_by_horses(table: type[Table], harness: dict, tokens: list[str]) -> None:
    assert mug(table, harness, {})[0]["tokens"] == tokens


@pytest.mark.parametrize(
    ("owned", "left"), [("10", "5"), ("5", "0"), ("0", None)], ids=["the 10", "the 5", "never the 0"]
)
def test_t6_the_highest_token_still_owned_is_given_up(table: type[Table], owned: str, left: str | None) -> None:
    t = table({"tokens": owned, "token": "0", "stamina": 0, "worn": {"stamina": 1}}, {}, dice=(6, 1)).play("brake")
    assert t.one(OutOf).result == 7
    assert [event.highest for event in t.told(LostToken)] == ([left] if left else [])


def test_t6_stamina_and_structure_each_remove_one(table: type[Table]) -> None:
    worn = {
        "token": "10", "exhausted": True, "stamina": 0, "wheel": True, "structure": 0,
        "worn": {"stamina": 0, "structure": 1},
    }  # fmt: skip
    t = table({"token": "0"}, worn, dice=(ONLY_ONE, 4, 3, 4, 6, 6)).play("stop")
    assert [event.highest for event in t.told(LostToken)] == ["5"]
    t.play("brake")
    assert [event.highest for event in t.told(LostToken)] == ["5", "0"]
    assert t[1]["tokens"] == ["0"]


def test_t6_a_dead_horse_does_not_count_for_what_is_owned(table: type[Table]) -> None:
    """The 10 token is what goes, although it could not be used."""
    t = table(
        {"token": "0", "horses": 1, "dead_horses": 1, "stamina": 0, "worn": {"stamina": 1}}, {}, dice=(6, 1)
    ).play("brake")
    assert t.one(LostToken).highest == "5"


# --- T7: runaways ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("last", ["0", "5", "10"])
def test_t7_a_runaway_is_locked_to_the_token_it_last_had(table: type[Table], last: str) -> None:
    t = mug(table, {}, {"reins": False, "last": last})
    assert t.race.to_act == (0,)
    assert (t[1]["token"], t[1]["drawn"]) == (last, False)


def test_t7_reduced_by_what_it_has_lost(table: type[Table]) -> None:
    t = mug(table, {}, {"reins": False, "last": "10", "tokens": "5"})
    assert t[1]["token"] == "5"
    t = mug(table, {}, {"reins": False, "last": "10", "horses": 1, "dead_horses": 1})
    assert t[1]["token"] == "0"


def test_t7_control_lost_before_its_token_is_drawn_it_runs_with_the_one_in_the_mug(table: type[Table]) -> None:
    t = table({"token": "0"}, {"token": "10", "last": "0", "confused": True}, dice=(ONLY_ONE,)).play("stop")
    assert t.one(Drawn, 1) == Drawn(1, token="10", replaced=False, out_of_control=True)
    assert t.race.to_act == (0, 1)
    assert t[1]["out_of_control"] is False


def test_t7_a_runaway_goes_on_with_the_token_of_the_turn_before(table: type[Table]) -> None:
    t = table({"token": "0"}, {"token": "10", "last": "0", "reins": False}, dice=(ONLY_ONE,)).play("stop", "stay")
    assert t.race.to_act == (0,)
    assert t[1]["token"] == "10"


# --- T8 to T10 -----------------------------------------------------------------------------------------------------


def test_t8_the_horses_first_then_the_driver_as_with_the_0_token(table: type[Table]) -> None:
    apart = {
        "progress": 200, "offset": 0, "driver": "on foot", "token": "10",
        "wreck": {"progress": 150, "offset": -50}, "on_foot": {"progress": 100, "offset": -30},
    }  # fmt: skip
    waiting = {"progress": -60, "drawn": True}
    t = table({"token": "0", "progress": 0}, apart, waiting, dice=(ONLY_ONE,)).play("stop")
    assert (t.question, t.asked) == ("walk", 1)
    assert t.told(Moved, 1) == [Moved(1, 1, "run away", 150, 450, 0, 0)]
    assert t.why_not("walk 0 51 mm") and not t.why_not("walk 0 50 mm")
    t.play("walk 0 30 mm", "walk 90 20 mm")
    assert [event.how for event in t.told(Moved, 1)] == ["run away", "walk", "walk"]


def test_t8_a_driver_whose_horses_are_gone_has_the_0_token_for_all_to_see(table: type[Table]) -> None:
    alone = {
        "driver": "on foot", "gone": True, "horses": 0, "last": "10",
        "wreck": {"progress": 150, "offset": -50}, "on_foot": {"progress": 100, "offset": -30},
    }  # fmt: skip
    t = mug(table, {}, {"progress": 0}, alone)
    assert (t.race.to_act, t[2]["token"]) == ((0, 1), "0")


def test_t9_dragged_exhausted_wheel_then_the_move(table: type[Table]) -> None:
    """A dragged driver has no wheel any more, so two chariots show the order."""
    dragged = {
        "progress": 200, "offset": 0, "driver": "dragged", "token": "10", "exhausted": True,
        "wreck": {"progress": 150, "offset": -50},
    }  # fmt: skip
    t = table({"token": "0", "progress": 0}, dragged, dice=(ONLY_ONE, 5, 4)).play("stop")
    kinds = [type(event) for event in t.events if getattr(event, "chariot", None) == 1]
    assert kinds == [Drawn, Rolled, Lost, Lost, Lost, Rolled, Lost, Moved]
    assert [event.what for event in t.told(Lost)] == ["health"] * 3 + ["stamina"]


def test_t9_exhausted_then_wheel(table: type[Table]) -> None:
    worn = {"token": "10", "exhausted": True, "wheel": True}
    t = table({"token": "0"}, worn, dice=(ONLY_ONE, 4, 4)).play("stop")
    assert [event.what for event in t.told(Rolled)] == ["exhausted", "wheel"]
    assert [event.what for event in t.told(Lost)] == ["stamina", "structure"]
    assert (t.question, t.asked) == ("drive", 1)


def test_t9_the_rolls_are_not_repeated_when_the_token_changes(table: type[Table]) -> None:
    """The 10 token is lost by the roll itself; as the 5 token is then the highest it could be rolled for again."""
    worn = {"token": "10", "exhausted": True, "stamina": 0, "worn": {"stamina": 1}, "wheel": True}
    t = table({"token": "0"}, worn, dice=(ONLY_ONE, 4, 6)).play("stop")
    assert [event.what for event in t.told(Rolled)] == ["exhausted", "out of points"]
    assert (t.question, t.driving["maximum"]) == ("drive", 100)


def test_t10_nothing_but_a_wreck_has_no_token_and_no_turn(table: type[Table]) -> None:
    gone = {"driver": "dead", "gone": True, "horses": 0, "wreck": {"progress": 200, "offset": 0}}
    t = mug(table, {}, {"progress": 0}, gone)
    assert (t.race.to_act, t[2]["token"], t.piece(12 + 2)["kind"]) == ((0, 1), None, "wreck")
    t.tokens("0", "0").play("stop", "stop")
    assert sorted(event.chariot for event in t.told(Drawn)) == [0, 1]
    assert t.piece(12 + 2)["kind"] == "wreck"


def test_t10_a_team_without_a_driver_still_has_its_token(table: type[Table]) -> None:
    t = mug(table, {}, {"progress": 0}, {"progress": 300, "offset": 0, **CRASHED, "last": "5"})
    assert (t.race.to_act, t[2]["token"]) == ((0, 1), "5")
