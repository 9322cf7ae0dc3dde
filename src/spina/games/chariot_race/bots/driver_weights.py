"""What the drivers of Chariot Race value: the weights of their valuation, in straight spaces."""

from __future__ import annotations

from typing import Any, NamedTuple

(
    W_DISTANCE,  # a space of way
    W_SPEED,  # a point of speed in the next turn
    W_CORNER,  # a point of damage expected in the next corner
    W_CONDITION,  # the square root of the condition left: the first points are worth most
    W_FATE,  # a point of fate
    W_JAVELIN,  # a javelin that finds a target
    W_CALTROP,  # a caltrop dropped
    W_RAM,  # a point of damage done to a rival by ramming
    W_WRECK,  # not being wrecked
    W_HOME,  # having finished
    W_RUSH,  # a point of speed, even above what the condition allows
    W_ALONE,  # a round less to go, by the solution for a chariot alone on the track
    W_BEYOND,  # a space beyond the line at the finish
    W_EXPOSED,  # a rival close behind in the same lane
    W_STAKE,  # a round that the chariot still had to go when it was wrecked
    W_CHASED,  # a rival behind the chariot
    W_HUNTED,  # a rival that would have the chariot in range of its javelins
) = range(17)
WEIGHTS = 17
"""Number of weights."""
LAP_SPACES = 32.0
"""Straight spaces in a lap, the unit of all values: those of the middle lane of the reference course."""


class Valuation(NamedTuple):
    """What a driver values states by."""

    alone: Any
    """The table of the solution for a chariot alone (`solo_table.py`)."""
    weights: Any
    """By the numbers above."""
