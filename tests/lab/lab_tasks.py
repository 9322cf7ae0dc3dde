"""Tasks for the tests of the lab. They stand in a module of their own, where worker processes find them."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import NamedTuple

from spina.errors import EditionError


class Noted(NamedTuple):
    """A task that leaves a trace whenever it is begun."""

    folder: Path
    number: int
    seconds: float = 0.0


def square(task: Noted) -> int:
    """Note who does it, take its time, and do it."""
    name = f"{task.number}-{os.getpid()}-{time.monotonic_ns()}"
    (task.folder / name).touch()
    time.sleep(task.seconds)
    return task.number**2


def deadly(number: int) -> int:
    """The third task kills its worker, every time."""
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def wrong(number: int) -> int:
    """The third task raises an error that cannot be pickled."""
    if number == 2:
        raise EditionError("mine.toml", [(7, "so many cards there are not")])
    return number


def threads(task: Noted) -> tuple[str | None, bool]:
    """What a worker may use, and whether it hears Ctrl-C. Returns when two workers are at work."""
    square(task)
    until = time.monotonic() + 60.0
    while len({process for _, process in begun(task.folder)}) < 2:
        assert time.monotonic() < until, "the second worker does not come"
        time.sleep(0.01)
    blocked = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    return os.environ.get("NUMBA_NUM_THREADS"), not blocked or signal.getsignal(signal.SIGINT) is not signal.SIG_IGN


def begun(folder: Path) -> list[tuple[int, int]]:
    """The numbers of the tasks that were begun, and the processes that began them."""
    names = [path.name.split("-") for path in folder.iterdir()]
    return [(int(number), int(process)) for number, process, _ in names]
