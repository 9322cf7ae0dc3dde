"""Edition files of Chariot Race: what the reference holds, and what is said about every kind of mistake."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from edition_helpers import Change, Trial, changes, check_copies, line_of, mutated, recorded
from hypothesis import given, settings
from hypothesis import strategies as st

from spina.errors import EditionError
from spina.games.chariot_race.components import edition
from spina.games.chariot_race.components.edition import INDIVIDUAL, parse, reference
from spina.games.chariot_race.rules import record as state
from spina.games.editions import SOURCES
from spina.games.factions import FACTIONS

TRIAL = Trial(edition, lambda edition, record: len(edition.space_names) == record.spaces)
TEXT, ROWS = TRIAL.text, TRIAL.rows
FORMER = "73b37c41c1700853b831d112dcb8cf7a"
record, REFERENCE = recorded, recorded(reference())
changed, problems, only_problem = TRIAL.changed, TRIAL.problems, TRIAL.only_problem


def names(spaces: Any) -> list[str]:
    return [reference().space_names[space] for space in spaces]


def with_course(lanes: int, line: int, sections: list[str], grid: list[str], corners: str = "", heaps: str = "") -> str:
    """The reference with another course."""

    def quote(rows: list[str]) -> str:
        return ", ".join(f'"{row}"' for row in rows)

    start, end = TEXT.index("[course]\n"), TEXT.index("# --- the plain chariot")
    said = 'source = "printed"'
    course = f"""[course]
lanes = {{ value = {lanes}, {said} }}
line = {{ value = {line}, {said} }}
{said}
sections = [{quote(sections)}]
[corners]
{said}
list = [{corners}]
[heaps]
{said}
list = [{heaps}]
[grid]
{said}
list = [{quote(grid)}]
"""
    return TEXT[:start] + course + TEXT[end:]


# --- the reference edition ------------------------------------------------------------------------------------------


def test_every_field_of_the_record_is_filled() -> None:
    assert TRIAL.empty_fields() == []


def test_race_figures() -> None:
    expected = {"laps": 2, "caltrops": 20, "repair_cost": 3, "repair_points": 3, "fortune_cost": 2, "dice": 5}
    expected |= {"ram_damage": 2, "caltrop_damage": 1, "javelin_damage": 1, "javelin_range": 2}
    expected |= {"sprint_speed": 2, "sprint_damage": 1}
    assert {name: int(REFERENCE[name]) for name in expected} == expected


def test_die_has_two_steer_sides_and_one_of_each_other() -> None:
    sides = [state.SIDE_NAMES[side] for side in reference().die]
    assert sorted(sides) == ["+/-", "attack", "fortuna", "sprint", "steer", "steer"]


def test_three_lanes_of_28_32_and_36_spaces() -> None:
    assert reference().lane_names == ("inside", "middle", "outside")
    assert REFERENCE["count"][:3].tolist() == [28, 32, 36]
    assert REFERENCE["first"][:3].tolist() == [0, 28, 60]
    assert (REFERENCE.lanes, REFERENCE.spaces, REFERENCE.length) == (3, 96, 128)
    assert reference().lane == (0,) * 28 + (1,) * 32 + (2,) * 36


def test_spaces_are_named_from_the_line() -> None:
    assert (reference().space_names[0], reference().space_names[-1]) == ("i1", "o36")
    assert reference().space_names[reference().space_numbers["m14"]] == "m14"
    assert len(set(reference().space_names)) == 96


def test_line_lies_after_the_fourth_space_of_the_first_straight() -> None:
    course = reference().course
    assert [course.spaces[course.first[lane]].place for lane in range(3)] == [(0, lane, 5) for lane in range(3)]


def test_grid_is_the_two_spaces_before_the_line_from_outside_to_inside() -> None:
    assert names(reference().grid) == ["o36", "m32", "i28", "o35", "m31", "i27"]


def test_safe_speeds_are_3_inside_5_in_the_middle_7_outside_once_a_bend() -> None:
    numbered = {reference().space_names[i]: n for i, n in enumerate(reference().number) if n}
    assert numbered == {"i9": 3, "i23": 3, "m10": 5, "m26": 5, "o11": 7, "o29": 7}


def test_numbered_space_is_the_first_whose_front_lies_beyond_the_middle_of_the_bend() -> None:
    course = reference().course
    for (begin, end), section in zip(course.extents, range(4), strict=True):
        for lane in range(3) if course.sections[section].bend else ():
            spaces = [s for s, there in enumerate(course.spaces) if there.place[:2] == (section, lane)]
            beyond = [s for s in spaces if 2 * course.spaces[s].front > begin + end]
            assert [s for s in spaces if reference().number[s]] == beyond[:1]


def test_heaps_of_side_b() -> None:
    heaps = [space for space, heap in enumerate(reference().heap) if heap]
    places = [(reference().half[s] + 1, reference().course.spaces[s].place) for s in heaps]
    assert places == [(2, (2, 0, 10)), (1, (0, 0, 2)), (2, (2, 1, 5)), (1, (1, 2, 3))]
    assert {reference().lane[space] for space in heaps} == {0, 1, 2}  # every lane has at least one


def test_half_boards_have_the_same_number_of_spaces() -> None:
    assert [reference().half.count(half) for half in (0, 1)] == [48, 48]


def test_record_has_the_steps_and_distances_of_the_course() -> None:
    assert REFERENCE.next[:96].tolist() == reference().course.next
    assert REFERENCE.near[:96, :96].tolist() == reference().course.near(2)
    assert not REFERENCE.near[96:].any() and not REFERENCE.near[:, 96:].any()


def test_plain_chariot() -> None:
    assert [int(REFERENCE[f"most_{track}"][0]) for track in ("condition", "speed", "fate")] == [12, 12, 6]
    assert [int(REFERENCE[f"first_{track}"][0]) for track in ("condition", "speed", "fate")] == [12, 4, 3]
    assert reference().dice_at[0] == (5, 5, 5, 5, 5, 5, 4, 4, 3, 3, 2, 2, 1)
    assert reference().speed_limit[0] == tuple(range(13))


def test_individual_chariots_are_the_factions_and_each_has_its_own_character() -> None:
    assert reference().chariot_names == ("plain", *INDIVIDUAL)
    assert tuple(faction.name for faction in FACTIONS) == INDIVIDUAL
    assert len(set(reference().characters)) == 7
    assert all(word.isalpha() for word in reference().characters)


def test_individual_chariots_differ() -> None:
    boards = {
        (reference().most_condition[k], reference().most_speed[k], reference().most_fate[k],
         reference().dice_at[k], reference().speed_limit[k])
        for k in range(7)
    }  # fmt: skip
    assert len(boards) == 7


def test_a_former_reference_is_known_by_its_hash() -> None:
    """Races that began with it go on with it: its heap and its chariots are as they were."""
    former = edition.FILES.kept(FORMER, None)
    assert former is not None and former.hash == FORMER != reference().hash
    assert [space for space, heap in zip(former.space_names, former.heap, strict=True) if heap][-1] == "o14"
    assert edition.FILES.kept(reference().hash, None) is reference()
    assert edition.FILES.kept(FORMER, former.text) == former
    assert edition.FILES.kept(FORMER, TEXT) is None
    assert edition.FILES.kept("00" * 16, None) is None


def test_rulebook_example_green_at_condition_8_allows_speed_10() -> None:
    green = reference().chariot_names.index("green")
    assert reference().speed_limit[green][8] == 10
    assert reference().most_speed[green] >= 11


def test_green_purple_and_gold_have_conditions_with_two_speeds_and_use_the_higher() -> None:
    for kind, name in enumerate(reference().chariot_names):
        limit = reference().speed_limit[kind]
        skips = [c for c in range(1, len(limit)) if limit[c] - limit[c - 1] == 2]
        assert bool(skips) == (name in ("green", "purple", "gold")), name


def test_every_value_has_a_source_and_the_reconstructed_ones_are_marked() -> None:
    provenance = reference().provenance
    assert set(provenance.values()) <= set(SOURCES)
    reconstructed = {path for path, source in provenance.items() if source == "reconstructed"}
    shared = {path for path in reconstructed if not path.startswith(INDIVIDUAL)}
    assert shared == {
        "course.line", "course.sections", "corners.list", "heaps.list", "grid.list", "plain.dice.values",
    }  # fmt: skip
    of_individual = {path for path in provenance if path.startswith(INDIVIDUAL)}
    assert of_individual - reconstructed == {"white.most_fate"}  # the rulebook caps every fate track
    assert provenance["race.laps"] == provenance["die.sides"] == provenance["course.lanes"] == "rulebook"


def test_what_the_rulebooks_text_does_not_say_is_not_called_its_word() -> None:
    """First speed and fate are only pictured and reviewed, and of the dice the text has the four at speed 6 alone."""
    provenance = reference().provenance
    assert (provenance["plain.first_speed"], provenance["plain.first_fate"]) == ("review", "review")
    assert provenance["plain.dice.values"] == "reconstructed"
    assert reference().dice_at[0][6] == 4


def test_no_fate_track_is_longer_than_the_rulebook_allows() -> None:
    assert max(reference().most_fate) == 6


def test_the_printed_name_of_gold_is_read_too() -> None:
    assert TEXT.count("[gold") == 3
    printed = parse(TEXT.replace("[gold", "[yellow"), "printed.toml")
    assert printed.hash == reference().hash
    with pytest.raises(EditionError, match='unknown key "yellow" at the top'):
        parse(f"{TEXT}[yellow]\n", "both.toml")


# --- editions as objects --------------------------------------------------------------------------------------------


def test_template_is_the_text_of_the_reference(tmp_path: Path) -> None:
    TRIAL.check_template(tmp_path)


def test_copies_are_equal_and_read_only() -> None:
    check_copies(reference())


def test_key_is_the_beginning_of_the_hash() -> None:
    TRIAL.check_key()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("laps = { value = 2,", "laps = { value = 3,"),
        ("line = { value = 4,", "line = { value = 5,"),
        ('sides = ["+/-",', 'sides = ["steer",'),
        ('"bend-1: bend, half 1, length 6, spaces 4 6 8"', '"bend-1: bend, half 1, length 6, spaces 4 6 9"'),
        ('"bend-1: bend, half 1, length 6, spaces 4 6 8"', '"bend-1: bend, half 2, length 6, spaces 4 6 8"'),
        ('"bend-1: bend, half 1, length 6, spaces 4 6 8"', '"bend-1: straight, half 1, length 6, spaces 4 6 8"'),
        ('"bend-1 inside 3: speed 3"', '"bend-1 inside 3: speed 4"'),
        ('"straight-2 middle 5"', '"straight-2 middle 6"'),
        ("values = [1, 2, 3, 4, 6, 7, 8, 10, 11, 12, 12, 12]", "values = [1, 2, 3, 5, 6, 7, 8, 10, 11, 12, 12, 12]"),
    ],
)
def test_hash_changes_with_a_value(old: str, new: str) -> None:
    TRIAL.check_other_hash(changed(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# Laps to complete.", "# Laps."),
        ('laps = { value = 2, source = "rulebook" }', 'laps={value=2,source="printed",why="seen"}'),
        ('name = "Reference edition"', 'name = "My copy"'),
        ('"+/-", "sprint", "steer", "steer"', '"+/-", "sprint", "2 x steer"'),
        ('"bend-1 inside 3: speed 3",\n  "bend-1 middle 4', '"bend-1  inside 3: speed 3",\n  "bend-1 middle 4'),
        ('"straight-1 inside 2",\n  "bend-1 outside 3",', '"bend-1 outside 3",\n  "straight-1 inside 2",'),
    ],
)
def test_hash_does_not_change_with_comments_provenance_or_spelling(old: str, new: str) -> None:
    TRIAL.check_same_hash(changed(old, new))


def test_hash_does_not_change_with_the_measure() -> None:
    text = TEXT.replace("length 10,", "length 1000,").replace("length 6,", "length 600,")
    TRIAL.check_same_hash(text.replace("line = { value = 4,", "line = { value = 400,"))


# --- other courses --------------------------------------------------------------------------------------------------


def test_two_lanes() -> None:
    sections = ["near: straight, half 1, length 7, spaces 7 7", "far: bend, half 2, length 5, spaces 3 5"]
    grid = [f"far {lane} {place}" for place in (3, 2) for lane in "ba"] + ["far b 5", "far b 4"]
    edition = parse(with_course(2, 0, sections, grid, '"far a 1: speed 4"', '"near b 3"'), "my.toml")
    assert edition.lane_names == ("a", "b")
    assert record(edition)["count"][:3].tolist() == [10, 12, 0]
    assert [edition.space_names[space] for space in edition.grid] == ["b10", "a10", "b9", "a9", "b12", "b11"]
    assert edition.number[edition.space_numbers["a8"]] == 4
    assert edition.heap[edition.space_numbers["b3"]]
    assert edition.half == (0,) * 7 + (1,) * 3 + (0,) * 7 + (1,) * 5


def test_four_lanes_of_odd_lengths() -> None:
    sections = ["s: straight, half 1, length 11, spaces 11 11 11 11", "t: bend, half 1, length 13, spaces 5 7 9 11"]
    grid = ["t d 11", "t c 9", "t b 7", "t a 5", "t d 10", "t c 8"]
    edition = parse(with_course(4, 0, sections, grid), "my.toml")
    assert edition.space_names[-1] == "d22"
    assert edition.length == 24 * 5 * 7 * 9 * 11
    assert set(edition.number) == {0}


def test_one_lane_and_six_lanes() -> None:
    one = with_course(1, 0, ["s: straight, half 1, length 9, spaces 14"], [f"s a {i}" for i in range(9, 15)])
    assert parse(one, "my.toml").lanes == 1
    six = with_course(6, 0, ["s: straight, half 2, length 8, spaces 8 8 8 8 8 8"], [f"s {lane} 8" for lane in "fedcba"])
    assert parse(six, "my.toml").space_names[-1] == "f8"


# --- mistakes, each on its line -------------------------------------------------------------------------------------

LAPS = 'laps = { value = 2, source = "rulebook" }'
STRAIGHT = '"straight-1: straight, half 1, length 10, spaces 10 10 10"'
BEND = '"bend-1: bend, half 1, length 6, spaces 4 6 8"'
CORNER = '"bend-1 inside 3: speed 3"'
HEAP = '"straight-2 middle 5"'
START = '"straight-1 outside 4"'
DICE = "values = [5, 5, 5, 5, 5, 5, 5, 4, 3, 3, 2, 2, 2, 1, 1]"
LIMIT = "values = [1, 2, 3, 4, 6, 7, 8, 10, 11, 12, 12, 12]"
CHARACTER = 'character = { value = "lucky",'

# fmt: off
MISTAKES = {
    # heading and single values
    "format": ("format = 1", "format = 2", "only format 1 can be read"),
    "game": ('game = "chariot-race"', 'game = "charioteer"', 'it must be "chariot-race"'),
    "value too low": ("laps = { value = 2,", "laps = { value = 0,",
        "race.laps is 0: it must be a whole number, 1 to 9"),
    "free fortune": ("fortune_cost = { value = 2,", "fortune_cost = { value = 0,", "race.fortune_cost is 0"),
    "no provenance": (LAPS, "laps = 2", "race.laps has no source"),
    "no reason": (LAPS, 'laps = { value = 2, source = "reconstructed" }', "add why"),
    "no value": (LAPS, 'laps = { source = "rulebook" }', "race.laps has no value: write value = 1 to 9"),
    "unknown key": ("[die]", "[die]\nfaces = 6", 'unknown key "faces" in die: the keys are sides, source and why'),
    # dice
    "unknown side": ('"attack", "fortuna"]', '"attack", "fate"]',
        'unknown side "fate": the sides are +/-, sprint, steer, attack and fortuna'),
    "five sides": ('"attack", "fortuna"]', '"attack"]', "the die has 5 sides: it must have 6"),
    "seven sides": ('"attack", "fortuna"]', '"attack", "2 x fortuna"]', "more than 6"),
    # sections
    "no lanes": ("lanes = { value = 3,", "lanes = { value = 0,",
        "course.lanes is 0: it must be a whole number, 1 to 6"),
    "too many lanes": ("lanes = { value = 3,", "lanes = { value = 7,", "course.lanes is 7"),
    "section in other words": (BEND, '"bend-1: curve, half 1, length 6, spaces 4 6 8"', "is not a section: it must be"),
    "section without name": (BEND, '"bend, half 1, length 6, spaces 4 6 8"', "is not a section"),
    "zero length": (BEND, '"bend-1: bend, half 1, length 0, spaces 4 6 8"',
        'length "0" in "bend-1: bend, half 1, length 0, spaces 4 6 8": it must be a whole number, 1 to 1000'),
    "negative length": (BEND, '"bend-1: bend, half 1, length -6, spaces 4 6 8"', 'length "-6"'),
    "lane without spaces": (BEND, '"bend-1: bend, half 1, length 6, spaces 4 0 8"', "the lane middle has no spaces"),
    "spaces that are no number": (BEND, '"bend-1: bend, half 1, length 6, spaces 4 x 8"', 'spaces "x"'),
    "third half": (BEND, '"bend-1: bend, half 3, length 6, spaces 4 6 8"', 'half "3"'),
    "two lanes of three": (BEND, '"bend-1: bend, half 1, length 6, spaces 4 6"',
        "gives spaces for 2 lanes: the course has 3"),
    "section twice": (BEND, f'"2 x {BEND[1:]}', "the section bend-1 is there twice"),
    # line
    "line through spaces": ("line = { value = 4,", "line = { value = 11,",
        "the line at 11 runs through a space in the lanes inside and outside"),
    "line beyond the lap": ("line = { value = 4,", "line = { value = 32,", "beyond the lap of length 32"),
    # numbered spaces
    "corner without speed": (CORNER, '"bend-1 inside 3"', "is not a numbered space"),
    "corner with speed 0": (CORNER, '"bend-1 inside 3: speed 0"', 'speed "0"'),
    "corner twice": (CORNER, f'{CORNER}, "bend-1 inside 3: speed 4"', "this space has a number already"),
    "corner on the grid": (CORNER, '"straight-1 inside 4: speed 3"', "a corner number stands on a starting space"),
    "corner in an unknown section": (CORNER, '"bend-3 inside 3: speed 3"',
        "the sections are straight-1, bend-1, straight-2 and bend-2"),
    "corner in an unknown lane": (CORNER, '"bend-1 a 3: speed 3"', "the lanes are inside, middle and outside"),
    "corner beyond the section": (CORNER, '"bend-1 inside 5: speed 3"', "it must be a whole number, 1 to 4"),
    # heaps
    "heap that is no place": (HEAP, '"straight-2 middle"', "is not a space"),
    "heap twice": (HEAP, f'"2 x {HEAP[1:]}', "this space has a heap already"),
    "heap on a number": (HEAP, '"bend-2 middle 4"', "a stone heap stands on a numbered space"),
    "heap on the grid": (HEAP, '"straight-1 middle 4"', "a stone heap stands on a starting space"),
    "heaps that close all lanes": (HEAP, '"straight-2 middle 10", "straight-2 outside 10"',
        "stone heaps close all lanes: no way leads on beyond"),
    # grid
    "start twice": (START, '"straight-1 middle 4"', None),
    "start beyond the line": (START, '"straight-1 outside 5"', "lies beyond the line"),
    "seven starts": ('"straight-1 inside 3"', '"straight-1 inside 3", "straight-1 inside 1"', "more than 6"),
    # chariots
    "plain first speed": ('first_speed = { value = 4, source = "review"',
        'first_speed = { value = 13, source = "review"',
        "plain.first_speed is 13, beyond the end of its track: plain.most_speed is 12"),
    "too few dice": (DICE, "values = [5, 5, 5]", "gold.dice.values has length 3: it must have 15"),
    "six dice": (DICE, DICE.replace("[5,", "[6,"), "gold.dice.values.0 is 6: it must be a whole number, 1 to 5"),
    "no dice": (DICE, DICE.replace("1]", "0]"), "gold.dice.values.14 is 0"),
    "more dice at a higher speed": (DICE, DICE.replace("1, 1]", "1, 2]"), "more dice at a higher speed"),
    "too few limits": (LIMIT, "values = [1, 2]", "green.limit.values has length 2: it must have 12"),
    "limit that falls": (LIMIT, LIMIT.replace("6, 7", "7, 6"), "a lower limit at a better condition: entry 6"),
    "limit beyond the track": (LIMIT, LIMIT.replace("12]", "13]"), "green.limit.values goes up to 13, beyond the end"),
    "limit below the first speed": (LIMIT, "values = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3]", None),
    "two words": (CHARACTER, 'character = { value = "very lucky",',
        'white.character is "very lucky": it must be one word'),
    "number for a word": (CHARACTER, "character = { value = 3,", "it must be one word in small letters"),
}
# fmt: on
ELSEWHERE = {"start twice": "is a starting space already", "limit below the first speed": "but the limit at the first"}
"""Mistakes that are reported on another line than the changed one."""


@pytest.mark.parametrize("mistake", [name for name in MISTAKES if name not in ELSEWHERE])
def test_mistake_is_named_with_its_line(mistake: str) -> None:
    old, new, message = MISTAKES[mistake]
    assert message is not None
    TRIAL.check_mistake(old, new, message)


@pytest.mark.parametrize("mistake", ELSEWHERE)
def test_mistake_that_shows_elsewhere(mistake: str) -> None:
    old, new, _ = MISTAKES[mistake]
    assert ELSEWHERE[mistake] in only_problem(changed(old, new))[1]


def test_doubled_start_is_reported_where_it_comes_again() -> None:
    text = changed(START, '"straight-1 middle 4"')
    assert only_problem(text)[0] == line_of(text, '"straight-1 middle 4",\n  "straight-1 inside 4"')


def test_missing_start() -> None:
    text = changed(f"  {START},\n", "")
    line, said = only_problem(text)
    assert line == line_of(text, 'list = [\n  "straight-1 middle 4"')
    assert said == "the grid has 5 starting spaces: it must have 6, one for every chariot"


def test_line_through_one_space() -> None:
    sections = ["s: straight, half 1, length 12, spaces 12 6"]
    text = with_course(2, 3, sections, [f"s a {i}" for i in (1, 2, 3, 10, 11, 12)])
    line, said = only_problem(text)
    assert line == line_of(text, "line = ")
    assert said == "the line at 3 runs through a space in the lane b: it must lie between two spaces in every lane"


def test_no_sections() -> None:
    rows = "\n".join(row for row in ROWS if not row.startswith(('  "straight-', '  "bend-')) or "half" not in row)
    line, said = only_problem(rows)
    assert line == line_of(rows, "sections = [")
    assert said.startswith("the course has no sections")


def test_section_written_again() -> None:
    text = changed(f"{BEND},", f"{BEND},\n  {BEND},")
    assert only_problem(text)[0] == line_of(TEXT, BEND) + 1


def test_too_many_spaces() -> None:
    line, said = only_problem(changed(BEND, BEND.replace("4 6 8", "40 41 8")))
    assert line == line_of(TEXT, "sections = [")
    assert said == "the course has 167 spaces in all lanes together: it can have 160 at most"


def test_lengths_without_common_measure() -> None:
    sections = [f"s-{n}: straight, half 1, length 7, spaces {n}" for n in (11, 13, 17, 19, 23)]
    found = problems(with_course(1, 0, sections, [f"s-23 a {i}" for i in range(18, 24)]))
    assert len(found) == 1 and found[0][1].startswith("the lengths have no common measure: a lap would be 5311735")


def test_lane_too_short_for_six_chariots() -> None:
    sections = ["s: straight, half 1, length 12, spaces 5 12"]
    found = problems(with_course(2, 0, sections, ["s b 12", "s a 5", "s b 11", "s b 10", "s b 9", "s b 8"]))
    assert [said for _, said in found] == ["the lane a has 5 spaces: it must have 6 or more, one for every chariot"]


def test_lane_without_room_to_be_put_back() -> None:
    sections = ["s: straight, half 1, length 8, spaces 8 8"]
    grid = ["s b 8", "s b 7", "s b 6", "s b 5", "s a 8", "s a 7"]
    text = with_course(2, 0, sections, grid, heaps='"s a 1", "s a 3", "s a 5"')
    line, said = only_problem(text)
    assert line == line_of(text, "list = [" + '"s a 1"')
    assert said == "the lane a has 5 spaces without a stone heap: it must have 6 or more"


def test_heaps_that_close_the_way_from_one_starting_space_to_the_next_are_named_once() -> None:
    text = changed(HEAP, '"straight-2 middle 10", "straight-2 outside 10"')
    assert "beyond" in only_problem(text)[1]


def test_open_lane_out_of_reach_is_no_way() -> None:
    heaps = '"straight-2 inside 4", "straight-2 middle 4", "straight-2 middle 5", "straight-2 outside 5"'
    line, said = only_problem(changed(HEAP, heaps))
    assert line == line_of(TEXT, HEAP)
    assert said == "stone heaps close all lanes: no way leads on beyond o18"


def test_broken_section_does_not_make_every_place_a_problem() -> None:
    assert len(problems(changed(BEND, BEND.replace("bend,", "curve,")))) == 1


def test_wrong_end_of_a_track_does_not_make_its_table_a_problem() -> None:
    text = TEXT.replace("most_speed = { value = 14,", "most_speed = { value = 99,")
    assert only_problem(text)[1].startswith("gold.most_speed is 99")


def test_wrong_dice_do_not_make_every_table_a_problem() -> None:
    assert only_problem(changed("dice = { value = 5,", "dice = { value = 9,"))[1].startswith("race.dice is 9")


@pytest.mark.parametrize("table", ["race", "die", "corners", "heaps", "grid", "plain.dice", "gold.limit"])
def test_missing_table(table: str) -> None:
    assert f"the table [{table}] is missing" in {said for _, said in problems(TRIAL.without(table))}


def test_missing_character() -> None:
    row = next(row for row in ROWS if row.startswith(CHARACTER))
    text = changed(row + "\n", "")
    assert only_problem(text) == (
        line_of(text, "[white]"),
        'white.character is missing: write character = { value = ..., source = "..." } in [white]',
    )


def test_all_problems_are_reported_at_once_in_the_order_of_the_file() -> None:
    text = changed("laps = { value = 2,", "laps = { value = 0,").replace(CORNER, '"bend-9 inside 3: speed 3"')
    text = text.replace('"attack", "fortuna"]', '"attack", "luck"]').replace(HEAP, '"straight-1 middle 4"')
    text = text.replace(LIMIT, "values = [1]")
    pieces = ["value = 0,", '"luck"', '"bend-9', '"straight-1 middle 4"', "values = [1]"]
    assert [line for line, _ in problems(text)] == [line_of(text, piece) for piece in pieces]


# --- any file at all ------------------------------------------------------------------------------------------------


PIECES = st.sampled_from([*'[]{}"=.,#\n: é', "0", "-1", "9", "99", "1e400", "nan", "true", "x"])


@pytest.mark.slow
@given(changes(len(ROWS), PIECES))
@settings(deadline=None, max_examples=250)
def test_any_mutation_of_the_reference(changes: list[Change]) -> None:
    TRIAL.survives(mutated(TEXT, changes))


VALUES = [i for i, row in enumerate(ROWS) if "value = " in row]


@pytest.mark.slow
@given(st.sampled_from(VALUES), st.one_of(st.integers(-2, 40), st.integers(), st.floats(), st.text("ab'", max_size=3)))
@settings(deadline=None)
def test_any_number_in_place_of_a_value(row: int, value: float | str) -> None:
    TRIAL.survives(TRIAL.with_value(row, value))


SMALL = st.integers(0, 14)


@pytest.mark.slow
@given(st.integers(1, 6), SMALL, st.lists(st.tuples(SMALL, st.lists(SMALL, max_size=7)), max_size=4), st.data())
@settings(deadline=None)
def test_any_course(lanes: int, line: int, sections: list[tuple[int, list[int]]], data: st.DataObject) -> None:
    rows = [
        f"s-{i}: bend, half 1, length {length}, spaces {' '.join(map(str, spaces))}"
        for i, (length, spaces) in enumerate(sections)
    ]
    place = st.builds("s-{} {} {}".format, st.integers(0, 3), st.sampled_from("abcdef"), SMALL)
    grid = data.draw(st.lists(place, min_size=5, max_size=7))
    heaps = ", ".join(f'"{heap}"' for heap in data.draw(st.lists(place, max_size=5)))
    TRIAL.survives(with_course(lanes, line, rows, grid, heaps=heaps))


@pytest.mark.slow
@given(st.sets(st.tuples(st.sampled_from(["inside", "middle", "outside"]), st.integers(1, 10)), max_size=24))
@settings(deadline=None)
def test_any_heaps_on_a_straight(heaps: set[tuple[str, int]]) -> None:
    listed = ", ".join(f'"straight-2 {lane} {place}"' for lane, place in sorted(heaps))
    start, end = TEXT.index('  "straight-1 inside 2"'), TEXT.index("]", TEXT.index('"straight-2 inside 10"'))
    TRIAL.survives(TEXT[:start] + listed + TEXT[end:])
