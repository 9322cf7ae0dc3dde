"""Steps per second of the adapters to other tools."""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np

from bench.report import heading, measured

STEPS = 20_000
ROUNDS = 3


def steps_per_second(env: Any, steps: int, seed: int = 1) -> float:
    """Drives an environment with random actions from its mask, as PettingZoo's own examples do."""
    chance = random.Random(seed)
    taken = 0
    begun = time.perf_counter()
    while taken < steps:
        env.reset(seed=seed + taken)
        for _ in env.agent_iter():
            seen, _, over, cut, _ = env.last()
            if over or cut:
                env.step(None)
                continue
            possible = np.flatnonzero(seen["action_mask"])
            env.step(int(possible[int(chance.random() * len(possible))]))
            taken += 1
    return taken / (time.perf_counter() - begun)


def parallel_steps_per_second(env: Any, steps: int, seed: int = 1) -> float:
    """The same for seats that act together; counted are actions that are not waiting."""
    chance = random.Random(seed)
    taken = 0
    begun = time.perf_counter()
    while taken < steps:
        seen, _ = env.reset(seed=seed + taken)
        while env.agents:
            actions = {}
            for agent in env.agents:
                possible = np.flatnonzero(seen[agent]["action_mask"])
                actions[agent] = int(possible[int(chance.random() * len(possible))])
                taken += actions[agent] != env.wait
            seen, *_ = env.step(actions)
    return taken / (time.perf_counter() - begun)


def gymnasium_steps_per_second(env: Any, steps: int, seed: int = 1) -> float:
    """Steps of the learner alone; the bots act in between."""
    chance = random.Random(seed)
    taken = 0
    begun = time.perf_counter()
    while taken < steps:
        _, info = env.reset(seed=seed + taken)
        over = False
        while not over:
            possible = np.flatnonzero(info["action_mask"])
            _, _, over, _, info = env.step(int(possible[int(chance.random() * len(possible))]))
            taken += 1
    return taken / (time.perf_counter() - begun)


def run() -> None:
    from pettingzoo.classic import connect_four_v3

    from spina.adapters import gymnasium, pettingzoo

    heading("Adapters: steps a second, random actions from the mask (best of three runs, one core)")
    env, other = pettingzoo.env("charioteer", seats=4), connect_four_v3.env()
    own = theirs = 0.0
    for _ in range(ROUNDS):  # alternately, so that other load on a shared machine affects both alike
        own = max(own, steps_per_second(env, STEPS))
        theirs = max(theirs, steps_per_second(other, STEPS // 8))
    print(f"        PettingZoo, AEC: Charioteer {own:,.0f} steps/s, connect_four_v3 {theirs:,.0f} steps/s")
    measured("  our steps / connect_four's", f"{own / theirs:.1f}", "3", own >= 3 * theirs)
    for game, steps in (("chariot-race", STEPS), ("chariotmaster", STEPS // 20)):
        print(f"        PettingZoo, AEC: {game} {steps_per_second(pettingzoo.env(game), steps):,.0f} steps/s")
    together = parallel_steps_per_second(pettingzoo.parallel_env("charioteer"), STEPS)
    print(f"        PettingZoo, parallel: Charioteer {together:,.0f} steps/s")
    for bots in ("random", "competent"):
        alone = gymnasium_steps_per_second(gymnasium.RaceEnv("charioteer", bots=bots), STEPS // 4)
        print(f"        Gymnasium: Charioteer against three {bots} {alone:,.0f} steps/s")


if __name__ == "__main__":
    run()
