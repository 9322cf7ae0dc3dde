"""Threads that share a piece of work with the thread that asks for it."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from queue import SimpleQueue

Work = Callable[[], object]


class Workers:
    """Threads that wait for work. They end with `close`, or when the object is no longer used.

    A queue in C wakes a thread in some microseconds; a ThreadPoolExecutor takes ten times as long.
    """

    def __init__(self, count: int) -> None:
        self._orders: list[SimpleQueue[Work | None]] = [SimpleQueue() for _ in range(count)]
        self._reports: SimpleQueue[BaseException | None] = SimpleQueue()
        for order in self._orders:
            threading.Thread(target=_serve, args=(order, self._reports), name="spina-batch", daemon=True).start()
        self._end = weakref.finalize(self, _dismiss, self._orders)

    def do(self, work: Work) -> None:
        """Call `work` in all threads and in this one; return when all have returned. Raises what one of them raised."""
        errors: list[BaseException] = []
        for order in self._orders:
            order.put(work)
        try:
            work()
        except BaseException as error:
            errors.append(error)
        awaited = len(self._orders)
        while awaited:
            try:
                report = self._reports.get()
            except BaseException as error:  # Ctrl-C: the others still work on the same arrays
                errors.append(error)
                continue
            awaited -= 1
            if report is not None:
                errors.append(report)
        if errors:
            raise errors[0]

    def close(self) -> None:
        """End the threads. Work is then done by the calling thread alone."""
        self._end()


def _serve(orders: SimpleQueue[Work | None], reports: SimpleQueue[BaseException | None]) -> None:
    """Do the work that comes in, until None comes."""
    while (work := orders.get()) is not None:
        report = None
        try:
            work()
        except BaseException as error:
            report = error
        work = None  # what it belongs to may be dropped while this thread waits
        reports.put(report)


def _dismiss(orders: list[SimpleQueue[Work | None]]) -> None:
    for order in orders:
        order.put(None)
    orders.clear()
