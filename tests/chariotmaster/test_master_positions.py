"""Positions of Chariotmaster: every field takes effect, and an error names the contradictory field."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Table

import spina
from spina.games.chariotmaster.rules.record import DRIVER_OF, OBSTACLE, WRECK_OF

SPOT = {"progress": 100, "offset": 0}
ASIDE = {"progress": 300, "offset": 50}
WRECKED = {"wreck": {"progress": 40, "offset": 0}}
GONE = {**WRECKED, "horses": 0, "gone": True, "driver": "dead"}


def given(red: dict[str, Any], *others: dict[str, Any], **rest: Any) -> spina.Race:
    """Red as given, another chariot out of the way, and the tokens to be chosen unless a chariot is active."""
    return spina.position("chariotmaster", {"chariots": [{**SPOT, **red}, *(others or (ASIDE,))], **rest})


# --- what is given is so --------------------------------------------------------------------------------------------

FIELDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "stamina": ({"stamina": 3}, {"stamina": 3}),
    "structure": ({"structure": 2}, {"structure": 2}),
    "health": ({"health": 0}, {"health": 0}),
    "skill": ({"skill": 7}, {"skill": 7}),
    "worn": ({"worn": {"stamina": 2, "health aboard": 1}}, {"worn": {"stamina": 2, "health aboard": 1}}),
    "horses": ({"horses": 1}, {"horses": 1, "dead_horses": 0, "tokens": ["0", "5"]}),
    "dead horses": ({"horses": 1, "dead_horses": 1}, {"horses": 1, "dead_horses": 1, "tokens": ["0"]}),
    "tokens": ({"tokens": "5"}, {"tokens": ["0", "5"]}),
    "reins": ({"reins": False}, {"reins": False, "out_of_control": True}),
    "confused": ({"confused": True}, {"reins": True, "out_of_control": True}),
    "stunned": ({"stunned": True}, {"stunned": True, "out_of_control": True}),
    "exhausted": ({"exhausted": True}, {"exhausted": True}),
    "wheel": ({"wheel": True}, {"wheel": True}),
    "whip": ({"whip": False}, {"whip": False}),
    "knife": ({"knife": False}, {"knife": False}),
    "luck": ({"luck": 2}, {"luck": 2}),
    "progress": ({"progress": 1500.5}, {"progress": 1500.5, "lap": 1}),
    "second lap": ({"progress": 2000}, {"progress": 2000, "lap": 2}),
    "home": ({"home": 1}, {"home": 1, "finished": True, "place": 1}),
    "out": ({"driver": "off the track", "out": True}, {"out": True, "driver": "off the track", "place": 2}),
    "dead": ({"driver": "dead"}, {"out": True, "driver": "dead", "reins": False, "body": True}),
    "on the haft": (
        {"driver": "on the haft for the reins", "reins": False},
        {"driver": "on the haft for the reins", "out_of_control": True, "out": False},
    ),
    "to cut": (
        {"driver": "on the haft to cut", "horses": 1, "dead_horses": 1},
        {"driver": "on the haft to cut", "out_of_control": True, "reins": True},
    ),
    "dragged": ({"driver": "dragged", **WRECKED}, {"driver": "dragged", "body": False, "out": False}),
    "gone": (GONE, {"horses": 0, "body": False, "out": True}),
}


@pytest.mark.parametrize("field", FIELDS)
def test_a_field_takes_effect(field: str) -> None:
    red, expected = FIELDS[field]
    plain = given({}).view(None)["chariots"][0]
    found = given(red).view(None)["chariots"][0]
    assert {name: found[name] for name in expected} == expected
    assert found != plain


def test_what_is_left_out_is_as_at_the_start() -> None:
    race = spina.position("chariotmaster", {"chariots": [{}, {}]})
    new = spina.new("chariotmaster", seats=2, seed=0)
    fresh, placed = new.view(None), race.view(None)
    assert placed["pieces"] == fresh["pieces"] and placed["turn"] == 2
    assert placed["chariots"] == fresh["chariots"]


def test_l1_a_driver_on_the_haft_has_climbed_there_in_an_earlier_turn_so_that_he_grabs(table: type[Table]) -> None:
    haft = {"driver": "on the haft for the reins", "reins": False}
    t = table(haft, {"drawn": True}, dice=(1,))
    assert (t.view["turn"], t[0]["driver"], t[0]["reins"]) == (3, "aboard", True)


def test_token_is_the_one_in_the_mug_and_last_the_one_that_a_runaway_goes_on_with(table: type[Table]) -> None:
    assert table({"token": "10"}).driving["maximum"] == 150
    assert table({"reins": False, "last": "10"}, active=None)[0]["token"] == "10"
    assert table({"reins": False, "last": "0"}, active=None)[0]["token"] == "0"


def test_drawn_ones_have_had_their_turn(table: type[Table]) -> None:
    t = table({"token": "0"}, {"drawn": True}, {"drawn": False, "progress": 300, "token": "10"})
    assert [t[chariot]["drawn"] for chariot in range(3)] == [True, True, False]
    assert [t[chariot]["token"] for chariot in range(3)] == ["0", "5", None]
    t.play("stop")
    assert (t.asked, t.driving["maximum"]) == (2, 150)


def test_the_pieces_that_a_chariot_has_become(table: type[Table]) -> None:
    walking = {"driver": "on foot", "on_foot": {"progress": 60, "offset": 30, "heading": 45}}
    t = table({**SPOT, "wreck": {"progress": 40, "heading": 30}, **walking}, ASIDE, active=1)
    assert {piece["piece"]: (piece["kind"], piece["length"], piece["width"]) for piece in t.view["pieces"]} == {
        0: ("team", 200, 200),
        1: ("chariot", 400, 200),
        WRECK_OF: ("wreck", 200, 200),
        DRIVER_OF: ("driver on foot", 100, 100),
    }
    wreck, driver = t.piece(WRECK_OF), t.piece(DRIVER_OF)
    assert wreck and (wreck["x"], wreck["y"], wreck["heading"]) == (1400, 0, 300)
    assert driver and (driver["x"], driver["y"], driver["heading"]) == (1600, 300, 0)  # his base never turns
    t = table({**SPOT, **WRECKED, "driver": "dragged"}, ASIDE, active=1)
    assert t.piece(0)["kind"] == "team dragging its driver"  # type: ignore[index]


def test_e4_who_is_home_has_left_the_track_when_tokens_are_chosen(table: type[Table]) -> None:
    home = {**SPOT, "home": 1}
    assert table(home, ASIDE, active=None).piece(0) is None
    assert table(home, ASIDE, active=1).piece(0) is not None
    assert table(home, SPOT, active=None)[1]["home"] is None  # so that another can stand there


def test_driving_is_taken_up_in_mid_turn(table: type[Table]) -> None:
    driving = {"moved": 33, "change": -20, "submoves": 2, "spurred": True, "whipped": True, "attacks": 1}
    t = table({}, ASIDE, driving=driving)
    assert t.driving == {
        "moved": 33, "minimum": 30, "maximum": 80, "pivot": 30, "submoves": 2, "spurred": True, "whipped": True,
        "attacks": 1,
    }  # fmt: skip
    assert (t.question, t.why_not("stop")) == ("drive", "")


def test_direction_is_that_of_the_last_sub_move(table: type[Table]) -> None:
    driving = {"moved": 60, "submoves": 1, "direction": 90}
    t = table(SPOT, ASIDE, driving=driving, dice=(6,)).play("announce", "go")
    assert (t.piece(0)["x"], t.piece(0)["y"]) == (2000, 400)  # type: ignore[index]


def test_may_attack_asks_for_an_attack(table: type[Table]) -> None:
    beside = {"progress": 95, "offset": 21}
    driving = {"moved": 60, "submoves": 1}
    assert table(SPOT, beside, driving=driving).question == "drive"
    assert table(SPOT, beside, driving={**driving, "may_attack": True}).question == "attack"
    assert table(SPOT, beside, driving={**driving, "may_attack": True}, turn=1).question == "drive"


def test_attacks_on_somebody_make_the_next_defence_harder(table: type[Table]) -> None:
    driving = {"moved": 60, "submoves": 1, "attacks": 2, "attacks_on": {1: 2}, "may_attack": True}
    t = table(SPOT, {"progress": 85, "offset": 21}, driving=driving).play("ram white horses")
    assert t.race.explain(1, "evade").test.modifier == 3


def test_turn_options_seats_and_seed(table: type[Table]) -> None:
    chariots = [{"progress": 100 * n, "offset": 0} for n in range(4)]
    race = spina.position("chariotmaster", {"chariots": chariots, "seats": 2, "turn": 7, "options": {"laps": 3}})
    view = race.view(None)
    assert (race.seats, view["turn"], view["laps"], race.options["chariots"]) == (2, 7, 3, 2)
    assert [chariot["seat"] for chariot in view["chariots"]] == [0, 1, 0, 1]
    draws = set()
    for seed in range(8):
        race = spina.position("chariotmaster", {"chariots": chariots, "seed": seed})
        for seat in range(4):
            race.play(seat, "token 5")
        draws.add(race.view(None)["active"])
    assert len(draws) > 1


def test_removed_obstacles_are_gone() -> None:
    options = {"scenario": "trial"}
    whole = spina.position("chariotmaster", {"chariots": [{}, {}], "options": options})
    race = spina.position("chariotmaster", {"chariots": [{}, {}], "options": options, "removed": ["obstacle 2"]})
    numbers = [piece["piece"] for piece in whole.view(None)["pieces"]]
    assert [piece["piece"] for piece in race.view(None)["pieces"]] == [n for n in numbers if n != OBSTACLE + 1]


@pytest.mark.parametrize("progress", [-70, 0, 123.4, 390, 500, 839.9, 1000, 1300])
@pytest.mark.parametrize("offset", [-50, 0, 33.3])
def test_places_on_the_map_and_on_the_track_agree(progress: float, offset: float) -> None:
    other = {"progress": 650, "offset": 0}
    on_track = given({"progress": progress, "offset": offset, "heading": 7}, other).view(None)
    piece = on_track["pieces"][0]
    spot = {"x": piece["x"] / 10, "y": piece["y"] / 10, "heading": piece["heading"] / 10}
    on_map = spina.position("chariotmaster", {"chariots": [spot, other]}).view(None)
    assert on_map["pieces"] == on_track["pieces"]
    assert on_map["chariots"][0]["progress"] == pytest.approx(progress, abs=0.21)


# --- from a file ----------------------------------------------------------------------------------------------------


def test_a_race_begun_from_a_position_replays_from_its_file(tmp_path: Path, table: type[Table]) -> None:
    driving = {"moved": 60, "submoves": 1, "attacks": 1, "attacks_on": {1: 1}, "direction": 0}
    t = table({"stamina": 1, "worn": {"stamina": 3}}, ASIDE, driving=driving, options={"laps": 1}, seed=5)
    t.play("brake", "brake")
    bot = spina.bots.make("random", game="chariotmaster", seed=1)
    for _ in range(12):
        seat = t.race.to_act[0]
        t.race.play(seat, bot.choose(t.race, seat))
    t.race.save(tmp_path / "race.spina")
    again = spina.load(tmp_path / "race.spina")
    assert again.hash() == t.race.hash()
    assert again.view(None) == t.race.view(None) and again.options == t.race.options


# --- what cannot be -------------------------------------------------------------------------------------------------

NAN = math.nan
# fmt: off
CHARIOTS: dict[str, tuple[dict[str, Any], str]] = {
    "unknown field": ({"wheels": 2}, "chariots[0]: object contains unknown field wheels"),
    "wrong type": ({"stamina": "much"}, "chariots[0].stamina: expected int"),
    "stamina": ({"stamina": -1}, "chariots[0].stamina: must be 0 to 99, not -1"),
    "structure": ({"structure": 100}, "chariots[0].structure: must be 0 to 99, not 100"),
    "health": ({"health": -1}, "chariots[0].health: must be 0 to 99"),
    "skill": ({"skill": 1000}, "chariots[0].skill: must be 0 to 99"),
    "luck": ({"luck": -1}, "chariots[0].luck: must be 0 to 99"),
    "unknown table": ({"worn": {"paint": 1}}, 'chariots[0].worn: there is no table "paint": there are stamina'),
    "worn too little": ({"worn": {"stamina": -1}}, "chariots[0].worn: must be 0 to 99, not -1"),
    "worn too much": ({"worn": {"stamina": 70000}}, "chariots[0].worn: must be 0 to 99, not 70000"),
    "worn health": ({"worn": {"health dragged": 1}}, 'chariots[0].worn: the tables of health share one modifier'),
    "three horses": ({"horses": 3}, "chariots[0].horses: must be 0 to 2, not 3"),
    "more horses dead than there were": ({"dead_horses": 1}, "chariots[0].dead_horses: must be 0 to 0, not 1"),
    "no horses": ({"horses": 0}, "chariots[0].horses: a chariot without living horses has crashed"),
    "unknown tokens": ({"tokens": "15"}, 'chariots[0].tokens: there is no token "15": there are 0, 5, 10'),
    "unknown token": ({"token": "7"}, 'chariots[0].token: there is no token "7"'),
    "unknown last": ({"last": "6"}, 'chariots[0].last: there is no token "6"'),
    "unknown place": ({"driver": "in bed"}, 'chariots[0].driver: there is no place of a driver "in bed": there are'),
    "on foot nowhere": ({"driver": "on foot"}, "chariots[0].on_foot: it is the place of a driver who walks"),
    "aboard and on foot": ({"on_foot": {"progress": 50}}, "chariots[0].on_foot: it is the place of a driver who walks"),
    "on foot at no place": ({"driver": "on foot", "on_foot": {}}, "chariots[0].on_foot: a spot needs x and y, or"),
    "dragged by a whole chariot": ({"driver": "dragged"}, "chariots[0].driver: a driver is dragged only after a crash"),
    "dragged by nobody": ({**GONE, "driver": "dragged"}, "chariots[0].driver: a driver is dragged only after a crash"),
    "aboard a wreck": (WRECKED, "chariots[0].driver: nobody stands in a wreck"),
    "on the haft of a wreck": ({**WRECKED, "driver": "on the haft for the reins", "reins": False},
        "chariots[0].driver: nobody stands in a wreck"),
    "for reins that he holds": ({"driver": "on the haft for the reins"},
        "chariots[0].driver: nobody climbs for reins that he holds"),
    "to cut nothing": ({"driver": "on the haft to cut"}, "chariots[0].driver: nobody climbs to cut a horse free that"),
    "gone without a wreck": ({"horses": 0, "gone": True, "driver": "dead"}, "chariots[0].gone: horses are gone only"),
    "out and racing": ({"out": True}, "chariots[0].out: a driver with his horses still races"),
    "out and home": ({"driver": "dead", "out": True, "home": 1}, "chariots[0].out: nobody is both home and out"),
    "home beyond the last": ({"home": 3}, "chariots[0].home: must be 0 to 2, not 3"),
    "second without a first": ({"home": 2}, "chariots[0].home: those that are home are 1, 2 and so on, each once"),
    "across the line": ({"progress": 3740}, "chariots[0].progress: it has crossed the line: say as which it is home"),
    "beyond the race": ({"progress": 4000}, "chariots[0].progress: 4000 mm is not on the way of the race"),
    "far before it": ({"progress": -4000}, "chariots[0].progress: -4000 mm is not on the way of the race"),
    "no progress": ({"progress": NAN}, "chariots[0].progress: must be a finite number, not nan"),
    "far aside": ({"offset": 1e9}, "chariots[0].offset: 1e+09 mm is not on the track"),
    "no offset": ({"offset": NAN}, "chariots[0].offset: must be a finite number, not nan"),
    "no heading": ({"heading": math.inf}, "chariots[0].heading: must be a finite number, not inf"),
    "both": ({"x": 200, "y": 0}, "chariots[0].progress: give either x and y or progress and offset"),
    "x alone": ({"progress": None, "x": 200}, "chariots[0]: a spot needs x and y, or progress"),
    "y alone": ({"progress": None, "y": 0}, "chariots[0]: a spot needs x and y, or progress"),
    "heading alone": ({"progress": None, "heading": 10}, "chariots[0]: a spot needs x and y, or progress"),
    "offset alone": ({"progress": None, "offset": 10}, "chariots[0].offset: goes with progress"),
    "off the map": ({"progress": None, "x": 1e6, "y": 0}, "chariots[0]: 1e+06, 0 is not on the map"),
    "nowhere": ({"progress": None, "x": NAN, "y": 0}, "chariots[0].x: must be a finite number, not nan"),
    "off the track": ({"offset": 75}, "chariots[0]: red stands on something or off the track"),
    "in the middle of the field": ({"progress": None, "x": 250, "y": 140}, "chariots[0]: red stands on something"),
    "on another": (ASIDE, "chariots[0]: red stands on something or off the track"),
    "on its wreck": ({"driver": "dead", "wreck": {"progress": 115}}, "chariots[0]: red stands on something"),
    "wreck on another": ({"driver": "dead", "wreck": ASIDE}, "chariots[1]: white stands on something or off the track"),
    "wreck nowhere": ({"driver": "dead", "wreck": {}}, "chariots[0].wreck: a spot needs x and y, or progress"),
}
# fmt: on


@pytest.mark.parametrize("case", CHARIOTS)
def test_a_chariot_that_cannot_be_is_refused_by_its_field(case: str) -> None:
    red, says = CHARIOTS[case]
    with pytest.raises(spina.PositionError, match=re.escape(says)):
        given(red)


TWO = [SPOT, ASIDE]
# fmt: off
WHOLES: dict[str, tuple[dict[str, Any], str]] = {
    "no chariots": ({"chariots": []}, "seats: must be 1 to 12, not 0"),
    "thirteen chariots": ({"chariots": [{}] * 13}, "seats: must be 1 to 12, not 13"),
    "seats that do not divide": ({"chariots": TWO, "seats": 3}, "chariots: 3 seats need the same number each"),
    "too many for their seats": ({"chariots": [{}] * 14, "seats": 7}, "chariots: 7 seats need the same number each"),
    "other options": ({"chariots": TWO, "options": {"chariots": 2}}, "options.chariots: 2 chariots for 2 seats are 1"),
    "unknown field": ({"chariots": TWO, "wind": 3}, "position: object contains unknown field wind"),
    "chariots missing": ({}, "position: object missing required field chariots"),
    "seed": ({"chariots": TWO, "seed": -1}, "seed: must be 0 to"),
    "turn 0": ({"chariots": TWO, "turn": 0}, "turn: must be 1 to 104, not 0"),
    "turn beyond the limit": ({"chariots": TWO, "turn": 105}, "turn: must be 1 to 104, not 105"),
    "two first": ({"chariots": [{**SPOT, "home": 1}, {**ASIDE, "home": 1}]}, "chariots[0].home: those that are home"),
    "unknown obstacle": ({"chariots": TWO, "removed": ["red"]}, 'removed[0]: only obstacles can be removed, such as'),
    "no such obstacle": ({"chariots": TWO, "removed": ["obstacle 1"]}, "removed[0]: there is no obstacle 1 here"),
    "twice": ({"chariots": [{}, {}], "options": {"scenario": "trial"}, "removed": ["obstacle 1", "obstacle 1"]},
        "removed[1]: there is no obstacle 1 here, or it is removed twice"),
    "nobody active": ({"chariots": TWO, "active": 2}, "active: there is no chariot 2: they are 0 to 1"),
    "active and home": ({"chariots": [{**SPOT, "home": 1}, ASIDE], "active": 0}, "active: chariot 0 has no turn any"),
    "active and gone": ({"chariots": [{**SPOT, **GONE}, ASIDE], "active": 0}, "active: chariot 0 has no turn any more"),
    "driving and nobody active": ({"chariots": TWO, "driving": {}}, "driving: only an active chariot drives"),
    "driving out of control": ({"chariots": [{**SPOT, "reins": False}, ASIDE], "active": 0, "driving": {}},
        "driving: chariot 0 is not under control at the beginning of its turn"),
}
DRIVING: dict[str, tuple[dict[str, Any], str]] = {
    "moved": ({"moved": -1}, "driving.moved: must be 0 to 10000, not -1"),
    "moved nowhere": ({"moved": NAN}, "driving.moved: must be a finite number, not nan"),
    "change": ({"change": 1e9}, "driving.change: must be -10000 to 10000"),
    "submoves": ({"submoves": -1}, "driving.submoves: must be 0 to 99, not -1"),
    "direction": ({"direction": NAN}, "driving.direction: must be a finite number, not nan"),
    "attacks": ({"attacks": 100}, "driving.attacks: must be 0 to 99, not 100"),
    "attacks on nobody": ({"attacks_on": {5: 1}}, "driving.attacks_on: must be 0 to 1, not 5"),
    "fewer attacks than none": ({"attacks_on": {1: -1}}, "driving.attacks_on: must be 0 to 99, not -1"),
    "a name": ({"attacks_on": {"white": 1}}, "driving.attacks_on"),
    "unknown field": ({"speed": 1}, "driving: object contains unknown field speed"),
}
# fmt: on


@pytest.mark.parametrize("case", WHOLES)
def test_a_position_that_cannot_be_is_refused_by_its_field(case: str) -> None:
    data, says = WHOLES[case]
    with pytest.raises(spina.PositionError, match=re.escape(says)):
        spina.position("chariotmaster", data)


@pytest.mark.parametrize("case", DRIVING)
def test_a_turn_that_cannot_be_is_refused_by_its_field(case: str) -> None:
    driving, says = DRIVING[case]
    with pytest.raises(spina.PositionError, match=re.escape(says)):
        spina.position("chariotmaster", {"chariots": TWO, "active": 0, "driving": driving})
