"""Bots that are a policy in a file: they choose as the driver with the same weights, and bad files are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import spina
from spina.bots import make
from spina.errors import OptionError
from spina.games import get

GAMES = ("charioteer", "chariot-race", "chariotmaster")


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_policy_with_the_weights_of_the_learned_driver_chooses_as_it_does(name: str) -> None:
    policy = get(name).policy
    assert policy is not None
    race = spina.new(name, seats=3, seed=11)
    bot = make(f"policy:{policy.file}", game=name, seed=1)
    driver = make("learned", game=name, seed=1)
    for _ in range(60):
        if race.over:
            break
        seat = race.to_act[0]
        action = bot.choose(race, seat)
        assert action == driver.choose(race, seat)
        race.play(seat, action)
    assert bot.name == f"policy:{policy.file}"


def test_files_that_are_no_policy_of_the_game_are_refused(tmp_path: Path) -> None:
    other = get("chariotmaster").policy
    assert other is not None
    empty, no_object = tmp_path / "empty.json", tmp_path / "list.json"
    empty.write_text("{}")
    no_object.write_text("[1]")
    for file in (tmp_path / "missing.json", empty, no_object, other.file, tmp_path):
        with pytest.raises(OptionError, match="cannot be read as a policy of Charioteer"):
            make(f"policy:{file}", game="charioteer")
