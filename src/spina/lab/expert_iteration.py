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
from spina.bots.network_weights import Network
from spina.bots.search_bot import search_settings
from spina.bots.search_kernel import GAME_SIGNATURES, REMEMBERED, new_memory
from spina.bots.search_tree import new_tree
from spina.errors import OptionError
from spina.games import get
from spina.games.game import Game
from spina.games.levels import SearchConfig
from spina.games.policy import LearnedPolicy
from spina.kernel import compiler
from spina.kernel.function_pointers import addresses
from spina.kernel.interface import LIST_CANDIDATES
from spina.kernel.policy_network import HIDDEN, MOST_CANDIDATES, PolicySize
from spina.kernel.policy_weights import read_policy
from spina.kernel.race_runner import RaceRange
from spina.kernel.record import blank
from spina.lab import expert_labels_kernel, policy_learner, training
from spina.lab.executor import run
from spina.lab.expert_labels_kernel import Labelling, Labels, label_choices
from spina.lab.policy_learner import Examples, PolicyLearner
from spina.lab.proof_seeds import check_free

DRIVER = "learned"
EXAMPLES_OF_TASK = 250
"""Most examples of one task."""
RACES_APART = 10_000
"""Numbers of races that are reserved for a task, which runs as many as its examples take."""
ROUNDS_APART = 1_000_003
"""Between the seeds of rounds."""
EPSILON = 100
"""Random choices in a thousand in the opening of the races that the value network learns from."""

Tell = Callable[[str], None]


class TrainingPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What a training by expert iteration does. Equal plans give equal weights, wherever they run."""

    game: str
    rounds: int = 3
    examples: int = 40_000
    """Labelled choices of each round."""
    seats: tuple[int, ...] = (2, 3, 4, 6)
    seed: int = 1
    horizon: int = 2
    """Own turns that a simulation runs ahead before the value network evaluates it."""
    labelling: tuple[int, ...] = (80, 50, 12, 6, 4, 12)
    """The fields of `Labelling`."""
    epochs: int = 40
    """Times that the policy goes through its examples."""
    value_races: int = 40_000
    """Races that the value network of each round learns from; 0 keeps the game's."""
    hidden: int = 16
    """Width of the value network's hidden layer."""
    from_nothing: bool = False
    """Whether the first round is driven by a policy that knows nothing, instead of the game's prior."""


class LabelTask(msgspec.Struct, frozen=True, kw_only=True):
    """Races that one process runs and labels at once."""

    game: str
    seats: int
    first: int
    """Number of the first race."""
    seed: int
    labelling: tuple[int, ...]
    horizon: int
    policy: tuple[float, ...]
    """The weights of the policy."""
    hidden: int
    """The width of the value network's hidden layer; 0 if there is no value network."""
    value: tuple[float, ...]
    """The weights of the value network."""
    most: int
    """Most examples."""


def policy_of(game: Game) -> LearnedPolicy:
    """The policy of a game. Raises OptionError if it has none."""
    if game.policy is None:
        raise OptionError(f"{game.title} lists no candidates: a policy has nothing to choose from")
    return game.policy


# --- labelling ------------------------------------------------------------------------------------------------------


def label(task: LabelTask) -> Examples:
    """Run and label the races of a task."""
    game = get(task.game)
    policy = policy_of(game)
    edition, seats = game.reference(), task.seats
    compiler.ready(*game.folders, Path(expert_labels_kernel.__file__).parent)
    policy.weights()[:] = task.policy
    network = network_weights.NO_NETWORK
    if task.hidden:
        network = Network(task.hidden, np.array(task.value)).record(len(game.features))
    config = SearchConfig(horizon=task.horizon, later_width=0.0, rival_width=0.0, driver=DRIVER)
    labels = new_labels(policy.size, task.most)
    count = label_choices(
        addresses((*game.rules, game.measure_features, game.drivers[DRIVER]), GAME_SIGNATURES),
        addresses((policy.list_candidates,), (LIST_CANDIDATES,)),
        blank(game.record),
        edition.data,
        game.encode_options(seats, game.check_options(seats, {}, edition), edition),
        RaceRange(task.first, RACES_APART, np.uint64(task.seed)),
        search_settings(game, config, has_network=task.hidden > 0),
        network,
        new_tree(64),
        new_memory(REMEMBERED if game.costly_drivers else 0),
        Labelling(*task.labelling),
        labels,
    )
    return compact(labels, count)


def new_labels(size: PolicySize, most: int) -> Labels:
    """Memory for this many labelled choices, and a row for choices that are not labelled."""
    return Labels(
        np.zeros((most + 1, size.situation)),
        np.zeros((most + 1, MOST_CANDIDATES, size.candidate)),
        np.zeros(most, np.int64),
        np.zeros((most, MOST_CANDIDATES)),
        np.zeros((most, MOST_CANDIDATES), np.int64),
    )


def compact(labels: Labels, count: int) -> Examples:
    """The examples in half the precision, without the candidates that no example of these tried."""
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


def joined(parts: Sequence[Examples]) -> Examples:
    """Examples of several tasks as one set."""
    width = max(part.value.shape[1] for part in parts)

    def widened(array: Any) -> Any:
        room = [(0, 0)] * array.ndim
        room[1] = (0, width - array.shape[1])
        return np.pad(array, room)

    return Examples(
        np.concatenate([part.situation for part in parts]),
        np.concatenate([widened(part.features) for part in parts]),
        np.concatenate([widened(part.value) for part in parts]),
        np.concatenate([widened(part.tried) for part in parts]),
    )


def label_tasks(plan: TrainingPlan, number: int, policy: Any, network: Network | None) -> list[LabelTask]:
    """The tasks of round `number`, in a fixed order. No two tasks share a race."""
    return [
        LabelTask(
            game=plan.game,
            seats=plan.seats[i % len(plan.seats)],
            first=i * RACES_APART,
            seed=_seed(plan, number),
            labelling=plan.labelling,
            horizon=plan.horizon,
            policy=tuple(policy),
            hidden=network.hidden if network else 0,
            value=tuple(network.weights.tolist()) if network else (),
            most=min(EXAMPLES_OF_TASK, plan.examples - i * EXAMPLES_OF_TASK),
        )
        for i in range(-(-plan.examples // EXAMPLES_OF_TASK))
    ]


def _seed(plan: TrainingPlan, number: int) -> int:
    """The seed of a round's races."""
    return plan.seed + number * ROUNDS_APART


def collect(
    folder: Path, tasks: Sequence[LabelTask], tell: Tell, processes: int | None = None, on: str | None = None
) -> Examples:
    """The examples of all tasks of a round; those that the folder has already are not made again."""
    files = [folder / f"labels-{i:04}.npz" for i in range(len(tasks))]
    missing = [i for i, file in enumerate(files) if not file.exists()]
    there = len(tasks) - len(missing)
    with closing(run(label, [tasks[i] for i in missing], processes=processes, on=on)) as finished:
        for done, (which, examples) in enumerate(finished, there + 1):
            keep_examples(files[missing[which]], examples)
            if done % 16 == 0:
                tell(f"{folder.name}: {done} of {len(tasks)} tasks labelled")
    return joined([load_examples(file) for file in files])


def keep_examples(file: Path, examples: Examples) -> None:
    """Write examples to a file, which appears only when it is complete."""
    unfinished = file.with_suffix(".part")
    with unfinished.open("wb") as out:
        np.savez_compressed(out, **examples._asdict())
    unfinished.rename(file)


def load_examples(file: Path) -> Examples:
    with np.load(file) as arrays:
        return Examples(*(arrays[name] for name in Examples._fields))


# --- rounds ---------------------------------------------------------------------------------------------------------


def train(
    plan: TrainingPlan, folder: Path, tell: Tell = lambda _: None, processes: int | None = None, on: str | None = None
) -> Path:
    """Run all rounds that are not in the folder yet; returns the folder of the last one, with its `policy.json` and
    `value.json`.

    Each round labels races of the latest policy, trains a policy anew on the examples of all rounds, and a value
    network on races of that policy. Raises OptionError if the folder holds another training.
    """
    game = get(plan.game)
    policy = policy_of(game)
    check_folder(plan, folder)
    for number in range(1, plan.rounds + 1):
        check_free(_seed(plan, number), RACES_APART * (plan.examples // EXAMPLES_OF_TASK + 1))
    fresh = policy_learner.fresh_weights(policy.size, policy.prior, plan.seed)
    weights = policy_learner.fresh_weights(policy.size, {}, plan.seed) if plan.from_nothing else fresh
    network = network_weights.load(game)
    parts: list[Examples] = []
    place = folder
    for number in range(1, plan.rounds + 1):
        place = folder / f"round-{number}"
        place.mkdir(exist_ok=True)
        parts.append(collect(place, label_tasks(plan, number, weights, network), tell, processes, on))
        if not (place / "policy.json").exists():
            learner = PolicyLearner(policy.size, fresh)
            gain, best = policy_learner.fit(learner, shuffled(joined(parts), plan.seed), epochs=plan.epochs)
            tell(f"{place.name}: the policy's choices gain {gain:.2%} on the mean candidate, the best {best:.2%}")
            save_policy(place / "policy.json", game, learner.weights, plan, number)
        weights = read_policy(place / "policy.json", policy.size)
        if plan.value_races:
            if not (place / "value.json").exists():
                _learn_value(plan, number, place / "value.json", weights, tell, processes, on)
            network = network_weights.load_file(game, place / "value.json")
    return place


def check_folder(plan: msgspec.Struct, folder: Path) -> None:
    """Note the plan in the folder, or compare it with the one that is there."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "plan.json"
    if not file.exists():
        file.write_bytes(msgspec.json.format(msgspec.json.encode(plan)) + b"\n")
    there, wanted = msgspec.json.decode(file.read_bytes()), msgspec.to_builtins(plan)
    different = [
        name for name in wanted if name != "rounds" and there.get(name) != json.loads(json.dumps(wanted[name]))
    ]
    if different:
        name = different[0]
        raise OptionError(
            f"{folder} holds another training: its {name} is {there.get(name)}, not {wanted[name]}; name another folder"
        )


def shuffled(examples: Examples, seed: int) -> Examples:
    """The examples in random order."""
    return examples.part(np.random.default_rng(seed).permutation(len(examples.value)))


def save_policy(file: Path, game: Game, weights: Any, plan: msgspec.Struct, number: int) -> None:
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


def _learn_value(
    plan: TrainingPlan, number: int, file: Path, weights: Any, tell: Tell, processes: int | None, on: str | None
) -> None:
    """Train the value network of a round on races of its policy against itself."""
    sets = [
        training.examples(
            plan.game,
            seats,
            max(10, plan.value_races // len(plan.seats)),
            _seed(plan, number) + seats,
            driver=DRIVER,
            epsilon=EPSILON,
            policy=tuple(weights),
            processes=processes,
            on=on,
        )
        for seats in plan.seats
    ]
    learner, loss, nothing = training.fit(sets, hidden=plan.hidden)
    tell(f"{file.parent.name}: cross-entropy of the winners {loss:.4f}; {nothing:.4f} for a network that knows nothing")
    training.save(file, plan.game, learner, loss, nothing, f"round {number} of {msgspec.json.encode(plan).decode()}")
