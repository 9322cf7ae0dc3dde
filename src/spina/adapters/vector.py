"""Gymnasium's vector environments on batches: many races stepped together inside the kernel.

    import gymnasium
    envs = gymnasium.make_vec("spina.adapters.gymnasium:Spina/Charioteer-v1", num_envs=1024, seats=4, bots="competent")

`RaceVectorEnv` has one learner in each race; `make_vec` makes it. `SeatVectorEnv` has every seat of each race as one
environment, in the shape that SuperSuit gives PettingZoo's parallel environments. docs/adapters.md explains both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from spina.adapters.episode import RENDER_MODES, rendered
from spina.batches.batch import Batch
from spina.batches.rewards import check_choice
from spina.errors import OptionError

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:  # pragma: no cover - depends on what is installed
    raise ImportError("vector environments need Gymnasium: pip install 'spina[research]'") from error

__all__ = ["RaceVectorEnv", "SeatVectorEnv"]


class _BatchEnv(VectorEnv[Any, Any, Any]):
    """A batch as a vector environment. A race that ends is followed by the next in the same step."""

    metadata: dict[str, Any] = {  # noqa: RUF012  Gymnasium's own class has it like this
        "render_modes": [*RENDER_MODES],
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }
    masks_in_observations: ClassVar[bool]

    def _set_up(self, batch: Batch, copy: bool, render_mode: str | None) -> None:
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self.batch, self._copy, self.render_mode = batch, copy, render_mode
        self.num_envs = batch.agents.size
        self.single_action_space = spaces.Discrete(batch.actions)
        self.single_observation_space = self._single_space()
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._arrays = {"observation": self._flat(batch.observations)}
        if self.masks_in_observations:
            self._arrays["action_mask"] = self._flat(batch.masks).view(np.int8)
        if batch.menus is not None:
            self._arrays["menu"] = self._flat(batch.menus)
        self._everywhere = np.ones(self.num_envs, np.bool_)

    def _flat(self, array: NDArray[Any]) -> NDArray[Any]:
        """An array with one row for each environment, which shares the memory of the batch's."""
        return array.reshape(self.num_envs, *array.shape[self.batch.agents.ndim :])

    def _single_space(self) -> spaces.Space[Any]:
        encoding, count = self.batch.encoding, self.batch.actions
        parts: dict[str, spaces.Space[Any]] = {"observation": spaces.Box(-1.0, 1.0, (encoding.size,), np.float32)}
        if self.masks_in_observations:
            parts["action_mask"] = spaces.Box(0, 1, (count,), np.int8)
        if self.batch.menus is not None:
            parts["menu"] = spaces.Box(-1.0, 1.0, (encoding.actions, len(encoding.menu_names)), np.float32)
        return spaces.Dict(parts) if len(parts) > 1 else parts["observation"]

    def _seen(self) -> Any:
        found = {name: array.copy() if self._copy else array for name, array in self._arrays.items()}
        return found if len(found) > 1 else found["observation"]

    def _infos(self) -> dict[str, Any]:
        if self.masks_in_observations:
            return {}
        return {"action_mask": self.action_masks().astype(np.int8), "_action_mask": self._everywhere.copy()}

    def action_masks(self) -> NDArray[np.bool_]:
        """The actions that are possible in each environment, under the name that some libraries look for."""
        masks: NDArray[np.bool_] = self._flat(self.batch.masks)
        return masks.copy() if self._copy else masks

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin all races anew; with a seed, race i is the one that `spina.new` gives for seed + i."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        if seed is None:
            self.batch.reset(int(self.np_random.integers(2**63)))
        elif isinstance(seed, int | np.integer):
            self.batch.reset([(int(seed) + i) % 2**64 for i in range(self.batch.races)])
        else:
            self.batch.reset(seed)
        return self._seen(), self._infos()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Take an action in every environment. `final_obs` and `final_info` tell of races that have ended."""
        batch, per_race = self.batch, self.num_envs // self.batch.races
        taken = np.asarray(actions)
        if taken.shape != (self.num_envs,):
            raise OptionError(f"actions have the shape {(self.num_envs,)}, not {taken.shape}")
        batch.step(taken.reshape(batch.agents.shape))
        ends = np.repeat(batch.ends, per_race)
        infos = self._infos()
        if ends.any():
            infos |= self._last(ends)
        return self._seen(), batch.rewards.reshape(-1).copy(), ends, np.zeros(self.num_envs, np.bool_), infos

    def _last(self, ends: NDArray[np.bool_]) -> dict[str, Any]:
        """What learners saw last of the races that have ended, and their places."""
        batch = self.batch
        assert batch.final_observations is not None
        last: dict[str, Any] = {"observation": batch.final_observations.reshape(self.num_envs, -1).copy()}
        for name, array in self._arrays.items():  # nothing can be done in a race that is over
            last.setdefault(name, np.zeros_like(array))
        if self.masks_in_observations:
            last["action_mask"][:, -1] = 1
        seen = last if len(last) > 1 else last["observation"]
        return {
            "final_obs": seen,
            "_final_obs": ends,
            "final_info": {"place": batch.places.reshape(-1).copy(), "_place": ends},
            "_final_info": ends,
        }

    def render(self) -> tuple[Any, ...] | None:
        """A picture of each race, as a spectator sees it."""
        if self.render_mode is None:
            return None
        batch = self.batch
        return tuple(
            rendered(batch.game, batch.edition, state, batch.seats, self.render_mode) for state in batch._arrays.races
        )

    def close_extras(self, **kwargs: Any) -> None:
        self.batch.close()


class RaceVectorEnv(_BatchEnv):
    """One learner in each of many races; drivers of the game have the other seats.

    Observations, masks in `infos["action_mask"]` and rewards are those of `RaceEnv`, one row for each race.
    """

    masks_in_observations = False

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        seats: int = 4,
        *,
        seat: int | None = 0,
        bots: str | Sequence[str] = "random",
        copy: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Options beside those of `spina.batch`: `seat` and `bots` as in `RaceEnv`, of which only drivers are possible.

        `copy=False` returns the arrays of the batch themselves, which the next step overwrites.
        """
        drivers: str | list[str] = bots if isinstance(bots, str) else [*bots]
        if not isinstance(drivers, str) and seat:  # by seat, and not in the order of play after the learner
            behind = seats - 1 - seat
            drivers = drivers[behind:] + drivers[:behind]
        batch = Batch(
            game, num_envs, seats, learned=seat or 0, drivers=drivers, rotate=seat is None, final_observations=True,
            **options,
        )  # fmt: skip
        self._set_up(batch, copy, render_mode)


class SeatVectorEnv(_BatchEnv):
    """All learned seats of many races, each as one environment: those of the first race, of the second, and so on.

    The shape is that of `supersuit.concat_vec_envs_v1` over PettingZoo's parallel environments. An observation is a
    dict of `observation`, `action_mask` and perhaps `menu`, as in `spina.adapters.pettingzoo.parallel_env`; the last
    action is to wait.
    """

    masks_in_observations = True

    def __init__(
        self,
        game: str,
        races: int,
        seats: int = 4,
        *,
        copy: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Options are those of `spina.batch`, among them `learned` and `drivers`."""
        self._set_up(Batch(game, races, seats, acting="all", final_observations=True, **options), copy, render_mode)
