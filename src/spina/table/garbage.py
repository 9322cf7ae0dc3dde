"""Garbage collection of a server: of a few young objects at a time, and of everything at a quiet moment.

Reference counting frees nearly everything at once; races, rooms and pages have no reference cycles. The collector is
there for the rest, such as an exception that refers to itself, and for code that is not ours. Its full collection takes
a quarter of a second with some hundred thousand objects and stops the event loop for that long. Python's own collection
of young objects is not short either: it begins when more objects have been made than freed, so that thousands of young
ones come together while as many old ones are freed, as when many pages close. So Python collects nothing by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import sys
import time
from collections.abc import AsyncIterator, Iterator

BUSY_TICK, IDLE_TICK = 0.01, 0.2
"""Seconds between collections of young objects, while the process does something and otherwise."""
FEW = 0.005
"""Seconds of processor time of the process since the last tick. In so little time a thousand new objects come together
at the most, which are collected in a millisecond; after more, they count as old without having been looked at."""
LOOK = 5.0
"""Seconds between looks whether all objects are to be collected."""
QUIET = 0.01
"""A moment is quiet if the event loop has used at most this share of a processor since the last look."""
PAUSE = 600.0
"""Minimum seconds between two full collections at quiet moments."""
GROWTH, LEAST_GROWTH = 1.5, 1_000_000
"""Growth of the allocated blocks of memory after which everything is collected at once, quiet or not: this many times
what was left by the last full collection, and at least so many more (some 100 MB)."""


@contextlib.contextmanager
def no_automatic_collections() -> Iterator[None]:
    """Let Python collect nothing by itself. Use `Collector` instead."""
    was_enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextlib.asynccontextmanager
async def collecting() -> AsyncIterator[None]:
    """Collect garbage at the right moments while the body runs on the event loop."""
    watching = asyncio.create_task(Collector().watch())
    try:
        yield
    finally:
        watching.cancel()


def collect_young(used: float) -> None:
    """Collect young objects, if they are few: what is still in use counts as old from then on.

    `used`: seconds of processor time since the last time.
    """
    if used <= FEW:
        gc.collect(0)
    else:  # these two move objects from list to list as a whole, and look at none
        gc.freeze()
        gc.unfreeze()


class Collector:
    """Collects young objects again and again, and all objects at quiet moments or when memory has grown much.

    Use it on the event loop's thread.
    """

    def __init__(self) -> None:
        self._collected_at = self._looked_at = time.monotonic()
        self._used = time.thread_time()
        self._left = sys.getallocatedblocks()
        """Blocks of memory that the last full collection has left."""

    async def watch(self) -> None:
        """Collect until cancelled."""
        tick, before = BUSY_TICK, time.process_time()
        while True:
            await asyncio.sleep(tick)
            used = time.process_time() - before
            collect_young(used)
            tick, before = BUSY_TICK if used > FEW / 10 else IDLE_TICK, before + used
            if time.monotonic() - self._looked_at >= LOOK:
                self.look()

    def look(self) -> bool:
        """Collect everything if now is the moment. Returns whether it was."""
        now, used = time.monotonic(), time.thread_time()
        quiet = used - self._used <= QUIET * (now - self._looked_at)
        self._looked_at, self._used = now, used
        much = sys.getallocatedblocks() > max(GROWTH * self._left, self._left + LEAST_GROWTH)
        if not much and not (quiet and now - self._collected_at >= PAUSE):
            return False
        gc.collect()
        self._collected_at, self._used = time.monotonic(), time.thread_time()
        self._left = sys.getallocatedblocks()
        return True
