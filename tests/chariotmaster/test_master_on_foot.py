"""Drivers on foot (F1 to F5), loose reins and the haft (L1 to L5), and states that pass (Z8 to Z13, O2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from losing_scenes import (
    ANY,
    BYSTANDER,
    DRIVER_OF_RED,
    LOW,
    STRIKES,
    dragged,
    next_turn,
    rammed,
    rammed_on_foot,
    wheel_breaks,
    whipped,
)

from spina.games.chariotmaster.play import events
from spina.games.chariotmaster.play.events import (
    Awake,
    Climbed,
    Clings,
    Collided,
    ControlBack,
    CutFree,
    Drawn,
    Eliminated,
    Fell,
    Grabbed,
    LeftTrack,
    Lost,
    LostKnife,
    LostReins,
    Moved,
    OutOf,
    Placed,
    Rolled,
    StunnedNow,
    TurnEnds,
)
from spina.games.chariotmaster.rules.record import WALL

if TYPE_CHECKING:
    from conftest import Table

MIDDLE = {"progress": 100, "offset": 0}


def walker(table: type[Table], *dice: Any, progress: float = 100, offset: float = 0, **red: Any) -> Table:
    """Red's turn: its horses are gone, its driver is on foot 100 mm beyond the line."""
    gone = {"gone": True, "horses": 0, "wreck": {"progress": 0, "offset": 50}}
    on_foot = {"driver": "on foot", "on_foot": {"progress": progress, "offset": offset}}
    return next_turn(table, *dice, **{**gone, **on_foot, **red})


def spot(t: Table) -> tuple[int, int, int]:
    """Where the driver of the red chariot stands: units, tenths of a degree."""
    piece = t.piece(DRIVER_OF_RED)
    assert piece is not None
    return piece["x"], piece["y"], piece["heading"]


def order(t: Table, *kinds: type) -> list[str]:
    return [type(event).__name__ for event in t.events if isinstance(event, kinds)]


# --- F1: walking ----------------------------------------------------------------------------------------------------


def test_f1_he_walks_in_straight_legs_of_5_cm_in_all(table: type[Table]) -> None:
    t = walker(table)
    assert (t.question, t.asked) == ("walk", 0)
    assert "further than it may" in t.why_not("walk 0 51 mm")
    t.play("walk 0 30 mm")
    assert t.question == "walk" and spot(t) == (2300, 0, 0)
    assert "further than it may" in t.why_not("walk 90 21 mm")
    t.play("walk 90 20 mm")
    assert spot(t) == (2300, 200, 0)
    assert t.told(TurnEnds, 0) and t.question == "speed tokens"


def test_f1_any_whole_degree_will_do_and_his_base_never_turns(table: type[Table]) -> None:
    t = walker(table).play("walk 217 10 mm")
    assert spot(t) == (2000 - 80, -60, 0)


def test_f1_he_may_stop_at_any_time(table: type[Table]) -> None:
    assert walker(table).play("stop").told(TurnEnds, 0)
    assert walker(table).play("walk 45 1 mm", "stop").told(TurnEnds, 0)


@pytest.mark.parametrize(
    ("where", "leg"),
    [
        ({"progress": 0, "offset": 25}, "walk 90 20 mm"),
        ({"progress": 250, "offset": 0}, "walk 0 30 mm"),
        ({"progress": 100, "offset": 60}, "walk 90 20 mm"),
    ],
    ids=["a wreck", "a chariot", "the wall"],
)
def test_f1_he_may_not_walk_into_anything(table: type[Table], where: dict[str, float], leg: str) -> None:
    t = walker(table, **where)
    assert "something is in the way" in t.why_not(leg)
    assert t.why_not(leg.replace("20", "5").replace("30", "5")) == ""


def test_f1_t8_he_walks_as_with_the_0_token_whatever_his_horses_run_with(table: type[Table]) -> None:
    on_foot = {"driver": "on foot", "on_foot": {"progress": 0, "offset": 40}}
    t = next_turn(table, token="10", **MIDDLE, **on_foot)
    assert (t.one(Moved, 0).piece, t.one(Moved, 0).mm) == (0, 150)
    assert t.question == "walk" and t.why_not("walk 0 50 mm") == ""
    assert "further than it may" in t.why_not("walk 0 51 mm")


def test_t8_horses_run_before_their_driver_walks(table: type[Table]) -> None:
    on_foot = {"driver": "on foot", "on_foot": {"progress": 0, "offset": 40}}
    t = next_turn(table, **MIDDLE, **on_foot).play("walk 0 10 mm", "stop")
    assert [event.how for event in t.told(Moved, 0)] == ["run away", "walk"]


def test_s6_thrown_off_in_his_own_turn_he_walks_from_the_next_one_on(table: type[Table]) -> None:
    t = wheel_breaks(table, 6, 3, 1, **MIDDLE, worn={"structure": 2})
    assert t[0]["driver"] == "on foot"
    assert t.told(TurnEnds, 0) and t.question == "speed tokens"


# --- F2: never again ------------------------------------------------------------------------------------------------


def test_f2_the_chariot_is_out_the_moment_he_is_on_foot(table: type[Table]) -> None:
    t = whipped(table, 1, 6, skill=0, worn={"skill aboard": 2})
    assert t.one(Eliminated).chariot == 0
    assert t[0]["out"] and t[0]["progress"] == 100
    t.play("stop")
    assert t.question == "walk" and t.piece(0)["x"] > 2000
    assert t[0]["progress"] == 100


def test_f2_nobody_climbs_on_again(table: type[Table]) -> None:
    """At the end of his turn next to his own chariot there is no question for him."""
    on_foot = {"driver": "on foot", "on_foot": {"progress": 0, "offset": 40}}
    t = next_turn(table, **MIDDLE, **on_foot).play("stop")
    assert t.question == "speed tokens" and not t.told(Climbed)


# --- F3, F4: leaving ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("offset", "leaves"),
    [(74.9, True), (73, True), (72.9, False), (-73, True), (-72.9, False), (0, False)],
)
def test_f3_within_2_mm_of_a_wall_at_the_end_of_his_turn_he_is_off(
    table: type[Table], offset: float, leaves: bool
) -> None:
    t = walker(table, offset=offset).play("stop")
    assert bool(t.told(LeftTrack, 0)) == leaves
    assert (t.piece(DRIVER_OF_RED) is None) == leaves
    assert t[0]["driver"] == ("off the track" if leaves else "on foot")


def test_f3_also_unconscious(table: type[Table]) -> None:
    t = walker(table, offset=74, stunned=True)
    assert t.one(LeftTrack) and t.question == "speed tokens"


def test_f3_he_may_walk_to_the_edge(table: type[Table]) -> None:
    t = walker(table, offset=50).play("walk 90 24 mm", "stop")
    assert t.one(LeftTrack)


def test_f3_only_at_the_end_of_his_own_turn(table: type[Table]) -> None:
    """Other chariots' turns do not matter."""
    gone = {"gone": True, "horses": 0, "wreck": {"progress": 0, "offset": 50}, "driver": "on foot", "drawn": True}
    red = {**gone, "on_foot": {"progress": 100, "offset": 74}}
    t = table(red, {"progress": 300, "offset": 0, "token": "0"}, BYSTANDER, active=1).play("stop")
    assert not t.told(LeftTrack) and t.piece(DRIVER_OF_RED) is not None


def test_f3_who_has_left_has_no_more_turn(table: type[Table]) -> None:
    t = walker(table, offset=74).play("stop")
    assert t.race.to_act == (1, 2)
    t.dice((2, 0)).tokens("0", "0")
    assert not t.told(Drawn, 0)[1:]


def test_f4_hurled_into_a_wall_he_collides_and_leaves_at_the_end_of_his_next_turn(table: type[Table]) -> None:
    """His 6 against four low dice: -2, so that he stays where he is, at the wall."""
    t = rammed(table, 6, 3, 4, 6, LOW, LOW, LOW, LOW, worn={"structure": 2})
    wall = t.told(Collided)[1]
    assert (wall.initiator, wall.target) == (DRIVER_OF_RED, WALL)
    assert len(t.told(events.RolledBoth)[1].others) == 4
    assert not t.told(LeftTrack)
    t.play("stop", "stop")
    assert t.one(LeftTrack)


def test_f4_hurled_there_in_his_own_turn_he_is_still_on_the_track_until_the_end_of_the_next(table: type[Table]) -> None:
    """He faces the inner wall when a wheel comes off."""
    red = {"progress": 100, "offset": 40, "heading": 90, "worn": {"structure": 2}}
    t = wheel_breaks(table, 6, 3, 4, 6, LOW, LOW, LOW, LOW, **red)
    assert t.one(Collided).target == WALL
    assert t.told(TurnEnds, 0) and t[0]["driver"] == "on foot" and not t.told(LeftTrack)
    t.dice((3, 0)).tokens("0", "0")
    assert (t.question, t.asked) == ("walk", 0)
    t.play("stop")
    assert t.one(LeftTrack)


# --- F5: in the way -------------------------------------------------------------------------------------------------


def test_f5_he_may_stand_in_the_way_and_others_must_avoid_him(table: type[Table]) -> None:
    red = {**MIDDLE, "progress": 10, "driver": "on foot", "on_foot": {"progress": 150, "offset": 0}, "drawn": True}
    t = table(red, MIDDLE, BYSTANDER, active=1)
    assert "something is in the way" in t.why_not("ahead 50")
    assert t.why_not("ahead 24") == "" and t.legal("run") == []


def test_f5_a_race_can_be_set_up_so_that_he_must_leave(table: type[Table]) -> None:
    gone = {"gone": True, "horses": 0, "wreck": {"progress": 0, "offset": 50}, "driver": "on foot"}
    red = {**gone, "on_foot": {"progress": 100, "offset": 20}}
    other = {"progress": 300, "offset": 0, "token": "0"}
    t = table(red, other, BYSTANDER, dice=(ANY,), active=1, options={"must_leave": True}).play("stop")
    assert t.question == "walk"
    assert "must leave" in t.why_not("stop")
    assert "must leave" in t.why_not("walk 270 10 mm")
    t.play("walk 90 50 mm")
    assert t.told(TurnEnds, 0) and spot(t) == (2000, 700, 0)


def test_f5_who_must_leave_may_stop_at_the_edge(table: type[Table]) -> None:
    gone = {"gone": True, "horses": 0, "wreck": {"progress": 0, "offset": 50}, "driver": "on foot"}
    red = {**gone, "on_foot": {"progress": 100, "offset": 74.9}}
    other = {"progress": 300, "offset": 0, "token": "0"}
    t = table(red, other, BYSTANDER, dice=(ANY,), active=1, options={"must_leave": True}).play("stop")
    t.play("stop")
    assert t.one(LeftTrack)


# --- L1: climbing ---------------------------------------------------------------------------------------------------

LOOSE = {**MIDDLE, "reins": False}
DEAD_HORSE = {"horses": 1, "dead_horses": 1}
HAFT = {**MIDDLE, "driver": "on the haft for the reins", "reins": False}
CUTTING = {**MIDDLE, **DEAD_HORSE, "driver": "on the haft to cut"}


@pytest.mark.parametrize(
    ("red", "answers"),
    [
        (LOOSE, ["climb for the reins", "stay"]),
        ({**LOOSE, **DEAD_HORSE}, ["climb for the reins", "climb to cut", "stay"]),
    ],
    ids=["loose reins", "and a dead horse"],
)
def test_l1_at_the_end_of_his_turn_a_driver_without_reins_may_climb(
    table: type[Table], red: dict[str, Any], answers: list[str]
) -> None:
    t = next_turn(table, **red)
    assert t.told(Moved, 0) and (t.question, t.asked) == ("climb", 0)
    assert sorted(t.legal()) == answers


def test_l1_with_reins_and_living_horses_nobody_is_asked(table: type[Table]) -> None:
    t = next_turn(table, token="0", **MIDDLE).play("stop")
    assert t.question == "speed tokens"


def test_l1_with_a_dead_horse_the_turn_of_a_driver_under_control_ends_with_the_question(table: type[Table]) -> None:
    t = next_turn(table, **MIDDLE, **DEAD_HORSE).play("stop")
    assert t.question == "climb" and sorted(t.legal()) == ["climb to cut", "stay"]
    assert "no reason to climb" in t.why_not("climb for the reins")


def test_l1_unconscious_he_cannot_climb(table: type[Table]) -> None:
    t = next_turn(table, stunned=True, **LOOSE)
    assert t.question == "speed tokens" and t.one(Awake)


def test_l1_staying_changes_nothing_and_he_is_asked_again_next_turn(table: type[Table]) -> None:
    t = next_turn(table, **LOOSE).play("stay")
    assert t[0]["driver"] == "aboard"
    t.dice((3, 0), (2, 0)).tokens("0", "0")
    assert (t.question, t.asked) == ("climb", 0)


def test_l1_the_grab_test_comes_at_the_end_of_the_next_turn_and_is_compulsory(table: type[Table]) -> None:
    t = next_turn(table, **LOOSE).play("climb for the reins")
    assert t.one(Climbed).purpose == "reins" and t[0]["driver"] == "on the haft for the reins"
    assert not t.told(events.Tested)
    t.dice((3, 0), 3).tokens("0", "0")
    assert t.one(events.Tested).what == "grab" and t.one(Grabbed)
    names = order(t, Climbed, Drawn, events.Tested)
    assert names[names.index("Climbed") :][:3] == ["Climbed", "Drawn", "Tested"]


def test_l1_on_the_haft_he_is_not_tested_when_unconscious(table: type[Table]) -> None:
    t = next_turn(table, 6, stunned=True, **HAFT)
    assert not t.told(events.Tested) and t[0]["driver"] == "on the haft for the reins" and t.one(Awake)


def test_l1_who_clings_tries_again_at_the_end_of_each_later_turn(table: type[Table]) -> None:
    t = next_turn(table, 5, skill=3, **HAFT)
    assert t.one(Clings) and t[0]["driver"] == "on the haft for the reins"
    t.dice((3, 0), 2).tokens("0", "0")
    assert len(t.told(events.Tested)) == 2 and t.one(Grabbed)


# --- L2: the grab modifier table ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("token", "modifier"), [("0", -1), ("5", 0), ("10", 1)])
@pytest.mark.parametrize("purpose", ["reins", "cut"])
def test_l2_grab_modifier_table(table: type[Table], token: str, modifier: int, purpose: str) -> None:
    """With skill 3 the greatest die that passes is 4, 3 or 2; a dead horse in the harness allows only the 0 token."""
    red = HAFT if purpose == "reins" else CUTTING
    in_use = -1 if purpose == "cut" else modifier
    for face in (3 - in_use, 4 - in_use):
        t = next_turn(table, face, skill=3, token=token, **red)
        assert t.one(events.Tested) == events.Tested(0, "grab", face, in_use, 3, face == 3 - in_use)


@pytest.mark.parametrize(
    ("face", "token", "skill", "comes_of_it"),
    [
        (1, "10", 0, Grabbed),
        (2, "10", 0, Clings),
        (2, "0", 0, Clings),
        (2, "0", 1, Grabbed),
        (5, "5", 5, Grabbed),
        (5, "10", 5, Clings),
        (6, "0", 9, Fell),
        (6, "10", 0, Fell),
    ],
)
def test_l2_a_natural_1_passes_and_a_natural_6_falls(
    table: type[Table], face: int, token: str, skill: int, comes_of_it: type
) -> None:
    t = next_turn(table, face, 4, skill=skill, token=token, **HAFT)
    assert [kind for kind in (Grabbed, Clings, Fell) if t.told(kind)] == [comes_of_it]


def test_l2_passed_he_is_back_with_the_reins_and_drives_from_the_next_turn_on(table: type[Table]) -> None:
    t = next_turn(table, 1, **HAFT)
    assert (t[0]["driver"], t[0]["reins"], t[0]["out_of_control"]) == ("aboard", True, False)
    assert t.one(TurnEnds, 0).mm == 100 and t.race.to_act == (0, 1, 2)
    t.dice((3, 0)).tokens("10", "0", "0")
    assert (t.question, t.asked) == ("drive", 0)


# --- L3: falling ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("face", "side", "y"),
    [(1, "right", -152), (3, "right", -152), (4, "left", 152), (6, "left", 152)],
)
def test_l3_a_die_says_on_which_side_of_the_horses_he_lands(table: type[Table], face: int, side: str, y: int) -> None:
    """The chariot has run to 200 mm; its horses' centre is 10 mm ahead of its own."""
    t = next_turn(table, 6, face, **HAFT)
    assert t.one(Fell).side == side
    assert t.piece(0)["x"] == 3000 and spot(t) == (3100, y, 0)


def test_l3_die_then_place_then_a_point_of_health(table: type[Table]) -> None:
    t = next_turn(table, 6, 4, **HAFT)
    kinds = order(t, Rolled, Fell, Placed, Lost, Eliminated)
    assert kinds == ["Rolled", "Rolled", "Fell", "Eliminated", "Placed", "Lost"]
    assert (t[0]["health"], t[0]["driver"], t[0]["out"]) == (4, "on foot", True)


def test_l3_the_point_is_lost_on_the_table_for_drivers_on_foot(table: type[Table]) -> None:
    t = next_turn(table, 6, 4, 6, health=0, **HAFT)
    assert (t.one(OutOf).table, t.one(OutOf).result) == ("health on foot", 6)
    assert t[0]["stunned"]


def test_l3_the_chariot_runs_on_without_him(table: type[Table]) -> None:
    t = next_turn(table, 6, 4, **HAFT)
    assert t.piece(0)["kind"] == "chariot" and t[0]["out_of_control"] and t[0]["token"] == "5"


@pytest.mark.parametrize("progress", [430, 540, 600, 700])
@pytest.mark.parametrize("face", [3, 4])
def test_l3_beside_a_chariot_in_a_bend_he_does_not_land_on_its_corner(
    table: type[Table], progress: float, face: int
) -> None:
    t = next_turn(table, 6, face, **{**HAFT, "progress": progress})
    assert t.piece(0)["heading"] % 900 and t.one(Placed) and not t.told(Collided)


# --- L4, L5: cutting a horse free -----------------------------------------------------------------------------------


def test_l4_on_the_haft_to_cut_the_chariot_is_out_of_control_though_he_held_the_reins(table: type[Table]) -> None:
    t = next_turn(table, **MIDDLE, **DEAD_HORSE).play("stop", "climb to cut")
    assert t.one(Climbed).purpose == "cut"
    assert (t[0]["driver"], t[0]["out_of_control"]) == ("on the haft to cut", True)
    t.dice((3, 0), 5).tokens("0", "0")
    assert t.told(Drawn, 0)[-1].out_of_control
    assert (t.told(Moved, 0)[-1].how, t.told(Moved, 0)[-1].mm) == ("run away", 50)


def test_l4_cut_free_he_is_back_and_holds_the_reins_he_had(table: type[Table]) -> None:
    t = next_turn(table, 4, **CUTTING)
    assert t.one(CutFree) and not t.told(Grabbed)
    assert (t[0]["driver"], t[0]["reins"], t[0]["dead_horses"], t[0]["horses"]) == ("aboard", True, 0, 1)
    assert t[0]["tokens"] == ["0", "5"] and not t[0]["out_of_control"]


def test_l4_cutting_has_the_same_falls(table: type[Table]) -> None:
    t = next_turn(table, 6, 2, **CUTTING)
    assert t.one(Fell).side == "right" and t[0]["dead_horses"] == 1


def test_l5_after_cutting_the_reins_are_still_lost_if_they_were_and_he_may_climb_again(table: type[Table]) -> None:
    t = next_turn(table, 4, reins=False, **CUTTING)
    assert t.one(CutFree) and (t[0]["reins"], t[0]["driver"]) == (False, "aboard")
    assert t.question == "climb" and sorted(t.legal()) == ["climb for the reins", "stay"]


def test_l5_after_grabbing_the_reins_the_dead_horse_still_hangs_there(table: type[Table]) -> None:
    t = next_turn(table, 4, **DEAD_HORSE, **HAFT)
    assert t.one(Grabbed) and t[0]["dead_horses"] == 1
    assert t.question == "climb" and sorted(t.legal()) == ["climb to cut", "stay"]


# --- Z8 to Z13: states and when they end ----------------------------------------------------------------------------


def test_z8_reins_lost_by_a_whip_are_lost_until_he_has_fetched_them(table: type[Table]) -> None:
    t = whipped(table, 6, 6, health=0, offset=0)
    assert t.one(LostReins) and not t.told(StunnedNow)
    t.play("stop")
    assert t.one(Drawn, 0).out_of_control and t.question == "climb"
    t.play("stay")
    assert t[0]["out_of_control"] and not t.told(ControlBack)


def test_z8_z9_knocked_over_he_cannot_climb_in_his_next_turn_but_in_the_one_after(table: type[Table]) -> None:
    t = whipped(table, 6, 6, health=0, offset=0, worn={"health aboard": 1})
    assert t.one(LostReins) and t.one(StunnedNow)
    t.play("stop")
    assert t.told(TurnEnds, 0) and t.one(Awake) and t.question == "speed tokens"
    assert not t[0]["stunned"] and t[0]["out_of_control"]
    t.dice((3, 0)).tokens("0", "0")
    assert (t.question, t.asked) == ("climb", 0)


def test_z9_lost_in_his_own_turn_consciousness_comes_back_at_the_end_of_the_following_one(table: type[Table]) -> None:
    """Dragged: he cannot cut himself loose in this turn nor in the next."""
    t = dragged(table, 6, health=0)
    assert t.one(StunnedNow) and not t.told(Awake) and t.question == "speed tokens"
    t.dice((3, 0), 1, 1).tokens("0", "0")
    assert len(t.told(TurnEnds, 0)) == 2 and t.one(Awake)
    while t.question != "speed tokens":
        t.play("stop")
    t.dice((3, 0), 1, 1).tokens("0", "0")
    assert (t.question, t.asked) == ("cut loose", 0)


def test_z9_an_unconscious_driver_defends_nothing(table: type[Table]) -> None:
    rammer = {"progress": 100, "offset": -21}
    t = table({**MIDDLE, "stunned": True}, rammer, BYSTANDER, active=1, driving=STRIKES).play("ram red body")
    assert not t.told(events.Defended) and t.told(Collided)


def test_o2_out_of_control_by_the_table_lasts_to_the_end_of_the_next_own_turn(table: type[Table]) -> None:
    """Lost in another's turn, with the own token still in the mug: until the end of this game turn's own turn."""
    t = whipped(table, 1, 3, skill=0, offset=0)
    assert t[0]["out_of_control"]
    t.play("stop")
    assert t.one(Drawn, 0).out_of_control
    assert order(t, Moved, ControlBack, TurnEnds)[-3:] == ["Moved", "ControlBack", "TurnEnds"]
    assert t.race.to_act == (0, 1, 2)


def test_o2_lost_after_the_own_turn_it_lasts_through_the_next_game_turn(table: type[Table]) -> None:
    t = whipped(table, 1, 3, skill=0, offset=0, drawn=True, last="10").play("stop")
    assert t.question == "speed tokens" and t.race.to_act == (1, 2)
    assert t[0]["out_of_control"] and not t.told(ControlBack)
    t.dice((3, 0)).tokens("0", "0")
    assert t.one(Drawn, 0).out_of_control and t.one(ControlBack)


def test_o2_lost_reins_outlast_it(table: type[Table]) -> None:
    t = next_turn(table, confused=True, **LOOSE).play("stay")
    assert t[0]["out_of_control"] and not t.told(ControlBack)


def test_z11_skill_8_he_lands_behind_the_chariot_unhurt_and_team_and_body_run_away(table: type[Table]) -> None:
    t = whipped(table, 1, 6, skill=0, offset=0, worn={"skill aboard": 2})
    assert t.one(Fell).side == "behind" and spot(t) == (2000 - 252, 0, 0)
    assert t[0]["health"] == 5 and not t.told(Lost, 0)
    t.play("stop")
    assert t.piece(0)["kind"] == "chariot" and t.one(Moved, 0).how == "run away"
    assert (t.question, t.asked) == ("walk", 0)


def test_z12_without_his_knife_he_cannot_cut_himself_loose(table: type[Table]) -> None:
    t = dragged(table, 5, 6, health=0, skill=0)
    assert t.one(LostKnife)
    assert t.told(TurnEnds, 0) and t.question == "speed tokens"
    t.dice((3, 0), 1, 1).tokens("0", "0")
    assert len(t.told(TurnEnds, 0)) == 2 and t.asked != 0


def test_z13_who_has_fallen_on_foot_gets_up_at_the_end_of_his_next_turn(table: type[Table]) -> None:
    t = rammed_on_foot(table, 5, 5, health=0, skill=0)
    assert [event.table for event in t.told(OutOf)] == ["health on foot", "skill on foot"]
    assert t.one(StunnedNow)
    t.play("stop")
    assert t.told(TurnEnds, 0) and t.one(Awake) and t.question == "speed tokens"
    assert not [event for event in t.told(Moved, 0) if event.how == "walk"]
    t.dice((3, 0)).tokens("0", "0")
    assert (t.question, t.asked) == ("walk", 0)


def test_z9_knocked_over_on_foot_he_stays_on_the_floor_where_he_is(table: type[Table]) -> None:
    t = rammed_on_foot(table, 6, health=0)
    here = spot(t)
    t.play("stop")
    assert spot(t) == here and t.one(Awake)


def test_on_foot_a_driver_rolls_one_die_and_loses_health(table: type[Table]) -> None:
    t = rammed_on_foot(table, hits=2)
    assert len(t.one(events.RolledBoth).others) == 1
    assert t[0]["health"] == 3
