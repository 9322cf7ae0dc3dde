"""What rulebooks say that can be measured, and what Spina's component notes promise: measured, with a verdict.

A claim is stated in our own words, with where it comes from. It holds if the whole 95 % interval of its figure lies
within its bounds, does not hold if all of it lies outside, and is undecided otherwise: more races would tell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from spina.errors import OptionError
from spina.games import get
from spina.lab import chariot_race_claims, charioteer_claims, chariotmaster_claims, setups
from spina.lab.claim import Claim
from spina.lab.facts import Facts, collect
from spina.lab.intervals import Figure
from spina.lab.recordings import Task

Verdict = Literal["holds", "does not hold", "undecided"]
RACES = {"charioteer": 1200, "chariot-race": 400, "chariotmaster": 80}
"""Races of each set-up unless asked otherwise."""

CLAIMS: dict[str, Sequence[Claim]] = {
    "charioteer": charioteer_claims.CLAIMS,
    "chariot-race": chariot_race_claims.CLAIMS,
    "chariotmaster": chariotmaster_claims.CLAIMS,
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim with what was measured."""

    claim: Claim
    figure: Figure
    verdict: Verdict


def verdict(figure: Figure, low: float, high: float) -> Verdict:
    """Whether the whole interval lies within the bounds, or outside, or neither."""
    if math.isnan(figure.value):
        return "undecided"
    if low <= figure.low and figure.high <= high:
        return "holds"
    return "does not hold" if figure.high < low or figure.low > high else "undecided"


def tasks(game: str, races: int, seed: int, edition: str | None = None) -> list[Task]:
    """The races that a game's claims are measured in, every set-up once."""
    labels = dict.fromkeys(label for claim in CLAIMS[game] for label in claim.labels)
    return [setups.make(game, label, races, seed, edition=edition) for label in labels]


def judge(game: str, facts: Facts) -> list[Finding]:
    """Every claim of a game, measured in these races."""
    known = {label: facts.labelled(label) for label in dict.fromkeys(facts.races["label"].tolist())}
    return [_finding(claim, known) for claim in CLAIMS[game]]


def _finding(claim: Claim, known: Mapping[str, Facts]) -> Finding:
    figure = claim.measure(*(known[label] for label in claim.labels))
    return Finding(claim, figure, verdict(figure, claim.low, claim.high))


def study(
    games: Sequence[str],
    *,
    races: int | None = None,
    seed: int = 1,
    on: str | None = None,
    processes: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[Finding], dict[str, Facts]]:
    """Measure the claims of these games; also returns the races."""
    for game in games:
        if get(game).name not in CLAIMS:
            raise OptionError(f"nothing is claimed of {game}")
    plans = {game: tasks(game, races or RACES[game], seed) for game in games}
    total = sum(task.count for plan in plans.values() for task in plan)
    findings: list[Finding] = []
    known: dict[str, Facts] = {}
    before = 0
    for game, plan in plans.items():
        start = before

        def step(done: int, _: int, start: int = start) -> None:
            if progress:
                progress(start + done, total)

        known[game] = collect(plan, on=on, processes=processes, progress=step)
        findings += judge(game, known[game])
        before += sum(task.count for task in plan)
    return findings, known
