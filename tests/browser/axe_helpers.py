"""axe-core, for tests that look at pages with its eyes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from browsing import SCHEMES
from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"


@cache
def axe() -> str:
    assert AXE.exists(), "axe-core is missing: npm install"
    return AXE.read_text(encoding="utf-8")


SETTLED = """async () => {
  const endless = (animation) => animation.effect?.getComputedTiming().endTime === Infinity;
  const ending = () => document.getAnimations().filter((a) => a.playState === "running" && !endless(a));
  for (let running = ending(); running.length > 0; running = ending())
    await Promise.allSettled(running.map((animation) => animation.finished));
}"""
"""Waits until nothing fades or moves that will end, what begins meanwhile included: half-faded text has no contrast."""

VIOLATIONS = "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"
"""Every rule is tried; what passes is not described at length."""


def findings(page: Page) -> list[str]:
    """What is wrong with a page that has come to rest: rule, element and reason."""
    page.evaluate(SETTLED)
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(axe())
    found: list[dict[str, Any]] = page.evaluate(VIOLATIONS)
    return [
        f"{violation['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for violation in found
        for node in violation["nodes"]
    ]


def findings_day_and_night(page: Page) -> list[str]:
    """The same of a page in bright colours and then in dark ones: only its styles change."""
    found = []
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        found += [f"{scheme}: {finding}" for finding in findings(page)]
    return found
