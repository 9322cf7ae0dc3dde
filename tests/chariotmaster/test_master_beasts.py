"""Boars and wolves, frightening chariots, lucky drivers (Q7 to Q16, M9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from master_fights import (
    FIRST,
    FOOT,
    OBSTACLE,
    RACES,
    WRECK,
    crash,
    dragging,
    edition_with,
    let_fall,
    obstacle,
    pose,
    slide,
    strike,
    team,
    walker,
    wreck,
)

from spina.games.chariotmaster.play.events import (
    Attacked,
    Bitten,
    Bounced,
    Collided,
    Defended,
    Destroyed,
    Duelled,
    Hits,
    Kept,
    Lost,
    Modified,
    Moved,
    OutOf,
    Paid,
    Rolled,
    RolledBoth,
    TurnEnds,
)
from spina.games.chariotmaster.play.events import Tested as SkillTest

if TYPE_CHECKING:
    from conftest import Table

BODY = {"progress": 100, "offset": 21}
"""White's body is level with red's axle, its horses with red's horses; the gap is 1 mm."""
HORSES = {"progress": 80, "offset": 21}
IN_FRONT = {"progress": 141, "offset": 0}
"""White's rear is 1 mm in front of red."""


def of(*designs: str) -> dict[str, Any]:
    """Options of a race with these chariots."""
    return {**RACES, "designs": [*designs]}


ORC = of("tusker", "citizen")
"""Red has boars: 17 mm of stamina more do not matter here; white has horses."""
GOBLIN = of("wolf-pack", "citizen")


# --- Q7: the boars' ram -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("white", "attacks"),
    [
        pytest.param({"progress": 99, "offset": 21}, ["boars left at white horses"], id="left"),
        pytest.param({"progress": 99, "offset": -21}, ["boars right at white horses"], id="right"),
        pytest.param(BODY, ["boars left at white horses", "boars left at white body"], id="level-touches-both"),
        pytest.param({"progress": 130, "offset": 21}, ["boars left at white body"], id="ahead"),
        pytest.param({"progress": 70, "offset": 21}, [], id="beside-the-body-only"),
        pytest.param(IN_FRONT, ["boars front at white body"], id="front"),
        pytest.param({**IN_FRONT, "heading": 180}, ["boars front at white horses"], id="head-to-head"),
        pytest.param({"progress": 142, "offset": 0}, ["boars front at white body"], id="front-2-mm"),
        pytest.param({"progress": 142.2, "offset": 0}, [], id="front-2.2-mm"),
        pytest.param({"progress": 100, "offset": 22.2}, [], id="side-2.2-mm"),
        pytest.param(wreck(131), ["boars front at wreck of white"], id="front-wreck"),
        pytest.param(walker(115, -16), ["boars right at driver of white"], id="right-driver"),
        pytest.param(dragging(131), ["boars front at white driver"], id="front-dragged-driver"),
        pytest.param(team(110, 21), ["boars left at white horses"], id="left-team"),
    ],
)
def test_q7_boars_reach_to_both_sides_and_to_the_front(
    table: type[Table], white: dict[str, Any], attacks: list[str]
) -> None:
    t = strike(table, FIRST, white, options=ORC)
    found = t.legal("boars") if t.question == "attack" else []
    assert found == attacks


def test_q7_obstacles_that_can_move_but_neither_fixed_ones_nor_walls(table: type[Table]) -> None:
    red, options = {"progress": 200, "offset": 0}, of("tusker")
    movable, fixed = (edition_with(obstacle(231, 0, 2, f"high, {kind}")) for kind in ("movable", "fixed"))
    assert "boars front at obstacle 1" in strike(table, red, options=options, edition=movable).legal()
    assert strike(table, red, options=options, edition=fixed).question == "drive"
    assert strike(table, {"progress": 200, "offset": 69}, options=options).question == "drive"


@pytest.mark.parametrize("design", ["citizen", "wolf-pack", "grave"])
def test_q7_only_boars_do_that(table: type[Table], design: str) -> None:
    t = strike(table, FIRST, IN_FRONT, options=of(design, "citizen"))
    assert t.question == "drive"
    assert strike(table, FIRST, BODY, options=of(design, "citizen")).legal("boars") == []


@pytest.mark.parametrize(("horses", "dice"), [(2, 3 + 2), (1, 2 + 2)])
def test_q7_the_team_rams_with_its_value_and_two(table: type[Table], horses: int, dice: int) -> None:
    t = strike(table, {**FIRST, "horses": horses}, IN_FRONT, options=ORC).play("boars front at white body", "bear it")
    collision, rolled = t.told(Collided)[0], t.told(RolledBoth)[0]
    assert (collision.part, collision.target_part, collision.kind) == ("horses", "body", "ram")
    assert (len(rolled.dice), len(rolled.others)) == (dice, 3)
    assert t.one(Attacked).side == "front"


@pytest.mark.parametrize(
    ("white", "action", "pushed"),
    [
        pytest.param(BODY, "boars left at white horses", (200, 31), id="left"),
        pytest.param({"progress": 100, "offset": -21}, "boars right at white horses", (200, -31), id="right"),
        pytest.param({**IN_FRONT, "structure": 3}, "boars front at white body", (251, 0), id="front"),
    ],
)
def test_q7_the_push_goes_out_of_the_side_that_attacks(
    table: type[Table], white: dict[str, Any], action: str, pushed: tuple[float, float]
) -> None:
    t = strike(table, FIRST, white, dice=(1, 1, 1, 1, 1, 1, 1), options=ORC).play(action, "bear it")
    assert t.one(Bounced).value == 3
    assert pose(t, 1)[:2] == pushed
    assert pose(t, 0) == (200, 0, 0)


def test_q7_thrown_back_from_the_front_goes_backwards_and_ends_the_turn(table: type[Table]) -> None:
    """One boar, 2 + 2 dice, against a body of 4 with three sixes."""
    white = {**IN_FRONT, "structure": 7}
    t = strike(table, {**FIRST, "horses": 1}, white, dice=(1, 1, 1, 1, 6, 6, 6, 1), options=ORC)
    t.play("boars front at white body", "bear it")
    assert t.one(Bounced).value == -3
    assert pose(t, 0) == (190, 0, 0)
    assert t.told(TurnEnds, 0)


def test_q7_boars_are_hurt_in_their_stamina(table: type[Table]) -> None:
    t = strike(table, FIRST, IN_FRONT, dice=(1, 1, 1, 1, 1, 4, 4, 1), options=ORC)
    stamina = t[0]["stamina"]
    t.play("boars front at white body", "bear it")
    assert (t[0]["stamina"], t[0]["structure"]) == (stamina - 2, 5)


def test_q7_a_wreck_in_front_is_rammed_by_the_bounce_table(table: type[Table]) -> None:
    t = strike(table, FIRST, wreck(131), dice=(6, 6, 1, 1, 1, 1, 1), options=ORC).play("boars front at wreck of white")
    assert t.one(Bounced).value == 5
    assert t.one(Destroyed).piece == WRECK + 1
    assert pose(t, 0) == (220, 0, 0)


def test_q7_the_target_may_brake_or_evade(table: type[Table]) -> None:
    """In front there is no side that leads away: white chooses it (A9)."""
    t = strike(table, FIRST, IN_FRONT, dice=(1, 2), options=ORC).play("boars front at white body", "evade")
    assert t.question == "side of the evasion"
    t.play("evade right")
    assert pose(t, 1) == (241, -20, 0)


def test_q7_it_is_an_attack_like_any_other_in_price(table: type[Table]) -> None:
    t = strike(table, FIRST, {**IN_FRONT, "driver": "dead"}, options=ORC, driving={"attacks": 1})
    assert t.play("boars front at white body").one(Paid).points == 1


# --- Q8: bites --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("designs", "white", "bites"),
    [
        pytest.param(("wolf-pack", "citizen"), BODY, True, id="wolves"),
        pytest.param(("tusker", "citizen"), BODY, True, id="boars"),
        pytest.param(("citizen", "citizen"), BODY, False, id="horses"),
        pytest.param(("wolf-pack", "citizen"), {"progress": 81, "offset": 21}, True, id="white-behind-but-touching"),
        pytest.param(("wolf-pack", "citizen"), {"progress": 79.8, "offset": 21}, False, id="white-a-part-behind"),
        pytest.param(("wolf-pack", "citizen"), {"progress": 130, "offset": 21}, False, id="beside-the-body"),
        pytest.param(("wolf-pack", "citizen"), {"progress": 141, "offset": 0, "heading": 180}, False, id="in-front"),
        pytest.param(("wolf-pack", "citizen"), {"progress": 100, "offset": 22.2}, False, id="too-far"),
        pytest.param(("wolf-pack", "citizen"), team(110, -21), True, id="runaway-team"),
        pytest.param(("wolf-pack", "citizen"), walker(110, -16), False, id="driver-on-foot"),
        pytest.param(("wolf-pack", "citizen"), wreck(110, -21), False, id="wreck"),
    ],
)
def test_q8_who_can_bite_whom(table: type[Table], designs: tuple[str, ...], white: dict[str, Any], bites: bool) -> None:
    t = strike(table, FIRST, white, options=of(*designs))
    assert (t.question == "attack" and "bite white" in t.legal()) == bites
    assert t.question != "attack" or (t.why_not("bite white") == "") == bites


@pytest.mark.parametrize(
    ("designs", "red", "white", "dice"),
    [
        pytest.param(("wolf-pack", "citizen"), {}, {}, (4, 2), id="wolves-at-horses"),
        pytest.param(("wolf-pack", "citizen"), {}, {"horses": 1}, (4, 1), id="wolves-at-one-horse"),
        pytest.param(("wolf-pack", "citizen"), {"horses": 1}, {}, (4, 2), id="one-wolf-bites-as-two"),
        pytest.param(("tusker", "citizen"), {}, {}, (3, 2), id="boars-at-horses"),
        pytest.param(("tusker", "wolf-pack"), {}, {}, (3, 4), id="boars-at-wolves"),
        pytest.param(("wolf-pack", "tusker"), {}, {"horses": 1}, (4, 3), id="wolves-at-one-boar"),
    ],
)
def test_q8_dice_of_a_bite(
    table: type[Table], designs: tuple[str, ...], red: dict[str, Any], white: dict[str, Any], dice: tuple[int, int]
) -> None:
    t = strike(table, {**FIRST, **red}, {**BODY, **white}, options=of(*designs)).play("bite white", "bear it")
    rolled = t.told(RolledBoth)[0]
    assert (rolled.what, rolled.other, len(rolled.dice), len(rolled.others)) == ("bite", 1, *dice)


@pytest.mark.parametrize(
    ("dice", "loser", "lost"),
    [
        pytest.param((4, 5, 6, 3, 4, 3), 1, 2, id="3-to-1"),
        pytest.param((4, 3, 3, 3, 1, 1), 1, 1, id="1-to-0"),
        pytest.param((3, 3, 3, 3, 4, 5), 0, 2, id="0-to-2"),
        pytest.param((4, 4, 1, 1, 4, 4), None, 0, id="2-to-2"),
        pytest.param((1, 2, 3, 1, 2, 3), None, 0, id="0-to-0"),
    ],
)
def test_q8_the_team_with_fewer_hits_loses_the_difference(
    table: type[Table], dice: tuple[int, ...], loser: int | None, lost: int
) -> None:
    t = strike(table, FIRST, BODY, dice=dice, options=GOBLIN)
    before = [t[chariot]["stamina"] for chariot in range(2)]
    t.play("bite white", "bear it")
    assert t.told(Bitten)
    assert [before[chariot] - t[chariot]["stamina"] for chariot in range(2)] == [
        lost if chariot == loser else 0 for chariot in range(2)
    ]
    assert t.told(Bounced) == []
    assert (t.question, t.asked) == ("drive", 0)


def test_q8_a_bite_can_be_evaded_and_costs_like_any_attack(table: type[Table]) -> None:
    t = strike(table, FIRST, BODY, dice=(1, 2), options=GOBLIN, driving={"attacks": 1}).play("bite white", "evade")
    assert [(paid.chariot, paid.points) for paid in t.told(Paid)] == [(0, 1), (1, 1)]
    assert pose(t, 1) == (200, 41, 0)
    assert t.told(Bitten) == []


# --- Q10, Q11: fright -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("designs", "before", "price"),
    [
        pytest.param(("citizen", "grave"), 0, 1, id="first-at-frightening"),
        pytest.param(("citizen", "grave"), 1, 2, id="second-at-frightening"),
        pytest.param(("grave", "grave"), 0, 0, id="both-frightening"),
        pytest.param(("grave", "grave"), 1, 1, id="both-frightening-second"),
        pytest.param(("grave", "citizen"), 0, 0, id="frightening-attacker"),
        pytest.param(("citizen", "citizen"), 0, 0, id="neither"),
    ],
)
def test_q10_price_of_attacking_a_frightening_chariot(
    table: type[Table], designs: tuple[str, ...], before: int, price: int
) -> None:
    t = strike(table, FIRST, BODY, options=of(*designs), driving={"attacks": before}).play("ram white body")
    assert sum(paid.points for paid in t.told(Paid, 0)) == price
    assert t[0]["stamina"] == 19 - price


@pytest.mark.parametrize(
    ("white", "action", "price"),
    [
        pytest.param(BODY, "ram white body", 1, id="all-there"),
        pytest.param({**BODY, "driver": "dead"}, "ram white body", 0, id="no-driver"),
        pytest.param({**BODY, "driver": "on the haft for the reins", "reins": False}, "ram white body", 0, id="haft"),
        pytest.param(dragging(90, 21), "ram white horses", 0, id="no-body"),
        pytest.param(walker(90, 16), "ram driver of white", 0, id="driver-on-foot"),
        pytest.param(wreck(90, 21), "ram wreck of white", 0, id="wreck"),
        pytest.param({**BODY, "horses": 1}, "ram white body", 1, id="one-horse"),
        pytest.param({**BODY, "confused": True}, "ram white body", 1, id="Q11-out-of-control"),
        pytest.param({**BODY, "reins": False}, "ram white body", 1, id="Q11-runaway"),
    ],
)
def test_q10_a_chariot_is_frightening_with_body_driver_and_horse(
    table: type[Table], white: dict[str, Any], action: str, price: int
) -> None:
    t = strike(table, FIRST, white, options=of("citizen", "grave")).play(action)
    assert sum(paid.points for paid in t.told(Paid, 0)) == price


def test_q10_horses_shy_away_from_a_frightening_attacker_without_a_test(table: type[Table]) -> None:
    t = strike(table, FIRST, BODY, dice=(4,), options=of("grave", "citizen")).play("ram white body")
    assert t.legal() == ["bear it", "brake away", "evade", "shy away"]
    t.play("shy away")
    assert t.one(Defended).how == "shies"
    assert t.told(SkillTest) == []
    assert (t.one(Paid).chariot, t[1]["stamina"]) == (1, 18)
    assert t.one(Rolled).dice == (4,)
    assert pose(t, 1) == (200, 61, 0)


def test_q10_who_brakes_from_it_still_rolls(table: type[Table]) -> None:
    t = strike(table, FIRST, BODY, dice=(6,), options=of("grave", "citizen")).play("ram white body", "brake away")
    assert not t.one(SkillTest).passed
    assert t.told(Collided)


@pytest.mark.parametrize("designs", [("grave", "grave"), ("citizen", "citizen"), ("citizen", "grave")])
def test_q10_nobody_else_shies(table: type[Table], designs: tuple[str, ...]) -> None:
    t = strike(table, FIRST, BODY, options=of(*designs)).play("ram white body")
    assert t.legal() == ["bear it", "brake away", "evade"]
    assert "not frightened" in t.why_not("shy away")


def test_q11_a_target_out_of_control_does_not_shy(table: type[Table]) -> None:
    t = strike(table, FIRST, {**BODY, "confused": True}, options=of("grave", "citizen")).play("ram white body")
    assert t.question != "defence"
    assert t.told(Collided)


# --- Q12: what a modify changes ---------------------------------------------------------------------------------------

LUCKY = {**FIRST, "luck": 1}
SECOND = {"submoves": 1, "moved": 50, "direction": 0}


@pytest.mark.parametrize(
    ("face", "skill", "change", "passed"),
    [
        pytest.param(6, 6, "-1", True, id="a-six-made-a-five-no-longer-fails"),
        pytest.param(2, 0, "-1", True, id="a-two-made-a-one-passes"),
        pytest.param(5, 9, "+1", False, id="a-five-made-a-six-fails"),
        pytest.param(1, 0, "+1", False, id="a-one-made-a-two-no-longer-passes"),
    ],
)
def test_q12_the_new_face_is_the_natural_one(
    table: type[Table], face: int, skill: int, change: str, passed: bool
) -> None:
    t = let_fall(table({**LUCKY, "skill": skill, "token": "0"}, driving={**SECOND, "moved": 20}), face).play("announce")
    assert (t.question, t.asked, t.view["about"], t.view["dice"]) == ("modify", 0, "sub-move test", [face])
    t.play(f"modify die 1 {change}")
    assert t.one(SkillTest).passed == passed
    assert t[0]["luck"] == 0


def test_q12_a_die_never_leaves_1_to_6(table: type[Table]) -> None:
    t = let_fall(table({**FIRST, "luck": 3}, driving=SECOND), 6).play("announce")
    assert t.legal() == ["pass", "modify die 1 -1"]
    t = let_fall(table({**FIRST, "luck": 3}, driving=SECOND), 1).play("announce")
    assert t.legal() == ["pass", "modify die 1 +1"]
    assert t.why_not("modify die 1 -1") != ""


def test_q12_a_modified_six_counts_for_the_impact(table: type[Table]) -> None:
    t = slide(table, LUCKY, {"progress": 170, "offset": 0}, dice=(5, 1, 1, 1, 1)).play("go", "modify die 1 +1")
    assert t.one(Hits) == Hits(0, hits=1, blows=0, impact=3, answer=3)


@pytest.mark.parametrize(("play", "back"), [("pass", 20), ("modify die 1 -1", 10), ("modify die 1 +1", 20)])
def test_q12_a_d3_is_modified_before_it_is_halved(table: type[Table], play: str, back: float) -> None:
    """A 3 counts 2, made a 2 it counts 1, made a 4 it still counts 2."""
    weary = {**LUCKY, "stamina": 0, "worn": {"stamina": 4}}
    t = let_fall(table(weary, {"progress": 300, "offset": 0}), 1, 3).play("brake", "pass")
    assert t.one(OutOf).result == 5
    assert (t.view["about"], t.view["dice"]) == ("backwards", [3])
    t.play(play)
    assert t.one(Moved).mm == back


def test_q12_several_modifies_can_go_into_one_roll(table: type[Table]) -> None:
    t = let_fall(table({**FIRST, "luck": 3}, driving=SECOND), 6).play("announce", "modify die 1 -1", "modify die 1 -1")
    assert t.view["dice"] == [4]
    t.play("pass")
    assert t.one(SkillTest).face == 4
    assert t[0]["luck"] == 1
    assert [event.face for event in t.told(Modified)] == [5, 4]
    assert t.one(Kept) == Kept(0)


# --- Q13 to Q15, M9: whose dice ---------------------------------------------------------------------------------------


def test_m9_a_single_roll_is_the_rollers_alone(table: type[Table]) -> None:
    """Everybody is lucky: white's test is white's, red's die for the whip is red's."""
    t = strike(table, LUCKY, {**HORSES, "luck": 1}, dice=(6, 3)).play("whip horses of white", "evade")
    assert (t.question, t.asked, t.view["about"]) == ("modify", 1, "defence")
    t.play("pass")
    assert (t.question, t.asked, t.view["about"]) == ("modify", 0, "whip at horses")
    t.play("modify die 1 -1")
    assert (pose(t, 1)[0], t.question) == (200, "drive")


@pytest.mark.parametrize(("action", "face"), [("brake", 3), ("spur", 3), ("whip", 3)])
def test_q13_brakes_spurs_and_whips_can_be_modified(table: type[Table], action: str, face: int) -> None:
    t = let_fall(table(LUCKY), face).play(action)
    assert (t.question, t.view["about"]) == ("modify", action)
    t.play("modify die 1 +1")
    assert t.driving["maximum"] == 100 + (-40 if action == "brake" else 40)


def test_q13_the_dice_of_a_wreck_belong_to_nobody(table: type[Table]) -> None:
    """White is lucky and on foot far away; red runs into its wreck, and white is not asked."""
    white = {**wreck(160), "driver": "on foot", "on_foot": {"progress": 1000, "offset": 0}, "luck": 2, "drawn": True}
    t = crash(table, FIRST, white, {"progress": 300, "offset": 60})
    assert t.told(Collided)[0].target == WRECK + 1
    assert t.question != "modify"


def test_q13_the_dice_of_walls_and_obstacles_belong_to_nobody(table: type[Table]) -> None:
    edition = edition_with(obstacle(160, 0, 3, "high, fixed"))
    t = slide(table, LUCKY, dice=(3, 3), edition=edition).play("go")
    assert (t.asked, t.view["dice"]) == (0, [3, 3])
    t.play("pass")
    assert t.one(Bounced).target == OBSTACLE


def test_q14_nobody_is_asked_without_modifies_left(table: type[Table]) -> None:
    t = let_fall(table({**FIRST, "luck": 0}, driving=SECOND), 3).play("announce")
    assert t.question == "sub-move"
    t = let_fall(table({**FIRST, "luck": 1}, driving=SECOND), 3).play("announce", "modify die 1 +1")
    assert t.question == "sub-move"


def test_q14_luck_comes_with_the_design(table: type[Table]) -> None:
    t = table(FIRST, options=of("trickster"))
    assert t[0]["luck"] == 2


@pytest.mark.parametrize(
    ("white", "action", "asked"),
    [
        pytest.param(walker(90, 16), "ram driver of white", True, id="on-foot"),
        pytest.param(dragging(100, 21), "ram white driver", True, id="dragged"),
        pytest.param(
            {**BODY, "driver": "on the haft for the reins", "reins": False}, "ram white body", True, id="haft"
        ),
        pytest.param({**BODY, "stunned": True}, "ram white body", True, id="unconscious"),
        pytest.param({**BODY, "driver": "dead"}, "ram white body", False, id="dead"),
        pytest.param({**BODY, "driver": "off the track"}, "ram white body", False, id="off-the-track"),
        pytest.param(team(90, 21), "ram white horses", False, id="team-without-driver"),
    ],
)
def test_q15_luck_lasts_as_long_as_the_driver_is_on_the_track(
    table: type[Table], white: dict[str, Any], action: str, asked: bool
) -> None:
    t = strike(table, FIRST, {**white, "luck": 1}).play(action)
    assert ((t.question, t.asked) == ("modify", 1)) == asked


def test_q15_a_runaway_team_still_has_the_luck_of_its_driver_on_foot(table: type[Table]) -> None:
    on_foot = {"driver": "on foot", "on_foot": {"progress": 1000, "offset": 0}}
    t = strike(table, FIRST, team(90, 21, luck=1, **on_foot)).play("ram white horses")
    assert t.piece(FOOT + 1) is not None
    assert (t.question, t.asked) == ("modify", 1)


# --- Q16: contests ----------------------------------------------------------------------------------------------------


def contest(table: type[Table], red: int, white: int) -> Table:
    """A duel of 3 against 3, with this many modifies."""
    t = strike(table, {**FIRST, "luck": red}, {**BODY, "luck": white}, dice=(3, 3))
    return t.play("whip driver of white", "bear it")


def test_q16_the_attacker_is_asked_first_about_his_own_die(table: type[Table]) -> None:
    t = contest(table, 1, 1)
    assert (t.question, t.asked, t.view["dice"]) == ("modify", 0, [3])
    assert t.legal() == ["pass", "modify die 1 -1", "modify die 1 +1"]
    assert "not its own" in t.why_not("modify die 2 -1")
    t.play("pass")
    assert (t.question, t.asked) == ("modify", 1)
    assert t.legal() == ["pass", "modify die 2 -1", "modify die 2 +1"]


def test_q16_two_passes_close_it(table: type[Table]) -> None:
    t = contest(table, 2, 2).play("pass", "pass")
    assert t.one(Duelled).total == t.one(Duelled).defence == 14
    assert (t[0]["luck"], t[1]["luck"]) == (2, 2)


def test_q16_they_alternate(table: type[Table]) -> None:
    t = contest(table, 2, 2)
    asked = []
    for line in ("modify die 1 +1", "modify die 2 +1", "modify die 1 +1", "pass"):
        asked.append(t.asked)
        t.play(line)
    assert asked == [0, 1, 0, 1]
    assert (t.one(Duelled).total, t.one(Duelled).defence) == (16, 15)


def test_q16_who_has_passed_is_asked_again_after_the_other_has_modified(table: type[Table]) -> None:
    t = contest(table, 1, 1).play("pass", "modify die 2 +1")
    assert (t.question, t.asked) == ("modify", 0)
    t.play("modify die 1 +1")
    assert (t.one(Duelled).total, t.one(Duelled).defence) == (15, 15)


def test_q16_one_lucky_side_goes_on_alone_until_it_passes(table: type[Table]) -> None:
    t = contest(table, 0, 3)
    assert t.asked == 1
    t.play("modify die 2 +1")
    assert (t.question, t.asked) == ("modify", 1)
    t.play("modify die 2 +1", "pass")
    assert t.one(Duelled).defence == 16
    assert t[1]["luck"] == 1


def test_q16_in_a_collision_the_initiator_is_first(table: type[Table]) -> None:
    t = slide(table, {**FIRST, "luck": 1}, {"progress": 170, "offset": 0, "luck": 1}, dice=(3, 3, 3, 3, 3)).play("go")
    assert (t.asked, t.view["about"], t.view["dice"]) == (0, "collision", [3, 3])
    t.play("modify die 2 +1")
    assert (t.asked, t.view["dice"]) == (1, [3, 3, 3])
    assert t.legal("modify")[0] == "modify die 3 -1"
    t.play("modify die 5 +1")
    assert t.one(Hits) == Hits(0, hits=1, blows=1, impact=2, answer=3)


def test_q16_in_a_bite_too(table: type[Table]) -> None:
    t = strike(table, LUCKY, {**BODY, "luck": 1}, dice=(3, 3, 3, 3, 3, 3), options=GOBLIN).play("bite white", "bear it")
    assert (t.asked, t.view["about"], len(t.view["dice"])) == (0, "bite", 4)
    t.play("modify die 4 +1")
    assert (t.asked, len(t.view["dice"])) == (1, 2)
    t.play("pass")
    assert t.one(Bitten) == Bitten(0, defender=1, hits=1, blows=0)
    assert [lost.what for lost in t.told(Lost, 1)] == ["stamina"]


def test_q16_the_attackers_wound_die_is_a_single_roll(table: type[Table]) -> None:
    t = strike(table, LUCKY, {**BODY, "luck": 1}, dice=(4, 3, 3)).play(
        "whip driver of white", "bear it", "pass", "pass"
    )
    assert (t.asked, t.view["about"], t.view["dice"]) == (0, "whip wound", [3])
    t.play("modify die 1 +1")
    assert (t[1]["health"], t.question) == (4, "drive")
