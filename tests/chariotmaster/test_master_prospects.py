"""Offers and views that are made in few calls equal those made step by step."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from chariotmaster_offer_oracle import DRIVING, menu_of, slow_answer, slow_offer, slow_submoves

import spina
from spina import Race
from spina.games.chariotmaster.rules import prospects, record
from spina.kernel.record import look

FANTASY = {"points": 4, "fantasy": True}
SETUPS: list[dict[str, Any]] = [
    {"seats": 1},
    {"seats": 2, "chariots": 3, **FANTASY},
    {"seats": 3, "scenario": "trial"},
    {"seats": 4, "laps": 1},
    {"seats": 6, **FANTASY},
    {"seats": 8},
    {"seats": 12},
]


def positions(setup: dict[str, Any], seed: int, count: int, share: float) -> Iterator[tuple[Race, int]]:
    """Some questions of races in which a share of the choices is random and the rest competent."""
    lot = random.Random(seed)
    left = count
    while left:
        race = spina.new("chariotmaster", seed=lot.randrange(10**6), **setup)
        bot = spina.bots.make("competent", game="chariotmaster", seed=seed)
        while not race.over and left:
            seat = lot.choice(race.to_act)
            if lot.random() < 0.3:
                left -= 1
                yield race, seat
            wild = lot.random() < share
            race.play(seat, lot.choice(race.legal(seat)) if wild else bot.choose(race, seat))


def check(race: Race, seat: int) -> str:
    """Compare the offer with the slow one; returns the question."""
    before = race.hash()
    offer = race.offer(seat)
    assert race.hash() == before
    if offer.question != "speed tokens":
        wanted = slow_offer(race, seat)
        assert {name: offer[name] for name in wanted} == wanted
        assert offer.question not in DRIVING or set(offer) == set(wanted)
        for attack in offer.get("attacks", ()):
            priced = slow_answer(race, seat, attack.action)
            assert {name: attack[name] for name in priced} == priced
    return offer.question


@pytest.mark.slow
@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: " ".join(map(str, setup.values())))
@pytest.mark.parametrize("share", [0.1, 1.0], ids=["competent", "random"])
def test_an_offer_equals_the_one_made_step_by_step(setup: dict[str, Any], share: float) -> None:
    questions = {check(race, seat) for race, seat in positions(setup, 3, 120, share)}
    assert {"speed tokens", "drive"} <= questions


@pytest.mark.slow
def test_a_menu_has_every_sub_move_that_can_be_checked_one_by_one() -> None:
    compared = 0
    for setup in SETUPS:
        for race, seat in positions(setup, 5, 12, 0.5):
            state = look(race._bytes, record.RACE)
            driving = record.ASK_NAMES[state.ask] in DRIVING
            listed = [code for code in menu_of(race, seat) if code >= record.DO_SUBMOVE]
            if not driving or not listed:
                continue
            ways = [int(state.ask_about)] if state.ask == record.ASK_SWEEP else range(record.WAYS)
            assert listed == [code for way in ways for code in slow_submoves(race, seat, way)][: len(listed)]
            compared += 1
    assert compared > 20


INTERPRETED = """
import json, sys
sys.path.insert(0, sys.argv[1])
import msgspec
from test_master_prospects import SETUPS, check, positions
found = []
for setup in SETUPS[3:6]:
    for race, seat in positions(setup, 8, 6, 0.3):
        check(race, seat)
        found.append([race.hash(), msgspec.json.encode(race.offer(seat)).decode()])
print(json.dumps(found))
"""


@pytest.mark.slow
def test_interpreted_offers_equal_compiled_ones() -> None:
    run = subprocess.run(
        [sys.executable, "-c", INTERPRETED, str(Path(__file__).parent)],
        env=os.environ | {"SPINA_INTERPRET": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    made = [
        [race.hash(), msgspec.json.encode(race.offer(seat)).decode()]
        for setup in SETUPS[3:6]
        for race, seat in positions(setup, 8, 6, 0.3)
    ]
    assert json.loads(run.stdout) == made


def test_a_survey_leaves_the_chariot_where_it_stands() -> None:
    for race, seat in positions({"seats": 8}, 2, 20, 0.3):
        data = race._bytes.copy()
        prospects.survey(data, race.edition.data, seat, np.zeros(prospects.SURVEY, np.int64))
        assert (data == race._bytes).all()


def test_each_viewer_sees_its_own_tokens_in_the_mug_and_no_others() -> None:
    race = spina.new("chariotmaster", seats=3, chariots=2, seed=1)
    race.play(0, "tokens 0 5")
    race.play(1, "token 10")
    tokens = {
        viewer: [chariot.token for chariot in view.chariots]
        for viewer, view in zip((None, 0, 1, 2), race.views([None, 0, 1, 2]), strict=True)
    }
    none = [None] * 6
    assert tokens == {
        None: none,
        0: ["0", None, None, "5", None, None],
        1: [None, "10", None, None, None, None],
        2: none,
    }
    assert race.views([1, 0]) == [race.view(1), race.view(0)]
