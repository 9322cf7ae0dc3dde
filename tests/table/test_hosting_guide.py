"""The hosting guide and the server's settings name the same limits."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from spina.games import editions, toml_lines
from spina.table.bots import analysis, hints
from spina.table.http import connections, security
from spina.table.http import rate_limits as allowances
from spina.table.settings import Settings

GUIDE = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")
NOT_LIMITS = {"workers"}
"""Numbers that depend on the machine."""


def documented() -> dict[str, float]:
    """The settings that the guide's tables name, with the number that begins the last column."""
    rows = re.findall(r"^\| `(\w+)` \|.+\| ([0-9.]+)(?: \([^|]+\))? \|$", GUIDE, re.MULTILINE)
    assert len(rows) == len(dict(rows)), "a setting is in two tables"
    return {name: float(default) for name, default in rows}


def limits() -> dict[str, float]:
    """The settings that are numbers, with their defaults."""
    fields = msgspec.structs.fields(Settings)
    return {f.name: f.default for f in fields if type(f.default) in (int, float) and f.name not in NOT_LIMITS}


def test_the_guide_names_every_limit_with_its_default_and_no_other() -> None:
    assert len(limits()) > 10
    assert documented() == limits()


def test_sizes_are_spelled_out_as_they_are() -> None:
    units = {"KB": 1024, "MB": 1024 * 1024}
    sizes = re.findall(r"\| ([0-9]+) \(([0-9.]+) (KB|MB)\) \|$", GUIDE, re.MULTILINE)
    assert sizes
    for number, size, unit in sizes:
        assert int(number) == float(size) * units[unit]


def test_limits_that_are_no_settings_are_in_the_guide_as_they_are() -> None:
    words = {1: "one", 2: "two", 6: "six", 10: "ten", 20: "twenty"}
    flat = " ".join(GUIDE.split())
    for per_second, at_once, what in (
        (hints.HINTS_PER_SECOND, hints.HINTS_AT_ONCE, "Hints"),
        (analysis.STARTS_PER_SECOND, analysis.STARTS_AT_ONCE, "analyses of races"),
    ):
        assert f"{what} (one every {words[round(1 / per_second)]} seconds, {words[round(at_once)]} at once)" in flat
    assert f"An address may do {words[round(allowances.CROWD)]} times what a visitor may" in flat
    assert f"at most {connections.MOST_HEADERS} of them" in flat
    assert f"An edition has at most {editions.SIZE // 1024} KB and {toml_lines.VALUES:,} values" in flat
    assert security.READING == 1 / 20 and "reading costs a twentieth" in flat
    assert security.REPLAYING == 1 / 2 and "a part of a replay half" in flat
