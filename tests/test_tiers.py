"""Interpreted and compiled: the same bytes, a change in the middle of a race, and nothing left behind."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import spina
from spina.games import background_compile, find, folders, get, play
from spina.kernel import compiler
from spina.kernel.random import nth_seed, word

pytestmark = pytest.mark.skipif(compiler.INTERPRETED, reason="one tier only when interpreting")

PATIENCE = 240.0
"""Seconds that a process has on a busy machine."""


def run(code: str, *arguments: str, **environment: str) -> Any:
    """What a script prints as JSON. It begins interpreted, unless the environment says otherwise."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "SPINA_COMPILE": "", **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


WHOLE_RACES = """
import json, sys, spina
from spina.games import find
game, options = sys.argv[1], json.loads(sys.argv[2])
names = list(find(game).drivers)
pairs = [(names[i], names[-1 - i]) for i in range((len(names) + 1) // 2)]
print(json.dumps({
    " ".join(pair): spina.simulate(game, races=1, drivers=pair, seed=5, threads=1, **options)["hash"].tolist()
    for pair in pairs
}))
"""
"""Races of two drivers each: `random` against `learned`, whose choices take longest in Python, and so on."""

SHORT: dict[str, dict[str, Any]] = {
    "charioteer": {"seats": 2},
    "chariot-race": {"seats": 2},
    "chariotmaster": {"seats": 2, "laps": 1},
}
"""Options of the shortest races of each game."""


@pytest.mark.slow
@pytest.mark.parametrize("game", SHORT)
def test_whole_races_of_every_driver_are_the_same_in_both_tiers(game: str) -> None:
    get(game)  # so that it is in the cache
    interpreted = run(WHOLE_RACES, game, json.dumps(SHORT[game]), SPINA_INTERPRET="1")
    compiled = run(WHOLE_RACES, game, json.dumps(SHORT[game]), SPINA_COMPILE="wait")
    assert set(" ".join(interpreted).split()) == set(find(game).drivers)
    assert interpreted == compiled


CHANGE_OVER = """
import json, sys, spina
from spina.games import background_compile, folders
from spina.kernel import compiler
game, change_at, end_at = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
background_compile.disable()
load, compiler.load = compiler.load, lambda *_: False
race = spina.new(game, seats=2, seed=9)
bot = spina.bots.make("competent", game=game, seed=1)
tiers, hashes, events = [], [], []
for choice in range(end_at):
    if choice == change_at:
        assert load(*folders(game))
    tiers.append(compiler.is_ready(*folders(game)))
    seat = race.to_act[0]
    events += [repr(event) for event in race.play(seat, bot.choose(race, seat))]
    hashes.append(race.hash())
print(json.dumps([tiers, hashes, events, race.saved().race is None]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("game", ["charioteer", "chariot-race", "chariotmaster"])
def test_a_race_that_changes_over_in_the_middle_is_the_same(game: str) -> None:
    get(game)  # so that it is in the cache
    last = 24
    told = {}
    for change_at in (0, last // 2, last):
        tiers, *told[change_at] = run(CHANGE_OVER, game, str(change_at), str(last))
        assert tiers == [choice >= change_at for choice in range(last)]
    assert told[0] == told[last // 2] == told[last]


SCRIPT = """
import json, sys, time, spina
from spina.games import background_compile, folders
from spina.kernel import compiler
background_compile.PATIENCE = float(sys.argv[1])
race = spina.new("charioteer", seats=2, seed=7)
begun = compiler.is_ready(*folders("charioteer"))
bot = spina.bots.make("competent", game="charioteer", seed=1)
hashes = []
while not race.over:
    race.play(race.to_act[0], bot.choose(race, race.to_act[0]))
    hashes.append(race.hash())
    if len(sys.argv) > 2:  # wait in the middle of the race until the child has done its work
        while not compiler.is_ready(*folders("charioteer")):
            time.sleep(0.01)
children = [each.child.args for each in background_compile._compiling.values() if each.child]
print(json.dumps([begun, "numba" in sys.modules, len(children), hashes]))
"""


@pytest.fixture
def nearly_compiled(tmp_path: Path) -> Path:
    """A cache in which one small entry of Charioteer's rules is missing."""
    get("charioteer")
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    for folder in folders("charioteer"):
        kept = compiler._groups[folder].cache
        shutil.copytree(kept, cache / kept.name)
    (rules,) = cache.glob("charioteer-rules-*")
    listed = (rules / "index").read_text().splitlines(keepends=True)
    (rules / "index").write_text("".join(line for line in listed if not line.startswith("entries.turn ")))
    return cache


def processes_of(cache: Path) -> list[str]:
    """The command lines of running processes that use this cache."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if str(cache).encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:  # ended, or of somebody else
            continue
    return found


def until_none(cache: Path) -> None:
    """Wait until no process uses the cache."""
    end = time.monotonic() + PATIENCE
    while processes_of(cache):
        assert time.monotonic() < end, processes_of(cache)
        time.sleep(0.05)


needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs a list of processes")


@pytest.mark.slow
@needs_proc
def test_a_script_races_at_once_while_a_child_compiles_and_leaves_nothing_behind(nearly_compiled: Path) -> None:
    begun, _, children, hashes = run(SCRIPT, "0", "wait", SPINA_CACHE_DIR=str(nearly_compiled))
    assert (begun, children) == (False, 1)
    until_none(nearly_compiled)
    began_compiled, _, children, again = run(SCRIPT, "0", SPINA_CACHE_DIR=str(nearly_compiled))
    assert (began_compiled, children) == (True, 0)  # the child's work is in the cache
    assert again == hashes


@pytest.mark.slow
def test_a_short_script_starts_no_child_and_does_not_import_numba(tmp_path: Path) -> None:
    begun, numba, children, _ = run(SCRIPT, "60", SPINA_CACHE_DIR=str(tmp_path / "cache"))
    assert (begun, numba, children) == (False, False, 0)


KILLED = """
import os, signal, time, spina
from spina.games import background_compile
background_compile.PATIENCE = 0.0
spina.new("charioteer")
while not any(each.child for each in background_compile._compiling.values()):
    time.sleep(0.01)
{end}
"""


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("end", ["", "os.kill(os.getpid(), signal.SIGKILL)", "raise SystemExit(3)"])
def test_the_child_ends_with_its_script_however_that_ends(end: str, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir(mode=0o700)
    environment = {**os.environ, "SPINA_COMPILE": "", "SPINA_CACHE_DIR": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-c", KILLED.format(end=end)], env=environment, check=False, timeout=PATIENCE)
    until_none(tmp_path / "cache")


@pytest.mark.slow
def test_what_must_be_fast_waits_also_in_a_plain_script(nearly_compiled: Path) -> None:
    code = (
        "import json, spina; from spina.games import background_compile, folders; from spina.kernel import compiler;"
        "spina.simulate('charioteer', seats=2, races=1, seed=1);"
        "print(json.dumps([compiler.is_ready(*folders('charioteer')), len(background_compile._compiling)]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "SPINA_COMPILE": "", "SPINA_CACHE_DIR": str(nearly_compiled)},
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    assert json.loads(done.stdout) == [True, 0]
    assert done.stderr == "Compiling charioteer-rules (once on this machine) …\n"


def test_with_wait_a_race_begins_compiled() -> None:
    assert compiler.WAITS  # set for all tests
    spina.new("charioteer", seats=2, seed=1)
    assert compiler.is_ready(*folders("charioteer"))
    assert compiler.load(*folders("charioteer"))
    assert compiler.pending(*folders("charioteer")) == 0


def test_where_something_else_loads_a_race_begins_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the race waits")

    monkeypatch.setattr(compiler, "WAITS", False)
    monkeypatch.setattr(compiler, "is_ready", lambda *_: False)
    monkeypatch.setattr(compiler, "load", refuse)
    monkeypatch.setattr(background_compile, "begin", refuse)
    monkeypatch.setattr(background_compile, "_enabled", True)
    with pytest.raises(AssertionError, match="the race waits"):
        play("charioteer")
    background_compile.disable()
    assert play("charioteer") is find("charioteer")


def test_entries_keep_what_they_are_when_they_change_over() -> None:
    rules = get("charioteer").rules
    assert rules.acting.is_compiled and rules.acting.py_func.__name__ == "acting"  # type: ignore[attr-defined]
    assert repr(rules.acting) == "<entry acting, compiled>"


def test_words_wrap_at_64_bits_in_the_interpreter() -> None:
    assert word(-1) == 2**64 - 1 and word(2**64 + 5) == 5
    # SplitMix64 with the seed 1234567, as its authors' program prints it
    assert [nth_seed(1234567, n) for n in range(3)] == [
        6457827717110365317, 3203168211198807973, 9817491932198370423,
    ]  # fmt: skip
