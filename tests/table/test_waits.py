"""Waiting for an event with a time limit."""

from __future__ import annotations

import asyncio

import pytest

from spina.table.waits import is_set_within


def test_an_event_that_is_set_in_time_is_told() -> None:
    async def test() -> None:
        event = asyncio.Event()
        asyncio.get_running_loop().call_later(0.01, event.set)
        assert await is_set_within(event, 60)

    asyncio.run(test())


def test_an_event_that_is_not_set_in_time_is_told() -> None:
    assert not asyncio.run(is_set_within(asyncio.Event(), 0.01))


def test_a_task_that_is_cancelled_when_its_event_is_set_ends() -> None:
    """`asyncio.wait_for` of Python 3.11 loses the cancellation, and a server that shuts down waits for ever."""

    async def test() -> None:
        event = asyncio.Event()

        async def work() -> None:
            while True:
                await is_set_within(event, 60)
                event.clear()

        task = asyncio.create_task(work())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        event.set()
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            async with asyncio.timeout(5):
                await task

    asyncio.run(test())
