"""The documentation builds, without a dead link."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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
