"""The training example really learns: a very short run of it."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

EXAMPLE = "train_agent"


@pytest.mark.slow
def test_a_short_training_beats_random_bots_clearly(
    example: ModuleType, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    short = ["--seats", "2", "--batches", "10", "--races", "6", "--measure", "30"]
    won, races = example.main([*short, "--save", str(tmp_path / "agent.npz")])
    assert won >= 25 and races == 30, "without learning it would win about 15"
    assert f"won {won / races:.1%} of 30 races against 1 random bots (95 % interval" in capsys.readouterr().out
    weights = np.load(tmp_path / "agent.npz")["weights"]
    untrained = example.Agent(np.zeros_like(weights))
    assert weights.any() and example.measure(untrained, 2, "random", 30, seed=2) < 23


def test_the_same_seed_learns_the_same(example: ModuleType) -> None:
    one, again, other = (example.train(2, "random", 1, 3, seed, discount=0.9, quiet=True) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.weights, again.weights)
    assert (one.weights != other.weights).any()
