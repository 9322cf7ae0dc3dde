"""What is shown before it is chosen: every path with its damage, its end and its wrecks."""

from __future__ import annotations

import pytest

import spina
from spina.games.chariot_race.components.edition import ChariotRaceEdition, parse, template


def before_the_corner() -> spina.Race:
    """Speed 6 with a steer die, three steps before the corners; a rival stands in the outer one."""
    race = spina.position(
        "chariot-race",
        {
            "chariots": [{"space": "m7", "speed": 6, "condition": 6, "fate": 0}, {"space": "o11", "condition": 2}],
            "turn": 0,
            "dice": ["+/-", "steer", "attack", "attack"],
        },
    )
    race.play(0, "keep")
    return race


def test_every_path_is_listed_once_and_comes_true() -> None:
    race = before_the_corner()
    paths = race.outlook(0)
    assert len({path.actions for path in paths}) == len(paths) > 10
    for path in paths:
        trial = race.copy()
        for action in path.actions:
            trial.play(0, action)
        own = trial.view(None)["chariots"][0]
        assert (own["name_of_space"], own["condition"], own["wrecked"]) == (path.space, path.condition, path.wrecked)
        assert path.condition == max(0, 6 - path.sprint - path.corner - path.ram - path.caltrop)


def test_corner_damage_rams_and_wrecks_are_named() -> None:
    paths = before_the_corner().outlook(0)
    straight = next(path for path in paths if path.actions == ("plus 1", *["ahead"] * 7))
    assert (straight.speed, straight.corner, straight.ram, straight.wrecks) == (7, 2, 0, ())
    ramming = [path for path in paths if 1 in path.rams]
    assert ramming
    assert all(1 in path.wrecks and path.ram == 2 for path in ramming)


def test_the_future_is_no_part_of_an_explanation() -> None:
    race = before_the_corner()
    other = race.determinized(0, 99)
    assert race.outlook(0) == other.outlook(0)
    assert race.explain(0, "plus 0") == other.explain(0, "plus 0")


def test_there_is_no_outlook_where_dice_decide() -> None:
    race = spina.new("chariot-race", seats=4, seed=1)
    assert race.outlook(race.to_act[0]) == []


# --- nothing of what is to come -------------------------------------------------------------------------------------


def last_and_first_again() -> spina.Race:
    """Its turn ends the round, and it leads the next one, in which its condition holds it back."""
    race = spina.position(
        "chariot-race",
        {
            "chariots": [{"space": "m29", "speed": 9, "condition": 9, "fate": 0}, {"space": "m31", "fate": 0}],
            "turn": 0,
            "dice": ["+/-", "sprint", "sprint"],
        },
    )
    race.play(0, "keep")
    return race


def test_the_speed_told_is_that_of_this_turn_also_where_the_chariot_has_the_next_one() -> None:
    """Two sprints and a ram leave condition 5, so that the next turn begins with 5, and this one was driven with 12."""
    race = last_and_first_again()
    trial = race.copy()
    trial.play(0, "plus 1")
    after = trial.view(None)
    assert (after["chariot"], after["round"], after["chariots"][0]["speed"]) == (0, 3, 5)
    assert race.explain(0, "plus 1").speed == 12
    assert {path.actions[0]: path.speed for path in race.outlook(0)} == {"plus 0": 12, "plus 1": 12}
    assert all(way["speed"] == 12 for way in race.offer(0)["paths"])


def other_figures(*changes: tuple[str, str]) -> ChariotRaceEdition:
    text = template()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return parse(text, "other figures")


SIDES = '["+/-", "sprint", "steer", "steer", "attack", "fortuna"]'
EDITIONS = {
    "reference": other_figures(),
    "nothing can be bought": other_figures(("fortune_cost = { value = 2,", "fortune_cost = { value = 9,")),
    "every die drives": other_figures((SIDES, '["sprint", "sprint", "sprint", "sprint", "sprint", "sprint"]')),
    "no signs to choose": other_figures((SIDES, '["sprint", "attack", "attack", "attack", "fortuna", "fortuna"]')),
}


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=[*EDITIONS])
@pytest.mark.parametrize("fate", [0, 6])
def test_what_is_rolled_again_is_told_as_it_stands_before_the_roll(edition: ChariotRaceEdition, fate: int) -> None:
    """Whatever the figures: where no purchase, sign or lane is left to choose, a roll alone would decide the turn."""
    chariots = [{"space": "m7", "speed": 4, "condition": 5, "fate": fate}, {"space": "m11"}]
    dice = ["attack"] * 5
    race = spina.position("chariot-race", {"chariots": chariots, "turn": 0, "dice": dice}, edition=edition)
    while race.view(None)["stage"] in ("free re-roll", "fortune") and race.view(None)["chariot"] == 0:
        rolling = [action for action in race.legal(0) if str(action).startswith("re-roll")]
        assert rolling
        for action in rolling:
            told = race.explain(0, action)
            assert (told.speed, told.space, told.condition, told.wrecks) == (4, "m7", 5, ())
        race.play(0, "keep")


@pytest.mark.parametrize("wanted", ["repair", "no repair"])
def test_a_repair_is_told_with_the_speed_it_allows_and_no_roll(wanted: str) -> None:
    chariots = [{"space": "m7", "speed": 9, "condition": 4, "fate": 3}, {"space": "m1"}]
    edition = EDITIONS["every die drives"]
    race = spina.position("chariot-race", {"chariots": chariots}, edition=edition)
    told = race.explain(0, wanted)
    assert (told.speed, told.space) == ((7, "m7") if wanted == "repair" else (4, "m7"))
    assert (told.condition, told.sprint) == ((7, 0) if wanted == "repair" else (4, 0))


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=[*EDITIONS])
def test_nothing_that_is_told_needs_a_die_to_come(edition: ChariotRaceEdition) -> None:
    """In whole races: the same with any future, and no longer than to the end of the turn."""
    race = spina.new("chariot-race", seats=3, seed=5, individual=True, edition=edition)
    bot = spina.bots.make("random", game="chariot-race", seed=5)
    while not race.over:
        (seat,) = race.to_act
        other = race.determinized(seat, race.turn)
        legal = race.legal(seat)
        assert [race.explain(seat, action) for action in legal] == [other.explain(seat, action) for action in legal]
        assert race.offer(seat) == other.offer(seat)
        before = race.view(None)
        moving = before["chariots"][before["chariot"]]
        action = bot.choose(race, seat)
        told = race.explain(seat, action)
        if str(action).startswith("re-roll"):
            assert (told.condition, told.space) == (moving["condition"], moving["name_of_space"])
        race.play(seat, action)
