"""What everybody sees of a race of Chariot Race: all of it but the dice to come."""

from __future__ import annotations

from typing import Any

import numpy as np

from spina.games.chariot_race.components.edition import ChariotRaceEdition
from spina.games.chariot_race.play.actions import COLOURS
from spina.games.chariot_race.rules import entries
from spina.games.chariot_race.rules.record import NOTHING, RACE, SIDE_NAMES, STAGE_NAMES
from spina.kernel.record import Bytes
from spina.kernel.record_views import plain


def view(race: Bytes, edition: ChariotRaceEdition) -> dict[str, Any]:
    """The race as plain data."""
    state = plain(race, RACE)
    places = chariot_places(state, edition)
    seat_places = np.zeros(int(state.seats), np.int64)
    entries.ranking(race, edition.data, seat_places)
    return {
        "round": int(state.rounds),
        "stage": STAGE_NAMES[state.stage],
        "chariot": int(state.chariot),
        "order": [int(chariot) for chariot in state.order if chariot != NOTHING],
        "dice": [SIDE_NAMES[state.die[die]] for die in range(int(state.rolled))],
        "steers": int(state.steers),
        "points": int(state.points),
        "attacks": int(state.attacks),
        "caltrops": [space for space in range(edition.spaces) if state.caltrop[space]],
        "supply": int(state.supply),
        "heaps": heaps(state, edition),
        "chariots": [
            _chariot(state, edition, chariot, entries.colour(race, edition.data, chariot), places)
            for chariot in range(int(state.chariots))
        ],
    }


def heaps(state: Any, edition: ChariotRaceEdition) -> list[int]:
    """Spaces that a stone heap closes, with the half boards as they lie."""
    return [space for space in range(edition.spaces) if edition.heap[space] and state.side[edition.half[space]]]


def chariot_distance(state: Any, edition: ChariotRaceEdition, chariot: int) -> int:
    """R1: how far it has come, in the units of the course; before the line of the start it is not positive."""
    space = int(state.space[chariot])
    return int(state.lap[chariot]) * edition.length + (edition.front[space] if space != NOTHING else 0)


def chariot_places(state: Any, edition: ChariotRaceEdition) -> list[int]:
    """Each chariot's place: by distance, wrecks together behind the others; R12: all last if nobody is left."""
    if all(state.wrecked[: int(state.chariots)]):
        return [int(state.chariots)] * int(state.chariots)
    keys = [
        -1_000_000 if state.wrecked[chariot] else chariot_distance(state, edition, chariot)
        for chariot in range(int(state.chariots))
    ]
    return [1 + sum(other > key for other in keys) for key in keys]


def _chariot(state: Any, edition: ChariotRaceEdition, chariot: int, faction: int, places: list[int]) -> dict[str, Any]:
    space = int(state.space[chariot])
    placed = space != NOTHING
    kind = int(state.kind[chariot])
    return {
        "chariot": chariot,
        "faction": faction,
        "colour": COLOURS[faction],
        "seat": int(state.seat[chariot]),
        "kind": edition.characters[kind] if kind != NOTHING else None,
        "space": space if placed else None,
        "name_of_space": edition.space_names[space] if placed else None,
        "lane": edition.lane[space] if placed else None,
        "lap": int(state.lap[chariot]),
        "distance": chariot_distance(state, edition, chariot),
        "condition": int(state.condition[chariot]),
        "speed": int(state.speed[chariot]),
        "fate": int(state.fate[chariot]),
        "wrecked": bool(state.wrecked[chariot]),
        "finished": not state.wrecked[chariot] and int(state.lap[chariot]) >= edition.laps,
        "place": places[chariot],
    }
