"""What a page is offered: exactly what the rules allow, with true consequences, and nothing that is hidden."""

from __future__ import annotations

import random
import time
from itertools import combinations
from typing import Any

import msgspec
import pytest

import spina
from spina.games.charioteer.components.edition import reference

KINDS = reference().kind_names
SEEDS = range(12)


def race_under_way(seed: int, turns: int | None = None, seats: int = 3) -> spina.Race:
    """A race of bots after some turns."""
    chance = random.Random(seed)
    race = spina.new("charioteer", seats=seats, seed=seed)
    bot = spina.bots.make("competent", game="charioteer", seed=seed)
    for _ in range(chance.randrange(18) if turns is None else turns):
        for seat in race.to_act:
            race.play(seat, bot.choose(race, seat))
    return race


def holding(tokens: list[str], hand: list[str], crowd: str = "yellow-4 yellow-4 yellow-0") -> spina.Race:
    """A race of two in which seat 0 holds these tokens and cards."""
    return spina.position(
        "charioteer",
        {
            "chariots": [{"hand": hand, "tokens": tokens}, {"hand": ["green-2 green-2 green-4"]}],
            "crowd": [crowd, "black-1 black-1 black-2", "black-0 black-0 black-2"],
        },
    )


def move_of(race: spina.Race, symbol: str) -> dict[str, Any]:
    return next(move for move in race.offer(0)["moves"] if move["symbol"] == symbol)


def notation(symbol: str, cards: str) -> str:
    text = f"{symbol}: {' '.join(cards.removesuffix('+'))}"
    return text + " + crowd" if cards.endswith("+") else text


@pytest.mark.parametrize("seed", SEEDS)
def test_the_card_sets_are_all_that_the_rules_allow_and_no_others(seed: int) -> None:
    race = race_under_way(seed)
    offered = {notation(move["symbol"], cards) for move in race.offer(0)["moves"] for cards in move["sets"]}
    hand = race.view(0)["hand"]
    allowed = {
        text
        for symbol in reference().symbol_names
        for size in (1, 2, 3)
        for cards in combinations(hand, size)
        for crowd in ("", "+")
        if race.check(0, text := notation(symbol, "".join(cards) + crowd)) is None
    }
    assert offered == allowed


@pytest.mark.parametrize("seed", SEEDS)
def test_the_tokens_of_a_move_are_those_that_may_go_on_it(seed: int) -> None:
    chance = random.Random(seed)
    laid = {
        "yellow-4 yellow-4 yellow-0",
        "black-1 black-1 black-2",
        "black-0 black-0 black-2",
        "green-2 green-2 green-4",
    }
    cards = [name for name in reference().card_names if name != "whip" and name not in laid]
    tokens = chance.sample([name for name in KINDS if "discard" not in name], 8)
    race = holding(tokens, chance.sample(cards, 8))
    for move in race.offer(0)["moves"]:
        if not move["sets"]:
            continue
        plain = notation(move["symbol"], move["sets"][0])
        wilds = [plain + f", token {name} on {move['sets'][0][0]}" for name in tokens if "wild" in name]
        others = [plain + f", token {name}" for name in tokens if "wild" not in name]
        allowed = {text.split("token ")[1].split(" on ")[0] for text in wilds + others if race.check(0, text) is None}
        assert allowed <= set(move["tokens"])
        assert {name for name in move["tokens"] if "wild" not in name} == {n for n in allowed if "wild" not in n}


def test_a_symbol_that_only_a_wild_makes_possible_is_offered_with_the_cards_it_may_change() -> None:
    race = holding(["wild red"], ["red-5 red-5 green-2", "black-0 black-0 yellow-2", "whip"])
    move = move_of(race, "red-5")
    assert move["sets"] == [] and move["best"] is None
    assert move["tokens"] == ["wild red"]
    assert move["wild"] == {"without": "bc", "with": ""}
    assert race.check(0, "red-5: a b, token wild red on b") is None
    assert race.check(0, "red-5: a b, token wild red on a") is not None


def test_a_whip_goes_with_every_move_and_is_offered_as_free() -> None:
    race = holding([], ["red-5 red-5 green-2", "red-5 red-5 yellow-2", "whip"])
    move = move_of(race, "red-5")
    assert move["free"] == "c"
    assert sorted(move["sets"]) == ["ab", "abc"]


def test_a_whip_on_the_crowd_track_joins_only_a_move_that_stands_without_it() -> None:
    race = holding([], ["red-5 red-5 green-2", "red-5 red-5 yellow-2", "red-3 red-3 green-2"], crowd="whip")
    assert sorted(move_of(race, "red-5")["sets"]) == ["ab", "ab+"]
    assert [move["symbol"] for move in race.offer(0)["moves"]] == ["green-2", "red-5"]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_best_of_a_symbol_is_its_longest_move_and_is_counted_truly(seed: int) -> None:
    race = race_under_way(seed)
    for move in race.offer(0)["moves"]:
        if move["sets"]:
            points = [race.explain(0, notation(move["symbol"], cards)).symbols for cards in move["sets"]]
            assert move["best"].symbols == max(points)
            assert move["best"] == race.explain(0, move["best"].choice)


def test_discard_tokens_and_a_reset_are_offered() -> None:
    offer = holding(["discard-3", "discard-2"], ["red-5 red-5 green-2", "whip"]).offer(0)
    assert offer["discards"] == [{"token": "discard-3", "most": 3}, {"token": "discard-2", "most": 2}]
    assert offer["reset"]["cards"] == "ab"
    assert offer["moves"] == []


@pytest.mark.parametrize("seed", SEEDS)
def test_an_offer_changes_nothing_and_knows_nothing_hidden(seed: int) -> None:
    race = race_under_way(seed)
    before = race.hash()
    offered = msgspec.json.encode(race.offer(0))
    assert race.hash() == before
    others = race.copy()
    others._bytes[:] = race.determinized_state(0, seed + 1)
    assert others.hash() != before
    assert msgspec.json.encode(others.offer(0)) == offered


def test_an_offer_is_the_same_whoever_has_chosen_already() -> None:
    race = race_under_way(3, turns=4)
    fresh = msgspec.json.encode(race.offer(0))
    bot = spina.bots.make("random", game="charioteer", seed=1)
    for seat in (1, 2):
        race.play(seat, bot.choose(race, seat))
    assert msgspec.json.encode(race.offer(0)) == fresh
    race.play(0, race.legal(0)[0])  # a first step of a choice that is not complete
    assert msgspec.json.encode(race.offer(0)) == fresh


def test_an_offer_is_made_in_a_few_milliseconds() -> None:
    races = [race_under_way(seed) for seed in SEEDS]
    races[0].offer(0)
    took = []
    for race in races:
        begun = time.thread_time()
        race.offer(0)
        took.append(time.thread_time() - begun)
    assert sorted(took)[len(took) // 2] < 0.02


def test_a_scene_has_all_that_a_page_needs_to_place_pieces() -> None:
    race = spina.new("charioteer", seats=2, seed=1)
    places = race.game.scene(race.edition, {}).places
    assert {"oval", "spaces", "crowd", "card", "die", "frieze", "lap", "laps", "attack_boxes"} <= places.keys()
    assert len(places["spaces"]) == reference().spaces
    assert len(places["skill_bonuses"]) > places["skill_spaces"]
    msgspec.json.encode(places)
