"""Client addresses for rate limits. They are held in memory only, never written to the database or a log."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from typing import Any

IPV6_PREFIX = 64
"""An IPv6 prefix of this length counts as one address: a household or a server has at least that much."""

LONGEST_NAME = 64
UNKNOWN = "unknown"

_current: ContextVar[str] = ContextVar("address", default="")


def network(address: str) -> str:
    """The address that limits count by: an IPv4 address as it is, an IPv6 address as its /64."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:  # a name, as test clients and Unix sockets have
        return address[:LONGEST_NAME]
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, IPV6_PREFIX), strict=False))


def address_of(scope: Mapping[str, Any]) -> str:
    """The client address of an ASGI request or WebSocket, as limits count it; empty for a Unix socket."""
    client = scope.get("client")
    return network(client[0]) if client else ""


def current() -> str:
    """The client address of the request that this task answers; empty outside of requests, where nothing is limited."""
    return _current.get()


def begin_request(scope: Mapping[str, Any]) -> str:
    """Set the current address from the request that this task answers, and return it."""
    address = address_of(scope) or UNKNOWN
    _current.set(address)
    return address


class Trusted:
    """Addresses and networks of trusted proxies, as `--proxy` takes them."""

    def __init__(self, named: Iterable[str]) -> None:
        self._networks: list[ipaddress.IPv4Network | ipaddress.IPv6Network] = []
        self._all = False
        for name in named:
            if name == "*":
                self._all = True
                continue
            try:
                self._networks.append(ipaddress.ip_network(name, strict=False))
            except ValueError:  # not an address: no connection can match it
                continue

    def __contains__(self, host: str) -> bool:
        if self._all or not self._networks:
            return self._all
        try:
            address = ipaddress.ip_address(host.partition("%")[0])
        except ValueError:
            return False
        return any(address in network for network in self._networks if network.version == address.version)
