"""The list of legal actions equals what trying every action finds, at every question of random races."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import spina
from spina.games.chariot_race.components import options
from spina.games.chariot_race.components.edition import reference
from spina.games.chariot_race.rules import entries, record
from spina.kernel.narration import WIDTH
from spina.kernel.random import new_dice
from spina.kernel.record import Bytes, blank, look

VARIANTS: list[dict[str, Any]] = [
    {},
    {"board": "BA", "safe_finish": True},
    {"board": "BB", "individual": True},
    {"board": "AB", "individual": True, "safe_finish": True},
]
EDITION = reference()
SILENCE = np.zeros((0, WIDTH), np.int32)


@pytest.fixture(autouse=True, scope="module")
def _compiled() -> None:
    spina.new("chariot-race", seed=0)


def _questions(seats: int, chosen: dict[str, Any], seed: int) -> Iterator[tuple[Bytes, int]]:
    """Every question of a random race, with the seat that is asked."""
    race = blank(record.RACE)
    codes = options.encode(seats, options.check(chosen, seats))
    entries.set_up(race, EDITION.data, codes, new_dice(seed))
    menu, draw = np.zeros(record.ACTIONS, np.int64), random.Random(seed)
    while not entries.over(race, EDITION.data):
        seat = int(entries.acting(race, EDITION.data)).bit_length() - 1
        yield race, seat
        count = entries.legal(race, EDITION.data, seat, menu)
        entries.apply(race, EDITION.data, seat, int(draw.choice(menu[:count])), SILENCE)


def _listed(race: Bytes, seat: int) -> list[int]:
    menu = np.zeros(record.ACTIONS, np.int64)
    return menu[: entries.legal(race, EDITION.data, seat, menu)].tolist()  # type: ignore[no-any-return]


def _tried(race: Bytes, seat: int) -> list[int]:
    return [action for action in range(record.ACTIONS) if entries.check(race, EDITION.data, seat, action) == entries.OK]


@pytest.mark.parametrize("revision", [record.FIRST_REVISION, record.REVISION])
@pytest.mark.parametrize("pairs", [False, True])
@pytest.mark.parametrize("chosen", VARIANTS, ids=str)
def test_listed_actions_are_those_that_pass_the_check(chosen: dict[str, Any], pairs: bool, revision: int) -> None:
    stages: Counter[int] = Counter()
    for seats in range(2, 4 if pairs else record.SEATS + 1):
        for race, seat in _questions(seats, {**chosen, "pairs": pairs}, seed=97 * seats):
            look(race, record.RACE).revision = revision
            assert _listed(race, seat) == _tried(race, seat)
            stages[int(look(race, record.RACE).stage)] += 1
    asked = range(record.AT_REPAIR, record.AT_ATTACK + 1)
    assert all(stages[stage] > 0 for stage in asked), stages
    assert (stages[record.AT_DRAFT] > 0) == (stages[record.AT_PLACE] > 0) == ("individual" in chosen)


def test_any_set_of_entered_spaces_is_listed() -> None:
    """Also sets that no path makes: at either end of the course, and next to each other."""
    draw = random.Random(5)
    race, seat = next(item for item in _questions(6, {}, 1) if look(item[0], record.RACE).stage == record.AT_ATTACK)
    state = look(race, record.RACE)
    for _ in range(300):
        state.entered[:] = 0
        state.entered[draw.sample(range(EDITION.spaces), draw.choice((0, 1, 2, 5, 15, EDITION.spaces)))] = 1
        state.caltrop[: EDITION.spaces] = [draw.random() < 0.1 for _ in range(EDITION.spaces)]
        state.supply = draw.choice((0, 1, 20))
        state.began = draw.randrange(EDITION.spaces)
        assert _listed(race, seat) == _tried(race, seat)
