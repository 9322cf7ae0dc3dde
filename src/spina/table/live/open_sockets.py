"""Open pages: how many, how much waits to be read by them, and how much of the server's time they take.

Tokens are free to make up, so everything counts by address too. Whoever is over a limit loses the socket that is least
missed, never the new one: nobody can lock others out by holding sockets open.
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
"""Close code of a page that does not read what it is told. It may come back and ask for what it missed."""
REPLACED = 4029
"""Close code of a socket that gave way to a newer one of the same visitor or address."""
LONGEST_PAUSE = 2.0
"""Seconds that a new page waits for its first message when its address has used up its time."""


class OpenPage(Protocol):
    """What must be known of a page."""

    visitor: str
    address: str
    unread: int
    """Bytes that wait to be read."""
    heard: float
    """When it last said something; 0 if it never has."""

    def end(self, code: int, reason: str) -> None: ...


class OpenSockets:
    """All open pages of a server."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._visitors: dict[str, dict[OpenPage, None]] = {}
        self._addresses: dict[str, dict[OpenPage, None]] = {}
        self._unread: dict[str, int] = {}
        self._time = Buckets(settings.socket_work_per_second, settings.socket_work_at_once)

    def enter(self, page: OpenPage) -> None:
        """Count a page that has been opened, and end others of the same visitor or address if they are too many."""
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
        """End the page that has been silent for longest: the oldest of those that never said anything comes first."""
        page = min(pages, key=lambda each: each.heard)
        self.leave(page)
        page.end(REPLACED, reason)

    def leave(self, page: OpenPage) -> None:
        """Count a page no more."""
        for pages, name in ((self._visitors, page.visitor), (self._addresses, page.address)):
            held = pages.get(name)
            if held is not None:
                held.pop(page, None)
                if not held:
                    del pages[name]

    def waits(self, page: OpenPage, size: int) -> None:
        """Count `size` more bytes, or fewer, that a page has not read. If an address has too many, one page ends."""
        address = page.address
        self._unread[address] = self._unread.get(address, 0) + size
        if self._unread[address] <= 0:
            del self._unread[address]
        elif size > 0 and self._unread[address] > self._settings.unread_per_address:
            slowest = max(self._addresses.get(address, {page: None}), key=lambda each: each.unread)
            slowest.end(DID_NOT_READ, "not-read")

    def charge(self, address: str, seconds: float) -> None:
        """Charge an address for so much time."""
        self._time.of(address).charge(seconds)

    @contextlib.contextmanager
    def charged(self, address: str) -> Iterator[None]:
        """Charge an address for the processor time of what is done inside, where nothing is waited for."""
        begun = time.thread_time()
        try:
            yield
        finally:
            self.charge(address, time.thread_time() - begun)

    async def pause(self, address: str, longest: float = float("inf")) -> None:
        """Wait while an address has used up its time, but not longer than this."""
        until = time.monotonic() + longest
        # Of those who wait, the first who goes on uses up what there is: the others see that, and wait again.
        while (wait := min(self._time.of(address).wait(), until - time.monotonic())) > 0:
            await asyncio.sleep(wait)
