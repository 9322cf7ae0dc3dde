"""Write the types of each game's records from their fields: `rules/record_types.py` beside `rules/record.py`.

Kernels take records whose fields NumPy and Numba find by name. These classes name the fields for editors and mypy;
nothing imports them when it runs. `python tools/record_types.py` writes them all; a test compares.
"""

from __future__ import annotations

import ast
import importlib
import re
import textwrap
from pathlib import Path

import numpy as np

SOURCE = Path(__file__).parents[1] / "src" / "spina"
RECORDS = {"EDITION": "EditionRecord", "RACE": "RaceRecord"}


def record_files() -> list[Path]:
    """The modules that define the records of a game."""
    return sorted(SOURCE.glob("games/*/rules/record.py"))


def written(path: Path) -> str:
    """The text of the types for the records of this module."""
    module = importlib.import_module(".".join(path.relative_to(SOURCE.parent).with_suffix("").parts))
    comments = _comments(path.read_text(encoding="utf-8"))
    lines = [
        '"""Types of the records, made by tools/record_types.py from `record.py`: for editors and mypy."""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Any",
        "",
        "import numpy as np",
        "from numpy.typing import NDArray",
    ]
    for constant, name in RECORDS.items():
        dtype: np.dtype[np.void] = getattr(module, constant)
        title = "components of a race" if constant == "EDITION" else "running race"
        lines += ["", "", f"class {name}:", f'    """The {title}, as kernels see it."""', ""]
        for field in dtype.names or ():
            lines += _field(field, dtype[field], comments.get((constant, field)))
        lines += ["", "    def __getitem__(self, field: str) -> Any: ..."]
    return "\n".join(lines) + "\n"


def _field(name: str, dtype: np.dtype[np.void], comment: str | None) -> list[str]:
    base, shape = dtype.subdtype or (dtype, ())
    kind = f"NDArray[np.{base.name}]" if shape else "int"
    lines = [f"    {name}: {kind}"]
    said = " ".join(filter(None, [f"{list(shape)}".replace(" ", "") if shape else "", comment]))
    if said:
        wrapped = textwrap.wrap(said.replace('"', "'"), 108)
        lines.append(f'    """{wrapped[0]}' + ('"""' if len(wrapped) == 1 else ""))
        lines += [f"    {line}" for line in wrapped[1:-1]]
        if len(wrapped) > 1:
            lines.append(f'    {wrapped[-1]}"""')
    return lines


def _comments(text: str) -> dict[tuple[str, str], str]:
    """The comment behind each field of each record."""
    lines = text.splitlines()
    found = {}
    for node in ast.parse(text).body:
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        constant = node.targets[0].id
        for each in ast.walk(node.value) if constant in RECORDS else ():
            if isinstance(each, ast.Tuple) and each.elts and isinstance(each.elts[0], ast.Constant):
                assert each.end_lineno is not None
                comment = re.search(r"#\s*(.*)$", lines[each.end_lineno - 1])
                if comment:
                    found[constant, str(each.elts[0].value)] = comment[1]
    return found


def main() -> None:
    for path in record_files():
        (path.parent / "record_types.py").write_text(written(path), encoding="utf-8")


if __name__ == "__main__":
    main()
