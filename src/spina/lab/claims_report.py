"""Findings on claims as text for a terminal and as sections of a report."""

from __future__ import annotations

from collections.abc import Sequence

from spina.games import get
from spina.lab.claims import Finding
from spina.lab.report import Card, Section, Table, gauge

VERDICTS = ("holds", "does not hold", "undecided")


def _said(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def headlines(findings: Sequence[Finding]) -> list[str]:
    """How many claims hold, and which do not."""
    if not findings:
        return ["There are no claims to measure."]
    counts = {name: sum(each.verdict == name for each in findings) for name in VERDICTS}
    lines = [
        f"Of {len(findings)} claims {_said(counts['holds'], 'holds', 'hold')}, "
        f"{_said(counts['does not hold'], 'does not', 'do not')}, "
        f"and {_said(counts['undecided'], 'needs', 'need')} more races to tell."
    ]
    lines += [
        f"Does not hold: {each.claim.statement} Measured: {each.claim.what} {each.estimate.shown(each.estimate.value)}."
        for each in findings
        if each.verdict == "does not hold"
    ]
    return lines


def lines(findings: Sequence[Finding]) -> list[str]:
    """The findings as lines for a terminal, grouped by game."""
    out = []
    for game in dict.fromkeys(each.claim.game for each in findings):
        out += ["", get(game).title]
        for each in findings:
            if each.claim.game == game:
                out.append(f"  {each.verdict:13}  {each.claim.statement}")
                measured = f"{each.claim.what}: {each.estimate}; {each.claim.bound(each.estimate)}"
                out.append(f"  {'':13}  {measured}  [{each.claim.id}]")
    return [*out, "", *headlines(findings)[:1]]


def sections(findings: Sequence[Finding]) -> list[Section]:
    """A section for every game: verdicts as cards, estimates as a table."""
    out = []
    for game in dict.fromkeys(each.claim.game for each in findings):
        own = [each for each in findings if each.claim.game == game]
        cards = [
            Card(each.verdict, each.claim.statement, str(each.estimate),
                 f"{each.claim.what}; wanted {each.claim.bound(each.estimate)} · {each.claim.source}",
                 gauge(each.estimate, each.claim.low, each.claim.high))
            for each in sorted(own, key=lambda each: VERDICTS.index(each.verdict) != 1)
        ]  # fmt: skip
        rows = [
            [each.claim.id, each.verdict, str(each.estimate), each.claim.bound(each.estimate),
             f"{each.estimate.races:,}", ", ".join(each.claim.labels), each.claim.source]
            for each in own
        ]  # fmt: skip
        head = ["claim", "verdict", "figure with interval", "wanted", "races", "set-up", "source"]
        out.append(Section(get(game).title, (), (), [Table("All figures", head, rows)], cards))
    return out
