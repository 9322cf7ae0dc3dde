"""Moves swept among pieces and walls: the first contact is the one that trying every single step finds (M4, N4-N6)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from geometry_worlds import Corridor, Floats, World, centre_points, circus, corners, plain, separations, winding

from spina.games.chariotmaster.rules.record import CHARIOT, CHARIOTS, DRIVER, DRIVER_OF, NOTHING, TEAM, WRECK, WRECK_OF

ROUGH = 0.02
"""Units that floats, and walls made of short chords, may be off."""


def steps_of_slide(pose: tuple[int, int, int], direction: int, most: int) -> tuple[Any, Any, Any]:
    d = np.arange(most + 1)
    angle = direction * math.pi / 1800
    x, y = pose[0] + np.floor(d * math.cos(angle) + 0.5), pose[1] + np.floor(d * math.sin(angle) + 0.5)
    return x, y, np.full(most + 1, pose[2])


def steps_of_pivot(pose: tuple[int, int, int], ahead: int, left: int, angle: int) -> tuple[Any, Any, Any]:
    turn = np.arange(abs(angle) + 1) * (1 if angle >= 0 else -1)
    before, after = pose[2] * math.pi / 1800, (pose[2] + turn) * math.pi / 1800
    px = ahead * (math.cos(before) - np.cos(after)) - left * (math.sin(before) - np.sin(after))
    py = ahead * (math.sin(before) - np.sin(after)) + left * (math.cos(before) - np.cos(after))
    return pose[0] + np.floor(px + 0.5), pose[1] + np.floor(py + 0.5), pose[2] + turn


def check_sweep(gaps: list[Floats], rest: int, hit: int | None, most: int) -> bool:
    """Compare a sweep with the separations at every step, a row for each thing; results within tolerance pass."""
    table = np.array(gaps) if gaps else np.full((1, most + 1), 1e6)
    start = table[:, :1]
    hits = (table < np.minimum(-1, start) - ROUGH).any(0)
    perhaps = (table < np.minimum(-1, start) + ROUGH).any(0)
    clear = (table >= np.minimum(1, start) - ROUGH).all(0)
    surely = (table >= np.minimum(1, start) + ROUGH).all(0)
    perhaps[0], surely[0] = False, True
    end = most
    if hit is not None:
        if hit == NOTHING:
            assert not hits.any(), (int(np.argmax(hits)), table[:, np.argmax(hits)])
        else:
            assert perhaps[hit], (hit, table[:, hit])
            assert not hits[1:hit].any(), (hit, int(np.argmax(hits)))
            end = hit - 1
    elif hits.any():
        end = int(np.argmax(hits)) - 1
    assert clear[rest], (rest, table[:, rest])
    assert not surely[rest + 1 : end + 1].any(), (rest, end)
    return bool(hits.any())


def scatter(
    world: World, rng: np.random.Generator, ways: tuple[int, int], spread: int, tilt: int, count: int = 9
) -> None:
    """Chariots, wrecks, teams and drivers at random, none on top of another."""
    world.clear()
    placed = 0
    for _ in range(40):
        piece = placed
        kind = CHARIOT
        if placed >= 5:
            piece, kind = ((WRECK_OF + placed, WRECK), (DRIVER_OF + placed, DRIVER), (placed, TEAM))[placed % 3]
        way, off = int(rng.integers(*ways)), int(rng.integers(-spread, spread + 1))
        x, y, heading = world.ask("at", way, off)
        pose = (x, y, int(heading + rng.integers(-tilt, tilt + 1)) % 3600)
        world.put(piece, kind, pose, way)
        if world.ask("is_clear", piece, *pose, 0):
            placed += 1
        else:
            world.race.kind[piece] = 0
        if placed == count:
            return


def is_near(world: World, steps: tuple[Any, Any, Any], other: int) -> bool:
    x, y, _ = world.pose(other)
    return bool((np.hypot(steps[0] - x, steps[1] - y) < 500).any())


def things_in_the_way(world: World, piece: int, steps: tuple[Any, Any, Any], corridor: Corridor | None) -> list[Floats]:
    _, _, _, half_long, half_wide = world.base(piece)
    mine = corners(*steps, half_long, half_wide)
    rows = [
        separations(mine, corners(*world.base(other)))
        for other in range(3 * CHARIOTS)
        if other != piece and world.race.kind[other] and is_near(world, steps, other)
    ]
    if corridor:
        rows.append(corridor.separations(mine))
    return rows


def try_moves(world: World, rng: np.random.Generator, piece: int, corridor: Corridor | None) -> int:
    pose = world.pose(piece)
    direction = int(pose[2] + rng.choice([0, 0, 900, -900, 1800, rng.integers(0, 3600)])) % 3600
    rest, hit = world.way_free(piece, direction, 1500)
    most = 1500 if hit == NOTHING else hit  # separations after the hit do not matter
    steps = steps_of_slide(pose, direction, most)
    hits = check_sweep(things_in_the_way(world, piece, steps, corridor), rest, hit, most)
    _, _, _, half_long, half_wide = world.base(piece)
    ahead, left = world.ask("pivot_point", half_long, half_wide, int(rng.integers(5)))
    angle = int(rng.integers(-900, 901))
    turned = world.pivot_free(piece, ahead, left, angle)
    angle = max(-turned - 60, min(turned + 60, angle))
    steps = steps_of_pivot(pose, ahead, left, angle)
    return hits + check_sweep(things_in_the_way(world, piece, steps, corridor), turned, None, abs(angle))


@pytest.mark.slow
def test_m4_n4_n5_n6_first_contacts_are_those_of_trying_every_step() -> None:
    world, rng = plain(), np.random.default_rng(1)
    hits = 0
    for _ in range(60):
        scatter(world, rng, (-800, 800), 800, 1800)
        for piece in range(5):
            hits += try_moves(world, rng, piece, None)
    assert hits > 150


@pytest.mark.slow
@pytest.mark.parametrize("place", range(0, 18796, 1342))
def test_m4_n5_first_contacts_with_the_walls_of_the_circus(place: int) -> None:
    world, rng = circus(), np.random.default_rng(place)
    hits = 0
    for _ in range(3):
        scatter(world, rng, (place - 500, place + 500), 690, 1800)
        corridor = Corridor(world, place, 3500, 3500)
        for piece in range(4):
            hits += try_moves(world, rng, piece, corridor)
    assert hits > 3


@pytest.mark.slow
@pytest.mark.parametrize("place", range(600, 15000, 800))
def test_m4_n5_first_contacts_with_the_walls_of_a_winding_course(place: int) -> None:
    world, rng = winding(), np.random.default_rng(place)
    hits = 0
    for _ in range(2):
        scatter(world, rng, (place - 400, place + 400), 490, 1800)
        for piece in range(4):
            corridor = Corridor(world, int(world.race.way[piece]), 2200, 2200)
            hits += try_moves(world, rng, piece, corridor)
    assert hits > 2


@pytest.mark.slow
def test_following_the_track_finds_what_trying_every_step_finds() -> None:
    world, rng = circus(), np.random.default_rng(5)
    hits = 0
    for place in range(0, 18796, 1100):
        scatter(world, rng, (place - 500, place + 900), 690, 300)
        piece = 0
        way, off = place - 600, int(rng.integers(-690, 690))
        x, y, heading = world.ask("at", way, off)
        world.put(piece, CHARIOT, (x, y, heading), way)
        rest, hit = world.ask("follow", piece, way, off, 1500, 0)
        most = 1500 if hit == NOTHING else hit
        poses = np.array([world.ask("at", way + d, off) for d in range(most + 1)])
        steps = poses[:, 0], poses[:, 1], poses[:, 2]
        rows = things_in_the_way(world, piece, steps, Corridor(world, way, 1000, 2600))
        hits += check_sweep(rows, rest, hit, most)
    assert hits > 8


@pytest.mark.slow
def test_shifting_across_the_track_finds_what_trying_every_step_finds() -> None:
    world, rng = circus(), np.random.default_rng(6)
    free = 0
    for place in range(0, 18796, 470):
        scatter(world, rng, (place - 700, place + 700), 690, 300, 4)
        piece = 0
        off, to = int(rng.integers(-690, 690)), int(rng.integers(-690, 690))
        world.put(piece, CHARIOT, world.ask("at", place, off), place)
        sign = 1 if to >= off else -1
        poses = np.array([world.ask("at", place, off + sign * d) for d in range(abs(to - off) + 1)])
        rows = things_in_the_way(world, piece, (poses[:, 0], poses[:, 1], poses[:, 2]), Corridor(world, place))
        table = np.array(rows)
        start = table[:, :1]
        bad = (table < np.minimum(-1, start)).any() or (table[:, -1:] < np.minimum(1, start)).any()
        assert world.ask("shift_free", piece, place, off, to, 0) == (not bad)
        free += not bad
    assert 5 < free < 35


def test_the_oracle_of_the_centre_line_is_the_centre_line() -> None:
    for world in (circus(), winding()):
        way = np.arange(0, world.line.length - 1, 97)
        points, _ = centre_points(world.line, way.astype(float))
        for (x, y), s in zip(points, way, strict=True):
            px, py, _ = world.ask("at", int(s - world.edition.line[0]), 0)
            assert math.hypot(px - x, py - y) < 0.8
