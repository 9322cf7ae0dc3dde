"""The example game as an installed package, in a folder of packages that tests put on the path."""

from __future__ import annotations

import os
import shutil
import tomllib
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "fourth_game"


def install(folder: Path) -> dict[str, str]:
    """Install the example game into the folder; returns an environment in which Python finds it beside Spina."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    shutil.copytree(EXAMPLE / "src" / "spina_biga", folder / "spina_biga", ignore=shutil.ignore_patterns("__pycache__"))
    about = folder / f"spina_biga-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    points = "".join(f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in names.items())
                     for group, names in project["entry-points"].items())  # fmt: skip
    (about / "entry_points.txt").write_text(points)
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path}
