"""Spina: the home of chariot-racing board games.

Examples:
    >>> import spina
    >>> race = spina.new("charioteer", seats=4, seed=7)
    >>> race.to_act
    (0, 1, 2, 3)
"""

from spina.errors import (
    EditionError,
    IllegalAction,
    NotationError,
    OptionError,
    PositionError,
    SaveError,
    SpinaError,
)
from spina.games import names as game_names
from spina.games import warm_up
from spina.race import Race, new, position
from spina.replay import load
from spina.simulation import simulate

__version__ = "0.1.0"

__all__ = [
    "EditionError",
    "IllegalAction",
    "NotationError",
    "OptionError",
    "PositionError",
    "Race",
    "SaveError",
    "SpinaError",
    "bots",
    "game_names",
    "games",
    "load",
    "new",
    "position",
    "simulate",
    "warm_up",
]

from spina import bots, games
