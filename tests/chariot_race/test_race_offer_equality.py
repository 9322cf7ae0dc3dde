"""The offer that compiled searches make equals the one that is made step by step, on copies of the race."""

from __future__ import annotations

import random
from typing import Any

import chariot_race_offer_oracle
import msgspec
import pytest

import spina
from spina.games.chariot_race.play import paths as path_list
from spina.games.chariot_race.rules import dice_sums, entries
from spina.games.chariot_race.rules import paths as path_search
from spina.games.chariot_race.rules.record import SIDE_NAMES

VARIANTS: list[dict[str, Any]] = [
    {"seats": 2},
    {"seats": 2, "pairs": False, "board": "BA"},
    {"seats": 3, "individual": True},
    {"seats": 4, "board": "BB"},
    {"seats": 5, "individual": True, "board": "AB"},
    {"seats": 6, "safe_finish": True},
    {"seats": 6, "individual": True, "board": "BB", "safe_finish": True},
]


def assert_equal(race: spina.Race) -> Any:
    """Compare the two offers of the seat whose turn it is, as structs and as JSON, and return one of them."""
    (seat,) = race.to_act
    quick = race.offer(seat)
    slow = chariot_race_offer_oracle.offer(race._bytes, race.edition, seat)  # type: ignore[arg-type]
    assert msgspec.json.encode(quick) == msgspec.json.encode(slow)
    assert quick == slow
    return quick


def compare(race: spina.Race, driver: str, seed: int, most: int = 10_000) -> None:
    """Race with a driver in all seats, and compare all offers."""
    bot = spina.bots.make(driver, game="chariot-race", seed=seed)
    while not race.over and most > 0:
        assert_equal(race)
        (seat,) = race.to_act
        race.play(seat, bot.choose(race, seat))
        most -= 1


def crowded(seed: int) -> spina.Race:
    """A random position with up to six chariots close together, caltrops between them, and random dice."""
    chance = random.Random(seed)
    board, individual = chance.choice(["AA", "AB", "BB"]), chance.random() < 0.4
    edition: Any = spina.new("chariot-race", seats=2, seed=1).edition
    heaps = edition.heaps_with([side == "B" for side in board])
    front = chance.randrange(edition.length)
    near = [
        name
        for space, name in enumerate(edition.space_names)
        if space not in heaps and (edition.front[space] - front) % edition.length < edition.length // 4
    ]
    count = chance.randint(2, 6)
    kinds = chance.sample(range(1, 7), count) if individual else [0] * count
    chariots = [
        {
            "space": space,
            "lap": chance.choice([0, 0, edition.laps - 1]),
            "condition": chance.randint(1, edition.most_condition[kind]),
            "speed": chance.randint(0, edition.most_speed[kind]),
            "fate": chance.randint(0, edition.most_fate[kind]),
            **({"kind": edition.characters[kind]} if individual else {}),
        }
        for kind, space in zip(kinds, chance.sample(near, count), strict=True)
    ]
    first, kind = chariots[0], kinds[0]
    speed = min(first["speed"], edition.speed_limit[kind][first["condition"]])
    likely = chance.choice([SIDE_NAMES, ("steer", "steer", "steer", "+/-"), ("steer", "+/-", "sprint")])
    return spina.position(
        "chariot-race",
        {
            "chariots": chariots,
            "caltrops": chance.sample(near, min(len(near), chance.randint(0, edition.caltrops))),
            "options": {"board": board, "individual": individual, "safe_finish": chance.random() < 0.3},
            "turn": 0,
            "dice": chance.choices(likely, k=edition.dice_at[kind][speed]),
            "seed": seed,
        },
    )


def drive_on(race: spina.Race, seed: int, most: int = 12) -> int:
    """Compare the offers of the next questions with random answers; return the most ways that one had."""
    chance, longest = random.Random(seed), 0
    for _ in range(most):
        if race.over:
            break
        offer = assert_equal(race)
        longest = max(longest, len(offer.get("paths", [])))
        keep = offer.stage in ("free re-roll", "fortune") and chance.random() < 0.8
        race.play(race.to_act[0], "keep" if keep else chance.choice(offer.actions))
    return longest


def interpret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the entries that offers use run as ordinary Python."""
    for module, names in (
        (path_search, ("explore", "recount")),
        (dice_sums, ("dice_sums",)),
        (entries, ("legal", "check", "foresee", "places_and_colours")),
    ):
        for name in names:
            function = getattr(module, name)
            monkeypatch.setattr(module, name, getattr(function, "py_func", function))


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_offers_of_a_race_are_those_made_step_by_step(variant: dict[str, Any]) -> None:
    compare(spina.new("chariot-race", seed=3, **variant), "random", seed=3, most=120)


@pytest.mark.slow
@pytest.mark.parametrize("driver", ["random", "competent", "fastest"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_offers_of_whole_races_are_those_made_step_by_step(variant: dict[str, Any], driver: str) -> None:
    for seed in range(2):
        compare(spina.new("chariot-race", seed=seed, **variant), driver, seed)


@pytest.mark.slow
def test_the_offers_of_crowded_positions_are_those_made_step_by_step() -> None:
    longest = max(drive_on(crowded(seed), seed) for seed in range(400))
    assert longest > 30  # so that many ways meet


def test_interpreted_offers_are_those_made_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    interpret(monkeypatch)
    for seed in range(12):
        drive_on(crowded(seed), seed)
    for variant in VARIANTS:
        compare(spina.new("chariot-race", seed=5, **variant), "random", seed=5, most=25)


def test_a_search_without_enough_room_is_repeated_with_more(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []
    explore = path_search.explore

    def counted(*arguments: Any) -> int:
        found = explore(*arguments)
        tried.append(found)
        return found

    monkeypatch.setattr(path_search, "explore", counted)
    for room, events in ((2, 4), (40, 1), (7, 3)):
        monkeypatch.setattr(path_list, "ROOM", room)
        monkeypatch.setattr(path_list, "EVENTS", events)
        for seed in range(8):
            drive_on(crowded(seed), seed)
    assert path_search.FULL in tried


@pytest.mark.parametrize("most", [0, 1, 5])
def test_long_lists_are_cut_in_the_same_way(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(path_list, "MOST_PATHS", most)
    monkeypatch.setattr(chariot_race_offer_oracle, "MOST_PATHS", most)
    for seed in range(12):
        drive_on(crowded(seed), seed)
