"""Every installed game keeps to the contract: the suite of `spina.testing`, a class for each game."""

from __future__ import annotations

import spina
from spina.testing import GameContract

for name in spina.game_names():
    title = "Test" + name.title().replace("-", "")
    globals()[title] = type(title, (GameContract,), {"game": name, "__module__": __name__})
