"""Which client addresses count as one."""

from __future__ import annotations

import pytest

from spina.table.http.addresses import address_of, network


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_an_ipv6_address_counts_by_its_64_bit_prefix(address: str, counted: str) -> None:
    assert network(address) == counted


def test_the_address_of_a_request_is_that_of_its_client() -> None:
    assert address_of({"client": ("2001:db8::1", 4000)}) == "2001:db8::/64"
    assert address_of({"client": None}) == address_of({}) == ""
