"""A branch goes on from any moment of a race, shows its seat what it saw, and can be saved and replayed."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

import spina
from spina.errors import OptionError, SaveError
from spina.replay import parse, replay
from spina.testing import finish, play_on, some_race, unfinished, without_readiness

GAMES = ("charioteer", "chariot-race", "chariotmaster")
every_game = pytest.mark.parametrize("game", GAMES)


def asked_again(race: spina.Race, seat: int) -> spina.Race:
    """The race before the seat's choice that is not revealed."""
    race = race.copy()
    if race.retractable(seat):
        race.retract(seat)
    return race


@every_game
@pytest.mark.parametrize("seed", range(10))
def test_a_branch_shows_its_seat_what_it_saw_and_deals_the_rest_anew(game: str, seed: int) -> None:
    race, chance = some_race(game, seed), random.Random(seed)
    for moment in range(12):
        if race.over:
            break
        for seat in range(race.seats):
            other, before = spina.branch(race, seat, 100 * seed + moment + 7), asked_again(race, seat)
            assert without_readiness(other.view(seat)) == without_readiness(before.view(seat))
            assert (seat in other.to_act) == (seat in before.to_act)
            assert other.legal(seat) == before.legal(seat)
            assert other.hash() != race.hash() and other.rules == race.rules
            assert other.settled and not any(other.retractable(each) for each in range(other.seats))
        play_on(race, chance.randrange(1, 40), chance.randrange(1000))


@every_game
@pytest.mark.parametrize("seed", range(4))
def test_a_branch_of_a_branch_is_saved_and_replayed_to_the_same_hashes(game: str, seed: int, tmp_path: Path) -> None:
    race = spina.branch(unfinished(game, 30, seed), 0, 5)
    race = spina.branch(play_on(race, 9, seed), race.seats - 1, 6)
    race.save(tmp_path / "running.json")
    assert spina.load(tmp_path / "running.json").hash() == race.hash()
    finish(race, seed).save(tmp_path / "race.json")
    again = spina.load(tmp_path / "race.json")
    assert (again.hash(), again.ranking, again.log) == (race.hash(), race.ranking, race.log)
    assert again.branches == race.branches and len(race.branches) == 2
    assert again.copy().branches == race.branches


def test_a_branch_can_go_out_from_a_position() -> None:
    race = spina.position("charioteer", {"chariots": [{"progress": 40}, {"progress": 44}]})
    other = finish(spina.branch(race, 1, 3), 3)
    assert replay(other.saved()).hash() == other.hash()


def test_a_race_without_branches_is_saved_as_it_always_was() -> None:
    race = finish(some_race("charioteer", 1), 1)
    assert set(msgspec.to_builtins(race.saved().race)) == {"origin", "actions", "hashes", "pending"}


def test_only_a_running_race_has_branches_and_only_for_its_seats() -> None:
    race = some_race("charioteer", 1)
    for seat in (-1, race.seats, True, None, "0"):
        with pytest.raises(OptionError, match="seat"):
            spina.branch(race, seat, 1)  # type: ignore[arg-type]
    for seed in (-1, 2**64, "1"):
        with pytest.raises(OptionError, match="seed"):
            spina.branch(race, 0, seed)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="over"):
        spina.branch(finish(race, 1), 0, 1)


@pytest.mark.parametrize(
    "change",
    [{"seat": 9}, {"seed": -1}, {"seed": 1}, {"actions": [[0, "fly"]]}, {"actions": []}, {"deal": 3}],
    ids=str,
)
def test_a_file_with_another_branch_is_refused(change: dict[str, object]) -> None:
    race = finish(spina.branch(unfinished("charioteer", 60, 3), 1, 2**64 - 1), 3)
    file = msgspec.json.decode(msgspec.json.encode(race.saved()))
    assert replay(parse(msgspec.json.encode(file))).hash() == race.hash()
    file["race"]["branches"][0].update(change)
    with pytest.raises(SaveError):
        replay(parse(msgspec.json.encode(file)))
