"""Candidates of Chariotmaster: legal answers, described by what the seat can see; and the policy that chooses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import pytest

import spina
from spina.games import get
from spina.games.chariotmaster.bots import drivers
from spina.games.chariotmaster.bots.candidates import CANDIDATE, F_DRIVER, list_candidates
from spina.games.chariotmaster.bots.situation import SITUATION
from spina.games.chariotmaster.rules import entries
from spina.games.chariotmaster.rules.record import ASK_NAMES, RACE
from spina.kernel import compiler
from spina.kernel.interface import PLAN
from spina.kernel.policy_network import MOST_CANDIDATES
from spina.kernel.record import look

SETUPS: list[dict[str, Any]] = [
    {"seats": 4, "scenario": "circus"},
    {"seats": 3, "scenario": "trial"},
    {"seats": 12, "scenario": "maximus"},
    {"seats": 6, "scenario": "circus", "points": 4, "fantasy": True},
]
LISTED = ("speed tokens", "drive", "sub-move", "attack", "defence", "skid")
"""Questions that every sample of positions must contain."""

RARE = ("attack", "defence")


class Listed:
    """What `list_candidates` says of a seat's answer."""

    def __init__(self, data: Any, edition: Any, seat: int, listing: Any = list_candidates) -> None:
        plans, lengths = np.zeros((MOST_CANDIDATES, PLAN), np.int64), np.zeros(MOST_CANDIDATES, np.int64)
        self.situation, features = np.zeros(SITUATION), np.zeros((MOST_CANDIDATES, CANDIDATE))
        self.count = listing(data, edition, seat, plans, lengths, self.situation, features)
        self.features = features[: self.count]
        self.answers = plans[: self.count, 0].tolist()
        assert (lengths[: self.count] == 1).all()

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, Listed)
        same = np.array_equal(self.situation, other.situation) and np.array_equal(self.features, other.features)
        return same and self.answers == other.answers

    __hash__ = None  # type: ignore[assignment]


def positions(every: int, first_seed: int = 0) -> Iterator[tuple[spina.Race, int, str]]:
    """Choices of races by drivers of all kinds, one of `every` and all attacks: the race, the seat, the question."""
    compiler.ready(*get("chariotmaster").folders)
    for seed, setup in enumerate(SETUPS, first_seed):
        race = spina.new("chariotmaster", seed=seed, **setup)
        bots = [spina.bots.make(name, game="chariotmaster", seed=seed) for name in ("daring", "competent", "random")]
        number = 0
        while not race.over:
            seat = race.to_act[0]
            question = ASK_NAMES[look(race._bytes, RACE).ask]
            if number % every == 0 or question in RARE:
                yield race, seat, question
            number += 1
            race.play(seat, bots[seat % 3].choose(race, seat))


@pytest.mark.slow
def test_candidates_are_legal_and_distinct_and_begin_with_the_drivers_answer() -> None:
    daring: Any = drivers.daring
    found, dice, plan = set(), np.zeros(4, np.uint64), np.zeros(PLAN, np.int64)
    for race, seat, question in positions(every=7):
        data = race.edition.data
        listed = Listed(race._bytes, data, seat)
        assert listed.count >= 1
        assert len(set(listed.answers)) == listed.count
        daring(race._bytes, data, seat, dice, plan)
        assert listed.answers[0] == plan[0]
        for answer in listed.answers:
            assert entries.check(race._bytes, data, seat, answer) == 0
        if listed.count > 1:
            found.add(question)
            assert listed.features[:, F_DRIVER].tolist() == [1.0] + [0.0] * (listed.count - 1)
            assert np.isfinite(listed.features).all()
            assert np.isfinite(listed.situation).all()
            assert np.abs(listed.features).max() <= 8
            assert np.abs(listed.situation).max() <= 8
    assert found.issuperset(LISTED)


@pytest.mark.slow
def test_features_say_nothing_that_the_seat_cannot_see() -> None:
    checked, hidden = 0, 0
    for race, seat, _ in positions(every=11, first_seed=20):
        data, state = race.edition.data, look(race._bytes, RACE)
        before = Listed(race._bytes, data, seat)
        secret = [c for c in range(state.chariots) if state.seat[c] != seat and state.drawn[c] == 0]
        tokens = state.token.tolist()
        for luck in range(3):
            trial = race._bytes.copy()
            entries.determinize(trial, data, seat, np.uint64(luck))
            assert Listed(trial, data, seat) == before
            drawn = look(trial, RACE).token.tolist()
            hidden += any(drawn[c] != tokens[c] for c in secret)
            checked += 1
    assert checked > 100
    assert hidden > 30  # tokens were really drawn anew


@pytest.mark.slow
@pytest.mark.skipif(compiler.INTERPRETED, reason="compares with compiled code")
def test_interpreted_candidates_are_the_same() -> None:
    count, listing = 0, cast(Any, list_candidates).py_func
    for race, seat, _ in positions(every=61, first_seed=40):
        data = race.edition.data
        assert Listed(race._bytes, data, seat, listing) == Listed(race._bytes, data, seat)
        count += 1
    assert count > 20


@pytest.mark.slow
def test_the_learned_driver_beats_random_ones() -> None:
    line_up = ["learned", "random", "learned", "random"]
    places = spina.simulate("chariotmaster", seats=4, races=24, drivers=line_up, seed=9, threads=1)["places"]
    assert (places[:, ::2].min(axis=1) == 1).mean() > 0.9
