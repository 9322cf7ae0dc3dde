"""Crashes (X1 to X6), dead horses (L6, L7, T5), wrecks (T10), dragged drivers (G1 to G5), shapes afterwards (M2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from losing_scenes import (
    ANY,
    BYSTANDER,
    DRIVER_OF_RED,
    HIGH,
    LOW,
    STRIKES,
    WRECK_OF_RED,
    dragged,
    next_turn,
    rammed,
    wheel_breaks,
    whipped,
)

from spina.games.chariotmaster.play import events
from spina.games.chariotmaster.play.events import (
    Bounced,
    Collided,
    Crashed,
    Crossed,
    CutLoose,
    Drawn,
    DriverDied,
    Eliminated,
    Entangled,
    HorseDied,
    Hurled,
    Lost,
    LostReins,
    Moved,
    OutOf,
    Placed,
    Removed,
    Rolled,
    RolledBoth,
    StruckOut,
    TeamGone,
    TurnEnds,
)
from spina.games.chariotmaster.rules.record import WALL

if TYPE_CHECKING:
    from conftest import Table

CRASHES = {"worn": {"structure": 2}}
"""With a 6 the body of the red chariot breaks."""
DRAGGED = {"driver": "dragged", "progress": 100, "offset": 0, "wreck": {"progress": 0, "offset": 50}}


def shape(t: Table, piece: int) -> tuple[Any, ...] | None:
    """Kind, place and size of a piece, in units."""
    found = t.piece(piece)
    if found is None:
        return None
    return found["kind"], found["x"], found["y"], found["length"], found["width"]


def rolled(t: Table) -> list[str]:
    return [event.what for event in t.told(Rolled, 0)]


def order(t: Table, *kinds: type) -> list[str]:
    return [type(event).__name__ for event in t.events if isinstance(event, kinds)]


# --- X1: the sequence -----------------------------------------------------------------------------------------------


def test_x1_wreck_then_health_then_the_die_for_the_tangle(table: type[Table]) -> None:
    t = rammed(table, 6, 4, **CRASHES)
    assert order(t, Crashed, Lost, Rolled, Entangled) == ["Rolled", "Crashed", "Lost", "Rolled", "Entangled"]
    assert (t.one(Lost, 0).what, t.one(Lost, 0).left) == ("health", 4)
    assert rolled(t) == ["out of points", "entangled"]


@pytest.mark.parametrize(("face", "place"), [(1, "on foot"), (3, "on foot"), (4, "dragged"), (6, "dragged")])
def test_x1_on_4_and_more_he_is_dragged_and_otherwise_hurled(table: type[Table], face: int, place: str) -> None:
    t = rammed(table, 6, face, 1, offset=0, **CRASHES)
    assert t[0]["driver"] == place
    assert bool(t.told(Hurled)) == (place == "on foot") and bool(t.told(Entangled)) == (place == "dragged")


def test_x1_m2_the_rear_half_is_the_wreck_and_the_front_half_the_team(table: type[Table]) -> None:
    t = rammed(table, 6, 3, 1, offset=0, **CRASHES)
    assert shape(t, WRECK_OF_RED) == ("wreck", 1899, 0, 200, 200)  # 0.1 mm apart
    assert shape(t, 0) == ("team", 2100, 0, 200, 200)
    assert shape(t, DRIVER_OF_RED) == ("driver on foot", 1899, 160 + 100, 100, 100)


def test_x1_m2_a_team_that_drags_its_driver_is_2_x_2(table: type[Table]) -> None:
    t = rammed(table, 6, 4, offset=0, **CRASHES)
    assert shape(t, 0) == ("team dragging its driver", 2100, 0, 200, 200)
    assert shape(t, DRIVER_OF_RED) is None


def test_x1_horses_that_live_run_away(table: type[Table]) -> None:
    """In the same game turn, if their token is still in the mug."""
    t = rammed(table, 6, 3, 1, offset=0, **CRASHES).play("stop")
    assert t.one(Drawn, 0).out_of_control
    assert t.told(Moved, 0)[-1].how == "run away" and t.told(Moved, 0)[-1].piece == 0


def test_x1_the_turn_of_an_active_chariot_ends(table: type[Table]) -> None:
    """A dragged driver may cut himself loose at its end (G4), but the team neither drives nor runs."""
    t = wheel_breaks(table, 6, 4, **CRASHES)
    assert t.one(Crashed) and t.question == "cut loose"
    t.play("hang on")
    assert t.one(TurnEnds, 0).mm == 0 and not t.told(Moved, 0)


def test_x1_the_turn_of_another_goes_on(table: type[Table]) -> None:
    t = rammed(table, 6, 4, **CRASHES)
    assert (t.question, t.asked) == ("drive", 1)


def test_x1_the_point_of_health_is_lost_on_the_table_for_drivers_aboard(table: type[Table]) -> None:
    t = rammed(table, 6, 2, 4, health=0, **CRASHES)
    assert [event.table for event in t.told(OutOf)] == ["structure", "health aboard"]


def test_x1_a_driver_who_dies_of_the_crash_is_neither_dragged_nor_hurled(table: type[Table]) -> None:
    t = rammed(table, 6, 6, health=0, worn={"structure": 2, "health aboard": 2})
    assert t.one(DriverDied) and not t.told(Hurled) and not t.told(Entangled)
    assert "entangled" not in rolled(t)
    assert shape(t, 0) == ("team", 2100, 500, 200, 200) and t.piece(DRIVER_OF_RED) is None


def test_x1_without_reins_he_is_hurled_without_a_die_for_the_tangle(table: type[Table]) -> None:
    t = rammed(table, 6, 1, reins=False, offset=0, **CRASHES)
    assert rolled(t) == ["out of points", "hurled"] and t.one(Hurled)


def test_x1_reins_lost_by_the_crash_itself_are_lost(table: type[Table]) -> None:
    """Row 6 of the health table, during the crash."""
    t = rammed(table, 6, 6, 1, health=0, offset=0, **CRASHES)
    assert order(t, Crashed, OutOf, LostReins, Hurled) == ["OutOf", "Crashed", "OutOf", "LostReins", "Hurled"]
    assert "entangled" not in rolled(t)


def test_x1_who_falls_off_because_of_the_crash_is_neither_dragged_nor_hurled(table: type[Table]) -> None:
    """No health, so a hurt hand; no skill, so he falls."""
    t = rammed(table, 6, 5, 6, health=0, skill=0, worn={"structure": 2, "skill aboard": 2})
    assert [event.table for event in t.told(OutOf)][:3] == ["structure", "health aboard", "skill aboard"]
    assert t[0]["driver"] in ("on foot", "dead") and not t.told(Hurled) and not t.told(Entangled)


def test_x1_only_living_horses_run_on_a_dead_one_stays_behind(table: type[Table]) -> None:
    t = rammed(table, 6, 4, horses=1, dead_horses=1, **CRASHES)
    assert (t[0]["horses"], t[0]["dead_horses"], t[0]["tokens"]) == (1, 0, ["0", "5"])


def test_c6_the_bounce_of_the_ram_moves_the_wreck_and_not_the_team(table: type[Table]) -> None:
    """4 dice with a 6 against 2: a push of 1 cm."""
    red = {"progress": 100, "offset": 0, "structure": 0, **CRASHES}
    rammer = {"progress": 100, "offset": -21, "structure": 3}
    dice = (6, LOW, LOW, LOW, LOW, LOW, 6, 4)
    t = table(red, rammer, BYSTANDER, dice=dice, active=1, driving=STRIKES).play("ram red body", "bear it")
    assert t.one(Bounced).value == 3
    assert shape(t, WRECK_OF_RED)[1:3] == (1899, 100)
    assert shape(t, 0)[1:3] == (2100, 0)


# --- X2, X3: hurled -------------------------------------------------------------------------------------------------


def test_x2_he_is_hurled_away_from_what_hit_the_chariot(table: type[Table]) -> None:
    """Rammed from the right: to the left."""
    assert rammed(table, 6, 3, 1, offset=0, **CRASHES).one(Hurled).direction == 90


def test_x2_who_hits_something_is_hurled_back_from_it(table: type[Table]) -> None:
    """A forced sweep to the left into another body, which hits back: hurled to the right."""
    other = {"progress": 100, "offset": 35, "drawn": True}
    dice = (4, 6, (2, 1), LOW, LOW, HIGH, LOW, LOW, 6, 3, 2)
    t = whipped(table, 1, *dice, skill=0, structure=0, offset=0, others=(other,), **CRASHES)
    bump = t.told(Collided)[0]
    assert (bump.initiator, bump.part, bump.target, bump.target_part) == (0, "body", 3, "body")
    assert t.one(Hurled).direction == 270


def test_x2_without_an_outside_cause_he_is_hurled_ahead(table: type[Table]) -> None:
    assert wheel_breaks(table, 6, 3, 1, **CRASHES).one(Hurled).direction == 0


def test_x2_by_the_last_horse_he_is_hurled_ahead_even_if_it_was_hit_from_the_side(table: type[Table]) -> None:
    red = {"progress": 100, "offset": 0, "horses": 1, "stamina": 0, "worn": {"stamina": 2}}
    rammer = {"progress": 120, "offset": -21, "structure": 3}
    t = table(red, rammer, BYSTANDER, dice=(HIGH, LOW, LOW, LOW, LOW, 6), active=1, driving=STRIKES)
    t.play("ram red horses", "bear it")
    assert t.one(HorseDied).left == 0 and t.one(Hurled).direction == 0


def test_x2_ahead_is_where_the_chariot_faces(table: type[Table]) -> None:
    t = wheel_breaks(table, 6, 3, 1, heading=30, offset=-40, **CRASHES)
    assert t.one(Hurled).direction == 30


@pytest.mark.parametrize("face", [1, 3, 6])
def test_x3_a_hurl_begins_clear_of_the_wreck_and_goes_d6_cm(table: type[Table], face: int) -> None:
    """The wreck's edge is 100 units from its centre, his own 50: the first whole millimetre with a gap is 16."""
    t = rammed(table, 6, 3, face, offset=-40, **CRASHES)
    assert (t.one(Placed).x, t.one(Placed).y) == (189.9, -40 + 16)
    assert (t.told(Moved, 0)[0].how, t.told(Moved, 0)[0].mm) == ("hurled", 10 * face)
    assert shape(t, DRIVER_OF_RED)[1:3] == (1899, -400 + 160 + 100 * face)


def test_x3_hurled_ahead_he_begins_before_his_own_team(table: type[Table]) -> None:
    t = wheel_breaks(table, 6, 3, 2, offset=-40, **CRASHES)
    assert (t.one(Placed).x, t.one(Placed).y) == (189.9 + 36, -40)
    assert shape(t, DRIVER_OF_RED)[1:3] == (2259 + 200, -400)


def test_x3_m7_a_hurl_collides_with_what_it_meets(table: type[Table]) -> None:
    t = rammed(table, 6, 3, 4, 1, LOW, LOW, LOW, LOW, offset=50, **CRASHES)
    assert t.told(Moved, 0)[0].mm < 40
    wall = t.told(Collided)[1]
    assert (wall.initiator, wall.part, wall.target) == (DRIVER_OF_RED, "driver", WALL)


def test_s5_if_the_beginning_of_a_hurl_is_taken_he_collides_there_and_stays(table: type[Table]) -> None:
    left = {"progress": 90, "offset": 25, "drawn": True}
    t = rammed(table, 6, 3, (2, 0), LOW, LOW, LOW, LOW, offset=0, others=(left,), **CRASHES)
    bump = t.told(Collided)[1]
    assert (bump.initiator, bump.target) == (DRIVER_OF_RED, 3)
    assert rolled(t) == ["out of points", "entangled"]
    assert not [event for event in t.told(Moved, 0) if event.piece == DRIVER_OF_RED]


# --- X4, X5: driver elsewhere, last horse ---------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["dead", "off the track"])
def test_x4_without_a_driver_a_crash_hurts_nobody(table: type[Table], place: str) -> None:
    t = rammed(table, 6, driver=place, **CRASHES)
    assert t.one(Crashed) and not t.told(Lost, 0) and rolled(t) == ["out of points"]
    assert t[0]["driver"] == place


def test_x4_a_driver_on_foot_has_nothing_to_do_with_the_crash(table: type[Table]) -> None:
    spot = {"progress": 200, "offset": 0}
    t = rammed(table, 6, driver="on foot", on_foot=spot, **CRASHES)
    assert t.one(Crashed) and not t.told(Lost, 0)
    assert shape(t, DRIVER_OF_RED)[1:3] == (3000, 0)


@pytest.mark.parametrize("place", ["on the haft for the reins", "on the haft to cut"])
def test_x4_l4_on_the_haft_he_has_no_reins_and_is_hurled(table: type[Table], place: str) -> None:
    """On the haft to cut a horse free he still counts as without them."""
    horses = {"horses": 1, "dead_horses": 1} if "cut" in place else {"reins": False}
    t = rammed(table, 6, 1, offset=0, driver=place, **horses, **CRASHES)
    assert t.one(Lost, 0).what == "health"
    assert rolled(t) == ["out of points", "hurled"] and t.one(Hurled)


def last_horse_dies(table: type[Table], *dice: Any, **red: Any) -> Table:
    """Red spurs, and its last horse drops dead."""
    state = {"progress": 100, "offset": 0, "horses": 1, "stamina": 0, "worn": {"stamina": 2}, **red}
    return table(state, {"progress": 300, "offset": 0}, BYSTANDER, dice=(6, *dice)).play("spur")


def test_x5_after_the_last_horse_only_the_wreck_is_left(table: type[Table]) -> None:
    t = last_horse_dies(table, 3)
    assert order(t, HorseDied, Crashed, Lost, Hurled) == ["HorseDied", "Crashed", "Lost", "Hurled"]
    assert rolled(t) == ["out of points", "hurled"]
    assert t.piece(0) is None
    assert shape(t, WRECK_OF_RED) == ("wreck", 1899, 0, 200, 200)  # 0.1 mm apart


def test_x5_he_is_hurled_from_the_wreck_alone(table: type[Table]) -> None:
    t = last_horse_dies(table, 3)
    assert shape(t, DRIVER_OF_RED)[1:3] == (1899 + 160 + 300, 0)


def test_t10_only_the_driver_on_foot_has_a_turn_then_and_a_wreck_has_none(table: type[Table]) -> None:
    gone = {"gone": True, "horses": 0, "wreck": {"progress": 0, "offset": 50}}
    spot = {"progress": 200, "offset": 0}
    t = table({**gone, "driver": "on foot", "on_foot": spot}, {}, BYSTANDER, active=None)
    assert (t[0]["token"], t.race.to_act) == ("0", (1, 2))
    t = table({**gone, "driver": "dead"}, {"token": "0"}, BYSTANDER, active=1).play("stop")
    assert t.question == "speed tokens" and t[0]["token"] is None and not t.told(Drawn, 0)


# --- X6: placing ----------------------------------------------------------------------------------------------------

FALLS = {"skill": 0, "worn": {"skill aboard": 2}}


def test_x6_a_free_spot_is_taken_without_a_collision(table: type[Table]) -> None:
    t = whipped(table, 1, 6, **FALLS)
    assert not t.told(Collided)
    assert (t.one(Placed).x, t.one(Placed).y) == (174.8, 50)


def test_x6_on_a_taken_spot_he_collides_and_then_stands_on_the_nearest_free_one(table: type[Table]) -> None:
    """Behind him everything is full for 40 mm; beside the chariot behind, 16 mm are the nearest, the right first."""
    behind = {"progress": 55, "offset": 50, "drawn": True}
    t = whipped(table, 1, 6, LOW, LOW, LOW, others=(behind,), **FALLS)
    bump = t.one(Collided)
    assert (bump.initiator, bump.part, bump.target, bump.target_part) == (DRIVER_OF_RED, "driver", 3, "horses")
    assert shape(t, DRIVER_OF_RED)[1:3] == (1748, 500 - 160)


def test_x6_the_collision_hurts_both_and_bounces_nobody(table: type[Table]) -> None:
    behind = {"progress": 55, "offset": 50, "drawn": True}
    t = whipped(table, 1, 6, 6, HIGH, HIGH, others=(behind,), **FALLS)
    assert (t[0]["health"], t[3]["stamina"]) == (3, 18)
    assert not t.told(Bounced) and shape(t, 3)[1:3] == (1550, 500)


def test_x6_who_dies_of_it_is_taken_away(table: type[Table]) -> None:
    behind = {"progress": 55, "offset": 50, "drawn": True}
    worn = {"skill aboard": 2, "health aboard": 1}
    t = whipped(table, 1, 6, 1, HIGH, LOW, 6, others=(behind,), skill=0, health=0, worn=worn)
    assert t.one(DriverDied) and t.piece(DRIVER_OF_RED) is None


def test_x6_of_several_spots_as_near_the_one_further_out_is_taken(table: type[Table]) -> None:
    """A driver behind: 11 mm to the side are free, and as far at a slant backwards."""
    other = {"driver": "on foot", "on_foot": {"progress": 72, "offset": 50}, "progress": 300, "offset": 50}
    t = whipped(table, 1, 6, LOW, LOW, others=({**other, "drawn": True},), **FALLS)
    assert t.one(Collided).target == DRIVER_OF_RED + 3
    assert shape(t, DRIVER_OF_RED)[1:3] == (1748 - 42, 500 - 102)


# --- L6, L7: dead horses --------------------------------------------------------------------------------------------


def test_l6_a_dead_horse_adds_nothing_to_the_collision_value_and_lies_nowhere(table: type[Table]) -> None:
    red = {"progress": 100, "offset": 0, "horses": 1, "dead_horses": 1}
    rammer = {"progress": 120, "offset": -21, "structure": 3}
    t = table(red, rammer, BYSTANDER, dice=(LOW,) * 5, active=1, driving=STRIKES).play("ram red horses", "bear it")
    assert len(t.one(RolledBoth).others) == 1
    assert [piece["piece"] for piece in t.view["pieces"]] == [0, 1, 2]


def test_l7_a_team_without_a_body_is_gone_with_its_last_horse(table: type[Table]) -> None:
    """Centring costs the stamina that it does not have."""
    state = {"driver": "dead", "progress": 100, "offset": 30, "wreck": {"progress": 0, "offset": 50}}
    t = next_turn(table, 6, stamina=0, horses=1, worn={"stamina": 2}, **state)
    assert t.one(HorseDied).left == 0 and t.one(TeamGone) and not t.told(Crashed)
    assert t.piece(0) is None and t.piece(WRECK_OF_RED) is not None


def test_l7_a_dragged_driver_is_then_on_foot_where_the_team_was(table: type[Table]) -> None:
    t = dragged(table, 6, offset=30, stamina=0, horses=1, worn={"stamina": 2})
    assert t.one(TeamGone) and t.one(Eliminated)
    assert shape(t, DRIVER_OF_RED) == ("driver on foot", 2000, 300, 100, 100)
    assert t[0]["driver"] == "on foot" and not t.told(Collided)


def test_l7_the_first_horse_of_a_team_without_a_body_hangs_in_the_harness(table: type[Table]) -> None:
    t = dragged(table, 6, offset=30, stamina=0, worn={"stamina": 2})
    assert (t[0]["horses"], t[0]["dead_horses"], t[0]["tokens"]) == (1, 1, ["0"])
    assert t[0]["driver"] == "dragged"


# --- G1, G2: shape and steering -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("axle", "part", "dice"),
    [(90.5, "driver", 1), (94.5, "driver", 1), (95.5, "horses", 2), (109, "horses", 2)],
)
def test_g1_the_rear_half_centimetre_of_the_team_is_the_driver(
    table: type[Table], axle: float, part: str, dice: int
) -> None:
    rammer = {"progress": axle + 10, "offset": -21, "structure": 3}
    t = table({**DRAGGED, "drawn": True}, rammer, BYSTANDER, dice=(HIGH,) + (LOW,) * 5, active=1, driving=STRIKES)
    assert t.legal("ram") == [f"ram red {part}"]
    t.play(f"ram red {part}")
    assert len(t.one(RolledBoth).others) == dice
    assert t.one(Lost).what == ("health" if part == "driver" else "stamina")


def test_g1_a_dragged_driver_cannot_be_whipped(table: type[Table]) -> None:
    rammer = {"progress": 102, "offset": -21}
    t = table({**DRAGGED, "drawn": True}, rammer, BYSTANDER, active=1, driving=STRIKES)
    assert t.legal() == ["no attack", "ram red driver"]


def test_g1_a_driver_who_dies_behind_his_team_leaves_the_team_alone(table: type[Table]) -> None:
    rammer = {"progress": 102, "offset": -21, "structure": 3}
    red = {**DRAGGED, "drawn": True, "health": 0, "worn": {"health aboard": 1}}
    t = table(red, rammer, BYSTANDER, dice=(HIGH, LOW, LOW, LOW, LOW, 6), active=1, driving=STRIKES)
    t.play("ram red driver")
    assert t.one(DriverDied) and shape(t, 0)[0] == "team"


def test_g2_nobody_steers_a_team_that_drags_its_driver(table: type[Table]) -> None:
    t = dragged(table, token="10")
    assert t.one(Drawn, 0).out_of_control
    assert (t.one(Moved, 0).how, t.one(Moved, 0).mm) == ("run away", 150)
    assert t.question == "cut loose"


@pytest.mark.parametrize("progress", [420, 560, 640, 760, 1500, 1610])
def test_g2_o5_on_the_middle_of_a_bend_it_pays_for_no_sweep(table: type[Table], progress: float) -> None:
    """Poses on an arc are rounded, which is not yet beside the middle."""
    t = dragged(table, progress=progress)
    assert t[0]["stamina"] == 19 and t.one(Moved, 0).mm == 100


# --- G3: being dragged ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "points"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_g3_he_loses_d3_health_at_the_beginning_of_his_turn(table: type[Table], face: int, points: int) -> None:
    t = next_turn(table, face, **DRAGGED)
    assert t[0]["health"] == 5 - points
    assert [event.left for event in t.told(Lost, 0)] == [4, 3, 2][:points]
    assert order(t, Drawn, Lost, Moved) == ["Drawn"] + ["Lost"] * points + ["Moved"]


def test_g3_also_in_the_game_turn_of_the_crash(table: type[Table]) -> None:
    t = rammed(table, 6, 4, **CRASHES).dice(ANY, 3).play("stop")
    assert "dragged" in rolled(t)
    assert t[0]["health"] == 5 - 1 - 2


def test_g3_not_before_the_next_one_if_the_crash_was_in_his_own_turn(table: type[Table]) -> None:
    t = wheel_breaks(table, 6, 4, **CRASHES)
    assert t.one(Entangled) and "dragged" not in rolled(t)


def test_g3_points_go_one_by_one(table: type[Table]) -> None:
    t = next_turn(table, 5, 3, 4, health=1, **DRAGGED)
    assert [(event.table, event.result) for event in t.told(OutOf)] == [("health dragged", 3), ("health dragged", 5)]


def test_g3_o10_if_it_kills_him_the_horses_run_on_in_the_same_turn(table: type[Table]) -> None:
    t = dragged(table, 6, health=0, worn={"health aboard": 1})
    assert order(t, DriverDied, Eliminated, Moved) == ["DriverDied", "Eliminated", "Moved"]
    assert t.one(Moved, 0).mm == 100 and t.told(TurnEnds, 0)[0].mm == 100
    assert t.question == "speed tokens"


# --- G4: cutting loose ----------------------------------------------------------------------------------------------


def test_g4_at_the_end_of_his_turn_he_may_hang_on_or_cut(table: type[Table]) -> None:
    t = dragged(table)
    assert sorted(t.legal()) == ["cut loose", "hang on"]
    t.play("hang on")
    assert t[0]["driver"] == "dragged" and not t.told(events.Tested)


@pytest.mark.parametrize(
    ("face", "skill", "free"),
    [(1, 0, True), (2, 0, False), (3, 3, True), (4, 3, False), (5, 5, True), (6, 9, False)],
)
def test_g4_a_die_against_skill_with_natural_1_and_6(table: type[Table], face: int, skill: int, free: bool) -> None:
    t = dragged(table, skill=skill).dice(face).play("cut loose")
    assert t.one(events.Tested) == events.Tested(0, "cut loose", face, 0, skill, free)
    assert t[0]["driver"] == ("on foot" if free else "dragged")


def test_g4_the_token_does_not_change_the_test(table: type[Table]) -> None:
    t = dragged(table, token="10").dice(3).play("cut loose")
    assert t.one(events.Tested).modifier == 0


def test_g4_free_he_stands_just_behind_the_team(table: type[Table]) -> None:
    t = dragged(table).dice(1).play("cut loose")
    assert t.one(CutLoose) and t.one(Eliminated)
    assert shape(t, 0) == ("team", 3000, 0, 200, 200)
    assert shape(t, DRIVER_OF_RED) == ("driver on foot", 3000 - 152, 0, 100, 100)
    assert not t.told(Collided)


@pytest.mark.parametrize("progress", [420, 500, 560, 640, 720])
def test_g4_behind_a_team_in_a_bend_he_does_not_stand_on_its_corner(table: type[Table], progress: float) -> None:
    """His base never turns, so that it needs more room behind a team that stands askew."""
    t = dragged(table, progress=progress).dice(1).play("cut loose")
    assert t.piece(0)["heading"] % 900 != 0 and not t.told(Collided)


def test_g4_he_walks_from_the_next_turn_on(table: type[Table]) -> None:
    t = dragged(table).dice(1).play("cut loose")
    assert t.question == "speed tokens"
    t.dice((2, 0)).tokens("0", "0")
    assert (t.question, t.asked) == ("walk", 0)


@pytest.mark.parametrize("state", [{"knife": False}, {"stunned": True}], ids=["without a knife", "unconscious"])
def test_g4_neither_without_a_knife_nor_unconscious(table: type[Table], state: dict[str, Any]) -> None:
    t = dragged(table, **state)
    assert t.told(TurnEnds, 0) and t.question == "speed tokens"


# --- G5: the finish -------------------------------------------------------------------------------------------------


def test_g5_a_dragged_driver_crosses_the_line(table: type[Table]) -> None:
    t = dragged(table, progress=3700)
    assert t.one(Crossed).place == 1
    assert t[0]["home"] == 1 and t.told(Removed, 0)


def crossed_and_rammed(table: type[Table], *dice: Any, **red: Any) -> Table:
    """He has crossed the line in this game turn; now he is rammed, and then it ends."""
    rammer = {"progress": 102, "offset": -21, "structure": 3}
    home = {**DRAGGED, "home": 1, "drawn": True, "health": 0, **red}
    t = table(home, rammer, BYSTANDER, {"progress": 300, "offset": 0, "drawn": True, "home": 2},
              dice=(HIGH, LOW, LOW, LOW, LOW, *dice), active=1, driving=STRIKES)  # fmt: skip
    return t.play("ram red driver", "stop")


def test_g5_the_crossing_is_struck_out_if_he_is_dead_when_the_game_turn_ends(table: type[Table]) -> None:
    t = crossed_and_rammed(table, 6, worn={"health aboard": 1})
    assert t.one(DriverDied) and t.one(StruckOut).chariot == 0
    assert t[0]["out"] and t[0]["home"] is None
    assert t[3]["home"] == 1


def test_g5_alive_he_keeps_his_place_and_leaves_the_track(table: type[Table]) -> None:
    t = crossed_and_rammed(table, 6)
    assert not t.told(StruckOut) and t[0]["home"] == 1 and t[3]["home"] == 2
    assert t.piece(0) is None
