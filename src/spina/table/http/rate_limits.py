"""Rate limits by token bucket, per visitor and per address."""

from __future__ import annotations

import time
from collections import OrderedDict

from spina.table.http import addresses

MOST_BUCKETS = 50_000
CROWD = 10.0
"""An address has this many times the limit of a visitor: session tokens are free to make up, addresses are not.

Thirty people behind one address stay far below it, since people rarely come near a visitor's limit.
"""


class Bucket:
    """A token bucket: allows bursts up to `most`, and `rate` a second in the long run."""

    __slots__ = ("_at", "_left", "_most", "_rate")

    def __init__(self, rate: float, most: float) -> None:
        self._rate, self._most = rate, most
        self._left, self._at = most, time.monotonic()

    def has(self, amount: float = 1.0) -> bool:
        """Whether this many tokens are left."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._rate)
        self._at = now
        return self._left >= amount

    def take(self, amount: float = 1.0) -> bool:
        """Take this many tokens if they are left. Returns whether they were."""
        if not self.has(amount):
            return False
        self._left -= amount
        return True

    def charge(self, amount: float) -> None:
        """Take tokens for a cost that is known only afterwards. The balance may become negative."""
        self._left -= amount

    def wait(self, amount: float = 0.0) -> float:
        """Seconds until this many tokens are left."""
        if self.has(amount):
            return 0.0
        return (amount - self._left) / self._rate if self._rate > 0 else float("inf")


class Buckets:
    """A token bucket for each name, with an LRU limit on their number."""

    def __init__(self, rate: float, most: float) -> None:
        self._rate, self._most = rate, most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, name: str) -> Bucket:
        """The bucket of this name."""
        bucket = self._buckets.get(name)
        if bucket is None:
            bucket = self._buckets[name] = Bucket(self._rate, self._most)
            if len(self._buckets) > MOST_BUCKETS:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(name)
        return bucket

    def take(self, name: str, amount: float = 1.0) -> bool:
        return self.of(name).take(amount)


class Allowance:
    """A rate limit per visitor and one per address; the default of the latter is CROWD times the former."""

    def __init__(
        self, rate: float, most: float, *, address_rate: float | None = None, address_most: float | None = None
    ) -> None:
        self._visitors = Buckets(rate, most)
        self._addresses = Buckets(
            rate * CROWD if address_rate is None else address_rate,
            most * CROWD if address_most is None else address_most,
        )

    def take(self, visitor: str, amount: float = 1.0) -> bool:
        """Take tokens for a visitor and for the current address. Returns whether both had enough."""
        address = addresses.current()
        if not address:  # the server itself
            return self._visitors.take(visitor, amount)
        shared = self._addresses.of(address)
        if not shared.has(amount) or not self._visitors.take(visitor, amount):
            return False
        return shared.take(amount)
