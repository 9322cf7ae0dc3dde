"""The view of a race of Chariot Race, the same for all seats: everything is public but future dice."""

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
    places = np.zeros(int(state.chariots), np.int64)
    entries.chariot_ranking(race, edition.data, places)
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
            _chariot(state, edition, chariot, entries.colour(race, edition.data, chariot), int(places[chariot]))
            for chariot in range(int(state.chariots))
        ],
    }


def heaps(state: Any, edition: ChariotRaceEdition) -> list[int]:
    """R18: the spaces with stone heaps, on half boards that show side B."""
    return edition.heaps_with(state.side)


def chariot_distance(state: Any, edition: ChariotRaceEdition, chariot: int) -> int:
    """R1: how far a chariot has come, in units of the course; 0 or less before the first crossing of the line."""
    space = int(state.space[chariot])
    return int(state.lap[chariot]) * edition.length + (edition.front[space] if space != NOTHING else 0)


def _chariot(state: Any, edition: ChariotRaceEdition, chariot: int, faction: int, place: int) -> dict[str, Any]:
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
        "place": place,
    }
