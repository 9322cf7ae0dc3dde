"""Gymnasium: its own checker, and that the learner's seat and the bots race by the rules."""

from __future__ import annotations

import pickle
import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from adapter_helpers import GAMES, allowing, picked
from gymnasium.utils.env_checker import check_env

import spina
from spina.adapters import gymnasium as adapter
from spina.games import Action, get


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_registered_environments_pass_gymnasiums_check(game: str) -> None:
    env = gymnasium.make(adapter.IDS[game], seats=2)
    assert adapter.IDS[game].endswith(f"-v{env.unwrapped.episode.encoding.version}")
    with allowing(".*is different from the unwrapped version.*"):
        check_env(env.unwrapped, skip_render_check=False)


def play(env: Any, seed: int, most: int = 10_000) -> tuple[float, dict[str, Any], list[Any]]:
    """An episode of random actions: the last reward, the last info, and everything seen."""
    chance = random.Random(seed)
    seen, info = env.reset(seed=seed)
    story, over, reward = [seen], False, 0.0
    while not over and len(story) < most:
        seen, reward, over, cut, info = env.step(picked(info["action_mask"], chance))
        assert not cut and (over or reward == 0)
        assert env.observation_space.contains(seen)
        story.append(seen)
    return reward, info, story


def test_the_same_seed_gives_the_same_episode_against_the_same_bots(game: str) -> None:
    env, most = adapter.RaceEnv(game, 3, bots="competent"), 20 if game == "chariotmaster" else 80
    first, again, other = (play(env, seed, most)[2] for seed in (4, 4, 5))

    def numbers(story: list[Any]) -> list[Any]:
        return [seen["observation"] if isinstance(seen, dict) else seen for seen in story]

    np.testing.assert_array_equal(numbers(first), numbers(again))
    assert not np.array_equal(numbers(first)[:10], numbers(other)[:10])


def test_an_episode_is_a_race_to_its_end_with_a_place_and_its_reward() -> None:
    for seat in (0, 1):
        env = adapter.RaceEnv("charioteer", 2, seat=seat, bots="competent")
        reward, info, _ = play(env, 3)
        race = env.race
        assert race.over and race.origin == 3
        assert info["place"] == race.places[seat] and reward == (1 if race.places[seat] == 1 else -1)
        assert not info["action_mask"].any()
        replay = spina.new("charioteer", seats=2, seed=3)
        for who, action in race.log:
            replay.play(who, action)
        assert replay.hash() == race.hash()


class FirstAction(spina.bots.Bot):
    """A bot that is no driver."""

    closed = 0

    def choose(self, race: spina.Race, seat: int) -> Action:
        return race.legal(seat)[0]

    def close(self) -> None:
        FirstAction.closed += 1


def test_bots_of_any_kind_take_the_other_seats() -> None:
    made = []

    def own_bot(seed: int) -> spina.bots.Bot:
        made.append(seed)
        return FirstAction(get("chariot-race"), seed)

    env = adapter.RaceEnv("chariot-race", 3, bots=[own_bot, "fastest"], pairs=False)
    env.reset(seed=2)
    chance = random.Random(1)
    info: dict[str, Any] = {"action_mask": env.action_masks()}
    for _ in range(60):
        _, _, _, _, info = env.step(picked(info["action_mask"], chance))
        if env.race.turn > 1:
            break
    assert {seat for seat, _ in env.race.log} == {0, 1, 2} and len(made) == 1
    env.reset(seed=2)
    assert made[0] == made[1] and FirstAction.closed == 1
    env.close()
    assert FirstAction.closed == 2


def test_the_seat_can_be_drawn_for_every_race() -> None:
    env = adapter.RaceEnv("charioteer", 4, seat=None)
    seats = set()
    env.reset(seed=1)
    for _ in range(30):
        env.reset()
        seats.add(env.seat)
        assert env.action_masks().any()
    assert seats == {0, 1, 2, 3}


def test_an_illegal_action_ends_the_episode_or_raises() -> None:
    env = adapter.RaceEnv("charioteer", 2)
    _, info = env.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, over, cut, info = env.step(wrong)
    assert (reward, over, cut) == (-1, True, False) and "mask" in info["illegal"]
    strict = adapter.RaceEnv("charioteer", 2, illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(spina.IllegalAction, match=f"action {wrong} "):
        strict.step(wrong)


def test_views_and_notation_are_there_for_those_who_want_them() -> None:
    env = adapter.RaceEnv("charioteer", 2, views=True, render_mode="ansi")
    _, info = env.reset(seed=1)
    assert info["view"]["seat"] == 0 and info["view"]["hand"]
    choice = str(spina.bots.make("longest", game="charioteer", seed=1).choose(env.race, 0))
    _, _, _, _, info = env.step(choice)
    assert info["view"]["turn"] == 2 and "Seat 1" in str(env.render())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bots": "nobody"}, "there is no bot"),
        ({"bots": ["random"]}, "1 bots for 3 rivals"),
        ({"seat": 4}, "seat is a number from 0 to 3"),
        ({"seats": 1}, "2 to 6 seats"),
        ({"illegal": "maybe"}, "illegal is one of"),
        ({"weather": "rain"}, "weather"),
    ],
)
def test_wrong_options_are_refused_with_a_reason(options: dict[str, Any], message: str) -> None:
    with pytest.raises(spina.OptionError, match=message):
        adapter.RaceEnv("charioteer", **options)


def test_a_setup_can_be_sent_to_other_processes(game: str) -> None:
    setup = adapter.RaceEnv(game, 2, rewards="win").episode.setup
    again = pickle.loads(pickle.dumps(setup))
    assert again.options == setup.options and again.rewards_by_place == (1, 0)
    np.testing.assert_array_equal(again.begin(5), setup.begin(5))
