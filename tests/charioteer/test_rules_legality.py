"""What may be chosen: the steps and the notation agree with each other and with the rulings, and refuse the rest."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

import spina
from spina.errors import IllegalAction, NotationError
from spina.games.charioteer.components.edition import CharioteerEdition, reference
from spina.games.charioteer.play import actions
from spina.games.charioteer.play.actions import Card, Choice, Crowd, Done, Symbol, Token
from spina.games.charioteer.rules import record

if TYPE_CHECKING:
    from conftest import Table

KINDS = reference().kind_names
FAN_KINDS = [name for name, fan in zip(KINDS, reference().fan_kinds, strict=True) if fan]


def random_race(chance: random.Random) -> spina.Race:
    """Two seats with hands of any size, many tokens, and now and then a whip as crowd card."""
    cards = list(reference().card_names)
    chance.shuffle(cards)
    if chance.random() < 0.2:
        cards.remove("whip")
        cards.append("whip")
    crowd = [cards.pop() for _ in range(3)]
    chariots = [
        {
            "hand": [cards.pop() for _ in range(chance.choice([1, 2, 3, 8, 8, 8]))],
            "tokens": [*chance.sample(FAN_KINDS, chance.randrange(6)), *chance.sample(KINDS[:5], chance.randrange(3))],
        }
        for _ in range(2)
    ]
    return spina.position("charioteer", {"chariots": chariots, "crowd": crowd})


def choose_at_random(race: spina.Race, seat: int, chance: random.Random) -> list[actions.Action]:
    """Random steps until the choice is complete; there must always be one."""
    taken = []
    while seat in race.to_act and len(taken) < 20:
        options = race.legal(seat)
        assert options, f"a dead end after {taken}"
        taken.append(chance.choice(options))
        race.play(seat, taken[-1])
    assert seat not in race.to_act
    return taken


# --- steps and notation ---------------------------------------------------------------------------------------------


def test_there_are_57_steps_whatever_the_edition() -> None:
    assert record.STEPS == spina.new("charioteer", seed=1).game.steps == 57
    numbers = [actions.step_code(reference(), actions.step(reference(), code)) for code in used_codes(reference())]
    assert numbers == used_codes(reference())


def used_codes(edition: CharioteerEdition) -> list[int]:
    """All but the numbers kept for kinds of token that the edition does not have."""
    unused = range(record.DO_TOKEN + len(edition.kind_names), record.DO_NO_TOKEN)
    return [code for code in range(record.STEPS) if code not in unused]


@pytest.mark.parametrize("code", [-1, record.DO_TOKEN + len(KINDS), record.STEPS])
def test_other_numbers_are_no_steps(code: int) -> None:
    with pytest.raises(NotationError, match=f"there is no step {code}: they are numbered 0 to 56"):
        actions.step(reference(), code)


def test_every_step_reads_back_from_its_notation() -> None:
    for code in used_codes(reference()):
        step = actions.step(reference(), code)
        assert actions.read(reference(), str(step)) == step


@pytest.mark.parametrize("seed", range(4))
def test_steps_and_notation_reach_the_same_state(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(300):
        race = random_race(chance)
        by_line = race.copy()
        choose_at_random(race, 0, chance)
        (_, choice) = race.log[-1]
        by_line.play(0, str(choice))
        assert by_line.hash() == race.hash(), str(choice)
        assert by_line.log == race.log
        for either in (race, by_line):  # and the turn goes on alike
            either.play(1, "reset: a")
        assert by_line.hash() == race.hash(), str(choice)


@pytest.mark.parametrize("seats", [2, 6])
def test_random_steps_never_run_into_a_dead_end(seats: int) -> None:
    chance = random.Random(seats)
    for seed in range(6):
        race = spina.new("charioteer", seats=seats, seed=seed)
        while race.turn <= 4:
            for seat in race.to_act:
                choose_at_random(race, seat, chance)


def test_every_possible_step_can_be_completed() -> None:
    """Not only at random: each option of each stage is tried."""
    chance = random.Random(9)
    for _ in range(12):
        race = random_race(chance)
        while 0 in race.to_act:
            for option in race.legal(0):
                tried = race.copy()
                tried.play(0, option)
                choose_at_random(tried, 0, chance)
            race.play(0, chance.choice(race.legal(0)))


@pytest.mark.parametrize("seed", range(3))
def test_retracting_restores_the_hash(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(30):
        race = random_race(chance)
        before = race.hash()
        for _ in range(chance.randrange(1, 4)):
            race.play(0, chance.choice(race.legal(0)))
            if 0 not in race.to_act:
                break
        assert race.hash() != before
        race.retract(0)
        assert (race.hash(), race.choosing(0), race.log) == (before, (), ())
        choose_at_random(race, 0, chance)
        race.retract(0)
        assert (race.hash(), race.to_act) == (before, (0, 1))


def test_nothing_can_be_retracted_before_or_after(table: type[Table]) -> None:
    t = table({}, {})
    with pytest.raises(IllegalAction, match="seat 0 has no choice to take back"):
        t.race.retract(0)
    t.turn()
    with pytest.raises(IllegalAction, match="seat 1 has no choice to take back"):
        t.race.retract(1)


def test_a_line_replaces_steps_begun_before(table: type[Table]) -> None:
    t, plain = table({}, {}), table({}, {})
    t.race.play(0, "no token")
    t.race.play(0, "reset: a b")
    plain.race.play(0, "reset: a b")
    assert t.race.hash() == plain.race.hash()
    assert t.race.log == plain.race.log


# --- every choice that the rulings allow, and no other --------------------------------------------------------------

HAND = ["red-3 red-3 green-2", "black-2 black-2 red-3", "whip", "green-2 green-2 yellow-0", "red-1 red-1 green-2"]
CROWDS = ["red-3 red-3 green-4", "whip", "yellow-4 yellow-4 black-0", "green-2 green-2 red-3"]
TOKENS = ["+3 red", "wild red", "wild green", "shield", "discard-2", "discard-3"]


def subsets(letters: str, most: int) -> Iterator[str]:
    for size in range(1, most + 1):
        yield from map("".join, combinations(letters, size))


def shows(card: str, symbol: str) -> bool:
    return symbol in card.split()


def allowed_moves(symbol: str, hand: dict[str, str], crowd: str, tokens: list[str]) -> Iterator[Choice]:
    """C4, C5, C7, C17, C18, written down anew."""
    colour = symbol.partition("-")[0]
    for cards in subsets("".join(hand), 3):
        for with_crowd in (False, True):
            if with_crowd and crowd != "whip" and not shows(crowd, symbol):
                continue
            for token in [
                None,
                *(t for t in tokens if not t.startswith("discard") and t.split()[1:] in ([], [colour])),
            ]:
                for wild in cards if token == f"wild {colour}" else [None]:
                    others = [hand[slot] for slot in cards if slot != wild]
                    if any(card != "whip" and not shows(card, symbol) for card in others):
                        continue
                    showing = sum(shows(card, symbol) for card in others) + (wild is not None)
                    if showing + (with_crowd and shows(crowd, symbol)) >= 2:
                        yield Choice(symbol, cards, with_crowd, token, wild)


def with_discards(choice: Choice, hand: dict[str, str], tokens: list[str]) -> Iterator[Choice]:
    """C12, C13, C18."""
    yield choice
    for token in tokens:
        if token.startswith("discard-"):
            for laid in subsets("".join(slot for slot in hand if slot not in choice.cards), int(token[-1])):
                yield Choice(choice.symbol, choice.cards, choice.crowd, choice.token, choice.wild, token, laid)


def allowed(hand: list[str], crowd: str, tokens: list[str]) -> set[Choice]:
    held = dict(zip("abcdefgh", hand, strict=False))
    plain = [Choice("reset", cards) for cards in subsets("".join(held), 3)]
    for symbol in reference().symbol_names:
        plain += allowed_moves(symbol, held, crowd, tokens)
    return {whole for choice in plain for whole in with_discards(choice, held, tokens)}


def reachable(race: spina.Race) -> set[Choice]:
    """All completed choices of seat 0, by trying every step."""
    if 0 not in race.to_act:
        return {race.log[-1][1]}  # type: ignore[arg-type]
    found: set[Choice] = set()
    steps = race.legal(0)
    assert steps, f"a dead end after {race.choosing(0)}"
    for step in steps:
        tried = race.copy()
        tried.play(0, step)
        branch = reachable(tried)
        assert not branch & found, "two rows of steps for one choice"
        found |= branch
    return found


@pytest.mark.parametrize("crowd", CROWDS)
@pytest.mark.parametrize(
    ("hand", "tokens"),
    [
        (HAND, TOKENS[:4]),
        (HAND[:4], TOKENS),
        (HAND[:2], TOKENS),
        (HAND[:1], TOKENS),
        (["whip", "whip", *HAND[:2]], TOKENS[:4]),
    ],
    ids=["five", "four", "two", "one", "two whips"],
)
def test_the_steps_lead_to_every_choice_that_the_rulings_allow(
    table: type[Table], hand: list[str], tokens: list[str], crowd: str
) -> None:
    t = table({"hand": hand, "tokens": tokens}, {}, crowd=[crowd, "red-5 red-5 black-1", "red-5 red-5 black-0"])
    assert reachable(t.race) == allowed(hand, crowd, tokens)


def test_the_notation_takes_exactly_the_choices_that_the_rulings_allow(table: type[Table]) -> None:
    """Every symbol, set of cards, crowd card, token and wild, possible or not."""
    tokens = ["+3 red", "wild red", "shield"]
    hand = dict(zip("abcd", HAND, strict=False))
    t = table({"hand": HAND[:4], "tokens": tokens}, {}, crowd=[CROWDS[0], "red-5 red-5 black-1", "red-5 red-5 black-0"])
    legal = allowed(HAND[:4], CROWDS[0], tokens)
    tried = 0
    for symbol in ("red-3", "green-2", "green-4", "yellow-0", "reset"):
        for cards in subsets("".join(hand), 4):
            for crowd in (False, True):
                for token in (None, *tokens):
                    for wild in (None, *hand) if token == "wild red" else (None,):
                        choice = Choice(symbol, cards, crowd, token, wild)
                        assert (t.race.check(0, choice) is None) == (choice in legal), str(choice)
                        tried += 1
    assert tried == 5 * 15 * 2 * (1 + 1 + 5 + 1)


# --- what is refused, and why ---------------------------------------------------------------------------------------

REFUSED_HAND = [
    "red-3 red-3 green-2",
    "black-2 black-2 red-3",
    "whip",
    "green-4 green-4 yellow-0",
    "red-3 red-3 black-0",
]
HELD = ["+3 red", "wild red", "wild green", "shield", "discard-2"]
HOLDS = "it holds +3 red, wild green, wild red, shield, discard-2"

REFUSED = {
    # cards
    "red-3: a d": "card d (green-4 green-4 yellow-0) shows no red-3",
    "red-3: a": "only one card of this move shows red-3: at least two must",
    "red-3: a c": "only one card of this move shows red-3: at least two must",
    "red-3: c": "no card of this move shows red-3: at least two must",
    "red-5: a b": "card a (red-3 red-3 green-2) shows no red-5",
    "red-3: a b c e": "a move takes at most 3 cards from the hand, not 4",
    "red-3:": "a move needs at least one card from the hand",
    "red-3: a b h": 'there is no card "h" in the hand: it has a b c d e',
    "red-3: a b + crowd": "the crowd card (yellow-4 yellow-4 green-2) shows no red-3",
    # tokens
    "red-3: a b, token +5": f"the seat holds no token +5 red: {HOLDS}",
    "red-3: a b, token whip": f"the seat holds no token whip: {HOLDS}",
    "red-3: a b, token wild green on a": "wild green does not go with a red move",
    "red-3: a b, token discard-2": 'discard-2 goes on discards, not on a move: write "discard-2 CARDS"',
    "red-3: a b, token wild": 'a wild token needs the card it changes: write "token wild on CARD"',
    "red-3: a b, token wild on e": "a wild token changes a card that is played, and e is not",
    "red-3: a b, token wild on g": 'there is no card "g" in the hand: it has a b c d e',
    "red-3: a b, token shield on a": "only a wild token changes a card",
    "red-3: a d, token wild on a": "card d (green-4 green-4 yellow-0) shows no red-3",
    # discards
    "red-3: a b, discard-3 c": f"the seat holds no token discard-3: {HOLDS}",
    "red-3: a b, discard-2 c d e": "discard-2 takes at most 2 cards, not 3",
    "red-3: a b, discard-2 b": "card b cannot be both played and discarded",
    "red-3: a b, discard-2 f": 'there is no card "f" in the hand: it has a b c d e',
    # resets
    "reset:": "a reset needs at least one card from the hand",
    "reset: a b c d": "a reset takes at most 3 cards from the hand, not 4",
    "reset: a + crowd": "the crowd card cannot be part of a reset",
    "reset: a, token shield": "only a discard token may go with a reset, not shield",
    # steps
    "card a": '"card a" is not possible now',
    "done": '"done" is not possible now',
    "symbol red-3": '"symbol red-3" is not possible now',
    "token discard-2": '"token discard-2" is not possible now',
    "token +5 red": '"token +5 red" is not possible now',
}

EXAMPLE = 'an example is "red-5: a b d + crowd, token +3, discard-3 c"'
PARTS = (
    'is not a part of a choice, or stands twice: after the cards may follow "token NAME", "token wild on CARD" '
    f'and "discard-NUMBER CARDS"; {EXAMPLE}'
)
STEPS = 'steps are "token +3 red", "no token", "symbol red-5", "reset", "crowd", "no crowd", "card a", "done"'
SYMBOLS = ", ".join(reference().symbol_names)

UNREADABLE = {
    "": f'"" is neither a choice nor a step: {EXAMPLE}; {STEPS}',
    "forward": f'"forward" is neither a choice nor a step: {EXAMPLE}; {STEPS}',
    "card": f'"card" is neither a choice nor a step: {EXAMPLE}; {STEPS}',
    "card x": 'there is no card "x": the slots of the hand are a to h',
    "card ab": 'there is no card "ab": the slots of the hand are a to h',
    "symbol blue-1": f'there is no symbol "blue-1": there are {SYMBOLS}',
    "token gold": f'there is no token "gold": there are {", ".join(KINDS)}',
    ":": f'":" cannot be read: {EXAMPLE}',
    "red-3: a b: c": 'there is no card ":": the slots of the hand are a to h',
    "blue-1: a b": f'there is no symbol "blue-1": there are {SYMBOLS}',
    "red-3: a x": 'there is no card "x": the slots of the hand are a to h',
    "red-3: a a": 'card "a" is named twice',
    "red-3: a b + whip": f'"red-3: a b + whip" cannot be read: {EXAMPLE}',
    "red-3: a b, token gold": f'there is no token "gold": there are {", ".join(KINDS)}',
    "red-3: a b, token wild on x": 'there is no card "x": the slots of the hand are a to h',
    "reset: a, token +3": 'there is no token "+3" in a reset',
    "red-3: a b, discard-2 c c": 'card "c" is named twice',
    "red-3: a b, discard-7 c": "no discard token takes 7 cards: there are discard-2 and discard-3",
    "red-3: a b, discard c d e f": "no discard token takes 4 cards: there are discard-2 and discard-3",
    "red-3: a b, loudly": f'"loudly" {PARTS}',
    "red-3: a b,": f'"" {PARTS}',
    "red-3: a b, token +3, token shield": f'"token shield" {PARTS}',
    "red-3: a b" + " " * 300: "an action has at most 200 characters, this has 310",
    "x" * 90: f'"{"x" * 39}…" is neither a choice nor a step: {EXAMPLE}; {STEPS}',
}


def refused_table(table: type[Table]) -> spina.Race:
    crowd = ["yellow-4 yellow-4 green-2", "red-5 red-5 black-1", "red-5 red-5 black-0"]
    return table({"hand": REFUSED_HAND, "tokens": HELD}, {}, crowd=crowd).race


def check_refused(race: spina.Race, action: Any, why: str, kind: type[IllegalAction] = IllegalAction) -> None:
    """The reason is given, nothing has changed, and the way on is shown."""
    before, view = race.hash(), race.view(0)
    with pytest.raises(IllegalAction) as caught:
        race.play(0, action)
    assert (caught.value.reason, type(caught.value)) == (why, kind)
    assert race.check(0, action) == why
    assert (race.hash(), race.view(0), race.log) == (before, view, ())
    for line in caught.value.possible:
        assert race.check(0, line) is None


@pytest.mark.parametrize(("line", "why"), REFUSED.items())
def test_an_illegal_choice_says_why_and_changes_nothing(table: type[Table], line: str, why: str) -> None:
    check_refused(refused_table(table), line, why)


@pytest.mark.parametrize(("line", "why"), UNREADABLE.items())
def test_garbage_says_why_and_changes_nothing(table: type[Table], line: str, why: str) -> None:
    check_refused(refused_table(table), line, why, NotationError)


TYPED = [
    (Choice("red-3", "ab", discard_token="shield", discards="c"), "shield is not a discard token"),
    (Choice("red-3", "ab", discards="c"), "discards need a discard token"),
    (Choice("red-3", "ab", discard_token="discard-2"), "discard-2 takes at least one card"),
    (Choice("red-3", "aab"), 'card "a" is named twice'),
    (Choice("red-3", "ab", discard_token="discard-2", discards="cc"), 'card "c" is named twice'),
    (Choice("red-3", "a?"), 'there is no card "?" in the hand: it has a b c d e'),
    (Choice("blue-1", "ab"), "card a (red-3 red-3 green-2) shows no blue-1"),
    (Choice("red-3", "ab", token="gold"), f"the seat holds no token gold: {HOLDS}"),
    (Choice("red-3", "ab", wild="a"), "only a wild token changes a card"),
    (Choice("reset", "a", token="+3 red"), "only a discard token may go with a reset, not +3 red"),
    (17, "an action or its notation is needed, not int"),
    (None, "an action or its notation is needed, not NoneType"),
]


@pytest.mark.parametrize(("action", "why"), TYPED, ids=str)
def test_an_illegal_typed_choice_says_why_and_changes_nothing(table: type[Table], action: Any, why: str) -> None:
    check_refused(refused_table(table), action, why)


@pytest.mark.parametrize("seat", [-1, 2, True, None, "0"])
def test_only_seats_of_the_race_may_act(table: type[Table], seat: Any) -> None:
    race = refused_table(table)
    with pytest.raises(IllegalAction, match="the seats are 0 to 1"):
        race.play(seat, "reset: a")


def test_a_seat_chooses_once_a_turn(table: type[Table]) -> None:
    race = refused_table(table)
    race.play(0, "reset: a")
    before = race.hash()
    for action in ("reset: b", "done", Symbol("reset")):
        assert race.check(0, action) == "seat 0 owes no choice now: the race waits for 1"
    assert (race.legal(0), race.hash()) == ([], before)


def test_steps_out_of_place_change_nothing(table: type[Table]) -> None:
    race = refused_table(table)
    every: list[actions.Action] = [
        *(Symbol(name) for name in (*reference().symbol_names, "reset")),
        *(Token(name) for name in (None, *KINDS)),
        *(Card(slot) for slot in "abcdefgh"),
        Crowd(True),
        Crowd(False),
        Done(),
    ]
    while 0 in race.to_act:
        before, legal = race.hash(), race.legal(0)
        for step in every:
            assert (race.check(0, step) is None) == (step in legal)
            if step not in legal:
                with pytest.raises(IllegalAction, match="is not possible now"):
                    race.play(0, step)
        assert race.hash() == before
        race.play(0, legal[-1])


def test_notation_is_forgiving_about_spaces_case_and_order(table: type[Table]) -> None:
    hashes = set()
    for line in (
        "red-3: a b e, token +3, discard-2 c d",
        "  RED-3:  eba ,discard-2 dc,  token  +3 red ",
        "red-3:e a b,token +3,discard cd",
    ):
        race = refused_table(table)
        race.play(0, line)
        hashes.add(race.hash())
    assert len(hashes) == 1


def test_typed_choices_may_name_cards_in_any_order(table: type[Table]) -> None:
    race = refused_table(table)
    for action in (
        Choice("red-3", "eb"),
        Choice("reset", "cba"),
        Choice("reset", "a", False, None, None, "discard-2", "db"),
    ):
        assert race.check(0, action) is None


def test_discards_without_a_number_take_the_smallest_token_in_hand_that_suffices(table: type[Table]) -> None:
    hand = ["red-3 red-3 green-2", "red-3 red-3 green-4", "red-1 red-1 green-6", "black-0 black-0 black-1"]
    for held, discards, used in (
        (["discard-3"], "c", "discard-3"),
        (["discard-2", "discard-3"], "c", "discard-2"),
        (["discard-2", "discard-3"], "c d", "discard-2"),
    ):
        race = table({"hand": hand, "tokens": held}, {}).race
        race.play(0, f"red-3: a b, discard {discards}")
        assert str(race.log[0][1]) == f"red-3: a b, {used} {discards}"
    bare = table({"hand": hand, "tokens": []}, {}).race
    assert bare.check(0, "red-3: a b, discard c") == "the seat holds no token discard: it holds none"


# --- notation of other editions -------------------------------------------------------------------------------------


def test_a_fan_token_that_players_have_too_can_be_named(table: type[Table]) -> None:
    """The two are different tokens: one comes back through the bag, the other does not."""
    both = table.edition(('"4 x discard-2"', '"4 x discard-3"'), ('"5 x +3 green"', '"5 x +5 green"'))
    hand = ["green-2 green-2 red-1", "green-2 green-2 red-3", "whip"]
    held = ["discard-3", "fan discard-3", "+5 green", "fan +5 green"]
    for mine, discards in (("+5", "discard-3"), ("fan +5", "fan discard-3")):
        t = table({"hand": hand, "tokens": held}, {}, edition=both)
        t.turn(f"green-2: a b, token {mine}, {discards} c", "reset: a")
        spent = {f"{mine} green": 1, discards: 1}
        assert t.race.view(0)["tokens"] == {name: 1 for name in held if name not in spent}
        assert t.race.view(0)["spent_tokens"] == {name: 1 for name in spent if name.startswith("fan ")}
        assert actions.read(both, str(t.race.log[0][1])) == t.race.log[0][1]


def test_learning_tokens_with_and_without_colour_can_be_told_apart(table: type[Table]) -> None:
    both = table.edition(('"6 x shield"', '"6 x learning"'))
    hand = ["green-2 green-2 red-1", "green-2 green-2 red-3"]
    for token in ("learning", "learning green"):
        race = table({"hand": hand, "tokens": ["learning", "learning green"]}, {}, edition=both).race
        choice = Choice("green-2", "ab", token=token)
        race.play(0, choice)
        assert actions.read(both, str(choice)) == choice
