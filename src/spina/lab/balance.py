"""Balance: who wins how often, by everything that a race is begun with; how long races are; what decides them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spina.errors import OptionError
from spina.games import get
from spina.games.pictures import FACTIONS
from spina.lab import intervals, measures, plots, setups
from spina.lab.chariot_race_facts import PLACE_NAMES
from spina.lab.facts import QUARTERS, Facts, collect
from spina.lab.intervals import Figure
from spina.lab.recordings import Task
from spina.lab.report import Section, Table

RACES = {"charioteer": 1500, "chariot-race": 500, "chariotmaster": 120}
"""Races of each set-up unless asked otherwise."""
SEATS = {"charioteer": (2, 3, 4, 5, 6), "chariot-race": (6,), "chariotmaster": (4,)}
CLEAR = 1.6
"""Half intervals between a share and the fair one that make a headline."""
RARE = 20
"""Groups with fewer chariots are not shown."""


@dataclass(frozen=True, slots=True)
class Grouping:
    """Chariots told apart by a column, in races of one kind of set-up."""

    title: str
    column: str
    setup: str
    coloured: bool = False
    chosen: bool = False
    """Something that drivers bring about in the race, not what they begin with."""


@dataclass(frozen=True, slots=True)
class Share:
    """How often the chariots of a group win."""

    name: str
    figure: Figure
    fair: float

    @property
    def unfair(self) -> bool:
        """Whether the interval misses the fair share, as one in twenty does by chance."""
        return self.figure.low > self.fair or self.figure.high < self.fair

    @property
    def clear(self) -> bool:
        """Whether it does so by far: about three standard errors, so that a table of twenty has none by chance."""
        return abs(self.figure.value - self.fair) > CLEAR * (self.figure.high - self.figure.low) / 2


@dataclass(frozen=True, slots=True)
class Group:
    """A grouping with its shares, measured."""

    title: str
    label: str
    shares: Sequence[Share]
    grouping: Grouping


GROUPINGS: dict[str, Sequence[Grouping]] = {
    "charioteer": (
        Grouping("Seat and colour", "colour", "field", coloured=True),
        Grouping("Order on the first turn", "order", "field"),
        Grouping("Strongest skill on the skills card", "top_skill", "field", coloured=True),
        Grouping("Weakest skill on the skills card", "weak_skill", "field", coloured=True),
        Grouping("Markers in the bonus box at half time", "bonus_half", "field", chosen=True),
        Grouping("First colour in the bonus box", "first_in_box", "field", coloured=True, chosen=True),
    ),
    "chariot-race": (
        Grouping("Colour", "colour", "field", coloured=True),
        Grouping("Starting place", "grid", "field"),
        Grouping("Individual chariot", "kind", "kinds"),
        Grouping("Repairs in the race", "repairs", "field", chosen=True),
    ),
    "chariotmaster": (
        Grouping("Seat and colour", "colour", "field", coloured=True),
        Grouping("Starting lane, from the inside", "lane", "field"),
        Grouping("Species", "species", "species"),
        Grouping("Chassis", "chassis", "equipment"),
        Grouping("Horses", "horses", "equipment"),
        Grouping("Skill of the driver", "skill", "equipment"),
        Grouping("Fitness of the driver", "fitness", "equipment"),
        Grouping("Luck and fright", "other", "equipment"),
    ),
}


def labels(game: str, seats: Sequence[int], boards: Sequence[str] = ("AA", "AB", "BB")) -> list[str]:
    """The set-ups of a study of balance."""
    found = [f"field {count}" for count in seats]
    if game == "chariot-race":
        found = [f"field {count} {board}" for count in seats for board in boards]
        found += [f"kinds {max(seats)} AA", f"peaceful {max(seats)} AA"]
    if game == "chariotmaster":
        found += ["species 6", f"equipment {max(seats)}", f"peaceful {max(seats)}"]
    return found


def tasks(
    game: str,
    races: int,
    seed: int,
    *,
    seats: Sequence[int],
    drivers: Sequence[str] = ("competent",),
    options: Mapping[str, Any] | None = None,
    edition: str | None = None,
) -> list[Task]:
    """The races of the study. Raises OptionError where a game cannot be raced like that."""
    found = get(game)
    for count in seats:
        if count not in found.seat_counts or count < 2:
            raise OptionError(f"{found.title} can be balanced for 2 to {found.seat_counts[-1]} seats, not {count}")
    given = dict(options or {})
    boards = (given.pop("board"),) if "board" in given else ("AA", "AB", "BB")
    return [
        setups.make(game, label, races, seed, drivers=tuple(drivers), options=given, edition=edition)
        for label in labels(game, seats, boards)
    ]


def study(
    plan: Sequence[Task],
    *,
    on: str | None = None,
    processes: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Facts:
    """Run the races."""
    return collect(plan, on=on, processes=processes, progress=progress)


# --- what was found ---------------------------------------------------------------------------------------------------


def shares_by(facts: Facts, column: str) -> list[Share]:
    """How often the chariots with each value of a column win, and how often would be fair."""
    table = facts.chariots
    found = []
    for value in sorted(np.unique(table[column]).tolist(), key=_rank):
        own = table[column] == value
        if own.sum() >= RARE:
            figure = intervals.share(float(table["won"][own].sum()), int(own.sum()), len(facts))
            found.append(Share(str(value), figure, float(table["fair"][own].mean())))
    return found


def _rank(value: Any) -> tuple[int, Any]:
    """Colours in the order of the factions, starting places as they are numbered, all else as it is sorted."""
    for known in ([each.name for each in FACTIONS], PLACE_NAMES):
        if value in known:
            return known.index(value), ""
    return (99, value) if isinstance(value, str) else (0, value)


def groups(game: str, facts: Facts, drivers: Sequence[str] = ("competent",)) -> list[Group]:
    """Everything that chariots are told apart by, in every set-up where it makes a difference."""
    found = []
    extra = [Grouping("Driver", "driver", "field")] if len(drivers) > 1 else []
    for grouping in (*extra, *GROUPINGS[game]):
        for label in dict.fromkeys(facts.races["label"].tolist()):
            if label.split()[0] != grouping.setup:
                continue
            part = facts.labelled(label)
            shares = shares_by(part, grouping.column) if grouping.column in part.chariots else []
            if len(shares) > 1:
                found.append(Group(grouping.title, setups.words(label), shares, grouping))
    return found


def fields(facts: Facts) -> list[tuple[str, Facts]]:
    """The races in which nobody has anything odd, by set-up."""
    known = dict.fromkeys(facts.races["label"].tolist())
    return [(setups.words(label), facts.labelled(label)) for label in known if label.startswith("field")]


def headlines(game: str, facts: Facts, found: Sequence[Group]) -> list[str]:
    """What somebody should know who reads nothing else."""
    word = get(game).turn_word
    lines = []
    first_label, first = fields(facts)[0]
    every = [(label, intervals.mean(part.races["turns"])) for label, part in fields(facts)]
    low, high = min(every, key=lambda each: each[1].value), max(every, key=lambda each: each[1].value)
    if low[0] == high[0]:
        lines.append(f"A race takes {low[1].value:.1f} {word}s.")
    else:
        lines.append(f"A race takes {low[1].value:.1f} ({low[0]}) to {high[1].value:.1f} {word}s ({high[0]}).")
    for title in dict.fromkeys(group.title for group in found if not group.grouping.chosen):
        of_title = [group for group in found if group.title == title]
        odd = [(group, share) for group in of_title for share in group.shares if share.unfair]
        sure = [(group, share) for group, share in odd if share.clear]
        if not odd:
            lines.append(f"{title}: no clear advantage.")
            continue
        group, best = max(sure or odd, key=lambda each: abs(np.log(max(each[1].figure.value, 1e-3) / each[1].fair)))
        side = "more" if best.figure.value > best.fair else "less"
        doubt = "" if sure else "; that may be chance, more races would tell"
        lines.append(
            f"{title}: {best.name} wins {best.figure.shown(best.figure.value)}, {side} than its fair "
            f"{best.figure.shown(best.fair)} ({group.label}){doubt}."
        )
    half = intervals.mean(first.races["winner_led_2"], "share")
    lines.append(f"{half.shown(half.value)} of the winners lead at half time ({first_label}).")
    for label in dict.fromkeys(facts.races["label"].tolist()):
        if label.startswith("peaceful"):
            part = facts.labelled(label)
            peace, fair = measures.wins_of("held", 1)(part), float(part.chariots["fair"].mean())
            lines.append(f"Who never attacks wins {peace}; fair would be {peace.shown(fair)}.")
    return lines


def sections(game: str, facts: Facts, found: Sequence[Group]) -> list[Section]:
    """The report."""
    plots.restart()
    word = get(game).turn_word
    out = []
    for title in dict.fromkeys(group.title for group in found):
        of_title = [group for group in found if group.title == title]
        drawn = [
            (group.label, plots.shares(
                [(share.name, share.figure) for share in group.shares],
                group.shares[0].fair if len({round(share.fair, 4) for share in group.shares}) == 1 else None,
                coloured=group.grouping.coloured, what="share of races won",
            ))
            for group in of_title
        ]  # fmt: skip
        rows = [
            [group.label, share.name, share.figure.shown(share.figure.value),
             f"{share.figure.shown(share.figure.low)} to {share.figure.shown(share.figure.high)}",
             share.figure.shown(share.fair)]
            for group in of_title for share in group.shares
        ]  # fmt: skip
        note = ["What drivers bring about goes together with winning; it need not be the cause."]
        out.append(
            Section(
                title, note if of_title[0].grouping.chosen else (), drawn,
                [Table("All figures", ["set-up", "group", "wins", "95 % interval", "fair"], rows)],
            )
        )  # fmt: skip
    return [_length_section(facts, word), _decision_section(facts), *out]


def _length_section(facts: Facts, word: str) -> Section:
    parts = fields(facts)
    every = [(label, intervals.mean(part.races["turns"])) for label, part in parts]
    rows = [
        [label, str(figure), str(int(part.races["turns"].min())), str(int(part.races["turns"].max()))]
        for (label, figure), (_, part) in zip(every, parts, strict=True)
    ]
    drawn = plots.lengths([(label, part.races["turns"]) for label, part in parts], f"{word}s")
    table = Table("All figures", ["set-up", f"{word}s in a race", "shortest", "longest"], rows)
    return Section("How long races are", (), [(f"{word.capitalize()}s", drawn)], [table])


DECIDING = (
    ("lead_changes", "changes of the lead", "number"),
    ("margin", "spaces between first and second", "number"),
    ("wrecked", "chariots wrecked", "number"),
    ("finishers", "chariots home", "number"),
    ("collisions", "collisions", "number"),
    ("resets", "resets", "number"),
)


def _decision_section(facts: Facts) -> Section:
    parts = fields(facts)
    groups_of = [
        (
            label,
            [intervals.mean(part.races[f"winner_led_{quarter}"], "share") for quarter in QUARTERS],
            float(part.chariots["fair"].mean()),
        )
        for label, part in parts
    ]
    rows = [
        [label, name, str(intervals.mean(part.races[column]))]
        for label, part in parts
        for column, name, _ in DECIDING
        if column in part.races and np.isfinite(part.races[column].astype(float)).any()
    ]
    rows += [
        [label, f"winners that lead after {quarter} of 4 quarters", str(figure)]
        for label, each, _ in groups_of
        for quarter, figure in zip(QUARTERS, each, strict=True)
    ]
    half = groups_of[0][1][1]
    words = f"In {half.shown(half.value)} of the races whoever leads at half time wins ({groups_of[0][0]})."
    drawn = plots.leads(groups_of)
    return Section(
        "What decides them", [words], [("How early the later winner leads", drawn)],
        [Table("All figures", ["set-up", "in a race", "mean"], rows)],
    )  # fmt: skip


def table_lines(facts: Facts, found: Sequence[Group]) -> list[str]:
    """The shares for a terminal."""
    lines = []
    for group in found:
        lines += ["", f"{group.title} ({group.label})"]
        longest = max(len(share.name) for share in group.shares)
        for share in group.shares:
            mark = "*" if share.unfair else " "
            lines.append(
                f"  {mark} {share.name:{longest}}  {share.figure!s:>28}   fair {share.figure.shown(share.fair)}"
            )
    return lines
