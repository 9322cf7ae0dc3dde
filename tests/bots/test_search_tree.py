"""The tree of the search: keys of nodes, and the walk along the choice at hand."""

from __future__ import annotations

import numpy as np
import pytest

import spina
from spina.bots import Search, SearchConfig, search_bot
from spina.bots.network_weights import Network
from spina.bots.search_tree import COMPLETE, NOTHING, quick_digest
from spina.bots.value_network import NETWORK, NetworkRecord, strength
from spina.games import get
from spina.kernel.compiler import entry, folder_of, ready
from spina.kernel.signatures import BYTES, FEATURES, REAL, WORD


@entry(WORD(BYTES, WORD))
def key_of(data, seed):  # type: ignore[no-untyped-def]
    return quick_digest(data, seed)


@entry(REAL(FEATURES, REAL, NETWORK, FEATURES))
def strength_of(features, stage, network, layer):  # type: ignore[no-untyped-def]
    return strength(features, stage, network, layer)


@pytest.fixture(autouse=True, scope="module")
def compiled() -> None:
    ready(folder_of(key_of))


@pytest.mark.parametrize("size", [8, 24, 32, 40, 640])
def test_every_bit_of_a_record_changes_its_key(size: int) -> None:
    data = np.random.default_rng(size).integers(0, 256, size, np.uint8)
    keys = {int(key_of(data, np.uint64(0)))}
    for bit in range(8 * size):
        data[bit // 8] ^= 1 << bit % 8
        keys.add(int(key_of(data, np.uint64(0))))
        data[bit // 8] ^= 1 << bit % 8
    assert len(keys) == 8 * size + 1
    assert len({key & 0xFFFF for key in keys}) > 0.9 * min(len(keys), 0x8000)  # and the bits that pick the slot
    assert key_of(data, np.uint64(0)) != key_of(data, np.uint64(1))


def test_words_that_change_places_change_the_key() -> None:
    data = np.arange(64, dtype=np.uint64)
    other = data.copy()
    other[[0, 4]] = other[[4, 0]]
    assert key_of(data.view(np.uint8), np.uint64(0)) != key_of(other.view(np.uint8), np.uint64(0))


def test_the_hidden_layer_is_that_of_the_weights_as_they_are_kept() -> None:
    chance = np.random.default_rng(1)
    features, hidden = 5, 7
    weights = chance.normal(size=hidden * (features + 3))
    record = Network(hidden, weights).record(features)
    assert isinstance(record, NetworkRecord)
    inputs, stage = chance.normal(size=features), 0.25
    rows = weights[: hidden * (features + 1)].reshape(hidden, features + 1)
    biases, outputs = weights[-2 * hidden : -hidden], weights[-hidden:]
    expected = outputs @ np.tanh(rows @ [*inputs, stage] + biases)
    assert strength_of(inputs, stage, record, np.zeros(hidden)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("game", ["charioteer", "chariot-race"])
def test_known_followers_are_the_nodes_that_the_hash_table_finds(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that forgets them after every simulation, and looks every node up again, finds the same."""
    race = spina.new(game, seats=3, seed=4)
    driver = spina.bots.make("competent", game=game, seed=1)
    for _ in range(7):
        race.play(race.to_act[0], driver.choose(race, race.to_act[0]))
    config = SearchConfig(horizon=1, rival_width=0.5)
    bot = Search(get(game), iterations=60, config=config, seed=3)
    expected = bot.advise(race, race.to_act[0], most=50)
    trees = []
    think = search_bot.think

    def forgetful(*args: object) -> None:
        *others, tree, memory, statistics, batch = args
        for number in range(batch.first, batch.first + batch.size):  # type: ignore[attr-defined]
            think(*others, tree, memory, statistics, batch._replace(first=number, size=1))  # type: ignore[attr-defined]
            trees.append((tree.root[0], tree.follower.copy()))  # type: ignore[attr-defined]
            tree.root[:], tree.follower[:] = NOTHING, NOTHING  # type: ignore[attr-defined]

    monkeypatch.setattr(search_bot, "think", forgetful)
    again = Search(get(game), iterations=60, config=config, seed=3)
    assert again.advise(race, race.to_act[0], most=50) == expected
    assert any(root != NOTHING for root, _ in trees)
    known = np.concatenate([follower for _, follower in trees])
    assert (known == COMPLETE).any() and (game != "charioteer" or (known > NOTHING).any())


@pytest.mark.parametrize("game", ["charioteer", "chariot-race"])
def test_a_search_that_remembers_its_driver_finds_the_same(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    race = spina.new(game, seats=3, seed=4)
    driver = spina.bots.make("competent", game=game, seed=1)
    for _ in range(9):
        race.play(race.to_act[0], driver.choose(race, race.to_act[0]))
    config = SearchConfig(horizon=1, rival_width=0.5, elimination_simulations=60, elimination_margin=1.0)
    found = []
    for remembers in (True, False):
        monkeypatch.setattr(type(get(game)), "costly_drivers", remembers)
        bot = Search(get(game), iterations=80, config=config, seed=3)
        found.append(bot.advise(race, race.to_act[0], most=50))
        assert (bot._memory.used[0] > 0) == remembers
    assert found[0] == found[1]
