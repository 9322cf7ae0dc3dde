"""Cosines and sines of tenths of a degree as floating-point numbers, looked up: an observation has fifty of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.games.chariotmaster.rules.record import FULL
from spina.kernel.compiler import kernel
from spina.kernel.outside_tables import outside_table

RADIANS = 2 * math.pi / FULL


@outside_table
def cosines() -> NDArray[Any]:
    """Of every tenth of a degree of a circle."""
    return np.array([math.cos(angle * RADIANS) for angle in range(FULL)])


@outside_table
def sines() -> NDArray[Any]:
    """Of every tenth of a degree of a circle."""
    return np.array([math.sin(angle * RADIANS) for angle in range(FULL)])


@kernel
def cosine_of(angle):
    """The same as `math.cos`, of tenths of a degree."""
    angle = abs(angle)
    return cosines()[angle] if angle < FULL else math.cos(angle * RADIANS)


@kernel
def sine_of(angle):
    """The same as `math.sin`, of tenths of a degree."""
    if angle >= FULL or angle <= -FULL:
        return math.sin(angle * RADIANS)
    return sines()[angle] if angle >= 0 else -sines()[-angle]
