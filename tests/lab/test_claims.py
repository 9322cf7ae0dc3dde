"""Claims: verdicts follow from intervals and bounds, and known ones come out as they must."""

from __future__ import annotations

import dataclasses
import math
import re
from pathlib import Path

import pytest

from spina.games import find, names
from spina.games.studies.intervals import Estimate
from spina.lab import claims, claims_report, setups
from spina.lab.claims import Finding, verdict
from spina.lab.fact_collection import gather

CLAIMS = {name: find(name).lab.claims for name in names()}


@pytest.mark.parametrize(
    ("low", "high", "bounds", "said"),
    [
        (21.0, 22.0, (20.0, math.inf), "holds"),
        (21.0, 22.0, (-math.inf, 20.0), "does not hold"),
        (19.0, 22.0, (20.0, math.inf), "undecided"),
        (19.0, 27.0, (20.0, 26.0), "undecided"),
        (27.0, 28.0, (20.0, 26.0), "does not hold"),
    ],
)
def test_a_verdict_compares_the_whole_interval_with_the_bounds(
    low: float, high: float, bounds: tuple[float, float], said: str
) -> None:
    assert verdict(Estimate((low + high) / 2, low, high, 100), *bounds) == said


def test_nothing_measured_decides_nothing() -> None:
    assert verdict(Estimate(math.nan, 0.0, 1.0, 0), 0.0, 1.0) == "undecided"


def test_claims_are_known_by_unique_names_and_have_races_to_be_measured_in() -> None:
    everything = [claim for game in names() for claim in CLAIMS[game]]
    assert len({claim.id for claim in everything}) == len(everything) >= 45
    for game in names():
        assert {label for claim in CLAIMS[game] for label in claim.labels} == {
            task.label for task in claims.tasks(game, 10, 1)
        }
    for claim in everything:
        assert claim.id.startswith(claim.game)
        assert claim.low < claim.high
        assert not (math.isinf(claim.low) and math.isinf(claim.high))


def _judged(name: str, races: int) -> Finding:
    (claim,) = [claim for every in CLAIMS.values() for claim in every if claim.id == name]
    estimate = claim.measure(*(gather(setups.make(claim.game, label, races, 1)) for label in claim.labels))
    return Finding(claim, estimate, verdict(estimate, claim.low, claim.high))


def test_a_black_move_is_exactly_twice_as_fast_in_corners() -> None:
    found = _judged("charioteer-corner", 15)
    assert found.estimate.value == pytest.approx(2.0, abs=0.02)
    assert found.verdict == "holds"


def test_the_longest_move_loses_and_its_opposite_claim_does_not_hold() -> None:
    found = _judged("charioteer-longest-4", 60)
    assert found.verdict == "holds"
    opposite = dataclasses.replace(found.claim, low=0.25, high=1.0)
    assert verdict(found.estimate, opposite.low, opposite.high) == "does not hold"


def test_the_inside_lane_gains_what_the_course_says() -> None:
    """A step inside a bend of 4, 6 or 8 spaces is worth 1.5, 1 or 0.75 of a straight one."""
    estimate = _judged("chariot-race-inside", 6).estimate
    assert 1.0 < estimate.value < 1.5 / 0.75


def test_the_same_seed_gives_the_same_estimates() -> None:
    assert _judged("charioteer-moves-2", 10).estimate == _judged("charioteer-moves-2", 10).estimate


def test_findings_are_told_with_verdict_estimate_and_source() -> None:
    found = _judged("charioteer-longest-4", 20)
    lines = "\n".join(claims_report.lines([found]))
    assert found.verdict in lines
    assert found.claim.id in lines
    (section,) = claims_report.sections([found])
    assert section.cards[0].mark == found.verdict
    assert found.claim.source in section.cards[0].small
    denied = Finding(found.claim, found.estimate, "does not hold")
    assert any("Does not hold" in line for line in claims_report.headlines([denied]))
    assert claims_report.headlines([denied])[0] == "Of 1 claims 0 hold, 1 does not, and 0 need more races to tell."


def test_no_claim_is_a_sentence_of_the_rules_pages() -> None:
    """Claims are in our own words, and not even those of our rules pages."""
    pages = Path(__file__).parents[2] / "docs" / "rules"
    text = re.sub(r"\s+", " ", " ".join(page.read_text(encoding="utf-8") for page in pages.glob("*.md")))
    for game in names():
        assert not [claim.id for claim in CLAIMS[game] if claim.statement in text]
