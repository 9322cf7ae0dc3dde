"""Client addresses as limits count them. They are held in memory only, never written to the database or a log."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any

IPV6_PREFIX = 64
"""One household or server has at least this much of IPv6 to itself, so all of it counts as one address."""


def network(address: str) -> str:
    """The address that limits count by: IPv4 as it is, of IPv6 the /64."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:  # a name that a test client or a Unix socket gives
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, IPV6_PREFIX), strict=False))


def address_of(scope: Mapping[str, Any]) -> str:
    """Where an ASGI request or WebSocket comes from, as limits count it; empty for a Unix socket."""
    client = scope.get("client")
    return network(client[0]) if client else ""
