"""Argument types, checks and output files that several commands share."""

from __future__ import annotations

import argparse
import importlib.util
import math
from pathlib import Path

from spina.errors import SpinaError
from spina.games.command_line import Commands as Commands  # re-exported for the command modules
from spina.games.command_line import check_writable as check_writable
from spina.games.command_line import write as write

LONGEST_DELAY = 60.0
NEXT = 0
"""Stands for the proof range that a study has already, or the next unused one."""


def add_where(command: argparse.ArgumentParser) -> None:
    """Add the options that say where a study runs."""
    command.add_argument(
        "--processes", type=positive, metavar="N", help="processes on this machine (default: one for a core)"
    )
    command.add_argument(
        "--on", metavar="PLACE", help='"local-ray" or "ray://HOST:PORT": run on Ray instead (pip install "spina[ray]")'
    )


def names(text: str) -> list[str]:
    """An argument type: names separated by commas."""
    return [name.strip() for name in text.split(",")]


def positive(text: str) -> int:
    """An argument type: a positive integer."""
    return _whole(text, 1)


def natural(text: str) -> int:
    """An argument type: zero or a positive integer."""
    return _whole(text, 0)


def _whole(text: str, least: int) -> int:
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        raise argparse.ArgumentTypeError(f"a whole number from {least} is needed, not {text!r}")
    return number


def minutes(text: str) -> float:
    """An argument type: a time in minutes, more than none."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 < found < math.inf:
        raise argparse.ArgumentTypeError(f"minutes, more than 0, are needed, not {text!r}")
    return found


def delay(text: str) -> float:
    """An argument type: seconds to wait."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= LONGEST_DELAY:
        raise argparse.ArgumentTypeError(f"seconds from 0 to {LONGEST_DELAY:g} are needed, not {text!r}")
    return seconds


def option(text: str) -> tuple[str, object]:
    """An argument type: a variant of the game, such as board=BB or individual=yes."""
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"NAME=VALUE is needed, such as board=BB, not {text!r}")
    return name, {"yes": True, "true": True, "no": False, "false": False}.get(value.lower(), value)


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the option for variants of the game."""
    command.add_argument(
        "--option",
        type=option,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a variant of the game, such as board=BB or individual=yes; may be given more than once",
    )


def add_proof(command: argparse.ArgumentParser, words: str, *, always: bool = False) -> None:
    """Add the options of a study whose races prove something, or always do: then it has no --seed."""
    if always:
        _refuse(
            command,
            "--seed",
            "its races are a proof and have the seeds of a proof range, so that no lucky seed can be chosen: leave out "
            "--seed; --proof N names a range",
        )
    command.add_argument("--proof", nargs="?", type=positive, const=NEXT, metavar="N", help=words)
    command.add_argument(
        "--register",
        type=Path,
        metavar="FILE",
        help="which study has used which proof range (default: proofs.json in bench/results, or here)",
    )


def refuse_proof(command: argparse.ArgumentParser, why: str) -> None:
    """Refuse --proof in a study that chooses something by its races."""
    _refuse(
        command,
        "--proof",
        f"{why}, so its races prove nothing: prove the outcome with `spina lab arena … --proof` or `spina lab claims`",
    )


def _refuse(command: argparse.ArgumentParser, option: str, why: str) -> None:
    class Refused(argparse.Action):
        def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
            parser.error(why)

    command.add_argument(option, nargs="?", action=Refused, help=argparse.SUPPRESS)


def check_installed(*, results: object = None, plots: object = None, on: str | None = None) -> None:
    """Raise SpinaError before any work begins if a package that the study needs is not installed.

    `results`, `plots`: whether Parquet files are read or written, and whether a report is made; `on`: where it runs.
    """
    needed = (
        (results, "pyarrow", "results are kept with PyArrow", "lab"),
        (plots, "matplotlib", "reports need Matplotlib", "lab"),
        (on, "ray", "--on needs Ray", "ray"),
    )
    for wanted, module, why, extra in needed:
        if wanted and importlib.util.find_spec(module) is None:
            raise SpinaError(f"{why}, which is not installed: pip install 'spina[{extra}]'")
