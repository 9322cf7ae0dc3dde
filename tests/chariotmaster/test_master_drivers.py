"""Drivers adapt to their team."""

from __future__ import annotations

import pytest

import spina
from spina.games.chariotmaster.play.events import Changed

GOAL = 3759
"""Millimetres of two laps of the Circus."""
LATE = 300
"""Millimetres before the finish from which stamina is worth nothing any more."""


def alone(driver: str, design: str, seed: int) -> tuple[spina.Race, int]:
    """A race of one chariot, and how often it was spurred or whipped before the last 30 cm."""
    race = spina.new("chariotmaster", seats=1, seed=seed, fantasy=True, points=2, designs=[design])
    bot = spina.bots.make(driver, game="chariotmaster", seed=seed)
    early = 0
    while not race.over:
        togo = GOAL - race.view(None)["chariots"][0]["progress"]
        events = race.play(0, bot.choose(race, 0))
        early += togo > LATE and any(isinstance(event, Changed) and event.mm > 0 for event in events)
    return race, early


@pytest.mark.parametrize("driver", ["competent", "bold", "daring"])
def test_boars_are_spurred_and_whipped_all_the_way(driver: str) -> None:
    race, early = alone(driver, "tusker", 5)
    assert early >= 5
    assert race.view(None)["chariots"][0]["stamina"] <= 10


def test_a_headlong_driver_spurs_where_a_competent_one_waits() -> None:
    spurs = {name: sum(alone(name, "tusker", seed)[1] for seed in range(5)) for name in ("headlong", "competent")}
    ordinary = {name: sum(plain(name, seed) for seed in range(5)) for name in ("headlong", "competent")}
    assert spurs["headlong"] >= spurs["competent"]
    assert ordinary["headlong"] > 1.5 * ordinary["competent"]


def plain(driver: str, seed: int) -> int:
    """How often a chariot with horses is spurred or whipped in a race of its own."""
    race = spina.new("chariotmaster", seats=1, seed=seed)
    bot = spina.bots.make(driver, game="chariotmaster", seed=seed)
    spurs = 0
    while not race.over:
        events = race.play(0, bot.choose(race, 0))
        spurs += any(isinstance(event, Changed) and event.mm > 0 for event in events)
    return spurs


def test_a_cautious_driver_never_spurs_boars() -> None:
    assert alone("cautious", "tusker", 5)[1] == 0
