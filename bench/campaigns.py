"""All campaigns about many servers with one database, one after the other, and one table of their bars.

`python -m bench.campaigns` runs them at full size, which takes about two hours; with `--small` in some minutes, as
`make test` does. Names choose some of them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from bench import fuzz, hidden, kills, partition, rolling, soak
from bench.collecting_server import PROGRAM
from bench.report import missed, table
from bench.servers import Cluster, cluster

SMALL_DRAIN = 1.5


class Campaign(NamedTuple):
    """How a campaign is run in full and in small."""

    full: Callable[[Cluster], object]
    small: Callable[[Cluster], object]
    servers: int = 2
    program: Sequence[str] = ("spina",)
    """What the servers of a full campaign run."""


CAMPAIGNS = {
    "hidden": Campaign(hidden.run, lambda servers: hidden.run(servers, races=2)),
    "fuzz": Campaign(fuzz.run, lambda servers: fuzz.run(servers, messages=4000, tables=6), program=PROGRAM),
    "soak": Campaign(soak.run, lambda servers: soak.run(servers, sockets=80, minutes=0.1)),
    "partition": Campaign(partition.run, lambda servers: partition.run(servers, lengths=(6.0, 0.5), tables=2)),
    "rolling": Campaign(rolling.run, lambda servers: rolling.run(servers, restarts=1, tables=2)),
    "kills": Campaign(kills.run, lambda servers: kills.run(servers, kills=3, tables=1), servers=3),
}


def run(names: list[str], *, small: bool) -> None:
    """Run campaigns: small ones with the same servers, full ones each with its own."""
    if small:
        with cluster(cut=True, drain=SMALL_DRAIN) as servers:
            for name in names:
                CAMPAIGNS[name].small(servers)
        return
    for name in names:
        campaign = CAMPAIGNS[name]
        cut = name == "partition"
        with cluster(servers=campaign.servers, cut=cut, drain=rolling.DRAIN, program=campaign.program) as servers:
            campaign.full(servers)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(CAMPAIGNS))
    parser.add_argument("--small", action="store_true")
    asked = parser.parse_args()
    unknown = [name for name in asked.names if name not in CAMPAIGNS]
    if unknown:
        parser.error(f"there is no campaign {unknown[0]!r}: there are {', '.join(CAMPAIGNS)}")
    run(asked.names or list(CAMPAIGNS), small=asked.small)
    print(table())
    sys.exit(bool(missed()))
