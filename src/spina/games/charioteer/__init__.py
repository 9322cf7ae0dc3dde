"""Charioteer, designed by Matt Calkins."""

from spina.games.charioteer.game import GAME

__all__ = ["GAME"]
