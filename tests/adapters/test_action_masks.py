"""What sb3-contrib's MaskablePPO asks of an environment. `make test-learners` lets it learn."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from spina.adapters import gymnasium as adapter


def make(game: str, **options: Any) -> Any:
    return gymnasium.make(adapter.IDS[game], seats=2, disable_env_checker=True, **options)


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
