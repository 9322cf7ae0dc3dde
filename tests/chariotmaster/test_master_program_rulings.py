"""Rulings S2 to S26: questions that came up while the program was written (S1, S5 and S6 are with their tables)."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from losing_scenes import BYSTANDER, DRIVER_OF_RED, LOW, WRECK_OF_RED, rammed, wheel_breaks
from master_fights import FIRST, OBSTACLE, WRECK, crash, edition_with, poke, pose, slide, strike, team, walker, wreck

from spina.games.chariotmaster.components.edition import reference
from spina.games.chariotmaster.play.events import (
    Aligned,
    Awake,
    Bounced,
    Collided,
    Crashed,
    Crossed,
    Drawn,
    Entangled,
    LeftTrack,
    Moved,
    Paid,
    Pivoted,
    RanOff,
    RanThrough,
    Removed,
    StruckOut,
    TeamGone,
    TurnEnds,
    Void,
)
from spina.games.chariotmaster.play.events import Tested as SkillTest
from spina.games.chariotmaster.rules import entries
from spina.games.chariotmaster.rules.record import WALL

if TYPE_CHECKING:
    from conftest import Table

LATER = {"moved": 50, "submoves": 1}
"""A turn after a sub-move of 5 cm."""
ASIDE = {"progress": -60, "offset": -60}
AHEAD = {"progress": 300, "offset": 60}
BODY = {"progress": 100, "offset": 21}
"""White's body is level with red's axle, which is at progress 90."""
BREAKS = {"worn": {"structure": 2}}
"""With a 6 the body of the red chariot breaks."""
BOXED_IN = (
    {"offset": 58, "heading": 90, "stamina": 0},
    {"progress": 70, "offset": 50, "heading": 90},
    {"progress": 130, "offset": 50, "heading": 90},
)
"""Chariot 0 faces the left wall, 2 mm before it, without stamina, with a rival on either side."""


def alone(table: type[Table], chariot: dict[str, Any] | None = None, **rest: Any) -> Table:
    """Chariot 0 in the middle of the straight with nothing near it."""
    return table({"offset": 0, **(chariot or {})}, ASIDE, **rest)


# --- S2, S3: rams and collisions on purpose --------------------------------------------------------------------------


@pytest.mark.parametrize("heading", [5, 0, -5])
def test_s2_a_ram_aligns_the_attacker_with_its_target(table: type[Table], heading: float) -> None:
    """5 dice against 3, no sixes: nothing is thrown."""
    white = {**BODY, "offset": 22.1 if heading else 21}
    t = strike(table, {**FIRST, "heading": heading}, white, dice=(1, 1, 1, 1, 1, 1, 1, 1))
    t.play("ram white body", "bear it")
    assert t.one(Bounced).value == 2
    assert [event.degrees for event in t.told(Aligned, 0)] == ([-heading] if heading else [])
    assert pose(t, 0)[2] == 0


def test_s3_colliding_is_offered_for_a_first_sub_move(table: type[Table]) -> None:
    assert table(*BOXED_IN).legal("collide") == ["collide"]


def test_s3_later_only_after_a_passed_test(table: type[Table]) -> None:
    t = table(*BOXED_IN, driving={"moved": 20, "submoves": 1}, dice=(1,))
    assert (t.legal("collide"), t.legal("announce"), t.legal("brake")) == ([], ["announce"], ["brake"])
    assert "announced" in t.why_not("collide")
    t.play("announce")
    assert (t.question, t.legal("collide")) == ("sub-move", ["collide"])


# --- S4: open courses ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", [-150, 2700], ids=["before the run-up", "behind the run-out"])
def test_s4_an_open_course_goes_on_straight_beyond_both_ends(table: type[Table], end: int) -> None:
    """The run-up is 10 cm long, the race 250 cm, the run-out 20 cm: places further and further beyond each end."""
    t = table({"progress": 0, "offset": 30}, {"progress": 0, "offset": -30}, options={"scenario": "trial"})
    poses = []
    for step in range(4):
        out = np.zeros(3, np.int64)
        entries.pose(t.race._bytes, reference().data, (end + (step * 100 if end > 0 else -step * 100)) * 10, out)
        poses.append(out)
    assert len({int(heading) for _, _, heading in poses}) == 1
    steps = {tuple(after[:2] - before[:2]) for before, after in pairwise(poses)}
    assert max(abs(a - b) for one in steps for other in steps for a, b in zip(one, other, strict=True)) <= 1
    assert all(math.hypot(*step) == pytest.approx(1000, abs=1) for step in steps)


def test_s4_a_team_without_a_driver_leaves_at_the_end_of_the_run_out(table: type[Table]) -> None:
    """The run-out is 20 cm long: a turn of 15 cm leads into it, the next out of it."""
    loose = {"progress": reference().scenario("trial").lap / 10, "offset": 0, "driver": "dead", "token": "10"}
    first, third = {"progress": 0, "offset": -30, "token": "0"}, {"progress": 0, "offset": 30, "drawn": True}
    t = table(first, loose, third, options={"scenario": "trial"}, dice=((1, 0),)).play("stop")
    assert (t.told(RanOff), t.piece(1) is None) == ([], False)
    t.tokens("0", "0").play("stop", "stop")
    assert (t.one(RanOff).chariot, t.piece(1)) == (1, None)


# --- S7, S8: menu and control ----------------------------------------------------------------------------------------


def test_s7_the_menu_is_a_selection_and_any_whole_millimetre_and_degree_can_be_played(table: type[Table]) -> None:
    t = alone(table)
    wanted = "ahead 83, pivot 17 left about front right"
    assert wanted not in t.legal("ahead")
    assert t.why_not(wanted) == ""
    t.play(wanted)
    assert (t.driving["moved"], pose(t, 0)[2]) == (83, 17)


def test_s8_unconscious_in_the_body_he_is_out_of_control_with_the_reins_in_his_hands(table: type[Table]) -> None:
    wild = {"progress": 0, "offset": 0, "stunned": True, "token": "5"}
    t = table({**ASIDE, "token": "0"}, wild, {**AHEAD, "drawn": True}, dice=((1, 0),))
    assert (t[1]["reins"], t[1]["driver"], t[1]["out_of_control"]) == (True, "aboard", True)
    t.play("stop")
    assert t.one(Drawn, 1).out_of_control
    assert t.told(Moved, 1)[0].how == "run away"
    assert t.one(Awake).chariot == 1
    assert (t[1]["stunned"], t[1]["out_of_control"]) == (False, False)


# --- S9 to S12: sub-moves --------------------------------------------------------------------------------------------


def test_s9_a_forgone_sweep_counts_as_a_sub_move_begun(table: type[Table]) -> None:
    """It stumbles beside another one while it pays, and leaves the sweep; the next test has +1."""
    t = table({"offset": 0, "stamina": 0}, {"progress": 50, "offset": 40}, dice=(5, 3, 2)).play("left 30", "forgo")
    assert t.driving["submoves"] == 1
    t.play("announce")
    assert t.one(SkillTest).modifier == 1


def test_s9_a_sweep_that_is_no_longer_possible_is_dropped_without_a_question_and_counts(table: type[Table]) -> None:
    """The payment takes the 10 token: 5 mm are left."""
    worn = {"offset": 0, "token": "10", "stamina": 0, "worn": {"stamina": 1}}
    t = table(worn, ASIDE, driving={"moved": 95, "submoves": 1}, dice=(1, 6)).play("announce", "left 30")
    assert (t.question, t.driving["moved"], t.driving["submoves"]) == ("drive", 95, 2)


def test_s10_a_brake_after_a_passed_test_can_use_the_test_up(table: type[Table]) -> None:
    t = alone(table, driving=LATER, dice=(1, 5, 3)).play("announce", "brake")
    assert (t.question, t.driving["maximum"], t.driving["submoves"]) == ("drive", 50, 1)
    t.play("spur")
    assert "announced" in t.why_not("ahead 20")
    assert t.legal("announce") == ["announce"]


def test_s10_with_a_centimetre_left_the_sub_move_is_still_to_be_made(table: type[Table]) -> None:
    t = alone(table, driving=LATER, dice=(1, 4)).play("announce", "brake")
    assert (t.question, t.driving["maximum"], t.why_not("ahead 10")) == ("sub-move", 60, "")


@pytest.mark.parametrize(
    ("spent", "left"),
    [({}, ["spur", "whip"]), ({"spurred": True}, ["whip"]), ({"whipped": True}, ["spur"])],
    ids=["both", "the whip", "the spur"],
)
def test_s11_after_braking_below_what_was_moved_spur_and_whip_may_be_used(
    table: type[Table], spent: dict[str, Any], left: list[str]
) -> None:
    t = alone(table, driving={**LATER, **spent}, dice=(6,)).play("brake")
    assert (t.question, t.driving["maximum"]) == ("drive", 40)
    assert t.legal("spur") + t.legal("whip") == left


def test_s11_without_both_the_turn_ends(table: type[Table]) -> None:
    t = alone(table, driving={**LATER, "spurred": True, "whipped": True}, dice=(6,)).play("brake")
    assert t.one(TurnEnds) == TurnEnds(0, 50)


def test_s12_the_pivot_of_a_sub_move_that_crosses_the_line_is_not_made(table: type[Table]) -> None:
    near = {"progress": 3690, "offset": 0}
    t = table(near, {**AHEAD, "drawn": True}, {**ASIDE, "drawn": True}).play("ahead 70, pivot 20 left")
    assert t.one(Crossed).chariot == 0
    assert (t.told(Pivoted), t.told(Moved)[0].heading) == ([], 0)
    assert t.told(TurnEnds) == [TurnEnds(0, 70)]


# --- S13, S14: after the race ----------------------------------------------------------------------------------------


def home(**rest: Any) -> dict[str, Any]:
    """A chariot that crossed the line first in this game turn, with a wreck elsewhere."""
    return {"progress": 100, "offset": 40, "home": 1, "drawn": True, "wreck": {"progress": 200, "offset": 60}, **rest}


def test_s13_the_horses_of_one_struck_out_run_on(table: type[Table]) -> None:
    others = ({**AHEAD, "offset": 0, "drawn": True}, {**ASIDE, "drawn": True})
    t = table({"token": "0", "progress": 0, "offset": 0}, home(driver="dead", last="5"), *others).play("stop")
    assert t.one(StruckOut).chariot == 1
    assert (t.piece(1)["kind"], t[1]["token"]) == ("team", "5")


def test_s13_the_wreck_of_a_finisher_stays_when_horses_and_driver_are_removed(table: type[Table]) -> None:
    others = ({**AHEAD, "offset": 0, "drawn": True}, {**ASIDE, "drawn": True})
    walks = home(driver="on foot", on_foot={"progress": 250, "offset": -40})
    t = table({"token": "0", "progress": 0, "offset": 0}, walks, *others).play("stop")
    assert t.one(Removed).chariot == 1
    assert [t.piece(piece) is None for piece in (1, 24 + 1, WRECK + 1)] == [True, True, False]


def test_s14_seats_of_a_team_share_a_place_and_those_behind_are_counted_by_seats(table: type[Table]) -> None:
    chariots = [{"progress": way, "offset": 0} for way in (350, 150, 100, 300)]
    assert table(*chariots, options={"teams": [1, 2, 1, 2]}).race.places == (1, 3, 1, 3)
    assert table(*chariots, options={"teams": [1, 2, 2, 2]}).race.places == (1, 2, 2, 2)


# --- S15 to S17: crashes ---------------------------------------------------------------------------------------------


def test_s15_a_dead_horse_stays_with_the_wreck_and_the_team_has_the_5_token_at_most(table: type[Table]) -> None:
    t = rammed(table, 6, 4, horses=1, dead_horses=1, **BREAKS)
    assert t.told(Crashed, 0)
    assert (t[0]["horses"], t[0]["dead_horses"], t[0]["tokens"]) == (1, 0, ["0", "5"])


def test_s16_entangled_in_his_own_turn_he_may_cut_himself_loose_at_its_end(table: type[Table]) -> None:
    t = wheel_breaks(table, 6, 4, progress=100, offset=0, **BREAKS)
    assert t.told(Entangled, 0)
    assert (t.question, t.asked, sorted(t.legal())) == ("cut loose", 0, ["cut loose", "hang on"])
    assert t.told(TurnEnds, 0) == []


@pytest.mark.parametrize(
    ("purpose", "other"),
    [("for the reins", "climb to cut"), ("to cut", "climb for the reins")],
)
def test_s16_after_one_purpose_he_may_climb_at_once_for_the_other(table: type[Table], purpose: str, other: str) -> None:
    red = {
        "progress": 100, "offset": 0, "driver": f"on the haft {purpose}", "reins": False, "horses": 1,
        "dead_horses": 1,
    }  # fmt: skip
    bystanders = ({**AHEAD, "token": "0"}, BYSTANDER)
    t = table(red, *bystanders, dice=((1, 0), 1), active=1).play("stop")
    assert t[0]["driver"] == "aboard"
    assert (t.question, sorted(t.legal())) == ("climb", sorted([other, "stay"]))


def test_s17_a_fresh_wreck_lies_a_tenth_of_a_millimetre_behind_its_team(table: type[Table]) -> None:
    t = rammed(table, 6, 4, offset=0, **BREAKS)
    behind, horses = t.piece(WRECK_OF_RED), t.piece(0)
    assert behind is not None and horses is not None
    assert (horses["x"] - horses["length"] // 2) - (behind["x"] + behind["length"] // 2) == 1


# --- S18, S25: drivers on foot ---------------------------------------------------------------------------------------


def test_s18_a_drivers_base_lies_along_the_axes_of_the_map(table: type[Table]) -> None:
    """His chariot stood at an angle to the map; he walks at an angle, too."""
    t = wheel_breaks(table, 6, 3, 1, progress=100, offset=0, heading=30, **BREAKS)
    assert pose(t, DRIVER_OF_RED)[2] == 0
    t.dice((3, 0)).tokens("0", "0").play("walk 77 10 mm")
    assert pose(t, DRIVER_OF_RED)[2] == 0


def test_s18_it_is_turned_when_he_collides(table: type[Table]) -> None:
    """Hurled to the left against a chariot that stands askew he is aligned with it."""
    askew = {"progress": 90, "offset": 55, "heading": 20, "drawn": True}
    t = rammed(table, 6, 3, 3, LOW, LOW, LOW, LOW, offset=0, others=(askew,), **BREAKS)
    bump = t.told(Collided)[1]
    assert (bump.initiator, bump.target) == (DRIVER_OF_RED, 3)
    aligned = [event for event in t.told(Aligned) if event.piece == DRIVER_OF_RED]
    assert [event.degrees for event in aligned] == [20]
    assert pose(t, DRIVER_OF_RED)[2] == 20


def test_s25_hurled_to_the_wall_in_his_own_turn_he_leaves_at_the_end_of_his_next_one(table: type[Table]) -> None:
    """He faces the inner wall when a wheel comes off."""
    red = {"progress": 100, "offset": 40, "heading": 90, **BREAKS}
    t = wheel_breaks(table, 6, 3, 4, 6, LOW, LOW, LOW, LOW, **red)
    assert t.one(Collided).target == WALL
    assert t.told(TurnEnds, 0) and t.told(LeftTrack) == []
    t.dice((3, 0)).tokens("0", "0").play("stop")
    assert t.one(LeftTrack).chariot == 0


# --- S19 to S21: dice of a wreck, forced run-throughs, nothing left --------------------------------------------------


def test_s19_luck_does_not_touch_the_dice_of_a_wreck(table: type[Table]) -> None:
    """White is lucky and on foot far away; red runs into its wreck, and white is not asked."""
    white = {**wreck(160), "driver": "on foot", "on_foot": {"progress": 1000, "offset": 0}, "luck": 2, "drawn": True}
    t = crash(table, FIRST, white, {"progress": 300, "offset": 60}, dice=(3, 3, 3, 3))
    assert t.told(Collided)[0].target == WRECK + 1
    assert (t.question == "modify", t[1]["luck"]) == (False, 2)


BIG = {"progress": 226, "offset": 0, "drawn": True}
"""Its rear is 86 mm before the front of chariot 0; a wreck at 140 is passed after 70 mm."""


def test_s20_a_skid_runs_over_a_wreck_that_it_clears_before_something_big_stops_it(table: type[Table]) -> None:
    """It slides 10 cm, and is stopped by a chariot after 86 mm."""
    t = slide(table, {**FIRST, "token": "10"}, BIG, wreck(140), AHEAD, dice=(2, 2, 2, 2, 1, 1, 1, 1, 1)).play("go")
    assert t.one(RanThrough).target == WRECK + 2
    assert [hit.target for hit in t.told(Collided)] == [WRECK + 2, 1]
    assert t.one(TurnEnds).mm == pytest.approx(50 + 85.9, abs=0.1)


def test_s20_but_not_one_that_it_does_not_clear(table: type[Table]) -> None:
    near = {**BIG, "progress": 205}
    t = slide(table, {**FIRST, "token": "10"}, near, wreck(140), AHEAD, dice=(2, 2, 2, 2)).play("go")
    assert t.told(RanThrough) == []
    assert t.told(Collided)[0].kind == "collision"


def test_s20_a_voluntary_run_through_must_be_free_of_big_things_to_its_end(table: type[Table]) -> None:
    """A driver on foot stands behind the wreck: before him there is no room to come clear, and none through him."""
    long_way = {**FIRST, "token": "10"}
    assert table(long_way, wreck(140), AHEAD).why_not("run ahead 110") == ""
    t = table(long_way, wreck(140), walker(175), AHEAD)
    assert "low" in t.why_not("run ahead 110")
    t = table(long_way, BIG, wreck(140), AHEAD)
    assert t.why_not("run ahead 80") == ""
    assert "low" in t.why_not("run ahead 90")


def test_s20_wrecks_run_over_nothing(table: type[Table]) -> None:
    """Rammed with a value of 5 the wreck goes 3 cm; it could clear the pebble in its way, but collides with it."""
    pebble = "pebble at 29, offset 3.5, 0.5 x 0.5, heading 0, value 1, low, fixed"
    dice = (6, 6, 1, 1, 1, 1, 1, 1, 1, 1)
    red = {**FIRST, "progress": 200}
    t = strike(table, red, wreck(190, 21), ASIDE, dice=dice, edition=edition_with(pebble)).play("ram wreck of white")
    assert t.told(Bounced)[0].value == 5
    hit = t.told(Collided)[1]
    assert (hit.initiator, hit.target, hit.kind) == (WRECK + 1, OBSTACLE, "collision")
    assert t.told(RanThrough) == []


def test_s21_if_nothing_is_left_of_the_target_a_bounce_moves_nobody(table: type[Table]) -> None:
    dying = team(90, 21, horses=1, stamina=0, worn={"stamina": 7})
    t = strike(table, FIRST, dying, dice=(6, 1, 1, 1, 1, 1, 1)).play("ram white horses")
    assert t.told(TeamGone, 1)
    assert (t.one(Bounced).value, t.told(Moved)) == (5, [])


def test_s21_a_body_that_crashed_through_the_hit_is_thrown_but_not_destroyed(table: type[Table]) -> None:
    frail = {**BODY, "structure": 0, "worn": {"structure": 7}, "driver": "dead"}
    t = strike(table, FIRST, frail, dice=(6, 6, 1, 1, 1, 1, 1, 1)).play("ram white body")
    assert t.told(Crashed, 1) and t.one(Bounced).value == 5
    assert pose(t, WRECK + 1) == pytest.approx((190, 51, 0), abs=0.2)


# --- S22 to S24: attacks and chains ----------------------------------------------------------------------------------


def test_s22_a_payment_of_the_target_that_brings_another_part_level_voids_the_attack(table: type[Table]) -> None:
    """2 cm back, and red's axle is level with the horses, not with the body."""
    weary = {**BODY, "stamina": 0, "worn": {"stamina": 4}}
    t = strike(table, FIRST, weary, dice=(1, 4)).play("ram white body", "evade")
    assert pose(t, 1) == (180, 21, 0)
    assert t.one(Void) == Void(0, target=1)


def test_s22_so_does_a_payment_of_the_attacker(table: type[Table]) -> None:
    """Red stumbles 2 cm back while it pays for its second attack: its axle is level with the body, not the horses."""
    weary = {**FIRST, "stamina": 0, "worn": {"stamina": 4}}
    white = {"progress": 80, "offset": 21}
    t = strike(table, weary, white, driving={"attacks": 1}, dice=(1, 4)).play("ram white horses")
    assert t.one(Paid).what == "attack"
    assert pose(t, 0) == (180, 0, 0)
    assert t.one(Void) == Void(0, target=1)
    assert t.told(Collided) == []


def test_s23_the_own_driver_on_foot_may_be_rammed(table: type[Table]) -> None:
    """Two seats with two chariots each: 0 and 2 belong together."""
    on_foot = {"progress": 90, "offset": 16}
    own = {"driver": "on foot", "on_foot": on_foot, "gone": True, "horses": 0, "drawn": True}
    own["wreck"] = {"progress": 1150, "offset": 50}
    t = strike(table, FIRST, AHEAD, own, {"progress": 400, "offset": -60}, seats=2)
    assert t[0]["seat"] == t[2]["seat"]
    assert t.legal() == ["no attack", "ram driver of blue"]


def in_a_chain(t: Table) -> int:
    return int(t.state().chain)


def test_s24_a_chariot_turn_and_the_answers_of_the_active_seat_begin_a_new_chain(table: type[Table]) -> None:
    t = alone(table, dice=(1, 2))
    poke(t, chain=20)
    assert in_a_chain(t.play("spur")) == 0
    poke(t, chain=20)
    assert in_a_chain(t.play("ahead 50")) == 0
    t = slide(table, FIRST, AHEAD, dice=(1,))
    poke(t, chain=20)
    assert in_a_chain(t.play("brake")) == 0
    t = table({"token": "0", "offset": 0}, {**AHEAD, "token": "0"}, dice=((1, 0),))
    t.play("stop")
    assert in_a_chain(t) == 0


def test_s24_an_attack_and_a_leg_on_foot_too(table: type[Table]) -> None:
    t = strike(table, FIRST, BODY)
    poke(t, chain=20)
    assert t.play("ram white body", "bear it").told(Collided)[0].number == 1
    red = {"driver": "on foot", "on_foot": {"progress": 100, "offset": 0}, "gone": True, "horses": 0}
    red["wreck"] = {"progress": 0, "offset": 50}
    t = table(red, {**AHEAD, "drawn": True}, BYSTANDER)
    poke(t, chain=20)
    assert (t.question, in_a_chain(t.play("walk 0 10 mm"))) == ("walk", 0)


def test_s24_a_defence_and_the_use_of_luck_do_not(table: type[Table]) -> None:
    t = strike(table, {**FIRST, "luck": 1}, BODY, dice=(1, 1, 1, 1, 1, 1, 1, 1)).play("ram white body")
    poke(t, chain=20)
    t.play("bear it")
    assert (t.question, t.one(Collided).number) == ("modify", 21)
    t.play("pass")
    assert in_a_chain(t) == 21


def test_s24_nor_do_climbing_and_cutting_loose(table: type[Table]) -> None:
    t = wheel_breaks(table, 6, 4, progress=100, offset=0, **BREAKS)
    poke(t, chain=20)
    t.play("hang on")
    assert (t.question, in_a_chain(t)) == ("speed tokens", 20)


# --- S26: in the middle ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("offset", "paid"), [(0.1, []), (-0.1, []), (0.2, ["centring"]), (-0.2, ["centring"])])
def test_s26_within_a_tenth_of_a_millimetre_it_is_in_the_middle(
    table: type[Table], offset: float, paid: list[str]
) -> None:
    wild = {"confused": True, "progress": 0, "offset": offset}
    t = table({**ASIDE, "token": "0"}, wild, {**AHEAD, "drawn": True}, dice=((1, 0),)).play("stop")
    assert [event.what for event in t.told(Paid, 1)] == paid
    assert t.told(Moved, 1)[-1].mm == 100
