"""Events of Chariotmaster: every number has a type and a sentence; a turn makes a story."""

from __future__ import annotations

import json
import re

import msgspec
import pytest

from spina.games.chariotmaster.play import event_rows, narrator
from spina.games.chariotmaster.play import events as e
from spina.games.chariotmaster.rules import event_kinds
from spina.games.chariotmaster.rules.record import (
    BODY,
    DRIVER_OF,
    FAST,
    HEALTH,
    HORSES,
    MIDDLE,
    NOTHING,
    OBSTACLE,
    OUT_SKILL_DRAGGED,
    OUT_STAMINA,
    REAR_RIGHT,
    STAMINA,
    STRUCTURE,
    WALL,
    WHOLE,
    WRECK_OF,
)
from spina.games.game import Event

NAMES = ["Scorpus", "Diocles", "Fuscus"]
TOLD = {
    name: number
    for name, number in vars(event_kinds).items()
    if isinstance(number, int) and not re.match(r"(R|P|A|T|M|AT|DEF)_", name)
}


def row(kind: int, chariot: int, *facts: int) -> list[int]:
    return [kind, chariot, *facts, *[0] * (6 - len(facts))]


def told(kind: int, chariot: int, *facts: int) -> str:
    return narrator.sentence(event_rows.event(row(kind, chariot, *facts)), NAMES)


def pack(*dice: int) -> int:
    return sum(face * 7**place for place, face in enumerate(dice))


def test_every_number_has_a_type_of_its_name() -> None:
    assert sorted(TOLD.values()) == list(range(2, 61))
    for name, number in TOLD.items():
        assert type(event_rows.event(row(number, 0))).__name__ == name.title().replace("_", "")


@pytest.mark.parametrize("number", range(2, 61))
@pytest.mark.parametrize("chariot", [0, 4, NOTHING])
@pytest.mark.parametrize("fact", [0, 1])
def test_every_event_is_plain_and_can_be_told(number: int, chariot: int, fact: int) -> None:
    event = event_rows.event(row(number, chariot, *[fact] * 6))
    data = json.loads(msgspec.json.encode(event))
    assert data["type"] == type(event).__name__
    assert msgspec.convert(data, type(event)) == event
    for names in (NAMES, NAMES[:1], NAMES * 4):
        text = narrator.sentence(event, names)
        assert text or isinstance(event, e.Pivoted | e.TurnedRound | e.Aligned | e.Placed)
        assert not text or (text[0].isupper() and text[-1] in ".!")
    assert isinstance(narrator.story([event], NAMES, 80, colour=True), list)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (event_kinds.ROLLED, event_kinds.ROLLS),
        (event_kinds.CHANGED, event_kinds.ADJUSTMENTS),
        (event_kinds.TESTED, event_kinds.TESTS),
        (event_kinds.ATTACKED, event_kinds.ATTACKS),
        (event_kinds.DEFENDED, event_kinds.DEFENCES),
    ],
)
def test_every_kind_of_roll_test_and_attack_can_be_told(number: int, words: tuple[str, ...]) -> None:
    assert all(told(number, 0, kind) for kind in range(len(words)))


def test_every_move_and_payment_can_be_told() -> None:
    assert all(told(event_kinds.MOVED, 0, 0, kind, 85) for kind in range(len(event_kinds.MOVES)))
    assert all(told(event_kinds.PAID, 0, 1, kind) for kind in range(len(event_kinds.PAYMENTS)))


def test_only_its_own_seat_sees_a_chosen_token() -> None:
    chose = event_rows.event(row(event_kinds.CHOSE, 4, MIDDLE, 1))
    assert chose == e.Chose(4, "5", 1)
    assert chose.seen_by(1) == chose
    assert all(chose.seen_by(viewer) is None for viewer in (0, 2, 4, None))
    drawn = event_rows.event(row(event_kinds.DRAWN, 4, MIDDLE))
    assert all(drawn.seen_by(viewer) == drawn for viewer in (0, 1, None))


def test_facts_are_unpacked() -> None:
    assert event_rows.event(row(event_kinds.ROLLED, 1, event_kinds.R_BRAKE, pack(4), 1)) == e.Rolled(1, "brake", (4,))
    both = event_rows.event(
        row(event_kinds.ROLLED_BOTH, 0, event_kinds.R_COLLISION, pack(6, 1, 3), 3, NOTHING, pack(5, 2), 2)
    )
    assert both == e.RolledBoth(0, "collision", (6, 1, 3), None, (5, 2))
    assert event_rows.event(row(event_kinds.ROLLED, 0, event_kinds.R_BITE, pack(*[6] * 11), 11)) == e.Rolled(
        0, "bite", (6,) * 11
    )
    moved = event_rows.event(row(event_kinds.MOVED, 0, 0, event_kinds.M_SKID, 853, 12345, -7, 2705))
    assert moved == e.Moved(0, 0, "skid", 85.3, 1234.5, -0.7, 270.5)
    pushed = event_rows.event(row(event_kinds.MOVED, 1, OBSTACLE + 1, event_kinds.M_BOUNCE, 100))
    assert pushed == e.Moved(None, OBSTACLE + 1, "bounce", 10.0, 0.0, 0.0, 0.0)
    turned = event_rows.event(row(event_kinds.TURNED_ROUND, 2, REAR_RIGHT, -170, 10, 20, 30))
    assert turned == e.TurnedRound(2, "rear right", -170.0, 1.0, 2.0, 3.0)
    collided = event_rows.event(row(event_kinds.COLLIDED, 0, 0, HORSES, WALL, NOTHING, 0, 1))
    assert collided == e.Collided(0, 0, "horses", WALL, "object", "collision", 1)
    out = event_rows.event(row(event_kinds.OUT_OF, 0, OUT_SKILL_DRAGGED, 6, 8, 2))
    assert out == e.OutOf(0, "skill dragged", 6, 8, 2)
    assert event_rows.event(row(event_kinds.MODIFIED, 0, 2, 5)) == e.Modified(0, 3, 5)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Turn 7.", (event_kinds.GAME_TURN, NOTHING, 7)),
        ("Scorpus puts the 10 token into the mug.", (event_kinds.CHOSE, 0, FAST, 0)),
        ("Diocles has the 5 token drawn, all that is left.", (event_kinds.DRAWN, 1, MIDDLE, 1)),
        ("Scorpus drives 8.5 cm ahead.", (event_kinds.MOVED, 0, 0, event_kinds.M_AHEAD, 850)),
        ("Fuscus on foot walks 4.53 cm.", (event_kinds.MOVED, 2, DRIVER_OF + 2, event_kinds.M_WALK, 453)),
        ("The wreck of Diocles is knocked 3 cm away.", (event_kinds.MOVED, 1, WRECK_OF + 1, event_kinds.M_BOUNCE, 300)),
        ("Obstacle 2 is knocked 1 cm away.", (event_kinds.MOVED, 1, OBSTACLE + 1, event_kinds.M_BOUNCE, 100)),
        ("Diocles's second pivots 30° left.", (event_kinds.PIVOTED, 4, 4, 300)),
        ("Fuscus's third pivots 12.5° right.", (event_kinds.PIVOTED, 8, 8, -125)),
        ("Scorpus brakes: −4 cm, now 1 to 11 cm.", (event_kinds.CHANGED, 0, event_kinds.A_BRAKE, -400, 100, 1100)),
        ("Scorpus spurs: +6 cm, now 11 to 21 cm.", (event_kinds.CHANGED, 0, event_kinds.A_SPUR, 600, 1100, 2100)),
        (
            "Scorpus tests 4 + 2 = 6 against skill 6: holds the line.",
            (event_kinds.TESTED, 0, event_kinds.T_SUBMOVE, 4, 2, 6, 1),
        ),
        (
            "Scorpus tests 6 − 1 = 5 against skill 6: does not get hold (a 6 always fails).",
            (event_kinds.TESTED, 0, event_kinds.T_GRAB, 6, -1, 6, 0),
        ),
        (
            "Scorpus tests 1 against skill 0: the reins part (a 1 always passes).",
            (event_kinds.TESTED, 0, event_kinds.T_CUT, 1, 0, 0, 1),
        ),
        (
            "Scorpus has no stamina left to lose and rolls 4 + 1 = 5 (further such rolls +2).",
            (event_kinds.OUT_OF, 0, OUT_STAMINA, 4, 5, 2),
        ),
        (
            "Scorpus has no stamina left to lose and rolls 6 + 3 = 9 (further such rolls only +1).",
            (event_kinds.OUT_OF, 0, OUT_STAMINA, 6, 9, 1),
        ),
        ("Scorpus turns to ram Diocles's body.", (event_kinds.ATTACKED, 0, event_kinds.AT_RAM, 1, BODY, 0)),
        (
            "Scorpus sets the boars on the wreck of Diocles straight ahead.",
            (event_kinds.ATTACKED, 0, event_kinds.AT_BOARS, WRECK_OF + 1, WHOLE, 2),
        ),
        (
            "Scorpus collides, horses first, with the wall (no. 3 in a row).",
            (event_kinds.COLLIDED, 0, 0, HORSES, WALL, WHOLE, 0, 3),
        ),
        (
            "Scorpus rolls 6 1 against Diocles's 5 for the collision.",
            (event_kinds.ROLLED_BOTH, 0, event_kinds.R_COLLISION, pack(6, 1), 2, 1, pack(5), 1),
        ),
        ("Scorpus gets across the wreck of Diocles (run-through +2).", (event_kinds.RAN_THROUGH, 0, 2, WRECK_OF + 1)),
        (
            "Scorpus sticks fast in the wreck of Diocles (run-through −3).",
            (event_kinds.RAN_THROUGH, 0, -3, WRECK_OF + 1),
        ),
        ("Scorpus has 14 against Diocles's 14 and is disarmed.", (event_kinds.DUELLED, 0, 1, 14, 14)),
        ("Scorpus crosses the line, 2nd.", (event_kinds.CROSSED, 0, 2)),
        ("Scorpus wins the race!", (event_kinds.FINISHED, 0, 1)),
        ("Scorpus comes in 3rd.", (event_kinds.FINISHED, 0, 3)),
    ],
)
def test_sentences(text: str, facts: tuple[int, ...]) -> None:
    assert told(*facts) == text


def test_the_number_of_seats_may_be_said() -> None:
    assert narrator.sentence(e.Kept(2), [*NAMES, "nobody"], 2) == "Scorpus's second trusts the dice as they lie."


TURN = [
    row(event_kinds.GAME_TURN, NOTHING, 7),
    row(event_kinds.DRAWN, 1, FAST),
    row(event_kinds.PAID, 1, 1, event_kinds.P_BRAKE),
    row(event_kinds.LOST, 1, STAMINA, 12),
    row(event_kinds.ROLLED, 1, event_kinds.R_BRAKE, pack(4), 1),
    row(event_kinds.CHANGED, 1, event_kinds.A_BRAKE, -400, 600, 1100),
    row(event_kinds.MOVED, 1, 1, event_kinds.M_AHEAD, 850),
    row(event_kinds.PIVOTED, 1, 1, 300),
    row(event_kinds.ROLLED, 1, event_kinds.R_SUBMOVE, pack(3), 1),
    row(event_kinds.TESTED, 1, event_kinds.T_SUBMOVE, 3, 2, 6, 1),
    row(event_kinds.MOVED, 1, 1, event_kinds.M_AHEAD, 250),
    row(event_kinds.ATTACKED, 1, event_kinds.AT_RAM, 0, BODY, 0),
    row(event_kinds.COLLIDED, 1, 1, BODY, 0, BODY, 1, 1),
    row(event_kinds.ROLLED_BOTH, 1, event_kinds.R_COLLISION, pack(6, 5, 2, 4), 4, 0, pack(3, 6), 2),
    row(event_kinds.HITS, 1, 3, 1, 5, 3),
    row(event_kinds.LOST, 0, STRUCTURE, 1),
    row(event_kinds.LOST, 0, STRUCTURE, 0),
    row(event_kinds.ROLLED, 0, event_kinds.R_OUT_OF, pack(2), 1),
    row(event_kinds.OUT_OF, 0, 1, 2, 2, 0),
    row(event_kinds.LOST, 1, STRUCTURE, 4),
    row(event_kinds.BOUNCED, 1, 2, 1, 0),
    row(event_kinds.TURN_ENDS, 1, 1100),
    row(event_kinds.DRAWN, 0, MIDDLE, 0, 1),
    row(event_kinds.MOVED, 0, 0, event_kinds.M_RUNAWAY, 1000),
    row(event_kinds.CROSSED, 0, 1),
    row(event_kinds.TURN_ENDS, 0, 1000),
    row(event_kinds.REMOVED, 0),
    row(event_kinds.FINISHED, 0, 1),
    row(event_kinds.FINISHED, 1, 2),
]


def test_a_turn_is_told_chariot_by_chariot() -> None:
    lines = narrator.story([event_rows.event(line) for line in TURN], NAMES[:2], 1000, colour=False)
    assert lines == [
        "  W Diocles: token 10; brakes for 1 stamina (12 left): −4 cm, now 6 to 11 cm; drives 8.5 cm ahead and pivots "
        "30° left; tests 3 + 2 = 5 against skill 6: holds the line; drives 2.5 cm ahead; rams Scorpus's body: 6 5 2 4 "
        "against 3 6, 3 hits to 1, impact 5 to 3. Scorpus loses 2 structure (0 left); has no structure left to lose "
        "and rolls 2: nothing comes of it. Diocles loses 1 structure (4 left); stays where it hit (bounce +2); "
        "11 cm in all.",
        "  R Scorpus: token 5, out of control; runs on for 10 cm; crosses the line, 1st.",
        "  Scorpus leaves the track as a finisher.",
        "  Scorpus wins the race!",
    ]


@pytest.mark.parametrize("width", [40, 80])
def test_a_story_keeps_to_its_width_with_and_without_colours(width: int) -> None:
    events = [event_rows.event(line) for line in TURN]
    plain = narrator.story(events, NAMES[:2], width, colour=False)
    assert max(map(len, plain)) <= width
    painted = narrator.story(events, NAMES[:2], width, colour=True)
    assert painted != plain and [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in painted] == plain


def test_luck_is_told_between_a_roll_and_what_comes_of_it() -> None:
    rows = [
        row(event_kinds.DRAWN, 0, FAST),
        row(event_kinds.ROLLED, 0, event_kinds.R_SUBMOVE, pack(6), 1),
        row(event_kinds.MODIFIED, 0, 0, 5),
        row(event_kinds.TESTED, 0, event_kinds.T_SUBMOVE, 5, 1, 6, 1),
    ]
    (line,) = narrator.story([event_rows.event(line) for line in rows], NAMES, 200, colour=False)
    assert line == (
        "  R Scorpus: token 10; rolls 6 for the next sub-move; has luck: die 1 becomes 5; "
        "tests 5 + 1 = 6 against skill 6: holds the line."
    )


def test_a_payment_out_of_nothing_tells_the_roll_before_the_deed() -> None:
    rows = [
        row(event_kinds.DRAWN, 0, FAST),
        row(event_kinds.PAID, 0, 1, event_kinds.P_BRAKE),
        row(event_kinds.ROLLED, 0, event_kinds.R_OUT_OF, pack(6), 1),
        row(event_kinds.OUT_OF, 0, OUT_STAMINA, 6, 8, 1),
        row(event_kinds.HORSE_DIED, 0, 1),
        row(event_kinds.ROLLED, 0, event_kinds.R_BRAKE, pack(3), 1),
        row(event_kinds.CHANGED, 0, event_kinds.A_BRAKE, -300, -300, 200),
    ]
    (line,) = narrator.story([event_rows.event(line) for line in rows], NAMES, 300, colour=False)
    assert line == (
        "  R Scorpus: token 10; spends 1 stamina to brake; has no stamina left to lose and rolls 6 + 2 = 8 (further "
        "such rolls only +1); has a horse drop dead (1 horse left); brakes: −3 cm, now −3 to 2 cm."
    )


def test_a_driver_hurled_from_a_crash_is_told_from_his_chariot() -> None:
    rows = [
        row(event_kinds.DRAWN, 1, FAST),
        row(event_kinds.CRASHED, 0),
        row(event_kinds.LOST, 0, HEALTH, 2),
        row(event_kinds.HURLED, 0, 900),
        row(event_kinds.PLACED, 0, 10, 20),
        row(event_kinds.MOVED, 0, DRIVER_OF, event_kinds.M_HURLED, 400),
        row(event_kinds.ELIMINATED, 0),
    ]
    (line,) = narrator.story([event_rows.event(line) for line in rows], NAMES, 300, colour=False)
    assert line == (
        "  W Diocles: token 10. Scorpus CRASHES: the chariot is a wreck; loses 1 health (2 left); is hurled out of the "
        "wreck. Scorpus on foot flies 4 cm. Scorpus is OUT of the race."
    )


def test_a_heading_counts_turns_and_ranks_the_chariots() -> None:
    def chariot(
        number: int, place: int, progress: float, finished: bool = False, out: bool = False
    ) -> dict[str, object]:
        return {
            "chariot": number, "place": place, "progress": progress, "stamina": 9, "finished": finished, "out": out,
        }  # fmt: skip

    view = {
        "turn": 7,
        "limit": 104,
        "chariots": [chariot(0, 3, -20.5), chariot(1, 2, 1345), chariot(2, 1, 4000, True), chariot(3, 4, 90, out=True)],
    }
    assert narrator.heading(view, 80, colour=False) == [
        "Turn 7 of at most 104",
        "  blue home · white 134.5 cm, stamina 9 · red −2.05 cm, stamina 9 · green out",
    ]
    assert narrator.heading(view, 40, colour=True) == [
        "\x1b[1mTurn 7 of at most 104\x1b[0m",
        "  blue home · white 134.5 cm, stamina 9",
        "  · red −2.05 cm, stamina 9 · green out",
    ]


def test_events_cannot_be_changed() -> None:
    event: Event = event_rows.event(row(event_kinds.KEPT, 0))
    with pytest.raises(AttributeError):
        event.chariot = 9  # type: ignore[attr-defined]
