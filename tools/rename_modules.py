"""Rewrite a source tree from the old names of Spina's modules to the new ones: `rename_modules.py TREE …`.

The names are the table in `docs/renames.md`. Dotted names are replaced in every text file; `from PACKAGE import MODULE`
is replaced in Python files, together with the uses of the imported module. Run it once on a tree: some old names are
now packages. Where a file also uses an old module name for something else, the file keeps it as an alias.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

TABLE = Path(__file__).parents[1] / "docs" / "renames.md"
TEXT = {".py", ".md", ".toml", ".yml", ".yaml", ".ipynb", ".cfg", ".txt"}
_ROW = re.compile(r"^\| `(spina[\w.]+)` \| `(spina[\w.]+)` \|", re.MULTILINE)


def table() -> dict[str, str]:
    """The old dotted names with the new ones."""
    return dict(_ROW.findall(TABLE.read_text(encoding="utf-8")))


def rewritten(text: str, names: dict[str, str], python: bool) -> str:
    """The text with new names."""
    if python:
        text = _imports(text, names)
    # one pass over complete names, longest first; never inside what the first step has written
    pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.sub(rf"(?<![\w.\0])({pattern})(?!\w)", lambda found: names[found[1]], text).replace("\0", "")


def _imports(text: str, names: dict[str, str]) -> str:
    """`from PACKAGE import MODULE` with new names, and the uses of MODULE."""
    tree = ast.parse(text)
    edits: list[tuple[int, int, str]] = []
    starts = _line_starts(text)

    def span(node: ast.stmt | ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return starts(node.lineno, node.col_offset), starts(node.end_lineno, node.end_col_offset)

    stores = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    stores |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    uses: dict[str, str] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or node.level or node.module is None:
            continue
        moved = [name for name in node.names if f"{node.module}.{name.name}" in names]
        if not moved:
            continue
        lines = []
        kept = [name for name in node.names if name not in moved]
        if kept:
            said = ", ".join(name.name + (f" as {name.asname}" if name.asname else "") for name in kept)
            lines.append(f"from {node.module} import {said}")
        for name in moved:
            package, _, module = names[f"{node.module}.{name.name}"].rpartition(".")
            alias = name.asname
            if alias is None and module != name.name:
                if name.name in stores or module in stores:
                    alias = name.name
                else:
                    uses[name.name] = module
            lines.append(f"from \0{package} import {module}" + (f" as {alias}" if alias and alias != module else ""))
        indent = " " * node.col_offset
        begin, end = span(node)
        edits.append((begin, end, f"\n{indent}".join(lines)))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in uses:
            edits.append((*span(node), uses[node.id]))
    for begin, end, new in sorted(edits, reverse=True):
        text = text[:begin] + new + text[end:]
    return text


def _line_starts(text: str):  # type: ignore[no-untyped-def]
    lines = text.splitlines(keepends=True)
    before = [0]
    for line in lines:
        before.append(before[-1] + len(line))

    def at(line: int, column: int) -> int:
        """The place in the text of a line and a column, which `ast` counts in bytes."""
        return before[line - 1] + len(lines[line - 1].encode()[:column].decode())

    return at


def main(trees: list[str]) -> None:
    names = table()
    for tree in map(Path, trees):
        for path in sorted(tree.rglob("*")) if tree.is_dir() else [tree]:
            if path.suffix not in TEXT or path.resolve() == TABLE or not path.is_file():
                continue
            text = path.read_text(encoding="utf-8")
            new = rewritten(text, names, path.suffix == ".py")
            if new != text:
                path.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
