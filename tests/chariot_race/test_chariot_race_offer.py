"""What a page offers: every end of a move, and that everything comes true as it was told before it was chosen."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest

import spina
from spina.games.chariot_race.play import paths as path_list


def crowded() -> spina.Race:
    """Three steer dice and two signs among rivals, just before the corners."""
    race = spina.position(
        "chariot-race",
        {
            "chariots": [
                {"space": "m7", "speed": 5, "condition": 7, "fate": 0},
                {"space": "o11", "condition": 2},
                {"space": "i12"},
                {"space": "m13"},
                {"space": "m3"},
            ],
            "caltrops": ["m9", "o14"],
            "turn": 0,
            "dice": ["steer", "steer", "steer", "+/-", "+/-"],
        },
    )
    race.play(0, "keep")
    return race


def names(race: spina.Race, spaces: list[int]) -> list[str]:
    return [race.edition.space_names[space] for space in spaces]  # type: ignore[attr-defined]


def same_turn(race: spina.Race, before: dict[str, Any]) -> bool:
    view = race.view(None)
    return not race.over and (view["chariot"], view["round"]) == (before["chariot"], before["round"])


def test_no_end_of_the_move_is_lost_and_the_least_damage_to_each_is_offered() -> None:
    race = crowded()
    best: dict[str, int] = {}
    for path in race.outlook(0):
        assert path.space is not None
        if not path.wrecked:
            best[path.space] = max(best.get(path.space, 0), path.condition)
    offered: dict[str, int] = {}
    for way in race.offer(0)["paths"]:
        (end,) = names(race, [way["end"]])
        if not way["wrecked"]:
            offered[end] = max(offered.get(end, 0), way["condition"])
    assert offered == best


def test_every_set_of_chariots_that_a_path_can_ram_is_offered() -> None:
    race = crowded()
    possible = {(path.space, frozenset(path.rams)) for path in race.outlook(0) if not path.wrecked}
    offered = {
        (names(race, [way["end"]])[0], frozenset(ram["chariot"] for ram in way["rams"]))
        for way in race.offer(0)["paths"]
        if not way["wrecked"]
    }
    assert offered == possible


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_what_is_offered_comes_true(seed: int) -> None:
    variants: list[dict[str, Any]] = [{}, {"board": "BB"}, {"individual": True}]
    options = variants[seed % 3]
    race = spina.new("chariot-race", seats=2 + seed, seed=seed, **options) if seed < 5 else crowded()
    chance = random.Random(seed)
    while not race.over:
        (seat,) = race.to_act
        offer, before = race.offer(seat), race.view(None)
        assert offer["stage"] == before["stage"]
        assert offer["actions"] == [str(action) for action in race.legal(seat)]
        assert json.loads(msgspec.json.encode(offer)) == offer
        for way in chance.sample(offer.get("paths", []), min(4, len(offer.get("paths", [])))):
            check_way(race, seat, way)
        if "preview" in offer:
            check_preview(race, seat, offer["preview"])
        for said in [*offer.get("repair", []), *offer.get("attacks", []), *offer.get("signs", [])]:
            check_choice(race, seat, said)
        for said in offer.get("dice", {}).get("turns", []):
            check_sum(race, seat, said["action"], said["sum"])
        if "dice" in offer:
            check_sum(race, seat, "keep", offer["dice"]["sum"])
        race.play(seat, chance.choice(offer["actions"]))


def check_way(race: spina.Race, seat: int, way: dict[str, Any]) -> None:
    """Play the path on a copy: it ends where it was said to, with what was said to be left."""
    trial = race.copy()
    chariot = race.view(None)["chariot"]
    entered, wrecks = [], []
    for action in way["actions"]:
        for event in trial.play(seat, action):
            kind = type(event).__name__
            if kind in ("Turn", "Round"):
                break
            if kind == "Stepped" and event.chariot == chariot:  # type: ignore[attr-defined]
                entered.append(event.space)  # type: ignore[attr-defined]
            if kind == "Wrecked":
                wrecks.append(event.chariot)  # type: ignore[attr-defined]
    own = trial.view(None)["chariots"][chariot]
    assert (own["space"], own["lap"], own["condition"]) == (way["end"], way["lap"], way["condition"])
    assert names(race, way["spaces"]) == entered
    assert way["wrecks"] == wrecks
    assert way["wrecked"] == own["wrecked"] == (chariot in wrecks)
    start = race.view(None)["chariots"][chariot]["condition"]
    if not way["heap"]:
        assert way["condition"] == max(0, start - way["damage"])
    assert way["damage"] == way["sprint"] + way["corner"] + way["ram"] + way["caltrop"]


def check_preview(race: spina.Race, seat: int, preview: list[dict[str, Any]]) -> None:
    """Keep the dice: the ends that were shown are those that are offered, and none costs less than was said."""
    trial, before = race.copy(), race.view(None)
    trial.play(seat, "keep")
    while same_turn(trial, before) and trial.view(None)["stage"] == "fortune":
        trial.play(seat, "keep")
    if not same_turn(trial, before) or trial.view(None)["stage"] not in ("signs", "path"):
        own = trial.view(None)["chariots"][before["chariot"]]
        assert [(way["end"], way["wrecked"]) for way in preview] == [(own["space"], own["wrecked"])]
        return
    least: dict[int, tuple[bool, int]] = {}
    for way in trial.offer(seat)["paths"]:
        cost = way["wrecked"], way["damage"]
        least[way["end"]] = min(cost, least.get(way["end"], cost))
    spent = (
        before["chariots"][before["chariot"]]["condition"]
        - trial.view(None)["chariots"][before["chariot"]]["condition"]
    )
    assert {way["end"]: (way["wrecked"], way["damage"] - spent) for way in preview} == least


def check_choice(race: spina.Race, seat: int, said: dict[str, Any]) -> None:
    trial = race.copy()
    before = race.view(None)
    trial.play(seat, said["action"])
    after = trial.view(None)["chariots"]
    own = before["chariot"]
    if said.get("kind") == "javelin":
        assert after[said["target"]]["condition"] == said["condition"]
        assert after[said["target"]]["wrecked"] == said["wrecked"]
    elif said.get("kind") == "caltrop":
        assert said["space"] in trial.view(None)["caltrops"]
    else:
        assert after[own]["condition"] == said["condition"]
        if same_turn(trial, before):
            assert after[own]["speed"] == said["speed"]
        if "dice" in said:
            assert len(trial.view(None)["dice"]) == said["dice"]


def check_sum(race: spina.Race, seat: int, action: str, said: dict[str, Any]) -> None:
    """Keep the dice from here on: speed, lane changes, attacks and fate are as they were told."""
    trial, before = race.copy(), race.view(None)
    trial.play(seat, action)
    while same_turn(trial, before) and trial.view(None)["stage"] == "fortune":
        trial.play(seat, "keep")
    view = trial.view(None)
    own = view["chariots"][before["chariot"]]
    assert own["fate"] == said["fate"]
    if same_turn(trial, before) and view["stage"] == "signs":
        speeds = set()
        for sign in trial.offer(seat)["signs"]:
            speeds.add(sign["speed"])
            assert sign["sprint"] == said["sprint"]
        assert sorted(speeds) == said["speeds"]
    elif same_turn(trial, before) and view["stage"] == "path":
        assert said["speeds"] == [own["speed"]]
        assert said["steers"] == view["steers"]


def test_chances_are_those_of_the_die() -> None:
    race = spina.new("chariot-race", seats=4, seed=1)
    dice = race.offer(race.to_act[0])["dice"]
    assert dice["free"]
    assert dice["price"] == 2
    assert dice["later"] == 1
    assert dice["chances"]["steer"][:2] == [0.333, 0.556]
    assert dice["chances"]["attack"][0] == 0.167


def test_dice_that_show_the_same_are_turned_once() -> None:
    race = spina.position(
        "chariot-race",
        {"chariots": [{"space": "m7", "fate": 4}, {"space": "m3"}], "turn": 0, "dice": ["steer"] * 4 + ["fortuna"]},
    )
    race.play(0, "keep")
    turns = race.offer(0)["dice"]["turns"]
    assert {(turn["before"], turn["side"]) for turn in turns} == {
        *(("steer", side) for side in ("+/-", "sprint", "attack")),
        *(("fortuna", side) for side in ("+/-", "sprint", "steer", "attack")),
    }
    assert len(turns) == 7


def test_the_future_is_no_part_of_an_offer() -> None:
    race = crowded()
    other = race.determinized(0, 99)
    assert race.offer(0) == other.offer(0)


def test_a_long_list_is_cut_but_keeps_every_end(monkeypatch: pytest.MonkeyPatch) -> None:
    race = crowded()
    whole = race.offer(0)["paths"]
    monkeypatch.setattr(path_list, "MOST_PATHS", 1)
    short = race.offer(0)["paths"]
    assert len(short) < len(whole)
    assert {(way["speed"], way["end"]) for way in short} == {(way["speed"], way["end"]) for way in whole}


def test_a_page_learns_the_tracks_of_every_chariot_once() -> None:
    race = spina.new("chariot-race", seats=4, seed=1, individual=True)
    places = race.game.scene(race.edition, race.options).places
    assert places["kinds"]["sprinter"]["most"] == [12, 14, 5]
    assert set(places["kinds"]) >= {said["character"] for said in race.offer(race.to_act[0])["draft"]}
    assert len(places["fronts"]) == len(places["spaces"])
    json.dumps(places)
