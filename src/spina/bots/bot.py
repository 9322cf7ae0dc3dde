"""The base class of all bots."""

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
    """A player that chooses for a seat.

    Derive from it to write a bot in Python: define `choose`, and name the class as "module:Class" wherever a bot is
    named, or register it as an entry point of the group "spina.bots". It is constructed with the game and a seed.
    """

    name: str = "bot"

    def __init__(self, game: Game, seed: int | None = None) -> None:
        if not isinstance(game, Game):
            raise OptionError(f"a bot is made for a game, not for {shown(game)}")
        self.game = game
        self._dice: NDArray[np.uint64] = new_dice(secrets.randbits(64) if seed is None else checked_seed(seed))

    @abstractmethod
    def choose(self, race: Race, seat: int) -> Action:
        """The bot's choice for the seat. The race is not changed.

        A bot of yours that is named where bots are named gets a determinization: a race in which all that the seat
        cannot see is random.
        """

    def advise(self, race: Race, seat: int, most: int = 5) -> Advice:
        """The bot's opinion of the best choices, its own first. Raises OptionError if the bot does not explain."""
        raise OptionError(f"{self.name} does not say what it thinks: only drivers, levels and searches do")

    def __repr__(self) -> str:
        return f"<Bot {self.name} for {self.game.name}>"

    def close(self) -> None:  # noqa: B027 - most bots hold nothing
        """Release resources outside of this process. The bot can still be asked again."""

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
