"""Rulings C10 to C18: whips, rewards, resets, discards, the last turn, supplies, secrecy, wilds, idle tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from spina.errors import NotationError
from spina.games.charioteer.play.actions import Choice
from spina.games.charioteer.play.events import (
    Attacked,
    Buried,
    Calmed,
    Counted,
    FanToken,
    Learned,
    Passed,
    Recovered,
    Revealed,
    Shuffled,
    Stepped,
    Whipped,
)

if TYPE_CHECKING:
    from conftest import Table

ALL_FAN_TOKENS = [
    *(f"{icon} {colour}" for colour in ("green", "red", "yellow", "black") for icon in ["+3"] * 5 + ["wild"] * 3),
    *(f"learning {colour}" for colour in ("green", "red", "yellow", "black") for _ in range(2)),
    *["shield"] * 6,
    *["whip"] * 6,
    *["recovery"] * 4,
    *["discard-2"] * 4,
]
SIX = ["green-2 green-2 red-1", "green-2 green-2 red-3", "green-2 green-2 red-5"]
START = {"green": 3, "red": 2, "yellow": 1, "black": 0}


# --- C10: whips -----------------------------------------------------------------------------------------------------


def test_c10_a_whip_runs_5_spaces_after_the_regular_move(table: type[Table]) -> None:
    t = table({"at": 20, "sprint": 2, "whip": True}, {"at": 60})
    t.turn()
    assert [step.whipped for step in t.told(Stepped, 0)] == [False] * 2 + [True] * 5
    assert t.one(Whipped, 0) == Whipped(0, whips=1, spaces=5, ended="spent")
    assert t.stands(0) == (27, 0)


def test_c10_several_whips_add_up(table: type[Table]) -> None:
    hand = ["green-2 green-2 red-1", "whip", "whip"]
    crowd = ["green-2 green-2 red-3", "whip", "red-1 red-1 green-4"]
    t = table({"at": 19, "hand": hand, "tokens": ["whip"]}, {"at": 60}, crowd=crowd)
    t.turn("green-2: a b c + crowd, token whip", "reset: a")
    assert t.one(Whipped, 0) == Whipped(0, whips=3, spaces=15, ended="spent")
    assert t.stands(0) == (19 + 6 + 15, 0)


def test_c10_a_whip_does_nothing_for_the_leader(table: type[Table]) -> None:
    t = table({"at": 20, "sprint": 2, "whip": True}, {"at": 19})
    t.turn()
    assert t.one(Whipped, 0) == Whipped(0, whips=1, spaces=0, ended="leads")
    assert t.stands(0) == (22, 0)


def test_c10_a_whip_does_nothing_after_passing_anyone(table: type[Table]) -> None:
    t = table({"at": 20, "sprint": 3, "whip": True}, {"at": 21}, {"at": 40})
    t.turn()
    assert t.told(Passed, 0) == [Passed(0, rival=1, skipped=False)]
    assert t.one(Whipped, 0) == Whipped(0, whips=1, spaces=0, ended="passed")
    assert t.stands(0) == (22, 0)


def test_c10_rivals_skipped_by_a_black_move_count_as_passed(table: type[Table]) -> None:
    t = table({"at": 4, "corner": 2, "whip": True}, {"at": 7}, {"at": 40})
    t.turn()
    assert t.told(Passed, 0) == [Passed(0, rival=1, skipped=True)]
    assert t.one(Whipped, 0) == Whipped(0, whips=1, spaces=0, ended="passed")
    assert t.stands(0) == (8, 0)


def test_c10_a_whip_stops_behind_a_rival(table: type[Table]) -> None:
    t = table({"at": 20, "sprint": 1, "whip": True}, {"at": 24}, {"at": 40})
    t.turn()
    assert t.one(Whipped, 0) == Whipped(0, whips=1, spaces=3, ended="blocked")
    assert (t.stands(0), t.told(Passed)) == ((24, 1), [])


def test_c10_a_whip_that_ends_behind_a_rival_with_its_last_space_is_spent(table: type[Table]) -> None:
    t = table({"at": 20, "sprint": 1, "whip": True}, {"at": 26})
    t.turn()
    assert t.one(Whipped, 0).spaces == 5
    assert t.stands(0) == (26, 1)


def test_c10_a_whip_does_not_start_when_the_move_ends_outside_a_rival(table: type[Table]) -> None:
    t = table({"at": 20, "sprint": 2, "whip": True}, {"at": 22})
    t.turn()
    assert t.one(Whipped, 0) == Whipped(0, whips=1, spaces=0, ended="blocked")
    assert t.stands(0) == (22, 1)


def test_c10_a_whip_stops_before_a_rival_on_a_skipped_outer_space(table: type[Table]) -> None:
    t = table({"at": 4, "corner": 1, "whip": True}, {"at": 11}, {"at": 40})
    t.turn()
    assert t.one(Whipped, 0) == Whipped(0, whips=1, spaces=2, ended="blocked")
    assert t.stands(0) == (10, 0)


def test_c10_a_whip_on_a_sprint_enters_outer_spaces(table: type[Table]) -> None:
    t = table({"at": 3, "sprint": 1, "whip": True}, {"at": 8})
    t.turn()
    assert [step.space for step in t.told(Stepped, 0)] == [4, 5, 6, 7, 8]


# --- C11: rewards ---------------------------------------------------------------------------------------------------

FACES = {"green": "sprint", "red": "attack", "yellow": "recover", "black": "corner"}


@pytest.mark.parametrize("emperor", ["sprint", "attack", "recover", "corner", "all", "disrupt"])
@pytest.mark.parametrize("colour", ["green", "red", "yellow", "black"])
def test_c11_one_step_and_one_more_for_the_emperors_wish(table: type[Table], colour: str, emperor: str) -> None:
    symbol = {"green": "green-2", "red": "red-3", "yellow": "yellow-2", "black": "black-1"}[colour]
    hand = [f"{symbol} {symbol} black-0", f"{symbol} {symbol} yellow-0"]
    t = table({"hand": hand, "skills": START, "plays": f"{symbol}: a b"}, {"skills": START}, emperor=emperor)
    t.turn()
    steps = 2 if emperor in (FACES[colour], "all") else 1
    assert {name: skill["place"] - START[name] for name, skill in t[0]["skills"].items()} == {
        name: steps if name == colour else 0 for name in START
    }


def test_c11_every_learning_icon_is_one_step_more(table: type[Table]) -> None:
    learner = {"hand": ["red-5 red-5 learning", "red-5 red-5 green-2"], "tokens": ["learning red"], "skills": START}
    t = table({**learner, "plays": "red-5: a b, token learning"}, {}, emperor="attack")
    t.turn()
    assert [step.place for step in t.told(Learned, 0)] == [3, 4, 5, 6]
    assert [step.bonus for step in t.told(Learned, 0)] == [0, 1, 1, 1]


@pytest.mark.parametrize(("crowd", "symbols", "earned"), [(False, 5, 0), (True, 6, 1)])
def test_c11_six_symbols_earn_a_fan_token(table: type[Table], crowd: bool, symbols: int, earned: int) -> None:
    hand = ["green-2 green-2 red-1", "green-2 green-2 red-3", "red-5 red-5 green-2"]
    t = table({"hand": hand}, {}, crowd=["red-1 red-1 green-2", "whip", "whip"])
    t.race.play(0, Choice("green-2", "abc", crowd=crowd))
    t.race.play(1, "reset: a")
    assert t.one(Counted, 0).symbols == symbols
    assert len(t.told(FanToken, 0)) == t[0]["fan_tokens"] == earned


def test_c11_symbols_of_a_changed_card_count_toward_the_six(table: type[Table]) -> None:
    t = table({"hand": [*SIX[:2], "whip"], "tokens": ["wild green"]}, {})
    t.turn("green-2: a b c, token wild on c", "reset: a")
    assert (t.one(Counted, 0).symbols, len(t.told(FanToken, 0))) == (6, 1)


def test_c11_a_reset_earns_nothing(table: type[Table]) -> None:
    learner = {"hand": ["green-6 green-6 learning", "green-6 green-6 red-1", "green-6 green-6 red-3"], "skills": START}
    t = table({**learner, "plays": "reset: a b c"}, {}, emperor="all")
    t.turn()
    assert t.told(Learned) + t.told(FanToken) == []
    assert {colour: skill["place"] for colour, skill in t[0]["skills"].items()} == START


@pytest.mark.parametrize(
    ("others", "place", "bonus"),
    [
        ({"red": 5, "yellow": 4, "black": 4}, 12, 3),
        ({"red": 12, "yellow": 4, "black": 4}, 13, 5),
        ({"red": 13, "yellow": 12, "black": 4}, 14, 7),
        ({"red": 12, "yellow": 14, "black": 13}, 15, 9),
    ],
)
def test_c11_the_bonus_box_gives_its_lowest_free_place(
    table: type[Table], others: dict[str, int], place: int, bonus: int
) -> None:
    t = table({"hand": SIX, "skills": {"green": 11, **others}, "plays": "green-2: a b"}, {})
    t.turn()
    assert t[0]["skills"]["green"] == {"place": place, "bonus": bonus}


def test_c11_a_marker_stops_in_the_bonus_box_also_with_steps_left_over(table: type[Table]) -> None:
    skills = {"green": 11, "red": 5, "yellow": 4, "black": 4}
    learner = {"hand": ["green-6 green-6 learning", "green-6 green-6 red-1"], "skills": skills}
    t = table({**learner, "tokens": ["learning green"]}, {}, emperor="all")
    t.turn("green-6: a b, token learning", "reset: a")
    assert t.one(Learned, 0) == Learned(0, "green", before=11, place=12, bonus=3)


def test_c11_the_reward_of_a_turn_counts_from_the_next_one(table: type[Table]) -> None:
    t = table({"hand": SIX, "skills": {**START, "green": 3}, "plays": "green-2: a b"}, {})
    t.turn()
    assert (t.one(Counted, 0).skill, t[0]["skills"]["green"]["bonus"]) == (0, 1)


# --- C12: reset -----------------------------------------------------------------------------------------------------

ATTACKER = {"hand": ["red-3 red-3 green-2", "red-3 red-3 yellow-4", "black-2 black-2 red-3"], "plays": "red-3: a b c"}


@pytest.mark.parametrize("cards", ["a", "b c", "a c e"])
def test_c12_a_reset_plays_one_to_three_cards_of_any_kind(table: type[Table], cards: str) -> None:
    hand = ["green-2 green-2 red-1", "black-2 black-2 red-5", "whip", "yellow-0 yellow-0 shield", "red-1 red-1 shield"]
    t = table({"at": 20, "hand": hand, "plays": f"reset: {cards}"}, {})
    t.turn()
    assert len(t.one(Revealed, 0).cards) == len(cards.split())
    assert t.told(Stepped, 0) + t.told(Whipped, 0) == []
    assert t.stands(0) == (20, 0)


@pytest.mark.parametrize("at", [10, 30])  # before and after the attacker moves
def test_c12_a_reset_clears_both_boxes_and_takes_no_damage(table: type[Table], at: int) -> None:
    calm = table.die("sprint")
    t = table({"at": at, "damage": 5, "attack": 3}, {"at": 20, **ATTACKER}, {"at": 25, "sprint": 10}, edition=calm)
    t.turn()
    assert t.one(Calmed, 0) == Calmed(0, damage=5, attack=3)
    assert t.told(Attacked) == [Attacked(1, cubes=1, cards=3)]
    assert (t.all("damage"), t.all("attack")) == ([0, 0, 1], [0, 0, 0])


@pytest.mark.parametrize("token", ["discard-2", "discard-3"])
def test_c12_a_discard_token_may_go_with_a_reset(table: type[Table], token: str) -> None:
    t = table({"tokens": [token]}, {})
    t.turn(f"reset: a b, {token} c d", "reset: a")
    assert (t.one(Revealed, 0).discard_token, t.one(Revealed, 0).discards) == (token, 2)
    assert t.race.view(0)["tokens"] == {}


@pytest.mark.parametrize("token", ["shield", "whip", "recovery", "+5 red", "wild green", "learning black", "discard-2"])
def test_c12_no_other_token_may_go_with_a_reset(table: type[Table], token: str) -> None:
    t = table({"tokens": [token]}, {})
    assert t.race.check(0, Choice("reset", "a", token=token)) == (
        f"only a discard token may go with a reset, not {token}"
    )


def test_c12_a_seat_can_always_reset(table: type[Table]) -> None:
    no_move = ["green-2 green-2 red-1", "whip", "whip"]
    crowd = ["black-0 black-0 yellow-0", "whip", "black-2 black-2 yellow-0"]
    t = table({"hand": no_move, "tokens": []}, {}, crowd=crowd)
    assert [str(step) for step in t.race.legal(0)] == ["reset"]
    assert t.race.check(0, "reset: a b c") is None


# --- C13: discard tokens --------------------------------------------------------------------------------------------


def test_c13_a_discard_token_is_the_only_second_token(table: type[Table]) -> None:
    t = table({"hand": [*SIX, "whip"], "tokens": ["+3 green", "+5 green", "discard-2", "discard-3"]}, {})
    assert t.race.check(0, "green-2: a b, token +3, discard-3 c d") is None
    assert t.race.check(0, "green-2: a b, discard-2 c") is None
    for twice in ("token +3, token +5", "discard-2 c, discard-3 d"):
        why = t.race.check(0, f"green-2: a b, {twice}")
        assert why is not None
        assert "is not a part of a choice, or stands twice" in why


def test_c13_its_cards_leave_the_hand_at_the_end_of_the_turn(table: type[Table]) -> None:
    hand = [*SIX, "whip", "black-0 black-0 red-1", "black-0 black-0 red-3", "black-0 black-0 red-5"]
    t = table({"hand": hand, "tokens": ["discard-3"]}, {})
    t.race.play(0, "green-2: a b, discard-3 d f g")
    assert list(t.race.view(0)["hand"].values()) == hand  # not before the others have chosen too
    t.race.play(1, "reset: a")
    assert t.told(Buried, 0) == [Buried(0, ("whip", "black-0 black-0 red-3", "black-0 black-0 red-5"))]
    assert t.told(Buried, 1) == []
    view = t.race.view(0)
    assert [view["hand"][slot] for slot in "ab"] == [SIX[2], "black-0 black-0 red-1"]
    assert len(view["hand"]) == 8
    assert view["discards"]["own"] == ["whip", "black-0 black-0 red-3", "black-0 black-0 red-5"]
    assert t.race.view(1)["discards"]["hidden"] == 3


def test_c13_discarded_cards_add_nothing_to_the_move(table: type[Table]) -> None:
    hand = ["green-2 green-2 red-1", "green-2 green-2 red-3", "green-2 green-2 shield", "whip"]
    t = table({"at": 20, "hand": hand, "tokens": ["discard-3"], "attack": 1}, {"at": 40})
    t.turn("green-2: a b, discard-3 c d", "reset: a")
    assert t.one(Counted, 0).symbols == 4
    assert t.told(Whipped) == []
    assert t[0]["damage"] == 1


# --- C14: the last turn ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("move", ["sprint", "corner"])
def test_c14_beyond_the_line_of_the_third_lap_outer_spaces_are_skipped(table: type[Table], move: str) -> None:
    t = table({"at": 191, move: 6}, {"at": 150})
    t.turn()
    assert [step.progress - 192 for step in t.told(Stepped, 0)] == [0, 1, 2, 3, 4, 6]


def test_c14_whips_skip_them_too(table: type[Table]) -> None:
    t = table({"at": 189, "sprint": 4, "whip": True}, {"at": 191, "sprint": 10})
    t.turn()
    assert [step.progress - 192 for step in t.told(Stepped, 0) if step.whipped] == [2, 3, 4, 6, 8]


def test_c14_whoever_has_not_crossed_enters_every_space(table: type[Table]) -> None:
    t = table({"at": 191, "sprint": 2}, {"at": 128 + 4, "sprint": 4})
    t.turn()
    assert t.race.over
    assert [step.space for step in t.told(Stepped, 1)] == [5, 6, 7, 8]


def test_c14_in_earlier_laps_nobody_skips(table: type[Table]) -> None:
    t = table({"at": 127, "sprint": 6}, {"at": 63, "sprint": 6})
    t.turn()
    assert [step.space for step in t.told(Stepped, 0)] == [0, 1, 2, 3, 4, 5]
    assert [step.space for step in t.told(Stepped, 1)] == [0, 1, 2, 3, 4, 5]


def test_c14_ranking_is_further_then_inside(table: type[Table]) -> None:
    t = table({"at": 189, "sprint": 6}, {"at": 191, "sprint": 4}, {"at": 190, "sprint": 9}, {"at": 188})
    t.turn()
    assert (t.stands(0), t.stands(1)) == ((195, 1), (195, 0))
    assert t.race.ranking == [[2], [1], [0], [3]]
    assert t.race.places == (3, 2, 1, 4)


# --- C15: supplies --------------------------------------------------------------------------------------------------


def test_c15_cubes_are_not_limited(table: type[Table]) -> None:
    rival = {"damage": 30, "hand": ["green-2 green-2 red-1", "green-2 green-2 red-3"], "plays": "green-2: a b"}
    other = {"damage": 30, "hand": ["green-4 green-4 red-1", "green-4 green-4 red-3"], "plays": "green-4: a b"}
    t = table({"at": 50, **ATTACKER}, {"at": 20, **rival}, {"at": 30, **other})
    t.turn()
    assert t.all("damage") == [0, 31, 31]


def test_c15_without_tokens_in_bag_and_discards_none_is_earned(table: type[Table]) -> None:
    assert len(ALL_FAN_TOKENS) == 60
    t = table({"hand": SIX, "tokens": [], "plays": "green-2: a b c"}, {"tokens": ALL_FAN_TOKENS})
    assert t.race.view(0)["bag"] == 0
    t.turn()
    assert t.one(FanToken, 0) == FanToken(0, None, empty=True)
    assert t.race.view(0)["tokens"] == {}


def test_c15_an_empty_bag_is_refilled_from_its_discards(table: type[Table]) -> None:
    t = table(
        {"hand": SIX, "tokens": [], "plays": "green-2: a b c"},
        {"tokens": ALL_FAN_TOKENS[2:]},
        spent_tokens=ALL_FAN_TOKENS[:2],
    )
    t.turn()
    assert t.told(Shuffled) == [Shuffled("bag", 2)]
    assert t.race.view(0)["tokens"] == {"+3 green": 1}
    assert (t.race.view(0)["bag"], t.race.view(0)["spent_tokens"]) == (1, {})


# --- C16: the secret choice -----------------------------------------------------------------------------------------

BOTH = ["red-1 red-1 black-1", "black-1 black-1 red-1", "whip", "green-2 green-2 yellow-0"]


def test_c16_rivals_see_nothing_of_a_choice_but_that_it_is_made(table: type[Table]) -> None:
    lines = [
        "red-1: a b",
        "black-1: a b",
        "red-1: a b + crowd",
        "red-1: a b c",
        "red-1: a c, token wild on c",
        "red-1: a d, token wild on d",
        "red-1: a b, discard-3 c",
        "red-1: a b, discard-3 d",
        "reset: a b",
    ]
    seen, hashes = [], set()
    for line in lines:
        t = table(
            {"hand": BOTH, "tokens": ["wild red", "discard-3"]}, {}, crowd=["red-1 red-1 green-2", "whip", "whip"]
        )
        t.race.play(0, line)
        seen.append((t.race.view(1), t.race.view(None), t.race.told(1)))
        hashes.add(t.race.hash())
    assert all(view == seen[0] for view in seen)
    assert seen[0][0]["chariots"][0]["ready"]
    assert len(hashes) == len(lines)


def test_c16_the_same_cards_with_another_symbol_are_another_choice(table: type[Table]) -> None:
    ends = []
    for line in ("red-1: a b", "black-1: a b"):
        t = table({"at": 4, "hand": BOTH, "plays": line}, {})
        t.turn()
        ends.append((t.one(Revealed, 0).symbol, t.stands(0)))
    assert ends == [("red-1", (4 + 4, 0)), ("black-1", (4 + 2 * 4, 0))]


# --- C17: wilds -----------------------------------------------------------------------------------------------------


def test_c17_a_wild_changes_any_hand_card(table: type[Table]) -> None:
    hand = ["red-3 red-3 green-2", "whip", "black-2 black-2 red-3", "green-4 green-4 black-0", "red-1 red-1 shield"]
    t = table({"hand": hand, "tokens": ["wild red"]}, {}, crowd=["green-6 green-6 black-0", "whip", "whip"])
    for slot in "bcde":
        assert t.race.check(0, f"red-3: a {slot}, token wild on {slot}") is None
    assert t.race.check(0, "red-3: a c, token wild on a") is None


def test_c17_one_changed_card_and_a_matching_crowd_card_are_a_move(table: type[Table]) -> None:
    t = table(
        {"hand": ["green-4 green-4 black-0"], "tokens": ["wild red"]}, {}, crowd=["red-3 red-3 green-2", "whip", "whip"]
    )
    t.turn("red-3: a + crowd, token wild on a", "reset: a")
    assert t.one(Counted, 0).points == 3 + 2 + 2


def test_c17_a_changed_card_alone_is_no_move(table: type[Table]) -> None:
    t = table({"hand": ["green-4 green-4 black-0", "whip"], "tokens": ["wild red"]}, {})
    why = "only one card of this move shows red-3: at least two must"
    assert t.race.check(0, "red-3: a, token wild on a") == why
    assert t.race.check(0, "red-3: a b, token wild on a") == why


# --- C18: idle tokens and discards ----------------------------------------------------------------------------------


@pytest.mark.parametrize("token", ["recovery", "whip", "shield", "learning"])
def test_c18_a_token_without_effect_may_be_played(table: type[Table], token: str) -> None:
    """No damage, in the lead, no attack, and the marker at its end."""
    full = token + (" green" if token == "learning" else "")
    skills = {"green": 12, "red": 4, "yellow": 4, "black": 4}
    t = table({"at": 20, "hand": SIX, "tokens": [full], "skills": skills}, {"at": 10}, edition=table.die("sprint"))
    t.turn(f"green-2: a b, token {token}", "reset: a")
    assert t.told(Recovered) + t.told(Learned) == []
    assert t.stands(0) == (20 + 6 + 3, 0)
    assert t.race.view(0)["spent_tokens"] == {full: 1}


def test_c18_a_coloured_token_must_fit(table: type[Table]) -> None:
    t = table({"hand": SIX, "tokens": ["learning red", "+5 black"]}, {})
    assert t.race.check(0, "green-2: a b, token learning red") == "learning red does not go with a green move"
    assert t.race.check(0, "green-2: a b, token +5 black") == "+5 black does not go with a green move"


def test_c18_a_discard_token_takes_at_least_one_card_that_is_not_played(table: type[Table]) -> None:
    t = table({"hand": SIX, "tokens": ["discard-3"]}, {})
    assert t.race.check(0, "green-2: a b, discard-3 c") is None
    assert t.race.check(0, "green-2: a b, discard-3 b") == "card b cannot be both played and discarded"
    assert t.race.check(0, Choice("green-2", "ab", discard_token="discard-3")) == "discard-3 takes at least one card"


def test_c18_with_no_card_left_a_discard_token_is_not_offered(table: type[Table]) -> None:
    t = table({"hand": SIX, "tokens": ["discard-3"]}, {}, crowd=["black-0 black-0 red-1", "whip", "whip"])
    for step in ("symbol green-2", "card a", "card b", "card c"):
        t.race.play(0, step)
    assert t.race.to_act == (1,)


@pytest.mark.parametrize(("token", "most"), [("discard-2", 2), ("discard-3", 3)])
def test_c18_a_discard_token_takes_at_most_its_number(table: type[Table], token: str, most: int) -> None:
    t = table({"tokens": [token]}, {})
    letters = "bcde"
    assert t.race.check(0, f"reset: a, {token} {letters[:most]}") is None
    assert t.race.check(0, f"reset: a, {token} {letters[: most + 1]}") == (
        f"{token} takes at most {most} cards, not {most + 1}"
    )


def test_c18_only_one_discard_token_is_used_a_turn(table: type[Table]) -> None:
    race = table({"tokens": ["discard-2", "discard-2", "discard-3"]}, {}).race
    with pytest.raises(NotationError, match="stands twice"):
        race.play(0, "reset: a, discard-2 b, discard-3 c")
    for step in ("reset", "card a", "done", "token discard-2", "card b", "done"):
        race.play(0, step)
    assert race.to_act == (1,)
