"""The campaigns of `bench.campaigns` in small: two servers and a thinker share a database while things fail."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from bench import report
from bench.campaigns import CAMPAIGNS, SMALL_DRAIN
from bench.servers import Cluster, cluster

pytestmark = [
    pytest.mark.server,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="finds and measures processes by /proc"),
]


@pytest.fixture(scope="module")
def servers() -> Iterator[Cluster]:
    with cluster(cut=True, drain=SMALL_DRAIN) as running:
        yield running


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_every_bar_of_a_small_campaign_is_met(name: str, servers: Cluster) -> None:
    with report.alone() as bars:
        CAMPAIGNS[name].small(servers)
    assert bars and all(bar.met for bar in bars), "\n".join(map(str, bars))
