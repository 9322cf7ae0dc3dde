"""The training example on batches really learns: a very short run of it."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "train_batch.py"
SHORT = ["--seats", "2", "--drivers", "random", "--rounds", "12", "--races", "32", "--report", "40", "--measure", "100"]


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("train_batch", EXAMPLE)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(__import__("sys").modules, "train_batch", module)  # dataclasses look their module up
        spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_a_short_training_beats_random_drivers_clearly(
    example: ModuleType, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    won, races = example.main([*SHORT, "--save", str(tmp_path / "agent.npz"), "--plot", str(tmp_path / "progress.png")])
    assert races == 100 and won >= 75, "without learning it would win about 50"
    printed = capsys.readouterr().out
    assert "steps: won" in printed and f"won {won / races:.1%} of 100 races against 1 random drivers" in printed
    assert (tmp_path / "progress.png").stat().st_size > 5000
    assert len(np.load(tmp_path / "agent.npz").files) == 4


def test_gradients_point_uphill(example: ModuleType) -> None:
    """What the agent did with more success than expected becomes likelier, the rest less likely."""
    chance = np.random.default_rng(1)
    agent = example.Agent.fresh(5, 3, 4, chance)
    seen = chance.normal(size=(6, 5)).astype(np.float32)
    masks = np.ones((6, 3), bool)
    masks[0, 2] = False
    actions = np.array([0, 1, 2, 0, 1, 2])
    rows = np.arange(6)
    before, value, _ = agent.judge(seen, masks)
    assert np.exp(before).sum(axis=1) == pytest.approx(1) and np.exp(before[0, 2]) == 0
    worth = np.array([1, 1, 1, -1, -1, -1], np.float32)
    for _ in range(20):
        agent.learn(example.Samples(seen, masks, actions, before[rows, actions], worth, value + 1))
    after, later, _ = agent.judge(seen, masks)
    assert ((after - before)[rows, actions] * worth).mean() > 0 and (later > value).mean() > 0.8
