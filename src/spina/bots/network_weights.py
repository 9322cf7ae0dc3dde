"""Value networks as data: the weights that a game keeps in a JSON file."""

from __future__ import annotations

import json
from importlib.resources.abc import Traversable

import msgspec
import numpy as np
from numpy.typing import NDArray

from spina.bots.value_network import NetworkRecord
from spina.errors import SpinaError
from spina.games.game import Game


class Network(msgspec.Struct, frozen=True):
    """The width of the hidden layer, and all weights: `hidden` x (features + 1) of them unit by unit, `hidden` biases,
    `hidden` output weights."""

    hidden: int
    weights: NDArray[np.float64]

    def record(self, features: int) -> NetworkRecord:
        """The network as kernels read it, for a game with this many features."""
        cut = self.hidden * (features + 1)
        by_feature = self.weights[:cut].reshape(self.hidden, features + 1).T.ravel()
        return NetworkRecord(features, self.hidden, np.concatenate((by_feature, self.weights[cut:])))


NO_NETWORK = NetworkRecord(0, 0, np.zeros(0))
"""For kernels that simulate to the end of the race and evaluate nothing."""


def load(game: Game) -> Network | None:
    """The value network of a game; None if it has none. Raises SpinaError if it does not fit the game's features."""
    if game.network is None or not game.features:
        return None
    return load_file(game, game.network)


def load_file(game: Game, file: Traversable) -> Network:
    """The value network in a file. Raises SpinaError if it does not fit the game's features."""
    key = str(file), len(game.features)
    if key not in _loaded:
        _loaded[key] = _read(file, len(game.features))
    return _loaded[key]


_loaded: dict[tuple[str, int], Network] = {}
"""By file and number of features."""


def _read(file: Traversable, features: int) -> Network:
    data = json.loads(file.read_text(encoding="utf-8"))
    weights = np.array(data["weights"], np.float64)
    named = data.get("features", data.get("figures", ()))  # "figures": files written before version 0.2
    if len(named) != features or len(weights) != data["hidden"] * (features + 3):
        raise SpinaError(f"{file}: the network was trained for other features: train it again with `spina lab train`")
    return Network(int(data["hidden"]), weights)
