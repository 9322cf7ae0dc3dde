"""Training of policies: gradients, labels, rounds that go on where they stopped, and what is learned."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import spina
from spina.bots import network_weights
from spina.errors import OptionError
from spina.games import get
from spina.kernel.policy_network import HIDDEN, PolicySize, weight_count
from spina.kernel.policy_weights import read_policy
from spina.lab import expert_iteration
from spina.lab.expert_iteration import TrainingPlan, label, label_tasks, train
from spina.lab.policy_learner import UNIT, Examples, PolicyLearner, fit, fresh_weights
from spina.lab.proof_seeds import seed_of

pytestmark = pytest.mark.slow

GAME = "charioteer"
SMALL = TrainingPlan(game=GAME, rounds=1, examples=60, seats=(2, 4), value_races=40, epochs=2)


@pytest.fixture(autouse=True)
def weights() -> Any:
    """Training writes other weights into the table that the learned driver reads: they are put back."""
    policy = expert_iteration.policy_of(get(GAME))
    kept = policy.weights().copy()
    yield
    policy.weights()[:] = kept


@dataclass
class Lines:
    """What a training tells."""

    told: list[str] = field(default_factory=list)

    def __call__(self, line: str) -> None:
        self.told.append(line)


def some_examples(size: PolicySize, count: int, seed: int = 1) -> Examples:
    """Choices whose best candidate is the one with the highest product of its first feature and the situation's."""
    chance = np.random.default_rng(seed)
    situation = chance.normal(0, 1, (count, size.situation))
    features = chance.normal(0, 1, (count, 5, size.candidate))
    value = 0.5 + 0.03 * features[:, :, 0] * situation[:, :1] + chance.normal(0, 0.02, (count, 5))
    tried = chance.random((count, 5)) < 0.8
    tried[:, 0] = True
    return Examples(situation, features, value, tried)


def objective(learner: PolicyLearner, examples: Examples) -> float:
    """What `learn` lowers: expected values and entropy, with the sign turned."""
    chances = learner.chances(learner.scores(examples)[0], examples.tried)
    logs = np.log(np.maximum(chances, 1e-12))
    return float(-(chances * np.where(examples.tried, examples.value / UNIT - logs, 0.0)).sum(axis=1).mean())


def test_steps_follow_the_gradient() -> None:
    size = PolicySize(3, 4)
    learner = PolicyLearner(size, np.random.default_rng(2).normal(0, 0.5, weight_count(*size)))
    examples = some_examples(size, 12)
    begun = learner.weights.copy()
    learner.learn(
        examples, 1e-9
    )  # the first step of Adam tells the sign of each gradient only; its means tell the rest
    gradient = learner._mean / 0.1
    for i in np.random.default_rng(3).permutation(len(begun))[:40]:
        sides = []
        for sign in (1, -1):
            learner.weights = begun.copy()
            learner.weights[i] += sign * 1e-6
            sides.append(objective(learner, examples))
        assert gradient[i] == pytest.approx((sides[0] - sides[1]) / 2e-6, rel=1e-3, abs=1e-5)


def test_the_network_learns_what_depends_on_the_situation() -> None:
    size = PolicySize(2, 3)
    learner = PolicyLearner(size, fresh_weights(size, {}, 1))
    gain, best = fit(learner, some_examples(size, 4000), epochs=20)
    assert gain > 0.6 * best
    flat = PolicyLearner(size, fresh_weights(size, {0: 5.0}, 1))
    assert flat.gain(some_examples(size, 400, seed=4))[0] < 0.3 * best


def test_fresh_weights_count_the_prior_only() -> None:
    size = PolicySize(2, 3)
    learner = PolicyLearner(size, fresh_weights(size, {1: 7.0}, 1))
    examples = some_examples(size, 5)
    assert learner.scores(examples)[0] == pytest.approx(7.0 * examples.features[:, :, 1])
    assert len(learner.weights) == (2 + 3 + 2) * HIDDEN + 3


def test_labels_are_the_same_again_and_the_search_of_more_simulations_agrees() -> None:
    game = get(GAME)
    fresh = fresh_weights(expert_iteration.policy_of(game).size, expert_iteration.policy_of(game).prior, 1)
    plan = msgspec.structs.replace(SMALL, labelling=(80, 50, 6, 100, 6, 0))
    (task,) = label_tasks(plan, 1, fresh, network_weights.load(game))
    few = msgspec.structs.replace(task, labelling=(80, 50, 6, 10, 6, 0), most=30)
    many = msgspec.structs.replace(task, most=30)
    one, again, better = label(few), label(few), label(many)
    for a, b in zip(one, again, strict=True):
        assert (a == b).all()
    assert (one.tried == better.tried).all()  # the same choices: simulations draw nothing from the races' dice
    assert (one.features == better.features).all()
    assert one.tried.sum(axis=1).min() >= 2
    assert np.corrcoef(one.value[one.tried], better.value[one.tried])[0, 1] > 0.5


def test_a_training_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = Lines()
    place = train(SMALL, tmp_path / "one", lines, processes=0)
    assert {file.name for file in place.iterdir()} == {"labels-0000.npz", "policy.json", "value.json"}
    assert any("gain" in line for line in lines.told)
    told = (place / "policy.json").read_text(encoding="utf-8")
    assert json.loads(told)["made by"]["examples"] == 60

    other = train(SMALL, tmp_path / "two", processes=0)
    assert (other / "policy.json").read_text(encoding="utf-8") == told
    assert (other / "value.json").read_text(encoding="utf-8") == (place / "value.json").read_text(encoding="utf-8")

    (place / "policy.json").unlink()
    with monkeypatch.context() as patched:
        patched.setattr(expert_iteration, "label", lambda _: pytest.fail("labels that are there are made again"))
        train(SMALL, tmp_path / "one", processes=0)
    assert (place / "policy.json").read_text(encoding="utf-8") == told

    (place / "labels-0000.npz").unlink()
    train(SMALL, tmp_path / "one", processes=0)
    assert (place / "labels-0000.npz").exists()


def test_a_folder_of_another_training_is_refused(tmp_path: Path) -> None:
    train(SMALL, tmp_path, processes=0)
    with pytest.raises(OptionError, match="holds another training: its examples is 60, not 61; name another folder"):
        train(msgspec.structs.replace(SMALL, examples=61), tmp_path, processes=0)


def test_races_of_proofs_are_never_learned_from(tmp_path: Path) -> None:
    plan = msgspec.structs.replace(SMALL, seed=seed_of(3) - expert_iteration.ROUNDS_APART)
    with pytest.raises(OptionError, match="belongs to proof range 3"):
        train(plan, tmp_path, processes=0)


def test_a_policy_that_begins_with_nothing_beats_random_drivers_in_a_minute(tmp_path: Path) -> None:
    plan = TrainingPlan(game=GAME, rounds=1, examples=700, seats=(4,), value_races=0, epochs=40, from_nothing=True)
    place = train(plan, tmp_path, processes=0)
    policy = expert_iteration.policy_of(get(GAME))

    def won() -> float:
        first = spina.simulate(GAME, seats=4, races=200, drivers=["learned", "random"] * 2, seed=5)["places"] == 1
        return float((first / first.sum(axis=1, keepdims=True))[:, ::2].sum(axis=1).mean())

    policy.weights()[:] = fresh_weights(policy.size, {}, 1)
    assert won() < 0.1  # a policy that knows nothing resets for ever
    policy.weights()[:] = read_policy(place / "policy.json", policy.size)
    assert won() > 0.9
