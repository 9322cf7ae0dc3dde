"""Equipment, races, ready-made chariots, and all other options of a race of Chariotmaster."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spina.errors import OptionError
from spina.games.chariotmaster.components.edition import parse, reference, template
from spina.games.chariotmaster.components.equipment import CATEGORIES, MANY, Design, Item
from spina.games.chariotmaster.components.options import check, encode
from spina.games.chariotmaster.rules import record

KIT = reference().kit
RACES = ("humans", "high elves", "orcs", "goblins", "chaos knights", "undead")


def options(seats: int = 2, **given: object) -> dict[str, Any]:
    return check(reference(), given, seats)


def refused(seats: int = 2, **given: object) -> str:
    with pytest.raises(OptionError) as caught:
        check(reference(), given, seats)
    return str(caught.value)


def refused_design(points: int, races: bool = False, **design: object) -> str:
    """The refusal of one chariot's design."""
    text = refused(1, points=points, fantasy=races, designs=[design])
    assert text.startswith("designs, chariot 1: ")
    return text.removeprefix("designs, chariot 1: ")


def numbers(seats: int = 1, **given: object) -> list[dict[str, int]]:
    """The designs as numbers for the kernel."""
    codes = encode(reference(), seats, options(seats, **given))
    names = ("structure", "percent", "skill", "health", "top", "beast", "bite", "luck", "fright")
    chariots = seats * int(str(given.get("chariots", 1)))
    rows = [codes[record.OPT_DESIGN + i * record.DESIGN :][: record.DESIGN] for i in range(chariots)]
    return [dict(zip(names, row.tolist(), strict=True)) for row in rows]


# --- items ----------------------------------------------------------------------------------------------------------

NOT_HEAVY = ("heavy", "super heavy")
ITEMS = [
    Item("light", "chassis", -1, structure=3),
    Item("standard", "chassis", 0, structure=5),
    Item("heavy", "chassis", 1, structure=6, percent=-10),
    Item("super heavy", "chassis", 1, structure=7, percent=-25),
    Item("untrained", "horses", -1, percent=-25),
    Item("racing", "horses", 0),
    Item("fast", "horses", 1, percent=-10, top=1800, barred=NOT_HEAVY),
    Item("staying", "horses", 1, percent=25),
    Item("wolves", "horses", 2, top=1800, bite=4, beast=record.WOLVES, barred=NOT_HEAVY),
    Item("boars", "horses", 2, percent=10, top=1300, bite=3, beast=record.BOARS),
    Item("rookie", "skill", -1, skill=5),
    Item("experienced", "skill", 0, skill=6),
    Item("veteran", "skill", 1, skill=7),
    Item("weakling", "fitness", -1, health=3),
    Item("fit", "fitness", 0, health=5),
    Item("steeled", "fitness", 1, health=7),
    Item("ordinary", "other", 0),
    Item("lucky", "other", 1, luck=1),
    Item("frightening", "other", 2, fright=1),
]


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.name)
def test_item(item: Item) -> None:
    assert KIT.items[item.name] == item


def test_there_are_no_other_items() -> None:
    assert [*KIT.items] == [item.name for item in ITEMS]
    assert {item.category for item in ITEMS} == {*CATEGORIES}
    assert KIT.standard == {
        "chassis": "standard", "horses": "racing", "skill": "experienced", "fitness": "fit", "other": "ordinary",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("design", "expected"),
    [
        ({}, {"structure": 5, "percent": 0, "skill": 6, "health": 5, "top": 1500}),
        ({"chassis": "light"}, {"structure": 3}),
        ({"chassis": "heavy"}, {"structure": 6, "percent": -10}),
        ({"chassis": "super heavy"}, {"structure": 7, "percent": -25}),
        ({"horses": "untrained"}, {"percent": -25, "top": 1500}),
        ({"horses": "fast"}, {"percent": -10, "top": 1800}),
        ({"horses": "staying"}, {"percent": 25, "top": 1500}),
        ({"skill": "rookie"}, {"skill": 5}),
        ({"skill": "veteran"}, {"skill": 7}),
        ({"fitness": "weakling"}, {"health": 3}),
        ({"fitness": "steeled"}, {"health": 7}),
        ({"other": "lucky"}, {"luck": 1, "fright": 0}),
        ({"other": ["frightening"]}, {"luck": 0, "fright": 1}),
        ({"chassis": "heavy", "horses": "staying"}, {"structure": 6, "percent": 15}),
        ({"chassis": "super heavy", "horses": "untrained"}, {"structure": 7, "percent": -50}),
        ({"race": "orcs"}, {"beast": record.BOARS, "bite": 3, "top": 1300, "percent": 10}),
        ({"race": "orcs", "horses": "staying"}, {"beast": record.BOARS, "percent": 35, "top": 1300}),
        ({"race": "goblins"}, {"beast": record.WOLVES, "bite": 4, "top": 1800, "percent": 0}),
        ({"race": "goblins", "horses": ["untrained", "wolves"]}, {"beast": record.WOLVES, "percent": -25, "top": 1800}),
        ({"race": "high elves"}, {"beast": record.REAL_HORSES, "percent": 15, "top": 1800, "bite": 0}),
        ({"race": "high elves", "other": ["lucky", "lucky", "lucky"]}, {"luck": 3}),
        ({"race": "chaos knights", "chassis": "heavy"}, {"health": 7, "structure": 6}),
        ({"race": "chaos knights", "chassis": "heavy", "other": "frightening"}, {"fright": 1}),
        ({"race": "undead"}, {"fright": 1, "luck": 0}),
    ],
)
def test_numbers_of_a_design(design: dict[str, Any], expected: dict[str, int]) -> None:
    (found,) = numbers(points=9, fantasy="race" in design, designs=[design])
    assert found | expected == found


# --- the race table, cell by cell -----------------------------------------------------------------------------------

TABLE = {
    "light": "oo-o-o", "standard": "oooo-o", "heavy": "oooooo", "super heavy": "o-o-oo",
    "untrained": "o--o-o", "racing": "o-oooo", "fast": "ox--o-", "staying": "oxoooo", "wolves": "---x--",
    "boars": "--x---", "rookie": "o--o-o", "experienced": "oooooo", "veteran": "oooooo", "weakling": "---o-o",
    "fit": "oooo-o", "steeled": "ooo-xo", "ordinary": "oooooo", "lucky": "-aaaaa", "frightening": "----ox",
}  # fmt: skip


@pytest.mark.parametrize(
    ("race", "item", "mark"), [(race, item, row[i]) for item, row in TABLE.items() for i, race in enumerate(RACES)]
)
def test_q1_q2_cell_of_the_race_table(race: str, item: str, mark: str) -> None:
    assert KIT.races[race][item] == mark


def test_races_are_six_and_every_item_has_a_row() -> None:
    assert tuple(KIT.races) == RACES
    assert {*TABLE} == {*KIT.items}


def builds(race: str | None) -> list[Design]:
    """Every design of a race, with at most one extra."""
    marks = KIT.marks(race)
    parts = []
    for category in CATEGORIES:
        always = tuple(name for name in KIT.of(category) if marks[name] == "x")
        ones = [(name,) for name in KIT.of(category) if marks[name] == "o"] or [()]
        extras = [(), *((name,) for name in KIT.of(category) if marks[name] == "a")]
        parts.append([(*always, *one, *extra) for one in ones for extra in extras])
    return [KIT.complete(race, itertools.chain(*items)) for items in itertools.product(*parts)]


@pytest.mark.parametrize(("race", "cheapest"), [*zip(RACES, (-3, 1, 2, -2, 2, -2), strict=True), (None, -4)])
def test_q4_cheapest_chariot_of_a_race(race: str | None, cheapest: int) -> None:
    legal = [design for design in builds(race) if not KIT.fault(design, 99)]
    assert min(KIT.cost(design) for design in legal) == cheapest


@pytest.mark.parametrize("race", RACES)
def test_q1_q4_every_race_can_be_built_with_two_points(race: str) -> None:
    assert any(not KIT.fault(design, 2) for design in builds(race))


def test_q1_q4_orcs_have_one_chariot_for_two_points() -> None:
    assert [design for design in builds("orcs") if not KIT.fault(design, 2)] == [KIT.ready_made["tusker"]]


def test_q3_forbidden_pairs_win_over_the_race_table() -> None:
    """Q3: chaos knights never have fast horses, goblins and high elves never a heavy chassis."""
    for race, item in [("chaos knights", "fast"), ("goblins", "heavy"), ("high elves", "heavy")]:
        assert KIT.races[race][item] == "o"
        assert not [design for design in builds(race) if item in design.items and not KIT.fault(design, 99)]


def test_q1_m13_lucky_is_an_extra_for_all_but_humans() -> None:
    assert [race for race in RACES if KIT.races[race]["lucky"] == "a"] == [race for race in RACES if race != "humans"]
    for race in RACES[1:]:
        design = next(design for design in builds(race) if not KIT.fault(design, 9) and "lucky" not in design.items)
        luckier = KIT.complete(race, [*design.items, "lucky", "lucky"])
        assert not KIT.fault(luckier, 9)
        assert KIT.cost(luckier) == KIT.cost(design) + 2


COMPULSORY = {
    "orcs": ("horses", {"boars"}, {"racing", "staying"}),
    "goblins": ("horses", {"wolves"}, {"untrained", "racing", "staying"}),
    "undead": ("other", {"frightening"}, {"ordinary"}),
    "high elves": ("horses", {"fast", "staying"}, set()),
    "chaos knights": ("fitness", {"steeled"}, set()),
}


@pytest.mark.parametrize("race", COMPULSORY)
def test_q2_m13_crosses_are_compulsory_and_one_of_the_others_comes_with_them(race: str) -> None:
    category, always, ones = COMPULSORY[race]
    found = set()
    for design in builds(race):
        if not KIT.fault(design, 99):
            chosen = [item for item in design.items if item in KIT.of(category) and item != "lucky"]
            assert always <= {*chosen} and len(chosen) == len(always) + bool(ones)
            found |= {*chosen} - always
    assert found == ones


def test_q4_without_points_only_three_races_have_chariots_so_races_need_two() -> None:
    able = [race for race in RACES if any(not KIT.fault(design, 0) for design in builds(race))]
    assert able == ["humans", "goblins", "undead"]
    assert "need at least 2 equipment points" in refused(2, fantasy=True, points=0)
    assert options(2, fantasy=True, points=2)["fantasy"]


def test_q5_without_races_no_beasts_and_exactly_one_of_each_category() -> None:
    legal = [design for design in builds(None) if not KIT.fault(design, 99)]
    assert not [design for design in legal if {"wolves", "boars"} & {*design.items}]
    for design in legal:
        assert sorted(KIT.items[item].category for item in design.items) == sorted(CATEGORIES)
    assert {item for design in legal for item in design.items if item in KIT.of("other")} == {*KIT.of("other")}


def test_m13_skill_7_is_called_veteran() -> None:
    assert [item.name for item in KIT.items.values() if item.skill == 7] == ["veteran"]


@pytest.mark.parametrize("race", RACES)
def test_m13_an_unmarked_row_cannot_be_chosen(race: str) -> None:
    design = next(design for design in builds(race) if not KIT.fault(design, 9))
    for item in KIT.items.values():
        if KIT.races[race][item.name] == "-":
            others = [name for name in design.items if KIT.items[name].category != item.category]
            assert f"{item.name} cannot be chosen for {race}" in KIT.fault(KIT.complete(race, [*others, item.name]), 99)


# --- designs that are not allowed -----------------------------------------------------------------------------------

# fmt: off
FAULTS = {
    "too dear": (2, False, {"skill": "veteran", "fitness": "steeled", "horses": "fast"},
        "it costs 3 points: at most 2 may be spent"),
    "too dear for none": (0, False, {"skill": "veteran"}, "it costs 1 point: at most 0 may be spent"),
    "fast and heavy": (9, False, {"horses": "fast", "chassis": "heavy"}, "fast cannot be combined with heavy"),
    "fast and super heavy": (9, False, {"horses": "fast", "chassis": "super heavy"},
        "fast cannot be combined with super heavy"),
    "wolves and heavy": (9, True, {"race": "goblins", "chassis": "heavy"}, "wolves cannot be combined with heavy"),
    "wolves without races": (9, False, {"horses": "wolves"},
        "wolves cannot be chosen without races: the choices are untrained, racing, fast and staying"),
    "boars without races": (9, False, {"horses": ["boars", "racing"]}, "boars cannot be chosen without races"),
    "two kinds of horses": (9, False, {"horses": ["racing", "fast"]},
        "racing and fast are chosen: it must be one of untrained, racing, fast and staying"),
    "the same horses twice": (9, False, {"horses": ["racing", "racing"]}, "racing is chosen 2 times"),
    "ordinary and lucky without races": (9, False, {"other": ["ordinary", "lucky"]}, "ordinary and lucky are chosen"),
    "lucky twice without races": (9, False, {"other": ["lucky", "lucky"]}, "lucky is chosen 2 times: once is the most"),
    "frightening and lucky": (9, False, {"other": ["frightening", "lucky"]}, "it must be one of ordinary"),
    "lucky humans": (9, True, {"race": "humans", "other": ["lucky"]},
        "lucky cannot be chosen for humans: the choices are ordinary"),
    "weak humans": (9, True, {"race": "humans", "fitness": "weakling"}, "weakling cannot be chosen for humans"),
    "racing elves": (9, True, {"race": "high elves", "horses": "racing"}, "racing cannot be chosen for high elves"),
    "light orcs": (9, True, {"race": "orcs", "chassis": "light"}, "light cannot be chosen for orcs"),
    "orcs with racing and staying": (9, True, {"race": "orcs", "horses": ["boars", "racing", "staying"]},
        "racing and staying are chosen"),
    "orcs with wolves": (9, True, {"race": "orcs", "horses": ["wolves"]}, "wolves cannot be chosen for orcs"),
    "chaos knights without a chassis": (9, True, {"race": "chaos knights"},
        "nothing is chosen for chassis: it must be one of heavy and super heavy"),
    "fit chaos knights": (9, True, {"race": "chaos knights", "chassis": "heavy", "fitness": "fit"},
        "fit cannot be chosen for chaos knights: the choices are steeled"),
    "frightening orcs": (9, True, {"race": "orcs", "other": ["frightening"]}, "frightening cannot be chosen for orcs"),
    "frightening twice": (9, True, {"race": "undead", "other": ["frightening", "frightening"]},
        "frightening is chosen 2 times"),
    "unknown race": (9, True, {"race": "dwarves"}, "there is no race 'dwarves': the races are humans, high elves"),
    "no race": (9, True, {"chassis": "light"}, "race is missing: the races are humans"),
    "race without races": (9, False, {"race": "humans"}, "these are not the fantasy races"),
    "unknown category": (9, False, {"wheels": "round"}, "unknown key 'wheels': the keys are race, chassis, horses"),
    "item of another category": (9, False, {"chassis": "fast"}, "chassis cannot be 'fast': it is one of light"),
    "number for an item": (9, False, {"chassis": 3}, "chassis cannot be 3"),
}
# fmt: on


@pytest.mark.parametrize("fault", FAULTS)
def test_design_that_is_not_allowed(fault: str) -> None:
    points, races, design, message = FAULTS[fault]
    assert message in refused_design(points, races, **design)


def test_q2_what_must_be_chosen_is_missed() -> None:
    """Only a design that was not completed can lack something."""
    bare = Design("orcs", ("standard", "racing", "experienced", "fit", "ordinary"))
    assert KIT.fault(bare, 9) == "boars must be chosen for orcs"


def test_q4_negative_costs_pay_for_others() -> None:
    design = {"chassis": "light", "horses": "fast", "skill": "veteran", "fitness": "weakling"}
    assert options(1, points=0, designs=[design])["designs"][0]["skill"] == "veteran"


def test_no_stamina_left() -> None:
    text = template().replace("untrained: -1 points, stamina -25", "untrained: -1 points, stamina -80")
    edition = parse(text, "my.toml")
    with pytest.raises(OptionError, match="no stamina is left"):
        check(edition, {"points": 2, "designs": [{"chassis": "super heavy", "horses": "untrained"}]}, 1)


def test_of_two_longest_turns_the_shorter_counts() -> None:
    text = template().replace('"fast:        o x - - o -"', '"fast:        o x o - o -"')
    edition = parse(text, "my.toml")
    given = {"points": 3, "fantasy": True, "designs": [{"race": "orcs", "horses": "fast"}]}
    codes = encode(edition, 1, check(edition, given, 1))
    assert codes[record.OPT_DESIGN + record.DESIGN_TOP] == 1300


# --- ready-made chariots --------------------------------------------------------------------------------------------

COSTS = {
    "citizen": 0, "courier": 0, "drover": 0, "tribune": 2, "marathon": 2, "bulwark": 2, "champion": 4,
    "zephyr": 2, "starlight": 2, "falcon": 2, "phoenix": 4,
    "tusker": 2, "boar-lord": 3, "crusher": 4, "warboss": 4,
    "straggler": 0, "wolf-pack": 2, "trickster": 2, "night-howl": 4,
    "iron": 2, "anvil": 2, "terror": 4, "doom": 4,
    "bones": 0, "grave": 2, "tomb": 2, "lich": 4,
}  # fmt: skip


@pytest.mark.parametrize("name", KIT.ready_made)
def test_ready_made_chariot_is_legal_and_within_its_points(name: str) -> None:
    design = KIT.ready_made[name]
    assert KIT.cost(design) == COSTS[name]
    points = max(2, COSTS[name])
    (written,) = options(1, points=points, fantasy=True, designs=[name])["designs"]
    assert written["race"] == design.race
    assert KIT.fault(design, COSTS[name]) is None
    assert KIT.fault(design, COSTS[name] - 1).startswith("it costs ")


@pytest.mark.parametrize("race", RACES)
def test_every_race_has_ready_made_chariots(race: str) -> None:
    costs = [KIT.cost(design) for design in KIT.ready_made.values() if design.race == race]
    assert costs.count(2) >= (1 if race == "orcs" else 2)  # orcs can build only one
    assert 4 in costs
    assert race != "humans" or 0 in costs


def test_ready_made_chariots_differ() -> None:
    assert len({*KIT.ready_made.values()}) == len(KIT.ready_made) == len(COSTS)


# --- options --------------------------------------------------------------------------------------------------------

STANDARD = {
    "race": None, "chassis": "standard", "horses": ["racing"], "skill": "experienced", "fitness": "fit",
    "other": ["ordinary"],
}  # fmt: skip


def test_options_of_an_ordinary_race() -> None:
    assert options(3) == {
        "scenario": "circus", "laps": 2, "chariots": 1, "points": 0, "fantasy": False, "designs": [STANDARD] * 3,
        "teams": None, "second_row": True, "must_leave": False,
    }  # fmt: skip


def test_options_from_a_command_line_are_texts() -> None:
    found = options(
        2, scenario="maximus", laps="3", chariots="2", points="4", fantasy=True,
        designs="tribune, zephyr,tusker,lich", teams="1, 2",
    )  # fmt: skip
    assert (found["laps"], found["chariots"], found["points"], found["teams"]) == (3, 2, 4, [1, 2])
    assert [design["race"] for design in found["designs"]] == ["humans", "high elves", "orcs", "undead"]


def test_races_take_turns_if_nobody_chooses() -> None:
    found = options(7, points=2, fantasy=True)["designs"]
    assert [design["race"] for design in found] == [*RACES, "humans"]
    assert all(
        KIT.cost(
            KIT.complete(design["race"], [*design["horses"], design["chassis"], design["skill"], *design["other"]])
        )
        == 2
        for design in found
    )


def test_ready_made_chariots_without_races_are_just_their_items() -> None:
    (found,) = options(1, points=2, designs=["tribune"])["designs"]
    assert (found["race"], found["horses"], found["skill"]) == (None, ["fast"], "veteran")
    assert "wolves cannot be chosen without races" in refused(1, points=2, designs=["wolf-pack"])


# fmt: off
REFUSALS = {
    "unknown option": ({"board": "AA"}, 'Chariotmaster has no option "board": it has scenario, laps, chariots'),
    "unknown scenario": ({"scenario": "rome"}, 'there is no scenario "rome": the scenarios are circus, maximus and'),
    "scenario that is no name": ({"scenario": 3}, "scenario must be a name, not 3"),
    "laps that are not offered": ({"laps": 4}, "laps must be 1 or 2 or 3 in the scenario circus, not 4"),
    "laps of an open course": ({"scenario": "trial", "laps": 2}, "laps must be 1 in the scenario trial, not 2"),
    "laps in words": ({"laps": "two"}, "not 'two'"),
    "no chariots": ({"chariots": 0}, "chariots must be a whole number from 1 to 12, not 0"),
    "too many chariots": ({"chariots": 7}, "2 seats with 7 chariots each are too many: the scenario circus has"),
    "too many for the course": ({"scenario": "trial", "chariots": 5}, "the scenario trial has room for 8 chariots"),
    "negative points": ({"points": -1}, "points must be a whole number from 0 to 9, not -1"),
    "ten points": ({"points": 10}, "points must be a whole number from 0 to 9, not 10"),
    "true points": ({"points": True}, "points must be a whole number"),
    "races without points": ({"fantasy": True, "points": 1}, "need at least 2 equipment points, not 1"),
    "races in words": ({"fantasy": "elves"}, "fantasy must be true or false, not 'elves'"),
    "second row in words": ({"second_row": "perhaps"}, "second_row must be true or false"),
    "must leave as a number": ({"must_leave": 1}, "must_leave must be true or false, not 1"),
    "designs as a number": ({"designs": 3}, "designs must be a list with one entry for each chariot, not 3"),
    "too few designs": ({"designs": ["citizen"]}, "designs has length 1: it must have 2, one for each chariot"),
    "unknown design": ({"designs": "citizen,citzen"}, 'chariot 2: there is no ready-made chariot "citzen": there are'),
    "a design that is no table": ({"designs": ["citizen", 3]}, "chariot 2: 3 is neither the name of"),
    "too few teams": ({"teams": [1]}, "teams must be a list of 2 numbers from 1 to 12, the team of each seat, not [1]"),
    "team 0": ({"teams": [0, 1]}, "teams must be a list of 2 numbers"),
    "teams in words": ({"teams": "red,blue"}, "not 'red,blue'"),
    "teams as a number": ({"teams": 2}, "teams must be a list"),
    "one team": ({"teams": [1, 1]}, "teams must differ"),
}
# fmt: on


@pytest.mark.parametrize("refusal", REFUSALS)
def test_option_that_is_refused(refusal: str) -> None:
    given, message = REFUSALS[refusal]
    assert message in refused(2, **given)


def test_no_ready_made_chariot_for_a_race() -> None:
    rows = [row for row in template().split("\n") if ": orcs, " not in row]
    with pytest.raises(OptionError, match="there is no ready-made chariot for orcs within 2 points"):
        check(parse("\n".join(rows), "my.toml"), {"fantasy": True, "points": 2}, 3)


def test_codes_for_the_kernel() -> None:
    given = {"scenario": "maximus", "chariots": 2, "points": 4, "fantasy": True, "teams": [2, 1, 2], "must_leave": True}
    codes = encode(reference(), 3, options(3, **given))
    assert len(codes) == record.OPTIONS
    assert codes[record.OPT_SEATS] == 3
    assert codes[record.OPT_CHARIOTS] == 6
    assert codes[record.OPT_SCENARIO] == 1
    assert codes[record.OPT_LAPS] == 2
    assert (codes[record.OPT_SECOND_ROW], codes[record.OPT_MUST_LEAVE]) == (1, 1)
    assert codes[record.OPT_TEAM : record.OPT_TEAM + 4].tolist() == [2, 1, 2, 0]
    beasts = [int(codes[record.OPT_DESIGN + i * record.DESIGN + record.DESIGN_BEAST]) for i in range(6)]
    assert beasts == [0, 0, record.BOARS, record.WOLVES, 0, 0]
    assert not codes[record.OPT_DESIGN + 6 * record.DESIGN :].any()


def test_without_teams_every_seat_is_its_own() -> None:
    codes = encode(reference(), 4, options(4))
    assert len({*codes[record.OPT_TEAM : record.OPT_TEAM + 4].tolist()}) == 4


# --- stamina --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("percent", "points"),
    [(0, 19), (-25, 14), (-10, 17), (10, 20), (15, 21), (25, 23), (35, 25), (-35, 12), (-50, 9), (-15, 16)],
)
def test_q6_m10_stamina_of_the_circus(percent: int, points: int) -> None:
    distance = reference().scenario("circus").distance()
    assert record.stamina_for(distance, percent) == points


@pytest.mark.parametrize(("distance", "points"), [(1, 1), (2000, 1), (2001, 2), (37592, 19), (66620, 34)])
def test_e11_stamina_of_a_way(distance: int, points: int) -> None:
    assert record.stamina_for(distance, 0) == points


# --- any options at all ---------------------------------------------------------------------------------------------

NAMES = [*KIT.items, *RACES, *KIT.ready_made, "x", ""]
TABLES = st.dictionaries(
    st.sampled_from(["race", *CATEGORIES]),
    st.sampled_from(NAMES) | st.lists(st.sampled_from(NAMES), max_size=3) | st.none() | st.integers(),
)
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-1, 13), st.sampled_from(["circus", "trial", "2", "citizen,iron", "1,2"]),
    st.lists(st.sampled_from(NAMES) | TABLES | st.integers(0, 3), max_size=3),
)  # fmt: skip


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from([*options(1), "other"]), VALUES, max_size=5), st.integers(1, 6))
@settings(deadline=None, max_examples=300)
def test_any_options(given: dict[str, object], seats: int) -> None:
    try:
        found = check(reference(), given, seats)
    except OptionError as error:
        assert str(error)
        return
    assert json.loads(json.dumps(found)) == found
    assert check(reference(), found, seats) == found
    assert len(encode(reference(), seats, found)) == record.OPTIONS


PICKS = {category: st.sampled_from(KIT.of(category)) for category in CATEGORIES}


@given(st.none() | st.sampled_from(RACES), st.fixed_dictionaries({}, optional=PICKS), st.integers(2, 9))
@settings(deadline=None, max_examples=300)
def test_any_design(race: str | None, picks: dict[str, str], points: int) -> None:
    """Every design that is accepted obeys every rule of equipment."""
    try:
        (found,) = options(1, points=points, fantasy=race is not None, designs=[{"race": race, **picks}])["designs"]
    except OptionError:
        return
    items = [name for category in CATEGORIES for name in (found[category] if category in MANY else [found[category]])]
    marks = KIT.marks(race)
    assert sum(KIT.items[name].cost for name in items) <= points
    for category in CATEGORIES:
        names = [name for name in items if KIT.items[name].category == category]
        ones = [name for name in names if marks[name] == "o"]
        assert len(ones) == any(marks[name] == "o" for name in KIT.of(category))
        assert {*names} >= {name for name in KIT.of(category) if marks[name] == "x"}
        assert all(marks[name] != "-" for name in names)
    assert not ({"fast", "wolves"} & {*items} and {"heavy", "super heavy"} & {*items})
