"""Running through low things: the table row by row, and what is allowed (B8 to B11, B13, K6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from master_fights import (
    FIRST,
    OBSTACLE,
    ONES,
    WRECK,
    crash,
    edition_with,
    faces,
    let_fall,
    obstacle,
    pose,
    strike,
    wreck,
)

from spina.games.chariotmaster.play.events import (
    Aligned,
    Bounced,
    Collided,
    Destroyed,
    Lost,
    Moved,
    RanThrough,
    RolledBoth,
    TurnEnds,
)

if TYPE_CHECKING:
    from conftest import Table


# --- the running-through table ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "dice", "lost"),
    [
        pytest.param(-2, (1, 1, 6, 6), ["stamina", "stamina", "structure"], id="minus-2-structure"),
        pytest.param(-1, (1, 1, 6, 1), ["stamina", "stamina"], id="minus-1-stamina"),
        pytest.param(0, (1, 1, 1, 1), [], id="0"),
        pytest.param(1, (6, 1, 1, 1), [], id="1"),
        pytest.param(2, (6, 6, 1, 1), [], id="2"),
    ],
)
def test_run_through_table_up_to_2(table: type[Table], value: int, dice: tuple[int, ...], lost: list[str]) -> None:
    """Two horses over a wreck: it finishes its way, may not pivot, and below 0 its turn ends."""
    t = let_fall(table({**FIRST, "token": "10"}, wreck(155), {"progress": 300, "offset": 60}), *dice)
    t.play("run ahead 90")
    assert t.one(Collided).kind == "run-through"
    assert t.one(RanThrough).value == value
    assert [(event.chariot, event.what) for event in t.told(Lost)] == [(0, kind) for kind in lost]
    assert pose(t, 0) == (290, 0, 0)
    assert pose(t, WRECK + 1) == (255, 0, 0)
    if value < 0:
        assert t.one(TurnEnds, 0).mm == 90
    else:
        assert (t.question, t.asked) == ("drive", 0)
        assert t.driving["moved"] == 90


@pytest.mark.parametrize(
    ("value", "structure", "sixes", "destroyed"),
    [
        pytest.param(2, 7, 0, False, id="2"),
        pytest.param(3, 7, 1, False, id="3"),
        pytest.param(4, 7, 2, False, id="4"),
        pytest.param(5, 7, 3, True, id="5"),
        pytest.param(6, 7, 4, True, id="6"),
    ],
)
def test_run_through_table_from_2_on(
    table: type[Table], value: int, structure: int, sixes: int, destroyed: bool
) -> None:
    """B13: sideways over a wreck with a body of 4; from 3 on it may pivot, from 5 on the wreck is gone."""
    t = let_fall(table({**FIRST, "structure": structure}, wreck(90, 30)), *faces(4, sixes), 1, 1).play("run left 60")
    assert (t.one(Collided).part, t.one(RanThrough).value) == ("body", value)
    assert pose(t, 0) == (200, 60, 0)
    assert (t.piece(WRECK + 1) is None) == destroyed == bool(t.told(Destroyed))
    assert t.question == ("pivot" if value >= 3 else "drive")
    assert t.told(TurnEnds) == []


@pytest.mark.parametrize(("horses", "dice"), [(1, (1, 6, 6)), (2, (1, 1, 6, 6))])
def test_b10_a_violent_stop(table: type[Table], horses: int, dice: tuple[int, ...]) -> None:
    """-3 stops at the contact and ends the turn, -2 does not stop."""
    t = let_fall(table({**FIRST, "token": "10", "horses": horses}, wreck(155)), *dice)
    t.play("run ahead 90")
    stopped = horses == 1
    assert t.one(RanThrough).value == (-3 if stopped else -2)
    assert pose(t, 0) == (224.9 if stopped else 290, 0, 0)
    assert t.one(TurnEnds, 0).mm == (24.9 if stopped else 90)


def test_b10_it_is_aligned_where_it_stops(table: type[Table]) -> None:
    one_horse = {**FIRST, "horses": 1}
    t = let_fall(table(one_horse, wreck(155, heading=20)), 1, 6, 6).play("run ahead 100")
    assert t.one(Aligned).degrees == 20
    assert pose(t, 0)[2] == 20
    assert len(t.told(Collided)) == 1


def test_run_through_of_a_low_obstacle(table: type[Table]) -> None:
    """Row 5 and more destroys wrecks only."""
    t = table({"progress": 200, "offset": 0, "structure": 7}, edition=edition_with(obstacle(190, 30, 1, "low, fixed")))
    let_fall(t, 6, 6, 1, 1, 1).play("run left 60")
    assert t.one(RanThrough).value == 5
    assert t.piece(OBSTACLE) is not None
    assert t.question == "pivot"


def test_run_through_row_minus_2_can_crash_the_chariot_on_the_wreck(table: type[Table]) -> None:
    """Then the turn is over."""
    frail = {**FIRST, "structure": 0, "worn": {"structure": 7}, "reins": True}
    t = let_fall(table(frail, wreck(155)), 1, 1, 6, 6, 1).play("run ahead 90")
    assert t.piece(WRECK) is not None
    assert t.told(Moved, 0)[0].mm == 24.9
    assert len([moved for moved in t.told(Moved) if moved.piece == 0]) == 1


# --- running through: what is allowed, B8, B9, B11, K6 ----------------------------------------------------------------


@pytest.mark.parametrize(("mm", "legal"), [(40, False), (80, False), (89, False), (90, True), (100, True)])
def test_b8_a_voluntary_run_must_come_clear(table: type[Table], mm: int, legal: bool) -> None:
    """29.8 mm to the wreck, 20 mm across it, 40 mm of chariot, and 0.1 mm to rest clear."""
    assert (table(FIRST, wreck(159.8)).why_not(f"run ahead {mm}") == "") == legal


def test_b8_nothing_big_may_stand_before_the_end(table: type[Table]) -> None:
    assert table(FIRST, wreck(160), {"progress": 230, "offset": 0}).why_not("run ahead 100") != ""
    assert table(FIRST, wreck(160), {"progress": 241, "offset": 0}).why_not("run ahead 100") == ""


def test_b8_a_plain_sub_move_over_a_wreck_is_not_allowed(table: type[Table]) -> None:
    assert "in the way" in table(FIRST, wreck(160)).why_not("ahead 100")


def test_b8_a_skid_that_cannot_come_clear_uses_the_bounce_table(table: type[Table]) -> None:
    t = crash(table, FIRST, wreck(160), dice=(1, 1, 6, 1))
    assert t.one(Collided).kind == "collision"
    assert (t.one(Bounced).value, t.told(RanThrough)) == (-1, [])


def test_k6_a_skid_that_comes_clear_runs_through_and_goes_on(table: type[Table]) -> None:
    t = crash(table, FIRST, wreck(140), dice=(1, 1, 1, 1), driving={"moved": 0})
    assert (t.one(Collided).kind, t.one(RanThrough).value) == ("run-through", 0)
    assert pose(t, 0) == (300, 0, 0)
    assert t.one(TurnEnds, 0).mm == 100


@pytest.mark.parametrize(
    ("progress", "story"),
    [
        pytest.param(225, [("run-through", WRECK + 1), ("collision", 2)], id="clear-of-the-wreck-before-it"),
        pytest.param(205, [("collision", WRECK + 1)], id="still-on-the-wreck"),
    ],
)
def test_k6_a_skid_over_a_wreck_towards_something_big(
    table: type[Table], progress: float, story: list[tuple[str, int]]
) -> None:
    """B8: it runs through if it rests clear of the wreck where the big object stops it."""
    blue = {"progress": progress, "offset": 0}
    t = crash(table, FIRST, wreck(140), blue, dice=(1,) * 9, driving={"moved": 0})
    assert [(collision.kind, collision.target) for collision in t.told(Collided)] == story


def test_b8_forced_moves_of_others_run_through_too(table: type[Table]) -> None:
    """White evades 6 cm to the left, over the wreck of blue."""
    red, white = {"progress": 100, "offset": -60}, {"progress": 100, "offset": -39}
    t = strike(table, red, white, wreck(90, -15), dice=(1, 6, 1, 1, 1, 1, 1)).play("ram white body", "evade")
    assert (t.one(Collided).initiator, t.one(Collided).kind) == (1, "run-through")
    assert pose(t, 1) == (200, 21, 0)
    assert (t.question, t.asked) == ("drive", 0)


def test_b8_a_pushed_wreck_does_not_run_through_another(table: type[Table]) -> None:
    t = strike(table, FIRST, wreck(90, 21), wreck(90, 46), dice=(*[1] * 7, 1, 1, 1, 1)).play("ram wreck of white")
    second = t.told(Collided)[1]
    assert (second.initiator, second.target, second.kind) == (WRECK + 1, WRECK + 2, "collision")


def test_b8_only_horses_run_over_things(table: type[Table]) -> None:
    """A wreck that is thrown 3 cm against a tiny stone could come clear of it, but it collides."""
    stone = "stone at 29, offset 3.45, 0.5 x 0.5, heading 0, value 1, low, fixed"
    t = strike(table, {"progress": 200, "offset": 0}, wreck(190, 21), edition=edition_with(stone))
    let_fall(t, 6, 6, *[1] * 8).play("ram wreck of white")
    second = t.told(Collided)[1]
    assert (second.initiator, second.target, second.kind) == (WRECK + 1, OBSTACLE, "collision")


def test_b9_the_pivot_comes_after_the_run_and_keeps_to_the_token(table: type[Table]) -> None:
    t = let_fall(table({**FIRST, "structure": 7}, wreck(90, 30)), 6, 1, 1, 1, 1, 1).play("run left 60")
    assert t.question == "pivot"
    assert "more than its token" in t.why_not("pivot 31 right about centre")
    assert "pivot 0" in t.legal()
    t.play("pivot 30 right about centre")
    assert pose(t, 0)[2] == 330
    assert t.question != "attack"


@pytest.mark.parametrize(("sixes", "value"), [(0, 2), (1, 3)])
def test_b9_no_attack_after_a_run_whatever_the_row(table: type[Table], sixes: int, value: int) -> None:
    """Blue lies within reach of red's left side after the run."""
    blue = {"progress": 100, "offset": 69}
    t = let_fall(
        table({**FIRST, "structure": 7, "token": "10"}, wreck(90, 16 + 5), blue, turn=3), *faces(4, sixes), 1, 1
    )
    t.play("run left 48")
    assert t.one(RanThrough).value == value
    if value >= 3:
        t.play("pivot 0")
    assert (t.question, t.asked) == ("drive", 0)


def test_b9_after_the_next_sub_move_it_may_attack_again(table: type[Table]) -> None:
    """Only the last sub-move counts."""
    blue = {"progress": 110, "offset": 69}
    t = let_fall(table({**FIRST, "structure": 7, "token": "10"}, wreck(90, 21), blue), *ONES, 1, 1, 1)
    t.play("run left 48", "announce", "ahead 10")
    assert t.question == "attack"


def test_b11_several_wrecks_are_run_through_in_order(table: type[Table]) -> None:
    t = let_fall(table({**FIRST, "token": "10"}, wreck(175), wreck(145)), *[1] * 8).play("run ahead 120")
    assert [ran.target for ran in t.told(RanThrough)] == [WRECK + 2, WRECK + 1]
    assert pose(t, 0) == (320, 0, 0)
    assert t.driving["moved"] == 120


def test_b11_all_must_be_clear_at_the_end(table: type[Table]) -> None:
    t = table({**FIRST, "token": "10"}, wreck(205), wreck(145))
    assert t.why_not("run ahead 90") != ""
    assert t.why_not("run ahead 140") == ""


def test_b11_one_bad_result_takes_the_pivot_away(table: type[Table]) -> None:
    """3 with the first stone and 2 with the second: no pivot."""
    stones = [obstacle(190, offset, 1, "low, fixed") for offset in (-30, 10)]
    start = {"progress": 200, "offset": -60, "token": "10"}
    t = let_fall(table(start, edition=edition_with(*stones)), 6, 1, 1, 1, 1, 1, 1, 1).play("run left 110")
    assert [ran.value for ran in t.told(RanThrough)] == [3, 2]
    assert t.question == "drive"


def test_b13_the_dice_are_those_of_the_part_that_meets_the_wreck(table: type[Table]) -> None:
    t = let_fall(table(FIRST, wreck(110, 30)), 1, 1, 1, 1).play("run left 60")
    assert t.one(Collided).part == "horses"
    assert len(t.one(RolledBoth).dice) == 2


def test_run_through_far_below_minus_3(table: type[Table]) -> None:
    """Two horses against a low stone of 6: "-3 or less"."""
    edition = edition_with(obstacle(155, 0, 6, "low, movable"))
    t = let_fall(table({**FIRST, "token": "10"}, edition=edition), *[1] * 8).play("run ahead 90")
    assert t.one(RanThrough).value == -4
    assert pose(t, 0) == (224.9, 0, 0)
    assert pose(t, OBSTACLE) == (255, 0, 0)
    assert t.one(TurnEnds, 0).mm == 24.9
