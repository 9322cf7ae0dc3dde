"""The networks that judge unfinished races, how they learn, and the reasons that are read out of them."""

from __future__ import annotations

import numpy as np
import pytest

import spina
from spina.bots import network_weights
from spina.bots.network_weights import Network
from spina.bots.reasons import reason
from spina.games import get
from spina.games.feature import Feature
from spina.lab import training

GAMES = ("charioteer", "chariot-race", "chariotmaster")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_network_that_knows_something(game: str) -> None:
    figures, shares = training.examples(
        game, 2, {"charioteer": 40, "chariot-race": 12, "chariotmaster": 8}[game], seed=99
    )
    network = network_weights.load(get(game))
    learner = training.Learner(len(get(game).features), network.hidden, 1)
    learner.weights = network.weights
    assert learner.loss(figures, shares) < 0.95 * np.log(2)


def test_whose_turn_it_is_in_chariot_race_counts_among_those_who_have_still_to_move() -> None:
    game = get("chariot-race")
    to_come = [figure.name for figure in game.features].index("to come")
    race = spina.new("chariot-race", seats=4, seed=2)
    bot = spina.bots.make("competent", game="chariot-race", seed=1)

    def still_to_move() -> set[int]:
        figures = np.zeros((4, 32))
        for seat in range(4):
            game.measure_features(race.determinized_state(0, 0), race.edition.data, seat, figures[seat])
        return {seat for seat in range(4) if figures[seat, to_come]}

    while race.turn < 1 or still_to_move() != {0, 1, 2, 3}:
        race.play(race.to_act[0], bot.choose(race, race.to_act[0]))
    moved: set[int] = set()
    for _ in range(3):
        mover = race.to_act[0]
        while race.to_act[0] == mover:
            assert still_to_move() == {0, 1, 2, 3} - moved
            race.play(mover, bot.choose(race, mover))
        moved.add(mover)


def test_rivals_in_chariot_race_are_told_in_the_order_of_what_they_still_need() -> None:
    game = get("chariot-race")
    place = {figure.name: i for i, figure in enumerate(game.features)}
    behind = [place[name] for name in ("behind best", "behind second", "behind third")]
    later = [place[name] for name in [f"moves later than {which}" for which in ("best", "second", "third")]]
    race = spina.new("chariot-race", seats=4, seed=2)
    bot = spina.bots.make("competent", game="chariot-race", seed=1)
    orders = set()
    while not race.over:
        figures = np.zeros((4, 32))
        for seat in range(4):
            game.measure_features(race.determinized_state(0, 0), race.edition.data, seat, figures[seat])
        view = race.view(race.to_act[0])
        racing = [chariot for chariot in view["chariots"] if not chariot["wrecked"]]
        assert np.all(np.diff(figures[:, behind], axis=1) <= 0)
        for seat in (chariot["seat"] for chariot in racing):
            assert figures[seat, place["rivals"]] == pytest.approx((len(racing) - 1) / 3)
        assert figures[race.to_act[0], later].sum() == 0  # whose turn it is moves before all others
        if len(racing) == 4 and not any(chariot["finished"] for chariot in racing):
            counts = figures[:, later].sum(axis=1).astype(int).tolist()
            assert sorted(counts) == [0, 1, 2, 3]
            orders.add(tuple(counts))
        race.play(race.to_act[0], bot.choose(race, race.to_act[0]))
    assert len(orders) > 3


def test_examples_are_taken_only_after_the_last_random_choice() -> None:
    """However wildly the races began, from there on they go as the network has learnt it."""
    network = network_weights.load(get("charioteer"))

    def loss(epsilon: int) -> float:
        figures, shares = training.examples("charioteer", 2, 300, seed=7, epsilon=epsilon)
        learner = training.Learner(figures.shape[2], network.hidden, 1)
        learner.weights = network.weights
        late = figures[:, :, 0].max(axis=1) < 0.5
        return learner.loss(figures[late], shares[late])

    assert loss(1000) == pytest.approx(loss(0), abs=0.04)


@pytest.mark.parametrize("game", GAMES)
def test_figures_are_about_as_large_as_one(game: str) -> None:
    figures, _ = training.examples(game, 2, 2, seed=5)
    assert np.abs(figures).max() < 4
    assert figures[0, :, 0] == pytest.approx(1.0, abs=0.15)  # all of the race is still to go


def test_learning_goes_downhill() -> None:
    """The gradient agrees with differences of the loss."""
    chance = np.random.default_rng(1)
    figures, shares = chance.normal(size=(40, 3, 4)), np.eye(3)[chance.integers(0, 3, 40)]
    learner = training.Learner(4, 5, 1)
    before = learner.weights.copy()
    slope = []
    for i in range(len(before)):
        losses = []
        for way in (1e-5, -1e-5):
            learner.weights = before.copy()
            learner.weights[i] += way
            losses.append(learner.loss(figures, shares))
        slope.append((losses[0] - losses[1]) / 2e-5)
    learner.weights = before.copy()
    learner.learn(figures, shares, rate=1e-3)
    step = learner.weights - before  # Adam's first step goes by the sign of the gradient
    clear = np.abs(slope) > 1e-4
    assert np.all(np.sign(step[clear]) == -np.sign(np.array(slope)[clear]))


def test_who_has_less_to_go_is_found_to_win() -> None:
    chance = np.random.default_rng(2)
    figures = chance.uniform(0, 1, (2000, 3, 2))
    shares = np.eye(3)[figures[:, :, 0].argmin(axis=1)]
    learner, loss, nothing = training.fit([(figures, shares)], hidden=8, rounds=25, batch=64)
    assert loss < 0.35 < nothing
    weights = Network(8, learner.weights)
    said = reason(
        (Feature("to go", 100, less="gets {n} further"), Feature("noise", 1, more="more")),
        weights,
        [0.2, 0.5],
        [0.4, 0.5],
    )
    assert said is not None
    assert said.words == "gets 20 further"
    token = (Feature("to go", 5, less="saves {n} tokens"), Feature("noise"))
    said = reason(token, weights, [0.2, 0.5], [0.4, 0.5])
    assert said is not None and said.words == "saves 1 token"


def test_no_reason_is_invented_where_choices_are_alike() -> None:
    network = network_weights.load(get("charioteer"))
    same = [0.5] * len(get("charioteer").features)
    assert reason(get("charioteer").features, network, same, same) is None


def test_standing_tells_only_what_everybody_knows() -> None:
    """Dealt anew for a spectator's eyes, how the seats stand remains the same."""
    for game in GAMES:
        race = spina.new(game, seats=3, seed=4)
        found = []
        for deal in range(2):
            out = np.zeros((3, 32))
            for seat in range(3):
                race.game.measure_features(race.determinized_state(0, deal), race.edition.data, seat, out[seat])
            found.append(out)
        assert np.array_equal(*found)
