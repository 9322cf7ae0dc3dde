"""Set-ups of Chariotmaster: peaceful chariots, species, random equipment, two rows."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from spina.errors import OptionError
from spina.games.chariotmaster.components.edition import ChariotmasterEdition
from spina.games.chariotmaster.components.equipment import CATEGORIES, MOST_POINTS, Kit
from spina.games.chariotmaster.rules.record import DO_NO_ATTACK, DO_PIVOT, DO_RAM
from spina.games.editions import Edition
from spina.games.studies.profile import SetupKind
from spina.games.studies.recording import Handicap

LineUps = tuple[tuple[tuple[str, Any], ...], ...]
SPECIES_POINTS = 4
SPECIES_SEATS = 6
"""One for each species."""
VARIED = 120
"""Different line-ups of equipment, used in turn."""


def _kit(edition: Edition) -> Kit:
    assert isinstance(edition, ChariotmasterEdition)
    return edition.kit


def _species(edition: Edition, seats: int, options: Mapping[str, Any]) -> LineUps:
    """Line-ups of ready-made chariots: the species in random order, each as expensive as the points allow."""
    kit, points = _kit(edition), int(options["points"])
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


def _equipment(edition: Edition, seats: int, options: Mapping[str, Any]) -> LineUps:
    """Line-ups of chariots without species, each with a random item of every category."""
    kit, dice = _kit(edition), random.Random(1)
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


SETUPS = {
    "peaceful": SetupKind(
        "one never attacks", handicap=Handicap(DO_RAM, DO_PIVOT, DO_NO_ATTACK), headline="Who never attacks"
    ),
    "species": SetupKind(
        "species",
        seats=SPECIES_SEATS,
        options={"fantasy": True},
        defaults={"points": SPECIES_POINTS},
        varied=_species,
    ),
    "equipment": SetupKind("equipment by lot", options={"points": MOST_POINTS}, varied=_equipment),
    "rows": SetupKind("two rows", options={"second_row": False}),
}
"""In "species" each species has a chariot; in "rows" there are more chariots than a row has room for, and those in the
second row get no extra stamina point."""
