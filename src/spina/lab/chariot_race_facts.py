"""What studies of Chariot Race ask for: starting places, individual chariots, damage and where it came from, lanes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.games.chariot_race.rules.event_kinds import (
    CALTROP,
    CORNERED,
    CRASHED,
    JAVELIN,
    RAMMED,
    REPAIRED,
    ROLL_BOUGHT,
    ROLL_FIRST,
    ROLLED,
    SPED,
    SPIKED,
    STEPPED,
    TURN,
    TURNED,
)
from spina.games.chariot_race.rules.record import EDITION, GRID
from spina.games.pictures import FACTIONS
from spina.kernel.record import look
from spina.lab.recordings import Observed

FEW_DICE, MANY_DICE = 3, 5
"""A fast turn rolls at most so many dice, a slow one at least so many."""
PLACE_NAMES = ("front outside", "front middle", "front inside", "rear outside", "rear middle", "rear inside")
LANE_NAMES = ("inside", "middle", "outside")
Table = NDArray[Any]


def _fleet(observed: Observed) -> int:
    return int(observed.frames["chariots"].max())


def standings(observed: Observed) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_]]:
    """Spaces of the middle lane around the course, with whole laps; wrecks are out."""
    fleet, frames, record = _fleet(observed), observed.frames, look(observed.edition.data, EDITION)
    space = frames["space"][:, :fleet]
    unit = float(record.length) / float(record.count[int(record.lanes) // 2])
    standing = frames["lap"][:, :fleet] * float(record.length) + np.asarray(record.front)[np.maximum(space, 0)]
    standing /= unit
    standing[(frames["wrecked"][:, :fleet] == 1) | (space < 0)] = -np.inf
    first = observed.first_frames()
    in_race = np.arange(fleet)[None, :] < first["chariots"][:, None]
    return standing, np.where(in_race, first["seat"][:, :fleet], 0).astype(np.int64), in_race


def chariot_columns(observed: Observed) -> dict[str, Table]:
    fleet, first, last = _fleet(observed), observed.first_frames(), observed.last_frames()
    record = look(observed.edition.data, EDITION)
    grid = np.full(int(record.spaces) + 1, GRID, np.int64)
    grid[np.asarray(record.grid[:GRID])] = np.arange(GRID)
    characters = np.array(observed.edition.characters)  # type: ignore[attr-defined]
    colours, kinds = np.array([each.name for each in FACTIONS]), first["kind"][:, :fleet]
    attacks = observed.count_told(JAVELIN, fleet) + observed.count_told(CALTROP, fleet)
    columns = {
        "grid": np.array([*PLACE_NAMES, "none"])[grid[first["space"][:, :fleet]]],
        "kind": characters[np.maximum(kinds, 0)],
        "colour": colours[np.where(kinds > 0, kinds - 1, np.arange(fleet))],  # R23: board and colour go together
        "board": np.array([each["board"] for each in observed.options])[:, None].repeat(fleet, axis=1),
        "wrecked": last["wrecked"][:, :fleet],
        "repairs": observed.count_told(REPAIRED, fleet),
        "attacks": attacks,
        "rams": observed.count_told(RAMMED, fleet),
        "bought": observed.count_told(ROLLED, fleet, 2, ROLL_BOUGHT) + observed.count_told(TURNED, fleet),
        "heaps": observed.count_told(CRASHED, fleet),
    }
    return columns | _damage(observed, fleet)


def _damage(observed: Observed, fleet: int) -> dict[str, Table]:
    """By race and chariot: condition lost to each evil."""
    record = look(observed.edition.data, EDITION)
    rams = observed.count_told(RAMMED, fleet) * int(record.ram_damage)
    rows = observed.told(RAMMED)
    np.add.at(rams, (observed.event_race[rows], observed.events[rows, 2]), int(record.ram_damage))
    javelins = np.zeros((observed.count, fleet), np.int64)
    rows = observed.told(JAVELIN)
    np.add.at(javelins, (observed.event_race[rows], observed.events[rows, 2]), int(record.javelin_damage))
    return {
        "damage_corners": observed.sum_told(CORNERED, fleet, 0),
        "damage_rams": rams,
        "damage_caltrops": observed.count_told(SPIKED, fleet) * int(record.caltrop_damage),
        "damage_javelins": javelins,
        "damage_sprints": observed.sum_told(SPED, fleet, 2) * int(record.sprint_damage),
    }


def race_columns(observed: Observed) -> dict[str, Table]:
    last = observed.last_frames()
    fleet = _fleet(observed)
    wrecked = last["wrecked"][:, :fleet].sum(axis=1)
    alone = np.zeros(observed.count, bool)
    left = (observed.frames["wrecked"][:, :fleet] == 0) & (
        np.arange(fleet)[None, :] < observed.frames["chariots"][:, None]
    )
    ended = observed.frames["over"] == 1
    np.logical_or.at(alone, observed.frame_race[(left.sum(axis=1) == 1) & ~ended], True)
    return {
        "board": np.array([each["board"] for each in observed.options]),
        "wrecked": wrecked,
        "fleet": last["chariots"],
        "alone": alone,
        "nobody": wrecked == last["chariots"],
        **_dice_and_damage(observed),
        **_gain_by_lane(observed),
    }


def _turn_numbers(observed: Observed) -> NDArray[np.int64]:
    """Of every row of the story: the number of the chariot's turn it belongs to."""
    return np.cumsum(observed.events[:, 0] == TURN)


def _dice_and_damage(observed: Observed) -> dict[str, Table]:
    """Turns with few and with many dice, and the damage from corners in them."""
    number = _turn_numbers(observed)
    hurt = np.zeros(int(number.max(initial=0)) + 1, np.int64)
    corners = observed.told(CORNERED)
    np.add.at(hurt, number[corners], observed.events[corners, 2])
    rows = observed.told(ROLLED)
    rows = rows[observed.events[rows, 4] == ROLL_FIRST]
    dice = observed.events[rows, 2]
    columns: dict[str, Table] = {}
    for name, chosen in (("few", dice <= FEW_DICE), ("many", dice >= MANY_DICE)):
        turns, damage = np.zeros(observed.count, np.int64), np.zeros(observed.count, np.int64)
        np.add.at(turns, observed.event_race[rows[chosen]], 1)
        np.add.at(damage, observed.event_race[rows[chosen]], hurt[number[rows[chosen]]])
        columns |= {f"turns_{name}_dice": turns, f"damage_{name}_dice": damage}
    return columns


def _gain_by_lane(observed: Observed) -> dict[str, Table]:
    """Steps ahead within each lane, and the units of the course that they gain."""
    record = look(observed.edition.data, EDITION)
    length, front, lane = int(record.length), np.asarray(record.front), np.asarray(record.lane)
    number = _turn_numbers(observed)
    rows = np.flatnonzero((observed.events[:, 0] == STEPPED) | (observed.events[:, 0] == TURN))
    space = observed.events[rows, 2]
    follows = (number[rows[1:]] == number[rows[:-1]]) & (observed.events[rows[1:], 0] == STEPPED)
    begin, end, races = space[:-1][follows], space[1:][follows], observed.event_race[rows[1:]][follows]
    gain, same = (front[end] - front[begin]) % length, lane[begin] == lane[end]
    columns: dict[str, Table] = {}
    for each, name in enumerate(LANE_NAMES[: int(record.lanes)]):
        chosen = same & (lane[end] == each)
        steps, units = np.zeros(observed.count, np.int64), np.zeros(observed.count, np.int64)
        np.add.at(steps, races[chosen], 1)
        np.add.at(units, races[chosen], gain[chosen])
        columns |= {f"steps_{name}": steps, f"units_{name}": units}
    return columns
