"""The rolling restart: two servers are restarted one after the other while people race, and nothing is lost.

People come through a load balancer, which asks `/readyz` and knows nothing else. A server drains after SIGTERM. The bar
is the longest time that a page is without a connection, or a choice without an answer. `python -m bench.rolling` runs
the campaign, with `--caddy` behind Caddy and `deploy/Caddyfile`; `make test` runs small ones. All connections are on
loopback.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys

from bench.caddy import Caddy
from bench.people import Crowd, Ledger
from bench.proxy import Proxy
from bench.report import heading, measured, missed
from bench.servers import Cluster, Process, cluster

RESTARTS = 10
TABLES = 8
DRAIN, CADDYS_DRAIN = 3.0, 5.0
"""Seconds for which a server drains; behind Caddy, as in `compose.yaml`."""
CHECK, CADDYS_CHECK = 1.0, 2.0
"""Seconds between the load balancer's health checks."""
CADDYS_TABLES = 3
"""Number of races behind Caddy: it says that all people have one address, whose limits they share."""
AWAY = 5.0
PAUSE = 0.1
"""Seconds before each choice of a person."""


class Balancer:
    """Sends connections to servers that were ready at the last check."""

    def __init__(self, servers: list[Process]) -> None:
        self._servers, self._ready = servers, list(servers)
        self._proxy = Proxy(lambda: [("127.0.0.1", server.port or 0) for server in self._ready])
        self.port = self._proxy.port

    async def check(self) -> None:
        """Check all servers, again and again."""
        while True:
            ready = await asyncio.gather(*(asyncio.to_thread(server.is_ready) for server in self._servers))
            self._ready = [server for server, is_ready in zip(self._servers, ready, strict=True) if is_ready]
            await asyncio.sleep(CHECK)

    def close(self) -> None:
        self._proxy.close()


async def campaign(cluster: Cluster, restarts: int, tables: int, seed: int, *, caddy: bool = False) -> Ledger:
    """Restart one server after the other. Returns what clients were told."""
    over = False
    made = Caddy([f"127.0.0.1:{port}" for port in cluster.ports]) if caddy else Balancer(cluster.servers)
    with contextlib.closing(made) as balancer:
        checking = asyncio.create_task(balancer.check() if isinstance(balancer, Balancer) else asyncio.sleep(0))
        async with Crowd([balancer.port], tables, seed, pause=PAUSE) as crowd:
            racing = asyncio.create_task(crowd.race(lambda: over))
            while len(crowd.tables) < tables:
                await asyncio.sleep(0.05)
            crowd.ledger.forget_times()
            for number in range(restarts):
                server = cluster.servers[number % len(cluster.servers)]
                await asyncio.to_thread(server.stop)
                server.start()
                await asyncio.to_thread(server.wait_until_ready)
                await asyncio.sleep((CADDYS_CHECK if caddy else CHECK) + 0.5)  # the load balancer knows it again
            over = True
            await racing
        checking.cancel()
    await crowd.ledger.compare(cluster.url)
    return crowd.ledger


def run(
    cluster: Cluster, restarts: int = RESTARTS, tables: int = TABLES, seed: int = 1, *, caddy: bool = False
) -> Ledger:
    """Run the campaign and report it. `caddy`: behind Caddy."""
    through = "Caddy" if caddy else "a load balancer"
    heading(f"Rolling restart: {restarts} restarts of two servers, {tables} races through {through}")
    ledger = asyncio.run(campaign(cluster, restarts, tables, seed, caddy=caddy))
    print(
        f"        {len(ledger.acknowledged)} choices acknowledged;"
        f" a race stood still for {ledger.longest_stall:.1f} s at most"
    )
    wrong, broken = len(ledger.contradictions), cluster.tracebacks()
    measured("choices lost, doubled, or told and not kept", str(wrong), "0", wrong == 0)
    measured(
        "longest time without a connection", f"{ledger.longest_away:.1f} s", f"{AWAY:g} s", ledger.longest_away <= AWAY
    )
    measured("longest wait for a choice", f"{ledger.longest_wait:.1f} s", f"{AWAY:g} s", ledger.longest_wait <= AWAY)
    measured("tracebacks in logs", str(broken), "0", broken == 0)
    return ledger


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--restarts", type=int, default=RESTARTS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--caddy", action="store_true", help="behind Caddy, which must be installed")
    asked = parser.parse_args()
    with cluster(drain=CADDYS_DRAIN if asked.caddy else DRAIN) as servers:
        tables = CADDYS_TABLES if asked.caddy else TABLES
        run(servers, asked.restarts, tables, seed=asked.seed, caddy=asked.caddy)
    sys.exit(bool(missed()))
