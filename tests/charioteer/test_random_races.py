"""Ten thousand random races: they end, nothing is lost or made up, and they replay to the same state."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import spina
from spina.games import get
from spina.games.charioteer.rules import entries
from spina.games.charioteer.rules.record import EDITION, HAND, NOTHING, RACE, READY, SEATS
from spina.kernel import random
from spina.kernel.compiler import INTERPRETED, prepare
from spina.kernel.digest import digest
from spina.kernel.function_pointers import addresses
from spina.kernel.interface import RULES_SIGNATURES, unpack_rules
from spina.kernel.narration import silence
from spina.kernel.record import blank

RACES = 2_000 if not INTERPRETED else 2
"""For each number of seats: 10,000 in all."""
LONGEST = 20_000

FINE, LOST_CARD, LOST_TOKEN, BAD_LANES, BAD_CUBES, BAD_SKILLS, NO_END, OTHER_REPLAY, DEAD_END = range(9)

if INTERPRETED:

    def compiled(function):  # type: ignore[no-untyped-def]
        return function
else:
    from numba import njit as compiled

    prepare()

random_step, nth_seed, seed_dice = entries.random_step, random.nth_seed, random.seed_dice


@compiled
def cards_conserved(race, edition, seen):  # type: ignore[no-untyped-def]
    """Every card is in exactly one place."""
    seen[:] = 0
    for i in range(race.deck_left):
        seen[race.deck[i]] += 1
    for i in range(race.pile):
        seen[race.discards[i]] += 1
    for slot in range(3):
        seen[race.crowd[slot]] += 1
    for seat in range(race.seats):
        for slot in range(HAND):
            if race.hand[seat, slot] != NOTHING:
                seen[race.hand[seat, slot]] += 1
    for card in range(edition.cards):
        if seen[card] != 1:
            return False
    return True


@compiled
def tokens_conserved(race, edition):  # type: ignore[no-untyped-def]
    """Fan tokens are in the bag, spent, or held; player tokens are never more than at the start."""
    for kind in range(edition.kinds):
        held = 0
        for seat in range(race.seats):
            if race.tokens[seat, kind] < 0:
                return False
            held += race.tokens[seat, kind]
        if race.bag[kind] < 0 or race.spent[kind] < 0:
            return False
        if edition.kind_fan[kind]:
            if held + race.bag[kind] + race.spent[kind] != edition.fan_tokens[kind]:
                return False
        elif held > race.seats * edition.player_tokens[kind]:
            return False
    return True


@compiled
def lanes_closed(race, edition):  # type: ignore[no-untyped-def]
    """The chariots in one space stand in lanes 0, 1, 2 … without gaps."""
    for seat in range(race.seats):
        inside = 0
        for rival in range(race.seats):
            same = (race.progress[rival] - race.progress[seat]) % edition.spaces == 0
            if rival != seat and same:
                if race.lane[rival] == race.lane[seat]:
                    return False
                if race.lane[rival] < race.lane[seat]:
                    inside += 1
        if inside != race.lane[seat]:
            return False
    return True


@compiled
def fault(race, edition, seen):  # type: ignore[no-untyped-def]
    """Which invariant is broken, if any."""
    if not cards_conserved(race, edition, seen):
        return LOST_CARD
    if not tokens_conserved(race, edition):
        return LOST_TOKEN
    if not lanes_closed(race, edition):
        return BAD_LANES
    for seat in range(race.seats):
        if race.damage[seat] < 0 or race.attack[seat] < 0 or race.attack[seat] > edition.attack_boxes:
            return BAD_CUBES
        if race.stage[seat] != READY and race.options[seat] == 0:
            return DEAD_END
        for colour in range(4):
            place = race.skill[seat, colour]
            if place < 0 or place >= edition.skill_spaces + edition.bonus_places:
                return BAD_SKILLS
            for other in range(colour):
                if place >= edition.skill_spaces and race.skill[seat, other] == place:
                    return BAD_SKILLS
    return FINE


@compiled
def race_and_replay(rules, data, edition_bytes, options, seed, record, seen):  # type: ignore[no-untyped-def]
    """Play one random race, looking at every turn; then play it again from its record."""
    race, edition = data.view(RACE)[0], edition_bytes.view(EDITION)[0]
    chance, dice = np.zeros(4, np.uint64), np.zeros(4, np.uint64)
    seed_dice(chance, seed)
    seed_dice(dice, seed ^ np.uint64(77))
    nobody = silence()
    rules.set_up(data, edition_bytes, options, chance)
    seats = np.int64(race.seats)
    count = 0
    while not race.over:
        for seat in range(seats):
            ready = race.over or race.stage[seat] == READY
            while not ready:
                if count == LONGEST:
                    return NO_END
                record[count] = random_step(race, seat, dice)
                ready = rules.apply(data, edition_bytes, seat, record[count], nobody) != 0
                count += 1
        found = fault(race, edition, seen)
        if found != FINE:
            return found
    after = digest(data)
    rules.set_up(data, edition_bytes, options, chance)
    step = 0
    while step < count:
        for seat in range(seats):
            ready = race.over or race.stage[seat] == READY
            while not ready:
                ready = rules.apply(data, edition_bytes, seat, record[step], nobody) != 0
                step += 1
    return FINE if digest(data) == after and race.over else OTHER_REPLAY


@compiled
def race_many(rules_addresses, data, edition_bytes, options, seed, races, faults):  # type: ignore[no-untyped-def]
    rules = unpack_rules(rules_addresses)
    record = np.zeros(LONGEST, np.int64)
    seen = np.zeros(512, np.int64)
    for i in range(races):
        faults[i] = race_and_replay(rules, data, edition_bytes, options, nth_seed(seed, i), record, seen)


@pytest.mark.slow
@pytest.mark.parametrize("seats", range(2, SEATS + 1))
def test_random_races_end_conserve_everything_and_replay(seats: int) -> None:
    game = get("charioteer")
    edition = game.reference()
    options = game.encode_options(seats, game.check_options(seats, {}, edition), edition)
    faults = np.full(RACES, -1, np.int64)
    rules = addresses(game.rules, RULES_SIGNATURES)  # as they are compiled for everybody
    race_many(rules, blank(RACE), edition.data, options, np.uint64(seats), RACES, faults)
    assert not faults.any(), f"race {int(faults.argmax())} of {seats} seats breaks invariant {int(faults.max())}"


HASHES = """
import spina
for seats in range(2, 7):
    for drivers in ("random", "competent", "longest"):
        races = {"random": 4, "competent": 1, "longest": 1}[drivers]
        print(*spina.simulate("charioteer", seats=seats, races=races, drivers=drivers, seed=40 + seats)["hash"])
"""


@pytest.mark.slow
def test_compiled_and_interpreted_races_are_the_same() -> None:
    """The same source, run both ways, ends in the same states."""

    def hashes(interpret: str) -> str:
        environment = {**os.environ, "SPINA_INTERPRET": interpret}
        run = subprocess.run(
            [sys.executable, "-c", HASHES], env=environment, capture_output=True, text=True, check=True
        )
        return run.stdout

    compiled_hashes = hashes("0")
    assert len(compiled_hashes.split()) == 5 * 6
    assert hashes("1") == compiled_hashes


def test_random_races_differ() -> None:
    assert len(set(spina.simulate("charioteer", races=500, seed=3)["hash"].tolist())) == 500
