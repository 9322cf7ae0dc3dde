"""Compile all that the tests need of some games, once, before several processes begin: `compile_all.py GAME …`."""

import importlib
import sys
from pathlib import Path

import spina
import spina.lab.recordings
import spina.lab.training
from spina.adapters.episode import Setup
from spina.kernel import compiler as switch

BESIDES = {
    "chariot-race": "spina.games.chariot_race.bots.solo_kernel",
    "chariotmaster": "spina.games.chariotmaster.rules.measurements",
}
"""Kernels that a game is played without, but not tested."""

for game in sys.argv[1:]:
    if game in BESIDES:
        importlib.import_module(BESIDES[game])
    spina.new(game)
    Setup(game, 2)
    spina.bots.make("expert", game=game)
    spina.lab.training.examples(game, 2, 1, seed=1)
    switch.ready(Path(spina.lab.recordings.__file__).parent)
