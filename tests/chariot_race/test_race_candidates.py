"""Candidates of Chariot Race and its learned driver. What holds for every game: `tests/bots/test_candidates.py`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import spina
from spina.games import get
from spina.games.chariot_race.bots.answers import C_CHANCE, C_LOST, C_USUAL, C_WORTH, C_WRECKS
from spina.games.chariot_race.lab import turn_chances
from spina.games.chariot_race.rules.record import DO_JAVELIN, DO_NO_ATTACK
from spina.kernel.interface import PLAN
from spina.kernel.policy_network import MOST_CANDIDATES
from spina.lab.policy_learner import fresh_weights

GAME = get("chariot-race")
POLICY = GAME.policy
assert POLICY is not None
OPTIONS: list[tuple[int, dict[str, Any]]] = [
    (2, {"individual": True}),
    (3, {"board": "BB"}),
    (4, {"individual": True, "board": "AB"}),
    (6, {"board": "BA"}),
]


@pytest.fixture
def untrained() -> Iterator[None]:
    """The policy knows its prior only, for the duration of a test."""
    assert POLICY is not None
    kept = POLICY.weights().copy()
    POLICY.weights()[:] = fresh_weights(POLICY.size, POLICY.prior, 1)
    yield
    POLICY.weights()[:] = kept


@pytest.mark.usefixtures("untrained")
@pytest.mark.parametrize(("seats", "options"), OPTIONS)
def test_the_untrained_policy_races_exactly_like_keen(seats: int, options: dict[str, Any]) -> None:
    one, other = (
        spina.simulate("chariot-race", seats=seats, races=120, drivers=driver, seed=5, **options)
        for driver in ("learned", "keen")
    )
    assert (one["hash"] == other["hash"]).all()


def listed(race: spina.Race, seat: int) -> tuple[list[int], Any]:
    """The actions and the features of the candidates."""
    assert POLICY is not None
    plans, lengths = np.zeros((MOST_CANDIDATES, PLAN), np.int64), np.zeros(MOST_CANDIDATES, np.int64)
    situation, features = np.zeros(POLICY.size.situation), np.zeros((MOST_CANDIDATES, POLICY.size.candidate))
    data = race.determinized_state(seat, 0)
    entry: Any = POLICY.list_candidates
    count = entry(data, race.edition.data, seat, plans, lengths, situation, features)
    assert (data == race.determinized_state(seat, 0)).all()
    assert (lengths[:count] == 1).all()
    return plans[:count, 0].tolist(), features[:count]


def test_every_question_is_answered_and_the_driver_s_answer_comes_first() -> None:
    stages = set()
    for seed, (seats, options) in enumerate(OPTIONS):
        race = spina.new("chariot-race", seats=seats, seed=seed, **options)
        keen = spina.bots.make("keen", game="chariot-race", seed=1)
        while not race.over:
            seat = race.to_act[0]
            chosen = keen.choose(race, seat)
            actions, features = listed(race, seat)
            assert actions[0] == GAME.encode(race.determinized_state(seat, 0), race.edition, seat, chosen)[0]
            assert len(set(actions)) == len(actions) >= min(2, len(race.legal(seat)))
            assert features[0, C_WORTH] == 0.0
            assert features[:, C_USUAL].tolist() == [1.0] + [0.0] * (len(actions) - 1)
            assert features[:, C_CHANCE].max() <= 0.0
            stages.add(race.view(None)["stage"])
            race.play(seat, chosen)
    assert len(stages) == 8


def test_nobody_but_the_seat_that_is_asked_has_candidates() -> None:
    race = spina.new("chariot-race", seats=4, seed=1)
    assert [len(listed(race, seat)[0]) > 0 for seat in range(4)] == [seat in race.to_act for seat in range(4)]


def test_a_javelin_that_wrecks_is_described_and_leaves_the_race_unchanged() -> None:
    position = {
        "chariots": [
            {"space": "m10", "speed": 0, "fate": 0},
            {"space": "m11", "condition": 5},
            {"space": "o9", "condition": 1},
        ],
        "turn": 0,
        "dice": ["attack", "attack", "attack", "fortuna", "fortuna"],
    }
    race = spina.position("chariot-race", position)
    race.play(0, "keep")
    actions, features = listed(race, 0)
    wrecks = dict(zip(actions, features[:, C_WRECKS].tolist(), strict=True))
    assert wrecks[DO_JAVELIN + 2] == 1.0
    assert wrecks[DO_JAVELIN + 1] == wrecks[DO_NO_ATTACK] == 0.0


def test_braking_is_known_to_save_the_chariot_where_speed_would_wreck_it() -> None:
    """Condition 3 before the inside corner for 3: at speed 6 the chariot would be wrecked."""
    position = {
        "chariots": [{"space": "i7", "speed": 3, "condition": 3, "fate": 0}, {"space": "o1"}],
        "turn": 0,
        "dice": ["+/-", "+/-", "+/-", "+/-", "+/-"],
    }
    race = spina.position("chariot-race", position)
    while race.view(None)["stage"] != "signs":
        race.play(0, "keep")
    _, features = listed(race, 0)
    assert set(features[:, C_LOST].tolist()) == {0.0, 1.0}
    saved = features[:, C_LOST] == 0.0
    assert features[saved, C_CHANCE].max() == 0.0 > features[~saved, C_CHANCE].max()


def test_the_learned_driver_beats_the_random_one() -> None:
    results = spina.simulate("chariot-race", seats=4, races=60, drivers=["learned", "random"] * 2, seed=4)
    assert (results["places"] == 1)[:, ::2].any(axis=1).mean() > 0.9


@pytest.mark.slow
def test_the_network_of_turns_learns_who_wins() -> None:
    """From the turns of a few races: it knows more than how often a seat wins, on races that it was not shown."""
    inputs, won = turn_chances.examples("keen", 3 * turn_chances.PART, 3)
    assert len(inputs) == len(won) > 5000
    learner = turn_chances.fit(inputs, won, seed=1, epochs=2)
    held = len(won) // 20
    mean = won[:-held].mean()
    nothing = -(mean * np.log(mean) + (1 - mean) * np.log(1 - mean))
    assert learner.loss(inputs[-held:], won[-held:]) < nothing - 0.1
