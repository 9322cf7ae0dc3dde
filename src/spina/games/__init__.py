"""The games, by name."""

from __future__ import annotations

import threading
from functools import cache
from importlib import import_module
from pathlib import Path

from spina import kernel
from spina.errors import OptionError
from spina.games.editions import shown
from spina.games.game import Action, Driver, Event, Game
from spina.kernel import compile as _compile

__all__ = ["Action", "Driver", "Event", "Game", "find", "get", "names", "warm_up"]

_MODULES = {
    "charioteer": "spina.games.charioteer",
    "chariot-race": "spina.games.chariot_race",
    "chariotmaster": "spina.games.chariotmaster",
}
_KERNEL = Path(kernel.__file__).parent


def names() -> tuple[str, ...]:
    """The games that can be played."""
    return tuple(_MODULES)


@cache
def _load(name: str) -> Game:
    game: Game = import_module(_MODULES[name]).GAME
    return game


def find(name: str) -> Game:
    """A game to ask about itself and its components; its rules may not be compiled yet.

    Raises OptionError for a name that there is not.
    """
    if not isinstance(name, str) or name not in _MODULES:
        raise OptionError(f"there is no game {shown(name)}: there are {', '.join(_MODULES)}")
    return _load(name)


def get(name: str) -> Game:
    """A game to play, compiled and ready. Raises OptionError for a name that there is not."""
    game = find(name)
    _compile.ready(_KERNEL, game.folder)
    return game


def warm_up(*wanted: str) -> threading.Thread:
    """Compile games in the background (all of them, if none is named), before anybody needs them.

    Raises OptionError for a name that there is not.
    """
    loaded = [find(name) for name in wanted or names()]
    return _compile.warm_up(_KERNEL, *(game.folder for game in loaded))
