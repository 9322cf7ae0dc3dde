"""How often somebody may do something."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from spina.table.http import rate_limits
from spina.table.http.addresses import begin_request
from spina.table.http.rate_limits import CROWD, Allowance, Bucket, Buckets
from spina.table.http.security import Guard, new_token
from spina.table.settings import Settings

T = TypeVar("T")


class Clock:
    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(rate_limits, "time", clock)
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
    monkeypatch.setattr(rate_limits, "MOST_BUCKETS", 3)
    buckets = Buckets(rate=0.0, most=1.0)
    for name in ("anna", "ben", "carla"):
        assert buckets.take(name)
    assert not buckets.take("anna")  # used again: ben is the next to be forgotten
    assert buckets.take("dora")
    assert not buckets.take("anna")
    assert buckets.take("ben")


# --- by address -------------------------------------------------------------------------------------------------------


def test_made_up_visitors_of_one_address_share_what_it_may_do(clock: Clock) -> None:
    allowance = Allowance(rate=0.0, most=2.0)
    assert in_request("192.0.2.1", lambda: [allowance.take("anna") for _ in range(3)]) == [True, True, False]
    others = in_request("192.0.2.1", lambda: [allowance.take(f"made up {number}") for number in range(30)])
    assert others == [True] * int(2 * CROWD - 2) + [False] * int(32 - 2 * CROWD)
    assert in_request("192.0.2.2", lambda: allowance.take("somebody else"))


def test_what_a_visitor_may_not_do_takes_nothing_from_others_of_the_address(clock: Clock) -> None:
    allowance = Allowance(rate=0.0, most=1.0)
    in_request("192.0.2.1", lambda: [allowance.take("anna") for _ in range(100)])
    assert in_request("192.0.2.1", lambda: allowance.take("ben"))


def test_addresses_of_one_ipv6_network_are_one(clock: Clock) -> None:
    allowance = Allowance(rate=0.0, most=1.0)
    taken = [
        in_request(f"2001:db8:0:1::{number:x}", lambda number=number: allowance.take(str(number)))  # type: ignore[misc]
        for number in range(1, 21)
    ]
    assert taken == [True] * int(CROWD) + [False] * int(20 - CROWD)
    assert in_request("2001:db8:0:2::1", lambda: allowance.take("x"))


def test_the_guard_counts_made_up_tokens_of_one_ipv6_network_as_one(clock: Clock) -> None:
    """Through the application's outermost layer, as a server calls it."""
    answered: list[int] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            answered.append(message["status"])

    async def receive() -> Any:
        return {"type": "http.request"}

    guard = Guard(app, Settings(requests_per_second=0.0, requests_at_once=1.0), lambda *_: pytest.fail("a page"))

    def post(host: str) -> int:
        headers = [(b"host", b"localhost"), (b"authorization", f"Bearer {new_token()}".encode())]
        path = {"type": "http", "method": "POST", "path": "/api/check", "query_string": b"", "headers": headers}
        asyncio.run(guard({**path, "client": (host, 1)}, receive, send))
        return answered.pop()

    assert [post(f"2001:db8::{number:x}") for number in range(1, 13)] == [200] * 10 + [429] * 2
    assert post("2001:db8:0:1::1") == 200


def in_request(host: str, what: Callable[[], T]) -> T:
    """Do something as in a request from this address."""

    def run() -> T:
        begin_request({"client": (host, 1)})
        return what()

    return contextvars.copy_context().run(run)
