"""The training example on batches really learns: a very short run of it."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

EXAMPLE = "train_batch"
SHORT = ["--seats", "2", "--drivers", "random", "--rounds", "12", "--races", "32", "--report", "40", "--measure", "100"]


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
