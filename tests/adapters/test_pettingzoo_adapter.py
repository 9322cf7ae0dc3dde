"""PettingZoo: its own checkers, and that a race through the adapter is the race itself."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from adapter_helpers import GAMES, allowing, picked
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import spina
from spina.adapters import pettingzoo as adapter

CYCLES = {"charioteer": 60, "chariot-race": 60, "chariotmaster": 12}
A_DICT = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box",
)
"""A dict with the mask is what PettingZoo's own board games give, too; its checker knows those by name."""


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_aec_environment_passes_the_api_test(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    with allowing(*A_DICT):
        api_test(adapter.env(game, seats=3), num_cycles=CYCLES[game])
    assert "Passed API test" in capsys.readouterr().out


def test_the_aec_environment_passes_the_api_test_to_the_end_of_a_race() -> None:
    with allowing(*A_DICT):
        api_test(adapter.env("charioteer", seats=2), num_cycles=1000)


def test_the_parallel_environment_passes_the_api_test(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    parallel_api_test(adapter.parallel_env(game, seats=3), num_cycles=CYCLES[game])
    assert "Passed Parallel API test" in capsys.readouterr().out


def test_seeds_give_the_same_races(game: str) -> None:
    seed_test(lambda: adapter.env(game, seats=2), num_cycles=CYCLES[game])
    parallel_seed_test(lambda: adapter.parallel_env(game, seats=2), num_cycles=CYCLES[game])


def test_races_without_a_seed_follow_from_the_last_one_that_was_given() -> None:
    one, other = adapter.env("charioteer"), adapter.env("charioteer")
    for env in (one, other):
        env.reset(seed=3)
        env.reset()
    assert one.race.origin == other.race.origin != 3


@pytest.mark.parametrize("seed", [1, 2])
def test_an_episode_is_the_same_as_its_actions_through_race(game: str, seed: int) -> None:
    env = adapter.env(game, seats=2, views=True)
    env.reset(seed=seed)
    race, chance = spina.new(game, seats=2, seed=seed), random.Random(seed)
    for agent in env.agent_iter(150 if game == "chariotmaster" else 10_000):
        seen, _, over, _, info = env.last()
        if over:
            break
        seat = int(agent.removeprefix("seat_"))
        assert seat == race.to_act[0] and info["view"] == race.view(seat)
        action = picked(seen["action_mask"], chance)
        mine = np.flatnonzero(seen["action_mask"]).tolist().index(action)
        race.play(seat, race.legal(seat)[mine])
        env.step(action)
    assert env.race.hash() == race.hash() and env.race.log == race.log
    if game != "chariotmaster":
        assert race.over and [env.rewards[agent] for agent in env.agents] == env.episode.rewards()


def test_parallel_steps_of_charioteer_are_the_same_as_steps_in_turn() -> None:
    env = adapter.parallel_env("charioteer", seats=3)
    seen, _ = env.reset(seed=8)
    race, chance = spina.new("charioteer", seats=3, seed=8), random.Random(8)
    while env.agents:
        actions = {agent: picked(seen[agent]["action_mask"], chance) for agent in env.agents}
        asked = race.to_act
        for seat, agent in enumerate(env.possible_agents):
            assert (actions[agent] == env.wait) == (seat not in asked)
            if seat in asked:
                race.play(seat, race.game.action(race.edition, actions[agent]))
        seen, rewards, over, cut, _ = env.step(actions)
        assert not any(cut.values()) and all(over.values()) == race.over
    assert race.over and env.race.hash() == race.hash()
    winner = race.ranking[0][0]
    assert rewards[f"seat_{winner}"] == 1 and sorted(rewards.values()) == [-1, 0, 1]


def test_what_others_are_choosing_is_not_seen() -> None:
    env = adapter.env("charioteer", seats=3)
    env.reset(seed=2)
    before = env.observe("seat_2")
    chance = random.Random(1)
    while env.agent_selection != "seat_2":
        env.step(picked(env.last()[0]["action_mask"], chance))
    after = env.observe("seat_2")
    np.testing.assert_array_equal(before["observation"], after["observation"])
    np.testing.assert_array_equal(before["action_mask"], after["action_mask"])


def test_typed_actions_and_notation_can_be_played_too() -> None:
    env = adapter.env("chariotmaster", seats=2)
    env.reset(seed=1)
    env.step("token 10")
    env.step(env.race.legal(1)[0])
    seat = env.race.to_act[0]
    off_menu = next(
        text
        for mm in range(20, 90)
        if (text := f"ahead {mm}") and env.race.check(seat, text) is None and text not in map(str, env.race.legal(seat))
    )
    env.step(off_menu)
    assert (seat, off_menu) in [(who, str(action)) for who, action in env.race.log]


def test_a_whole_choice_replaces_steps_taken_before_it() -> None:
    env = adapter.env("charioteer", seats=2)
    env.reset(seed=1)
    race = spina.new("charioteer", seats=2, seed=1)
    choice = str(spina.bots.make("longest", game="charioteer", seed=1).choose(race, 0))
    env.step(picked(env.last()[0]["action_mask"], random.Random(1)))
    assert env.agent_selection == "seat_0"
    env.step(choice)
    race.play(0, choice)
    assert env.agent_selection == "seat_1" and env.race.hash() == race.hash()
    assert (env.episode.data == race._bytes).all()


@pytest.mark.parametrize("make", [adapter.env, adapter.parallel_env])
def test_an_illegal_action_loses_or_raises(make: Any) -> None:
    for kind in ("lose", "raise"):
        env = make("charioteer", seats=2, illegal=kind)
        env.reset(seed=1)
        parallel = make is adapter.parallel_env
        actions: Any = {"seat_0": 56, "seat_1": 56} if parallel else 56
        if kind == "raise":
            with pytest.raises(spina.IllegalAction, match="action 56 is not possible"):
                env.step(actions)
            assert env.race.hash() == spina.new("charioteer", seats=2, seed=1).hash()
        elif parallel:
            legal = env.episode.encoding.indices(env.episode.data, 1)[0]
            _, rewards, over, _, infos = env.step({"seat_0": 56, "seat_1": legal})
            assert rewards == {"seat_0": -1, "seat_1": 0} and all(over.values()) and env.agents == []
            assert "mask" in infos["seat_0"]["illegal"] and infos["seat_1"] == {}
            assert env.race.hash() == spina.new("charioteer", seats=2, seed=1).hash(), "nobody has acted"
            env.reset(seed=1)
            _, rewards, _, _, infos = env.step({"seat_1": env.wait})
            assert rewards == {"seat_0": -1, "seat_1": -1} and "no action" in infos["seat_0"]["illegal"]
        else:
            env.step(actions)
            assert env.rewards == {"seat_0": -1, "seat_1": 0} and all(env.terminations.values())
            assert "56" in env.infos["seat_0"]["illegal"]


def test_rewards_can_be_chosen() -> None:
    assert adapter.env("charioteer", seats=3).episode.setup.rewards_by_place == (1, 0, -1)
    assert adapter.env("charioteer", seats=3, rewards="win").episode.setup.rewards_by_place == (1, 0, 0)
    assert adapter.env("charioteer", seats=2, rewards=[5, -2]).episode.setup.rewards_by_place == (5, -2)


def test_seats_that_share_a_place_share_its_reward() -> None:
    env = adapter.env("chariotmaster", seats=4, teams=[1, 2, 1, 2], rewards=[6, 2, 1, 0])
    env.reset(seed=0)
    assert env.race.places == (1, 1, 1, 1) and env.episode.rewards() == [2.25] * 4
    chance = random.Random(1)
    while env.race.places == (1, 1, 1, 1):
        env.step(picked(env.last()[0]["action_mask"], chance))
    assert env.episode.rewards() == [{1: 4, 3: 0.5}[place] for place in env.race.places]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"game": "monopoly"}, "there is no game"),
        ({"seats": 9}, "2 to 6 seats"),
        ({"weather": "rain"}, "weather"),
        ({"illegal": "ignore"}, "illegal is one of"),
        ({"rewards": "money"}, "rewards are"),
        ({"rewards": [1, 2]}, "each of 4 places"),
        ({"rewards": 7}, "rewards are"),
        ({"render_mode": "human"}, "render_mode is one of"),
    ],
)
@pytest.mark.parametrize("make", [adapter.env, adapter.parallel_env])
def test_wrong_options_are_refused_with_a_reason(make: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(spina.OptionError, match=message):
        make(**{"game": "charioteer", **options})
    env = make("charioteer")
    with pytest.raises(spina.OptionError, match="a seed is"):
        env.reset(seed=-1)


def test_names_carry_the_version_and_races_can_be_drawn(game: str) -> None:
    env = adapter.env(game, seats=2, render_mode="ansi")
    env.reset(seed=0)
    assert str(env) == f"spina_{game.replace('-', '_')}_v{env.episode.encoding.version}"
    assert "Seat 0" in str(env.render())
    env.render_mode = "svg"
    assert str(env.render()).startswith("<svg")
    assert env.state_space.contains(env.state())
    env.close()
