"""Garbage collection of a server: short while people race, and nothing stays in memory for ever."""

from __future__ import annotations

import asyncio
import gc
import sys
import weakref
from collections.abc import Iterator

import pytest

from spina.table import garbage
from spina.table.garbage import FullCollections, full_collections, short_collections


class Knot:
    """An object that refers to itself: only the collector frees it."""

    def __init__(self, size: int = 0) -> None:
        self.itself, self.load = self, [[] for _ in range(size)]


@pytest.fixture(autouse=True)
def short() -> Iterator[None]:
    with short_collections():
        yield


def old_knot() -> weakref.ref[Knot]:
    """A knot that has outlived the collections of young objects, and that nothing refers to any more."""
    knot = Knot()
    gc.collect(0)
    gc.collect(1)
    return weakref.ref(knot)


def test_python_collects_young_objects_a_few_at_a_time_and_never_all_of_them() -> None:
    seen: list[tuple[int, int]] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            young = sum(len(gc.get_objects(generation)) for generation in range(info["generation"] + 1))
            seen.append((info["generation"], young))

    gc.callbacks.append(note)
    try:
        kept = [[number] for number in range(20_000)]
    finally:
        gc.callbacks.remove(note)
    assert len(kept) == 20_000
    assert {generation for generation, _ in seen} == {0, 1}
    assert max(young for _, young in seen) <= 500


def test_young_cycles_are_freed_while_the_loop_is_busy() -> None:
    knots = [weakref.ref(Knot()) for _ in range(5_000)]
    assert sum(knot() is not None for knot in knots) < 500


def test_old_cycles_are_freed_at_a_quiet_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "PAUSE", 0.0)
    monkeypatch.setattr(garbage, "LOOK", 0.01)
    monkeypatch.setattr(garbage, "QUIET", 0.9)
    knot = old_knot()
    assert knot() is not None

    async def wait() -> None:
        async with asyncio.timeout(60), full_collections():
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
    full, knot = FullCollections(), old_knot()
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
    full = FullCollections()
    begun = most = sys.getallocatedblocks()
    collected = 0
    kept: list[Knot] = []
    for _ in range(200):  # knots that are let go only when they are old
        kept.append(Knot(1_000))
        gc.collect(1)
        if len(kept) > 3:
            kept.pop(0)
        collected += full.look()
        most = max(most, sys.getallocatedblocks())
    assert collected >= 3
    assert most - begun < 20_000 + 10 * 2_000  # of the 400,000 blocks that were allocated


def test_thresholds_and_what_was_left_out_are_restored() -> None:
    before = gc.get_threshold()
    with short_collections():
        assert gc.get_freeze_count() > 1_000
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
