"""The chances to win that pages are shown: they change when choices are revealed, and not before."""

from __future__ import annotations

import random

import pytest

import spina
from spina.table.bots.win_chances import WinChances, public_chances


@pytest.mark.parametrize("game", ["charioteer", "chariot-race", "chariotmaster"])
def test_chances_that_are_kept_are_those_of_the_race(game: str) -> None:
    """They are kept until choices are revealed: no turn begins and no race ends before that."""
    chance = random.Random(3)
    race, kept = spina.new(game, seats=3, seed=11), WinChances()
    at_beginning, turn = public_chances(race), (race.turn, race.over)
    for number in range(150):
        seat = chance.choice(race.to_act)
        if number % 2:
            race = race.copy()  # as a room does for each choice
        race.play(seat, chance.choice(race.legal(seat)))
        if (race.turn, race.over) != turn:
            at_beginning, turn = public_chances(race), (race.turn, race.over)
        assert kept.of(race) == kept.of(race) == at_beginning
        if race.over:
            break
    assert race.turn > 1
