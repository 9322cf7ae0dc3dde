"""Drivers pass over what cannot be the best: they choose what they would choose after a look ahead from everywhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from geometry_worlds import World
from random_tracks import random_world

import spina
from spina.games.chariotmaster.bots import drivers, plans
from spina.games.chariotmaster.bots.sight_bounds import BOUNDLESS
from spina.games.chariotmaster.bots.sights import WORTHLESS
from spina.games.chariotmaster.rules.chariots import reach_of
from spina.games.chariotmaster.rules.geometry import FINE
from spina.games.chariotmaster.rules.motions import HIT
from spina.games.chariotmaster.rules.record import CHARIOT, TOKENS
from spina.kernel import compiler

TRACKS = 400
A_TRACK = 50
"""Poses on every track."""
WEIGHTS = (drivers.COMPETENT, drivers.BOLD, drivers.DARING, drivers.CAUTIOUS)


def random_pose(world: World, half_wide: int, rng: np.random.Generator) -> tuple[tuple[int, int, int], int]:
    """A pose of a chariot that is not in the walls, often close to one, mostly along the track; and its progress."""
    ends = 0 if world.edition.closed[0] else 400
    while True:
        way = int(rng.integers(-ends, world.line.length + ends)) - int(world.edition.line[0])
        room = world.half_width - half_wide
        off = int(rng.choice([rng.integers(-room, room + 1), room - 2, 2 - room]))
        x, y, tangent = world.ask("at", way, off)
        turned = int(rng.choice([0, rng.normal(0, 150), rng.normal(0, 400), rng.integers(-1800, 1800)]))
        pose = x, y, (tangent + turned) % 3600
        if abs(world.ask("progress", x, y, way) - way) > world.half_width:
            continue  # what goes on behind an open course's end crosses the course
        if world.ask("wall_separation", *pose, 2 * half_wide, half_wide, way) >= HIT:
            return pose, way


@pytest.mark.slow
def test_no_pose_is_worth_more_than_its_bound() -> None:
    rng = np.random.default_rng(15)
    spare = []
    for _ in range(TRACKS):
        world, half_wide = random_world(rng)
        for _ in range(A_TRACK):
            world.clear()
            for piece in range(int(rng.integers(1, 4))):  # rivals do not matter to the bound
                pose, way = random_pose(world, half_wide, rng)
                world.put(piece, CHARIOT, pose, way, (2 * half_wide, half_wide))
            weights = [round(1000 * number) for number in WEIGHTS[rng.integers(4)][:4]]
            worth, most = world.ask("worths", 0, *world.pose(0), *weights)
            assert worth <= most, (world.line, world.half_width, half_wide, world.base(0), weights, worth, most)
            spare.append((most - worth) / FINE)
    found = np.array(spare)
    assert np.mean(found < BOUNDLESS / 2) > 0.7  # most poses have a bound
    assert np.median(found) < 150  # and it is near enough to be of use


def races() -> list[spina.Race]:
    """Races on every track, fantasy chariots included, some turns old."""
    found = []
    for seed, setup in enumerate(
        [
            {"seats": 4, "scenario": "circus"},
            {"seats": 3, "scenario": "trial"},
            {"seats": 12, "scenario": "maximus"},
            {"seats": 6, "scenario": "circus", "points": 4, "fantasy": True},
        ]
    ):
        race = spina.new("chariotmaster", seed=seed, **setup)
        bots = [spina.bots.make(name, game="chariotmaster", seed=seed) for name in ("competent", "daring", "random")]
        while not race.over and race.turn < 4 + 3 * seed:
            seat = race.to_act[0]
            race.play(seat, bots[seat % 3].choose(race, seat))
        found.append(race)
    return found


def first_best_token(race: Any, edition: Any, chariot: int, fastest: int, weights: Any, scratch: Any) -> int:
    """`plans.best_token_for` without floors: every token, the slowest first."""
    best, choice = WORTHLESS, 0
    for token in range(min(fastest, TOKENS - 1) + 1):
        most, least = reach_of(race, edition, chariot, token), edition.least[token]
        value, _ = plans.best_turn(race, edition, chariot, token, most, least, 0, WORTHLESS, weights, scratch)
        if value > best:
            best, choice = value, token
    return choice


CHOICES = 25
"""Choices of each race that are made twice."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["competent", "daring", "cautious"])
def test_choices_are_those_of_a_look_ahead_from_everywhere(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver as it is, compiled, and its Python form without bounds."""
    driver, dice = drivers.DRIVERS[name], np.zeros(4, np.uint64)
    found, expected = np.zeros(32, np.int64), np.zeros(32, np.int64)
    compiler.ready(compiler.folder_of(driver))
    started = races()
    at_most, looks, known = plans.worth_at_most, plans.promise_from, [0, 0]

    def counted(*arguments: Any) -> Any:
        known[0] += 1
        return looks(*arguments)

    def unbounded(*arguments: Any) -> float:
        known[1] += at_most(*arguments) < BOUNDLESS
        return BOUNDLESS

    monkeypatch.setattr(plans, "promise_from", counted)
    monkeypatch.setattr(plans, "worth_at_most", unbounded)
    monkeypatch.setattr(drivers, "best_token_for", first_best_token)
    for race in started:
        for _ in range(CHOICES):
            seat = race.to_act[0]
            driver(race._bytes, race.edition.data, seat, dice, found)
            driver.py_func(race._bytes, race.edition.data, seat, dice, expected)
            assert found[0] == expected[0], race.save()
            race.play(seat, spina.bots.make(name, game="chariotmaster", seed=1).choose(race, seat))
    assert known[0] >= known[1] > 1000  # a look ahead from everywhere, bounded or not
