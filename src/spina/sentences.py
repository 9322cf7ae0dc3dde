"""Sentences of refusals: English text that keeps its code and parameters.

A library user reads the text. A page is sent the code and the parameters (`coded`) and chooses the words itself, from
the messages `refused.CODE` of its language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

Template = str | tuple[str, str]
_BRACES = re.compile(r"\{([a-z_]+)\}")


def writable(text: str) -> str:
    """The text with lone surrogates written as escapes. A sentence stays one: its text is writable already."""
    return text if isinstance(text, Sentence) else text.encode(errors="backslashreplace").decode()


class Sentence(str):
    """An English sentence with a code and parameters, from which a page says it in another language.

    A parameter is a number, a text that is the same in every language (a name, notation, something that a person
    typed), another sentence, or words from `listed`. Some parameters stand only for pages, such as which option is
    wrong.
    """

    code: str
    parameters: Mapping[str, Any]

    def __new__(cls, code: str, text: str, parameters: Mapping[str, Any]) -> Sentence:
        sentence = super().__new__(cls, writable(str(text)))
        sentence.code, sentence.parameters = code, MappingProxyType(dict(parameters))
        return sentence

    def reworded(self, text: str) -> Sentence:
        """A sentence of the same code and parameters whose English text has more detail than pages show."""
        return Sentence(self.code, text, self.parameters)

    def __reduce__(self) -> tuple[Any, ...]:
        return Sentence, (self.code, str(self), dict(self.parameters))


class Catalogue:
    """English templates by code, with the names of parameters in braces; `beyond` is a catalogue for other codes.

    A template may have two forms, of which the parameter `count` chooses: for one and for any other number.
    """

    def __init__(self, templates: Mapping[str, Template], beyond: Catalogue | None = None) -> None:
        self.own = templates
        self.templates: Mapping[str, Template] = {**(beyond.templates if beyond else {}), **templates}

    def __call__(self, code: str, /, **parameters: Any) -> Sentence:
        """The sentence of a code with these parameters."""
        template = self.templates[code]
        if not isinstance(template, str):
            template = template[parameters["count"] != 1]
        text = _BRACES.sub(lambda match: str(parameters[match[1]]), template)
        return Sentence(code, text, parameters)


class Listed(str):
    """Words with commas and an "and" before the last. A page joins `words` as its language does."""

    words: tuple[str, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        return listed, (self.words,)


def listed(words: Iterable[str]) -> Listed:
    """Words with commas, and an "and" before the last."""
    each = tuple(words)
    joined = Listed(", ".join(each[:-1]) + " and " + each[-1] if len(each) > 1 else "".join(each))
    joined.words = each
    return joined


OTHER = Sentence("other", "this is not possible", {})
"""The code for an error that has none of its own, such as one of a game outside Spina."""


def coded(sentence: str | None) -> dict[str, Any]:
    """What a page is sent instead of a sentence: its code and parameters, as plain data."""
    known = sentence if isinstance(sentence, Sentence) else OTHER
    return {"code": known.code, "parameters": {name: _plain(value) for name, value in known.parameters.items()}}


def _plain(value: Any) -> Any:
    if isinstance(value, Sentence):
        return coded(value)
    if isinstance(value, Listed):
        return [_plain(word) for word in value.words]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) < 1 << 53:
        return int(value)
    return value if isinstance(value, float) else writable(str(value))
