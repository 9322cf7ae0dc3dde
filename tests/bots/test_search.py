"""The tree search: what it finds, and that it finds it again."""

from __future__ import annotations

import math
import time
from typing import Any

import pytest

import spina
from spina.bots import LEVELS, Manner, Search, SearchConfig, make
from spina.bots.search_bot import BATCH
from spina.errors import OptionError
from spina.games import get

QUICK = SearchConfig(horizon=1, exploration=0.05)
GAMES = ("charioteer", "chariot-race", "chariotmaster")


def a_race(game: str, choices: int, seed: int = 3) -> spina.Race:
    """A race some choices old."""
    race = spina.new(game, seats=3, seed=seed)
    bots = [make("competent", game=game, seed=seat) for seat in range(3)]
    for _ in range(choices):
        race.play(race.to_act[0], bots[race.to_act[0]].choose(race, race.to_act[0]))
    return race


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_and_iterations_give_the_same_answer(game: str) -> None:
    race = a_race(game, 7)
    seat = race.to_act[0]
    before = race.hash()
    answers = {repr(Search(get(game), iterations=20, config=QUICK, seed=5).advise(race, seat)) for _ in range(2)}
    assert len(answers) == 1
    assert race.hash() == before


@pytest.mark.parametrize("game", GAMES)
def test_advice_names_legal_choices_with_chances_of_all_seats(game: str) -> None:
    race = a_race(game, 5)
    seat = race.to_act[0]
    advice = Search(get(game), iterations=40, config=QUICK, seed=1).advise(race, seat)
    assert advice.chances == advice.candidates[0].chances
    for candidate in advice.candidates:
        assert race.check(seat, candidate.action) is None
        assert sum(candidate.chances) == pytest.approx(1.0)
        assert candidate.tried >= 1
    assert sum(candidate.tried for candidate in advice.candidates) <= 40


@pytest.mark.parametrize("game", GAMES)
def test_the_advice_begins_with_what_the_bot_would_do(game: str) -> None:
    race = a_race(game, 9)
    seat = race.to_act[0]
    chosen = Search(get(game), iterations=30, config=QUICK, seed=2).choose(race, seat)
    assert Search(get(game), iterations=30, config=QUICK, seed=2).advise(race, seat).candidates[0].action == chosen


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", ["easy", "competent", "expert"])
def test_every_bot_explains_what_it_is_about_to_do(game: str, name: str) -> None:
    race = a_race(game, 9)
    seat = race.to_act[0]
    bot = make(name, game=game, seed=4)
    advice = bot.advise(race, seat, most=3)
    assert 2 <= len(advice.candidates) <= 3
    assert len({candidate.action for candidate in advice.candidates}) == len(advice.candidates)
    assert advice.chances == advice.candidates[0].chances
    assert sum(advice.chances) == pytest.approx(1.0)
    chosen = make(name, game=game, seed=4).choose(race, seat)
    assert advice.candidates[0].action == chosen
    if name != "expert" or game == "chariotmaster":  # searches think anew each time
        assert bot.choose(race, seat) == chosen  # explaining is not choosing


def test_a_program_says_nothing_of_what_it_thinks() -> None:
    with pytest.raises(OptionError, match="does not say what it thinks"):
        make("program:cat", game="charioteer").advise(a_race("charioteer", 1), 1)


def test_promising_choices_are_compared_again() -> None:
    """With endless trust in the driver that always ends with its choice, with none it often does not."""
    changed = 0
    for choices in (3, 19, 31, 59):
        race = a_race("chariot-race", choices)
        seat = race.to_act[0]
        found = []
        for trust in (0.0, 1.0):
            config = SearchConfig(
                horizon=1,
                later_width=0.0,
                rival_width=0.0,
                driver_bonus=trust,
                elimination_simulations=6 * BATCH,
                elimination_margin=1.0,
            )
            bots = [Search(get("chariot-race"), iterations=40, config=config, seed=2) for _ in range(2)]
            found.append(bots[0].choose(race, seat))
            assert bots[1].advise(race, seat).candidates[0].action == found[-1]
        assert found[1] == make("competent", game="chariot-race", seed=1).choose(race, seat)
        changed += found[0] != found[1]
    assert changed > 0


def test_a_second_comparison_sees_the_replies(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []
    called: list[float] = []
    think = Search._think

    def note(self: Search, *args: object, **kwargs: Any) -> object:
        asked.append(kwargs)
        called.append(time.perf_counter())
        return think(self, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(Search, "_think", note)
    race = a_race("chariot-race", 12)
    config = SearchConfig(
        horizon=1,
        later_width=0.0,
        rival_width=0.0,
        elimination_simulations=8 * BATCH,
        shortlist=3,
        elimination_margin=1.0,
    )
    Search(get("chariot-race"), iterations=60, config=config, seed=2).choose(race, race.to_act[0])
    assert asked[0] == {"until": math.inf}
    assert 2 <= len(asked[1:]) <= 8
    assert all(again["replies"] and again["iterations"] == BATCH for again in asked[1:])
    asked.clear()
    called.clear()
    begun = time.perf_counter()
    Search(get("chariot-race"), milliseconds=400, config=config, seed=2).choose(race, race.to_act[0])
    assert begun + 0.2 <= asked[0]["until"] <= called[0] + 0.2  # half of the time
    assert len(asked) > 1 and all(again["replies"] for again in asked[1:])


@pytest.mark.parametrize("game", GAMES)
def test_any_choice_can_be_weighed(game: str) -> None:
    race = a_race(game, 6)
    seat = race.to_act[0]
    bot = Search(get(game), iterations=24, config=QUICK, seed=1)
    for action in race.legal(seat)[-2:]:
        weighed = bot.weigh(race, seat, action)
        assert str(weighed.action).startswith(str(action)) or race.choosing(seat) or game == "charioteer"
        assert weighed.tried >= 1
        assert sum(weighed.chances) == pytest.approx(1.0)


@pytest.mark.parametrize("game", GAMES)
def test_chances_are_what_a_spectator_may_judge(game: str) -> None:
    race = a_race(game, 12)
    before = spina.bots.chances(race)
    assert sum(before) == pytest.approx(1.0)
    other = race.determinized(0, 9)
    assert spina.bots.chances(other) == before
    while not race.over:
        race.play(race.to_act[0], make("random", game=game, seed=1).choose(race, race.to_act[0]))
    assert max(spina.bots.chances(race)) == 1 / len(race.ranking[0])


def test_every_seat_chooses_what_was_tried_often() -> None:
    """Step by step it goes where most was tried; a whole choice of other steps may have been tried a little oftener."""
    race, network = a_race("charioteer", 21), get("charioteer").frozen_levels["expert-1"].network
    config = SearchConfig(horizon=1, exploration=0.05)
    for seat in race.to_act:
        bot = Search(get("charioteer"), iterations=150, config=config, seed=1, network=network)
        advice = bot.advise(race, seat, most=1000)
        assert advice.candidates[0].tried >= max(candidate.tried for candidate in advice.candidates) / 2


def test_time_is_kept_to() -> None:
    race = a_race("charioteer", 4)
    bot = Search(get("charioteer"), milliseconds=60, config=QUICK, seed=1)
    begun = time.perf_counter()
    bot.choose(race, race.to_act[0])  # ends by itself: nothing but the time limits it
    assert time.perf_counter() - begun > 0.05


def test_more_time_means_more_imagined_races() -> None:
    race = a_race("charioteer", 4)
    tried = [
        sum(
            candidate.tried
            for candidate in Search(get("charioteer"), milliseconds=limit, config=QUICK, seed=1)
            .advise(race, race.to_act[0], most=1000)
            .candidates
        )
        for limit in (10, 300)
    ]
    assert tried[1] > 2 * tried[0]


@pytest.mark.parametrize("game", GAMES)
def test_turns_had_go_up_one_by_one_and_all_have_about_as_many(game: str) -> None:
    race = spina.new(game, seats=3, seed=8)
    bots = [make("competent", game=game, seed=seat) for seat in range(3)]
    had = [0, 0, 0]
    most = 0
    while not race.over:
        now = [get(game).rules.turns_had(race.determinized_state(0, 0), race.edition.data, seat) for seat in range(3)]
        grown = [after - before for before, after in zip(had, now, strict=True)]
        assert min(grown) >= 0
        assert max(grown) <= 2  # a seat with nothing to decide may have a turn without being asked
        had, most = now, max(most, max(now))
        seat = race.to_act[0]
        race.play(seat, bots[seat].choose(race, seat))
    chariots = 2 if game == "chariot-race" else 1
    assert race.turn - 2 <= most / chariots <= race.turn


def test_only_the_steps_that_are_asked_for_are_compared() -> None:
    race = a_race("charioteer", 4)
    seat = race.to_act[0]

    def beginnings(steps: int, count: int) -> tuple[int, int]:
        config = SearchConfig(horizon=1, exploration=0.3, later_width=0.0, rival_width=0.0, steps=steps)
        found = Search(get("charioteer"), iterations=count, config=config, seed=1).advise(race, seat, most=1000)
        actions = [candidate.action for candidate in found.candidates]
        return len({(action.token, action.symbol) for action in actions}), len(actions)

    different, choices = beginnings(2, 400)
    assert different == choices > 3  # for every token and symbol the driver adds the cards
    assert beginnings(8, 400)[1] > choices


@pytest.mark.slow
def test_a_search_in_haste_beats_the_dummy() -> None:
    won = 0
    for number in range(10):
        race = spina.new("charioteer", seats=2, seed=number)
        mine = number % 2
        thinker = Search(
            get("charioteer"), iterations=60, config=SearchConfig(horizon=2, exploration=0.05), seed=number
        )
        other = make("longest", game="charioteer", seed=number)
        while not race.over:
            seat = race.to_act[0]
            race.play(seat, (thinker if seat == mine else other).choose(race, seat))
        won += race.ranking[0] == [mine]
    assert won >= 8


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", LEVELS[:2])
def test_levels_that_are_drivers_answer_at_once(game: str, level: str) -> None:
    race = a_race(game, 3)
    seat = race.to_act[0]
    bot = make(level, game=game, seed=1)
    assert bot.name == level
    assert race.check(seat, bot.choose(race, seat)) is None


def test_every_level_exists_in_every_game() -> None:
    for game in GAMES:
        assert spina.bots.names(game)[-4:] == ("easy", "medium", "hard", "expert")
        assert make("expert", game=game).name == "expert"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"iterations": 0}, "iterations must be from 1"),
        ({"milliseconds": 0}, "milliseconds must be more than 0"),
        ({"config": SearchConfig(driver="nobody")}, 'no driver "nobody"'),
    ],
)
def test_wrong_settings_are_refused(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        Search(get("charioteer"), **wrong)  # type: ignore[arg-type]


def test_an_unknown_bot_is_named_with_those_there_are() -> None:
    with pytest.raises(OptionError, match=r'no bot "grandmaster".*easy, medium, hard, expert'):
        make("grandmaster", game="charioteer")


def test_the_former_names_of_the_settings_are_accepted() -> None:
    config = Manner(horizon=1, exploring=0.2, trust=0.1, again=24, promising=0.5)
    assert config == SearchConfig(
        horizon=1, exploration=0.2, driver_bonus=0.1, elimination_simulations=24, elimination_margin=0.5
    )
    assert Search(get("charioteer"), iterations=10, manner=config).config == config
