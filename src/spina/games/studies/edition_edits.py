"""Edits of an edition file as text, which keep its comments and its order; knobs use them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spina.errors import OptionError


def section(text: str, table: str) -> tuple[int, int]:
    """Where the lines of a TOML table begin and end in the text. Raises OptionError."""
    found = re.search(rf"^\[{re.escape(table)}\][^\n]*\n", text, re.MULTILINE)
    if not found:
        raise OptionError(f"the edition has no table [{table}]")
    end = re.search(r"^\[", text[found.end() :], re.MULTILINE)
    return found.end(), found.end() + end.start() if end else len(text)


def set_value(text: str, path: str, value: int, why: str) -> str:
    """The text with another single number at `path`, such as `race.hand`. Raises OptionError."""
    table, _, key = path.rpartition(".")
    begin, end = section(text, table)
    line = f'{key} = {{ value = {value}, source = "reconstructed", why = "{why}" }}'
    body, count = re.subn(
        rf"^{re.escape(key)} = \{{ value = -?\d+,.*\}}[^\n]*$", lambda _: line, text[begin:end], flags=re.MULTILINE
    )
    if count != 1:
        raise OptionError(f"the edition has no single number at {path}")
    return text[:begin] + body + text[end:]


def set_list(text: str, table: str, key: str, entries: Sequence[str], why: str) -> str:
    """The text with another list of strings, which shares its table with `source` and `why`. Raises OptionError."""
    begin, end = section(text, table)
    lines = "\n".join(f'  "{entry}",' for entry in entries)
    body, count = re.subn(
        rf"^{key} = \[.*?^\]", lambda _: f"{key} = [\n{lines}\n]", text[begin:end], flags=re.MULTILINE | re.DOTALL
    )
    if count != 1:
        raise OptionError(f"the edition has no list {key} in [{table}]")
    body = re.sub(r'^source = "[^"]*"', 'source = "reconstructed"', body, flags=re.MULTILINE)
    body = re.sub(r'^why = ".*"$', "", body, flags=re.MULTILINE)
    body = re.sub(r'^source = "reconstructed"$', f'source = "reconstructed"\nwhy = "{why}"', body, flags=re.MULTILINE)
    return text[:begin] + body + text[end:]


def read_list(text: str, table: str, key: str) -> list[str]:
    """The entries of a list of strings. Raises OptionError."""
    begin, end = section(text, table)
    found = re.search(rf"^{key} = \[(.*?)^\]", text[begin:end], re.MULTILINE | re.DOTALL)
    if not found:
        raise OptionError(f"the edition has no list {key} in [{table}]")
    return re.findall(r'^\s*"([^"]*)"', found[1], re.MULTILINE)


def rename(text: str, name: str) -> str:
    """The text with another name for the edition."""
    return re.sub(r'^name = "[^"]*".*$', f'name = "{name}"', text, count=1, flags=re.MULTILINE)
