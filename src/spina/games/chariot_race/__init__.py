"""Chariot Race, designed by Matt Leacock."""

from spina.games.chariot_race.game import GAME

__all__ = ["GAME"]
