"""The example game in the lab and in the adapters, which know nothing of it: it offers neither profile nor encoding."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from example_game import install

ADAPTERS = """
import gymnasium, numpy, pyspiel, warnings
from pettingzoo.test import api_test, parallel_api_test
from spina.adapters import openspiel, pettingzoo
from spina.adapters.gymnasium import IDS

warnings.simplefilter("ignore")  # PettingZoo warns of observations that are dicts
api_test(pettingzoo.env("biga", seats=3), num_cycles=60)
parallel_api_test(pettingzoo.parallel_env("biga", seats=3), num_cycles=40)
pyspiel.random_sim_test(pyspiel.load_game("spina_biga(players=3)"), num_sims=1, serialize=True, verbose=False)
assert IDS["biga"] == "Spina/Biga-v1"
env = gymnasium.make(IDS["biga"], seats=3, bots="random")
seen, info = env.reset(seed=4)
names = env.unwrapped.episode.encoding.names
assert {"turn", "chariots.0.progress", "chariots.2.lane = outer"} <= {*names}, names
over, reward = False, 0.0
while not over:
    seen, reward, over, _, info = env.step(int(numpy.flatnonzero(info["action_mask"])[0]))
assert env.observation_space.contains(seen) and info["place"] in (1, 2, 3)
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which the example game is installed."""
    return install(tmp_path_factory.mktemp("packages"))


def spina(environment: dict[str, str], *words: str) -> str:
    """What a command prints."""
    program = "import sys; from spina.cli import main; sys.exit(main())"
    done = subprocess.run([sys.executable, "-c", program, *words], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_can_be_balanced(environment: dict[str, str], tmp_path: Path) -> None:
    page, raw = tmp_path / "balance.html", tmp_path / "balance.parquet"
    words = ("--races", "40", "--processes", "1", "--report", str(page), "--parquet", str(raw))
    said = spina(environment, "lab", "balance", "biga", *words)
    assert "A race takes" in said and "rounds" in said
    assert "Seat and colour (4 seats)" in said
    assert "percent of the race between first and second" in page.read_text(encoding="utf-8")
    table = pq.read_table(raw)  # type: ignore[no-untyped-call]
    assert table.num_rows == 160
    assert sum(table.column("won").to_pylist()) == pytest.approx(40)


def test_its_bots_race_in_an_arena_whose_file_can_be_rechecked(environment: dict[str, str], tmp_path: Path) -> None:
    out = tmp_path / "arena.parquet"
    words = ("--bots", "random,easy", "--seats", "2", "--races", "8", "--processes", "1", "--out", str(out))
    assert "8 races with 2 seats" in spina(environment, "lab", "arena", "biga", *words)
    assert "3 of 3 races" in spina(environment, "lab", "recheck", str(out), "--races", "3", "--processes", "1")


def test_nothing_is_claimed_of_it_and_shared_measures_are_listed(environment: dict[str, str]) -> None:
    assert "no claims" in spina(environment, "lab", "claims", "biga")
    assert "seat-share" in spina(environment, "lab", "tune", "biga", "--list")


def test_learning_environments_see_its_view(environment: dict[str, str]) -> None:
    done = subprocess.run([sys.executable, "-c", ADAPTERS], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
