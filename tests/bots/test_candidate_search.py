"""The search among a policy's candidates."""

from __future__ import annotations

import time
from typing import Any

import pytest

import spina
from spina.bots import Search, SearchConfig, make
from spina.bots.successive_elimination import best_of
from spina.games import get

GAMES = [name for name in ("charioteer", "chariot-race", "chariotmaster") if get(name).policy is not None]
CONFIG = SearchConfig(horizon=1, later_width=0.0, rival_width=0.0, candidates=4, prior_weight=16.0)


def a_race(game: str, choices: int, seed: int = 3) -> spina.Race:
    """A race some choices old, where the seat that is asked has several candidates."""
    race = spina.new(game, seats=3, seed=seed)
    bots = [make("competent", game=game, seed=seat) for seat in range(3)]
    while choices > 0 or len(race.legal(race.to_act[0])) < 4:
        race.play(race.to_act[0], bots[race.to_act[0]].choose(race, race.to_act[0]))
        choices -= 1
    return race


def search(game: str, **more: Any) -> Search:
    return Search(get(game), config=CONFIG, **{"iterations": 200, "seed": 5, **more})


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_and_simulations_give_the_same_answer(game: str) -> None:
    race = a_race(game, 12)
    before = race.hash()
    answers = {repr(search(game).advise(race, race.to_act[0])) for _ in range(2)}
    assert len(answers) == 1
    assert race.hash() == before


@pytest.mark.parametrize("game", GAMES)
def test_it_compares_whole_legal_choices(game: str) -> None:
    race = a_race(game, 12)
    seat = race.to_act[0]
    advice = search(game).advise(race, seat)
    assert advice.candidates[0].action == search(game).choose(race, seat)
    for candidate in advice.candidates:
        assert race.check(seat, candidate.action) is None
        assert sum(candidate.chances) == pytest.approx(1.0)
        assert candidate.tried >= 16


@pytest.mark.parametrize("game", GAMES)
def test_it_knows_nothing_that_its_seat_cannot_see(game: str) -> None:
    race = a_race(game, 15)
    seat = race.to_act[0]
    assert len({str(search(game).choose(race.determinized(seat, luck), seat)) for luck in range(3)}) == 1


def test_time_limits_it() -> None:
    race = a_race("charioteer", 5)
    limited = Search(get("charioteer"), config=CONFIG, milliseconds=30, seed=1)
    limited.choose(race, race.to_act[0])
    begun = time.process_time()
    limited.choose(race, race.to_act[0])
    assert time.process_time() - begun < 5.0  # without a limit it would run a million simulations


def test_values_decide_against_an_opinion_that_counts_little() -> None:
    def simulate(choices: Any, batch: int) -> list[float]:
        return [0.5 + 0.1 * (choice == 2) + 0.001 * (batch % 2) for choice in choices]

    assert best_of(simulate, [0.0, -0.1, -0.1], 1.0, 30) == 2


def test_an_opinion_decides_where_values_differ_little() -> None:
    calls = []

    def simulate(choices: Any, batch: int) -> list[float]:
        calls.append(list(choices))
        return [0.5 + 0.01 * ((choice + batch) % 3) for choice in choices]

    assert best_of(simulate, [-0.1, 0.0, -0.1], 50.0, 9) == 1
    assert sum(map(len, calls)) <= 9 + 3


def test_choices_that_are_clearly_behind_are_simulated_no_more() -> None:
    calls = []

    def simulate(choices: Any, batch: int) -> list[float]:
        calls.append(list(choices))
        return [0.9 - 0.4 * (choice == 1) - 0.05 * (choice == 2) * (batch % 2) for choice in choices]

    assert best_of(simulate, [0.0, 0.0, 0.0], 0.0, 60) == 0
    assert 1 not in calls[4]
