"""expert-1: it chooses today what it chose when it was frozen.

Later experts are measured against it. A change of the search, of a driver or of the features that alters one of these
choices must keep what expert-1 uses under a name of its own (`Game.frozen_levels`).
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import pytest

import spina
from spina import replay
from spina.bots import SearchConfig
from spina.games import get

RACES = Path(__file__).parent / "expert_1"
"""A race of four competent drivers in each game. Positions come from the kept actions, whatever drivers do today."""

CHOSEN = {
    "charioteer": {
        0: "yellow-2: g h, token +5",
        1: "green-2: c f h + crowd, token +5",
        8: "yellow-4: a d f",
        10: "reset: d f h",
        16: "black-2: b g, token +5",
        22: "green-2: a g",
        23: "red-1: a f g, token wild on f, discard-3 b e h",
        37: "green-6: e h, discard-3 a d g",
        39: "black-1: b d f, token wild on b",
        51: "green-2: a d g + crowd",
        59: "yellow-0: b d e, token wild on d",
        65: "green-6: a e + crowd",
        70: "red-3: a + crowd, token +3",
        86: "red-3: a d, token +3, discard-2 b c",
    },
    "chariot-race": {
        0: "re-roll 4",
        12: "re-roll 3 4",
        24: "no repair",
        28: "re-roll 1 2 3",
        44: "javelin at white",
        56: "caltrop on m24",
        68: "re-roll 2 3",
        140: "turn 1 to attack",
        148: "outward",
        160: "javelin at blue",
        164: "re-roll 1 2 3",
        180: "plus 1",
        196: "inward",
        220: "repair",
        228: "re-roll 2 3 4",
        240: "plus 2",
        248: "outward",
    },
    "chariotmaster": {
        0: "token 10",
        24: "whip",
        32: "spur",
        48: "right 24, pivot 20 left",
        64: "ahead 33, pivot 30 left",
        80: "whip horses of red",
        112: "whip",
        128: "ahead 220, pivot 10 left",
        192: "go",
        208: "ahead 33, pivot 30 left",
        216: "ahead 34",
        224: "ahead 33, pivot 10 left",
        272: "ahead 24",
        328: "ahead 16, pivot 30 left",
        392: "token 5",
        440: "ahead 71, pivot 30 left",
    },
}
"""What the bot with seed 1 chooses for the first seat that is asked, by the number of actions played before."""

WEIGHTS = {
    "charioteer": "de33ce6d0778537f8a9a8a475454a1ebca04fcbbb2a53f48d0c3fe42c323ab8f",
    "chariot-race": "6cbad7c9926c5405521d9cf28edc4f7bf34aace0e72e3eb2d0d4831408120fd8",
}
"""SHA-256 of the files with the weights."""


@pytest.mark.parametrize("game", CHOSEN)
def test_expert_1_chooses_as_it_did(game: str) -> None:
    chosen = {}
    for played, race in enumerate(replay.replaying(replay.read(RACES / f"{game}.json"))):
        if played in CHOSEN[game]:
            bot = spina.bots.make("expert-1", game=game, seed=1)
            chosen[played] = str(bot.choose(race, race.to_act[0]))
    assert chosen == CHOSEN[game]


@pytest.mark.parametrize("game", WEIGHTS)
def test_its_weights_are_those_that_were_frozen(game: str) -> None:
    network = get(game).frozen_levels["expert-1"].network
    assert network is not None
    assert hashlib.sha256(network.read_bytes()).hexdigest() == WEIGHTS[game]


@pytest.mark.parametrize("game", CHOSEN)
def test_a_frozen_level_depends_on_no_default(game: str) -> None:
    """Every field of its settings is set: a new field needs a value in every frozen level that keeps it as it was."""
    source = Path(spina.__file__).parent / "games" / game.replace("-", "_") / "bots" / "levels.py"
    frozen = source.read_text(encoding="utf-8").partition("FROZEN_LEVELS = ")[2]
    for level in get(game).frozen_levels.values():
        if level.driver is None:
            assert level.network is not None and level.iterations and level.config.driver
            assert [field for field in SearchConfig.__struct_fields__ if f"{field}=" not in frozen] == []


@pytest.mark.parametrize("game", CHOSEN)
def test_frozen_levels_are_known_by_name_and_not_among_the_levels(game: str) -> None:
    found = get(game)
    assert "expert-1" in spina.bots.names(game) and "expert-1" not in found.levels
    assert found.level("expert-1") is found.frozen_levels["expert-1"]
    assert found.level("expert") is found.levels["expert"] and found.level("nobody") is None
    assert spina.bots.make("expert-1", game=game).name == "expert-1"


def test_a_network_of_its_own_is_used(tmp_path: Path) -> None:
    """With other weights the same search gives other chances."""
    game, race = get("charioteer"), spina.new("charioteer", seats=4, seed=1)
    level = game.frozen_levels["expert-1"]
    assert level.network is not None
    data = msgspec.json.decode(level.network.read_bytes())
    changed = tmp_path / "weights.json"
    changed.write_bytes(msgspec.json.encode({**data, "weights": [2 * weight for weight in data["weights"]]}))
    bots = [
        spina.bots.Search(game, iterations=20, config=level.config, seed=1, network=file)
        for file in (level.network, changed)
    ]
    assert bots[0].advise(race, 0).chances != bots[1].advise(race, 0).chances
