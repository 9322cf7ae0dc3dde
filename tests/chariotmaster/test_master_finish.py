"""Rulings E1 to E11, M11, M12 and M14: starting lanes, finishing, ranking, the end of the race."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

import spina
from spina.games.chariotmaster.play.events import (
    Crossed,
    Drawn,
    Eliminated,
    Finished,
    GameTurn,
    Moved,
    Removed,
    StruckOut,
    TurnEnds,
)

if TYPE_CHECKING:
    from conftest import Table

ONLY_ONE = (1, 0)
"""The lot among the tokens when there is one left in the mug."""
GOAL = 3759.2
"""Two laps of the Circus, in millimetres."""
NEAR = {"progress": 3690, "offset": 0}
"""With the 5 token over the line: its front is at 371 cm."""
HALFWAY = {"progress": 500, "offset": 0, "drawn": True}


def back(progress: float = 0, offset: float = 60, **rest: Any) -> dict[str, Any]:
    """A chariot somewhere on the first lap that has had its turn."""
    return {"progress": progress, "offset": offset, "drawn": True, **rest}


def home(place: int, **rest: Any) -> dict[str, Any]:
    """A chariot that has crossed the line in this game turn; each stands on a different spot."""
    return {"progress": 100, "offset": 65 - 25 * place, "home": place, "drawn": True, **rest}


def gone(progress: float, offset: float = -60, **rest: Any) -> dict[str, Any]:
    """A chariot eliminated at this place: only a wreck is left."""
    spot = {"progress": progress, "offset": offset}
    return {**spot, "driver": "dead", "gone": True, "horses": 0, "wreck": spot, "drawn": True, **rest}


def places(t: Table) -> list[int]:
    """The places of the chariots, from the events at the end."""
    return [event.place for event in t.told(Finished)]


# --- E1: the turn limit ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "limit"),
    [({}, 104), ({"laps": 1}, 52), ({"laps": 3}, 152), ({"scenario": "maximus"}, 180), ({"scenario": "trial"}, 68)],
    ids=["circus", "one lap", "three laps", "maximus", "trial"],
)
def test_e1_four_game_turns_for_every_15_cm(options: dict[str, Any], limit: int) -> None:
    race = spina.new("chariotmaster", seats=2, seed=0, **options)
    assert race.view(None)["limit"] == limit


@pytest.mark.parametrize(("turn", "over"), [(103, False), (104, True)])
def test_e1_at_the_limit_the_race_is_over_and_ranked_by_progress(table: type[Table], turn: int, over: bool) -> None:
    t = table({"token": "0", "progress": 0}, back(200), turn=turn).play("stop")
    assert t.race.over is over
    assert places(t) == ([2, 1] if over else [])


# --- E2, E8, M11: when the race is over -----------------------------------------------------------------------------


def test_m11_when_the_third_has_crossed_the_line(table: type[Table]) -> None:
    t = table(NEAR, home(1), home(2), back(300), back(400)).play("ahead 70")
    assert (t.one(Crossed).place, t.race.over) == (3, True)
    assert places(t) == [3, 1, 2, 5, 4]
    assert t.race.to_act == ()


def test_m11_not_when_two_have(table: type[Table]) -> None:
    t = table(NEAR, home(1), back(200), back(300), back(400)).play("ahead 70")
    assert (t.one(Crossed).place, t.race.over) == (2, False)
    assert (t.one(GameTurn).number, t.race.to_act) == (3, (2, 3, 4))


def test_m11_or_the_last_that_is_still_able_to(table: type[Table]) -> None:
    t = table(NEAR, home(1), gone(300)).play("ahead 70")
    assert (t.race.over, places(t)) == (True, [2, 1, 3])


def test_m11_when_at_most_one_chariot_is_still_racing(table: type[Table]) -> None:
    t = table({"token": "0", "progress": 0, "offset": 0}, gone(400), gone(300)).play("stop")
    assert (t.race.over, places(t)) == (True, [1, 2, 3])


def test_m11_while_two_are_racing_it_goes_on(table: type[Table]) -> None:
    t = table({"token": "0", "progress": 0, "offset": 0}, back(100), gone(300)).play("stop")
    assert t.race.over is False


def test_m11_when_nobody_has_a_driver(table: type[Table]) -> None:
    dead = {"progress": 0, "offset": 0, "driver": "dead", "token": "5", "last": "5"}
    t = table(dead, {**dead, "progress": 200, "drawn": True}, {**dead, "progress": 350, "drawn": True})
    assert t.race.over


@pytest.mark.parametrize(
    "driver",
    [{"reins": False}, {"driver": "on the haft for the reins", "reins": False},
     {"driver": "dragged", "wreck": {"progress": 0, "offset": -60}}],
    ids=["loose reins", "haft", "dragged"],
)  # fmt: skip
def test_e2_a_driver_with_his_horses_is_still_racing(table: type[Table], driver: dict[str, Any]) -> None:
    t = table({"token": "0", "progress": 0, "offset": 0}, back(100, **driver)).play("stop")
    assert t.race.over is False


def test_e2_a_driver_on_foot_is_not(table: type[Table]) -> None:
    walker = gone(200, driver="on foot", on_foot={"progress": 300, "offset": 0})
    t = table({"token": "0", "progress": 0, "offset": 0}, walker).play("stop")
    assert (t.race.over, places(t)) == (True, [1, 2])


def test_e2_one_alone_goes_on_to_its_finish(table: type[Table]) -> None:
    t = table({"token": "0", "progress": 0, "offset": 0}).play("stop")
    assert (t.race.over, t.race.to_act) == (False, (0,))
    t = table(NEAR).play("ahead 70")
    assert (t.race.over, places(t), t.race.places) == (True, [1], (1,))


def test_e2_or_until_it_stops_racing(table: type[Table]) -> None:
    """The spur kills the last horse."""
    last = {"progress": 0, "offset": 0, "stamina": 0, "horses": 1, "worn": {"stamina": 2}}
    t = table(last, dice=(6,)).play("spur")
    assert t.one(Eliminated).chariot == 0
    assert t.race.over


def test_e8_the_game_turn_is_played_to_its_end(table: type[Table]) -> None:
    t = table(NEAR, home(1), home(2), {"progress": 300, "offset": 0, "token": "0"}, dice=(ONLY_ONE,)).play("ahead 70")
    assert (t.race.over, t.asked, t.question) == (False, 3, "drive")
    t.play("stop")
    assert t.race.over


def test_e8_who_crosses_in_that_game_turn_still_counts(table: type[Table]) -> None:
    fourth = {"progress": 3690, "offset": 50, "token": "5"}
    t = table(NEAR, home(1), home(2), fourth, dice=(ONLY_ONE,)).play("ahead 70", "ahead 70")
    assert places(t) == [3, 1, 2, 4]
    assert t[3]["finished"]


# --- E3 to E6: crossing ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("start", "crosses"), [(3689.1, False), (3689.2, True)], ids=["0.1 mm short", "on the line"])
def test_e3_when_any_part_of_the_base_has_reached_the_line(table: type[Table], start: float, crosses: bool) -> None:
    t = table({"progress": start, "offset": 0}, HALFWAY, back(0)).play("ahead 50")
    assert bool(t.told(Crossed)) is crosses


def test_e3_a_corner_that_a_pivot_turns_over_the_line_is_enough(table: type[Table]) -> None:
    """Its front is 1 mm short of the line; turned about its rear right corner it reaches 4 mm further."""
    short = {"progress": GOAL - 21 - 50, "offset": 0}
    t = table(short, HALFWAY, back(0)).play("ahead 50")
    assert t.told(Crossed) == []
    t = table(short, HALFWAY, back(0)).play("ahead 50, pivot 20 right about rear right")
    assert t.one(Crossed).place == 1
    assert t.told(TurnEnds) == [TurnEnds(0, 50)]


def test_e3_the_order_of_time_not_of_distance(table: type[Table]) -> None:
    second = {"progress": 3690, "offset": 50, "token": "10"}
    t = table(NEAR, second, back(0, -60), back(200, -60), dice=(ONLY_ONE,)).play("ahead 50", "ahead 150")
    assert [(event.chariot, event.place) for event in t.told(Crossed)] == [(0, 1), (1, 2)]
    assert (t[0]["place"], t[1]["place"]) == (1, 2)


def test_e3_whoever_moved_it_over_the_line(table: type[Table]) -> None:
    """A10: the other chariot's whipped horses carry it over the line; it has no further turn."""
    target = {"progress": 3710, "offset": 21, "token": "5"}
    t = table({"progress": 3680, "offset": 0}, target, HALFWAY, dice=(3,)).play("ahead 50")
    assert t.question == "attack"
    t.play("whip horses of white", "bear it")
    assert t.told(Moved, 1)[0].how == "whipped on"
    assert t.one(Crossed) == Crossed(1, 1)
    assert t[1]["home"] == 1


def test_e4_its_turn_ends_with_that_sub_move_and_without_an_attack(table: type[Table]) -> None:
    beside = {"progress": 0, "offset": 21, "drawn": True}
    t = table({**NEAR, "progress": 50 - 70}, beside, back(0), back(200)).play("ahead 20")
    assert t.question == "attack"
    t = table(NEAR, beside, back(0), back(200)).play("ahead 70")
    assert t.told(TurnEnds) == [TurnEnds(0, 70)]
    assert t.question == "speed tokens"


def test_e4_it_stays_in_the_way_until_the_game_turn_ends(table: type[Table]) -> None:
    behind = {"progress": 3700, "offset": 0, "token": "5"}
    t = table({**NEAR, "progress": 3745 - 50}, {**behind, "progress": 3650}, back(0), back(200), dice=(ONLY_ONE,))
    t.play("ahead 50")
    assert (t.told(Removed), t.asked) == ([], 1)
    assert t.piece(0) is not None
    assert "way" in t.why_not("ahead 80")


def test_e4_then_it_is_removed(table: type[Table]) -> None:
    t = table(NEAR, back(0), back(200)).play("ahead 70")
    assert t.one(Removed).chariot == 0
    assert t.piece(0) is None
    assert (t.race.to_act, t[0]["finished"], t[0]["token"]) == ((1, 2), True, None)


def test_e4_it_takes_no_further_turn(table: type[Table]) -> None:
    """Whipped over the line before its token was drawn."""
    target = {"progress": 3710, "offset": 21, "token": "5"}
    t = table({"progress": 3680, "offset": 0}, target, HALFWAY, back(0), dice=(3,))
    t.play("ahead 50", "whip horses of white", "bear it", "stop")
    assert t.told(Drawn) == []
    assert t.race.to_act == (0, 2, 3)


def test_e5_a_crash_after_crossing_keeps_the_place(table: type[Table]) -> None:
    crashed = home(1, driver="on foot", wreck={"progress": 200, "offset": 60}, on_foot={"progress": 200, "offset": 0})
    t = table({"token": "0", "progress": 0, "offset": 0}, crashed, back(300)).play("stop")
    assert (t.told(StruckOut), t[1]["home"]) == ([], 1)
    assert t.piece(1) is None and t.piece(24 + 1) is None
    assert t.piece(12 + 1)["kind"] == "wreck"


def test_e5_unless_the_driver_is_dead_when_the_game_turn_ends(table: type[Table]) -> None:
    dead = home(1, driver="dead", gone=True, horses=0, wreck={"progress": 200, "offset": 60})
    t = table({"token": "0", "progress": 0, "offset": 0}, dead, home(2), back(300)).play("stop")
    assert t.one(StruckOut).chariot == 1
    assert (t[1]["home"], t[1]["out"], t[2]["home"]) == (None, True, 1)


def test_e5_the_place_of_one_struck_out_goes_to_those_behind(table: type[Table]) -> None:
    """Of three that had crossed only two are left: the race goes on."""
    dead = home(1, driver="dead", gone=True, horses=0, wreck={"progress": 200, "offset": 60})
    t = table({"token": "0", "progress": 0, "offset": 0}, dead, home(2), home(3), back(300)).play("stop")
    assert t.race.over is False
    assert [t[chariot]["home"] for chariot in (2, 3)] == [1, 2]


def test_e5_g5_a_dragged_driver_counts_if_he_is_alive_at_the_end(table: type[Table]) -> None:
    dragged = {
        "progress": 3690, "offset": 0, "driver": "dragged", "token": "10",
        "wreck": {"progress": 300, "offset": 60},
    }  # fmt: skip
    t = table({"token": "0", "progress": 0, "offset": 60}, dragged, back(200), back(300, 0), dice=(ONLY_ONE, 1))
    t.play("stop")
    assert t.one(Crossed).chariot == 1
    assert (t.told(StruckOut), t[1]["finished"], t.piece(1)) == ([], True, None)


def test_e5_one_struck_out_may_leave_horses_that_run_on(table: type[Table]) -> None:
    """O10: a team whose driver is dead stays on the track."""
    dead = home(1, driver="dead", wreck={"progress": 200, "offset": 60}, last="5")
    t = table({"token": "0", "progress": 0, "offset": 0}, dead, back(300), back(350, 0)).play("stop")
    assert t.one(StruckOut).chariot == 1
    assert (t.piece(1)["kind"], t[1]["token"], t.race.to_act) == ("team", "5", (0, 2, 3))


def test_e6_backwards_over_the_line_and_forth_again_is_no_lap(table: type[Table]) -> None:
    t = table({"progress": 30, "offset": 0, "heading": 180}, back(300), back(500)).play("ahead 60")
    assert t[0]["progress"] == -30
    t = table({"progress": -30, "offset": 0}, back(300), back(500), options={"laps": 1}).play("ahead 60")
    assert (t[0]["progress"], t[0]["lap"], t.told(Crossed)) == (30, 1, [])


def test_e6_the_first_time_over_the_line_does_not_count(table: type[Table]) -> None:
    race = spina.new("chariotmaster", seats=2, seed=1)
    assert [chariot["progress"] for chariot in race.view(None)["chariots"]] == [-20, -20]
    assert [chariot["finished"] for chariot in race.view(None)["chariots"]] == [False, False]


@pytest.mark.parametrize(("laps", "finishes"), [(1, True), (2, False)])
def test_e6_laps_are_counted(table: type[Table], laps: int, finishes: bool) -> None:
    t = table({"progress": 1800, "offset": 0}, back(300), back(500), options={"laps": laps}).play("ahead 80")
    assert bool(t.told(Crossed)) is finishes
    assert t[0]["progress"] == 1880


# --- E7, M12: ranking -----------------------------------------------------------------------------------------------


def test_e7_finished_then_racing_by_progress_then_eliminated_by_theirs(table: type[Table]) -> None:
    t = table({"progress": 0, "offset": 0}, gone(900), home(2), gone(1200), back(300), home(1))
    assert [t[chariot]["place"] for chariot in range(6)] == [4, 6, 2, 5, 3, 1]


def test_e7_equal_progress_shares_a_place(table: type[Table]) -> None:
    t = table({"progress": 100, "offset": 0}, back(100, 40), back(100, -40), back(50, 0))
    assert [t[chariot]["place"] for chariot in range(4)] == [1, 1, 1, 4]
    assert t.race.places == (1, 1, 1, 4)
    t = table({"progress": 100, "offset": 0}, back(100.1, 40))
    assert t.race.places == (2, 1)


def test_e7_an_eliminated_chariot_keeps_the_progress_it_had(table: type[Table]) -> None:
    dead = {"progress": 200, "offset": 0, "driver": "dead", "token": "10"}
    t = table({"token": "0", "progress": 0, "offset": 0}, dead, back(100), dice=(ONLY_ONE,)).play("stop")
    assert t.told(Moved, 1)[0].mm == 150
    assert t[1]["progress"] == 200


@pytest.mark.parametrize(
    ("progress", "ranks"),
    [
        ((400, 300, 100, 200), (1, 2)),
        ((400, 400, 100, 200), (2, 1)),
        ((300, 400, 290, 0), (2, 1)),
        ((400, 400, 100, 100), (1, 1)),
    ],
    ids=["the best chariot decides", "then the next best", "not the sum", "equal in all"],
)
def test_e7_a_seat_ranks_by_its_best_chariot_then_the_next(
    table: type[Table], progress: tuple[float, ...], ranks: tuple[int, ...]
) -> None:
    """Seat 0 drives the first and the third, seat 1 the others."""
    offsets = (0, 40, -40, 65)
    chariots = [{"progress": way, "offset": off} for way, off in zip(progress, offsets, strict=True)]
    t = table(*chariots, seats=2)
    assert t.race.places == ranks


def test_m12_the_team_of_the_best_placed_chariot_wins(table: type[Table]) -> None:
    chariots = [{"progress": way, "offset": 0} for way in (100, 150, 350, 300)]
    t = table(*chariots, options={"teams": [1, 2, 1, 2]})
    assert t.race.places == (1, 3, 1, 3)
    t = table(*chariots)
    assert t.race.places == (4, 3, 1, 2)


def test_m12_ties_by_the_next_best(table: type[Table]) -> None:
    chariots = [{"progress": way, "offset": off} for way, off in ((100, 0), (150, 0), (350, 0), (350, 40))]
    t = table(*chariots, options={"teams": [1, 2, 1, 2]})
    assert t.race.places == (3, 1, 3, 1)


def test_m12_teams_of_several_chariots_a_seat(table: type[Table]) -> None:
    """Seats 0 to 2 with two chariots each; seats 0 and 2 are one team."""
    ways = (100, 350, 150, 50, 0, 200)
    t = table(*({"progress": way, "offset": 0} for way in ways), seats=3, options={"teams": [1, 2, 1]})
    assert t.race.places == (2, 1, 2)


# --- E9, M14: lanes -------------------------------------------------------------------------------------------------


def lanes(race: spina.Race) -> list[tuple[float, float, int]]:
    """Front edge and offset of each chariot as seen from the line, and its number, by rows from the inside."""
    found = [
        ((piece["x"] + 200 - 1000) / 10, piece["y"] / 10, piece["piece"])
        for piece in race.view(None)["pieces"]
        if piece["piece"] < 12
    ]
    return sorted(found, key=lambda lane: (-lane[0], -lane[1]))


def test_e9_fronts_on_the_line_half_a_centimetre_apart_from_the_inside() -> None:
    """The wall is at 80 mm on the left, the inner side."""
    race = spina.new("chariotmaster", seats=6, seed=3)
    assert [lane[:2] for lane in lanes(race)] == [(0, 65 - 25 * lane) for lane in range(6)]


def test_e9_six_abreast_on_the_circus_the_second_row_1_cm_behind() -> None:
    race = spina.new("chariotmaster", seats=12, seed=3)
    assert [lane[:2] for lane in lanes(race)] == [(front, 65 - 25 * lane) for front in (0, -50) for lane in range(6)]


@pytest.mark.parametrize(("scenario", "abreast"), [("circus", 6), ("maximus", 9), ("trial", 4)])
def test_e9_row_capacity(scenario: str, abreast: int) -> None:
    most = 12 if scenario != "trial" else 4
    race = spina.new("chariotmaster", seats=most, seed=0, scenario=scenario)
    fronts = Counter(chariot["progress"] for chariot in race.view(None)["chariots"])
    assert fronts[-20] == min(abreast, most)
    assert fronts[-70] == most - min(abreast, most)


def test_e9_lanes_are_drawn_by_lot() -> None:
    inner = Counter(lanes(spina.new("chariotmaster", seats=4, seed=seed))[0][2] for seed in range(240))
    assert sorted(inner) == [0, 1, 2, 3]
    assert min(inner.values()) > 35


@pytest.mark.parametrize(("seats", "each"), [(4, 3), (3, 3), (6, 2), (2, 6)])
def test_e9_every_seat_has_one_in_front_before_any_has_two_in_a_crowd(seats: int, each: int) -> None:
    for seed in range(40):
        race = spina.new("chariotmaster", seats=seats, seed=seed, chariots=each)
        front = Counter(number % seats for _, _, number in lanes(race)[:6])
        assert len(front) == seats
        assert [number % seats for _, _, number in lanes(race)[:seats]].count(0) == 1


def test_e9_who_fits_into_one_row_is_lined_up_as_drawn() -> None:
    """Two chariots of one seat can stand side by side on the innermost lanes."""
    firsts = {
        tuple(n % 2 for _, _, n in lanes(spina.new("chariotmaster", seats=2, seed=s, chariots=2))) for s in range(40)
    }
    assert (0, 0, 1, 1) in firsts and (1, 0, 0, 1) in firsts


def test_m14_the_second_row_has_an_extra_point_of_stamina() -> None:
    for option, extra in ((True, 1), (False, 0)):
        race = spina.new("chariotmaster", seats=8, seed=5, second_row=option)
        stamina = [race.view(None)["chariots"][number]["stamina"] for _, _, number in lanes(race)]
        assert stamina == [19] * 6 + [19 + extra] * 2


def test_m14_it_is_on_by_default() -> None:
    race = spina.new("chariotmaster", seats=8, seed=5)
    assert race.view(None)["chariots"][lanes(race)[-1][2]]["stamina"] == 20


# --- E10, E11 -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("turn", "question"), [(1, "drive"), (2, "attack")])
def test_e10_no_attacks_in_the_first_game_turn(table: type[Table], turn: int, question: str) -> None:
    t = table({"offset": 0}, {"progress": 150, "offset": 21}, turn=turn).play("ahead 50")
    assert t.question == question
    if turn == 1:
        assert t.why_not("ram white body")


def test_e10_the_first_game_turn_is_the_first() -> None:
    race = spina.new("chariotmaster", seats=2, seed=0)
    assert (race.turn, race.view(None)["turn"]) == (1, 1)


@pytest.mark.parametrize(
    ("options", "stamina"),
    [({}, 19), ({"laps": 1}, 10), ({"laps": 3}, 29), ({"scenario": "maximus"}, 34), ({"scenario": "trial"}, 13)],
    ids=["circus", "one lap", "three laps", "maximus", "trial"],
)
def test_e11_a_point_of_stamina_for_every_20_cm_begun(options: dict[str, Any], stamina: int) -> None:
    race = spina.new("chariotmaster", seats=2, seed=0, **options)
    assert [chariot["stamina"] for chariot in race.view(None)["chariots"]] == [stamina] * 2


def test_e11_percentages_before_the_extra_point_of_the_second_row() -> None:
    """Untrained horses: 19 less a quarter, rounded against the chariot, are 14; then one more."""
    race = spina.new("chariotmaster", seats=7, seed=5, designs=[{"horses": "untrained"}] * 7)
    stamina = [race.view(None)["chariots"][number]["stamina"] for _, _, number in lanes(race)]
    assert stamina == [14] * 6 + [15]
