"""Driving styles: what drivers do differently in the same races."""

from __future__ import annotations

import numpy as np
import pytest

from spina.cli import main
from spina.errors import OptionError
from spina.games import get, names
from spina.games.charioteer.rules.record import COLOUR_NAMES
from spina.lab import styles

DRIVERS = ("competent", "random")


@pytest.mark.parametrize("game", names())
def test_every_trait_has_its_columns_and_tells_drivers_apart(game: str) -> None:
    facts = styles.study(styles.task(game, 12, 1, drivers=DRIVERS, seats=4), processes=0)
    found = styles.rows(game, facts, DRIVERS)
    assert [row.trait for row in found] == list(get(game).lab.traits)
    won = styles.wins(facts, DRIVERS)
    assert won["competent"].value > 0.3 > 0.2 > won["random"].value
    text = styles.lines(found, won)
    assert len(text) == 2 + len(found)
    assert sum(line.startswith("*") for line in text) >= 3


def test_parts_of_charioteers_moves_add_up() -> None:
    facts = styles.study(styles.task("charioteer", 20, 3, drivers=DRIVERS, seats=4), processes=0)
    table = facts.chariots
    coloured = sum(table[f"moves_{colour}"] for colour in COLOUR_NAMES)
    assert (coloured <= table["moves"]).all() and coloured.sum() > 0.8 * table["moves"].sum()
    assert (table["cards"] >= coloured).all() and (table["cards"] <= 3 * coloured).all()
    assert (table["tokens"] <= coloured).all() and (table["with_crowd"] <= coloured).all()
    assert (table["first_cards"] <= 3).all() and (table["first_points"] <= table["points"]).all()
    assert (table["corner_steps"] <= table["steps"]).all() and (table["lanes"] <= 3 * table["steps"]).all()
    assert (table["corner_spaces"] >= table["corner_steps"]).all()  # a step gains a space, or skips one in the corner
    races = facts.races
    for what in ("corner_steps", "corner_spaces"):
        assert facts.by_race(table[what]).sum() == (races[f"{what}_black"] + races[f"{what}_other"]).sum()
    assert not table["whipped_spaces"][table["whips"] == 0].any() and table["whipped_spaces"].any()


def test_columns_of_chariot_race_and_chariotmaster_add_up() -> None:
    table = styles.study(styles.task("chariot-race", 20, 3, drivers=DRIVERS, seats=4), processes=0).chariots
    assert (table["javelins"] + table["caltrops"] == table["attacks"]).all()
    assert (table["inside"] <= table["spaces"]).all() and (table["lane_changes"] <= table["spaces"]).all()
    assert (table["slower"] <= table["turns"]).all() and (table["hot_corners"] <= table["damage_corners"]).all()
    table = styles.study(styles.task("chariotmaster", 4, 3, drivers=DRIVERS, seats=4), processes=0).chariots
    tokens = sum(table[f"with_{token}"] for token in ("0", "5", "10"))
    assert (tokens == table["turns"]).all() and (table["failed"] <= table["tests"]).all()
    assert (table["sweeps"] <= table["submoves"]).all()
    assert (table["rams_made"] + table["whips_made"] <= table["attacks"]).all()
    assert not np.any(table["finished"] & table["eliminated"])


def test_what_cannot_be_compared_is_refused_with_the_reason() -> None:
    with pytest.raises(OptionError, match="3 drivers have no room in 2 seats"):
        styles.task("charioteer", 10, 1, drivers=("random", "longest", "competent"), seats=2)
    with pytest.raises(OptionError, match="2 to 6 seats, not 9"):
        styles.task("charioteer", 10, 1, drivers=DRIVERS, seats=9)
    with pytest.raises(OptionError, match='no driver "swift"'):
        styles.task("charioteer", 10, 1, drivers=("swift",))


def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["lab", "styles", "charioteer", "--drivers", "competent,random", "--races", "40", "--processes", "1"]
    assert main(asked) == 0
    shown = capsys.readouterr().out
    assert "driving styles in 40 races with 4 seats" in shown and "random that win" in shown
