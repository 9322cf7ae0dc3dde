"""Rulings C19 to C26: points and places, passing, laps apart, idle moves, the end of a turn, set-up, the line."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

import spina
from spina.games.charioteer.components.edition import reference
from spina.games.charioteer.play.events import (
    Attacked,
    Counted,
    CrowdMoved,
    Cube,
    Drew,
    Emperor,
    FanToken,
    Finished,
    Lap,
    Learned,
    Ordered,
    Passed,
    Recovered,
    Shuffled,
    Stepped,
    Suffered,
    Turn,
    Whipped,
)

if TYPE_CHECKING:
    from conftest import Table

LAP = 64
SIX = ["green-2 green-2 red-1", "green-2 green-2 red-3", "green-2 green-2 red-5"]
RED = ["red-3 red-3 green-2", "red-3 red-3 yellow-4", "black-2 black-2 red-3"]
MORE_RED = ["red-5 red-5 green-2", "red-5 red-5 yellow-4", "black-2 black-2 red-5"]
BOTH_REDS = ["red-3 red-3 red-5", "whip", "whip"]
"""A crowd card for both attackers."""


# --- C19: points and places -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("points", range(11))
def test_c19_all_points_are_spent(table: type[Table], points: int) -> None:
    """Spaces and rivals together take every point."""
    t = table({"at": 20, "sprint": points}, {"at": 22}, {"at": 24, "lane": 0}, {"at": 24, "lane": 1})
    t.turn()
    assert t.one(Counted, 0).points == points
    assert len(t.told(Stepped, 0)) + len(t.told(Passed, 0)) == points


def test_c19_whoever_enters_stands_outside_those_who_came_in_the_same_turn(table: type[Table]) -> None:
    t = table({"at": 20, "sprint": 5}, {"at": 22, "sprint": 3}, {"at": 25}, {"at": 24, "sprint": 1})
    t.turn()
    assert [t.stands(seat) for seat in (2, 3, 1, 0)] == [(25, 0), (25, 1), (25, 2), (25, 3)]


def test_c19_those_who_stay_keep_their_places_and_gaps_close(table: type[Table]) -> None:
    t = table({"at": 20, "lane": 0, "sprint": 2}, *({"at": 20, "lane": lane} for lane in (2, 1, 3)))
    t.turn()
    assert [t.stands(seat) for seat in range(4)] == [(22, 0), (20, 1), (20, 0), (20, 2)]


# --- C20: passing ---------------------------------------------------------------------------------------------------


def test_c20_entering_a_space_behind_a_rival_is_not_passing(table: type[Table]) -> None:
    t = table({"at": 20, "sprint": 2, "whip": True}, {"at": 22})
    t.turn()
    assert t.told(Passed) == []
    assert t.one(Whipped, 0).ended == "blocked"


def test_c20_leaving_a_space_from_the_inside_is_not_passing(table: type[Table]) -> None:
    t = table({"at": 20, "lane": 0, "sprint": 2, "whip": True}, {"at": 20, "lane": 1}, {"at": 40})
    t.turn()
    assert t.told(Passed) == []
    assert t.one(Whipped, 0) == Whipped(0, whips=1, spaces=5, ended="spent")


def test_c20_a_black_move_from_an_outer_space_first_swaps_with_rivals_inside(table: type[Table]) -> None:
    t = table({"at": 7, "lane": 2, "corner": 4}, {"at": 7, "lane": 0}, {"at": 7, "lane": 1})
    t.turn()
    assert t.told(Passed, 0) == [Passed(0, rival=2, skipped=False), Passed(0, rival=1, skipped=False)]
    assert [step.space for step in t.told(Stepped, 0)] == [8, 10]


def test_c20_a_black_move_skips_rivals_on_outer_spaces_for_nothing(table: type[Table]) -> None:
    t = table({"at": 6, "corner": 2}, {"at": 7, "lane": 0}, {"at": 7, "lane": 1}, {"at": 9})
    t.turn()
    assert {passed.rival for passed in t.told(Passed, 0)} == {1, 2, 3}
    assert all(passed.skipped for passed in t.told(Passed, 0))
    assert t.stands(0) == (10, 0)


def test_c20_a_black_move_still_pays_for_rivals_on_regular_spaces(table: type[Table]) -> None:
    t = table({"at": 6, "corner": 3}, {"at": 8})
    t.turn()
    assert t.told(Passed, 0) == [Passed(0, rival=1, skipped=False)]
    assert t.stands(0) == (10, 0)


# --- C21: laps apart ------------------------------------------------------------------------------------------------


def test_c21_a_chariot_a_lap_behind_costs_a_point(table: type[Table]) -> None:
    t = table({"at": LAP + 20, "sprint": 4}, {"at": 22})
    t.turn()
    assert t.told(Passed, 0) == [Passed(0, rival=1, skipped=False)]
    assert (t.stands(0), t.stands(1)) == ((LAP + 23, 0), (22, 0))


def test_c21_a_chariot_two_laps_ahead_costs_a_point(table: type[Table]) -> None:
    t = table({"at": 20, "sprint": 4}, {"at": 2 * LAP + 22})
    t.turn()
    assert t.told(Passed, 0) == [Passed(0, rival=1, skipped=False)]
    assert t.stands(0) == (23, 0)


@pytest.mark.parametrize(("move", "rival"), [("sprint", 22), ("corner", 37)])
def test_c21_passing_it_takes_the_whip_away(table: type[Table], move: str, rival: int) -> None:
    t = table({"at": LAP + rival - 1, move: 3, "whip": True}, {"at": rival}, {"at": 2 * LAP + 50})
    t.turn()
    assert [passed.rival for passed in t.told(Passed, 0)] == [1]
    assert t.one(Whipped, 0) == Whipped(0, whips=1, spaces=0, ended="passed")


@pytest.mark.parametrize(("move", "rival", "spaces"), [("sprint", 23, 2), ("corner", 41, 1)])
def test_c21_it_stops_whips(table: type[Table], move: str, rival: int, spaces: int) -> None:
    start = {"sprint": 20, "corner": 36}[move]
    t = table({"at": LAP + start, move: 1, "whip": True}, {"at": rival}, {"at": 2 * LAP + 60})
    t.turn()
    assert t.one(Whipped, 0) == Whipped(0, whips=1, spaces=spaces, ended="blocked")


def test_c21_order_and_ranking_go_by_total_distance(table: type[Table]) -> None:
    t = table({"at": 20, "lane": 0}, {"at": LAP + 20, "lane": 1}, {"at": 50}, {"at": 2 * LAP})
    t.turn()
    assert t.one(Ordered).seats == (3, 1, 2, 0)
    assert t.race.ranking == [[3], [1], [2], [0]]


def test_c21_lead_goes_by_total_distance(table: type[Table]) -> None:
    """A lap ahead and outside of a straggler is in the lead; inside of one is not."""
    t = table({"at": LAP + 20, "lane": 1, "sprint": 0, "whip": True}, {"at": 20, "lane": 0})
    t.turn()
    assert t.one(Whipped, 0).ended == "leads"
    t = table({"at": 20, "lane": 0, "sprint": 0, "whip": True}, {"at": LAP + 20, "lane": 1})
    t.turn()
    assert t.one(Whipped, 0) == Whipped(0, whips=1, spaces=5, ended="spent")


# --- C22: idle moves, and when a whip runs --------------------------------------------------------------------------


def test_c22_a_move_of_length_0_attacks_and_learns(table: type[Table]) -> None:
    t = table({"at": 20, "hand": RED, "damage": 50, "plays": "red-3: a b c"}, {"at": 30, "sprint": 10})
    t.turn()
    assert (t.one(Counted, 0).points, t.stands(0)) == (0, (20, 0))
    assert t.told(Attacked) == [Attacked(0, cubes=1, cards=3)]
    assert t[1]["damage"] == 1
    assert [step.colour for step in t.told(Learned, 0)] == ["red"]


def test_c22_a_move_of_length_0_earns_a_fan_token(table: type[Table]) -> None:
    t = table({"at": 20, "hand": SIX, "damage": 50, "plays": "green-2: a b c"}, {})
    t.turn()
    assert (t.one(Counted, 0).points, len(t.told(FanToken, 0))) == (0, 1)


def test_c22_a_move_of_length_0_recovers(table: type[Table]) -> None:
    hand = ["yellow-0 yellow-0 red-1", "yellow-0 yellow-0 red-3"]
    t = table({"at": 20, "hand": hand, "damage": 50, "plays": "yellow-0: a b"}, {})
    t.turn()
    assert (t.one(Counted, 0).points, t.one(Recovered, 0).left, t[0]["damage"]) == (0, 25, 25)


def test_c22_a_move_of_length_0_runs_its_whip(table: type[Table]) -> None:
    t = table({"at": 20, "sprint": 0, "whip": True}, {"at": 40})
    t.turn()
    assert t.stands(0) == (25, 0)


def test_c22_a_whip_runs_before_the_next_chariot_moves(table: type[Table]) -> None:
    """Seat 1 runs past where seat 0 will end, and seat 0 is in nobody's way."""
    t = table({"at": 20, "sprint": 3}, {"at": 23, "sprint": 0, "whip": True}, {"at": 40})
    t.turn()
    moves = [(type(e).__name__, e.seat) for e in t.race.told(None) if isinstance(e, Counted | Whipped)]
    assert moves == [("Counted", 1), ("Whipped", 1), ("Counted", 0)]
    assert (t.stands(0), t.stands(1)) == ((23, 0), (28, 0))


def test_c22_the_lead_is_judged_at_the_moment_of_the_whip(table: type[Table]) -> None:
    """Level at first: once the inner chariot has moved on, the outer one no longer leads anything."""
    t = table({"at": 20, "lane": 1, "sprint": 0, "whip": True}, {"at": 20, "lane": 0, "sprint": 9})
    t.turn()
    assert t.one(Whipped, 0) == Whipped(0, whips=1, spaces=5, ended="spent")
    t = table({"at": 20, "lane": 1}, {"at": 20, "lane": 0, "sprint": 0, "whip": True})
    t.turn()
    assert t.one(Whipped, 1).ended == "leads"


# --- C23: attack boxes, rewards, played tokens ----------------------------------------------------------------------


@pytest.mark.parametrize("at", [10, 60])  # behind the attackers, and ahead of them
@pytest.mark.parametrize(("disrupt", "suffered"), [(0, 3), (1, 3), (3, 3)])
def test_c23_boxes_end_at_most_at_3_of_disrupt_plus_attacks(
    table: type[Table], at: int, disrupt: int, suffered: int
) -> None:
    t = table(
        {"at": at, "sprint": 10, "attack": disrupt},
        {"at": 30, "hand": RED, "plays": "red-3: a b c + crowd"},
        {"at": 20, "hand": MORE_RED, "plays": "red-5: a b c + crowd"},
        crowd=BOTH_REDS,
    )
    t.turn()
    assert [attack.cubes for attack in t.told(Attacked)] == [2, 2]
    assert t.one(Suffered, 0) == Suffered(0, cubes=suffered, damage=suffered)
    assert t.all("damage") == [3, 2, 2]


@pytest.mark.parametrize("at", [10, 60])
@pytest.mark.parametrize("line", ["reset: a", "yellow-0: a b"])
def test_c23_boxes_end_at_0_if_shielded_or_reset(table: type[Table], at: int, line: str) -> None:
    safe = {"at": at, "hand": ["yellow-0 yellow-0 shield", "yellow-0 yellow-0 red-1"], "attack": 3, "plays": line}
    t = table(safe, {"at": 30, "hand": RED, "plays": "red-3: a b c"}, edition=table.die("sprint"))
    t.turn()
    assert (t.told(Suffered, 0), t.told(Cube, 0)) == ([], [])
    assert (t[0]["attack"], t[0]["damage"]) == (0, 0)


def test_c23_rewards_come_right_after_the_own_move_skill_before_token(table: type[Table]) -> None:
    t = table({"at": 30, "hand": SIX, "plays": "green-2: a b c"}, {"at": 20, "sprint": 2})
    t.turn()
    story = [(type(e).__name__, e.seat) for e in t.race.told(None) if isinstance(e, Counted | Learned | FanToken)]
    assert story == [("Counted", 0), ("Learned", 0), ("FanToken", 0), ("Counted", 1), ("Learned", 1)]


def test_c23_played_tokens_are_discarded_at_the_end_of_the_turn(table: type[Table]) -> None:
    """The bag is empty, and the token that lies on the move is not yet among its discards."""
    fan = reference().fan_counts
    others = [name for name, count in zip(reference().kind_names, fan, strict=True) for _ in range(count)]
    others.remove("+3 green")
    t = table({"hand": SIX, "tokens": ["+3 green", "discard-3"]}, {"tokens": others})
    assert t.race.view(0)["bag"] == 0
    t.turn("green-2: a b c, token +3", "reset: a")
    assert t.one(FanToken, 0).empty
    view = t.race.view(0)
    assert (view["tokens"], view["spent_tokens"], view["bag"]) == ({"discard-3": 1}, {"+3 green": 1}, 0)


def test_c23_player_tokens_never_come_back(table: type[Table]) -> None:
    t = table({"hand": SIX, "tokens": ["+5 green", "discard-3"]}, {})
    t.turn("green-2: a b, token +5, discard-3 c", "reset: a")
    view = t.race.view(0)
    assert (view["tokens"], view["spent_tokens"], view["bag"]) == ({}, {}, 60)


# --- C24: the end of a turn -----------------------------------------------------------------------------------------


def with_deck(table: type[Table], left: int) -> tuple[Table, list[str]]:
    """Two seats with three cards each that reset with one, and a draw pile of `left` cards, named as well."""
    hands = [["red-1 red-1 green-2", "red-1 red-1 green-4", "red-1 red-1 green-6"], RED]
    crowd = ["green-2 green-2 black-0", "whip", "whip"]
    used = Counter([*hands[0], *hands[1], *crowd])
    rest = list((Counter(reference().card_names) - used).elements())
    seats = [{"hand": hand, "plays": "reset: a"} for hand in hands]
    t = table(*seats, crowd=crowd, discards=rest[left:], edition=table.die("sprint"))
    assert t.race.view(None)["deck"] == left
    return t, rest[:left]


def test_c24_the_end_of_a_turn_goes_in_order(table: type[Table]) -> None:
    t = table({"attack": 1, "sprint": 4}, {"attack": 1, "at": 30, "sprint": 4}, edition=table.die("disrupt"))
    t.turn()
    names = [type(event).__name__ for event in t.race.told(None)]
    names = names[names.index("Suffered") :]
    order = list(dict.fromkeys(names))
    assert order == ["Suffered", "Drew", "CrowdMoved", "Turn", "Emperor", "Cube"]
    assert [event.seat for event in t.told(Suffered)] == [0, 1]
    assert sorted(event.seat for event in t.told(Drew)) == [event.seat for event in t.told(Drew)]


def test_c24_hands_are_refilled_from_seat_0_upwards_each_at_once(table: type[Table]) -> None:
    t, deck = with_deck(table, 4)
    t.turn()
    assert set(deck) < set(t.race.view(0)["hand"].values())
    assert [len(t.race.view(seat)["hand"]) for seat in (0, 1)] == [8, 8]


def test_c24_cards_are_put_away_before_hands_are_refilled_and_the_crowd_card_after(table: type[Table]) -> None:
    t, deck = with_deck(table, 4)
    t.turn()
    both_resets = 2
    assert t.one(Shuffled) == Shuffled("deck", 147 - 2 * 3 - 3 - len(deck) + both_resets)
    assert t.race.view(None)["discards"]["open"] == ["green-2 green-2 black-0"]


def test_c24_the_crowd_card_is_discarded_before_the_new_one_is_drawn(table: type[Table]) -> None:
    t, deck = with_deck(table, 12)  # just enough for the hands
    t.turn()
    assert t.one(Shuffled) == Shuffled("deck", 147 - 2 * 3 - 3 - len(deck) + 2 + 1)
    assert t.race.view(None)["discards"]["open"] == []


def test_c24_the_deck_is_refilled_only_when_a_card_must_be_drawn(table: type[Table]) -> None:
    t, _ = with_deck(table, 13)  # enough for the hands and the crowd track
    t.turn()
    assert (t.told(Shuffled), t.race.view(None)["deck"]) == ([], 0)


def test_c24_the_bag_is_refilled_only_when_a_token_must_be_drawn(table: type[Table]) -> None:
    fan = [name for name, n in zip(reference().kind_names, reference().fan_counts, strict=True) for _ in range(n)]
    t = table({"hand": SIX, "tokens": [], "plays": "green-2: a b c"}, {"tokens": fan[3:]}, spent_tokens=fan[1:3])
    t.turn()
    assert (t.told(Shuffled), t.race.view(0)["bag"]) == ([], 0)
    assert t.race.view(0)["spent_tokens"] == {"+3 green": 2}


def test_c24_kept_cards_close_up_and_new_ones_follow(table: type[Table]) -> None:
    hand = [*SIX, *RED, "black-0 black-0 red-1", "black-0 black-0 red-3"]
    t = table({"hand": hand, "plays": "green-2: a c"}, {})
    t.turn()
    assert list(t.race.view(0)["hand"].values())[:6] == [hand[slot] for slot in (1, 3, 4, 5, 6, 7)]
    assert sum(event.count for event in t.told(Drew, 0)) == 2


def test_c24_cubes_of_the_old_turn_become_damage_before_the_new_ones_are_placed(table: type[Table]) -> None:
    t = table({"at": 20, "sprint": 10, "attack": 2}, {"at": 30}, edition=table.die("disrupt"))
    t.turn()
    assert (t.all("damage"), t.all("attack")) == ([2, 0], [3, 3])


def test_c24_shields_and_resets_of_the_old_turn_do_not_stop_the_next_disrupt(table: type[Table]) -> None:
    shielded = {"hand": ["yellow-0 yellow-0 shield", "yellow-0 yellow-0 red-1"], "plays": "yellow-0: a b", "attack": 1}
    t = table(shielded, {"at": 30, "attack": 1}, edition=table.die("disrupt"))
    t.turn()
    assert (t.all("damage"), t.all("attack")) == ([0, 0], [3, 3])


def test_c24_after_the_last_turn_nothing_happens_but_the_ranking(table: type[Table]) -> None:
    hand = [*SIX, "black-0 black-0 red-1"]
    last = {"at": 188, "hand": hand, "tokens": ["+3 green", "discard-3"], "attack": 2}
    t = table(last, {"at": 150, "sprint": 3, "attack": 1}, edition=table.die("disrupt"))
    before = t.race.view(0)
    t.turn("green-2: a b, token +3, discard-3 d", t.lines[1])
    after = t.race.view(0)
    assert (t.race.over, t.race.to_act, t.race.turn) == (True, (), 2)
    ended = (Suffered, Drew, CrowdMoved, Turn, Emperor, Cube, Shuffled)
    assert [event for event in t.race.told(0) if isinstance(event, ended)] == []
    assert t.told(Finished) == [Finished(0, place=1, progress=198), Finished(1, place=2, progress=153)]
    for what in ("hand", "tokens", "crowd", "deck", "discards", "spent_tokens", "emperor"):
        assert after[what] == before[what]
    assert t.all("attack") == [2, 1]


# --- C25: set-up ----------------------------------------------------------------------------------------------------


def dealt(race: spina.Race) -> tuple[list[list[str]], list[str]]:
    """Hands and crowd cards."""
    return [list(race.view(seat)["hand"].values()) for seat in range(race.seats)], race.view(None)["crowd"]


@pytest.mark.parametrize("seats", range(2, 7))
def test_c25_everybody_gets_8_cards_and_the_track_3(seats: int) -> None:
    hands, crowd = dealt(spina.new("charioteer", seats=seats, seed=seats))
    assert ([len(hand) for hand in hands], len(crowd)) == ([8] * seats, 3)
    cards = Counter([card for hand in hands for card in hand] + crowd)
    assert cards <= Counter(reference().card_names)


@pytest.mark.parametrize("seed", range(5))
def test_c25_hands_from_seat_0_then_crowd_slots_1_to_3(seed: int) -> None:
    """The same deck dealt to one seat more: what was the crowd track begins the further hand."""
    for seats in range(2, 6):
        hands, crowd = dealt(spina.new("charioteer", seats=seats, seed=seed))
        more_hands, _ = dealt(spina.new("charioteer", seats=seats + 1, seed=seed))
        assert more_hands[:seats] == hands
        assert more_hands[seats][:3] == crowd


def test_c25_skills_cards_are_drawn_without_replacement() -> None:
    for seed in range(30):
        chariots = spina.new("charioteer", seats=6, seed=seed).view(None)["chariots"]
        orders = [tuple(sorted(c["skills"], key=lambda colour: c["skills"][colour]["place"])) for c in chariots]
        assert len(set(orders)) == 6
        assert all(sorted(s["place"] for s in c["skills"].values()) == [0, 1, 2, 3] for c in chariots)


def test_c25_the_die_is_rolled_after_cards_and_skills_are_dealt(table: type[Table]) -> None:
    """So another die changes neither."""
    calm, grim = (spina.new("charioteer", seats=4, seed=3, edition=table.die(face)) for face in ("sprint", "disrupt"))
    assert dealt(calm) == dealt(grim)
    assert [c["skills"] for c in calm.view(None)["chariots"]] == [c["skills"] for c in grim.view(None)["chariots"]]


def test_c25_every_face_comes_up() -> None:
    faces = {spina.new("charioteer", seats=2, seed=seed).view(None)["emperor"] for seed in range(60)}
    assert faces == {"sprint", "attack", "recover", "corner", "all", "disrupt"}


# --- C26: the line --------------------------------------------------------------------------------------------------


def test_c26_the_first_crossing_completes_no_lap(table: type[Table]) -> None:
    t = table({"at": -4, "sprint": 5}, {})
    t.turn()
    assert (t[0]["progress"], t[0]["space"], t[0]["lap"], t.told(Lap)) == (1, 1, 1, [])


@pytest.mark.parametrize(("lap", "over"), [(1, False), (2, False), (3, True)])
def test_c26_the_line_lies_between_the_last_space_and_the_first(table: type[Table], lap: int, over: bool) -> None:
    t = table({"at": lap * LAP - 3, "sprint": 2}, {})
    t.turn()
    assert (t[0]["space"], t[0]["lap"], t.told(Lap), t.race.over) == (63, lap, [], False)
    t = table({"at": lap * LAP - 3, "sprint": 3}, {})
    t.turn()
    assert (t[0]["space"], t[0]["lap"], t.told(Lap), t.race.over) == (0, min(lap + 1, 3), [Lap(0, lap)], over)


@pytest.mark.parametrize("lap", [1, 2])
def test_c26_a_lap_is_completed_once(table: type[Table], lap: int) -> None:
    """Also by a chariot that stopped on the first space beyond the line."""
    t = table({"at": lap * LAP, "sprint": 3}, {})
    t.turn()
    assert t.told(Lap) == []


def test_c26_the_race_ends_when_all_have_moved(table: type[Table]) -> None:
    t = table({"at": 191, "sprint": 1}, {"at": 100, "sprint": 5}, {"at": 190, "sprint": 7})
    t.turn()
    assert [event.seat for event in t.told(Counted)] == [0, 2, 1]
    assert (t.race.over, t.all("progress")) == (True, [192, 105, 196])


def test_c26_a_whip_carries_a_chariot_over_the_line_too(table: type[Table]) -> None:
    """Only ever behind somebody who has crossed it before: a whip passes nobody."""
    t = table({"at": 188, "sprint": 1, "whip": True}, {"at": 190, "sprint": 10})
    t.turn()
    assert [step.progress for step in t.told(Stepped, 0)] == [189, 190, 191, 192, 193, 194]
    assert t.told(Lap) == [Lap(1, 3), Lap(0, 3)]
    assert t.race.over


def test_c26_a_whip_stops_behind_a_leader_before_the_line(table: type[Table]) -> None:
    t = table({"at": 186, "sprint": 1, "whip": True}, {"at": 191})
    t.turn()
    assert (t.stands(0), t.race.over) == ((191, 1), False)


def test_c26_nothing_can_be_done_when_the_race_is_over(table: type[Table]) -> None:
    t = table({"at": 191, "sprint": 1}, {})
    t.turn()
    assert t.race.check(0, "reset: a") == "the race is over"
    assert t.race.legal(0) == []
