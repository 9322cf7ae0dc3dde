"""MkDocs hook: shows the rules page of each game, which is kept in the game's own folder, under `rules/`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
NAV_ENTRY = "Rules"
"""The entry of the navigation that lists the rules pages."""


def rules_pages() -> dict[str, Path]:
    """The rules page of each game that Spina registers, by the address of the page."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = {}
    for name, value in project["entry-points"]["spina.games"].items():
        folder = ROOT.joinpath("src", *value.partition(":")[0].split("."))
        found[f"rules/{name}.md"] = folder / "web" / "rules.md"
    return found


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """List the rules pages in the navigation, each by its heading."""
    nav: list[Any] = config.nav or []
    for entry in nav:
        if isinstance(entry, dict) and NAV_ENTRY in entry:
            entry[NAV_ENTRY] = [{_heading(path): address} for address, path in rules_pages().items()]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the rules pages to the site."""
    for address, path in rules_pages().items():
        files.append(File.generated(config, address, content=path.read_text(encoding="utf-8")))
    return files


def _heading(path: Path) -> str:
    return path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
