"""A game that offers the least: no features, no network, no levels, no driver but the random one. Its bots work."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import MappingProxyType

import pytest
from house_helpers import House, in_house

import spina
from spina import bots
from spina.bots import LEVELS, Search, SearchConfig, make, network_weights
from spina.errors import OptionError
from spina.games import find, get, registry
from spina.games.charioteer.game import Charioteer
from spina.games.editions import Edition
from spina.games.game import Game
from spina.lab import training
from spina.race import Race
from spina.table.bots import analysis
from spina.table.bots.fallbacks import Fallbacks
from spina.table.bots.win_chances import public_chances
from spina.table.bots.worker import advise, choose
from spina.table.bots.worker_messages import AdviceQuestion, Question

NAME = "charioteer"


class PlainCharioteer(Charioteer):
    """Charioteer without what a game may leave out."""

    features, measure_features, network = Game.features, staticmethod(Game.measure_features), Game.network
    levels = Game.levels
    reasons = Game.reasons
    drivers = MappingProxyType({"random": Charioteer.drivers["random"]})
    line_up = ("random", "random", "random")

    def units(self, edition: Edition) -> dict[str, float]:
        return {}


GAME = PlainCharioteer()


@pytest.fixture(autouse=True)
def plain_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game in the place of Charioteer."""
    load = registry._load
    monkeypatch.setattr(registry, "_load", lambda name: GAME if name == NAME else load(name))


def in_the_middle(choices: int = 9) -> Race:
    race = spina.new(NAME, seats=3, seed=4)
    driver = make("random", game=NAME, seed=1)
    for _ in range(choices):
        race.play(race.to_act[0], driver.choose(race, race.to_act[0]))
    return race


def test_it_leaves_everything_out() -> None:
    game = find(NAME)
    assert (game.features, game.network, tuple(game.drivers)) == ((), None, ("random",))
    assert game.default_driver == "random" and tuple(game.levels) == LEVELS
    assert network_weights.load(game) is None
    iterations = [level.iterations for level in game.levels.values()]
    assert iterations == sorted(iterations) and len(set(iterations)) == len(LEVELS)


@pytest.mark.parametrize("name", ["random", *LEVELS])
def test_every_bot_chooses_and_explains_without_reasons(name: str) -> None:
    race = in_the_middle()
    seat = race.to_act[0]
    bot = make(name, game=NAME, seed=1)
    assert race.check(seat, bot.choose(race, seat)) is None
    assert make(name, game=NAME, seed=1).choose(race, seat) == make(name, game=NAME, seed=1).choose(race, seat)
    advice = make(name, game=NAME, seed=1).advise(race, seat)
    assert advice.reason is None
    for candidate in advice.candidates:
        assert candidate.features == () and sum(candidate.chances) == pytest.approx(1)


def test_the_search_runs_to_the_end_of_the_race_whatever_the_horizon() -> None:
    race = in_the_middle()
    seat = race.to_act[0]
    found = []
    for horizon in (1, 1000):
        config = SearchConfig(horizon=horizon, later_width=0.0, rival_width=0.0)
        found.append(Search(get(NAME), iterations=30, config=config, seed=1).advise(race, seat, 50))
    assert found[0] == found[1]
    for candidate in found[0].candidates:
        wins = [chance * candidate.tried * 6 for chance in candidate.chances]  # ties are shared by up to three
        assert wins == pytest.approx([round(each) for each in wins])


def test_more_simulations_make_a_stronger_bot() -> None:
    won = 0
    for number in range(12):
        race = spina.new(NAME, seats=2, seed=number)
        strong, weak = number % 2, 1 - number % 2
        players = {strong: make("hard", game=NAME, seed=number), weak: make("random", game=NAME, seed=number)}
        while not race.over:
            race.play(race.to_act[0], players[race.to_act[0]].choose(race, race.to_act[0]))
        won += race.ranking[0] == [strong]
    assert won >= 10


def test_the_chances_of_a_spectator_come_from_rollouts() -> None:
    race = in_the_middle()
    known = bots.chances(race)
    assert sum(known) == pytest.approx(1) and len(set(known)) > 1
    assert bots.chances(race.determinized(None, 77)) == known
    assert public_chances(race) == [round(chance, 4) for chance in bots.chances(race.determinized(None, 0))]
    seat = race.to_act[0]
    race.play(seat, make("random", game=NAME, seed=1).choose(race, seat))  # in secret, while others choose
    assert bots.chances(race) == known


def test_workers_choose_and_advise() -> None:
    race = in_the_middle()
    seat = race.to_act[0]
    for bot in ("easy", "expert", "random"):
        assert race.check(seat, choose(Question.of(race, seat, bot, 5))) is None
    found = advise(AdviceQuestion.of(race, seat, 5, iterations=24, milliseconds=60_000.0))
    assert found.reasons == [] and len(found.candidates) > 1
    chosen = str(race.legal(seat)[-1])
    compared = advise(AdviceQuestion.of(race, seat, 5, iterations=24, milliseconds=60_000.0, chosen=chosen))
    assert compared.chosen is not None and compared.chosen.action == chosen


def test_a_bot_that_fails_is_replaced_by_the_random_driver() -> None:
    race = in_the_middle()
    seat = race.to_act[0]
    asked = []

    async def ask(question: Question) -> str:
        asked.append(question.bot)
        if question.bot == "expert":
            raise ZeroDivisionError
        return choose(question)

    action = asyncio.run(Fallbacks("t").choose(ask, race, seat, "expert", 5))
    assert asked == ["expert", "random"] and race.check(seat, action) is None


def test_a_table_plays_hints_and_analyses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "MOST_CHOICES", 4)

    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        room = await house.rooms.room(await house.lobby.race_now(anna, NAME))
        assert [seat.bot for seat in room.seats] == [None, "random", "random"]
        assert room.state_for(anna.id, None).chances is not None
        _, advice = await house.services.hints.hint(room, anna.id, 0)
        assert advice.reasons == [] and advice.candidates
        await house.lobby.leave(anna, room.table.id)
        watched = await house.table(anna, NAME, "easy", "expert")
        while watched.table.status != "over":
            await asyncio.sleep(0.01)
        while (found := await house.services.analyst.analysis(watched, anna.id)).status == "working":
            await asyncio.sleep(0.01)
        assert found.choices and all(choice.reasons == [] for choice in found.choices)
        assert max(found.chances[-1].chances) >= 1 / 3

    in_house(tmp_path, test)


def test_there_is_nothing_to_train() -> None:
    with pytest.raises(OptionError, match="has no features"):
        training.examples(NAME, 2, 5, seed=1)
