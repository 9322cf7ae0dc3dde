"""`spina.batch`: its arrays, seeds, threads, illegal actions and refusals."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import spina
from spina.games import find
from spina.games.encoding import KernelEncoding


def arrays_of(batch: spina.Batch) -> dict[str, Any]:
    """Everything that a learner sees of a batch."""
    names = ("observations", "masks", "menus", "rewards", "ends", "places", "seat", "agents", "seeds", "illegal")
    return {name: getattr(batch, name) for name in names if getattr(batch, name) is not None}


@pytest.mark.parametrize("acting", ["one", "all"])
@pytest.mark.parametrize("game", spina.game_names())
def test_arrays_stay_where_they_are_and_can_be_shared_without_copying(game: str, acting: Any) -> None:
    batch = spina.batch(game, 6, 2, acting=acting, seed=1)
    before = arrays_of(batch)
    places = {name: array.ctypes.data for name, array in before.items()}
    step = batch.step(batch.random_actions())
    batch.reset(2)
    for name, array in arrays_of(batch).items():
        assert array is before[name] and array.ctypes.data == places[name]
        assert array.flags.c_contiguous and array.flags.writeable and array.ctypes.data % 64 == 0
        if array.dtype != np.bool_:
            assert np.shares_memory(np.from_dlpack(array), array)
    assert step.observations is batch.observations and step.masks is batch.masks
    assert step.rewards is batch.rewards and step.ends is batch.ends
    rows = (6,) if acting == "one" else (6, 2)
    assert batch.observations.shape == (*rows, batch.encoding.size) and batch.observations.dtype == np.float32
    assert batch.masks.shape == (*rows, batch.actions) and batch.masks.dtype == np.bool_
    assert batch.actions == batch.encoding.actions + (acting == "all")
    assert batch.rewards.shape == (6, 2) and batch.rewards.dtype == np.float32
    assert batch.masks.any(axis=-1).all(), "every row can do something"


@pytest.mark.parametrize(("game", "steps"), [("charioteer", 700), ("chariot-race", 700), ("chariotmaster", 400)])
def test_the_same_seed_gives_the_same_races_on_any_number_of_threads(game: str, steps: int) -> None:
    drivers = {"learned": [1, 2], "drivers": ["random", "competent" if game != "chariotmaster" else "random"]}
    batches = [spina.batch(game, 9, 4, seed=4, threads=threads, **drivers) for threads in (1, 2, 5, 64)]
    ended = 0
    for _ in range(steps):
        for batch in batches:
            batch.step(batch.random_actions())
        ended += int(batches[0].ends.sum())
        for batch in batches[1:]:
            np.testing.assert_array_equal(batch.seeds, batches[0].seeds)
            np.testing.assert_array_equal(batch.rewards, batches[0].rewards)
    for batch in batches[1:]:
        for name, array in arrays_of(batch).items():
            np.testing.assert_array_equal(array, getattr(batches[0], name))
        np.testing.assert_array_equal(batch._arrays.races, batches[0]._arrays.races)
    assert ended > 0
    assert not np.array_equal(
        spina.batch(game, 9, 4, seed=5).observations, spina.batch(game, 9, 4, seed=4).observations
    )


def test_the_seeds_of_later_races_are_those_of_a_simulation() -> None:
    batch = spina.batch("chariot-race", 4, 2, learned=0, seed=7)
    begun = {*batch.seeds.tolist()}
    for _ in range(1500):
        batch.step(batch.random_actions())
        begun |= {*batch.seeds.tolist()}
    assert len(begun) > 12
    several = spina.simulate("chariot-race", seats=2, races=4 * len(begun), seed=7)["seed"].tolist()
    assert begun <= {*several} and {*several[:4]} <= begun


def test_rewards_of_a_race_in_which_all_seats_learn_add_up_and_agree_with_its_places() -> None:
    batch, ended = spina.batch("charioteer", 50, 4, rewards=[3, 1, 0, 0], seed=1), 0
    for _ in range(900):
        batch.step(batch.random_actions())
        for i in np.flatnonzero(batch.ends):
            ended += 1
            assert batch.rewards[i].sum() == pytest.approx(4)
            assert (batch.rewards[i].argmax() == batch.places[i].argmin()) and batch.illegal[i] == 0
    assert ended > 30


@pytest.mark.parametrize("game", spina.game_names())
@pytest.mark.parametrize("acting", ["one", "all"])
def test_an_illegal_action_ends_its_race_only(game: str, acting: Any) -> None:
    batch, twin = (spina.batch(game, 4, 3, acting=acting, seed=2) for _ in range(2))
    actions = batch.random_actions().copy()
    first = tuple([2] if acting == "one" else [2, 1])
    for wrong in (int(np.flatnonzero(~batch.masks[first])[0]), -1, batch.actions, 2**40):
        actions = batch.random_actions().copy()
        twin.random_actions()
        actions[first] = wrong
        agent = batch.agents[first]
        batch.step(actions)
        legal = actions.copy()
        legal[2] = twin.masks[2].argmax(axis=-1)
        twin.step(legal)
        assert batch.ends.tolist() == [False, False, True, False]
        assert batch.rewards[2].tolist() == [-1.0 if column == agent else 0.0 for column in range(3)]
        assert batch.illegal[2] == 1 << agent and not batch.places.any()
        fresh = spina.batch(game, 4, 3, acting=acting, seed=0)
        fresh.reset(batch.seeds.tolist())
        np.testing.assert_array_equal(batch.observations[2], fresh.observations[2])
        twin.reset(batch.seeds.tolist())
        batch.reset(batch.seeds.tolist())


def test_illegal_actions_can_be_refused_before_anything_happens() -> None:
    batch = spina.batch("chariot-race", 3, 2, illegal="raise", seed=2)
    before = {name: array.copy() for name, array in arrays_of(batch).items()}
    actions = batch.random_actions().copy()
    actions[1] = np.flatnonzero(~batch.masks[1])[-1]
    with pytest.raises(spina.IllegalAction, match=rf"race 1: action {actions[1]} is not possible for seat \d now"):
        batch.step(actions)
    for name, array in arrays_of(batch).items():
        np.testing.assert_array_equal(array, before[name])
    batch.step(batch.random_actions())


def test_a_mask_that_a_learner_writes_to_changes_nothing_in_the_rules() -> None:
    batch = spina.batch("charioteer", 2, 2, seed=2)
    wrong = int(np.flatnonzero(~batch.masks[0])[0])
    batch.masks[:] = True
    batch.step(np.array([wrong, int(spina.batch("charioteer", 2, 2, seed=2).masks[1].argmax())]))
    assert batch.ends.tolist() == [True, False]


def test_random_actions_are_possible_and_evenly_drawn() -> None:
    batch = spina.batch("charioteer", 20, 2, seed=3)
    drawn = np.array([batch.random_actions().copy() for _ in range(2000)])
    for i in range(20):
        possible = np.flatnonzero(batch.masks[i])
        counts = np.bincount(drawn[:, i], minlength=57)
        assert counts[possible].sum() == 2000 and counts[possible].min() > 0.75 * 2000 / len(possible)


def test_actions_of_other_libraries_and_types_are_taken() -> None:
    one, other = (spina.batch("charioteer", 5, 2, seed=3) for _ in range(2))
    actions = one.random_actions().copy()
    one.step(actions.tolist())
    for kind in (np.int32, np.uint8, np.uint64, np.int16):
        other.reset(3)
        other.step(actions.astype(kind))
        np.testing.assert_array_equal(one.observations, other.observations)


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (np.zeros(4, np.int64), r"shape \(5,\), not \(4,\)"),
        (np.zeros((5, 1), np.int64), r"shape \(5,\)"),
        (np.zeros(5), "whole numbers, not float64"),
        ([None] * 5, "whole numbers"),
        (None, "whole numbers"),
    ],
)
def test_actions_of_a_wrong_shape_or_type_are_refused(actions: Any, message: str) -> None:
    with pytest.raises(spina.OptionError, match=message):
        spina.batch("charioteer", 5, 2, seed=3).step(actions)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"races": 0}, "races must be a whole number from 1"),
        ({"races": 2.5}, "races must be a whole number"),
        ({"seats": 9}, "2 to 6 seats"),
        ({"learned": 4}, "a learned seat must be a whole number from 0 to 3"),
        ({"learned": []}, "learned is a seat, a list of seats"),
        ({"learned": [1, 1]}, "a seat twice"),
        ({"learned": "all"}, "learned is a seat, a list of seats"),
        ({"learned": 0, "drivers": "nobody"}, "has no driver"),
        ({"learned": 0, "drivers": ["random"]}, "1 drivers for 3 seats"),
        ({"acting": "some"}, "acting is one of"),
        ({"illegal": "maybe"}, "illegal is one of"),
        ({"rewards": [1]}, "rewards need a finite number"),
        ({"threads": 0}, "threads must be a whole number from 1"),
        ({"seed": -1}, "seed"),
        ({"weather": "rain"}, "weather"),
    ],
)
def test_wrong_options_are_refused_with_a_reason(options: dict[str, Any], message: str) -> None:
    with pytest.raises(spina.OptionError, match=message):
        spina.batch("charioteer", **{"races": 2, "seats": 4, **options})


def test_wrong_seeds_are_refused_with_a_reason() -> None:
    batch = spina.batch("charioteer", 2, 2, seed=1)
    with pytest.raises(spina.OptionError, match="3 seeds for 2 races"):
        batch.reset([1, 2, 3])
    with pytest.raises(spina.OptionError, match="seed"):
        batch.reset([1, -2])


def test_a_game_without_a_compiled_encoding_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find("charioteer"), "encoding", None)
    with pytest.raises(spina.OptionError, match=f"Charioteer cannot be raced in batches.*{KernelEncoding.__name__}"):
        spina.batch("charioteer", 2)


def test_menus_can_be_left_out() -> None:
    with_menus, without = (spina.batch("chariotmaster", 3, 2, seed=1, menus=menus) for menus in (True, False))
    assert without.menus is None and with_menus.menus is not None
    assert with_menus.menus.shape == (3, 512, len(with_menus.encoding.menu_names))
    for _ in range(30):
        with_menus.step(with_menus.random_actions())
        without.step(without.random_actions())
    np.testing.assert_array_equal(with_menus.masks, without.masks)
    described = with_menus.menus.any(axis=2)
    np.testing.assert_array_equal(described, with_menus.masks)


def test_a_batch_can_be_closed_and_named() -> None:
    batch = spina.batch("charioteer", 4, 3, learned=[2, 0], seed=1, threads=2)
    assert repr(batch) == "<Batch of 4 races, charioteer, 3 seats, learned: 0, 2>"
    batch.close()


SUMS = """
import sys, zlib
import spina
batch = spina.batch(sys.argv[1], 2, 3, learned=[0, 1], acting=sys.argv[2], seed=6, threads=1)
for _ in range(12):
    batch.step(batch.random_actions())
print(*(zlib.crc32(array.tobytes()) for array in (batch._arrays.races, batch.observations, batch.masks, batch.seat)))
"""


@pytest.mark.slow
@pytest.mark.parametrize(("game", "acting"), [("charioteer", "all"), ("chariot-race", "one"), ("chariotmaster", "one")])
def test_interpreted_and_compiled_batches_are_the_same(game: str, acting: str) -> None:
    def sums(interpret: str) -> str:
        environment = {**os.environ, "SPINA_INTERPRET": interpret}
        command = [sys.executable, "-c", SUMS, game, acting]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    assert sums("1") == sums("0")


@pytest.mark.parametrize("game", spina.game_names())
def test_blind_drivers_race_as_if_they_were_given_a_determinization(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [*find(game).drivers]
    assert find(game).blind_drivers == {*names}
    drivers = [names[i % len(names)] for i in range(5)]
    quick = spina.batch(game, 12, 6, learned=0, rotate=True, drivers=drivers, seed=3)
    monkeypatch.setattr(type(find(game)), "blind_drivers", frozenset())
    slow = spina.batch(game, 12, 6, learned=0, rotate=True, drivers=drivers, seed=3)
    assert quick._setup.blind.all() and not slow._setup.blind.any()
    for _ in range(200):
        quick.step(quick.random_actions())
        slow.step(slow.random_actions())
        np.testing.assert_array_equal(quick._arrays.races, slow._arrays.races)


def test_actions_drawn_with_a_step_are_those_that_are_drawn_after_it() -> None:
    """A step that follows random actions draws the next ones at once; other actions in between discard them."""
    one, other = (spina.batch("charioteer", 30, 3, seed=3, threads=threads) for threads in (1, 2))
    for step in range(60):
        drawn = one.random_actions().copy()
        np.testing.assert_array_equal(drawn, other.random_actions())
        assert one.masks[np.arange(30), drawn].all()
        first = one.masks.argmax(axis=1)
        for batch in (one, other):
            batch.step(first if step % 3 == 2 else drawn)
        if step % 5 == 4:  # nothing was drawn for these rows
            for batch in (one, other):
                batch.step(batch.masks.argmax(axis=1))
        assert (one._drawn, one._asked_for_random) == (step % 5 != 4, False)
    one.reset(8)
    other.reset(8)
    np.testing.assert_array_equal(one.random_actions(), other.random_actions())
    assert one.masks[np.arange(30), one.random_actions()].all()
