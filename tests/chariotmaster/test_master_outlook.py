"""Explanations of possible actions, and the reasons given for impossible ones."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Table

from spina.games.chariotmaster.play import explanation
from spina.games.chariotmaster.play.explanation import Breakdown, chance_of

RED = {"progress": 100, "offset": 0}
ASIDE = {"progress": -60, "offset": 60, "drawn": True}
LATER = {"moved": 20, "submoves": 1, "direction": 0}
WRECK = {"driver": "dead", "gone": True, "horses": 0}
PERCENT = [1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6]


def outlook(t: Table, action: str) -> Breakdown:
    found: Breakdown = t.race.explain(t.race.to_act[0], action)
    return found


# --- where it ends --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action",
    ["ahead 70", "ahead 55, pivot 20 left about rear right", "left 30", "right 30, pivot 30 right", "ahead 100"],
)
def test_a_sub_move_ends_where_it_was_said_to_end(table: type[Table], action: str) -> None:
    t = table(RED, ASIDE)
    said = outlook(t, action)
    before = t[0]["progress"]
    t.play(action)
    piece = t.piece(0)
    assert piece and (said.x, said.y, said.heading) == (piece["x"] / 10, piece["y"] / 10, piece["heading"] / 10)
    assert said.gained == pytest.approx(t[0]["progress"] - before)
    assert said.left == pytest.approx(t.driving["maximum"] - t.driving["moved"])
    assert (said.stamina, said.price) == (t[0]["stamina"], 19 - t[0]["stamina"])


def test_the_race_is_left_as_it_was(table: type[Table]) -> None:
    t = table(RED, ASIDE)
    before = t.race.hash()
    outlook(t, "ahead 70, pivot 30 left")
    assert t.race.hash() == before


def test_rooms_are_measured_from_the_end(table: type[Table]) -> None:
    ahead = {"progress": 250, "offset": 0, "drawn": True}
    found = outlook(table(RED, ahead), "ahead 50")
    assert (found.room_ahead, found.room_left, found.room_right) == (59.9, 69.9, 69.9)
    found = outlook(table(RED, ahead), "left 30")
    assert (found.room_left, found.room_right) == (39.9, 99.9)
    assert found.room_ahead > 300
    assert outlook(table(RED, ahead), "ahead 60").room_ahead == 49.9


def test_gained_is_progress_along_the_track(table: type[Table]) -> None:
    assert outlook(table(RED, ASIDE), "ahead 70").gained == 70
    assert outlook(table(RED, ASIDE), "left 30").gained == 0
    assert outlook(table({**RED, "heading": 180}, ASIDE), "ahead 70").gained == -70
    inside = outlook(table({"progress": 500, "offset": 50}, ASIDE), "ahead 50")
    assert inside.gained > 60  # on the inside of the bend


def test_distance_left_after_it(table: type[Table]) -> None:
    assert outlook(table(RED, ASIDE), "ahead 70").left == 30
    assert outlook(table({**RED, "token": "10"}, ASIDE, driving={"change": 20}), "ahead 70").left == 100
    assert outlook(table(RED, ASIDE, driving={**LATER, "moved": 120}), "stop").left == -20


def test_a_u_turn_is_looked_at_too(table: type[Table]) -> None:
    t = table({**RED, "token": "0"}, ASIDE)
    found = outlook(t, "u-turn 90 left about rear left")
    t.play("u-turn 90 left about rear left")
    piece = t.piece(0)
    assert piece and (found.x, found.y, found.heading) == (piece["x"] / 10, piece["y"] / 10, 90)
    assert (found.next_test, found.price) == (None, 0)


def test_b9_a_run_and_the_pivot_after_it(table: type[Table]) -> None:
    """A team of two boars has three dice: with two sixes 5 against 2."""
    wreck = {**WRECK, "wreck": {"progress": 150, "offset": 0}}
    options = {"points": 4, "fantasy": True, "designs": ["tusker", "citizen", "citizen"]}
    t = table(RED, wreck, ASIDE, dice=(6, 6, 1, 1, 1), options=options)
    found = outlook(t, "run ahead 85")
    assert (found.x, found.gained, found.left, found.price, found.attacks) == (285, 85, 15, 0, ())
    t.play("run ahead 85")
    found = outlook(t, "pivot 20 left about rear left")
    t.play("pivot 20 left about rear left")
    piece = t.piece(0)
    assert piece and (found.x, found.y, found.heading) == (piece["x"] / 10, piece["y"] / 10, 20)


def test_a_driver_on_foot(table: type[Table]) -> None:
    walker = {**WRECK, "wreck": {"progress": 200}, "driver": "on foot", "on_foot": {"progress": 100, "offset": 0}}
    found = outlook(table(walker, {**ASIDE, "drawn": False}), "walk 90 30 mm")
    assert (found.x, found.y, found.gained, found.price) == (200, 30, 0, 0)
    assert (found.room_left, found.room_right, found.room_ahead) == (44.9, 104.9, pytest.approx(400, abs=200))


# --- what it costs --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "price"),
    [("ahead 70", 0), ("left 30", 1), ("right 30, pivot 30 left", 1), ("brake", 1), ("spur", 1), ("whip", 1)],
)
@pytest.mark.parametrize("stamina", [5, 1, 0])
def test_d5_price_and_stamina_after_it(table: type[Table], action: str, price: int, stamina: int) -> None:
    found = outlook(table({**RED, "stamina": stamina}, ASIDE), action)
    assert (found.price, found.stamina) == (price, max(stamina - price, 0))
    assert found.exhausts == (price > stamina)
    assert ("OUT OF STAMINA" in str(found)) == found.exhausts


def test_b13_a_sideways_run_is_paid_like_a_sweep(table: type[Table]) -> None:
    wreck = {**WRECK, "wreck": {"progress": 100, "offset": 0}}
    t = table({"progress": 100, "offset": 40}, wreck, ASIDE)
    (run, *_) = t.legal("run right")
    assert outlook(t, run).price == 1


def test_d7_a_sweep_that_was_paid_for_costs_nothing(table: type[Table]) -> None:
    """The payment rolls a 5: it stumbles back beside a chariot that is now in the way."""
    red = {**RED, "stamina": 0}
    t = table(red, {"progress": 50, "offset": 40, "drawn": True}, dice=(5, 3)).play("left 30")
    assert t.question == "side sweep again"
    assert outlook(t, t.legal("left")[0]).price == 0


def test_k4_a_brake_in_a_skid_costs_a_point(table: type[Table]) -> None:
    t = table({**RED, "stamina": 0}, ASIDE, driving=LATER, dice=(6,)).play("announce")
    assert (outlook(t, "brake").price, outlook(t, "brake").exhausts, outlook(t, "go").price) == (1, True, 0)


@pytest.mark.parametrize(("earlier", "frightening", "price"), [(0, 0, 0), (1, 0, 1), (0, 1, 1), (2, 1, 2)])
def test_a5_q10_price_of_an_attack(table: type[Table], earlier: int, frightening: int, price: int) -> None:
    driving = {**LATER, "attacks": earlier, "may_attack": True}
    designs = [{}, {"other": "frightening"} if frightening else {}]
    options = {"points": 2, "designs": designs}
    t = table({**RED, "stamina": 1}, {"progress": 85, "offset": 21}, driving=driving, options=options)
    found = outlook(t, "ram white horses")
    assert (found.price, found.stamina, found.exhausts) == (price, max(1 - price, 0), price > 1)
    assert outlook(t, "no attack").price == 0


def test_a6_a_defence_costs_a_point_and_takes_a_test(table: type[Table]) -> None:
    driving = {**LATER, "attacks": 1, "attacks_on": {1: 1}, "may_attack": True}
    t = table(RED, {"progress": 85, "offset": 21, "skill": 5}, driving=driving).play("ram white horses")
    for action in ("evade", "brake away"):
        found = outlook(t, action)
        assert (found.price, found.test, found.next_test) == (
            1,
            explanation.Test(modifier=2, skill=5, chance=3 / 6),
            None,
        )
    assert (outlook(t, "bear it").price, outlook(t, "bear it").test) == (0, None)


# --- tests ----------------------------------------------------------------------------------------------------------

CHANCES = {"0": (5, 5, 4, 3), "5": (5, 4, 3, 2), "10": (4, 3, 2, 1)}
"""In six, at skill 6, for the second to the fifth sub-move."""


@pytest.mark.parametrize("token", CHANCES)
@pytest.mark.parametrize("sub_move", range(2, 6))
def test_k1_chance_of_the_test_that_is_announced(table: type[Table], token: str, sub_move: int) -> None:
    driving = {"moved": 10, "submoves": sub_move - 1}
    test = outlook(table({**RED, "token": token}, ASIDE, driving=driving), "announce").test
    assert test and test.skill == 6
    assert test.chance == pytest.approx(CHANCES[token][sub_move - 2] / 6)
    assert test.modifier == sub_move - 1 + {"0": -1, "5": 0, "10": 1}[token]


def test_k7_chances_by_skill_and_modifier() -> None:
    assert [chance_of(0, modifier) for modifier in (0, 3)] == [1 / 6, 1 / 6]
    assert [chance_of(skill, 0) for skill in (1, 2, 3, 4, 5, 6, 9)] == pytest.approx([*PERCENT, 5 / 6, 5 / 6])


def test_the_next_test_is_that_of_a_sub_move_after_this_one(table: type[Table]) -> None:
    t = table({**RED, "token": "10"}, ASIDE)
    assert outlook(t, "ahead 70").test is None
    assert outlook(t, "ahead 70").next_test == explanation.Test(modifier=2, skill=6, chance=4 / 6)
    assert outlook(t, "brake").next_test is None  # the first sub-move needs none
    t = table({**RED, "token": "10"}, ASIDE, driving=LATER, dice=(1,))
    assert outlook(t, "brake").next_test == explanation.Test(modifier=2, skill=6, chance=4 / 6)
    assert outlook(t, "announce").next_test is None
    t.play("announce")
    assert outlook(t, "brake").next_test is None  # its test is passed
    assert outlook(t, "ahead 50").next_test == explanation.Test(modifier=3, skill=6, chance=3 / 6)


def test_t5_the_test_is_that_of_the_token_in_use(table: type[Table]) -> None:
    red = {**RED, "token": "10", "horses": 1, "dead_horses": 1}
    test = outlook(table(red, ASIDE, driving={"moved": 10, "submoves": 1}), "announce").test
    assert test and test.modifier == 0
    red = {**RED, "token": "10", "tokens": "5"}
    test = outlook(table(red, ASIDE, driving={"moved": 10, "submoves": 1}), "announce").test
    assert test and test.modifier == 1


def test_there_is_no_next_test_when_the_turn_is_over(table: type[Table]) -> None:
    assert outlook(table({**RED, "token": "0"}, ASIDE, driving=LATER), "stop").next_test is None
    t = table(RED, ASIDE)
    assert outlook(t, "ahead 100").next_test is not None  # a spur may still lengthen it
    t = table(RED, ASIDE, driving={"spurred": True, "whipped": True})
    assert outlook(t, "ahead 100").next_test is None
    assert outlook(t, "ahead 90").next_test is not None
    over_the_line = outlook(table({"progress": 3700, "offset": 0}, ASIDE), "ahead 60")
    assert over_the_line.next_test is None


# --- attacks --------------------------------------------------------------------------------------------------------

BESIDE = {"progress": 155, "offset": 21, "drawn": True}


def test_attacks_that_are_possible_from_the_end(table: type[Table]) -> None:
    t = table(RED, BESIDE)
    found = outlook(t, "ahead 60")
    assert found.attacks == ("ram white body", "whip driver of white")
    assert outlook(t, "ahead 100").attacks == ()
    t.play("ahead 60")
    assert tuple(action for action in t.legal() if action != "no attack") == found.attacks
    assert "then ram white body or whip driver of white" in str(found)


def test_a4_none_in_the_first_game_turn_and_none_before_a_sub_move(table: type[Table]) -> None:
    assert outlook(table(RED, BESIDE, turn=1), "ahead 60").attacks == ()
    assert outlook(table({"progress": 160, "offset": 0}, BESIDE), "spur").attacks == ()


def test_e4_none_beyond_the_line(table: type[Table]) -> None:
    beside = {"offset": 21, "drawn": True}
    assert outlook(table({"progress": 3680, "offset": 0}, {**beside, "progress": 3710}), "ahead 35").attacks != ()
    assert outlook(table({"progress": 3715, "offset": 0}, {**beside, "progress": 3735}), "ahead 35").attacks == ()


# --- in words -------------------------------------------------------------------------------------------------------


def test_an_outlook_in_words(table: type[Table]) -> None:
    ahead = {"progress": 250, "offset": 0, "drawn": True}
    words = str(outlook(table(RED, ahead), "ahead 50"))
    assert words == "ahead 50: +5.0 cm on, 5.9 cm of room ahead; another sub-move passes 83%"
    words = str(outlook(table(RED, ASIDE, driving=LATER), "announce"))
    assert words.endswith("; test passes 83%")


# --- what is not possible, and what would be ------------------------------------------------------------------------

BLOCKED = {"progress": 200, "offset": 0, "drawn": True}
# fmt: off
OBJECTIONS: dict[str, tuple[dict[str, Any], str, str]] = {
    "too short": ({}, "ahead 9", "a sub-move is at least 10 mm long"),
    "too long": ({}, "ahead 101", "that is further than it may still go: 100 mm are left"),
    "too long after braking": ({"driving": {"change": -30}}, "ahead 71", "may still go: 70 mm are left"),
    "too sharp": ({}, "ahead 60, pivot 31 left", "more than its token lets it pivot: at most 30 degrees"),
    "in the way": ({"other": BLOCKED}, "ahead 60", "something is in the way: 59 mm are free"),
    "wall": ({}, "left 75", "something is in the way: 69 mm are free"),
    "no room": ({"other": {**BLOCKED, "progress": 145}}, "ahead 20",
        "something is in the way: 4 mm are free, less than a sub-move needs"),
    "pivot": ({"other": BLOCKED}, "ahead 59, pivot 30 left", "in the way of the pivot: 5 degrees are free"),
    "test first": ({"driving": LATER}, "ahead 50", 'must be announced first, for its test: say "announce"'),
    "collide untested": ({"driving": LATER}, "collide", 'must be announced first, for its test: say "announce"'),
    "no test": ({}, "announce", "the sub-move to come needs no test"),
    "minimum": ({}, "stop", "it has not travelled its minimum distance: 0 mm of 50"),
    "rest of the minimum": ({"driving": {**LATER, "change": 13}}, "stop", "minimum distance: 20 mm of 63"),
    "nothing left": ({"driving": {**LATER, "moved": 91}}, "announce", "there is less than 1 cm left to go"),
    "nothing to brake": ({"driving": {"change": -100}}, "brake", "its maximum is 0 or less"),
    "spurred": ({"driving": {"spurred": True}}, "spur", "it has been spurred this turn"),
    "whipped": ({"driving": {"whipped": True}}, "whip", "it has been whipped this turn, or its whip is lost"),
    "collision": ({"other": {**BLOCKED, "progress": 145}}, "collide", "nobody collides on purpose while there is"),
    "run": ({}, "run ahead 80", "there is nothing low to run through"),
    "u-turn": ({}, "u-turn 180 left", "a U-turn needs a minimum of 0, a maximum of 1 cm or more"),
    "other question": ({}, "hang on", "that is no answer to this question"),
}
# fmt: on


@pytest.mark.parametrize("case", OBJECTIONS)
def test_an_objection_says_what_is_wrong_and_what_would_be_right(table: type[Table], case: str) -> None:
    rest, action, says = OBJECTIONS[case]
    rest = {**rest}
    t = table(RED, rest.pop("other", ASIDE), **rest)
    said = t.why_not(action)
    assert said.startswith(f'"{action}') and says in said
    assert said.endswith("(the question is drive)")


@pytest.mark.parametrize("gap", [0, 0.4, 0.9])
def test_n8_the_free_way_that_is_named_can_be_driven(table: type[Table], gap: float) -> None:
    t = table(RED, {**BLOCKED, "progress": 200 + gap})
    named = t.why_not("ahead 70").split(": ")[-1].split(" mm")[0]
    assert t.why_not(f"ahead {named}") == ""
    assert t.why_not(f"ahead {int(named) + 1}")


def test_the_free_pivot_that_is_named_can_be_driven(table: type[Table]) -> None:
    t = table(RED, BLOCKED)
    for about in ("centre", "front left", "rear right"):
        for side in ("left", "right"):
            said = t.why_not(f"ahead 59, pivot 30 {side} about {about}")
            if said:
                named = int(said.split(": ")[-1].split(" degrees")[0])
                assert not named or t.why_not(f"ahead 59, pivot {named} {side} about {about}") == ""
                assert t.why_not(f"ahead 59, pivot {named + 1} {side} about {about}")


def test_tokens_that_it_has_are_named(table: type[Table]) -> None:
    said = table({"tokens": "5"}, active=None).why_not("token 10")
    assert "it cannot use this token: it has 0, 5 (the question is speed tokens)" in said


def test_a_driver_on_foot_is_told_how_far_he_can_go(table: type[Table]) -> None:
    walker = {**WRECK, "wreck": {"progress": 200}, "driver": "on foot", "on_foot": {"progress": 100, "offset": 0}}
    t = table(walker, {**ASIDE, "drawn": False})
    assert "further than it may still go: 50 mm are left" in t.why_not("walk 0 51 mm")
    assert "a step on foot is at least 1 mm long" in t.why_not("walk 0 0 mm")


def test_a_passed_test_is_for_moving(table: type[Table]) -> None:
    t = table(RED, ASIDE, driving={**LATER, "moved": 60}, dice=(1,)).play("announce")
    assert "after a passed test the sub-move must be made" in t.why_not("stop")
    assert "the sub-move to come needs no test (the question is sub-move)" in t.why_not("announce")
