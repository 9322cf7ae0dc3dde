"""What is shown before it is chosen: every path with its damage, its end and its wrecks."""

from __future__ import annotations

import spina


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
    other = race.copy()
    other._bytes = race.dealt_anew(0, 99)
    assert race.outlook(0) == other.outlook(0)
    assert race.explain(0, "plus 0") == other.explain(0, "plus 0")


def test_there_is_no_outlook_where_dice_decide() -> None:
    race = spina.new("chariot-race", seats=4, seed=1)
    assert race.outlook(race.to_act[0]) == []
