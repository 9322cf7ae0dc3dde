"""Edition files in general: the lines of a file, its limits, and harmful files."""

from __future__ import annotations

import json
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from edition_helpers import Change, Trial, changes, line_of, mutated
from hypothesis import given, settings
from hypothesis import strategies as st

from spina.errors import EditionError
from spina.games import find, toml_lines
from spina.games.charioteer.components import edition
from spina.games.charioteer.components.edition import load, parse, reference
from spina.games.editions import DEPTH, SIZE, Lines, joined

TRIAL = Trial(edition, lambda edition, record: len(edition.card_names) == record.cards)
TEXT, ROWS = TRIAL.text, TRIAL.rows
changed, problems, only_problem = TRIAL.changed, TRIAL.problems, TRIAL.only_problem


# --- files that are not editions at all -----------------------------------------------------------------------------


def test_syntax_error_has_its_line() -> None:
    text = changed('  "red-5 red-5 green-2",', '  "red-5 red-5 green-2,')
    line, said = only_problem(text)
    assert line == line_of(text, '"red-5 red-5 green-2,')
    assert said.startswith("not valid TOML: ")


def test_unfinished_file() -> None:
    line, said = only_problem(TEXT[: TEXT.index('  "3 x whip"')])
    assert line == line_of(TEXT, '  "3 x whip"')
    assert said.startswith("not valid TOML: ")


def test_key_written_twice() -> None:
    text = changed("[die]", "[race]\nlaps = 3\n[die]")
    first, again = line_of(text, "[race]"), line_of(text, "[race]\nlaps = 3")
    assert only_problem(text) == (again, f"race is written twice: it already stands on line {first}")
    text = changed("hand = {", "laps = {")
    first, again = line_of(text, "laps = {"), line_of(text, "laps = { value = 8")
    assert only_problem(text) == (again, f"race.laps is written twice: it already stands on line {first}")


def test_file_that_is_too_big() -> None:
    assert only_problem("#" * (SIZE + 1))[1].startswith("the file is too big")


@pytest.mark.parametrize(
    "text",
    [
        "a." * (SIZE // 2 - 9) + "a = 1",
        "a = " + "[" * (SIZE - 9),
        "a = " + "{a=" * (SIZE // 3 - 9),
        "a = " + "9" * (SIZE - 9),
        "a" * 61 + " = 1",
    ],
    ids=["dotted key", "nested lists", "nested tables", "long number", "long key"],
)
def test_bounds_keep_such_a_file_from_the_parser(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tomllib, "loads", lambda text: pytest.fail("parsed"))
    assert only_problem("\n" + text)[0] == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"a{i}.b.c.d.e.f.g.h=1" for i in range(11_000)),
        "".join(f"[a{i}.b.c.d.e.f.g.h]\n" for i in range(10_000)),
        TEXT.replace("sections = [", "sections = [" + "1," * 110_000),
        ".".join(["k" * 60] * 7) + "=[" + "1," * 120_000 + "]",
        'a="""' + '""\\"' * 60_000,
        "[[a]]\n" * 40_000,
        TEXT.replace('"3 x whip"', '"' + "zz " * 30_000 + '"'),
        TEXT.replace('"4 x regular"', '"150 x ' + "regular " * 30_000 + '"'),
    ],
    ids=["dotted keys", "tables", "list", "long paths", "quotes", "array of tables", "long card", "long lap"],
)
def test_big_files_are_refused_fast(text: str) -> None:
    before = time.process_time()
    problems(text)
    assert time.process_time() - before < 10


def test_reading_ends_at_the_twentieth_problem() -> None:
    wrong = "\n".join(f"k{number} = 1" for number in range(500)) + "\n" + TEXT
    assert [line for line, _ in problems(wrong)] == list(range(1, 21))
    twice = "\n".join("laps = 1" for _ in range(500))
    assert len(problems(twice)) <= 20
    assert len(problems(changed("laps = { value = 3,", "laps = { value = 0,").replace("hand = {", "hands = {"))) == 3


def test_a_file_with_too_many_values_is_refused_before_it_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tomllib, "loads", lambda text: pytest.fail("parsed"))
    for text in ("x = [" + "1,\n" * 3_000 + "]", "\n".join(f"k{number} = 1" for number in range(3_001))):
        assert only_problem(text)[1] == "too many keys and list elements: a file has at most 3000"


@pytest.mark.parametrize("name", ["charioteer", "chariot-race", "chariotmaster"])
def test_an_edition_of_a_known_text_is_not_read_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = find(name)
    own = game.editions.template() + "# of my own\n"
    first = game.parse_edition(own, "edition")
    monkeypatch.setattr(toml_lines.Lines, "_document", lambda self: pytest.fail("read again"))
    assert game.parse_edition(own, "another") is first
    assert game.kept_edition(first.hash, own) is first


def test_text_that_cannot_be_encoded() -> None:
    assert only_problem('\nname = "\ud800"') == (2, "'\\ud800' is not a character")


def test_windows_line_ends() -> None:
    assert parse(TEXT.replace("\n", "\r\n"), "my.toml") == reference()
    text = changed("laps = { value = 3,", "laps = { value = 0,")
    assert problems(text.replace("\n", "\r\n")) == problems(text)


# --- files ----------------------------------------------------------------------------------------------------------


def test_load(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(TEXT, encoding="utf-8")
    assert load(path) == load(str(path)) == reference()
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.encode())
    assert load(path) == reference()


def said_of(path: Path | str) -> list[tuple[int, str]]:
    with pytest.raises(EditionError) as caught:
        load(path)
    assert caught.value.name == str(path)
    return list(caught.value.problems)


def test_missing_file(tmp_path: Path) -> None:
    assert said_of(tmp_path / "none.toml") == [(1, "there is no such file")]


def test_folder_instead_of_a_file(tmp_path: Path) -> None:
    assert said_of(tmp_path) == [(1, "this is not a file")]


def test_impossible_path() -> None:
    assert said_of("a\0b")[0][1].startswith(("there is no such file", "the file cannot be read"))


def test_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "my.toml"
    path.write_text(TEXT, encoding="utf-8")
    monkeypatch.setattr(Path, "open", closed)
    assert said_of(path) == [(1, "the file cannot be read: Permission denied")]


def test_file_that_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_bytes(b'format = 1\nname = "caf\xe9"\n')
    assert said_of(path) == [(2, "the file is not UTF-8 text: save it with that encoding")]


def test_file_that_is_too_big_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    with path.open("wb") as file:
        file.truncate(10**12)  # sparse
    assert said_of(path)[0][1].startswith("the file is too big")


# --- the scanner of lines -------------------------------------------------------------------------------------------

SAMPLE = '''\
# a comment = 1
"top level" = 'a = 1'  # [not.a.table]
a.b = { c = 1, "d" = [2,
  3] }
text = """
[no.table]
x = "" \\""" y = 2
"""""
empty = [
]
[t]
list = [  # comment ]
  "one", 'two',
  { k = "]" },
]
[[t.many]]
x = 1
[[t.many]]
x = 2979-05-27 07:32:00
[t.many.sub]
y = -1e3
'''


def test_lines_of_everything() -> None:
    lines = Lines(SAMPLE)
    expected = {
        "top level": 2, "a": 3, "a.b": 3, "a.b.c": 3, "a.b.d": 3, "a.b.d.0": 3, "a.b.d.1": 4, "text": 5,
        "empty": 9, "t": 11, "t.list": 12, "t.list.0": 13, "t.list.1": 13, "t.list.2": 14, "t.list.2.k": 14,
        "t.many": 16, "t.many.0": 16, "t.many.0.x": 17, "t.many.1": 18, "t.many.1.x": 19, "t.many.1.sub": 20,
        "t.many.1.sub.y": 21,
    }  # fmt: skip
    assert lines.found == expected
    assert set(paths(tomllib.loads(SAMPLE))) == set(expected)


def test_line_of_something_missing_is_that_of_the_nearest_thing_around_it() -> None:
    lines = Lines(SAMPLE)
    assert lines.of("t.list.2.missing") == 14
    assert lines.of("t.list.9") == 12
    assert lines.of("nowhere.at.all") == 1


def paths(value: object, path: str = "") -> list[str]:
    """The path of every key and list element."""
    found = [path] if path else []
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        found += paths(part, joined(path, key))
    return found


def written(value: object) -> str:
    """A value as TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {written(part)}" for key, part in value.items()) + " }"
    if isinstance(value, list):
        return "[\n" + ",  # ]\n".join(map(written, value)) + "\n]"
    return json.dumps(value)


KEYS = st.text("ab-_ 'x", min_size=1, max_size=3)
SCALARS = st.integers(-9, 9) | st.booleans() | st.text("ab'\"\\\n#[]{}=,.", max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=8,
)


def depth(value: object) -> int:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(depth, parts), default=0) if isinstance(value, dict | list) else 0


@pytest.mark.slow
@given(st.dictionaries(KEYS, VALUES, max_size=4))
@settings(deadline=None)
def test_scanner_finds_what_the_parser_finds(data: dict[str, Any]) -> None:
    text = "\n".join(f"{json.dumps(key)} = {written(value)}" for key, value in data.items())
    if depth(data) <= DEPTH:
        lines = Lines(text)
        assert lines.refusal is None
        assert set(lines.found) == set(paths(tomllib.loads(text)))


MARKS = [
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    '"',
    "'",
    '"""',
    "'''",
    "=",
    ".",
    ",",
    "#",
    "\n",
    " ",
    "a",
    "b",
    "1",
    "\\",
]


@pytest.mark.slow
@given(st.lists(st.sampled_from(MARKS), max_size=30).map("".join))
@settings(deadline=None, max_examples=500)
def test_scanner_understands_whatever_the_parser_does(text: str) -> None:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    lines = Lines(text)
    if lines.refusal is None and "\\" not in text:
        assert set(paths(data)) <= set(lines.found)


# --- any file at all ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(st.text() | st.text("[]{}=\"'.,#\n ab1-_\\x\r\t", max_size=60))
@settings(deadline=None)
def test_any_text(text: str) -> None:
    TRIAL.survives(text)


PIECES = st.sampled_from(
    [*MARKS, "0", "-1", "99", "1e400", "nan", "red-5", "x", "true", "1979-05-27", "\x00", "é", "\ud800"]
)


@pytest.mark.slow
@given(changes(len(ROWS), PIECES))
@settings(deadline=None, max_examples=400)
def test_any_mutation_of_the_reference(changes: list[Change]) -> None:
    TRIAL.survives(mutated(TEXT, changes))


NUMBERS = [i for i, row in enumerate(ROWS) if "value = " in row]


@pytest.mark.slow
@given(st.sampled_from(NUMBERS), st.one_of(st.integers(), st.floats(), st.text("ab'", max_size=3)))
@settings(deadline=None)
def test_any_number_in_place_of_a_value(row: int, value: float | str) -> None:
    TRIAL.survives(TRIAL.with_value(row, value))
