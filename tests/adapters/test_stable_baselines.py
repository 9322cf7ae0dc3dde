"""Stable-Baselines3 and sb3-contrib learn on the environments as they are: a few steps of each.

They bring PyTorch, so they are no dependency of the tests and this runs where they are installed. What they ask of an
environment is tried without them in `test_what_maskable_ppo_asks_for_is_there`.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from spina.adapters import gymnasium as adapter


def make(game: str, **options: Any) -> Any:
    return gymnasium.make(adapter.IDS[game], seats=2, disable_env_checker=True, **options)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["charioteer", "chariot-race"])
def test_maskable_ppo_and_ppo_run_out_of_the_box(game: str) -> None:
    contrib = pytest.importorskip("sb3_contrib")
    baselines = pytest.importorskip("stable_baselines3")
    settings = {"n_steps": 32, "batch_size": 16, "n_epochs": 1, "device": "cpu", "seed": 1}
    masked = contrib.MaskablePPO("MlpPolicy", make(game, illegal="raise"), **settings)
    masked.learn(64)  # an action that the mask forbids would raise
    assert masked.num_timesteps >= 64
    plain = baselines.PPO("MlpPolicy", make(game), **settings)
    plain.learn(64)
    assert plain.num_timesteps >= 64


@pytest.mark.parametrize("game", ["charioteer", "chariot-race", "chariotmaster"])
def test_what_maskable_ppo_asks_for_is_there(game: str) -> None:
    """A method `action_masks` behind wrappers, with a truth value for each action of a Discrete space."""
    env = make(game, illegal="raise")
    _, info = env.reset(seed=1)
    for _ in range(10):
        masks = env.get_wrapper_attr("action_masks")()
        assert masks.dtype == np.bool_ and masks.shape == (env.action_space.n,)
        np.testing.assert_array_equal(masks, info["action_mask"])
        _, reward, _, _, info = env.step(np.int64(np.flatnonzero(masks)[-1]))
        assert isinstance(reward, float)
