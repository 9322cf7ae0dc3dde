"""PyTorch and JAX take the arrays of a batch without copying them.

`make test-learners` installs both; `make test` does not.
"""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
import torch

import spina

ARRAYS = ("observations", "masks", "menus", "rewards", "ends", "places", "seat", "agents", "final_observations")


def some_batch(game: str, acting: Any) -> spina.Batch:
    return spina.batch(game, 24, 2, acting=acting, seed=1, final_observations=True)


def arrays_of(batch: spina.Batch) -> dict[str, Any]:
    return {name: getattr(batch, name) for name in ARRAYS if getattr(batch, name) is not None}


@pytest.mark.parametrize("acting", ["one", "all"])
@pytest.mark.parametrize("game", ["charioteer", "chariot-race", "chariotmaster"])
def test_pytorch_tensors_are_the_arrays(game: str, acting: str) -> None:
    batch = some_batch(game, acting)
    tensors = {name: torch.from_numpy(array) for name, array in arrays_of(batch).items()}
    for name, array in arrays_of(batch).items():
        assert tensors[name].data_ptr() == array.ctypes.data, f"{name} was copied"
    before = {name: tensor.clone() for name, tensor in tensors.items()}
    for _ in range(30):
        batch.step(batch.random_actions())
    for name, array in arrays_of(batch).items():
        np.testing.assert_array_equal(tensors[name].numpy(), array)
    for name in ("observations", "masks"):
        assert not torch.equal(tensors[name], before[name]), "the step is seen through the tensor that was made before"
    actions = torch.multinomial(tensors["masks"].reshape(-1, batch.actions).float(), 1).reshape(batch.agents.shape)
    batch.step(actions)  # a tensor, and its NumPy form, as actions
    batch.step(batch.masks.argmax(-1))
    assert not batch.illegal.any()


@pytest.mark.parametrize("acting", ["one", "all"])
@pytest.mark.parametrize("game", ["charioteer", "chariot-race", "chariotmaster"])
def test_jax_arrays_are_the_arrays(game: str, acting: str) -> None:
    batch = some_batch(game, acting)
    shared = [name for name in arrays_of(batch) if arrays_of(batch)[name].dtype in (np.float32, np.bool_)]
    assert {"observations", "masks", "rewards", "ends", "final_observations"} <= {*shared}
    for name in shared:
        array = arrays_of(batch)[name]
        taken = jax.dlpack.from_dlpack(array, copy=False)  # raises where it would have to copy
        assert taken.unsafe_buffer_pointer() == array.ctypes.data, f"{name} was copied"
        assert taken.shape == array.shape and taken.dtype == array.dtype
    batch.step(batch.random_actions())
    for name in shared:
        array = arrays_of(batch)[name]
        np.testing.assert_array_equal(np.asarray(jax.dlpack.from_dlpack(array, copy=False)), array)
    scores = jax.numpy.where(jax.dlpack.from_dlpack(batch.masks, copy=False), 0.0, -jax.numpy.inf)
    batch.step(np.asarray(jax.random.categorical(jax.random.PRNGKey(1), scores)))
    assert not batch.illegal.any()
