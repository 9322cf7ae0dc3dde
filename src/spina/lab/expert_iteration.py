"""Expert iteration: a search labels choices of races, the policy learns to choose as the search did, and again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from spina.bots import network_weights
from spina.bots.search_bot import search_settings
from spina.bots.search_kernel import GAME_SIGNATURES, new_memory
from spina.bots.search_tree import new_tree
from spina.errors import OptionError
from spina.games import get
from spina.games.game import Game
from spina.games.levels import SearchConfig
from spina.games.policy import LearnedPolicy
from spina.kernel import compiler
from spina.kernel.function_pointers import addresses
from spina.kernel.interface import LIST_CANDIDATES
from spina.kernel.policy_network import HIDDEN, MOST_CANDIDATES
from spina.kernel.policy_weights import read_policy
from spina.kernel.race_runner import RaceRange
from spina.kernel.record import blank
from spina.lab import expert_labels_kernel, policy_learner, training
from spina.lab.executor import run
from spina.lab.expert_labels_kernel import Labelling, Labels, label_choices
from spina.lab.policy_learner import Examples, PolicyLearner

DRIVER = "learned"
REMEMBERED = 4096


class LabelTask(msgspec.Struct, frozen=True):
    """Races that one process runs and labels at once."""

    game: str
    seats: int
    first: int
    races: int
    seed: int
    labelling: tuple[int, ...]
    horizon: int
    weights: tuple[float, ...]
    """Of the policy."""
    network: str
    """The file of the value network."""
    most: int
    """Most examples."""


def policy_of(game: Game) -> LearnedPolicy:
    """The policy of a game. Raises OptionError if it has none."""
    if game.policy is None:
        raise OptionError(f"{game.title} lists no candidates: a policy has nothing to choose from")
    return game.policy


def label(task: LabelTask) -> Examples:
    """Run and label the races of a task."""
    game = get(task.game)
    policy = policy_of(game)
    edition, seats = game.reference(), task.seats
    compiler.ready(*game.folders, Path(expert_labels_kernel.__file__).parent)
    policy.weights()[:] = task.weights
    network = network_weights.load_file(game, Path(task.network)).record(len(game.features))
    config = SearchConfig(horizon=task.horizon, later_width=0.0, rival_width=0.0, driver=DRIVER)
    size, most = policy.size, task.most
    labels = Labels(
        np.zeros((most + 1, size.situation)),
        np.zeros((most + 1, MOST_CANDIDATES, size.candidate)),
        np.zeros(most, np.int64),
        np.zeros((most, MOST_CANDIDATES)),
        np.zeros((most, MOST_CANDIDATES), np.int64),
    )
    count = label_choices(
        addresses((*game.rules, game.measure_features, game.drivers[DRIVER]), GAME_SIGNATURES),
        addresses((policy.list_candidates,), (LIST_CANDIDATES,)),
        blank(game.record),
        edition.data,
        game.encode_options(seats, game.check_options(seats, {}, edition), edition),
        RaceRange(task.first, task.races, np.uint64(task.seed)),
        search_settings(game, config, has_network=True),
        network,
        new_tree(64),
        new_memory(REMEMBERED if game.costly_drivers else 0),
        Labelling(*task.labelling),
        labels,
    )
    return compact(labels, count)


def compact(labels: Labels, count: int) -> Examples:
    """The examples, with the candidates that were tried in front, in half the precision."""
    tried = labels.visits[:count] > 0
    width = int(tried.sum(axis=1).max()) if count else 1
    order = np.argsort(~tried, axis=1, kind="stable")[:, :width]
    rows = np.arange(count)[:, None]
    return Examples(
        labels.situation[:count].astype(np.float32),
        labels.features[:count][rows, order].astype(np.float32),
        labels.value[:count][rows, order].astype(np.float32),
        tried[rows, order],
    )


def joined(parts: list[Examples]) -> Examples:
    """Examples of several tasks as one set."""
    width = max(part.value.shape[1] for part in parts)

    def widened(array: Any) -> Any:
        room = [(0, 0)] * array.ndim
        room[1] = (0, width - array.shape[1])
        return np.pad(array, room)

    return Examples(
        np.concatenate([part.situation for part in parts]),
        *(np.concatenate([widened(part[i]) for part in parts]) for i in (1, 2, 3)),
    )


# --- rounds ---------------------------------------------------------------------------------------------------------


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a training by expert iteration does; equal plans give equal weights."""

    game: str
    rounds: int = 3
    examples: int = 40_000
    """Labelled choices of each round."""
    seats: tuple[int, ...] = (2, 3, 4, 6)
    seed: int = 1
    horizon: int = 2
    """Own turns that a simulation runs ahead before the value network evaluates it."""
    labelling: tuple[int, ...] = (80, 50, 12, 6, 4, 12)
    """See `Labelling`."""
    epochs: int = 40
    value_races: int = 40_000
    """Races that the value network of each round learns from."""
    hidden: int = 16
    """Width of the value network's hidden layer."""


EXAMPLES_OF_TASK = 250
"""Examples of one task, about."""


def label_tasks(plan: Plan, number: int, weights: Any, network: str) -> list[LabelTask]:
    """The tasks of round `number`, in a fixed order. Each has races of its own."""
    most = EXAMPLES_OF_TASK
    count = -(-plan.examples // most)
    return [
        LabelTask(
            plan.game,
            plan.seats[i % len(plan.seats)],
            i * RACES_APART,
            RACES_APART,
            plan.seed + number * ROUNDS_APART,
            plan.labelling,
            plan.horizon,
            tuple(weights),
            network,
            most,
        )
        for i in range(count)
    ]


RACES_APART = 1_000_000
"""Numbers of races that are reserved for a task, which runs as many as its examples take."""
ROUNDS_APART = 1_000_003
"""Between the seeds of rounds."""


def collect(folder: Path, tasks: Sequence[LabelTask], processes: int, tell: Callable[[str], None]) -> Examples:
    """The examples of all tasks of a round; those that the folder has already are not made again."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"labels-{i:04}.npz" for i in range(len(tasks))]
    missing = [i for i, file in enumerate(files) if not file.exists()]
    with closing(run(label, [tasks[i] for i in missing], processes=processes)) as finished:
        for done, (which, examples) in enumerate(finished, 1):
            keep(files[missing[which]], examples)
            if done % 10 == 0:
                tell(f"labelled {len(tasks) - len(missing) + done} of {len(tasks)}")
    return joined([load(file) for file in files])


def keep(file: Path, examples: Examples) -> None:
    """Write examples to a file, which appears only when it is complete."""
    unfinished = file.with_suffix(".part")
    with unfinished.open("wb") as out:
        np.savez_compressed(out, **examples._asdict())
    unfinished.rename(file)


def load(file: Path) -> Examples:
    """The examples in a file."""
    with np.load(file) as arrays:
        return Examples(*(arrays[name] for name in Examples._fields))


def train(plan: Plan, folder: Path, processes: int, tell: Callable[[str], None]) -> None:
    """Run all rounds that are not in the folder yet. Each leaves its policy and its value network there.

    Each round labels races of the latest policy, then trains a policy anew on the examples of all rounds.
    """
    game = get(plan.game)
    policy = policy_of(game)
    weights = policy_learner.fresh_weights(policy.size, policy.prior, plan.seed)
    network = str(game.network)
    parts: list[Examples] = []
    for number in range(1, plan.rounds + 1):
        place = folder / f"round-{number}"
        parts.append(collect(place, label_tasks(plan, number, weights, network), processes, tell))
        if not (place / "policy.json").exists():
            learner = PolicyLearner(policy.size, policy_learner.fresh_weights(policy.size, policy.prior, plan.seed))
            gain, best = policy_learner.fit(learner, shuffled(joined(parts), plan.seed), epochs=plan.epochs)
            tell(f"round {number}: the policy gains {gain:.4f} on the mean candidate, the search {best:.4f}")
            save_policy(place / "policy.json", game, learner.weights, plan, number)
        weights = read_policy(place / "policy.json", policy.size)
        if plan.value_races and not (place / "value.json").exists():
            learn_value(plan, number, place / "value.json", weights, processes, tell)
        if plan.value_races:
            network = str(place / "value.json")


def shuffled(examples: Examples, seed: int) -> Examples:
    """The examples in random order."""
    return examples.part(np.random.default_rng(seed).permutation(len(examples.value)))


def save_policy(file: Path, game: Game, weights: Any, plan: Plan, number: int) -> None:
    """Write the weights of a policy, with the plan that made them."""
    size = policy_of(game).size
    content = {
        "game": game.name,
        "situation": size.situation,
        "candidate": size.candidate,
        "hidden": HIDDEN,
        "round": number,
        "made by": msgspec.to_builtins(plan),
        "weights": [round(float(weight), 5) for weight in weights],
    }
    file.write_text(json.dumps(content) + "\n", encoding="utf-8")


def learn_value(plan: Plan, number: int, file: Path, weights: Any, processes: int, tell: Callable[[str], None]) -> None:
    """Train the value network of a round on races of its policy against itself."""
    sets = [
        training.examples(
            plan.game, seats, plan.value_races // len(plan.seats), plan.seed + number * ROUNDS_APART + seats,
            driver=DRIVER, epsilon=100, policy=tuple(weights), processes=processes,
        )
        for seats in plan.seats
    ]  # fmt: skip
    learner, loss, nothing = training.fit(sets, hidden=plan.hidden)
    tell(f"round {number}: cross-entropy of the value {loss:.4f}; {nothing:.4f} for one that knows nothing")
    training.save(file, plan.game, learner, loss, nothing, f"round {number} of {msgspec.json.encode(plan).decode()}")
