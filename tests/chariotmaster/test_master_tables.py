"""The eight out-of-points tables, row by row, with and without modifiers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from losing_scenes import (
    DRIVER_OF_RED,
    after_table,
    condition,
    dragged,
    pays,
    rammed,
    rammed_on_foot,
    wheel_breaks,
    whipped,
)

from spina.games.chariotmaster.play.events import (
    Crashed,
    DriverDied,
    Fell,
    HorseDied,
    IsExhausted,
    Lost,
    LostControl,
    LostKnife,
    LostReins,
    LostToken,
    Moved,
    OutOf,
    StunnedNow,
    WheelLoose,
)

if TYPE_CHECKING:
    from conftest import Table

FORCED = 3
"""The die after that of the table: a forced move of D6 is 3 cm, one of D3 is 2 cm."""
NOTHING: tuple[str, ...] = ()

Row = tuple[int, tuple[str, ...], dict[str, Any]]
"""What is added to the modifier, the events, and the changes of the chariot's state."""


def cases(rows: dict[int, Row]) -> list[Any]:
    """Every row by a bare die if it can be rolled, by a die with a modifier, and the last one far beyond the table."""
    found = []
    for result, row in rows.items():
        ways = [(result, 0)] if result <= 6 else []
        ways += [(min(result - 1, 6), max(1, result - 6))] if result > 1 else []
        ways += [(1, result - 1), (6, 5)] if result == 8 else []
        for face, worn in ways:
            found.append(pytest.param(face, worn, row, id=f"{result}: {face}+{worn}"))
    return found


def happened(t: Table) -> tuple[str, ...]:
    """The effects of the first roll on a table, in short."""
    found = []
    for event in after_table(t):
        match event:
            case Moved(piece=0, how="back" | "sideways"):
                found.append(f"{event.how} {event.mm:g}")
            case Lost(chariot=0):
                found.append(f"loses {event.what}")
            case (
                HorseDied() | IsExhausted() | WheelLoose() | LostToken() | LostReins() | StunnedNow() | LostControl()
                | Fell() | Crashed() | LostKnife() | DriverDied()
            ):  # fmt: skip
                found.append(type(event).__name__)
            case OutOf():
                found.append("another roll")
    return tuple(found)


def check(t: Table, before: dict[str, Any], table_name: str, face: int, worn: int, row: Row) -> None:
    plus, events, changes = row
    modifier = worn // 2 if plus < 0 else worn + plus
    assert t.told(OutOf)[0] == OutOf(0, table_name, face, face + worn, modifier)
    assert happened(t) == events
    assert condition(t) == {**before, **changes}
    counter = "health aboard" if table_name.startswith("health") else table_name
    assert t[0]["worn"].get(counter, 0) == modifier


def whole(**changes: Any) -> dict[str, Any]:
    """A chariot under control, but for these changes."""
    return {
        "stamina": 19, "structure": 5, "health": 5, "skill": 6, "horses": 2, "dead_horses": 0,
        "tokens": ["0", "5", "10"], "driver": "aboard", "reins": True, "out_of_control": False, "stunned": False,
        "exhausted": False, "wheel": False, "whip": True, "knife": True, "body": True, "out": False, **changes,
    }  # fmt: skip


ON_FOOT = {"driver": "on foot", "reins": False, "out_of_control": True, "out": True}
DEAD = {"driver": "dead", "out_of_control": True, "out": True}
WILD = {"out_of_control": True}
LOOSE = {"reins": False, "out_of_control": True}

# --- stamina --------------------------------------------------------------------------------------------------------

STAMINA: dict[int, Row] = {
    1: (0, NOTHING, {}),
    2: (0, NOTHING, {}),
    3: (1, NOTHING, {}),
    4: (1, NOTHING, {}),
    5: (1, ("back 20",), {}),
    6: (1, ("IsExhausted",), {"exhausted": True}),
    7: (1, ("LostToken",), {"tokens": ["0", "5"]}),
    8: (-1, ("HorseDied",), {"horses": 1, "dead_horses": 1, "tokens": ["0"]}),
}


@pytest.mark.parametrize(("face", "worn", "row"), cases(STAMINA))
def test_out_of_stamina(table: type[Table], face: int, worn: int, row: Row) -> None:
    t = pays(table, face, FORCED, worn={"stamina": worn})
    check(t, whole(stamina=0), "stamina", face, worn, row)


# --- structure ------------------------------------------------------------------------------------------------------

STRUCTURE: dict[int, Row] = {
    1: (0, NOTHING, {}),
    2: (0, NOTHING, {}),
    3: (1, NOTHING, {}),
    4: (1, ("back 20",), {}),
    5: (1, ("loses stamina",), {"stamina": 18}),
    6: (1, NOTHING, {}),  # the wheel was damaged before
    7: (1, ("LostToken",), {"tokens": ["0", "5"]}),
    8: (0, ("Crashed", "loses health"), {"health": 4, "body": False, **ON_FOOT}),
}


@pytest.mark.parametrize(("face", "worn", "row"), cases(STRUCTURE))
def test_out_of_structure(table: type[Table], face: int, worn: int, row: Row) -> None:
    t = wheel_breaks(table, face, FORCED, worn={"structure": worn})
    check(t, whole(structure=0, wheel=True), "structure", face, worn, row)


# --- health ---------------------------------------------------------------------------------------------------------

HEALTH_ABOARD: dict[int, Row] = {
    1: (0, NOTHING, {}),
    2: (0, NOTHING, {}),
    3: (0, NOTHING, {}),
    4: (1, NOTHING, {}),
    5: (1, ("loses skill",), {"skill": 5}),
    6: (1, ("LostReins",), LOOSE),
    7: (1, ("LostReins", "StunnedNow"), {**LOOSE, "stunned": True}),
    8: (0, ("DriverDied",), DEAD),
}


@pytest.mark.parametrize(("face", "worn", "row"), cases(HEALTH_ABOARD))
def test_out_of_health_aboard(table: type[Table], face: int, worn: int, row: Row) -> None:
    t = whipped(table, 6, face, FORCED, health=0, worn={"health aboard": worn})
    check(t, whole(health=0), "health aboard", face, worn, row)


HEALTH_DRAGGED: dict[int, Row] = {
    1: (0, NOTHING, {}),
    2: (0, NOTHING, {}),
    3: (1, NOTHING, {}),
    4: (1, NOTHING, {}),
    5: (1, ("loses skill",), {"skill": 5}),
    6: (0, ("StunnedNow",), {"stunned": True}),
    7: (0, ("DriverDied",), DEAD),
    8: (0, ("DriverDied",), DEAD),
}


@pytest.mark.parametrize(("face", "worn", "row"), cases(HEALTH_DRAGGED))
def test_out_of_health_dragged(table: type[Table], face: int, worn: int, row: Row) -> None:
    t = dragged(table, face, FORCED, health=0, worn={"health aboard": worn})
    check(t, whole(health=0, driver="dragged", body=False, **WILD), "health dragged", face, worn, row)


HEALTH_ON_FOOT: dict[int, Row] = {
    1: (0, NOTHING, {}),
    2: (0, NOTHING, {}),
    3: (0, NOTHING, {}),
    4: (1, NOTHING, {}),
    5: (1, ("loses skill",), {"skill": 5}),
    6: (1, ("StunnedNow",), {"stunned": True}),
    7: (0, ("DriverDied",), {"driver": "dead"}),
    8: (0, ("DriverDied",), {"driver": "dead"}),
}


@pytest.mark.parametrize(("face", "worn", "row"), cases(HEALTH_ON_FOOT))
def test_out_of_health_on_foot(table: type[Table], face: int, worn: int, row: Row) -> None:
    t = rammed_on_foot(table, face, FORCED, health=0, worn={"health aboard": worn})
    check(t, whole(health=0, **ON_FOOT), "health on foot", face, worn, row)
    assert (t.piece(DRIVER_OF_RED) is None) == (row[2].get("driver") == "dead")


# --- skill ----------------------------------------------------------------------------------------------------------

SKILL_ABOARD: dict[int, Row] = {
    1: (0, NOTHING, {}),
    2: (0, NOTHING, {}),
    3: (1, ("LostControl",), WILD),
    4: (1, ("sideways 30",), {}),
    5: (1, ("sideways 30",), {}),
    6: (1, ("back 30",), {}),
    7: (1, ("LostReins",), LOOSE),
    8: (0, ("Fell",), ON_FOOT),
}
WENT = {4: (0, 300), 5: (0, -300), 6: (-300, 0)}
"""How far each of these rows moves a chariot that faces along the x axis."""


@pytest.mark.parametrize(("face", "worn", "row"), cases(SKILL_ABOARD))
def test_out_of_skill_aboard(table: type[Table], face: int, worn: int, row: Row) -> None:
    """Whipped from the left, near the middle of the track: there is room on all sides but that one."""
    whipper = {"progress": 100, "offset": 21.5, "skill": 50, "health": 50}
    if face + worn == 4:
        whipper["offset"] = -21.5
    red = {"progress": 100, "offset": 0, "skill": 0, "worn": {"skill aboard": worn}}
    far = {"progress": 300, "offset": -60, "drawn": True}
    t = table(
        red, whipper, far, dice=((1, 0), (1, 0), 1, face, FORCED), active=1,
        driving={"may_attack": True, "moved": 50, "submoves": 1},
    )  # fmt: skip
    t.play("whip driver of red", "bear it")
    check(t, whole(skill=0), "skill aboard", face, worn, row)
    x, y = WENT.get(face + worn, (0, 0))
    piece = t.piece(0)
    assert piece is not None and (piece["x"], piece["y"]) == (2000 + x, y)


SKILL_DRAGGED: dict[int, Row] = {
    1: (0, NOTHING, {}),
    2: (1, NOTHING, {}),
    3: (1, NOTHING, {}),
    4: (1, NOTHING, {}),
    5: (1, NOTHING, {}),
    6: (1, ("LostKnife",), {"knife": False}),
    7: (0, ("DriverDied",), DEAD),
    8: (0, ("DriverDied",), DEAD),
}


def hand_hurt(scene: Callable[..., Table], table: type[Table], face: int, worn: int, name: str) -> Table:
    """Row 5 of a table of health costs a point of skill; the events before the table of skill are left out."""
    t = scene(table, 5, face, FORCED, health=0, skill=0, worn={name: worn})
    assert t.told(OutOf)[0].result == 5
    t.events = after_table(t)
    return t


@pytest.mark.parametrize(("face", "worn", "row"), cases(SKILL_DRAGGED))
def test_out_of_skill_dragged(table: type[Table], face: int, worn: int, row: Row) -> None:
    t = hand_hurt(dragged, table, face, worn, "skill dragged")
    before = whole(health=0, skill=0, driver="dragged", body=False, **WILD)
    check(t, before, "skill dragged", face, worn, row)


SKILL_ON_FOOT: dict[int, Row] = {
    1: (0, NOTHING, {}),
    2: (0, NOTHING, {}),
    3: (0, NOTHING, {}),
    4: (0, NOTHING, {}),
    5: (0, ("StunnedNow",), {"stunned": True}),
    6: (0, ("StunnedNow",), {"stunned": True}),
    7: (0, ("StunnedNow",), {"stunned": True}),
    8: (0, ("StunnedNow",), {"stunned": True}),
}


@pytest.mark.parametrize(("face", "worn", "row"), cases(SKILL_ON_FOOT))
def test_out_of_skill_on_foot(table: type[Table], face: int, worn: int, row: Row) -> None:
    t = hand_hurt(rammed_on_foot, table, face, worn, "skill on foot")
    check(t, whole(health=0, skill=0, **ON_FOOT), "skill on foot", face, worn, row)


# --- the wheel ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "worn"), [(6, 0), (5, 1)])
def test_out_of_structure_6_damages_a_wheel(table: type[Table], face: int, worn: int) -> None:
    """In a ram; in the table above the wheel is damaged already."""
    t = rammed(table, face, FORCED, worn={"structure": worn})
    check(t, whole(structure=0), "structure", face, worn, (1, ("WheelLoose",), {"wheel": True}))
