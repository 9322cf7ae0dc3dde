"""The threads of a batch: what they share, what they raise, and when they end."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Any

import numpy as np
import pytest

import spina
from spina.batches.workers import Workers
from spina.kernel import compiler
from spina.kernel.shared_counter import claim


def test_work_is_done_by_all_threads_at_once() -> None:
    workers, together, seen = Workers(3), threading.Barrier(4, timeout=60), set()

    def work() -> None:
        together.wait()  # breaks unless all four come
        seen.add(threading.get_ident())

    for _ in range(5):
        workers.do(work)
    assert len(seen) == 4
    workers.close()
    workers.do(lambda: seen.add(0))
    assert 0 in seen, "a closed one goes on in the calling thread"


@pytest.mark.parametrize("in_worker", [True, False])
def test_an_error_is_raised_when_all_have_finished(in_worker: bool) -> None:
    workers, own, done = Workers(1), threading.get_ident(), threading.Event()

    def work() -> None:
        if (threading.get_ident() != own) == in_worker:
            raise KeyError("broken")
        done.set()

    with pytest.raises(KeyError, match="broken"):
        workers.do(work)
    assert done.is_set()
    done.clear()
    workers.do(done.set)  # and it still works
    assert done.is_set()


def test_the_threads_of_a_batch_end_with_it() -> None:
    before = {*threading.enumerate()}
    batch = spina.batch("chariot-race", 8, 2, seed=1, threads=3)
    for _ in range(3):
        batch.step(batch.random_actions())
    threads = {*threading.enumerate()} - before
    assert len(threads) == 2
    gone = weakref.ref(batch)
    del batch
    gc.collect()
    assert gone() is None
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def count_up(counter: Any, out: Any) -> None:
    """Notes in `out` how often each number was claimed."""
    first = claim(counter, 3)
    while first < len(out):
        for number in range(first, min(first + 3, len(out))):
            out[number] += 1
        first = claim(counter, 3)


@pytest.mark.parametrize("compiled", [True, False])
def test_every_number_of_a_shared_counter_is_claimed_once(compiled: bool) -> None:
    counting: Any = count_up
    if compiled and not compiler.INTERPRETED:
        import numba

        compiler.prepare()
        counting = numba.njit(nogil=True)(count_up)
    workers = Workers(3)
    out, counter = np.zeros(20_000, np.int64), np.zeros(1, np.int64)
    for _ in range(20):
        counter[0] = 0
        workers.do(lambda: counting(counter, out))
    assert (out == 20).all() and counter[0] >= len(out)
    workers.close()
