"""Rulings C27 to C31."""

from __future__ import annotations

from typing import TYPE_CHECKING

import spina
from spina.games.charioteer.play import events as e

if TYPE_CHECKING:
    from conftest import Table


def test_c27_the_first_seat_is_drawn_after_the_die(table: type[Table]) -> None:
    """Whatever the die shows, everything dealt before it and the first seat drawn after it stay the same."""
    for seed in range(20):
        views = [spina.new("charioteer", seats=5, seed=seed, edition=table.die(f)).view(0) for f in ("all", "sprint")]
        assert len({view["first_seat"] for view in views}) == 1
        assert views[0]["hand"] == views[1]["hand"]
    assert len({spina.new("charioteer", seats=5, seed=seed).view(None)["first_seat"] for seed in range(60)}) == 5


def test_c28_played_cards_lie_open_and_discarded_ones_do_not(table: type[Table]) -> None:
    hand = ["green-6 green-6 red-1", "green-6 green-6 red-3", "black-0 black-0 red-1", "black-0 black-0 red-3"]
    t = table({"hand": hand, "tokens": ["discard-3"], "plays": "green-6: a b, discard-3 c d"}, {"at": 30})
    crowd = t.race.view(None)["crowd"][0]
    t.turn()
    for viewer, own, hidden in ((0, hand[2:], 0), (1, [], 2), (None, [], 2)):
        pile = t.race.view(viewer)["discards"]
        assert pile["own"] == own
        assert pile["hidden"] == hidden
        assert set(pile["open"]) >= {hand[0], hand[1], crowd}
        assert not set(pile["open"]) & set(hand[2:])


def test_c29_player_tokens_are_known_and_fan_tokens_only_counted(table: type[Table]) -> None:
    t = table({"tokens": ["+5 red", "wild red", "wild red"]}, {})
    seen = t.race.view(1)["chariots"][0]
    assert seen["player_tokens"] == {"+5 red": 1}
    assert seen["fan_tokens"] == 2
    assert "wild" not in str(t.race.view(1)["chariots"])
    assert t.race.view(0)["tokens"] == {"+5 red": 1, "wild red": 2}


def test_c30_icons_on_the_cards_of_a_reset_do_not_work(table: type[Table]) -> None:
    hand = ["whip", "green-6 green-6 learning", "red-1 red-1 shield"]
    t = table({"at": 20, "hand": hand, "plays": "reset: a b c"}, {"at": 40})
    skills = t[0]["skills"]
    t.turn()
    assert t[0]["progress"] == 20
    assert t[0]["skills"] == skills
    assert not t.told(e.Whipped) and not t.told(e.Shielded) and not t.told(e.Learned)


def test_c31_rivals_skipped_beyond_the_last_line_count_as_passed(table: type[Table]) -> None:
    """Space 5 is an outer one; the rival there is a lap behind, and a whip would have run on."""
    finish = 3 * 64
    ahead = {"at": finish - 1, "sprint": 10}
    t = table(ahead, {"at": finish - 2, "sprint": 8, "whip": True}, {"at": 64 + 5})
    t.turn()
    passed = [event.rival for event in t.told(e.Passed) if event.seat == 1 and event.skipped]
    assert passed == [2]
    (whip,) = t.told(e.Whipped)
    assert (whip.spaces, whip.ended) == (0, "passed")
