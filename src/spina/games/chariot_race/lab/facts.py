"""Facts of Chariot Race: starting places, individual chariots, damage and its causes, lanes."""

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
from spina.games.chariot_race.rules.record import AHEAD, EDITION, GRID
from spina.games.factions import FACTIONS
from spina.games.studies.profile import ChariotProgress, GameFacts
from spina.games.studies.recording import Recording
from spina.kernel.record import look

FEW_DICE, MANY_DICE = 3, 5
"""A fast turn rolls at most FEW_DICE dice, a slow one at least MANY_DICE."""
PLACE_NAMES = ("front outside", "front middle", "front inside", "rear outside", "rear middle", "rear inside")
LANE_NAMES = ("inside", "middle", "outside")
Table = NDArray[Any]


def _fleet(recording: Recording) -> int:
    """The most chariots that a race has."""
    return int(recording.frames["chariots"].max())


def chariot_progress(recording: Recording) -> ChariotProgress:
    """Progress in spaces of the middle lane, with whole laps; wrecks are out of the race."""
    fleet, frames, record = _fleet(recording), recording.frames, look(recording.edition.data, EDITION)
    space = frames["space"][:, :fleet]
    unit = float(record.length) / float(record.count[int(record.lanes) // 2])
    progress = frames["lap"][:, :fleet] * float(record.length) + np.asarray(record.front)[np.maximum(space, 0)]
    progress /= unit
    progress[(frames["wrecked"][:, :fleet] == 1) | (space < 0)] = -np.inf
    first = recording.first_frames()
    in_race = np.arange(fleet)[None, :] < first["chariots"][:, None]
    return ChariotProgress(progress, np.where(in_race, first["seat"][:, :fleet], 0).astype(np.int64), in_race)


def chariot_columns(recording: Recording) -> dict[str, Table]:
    """Starting place, kind, colour, board, wreck, repairs, attacks and damage of each chariot."""
    fleet, first, last = _fleet(recording), recording.first_frames(), recording.last_frames()
    record = look(recording.edition.data, EDITION)
    grid = np.full(int(record.spaces) + 1, GRID, np.int64)
    grid[np.asarray(record.grid[:GRID])] = np.arange(GRID)
    characters = np.array(recording.edition.characters)  # type: ignore[attr-defined]
    colours, kinds = np.array([each.name for each in FACTIONS]), first["kind"][:, :fleet]
    attacks = recording.count_events(JAVELIN, fleet) + recording.count_events(CALTROP, fleet)
    columns = {
        "grid": np.array([*PLACE_NAMES, "none"])[grid[first["space"][:, :fleet]]],
        "kind": characters[np.maximum(kinds, 0)],
        "colour": colours[np.where(kinds > 0, kinds - 1, np.arange(fleet))],  # R23: board and colour go together
        "board": np.array([each["board"] for each in recording.options])[:, None].repeat(fleet, axis=1),
        "wrecked": last["wrecked"][:, :fleet],
        "repairs": recording.count_events(REPAIRED, fleet),
        "attacks": attacks,
        "rams": recording.count_events(RAMMED, fleet),
        "bought": recording.count_events(ROLLED, fleet, 2, ROLL_BOUGHT) + recording.count_events(TURNED, fleet),
        "heaps": recording.count_events(CRASHED, fleet),
    }
    return columns | _damage(recording, fleet) | _driving(recording, fleet)


def _driving(recording: Recording, fleet: int) -> dict[str, Table]:
    """By race and chariot: turns and their speeds, lane changes, corners above their numbers, hits on rivals."""
    record = look(recording.edition.data, EDITION)
    speeds = recording.rows_of(SPED)
    slow = np.zeros((recording.count, fleet), np.int64)
    braked = speeds[recording.events[speeds, 6] < recording.events[speeds, 5]]
    np.add.at(slow, (recording.event_race[braked], recording.events[braked, 1]), 1)
    steps = recording.rows_of(STEPPED)
    inside = np.zeros((recording.count, fleet), np.int64)
    within = steps[np.asarray(record.lane)[recording.events[steps, 2]] == 0]
    np.add.at(inside, (recording.event_race[within], recording.events[within, 1]), 1)
    return {
        "turns": recording.count_events(SPED, fleet),
        "speed": recording.sum_events(SPED, fleet, 4),
        "slower": slow,
        "spaces": recording.count_events(STEPPED, fleet),
        "inside": inside,
        "lane_changes": recording.count_events(STEPPED, fleet) - recording.count_events(STEPPED, fleet, 1, AHEAD),
        "hot_corners": recording.count_events(CORNERED, fleet),
        "javelins": recording.count_events(JAVELIN, fleet),
        "caltrops": recording.count_events(CALTROP, fleet),
        "wrecks_made": recording.count_events(JAVELIN, fleet, 1, 0) + recording.count_events(RAMMED, fleet, 2, 0),
    }


def _damage(recording: Recording, fleet: int) -> dict[str, Table]:
    """By race and chariot: condition lost to each cause."""
    record = look(recording.edition.data, EDITION)
    rams = recording.count_events(RAMMED, fleet) * int(record.ram_damage)
    rows = recording.rows_of(RAMMED)
    np.add.at(rams, (recording.event_race[rows], recording.events[rows, 2]), int(record.ram_damage))
    javelins = np.zeros((recording.count, fleet), np.int64)
    rows = recording.rows_of(JAVELIN)
    np.add.at(javelins, (recording.event_race[rows], recording.events[rows, 2]), int(record.javelin_damage))
    return {
        "damage_corners": recording.sum_events(CORNERED, fleet, 0),
        "damage_rams": rams,
        "damage_caltrops": recording.count_events(SPIKED, fleet) * int(record.caltrop_damage),
        "damage_javelins": javelins,
        "damage_sprints": recording.sum_events(SPED, fleet, 2) * int(record.sprint_damage),
    }


def race_columns(recording: Recording) -> dict[str, Table]:
    """Board, wrecks, dice and gains by lane of each race."""
    last = recording.last_frames()
    fleet = _fleet(recording)
    wrecked = last["wrecked"][:, :fleet].sum(axis=1)
    alone = np.zeros(recording.count, bool)
    left = (recording.frames["wrecked"][:, :fleet] == 0) & (
        np.arange(fleet)[None, :] < recording.frames["chariots"][:, None]
    )
    ended = recording.frames["over"] == 1
    np.logical_or.at(alone, recording.frame_race[(left.sum(axis=1) == 1) & ~ended], True)
    return {
        "board": np.array([each["board"] for each in recording.options]),
        "wrecked": wrecked,
        "fleet": last["chariots"],
        "alone": alone,
        "nobody": wrecked == last["chariots"],
        **_dice_and_damage(recording),
        **_gain_by_lane(recording),
    }


def _turn_numbers(recording: Recording) -> NDArray[np.int64]:
    """For each event: the number of the chariot turn that it belongs to."""
    return np.cumsum(recording.events[:, 0] == TURN)


def _dice_and_damage(recording: Recording) -> dict[str, Table]:
    """Turns with few and with many dice, and the damage from corners in them."""
    number = _turn_numbers(recording)
    hurt = np.zeros(int(number.max(initial=0)) + 1, np.int64)
    corners = recording.rows_of(CORNERED)
    np.add.at(hurt, number[corners], recording.events[corners, 2])
    rows = recording.rows_of(ROLLED)
    rows = rows[recording.events[rows, 4] == ROLL_FIRST]
    dice = recording.events[rows, 2]
    columns: dict[str, Table] = {}
    for name, chosen in (("few", dice <= FEW_DICE), ("many", dice >= MANY_DICE)):
        turns, damage = np.zeros(recording.count, np.int64), np.zeros(recording.count, np.int64)
        np.add.at(turns, recording.event_race[rows[chosen]], 1)
        np.add.at(damage, recording.event_race[rows[chosen]], hurt[number[rows[chosen]]])
        columns |= {f"turns_{name}_dice": turns, f"damage_{name}_dice": damage}
    return columns


def _gain_by_lane(recording: Recording) -> dict[str, Table]:
    """Steps ahead within each lane, and the units of the course that they gain."""
    record = look(recording.edition.data, EDITION)
    length, front, lane = int(record.length), np.asarray(record.front), np.asarray(record.lane)
    number = _turn_numbers(recording)
    rows = np.flatnonzero((recording.events[:, 0] == STEPPED) | (recording.events[:, 0] == TURN))
    space = recording.events[rows, 2]
    follows = (number[rows[1:]] == number[rows[:-1]]) & (recording.events[rows[1:], 0] == STEPPED)
    begin, end, races = space[:-1][follows], space[1:][follows], recording.event_race[rows[1:]][follows]
    gain, same = (front[end] - front[begin]) % length, lane[begin] == lane[end]
    columns: dict[str, Table] = {}
    for each, name in enumerate(LANE_NAMES[: int(record.lanes)]):
        chosen = same & (lane[end] == each)
        steps, units = np.zeros(recording.count, np.int64), np.zeros(recording.count, np.int64)
        np.add.at(steps, races[chosen], 1)
        np.add.at(units, races[chosen], gain[chosen])
        columns |= {f"steps_{name}": steps, f"units_{name}": units}
    return columns


FACTS = GameFacts(chariot_progress, "spaces", race_columns, chariot_columns)
