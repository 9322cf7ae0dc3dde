"""Counts violations of the rules for the code's structure: `python tools/house.py` prints them, a test requires none.

- no import cycles;
- outside the folders of the games, nothing that knows a game by its name: no table, no comparison, no import;
- outside the games, no file name in two rooms;
- no page that looks for words in a sentence of the server;
- for each game: rulings of its rules page = rulings cited in its code = rulings with a named test.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "spina"
sys.path.insert(0, str(ROOT / "tools"))


def game_folders() -> dict[str, Path]:
    """The folders of the games by their names."""
    return {path.parent.name.replace("_", "-"): path.parent for path in sorted(SOURCE.glob("games/*/game.py"))}


def _inside_a_game(path: Path) -> bool:
    return any(folder in path.parents for folder in game_folders().values())


# --- import cycles ----------------------------------------------------------------------------------------------------


def _imports() -> dict[str, set[str]]:
    """The modules of Spina that each module imports when it is imported itself."""
    modules = {_dotted(path): path for path in SOURCE.rglob("*.py")}
    graph: dict[str, set[str]] = {}
    for name, path in modules.items():
        graph[name] = set()
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("spina"):
                for each in node.names:
                    inner = f"{node.module}.{each.name}"
                    graph[name].add(inner if inner in modules else node.module)
            elif isinstance(node, ast.Import):
                graph[name] |= {each.name for each in node.names if each.name in modules}
    return graph


def _dotted(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def import_cycles() -> list[str]:
    """Modules that import each other, directly or not: a line for each such group (Tarjan)."""
    graph = _imports()
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[str] = []

    def visit(name: str) -> None:
        order[name] = low[name] = len(order)
        stack.append(name)
        for other in graph.get(name, ()):
            if other not in order:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], order[other])
        if low[name] == order[name]:
            group = []
            while not group or group[-1] != name:
                group.append(stack.pop())
            if len(group) > 1:
                found.append(" <-> ".join(sorted(group)))

    for name in graph:
        if name not in order:
            visit(name)
    return found


# --- games by name ----------------------------------------------------------------------------------------------------


def named_games() -> list[str]:
    """Places outside the games where code knows a game by its name."""
    names = set(game_folders())
    modules = tuple(f"spina.games.{name.replace('-', '_')}" for name in names)
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        if _inside_a_game(path):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            word = node.value if isinstance(node, ast.Constant) else None
            imported = node.module if isinstance(node, ast.ImportFrom) else None
            if (isinstance(word, str) and word in names) or (imported and imported.startswith(modules)):
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")  # type: ignore[attr-defined]
    pattern = re.compile(r"""["'`/.]({})(?![a-z])""".format("|".join(names)))
    for path in sorted((SOURCE / "web").rglob("*")):
        if path.suffix in (".js", ".html", ".css"):
            lines = path.read_text(encoding="utf-8").splitlines()
            found += [f"{path.relative_to(ROOT)}:{n}" for n, line in enumerate(lines, 1) if pattern.search(line)]
    return found


# --- file names -------------------------------------------------------------------------------------------------------


def shared_file_names() -> list[str]:
    """Names of Python files that occur in two rooms outside the games."""
    paths = [path for path in SOURCE.rglob("*.py") if not path.name.startswith("__") and not _inside_a_game(path)]
    counts = Counter(path.name for path in paths)
    return sorted(str(path.relative_to(SOURCE)) for path in paths if counts[path.name] > 1)


# --- all of it --------------------------------------------------------------------------------------------------------


def page_sentences() -> list[str]:
    """Places where a page looks for words in a sentence of the server."""
    import page_sentences

    return [str(each) for each in page_sentences.findings()]


def uneven_rulings() -> list[str]:
    """Rulings that are not in all three of the rules page, the code and the tests of their game."""
    import rulings

    return [f"{game}: {each}" for game in rulings.games() for each in rulings.rulings(game).differences]


CHECKS = {
    "import cycles": import_cycles,
    "games known by name outside the games": named_games,
    "file names in two rooms outside the games": shared_file_names,
    "server sentences parsed by pages": page_sentences,
    "rulings without page, citation or test": uneven_rulings,
}


def main() -> int:
    """Print each rule with its violations."""
    broken = 0
    for promise, check in CHECKS.items():
        found = check()
        broken += len(found)
        print(f"{len(found)} {promise}")
        for line in found:
            print(f"    {line}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
