"""Races as arrays for learning environments. Loaded when `Game.encoding` is asked for."""
