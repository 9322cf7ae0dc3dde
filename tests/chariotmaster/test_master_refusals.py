"""Refusals are true: lengths and angles that a refusal calls free are possible, and longer ones are not."""

from __future__ import annotations

import random
import re

import pytest
from random_tracks import CHICANE

import spina
from spina.games.chariotmaster.components.edition import parse

WAYS = ("ahead", "left", "right")
POINTS = ("centre", "front left", "front right", "rear left", "rear right")


class Refused:
    """A refused sub-move, and the other refused ones of its kind."""

    def __init__(self, race: spina.Race, seat: int, way: str, mm: int, pivot: str) -> None:
        self.race, self.seat, self.way, self.mm, self.pivot = race, seat, way, mm, pivot
        self.said = self.ask(f"{way} {mm}{pivot}")

    def ask(self, line: str) -> str:
        said = self.race.check(self.seat, line) or ""
        assert not said or f'"{line}" is not possible now: ' in said, said
        return said

    def number(self, before: str, after: str) -> int | None:
        found = re.search(rf"{before}([0-9]+){after}", self.said)
        return int(found[1]) if found else None

    def longest(self) -> int | None:
        """The longest possible sub-move to this side that is shorter than the refused one."""
        return next((mm for mm in range(self.mm - 1, 9, -1) if not self.ask(f"{self.way} {mm}")), None)

    def reason(self) -> str:
        """Check that the reason is true; returns its kind."""
        free = self.number("in the way: ", r" mm are free \(")
        if free is not None:
            assert free == self.longest(), self.said
            return "length"
        if "less than a sub-move needs" in self.said or "no shorter sub-move" in self.said:
            assert self.longest() is None, self.said
            return "nothing"
        turn = self.number("pivot: ", " degrees are free")
        if turn is not None:
            wider, narrower = (re.sub("pivot [0-9]+", f"pivot {turn + n}", self.pivot) for n in (1, 0))
            assert turn == 0 or not self.ask(f"{self.way} {self.mm}{narrower}"), self.said
            assert "in the way of the pivot" in self.ask(f"{self.way} {self.mm}{wider}"), self.said
            return "turn"
        left = self.number("may still go: ", " mm are left")
        if left is not None:
            assert left < self.mm
            assert "still go" in self.ask(f"{self.way} {max(left + 1, 10)}")
            assert left < 10 or "still go" not in self.ask(f"{self.way} {left}")
            return "left"
        sharpest = self.number("lets it pivot: at most ", " degrees")
        if sharpest is not None:
            assert "lets it pivot" in self.ask(f"{self.way} {self.mm}, pivot {sharpest + 1} left")
            assert "lets it pivot" not in self.ask(f"{self.way} {self.mm}, pivot {sharpest} left")
            return "sharp"
        return "other" if self.said else "possible"


def try_submoves(race: spina.Race, chance: random.Random, count: int) -> list[str]:
    seat = race.to_act[0]
    found = []
    for _ in range(count):
        mm = chance.choice([chance.randint(10, 80), chance.randint(10, 260), chance.randint(10, 511)])
        degrees, side = chance.randint(1, 45), chance.choice(["left", "right"])
        about = chance.choice(POINTS)
        pivot = f", pivot {degrees} {side}" + (f" about {about}" if about != "centre" else "")
        found.append(Refused(race, seat, chance.choice(WAYS), mm, chance.choice(["", pivot])).reason())
    return found


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["circus", "trial"])
def test_refusals_of_random_races_are_true(scenario: str) -> None:
    chance, found = random.Random(3), []
    for seed in range(3):
        race = spina.new("chariotmaster", seats=6, seed=seed, scenario=scenario)
        bot = spina.bots.make("random", game="chariotmaster", seed=seed)
        for _ in range(70):
            if race.over:
                break
            if race.view(None)["question"] in ("drive", "sub-move"):
                found += try_submoves(race, chance, 6)
            race.play(race.to_act[0], bot.choose(race, race.to_act[0]))
    assert {"length", "nothing", "turn", "left", "sharp", "possible"} <= {*found}


@pytest.mark.slow
def test_refusals_between_the_walls_of_a_chicane_are_true() -> None:
    chance, found, edition = random.Random(4), [], parse(CHICANE, "chicane.toml")
    for _ in range(30):
        here = {"progress": chance.randint(0, 400), "offset": chance.randint(-4, 4), "heading": chance.randint(-9, 9)}
        data = {"chariots": [{**here, "token": "10"}], "active": 0, "driving": {"change": chance.randint(0, 120)}}
        try:
            race = spina.position("chariotmaster", data, edition=edition)
        except spina.PositionError:  # it would stand in a wall
            continue
        found += try_submoves(race, chance, 8)
    assert {"length", "nothing", "left", "possible"} <= {*found}


def test_a_run_that_is_too_long_or_too_short_is_refused_for_that() -> None:
    race = spina.position("chariotmaster", {"chariots": [{"progress": 100}], "active": 0})
    assert "that is further than it may still go: 100 mm are left" in (race.check(0, "run ahead 101") or "")
    assert "a sub-move is at least 10 mm long" in (race.check(0, "run ahead 9") or "")
    assert "there is nothing low to run through" in (race.check(0, "run ahead 100") or "")
