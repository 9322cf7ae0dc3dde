"""Sanitizes names and chat lines before they are shown to others."""

from __future__ import annotations

import unicodedata

from spina.errors import OptionError
from spina.table.refusals import say

LONGEST_NAME = 24
LONGEST_LINE = 300
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Unicode categories of characters that could hide or reverse text."""
_JOINERS = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
_BLANKS = (
    "\N{HANGUL FILLER}\N{HALFWIDTH HANGUL FILLER}\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}"
    "\N{BRAILLE PATTERN BLANK}"
)
"""Characters that Unicode counts as letters and that are invisible."""
_MOST_MARKS = 3


def clean(text: str) -> str:
    """The text without invisible characters, stacked combining marks and redundant spaces."""
    kept, marks = "", 0
    for letter in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(letter)
        if (kind in _INVISIBLE and letter not in _JOINERS) or letter in _BLANKS:
            letter = " "
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks <= _MOST_MARKS:
            kept += letter
    words = (word.strip(_JOINERS) for word in kept.split())
    return " ".join(word for word in words if word)


def clean_name(name: str) -> str:
    """A sanitized name. Raises OptionError."""
    cleaned = clean(name)
    if len(cleaned) > LONGEST_NAME:
        raise OptionError(say("table.name-too-long", most=LONGEST_NAME, count=len(cleaned)))
    return cleaned


def clean_line(text: str) -> str:
    """A sanitized chat line. Raises OptionError."""
    cleaned = clean(text)
    if not cleaned:
        raise OptionError(say("table.empty-line"))
    if len(cleaned) > LONGEST_LINE:
        raise OptionError(say("table.line-too-long", most=LONGEST_LINE, count=len(cleaned)))
    return cleaned
