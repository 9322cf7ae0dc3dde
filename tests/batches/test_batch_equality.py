"""A batch shows the same observations, masks, menus, rewards and ends as races stepped one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from batch_helpers import race_both_ways

import spina
from spina.adapters import pettingzoo

SETTINGS: list[tuple[str, int, dict[str, Any], int]] = [
    ("charioteer", 2, {}, 900),
    ("charioteer", 4, {}, 1300),
    ("charioteer", 6, {}, 1700),
    ("chariot-race", 2, {}, 800),
    ("chariot-race", 4, {"pairs": False, "board": "AB", "safe_finish": True}, 800),
    ("chariot-race", 6, {"individual": True}, 800),
    ("chariotmaster", 2, {"chariots": 2}, 500),
    ("chariotmaster", 4, {"scenario": "trial", "fantasy": True, "points": 4}, 500),
    ("chariotmaster", 6, {"teams": [1, 1, 2, 2, 3, 3], "must_leave": True}, 700),
]
"""Game, seats, options, and steps after which some of three races have ended."""


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats", "options", "steps"), SETTINGS)
def test_every_seat_learned_one_at_a_time(game: str, seats: int, options: dict[str, Any], steps: int) -> None:
    batch = spina.batch(game, 3, seats, seed=seats, final_observations=True, rewards="win", threads=2, **options)
    assert race_both_ways(batch, steps, rewards="win", **options) > 0


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats", "options", "steps"), SETTINGS)
def test_every_seat_learned_all_together(game: str, seats: int, options: dict[str, Any], steps: int) -> None:
    batch = spina.batch(game, 2, seats, acting="all", seed=seats, threads=1, **options)
    assert race_both_ways(batch, steps // (3 if game == "charioteer" else 1), **options) > 0


@pytest.mark.slow
@pytest.mark.parametrize("acting", ["one", "all"])
@pytest.mark.parametrize("game", spina.game_names())
def test_some_seats_learned_in_turning_places_among_drivers(game: str, acting: Any) -> None:
    batch = spina.batch(
        game, 4, 4, learned=[0, 2], drivers=["competent", "random"], rotate=True, acting=acting, seed=3,
        final_observations=True, threads=3,
    )  # fmt: skip
    ended = race_both_ways(batch, 700, ["random", "competent", "random", "random"])
    assert ended > 0
    assert len({*batch._arrays.shifts.tolist()}) > 1 or ended > 4


@pytest.mark.parametrize("game", spina.game_names())
def test_a_race_of_a_batch_is_the_race_of_its_seed(game: str) -> None:
    batch = spina.batch(game, 5, 4, seed=9)
    for i, seed in enumerate(batch.seeds.tolist()):
        assert batch.race(i).hash() == spina.new(game, seats=4, seed=seed).hash()
    again = spina.batch(game, 5, 4, seed=1)
    again.reset(batch.seeds.tolist())
    np.testing.assert_array_equal(again.observations, batch.observations)


def test_the_doors_for_single_races_show_the_same() -> None:
    """PettingZoo's AEC and parallel environments themselves, besides the episode that they share."""
    batch, env = spina.batch("charioteer", 1, 3, seed=5), pettingzoo.env("charioteer", 3)
    env.reset(seed=int(batch.seeds[0]))
    together, parallel = spina.batch("charioteer", 1, 3, acting="all", seed=5), pettingzoo.parallel_env("charioteer", 3)
    seen, _ = parallel.reset(seed=int(together.seeds[0]))
    for _ in range(120):
        assert env.agent_selection == f"seat_{batch.seat[0]}"
        np.testing.assert_array_equal(env.last()[0]["observation"], batch.observations[0])
        np.testing.assert_array_equal(env.last()[0]["action_mask"], batch.masks[0])
        actions = batch.random_actions()
        env.step(int(actions[0]))
        batch.step(actions)
        for seat in range(3):
            np.testing.assert_array_equal(seen[f"seat_{seat}"]["observation"], together.observations[0, seat])
            np.testing.assert_array_equal(seen[f"seat_{seat}"]["action_mask"], together.masks[0, seat])
        actions = together.random_actions()
        seen = parallel.step({f"seat_{seat}": int(actions[0, seat]) for seat in range(3)})[0]
        together.step(actions)
