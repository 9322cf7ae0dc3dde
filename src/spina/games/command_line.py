"""What the commands of the command line share, including those of games (`Game.commands`)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from spina.errors import SpinaError

Commands = Any
"""What argparse's `add_subparsers` returns, a type without a public name."""

AddCommand = Callable[[Commands], None]
"""Adds a parser to the commands; the parser sets `run`, a function from the parsed arguments to the exit code."""

MISTAKES = 1
"""Exit code of a command that checks a file, for a file with problems."""


def check_writable(path: Path | None) -> None:
    """Raises SpinaError before long work begins if the folder of an output file does not exist."""
    if path is not None and not path.parent.is_dir():
        raise SpinaError(f"{path} cannot be written: there is no folder {path.parent}")


def write(path: Path, text: str) -> None:
    """Writes a text file. Raises SpinaError."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SpinaError(f"{path} cannot be written: {error.strerror or error}") from None
