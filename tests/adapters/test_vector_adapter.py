"""Vector environments: what they show is what their batch and the environments for single races show."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from adapter_helpers import GAMES
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import spina
from spina.adapters import gymnasium as adapter
from spina.adapters import pettingzoo
from spina.adapters.vector import RaceVectorEnv, SeatVectorEnv


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def some_actions(masks: Any) -> Any:
    """The last possible action of each environment."""
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def test_make_vec_gives_a_batch_with_the_spaces_of_the_single_environment(game: str) -> None:
    envs = gymnasium.make_vec(adapter.IDS[game], num_envs=5, seats=3, bots="random")
    single = gymnasium.make(adapter.IDS[game], seats=3, disable_env_checker=True)
    assert isinstance(envs.unwrapped, RaceVectorEnv) and envs.num_envs == 5
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert envs.single_observation_space == single.observation_space
    assert envs.single_action_space == single.action_space
    seen, infos = envs.reset(seed=4)
    for _ in range(20):
        assert envs.observation_space.contains(seen)
        assert infos["action_mask"].dtype == np.int8 and infos["action_mask"].shape == (5, envs.single_action_space.n)
        assert (infos["action_mask"] == envs.unwrapped.action_masks()).all()
        seen, rewards, ends, cuts, infos = envs.step(some_actions(infos["action_mask"]))
        assert rewards.shape == ends.shape == cuts.shape == (5,) and not cuts.any()
    envs.close()


def test_race_i_of_a_seed_is_the_race_of_seed_plus_i(game: str) -> None:
    envs = RaceVectorEnv(game, 3, 2)
    envs.reset(seed=11)
    assert envs.batch.seeds.tolist() == [11, 12, 13]
    envs.reset(seed=[8, 9, 8])
    assert envs.batch.seeds.tolist() == [8, 9, 8]
    envs.reset(seed=11)
    first = envs.reset()[0]
    envs.reset(seed=11)
    again = envs.reset()[0]
    pair = [one["observation"] if isinstance(one, dict) else one for one in (first, again)]
    np.testing.assert_array_equal(*pair)


def test_the_end_of_a_race_comes_with_its_last_observation_and_place() -> None:
    envs = RaceVectorEnv("charioteer", 16, 3, seat=None, bots=["competent", "random"], threads=2)
    twin = spina.batch(
        "charioteer", 16, 3, learned=0, rotate=True, drivers=["competent", "random"], final_observations=True
    )
    _, infos = envs.reset(seed=3)
    twin.reset([3 + i for i in range(16)])
    ended, seats = 0, set()
    for _ in range(400):
        actions = some_actions(infos["action_mask"])
        seen, rewards, ends, _, infos = envs.step(actions)
        twin.step(actions)
        np.testing.assert_array_equal(seen, twin.observations)
        np.testing.assert_array_equal(rewards, twin.rewards[:, 0])
        seats |= {*twin.seat.tolist()}
        assert ("final_obs" in infos) == ends.any()
        for i in np.flatnonzero(ends):
            ended += 1
            assert infos["_final_obs"][i] and infos["_final_info"][i]
            np.testing.assert_array_equal(infos["final_obs"][i], twin.final_observations[i, 0])  # type: ignore[index]
            place = infos["final_info"]["place"][i]
            assert rewards[i] == 1 - (place - 1)
    assert ended > 5 and seats == {0, 1, 2}


def test_named_bots_follow_the_learner_in_the_order_of_play() -> None:
    drivers = ["longest", "random", "competent"]
    for seat in range(4):
        envs = RaceVectorEnv("charioteer", 2, 4, seat=seat, bots=drivers)
        by_seat = [drivers[(other - seat - 1) % 4] for other in range(4) if other != seat]
        twin = spina.batch("charioteer", 2, 4, learned=seat, drivers=by_seat)
        _, infos = envs.reset(seed=1)
        twin.reset([1, 2])
        for _ in range(60):
            actions = some_actions(infos["action_mask"])
            seen, _, _, _, infos = envs.step(actions)
            np.testing.assert_array_equal(seen, twin.step(actions).observations)


def test_observations_are_copies_unless_they_are_not_wanted() -> None:
    copied, shared = RaceVectorEnv("charioteer", 2, 2), RaceVectorEnv("charioteer", 2, 2, copy=False)
    first, infos = copied.reset(seed=1)
    before = first.copy()
    copied.step(some_actions(infos["action_mask"]))
    np.testing.assert_array_equal(first, before)
    seen, infos = shared.reset(seed=1)
    assert shared.step(some_actions(infos["action_mask"]))[0] is not None
    assert np.shares_memory(seen, shared.batch.observations)


def test_wrappers_of_gymnasium_work_on_top() -> None:
    envs = RecordEpisodeStatistics(RaceVectorEnv("chariot-race", 8, 2))
    _, infos = envs.reset(seed=1)
    lengths: list[int] = []
    for _ in range(600):
        _, _, ends, _, infos = envs.step(some_actions(infos["action_mask"]))
        if ends.any():
            lengths += infos["episode"]["l"][ends].tolist()
    assert lengths and min(lengths) > 10


@pytest.mark.parametrize(("game", "steps"), [("charioteer", 150), ("chariot-race", 300), ("chariotmaster", 60)])
def test_seats_of_many_races_have_the_shape_of_supersuit(game: str, steps: int) -> None:
    envs = SeatVectorEnv(game, 3, 2, seed=1)
    single = pettingzoo.parallel_env(game, 2)
    assert envs.num_envs == 6 and envs.single_action_space == single.action_space("seat_0")
    assert envs.single_observation_space == single.observation_space("seat_0")
    seen, _ = envs.reset(seed=5)
    alone, _ = single.reset(seed=6)  # the second race
    for _ in range(steps):
        assert envs.observation_space.contains(seen)
        for seat in range(2):
            for name, part in alone[f"seat_{seat}"].items():
                np.testing.assert_array_equal(seen[name][2 + seat], part)
        actions = some_actions(seen["action_mask"])
        seen, rewards, ends, _, infos = envs.step(actions)
        alone, worth, over, _, _ = single.step({f"seat_{seat}": int(actions[2 + seat]) for seat in range(2)})
        assert rewards[2:4].tolist() == [worth["seat_0"], worth["seat_1"]] and ends[2] == over["seat_0"]
        if ends[2]:
            for name, part in alone["seat_1"].items():
                np.testing.assert_array_equal(infos["final_obs"][name][3], part)
            break


def test_races_are_rendered_as_text_picture_and_pixels() -> None:
    for mode, kind in (("ansi", str), ("svg", str), ("rgb_array", np.ndarray)):
        envs = RaceVectorEnv("charioteer", 2, 2, render_mode=mode)
        frames = envs.render()
        assert frames is not None and len(frames) == 2 and all(isinstance(frame, kind) for frame in frames)
    assert frames[0].dtype == np.uint8 and frames[0].shape[1:] == (960, 3)
    assert RaceVectorEnv("charioteer", 2, 2).render() is None


def test_frames_of_the_single_environment_serve_video_wrappers(game: str) -> None:
    env = gymnasium.wrappers.RenderCollection(
        gymnasium.make(adapter.IDS[game], seats=2, render_mode="rgb_array", disable_env_checker=True)
    )
    _, info = env.reset(seed=1)
    env.step(int(np.flatnonzero(info["action_mask"])[0]))
    first, second = env.render()  # type: ignore[misc]
    assert first.dtype == np.uint8 and first.shape == second.shape and first.shape[1:] == (960, 3)
    assert first.std() > 10, "there is a picture"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bots": "expert"}, "has no driver"),
        ({"bots": ["random"]}, "1 drivers for 3 seats"),
        ({"render_mode": "film"}, "render_mode is one of"),
        ({"num_envs": 0}, "races must be a whole number"),
    ],
)
def test_wrong_options_are_refused_with_a_reason(options: dict[str, Any], message: str) -> None:
    with pytest.raises(spina.OptionError, match=message):
        RaceVectorEnv("charioteer", **{"num_envs": 2, "seats": 4, **options})


def test_actions_of_a_wrong_shape_are_refused() -> None:
    with pytest.raises(spina.OptionError, match=r"shape \(4,\), not \(2, 2\)"):
        SeatVectorEnv("charioteer", 2, 2).step(np.zeros((2, 2), np.int64))
