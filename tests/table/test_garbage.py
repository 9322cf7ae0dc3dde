"""Garbage collection of a server: short while people race, and no garbage stays in memory for ever."""

from __future__ import annotations

import asyncio
import gc
import sys
import weakref
from collections.abc import Iterator

import pytest

from spina.table import garbage
from spina.table.garbage import Collector, collect_young, collecting, no_automatic_collections


class Knot:
    """An object that refers to itself: only the collector frees it."""

    def __init__(self, size: int = 0) -> None:
        self.itself, self.load = self, [[] for _ in range(size)]


@pytest.fixture(autouse=True)
def by_hand() -> Iterator[None]:
    with no_automatic_collections():
        yield


def old_knot() -> weakref.ref[Knot]:
    """A knot that has outlived a collection of young objects, and that nothing refers to any more."""
    knot = Knot()
    collect_young(0.0)
    return weakref.ref(knot)


@pytest.fixture
def collections() -> Iterator[list[tuple[int, int]]]:
    """Generation and number of objects of each collection."""
    seen: list[tuple[int, int]] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            young = sum(len(gc.get_objects(generation)) for generation in range(info["generation"] + 1))
            seen.append((info["generation"], young))

    gc.callbacks.append(note)
    try:
        yield seen
    finally:
        gc.callbacks.remove(note)


def test_no_collection_looks_at_many_objects(collections: list[tuple[int, int]]) -> None:
    collect_young(0.0)
    kept = [[number] for number in range(500)]
    collect_young(garbage.FEW)
    kept += [[number] for number in range(20_000)]  # no collection begins by itself
    collect_young(1.0)
    assert len(gc.get_objects(generation=0)) < 500
    kept += [[number] for number in range(500)]
    collect_young(garbage.FEW)
    assert [generation for generation, _ in collections] == [0, 0, 0]
    assert all(young < 1_000 for _, young in collections[1:])


def test_young_cycles_are_freed_by_a_loop_that_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "BUSY_TICK", 0.0)
    monkeypatch.setattr(garbage, "IDLE_TICK", 0.0)
    monkeypatch.setattr(garbage, "FEW", 1.0)
    monkeypatch.setattr(garbage, "LOOK", 1000.0)

    async def work() -> int:
        knots = []
        async with collecting():
            for _ in range(1_000):
                knots.append(weakref.ref(Knot()))
                await asyncio.sleep(0)
            return sum(knot() is not None for knot in knots)

    assert asyncio.run(work()) < 10


def test_old_cycles_are_freed_at_a_quiet_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "PAUSE", 0.0)
    monkeypatch.setattr(garbage, "IDLE_TICK", 0.01)
    monkeypatch.setattr(garbage, "LOOK", 0.01)
    monkeypatch.setattr(garbage, "QUIET", 1.0)
    knot = old_knot()
    assert knot() is not None

    async def wait() -> None:
        async with asyncio.timeout(60), collecting():
            while knot() is not None:
                await asyncio.sleep(0.01)

    asyncio.run(wait())


class Clocks:
    """Clocks that stand still unless they are set."""

    def __init__(self) -> None:
        self.passed = self.used = 0.0

    def monotonic(self) -> float:
        return self.passed

    def thread_time(self) -> float:
        return self.used

    def go_on(self, passed: float, used: float) -> None:
        self.passed, self.used = self.passed + passed, self.used + used


def test_a_busy_loop_is_not_stopped_and_a_quiet_one_now_and_then_only(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks = Clocks()
    monkeypatch.setattr(garbage, "time", clocks)
    full, knot = Collector(), old_knot()
    clocks.go_on(garbage.PAUSE - 10, 0.0)
    assert not full.look()  # too soon
    clocks.go_on(20.0, 1.0)
    assert not full.look()  # busy
    assert knot() is not None
    clocks.go_on(garbage.LOOK, 0.01)
    assert full.look()
    assert knot() is None
    clocks.go_on(garbage.LOOK, 0.0)
    assert not full.look()


def test_memory_is_bounded_even_if_the_loop_is_never_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "LEAST_GROWTH", 20_000)
    monkeypatch.setattr(garbage, "GROWTH", 1.0)
    monkeypatch.setattr(garbage, "QUIET", -1.0)
    full = Collector()
    begun = most = sys.getallocatedblocks()
    collected = 0
    kept: list[Knot] = []
    for _ in range(200):  # knots that are let go only when they are old
        kept.append(Knot(1_000))
        collect_young(0.0)
        if len(kept) > 3:
            kept.pop(0)
        collected += full.look()
        most = max(most, sys.getallocatedblocks())
    assert collected >= 3
    assert most - begun < 20_000 + 10 * 2_000  # of the 400,000 blocks that were allocated


def test_python_collects_by_itself_again_afterwards() -> None:
    gc.enable()
    with no_automatic_collections():
        assert not gc.isenabled()
    assert gc.isenabled()
    with no_automatic_collections(), no_automatic_collections():
        pass
    assert gc.isenabled()
