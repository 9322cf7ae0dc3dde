"""Runs independent tasks on all cores or on a cluster, and returns the result of each task exactly once.

A task is anything that can be pickled. The function applied to it must be importable by its name and free of side
effects: a task that was lost with its worker is run again.
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
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from multiprocessing import connection, resource_tracker
from typing import Any, Protocol, TypeVar

from spina.errors import OptionError, SpinaError
from spina.interrupts import deferred

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 2
"""Tasks submitted for each worker, so that no worker waits for its next task."""
TRIES = 3
"""How often a task is tried before it is taken to be the cause of its workers' deaths."""
ALONE = 2
"""After this many deaths a task is tried with no other task in flight, so that no other task is suspected."""
MOST_PROCESSES = 1024
LOCAL_RAY = "local-ray"
_SINGLE = {"NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
_SHOWN = 300
"""Characters of a task that an error shows."""


class TaskError(SpinaError):
    """A task failed. `index` is its number, `details` the traceback in the worker."""

    def __init__(self, index: int, task: object, reason: str, details: str = "") -> None:
        self.index, self.reason, self.details = index, reason, details
        shown = repr(task)
        shown = shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "…"
        super().__init__(f"task {index} failed: {reason}; the task was {shown}")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an attempt at a task ended."""

    index: int
    result: Any = None
    reason: str | None = None
    """Why the task failed; None if it did not."""
    details: str = ""
    lost: bool = False
    """Whether its worker died, so that there is neither result nor reason."""


class WorkerPool(Protocol):
    """Workers that run tasks: local processes, or a cluster."""

    size: int
    """How many tasks run at the same time."""

    def submit(self, index: int, task: Any) -> None:
        """Hands a task to the workers."""

    def wait(self) -> list[Outcome]:
        """Waits for at least one submitted task to end, and returns the outcomes of all that have."""

    def close(self) -> None:
        """Ends the workers at once and removes everything that was started for them."""


def cores() -> int:
    """How many cores this process may use."""
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
    """Runs `function(task)` for every task and yields (index, result) as they finish, in any order.

    Every index comes exactly once, also if workers are killed meanwhile: their tasks are run again. A task that raises
    ends the run with a TaskError that names it. Tasks whose index is in `done` are left out.

    `on` says where: None for processes on this machine (`processes`, or as many as there are cores; 0 runs everything
    in the calling process), "local-ray" for a new Ray on this machine, "ray://HOST:PORT" for a cluster. `progress` is
    called with the number of finished tasks and the total.

    Close the iterator (`contextlib.closing`) where it may not be read to its end: that ends the workers.
    """
    if processes is not None and (isinstance(processes, bool) or not 0 <= processes <= MOST_PROCESSES):
        raise OptionError(f"processes must be a whole number from 0 to {MOST_PROCESSES:,}, not {processes!r}")
    check_place(on)
    left = [index for index in range(len(tasks)) if index not in done]
    return _run(function, tasks, left, on, processes, progress)


def check_place(on: str | None) -> None:
    """Raises OptionError for a place where no task can run."""
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
    pool = _pool(function, on, processes, len(left))
    try:
        for index, result in _results(pool, tasks, left):
            finished += 1
            if progress is not None:
                progress(finished, len(tasks))
            yield index, result
    finally:
        pool.close()


def _pool(function: Callable[[Any], Any], on: str | None, processes: int | None, tasks: int) -> WorkerPool:
    if on is not None:
        from spina.lab.ray_executor import RayPool

        return RayPool(function, None if on == LOCAL_RAY else on, processes)
    if processes == 0:
        return _InProcess(function)
    return _ProcessPool(function, min(processes or cores(), tasks))


def _results(pool: WorkerPool, tasks: Sequence[Any], left: Sequence[int]) -> Iterator[tuple[int, Any]]:
    """The results of the tasks that are left: a bounded number is in flight, and lost ones are submitted again."""
    waiting, suspects = deque(left), deque[int]()
    deaths: Counter[int] = Counter()
    in_flight = 0
    while waiting or suspects or in_flight:
        if suspects and not in_flight:
            pool.submit(suspects[0], tasks[suspects.popleft()])
            in_flight += 1
        while waiting and not suspects and in_flight < AHEAD * pool.size:
            pool.submit(waiting[0], tasks[waiting.popleft()])
            in_flight += 1
        outcomes = pool.wait()
        in_flight -= len(outcomes)
        problems = []
        for outcome in outcomes:
            if outcome.lost:
                deaths[outcome.index] += 1
                (suspects if deaths[outcome.index] >= ALONE else waiting).append(outcome.index)
            elif outcome.reason is not None:
                problems.append(outcome)
            else:
                yield outcome.index, outcome.result
        for found in problems:  # after the results that came with it have been handed over
            raise TaskError(found.index, tasks[found.index], str(found.reason), found.details)
        for index, count in deaths.items():
            if count >= TRIES and index in suspects:
                raise TaskError(index, tasks[index], f"{count} workers in a row died over it")


def attempt(function: Callable[[Any], Any], index: int, task: Any) -> Outcome:
    """Runs a task in a worker. An exception comes back as text, because not every exception can be pickled."""
    try:
        return Outcome(index, function(task))
    except Exception as error:
        return Outcome(index, reason=in_words(error), details=traceback.format_exc())


def in_words(error: BaseException) -> str:
    """An error as one line; the type is named unless it is one of Spina's own."""
    text = " ".join(str(error).split())
    return text if isinstance(error, SpinaError) else f"{type(error).__name__}: {text}".rstrip(": ")


class _InProcess:
    """No workers: the calling process runs a task whenever it waits for one."""

    size = 1

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function, self._submitted = function, deque[tuple[int, Any]]()

    def submit(self, index: int, task: Any) -> None:
        self._submitted.append((index, task))

    def wait(self) -> list[Outcome]:
        return [attempt(self._function, *self._submitted.popleft())]

    def close(self) -> None:
        self._submitted.clear()


class _ProcessPool:
    """Processes on this machine. When one of them dies, all are replaced."""

    def __init__(self, function: Callable[[Any], Any], processes: int) -> None:
        self.size = processes
        self._function = function
        self._pool: ProcessPoolExecutor | None = None
        self._submitted: dict[Future[Outcome], int] = {}
        self._refused: list[int] = []  # tasks that a broken pool did not accept

    def submit(self, index: int, task: Any) -> None:
        try:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(self.size, multiprocessing.get_context("spawn"), _settle)
            # Each task may start another process, until there are enough of them.
            complete = len(self._pool._processes or ()) == self.size
            with nullcontext() if complete else _for_children():
                future = self._pool.submit(attempt, self._function, index, task)
        except BrokenExecutor:
            self._refused.append(index)
        else:
            self._submitted[future] = index

    def wait(self) -> list[Outcome]:
        ended = wait(self._submitted, return_when=FIRST_COMPLETED).done if not self._refused else set()
        if self._refused or any(isinstance(future.exception(), BrokenExecutor) for future in ended):
            ended = wait(self._submitted).done  # all of them end with the pool
            self.close()
        outcomes = [Outcome(index, lost=True) for index in self._refused]
        self._refused = []
        for future in sorted(ended, key=self._submitted.__getitem__):
            index = self._submitted.pop(future)
            error = future.exception()
            if error is None:
                outcomes.append(future.result())
            elif isinstance(error, BrokenExecutor):
                outcomes.append(Outcome(index, lost=True))
            else:  # a result that cannot be pickled, or SystemExit
                outcomes.append(Outcome(index, reason=in_words(error)))
        return outcomes

    def close(self) -> None:
        if self._pool is None:
            return
        pool, self._pool = self._pool, None
        for process in [*(pool._processes or {}).values()]:
            process.kill()  # its result is not wanted any more
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _for_children() -> Iterator[None]:
    """Sets what child processes inherit: one thread each, and SIGINT blocked, since Ctrl-C is for the parent."""
    resource_tracker.ensure_running()  # started here, it would unblock SIGINT again
    before = {name: os.environ.get(name) for name in _SINGLE}
    os.environ.update(_SINGLE)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if hasattr(signal, "pthread_sigmask") else None
    try:
        with deferred():  # another thread may take the signal; a child that was half started would print a traceback
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
    """Initialises a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="spina-parent", daemon=True).start()


def _end_with_parent() -> None:
    """Ends the worker when its parent has been killed; otherwise it would wait for its next task for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
