"""Prints measurements: name, value, required value, and whether it is met."""

from __future__ import annotations

_missed: list[str] = []


def heading(text: str) -> None:
    print(f"\n{text}\n{'-' * len(text)}", flush=True)


def measured(what: str, value: str, bar: str, met: bool) -> None:
    """One line of a table of bars."""
    if not met:
        _missed.append(what)
    print(f"  {'ok  ' if met else 'MISS'}  {what:<58} {value:>26}   bar: {bar}", flush=True)


def missed() -> list[str]:
    return _missed
