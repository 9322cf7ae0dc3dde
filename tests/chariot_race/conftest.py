"""A race set up by hand, on which a test plays turns and looks at the result."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

import spina
from spina.games.chariot_race.components.edition import ChariotRaceEdition, parse, template
from spina.games.game import Event

SAID = 'source = "printed"'
COURSE = f"""[course]
lanes = {{ value = 3, {SAID} }}
line = {{ value = 4, {SAID} }}
{SAID}
sections = [
  "straight-1: straight, half 1, length 10, spaces 10 10 10",
  "bend-1: bend, half 1, length 6, spaces 4 6 8",
  "straight-2: straight, half 2, length 10, spaces 10 10 10",
  "bend-2: bend, half 2, length 6, spaces 4 6 8",
]
[corners]
{SAID}
list = [  # i9, m10, o11, i23, m26, o29
  "bend-1 inside 3: speed 3", "bend-1 middle 4: speed 5", "bend-1 outside 5: speed 7",
  "bend-2 inside 3: speed 3", "bend-2 middle 4: speed 5", "bend-2 outside 5: speed 7",
]
[heaps]
{SAID}
list = ["straight-1 inside 2", "bend-1 outside 8", "straight-2 middle 5", "straight-2 inside 10"]  # i26, o14, m17, i20
[grid]
{SAID}
list = [  # o36, m32, i28, o35, m31, i27
  "straight-1 outside 4", "straight-1 middle 4", "straight-1 inside 4",
  "straight-1 outside 3", "straight-1 middle 3", "straight-1 inside 3",
]

"""
DICE_AT = (5, 5, 5, 5, 5, 5, 4, 4, 3, 3, 2, 2, 1)
WILD_LIMIT = (1, 3, 4, 6, 7, 9, 10, 12, 13)
KINDS = {  # colour: character, most and first condition, speed and fate, dice by speed, limits by condition
    "red": ("heavy", (15, 11, 5), (15, 3, 3), (5, 5, 5, 5, 5, 4, 4, 4, 3, 3, 2, 2), (*range(1, 12), 11, 11, 11, 11)),
    "white": ("lucky", (11, 12, 9), (11, 4, 5), DICE_AT, range(1, 12)),
    "blue": ("steady", (12, 11, 6), (12, 4, 3), (5, 5, 5, 5, 5, 5, 5, 5, 4, 4, 3, 3), (*range(1, 12), 11)),
    "green": ("light", (10, 12, 6), (10, 4, 3), (5, *DICE_AT[:6], 4, 4, 3, 3, 2, 2), (1, 2, 3, 4, 6, 7, 8, 10, 11, 12)),
    "purple": ("wild", (9, 13, 6), (9, 5, 4), (5, 5, 5, 5, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2), WILD_LIMIT),
    "gold": ("sprinter", (10, 14, 5), (10, 6, 2), (*DICE_AT, 1, 1), (1, 3, 4, 6, 7, 9, 10, 11, 13, 14)),
}  # fmt: skip


def _kind(colour: str) -> str:
    character, most, first, dice, limit = KINDS[colour]
    rows = [f"[{colour}]", f'character = {{ value = "{character}", {SAID} }}']
    for i, track in enumerate(("condition", "speed", "fate")):
        rows.append(f"most_{track} = {{ value = {most[i]}, {SAID} }}")
        rows.append(f"first_{track} = {{ value = {first[i]}, {SAID} }}")
    for name, values in (("dice", dice), ("limit", limit)):
        rows += [f"[{colour}.{name}]", SAID, f"values = {list(values)}"]
    return "\n".join(rows) + "\n"


@cache
def pinned() -> str:
    """The edition that these tests are written for; course and chariots of the reference edition may change."""
    text = template()
    course, plain = text.index("[course]\n"), text.index("# --- the plain chariot")
    kinds = text.index("# --- the individual chariots")
    text = text[:course] + COURSE + text[plain:kinds] + "".join(map(_kind, KINDS))
    text, times = re.subn(r"(?<=\[plain.dice\])([^[]*values = )\[[^]]*\]", rf"\g<1>{list(DICE_AT)}", text)
    assert times == 1
    return text


class Table:
    """A race set up by hand. Chariots have no fate by default, so that no repair or purchase is offered.

    - `dice`: what the chariot whose turn it is has rolled, filled up with Fortuna, which does not affect the move;
    - `die`: the side that all dice of the race show whenever they are rolled.
    """

    def __init__(
        self,
        *chariots: dict[str, Any] | str,
        dice: str | None = None,
        die: str | None = None,
        edition: ChariotRaceEdition | None = None,
        **rest: Any,
    ) -> None:
        told = [{"space": given} if isinstance(given, str) else given for given in chariots]
        data: dict[str, Any] = {"chariots": [{"fate": 0, **chariot} for chariot in told], **rest}
        chosen = edition or (self.die(die) if die else self.edition())
        race = spina.position("chariot-race", data, edition=chosen)
        if dice is not None:
            view = race.view(None)
            number = view["chariot"]
            chariot = view["chariots"][number]
            kind = chosen.characters.index(chariot["kind"])
            speed = data["chariots"][number].get("speed", chariot["speed"])
            speed = min(speed, chosen.speed_limit[kind][chariot["condition"]])
            sides = dice.split()
            data["dice"] = [*sides, *["fortuna"] * (chosen.dice_at[kind][speed] - len(sides))]
            race = spina.position("chariot-race", data, edition=chosen)
        self.race = race
        self.events: list[Event] = []

    # --- playing

    def play(self, *lines: str) -> None:
        """Play these actions, each by the seat whose turn it is."""
        for line in lines:
            (seat,) = self.race.to_act
            self.events += self.race.play(seat, line)

    def drive(self, *lines: str) -> None:
        """Keep the dice of this chariot, then play these actions."""
        turn = self.view["chariot"], self.view["round"]
        while self.stage in ("free re-roll", "fortune") and (self.view["chariot"], self.view["round"]) == turn:
            self.play("keep")
        self.play(*lines)

    def finish_turn(self) -> None:
        """Answer the remaining questions of this turn in the simplest way."""
        chariot, number = self.view["chariot"], self.view["round"]
        while not self.race.over and (self.view["chariot"], self.view["round"]) == (chariot, number):
            legal = self.legal()
            self.play(next(line for line in ("no repair", "keep", "plus 0", "ahead", "no attack") if line in legal))

    def finish_round(self) -> None:
        """Finish the remaining turns of the round in the same way."""
        number = self.view["round"]
        while not self.race.over and self.view["round"] == number:
            self.finish_turn()

    # --- looking

    @property
    def view(self) -> dict[str, Any]:
        return self.race.view(None)

    @property
    def stage(self) -> str:
        return str(self.view["stage"])

    def __getitem__(self, chariot: int) -> dict[str, Any]:
        found: dict[str, Any] = self.view["chariots"][chariot]
        return found

    def at(self, chariot: int) -> tuple[str, int]:
        """Space and lap."""
        return self[chariot]["name_of_space"], self[chariot]["lap"]

    @property
    def caltrops(self) -> list[str]:
        """Spaces with markers."""
        names = self.race.edition.space_names  # type: ignore[attr-defined]
        return [names[space] for space in self.view["caltrops"]]

    def legal(self, start: str = "") -> list[str]:
        """The legal actions in notation that begin like this."""
        (seat,) = self.race.to_act
        return [str(action) for action in self.race.legal(seat) if str(action).startswith(start)]

    def told(self, kind: type[Event], chariot: int | None = None) -> list[Any]:
        """The events of this kind so far, all or those about a chariot."""
        found = [event for event in self.events if isinstance(event, kind)]
        return [event for event in found if chariot is None or getattr(event, "chariot", None) == chariot]

    def one(self, kind: type[Event], chariot: int | None = None) -> Any:
        """The only event of this kind."""
        (event,) = self.told(kind, chariot)
        return event

    # --- editions

    @staticmethod
    @cache
    def edition(*changes: tuple[str, str]) -> ChariotRaceEdition:
        """The edition of these tests, with pieces of its text replaced, each of which must be there once."""
        text = pinned()
        for old, new in changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        return parse(text, "changed.toml")

    @classmethod
    def die(cls, *sides: str) -> ChariotRaceEdition:
        """The same with other sides on the dice, repeated until there are six."""
        six = (list(sides) * 6)[:6]
        listed = ", ".join(f'"{side}"' for side in six)
        return cls.edition(('["+/-", "sprint", "steer", "steer", "attack", "fortuna"]', f"[{listed}]"))


@pytest.fixture
def table() -> type[Table]:
    return Table
