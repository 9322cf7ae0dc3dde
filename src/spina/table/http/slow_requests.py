"""Slow work for requests: done in one thread, fairly between addresses, and charged to them."""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from spina.errors import SpinaError
from spina.table.http import addresses
from spina.table.http.rate_limits import Buckets
from spina.table.refusals import Refusal, say
from spina.table.settings import Settings

T = TypeVar("T")


@dataclass(slots=True)
class _Piece:
    work: Callable[[], Any]
    done: asyncio.Future[Any]


class CostlyWork:
    """One thread that reads editions and race files and replays races, addresses in turn (round robin).

    Each address has a token bucket of processor time. Work may begin while tokens are left, and the time it took is
    charged afterwards.
    """

    def __init__(self, settings: Settings) -> None:
        self._allowances = Buckets(settings.work_per_second, settings.work_at_once)
        self._most, self._most_of_address = settings.work_waiting, settings.work_waiting_of_address
        self._waiting: OrderedDict[str, deque[_Piece]] = OrderedDict()
        self._count = 0
        self._running = False
        self._thread = ThreadPoolExecutor(1, "spina-work")

    async def do(self, work: Callable[[], T]) -> T:
        """Do some work and return its result. Raises Refusal if the address is over its limit or the queue is full."""
        address = addresses.current()
        if address:
            wait = self._allowances.of(address).wait()
            if wait > 0:
                reason = say("table.too-much-work")
                raise Refusal("too-fast", reason, retry=_whole(wait))
        queue = self._waiting.setdefault(address, deque())
        if self._count >= self._most or len(queue) >= self._most_of_address:
            if not queue:
                del self._waiting[address]
            raise Refusal("too-fast", say("table.busy"), retry=1)
        piece = _Piece(work, asyncio.get_running_loop().create_future())
        queue.append(piece)
        self._count += 1
        self._next()
        done: asyncio.Future[T] = piece.done
        try:
            return await done
        finally:
            del done, piece, queue  # an exception refers to this frame: this avoids a reference cycle

    def close(self) -> None:
        """Cancel waiting work."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _next(self) -> None:
        """Start the next piece of work, addresses in turn."""
        while self._waiting and not self._running:
            address, queue = next(iter(self._waiting.items()))
            piece = queue.popleft()
            self._count -= 1
            if queue:
                self._waiting.move_to_end(address)
            else:
                del self._waiting[address]
            if piece.done.done():  # the request was cancelled
                continue
            self._running = True
            task = asyncio.get_running_loop().run_in_executor(self._thread, _timed, piece.work)
            task.add_done_callback(lambda task, piece=piece, address=address: self._ended(task, piece, address))  # type: ignore[misc]

    def _ended(self, task: asyncio.Future[Any], piece: _Piece, address: str) -> None:
        self._running = False
        if task.cancelled():
            piece.done.cancel()
            return
        result, error, seconds = task.result()
        if address:
            self._allowances.of(address).charge(seconds)
        if not piece.done.done():
            if error is not None:
                piece.done.set_exception(error)
            else:
                piece.done.set_result(result)
        self._next()


def _timed(work: Callable[[], T]) -> tuple[T | None, Exception | None, float]:
    begun = time.thread_time()
    try:
        return work(), None, time.thread_time() - begun
    except SpinaError as error:  # expected; without its traceback, whose frames keep all the data that was read
        return None, error.with_traceback(None), time.thread_time() - begun
    except Exception as error:
        return None, error, time.thread_time() - begun


def _whole(seconds: float) -> int:
    return max(1, math.ceil(min(seconds, 3600.0)))
