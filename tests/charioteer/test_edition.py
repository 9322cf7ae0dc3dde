"""Edition files of Charioteer: what the reference holds, and what is said about every kind of mistake."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from edition_helpers import Trial, check_copies, line_of, recorded

from spina.errors import EditionError
from spina.games import find
from spina.games.charioteer.components import edition
from spina.games.charioteer.components.edition import parse, reference
from spina.games.charioteer.rules import record as state
from spina.games.editions import SOURCES

TRIAL = Trial(edition, lambda edition, record: len(edition.card_names) == record.cards)
TEXT, ROWS = TRIAL.text, TRIAL.rows
record, REFERENCE = recorded, recorded(reference())
changed, problems, only_problem = TRIAL.changed, TRIAL.problems, TRIAL.only_problem
COLOURS = state.COLOUR_NAMES


def kind(name: str) -> int:
    return reference().kind_names.index(name)


# --- the reference edition ------------------------------------------------------------------------------------------


def test_the_box_holds_147_race_cards_24_skills_cards_60_fan_tokens_and_5_player_tokens() -> None:
    assert REFERENCE.cards == len(reference().card_names) == 147
    assert REFERENCE.skill_cards == 24
    assert REFERENCE.fan_tokens.sum() == 60
    assert REFERENCE.player_tokens.sum() == 5


def test_every_field_of_the_record_is_filled() -> None:
    assert TRIAL.empty_fields() == []


def test_race_figures() -> None:
    expected = {
        "laps": 3,
        "hand": 8,
        "attack_boxes": 3,
        "fan_symbols": 6,
        "whip_spaces": 5,
        "wild_symbols": 2,
    }
    expected |= {"minor_cards": 3, "minor_cubes": 1, "major_cards": 4, "major_cubes": 2}
    assert {name: int(REFERENCE[name]) for name in expected} == expected


def test_disrupt_gives_fewer_cubes_to_more_players() -> None:
    assert REFERENCE.disrupt.tolist() == [0, 0, 3, 2, 1, 0, 0]


def test_symbols_are_three_numbers_in_each_colour() -> None:
    expected = {"green": (2, 4, 6), "red": (1, 3, 5), "yellow": (0, 2, 4), "black": (0, 1, 2)}
    names = tuple(f"{colour}-{number}" for colour, numbers in expected.items() for number in numbers)
    assert reference().symbol_names == names
    read = [f"{COLOURS[c]}-{n}" for c, n in zip(REFERENCE.symbol_colour, REFERENCE.symbol_number, strict=True)]
    assert tuple(read) == names


def test_deck_has_every_ordered_pair_of_symbols_once() -> None:
    pairs = {f"{a} {a} {b}" for a, b in permutations(reference().symbol_names, 2)}
    assert len(pairs) == 132
    assert pairs <= set(reference().card_names)
    for card, name in enumerate(reference().card_names[:132]):
        assert sorted(REFERENCE.shows[card])[-3:] == [0, 1, 2], name
        assert REFERENCE.icon[card] == state.NO_ICON


def test_deck_has_a_double_with_an_icon_for_every_symbol() -> None:
    icons = (state.SHIELD, state.RECOVERY, state.LEARNING)  # by number, upwards
    for symbol, name in enumerate(reference().symbol_names):
        icon = icons[symbol % 3]
        card = reference().card_names.index(f"{name} {name} {state.ICON_NAMES[icon]}")
        assert REFERENCE.icon[card] == icon
        assert REFERENCE.shows[card].sum() == REFERENCE.shows[card, symbol] == 2


def test_deck_has_three_whips_and_they_alone_show_no_symbol() -> None:
    names = np.array(reference().card_names)
    bare = REFERENCE.symbols_on[:147] == 0
    assert names[bare].tolist() == ["whip"] * 3
    assert (REFERENCE.icon[:147][bare] == state.WHIP).all()
    assert not REFERENCE.shows[:147][bare].any()


def test_symbols_of_a_card_as_bits() -> None:
    for card in range(REFERENCE.cards):
        shown = [i for i in range(state.SYMBOLS) if REFERENCE.symbols_on[card] >> i & 1]
        assert shown == np.flatnonzero(REFERENCE.shows[card]).tolist()


def test_every_skills_card_is_another_order_of_the_colours() -> None:
    cards = [tuple(card) for card in REFERENCE.skill_card[:24].tolist()]
    assert sorted(cards) == sorted(permutations(range(4)))


def test_player_tokens_are_plus_five_in_each_colour_and_discard_three() -> None:
    names = ("+5 green", "+5 red", "+5 yellow", "+5 black", "discard-3")
    assert reference().kind_names[:5] == names
    assert REFERENCE.player_tokens[:5].tolist() == [1] * 5
    assert REFERENCE.kind_value[:5].tolist() == [5, 5, 5, 5, 3]
    assert REFERENCE.kind_fan[:5].tolist() == [0] * 5
    assert not REFERENCE.player_tokens[5:].any()


def test_fan_tokens() -> None:
    expected = {f"{icon} {colour}": n for icon, n in (("+3", 5), ("wild", 3), ("learning", 2)) for colour in COLOURS}
    expected |= {"shield": 6, "whip": 6, "recovery": 4, "discard-2": 4}
    counts = zip(reference().kind_names, REFERENCE.fan_tokens, strict=False)
    assert {name: count for name, count in counts if count} == expected
    assert REFERENCE.kinds == len(reference().kind_names) == 5 + len(expected)
    assert REFERENCE.kind_fan[5:21].all()


def test_kinds_know_their_icon_colour_and_value() -> None:
    def shows(name: str) -> tuple[int, int, int]:
        i = kind(name)
        return REFERENCE.kind_icon[i], REFERENCE.kind_colour[i], REFERENCE.kind_value[i]

    assert shows("+3 red") == (state.PLUS, state.RED, 3)
    assert shows("wild black") == (state.WILD, state.BLACK, 0)
    assert shows("learning green") == (state.LEARNING, state.GREEN, 0)
    assert shows("shield") == (state.SHIELD, state.ANY_COLOUR, 0)
    assert shows("whip") == (state.WHIP, state.ANY_COLOUR, 0)
    assert shows("recovery") == (state.RECOVERY, state.ANY_COLOUR, 0)
    assert shows("discard-2") == (state.DISCARD, state.ANY_COLOUR, 2)


def test_skills_track_has_four_zeros_eight_ones_and_the_bonus_box() -> None:
    assert (REFERENCE.skill_spaces, REFERENCE.bonus_places) == (12, 4)
    assert REFERENCE.skill_bonus[:16].tolist() == [0] * 4 + [1] * 8 + [3, 5, 7, 9]


def test_track_has_two_corners_of_seven_outer_spaces() -> None:
    assert REFERENCE.spaces == 76
    outer = np.flatnonzero(REFERENCE.outer).tolist()
    assert outer == [*range(5, 18, 2), *range(43, 56, 2)]
    assert REFERENCE.spaces - len(outer) == 62


def test_start_is_four_spaces_before_the_line() -> None:
    assert REFERENCE.start == -4


def test_die_has_each_face_once() -> None:
    assert REFERENCE.faces == 6
    assert [state.FACE_NAMES[face] for face in REFERENCE.face[:6]] == [
        "sprint", "attack", "recover", "corner", "all", "disrupt",
    ]  # fmt: skip


def test_every_value_has_a_source_and_the_reconstructed_ones_are_marked() -> None:
    provenance = reference().provenance
    assert set(provenance.values()) <= set(SOURCES)
    reconstructed = {path for path, source in provenance.items() if source == "reconstructed"}
    assert reconstructed == {
        "symbols.list", "deck.list", "skills.cards.list", "tokens.player.list", "tokens.fan.list",
        "disrupt.seats-2", "disrupt.seats-3", "disrupt.seats-4", "skills.middle.values",
        "track.spaces", "track.start", "track.sections", "die.faces", "skills.bonus_box.values",
    }  # fmt: skip
    assert provenance["deck.total"] == provenance["race.hand"] == "rulebook"


def test_the_page_calls_known_what_the_edition_has_from_the_rulebook_and_no_more() -> None:
    page = find("charioteer").web.rules_text() or ""
    known, reconstructed = page.partition("**Known:**")[2].split("**Reconstructed:**")
    values = reference().provenance
    for path, word, said in (
        ("die.faces", "one face", "result"),
        ("skills.bonus_box.values", "+7", "+9"),
        ("track.spaces", "76 spaces", "three laps"),
    ):
        assert values[path] == "reconstructed"
        assert word in reconstructed and word not in known
        assert said in known


# --- editions as objects --------------------------------------------------------------------------------------------


def test_template_is_the_text_of_the_reference(tmp_path: Path) -> None:
    TRIAL.check_template(tmp_path)


def test_nothing_of_an_edition_can_be_changed() -> None:
    edition = reference()
    with pytest.raises(AttributeError):
        edition.name = "mine"  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        edition.data[0] = 1
    with pytest.raises(TypeError):
        edition.provenance["race.laps"] = "printed"  # type: ignore[index]


def test_copies_are_equal_and_read_only() -> None:
    check_copies(reference())


def test_key_is_the_beginning_of_the_hash() -> None:
    TRIAL.check_key()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("laps = { value = 3,", "laps = { value = 2,"),
        ('"5 x +3 red",\n  "5 x +3 yellow",', '"6 x +3 red",\n  "4 x +3 yellow",'),
        ('"red-5 red-5 green-2"', '"red-5 red-5 red-5 green-2"'),
        ('"4 x regular",', '"3 x regular", "outer",'),
        ("values = [3, 5, 7, 9]", "values = [3, 5, 7, 8]"),
        ('faces = ["sprint", "attack"', 'faces = ["attack", "attack"'),
        ('"green red yellow black"', '"black yellow red green"'),
        ('"discard-3"', '"discard-2"'),
    ],
)
def test_hash_changes_with_a_value(old: str, new: str) -> None:
    TRIAL.check_other_hash(changed(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# The race cards:", "# All the race cards:"),
        ("laps = { value = 3, source", "laps={value=3,source"),
        (
            'laps = { value = 3, source = "rulebook" }',
            'laps = { value = 3, source = "printed", why = "lap 3" }',
        ),
        ('"4 x regular",', '"1 x regular", "3 regular",'),
        ('"3 x whip"', '"whip", "2x whip"'),
        ('"red-5 red-5 green-2"', '"green-2  red-5 red-5 "'),
        ('"green-2", "green-4", "green-6",', '"green-6", "green-4", "green-2",'),
        ('name = "Reference edition"', 'name = "My copy"'),
    ],
)
def test_hash_does_not_change_with_comments_provenance_or_spelling(old: str, new: str) -> None:
    text = changed(old, new)
    TRIAL.check_same_hash(text)
    assert parse(text, "my.toml").card_names == reference().card_names


def test_owner_may_have_other_figures() -> None:
    text = changed("total = { value = 147,", "total = { value = 146,").replace('"3 x whip"', '"2 x whip"')
    edition = parse(text.replace("values = [1, 1, 1, 1, 1, 1, 1, 1]", "values = [1, 1, 2]"), "my.toml")
    assert record(edition).cards == 146
    assert record(edition).skill_spaces == 7
    assert record(edition).skill_bonus[:11].tolist() == [0, 0, 0, 0, 1, 1, 2, 3, 5, 7, 9]


def test_fan_token_like_a_player_token_has_a_name_of_its_own() -> None:
    edition = parse(changed('"5 x +3 red"', '"5 x +5 red"'), "my.toml")
    mine, fans = edition.kind_names.index("+5 red"), edition.kind_names.index("fan +5 red")
    assert (record(edition).kind_fan[mine], record(edition).kind_fan[fans]) == (0, 1)
    assert (record(edition).player_tokens[fans], record(edition).fan_tokens[mine]) == (0, 0)
    assert len(set(edition.kind_names)) == len(edition.kind_names)


def test_learning_token_may_be_without_colour() -> None:
    edition = parse(changed('"2 x learning red"', '"2 x learning"'), "my.toml")
    assert record(edition).kind_colour[edition.kind_names.index("learning")] == state.ANY_COLOUR


def test_adjacent_outer_spaces_are_allowed() -> None:
    edition = parse(changed('"4 x regular",', '"2 x regular", "2 x outer",'), "my.toml")
    assert record(edition).outer[:4].tolist() == [0, 0, 1, 1]


# --- mistakes, each on its line -------------------------------------------------------------------------------------

LAPS = 'laps = { value = 3, source = "rulebook" }'

# fmt: off
MISTAKES = {
    # heading
    "format": ("format = 1", "format = 2", "only format 1 can be read"),
    "format is true": ("format = 1", "format = true", "only format 1 can be read"),
    "game": ('game = "charioteer"', 'game = "chess"', 'it must be "charioteer"'),
    "empty name": ('name = "Reference edition"', 'name = " "', "1 to 60 printable characters"),
    "name with a control character": ('name = "Reference edition"', 'name = "a\\u0007"', "printable"),
    # single values
    "value too low": ("laps = { value = 3,", "laps = { value = 0,",
        "race.laps is 0: it must be a whole number, 1 to 9"),
    "value too high": ("hand = { value = 8,", "hand = { value = 9,",
        "race.hand is 9: it must be a whole number, 3 to 8"),
    "value of another type": ("laps = { value = 3,", 'laps = { value = "3",',
        'race.laps is "3": it must be a whole'),
    "value is true": ("laps = { value = 3,", "laps = { value = true,", "race.laps is true"),
    "value is a fraction": ("laps = { value = 3,", "laps = { value = 3.0,", "race.laps is 3.0"),
    "value enormous": ("laps = { value = 3,", "laps = { value = 0xffffffffffffffffffff,",
        "a number far too big"),
    "no value": ("laps = { value = 3, ", "laps = { ", "race.laps has no value"),
    "attacks the wrong way round": ("major_attack_cards = { value = 4,", "major_attack_cards = { value = 3,",
        "more cards than a minor one"),
    # provenance
    "no provenance": (LAPS, "laps = 3", "race.laps has no source: write { value = 3, source"),
    "no source": (LAPS, "laps = { value = 3 }", "race.laps has no source"),
    "unknown source": (LAPS, 'laps = { value = 3, source = "hearsay" }',
        'unknown source "hearsay": the sources are rulebook, review, reconstructed and printed'),
    "no reason": (LAPS, 'laps = { value = 3, source = "reconstructed" }',
        "race.laps is reconstructed: add why"),
    "empty reason": (LAPS, 'laps = { value = 3, source = "printed", why = "" }',
        'why is "": it must be a reason in words'),
    "unknown key beside a value": (LAPS, 'laps = { value = 3, source = "rulebook", page = 4 }',
        'unknown key "page" in race.laps: the keys are value, source and why'),
    # unknown keys
    "unknown key": ("[die]", "[die]\nsides = 6",
        'unknown key "sides" in die: the keys are faces, source and why'),
    "unknown key with a dot": ("format = 1", 'format = 1\n"race.laps" = 3',
        'unknown key "race.laps" at the top'),
    "unknown table": ("[die]", "[cubes]\n[die]",
        'unknown key "cubes" at the top: the keys are format, game, name, '),
    # lists
    "not a list": ("values = [3, 5, 7, 9]", "values = 3", "skills.bonus_box.values is 3: it must be a list"),
    "entry not a text": ('"3 x whip"', "3", "3 stands in the list: each entry must be a text in quotes"),
    "entry that counts nothing": ('"3 x whip"', '"0 x whip"', "counts nothing"),
    # totals
    "a card missing": ("total = { value = 147,", "total = { value = 148,",
        "says 148 cards, but deck.list holds 147"),
    "a fan token missing": ("total = { value = 60,", "total = { value = 59,",
        "says 59 tokens, but tokens.fan.list holds 60"),
    "a player token missing": ("total = { value = 5,", "total = { value = 6,",
        "says 6 tokens, but tokens.player.list holds 5"),
    "a skills card missing": ("total = { value = 24,", "total = { value = 25,", "says 25 skills cards, but"),
    "a space missing": ("spaces = { value = 76,", "spaces = { value = 75,",
        "says 75 spaces, but track.sections holds 76"),
    # track
    "unknown space": ('"24 x regular"', '"18 x inner"',
        'unknown space "inner" in section "inner": the spaces are regular and outer'),
    "empty section": ('"24 x regular"', '"24 x regular", ""', 'unknown space ""'),
    "lap too long": ('"20 x regular"', '"110 x regular"', "more than 160 spaces"),
    "start beyond the lap": ("start = { value = 4,", "start = { value = 76,",
        "the start lies 76 spaces before the line, beyond the lap of 76"),
    "start on the line": ("start = { value = 4,", "start = { value = 0,", "track.start is 0"),
    # symbols
    "colour of a symbol": ('"green-2", "green-4"', '"blue-2", "green-4"',
        'unknown symbol "blue-2": a symbol is a colour'),
    "number of a symbol": ('"green-2", "green-4"', '"green-21", "green-4"', 'unknown symbol "green-21"'),
    "symbol twice": ('"green-2", "green-4"', '"green-4", "green-4"', "green-4 is listed twice"),
    # cards
    "unknown symbol": ('"red-5 red-5 green-2"', '"red-9 red-5 green-2"',
        'unknown symbol "red-9" in card "red-9 red-5 green-2":'),
    "unknown colour on a card": ('"red-5 red-5 green-2"', '"blue-5 red-5 green-2"',
        'unknown symbol "blue-5" in card'),
    "unknown icon": ('"red-1 red-1 shield"', '"red-1 red-1 sword"',
        'unknown icon "sword" in card "red-1 red-1 sword":'),
    "token icon on a card": ('"red-1 red-1 shield"', '"red-1 red-1 wild"', 'unknown icon "wild" in card'),
    "two icons": ('"red-1 red-1 shield"', '"red-1 red-1 shield whip"',
        "has 2 icons: it can have one at most"),
    "empty card": ('"red-1 red-1 shield"', '""', "shows nothing: it must show a symbol or an icon"),
    "crowded card": ('"red-1 red-1 shield"', f'"{"red-1 " * 10}"', "shows 10 symbols: it can show 9 at most"),
    "more cards than fit": ('"3 x whip"', '"49 x whip"',
        "deck.list is too long: from here on it holds more than 192"),
    "far more cards than fit": ('"3 x whip"', f'"{"9" * 30} x whip"', "more than 192"),
    # tokens
    "unknown token": ('"6 x shield"', '"6 x sword"', 'unknown token "sword": a token is written "+5 red"'),
    "unknown colour of a token": ('"5 x +3 red"', '"5 x +3 blue"',
        'unknown colour "blue" in token "+3 blue": the colours are green, red, yellow and black'),
    "plus without colour": ('"5 x +3 red"', '"5 x +3"', 'the token "+3" needs a colour after it'),
    "wild without colour": ('"3 x wild red"', '"3 x wild"', 'the token "wild" needs a colour after it'),
    "shield with a colour": ('"6 x shield"', '"6 x shield red"', 'can have no colour: write "shield"'),
    "plus without number": ('"5 x +3 red"', '"5 x + red"', 'unknown token "+ red"'),
    "plus too high": ('"5 x +3 red"', '"5 x +21 red"', 'unknown token "+21 red"'),
    "discard without number": ('"4 x discard-2"', '"4 x discard"', 'unknown token "discard"'),
    "discard more than a hand": ('"4 x discard-2"', '"4 x discard-9"', 'unknown token "discard-9"'),
    "more tokens than fit": ('"4 x discard-2"', '"65 x discard-2"', "more than 120"),
    # skills
    "start space missing": ("values = [0, 0, 0, 0]", "values = [0, 0, 0]",
        "skills.start.values has length 3: it must have 4"),
    "bonus place missing": ("values = [3, 5, 7, 9]", "values = [3, 5, 7]", "has length 3: it must have 4"),
    "no middle": ("values = [1, 1, 1, 1, 1, 1, 1, 1]", "values = []", "has length 0: it must have 1 to 24"),
    "skill value": ("values = [3, 5, 7, 9]", "values = [3, 5, 7, 99]", "skills.bonus_box.values.3 is 99"),
    "skills card with a colour twice": ('"green red yellow black"', '"green red yellow yellow"',
        '"green red yellow yellow" is not a skills card:'),
    "skills card with an unknown colour": ('"green red yellow black"', '"green red yellow blue"',
        "is not a skills card"),
    "skills card too short": ('"green red yellow black"', '"green red yellow"', "is not a skills card"),
    # die
    "unknown face": ('"corner", "all", "disrupt"]', '"corner", "all", "six"]',
        'unknown face "six": the faces are sprint, attack, recover, corner, all and disrupt'),
    "too many faces": ('"corner", "all", "disrupt"]', '"corner", "9 x all"]', "more than 12"),
}
# fmt: on


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_is_named_with_its_line(mistake: str) -> None:
    TRIAL.check_mistake(*MISTAKES[mistake])


def test_message_says_what_would_be_right() -> None:
    said = only_problem(changed('"red-5 red-5 green-2"', '"red-9 red-9 green-2"'))[1]
    symbols = "green-2, green-4, green-6, red-1, red-3, red-5, yellow-0, yellow-2, yellow-4, black-0, black-1"
    assert said == (f'unknown symbol "red-9" in card "red-9 red-9 green-2": the symbols are {symbols} and black-2')
    said = only_problem(changed('"red-1 red-1 shield"', '"red-1 sword"'))[1]
    assert said == ('unknown icon "sword" in card "red-1 sword": the icons are shield, whip, recovery and learning')


@pytest.mark.parametrize("table", ["race", "die", "disrupt", "symbols", "skills.start", "tokens.fan"])
def test_missing_table(table: str) -> None:
    assert f"the table [{table}] is missing" in {said for _, said in problems(TRIAL.without(table))}


@pytest.mark.parametrize("key", ["format", "game", "name"])
def test_missing_heading(key: str) -> None:
    text = "\n".join(row for row in ROWS if not row.startswith(f"{key} = "))
    line, said = only_problem(text)
    assert (line, said.partition(":")[0]) == (1, f"{key} is missing")


def test_missing_value_is_reported_at_its_table() -> None:
    text = changed('hand = { value = 8, source = "rulebook" }\n', "")
    assert only_problem(text) == (
        line_of(text, "[race]"),
        'race.hand is missing: write hand = { value = ..., source = "..." } in [race]',
    )


def test_misspelt_key_is_both_missing_and_unknown() -> None:
    text = changed("hand = {", "hnad = {")
    missing, unknown = problems(text)
    assert missing[1].startswith("race.hand is missing")
    assert unknown[0] == line_of(text, "hnad")
    assert unknown[1].startswith('unknown key "hnad" in race: the keys are laps, hand, ')


def test_list_without_source() -> None:
    why = next(row for row in ROWS if row.startswith('why = "the texts tell of a six-sided die'))
    text = changed(f'source = "reconstructed"\n{why}\nfaces', "faces")
    line, said = only_problem(text)
    assert line == line_of(text, "faces = [")
    assert said.startswith("die.faces has no source")


def test_list_without_reason() -> None:
    why = next(row for row in ROWS if row.startswith('why = "four colours'))
    text = changed(why + "\n", "")
    line, said = only_problem(text)
    assert said == 'skills.cards.list is reconstructed: add why = "..." with the reason'
    assert text.split("\n")[line - 1] == 'source = "reconstructed"'


def test_track_without_corners() -> None:
    line, said = only_problem(_with_sections('"76 x regular"'))
    assert line == line_of(TEXT, "sections = [")
    assert said.startswith("the track has no corner")


def test_track_without_regular_spaces() -> None:
    line, said = only_problem(_with_sections('"76 x outer"'))
    assert line == line_of(TEXT, "sections = [")
    assert said.startswith("the track has no way round")


def test_track_without_spaces() -> None:
    assert {"track.spaces says 76 spaces, but track.sections holds 0: correct whichever is wrong"} <= {
        said for _, said in problems(_with_sections(""))
    }


def _with_sections(sections: str) -> str:
    start, end = TEXT.index("sections = ["), TEXT.index("]", TEXT.index("# straight up to the line"))
    return TEXT[:start] + f"sections = [{sections}" + TEXT[end:]


def _with_deck(cards: str, total: int) -> str:
    start, end = TEXT.index("  # two green-2 and"), TEXT.index("]", TEXT.index('"3 x whip"'))
    return (TEXT[:start] + f"  {cards}\n" + TEXT[end:]).replace("value = 147", f"value = {total}")


def test_deck_must_do_for_a_full_table() -> None:
    symbols = " ".join(reference().symbol_names[:6]), " ".join(reference().symbol_names[6:])
    line, said = only_problem(_with_deck(f'"25 x {symbols[0]}", "26 x {symbols[1]}"', 51))
    assert line == line_of(TEXT, "list = [\n  # two green-2")
    assert said == "51 cards are too few: 6 hands of 8, 3 crowd cards and one to draw make 52"
    assert record(parse(_with_deck(f'"26 x {symbols[0]}", "26 x {symbols[1]}"', 52), "my.toml")).cards == 52


def test_deck_must_have_moves_with_every_symbol() -> None:
    found = problems(_with_deck(f'"{" ".join(reference().symbol_names[:6])}", "59 x whip"', 60))
    line = line_of(TEXT, "list = [\n  # two green-2")
    assert (line, "cards that show red-5: 1, but a move takes 2") in found
    assert (line, "cards that show black-2: 0, but a move takes 2") in found
    assert len(found) == 12


def test_each_colour_has_three_symbols() -> None:
    found = problems(changed('"red-1", "red-3", "red-5",', '"red-1", "red-3", "black-5",'))
    line = line_of(TEXT, 'list = [\n  "green-2"')
    assert (line, "2 symbols are red: each colour must have 3 different numbers") in found
    assert (line, "4 symbols are black: each colour must have 3 different numbers") in found


def test_each_seat_needs_a_skills_card() -> None:
    cards = [row for row in ROWS if sorted(row.strip(' ",').split()) == sorted(COLOURS)]
    text = changed("\n".join(cards[5:]) + "\n", "").replace("value = 24", "value = 5")
    assert only_problem(text)[1] == "5 skills cards are too few: there must be one for each of 6 seats"


def test_die_needs_a_face() -> None:
    text = changed('["sprint", "attack", "recover", "corner", "all", "disrupt"]', "[]")
    assert only_problem(text) == (line_of(text, "faces ="), "the die has no face: it must have 1 to 12")


def test_kinds_of_token_beyond_the_capacity() -> None:
    kinds = ", ".join(f'"+{n} {colour}"' for n in range(6, 12) for colour in COLOURS)
    text = changed('  "discard-3",\n', f'  "discard-3", {kinds}\n').replace(
        "total = { value = 5,", "total = { value = 29,"
    )
    assert only_problem(text)[1].startswith("there are 45 kinds of token")


def test_all_problems_are_reported_at_once_in_the_order_of_the_file() -> None:
    text = changed("laps = { value = 3,", "laps = { value = 0,")
    text = text.replace('"6 x shield"', '"7 x shield"').replace('"red-5 red-5 green-2"', '"red-9 red-5 green-2"')
    text = text.replace('"corner", "all"', '"bend", "all"')
    found = problems(text)
    pieces = ["value = 0,", '"bend"', '"red-9', "total = { value = 60"]
    assert [line for line, _ in found] == [line_of(text, piece) for piece in pieces]


def test_broken_symbols_do_not_make_every_card_a_problem() -> None:
    assert len(problems(changed('"green-2", "green-4"', '"grene-2", "green-4"'))) == 1


def test_message_of_the_error_names_file_and_line() -> None:
    text = changed("laps = { value = 3,", "laps = { value = 0,")
    with pytest.raises(EditionError, match=rf"^my.toml:{line_of(text, 'laps = ')}: race.laps is 0"):
        parse(text, "my.toml")
