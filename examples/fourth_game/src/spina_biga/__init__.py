"""Biga: two dice, three lanes, three laps, and a secret choice every round. The example of a game for Spina."""

from spina_biga.game import GAME

__all__ = ["GAME"]
