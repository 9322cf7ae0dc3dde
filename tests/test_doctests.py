"""The examples in the docstrings of the public modules run, and show what they say."""

from __future__ import annotations

import doctest
import importlib
import tempfile

import pytest

import spina

PUBLIC = [
    "spina",
    "spina.race",
    "spina.branches",
    "spina.replay",
    "spina.simulation",
    "spina.bots",
    "spina.games.registry",
    "spina.games.mapping_struct",
    "spina.games.charioteer",
    "spina.games.chariot_race",
    "spina.games.chariotmaster",
]
SHOWN = {
    "spina": ["spina"],
    "spina.race": [
        "Race",
        "legal",
        "check",
        "play",
        "retract",
        "explain",
        "offer",
        "view",
        "copy",
        "save",
        "new",
        "position",
    ],
    "spina.branches": ["branch"],
    "spina.replay": ["load"],
    "spina.simulation": ["simulate"],
    "spina.bots": ["make", "names"],
}
"""What must have an example, by module."""


def examples(module: str) -> list[doctest.DocTest]:
    """The examples of a module, with the names that they may use."""
    names = {**vars(importlib.import_module(module)), "spina": spina, "tempfile": tempfile}
    found = doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(module), module, extraglobs=names)
    return [test for test in found if test.examples]


@pytest.mark.parametrize("module", PUBLIC)
def test_the_examples_show_what_happens(module: str) -> None:
    tests = examples(module)
    assert tests, f"{module} has no example"
    said: list[str] = []
    for test in tests:
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
    assert not said, "".join(said)


@pytest.mark.parametrize("module", SHOWN)
def test_the_public_functions_have_examples(module: str) -> None:
    shown = {test.name.rpartition(".")[2] for test in examples(module)}
    assert set(SHOWN[module]) <= shown
