"""Gymnasium: one seat of a race against bots.

    import gymnasium
    from spina.adapters.gymnasium import IDS  # registers an environment for every installed game
    env = gymnasium.make(IDS[game], seats=4, bots="competent")

An observation is an array of numbers from -1 to 1; in games whose actions are entries of a menu, a dict of that and
`menu`, a row of numbers for each action. `info["action_mask"]` says which actions are possible. docs/adapters.md
explains them. `gymnasium.make_vec` steps many races together (`vector.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from spina import bots as all_bots
from spina.adapters.encodings import version_of
from spina.adapters.episode import RENDER_MODES, Episode, Setup
from spina.batches.rewards import LOST, Illegal, check_choice
from spina.errors import IllegalAction, OptionError
from spina.games import find, names
from spina.games.game import Action
from spina.kernel.interface import PLAN
from spina.kernel.random import new_dice

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:  # pragma: no cover - depends on what is installed
    raise ImportError("the adapter to Gymnasium needs its package: pip install 'spina[research]'") from error

__all__ = ["IDS", "RaceEnv"]

Rival = str | Callable[[int], all_bots.Bot]
"""A bot's name, or a function that makes a bot from a seed."""


def environment_id(name: str) -> str:
    """The id of a game's environment: "Spina/", the game's name in camel case, and the version of its encoding."""
    return f"Spina/{name.title().replace('-', '')}-v{version_of(find(name))}"


IDS = {name: environment_id(name) for name in names()}
"""The registered id of each installed game."""


class RaceEnv(gymnasium.Env[Any, Any]):
    """One seat of a race; bots play the others."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [*RENDER_MODES], "render_fps": 1}  # type: ignore[misc]

    def __init__(
        self,
        game: str,
        seats: int = 4,
        *,
        seat: int | None = 0,
        bots: Rival | Sequence[Rival] = "random",
        illegal: Illegal = "lose",
        views: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Options beside those of the game: `edition` and `rewards` as in `spina.adapters.pettingzoo.env`.

        - `seat`: which seat is the learner's; None draws it anew for every race.
        - `bots`: a name for all others, or one for each, in the order of play after the learner; instead of a name
          also a function that makes a bot from a seed.
        - `illegal`: "lose" ends the episode with -1 after an illegal action, "raise" raises IllegalAction.
        - `views`: info["view"] is what the seat may know, as plain data.
        """
        check_choice("illegal", illegal, ("lose", "raise"))
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self.episode = Episode(Setup(game, seats, **options))
        if seat is not None and (isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < seats):
            raise OptionError(f"seat is a number from 0 to {seats - 1}, or None for any, not {seat!r}")
        self._wanted_seat, self.seat = seat, seat or 0
        self._bots = _one_for_each(game, bots, seats - 1)
        self.render_mode, self._illegal, self._views = render_mode, illegal, views
        self._plan: NDArray[np.int64] = np.zeros(PLAN, np.int64)
        self._rivals: list[Callable[[], object]] = []
        self._held: list[all_bots.Bot] = []
        encoding = self.episode.encoding
        self.action_space = spaces.Discrete(encoding.actions)
        numbers = spaces.Box(-1.0, 1.0, (encoding.size,), np.float32)
        self.observation_space = numbers
        if encoding.menu_names:
            menu = spaces.Box(-1.0, 1.0, (encoding.actions, len(encoding.menu_names)), np.float32)
            self.observation_space = spaces.Dict({"observation": numbers, "menu": menu})

    @property
    def race(self) -> Any:
        """The race as `spina.Race`. It knows everything: not for the eyes of an agent."""
        return self.episode.race

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins a race; with a seed, the one that `spina.new` gives for it."""
        super().reset(seed=seed)
        chance = self.np_random
        self.episode.reset(int(chance.integers(2**63)) if seed is None else seed)
        if self._wanted_seat is None:
            self.seat = int(chance.integers(self.episode.seats))
        self.close()
        self._rivals = [lambda: None] * self.episode.seats
        for i, rival in enumerate(self._bots):
            seat = (self.seat + 1 + i) % self.episode.seats
            self._rivals[seat] = self._rival(seat, rival, int(chance.integers(2**63)))
        self._go_on()
        return self._observation(), self._info()

    def _rival(self, seat: int, rival: Rival, seed: int) -> Callable[[], object]:
        """A function that makes a bot's next choice: drivers act inside the kernel, other bots in Python."""
        episode, game = self.episode, self.episode.setup.game
        if isinstance(rival, str) and rival in game.drivers:
            driver, dice, plan = game.drivers[rival], new_dice(seed), self._plan
            return lambda: episode.drive(seat, driver, dice, plan)
        if isinstance(rival, str):
            bot = all_bots.make(rival, game=game.name, seed=seed)
        else:
            bot = all_bots.isolated(rival(seed))
        self._held.append(bot)
        return lambda: episode.play(seat, bot.choose(episode.race, seat))

    def _go_on(self) -> None:
        """Lets the bots act until the learner owes a choice or the race is over."""
        episode, own = self.episode, 1 << self.seat
        bits = episode.acting
        while bits and not bits & own:
            self._rivals[(bits & -bits).bit_length() - 1]()
            bits = episode.acting

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes an action: its number, or any action that the rules allow, typed or in notation."""
        try:
            if isinstance(action, str | Action):
                self.episode.play(self.seat, action)
            else:
                self.episode.take(self.seat, int(action))
        except IllegalAction as error:
            if self._illegal == "raise":
                raise
            return self._observation(), LOST, True, False, {**self._info(), "illegal": error.reason}
        self._go_on()
        over = self.episode.over
        reward = self.episode.rewards()[self.seat] if over else 0.0
        return self._observation(), reward, over, False, self._info()

    def _observation(self) -> Any:
        data, encoding = self.episode.data, self.episode.encoding
        numbers = encoding.observe(data, self.seat)
        if not encoding.menu_names:
            return numbers
        return {"observation": numbers, "menu": encoding.menu(data, self.seat)}

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.episode.encoding.mask(self.episode.data, self.seat)}
        if self.episode.over:
            info["place"] = self.episode.setup.places(self.episode.data)[self.seat]
        if self._views:
            info["view"] = self.episode.view(self.seat)
        return info

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask as booleans, under the name that some libraries look for."""
        return self.episode.encoding.mask(self.episode.data, self.seat).astype(np.bool_)

    def render(self) -> Any:
        return self.episode.render(self.render_mode)

    def close(self) -> None:
        """Closes the bots, some of which are separate programs."""
        for bot in self._held:
            bot.close()
        self._held = []


def _one_for_each(game: str, bots: Rival | Sequence[Rival], count: int) -> list[Rival]:
    """A bot for each rival."""
    rivals: list[Rival] = [bots] * count if isinstance(bots, str) or callable(bots) else [*bots]
    if len(rivals) != count:
        raise OptionError(f"{len(rivals)} bots for {count} rivals: give one for all, or one for each")
    for rival in rivals:
        if not callable(rival):
            all_bots.make(rival, game=game, seed=0).close()  # raises for an unknown name
    return rivals


for _game, _id in IDS.items():
    if _id not in gymnasium.registry:
        gymnasium.register(
            _id,
            entry_point="spina.adapters.gymnasium:RaceEnv",
            vector_entry_point="spina.adapters.vector:RaceVectorEnv",
            kwargs={"game": _game},
        )
