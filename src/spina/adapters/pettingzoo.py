"""PettingZoo: all seats of a race as agents, one after another (`env`) or at the same time (`parallel_env`).

    from spina.adapters import pettingzoo
    env = pettingzoo.env(game, seats=4)

Agents are "seat_0", "seat_1" and so on. An observation is a dict of `observation` and `action_mask`; in games whose
actions are entries of a menu also `menu`, a row of numbers for each action. docs/adapters.md explains them.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from spina.adapters.episode import RENDER_MODES, Episode, Setup
from spina.batches.rewards import LOST, Illegal, check_choice
from spina.errors import IllegalAction
from spina.games.game import Action

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as error:  # pragma: no cover - depends on what is installed
    raise ImportError("the adapter to PettingZoo needs its package: pip install 'spina[research]'") from error

__all__ = ["RaceAEC", "RaceParallel", "env", "parallel_env", "raw_env"]

Observation = dict[str, Any]


class _Seats:
    """What both kinds of environment share: the agents, their spaces, and the episode."""

    render_mode: str | None

    def _set_up(
        self,
        game: str,
        seats: int,
        illegal: Illegal,
        views: bool,
        render_mode: str | None,
        room: int,
        options: dict[str, Any],
    ) -> None:
        check_choice("illegal", illegal, ("lose", "raise"))
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self.episode = Episode(Setup(game, seats, **options))
        encoding = self.episode.encoding
        self.render_mode, self._illegal, self._views, self._room = render_mode, illegal, views, room
        self.metadata: dict[str, Any] = {
            "name": f"spina_{game.replace('-', '_')}_v{encoding.version}",
            "render_modes": [*RENDER_MODES],
            "render_fps": 1,
            "is_parallelizable": True,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents = self.possible_agents[:]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        count = encoding.actions + room
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._space(count) for agent in self.possible_agents}
        self._seeds = np.random.default_rng()

    def _space(self, count: int) -> spaces.Dict:
        encoding = self.episode.encoding
        parts: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(-1.0, 1.0, (encoding.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (count,), np.int8),
        }
        if encoding.menu_names:
            parts["menu"] = spaces.Box(-1.0, 1.0, (encoding.actions, len(encoding.menu_names)), np.float32)
        return spaces.Dict(parts)

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    @property
    def race(self) -> Any:
        """The race as `spina.Race`. It holds hidden information, so keep it from agents."""
        return self.episode.race

    def _begin(self, seed: int | None) -> None:
        self.episode.reset(int(self._seeds.integers(2**63)) if seed is None else seed)
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self.agents = self.possible_agents[:]

    def _observe(self, seat: int) -> Observation:
        data, encoding = self.episode.data, self.episode.encoding
        seen = {"observation": encoding.observe(data, seat), "action_mask": encoding.mask(data, seat, self._room)}
        if encoding.menu_names:
            seen["menu"] = encoding.menu(data, seat)
        return seen

    def _info(self, seat: int) -> dict[str, Any]:
        return {"view": self.episode.view(seat)} if self._views else {}

    def _act(self, seat: int, action: int | str | Action) -> str | None:
        """Takes an action. Returns None, or the reason why it is illegal, where that ends the episode."""
        try:
            if isinstance(action, str | Action):
                self.episode.play(seat, action)
            else:
                self.episode.take(seat, int(action))
        except IllegalAction as error:
            if self._illegal == "raise":
                raise
            return error.reason
        return None

    def render(self) -> Any:
        return self.episode.render(self.render_mode)

    def close(self) -> None:
        """Does nothing: there is nothing to release."""

    def state(self) -> Any:
        """The observations of all seats, concatenated, for learners with a central critic."""
        data, encoding = self.episode.data, self.episode.encoding
        return np.concatenate([encoding.observe(data, seat) for seat in range(self.episode.seats)])

    @property
    def state_space(self) -> spaces.Box:
        return spaces.Box(-1.0, 1.0, (self.episode.encoding.size * self.episode.seats,), np.float32)


class RaceAEC(_Seats, AECEnv[str, Observation, Any]):  # type: ignore[misc]
    """One seat at a time. Of seats that owe a choice at the same time, the lowest is asked first, until its choice is
    complete; the others do not see what it chose.
    """

    metadata: ClassVar[dict[str, Any]]  # type: ignore[misc]

    def __init__(
        self,
        game: str,
        seats: int = 4,
        *,
        illegal: Illegal = "lose",
        views: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self._set_up(game, seats, illegal, views, render_mode, 0, options)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a race; with a seed, the one that `spina.new` gives for it."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._select()

    def _select(self) -> None:
        bits = self.episode.acting
        seat = (bits & -bits).bit_length() - 1
        self.agent_selection = self.possible_agents[seat]
        if self._views:
            self.infos[self.agent_selection] = self._info(seat)

    def observe(self, agent: str) -> Observation:
        return self._observe(self._seat_of[agent])

    def step(self, action: Any) -> None:
        """Takes an action: its number, or any action that the rules allow, typed or in notation."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        seat = self._seat_of[agent]
        reason = self._act(seat, action)
        if reason is not None:
            self.infos[agent] = {**self._info(seat), "illegal": reason}
            self._end({agent: LOST})
        elif self.episode.over:
            self._end(dict(zip(self.possible_agents, self.episode.rewards(), strict=True)))
        else:
            self._select()

    def _end(self, rewards: dict[str, float]) -> None:
        for agent in self.agents:
            self.rewards[agent] = rewards.get(agent, 0.0)
            self.terminations[agent] = True
        self._accumulate_rewards()
        if self._views:
            for agent in self.agents:
                self.infos[agent] |= self._info(self._seat_of[agent])
        self.agent_selection = self.agents[0]


class RaceParallel(_Seats, ParallelEnv[str, Observation, Any]):  # type: ignore[misc]
    """All seats at the same time. The last action of the action space is to wait, the only action of a seat that owes
    no choice now.
    """

    metadata: ClassVar[dict[str, Any]]  # type: ignore[misc]

    def __init__(
        self,
        game: str,
        seats: int = 4,
        *,
        illegal: Illegal = "lose",
        views: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self._set_up(game, seats, illegal, views, render_mode, 1, options)
        self.wait = self.episode.encoding.actions

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begins a race; with a seed, the one that `spina.new` gives for it."""
        self._begin(seed)
        return self._observations(), self._infos()

    def _observe(self, seat: int) -> Observation:
        seen = super()._observe(seat)
        if not self.episode.acting >> seat & 1:
            seen["action_mask"][self.wait] = 1
        return seen

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._observe(self._seat_of[agent]) for agent in self.agents}

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: self._info(self._seat_of[agent]) for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:  # fmt: skip
        """Takes an action for every agent."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        reasons = self._act_together(actions)
        over = self.episode.over or bool(reasons)
        rewards = dict.fromkeys(self.agents, 0.0)
        if reasons:
            rewards |= dict.fromkeys(reasons, LOST)
        elif over:
            rewards = dict(zip(self.possible_agents, self.episode.rewards(), strict=True))
        infos = self._infos()
        for agent, reason in reasons.items():
            infos[agent]["illegal"] = reason
        answer = (
            self._observations(), rewards, dict.fromkeys(self.agents, over), dict.fromkeys(self.agents, False), infos,
        )  # fmt: skip
        if over:
            self.agents = []
        return answer

    def _act_together(self, actions: dict[str, Any]) -> dict[str, str]:
        """Checks all actions against the same position, then takes them. Returns why some are illegal, by agent."""
        bits = self.episode.acting
        reasons = {}
        for seat, agent in enumerate(self.possible_agents):
            if agent not in actions:
                reason: str | None = f"{agent} was given no action"
            elif not bits >> seat & 1:
                waits = not isinstance(actions[agent], str | Action) and int(actions[agent]) == self.wait
                reason = None if waits else f"{agent} owes no choice now: it can only wait, with action {self.wait}"
            else:
                reason = self.episode.why_not(seat, actions[agent])
            if reason is not None:
                reasons[agent] = reason
        if reasons and self._illegal == "raise":
            raise IllegalAction("; ".join(reasons.values()))
        if not reasons:
            for seat, agent in enumerate(self.possible_agents):
                if bits >> seat & 1:
                    self._act(seat, actions[agent])
        return reasons


def env(game: str, seats: int = 4, **options: Any) -> RaceAEC:
    """One seat at a time.

    Options: `illegal` ("lose": an illegal action ends the episode with -1 for the seat that took it; "raise"),
    `rewards` ("places": 1 for the first to -1 for the last; "win": 1 for the first; or a number for each place),
    `views` (info["view"]: what the seat may know, as plain data), `render_mode` ("ansi", "svg"), `edition`, and the
    options of the game.
    """
    return RaceAEC(game, seats, **options)


raw_env = env
"""The same: there are no wrappers around it."""


def parallel_env(game: str, seats: int = 4, **options: Any) -> RaceParallel:
    """All seats at the same time; the options are those of `env`."""
    return RaceParallel(game, seats, **options)
