"""The view of a race of Chariot Race, the same for all seats: everything is public but future dice."""

from __future__ import annotations

from typing import Any

import numpy as np

from spina.games.chariot_race.components.edition import ChariotRaceEdition
from spina.games.chariot_race.play.actions import COLOURS
from spina.games.chariot_race.rules import entries
from spina.games.chariot_race.rules.record import NOTHING, RACE, SIDE_NAMES, STAGE_NAMES
from spina.games.mapping_struct import MappingStruct
from spina.games.shared_view import SharedView
from spina.kernel.record import Bytes
from spina.kernel.record_views import plain


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


def view(race: Bytes, edition: ChariotRaceEdition) -> View:
    """The race as everybody sees it."""
    state = plain(race, RACE)
    places = np.zeros(int(state.chariots), np.int64)
    entries.chariot_ranking(race, edition.data, places)
    return View(
        round=int(state.rounds),
        stage=STAGE_NAMES[state.stage],
        chariot=int(state.chariot),
        order=[int(chariot) for chariot in state.order if chariot != NOTHING],
        dice=[SIDE_NAMES[state.die[die]] for die in range(int(state.rolled))],
        steers=int(state.steers),
        points=int(state.points),
        attacks=int(state.attacks),
        caltrops=[space for space in range(edition.spaces) if state.caltrop[space]],
        supply=int(state.supply),
        heaps=heaps(state, edition),
        chariots=[
            _chariot(state, edition, chariot, entries.colour(race, edition.data, chariot), int(places[chariot]))
            for chariot in range(int(state.chariots))
        ],
    )


def heaps(state: Any, edition: ChariotRaceEdition) -> list[int]:
    """R18: the spaces with stone heaps, on half boards that show side B."""
    return edition.heaps_with(state.side)


def chariot_distance(state: Any, edition: ChariotRaceEdition, chariot: int) -> int:
    """R1: how far a chariot has come, in units of the course; 0 or less before the first crossing of the line."""
    space = int(state.space[chariot])
    return int(state.lap[chariot]) * edition.length + (edition.front[space] if space != NOTHING else 0)


def _chariot(state: Any, edition: ChariotRaceEdition, chariot: int, faction: int, place: int) -> ChariotView:
    space = int(state.space[chariot])
    placed = space != NOTHING
    kind = int(state.kind[chariot])
    return ChariotView(
        chariot=chariot,
        faction=int(faction),
        colour=COLOURS[faction],
        seat=int(state.seat[chariot]),
        kind=edition.characters[kind] if kind != NOTHING else None,
        space=space if placed else None,
        name_of_space=edition.space_names[space] if placed else None,
        lane=edition.lane[space] if placed else None,
        lap=int(state.lap[chariot]),
        distance=chariot_distance(state, edition, chariot),
        condition=int(state.condition[chariot]),
        speed=int(state.speed[chariot]),
        fate=int(state.fate[chariot]),
        wrecked=bool(state.wrecked[chariot]),
        finished=not state.wrecked[chariot] and int(state.lap[chariot]) >= edition.laps,
        place=place,
    )
