"""Lost points: Z1 to Z7, Z10 and Z14, tokens that are lost (T3 to T6), the order of effects (M8), percentages (M10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from losing_scenes import (
    ANY,
    BYSTANDER,
    HIGH,
    LOW,
    STRIKES,
    dragged,
    next_turn,
    pays,
    rammed,
    wheel_breaks,
    whipped,
)

from spina.games.chariotmaster.play import events
from spina.games.chariotmaster.play.events import (
    Changed,
    Collided,
    Crashed,
    Drawn,
    DriverDied,
    Entangled,
    HorseDied,
    IsExhausted,
    Lost,
    LostReins,
    LostToken,
    Moved,
    OutOf,
    Paid,
    Rolled,
    RolledBoth,
    TurnEnds,
)

if TYPE_CHECKING:
    from conftest import Table

BEHIND_RED = {"progress": 55, "offset": 50, "drawn": True}
"""Half a centimetre behind the red chariot at its usual place."""


def read(t: Table) -> list[tuple[str, int]]:
    """The tables that were rolled on, in order, with the results."""
    return [(event.table, event.result) for event in t.told(OutOf, 0)]


def order(t: Table, *kinds: type) -> list[str]:
    """The events of these kinds, in order."""
    return [type(event).__name__ for event in t.events if isinstance(event, kinds)]


# --- Z1, M8: one after the other ------------------------------------------------------------------------------------


def test_z1_points_are_taken_while_there_are_any_and_only_then_the_table_is_rolled_on(table: type[Table]) -> None:
    t = rammed(table, 3, hits=2, structure=1)
    assert [(event.what, event.left) for event in t.told(Lost, 0)] == [("structure", 0)]
    assert read(t) == [("structure", 3)]


def test_z1_two_points_are_two_rolls_and_the_second_has_the_modifier_of_the_first(table: type[Table]) -> None:
    t = rammed(table, 3, 3, hits=2)
    assert read(t) == [("structure", 3), ("structure", 4)]
    assert t[0]["worn"] == {"structure": 2}


def test_z1_the_last_point_is_no_roll(table: type[Table]) -> None:
    t = rammed(table, hits=1, structure=1)
    assert read(t) == [] and t[0]["structure"] == 0


def test_z1_m8_what_a_roll_brings_is_finished_before_the_next_point(table: type[Table]) -> None:
    """Structure 5 costs stamina that is not there: that table comes before the second structure point."""
    t = rammed(table, 5, 3, 2, hits=2, stamina=0)
    assert read(t) == [("structure", 5), ("stamina", 3), ("structure", 3)]


def test_m8_a_collision_caused_by_a_row_is_over_before_the_next_point(table: type[Table]) -> None:
    """Rammed twice over, the red chariot is first slowed down into the team behind it."""
    dice = (4, 6, LOW, LOW, LOW, LOW, 1)
    t = rammed(table, *dice, hits=2, others=(BEHIND_RED,))
    assert order(t, OutOf, Collided, RolledBoth) == [
        "Collided",
        "RolledBoth",
        "OutOf",
        "Collided",
        "RolledBoth",
        "OutOf",
    ]
    ram, bump = t.told(Collided)
    assert (ram.kind, ram.number, bump.kind, bump.number) == ("ram", 1, "collision", 2)
    assert (bump.initiator, bump.part, bump.target, bump.target_part) == (0, "body", 3, "horses")
    assert read(t) == [("structure", 4), ("structure", 2)]


def test_m8_the_target_has_suffered_everything_before_the_initiator_loses_a_point(table: type[Table]) -> None:
    t = rammed(table, 5, blows=1)
    assert [(event.chariot, event.what) for event in t.told(Lost)] == [(0, "stamina"), (1, "structure")]


# --- Z2: payments ---------------------------------------------------------------------------------------------------


def test_z2_a_payment_rolls_on_the_same_table_and_its_effect_comes_before_what_was_bought(table: type[Table]) -> None:
    t = pays(table, 5, 6, 4)
    assert order(t, Paid, OutOf, Moved, Changed) == ["Paid", "OutOf", "Moved", "Changed"]
    assert t.one(Moved).mm == 30
    assert t.one(Changed).mm == -40
    assert t.question == "drive"


def test_z2_a_payment_with_points_left_rolls_on_no_table(table: type[Table]) -> None:
    t = pays(table, 4, stamina=1)
    assert t[0]["stamina"] == 0 and not t.told(OutOf) and t.one(Changed).mm == -40


def test_z2_what_was_bought_is_lost_if_the_chariot_cannot_do_it_any_more(table: type[Table]) -> None:
    """The last horse drops dead while braking."""
    t = pays(table, 6, 3, horses=1, worn={"stamina": 2})
    assert t.one(Crashed) and not t.told(Changed)


# --- Z3: modifiers --------------------------------------------------------------------------------------------------


def test_z3_health_has_one_modifier_wherever_the_driver_is(table: type[Table]) -> None:
    """A crash adds 1 aboard; dragged, he rolls with it; cut loose and rammed he would too."""
    crash, entangled = (6, 4), 4
    t = rammed(table, *crash, entangled, health=0, worn={"structure": 2}, token="0")
    assert t.one(Entangled)
    assert t[0]["worn"] == {"structure": 2, "health aboard": 1}
    t.dice(ANY, 1, 3).play("stop")
    assert read(t) == [("structure", 8), ("health aboard", 4), ("health dragged", 4)]
    assert t[0]["worn"]["health aboard"] == 2
    t.dice(1).play("cut loose")
    assert t[0]["driver"] == "on foot" and t[0]["worn"]["health aboard"] == 2


def test_z3_skill_has_a_modifier_for_each_table_that_is_not_carried_over(table: type[Table]) -> None:
    worn = {"skill aboard": 5, "skill on foot": 4}
    t = dragged(table, 5, 2, health=0, skill=0, worn=worn)
    assert read(t) == [("health dragged", 5), ("skill dragged", 2)]
    assert t[0]["worn"] == {"health aboard": 1, "skill aboard": 5, "skill on foot": 4, "skill dragged": 1}


def test_z3_stamina_and_structure_have_a_modifier_each(table: type[Table]) -> None:
    t = rammed(table, 5, 2, stamina=0, worn={"stamina": 1})
    assert read(t) == [("structure", 5), ("stamina", 3)]
    assert t[0]["worn"] == {"stamina": 2, "structure": 1}


def test_s1_a_plus_one_counts_from_the_moment_the_row_is_read(table: type[Table]) -> None:
    """Structure 4: slowed down into the team behind, which hits back and costs another point."""
    t = rammed(table, 4, 6, LOW, LOW, HIGH, LOW, 2, others=(BEHIND_RED,))
    assert read(t) == [("structure", 4), ("structure", 3)]


# --- Z4, Z5: rows as printed, halving -------------------------------------------------------------------------------


def test_z4_a_dragged_driver_who_is_knocked_out_gets_no_plus_one(table: type[Table]) -> None:
    state = {"driver": "dragged", "progress": 100, "offset": 0, "wreck": {"progress": 0, "offset": 50}}
    t = next_turn(table, 5, 6, 6, 6, health=0, **state)
    assert read(t) == [("health dragged", 6)] * 3
    assert t[0]["worn"] == {}


@pytest.mark.parametrize(("worn", "left"), [(2, 1), (3, 1), (4, 2), (5, 2), (7, 3)])
def test_z5_the_modifier_is_halved_and_rounded_down_when_a_horse_dies(table: type[Table], worn: int, left: int) -> None:
    t = pays(table, 6, 1, worn={"stamina": worn})
    assert t.one(OutOf).modifier == left
    assert t[0]["worn"] == ({"stamina": left} if left else {})
    assert t.one(HorseDied).left == 1


def test_z5_the_last_horse_halves_too_and_then_the_chariot_crashes(table: type[Table]) -> None:
    t = pays(table, 6, horses=1, worn={"stamina": 3})
    assert t.one(OutOf).modifier == 1
    assert order(t, OutOf, HorseDied, Crashed) == ["OutOf", "HorseDied", "Crashed"]


# --- Z6: exhausted, wheel -------------------------------------------------------------------------------------------


def start_rolls(t: Table) -> list[str]:
    return [event.what for event in t.told(Rolled, 0) if event.what in ("exhausted", "wheel")]


@pytest.mark.parametrize(
    ("red", "rolls"),
    [
        ({"token": "10"}, True),
        ({"token": "5"}, False),
        ({"token": "0"}, False),
        ({"token": "5", "tokens": "5"}, True),
        ({"token": "10", "tokens": "5"}, True),
        ({"token": "0", "tokens": "5"}, False),
        ({"token": "0", "tokens": "0"}, False),
        ({"token": "5", "horses": 1}, True),
        ({"token": "5", "horses": 1, "dead_horses": 1}, False),
    ],
    ids=["10 of 10", "5 of 10", "0 of 10", "5 of 5", "10 replaced by 5", "0 of 5", "0 of 0", "one horse", "dead horse"],
)
def test_z6_exhausted_horses_roll_with_the_highest_usable_token_but_not_with_the_0(
    table: type[Table], red: dict[str, Any], rolls: bool
) -> None:
    t = next_turn(table, 3, exhausted=True, **red)
    assert start_rolls(t) == ["exhausted"] * rolls


@pytest.mark.parametrize(
    ("red", "rolls"),
    [({"token": "10"}, True), ({"token": "5"}, False), ({"token": "5", "tokens": "5"}, False),
     ({"token": "10", "tokens": "5"}, False), ({"token": "10", "horses": 1}, False)],
    ids=["10 token", "5 token", "5 as the highest", "10 lost", "10 with one horse"],
)  # fmt: skip
def test_z6_a_damaged_wheel_rolls_only_with_the_10_token(table: type[Table], red: dict[str, Any], rolls: bool) -> None:
    t = next_turn(table, 3, wheel=True, **red)
    assert start_rolls(t) == ["wheel"] * rolls


@pytest.mark.parametrize(("face", "lost"), [(1, 0), (3, 0), (4, 1), (6, 1)])
def test_z6_exhausted_horses_lose_a_point_on_4_and_more(table: type[Table], face: int, lost: int) -> None:
    t = next_turn(table, face, exhausted=True, token="10")
    assert t[0]["stamina"] == 19 - lost and t[0]["structure"] == 5


@pytest.mark.parametrize(("face", "lost"), [(1, 0), (3, 0), (4, 1), (6, 1)])
def test_z6_a_damaged_wheel_costs_a_structure_point_on_4_and_more(table: type[Table], face: int, lost: int) -> None:
    t = next_turn(table, face, wheel=True, token="10")
    assert t[0]["structure"] == 5 - lost and t[0]["stamina"] == 19


def test_t9_exhausted_horses_roll_before_the_wheel(table: type[Table]) -> None:
    t = next_turn(table, 1, 1, exhausted=True, wheel=True, token="10")
    assert start_rolls(t) == ["exhausted", "wheel"]
    assert t.question == "drive" and t.asked == 0


def test_t9_the_wheel_does_not_roll_if_exhaustion_has_cost_the_10_token(table: type[Table]) -> None:
    t = next_turn(table, 4, 6, exhausted=True, wheel=True, token="10", stamina=0, worn={"stamina": 1})
    assert start_rolls(t) == ["exhausted"] and t.one(LostToken).highest == "5"


def test_z6_exhausted_twice_is_still_one_die(table: type[Table]) -> None:
    t = pays(table, 6, 1, exhausted=True, worn={})
    assert t.one(OutOf).result == 6 and not t.told(IsExhausted)
    t = next_turn(table, 1, exhausted=True, token="10")
    assert start_rolls(t) == ["exhausted"] and t.question == "drive"


# --- Z7: forced moves -----------------------------------------------------------------------------------------------


def test_z7_a_forced_sweep_costs_no_stamina_and_counts_for_nothing(table: type[Table]) -> None:
    t = whipped(table, 1, 4, 2, skill=0, offset=0)
    assert t.one(Moved, 0).mm == 20 and t.one(Moved, 0).how == "sideways"
    assert not t.told(Paid, 0) and t[0]["stamina"] == 19


def test_z7_a_forced_move_in_anothers_turn_collides_and_leaves_that_turn_alone(table: type[Table]) -> None:
    t = whipped(table, 1, 6, 6, LOW, LOW, LOW, LOW, LOW, skill=0, others=(BEHIND_RED,))
    assert t.one(Collided).initiator == 0
    assert (t.question, t.asked) == ("drive", 1)


def test_z7_in_the_own_turn_a_collision_so_caused_ends_the_turn(table: type[Table]) -> None:
    """A stumble while braking: the brake is not rolled any more."""
    dice = (5, 6, LOW, LOW, LOW, LOW, LOW)
    t = table({"stamina": 0}, {**BEHIND_RED, "drawn": False}, BYSTANDER, dice=dice).play("brake")
    assert t.one(Collided).target == 1
    assert t.told(TurnEnds, 0) and not t.told(Changed, 0)


def test_z7_a_stumble_into_the_open_does_not_end_the_turn_nor_count_as_distance(table: type[Table]) -> None:
    t = pays(table, 5, 2, 1)
    assert (t.question, t.asked, t.driving["moved"]) == ("drive", 0, 0)
    assert t.piece(0)["x"] == 2000 - 100


# --- Z10: on the haft -----------------------------------------------------------------------------------------------

HAFT = {"driver": "on the haft for the reins", "reins": False}


def test_z10_on_the_haft_the_table_for_drivers_aboard_is_used_and_lost_reins_still_add_1(table: type[Table]) -> None:
    t = rammed(table, 6, 6, health=0, worn={"structure": 2}, **HAFT)
    assert read(t)[:2] == [("structure", 8), ("health aboard", 6)]
    assert t.told(OutOf)[1].modifier == 1
    assert not t.told(LostReins)


def test_z10_skill_on_the_haft_is_rolled_as_aboard(table: type[Table]) -> None:
    t = rammed(table, 6, 5, 1, health=0, skill=0, worn={"structure": 2}, **HAFT)
    assert read(t)[:3] == [("structure", 8), ("health aboard", 5), ("skill aboard", 1)]


# --- Z14: structure -------------------------------------------------------------------------------------------------


def test_z14_after_a_crash_no_more_structure_is_lost(table: type[Table]) -> None:
    t = rammed(table, 6, 1, hits=3, worn={"structure": 2})
    assert read(t) == [("structure", 8)]
    assert t.one(Crashed)


def test_z14_row_5_loses_its_stamina_in_the_usual_way(table: type[Table]) -> None:
    t = wheel_breaks(table, 5, 6, stamina=0, worn={"stamina": 1})
    assert read(t) == [("structure", 5), ("stamina", 7)]
    assert t[0]["tokens"] == ["0", "5"]


def test_z14_a_dead_driver_loses_no_more_health(table: type[Table]) -> None:
    state = {"driver": "dragged", "progress": 100, "offset": 0, "wreck": {"progress": 0, "offset": 50}}
    t = next_turn(table, 6, 6, health=0, worn={"health aboard": 1}, **state)
    assert read(t) == [("health dragged", 7)] and t.one(DriverDied)


# --- T3 to T6: lost tokens ------------------------------------------------------------------------------------------


def loses_token(table: type[Table], *dice: Any, **driving: Any) -> Table:
    """With the 10 token and 110 mm driven, a second attack costs the stamina that is not there: result 7."""
    red = {"stamina": 0, "token": "10", "structure": 3, "worn": {"stamina": 1}, "progress": 100, "offset": 0}
    rival = {"progress": 100, "offset": 21.5, "stamina": 0}
    state = {**STRIKES, "moved": 110, "submoves": 2, "attacks": 1, **driving}
    rammed_dice = (LOW,) * 7
    t = table(red, rival, BYSTANDER, dice=(6, *rammed_dice, *dice), driving=state)
    return t.play(*t.legal("ram"), "bear it")


def test_t4_11_cm_with_a_lost_10_token_leave_nothing_but_spur_whip_and_stop(table: type[Table]) -> None:
    t = loses_token(table)
    assert t.one(LostToken).highest == "5"
    assert (t.driving["moved"], t.driving["minimum"], t.driving["maximum"]) == (110, 50, 100)
    assert sorted(t.legal()) == ["brake", "spur", "stop", "whip"]
    assert "less than 1 cm" in t.why_not("announce")


def test_t4_without_spur_and_whip_the_turn_is_over(table: type[Table]) -> None:
    t = loses_token(table, spurred=True, whipped=True)
    assert t.one(TurnEnds, 0).mm == 110


def test_t4_a_spur_goes_on_from_the_new_maximum(table: type[Table]) -> None:
    """The spur rolls on the table once more (1: nothing), then adds 6 cm to the 5 token."""
    t = loses_token(table).dice(1, 6).play("spur")
    assert (t.driving["minimum"], t.driving["maximum"]) == (110, 160)
    assert t.why_not("announce") == ""


def test_t4_a_spur_that_is_too_small_ends_the_turn(table: type[Table]) -> None:
    t = loses_token(table, whipped=True).dice(1, 1).play("spur")
    assert t.one(TurnEnds, 0).mm == 110


def test_t4_brakes_and_spurs_stay_added_to_the_new_token(table: type[Table]) -> None:
    t = loses_token(table, change=30)
    assert (t.driving["minimum"], t.driving["maximum"]) == (80, 130)


def test_t4_pivot_and_test_modifier_change_at_once(table: type[Table]) -> None:
    """Two sub-moves add 2 to the test; the 5 token adds nothing more."""
    t = loses_token(table, moved=20)
    assert t.driving["pivot"] == 30
    t.dice(1).play("announce")
    assert t.one(events.Tested).modifier == 2
    assert t.why_not("ahead 40, pivot 30 right") == ""


def test_t3_a_lost_token_in_the_mug_is_replaced_by_the_fastest_left(table: type[Table]) -> None:
    t = rammed(table, 6, token="10", worn={"structure": 1})
    assert t.one(LostToken).highest == "5"
    t.play("stop")
    assert t.one(Drawn, 0) == Drawn(0, "5", True, False)
    assert (t.driving["minimum"], t.driving["maximum"]) == (50, 100)


def test_t3_a_slower_token_in_the_mug_stays(table: type[Table]) -> None:
    t = rammed(table, 6, token="0", worn={"structure": 1}).play("stop")
    assert t.one(Drawn, 0) == Drawn(0, "0", False, False)


def test_t5_a_dead_horse_leaves_the_0_token_at_once(table: type[Table]) -> None:
    """Spurring: then the spur is added to the 0 token."""
    t = table({"stamina": 0, "token": "10", "worn": {"stamina": 2}}, BYSTANDER, dice=(6, 2)).play("spur")
    assert t.one(HorseDied).left == 1
    assert (t.driving["minimum"], t.driving["maximum"], t.driving["pivot"]) == (20, 70, 45)


@pytest.mark.parametrize(("worn", "mm"), [(0, 150), (1, 100), (2, 50)], ids=["exhausted", "token lost", "dead horse"])
def test_t4_t5_a_runaway_that_loses_its_token_runs_no_farther_than_the_new_one(
    table: type[Table], worn: int, mm: int
) -> None:
    """Its first sweep to the middle costs the stamina that it does not have."""
    red = {"progress": 100, "offset": 30, "reins": False, "token": "10", "stamina": 0, "worn": {"stamina": worn}}
    t = next_turn(table, 6, **red)
    assert [(event.how, event.mm) for event in t.told(Moved, 0)] == [("centring", 30), ("run away", mm)]


def test_t5_a_dead_horse_replaces_the_token_in_the_mug(table: type[Table]) -> None:
    t = rammed(table, 5, 6, stamina=0, token="10", worn={"stamina": 2}).play("stop")
    assert t.one(Drawn, 0) == Drawn(0, "0", True, False)


def test_t5_a_chariot_with_a_dead_horse_has_no_choice_of_tokens(table: type[Table]) -> None:
    t = table({"horses": 1, "dead_horses": 1}, {}, active=None)
    assert t.race.to_act == (1,)
    assert t[0]["tokens"] == ["0"] and t[0]["token"] == "0"


def test_t5_cut_free_it_has_the_0_and_the_5_token(table: type[Table]) -> None:
    t = table({"horses": 1}, {}, active=None)
    assert t.legal() == ["token 0", "token 5"]


def test_t6_the_highest_token_is_the_highest_still_owned(table: type[Table]) -> None:
    t = rammed(table, 6, tokens="5", worn={"structure": 1})
    assert t.one(LostToken).highest == "0" and t[0]["tokens"] == ["0"]


def test_t6_stamina_and_structure_take_one_each(table: type[Table]) -> None:
    """Structure 7, then 5 with its modifier up by one, then stamina 7."""
    t = rammed(table, 6, 3, 6, hits=2, stamina=0, worn={"structure": 1, "stamina": 1})
    assert read(t) == [("structure", 7), ("structure", 5), ("stamina", 7)]
    assert [event.highest for event in t.told(LostToken)] == ["5", "0"]


def test_t6_the_0_token_is_never_lost(table: type[Table]) -> None:
    t = rammed(table, 6, tokens="0", worn={"structure": 1})
    assert t.one(OutOf).result == 7 and not t.told(LostToken)
    assert t[0]["tokens"] == ["0"]


def test_t6_dead_horses_are_not_considered(table: type[Table]) -> None:
    """With one horse it could use the 5 at most, but still owns the 10, and that is the one it gives up."""
    t = rammed(table, 6, horses=1, worn={"structure": 1})
    assert t.one(LostToken).highest == "5" and t[0]["tokens"] == ["0", "5"]


# --- M10: percentages -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("design", "stamina"),
    [
        ({}, 19),
        ({"chassis": "heavy"}, 17),
        ({"chassis": "super heavy"}, 14),
        ({"horses": "untrained"}, 14),
        ({"horses": "fast"}, 17),
        ({"horses": "staying"}, 23),
        ({"chassis": "heavy", "horses": "staying"}, 21),
        ({"chassis": "heavy", "horses": "untrained"}, 12),
    ],
    ids=lambda value: ", ".join(value.values()) or "standard" if isinstance(value, dict) else str(value),
)
def test_m10_percentages_are_added_and_round_against_the_chariot(
    table: type[Table], design: dict[str, str], stamina: int
) -> None:
    """19 points on the Circus: a tenth less is 17.1, so 17; a quarter more is 23.75, so 23."""
    t = table({}, {}, options={"points": 4, "designs": [design, {}]})
    assert t[0]["stamina"] == stamina and t[1]["stamina"] == 19
