"""Races of former rules: they load, show, continue and verify by the rules that they were raced with."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import spina
from spina import replay
from spina.errors import SaveError
from spina.games import get, names

RACES = sorted((Path(__file__).parent / "former_rules").glob("*.json"))


def as_of_today(path: Path, folder: Path) -> Path:
    """The same file with the version of today's rules."""
    said = msgspec.json.decode(path.read_bytes())
    changed = folder / path.name
    changed.write_bytes(msgspec.json.encode({**said, "rules": spina.new(said["game"], seats=4).game.rules_version}))
    return changed


@pytest.mark.parametrize("path", RACES, ids=[path.stem for path in RACES])
def test_a_race_of_former_rules_comes_out_as_it_did(path: Path) -> None:
    said = msgspec.json.decode(path.read_bytes())
    race = spina.load(path)  # compares the hash after every action
    assert race.over
    assert (race.rules, race.hash()) == (said["rules"], said["race"]["hashes"][-1][1])
    assert race.view(None)["ranking"] == race.ranking
    assert race.svg().startswith("<svg")
    assert race.draw()


@pytest.mark.parametrize("path", RACES, ids=[path.stem for path in RACES])
def test_it_is_saved_with_the_rules_it_was_raced_by(path: Path, tmp_path: Path) -> None:
    race = spina.load(path)
    race.save(tmp_path / "again.json")
    again = spina.load(tmp_path / "again.json")
    assert (again.rules, again.hash()) == (race.rules, race.hash())


@pytest.mark.parametrize("path", RACES, ids=[path.stem for path in RACES])
def test_by_todays_rules_it_would_not_be_the_same_race(path: Path, tmp_path: Path) -> None:
    """Shows that the change of the rules matters in this file, so that the test above can fail."""
    with pytest.raises(SaveError):
        spina.load(as_of_today(path, tmp_path))


@pytest.mark.parametrize("name", names())
def test_every_former_version_has_a_race_that_shows_it(name: str) -> None:
    game = get(name)
    shown = {saved.rules for saved in map(replay.read, RACES) if saved.game == name}
    assert shown == set(range(game.oldest_rules, game.rules_version))


@pytest.mark.parametrize("name", names())
def test_a_new_race_goes_by_the_current_rules(name: str) -> None:
    race = spina.new(name, seats=2, seed=1)
    assert race.rules == race.saved().rules == race.copy().rules == race.game.rules_version


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("version", [0, 99, -1])
def test_rules_that_are_not_known_are_refused(name: str, version: int) -> None:
    saved = msgspec.structs.replace(spina.new(name, seats=2, seed=1).saved(), rules=version)
    with pytest.raises(SaveError, match=f"version {version} of the rules"):
        replay.replay(saved)


def test_chariot_race_1_has_no_caltrop_under_a_chariot() -> None:
    """R9: with the last two free spaces taken nothing more was asked; now m15, under a chariot, is offered too."""
    said = msgspec.json.decode((Path(__file__).parent / "former_rules" / "chariot-race-1.json").read_bytes())
    race = spina.position("chariot-race", said["race"]["origin"])
    for _, action in said["race"]["actions"][:4]:
        race.play(0, action)
    assert [str(action) for action in race.legal(0)] == ["no attack", "caltrop on m15"]


def test_in_a_draft_of_former_rules_colours_go_by_number() -> None:
    race = spina.load(Path(__file__).parent / "former_rules" / "chariot-race-1-draft.json")
    view = race.view(None)
    assert [one["colour"] for one in view["chariots"]] == ["red", "white", "blue", "green", "purple", "gold"]
    names = race.edition.chariot_names  # type: ignore[attr-defined]
    boards = [names[race.edition.characters.index(one["kind"])] for one in view["chariots"]]  # type: ignore[attr-defined]
    assert boards != [one["colour"] for one in view["chariots"]]
