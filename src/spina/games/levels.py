"""Levels of strength of a game's bots, and the settings of the search that some of them use.

Separate from `game.py`, so that `games/<game>/bots/levels.py` imports nothing but types.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources.abc import Traversable

import msgspec

from spina.kernel.interface import PLAN

LEVEL_NAMES = ("easy", "medium", "hard", "expert")
"""From weak to strong."""
TO_THE_END = 1_000_000
"""A horizon that is beyond the end of every race."""


class SearchConfig(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of the Monte Carlo tree search."""

    horizon: int = 1000
    """How many of the seat's own turns a simulation runs ahead before the value network evaluates it. More than a race
    has: to the end. A game without a value network always searches to the end."""
    exploration: float = 0.3
    """The exploration constant of UCB1."""
    width: float = 2.0
    """Progressive widening at the choice at hand: this times the square root of its visits actions are compared."""
    later_width: float = 0.5
    """The same for the seat's own later choices; 0 leaves them to the driver."""
    rival_width: float = 0.5
    """The same for the choices of the other seats."""
    steps: int = PLAN
    """Steps of the choice at hand that the tree compares; the driver adds the others."""
    driver_bonus: float = 0.0
    """Added to the value of the driver's own choice: another one must be better by this to be preferred."""
    elimination_simulations: int = 0
    """Simulations for a second comparison of the best choices by successive elimination, which includes the replies of
    the other seats; 0: none. A search that is limited by time spends half of it on this."""
    shortlist: int = 3
    """Most choices, besides the driver's, that are compared a second time."""
    elimination_margin: float = 0.01
    """How close to the best a choice must come to be compared a second time."""
    driver: str | None = None
    """The driver of the rollouts; None: the game's default driver."""
    candidates: int = 0
    """How many of the whole choices that the game's policy thinks best are compared at the choice at hand, by
    successive elimination, instead of steps in a tree. 0: the tree."""
    prior_weight: float = 0.0
    """The policy's opinion of a candidate counts as this many simulations of it."""


class Level(msgspec.Struct, frozen=True, kw_only=True):
    """A bot as players meet it: a driver, or a search with this many simulations."""

    driver: str | None = None
    """If given, the level plays like this driver."""
    iterations: int = 0
    """Simulations of a search for one choice."""
    explain_iterations: int = 1000
    """Simulations when it gives advice: people wait longer for an explanation than for a bot's choice."""
    config: SearchConfig = SearchConfig()
    network: Traversable | None = None
    """The file with the weights of its value network; None: `Game.network`. For frozen levels, which keep their own."""


_FLAT = SearchConfig(later_width=0.0, rival_width=0.0)
DEFAULT_LEVELS: Mapping[str, Level] = {
    "easy": Level(iterations=8, config=_FLAT),
    "medium": Level(iterations=40, config=_FLAT),
    "hard": Level(iterations=200, config=_FLAT),
    "expert": Level(iterations=1000, config=_FLAT),
}
"""Levels of a game that names none: searches that differ in the number of simulations."""
