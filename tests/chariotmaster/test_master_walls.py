"""Collisions with walls in a race: at the end of a straight, and in bends of a custom track (M3, M4, K6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from master_fights import crash, poke
from random_tracks import CHICANE

from spina.games.chariotmaster.components.edition import parse
from spina.games.chariotmaster.play.events import Collided, Moved
from spina.games.chariotmaster.rules.record import WALL

if TYPE_CHECKING:
    from conftest import Table


@pytest.mark.parametrize(("x", "mm"), [(470, 75.2), (490, 55.2)])
def test_m4_a_skid_from_the_end_of_the_straight_collides_with_the_outer_wall_of_the_bend(
    table: type[Table], x: int, mm: float
) -> None:
    t = crash(table, {"x": x, "y": -60, "token": "10"}, driving={"moved": 50, "change": 50}, dice=(1,) * 6)
    assert t.told(Moved)[0].mm == mm
    assert t.one(Collided).target == WALL


def test_m4_rules_version_1_met_no_wall_there(table: type[Table]) -> None:
    t = table({"x": 470, "y": -60, "token": "10"}, driving={"moved": 50, "change": 50, "submoves": 1, "direction": 0})
    poke(t, revision=0)
    t.dice(6, *(1,) * 6).play("announce", "go")
    assert t.told(Moved)[0].mm == 75.2
    assert t.told(Collided) == []


def test_m4_nobody_drives_through_the_walls_of_a_chicane(table: type[Table]) -> None:
    here = {"x": 262, "y": 0, "token": "10"}
    t = table(here, driving={"change": 100}, edition=parse(CHICANE, "chicane.toml"))
    assert t.why_not("ahead 40") == ""
    for mm in range(60, 251, 10):
        assert "something is in the way: 42 mm are free" in t.why_not(f"ahead {mm}"), mm
    poke(t, revision=0)
    assert [bool(t.why_not(f"ahead {mm}")) for mm in (60, 200, 210, 250)] == [True, True, False, False]
