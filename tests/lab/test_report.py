"""Reports: one file that needs nothing else, the same every time, with what was found in it."""

from __future__ import annotations

import argparse
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from spina.cli import lab_studies
from spina.errors import SpinaError
from spina.games.studies.facts import joined
from spina.games.studies.intervals import Estimate
from spina.lab import balance, plots, report, setups
from spina.lab.fact_collection import gather
from spina.lab.report import Card, Origin, Section, Table


class _Reader(HTMLParser):
    """Whether a page is well formed, and what it asks others for."""

    VOID = frozenset({"meta", "br", "link", "img", "path", "use", "rect"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.asked: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self._look(tag, attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._look(tag, attrs)

    def _look(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("src", "href", "xlink:href", "srcset") and not (value or "").startswith("#"):
                self.asked.append(f"{tag} {value}")
        if tag in ("script", "link", "iframe"):
            self.asked.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def _read(text: str) -> _Reader:
    reader = _Reader()
    reader.feed(text)
    assert not reader.open
    return reader


def _estimate(value: float) -> Estimate:
    return Estimate(value, value - 0.02, value + 0.03, 100, "share")


def test_a_report_needs_nothing_else_and_no_id_stands_twice() -> None:
    plots.restart()
    rows = [("red", _estimate(0.3)), ("white", _estimate(0.2))]
    drawn = [("one", plots.shares(rows, 0.25, coloured=True)), ("two", plots.shares(rows, None))]
    text = report.render("Two plots", [Section("Section", ["Words."], drawn)])
    page = _read(text)
    assert page.asked == []
    assert len(page.ids) == len(set(page.ids)) > 4
    assert not re.search(r"url\((?!#)|@import", text)
    for used in re.findall(r'(?:href="#|url\(#)([^")]+)', text):
        assert used in page.ids


def test_plots_take_their_colours_from_the_page_and_the_factions() -> None:
    svg = plots.shares([("red", _estimate(0.3)), ("blue", _estimate(0.2))], 0.25, coloured=True)
    assert "var(--ink-soft)" in svg
    assert "#c0331f" in svg
    assert "#1d62a5" in svg
    assert not [colour for colour in plots.VARIABLES if colour in svg]


def test_what_is_written_is_escaped() -> None:
    text = report.render(
        "<b>bold</b>",
        [Section("a & b", ["<i>"], (), [Table("t", ["<x>"], [["<y>"]])], [Card("holds", "<z>", "1", "&")])],
        findings=["<script>"], origin=Origin("spina lab <nothing>", 1, 2),
    )  # fmt: skip
    page = _read(text)
    assert "script" not in page.asked
    for raw in ("<b>", "<i>", "<x>", "<y>", "<z>", "<script>", "<nothing>"):
        assert raw not in text
        assert raw in "".join(page.text) or raw == "<b>"


@pytest.mark.slow
def test_an_arena_report_shows_bots_shares_ratings_and_places() -> None:
    sections = report.arena_sections(
        ["expert", "longest"], [(0.7, 0.65, 0.75), (0.3, 0.25, 0.35)], [(1.5, 1.2, 1.8), (0.0, -0.3, 0.3)],
        [[70, 30], [30, 70]], races=100, fair=0.5,
    )  # fmt: skip
    text = "".join(_read(report.render("Arena", sections)).text)
    for said in ("expert", "longest", "70.0 %", "1.50", "1st", "2nd", "70%", "clearly before"):
        assert said in text
    close = report.arena_sections(
        ["a", "b"], [(0.5, 0.4, 0.6), (0.5, 0.4, 0.6)], [(0, -1, 1), (0, -1, 1)], [[1, 1], [1, 1]]
    )
    assert "clearly" not in close[0].words[0]


@pytest.mark.slow
def test_the_same_study_gives_the_same_page() -> None:
    facts = joined([gather(setups.make("charioteer", f"field {seats}", 24, 1)) for seats in (2, 3)])
    found = balance.groups("charioteer", facts)
    pages = [report.render("Balance", balance.sections("charioteer", facts, found)) for _ in range(2)]
    assert pages[0] == pages[1]
    assert "Order on the first turn" in pages[0]
    assert "3 seats" in pages[0]


def _run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    lab_studies.add_commands(parser.add_subparsers())
    args: Any = parser.parse_args(words)
    return int(args.run(args))


@pytest.mark.slow
def test_the_balance_command_prints_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, raw = tmp_path / "balance.html", tmp_path / "balance.parquet"
    words = ("balance", "charioteer", "--races", "25", "--seats", "2", "--seed", "5", "--processes", "1")
    assert _run(*words, "--report", str(page), "--parquet", str(raw)) == 0
    said = capsys.readouterr().out
    assert "Seat and colour (2 seats)" in said
    assert "50.0 %" in said
    text = page.read_text(encoding="utf-8")
    assert "spina lab balance charioteer" in text
    assert "--seed 5" in text
    assert _read(text).asked == []
    table = pq.read_table(raw)  # type: ignore[no-untyped-call]
    assert table.num_rows == 50
    assert sum(table.column("won").to_pylist()) == pytest.approx(25)
    assert set(table.column("game").to_pylist()) == {"charioteer"}


def test_files_that_cannot_be_written_are_named_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(SpinaError, match="no folder"):
        _run("balance", "charioteer", "--report", str(tmp_path / "nowhere" / "x.html"))
    with pytest.raises(SpinaError, match="--target"):
        _run("tune", "charioteer")
