"""Waiting with a time limit."""

from __future__ import annotations

import asyncio


async def is_set_within(event: asyncio.Event, seconds: float) -> bool:
    """Wait until the event is set, but not longer than this. Returns whether it is set.

    `asyncio.wait_for` of Python 3.11 loses the cancellation of a task if the event is set at the same moment: a task
    that waits in a loop then never ends.
    """
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return event.is_set()
    return True
