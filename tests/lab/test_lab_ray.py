"""The arena on a real Ray with two workers on this machine, one of which is killed in mid-run."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.processes import family
from spina.lab.arena import Arena, hold
from spina.lab.results import read


def alive(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


@pytest.fixture
def folder() -> Iterator[Path]:
    """An empty folder with a short name, as sockets need it."""
    with tempfile.TemporaryDirectory(prefix="spina-test-", ignore_cleanup_errors=True) as name:
        yield Path(name)


@pytest.mark.slow
def test_a_killed_ray_worker_loses_and_doubles_no_race(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache"))
    monkeypatch.setenv("HOME", str(folder))  # what is compiled is found; but Ray must leave nothing there
    setting = Arena(game="charioteer", bots=("competent", "longest"), races=800, seed=5)
    killed: list[int] = []
    others = set(family(os.getpid()))  # of other tests
    of_ray: set[int] = set()

    def watch(there: int, _: int) -> None:
        if there < 100 or killed:
            return
        running = family(os.getpid())
        of_ray.update(set(running) - others)
        at_work = [number for number, process in running.items() if process.name.startswith("ray::attempt")]
        if at_work:
            os.kill(at_work[0], signal.SIGKILL)
            killed.append(at_work[0])

    before = dict(os.environ)
    hold(setting, tmp_path / "ray.parquet", on="local-ray", processes=2, watch=watch)
    assert dict(os.environ) == before
    hold(setting, tmp_path / "here.parquet", processes=0)
    assert killed
    one, other = read(tmp_path / "ray.parquet").table, read(tmp_path / "here.parquet").table
    assert one["race"].to_pylist() == list(range(800))
    assert one.equals(other)
    until = time.monotonic() + 20
    while any(map(alive, of_ray)) and time.monotonic() < until:
        time.sleep(0.1)
    assert not [process for process in of_ray if alive(process)], "nothing of Ray is left running"
    assert list(folder.iterdir()) == [], "nor any file"
