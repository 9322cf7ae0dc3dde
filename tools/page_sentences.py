"""Find page scripts that look into sentences of the server: a page is sent codes with parameters.

    python tools/page_sentences.py

A finding is a script that reads a field in which only programs are sent a sentence, or that compares or searches with
words that a catalogue of refusals (`refusals.py`) has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from refusal_messages import SOURCE, catalogues

SCRIPTS = ("web/static/js/**/*.js", "games/*/web/**/*.js")
FIELD = re.compile(
    r"\b(?:answer|error|failed|failure|message|refused|refusal|response|told)\??\.(?:reason|problem|why|message|statusText)\b"
)
"""Reads of a field that has a sentence for programs, or of the text of an error."""
COMPARED = re.compile(
    r"""/((?:[^/\\\n]|\\.)+)/[a-z]*\.(?:test|exec)\(            # a pattern that is tried on a text
      | \.(?:match|matchAll|search|replace|split)\(/((?:[^/\\\n]|\\.)+)/
      | \.(?:includes|startsWith|endsWith|indexOf|replace|split)\((["'`])(.*?)\3
      | [!=]==?\s*(["'`])(.*?)\5""",
    re.VERBOSE,
)
WORDS = re.compile(r"[a-z]+(?:[ ,:;]+[a-z]+)+")
"""Two words or more."""
NOT_SAID = re.compile(r'\{[a-z_]+\}|"[^"]*"')
NAME = re.compile(r"^thing\.|\.question\.")


def scripts() -> Iterator[Path]:
    """Every script of the pages."""
    for pattern in SCRIPTS:
        yield from sorted(SOURCE.glob(pattern))


def sentences() -> str:
    """All templates of the catalogues, without parameters, quoted notation, and names, which views have as well."""
    templates = [
        template for _, catalogue in catalogues() for code, template in catalogue.own.items() if not NAME.search(code)
    ]
    forms = [form for template in templates for form in ([template] if isinstance(template, str) else template)]
    return "\n".join(NOT_SAID.sub("\n", form) for form in forms).lower()


def in_script(source: str, known: str) -> Iterator[tuple[int, str]]:
    """The lines of a script that look into sentences, with what they look for."""
    for number, line in enumerate(source.splitlines(), start=1):
        for match in FIELD.finditer(line):
            yield number, match[0]
        for match in COMPARED.finditer(line):
            literal = next(group for group in (match[1], match[2], match[4], match[6]) if group is not None)
            for words in WORDS.findall(literal.lower()):
                if words in known:
                    yield number, words


def findings() -> list[str]:
    """Every place where a page looks into a sentence of the server, as `file:line: what`."""
    known = sentences()
    return [
        f"{path.relative_to(SOURCE.parent)}:{number}: {what}"
        for path in scripts()
        for number, what in in_script(path.read_text(encoding="utf-8"), known)
    ]


if __name__ == "__main__":
    found = findings()
    print("\n".join(found) or "no page looks into a sentence of the server")
    raise SystemExit(bool(found))
