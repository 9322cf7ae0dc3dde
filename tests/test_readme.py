"""The README and the page about Python: short enough, their code runs and prints what it says, their links exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = "README.md"
PAGES = {README: 1, "docs/python.md": 6}
"""Pages whose Python code is run, block after block, with the least number of blocks."""
LONGEST_README = 120
LARGEST_PICTURE = 250_000


def text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", text(page), flags=re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_code_runs_and_prints_what_it_says(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = blocks(page)
    assert len(found) >= PAGES[page]
    names: dict[str, object] = {}
    for block in found:
        exec(compile(block, page, "exec"), names)
    printed = capsys.readouterr().out
    for promised in re.findall(r"^# (.*?)(?:\.\.\.)?$", "\n".join(found), flags=re.MULTILINE):
        assert promised.strip() in printed


def test_the_page_about_python_promises_output() -> None:
    assert len(re.findall(r"^# .+$", "\n".join(blocks("docs/python.md")), flags=re.MULTILINE)) >= 2


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text(README)))
def test_the_readmes_links_lead_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


def test_the_readme_is_short_and_shows_the_table() -> None:
    assert len(text(README).splitlines()) <= LONGEST_README
    picture = ROOT / "docs" / "table.png"
    assert "(docs/table.png)" in text(README)
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size < LARGEST_PICTURE
