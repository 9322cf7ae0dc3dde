"""The contract that every game fulfils, as a test suite for your own game.

    from spina.testing import GameContract

    class TestMyGame(GameContract):
        game = "my-game"

Needs pytest. Random races find what breaks legality, replay, copies, hidden information, simulation and pictures.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import numpy as np
import pytest

import spina
from spina.games import get
from spina.kernel.interface import PLAN, RESOLVED
from spina.kernel.narration import new_story
from spina.kernel.race_runner import MOST_SEATS, RaceRange, RaceResults, run_races
from spina.kernel.random import new_dice
from spina.simulation import driver_addresses

SEEDS = range(6)
MOST_CODES = 2000
BLIND_CHOICES = 600
SILENT = new_story(0)[:0]
"""A story without room: events are not told."""


def seat_counts(game: str) -> range:
    return get(game).seat_counts


def some_race(game: str, seed: int) -> spina.Race:
    counts = seat_counts(game)
    return spina.new(game, seats=counts[seed % len(counts)], seed=seed)


def some_codes(steps: int, seed: int) -> list[int]:
    """Numbers of actions: all of them, or if there are very many, the small ones and a sample of the rest."""
    if steps <= MOST_CODES:
        return list(range(steps))
    return [*range(MOST_CODES // 2), *random.Random(seed).sample(range(steps), MOST_CODES // 2)]


def some_bot(name: str, game: str) -> spina.bots.Bot:
    """A driver, or a search with few simulations."""
    if name == "search":
        config = spina.bots.SearchConfig(horizon=1, driver="random")
        return spina.bots.Search(get(game), iterations=24, config=config, seed=3)
    return spina.bots.make(name, game=game, seed=3)


def play_on(race: spina.Race, actions: int, seed: int) -> spina.Race:
    """A few random actions."""
    chance = random.Random(seed)
    for _ in range(actions):
        if race.over:
            break
        seat = chance.choice(race.to_act)
        race.play(seat, chance.choice(race.legal(seat)))
    return race


def unfinished(game: str, actions: int, seed: int) -> spina.Race:
    """A race after a few random actions, or fewer if that many would end it."""
    race = play_on(some_race(game, seed), actions, seed)
    return unfinished(game, actions // 2, seed) if race.over else race


def finish(race: spina.Race, seed: int) -> spina.Race:
    while not race.over:
        play_on(race, 50, seed)
        seed += 1
    return race


def without_readiness(view: Any) -> Any:
    """The view without the fields that say who has chosen: a determinization asks the rivals again."""
    if isinstance(view, Mapping):
        return {key: without_readiness(value) for key, value in view.items() if key not in ("to_act", "ready")}
    return [without_readiness(value) for value in view] if isinstance(view, list) else view


class GameContract:
    """The suite; a subclass names the game."""

    game: ClassVar[str]

    # --- acting -----------------------------------------------------------------------------------------------------

    @pytest.mark.parametrize("seed", SEEDS)
    def test_a_race_begins_with_somebody_to_act_and_ends_with_a_ranking(self, seed: int) -> None:
        race = some_race(self.game, seed)
        assert race.to_act and not race.over
        finish(race, seed)
        assert race.to_act == ()
        assert sorted(seat for tied in race.ranking for seat in tied) == list(range(race.seats))
        assert all(race.legal(seat) == [] for seat in range(race.seats))
        with pytest.raises(spina.IllegalAction, match="over"):
            race.play(0, "anything")

    @pytest.mark.parametrize("seed", SEEDS)
    def test_every_legal_action_can_be_played_and_is_read_back_from_its_notation(self, seed: int) -> None:
        race = play_on(some_race(self.game, seed), 40, seed)
        for seat in race.to_act:
            for action in race.legal(seat):
                assert race.check(seat, action) is None
                assert race.game.read(race.edition, str(action)) == action
                by_action, by_notation = race.copy(), race.copy()
                assert by_action.play(seat, action) == by_notation.play(seat, str(action))
                assert by_action.hash() == by_notation.hash() != race.hash()

    @pytest.mark.parametrize("seed", SEEDS)
    def test_actions_outside_the_menu_are_refused_and_change_nothing(self, seed: int) -> None:
        race = unfinished(self.game, 30, seed)
        found = race.game
        before, view = race.hash(), race.view(None)
        for seat in range(race.seats):
            legal = race.legal(seat)
            for code in some_codes(found.steps, seed):
                try:
                    action = found.action(race.edition, code)
                except spina.NotationError:
                    continue
                if action not in legal and (found.lists_all or race.check(seat, action)):
                    with pytest.raises(spina.IllegalAction):
                        race.play(seat, action)
                    assert race.check(seat, action)
        for bad in (-1, race.seats, 99, "0", None, True, 1.0):
            with pytest.raises(spina.IllegalAction, match="seat"):
                race.play(bad, "anything")  # type: ignore[arg-type]
        for text in ("", ":", "nonsense", "a" * 10_000, "\x00", "🏛", "token", "card", "reset:", "; drop table"):
            with pytest.raises(spina.IllegalAction):
                race.play(race.to_act[0], text)
        with pytest.raises(spina.IllegalAction):
            race.play(race.to_act[0], 7)  # type: ignore[arg-type]
        assert race.hash() == before and race.view(None) == view

    @pytest.mark.parametrize("seed", SEEDS)
    def test_taking_back_restores_the_state(self, seed: int) -> None:
        race = play_on(some_race(self.game, seed), 25, seed)
        for seat in race.to_act:
            before = race.hash()
            if race.choosing(seat):
                continue
            race.play(seat, race.legal(seat)[0])
            if race.turn and race.choosing(seat):
                race.retract(seat)
                assert race.hash() == before
                with pytest.raises(spina.IllegalAction, match="take back"):
                    race.retract(seat)

    @pytest.mark.parametrize("seed", SEEDS)
    def test_the_race_goes_on_only_when_a_choice_is_resolved(self, seed: int) -> None:
        """The search relies on it: between two resolved choices it asks only who is to act."""
        race = play_on(some_race(self.game, seed), 30, seed)
        rules, edition, state = race.game.rules, race.edition.data, race.determinized_state(None, seed)
        menu, chance = np.zeros(race.game.longest_menu, np.int64), random.Random(seed)

        def progress() -> list[int]:
            had = [rules.turns_had(state, edition, seat) for seat in range(race.seats)]
            return [rules.over(state, edition), rules.turn(state, edition), *had]

        for _ in range(200):
            asked = [seat for seat in range(race.seats) if rules.acting(state, edition) >> seat & 1]
            if not asked:
                break
            seat, before = chance.choice(asked), progress()
            count = rules.legal(state, edition, seat, menu)
            status = rules.apply(state, edition, seat, menu[chance.randrange(count)], new_story(0)[:0])
            assert status == RESOLVED or progress() == before

    # --- copies, hashes, replay -------------------------------------------------------------------------------------

    @pytest.mark.parametrize("seed", SEEDS)
    def test_a_copy_shares_nothing_and_has_the_same_future(self, seed: int) -> None:
        race = unfinished(self.game, 20, seed)
        twin, before = race.copy(), race.hash()
        finish(twin, seed)
        assert race.hash() == before and not race.over
        assert finish(race, seed).hash() == twin.hash()

    @pytest.mark.parametrize("seed", SEEDS)
    def test_replay_equals_play(self, seed: int, tmp_path: Path) -> None:
        race = finish(some_race(self.game, seed), seed)
        race.save(tmp_path / "race.json")
        again = spina.load(tmp_path / "race.json")
        assert again.hash() == race.hash() and again.ranking == race.ranking and again.log == race.log

    @pytest.mark.parametrize("seed", SEEDS)
    def test_a_running_race_is_saved_with_its_pending_choices_and_goes_on_alike(
        self, seed: int, tmp_path: Path
    ) -> None:
        race = play_on(some_race(self.game, seed), 33 + seed, seed)
        race.save(tmp_path / "race.json")
        again = spina.load(tmp_path / "race.json")
        assert again.hash() == race.hash()
        assert [again.choosing(seat) for seat in range(race.seats)] == [
            race.choosing(seat) for seat in range(race.seats)
        ]
        assert finish(again, seed).hash() == finish(race, seed).hash()

    def test_a_saved_running_race_shows_neither_seed_nor_choices(self) -> None:
        race = play_on(spina.new(self.game, seed=987654321987), 45, 1)
        text = msgspec.json.encode(race.saved()).decode()
        assert "987654321987" not in text
        assert race.hash() not in text
        for _, action in race.log:
            assert f'"{action}"' not in text

    def test_the_same_seed_gives_the_same_race_and_another_seed_another(self) -> None:
        assert spina.new(self.game, seed=5).hash() == spina.new(self.game, seed=5).hash()
        assert spina.new(self.game, seed=5).hash() != spina.new(self.game, seed=6).hash()
        assert spina.new(self.game).hash() != spina.new(self.game).hash()

    # --- what a seat may know ---------------------------------------------------------------------------------------

    @pytest.mark.parametrize("seed", range(12))
    def test_what_a_seat_cannot_see_changes_neither_its_view_nor_its_menu(self, seed: int) -> None:
        race = play_on(some_race(self.game, seed), 10 * seed, seed)
        for seat in (None, *range(race.seats)):
            for deal in range(3):
                other = race.determinized(seat, 1000 * seed + deal)
                assert without_readiness(other.view(seat)) == without_readiness(race.view(seat))
                if seat is not None:
                    assert other.legal(seat) == race.legal(seat)

    @pytest.mark.parametrize("seed", range(8))
    def test_what_a_seat_cannot_see_does_not_change_a_bots_choice(self, seed: int) -> None:
        race = play_on(some_race(self.game, seed), 15 * seed, seed)
        for seat in race.to_act:
            for name in (*get(self.game).drivers, "search"):
                choices = set()
                for deal in range(3):
                    other = race.determinized(seat, deal)
                    choices.add(str(some_bot(name, self.game).choose(other, seat)))
                assert len(choices) == 1, f"{name} sees more than its seat"

    def test_determinization_changes_the_future_and_keeps_what_is_seen(self) -> None:
        race = play_on(spina.new(self.game, seed=3), 20, 3)
        hashes = set()
        for deal in range(20):
            hashes.add(race.determinized(0, deal).hash())
        assert len(hashes) == 20

    def test_views_are_plain_data(self) -> None:
        race = play_on(spina.new(self.game, seed=8), 60, 8)
        for seat in (None, 0, 1):
            view = race.view(seat)
            assert json.loads(msgspec.json.encode(view)) == view

    @pytest.mark.parametrize("seed", range(8))
    def test_views_made_together_are_those_made_one_by_one(self, seed: int) -> None:
        race = play_on(some_race(self.game, seed), 20 * seed, seed)
        viewers = [None, *range(race.seats)]
        for order in (viewers, viewers[::-1], viewers[1:], [None]):
            assert race.views(order) == [race.view(viewer) for viewer in order]

    def test_events_are_typed_immutable_and_plain(self) -> None:
        race = spina.new(self.game, seed=2)
        chance = random.Random(2)
        told = []
        while not race.over:
            seat = chance.choice(race.to_act)
            race.play(seat, chance.choice(race.legal(seat)))
            told += race.told(None)
        assert told
        for event in told:
            assert json.loads(msgspec.json.encode(event))["type"] == type(event).__name__
            assert isinstance(race.game.sentence(event, [f"Seat {s}" for s in range(race.seats)]), str)
            with pytest.raises(AttributeError):
                event.seat = 9  # type: ignore[attr-defined]

    # --- drivers and simulation -------------------------------------------------------------------------------------

    def test_every_driver_races_to_the_end_at_every_seat_count(self) -> None:
        for name in get(self.game).drivers:
            for seats in seat_counts(self.game):
                result = spina.simulate(self.game, seats=seats, races=2, drivers=name, seed=seats)
                assert (result["choices"] > 0).all()
                assert (result["places"].min(axis=1) >= 1).all() and (result["places"] <= seats).all()

    @pytest.mark.parametrize("seed", range(4))
    def test_a_blind_driver_plans_the_same_whatever_is_hidden_and_leaves_the_race_as_it_was(self, seed: int) -> None:
        found = get(self.game)
        assert found.blind_drivers <= {*found.drivers}
        for name in sorted(found.blind_drivers):
            driver, dice = found.drivers[name], new_dice(seed)
            race = some_race(self.game, seed)
            state, edition = race.determinized_state(None, seed), race.edition.data
            for _ in range(BLIND_CHOICES):
                acting = int(found.rules.acting(state, edition))
                if not acting:
                    break
                seat = (acting & -acting).bit_length() - 1
                plans = []
                for deal in range(3):  # the race itself, then two determinizations
                    seen, lots, plan = state.copy(), dice.copy(), np.zeros(PLAN, np.int64)
                    if deal:
                        found.rules.determinize(seen, edition, seat, np.uint64(deal))
                    before = seen.copy()
                    steps = driver(seen, edition, seat, lots, plan)
                    plans.append((plan[:steps].tolist(), lots.tolist()))
                    assert (seen == before).all(), f"{name} changes the race that it is shown"
                assert plans[0] == plans[1] == plans[2], f"{name} is not blind to what its seat cannot see"
                dice[:] = lots
                for code in plans[0][0]:
                    found.rules.apply(state, edition, seat, code, SILENT)

    def test_a_simulation_depends_on_its_seed_and_not_on_its_threads(self) -> None:
        one = spina.simulate(self.game, races=600, drivers="random", seed=4, threads=1)
        two = spina.simulate(self.game, races=600, drivers="random", seed=4, threads=2)
        assert (one == two).all()
        assert (spina.simulate(self.game, races=600, seed=5)["hash"] != one["hash"]).any()

    def test_drivers_in_a_simulation_play_as_the_bots_do(self) -> None:
        """The same race in the kernel and in Python, choice by choice."""
        for name in get(self.game).drivers:
            result = spina.simulate(self.game, seats=3, races=1, drivers=name, seed=21)[0]
            race = spina.new(self.game, seats=3, seed=int(result["seed"]))
            bot = spina.bots.make(name, game=self.game, seed=int(result["seed"]) ^ 0xD1CE)
            while not race.over:
                race.play(race.to_act[0], bot.choose(race, race.to_act[0]))
            assert race.hash_number() == result["hash"]
            assert list(race.places) == result["places"].tolist()

    def test_the_fast_playout_is_the_random_driver(self) -> None:
        fast = spina.simulate(self.game, seats=2, races=5, drivers="random", seed=9)
        found = get(self.game)
        places = np.zeros((5, MOST_SEATS), np.int64)
        turns, choices, hashes = np.zeros(5, np.int64), np.zeros(5, np.int64), np.zeros(5, np.uint64)
        run_races(
            found.rules_addresses,
            driver_addresses(found, ["random"] * 2),
            np.zeros(found.record.itemsize, np.uint8),
            found.reference().data,
            found.encode_options(2, found.check_options(2, {}, found.reference()), found.reference()),
            RaceRange(0, 5, np.uint64(9)),
            RaceResults(places, turns, choices, hashes),
        )
        assert (hashes == fast["hash"]).all() and (choices == fast["choices"]).all()

    # --- pictures ---------------------------------------------------------------------------------------------------

    def test_a_race_can_be_drawn_and_pictured_at_any_time(self) -> None:
        for seed in range(3):
            race = some_race(self.game, 3 + seed)
            for step in range(20):
                assert len(race.draw().splitlines()) > 5
                assert race._repr_svg_().startswith("<svg")
                play_on(race, 3 * (1 + seed), 100 * seed + step)
        assert race.game.board(race.edition).startswith("<svg")
