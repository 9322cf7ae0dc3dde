"""Ratings: the most likely strengths, honest intervals, ties, copies of a bot, and bots that always win."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from spina.lab.ratings import (
    SCALE,
    log_likelihood,
    place_matrix,
    plackett_luce,
    ratings,
    running_ratings,
    shares,
)
from spina.simulation import wilson

Races = tuple[NDArray[Any], NDArray[Any]]


def drawn(strengths: Sequence[float], line_ups: Sequence[Sequence[int]], seed: int) -> Races:
    """Races as the model has them: the logarithm of a strength plus noise after Gumbel, in order."""
    dice = np.random.default_rng(seed)
    bots = np.array(line_ups)
    scores = np.array(strengths)[bots] + dice.gumbel(size=bots.shape)
    return bots, (-scores).argsort(axis=1).argsort(axis=1) + 1


def plainly(bots: NDArray[Any], places: NDArray[Any], strengths: Sequence[float]) -> float:
    """The likelihood written down as one would explain it: for each race, all orders that its places allow."""
    total = 0.0
    for seats, ranks in zip(bots.tolist(), places.tolist(), strict=True):
        weights = [math.exp(strengths[bot]) for bot in seats]
        likely = 0.0
        for order in itertools.permutations(range(len(seats))):
            if all(ranks[one] <= ranks[after] for one, after in itertools.pairwise(order)):
                chances = [weights[seat] / sum(weights[left] for left in order[i:]) for i, seat in enumerate(order)]
                likely += math.prod(chances)
        total += math.log(likely)
    return total


def climbed(value: Callable[[list[float]], float], count: int) -> list[float]:
    """The highest point of a function by trying ever smaller steps; the first coordinate stays at 0."""
    at, size = [0.0] * count, 1.0
    best = value(at)
    while size > 1e-5:
        for number, way in itertools.product(range(1, count), (-size, size)):
            tried = [here + way * (number == other) for other, here in enumerate(at)]
            if (found := value(tried)) > best:
                at, best = tried, found
                break
        else:
            size /= 2
    return at


TIED = (
    np.array([[0, 1, 2, 1], [2, 1, 0, 0], [1, 2, 2, 0], [0, 1, 2, 2], [1, 1, 0, 2], [2, 0, 0, 1]]),
    np.array([[1, 2, 2, 4], [1, 1, 1, 4], [3, 1, 2, 4], [1, 1, 1, 1], [1, 3, 2, 3], [4, 1, 2, 3]]),
)


def test_the_likelihood_is_the_one_that_one_would_write_down() -> None:
    strengths = [0.0, 0.7, -0.4]
    assert log_likelihood(*TIED, strengths) == pytest.approx(plainly(*TIED, strengths), abs=1e-10)


def test_the_strengths_are_those_that_trying_finds() -> None:
    bots, places = TIED
    found, _ = plackett_luce(bots, places, 3, virtual=0)
    assert found == pytest.approx(climbed(lambda at: plainly(bots, places, at), 3), abs=1e-3)


def test_errors_are_those_of_the_observed_information() -> None:
    bots, places = TIED
    found, covariance = plackett_luce(bots, places, 3, virtual=0)
    step = 1e-3

    def moved(one: int, other: int, sign: int) -> float:
        at = found.copy()
        at[one] += step
        at[other] += sign * step
        return plainly(bots, places, at.tolist()) + plainly(bots, places, (2 * found - at).tolist())

    information = np.array([[-(moved(i, j, 1) - moved(i, j, -1)) / (4 * step**2) for j in (1, 2)] for i in (1, 2)])
    assert covariance[1:, 1:] == pytest.approx(np.linalg.inv(information), rel=1e-3)
    assert not covariance[0].any()


def test_sharing_the_last_place_tells_nothing_of_those_who_share_it() -> None:
    strengths = [0.0, 0.5, -0.5, 1.0]
    bots, places = drawn(strengths, [(0, 1, 2, 3)] * 2000, seed=5)
    whole, errors = plackett_luce(bots, places, 4)
    found, wider = plackett_luce(bots, np.where(places >= 3, 3, places), 4)  # the last two share their place
    assert found == pytest.approx(whole, abs=0.15)
    assert (np.diag(wider)[1:] > np.diag(errors)[1:]).all()
    nobody, _ = plackett_luce(bots, np.ones_like(places), 4)
    assert nobody == pytest.approx([0, 0, 0, 0])


def test_a_long_tie_is_no_trouble() -> None:
    bots, places = drawn([0.0, 1.0], [(0, 1) * 6] * 5, seed=8)
    places = np.where(places <= 8, 1, places)
    found, _ = plackett_luce(bots, places, 2)
    assert 0 < found[1] < 4


def test_known_strengths_lie_in_their_intervals_as_often_as_promised() -> None:
    strengths = np.array([0.0, 0.6, -0.8, 1.5])
    line_ups = [(0, 1, 2, 3), (0, 0, 1, 3), (2, 1, 3, 2), (1, 3, 1, 3)] * 50
    inside = []
    for seed in range(60):
        found, covariance = plackett_luce(*drawn(strengths.tolist(), line_ups, seed), 4)
        errors = np.sqrt(np.diag(covariance))[1:]
        inside.append(np.abs(found - strengths)[1:] <= 1.96 * errors)
    assert 0.90 <= np.mean(inside) <= 0.99


def test_a_bot_that_always_wins_has_a_finite_rating_with_a_wide_interval() -> None:
    few, many = (
        ratings(["competent", "god"], np.array([[0, 1]] * races), np.array([[2, 1]] * races))["god"]
        for races in (10, 1000)
    )
    assert 1500 < few.low < few.rating < many.rating < 3500
    assert many.rating == pytest.approx(1500 + SCALE * math.log(1000.5 / 0.5))
    assert many.low < 1500 + 400 * math.log10(300) < many.high  # 1 of 300 lost races would be no surprise
    assert many.high - many.low > 500


def test_bots_that_never_met_are_compared_through_others() -> None:
    bots, places = drawn([0.0, 1.0, 2.0], [(0, 1), (1, 2)] * 400, seed=2)
    found, covariance = plackett_luce(bots, places, 3)
    assert found == pytest.approx([0, 1, 2], abs=0.4)
    assert covariance[2, 2] > covariance[1, 1]


def test_ratings_are_set_by_competent_or_by_the_first() -> None:
    bots, places = drawn([1.0, 0.0], [(0, 1)] * 500, seed=3)
    found = ratings(["expert", "competent"], bots, places)
    assert (found["competent"].rating, found["competent"].error) == (1500, 0)
    assert found["expert"].rating == pytest.approx(1500 + SCALE, abs=3 * found["expert"].error)
    assert found["expert"].high - found["expert"].rating == pytest.approx(1.96 * found["expert"].error, rel=1e-3)
    assert ratings(["expert", "hard"], bots, places)["expert"].rating == 1500


def test_who_sits_where_makes_no_difference() -> None:
    bots, places = drawn([0.0, 0.5, 1.0], [(0, 1, 2, 2)] * 50, seed=4)
    turned = np.roll(bots, 1, axis=1), np.roll(places, 1, axis=1)
    assert plackett_luce(*turned, 3)[0] == pytest.approx(plackett_luce(bots, places, 3)[0], abs=1e-9)


def test_shares_split_ties_and_sum_the_seats_of_a_bot() -> None:
    bots = np.array([[0, 0, 1, 1], [1, 0, 0, 1], [0, 1, 0, 1], [0, 1, 1, 2]])
    places = np.array([[1, 2, 3, 4], [1, 1, 3, 4], [1, 2, 1, 4], [4, 2, 3, 1]])
    found = shares(["a", "b", "c"], bots, places)
    assert [found[name].wins for name in "abc"] == [2.5, 0.5, 1]
    assert [found[name].races for name in "abc"] == [4, 4, 1]
    assert (found["a"].share, found["a"].by_seat, found["a"].expected) == (2.5 / 4, 2.5 / 7, 7 / 16)
    assert (found["c"].share, found["c"].by_seat, found["c"].expected) == (1.0, 1.0, 0.25)
    assert (found["c"].low, found["c"].high) == wilson(1, 1)
    assert sum(found[name].wins for name in "abc") == len(bots)


def test_the_place_matrix_says_where_the_seats_of_a_bot_finish() -> None:
    bots, places = np.array([[0, 0, 1], [1, 0, 0]]), np.array([[1, 3, 2], [1, 1, 3]])
    assert place_matrix(["a", "b"], bots, places).tolist() == [[0.5, 0, 0.5], [0.5, 0.5, 0]]


def test_running_ratings_find_the_same_order() -> None:
    bots, places = drawn([0.0, 1.0, -1.0], [(0, 1, 2, 2), (0, 0, 1, 2), (1, 1, 1, 1)] * 100, seed=6)
    found = running_ratings(["middle", "strong", "weak"], bots, places)
    assert found["strong"].mu > found["middle"].mu + 2 > found["weak"].mu + 4
    assert all(one.sigma < 25 / 3 for one in found.values())
    assert found == running_ratings(["middle", "strong", "weak"], bots, places)


def test_running_ratings_move_a_bot_with_several_seats_by_the_average() -> None:
    alone = running_ratings(["a", "b"], np.array([[0, 1]]), np.array([[1, 2]]))
    cancelled = running_ratings(["a", "b"], np.array([[0, 1, 0]]), np.array([[1, 2, 3]]))
    assert alone["a"].mu > 25 > alone["b"].mu
    assert cancelled["a"].mu == pytest.approx(25, abs=1)
