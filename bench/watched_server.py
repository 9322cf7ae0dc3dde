"""`spina` with a watchdog on its event loop: counts the callbacks that keep it busy for longer than 5 ms.

    python -m bench.watched_server FILE serve …

It runs on asyncio's own loop, whose callbacks can be timed, and writes what it has counted to FILE when it ends.
Callbacks are timed in CPU time of the loop's thread, since other processes on its core are not its doing;
`kill -USR1` begins anew, so that opening the database and loading compiled code are left out.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
import time
from pathlib import Path

import msgspec

LONG = 0.005
"""Seconds of CPU time that count as long."""


class Watched(msgspec.Struct):
    """What the watchdog has counted."""

    callbacks: int = 0
    long: int = 0
    """Callbacks that took longer than LONG."""
    longest: float = 0.0
    """Seconds of CPU time."""
    names: dict[str, int] = {}
    """Long callbacks by what they ran, or what took most of their time."""


def watch() -> Watched:
    """Time every callback from now on."""
    found = Watched()
    run = asyncio.Handle._run
    since, collecting = 0.0, 0.0

    def collect(phase: str, _: object) -> None:
        nonlocal since, collecting
        if phase == "start":
            since = time.thread_time()
        else:
            collecting += time.thread_time() - since

    def timed(handle: asyncio.Handle) -> None:
        nonlocal collecting
        collecting = 0.0
        begun = time.thread_time()
        run(handle)
        spent = time.thread_time() - begun
        found.callbacks += 1
        found.longest = max(found.longest, spent)
        if spent > LONG:
            found.long += 1
            name = "garbage collection" if collecting > spent / 2 else _name(handle)
            found.names[name] = found.names.get(name, 0) + 1

    gc.callbacks.append(collect)
    asyncio.Handle._run = timed  # type: ignore[method-assign]

    def begin_anew(*_: object) -> None:
        found.callbacks, found.long, found.longest, found.names = 0, 0, 0.0, {}

    signal.signal(signal.SIGUSR1, begin_anew)
    return found


def _name(handle: asyncio.Handle) -> str:
    owner = getattr(handle._callback, "__self__", None)  # type: ignore[attr-defined]
    if isinstance(owner, asyncio.Task):
        return getattr(owner.get_coro(), "__qualname__", "task")
    return getattr(handle._callback, "__qualname__", "callback")  # type: ignore[attr-defined]


if __name__ == "__main__":
    file = Path(sys.argv.pop(1))
    sys.modules["uvloop"] = None  # type: ignore[assignment]
    from spina.cli import main

    counted = watch()
    try:
        main()
    finally:
        file.write_bytes(msgspec.json.encode(counted))
