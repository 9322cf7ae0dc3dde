"""Limits on WebSockets: their number, their unread bytes, and the server time that they use.

Tokens are free to make up, so everything is limited by address too. A visitor or address over a limit loses its least
active socket, never the new one: holding sockets open does not lock others out.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterable, Iterator
from typing import Protocol

from spina.table.http.rate_limits import Buckets
from spina.table.settings import Settings

DID_NOT_READ = 4008
"""Close code of a page that does not read its messages. It may reconnect and ask for what it missed."""
REPLACED = 4029
"""Close code of a socket that was replaced by a newer one of the same visitor or address."""
LONGEST_PAUSE = 2.0
"""Maximum delay in seconds of a new page's first message when its address is over its limit."""


class OpenPage(Protocol):
    """The part of a page that the limits need."""

    visitor: str
    address: str
    unread: int
    """Bytes of unread messages."""
    heard: float
    """Time of its last message; 0 if it has sent none."""

    def end(self, code: int, reason: str) -> None: ...


class OpenSockets:
    """All WebSockets of a server."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._visitors: dict[str, dict[OpenPage, None]] = {}
        self._addresses: dict[str, dict[OpenPage, None]] = {}
        self._unread: dict[str, int] = {}
        self._time = Buckets(settings.socket_work_per_second, settings.socket_work_at_once)

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(map(len, list(self._addresses.values())))

    def enter(self, page: OpenPage) -> None:
        """Count a new page, and close others of the same visitor or address if they are too many."""
        own = self._visitors.setdefault(page.visitor, {})
        while len(own) >= self._settings.sockets_per_visitor:
            self._replace(own, "too-many-pages")
        shared = self._addresses.setdefault(page.address, {})
        while len(shared) >= self._settings.sockets_per_address:
            most = max(len(self._visitors[each.visitor]) for each in shared)
            pages = [each for each in shared if len(self._visitors[each.visitor]) == most]
            self._replace(pages, "too-many-pages-of-address")
        self._visitors.setdefault(page.visitor, {})[page] = None
        self._addresses.setdefault(page.address, {})[page] = None

    def _replace(self, pages: Iterable[OpenPage], reason: str) -> None:
        """Close the page that has been silent for longest; the oldest of those without any message comes first."""
        page = min(pages, key=lambda each: each.heard)
        self.leave(page)
        page.end(REPLACED, reason)

    def leave(self, page: OpenPage) -> None:
        """Stop counting a page."""
        for pages, name in ((self._visitors, page.visitor), (self._addresses, page.address)):
            held = pages.get(name)
            if held is not None:
                held.pop(page, None)
                if not held:
                    del pages[name]

    def waits(self, page: OpenPage, size: int) -> None:
        """Add `size` (it may be negative) to a page's unread bytes. If its address has too many, close one page."""
        address = page.address
        self._unread[address] = self._unread.get(address, 0) + size
        if self._unread[address] <= 0:
            del self._unread[address]
        elif size > 0 and self._unread[address] > self._settings.unread_per_address:
            slowest = max(self._addresses.get(address, {page: None}), key=lambda each: each.unread)
            slowest.end(DID_NOT_READ, "not-read")

    def charge(self, address: str, seconds: float) -> None:
        """Charge an address for seconds of processor time."""
        self._time.of(address).charge(seconds)

    @contextlib.contextmanager
    def charged(self, address: str) -> Iterator[None]:
        """Charge an address for the processor time of the body, which must not await anything."""
        begun = time.thread_time()
        try:
            yield
        finally:
            self.charge(address, time.thread_time() - begun)

    async def pause(self, address: str, longest: float = float("inf")) -> None:
        """Wait while an address is over its limit, but not longer than this."""
        until = time.monotonic() + longest
        # The first task to continue uses the tokens up: the other waiting tasks see that and wait again.
        while (wait := min(self._time.of(address).wait(), until - time.monotonic())) > 0:
            await asyncio.sleep(wait)
