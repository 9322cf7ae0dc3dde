"""The rules pages: their figures are those of the reference editions, and their actions can be played."""

from __future__ import annotations

import re
from itertools import count
from typing import Any

import pytest
from rules_page_helpers import (
    actions_of,
    dice_shown,
    example_turn,
    number,
    numbers_in,
    page,
    plain,
    stated,
    table,
)

import spina
from spina.games import get, names
from spina.games.chariot_race.components.edition import ChariotRaceEdition
from spina.games.chariot_race.rules.record import EDITION as RACE_EDITION
from spina.games.chariot_race.rules.record import SIDE_NAMES
from spina.games.charioteer.rules.record import EDITION as CHARIOTEER_EDITION
from spina.games.chariotmaster.rules.record import EDITION as MASTER_EDITION
from spina.kernel.record import look
from spina.web.messages import bundle


def editions() -> dict[str, Any]:
    return {name: get(name).reference() for name in names()}


EDITIONS = editions()
RACE: ChariotRaceEdition = EDITIONS["chariot-race"]
FIGURES = look(RACE.data, RACE_EDITION)
CHARIOTEER = look(EDITIONS["charioteer"].data, CHARIOTEER_EDITION)
MASTER = look(EDITIONS["chariotmaster"].data, MASTER_EDITION)
CM = 100
"""Units of Chariotmaster in a centimetre."""

# --- sentences ------------------------------------------------------------------------------------------------------
# Each is a pattern whose groups are figures, and where the edition has them.

CHARIOTEER_SAYS: list[tuple[str, list[int]]] = [
    (r"(\w+) laps, anticlockwise", [CHARIOTEER.laps]),
    (r"\*\*The deck\*\* of (\d+) race cards", [CHARIOTEER.cards]),
    (r"\*\*the bag\*\* of (\d+) fan tokens", [sum(CHARIOTEER.fan_tokens)]),
    (r"\*\*A hand of (\w+) cards\*\*", [CHARIOTEER.hand]),
    (r"\*\*(\w+) player tokens\*\*", [sum(CHARIOTEER.player_tokens)]),
    (r"\*\*(\w+) attack boxes\*\*", [CHARIOTEER.attack_boxes]),
    (r"each whip is good for up to (\w+) more spaces", [CHARIOTEER.whip_spaces]),
    (r"at most (\d+) spaces for each whip", [CHARIOTEER.whip_spaces]),
    (r"a card with (\w+) of the move's symbol, and nothing else", [CHARIOTEER.wild_symbols]),
    (
        r"(\w+) are a \*\*minor attack\*\*: every rival gets (\d+) cube",
        [CHARIOTEER.minor_cards, CHARIOTEER.minor_cubes],
    ),
    (r"(\w+) are a \*\*major attack\*\*: every rival gets (\d+)", [CHARIOTEER.major_cards, CHARIOTEER.major_cubes]),
    (r"A move with (\w+) or more matching symbols draws", [CHARIOTEER.fan_symbols]),
    (
        r"\*\*(\d)\*\* cubes with two players, \*\*(\d)\*\* with three, \*\*(\d)\*\* with four, and \*\*(\w+)\*\* with",
        list(CHARIOTEER.disrupt[2:6]),
    ),
    (
        r"has (\w+) start spaces without a bonus, then (\w+) spaces worth \+(\d) each, then the bonus box",
        [4, CHARIOTEER.skill_spaces - 4, CHARIOTEER.skill_bonus[4]],
    ),
    (
        r"first marker to reach the box takes \+(\d), your second \+(\d), then \+(\d), then \+(\d)",
        list(CHARIOTEER.skill_bonus[CHARIOTEER.skill_spaces : CHARIOTEER.skill_spaces + 4]),
    ),
    (
        r"highest start space needs (\d+) steps to reach the box, the one on the lowest (\d+)",
        [CHARIOTEER.skill_spaces - 3, CHARIOTEER.skill_spaces],
    ),
    (
        r"\*\*Track\.\*\* (\d+) spaces a lap, (\d+) of them outer: 0–3 regular",
        [CHARIOTEER.spaces, sum(CHARIOTEER.outer)],
    ),
    (r"The race starts on space (\d+)", [CHARIOTEER.spaces + CHARIOTEER.start]),
    (r"The cards are all (\d+) orders of the four colours", [CHARIOTEER.skill_cards]),
    (r"Every symbol is thus on (\d+) cards", [int((CHARIOTEER.shows[: CHARIOTEER.cards, 0] > 0).sum())]),
]
RACE_SAYS: list[tuple[str, list[int]]] = [
    (r"(\w+) laps around the barrier", [RACE.laps]),
    (r"\*\*(\w+) dice\*\*, all alike", [RACE.dice]),
    (r"at which it can safely be taken: (\d) inside, (\d) in the middle, (\d) outside", [3, 5, 7]),
    (r"pay exactly (\d) fate to regain (\d) condition", [FIGURES.repair_cost, FIGURES.repair_points]),
    (r"as long as you can pay (\d) fate each time", [FIGURES.fortune_cost]),
    (r"raises your fate by 1, up to (\d+)", [RACE.most_fate[0]]),
    (r"sprint die must count too: \+(\d) speed, and (\d) damage", [FIGURES.sprint_speed, FIGURES.sprint_damage]),
    (r"both of you take (\d) damage", [FIGURES.ram_damage]),
    (r"Entering a space with a caltrop costs (\d) condition", [FIGURES.caltrop_damage]),
    (r"chariot at most (\w+) steps away, in any direction, also behind you. It takes (\d) damage",
     [RACE.javelin_range, FIGURES.javelin_damage]),
    (r"A straight of (\d+) and a bend of (\d), (\d) or (\d) spaces on each half: (\d+), (\d+) or (\d+) spaces a lap",
     [10, 4, 6, 8, *(RACE.lane.count(lane) for lane in range(3))]),
    (r"a plain chariot with condition (\d+) begins its turn at no more than (\d+), Green at up to (\d+)",
     [8, RACE.speed_limit[0][8], RACE.speed_limit[RACE.chariot_names.index("green")][8]]),
    (r"speed (\d) and fate (\d) at the start; five dice up to speed 5 and (\w+) at 12",
     [FIGURES.first_speed[0], FIGURES.first_fate[0], RACE.dice_at[0][12]]),
    (r"(\w+) dice at speed 6;", [RACE.dice_at[0][6]]),
    (r"no fate goes beyond (\d)", [max(RACE.most_fate)]),
]  # fmt: skip
MASTER_SAYS: list[tuple[str, list[int]]] = [
    (r"immovable, collision value (\d) and never damaged", [MASTER.value_wall]),
    (r"The 10 token of fast horses and of wolves reads 10 to (\d+) cm, that of boars 10 to (\d+) cm",
     [EDITIONS["chariotmaster"].kit.items[name].top // CM for name in ("fast", "boars")]),
    (r"\*\*Bite\*\* \(wolves (\d), boars (\d)\)",
     [EDITIONS["chariotmaster"].kit.items[name].bite for name in ("wolves", "boars")]),
    (r"every (\d), 5 or 6 is one point of damage", [MASTER.hit_from]),
    (r"the initiator goes (\d) cm back the way it came", [MASTER.bounce_back // CM]),
    (r"aligned; the target goes (\d) cm straight away from the initiator", [MASTER.bounce_push // CM]),
    (r"target goes (\d) cm straight away; when everything this causes is settled, the initiator follows (\d) cm",
     [MASTER.bounce_throw // CM, MASTER.bounce_follow // CM]),
    (r"Only the rammer gets the (\d) extra dice", [MASTER.ram_bonus]),
    (r"Fast tokens hardly turn:\*\* (\d+)° with the 10, (\d+)° with the 0",
     [MASTER.pivot[2] // 10, MASTER.pivot[0] // 10]),
    (r"On both circuits the line lies (\d+) cm into a straight",
     [EDITIONS["chariotmaster"].scenario("circus").line // CM]),
]  # fmt: skip
SAYINGS = [
    (game, pattern, expected)
    for game, said in (("charioteer", CHARIOTEER_SAYS), ("chariot-race", RACE_SAYS), ("chariotmaster", MASTER_SAYS))
    for pattern, expected in said
]


@pytest.mark.parametrize(("game", "pattern", "expected"), SAYINGS, ids=[f"{game}: {p[:40]}" for game, p, _ in SAYINGS])
def test_a_sentence_has_the_figures_of_the_edition(game: str, pattern: str, expected: list[int]) -> None:
    assert stated(game, pattern) == [int(figure) for figure in expected]


@pytest.mark.parametrize("game", EDITIONS)
def test_as_many_rulings_are_announced_as_there_are(game: str) -> None:
    """Where a page gives the number of rulings, it is also the last ruling's number."""
    rulings = re.findall(r'<a id="(?:c|r)(\d+)"></a>', page(game))
    assert [int(ruling) for ruling in rulings] == [*range(1, len(rulings) + 1)]
    if said := re.search(r"All ([a-z]+-?[a-z]*) are listed", page(game)):
        tens, _, ones = said[1].partition("-")
        assert {"twenty": 20, "thirty": 30, "forty": 40}[tens] + (number(ones) if ones else 0) == len(rulings)


# --- Chariot Race ---------------------------------------------------------------------------------------------------


def test_chariot_race_starting_values_and_ranges() -> None:
    for row in table("chariot-race", "value", "at the start", "range")[1:]:
        first, most = (int(FIGURES[f"{which}_{row[0]}"][0]) for which in ("first", "most"))
        assert (number(row[1]), numbers_in(row[2])) == (first, [0, most]), row[0]


def test_chariot_race_dice_at_every_speed() -> None:
    speeds, dice = table("chariot-race", "speed", "0 to 5")
    found: dict[int, int] = {}
    for said, rolled in zip(speeds[1:], dice[1:], strict=True):
        ends = numbers_in(said)
        found |= dict.fromkeys(range(ends[0], ends[-1] + 1), int(rolled))
    assert found == dict(enumerate(RACE.dice_at[0]))


@pytest.mark.parametrize("language", ["en", "es"])
def test_chariot_race_dice_on_the_page_in_the_browser(language: str) -> None:
    """Five up to 5, four at 6 and 7: every number of dice with all its speeds, in words and figures."""
    text = str(bundle(language, "chariot-race.rules")["rules.chariot-race.turn.2"])
    words = {"en": ("one", "two", "three", "four", "five"), "es": ("uno", "dos", "tres", "cuatro", "cinco")}[language]
    found: dict[int, int] = {}
    for part in text.split(".")[0].lower().split(","):
        (dice,) = [words.index(word) + 1 for word in part.split() if word in words]
        speeds = numbers_in(part)
        found |= dict.fromkeys(range(speeds[0] + 1) if dice == max(RACE.dice_at[0]) else speeds, dice)
    assert found == dict(enumerate(RACE.dice_at[0]))


def test_chariot_race_sides_of_the_dice() -> None:
    rows = table("chariot-race", "side of a die", "faces")[1:]
    assert {row[0].lower(): int(row[1]) for row in rows} == {
        name: RACE.die.count(side) for side, name in enumerate(SIDE_NAMES)
    }
    effects = {row[0]: numbers_in(row[3]) for row in rows}
    assert effects["sprint"] == [FIGURES.sprint_speed, FIGURES.sprint_damage]
    assert effects["Fortuna"] == [1, RACE.most_fate[0]]


def test_chariot_race_costs() -> None:
    rows = {row[0]: numbers_in(" ".join(row[1:])) for row in table("chariot-race", "what", "costs")[1:]}
    assert rows["repair, once a turn"] == [FIGURES.repair_cost, FIGURES.repair_points]
    assert rows["another re-roll, or a turned die"] == [FIGURES.fortune_cost]
    assert rows["sprint die"] == [FIGURES.sprint_damage, FIGURES.sprint_speed]
    assert rows["ram"] == [FIGURES.ram_damage]
    assert rows["caltrop entered, javelin taken"] == [FIGURES.caltrop_damage] == [FIGURES.javelin_damage]


def test_chariot_race_course_space_by_space() -> None:
    heading, *rows = table("chariot-race", "", "inside i", "middle m", "outside o")
    lanes = [cell.split()[-1] for cell in heading[1:4]]
    kinds = [section.name.partition("-")[0] for section in RACE.course.sections]
    assert kinds == ["straight", "bend", "straight", "bend"]
    numbered, spaces = {}, []
    for row in rows[:5]:
        for lane, cell in zip(lanes, row[1:4], strict=True):
            first, last, *corner = re.findall(r"\d+", cell.replace(f"{lane}", ""))
            spaces += [f"{lane}{place}" for place in range(int(first), int(last) + 1)]
            if corner:
                numbered[f"{lane}{corner[0]}"] = int(corner[1])
    assert sorted(spaces) == sorted(RACE.space_names)
    assert numbered == {name: safe for name, safe in zip(RACE.space_names, RACE.number, strict=True) if safe}
    unit = RACE.length // 32
    fronts = {row[4]: max(numbers_in(row[4])) * unit for row in rows[:5]}
    for row in rows[:5]:
        for lane, cell in zip(lanes, row[1:4], strict=True):
            last = re.findall(r"\d+", cell)[1]
            assert RACE.front[RACE.space_numbers[f"{lane}{last}"]] == fronts[row[4]], row[0]
    grid = [cell.split(", ") for cell in rows[5][1:4]]
    assert [RACE.space_names[space] for space in RACE.grid] == [
        *(names[row] for row in (0, 1) for names in reversed(grid))
    ]
    heaps = sorted(name for cell in rows[6][1:4] for name in cell.split(", "))
    assert heaps == sorted(name for name, heap in zip(RACE.space_names, RACE.heap, strict=True) if heap)


def test_chariot_race_heaps_by_half_board() -> None:
    said = re.search(
        r"edition (\w+) and (\w+) lie on the half with the line, (\w+) and (\w+) on the other", page("chariot-race")
    )
    assert said is not None
    halves = [
        {RACE.half[RACE.space_numbers[name]] for name in names} for names in (said.groups()[:2], said.groups()[2:])
    ]
    assert halves == [{RACE.half[RACE.grid[0]]}, {1 - RACE.half[RACE.grid[0]]}]
    assert all(RACE.heap[RACE.space_numbers[name]] for name in said.groups())


@pytest.mark.slow
def test_chariot_race_example_turn_can_be_played_and_ends_as_told() -> None:
    """A seed that gives the page's dice is found by trying."""
    chariots = [{"space": "m8", "speed": 7, "condition": 9, "fate": 3}, {"space": "m1"}]
    first, second, *_ = [line[:4] for line in dice_shown("chariot-race")]
    assert (first, second) == (["+/-", "sprint", "attack", "attack"], ["+/-", "sprint", "attack", "fortuna"])
    for seed in count():
        race = spina.position("chariot-race", {"chariots": chariots, "seed": seed})
        race.play(0, example_turn("chariot-race")[0])
        if race.view(0)["dice"] == first:
            race.play(0, example_turn("chariot-race")[1])
            if race.view(0)["dice"] == second:
                break
    for action in example_turn("chariot-race")[2:]:
        race.play(0, action)
    blue = race.view(None)["chariots"][0]
    assert [blue["name_of_space"], blue["speed"], blue["condition"], blue["fate"]] == ["o14", 6, 9, 2]
    assert [RACE.space_names[space] for space in race.view(None)["caltrops"]] == ["o11"]
    assert stated("chariot-race", r"Blue ends with speed (\d), condition (\d) and fate (\d)") == [6, 9, 2]


# --- Charioteer -----------------------------------------------------------------------------------------------------


def test_charioteer_symbols() -> None:
    found = [
        f"{row[0]}-{figure}"
        for row in table("charioteer", "colour", "kind of move")[1:]
        for figure in numbers_in(row[2])
    ]
    assert sorted(found) == sorted(EDITIONS["charioteer"].symbol_names)


def test_charioteer_tokens() -> None:
    edition = EDITIONS["charioteer"]
    for row in table("charioteer", "token", "colour must match")[1:]:
        kinds = [i for i, name in enumerate(edition.kind_names) if row[0] in (name.split()[0], "together")]
        assert kinds, row[0]
        for cell, counts in ((row[2], edition.player_counts), (row[3], edition.fan_counts)):
            assert (numbers_in(cell) or [0])[0] == sum(counts[i] for i in kinds), row[0]


def test_charioteer_track() -> None:
    said = re.search(r"spaces a lap, \d+ of them outer: (.+?) straight up to the line", page("charioteer"))
    assert said is not None
    places: list[int] = []
    for first, last, kind in re.findall(r"(\d+)–(\d+) (regular|a corner|straight)?", said[1] + " "):
        places += range(int(first), int(last) + 1)
        outer = [bool(CHARIOTEER.outer[place]) for place in range(int(first), int(last) + 1)]
        assert outer == [kind == "a corner" and i % 2 == 1 for i in range(len(outer))]
    assert places == [*range(CHARIOTEER.spaces)]


# --- Chariotmaster --------------------------------------------------------------------------------------------------


def test_chariotmaster_speed_tokens() -> None:
    edition = EDITIONS["chariotmaster"]
    rows = table("chariotmaster", "token", "distance", "pivot up to")[1:]
    for token, row in enumerate(rows):
        assert row[0] == edition.token_names[token]
        assert numbers_in(row[1]) == [MASTER.least[token] // CM, MASTER.most[token] // CM]
        assert numbers_in(row[2]) == [MASTER.pivot[token] // 10]
        for cell, modifier in ((row[3], MASTER.test[token]), (row[4], MASTER.grab[token])):
            assert (0 if cell == "–" else number(cell.replace("+", ""))) == modifier


def test_chariotmaster_tracks() -> None:
    edition = EDITIONS["chariotmaster"]
    rows = table("chariotmaster", "track", "shape", "width")[1:]
    assert [re.search(r"\((\w+)\)", row[0])[1] for row in rows] == [*edition.scenario_names]  # type: ignore[index]
    for row, scenario in zip(rows, edition.scenarios, strict=True):
        assert numbers_in(row[2])[0] == scenario.width // CM
        assert abs(numbers_in(row[3])[-1] - scenario.distance() / CM) <= (2 if "about" in row[3] else 0.5)
        assert (int(row[4]), int(row[5])) == (scenario.stamina(), scenario.turn_limit())


def test_chariotmaster_collision_values() -> None:
    rows = {row[0]: row[1] for row in table("chariotmaster", "part", "collision value")[1:]}
    assert int(rows["driver on foot or dragged"]) == MASTER.value_driver
    assert numbers_in(rows["team"])[0] == MASTER.value_horse
    assert int(rows["wreck"]) == MASTER.value_wreck
    bodies = [(numbers_in(name), int(value)) for name, value in rows.items() if name.startswith("chariot-body")]
    first, second = (int(limit) for limit in MASTER.body_limit)
    assert bodies == [
        ([first - 1], MASTER.value_body[0]), ([first, second - 1], MASTER.value_body[1]),
        ([second], MASTER.value_body[2]),
    ]  # fmt: skip
    assert int(rows["wall"]) == MASTER.value_wall
    assert numbers_in(rows["the attacker's part in a ram"]) == [MASTER.ram_bonus]


def test_chariotmaster_equipment() -> None:
    kit = EDITIONS["chariotmaster"].kit
    rows = table("chariotmaster", "category", "option", "cost", "effect")[1:]
    named = {re.search(r"\((\w+) in the program\)", row[1])[1] if "(" in row[1] else row[1]: row for row in rows}  # type: ignore[index]
    assert [*named] == [*kit.items]
    for name, item in kit.items.items():
        _, _, cost, effect = named[name]
        assert number(cost) == item.cost, name
        percents = [number(figure) for figure in re.findall(r"stamina [+]?([−]?\d+) %", effect)]
        assert percents == [item.percent] if item.percent else not percents, name
        for field, pattern in (
            ("structure", r"(\d+) structure"), ("skill", r"^(\d+)(?: skill points)?$"),
            ("health", r"^(\d+)(?: health points)?$"), ("bite", r"bite (\d+)"),
        ):  # fmt: skip
            found = re.search(pattern, effect)
            if getattr(item, field):
                assert found is not None and int(found[1]) == getattr(item, field), (name, field)
        if item.top:
            assert f"10 token reads 10 to {item.top // CM}" in effect, name
        assert ("not with a heavy or super heavy chassis" in effect) == (item.barred == ("heavy", "super heavy")), name


def test_chariotmaster_races() -> None:
    kit = EDITIONS["chariotmaster"].kit
    heading, *rows = table("chariotmaster", "", "humans", "high elves")
    assert heading[1:] == [*kit.races]
    for row in rows:
        name = {"staying power": "staying"}.get(row[0], row[0])
        for race, cell in zip(kit.races, row[1:], strict=True):
            mark = cell.strip("()")
            assert mark.replace("–", "-") == kit.marks(race)[name], (race, name)


TABLES = {
    "### Stamina": "stamina", "### Structure": "structure", "### Health, driver aboard": "health aboard",
    "### Health, driver dragged": "health dragged", "### Health, driver on foot": "health on foot",
    "### Skill, driver aboard": "skill aboard", "### Skill, driver dragged": "skill dragged",
    "### Skill, driver on foot": "skill on foot",
}  # fmt: skip
SAID = {
    "back D3": "D3 cm straight back", "back D6": "D6 cm straight back", "left D6": "to the left",
    "right D6": "to the right", "exhausted": "exhausted", "gives up token": "token is given up",
    "horse dies": "a horse dies", "halve": "halved", "loses stamina": "stamina point lost", "wheel": "damaged wheel",
    "crashes": "crashes", "loses skill": "skill point lost", "loses reins": "reins are lost", "dies": "he dies",
    "out of control": "out of control", "falls off": "falls off", "loses knife": "knife is lost",
}  # fmt: skip


@pytest.mark.parametrize(("after", "name"), TABLES.items(), ids=[*TABLES.values()])
def test_chariotmaster_out_of_points(after: str, name: str) -> None:
    """Row by row: which results, which effects, and whether the modifier rises."""
    effects = EDITIONS["chariotmaster"].tables[name]
    rows = table("chariotmaster", after=after)[1:]
    for row in rows:
        ends = numbers_in(row[0])
        last = len(effects) if "or more" in row[0] else ends[-1]
        for result in range(ends[0], last + 1):
            here = effects[result - 1]
            assert (row[2] == "yes") == ("+1" in here), (name, result)
            told = {effect for effect, words in SAID.items() if words in row[1]}
            assert told == {effect for effect in here if effect in SAID}, (name, result)
            assert ("unconscious" in row[1] or "is down" in row[1]) == ("stunned" in here), (name, result)
    assert numbers_in(rows[0][0])[0] == 1


# --- notation -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["chariot-race", "chariotmaster"])
def test_actions_of_the_notation_table_are_read(game: str) -> None:
    actions = [*actions_of(game), *example_turn(game)]
    assert len(actions) > 15
    for action in actions:
        if action in ("run left", "run right"):  # the beginnings of actions
            action += " 120"
        typed = get(game).read(EDITIONS[game], action)
        assert get(game).read(EDITIONS[game], str(typed)) == typed


def test_moves_of_charioteers_page_are_read() -> None:
    section = page("charioteer").split("## How Spina writes a move")[1].split("## Rulings")[0]
    parts = [row[1] for row in table("charioteer", "part", "example", "meaning")[1:]]
    line = re.search(r"^ {4}(\S.*)$", section, re.MULTILINE)
    assert line is not None and all(plain(part) in line[1] for part in parts)
    moves = [
        line[1],
        *(move for move in re.findall(r"`([^`]+)`", page("charioteer")) if re.match(r"(\w+-\d|reset): ", move)),
    ]
    assert len(moves) >= 5
    for move in moves:
        typed = get("charioteer").read(EDITIONS["charioteer"], move)
        assert get("charioteer").read(EDITIONS["charioteer"], str(typed)) == typed


def test_chariotmasters_example_turn_can_be_driven() -> None:
    """By the first chariot that is drawn, with a seed that gives it room on its left and a test that passes."""
    token, *turn = example_turn("chariotmaster")
    for seed in range(60):
        race = spina.new("chariotmaster", seats=4, seed=seed, scenario="circus")
        for seat in race.to_act:
            race.play(seat, token)
        (seat,) = race.to_act
        while turn and race.to_act == (seat,) and race.check(seat, turn[0]) is None:
            race.play(seat, turn.pop(0))
        if not turn:
            return
        _, *turn = example_turn("chariotmaster")
    raise AssertionError(f"with no seed could {turn} be driven")
