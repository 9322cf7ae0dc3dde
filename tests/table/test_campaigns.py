"""The campaigns of `bench.campaigns` in small: two servers and a thinker share a database while things fail."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator

import pytest

from bench import caddy, latency, report, rolling, throughput
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


@pytest.mark.skipif(not caddy.INSTALLED, reason="needs caddy; test_compose.py looks at its configuration without it")
def test_a_restart_behind_caddy_loses_nothing(servers: Cluster) -> None:
    with report.alone() as bars:
        rolling.run(servers, restarts=1, tables=2, caddy=True)
    assert bars and all(bar.met for bar in bars), "\n".join(map(str, bars))


def test_clients_that_race_through_many_pages_are_told_every_choice_once() -> None:
    with throughput.servers("", 1) as running, latency.echo_server() as echo:
        fast = asyncio.run(throughput.race(running, None, throughput.MIX, tables=12, seconds=1.0))
        evenly = asyncio.run(latency.race(running[0], tables=5, rate=20.0, seconds=1.0, echo=echo))
    assert fast.per_second > 10 and fast.server_ms > 0
    assert evenly["choices"] and evenly["echo"] and evenly["lost"] == [0]
