"""What a game tells the lab about itself. Every field has a default."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spina.games.editions import Edition
from spina.games.studies.claim import Claim
from spina.games.studies.edition_edits import set_value
from spina.games.studies.facts import Columns
from spina.games.studies.intervals import Unit
from spina.games.studies.measures import Measure
from spina.games.studies.recording import Handicap, Recording

Edit = Callable[[str, int, str], str]
"""(text, value, why) -> the text of the edition with that value."""
Varied = Callable[[Edition, int, Mapping[str, Any]], tuple[tuple[tuple[str, Any], ...], ...]]
"""(edition, seats, options) -> options that change from race to race, used in turn."""


class ChariotProgress(NamedTuple):
    """The progress of the chariots, frame by frame, and their seats."""

    progress: NDArray[np.float64]
    """By frame and chariot: the greater the further ahead; -inf when out of the race."""
    seat_of: NDArray[np.int64]
    """By race and chariot: its seat; 0 where the race has no chariot of this number."""
    in_race: NDArray[np.bool_]
    """By race and chariot: whether the race has a chariot of this number."""


def _no_columns(_: Recording) -> Columns:
    return {}


@dataclass(frozen=True, slots=True)
class GameFacts:
    """The columns that a game adds to the facts of its races."""

    progress: Callable[[Recording], ChariotProgress] | None = None
    """None: each seat has one chariot, whose progress is `Game.done` in percent of the race."""
    unit: str = "percent of the race"
    """What progress is counted in, in the plural."""
    race_columns: Callable[[Recording], Columns] = _no_columns
    """Columns with a row for each race."""
    chariot_columns: Callable[[Recording], Columns] = _no_columns
    """Columns of shape (races, chariots)."""


@dataclass(frozen=True, slots=True)
class SetupKind:
    """A kind of set-up: what is different from races of equal drivers in all seats."""

    words: str
    """A description for people, such as "one never repairs"."""
    seats: int | None = None
    """Seats that it is for; None: as many as the study asks for."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options that it sets."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Options that it sets unless the study is given others."""
    opening: str | None = None
    """The driver that makes the choices before the first turn."""
    handicap: Handicap | None = None
    """What one seat may not do."""
    varied: Varied | None = None
    """Makes the options that change from race to race."""
    headline: str = ""
    """The subject of a sentence on how often the seat with the handicap wins, such as "Who never attacks"."""


@dataclass(frozen=True, slots=True)
class Variant:
    """The option that the last word of a label chooses, such as the board in "field 6 BB"."""

    option: str
    values: tuple[str, ...]
    studied: tuple[str, ...]
    """Values that a study of balance compares; set-ups that are raced with one value only have the first."""


@dataclass(frozen=True, slots=True)
class Grouping:
    """Chariots grouped by a column, in races of one kind of set-up, to compare how often they win."""

    title: str
    column: str
    setup: str
    """The first word of the set-up's label."""
    coloured: bool = False
    """Whether the groups are named by colours, and drawn in them."""
    chosen: bool = False
    """Whether it depends on drivers' choices in the race, and not on the set-up."""
    order: tuple[str, ...] = ()
    """The groups in the order in which they are shown; those not named here are sorted."""


@dataclass(frozen=True, slots=True)
class Trait:
    """A number that tells how chariots are driven: a column of the chariots, for each unit of another one."""

    words: str
    column: str
    per: str | None = None
    """The column that it is divided by; None: a race of a chariot."""
    unit: Unit = "number"


@dataclass(frozen=True, slots=True)
class Knob:
    """A component that tuning can change."""

    words: str
    edit: Edit


def single(path: str) -> Edit:
    """The edit of a single number of the edition file, by its path."""
    return lambda text, value, why: set_value(text, path, value, why)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySizes:
    """Default numbers of races of studies and of their jobs, which depend on a game's speed."""

    balance: int = 400
    """Races of each set-up."""
    claims: int = 400
    """Races of each set-up."""
    tuning: int = 600
    """Races of each set-up in the last round."""
    tuning_first: int = 60
    """Races of each set-up in the first round, at least."""
    ladder: int = 400
    training: int = 20_000
    arena_job: int = 20
    """Most races of drivers in one job of an arena: a few seconds' work, so that little is lost when it stops."""
    recording_job: int = 20
    """Races in one job of a study of balance, claims or tuning: some seconds' work."""
    frames: int = 48
    """Room for the turns of a recorded race; a race that needs more is run again with more room."""
    events: int = 2000
    """Room for the events of a recorded race, likewise."""


SEAT_GROUPING = Grouping("Seat and colour", "colour", "field", coloured=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabProfile:
    """What the lab knows of one game."""

    sizes: StudySizes = StudySizes()
    usual_seats: int | None = None
    """Seats of a measure that names none; None: 4, or the most that the game allows."""
    balance_seats: Sequence[int] = ()
    """Numbers of seats that a study of balance covers; empty: `usual_seats`."""
    balance_setups: Sequence[str] = ()
    """Set-ups of a study of balance besides "field"."""
    setups: Mapping[str, SetupKind] = field(default_factory=dict)
    """By the first word of their labels. "field" and the names of drivers exist for every game."""
    variant: Variant | None = None
    facts: GameFacts = GameFacts()
    groupings: Sequence[Grouping] = (SEAT_GROUPING,)
    traits: Sequence[Trait] = ()
    """What a study of driving styles compares."""
    race_statistics: Mapping[str, str] = field(default_factory=dict)
    """Columns of the races whose means a report on balance shows, with their descriptions."""
    measures: Mapping[str, Measure] = field(default_factory=dict)
    """Measures for tuning besides those that all games share."""
    claims: Sequence[Claim] = ()
    knobs: Mapping[str, Knob] = field(default_factory=dict)
    """Components for tuning by name; any single number of the edition file can be changed by its path."""
