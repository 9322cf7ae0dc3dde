"""Refusals in the page's language, for pages that the server renders. Scripts use `refusals.js`."""

from __future__ import annotations

from typing import Any

from spina.sentences import Listed, Sentence
from spina.web.messages import messages


def refusal_words(language: str, sentence: str) -> str:
    """The sentence in this language. Without a code or a message it is a general "not possible"."""
    id_ = f"refused.{sentence.code}" if isinstance(sentence, Sentence) else "refused.other"
    if not isinstance(sentence, Sentence) or not messages().has(language, id_):
        return messages().text(language, "refused.other")
    parameters = {name: _words(language, value) for name, value in sentence.parameters.items()}
    return messages().text(language, id_, **parameters)


def _words(language: str, value: Any) -> Any:
    if isinstance(value, Sentence):
        return refusal_words(language, value)
    if isinstance(value, Listed):
        words = [str(_words(language, word)) for word in value.words]
        if len(words) < 2:
            return "".join(words)
        return messages().text(language, "refused.list", words=", ".join(words[:-1]), last=words[-1])
    return value
