"""Calibration of value networks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import spina
from spina.cli import main
from spina.games import get
from spina.lab.calibration import FEWEST, Task, bins, judged, measure, sample
from spina.lab.training import Chunk, play


def test_chances_are_those_that_bots_give() -> None:
    game = get("chariot-race")
    race = spina.new("chariot-race", seats=3, seed=4)
    bot = spina.bots.make("competent", game="chariot-race", seed=1)
    for _ in range(60):
        race.play(race.to_act[0], bot.choose(race, race.to_act[0]))
    features = np.zeros((3, 32))
    for seat in range(3):
        game.measure_features(race.determinized_state(0, 0), race.edition.data, seat, features[seat])
    found = judged(game, features[:, : len(game.features)])
    assert found == pytest.approx(spina.bots.chances(race), abs=1e-12)


def test_a_judge_who_is_right_lies_in_all_intervals_and_one_who_is_wrong_does_not() -> None:
    chance = np.random.default_rng(1)
    true = chance.random(40_000)
    won = (chance.random(40_000) < true).astype(float)
    right = bins(list(zip(true.tolist(), won.tolist(), strict=True)))
    assert len(right) == 10
    assert max(each.beyond for each in right) < 0.01
    wrong = bins(list(zip((0.5 + (true - 0.5) * 0.5).tolist(), won.tolist(), strict=True)))
    assert max(each.beyond for each in wrong) > 0.1
    assert sum(each.positions for each in wrong) == 40_000


def test_small_tenths_are_merged() -> None:
    pairs = [(0.05, 0.0)] * 10 + [(0.25, 1.0)] * (FEWEST - 10) + [(0.55, 0.5)] * FEWEST + [(0.95, 1.0)] * 3
    found = bins(pairs)
    assert [(each.low, each.high, each.positions) for each in found] == [(0.0, 0.3, FEWEST), (0.3, 1.0, FEWEST + 3)]


def test_each_race_gives_one_position_the_same_in_any_division() -> None:
    whole = sample(Task("charioteer", 3, 0, 6, 9, "competent"))
    parts = sample(Task("charioteer", 3, 0, 2, 9, "competent")) + sample(Task("charioteer", 3, 2, 4, 9, "competent"))
    assert whole == parts
    assert len(whole) == 6
    features, shares = play(Chunk("charioteer", 3, 0, 1, 9, "competent", 0))
    assert len(features) == len(shares) > 10
    assert any(whole[0][0] == pytest.approx(chance) for row in features for chance in judged(get("charioteer"), row))


@pytest.mark.slow
def test_the_value_networks_are_about_right() -> None:
    """A coarse check on few races, for a network that belongs to other features or another driver."""
    found = measure("charioteer", races=600, seed=3, processes=0)
    assert sum(each.positions for each in found) == 600
    assert all(each.beyond < 0.1 for each in found)


def test_the_command_prints_them_and_refuses_the_seed_of_a_proof(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    register = tmp_path / "proofs.json"
    command = ["lab", "calibration", "charioteer", "--races", "20", "--processes", "1"]
    assert main([*command, "--proof", "--register", str(register)]) == 0
    told = capsys.readouterr().out
    assert "Proof range 1" in told
    assert "judged" in told
    assert main([*command, "--proof", "--seed", "4"]) == 2
    assert "leave out --seed" in capsys.readouterr().err
