"""The paths of a move for offers and reasons: the ends that it can have, with the way of least damage to each.

No rule is written here: `rules/paths.py` follows the ways, and says which of those that meet it goes on with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from spina.games.chariot_race.components.edition import ChariotRaceEdition
from spina.games.chariot_race.play.actions import notations
from spina.games.chariot_race.play.offer_types import CornerLoss, Path, PathEnd, Ram, SignsOffer, StepOffer
from spina.games.chariot_race.rules import paths as search
from spina.games.chariot_race.rules.record import CHANGE, DO_SIGNS, RACE, SPRINT
from spina.kernel.narration import WIDTH
from spina.kernel.record import Bytes
from spina.kernel.record_views import reader

MOST_PATHS = 120
"""Most paths that are listed, unless there are more ends: the best path to each end is always listed."""
ROOM = 512
"""Ways for which there is room at first."""
EVENTS = 4
"""Events of an action for which there is room, on average."""
GROWTH = 4
"""How many times as much room there is after it was too little."""

_READ = reader(RACE, "chariot", "speed", "die", "rolled")


class Ways(msgspec.Struct, frozen=True):
    """The ways that a search has found."""

    race: Bytes
    """The race before the move."""
    edition: ChariotRaceEdition
    ways: NDArray[np.int64]
    """Rows with the columns of `rules/paths.py`."""
    story: NDArray[np.int32]
    """The events of all ways."""
    ends: list[list[int]]
    """Ends that are listed, with the columns of `rules/paths.py`: the furthest first, wrecks last."""


Account: TypeAlias = tuple[list[str], list[int], int, int, int, int, bool, dict[str, Any]]
"""What a way leads to: its actions, the spaces entered, end, lap, place, steps left, whether the move is complete, and
the fields of `Losses`. A tuple, because there are many."""


def ways_from(race: Bytes, edition: ChariotRaceEdition, codes: Sequence[int]) -> Ways:
    """All ways to complete the move that begin with one of these actions, which are in rising order."""
    begun = np.array(codes, np.int64)
    room = ROOM
    while True:
        ways, ends = _table(room, search.WAY_COLUMNS), _table(room, search.END_COLUMNS)
        story = np.empty((1 + EVENTS * room, WIDTH), np.int32)
        story[0, 0] = 0
        places, states = _table(room, search.PLACE_COLUMNS), _table(room, search.STATE_WORDS)
        heads = np.zeros(search.HEADS, np.int64)
        found = search.explore(race.copy(), edition.data, begun, ways, places, states, ends, heads, story)
        if found != search.FULL:
            return Ways(race, edition, ways, story, _listed(sorted(ends[1 : found + 1].tolist())))
        room *= GROWTH


def _table(rows: int, columns: int) -> NDArray[np.int64]:
    return np.empty((rows, columns), np.int64)


def _listed(ranked: list[list[int]]) -> list[list[int]]:
    """The ends that are listed, of all ends in their order: the first with each speed and space, and then others."""
    if len(ranked) <= MOST_PATHS:
        return ranked
    firsts: set[tuple[int, int]] = set()
    others: list[list[int]] = []
    listed: list[list[int]] = []
    for end in ranked:
        place = end[search.END_SPEED], end[search.END_SPACE]
        (others if place in firsts else listed).append(end)
        firsts.add(place)
    return sorted(listed + others[: max(0, MOST_PATHS - len(listed))])


def _accounts(found: Ways, chosen: Sequence[int]) -> Iterator[Account]:
    """What these ways lead to, in this order."""
    out = np.empty(len(chosen) * search.LONGEST_ACCOUNT, np.int64)
    race, edition, ways, story = found.race, found.edition, found.ways, found.story
    length = search.recount(race, edition.data, ways, story, np.array(chosen, np.int64), out)
    numbers = out[:length].tolist()
    name = notations(edition).__getitem__
    at = 0
    while at < length:
        (
            speed, condition, sprint, corner, ram, caltrop, end, lap, points, done, put_back, heap,
            acted, entered, corners, rams, caltrops, wrecks, place,
        ) = numbers[at : at + search.TOLD]  # fmt: skip
        actions = at + search.TOLD
        spaces = actions + acted
        first_corner = spaces + entered
        first_ram = first_corner + search.CORNER_NUMBERS * corners
        first_caltrop = first_ram + search.RAM_NUMBERS * rams
        first_wreck = first_caltrop + caltrops
        at = first_wreck + wrecks
        losses = {
            "speed": speed,
            "condition": condition,
            "sprint": sprint,
            "corner": corner,
            "ram": ram,
            "caltrop": caltrop,
            "damage": sprint + corner + ram + caltrop,
            "corners": _corners(numbers[first_corner:first_ram]) if corners else [],
            "rams": _rams(numbers[first_ram:first_caltrop]) if rams else [],
            "caltrops": numbers[first_caltrop:first_wreck],
            "put_back": put_back == 1,
            "heap": heap == 1,
            "wrecks": numbers[first_wreck:at],
            "wrecked": condition == 0,
        }
        listed = list(map(name, numbers[actions:spaces]))
        yield listed, numbers[spaces:first_corner], end, lap, place, points, done == 1, losses


def _corners(numbers: Sequence[int]) -> list[CornerLoss]:
    each = zip(*[iter(numbers)] * search.CORNER_NUMBERS, strict=True)
    return [CornerLoss(space=space, safe=safe, damage=damage) for space, safe, damage in each]


def _rams(numbers: Sequence[int]) -> list[Ram]:
    each = zip(*[iter(numbers)] * search.RAM_NUMBERS, strict=True)
    return [Ram(chariot=chariot, condition=condition) for chariot, condition in each]


def paths_from(race: Bytes, edition: ChariotRaceEdition, codes: Sequence[int]) -> list[Path]:
    """The ends of the move with the path of least damage to each; the furthest first, wrecks last."""
    return paths_of(ways_from(race, edition, codes))


def paths_of(found: Ways) -> list[Path]:
    """The ends of the ways with the path of least damage to each; the furthest first, wrecks last."""
    laps = found.edition.laps
    return [
        Path(actions=actions, spaces=spaces, end=end, lap=lap, place=place, finished=lap >= laps, **losses)
        for actions, spaces, end, lap, place, _, _, losses in _accounts(
            found, [way[search.END_WAY] for way in found.ends]
        )
    ]


def preview(found: Ways) -> list[PathEnd]:
    """The spaces on which the ways end, each with the least damage."""
    least: dict[int, tuple[int, int]] = {}
    for end in found.ends:
        here, space = (end[search.END_WRECKED], end[search.END_DAMAGE]), end[search.END_SPACE]
        if here < least.setdefault(space, here):
            least[space] = here
    return [PathEnd(end=space, damage=damage, wrecked=bool(wrecked)) for space, (wrecked, damage) in least.items()]


def signs_offers(found: Ways, codes: Sequence[int]) -> list[SignsOffer]:
    """The number of +/- dice that count as plus, and the speed; forced steps are part of the paths."""
    chariot, speed, die, rolled = _READ(found.race)
    changes, sprints = die[:rolled].count(CHANGE), die[:rolled].count(SPRINT)
    return [
        SignsOffer(
            action=action,
            plus=code - DO_SIGNS,
            minus=changes - (code - DO_SIGNS),
            sprints=sprints,
            before=speed[chariot],
            **losses,
        )
        for code, ((action,), *_, losses) in zip(codes, _first_steps(found, codes), strict=True)
    ]


def step_offers(found: Ways, codes: Sequence[int]) -> list[StepOffer]:
    """The single steps, each with the forced steps after it (R28)."""
    return [
        StepOffer(action=action, spaces=spaces, space=end, points=points, done=done, **losses)
        for (action,), spaces, end, _, _, points, done, losses in _first_steps(found, codes)
    ]


def _first_steps(found: Ways, codes: Sequence[int]) -> Iterator[Account]:
    """What each action that the ways begin with leads to, alone."""
    return _accounts(found, range(1, len(codes) + 1))
