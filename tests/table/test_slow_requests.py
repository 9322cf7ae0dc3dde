"""Work that takes long: one piece at a time, addresses in turn, charged to the address that asks for it."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from spina.errors import OptionError
from spina.table.http.addresses import begin_request
from spina.table.http.slow_requests import CostlyWork
from spina.table.refusals import Refusal
from spina.table.settings import Settings

T = TypeVar("T")


def asked(work: CostlyWork, address: str, what: Callable[[], T]) -> asyncio.Task[T]:
    """Have something done for a request from this address."""

    async def ask() -> T:
        begin_request({"client": (address, 1)})
        return await work.do(what)

    return asyncio.create_task(ask())


def run(test: Callable[[CostlyWork], Any], **settings: Any) -> None:
    async def testing() -> None:
        work = CostlyWork(Settings(database="sqlite://", **settings))
        async with asyncio.timeout(60):
            await test(work)
        work.close()

    asyncio.run(testing())


def burn(seconds: float) -> None:
    """Take processor time."""
    begun = time.thread_time()
    while time.thread_time() - begun < seconds:
        pass


def test_one_piece_is_done_at_a_time_beside_the_event_loop_addresses_in_turn() -> None:
    done: list[str] = []
    together: list[int] = []
    free, first = threading.Event(), threading.Event()

    def piece(name: str) -> None:
        assert threading.current_thread() is not threading.main_thread()
        together.append(1)
        assert len(together) == 1
        first.set()
        free.wait(30)
        done.append(name)
        together.pop()

    async def test(work: CostlyWork) -> None:
        flood = [asked(work, "192.0.2.1", lambda n=n: piece(f"flood {n}")) for n in range(5)]  # type: ignore[misc]
        await asyncio.to_thread(first.wait, 30)  # the loop goes on while it is at work
        honest = asked(work, "192.0.2.2", lambda: piece("honest"))
        await asyncio.sleep(0)
        free.set()
        await asyncio.gather(*flood, honest)
        assert done.index("honest") <= 2

    run(test)


def test_an_address_is_charged_what_its_work_took_and_then_waits() -> None:
    async def test(work: CostlyWork) -> None:
        await asked(work, "192.0.2.1", lambda: burn(0.3))
        with pytest.raises(Refusal) as refused:
            await asked(work, "192.0.2.1", lambda: None)
        assert refused.value.code == "too-fast" and refused.value.retry is not None and refused.value.retry >= 1
        await asked(work, "192.0.2.2", lambda: None)
        await work.do(lambda: None)  # the server itself is not limited

    run(test, work_at_once=0.1, work_per_second=0.01)


def test_only_so_much_work_waits() -> None:
    free = threading.Event()

    async def test(work: CostlyWork) -> None:
        tasks = [asked(work, f"192.0.2.{n % 3}", lambda: free.wait(30)) for n in range(20)]
        async with asyncio.timeout(30):
            while sum(task.done() for task in tasks) < 20 - 1 - 4:
                await asyncio.sleep(0.01)
        free.set()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        refused = [result for result in results if isinstance(result, Refusal)]
        assert len(refused) == 20 - 1 - 4 and all(refusal.retry == 1 for refusal in refused)
        assert await asked(work, "192.0.2.1", lambda: 7) == 7

    run(test, work_waiting=4, work_waiting_of_address=2)


def test_an_error_reaches_whoever_asked_and_holds_nothing_in_memory() -> None:
    class Text(str):
        pass

    kept: list[weakref.ref[Text]] = []

    def fail() -> None:
        text = Text("read")
        kept.append(weakref.ref(text))
        raise OptionError(f"wrong: {text}")

    async def test(work: CostlyWork) -> None:
        gc.disable()
        try:
            with pytest.raises(OptionError, match="wrong: read"):
                await asked(work, "192.0.2.1", fail)
            assert kept[0]() is None
        finally:
            gc.enable()

    run(test)
