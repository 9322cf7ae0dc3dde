"""The documentation builds, without a dead link."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_the_site_builds_with_every_link_alive(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(tmp_path / "site")]
    built = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    pages = {path.name for path in (tmp_path / "site").rglob("*.html")}
    assert {"playing.html", "hosting.html", "lab.html", "api.html", "ladder.html", "charioteer.html"} <= pages
    assert "retract" in (tmp_path / "site" / "api.html").read_text()  # from the docstrings
    for page in (tmp_path / "site").glob("*.html"):
        assert "fonts.googleapis" not in page.read_text(), f"{page.name} asks another host"


def test_the_code_of_the_page_about_bots_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A block that begins with the name of a file is written to that file; the others run, one after the other."""
    monkeypatch.syspath_prepend(tmp_path)
    names: dict[str, object] = {}
    text = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert len(blocks) >= 3
    for block in blocks:
        if named := re.match(r"# (\w+\.py)\n", block):
            (tmp_path / named[1]).write_text(block, encoding="utf-8")
        else:
            exec(compile(block, "docs/bots.md", "exec"), names)
    assert "%" in capsys.readouterr().out
