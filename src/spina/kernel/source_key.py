"""What of a source decides what it compiles to: its syntax tree, without comments, docstrings and layout.

Parsing all sources of a game takes some tenths of a second, so the keys are kept in a file by the hash of the text.
"""

from __future__ import annotations

import ast
import hashlib
from contextlib import suppress
from pathlib import Path

HASH_BYTES = 8

_known: dict[Path | None, dict[str, str]] = {}
"""By the file that keeps them, the keys of texts by the hashes of the texts."""


def source_key(text: str, kept: Path | None = None) -> str:
    """A hash of a source that stays the same when only comments, docstrings or layout change.

    Looks it up in the file `kept`, and adds it there if it is new.
    """
    if kept not in _known:
        _known[kept] = _read(kept)
    keys, name = _known[kept], _hash(text)
    if name not in keys:
        keys[name] = _hash(significant(text))
        if kept is not None:
            with suppress(OSError), kept.open("a", encoding="utf-8") as file:
                file.write(f"{name} {keys[name]}\n")
    return keys[name]


def _read(kept: Path | None) -> dict[str, str]:
    """The lines of the file that are whole."""
    if kept is None or not kept.is_file():
        return {}
    pairs = (line.split(" ") for line in kept.read_text(encoding="utf-8", errors="replace").splitlines())
    return {pair[0]: pair[1] for pair in pairs if [*map(len, pair)] == [2 * HASH_BYTES] * 2}


def significant(text: str) -> str:
    """The syntax tree of a source without docstrings; the text itself if it cannot be parsed."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return text
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [each for each in node.body if not _is_text(each)]
    return ast.dump(tree)


def _is_text(statement: ast.stmt) -> bool:
    """Whether a statement is a docstring, or a text that stands after an assignment to describe it."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=HASH_BYTES).hexdigest()
