"""How often somebody may do something."""

from __future__ import annotations

import pytest

from spina.table import limits
from spina.table.limits import Bucket, Buckets


class Clock:
    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(limits, "time", clock)
    return clock


def test_a_burst_is_allowed_and_then_so_many_a_second(clock: Clock) -> None:
    bucket = Bucket(rate=2.0, most=5.0)
    assert [bucket.take() for _ in range(6)] == [True] * 5 + [False]
    clock.now += 1.0
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    clock.now += 3600.0
    assert [bucket.take() for _ in range(6)] == [True] * 5 + [False]


def test_some_things_cost_less_than_others(clock: Clock) -> None:
    bucket = Bucket(rate=1.0, most=1.0)
    assert sum(bucket.take(0.125) for _ in range(20)) == 8


def test_one_does_not_use_up_what_another_has(clock: Clock) -> None:
    buckets = Buckets(rate=1.0, most=1.0)
    assert buckets.take("anna") and not buckets.take("anna")
    assert buckets.take("ben")


def test_those_not_used_for_longest_are_forgotten_first(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_BUCKETS", 3)
    buckets = Buckets(rate=0.0, most=1.0)
    for name in ("anna", "ben", "carla"):
        assert buckets.take(name)
    assert not buckets.take("anna")  # used again: ben is the next to be forgotten
    assert buckets.take("dora")
    assert not buckets.take("anna")
    assert buckets.take("ben")
