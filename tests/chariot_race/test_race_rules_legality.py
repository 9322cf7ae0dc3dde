"""What may be done: actions, their numbers and their notation agree, and the rest is refused and changes nothing."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

import spina
from spina.errors import IllegalAction, NotationError, PositionError
from spina.games.chariot_race.components.edition import reference
from spina.games.chariot_race.play import actions
from spina.games.chariot_race.play.actions import (
    Caltrop,
    Draft,
    Javelin,
    NoAttack,
    Repair,
    Reroll,
    Signs,
    Start,
    Step,
    TurnDie,
)
from spina.games.chariot_race.rules import record

if TYPE_CHECKING:
    from conftest import Table

USED = [code for code in range(record.ACTIONS) if code < record.DO_CALTROP + reference().spaces]


# --- actions and notation -------------------------------------------------------------------------------------------


def test_there_are_242_actions_whatever_the_edition() -> None:
    assert record.ACTIONS == spina.new("chariot-race", seed=1).game.steps == 242


def test_every_number_reads_back_from_its_action_and_notation() -> None:
    for code in USED:
        typed = actions.action(reference(), code)
        assert actions.code_of(reference(), typed) == code
        assert actions.read(reference(), str(typed)) == typed
        assert actions.read(reference(), f"  {str(typed).upper()} ") == typed
    assert len({str(actions.action(reference(), code)) for code in USED}) == len(USED)


@pytest.mark.parametrize("code", [-1, record.DO_CALTROP + reference().spaces, 241, 242, 10**9])
def test_other_numbers_are_no_actions(code: int) -> None:
    with pytest.raises(NotationError, match=f"there is no action {code}: they are numbered 0 to 241"):
        actions.action(reference(), code)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", '"" cannot be read; actions look like "repair"'),
        ("fly", '"fly" cannot be read'),
        ("plus", '"plus" cannot be read'),
        ("plus 6", "0 to 5 dice can count as plus, not 6"),
        ("plus -1", "cannot be read"),
        ("plus 12", "cannot be read"),
        ("re-roll", "cannot be read"),
        ("re-roll 0", "cannot be read"),
        ("re-roll 6", "dice are counted from 1 to 5, there is no die 6"),
        ("re-roll one", "cannot be read"),
        ("turn 9 to steer", "there is no die 9"),
        ("turn 1 to fortuna", 'there is no side to turn a die to "fortuna": there are +/-, sprint, steer, attack'),
        ("turn 1 to wheel", 'there is no side to turn a die to "wheel"'),
        ("turn 1", "cannot be read"),
        ("javelin at pink", 'there is no chariot "pink": there are red, white, blue, green, purple, gold'),
        ("javelin", "cannot be read"),
        ("caltrop on x9", 'there is no space "x9": there are i1 to o36'),
        ("caltrop on ", "cannot be read"),
        ("draft plain", 'there is no chariot "plain"'),
        ("draft nobody", 'there is no chariot "nobody"'),
        ("start m1", 'there is no starting space "m1": there are o36, m32, i28, o35, m31, i27'),
        ("a" * 60, '"' + "a" * 39 + '…" cannot be read'),
        ("a" * 101, "an action has at most 100 characters, this has 101"),
        ("caltrop on " + "m" * 80, 'there is no space "' + "m" * 39 + "…"),
        ("plus \u0663", "cannot be read"),
    ],
)
def test_malformed_notation_is_refused_and_changes_nothing(table: type[Table], line: str, message: str) -> None:
    t = table("m14", "m2")
    before = t.race.hash()
    with pytest.raises(NotationError) as caught:
        t.race.play(0, line)
    assert message in str(caught.value)
    assert t.race.hash() == before
    assert t.race.log == ()


@pytest.mark.parametrize(
    "typed",
    [
        Signs(6),
        Signs(-1),
        Reroll((0,)),
        Reroll((6,)),
        TurnDie(0, "steer"),
        TurnDie(1, "fortuna"),
        Step("back"),
        Javelin("pink"),
        Caltrop("z1"),
        Draft("plain"),
        Start("m1"),
    ],
    ids=str,
)
def test_malformed_actions_are_refused_and_change_nothing(table: type[Table], typed: actions.Any) -> None:
    t = table("m14", "m2")
    before = t.race.hash()
    with pytest.raises(NotationError):
        t.race.play(0, typed)
    assert t.race.hash() == before


def test_noise_is_refused_or_read_but_never_crashes(table: type[Table]) -> None:
    chance = random.Random(1)
    words = ["re-roll", "reroll", "turn", "to", "plus", "ahead", "javelin at", "caltrop on", "draft", "start", "no"]
    words += ["repair", "1", "2", "9", "m14", "red", "steer", "\t", "²", "é"]
    for _ in range(3000):
        line = " ".join(chance.choice(words) for _ in range(chance.randrange(5)))
        try:
            typed = actions.read(reference(), line)
        except NotationError:
            continue
        assert actions.read(reference(), str(typed)) == typed


# --- what the rules refuse ------------------------------------------------------------------------------------------


def stages(table: type[Table]) -> list[spina.Race]:
    """A race at every question there is."""
    found: dict[str, spina.Race] = {}
    for individual in (False, True):
        race = spina.new("chariot-race", seats=4, seed=2, individual=individual, edition=table.edition())
        chance = random.Random(4)
        while not race.over:
            found.setdefault(race.view(None)["stage"], race.copy())
            (seat,) = race.to_act
            race.play(seat, chance.choice(race.legal(seat)))
    assert set(found) == set(record.STAGE_NAMES) - {"turn over", "race over"}
    return list(found.values())


def test_whatever_is_not_listed_is_refused_and_changes_nothing(table: type[Table]) -> None:
    for race in stages(table):
        (seat,) = race.to_act
        legal = {str(action) for action in race.legal(seat)}
        before = race.hash()
        for code in USED:
            typed = actions.action(table.edition(), code)
            if str(typed) in legal:
                assert race.check(seat, typed) is None
                continue
            with pytest.raises(IllegalAction) as caught:
                race.play(seat, typed)
            stage = race.view(None)["stage"]
            assert caught.value.reason == f'"{typed}" is not possible now: the question is {stage}'
            assert caught.value.possible and set(caught.value.possible) <= legal
            assert race.check(seat, str(typed)) == caught.value.reason
        assert race.hash() == before


def test_every_listed_action_can_be_played(table: type[Table]) -> None:
    for race in stages(table):
        (seat,) = race.to_act
        before = race.hash()
        for action in race.legal(seat):
            tried = race.copy()
            tried.play(seat, action)
            assert tried.hash() != before
        assert race.hash() == before


def test_only_the_seat_whose_chariot_is_asked_may_act(table: type[Table]) -> None:
    t = table("m14", "m2", "m3")
    before = t.race.hash()
    assert t.race.legal(1) == []
    with pytest.raises(IllegalAction, match="seat 1 owes no choice now: the race waits for 0"):
        t.race.play(1, "keep")
    for seat in (3, -1, True, "0"):
        with pytest.raises(IllegalAction, match="there is no seat"):
            t.race.play(seat, "keep")  # type: ignore[arg-type]
    assert t.race.hash() == before


def test_actions_of_other_games_and_other_things_are_refused(table: type[Table]) -> None:
    t = table("m14", "m2")
    before = t.race.hash()
    foreign = spina.new("charioteer", seed=1).legal(0)[0]
    with pytest.raises(IllegalAction, match=f"{type(foreign).__name__} is not an action of Chariot Race"):
        t.race.play(0, foreign)
    with pytest.raises(IllegalAction, match="an action or its notation is needed, not int"):
        t.race.play(0, 5)  # type: ignore[arg-type]
    assert t.race.hash() == before


def test_nothing_can_be_done_or_taken_back_when_the_race_is_over(table: type[Table]) -> None:
    t = table({"space": "m32", "lap": 1}, "m14", die="fortuna")
    t.finish_round()
    before = t.race.hash()
    assert t.race.over and t.race.to_act == () and t.race.legal(0) == t.race.legal(1) == []
    for action in (Reroll(), Repair(True), NoAttack(), Step("ahead")):
        with pytest.raises(IllegalAction, match="the race is over"):
            t.race.play(0, action)
    with pytest.raises(IllegalAction, match="no choice to take back"):
        t.race.retract(0)
    assert t.race.hash() == before


def test_what_is_done_cannot_be_taken_back(table: type[Table]) -> None:
    t = table({"space": "m14", "fate": 6}, "m2")
    t.play("keep")
    with pytest.raises(IllegalAction, match="no choice to take back"):
        t.race.retract(0)


def test_explaining_an_impossible_action_is_refused(table: type[Table]) -> None:
    t = table("m14", "m2")
    with pytest.raises(IllegalAction, match="is not possible now"):
        t.race.explain(0, "plus 1")


# --- positions ------------------------------------------------------------------------------------------------------

TWO = [{"space": "m14"}, {"space": "m2"}]


def one(**fields: Any) -> dict[str, Any]:
    return {"chariots": [{"space": "m14", **fields}, {"space": "m2"}]}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "chariots"),
        ({"chariots": 5}, "chariots: expected array"),
        ({"chariots": []}, "seats: must be 2 to 6, not 0"),
        ({"chariots": TWO[:1]}, "seats: must be 2 to 6, not 1"),
        ({"chariots": TWO, "seats": 7}, "seats: must be 2 to 6, not 7"),
        ({"chariots": TWO, "seats": 3}, "chariots: 3 seats need 3 or 6 chariots (at most 6)"),
        ({"chariots": [{"space": f"m{n}"} for n in range(1, 9)], "seats": 4}, "chariots: 4 seats need"),
        ({"chariots": TWO, "seats": "two"}, "seats: expected int"),
        ({"chariots": TWO, "weather": 1}, "weather"),
        ({"chariots": [{}, {"space": "m2"}]}, "space"),
        (one(space="x1"), 'chariots[0].space: there is no space "x1": there are i1 to o36'),
        (one(space="m2"), "chariots[1].space: chariot 0 stands there already"),
        (one(space=4), "chariots[0].space: expected str"),
        (one(colour="red"), "colour"),
        (one(lap=2), "chariots[0].lap: must be -1 to 1, not 2"),
        (one(lap=-2), "chariots[0].lap: must be -1 to 1, not -2"),
        (one(lap=0.5), "chariots[0].lap: expected int"),
        (one(condition=13), "chariots[0].condition: must be 0 to 12, not 13"),
        (one(condition=-1), "chariots[0].condition: must be 0 to 12, not -1"),
        (one(speed=13), "chariots[0].speed: must be 0 to 12, not 13"),
        (one(speed=-1), "chariots[0].speed: must be 0 to 12, not -1"),
        (one(fate=7), "chariots[0].fate: must be 0 to 6, not 7"),
        (one(fate=-1), "chariots[0].fate: must be 0 to 6, not -1"),
        (one(kind="light"), "chariots[0].kind: with the option individual there are heavy"),
        ({**one(kind="plain"), "options": {"individual": True}}, 'not "plain"'),
        ({**one(kind="wild", condition=10), "options": {"individual": True}}, "chariots[0].condition: must be 0 to 9"),
        ({**one(space="m17"), "options": {"board": "AB"}}, "chariots[0].space: a stone heap lies on m17"),
        ({"chariots": [{"space": "m14", "condition": 0}] * 2}, "chariots: at least one must be in the race"),
        ({"chariots": TWO, "round": 0}, "round: must be 1 to 10000, not 0"),
        ({"chariots": TWO, "seed": -1}, "seed: must be 0 to"),
        ({"chariots": TWO, "seed": 2**64}, "seed"),
        ({"chariots": TWO, "caltrops": ["z1"]}, 'caltrops[0]: there is no space "z1"'),
        ({"chariots": TWO, "caltrops": ["m1", "m1"]}, "caltrops[1]: a space never holds two"),
        ({"chariots": TWO, "caltrops": [f"o{n}" for n in range(1, 22)]}, "caltrops: there are only 20, not 21"),
        ({"chariots": TWO, "caltrops": "m1"}, "caltrops: expected array"),
        ({"chariots": TWO, "turn": 2}, "turn: chariot 2 has no turn: 0, 1 have"),
        ({"chariots": TWO, "turn": -1}, "turn: chariot -1 has no turn"),
        ({**one(condition=0), "turn": 0}, "turn: chariot 0 has no turn: 1 have"),
        ({"chariots": TWO, "dice": ["steer"]}, "dice: chariot 0 rolls 5 at speed 4, not 1"),
        ({**one(speed=9, condition=6), "dice": ["steer"] * 3}, "dice: chariot 0 rolls 4 at speed 6, not 3"),
        ({"chariots": TWO, "dice": ["steer"] * 4 + ["wheel"]}, 'dice[4]: no side "wheel": there are +/-, sprint'),
    ],
)  # fmt: skip
def test_positions_that_cannot_be_are_refused_by_field(table: type[Table], data: dict[str, Any], message: str) -> None:
    with pytest.raises(PositionError) as caught:
        spina.position("chariot-race", data, edition=table.edition())
    assert message in str(caught.value)


@pytest.mark.parametrize(("options", "message"), [({"board": "C"}, "board must be"), ({"laps": 3}, 'no option "laps"')])
def test_options_of_positions_are_checked(table: type[Table], options: dict[str, Any], message: str) -> None:
    with pytest.raises(PositionError, match=message):
        spina.position("chariot-race", {"chariots": TWO, "options": options}, edition=table.edition())


def test_a_position_leaves_the_others_as_they_were_given(table: type[Table]) -> None:
    """The foremost is not held back for a turn that it has had."""
    t = table({"space": "m14", "speed": 9, "condition": 4}, {"space": "m2", "speed": 8, "condition": 3}, turn=1)
    assert [t[chariot]["speed"] for chariot in range(2)] == [9, 3]


def test_a_position_starts_as_the_chariot_does_where_it_says_nothing(table: type[Table]) -> None:
    race = spina.position("chariot-race", {"chariots": TWO}, edition=table.edition())
    view = race.view(None)
    for chariot in view["chariots"]:
        assert (chariot["condition"], chariot["speed"], chariot["fate"], chariot["lap"]) == (12, 4, 3, 0)
    assert (view["round"], view["chariot"], view["supply"], len(view["dice"])) == (2, 0, 20, 5)
