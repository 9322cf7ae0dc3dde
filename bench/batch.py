"""Races in batches: agent steps a second, against the adapter to Gymnasium and against batches of other packages.

    python -m bench.batch

An agent step is one action of a learner, with the observation and the mask that follow written. What is compared is
run in turns, in short slices of CPU time on one thread, and the median of the ratios counts: other load slows both
alike. Pgx and SuperSuit are compared with where they are installed.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import spina
from bench.adapters import gymnasium_steps_per_second
from bench.report import heading, measured

RACES = 1024
MANY_RACES = 4096
"""Races of a second measurement of threads: how much of a step is the waking of threads depends on the batch."""
SLICES = 5
SLICE_SECONDS = 0.6
BARS = {"charioteer": 1_000_000, "chariot-race": 1_000_000, "chariotmaster": 150_000}
DOOR_STEPS = {"charioteer": 4000, "chariot-race": 4000, "chariotmaster": 800}
"""Steps through the adapter to Gymnasium in one slice."""

Rate = Callable[[], float]
"""A function that measures agent steps a second of CPU time."""


def batch_rate(batch: spina.Batch, seconds: float = SLICE_SECONDS) -> float:
    """Agent steps a second of CPU time, random actions, observations and masks written."""
    rows = batch.agents.size
    steps, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        batch.step(batch.random_actions())
        steps += rows
    return steps / spent


def wall_rate(batch: spina.Batch, seconds: float = SLICE_SECONDS) -> float:
    """The same by the clock on the wall."""
    steps, begun = 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < seconds:
        batch.step(batch.random_actions())
        steps += batch.agents.size
    return steps / spent


def in_turns(one: Rate, other: Rate) -> tuple[float, float, float]:
    """The best rates of both, measured in turns, and the median of the ratios."""
    pairs = [(one(), other()) for _ in range(SLICES)]
    return max(a for a, _ in pairs), max(b for _, b in pairs), statistics.median(a / b for a, b in pairs)


def warmed(batch: spina.Batch, steps: int = 200) -> spina.Batch:
    """The batch with its races spread over their whole length."""
    for _ in range(steps):
        batch.step(batch.random_actions())
    return batch


def run_games() -> None:
    from spina.adapters import gymnasium

    heading(f"Batches: agent steps a second of CPU time, {RACES:,} races of four seats, random actions, one thread")
    for game, bar in BARS.items():
        batch = warmed(spina.batch(game, RACES, 4, seed=1, threads=1, menus=False))
        rate = max(batch_rate(batch) for _ in range(SLICES))
        measured(f"{game}: every seat learned", f"{rate:,.0f}/s", f"{bar:,}/s", rate >= bar)
        if batch.encoding.menu_names:
            described = warmed(spina.batch(game, RACES // 4, 4, seed=1, threads=1))
            print(f"        with menus described: {max(batch_rate(described) for _ in range(SLICES)):,.0f}/s")
        together = warmed(spina.batch(game, RACES // 4, 4, acting="all", seed=1, threads=1, menus=False))
        act, everything = acting_rate(together), batch_rate(together)
        print(f"        all seats in every step: {act:,.0f}/s that act, {everything:,.0f}/s with those that wait")
        alone = warmed(spina.batch(game, RACES // 4, 4, learned=0, seed=1, threads=1))
        env, steps = gymnasium.RaceEnv(game, bots="random"), DOOR_STEPS[game]
        ours, theirs, ratio = in_turns(
            lambda batch=alone: batch_rate(batch), lambda env=env, steps=steps: gymnasium_rate(env, steps)
        )
        print(f"        one seat against three random drivers: {ours:,.0f}/s, through Gymnasium {theirs:,.0f}/s")
        measured(f"{game}: batch / adapter to Gymnasium", f"{ratio:.1f}", "20", ratio >= 20)


def acting_rate(batch: spina.Batch) -> float:
    """Agent steps a second of CPU time, without those that only wait."""
    best = 0.0
    for _ in range(SLICES):
        steps, begun = 0, time.process_time()
        while (spent := time.process_time() - begun) < SLICE_SECONDS:
            steps += int((~batch.masks[..., -1]).sum())
            batch.step(batch.random_actions())
        best = max(best, steps / spent)
    return best


def gymnasium_rate(env: Any, steps: int) -> float:
    """Steps a second of CPU time through the adapter to Gymnasium."""
    cpu, wall = time.process_time(), time.perf_counter()
    rate = gymnasium_steps_per_second(env, steps)
    return rate * (time.perf_counter() - wall) / (time.process_time() - cpu)


def run_threads() -> None:
    heading("Batches: two threads against one, by the clock (best rates of five; needs two idle cores)")
    for game in BARS:
        for races in (RACES, MANY_RACES):
            one, two = (warmed(spina.batch(game, races, 4, seed=1, threads=n, menus=False)) for n in (1, 2))
            pairs = [(wall_rate(one), wall_rate(two)) for _ in range(SLICES)]
            ratio = max(b for _, b in pairs) / max(a for a, _ in pairs)
            measured(f"{game}, {races:,} races: two threads / one", f"{ratio:.2f}", "1.8", ratio >= 1.8)


def run_others() -> None:
    heading("Batches of other packages, one thread")
    ours = warmed(spina.batch("charioteer", RACES, 4, seed=1, threads=1))
    for name, make, bar in (("Pgx backgammon", pgx_rate, 10.0), ("PettingZoo rps_v2, SuperSuit", supersuit_rate, 5.0)):
        try:
            rate = make()
        except ImportError as error:
            print(f"        {name}: not measured, {error.name} is not installed")
            continue
        own, theirs, ratio = in_turns(lambda: batch_rate(ours), rate)
        print(f"        Charioteer {own:,.0f}/s, {name} {theirs:,.0f}/s")
        measured(f"Charioteer / {name}", f"{ratio:.1f}", f"{bar:g}", ratio >= bar)


def pgx_rate() -> Rate:
    """Pgx's backgammon with its automatic resets, random actions, a batch of the same size."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("backgammon")
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    draw = jax.jit(jax.vmap(lambda key, mask: jax.random.categorical(key, jax.numpy.log(mask.astype("float32")))))
    keys = jax.random.split(jax.random.PRNGKey(1), RACES)
    state = jax.jit(jax.vmap(env.init))(keys)

    def rate() -> float:
        nonlocal state, keys
        steps, begun = 0, time.process_time()
        while (spent := time.process_time() - begun) < SLICE_SECONDS:
            keys = jax.vmap(lambda key: jax.random.split(key, 1)[0])(keys)
            state = step(state, draw(keys, state.legal_action_mask), keys)
            state.observation.block_until_ready()
            steps += RACES
        return steps / spent

    rate()  # compiles
    return rate


def supersuit_rate() -> Rate:
    """PettingZoo's quickest classic game through SuperSuit's vectoriser."""
    import numpy as np
    import supersuit
    from pettingzoo.classic import rps_v2

    env = supersuit.concat_vec_envs_v1(supersuit.pettingzoo_env_to_vec_env_v1(rps_v2.parallel_env()), 64)
    env.reset(seed=1)
    chance = np.random.default_rng(1)

    def rate() -> float:
        steps, begun = 0, time.process_time()
        while (spent := time.process_time() - begun) < SLICE_SECONDS:
            env.step(chance.integers(0, 3, env.num_envs))
            steps += env.num_envs
        return steps / spent

    return rate


def run() -> None:
    run_games()
    run_threads()
    run_others()


if __name__ == "__main__":
    run()
