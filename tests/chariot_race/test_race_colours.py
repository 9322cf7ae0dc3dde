"""Colours of chariots: an individual one has that of its board, and gold is the rulebook's yellow."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import spina
from spina.errors import NotationError, PositionError
from spina.games.chariot_race.play.actions import COLOURS, Javelin
from spina.games.factions import FACTIONS

if TYPE_CHECKING:
    from conftest import Table

INDIVIDUAL = {"individual": True}


def drafted(*boards: str) -> spina.Race:
    """A race of as many seats as boards are named, in the order of the draft, placed as the grid has it."""
    race = spina.new("chariot-race", seats=len(boards), seed=3, individual=True, pairs=False)
    for board in boards:
        race.play(race.to_act[0], f"draft {board}")
    while race.view(None)["stage"] == "starting space":
        race.play(race.to_act[0], race.legal(race.to_act[0])[0])
    return race


def test_r23_whoever_takes_the_green_board_drives_the_green_chariot() -> None:
    boards = ["green", "gold", "white", "red"]
    race = drafted(*boards)
    view = race.view(None)
    order = [one for one in view["chariots"] if one["kind"] == "light"]
    assert [one["colour"] for one in order] == ["green"]
    assert {one["colour"] for one in view["chariots"]} == set(boards)
    for one in view["chariots"]:
        assert COLOURS[one["faction"]] == one["colour"]
        assert race.edition.chariot_names[race.edition.characters.index(one["kind"])] == one["colour"]  # type: ignore[attr-defined]


def test_a_javelin_at_a_colour_hits_the_chariot_of_that_board(table: type[Table]) -> None:
    """Chariot 1 has the light board, whose colour is green; white is the colour of its number, and nobody's here."""
    told = [{"space": "m14", "kind": "heavy", "speed": 2}, {"space": "m17", "kind": "light"}]
    t = table(*told, {"space": "m2", "kind": "sprinter"}, turn=0, dice="attack", options=INDIVIDUAL)
    t.drive()
    assert t.legal("javelin") == ["javelin at green"]
    (offered,) = [one for one in t.race.offer(0)["attacks"] if one["kind"] == "javelin"]
    assert (offered["target"], offered["colour"]) == (1, "green")
    condition = t[1]["condition"]
    t.play("javelin at green")
    assert t[1]["condition"] == condition - 1


def test_the_driver_throws_at_the_chariot_it_means(table: type[Table]) -> None:
    told = [{"space": "m14", "kind": "sprinter", "speed": 2}, {"space": "m17", "kind": "light", "condition": 1}]
    t = table(*told, {"space": "m18", "kind": "heavy"}, turn=0, dice="attack", options=INDIVIDUAL)
    t.drive()
    assert str(spina.bots.make("competent", game="chariot-race").choose(t.race, 0)) == "javelin at green"


@pytest.mark.parametrize("word", ["gold", "yellow", "Yellow"])
def test_gold_and_yellow_are_one_colour(table: type[Table], word: str) -> None:
    told = [{"space": "m14", "speed": 2}, "m1", "m2", "m3", "m4", "m17"]
    t = table(*told, turn=0, dice="attack")
    t.drive(f"javelin at {word}")
    assert t[5]["condition"] == 11
    assert str(t.race.log[-1][1]) == "javelin at gold"


def test_an_action_that_is_no_text_may_have_the_printed_colour_too(table: type[Table]) -> None:
    t = table({"space": "m14", "speed": 2}, "m1", "m2", "m3", "m4", "m17", turn=0, dice="attack")
    t.drive()
    t.race.play(0, Javelin("yellow"))
    assert t[5]["condition"] == 11


@pytest.mark.parametrize("word", ["sprinter", "gold", "yellow"])
def test_a_board_is_drafted_and_placed_by_its_character_or_its_colour(word: str) -> None:
    race = spina.new("chariot-race", seats=4, seed=3, individual=True)
    race.play(race.to_act[0], f"draft {word}")
    assert str(race.log[0][1]) == "draft sprinter"
    told = [{"space": "m14", "kind": word}, {"space": "m2", "kind": "light"}]
    placed = spina.position("chariot-race", {"chariots": told, "options": INDIVIDUAL})
    assert [one["kind"] for one in placed.view(None)["chariots"]] == ["sprinter", "light"]
    with pytest.raises(PositionError, match="there is only one sprinter chariot"):
        spina.position("chariot-race", {"chariots": [*told, {"space": "m4", "kind": "gold"}], "options": INDIVIDUAL})


def test_other_words_are_no_colours() -> None:
    race = spina.new("chariot-race", seats=4, seed=3)
    with pytest.raises(NotationError, match='there is no chariot "golden": there are red, white'):
        race.play(race.to_act[0], "javelin at golden")


def test_no_two_chariots_ever_have_one_colour() -> None:
    """Neither in the middle of a draft, nor in a position where some chariots have no board of their own."""
    race = spina.new("chariot-race", seats=6, seed=4, individual=True)
    for board in ("gold", "red", "white", "green", "blue", "purple"):
        assert len({one["colour"] for one in race.view(None)["chariots"]}) == 6
        race.play(race.to_act[0], f"draft {board}")
    told = [{"space": "m14", "kind": "steady"}, {"space": "m2", "kind": "heavy"}, {"space": "m4"}, {"space": "m5"}]
    placed = spina.position("chariot-race", {"chariots": told, "options": INDIVIDUAL})
    assert [one["colour"] for one in placed.view(None)["chariots"]] == ["blue", "red", "white", "green"]


def test_pictures_show_the_colour_of_the_board() -> None:
    race = drafted("green", "blue")
    letters = {FACTIONS[one["faction"]].letter for one in race.view(None)["chariots"]}
    assert letters == {"G", "B"}
    drawn = race.draw().split("caltrop")[0]
    assert all(re.search(rf"\b{letter}\b", drawn) for letter in letters)
    used = set(re.findall(r'href="#spina-chariot-(\w)"', race.svg()))
    assert used == {"g", "b"}
