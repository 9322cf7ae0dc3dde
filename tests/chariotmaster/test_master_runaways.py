"""Rulings O1 to O10: chariots and teams out of control."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from spina.games.chariotmaster.components.edition import reference
from spina.games.chariotmaster.play.events import (
    Changed,
    Climbed,
    Collided,
    ControlBack,
    Crashed,
    Crossed,
    Drawn,
    DriverDied,
    Eliminated,
    LostControl,
    LostToken,
    Moved,
    OutOf,
    Paid,
    Pivoted,
    RanOff,
    RanThrough,
    Rolled,
    Stands,
    TurnEnds,
)
from spina.games.chariotmaster.rules.record import WRECK_OF

if TYPE_CHECKING:
    from conftest import Table

ONLY_ONE = (1, 0)
"""The lot among the tokens when there is one left in the mug."""
FIRST = {"progress": -60, "offset": -60, "token": "0"}
"""Chariot 0 stops at once, so that the events of chariot 1's turn are recorded."""


def run(table: type[Table], runaway: dict[str, Any], *others: dict[str, Any], dice: tuple = (), **rest: Any) -> Table:
    """The turn of chariot 1, which is out of control for this turn; all others have had theirs."""
    wild = {"confused": True, "progress": 0, "offset": 0, **runaway}
    drawn = [{"drawn": True, **other} for other in others]
    return table({**FIRST, **rest.pop("first", {})}, wild, *drawn, dice=(ONLY_ONE, *dice), **rest).play("stop")


def spot(t: Table, piece: int = 1) -> tuple[float, float, float]:
    """Where a piece stands, millimetres and degrees; on the straight x is progress + 100 and y the offset."""
    found = t.piece(piece)
    assert found is not None
    return (found["x"] - 1000) / 10, found["y"] / 10, found["heading"] / 10


def paid(t: Table) -> list[str]:
    return [event.what for event in t.told(Paid, 1)]


def wreck(progress: float, offset: float = 0) -> dict[str, Any]:
    """Nothing of a chariot is left but its wreck."""
    return {"driver": "dead", "gone": True, "horses": 0, "wreck": {"progress": progress, "offset": offset}}


def row(progress: float, *offsets: float) -> list[dict[str, Any]]:
    return [{"progress": progress, "offset": offset} for offset in offsets]


ACROSS = (-54, -18, 18, 54)
"""Four chariots side by side leave no gap of 2 cm on the Circus."""
BESIDE_A_WRECK = (-50, -25, 25, 50)
"""These with a wreck in the middle leave no gap of 2 cm either."""


# --- O1, O2: losing control -----------------------------------------------------------------------------------------


def test_o1_control_lost_in_the_own_turn_ends_it_and_it_runs_from_the_next_on(table: type[Table]) -> None:
    """The wheel comes off at the start of the turn; the driver dies of it, and the team has not run yet."""
    broken = {
        "token": "10", "wheel": True, "structure": 0, "health": 0, "worn": {"structure": 2, "health aboard": 2},
        "progress": 0, "offset": 0,
    }  # fmt: skip
    others = ({"progress": -60, "offset": 20}, {"progress": -60, "offset": 60})
    t = table(FIRST, broken, *({**other, "drawn": True} for other in others), dice=(ONLY_ONE, 4, 6, 6)).play("stop")
    assert (t.one(Crashed).chariot, t.one(DriverDied).chariot) == (1, 1)
    assert t.told(Moved, 1) == []
    t.dice((4, 1)).tokens("0", "0", "0")
    assert t.told(Moved, 1)[0].how == "run away"


def whipped(table: type[Table], **rest: Any) -> Table:
    """Chariot 0 whips the horses of chariot 1 with a six."""
    target = {"progress": 130, "offset": 21, "token": "5", **rest}
    t = table({"progress": 100, "offset": 0}, target, {"progress": -60, "offset": 60, "drawn": True}, dice=(6,))
    return t.play("ahead 50", "whip horses of white", "bear it")


def test_o2_lost_in_anothers_turn_until_the_end_of_its_next_maybe_in_this_game_turn(table: type[Table]) -> None:
    t = whipped(table)
    assert t.one(LostControl).chariot == 1
    assert t[1]["out_of_control"] is True
    t.play("stop")
    assert t.one(Drawn) == Drawn(1, "5", replaced=False, out_of_control=True)
    assert t.one(ControlBack).chariot == 1
    assert (t.race.to_act, t[1]["out_of_control"]) == ((0, 1, 2), False)


def test_o2_or_in_the_next_game_turn_with_the_token_it_had(table: type[Table]) -> None:
    t = whipped(table, drawn=True, last="10").play("stop")
    assert t.told(ControlBack) == []
    assert (t.race.to_act, t[1]["out_of_control"], t[1]["token"]) == ((0, 2), True, "10")


def test_o2_other_causes_last_on_when_a_passing_one_is_over(table: type[Table]) -> None:
    t = run(table, {"reins": False}).play("stay")
    assert t.told(ControlBack) == []
    assert t[1]["out_of_control"] is True


@pytest.mark.parametrize(
    ("cause", "wild"),
    [
        ({}, False),
        ({"confused": True}, True),
        ({"reins": False}, True),
        ({"driver": "dead"}, True),
        ({"driver": "on the haft for the reins", "reins": False}, True),
        ({"driver": "on the haft to cut", "horses": 1, "dead_horses": 1}, True),
        ({"driver": "dragged", "wreck": {"progress": 0, "offset": 0}}, True),
    ],
    ids=["under control", "confused", "loose reins", "no driver", "haft", "haft, reins held", "dragged"],
)
def test_o2_out_of_control_is_any_cause(table: type[Table], cause: dict[str, Any], wild: bool) -> None:
    t = table({}, cause, active=None)
    assert t[1]["out_of_control"] is wild
    assert (1 in t.race.to_act) is not wild


# --- O3: distance ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("token", "mm"), [("0", 50), ("5", 100), ("10", 150)])
def test_o3_exactly_the_maximum_of_its_token(table: type[Table], token: str, mm: int) -> None:
    t = run(table, {"token": token})
    assert t.told(Moved, 1) == [Moved(1, 1, "run away", mm, 100 + mm, 0, 0)]
    assert t.told(TurnEnds)[-1] == TurnEnds(1, mm)


def test_o3_fast_horses_run_18_cm(table: type[Table]) -> None:
    fast = {"horses": "fast", "chassis": "light"}
    t = run(table, {"token": "10"}, options={"designs": [{}, fast]})
    assert t.one(Moved, 1).mm == 180


def test_o3_side_sweeps_do_not_count(table: type[Table]) -> None:
    t = run(table, {"offset": 45})
    assert [(event.how, event.mm) for event in t.told(Moved, 1)] == [("centring", 45), ("run away", 100)]
    assert spot(t) == (100, 0, 0)


def test_o3_along_the_centre_line_round_a_bend_and_nothing_to_pay(table: type[Table]) -> None:
    """The bend begins 400 mm behind the line and is 440 mm long; it runs round it in turns of 15 cm."""
    t = run(table, {"progress": 380, "token": "10", "driver": "dead"}, {"progress": -60, "offset": 0})
    for _ in range(3):
        t.tokens("0", "0").play("stop", "stop")
    legs = t.told(Moved, 1)
    assert {event.mm for event in legs} == {150}
    assert paid(t) == []
    assert legs[2].heading == pytest.approx(360 * (380 + 450 - 400) / (2 * 3.14159265 * 140), abs=0.2)


def test_o3_o5_a_place_in_the_bend_is_on_the_middle_within_rounding(table: type[Table]) -> None:
    for start in range(400, 900, 23):
        t = run(table, {"progress": start, "offset": 0})
        assert (paid(t), [event.mm for event in t.told(Moved, 1)]) == ([], [100]), start


def test_t4_a_token_lost_on_the_way_shortens_the_run_at_once(table: type[Table]) -> None:
    t = run(table, {"offset": 30, "token": "10", "stamina": 0, "worn": {"stamina": 1}}, dice=(6,))
    assert t.one(LostToken).highest == "5"
    assert t.told(TurnEnds)[-1] == TurnEnds(1, 100)


def test_t5_a_dead_horse_shortens_the_run_at_once(table: type[Table]) -> None:
    t = run(table, {"offset": 30, "token": "10", "stamina": 0, "worn": {"stamina": 2}}, dice=(6,))
    assert (t[1]["dead_horses"], t.question) == (1, "climb")
    assert spot(t) == (50, 0, 0)


# --- O4: facing -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("heading", "turned"), [(30, -30), (-30, 30), (170, -170), (190, 170), (0, None)])
def test_o4_first_it_turns_the_shorter_way_to_the_direction_of_the_race(
    table: type[Table], heading: int, turned: int | None
) -> None:
    t = run(table, {"heading": heading})
    assert [event.degrees for event in t.told(Pivoted)] == ([turned] if turned else [])
    assert spot(t) == (100, 0, 0)
    assert paid(t) == []


def test_o4_blocked_it_stands_free_of_charge(table: type[Table]) -> None:
    beside = {"progress": 0, "offset": 26, "heading": 90}
    t = run(table, {"heading": 90, "offset": 0, "progress": 25}, beside)
    assert t.one(Stands).chariot == 1
    assert (t.told(Moved, 1), paid(t), spot(t)) == ([], [], (25, 0, 90))
    assert t.told(TurnEnds)[-1] == TurnEnds(1, 0)


# --- O5: to the middle ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("offset", [-60, -1, 1, 37.5])
def test_o5_a_sweep_to_the_middle_costs_a_point(table: type[Table], offset: float) -> None:
    t = run(table, {"offset": offset}, first={"offset": 60, "progress": -60})
    assert paid(t) == ["centring"]
    assert t[1]["stamina"] == 18
    assert spot(t) == (100, 0, 0)


def test_o5_on_the_middle_nothing_is_paid(table: type[Table]) -> None:
    assert paid(run(table, {})) == []


def test_o5_ahead_until_a_sweep_is_free_tested_at_every_millimetre(table: type[Table]) -> None:
    """Clear of the other's front at 40 mm it must be at 60.1: 61 mm."""
    t = run(table, {"offset": 40}, {"progress": 20, "offset": 0})
    assert [(event.how, event.mm) for event in t.told(Moved, 1)] == [
        ("run away", 61),
        ("centring", 40),
        ("run away", 39),
    ]
    assert (paid(t), spot(t)) == (["centring"], (100, 0, 0))


@pytest.mark.parametrize(("gap", "sweeps"), [(9, False), (11, True)], ids=["9 mm", "11 mm"])
def test_o5_only_where_a_centimetre_of_way_is_free(table: type[Table], gap: int, sweeps: bool) -> None:
    t = run(table, {"offset": 40}, {"progress": 40 + gap, "offset": 0})
    assert (t.told(Moved, 1)[0].how == "centring") is sweeps


@pytest.mark.parametrize(("way", "sweeps"), [(6, True), (4, False)], ids=["6 mm", "4 mm"])
def test_o5_or_as_much_as_is_left(table: type[Table], way: int, sweeps: bool) -> None:
    """The middle is taken until 95 mm; then 5 mm are left, and the next chariot is about as far ahead."""
    t = run(table, {"offset": 40}, *row(10, 0), *row(54, 0), *row(135.2 + way, 0))
    legs = [(event.how, event.mm) for event in t.told(Moved, 1)]
    assert legs == ([("run away", 95), ("centring", 40), ("run away", 5)] if sweeps else [("run away", 100)])


def test_o5_never_free_it_runs_on_where_it_is(table: type[Table]) -> None:
    t = run(table, {"offset": 40}, *row(-10, 0), *row(35, 0), *row(80, 0), *row(125, 0))
    assert (paid(t), spot(t)) == ([], (100, 40, 0))


# --- O6: round what is in the way -----------------------------------------------------------------------------------


def test_o6_as_close_as_possible_and_back_as_soon_as_possible(table: type[Table]) -> None:
    """Contact at 20 mm; 21 mm to the inside; back when its rear has passed the other's front at 80 mm."""
    t = run(table, {"token": "10"}, *row(60, 0))
    legs = [(event.how, event.mm) for event in t.told(Moved, 1)]
    assert legs == [("run away", 19.9), ("centring", 21), ("run away", 81), ("centring", 21), ("run away", 49.1)]
    assert paid(t) == ["detour", "centring"]
    assert t[1]["stamina"] == 17
    assert spot(t) == (150, 0, 0)


@pytest.mark.parametrize(
    ("offset", "y"), [(0, 21), (-5, 16), (5, -16)], ids=["inside first", "left is nearer", "right is nearer"]
)
def test_o6_the_nearest_side_and_on_the_middle_the_inside_first(table: type[Table], offset: int, y: int) -> None:
    t = run(table, {"token": "5"}, *row(60, offset))
    sweep = t.told(Moved, 1)[1]
    assert (sweep.how, sweep.y) == ("centring", y)


@pytest.mark.parametrize("side", [1, -1], ids=["left of the middle", "right of it"])
def test_o6_beside_the_middle_the_side_towards_it_first(table: type[Table], side: int) -> None:
    """The middle is taken, and both ways round are 21 mm."""
    first = {"progress": -60, "offset": -60 * side}
    t = run(table, {"offset": 40 * side, "token": "5"}, *row(15, -10 * side), *row(70, 40 * side), first=first)
    sweep = t.told(Moved, 1)[1]
    assert (sweep.how, sweep.y) == ("centring", 19 * side)


def test_o6_the_way_round_must_lead_on_for_a_centimetre(table: type[Table]) -> None:
    """On the inside another stands 5 mm further on: so it goes round on the outside."""
    t = run(table, {"token": "5"}, *row(60, 0), *row(65, 25))
    sweep = t.told(Moved, 1)[1]
    assert (sweep.how, sweep.y) == ("centring", -21)


def test_o6_round_a_driver_on_foot_and_a_wreck_too(table: type[Table]) -> None:
    walker = {**wreck(-60, 40), "driver": "on foot", "on_foot": {"progress": 60, "offset": 0}}
    assert run(table, {}, walker).told(Moved, 1)[1].y == 16
    t = run(table, {}, wreck(60))
    assert t.told(Moved, 1)[1].y == 21
    assert t.told(Collided) == []


def test_o6_round_the_column_of_the_trial_course(table: type[Table]) -> None:
    options = {"scenario": "trial"}
    first = {"progress": 0, "offset": -30}
    t = run(table, {"progress": 430, "token": "10"}, first=first, options=options)
    assert paid(t)[0] == "detour"
    assert t.told(Collided) == []


# --- O7: no way round -----------------------------------------------------------------------------------------------


def test_o7_it_brakes_die_by_die_and_stops_in_front(table: type[Table]) -> None:
    """59.9 mm to the contact, 40.1 left: four centimetres are not enough, so a second die is paid for."""
    t = run(table, {"token": "5"}, *row(100, *ACROSS), dice=(4, 1))
    assert paid(t) == ["brake", "brake"]
    assert [(event.mm, event.most) for event in t.told(Changed, 1)] == [(-40, 0.1), (-10, 0)]
    assert (spot(t), t.told(Collided)) == ((59.9, 0, 0), [])
    assert t.told(TurnEnds)[-1] == TurnEnds(1, 59.9)


def test_o7_boxed_in_from_the_start_it_stands_without_paying(table: type[Table]) -> None:
    t = run(table, {"token": "5"}, *row(40.1, *ACROSS))
    assert t.one(Stands).chariot == 1
    assert (paid(t), t.told(Rolled), spot(t)) == ([], [], (0, 0, 0))


def test_o7_over_a_wreck_that_it_cannot_get_round(table: type[Table]) -> None:
    t = run(table, {"token": "10"}, *row(100, *BESIDE_A_WRECK), wreck(100), dice=(2, 2, 2, 2))
    assert t.one(Collided).kind == "run-through"
    assert t.one(RanThrough).target == WRECK_OF + 6
    assert (paid(t), spot(t)) == ([], (150, 0, 0))


def test_o7_but_not_if_it_cannot_clear_it(table: type[Table]) -> None:
    """Clear it would be at 130.1 mm: too far for the 5 token."""
    t = run(table, {"token": "5"}, *row(100, *BESIDE_A_WRECK), wreck(100), dice=(4,))
    assert (t.told(Collided), paid(t), spot(t)) == ([], ["brake"], (69.9, 0, 0))


def test_o7_round_it_rather_than_over_it(table: type[Table]) -> None:
    t = run(table, {"token": "10"}, wreck(100), dice=())
    assert (t.told(RanThrough), paid(t)) == ([], ["detour", "centring"])


@pytest.mark.parametrize(
    ("dice", "value", "end"),
    [((1, 1, 1, 1), 0, 150), ((1, 1, 6, 1), -1, 130.9), ((1, 1, 6, 6), -2, 130.9)],
    ids=["0: it runs on", "-1: clear of it, and no further", "-2: the same"],
)
def test_o7_a_bad_run_through_ends_the_turn_behind_the_wreck(
    table: type[Table], dice: tuple[int, ...], value: int, end: float
) -> None:
    t = run(table, {"token": "10"}, *row(100, *BESIDE_A_WRECK), wreck(100), dice=dice)
    assert t.one(RanThrough).value == value
    assert spot(t) == (end, 0, 0)


def test_o7_a_violent_stop_in_front_of_the_wreck(table: type[Table]) -> None:
    """One horse against two sixes: 1 - 4."""
    one_horse = {"token": "5", "horses": 1, "progress": 40}
    t = run(table, one_horse, *row(100, *BESIDE_A_WRECK), wreck(100), dice=(1, 6, 6))
    assert t.one(RanThrough).value == -3
    assert spot(t)[0] == pytest.approx(69.9, abs=0.3)


def test_o7_b11_over_two_wrecks_each_in_its_turn(table: type[Table]) -> None:
    """The wrecks are too close for it to rest between them."""
    others = [*row(80, *BESIDE_A_WRECK), *row(125, -50, 50), wreck(80), wreck(105)]
    t = run(table, {"token": "10"}, *others, dice=(1, 1, 1, 1, 1, 1, 1, 1))
    assert [event.target for event in t.told(RanThrough)] == [WRECK_OF + 8, WRECK_OF + 9]
    assert spot(t) == (150, 0, 0)


def test_o7_over_a_wreck_and_then_round_what_stands_behind_it(table: type[Table]) -> None:
    others = [*row(60, *BESIDE_A_WRECK), wreck(60), *row(150, 0)]
    t = run(table, {"token": "10"}, *others, dice=(1, 1, 1, 1))
    assert t.one(RanThrough).value == 0
    assert (paid(t), spot(t)) == (["detour"], (150, 21, 0))


# --- O8: without stamina --------------------------------------------------------------------------------------------


def test_o8_a_sweep_without_stamina_takes_a_table_roll(table: type[Table]) -> None:
    t = run(table, {"offset": 30, "stamina": 0}, dice=(3,))
    assert (t.one(OutOf).result, spot(t)) == (3, (100, 0, 0))


def test_o8_after_a_stumble_it_goes_on_from_there_with_the_rest_of_the_distance(table: type[Table]) -> None:
    t = run(table, {"offset": 30, "stamina": 0, "progress": 50}, dice=(5, 3))
    assert [event.how for event in t.told(Moved, 1)] == ["back", "centring", "run away"]
    assert spot(t) == (50 - 20 + 100, 0, 0)


def test_o8_a_brake_without_stamina_too(table: type[Table]) -> None:
    """The stumble takes it back by 1 cm, from where it comes to the contact again."""
    t = run(table, {"stamina": 0}, *row(100, *ACROSS), dice=(5, 1, 1, 1, 6))
    assert [event.what for event in t.told(Rolled, 1)][:3] == ["out of points", "backwards", "brake"]
    assert spot(t)[0] == 59.9


def test_o8_when_the_last_horse_dies_of_it_the_run_is_over(table: type[Table]) -> None:
    last = {"offset": 30, "stamina": 0, "horses": 1, "worn": {"stamina": 2}}
    t = run(table, last, dice=(6,))
    assert t.one(Crashed).chariot == 1
    assert [event for event in t.told(Moved) if event.how == "run away"] == []


# --- O9, O10: finishing, and no driver aboard -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("driver", "finishes"),
    [
        ({}, True),
        ({"driver": "dragged", "wreck": {"progress": 0, "offset": 0}, "health": 9}, True),
        ({"driver": "dead"}, False),
    ],
    ids=["aboard", "dragged", "nobody"],
)
def test_o9_a_runaway_finishes_with_its_driver_only(table: type[Table], driver: dict[str, Any], finishes: bool) -> None:
    t = run(table, {"progress": 3700, "token": "10", **driver}, *row(500, 0))
    assert [event.place for event in t.told(Crossed)] == ([1] if finishes else [])
    assert t[1]["finished"] is finishes


def test_o9_without_a_driver_it_laps_on(table: type[Table]) -> None:
    t = run(table, {"progress": 3700, "token": "10", "driver": "dead"}, *row(500, 0))
    assert t.told(Moved, 1)[0].mm == 150
    assert (t.race.to_act, t[1]["token"]) == ((0, 2), "10")


def test_o9_it_leaves_an_open_course_at_the_end_of_the_run_out(table: type[Table]) -> None:
    """The run-out is 20 cm long: a turn of 15 cm leads into it, the next out of it."""
    options = {"scenario": "trial"}
    finish = reference().scenario("trial").lap / 10
    beyond = {"progress": finish, "offset": 0, "driver": "dead", "token": "10"}
    t = run(table, beyond, {"progress": 0, "offset": 30}, first={"progress": 0, "offset": -30}, options=options)
    assert (t.told(Moved, 1)[0].mm, t.told(RanOff)) == (150, [])
    t.tokens("0", "0").play("stop", "stop")
    assert t.one(RanOff).chariot == 1
    assert (t.piece(1), t.told(Eliminated)) == (None, [])
    assert t.race.to_act == (0, 2)
    assert t[1]["token"] is None


def test_o10_teams_without_a_driver_go_on_running_and_nobody_is_asked(table: type[Table]) -> None:
    t = run(table, {"driver": "dead", "reins": False}, *row(-60, 0))
    assert t.told(Climbed) == []
    assert (t.question, t.race.to_act, t[1]["drawn"]) == ("speed tokens", (0, 2), False)


def test_o10_a_dragged_driver_who_dies_at_the_beginning_does_not_stop_the_horses(table: type[Table]) -> None:
    dying = {"driver": "dragged", "wreck": {"progress": -60, "offset": 40}, "health": 0, "worn": {"health aboard": 1}}
    t = run(table, dying, *row(-60, 0), dice=(1, 6))
    assert t.one(DriverDied).chariot == 1
    assert (t.piece(1)["kind"], spot(t)) == ("team", (100, 0, 0))
