"""Stable-Baselines3 and sb3-contrib learn on the environments as they are: a few steps of each.

They bring PyTorch: `make test-learners` installs them in an environment of their own, and `make test` does not.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import pytest
import sb3_contrib
import stable_baselines3

from spina.adapters import gymnasium as adapter

SETTINGS = {"n_steps": 32, "batch_size": 16, "n_epochs": 1, "device": "cpu", "seed": 1}


def make(game: str, **options: Any) -> Any:
    return gymnasium.make(adapter.IDS[game], seats=2, **options)


@pytest.mark.parametrize("game", ["charioteer", "chariot-race", "chariotmaster"])
def test_maskable_ppo_runs_out_of_the_box(game: str) -> None:
    env = make(game, illegal="raise")
    learner = sb3_contrib.MaskablePPO(policy(env), env, **SETTINGS)
    learner.learn(64)  # an action that the mask forbids would raise
    assert learner.num_timesteps >= 64


@pytest.mark.parametrize("game", ["charioteer", "chariot-race", "chariotmaster"])
def test_ppo_runs_out_of_the_box(game: str) -> None:
    env = make(game)
    learner = stable_baselines3.PPO(policy(env), env, **SETTINGS)
    learner.learn(64)
    assert learner.num_timesteps >= 64


def policy(env: Any) -> str:
    """The usual policy for the form of the observations."""
    return "MultiInputPolicy" if isinstance(env.observation_space, gymnasium.spaces.Dict) else "MlpPolicy"
