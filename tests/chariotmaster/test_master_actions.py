"""Actions of Chariotmaster: numbers, types and notation say the same."""

from __future__ import annotations

import random

import msgspec
import pytest

from spina.errors import NotationError
from spina.games.chariotmaster.play import actions as a
from spina.games.chariotmaster.play.piece_names import COLOURS, PIECE_NAMES, piece_name, piece_number
from spina.games.chariotmaster.rules import record as s

BEGINNINGS = sorted(getattr(s, name) for name in dir(s) if name.startswith("DO_"))
SOME = random.Random(1).sample(range(s.DO_RUN, s.ACTIONS), 20_000)
EDGES = [code for first in (*BEGINNINGS, s.ACTIONS) for code in (first - 1, first) if 0 <= code < s.ACTIONS]


def settled(code: int) -> int:
    """A pivot of 0 has one number only."""
    for first, past, middle in (
        (s.DO_PIVOT, s.DO_UTURN, 180),
        (s.DO_UTURN, s.DO_WALK, 180),
        (s.DO_SUBMOVE, s.ACTIONS, s.WIDEST),
    ):
        if first <= code < past:
            degrees, point = divmod(code - first, s.POINTS)
            return code - point if degrees % (2 * middle + 1) == middle else code
    return code


@pytest.mark.slow
@pytest.mark.parametrize("codes", [range(s.DO_RUN), SOME, EDGES], ids=["all but the longest", "some", "edges"])
def test_every_number_is_an_action_that_its_notation_reads_back(codes: range | list[int]) -> None:
    for code in codes:
        typed = a.action(code)
        assert isinstance(typed, a.Any)
        assert a.code_of(typed) == settled(code)
        assert a.action(a.code_of(typed)) == typed
        assert a.read(str(typed)) == typed
        assert a.read(str(typed).upper().replace(" ", "  ")) == typed


def test_different_actions_are_written_differently() -> None:
    codes = {settled(code) for code in (*range(s.DO_RUN), *SOME, *EDGES)}
    assert len({str(a.action(code)) for code in codes}) == len(codes)


def test_every_class_has_numbers_and_survives_json() -> None:
    found = {type(a.action(code)) for code in (*range(s.DO_RUN), *SOME)}
    plain = set(a.Plain.__subclasses__())
    assert len(plain) == 19 and plain < found
    assert found - plain == set(a.Any.__args__) - {a.Plain}
    for code in EDGES:
        typed = a.action(code)
        assert msgspec.json.decode(msgspec.json.encode(typed), type=type(typed)) == typed


@pytest.mark.parametrize("code", [-1, s.ACTIONS])
def test_there_are_no_other_numbers(code: int) -> None:
    with pytest.raises(NotationError, match="numbered 0 to"):
        a.action(code)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (s.DO_TOKEN + s.MIDDLE, "token 5"),
        (s.DO_STOP, "stop"),
        (s.DO_BEAR, "bear it"),
        (s.DO_BACK, "brake away"),
        (s.DO_SHY, "shy away"),
        (s.DO_SIDE, "evade left"),
        (s.DO_SIDE + 1, "evade right"),
        (s.DO_CLIMB_REINS, "climb for the reins"),
        (s.DO_CLIMB_CUT, "climb to cut"),
        (s.DO_CUT, "cut loose"),
        (s.DO_MODIFY + 2 * 1 + 1, "modify die 2 +1"),
        (s.DO_MODIFY + 2 * 1, "modify die 2 -1"),
        (s.DO_RAM + 4 * 0 + s.HORSES, "ram red horses"),
        (s.DO_RAM + 4 * 6 + s.BODY, "ram red-2 body"),
        (s.DO_RAM + 4 * (s.WRECK_OF + 2) + s.WHOLE, "ram wreck of blue"),
        (s.DO_RAM + 4 * (s.DRIVER_OF + 3) + s.MAN, "ram driver of green"),
        (s.DO_RAM + 4 * 3 + s.MAN, "ram green driver"),
        (s.DO_RAM + 4 * (s.OBSTACLE + 1) + s.WHOLE, "ram obstacle 2"),
        (s.DO_WHIP_HORSES, "whip horses of red"),
        (s.DO_WHIP_DRIVER + 1, "whip driver of white"),
        (s.DO_BITE + 5, "bite gold"),
        (s.DO_BOARS + (4 * 0 + s.BODY) * 3, "boars left at red body"),
        (s.DO_BOARS + (4 * (s.WRECK_OF + 2) + s.WHOLE) * 3 + s.FRONT, "boars front at wreck of blue"),
        (s.DO_PIVOT + (30 + 180) * 5 + s.FRONT_RIGHT, "pivot 30 left about front right"),
        (s.DO_PIVOT + 180 * 5, "pivot 0"),
        (s.DO_UTURN, "u-turn 180 right about centre"),
        (s.DO_WALK + 45 * 64 + 50, "walk 45 50 mm"),
        (s.DO_RUN + 120, "run ahead 120"),
        (s.DO_RUN + 512 * s.SWEEP_LEFT + 40, "run left 40"),
        (s.DO_SUBMOVE + (85 * 181 + 90) * 5, "ahead 85"),
        (s.DO_SUBMOVE + ((512 * s.SWEEP_RIGHT + 40) * 181 + 60) * 5, "right 40, pivot 30 right"),
        (s.DO_SUBMOVE + (85 * 181 + 120) * 5 + s.FRONT_RIGHT, "ahead 85, pivot 30 left about front right"),
    ],
)
def test_notation(code: int, text: str) -> None:
    assert str(a.action(code)) == text
    assert a.code_of(a.read(text)) == code


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("ahead 8.5 cm", a.SubMove("ahead", 85)),
        ("Ahead 85mm pivot 30° left", a.SubMove("ahead", 85, 30)),
        (" left  4cm ,pivot 12 degrees right about the rear left", a.SubMove("left", 40, -12, "rear left")),
        ("ahead 85, pivot 0 about front left", a.SubMove("ahead", 85)),
        ("run right 12 cm", a.Run("right", 120)),
        ("u turn 90 left about center", a.UTurn(90)),
        ("U-turn 90 left", a.UTurn(90)),
        ("pivot 30 right", a.Pivot(-30)),
        ("walk 45°, 5 cm", a.Walk(45, 50)),
        ("walk 45 50", a.Walk(45, 50)),
        ("modify 3 −1", a.Modify(3, -1)),
        ("tokens 5, 10", a.Tokens(("5", "10"))),
        ("tokens 5,10", a.Tokens(("5", "10"))),
        ("tokens 0", a.Tokens(("0",))),
    ],
)
def test_forgiving_notation(text: str, typed: a.Any) -> None:
    assert a.read(text) == typed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "look like .*ahead 85"),
        ("nonsense", '"nonsense" cannot be read; actions look like "token 5".*"bear it"'),
        ("token", "cannot be read"),
        ("token 7", 'no speed token "7": there are 0, 5, 10'),
        ("tokens 5 10 7", "no speed token"),
        ("token " + "5 " * 13, "at most 12 chariots"),
        ("ahead", "cannot be read"),
        ("ahead 512", "shorter than 512 mm"),
        ("ahead 8.55 cm", "whole millimetres.*85.5 mm is not"),
        ("ahead 85, pivot 30", 'say to which side: "pivot 30 left"'),
        ("ahead 85, pivot 91 left", "at most 90 degrees"),
        ("ahead 85, pivot 30 left about wheel", 'no point to pivot about "wheel": there are centre, front left'),
        ("pivot 181 left", "at most 180"),
        ("walk 360 50", "0 to 359"),
        ("walk 45 64", "shorter than 64 mm"),
        ("modify die 17 +1", "counted from 1 to 16"),
        ("modify die 0 +1", "counted from 1 to 16"),
        ("modify die 2 +2", "cannot be read"),
        ("ram red", 'say what of it: "red horses"'),
        ("ram pink horses", 'no piece "pink horses": there are red, .*"wreck of red"'),
        ("ram obstacle 13", "obstacle 12"),
        ("ram the wall", "no piece"),
        ("bite pink", "no piece"),
        ("boars behind at red body", "cannot be read"),
        ("ahead ٣", "cannot be read"),
        ("a" * 1000, "at most 100 characters"),
    ],
)
def test_what_cannot_be_read_is_explained(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        a.read(text)


@pytest.mark.parametrize(
    "typed",
    [
        a.Tokens(()),
        a.Tokens(("5", "10")),
        a.Tokens(("7",)),
        a.SubMove("back", 10),
        a.SubMove("ahead", -1),
        a.SubMove("ahead", 8.5),  # type: ignore[arg-type]
        a.SubMove("ahead", 10, 91),
        a.SubMove("ahead", 10, 5, "wheel"),
        a.Run("ahead", 512),
        a.Pivot(181),
        a.UTurn(-181),
        a.Walk(-1, 10),
        a.Walk(0, 64),
        a.Ram("pink", "horses"),
        a.Ram("red", "wheel"),
        a.Boars("red", "horses", "rear"),
        a.EvadeTo("front"),
        a.Modify(1, 2),
        a.Modify(True, 1),
        a.WhipHorses("the wall"),
    ],
)
def test_what_has_no_number_is_refused(typed: a.Any) -> None:
    with pytest.raises(NotationError):
        a.code_of(typed)


def test_tokens_of_several_chariots_are_gathered_from_their_steps() -> None:
    whole = a.gather([a.Tokens(("5",)), a.Tokens(("10",))])
    assert whole == a.Tokens(("5", "10")) and str(whole) == "tokens 5 10"
    assert a.codes_of(whole) == [s.DO_TOKEN + s.MIDDLE, s.DO_TOKEN + s.FAST]
    assert a.starts_over(whole) and not a.starts_over(a.Tokens(("5",)))
    assert a.gather([a.Tokens(("5",))]) == a.Tokens(("5",))
    assert a.gather([a.Stop()]) == a.Stop() and not a.starts_over(a.Stop())
    assert a.codes_of(a.Stop()) == [s.DO_STOP]
    with pytest.raises(NotationError, match="each of its tokens"):
        a.code_of(whole)


def test_a_pivot_of_nothing_is_about_the_centre() -> None:
    assert a.SubMove("ahead", 85, 0, "front left") == a.SubMove("ahead", 85)
    assert a.Pivot(0, "rear right") == a.Pivot(0) and a.UTurn(0, "rear left") == a.UTurn(0)


def test_pieces_have_names() -> None:
    assert COLOURS[:2] == ("red", "white") and COLOURS[6:8] == ("red-2", "white-2") and len(set(COLOURS)) == s.CHARIOTS
    assert len(set(PIECE_NAMES)) == s.PIECES
    assert [piece_number(name) for name in PIECE_NAMES] == list(range(s.PIECES))
    assert piece_name(s.WALL) == "the wall"
    for piece in (-1, s.WALL + 1):
        with pytest.raises(ValueError, match="no piece"):
            piece_name(piece)
