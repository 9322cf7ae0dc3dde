"""A game that tells the lab nothing: studies work with what all games have. And playing loads no lab."""

from __future__ import annotations

import subprocess
import sys

import pytest

from spina.errors import OptionError
from spina.games import find, get, names
from spina.games.studies.profile import LabProfile
from spina.lab import balance, claims, claims_report, knobs, measure_names, setups, tuning
from spina.lab.fact_collection import gather

NAME = "charioteer"


@pytest.fixture(autouse=True)
def silent_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Charioteer without its lab folder."""
    monkeypatch.setattr(get(NAME), "lab", LabProfile())


def test_balance_groups_by_seat_and_tells_lengths_and_leads() -> None:
    (task,) = balance.tasks(NAME, 40, 1, seats=balance.default_seats(NAME))
    assert (task.label, task.drivers) == ("field 4", ("competent",))
    facts = gather(task)
    (group,) = balance.groups(NAME, facts)
    assert group.title == "Seat and colour"
    assert [share.fair for share in group.shares] == [0.25] * 4
    assert facts.chariots["won"].sum() == pytest.approx(40)
    assert 0.3 < facts.races["winner_led_3"].mean() <= 1
    assert "half time" in balance.headlines(NAME, facts, [group])[-1]
    titles = [section.title for section in balance.sections(NAME, facts, [group])]
    assert titles == ["How long races are", "What decides them", "Seat and colour"]


def test_progress_by_default_is_the_share_of_the_race_that_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """It orders chariots like the game's own progress, but for those level in a space."""
    task = setups.make(NAME, "field 3", 12, 4)
    silent = gather(task)
    monkeypatch.undo()
    telling = gather(task)
    assert "first_bonus" in telling.races and "first_bonus" not in silent.races
    assert silent.chariots["won"].tolist() == telling.chariots["won"].tolist()
    assert abs(silent.races["lead_changes"] - telling.races["lead_changes"]).max() <= 4
    assert (silent.races["margin"] <= 100).all()


def test_there_are_no_claims() -> None:
    findings, facts = claims.study([NAME], seed=1)
    assert (findings, facts) == ([], {})
    assert claims_report.headlines(findings) == ["There are no claims to measure."]
    assert claims_report.sections(findings) == []


def test_shared_measures_and_single_numbers_can_be_tuned() -> None:
    assert measure_names.names(NAME)[:5] == ["turns", "seat-share", "lead-changes", "led-half", "led-last"]
    assert tuning.read_target(NAME, "longest-wins@3<=30%").measure.label == "longest 3"
    assert tuning.read_target(NAME, "turns=20..26").measure.label == "field 4"
    assert knobs.read_range(NAME, "race.hand=7..9").values == (7, 8, 9)
    with pytest.raises(OptionError, match="lap"):
        knobs.read_range(NAME, "lap=64..76")


def test_set_ups_of_other_games_are_refused() -> None:
    with pytest.raises(OptionError, match="no set-up"):
        setups.make(NAME, "peaceful 4", 10, 1)
    with pytest.raises(OptionError, match="number of seats"):
        setups.make(NAME, "field 4 BB", 10, 1)


def test_without_a_competent_driver_the_first_one_races(monkeypatch: pytest.MonkeyPatch) -> None:
    game = get(NAME)
    monkeypatch.setattr(game, "drivers", {"random": game.drivers["random"]})
    task = setups.make(NAME, "field 2", 3, 1)
    assert task.drivers == ("random",)
    assert set(gather(task).chariots["driver"]) == {"random"}


def test_playing_loads_neither_lab_nor_encoding_nor_commands() -> None:
    program = (
        "import sys; from spina.games import find, names; [find(name) for name in names()];"
        "print(*(name for name in sys.modules if name.startswith('spina.games.')))"
    )
    loaded = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    assert "spina.games.charioteer.rules.entries" in loaded
    assert not [name for name in loaded if name.split(".")[3:4] in (["lab"], ["encoding"], ["cli"])]


def test_every_game_ties_its_own_lab_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    for name in names():
        game = find(name)
        known = {setups.FIELD, *game.lab.setups, *game.drivers}
        wanted = [*(each.setup for each in game.lab.groupings), *(each.setup for each in game.lab.measures.values())]
        wanted += [*game.lab.balance_setups, *(label.split()[0] for claim in game.lab.claims for label in claim.labels)]
        assert known >= set(wanted)
