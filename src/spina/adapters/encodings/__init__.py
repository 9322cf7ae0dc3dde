"""Races as arrays: what a seat may know, as numbers from -1 to 1, and its possible actions as masks."""

from __future__ import annotations

from importlib import import_module

from spina.adapters.encodings.encoding import Encoding
from spina.race import Race

__all__ = ["Encoding", "encoding_of"]

_CLASSES = {
    "charioteer": ("charioteer", "CharioteerEncoding"),
    "chariot-race": ("chariot_race", "ChariotRaceEncoding"),
    "chariotmaster": ("chariotmaster", "ChariotmasterEncoding"),
}


def encoding_of(race: Race) -> Encoding:
    """The encoding for races like this one: of its game, edition, options and number of seats."""
    module, name = _CLASSES[race.game.name]  # imported when it is needed, since what is imported is compiled
    made: Encoding = getattr(import_module(f"{__name__}.{module}"), name)(race)
    return made
