"""PufferLib: the adapter against a stand-in for `pufferlib.PufferEnv`, whose interface PufferLib documents.

PufferLib itself is no dependency of the tests: it brings compilers and PyTorch. The stand-in demands what PufferEnv
demands of a native environment, and hands out buffers as its vectoriser does.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

import spina


class PufferEnv:
    """What PufferLib's class of this name does when a native environment is made."""

    num_agents: int
    single_observation_space: Any
    single_action_space: Any

    def __init__(self, buf: dict[str, Any] | None = None) -> None:
        assert isinstance(self.single_observation_space, spaces.Box)
        assert isinstance(self.single_action_space, spaces.Discrete)
        assert self.num_agents >= 1 and not hasattr(self, "observation_space") and not hasattr(self, "action_space")
        for name, array in (buf or buffers(self)).items():
            setattr(self, name, array)


def buffers(env: Any) -> dict[str, Any]:
    """The arrays that PufferLib makes, or shares between processes."""
    count = env.num_agents
    return {
        "observations": np.zeros((count, *env.single_observation_space.shape), np.float32),
        "rewards": np.zeros(count, np.float32),
        "terminals": np.zeros(count, bool),
        "truncations": np.zeros(count, bool),
        "masks": np.ones(count, bool),
        "actions": np.zeros(count, np.int32),
    }


@pytest.fixture
def adapter(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    stand_in = ModuleType("pufferlib")
    stand_in.PufferEnv = PufferEnv  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pufferlib", stand_in)
    yield importlib.import_module("spina.adapters.pufferlib")
    sys.modules.pop("spina.adapters.pufferlib")


@pytest.mark.parametrize("game", spina.game_names())
def test_agents_see_observation_mask_and_menu_in_one_array(adapter: Any, game: str) -> None:
    env, twin = adapter.PufferRaces(game, 3, 2, seed=4), spina.batch(game, 3, 2, acting="all", seed=4)
    seen, infos = env.reset(seed=4)
    assert seen is env.observations and infos == []
    for _ in range(40):
        size, count = twin.encoding.size, twin.actions
        np.testing.assert_array_equal(seen[:, :size], twin.observations.reshape(6, -1))
        np.testing.assert_array_equal(seen[:, size : size + count], twin.masks.reshape(6, -1))
        if twin.menus is not None:
            np.testing.assert_array_equal(seen[:, size + count :], twin.menus.reshape(6, -1))
        else:
            assert seen.shape == (6, size + count)
        assert env.single_observation_space.shape == seen.shape[1:]
        actions = twin.random_actions()
        seen, rewards, ends, cuts, infos = env.step(actions.reshape(-1).astype(np.int32))
        twin.step(actions)
        assert rewards is env.rewards and ends is env.terminals and not cuts.any() and isinstance(infos, list)
    env.close()


def test_ends_and_rewards_are_written_into_the_buffers_that_were_given(adapter: Any) -> None:
    made = adapter.PufferRaces("chariot-race", 4, 2, seed=1)
    given = buffers(made)
    env, twin = adapter.PufferRaces("chariot-race", 4, 2, buf=given), spina.batch("chariot-race", 4, 2, acting="all")
    env.reset(seed=1)
    twin.reset(1)
    ended = 0
    for _ in range(900):
        actions = twin.random_actions()
        _, _, _, _, infos = env.step(actions.reshape(-1))
        twin.step(actions)
        np.testing.assert_array_equal(given["rewards"], twin.rewards.reshape(-1))
        np.testing.assert_array_equal(given["terminals"], np.repeat(twin.ends, 2))
        if twin.ends.any():
            ended += infos[0]["races"]
            assert infos[0]["place"] == twin.places[twin.ends].mean() and infos[0]["illegal"] == 0
    assert ended > 1
