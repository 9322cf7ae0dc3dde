"""Train an agent for Charioteer on races in batches, with NumPy alone, in ten minutes on a laptop.

    python examples/train_batch.py                                   # against three drivers of the kind "longest"
    python examples/train_batch.py --minutes 2 --drivers random --plot progress.png

The agent is a network with one hidden layer: scores of actions, and an estimate of what is still to be gained. It
learns by proximal policy optimisation (PPO) from some hundred races at once, from the ground that it gains on its best
rival and from its place at the end. `--plot` needs `pip install 'spina[lab]'`; the rest needs `spina` only.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import spina
from spina.simulation import wilson

Numbers = NDArray[np.float32]

GROUND = 20.0
"""Reward for the distance of a whole race."""
DISCOUNT, TRACE = 0.97, 0.9
"""How much a reward counts a step later, and how far the estimates of values reach (generalised advantages)."""
CLIP, ENTROPY, VALUE = 0.2, 0.005, 0.5


@dataclass
class Agent:
    """The weights of the network, and Adam's memory of their gradients."""

    weights: list[Numbers]
    rate: float = 1e-3
    steps: int = 0
    mean: list[Numbers] = field(init=False)
    square: list[Numbers] = field(init=False)

    @classmethod
    def fresh(cls, numbers: int, actions: int, hidden: int, chance: np.random.Generator) -> Agent:
        first = chance.normal(0, 1 / np.sqrt(numbers), (numbers, hidden)).astype(np.float32)
        last = chance.normal(0, 0.01 / np.sqrt(hidden), (hidden, actions + 1)).astype(np.float32)
        return cls([first, np.zeros(hidden, np.float32), last, np.zeros(actions + 1, np.float32)])

    def __post_init__(self) -> None:
        self.mean = [np.zeros_like(each) for each in self.weights]
        self.square = [np.zeros_like(each) for each in self.weights]

    def judge(self, seen: Numbers, mask: Any) -> tuple[Numbers, Numbers, Numbers]:
        """The logarithms of the probabilities of all actions, the value, and the hidden layer."""
        inner = np.tanh(seen @ self.weights[0] + self.weights[1])
        out = inner @ self.weights[2] + self.weights[3]
        scores = np.where(mask, out[:, :-1], -1e9)
        scores -= scores.max(axis=1, keepdims=True)
        return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True)), out[:, -1], inner

    def act(self, seen: Numbers, mask: Any, chance: np.random.Generator) -> tuple[Any, Numbers, Numbers]:
        """Draw an action for each row; returns them with the logarithms of their probabilities and the values."""
        likely, value, _ = self.judge(seen, mask)
        actions = (np.exp(likely).cumsum(axis=1) > chance.random((len(seen), 1)) * 0.999999).argmax(axis=1)
        return actions, likely[np.arange(len(seen)), actions], value

    def learn(self, part: Samples) -> None:
        """One step of Adam on the clipped objective of PPO."""
        rows = np.arange(len(part.actions))
        likely, value, inner = self.judge(part.seen, part.masks)
        chances = np.exp(likely)
        ratio = np.exp(likely[rows, part.actions] - part.likely)
        clipped = np.where(part.worth > 0, ratio > 1 + CLIP, ratio < 1 - CLIP)
        pull = np.where(clipped, 0, part.worth * ratio)[:, None]
        slope = -pull * chances
        slope[rows, part.actions] += pull[:, 0]
        spread = -(chances * likely).sum(axis=1, keepdims=True)
        slope -= ENTROPY * chances * (likely + spread)
        out = np.concatenate([slope, VALUE * (part.returns - value)[:, None]], axis=1) / len(rows)
        back = (out @ self.weights[2].T) * (1 - inner**2)
        self._climb([part.seen.T @ back, back.sum(axis=0), inner.T @ out, out.sum(axis=0)])

    def _climb(self, gradients: list[Numbers]) -> None:
        self.steps += 1
        for weights, mean, square, gradient in zip(self.weights, self.mean, self.square, gradients, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            even = mean / (1 - 0.9**self.steps), square / (1 - 0.999**self.steps)
            weights += self.rate * even[0] / (np.sqrt(even[1]) + 1e-8)


class Samples(NamedTuple):
    """What the agent saw and did, one row for each step of each race."""

    seen: Any
    masks: Any
    actions: Any
    likely: Any
    """Logarithms of the probabilities that the actions had."""
    worth: Any
    """Advantages: how much better than expected the actions turned out."""
    returns: Any

    def rows(self, chosen: Any) -> Samples:
        return Samples(*(each[chosen] for each in self))


class Lead:
    """How far the agent is ahead of its best rival, read from observations."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.own = names.index("own: progress")
        self.rivals = [i for i, name in enumerate(names) if name.startswith("rival") and name.endswith(": progress")]

    def __call__(self, seen: Any) -> Numbers:
        lead: Numbers = GROUND * (seen[:, self.own] - seen[:, self.rivals].max(axis=1))
        return lead


def make_batch(seats: int, drivers: str, races: int, seed: int) -> spina.Batch:
    """Races with one learner each, in any seat."""
    options: dict[str, Any] = {"learned": 0, "rotate": True, "drivers": drivers, "final_observations": True}
    return spina.batch("charioteer", races, seats, seed=seed, **options)


def collect(
    batch: spina.Batch, agent: Agent, lead: Lead, steps: int, chance: np.random.Generator
) -> tuple[Samples, list[int]]:
    """Race some steps; returns what can be learned from them, and the places in the races that ended."""
    shape = (steps, batch.races)
    seen = np.zeros((*shape, batch.observations.shape[1]), np.float32)
    masks, actions = np.zeros((*shape, batch.actions), bool), np.zeros(shape, np.int64)
    likely, gains, ends, values = (np.zeros(shape, np.float32) for _ in range(4))
    places: list[int] = []
    for step in range(steps):
        seen[step], masks[step] = batch.observations, batch.masks
        actions[step], likely[step], values[step] = agent.act(seen[step], masks[step], chance)
        before = lead(seen[step])
        batch.step(actions[step])
        assert batch.final_observations is not None
        after = np.where(batch.ends, lead(batch.final_observations[:, 0]), lead(batch.observations))
        gains[step], ends[step] = after - before + batch.rewards[:, 0], batch.ends
        places += batch.places[batch.ends, 0].tolist()
    following, trace = agent.judge(batch.observations, batch.masks)[1], np.zeros(batch.races, np.float32)
    worth = np.zeros(shape, np.float32)
    for step in range(steps - 1, -1, -1):
        goes_on = 1 - ends[step]
        trace = gains[step] + DISCOUNT * goes_on * following - values[step] + DISCOUNT * TRACE * goes_on * trace
        worth[step], following = trace, values[step]
    returns = worth + values
    worth = (worth - worth.mean()) / (worth.std() + 1e-6)
    flat = (each.reshape(-1, *each.shape[2:]) for each in (seen, masks, actions, likely, worth, returns))
    return Samples(*flat), places


Progress = list[tuple[float, float]]
"""Minutes of training, and the share of races won since the line before."""


def train(given: argparse.Namespace) -> tuple[Agent, Progress]:
    """Race and learn until the time is over; returns the agent, and its share of wins by minutes."""
    chance = np.random.default_rng(given.seed)
    batch = make_batch(given.seats, given.drivers, given.races, given.seed)
    agent = Agent.fresh(batch.observations.shape[1], batch.actions, given.hidden, chance)
    lead, begun, progress = Lead(batch.encoding.names), time.perf_counter(), Progress()
    places, steps, rounds = list[int](), 0, 0
    while time.perf_counter() - begun < 60 * given.minutes and rounds != given.rounds:
        samples, more = collect(batch, agent, lead, given.steps, chance)
        for _ in range(given.epochs):
            for part in np.array_split(chance.permutation(len(samples.actions)), 8):
                agent.learn(samples.rows(part))
        places, steps, rounds = places + more, steps + len(samples.actions), rounds + 1
        if len(places) >= given.report:
            minutes, won, mean = (time.perf_counter() - begun) / 60, places.count(1) / len(places), np.mean(places)
            progress.append((minutes, won))
            print(f"{minutes:5.1f} min, {steps:12,} steps: won {won:.1%}, place {mean:.2f} on average", flush=True)
            places = []
    return agent, progress


def measure(agent: Agent, given: argparse.Namespace, races: int) -> tuple[int, int]:
    """Races won and finished, with seeds that were not used in training: the first race of each place in a batch."""
    batch, chance = make_batch(given.seats, given.drivers, races, given.seed + 1), np.random.default_rng(given.seed + 1)
    first, won = np.ones(races, bool), 0
    while first.any():
        batch.step(agent.act(batch.observations, batch.masks, chance)[0])
        won += int((first & (batch.places[:, 0] == 1)).sum())
        first &= ~batch.ends
    return won, races


def plot(progress: Progress, given: argparse.Namespace) -> Any:
    """A figure of the share of wins by minutes."""
    import matplotlib.pyplot as plt

    minutes, shares = zip(*progress, strict=True)
    figure, axes = plt.subplots(figsize=(7, 4))
    axes.plot(minutes, [100 * share for share in shares])
    axes.axhline(100 / given.seats, linestyle=":", color="grey")
    axes.set(xlabel="minutes", ylabel="races won, %", title=f"Charioteer against {given.seats - 1} × {given.drivers}")
    return figure


def settings(arguments: list[str] | None = None) -> argparse.Namespace:
    """What the command line says; the defaults for an empty list."""
    parser = argparse.ArgumentParser(description="Train an agent for Charioteer on races in batches.")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--drivers", default="longest", help="who drives the other chariots (longest)")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long it learns (10)")
    parser.add_argument("--rounds", type=int, default=-1, help="how many times it learns at most (no limit)")
    parser.add_argument("--races", type=int, default=256, help="races at a time (256)")
    parser.add_argument("--steps", type=int, default=64, help="steps of each race before it learns from them (64)")
    parser.add_argument("--epochs", type=int, default=3, help="how often it learns from each step (3)")
    parser.add_argument("--hidden", type=int, default=64, help="size of the hidden layer (64)")
    parser.add_argument("--report", type=int, default=2000, help="races between two lines (2000)")
    parser.add_argument("--measure", type=int, default=2000, help="races at the end, to see how good it is (2000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", help="file for a picture of its progress")
    parser.add_argument("--save", help="file for the weights")
    return parser.parse_args(arguments)


def result(won: int, races: int, given: argparse.Namespace) -> str:
    """The share of races won in words, with its interval."""
    low, high = wilson(won, races)
    return (
        f"won {won / races:.1%} of {races} races against {given.seats - 1} {given.drivers} drivers "
        f"(95 % interval {low:.1%} to {high:.1%}; luck alone: {1 / given.seats:.1%})"
    )


def main(arguments: list[str] | None = None) -> tuple[int, int]:
    given = settings(arguments)
    agent, progress = train(given)
    won, races = measure(agent, given, given.measure)
    print(result(won, races, given))
    if given.plot and progress:
        plot(progress, given).savefig(given.plot, dpi=120, bbox_inches="tight")
    if given.save:
        np.savez_compressed(given.save, *agent.weights)
    return won, races


if __name__ == "__main__":
    main()
