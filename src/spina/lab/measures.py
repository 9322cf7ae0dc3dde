"""Measures by name, shared by claims, balance and tuning: what is looked at, and in which set-up."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.errors import OptionError
from spina.games import get
from spina.lab import intervals
from spina.lab.facts import Facts
from spina.lab.intervals import Figure
from spina.lab.setups import USUAL_SEATS

BOARDS = ("AA", "AB", "BA", "BB")
Compute = Callable[[Facts], Figure]


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure of a game with its name, such as `turns@4` or `start-share@BB`."""

    name: str
    words: str
    label: str
    """The set-up that it is measured in."""
    compute: Compute


# --- what is computed ---------------------------------------------------------------------------------------------


def turns(facts: Facts) -> Figure:
    return intervals.mean(facts.races["turns"])


def race_mean(column: str, unit: intervals.Unit = "number") -> Compute:
    return lambda facts: intervals.mean(facts.races[column], unit)


def best_over_fair(column: str) -> Compute:
    """How many times its fair share the best of a group wins."""
    return lambda facts: _spread(facts, column, worst=False)


def best_over_worst(column: str) -> Compute:
    return lambda facts: _spread(facts, column, worst=True)


def _spread(facts: Facts, column: str, *, worst: bool) -> Figure:
    table = facts.chariots
    names = [name for name in np.unique(table[column]).tolist() if name != "none"]
    return intervals.spread(table["won"], table[column], table["race"], names, worst=worst)


def wins_of(column: str, value: Any) -> Compute:
    """The share of races that the one odd chariot wins."""

    def compute(facts: Facts) -> Figure:
        own = facts.chariots[column] == value
        return intervals.share(float(facts.chariots["won"][own].sum()), int(own.sum()))

    return compute


def wins_against(column: str, value: Any, other: Any) -> Compute:
    """How many times as often chariots with one value of a column win as those with another."""

    def compute(facts: Facts) -> Figure:
        table = facts.chariots
        return intervals.times(*_sums(facts, table[column] == value), *_sums(facts, table[column] == other))

    return compute


def _sums(facts: Facts, own: NDArray[np.bool_]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Race by race: wins of these chariots, and how many of them there are."""
    table, count = facts.chariots, len(facts)
    wins, raced = np.zeros(count), np.zeros(count)
    np.add.at(wins, table["race"][own], table["won"][own])
    np.add.at(raced, table["race"][own], 1.0)
    return wins, raced


def part_of(parts: str, wholes: str, unit: intervals.Unit = "share") -> Compute:
    """One column of the races over another."""
    return lambda facts: intervals.rate(facts.races[parts], facts.races[wholes], unit)


def chariots_with(column: str) -> Compute:
    """The share of chariots of which a column is not nothing."""

    def compute(facts: Facts) -> Figure:
        hit = np.asarray(facts.chariots[column]) > 0
        return intervals.share(float(hit.sum()), len(hit), len(facts))

    return compute


def ratio(parts: str, wholes: str, other_parts: str, other_wholes: str) -> Compute:
    """One rate of columns of the races over another."""

    def compute(facts: Facts) -> Figure:
        table = facts.races
        return intervals.times(table[parts], table[wholes], table[other_parts], table[other_wholes])

    return compute


def apart(high: Figure, low: Figure) -> Figure:
    """How many times as great one figure is as another, of other races."""
    value = high.value / low.value

    def spread(of: Figure) -> float:
        return math.log(of.high / max(of.low, 1e-9)) / 2

    half = math.hypot(spread(high), spread(low))
    return Figure(value, value * math.exp(-half), value * math.exp(half), high.races + low.races, "times")


# --- by name ------------------------------------------------------------------------------------------------------

COMMON: dict[str, tuple[str, str, Compute]] = {
    "turns": ("turns in a race", "field", turns),
    "seat-share": ("best seat's wins over its fair share", "field", best_over_fair("seat")),
    "lead-changes": ("changes of the lead in a race", "field", race_mean("lead_changes")),
    "led-half": ("winners that lead after half of the race", "field", race_mean("winner_led_2", "share")),
    "led-last": ("winners that lead after three quarters", "field", race_mean("winner_led_3", "share")),
}
OWN: dict[str, dict[str, tuple[str, str, Compute]]] = {
    "charioteer": {
        "bonus-box": (
            "part of the race until a marker is in a bonus box", "field", race_mean("first_bonus", "share"),
        ),
        "order-share": ("best starting order over its fair share", "field", best_over_fair("order")),
        "skill-share": ("best strongest skill over its fair share", "field", best_over_fair("top_skill")),
        "margin": ("spaces between first and second", "field", race_mean("margin")),
    },
    "chariot-race": {
        "start-share": ("best starting place over the worst", "field", best_over_worst("grid")),
        "kind-share": ("best individual chariot over the worst", "kinds", best_over_worst("kind")),
        "wrecked": ("chariots wrecked", "field", part_of("wrecked", "fleet")),
        "peaceful-wins": ("wins of a chariot that never attacks", "peaceful", wins_of("held", 1)),
        "unmended-wins": ("wins of a chariot that never repairs", "unmended", wins_of("held", 1)),
        "margin": ("spaces between first and second", "field", race_mean("margin")),
    },
    "chariotmaster": {
        "lane-share": ("best starting lane over its fair share", "field", best_over_fair("lane")),
        "species-share": ("best species over the worst", "species", best_over_worst("species")),
        "able": ("chariots home or still able to race", "field", chariots_with("able")),
        "peaceful-wins": ("wins of a chariot that never attacks", "peaceful", wins_of("held", 1)),
    },
}  # fmt: skip


def names(game: str) -> list[str]:
    """The measures of a game; with `-wins` after it, every driver is one more."""
    return [*COMMON, *OWN[game], *(f"{driver}-wins" for driver in get(game).drivers if driver != "competent")]


def find(game: str, text: str) -> Measure:
    """A measure by its name, perhaps with seats or a board after an @."""
    name, _, where = text.partition("@")
    known = COMMON | OWN[game]
    if name in known:
        words, setup, compute = known[name]
    elif name.removesuffix("-wins") in get(game).drivers and name.endswith("-wins"):
        driver = name.removesuffix("-wins")
        words, setup, compute = f"wins of {driver} among the others", driver, wins_of("driver", driver)
    else:
        raise OptionError(f'there is no measure "{name}" of {game}: there are {", ".join(names(game))}')
    seats, board = USUAL_SEATS[game] if setup != "species" else 6, ""
    if where.isdigit():
        seats = int(where)
    elif where in BOARDS and game == "chariot-race":
        board = f" {where}"
    elif where:
        raise OptionError(f"after @ comes a number of seats{' or a board' if game == 'chariot-race' else ''}: {text}")
    suffix = f" ({seats} seats{board})"
    return Measure(text, words + suffix, f"{setup} {seats}{board}", compute)
