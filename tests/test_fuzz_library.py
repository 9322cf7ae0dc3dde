"""Fuzzes the public API: only documented errors are raised, and the race is unchanged.

Data are JSON-like; besides, they hold what JSON cannot: lone surrogates, numbers of any size, NaN, keys of any type.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spina
from spina import replay
from spina.games import find, get
from spina.games.chariot_race.play import actions as chariot_race_actions
from spina.games.charioteer.play import actions as charioteer_actions
from spina.games.chariotmaster.play import actions as chariotmaster_actions
from spina.games.game import Action

GAMES = spina.game_names()
ACTIONS = {
    "charioteer": charioteer_actions,
    "chariot-race": chariot_race_actions,
    "chariotmaster": chariotmaster_actions,
}
MANY = settings(deadline=None, max_examples=200)
SOME = settings(deadline=None, max_examples=100)
FEW = settings(deadline=None, max_examples=60)

# --- invalid data

LETTERS = st.characters(codec=None, exclude_categories=[])  # lone surrogates among them
TEXTS = st.text(LETTERS, max_size=12) | st.sampled_from(["\ud800", "a\udfff", "\x00", "x" * 5000, "", " ", "é", "🐎"])
NUMBERS = st.integers() | st.floats() | st.sampled_from([-1, 0, 1, 2**31, 2**63, 2**64, 10**400, 1e308, math.nan])
LEAVES = st.none() | st.booleans() | NUMBERS | TEXTS
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS | st.integers(-1, 3), inner, max_size=3),
    max_leaves=8,
)
ODD = JSON | st.sampled_from([b"", b"red", (), (1, 2), np.int64(3), np.uint8(1), np.float64(2), object(), int, 1j, {1}])

POSITIONS: dict[str, list[dict[str, Any]]] = {
    "charioteer": [
        {
            "chariots": [
                {
                    "progress": 20, "lane": 0, "damage": 2, "attack": 1,
                    "skills": {"green": 0, "red": 4, "yellow": 1, "black": 2},
                    "hand": ["red-5 red-5 green-2", "whip"], "tokens": ["+3 red", "+5 green"],
                },
                {"progress": 20, "lane": 1},
            ],
            "turn": 3, "first_seat": 1, "emperor": "attack", "crowd": ["whip", "whip", "red-5 red-5 black-2"],
            "discards": ["black-0 black-0 red-1"], "spent_tokens": ["shield"], "seed": 5,
        },
        {"chariots": [{}, {}, {}], "turn": 1},
    ],
    "chariot-race": [
        {
            "chariots": [
                {"space": "m14", "lap": 1, "condition": 5, "speed": 6, "fate": 2},
                {"space": "o3", "lap": 0, "condition": 0},
                {"space": "i1"}, {"space": "i2"},
            ],
            "round": 4, "caltrops": ["m20"], "options": {"safe_finish": True, "board": "AB"}, "seats": 2, "turn": 0,
            "dice": ["steer", "steer", "steer", "attack", "fortuna"], "seed": 3,
        },
        {"chariots": [{"space": "m1"}, {"space": "o3", "kind": "light"}], "options": {"individual": True}},
    ],
    "chariotmaster": [
        {
            "chariots": [
                {"progress": 500, "offset": 10, "heading": 3, "stamina": 5, "worn": {"structure": 1}, "token": "10"},
                {"x": 100.5, "y": -60, "horses": 1, "tokens": "10", "home": 0},
            ],
            "turn": 2, "active": 0, "driving": {"moved": 20, "attacks_on": {1: 1}, "direction": 0.5},
            "options": {"scenario": "circus", "points": 2}, "seats": 2, "seed": 1,
        },
        {"chariots": [{"progress": 300}, {"wreck": {"progress": 10}, "gone": True, "driver": "on foot",
                                          "on_foot": {"progress": 40}}]},
    ],
}  # fmt: skip
"""For every game positions with values in most fields."""


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of everything inside some data."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inner:
        yield (*path, key)
        yield from places(value, (*path, key))


@st.composite
def spoilt(draw: st.DrawFn, game: str) -> Any:
    """A position in which one or two values are changed, removed or added."""
    data: Any = copy.deepcopy(draw(st.sampled_from(POSITIONS[game])))
    for _ in range(draw(st.integers(1, 2))):
        found = [*places(data)]
        if not found:
            break
        *path, key = draw(st.sampled_from(found))
        place = data
        for step in path:
            place = place[step]
        change = draw(st.integers(0, 5))
        if change == 0:
            del place[key]
        elif change == 1 and isinstance(place, dict):
            place[draw(TEXTS | st.integers(-1, 3))] = draw(JSON)
        elif change == 2 and isinstance(place[key], int | float):
            place[key] = draw(NUMBERS | st.integers(-3, 12))
        else:
            place[key] = draw(ODD)
    return data


# --- positions


def try_out(race: spina.Race) -> None:
    """Look at a race in every way, continue it, save it and load it again."""
    for seat in (*range(race.seats), None):
        msgspec.json.encode(race.view(seat))
    assert race.draw() and race.svg() and repr(race)
    for _ in range(3):
        if race.over:
            break
        seat = race.to_act[0]
        race.offer(seat)
        race.play(seat, race.legal(seat)[0])
    kept = replay.parse(msgspec.json.encode(race.saved()))
    assert replay.replay(kept).hash() == race.hash()


@pytest.mark.parametrize("game", GAMES)
def test_the_positions_that_are_spoilt_here_are_sound(game: str) -> None:
    for data in POSITIONS[game]:
        try_out(spina.position(game, data))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_spoilt_position_is_refused_by_field_or_can_be_raced(game: str) -> None:
    @MANY
    @given(spoilt(game))
    def check(data: Any) -> None:
        try:
            race = spina.position(game, data)
        except spina.PositionError as error:
            assert str(error).encode()
            return
        try_out(race)

    check()


@pytest.mark.parametrize("game", GAMES)
def test_no_data_break_the_builder_of_positions(game: str) -> None:
    @SOME
    @given(ODD)
    def check(data: Any) -> None:
        with pytest.raises(spina.PositionError) as refused:
            spina.position(game, data)
        assert str(refused.value).encode()

    check()


def test_a_lone_surrogate_in_a_position_is_named_by_its_field() -> None:
    for data, field in (
        ({"chariots": [{}, {}], "emperor": "\ud800"}, "emperor"),
        ({"chariots": [{}, {}], "\ud800": 1}, "position"),
        ({"chariots": [{}, {"hand": ["whip", "\ud800"]}]}, "chariots[1].hand[1]"),
        ({"chariots": [{"skills": {"\ud800": 1}}, {}]}, "chariots[0].skills"),
    ):
        with pytest.raises(spina.PositionError) as refused:
            spina.position("charioteer", data)
        assert str(refused.value).startswith(f"{field}: "), refused.value
        assert "\\ud800" in str(refused.value)


# --- actions


def kinds(game: str) -> list[type[Action]]:
    """The typed actions of a game."""
    found = [each for each in vars(ACTIONS[game]).values() if isinstance(each, type) and issubclass(each, Action)]
    return [each for each in found if each is not Action]


@cache
def legal_actions(game: str) -> tuple[Action, ...]:
    """Actions that were legal in races of this game."""
    met = []
    for seed in range(3):
        race = spina.new(game, seats=3, seed=seed)
        driver = spina.bots.make("competent", game=game, seed=seed)
        for _ in range(60):
            if race.over:
                break
            seat = race.to_act[0]
            action = driver.choose(race, seat)
            met += [action, *race.legal(seat)[:3]]
            race.play(seat, action)
    return tuple({str(action): action for action in met}.values())


@st.composite
def spoilt_actions(draw: st.DrawFn, game: str) -> Action:
    """An action of this game whose fields are of any type, or one that was legal once with a field changed."""
    values = ODD | st.sampled_from([[1], [[]], ["a"], {}, (1, "a"), ("5", "10"), (None,), "abc", 3, -1, 2**70, "red"])
    if draw(st.booleans()):
        kind = draw(st.sampled_from(kinds(game)))
        return kind(*(draw(values) for _ in kind.__struct_fields__))
    action = draw(st.sampled_from(legal_actions(game)))
    if not action.__struct_fields__:
        return action
    field = draw(st.sampled_from(action.__struct_fields__))
    return msgspec.structs.replace(action, **{field: draw(values)})


def some_races(game: str) -> list[spina.Race]:
    """A race at its beginning, one in the middle, one that is over."""
    races = []
    for choices in (0, 25, 5000):
        race = spina.new(game, seats=2, seed=choices)
        driver = spina.bots.make("random", game=game, seed=1)
        for _ in range(choices):
            if race.over:
                break
            race.play(race.to_act[0], driver.choose(race, race.to_act[0]))
        races.append(race)
    return races


def throw(race: spina.Race, action: Any) -> None:
    """Try an action in every way: it is either played, or refused with a reason and changes nothing."""
    seat = race.to_act[0] if race.to_act else 0
    before = race.hash()
    why = race.check(seat, action)
    try:
        race.explain(seat, action)
    except spina.IllegalAction as error:
        assert str(error).encode()
    assert race.hash() == before
    trial = race.copy()
    if why is None:
        trial.play(seat, action)
        replay.parse(msgspec.json.encode(trial.saved()))
    else:
        assert why.encode()
        with pytest.raises(spina.IllegalAction):
            trial.play(seat, action)
        assert trial.hash() == before


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_actions_with_fields_of_any_type_are_refused_or_played(game: str) -> None:
    races = some_races(game)

    @MANY
    @given(st.sampled_from(races), spoilt_actions(game) | ODD)
    def check(race: spina.Race, action: Any) -> None:
        throw(race, action)

    check()


@pytest.mark.parametrize("game", GAMES)
def test_a_field_of_another_type_is_named(game: str) -> None:
    race = spina.new(game, seats=2, seed=1)
    for kind in kinds(game):
        for index, field in enumerate(kind.__struct_fields__):
            for wrong in (object(), [[]], 1j):
                values: list[Any] = ["a"] * len(kind.__struct_fields__)
                values[index] = wrong
                why = race.check(race.to_act[0], kind(*values))
                assert why is not None and kind.__name__ in why, why
                if len(values) == 1:
                    assert field in why


def test_numbers_of_numpy_are_numbers_in_actions() -> None:
    race = spina.new("chariot-race", seats=2, seed=1)
    number: Any = np.int64(1)
    assert race.check(race.to_act[0], chariot_race_actions.Reroll((number,))) == race.check(
        race.to_act[0], chariot_race_actions.Reroll((1,))
    )


WORDS = {
    "charioteer": "red-5 : a b d + crowd , token +3 discard-3 c reset wild on fan symbol card done no discard-99999",
    "chariot-race": "draft light start o35 repair no re-roll 1 3 keep turn 2 to steer plus ahead javelin at green",
    "chariotmaster": "token tokens 5 10 ahead 85 left 40 , pivot 30 about front right run u-turn centre ram red horses "
    "wreck of driver whip boars at modify die 2 +1 evade walk 45 mm cm 8.5 999999 0 - obstacle",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_any_line_of_notation_is_refused_or_played(game: str) -> None:
    words = st.sampled_from(WORDS[game].split())
    lines = st.lists(words | TEXTS, max_size=8).map(" ".join) | TEXTS
    races = some_races(game)

    @MANY
    @given(st.sampled_from(races), lines)
    def check(race: spina.Race, line: str) -> None:
        throw(race, line)

    check()


# --- everything else that can be called


@pytest.mark.parametrize("game", GAMES)
def test_the_methods_of_a_race_refuse_seats_that_there_are_not(game: str) -> None:
    race = spina.new(game, seats=2, seed=1)
    before = race.hash()

    @SOME
    @given(ODD)
    def check(seat: Any) -> None:
        if isinstance(seat, int | np.integer) and not isinstance(seat, bool) and 0 <= seat < 2:
            return
        for method in (race.legal, race.retract, race.retractable, race.outlook, race.offer, race.choosing):
            with pytest.raises(spina.IllegalAction):
                method(seat)
        with pytest.raises(spina.IllegalAction):
            race.play(seat, race.legal(race.to_act[0])[0])
        with pytest.raises(spina.IllegalAction):
            race.explain(seat, "keep")
        assert race.check(seat, "keep")
        for look in (race.view, race.told):
            if seat is not None:
                with pytest.raises(spina.IllegalAction):
                    look(seat)
        with pytest.raises(spina.IllegalAction):
            spina.bots.make("random", game=game, seed=1).choose(race, seat)

    check()
    assert race.hash() == before


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_race_is_drawn_with_any_names_or_it_is_said_what_names_are(game: str) -> None:
    race = spina.new(game, seats=2, seed=1)

    @settings(deadline=None, max_examples=40)
    @given(ODD | st.lists(TEXTS, min_size=2, max_size=2))
    def check(names: Any) -> None:
        for draw in (race.draw, race.svg):
            try:
                assert draw(names).encode()
            except spina.OptionError as error:
                assert str(error).encode()

    check()


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_races_begin_as_asked_for_or_it_is_said_why_not(game: str) -> None:
    names = [setting.name for setting in find(game).settings(get(game).reference())]

    @SOME
    @given(st.data())
    def check(data: st.DataObject) -> None:
        asked: dict[str, Any] = {"seats": data.draw(st.integers(1, 7) | ODD)}
        for name in data.draw(st.lists(st.sampled_from(["seed", *names, "edition", "sun"]), max_size=3, unique=True)):
            asked[name] = data.draw(ODD)
        try:
            try_out(spina.new(game, **asked))
        except (spina.OptionError, spina.EditionError) as error:
            assert str(error).encode()

    check()


@FEW
@given(ODD)
def test_no_game_no_edition_and_no_file_is_anything(odd: Any) -> None:
    for call in (spina.new, spina.simulate, lambda name: spina.position(name, {"chariots": [{}, {}]})):
        with pytest.raises(spina.OptionError) as unknown:
            call(odd)
        assert str(unknown.value).encode()
    if odd is not None:
        with pytest.raises((spina.OptionError, spina.EditionError)) as refused:
            spina.new("charioteer", edition=odd)
        assert str(refused.value).encode()
    with pytest.raises(spina.SaveError) as unread:
        spina.load(odd)
    assert str(unread.value).encode()


@FEW
@given(st.sampled_from(["races", "seats", "drivers", "seed", "edition", "first", "threads", "sun"]), ODD)
def test_simulations_are_as_asked_for_or_it_is_said_why_not(name: str, odd: Any) -> None:
    if name == "races" and isinstance(odd, int) and odd > 100:
        return  # they would be played
    try:
        spina.simulate("charioteer", **{"seats": 2, "races": 2, "seed": 1, name: odd})
    except (spina.OptionError, spina.EditionError) as error:
        assert str(error).encode()


@FEW
@given(ODD, ODD)
def test_bots_are_as_asked_for_or_it_is_said_why_not(odd: Any, seed: Any) -> None:
    for asked in ({"name": odd, "game": "charioteer"}, {"name": "random", "game": odd}):
        with pytest.raises(spina.SpinaError) as refused:
            spina.bots.make(**asked)
        assert str(refused.value).encode()
    try:
        bot = spina.bots.make("random", game="charioteer", seed=seed)
    except spina.OptionError as error:
        assert str(error).encode()
    else:
        race = spina.new("charioteer", seats=2, seed=1)
        race.play(0, bot.choose(race, 0))


HUGE = 1 << 20_000
"""More digits than Python converts to text."""


@pytest.mark.parametrize(
    "call",
    [
        lambda: spina.new("charioteer", seats=HUGE),
        lambda: spina.new("charioteer", seed=HUGE),
        lambda: spina.new("charioteer", edition=HUGE),  # type: ignore[arg-type]
        lambda: spina.new("chariot-race", pairs=HUGE),
        lambda: spina.new("chariot-race", board=HUGE),
        *(
            lambda name=name: spina.new("chariotmaster", **{name: HUGE})  # type: ignore[misc]
            for name in ("scenario", "laps", "chariots", "points", "fantasy", "designs", "teams", "second_row")
        ),
        lambda: spina.new("chariotmaster", teams=[HUGE] * 4),
        lambda: spina.new("chariotmaster", designs=[{"race": HUGE}] * 4),
        lambda: spina.simulate("charioteer", races=HUGE),
        lambda: spina.simulate("charioteer", first=HUGE),
        lambda: spina.simulate("charioteer", threads=HUGE),
        lambda: spina.simulate("charioteer", seed=HUGE),
        lambda: spina.position("charioteer", {"chariots": [{}, {}], "seed": HUGE}),
        lambda: spina.position("chariot-race", {"chariots": [{"space": "m1", "lap": HUGE}, {"space": "m2"}]}),
        lambda: spina.position("chariotmaster", {"chariots": [{"x": HUGE, "y": 0}]}),
        lambda: spina.new("charioteer", seed=1).legal(HUGE),
        lambda: spina.new("chariot-race", seed=1).play(0, chariot_race_actions.Signs(HUGE)),
        lambda: spina.bots.make("random", game="charioteer", seed=HUGE),
        lambda: spina.bots.make("random", game=HUGE),  # type: ignore[arg-type]
        lambda: spina.load(HUGE),  # type: ignore[arg-type]
    ],
)
def test_a_number_that_is_too_long_to_be_written_is_refused_in_few_words(call: Callable[[], object]) -> None:
    with pytest.raises(spina.SpinaError) as refused:
        call()
    assert len(str(refused.value)) < 300


def test_a_search_and_an_adapter_take_no_other_actions_than_a_race() -> None:
    race = spina.new("charioteer", seats=2, seed=1)
    search = spina.bots.Search(race.game, iterations=2, seed=1)
    odd: Any = charioteer_actions.Choice(5, None)  # type: ignore[arg-type]
    for action in (odd, 7, "\ud800", None):
        with pytest.raises(spina.IllegalAction):
            search.weigh(race, 0, action)


def test_a_position_is_kept_as_it_was_given_whatever_becomes_of_the_data() -> None:
    data: dict[str, Any] = {"chariots": [{"progress": np.int64(20)}, {"progress": 24}]}
    race = spina.position("charioteer", data)
    data["chariots"][0]["progress"] = 3
    race.play(0, "reset: a")
    assert replay.replay(replay.parse(msgspec.json.encode(race.saved()))).hash() == race.hash()


@pytest.mark.parametrize(
    "odd", [b"", {1}, [], {}, object(), 1j, True, -1, math.nan], ids=lambda odd: type(odd).__name__
)
def test_what_else_can_be_called_refuses_nonsense(odd: Any) -> None:
    race = spina.new("charioteer", seats=2, seed=1)
    search = spina.bots.Search(race.game, iterations=2, seed=1)
    calls: list[Callable[[], object]] = [
        lambda: spina.warm_up(odd),
        lambda: spina.bots.names(odd),
        lambda: spina.bots.chances(odd),
        lambda: spina.bots.Search(odd),
        lambda: spina.bots.Search(race.game, iterations=odd),
        lambda: spina.bots.Search(race.game, milliseconds=odd),
        lambda: search.choose(odd, 0),
        lambda: search.advise(race, 0, odd),
        lambda: race.dealt_anew(odd, 0),
        lambda: race.dealt_anew(0, odd),
        lambda: race.save(odd),
    ]
    for call in calls:
        with pytest.raises(spina.SpinaError) as refused:
            call()
        assert str(refused.value).encode()
