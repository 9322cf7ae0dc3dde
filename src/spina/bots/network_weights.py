"""The networks that judge unfinished races, one for each game, as data beside this module."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

import msgspec
import numpy as np
from numpy.typing import NDArray

from spina.errors import SpinaError
from spina.games.game import Game


class Network(msgspec.Struct, frozen=True):
    """A hidden layer's width and all weights in one row, as `judging.strength` reads them."""

    hidden: int
    weights: NDArray[np.float64]


def load(game: Game) -> Network:
    """The network of a game."""
    return _load(game.name, len(game.features))


@cache
def _load(name: str, figures: int) -> Network:
    file = resources.files("spina.bots") / "weights" / f"{name}.json"
    if not file.is_file():
        return Network(1, np.zeros(figures + 3))
    data = json.loads(file.read_text(encoding="utf-8"))
    weights = np.array(data["weights"], np.float64)
    if len(data["figures"]) != figures or len(weights) != data["hidden"] * (figures + 3):
        raise SpinaError(f"{file}: the network was trained for other figures: train it anew with `spina lab train`")
    return Network(int(data["hidden"]), weights)
