"""Garbage collection of a server: in short pieces while people race, and of everything at a quiet moment.

Reference counting frees nearly everything at once; races, rooms and pages have no reference cycles. The collector is
there for the rest, such as an exception that refers to itself, and for code that is not ours. Its full collection takes
a quarter of a second with some hundred thousand objects and stops the event loop for that long, so Python does not
decide when it happens.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import sys
import time
from collections.abc import AsyncIterator, Iterator

NEVER = 2**31 - 1
THRESHOLDS = (100, 1, NEVER)
"""Collections of young objects look at 300 at the most, which takes a quarter of a millisecond, or three if other
programs have just used the processor's cache. Python makes none of all objects."""
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
def short_collections() -> Iterator[None]:
    """Let Python collect young objects only. What exists already is not looked at any more: modules and their code."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


@contextlib.asynccontextmanager
async def full_collections() -> AsyncIterator[None]:
    """Collect all objects at the right moments while the body runs on the event loop."""
    watching = asyncio.create_task(FullCollections().watch())
    try:
        yield
    finally:
        watching.cancel()


class FullCollections:
    """Collects all objects at quiet moments, and when memory has grown much. Use it on the event loop's thread."""

    def __init__(self) -> None:
        self._collected_at = self._looked_at = time.monotonic()
        self._used = time.thread_time()
        self._left = sys.getallocatedblocks()
        """Blocks of memory that the last full collection has left."""

    async def watch(self) -> None:
        """Look whether now is the moment until cancelled."""
        while True:
            await asyncio.sleep(LOOK)
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
