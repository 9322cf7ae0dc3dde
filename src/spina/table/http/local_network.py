"""Opening a table that listens on loopback to the local network, for a while, by a click on this machine.

A server that was started for this machine alone cannot be reached by friends. A person at this machine may have it
listen on the machine's private addresses too. That ends with a second click and with the server; nothing is stored.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Mapping
from typing import Any, Protocol
from urllib.parse import urlsplit

import msgspec
from starlette.datastructures import Headers

from spina.table.refusals import Refusal, say
from spina.table.settings import Settings

FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via")
"""Headers of proxies: behind one, every client seems to be this machine."""


class Reach(msgspec.Struct):
    """Who can reach the table."""

    addresses: list[str]
    """URLs of this machine on the local network, for people at this machine; empty for others."""
    open: bool
    """Whether the table is open to the local network."""
    may_open: bool
    """Whether the visitor may open and close it: only at this machine."""


class Listeners(Protocol):
    """A server that can listen on further addresses."""

    port: int

    async def listen_on(self, address: str) -> None:
        """Accept connections on this address too. Raises OSError."""

    async def stop_listening_on(self, address: str) -> None:
        """Accept no more connections on this address, and close those that came in there."""


class LocalNetwork:
    """Whether the table is open to the local network; the Guard accepts the opened addresses as hosts and origins."""

    def __init__(self, settings: Settings) -> None:
        self._given = settings.network
        self._listeners: Listeners | None = None
        self._open: tuple[str, ...] = ()
        self.origins: frozenset[str] = frozenset()
        self.hosts: frozenset[str] = frozenset()

    def attach(self, listeners: Listeners) -> None:
        """Have a server that can listen on further addresses."""
        self._listeners = listeners

    def reach(self, scope: Mapping[str, Any]) -> Reach:
        """Who can reach the table, for the client of this request."""
        may = self._may_open(scope)
        urls = [self._url(address) for address in self._open or self._addresses()] if may else []
        return Reach(urls, bool(self._open), may and bool(urls))

    async def set_open(self, scope: Mapping[str, Any], wanted: bool) -> Reach:
        """Open the table to the local network, or close it again. Raises Refusal for clients on other machines."""
        if not self._may_open(scope):
            raise Refusal("not-yours", say("table.network-not-here"))
        assert self._listeners is not None
        if wanted and not self._open:
            listening = []
            for address in self._addresses():
                with contextlib.suppress(OSError):  # it may have gone since, or the port is in use there
                    await self._listeners.listen_on(address)
                    listening.append(address)
            if not listening:
                raise Refusal("not-now", say("table.network-none"))
            self._note(tuple(listening))
        elif not wanted and self._open:
            before = self._open
            self._note(())  # first: no request of theirs is answered any more
            for address in before:
                await self._listeners.stop_listening_on(address)
        return self.reach(scope)

    def _note(self, addresses: tuple[str, ...]) -> None:
        self._open = addresses
        self.origins = frozenset(map(self._url, addresses))
        self.hosts = frozenset(urlsplit(origin).netloc for origin in self.origins)

    def _url(self, address: str) -> str:
        assert self._listeners is not None
        return f"http://{address}:{self._listeners.port}"

    def _addresses(self) -> tuple[str, ...]:
        return self._given or private_addresses()

    def _may_open(self, scope: Mapping[str, Any]) -> bool:
        """Whether the request comes from this machine, over loopback, and through no proxy."""
        if self._given is None or self._listeners is None:
            return False
        headers = Headers(raw=scope["headers"])
        if not is_direct(scope, headers):
            return False
        return scope["server"][0] not in self._open and _name(headers) not in self._open


def is_direct(scope: Mapping[str, Any], headers: Headers) -> bool:
    """Whether a request comes from this machine, over loopback, and through no proxy."""
    if any(name in headers for name in FORWARDED):
        return False
    client, server = scope.get("client"), scope.get("server")
    if client is None or server is None:
        return False
    return is_loopback(client[0]) and is_loopback(server[0]) and is_loopback(_name(headers))


def _name(headers: Headers) -> str:
    """The host name of a request without its port."""
    host = headers.get("host", "")
    return host if host.endswith("]") else host.rsplit(":", 1)[0]


def is_loopback(host: str) -> bool:
    """Whether a host is this machine and nothing else."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def private_addresses() -> tuple[str, ...]:
    """IPv4 addresses of this machine in private networks, that of the default route first. No packet is sent.

    Public addresses are left out: under them the whole internet could come.
    """
    found = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # reserved for documentation (RFC 5737)
        found.append(str(probe.getsockname()[0]))
    with contextlib.suppress(OSError):
        found += [str(each[4][0]) for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return tuple(dict.fromkeys(address for address in found if _is_private(address)))


def _is_private(address: str) -> bool:
    parsed = ipaddress.ip_address(address)
    return parsed.is_private and not parsed.is_loopback and not parsed.is_unspecified
