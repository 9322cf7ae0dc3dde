"""Chariotmaster: free movement in centimetres and degrees, collisions, runaway teams, dragged drivers."""

from spina.games.chariotmaster.game import GAME

__all__ = ["GAME"]
