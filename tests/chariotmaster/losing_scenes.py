"""Scenes in which the red chariot (number 0) loses points it does not have, one for each out-of-points table.

A third chariot stands far away, so that the race continues even if red is out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spina.games.chariotmaster.play.events import OutOf
from spina.games.game import Event

if TYPE_CHECKING:
    from conftest import Table

ANY = (1, 0)
"""A die or a lot whose result does not matter."""
LOW, HIGH = (2, 0), (2, 1)
"""A die that shows 1 to 3, or 4 to 6."""
BYSTANDER = {"progress": 300, "offset": -60, "drawn": True}
LEFT = {"progress": 100, "offset": 50}
"""Red's default place when it is attacked: near the inner wall."""
WRECK_OF_RED, DRIVER_OF_RED = 12, 24
STRIKES = {"may_attack": True, "moved": 50, "submoves": 1}
"""The active chariot has just made a sub-move, and may attack."""


def pays(table: type[Table], *dice: Any, **red: Any) -> Table:
    """Red brakes in its own turn; without stamina the first die is that of the table, the last that of the brake."""
    t = table({"stamina": 0, **red}, {"progress": 300, "offset": 0}, BYSTANDER, dice=dice)
    return t.play("brake")


def next_turn(table: type[Table], *dice: Any, others: tuple[dict[str, Any], ...] = (), **red: Any) -> Table:
    """Red's turn begins, after that of another chariot; the dice are those from the beginning of Red's turn."""
    other = {"progress": 300, "offset": 0, "token": "0"}
    t = table(red, other, BYSTANDER, *others, dice=(ANY, *dice), active=1)
    return t.play("stop")


def wheel_breaks(table: type[Table], *dice: Any, **red: Any) -> Table:
    """Red's damaged wheel costs a structure point that it does not have."""
    return next_turn(table, HIGH, *dice, **{"structure": 0, "wheel": True, "token": "10", **red})


def whipped(table: type[Table], wound: int, *dice: Any, others: tuple[dict[str, Any], ...] = (), **red: Any) -> Table:
    """The driver of the red chariot is whipped in another's turn: 1 wounds his skill, 6 his health."""
    red = {**LEFT, **red}
    whipper = {"progress": red["progress"], "offset": red["offset"] - 21, "skill": 50}
    t = table(red, whipper, BYSTANDER, *others, dice=(ANY, ANY, wound, *dice), active=1, driving=STRIKES)
    t.play("whip driver of red")
    return t.play("bear it") if t.question == "defence" else t


def dragged(table: type[Table], *dice: Any, others: tuple[dict[str, Any], ...] = (), **red: Any) -> Table:
    """Red's turn begins with the driver dragged behind the horses, 100 mm beyond the line; one point of health."""
    state = {"driver": "dragged", "progress": 100, "offset": 0, "wreck": {"progress": 0, "offset": 50}}
    return next_turn(table, (3, 0), *dice, others=others, **{**state, **red})


def rammed_on_foot(table: type[Table], *dice: Any, hits: int = 1, **red: Any) -> Table:
    """The driver of the red chariot is on foot, and rammed from the right; his own die misses."""
    spot = {"progress": 90, "offset": 15.5}
    state = {"driver": "on foot", "progress": 200, "offset": 0, "on_foot": spot}
    blows = (HIGH,) * hits + (LOW,) * (4 - hits)
    rammer = {"progress": 100, "offset": 0, "structure": 1}
    t = table({**state, **red}, rammer, BYSTANDER, dice=(*blows, LOW, *dice), active=1, driving=STRIKES)
    return t.play("ram driver of red")


def rammed(
    table: type[Table], *dice: Any, hits: int = 1, blows: int = 0, others: tuple[dict[str, Any], ...] = (), **red: Any
) -> Table:
    """The body of the red chariot is rammed from the right by a chariot of value 4; its own value is 2."""
    struck = (HIGH,) * hits + (LOW,) * (4 - hits) + (HIGH,) * blows + (LOW,) * (2 - blows)
    red = {**LEFT, "structure": 0, **red}
    rammer = {"progress": red["progress"], "offset": red["offset"] - 21, "structure": 3}
    t = table(red, rammer, BYSTANDER, *others, dice=(*struck, *dice), active=1, driving=STRIKES)
    t.play("ram red body")
    return t.play("bear it") if t.question == "defence" else t


def after_table(t: Table) -> list[Event]:
    """All events after the first roll on a table."""
    first = next(i for i, event in enumerate(t.events) if isinstance(event, OutOf))
    return t.events[first + 1 :]


CONDITIONS = (
    "stamina", "structure", "health", "skill", "horses", "dead_horses", "tokens", "driver", "reins", "out_of_control",
    "stunned", "exhausted", "wheel", "whip", "knife", "body", "out",
)  # fmt: skip


def condition(t: Table) -> dict[str, Any]:
    """Everything that a row of a table can change in the red chariot."""
    return {name: t[0][name] for name in CONDITIONS}
