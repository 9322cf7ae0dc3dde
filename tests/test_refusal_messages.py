"""Refusals are codes with parameters: every code of the source has its words in every language of the pages."""

from __future__ import annotations

import ast
import json
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import page_sentences
import pytest
import refusal_messages

import spina
from spina.errors import EditionError, IllegalAction, OptionError
from spina.games.charioteer.play.refusals import say
from spina.sentences import OTHER, Listed, Sentence, coded, listed

SOURCE = Path(spina.__file__).parent
BRACES = re.compile(r"\{([a-z_]+)\}")
CODE = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*")
TOLD = {
    *("IllegalAction", "NotationError", "OptionError", "EditionError", "PositionError", "SaveError"),
    *("Refusal", "FormError", "refuse"),
}
"""Errors that can reach a page."""
PAGES = [
    *SOURCE.glob("*.py"),
    *SOURCE.glob("games/*.py"),
    *SOURCE.glob("games/*/game.py"),
    *SOURCE.glob("games/*/components/*.py"),
    *SOURCE.glob("games/*/play/*.py"),
    *SOURCE.glob("table/http/*.py"),
    *SOURCE.glob("table/live/*.py"),
]
"""Modules whose errors can reach a page."""
LIBRARY_ONLY = {"simulation.py", "registry.py"}
"""Codes that reach no page: simulations, installing games."""

ENGLISH = {id_: message for messages in refusal_messages.english().values() for id_, message in messages.items()}


def forms(message: refusal_messages.Message) -> list[str]:
    return [message] if isinstance(message, str) else [message["one"], message["other"]]


def parameters(message: refusal_messages.Message) -> set[str]:
    return {name for form in forms(message) for name in BRACES.findall(form)}


def calls(path: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield node


def name_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def codes_of(node: ast.expr) -> list[str]:
    """The codes that an expression names: one, or one of two."""
    if isinstance(node, ast.IfExp):
        return codes_of(node.body) + codes_of(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


# --- messages --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", refusal_messages.english(), ids=lambda folder: folder.parent.parent.name)
def test_the_english_messages_are_those_of_the_catalogues(folder: Path) -> None:
    written = (folder / "en" / "refusals.json").read_text(encoding="utf-8")
    wanted = refusal_messages.text_of(refusal_messages.english()[folder])
    assert written == wanted, "run python tools/refusal_messages.py"


@pytest.mark.parametrize("language", refusal_messages.OTHERS)
@pytest.mark.parametrize("folder", refusal_messages.english(), ids=lambda folder: folder.parent.parent.name)
def test_every_code_has_words_with_the_same_parameters_in_other_languages(folder: Path, language: str) -> None:
    english = refusal_messages.english()[folder]
    other = json.loads((folder / language / "refusals.json").read_text(encoding="utf-8"))
    assert other.keys() == english.keys()
    for id_, message in english.items():
        assert parameters(other[id_]) == parameters(message), id_
        assert type(other[id_]) is type(message), id_


def test_no_code_is_in_two_catalogues() -> None:
    found: dict[str, Path] = {}
    for folder, catalogue in refusal_messages.catalogues():
        for code in catalogue.own:
            assert CODE.fullmatch(code) and code not in found, code
            found[code] = folder


# --- the source ------------------------------------------------------------------------------------------------------


def test_every_sentence_that_the_source_says_has_its_code_and_parameters() -> None:
    said = 0
    for path in SOURCE.rglob("*.py"):
        if not re.search(r"refusal(s|_codes) import", path.read_text(encoding="utf-8")):
            continue
        for call in calls(path):
            if name_of(call) != "say" or not call.args:
                continue
            given = {keyword.arg for keyword in call.keywords}
            for code in codes_of(call.args[0]):
                message = ENGLISH.get(f"refused.{code}")
                assert message is not None, f"{path.name}: {code}"
                assert None in given or parameters(message) <= given, f"{path.name}: {code}"
                said += 1
    assert said > 300


def test_every_code_is_used() -> None:
    written, begun = set(), []
    for path in SOURCE.rglob("*.py"):
        if path.name in ("refusals.py", "refusal_codes.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                written.add(node.value)
            if isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[0], ast.Constant):
                begun.append(str(node.values[0].value))
    starts = tuple(begin for begin in begun if CODE.fullmatch(begin.removesuffix(".")) and begin.endswith("."))
    codes = {id_.removeprefix("refused.") for id_ in ENGLISH.keys() - refusal_messages.FIXED.keys()}
    assert {code for code in codes if code not in written and not code.startswith(starts)} == set()


def test_no_error_that_can_reach_a_page_has_a_sentence_without_a_code() -> None:
    plain = [
        f"{path.relative_to(SOURCE)}:{call.lineno}"
        for path in PAGES
        if path.name not in LIBRARY_ONLY
        for call in calls(path)
        if name_of(call) in TOLD
        for argument in call.args[:2]
        if isinstance(argument, ast.JoinedStr)
        or (isinstance(argument, ast.Constant) and isinstance(argument.value, str) and " " in argument.value)
    ]
    assert plain == []


def test_no_page_script_looks_into_a_sentence_of_the_server() -> None:
    assert page_sentences.findings() == []


@pytest.mark.parametrize(
    "line",
    [
        "if (/fantasy races/.test(problem)) return 1;",
        'const at = why.includes("something is in the way");',
        "if (problem.startsWith('designs, chariot ')) return 2;",
        "notice(answer.reason, true);",
        "notice(error.message, true);",
        'return text === "the race is over";',
    ],
)
def test_a_script_that_looks_into_a_sentence_would_be_found(line: str) -> None:
    assert list(page_sentences.in_script(f"// a script\n{line}\n", page_sentences.sentences()))


@pytest.mark.parametrize(
    "line", ["found = /^whip (horses|driver) of (.+)$/.exec(notation);", 'stage === "race over"', "advice.reason"]
)
def test_notation_and_names_are_no_sentences(line: str) -> None:
    assert not list(page_sentences.in_script(line, page_sentences.sentences()))


# --- sentences -------------------------------------------------------------------------------------------------------


def test_a_sentence_is_its_text_with_a_code_and_parameters() -> None:
    sentence = say("charioteer.card-lacks-symbol", letter="a", card="red-5 whip", symbol="black-2")
    assert sentence == "card a (red-5 whip) shows no black-2"
    assert coded(sentence) == {
        "code": "charioteer.card-lacks-symbol",
        "parameters": {"letter": "a", "card": "red-5 whip", "symbol": "black-2"},
    }
    longer = sentence.reworded("something else")
    assert (str(longer), coded(longer)) == ("something else", coded(sentence))


def test_a_sentence_holds_others_and_lists() -> None:
    inner = say("charioteer.none")
    outer = say("charioteer.token-not-held", token="+5 red", held=inner)
    assert outer == "the seat holds no token +5 red: it holds none"
    assert coded(outer)["parameters"]["held"] == {"code": "charioteer.none", "parameters": {}}
    words = listed(["a", "b", "c"])
    assert words == "a, b and c" and isinstance(words, Listed)
    assert coded(say("edition.no-source", path="x", allowed=words))["parameters"]["allowed"] == ["a", "b", "c"]


def test_one_thing_is_counted_otherwise_than_several() -> None:
    assert [str(say("count.seat", count=count)) for count in (0, 1, 2)] == ["0 seats", "1 seat", "2 seats"]


def test_sentences_come_out_of_a_pickle_as_they_went_in() -> None:
    sentence = say("charioteer.token-not-held", token="+5 red", held=say("charioteer.none"))
    again = pickle.loads(pickle.dumps(sentence))
    assert isinstance(again, Sentence) and (again, coded(again)) == (sentence, coded(sentence))
    words = pickle.loads(pickle.dumps(listed(["a", "b"])))
    assert isinstance(words, Listed) and words.words == ("a", "b")


def test_an_error_keeps_its_sentence() -> None:
    sentence = say("race.over")
    assert OptionError(sentence).sentence is sentence and str(OptionError(sentence)) == "the race is over"
    illegal = IllegalAction(sentence, ["done"])
    assert str(illegal) == "the race is over (possible: done)"
    assert coded(illegal.said) == coded(sentence) and str(illegal.said) == str(illegal)
    edition = EditionError("mine.toml", [(3, say("edition.no-why", path="hand")), (9, "…")])
    assert coded(edition.said)["parameters"]["line"] == 3
    assert "mine.toml:9" in str(edition)


def test_an_error_without_a_code_tells_a_page_nothing_but_that_it_is_not_possible() -> None:
    error = OptionError("the oracle is asleep")
    assert error.sentence is None and coded(error.said) == coded(OTHER)


def test_lone_surrogates_are_written_as_escapes() -> None:
    sentence = say("charioteer.card-twice", letter="\ud800")
    assert sentence == 'card "\\ud800" is named twice'
    assert coded(sentence)["parameters"] == {"letter": "\\ud800"}
