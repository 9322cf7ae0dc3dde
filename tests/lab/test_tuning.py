"""Tuning: targets and ranges are read, editions rewritten soundly, the known answer found, failure admitted."""

from __future__ import annotations

import dataclasses
import math

import pytest

from spina.errors import OptionError
from spina.games import get
from spina.games.studies.intervals import Estimate
from spina.lab import knobs, tuning


def test_targets_are_read() -> None:
    target = tuning.read_target("charioteer", "turns@2=20..26")
    assert (target.low, target.high, target.measure.label) == (20.0, 26.0, "field 2")
    target = tuning.read_target("charioteer", "bonus-box=45%..70%")
    assert (target.low, target.high) == (0.45, 0.70)
    target = tuning.read_target("charioteer", "seat-share<=1.2x")
    assert (target.low, target.high) == (-math.inf, 1.2)
    assert tuning.read_target("charioteer", "longest-wins@6<=25%").measure.label == "longest 6"
    assert tuning.read_target("chariot-race", "start-share@BB<=1.5").measure.label == "field 6 BB"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("turns", "MEASURE"), ("turns=20", "MEASURE"), ("turns<=20..30", "MEASURE"), ("turns=30..20", "wrong way"),
        ("beauty=1..2", "no measure"), ("turns@lots=1..2", "seats"), ("start-share@BB<=2", "no measure"),
    ],
)  # fmt: skip
def test_wrong_targets_are_refused(text: str, word: str) -> None:
    with pytest.raises(OptionError, match=word):
        tuning.read_target("charioteer", text)


def test_ranges_are_read() -> None:
    assert knobs.read_range("charioteer", "lap=64..76:4").values == (64, 68, 72, 76)
    assert knobs.read_range("charioteer", "lap=64,80").values == (64, 80)
    assert knobs.read_range("charioteer", "race.hand=7..9").values == (7, 8, 9)
    for wrong in ("lap", "lap=", "lap=9..1", "mood=1..3", "lap=1..999"):
        with pytest.raises(OptionError):
            knobs.read_range("charioteer", wrong)


@pytest.mark.parametrize(
    ("game", "setting", "paths"),
    [
        ("charioteer", {"lap": 81}, ("track.spaces", "track.sections")),
        ("charioteer", {"plus-one": 6, "start": 3, "hand": 7, "fan-symbols": 5}, ("skills.middle.values", "race.hand")),
        ("chariot-race", {"line": 6, "heap-3": 7}, ("course.line", "grid.list", "heaps.list")),
        ("chariot-race", {"corner-inside": 4, "fate": 2, "condition": 11, "speed": 5}, ("corners.list",)),
        ("chariotmaster", {"straight": 60, "radius": 15, "width": 18, "wall": 3, "ram": 1}, ("collisions.wall",)),
    ],
)  # fmt: skip
def test_every_knob_gives_a_sound_edition_that_says_it_is_reconstructed(
    game: str, setting: dict[str, int], paths: tuple[str, ...]
) -> None:
    reference = get(game).reference()
    text = knobs.apply(game, reference.text, setting, "tried")
    edition = get(game).parse_edition(text, "tried")
    assert edition.hash != reference.hash
    for path in paths:
        assert edition.provenance[path] == "reconstructed"


def test_a_knob_set_to_what_is_there_changes_no_component() -> None:
    reference = get("charioteer").reference()
    text = knobs.apply("charioteer", reference.text, {"lap": 76, "plus-one": 8}, "as it was")
    assert get("charioteer").parse_edition(text, "same").hash == reference.hash
    reference = get("chariot-race").reference()
    text = knobs.apply("chariot-race", reference.text, {"line": 4, "heap-2": 3, "corner-middle": 5}, "as it was")
    assert get("chariot-race").parse_edition(text, "same").hash == reference.hash


def test_rounds_run_many_settings_briefly_and_few_in_full() -> None:
    plan = tuning.rounds("charioteer", 27, 900)
    assert plan == [(27, 100), (9, 300), (3, 900)]
    assert tuning.rounds("charioteer", 1, 900) == [(1, 900)]


@pytest.mark.slow
def test_the_known_answer_is_found_written_and_the_same_every_time() -> None:
    """Races of 22 to 26 turns need a lap of about 76 spaces: 44 and 120 are far off."""
    game, base = "charioteer", get("charioteer").reference().text
    targets = [tuning.read_target(game, "turns@2=22..26")]
    ranges = [knobs.read_range(game, "lap=3,44,76,120")]
    result = tuning.search(game, base, targets, ranges, races=30, seed=3, processes=1)
    assert result.best == {"lap": 76}
    assert result.met
    assert [setting for setting, _ in result.refused] == [{"lap": 3}]
    edition = get(game).parse_edition(result.edition, "tuned")
    assert edition.provenance["track.spaces"] == "reconstructed"
    assert edition.name == "Charioteer, tuned"
    assert result.trials[0].setting == {"lap": 76}
    assert "met" in "\n".join(tuning.lines(result))
    assert not any("No setting" in line for line in tuning.headlines(result))
    (section, _) = tuning.sections(result)
    assert section.cards[0].mark == "holds"
    hopeless = dataclasses.replace(result, targets=[tuning.read_target(game, "turns@2<=5")])
    assert not hopeless.met
    assert any("missed" in line for line in tuning.headlines(hopeless))
    assert any("No setting" in line for line in tuning.headlines(hopeless))


def test_the_loss_grows_with_the_distance_from_the_target() -> None:
    target = tuning.read_target("charioteer", "turns=20..26")
    losses = [target.loss(Estimate(value, value - 0.5, value + 0.5, 100)) for value in (23.0, 25.8, 27.0, 40.0)]
    assert losses == sorted(losses)
    assert losses[0] == 0.0 < losses[1] < 0.1 < losses[2]
