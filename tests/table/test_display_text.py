"""Names and lines of chat as people write them, and as others write them who mean no good."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spina.errors import OptionError
from spina.table.http.display_text import LONGEST_LINE, LONGEST_NAME, clean, clean_line, clean_name


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("  Livia   Drusilla ", "Livia Drusilla"),
        ("Ægir Ñandú 周", "Ægir Ñandú 周"),
        ("a\u0301", "á"),
        ("evil\u202egnp.exe", "evil gnp.exe"),
        ("zero\x00byte\r\nline", "zero byte line"),
        ("\u200b\u200b", ""),
        ("\u200d", ""),
        ("\u3164", ""),
        ("\u2800x", "x"),
        ("z\u0336\u0337\u0338\u0339\u033a\u033b", "z\u0336\u0337\u0338"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),  # pages escape it
    ],
)
def test_what_hides_or_turns_round_is_taken_out(given: str, shown: str) -> None:
    assert clean(given) == shown


@given(st.text(max_size=400))
def test_what_is_shown_is_visible_and_stays_as_it_is(text: str) -> None:
    shown = clean(text)
    assert clean(shown) == shown == shown.strip()
    assert not any(unicodedata.category(letter) in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp") for letter in shown)
    shown.encode()


def test_names_and_lines_have_a_length() -> None:
    assert clean_name("x" * LONGEST_NAME) and clean_line("x" * LONGEST_LINE)
    assert clean_name("") == ""
    for too_long in (LONGEST_NAME + 1, 10_000):
        with pytest.raises(OptionError, match=str(too_long)):
            clean_name("x" * too_long)
    with pytest.raises(OptionError, match="at most"):
        clean_line("x" * (LONGEST_LINE + 1))
    for nothing in ("", "  \n", "\u200d\u200b"):
        with pytest.raises(OptionError, match="nothing"):
            clean_line(nothing)
