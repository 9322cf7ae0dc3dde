"""The worked examples of the rulebook, with the components of the reference edition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from spina.games.chariot_race.components.edition import reference
from spina.games.chariot_race.play.events import (
    Cornered,
    HeldBack,
    Ordered,
    PutBack,
    Rammed,
    Rolled,
    Sped,
    Spiked,
    Stepped,
    Wrecked,
)

if TYPE_CHECKING:
    from conftest import Table

INSIDE, MIDDLE, OUTSIDE = range(3)


def corner(lane: int) -> int:
    """The first numbered space of a lane, beyond the line."""
    edition = reference()
    return next(s for s in range(edition.spaces) if edition.lane[s] == lane and edition.number[s])


def named(space: int) -> str:
    return reference().space_names[space]


def test_example_turn_order_of_four_compares_front_borders(table: type[Table]) -> None:
    """Caesar, Benedict, Diana, Alma: in a bend, where counting spaces would give another order."""
    middle, outside = corner(MIDDLE), corner(OUTSIDE)
    alma, benedict, caesar, diana = (named(s) for s in (outside, outside + 1, middle + 1, middle))
    front = {name: reference().front[reference().space_numbers[name]] for name in (alma, benedict, caesar, diana)}
    assert front[caesar] > front[benedict] > front[diana] > front[alma]
    t = table(alma, benedict, caesar, diana, edition=reference())
    assert t.view["order"] == [2, 1, 3, 0]


def test_example_turn_order_is_told_at_the_start_of_the_round(table: type[Table]) -> None:
    t = table("o2", "m3", {"space": "i4", "speed": 0}, dice="", die="fortuna")
    t.finish_round()
    assert t.one(Ordered).chariots == tuple(t.view["order"])
    assert t.view["order"] == [1, 0, 2]  # at speed 4: m7, o6, and i4


@pytest.mark.parametrize("repair", [False, True])
def test_example_speed_9_with_damage_6_is_held_back_to_6_and_rolls_four_dice(table: type[Table], repair: bool) -> None:
    """Alma, at the start of her turn and after repair."""
    alma = {"space": "m14", "speed": 9, "condition": 3 if repair else 6, "fate": 3}
    t = table(alma, "m2", edition=reference())
    assert t.stage == "repair"
    t.play("repair" if repair else "no repair")
    assert t.one(HeldBack) == HeldBack(0, speed=6)
    assert (t[0]["speed"], t[0]["condition"]) == (6, 6)
    assert len(t.one(Rolled).dice) == len(t.view["dice"]) == 4


def test_example_long_movement(table: type[Table]) -> None:
    """Caesar (0) outside, Diana (1) in the corner of the middle lane, Alma (2) behind her."""
    seven, five = corner(OUTSIDE), corner(MIDDLE)
    assert (reference().number[seven], reference().number[five]) == (7, 5)
    t = table(
        {"space": named(seven - 7), "speed": 6, "condition": 11},
        {"space": named(five), "condition": 2},
        {"space": named(five - 1), "condition": 9},
        turn=0,
        dice="+/- +/- sprint steer",
        edition=reference(),
    )
    t.drive("plus 1")
    assert t.one(Sped) == Sped(0, changes=2, plus=1, sprints=1, before=6, speed=8, condition=10)
    t.play(*["ahead"] * 7)
    assert t.at(0) == (named(seven), 0)
    assert t.one(Cornered) == Cornered(0, damage=1, safe_speed=7, condition=9)
    t.play("inward")
    assert t.told(Cornered)[1:] == [Cornered(0, damage=3, safe_speed=5, condition=6)]
    assert t.one(Rammed) == Rammed(0, rammed=1, condition=4, rammed_condition=0)
    assert t.one(PutBack) == PutBack(0, named(five - 2), lap=0)
    assert t.one(Wrecked) == Wrecked(1, named(five), marker=True)
    assert len(t.told(Stepped, 0)) == 8
    assert t.told(Spiked) == []
    assert (t[0]["speed"], t[0]["condition"]) == (8, 4)
    assert t.at(0) == (named(five - 2), 0)
    assert t[1]["wrecked"]
    assert (t.at(2), t[2]["condition"]) == ((named(five - 1), 0), 9)
    assert t.caltrops == [named(five)]


def test_example_long_movement_is_foreseen_by_the_breakdown_of_paths(table: type[Table]) -> None:
    seven, five = corner(OUTSIDE), corner(MIDDLE)
    caesar = {"space": named(seven - 7), "speed": 6, "condition": 11}
    diana, alma = {"space": named(five), "condition": 2}, named(five - 1)
    t = table(caesar, diana, alma, turn=0, dice="+/- +/- sprint steer", edition=reference())
    t.drive("plus 1", *["ahead"] * 7)
    before = t.race.hash()
    seen = t.race.explain(0, "inward")
    assert (seen.speed, seen.space, seen.condition) == (8, named(five - 2), 4)
    assert (seen.corner, seen.ram, seen.caltrop, seen.sprint) == (3, 2, 0, 0)
    assert (seen.rams, seen.put_back, seen.wrecks, seen.wrecked) == ((1,), True, (1,), False)
    assert t.race.hash() == before


def test_example_green_at_speed_11_with_damage_8_begins_at_10(table: type[Table]) -> None:
    green = reference().characters[reference().chariot_names.index("green")]
    t = table(
        {"space": "m14", "speed": 11, "condition": 8, "kind": green, "fate": 3},
        "m2",
        options={"individual": True},
        edition=reference(),
    )
    t.play("no repair")
    assert t.one(HeldBack) == HeldBack(0, speed=10)
    assert t[0]["speed"] == 10


def test_example_sprint_at_11_ends_at_12_and_still_costs_1(table: type[Table]) -> None:
    t = table({"space": "m11", "speed": 11, "condition": 12}, "m2", dice="sprint", edition=reference())
    t.drive()
    assert t.one(Sped) == Sped(0, changes=0, plus=0, sprints=1, before=11, speed=12, condition=11)
    assert (t[0]["speed"], t[0]["condition"]) == (12, 11)
    assert len(t.told(Stepped, 0)) == 12
