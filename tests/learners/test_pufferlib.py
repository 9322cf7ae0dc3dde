"""PufferLib's own vectorisers drive the environment; runs where PufferLib is installed.

`tests/adapters/test_pufferlib_adapter.py` tests the same adapter everywhere, against a stand-in. PufferLib is not
installed by `make test-learners`: its source distribution fetches C libraries from elsewhere while it is built.
`docs/adapters.md` says how it was installed for this test.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spina

GAMES = ["charioteer", "chariot-race", "chariotmaster"]


@pytest.fixture
def puffer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)  # when it is imported it makes a link in the current folder
    found = pytest.importorskip("pufferlib", exc_type=ImportError)
    pytest.importorskip("pufferlib.vector", exc_type=ImportError)
    return found


def some_actions(seen: Any, size: int, count: int, chance: np.random.Generator) -> Any:
    """A random possible action of each agent, read from the mask in its observation."""
    mask = seen[:, size : size + count]
    return (mask * chance.random(mask.shape)).argmax(axis=1).astype(np.int32)


@pytest.mark.parametrize("backend", ["Serial", "Multiprocessing"])
@pytest.mark.parametrize("game", GAMES)
def test_its_vectorisers_show_what_the_batches_show(puffer: Any, game: str, backend: str) -> None:
    from spina.adapters.pufferlib import PufferRaces

    options = {"num_workers": 2, "overwork": True} if backend == "Multiprocessing" else {}
    settings = {"game": game, "races": 3, "seats": 2, "menus": False}
    env = puffer.vector.make(PufferRaces, env_kwargs=settings, backend=backend, num_envs=2, seed=5, **options)
    twins = [spina.batch(game, 3, 2, acting="all", menus=False) for _ in range(2)]
    seen, _ = env.reset(seed=40)
    for number, twin in enumerate(twins):
        twin.reset(40 + number)
    size, count = twins[0].encoding.size, twins[0].actions
    assert env.single_observation_space.shape == (size + count,) and env.single_action_space.n == count
    ended, chance = 0, np.random.default_rng(1)
    for _ in range(500 if game != "chariotmaster" else 60):
        shown = np.concatenate([twin.observations.reshape(6, -1) for twin in twins])
        np.testing.assert_array_equal(seen[:, :size], shown)
        actions = some_actions(seen, size, count, chance)
        seen, rewards, ends, cuts, _ = env.step(actions)
        for twin, part in zip(twins, np.split(actions, 2), strict=True):
            twin.step(part.reshape(3, 2))
        np.testing.assert_array_equal(rewards, np.concatenate([twin.rewards.reshape(-1) for twin in twins]))
        np.testing.assert_array_equal(ends, np.concatenate([np.repeat(twin.ends, 2) for twin in twins]))
        assert not cuts.any()
        ended += int(ends.sum())
    assert ended > 0 or game == "chariotmaster"
    env.close()


def test_one_native_environment_needs_no_vectoriser(puffer: Any) -> None:
    from spina.adapters.pufferlib import PufferRaces

    env = puffer.vector.make(PufferRaces, env_kwargs={"game": "chariot-race", "races": 8, "seats": 2})
    assert isinstance(env, puffer.PufferEnv) and env.agent_per_batch == 16
    seen, _ = env.reset(seed=1)
    assert seen is env.observations and env.action_space.shape[0] == 16
    with pytest.raises(puffer.APIUsageError):
        puffer.vector.make(PufferRaces, env_kwargs={"game": "chariot-race"}, num_envs=2)
    env.close()
