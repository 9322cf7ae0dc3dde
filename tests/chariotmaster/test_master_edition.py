"""Edition files of Chariotmaster: the content of the reference, and the message for every kind of mistake."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path

import pytest
from edition_helpers import Trial, changes, check_copies, mutated, recorded
from hypothesis import given, settings
from hypothesis import strategies as st

from spina.games.chariotmaster.components import edition
from spina.games.chariotmaster.components.edition import (
    EFFECTS,
    ChariotmasterEdition,
    parse,
    reference,
    summary,
    template,
    track_template,
)
from spina.games.chariotmaster.rules import record as state
from spina.games.editions import SOURCES

TRIAL = Trial(edition, lambda edition, record: len(edition.scenarios) == record.scenarios)
TEXT, ROWS = TRIAL.text, TRIAL.rows
REFERENCE = recorded(reference())
changed, problems, only_problem = TRIAL.changed, TRIAL.problems, TRIAL.only_problem


# --- the reference edition ------------------------------------------------------------------------------------------


def test_every_field_of_the_record_is_filled() -> None:
    assert TRIAL.empty_fields() == []


@pytest.mark.parametrize(
    ("token", "least", "most", "pivot", "test", "grab"),
    [("0", 0, 5, 45, -1, -1), ("5", 5, 10, 30, 0, 0), ("10", 10, 15, 10, 1, 1)],
)
def test_token(token: str, least: int, most: int, pivot: int, test: int, grab: int) -> None:
    i = reference().token_names.index(token)
    assert (reference().least[i], reference().most[i]) == (least * 100, most * 100)
    assert reference().pivot[i] == pivot * 10
    assert (REFERENCE.test[i], REFERENCE.grab[i]) == (test, grab)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("value_driver", 1),
        ("value_horse", 1),
        ("value_wreck", 2),
        ("value_wall", 4),
        ("ram_bonus", 2),
        ("hit_from", 4),
        ("bounce_back", 100),
        ("bounce_push", 100),
        ("bounce_throw", 300),
        ("bounce_follow", 200),
    ],
)
def test_collision_figure(name: str, value: int) -> None:
    assert REFERENCE[name] == value


@pytest.mark.parametrize(
    ("structure", "value"), [(0, 2), (1, 2), (2, 2), (3, 2), (4, 3), (5, 3), (6, 3), (7, 4), (8, 4), (20, 4)]
)
def test_value_of_a_body(structure: int, value: int) -> None:
    step = sum(structure >= limit for limit in REFERENCE.body_limit)
    assert REFERENCE.value_body[step] == value


NONE: set[str] = set()
PRINTED: dict[str, list[set[str]]] = {
    # results 1 to 8, the last for anything higher
    "stamina": [
        NONE, NONE, {"+1"}, {"+1"}, {"back D3", "+1"}, {"exhausted", "+1"}, {"gives up token", "+1"},
        {"horse dies", "halve"},
    ],
    "structure": [
        NONE, NONE, {"+1"}, {"back D3", "+1"}, {"loses stamina", "+1"}, {"wheel", "+1"}, {"gives up token", "+1"},
        {"crashes"},
    ],
    "health aboard": [
        NONE, NONE, NONE, {"+1"}, {"loses skill", "+1"}, {"loses reins", "+1"}, {"loses reins", "stunned", "+1"},
        {"dies"},
    ],
    "health dragged": [
        NONE, NONE, {"+1"}, {"+1"}, {"loses skill", "+1"}, {"stunned"}, {"dies"}, {"dies"},
    ],
    "health on foot": [
        NONE, NONE, NONE, {"+1"}, {"loses skill", "+1"}, {"stunned", "+1"}, {"dies"}, {"dies"},
    ],
    "skill aboard": [
        NONE, NONE, {"out of control", "+1"}, {"left D6", "+1"}, {"right D6", "+1"}, {"back D6", "+1"},
        {"loses reins", "+1"}, {"falls off"},
    ],
    "skill dragged": [
        NONE, {"+1"}, {"+1"}, {"+1"}, {"+1"}, {"loses knife", "+1"}, {"dies"}, {"dies"},
    ],
    "skill on foot": [NONE, NONE, NONE, NONE, {"stunned"}, {"stunned"}, {"stunned"}, {"stunned"}],
}  # fmt: skip


@pytest.mark.parametrize(("table", "result"), [(table, result) for table in PRINTED for result in range(1, 9)])
def test_row_of_a_table(table: str, result: int) -> None:
    expected = PRINTED[table][result - 1]
    bits = int(REFERENCE.effects[state.TABLE_NAMES.index(table), result - 1])
    assert bits == sum(1 << state.EFFECT_NAMES.index(effect) for effect in expected)
    assert {*reference().tables[table][result - 1]} == expected


def test_bits_are_those_that_the_rules_know() -> None:
    effects = REFERENCE.effects
    assert effects[state.OUT_STAMINA, 7] == state.HORSE_DIES | state.HALVE
    assert effects[state.OUT_HEALTH_ABOARD, 6] == state.REINS | state.STUNNED | state.PLUS_ONE
    assert effects[state.OUT_SKILL_ABOARD].tolist() == [
        0, 0, state.CONFUSED | 1, state.LEFT_D6 | 1, state.RIGHT_D6 | 1, state.BACK_D6 | 1, state.REINS | 1,
        state.FALLS,
    ]  # fmt: skip
    assert effects[state.OUT_STRUCTURE, 7] == state.CRASHES
    assert effects[state.OUT_SKILL_DRAGGED, 5] == state.KNIFE | state.PLUS_ONE


def test_every_effect_is_used_and_known_in_its_table() -> None:
    assert {*PRINTED} == {*EFFECTS} == {*state.TABLE_NAMES}
    used = {effect for rows in PRINTED.values() for row in rows for effect in row}
    assert used == {*state.EFFECT_NAMES}
    for table, rows in PRINTED.items():
        assert {effect for row in rows for effect in row} <= {*EFFECTS[table]}


def test_base_is_2_by_4_cm() -> None:
    assert REFERENCE.half_long[:3].tolist() == [200] * 3
    assert REFERENCE.half_wide[:3].tolist() == [100] * 3


def test_every_value_has_a_source_and_the_reconstructed_ones_are_marked() -> None:
    provenance = reference().provenance
    assert {*provenance.values()} <= {*SOURCES}
    reconstructed = {path for path, source in provenance.items() if source == "reconstructed"}
    assert reconstructed == {
        "base.length", "base.width", "collisions.wall", "designs.list",
        "scenario.circus", "scenario.maximus", "scenario.trial",
    }  # fmt: skip
    rulebook = {path.partition(".")[0] for path, source in provenance.items() if source == "rulebook"}
    assert rulebook == {"tokens", "collisions", "tables", "equipment", "races"}


def test_summary() -> None:
    assert summary(reference()) == (
        "3 tracks: circus (187.96 cm a lap), maximus (333.1 cm a lap) and trial (249.98 cm); "
        "19 items of equipment, 6 races, 27 ready-made chariots."
    )
    assert summary(parse(track_template(), "track.toml")).startswith("1 track: narrow (175.4 cm a lap); 19 items")


# --- editions as objects --------------------------------------------------------------------------------------------


def test_template_is_the_text_of_the_reference(tmp_path: Path) -> None:
    TRIAL.check_template(tmp_path)


@pytest.mark.parametrize("edition", [reference(), parse(track_template(), "track.toml")], ids=lambda e: e.name)
def test_copies_are_equal_and_read_only(edition: ChariotmasterEdition) -> None:
    check_copies(edition)
    for twin in (copy.deepcopy(edition), pickle.loads(pickle.dumps(edition))):
        assert twin.scenarios == edition.scenarios
        assert twin.kit == edition.kit


def test_key_is_the_beginning_of_the_hash() -> None:
    TRIAL.check_key()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("5: 5 to 10 cm, pivot 30, test 0, grab 0", "5: 5 to 10 cm, pivot 31, test 0, grab 0"),
        ("hit = { value = 4,", "hit = { value = 5,"),
        ('"from 7: 4"', '"from 8: 4"'),
        ('"4: back D3, +1"', '"4: back D3"'),
        ("standard: 0 points, structure 5", "standard: 0 points, structure 6"),
        ("fast: 1 point, stamina -10, top 18, not heavy,", "fast: 1 point, stamina -10, top 18,"),
        ("untrained:   o - - o - o", "untrained:   o - - - - o"),
        ('"left 10 180", ', '"left 10.5 180", '),
        ("run_out = 20", "run_out = 21"),
        ("offset 3.5, 3 x 3,", "offset 3.4, 3 x 3,"),
    ],
)
def test_hash_changes_with_a_value(old: str, new: str) -> None:
    text = changed(old, new)
    if "untrained" in old:
        text = text.replace('  "straggler: goblins, light, wolves, untrained, experienced, fit",\n', "")
    TRIAL.check_other_hash(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# Dice that a ram adds for the attacker.", "# The ram."),
        ('hit = { value = 4, source = "rulebook" }', 'hit={value=4,source="printed",why="seen"}'),
        ('name = "Reference edition"', 'name = "My copy"'),
        ('title = "Circus Maximus"', 'title = "Big circus"'),
        ('"1-4: nothing"', '"1-2: nothing", "3-4: nothing"'),
        ('"5: back D3, +1"', '"5:  +1, back D3"'),
        ("width = 24", "width = 24.0"),
        ('"right 7.5 180"', '"right 7.50 180.0"'),
    ],
)
def test_hash_does_not_change_with_comments_provenance_or_spelling(old: str, new: str) -> None:
    TRIAL.check_same_hash(changed(old, new))


# --- mistakes, each on its line -------------------------------------------------------------------------------------

TOKEN = '"5: 5 to 10 cm, pivot 30, test 0, grab 0"'
HIT = 'hit = { value = 4, source = "rulebook" }'
HEAVY = '"heavy: 1 point, structure 6, stamina -10"'
FAST = '"fast: 1 point, stamina -10, top 18, not heavy, not super heavy"'
LUCKY = '"lucky: 1 point, luck 1"'
FIT_ROW = '"fit:         o o o o - o"'
COURIER = '"courier: humans, light, fast, experienced, fit"'

# fmt: off
MISTAKES = {
    # heading and single values
    "format": ("format = 1", "format = 2", "only format 1 can be read"),
    "game": ('game = "chariotmaster"', 'game = "charioteer"', 'it must be "chariotmaster"'),
    "too low": (HIT, 'hit = { value = 1, source = "rulebook" }', "collisions.hit is 1: it must be a whole number, 2"),
    "no provenance": (HIT, "hit = 4", "collisions.hit has no source"),
    "no reason": (HIT, 'hit = { value = 4, source = "reconstructed" }', "add why"),
    "unknown key": ("[base]", "[base]\nheight = 3", 'unknown key "height" in base: the keys are length and width'),
    "unknown table": ("[base]", "[bases]\n[base]", 'unknown key "bases" at the top'),
    "a third decimal": ("throw = { value = 3,", "throw = { value = 3.005,",
        "collisions.throw is 3.005: it must be 0 to 10 cm, with at most one decimal"),
    "a word for a length": ("throw = { value = 3,", 'throw = { value = "3",', 'collisions.throw is "3"'),
    "a base that is not twice as long": ("length = { value = 4,", "length = { value = 5,",
        "base.length is 5: it must be twice the width, 4 cm"),
    # tokens
    "token in other words": (TOKEN, '"5: 5-10 cm"', "is not a token: it must be written like"),
    "another token": (TOKEN, TOKEN.replace("5: 5", "6: 5"), 'the token "6" stands where "5" belongs'),
    "token too fast": (TOKEN, TOKEN.replace("10 cm", "31 cm"), 'distance "31" in'),
    "token too narrow": (TOKEN, TOKEN.replace("10 cm", "5.5 cm"), "the distances must be 1 cm apart or more"),
    "pivot too wide": (TOKEN, TOKEN.replace("pivot 30", "pivot 91"), "it must be 0 to 90, with no decimals"),
    "pivot of half a degree": (TOKEN, TOKEN.replace("pivot 30", "pivot 29.5"), 'pivot "29.5"'),
    "modifier too high": (TOKEN, TOKEN.replace("grab 0", "grab +6"), 'modifier "+6"'),
    # bodies
    "body in other words": ('"from 4: 3"', '"above 4: 3"', 'it must be written like "from 4: 3"'),
    "bodies out of order": ('"from 7: 4"', '"from 4: 4"', "it must begin from more than 4"),
    "bodies from the beginning": ('"from 0: 2"', '"from 1: 2"', "it must begin from 0"),
    # tables
    "row in other words": ('"8+: crashes"', '"eight: crashes"', "is not a row: it must be written like"),
    "unknown effect": ('"8+: crashes"', '"8+: explodes"',
        'unknown effect "explodes" in "8+: explodes": the effects are +1, back D3'),
    "effect of another table": ('"8+: crashes"', '"8+: dies"', 'unknown effect "dies"'),
    "effect twice": ('"4: back D3, +1"', '"4: +1, +1"', '"+1" is there twice'),
    "result twice": ('"7: loses reins, +1"', '"6-7: loses reins, +1"', "the result 6 is there twice"),
    "results backwards": ('"1-4: nothing"', '"4-1: nothing"', "write the lower result first"),
    "last result alone": ('"8+: crashes"', '"8: crashes"', "write 8+"),
    # items
    "item in other words": (HEAVY, '"heavy, 1 point"', "is not an item: it must be written like"),
    "item too dear": (HEAVY, '"heavy: 10 points, structure 6"', "it must be -9 to 9"),
    "item with an unknown word": (HEAVY, HEAVY.replace("stamina", "strength"), '"strength -10" in'),
    "item of another category": (HEAVY, HEAVY.replace("stamina -10", "skill 3"),
        '"skill 3" means nothing for chassis: only skill can have it'),
    "structure too high": (HEAVY, HEAVY.replace("structure 6", "structure 60"), "it must be a whole number, 1 to 20"),
    "chassis without structure": (HEAVY, '"heavy: 1 point, stamina -10"', "gives no structure"),
    "stamina out of bounds": (HEAVY, HEAVY.replace("-10", "-100"), "it must be per cent from -90 to +90"),
    "top below the token": (FAST, FAST.replace("18", "10"), "it must be 11 to 30 cm"),
    "unknown item barred": (FAST, FAST.replace("not heavy", "not havy"), 'unknown item "havy"'),
    "item twice": (LUCKY, f'{LUCKY}, "fit: 1 point"', "fit is there twice"),
    "number twice": (LUCKY, LUCKY.replace("luck 1", "luck 1, luck 2"), "says luck twice"),
    # races
    "row of the races in other words": (FIT_ROW, '"fit o o o o - o"', "is not a row"),
    "row of an unknown item": (FIT_ROW, FIT_ROW.replace("fit:", "sane:"), 'unknown item "sane"'),
    "unknown mark": (FIT_ROW, FIT_ROW.replace("- o", "y o"), '"y" in'),
    "row too short": (FIT_ROW, FIT_ROW.replace("- o", "o"), "the row of fit has length 5: there are 6 races"),
    "row twice": (FIT_ROW, f"{FIT_ROW}, {FIT_ROW}", "the row of fit is there twice"),
    "race with a capital": ('["humans",', '["Humans",', "cannot be a race"),
    # designs
    "design in other words": (COURIER, '"courier, humans, light"', "is not a chariot"),
    "design with two names": (COURIER, COURIER.replace("courier", "fast courier"), "is not a chariot"),
    "design of an unknown race": (COURIER, COURIER.replace("humans", "dwarves"), 'unknown race "dwarves"'),
    "design with an unknown item": (COURIER, COURIER.replace("light", "slight"), 'unknown item "slight"'),
    "design that is not allowed": (COURIER, COURIER.replace("light", "heavy"),
        "the chariot courier is not allowed: fast cannot be combined with heavy"),
    "design twice": (COURIER, COURIER.replace("courier", "citizen"), "the chariot citizen is there twice"),
}
# fmt: on


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_is_named_with_its_line(mistake: str) -> None:
    TRIAL.check_mistake(*MISTAKES[mistake])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  " + TOKEN + ",\n", "", "there are 2 tokens: there must be 3, from the slowest"),
        ('  "from 7: 4",\n', "", "collisions.body.values has length 2: it must have 3"),
        ('  "5: loses stamina, +1",\n', "", "tables.structure.rows has no row for the result 5"),
        (f"  {FIT_ROW},\n", "", "races.table has no row for fit"),
        ('"standard: 0 points,', '"standard: 1 point,', "equipment.chassis.items has no item that costs 0 points"),
        (FIT_ROW, '"fit:         o o o o o o"', "chaos knights would have several items for fitness"),
        (FIT_ROW, '"fit:         o o o a - o"', "goblins would have several items for fitness"),
        ('"wolves:      - - - x - -"', '"wolves:      - - - a - -"', "goblins has an a for horses"),
        ('"steeled:     o o o - x o"', '"steeled:     o o o - - o"', "chaos knights can choose nothing for fitness"),
    ],
)
def test_what_is_missing_is_named_in_its_list(old: str, new: str, message: str) -> None:
    found = problems(changed(old, new))
    assert any(message in said for _, said in found), found


def test_tokens_out_of_order() -> None:
    text = changed("10: 10 to 15 cm", "10: 5 to 15 cm")
    assert "each must be faster than the one before it" in only_problem(text)[1]


# --- any file at all ------------------------------------------------------------------------------------------------


@given(st.text() | st.text("[]{}=\"'.,#\n ab1-_\\x\r\t", max_size=60))
@settings(deadline=None)
def test_any_text(text: str) -> None:
    TRIAL.survives(text)
    TRIAL.survives(f"[scenario.a]\n{text}")


PIECES = st.sampled_from(
    ["[", "]", "{", "}", '"', "'", "=", ".", ",", "\n", "0", "-1", "99", "1e400", "nan", "x", "o", "true", "180",
     "left",     "1979-05-27", "\x00", "é", "\ud800", "scenario", "heavy", " "]
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("text", [template(), track_template()], ids=["edition", "track"])
@given(data=st.data())
@settings(deadline=None, max_examples=250)
def test_any_mutation(text: str, data: st.DataObject) -> None:
    drawn = data.draw(changes(text.count("\n") + 1, PIECES))
    TRIAL.survives(mutated(text, drawn))


VALUES = [i for i, row in enumerate(ROWS) if " = " in row and not row.startswith("#")]


@pytest.mark.slow
@given(st.sampled_from(VALUES), st.one_of(st.integers(-2, 40), st.integers(), st.floats(), st.text("ab'", max_size=3)))
@settings(deadline=None, max_examples=200)
def test_anything_in_place_of_a_value(row: int, value: float | str) -> None:
    rows = ROWS.copy()
    key, _, rest = rows[row].partition(" = ")
    if "value = " in rest:
        rows[row] = f"{key} = {{ value = {json.dumps(value)},{rest.partition(',')[2]}"
    else:
        rows[row] = f"{key} = {json.dumps(value)}"
    TRIAL.survives("\n".join(rows))
