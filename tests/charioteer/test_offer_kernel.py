"""Offers and explanations of the kernel against the slow way, which takes legal steps one by one on copies."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys

import msgspec
import numpy as np
import pytest
from charioteer_offer_oracle import slow_explain, slow_offer
from charioteer_positions import LAPS, choose, edition_with, scatter_chariots, scatter_hands

import spina
from spina.games import get
from spina.games.charioteer.components.edition import CharioteerEdition
from spina.games.charioteer.play.actions import Choice, gather, step
from spina.games.charioteer.play.explanation import Breakdown, explain, tried
from spina.games.charioteer.play.offer import Offer, offer
from spina.games.charioteer.rules import entries
from spina.games.charioteer.rules import record as r
from spina.games.charioteer.rules.offer_kernel import LONGEST_OFFER, list_offer
from spina.games.charioteer.rules.record import EDITION, RACE
from spina.kernel import compiler
from spina.kernel.narration import new_story
from spina.kernel.random import new_dice
from spina.kernel.record import Bytes, blank, look

POSITIONS = 150 if not compiler.INTERPRETED else 8
TURNS = 40 if not compiler.INTERPRETED else 2


def assert_equal_offers(race: Bytes, edition: CharioteerEdition, seat: int) -> Offer:
    """Both ways offer the same, in the same order, and neither changes the race."""
    before = race.copy()
    found, slow = offer(race, edition, seat), slow_offer(race, edition, seat)
    assert (race == before).all()
    assert found == slow
    assert msgspec.json.encode(found) == msgspec.json.encode(slow)
    return found


def scattered(number: int, edition: CharioteerEdition, seats: int) -> tuple[Bytes, random.Random]:
    """A position made at random: chariots, skills, crowd card, tokens, hands, bag."""
    chance, data, components = random.Random(number), blank(RACE), look(edition.data, EDITION)
    entries.set_up(data, edition.data, np.array([seats], np.int64), new_dice(number))
    race = look(data, RACE)
    scatter_chariots(race, components, chance)
    scatter_hands(race, components, chance)
    race.crowd[0] = chance.randrange(components.cards)
    race.die = chance.randrange(len(r.FACE_NAMES))
    for seat in range(seats):
        race.attack[seat] = chance.choice([0, 0, 2])
        race.skill[seat, 0] = chance.randrange(components.skill_spaces + 1)
    if chance.random() < 0.2:
        race.bag[:] = 0
    entries.adopt(data, edition.data)
    return data, chance


@pytest.mark.slow
@pytest.mark.parametrize("lap", LAPS)
@pytest.mark.parametrize("seats", range(2, r.SEATS + 1))
def test_the_kernel_offers_what_legal_steps_lead_to(lap: str, seats: int) -> None:
    edition = edition_with(lap)
    seen = {"wild": 0, "only with a token": 0, "free": 0, "crowd": 0, "discards": 0, "passes": 0}
    for number in range(POSITIONS):
        data, _ = scattered(number, edition, seats)
        found = assert_equal_offers(data, edition, number % seats)
        moves = found.moves
        seen["wild"] += any(move.wild is not None for move in moves)
        seen["only with a token"] += any(not move.sets for move in moves)
        seen["free"] += any(move.free for move in moves)
        seen["crowd"] += any(cards.endswith("+") for move in moves for cards in move.sets)
        seen["discards"] += bool(found.discards)
        seen["passes"] += any(move.best is not None and bool(move.best.passes) for move in moves)
    assert compiler.INTERPRETED or min(seen.values()) > 0, seen  # the cases are worth something


@pytest.mark.slow
@pytest.mark.parametrize("seats", range(2, r.SEATS + 1))
@pytest.mark.parametrize("driver", ["competent", "longest", "random"])
def test_every_offer_of_a_race_is_what_legal_steps_lead_to(driver: str, seats: int) -> None:
    race = spina.new("charioteer", seats=seats, seed=seats)
    assert isinstance(race.edition, CharioteerEdition)
    bots = [spina.bots.make(driver, game="charioteer", seed=seat) for seat in range(seats)]
    for turn in range(1, TURNS):
        for seat in range(seats):
            while race.turn == turn and seat in race.to_act:
                # Other seats may have chosen already, and a random driver makes its own choice step by step.
                assert_equal_offers(race._bytes, race.edition, seat)
                race.play(seat, bots[seat].choose(race, seat))


@pytest.mark.slow
@pytest.mark.parametrize("lap", LAPS)
def test_the_kernel_explains_a_choice_as_its_events_do(lap: str) -> None:
    edition = edition_with(lap)
    chosen = dict.fromkeys(Choice.__struct_fields__, 0)
    told = dict.fromkeys(Breakdown.__struct_fields__, 0)
    for number in range(2 * POSITIONS):
        data, chance = scattered(number, edition, 2 + number % 5)
        seat = chance.randrange(2)
        steps = choose(data.copy(), edition.data, seat, chance)
        choice = gather(edition, [step(edition, code) for code in steps])
        found = tried(data, edition, seat, choice)
        assert found.whole and found.steps == steps
        explained = explain(data, edition, seat, choice)
        assert explained == slow_explain(data, edition, seat, choice)
        for field in chosen:
            chosen[field] += bool(getattr(choice, field))
        for field in told:
            told[field] += bool(getattr(explained, field))
    assert compiler.INTERPRETED or min(*chosen.values(), *told.values()) > 0, (chosen, told)


def test_an_offer_has_room_for_every_hand() -> None:
    """Eight cards that show every symbol, and a crowd card that does, too, make the most card sets."""
    edition = get("charioteer").reference()
    data, components = blank(RACE), edition.data.copy()
    record = look(components, EDITION)
    record.shows[:] = 1
    record.symbols_on[:] = (1 << r.SYMBOLS) - 1
    record.spread[:] = sum(1 << (r.HAND * symbol) for symbol in range(r.SYMBOLS // r.SPREAD))
    entries.set_up(data, edition.data, np.array([2], np.int64), new_dice(1))
    components.flags.writeable = False
    entries.adopt(data, components)
    out = np.full(LONGEST_OFFER + 64, -7, np.int64)
    count = list_offer(data, components, 0, data.copy(), new_story(400), out)
    assert count < LONGEST_OFFER
    assert (out[count:] == -7).all()
    assert count > r.SYMBOLS * 176  # 28 + 56 sets without the crowd card, 8 + 28 + 56 with it


OFFERS = """
import json, sys, msgspec, spina
race = spina.new("charioteer", seats=4, seed=5)
bot = spina.bots.make("competent", game="charioteer", seed=1)
told = []
for _ in range(24):
    seat = race.to_act[0]
    choice = bot.choose(race, seat)
    told.append([race.offer(seat), race.explain(seat, choice), race.views([None, 0, 1, 2, 3])])
    race.play(seat, str(choice))
print(msgspec.json.encode(told).decode())
"""


@pytest.mark.slow
@pytest.mark.skipif(compiler.INTERPRETED, reason="one tier only when interpreting")
def test_offers_are_the_same_in_both_tiers() -> None:
    get("charioteer")  # so that it is in the cache
    told = []
    for tier in ({"SPINA_INTERPRET": "1"}, {"SPINA_COMPILE": "wait"}):
        done = subprocess.run(
            [sys.executable, "-c", OFFERS],
            env={**os.environ, **tier},
            capture_output=True,
            text=True,
            check=True,
            timeout=240,
        )
        told.append(json.loads(done.stdout))
    assert len(told[0]) == 24
    assert told[0] == told[1]
