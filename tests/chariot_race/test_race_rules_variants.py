"""Every combination of variants races to its end at random, and what must hold holds all the way."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

import spina
from spina.errors import OptionError
from spina.games.chariot_race.components.edition import ChariotRaceEdition, parse

if TYPE_CHECKING:
    from conftest import Table

CROWDS = [(2, False), (2, True), (3, False), (3, True), (4, False), (5, False), (6, False)]
BOARDS = ["AA", "AB", "BA", "BB"]
COMBINATIONS = [
    {"seats": seats, "pairs": pairs, "safe_finish": safe, "board": board, "individual": individual}
    for (seats, pairs), safe, board, individual in product(CROWDS, (False, True), BOARDS, (False, True))
]


def called(combination: dict[str, Any]) -> str:
    flags = [name for name in ("pairs", "safe_finish", "individual") if combination[name]]
    return "-".join([str(combination["seats"]), combination["board"], *flags])


@pytest.mark.parametrize("combination", COMBINATIONS, ids=called)
def test_every_combination_races_to_its_end_1000_times(combination: dict[str, Any]) -> None:
    results = spina.simulate("chariot-race", races=1000, drivers="random", seed=7, **combination)
    seats = combination["seats"]
    best, worst = results["places"].min(axis=1), results["places"].max(axis=1)
    assert len(results) == 1000
    assert ((best == 1) | ((best == seats) & (worst == seats))).all()  # a winner, or nobody left
    assert (results["turns"] >= 1).all() and (results["choices"] >= 1).all()


# --- step by step ---------------------------------------------------------------------------------------------------


def check_invariants(race: spina.Race, edition: ChariotRaceEdition) -> None:
    view = race.view(None)
    racing = [chariot for chariot in view["chariots"] if not chariot["wrecked"]]
    passing = view["chariot"] if view["stage"] == "path" else None  # a rammer on its way stands beside the rammed
    placed = [c["space"] for c in racing if c["space"] is not None and c["chariot"] != passing]
    assert len(set(placed)) == len(placed)
    assert not set(placed) & set(view["heaps"])
    assert len(view["caltrops"]) + view["supply"] == edition.caltrops == 20
    assert len(set(view["caltrops"])) == len(view["caltrops"])
    for chariot in view["chariots"]:
        if chariot["kind"] is None:
            continue
        kind = edition.characters.index(chariot["kind"])
        assert 0 <= chariot["condition"] <= edition.most_condition[kind]
        assert 0 <= chariot["speed"] <= edition.most_speed[kind]
        assert 0 <= chariot["fate"] <= edition.most_fate[kind]
        assert chariot["wrecked"] == (chariot["condition"] == 0)
        assert -1 <= chariot["lap"] <= edition.laps
    assert 0 <= view["steers"] <= len(view["dice"]) <= 5
    finished = [chariot for chariot in racing if chariot["finished"]]
    if race.over:
        assert finished or not racing
        assert race.to_act == ()
    else:
        assert len(race.to_act) == 1
        assert racing


def race_at_random(race: spina.Race, edition: ChariotRaceEdition, seed: int) -> None:
    chance = random.Random(seed)
    rounds = race.turn
    while not race.over:
        check_invariants(race, edition)
        (seat,) = race.to_act
        choices = race.legal(seat)
        assert choices
        choice = chance.choice(choices)
        assert race.game.read(edition, str(choice)) == choice
        race.play(seat, choice)
        assert race.turn - rounds in (0, 1)
        rounds = race.turn
    check_invariants(race, edition)


@pytest.mark.parametrize("combination", COMBINATIONS, ids=called)
def test_invariants_hold_at_every_step(combination: dict[str, Any]) -> None:
    race = spina.new("chariot-race", seed=11, **combination)
    race_at_random(race, race.edition, seed=5)  # type: ignore[arg-type]


# --- other courses --------------------------------------------------------------------------------------------------


def course(lanes: str, bend: str, grid: list[str], corners: list[str], heaps: list[str]) -> str:
    """Straights of eight spaces; bends as said."""

    def listed(rows: list[str]) -> str:
        return ", ".join(f'"{row}"' for row in rows)

    count = len(lanes)
    straight = " ".join(["8"] * count)
    said = 'source = "printed"'
    sections = [
        f"straight-1: straight, half 1, length 8, spaces {straight}",
        f"bend-1: bend, half 1, length 6, spaces {bend}",
        f"straight-2: straight, half 2, length 8, spaces {straight}",
        f"bend-2: bend, half 2, length 6, spaces {bend}",
    ]
    return f"""[course]
lanes = {{ value = {count}, {said} }}
line = {{ value = 4, {said} }}
{said}
sections = [{listed(sections)}]
[corners]
{said}
list = [{listed(corners)}]
[heaps]
{said}
list = [{listed(heaps)}]
[grid]
{said}
list = [{listed(grid)}]

"""


TWO_LANES = course(
    "ab",
    "3 5",
    [f"straight-1 {lane} {place}" for place in (4, 3, 2) for lane in "ba"],
    ["bend-1 a 2: speed 3", "bend-1 b 3: speed 6", "bend-2 a 2: speed 3", "bend-2 b 3: speed 6"],
    ["straight-1 a 7", "straight-2 b 3"],
)
FOUR_LANES = course(
    "abcd",
    "3 4 6 8",
    [f"straight-1 {lane} {place}" for place in (4, 3) for lane in "cba"],
    ["bend-1 a 2: speed 2", "bend-1 b 3: speed 4", "bend-1 d 5: speed 8", "bend-2 c 4: speed 5"],
    ["straight-1 a 7", "straight-2 b 3", "straight-2 c 5", "bend-2 d 8"],
)


def edition_with(table: type[Table], text: str) -> ChariotRaceEdition:
    whole = table.edition().text
    start, end = whole.index("[course]\n"), whole.index("# --- the plain chariot")
    return parse(whole[:start] + text + whole[end:], "other.toml")


@pytest.mark.parametrize(("text", "lanes"), [(TWO_LANES, 2), (FOUR_LANES, 4)], ids=["two lanes", "four lanes"])
@pytest.mark.parametrize("options", [{"board": "AA"}, {"board": "BB", "individual": True, "safe_finish": True}])
def test_other_courses_race_to_the_end(table: type[Table], text: str, lanes: int, options: dict[str, Any]) -> None:
    edition = edition_with(table, text)
    assert edition.lanes == lanes
    results = spina.simulate("chariot-race", seats=6, races=1000, drivers="random", seed=3, edition=edition, **options)
    assert ((results["places"].min(axis=1) == 1) | (results["places"].min(axis=1) == 6)).all()
    for seed in range(4):
        race = spina.new("chariot-race", seats=6, seed=seed, edition=edition, **options)
        race_at_random(race, edition, seed)


# --- options --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seats": 1}, "Chariot Race is for 2 to 6 seats, not 1"),
        ({"seats": 7}, "Chariot Race is for 2 to 6 seats, not 7"),
        ({"seats": 4, "pairs": True}, "two chariots each are for 2 or 3 seats, not 4"),
        ({"board": "AC"}, 'board must be "AA", "BB", "AB" or "BA", not \'AC\''),
        ({"board": "A"}, "board must be"),
        ({"board": 2}, "board must be"),
        ({"safe_finish": 1}, "safe_finish must be true or false, not 1"),
        ({"individual": "yes"}, "individual must be true or false, not 'yes'"),
        ({"laps": 3}, 'Chariot Race has no option "laps": it has pairs, safe_finish, board, individual'),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        spina.new("chariot-race", seed=1, **options)
    assert message in str(caught.value)


def test_sides_of_the_board_may_be_written_small() -> None:
    assert spina.new("chariot-race", seed=1, board="ab").options["board"] == "AB"
