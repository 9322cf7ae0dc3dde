"""The README's code runs, and prints what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def test_the_readme_has_code() -> None:
    assert len(BLOCKS) >= 3


def test_the_readmes_code_runs_and_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for block in BLOCKS:
        exec(compile(block, "README.md", "exec"), names)
    printed = capsys.readouterr().out
    for promised in re.findall(r"^# (.*?)(?:\.\.\.)?$", "\n".join(BLOCKS), flags=re.MULTILINE):
        assert promised.strip() in printed


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#:]+)\)", README))
def test_the_readmes_links_lead_somewhere(link: str) -> None:
    assert (Path(__file__).parents[1] / link).exists()
