"""`spina lab`: reports of arenas, training and the ladder, from the command line."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from spina.bots import network_weights
from spina.cli import main
from spina.games import get
from spina.lab import executor, ladder


@pytest.mark.slow
def test_an_arena_writes_a_page_that_asks_nobody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, out = tmp_path / "arena.html", tmp_path / "arena.parquet"
    arguments = ["--bots", "competent,longest", "--races", "16", "--processes", "1", "--out", str(out)]
    assert main(["lab", "arena", "charioteer", *arguments, "--report", str(page)]) == 0
    text = page.read_text()
    assert "competent" in text and "<svg" in text
    assert not re.search(r"""(src|href)=["']https?:""", text)
    assert "competent" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("module", "command"),
    [
        ("pyarrow", ["arena", "charioteer", "--bots", "expert,expert"]),
        ("matplotlib", ["arena", "charioteer", "--bots", "expert,expert", "--report", "page.html"]),
        ("matplotlib", ["balance", "charioteer", "--report", "page.html"]),
        ("pyarrow", ["claims", "--parquet", "facts.parquet"]),
        ("ray", ["balance", "charioteer", "--on", "local-ray"]),
        ("pyarrow", ["recheck", "races.parquet"]),
        ("pyarrow", ["ladder"]),
    ],
)
def test_a_missing_package_is_reported_before_any_work_begins(
    module: str, command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, module, None)  # as if it were not installed
    monkeypatch.setattr(executor, "run", lambda *_, **__: pytest.fail("work has begun"))
    assert main(["lab", *command]) == 2
    assert "not installed: pip install 'spina[" in capsys.readouterr().err


@pytest.mark.slow
def test_training_writes_weights_that_the_bots_can_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "charioteer.json"
    assert main(["lab", "train", "charioteer", "--races", "40", "--seats", "2,3", "--out", str(out)]) == 0
    said = json.loads(out.read_text())
    figures = len(get("charioteer").features)
    assert (
        len(said["weights"]) == said["hidden"] * (figures + 3) == len(network_weights.load(get("charioteer")).weights)
    )
    assert said["loss"] < said["loss of knowing nothing"]
    assert "natural units" in capsys.readouterr().out
    assert main(["lab", "train", "charioteer", "--seats", "2,9"]) == 2
    assert "2, 3, 4, 5, 6 seats" in capsys.readouterr().err


def test_the_ladder_names_every_bot_once(tmp_path: Path) -> None:
    names = ladder.entrants("charioteer")
    assert names == ("random", "learned", "easy", "medium", "hard", "expert")
    assert ladder.entrants("chariot-race")[-4:] == names[-4:]


@pytest.mark.slow
def test_the_ladder_is_a_page_with_intervals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the register of the repository's proofs stays as it is
    monkeypatch.setattr(ladder, "entrants", lambda _: ("random", "longest", "competent"))
    found = ladder.climb(tmp_path, games=["charioteer"], races=24, processes=1)
    text = ladder.page(found, "spina lab ladder")
    rows = [line for line in text.splitlines() if line.startswith(("| 1", "| 2", "| 3"))]
    assert [("competent" in rows[0]), ("longest" in rows[1]), ("random" in rows[2])] == [True] * 3
    assert "24 races" in text and " to " in rows[1]
    assert ladder.climb(tmp_path, games=["charioteer"], races=24, processes=1)["charioteer"].races == 24  # all there
