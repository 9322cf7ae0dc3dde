"""What studies of Chariotmaster ask for: starting lanes and rows, equipment, species, tests, attacks, losses."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.games.chariotmaster.components.equipment import CATEGORIES, MANY
from spina.games.chariotmaster.rules.event_kinds import (
    ATTACKED,
    COLLIDED,
    CRASHED,
    DRAWN,
    ENTANGLED,
    LOST_REINS,
    OUT_OF,
    T_SUBMOVE,
    TESTED,
)
from spina.games.chariotmaster.rules.record import DRAGGED, EDITION, OUT_STAMINA, STAMINA, TOKENS
from spina.kernel.record import look
from spina.lab.recordings import Observed

CM = 100
"""Units in a centimetre."""
HOME = 1e9
"""Beyond every progress: finishers stand in the order in which they crossed."""
SKILLS = (5, 6, 7)
Table = NDArray[Any]


def _fleet(observed: Observed) -> int:
    return int(observed.frames["chariots"].max())


def standings(observed: Observed) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_]]:
    """Centimetres from the line; finishers before all others, the eliminated out."""
    fleet, frames = _fleet(observed), observed.frames
    standing = frames["progress"][:, :fleet] / CM
    home = frames["home"][:, :fleet]
    standing = np.where(home > 0, HOME - 1000.0 * home, standing)
    standing[(frames["out"][:, :fleet] == 1) & (home == 0)] = -np.inf
    first = observed.first_frames()
    in_race = np.arange(fleet)[None, :] < first["chariots"][:, None]
    return standing, np.where(in_race, first["seat"][:, :fleet], 0).astype(np.int64), in_race


def chariot_columns(observed: Observed) -> dict[str, Table]:
    fleet, first, last = _fleet(observed), observed.first_frames(), observed.last_frames()
    lanes, rows = _start(observed, fleet, first)
    tests = observed.count_told(TESTED, fleet, 0, T_SUBMOVE)
    able = (last["horses"][:, :fleet] > 0) & (last["place"][:, :fleet] <= DRAGGED) & (last["out"][:, :fleet] == 0)
    columns: dict[str, Table] = {
        "lane": lanes,
        "row": rows,
        "home": last["home"][:, :fleet],
        "able": (last["home"][:, :fleet] > 0) | able,
        "stamina_first": first["points"][:, :fleet, STAMINA],
        "stamina_left": last["points"][:, :fleet, STAMINA],
        "exhausted": observed.count_told(OUT_OF, fleet, 0, OUT_STAMINA),
        "tests": tests,
        "attacks": observed.count_told(ATTACKED, fleet),
        "collisions": observed.count_told(COLLIDED, fleet),
        "crashes": observed.count_told(CRASHED, fleet),
        "dragged": observed.count_told(ENTANGLED, fleet),
        "reins_lost": observed.count_told(LOST_REINS, fleet),
    }
    return columns | _equipment(observed, fleet)


def _equipment(observed: Observed, fleet: int) -> dict[str, Table]:
    """Species and items of every chariot, by category; where there may be several, all of them."""
    columns = {name: np.full((observed.count, fleet), "none", dtype="U24") for name in ("species", *CATEGORIES)}
    cost = np.zeros((observed.count, fleet), np.int64)
    points: dict[int, list[int]] = {}
    for race, options in enumerate(observed.options):
        if id(options) not in points:
            points[id(options)] = observed.game.points_of(observed.edition, options)  # type: ignore[attr-defined]
        cost[race, : len(options["designs"])] = points[id(options)]
        for chariot, design in enumerate(options["designs"]):
            columns["species"][race, chariot] = design["race"] or "none"
            for category in CATEGORIES:
                chosen = design[category]
                columns[category][race, chariot] = " + ".join(chosen) if category in MANY else chosen
    return {**columns, "cost": cost}


def _start(observed: Observed, fleet: int, first: Table) -> tuple[Table, Table]:
    """Lane from the inside and row, both from 1, of every chariot before the race."""
    record = look(observed.edition.data, EDITION)
    inside = np.asarray(record.inside)[first["scenario"]]
    heading = np.deg2rad(first["heading"][:, :fleet] / 10.0)
    left = first["y"][:, :fleet] * np.cos(heading) - first["x"][:, :fleet] * np.sin(heading)
    depth = left * inside[:, None]
    way, gap = first["progress"][:, :fleet], 2.0 * CM
    present = np.arange(fleet)[None, :] < first["chariots"][:, None]
    front = np.where(present, way, -(10**9)).max(axis=1, keepdims=True)
    rows = np.where(way < front - gap, 2, 1)
    lanes = np.zeros((observed.count, fleet), np.int64)
    for row in (1, 2):
        own = np.where((rows == row) & present, -depth, np.inf)
        rank = np.argsort(np.argsort(own, axis=1, kind="stable"), axis=1) + 1
        lanes = np.where((rows == row) & present, rank, lanes)
    return lanes, rows


def race_columns(observed: Observed) -> dict[str, Table]:
    last = observed.last_frames()
    return {
        "scenario": np.array([each["scenario"] for each in observed.options]),
        "finishers": last["finishers"],
        "collisions": observed.count_told(COLLIDED, max(_fleet(observed), 60)).sum(axis=1),
        **_steps_back(observed),
        **_tests(observed),
    }


def _steps_back(observed: Observed) -> dict[str, Table]:
    """Game turns after which a chariot stood further back than before."""
    fleet = _fleet(observed)
    progress = observed.frames["progress"][:, :fleet]
    back = (progress[1:] < progress[:-1]).sum(axis=1) * (observed.frame_race[1:] == observed.frame_race[:-1])
    total = np.zeros(observed.count, np.int64)
    np.add.at(total, observed.frame_race[1:], back)
    return {"steps_back": total}


def _tests(observed: Observed) -> dict[str, Table]:
    """Sub-move tests taken and passed, by token in use and by skill."""
    fleet = _fleet(observed)
    rows = np.flatnonzero((observed.events[:, 0] == DRAWN) | (observed.events[:, 0] == TESTED))
    columns = {
        f"{what}_{name}": np.zeros(observed.count, np.int64)
        for name in (*[f"token_{token}" for token in range(TOKENS)], *[f"skill_{skill}" for skill in SKILLS])
        for what in ("tests", "passed")
    }
    token = np.zeros(fleet, np.int64)
    for race, (kind, chariot, a, _, _, skill, passed, _) in zip(
        observed.event_race[rows].tolist(), observed.events[rows].tolist(), strict=True
    ):
        if kind == DRAWN:
            token[chariot] = a
        elif a == T_SUBMOVE:
            names = [f"token_{token[chariot]}", *([f"skill_{skill}"] if skill in SKILLS else [])]
            for name in names:
                columns[f"tests_{name}"][race] += 1
                columns[f"passed_{name}"][race] += passed
    return columns
