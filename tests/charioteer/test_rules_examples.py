"""The worked examples of the rulebooks, each under the name of whoever drives in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import spina
from spina.games.charioteer.play.events import (
    Attacked,
    Calmed,
    Counted,
    CrowdMoved,
    FanToken,
    Learned,
    Ordered,
    Passed,
    Recovered,
    Revealed,
    Shielded,
    Stepped,
    Whipped,
)

if TYPE_CHECKING:
    from conftest import Table

ELAINE = ["red-5 red-5 green-2", "red-5 red-5 yellow-4", "red-5 red-5 black-2", "green-6 green-6 yellow-0"]
STARTING = {"green": 3, "red": 2, "yellow": 1, "black": 0}


# --- counting a move ------------------------------------------------------------------------------------------------


def test_example_elaine_plays_six_red_fives(table: type[Table]) -> None:
    t = table({"hand": ELAINE, "plays": "red-5: a b c"}, {})
    t.turn()
    assert t.one(Revealed, 0).cards == tuple(ELAINE[:3])
    assert t.one(Counted, 0).symbols == 6


def test_example_elaine_cannot_add_a_card_without_red_fives(table: type[Table]) -> None:
    t = table({"hand": ELAINE}, {})
    assert t.race.check(0, "red-5: a b d") == "card d (green-6 green-6 yellow-0) shows no red-5"


def test_example_elaine_has_a_base_move_of_11(table: type[Table]) -> None:
    t = table({"hand": ELAINE, "plays": "red-5: a b c"}, {})
    t.turn()
    assert t.one(Counted, 0) == Counted(0, number=5, symbols=6, token=0, skill=0, damage=0, points=11)


@pytest.mark.parametrize(
    ("symbol", "hand"),
    [
        ("green-4", ["green-4 green-4 red-1", "red-1 red-1 green-4"]),
        ("yellow-4", ["yellow-4 yellow-4 red-1", "red-1 red-1 yellow-4"]),
    ],
)
def test_example_three_fours_move_7(table: type[Table], symbol: str, hand: list[str]) -> None:
    t = table({"at": 20, "hand": hand, "plays": f"{symbol}: a b"}, {})
    t.turn()
    assert (t.one(Counted, 0).symbols, t.one(Counted, 0).points) == (3, 7)
    assert t.stands(0) == (27, 0)


@pytest.mark.parametrize("symbol", ["green-2", "yellow-2", "black-2"])
def test_example_six_twos_move_8(table: type[Table], symbol: str) -> None:
    hand = [f"{symbol} {symbol} {other}" for other in ("red-1", "red-3", "red-5")]
    t = table({"at": 20, "hand": hand, "plays": f"{symbol}: a b c"}, {})
    t.turn()
    assert (t.one(Counted, 0).symbols, t.one(Counted, 0).points) == (6, 8)
    assert t.stands(0) == (28, 0)


@pytest.mark.parametrize("place", [4, 7, 11])
def test_example_elaine_has_a_total_move_of_13(table: type[Table], place: int) -> None:
    elaine = {"at": 20, "hand": ELAINE, "tokens": ["+3 red"], "damage": 2, "attack": 1}
    t = table({**elaine, "skills": {**STARTING, "red": place}, "plays": "red-5: a b c, token +3"}, {})
    t.turn()
    assert t.one(Counted, 0) == Counted(0, number=5, symbols=6, token=3, skill=1, damage=2, points=13)


def test_example_elaine_moves_13_spaces_one_by_one(table: type[Table]) -> None:
    elaine = {"at": 20, "hand": ELAINE, "tokens": ["+3 red"], "damage": 2, "attack": 1}
    t = table({**elaine, "skills": {**STARTING, "red": 6}, "plays": "red-5: a b c, token +3"}, {})
    t.turn()
    assert [step.progress for step in t.told(Stepped, 0)] == list(range(21, 34))


def test_example_a_plus_3_makes_a_move_of_7_one_of_10(table: type[Table]) -> None:
    hand = ["green-4 green-4 red-1", "red-1 red-1 green-4"]
    t = table({"at": 20, "hand": hand, "tokens": ["+3 green"]}, {})
    assert t.race.explain(0, "green-4: a b").points == 7
    t.turn("green-4: a b, token +3", "reset: a")
    assert t.one(Counted, 0).points == 10
    assert t.stands(0) == (30, 0)


def test_example_a_move_is_never_shorter_than_nothing(table: type[Table]) -> None:
    t = table({"at": 20, "hand": ELAINE, "damage": 12, "plays": "red-5: a b c"}, {})
    t.turn()
    assert t.one(Counted, 0).points == 0
    assert t.stands(0) == (20, 0)


# --- on the track ---------------------------------------------------------------------------------------------------


def test_example_david_passes_two_rivals_with_5_points(table: type[Table]) -> None:
    david, green, yellow = {"at": 20, "sprint": 5}, {"at": 22, "lane": 1}, {"at": 22, "lane": 0}
    t = table(david, green, yellow)
    t.turn()
    way = [event for event in t.race.told(None) if isinstance(event, Stepped | Passed)]
    assert way == [
        Stepped(0, progress=21, space=21, lane=0, whipped=False),
        Stepped(0, progress=22, space=22, lane=2, whipped=False),
        Passed(0, rival=1, skipped=False),
        Passed(0, rival=2, skipped=False),
        Stepped(0, progress=23, space=23, lane=0, whipped=False),
    ]
    assert (t.stands(0), t.stands(1), t.stands(2)) == ((23, 0), (22, 1), (22, 0))


def test_example_alec_corners_through_regular_spaces_only(table: type[Table]) -> None:
    t = table({"at": 3, "corner": 6}, {})
    t.turn()
    assert [step.space for step in t.told(Stepped, 0)] == [4, 6, 8, 10, 12, 14]


def test_example_emily_corners_5_spaces_from_an_outer_space_and_eliot_sprints_8(table: type[Table]) -> None:
    t = table({"at": 7, "corner": 5}, {"at": 6, "sprint": 8})
    t.turn()
    assert [step.space for step in t.told(Stepped, 0)] == [8, 10, 12, 14, 16]
    assert [step.space for step in t.told(Stepped, 1)] == [7, 8, 9, 10, 11, 12, 13, 14]


# --- rewards --------------------------------------------------------------------------------------------------------


def test_example_davids_seven_symbols_earn_a_fan_token(table: type[Table]) -> None:
    hand = ["green-4 green-4 red-1", "green-4 green-4 red-3", "red-1 red-1 green-4"]
    crowd = ["green-4 green-4 black-0", "whip", "whip"]
    t = table({"hand": hand, "tokens": [], "plays": "green-4: a b c + crowd"}, {}, crowd=crowd)
    t.turn()
    assert t.one(Counted, 0).symbols == 7
    assert t.race.view(0)["tokens"] == {t.one(FanToken, 0).token: 1}
    assert (t[0]["fan_tokens"], t.race.view(0)["bag"]) == (1, 59)


def test_example_david_has_drawn_the_skills_card_green_red_yellow_black(table: type[Table]) -> None:
    cards = table.edition().text.partition("total = { value = 24")[2].partition("list = [")[2].partition("]")[0]
    same = table.edition((cards, '"24 x green red yellow black"'))
    race = spina.new("charioteer", seats=6, seed=1, edition=same)
    for chariot in race.view(None)["chariots"]:
        assert {colour: skill["place"] for colour, skill in chariot["skills"].items()} == STARTING
        assert {skill["bonus"] for skill in chariot["skills"].values()} == {0}


def test_example_emilys_yellow_marker_goes_into_plus_5(table: type[Table]) -> None:
    hand = ["yellow-2 yellow-2 red-1", "yellow-2 yellow-2 red-3"]
    skills = {"green": 12, "yellow": 11, "red": 5, "black": 4}
    t = table({"hand": hand, "skills": skills, "plays": "yellow-2: a b"}, {})
    t.turn()
    assert t.one(Learned, 0) == Learned(0, "yellow", before=11, place=13, bonus=5)
    assert t[0]["skills"]["green"] == {"place": 12, "bonus": 3}
    assert t[0]["skills"]["yellow"] == {"place": 13, "bonus": 5}


@pytest.mark.parametrize("symbol", ["yellow-2", "green-2"])
def test_example_emilys_markers_in_the_bonus_box_never_advance_again(table: type[Table], symbol: str) -> None:
    hand = [f"{symbol} {symbol} red-1", f"{symbol} {symbol} red-3"]
    skills = {"green": 12, "yellow": 13, "red": 5, "black": 4}
    t = table({"hand": hand, "skills": skills, "plays": f"{symbol}: a b"}, {}, emperor="all")
    t.turn()
    assert t.told(Learned, 0) == []
    assert {colour: skill["place"] for colour, skill in t[0]["skills"].items()} == skills


@pytest.mark.parametrize(("symbol", "bonus"), [("red-1", 0), ("yellow-2", 1), ("green-2", 1), ("black-1", 3)])
def test_example_alecs_skill_bonuses(table: type[Table], symbol: str, bonus: int) -> None:
    hand = [f"{symbol} {symbol} black-0", f"{symbol} {symbol} yellow-0"]
    skills = {"red": 2, "yellow": 5, "green": 8, "black": 12}
    t = table({"hand": hand, "skills": skills, "plays": f"{symbol}: a b"}, {})
    t.turn()
    assert t.one(Counted, 0).skill == bonus


# --- damage ---------------------------------------------------------------------------------------------------------

ELIOT = ["red-3 red-3 green-2", "red-3 red-3 yellow-4", "black-2 black-2 red-3"]
RED_CROWD = ["red-3 red-3 green-4", "yellow-0 yellow-0 green-4", "black-0 black-0 green-4"]


def test_example_eliots_four_red_cards_are_a_major_attack(table: type[Table]) -> None:
    eliot = {"hand": ELIOT, "plays": "red-3: a b c + crowd"}
    t = table(eliot, {"at": 30, "sprint": 8}, {"at": 40, "sprint": 9}, crowd=RED_CROWD)
    t.turn()
    assert t.one(Attacked) == Attacked(0, cubes=2, cards=4)
    assert t.all("damage") == [0, 2 + 2, 1 + 2]


def test_example_alecs_shield_keeps_eliots_attack_off(table: type[Table]) -> None:
    eliot = {"hand": ELIOT, "plays": "red-3: a b c + crowd"}
    alec = {"at": 30, "hand": ["green-2 green-2 red-1", "green-2 green-2 red-5"], "tokens": ["shield"]}
    t = table(eliot, {**alec, "plays": "green-2: a b, token shield"}, {"at": 40, "sprint": 9}, crowd=RED_CROWD)
    t.turn()
    assert (t[1]["damage"], t[2]["damage"]) == (0, 3)
    assert t.race.view(1)["tokens"] == {}
    assert t.race.view(None)["spent_tokens"] == {"shield": 1}


def test_example_of_five_cubes_a_recovery_removes_three(table: type[Table]) -> None:
    hand = ["yellow-4 yellow-4 red-1", "yellow-4 yellow-4 red-3"]
    t = table({"hand": hand, "damage": 5, "attack": 2, "plays": "yellow-4: a b"}, {})
    t.turn()
    assert t.one(Recovered, 0) == Recovered(0, cubes=3, left=2, recoveries=1)
    assert t.one(Counted, 0).points == 4 + 4 - 2
    assert t[0]["damage"] == 2 + 2  # the attack boxes were not touched, and empty into the damage box


def test_example_a_reset_calms_the_horses(table: type[Table]) -> None:
    t = table({"at": 20, "damage": 6, "attack": 2, "plays": "reset: a b c"}, {}, edition=table.die("sprint"))
    t.turn()
    assert t.one(Calmed, 0) == Calmed(0, damage=6, attack=2)
    assert (t.stands(0), t[0]["damage"], t[0]["attack"]) == ((20, 0), 0, 0)


@pytest.mark.parametrize(("seats", "cubes"), [(2, 3), (3, 2), (4, 1), (5, 0), (6, 0)])
def test_example_disrupt_table(table: type[Table], seats: int, cubes: int) -> None:
    race = spina.new("charioteer", seats=seats, seed=5, edition=table.die("disrupt"))
    assert [chariot["attack"] for chariot in race.view(None)["chariots"]] == [cubes] * seats
    assert [chariot["damage"] for chariot in race.view(None)["chariots"]] == [0] * seats


# --- icons ----------------------------------------------------------------------------------------------------------

DAVID = ["red-1 red-1 shield", "red-1 red-1 black-1", "black-1 black-1 red-1"]


def test_example_davids_shield_is_part_of_his_red_1_move(table: type[Table]) -> None:
    t = table({"hand": DAVID, "attack": 2, "plays": "red-1: a b c"}, {})
    t.turn()
    assert t.one(Shielded, 0) == Shielded(0, cubes=2)
    assert t[0]["damage"] == 0


def test_example_david_could_not_play_the_shield_with_black_1(table: type[Table]) -> None:
    t = table({"hand": DAVID}, {})
    assert t.race.check(0, "black-1: b c") is None
    assert t.race.check(0, "black-1: a b c") == "card a (red-1 red-1 shield) shows no black-1"


def test_example_a_black_token_goes_with_a_black_move_only(table: type[Table]) -> None:
    t = table({"hand": DAVID, "tokens": ["+5 black", "+3 black", "learning black"]}, {})
    for token in ("+5 black", "+3 black", "learning black"):
        assert t.race.check(0, f"black-1: b c, token {token}") is None
        assert t.race.check(0, f"red-1: b c, token {token}") == f"{token} does not go with a red move"


@pytest.mark.parametrize("symbol", ["green-2", "red-1", "yellow-2", "black-1"])
def test_example_a_shield_token_has_no_colour(table: type[Table], symbol: str) -> None:
    hand = [f"{symbol} {symbol} black-0", f"{symbol} {symbol} yellow-0"]
    t = table({"hand": hand, "tokens": ["shield"], "attack": 3, "plays": f"{symbol}: a b, token shield"}, {})
    t.turn()
    assert t.one(Shielded, 0).cubes == 3


def test_example_emily_whips_up_to_david_2_spaces_ahead(table: type[Table]) -> None:
    t = table({"at": 20, "sprint": 3, "whip": True}, {"at": 25})
    t.turn()
    assert [(step.space, step.whipped) for step in t.told(Stepped, 0)] == [
        *((space, False) for space in (21, 22, 23)),
        *((space, True) for space in (24, 25)),
    ]
    assert t.one(Whipped, 0) == Whipped(0, whips=1, spaces=2, ended="blocked")
    assert (t.stands(0), t.stands(1)) == ((25, 1), (25, 0))


def test_example_a_whip_with_a_cornering_move_skips_outer_spaces(table: type[Table]) -> None:
    t = table({"at": 3, "corner": 2, "whip": True}, {"at": 30})
    t.turn()
    assert [step.space for step in t.told(Stepped, 0)] == [4, 6, 8, 10, 12, 14, 16]


def test_example_a_whip_with_a_cornering_move_stops_before_a_rival_on_an_outer_space(table: type[Table]) -> None:
    t = table({"at": 3, "corner": 2, "whip": True}, {"at": 11})
    t.turn()
    assert [step.space for step in t.told(Stepped, 0)] == [4, 6, 8, 10]
    assert t.one(Whipped, 0) == Whipped(0, whips=1, spaces=2, ended="blocked")


@pytest.mark.parametrize("symbol", ["green-2", "red-1", "yellow-2", "black-1"])
def test_example_a_whip_card_joins_any_move(table: type[Table], symbol: str) -> None:
    hand = [f"{symbol} {symbol} black-0", "whip", f"{symbol} {symbol} yellow-0"]
    t = table({"at": 20, "hand": hand, "plays": f"{symbol}: a b c"}, {"at": 60})
    t.turn()
    assert t.one(Counted, 0).symbols == 4
    assert t.one(Whipped, 0) == Whipped(0, whips=1, spaces=5, ended="spent")


def test_example_david_changes_a_card_by_a_wild_and_loses_its_shield(table: type[Table]) -> None:
    hand = ["red-3 red-3 green-2", "black-2 black-2 red-3", "green-2 green-2 shield"]
    david = {"hand": hand, "tokens": ["wild red"], "attack": 1}
    t = table({**david, "plays": "red-3: a b c, token wild on c"}, {})
    t.turn()
    assert t.one(Revealed, 0).changed == 2
    assert t.one(Counted, 0).symbols == 2 + 1 + 2
    assert t.told(Shielded) == []
    assert t[0]["damage"] == 1


def test_example_elaine_plays_a_recovery_token_and_a_discard_token(table: type[Table]) -> None:
    hand = ["green-2 green-2 red-1", "green-2 green-2 red-3", "whip", "black-0 black-0 red-1", "black-0 black-0 red-3"]
    elaine = {"hand": hand, "tokens": ["recovery", "discard-2", "+5 red"], "damage": 4}
    t = table({**elaine, "plays": "green-2: a b, token recovery, discard-2 d e"}, {})
    t.turn()
    assert t.one(Revealed, 0).token == "recovery"
    assert (t.one(Revealed, 0).discard_token, t.one(Revealed, 0).discards) == ("discard-2", 2)
    assert t.one(Recovered, 0) == Recovered(0, cubes=2, left=2, recoveries=1)
    view = t.race.view(0)
    assert view["tokens"] == {"+5 red": 1}
    assert view["discards"]["own"] == ["black-0 black-0 red-1", "black-0 black-0 red-3"]
    assert (view["hand"]["a"], len(view["hand"])) == ("whip", 8)


# --- the crowd, the first turn, the last turn -----------------------------------------------------------------------


def test_example_the_crowd_track_slides_forward(table: type[Table]) -> None:
    crowd = ["red-1 red-1 green-2", "black-0 black-0 green-2", "yellow-4 yellow-4 green-2"]
    t = table({}, {}, crowd=crowd)
    t.turn()
    now = t.race.view(None)["crowd"]
    assert now[:2] == crowd[1:]
    assert now[2] not in crowd
    assert tuple(now) == t.one(CrowdMoved).cards
    assert t.race.view(None)["discards"]["open"][-1] == crowd[0]


def test_example_on_the_first_turn_rivals_cost_nothing_and_whips_do_nothing(table: type[Table]) -> None:
    t = table({"sprint": 2}, {"sprint": 2, "whip": True}, {"sprint": 5}, turn=1, first_seat=1)
    t.turn()
    assert t.one(Ordered).seats == (1, 2, 0)
    assert t.all("progress") == [-4 + 2, -4 + 2, -4 + 5]
    assert t.one(Whipped, 1) == Whipped(1, whips=1, spaces=0, ended="first turn")


def test_example_on_the_last_turn_everybody_finishes_the_move_and_the_furthest_wins(table: type[Table]) -> None:
    t = table({"at": 190, "sprint": 4}, {"at": 188, "sprint": 9}, {"at": 170, "sprint": 9})
    t.turn()
    assert t.race.over
    assert t.all("progress") == [194, 196, 179]
    assert t.race.ranking == [[1], [0], [2]]


def test_example_on_the_last_turn_a_lone_finisher_wins(table: type[Table]) -> None:
    t = table({"at": 180, "sprint": 9}, {"at": 190, "sprint": 2})
    t.turn()
    assert t.race.ranking == [[1], [0]]


def test_example_on_the_last_turn_the_inside_wins_a_shared_space(table: type[Table]) -> None:
    t = table({"at": 189, "sprint": 6}, {"at": 191, "sprint": 4})
    t.turn()
    assert (t.stands(0), t.stands(1)) == ((195, 1), (195, 0))
    assert t.race.ranking == [[1], [0]]


def test_example_beyond_the_last_line_a_sprint_skips_outer_spaces(table: type[Table]) -> None:
    t = table({"at": 190, "sprint": 9}, {"at": 100})
    t.turn()
    assert [step.space for step in t.told(Stepped, 0)] == [63, 0, 1, 2, 3, 4, 6, 8, 10]
