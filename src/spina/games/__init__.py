"""The games: the contract that each fulfils, and where they are found."""

from __future__ import annotations

from spina.games.game import Action, Driver, Event, Game
from spina.games.registry import find, get, names, warm_up

__all__ = ["Action", "Driver", "Event", "Game", "find", "get", "names", "warm_up"]
