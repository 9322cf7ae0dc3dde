"""The menu: never empty, only legal actions, always a way to avoid a collision and to go up to contact (N8)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from conftest import Table
from geometry_worlds import polygon
from master_fights import dragging, team, walker, wreck

import spina
from spina.games.chariotmaster.rules import entries

RED = {"progress": 100, "offset": 0}
ASIDE = {"progress": -60, "offset": 60, "drawn": True}
TOUCH = 20
"""Units."""
NEAR = 18
"""Units that are left at most after going up to contact in whole millimetres or degrees."""


def clutter(seed: int) -> spina.Race:
    """A race among wrecks, runaways and drivers on foot, some chariots without stamina."""
    chariots = [
        {"progress": 60, "offset": 40, "token": "5", "stamina": seed % 3},
        {"progress": 110, "offset": 0, "token": "10", "luck": 1},
        {"progress": 70, "offset": -30, "heading": 20, "stamina": 0, "worn": {"stamina": 3}},
        wreck(170, 25),
        walker(150, -40),
        {**dragging(200, -20), "wreck": {"progress": 1250, "offset": 50}, "drawn": False},
        {**team(240, 40), "wreck": {"progress": 1350, "offset": 50}, "drawn": False},
    ]
    return spina.position("chariotmaster", {"chariots": chariots, "seed": seed})


def must_move(race: spina.Race, seat: int) -> bool:
    """Whether the chariot that is asked has neither travelled its minimum nor a centimetre of room ahead."""
    view = race.view(seat)
    if view["question"] not in ("drive", "sub-move") or view["driving"]["moved"] >= view["driving"]["minimum"]:
        return False
    return bool(entries.room(race._bytes, race.edition.data, view["asked"], 0) < 100)


@pytest.mark.parametrize("seed", range(8))
def test_the_menu_is_never_empty_and_everything_in_it_can_be_done(seed: int) -> None:
    race, rng = clutter(seed), np.random.default_rng(seed)
    bot = spina.bots.make("random", game="chariotmaster", seed=seed)
    for step in range(18):
        if race.over:
            break
        seat = race.to_act[0]
        if step % 6 == seed % 6 or race.view(None)["question"] not in ("drive", "sub-move"):
            menu = race.legal(seat)
            assert menu
            assert len({*map(str, menu)}) == len(menu)
            for i in rng.permutation(len(menu))[:15]:
                assert race.check(seat, menu[i]) is None
            if must_move(race, seat):
                assert any(str(action).split()[0] in ("brake", "left", "right") for action in menu)
        race.play(seat, bot.choose(race, seat))


@pytest.mark.parametrize("seed", range(12))
def test_p2_in_front_of_something_there_is_always_a_way_to_avoid_it(table: type[Table], seed: int) -> None:
    """Something less than a centimetre ahead, and perhaps something on either side."""
    rng = np.random.default_rng(seed)
    red = {"progress": 100, "offset": float(rng.integers(-20, 21)), "stamina": int(rng.integers(0, 2))}
    ahead = {"progress": 140 + float(rng.integers(1, 100)) / 10, "offset": red["offset"], "drawn": True}
    sides = [
        {"progress": 95, "offset": red["offset"] + side * (20.5 + float(rng.integers(0, 20))), "drawn": True}
        for side in (1, -1)
        if rng.integers(2)
    ]
    t = table({**red, "token": str(rng.choice(["5", "10"]))}, ahead, *sides)
    assert must_move(t.race, 0)
    menu = t.legal()
    assert "brake" in menu and "stop" not in menu and not t.legal("ahead")
    assert ("collide" in menu) == (red["stamina"] == 0)
    for way in ("left", "right"):
        room = int(entries.room(t.race._bytes, t.race.edition.data, 0, ("ahead", "left", "right").index(way)))
        assert bool(t.legal(way)) == (room >= 100)
    assert all(t.why_not(action) == "" for action in menu[::7])


def test_p2_after_the_first_sub_move_the_brake_is_the_way_out(table: type[Table]) -> None:
    ahead = {"progress": 145, "offset": 0, "drawn": True}
    t = table(RED, ahead, driving={"moved": 20, "submoves": 1})
    assert t.legal() == ["brake", "spur", "whip", "announce"]
    t.dice(1).play("announce")
    assert t.question == "sub-move" and "brake" in t.legal() and t.legal("left") and not t.legal("ahead")


# --- up to contact ----------------------------------------------------------------------------------------------------


def gap(t: Table, other: int) -> float:
    """Units between chariot 0 and another."""
    bases = []
    for number in (0, other):
        piece = t.piece(number)
        assert piece
        bases.append((piece["x"], piece["y"], piece["heading"], piece["length"] // 2, piece["width"] // 2))
    return float(polygon(bases[0]).distance(polygon(bases[1])))


def straight(t: Table, way: str) -> list[int]:
    """Lengths in the menu without a pivot."""
    return [int(action.split()[1]) for action in t.legal(way) if "," not in action]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("way", ["ahead", "left", "right"])
def test_n8_the_menu_goes_up_to_contact(table: type[Table], seed: int, way: str) -> None:
    rng = np.random.default_rng(100 + seed)
    far = float(rng.integers(560, 900)) / 10
    if way == "ahead":
        spot = {"progress": 100 + far, "offset": float(rng.integers(-180, 181)) / 10}
    else:
        spot = {"progress": 100 + float(rng.integers(-180, 181)) / 10, "offset": far * (1 if way == "left" else -1)}
        spot["offset"] *= 0.8  # the wall is not far behind
    heading = int(rng.integers(0, 360)) if way == "ahead" else int(rng.integers(-5, 6))
    t = table(RED, {**spot, "heading": heading, "drawn": True}, active=0)
    room = int(entries.room(t.race._bytes, t.race.edition.data, 0, ("ahead", "left", "right").index(way)))
    assert 100 <= room < 1000
    assert max(straight(t, way)) == room // 10
    t.play(f"{way} {room // 10}")
    assert gap(t, 1) <= NEAR < TOUCH


def test_n8_where_the_rounded_way_is_not_clear_the_menu_goes_a_little_less_far(table: type[Table]) -> None:
    """It scrapes along a corner: 15.7 mm are clear, 15 are not, 14 are."""
    t = table({"x": 320.7, "y": 31.4, "heading": 85}, {"x": 343.4, "y": 59.8, "heading": 353, "drawn": True})
    assert entries.room(t.race._bytes, t.race.edition.data, 0, 2) == 157
    assert "14 mm are free" in t.why_not("right 15")
    assert straight(t, "right") == [10, 14]
    t.play("right 14")
    assert gap(t, 1) <= TOUCH


def test_n8_pivots_go_up_to_contact_too(table: type[Table]) -> None:
    def red() -> Table:
        return table(RED, {"progress": 200, "offset": 3, "drawn": True})

    menu = [action for action in red().legal("ahead 59, pivot") if "pivot 30" not in action]
    assert len(menu) >= 4
    for action in menu:
        degrees = int(action.split()[3])
        assert red().why_not(action.replace(f"pivot {degrees}", f"pivot {degrees + 1}"))
        t = red().play(action)
        assert gap(t, 1) <= NEAR


def test_n8_a_u_turn_goes_up_to_contact(table: type[Table]) -> None:
    def red() -> Table:
        return table({**RED, "token": "0"}, {"progress": 100, "offset": 30, "drawn": True})

    for side in ("left", "right"):
        turns = [int(action.split()[1]) for action in red().legal("u-turn") if f"{side} about centre" in action]
        assert max(turns) < 45  # nothing but the turn up to contact
        assert gap(red().play(f"u-turn {max(turns)} {side} about centre"), 1) <= NEAR


def test_n8_a_driver_on_foot_walks_up_to_the_edge_and_leaves(table: type[Table]) -> None:
    t = table(walker(100, 61.5, drawn=False), {**ASIDE, "drawn": False, "offset": -50})
    assert t.legal("walk 90 ") == [
        "walk 90 13 mm",
        "walk 90 10 mm",
        "walk 90 5 mm",
        "walk 90 1 mm",
    ]
    assert t.play("walk 90 13 mm", "stop")[0]["driver"] == "off the track"


# --- numbers in play --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("heading", "mm", "x", "y"), [(30, 77, 2667, 385), (7.3, 61, 2605, 78), (-21, 55, 2513, -197)])
def test_m1_n2_a_sub_move_ends_on_whole_tenths_of_a_millimetre_counted_from_its_start(
    table: type[Table], heading: float, mm: int, x: int, y: int
) -> None:
    t = table({**RED, "heading": heading}, ASIDE).play(f"ahead {mm}")
    piece = t.piece(0)
    assert piece and (piece["x"], piece["y"]) == (x, y)


def test_m4_n5_a_skid_rests_a_tenth_of_a_millimetre_before_what_it_hits(table: type[Table]) -> None:
    """Both roll the same, so the bounce moves neither."""
    ahead = {"progress": 165, "offset": 0, "drawn": True}
    t = table(RED, ahead, driving={"moved": 60, "submoves": 1}, dice=(6, 1, 1, 1, 1, 1)).play("announce", "go")
    assert gap(t, 1) == 1


def test_m4_n6_things_that_touch_can_be_left_in_any_direction(table: type[Table]) -> None:
    """A tenth of a millimetre apart on both sides: straight on nothing gets deeper."""
    beside = [{"progress": 100, "offset": side * 20.1, "drawn": True} for side in (1, -1)]
    t = table(RED, *beside)
    assert t.why_not("ahead 90") == "" and t.why_not("left 10") and t.why_not("right 10")


# --- real horses ------------------------------------------------------------------------------------------------------


def played(table: type[Table], design: dict[str, Any]) -> dict[str, Any]:
    """A collision, an exhausted brake and a spur with this team, everything else equal."""
    options = {"points": 9, "fantasy": True, "designs": [design, {"race": "humans"}]}
    red = {**RED, "token": "10", "stamina": 0}
    t = table(red, {"progress": 165, "offset": 0, "drawn": True}, options=options, dice=(4, 2, 6, 4, 5, 4, 2, 3, 1))
    t.play("brake", "ahead 20", "announce", "go")
    return {**t.view, "options": None}


def test_q9_real_horses_and_wolves_differ_only_in_what_their_equipment_says(table: type[Table]) -> None:
    """Fast horses reach as far as wolves; what is left are the beast's name and its bite."""
    horses = played(table, {"race": "high elves", "chassis": "standard"})
    wolves = played(table, {"race": "goblins", "chassis": "standard"})
    mine, theirs = horses["chariots"].pop(0), wolves["chariots"].pop(0)
    assert {name for name in mine if mine[name] != theirs[name]} == {"beast", "bite"}
    assert (mine["beast"], mine["bite"], theirs["beast"], theirs["bite"]) == ("horses", 0, "wolves", 4)
    assert horses == wolves
