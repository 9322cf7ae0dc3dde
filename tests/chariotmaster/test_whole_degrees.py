"""Turns that are measured in whole degrees end where the sweep of the same turn ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spina
from spina.games.chariotmaster.rules.clearance import clearance_at
from spina.games.chariotmaster.rules.field import base_at, pieces_in_play, pivot_free, turn_about
from spina.games.chariotmaster.rules.geometry import Pose, pivot_point
from spina.games.chariotmaster.rules.motions import CLEAR
from spina.games.chariotmaster.rules.record import DEGREE, EDITION, FULL, NOTHING, POINTS, RACE
from spina.games.chariotmaster.rules.track import FAR, at
from spina.games.chariotmaster.rules.whole_degrees import (
    UNSURE,
    Turn,
    can_measure,
    degrees_free,
    dip_of_track,
    is_furthest,
)
from spina.kernel.record import fields

SETTINGS: list[tuple[int, dict[str, Any]]] = [
    (4, {}),
    (6, {"scenario": "trial"}),
    (12, {"scenario": "maximus"}),
]
POSES = 60
LIMITS = (10, 30, 45, 180)


def swept(race: Any, edition: Any, pose: Pose, ahead: int, left: int, degrees: int) -> int:
    """Tenths of a degree that the sweep finds free."""
    return int(pivot_free(race, edition, 0, pose, ahead, left, degrees * DEGREE, 0))


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "options"), SETTINGS)
def test_measured_turns_end_where_sweeps_end(seats: int, options: dict[str, Any]) -> None:
    batch = spina.batch("chariotmaster", 4, seats, seed=seats, menus=False, threads=1, **options)
    chance, told, blocked, unsure = np.random.default_rng(seats), 0, 0, 0
    edition = fields(batch.edition.data, EDITION)
    while told < POSES:
        for _ in range(20):
            batch.step(batch.random_actions())
        race = fields(batch._arrays.races[int(chance.integers(4))].copy(), RACE)
        t, others = race.scenario, pieces_in_play(race, 0, 0)
        off = int(chance.choice([-1, 1]) * (edition.half_width[t] - 90 - chance.integers(200)))
        x, y, heading = at(edition, t, int(race.way[0] + chance.integers(-600, 600)), off)
        aslant = int(chance.choice([0, 900, 1800, 2700]) + chance.integers(-60, 61))
        pose = Pose(x, y, (heading + aslant) % FULL)
        clearance, dip = clearance_at(race, edition, 0, pose, others), dip_of_track(edition, t)
        if not can_measure(clearance, dip) or clearance.pieces < CLEAR:
            continue
        told += 1
        base = base_at(race, 0, pose)
        limit, side = int(chance.choice(LIMITS)), int(chance.choice([-1, 1]))
        for point in range(POINTS):
            ahead, left = pivot_point(base.half_long, base.half_wide, point)
            turn = Turn(ahead, left, turn_about(base, ahead, left, side).speed)
            free, hit = degrees_free(race, edition, base, clearance, dip, others, turn, side * limit)
            if free == UNSURE:
                unsure += 1
                continue
            furthest = rests = swept(race, edition, pose, ahead, left, side * limit) // DEGREE
            while rests > 0 and swept(race, edition, pose, ahead, left, side * rests) < rests * DEGREE:
                rests -= 1
            assert free == rests
            blocked += free < limit
            if hit != NOTHING and is_furthest(race, edition, base, clearance, turn, free, side * hit):
                assert furthest == rests
    assert blocked > POSES and unsure < POSES


def test_turns_round_tight_arcs_are_left_to_sweeps() -> None:
    race = spina.new("chariotmaster", seats=2, seed=1)
    edition = fields(race.edition.data.copy(), EDITION)
    t = int(fields(race._bytes.copy(), RACE).scenario)
    assert dip_of_track(edition, t) < CLEAR
    arc = next(i for i in range(int(edition.segments[t])) if edition.seg_radius[t, i])
    edition.seg_radius[t, arc] = edition.half_width[t] + 20
    assert dip_of_track(edition, t) == FAR
