"""Drivers of Chariot Race: the arithmetic of dice is exact, and what comes of it is sensible."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import spina

EXACT = """
import itertools, random
import numpy as np
from spina.games import get
from spina.games.chariot_race import reckoning as d
from spina.games.chariot_race.state import EDITION
from spina.kernel.record import look

edition = look(get("chariot-race").reference().data, EDITION)
chance = random.Random(1)
for dice in (1, 2, 3):
    sets, levels = d.tables(dice)
    count = d.list_sets(sets, dice)
    full = [int(code) for code, size in sets[:count] if size == dice]
    final = np.zeros(d.CODES)
    for code in full:
        final[code] = chance.random()
    d.expect(edition, sets, count, dice, final, levels[1])
    faces = [int(side) for side in edition.die]

    def by_hand(kept, size):
        rolls = list(itertools.product(faces, repeat=dice - size))
        return sum(final[kept + sum(6**side for side in roll)] for roll in rolls) / len(rolls)

    for code, size in sets[:count].tolist():
        assert abs(levels[1][code] - by_hand(code, size)) < 1e-12, (code, size)
    for code in full:
        sides = [side for side in range(5) for _ in range(d.showing(code, side))]
        subsets = [s for n in range(dice + 1) for s in itertools.combinations(sides, n)]
        best = max(by_hand(sum(6**side for side in s), len(s)) for s in subsets)
        assert abs(d.best_keep(levels[1], code, True)[0] - best) < 1e-12
        turned = max(final[code - 6**a + 6**b] for a in set(sides) for b in range(4) if a != b)
        assert d.best_turn(final, code)[0] == turned
assert len({int(code) for code, size in sets[:count]}) == count
print("exact")
"""


def test_values_of_kept_dice_are_the_exact_expectation() -> None:
    """Against every roll written out, for up to three dice; the kernels run interpreted."""
    environment = {**os.environ, "SPINA_INTERPRET": "1"}
    assert subprocess.check_output([sys.executable, "-c", EXACT], env=environment, text=True) == "exact\n"


def choice(position: dict[str, object], driver: str = "competent") -> str:
    race = spina.position("chariot-race", position)
    return str(spina.bots.make(driver, game="chariot-race", seed=1).choose(race, race.to_act[0]))


def played(position: dict[str, object], driver: str = "competent") -> spina.Race:
    """The rest of the turn, as the driver drives it."""
    race = spina.position("chariot-race", position)
    bot = spina.bots.make(driver, game="chariot-race", seed=1)
    chariot = race.view(None)["chariot"]
    while not race.over and race.view(None)["chariot"] == chariot:
        race.play(race.to_act[0], bot.choose(race, race.to_act[0]))
    return race


def test_competent_changes_lane_rather_than_ruin_itself_in_the_inside_corner() -> None:
    """Six steps from the corner for 3 at speed 8 with steer dice: the outside corner costs 1, the inside one 5."""
    race = played(
        {
            "chariots": [{"space": "i5", "speed": 8, "condition": 8, "fate": 0}, {"space": "i1", "lap": -1}],
            "turn": 0,
            "dice": ["steer", "steer", "steer"],
        }
    )
    assert race.view(None)["chariots"][0]["condition"] >= 7


def test_competent_does_not_drive_into_a_stone_heap_it_can_avoid() -> None:
    for seed in range(30):
        race = spina.new("chariot-race", seats=4, seed=seed, board="BB")
        bot = spina.bots.make("competent", game="chariot-race", seed=seed)
        while not race.over:
            seat = race.to_act[0]
            steerable = race.view(None)["stage"] == "path"
            race.play(seat, bot.choose(race, seat))
            crashed = [event for event in race.told(None) if type(event).__name__ == "Crashed"]
            assert not (crashed and steerable and race.told(None)[0] == crashed[0])


def test_a_wrecking_javelin_is_thrown_first() -> None:
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
    bot = spina.bots.make("competent", game="chariot-race", seed=1)
    assert str(bot.choose(race, 0)) == "javelin at blue"
    race.play(0, "javelin at blue")
    assert str(bot.choose(race, 0)) == "javelin at white"


@pytest.mark.parametrize("rival", ["fastest", "random"])
def test_competent_beats_the_others(rival: str) -> None:
    results = spina.simulate("chariot-race", seats=4, races=60, drivers=["competent", rival] * 2, seed=4)
    won = (results["places"] == 1)[:, ::2].any(axis=1).mean()
    assert won > 0.75


def test_fastest_takes_every_plus() -> None:
    position = {
        "chariots": [{"space": "m3", "speed": 4, "fate": 0}, {"space": "o1"}],
        "turn": 0,
        "dice": ["+/-", "+/-", "sprint", "sprint", "+/-"],
    }
    race = played(position, "fastest")
    assert race.view(None)["chariots"][0]["speed"] == 4 + 3 + 4
