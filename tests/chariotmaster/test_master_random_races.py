"""Five thousand random races: they end, no pieces overlap at rest, and they replay to the same state."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import spina
from spina.games import get
from spina.games.chariotmaster.rules import field, geometry, track
from spina.games.chariotmaster.rules.record import (
    ABSENT,
    CHARIOTS,
    DEAD,
    DRAGGED,
    DRAGGING,
    DRIVER,
    DRIVER_OF,
    EDITION,
    LONGEST_MENU,
    ON_FOOT,
    PIECES,
    RACE,
)
from spina.kernel import random
from spina.kernel.compiler import INTERPRETED, prepare
from spina.kernel.digest import digest
from spina.kernel.function_pointers import addresses
from spina.kernel.interface import PLAN, RULES_SIGNATURES, driver_at, unpack_rules
from spina.kernel.narration import silence
from spina.kernel.record import blank
from spina.simulation import driver_addresses

LONGEST = 60_000
DEPTH_ALLOWED = 120
"""Effects on the stack at a question; the stack has room for 160."""
(
    FINE, OVERLAP, OFF_TRACK, NEGATIVE, LOST_DRIVER, LOST_TEAM, NO_END, OTHER_REPLAY, ILLEGAL, EMPTY_MENU, DEEP,
    PROGRESS,
) = range(12)  # fmt: skip

if INTERPRETED:

    def compiled(function):  # type: ignore[no-untyped-def]
        return function
else:
    from numba import njit

    prepare()

    compiled = njit(error_model="numpy", nogil=True)

separation, wall_separation, progress = geometry.separation, track.wall_separation, track.progress
base_of = field.base_of
below, nth_seed, seed_dice = random.below, random.nth_seed, random.seed_dice
UNIT = np.int64(1 << 30)


@compiled
def fault(race, edition):  # type: ignore[no-untyped-def]
    """The first invariant that a race at a question violates."""
    t = race.scenario
    for piece in range(PIECES):
        if race.kind[piece] == ABSENT:
            continue
        base = base_of(race, piece)
        for other in range(piece + 1, PIECES):
            if race.kind[other] == ABSENT:
                continue
            if abs(base.x - race.x[other]) > 2000 or abs(base.y - race.y[other]) > 2000:
                continue
            if separation(base, base_of(race, other)) < -UNIT:
                return OVERLAP
        if piece < 3 * CHARIOTS:
            if wall_separation(race, edition, base, race.way[piece]) < -UNIT:
                return OFF_TRACK
            if abs(progress(edition, t, base.x, base.y, race.way[piece]) - race.way[piece]) > 1:
                return PROGRESS
    for chariot in range(race.chariots):
        for kind in range(4):
            if race.points[chariot, kind] < 0:
                return NEGATIVE
        if (race.place[chariot] == ON_FOOT) != (race.kind[DRIVER_OF + chariot] == DRIVER) and not race.home[chariot]:
            return LOST_DRIVER
        if race.kind[DRIVER_OF + chariot] != ABSENT and race.place[chariot] == DEAD and race.stack[0, 0] <= 2:
            return LOST_DRIVER
        if race.kind[chariot] != ABSENT:
            if race.horses[chariot] <= 0 or (race.kind[chariot] == DRAGGING) != (race.place[chariot] == DRAGGED):
                return LOST_TEAM
    return DEEP if race.stack[0, 0] > DEPTH_ALLOWED else FINE


@compiled
def race_and_replay(rules_addresses, drivers, data, parts, options, seed, record, seats_of):  # type: ignore[no-untyped-def]
    """Play one random race and check it at every question; then replay it from its log.

    Every other race takes its answers from the menu, the others from the random driver, which goes beyond it.
    """
    rules, driver = unpack_rules(rules_addresses), driver_at(drivers, 0)
    race, edition = data.view(RACE)[0], parts.view(EDITION)[0]
    chance, dice = np.zeros(4, np.uint64), np.zeros(4, np.uint64)
    seed_dice(chance, seed)
    seed_dice(dice, seed ^ np.uint64(77))
    nobody = silence()
    menu, plan = np.zeros(LONGEST_MENU, np.int64), np.zeros(PLAN, np.int64)
    from_menu = below(dice, 2) == 1
    rules.set_up(data, parts, options, chance)
    count = 0
    while not rules.over(data, parts):
        seat = 0
        while not rules.acting(data, parts) >> seat & 1:
            seat += 1
        if count == LONGEST:
            return NO_END
        if from_menu:
            lines = rules.legal(data, parts, seat, menu)
            if lines == 0:
                return EMPTY_MENU
            record[count] = menu[below(dice, lines)]
        else:
            driver(data, parts, seat, dice, plan)
            record[count] = plan[0]
        seats_of[count] = seat
        if rules.check(data, parts, seat, record[count]) != 0:
            return ILLEGAL
        rules.apply(data, parts, seat, record[count], nobody)
        count += 1
        found = fault(race, edition)
        if found != FINE:
            return found
    after = digest(data)
    rules.set_up(data, parts, options, chance)
    for i in range(count):
        rules.apply(data, parts, seats_of[i], record[i], nobody)
    return FINE if digest(data) == after and rules.over(data, parts) else OTHER_REPLAY


SETTINGS: list[tuple[int, dict[str, Any]]] = [
    (1, {}), (2, {}), (3, {}), (4, {}), (5, {}), (6, {}), (8, {}), (12, {}),
    (2, {"scenario": "trial"}), (4, {"scenario": "trial"}), (8, {"scenario": "trial", "must_leave": True}),
    (4, {"scenario": "maximus"}), (12, {"scenario": "maximus"}), (6, {"scenario": "maximus", "laps": 3}),
    (2, {"chariots": 3}), (3, {"chariots": 4, "must_leave": True}), (4, {"teams": [1, 1, 2, 2], "laps": 1}),
    (6, {"points": 2, "fantasy": True}), (6, {"points": 4, "fantasy": True}), (12, {"points": 4, "fantasy": True}),
    (6, {"points": 4, "fantasy": True, "scenario": "trial"}), (3, {"points": 4, "fantasy": True, "chariots": 2}),
    (4, {"points": 2, "designs": [{"other": "lucky", "chassis": "light"}] * 4}),
    (4, {"points": 2, "designs": [{"other": "frightening"}] * 4}), (5, {"second_row": False, "laps": 3}),
]  # fmt: skip
RACES = 200 if not INTERPRETED else 1
"""For each of 25 settings: 5,000 in all."""


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "options"), SETTINGS, ids=lambda value: str(value).replace(" ", ""))
def test_random_races_end_keep_apart_and_replay(seats: int, options: dict[str, Any]) -> None:
    game = get("chariotmaster")
    edition = game.reference()
    codes = game.encode_options(seats, game.check_options(seats, options, edition), edition)
    data, record, seats_of = blank(RACE), np.zeros(LONGEST, np.int64), np.zeros(LONGEST, np.int64)
    rules = addresses(game.rules, RULES_SIGNATURES)  # as they are compiled for everybody
    drivers = driver_addresses(game, ["random"])
    for i in range(RACES):
        seed = np.uint64(1000 * seats + i)
        found = race_and_replay(rules, drivers, data, edition.data, codes, seed, record, seats_of)
        assert found == FINE, f"race {i} breaks invariant {found}"


HASHES = """
import spina
for seats, scenario, options in (
    (4, "circus", {}), (2, "trial", {}), (3, "maximus", {"laps": 1}), (6, "circus", {"points": 4, "fantasy": True}),
    (2, "circus", {"chariots": 3}),
):
    race = spina.new("chariotmaster", seats=seats, seed=seats, scenario=scenario, **options)
    bot = spina.bots.make("random", game="chariotmaster", seed=seats)
    while not race.over:
        race.play(race.to_act[0], bot.choose(race, race.to_act[0]))
    print(race.hash())
"""


@pytest.mark.slow
def test_compiled_and_interpreted_races_are_the_same() -> None:
    """The same source, run both ways, ends in the same states."""

    def hashes(interpret: str) -> str:
        environment = {**os.environ, "SPINA_INTERPRET": interpret}
        run = subprocess.run(
            [sys.executable, "-c", HASHES], env=environment, capture_output=True, text=True, check=True
        )
        return run.stdout

    compiled_hashes = hashes("0")
    assert len(set(compiled_hashes.split())) == 5
    assert hashes("1") == compiled_hashes


def test_random_races_differ() -> None:
    assert len(set(spina.simulate("chariotmaster", races=200, seed=3)["hash"].tolist())) == 200


@pytest.mark.slow
def test_everything_that_can_go_wrong_does_in_random_races() -> None:
    """The random driver reaches rare cases of the rules: wrecks, drivers on foot, dragged drivers."""
    seen = set()
    for seed in range(30):
        race = spina.new("chariotmaster", seats=6, seed=seed)
        bot = spina.bots.make("random", game="chariotmaster", seed=seed)
        while not race.over:
            race.play(race.to_act[0], bot.choose(race, race.to_act[0]))
            seen |= {type(event).__name__ for event in race.told(None)}
    wanted = {"Crashed", "Hurled", "Entangled", "HorseDied", "Skids", "Collided", "Bounced", "Attacked"}
    assert wanted <= seen
