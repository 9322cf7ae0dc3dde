"""Set-ups: which races a study runs, by a label such as "field 4" or "field 6 BB".

The first word says who drives:

- field: the same drivers in every seat;
- kinds (Chariot Race): the individual chariots, drafted and placed by lot, so that neither depends on the other;
- peaceful: one seat never attacks; unmended (Chariot Race): one seat never repairs;
- species (Chariotmaster): a chariot of each of the six, as dear as the points allow;
- equipment (Chariotmaster): every chariot with items drawn by lot;
- rows (Chariotmaster): more chariots than a row has room for, without the extra stamina point;
- any other word is a driver: one seat has it, the others are in the field.

Then come the seats and, in Chariot Race, the sides of the board. What is odd about one seat moves on with every race.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from spina.errors import OptionError
from spina.games import get
from spina.games.chariot_race.rules import record as chariot_race
from spina.games.chariotmaster.components.equipment import CATEGORIES, MOST_POINTS, Kit
from spina.games.chariotmaster.rules import record as chariotmaster
from spina.lab.recordings import Handicap, Task

PEACE = {
    "chariot-race": Handicap(chariot_race.DO_JAVELIN, chariot_race.ACTIONS, chariot_race.DO_NO_ATTACK),
    "chariotmaster": Handicap(chariotmaster.DO_RAM, chariotmaster.DO_PIVOT, chariotmaster.DO_NO_ATTACK),
}
UNMENDED = Handicap(chariot_race.DO_REPAIR, chariot_race.DO_REPAIR + 1, chariot_race.DO_NO_REPAIR)
USUAL_SEATS = {"charioteer": 4, "chariot-race": 6, "chariotmaster": 4}
SPECIES_POINTS = 4
VARIED = 120
"""Different line-ups of equipment, over and over."""


def make(
    game: str,
    label: str,
    races: int,
    seed: int,
    *,
    drivers: tuple[str, ...] = ("competent",),
    options: Mapping[str, Any] | None = None,
    edition: str | None = None,
) -> Task:
    """The races of a set-up. Labels that ask for the same drivers in other seats get other seeds."""
    what, _, rest = label.partition(" ")
    seats_word, _, board = rest.partition(" ")
    if not seats_word.isdigit():
        raise OptionError(f'a set-up is a word and a number of seats, such as "field 4", not "{label}"')
    seats = int(seats_word)
    given: dict[str, Any] = dict(options or {})
    fields: dict[str, Any] = {"drivers": drivers, "line_up": tuple(i % len(drivers) for i in range(seats))}
    if board:
        given["board"] = board
    if what in ("kinds", "unmended") and game != "chariot-race":
        raise OptionError(f'"{what}" is a set-up of chariot-race, not of {game}')
    if what in ("species", "equipment", "rows") and game != "chariotmaster":
        raise OptionError(f'"{what}" is a set-up of chariotmaster, not of {game}')
    if what == "kinds":
        given["individual"] = True
        fields["opening"] = "random"
    elif what == "peaceful":
        if game not in PEACE:
            raise OptionError(f'"peaceful" is no set-up of {game}: an attack there is part of a move')
        fields |= {"handicap": PEACE[game], "held": (0,)}
    elif what == "unmended":
        fields |= {"handicap": UNMENDED, "held": (0,)}
    elif what == "species":
        given |= {"fantasy": True, "points": given.get("points", SPECIES_POINTS)}
        fields["varied"] = _species(_kit(edition), seats, int(given["points"]))
    elif what == "equipment":
        given["points"] = MOST_POINTS
        fields["varied"] = _equipment(_kit(edition), seats)
    elif what == "rows":
        given["second_row"] = False
    elif what != "field":
        fields |= {"drivers": (*drivers, what), "line_up": _with_one_odd(fields["line_up"], len(drivers))}
    return Task(
        game, seats, seed, 0, races, options=tuple(sorted(given.items())), edition=edition, label=label, **fields
    )


WORDS = {
    "field": "",
    "kinds": "individual chariots",
    "peaceful": "one never attacks",
    "unmended": "one never repairs",
    "species": "species",
    "equipment": "equipment by lot",
    "rows": "two rows",
}


def words(label: str) -> str:
    """A set-up as people call it."""
    what, seats, *board = label.split()
    said = [f"{seats} seats", *(f"board {each}" for each in board), WORDS.get(what, f"one {what} among them")]
    return ", ".join(each for each in said if each)


def _with_one_odd(line_up: tuple[int, ...], odd: int) -> tuple[int, ...]:
    return (odd, *line_up[1:])


def _kit(edition: str | None) -> Kit:
    game = get("chariotmaster")
    found = game.reference() if edition is None else game.parse_edition(edition, "the edition")
    kit: Kit = found.kit  # type: ignore[attr-defined]
    return kit


def _species(kit: Kit, seats: int, points: int) -> tuple[tuple[tuple[str, Any], ...], ...]:
    """Line-ups of ready-made chariots: species in turn from a random beginning, as dear as may be."""
    dice = random.Random(points)
    dearest = {
        race: max(
            (kit.cost(each) for each in kit.ready_made.values() if each.race == race and kit.cost(each) <= points),
            default=None,
        )
        for race in kit.races
    }
    found = []
    for _ in range(VARIED):
        order = dice.sample([*kit.races], len(kit.races))
        names = []
        for seat in range(seats):
            race = order[seat % len(order)]
            fitting = [
                name for name, each in kit.ready_made.items() if each.race == race and kit.cost(each) == dearest[race]
            ]
            if not fitting:
                raise OptionError(f"there is no ready-made chariot for {race} within {points} points")
            names.append(dice.choice(fitting))
        found.append((("designs", names),))
    return tuple(found)


def _equipment(kit: Kit, seats: int) -> tuple[tuple[tuple[str, Any], ...], ...]:
    """Line-ups of chariots without species, each with an item of every category by lot."""
    dice = random.Random(1)
    found = []
    for _ in range(VARIED):
        designs: list[dict[str, Any]] = []
        while len(designs) < seats:
            chosen = {
                category: dice.choice([name for name in kit.of(category) if kit.marks(None)[name] != "-"])
                for category in CATEGORIES
            }
            if not kit.fault(kit.complete(None, chosen.values()), MOST_POINTS):
                designs.append(chosen)
        found.append((("designs", designs),))
    return tuple(found)
