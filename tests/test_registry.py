"""How games are found: their order, names that are taken, and packages that are broken."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

GOOD = """
from spina.games.charioteer.game import Charioteer

class Copy(Charioteer):
    name = "copy"
    title = "Copy"
    list_position = 0

GAME = Copy()
"""


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A folder with two packages: one adds a game, one is broken and claims the name of one of Spina's games."""
    for name, source, points in (
        ("good", GOOD, "copy = good:GAME\n"),
        ("broken", "raise RuntimeError('no luck')\n", "broken = broken:GAME\ncharioteer = broken:GAME\n"),
    ):
        (tmp_path / f"{name}.py").write_text(source)
        about = tmp_path / f"{name}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[spina.games]\n{points}")
    return tmp_path


def said(packages: Path, code: str) -> tuple[str, str]:
    """What Python prints with these packages installed, on both streams."""
    program = f"import sys; sys.path.insert(0, {str(packages)!r}); import spina; {code}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.strip(), done.stderr


def test_games_stand_in_lists_by_their_position_and_broken_ones_are_left_out(packages: Path) -> None:
    listed, log = said(packages, "print(*spina.game_names())")
    assert listed == "copy charioteer chariot-race chariotmaster"
    assert log.count("no luck") == 1


def test_no_package_takes_the_name_of_one_of_spinas_games(packages: Path) -> None:
    assert said(packages, "print(spina.games.find('charioteer').title)")[0] == "Charioteer"


def test_a_broken_game_says_what_is_wrong_when_it_is_asked_for(packages: Path) -> None:
    code = """
try: spina.games.find('broken')
except spina.SpinaError as error: print(error)"""
    assert "no luck" in said(packages, f"exec({code!r})")[0]
