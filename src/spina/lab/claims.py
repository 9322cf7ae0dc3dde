"""Measures the claims of the games, from rulebooks and from Spina's notes on components, and judges them.

A claim holds if the whole 95 % confidence interval of its estimate lies within its bounds, does not hold if all of it
lies outside, and is undecided otherwise: more races would tell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from spina.games import get
from spina.games.studies.claim import Claim
from spina.games.studies.facts import Facts
from spina.games.studies.intervals import Estimate
from spina.games.studies.recording import Task
from spina.lab import setups
from spina.lab.code_digest import code_digest
from spina.lab.fact_collection import collect
from spina.lab.proofs import Proof, enter

Verdict = Literal["holds", "does not hold", "undecided"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim with its estimate and verdict."""

    claim: Claim
    estimate: Estimate
    verdict: Verdict


def verdict(estimate: Estimate, low: float, high: float) -> Verdict:
    """Compares the interval of an estimate with the bounds of a claim or target."""
    if math.isnan(estimate.value):
        return "undecided"
    if low <= estimate.low and estimate.high <= high:
        return "holds"
    return "does not hold" if estimate.high < low or estimate.low > high else "undecided"


def tasks(game: str, races: int, seed: int, edition: str | None = None) -> list[Task]:
    """The races in which a game's claims are measured, each set-up once."""
    labels = dict.fromkeys(label for claim in get(game).lab.claims for label in claim.labels)
    return [setups.make(game, label, races, seed, edition=edition) for label in labels]


def judge(game: str, facts: Facts) -> list[Finding]:
    """Judges every claim of a game by these races."""
    known = {label: facts.labelled(label) for label in dict.fromkeys(facts.races["label"].tolist())}
    return [_finding(claim, known) for claim in get(game).lab.claims]


def _finding(claim: Claim, known: Mapping[str, Facts]) -> Finding:
    estimate = claim.measure(*(known[label] for label in claim.labels))
    return Finding(claim, estimate, verdict(estimate, claim.low, claim.high))


def enter_proof(
    games: Sequence[str], *, races: int | None = None, number: int | None = None, register: Path | None = None
) -> Proof:
    """The proof range of the claims of these games, entered in the register. All set-ups share its seeds."""
    counts = {name: races or get(name).lab.sizes.claims for name in games}
    study = {
        "study": "claims",
        "games": [[name, get(name).rules_version, get(name).reference().hash, counts[name]] for name in games],
    }
    code = "-".join(code_digest(name, studies=True) for name in games)
    return enter(study, races=max(counts.values()), code=code, number=number, register=register)


def study(
    games: Sequence[str],
    *,
    races: int | None = None,
    seed: int,
    on: str | None = None,
    processes: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[Finding], dict[str, Facts]]:
    """Measures the claims of these games; also returns the facts, by game. Games without claims are left out.

    `seed`: that of a proof range (`enter_proof`), unless the findings are to prove nothing.
    """
    plans = {game: tasks(game, races or get(game).lab.sizes.claims, seed) for game in games if get(game).lab.claims}
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
