"""Train a small agent for Charioteer against random bots, with NumPy alone, in a few minutes on one core.

    python examples/train_agent.py                       # trains, then races 1,000 times against three random bots
    python examples/train_agent.py --save agent.npz      # and keeps what it learned

The agent is as simple as possible: every action has a row of weights, the observation times that row is the action's
score, and among the possible actions the higher score is the likelier (a linear softmax policy). It learns by policy
gradients (REINFORCE with Adam): after each batch of races, what led to more ground gained on the best rival than usual
becomes likelier. It needs `pip install 'spina[research]'`.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from spina.simulation import wilson

Numbers = NDArray[np.float64]

GROUND = 20.0
"""Reward for the distance of a whole race."""


@dataclass
class Agent:
    """Weights for each action and number of an observation, and Adam's memory of their gradients."""

    weights: Numbers
    rate: float = 0.02
    steps: int = 0
    mean: Numbers = field(init=False)
    square: Numbers = field(init=False)

    def __post_init__(self) -> None:
        self.mean, self.square = np.zeros_like(self.weights), np.zeros_like(self.weights)

    def chances(self, seen: Any, mask: Any) -> Numbers:
        """The probability of each action."""
        scores = np.where(mask, self.weights @ seen, -np.inf)
        likely: Numbers = np.exp(scores - scores.max())
        return likely / likely.sum()

    def act(self, seen: Any, mask: Any, chance: np.random.Generator) -> int:
        """Draw an action."""
        return int(chance.choice(len(mask), p=self.chances(seen, mask)))

    def learn(self, gradient: Numbers) -> None:
        """Take one step of gradient ascent with Adam."""
        self.steps += 1
        self.mean += 0.1 * (gradient - self.mean)
        self.square += 0.01 * (gradient**2 - self.square)
        mean, square = self.mean / (1 - 0.9**self.steps), self.square / (1 - 0.99**self.steps)
        self.weights += self.rate * mean / (np.sqrt(square) + 1e-8)


@dataclass
class Lead:
    """How far the agent is ahead of the best rival, read from an observation."""

    own: int
    rivals: list[int]

    @classmethod
    def of(cls, env: Any) -> Lead:
        names = env.unwrapped.episode.encoding.names
        return cls(
            names.index("own: progress"),
            [i for i, name in enumerate(names) if name.startswith("rival") and name.endswith(": progress")],
        )

    def __call__(self, seen: Any) -> float:
        return GROUND * float(seen[self.own] - max(seen[self.rivals]))


def make_env(seats: int, bots: str) -> Any:
    """Charioteer, the agent in any seat. The name before the colon is the module that knows the id."""
    name = "spina.adapters.gymnasium:Spina/Charioteer-v1"
    return gymnasium.make(name, seats=seats, seat=None, bots=bots, disable_env_checker=True)


def race(env: Any, agent: Agent, chance: np.random.Generator, lead: Lead) -> tuple[list[Any], list[float], float]:
    """One race: what the agent saw and did, what each step gained, and the reward of its place at the end."""
    seen, info = env.reset()
    story, gains, over, reward = [], [], False, 0.0
    while not over:
        mask = info["action_mask"]
        action = agent.act(seen, mask, chance)
        before = lead(seen)
        story.append((seen, mask, action))
        seen, reward, over, _, info = env.step(action)
        gains.append(lead(seen) - before)
    return story, gains, reward


def train(seats: int, bots: str, batches: int, races: int, seed: int, discount: float, quiet: bool = False) -> Agent:
    """Race and learn, batch after batch."""
    env = make_env(seats, bots)
    env.reset(seed=seed)
    chance = np.random.default_rng(seed)
    agent = Agent(np.zeros((int(env.action_space.n), env.observation_space.shape[0])))
    lead = Lead.of(env)
    begun = time.perf_counter()
    for batch in range(batches):
        steps, worth, wins = [], [], 0
        for _ in range(races):
            story, gains, reward = race(env, agent, chance, lead)
            wins += reward == 1.0
            later = 0.0
            follows = []
            for gain in reversed(gains):
                later = gain + discount * later
                follows.append(later)
            steps += story
            worth += follows[::-1]
        surprise = np.array(worth)
        surprise = (surprise - surprise.mean()) / (surprise.std() + 1e-8)
        agent.learn(gradient_of(agent, steps, surprise))
        if not quiet and (batch + 1) % 10 == 0:
            spent = time.perf_counter() - begun
            print(f"batch {batch + 1:4}: won {wins} of {races}, {len(steps) / races:.0f} steps a race, {spent:.0f} s")
    env.close()
    return agent


def gradient_of(agent: Agent, steps: list[Any], surprise: Numbers) -> Numbers:
    """The policy gradient: it raises the probability of actions with a positive advantage."""
    seen = np.array([step[0] for step in steps], np.float64)
    masks = np.array([step[1] for step in steps], bool)
    scores = np.where(masks, seen @ agent.weights.T, -np.inf)
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    pull = -likely / likely.sum(axis=1, keepdims=True)
    pull[np.arange(len(steps)), [step[2] for step in steps]] += 1
    gradient: Numbers = (pull * surprise[:, None]).T @ seen / len(steps)
    return gradient


def measure(agent: Agent, seats: int, bots: str, races: int, seed: int) -> int:
    """Number of races won out of `races`, with seeds that were not used in training."""
    env = make_env(seats, bots)
    env.reset(seed=seed)
    chance, lead = np.random.default_rng(seed), Lead.of(env)
    return sum(race(env, agent, chance, lead)[2] == 1.0 for _ in range(races))


def main(arguments: list[str] | None = None) -> tuple[int, int]:
    parser = argparse.ArgumentParser(description="Train a small agent for Charioteer.")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--bots", default="random", help="the rivals' name (random)")
    parser.add_argument("--batches", type=int, default=100, help="how many times it learns (100)")
    parser.add_argument("--races", type=int, default=16, help="races before it learns from them (16)")
    parser.add_argument("--measure", type=int, default=1000, help="races at the end, to see how good it is (1000)")
    parser.add_argument("--discount", type=float, default=0.9, help="how much a step later counts less (0.9)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", help="file for the weights")
    given = parser.parse_args(arguments)
    agent = train(given.seats, given.bots, given.batches, given.races, given.seed, given.discount)
    won = measure(agent, given.seats, given.bots, given.measure, given.seed + 1)
    low, high = wilson(won, given.measure)
    print(
        f"won {won / given.measure:.1%} of {given.measure} races against {given.seats - 1} {given.bots} bots "
        f"(95 % interval {low:.1%} to {high:.1%}; luck alone: {1 / given.seats:.1%})"
    )
    if given.save:
        np.savez_compressed(given.save, weights=agent.weights)
    return won, given.measure


if __name__ == "__main__":
    main()
