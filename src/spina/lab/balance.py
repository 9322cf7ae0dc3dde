"""Balance: win rates by everything that a race begins with, the length of races, and what decides them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spina.errors import OptionError
from spina.games import get
from spina.games.factions import FACTIONS
from spina.games.game import Game
from spina.games.studies import intervals, measures
from spina.games.studies.facts import Facts
from spina.games.studies.intervals import Estimate
from spina.games.studies.profile import Grouping
from spina.games.studies.recording import Task
from spina.lab import plots, setups
from spina.lab.fact_collection import QUARTERS, collect
from spina.lab.proof_seeds import check_free
from spina.lab.report import Section, Table

CLEAR = 1.6
"""Half widths of the interval between a share and the fair one that make a headline."""
RARE = 20
"""Groups with fewer chariots are not shown."""


@dataclass(frozen=True, slots=True)
class Share:
    """The win rate of the chariots of a group, beside the fair one."""

    name: str
    estimate: Estimate
    fair: float

    @property
    def unfair(self) -> bool:
        """Whether the interval excludes the fair share, as one in twenty does by chance."""
        return self.estimate.low > self.fair or self.estimate.high < self.fair

    @property
    def clear(self) -> bool:
        """Whether it does so by about three standard errors: in a table of twenty shares none does by chance."""
        return abs(self.estimate.value - self.fair) > CLEAR * (self.estimate.high - self.estimate.low) / 2


@dataclass(frozen=True, slots=True)
class Group:
    """A grouping with the measured shares of its groups, in one set-up."""

    title: str
    label: str
    shares: Sequence[Share]
    grouping: Grouping


def default_races(game: str) -> int:
    """Races of each set-up unless asked otherwise."""
    return get(game).lab.sizes.balance


def default_seats(game: str) -> Sequence[int]:
    """The numbers of seats that a study looks at unless asked otherwise."""
    found = get(game)
    return found.lab.balance_seats or (setups.usual_seats(found),)


def labels(game: Game, seats: Sequence[int], values: Sequence[str] = ()) -> list[str]:
    """The set-ups of a study of balance; `values`: those of the game's variant, else all that are studied."""
    if not values and game.lab.variant:
        values = game.lab.variant.studied
    fields = [setups.label_of(game, setups.FIELD, count, value) for count in seats for value in values or ("",)]
    return fields + [setups.label_of(game, kind, max(seats)) for kind in game.lab.balance_setups]


def tasks(
    game: str,
    races: int,
    seed: int,
    *,
    seats: Sequence[int],
    drivers: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    edition: str | None = None,
) -> list[Task]:
    """The races of the study. Raises OptionError for races that the game does not have."""
    check_free(seed, races)
    found = get(game)
    for count in seats:
        if count not in found.seat_counts or count < 2:
            raise OptionError(f"{found.title} can be balanced for 2 to {found.seat_counts[-1]} seats, not {count}")
    given = dict(options or {})
    variant = found.lab.variant
    values = (given.pop(variant.option),) if variant and variant.option in given else ()
    return [
        setups.make(game, label, races, seed, drivers=drivers, options=given, edition=edition)
        for label in labels(found, seats, values)
    ]


def study(
    plan: Sequence[Task],
    *,
    on: str | None = None,
    processes: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Facts:
    """Runs the races; `on`, `processes` and `progress` are those of `executor.run`."""
    return collect(plan, on=on, processes=processes, progress=progress)


# --- what was found ---------------------------------------------------------------------------------------------------


def shares_by(facts: Facts, column: str, order: Sequence[str] = ()) -> list[Share]:
    """The win rate of the chariots with each value of a column, beside the fair one; `order` sorts the values."""
    table = facts.chariots
    found = []
    for value in sorted(np.unique(table[column]).tolist(), key=lambda value: _rank(value, order)):
        own = table[column] == value
        if own.sum() >= RARE:
            estimate = intervals.share(float(table["won"][own].sum()), int(own.sum()), len(facts))
            found.append(Share(str(value), estimate, float(table["fair"][own].mean())))
    return found


def _rank(value: Any, order: Sequence[str]) -> tuple[int, Any]:
    """Colours in the order of the factions, values that `order` names in that order, all others sorted."""
    for known in ([each.name for each in FACTIONS], order):
        if value in known:
            return known.index(value), ""
    return (99, value) if isinstance(value, str) else (0, value)


def groups(game: str, facts: Facts, drivers: Sequence[str] = ()) -> list[Group]:
    """The groupings of the game, measured in every set-up that has at least two groups."""
    found, model = [], get(game)
    extra = [Grouping("Driver", "driver", "field")] if len(drivers) > 1 else []
    for grouping in (*extra, *model.lab.groupings):
        for label in dict.fromkeys(facts.races["label"].tolist()):
            if label.split()[0] != grouping.setup:
                continue
            part = facts.labelled(label)
            shares = shares_by(part, grouping.column, grouping.order) if grouping.column in part.chariots else []
            if len(shares) > 1:
                found.append(Group(grouping.title, setups.words(model, label), shares, grouping))
    return found


def fields(game: Game, facts: Facts) -> list[tuple[str, Facts]]:
    """The races of equal drivers in all seats, by set-up."""
    known = dict.fromkeys(facts.races["label"].tolist())
    wanted = [label for label in known if label.split()[0] == setups.FIELD]
    return [(setups.words(game, label), facts.labelled(label)) for label in wanted]


def headlines(game: str, facts: Facts, found: Sequence[Group]) -> list[str]:
    """The main findings, a sentence each."""
    model = get(game)
    word = model.turn_word
    lines = []
    first_label, first = fields(model, facts)[0]
    every = [(label, intervals.mean(part.races["turns"])) for label, part in fields(model, facts)]
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
        group, best = max(sure or odd, key=lambda each: abs(np.log(max(each[1].estimate.value, 1e-3) / each[1].fair)))
        side = "more" if best.estimate.value > best.fair else "less"
        doubt = "" if sure else "; that may be chance, more races would tell"
        lines.append(
            f"{title}: {best.name} wins {best.estimate.shown(best.estimate.value)}, {side} than its fair "
            f"{best.estimate.shown(best.fair)} ({group.label}){doubt}."
        )
    half = intervals.mean(first.races["winner_led_2"], "share")
    lines.append(f"{half.shown(half.value)} of the winners lead at half time ({first_label}).")
    for label in dict.fromkeys(facts.races["label"].tolist()):
        kind = model.lab.setups.get(label.split()[0])
        if kind and kind.headline:
            part = facts.labelled(label)
            wins, fair = measures.wins_of("held", 1)(part), float(part.chariots["fair"].mean())
            lines.append(f"{kind.headline} wins {wins}; fair would be {wins.shown(fair)}.")
    return lines


def sections(game: str, facts: Facts, found: Sequence[Group]) -> list[Section]:
    """The sections of the report."""
    plots.restart()
    model = get(game)
    out = []
    for title in dict.fromkeys(group.title for group in found):
        of_title = [group for group in found if group.title == title]
        drawn = [
            (group.label, plots.shares(
                [(share.name, share.estimate) for share in group.shares],
                group.shares[0].fair if len({round(share.fair, 4) for share in group.shares}) == 1 else None,
                coloured=group.grouping.coloured, what="share of races won",
            ))
            for group in of_title
        ]  # fmt: skip
        rows = [
            [group.label, share.name, share.estimate.shown(share.estimate.value),
             f"{share.estimate.shown(share.estimate.low)} to {share.estimate.shown(share.estimate.high)}",
             share.estimate.shown(share.fair)]
            for group in of_title for share in group.shares
        ]  # fmt: skip
        note = ["What drivers bring about goes together with winning; it need not be the cause."]
        out.append(
            Section(
                title, note if of_title[0].grouping.chosen else (), drawn,
                [Table("All figures", ["set-up", "group", "wins", "95 % interval", "fair"], rows)],
            )
        )  # fmt: skip
    return [_length_section(model, facts), _decision_section(model, facts), *out]


def _length_section(game: Game, facts: Facts) -> Section:
    word, parts = game.turn_word, fields(game, facts)
    every = [(label, intervals.mean(part.races["turns"])) for label, part in parts]
    rows = [
        [label, str(estimate), str(int(part.races["turns"].min())), str(int(part.races["turns"].max()))]
        for (label, estimate), (_, part) in zip(every, parts, strict=True)
    ]
    drawn = plots.lengths([(label, part.races["turns"]) for label, part in parts], f"{word}s")
    table = Table("All figures", ["set-up", f"{word}s in a race", "shortest", "longest"], rows)
    return Section("How long races are", (), [(f"{word.capitalize()}s", drawn)], [table])


def _statistics(game: Game) -> dict[str, str]:
    """Columns of the races whose means a report shows, with what they are."""
    margin = f"{game.lab.facts.unit} between first and second"
    return {"lead_changes": "changes of the lead", "margin": margin, **game.lab.race_statistics}


def _decision_section(game: Game, facts: Facts) -> Section:
    """How early the winners lead, and other statistics of the races."""
    parts = fields(game, facts)
    leads = [
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
        for column, name in _statistics(game).items()
        if column in part.races and np.isfinite(part.races[column].astype(float)).any()
    ]
    rows += [
        [label, f"winners that lead after {quarter} of 4 quarters", str(estimate)]
        for label, each, _ in leads
        for quarter, estimate in zip(QUARTERS, each, strict=True)
    ]
    label, (_, half, _), _ = leads[0]
    words = [f"In {half.shown(half.value)} of the races whoever leads at half time wins ({label})."]
    drawn = [("How early the later winner leads", plots.leads(leads))]
    table = Table("All figures", ["set-up", "in a race", "mean"], rows)
    return Section("What decides them", words, drawn, [table])


def table_lines(found: Sequence[Group]) -> list[str]:
    """The shares as lines for a terminal."""
    lines = []
    for group in found:
        lines += ["", f"{group.title} ({group.label})"]
        longest = max(len(share.name) for share in group.shares)
        for share in group.shares:
            mark = "*" if share.unfair else " "
            lines.append(
                f"  {mark} {share.name:{longest}}  {share.estimate!s:>28}   fair {share.estimate.shown(share.fair)}"
            )
    return lines
