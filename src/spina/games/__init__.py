"""The games: the contract that each fulfils, and where they are found."""

from __future__ import annotations

from spina.games.game import Action, Driver, Event, Game
from spina.games.mapping_struct import MappingStruct
from spina.games.registry import find, folders, get, names, play, warm_up
from spina.games.shared_view import SharedView

__all__ = [
    "Action",
    "Driver",
    "Event",
    "Game",
    "MappingStruct",
    "SharedView",
    "find",
    "folders",
    "get",
    "names",
    "play",
    "warm_up",
]
