"""Drivers adapt to their team."""

from __future__ import annotations

import statistics

import pytest

import spina
from spina.games.chariotmaster.play.events import Changed, Collided, OutOf

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


@pytest.mark.slow
def test_a_headlong_driver_spurs_early_and_runs_into_things() -> None:
    """Both spend all stamina in the end; the competent one keeps some for the second lap."""
    early, hits = {}, {}
    for name in ("headlong", "competent"):
        spurred, hits[name] = [], 0
        for seed in range(4):
            race = spina.new("chariotmaster", seats=4, seed=seed)
            bots = [spina.bots.make(name, game="chariotmaster", seed=4 * seed + seat) for seat in range(4)]
            while not race.over:
                seat = race.to_act[0]
                progress = race.view(None)["chariots"][seat]["progress"]
                events = race.play(seat, bots[seat].choose(race, seat))
                spurred += [progress for event in events if isinstance(event, Changed) and event.mm > 0]
                hits[name] += sum(isinstance(event, OutOf | Collided) for event in events)
        early[name] = statistics.median(spurred)
    assert early["headlong"] < 0.9 * early["competent"]
    assert hits["headlong"] > 2 * hits["competent"]


def test_a_cautious_driver_never_spurs_boars() -> None:
    assert alone("cautious", "tusker", 5)[1] == 0
