"""The arena: fair line-ups, the same races wherever they are played, stopping and going on, and what is printed."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import spina
from spina.cli import main
from spina.errors import SpinaError
from spina.games import get
from spina.lab.arena import Arena, hold, line_ups, schedule, standings
from spina.lab.jobs import Job, play, play_by_choices, play_in_kernel
from spina.lab.recheck import recheck
from spina.lab.results import Results, ResultsError, read
from spina.lab.study_progress import Progress

Capture = pytest.CaptureFixture[str]

SMALL = Arena(game="charioteer", bots=("competent", "longest", "random"), races=240, seed=5)
LINES = ["lab", "arena", "charioteer", "--bots", "competent,longest"]


def content(results: Results) -> dict[str, list[Any]]:
    """Everything but the time it took."""
    return {name: results.table[name].to_pylist() for name in results.table.column_names if name != "seconds"}


# --- who races whom -------------------------------------------------------------------------------------------------


def test_a_line_up_is_rotated_over_the_seats() -> None:
    assert line_ups("abcd", 4) == [tuple("abcd"), tuple("dabc"), tuple("cdab"), tuple("bcda")]
    assert line_ups("aabb", 4) == [tuple("aabb"), tuple("baab"), tuple("bbaa"), tuple("abba")]


def test_fewer_bots_than_seats_are_repeated() -> None:
    assert set(line_ups("ab", 4)) == {tuple("abab"), tuple("baba")}
    assert {"".join(sorted(line_up)) for line_up in line_ups("abc", 4)} == {"aabc", "abbc", "abcc"}


def test_of_more_bots_than_seats_every_combination_races() -> None:
    found = line_ups("abcde", 3)
    assert len(found) == 10 * 3
    assert len({frozenset(line_up) for line_up in found}) == 10


@pytest.mark.parametrize("case", ["ab 4", "abc 4", "abcd 4", "abcde 4", "abc 5", "abcdef 2"])
def test_every_bot_has_every_seat_equally_often(case: str) -> None:
    names, seats = case.split()[0], int(case.split()[1])
    found = line_ups(names, seats)
    assert len({Counter(line_up[seat] for line_up in found)[name] for seat in range(seats) for name in names}) == 1


@pytest.mark.parametrize("races", [12, 100, 240, 5000, 5003])
def test_a_schedule_has_every_race_once_and_every_line_up_equally_often(races: int) -> None:
    found = schedule(Arena(game="charioteer", bots=("competent", "longest", "random"), races=races))
    assert [job.first for job in found] == np.cumsum([0, *(job.count for job in found)])[:-1].tolist()
    assert sum(job.count for job in found) == races
    played: Counter[tuple[str, ...]] = Counter()
    for job in found:
        played[job.bots] += job.count
    assert sum(played.values()) == races and max(played.values()) - min(played.values()) <= (races % 12 > 0)
    assert len({job.key for job in found}) == len(found)
    if races == 5000:
        half = Counter(job.bots for job in found[: len(found) // 2])
        assert max(half.values()) - min(half.values()) <= 1, "it can be stopped half-way and is still fair"


def test_bots_that_think_have_a_job_for_each_race() -> None:
    found = schedule(Arena(game="charioteer", bots=("easy", "longest"), races=200))
    assert {job.count for job in found} == {1}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"game": "ludo"}, 'no game "ludo"'),
        ({"bots": ("longest", "longest")}, "at least two different ones, of random, longest, competent"),
        ({"bots": ("longest", "nobody")}, 'no bot "nobody" for Charioteer: there are random, longest, competent'),
        ({"seats": 7}, "for 2 to 6 seats, not 7"),
        ({"races": 11}, r"races from 12 \(every line-up in every rotation once\) to 100,000,000, not 11"),
        ({"races": True}, "not True"),
        ({"seed": -1}, "from 0 to 2"),
        ({"options": {"horses": 5}}, "horses"),
        ({"bots": tuple("abcdefghijklmnopqrstuvwxyz") * 2}, "1,082,900 line-ups: name fewer bots"),
        ({"edition": "mine.toml"}, "there is no such file"),
    ],
)
def test_an_arena_that_cannot_be_is_refused(given: dict[str, Any], message: str, tmp_path: Path) -> None:
    setting = Arena(**{"game": "charioteer", "bots": SMALL.bots, "races": 240, **given})
    with pytest.raises(SpinaError, match=message):
        hold(setting, tmp_path / "out.parquet", processes=0)
    assert list(tmp_path.iterdir()) == []


# --- jobs -----------------------------------------------------------------------------------------------------------


def test_a_job_has_the_same_name_everywhere() -> None:
    given = {"a": 1, "b": 2}
    job = Job(game="charioteer", seats=2, bots=("longest", "random"), first=0, count=3, seed=1, options=given)
    assert job.key == "83a3f4aa8000934959570b86"
    assert msgspec.structs.replace(job, options={"b": 2, "a": 1}).key == job.key
    assert msgspec.structs.replace(job, seed=2).key != job.key


def test_races_played_choice_by_choice_are_those_of_the_kernel() -> None:
    job = Job(game="charioteer", seats=3, bots=("longest",) * 3, first=7, count=3, seed=4)
    fast, slow = play_in_kernel(job), play_by_choices(job)
    for name in ("race", "seed", "bots", "places", "turns", "choices", "hash"):
        assert np.array_equal(fast[name], slow[name]), name
    assert [sum(made) for made in slow["made"]] == slow["choices"].tolist()
    assert all(0 < seconds < 60 for row in slow["seconds"] for seconds in row)
    assert fast["made"] == fast["seconds"] == [None] * 3


def test_a_race_does_not_depend_on_the_job_that_it_is_played_in() -> None:
    given: dict[str, Any] = {"game": "charioteer", "seats": 2, "bots": ("competent", "easy"), "seed": 9}
    whole = play_by_choices(Job(first=3, count=3, **given))
    alone = play_by_choices(Job(first=4, count=1, **given))
    assert whole["hash"][1] == alone["hash"][0]
    assert len(set(whole["hash"].tolist())) == 3


def test_a_job_can_bring_an_edition(tmp_path: Path) -> None:
    given: dict[str, Any] = {"game": "charioteer", "seats": 2, "bots": ("longest",) * 2, "seed": 9, "count": 5}
    text = get("charioteer").reference().text
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    usual = play(Job(first=0, **given))["hash"].tolist()
    assert play(Job(first=0, edition=text, **given))["hash"].tolist() == usual
    assert play(Job(first=0, edition=str(tmp_path / "mine.toml"), **given))["hash"].tolist() == usual


# --- playing --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def at_once(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """What the small arena comes to, in one go and in one process."""
    path = tmp_path_factory.mktemp("arena") / "at-once.parquet"
    hold(SMALL, path, processes=0)
    return content(read(path))


@pytest.mark.slow
def test_the_races_are_those_that_anybody_can_repeat(at_once: dict[str, list[Any]]) -> None:
    assert at_once["race"] == list(range(240))
    line_up = at_once["bots"][100]
    again = spina.simulate("charioteer", seats=4, races=1, drivers=line_up, seed=5, first=100)[0]
    assert (again["seed"], again["hash"]) == (at_once["seed"][100], at_once["hash"][100])
    assert again["places"].tolist() == at_once["places"][100]


@pytest.mark.slow
def test_two_processes_play_the_same_races_even_when_one_is_killed(
    at_once: dict[str, list[Any]], tmp_path: Path
) -> None:
    killed: list[int] = []

    def watch(there: int, _: int) -> None:
        if there >= 60 and not killed:
            victim = multiprocessing.active_children()[0]
            assert victim.pid is not None
            os.kill(victim.pid, signal.SIGKILL)
            killed.append(victim.pid)

    hold(SMALL, tmp_path / "two.parquet", processes=2, watch=watch)
    assert killed
    assert content(read(tmp_path / "two.parquet")) == at_once


@pytest.mark.slow
def test_what_is_stopped_goes_on_and_comes_to_the_same(at_once: dict[str, list[Any]], tmp_path: Path) -> None:
    path = tmp_path / "parts.parquet"
    seen: list[int] = []

    def stop_at(most: int) -> Any:
        def watch(there: int, total: int) -> None:
            seen.append(there)
            assert total == 240
            if there >= most:
                raise KeyboardInterrupt

        return watch

    for most in (50, 130):
        with pytest.raises(KeyboardInterrupt):
            hold(SMALL, path, processes=0, watch=stop_at(most))
        assert most <= len(read(path)) < 240
    assert sorted(set(seen)) == list(dict.fromkeys(seen)) and seen.count(0) == 1
    hold(SMALL, path, processes=0)
    assert content(read(path)) == at_once
    before = path.stat().st_mtime_ns
    hold(SMALL, path, processes=0, watch=stop_at(241))
    assert path.stat().st_mtime_ns == before, "there was nothing left to play"


def test_a_file_of_another_arena_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "out.parquet"
    hold(Arena(game="charioteer", bots=("longest", "random"), races=8), path, processes=0)
    with pytest.raises(ResultsError, match="holds another study: its races is 8, not 12"):
        hold(Arena(game="charioteer", bots=("longest", "random"), races=12), path, processes=0)


def test_standings_of_two_of_each(tmp_path: Path) -> None:
    setting = Arena(game="charioteer", bots=("competent", "competent", "longest", "longest"), races=200)
    found = standings(hold(setting, tmp_path / "out.parquet", processes=0))
    assert [one.bot for one in found.bots] == ["competent", "longest"]
    strong, weak = found.bots
    assert strong.wins.share + weak.wins.share == pytest.approx(1)
    assert strong.wins.races == weak.wins.races == 200 and strong.wins.seats == 400
    assert strong.wins.by_seat == strong.wins.share / 2 and strong.wins.expected == 0.5
    assert strong.wins.low > 0.7 and weak.rating.high < 1500 == strong.rating.rating
    assert strong.running.mu > weak.running.mu
    assert sum(strong.places) == pytest.approx(1)
    assert strong.milliseconds is None


# --- the command ----------------------------------------------------------------------------------------------------


@pytest.fixture
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
@pytest.mark.usefixtures("_in_folder")
def test_the_command_prints_standings_and_keeps_the_races(capsys: Capture, tmp_path: Path) -> None:
    command = [*LINES, "--races", "40", "--processes", "1", "--seed", "3"]
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith("Charioteer · Reference edition · 40 races with 4 seats · seed 3\n")
    assert re.search(r"^  competent +40 +\S+% +\S+% to +\S+% +50\.0% +\S+% +1500 +set$", out, re.MULTILINE)
    assert re.search(r"^  longest +40 .* \d+ to \d+$", out, re.MULTILINE)
    assert re.search(r"^  longest +(\d+\.\d% +){4}-?\d+\.\d ± \d\.\d +in kernel$", out, re.MULTILINE)
    assert all(len(line) <= 100 for line in out.splitlines())
    (file,) = tmp_path.iterdir()
    assert out.endswith(f"All races: {file.name}\n")
    assert len(read(file)) == 40
    assert main(command) == 0  # everything is there
    assert capsys.readouterr().out == out
    assert main([*command, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["races"] == 40 and report["bots"][0]["bot"] == "competent" and report["file"] == file.name


@pytest.mark.usefixtures("_in_folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lab", "arena", "ludo", "--bots", "a,b"], 'no game "ludo"'),
        (["lab", "arena", "charioteer", "--bots", "competent,nobody"], 'no bot "nobody"'),
        ([*LINES, "--races", "3"], "races from 4"),
        ([*LINES, "--seats", "9"], "2 to 6 seats"),
        ([*LINES, "--on", "moon"], 'on "local-ray" or on "ray://HOST:PORT"'),
        ([*LINES, "--out", "nowhere/x.parquet"], "there is no folder nowhere"),
        ([*LINES, "--option", "horses=5"], "horses"),
    ],
)
def test_wrong_arguments_are_explained_in_a_line(
    arguments: list[str], message: str, capsys: Capture, tmp_path: Path
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("spina: ") and err.count("\n") == 1 and message in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_played_and_says_so(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "spina", *LINES, "--races", "60000", "--processes", "1", "--out", "out.parquet"]
    environment = {**os.environ, "PYTHONPATH": str(Path(spina.__file__).parents[1])}
    journal = tmp_path / "out.parquet.journal"
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as run:  # fmt: skip
        while not journal.exists() or journal.stat().st_size == 0:
            assert run.poll() is None
            time.sleep(0.02)
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does, to all processes
        out, err = run.communicate(timeout=60)
    assert (run.returncode, err) == (130, "Stopped. The same command goes on from here.\n")
    assert not journal.exists()
    numbers = read(tmp_path / "out.parquet").numbers("race").tolist()
    assert 0 < len(numbers) == len(set(numbers)) < 60_000
    assert f"· {len(numbers):,} of 60,000 races" in out
    until = time.monotonic() + 20
    while time.monotonic() < until and _works(run.pid):
        time.sleep(0.02)
    assert not _works(run.pid), "nobody works on"


def _works(group: int) -> bool:
    """Whether there is any process left of a group."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_rewrites_its_line_on_a_terminal_and_is_quiet_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    terminal, plain = Terminal(), StringIO()
    with Progress("races", terminal) as shown, Progress("races", plain) as written:
        for done in (1000, 1100, 1500, 2000):
            shown(done, 4000)
            written(done, 4000)
            clock[0] += 20
    lines = terminal.getvalue().split("\r")[1:]
    assert lines[0] == "[######..................] 1,000 of 4,000 races\x1b[K"
    assert lines[1] == "[######..................] 1,100 of 4,000 races, 5.0 a second, 10 min left\x1b[K"
    assert lines[3] == "[############............] 2,000 of 4,000 races, 17 a second, 2 min left\x1b[K"
    assert lines[4] == "\x1b[K", "it leaves nothing behind"
    assert plain.getvalue() == "[#########...............] 1,500 of 4,000 races, 12 a second, 3 min left\n"


# --- racing them again ------------------------------------------------------------------------------------------------


def rewritten(path: Path, hashes: dict[int, int], **description: Any) -> Path:
    """The file with races that ended otherwise, or with another description."""
    found = read(path)
    rows = found.table.to_pylist()
    for race, hashed in hashes.items():
        rows[race]["hash"] = hashed
    table = pyarrow.Table.from_pylist(rows, found.table.schema)
    said = msgspec.json.encode({**found.description, **description})
    pyarrow.parquet.write_table(table.replace_schema_metadata({"spina": said}), path)
    return path


@pytest.mark.slow
def test_races_that_came_out_otherwise_are_named(tmp_path: Path, capsys: Capture) -> None:
    for bots, races in ((("competent", "longest"), 24), (("medium", "random"), 8)):  # in the kernel, choice by choice
        path = tmp_path / f"{bots[0]}.parquet"
        hold(Arena(game="charioteer", bots=bots, races=races, seed=5), path, processes=1)
        some = recheck(path, races // 2, processes=1)
        assert some.different == [] and some.races == races // 2
        assert recheck(rewritten(path, {7: 1}), 100, processes=1).different == [7]
    assert main(["lab", "recheck", str(path), "--races", "24", "--processes", "1"]) == 1
    assert "7 of 8 races came out as they did\n  otherwise: race 7\n" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("description", "says"),
    [({"edition_hash": "ff"}, "edition ff"), ({"study": "other"}, "no races")],
)
def test_races_that_cannot_be_raced_here_are_refused(description: dict[str, Any], says: str, tmp_path: Path) -> None:
    path = tmp_path / "arena.parquet"
    hold(Arena(game="charioteer", bots=("competent", "longest"), races=4), path, processes=1)
    with pytest.raises(ResultsError, match=says):
        recheck(rewritten(path, {}, **description))


@pytest.mark.slow
def test_races_of_other_rules_are_reported_and_not_raced_again(tmp_path: Path, capsys: Capture) -> None:
    """A changed rule makes kept results stale, which is not a failure of the bots."""
    path = tmp_path / "arena.parquet"
    hold(Arena(game="charioteer", bots=("competent", "longest"), races=4), path, processes=1)
    found = recheck(rewritten(path, {0: 1}, rules=99), processes=1)
    assert (found.races, found.different, found.rules) == (0, [], 99)
    assert main(["lab", "recheck", str(path), "--processes", "1"]) == 0
    assert "raced by version 99 of the rules" in capsys.readouterr().out
