"""Attacks: what can be reached, what it costs, how it is avoided, what it does (A1 to A13)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from master_fights import (
    FIRST,
    FOOT,
    WRECK,
    dragging,
    edition_with,
    let_fall,
    obstacle,
    pose,
    strike,
    team,
    walker,
    wreck,
)

from spina.games.chariotmaster.play.events import (
    Attacked,
    Bounced,
    Collided,
    Crashed,
    Crossed,
    Defended,
    Duelled,
    Lost,
    LostControl,
    LostWhip,
    Moved,
    OutOf,
    Paid,
    Rolled,
    RolledBoth,
    TurnEnds,
    Void,
)
from spina.games.chariotmaster.play.events import Tested as SkillTest

if TYPE_CHECKING:
    from conftest import Table

BODY = {"progress": 100, "offset": 21}
"""White's body is level with red's axle, which is at progress 90; the gap is 1 mm."""
HORSES = {"progress": 80, "offset": 21}
"""White's horses are level with red's axle."""
AHEAD = {"progress": 300, "offset": 60}


# --- A1, A2: reach ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("white", "reached"),
    [
        pytest.param({"progress": 100, "offset": 22}, True, id="gap-2-mm"),
        pytest.param({"progress": 100, "offset": 22.1}, False, id="gap-2.1-mm"),
        pytest.param({"progress": 100, "offset": -22}, True, id="on-the-right"),
        pytest.param({"progress": 100, "offset": -22.1}, False, id="too-far-right"),
        pytest.param({"progress": 109.9, "offset": 21}, True, id="rear-just-level-with-the-axle"),
        pytest.param({"progress": 110.2, "offset": 21}, False, id="rear-before-the-axle"),
        pytest.param({"progress": 70.1, "offset": 21}, True, id="front-just-level-with-the-axle"),
        pytest.param({"progress": 69.8, "offset": 21}, False, id="front-behind-the-axle"),
        pytest.param({"progress": 141, "offset": 0}, False, id="in-front"),
        pytest.param({"progress": 59, "offset": 0}, False, id="behind"),
    ],
)
def test_a1_a_side_must_touch_and_the_axle_must_be_level(
    table: type[Table], white: dict[str, Any], reached: bool
) -> None:
    t = strike(table, FIRST, white)
    assert t.question == ("attack" if reached else "drive")


@pytest.mark.parametrize(("heading", "part"), [(-30, "body"), (150, "horses")])
def test_a1_the_axle_reaches_further_than_the_touch(table: type[Table], heading: float, part: str) -> None:
    """White's corner touches red's side in front; the axle meets white's slanting side 14 mm further out."""
    t = strike(table, FIRST, {"x": 202.7, "y": 29.7, "heading": heading})
    assert t.legal("ram") == [f"ram white {part}"]


@pytest.mark.parametrize(
    ("white", "attacks"),
    [
        pytest.param(HORSES, ["ram white horses", "whip horses of white"], id="horses"),
        pytest.param(BODY, ["ram white body", "whip driver of white"], id="body-with-driver"),
        pytest.param({**BODY, "reins": False}, ["ram white body", "whip driver of white"], id="driver-without-reins"),
        pytest.param({**BODY, "driver": "on the haft for the reins", "reins": False}, ["ram white body"], id="on-haft"),
        pytest.param({**BODY, "driver": "dead"}, ["ram white body"], id="body-without-driver"),
        pytest.param(
            {"progress": 90, "offset": 21},
            ["ram white horses", "ram white body", "whip horses of white", "whip driver of white"],
            id="tie-attacker-names",
        ),
        pytest.param(team(90, 21), ["ram white horses", "whip horses of white"], id="runaway-team"),
        pytest.param(dragging(100, 21), ["ram white driver"], id="dragged-driver"),
        pytest.param(dragging(90, 21), ["ram white horses", "whip horses of white"], id="team-dragging"),
        pytest.param(walker(90, 16), ["ram driver of white"], id="driver-on-foot"),
        pytest.param(wreck(90, 21), ["ram wreck of white"], id="wreck"),
    ],
)
def test_a2_what_can_be_done_to_what_is_level(table: type[Table], white: dict[str, Any], attacks: list[str]) -> None:
    t = strike(table, FIRST, white)
    assert t.legal() == ["no attack", *attacks]
    for attack in ("ram white horses", "ram white body", "whip horses of white", "whip driver of white", "bite white"):
        assert (t.why_not(attack) == "") == (attack in attacks)


def test_a2_the_part_that_the_axle_meets_first_counts(table: type[Table]) -> None:
    """White stands across the track, its horses towards red, its body behind them."""
    t = strike(table, FIRST, {"progress": 90, "offset": 31, "heading": -90})
    assert t.legal("ram") == ["ram white horses"]
    assert "cannot be attacked" in t.why_not("ram white body")


@pytest.mark.parametrize(("kind", "reached"), [("high, movable", True), ("low, movable", True), ("high, fixed", False)])
def test_a2_obstacles_can_be_rammed_if_they_can_move(table: type[Table], kind: str, reached: bool) -> None:
    t = strike(table, {"progress": 200, "offset": 0}, edition=edition_with(obstacle(190, 21, 2, kind)))
    assert (t.legal() == ["no attack", "ram obstacle 1"]) == reached
    assert (t.question == "drive") == (not reached)


def test_a2_walls_cannot_be_attacked(table: type[Table]) -> None:
    assert strike(table, {"progress": 100, "offset": 69}).question == "drive"


def test_a2_without_a_whip_there_is_only_the_ram(table: type[Table]) -> None:
    assert strike(table, {**FIRST, "whip": False}, HORSES).legal() == ["no attack", "ram white horses"]
    assert strike(table, {**FIRST, "whip": False}, BODY).legal() == ["no attack", "ram white body"]
    assert "cannot be attacked" in strike(table, {**FIRST, "whip": False}, BODY).why_not("whip driver of white")


# --- A3, A4: who and when ---------------------------------------------------------------------------------------------


def test_a3_chariots_of_the_same_seat_are_no_targets(table: type[Table]) -> None:
    """Two seats with two chariots each: 0 and 2 belong together."""
    t = strike(table, FIRST, AHEAD, BODY, {"progress": 400, "offset": -60}, seats=2)
    assert t[0]["seat"] == t[2]["seat"]
    assert t.question == "drive"


def test_a3_chariots_of_the_same_team_are_no_targets(table: type[Table]) -> None:
    assert strike(table, FIRST, BODY, AHEAD, options={"teams": [1, 1, 2]}).question == "drive"
    assert strike(table, FIRST, BODY, AHEAD, options={"teams": [1, 2, 1]}).question == "attack"


def test_a3_their_wrecks_are(table: type[Table]) -> None:
    t = strike(table, FIRST, wreck(90, 21), AHEAD, options={"teams": [1, 1, 2]})
    assert t.legal() == ["no attack", "ram wreck of white"]


def test_a4_after_a_completed_sub_move(table: type[Table]) -> None:
    white = {"progress": 160, "offset": 21}
    assert table(FIRST, white).play("ahead 60").question == "attack"


def test_a4_also_after_a_sweep_and_a_pivot(table: type[Table]) -> None:
    assert table(FIRST, {"progress": 100, "offset": 61}).play("left 39").question == "attack"
    assert table(FIRST, {"progress": 160, "offset": 22.5}).play("ahead 60").question == "drive"
    assert table(FIRST, {"progress": 160, "offset": 22.5}).play("ahead 60, pivot 2 left").question == "attack"


def test_a4_not_in_the_first_game_turn(table: type[Table]) -> None:
    white = {"progress": 160, "offset": 21}
    assert table(FIRST, white, turn=1).play("ahead 60").question == "drive"


def test_a4_not_before_a_sub_move(table: type[Table]) -> None:
    assert table(FIRST, BODY).question == "drive"


def test_a4_not_after_a_u_turn(table: type[Table]) -> None:
    t = table({**FIRST, "token": "0"}, {"progress": 100, "offset": 24})
    t.play("u-turn 1 left about centre")
    assert t.told(TurnEnds, 0)
    assert t.question != "attack"


def test_a4_not_after_a_skid(table: type[Table]) -> None:
    """Red comes to rest beside white, and its turn is over."""
    t = table(FIRST, {"progress": 150, "offset": 21}, driving={"submoves": 1, "moved": 50, "direction": 0})
    let_fall(t, 6).play("announce", "go")
    assert pose(t, 0) == (250, 0, 0)
    assert t.told(TurnEnds, 0)
    assert t.question != "attack"


def test_a4_one_attack_after_each_sub_move(table: type[Table]) -> None:
    """White does not defend and stays beside red; the next attack needs the next sub-move."""
    t = strike(table, {**FIRST, "token": "10"}, {**BODY, "structure": 7}, dice=(1, 1, 1, 1, 1, 1, 1, 1, 1, 1))
    t.play("ram white body", "bear it")
    assert t.question == "drive"
    assert let_fall(t, 1).play("announce", "ahead 10").question == "attack"


# --- A5: price --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("before", "price"), [(0, 0), (1, 1), (2, 1)])
def test_a5_the_first_attack_is_free_each_further_one_costs_a_point(
    table: type[Table], before: int, price: int
) -> None:
    t = strike(table, FIRST, {**BODY, "driver": "dead"}, driving={"attacks": before}).play("ram white body")
    assert [paid.points for paid in t.told(Paid, 0)] == [price] * price
    assert t[0]["stamina"] == 19 - price
    assert t.driving["attacks"] == before + 1


def test_a5_attacks_are_counted_over_all_targets(table: type[Table]) -> None:
    t = strike(table, FIRST, {**BODY, "driver": "dead"}, AHEAD, driving={"attacks": 1, "attacks_on": {2: 1}})
    assert t.play("ram white body").one(Paid).points == 1


def test_a5_an_evaded_attack_counts(table: type[Table]) -> None:
    t = strike(table, FIRST, BODY, dice=(1, 3)).play("ram white body", "evade")
    assert t.driving["attacks"] == 1
    assert t.told(Collided) == []


def test_a5_without_stamina_the_table_comes_first(table: type[Table]) -> None:
    """Red stumbles 1 cm backwards and is no longer level with white: the attack is void, and counts."""
    weary = {**FIRST, "stamina": 0, "worn": {"stamina": 4}}
    t = strike(table, weary, {"progress": 105, "offset": 21}, dice=(1, 1), driving={"attacks": 1})
    t.play("ram white body")
    assert t.one(OutOf).result == 5
    assert t.one(Void) == Void(0, target=1)
    assert t.told(RolledBoth) == []
    assert t.driving["attacks"] == 2


# --- A6, A7: defence --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("skill", "earlier", "face", "passed"),
    [
        pytest.param(6, 0, 5, True, id="5+1-at-6"),
        pytest.param(6, 0, 6, False, id="natural-6-fails"),
        pytest.param(9, 0, 6, False, id="natural-6-fails-at-9"),
        pytest.param(5, 0, 4, True, id="4+1-at-5"),
        pytest.param(5, 0, 5, False, id="5+1-at-5"),
        pytest.param(6, 1, 4, True, id="4+2-at-6"),
        pytest.param(6, 1, 5, False, id="5+2-at-6"),
        pytest.param(6, 3, 3, False, id="3+4-at-6"),
        pytest.param(0, 4, 1, True, id="natural-1-passes"),
        pytest.param(1, 0, 2, False, id="2+1-at-1"),
    ],
)
def test_a6_the_defence_test(table: type[Table], skill: int, earlier: int, face: int, passed: bool) -> None:
    """+1 for each attack of this attacker on this chariot this turn, this one included."""
    driving = {"attacks": earlier, "attacks_on": {1: earlier}}
    t = strike(table, FIRST, {**BODY, "skill": skill}, dice=(face, 1), driving=driving)
    t.play("ram white body", "evade")
    assert t.one(SkillTest) == SkillTest(1, "defence", face=face, modifier=earlier + 1, skill=skill, passed=passed)
    assert bool(t.told(Collided)) != passed


def test_a6_attacks_on_others_do_not_count(table: type[Table]) -> None:
    t = strike(table, FIRST, BODY, AHEAD, dice=(1, 1), driving={"attacks": 2, "attacks_on": {2: 2}})
    assert t.play("ram white body", "evade").one(SkillTest).modifier == 1


def test_a7_the_target_is_asked_and_may_bear_it(table: type[Table]) -> None:
    t = strike(table, FIRST, BODY).play("ram white body")
    assert (t.question, t.asked, t.view["about"]) == ("defence", 1, 0)
    assert t.legal() == ["bear it", "brake away", "evade"]
    t.play("bear it")
    assert t.one(Defended).how == "bears it"
    assert t.told(Paid, 1) == []
    assert t.told(Collided)[0].kind == "ram"


@pytest.mark.parametrize(
    ("white", "action"),
    [
        pytest.param({**BODY, "confused": True}, "ram white body", id="out-of-control"),
        pytest.param({**BODY, "reins": False}, "ram white body", id="reins-lost"),
        pytest.param({**BODY, "stunned": True}, "ram white body", id="unconscious"),
        pytest.param(
            {**BODY, "driver": "on the haft for the reins", "reins": False}, "ram white body", id="on-the-haft"
        ),
        pytest.param({**BODY, "driver": "dead"}, "ram white body", id="nobody-in-it"),
        pytest.param(team(90, 21), "ram white horses", id="team"),
        pytest.param(dragging(90, 21), "ram white horses", id="dragging"),
        pytest.param(walker(90, 16), "ram driver of white", id="driver-on-foot"),
        pytest.param(wreck(90, 21), "ram wreck of white", id="wreck"),
    ],
)
def test_a7_nobody_else_can_defend(table: type[Table], white: dict[str, Any], action: str) -> None:
    t = strike(table, FIRST, white).play(action)
    assert t.question != "defence"
    assert t.told(Collided)[0].kind == "ram"


# --- A8: void attacks -------------------------------------------------------------------------------------------------


def test_a8_a_payment_that_breaks_the_contact_makes_the_attack_void(table: type[Table]) -> None:
    """White pays with nothing left, stumbles 3 cm back, and is out of reach before its test."""
    weary = {**HORSES, "stamina": 0, "worn": {"stamina": 4}}
    t = strike(table, FIRST, weary, dice=(1, 6)).play("ram white horses", "evade")
    assert t.one(Moved, 1).how == "back"
    assert t.one(Void) == Void(0, target=1)
    assert (t.told(SkillTest), t.told(RolledBoth)) == ([], [])
    assert (t.question, t.asked) == ("drive", 0)


def test_a8_a_payment_that_only_shifts_the_parts_makes_it_void_too(table: type[Table]) -> None:
    """2 cm back, and red's axle is level with the horses, not with the body that the attack was meant for."""
    weary = {**BODY, "stamina": 0, "worn": {"stamina": 4}}
    t = strike(table, FIRST, weary, dice=(1, 4)).play("ram white body", "evade")
    assert pose(t, 1) == (180, 21, 0)
    assert t.told(Void)


def test_a8_a_crash_by_the_payment_makes_it_void(table: type[Table]) -> None:
    dying = {**BODY, "horses": 1, "stamina": 0, "worn": {"stamina": 7}}
    t = strike(table, FIRST, dying, dice=(1, 1, 1)).play("ram white body", "brake away")
    assert t.told(Crashed, 1)
    assert t.told(Void)
    assert t.told(RolledBoth) == []


def test_a8_a_failed_test_lets_the_attack_happen(table: type[Table]) -> None:
    t = strike(table, FIRST, BODY, dice=(6,)).play("ram white body", "brake away")
    assert (t.told(Void), t.told(Moved, 1)[:1]) == ([], [])
    assert t.told(Collided)[0].kind == "ram"
    assert t.told(Lost, 1)[0] == Lost(1, "stamina", 18)


def test_a8_a_passed_test_voids_it_even_if_they_still_touch(table: type[Table]) -> None:
    t = strike(table, FIRST, {"progress": 105, "offset": 21}, dice=(1, 1)).play("ram white body", "brake away")
    assert pose(t, 1) == (195, 21, 0)
    assert t.told(RolledBoth) == []
    assert (t.question, t.asked) == ("drive", 0)


# --- A9: braking away and evading -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("white", "after"),
    [
        pytest.param({"progress": 100, "offset": 21}, (200, 51, 0), id="left"),
        pytest.param({"progress": 100, "offset": -21}, (200, -51, 0), id="right"),
        pytest.param({"progress": 80, "offset": 21, "heading": 180}, (180, 51, 180), id="left-facing-back"),
        pytest.param({"progress": 100, "offset": -21, "heading": 180}, (200, -51, 180), id="right-facing-back"),
        pytest.param({"progress": 85, "offset": 31, "heading": 90}, (155, 31, 90), id="across-behind"),
    ],
)
def test_a9_an_evasion_goes_sideways_away_from_the_attacker(
    table: type[Table], white: dict[str, Any], after: tuple[float, float, float]
) -> None:
    t = strike(table, FIRST, white, dice=(1, 3))
    t.play(t.legal("ram")[0], "evade")
    assert pose(t, 1) == after
    assert t.one(Moved).how == "evade"


@pytest.mark.parametrize(("side", "x"), [("left", 230), ("right", 170)])
def test_a9_where_either_side_would_do_the_defender_chooses(table: type[Table], side: str, x: float) -> None:
    """White stands across the track, straight beside red's centre, facing it."""
    t = strike(table, FIRST, {"progress": 100, "offset": 31, "heading": -90}, dice=(1, 3))
    t.play("ram white horses", "evade")
    assert (t.question, t.asked) == ("side of the evasion", 1)
    assert t.legal() == ["evade left", "evade right"]
    t.play(f"evade {side}")
    assert pose(t, 1) == (x, 31, 270)


@pytest.mark.parametrize(("heading", "after"), [(0, (160, 21, 0)), (180, (240, 21, 180))])
def test_a9_braking_goes_straight_back(table: type[Table], heading: float, after: tuple[float, float, float]) -> None:
    t = strike(table, FIRST, {"progress": 100, "offset": 21, "heading": heading}, dice=(1, 4))
    t.play(t.legal("ram")[0], "brake away")
    assert pose(t, 1) == after
    assert [rolled.what for rolled in t.told(Rolled)] == ["defence", "brake away"]


def test_a9_a_defence_costs_one_point_and_no_distance(table: type[Table]) -> None:
    t = strike(table, FIRST, BODY, dice=(1, 4)).play("ram white body", "evade")
    assert (t.one(Paid).chariot, t.one(Paid).points, t[1]["stamina"]) == (1, 1, 18)
    assert t.driving["moved"] == 50


@pytest.mark.parametrize(
    ("defence", "blue", "dice"),
    [
        pytest.param("brake away", {"progress": 50, "offset": 21}, (1, 3), id="brake"),
        pytest.param("evade", {"progress": 120, "offset": 50}, (1, 3), id="evade"),
    ],
)
def test_m7_evading_and_braking_can_collide(
    table: type[Table], defence: str, blue: dict[str, Any], dice: tuple[int, ...]
) -> None:
    t = strike(table, FIRST, BODY, blue, dice=dice).play("ram white body", defence)
    collision = t.told(Collided)[0]
    assert (collision.initiator, collision.target, collision.kind) == (1, 2, "collision")
    assert t.told(TurnEnds, 0) == []


def test_a9_a_collision_of_the_one_who_evades_does_not_end_the_attackers_turn(table: type[Table]) -> None:
    blue = {"progress": 120, "offset": 50, "structure": 7}
    t = strike(table, FIRST, BODY, blue, dice=(1, 3, 1, 1, 1, 1, 1, 1)).play("ram white body", "evade")
    assert t.one(Bounced).value == -2
    assert (t.question, t.asked) == ("drive", 0)


# --- A10: whip at horses ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("face", [1, 2, 3, 4, 5])
def test_a10_whipped_horses_bolt_ahead_and_lose_two_points(table: type[Table], face: int) -> None:
    t = strike(table, FIRST, HORSES, dice=(face,)).play("whip horses of white", "bear it")
    assert pose(t, 1) == (180 + 10 * face, 21, 0)
    assert t[1]["stamina"] == 17
    assert not t[1]["out_of_control"]
    story = [type(event) for event in t.events if isinstance(event, Rolled | Moved | Lost)]
    assert story == [Rolled, Moved, Lost, Lost]
    assert t.one(Rolled).chariot == 0


def test_a10_a_six_takes_them_out_of_control_until_the_end_of_their_next_turn(table: type[Table]) -> None:
    t = strike(table, FIRST, HORSES, dice=(6,)).play("whip horses of white", "bear it")
    assert t.one(LostControl) == LostControl(1)
    assert pose(t, 1) == (240, 21, 0)
    assert t[1]["out_of_control"]
    assert t[1]["stamina"] == 17
    t.play("stop")  # white runs away now, in this game turn, and has control again
    assert t.question == "speed tokens"
    assert not t[1]["out_of_control"]


def test_a10_on_those_who_are_out_of_control_already_a_six_has_no_further_effect(table: type[Table]) -> None:
    t = strike(table, FIRST, {**HORSES, "reins": False}, dice=(6,)).play("whip horses of white")
    assert t.told(LostControl) == []
    assert (pose(t, 1)[0], t[1]["stamina"]) == (240, 17)


def test_a10_runaway_teams_can_be_whipped(table: type[Table]) -> None:
    t = strike(table, FIRST, team(90, 21), dice=(2,)).play("whip horses of white")
    assert pose(t, 1) == (210, 21, 0)


def test_a10_the_two_points_are_lost_one_by_one(table: type[Table]) -> None:
    t = strike(table, FIRST, {**HORSES, "stamina": 1}, dice=(1, 3)).play("whip horses of white", "bear it")
    assert t[1]["stamina"] == 0
    assert t.one(OutOf).result == 3


def test_a10_a_whip_may_carry_them_over_the_finishing_line(table: type[Table]) -> None:
    """The race is 3759.2 mm long."""
    t = strike(table, {"progress": 3710, "offset": 0}, {"progress": 3690, "offset": 21}, dice=(6,))
    t.play("whip horses of white", "bear it")
    assert t.one(Crossed) == Crossed(1, place=1)


def test_a10_it_can_be_evaded(table: type[Table]) -> None:
    t = strike(table, FIRST, HORSES, dice=(1, 2)).play("whip horses of white", "evade")
    assert pose(t, 1) == (180, 41, 0)
    assert t[1]["stamina"] == 18


def test_a10_m7_the_bolting_team_collides(table: type[Table]) -> None:
    t = strike(table, FIRST, HORSES, {"progress": 140, "offset": 21}, dice=(6, 1, 1, 1, 1, 1))
    t.play("whip horses of white", "bear it")
    assert (t.one(Collided).initiator, t.one(Collided).target) == (1, 2)
    assert t[1]["out_of_control"]
    assert (t.question, t.asked) == ("drive", 0)


# --- A11: whip at the driver ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faces", "wound", "points"),
    [
        pytest.param((4, 3), 1, (5, 5), id="higher-wound-1-skill"),
        pytest.param((4, 3), 3, (5, 5), id="higher-wound-3-skill"),
        pytest.param((4, 3), 4, (6, 4), id="higher-wound-4-health"),
        pytest.param((4, 3), 6, (6, 4), id="higher-wound-6-health"),
        pytest.param((3, 4), None, (6, 5), id="lower"),
        pytest.param((3, 3), None, (6, 5), id="equal"),
    ],
)
def test_a11_the_duel(table: type[Table], faces: tuple[int, int], wound: int | None, points: tuple[int, int]) -> None:
    t = strike(table, FIRST, BODY, dice=(*faces, *([wound] if wound else []))).play("whip driver of white", "bear it")
    assert t.one(Duelled) == Duelled(0, defender=1, total=faces[0] + 11, defence=faces[1] + 11)
    assert (t[1]["skill"], t[1]["health"]) == points
    assert [rolled.what for rolled in t.told(Rolled)] == (["whip wound"] if wound else [])
    assert (t[0]["skill"], t[0]["health"]) == (6, 5)
    assert bool(t.told(LostWhip)) == (faces[0] == faces[1])
    assert (t.question, t.asked) == ("drive", 0)


@pytest.mark.parametrize(("own", "theirs", "hit"), [((6, 4), (6, 5), False), ((7, 5), (5, 5), True)])
def test_a11_present_skill_and_health_count(
    table: type[Table], own: tuple[int, int], theirs: tuple[int, int], hit: bool
) -> None:
    red = {**FIRST, "skill": own[0], "health": own[1]}
    white = {**BODY, "skill": theirs[0], "health": theirs[1]}
    t = strike(table, red, white, dice=(3, 3, 1)).play("whip driver of white", "bear it")
    assert (t.one(Duelled).total, t.one(Duelled).defence) == (3 + sum(own), 3 + sum(theirs))
    assert bool(t.told(Lost, 1)) == hit


def test_a11_a_lost_whip_is_lost_for_the_race(table: type[Table]) -> None:
    t = strike(table, FIRST, BODY, dice=(2, 2)).play("whip driver of white", "bear it")
    assert not t[0]["whip"]
    assert "whip" not in t.legal()
    assert "spur" in t.legal()
    assert "whip is lost" in t.why_not("whip")


def test_a11_the_defender_needs_no_whip_and_keeps_his(table: type[Table]) -> None:
    t = strike(table, FIRST, {**BODY, "whip": False}, dice=(1, 6)).play("whip driver of white", "bear it")
    assert t[0]["whip"]
    assert t.told(Lost) == []


# --- A12, A13 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("structure", "white", "dice"),
    [
        (3, HORSES, (4, 2)),
        (5, HORSES, (5, 2)),
        (7, HORSES, (6, 2)),
        (5, BODY, (5, 3)),
        (7, {**BODY, "structure": 2}, (6, 2)),
    ],
)
def test_a12_a_ram_is_the_bodys_value_and_two_against_the_level_part(
    table: type[Table], structure: int, white: dict[str, Any], dice: tuple[int, int]
) -> None:
    t = strike(table, {**FIRST, "structure": structure}, white)
    t.play(t.legal("ram")[0], "bear it")
    collision, rolled = t.told(Collided)[0], t.told(RolledBoth)[0]
    assert (collision.part, collision.kind) == ("body", "ram")
    assert (len(rolled.dice), len(rolled.others)) == dice


def test_a13_the_attack_comes_before_the_end_of_the_turn(table: type[Table]) -> None:
    """The maximum is used up and nothing can lengthen it: there is still an attack."""
    t = strike(table, FIRST, BODY, driving={"moved": 100, "spurred": True, "whipped": True})
    assert t.question == "attack"
    t.play("no attack")
    assert t.one(TurnEnds, 0).mm == 100


def test_a13_after_an_attack_the_turn_goes_on(table: type[Table]) -> None:
    t = strike(table, FIRST, BODY, dice=(1, 6)).play("ram white body", "evade")
    assert (t.one(Attacked).how, t.one(Attacked).side) == ("ram", "")
    assert "announce" in t.legal()


def test_c6_a_dragged_driver_can_be_killed_by_a_ram_and_his_team_stays(table: type[Table]) -> None:
    """C6: nothing holds the part that was rammed any more, so nothing is thrown."""
    t = strike(table, FIRST, dragging(100, 21, health=0, worn={"health aboard": 6}), dice=(6, 6, 1, 1, 1, 1, 1))
    t.play("ram white driver")
    assert t[1]["driver"] == "dead"
    assert t.told(Moved) == []
    assert t.piece(1)["kind"] == "team"
    assert t.piece(FOOT + 1) is None
    assert t.piece(WRECK + 1) is not None
