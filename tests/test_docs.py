"""The documentation builds without a warning or a dead link, and describes the folders that exist."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import rename_modules
import yaml

from spina.games import Game

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PACKAGE = ROOT / "src" / "spina"
ARCHITECTURE = (DOCS / "architecture.md").read_text(encoding="utf-8")
DECISIONS = sorted(path.name for path in (DOCS / "decisions").glob("[0-9]*.md"))


@pytest.mark.slow
def test_the_site_builds_with_every_link_alive(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(tmp_path / "site")]
    built = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    assert "WARNING" not in built.stdout + built.stderr
    pages = {path.name for path in (tmp_path / "site").rglob("*.html")}
    assert {"playing.html", "hosting.html", "lab.html", "api.html", "ladder.html", "charioteer.html"} <= pages
    assert {"architecture.html", "python.html"} | {name.replace(".md", ".html") for name in DECISIONS} <= pages
    api = (tmp_path / "site" / "api.html").read_text()
    assert "retract" in api  # from the docstrings
    for name in ("spina.lab.arena.hold", "spina.lab.balance.study", "spina.adapters.gymnasium.RaceEnv"):
        assert f'id="{name}"' in api
    for page in (tmp_path / "site").glob("*.html"):
        assert "fonts.googleapis" not in page.read_text(), f"{page.name} asks another host"


def run_blocks(page: str, folder: Path) -> dict[str, object]:
    """Run the Python of a page, block by block; returns its names.

    A block that begins with the name of a file is written to that file instead.
    """
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len(blocks) >= 2
    for block in blocks:
        if named := re.match(r"# (\w+\.py)\n", block):
            (folder / named[1]).write_text(block, encoding="utf-8")
        else:
            exec(compile(block, f"docs/{page}", "exec"), names)
    return names


def test_the_code_of_the_page_about_bots_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    run_blocks("bots.md", tmp_path)
    assert "%" in capsys.readouterr().out


def test_the_code_of_the_page_about_batches_runs(tmp_path: Path) -> None:
    names = run_blocks("batches.md", tmp_path)
    assert names["own"].shape == (64,)  # type: ignore[attr-defined]


def test_the_code_of_the_page_about_training_runs(tmp_path: Path) -> None:
    names = run_blocks("training.md", tmp_path)
    assert names["gained"].shape == (256,)  # type: ignore[attr-defined]


# --- architecture.md --------------------------------------------------------------------------------------------------


def tree() -> set[str]:
    """The paths that the tree names, relative to the package. Columns of two spaces are folders inside each other."""
    found: set[str] = set()
    above: list[str] = []
    block = ARCHITECTURE.split("```\nsrc/spina/\n")[1].split("```")[0]
    for line in block.splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        names = re.findall(r"[\w/]+(?:\.py|/)(?=[\s,;]|$)", line)
        assert names, f"this line of the tree names nothing: {line}"
        if depth == 1 and names[0].endswith("/"):
            above = [names[0]]
        elif depth == 1:
            above = []
        found.add("".join(above) if depth == 1 and above else names[0] if depth == 1 else "".join(above) + names[0])
        found.update(("".join(above) if depth == 2 else "") + name for name in names[1:])
    return found


def test_the_tree_names_paths_that_exist() -> None:
    assert [name for name in sorted(tree()) if not (PACKAGE / name).exists()] == []


def test_the_tree_names_every_folder_of_the_package() -> None:
    top = {f"{path.parent.name}/" for path in PACKAGE.glob("*/__init__.py")}
    rooms = {f"table/{path.parent.name}/" for path in (PACKAGE / "table").glob("*/__init__.py")}
    assert top and rooms and top | rooms <= tree()


def test_every_folder_of_a_game_is_described() -> None:
    described = set(re.findall(r"^\| `(\w+)/` \|", ARCHITECTURE, re.MULTILINE))
    games = [path.parent for path in (PACKAGE / "games").glob("*/game.py")]
    assert len(games) >= 3
    for game in games:
        assert {path.name for path in game.iterdir() if path.is_dir() and path.name[0] not in "_."} <= described


def test_the_glossary_has_the_words_of_the_field() -> None:
    glossary = ARCHITECTURE.split("## Glossary")[1].lower()
    for word in (
        "monte carlo tree search", "rollout", "determinization", "information set", "progressive widening", "policy",
        "value network", "feature", "epsilon-greedy", "confidence interval", "successive elimination", "rate limit",
        "token bucket", "trusted proxy", "session", "migration", "worker pool", "warm-up", "replay",
    ):  # fmt: skip
        assert word in glossary, word


def test_no_word_is_explained_twice() -> None:
    words = re.findall(r"^\| ([^|]+) \|", ARCHITECTURE.split("## Glossary")[1], re.MULTILINE)
    single = [word for entry in words for word in entry.split(", ")]
    assert len(single) == len(set(single)) > 30


NAMED = [
    (path.relative_to(ROOT).as_posix(), name)
    for path in (ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md"))
    if path.name != "renames.md"
    for name in sorted(set(re.findall(r"`((?:\w+/)+\w+\.py)`", path.read_text(encoding="utf-8"))))
]
"""The files of Python that pages name, each with its page."""


@pytest.mark.parametrize(("page", "name"), NAMED)
def test_files_that_pages_name_exist(page: str, name: str) -> None:
    above = [
        ROOT,
        ROOT / "src",
        PACKAGE,
        PACKAGE / "games",
        *(path.parent for path in (PACKAGE / "games").glob("*/game.py")),
    ]
    assert any((folder / name).exists() for folder in above), f"{page} names {name}"


# --- decisions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DECISIONS)
def test_a_decision_has_its_four_parts_and_is_listed(name: str) -> None:
    page = (DOCS / "decisions" / name).read_text(encoding="utf-8")
    assert page.startswith(f"# {int(name[:2])}. ")
    assert re.findall(r"^## (.+)$", page, re.MULTILINE) == ["Context", "Decision", "Evidence", "Consequences"]
    assert f"({name})" in (DOCS / "decisions" / "index.md").read_text(encoding="utf-8")


def test_decisions_are_numbered_without_gaps() -> None:
    assert [int(name[:2]) for name in DECISIONS] == [*range(1, len(DECISIONS) + 1)]
    assert len(DECISIONS) >= 11


@pytest.mark.parametrize("name", DECISIONS)
def test_decisions_name_tests_that_exist(name: str) -> None:
    page = (DOCS / "decisions" / name).read_text(encoding="utf-8")
    assert all((ROOT / path).exists() for path in re.findall(r"`((?:tests|docs|tools)/[\w./]+)`", page))


# --- the navigation ---------------------------------------------------------------------------------------------------


def test_every_page_is_in_the_navigation() -> None:
    def pages(entry: object) -> list[str]:
        if isinstance(entry, str):
            return [entry]
        values = entry if isinstance(entry, list) else list(entry.values()) if isinstance(entry, dict) else []
        return [page for value in values for page in pages(value)]

    named = pages(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])
    assert sorted(named) == sorted(str(path.relative_to(DOCS).as_posix()) for path in DOCS.rglob("*.md"))


# --- the contract -----------------------------------------------------------------------------------------------------


def test_every_field_of_the_contract_is_described() -> None:
    page = (DOCS / "adding-a-game.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    described = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    fields = {name for name in (*vars(Game), *Game.__annotations__) if not name.startswith("_")}
    assert sorted(described) == sorted(fields)


# --- renames.md -------------------------------------------------------------------------------------------------------


def test_new_names_of_modules_exist_and_old_ones_are_gone() -> None:
    table = rename_modules.table()
    assert len(table) > 150
    assert [new for new in table.values() if find_spec(new) is None] == []
    packages = {str(path.parent.relative_to(PACKAGE.parent)).replace("/", ".") for path in PACKAGE.rglob("__init__.py")}
    assert [old for old in table if old not in packages and find_module(old)] == []


def find_module(name: str) -> bool:
    return PACKAGE.parent.joinpath(*name.split(".")).with_suffix(".py").is_file()


def test_the_script_rewrites_imports_and_uses() -> None:
    old = (
        "from spina.table import children, harness\nimport spina.bots.searching\n\n"
        "children.start(spina.bots.searching)\n"
    )
    new = rename_modules.rewritten(old, rename_modules.table(), python=True)
    assert new == (
        "from spina.table.bots import subprocesses\nfrom spina.table.bots import warm_up\n"
        "import spina.bots.search_kernel\n\nsubprocesses.start(spina.bots.search_kernel)\n"
    )
