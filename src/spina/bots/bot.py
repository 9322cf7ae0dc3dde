"""What a bot is."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from spina.bots.advice import Advice
from spina.errors import IllegalAction, OptionError
from spina.games.editions import shown
from spina.games.game import Action, Game
from spina.kernel.random import new_dice
from spina.race import Race, checked_seed


class Bot(ABC):
    """A player that chooses for a seat."""

    name: str

    def __init__(self, game: Game, seed: int | None = None) -> None:
        if not isinstance(game, Game):
            raise OptionError(f"a bot is made for a game, not for {shown(game)}")
        self.game = game
        self._dice: NDArray[np.uint64] = new_dice(secrets.randbits(64) if seed is None else checked_seed(seed))

    @abstractmethod
    def choose(self, race: Race, seat: int) -> Action:
        """What the bot would do now. The race stays as it is."""

    def advise(self, race: Race, seat: int, most: int = 5) -> Advice:
        """What the bot thinks of the best choices, its own first. Raises OptionError for bots that tell nobody."""
        raise OptionError(f"{self.name} does not say what it thinks: only drivers, levels and searches do")

    def __repr__(self) -> str:
        return f"<Bot {self.name} for {self.game.name}>"

    def close(self) -> None:  # noqa: B027 - most bots hold nothing
        """Let go of whatever the bot holds outside of this process. It can still be asked again."""

    def _check(self, race: Race, seat: int) -> None:
        if not isinstance(race, Race):
            raise IllegalAction(f"a bot chooses in a race, not in {shown(race)}")
        if race.game is not self.game:
            raise IllegalAction(f"this bot plays {self.game.name}, not {race.game.name}")
        race.check_may_act(seat)

    def _action(self, race: Race, seat: int, codes: list[int]) -> Action:
        """The typed form of planned steps: the whole choice if they begin it, otherwise the next step."""
        steps = [self.game.action(race.edition, code) for code in codes]
        if len(steps) == 1 or race.choosing(seat):
            return steps[0]
        return self.game.gather(race.edition, steps)
