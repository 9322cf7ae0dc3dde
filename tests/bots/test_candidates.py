"""Candidates and learned policies of all games that have them: what is listed, and what it is made of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spina
from spina.bots.candidate_kernel import Candidates
from spina.bots.candidate_search import listed
from spina.games import get
from spina.kernel.interface import PLAN
from spina.kernel.policy_network import MOST_CANDIDATES

GAMES = [name for name in ("charioteer", "chariot-race", "chariotmaster") if get(name).policy is not None]
PRIOR_DRIVERS = {"charioteer": "competent", "chariot-race": "keen", "chariotmaster": "daring"}
"""The drivers that untrained policies choose like."""

Listed = tuple[int, Any, Any, Any, Any]


def list_all(game: str, data: Any, edition: Any, seat: int, *, interpreted: bool = False) -> Listed:
    """What the game's `list_candidates` writes."""
    policy = get(game).policy
    assert policy is not None
    plans, lengths = np.zeros((MOST_CANDIDATES, PLAN), np.int64), np.zeros(MOST_CANDIDATES, np.int64)
    situation, features = np.zeros(policy.size.situation), np.zeros((MOST_CANDIDATES, policy.size.candidate))
    entry: Any = policy.list_candidates
    function = entry.py_func if interpreted else entry
    count = int(function(data, edition.data, seat, plans, lengths, situation, features))
    return count, plans, lengths, situation, features


def moments(game: str, seats: int, seed: int, every: int) -> Any:
    """Races at some of their choices, with the seat that is asked."""
    race = spina.new(game, seats=seats, seed=seed)
    bots = [spina.bots.make("competent", game=game, seed=seat) for seat in range(seats)]
    made = 0
    while not race.over:
        seat = race.to_act[0]
        if made % every == 0:
            yield race, seat
        race.play(seat, bots[seat].choose(race, seat))
        made += 1


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("game", GAMES)
def test_candidates_are_different_whole_legal_choices(game: str, seats: int) -> None:
    compared = 0
    for race, seat in moments(game, seats, 5, 7):
        data = race.determinized_state(seat, 0)
        count, plans, lengths, situation, features = list_all(game, data, race.edition, seat)
        assert 0 <= count <= MOST_CANDIDATES
        steps = [tuple(plans[k, : lengths[k]].tolist()) for k in range(count)]
        assert len(set(steps)) == count
        if count:
            assert np.isfinite(situation).all()
            assert np.isfinite(features[:count]).all()
        for taken in steps:
            trial = data.copy()
            for i, step in enumerate(taken):
                assert get(game).rules.check(trial, race.edition.data, seat, step) == 0
                status = get(game).rules.apply(trial, race.edition.data, seat, step, np.zeros((0, 0), np.int32))
                assert (status == 0) == (i < len(taken) - 1)  # STEP until the choice is complete
        compared += count
    assert compared > 20


@pytest.mark.parametrize("game", GAMES)
def test_candidates_are_made_of_what_the_seat_can_see(game: str) -> None:
    looked = 0
    for race, seat in moments(game, 3, 6, 9):
        one, other = (list_all(game, race.determinized_state(seat, luck), race.edition, seat) for luck in (1, 2))
        count = one[0]
        assert other[0] == count
        for a, b in zip(one[1:], other[1:], strict=True):
            assert (a[:count] == b[:count]).all() if a.ndim > 1 or len(a) == MOST_CANDIDATES else (a == b).all()
        looked += count > 1
    assert looked > 3


@pytest.mark.parametrize("game", GAMES)
def test_interpreted_and_compiled_list_the_same(game: str) -> None:
    looked = 0
    for race, seat in moments(game, 3, 7, 23):
        data = race.determinized_state(seat, 0)
        count, plans, lengths, situation, features = list_all(game, data.copy(), race.edition, seat)
        again = list_all(game, data.copy(), race.edition, seat, interpreted=True)
        assert again[0] == count
        assert (again[1] == plans).all()
        assert (again[2] == lengths).all()
        np.testing.assert_allclose(again[3], situation, rtol=0, atol=1e-12)
        np.testing.assert_allclose(again[4], features, rtol=0, atol=1e-12)
        looked += count > 1
    assert looked > 1


@pytest.fixture
def untrained() -> Any:
    """Policies that know their prior only, for the duration of a test."""
    from spina.lab.policy_learner import fresh_weights

    kept = {}
    for game in GAMES:
        policy = get(game).policy
        assert policy is not None
        kept[game] = policy.weights().copy()
        policy.weights()[:] = fresh_weights(policy.size, policy.prior, 1)
    yield
    for game, weights in kept.items():
        policy = get(game).policy
        assert policy is not None
        policy.weights()[:] = weights


@pytest.mark.usefixtures("untrained")
@pytest.mark.parametrize("seats", [2, 4, 6])
@pytest.mark.parametrize("game", GAMES)
def test_an_untrained_policy_races_like_the_driver_it_learns_from(game: str, seats: int) -> None:
    races = 20 if game == "chariotmaster" else 60
    one = spina.simulate(game, seats=seats, races=races, drivers="learned", seed=8)
    other = spina.simulate(game, seats=seats, races=races, drivers=PRIOR_DRIVERS[game], seed=8)
    assert (one["hash"] == other["hash"]).all()


@pytest.mark.parametrize("game", GAMES)
def test_the_policy_lists_its_best_candidate_first(game: str) -> None:
    policy = get(game).policy
    assert policy is not None
    for race, seat in moments(game, 4, 9, 31):
        candidates, order = listed(get(game), policy, race, seat, 5)
        assert isinstance(candidates, Candidates)
        assert len(order) <= 5
        scores = candidates.scores[order]
        assert (np.diff(scores) <= 0).all()


@pytest.mark.parametrize("game", GAMES)
def test_the_learned_driver_goes_on_from_any_step_of_a_choice(game: str) -> None:
    chance = np.random.default_rng(1)
    for race, seat in moments(game, 3, 10, 11):
        trial = race.copy()
        while seat in trial.to_act:
            steps = list(trial.legal(seat))
            if chance.random() < 0.5:
                break
            trial.play(seat, steps[chance.integers(len(steps))])
            if trial.over:
                break
        if not trial.over and seat in trial.to_act:
            action = spina.bots.make("learned", game=game, seed=2).choose(trial, seat)
            assert trial.check(seat, action) is None


def test_weights_of_other_features_are_refused(tmp_path: Any) -> None:
    from spina.kernel.policy_weights import read_policy

    policy = get("charioteer").policy
    assert policy is not None
    text = policy.file.read_text(encoding="utf-8")
    changed = tmp_path / "policy.json"
    changed.write_text(text.replace('"candidate": 37', '"candidate": 36'), encoding="utf-8")
    with pytest.raises(ValueError, match=r"trained for other features: train it again with `spina lab train"):
        read_policy(changed, policy.size)
