"""PufferLib: a native environment in which every learned seat of many races is an agent.

    from spina.adapters.pufferlib import PufferRaces
    env = PufferRaces("charioteer", races=512, seats=4)

An agent's observation is one array: the numbers of the game's observation, then the action mask as 0 and 1, then in
games whose actions are entries of a menu the rows of the menu. The last action is to wait.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spina.batches.batch import Batch

try:
    import pufferlib
    from gymnasium import spaces
except ImportError as error:  # pragma: no cover - depends on what is installed
    raise ImportError("the adapter to PufferLib needs its package: pip install pufferlib") from error

__all__ = ["PufferRaces"]


class PufferRaces(pufferlib.PufferEnv):  # type: ignore[misc]
    """Many races whose learned seats are agents: those of the first race, of the second, and so on."""

    def __init__(
        self, game: str, races: int = 512, seats: int = 4, *, buf: Any = None, seed: int = 0, **options: Any
    ) -> None:
        """Options are those of `spina.batch`. PufferLib passes `buf`, the arrays that it shares between processes."""
        self.batch = Batch(game, races, seats, acting="all", seed=seed, **options)
        self._parts = [self.batch.observations, self.batch.masks]
        if self.batch.menus is not None:
            self._parts.append(self.batch.menus)
        self.num_agents = self.batch.agents.size
        numbers = sum(part[0, 0].size for part in self._parts)
        self.single_observation_space = spaces.Box(-1.0, 1.0, (numbers,), np.float32)
        self.single_action_space = spaces.Discrete(self.batch.actions)
        super().__init__(buf)

    def reset(self, seed: int | None = None) -> tuple[Any, list[dict[str, Any]]]:
        """Begin all races anew."""
        self.batch.reset(seed)
        self.rewards[:] = 0.0
        self.terminals[:] = False
        self.truncations[:] = False
        self._show()
        return self.observations, []

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, list[dict[str, Any]]]:
        """Take an action of every agent. Races that have ended in this step are summed up in one info."""
        batch = self.batch
        batch.step(np.asarray(actions).reshape(batch.agents.shape))
        self.rewards[:] = batch.rewards.reshape(-1)
        self.terminals[:] = np.repeat(batch.ends, batch.agents.shape[1])
        self._show()
        infos: list[dict[str, Any]] = []
        if batch.ends.any():
            ended = batch.places[batch.ends]
            infos.append({"races": len(ended), "illegal": int((batch.illegal[batch.ends] != 0).sum())})
            if (ended > 0).any():
                infos[0]["place"] = float(ended[ended > 0].mean())
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def _show(self) -> None:
        """Write the parts of all observations side by side into PufferLib's array."""
        begin = 0
        for part in self._parts:
            flat = part.reshape(self.num_agents, -1)
            self.observations[:, begin : begin + flat.shape[1]] = flat
            begin += flat.shape[1]

    def close(self) -> None:
        self.batch.close()
