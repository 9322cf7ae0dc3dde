"""Drivers of Chariot Race: the arithmetic of dice is exact, and what comes of it is sensible."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import pytest

import spina
from spina.games import get
from spina.games.chariot_race.components.edition import parse, reference, template

EXACT = """
import itertools, random
import numpy as np
from spina.games import get
from spina.games.chariot_race.bots import dice_sets as d
from spina.games.chariot_race.rules.record import EDITION
from spina.kernel.record import look

edition = look(get("chariot-race").reference().data, EDITION)
draw = random.Random(1)
chance, odds = np.zeros(5), np.zeros(d.SETS)
d.chances(edition, chance)
d.odds_of_rolls(chance, odds)
faces = [int(side) for side in edition.die]
number = {tuple(counts): i for i, counts in enumerate(d.SHOWING.tolist())}
assert len(number) == d.SETS == 252

def numbered(sides):
    return number[tuple(sides.count(side) for side in range(5))]

for dice in (1, 2, 3):
    full = range(d.FIRST[dice], d.FIRST[dice + 1])
    hope, best, turned = np.zeros(d.SETS), np.zeros(d.SETS), np.zeros(d.SETS)
    for i in full:
        hope[i] = draw.random()
    d.look_ahead(chance, dice, hope, best)
    d.turnings(dice, hope, turned)
    buying = np.full(d.SETS, d.IMPOSSIBLE)
    d.buy(dice, best, turned, buying)

    def by_hand(kept):
        rolls = list(itertools.product(faces, repeat=dice - len(kept)))
        return sum(hope[numbered([*kept, *roll])] for roll in rolls) / len(rolls)

    rolls = list(itertools.product(faces, repeat=dice))
    for i in full:
        sides = [side for side in range(5) for _ in range(d.SHOWING[i, side])]
        parts = [part for n in range(dice + 1) for part in itertools.combinations(sides, n)]
        for part in parts:
            assert abs(hope[numbered(part)] - by_hand(part)) < 1e-12, part
        assert abs(best[i] - max(map(by_hand, parts))) < 1e-12
        bought = max(by_hand(part) for part in parts if len(part) < dice)
        others = [sides[:k] + [to] + sides[k + 1 :] for k in range(dice) for to in range(4)]
        assert abs(buying[i] - max(bought, max(hope[numbered(o)] for o in others))) < 1e-12
        assert abs(odds[i] - sum(sorted(roll) == sides for roll in rolls) / len(rolls)) < 1e-12
    mean = sum(best[numbered(roll)] for roll in rolls) / len(rolls)
    assert abs(d.before_rolling(dice, odds, best) - mean) < 1e-12
print("exact")
"""


@pytest.mark.slow
def test_values_of_kept_dice_are_the_exact_expectation() -> None:
    """Against every roll written out, for up to three dice; the kernels run interpreted."""
    environment = {**os.environ, "SPINA_INTERPRET": "1"}
    assert subprocess.check_output([sys.executable, "-c", EXACT], env=environment, text=True) == "exact\n"


WHOLE = """
import warnings
warnings.simplefilter("error")
import spina
from spina.games import get
from spina.games import get
every = [*get("chariot-race").drivers]
plain, other = {}, {"individual": True, "board": "BB", "pairs": False}
for drivers, options in ((every[:6], plain), (every[-6:], plain), (every[-2:], other)):
    found = spina.simulate("chariot-race", seats=len(drivers), races=1, drivers=drivers, seed=1, threads=1, **options)
    print(*drivers, found["places"].tolist(), found["turns"].tolist(), found["hash"].tolist())
"""


@pytest.mark.slow
def test_whole_races_of_every_driver_are_the_same_interpreted_and_compiled() -> None:
    """Also without a warning: what overflows interpreted is a number that is too narrow for what it stands for."""
    said = [
        subprocess.check_output([sys.executable, "-c", WHOLE], env={**os.environ, "SPINA_INTERPRET": value}, text=True)
        for value in ("0", "1")
    ]
    assert said[0] == said[1]
    assert said[0].startswith(" ".join([*get("chariot-race").drivers][:6]))


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


@pytest.mark.slow
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
    forgetful = spina.bots.make("headlong", game="chariot-race", seed=1)
    assert not str(forgetful.choose(race, 0)).startswith("javelin")
    race.play(0, "javelin at blue")
    assert str(bot.choose(race, 0)) == "javelin at white"


@pytest.mark.parametrize("rival", ["fastest", "random", "careful", "headlong"])
def test_competent_beats_the_others(rival: str) -> None:
    results = spina.simulate("chariot-race", seats=4, races=60, drivers=["competent", rival] * 2, seed=4)
    won = (results["places"] == 1)[:, ::2].any(axis=1).mean()
    assert won > 0.75


def test_a_headlong_driver_rams_and_never_throws_a_javelin() -> None:
    told = {name: Counter(kind for seed in range(6) for kind in kinds_of_race(name, seed)) for name in PAIR}
    assert told["headlong"]["JavelinThrown"] == 0 < told["competent"]["JavelinThrown"]
    assert told["headlong"]["Rammed"] > 3 * told["competent"]["Rammed"]


PAIR = ("headlong", "competent")


def kinds_of_race(driver: str, seed: int) -> list[str]:
    """The kinds of events of a race among four of these drivers."""
    race = spina.new("chariot-race", seats=4, seed=seed)
    bots = [spina.bots.make(driver, game="chariot-race", seed=4 * seed + seat) for seat in range(4)]
    told = []
    while not race.over:
        seat = race.to_act[0]
        told += [type(event).__name__ for event in race.play(seat, bots[seat].choose(race, seat))]
    return told


@pytest.mark.slow
def test_keen_is_a_little_better_than_competent() -> None:
    results = spina.simulate("chariot-race", seats=4, races=2000, drivers=["keen", "competent"] * 2, seed=4)
    won = (results["places"] == 1)[:, ::2].any(axis=1).mean()
    assert won > 0.51


def test_fastest_takes_every_plus() -> None:
    position = {
        "chariots": [{"space": "m3", "speed": 4, "fate": 0}, {"space": "o1"}],
        "turn": 0,
        "dice": ["+/-", "+/-", "sprint", "sprint", "+/-"],
    }
    race = played(position, "fastest")
    assert race.view(None)["chariots"][0]["speed"] == 4 + 3 + 4


def test_fastest_beats_random() -> None:
    """It may be reckless, but it knows where the finish is."""
    results = spina.simulate("chariot-race", seats=4, races=200, drivers=["fastest", "random"] * 2, seed=8)
    won = (results["places"] == 1)[:, ::2].any(axis=1).mean()
    assert won > 0.62


def test_competent_gets_along_with_a_course_that_nobody_has_solved() -> None:
    text = template().replace("length 10, spaces 10 10 10", "length 11, spaces 11 11 11")
    edition = parse(text, "longer.toml")
    assert edition.spaces > reference().spaces
    drivers = ["competent", "random"] * 2
    results = spina.simulate("chariot-race", seats=4, races=60, drivers=drivers, seed=4, edition=edition)
    assert (results["places"] == 1)[:, ::2].any(axis=1).mean() > 0.75


@pytest.mark.parametrize("board", ["AA", "AB", "BA", "BB"])
def test_competent_finishes_on_every_board_and_with_individual_chariots(board: str) -> None:
    results = spina.simulate(
        "chariot-race", seats=6, races=40, drivers="competent", seed=2, board=board, individual=True
    )
    assert (results["places"] == 1).any(axis=1).all()
    assert results["turns"].mean() < 9.5
