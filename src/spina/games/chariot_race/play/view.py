"""The view of a race of Chariot Race, the same for all seats: everything is public but future dice."""

from __future__ import annotations

import numpy as np

from spina.games.chariot_race.components.edition import ChariotRaceEdition
from spina.games.chariot_race.play.actions import COLOURS
from spina.games.chariot_race.rules import entries
from spina.games.chariot_race.rules.record import NOTHING, RACE, SIDE_NAMES, STAGE_NAMES
from spina.games.mapping_struct import MappingStruct
from spina.games.shared_view import SharedView
from spina.kernel.record import Bytes
from spina.kernel.record_views import glance, reader


class ChariotView(MappingStruct, kw_only=True):
    """A chariot of Chariot Race."""

    chariot: int
    """Its number."""
    faction: int
    """The number of its colour."""
    colour: str
    seat: int
    kind: str | None
    """The character that it was drafted as; None before the draft."""
    space: int | None
    """None before it has a starting space, like the next two."""
    name_of_space: str | None
    lane: int | None
    lap: int
    """Laps that it has completed."""
    distance: int
    """How far it has come, in the units of the course; not positive before the line of the start."""
    condition: int
    speed: int
    fate: int
    wrecked: bool
    finished: bool
    place: int


class View(SharedView, kw_only=True):
    """A race of Chariot Race; everybody sees the same."""

    round: int
    """1 for the first; 0 before it."""
    stage: str
    """What is asked: one of `STAGE_NAMES`."""
    chariot: int
    """The chariot that is asked for."""
    order: list[int]
    """Chariots in the order of their turns this round."""
    dice: list[str]
    """Sides of the dice on the table."""
    steers: int
    """Lane changes that are left."""
    points: int
    """Steps that are left."""
    attacks: int
    """Attacks that are left."""
    caltrops: list[int]
    """Spaces where a caltrop lies."""
    supply: int
    """Caltrops that are left."""
    heaps: list[int]
    """Spaces that a stone heap closes."""
    chariots: list[ChariotView]


_READ = reader(
    RACE, "rounds", "stage", "chariot", "order", "die", "rolled", "steers", "points", "attacks", "supply", "side",
    "chariots", "seat", "kind", "space", "lap", "condition", "speed", "fate", "wrecked",
)  # fmt: skip


def view(race: Bytes, edition: ChariotRaceEdition) -> View:
    """The race as everybody sees it."""
    rounds, stage, chariot, order, die, rolled, steers, points, attacks, supply, side, count, *columns = _READ(race)
    numbers = np.empty(2 * count, np.int64)
    entries.places_and_colours(race, edition.data, numbers)
    places, colours = numbers[:count].tolist(), numbers[count:].tolist()
    return View(
        round=rounds,
        stage=STAGE_NAMES[stage],
        chariot=chariot,
        order=[each for each in order if each != NOTHING],
        dice=[SIDE_NAMES[each] for each in die[:rolled]],
        steers=steers,
        points=points,
        attacks=attacks,
        caltrops=glance(race, RACE).caltrop.nonzero()[0].tolist(),
        supply=supply,
        heaps=edition.heaps_with(side),
        chariots=[
            _chariot(edition, *numbers)
            for numbers in zip(range(count), places, colours, *(column[:count] for column in columns), strict=True)
        ],
    )


def _chariot(
    edition: ChariotRaceEdition,
    chariot: int,
    place: int,
    faction: int,
    seat: int,
    kind: int,
    space: int,
    lap: int,
    condition: int,
    speed: int,
    fate: int,
    wrecked: int,
) -> ChariotView:
    placed = space != NOTHING
    return ChariotView(
        chariot=chariot,
        faction=faction,
        colour=COLOURS[faction],
        seat=seat,
        kind=edition.characters[kind] if kind != NOTHING else None,
        space=space if placed else None,
        name_of_space=edition.space_names[space] if placed else None,
        lane=edition.lane[space] if placed else None,
        lap=lap,
        distance=lap * edition.length + (edition.front[space] if placed else 0),  # R1
        condition=condition,
        speed=speed,
        fate=fate,
        wrecked=wrecked != 0,
        finished=wrecked == 0 and lap >= edition.laps,
        place=place,
    )
