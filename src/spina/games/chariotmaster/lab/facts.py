"""Facts of Chariotmaster: starting lanes and rows, equipment, species, tests, attacks, losses."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.games.chariotmaster.components.edition import ChariotmasterEdition
from spina.games.chariotmaster.components.equipment import CATEGORIES, MANY
from spina.games.chariotmaster.components.options import points_of
from spina.games.chariotmaster.rules.event_kinds import (
    ADJUSTMENTS,
    AT_RAM,
    AT_WHIP_DRIVER,
    AT_WHIP_HORSES,
    ATTACKED,
    CHANGED,
    COLLIDED,
    CRASHED,
    DRAWN,
    ENTANGLED,
    LOST_REINS,
    M_AHEAD,
    M_SWEEP,
    MOVED,
    OUT_OF,
    T_SUBMOVE,
    TESTED,
    TURN_ENDS,
)
from spina.games.chariotmaster.rules.record import DRAGGED, EDITION, OUT_STAMINA, STAMINA, TOKEN_NAMES, TOKENS
from spina.games.studies.profile import ChariotProgress, GameFacts
from spina.games.studies.recording import Recording
from spina.kernel.record import look

CM = 100
"""Units in a centimetre."""
HOME = 1e9
"""Greater than any progress, so that finishers are ahead, in the order in which they crossed the line."""
SKILLS = (5, 6, 7)
Table = NDArray[Any]


def _fleet(recording: Recording) -> int:
    """The most chariots that a race has."""
    return int(recording.frames["chariots"].max())


def chariot_progress(recording: Recording) -> ChariotProgress:
    """Progress in centimetres from the line; finishers before all others, the eliminated out of the race."""
    fleet, frames = _fleet(recording), recording.frames
    progress = frames["progress"][:, :fleet] / CM
    home = frames["home"][:, :fleet]
    progress = np.where(home > 0, HOME - 1000.0 * home, progress)
    progress[(frames["out"][:, :fleet] == 1) & (home == 0)] = -np.inf
    first = recording.first_frames()
    in_race = np.arange(fleet)[None, :] < first["chariots"][:, None]
    return ChariotProgress(progress, np.where(in_race, first["seat"][:, :fleet], 0).astype(np.int64), in_race)


def chariot_columns(recording: Recording) -> dict[str, Table]:
    """Starting lane and row, stamina, tests, attacks, collisions, losses and equipment of each chariot."""
    fleet, first, last = _fleet(recording), recording.first_frames(), recording.last_frames()
    lanes, rows = _start(recording, fleet, first)
    tests = recording.count_events(TESTED, fleet, 0, T_SUBMOVE)
    able = (last["horses"][:, :fleet] > 0) & (last["place"][:, :fleet] <= DRAGGED) & (last["out"][:, :fleet] == 0)
    columns: dict[str, Table] = {
        "lane": lanes,
        "row": rows,
        "home": last["home"][:, :fleet],
        "able": (last["home"][:, :fleet] > 0) | able,
        "stamina_first": first["points"][:, :fleet, STAMINA],
        "stamina_left": last["points"][:, :fleet, STAMINA],
        "exhausted": recording.count_events(OUT_OF, fleet, 0, OUT_STAMINA),
        "tests": tests,
        "attacks": recording.count_events(ATTACKED, fleet),
        "collisions": recording.count_events(COLLIDED, fleet),
        "crashes": recording.count_events(CRASHED, fleet),
        "dragged": recording.count_events(ENTANGLED, fleet),
        "reins_lost": recording.count_events(LOST_REINS, fleet),
    }
    return columns | _driving(recording, fleet) | _equipment(recording, fleet)


def _driving(recording: Recording, fleet: int) -> dict[str, Table]:
    """By race and chariot: turns with each token, how speeds were changed, failed tests, attacks by kind."""
    tests = recording.rows_of(TESTED)
    failed = np.zeros((recording.count, fleet), np.int64)
    lost = tests[(recording.events[tests, 2] == T_SUBMOVE) & (recording.events[tests, 6] == 0)]
    np.add.at(failed, (recording.event_race[lost], recording.events[lost, 1]), 1)
    changed = [recording.count_events(CHANGED, fleet, 0, how) for how in range(len(ADJUSTMENTS))]
    moves = [recording.count_events(MOVED, fleet, 1, how) for how in (M_AHEAD, M_SWEEP)]
    return {
        "turns": recording.count_events(DRAWN, fleet),
        **{f"with_{name}": recording.count_events(DRAWN, fleet, 0, i) for i, name in enumerate(TOKEN_NAMES)},
        "driven": recording.sum_events(TURN_ENDS, fleet, 0) / CM,
        "submoves": sum(moves),
        "sweeps": moves[1],
        "failed": failed,
        **dict(zip(ADJUSTMENTS, changed, strict=True)),
        "rams_made": recording.count_events(ATTACKED, fleet, 0, AT_RAM),
        "whips_made": recording.count_events(ATTACKED, fleet, 0, AT_WHIP_HORSES)
        + recording.count_events(ATTACKED, fleet, 0, AT_WHIP_DRIVER),
        "finished": recording.last_frames()["home"][:, :fleet] > 0,
        "eliminated": recording.last_frames()["out"][:, :fleet] == 1,
    }


def _equipment(recording: Recording, fleet: int) -> dict[str, Table]:
    """Species and items of every chariot, by category; where there may be several, all of them."""
    columns = {name: np.full((recording.count, fleet), "none", dtype="U24") for name in ("species", *CATEGORIES)}
    cost = np.zeros((recording.count, fleet), np.int64)
    edition = recording.edition
    assert isinstance(edition, ChariotmasterEdition)
    points: dict[int, list[int]] = {}
    for race, options in enumerate(recording.options):
        if id(options) not in points:
            points[id(options)] = points_of(edition, options)
        cost[race, : len(options["designs"])] = points[id(options)]
        for chariot, design in enumerate(options["designs"]):
            columns["species"][race, chariot] = design["race"] or "none"
            for category in CATEGORIES:
                chosen = design[category]
                columns[category][race, chariot] = " + ".join(chosen) if category in MANY else chosen
    return {**columns, "cost": cost}


def _start(recording: Recording, fleet: int, first: Table) -> tuple[Table, Table]:
    """Lane from the inside and row, both from 1, of every chariot before the race."""
    record = look(recording.edition.data, EDITION)
    inside = np.asarray(record.inside)[first["scenario"]]
    heading = np.deg2rad(first["heading"][:, :fleet] / 10.0)
    left = first["y"][:, :fleet] * np.cos(heading) - first["x"][:, :fleet] * np.sin(heading)
    depth = left * inside[:, None]
    way, gap = first["progress"][:, :fleet], 2.0 * CM
    present = np.arange(fleet)[None, :] < first["chariots"][:, None]
    front = np.where(present, way, -(10**9)).max(axis=1, keepdims=True)
    rows = np.where(way < front - gap, 2, 1)
    lanes = np.zeros((recording.count, fleet), np.int64)
    for row in (1, 2):
        own = np.where((rows == row) & present, -depth, np.inf)
        rank = np.argsort(np.argsort(own, axis=1, kind="stable"), axis=1) + 1
        lanes = np.where((rows == row) & present, rank, lanes)
    return lanes, rows


def race_columns(recording: Recording) -> dict[str, Table]:
    """Scenario, finishers, collisions, steps back and tests of each race."""
    last = recording.last_frames()
    return {
        "scenario": np.array([each["scenario"] for each in recording.options]),
        "finishers": last["finishers"],
        "collisions": recording.count_events(COLLIDED, max(_fleet(recording), 60)).sum(axis=1),
        **_steps_back(recording),
        **_tests(recording),
    }


def _steps_back(recording: Recording) -> dict[str, Table]:
    """Game turns after which a chariot was further back than before."""
    fleet = _fleet(recording)
    progress = recording.frames["progress"][:, :fleet]
    back = (progress[1:] < progress[:-1]).sum(axis=1) * (recording.frame_race[1:] == recording.frame_race[:-1])
    total = np.zeros(recording.count, np.int64)
    np.add.at(total, recording.frame_race[1:], back)
    return {"steps_back": total}


def _tests(recording: Recording) -> dict[str, Table]:
    """Sub-move tests taken and passed, by token in use and by skill."""
    fleet = _fleet(recording)
    rows = np.flatnonzero((recording.events[:, 0] == DRAWN) | (recording.events[:, 0] == TESTED))
    columns = {
        f"{what}_{name}": np.zeros(recording.count, np.int64)
        for name in (*[f"token_{token}" for token in range(TOKENS)], *[f"skill_{skill}" for skill in SKILLS])
        for what in ("tests", "passed")
    }
    token = np.zeros(fleet, np.int64)
    for race, (kind, chariot, a, _, _, skill, passed, _) in zip(
        recording.event_race[rows].tolist(), recording.events[rows].tolist(), strict=True
    ):
        if kind == DRAWN:
            token[chariot] = a
        elif a == T_SUBMOVE:
            names = [f"token_{token[chariot]}", *([f"skill_{skill}"] if skill in SKILLS else [])]
            for name in names:
                columns[f"tests_{name}"][race] += 1
                columns[f"passed_{name}"][race] += passed
    return columns


FACTS = GameFacts(chariot_progress, "spaces", race_columns, chariot_columns)
