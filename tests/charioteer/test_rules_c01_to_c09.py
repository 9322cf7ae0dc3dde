"""Rulings C1 to C9: order, points, the first turn, what a move needs, attacks, wilds, cubes, recovery."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

import spina
from spina import replay
from spina.games.charioteer.play.actions import Choice
from spina.games.charioteer.play.events import (
    Attacked,
    Counted,
    Cube,
    Emperor,
    Learned,
    Ordered,
    Passed,
    Recovered,
    Shielded,
    Stepped,
    Whipped,
)
from spina.save_file import Saved, Secrets

if TYPE_CHECKING:
    from conftest import Table

RED = ["red-3 red-3 green-2", "red-3 red-3 yellow-4", "black-2 black-2 red-3", "whip", "green-4 green-4 black-0"]
PLAIN_CROWD = ["green-2 green-2 black-0", "whip", "whip"]
RED_CROWD = ["red-3 red-3 green-4", "whip", "whip"]
WHIP_CROWD = ["whip", "green-2 green-2 black-0", "green-2 green-2 black-1"]


# --- C1: order ------------------------------------------------------------------------------------------------------


def test_c1_further_along_moves_first_and_the_inside_first_within_a_space(table: type[Table]) -> None:
    t = table({"at": 20}, {"at": 25, "lane": 1}, {"at": 25, "lane": 0}, {"at": 30})
    t.turn()
    assert t.one(Ordered).seats == (3, 2, 1, 0)


def test_c1_order_is_not_computed_anew_during_the_turn(table: type[Table]) -> None:
    t = table({"at": 20, "sprint": 9}, {"at": 24, "sprint": 9}, {"at": 25, "sprint": 0})
    t.turn()
    assert t.one(Ordered).seats == (2, 1, 0)
    assert [event.seat for event in t.told(Counted)] == [2, 1, 0]
    assert t.race.ranking == [[1], [0], [2]]


# --- C2: a point of movement ----------------------------------------------------------------------------------------


def test_c2_a_point_swaps_with_the_nearest_rival_inside(table: type[Table]) -> None:
    t = table({"at": 20, "lane": 2, "sprint": 1}, {"at": 20, "lane": 0}, {"at": 20, "lane": 1})
    t.turn()
    assert t.told(Passed, 0) == [Passed(0, rival=2, skipped=False)]
    assert (t.stands(0), t.stands(1), t.stands(2)) == ((20, 1), (20, 0), (20, 2))


def test_c2_with_nobody_inside_a_point_steps_on_and_stands_outside_everyone(table: type[Table]) -> None:
    t = table({"at": 20, "lane": 0, "sprint": 1}, {"at": 20, "lane": 1}, {"at": 21, "lane": 0}, {"at": 21, "lane": 1})
    t.turn()
    assert (t.stands(0), t.stands(1)) == ((21, 2), (20, 0))


# --- C3: the first turn ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_c3_the_first_seat_is_random_and_innermost(table: type[Table], seats: int) -> None:
    seen = set()
    for seed in range(60):
        view = spina.new("charioteer", seats=seats, seed=seed, edition=table.edition()).view(None)
        first = view["first_seat"]
        seen.add(first)
        lanes = [chariot["lane"] for chariot in view["chariots"]]
        assert lanes == [(seat - first) % seats for seat in range(seats)]
        assert {chariot["progress"] for chariot in view["chariots"]} == {-4}
    assert seen == set(range(seats))


@pytest.mark.parametrize("first", range(4))
def test_c3_the_first_seat_is_innermost_in_a_position_of_the_first_turn(table: type[Table], first: int) -> None:
    outwards = [(seat - first) % 4 for seat in range(4)]
    assert table({}, {}, {}, {}, turn=1, first_seat=first).all("lane") == outwards
    assert table({}, {}, {}, {}, turn=2, first_seat=first).all("lane") == [0, 1, 2, 3]
    lanes = [{"lane": lane} for lane in (3, 1, 0, 2)]
    assert table(*lanes, turn=1, first_seat=first).all("lane") == [3, 1, 0, 2]
    apart = table({"at": 5}, {"at": 9}, {"at": 5}, {"at": 5}, turn=1, first_seat=first)
    there = sorted((0, 2, 3), key=lambda seat: (seat - first) % 4)
    assert [apart[seat]["lane"] for seat in there] == [0, 1, 2]


def test_c3_a_race_from_such_a_position_that_was_saved_before_comes_out_as_it_did() -> None:
    """It was saved when lanes that were left out followed the seats; a new one says its lanes."""
    origin = {"chariots": [{"progress": 224}] * 3, "turn": 1, "first_seat": 1, "seed": 4}
    actions = [(0, "reset: a"), (1, "reset: a"), (2, "green-6: d e g, token +5, discard-3 a b f")]
    race = Secrets(origin=origin, actions=actions, hashes=[(3, "3f33c255455feebd")])
    former = replay.replay(
        Saved(
            spina=1, game="charioteer", rules=1, edition="d6f40b78c4eb377df607c86c1d5092db", seats=3, options={},
            over=True, turn=1, race=race,
        )
    )  # fmt: skip
    assert former.ranking == [[2], [0], [1]]
    again = spina.position("charioteer", origin)
    for seat, action in actions:
        again.play(seat, action)
    assert again.ranking == [[2], [1], [0]]
    assert replay.replay(replay.parse(msgspec.json.encode(again.saved()))).hash() == again.hash()


def test_c3_chariots_leave_in_seat_order_from_the_first_seat(table: type[Table]) -> None:
    t = table({}, {}, {}, {}, turn=1, first_seat=2)
    t.turn()
    assert t.one(Ordered).seats == (2, 3, 0, 1)


def test_c3_rivals_cost_no_points_on_the_first_turn(table: type[Table]) -> None:
    """Seat 0 stays inside at the start and seat 1 stops on the way; seat 2 gets past both for nothing."""
    t = table({}, {"sprint": 3}, {"sprint": 5}, turn=1)
    t.turn()
    assert t.told(Passed) == []
    assert (t.stands(0), t.stands(1), t.stands(2)) == ((-4, 0), (-1, 0), (1, 0))


def test_c3_whoever_ends_in_an_occupied_space_stands_outside_those_who_came_earlier(table: type[Table]) -> None:
    t = table({"sprint": 3}, {"sprint": 3}, {"sprint": 3}, turn=1, first_seat=1)
    t.turn()
    assert (t.stands(1), t.stands(2), t.stands(0)) == ((-1, 0), (-1, 1), (-1, 2))


def test_c3_whips_do_nothing_on_the_first_turn(table: type[Table]) -> None:
    t = table({"sprint": 6}, {"sprint": 1, "whip": True}, turn=1)
    t.turn()
    assert t.one(Whipped, 1) == Whipped(1, whips=1, spaces=0, ended="first turn")
    assert t.stands(1) == (-3, 0)


def test_c3_holds_on_the_first_turn_only(table: type[Table]) -> None:
    t = table({"lane": 0}, {"lane": 1, "sprint": 3}, turn=2)
    t.turn()
    assert t.stands(1) == (-4 + 2, 0)


# --- C4: what a move needs ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "crowd"),
    [
        ("red-3: a b", PLAIN_CROWD),
        ("red-3: a + crowd", RED_CROWD),
        ("red-3: a e, token wild on e", PLAIN_CROWD),
        ("red-3: e + crowd, token wild on e", RED_CROWD),
        ("red-3: a b d", PLAIN_CROWD),
        ("red-3: a d + crowd", RED_CROWD),
    ],
)
def test_c4_two_cards_must_show_the_symbol(table: type[Table], line: str, crowd: list[str]) -> None:
    t = table({"hand": RED, "tokens": ["wild red"]}, {}, crowd=crowd)
    assert t.race.check(0, line) is None


def test_c4_one_card_that_shows_the_symbol_twice_is_not_enough(table: type[Table]) -> None:
    t = table({"hand": RED}, {}, crowd=PLAIN_CROWD)
    assert t.race.check(0, "red-3: a") == "only one card of this move shows red-3: at least two must"


def test_c4_at_least_one_card_comes_from_the_hand(table: type[Table]) -> None:
    t = table({"hand": RED}, {}, crowd=RED_CROWD)
    assert t.race.check(0, "red-3: + crowd") == "a move needs at least one card from the hand"


@pytest.mark.parametrize(("line", "crowd"), [("red-3: a d", PLAIN_CROWD), ("red-3: a d + crowd", WHIP_CROWD)])
def test_c4_whips_do_not_count_toward_the_two(table: type[Table], line: str, crowd: list[str]) -> None:
    t = table({"hand": RED}, {}, crowd=crowd)
    assert t.race.check(0, line) == "only one card of this move shows red-3: at least two must"


def test_c4_a_whip_takes_one_of_the_three_places(table: type[Table]) -> None:
    t = table({"hand": RED}, {})
    assert t.race.check(0, "red-3: a b c d") == "a move takes at most 3 cards from the hand, not 4"


def test_c4_two_whips_may_join_one_card_and_the_crowd_card(table: type[Table]) -> None:
    t = table(
        {"at": 20, "hand": ["red-3 red-3 green-2", "whip", "whip"]},
        {"at": 40},
        crowd=["red-3 red-3 green-4", "whip", "green-4 green-4 red-1"],
    )
    t.turn("red-3: a b c + crowd", "reset: a")
    assert t.one(Counted, 0).symbols == 4
    assert t.one(Whipped, 0).whips == 2


# --- C5: the crowd card ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("symbol", ["green-2", "red-1", "yellow-2", "black-1"])
def test_c5_a_whip_as_crowd_card_joins_any_move(table: type[Table], symbol: str) -> None:
    hand = [f"{symbol} {symbol} red-3", f"{symbol} {symbol} red-5"]
    crowd = ["whip", "red-3 red-3 green-6", "red-3 red-3 green-4"]
    t = table({"at": 20, "hand": hand, "plays": f"{symbol}: a b + crowd"}, {"at": 60}, crowd=crowd)
    t.turn()
    assert t.one(Whipped, 0) == Whipped(0, whips=1, spaces=5, ended="spent")


def test_c5_icons_of_the_crowd_card_work_for_everyone_who_includes_it(table: type[Table]) -> None:
    first = {"hand": ["red-1 red-1 green-2"], "attack": 2, "plays": "red-1: a + crowd"}
    second = {"hand": ["red-1 red-1 green-4"], "attack": 3, "plays": "red-1: a + crowd"}
    third = {"hand": ["red-1 red-1 green-6", "red-1 red-1 black-0"], "attack": 1, "plays": "red-1: a b"}
    t = table(first, second, third, crowd=["red-1 red-1 shield", "whip", "whip"])
    t.turn()
    assert t.told(Shielded) == [Shielded(0, cubes=2), Shielded(1, cubes=3)]
    assert t.all("damage") == [0, 0, 1]


def test_c5_a_learning_or_recovery_icon_of_the_crowd_card_works_too(table: type[Table]) -> None:
    learner = {"hand": ["red-5 red-5 green-2"], "plays": "red-5: a + crowd"}
    t = table(learner, {}, crowd=["red-5 red-5 learning", "whip", "whip"])
    t.turn()
    assert len(t.told(Learned, 0)) == 2
    hurt = {"hand": ["red-3 red-3 green-2"], "damage": 4, "plays": "red-3: a + crowd"}
    t = table(hurt, {}, crowd=["red-3 red-3 recovery", "whip", "whip"])
    t.turn()
    assert t.one(Recovered, 0).cubes == 2


# --- C6: attacks ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "crowd", "cards", "cubes"),
    [
        ("red-3: a b", PLAIN_CROWD, 2, 0),
        ("red-3: a b d", PLAIN_CROWD, 2, 0),
        ("red-3: a b d + crowd", WHIP_CROWD, 2, 0),
        ("red-3: a b c", PLAIN_CROWD, 3, 1),
        ("red-3: a b c + crowd", WHIP_CROWD, 3, 1),
        ("red-3: a b + crowd", RED_CROWD, 3, 1),
        ("red-3: a b e, token wild on e", PLAIN_CROWD, 3, 1),
        ("red-3: a b d, token wild on d", PLAIN_CROWD, 3, 1),
        ("red-3: a b d + crowd", RED_CROWD, 3, 1),
        ("red-3: a b c + crowd", RED_CROWD, 4, 2),
        ("red-3: a b e + crowd, token wild on e", RED_CROWD, 4, 2),
        ("red-3: a b d + crowd, token wild on d", RED_CROWD, 4, 2),
    ],
)
def test_c6_an_attack_counts_cards_that_show_the_symbol(
    table: type[Table], line: str, crowd: list[str], cards: int, cubes: int
) -> None:
    rivals = [{"at": 30, "sprint": 10}, {"at": 40, "sprint": 10}]
    t = table({"hand": RED, "tokens": ["wild red"]}, *rivals, crowd=crowd)
    t.turn(line, *t.lines[1:])
    assert t.told(Attacked) == ([Attacked(0, cubes, cards)] if cubes else [])
    assert t.all("damage") == [0, cubes, cubes]


@pytest.mark.parametrize("symbol", ["green-2", "yellow-2", "black-2"])
def test_c6_other_colours_do_not_attack(table: type[Table], symbol: str) -> None:
    hand = [f"{symbol} {symbol} {other}" for other in ("red-1", "red-3", "red-5")]
    crowd = [f"{symbol} {symbol} green-4", "whip", "whip"]
    t = table({"hand": hand, "plays": f"{symbol}: a b c + crowd"}, {"at": 30, "sprint": 10}, crowd=crowd)
    t.turn()
    assert t.told(Attacked) == []
    assert t[1]["damage"] == 0


# --- C7: wilds ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "symbols"),
    [
        ("red-3: a b", 4),
        ("red-3: a e, token wild on e", 2 + 2),  # a card without the symbol
        ("red-3: a c, token wild on c", 2 + 2),  # a card that showed it once
        ("red-3: a b, token wild on b", 2 + 2),  # a card that showed it twice already
        ("red-3: a d, token wild on d", 2 + 2),  # a whip
    ],
)
def test_c7_the_changed_card_counts_two(table: type[Table], line: str, symbols: int) -> None:
    t = table({"hand": RED, "tokens": ["wild red"]}, {})
    t.turn(line, "reset: a")
    assert t.one(Counted, 0).symbols == symbols


def test_c7_the_changed_card_loses_its_icon(table: type[Table]) -> None:
    hand = ["red-3 red-3 green-2", "green-2 green-2 shield", "red-3 red-3 recovery", "red-5 red-5 learning", "whip"]
    hurt = {"at": 20, "hand": hand, "tokens": ["wild red"], "damage": 4, "attack": 2}
    for slot in "bcde":
        t = table(hurt, {"at": 40})
        t.turn(f"red-3: a {slot}, token wild on {slot}", "reset: a")
        assert t.told(Shielded, 0) + t.told(Recovered, 0) + t.told(Whipped, 0) == []
        assert len(t.told(Learned, 0)) == 1
        assert t[0]["damage"] == 4 + 2


def test_c7_only_the_changed_card_loses_its_icon(table: type[Table]) -> None:
    hand = ["red-3 red-3 recovery", "green-2 green-2 shield"]
    t = table({"hand": hand, "tokens": ["wild red"], "damage": 4}, {})
    t.turn("red-3: a b, token wild on b", "reset: a")
    assert t.one(Recovered, 0).cubes == 2


def test_c7_the_wild_has_the_colour_of_the_move(table: type[Table]) -> None:
    t = table({"hand": RED, "tokens": ["wild red", "wild green"]}, {})
    assert t.race.check(0, "red-3: a e, token wild red on e") is None
    assert t.race.check(0, "red-3: a e, token wild green on e") == "wild green does not go with a red move"


def test_c7_the_crowd_card_cannot_be_changed(table: type[Table]) -> None:
    t = table({"hand": RED, "tokens": ["wild red"]}, {}, crowd=PLAIN_CROWD)
    assert t.race.check(0, "red-3: a e + crowd, token wild on e") == (
        "the crowd card (green-2 green-2 black-0) shows no red-3"
    )


# --- C8: disrupt cubes ----------------------------------------------------------------------------------------------


def test_c8_disrupt_cubes_lie_there_before_anyone_chooses(table: type[Table]) -> None:
    race = spina.new("charioteer", seats=3, seed=1, edition=table.die("disrupt"))
    assert race.to_act == (0, 1, 2)
    assert [chariot["attack"] for chariot in race.view(None)["chariots"]] == [2, 2, 2]


def test_c8_disrupt_cubes_of_a_later_turn_come_with_its_die(table: type[Table]) -> None:
    t = table({}, {}, {}, edition=table.die("disrupt"))
    t.turn()
    events = t.race.told(None)
    cubes = [event for event in events if isinstance(event, Cube)]
    assert cubes == [Cube(seat, None, box) for seat in range(3) for box in (1, 2)]
    assert events.index(t.one(Emperor)) < events.index(cubes[0])
    assert (t.all("attack"), t.all("damage")) == ([2, 2, 2], [0, 0, 0])


def test_c8_a_shield_or_a_reset_at_the_reveal_clears_them(table: type[Table]) -> None:
    shielded = {"at": 20, "hand": ["red-1 red-1 shield", "red-1 red-1 green-2"], "plays": "red-1: a b", "attack": 2}
    t = table(shielded, {"at": 30, "attack": 2}, {"at": 40, "sprint": 10, "attack": 2}, edition=table.die("sprint"))
    t.turn()
    assert t.one(Shielded, 0).cubes == 2
    assert (t.all("attack"), t.all("damage")) == ([0, 0, 0], [0, 0, 2])


def test_c8_the_fourth_cube_is_lost(table: type[Table]) -> None:
    t = table({"hand": RED}, {"at": 30, "sprint": 10, "attack": 2}, crowd=RED_CROWD)
    t.turn("red-3: a b c + crowd", t.lines[1])
    assert t.told(Cube, 1)[:1] == [Cube(1, by=0, box=3)]
    assert [cube for cube in t.told(Cube, 1) if cube.by == 0] == [Cube(1, by=0, box=3)]
    assert t[1]["damage"] == 3


# --- C9: recovery ---------------------------------------------------------------------------------------------------

YELLOW = ["yellow-2 yellow-2 red-1", "yellow-2 yellow-2 red-3", "yellow-2 yellow-2 recovery"]


@pytest.mark.parametrize(("damage", "removed"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (20, 10)])
def test_c9_a_yellow_move_removes_half_rounded_up(table: type[Table], damage: int, removed: int) -> None:
    t = table({"hand": YELLOW, "damage": damage, "plays": "yellow-2: a b"}, {})
    t.turn()
    assert t.one(Recovered, 0) == Recovered(0, removed, damage - removed, 1)
    assert t[0]["damage"] == damage - removed


@pytest.mark.parametrize(
    ("hand", "crowd", "line"),
    [
        (["green-4 green-4 recovery", "green-4 green-4 red-1"], PLAIN_CROWD, "green-4: a b"),
        (["green-4 green-4 black-2", "green-4 green-4 red-1"], PLAIN_CROWD, "green-4: a b, token recovery"),
        (["green-4 green-4 red-1"], ["green-4 green-4 recovery", "whip", "whip"], "green-4: a + crowd"),
    ],
)
def test_c9_each_icon_is_one_recovery(table: type[Table], hand: list[str], crowd: list[str], line: str) -> None:
    t = table({"hand": hand, "tokens": ["recovery"], "damage": 5}, {}, crowd=crowd)
    t.turn(line, "reset: a")
    assert t.one(Recovered, 0) == Recovered(0, cubes=3, left=2, recoveries=1)


@pytest.mark.parametrize(
    ("hand", "crowd", "line", "recoveries"),
    [
        (YELLOW, PLAIN_CROWD, "yellow-2: a c", 2),
        (YELLOW, PLAIN_CROWD, "yellow-2: a b, token recovery", 2),
        (YELLOW[:2], [YELLOW[2], "whip", "whip"], "yellow-2: a b + crowd", 2),
        (YELLOW[:2], [YELLOW[2], "whip", "whip"], "yellow-2: a b + crowd, token recovery", 3),
        (["red-3 red-3 recovery", "red-3 red-3 green-4"], PLAIN_CROWD, "red-3: a b, token recovery", 2),
    ],
)
def test_c9_two_or_more_remove_everything(
    table: type[Table], hand: list[str], crowd: list[str], line: str, recoveries: int
) -> None:
    t = table({"hand": hand, "tokens": ["recovery"], "damage": 7, "attack": 1}, {}, crowd=crowd)
    t.turn(line, "reset: a")
    assert t.one(Recovered, 0) == Recovered(0, cubes=7, left=0, recoveries=recoveries)
    assert t[0]["damage"] == 1  # out of the attack box, which no recovery touches


def test_c9_recovery_comes_before_the_move_is_counted(table: type[Table]) -> None:
    t = table({"at": 20, "hand": YELLOW, "damage": 5, "plays": "yellow-2: a b"}, {})
    t.turn()
    assert t.one(Counted, 0) == Counted(0, number=2, symbols=4, token=0, skill=0, damage=2, points=4)
    assert len(t.told(Stepped, 0)) == 4


def test_c9_a_move_without_recovery_removes_nothing(table: type[Table]) -> None:
    t = table({"sprint": 5}, {})
    t.turn()
    assert t.told(Recovered) == []
    assert t[0]["damage"] == 5


def test_c9_a_crowd_card_left_out_recovers_nothing(table: type[Table]) -> None:
    hand = ["green-4 green-4 black-2", "green-4 green-4 red-1"]
    t = table({"hand": hand, "damage": 5}, {}, crowd=["green-4 green-4 recovery", "whip", "whip"])
    t.race.play(0, Choice("green-4", "ab"))
    t.race.play(1, "reset: a")
    assert t.told(Recovered) == []
