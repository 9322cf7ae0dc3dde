"""The example game beside Spina: contract, bots, hints, replay and command line, without a line of Spina knowing it."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from example_game import EXAMPLE, install

SUITE = """
from spina.testing import GameContract


class TestBiga(GameContract):
    game = "biga"
"""

BOTS = """
import spina

levels = spina.bots.names("biga")
assert levels == ("random", "easy", "medium", "hard", "expert"), levels
for name in levels:
    race = spina.new("biga", seats=3, seed=5)
    bot = spina.bots.make(name, game="biga", seed=1)
    for _ in range(2):
        for seat in race.to_act:
            race.play(seat, bot.choose(race, seat))
race = spina.new("biga", seats=3, seed=6)
advice = spina.bots.make("expert", game="biga", seed=1).advise(race, 0)
assert len(advice.candidates) > 1 and abs(sum(advice.chances) - 1) < 1e-6
assert advice.reason is None
race.play(0, "push in")
assert race.view(0)["choice"] == "push in" and race.view(1)["choice"] is None
print(race.explain(1, "push stay"))
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which the example game is installed."""
    return install(tmp_path_factory.mktemp("packages"))


def run(environment: dict[str, str], *command: str) -> str:
    """What a Python process prints, which must end well."""
    done = subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_small_and_has_no_script() -> None:
    sources = [*EXAMPLE.rglob("*.py")]
    assert 0 < sum(len(path.read_text().splitlines()) for path in sources) <= 400
    assert not [*EXAMPLE.rglob("*.js")]
    points = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]["entry-points"]
    assert [*points] == ["spina.games"]


def test_it_keeps_the_contract(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "test_biga.py").write_text(SUITE)
    said = run(environment, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path))
    assert " passed" in said and "skipped" not in said


def test_its_bots_of_every_level_choose_and_advise(environment: dict[str, str]) -> None:
    assert "both dice" in run(environment, "-c", BOTS)


def test_it_is_watched_saved_and_replayed_from_the_command_line(environment: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "race.json"
    assert "biga" in run(environment, "-m", "spina", "games")
    seats = "easy,random,random"
    watched = run(environment, "-m", "spina", "watch", "biga", "--seats", seats, "--seed", "3", "--save", str(path))
    assert "rolls" in watched and "Round 2" in watched
    assert "rolls" in run(environment, "-m", "spina", "replay", str(path))
    assert "biga" in run(environment, "-m", "spina", "edition", "new", "biga")


def test_without_the_package_its_races_are_refused_by_name(environment: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "race.json"
    run(environment, "-c", f"import spina; spina.new('biga', seed=1).save({str(path)!r})")
    done = subprocess.run([sys.executable, "-m", "spina", "replay", str(path)], capture_output=True, text=True)
    assert done.returncode != 0
    assert "biga" in done.stderr and "Traceback" not in done.stderr
