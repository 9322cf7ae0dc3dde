"""The training notebook: its cells run one after another, as in a notebook server, with few races."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import matplotlib
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOK = EXAMPLES / "train_batch.ipynb"
SHORT = {"seats": 2, "drivers": "random", "rounds": 6, "races": 32, "report": 15, "measure": 60}


def cells(kind: str) -> list[dict[str, Any]]:
    found = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert (found["nbformat"], found["nbformat_minor"]) == (4, 5)
    return [cell for cell in found["cells"] if cell["cell_type"] == kind]


def run(source: str, names: dict[str, Any]) -> Any:
    """Run a cell; returns the value of its last line if that is an expression, which a notebook would show."""
    tree = ast.parse(source)
    last = tree.body[-1]
    if not isinstance(last, ast.Expr) or source.rstrip().endswith(";"):
        exec(compile(tree, str(NOTEBOOK), "exec"), names)
        return None
    tree.body.pop()
    exec(compile(tree, str(NOTEBOOK), "exec"), names)
    return eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names)


@pytest.mark.slow
def test_the_notebook_trains_an_agent_and_plots_its_progress(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)  # a notebook server runs it in its folder
    matplotlib.use("Agg")
    names: dict[str, Any] = {}
    shown = []
    for cell in cells("code"):
        shown.append(run("".join(cell["source"]), names))
        if "parameters" in cell["metadata"].get("tags", []):
            vars(names["given"]).update(SHORT)
    progress, line = names["progress"], names["figure"].axes[0].lines[0]
    assert len(progress) >= 2 and line.get_xdata().tolist() == [minutes for minutes, _ in progress]
    assert names["figure"].axes[0].get_ylabel() == "races won, %"
    assert names["races"] == 60 and names["won"] > 33, "without learning it would win about 30"
    pictures = [value._repr_svg_() for value in shown if value is not None]
    assert len(pictures) == 2 and all(picture.startswith("<svg") for picture in pictures)
    printed = capsys.readouterr().out
    assert f"won {names['won'] / 60:.1%} of 60 races against 1 random drivers" in printed and "place " in printed
    names["plt"].close("all")


def test_the_notebook_is_kept_without_outputs() -> None:
    for cell in cells("code"):
        assert cell["outputs"] == [] and cell["execution_count"] is None
    assert sum("parameters" in cell["metadata"].get("tags", []) for cell in cells("code")) == 1
    assert len(cells("markdown")) >= 5
