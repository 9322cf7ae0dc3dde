"""Many independent tasks on all cores, or on a cluster: each of them done exactly once in what comes back.

A task is anything that can be pickled, and what is done with it a function that can be found by its name and has no
effects: a task that was lost with its worker is simply done again.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import traceback
from collections import Counter, deque
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import connection, resource_tracker
from typing import Any, Protocol, TypeVar

from spina.errors import OptionError, SpinaError

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 2
"""Tasks given out for each worker, so that none waits for the next."""
TRIES = 3
"""How often a task is begun before it is blamed for the deaths of its workers."""
ALONE = 2
"""After so many deaths a task is tried with nothing beside it, so that nobody else is blamed."""
MOST_PROCESSES = 1024
LOCAL_RAY = "local-ray"
_SINGLE = {"NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
_SHOWN = 300
"""Characters of a task that an error shows."""


class TaskError(SpinaError):
    """A task could not be done. `index` is its number, `details` the traceback where it was tried."""

    def __init__(self, index: int, task: object, reason: str, details: str = "") -> None:
        self.index, self.reason, self.details = index, reason, details
        shown = repr(task)
        shown = shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "…"
        super().__init__(f"task {index} failed: {reason}; the task was {shown}")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an attempt at a task has ended."""

    index: int
    result: Any = None
    reason: str | None = None
    """Why the task cannot be done."""
    details: str = ""
    lost: bool = False
    """Whether its worker died, so that nothing is known."""


class Crew(Protocol):
    """Those who do the work: local processes, a cluster."""

    size: int
    """How many work at the same time."""

    def give(self, index: int, task: Any) -> None:
        """Have a task done."""

    def wait(self) -> list[Outcome]:
        """Wait until something has come of one task or more that were given."""

    def close(self) -> None:
        """Stop at once, and leave nothing behind."""


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(
    function: Callable[[T], R],
    tasks: Sequence[T],
    *,
    on: str | None = None,
    processes: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    done: Collection[int] = (),
) -> Generator[tuple[int, R], None, None]:
    """Do `function(task)` for every task, and give (index, result) as they are finished, in any order.

    Every index comes exactly once, also when workers are killed meanwhile: what they had begun is done again.
    A task that raises ends the run with a TaskError that names it. Tasks whose index is in `done` are left out.

    `on` says where: None for processes on this machine (as many as there are cores, or `processes`; 0 does
    everything in this very process), "local-ray" for a Ray of its own on this machine, "ray://HOST:PORT" for a
    cluster. `progress` is called with the number of finished tasks and of all.

    Close the iterator (`contextlib.closing`) where it may not be read to its end: that ends the workers.
    """
    if processes is not None and (isinstance(processes, bool) or not 0 <= processes <= MOST_PROCESSES):
        raise OptionError(f"processes must be a whole number from 0 to {MOST_PROCESSES:,}, not {processes!r}")
    check_place(on)
    left = [index for index in range(len(tasks)) if index not in done]
    return _run(function, tasks, left, on, processes, progress)


def check_place(on: str | None) -> None:
    """Raises OptionError for a place where nothing can run."""
    if on is not None and on != LOCAL_RAY and not (on.startswith("ray://") and len(on) > len("ray://")):
        raise OptionError(f'tasks run on "{LOCAL_RAY}" or on "ray://HOST:PORT", not on {on!r}')


def _run(
    function: Callable[[T], R],
    tasks: Sequence[T],
    left: Sequence[int],
    on: str | None,
    processes: int | None,
    progress: Callable[[int, int], None] | None,
) -> Generator[tuple[int, R], None, None]:
    finished = len(tasks) - len(left)
    if progress is not None:
        progress(finished, len(tasks))
    if not left:
        return
    crew = _crew(function, on, processes, len(left))
    try:
        for index, result in _every(crew, tasks, left):
            finished += 1
            if progress is not None:
                progress(finished, len(tasks))
            yield index, result
    finally:
        crew.close()


def _crew(function: Callable[[Any], Any], on: str | None, processes: int | None, tasks: int) -> Crew:
    if on is not None:
        from spina.lab.ray_executor import RayCrew

        return RayCrew(function, None if on == LOCAL_RAY else on, processes)
    if processes == 0:
        return _Here(function)
    return _Processes(function, min(processes or cores(), tasks))


def _every(crew: Crew, tasks: Sequence[Any], left: Sequence[int]) -> Iterator[tuple[int, Any]]:
    """The results of all tasks that are left: a bounded number in flight, and lost ones begun again."""
    waiting, suspects = deque(left), deque[int]()
    deaths: Counter[int] = Counter()
    flying = 0
    while waiting or suspects or flying:
        if suspects and not flying:
            crew.give(suspects[0], tasks[suspects.popleft()])
            flying += 1
        while waiting and not suspects and flying < AHEAD * crew.size:
            crew.give(waiting[0], tasks[waiting.popleft()])
            flying += 1
        outcomes = crew.wait()
        flying -= len(outcomes)
        problems = []
        for outcome in outcomes:
            if outcome.lost:
                deaths[outcome.index] += 1
                (suspects if deaths[outcome.index] >= ALONE else waiting).append(outcome.index)
            elif outcome.reason is not None:
                problems.append(outcome)
            else:
                yield outcome.index, outcome.result
        for found in problems:  # when what was finished beside it is safe
            raise TaskError(found.index, tasks[found.index], str(found.reason), found.details)
        for index, count in deaths.items():
            if count >= TRIES and index in suspects:
                raise TaskError(index, tasks[index], f"{count} workers in a row died over it")


def attempt(function: Callable[[Any], Any], index: int, task: Any) -> Outcome:
    """Do a task. What it raises comes back in words, because not every error can be pickled."""
    try:
        return Outcome(index, function(task))
    except Exception as error:
        return Outcome(index, reason=in_words(error), details=traceback.format_exc())


def in_words(error: BaseException) -> str:
    """An error in a line; Spina's own errors speak for themselves."""
    text = " ".join(str(error).split())
    return text if isinstance(error, SpinaError) else f"{type(error).__name__}: {text}".rstrip(": ")


class _Here:
    """No workers at all: this process does the work, one task whenever somebody waits for one."""

    size = 1

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function, self._given = function, deque[tuple[int, Any]]()

    def give(self, index: int, task: Any) -> None:
        self._given.append((index, task))

    def wait(self) -> list[Outcome]:
        return [attempt(self._function, *self._given.popleft())]

    def close(self) -> None:
        self._given.clear()


class _Processes:
    """Processes on this machine. When one of them dies, all are replaced."""

    def __init__(self, function: Callable[[Any], Any], processes: int) -> None:
        self.size = processes
        self._function = function
        self._pool: ProcessPoolExecutor | None = None
        self._given: dict[Future[Outcome], int] = {}
        self._refused: list[int] = []  # by a pool that broke before it could be given these

    def give(self, index: int, task: Any) -> None:
        try:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(self.size, multiprocessing.get_context("spawn"), _settle)
                with _for_children():  # the first task makes the pool start its processes
                    future = self._pool.submit(attempt, self._function, index, task)
            else:
                future = self._pool.submit(attempt, self._function, index, task)
        except BrokenExecutor:
            self._refused.append(index)
        else:
            self._given[future] = index

    def wait(self) -> list[Outcome]:
        ended = wait(self._given, return_when=FIRST_COMPLETED).done if not self._refused else set()
        if self._refused or any(isinstance(future.exception(), BrokenExecutor) for future in ended):
            ended = wait(self._given).done  # all of them end with the pool
            self.close()
        outcomes = [Outcome(index, lost=True) for index in self._refused]
        self._refused = []
        for future in sorted(ended, key=self._given.__getitem__):
            index = self._given.pop(future)
            error = future.exception()
            if error is None:
                outcomes.append(future.result())
            elif isinstance(error, BrokenExecutor):
                outcomes.append(Outcome(index, lost=True))
            else:  # a result that cannot be pickled, or somebody wanted to exit
                outcomes.append(Outcome(index, reason=in_words(error)))
        return outcomes

    def close(self) -> None:
        if self._pool is None:
            return
        pool, self._pool = self._pool, None
        for process in [*(pool._processes or {}).values()]:
            process.kill()  # what it does is of no use to anybody
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _for_children() -> Iterator[None]:
    """What processes inherit that are started now: one thread each, and deafness to Ctrl-C, which is for us."""
    resource_tracker.ensure_running()  # it would hear Ctrl-C again, and we with it
    before = {name: os.environ.get(name) for name in _SINGLE}
    os.environ.update(_SINGLE)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if hasattr(signal, "pthread_sigmask") else None
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _settle() -> None:
    """The first thing that a worker does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="spina-parent", daemon=True).start()


def _end_with_parent() -> None:
    """End when the parent has been killed: a pool's worker would wait for its next task for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
