"""OpenSpiel: its own checker, and that chance, knowledge and races are what the rules say."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyspiel
import pytest

import spina
from spina.adapters import openspiel as adapter


@pytest.fixture(params=adapter.NAMES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def load(game: str, players: int = 2, **parameters: Any) -> Any:
    extra = "".join(f",{name}={value}" for name, value in parameters.items())
    return pyspiel.load_game(f"{adapter.NAMES[game]}(players={players}{extra})")


def play_on(state: Any, chance: random.Random, most: int, until: Any = lambda state: False) -> Any:
    """A random history."""
    for _ in range(most):
        if state.is_terminal() or until(state):
            break
        if state.is_chance_node():
            state.apply_action(chance.randrange(adapter.OUTCOMES))
        elif state.is_simultaneous_node():
            state.apply_actions([chance.choice(state.legal_actions(seat)) for seat in range(state.num_players())])
        else:
            state.apply_action(chance.choice(state.legal_actions()))
    return state


def test_random_races_with_serialisation_pass(game: str) -> None:
    parameters = {"options": "laps:1"} if game == "chariotmaster" else {}
    pyspiel.random_sim_test(load(game, **parameters), num_sims=1, serialize=True, verbose=False)


def test_states_can_be_saved_and_cloned_in_the_middle(game: str) -> None:
    state = play_on(load(game).new_initial_state(), random.Random(2), 40)
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    twin = state.clone()
    before = str(state)
    for other in (again, twin):
        assert str(other) == before and other.history() == state.history()
        for seat in range(2):
            assert other.information_state_string(seat) == state.information_state_string(seat)
    play_on(twin, random.Random(3), 10)
    assert str(state) == before
    play_on(again, random.Random(3), 10)
    assert str(again) == str(twin)


def test_kinds_of_nodes_follow_the_rules() -> None:
    kinds = {}
    for game in adapter.NAMES:
        state, chance, seen = load(game, 3).new_initial_state(), random.Random(1), set()
        for _ in range(60):
            seen.add("chance" if state.is_chance_node() else "all" if state.is_simultaneous_node() else "one")
            play_on(state, chance, 1)
        kinds[game] = seen
    assert kinds["chariot-race"] == {"chance", "one"}
    assert {"chance", "all"} <= kinds["charioteer"] and kinds["chariotmaster"] == {"chance", "all", "one"}


def test_a_state_knows_nothing_of_the_dice_to_come() -> None:
    state = play_on(load("chariot-race").new_initial_state(), random.Random(1), 100, lambda s: not s.is_chance_node())
    play_on(state, random.Random(1), 100, lambda s: s.is_chance_node())
    results = set()
    for outcome in range(40):
        after = state.clone()
        after.apply_action(outcome)
        after.apply_action(7)
        results.add(after.observation_string(0))
        again = state.clone()
        again.apply_action(outcome)
        again.apply_action(7)
        assert again.observation_string(0) == after.observation_string(0)
    assert len(results) > 3


def test_who_owes_nothing_can_only_wait() -> None:
    state = play_on(
        load("charioteer", 3).new_initial_state(),
        random.Random(5),
        200,
        lambda s: s.is_simultaneous_node() and s.legal_actions(0) == [57] and len(s.legal_actions(1)) > 1,
    )
    assert state.action_to_string(0, 57) == "wait" and state.legal_actions(0) == [57]


def test_who_waits_sees_nothing_of_what_others_do() -> None:
    """Not even that one of them has chosen."""

    def known(state: Any, seats: list[int]) -> list[tuple[str, str]]:
        return [(state.information_state_string(seat), state.observation_string(seat)) for seat in seats]

    state, chance, waited = load("charioteer", 4).new_initial_state(), random.Random(5), 0
    while not state.is_terminal():
        waiting = [seat for seat in range(4) if state.is_simultaneous_node() and state.legal_actions(seat) == [57]]
        before = known(state, waiting)
        play_on(state, chance, 1)
        if not state.is_chance_node() and not state.is_terminal():  # somebody still owes a choice
            waited += len(waiting)
            assert known(state, waiting) == before
    assert waited > 10


@pytest.mark.parametrize("hidden", ["charioteer", "chariotmaster"])
def test_what_a_seat_knows_does_not_depend_on_what_others_are_choosing(hidden: str) -> None:
    """Until all have chosen."""
    state = play_on(load(hidden).new_initial_state(), random.Random(4), 20, lambda s: s.is_simultaneous_node())
    mine = state.legal_actions(0)[0]
    known = set()
    for theirs in state.legal_actions(1):
        after = state.clone()
        after.apply_actions([mine, theirs])
        known.add((after.information_state_string(0), after.observation_string(0), tuple(after.observation_tensor(0))))
        assert after.information_state_string(1) != state.information_state_string(1)
    assert len(known) == 1 and len(state.legal_actions(1)) > 1


def test_tensors_are_the_observations_of_the_encoding(game: str) -> None:
    state = play_on(load(game).new_initial_state(), random.Random(1), 30, lambda s: len(s.history()) > 12)
    encoding, size = state.setup.encoding, state.setup.encoding.size
    for seat in range(2):
        tensor = np.array(state.observation_tensor(seat), np.float32)
        np.testing.assert_array_equal(tensor[:size], encoding.observe(state.data, seat))
        np.testing.assert_array_equal(tensor[size:], encoding.menu(state.data, seat).ravel())


def test_a_race_ends_with_the_rewards_of_its_places() -> None:
    state = play_on(load("charioteer", 3).new_initial_state(), random.Random(6), 100_000)
    assert state.is_terminal() and state.is_terminal() and sorted(state.returns()) == [-1, 0, 1]
    won = play_on(load("charioteer", 3, rewards="win").new_initial_state(), random.Random(6), 100_000)
    assert sorted(won.returns()) == [0, 0, 1] and won.returns().index(1) == state.returns().index(1)


def test_options_are_parameters_and_wrong_ones_are_refused() -> None:
    game = load("chariot-race", 3, options="pairs:false;board:AB")
    state = play_on(game.new_initial_state(), random.Random(1), 2)
    assert "version=1" in str(game) and state.setup.encoding.version == 1
    assert state.setup.options["board"] == "AB" and len(state.view(0)["chariots"]) == 3
    for parameters, message in (
        ({"players": 3, "options": "weather:rain"}, "weather"),
        ({"players": 3, "options": "pairs"}, "name:value"),
        ({"players": 3, "rewards": "money"}, "rewards are"),
        ({"players": 9}, "2 to 6"),
        ({"players": 3, "version": 0}, "this is version 1 of spina_chariot_race"),
    ):
        with pytest.raises(spina.OptionError, match=message):
            adapter.GAMES["chariot-race"](parameters)
