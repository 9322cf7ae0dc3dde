"""Tuning: finds component values of an edition that meet stated targets, by successive elimination.

Every combination of the values to try runs the same few races (common random numbers: only the components differ).
The better third goes on with three times as many, and so on, until the best few have run in full. The best is measured
again with other seeds, since the seeds that chose it favour it; targets that it then misses are reported. None of these
races is a race of a proof (`proof_seeds`).
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from spina.errors import EditionError, OptionError
from spina.games import get
from spina.games.studies.edition_edits import rename
from spina.games.studies.facts import Facts, joined
from spina.games.studies.intervals import Estimate
from spina.lab import claims, knobs, measure_names, plots, setups
from spina.lab.claims import Verdict
from spina.lab.fact_collection import gather, portions
from spina.lab.measure_names import NamedMeasure
from spina.lab.proof_seeds import check_free
from spina.lab.report import Card, Section, Table, gauge

KEEP = 3
"""One in KEEP settings goes on to the next round, with KEEP times as many races."""
MOST_SETTINGS = 200
FINALISTS = 3
NEW_SEED = 7_919
_NUMBER = r"\d+(?:\.\d+)?[%x]?"


@dataclass(frozen=True, slots=True)
class Target:
    """A measure and the bounds that it should be within."""

    measure: NamedMeasure
    low: float
    high: float
    text: str

    def loss(self, estimate: Estimate) -> float:
        """The distance of the estimate from the bounds, relative to their width.

        An interval that crosses a bound adds a tenth of its part outside.
        """
        if math.isnan(estimate.value):
            return 10.0
        width = (self.high - self.low) if math.isfinite(self.high - self.low) else abs(self._bound()) or 1.0
        outside = max(self.low - estimate.value, estimate.value - self.high, 0.0)
        edge = max(self.low - estimate.low, estimate.high - self.high, 0.0)
        return (outside + 0.1 * edge) / width

    def _bound(self) -> float:
        return self.low if math.isfinite(self.low) else self.high


@dataclass(frozen=True, slots=True)
class Trial:
    """A setting that was tried, with its estimates in the last round it reached."""

    setting: Mapping[str, int]
    estimates: Sequence[Estimate]
    loss: float
    races: int
    """Of each set-up."""


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a search."""

    game: str
    targets: Sequence[Target]
    ranges: Sequence[knobs.Range]
    trials: Sequence[Trial]
    """All, best first."""
    refused: Sequence[tuple[Mapping[str, int], str]]
    """Settings that give no valid edition, with the reason."""
    best: Mapping[str, int]
    final: Sequence[Estimate]
    """Of the best, with seeds that had no part in choosing it."""
    before: Sequence[Estimate]
    """Of the edition as it was, with the same seeds."""
    edition: str
    races: int

    @property
    def verdicts(self) -> list[Verdict]:
        return [
            claims.verdict(estimate, target.low, target.high)
            for estimate, target in zip(self.final, self.targets, strict=True)
        ]

    @property
    def met(self) -> bool:
        return all(each == "holds" for each in self.verdicts)


def read_target(game: str, text: str) -> Target:
    """A target from its notation: turns=20..26, seat-share<=1.2x, bonus-box=45%..70%. Raises OptionError."""
    found = re.fullmatch(rf"([\w@-]+?)(<=|>=|=)({_NUMBER})(?:\.\.({_NUMBER}))?", text.replace(" ", ""))
    if not found or (found[2] == "=") != (found[4] is not None):
        raise OptionError(f"a target is MEASURE=LOW..HIGH, MEASURE<=N or MEASURE>=N, not {text!r}")
    first = _number(found[3])
    second = _number(found[4]) if found[4] else 0.0
    low, high = {"<=": (-math.inf, first), ">=": (first, math.inf), "=": (first, second)}[found[2]]
    if low > high:
        raise OptionError(f"the bounds of {text!r} are the wrong way round")
    return Target(measure_names.find(game, found[1]), low, high, text)


def _number(text: str) -> float:
    return float(text.rstrip("%x")) / (100 if text.endswith("%") else 1)


def rounds(game: str, settings: int, races: int) -> list[tuple[int, int]]:
    """For each round the number of settings, and of races of each set-up."""
    plan = []
    fewest, left = get(game).lab.sizes.tuning_first, settings
    steps = max(0, math.ceil(math.log(max(left / FINALISTS, 1), KEEP)))
    for step in range(steps, -1, -1):
        plan.append((left, max(min(races, fewest), races // KEEP**step)))
        left = max(min(FINALISTS, settings), math.ceil(left / KEEP))
    return plan


def search(
    game: str,
    base: str,
    targets: Sequence[Target],
    ranges: Sequence[knobs.Range],
    *,
    races: int,
    seed: int,
    on: str | None = None,
    processes: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Result:
    """Looks for the setting that meets the targets best. Deterministic for a seed. Raises OptionError."""
    for number in (seed, seed + NEW_SEED):
        check_free(number, races)
    settings = knobs.grid(ranges)
    if len(settings) > MOST_SETTINGS:
        settings = random.Random(seed).sample(settings, MOST_SETTINGS)
    why = "chosen by spina lab tune for " + ", ".join(target.text for target in targets)
    editions: dict[int, str] = {}
    refused: list[tuple[Mapping[str, int], str]] = []
    for index, setting in enumerate(settings):
        try:
            text = knobs.apply(game, base, setting, why.replace('"', "'"))
            get(game).parse_edition(text, "the edition tried")
            editions[index] = text
        except (EditionError, OptionError) as error:
            refused.append((setting, str(error).splitlines()[0]))
    if not editions:
        raise OptionError(f"none of these settings is a sound edition: {refused[0][1]}")
    labels = [*dict.fromkeys(target.measure.label for target in targets)]
    plan = rounds(game, len(editions), races)
    total = sum(count * number for count, number in plan) * len(labels) + 2 * races * len(labels)
    done = 0

    def measured(texts: Mapping[int, str], number: int, base_seed: int) -> dict[int, list[Estimate]]:
        nonlocal done
        start = done

        def step(now: int, _: int) -> None:
            if progress:
                progress(min(start + now, total), total)

        found = _measure(game, texts, targets, labels, number, base_seed, on, processes, step)
        done += len(texts) * number * len(labels)
        return found

    alive, trials = [*editions], {}
    for count, number in plan:
        alive = alive[:count]
        found = measured({index: editions[index] for index in alive}, number, seed)
        for index in alive:
            loss = sum(target.loss(estimate) for target, estimate in zip(targets, found[index], strict=True))
            trials[index] = Trial(settings[index], found[index], loss, number)
        alive.sort(key=lambda index: (trials[index].loss, index))
    best = alive[0]
    last = measured({-1: base, best: editions[best]}, races, seed + NEW_SEED)
    ordered = sorted(trials, key=lambda index: (-trials[index].races, trials[index].loss, index))
    text = rename(editions[best], f"{get(game).title}, tuned")
    tried = [trials[index] for index in ordered]
    return Result(game, targets, ranges, tried, refused, settings[best], last[best], last[-1], text, done)


def _measure(
    game: str,
    texts: Mapping[int, str],
    targets: Sequence[Target],
    labels: Sequence[str],
    races: int,
    seed: int,
    on: str | None,
    processes: int | None,
    progress: Callable[[int, int], None],
) -> dict[int, list[Estimate]]:
    """The estimates for the targets, by edition, all from races with the same seeds."""
    from spina.lab.executor import run

    jobs = [
        (index, part)
        for index, text in texts.items()
        for label in labels
        for part in portions(setups.make(game, label, races, seed, edition=text))
    ]
    parts: dict[int, list[tuple[int, Facts]]] = {index: [] for index in texts}
    total, done = sum(part.count for _, part in jobs), 0
    for number, result in run(gather, [part for _, part in jobs], on=on, processes=processes):
        parts[jobs[number][0]].append((number, result))
        done += jobs[number][1].count
        progress(done, total)
    found = {}
    for index, results in parts.items():
        known = joined([each for _, each in sorted(results, key=lambda pair: pair[0])])
        found[index] = [target.measure.compute(known.labelled(target.measure.label)) for target in targets]
    return found


# --- what came of it --------------------------------------------------------------------------------------------------


def _said(setting: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {value}" for name, value in setting.items())


def headlines(result: Result) -> list[str]:
    """The best setting, and for every target whether it is met."""
    out = [f"Best of {len(result.trials)} settings: {_said(result.best)}."]
    words = {"holds": "met", "does not hold": "missed", "undecided": "not sure to be met"}
    for target, estimate, verdict in zip(result.targets, result.final, result.verdicts, strict=True):
        out.append(f"{target.text}: {words[verdict]}, {estimate}.")
    if not result.met:
        out.append("No setting that was tried is sure to meet all targets; this one comes closest.")
    return out


def lines(result: Result) -> list[str]:
    """What was tried and what was chosen, as lines for a terminal."""
    out = [f"{get(result.game).title}: {len(result.trials)} settings, {result.races:,} races", ""]
    for trial in result.trials[:15]:
        said = "  ".join(estimate.shown(estimate.value) for estimate in trial.estimates)
        out.append(f"  {_said(trial.setting):40} {said}   loss {trial.loss:.3f}   ({trial.races:,} races)")
    if len(result.trials) > 15:
        out.append(f"  … and {len(result.trials) - 15} more that were left behind")
    out += [f"  {_said(setting):40} refused: {why}" for setting, why in result.refused[:5]]
    out += ["", "as it was, with other races:"]
    for target, estimate in zip(result.targets, result.before, strict=True):
        out.append(f"  {target.text}: {estimate}")
    return [*out, "", *headlines(result)]


def sections(result: Result) -> list[Section]:
    """The sections of the report."""
    plots.restart()
    drawn = []
    if len(result.ranges) == 1 and len(result.trials) > 1:
        name = result.ranges[0].name
        for index, target in enumerate(result.targets):
            points = [
                (float(trial.setting[name]), trial.estimates[index].value, trial.setting == result.best)
                for trial in result.trials
            ]
            drawn.append(
                (target.measure.words, plots.trail(points, name, target.low, target.high, result.final[index].unit))
            )
    cards = [
        Card(
            verdict,
            target.measure.words,
            str(estimate),
            f"target {target.text}; the edition as it was: {before}",
            gauge(estimate, target.low, target.high),
        )
        for target, estimate, before, verdict in zip(
            result.targets, result.final, result.before, result.verdicts, strict=True
        )
    ]
    head = ["setting", *(target.text for target in result.targets), "loss", "races of each set-up"]
    rows = [
        [
            _said(trial.setting),
            *(str(estimate) for estimate in trial.estimates),
            f"{trial.loss:.3f}",
            f"{trial.races:,}",
        ]
        for trial in result.trials
    ]
    rows += [[_said(setting), why, *[""] * (len(head) - 2)] for setting, why in result.refused]
    return [
        Section("The choice", [f"{_said(result.best)}, measured with races that chose nothing."], (), (), cards),
        Section("What was tried", (), drawn, [Table("All settings", head, rows)]),
    ]
