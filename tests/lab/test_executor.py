"""Tasks on local processes: each is done once, also when workers die."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from lab_tasks import Noted, begun, deadly, square, threads, wrong

from spina.errors import OptionError
from spina.lab.executor import AHEAD, TaskError, run

SOURCES = os.pathsep.join([str(Path(__file__).parents[2] / "src"), str(Path(__file__).parent)])


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def gone(process: int, seconds: float = 20.0) -> bool:
    """Whether a process ends within this time."""
    until = time.monotonic() + seconds
    while alive(process) and time.monotonic() < until:
        time.sleep(0.02)
    return not alive(process)


def test_every_task_is_done_once_and_those_done_before_are_left_out(tmp_path: Path) -> None:
    tasks = [Noted(tmp_path, number) for number in range(6)]
    seen: list[tuple[int, int]] = []
    found = list(run(square, tasks, processes=0, done={1, 4}, progress=lambda *so_far: seen.append(so_far)))
    assert sorted(found) == [(0, 0), (2, 4), (3, 9), (5, 25)]
    assert seen == [(2, 6), (3, 6), (4, 6), (5, 6), (6, 6)]
    assert {process for _, process in begun(tmp_path)} == {os.getpid()}
    assert list(run(square, tasks, done=range(6))) == []


@pytest.mark.slow
def test_a_killed_worker_loses_and_doubles_nothing(tmp_path: Path) -> None:
    tasks = [Noted(tmp_path, number, 0.05) for number in range(30)]
    found = []
    killed = 0
    with closing(run(square, tasks, processes=2)) as results:
        for index, result in results:
            found.append((index, result))
            assert len(begun(tmp_path)) <= len(found) + 2 * AHEAD + 4 * bool(killed)  # few are in flight
            if len(found) == 5:
                _, killed = max(begun(tmp_path))  # whoever has the latest of them, and is at work on it
                os.kill(killed, signal.SIGKILL)
    assert sorted(found) == [(number, number**2) for number in range(30)]
    noted = begun(tmp_path)
    assert len(noted) > 30, "what the killed worker had begun was begun again"
    assert len({process for _, process in noted}) > 2
    assert all(gone(process) for _, process in noted)


@pytest.mark.slow
def test_all_workers_have_one_thread_and_leave_ctrl_c_to_us(tmp_path: Path) -> None:
    """A worker that was begun halfway when Ctrl-C was pressed would let the command wait for ever."""
    found = list(run(threads, [Noted(tmp_path, number) for number in range(2)], processes=2))
    assert sorted(found) == [(0, ("1", False)), (1, ("1", False))]
    assert "NUMBA_NUM_THREADS" not in os.environ


@pytest.mark.slow
def test_a_task_that_kills_its_workers_is_named_and_no_other() -> None:
    found = []
    with pytest.raises(TaskError, match="task 2 failed: 3 workers in a row died over it; the task was 2") as raised:
        found += [*run(deadly, range(4), processes=1)]
    assert raised.value.index == 2
    assert not multiprocessing.active_children()


@pytest.mark.slow
@pytest.mark.parametrize("processes", [0, 1])
def test_a_task_that_raises_is_named_with_its_reason(processes: int) -> None:
    found: list[tuple[int, int]] = []
    with pytest.raises(TaskError, match=r"task 2 failed: mine\.toml:7: so many cards there are not; the task") as it:
        found.extend(run(wrong, range(4), processes=processes))
    assert found[:2] == [(0, 0), (1, 1)]
    assert found[2:] in ([], [(3, 3)])  # what was finished beside it is safe
    assert "in wrong" in it.value.details


@pytest.mark.slow
def test_a_run_that_is_left_ends_its_workers_at_once(tmp_path: Path) -> None:
    tasks = [Noted(tmp_path, number, 0.0 if number == 0 else 60.0) for number in range(4)]
    with closing(run(square, tasks, processes=1)) as results:
        assert next(results) == (0, 0)
    assert all(gone(process, 5) for _, process in begun(tmp_path))


LONG_RUN = """
import sys
from pathlib import Path
from lab_tasks import Noted, square
from spina.lab.executor import run
if __name__ == "__main__":
    list(run(square, [Noted(Path(sys.argv[1]), 0, 600.0)], processes=1))
"""


@pytest.mark.slow
def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    folder = tmp_path / "noted"
    folder.mkdir()
    script = tmp_path / "long_run.py"
    script.write_text(LONG_RUN)
    environment = {**os.environ, "PYTHONPATH": SOURCES}
    with subprocess.Popen([sys.executable, str(script), str(folder)], env=environment) as parent:
        while not begun(folder):
            assert parent.poll() is None
            time.sleep(0.05)
        parent.kill()
    assert all(gone(process) for _, process in begun(folder))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"processes": -1}, "from 0 to 1,024, not -1"),
        ({"processes": True}, "not True"),
        ({"on": "moon"}, 'on "local-ray" or on "ray://HOST:PORT", not on \'moon\''),
        ({"on": "ray://"}, "not on 'ray://'"),
    ],
)
def test_places_that_there_are_not_are_refused_at_once(given: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        run(deadly, [0], **given)  # type: ignore[arg-type]
